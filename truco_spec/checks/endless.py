"""Termination: hands that could go on for ever, and cycles of automatic rules.

**Proved**: between two openings of a phase with fresh data (a deal, a hand), only finitely many permitted actions can
change anything. **How**: a lexicographic ranking function. On the map of stacks, take the cycles (strongly connected
components). Find a measure that no rule on them ever turns back, and that some rules always advance: cards that leave a
place and do not come back, a number or an order that only grows, a set that only grows, a word that is given once, a
seat that comes nearer to another round the table. Such a rule is taken finitely often, so it is removed; and again with
the rest, until no cycle is left. That nothing is turned back is proved by the search, under the conditions of each
rule.

Ignored are acts that change nothing (talk), forbidden ones, and the referee's, for which nobody waits. **Witness**: the
remaining cycle. Play may confirm it, by a position that recurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from truco_spec.base.words import Sentence
from truco_spec.checks.frame import Conditions, Guarded, assigned, left
from truco_spec.checks.invariants import Transition
from truco_spec.checks.positions import Stack
from truco_spec.checks.study import Doubt, Study
from truco_spec.graph import fold, types
from truco_spec.graph.model import REFEREE_NAME, Assign, Expr, Graph, Move
from truco_spec.graph.types import FLAG, Type
from truco_spec.graph.walk import data_read, reached, walk
from truco_spec.language.diagnostics import Diagnostic

_MOST_NAMED = 8


def check(study: Study) -> None:
    """Check all cycles of a graph: first within the bounds that hold whatever is forbidden and done all the same."""
    left: list[list[Transition]] = []
    for within in (study.bounds, None):
        strict = Study(study.graph, strict=True, like=study, within=within)
        steps = [step for step in strict.steps if not step.opens and step.rule.outsider != REFEREE_NAME]
        left = _ranked(strict, steps)
        if not left:
            break
    for part in left:
        _tell(study, part)


# ---- ranking -----------------------------------------------------------------------------------


def _ranked(study: Study, steps: list[Transition]) -> list[list[Transition]]:
    """The cycles that no measure removes."""
    left: list[list[Transition]] = []
    todo = components(steps)
    while todo:
        part = todo.pop()
        for measure in measures(study, [(step.conditions, step.changes) for step in part]):
            strict = _strict(study, measure, part)
            if strict:
                todo += components([step for step in part if step not in strict])
                break
        else:
            left.append(part)
    return left


def _strict(study: Study, measure: _Places | _OfDatum, part: list[Transition]) -> list[Transition]:
    """The steps that advance the measure; none if some step could turn it back."""
    strict = []
    for step in part:
        tops = (step.before[0],)
        for guarded in step.changes:
            if not measure.keeps(study, step.conditions, guarded, tops):
                return []
        if any(not g.guards and measure.moves(study, step.conditions, g, tops) for g in step.sure):
            strict.append(step)
    return strict


def components(steps: Iterable[Transition]) -> list[list[Transition]]:
    """The strongly connected components with a cycle, as their steps."""
    every = list(steps)
    out: dict[Stack, set[Stack]] = {}
    for step in every:
        out.setdefault(step.before, set()).add(step.after)
    ahead = {stack: reached(out, following) for stack, following in out.items()}
    parts: dict[frozenset[Stack], list[Transition]] = {}
    for step in every:
        if step.before in ahead.get(step.after, ()):
            part = frozenset(stack for stack in ahead[step.before] if step.before in ahead.get(stack, ()))
            parts.setdefault(part, []).append(step)
    return list(parts.values())


# ---- reporting ---------------------------------------------------------------------------------


def _tell(study: Study, part: list[Transition]) -> None:
    circle = _circle(part)
    rules = list(dict.fromkeys(step.rule.name for step in part))
    named = ", ".join(rules[:_MOST_NAMED]) + (" …" if len(rules) > _MOST_NAMED else "")
    phases = " -> ".join([step.before[0] for step in circle] + [circle[0].before[0]])
    automatic = all(step.rule.shape in ("auto", "once") for step in circle)
    form = "a hand could go on for ever: {phases} (rules {named})"
    if automatic:
        form = "automatic rules could go round for ever: {phases} (rules {named})"
    message = Sentence(form, phases=phases, named=named)
    hint = Sentence("let something on the circle only grow, or only shrink, and say so in the conditions")
    source = circle[0].rule.source
    notes = tuple((Sentence("{name} is here", name=step.rule.name), step.rule.source.span) for step in circle[1:4])
    code = "automatic-circle" if automatic else "endless"
    diagnostic = Diagnostic("error", code, message, source.span, hint, notes)
    names = frozenset(step.rule.name for step in part)
    doubt = Doubt(diagnostic, (fold.YES,), (circle[0].before[0],), "circle", names)
    study.doubts.append(doubt)


def _circle(part: list[Transition]) -> list[Transition]:
    """A shortest cycle among the steps."""
    best: list[Transition] = []
    for start in part:
        came: dict[Stack, list[Transition]] = {start.after: [start]}
        todo = [start.after]
        while todo and start.before not in came:
            at = todo.pop(0)
            for step in part:
                if step.before == at and step.after not in came:
                    came[step.after] = [*came[at], step]
                    todo.append(step.after)
        found = came.get(start.before)
        if found and (not best or len(found) < len(best)):
            best = found
    return best


# --------------------------------------------------------------------------------------------------
# Monotone measures of a position, by which cycles are ranked.

_BUDGET = 400

Steps = Sequence[tuple[Conditions, tuple[Guarded, ...]]]


def measures(study: Study, steps: Steps) -> Iterator[_Places | _OfDatum]:
    """The candidate measures for these steps: those of the data that they change."""
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
    """Cards move from place to place; ``height`` is the distance of a place from their origin."""

    height: dict[str, int]

    def keeps(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        """Whether this change never turns the measure back: by construction of the heights."""
        return True

    def moves(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        """Whether this change always advances the measure."""
        change = guarded.change
        if not isinstance(change, Move) or change.what.type.many:
            return False
        sources = left(study.graph, conditions, change)
        return all(self.height[source] != self.height[change.place] for source in sources)


def _cards(study: Study, steps: Steps) -> _Places:
    """Places on a common cycle of cards have one height; otherwise the target of a move is higher."""
    places = [name for name, datum in study.graph.data.items() if datum.type.place]
    to: dict[str, set[str]] = {place: set() for place in places}
    for conditions, changes in steps:
        for guarded in changes:
            if isinstance(guarded.change, Move):
                for source in left(study.graph, (*conditions, *guarded.guards), guarded.change):
                    to[source].add(guarded.change.place)
    reach = {place: reached(to, to[place]) for place in places}
    group = {
        place: frozenset(q for q in places if q == place or (q in reach[place] and place in reach[q]))
        for place in places
    }
    numbers = {members: i for i, members in enumerate(dict.fromkeys(group.values()))}
    return _Places({place: numbers[group[place]] for place in places})


# ---- data that only grow -----------------------------------------------------------------------


@dataclass(frozen=True)
class _OfDatum:
    """A measure of one datum (or the sum over its indices)."""

    name: str

    def keeps(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        found = self._both(study.graph, guarded)
        if found is None:
            return True
        return _never(study, (*conditions, *guarded.guards, self.on(*found[::-1])), tops)

    def moves(self, study: Study, conditions: Conditions, guarded: Guarded, tops: tuple[str, ...]) -> bool:
        found = self._both(study.graph, guarded)
        if found is None:
            return False
        return _never(study, (*conditions, *guarded.guards, fold.negate(self.on(*found))), tops)

    def _both(self, graph: Graph, guarded: Guarded) -> tuple[Expr, Expr] | None:
        """The datum before and after the change; None if the change is about another datum."""
        change = guarded.change
        if not isinstance(change, Assign) or change.datum != self.name:
            return None
        return Expr("datum", graph.data[self.name].type, change.index, self.name), assigned(graph, change)

    def on(self, old: Expr, new: Expr) -> Expr:
        """The condition that the change advances the measure; the other way round, that it turns it back."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Counted(_OfDatum):
    """A number or an order that only grows (``up``), or only shrinks."""

    up: bool

    def on(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (old, new) if self.up else (new, old))


@dataclass(frozen=True)
class _Given(_OfDatum):
    """A value that is set once and never unset (``up``), or unset and never set again."""

    up: bool

    def on(self, old: Expr, new: Expr) -> Expr:
        kind = types.bare(old.type)
        before, after = (Expr("typed", FLAG, (side,), kind) for side in (old, new))
        if not self.up:
            before, after = after, before
        return Expr("and", FLAG, (fold.negate(before), after))


@dataclass(frozen=True)
class _Growing(_OfDatum):
    """A set that only grows."""

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

    def on(self, old: Expr, new: Expr) -> Expr:
        return Expr("lt", FLAG, (self._apart(new), self._apart(old)))


def _compared(graph: Graph, name: str) -> list[Expr]:
    """The seats that automatic rules compare a seat with: its destination."""
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
