"""Engines that are right but for how they deal by themselves: each way changes the deals of the reference engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

from wrong import Wrong

from truco_spec.conformance.corpus.protocol import Deal, OwnDeals

Own = list[dict[str, tuple[str, ...]]]
Change = Callable[[Own], None]


class Dealer(Wrong):
    """Right but for what ``change`` does to its deals."""

    def __init__(self, change: Change = lambda deals: None, variant: str = "paulista") -> None:
        super().__init__("", variant, ("stake", "deal"))
        self.change = change

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return changed(super().deal(request), self.change, match=request.match)


def changed(deals: Collection[Deal], change: Change, *, match: bool) -> tuple[Deal, ...]:
    """The deals of somebody who deals in this way. The pack of a new match is always whole."""
    own = [dict(deal) for deal in deals]
    if match or change is not used_up:
        change(own)
    return tuple(own)


def always_the_same(deals: Own) -> None:
    deals[:] = deals[:1] * len(deals)


def no_fours(deals: Own) -> None:
    _from_a_pack(deals, {card for card in _cards(deals) if card[0] != "4"})


def with_eights_to_tens(deals: Own) -> None:
    """From 52 French cards, or 48 Spanish ones."""
    suits = {card[-1] for card in _cards(deals)}
    _from_a_pack(deals, _cards(deals) | {f"{rank}{suit}" for rank in (8, 9, 10) for suit in suits})


def used_up(deals: Own) -> None:
    """Whole only when too few cards are left of it."""
    _from_a_pack(deals, _cards(deals), renewed=False)


def turned_card_of_a_player(deals: Own) -> None:
    for deal in deals:
        deal["vira"] = deal["P1"][:1]


def _cards(deals: Own) -> set[str]:
    return {card for deal in deals for held in deal.values() for card in held}


def _from_a_pack(deals: Own, cards: Collection[str], *, renewed: bool = True) -> None:
    """Deal anew from these cards, which are together again before each deal or only when they are used up."""
    chance, pack = random.Random(3), list[str]()
    for deal in deals:
        if renewed or len(pack) < sum(map(len, deal.values())):
            pack = sorted(cards)
            chance.shuffle(pack)
        for place, held in deal.items():
            deal[place] = tuple(pack.pop() for _ in held)
