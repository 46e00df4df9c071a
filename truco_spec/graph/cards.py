"""The pack: every card that any option could bring has a number; the options say which are in it."""

from __future__ import annotations

from collections.abc import Callable

from truco_spec.graph.model import Card
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic


def deal_out(
    deck: t.Statement,
    ranks: tuple[str, ...],
    suits: tuple[str, ...],
    holds: Callable[[t.Expr], bool],
    wrong: list[Diagnostic],
) -> list[Card]:
    """The cards of a deck: rank by rank and suit by suit, then the added ones. ``holds`` answers conditions on
    options.
    """
    cards = [Card(r + s, i, j, True) for i, r in enumerate(ranks) for j, s in enumerate(suits)]
    names = {card.name: number for number, card in enumerate(cards)}
    present = [True] * len(cards)
    ever = [True] * len(cards)
    for part in deck.parts:
        active = part.when is None or holds(part.when)
        if part.word == "with":
            added, like = (_text(value) for value in part.values)
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
                found = _cards_of(_text(value), names, ranks, suits)
                if not found:
                    wrong.append(_no_card(_text(value), part.span))
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


def _text(value: t.Name | t.Number) -> str:
    return value.text if isinstance(value, t.Name) else str(value.value)


def _no_card(text: str, span: t.Span) -> Diagnostic:
    return Diagnostic("error", "unknown-card", f"{text} is neither a card nor a rank of this deck", span)
