"""How far a long run is: a bar, a counter and the time left; nothing where the stream is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from truco_spec.harmless import behind, printable

if TYPE_CHECKING:
    from truco_spec.conformance.report import CaseReport

_CLEAR = "\r\x1b[K"
_BAR = 30
_WAIT, _AGAIN, _SURE = 1.0, 0.1, 2.0


class Bar:
    """It overwrites itself, begins after a second, and guesses the time left after two. Seconds are of ``clock``."""

    def __init__(
        self,
        total: int,
        stream: TextIO | None = None,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total, self.done, self.wrong = total, 0, 0
        self.stream: TextIO = behind(stream or sys.stderr)
        self.clock = clock
        self.began = clock()
        self.next = self.began + _WAIT
        self.shows = not quiet and self.stream.isatty()
        self.shown = False

    def case(self, case: CaseReport) -> None:
        """One more case is judged."""
        from truco_spec.conformance.verdicts import NEGATIVE

        self.done += 1
        self.wrong += case.verdict in NEGATIVE
        self._tell(f"{self.done} of {self.total} cases, {self.wrong} wrong")

    def at(self, done: int, what: str) -> None:
        """So much is done; ``what`` names it and tells what is being done."""
        self.done = min(done, self.total)
        self._tell(f"{self.done:,} of {self.total:,} {what}")

    def _tell(self, told: str) -> None:
        now = self.clock()
        if self.shows and now >= self.next:
            self.next, self.shown = now + _AGAIN, True
            bar = "█" * (_BAR * self.done // max(self.total, 1))
            self.stream.write(f"{_CLEAR}{bar:·<{_BAR}} {printable(told)}{self._left(now - self.began)}")
            self.stream.flush()

    def _left(self, seconds: float) -> str:
        if seconds < _SURE or not self.done:
            return ""
        left = round(seconds * (self.total - self.done) / self.done)
        return f", {left // 60}:{left % 60:02} left"

    def end(self) -> None:
        """Take it away."""
        if self.shown:
            self.stream.write(_CLEAR)
            self.stream.flush()
