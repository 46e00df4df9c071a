"""A graph compiled for play: for every rule the functions that say whether it speaks, of what, and what it does.

The functions are Python made by :mod:`truco_spec.engine.python`; what they know of the spec are slots and numbers. Explanations
do not use them: they walk the graph (:mod:`truco_spec.engine.explain`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from truco_spec.engine.layout import NONE, Layout
from truco_spec.engine.specialise import specialise
from truco_spec.engine.support import namespace
from truco_spec.engine.write import Writer, function_names
from truco_spec.graph.model import Graph, Rule

Position = list[int]
Ops = list[tuple[int, ...]]


@dataclass(slots=True)
class RuleCode:
    """A rule ready for play. ``speaks`` maps each verb to ``f(v, me, *args)``; ``offers`` appends what a may rule permits."""

    number: int
    rule: Rule
    name: str
    shape: str
    beats: frozenset[str]
    speaks: dict[str, Callable[..., Any]]
    offers: Callable[..., Any] | None
    when: Callable[[Position], Any] | None
    do: Callable[..., None] | None
    lest: Callable[..., None] | None


@dataclass(slots=True)
class VerbRules:
    """The rules that speak of one verb in one phase."""

    verb: str
    may: tuple[RuleCode, ...]
    bars: tuple[RuleCode, ...]
    follows: tuple[RuleCode, ...]
    simple: bool


class Program:
    """The compiled graph."""

    def __init__(self, graph: Graph, code: CodeType | None = None) -> None:
        self.graph = graph
        self.layout = Layout(graph)
        if code is None:
            code = compile(Writer(Layout(specialise(graph))).source(), f"<{graph.name}>", "exec")
        self.code = code
        functions = function_names(graph)
        self.space: dict[str, Any] = namespace(graph, self.layout)
        for name, table in graph.tables.items():
            self.space[functions[name]] = table.answers
        exec(code, self.space)  # noqa: S102  (our own text: numbers and slots only)
        get = self.space.get
        self.rules: dict[str, RuleCode] = {}
        for number, rule in enumerate(graph.rules.values()):
            self.rules[rule.name] = RuleCode(
                number,
                rule,
                rule.name,
                rule.shape,
                rule.beats,
                {verb.action: self.space[f"s{number}_{i}"] for i, verb in enumerate(rule.verbs)},
                get(f"c{number}"),
                get(f"w{number}"),
                get(f"do{number}"),
                get(f"lest{number}"),
            )
        self.defines: dict[str, Callable[..., int]] = {
            name: self.space[functions[name]] for name in graph.defines
        }
        self.possible: dict[str, Callable[..., Any] | None] = {
            name: get(f"p{i}") for i, name in enumerate(graph.actions)
        }
        self._index()
        self._firsts()

    def _index(self) -> None:
        rules = list(self.rules.values())
        self.once = tuple(r for r in rules if r.shape == "once")
        self.autos: list[tuple[RuleCode, ...]] = []
        self.verbs: list[dict[str, VerbRules]] = []
        for phase in self.layout.phases:
            here = [r for r in rules if not r.rule.phases or phase in r.rule.phases]
            self.autos.append(tuple(r for r in here if r.shape == "auto"))
            of_verb: dict[str, VerbRules] = {}
            for verb in self.graph.actions:
                speaking = [r for r in here if verb in r.speaks]
                if not speaking:
                    continue
                may = tuple(r for r in speaking if r.shape == "may")
                bars = tuple(r for r in speaking if r.shape in ("must", "must not"))
                follows = tuple(r for r in speaking if r.shape == "on")
                of_verb[verb] = VerbRules(verb, may, bars, follows, len(may) <= 1 and not bars)
            self.verbs.append(of_verb)
        # An at-once rule can only begin to hold when a datum that it reads has changed.
        self.once_slots = self.space["ONCE_SLOTS"]

    def _firsts(self) -> None:
        self.openings: dict[int, Callable[[Position], None]] = {}
        for number, phase in enumerate(self.layout.phases):
            if self.layout.scopes.get(phase):
                self.openings[number] = self.space[f"open{number}"]
        self.begin: Callable[[Position], None] = self.space["begin"]

    def blank(self) -> Position:
        """A position before anything: all cards in the pack, all data at their first values or unset, no phase."""
        v = [NONE] * self.layout.size
        self.begin(v)
        return v


def permitted_rules(rules: Sequence[RuleCode]) -> list[RuleCode]:
    """Those of the rules that no other of them beats."""
    if len(rules) < 2:
        return list(rules)
    beaten: set[str] = set()
    for rule in rules:
        beaten |= rule.beats
    return [rule for rule in rules if rule.name not in beaten]
