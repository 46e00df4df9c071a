"""Rules and answers that never apply, phases that are never entered or never left, data that some way leaves unset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.base.words import Sentence
from truco_spec.checks import frame, positions
from truco_spec.checks.flow import Passage, StackMap
from truco_spec.checks.frame import changes_of
from truco_spec.checks.positions import Stack
from truco_spec.checks.study import Study, stacked
from truco_spec.checks.variant import Variant
from truco_spec.engine.layout import UNSET
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.linking.build import lower
from truco_spec.graph.model import Answer, Assign, Rule, Source, Turn
from truco_spec.graph.walk import data_read, exprs_of_rule, reached, walk
from truco_spec.language.diagnostics import NOWHERE, Span

CALLED = {"rule": "rule", "define": "answer", "effect": "turn"}
"""The names of the kinds of statements checked."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A statement that never applies under the options tried so far. ``kind`` is rule, answer, turn or phase."""

    kind: str
    name: str
    source: Source

    @property
    def text(self) -> str:
        """The statement of the text behind it."""
        return self.source.construct or self.name


def check(study: Study, variant: Variant) -> None:
    """Check all rules, answers, branches of effects and phases of a variant; of a closed one only its own, as inherited
    ones may need what it closes.
    """
    kinds = _kinds(variant)
    idle = [i for i in idle_in(study, kinds, None) if not variant.closed_by or variant.closed_by == i.source.span.file]
    mentioned = {i: variant.mentions(i.text) for i in idle}
    for settled in variant.settlings(pairs=True):
        among = {i for i in idle if mentioned[i] and mentioned[i] >= settled.keys()}
        graph = variant.open(settled) if among else None
        if graph is not None:
            names = {(i.kind, i.name) for i in among}
            names -= {(i.kind, i.name) for i in idle_in(Study(graph, bounded=False), kinds, names)}
            idle = [i for i in idle if (i.kind, i.name) not in names]
    for i in idle:
        _tell(study, i)


def _kinds(variant: Variant) -> dict[str, str]:
    """The kind of each rule, define and effect of the text, including parts of constructs."""
    return {name: CALLED.get(item.statement.kind, "") for name, item in lower(variant.chain).items.items()}


def _tell(study: Study, idle: Idle) -> None:
    message, hint = {
        "rule": (
            Sentence("rule {name} can never apply", name=idle.name),
            Sentence("its conditions exclude each other, or what beats it always applies"),
        ),
        "answer": (
            Sentence("{name} is never the answer", name=idle.name),
            Sentence("its condition never holds, or what beats it always applies"),
        ),
        "turn": (
            Sentence("{name} never takes effect", name=idle.name),
            Sentence("its condition never holds, or what beats it always applies"),
        ),
        "phase": (
            Sentence("phase {name} is never entered", name=idle.name),
            Sentence("no rule that can apply leads there"),
        ),
    }[idle.kind]
    study.find("warning", f"never-{idle.kind}", message, idle.source.span, hint)


# ---- under one combination ---------------------------------------------------------------------


def idle_in(study: Study, kinds: Mapping[str, str], among: set[tuple[str, str]] | None) -> list[Idle]:
    """Return the statements that never apply in this graph; restricted to those ``among`` (kind and name), if given.

    ``kinds`` gives the kinds of statements that vanished.
    """
    graph = study.graph

    def wanted(kind: str, name: str) -> bool:
        return among is None or (kind, name) in among

    gone = ((kinds.get(name, "rule"), name, source) for name, source in graph.vanished)
    vanished = [Idle(kind, name, source) for kind, name, source in gone if wanted(kind, name)]
    if among is not None and among <= {(idle.kind, idle.name) for idle in vanished}:
        return vanished  # where this is decidable without the stacks
    tops = study.tops()
    found = [Idle("phase", n, p.source) for n, p in graph.phases.items() if wanted("phase", n) and n not in tops]
    found += vanished
    rules = (rule for rule in graph.rules.values() if wanted("rule", rule.name))
    found += [Idle("rule", rule.name, rule.source) for rule in rules if not applies(study, rule, tops)]
    groups: list[tuple[str, tuple[Answer, ...] | tuple[Turn, ...]]] = []
    groups += [("answer", define.answers) for define in graph.defines.values()]
    groups += [("turn", effect.turns) for effect in graph.effects.values()]
    ones = ((kind, group, one) for kind, group in groups for one in group if len(group) > 1)
    return found + [
        Idle(kind, one.name, one.source)
        for kind, group, one in ones
        if wanted(kind, one.name) and study.ask(frame.standing_alone(group, one), None, 400).kind == "never"
    ]


def applies(study: Study, rule: Rule, tops: list[str]) -> bool:
    """Whether a rule may apply, unbeaten, with one of these phases on top."""
    graph = study.graph
    for phase in tops:
        if rule.phases and phase not in rule.phases:
            continue
        if not rule.verbs:
            rivals = [r for r in graph.rules.values() if rule.name in r.beats and r.shape == rule.shape]
            rivals = [r for r in rivals if not r.phases or phase in r.phases]
            beaten = tuple(frame.none_of(tuple(conjuncts(r.when))) for r in rivals)
            ways = [(*frame.fires(graph, rule), *beaten)]
        else:
            ways = [frame.acts(graph, rule, verb.action, phase) for verb in rule.verbs]
        if any(study.ask(way, (phase,), 400).kind != "never" for way in ways):
            return True
    return False


# ---- The ways of a game from phase to phase: phases without a way out, and data left unset ----------


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
            return StackMap(came).path(stack)
        for passage in study.map.passages:
            to = passage.after
            if passage.before == at and to is not None and to not in came and passage.rule.name not in setting:
                came[to] = passage
                todo.append(to)
    return None


def _sets(study: Study, rule: Rule, name: str) -> bool:
    changes = changes_of(study.graph, (*rule.do, *rule.lest))
    return any(isinstance(g.change, Assign) and g.change.datum == name for g in changes)
