"""An alarm for what must not go on for ever. It measures nothing: it ends a test that would never end by itself."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Within it, an AssertionError after this many seconds."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"still busy after {seconds} s")

    if not hasattr(signal, "alarm"):  # Python in WebAssembly
        yield
        return
    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
