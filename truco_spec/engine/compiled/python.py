"""Translates expressions of the graph to Python source over a position ``v``.

The source contains no text of the spec: only numbers, slots and variables named by this module, so that compiling a
hostile spec cannot run anything but arithmetic on small integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import ClassVar

from truco_spec.engine.layout import DEPTH, Layout
from truco_spec.engine.support import BITS
from truco_spec.graph import fold
from truco_spec.graph.model import Bound, Expr, Graph, Param, Quant
from truco_spec.graph.operations import BUILT, OPERATIONS, operation
from truco_spec.graph.types import FIRST_WORD, Type
from truco_spec.graph.walk import walk

UNROLL = 6
"""Quantifiers over at most this many values are unrolled."""


class ExpressionWriter:
    """Translates expressions. ``names`` maps defines and tables to their functions."""

    def __init__(self, layout: Layout, functions: Mapping[str, str]) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.functions = functions
        self.full = sum(1 << i for i, card in enumerate(self.graph.cards) if card.present)
        self.fresh = 0

    def text(self, expr: Expr, env: Mapping[str, str]) -> str:
        """The expression; ``env`` maps its variables to Python names or numbers."""
        return self.writers[expr.op](self, expr, env)

    def _signed(self, expr: Expr, env: Mapping[str, str]) -> str:
        """An operation that Python has too."""
        same = OPERATIONS[expr.op]
        part = self._size_of if same.counts else self.text
        return f"({same.code.join([part(kid, env) for kid in expr.kids])})"

    def _size_of(self, expr: Expr, env: Mapping[str, str]) -> str:
        text = self.text(expr, env)
        return f"some({text})" if expr.type.words else text

    def returning(self, expr: Expr, env: Mapping[str, str]) -> list[str]:
        """Lines that return the value; quantifiers become loops, which are faster than generators."""
        if expr.op == "if":
            test, then, other = expr.kids
            inner = [f"  {line}" for line in self.returning(then, env)]
            return [f"if {self.text(test, env)}:", *inner, *self.returning(other, env)]
        if expr.op != "quant" or expr.value.word not in ("first", "some", "every"):
            return [f"return {self.text(expr, env)}"]
        quant, apart = set_apart(self.graph, expr.value)
        if self._written_out(quant) or (quant.where is None and quant.body is None):
            return [f"return {self.text(expr, env)}"]
        lines, inner_env = [], dict(env)
        for name, value in apart.items():
            inner_env[name] = self._name()
            lines.append(f"{inner_env[name]} = {self.text(value, env)}")
        depth = ""
        for binder in quant.binders:
            name = self._name()
            lines.append(f"{depth}for {name} in {self._domain(binder, inner_env)}:")
            inner_env[binder.name] = name
            depth += "  "
        tests = [] if quant.where is None else [self.text(quant.where, inner_env)]
        if quant.body is not None:
            tests.append(("not " if quant.word == "every" else "") + self.text(quant.body, inner_env))
        found = {"first": inner_env[quant.binders[0].name], "some": "1", "every": "0"}[quant.word]
        missed = {"first": str(FIRST_WORD), "some": "0", "every": "1"}[quant.word]
        lines.append(f"{depth}if {' and '.join(tests) or '1'}:")
        return [*lines, f"{depth}  return {found}", f"return {missed}"]

    # ---- leaves ------------------------------------------------------------------------------

    def _const(self, expr: Expr, env: Mapping[str, str]) -> str:
        return str(expr.value) if expr.value >= 0 else f"({expr.value})"

    def _var(self, expr: Expr, env: Mapping[str, str]) -> str:
        return env[expr.value]

    def _datum(self, expr: Expr, env: Mapping[str, str]) -> str:
        return f"v[{self.slot(expr.value, expr.kids, env)}]"

    def slot(self, datum: str, index: tuple[Expr, ...], env: Mapping[str, str]) -> str:
        """The slot of a datum at an index, as Python; indices that could be out of range are checked."""
        block = self.layout.blocks[datum]
        base, terms = block.base, []
        for item, (low, size, stride) in zip(index, block.dims, strict=True):
            text = self.text(item, env)
            if text.lstrip("-").isdigit() and low <= int(text) < low + size:
                base += (int(text) - low) * stride
                continue
            kind = item.type
            if kind.words or kind.low < low or kind.high >= low + size:
                text = f"inside({text}, {low}, {low + size - 1})"
            base -= low * stride
            terms.append(text if stride == 1 else f"{text} * {stride}")
        return " + ".join([*terms, str(base)] if base or not terms else terms)

    def _during(self, expr: Expr, env: Mapping[str, str]) -> str:
        number = self.layout.number[expr.value]
        return "(" + " or ".join(f"v[{i}] == {number}" for i in range(DEPTH)) + ")"

    # ---- questions ---------------------------------------------------------------------------

    def _ask(self, expr: Expr, env: Mapping[str, str]) -> str:
        define = self.graph.defines[expr.value]
        if len(define.answers) == 1 and define.answers[0].when is None:
            value = define.answers[0].value
            simple = all(kid.op in ("const", "var") for kid in expr.kids)
            if value.op == "const" or (simple and self.small(value)):
                inner = {p.name: self.text(kid, env) for p, kid in zip(define.params, expr.kids, strict=True)}
                return self.text(value, inner)
        args = [self.given(kid, p.type, env) for kid, p in zip(expr.kids, define.params, strict=True)]
        return f"{self.functions[expr.value]}({', '.join(['v', *args])})"

    def given(self, expr: Expr, kind: Type, env: Mapping[str, str]) -> str:
        """An argument; checked where it could be outside of the parameter's type."""
        text = self.text(expr, env)
        if kind.many or expr.op == "const":
            return text
        outside = kind.base == "number" and not (kind.low <= expr.type.low and expr.type.high <= kind.high)
        if outside or expr.type.words - kind.words:
            return f"inside({text}, {kind.low}, {kind.high})" if not kind.words else text
        return text

    def small(self, expr: Expr) -> bool:
        """Whether it is too small for a function of its own."""
        return expr.op in ("const", "var", "datum", "is", "built") and all(
            kid.op in ("const", "var", "datum") or (kid.op == "built" and self.small(kid)) for kid in expr.kids
        )

    def _table(self, expr: Expr, env: Mapping[str, str]) -> str:
        args = ", ".join(self.text(kid, env) for kid in expr.kids)
        return f"{self.functions[expr.value]}[{args}{',' if len(expr.kids) == 1 else ''}]"

    # ---- logic -------------------------------------------------------------------------------

    def _not(self, expr: Expr, env: Mapping[str, str]) -> str:
        kid = expr.kids[0]
        if kid.op == "is":
            return f"({' != '.join([self.text(side, env) for side in kid.kids])})"
        return f"(not {self.text(kid, env)})"

    def _if(self, expr: Expr, env: Mapping[str, str]) -> str:
        test, then, other = (self.text(kid, env) for kid in expr.kids)
        return f"({then} if {test} else {other})"

    def _typed(self, expr: Expr, env: Mapping[str, str]) -> str:
        return f"({self.text(expr.kids[0], env)} > {FIRST_WORD})"

    def _in(self, expr: Expr, env: Mapping[str, str]) -> str:
        item, group = expr.kids
        if group.op == "set" and len(group.kids) <= 4:
            either = [Expr("is", expr.type, (item, kid)) for kid in group.kids]
            return "(" + " or ".join(self.text(one, env) for one in either) + ")"
        text, mask = self.text(item, env), self.text(group, env)
        low = group.type.low
        shift = text if not low else f"({text} - {low})"
        if item.type.words or item.type.low < low:
            return f"has({mask}, {text}, {low})"
        return f"({mask} >> {shift} & 1)"

    # ---- sets and built-in questions ---------------------------------------------------------

    def _set(self, expr: Expr, env: Mapping[str, str]) -> str:
        low = expr.type.low
        parts = []
        for kid in expr.kids:
            text = self.text(kid, env)
            if kid.type.words:
                parts.append(f"bit({text}, {low})")
                continue
            if kid.op == "datum":  # it may not have been given a value yet
                text = f"some({text})"
            parts.append(f"(1 << {text})" if not low else f"(1 << {text} - {low})")
        return "(" + " | ".join(parts) + ")"

    def _built(self, expr: Expr, env: Mapping[str, str]) -> str:
        name, kind, built = expr.value, expr.kids[0].type, BUILT[expr.value]
        part = self._size_of if built.counts else self.text
        text = ", ".join([part(kid, env) for kid in expr.kids])
        if built.lookup or (name in ("next", "before") and kind.base == "seat"):
            return f"{name.upper()}[{text}]"
        if built.code:
            return built.code.format(text)
        if name == "place":
            return f"({text} + {1 - kind.low})" if kind.low != 1 else text
        step = "+ 1" if name == "next" else "- 1"
        inner = f"({text} - {kind.low} {step})" if kind.low else f"({text} {step})"
        return f"({inner} % {kind.size} + {kind.low})" if kind.low else f"({inner} % {kind.size})"

    # ---- quantifiers -------------------------------------------------------------------------

    def _quant(self, expr: Expr, env: Mapping[str, str]) -> str:
        quant, apart = set_apart(self.graph, expr.value)
        if not apart:
            return self._quantified(expr, quant, env)
        names = [self._name() for _ in apart]
        inner = self._quantified(expr, quant, {**env, **dict(zip(apart, names, strict=True))})
        values = ", ".join(self.text(value, env) for value in apart.values())
        return f"(lambda {', '.join(names)}: {inner})({values})"

    def _name(self) -> str:
        self.fresh += 1
        return f"q{self.fresh}"

    def _quantified(self, expr: Expr, quant: Quant, env: Mapping[str, str]) -> str:
        if quant.word in ("first", "last"):
            return self._pick(quant, env)
        if self._written_out(quant):
            (binder,) = quant.binders
            return self._unrolled(quant, binder, -1 if binder.within is None else binder.within.value, env)
        return self._looped(quant, env)

    def _written_out(self, quant: Quant) -> bool:
        """Whether it ranges over few enough known values to be unrolled."""
        binder = quant.binders[0]
        known = binder.within is None or binder.within.op == "const"
        few = binder.type.base != "card" and binder.type.size <= UNROLL
        return (
            len(quant.binders) == 1 and quant.word not in ("first", "last") and known and few and binder.start is None
        )

    def _unrolled(self, quant: Quant, binder: Bound, mask: int, env: Mapping[str, str]) -> str:
        kind = binder.type
        guards: list[str] = []
        bodies: list[str] = []
        bits: list[int] = []
        for value in range(kind.low, kind.high + 1):
            if mask != -1 and not mask >> (value - kind.low) & 1:
                continue
            where = self._with(quant.where, binder, value)
            body = self._with(quant.body, binder, value)
            if fold.is_no(where):
                continue
            guard = "" if where is None or fold.is_yes(where) else self.text(where, env)
            text = "1" if body is None else self.text(body, env)
            guards.append(guard)
            bodies.append(text)
            bits.append(value - kind.low)
        both = [f"({g} and {b})" if g else b for g, b in zip(guards, bodies, strict=True)]
        word = quant.word
        if word == "some":
            return "(" + " or ".join(both) + ")" if both else "0"
        if word == "every":
            implied = [f"(not {g} or {b})" if g else b for g, b in zip(guards, bodies, strict=True)]
            return "(" + " and ".join(implied) + ")" if implied else "1"
        if word == "count":
            return "(" + " + ".join(f"(1 if {b} else 0)" for b in both) + ")" if both else "0"
        if word == "all":
            return (
                "(" + " | ".join(f"({1 << bit} if {b} else 0)" for b, bit in zip(both, bits, strict=True)) + ")"
                if both
                else "0"
            )
        if any(guards):
            return self._looped(quant, env)
        if word == "sum":
            return "(" + " + ".join(bodies) + ")" if bodies else "0"
        pick = "max" if word == "highest" else "min"
        return f"{pick}({', '.join(bodies)})" if len(bodies) > 1 else (bodies or ["0"])[0]

    def _with(self, expr: Expr | None, binder: Bound, value: int) -> Expr | None:
        """The expression with the binder's variable replaced by a value."""
        return None if expr is None else fold.put_in(expr, {binder.name: fold.const(binder.type, value)})

    def _clauses(self, quant: Quant, env: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        inner = dict(env)
        loops = []
        for binder in quant.binders:
            name = self._name()
            loops.append(f"for {name} in {self._domain(binder, inner)}")
            inner[binder.name] = name
        if quant.where is not None:
            loops.append(f"if {self.text(quant.where, inner)}")
        return " ".join(loops), inner

    def _domain(self, binder: Bound, env: Mapping[str, str]) -> str:
        kind = binder.type
        if binder.start is not None:
            start = self._size_of(binder.start, env) + (f" - {kind.low}" if kind.low else "")
            around = f"AROUND{kind.size}[{start}]"
            if binder.within is not None:
                around = f"AMONG{kind.size}[{start}, {self.text(binder.within, env)}]"
            return around if not kind.low else f"[q + {kind.low} for q in {around}]"
        if binder.within is not None:
            if binder.within.op == "const":
                return str(tuple([kind.low + bit for bit in BITS[binder.within.value]]))
            inner = f"BITS[{self.text(binder.within, env)}]"
            return inner if not kind.low else f"[q + {kind.low} for q in {inner}]"
        if kind.base == "card":
            return "PACK"
        return f"range({kind.low}, {kind.high + 1})"

    def _looped(self, quant: Quant, env: Mapping[str, str]) -> str:
        loops, inner = self._clauses(quant, env)
        body = "1" if quant.body is None else self.text(quant.body, inner)
        word = quant.word
        if word == "some":
            return f"any({body} {loops})"
        if word == "every":
            return f"all({body} {loops})"
        test = loops if quant.body is None or fold.is_yes(quant.body) else f"{loops} if {body}"
        if word == "count":
            return f"sum([1 {test}])"
        if word == "all":
            low = quant.binders[0].type.low
            name = inner[quant.binders[0].name]
            return f"sum([1 << {name}{f' - {low}' if low else ''} {test}])"
        if word == "sum":
            return f"sum([{body} {loops}])"
        return f"{'max' if word == 'highest' else 'min'}([{body} {loops}], default=0)"

    def _pick(self, quant: Quant, env: Mapping[str, str]) -> str:
        binder = quant.binders[0]
        if quant.where is None and quant.body is None:
            return f"({self._domain(binder, env)} or NOTHING)[{0 if quant.word == 'first' else -1}]"
        loops, inner = self._clauses(quant, env)
        name = inner[binder.name]
        test = "" if quant.body is None else f" if {self.text(quant.body, inner)}"
        if quant.word == "first":
            return f"next(({name} {loops}{test}), {FIRST_WORD})"
        return f"last([{name} {loops}{test}])"

    writers: ClassVar[Mapping[str, Callable[[ExpressionWriter, Expr, Mapping[str, str]], str]]] = (
        dict.fromkeys((name for name, same in OPERATIONS.items() if same.code), _signed)
        | {"const": _const, "var": _var, "datum": _datum, "during": _during, "ask": _ask, "table": _table}
        | {"not": _not, "if": _if, "typed": _typed, "in": _in, "set": _set, "built": _built, "quant": _quant}
    )
    """Writers of operations."""


# ---- Hoisting of loop-invariant expressions out of quantifiers -------------------------------


def set_apart(graph: Graph, quant: Quant) -> tuple[Quant, dict[str, Expr]]:
    """The quantifier with variables for its loop-invariant parts, and the value of each variable."""
    bound = {binder.name for binder in quant.binders}
    apart: dict[str, Expr] = {}

    def replaced(expr: Expr, sure: bool) -> Expr:
        if expr.op in ("quant", "ask") and not _mentions(expr, bound) and (sure or cannot_fail(graph, expr)):
            name = next((name for name, value in apart.items() if value == expr), f"#{id(quant)}.{len(apart)}")
            apart[name] = expr
            return Expr("var", expr.type, (), name, expr.span)
        if expr.op == "quant":
            return expr
        inner = sure and not OPERATIONS[expr.op].lazy
        first_sure = sure and expr.op in ("and", "or", "if")
        kids = [replaced(kid, inner or (first_sure and at == 0)) for at, kid in enumerate(expr.kids)]
        return expr if not kids else Expr(expr.op, expr.type, tuple(kids), expr.value, expr.span)

    always = all(binder.within is None for binder in quant.binders)
    where = None if quant.where is None else replaced(quant.where, always)
    body = None if quant.body is None else replaced(quant.body, always and quant.where is None)
    binders = quant.binders
    shared = binders[0].within
    if shared is not None and any(binder.within == shared for binder in binders[1:]):
        name = f"#{id(quant)}.{len(apart)}"
        apart[name] = shared
        once = Expr("var", shared.type, (), name, shared.span)
        binders = tuple([replace(b, within=once) if b.within == shared else b for b in binders])
    return replace(quant, binders=binders, where=where, body=body), apart


def _mentions(expr: Expr, names: set[str]) -> bool:
    return any(node.op == "var" and node.value in names for node in walk(expr))


def cannot_fail(graph: Graph, expr: Expr) -> bool:
    """Whether the expression has a value in every position, whatever is set or not."""
    return all(_sound(graph, node) for node in walk(expr))


def _sound(graph: Graph, node: Expr) -> bool:
    if node.op == "quant":
        return all(binder.start is None for binder in node.value.binders)
    if node.op == "datum":
        return _inside(node, graph.data[node.value].params)
    if node.op == "ask":
        define = graph.defines[node.value]
        alone = len(define.answers) == 1 and define.answers[0].when is None  # several could disagree
        return alone and _inside(node, define.params) and cannot_fail(graph, define.answers[0].value)
    found = operation(node)
    return node.op != "table" and not found.wants and not (found.counts and any(kid.type.words for kid in node.kids))


def _inside(expr: Expr, params: tuple[Param, ...]) -> bool:
    """Whether every index and argument is in range, whatever is set or not."""
    return all(kid.op in ("const", "var") and fits(kid, p) for kid, p in zip(expr.kids, params, strict=True))


def fits(expr: Expr, param: Param) -> bool:
    """Whether all values of the expression's type are in the range of the parameter."""
    return not expr.type.words and param.type.low <= expr.type.low and expr.type.high <= param.type.high
