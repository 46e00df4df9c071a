"""Puts many single changes of the rules into one graph. A datum says which of them is made; 0 is none.

A changed question or effect stands beside the original, and what bears its name chooses between them; a changed rule is
a rule of its own. So whatever is compiled from such a graph (:mod:`truco_spec.engine.wasm`) plays by thousands of rule
sets of which each has one thing changed, and none of them is linked or compiled by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from truco_spec.graph import fold, types
from truco_spec.graph.groups import Groups
from truco_spec.graph.link import Chain, Linked
from truco_spec.graph.linking.build import lower
from truco_spec.graph.linking.names import Wrong
from truco_spec.graph.linking.rebuild import OpenBuilder, mentioned
from truco_spec.graph.linking.rules import RuleBuilder
from truco_spec.graph.model import Answer, Apply, Datum, Define, Effect, Expr, Graph, Rule, Source, Turn
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError

_Part = TypeVar("_Part")

SWITCH = "#"
"""The datum that says which change is made, and what parts the number of a change from the name of its part."""
_NOWHERE = Source(t.NOWHERE, "", (), ())


class NotSwitched(Exception):
    """The change is of another kind: it has a graph of its own."""


@dataclass(frozen=True, slots=True)
class ChangedParts:
    """What a change makes of questions, effects and rules, by name. None: there is no such rule any more."""

    defines: Mapping[str, Define] = field(default_factory=dict)
    effects: Mapping[str, Effect] = field(default_factory=dict)
    rules: Mapping[str, Rule | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.defines or self.effects or self.rules)


class OpenVariant:
    """A variant whose options are open as far as they can be, and what single changes make of its parts.

    ``options`` are values of all options or some: what cannot stay open has them, what can begins with them. Raises
    SpecError for a variant that does not link, or is refused under them.
    """

    def __init__(self, chain: Chain, options: Mapping[str, str]) -> None:
        self.builder = OpenBuilder(chain, options)
        self.graph = self.builder.graph()
        self.items = lower(chain).items
        self.order = {name: at for at, name in enumerate(self.builder.kind("rule"))}

    def changed(self, before: t.Statement, after: t.Statement | None) -> ChangedParts:
        """The parts of the graph that are others when this statement reads so; ``None``: when it is gone.

        Raises SpecError for what does not link, and :class:`NotSwitched` where more than such parts would change.
        """
        name, kind = before.name, before.kind
        if kind not in ("define", "effect", "rule") or name not in self.items:
            raise NotSwitched(name)
        items = dict(self.builder.kind(kind))
        if after is not None:
            items[name] = replace(items[name], statement=after)
        else:
            del items[name]
            for other, item in items.items():
                if name in item.statement.excepts:
                    excepts = tuple(each for each in item.statement.excepts if each != name)
                    items[other] = replace(item, statement=replace(item.statement, excepts=excepts))
        with self._instead(kind, items):
            return {"define": self._defines, "effect": self._effects, "rule": self._rules}[kind](before)

    @contextmanager
    def _instead(self, kind: str, items: dict[str, Linked]) -> Iterator[None]:
        """With these statements; afterwards all is as before. Raises SpecError with the errors found within."""
        builder = self.builder
        kept = builder.of_kind, builder.groups, builder.wrong, builder.vanished
        builder.of_kind, builder.wrong, builder.vanished = {**builder.of_kind, kind: items}, [], []
        try:
            yield
            if builder.wrong:
                raise SpecError(builder.wrong)
        except Wrong as wrong:
            raise SpecError([wrong.diagnostic]) from None
        finally:
            builder.of_kind, builder.groups, builder.wrong, builder.vanished = kept

    def _defines(self, before: t.Statement) -> ChangedParts:
        """The questions that are others, and what mentions one that is of another type now."""
        members, known, moved = self.builder.groups.members, self.graph.defines, set[str]()
        while True:
            touched = {
                root
                for root, of in members.items()
                if any(item.statement.name == before.name or mentioned(item.statement) & moved for item, _ in of)
            }
            self.builder.groups = groups = Groups(self.builder)
            groups.done |= {name: define for name, define in known.items() if name in members and name not in touched}
            found = groups.defines()
            if self.builder.wrong:
                raise SpecError(self.builder.wrong)
            if found.keys() != known.keys() - self.builder.refused.keys():
                raise NotSwitched(before.name)
            more = {name for name, define in found.items() if define.type != known[name].type}
            if more <= moved:
                break
            moved |= more
        for name, define in found.items():
            if define.params != known[name].params or types.join(define.type, known[name].type) is None:
                raise NotSwitched(before.name)
        if any(mentioned(item.statement) & moved for kind in _FIXED for item in self.builder.kind(kind).values()):
            raise NotSwitched(before.name)
        defines = {name: define for name, define in found.items() if define != known[name]}
        if not moved:
            return ChangedParts(defines)
        return ChangedParts(defines, self._effects(before).effects, self._mentioning(moved))

    def _mentioning(self, moved: Set[str]) -> dict[str, Rule | None]:
        """The rules that are others because they mention these."""
        builder, known, found = RuleBuilder(self.builder, self.graph.actions), self.graph.rules, {}
        beats = builder.beats()
        for name, item in self.builder.kind("rule").items():
            if mentioned(item.statement) & moved:
                rule = builder.rule(item, beats[name])
                if rule != known.get(name):
                    found[name] = rule
        return found

    def _effects(self, before: t.Statement) -> ChangedParts:
        found, known = RuleBuilder(self.builder, self.graph.actions).effects(), self.graph.effects
        if found.keys() != known.keys() or any(effect.params != known[n].params for n, effect in found.items()):
            raise NotSwitched(before.name)
        return ChangedParts(effects={name: effect for name, effect in found.items() if effect != known[name]})

    def _rules(self, before: t.Statement) -> ChangedParts:
        builder, known = RuleBuilder(self.builder, self.graph.actions), self.graph.rules
        beats, found = builder.beats(), dict[str, Rule | None]()
        for name, rule in known.items():
            if name not in beats:
                found[name] = None
            elif rule.beats != beats[name]:
                found[name] = replace(rule, beats=beats[name])
        item = self.builder.kind("rule").get(before.name)
        if item is not None:
            rule_now = builder.rule(item, beats[before.name])
            if rule_now != known.get(before.name):
                found[before.name] = rule_now
        return ChangedParts(rules=found)

    def with_changes(self, changes: Sequence[ChangedParts]) -> Graph:
        """The graph with these changes, which are numbered from 1 on."""
        graph, kind = self.graph, types.number(0, len(changes))
        switch = Datum(SWITCH, (), kind, fold.const(kind, 0), "", _NOWHERE)
        ask = Expr("datum", kind, (), SWITCH)
        made = [fold.made("is", ask, fold.const(types.number(n, n), n)) for n in range(len(changes) + 1)]
        return replace(
            graph,
            data={SWITCH: switch, **graph.data},
            defines=_defines(graph.defines, _numbered(each.defines for each in changes), made),
            effects=_effects(graph.effects, _numbered(each.effects for each in changes), made),
            rules=self._with_rules(_numbered(each.rules for each in changes), made),
            module=None,
            keep=None,
        )

    def _with_rules(self, changes: Mapping[str, Mapping[int, Rule | None]], made: Sequence[Expr]) -> dict[str, Rule]:
        known, found = self.graph.rules, dict[str, Rule]()
        more = {name: {f"{name}{SWITCH}{n}" for n, rule in of.items() if rule} for name, of in changes.items()}

        def under(rule: Rule, name: str, *tests: Expr) -> Rule:
            beats = rule.beats.union(*(more.get(other, ()) for other in rule.beats))
            when = fold.made("and", *tests, rule.when) if rule.when is not None and tests else rule.when
            when = fold.made("and", *tests) if rule.when is None and tests else when
            return replace(rule, name=name, when=when, beats=beats)

        for name in sorted(known.keys() | changes.keys(), key=self.order.__getitem__):
            here = changes.get(name, {})
            if name in known:
                found[name] = under(known[name], name, *(fold.negate(made[n]) for n in here))
            for n, rule in here.items():
                if rule is not None:
                    found[f"{name}{SWITCH}{n}"] = under(rule, f"{name}{SWITCH}{n}", made[n])
        return found


_FIXED = ("datum", "action", "table")
"""Kinds that no change of types reaches."""


def _numbered(changes: Iterable[Mapping[str, _Part]]) -> dict[str, dict[int, _Part]]:
    """By name, then by the number of the change, what becomes of a part."""
    found: dict[str, dict[int, _Part]] = defaultdict(dict)
    for number, parts in enumerate(changes, 1):
        for name, part in parts.items():
            found[name][number] = part
    return dict(found)


def _defines(
    known: Mapping[str, Define], changes: Mapping[str, Mapping[int, Define]], made: Sequence[Expr]
) -> dict[str, Define]:
    found = dict(known)
    for name, of in changes.items():
        define = known[name]
        args = tuple(Expr("var", param.type, (), param.name) for param in define.params)
        found[name + SWITCH] = replace(define, name=name + SWITCH)
        value = Expr("ask", define.type, args, name + SWITCH)
        for number, changed in of.items():
            called = f"{name}{SWITCH}{number}"
            found[called] = replace(changed, name=called)
            kind = types.join(value.type, changed.type) or value.type
            value = Expr("if", kind, (made[number], Expr("ask", changed.type, args, called), value))
        answer = Answer(name, None, value, frozenset(), _NOWHERE)
        found[name] = replace(define, type=value.type, answers=(answer,))
    return found


def _effects(
    known: Mapping[str, Effect], changes: Mapping[str, Mapping[int, Effect]], made: Sequence[Expr]
) -> dict[str, Effect]:
    found = dict(known)
    for name, of in changes.items():
        effect = known[name]
        args = tuple(Expr("var", param.type, (), param.name) for param in effect.params)
        found[name + SWITCH] = replace(effect, name=name + SWITCH)
        turns = [Turn(name, None, (Apply(name + SWITCH, args),), frozenset(), _NOWHERE)]
        for number, changed in of.items():
            called = f"{name}{SWITCH}{number}"
            found[called] = replace(changed, name=called)
            turns.append(Turn(called, made[number], (Apply(called, args),), frozenset([name]), _NOWHERE))
        found[name] = replace(effect, turns=tuple(turns))
    return found
