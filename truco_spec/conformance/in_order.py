"""Results that come in any order, told in the order of their cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class InOrder(Generic[T]):
    """Tells results as soon as all before them are told. Use it with ``with``: at its end, which may come early, what
    is left is told too.
    """

    def __init__(self, told: Callable[[T], None]) -> None:
        self.told = told
        self._results: dict[int, T] = {}
        self._next = 0

    def __enter__(self) -> InOrder[T]:
        return self

    def __exit__(self, *exception: object) -> None:
        for number in sorted(self._results):
            self.told(self._results[number])

    def done(self, number: int, result: T) -> None:
        """The result of the case with this number, from 0."""
        self._results[number] = result
        while self._next in self._results:
            result = self._results.pop(self._next)
            self._next += 1
            self.told(result)
