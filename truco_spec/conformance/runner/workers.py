"""Runs cases in several worker processes, for the reference engine and in-process adapters."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children

from truco_spec.conformance.adapters.pipe import Implementation
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.runner.runner import InOrder, OnResult, Result, run

_MOST = 40  # cases per part
_PARTS_EACH = 4  # minimum per worker

Open = Callable[[], Implementation]


def run_in_workers(cases: Sequence[Instance], open_one: Open, workers: int, on_result: OnResult) -> None:
    """Run and judge every instance. Each worker has its own implementation; ``on_result`` is called here, in order of
    the cases. ``open_one`` has to be picklable.
    """
    before = set(active_children())
    parts = list(_parts(cases, max(1, min(_MOST, len(cases) // (_PARTS_EACH * workers)))))
    with (
        ProcessPoolExecutor(workers, initializer=_begin, initargs=(open_one,)) as pool,
        InOrder(on_result) as results,
    ):
        try:
            playing = pool.map(_play, [[cases[number] for number in part] for part in parts])
            for part, found in zip(parts, playing, strict=True):
                for number, result in zip(part, found, strict=True):
                    results.done(number, result)
        except BaseException:  # pending work is discarded
            for worker in set(active_children()) - before:
                worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _parts(cases: Sequence[Instance], size: int) -> Iterator[list[int]]:
    """Group the cases by variant and options, so that only one worker has to link each."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for number, case in enumerate(cases):
        setting = (case.variant, len(case.players or ()), *sorted(case.options.items()))
        alike.setdefault(setting, []).append(number)
    for numbers in alike.values():
        yield from (numbers[at : at + size] for at in range(0, len(numbers), size))


_ours: list[Implementation] = []


def _begin(open_one: Open) -> None:
    """Initialise a worker: interrupts are left to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _ours.append(open_one())


def _play(part: Sequence[Instance]) -> tuple[Result, ...]:
    return run(part, _ours[0])
