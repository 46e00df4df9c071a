"""The rules read straight from the graph: every candidate of every action tried, every change made one by one.

Slow and short; the measure of the engine's speed-ups: what the compiled rules permit and do must be what is found here.
It shares with the compiled engine the layout of positions, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.layout import DEPTH, NONE, Layout, unset
from truco_spec.engine.support import RangeError
from truco_spec.graph.model import Answer, Apply, Assign, Change, Expr, Graph, Move, Rule, Turn, Verb, Way
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read

Env = Mapping[str, int]
Candidate = tuple[int, str, tuple[int, ...]]
CHANCE = -1


class SlowRules:
    """The rules of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.layout = Layout(graph)

    # ---- values ------------------------------------------------------------------------------

    def domain(self, kind: Type) -> list[int]:
        """Every value of a type that is no set."""
        values = [i for i in range(kind.low, kind.high + 1) if kind.base != "card" or self.graph.cards[i].present]
        return values + [self.graph.words[word] for word in sorted(kind.words)] if not kind.many else []

    def members(self, kind: Type, mask: int) -> list[int]:
        return [kind.low + i for i in range(kind.size) if mask >> i & 1]

    def value(self, e: Expr, v: Sequence[int], env: Env) -> int:
        """The value of an expression in a position."""
        return Evaluator(self.layout, list(v)).value(e, env)

    def standing(self, ways: Sequence[Any], v: Sequence[int], env: Env) -> list[Any]:
        found: list[Answer | Turn] = [w for w in ways if w.when is None or self.value(w.when, v, env)]
        return [w for w in found if not any(w.name in other.beats for other in found)]

    # ---- verdicts ----------------------------------------------------------------------------

    def legal(self, v: Sequence[int]) -> dict[Candidate, set[str]]:
        """Every permitted action with the names of the rules that permit it and follow from it."""
        here = self.here(v)
        found: dict[Candidate, set[str]] = {}
        for name, kind in self.graph.actions.items():
            offering = [r for r in here if r.shape == "may" and any(verb.action == name for verb in r.verbs)]
            actors = [CHANCE] if any(r.outsider for r in offering) else []
            actors += range(self.graph.seats) if any(not r.outsider for r in offering) else []
            for actor in actors:
                for args in product(*(self.domain(p.type) for p in kind.params)):
                    status, rules = self.ruling(v, (actor, name, args))
                    if status == "permitted":
                        found[(actor, name, args)] = rules
        return found

    def here(self, v: Sequence[int]) -> list[Rule]:
        top = self.layout.phases[v[0]]
        return [r for r in self.graph.rules.values() if not r.phases or top in r.phases]

    def ruling(self, v: Sequence[int], candidate: Candidate) -> tuple[str, set[str]]:
        """The status of a candidate, and the rules that permit it and follow from it, or that forbid it."""
        if not self.possible(v, candidate):
            return "impossible", set()
        actor, name, _ = candidate
        here = self.here(v)
        speaking = [r for r in here if r.shape in ("may", "must not") and self.speaks(r, v, candidate)]
        for rule in here:
            named = any(verb.action == name for verb in rule.verbs)
            if rule.shape == "must" and named and self.binds(rule, v, actor) and not self.speaks(rule, v, candidate):
                speaking.append(rule)
        standing = [r for r in speaking if not any(r.name in other.beats for other in speaking)]
        permitting = {r.name for r in standing if r.shape == "may"}
        barring = {r.name for r in standing if r.shape == "must not"}
        binding = {r.name for r in standing if r.shape == "must"}
        assert not (permitting and barring), f"{permitting} and {barring} disagree"
        if barring or (permitting and binding):
            return "forbidden", barring or binding
        if not permitting:
            return "not-offered", set()
        return "permitted", permitting | {r.name for r in here if r.shape == "on" and self.speaks(r, v, candidate)}

    def possible(self, v: Sequence[int], candidate: Candidate) -> bool:
        actor, name, args = candidate
        kind = self.graph.actions[name]
        env = {"me": actor, **{p.name: value for p, value in zip(kind.params, args, strict=True)}}
        try:
            return kind.possible is None or bool(self.value(kind.possible, v, env))
        except (RangeError, IndexError, ValueError):
            return False

    def speaks(self, rule: Rule, v: Sequence[int], candidate: Candidate) -> bool:
        actor, name, args = candidate
        verb = next((verb for verb in rule.verbs if verb.action == name), None)
        if verb is None or (rule.outsider and actor != CHANCE):
            return False
        if rule.by is not None and (actor == CHANCE or not self.value(rule.by, v, {}) >> actor & 1):
            return False
        if any(isinstance(wanted, int) and wanted != value for wanted, value in zip(verb.args, args, strict=True)):
            return False
        return rule.when is None or bool(self.value(rule.when, v, bound(verb, actor, args)))

    def binds(self, rule: Rule, v: Sequence[int], actor: int) -> bool:
        return any(
            self.possible(v, candidate) and self.speaks(rule, v, candidate)
            for verb in rule.verbs
            for args in product(*(self.domain(p.type) for p in self.graph.actions[verb.action].params))
            for candidate in [(actor, verb.action, args)]
        )

    # ---- changes -----------------------------------------------------------------------------

    def play(self, v: Sequence[int], candidate: Candidate) -> list[int]:
        """The position at rest after an action; a forbidden one has the effect of what it costs."""
        actor, name, args = candidate
        status, rules = self.ruling(v, candidate)
        changes: list[tuple[Any, ...]] = []
        for rule in self.graph.rules.values():
            if rule.name in rules:
                verb = next((verb for verb in rule.verbs if verb.action == name), rule.verbs[0])
                does = rule.do if status == "permitted" else rule.lest
                changes += self.changes(does, v, bound(verb, actor, args))
        return self.settled(self.changed(v, changes)) if changes else list(v)

    def settled(self, v: list[int]) -> list[int]:
        for _ in range(1000):
            holding = [r for r in self.graph.rules.values() if r.shape == "once" and self.holds(r, v)]
            holding = holding or [r for r in self.here(v) if r.shape == "auto" and self.holds(r, v)]
            if not holding:
                return v
            standing = [r for r in holding if not any(r.name in other.beats for other in holding)]
            v = self.changed(v, [change for r in standing for change in self.changes(r.do, v, {"me": CHANCE})])
        raise AssertionError("the automatic rules go round in a circle")

    def holds(self, rule: Rule, v: Sequence[int]) -> bool:
        return rule.when is None or bool(self.value(rule.when, v, {}))

    def changes(self, changes: Sequence[Change], v: Sequence[int], env: Env) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for change in changes:
            if isinstance(change, Assign):
                slot = self.layout.blocks[change.datum].slot(tuple(self.value(e, v, env) for e in change.index))
                found.append((change.sign, slot, self.value(change.value, v, env)))
            elif isinstance(change, Move):
                slot = self.layout.blocks[change.place].slot(tuple(self.value(e, v, env) for e in change.index))
                what = self.value(change.what, v, env)
                cards = self.members(change.what.type, what) if change.what.type.many else [what]
                found += [("move", card, slot) for card in cards]
            elif isinstance(change, Apply):
                effect = self.graph.effects[change.effect]
                inner = {p.name: self.value(a, v, env) for p, a in zip(effect.params, change.args, strict=True)}
                for turn in self.standing(effect.turns, v, inner):
                    found += self.changes(turn.changes, v, inner)
            else:
                found.append(("way", change))
        return found

    def changed(self, before: Sequence[int], changes: list[tuple[Any, ...]]) -> list[int]:
        """One step: everything at once, then the way on."""
        v, layout = list(before), self.layout
        for sign, slot, value in (c for c in changes if c[0] in ("=", "+=", "-=")):
            v[slot] = value if sign == "=" else v[slot] + (value if sign == "+=" else -value)
            kind = layout.kind(slot)
            assert kind.many or value <= NONE or kind.low <= v[slot] <= kind.high, f"{layout.names[slot]} = {v[slot]}"
        for _, card, slot in (c for c in changes if c[0] == "move"):
            self.put(v, card, slot)
        ways = {(c[1].word, c[1].phase) for c in changes if c[0] == "way"}
        assert len(ways) <= 1, "two ways on"
        for word, phase in ways:
            self.go(v, Way(word, phase))
        return v

    def put(self, v: list[int], card: int, slot: int) -> None:
        layout = self.layout
        at = layout.cards_at + card
        if v[at] == slot:
            return
        v[v[at]] = v[v[at]] & ~(1 << card) if layout.is_pile[v[at]] else NONE
        v[slot] = v[slot] | 1 << card if layout.is_pile[slot] else card
        v[at] = slot

    def go(self, v: list[int], way: Way) -> None:
        stack = [n for n in v[:DEPTH] if n >= 0]
        if way.word == "resume":
            stack = stack[1:]
        elif way.word == "ask":
            stack = [self.layout.number[way.phase], *stack]
        else:
            ground = way.phase in self.layout.ground
            stack = [self.layout.number[way.phase], *([] if ground else stack[1:])]
        v[:DEPTH] = (stack + [-1] * DEPTH)[:DEPTH]
        if way.word == "then":
            self.open(v, way.phase)

    def open(self, v: list[int], phase: str) -> None:
        """The data of the scope that begins get their first values; their cards go back to the pack.

        Data of a scope within it whose first values depend on others wait until that scope begins.
        """
        pack = self.layout.blocks.get(self.graph.pack)
        names = self.layout.resets(phase)
        for card in range(len(self.graph.cards)):
            slot = v[self.layout.cards_at + card]
            if pack is not None and slot in self.layout.place_of and self.layout.place_of[slot][0] in names:
                self.put(v, card, pack.base)
        for name in names:
            block = self.layout.blocks[name]
            first = block.datum.first
            for index in block.indices():
                env = {p.name: value for p, value in zip(block.datum.params, index, strict=True)}
                later = block.datum.fresh != phase and bool(data_read(self.graph, [first] if first else []))
                value = unset(block.datum.type) if first is None or later else self.value(first, v, env)
                v[block.slot(index)] = value


def bound(verb: Verb, actor: int, args: tuple[int, ...]) -> dict[str, int]:
    return {"me": actor, **{name: value for name, value in zip(verb.args, args, strict=True) if isinstance(name, str)}}
