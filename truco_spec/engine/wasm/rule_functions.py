"""Writes the functions of rules: when they speak, what they offer, what they change; and how scopes begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from truco_spec.engine.layout import DEPTH, NONE, unset
from truco_spec.engine.support import ACTORS, THEN
from truco_spec.engine.wasm.definitions import DefinitionWriter, op
from truco_spec.engine.wasm.expressions import Env, Function, WasmExpressions, both, const, either, when
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Expr, Rule, Verb
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, walk

ACTOR_AT, ARGS_AT = 8, (16, 32)
"""An action as one number: its kind, and from these bits on its actor + 1 and up to two arguments of 16 bits."""


class RuleWriter(DefinitionWriter):
    """Adds the rules."""

    # ---- rules -------------------------------------------------------------------------------

    def _rule(self, number: int, rule: Rule) -> None:
        if not rule.verbs:
            function = Function(f"w{number}", [], "i32")
            expr = self._expr(function)
            self._put(function, both(expr.test(test, {}) for test in conjuncts(rule.when)))
        for i, verb in enumerate(rule.verbs):
            function = Function(f"s{number}_{i}", self._given(verb.action), "i32")
            expr = self._expr(function)
            self._put(function, both([*self._actor(rule, expr), *self._speaks(rule, verb, expr)]))
            if rule.shape in ("may", "must"):
                self._offers(number, i, rule, verb)
        if rule.shape == "must":
            calls = " ".join(f"(call $o{number}_{i})" for i in range(len(rule.verbs)))
            body = f"(local.set $before (global.get $count)) {calls} (call $any_of (local.get $before) (local.get $me))"
            function = Function(f"b{number}", ["me"], "i32")
            function.locals.append("(local $before i32)")
            self._put(function, body)
        params = ["me"] + [
            f"a{j}" for j in range(max((len(self.graph.actions[v.action].params) for v in rule.verbs), default=0))
        ]
        env = bound(rule.verbs[0]) if rule.verbs else {"me": "(local.get $me)"}
        sizes = {len(self.graph.actions[verb.action].params) for verb in rule.verbs}
        env = env if len(sizes) < 2 else {"me": "(local.get $me)"}
        for word, changes in (("do", rule.do), ("lest", rule.lest)):
            function = Function(f"{word}{number}", params)
            lines = self._noted(number)
            self._put(function, " ".join([*lines, self._changes(changes, env, self._expr(function))]))
            direct, way = (
                self._direct(Function(f"x{number}", params), [(changes, env)], lines) if word == "do" else ("", None)
            )
            if direct:
                self.alone[number] = way
                self.made.append(direct)

    def _noted(self, number: int) -> list[str]:
        """That a rule has fired."""
        woken = ["(global.set $woken (i32.const 1))"] if self.wakes(self.facts.rules[number]) else []
        return [f"(call $note {const(number)})", *woken]

    def _speaks(self, rule: Rule, verb: Verb, expr: WasmExpressions) -> list[str]:
        """The conditions under which a rule speaks of an action, but for who does it."""
        tests = [f"(i64.eq (local.get $a{j}) {const(arg)})" for j, arg in enumerate(verb.args) if isinstance(arg, int)]
        return [*tests, *(expr.test(test, bound(verb)) for test in conjuncts(rule.when))]

    def _actor(self, rule: Rule, expr: WasmExpressions) -> list[str]:
        if rule.outsider:
            return [f"(i64.eq (local.get $me) {const(ACTORS[rule.outsider])})"]
        if rule.by is None:
            return []
        by = rule.by
        if by.op == "set" and len(by.kids) == 1:
            return [f"(i64.eq (local.get $me) {expr.value(by.kids[0], {})})"]
        seated = "(i64.ge_s (local.get $me) (i64.const 0))"
        if by.op == "const" and by.value == (1 << by.type.size) - 1:
            return [seated]
        bit = f"(i64.and (i64.shr_u {expr.value(by, {})} (local.get $me)) (i64.const 1))"
        return [seated, f"(i32.wrap_i64 {bit})"]

    def _offers(self, number: int, i: int, rule: Rule, verb: Verb) -> None:
        """A function that lists every action of a verb that the rule covers."""
        function = Function(f"o{number}_{i}")
        expr, kind = self._expr(function), self.graph.actions[verb.action]
        me, args = function.local(), [function.local() for _ in kind.params]
        bind = {"me": f"(local.get {me})"}
        named = bind | {
            name: f"(local.get {a})" for name, a in zip(verb.args, args, strict=True) if isinstance(name, str)
        }
        own = bind | {p.name: f"(local.get {a})" for p, a in zip(kind.params, args, strict=True)}
        tests = [(test, named) for test in conjuncts(rule.when)] + [(test, own) for test in conjuncts(kind.possible)]

        def ready(free: set[str]) -> list[str]:
            now = [pair for pair in tests if not waits(*pair, free)]
            for pair in now:
                tests.remove(pair)
            return [expr.test(*pair) for pair in now]

        def args_from(j: int) -> str:
            if j == len(args):
                return f"(call $offer {key(self.kinds.index(verb.action), me, args)})"
            free = set(args[j + 1 :])
            return self._argument(
                args[j], kind.params[j].type, verb.args[j], tests, free, expr, lambda: guarded(j, free)
            )

        def guarded(j: int, free: set[str]) -> str:
            found = ready(free)
            inner = args_from(j + 1)
            return when(both(found), inner) if found else inner

        def acted() -> str:
            found = ready(set(args))
            inner = args_from(0)
            return when(both(found), inner) if found else inner

        now = ready({me, *args})
        actors = self._by(rule, me, expr, acted)
        self._put(function, when(both(now), actors) if now else actors)

    def _by(self, rule: Rule, me: str, expr: WasmExpressions, inner: Callable[[], str]) -> str:
        """A loop over the actors of a rule."""
        if rule.outsider:
            return f"(local.set {me} {const(ACTORS[rule.outsider])}) {inner()}"
        assert rule.by is not None
        if rule.by.op == "set" and len(rule.by.kids) == 1:
            seat = expr.value(rule.by.kids[0], {})
            seated = f"(i64.ge_s (local.get {me}) (i64.const 0))"
            return f"(local.set {me} {seat}) {when(seated, inner())}"
        return expr.of_mask(me, expr.value(rule.by, {}), 0, inner())

    def _argument(
        self,
        arg: str,
        kind: Type,
        given: str | int,
        tests: list[tuple[Expr, dict[str, str]]],
        free: set[str],
        expr: WasmExpressions,
        inner: Callable[[], str],
    ) -> str:
        """A loop over the values of an argument, narrowed by a condition that decides it."""
        if isinstance(given, int):
            return f"(local.set {arg} {const(given)}) {inner()}"

        def is_arg(one: Expr, env: Env) -> bool:
            return one.op == "var" and env.get(one.value) == f"(local.get {arg})"

        for pair in list(tests):
            test, env = pair
            if test.op == "in" and is_arg(test.kids[0], env) and not kind.words:
                group = test.kids[1]
                if group.type.low == kind.low and not waits(group, env, {*free, arg}):
                    tests.remove(pair)
                    return expr.of_mask(arg, expr.value(group, env), kind.low, inner())
            for a, b in (test.kids, test.kids[::-1]) if test.op == "is" else ():
                if is_arg(a, env) and not waits(b, env, {*free, arg}):
                    tests.remove(pair)
                    return f"(local.set {arg} {expr.value(b, env)}) {when(self._in_domain(arg, kind), inner())}"
        if kind.base == "card":
            return expr.of_mask(arg, const(expr.full), 0, inner())
        if not kind.words:
            return expr.count(arg, kind.low, kind.high, inner())
        values = [
            *(range(kind.low, kind.high + 1) if kind.base else ()),
            *(self.graph.words[w] for w in sorted(kind.words)),
        ]
        address, at = self._numbers(values), expr.function.local()
        load = f"(i64.load offset={address} (i32.wrap_i64 (i64.shl (local.get {at}) (i64.const 3))))"
        return expr.count(at, 0, len(values) - 1, f"(local.set {arg} {load}) {inner()}")

    def _in_domain(self, arg: str, kind: Type) -> str:
        fits = [f"(i64.lt_u (i64.sub (local.get {arg}) {const(kind.low)}) {const(kind.size)})"]
        words = (self.graph.words[word] for word in sorted(kind.words))
        return either([*fits, *(f"(i64.eq (local.get {arg}) {const(word)})" for word in words)])

    # ---- scopes ------------------------------------------------------------------------------

    def _opening(self, phase: str, function: Function) -> str:
        """Statements that begin the scope of a phase."""
        if not self.layout.scopes.get(phase):
            return ""
        names, lines, expr = self.layout.resets(phase), list[str](), self._expr(function)
        places = [name for name in names if self.graph.data[name].type.place]
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None and places:
            blocks = [self.layout.blocks[name] for name in names]
            slots = [slot for block in blocks for slot in range(block.base, block.base + block.count)]
            flags = self._numbers([int(slot in slots) for slot in range(self.layout.size)])
            lines.append(f"(call $gather {const(pack.base)} {const(expr.full)} (i32.const {flags}))")
        for name in names:
            lines += self._first(name, waits=self.graph.data[name].fresh != phase, expr=expr)
        return " ".join(lines)

    def _first(self, name: str, *, waits: bool, expr: WasmExpressions) -> list[str]:
        block = self.layout.blocks[name]
        first = block.datum.first
        if first is None or first.op == "const" or (waits and data_read(self.graph, [first])):
            value = first.value if first is not None and first.op == "const" else unset(block.datum.type)
            return [write(block.base + i, const(value)) for i in range(block.count)]
        lines = []
        for index in block.indices():
            env = {p.name: const(i) for p, i in zip(block.datum.params, index, strict=True)}
            lines.append(write(block.slot(index), expr.value(first, env)))
        expr.function.asked.clear()  # each may be answered otherwise after what is written before it
        return lines

    def _begin(self) -> None:
        """The position before the first phase; the host may then set data, and calls ``start``."""
        function = Function("begin")
        expr, lines = self._expr(function), [write(i, const(NONE)) for i in range(self.layout.size)]
        lines += [write(i, const(-1)) for i in range(DEPTH)]
        for name in self.layout.ordered([name for name in self.graph.data if name != self.graph.pack]):
            lines += self._first(name, waits=True, expr=expr)
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None:
            lines.append(write(pack.base, const(expr.full)))
            lines += [write(self.layout.cards_at + i, const(pack.base)) for i in range(len(self.graph.cards))]
        self._put(function, " ".join([*lines, "(global.set $journal (i32.const 0))"]), "begin")

    def _then(self) -> None:
        """Where the game goes on: the stack of phases, and the scope that begins."""
        below = " ".join(write(i, const(-1)) for i in range(1, DEPTH))
        cases = {}
        for number, phase in enumerate(self.layout.phases):
            lines = [below] if phase in self.layout.ground else []
            lines.append(write(0, const(number)))
            if self.layout.scopes.get(phase):
                lines.append(f"(call $open{number})")
            self._put(Function(f"then{number}"), " ".join(lines))
            cases[number] = f"(return (call $then{number}))"
        self._put(Function("then", ["phase"]), switch(cases, len(cases), "(i32.wrap_i64 (local.get $phase))"))
        first = next(iter(self.layout.number.values()))
        start = [f"(global.set ${name} (i32.const 0))" for name in ("ops", "fired", "steps", "faulted")]
        start += [op(THEN, const(first), const(0)), "(global.set $woken (i32.const 1))"]
        start += ["(call $note_step)", "(call $apply)", "(call $settle)", "(global.get $faulted)"]
        self._put(Function("start", [], "i32"), " ".join(start), "start")


def bound(verb: Verb) -> dict[str, str]:
    names = {name: f"(local.get $a{j})" for j, name in enumerate(verb.args) if isinstance(name, str)}
    return {"me": "(local.get $me)", **names}


def waits(expr: Expr, env: Env, free: set[str]) -> bool:
    return any(node.op == "var" and env.get(node.value, "")[11:-1] in free for node in walk(expr))


def write(slot: int, value: str) -> str:
    return f"(call $put {const(slot)} {value})"


def key(kind: int, me: str, args: Sequence[str]) -> str:
    """An action as one number."""
    numbered = f"(i64.and (i64.add (local.get {me}) (i64.const 1)) (i64.const 255))"
    key = f"(i64.or {const(kind)} (i64.shl {numbered} {const(ACTOR_AT)}))"
    for arg, at in zip(args, ARGS_AT, strict=False):
        key = f"(i64.or {key} (i64.shl (i64.and (local.get {arg}) (i64.const 65535)) {const(at)}))"
    return key


def switch(cases: Mapping[int, str], count: int, number: str = "") -> str:
    """Statements by a number, of an action if no other is given; those after it where it has none."""
    number = number or "(i32.wrap_i64 (i64.and (local.get $key) (i64.const 255)))"
    labels = " ".join(f"$n{at}" if at in cases else "$none" for at in range(count))
    text = f"(br_table {labels} $none {number})"
    for at, case in cases.items():
        text = f"(block $n{at} {text}) {case}"
    return f"(block $none {text})"


def reset() -> str:
    return "(global.set $ops (i32.const 0))"
