"""Work on several cores: local processes, forked with the loaded data."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import operator
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
MOST = 8
GRACE = 5.0
"""Seconds in which a worker whose parent is gone has to close what it opened."""


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
    if not several(count):
        if begin is not None:
            begin(*given)
        yield None
        return
    with _pool(count, begin, *given) as pool:
        yield pool


def several(count: int) -> bool:
    """Whether there may be another process than this one."""
    return count > 1 and "fork" in multiprocessing.get_all_start_methods()


@contextlib.contextmanager
def _pool(count: int, begin: Callable[..., None] | None = None, *given: Any) -> Iterator[Processes]:
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
    """Leave Ctrl-C and SIGHUP to the parent process, which asks the workers to close their resources and stop; without
    a parent, exit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _HERE.stop)
    gc.freeze()  # what the parent made lives as long as this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*given)


def _end_with_parent() -> None:
    """Wait till the parent process is gone, as when it is killed; then stop what runs, and end."""
    parent = multiprocessing.parent_process()
    assert parent is not None  # this is a worker
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    until = time.monotonic() + GRACE
    while _HERE.working and time.monotonic() < until:
        time.sleep(0.01)
    os._exit(128 + signal.SIGTERM)


# ---- one function for many things -----------------------------------------------------------------


def made_of(work: Callable[[Given], Made], things: Sequence[Given], count: int) -> Iterator[Made]:
    """Return the results of the function for each thing, in order, computed by this many processes (this one, for one).

    Neither the function nor the things are sent to the processes, which are forked; what is made is sent back.
    """
    several = min(count, len(things))
    # Not processes() of one: where this is a worker itself, it has work already.
    with processes(several, _begin, work, things) if several > 1 else contextlib.nullcontext() as pool:
        yield from map(work, things) if pool is None else pool.map(_made, range(len(things)))


@contextlib.contextmanager
def beside(works: Sequence[Callable[[], Made]], count: int) -> Iterator[Callable[[int], Callable[[], Made]]]:
    """A context in which another process, if there may be two, does one of these works after another, as it is asked;
    it has what this one had when it was first asked. Yields a function that asks for a work, by its number, and returns
    one that waits for the result. Without another process the work is done when it is waited for.
    """
    if not several(count):
        yield works.__getitem__
        return
    with _pool(1, _begin, operator.call, works) as pool:
        due: list[Future[Made]] = []

        def ask(number: int) -> Callable[[], Made]:
            due[:] = [*(one for one in due if not one.done()), pool.submit(_made, number)]
            return due[-1].result

        yield ask
        if not all(one.done() for one in due):
            pool.interrupt()


_WORK: list[tuple[Callable[[Any], Any], Sequence[Any]]] = []
"""In a process: the function and the things."""


def _begin(work: Callable[[Any], Any], things: Sequence[Any]) -> None:
    _WORK[:] = [(work, things)]


def _made(number: int) -> Any:
    [(work, things)] = _WORK
    return work(things[number])


# ---- time ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def alarm(error: type[BaseException], seconds: float, again: float, *, processor: bool = False) -> Iterator[None]:
    """A context that ends with this error after these seconds, or as much time of the ``processor``, in the main
    thread, on systems that measure it. It is raised ``again`` after as many, for whoever swallowed the first. A foreign
    alarm is restored.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    clock, number = (signal.ITIMER_PROF, signal.SIGPROF) if processor else (signal.ITIMER_REAL, signal.SIGALRM)

    def ring(*_: object) -> None:
        raise error

    before = signal.signal(number, ring)
    theirs = signal.setitimer(clock, seconds, again)
    try:
        yield
    finally:
        signal.setitimer(clock, 0)
        signal.signal(number, before or signal.SIG_DFL)
        if theirs[0]:
            signal.setitimer(clock, *theirs)
