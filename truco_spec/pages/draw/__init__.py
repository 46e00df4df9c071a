"""Drawings of the rule graph: dot, SVG, Mermaid, JSON, or text in the core of the rules language."""

from __future__ import annotations

from truco_spec.pages.draw.draw import FORMS, DrawError, draw

__all__ = ["FORMS", "DrawError", "draw"]
