"""Writes a graph as one Python module: a function for each question, effect, condition and change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from truco_spec.engine.layout import DEPTH, NONE, UNSET, Layout
from truco_spec.engine.python import Source
from truco_spec.graph import fold
from truco_spec.graph.model import (
    ActionKind,
    Answer,
    Apply,
    Assign,
    Change,
    Define,
    Effect,
    Expr,
    Graph,
    Move,
    Rule,
    Turn,
    Verb,
)
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, walk

SET, ADD, CARD, PILE, THEN, ASK, RESUME = range(7)
"""The kinds of change: (SET, slot, value), (ADD, slot, amount), (CARD, card, slot), (PILE, mask, slot), (THEN, phase) …"""


def function_names(graph: Graph) -> dict[str, str]:
    """What the questions of a graph are called in its module."""
    names = {name: f"d{i}" for i, name in enumerate(graph.defines)}
    return names | {name: f"t{i}" for i, name in enumerate(graph.tables)}


class Writer:
    """Writes the module of one graph."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.functions = function_names(self.graph)
        self.effects = {name: f"e{i}" for i, name in enumerate(self.graph.effects)}
        self.expr = Source(layout, self.functions)
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
        for number, rule in enumerate(self.graph.rules.values()):
            self._rule(number, rule)
        self._openings()
        self._once()
        return "\n".join(self.lines) + "\n"

    def _def(self, name: str, params: Iterable[str], body: list[str]) -> None:
        self.lines.append(f"def {name}({', '.join(params)}):")
        self.lines += [f"  {line}" for line in body or ["pass"]]

    # ---- questions and effects ---------------------------------------------------------------

    def _define(self, define: Define) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(define.params)}

        def value(answer: Answer | Turn) -> list[str]:
            assert isinstance(answer, Answer)
            return [f"r = {self.expr.text(answer.value, env)}"]

        body = self._resolved(define.answers, env, value, "return r", define.name)
        self._def(self.functions[define.name], ["v", *env.values()], body)

    def _effect(self, effect: Effect) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(effect.params)}

        def value(turn: Answer | Turn) -> list[str]:
            assert isinstance(turn, Turn)
            return self._changes(turn.changes, env)

        body = self._resolved(effect.turns, env, value, "return", effect.name)
        self._def(self.effects[effect.name], ["v", "out", *env.values()], body)

    def _resolved(
        self,
        answers: tuple[Answer, ...] | tuple[Turn, ...],
        env: Mapping[str, str],
        value: object,
        done: str,
        name: str,
    ) -> list[str]:
        """Exceptions before what they beat. Where two that could apply together do not beat each other, both are looked at."""
        ordered = _beaters_first(list(answers))
        chain = all(
            a.name in b.beats or b.name in a.beats for i, a in enumerate(ordered) for b in ordered[i + 1 :]
        )
        body: list[str] = []
        if chain:
            for answer in ordered:
                lines = [*value(answer), done]  # type: ignore[operator]
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
            body += [f"  {line}" for line in value(answer)]  # type: ignore[operator]
            if isinstance(answer, Answer):
                body.append(f"  if n and r != q: clash({name!r} + ': ' + n + {(' and ' + answer.name)!r})")
                body.append("  q = r")
            body.append(f"  b |= {beats}; n = {answer.name!r}")
        body.append(f"if not n: silent({name!r})")
        return [*body, "return q" if isinstance(ordered[0], Answer) else "return"]

    # ---- changes -----------------------------------------------------------------------------

    def _changes(self, changes: Iterable[Change], env: Mapping[str, str]) -> list[str]:
        lines = []
        for change in changes:
            if isinstance(change, Assign):
                slot = self.expr.slot(change.datum, change.index, env)
                value = self.expr.text(change.value, env)
                target = self.graph.data[change.datum].type
                if change.sign == "=" and change.value.type.words - target.words:
                    words = ", ".join(str(self.graph.words[word]) for word in sorted(target.words))
                    value = f"fit({value}, ({words},))" if words else f"some({value})"
                if change.sign == "=":
                    lines.append(f"out.append(({SET}, {slot}, {value}))")
                else:
                    lines.append(f"out.append(({ADD}, {slot}, {'-' if change.sign == '-=' else ''}{value}))")
            elif isinstance(change, Move):
                slot = self.expr.slot(change.place, change.index, env)
                what = self.expr.text(change.what, env)
                if change.what.type.many:
                    lines.append(f"out.append(({PILE}, {what}, {slot}))")
                else:
                    if change.what.type.words:
                        what = f"some({what})"
                    lines.append(f"out.append(({CARD}, {what}, {slot}))")
            elif isinstance(change, Apply):
                effect = self.graph.effects[change.effect]
                given = zip(change.args, effect.params, strict=True)
                args = ", ".join(["v", "out", *(self.expr._given(a, p.type, env) for a, p in given)])
                lines.append(f"{self.effects[change.effect]}({args})")
            elif change.word == "resume":
                lines.append(f"out.append(({RESUME},))")
            else:
                kind = THEN if change.word == "then" else ASK
                lines.append(f"out.append(({kind}, {self.layout.number[change.phase]}))")
        return lines

    # ---- rules -------------------------------------------------------------------------------

    def _rule(self, number: int, rule: Rule) -> None:
        first_args: list[str] = []
        for i, verb in enumerate(rule.verbs):
            action = self.graph.actions[verb.action]
            args = [f"a{j}" for j in range(len(action.params))]
            env = self._bound(verb, args)
            tests = self._actor_test(rule) + self._restricted(verb, args)
            if rule.when is not None:
                tests.append(self.expr.text(rule.when, env))
            self._def(f"s{number}_{i}", ["v", "me", *args], [f"return {' and '.join(tests) or '1'}"])
            first_args = first_args or args
        if rule.shape in ("may", "must"):
            body = []
            for verb in rule.verbs:
                body += self._offers(number, rule, verb)
            self._def(f"c{number}", ["v", "out"], body)
        if not rule.verbs and rule.when is not None:
            self._def(f"w{number}", ["v"], [f"return {self.expr.text(rule.when, {})}"])
        env = self._bound(rule.verbs[0], first_args) if rule.verbs else {}
        for word, changes in (("do", rule.do), ("lest", rule.lest)):
            if changes:
                self._def(f"{word}{number}", ["v", "out", "me", *first_args], self._changes(changes, env))

    def _bound(self, verb: Verb, args: list[str]) -> dict[str, str]:
        bound = {name: arg for name, arg in zip(verb.args, args, strict=True) if isinstance(name, str)}
        return {"me": "me", **bound}

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

    def _offers(self, number: int, rule: Rule, verb: Verb) -> list[str]:
        """Loops over the actors and the arguments that can fit; conditions such as ``c in X`` narrow the loops."""
        action = self.graph.actions[verb.action]
        kind = list(self.graph.actions).index(verb.action)
        args = [f"a{j}" for j in range(len(action.params))]
        env = self._bound(verb, args)
        possible_env = {"me": "me", **dict(zip((p.name for p in action.params), args, strict=True))}
        tests = [(test, env) for test in _conjuncts(rule.when)] + [(t, possible_env) for t in _conjuncts(action.possible)]
        lines: list[str] = []
        depth = ""

        def put(text: str) -> None:
            lines.append(depth + text)

        by = rule.by
        if rule.chance:
            put("me = -1")
        elif by is not None and by.op == "set" and len(by.kids) == 1:
            put(f"me = {self.expr.text(by.kids[0], {})}")
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
        given_args = f"({', '.join(args)}{',' if len(args) == 1 else ''})"
        put(f"out.append((me, {kind}, {given_args}))")
        return lines

    def _deeper(self, lines: list[str]) -> str:
        line = lines[-1]
        indent = line[: len(line) - len(line.lstrip())]
        return indent + "  " if line.rstrip().endswith(":") else indent

    def _test(self, tests: list[tuple[Expr, dict[str, str]]], free: set[str], put: object) -> list[tuple[Expr, dict[str, str]]]:
        """Put the tests whose variables are all bound; give back the others."""
        ready = [(e, env) for e, env in tests if not self._waits(e, env, free)]
        if ready:
            put(f"if {' and '.join(self.expr.text(e, env) for e, env in ready)}:")  # type: ignore[operator]
        return [pair for pair in tests if pair not in ready]

    def _waits(self, expr: Expr, env: Mapping[str, str], free: set[str]) -> bool:
        return any(node.op == "var" and env.get(node.value) in free for node in walk(expr))

    def _in_domain(self, arg: str, kind: Type) -> str:
        test = f"{kind.low} <= {arg} <= {kind.high}"
        return test if not kind.words else f"({test} or {arg} <= {NONE})"

    def _narrowed(
        self, arg: str, kind: Type, tests: list[tuple[Expr, dict[str, str]]], free: set[str]
    ) -> tuple[str, list[tuple[Expr, dict[str, str]]]]:
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
            return f"BITS[{self.expr.full}]", tests
        words = [self.graph.words[word] for word in sorted(kind.words)]
        if words:
            return str((*range(kind.low, kind.high + 1), *words) if kind.base else tuple(words)), tests
        return f"range({kind.low}, {kind.high + 1})", tests

    # ---- first values ------------------------------------------------------------------------

    def _openings(self) -> None:
        for number, phase in enumerate(self.layout.phases):
            if self.layout.scopes.get(phase):
                self._def(f"open{number}", ["v"], self._first_values(phase, self.layout.resets(phase)))
        everything = [name for name in self.graph.data if name != self.graph.pack]
        begin = [f"v[{i}] = -1" for i in range(DEPTH)]
        for name in self.layout.ordered(everything):
            begin += self._first(name, start=True)
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None:
            begin.append(f"v[{pack.base}] = {self.expr.full}")
            begin += [f"v[{self.layout.cards_at + i}] = {pack.base}" for i in range(len(self.graph.cards))]
        self._def("begin", ["v"], begin)

    def _first_values(self, phase: str, names: tuple[str, ...]) -> list[str]:
        """All cards in these places go back to the pack; then each datum gets its first value.

        A datum of a scope within this one, whose first value has to be worked out, waits unset until its own scope opens.
        """
        lines = []
        pack = self.layout.blocks.get(self.graph.pack)
        places = [n for n in names if self.graph.data[n].type.place]
        if pack is not None and places:
            lines.append(f"m = v[{pack.base}]")
            lines.append(f"for c in BITS[{self.expr.full} & ~m]:")
            slots = [s for n in places for s in range(self.layout.blocks[n].base, self.layout.blocks[n].base + self.layout.blocks[n].count)]
            everywhere = all(s in slots for s in self.layout.place_of if s != pack.base)
            if everywhere:
                lines.append(f"  v[c + {self.layout.cards_at}] = {pack.base}")
                lines.append(f"v[{pack.base}] = {self.expr.full}")
            else:
                lines.append(f"  if v[c + {self.layout.cards_at}] in {{{', '.join(map(str, slots))}}}:")
                lines.append(f"    v[c + {self.layout.cards_at}] = {pack.base}; m |= 1 << c")
                lines.append(f"v[{pack.base}] = m")
        for name in names:
            lines += self._first(name, start=self.graph.data[name].fresh != phase)
        return lines

    def _first(self, name: str, start: bool = False) -> list[str]:
        block = self.layout.blocks[name]
        first = block.datum.first
        same = first is None or first.op == "const"
        if same or (start and data_read(self.graph, [first] if first is not None else [])):
            value = first.value if first is not None and first.op == "const" else UNSET
            if block.count == 1:
                return [f"v[{block.base}] = {value}"]
            return [f"v[{block.base}:{block.base + block.count}] = [{value}] * {block.count}"]
        assert first is not None
        lines = []
        for index in block.indices():
            env = {p.name: str(i) for p, i in zip(block.datum.params, index, strict=True)}
            lines.append(f"v[{block.slot(index)}] = {self.expr.text(first, env)}")
        return lines

    def _once(self) -> None:
        """The slots that at-once rules read."""
        slots: set[int] = set()
        for rule in self.graph.rules.values():
            if rule.shape == "once":
                read = data_read(self.graph, [rule.when] if rule.when is not None else [])
                for name in read:
                    if name:
                        block = self.layout.blocks[name]
                        slots |= set(range(block.base, block.base + block.count))
                    else:
                        slots |= set(range(DEPTH))
        self.lines.append(f"ONCE_SLOTS = frozenset({sorted(slots)})")


def _conjuncts(expr: Expr | None) -> list[Expr]:
    if expr is None or fold.is_yes(expr):
        return []
    return list(expr.kids) if expr.op == "and" else [expr]


def _beaters_first(answers: list[Answer] | list[Turn]) -> list[Answer | Turn]:
    rest: list[Answer | Turn] = list(answers)
    ordered: list[Answer | Turn] = []
    while rest:
        free = next((a for a in rest if not any(a.name in b.beats for b in rest if b is not a)), rest[0])
        ordered.append(free)
        rest.remove(free)
    return ordered


__all__ = ["ADD", "ASK", "CARD", "PILE", "RESUME", "SET", "THEN", "ActionKind", "Writer"]
