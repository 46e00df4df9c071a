"""On what a verdict on a claim rests where no parting tells it: the rules that made it so, with whom they cite.

A move that is legal rests on the rules that permit it. What was seen rests on the rules that changed it with the move,
and on the questions whose answer it is: the hand is won by the rule that scores it, which asked who takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from truco_spec.disputes.cited import MOST, Reason, once, reason_of, reasons_of_verdict
from truco_spec.disputes.claim import GAIN, LEGAL, MAY, Claim
from truco_spec.disputes.course import FORBIDDEN, PERMITTED, Playthrough
from truco_spec.disputes.trace import EFFECT, RULE, Node, trace
from truco_spec.engine.observe import PREFIX
from truco_spec.graph.model import Assign, Graph
from truco_spec.graph.walk import data_read, exprs_of_define, flat_changes

SCORE = "score"


def grounds(statements: Sequence[Claim], course: Playthrough, number: int) -> tuple[Reason, ...]:
    """The reasons of what is claimed, as it came at a move (from 1); none where no move decided it."""
    if not 0 < number <= len(course.moments) or any(claim.about == MAY for claim in statements):
        return ()
    moment = course.moments[number - 1]
    if any(claim.about == LEGAL for claim in statements) or moment.verdict not in (PERMITTED, FORBIDDEN):
        return reasons_of_verdict(course, number)
    keys = tuple(dict.fromkeys(SCORE if claim.about == GAIN else claim.about for claim in statements))
    nodes = trace(course, number, keys)
    found = {node.source.prose: node for key in keys for node in _behind(course, number, key, nodes)}
    return once(reason_of(course.rules, node) for node in list(found.values())[:MOST])


def _behind(course: Playthrough, number: int, key: str, nodes: Sequence[Node]) -> Iterator[Node]:
    """The answers and effects by which rules changed what is seen, and the rules that have none of them."""
    graph, name = course.rules.graph, PREFIX + key
    if name not in graph.defines:
        return
    read = data_read(graph, exprs_of_define(graph.defines[name]))
    values = set(_values(course, number, key))
    for node in nodes:
        if node.kind == RULE and not _changed(graph, node.name).isdisjoint(read):
            telling = [one for one in node.asked if one.kind == EFFECT or one.text in values]
            yield from telling
            if not telling or any(one.kind == EFFECT for one in telling):
                yield node


def _changed(graph: Graph, rule: str) -> set[str]:
    changes = flat_changes(graph, (*graph.rules[rule].do, *graph.rules[rule].lest))
    return {change.datum for change in changes if isinstance(change, Assign)}


def _values(course: Playthrough, number: int, key: str) -> Iterator[str]:
    """What is seen, in words; of each team what it is, and what it became more."""
    now = course.moments[number - 1].seen.get(key)
    before = course.moments[number - 2].seen.get(key) if number > 1 else course.start.get(key)
    if not isinstance(now, Mapping):
        yield str(now)
        return
    for who, value in now.items():
        old = before.get(who) if isinstance(before, Mapping) else None
        if value != old:
            yield str(value)
            if isinstance(value, int) and isinstance(old, int):
                yield str(value - old)
