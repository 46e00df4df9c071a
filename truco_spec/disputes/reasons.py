"""Why agreements part at a move: of each group the innermost rules, answers and effects in which it differs.

Each reason says the rule in words, whom it cites and what they say, the decision where one was needed, and the options
on which it rests with their values here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from truco_spec.disputes.agreement import Rules
from truco_spec.disputes.course import FORBIDDEN, PERMITTED, UNKNOWN_WORD, Course, before_move
from truco_spec.disputes.parting import Parting
from truco_spec.disputes.trace import QUESTION, RULE, Node, options_in, trace
from truco_spec.engine.observe import PREFIX
from truco_spec.graph.model import Graph, Source
from truco_spec.graph.sources import registry
from truco_spec.graph.walk import exprs_of_rule
from truco_spec.language.tree import Cite
from truco_spec.logs.explanation import DECIDED, authority, pertinent
from truco_spec.logs.model import LogError
from truco_spec.logs.prose import told
from truco_spec.logs.replay import MoveRefused

MOST = 3
"""Reasons that are told of one group."""
MOST_CLAUSES, MOST_DECISIONS = 3, 2
"""Clauses and decisions of one reason that are quoted; of the others the names are told."""
_OFFER = "may"
"""The shape of rules that permit."""

Key = tuple[str, str, tuple[str, ...]]


class Known(NamedTuple):
    """What a trace holds: the outcomes of what was asked, and the answers that each question ever had."""

    outcomes: dict[Key, set[tuple[str, str]]]
    answers: dict[tuple[str, str], set[str]]


@dataclass(frozen=True, slots=True)
class Authority:
    """Whom a rule cites: ``locator`` finds the sentence in the source, ``text`` is what it says, or the decision."""

    cite: str
    locator: str
    text: str


@dataclass(frozen=True, slots=True)
class Switch:
    """An option on which a reason rests: its value here, and who set it so."""

    option: str
    value: str
    means: str
    cites: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule in words, with its authorities and the options that it asks; ``more`` are further citations."""

    rule: str
    prose: str
    authorities: tuple[Authority, ...]
    switches: tuple[Switch, ...]
    more: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Why:
    """The reasons of some courses of a group."""

    courses: tuple[Course, ...]
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
        told: dict[frozenset[str], tuple[list[Course], tuple[Reason, ...]]] = {}
        for course in group:
            nodes = _differing(traces[id(course)], others, parting.keys)
            why = tuple(_reason(course.rules, n) for n in nodes) or reasons_of_verdict(course, parting.number)
            told.setdefault(frozenset(reason.prose for reason in why), ([], why))[0].append(course)
        found.append(tuple(Why(tuple(courses), why) for courses, why in told.values()))
    return found


def _went_on(course: Course, parting: Parting) -> bool:
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


# ---- in words ----------------------------------------------------------------------------------


def _reason(rules: Rules, node: Node) -> Reason:
    return _told(rules, node.answer, node.source, node.options)


def _told(rules: Rules, name: str, source: Source, options: tuple[str, ...]) -> Reason:
    graph = rules.shown
    cites = sorted(pertinent(graph, tuple(dict.fromkeys(source.cites))), key=lambda cite: _nearness(graph, cite))
    said = [cite for cite in cites if _nearness(graph, cite) < _UNSAID][:MOST_CLAUSES]
    said += [cite for cite in cites if cite.source == DECIDED][:MOST_DECISIONS]
    switches = tuple(_switch(rules, option) for option in options)
    authorities = [authority_of(graph, cite) for cite in said]
    decided = [one for switch in switches for one in switch.cites if one.cite.startswith(f"@{DECIDED}:")]
    authorities += [one for one in dict.fromkeys(decided) if one not in authorities][:MOST_DECISIONS]
    more = tuple(str(cite) for cite in cites if cite not in said)
    return Reason(name, told(graph, source.prose), tuple(authorities), switches, more)


_UNSAID = 2


def _nearness(graph: Graph, cite: Cite) -> int:
    """0 for a clause on this very game, 1 on one that it comes from or on all, 2 for what says nothing by itself."""
    if cite.source == DECIDED:
        return _UNSAID
    held = registry(cite.source)
    if cite.clause not in held.clauses:
        return _UNSAID + 1
    return 0 if graph.name in held.variants(cite.clause) else 1


def authority_of(graph: Graph, cite: Cite) -> Authority:
    """What a citation says, and where."""
    locator = ""
    if cite.source != DECIDED:
        clause = registry(cite.source).clauses.get(cite.clause)
        locator = clause.locator if clause else ""
    return Authority(str(cite), locator, authority(graph, cite))


def _switch(rules: Rules, name: str) -> Switch:
    option, graph = rules.option(name), rules.graph
    if name in rules.agreement.options:
        return Switch(name, option.value, "as agreed", ())
    sets = [source for kind, of, source in graph.cites if kind == "set" and of == name]
    source = sets[-1] if option.set_by and sets else option.source
    who = f"so set by {option.set_by}" if option.set_by else "its usual value"
    cites = pertinent(graph, source.cites)
    return Switch(name, option.value, who, tuple(authority_of(graph, cite) for cite in cites))


# ---- a verdict without a trace -----------------------------------------------------------------


def reasons_of_verdict(course: Course, number: int) -> tuple[Reason, ...]:
    """The rules that permit or refuse a move (from 1), or by which something else is due first."""
    if number > len(course.moments) or course.moments[number - 1].verdict == UNKNOWN_WORD:
        return ()
    refused = course.moments[number - 1].refused
    names = _permitting(course, number) if refused is None else _refusing(refused)
    rules = [course.rules.graph.rules[name] for name in names[:MOST]]
    return tuple(
        _told(course.rules, rule.name, rule.source, options_in(course.rules.graph, exprs_of_rule(rule)))
        for rule in rules
    )


def _refusing(refused: MoveRefused) -> Sequence[str]:
    offers = sorted((rule for rule in refused.verdict.rules if rule.shape == _OFFER), key=lambda r: len(r.missing))
    return refused.due or [rule.name for rule in refused.verdict.deciding or offers[:1]]


def _permitting(course: Course, number: int) -> Sequence[str]:
    replay = before_move(course.put, course.rules, number)
    try:
        step = None if replay is None else replay.advance()
    except LogError:
        return ()
    return () if step is None else step.event.rules
