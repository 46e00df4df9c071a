"""Several processes make the same as one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from truco_spec.base.processes import beside, made_of, processes


@pytest.fixture(params=[1, 3])
def count(request: pytest.FixtureRequest) -> int:
    """The number of processes."""
    return int(request.param)


def test_what_is_made_comes_in_order_and_neither_function_nor_things_need_be_sent(count: int) -> None:
    shift = 2
    things = [lambda number=number: number for number in range(20)]
    assert list(made_of(lambda thing: thing() + shift, things, count)) == list(range(2, 22))


def test_what_is_alone_is_made_here_and_else_other_processes_make_it(count: int) -> None:
    assert list(made_of(lambda thing: os.getpid(), [1], count)) == [os.getpid()]
    assert (os.getpid() in made_of(lambda thing: os.getpid(), [1, 2], count)) == (count == 1)


def test_an_error_comes_out_where_it_was_made(count: int) -> None:
    def inverse(thing: int) -> float:
        return 1 / thing

    every: Iterator[float] = made_of(inverse, [1, 0, 2], count)
    assert next(every) == 1
    with pytest.raises(ZeroDivisionError):
        next(every)


def test_one_process_is_this_one() -> None:
    with processes(1) as executor:
        assert executor is None


def test_work_beside_is_done_in_another_process_if_there_may_be_two(count: int) -> None:
    with beside([os.getpid], count) as ask:
        assert (ask(0)() == os.getpid()) == (count == 1)


def test_an_error_beside_comes_out_where_it_is_waited_for(count: int) -> None:
    def wrong() -> int:
        return 1 // 0

    with beside([wrong], count) as ask:
        done = ask(0)
        with pytest.raises(ZeroDivisionError):
            done()


def test_of_works_beside_one_process_does_only_what_is_waited_for(count: int) -> None:
    made: list[int] = []
    with beside([partial(made.append, number) for number in (1, 2, 3)], count) as ask:
        every = [ask(number) for number in range(3)]
        every[2]()
    assert made == ([3] if count == 1 else [])


def test_what_is_no_longer_waited_for_is_given_up(count: int) -> None:
    with beside([partial(time.sleep, 0), partial(time.sleep, 600)], count) as ask:
        first, _ = ask(0), ask(1)
        first()


def test_what_is_asked_for_again_goes_on_from_there_in_the_order_of_asking(count: int) -> None:
    numbers = iter(range(100))
    with beside([lambda: next(numbers), os.getpid], count) as ask:
        every = [ask(0), ask(0), ask(1), ask(0)]
        first, second, where, third = (take() for take in every)
    assert (first, second, third) == (0, 1, 2)
    assert (where == os.getpid()) == (count == 1)
    assert next(numbers) == (3 if count == 1 else 0)


def test_several_processes_may_make_things_one_by_one(count: int) -> None:
    def squares(to: int) -> list[int]:
        return list(made_of(lambda thing: thing * thing, range(to), 1))

    assert list(made_of(squares, [1, 2, 3], count)) == [[0], [0, 1], [0, 1, 4]]


_KILLED = r"""
import os, time
from truco_spec.base.processes import processes

def at_work(busy):
    os.write(1, b"%d\n" % os.getpid())  # a line whole, whoever else writes
    time.sleep(600 if busy else 0.5)

with processes(3) as pool:
    list(pool.map(at_work, [True, True, False]))
"""


def test_processes_end_when_the_one_that_started_them_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _KILLED], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(3)]
        parent.kill()
        try:
            parent.communicate(timeout=60)  # till the last process that has this pipe is gone
        finally:
            for worker in workers:
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
