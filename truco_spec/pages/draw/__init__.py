"""The rule graph drawn: as dot, SVG or Mermaid, as JSON, or as text in the core of the rules language."""

from __future__ import annotations

from truco_spec.pages.draw.draw import FORMS, DrawError, draw

__all__ = ["FORMS", "DrawError", "draw"]
