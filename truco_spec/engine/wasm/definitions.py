"""Writes the definitions of a module: tables, questions, effects, and the changes that rules make.

The text under construction is kept by :class:`DefinitionWriter`; the rules and the phases are written by its heirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from truco_spec.engine.compiled.program import waking
from truco_spec.engine.compiled.write import beaters_first, is_chain
from truco_spec.engine.facts import Facts, Key
from truco_spec.engine.layout import NONE, Layout
from truco_spec.engine.support import ADD, ASK, CARD, PILE, RESUME, SET, THEN
from truco_spec.engine.wasm.expressions import Env, Function, WasmExpressions, both, const, either, when
from truco_spec.graph.model import Answer, Apply, Assign, Change, Define, Expr, Move, Turn, Way
from truco_spec.graph.operations import BUILT
from truco_spec.graph.types import Type

TABLES = 17 * 1024**2
"""Address of the tables of the graph, and of cached answers; the area below is common to all modules."""


class DefinitionWriter:
    """The functions of a module under construction, and its data."""

    settled: Set[str] = frozenset()
    """The data that are known to be numbers of their types."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.graph = layout, layout.graph
        self.facts = Facts(self.graph)
        self.wakes = waking(self.graph, layout)
        self.functions = {name: f"d{i}" for i, name in enumerate(self.graph.defines)}
        self.functions |= {name: f"t{i}" for i, name in enumerate(self.graph.tables)}
        self.effects = {name: f"e{i}" for i, name in enumerate(self.graph.effects)}
        self.kinds = list(self.graph.actions)
        self.made: list[str] = []
        self.data: list[str] = []
        self.free = TABLES
        self.alone: dict[int, Way | None] = {}
        """The rules with a direct form of their changes, for where no other rule fires with them; and where they go."""

    def _numbers(self, values: Sequence[int]) -> int:
        """Lay numbers down; return their address."""
        address = self._room(len(values))
        raw = b"".join(value.to_bytes(8, "little", signed=True) for value in values)
        self.data.append(f'(data (i32.const {address}) "{"".join(f"{chr(92)}{byte:02x}" for byte in raw)}")')
        return address

    def _room(self, count: int) -> int:
        """The address of room for this many numbers."""
        address, self.free = self.free, self.free + 8 * count
        return address

    def _put(self, function: Function, body: str, export: str = "") -> None:
        self.made.append(function.text(body, export))

    def _expr(self, function: Function) -> WasmExpressions:
        return WasmExpressions(self.layout, self.functions, function, self.settled)

    def _given(self, kind: str) -> list[str]:
        return ["me", *(f"a{j}" for j in range(len(self.graph.actions[kind].params)))]

    # ---- tables ------------------------------------------------------------------------------

    def _built(self) -> None:
        many = {"seat": max(self.graph.seats, 1), "team": max(self.graph.teams, 1), "card": len(self.graph.cards)}
        for name, built in BUILT.items():
            if built.lookup is not None:
                address = self._numbers([int(built.lookup(self.graph)(i)) for i in range(many[built.wants[0]])])
                load = f"(i64.load offset={address} (i32.wrap_i64 (i64.shl (local.get $a0) (i64.const 3))))"
                self._put(Function(f"built_{name}", ["a0"], "i64"), load)

    def _table(self, name: str, kinds: Sequence[Type], answers: Mapping[tuple[int, ...], int]) -> None:
        """A dense table: values first, then words; a row that is missing is a fault."""
        words = [[self.graph.words[word] for word in sorted(kind.words)] for kind in kinds]
        domains = [
            [*range(kind.low, kind.high + 1), *of] if kind.base else of for kind, of in zip(kinds, words, strict=True)
        ]
        rows: list[tuple[int, ...]] = [()]
        for domain in domains:
            rows = [(*row, value) for row in rows for value in domain]
        missing = -(1 << 40)
        address = self._numbers([answers.get(row, missing) for row in rows])
        function, index = Function(name, [f"a{i}" for i in range(len(kinds))], "i64"), const(0)
        for at, (kind, of, domain) in enumerate(zip(kinds, words, domains, strict=True)):
            count = len(domain) - len(of)
            place = f"(i64.sub (local.get $a{at}) {const(kind.low)})"
            inner = "(call $fault) (i64.const 0)"
            for number, word in enumerate(of):
                found = f"(i64.eq (local.get $a{at}) {const(word)})"
                inner = f"(if (result i64) {found} (then {const(count + number)}) (else {inner}))"
            test = f"(i64.lt_u {place} {const(count)})"
            one = f"(if (result i64) {test} (then {place}) (else {inner}))"
            index = f"(i64.add (i64.mul {index} {const(len(domain))}) {one})"
        value = function.local()
        load = f"(local.set {value} (i64.load offset={address} (i32.wrap_i64 (i64.shl {index} (i64.const 3)))))"
        check = when(f"(i64.eq (local.get {value}) {const(missing)})", "(call $fault)")
        self._put(function, f"{load} {check} (local.get {value})")

    # ---- questions and effects ---------------------------------------------------------------

    def _answered(self, answers: Sequence[Answer], env: Env, function: Function) -> str:
        expr, ordered = self._expr(function), beaters_first(answers)
        if is_chain(ordered):
            text = "(call $fault) (i64.const 0)"
            for answer in reversed(ordered):
                value = expr.value(answer.value, env)
                if answer.when is None:
                    text = value
                else:
                    text = f"(if (result i64) {expr.test(answer.when, env)} (then {value}) (else {text}))"
            return text
        beaten, found, value = function.local(), function.local("i32"), function.local()
        bits, lines = {answer.name: 1 << i for i, answer in enumerate(ordered)}, []
        for answer in ordered:
            one = function.local()
            differs = f"(i32.and (local.get {found}) (i64.ne (local.get {one}) (local.get {value})))"
            then = [f"(local.set {one} {expr.value(answer.value, env)})", when(differs, "(call $fault)")]
            then += [f"(local.set {value} (local.get {one}))", f"(local.set {found} (i32.const 1))"]
            then.append(beats_these(beaten, sum(bits[name] for name in answer.beats if name in bits)))
            lines.append(when(self._stands(beaten, bits[answer.name], answer.when, expr, env), " ".join(then)))
        return f"{' '.join(lines)} {when(f'(i32.eqz (local.get {found}))', '(call $fault)')} (local.get {value})"

    def _remember(self, define: Define, key: Key, env: Env) -> None:
        """Keep the answers of a question that depends on few values, each in its place; 0 is no answer yet."""
        name = self.functions[define.name]
        self.made[-1] = self.made[-1].replace(f"(func ${name} ", f"(func ${name}_anew ", 1)
        function = Function(name, [f"a{i}" for i in range(len(define.params))], "i64")
        expr, at, place = self._expr(function), function.local(), function.local()
        args = " ".join(f"(local.get ${param})" for param in function.params)
        anew, lines, count = f"(call ${name}_anew {args})", [f"(local.set {at} (i64.const 0))"], 1
        for one in key.exprs:
            words = [self.graph.words[word] for word in sorted(one.type.words)]
            size = one.type.size if one.type.base else 0
            value = function.local()
            inner = f"(return {anew})"
            for number, word in enumerate(words):
                test = f"(i64.eq (local.get {value}) {const(word)})"
                inner = f"(if {test} (then (local.set {place} {const(size + number)})) (else {inner}))"
            lines.append(f"(local.set {value} {expr.value(one, env)})")
            lines.append(f"(local.set {place} (i64.sub (local.get {value}) {const(one.type.low)}))")
            lines.append(when(f"(i64.ge_u (local.get {place}) {const(size)})", inner))
            many = size + len(words)
            lines.append(f"(local.set {at} (i64.add (i64.mul (local.get {at}) {const(many)}) (local.get {place})))")
            count *= many
        offset = f"offset={self._room(count)}"
        where = f"(i32.wrap_i64 (i64.shl (local.get {at}) (i64.const 3)))"
        lines.append(f"(local.set {place} (i64.load {offset} {where}))")
        answered = f"(local.set {place} (i64.add {anew} {const(1 << 40)}))"
        kept = when("(i32.eqz (global.get $faulted))", f"(i64.store {offset} {where} (local.get {place}))")
        lines.append(when(f"(i64.eqz (local.get {place}))", f"{answered} {kept}"))
        self._put(function, f"{' '.join(lines)} (i64.sub (local.get {place}) {const(1 << 40)})")

    def _turned(self, turns: Sequence[Turn], env: Env, function: Function) -> str:
        expr, ordered = self._expr(function), beaters_first(turns)
        beaten, found = function.local(), function.local("i32")
        bits, lines = {turn.name: 1 << i for i, turn in enumerate(ordered)}, []
        if is_chain(ordered):
            bits = dict.fromkeys(bits, 1)  # the first that holds is the only one
        for turn in ordered:
            beats = 1 if is_chain(ordered) else sum(bits[name] for name in turn.beats if name in bits)
            then = [
                self._changes(turn.changes, env, expr),
                f"(local.set {found} (i32.const 1))",
                beats_these(beaten, beats),
            ]
            lines.append(when(self._stands(beaten, bits[turn.name], turn.when, expr, env), " ".join(then)))
        return f"{' '.join(lines)} {when(f'(i32.eqz (local.get {found}))', '(call $fault)')}"

    def _stands(self, beaten: str, bit: int, test: Expr | None, expr: WasmExpressions, env: Env) -> str:
        free = f"(i64.eqz (i64.and (local.get {beaten}) {const(bit)}))"
        return free if test is None else both([free, expr.test(test, env)])

    # ---- changes -----------------------------------------------------------------------------

    def _changes(self, changes: Iterable[Change], env: Env, expr: WasmExpressions) -> str:
        return " ".join(self._change(change, env, expr) for change in changes)

    def _change(self, change: Change, env: Env, expr: WasmExpressions) -> str:
        if isinstance(change, Assign):
            slot, value = expr.slot(change.datum, change.index, env), expr.value(change.value, env)
            if change.sign == "=":
                return op(SET, slot, self._fitting(change, value, expr))
            return op(ADD, slot, f"(i64.sub (i64.const 0) {value})" if change.sign == "-=" else value)
        if isinstance(change, Move):
            what, slot = expr.value(change.what, env), expr.slot(change.place, change.index, env)
            if change.what.type.many:
                return op(PILE, what, slot)
            return op(CARD, expr.inside(change.what, what, 0, len(self.graph.cards) - 1), slot)
        if isinstance(change, Apply):
            params = self.graph.effects[change.effect].params
            args = [expr.given(arg, p.type, env) for arg, p in zip(change.args, params, strict=True)]
            return f"(call ${self.effects[change.effect]} {' '.join(args)})"
        if change.word == "resume":
            return op(RESUME, const(0), const(0))
        return op(THEN if change.word == "then" else ASK, const(self.layout.number[change.phase]), const(0))

    def _fitting(self, change: Assign, value: str, expr: WasmExpressions) -> str:
        """The value; a word that the datum does not accept is a fault."""
        target = self.graph.data[change.datum].type
        if not change.value.type.words - target.words:
            return value
        place = expr.function.local()
        fits = [f"(i64.gt_s (local.get {place}) {const(NONE)})"]
        fits += [f"(i64.eq (local.get {place}) {const(self.graph.words[word])})" for word in sorted(target.words)]
        check = f"(if (result i64) {either(fits)} (then (local.get {place})) (else (call $fault) (i64.const 0)))"
        return f"(block (result i64) (local.set {place} {value}) {check})"

    def _direct(
        self, function: Function, given: Iterable[tuple[tuple[Change, ...], Env]], before: list[str]
    ) -> tuple[str, Way | None]:
        """A function that makes these changes at once, and where it goes; empty if they could collide, or branch."""
        expr, lines = self._expr(function), list(before)
        opened = list[tuple[Assign | Move | Way, Env]]()
        for changes, env in given:
            found = self._opened(changes, env, expr, lines)
            if found is None:
                return "", None
            opened += found
        data = [change.datum for change, _ in opened if isinstance(change, Assign)]
        others = [type(change) for change, _ in opened if not isinstance(change, Assign)]
        if not opened or len(set(data)) < len(data) or len(set(others)) < len(others):
            return "", None
        writes, way = [], None
        for change, inner in sorted(opened, key=lambda one: isinstance(one[0], Way)):
            if isinstance(change, Way):
                way = change
                writes.append(self._gone(change))
                continue
            slot, value = function.local(), function.local()
            place = change.place if isinstance(change, Move) else change.datum
            lines.append(f"(local.set {slot} {expr.slot(place, change.index, inner)})")
            lines.append(f"(local.set {value} {self._written(change, f'(local.get {slot})', inner, expr)})")
            writes.append(self._write_one(change, f"(local.get {slot}) (local.get {value})"))
        return function.text(" ".join([*lines, *writes])), way

    def _gone(self, way: Way) -> str:
        if way.word == "then":
            return f"(call $then{self.layout.number[way.phase]})"
        kind, to = {"ask": ASK, "resume": RESUME}[way.word], self.layout.number[way.phase] if way.phase else 0
        return f"(call $go (i32.const {kind}) {const(to)})"

    def _opened(
        self, changes: tuple[Change, ...], env: Env, expr: WasmExpressions, lines: list[str]
    ) -> list[tuple[Assign | Move | Way, Env]] | None:
        """The changes with effects expanded; ``lines`` work out their arguments. None if an effect has branches."""
        found: list[tuple[Assign | Move | Way, Env]] = []
        for change in changes:
            if not isinstance(change, Apply):
                found.append((change, env))
                continue
            effect = self.graph.effects[change.effect]
            if len(effect.turns) != 1 or effect.turns[0].when is not None:
                return None
            inner = {}
            for arg, param in zip(change.args, effect.params, strict=True):
                place = expr.function.local()
                lines.append(f"(local.set {place} {expr.given(arg, param.type, env)})")
                inner[param.name] = f"(local.get {place} )"
            deeper = self._opened(effect.turns[0].changes, inner, expr, lines)
            if deeper is None:
                return None
            found += deeper
        return found

    def _written(self, change: Assign | Move, slot: str, env: Env, expr: WasmExpressions) -> str:
        """Return the written or moved value."""
        if isinstance(change, Move):
            what = expr.value(change.what, env)
            return what if change.what.type.many else expr.inside(change.what, what, 0, len(self.graph.cards) - 1)
        value = expr.value(change.value, env)
        if change.sign == "=":
            return self._fitting(change, value, expr)
        return f"(i64.{'add' if change.sign == '+=' else 'sub'} (call $get {slot}) {value})"

    def _write_one(self, change: Assign | Move, places: str) -> str:
        if isinstance(change, Move):
            return f"(call ${'place_all' if change.what.type.many else 'place'} {places})"
        kind, given = self.graph.data[change.datum].type, change.value.type
        sure = change.sign == "=" and (not given.base or kind.low <= given.low <= given.high <= kind.high)
        write = f"(call $put {places})"
        return write if kind.many or sure else f"(call $put_fitting {places})"


def op(kind: int, a: str, b: str) -> str:
    return f"(call $op (i32.const {kind}) {a} {b})"


def beats_these(place: str, mask: int) -> str:
    return f"(local.set {place} (i64.or (local.get {place}) {const(mask)}))" if mask else ""
