"""The abstract semantics of expressions: each is compiled to a function from a Partial to a Value.

Besides the operations of the graph there are four used only by the checks: ``let`` (names bound to values, then a
body), ``outside`` (is the value out of the type?), ``hole`` (does a table lack an answer for these arguments?) and
``apart`` (the number of steps round the circle from one to the other).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from truco_spec.checks import positions
from truco_spec.checks.counting import Counting, over, quantifier
from truco_spec.checks.positions import (
    MAYBE,
    NO,
    NOTHING,
    NOW,
    THEN,
    YES,
    Env,
    Key,
    Meaning,
    Partial,
    Value,
)
from truco_spec.graph import fold
from truco_spec.graph.model import Bound, Define, Expr, Quant
from truco_spec.graph.operations import OPERATIONS
from truco_spec.graph.types import Type
from truco_spec.graph.walk import parts, walk

if TYPE_CHECKING:
    from truco_spec.checks.positions import PositionFacts


SHORT = 24
"""A question that reads at most this many things is expanded at once."""


class Compiler(Counting):
    """Compiles meanings, one for each expression of a graph."""

    def __init__(self, facts: PositionFacts) -> None:
        self.facts = facts
        self.graph = facts.graph
        self._meanings: dict[Expr, Meaning] = {}
        self._questions: dict[str, Meaning] = {}
        self._weights: dict[str, int] = {}

    def meaning(self, expr: Expr) -> Meaning:
        """The function of an expression."""
        found = self._meanings.get(expr)
        if found is None:
            found = self._compared(expr) or self._made(expr)
            self._meanings[expr] = found
        return found

    def _made(self, expr: Expr) -> Meaning:
        found = self.makers[expr.op](self, expr)
        if expr.op in ("const", "var", "datum"):
            return found
        found = found if expr.op in ("not", "during") else trimmed(found)  # known if what they read is
        names = plain_names(expr)
        return remembered(found, names) if names else found

    def _compared(self, expr: Expr) -> Meaning | None:
        """Whether a single datum has a value, or has it not: the most frequent question; None for any other."""
        yes, no = (YES, NO)
        if expr.op == "not":
            expr, yes, no = expr.kids[0], NO, YES
        if expr.op != "is" or expr.kids[0].op != "datum" or expr.kids[0].kids or expr.kids[1].op != "const":
            return None
        if expr.kids[0].type.many:
            return None
        left, wanted = self.meaning(expr.kids[0]), expr.kids[1].value

        def value(partial: Partial, env: Env) -> Value:
            found = left(partial, env)
            if wanted in found:
                return yes if len(found) == 1 else MAYBE
            if len(found) > 1:
                partial.touched.pop()
            return no if found else NOTHING

        return value

    # ---- leaves ------------------------------------------------------------------------------

    def _const(self, expr: Expr) -> Meaning:
        value: Value = (expr.value, expr.value) if expr.type.many else frozenset({expr.value})
        return lambda partial, env: value

    def _var(self, expr: Expr) -> Meaning:
        name, key = expr.value, self.facts.variable(expr.value, expr.type)

        def value(partial: Partial, env: Env) -> Value:
            found = env.get(name)
            return partial.plain(key) if found is None else found

        return value

    def _datum(self, expr: Expr) -> Meaning:
        name, facts = expr.value, self.facts
        params = self.graph.data[name].params
        indices = [self.meaning(kid) for kid in expr.kids]
        spans = [facts.of_type(param.type) for param in params]
        is_place = name in facts.places
        if not indices:
            now = facts.datum_key(name, (), NOW)

            def single(partial: Partial, env: Env) -> Value:
                moment = env.get(THEN, NOW)
                if moment == NOW:
                    return partial.value(now) if is_place else partial.plain(now)
                first = facts.first_value(name, moment)
                return first if first is not None else partial.value(facts.datum_key(name, (), moment))

            return single
        index = indices[0]
        keys: dict[Value, Key] = {}
        if len(spans) == 1:
            keys = {frozenset({at}): facts.datum_key(name, (at,), NOW) for at in spans[0]}

        def value(partial: Partial, env: Env) -> Value:
            moment = env.get(THEN, NOW)
            if moment != NOW:
                first = facts.first_value(name, moment)
                if first is not None:
                    return first
            given = [index(partial, env)]
            if moment == NOW and (key := keys.get(given[0])) is not None:
                return partial.value(key) if is_place else partial.plain(key)
            given += [further(partial, env) for further in indices[1:]]
            given = [at & span for at, span in zip(given, spans, strict=True)]
            return over(given, lambda at: facts.datum_key(name, at, moment), partial)

        return value

    def _during(self, expr: Expr) -> Meaning:
        phase, facts = expr.value, self.facts
        holds = frozenset(i for i, stack in enumerate(facts.stacks) if phase in stack)

        def value(partial: Partial, env: Env) -> Value:
            moment = env.get(THEN, NOW)
            if not facts.stacks or moment != NOW:
                return partial.value(("during", phase, moment))
            stacks = partial.value(("stack",))
            return YES if stacks <= holds else MAYBE if stacks & holds else NO

        return value

    # ---- questions and tables ----------------------------------------------------------------

    def _ask(self, expr: Expr) -> Meaning:
        define = self.graph.defines[expr.value]
        args = [self.meaning(kid) for kid in expr.kids]
        names = [p.name for p in define.params]
        if self.weight(define) <= SHORT:
            return self._bound(names, expr.kids, self.question(define))
        name = define.name

        def long(partial: Partial, env: Env) -> Value:
            moment = env.get(THEN, NOW)
            given = [arg(partial, env) for arg in args]
            if any(isinstance(arg, tuple) for arg in given):
                if not all(positions.known(arg) for arg in given):
                    return self.facts.of_type(define.type)
                point = tuple(arg if isinstance(arg, tuple) else min(arg) for arg in given)
                return partial.value(("ask", name, point, moment))
            return over(given, lambda at: ("ask", name, at, moment), partial)

        return long

    def question(self, define: Define) -> Meaning:
        """The answer of a define: the join over answers that apply unbeaten."""
        found = self._questions.get(define.name)
        if found is not None:
            return found
        found = self._questions[define.name] = self._joined(define)
        return found

    def _joined(self, define: Define) -> Meaning:
        every = define.answers
        if len(every) == 1 and every[0].when is None:
            return self.meaning(every[0].value)
        whens = [self.meaning(answer.when) if answer.when is not None else None for answer in every]
        order = [
            (at, [n for n, other in enumerate(every) if answer.name in other.beats], self.meaning(answer.value))
            for at, answer in enumerate(every)
        ]
        nothing: Value = (1, 0) if define.type.many else NOTHING

        def value(partial: Partial, env: Env) -> Value:
            states = [YES if when is None else when(partial, env) for when in whens]
            result = nothing
            for at, beaters, answer in order:
                if 1 in states[at] and not (beaters and any(states[other] == YES for other in beaters)):
                    result = positions.join(result, answer(partial, env))
            return result

        return value

    def weight(self, define: Define) -> int:
        """Roughly, the number of things that a question reads."""
        if define.name not in self._weights:
            self._weights[define.name] = SHORT + 1  # acyclic, but a define may be asked while it is weighed
            total = sum(self._weigh(a.when) + self._weigh(a.value) for a in define.answers)
            self._weights[define.name] = total
        return self._weights[define.name]

    def _weigh(self, expr: Expr | None) -> int:
        if expr is None:
            return 0
        own = 1
        if expr.op == "datum" and self.graph.data[expr.value].type.place:
            own = 8
        elif expr.op == "ask":
            inside = self.weight(self.graph.defines[expr.value])
            own = inside if inside <= SHORT else 2
            if inside > SHORT and any(kid.type.many for kid in expr.kids):
                own = SHORT + 1  # nothing follows from an unknown set: treated as a derived thing
        elif expr.op == "quant":
            quant: Quant = expr.value
            many = 1
            for binder in quant.binders:
                many *= binder.type.size
            return many * sum(self._weigh(part) for part in parts(expr))
        return own + sum(self._weigh(kid) for kid in expr.kids)

    def _table(self, expr: Expr) -> Meaning:
        answers = self.graph.tables[expr.value].answers
        args = [self.meaning(kid) for kid in expr.kids]

        def value(partial: Partial, env: Env) -> Value:
            given = [arg(partial, env) for arg in args]
            return frozenset([answers[at] for at in itertools.product(*given) if at in answers])

        return value

    def _hole(self, expr: Expr) -> Meaning:
        answers = self.graph.tables[expr.value].answers
        args = [self.meaning(kid) for kid in expr.kids]

        def value(partial: Partial, env: Env) -> Value:
            given = [arg(partial, env) for arg in args]
            return frozenset([int(at not in answers) for at in itertools.product(*given)])

        return value

    def _outside(self, expr: Expr) -> Meaning:
        item, wanted = self.meaning(expr.kids[0]), self.facts.of_type(expr.value)

        def value(partial: Partial, env: Env) -> Value:
            return positions.outside(item(partial, env), wanted)

        return value

    def _let(self, expr: Expr) -> Meaning:
        return self._bound(expr.value, expr.kids[:-1], self.meaning(expr.kids[-1]))

    def _bound(self, names: Sequence[str], kids: Sequence[Expr], body: Meaning) -> Meaning:
        """The meaning of a body with each name bound to the value of its argument."""
        args = [(name, kid, self.meaning(kid)) for name, kid in zip(names, kids, strict=True)]
        fixed = {name: arg(self.facts.root, {}) for name, kid, arg in args if kid.op == "const"}
        given = [(name, arg) for name, kid, arg in args if kid.op != "const"]

        def value(partial: Partial, env: Env) -> Value:
            inner = fixed.copy()
            for name, arg in given:
                inner[name] = arg(partial, env)
            if THEN in env:
                inner[THEN] = env[THEN]
            return body(partial, inner)

        return value

    # ---- logic -------------------------------------------------------------------------------

    def _and(self, expr: Expr) -> Meaning:
        return self._junction(expr, YES, NO)

    def _or(self, expr: Expr) -> Meaning:
        return self._junction(expr, NO, YES)

    def _junction(self, expr: Expr, neutral: Value, deciding: Value) -> Meaning:
        """``neutral`` if all parts are; ``deciding`` if one is."""
        kids, (bit,) = [self.meaning(kid) for kid in expr.kids], neutral

        def value(partial: Partial, env: Env) -> Value:
            result = neutral
            for kid in kids:
                found = kid(partial, env)
                if bit not in found:
                    return deciding if found or result is MAYBE else NOTHING
                if len(found) > 1:
                    result = MAYBE
            return result

        return value

    def _not(self, expr: Expr) -> Meaning:
        kid = self.meaning(expr.kids[0])

        def value(partial: Partial, env: Env) -> Value:
            found = kid(partial, env)
            return NO if found == YES else YES if found == NO else found

        return value

    def _is(self, expr: Expr) -> Meaning:
        left, right = (self.meaning(kid) for kid in expr.kids)

        def value(partial: Partial, env: Env) -> Value:
            return alike(left(partial, env), right(partial, env))

        return value

    def _apart(self, expr: Expr) -> Meaning:
        size = expr.kids[0].type.size
        return self._count(expr, lambda a, b: (b - a) % size)

    def _lt(self, expr: Expr) -> Meaning:
        if any(kid.op in ("const", "var") for kid in expr.kids):
            return self._sizes(expr)
        return self._derived(expr, self._sizes(expr))

    def _le(self, expr: Expr) -> Meaning:
        """``a <= b`` is ``not b < a``: the two have one key."""
        return self.meaning(Expr("not", expr.type, (Expr("lt", expr.type, expr.kids[::-1]),)))

    def _sizes(self, expr: Expr) -> Meaning:
        left, right = (self.meaning(kid) for kid in expr.kids)

        def value(partial: Partial, env: Env) -> Value:
            return positions.less(left(partial, env), right(partial, env))

        return value

    def _if(self, expr: Expr) -> Meaning:
        test, then, other = (self.meaning(kid) for kid in expr.kids)

        def value(partial: Partial, env: Env) -> Value:
            found = test(partial, env)
            if found == YES:
                return then(partial, env)
            if found == NO:
                return other(partial, env)
            return positions.join(then(partial, env), other(partial, env)) if found else NOTHING

        return value

    def _typed(self, expr: Expr) -> Meaning:
        item = self.meaning(expr.kids[0])
        return lambda partial, env: positions.typed(item(partial, env))

    # ---- quantifiers -------------------------------------------------------------------------

    def _quant(self, expr: Expr) -> Meaning:
        quant: Quant = expr.value
        if quant.word == "every" and quant.body is not None and self._weigh(expr) > SHORT:
            some = Quant("some", quant.binders, quant.where, fold.negate(quant.body))  # the two have one key
            return self.meaning(Expr("not", expr.type, (Expr("quant", expr.type, expr.kids, some),)))
        inner = self.inner(expr)
        return inner if self._weigh(expr) <= SHORT else self._derived(expr, inner)

    def _derived(self, expr: Expr, inner: Meaning) -> Meaning:
        """The meaning of an expression treated as a derived thing wherever its variables are known."""
        free = {name: self.facts.variable(name, _type_in(expr, name)) for name in sorted(_free(expr))}
        number = self.facts.number_of(expr)
        quick = expr.op == "lt"

        def value(partial: Partial, env: Env) -> Value:
            if quick:
                before = len(partial.touched)
                known = inner(partial, env)
                del partial.touched[before:]
                if positions.known(known):
                    return known
            given: list[tuple[str, object]] = []
            for name, key in free.items():
                found = env.get(name)
                if found is None:
                    found = partial.value(key)
                if not positions.known(found) or positions.impossible(found):
                    return inner(partial, {**env, name: found})
                given.append((name, found if isinstance(found, tuple) else min(found)))
            return partial.value(("expr", number, tuple(given), env.get(THEN, NOW)))

        return value

    def inner(self, expr: Expr) -> Meaning:
        """The function of a derived expression, expanded."""
        if expr.op == "lt":
            return self._sizes(expr)
        return quantifier(self, expr)

    def domain(self, binder: Bound) -> Callable[[Partial, Env], tuple[int, int]]:
        """Return the certain and the possible domain of a binder, as masks."""
        if binder.within is not None:
            return self.meaning(binder.within)
        mask = self.facts.pack if binder.type.base == "card" else (1 << binder.type.size) - 1
        every = (mask, mask)
        return lambda partial, env: every

    makers: ClassVar[dict[str, Callable[[Compiler, Expr], Meaning]]] = (
        {"const": _const, "var": _var, "datum": _datum, "during": _during, "ask": _ask, "table": _table}
        | {"and": _and, "or": _or, "not": _not, "if": _if, "is": _is, "lt": _lt, "le": _le, "typed": _typed}
        | {"quant": _quant, "hole": _hole, "outside": _outside, "let": _let, "apart": _apart}
        | Counting.numbers_and_sets
    )
    """The makers of the operations' meanings."""


