"""Several processes make the same as one."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from truco_spec.base.processes import made_of, processes


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
