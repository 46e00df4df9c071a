"""How much memory a process and all that it started hold together, looked at now and then."""

from __future__ import annotations

import time

from truco_spec.conformance import family
from truco_spec.conformance.process import Process

EVERY = 0.05
"""Seconds between two looks at a process that takes its time."""

UNITS = {"G": 1024**3, "M": 1024**2}
"""Of bytes, by the letters that stand for them."""

_NEW_ONES_EVERY = 0.25


class Scales:
    """Weighs one process after another. Where the machine does not tell, everything is light."""

    def __init__(self, most: int) -> None:
        self.most = most if most and family.readable() else 0
        self._members: list[int] = []
        self._next = self._next_members = 0.0

    def reset(self) -> None:
        """Another process is weighed from now on."""
        self._members, self._next_members = [], 0.0

    def due(self) -> bool:
        """Whether a process that does not answer is to be looked at again."""
        return bool(self.most) and time.monotonic() >= self._next

    def too_heavy(self, process: Process) -> bool:
        """Whether it and all that it started hold more than they may."""
        if not self.most:
            return False
        now = time.monotonic()
        self._next = now + EVERY
        if now >= self._next_members:
            self._members = [process.number, *(n for n in family.bearers(process.mark) if n != process.number)]
            took = time.monotonic() - now
            self._next_members = now + max(_NEW_ONES_EVERY, 50 * took)
        if family.resident(self._members) <= self.most:
            return False
        return len(self._members) == 1 or family.proportional(self._members) > self.most


def told(size: int) -> str:
    """So many bytes, as one would write them: ``2G``, ``512M``."""
    for letter, unit in UNITS.items():
        if size >= unit and size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size} bytes"
