"""Checks deals that an implementation made by itself, each alone and all together.

Statistical tests accuse an honest dealer less than once in a thousand million runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING

from truco_spec.conformance.corpus.cases import DealsOf
from truco_spec.conformance.corpus.protocol import Deal, OwnDeals

if TYPE_CHECKING:
    from truco_spec.graph.model import Graph

SELDOM = 1e-9
"""Significance level: a less probable outcome is not attributed to chance."""

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Unsound:
    """The expected and actual result; the first ``times`` deals show it."""

    expected: str
    got: str
    times: int


def unsound(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Unsound | None:
    """The first fault in these deals from a pack with these card names, or None."""
    return next((found for wrong in _WRONGS for found in wrong(deals, of, names)), None)


def pack_of(request: OwnDeals) -> frozenset[str]:
    """The names of the cards in the pack. Raises TrucoError for an unknown variant."""
    return frozenset(card.name for card in graph_of(request).cards if card.present)


def graph_of(request: OwnDeals) -> Graph:
    """The rules of a request. Raises TrucoError for an unknown variant."""
    from truco_spec.graph.load import load
    from truco_spec.graph.model import HOW_MANY

    return load(request.variant, **{**request.options, HOW_MANY: str(len(request.players))})


def _in_one(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """The first deal with a duplicate card, a card of another pack, or a wrong number of cards."""
    for number, deal in enumerate(deals, 1):
        at, shown = f"deal {number}", "; ".join(f"{key} {' '.join(held)}" for key, held in deal.items())
        cards = [card for held in deal.values() for card in held]
        if twice := sorted({card for card in cards if cards.count(card) > 1}):
            where = [key for key, held in deal.items() for _ in range(held.count(twice[0]))]
            got = f"{at}: {twice[0]} is with {' and '.join(where)} ({shown})"
            yield Unsound("no card is in two places", got, number)
        if {key: len(deal.get(key, ())) for key in of.counts} != dict(of.counts):
            wanted = ", ".join(f"{key} {count}" for key, count in of.counts.items())
            yield Unsound(f"number of cards: {wanted}", f"{at}: {shown}", number)
        if of.pack is not None and (strange := sorted(set(cards) - names)):
            yield Unsound(f"cards of this pack of {len(names)}", f"{at}: {_few(strange)} ({shown})", number)


def _all_alike(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect repeated deals: two equal ones may be chance, three are not."""
    first, enough = deals[0], 3
    if len(deals) >= enough and all(_same(first, deal) for deal in deals):
        shown = "; ".join(f"{key} {' '.join(held)}" for key, held in first.items())
        yield Unsound(
            "the cards are shuffled before each deal", f"all {len(deals)} deals are the same: {shown}", enough
        )


def _missing(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect cards of the pack that never appear, given enough deals to be sure."""
    if of.pack is None:
        return
    least = min(sum(map(len, deal.values())) for deal in deals)
    came = {card for deal in deals for held in deal.values() for card in held}
    sure = len(names) * (1 - least / len(names)) ** len(deals) < SELDOM
    if len(came) > of.pack or (sure and len(came) < of.pack):
        never = f"; never {_few(sorted(names - came))}" if sure and names - came else ""
        yield Unsound(
            f"a pack of {of.pack} cards", f"in {len(deals)} deals {len(came)} different cards{never}", len(deals)
        )


def _not_renewed(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect that successive deals share no card more often than deals of a whole pack do."""
    held = [{card for cards in deal.values() for card in cards} for deal in deals]
    least, pairs = min(map(len, held)), len(held) - 1
    chance = comb(len(names) - least, least) / comb(len(names), least)
    apart = sum(one.isdisjoint(other) for one, other in pairwise(held))
    if apart > chance * pairs and _at_least(apart, pairs, chance) < SELDOM:
        usual = f"about {chance * pairs:.0f} of {pairs} share no card with the deal before"
        yield Unsound(f"the pack is whole before each deal: {usual}", f"{apart} share none", len(deals))


_WRONGS: tuple[Callable[[Sequence[Deal], DealsOf, frozenset[str]], Iterator[Unsound]], ...] = (
    _in_one,
    _all_alike,
    _missing,
    _not_renewed,
)


def _at_least(count: int, times: int, chance: float) -> float:
    """The binomial probability of at least ``count`` successes."""
    return sum(comb(times, n) * chance**n * (1 - chance) ** (times - n) for n in range(count, times + 1))


def _same(one: Deal, other: Deal) -> bool:
    return {key: sorted(held) for key, held in one.items()} == {key: sorted(held) for key, held in other.items()}


def _few(cards: Sequence[str]) -> str:
    more = f" and {len(cards) - _MOST_NAMED} more" if len(cards) > _MOST_NAMED else ""
    return ", ".join(card[:10] for card in cards[:_MOST_NAMED]) + more
