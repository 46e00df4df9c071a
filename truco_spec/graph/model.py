"""The rule graph of a linked variant: core statements only, typed, with options folded.

All types are plain data: compiled by the engine, walked by explanations, searched by the checks, drawn by the pages.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import wraps
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, dataclass_transform

from truco_spec.graph.types import Type, single
from truco_spec.language.diagnostics import NOWHERE, Cite, Span

_Kind = TypeVar("_Kind")


OBSERVED, NEVER = "table.", "never."
"""Prefixes of questions that no rule asks: observations, and conditions of no reachable position."""
UNASKED = (OBSERVED, NEVER)
WRONG = "wrong."
"""Prefix of rules that permit what a source calls wrong, and nothing prevents."""
DECIDED = "decided"
"""The source of our own decisions, which are cited by their names."""
SEEN = ".seen"
"""Suffix of the question who sees a datum."""
CLOSED = "closed-"
"""Prefix of the refusals by which a variant closes its options."""
CHANCE_NAME, REFEREE_NAME = OUTSIDERS = ("chance", "referee")
"""The actors without a seat."""
ASKED = "asked"
"""The setter of an option that is not as the variant has it."""
HOW_MANY = "players"
"""The option, if a variant has it, for the number of players."""
AGREED = "Where that is agreed, "
"""The formula before sentences that hold under an option. It is said only where somebody may agree so, or has."""


def _parts(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    get = attrgetter(*names)
    return lambda thing: (type(thing), get(thing))


def quick_to_keep(kind: type[_Kind]) -> type[_Kind]:
    """A faster pickle for frozen classes, as class and fields: a graph has thousands, and the default looks up each
    field.
    """
    kind.__reduce__ = _parts(tuple(f.name for f in fields(kind)))  # type: ignore[method-assign, arg-type, assignment]
    return kind


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(kind: type[_Kind]) -> type[_Kind]:
    """A frozen class of plain data, quick to keep."""
    return quick_to_keep(dataclass(frozen=True, slots=True)(kind))


@record
class Expr:
    """A typed expression. ``op`` names the operation (:data:`truco_spec.graph.operations.OPERATIONS`), ``kids`` are its
    parts, ``value`` any further data.
    """

    op: str
    type: Type
    kids: tuple[Expr, ...] = ()
    value: Any = None
    span: Span = field(default=NOWHERE, compare=False)


@record
class Bound:
    """One binder of a quantifier: a variable, its type, its set, and the start of the circle."""

    name: str
    type: Type
    within: Expr | None
    start: Expr | None


@record
class Quant:
    """``word`` over the binders: some, every, count, all, first, last, highest, lowest, sum."""

    word: str
    binders: tuple[Bound, ...]
    where: Expr | None
    body: Expr | None


for _kind in (Type, Span, Cite):
    quick_to_keep(_kind)


# ---- changes -----------------------------------------------------------------------------------


@record
class Assign:
    """``datum(index) sign value``."""

    datum: str
    index: tuple[Expr, ...]
    sign: str
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@record
class Move:
    """A card, or all cards of a set, to a place."""

    what: Expr
    place: str
    index: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@record
class Way:
    """``then``, ``ask`` or ``resume``."""

    word: str
    phase: str
    span: Span = field(default=NOWHERE, compare=False)


@record
class Apply:
    """A named effect."""

    effect: str
    args: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


Change: TypeAlias = Assign | Move | Way | Apply


# ---- the things of the core --------------------------------------------------------------------


@record
class Source:
    """The origin of a thing: its text, sentence, citations, and the variants that contributed to it.

    ``agreed`` are the names in a statement whose sentence begins with :data:`AGREED`, options among them.
    """

    span: Span
    prose: str
    cites: tuple[Cite, ...]
    lineage: tuple[str, ...]
    construct: str = ""
    agreed: frozenset[str] = frozenset()


@record
class Param:
    """A parameter: its name and type."""

    name: str
    type: Type


def wholes(name: str) -> Iterator[str]:
    """Return the name itself, and those of the constructs that contain it: ``truco.open`` and ``truco``."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def indices(params: Iterable[Param]) -> list[tuple[int, ...]]:
    """Every combination of values of parameters, the last one running fastest."""
    return list(itertools.product(*(range(p.type.low, p.type.high + 1) for p in params)))


