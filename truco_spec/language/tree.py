"""The syntax tree: the statements of a ``.truco`` text, with the position of every part.

The tree is plain frozen data. It is unresolved: names are resolved in :mod:`truco_spec.graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias

from truco_spec.language.diagnostics import NOWHERE as NOWHERE
from truco_spec.language.diagnostics import Cite as Cite
from truco_spec.language.diagnostics import Span as Span
from truco_spec.language.diagnostics import Word as Word
from truco_spec.language.diagnostics import place_of as place_of

# ---- expressions -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: a datum, a question, a parameter, a value."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    """A number; its type decides whether it is a rank or an amount."""

    value: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A question with arguments: ``power(n, s)``."""

    name: str
    args: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SetOf:
    """``{a, b, c}``."""

    items: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Choose:
    """``then if test else other``."""

    then: Expr
    test: Expr
    other: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Logic:
    """``and`` or ``or`` over two sides."""

    word: str
    left: Expr
    right: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """``not e``."""

    item: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """``left relation right``; relation is ``is``, ``is not``, ``in``, ``not in``, ``<``, ``<=``, ``>`` or ``>=``."""

    relation: str
    left: Expr
    right: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Arith:
    """``left + right``, ``left - right`` or ``left * right``."""

    sign: str
    left: Expr
    right: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class During:
    """``during phase``: is this phase anywhere on the stack?"""

    phase: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Binder:
    """``seat s in playing from leader``."""

    domain: str
    name: str
    within: Expr | None
    start: Expr | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Quant:
    """A quantifier: ``word`` is one of some, every, count, all, first, last, highest, lowest, sum."""

    word: str
    binders: tuple[Binder, ...]
    where: Expr | None
    body: Expr | None
    span: Span = field(default=NOWHERE, compare=False)


Expr: TypeAlias = Name | Number | Call | SetOf | Choose | Logic | Not | Compare | Arith | During | Quant


def text_of(value: Name | Number) -> str:
    """Return a name or a number as it is written."""
    return value.text if isinstance(value, Name) else str(value.value)


# ---- types -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RangeType:
    """``low .. high``."""

    low: Expr
    high: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SetType:
    """``set of name``."""

    of: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type as written: one kind, or several joined by ``or``."""

    kinds: tuple[Name | Number | RangeType | SetType, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """``name : type``."""

    name: str
    type: TypeText
    span: Span = field(default=NOWHERE, compare=False)


# ---- changes -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """``target(args) = value``, ``+=`` or ``-=``."""

    target: str
    args: tuple[Expr, ...]
    sign: str
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """``move value to place(args)``."""

    what: Expr
    place: str
    args: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Way:
    """A transition: ``word`` is ``then``, ``ask`` or ``resume``; ``phase`` is empty for ``resume``."""

    word: str
    phase: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """A named effect: ``concede(us, stake)``."""

    effect: str
    args: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


Change: TypeAlias = Assign | Move | Way | Apply


# ---- clauses -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verb:
    """``card(c)``: an action's name and its arguments, each a name that binds or a value that restricts."""

    name: str
    args: tuple[Name | Number, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CallWord:
    """One word of a bid: ``word += 2 upto 2``."""

    word: str
    sign: str
    amount: Expr
    upto: int | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a statement, named by ``kind``; the fields filled for each kind:

    ========== =================================================
    kind       filled
    ========== =================================================
    by         expr
    verdict    word (may, must, must not), verbs
    on         verbs
    at once    (nothing)
    when       expr
    lest, do   changes
    fresh      word (a phase)
    seen       expr
    possible   expr
    written    strings
    tacit      (nothing)
    stakes     expr, steps (word, expr)
    calls      calls
    opens      names
    later      names
    replies    names (two actions); word (answers or choice)
    refusal    expr
    settles    word (a phase)
    stake      expr
    ========== =================================================
    """

    kind: str
    word: str = ""
    expr: Expr | None = None
    verbs: tuple[Verb, ...] = ()
    changes: tuple[Change, ...] = ()
    names: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    steps: tuple[tuple[str, Expr], ...] = ()
    calls: tuple[CallWord, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


# ---- statements --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option; ``default`` if it is starred."""

    value: Name | Number
    default: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DeckPart:
    """``without … but … when …;`` or ``with JK as TC when …;`` of a deck."""

    word: str
    values: tuple[Name | Number, ...]
    but: tuple[Name | Number, ...]
    when: Expr | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement. ``kind`` is its first word; ``mode`` is empty, or ``replace``.

    Kinds of the core: option, order, datum, phase, action, define, table, effect, rule, decision, refuse; of the link:
    set, drop, also, closed; of the sugar: seats, deck, trump, ladder, bid, special, fault.

    ``value`` is the expression after ``=`` (datum, define) or ``of`` and ``rank`` (trump), or the value of ``set``.
    ``when`` is the condition of a define or a trump; for all others it is a clause. ``names`` are the names after
    ``in`` (cited kinds), the columns of a table, the ranks and suits of a deck, the phases that a phase interrupts,
    or the options that ``closed`` leaves open. ``within`` is the scope of a phase, or the trump below.
    """

    kind: str
    name: str
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)
    mode: str = ""
    params: tuple[Param, ...] = ()
    type: TypeText | None = None
    excepts: tuple[str, ...] = ()
    cites: tuple[Cite, ...] = ()
    prose: str | None = None
    names: tuple[str, ...] = ()
    within: str = ""
    clauses: tuple[Clause, ...] = ()
    value: Expr | None = None
    when: Expr | None = None
    choices: tuple[Choice, ...] = ()
    members: tuple[Name | Number, ...] = ()
    rows: tuple[tuple[Name | Number | None, ...], ...] = ()
    parts: tuple[DeckPart, ...] = ()
    count: int = 0
    suits: str = ""
    because: str = ""
    rather: tuple[str, ...] = ()

    def clause(self, kind: str) -> Clause | None:
        """Return the clause of this kind, or None."""
        for clause in self.clauses:
            if clause.kind == kind:
                return clause
        return None

    def expr_of(self, kind: str) -> Expr | None:
        """Return the expression of the clause of this kind, or None."""
        clause = self.clause(kind)
        return clause.expr if clause else None


@dataclass(frozen=True, slots=True)
class VariantText:
    """One ``variant`` block."""

    name: str
    extends: tuple[str, ...]
    title: str
    items: tuple[Statement, ...]
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Concordance:
    """One ``concordance`` block: further citations for the statements of a variant. Its items are of
    the kind ``also``.
    """

    name: str
    items: tuple[Statement, ...]
    span: Span = field(compare=False)
    name_span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class File:
    """A whole text: its variants and its concordances, each in order."""

    path: str
    variants: tuple[VariantText, ...]
    concordances: tuple[Concordance, ...] = ()

    @property
    def blocks(self) -> tuple[VariantText | Concordance, ...]:
        """All of them, in the order of the text."""
        return tuple(sorted((*self.variants, *self.concordances), key=lambda block: block.span.start))


# ---- what is in a part of the tree ---------------------------------------------------------------


def nodes(part: object, but: tuple[type, ...] = ()) -> Iterator[Any]:
    """Yield every node in a part of the tree, each before what is in it; none of kinds ``but``, nor what these hold."""
    left: list[Any] = [part]
    while left:
        each = left.pop()
        kind: type = type(each)
        if kind is tuple:
            left += reversed(each)
        elif (names := fields_of(kind)) and kind not in but:
            yield each
            left += [getattr(each, name) for name in reversed(names)]


@cache
def fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a kind of nodes that may hold others; none of any other class."""
    if not is_dataclass(kind):
        return ()
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "name_span", "cites"))
