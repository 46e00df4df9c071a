"""Explains why each move of a log was permitted or not: rules, exceptions and the sources they cite."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from truco_spec.base.errors import TrucoError
from truco_spec.engine.explain import explain
from truco_spec.engine.text import told
from truco_spec.logs.replay import Replay, ReplayStep

if TYPE_CHECKING:
    from truco_spec.engine.explain import Answered, Consulted, Verdict
    from truco_spec.graph.model import Graph
    from truco_spec.language.tree import Cite

WIDTH = 110
DECIDED = "decided"
"""The source name of the spec's own decisions."""


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """A move, its verdict before it was done, and the automatic rules that followed, step by step."""

    step: ReplayStep
    verdict: Verdict
    followed: tuple[tuple[str, ...], ...]


class StepError(TrucoError):
    """The log has no move of this number."""


def explained(replay: Replay, number: int | None = None) -> Iterator[ExplainedMove]:
    """Return the moves of a log, or the one with this number (from 1), each explained. Raises as the replay does."""
    game = replay.game
    for step in replay.steps():
        if number in (None, step.number):
            game.pop()
            verdict = explain(game, step.event.action)
            game.push(step.event.action)
            yield ExplainedMove(step, verdict, tuple(s.rules for s in step.event.steps[1:]))
        if step.number == number:
            return
    if number is not None:
        raise StepError(f"The log has {replay.number} moves; there is no move {number}.")


def lines_of(graph: Graph, found: ExplainedMove, *, whole: bool = False) -> Iterator[str]:
    """Format the explanation for a terminal; ``whole`` includes every rule consulted, not only those that apply."""
    yield f"{found.step.number}. {verdict_line(found.verdict)}"
    yield from verdict_lines(graph, found.verdict, whole=whole)
    for rules in found.followed:
        for name in rules:
            yield from _wrapped(f"then {name}: {told(graph, graph.rules[name].source.prose)}", "  ")


def verdict_line(verdict: Verdict) -> str:
    """Return the action and its outcome."""
    return f"{verdict.action}: {verdict.status.replace('-', ' ')}"


def verdict_lines(graph: Graph, verdict: Verdict, *, whole: bool = False) -> Iterator[str]:
    """Return the rules of a verdict, their conditions and citations."""
    if verdict.legal_if:
        yield from _wrapped(f"legal if {verdict.legal_if}", "  ")
    offers = sorted((rule for rule in verdict.rules if rule.shape == "may"), key=lambda rule: len(rule.missing))
    applying = [rule for rule in verdict.rules if rule.applies and (verdict.legal or rule.shape != "on")]
    for rule in verdict.rules if whole else applying or offers[:1]:
        yield from _rule_lines(graph, rule)


def due_lines(graph: Graph, due: Iterable[str]) -> Iterator[str]:
    """Return the rules that require something else first (:func:`truco_spec.logs.refusal.due_rules`)."""
    for name in due:
        yield from _wrapped(f"due first: {name}: {told(graph, graph.rules[name].source.prose)}", "  ")
        for cite in pertinent(graph, graph.rules[name].source.cites):
            yield from _wrapped(f"{cite} {authority(graph, cite)}", "      ")


def _rule_lines(graph: Graph, rule: Consulted) -> Iterator[str]:
    state = "applies" if rule.applies else "does not apply"
    if rule.applies and rule.beaten_by:
        state = f"is beaten by {rule.beaten_by}"
    yield from _wrapped(f"{rule.name} ({rule.shape}) {state}: {rule.prose}", "  ")
    for condition in rule.conditions:
        reads = f"  ({', '.join(condition.reads)})" if condition.reads else ""
        yield from _wrapped(f"[{'x' if condition.holds else ' '}] {condition.text}{reads}", "      ")
        for answer in condition.answers:
            yield from _answer_lines(answer, "          ")
    for cite in pertinent(graph, rule.cites):
        yield from _wrapped(f"{cite} {authority(graph, cite)}", "      ")


def _answer_lines(answer: Answered, margin: str) -> Iterator[str]:
    over = f", which beats {', '.join(answer.beaten)}" if answer.beaten else ""
    yield from _wrapped(f"{answer.question} = {answer.value}, by {answer.answer}{over}", margin)
    for inner in answer.asked:
        yield from _answer_lines(inner, margin + "  ")


def pertinent(graph: Graph, cites: tuple[Cite, ...]) -> tuple[Cite, ...]:
    """Drop citations of sources that speak only of other games here.

    A rule shared by several games cites the sources of each. If no source speaks of this game, all are kept.
    """
    from truco_spec.graph.sources import speaks_of

    here = {cite.source for cite in cites if speaks_of(cite.source, cite.clause, graph.lineage)}
    return tuple(cite for cite in cites if cite.source in (*here, DECIDED)) if here else cites


def authority(graph: Graph, cite: Cite) -> str:
    """Return the text of the cited clause, gap, option or decision."""
    from truco_spec.graph.sources import registry

    if cite.source == DECIDED:
        decision = graph.decisions.get(cite.clause)
        return f"“{decision.reading}” Because: {decision.because}" if decision else ""
    held = registry(cite.source)
    if cite.clause in held.clauses:
        return f"“{held.clauses[cite.clause].text}”"
    if cite.clause in held.gaps:
        return f"(left open) {held.gaps[cite.clause].question}"
    return "(an option)" if cite.clause in held.options else ""


def _wrapped(text: str, margin: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    ")
