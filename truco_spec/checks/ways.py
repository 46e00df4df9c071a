"""The ways of a game from phase to phase: phases without a way out, and data that some way leaves unset."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.base.words import Sentence
from truco_spec.checks.abstract import positions
from truco_spec.checks.abstract.frame import changes_of
from truco_spec.checks.abstract.positions import Stack
from truco_spec.checks.stacks import Passage
from truco_spec.checks.study import Study, stacked
from truco_spec.engine.layout import UNSET
from truco_spec.graph.model import Assign, Rule
from truco_spec.graph.walk import data_read, exprs_of_rule, reached, walk
from truco_spec.language.spans import NOWHERE, Span


def check_ways(study: Study) -> None:
    """Phases without a way out, and invalid stacks.

    **Proved**: from every reachable stack there is a path to the end; ``ask`` puts a phase only on one that it
    interrupts, ``then`` a frame only in the place of another, ``resume`` occurs only above another phase, and no stack
    exceeds the depth limit. The end is the phase in which no rule of its own leads on and none offers anything; there
    is one.

    **How**: on the map of stacks (every rule followed along its transitions in every stack in which it can apply).
    **Witness**: the phases that lead there.
    """
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
        form = "the game can end in {name} too: no rule leads on from there, and nothing is offered"
        message = Sentence(form, name=name)
        note = (Sentence("it also ends in {end}", end=ends[0]), graph.phases[ends[0]].source.span)
        span = graph.phases[name].source.span
        study.find("error", "no-way-out", message, span, Sentence("lead on, or let it lead to the one end"), note)
    if not ends:
        first = next(iter(graph.phases.values()))
        message = Sentence("the game has no end: every phase leads on, or offers something for ever")
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
    leading = reached(before, (stack for stack in study.stacks if stack[0] in ends))
    told: set[str] = set()
    for stack in study.stacks:
        if stack in leading or stack[0] in told or not ends:
            continue
        told.add(stack[0])
        phase = study.graph.phases[stack[0]]
        if any(p.before == stack and p.after not in (None, stack) for p in study.map.passages):
            message = Sentence("from {phase} no way leads to the end", phase=stack[0])
        else:
            message = Sentence("no rule leads on from {phase}", phase=stack[0])
        study.find(
            "error",
            "no-way-out",
            message,
            phase.source.span,
            Sentence("reached by {path}", path=_path_text(study.map.path(stack))),
        )


def _tell_fault(study: Study, passage: Passage) -> None:
    graph = study.graph
    hint = Sentence("there by {path}", path=_path_text(study.map.path(passage.before)))
    notes: tuple[tuple[str, Span], ...] = ()
    if passage.way.phase:
        notes = ((Sentence("{name} is here", name=passage.way.phase), graph.phases[passage.way.phase].source.span),)
    form = "{rule}, in {phase}: {fault}"
    message = Sentence(form, rule=passage.rule.name, phase=passage.before[0], fault=passage.fault)
    study.find("error", "stack", message, passage.way.span, hint, *notes)


def _path_text(path: list[Passage]) -> str:
    """The phases on the path: ``match, then deal (rule open-deal)``."""
    if not path:
        return Sentence("the beginning")
    form = "{phases} (rule {rule})"
    steps = [Sentence(form, phases=stacked(p.after or ()), rule=p.rule.name) for p in path]
    return Sentence("{steps}", steps=(path[0].before[0], *steps))


def check_unset(study: Study) -> None:
    """Data that are read before they are set.

    **Proved**: wherever a rule reads a datum without an initial value, every path to that place has set it. **How**: by
    the bounds of :mod:`~truco_spec.checks.flow`, in which *unset* is a value like others, propagated along every
    transition. **Witness**: a path of phases on which nothing sets the datum. That initial values have a topological
    order is seen when the text is linked.
    """
    graph = study.graph
    unset = {name for name, datum in graph.data.items() if datum.first is None and not datum.type.place}
    if not unset:
        return
    told: set[tuple[str, str]] = set()
    for stack in study.stacks:
        bounds = study.bounds.get(stack, {})
        open_here = {n for n in unset if any(k[1] == n and _may_be_unset(v) for k, v in bounds.items())}
        for rule in graph.rules.values():
            if not open_here or (rule.phases and stack[0] not in rule.phases) or not rule.phases:
                continue
            for name, span in _reads(study, rule, open_here):
                if (name, rule.name) in told:
                    continue
                way = _way_without(study, name, stack)
                if way is None:
                    continue
                told.add((name, rule.name))
                surely = all(v == frozenset({UNSET}) for k, v in bounds.items() if k[1] == name)
                form = "{rule} reads {name} in {phase}, where it can be still unset"
                if surely:
                    form = "{rule} reads {name} in {phase}, where it is still unset"
                message = Sentence(form, rule=rule.name, name=name, phase=stack[0])
                hint = Sentence("by {path}; give it a first value, or set it before", path=_path_text(way))
                place = span if span != NOWHERE else rule.source.span
                note = (Sentence("{name} is here", name=name), graph.data[name].source.span)
                study.find("error" if surely else "note", "unset", message, place, hint, note)


def _may_be_unset(value: positions.Value) -> bool:
    return isinstance(value, frozenset) and UNSET in value


def _reads(study: Study, rule: Rule, names: set[str]) -> Iterator[tuple[str, Span]]:
    graph = study.graph
    for expr in exprs_of_rule(rule):
        for node in walk(expr):
            if node.op == "datum" and node.value in names:
                yield node.value, node.span
            elif node.op == "ask":
                for name in sorted(data_read(graph, [node]) & names):
                    yield name, node.span


def _way_without(study: Study, name: str, stack: Stack) -> list[Passage] | None:
    """A path to the stack on which no rule sets the datum."""
    setting = {rule.name for rule in study.graph.rules.values() if _sets(study, rule, name)}
    came: dict[Stack, Passage | None] = {study.facts.stacks[0]: None}
    todo = [study.facts.stacks[0]]
    while todo:
        at = todo.pop(0)
        if at == stack:
            path: list[Passage] = []
            while (passage := came[at]) is not None:
                path.append(passage)
                at = passage.before
            return path[::-1]
        for passage in study.map.passages:
            to = passage.after
            if passage.before == at and to is not None and to not in came and passage.rule.name not in setting:
                came[to] = passage
                todo.append(to)
    return None


def _sets(study: Study, rule: Rule, name: str) -> bool:
    changes = changes_of(study.graph, (*rule.do, *rule.lest))
    return any(isinstance(g.change, Assign) and g.change.datum == name for g in changes)
