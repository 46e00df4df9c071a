"""Tables: questions answered by rows.

In a row ``X`` and ``Y`` stand for two different teams and ``-`` for anything. If an argument is still ``open`` and no
row matches for any of its values, the table answers ``open``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from truco_spec.base.words import Sentence
from truco_spec.graph import types
from truco_spec.graph.link import Linked
from truco_spec.graph.linking import limits
from truco_spec.graph.linking.names import Scope, Wrong, source_of, text_of
from truco_spec.graph.model import Card, Param, Table
from truco_spec.graph.types import Type
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

if TYPE_CHECKING:
    from truco_spec.graph.linking.build import Builder


OPEN = "open"
_TEAMS = ("X", "Y")


def build_table(builder: Builder, item: Linked) -> Table:
    """The table with its answer for every combination of arguments; errors go to the builder's list."""
    statement = item.statement
    width = len(statement.names) + 1
    rows = []
    for row in statement.rows:
        if len(row) != width:
            form = "a row of {name} has {width} cells: {columns} and the answer"
            message = Sentence(form, name=statement.name, width=width, columns=", ".join(statement.names))
            builder.note("row", message, statement.name_span)
        elif isinstance(row[-1], t.Name) and row[-1].text in _TEAMS and row[-1] not in row[:-1]:
            form = "a row of {name} answers {answer}, and no cell before it says which team that is"
            message = Sentence(form, name=statement.name, answer=row[-1].text)
            builder.note("row", message, row[-1].span)
        else:
            rows.append(row)
    kinds = [_column(builder, [row[i] for row in rows], last=i == width - 1) for i in range(width)]
    params = tuple(Param(name, kind) for name, kind in zip(statement.names, kinds, strict=False))
    answers: dict[tuple[int, ...], int] = {}
    domains = [_values(builder, kind) for kind in kinds[:-1]]
    total = math.prod(map(len, domains))
    if total > 100_000 or total * len(rows) > limits.MATCHES:
        form = "{name} has {rows} rows for {total} combinations"
        what = Sentence(form, name=statement.name, rows=len(rows), total=total)
        builder.wrong.append(limits.too_large(what, limits.MATCHES, statement.name_span))
        domains = []
    ambiguous = False
    for given in itertools.product(*domains) if domains else ():
        found = {answer for row in rows for answer in _matches(builder, kinds, row, given)}
        if len(found) > 1 and not ambiguous:
            ambiguous = True
            shown = ", ".join(_shown(builder, kind, value) for kind, value in zip(kinds, given, strict=False))
            message = Sentence("two rows of {name} disagree on ({shown})", name=statement.name, shown=shown)
            builder.note("table-ambiguous", message, statement.name_span)
        if found:
            answers[given] = found.pop()
        elif builder.symbols.words.get(OPEN) in given:
            answers[given] = builder.symbols.words[OPEN]
    kind = kinds[-1]
    if any(value == builder.symbols.words.get(OPEN) for value in answers.values()):
        kind = types.with_words(kind, OPEN)
    texts = tuple(tuple("-" if cell is None else text_of(cell) for cell in row) for row in rows)
    return Table(statement.name, params, kind, texts, answers, source_of(item))


def _column(builder: Builder, cells: list[t.Name | t.Number | None], last: bool) -> Type:
    kind: Type | None = None
    for cell in cells:
        if cell is None:
            continue
        found = _cell_type(builder, cell)
        if isinstance(cell, t.Name) and not last and OPEN in builder.symbols.words:
            found = types.with_words(found, OPEN)
        joined = found if kind is None else types.join(kind, found)
        kind = joined or kind
    return kind or types.of_words("none")


def _cell_type(builder: Builder, cell: t.Name | t.Number) -> Type:
    if isinstance(cell, t.Name) and cell.text in _TEAMS:
        team = builder.symbols.named_type("team")
        if team is None:
            message = Sentence("{cell} stands for a team, and without `seats` there is none", cell=cell.text)
            builder.note("row", message, cell.span)
        return team or types.of_words("none")
    if isinstance(cell, t.Name) and cell.text in builder.symbols.words:
        return types.of_words(cell.text)
    try:
        return builder.elaborator.expr(cell, Scope()).type
    except Wrong as wrong:
        builder.wrong.append(wrong.diagnostic)
        return types.of_words("none")


