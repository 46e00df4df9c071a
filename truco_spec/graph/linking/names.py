"""Name resolution in a variant: options and the values that a ``refuse`` leaves them, words, orders, cards, types, and
the signatures of all questions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import TypeAlias

from truco_spec.base.words import Sentence
from truco_spec.graph import types
from truco_spec.graph.link import Linked
from truco_spec.graph.model import AGREED, ASKED, Card, Option, Source, by_identity
from truco_spec.graph.types import Type
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError, hint_of

_MOST_SOURCES = 8192
BUILT_TYPES = ("flag", "seat", "team", "card", "phase", "pile", "slot")


@by_identity(_MOST_SOURCES)
def source_of(item: Linked) -> Source:
    """The origin of a linked statement."""
    statement, prose = item.statement, item.statement.prose or ""
    agreed = frozenset(names_in(statement)) if prose.startswith(AGREED) else frozenset()
    return Source(statement.span, prose, statement.cites, item.lineage, item.construct, agreed)


def choose_options(
    items: Mapping[str, Linked], sets: Mapping[str, tuple[t.Statement, str]], asked: Mapping[str, object]
) -> dict[str, Option]:
    """The options with their values: requested, set by the variant, or default. Raises SpecError."""
    wrong: list[Diagnostic] = []
    options: dict[str, Option] = {}
    for name, item in items.items():
        if item.statement.kind != "option":
            continue
        values = tuple(values_of(item.statement))
        stars = [t.text_of(choice.value) for choice in item.statement.choices if choice.default]
        if len(stars) != 1:
            message = Sentence("option {name} marks one value with *, not {count}", name=name, count=len(stars))
            wrong.append(Diagnostic("error", "default", message, item.statement.name_span))
        value, set_by = (stars or list(values))[0], ""
        default = value
        if name in sets:
            statement, set_by = sets[name]
            assert isinstance(statement.value, t.Name | t.Number)
            value = t.text_of(statement.value)
            if value not in values:
                wrong.append(_bad_value(name, value, values, statement.span))
        options[name] = Option(name, values, default, value, set_by, source_of(item))
    for name, given in asked.items():
        text = str(given)
        if name not in options:
            hint = hint_of(name, options, Sentence("the options are {options}", options=", ".join(options)))
            wrong.append(
                Diagnostic("error", "unknown-option", Sentence("there is no option {name}", name=name), t.NOWHERE, hint)
            )
        elif text not in options[name].values:
            wrong.append(_bad_value(name, text, options[name].values, t.NOWHERE))
        elif text != (old := options[name]).value:
            options[name] = Option(name, old.values, old.default, text, ASKED, old.source)
    if wrong:
        raise SpecError(wrong)
    return options


def _bad_value(name: str, value: str, values: tuple[str, ...], span: t.Span) -> Diagnostic:
    hint = Sentence("its values are {values}", values=", ".join(values))
    return Diagnostic(
        "error", "unknown-value", Sentence("option {name} has no value {value}", name=name, value=value), span, hint
    )


def refusals_in(items: Mapping[str, Linked]) -> dict[str, t.Expr]:
    """The conditions of the refusals among linked statements, by name."""
    refusals = {name: item.statement for name, item in items.items() if item.statement.kind == "refuse"}
    return {name: when for name, refusal in refusals.items() if (when := refusal.expr_of("when"))}


def without_ruled_out(options: Mapping[str, Option], refusals: Iterable[t.Expr]) -> dict[str, Option]:
    """Return the options with only their playable values; the others are their ``ruled_out``.

    Only a refusal about a single option rules values out. With several options another one could be changed; ``check``
    proves that each value is playable in some combination.
    """
    found = dict(options)
    for when in refusals:
        named = [name for name in names_in(when) if name in options]
        if len(named) == 1:
            option = found[named[0]]
            out = tuple(value for value in option.values if holds(when, {option.name: value}))
            left = tuple(value for value in option.values if value not in out)
            found[option.name] = replace(option, values=left, ruled_out=(*option.ruled_out, *out))
    return found


def names_in(node: object) -> set[str]:
    """Every name in a part of the tree; dotted ones also by the part before the dot."""
    found: set[str] = set()
    for word in _words(node):
        found.add(word)
        if "." in word:
            found.add(word.partition(".")[0])
    return found


def _words(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield str(node)
    elif isinstance(node, tuple | list):
        for item in node:
            yield from _words(item)
    else:
        kind: type = type(node)
        for name in _parts_with_names(kind):
            yield from _words(getattr(node, name))


@cache
def _parts_with_names(kind: type) -> tuple[str, ...]:
    """The fields of a class of the tree that may hold names; none of any other class."""
    if not is_dataclass(kind) or kind is t.Span:
        return ()
    return tuple(f.name for f in fields(kind) if f.name not in _WITHOUT_NAMES)


_WITHOUT_NAMES = ("prose", "cites", "because", "rather", "span", "name_span")


def values_of(statement: t.Statement) -> list[str]:
    """The values of an option, as written."""
    return [t.text_of(choice.value) for choice in statement.choices]


def holds(expr: t.Expr, chosen: Mapping[str, str]) -> bool:
    """Whether a condition on options holds. Names that are no chosen option stand for themselves."""
    if isinstance(expr, t.Logic):
        both = (holds(expr.left, chosen), holds(expr.right, chosen))
        return all(both) if expr.word == "and" else any(both)
    if isinstance(expr, t.Not):
        return not holds(expr.item, chosen)
    if isinstance(expr, t.Compare):
        left = _value(expr.left, chosen)
        if expr.relation in ("in", "not in"):
            items = expr.right.items if isinstance(expr.right, t.SetOf) else (expr.right,)
            return (left in [_value(item, chosen) for item in items]) == (expr.relation == "in")
        right = _value(expr.right, chosen)
        if expr.relation in ("is", "is not"):
            return (left == right) == (expr.relation == "is")
        if not (left.isdigit() and right.isdigit()):
            return False
        a, b = int(left), int(right)
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[expr.relation]
    return _value(expr, chosen) == "yes"


def _value(expr: t.Expr, chosen: Mapping[str, str]) -> str:
    if isinstance(expr, t.Name):
        return chosen.get(expr.text, expr.text)
    return str(expr.value) if isinstance(expr, t.Number) else ""


def words_of(items: Iterable[t.Statement]) -> Iterator[str]:
    """Every word named by the statements in types and tables, including names of types, in the order of the text."""
    for statement in items:
        kinds = [statement.type, *(param.type for param in statement.params)]
        for kind in kinds:
            for part in kind.kinds if kind else ():
                if isinstance(part, t.Name):
                    yield part.text
        for row in statement.rows:
            for cell in row:
                if isinstance(cell, t.Name) and cell.text not in ("X", "Y"):
                    yield cell.text


@dataclass
class Symbols:
    """The static names of a variant, known before any expression is elaborated."""

    options: dict[str, Option]
    seats: int = 0
    teams: int = 0
    words: dict[str, int] = field(default_factory=dict)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numeric: dict[str, Type] = field(default_factory=dict)
    cards: list[Card] = field(default_factory=list)
    ranks: str = ""
    suits: str = ""
    pack: str = ""
    phases: dict[str, int] = field(default_factory=dict)

    def option_type(self, name: str) -> Type:
        """Numbers if all values are, else words (and numbers beside them)."""
        values = self.options[name].values
        numbers = [int(v) for v in values if v.isdigit()]
        words = frozenset(v for v in values if not v.isdigit())
        if not numbers:
            return Type("", words=words)
        return Type("number", min(numbers), max(numbers), words=words)

    def named_type(self, name: str) -> Type | None:
        """A type by its name; ``rank of card`` and ``suit of card`` are the orders of the deck."""
        if name == "flag":
            return types.FLAG
        if name == "seat" and self.seats:
            return Type("seat", 0, self.seats - 1)
        if name == "team" and self.teams:
            return Type("team", 0, self.teams - 1)
        if name == "card" and self.cards:
            return Type("card", 0, len(self.cards) - 1)
        if name == "phase":
            return Type("phase", 0, len(self.phases) - 1)
        if name in ("rank of card", "suit of card"):
            order = self.ranks if name.startswith("rank") else self.suits
            return self.named_type(order) if order else None
        if name in self.numeric:
            return self.numeric[name]
        if name in self.orders:
            return Type("order", 0, len(self.orders[name]) - 1, name)
        return None

    def member_of(self, kind: Type, name: str) -> int | None:
        """The value of a member in the type's order or deck, or None."""
        if kind.many:
            return None
        if kind.base == "order":
            members = self.orders.get(kind.name, ())
            return members.index(name) if name in members else None
        if kind.base == "card":
            return self.card_value(name)
        return None

    def member(self, name: str) -> tuple[Type, int] | None:
        """The unique order with this member, and its value there; None if there is none or several."""
        found = [order for order, members in self.orders.items() if name in members and order not in self.numeric]
        if len(found) != 1:
            return None
        kind = self.named_type(found[0])
        assert kind is not None
        return kind, self.orders[found[0]].index(name)

    def card_value(self, name: str) -> int | None:
        """The number of a card, -1 for one not in this pack, None if it is no card."""
        for number, card in enumerate(self.cards):
            if card.name == name:
                return number if card.present else -1
        return None

    def add_word(self, word: str) -> None:
        """Assign a code to a word, if it is new."""
        if word not in self.words:
            self.words[word] = types.FIRST_WORD - len(self.words)

    def is_type(self, word: str) -> bool:
        """Whether the word names a type."""
        return word in BUILT_TYPES or self.named_type(word) is not None


class Wrong(Exception):
    """An expression that cannot be resolved; caught where the statement is built."""

    def __init__(self, code: str, message: str, span: t.Span, hint: str = "") -> None:
        super().__init__(code, message, span, hint)
        self.diagnostic = Diagnostic("error", code, message, span, hint)


def unknown(message: Sentence, known: Iterable[str], span: t.Span) -> Wrong:
    """The error for a name that is not among the known ones."""
    return Wrong("unknown-name", message, span, hint_of(str(message.holes["name"]), known))


Scope: TypeAlias = Mapping[str, Type]
"""The names in scope: parameters with their types, and the actor (``me``), if any."""
