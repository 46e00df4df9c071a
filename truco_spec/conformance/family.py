"""All that a process started, wherever it went: its members, their memory, their end.

Members are known by their group, and by a mark in the environment that they inherit. A process that both leaves the
group and cleans its environment is not found; nor is any but those of the group where there is no ``/proc``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator, Sequence

from truco_spec.conformance.spawn import MARK

_PROC = "/proc"
_MOST_ROUNDS = 20
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def readable() -> bool:
    """Whether this machine lets us look at processes."""
    return _read(f"{_PROC}/self/statm") is not None


def stop_all(mark: str) -> None:
    """End every process that bears the mark."""
    for _ in range(_MOST_ROUNDS):  # one that starts others meanwhile is found in the next round
        alive = list(bearers(mark))
        for number in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        if not alive:
            return
        time.sleep(0.001)


def bearers(mark: str) -> Iterator[int]:
    """The numbers of all processes that bear the mark and have not ended."""
    wanted = f"{MARK}={mark}".encode()
    for name in _processes():
        text = _read(f"{_PROC}/{name}/environ")  # empty for one that has ended
        if text and wanted in text.split(b"\0"):
            yield int(name)


def resident(numbers: Sequence[int]) -> int:
    """Bytes of memory that these processes hold; what several of them share is counted for each."""
    return sum(_resident(number) for number in numbers)


def proportional(numbers: Sequence[int]) -> int:
    """The same, but what is shared is shared out. It takes longer to find out."""
    return sum(_proportional(number) for number in numbers)


def _resident(number: int) -> int:
    text = _read(f"{_PROC}/{number}/statm")
    return int(text.split()[1]) * _PAGE if text else 0


def _proportional(number: int) -> int:
    for line in (_read(f"{_PROC}/{number}/smaps_rollup") or b"").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(number)


def _processes() -> list[str]:
    try:
        return [name for name in os.listdir(_PROC) if name.isdecimal()]  # noqa: PTH208  (names are all that is wanted)
    except OSError:
        return []


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return None
