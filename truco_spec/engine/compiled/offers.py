"""Generates code for the offers of a rule: loops over the possible actors and arguments.

Conditions such as ``c in cards(me)`` or ``x is y`` narrow the loops; each other condition is tested as soon as its
variables are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from truco_spec.engine.compiled.python import ExpressionWriter
from truco_spec.engine.layout import DEPTH, NONE, Layout, unset
from truco_spec.engine.support import ACTORS
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Rule, Verb
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, walk

Test = tuple[Expr, dict[str, str]]
"""A condition, and the names of its variables."""


class OfferWriter:
    """Generates offers."""

    def __init__(self, layout: Layout, expr: ExpressionWriter) -> None:
        self.graph = layout.graph
        self.expr = expr

    def offers(self, rule: Rule, verb: Verb, to: str = "out.append({})") -> list[str]:
        """Lines that apply ``to`` to every possible action of this verb that the rule covers."""
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
        if rule.outsider:
            put(f"me = {ACTORS[rule.outsider]}")
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
        """Whether a seat can be none or unset."""
        unset = seat.op == "datum" and self.graph.data[seat.value].first is None
        return bool(seat.type.words) or unset

    def _deeper(self, lines: list[str]) -> str:
        line = lines[-1]
        indent = line[: len(line) - len(line.lstrip())]
        return indent + "  " if line.rstrip().endswith(":") else indent

    def _test(self, tests: list[Test], free: set[str], put: Callable[[str], None]) -> list[Test]:
        """Emit the tests whose variables are all bound; return the others."""
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
        """The range of the argument, and the remaining tests."""

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
    """The names of a verb's bindings."""
    names = {name: arg for name, arg in zip(verb.args, args, strict=True) if isinstance(name, str)}
    return {"me": "me", **names}


# --------------------------------------------------------------------------------------------------
# Generates code that opens a scope: its data are initialised, and its cards go back to the pack.

FEW = 24
"""Up to this many slots are recorded one by one, changed or not."""


class OpeningWriter:
    """Generates the openings of scopes, and the initial position."""

    def __init__(self, layout: Layout, expr: ExpressionWriter) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.expr = expr

    def opening(self, phase: str) -> list[str]:
        """Lines that open the scope of a phase and record the old values in ``back``."""
        names = self.layout.resets(phase)
        slots = self._slots(names)
        places = [name for name in names if self.graph.data[name].type.place]
        lines = self._first_values(phase, names, places)
        if not slots:
            return []
        if not places and len(slots) <= FEW:
            return [f"back += ({', '.join(f'{i}, v[{i}]' for i in slots)},)", *lines]
        noted = ["now = v[:]", "for i, old in enumerate(before):", "  if now[i] != old: back += (i, old)"]
        return ["before = v[:]", *lines, *noted]

    def beginning(self) -> list[str]:
        """Lines that fill the initial position."""
        lines = [f"v[{i}] = -1" for i in range(DEPTH)]
        for name in self.layout.ordered([name for name in self.graph.data if name != self.graph.pack]):
            lines += self._first(name, waits=True)
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None:
            at, count = self.layout.cards_at, len(self.graph.cards)
            lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
        return lines

    def _slots(self, names: tuple[str, ...] | list[str]) -> list[int]:
        blocks = [self.layout.blocks[name] for name in names]
        return [slot for block in blocks for slot in range(block.base, block.base + block.count)]

    def _first_values(self, phase: str, names: tuple[str, ...], places: list[str]) -> list[str]:
        """Return all cards in these places to the pack; then initialise each datum.

        A datum of an inner scope with a computed initial value stays unset until its own scope opens.
        """
        lines = []
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None and places:
            slots, at, count = self._slots(places), self.layout.cards_at, len(self.graph.cards)
            if all(slot in slots for slot in self.layout.place_of if slot != pack.base):
                lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
            else:
                lines += [
                    f"m = v[{pack.base}]",
                    f"for c in BITS[{self.expr.full} & ~m]:",
                    f"  if v[c + {at}] in {{{', '.join(map(str, slots))}}}:",
                    f"    v[c + {at}] = {pack.base}; m |= 1 << c",
                    f"v[{pack.base}] = m",
                ]
        for name in names:
            lines += self._first(name, waits=self.graph.data[name].fresh != phase)
        return lines

    def _first(self, name: str, waits: bool) -> list[str]:
        block = self.layout.blocks[name]
        first = block.datum.first
        if first is None or first.op == "const" or (waits and data_read(self.graph, [first])):
            value = first.value if first is not None and first.op == "const" else unset(block.datum.type)
            if block.count == 1:
                return [f"v[{block.base}] = {value}"]
            return [f"v[{block.base}:{block.base + block.count}] = [{value}] * {block.count}"]
        lines = []
        for index in block.indices():
            env = {p.name: str(i) for p, i in zip(block.datum.params, index, strict=True)}
            lines.append(f"v[{block.slot(index)}] = {self.expr.text(first, env)}")
        return lines
