"""A progress line on the terminal; nothing when the error stream is not a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from gettext import gettext as _
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from truco_spec.base.harmless import behind, printable
from truco_spec.cli.messages import counted

if TYPE_CHECKING:
    from truco_spec.conformance.runner.verdicts import CaseReport


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
        """Begin the next step."""
        self.done += 1
        self.name = name
        self.tell("")

    def within(self, what: str, done: int, of: int) -> None:
        """Show a step whose number and total are known only now."""
        self.done, self.total = done - 1, of
        self.step(_(what))

    def tell(self, what: str) -> None:
        """Show the current activity within the step."""
        if self.shown:
            self._write(_CLEAR + printable(f"{self.what} {self.done}/{self.total}: {self.name} {what}"))

    def clear(self) -> None:
        """Erase the line, before something else is printed."""
        if self.shown:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        stream = behind(sys.stderr)
        stream.write(text)
        stream.flush()


# --------------------------------------------------------------------------------------------------
# A progress bar with a counter and the time left; nothing if the stream is not a terminal.

_BAR = 30
_WAIT, _AGAIN, _SURE = 1.0, 0.1, 2.0


class Bar:
    """A bar that redraws itself; it appears after a second, and estimates the time left after two. ``clock`` is in
    seconds.
    """

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
        """Count a judged case."""
        from truco_spec.conformance.runner.verdicts import NEGATIVE

        self.done += 1
        self.wrong += case.verdict in NEGATIVE
        told = _("{done} of {total} cases, {wrong} wrong")
        self._tell(told.format(done=counted(self.done), total=counted(self.total), wrong=counted(self.wrong)))

    def at(self, done: int, what: str) -> None:
        """Set the progress; ``what`` names the current activity."""
        self.done = min(done, self.total)
        told = _("{done} of {total} {what}")
        self._tell(told.format(done=counted(self.done), total=counted(self.total), what=what))

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
        return _(", {minutes}:{seconds:02} left").format(minutes=left // 60, seconds=left % 60)

    def end(self) -> None:
        """Erase the bar."""
        if self.shown:
            self.stream.write(_CLEAR)
            self.stream.flush()
