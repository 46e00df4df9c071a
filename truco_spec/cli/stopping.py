"""How a verb ends when somebody asks the process to: as with Ctrl-C, so that what is begun is ended in order."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

POLITE = (signal.SIGTERM, signal.SIGHUP)
"""Signals that ask a process to end: a polite kill, and a closed terminal. The status is 128 plus the number."""


class Stopped(SystemExit):
    """Somebody asked the process to end."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within it SIGTERM and SIGHUP end the run as Ctrl-C does, so that its reports are written; one that is ignored
    (``nohup``) stays so.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(128 + number)

    former = {number: signal.getsignal(number) for number in POLITE}
    caught = [number for number, handler in former.items() if handler != signal.SIG_IGN]
    for number in caught:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, former[number])
