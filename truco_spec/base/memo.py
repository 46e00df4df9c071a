"""Memoisation by the identity of an argument: for graphs, which are large, frozen and cannot be hashed."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

MOST_GRAPHS = 1024
"""Maximum graphs of which anything is kept: more than a run of the corpus or a search of options links."""

F = TypeVar("F", bound=Callable[..., Any])


def by_identity(most: int) -> Callable[[F], F]:
    """Memoise ``most`` results, the newest, by the identity of the first argument and the values of the others."""

    def memoised(function: F) -> F:
        kept: dict[tuple[Any, ...], tuple[object, Any]] = {}
        """Each with its thing, which is kept alive, so that nothing else can take its address."""

        @wraps(function)
        def asked(thing: object, *others: Any) -> Any:
            key = (id(thing), *others)
            found = kept.get(key)
            if found is None:
                found = kept[key] = (thing, function(thing, *others))
                if len(kept) > most:
                    kept.pop(next(iter(kept)), None)
            return found[1]

        return asked  # type: ignore[return-value]

    return memoised
