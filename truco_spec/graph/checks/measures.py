"""What can only go one way: measures of a position by which :mod:`~truco_spec.graph.checks.endless` ranks circles.

A measure *keeps* under a change if the change never turns it back, and *moves* if the change always moves it on.
Both are proved, by the search where it is not plain; what cannot be proved counts as turned back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from truco_spec.graph import fold, types
from truco_spec.graph.checks.frame import Conditions, Guarded, left
from truco_spec.graph.checks.study import Study
from truco_spec.graph.model import Assign, Expr, Graph, Move
from truco_spec.graph.types import FLAG, Type
from truco_spec.graph.walk import data_read, walk

_BUDGET = 400

Steps = Sequence[tuple[Conditions, tuple[Guarded, ...]]]


class Measure(Protocol):
    """Something that only goes one way."""

    def keeps(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        """Does this change never turn it back?"""

    def moves(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        """Does this change always move it on?"""


def measures(study: Study, steps: Steps) -> Iterator[Measure]:
    """The measures that are worth a try for these steps: those of the data that they change."""
    graph = study.graph
    written = [g.change for _, changes in steps for g in changes]
    if any(isinstance(change, Move) for change in written):
        yield _cards(study, steps)
    changed = {change.datum: change for change in written if isinstance(change, Assign)}
    for name in changed:
        kind = graph.data[name].type
        if kind.many:
            yield _Growing(name)
            continue
        if kind.base in ("number", "order", "flag") and not kind.words:
            yield from (_Counted(name, up) for up in (True, False))
        if kind.words and kind.base:
            yield from (_Given(name, up) for up in (True, False))
        if kind.base == "seat" and not kind.words and not graph.data[name].params:
            for other in _compared(graph, name):
                if not data_read(graph, [other]) & set(changed):
                    yield from (_Nearer(name, other, up) for up in (True, False))


def _never(study: Study, conditions: Iterable[Expr], tops: tuple[str, ...]) -> bool:
    return study.ask(tuple(conditions), tops, _BUDGET).kind == "never"


# ---- cards that do not come back ---------------------------------------------------------------


@dataclass(frozen=True)
class _Places:
    """Cards move from place to place; ``height`` tells how far a place is from where cards come from."""

    height: dict[str, int]

    def keeps(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        return True  # the heights were made so

    def moves(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        change = guarded.change
        if not isinstance(change, Move) or change.what.type.many:
            return False
        sources = left(study.graph, conditions, change)
        return all(self.height[source] != self.height[change.place] for source in sources)


def _cards(study: Study, steps: Steps) -> Measure:
    """Places that cards go round between have one height; else the place that they go to is higher."""
    places = [name for name, datum in study.graph.data.items() if datum.type.place]
    to: dict[str, set[str]] = {place: set() for place in places}
    for conditions, changes in steps:
        for guarded in changes:
            if isinstance(guarded.change, Move):
                for source in left(study.graph, (*conditions, *guarded.guards), guarded.change):
                    to[source].add(guarded.change.place)
    reach = {place: _reached(to, place) for place in places}
    group = {
        place: frozenset(q for q in places if q == place or (q in reach[place] and place in reach[q]))
        for place in places
    }
    numbers = {members: i for i, members in enumerate(dict.fromkeys(group.values()))}
    return _Places({place: numbers[group[place]] for place in places})


def _reached(to: dict[str, set[str]], place: str) -> set[str]:
    found: set[str] = set()
    todo = [place]
    while todo:
        for other in to[todo.pop()]:
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


# ---- data that only grow -----------------------------------------------------------------------


@dataclass(frozen=True)
class _OfDatum:
    """A measure of one datum (of the sum over its places, where it has several)."""

    name: str

    def keeps(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        found = self._both(study.graph, guarded)
        if found is None:
            return True
        return _never(study, (*conditions, *guarded.guards, self.back(*found)), tops)

    def moves(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        found = self._both(study.graph, guarded)
        if found is None:
            return False
        return _never(study, (*conditions, *guarded.guards, fold.negate(self.on(*found))), tops)

    def _both(self, graph: Graph, guarded: Guarded) -> tuple[Expr, Expr] | None:
        """The datum before the change and after it; None where the change is about something else."""
        change = guarded.change
        if not isinstance(change, Assign) or change.datum != self.name:
            return None
        kind = graph.data[self.name].type
        old = Expr("datum", kind, change.index, self.name)
        if change.sign == "=":
            return old, change.value
        op = "add" if change.sign == "+=" else "sub"
        return old, Expr(op, Type("number", kind.low - 100, kind.high + 100), (old, change.value))

    def back(self, old: Expr, new: Expr) -> Expr:
        raise NotImplementedError

    def on(self, old: Expr, new: Expr) -> Expr:
        raise NotImplementedError


@dataclass(frozen=True)
class _Counted(_OfDatum):
    """A number or an order that only grows (``up``), or only shrinks."""

    up: bool

    def back(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (new, old) if self.up else (old, new))

    def on(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (old, new) if self.up else (new, old))


@dataclass(frozen=True)
class _Given(_OfDatum):
    """A value that is given once and not taken away (``up``), or taken away and not given again."""

    up: bool

    def back(self, old: Expr, new: Expr) -> Expr:
        return self.on(new, old)

    def on(self, old: Expr, new: Expr) -> Expr:
        kind = types.bare(old.type)
        before, after = (Expr("typed", FLAG, (side,), kind) for side in (old, new))
        if not self.up:
            before, after = after, before
        return Expr("and", FLAG, (fold.negate(before), after))


@dataclass(frozen=True)
class _Growing(_OfDatum):
    """A set that only grows."""

    def back(self, old: Expr, new: Expr) -> Expr:
        lost = Expr("minus", types.bare(old.type), (old, new))
        return fold.negate(Expr("is", FLAG, (lost, fold.const(types.bare(old.type), 0))))

    def on(self, old: Expr, new: Expr) -> Expr:
        won = Expr("minus", types.bare(old.type), (new, old))
        return fold.negate(Expr("is", FLAG, (won, fold.const(types.bare(old.type), 0))))


@dataclass(frozen=True)
class _Nearer(_OfDatum):
    """A seat that comes nearer to another, round the table one way or the other."""

    other: Expr
    up: bool

    def _apart(self, seat: Expr) -> Expr:
        pair = (seat, self.other) if self.up else (self.other, seat)
        return Expr("apart", Type("number", 0, seat.type.size - 1), pair)

    def back(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (self._apart(old), self._apart(new)))

    def on(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (self._apart(new), self._apart(old)))


def _compared(graph: Graph, name: str) -> list[Expr]:
    """What automatic rules compare a seat with: where it is to come."""
    found: dict[Expr, None] = {}
    for rule in graph.rules.values():
        if rule.shape not in ("auto", "once"):
            continue
        for node in walk(rule.when):
            if node.op == "is":
                for a, b in (node.kids, node.kids[::-1]):
                    if a.op == "datum" and a.value == name and not any(n.op == "var" for n in walk(b)):
                        found[b] = None
    return list(found)
