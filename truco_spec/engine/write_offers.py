"""Writes what a rule offers as Python: loops over the actors and the arguments that can fit.

Conditions such as ``c in cards(me)`` or ``x is y`` narrow the loops; each other condition is tested as soon as its
variables are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from truco_spec.engine.layout import NONE, Layout
from truco_spec.engine.python import Source
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Rule, Verb
from truco_spec.graph.types import Type
from truco_spec.graph.walk import walk

Test = tuple[Expr, dict[str, str]]
"""A condition, and what its variables are called."""


class OfferWriter:
    """Writes offers."""

    def __init__(self, layout: Layout, expr: Source) -> None:
        self.graph = layout.graph
        self.expr = expr

    def offers(self, rule: Rule, verb: Verb, to: str = "out.append({})") -> list[str]:
        """Lines for every action of this verb that is possible and the rule speaks of; ``to`` is done with each."""
        action = self.graph.actions[verb.action]
        kind = list(self.graph.actions).index(verb.action)
        args = [f"a{j}" for j in range(len(action.params))]
        env = bound(verb, args)
        possible_env = {"me": "me", **dict(zip((p.name for p in action.params), args, strict=True))}
        tests = [(test, env) for test in conjuncts(rule.when)]
        tests += [(test, possible_env) for test in conjuncts(action.possible)]
        lines: list[str] = []
        depth = ""

        def put(text: str) -> None:
            lines.append(depth + text)

        by = rule.by
        if rule.chance:
            put("me = -1")
        elif by is not None and by.op == "set" and len(by.kids) == 1:
            put(f"me = {self.expr.text(by.kids[0], {})}")
            if self._perhaps_nobody(by.kids[0]):
                put("if me >= 0:")
                depth += "  "
        else:
            assert by is not None
            put(f"for me in BITS[{self.expr.text(by, {})}]:")
            depth += "  "
        free = set(args)
        tests = self._test(tests, free, put)
        if len(lines) > 1 or (lines and lines[-1].lstrip().startswith("if ")):
            depth = self._deeper(lines)
        for j, (param, given) in enumerate(zip(action.params, verb.args, strict=True)):
            arg = args[j]
            if isinstance(given, int):
                put(f"{arg} = {given}")
            else:
                domain, tests = self._narrowed(arg, param.type, tests, free)
                if domain.startswith("="):
                    put(f"{arg} {domain}")
                    if not domain.startswith("=="):
                        put(f"if {self._in_domain(arg, param.type)}:")
                        depth += "  "
                else:
                    put(f"for {arg} in {domain}:")
                    depth += "  "
            free.discard(arg)
            before = len(lines)
            tests = self._test(tests, free, put)
            if len(lines) > before:
                depth = self._deeper(lines)
        put(to.replace("{}", f"ACTIONS[{', '.join([str(kind), 'me', *args])}]"))
        return lines

    def _perhaps_nobody(self, seat: Expr) -> bool:
        """Can a seat be none, or not yet be known?"""
        unset = seat.op == "datum" and self.graph.data[seat.value].first is None
        return bool(seat.type.words) or unset

    def _deeper(self, lines: list[str]) -> str:
        line = lines[-1]
        indent = line[: len(line) - len(line.lstrip())]
        return indent + "  " if line.rstrip().endswith(":") else indent

    def _test(self, tests: list[Test], free: set[str], put: Callable[[str], None]) -> list[Test]:
        """Put the tests whose variables are all bound; give back the others."""
        ready = [(e, env) for e, env in tests if not self._waits(e, env, free)]
        if ready:
            put(f"if {' and '.join(self.expr.text(e, env) for e, env in ready)}:")
        return [pair for pair in tests if pair not in ready]

    def _waits(self, expr: Expr, env: Mapping[str, str], free: set[str]) -> bool:
        return any(node.op == "var" and env.get(node.value) in free for node in walk(expr))

    def _in_domain(self, arg: str, kind: Type) -> str:
        test = f"{kind.low} <= {arg} <= {kind.high}"
        return test if not kind.words else f"({test} or {arg} <= {NONE})"

    def _narrowed(self, arg: str, kind: Type, tests: list[Test], free: set[str]) -> tuple[str, list[Test]]:
        """What the argument runs through, and the tests that are left."""

        def is_arg(expr: Expr, env: Mapping[str, str]) -> bool:
            return expr.op == "var" and env.get(expr.value) == arg

        others = free - {arg}
        for pair in tests:
            expr, env = pair
            rest = [other for other in tests if other is not pair]
            if expr.op == "in" and is_arg(expr.kids[0], env) and not kind.words:
                group = expr.kids[1]
                if not self._waits(group, env, free) and group.type.low == kind.low == 0:
                    return f"BITS[{self.expr.text(group, env)}]", rest
            if expr.op == "is":
                for a, b in (expr.kids, expr.kids[::-1]):
                    if self._waits(b, env, others | {arg}):
                        continue
                    if is_arg(a, env):
                        return f"= {self.expr.text(b, env)}", rest
                    if a.op == "built" and a.value == "place" and is_arg(a.kids[0], env):
                        return f"= {self.expr.text(b, env)} - {1 - kind.low}", rest
        if kind.base == "card":
            return "PACK", tests
        words = [self.graph.words[word] for word in sorted(kind.words)]
        if words:
            return str((*range(kind.low, kind.high + 1), *words) if kind.base else tuple(words)), tests
        return f"range({kind.low}, {kind.high + 1})", tests


def bound(verb: Verb, args: list[str]) -> dict[str, str]:
    """What the names that a verb binds are called."""
    names = {name: arg for name, arg in zip(verb.args, args, strict=True) if isinstance(name, str)}
    return {"me": "me", **names}
