"""Rules and answers that never apply, and phases that are never entered.

**Proved** of findings: under no combination of the options that the statement depends on is there a position (of these
types, stacks and bounds) in which the rule applies to a possible action, unbeaten; or the answer applies, unbeaten; or,
for a phase, any rule leads to it. Combinations that are refused are repaired by changing other options, where possible.
**How**: by the search, under the present options, then under others, one after the other. **Witness**: none; the
combinations tried are reported.

Beyond ``MOST`` combinations only the first are tried, and statements idle in all of them are not reported.

First the combinations of many statements are tried together, as far as they are compatible: what applies there applies.
Only the rest is examined one by one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from truco_spec.checks.abstract.frame import (
    Conditions,
    at_rest,
    before_autos,
    none_of,
    possible,
    speaks,
    standing_alone,
    unbeaten,
)
from truco_spec.checks.study import Study
from truco_spec.checks.variant import Variant, refusals_of
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.linking.names import holds, names_in, values_of
from truco_spec.graph.model import Answer, Graph, Rule, Source, Turn
from truco_spec.language import tree as t

MOST = 60
"""Maximum combinations of options tried per statement."""

CALLED = {"rule": "rule", "define": "answer", "effect": "turn"}
"""The names of the kinds of statements checked."""

_ROUNDS = 8
"""Rounds in which combinations of many statements are tried together."""
_FURTHER = 10
"""Further combinations of one statement per round."""


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
    idle = _left_by_many(variant, kinds, idle)
    seen: set[tuple[tuple[str, str], ...]] = set()
    while idle:
        first, tried = idle[0], 1
        for options in _combinations(variant, first):
            tried += 1
            if tried > MOST:
                idle = idle[1:]
                break
            key = tuple(sorted(options.items()))
            graph = None if key in seen else variant.under(options)
            seen.add(key)
            if graph is None:
                continue
            idle = _still(graph, kinds, idle)
            if first not in idle:
                break
        else:
            _tell(study, first, tried)
            idle = idle[1:]


def _still(graph: Graph, kinds: Mapping[str, str], idle: list[Idle]) -> list[Idle]:
    """Those that do not apply in this graph either."""
    left = {(i.kind, i.name) for i in idle_in(Study(graph, bounded=False), kinds, {(i.kind, i.name) for i in idle})}
    return [i for i in idle if (i.kind, i.name) in left]


def _left_by_many(variant: Variant, kinds: Mapping[str, str], idle: list[Idle]) -> list[Idle]:
    """The statements that apply under none of some combinations chosen to let many apply at once."""
    refusals = list(refusals_of(variant).values())
    now = {name: option.value for name, option in variant.graph.options.items()}
    wishes = {(i.kind, i.name): _combinations(variant, i) for i in idle}
    wanted = {key: next(wish, None) for key, wish in wishes.items()}
    for _ in range(_ROUNDS):
        together: dict[str, str] = {}
        for i in [*idle, *idle * _FURTHER]:
            wish = wanted[i.kind, i.name]
            if wish is None or any(together.get(name, value) != value for name, value in wish.items()):
                continue
            if not any(holds(when, {**now, **together, **wish}) for when in refusals):
                together |= wish
                wanted[i.kind, i.name] = next(wishes[i.kind, i.name], None)
        graph = variant.under(together) if together else None
        if graph is not None:
            idle = _still(graph, kinds, idle)
    return idle


def _kinds(variant: Variant) -> dict[str, str]:
    """The kind of each rule, define and effect of the text, including parts of constructs."""
    statements = {name: item.statement for name, item in variant.chain.items.items()}
    found: dict[str, str] = {}
    for name, statement in statements.items():
        lower = LOWERINGS.get(statement.kind)
        for part in lower(statement, statements) if lower else (statement,):
            found[part.name if lower else name] = CALLED.get(part.kind, "")
    return found


def _tell(study: Study, idle: Idle, tried: int) -> None:
    message, hint = {
        "rule": (
            f"rule {idle.name} can never apply",
            "its conditions exclude each other, or what beats it always applies",
        ),
        "answer": (f"{idle.name} is never the answer", "its condition never holds, or what beats it always applies"),
        "turn": (f"{idle.name} never takes effect", "its condition never holds, or what beats it always applies"),
        "phase": (f"phase {idle.name} is never entered", "no rule that can apply leads there"),
    }[idle.kind]
    under = f"; {tried} combinations of options were tried" if tried > 1 else ""
    study.find("warning", f"never-{idle.kind}", message, idle.source.span, hint + under)


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
        if wanted(kind, one.name) and _never(study, standing_alone(group, one))
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
            before = before_autos(graph) if rule.shape == "auto" else ()
            beaten = tuple(none_of(tuple(conjuncts(r.when))) for r in rivals)
            if study.ask((*conjuncts(rule.when), *before, *beaten), (phase,), 400).kind != "never":
                return True
            continue
        rest = at_rest(graph, phase)
        for verb in rule.verbs:
            alone = unbeaten(graph, rule, verb.action, phase) if rule.shape != "on" else ()
            whole = (*speaks(graph, rule, verb.action), *possible(graph, verb.action), *rest, *alone)
            if study.ask(whole, (phase,), 400).kind != "never":
                return True
    return False


# ---- combinations ------------------------------------------------------------------------------


def _combinations(variant: Variant, idle: Idle) -> Iterator[dict[str, str]]:
    """Values for the options that a statement depends on, with refusals repaired: first of those it names itself; then
    those nearest to the present values, options named through the fewest steps first.
    """
    options = {name: values_of(statement) for name, statement in variant.options().items()}
    now = {name: option.value for name, option in variant.graph.options.items()}
    concerned = _concerning(variant, idle)
    far = _distances(variant, idle.text)
    mentioned = sorted((name for name in options if name in concerned), key=lambda name: far.get(name, len(far)))
    named = [name for name in mentioned if far.get(name) == 1]
    refusals = list(refusals_of(variant).values())
    given: set[tuple[tuple[str, str], ...]] = set()
    for among in (named, mentioned):
        for count in range(1, len(among) + 1):
            for names in itertools.combinations(among, count):
                for values in itertools.product(*([v for v in options[name] if v != now[name]] for name in names)):
                    chosen = dict(zip(names, values, strict=True))
                    whole = _mended({**now, **chosen}, set(mentioned), options, refusals)
                    changed = {name: v for name, v in whole.items() if now[name] != v} if whole is not None else {}
                    key = tuple(sorted(changed.items()))
                    if changed and key not in given:
                        given.add(key)
                        yield changed


def _concerning(variant: Variant, idle: Idle) -> frozenset[str]:
    """The options that a statement depends on; for a phase those of the rules that name it."""
    found = variant.mentions(idle.text)
    items = variant.chain.items
    for name, item in items.items():
        named = variant.names[name]
        if idle.kind == "phase" and idle.name in named and item.statement.kind != "phase":
            found |= variant.mentions(name)
        if idle.text in item.statement.excepts or idle.name in item.statement.excepts:
            found |= variant.mentions(name)
    statement = items[idle.text].statement if idle.text in items else None
    for phase in statement.names if statement is not None else ():
        for name, item in items.items():
            if item.statement.kind in ("rule", "special") and phase in variant.names[name]:
                found |= variant.mentions(name)
    return found


def _distances(variant: Variant, text: str) -> dict[str, int]:
    """The number of steps from name to name between a statement and each option it depends on."""
    found = {text: 0}
    todo = [text]
    for name in todo:
        for word in sorted(variant.names.get(name, set()) & set(variant.chain.items)):
            if word not in found:
                found[word] = found[name] + 1
                todo.append(word)
    return found


def _mended(
    chosen: dict[str, str], fixed: set[str], options: Mapping[str, list[str]], refusals: list[t.Expr]
) -> dict[str, str] | None:
    """The combination with other options changed until no refusal applies; None if none was found."""
    for _ in range(4):
        hit = next((when for when in refusals if holds(when, chosen)), None)
        if hit is None:
            return chosen
        for name in sorted(names_in(hit) & set(options) - fixed):
            other = next((v for v in options[name] if not holds(hit, {**chosen, name: v})), None)
            if other is not None:
                chosen = {**chosen, name: other}
                break
        else:
            return None
    return None
