"""Which statements of a graph can matter in play, as its options are set."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.differences.statements import Key
from truco_spec.differences.used import reads_of, written_by
from truco_spec.graph.model import Graph, Way
from truco_spec.graph.walk import flat_changes
from truco_spec.rulebook.reach import reached

TOLD_BY_KIND = frozenset(["rule", "define", "effect", "action", "phase", "datum", "table"])
"""Kinds of which it is known whether they can matter."""


def matters(graph: Graph) -> frozenset[Key]:
    """The rules, answers and effects of phases that a game reaches, and what they name."""
    names = reached(graph)
    found: set[Key] = set(_ruling(graph, names))
    reads = reads_of(graph)
    for key in list(found):
        found |= reads.get(key, frozenset())
    return frozenset(found)


def _ruling(graph: Graph, names: frozenset[str]) -> Iterator[Key]:
    for rule in graph.rules.values():
        if rule.name not in names:
            continue
        yield "rule", rule.name
        yield from (("action", verb.action) for verb in rule.verbs)
        yield from (("datum", datum) for datum in written_by(graph)[rule.name])
        ways = (change for change in flat_changes(graph, (*rule.do, *rule.lest)) if isinstance(change, Way))
        yield from (("phase", way.phase) for way in ways)
    for define in graph.defines.values():
        yield from (("define", answer.name) for answer in define.answers if answer.name in names)
    for effect in graph.effects.values():
        yield from (("effect", turn.name) for turn in effect.turns if turn.name in names)
