"""Memoisation by the identity of an argument: for graphs, which are large, frozen and cannot be hashed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

MOST_GRAPHS = 1024
"""Maximum graphs of which anything is kept: more than a run of the corpus or a search of options links."""

F = TypeVar("F", bound=Callable[..., Any])


class Same:
    """A thing compared by identity, for use as a cache key; it is kept alive, so nothing else can take its address."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.thing is self.thing


def by_identity(most: int) -> Callable[[F], F]:
    """Memoise the last ``most`` results by the identity of the first argument and the values of the others."""

    def memoised(function: F) -> F:
        @lru_cache(maxsize=most)
        def known(same: Same, *others: Any) -> Any:
            return function(same.thing, *others)

        @wraps(function)
        def asked(thing: object, *others: Any) -> Any:
            return known(Same(thing), *others)

        return asked  # type: ignore[return-value]

    return memoised
