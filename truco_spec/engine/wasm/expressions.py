"""Translates expressions of the graph to WebAssembly text, within a function under construction.

Every value is a 64-bit integer, every condition a 32-bit one. Where Python raises an error, the global ``faulted`` is
set and some value in range takes its place; whoever asked looks at it afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import reduce
from typing import ClassVar

from truco_spec.engine.compiled.python import set_apart
from truco_spec.engine.layout import DEPTH, NONE, Layout
from truco_spec.graph.fold import negate
from truco_spec.graph.model import Bound, Expr, Quant
from truco_spec.graph.operations import BUILT, OPERATIONS
from truco_spec.graph.types import FIRST_WORD, Type

POSITION = 65536
"""Address of the position; the tables of the graph lie below it."""

COPIES, COPIED = 4, 1500
"""The most numbers of a loop that is written out, and the most letters of its body."""

AT_ONCE = 300
"""The most letters of a condition that is evaluated where it may not be needed, instead of a jump."""

Env = Mapping[str, str]


def const(value: int) -> str:
    """A constant."""
    return f"(i64.const {value})"


def both(tests: Iterable[str]) -> str:
    """A condition that holds where all of these do, evaluated in order."""
    *first, last = list(tests) or ["(i32.const 1)"]
    for test in reversed(first):
        last = f"(if (result i32) {test} (then {last}) (else (i32.const 0)))"
    return last


def either(tests: Iterable[str]) -> str:
    """A condition that holds where any of these does, evaluated in order."""
    *first, last = list(tests) or ["(i32.const 0)"]
    for test in reversed(first):
        last = f"(if (result i32) {test} (then (i32.const 1)) (else {last}))"
    return last


def at_once(test: str) -> bool:
    """Whether a condition can be evaluated where it may not be needed: it is short, and neither calls nor fails."""
    return len(test) <= AT_ONCE and not re.search(r"call|\(if|block|local\.(set|tee)", test)


def _has(group: str, at: str) -> str:
    """Whether a set has a member, which can be one."""
    return f"(i32.wrap_i64 (i64.and (i64.shr_u {group} {at}) (i64.const 1)))"


def marked(place: str, at: str, test: str) -> str:
    """A statement that adds a member to a set under a condition, without a jump: a processor could not foresee it."""
    return f"(local.set {place} (i64.or (local.get {place}) (i64.shl (i64.extend_i32_u {test}) {at})))"


def when(test: str, lines: str) -> str:
    """A statement under a condition."""
    return f"(if {test} (then {lines}))"


class Function:
    """One function under construction: its parameters, locals and statements."""

    def __init__(self, name: str, params: Sequence[str] = (), result: str = "") -> None:
        self.name, self.params, self.result = name, params, result
        self.locals: list[str] = []
        self.labels = 0
        self.asked: set[str] = set()
        """Calls that are answered once where they are written twice: nothing changes within the function."""

    def local(self, kind: str = "i64") -> str:
        """A fresh local."""
        self.locals.append(f"(local $x{len(self.locals)} {kind})")
        return f"$x{len(self.locals) - 1}"

    def label(self) -> str:
        """A fresh label."""
        self.labels += 1
        return f"$b{self.labels}"

    def text(self, body: str, export: str = "") -> str:
        """The whole function."""
        for call in sorted(self.asked, key=lambda call: (-len(call), call)):
            if "$x" not in call and body.count(call) > 1:
                known, answer = self.local("i32"), self.local()
                first = f"(local.set {known} (i32.const 1)) (local.tee {answer} {call})"
                once = f"(if (result i64) (local.get {known}) (then (local.get {answer})) (else {first}))"
                body = body.replace(call, once)
        params = "".join(f" (param ${name} i64)" for name in self.params)
        result = f" (result {self.result})" if self.result else ""
        exported = f' (export "{export}")' if export else ""
        return f"(func ${self.name}{exported}{params}{result}\n  {' '.join(self.locals)}\n  {body})"


class WasmExpressions:
    """Translates expressions within one function. ``settled`` data always are numbers of their types."""

    def __init__(
        self, layout: Layout, functions: Mapping[str, str], function: Function, settled: Set[str] = frozenset()
    ) -> None:
        self.layout, self.graph, self.functions, self.function = layout, layout.graph, functions, function
        self.settled = settled
        self.full = sum(1 << i for i, card in enumerate(self.graph.cards) if card.present)

    # ---- conditions --------------------------------------------------------------------------

    def test(self, expr: Expr, env: Env) -> str:
        """The expression as a condition (i32)."""
        writer = self.tests.get(expr.op)
        if writer is not None:
            return writer(self, expr, env)
        if expr.op == "quant" and expr.value.word in ("some", "every"):
            return self._exists(expr.value, env)
        if expr.op == "if":
            test, then, other = (self.test(kid, env) for kid in expr.kids)
            return f"(if (result i32) {test} (then {then}) (else {other}))"
        return f"(i64.ne {self.value(expr, env)} (i64.const 0))"

    def _and(self, expr: Expr, env: Env) -> str:
        return both(self.test(kid, env) for kid in expr.kids)

    def _or(self, expr: Expr, env: Env) -> str:
        return either(self.test(kid, env) for kid in expr.kids)

    def _not(self, expr: Expr, env: Env) -> str:
        return f"(i32.eqz {self.test(expr.kids[0], env)})"

    def _compared(self, expr: Expr, env: Env) -> str:
        sign = {"is": "i64.eq", "lt": "i64.lt_s", "le": "i64.le_s"}[expr.op]
        part = self._size_of if OPERATIONS[expr.op].counts else self.value
        return f"({sign} {' '.join(part(kid, env) for kid in expr.kids)})"

    def _typed(self, expr: Expr, env: Env) -> str:
        return f"(i64.gt_s {self.value(expr.kids[0], env)} {const(FIRST_WORD)})"

    def _in(self, expr: Expr, env: Env) -> str:
        item, group = expr.kids
        if group.op == "set" and len(group.kids) <= 4:
            return either(f"(i64.eq {self.value(item, env)} {self.value(kid, env)})" for kid in group.kids)
        low = group.type.low
        place = f"(i64.sub {self.value(item, env)} {const(low)})"
        if self._is_bound(item, env.get(item.value, "")) and low <= item.type.low and item.type.high < low + 64:
            return _has(self.value(group, env), place)
        has = "has_word" if item.type.words or item.type.low < low else "has"
        return f"(call ${has} {self.value(group, env)} {place})"

    def _during(self, expr: Expr, env: Env) -> str:
        number = const(self.layout.number[expr.value])
        return either(f"(i64.eq {self._load(i)} {number})" for i in range(DEPTH))

    tests: ClassVar[Mapping[str, Callable[[WasmExpressions, Expr, Env], str]]] = {
        "and": _and,
        "or": _or,
        "not": _not,
        "is": _compared,
        "lt": _compared,
        "le": _compared,
        "typed": _typed,
        "in": _in,
        "during": _during,
    }

    # ---- values ------------------------------------------------------------------------------

    def value(self, expr: Expr, env: Env) -> str:
        """The expression as a value (i64)."""
        if expr.op in self.tests or (expr.op == "quant" and expr.value.word in ("some", "every")):
            return f"(i64.extend_i32_u {self.test(expr, env)})"
        return self.writers[expr.op](self, expr, env)

    def _const(self, expr: Expr, env: Env) -> str:
        return const(expr.value)

    def _var(self, expr: Expr, env: Env) -> str:
        return env[expr.value]

    def _load(self, slot: int) -> str:
        return f"(i64.load offset={POSITION + 8 * slot} (i32.const 0))"

    def _datum(self, expr: Expr, env: Env) -> str:
        base, terms = self._terms(expr.value, expr.kids, env)
        if not terms:
            return self._load(base)
        index, *more = terms
        for term in more:
            index = f"(i64.add {index} {term})"
        return f"(i64.load offset={POSITION + 8 * base} (i32.wrap_i64 (i64.shl {index} (i64.const 3))))"

    def _terms(self, datum: str, index: tuple[Expr, ...], env: Env) -> tuple[int, list[str]]:
        """Return the first slot, and the offset added to it."""
        block = self.layout.blocks[datum]
        base, terms = block.base, []
        for item, (low, size, stride) in zip(index, block.dims, strict=True):
            text = self.value(item, env)
            fixed = re.fullmatch(r"\(i64\.const (-?\d+)\)", text)
            if fixed and low <= int(fixed[1]) < low + size:
                base += (int(fixed[1]) - low) * stride
                continue
            term = self.inside(item, text, low, low + size - 1, counted_from_low=True)
            terms.append(term if stride == 1 else f"(i64.mul {term} {const(stride)})")
        return base, terms

    def slot(self, datum: str, index: tuple[Expr, ...], env: Env) -> str:
        """The slot of a datum at an index, as a value."""
        base, terms = self._terms(datum, index, env)
        text = const(base)
        for term in terms:
            text = f"(i64.add {text} {term})"
        return text

    def inside(self, item: Expr, text: str, low: int, high: int, *, counted_from_low: bool = False) -> str:
        """The value, checked unless it surely is in this range; optionally less ``low``."""
        kind, from_low = item.type, f"(i64.sub {text} {const(low)})" if low else text
        sure = self._is_bound(item, text) or (item.op == "datum" and item.value in self.settled)
        if sure and low <= kind.low and kind.high <= high:
            return from_low if counted_from_low else text
        place = self.function.local()
        checked = f"(i64.lt_u (local.tee {place} {from_low}) {const(high - low + 1)})"
        found = f"(local.get {place})"
        if not counted_from_low and low:
            found = f"(i64.add {found} {const(low)})"
        missed = const(0 if counted_from_low else low)
        return f"(if (result i64) {checked} (then {found}) (else (call $fault) {missed}))"

    def _is_bound(self, item: Expr, text: str) -> bool:
        """Whether a variable is bound by a loop over the values of its type."""
        return item.op == "var" and not item.type.words and text.startswith("(local.get $x") and not text.endswith(" )")

    def _some(self, text: str) -> str:
        place = self.function.local()
        checked = f"(i64.gt_s (local.tee {place} {text}) {const(NONE)})"
        return f"(if (result i64) {checked} (then (local.get {place})) (else (call $fault) (i64.const 0)))"

    def _size_of(self, expr: Expr, env: Env) -> str:
        text = self.value(expr, env)
        return self._some(text) if expr.type.words else text

    def _ask(self, expr: Expr, env: Env) -> str:
        define = self.graph.defines[expr.value]
        args = [self.given(kid, p.type, env) for kid, p in zip(expr.kids, define.params, strict=True)]
        call = f"(call ${self.functions[expr.value]} {' '.join(args)})"
        self.function.asked.add(call)
        return call

    def given(self, expr: Expr, kind: Type, env: Env) -> str:
        """An argument; checked where it could be outside of the parameter's type."""
        text = self.value(expr, env)
        if kind.many or expr.op == "const" or kind.words:
            return text
        outside = kind.base == "number" and not (kind.low <= expr.type.low and expr.type.high <= kind.high)
        return self.inside(expr, text, kind.low, kind.high) if outside or expr.type.words else text

    def _table(self, expr: Expr, env: Env) -> str:
        return f"(call ${self.functions[expr.value]} {' '.join(self.value(kid, env) for kid in expr.kids)})"

    def _if(self, expr: Expr, env: Env) -> str:
        test, then, other = expr.kids
        return (
            f"(if (result i64) {self.test(test, env)} (then {self.value(then, env)}) (else {self.value(other, env)}))"
        )

    def _calculated(self, expr: Expr, env: Env) -> str:
        a, b = (self._size_of(kid, env) for kid in expr.kids)
        return f"(i64.{expr.op} {a} {b})"

    def _union(self, expr: Expr, env: Env) -> str:
        a, b = (self.value(kid, env) for kid in expr.kids)
        return f"(i64.or {a} {b})"

    def _minus(self, expr: Expr, env: Env) -> str:
        a, b = (self.value(kid, env) for kid in expr.kids)
        return f"(i64.and {a} (i64.xor {b} (i64.const -1)))"

    def _set(self, expr: Expr, env: Env) -> str:
        low, bits = expr.type.low, list[str]()
        for kid in expr.kids:
            text = self.value(kid, env)
            if kid.type.words:
                bits.append(f"(call $bit (i64.sub {text} {const(low)}))")
                continue
            if kid.op == "datum":  # it may not have been given a value yet
                text = self._some(text)
            bits.append(f"(i64.shl (i64.const 1) (i64.sub {text} {const(low)}))")
        found = bits.pop() if bits else const(0)
        for bit in bits:
            found = f"(i64.or {found} {bit})"
        return found

    def _built(self, expr: Expr, env: Env) -> str:
        name, kind, built = expr.value, expr.kids[0].type, BUILT[expr.value]
        part = self._size_of if built.counts else self.value
        texts = [part(kid, env) for kid in expr.kids]
        if built.lookup is not None:
            many = {"seat": self.graph.seats, "team": self.graph.teams, "card": len(self.graph.cards)}[built.wants[0]]
            checked = self.inside(expr.kids[0], texts[0], 0, max(many, 1) - 1)
            return f"(call $built_{name} {checked})"
        if name == "size":
            return f"(i64.popcnt {texts[0]})"
        if name in ("min", "max"):
            return f"(call ${name} {' '.join(texts)})"
        if name == "place":
            return f"(i64.add {texts[0]} {const(1 - kind.low)})"
        step = 1 if name == "next" else -1
        size = max(self.graph.seats, 1) if kind.base == "seat" else kind.size
        at = self.inside(expr.kids[0], texts[0], kind.low, kind.low + size - 1, counted_from_low=True)
        turned = f"(i64.rem_u (i64.add {at} {const(size + step)}) {const(size)})"
        return f"(i64.add {turned} {const(kind.low)})" if kind.low else turned

    # ---- quantifiers -------------------------------------------------------------------------

    def _apart(self, quant: Quant, env: Env) -> tuple[Quant, dict[str, str], list[str]]:
        """The quantifier, its variables, and the statements that work out what does not vary in it."""
        quant, apart = set_apart(self.graph, quant)
        inner, lines = dict(env), []
        for name, value in apart.items():
            place = self.function.local()
            lines.append(f"(local.set {place} {self.value(value, env)})")
            inner[name] = f"(local.get {place} )"  # not bound by a loop: it is checked where it is used
        return quant, inner, lines

    def _loops(self, quant: Quant, env: dict[str, str], body: Callable[[dict[str, str]], str]) -> str:
        """Loops over all binders around ``body``, where the condition of the quantifier holds."""

        def inside(at: int, env: dict[str, str]) -> str:
            if at == len(quant.binders):
                lines = body(env)
                return lines if quant.where is None else when(self.test(quant.where, env), lines)
            binder = quant.binders[at]
            return self.each(binder, env, lambda name: inside(at + 1, {**env, binder.name: f"(local.get {name})"}))

        return inside(0, env)

    def each(self, binder: Bound, env: Env, body: Callable[[str], str]) -> str:
        """A loop over the values of a binder, in their order."""
        kind, name = binder.type, self.function.local()
        if binder.start is None:
            if binder.within is not None:
                mask = self.value(binder.within, env)
            elif kind.base == "card":
                mask = const(self.full)
            else:
                return self.count(name, kind.low, kind.high, body(name))
            return self.of_mask(name, mask, kind.low, body(name))
        start = self.inside(binder.start, self._size_of(binder.start, env), kind.low, kind.high, counted_from_low=True)
        begin, step, group = self.function.local(), self.function.local(), self.function.local()
        place = f"(i64.rem_u (i64.add (local.get {begin}) (local.get {step})) {const(kind.size)})"
        inner = body(name)
        if binder.within is not None:
            inner = when(f"(call $has (local.get {group}) (i64.sub (local.get {name}) {const(kind.low)}))", inner)
        lines = [f"(local.set {begin} {start})"]
        if binder.within is not None:
            lines.append(f"(local.set {group} {self.value(binder.within, env)})")
        inner = f"(local.set {name} (i64.add {place} {const(kind.low)})) {inner}"
        return " ".join(lines) + " " + self.count(step, 0, kind.size - 1, inner)

    def count(self, name: str, low: int, high: int, inner: str) -> str:
        """A loop over the numbers from ``low`` to ``high``; a short one is written out."""
        numbers = range(low, high + 1)
        if len(numbers) <= COPIES and len(inner) <= COPIED:
            given, asked = f"(local.get {name})", self.function.asked
            asked |= {call.replace(given, const(number)) for call in asked for number in numbers}
            return " ".join(inner.replace(given, const(number)) for number in numbers)
        again = self.function.label()
        step = f"(local.set {name} (i64.add (local.get {name}) (i64.const 1)))"
        more = f"(br_if {again} (i64.le_s (local.get {name}) {const(high)}))"
        return f"(local.set {name} {const(low)}) (loop {again} {inner} {step} {more})"

    def of_mask(self, name: str, mask: str, low: int, inner: str) -> str:
        """A loop over the members of a set."""
        whole = re.fullmatch(r"\(i64\.const (\d+)\)", mask)
        if whole and not int(whole[1]) & int(whole[1]) + 1:
            return self.count(name, low, low + int(whole[1]).bit_length() - 1, inner)
        left, end, again = self.function.local(), self.function.label(), self.function.label()
        first = f"(i64.ctz (local.get {left}))"
        value = f"(i64.add {first} {const(low)})" if low else first
        rest = f"(local.set {left} (i64.and (local.get {left}) (i64.sub (local.get {left}) (i64.const 1))))"
        return (
            f"(local.set {left} {mask}) (block {end} (loop {again} (br_if {end} (i64.eqz (local.get {left}))) "
            f"(local.set {name} {value}) {rest} {inner} (br {again})))"
        )

    def _few(self, quant: Quant, env: Env, lines: list[str]) -> list[tuple[str, str]] | None:
        """Return the few values of a binder in their order, each with its condition, so that no jump is needed; None
        otherwise.

        ``lines`` work out what is the same for all.
        """
        binder, *more = quant.binders
        kind, asked = binder.type, [test for test in (quant.where, quant.body) if test is not None]
        if more or kind.base == "card" or kind.size > COPIES:
            return None
        name = f"(local.get {self.function.local()})"
        tests = [self.test(test, {**env, binder.name: name}) for test in asked]
        if not all(map(at_once, tests)):
            return None
        values = [const(kind.low + at) for at in range(kind.size)]
        if binder.start is not None:
            begin = self.function.local()
            start = self._size_of(binder.start, env)
            start = self.inside(binder.start, start, kind.low, kind.high, counted_from_low=True)
            lines.append(f"(local.set {begin} {start})")
            turned = [
                f"(i64.rem_u (i64.add (local.get {begin}) {const(at)}) {const(kind.size)})" for at in range(kind.size)
            ]
            values = [f"(i64.add {one} {const(kind.low)})" for one in turned]
        if binder.within is not None:
            group = self.function.local()
            lines.append(f"(local.set {group} {self.value(binder.within, env)})")
            tests.insert(0, _has(f"(local.get {group})", f"(i64.sub {name} {const(kind.low)})"))
        held = reduce(lambda a, b: f"(i32.and {a} {b})", tests) if tests else "(i32.const 1)"
        return [(value, held.replace(name, value)) for value in values]

    def _exists(self, quant: Quant, env: Env) -> str:
        quant, inner, lines = self._apart(quant, env)
        every, end = quant.word == "every", self.function.label()
        sought = replace(quant, body=negate(quant.body)) if every and quant.body is not None else quant
        few = self._few(sought, inner, lines)
        if few is not None:
            found = reduce(lambda a, b: f"(i32.or {a} {b})", [test for _, test in few])
            found = f"(i32.eqz {found})" if every else found
            return f"(block (result i32) {' '.join(lines)} {found})" if lines else found

        def body(env: dict[str, str]) -> str:
            test = "(i32.const 1)" if quant.body is None else self.test(quant.body, env)
            found = f"(i32.eqz {test})" if every else test
            return when(found, f"(br {end} (i32.const {int(not every)}))")

        loops = self._loops(quant, inner, body)
        return f"(block {end} (result i32) {' '.join(lines)} {loops} (i32.const {int(every)}))"

    def _quant(self, expr: Expr, env: Env) -> str:
        quant, inner, lines = self._apart(expr.value, env)
        found, seen = self.function.local(), self.function.local("i32")
        word, end = quant.word, self.function.label()
        first, low = quant.binders[0].name, quant.binders[0].type.low
        missed = FIRST_WORD if word in ("first", "last") else 0
        few = self._few(quant, inner, lines) if word in ("first", "last") else None
        if few is not None:
            for value, test in few if word == "last" else reversed(few):
                lines.append(f"(local.set {found} (select {value} (local.get {found}) {test}))")
            return f"(block (result i64) (local.set {found} {const(missed)}) {' '.join(lines)} (local.get {found}))"

        def body(env: dict[str, str]) -> str:
            if word in ("highest", "lowest"):
                return self._better(found, seen, quant, env)
            if word == "sum":
                assert quant.body is not None
                return f"(local.set {found} (i64.add (local.get {found}) {self.value(quant.body, env)}))"
            if word == "first":
                done = f"(br {end} {env[first]})"
            elif word == "last":
                done = f"(local.set {found} {env[first]})"
            else:
                test = "(i32.const 1)" if quant.body is None else self.test(quant.body, env)
                if word == "all":
                    return marked(found, f"(i64.sub {env[first]} {const(low)})", test)
                return f"(local.set {found} (i64.add (local.get {found}) (i64.extend_i32_u {test})))"
            return done if quant.body is None else when(self.test(quant.body, env), done)

        loops = self._loops(quant, inner, body)
        lines += [f"(local.set {seen} (i32.const 0))", f"(local.set {found} {const(missed)})"]
        return f"(block {end} (result i64) {' '.join(lines)} {loops} (local.get {found}))"

    def _better(self, found: str, seen: str, quant: Quant, env: dict[str, str]) -> str:
        """Keep the highest or lowest value so far."""
        assert quant.body is not None
        one, sign = self.function.local(), "gt_s" if quant.word == "highest" else "lt_s"
        better = f"(i32.or (i32.eqz (local.get {seen})) (i64.{sign} (local.get {one}) (local.get {found})))"
        kept = f"(local.set {found} (select (local.get {one}) (local.get {found}) {better}))"
        return f"(local.set {one} {self.value(quant.body, env)}) {kept} (local.set {seen} (i32.const 1))"

    writers: ClassVar[Mapping[str, Callable[[WasmExpressions, Expr, Env], str]]] = {
        "const": _const,
        "var": _var,
        "datum": _datum,
        "ask": _ask,
        "table": _table,
        "if": _if,
        "add": _calculated,
        "sub": _calculated,
        "mul": _calculated,
        "union": _union,
        "minus": _minus,
        "set": _set,
        "built": _built,
        "quant": _quant,
    }
