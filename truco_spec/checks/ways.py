"""Phases without a way out, and invalid stacks.

**Proved**: from every reachable stack there is a path to the end; ``ask`` puts a phase only on one that it interrupts,
``then`` a frame only in the place of another, ``resume`` occurs only above another phase, and no stack exceeds the
depth limit. The end is the phase in which no rule of its own leads on and none offers anything; there is one.

**How**: on the map of stacks (every rule followed along its transitions in every stack in which it can apply).
**Witness**: the phases that lead there.
"""

from __future__ import annotations

from truco_spec.checks.abstract.positions import Stack
from truco_spec.checks.reach.stacks import Passage
from truco_spec.checks.reach.study import Study
from truco_spec.language.tree import Span


def check(study: Study) -> None:
    """All ways of a graph."""
    graph, stacks = study.graph, study.map.stacks
    if not stacks:
        return
    said: set[tuple[str, str]] = set()
    for passage in study.map.passages:
        if passage.fault and (passage.rule.name, passage.fault) not in said:
            said.add((passage.rule.name, passage.fault))
            _tell_fault(study, passage)
    ends = final_phases(study)
    for name in ends[1:]:
        message = f"the game can end in {name} too: no rule leads on from there, and nothing is offered"
        note = (f"it also ends in {ends[0]}", graph.phases[ends[0]].source.span)
        span = graph.phases[name].source.span
        study.find("error", "no-way-out", message, span, "lead on, or let it lead to the one end", note)
    if not ends:
        first = next(iter(graph.phases.values()))
        message = "the game has no end: every phase leads on, or offers something for ever"
        study.find("error", "no-end", message, first.source.span)
    _trapped(study, set(ends))


def final_phases(study: Study) -> list[str]:
    """The phases in which the game is over: reached, never left, without offers of their own."""
    graph = study.graph
    left = {p.before[0] for p in study.map.passages if p.after is not None and p.after != p.before and p.rule.phases}
    offered = {name for r in graph.rules.values() if r.shape in ("may", "auto") for name in r.phases}
    return [name for name in study.tops() if name not in left and name not in offered]


def _trapped(study: Study, ends: set[str]) -> None:
    """Stacks without a path to an end, reported once per phase on top."""
    before: dict[Stack, set[Stack]] = {}
    for passage in study.map.passages:
        if passage.after is not None:
            before.setdefault(passage.after, set()).add(passage.before)
    reached = {stack for stack in study.stacks if stack[0] in ends}
    todo = list(reached)
    while todo:
        for stack in before.get(todo.pop(), ()):
            if stack not in reached:
                reached.add(stack)
                todo.append(stack)
    told: set[str] = set()
    for stack in study.stacks:
        if stack in reached or stack[0] in told or not ends:
            continue
        told.add(stack[0])
        phase = study.graph.phases[stack[0]]
        if any(p.before == stack and p.after not in (None, stack) for p in study.map.passages):
            message = f"from {stack[0]} no way leads to the end"
        else:
            message = f"no rule leads on from {stack[0]}"
        study.find("error", "no-way-out", message, phase.source.span, f"reached by {path_text(study.map.path(stack))}")


def _tell_fault(study: Study, passage: Passage) -> None:
    graph = study.graph
    hint = f"there by {path_text(study.map.path(passage.before))}"
    notes: tuple[tuple[str, Span], ...] = ()
    if passage.way.phase:
        notes = ((f"{passage.way.phase} is here", graph.phases[passage.way.phase].source.span),)
    message = f"{passage.rule.name}, in {passage.before[0]}: {passage.fault}"
    study.find("error", "stack", message, passage.way.span, hint, *notes)


def path_text(path: list[Passage]) -> str:
    """The phases on the path: ``match, then deal (rule open-deal)``."""
    if not path:
        return "the beginning"
    steps = [path[0].before[0]]
    steps += [f"{' on '.join(p.after or ())} (rule {p.rule.name})" for p in path]
    return ", ".join(steps)
