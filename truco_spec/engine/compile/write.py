"""Generates one Python module for a graph: a function for each question, effect, condition and change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from truco_spec.engine.compile.changes import ChangeWriter
from truco_spec.engine.compile.facts import Facts, VerbFacts
from truco_spec.engine.compile.offers import OfferWriter, OpeningWriter, bound
from truco_spec.engine.compile.python import ExpressionWriter
from truco_spec.engine.layout import Layout
from truco_spec.engine.support import function_names
from truco_spec.graph.model import Answer, Define, Effect, Expr, Graph, Rule, Turn, Verb
from truco_spec.graph.types import Type
from truco_spec.graph.walk import exprs_of_define, parts

_Way = TypeVar("_Way", bound=Answer | Turn)


class Writer:
    """Generates the module of one graph."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.functions = function_names(self.graph)
        self.effects = {name: f"e{i}" for i, name in enumerate(self.graph.effects)}
        self.facts = Facts(self.graph)
        self.expr = ExpressionWriter(layout, self.functions)
        self.changes = ChangeWriter(layout, self.expr, self.effects)
        self.lines: list[str] = []

    def source(self) -> str:
        """The text of the module."""
        for define in self.graph.defines.values():
            self._define(define)
        for effect in self.graph.effects.values():
            self._effect(effect)
        for number, action in enumerate(self.graph.actions.values()):
            if action.possible is not None:
                args = [f"a{i}" for i in range(len(action.params))]
                env = {"me": "me", **dict(zip((p.name for p in action.params), args, strict=True))}
                self._def(f"p{number}", ["v", "me", *args], [f"return {self.expr.text(action.possible, env)}"])
        for number, rule in self.facts.rules.items():
            self._rule(number, rule)
        openings = OpeningWriter(self.layout, self.expr)
        for number, phase in enumerate(self.layout.phases):
            if self.layout.scopes.get(phase):
                self._def(f"open{number}", ["v", "back"], openings.opening(phase))
        self._def("begin", ["v"], openings.beginning())
        self._phases()
        return "\n".join(self.lines) + "\n"

    def _def(self, name: str, params: Iterable[str], body: list[str]) -> None:
        self.lines.append(f"def {name}({', '.join(params)}):")
        self.lines += [f"  {line}" for line in body or ["pass"]]

    # ---- questions and effects ---------------------------------------------------------------

    def _define(self, define: Define) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(define.params)}

        def value(answer: Answer) -> list[str]:
            return self.expr.returning(answer.value, env)

        body = self._resolved(define.answers, env, value, [], define.name)
        name, params = self.functions[define.name], ["v", *env.values()]
        key = remembered_by(self.graph, define)
        if key is None:
            self._def(name, params, body)
            return
        self._def(f"{name}_anew", params, body)
        known = ", ".join(self.expr.text(expr, env) for expr in key.exprs)
        forget = [f"  if len({name}_known) >= {MOST}:", f"    {name}_known.clear()"] if key.endless else []
        anew = f"  r = {name}_known[k] = {name}_anew({', '.join(params)})"
        self.lines.append(f"{name}_known = {{}}")
        body = [f"k = {known}", f"r = {name}_known.get(k)", "if r is None:", *forget, anew, "return r"]
        self._def(name, params, body)

    def _effect(self, effect: Effect) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(effect.params)}

        def value(turn: Turn) -> list[str]:
            return self.changes.gathered(turn.changes, env)

        body = self._resolved(effect.turns, env, value, ["return"], effect.name)
        self._def(self.effects[effect.name], ["v", "out", *env.values()], body)

    def _resolved(
        self,
        answers: Sequence[_Way],
        env: Mapping[str, str],
        value: Callable[[_Way], list[str]],
        done: list[str],
        name: str,
    ) -> list[str]:
        """Exceptions before what they beat; for two that could both apply and do not beat each other, both are
        evaluated.
        """
        ordered = _beaters_first(answers)
        chain = all(a.name in b.beats or b.name in a.beats for i, a in enumerate(ordered) for b in ordered[i + 1 :])
        body: list[str] = []
        if chain:
            for answer in ordered:
                lines = [*value(answer), *done]
                if answer.when is None:
                    return body + lines
                body.append(f"if {self.expr.text(answer.when, env)}:")
                body += [f"  {line}" for line in lines]
            return [*body, f"return silent({name!r})"]
        bits = {answer.name: 1 << i for i, answer in enumerate(ordered)}
        body = ["b = 0", "n = ''"]
        for answer in ordered:
            test = f"not b & {bits[answer.name]}"
            if answer.when is not None:
                test += f" and {self.expr.text(answer.when, env)}"
            beats = sum(bits[other] for other in answer.beats if other in bits)
            body.append(f"if {test}:")
            if not isinstance(answer, Answer):
                body += [f"  {line}" for line in value(answer)]
            else:
                body.append(f"  r = {self.expr.text(answer.value, env)}")
                body.append(f"  if n and r != q: clash({name!r} + ': ' + n + {(' and ' + answer.name)!r})")
                body.append("  q = r")
            body.append(f"  b |= {beats}; n = {answer.name!r}")
        body.append(f"if not n: silent({name!r})")
        return [*body, "return q" if isinstance(ordered[0], Answer) else "return"]

    # ---- rules -------------------------------------------------------------------------------

    def _rule(self, number: int, rule: Rule) -> None:
        sizes = {len(self.graph.actions[verb.action].params) for verb in rule.verbs}
        alike = len(sizes) < 2  # else the rule names none of their arguments
        given = [f"a{j}" for j in range(max(sizes, default=0))] if alike else ["*_"]
        for i, verb in enumerate(rule.verbs):
            args = [f"a{j}" for j in range(len(self.graph.actions[verb.action].params))]
            tests = self._actor_test(rule) + self._restricted(verb, args)
            if rule.when is not None:
                tests.append(self.expr.text(rule.when, bound(verb, args)))
            self._def(f"s{number}_{i}", ["v", "me", *args], [f"return {' and '.join(tests) or '1'}"])
            if rule.shape in ("may", "must"):
                self._def(f"c{number}_{i}", ["v", "out"], OfferWriter(self.layout, self.expr).offers(rule, verb))
        now = self.facts.now[number]
        if now and rule.shape != "auto":
            self._def(f"w{number}", ["v"], [f"return {' and '.join(self.expr.text(test, {}) for test in now)}"])
        env = bound(rule.verbs[0], given) if alike and rule.verbs else {}
        for word, changes in (("do", rule.do), ("lest", rule.lest)):
            if changes:
                args = ["v", "out", "me", *given]
                self._def(f"{word}{number}", args, self.changes.gathered(changes, env))
        direct = self.changes.direct(rule.do, env) if rule.do else None
        if direct is not None:
            self._def(f"x{number}", ["v", "back", "me", *given], direct)

    def _restricted(self, verb: Verb, args: list[str]) -> list[str]:
        return [f"{arg} == {value}" for value, arg in zip(verb.args, args, strict=True) if isinstance(value, int)]

    def _actor_test(self, rule: Rule) -> list[str]:
        if rule.chance:
            return ["me < 0"]
        if rule.by is None:
            return []
        by = rule.by
        if by.op == "set" and len(by.kids) == 1:
            return [f"me == {self.expr.text(by.kids[0], {})}"]
        if by.op == "const" and by.value == (1 << by.type.size) - 1:
            return ["me >= 0"]
        return [f"me >= 0 and {self.expr.text(by, {})} >> me & 1"]

    def _phases(self) -> None:
        """The permitted actions and automatic rules of each phase; then the facts, for the program."""
        phases = PhaseWriter(self.layout, self.expr, self.facts)
        for number, autos in enumerate(self.facts.autos):
            self._def(f"legal{number}", ["v", "found", "weigh"], phases.legal(number))
            if autos:
                self._def(f"ready{number}", ["v"], phases.ready(number))
        verbs = [{at: tuple(facts) for at, facts in of_phase.items()} for of_phase in self.facts.verbs]
        self.lines.append(f"RULES = {tuple(self.facts.rules)}")
        self.lines.append(f"ONCE = {self.facts.once}")
        self.lines.append(f"VERBS = {verbs}")


