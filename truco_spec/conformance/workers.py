"""Cases in several processes of this program: for the reference engine, and for adapters that are asked in process."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

from truco_spec.conformance.cases import Instance
from truco_spec.conformance.pipe import Implementation
from truco_spec.conformance.runner import OnResult, Result, run

_MOST = 24  # cases of one part
_PARTS_EACH = 4  # at least, for each worker

Open = Callable[[], Implementation]


def run_in_workers(cases: Sequence[Instance], open_one: Open, workers: int, on_result: OnResult) -> None:
    """Play every instance and judge it. Each worker has an implementation of its own; ``on_result`` is called here, in
    order of the cases. ``open_one`` has to be picklable.
    """
    size = max(1, min(_MOST, len(cases) // (_PARTS_EACH * workers)))
    with ProcessPoolExecutor(workers, initializer=_begin, initargs=(open_one,)) as pool:
        try:
            for results in pool.map(_play, _parts(cases, size)):
                for result in results:
                    on_result(result)
        finally:
            pool.shutdown(cancel_futures=True)


def _parts(cases: Sequence[Instance], size: int) -> Iterator[tuple[Instance, ...]]:
    left = iter(cases)
    while part := tuple(islice(left, size)):
        yield part


_ours: list[Implementation] = []


def _begin(open_one: Open) -> None:
    """In a worker: the run is broken off by whoever began it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _ours.append(open_one())


def _play(part: tuple[Instance, ...]) -> tuple[Result, ...]:
    return run(part, _ours[0])
