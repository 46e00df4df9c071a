"""Cases under the options that an implementation always plays: whether they still hold, as the rules have it.

The reference engine plays them. Of the shipped corpus the answers are kept, for each variant and what is always played.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from truco_spec.conformance import ready
from truco_spec.conformance.cases import Instance
from truco_spec.conformance.judge import judge
from truco_spec.conformance.protocol import OwnDeals, Script
from truco_spec.user_cache import Shelf, installation

MADE_BY = ("", "language", "graph", "graph/lower", "engine", "logs", "conformance")
"""The parts of this package on which an answer depends."""

SHELF = Shelf("always", 200)


class Untrue:
    """Which cases are not true under what is always played, and why. With :meth:`keep` the answers are kept."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, str]] = {}
        self._new: set[str] = set()

    def why(self, instance: Instance, always: Mapping[str, str]) -> str:
        """Which of these options make the case untrue; nothing where it is true under all of them."""
        name = _name(instance.variant, tuple(sorted(always.items())))
        known = self._known.setdefault(name, _kept(name)) if ready.is_shipped(instance) else {}
        if instance.name not in known:
            known[instance.name] = "" if _holds(instance, always) else _blamed(instance, always)
            self._new.add(name)
        return known[instance.name]

    def keep(self) -> None:
        """Keep for later runs what is new."""
        for name in self._new & self._known.keys():
            SHELF.put(name, _kept(name) | self._known[name])
        self._new.clear()


@lru_cache(maxsize=256)
def _name(variant: str, always: tuple[tuple[str, str], ...]) -> str:
    told = repr((variant, always, ready.origin())).encode()
    return hashlib.sha256(installation(MADE_BY) + told).hexdigest()


def _kept(name: str) -> dict[str, str]:
    found = SHELF.take(name)
    return found if isinstance(found, dict) else {}


def _holds(instance: Instance, options: Mapping[str, str]) -> bool:
    """Whether the case holds under these options, too."""
    from truco_spec.conformance.filling import asked_of
    from truco_spec.conformance.pipe import Broken
    from truco_spec.conformance.reference import Reference

    plan, engine = ready.as_written(replace(instance, options={**instance.options, **options})), Reference()
    if any(isinstance(request, OwnDeals) for request in plan.requests):
        return True  # the rules deal as they say, under any options
    engine.asked = asked_of(plan)
    try:
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
    except Broken:
        return False
    return all(finding.outcome != "failed" for finding in judge(plan, answers, engine.hello()))


def _blamed(instance: Instance, always: Mapping[str, str]) -> str:
    """Options that make the case untrue, alone or together: each time the one is added with which it becomes so."""
    blamed: dict[str, str] = {}
    while _holds(instance, blamed):
        others = [name for name in always if name not in blamed]
        least, most = 1, len(others)  # with all of them it is untrue
        while least < most:
            middle = (least + most) // 2
            if _holds(instance, blamed | {name: always[name] for name in others[:middle]}):
                least = middle + 1
            else:
                most = middle
        blamed[others[least - 1]] = always[others[least - 1]]
    return "always plays " + ", ".join(f"{name} {value}" for name, value in always.items() if name in blamed)
