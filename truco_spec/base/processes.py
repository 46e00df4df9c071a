"""Work on several cores: local processes, which have what was loaded here."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
MOST = 8


def cores() -> int:
    """The processes that a command starts by default: one for each processor, at most eight."""
    return min(os.cpu_count() or 1, MOST)


class Processes(ProcessPoolExecutor):
    """Local processes, which can be asked to stop early and return partial results. Each calls ``begin`` first."""

    def __init__(self, count: int, begin: Callable[..., None] | None = None, *given: Any) -> None:
        forked = multiprocessing.get_context("fork")  # they have what is loaded here, and are given whatever it is
        super().__init__(count, forked, _as_worker, (begin, given))
        self._others = set(multiprocessing.active_children())

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        return super().submit(_at_work, work, *given, **named)

    def halt(self) -> None:
        """Cancel pending tasks and interrupt running ones (SystemExit)."""
        self.shutdown(wait=False, cancel_futures=True)
        self.interrupt()

    def interrupt(self) -> None:
        """Interrupt running tasks (SystemExit); pending ones end as soon as they begin."""
        for child in set(multiprocessing.active_children()) - self._others:
            child.terminate()


@contextlib.contextmanager
def processes(count: int, begin: Callable[..., None] | None = None, *given: Any) -> Iterator[Executor | None]:
    """A context with this many local processes; None, meaning this process itself, for one, and where a system cannot
    fork. Each calls ``begin`` first.

    On early exit, such as Ctrl-C, they are stopped together with their adapters.
    """
    if count < 2 or "fork" not in multiprocessing.get_all_start_methods():
        if begin is not None:
            begin(*given)
        yield None
        return
    pool = Processes(count, begin, *given)
    try:
        yield pool
    except BaseException:
        pool.interrupt()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(slots=True)
class _Worker:
    """The state of a worker: whether it is busy, and whether it has been asked to stop."""

    working: bool = False
    halted: bool = False

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Stop: at once if busy; otherwise the parent will send no further task."""
        self.halted = True
        if self.working:
            sys.exit(128 + number)


_HERE = _Worker()


def _at_work(work: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
    """In a worker: run the task, unless stopping."""
    _HERE.working = True
    try:
        if _HERE.halted:
            sys.exit(128 + signal.SIGTERM)
        return work(*given, **named)
    finally:
        _HERE.working = False


def _as_worker(begin: Callable[..., None] | None, given: tuple[Any, ...]) -> None:
    """Leave Ctrl-C and SIGHUP to the parent process, which asks the workers to close what they opened and stop."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _HERE.stop)
    if begin is not None:
        begin(*given)


# ---- one function for many things -----------------------------------------------------------------


def made_of(work: Callable[[Given], Made], things: Sequence[Given], count: int) -> Iterator[Made]:
    """What the function makes of each thing, in order, by this many processes (this one, for one).

    Neither the function nor the things are sent to the processes, which are forked; what is made is sent back.
    """
    with _working(work, things, min(count, len(things))) as pool:
        yield from map(work, things) if pool is None else pool.map(_made, range(len(things)))


@contextlib.contextmanager
def beside(work: Callable[[], Made], count: int) -> Iterator[Callable[[], Made]]:
    """A context in which another process does the work, if there may be two; yields what waits for the result."""
    with _working(lambda _: work(), (None,), min(count, 2)) as pool:
        yield work if pool is None else pool.submit(_made, 0).result


def _working(
    work: Callable[[Given], Made], things: Sequence[Given], count: int
) -> contextlib.AbstractContextManager[Executor | None]:
    return processes(count, _begin, work, things) if count > 1 else contextlib.nullcontext()


_WORK: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""In a process: the function and the things."""


def _begin(work: Callable[[Any], Any], things: Sequence[Any]) -> None:
    _WORK[:] = [(work, things)]


def _made(number: int) -> Any:
    [(work, things)] = _WORK
    return work(things[number])
