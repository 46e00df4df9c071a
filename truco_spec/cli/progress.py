"""A progress line on the terminal; where the error stream is none, a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from gettext import gettext as _
from types import TracebackType
from typing import TextIO

from truco_spec.base.harmless import behind, printable
from truco_spec.cli.messages import counted

_CLEAR = "\r\x1b[K"
_BAR = 30
_WAIT, _AGAIN, _SURE = 1.0, 0.1, 2.0
_SELDOM = 30.0
"""Seconds between two lines in a file."""


class Progress:
    """A bar with a counter: ``with Progress("variants", 12) as progress: … progress.step("name")``.

    Where nobody looks it is a line every half minute. Steps that take long are named as they begin (:meth:`step`). Of
    many short ones the number done is set (:meth:`at`): it is shown after a second, and the time left is estimated
    after two. ``clock`` is in seconds.
    """

    def __init__(
        self,
        what: str,
        total: int,
        *,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.what, self.total, self.done = what, total, 0
        self.name = ""
        self.stream: TextIO = behind(stream or sys.stderr)
        self.shown = not quiet and self.stream.isatty()
        self.logged = not quiet and not self.shown
        self.clock = clock
        self.began = clock()
        self.next = self.began + (_SELDOM if self.logged else _WAIT)

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
        """Begin a step whose number and total are known only now."""
        self.done, self.total = done - 1, of
        self.step(_(what))

    def tell(self, what: str) -> None:
        """Show the current activity within the step."""
        self._show(f"{self.name} {what}", self.done - 1)

    def at(self, done: int, what: str) -> None:
        """Set how many steps are done; ``what`` is the current activity."""
        self.done = min(done, self.total)
        if self.shown and (now := self.clock()) >= self.next:
            self.next = now + _AGAIN
            self._show(what + self._left(now - self.began), self.done)
        elif self.logged:
            self._show(what, self.done)

    def clear(self) -> None:
        """Erase the line, before something else is printed."""
        self._write(_CLEAR)

    def _show(self, told: str, finished: int) -> None:
        bar = "█" * (_BAR * finished // max(self.total, 1))
        line = f"{self.what} {counted(self.done)}/{counted(self.total)}: {told}"
        self._write(printable(f"{bar:·<{_BAR}} {line}"), _CLEAR)
        if self.logged and (now := self.clock()) >= self.next:
            self.next = now + _SELDOM
            self.stream.write(f"{printable(line).rstrip()}\n")
            self.stream.flush()

    def _write(self, text: str, before: str = "") -> None:
        if self.shown:
            self.stream.write(before + text)
            self.stream.flush()

    def _left(self, seconds: float) -> str:
        if seconds < _SURE or not self.done:
            return ""
        left = round(seconds * (self.total - self.done) / self.done)
        return _(", {minutes}:{seconds:02} left").format(minutes=left // 60, seconds=left % 60)