def _beaters_first(ways: Sequence[_Way]) -> list[_Way]:
    rest, ordered = list(ways), list[_Way]()
    while rest:
        free = next((a for a in rest if not any(a.name in b.beats for b in rest if b is not a)), rest[0])
        ordered.append(free)
        rest.remove(free)
    return ordered


# --------------------------------------------------------------------------------------------------
# Which questions to memoise: those that depend on few values, and are expensive.

MOST = 5000
"""Maximum memoised answers of a question."""
WORK = 6
"""A question with at most this many parts is not memoised."""
WORK_OF_SETS = 10
"""The same for one that depends on a set, whose cache is cleared now and then."""


class Key(NamedTuple):
    """The parameters and data that determine an answer. ``endless``: they have more than ``MOST`` values together."""

    exprs: tuple[Expr, ...]
    endless: bool


_Env = Mapping[str, Expr | None]
"""Bindings of variables, or None for one determined by the key so far."""


class _TooMuch(Exception):
    """The answer depends on too many values."""


def remembered_by(graph: Graph, define: Define) -> Key | None:
    """The memoisation key of a question, or None if it is not worth it."""
    found: dict[Expr, None] = {}
    env = {p.name: Expr("var", p.type, (), p.name) for p in define.params}
    try:
        work = sum(_decided(graph, expr, env, found) for expr in exprs_of_define(define))
    except _TooMuch:
        return None
    many = math.prod(_values(expr.type) for expr in found if not expr.type.many)
    sets = sum(expr.type.many for expr in found)
    if not found or sets > 1 or many > MOST or work <= (WORK_OF_SETS if sets else WORK):
        return None
    return Key(tuple(found), sets > 0)


