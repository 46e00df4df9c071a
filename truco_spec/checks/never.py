"""Rules and answers that never apply, and phases that are never entered.

**Proved** of findings: under no options is there a position (of these types and stacks) in which the rule applies to a
possible action, unbeaten; or the answer applies, unbeaten; or, for a phase, any rule leads to it.
**How**: by the search, under the present options and within the bounds of the data, then with the options open; those
that cannot stay open are tried one and two at a time. A phase counts as entered if any options lead there.
**Witness**: none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from truco_spec.base.words import Sentence
from truco_spec.checks.abstract import frame
from truco_spec.checks.abstract.frame import Conditions
from truco_spec.checks.study import Study
from truco_spec.checks.variant import Variant
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Answer, Rule, Source, Turn

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
    """All rules, answers, turns of effects and phases of a variant; of a closed one those of its own, for what it takes
    over may need what it closes.
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
    statements = {name: item.statement for name, item in variant.chain.items.items()}
    found: dict[str, str] = {}
    for name, statement in statements.items():
        lower = LOWERINGS.get(statement.kind)
        for part in lower(statement, statements) if lower else (statement,):
            found[part.name if lower else name] = CALLED.get(part.kind, "")
    return found


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
    """What never applies in this graph; restricted to those ``among`` (kind and name), if given.

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
        if wanted(kind, one.name) and _never(study, frame.standing_alone(group, one))
    ]


def _never(study: Study, conditions: Conditions) -> bool:
    return study.ask(conditions, None, 400).kind == "never"


def applies(study: Study, rule: Rule, tops: list[str]) -> bool:
    """Whether a rule may apply, unbeaten, with one of these phases on top."""
    graph = study.graph
    for phase in tops:
        if rule.phases and phase not in rule.phases:
            continue
        if not rule.verbs:
            rivals = [r for r in graph.rules.values() if rule.name in r.beats and r.shape == rule.shape]
            rivals = [r for r in rivals if not r.phases or phase in r.phases]
            before = frame.before_autos(graph) if rule.shape == "auto" else ()
            beaten = tuple(frame.none_of(tuple(conjuncts(r.when))) for r in rivals)
            if study.ask((*conjuncts(rule.when), *before, *beaten), (phase,), 400).kind != "never":
                return True
            continue
        rest = frame.at_rest(graph, phase)
        for verb in rule.verbs:
            alone = frame.unbeaten(graph, rule, verb.action, phase) if rule.shape != "on" else ()
            whole = (*frame.speaks(graph, rule, verb.action), *frame.possible(graph, verb.action), *rest, *alone)
            if study.ask(whole, (phase,), 400).kind != "never":
                return True
    return False
