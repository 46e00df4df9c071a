"""A graph compiled for play: for every rule the functions that say whether it speaks, of what, and what it does.

The functions are Python made by :mod:`truco_spec.engine.compile.write`; what they know of the spec are slots and
numbers. Explanations do not use them: they walk the graph (:mod:`truco_spec.engine.explain`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from truco_spec.engine.action import Actions
from truco_spec.engine.layout import NONE, Layout
from truco_spec.engine.support import Answers, function_names, namespace
from truco_spec.graph.model import Assign, Graph, Move, Rule, Way
from truco_spec.graph.walk import data_read, flat_changes

Position = list[int]
Ops = list[tuple[int, ...]]


@dataclass(slots=True, eq=False)
class RuleCode:
    """A rule ready for play.

    ``speaks`` and ``offers`` map each verb to ``f(v, me, *args)`` and to ``f(v, out)``, which appends what it
    permits; ``now`` says whether the rule can speak of anything at all (None: it may); ``do`` and ``lest`` append
    changes to ``out``, ``direct`` makes those of ``do`` at once where that is safe; ``wakes``: can what it does make
    an at-once rule begin to hold?
    """

    number: int
    rule: Rule
    name: str
    names: tuple[str, ...]
    shape: str
    beats: frozenset[str]
    wakes: bool
    speaks: dict[str, Callable[..., Any]]
    offers: dict[str, Callable[..., None]]
    now: Callable[[Position], Any] | None
    do: Callable[..., None] | None
    direct: Callable[..., None] | None
    lest: Callable[..., None] | None


@dataclass(slots=True, eq=False)
class Permit:
    """The rules that permit an action and follow from it, their names, those that change something, and what that
    wakes.

    ``single`` is the one that changes something, where only one does and can do so directly.
    """

    rules: tuple[RuleCode, ...]
    names: tuple[str, ...]
    single: RuleCode | None
    wakes: bool


@dataclass(slots=True)
class VerbRules:
    """The rules that speak of one verb in one phase.

    ``bars`` are those that can forbid it, ``live`` those of them that can forbid what ``may`` permits; ``sure`` are the
    consequences that always follow, ``maybe`` the others. ``alone``: only one of ``may`` ever speaks of an action.
    """

    verb: str
    may: tuple[RuleCode, ...]
    bars: tuple[RuleCode, ...]
    live: tuple[RuleCode, ...]
    sure: tuple[RuleCode, ...]
    maybe: tuple[RuleCode, ...]
    alone: bool


class Program:
    """The compiled graph."""

    def __init__(self, graph: Graph, code: CodeType | None = None) -> None:
        self.graph = graph
        self.layout = Layout(graph)
        self.code = _compiled(graph) if code is None else code
        functions = function_names(graph)
        self.space: dict[str, Any] = namespace(graph, self.layout)
        for name, table in graph.tables.items():
            self.space[functions[name]] = Answers(name, table.answers)
        exec(self.code, self.space)  # noqa: S102  (our own text: numbers and slots only)
        self.rules = self._ready()
        self._permits: dict[tuple[RuleCode, ...], Permit] = {}
        self.defines: dict[str, Callable[..., int]] = {name: self.space[functions[name]] for name in graph.defines}
        self.possible: dict[str, Callable[..., Any] | None] = {
            name: self.space.get(f"p{i}") for i, name in enumerate(graph.actions)
        }
        self._index()
        self._firsts()

    def _ready(self) -> dict[int, RuleCode]:
        """Every rule that can apply, ready for play."""
        get, rules = self.space.get, list(self.graph.rules.values())
        wakes = _waking(self.graph, self.layout)
        found = {}
        for number in self.space["RULES"]:
            rule = rules[number]
            verbs = [verb.action for verb in rule.verbs]
            found[number] = RuleCode(
                number,
                rule,
                rule.name,
                (rule.name,),
                rule.shape,
                rule.beats,
                wakes(rule),
                {verb: self.space[f"s{number}_{i}"] for i, verb in enumerate(verbs)},
                {verb: self.space[f"c{number}_{i}"] for i, verb in enumerate(verbs) if f"c{number}_{i}" in self.space},
                get(f"w{number}"),
                get(f"do{number}"),
                get(f"x{number}"),
                get(f"lest{number}"),
            )
        return found

    def _index(self) -> None:
        """Bring together what belongs to each phase, and hand the module its rules and permits."""
        space, phases = self.space, range(len(self.layout.phases))
        self.once = tuple([self.rules[number] for number in space["ONCE"]])
        space |= {f"R{number}": rule for number, rule in self.rules.items()}
        self.verbs = [self._verbs(phase) for phase in phases]
        self.legal: list[Callable[..., None]] = [space[f"legal{phase}"] for phase in phases]
        self.ready: list[Callable[[Position], list[RuleCode]] | None] = [space.get(f"ready{phase}") for phase in phases]
        self.offering = [tuple([rules for rules in of_verb.values() if rules.may]) for of_verb in self.verbs]
        self.draws = [self._draw(offering) for offering in self.offering]
        self.actions: Actions = self.space["ACTIONS"]
        self.numbers = {name: number for number, name in enumerate(self.graph.actions)}
        words = self.graph.words
        self.domains: dict[str, tuple[tuple[int, int, tuple[int, ...]], ...]] = {
            name: tuple([(p.type.low, p.type.high, tuple([words[w] for w in p.type.words])) for p in kind.params])
            for name, kind in self.graph.actions.items()
        }

    def _verbs(self, phase: int) -> dict[str, VerbRules]:
        names, found = list(self.graph.actions), {}
        for at, facts in self.space["VERBS"][phase].items():
            *groups, single = facts
            may, bars, live, sure, alike, maybe = (
                tuple([self.rules[number] for number in numbers]) for numbers in groups
            )
            found[names[at]] = rules = VerbRules(names[at], may, bars, live, sure, (*alike, *maybe), single)
            self.space[f"V{phase}_{at}"] = rules
            chosen = [[r for i, r in enumerate(alike) if bits >> i & 1] for bits in range(1 << len(alike))]
            for i, rule in enumerate(may if single else ()):
                permits = tuple([self.permit((rule, *sure, *follows)) for follows in chosen])
                self.space[f"P{phase}_{at}_{i}"] = permits
        return found

    def permit(self, rules: tuple[RuleCode, ...]) -> Permit:
        """The permit that these rules give together."""
        found = self._permits.get(rules)
        if found is None:
            doing = [rule for rule in rules if rule.do is not None]
            single = doing[0] if len(doing) == 1 and doing[0].direct is not None else None
            names, wakes = tuple([rule.name for rule in rules]), any(rule.wakes for rule in rules)
            found = self._permits[rules] = Permit(rules, names, single, wakes)
        return found

    def _draw(self, offering: tuple[VerbRules, ...]) -> tuple[VerbRules, ...] | None:
        """What chance may do where nobody else may do anything, if it draws numbers."""
        chance = all(rule.rule.chance for rules in offering for rule in rules.may)
        numbers = all(
            params and not any(p.type.words or p.type.many for p in params)
            for params in (self.graph.actions[rules.verb].params for rules in offering)
        )
        return offering if offering and chance and numbers else None

    def _firsts(self) -> None:
        self.openings: dict[int, Callable[[Position, list[int]], None]] = {}
        for number, phase in enumerate(self.layout.phases):
            if self.layout.scopes.get(phase):
                self.openings[number] = self.space[f"open{number}"]
        self.begin: Callable[[Position], None] = self.space["begin"]

    def blank(self) -> Position:
        """A position before anything: all cards in the pack, all data at their first values or unset, no phase."""
        v = [NONE] * self.layout.size
        self.begin(v)
        return v


def _compiled(graph: Graph) -> CodeType:
    # What writes modules is imported when one is written: a kept one needs none of it.
    from truco_spec.engine.compile.write import Writer
    from truco_spec.graph.specialise import specialise

    return compile(Writer(Layout(specialise(graph))).source(), f"<{graph.name}>", "exec")


def permitted_rules(rules: Sequence[RuleCode]) -> list[RuleCode]:
    """Those of the rules that no other of them beats."""
    if len(rules) < 2:
        return list(rules)
    beaten: set[str] = set()
    for rule in rules:
        beaten |= rule.beats
    return [rule for rule in rules if rule.name not in beaten]


def _waking(graph: Graph, layout: Layout) -> Callable[[Rule], bool]:
    """Whether a rule can change anything that an at-once rule asks about; only then can one begin to hold."""
    conditions = [rule.when for rule in graph.rules.values() if rule.shape == "once" and rule.when is not None]
    read = data_read(graph, conditions)
    places = any(name and graph.data[name].type.place for name in read)
    opened = {phase for phase in layout.scopes if read & set(layout.resets(phase))}

    def wakes(rule: Rule) -> bool:
        for change in flat_changes(graph, (*rule.do, *rule.lest)):
            if isinstance(change, Way):
                if "" in read or change.phase in opened:
                    return True
            elif places if isinstance(change, Move) else isinstance(change, Assign) and change.datum in read:
                return True
        return False

    return wakes
