"""The command line. ``main`` is its door; each verb is a module of its own, imported only when it is asked for."""

from __future__ import annotations

from truco_spec.cli.program import main

__all__ = ["main"]
