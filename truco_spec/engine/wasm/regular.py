"""What regular play can come to: from the start of a game, if nobody does what is forbidden and no referee acts.

Many data are for irregularities, or for options: nothing that can happen changes them, so they are constants. Rules
that wait for them never apply, and phases that only these enter are never entered, so more data are constants.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from truco_spec.engine.layout import DEPTH, NONE, Layout, unset
from truco_spec.graph.fold import NO, Specialiser, const, is_no, is_no_set
from truco_spec.graph.model import REFEREE_NAME, Assign, Change, Datum, Expr, Graph, Move, Rule, Way
from truco_spec.graph.walk import datum_of, flat_changes, walk


class Regular(NamedTuple):
    """A graph without what cannot happen; the data that never change, with their values; the phases entered.

    ``settled`` data always are numbers of their types.
    """

    graph: Graph
    data: Mapping[str, int]
    phases: Set[str]
    settled: Set[str]

    def holds(self, layout: Layout, position: Sequence[int]) -> bool:
        """Whether the data have these values and no other phases are on the stack; then it stays so."""
        known = {-1, *(layout.number[name] for name in self.phases)}
        blocks = [layout.blocks[name] for name in self.data]
        values = {block.datum.name: position[block.base : block.base + block.count] for block in blocks}
        settled = [(layout.blocks[name], self.graph.data[name].type) for name in self.settled]
        return (
            known.issuperset(position[:DEPTH])
            and all({self.data[name]} == {*held} for name, held in values.items())
            and all(
                kind.low <= position[slot] <= kind.high
                for block, kind in settled
                for slot in range(block.base, block.base + block.count)
            )
        )


def regular(graph: Graph, idle: Set[str] = frozenset()) -> Regular:
    """Assume that nothing changes, drop what the rules that are left can change, until nothing is dropped.

    It holds as long as none of the ``idle`` rules fires; these change nothing.
    """
    data = {name: value for name, datum in graph.data.items() if (value := _resting(graph, datum)) is not None}
    phases = {next(iter(graph.phases))}
    while True:
        found = _Assuming(graph, data, phases, idle).graph()
        changes = [change for rule in _at_work(found) for change in flat_changes(found, rule.do)]
        entered = {change.phase for change in changes if isinstance(change, Way) and change.phase}
        written = {datum_of(change) for change in changes if not _idle(change, data)}
        if entered <= phases and not written & data.keys():
            return Regular(found, data, phases, _settled(found, changes))
        phases |= entered
        data = {name: value for name, value in data.items() if name not in written}


def _resting(graph: Graph, datum: Datum) -> int | None:
    """The value that a datum has where nothing changes it; None where that depends on the position."""
    first = datum.first
    if (first is not None and first.op != "const") or datum.name == graph.pack:
        return None
    value = unset(datum.type) if first is None else int(first.value)
    usable = value in (0, NONE) if datum.type.place else first is not None or value == 0
    return value if usable else None


def _settled(graph: Graph, changes: Sequence[Change]) -> Set[str]:
    """Data that begin with a number, and are only given constants, or what is worked out from such data."""
    found = {name for name, datum in graph.data.items() if _is_number(datum)}
    given = [(change.datum, change.value) for change in changes if isinstance(change, Assign)]
    while loose := {name for name, value in given if name in found and not _is_settled(value, found)}:
        found -= loose
    return found


def _is_settled(value: Expr, settled: Set[str]) -> bool:
    parts = list(walk(value))
    read = {one.value for one in parts if one.op == "datum"}
    known = all(one.op in ("const", "datum", "add", "sub", "built") for one in parts) and read <= settled
    return known and not value.type.words


def _is_number(datum: Datum) -> bool:
    kind, first = datum.type, datum.first
    number = kind.base and not (kind.many or kind.words or kind.place or kind.base == "card")
    return bool(number) and first is not None and first.op == "const" and kind.low <= int(first.value) <= kind.high


class _Assuming(Specialiser):
    """Specialises under the assumption that these data never change and only these phases are entered."""

    def __init__(self, graph: Graph, data: Mapping[str, int], phases: Set[str], idle: Set[str]) -> None:
        super().__init__(graph)
        self.data, self.phases, self.idle = data, phases, idle

    def one(self, expr: Expr) -> Expr:
        if expr.op == "datum" and expr.value in self.data:
            return const(expr.type, self.data[expr.value], expr.span)
        if expr.op == "during" and expr.value not in self.phases:
            return NO
        return super().one(expr)

    def rule(self, rule: Rule) -> Rule:
        happens = not rule.phases or not self.phases.isdisjoint(rule.phases)
        if not happens or rule.outsider == REFEREE_NAME:
            return replace(rule, when=NO)
        return super().rule(replace(rule, do=()) if rule.name in self.idle else rule)


def _at_work(graph: Graph) -> Iterator[Rule]:
    """The rules that can change something."""
    rules = [one for one in graph.rules.values() if not is_no(one.when) and (one.by is None or not is_no_set(one.by))]
    offered = {verb.action for rule in rules if rule.shape == "may" for verb in rule.verbs}
    for rule in rules:
        if rule.shape != "on" or any(verb.action in offered for verb in rule.verbs):
            yield rule


def _idle(change: Change, data: Mapping[str, int]) -> bool:
    """Whether it surely changes nothing: the datum is given the value that it has."""
    if isinstance(change, Assign) and change.value.op == "const":
        return int(change.value.value) == (data.get(change.datum) if change.sign == "=" else 0)
    return isinstance(change, Move) and change.what.type.many and is_no_set(change.what)