@record
class Option:
    """A switch: its values, its default, and its setting here. Values are words or numbers, as written. ``set_by`` is
    the variant that sets it, :data:`ASKED`, or empty.

    ``values`` are the playable ones; ``ruled_out`` those also named in the text that a ``refuse`` always rejects.
    """

    name: str
    values: tuple[str, ...]
    default: str
    value: str
    set_by: str
    source: Source
    ruled_out: tuple[str, ...] = ()


@record
class Datum:
    """A piece of the position. ``first`` is its initial value (None: unset until assigned), ``fresh`` its lifetime."""

    name: str
    params: tuple[Param, ...]
    type: Type
    first: Expr | None
    fresh: str
    source: Source


@record
class Phase:
    """A phase of the game."""

    name: str
    within: str
    interrupts: tuple[str, ...]
    source: Source


_GIVEN = re.compile(r"\{([A-Za-z0-9.-]+)=([A-Za-z0-9.-]+)\}")


def said_and_given(written: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A notation without the parameters that it sets (``once more {w=vale-6}``), and these with their values."""
    given = tuple((name, value) for name, value in _GIVEN.findall(written))
    return (" ".join(_GIVEN.sub("", written).split()), given) if given else (written, given)


@record
class ActionKind:
    """An action. ``written`` are its notations, the canonical one first."""

    name: str
    params: tuple[Param, ...]
    possible: Expr | None
    seen: Expr | None
    written: tuple[str, ...]
    tacit: bool
    source: Source


@record
class Answer:
    """One answer of a define: the base, or an exception to others. ``beats`` are all answers that it overrides."""

    name: str
    when: Expr | None
    value: Expr
    beats: frozenset[str]
    source: Source


@record
class Define:
    """A question about the position: the base answer first, then its exceptions."""

    name: str
    params: tuple[Param, ...]
    type: Type
    answers: tuple[Answer, ...]


@record
class Table:
    """A question answered by rows. ``rows`` as written; ``answers`` maps every tuple of arguments to the result."""

    name: str
    params: tuple[Param, ...]
    type: Type
    rows: tuple[tuple[str, ...], ...]
    answers: dict[tuple[int, ...], int]
    source: Source


@record
class Turn:
    """One branch of an effect: the base, or an exception to others."""

    name: str
    when: Expr | None
    changes: tuple[Change, ...]
    beats: frozenset[str]
    source: Source


@record
class Effect:
    """A named change: the base first, then its exceptions."""

    name: str
    params: tuple[Param, ...]
    turns: tuple[Turn, ...]


@record
class Verb:
    """An action as a rule names it: each argument binds a name (str) or restricts to a value (int)."""

    action: str
    args: tuple[str | int, ...]


@record
class Rule:
    """A rule. ``shape`` is may, must, must not, on (a consequence), auto or once.

    ``phases`` is empty for any phase; ``by`` is the set of seats that it applies to, or ``outsider`` names who acts
    without a seat; ``binds`` are the names its verbs bind, with their types; ``beats`` the rules that it is an
    exception to.
    """

    name: str
    shape: str
    phases: tuple[str, ...]
    by: Expr | None
    outsider: str
    verbs: tuple[Verb, ...]
    binds: tuple[Param, ...]
    when: Expr | None
    lest: tuple[Change, ...]
    do: tuple[Change, ...]
    beats: frozenset[str]
    source: Source


@record
class Decision:
    """Our reading of a gap."""

    name: str
    resolves: tuple[Cite, ...]
    reading: str
    because: str
    rather: tuple[str, ...]
    source: Source


@record
class Card:
    """A card: its name, rank and suit (places in their orders), and whether it is in the pack."""

    name: str
    rank: int
    suit: int
    present: bool


@dataclass(slots=True)
class Graph:
    """A linked variant. All mappings keep the order of the text.

    ``module`` is the cached text of its code, if any; ``keep`` stores it, where possible. ``like`` is a graph of
    which this one is a small change: most of its compiled functions serve both.
    """

    name: str
    title: str
    lineage: tuple[str, ...]
    titles: dict[str, str]
    options: dict[str, Option]
    seats: int
    teams: int
    words: dict[str, int]
    orders: dict[str, tuple[str, ...]]
    ranks: str
    suits: str
    cards: tuple[Card, ...]
    pack: str
    data: dict[str, Datum]
    phases: dict[str, Phase]
    actions: dict[str, ActionKind]
    defines: dict[str, Define]
    tables: dict[str, Table]
    effects: dict[str, Effect]
    rules: dict[str, Rule]
    decisions: dict[str, Decision]
    refusals: dict[str, Source]
    cites: tuple[tuple[str, str, Source], ...]
    vanished: tuple[tuple[str, Source], ...]
    module: str | None = None
    keep: Callable[[str], None] | None = None
    like: Graph | None = field(default=None, repr=False, compare=False)

    @property
    def closed(self) -> bool:
        """Whether the variant leaves open no more options than it says."""
        return any(name.startswith(CLOSED) for name in self.refusals)

    def lies_within(self, inner: str, outer: str) -> bool:
        """Whether the lifetime of one phase lies inside that of the other, or is that."""
        seen: set[str] = set()
        while inner in self.phases and inner not in seen:
            if inner == outer:
                return True
            seen.add(inner)
            inner = self.phases[inner].within
        return False

    def text_of(self, kind: Type, value: int) -> str:
        """A value in words. Seats and teams are given as numbers, which the table maps to names."""
        for word in kind.words if value > -1000 else self.words:
            if self.words[word] == value:
                return word
        if kind.many:
            inner = single(kind)
            items = [self.text_of(inner, kind.low + i) for i in range(kind.size) if value >> i & 1]
            return "{" + ", ".join(items) + "}"
        if kind.base == "flag":
            return "yes" if value else "no"
        if not kind.low <= value <= kind.high:
            return str(value)
        if kind.base == "card":
            return self.cards[value].name
        if kind.base == "order":
            return self.orders[kind.name][value]
        if kind.base == "phase":
            return list(self.phases)[value]
        return str(value)

    def value_of(self, kind: Type, text: str) -> int | None:
        """Parse a value of a type; None if there is none."""
        if text in kind.words:
            return self.words[text]
        if kind.base == "flag":
            return {"yes": 1, "no": 0}.get(text)
        if kind.base == "card":
            return next((i for i, card in enumerate(self.cards) if card.name == text), None)
        if kind.base == "order":
            members = self.orders[kind.name]
            return members.index(text) if text in members else None
        if kind.base == "phase":
            return list(self.phases).index(text) if text in self.phases else None
        if text.isascii() and text.isdigit() and len(text) < 6 and kind.low <= int(text) <= kind.high:
            return int(text)
        return None


# ---- Memoisation by the identity of an argument: for graphs, which are large and cannot be hashed ---

MOST_GRAPHS = 1024
"""The most graphs with memoised results: more than a run of the corpus or a search of options links."""

F = TypeVar("F", bound=Callable[..., Any])


def by_identity(most: int) -> Callable[[F], F]:
    """Memoise ``most`` results, the newest, by the identity of the first argument and the values of the others."""

    def memoised(function: F) -> F:
        kept: dict[tuple[Any, ...], tuple[object, Any]] = {}
        """Each with its thing, which is kept alive, so that nothing else can take its address."""

        @wraps(function)
        def asked(thing: object, *others: Any) -> Any:
            key = (id(thing), *others)
            found = kept.get(key)
            if found is None:
                found = kept[key] = (thing, function(thing, *others))
                if len(kept) > most:
                    kept.pop(next(iter(kept)), None)
            return found[1]

        return asked  # type: ignore[return-value]

    return memoised
