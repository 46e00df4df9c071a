"""One line on the terminal that tells how far a long run is; nothing when the error stream is not a terminal."""

from __future__ import annotations

import sys
from types import TracebackType

from truco_spec.harmless import behind, printable

_CLEAR = "\r\x1b[K"


class Progress:
    """Counts steps: ``with Progress("variants", 12) as progress: … progress.step("name")``."""

    def __init__(self, what: str, total: int, *, quiet: bool = False) -> None:
        self.what, self.total, self.done = what, total, 0
        self.name = ""
        self.shown = not quiet and sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def step(self, name: str) -> None:
        """One more begins."""
        self.done += 1
        self.name = name
        self.tell("")

    def tell(self, what: str) -> None:
        """What is being done in this step."""
        if self.shown:
            self._write(_CLEAR + printable(f"{self.what} {self.done}/{self.total}: {self.name} {what}"))

    def clear(self) -> None:
        """Take the line away, before something else is printed."""
        if self.shown:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        stream = behind(sys.stderr)
        stream.write(text)
        stream.flush()
