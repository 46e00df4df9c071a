"""Why agreements part at a move: for each group the innermost rules, answers and effects in which it differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from truco_spec.compare.disputes.authorities import (
    MOST,
    QUESTION,
    RULE,
    Node,
    Reason,
    reason_of,
    reasons_of_verdict,
    trace,
)
from truco_spec.compare.disputes.playthrough import FORBIDDEN, MATCH, PERMITTED, WINNER, Playthrough
from truco_spec.graph.model import DECIDED, OBSERVED

Key = tuple[str, str, tuple[str, ...]]


class KnownAnswers(NamedTuple):
    """The content of a provenance: the outcomes of questions, and all answers of each question."""

    outcomes: dict[Key, set[tuple[str, str]]]
    answers: dict[tuple[str, str], set[str]]


Why = list[tuple[Playthrough, tuple[Reason, ...]]]
"""Playthroughs with their reasons, which have the same sentences."""


def alike(reasons: Iterable[tuple[Playthrough, tuple[Reason, ...]]]) -> list[Why]:
    """The playthroughs whose reasons have the same sentences, together."""
    found: dict[frozenset[str], Why] = {}
    for playthrough, why in reasons:
        found.setdefault(frozenset(reason.prose for reason in why), []).append((playthrough, why))
    return list(found.values())


def reasons(parting: Branching) -> list[list[Why]]:
    """The reasons of each group of a parting; members of a group with other reasons are listed separately."""
    traces = {
        id(playthrough): trace(playthrough, parting.number, parting.keys) if _went_on(playthrough, parting) else []
        for group in parting.groups
        for playthrough in group
    }
    known = {key: _known(nodes) for key, nodes in traces.items()}
    found = []
    for group in parting.groups:
        others = [known[id(other[0])] for other in parting.groups if other is not group and traces[id(other[0])]]
        whys = []
        for playthrough in group:
            nodes = _differing(traces[id(playthrough)], others, parting.keys)
            why = tuple(reason_of(playthrough.rules, node) for node in nodes)
            whys.append((playthrough, why or reasons_of_verdict(playthrough, parting.number)))
        found.append(alike(whys))
    return found


def _went_on(playthrough: Playthrough, parting: Branching) -> bool:
    taken = parting.number <= len(playthrough.moments)
    return taken and playthrough.moments[parting.number - 1].verdict in (PERMITTED, FORBIDDEN)


# ---- what differs ------------------------------------------------------------------------------


def _known(nodes: Sequence[Node]) -> KnownAnswers:
    found = KnownAnswers({}, {})
    waiting, seen = list(nodes), set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        found.outcomes.setdefault(node.key, set()).add(node.outcome)
        found.answers.setdefault((node.kind, node.name), set()).add(node.answer)
        waiting += node.asked
    return found


def _differing(nodes: Sequence[Node], others: Sequence[KnownAnswers], keys: Sequence[str]) -> list[Node]:
    """The innermost nodes that differ from those of the others, the most informative first.

    For each of the others only the best kind of difference counts: another answer, another value, another rule. If the
    provenance explains the differences in all of ``keys``, nothing else is considered.
    """
    counted: dict[tuple[Key, tuple[str, str]], list[Node]] = {}
    ruled = False
    for other in others:
        done: dict[int, list[Node]] = {}
        turn = _first_turn(nodes, other)
        picked = _behind(nodes, other, keys, done)
        picked = picked or {(n.key, n.outcome): n for node in nodes for n in _innermost(node, other, done)}
        graded = {key: _grade(node, other, turn) for key, node in picked.items()}
        best = min((grade for grade in graded.values() if grade < _NOTHING), default=_NOTHING)
        for key, node in picked.items():
            if graded[key] == best < _NOTHING:
                counted.setdefault(key, []).append(node)
                ruled = ruled or best == 0
    known = list(counted.values())
    if ruled:  # a value derived from other values is less informative than the rule that made the difference
        known = [same for same in known if same[0].kind == RULE or not same[0].asked or _ruled(same[0], others)]
    found = sorted(known, key=lambda same: (not _weighs(same[0]), -len(same)))
    chosen: dict[str, Node] = {}
    for same in found:
        chosen.setdefault(same[0].source.prose, same[0])
    return list(chosen.values())[:MOST]


_NOTHING = 4


def _behind(
    nodes: Sequence[Node], other: KnownAnswers, keys: Sequence[str], done: dict[int, list[Node]]
) -> dict[tuple[Key, tuple[str, str]], Node]:
    """The differences in the provenance of each observation; empty unless each has some."""
    found: dict[tuple[Key, tuple[str, str]], Node] = {}
    told = {node.name: node for node in nodes if _only_tells(node)}
    for key in keys:
        root = told.get(OBSERVED + key)
        behind = [n for n in _innermost(root, other, done) if not _only_tells(n)] if root is not None else []
        if not behind:
            return {}
        found |= {(n.key, n.outcome): n for n in behind}
    return found


def _ruled(node: Node, others: Sequence[KnownAnswers]) -> bool:
    """Whether another answer won than elsewhere."""
    return any(node.answer not in other.answers.get((node.kind, node.name), (node.answer,)) for other in others)


def _grade(node: Node, other: KnownAnswers, turn: int) -> int:
    """0 if another answer won, or another rule fired first; 1 another value; 2, 3 mere consequences."""
    if node.kind == RULE:
        return 0 if node.step == turn else 3
    if _only_tells(node):
        return 2
    return int(node.answer in other.answers.get((node.kind, node.name), ()))


def _first_turn(nodes: Sequence[Node], other: KnownAnswers) -> int:
    """The first step in which a rule fired that did not fire there."""
    steps = [node.step for node in nodes if node.kind == RULE and node.key not in other.outcomes]
    return min(steps, default=-1)


def _innermost(node: Node, other: KnownAnswers, done: dict[int, list[Node]]) -> list[Node]:
    """The differences below a node, or the node itself; ``done`` are those found already."""
    if id(node) not in done:
        done[id(node)] = _differences(node, other, done)
    return done[id(node)]


def _differences(node: Node, other: KnownAnswers, done: dict[int, list[Node]]) -> list[Node]:
    """The differing children; a question that the other was not asked cannot be compared, and what is not in force
    makes no difference by itself.
    """
    there = other.outcomes.get(node.key)
    answers = other.answers.get((node.kind, node.name))
    same = there is not None and node.outcome in there
    if not node.answer or (node.kind == QUESTION and (answers is None or same)):
        return []
    deeper = {id(n): n for kid in node.asked for n in _innermost(kid, other, done)}
    if node.kind == RULE and there is None:
        return [node, *deeper.values()]
    if deeper:
        return list(deeper.values())
    if there is None and node.kind == QUESTION:
        return [node] if node.answer not in (answers or ()) else []
    return [node] if there is None or node.outcome not in there else []


def _only_tells(node: Node) -> bool:
    """Whether it only reports an observation."""
    return node.kind == QUESTION and node.name.startswith(OBSERVED)


def _weighs(node: Node) -> bool:
    """Whether it is more than a transition."""
    return bool(node.options) or any(cite.source == DECIDED for cite in node.source.cites)


# --------------------------------------------------------------------------------------------------
# Where the playthroughs of one log part: the moves at which the rules disagree, and who is on which side.

Told = tuple[str, tuple[tuple[str, object], ...]]
"""The result of a move: the verdict, and the changed observations."""


@dataclass(frozen=True, slots=True)
class Branching:
    """A move (from 1) at which playthroughs part that agreed so far; ``groups`` hold those that still agree.

    ``keys`` are the observations in which they differ.
    """

    number: int
    groups: tuple[tuple[Playthrough, ...], ...]
    keys: tuple[str, ...]


def partings(playthroughs: Sequence[Playthrough], about: frozenset[str] | None = None) -> Iterator[Branching]:
    """Every parting of these playthroughs, in order; groups in the order of the playthroughs.

    ``about`` are the observations that count beside the verdicts (all, if not given).
    """
    shared = keys_shared(playthroughs) if about is None else keys_shared(playthroughs) & about
    waiting = [(1, tuple(playthroughs))]
    while waiting:
        waiting.sort(key=lambda pair: pair[0])
        number, group = waiting.pop(0)
        if len(group) < 2 or all(number > len(playthrough.moments) for playthrough in group):
            continue
        found: dict[object, list[Playthrough]] = {}
        for playthrough in group:
            found.setdefault(_key(told_at(playthrough, number, shared)), []).append(playthrough)
        groups = tuple(tuple(same) for same in found.values())
        waiting += [(number + 1, same) for same in groups]
        if len(groups) > 1:
            yield Branching(number, groups, _differing_values([told_at(same[0], number, shared) for same in groups]))


def keys_shared(playthroughs: Sequence[Playthrough]) -> frozenset[str]:
    """The observations common to all these games, ignoring playthroughs that could not begin."""
    seen = [set(playthrough.start) for playthrough in playthroughs if playthrough.start]
    return frozenset(set.intersection(*seen)) if seen else frozenset()


def told_at(playthrough: Playthrough, number: int, shared: frozenset[str]) -> Told | None:
    """The result of a move in the common observations; None if the playthrough has ended."""
    if number > len(playthrough.moments):
        return None
    moment = playthrough.moments[number - 1]
    return moment.verdict, tuple((name, value) for name, value in moment.told.items() if name in shared)


def _differing_values(told: Sequence[Told | None]) -> tuple[str, ...]:
    """The observations that are not the same in all of these."""
    values = [dict(one[1]) if one is not None else {} for one in told]
    names = dict.fromkeys(name for one in values for name in one)
    differ = tuple(name for name in names if len({repr(one.get(name)) for one in values}) > 1)
    return tuple(name for name in differ if name != MATCH or WINNER not in differ)


def _key(told: Told | None) -> object:
    return None if told is None else (told[0], tuple(sorted((name, repr(value)) for name, value in told[1])))
