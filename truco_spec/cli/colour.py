"""Colours of the output: on terminals only, and not where NO_COLOR asks for none (no-color.org)."""

from __future__ import annotations

import os
import sys

import click

from truco_spec.harmless import behind


def coloured() -> bool:
    """Whether the standard output is a terminal that shows colours, and nobody minds."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def say(text: str) -> None:
    """Print a text in which there may be colours, where that is so; of anything else the text is free already."""
    click.echo(text, file=behind(sys.stdout) if coloured() else None)
