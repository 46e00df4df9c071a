"""Why agreements part at a move: of each group the innermost rules, answers and effects in which it differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from truco_spec.disputes.cited import MOST, Reason, once, reason_of, reasons_of_verdict
from truco_spec.disputes.course import FORBIDDEN, PERMITTED, Playthrough
from truco_spec.disputes.parting import Parting
from truco_spec.disputes.trace import QUESTION, RULE, Node, trace
from truco_spec.engine.observe import PREFIX
from truco_spec.logs.explanation import DECIDED

Key = tuple[str, str, tuple[str, ...]]


class Known(NamedTuple):
    """What a trace holds: the outcomes of what was asked, and the answers that each question ever had."""

    outcomes: dict[Key, set[tuple[str, str]]]
    answers: dict[tuple[str, str], set[str]]


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons of some courses of a group."""

    courses: tuple[Playthrough, ...]
    reasons: tuple[Reason, ...]


def reasons(parting: Parting) -> list[tuple[Why, ...]]:
    """The reasons of each group of a parting; those of a group that say the same for other reasons stand apart."""
    traces = {
        id(course): trace(course, parting.number, parting.keys) if _went_on(course, parting) else []
        for group in parting.groups
        for course in group
    }
    known = {key: _known(nodes) for key, nodes in traces.items()}
    found = []
    for group in parting.groups:
        others = [known[id(other[0])] for other in parting.groups if other is not group and traces[id(other[0])]]
        told: dict[frozenset[str], tuple[list[Playthrough], tuple[Reason, ...]]] = {}
        for course in group:
            nodes = _differing(traces[id(course)], others, parting.keys)
            why = once(reason_of(course.rules, n) for n in nodes) or reasons_of_verdict(course, parting.number)
            told.setdefault(frozenset(reason.prose for reason in why), ([], why))[0].append(course)
        found.append(tuple(Why(tuple(courses), why) for courses, why in told.values()))
    return found


def _went_on(course: Playthrough, parting: Parting) -> bool:
    taken = parting.number <= len(course.moments)
    return taken and course.moments[parting.number - 1].verdict in (PERMITTED, FORBIDDEN)


# ---- what differs ------------------------------------------------------------------------------


def _known(nodes: Sequence[Node]) -> Known:
    found = Known({}, {})
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


def _differing(nodes: Sequence[Node], others: Sequence[Known], keys: Sequence[str]) -> list[Node]:
    """The innermost nodes that differ from those of the others, the most telling ones first.

    Of each of the others only the best kind of difference counts: another answer, another value, another rule. Where
    what stands behind it tells why all of ``keys`` is seen otherwise, nothing else is looked at.
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
    if ruled:  # a value that comes of other values says less than the rule that made the difference
        known = [same for same in known if same[0].kind == RULE or not same[0].asked or _ruled(same[0], others)]
    found = sorted(known, key=lambda same: (not _weighs(same[0]), -len(same)))
    chosen: dict[str, Node] = {}
    for same in found:
        chosen.setdefault(same[0].source.prose, same[0])
    return list(chosen.values())[:MOST]


_NOTHING = 4


def _behind(
    nodes: Sequence[Node], other: Known, keys: Sequence[str], done: dict[int, list[Node]]
) -> dict[tuple[Key, tuple[str, str]], Node]:
    """The differences behind each of the observations; empty unless each of them has some."""
    found: dict[tuple[Key, tuple[str, str]], Node] = {}
    told = {node.name: node for node in nodes if _only_tells(node)}
    for key in keys:
        root = told.get(PREFIX + key)
        behind = [n for n in _innermost(root, other, done) if not _only_tells(n)] if root is not None else []
        if not behind:
            return {}
        found |= {(n.key, n.outcome): n for n in behind}
    return found


def _ruled(node: Node, others: Sequence[Known]) -> bool:
    """Did another answer win than somewhere else?"""
    return any(node.answer not in other.answers.get((node.kind, node.name), (node.answer,)) for other in others)


def _grade(node: Node, other: Known, turn: int) -> int:
    """0 where another answer won, or another rule fired first; 1 another value; 2, 3 what only follows."""
    if node.kind == RULE:
        return 0 if node.step == turn else 3
    if _only_tells(node):
        return 2
    return int(node.answer in other.answers.get((node.kind, node.name), ()))


def _first_turn(nodes: Sequence[Node], other: Known) -> int:
    """The first step in which a rule fired that did not fire there."""
    steps = [node.step for node in nodes if node.kind == RULE and node.key not in other.outcomes]
    return min(steps, default=-1)


def _innermost(node: Node, other: Known, done: dict[int, list[Node]]) -> list[Node]:
    """The differences below a node, or the node itself; ``done`` are those found already."""
    if id(node) not in done:
        done[id(node)] = _differences(node, other, done)
    return done[id(node)]


def _differences(node: Node, other: Known, done: dict[int, list[Node]]) -> list[Node]:
    """What the other was not asked cannot be compared."""
    there = other.outcomes.get(node.key)
    answers = other.answers.get((node.kind, node.name))
    if node.kind == QUESTION and (answers is None or (there is not None and node.outcome in there)):
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
    """Does it only tell what was observed?"""
    return node.kind == QUESTION and node.name.startswith(PREFIX)


def _weighs(node: Node) -> bool:
    """Does it say more than that the game went on?"""
    return bool(node.options) or any(cite.source == DECIDED for cite in node.source.cites)
