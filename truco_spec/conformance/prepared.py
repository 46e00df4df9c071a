"""Cases made ready to be asked: what they need of an implementation, their requests as lines, their checks.

To fill a case with whole deals takes the reference engine, which takes longer than most implementations take to answer.
So it is done when a case is asked for the first time, and kept (:mod:`~truco_spec.conformance.keeping`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from truco_spec.conformance import keeping, plain
from truco_spec.conformance.cases import Instance
from truco_spec.conformance.judge import Needs, needs_of
from truco_spec.conformance.pipe import request_line
from truco_spec.conformance.protocol import OwnDeals, Script
from truco_spec.conformance.scripts import Plan, plan
from truco_spec.conformance.shapes import read

Counts = tuple[int, ...]
"""What an answer has to hold: of each hand of a script, how many actions it has; or the number of deals, alone."""

_RUN = b'"script":'


@dataclass(frozen=True, slots=True)
class Variant:
    """What is asked of a variant itself: who plays, and its options with their values."""

    seats: int
    teams: int
    defaults: Mapping[str, str]
    values: Mapping[str, tuple[str, ...]]

    @property
    def players(self) -> tuple[str, ...]:
        """The players where a case does not name them."""
        return tuple(f"P{n}" for n in range(self.seats))

    def has(self, option: str, value: str) -> bool:
        """Whether it has that option, with that value."""
        return value in self.values.get(option, ())


@dataclass(frozen=True, slots=True)
class Prepared:
    """A case as it is asked. ``requests`` are lines without their beginning, up to and with the id; ``counts`` say what
    an answer to each has to hold; ``checks`` are the plain ones, or None where only the judge can tell.
    """

    requests: tuple[bytes, ...]
    counts: tuple[Counts, ...]
    checks: tuple[plain.PlainCheck, ...] | None
    teams: plain.Teams

    def request(self, number: int) -> Script | OwnDeals:
        """A request as it was before it was a line."""
        return _request(self.requests[number])


@lru_cache(maxsize=64)
def _request(line: bytes) -> Script | OwnDeals:
    message = json.loads(b"{" + line)
    found: Script | OwnDeals = read(message["script"], Script) if is_run(line) else read(message["deal"], OwnDeals)
    return found


def is_run(request: bytes) -> bool:
    """Whether it asks to play a script, and not for deals of one's own."""
    return request.startswith(_RUN)


class Preparation:
    """Prepares cases, and remembers what is prepared: for this run, and with :meth:`keep` for later ones. Without
    ``fetch`` it neither looks for what earlier ones kept nor keeps anything.
    """

    def __init__(self, *, fetch: bool = True) -> None:
        self._fetch = fetch
        self._variants: dict[str, Variant] = {}
        self._files: dict[str, dict[str, Any]] = {}
        self._new: set[str] = set()

    def variant(self, name: str, kept: str = "") -> Variant:
        """What is to be known of a variant. Raises TrucoError for one that the spec does not have."""
        if name not in self._variants:
            file = self._file(kept)
            found = file.get(f"variant {name}")
            if found is None:
                from truco_spec.conformance import filling

                teams = len(filling.teams_of(name, filling.players_of(name)))
                options = filling.options_of(name)
                defaults = {option: value for option, (value, _) in options.items()}
                values = {option: tuple(values) for option, (_, values) in options.items()}
                found = (len(filling.players_of(name)), teams, defaults, values)
                file[f"variant {name}"] = found
                self._new.add(kept)
            self._variants[name] = Variant(*found)
        return self._variants[name]

    def players(self, instance: Instance) -> tuple[str, ...]:
        """Who plays, in order. Raises TrucoError as :meth:`variant`."""
        return instance.players or self.variant(instance.variant, instance.case.kept).players

    def plan(self, instance: Instance) -> Plan:
        """The plan with deals as far as the case gives them. Raises TrucoError as :meth:`variant`."""
        players, teams = self.players(instance), self.variant(instance.variant, instance.case.kept).teams
        return plan(instance, players, tuple(players[first::teams] for first in range(teams)))

    def needs(self, instance: Instance) -> tuple[Needs, ...]:
        """What an implementation has to play. Raises TrucoError as :meth:`variant`."""
        file, key = self._file(instance.case.kept), _key("needs", instance)
        found = file.get(key)
        if found is None:
            needs = dict.fromkeys(needs_of(request) for request in self.plan(instance).requests)
            found = file[key] = tuple(each.values() for each in needs)
            self._new.add(instance.case.kept)
        return tuple(Needs(*each) for each in found)

    def ready(self, instance: Instance) -> Prepared:
        """The case with whole deals. Raises TrucoError as :meth:`variant`."""
        file, key = self._file(instance.case.kept), _key("ready", instance)
        found = file.get(key)
        if found is None:
            found = file[key] = _made(self.plan(instance))
            self._new.add(instance.case.kept)
        return Prepared(*found)

    def remembered(self, instance: Instance, question: str) -> Any:
        """The answer to a question about a case that was worked out before, or None."""
        return self._file(instance.case.kept).get(_key(question, instance))

    def remember(self, instance: Instance, question: str, answer: str) -> None:
        """Remember an answer that hangs on the case, the specs and the question alone."""
        self._file(instance.case.kept)[_key(question, instance)] = answer
        self._new.add(instance.case.kept)

    def keep(self) -> None:
        """Keep for later runs what is new."""
        for name in self._new:
            if name and self._fetch:  # another run may have kept more meanwhile
                keeping.keep_prepared(name, keeping.prepared(name) | self._files[name])
        self._new.clear()

    def _file(self, name: str) -> dict[str, Any]:
        if not name or not self._fetch:
            return {}
        if name not in self._files:
            self._files[name] = keeping.prepared(name)
        return self._files[name]


def _key(what: str, instance: Instance) -> str:
    return f"{what} {instance.name} {instance.variant} {instance.players} {instance.options}"


def _made(given: Plan) -> tuple[Any, ...]:
    """What is kept of a plan, as plain values."""
    from truco_spec.conformance import filling

    whole = filling.complete(given)
    script = whole.requests[0]
    teams = plain.teams_of(script) if isinstance(script, Script) else {}
    lines = tuple(request_line(request) for request in whole.requests)
    return lines, tuple(_counts(request) for request in whole.requests), plain.plain_checks(whole), teams


def _counts(request: Script | OwnDeals) -> Counts:
    if isinstance(request, OwnDeals):
        return (request.times,)
    return tuple(len(hand.actions) for hand in request.hands)
