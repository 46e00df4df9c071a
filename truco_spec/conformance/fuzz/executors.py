"""Where the parts of a long campaign are played: in processes of this machine, or on those of a Dask cluster.

Both are executors as :mod:`concurrent.futures` has them. What is found does not depend on which one is taken.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import multiprocessing
import platform
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from types import FrameType
from typing import Any

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.version import __version__

SCHEME = "dask://"
PATIENCE = 10.0
"""Seconds until a scheduler has to answer, and until a first worker has to be there."""


class ExecutorError(TrucoError):
    """The campaign cannot be played there: nobody answers, or what is there is not what is here."""


class Processes(ProcessPoolExecutor):
    """Processes of this machine, which can be asked to end what they are at and to hand over what they have."""

    def __init__(self, count: int) -> None:
        super().__init__(count, initializer=_as_worker)
        self._others = set(multiprocessing.active_children())

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        """Have it done by one of them."""
        return super().submit(_at_work, work, *given, **named)

    def halt(self) -> None:
        """What nobody has begun is not begun any more; who is at something is interrupted in it (SystemExit)."""
        self.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - self._others:
            child.terminate()


@contextlib.contextmanager
def processes(count: int) -> Iterator[Executor | None]:
    """So many processes of this machine; None, which is this process itself, for one.

    When it is left early, by Ctrl-C for instance, they are told to stop, and take their adapters with them.
    """
    if count < 2:
        yield None
        return
    pool = Processes(count)
    try:
        yield pool
    except BaseException:
        pool.halt()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@dataclass(slots=True)
class _Worker:
    """What a worker knows of itself: whether it is at something, and whether it has been asked to end."""

    working: bool = False
    halted: bool = False

    def stop(self, number: int, frame: FrameType | None) -> None:
        """Asked to end: at once where it is at something; else there will soon be nothing more to do."""
        self.halted = True
        if self.working:
            sys.exit(128 + number)


_HERE = _Worker()


def _at_work(work: Callable[..., Any], /, *given: Any, **named: Any) -> Any:
    """In a worker: do it, unless all is to end."""
    _HERE.working = True
    try:
        if _HERE.halted:
            sys.exit(128 + signal.SIGTERM)
        return work(*given, **named)
    finally:
        _HERE.working = False


def _as_worker() -> None:
    """Ctrl-C, or a closed terminal, is for the process that began it all; that one asks the others to end, and they
    close what they opened.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _HERE.stop)


# ---- a cluster ------------------------------------------------------------------------------------


@contextlib.contextmanager
def cluster(address: str, ask: Callable[[], str], patience: float = PATIENCE) -> Iterator[Executor]:
    """The workers of the Dask scheduler at ``dask://HOST:PORT``.

    ``ask`` tells who the implementation is; every worker has to tell the same, with the same rules. Raises
    :class:`ExecutorError`.
    """
    place = address.removeprefix(SCHEME)
    host, colon, port = place.rpartition(":")
    if not address.startswith(SCHEME) or not (host and colon and port.isdecimal()):
        raise ExecutorError(f"‘{address}’ is no executor. Write dask://HOST:PORT, as the scheduler tells it.")
    try:
        distributed = importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise ExecutorError(
            f"For {address} distributed is needed, here and on every worker: pip install 'truco-spec[dask]'."
        ) from error
    try:
        client = distributed.Client(f"tcp://{place}", timeout=patience, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ExecutorError(
            f"No scheduler answers at {place} within {patience:g} s. Is dask scheduler running there?"
        ) from error
    try:
        _must_be_alike(client, ask, place, patience)
        yield client.get_executor()
    finally:
        client.close()


def _must_be_alike(client: Any, ask: Callable[[], str], place: str, patience: float) -> None:
    """Raises ExecutorError where a worker has other versions than this process, or cannot be asked."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise ExecutorError(f"The scheduler at {place} has no workers. Start one: dask worker {place}") from error
    here = standing(ask)
    try:
        there = client.run(standing, ask, on_error="return")
    except ModuleNotFoundError as error:
        raise ExecutorError(f"A worker of {place} lacks {error.name}. Install the same as here.") from error
    for worker, told in sorted(there.items()):
        if isinstance(told, ModuleNotFoundError):
            raise ExecutorError(f"The worker {worker} lacks {told.name}. Install the same truco-spec there as here.")
        if not isinstance(told, dict):
            raise ExecutorError(f"The worker {worker} cannot be used: {told}")
        for what, value in here.items():
            if told.get(what) != value:
                raise ExecutorError(
                    f"The worker {worker} has another {what}: {told.get(what)}; here it is {value}. "
                    "Results would not be the same: install the same everywhere."
                )


def standing(ask: Callable[[], str]) -> dict[str, str]:
    """What has to be the same everywhere: versions, rules, and the implementation."""
    try:
        who = ask()
    except TrucoError as error:
        who = str(error)
    return {
        "truco-spec": __version__,
        "set of rules": rules_digest(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "implementation": who,
    }


def rules_digest() -> str:
    """A few letters that are others as soon as any rule is."""
    found = hashlib.sha256()
    folder = shipped.folder("spec")
    for path in sorted(folder.rglob("*.truco")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]
