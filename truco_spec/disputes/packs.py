"""Which card of one pack stands for which of another. The packs are told in ``spec/packs.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from truco_spec import safe_yaml, shipped
from truco_spec.conformance.shapes import read
from truco_spec.graph.model import Graph


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack of cards, as logs write them."""

    name: Annotated[str, "How it is called."]
    suits: Annotated[tuple[str, ...], "Its suits; those of another pack in the same place are alike."]
    ranks: Annotated[tuple[str, ...], "Its ranks; those of another pack in the same place are alike."]


@dataclass(frozen=True, slots=True)
class PacksFile:
    """The file of packs."""

    packs: Annotated[Literal[1], "The version of this format: 1."]
    licence: Annotated[str, "The licence of this file."]
    alike: Annotated[tuple[Pack, ...], "Packs whose cards stand for each other."]


@lru_cache(maxsize=1)
def _known() -> tuple[Pack, ...]:
    found: PacksFile = read(safe_yaml.load_file(shipped.folder("spec") / "packs.yaml").data, PacksFile)
    return found.alike


def pack_of(graph: Graph) -> Pack | None:
    """The pack that a game is played with, by its suits; None for one that is not told of."""
    suits = set(graph.orders.get(graph.suits, ()))
    return next((pack for pack in _known() if set(pack.suits) == suits), None)


def cards_between(one: Graph, other: Graph) -> Mapping[str, str]:
    """Card of one game -> the card of the other that it is there. Cards without a like are left out."""
    first, second = pack_of(one), pack_of(other)
    there = {card.name for card in other.cards}
    if first is None or second is None or first.name == second.name:
        return {card.name: card.name for card in one.cards if card.name in there}
    ranks = dict(zip(first.ranks, second.ranks, strict=False))
    suits = dict(zip(first.suits, second.suits, strict=False))
    named = {r + s: ranks[r] + suits[s] for r in ranks for s in suits}
    return {card.name: named[card.name] for card in one.cards if named.get(card.name) in there}