def _values(builder: Builder, kind: Type) -> list[int]:
    values = list(range(kind.low, kind.high + 1)) if kind.base else []
    return values + [builder.symbols.words[word] for word in sorted(kind.words)]


def _matches(
    builder: Builder, kinds: list[Type], row: tuple[t.Name | t.Number | None, ...], given: tuple[int, ...]
) -> list[int]:
    """The answer of this row for these arguments, as a list; empty if it does not match."""
    teams: dict[str, int] = {}
    for cell, value in zip(row, given, strict=False):
        if cell is None:
            continue
        if isinstance(cell, t.Name) and cell.text in _TEAMS:
            if value <= types.FIRST_WORD or teams.setdefault(cell.text, value) != value:
                return []
        elif _cell_value(builder, cell) != value:
            return []
    if len(set(teams.values())) != len(teams):
        return []
    answer = row[-1]
    if isinstance(answer, t.Name) and answer.text in teams:
        return [teams[answer.text]]
    return [] if answer is None else [_cell_value(builder, answer)]


def _cell_value(builder: Builder, cell: t.Name | t.Number) -> int:
    if isinstance(cell, t.Name) and cell.text in builder.symbols.words:
        return builder.symbols.words[cell.text]
    try:
        found = builder.elaborator.expr(cell, Scope())
    except Wrong:
        return types.FIRST_WORD
    return int(found.value) if found.op == "const" else types.FIRST_WORD


def _shown(builder: Builder, kind: Type, value: int) -> str:
    return next((word for word, code in builder.symbols.words.items() if code == value), str(value))


# --------------------------------------------------------------------------------------------------
# The pack: every card of any option's deck has a number; the options decide which are in it.


def deal_out(
    deck: t.Statement,
    ranks: tuple[str, ...],
    suits: tuple[str, ...],
    holds: Callable[[t.Expr], bool],
    wrong: list[Diagnostic],
) -> list[Card]:
    """The cards of a deck: rank by rank and suit by suit, then the added ones. ``holds`` evaluates conditions on
    options.
    """
    cards = [Card(r + s, i, j, True) for i, r in enumerate(ranks) for j, s in enumerate(suits)]
    names = {card.name: number for number, card in enumerate(cards)}
    present = [True] * len(cards)
    ever = [True] * len(cards)
    for part in deck.parts:
        active = part.when is None or holds(part.when)
        if part.word == "with":
            added, like = (text_of(value) for value in part.values)
            if like not in names:
                wrong.append(_no_card(like, part.span))
                continue
            model = cards[names[like]]
            names.setdefault(added, len(cards))
            if names[added] == len(cards):
                cards.append(Card(added, model.rank, model.suit, True))
                present.append(active)
                ever.append(True)
            else:
                present[names[added]] |= active
                ever[names[added]] = True
            continue
        out: set[int] = set()
        for values, keep in ((part.values, False), (part.but, True)):
            for value in values:
                found = _cards_of(text_of(value), names, ranks, suits)
                if not found:
                    wrong.append(_no_card(text_of(value), part.span))
                out = out - found if keep else out | found
        for number in out:
            present[number] &= not active
            ever[number] &= part.when is not None
    kept = [n for n in range(len(cards)) if ever[n]]
    return [Card(cards[n].name, cards[n].rank, cards[n].suit, present[n]) for n in kept]


def _cards_of(text: str, names: dict[str, int], ranks: tuple[str, ...], suits: tuple[str, ...]) -> set[int]:
    if text in names:
        return {names[text]}
    if text in ranks:
        return {names[text + suit] for suit in suits}
    return set()


def _no_card(text: str, span: t.Span) -> Diagnostic:
    return Diagnostic(
        "error", "unknown-card", Sentence("{text} is neither a card nor a rank of this deck", text=text), span
    )