def alike(a: Value, b: Value) -> Value:
    """Compare two values for equality."""
    if not a or not b:
        return NOTHING
    if isinstance(a, tuple):
        if a[0] & ~b[1] or b[0] & ~a[1]:
            return NO
        return YES if a == b and a[0] == a[1] else MAYBE
    if a.isdisjoint(b):
        return NO
    return YES if len(a) == len(b) == 1 else MAYBE


def _free(expr: Expr) -> Iterator[str]:
    bound = {binder.name for node in walk(expr) if node.op == "quant" for binder in node.value.binders}
    return iter({node.value for node in walk(expr) if node.op == "var" and node.value not in bound})


def _type_in(expr: Expr, name: str) -> Type:
    return next(node.type for node in walk(expr) if node.op == "var" and node.value == name)


# ---- Memoised abstract evaluation ------------------------------------------------------------


def trimmed(meaning: Meaning) -> Meaning:
    """The same without recording the reads behind a known result, as splitting on them is useless."""

    def value(partial: Partial, env: Env) -> Value:
        touched = partial.touched
        before = len(touched)
        found = meaning(partial, env)
        if len(touched) > before and (found[0] == found[1] if type(found) is tuple else len(found) < 2):
            del touched[before:]
        return found

    return value


_MORE = {"let"} | {name for name, operation in OPERATIONS.items() if operation.reads or operation.binds}
"""Operations that depend on more than their parts."""


def plain_names(expr: Expr) -> tuple[str, ...]:
    """The one or two names that an expression depends on exclusively; none for any other."""
    if any(node.op in _MORE for node in walk(expr)):
        return ()
    names = tuple(dict.fromkeys(node.value for node in walk(expr) if node.op == "var"))
    return names if len(names) < 3 else ()


def remembered(meaning: Meaning, names: tuple[str, ...]) -> Meaning:
    """The same, memoised by known values of these names."""
    first, last = names[0], names[-1]
    answers: dict[tuple[Value, Value], Value] = {}

    def value(partial: Partial, env: Env) -> Value:
        a, b = env.get(first), env.get(last)
        if a is None or b is None or type(a) is tuple or type(b) is tuple or len(a) != 1 or len(b) != 1:
            return meaning(partial, env)
        found = answers.get((a, b))
        if found is None:
            found = answers[a, b] = meaning(partial, env)
        return found

    return value
