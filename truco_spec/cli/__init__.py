"""The command line.

In: what somebody typed. Out: an exit status. Begin with ``commands``; the module of a verb is imported on demand, and
``main`` here is the entry point.
"""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False  # as in typing, which is needed for nothing else
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with its status. No declared error shows a traceback."""
    gc.set_threshold(500_000, 50, 100)  # classes and graphs are many small objects that live until exit
    from truco_spec.cli import commands

    commands.main(sys.argv[1:] if arguments is None else arguments)
