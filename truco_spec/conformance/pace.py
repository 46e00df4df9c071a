"""How far ahead of its answers a process is asked: one case at first, more as long as all goes well."""

from __future__ import annotations

import time

_FIRST_CLEAN, _MOST_CLEAN = 8, 1024
_MOST_AHEAD = 64
_SECONDS_AHEAD = 0.1
_WEIGHT = 0.125  # of one case, against those before


class Pace:
    """``ahead``: how many requests may be under way; 1 is single file, where it is plain whose fault anything is.

    A process leaves single file after some clean cases in a row; after a fault it takes twice as many. One that takes
    its time is never asked further ahead than a tenth of a second.
    """

    def __init__(self) -> None:
        self.ahead = 1
        self._clean, self._wanted = 0, _FIRST_CLEAN
        self._seconds = 0.0
        self._last = time.monotonic()

    def begins(self) -> None:
        """The time of the next case runs from here."""
        self._last = time.monotonic()

    def answered(self, *, widen: bool) -> None:
        """One more case came back in good order."""
        now = time.monotonic()
        self._seconds += _WEIGHT * (now - self._last - self._seconds)
        self._last = now
        self._clean += 1
        if widen and self._clean >= (self._wanted if self.ahead == 1 else self.ahead):
            self._clean = 0
            most = min(_MOST_AHEAD, int(_SECONDS_AHEAD / max(self._seconds, 1e-6)))
            self.ahead = max(1, min(2 * self.ahead, most))

    def single_file(self, *, doubt: bool) -> None:
        """From here on one by one. ``doubt``: for longer than before."""
        self.ahead, self._clean = 1, 0
        if doubt:
            self._wanted = min(2 * self._wanted, _MOST_CLEAN)
