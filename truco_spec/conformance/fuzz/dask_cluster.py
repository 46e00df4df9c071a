"""The workers of a Dask cluster as an executor for long campaigns.

It has the interface of :mod:`concurrent.futures`, as local processes have
(:func:`truco_spec.base.processes.processes`). The findings do not depend on the choice.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import platform
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any

from truco_spec.base import __version__, shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence

SCHEME = "dask://"
PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer, and for the first worker."""


class ExecutorError(TrucoError):
    """The executor is unusable: nobody answers, or the versions differ."""


@contextlib.contextmanager
def cluster(address: str, ask: Callable[[], str], patience: float = PATIENCE) -> Iterator[Executor]:
    """A context with the workers of the Dask scheduler at ``dask://HOST:PORT``.

    ``ask`` identifies the implementation; every worker must return the same, with the same rules. Raises
    :class:`ExecutorError`.
    """
    place = address.removeprefix(SCHEME)
    host, colon, port = place.rpartition(":")
    if not address.startswith(SCHEME) or not (host and colon and port.isdecimal()):
        raise ExecutorError(
            Sentence("‘{address}’ is no executor. Write dask://HOST:PORT, as the scheduler tells it.", address=address)
        )
    try:
        distributed = importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise ExecutorError(
            Sentence(
                "For {address} distributed is needed, here and on every worker: pip install 'truco-spec[dask]'.",
                address=address,
            )
        ) from error
    try:
        client = distributed.Client(f"tcp://{place}", timeout=patience, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ExecutorError(
            Sentence(
                "No scheduler answers at {place} within {patience} s. Is dask scheduler running there?",
                place=place,
                patience=f"{patience:g}",
            )
        ) from error
    try:
        _must_be_alike(client, ask, place, patience)
        yield client.get_executor()
    finally:
        client.close()


def _must_be_alike(client: Any, ask: Callable[[], str], place: str, patience: float) -> None:
    """Raises ExecutorError if the versions of a worker differ from ours, or it cannot be asked."""
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError as error:
        raise ExecutorError(
            Sentence("The scheduler at {place} has no workers. Start one: dask worker {place}", place=place)
        ) from error
    here = standing(ask)
    try:
        there = client.run(standing, ask, on_error="return")
    except ModuleNotFoundError as error:
        raise ExecutorError(
            Sentence("A worker of {place} lacks {name}. Install the same as here.", place=place, name=error.name)
        ) from error
    for worker, told in sorted(there.items()):
        if isinstance(told, ModuleNotFoundError):
            raise ExecutorError(
                Sentence(
                    "The worker {worker} lacks {name}. Install the same truco-spec there as here.",
                    worker=worker,
                    name=told.name,
                )
            )
        if not isinstance(told, dict):
            raise ExecutorError(Sentence("The worker {worker} cannot be used: {error}", worker=worker, error=str(told)))
        for what, value in here.items():
            if told.get(what) != value:
                form = (
                    "The worker {worker} differs in “{what}”: {there}; here it is {here}. Results would not be the "
                    "same: install the same everywhere."
                )
                raise ExecutorError(Sentence(form, worker=worker, what=what, there=str(told.get(what)), here=value))


def standing(ask: Callable[[], str]) -> dict[str, str]:
    """Return what must agree on all workers: versions, rules, and the implementation."""
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
    """A short digest of all rules."""
    found = hashlib.sha256()
    folder = shipped.folder("spec")
    for path in sorted(folder.rglob("*.truco")):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]
