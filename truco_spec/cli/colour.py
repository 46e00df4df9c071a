"""Whether the output may be in colour: on terminals only, and not where NO_COLOR asks for none (no-color.org)."""

from __future__ import annotations

import os
import sys


def coloured() -> bool:
    """Whether the standard output is a terminal that shows colours, and nobody minds."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