def _values(kind: Type) -> int:
    return max(1, kind.size) + len(kind.words)


def _decided(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    """Add the determinants of the expression; return its cost."""
    if expr.op == "during":
        raise _TooMuch
    if expr.op == "var":
        given = env.get(expr.value)
        if given is not None and given.op == "var":
            found[given] = None
        return 1
    if expr.op == "datum":
        return _datum(graph, expr, env, found)
    if expr.op == "ask":
        return _ask(graph, expr, env, found)
    inner = dict(env)
    if expr.op == "quant":
        inner |= {binder.name: None for binder in expr.value.binders}
    return 1 + sum(_decided(graph, part, inner, found) for part in parts(expr))


def _datum(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    index = []
    for kid in expr.kids:
        given = env.get(kid.value) if kid.op == "var" else kid
        if given is None or given.op not in ("const", "var"):
            raise _TooMuch
        index.append(given)
    found[Expr("datum", graph.data[expr.value].type, tuple(index), expr.value)] = None
    return 1


def _ask(graph: Graph, expr: Expr, env: _Env, found: dict[Expr, None]) -> int:
    define = graph.defines[expr.value]
    work = 1
    inner: dict[str, Expr | None] = {}
    for param, kid in zip(define.params, expr.kids, strict=True):
        given = env.get(kid.value) if kid.op == "var" else kid
        if given is not None and given.op in ("const", "var"):
            inner[param.name] = given
        else:
            inner[param.name] = None
            work += _decided(graph, kid, env, found)
    return work + sum(_decided(graph, value, inner, found) for value in exprs_of_define(define))


# ---- One function per phase for the permitted actions, one for the automatic rules -----------


class PhaseWriter:
    """Generates phases."""

    def __init__(self, layout: Layout, expr: ExpressionWriter, facts: Facts) -> None:
        self.names = list(layout.graph.actions)
        self.expr = expr
        self.facts = facts
        self.offers = OfferWriter(layout, expr)

    def legal(self, phase: int) -> list[str]:
        """Lines that list the permitted actions."""
        lines: list[str] = []
        for verb, facts in self.facts.verbs[phase].items():
            if facts.may:
                lines += self._verb(phase, verb, facts)
        return lines

    def _verb(self, phase: int, verb: int, facts: VerbFacts) -> list[str]:
        weighed = f"weigh(v, found, V{phase}_{verb})"
        doubts = [self._when(number) for number in (*facts.live, *facts.maybe)]
        if not facts.alone or "1" in doubts:
            return [weighed]
        follow = " | ".join(f"({1 << i} if {self._when(number)} else 0)" for i, number in enumerate(facts.alike))
        lines = []
        for i, number in enumerate(facts.may):
            rule = self.facts.rules[number]
            lines.append(f"p = P{phase}_{verb}_{i}[{follow or 0}]")
            for named in rule.verbs:
                if named.action == self.names[verb]:
                    lines += self.offers.offers(rule, named, "found[{}] = p")
        if not doubts:
            return lines
        return [f"if {' or '.join(doubts)}:", f"  {weighed}", "else:", *[f"  {line}" for line in lines]]

    def ready(self, phase: int) -> list[str]:
        """Lines that list the automatic rules that apply."""
        lines = ["out = []"]
        for number in self.facts.autos[phase]:
            test = self._when(number)
            lines.append(f"out.append(R{number})" if test == "1" else f"if {test}: out.append(R{number})")
        return [*lines, "return out"]

    def _when(self, number: int) -> str:
        return " and ".join(self.expr.text(test, {}) for test in self.facts.now[number]) or "1"
