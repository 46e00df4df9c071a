"""Compares an implementation's own deals with those of the rules, if it lists ``deal``.

Each deal and all of them together have to be sound (:mod:`~truco_spec.conformance.corpus.filling`). If equal seeds give
equal deals, the frequency of every card at every place is tested too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truco_spec.base.shapes import plain
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.cases import Deals, DealsOf
from truco_spec.conformance.corpus.filling import pack_of, rules_of_request, unsound
from truco_spec.conformance.corpus.protocol import Deal, OwnDeals
from truco_spec.conformance.fuzz.shrink import file_of
from truco_spec.conformance.runner.deciding import Decided
from truco_spec.engine import CHANCE, Game
from truco_spec.engine.ruling import tacit_action
from truco_spec.graph.model import DECIDED, Graph

TIMES = 500
"""Number of deals examined."""

FAR = 7.0
"""Standard deviations beyond which a frequency is not attributed to chance."""

_MOST_MOVES = 400


@dataclass(frozen=True, slots=True)
class DealFault:
    """A fault of the deals of ``request``, reduced to as few as show it.

    ``counts`` are the expected number of cards of each player, ``pack`` their total; ``case`` is false if no case of
    the corpus can show it.
    """

    request: OwnDeals
    kind: str
    expected: str
    got: str
    decided: Decided
    counts: Mapping[str, int]
    pack: int
    repeatable: bool = True
    case: bool = True
    log: str = ""


def deal_fault(asked: OwnDeals, open_one: Callable[[], Implementation]) -> DealFault | None:
    """The first fault in this many deals, or None."""
    graph = rules_of_request(asked)
    own = Reference().deal(replace(asked, times=1))[0]
    places = {name for name, datum in graph.data.items() if datum.type.place == "slot"}
    counts = {key: len(own[key]) for key in (*asked.players, *sorted(places)) if key in own}
    names = pack_of(asked)
    fault = DealFault(asked, "deal", "", "", dealt_by(graph, asked.players), counts, len(names))
    try:
        deals, again = _dealt(asked, open_one), _dealt(asked, open_one)
    except Broken as broken:
        return replace(fault, kind=broken.verdict, expected="an answer", got=broken.message, case=False, log=broken.log)
    return _unsound(fault, deals, again, names) or _unfair(fault, deals, again, names)


def dealt_by(graph: Graph, players: Sequence[str]) -> Decided:
    """The rules that move cards from the pack to the players."""
    game, found = Game(graph, players=tuple(players)), dict[str, None]()
    for _ in range(_MOST_MOVES):
        drawn = [action for action in game.legal_actions() if action.actor == CHANCE]
        if drawn:
            rules = game.push(drawn[0]).rules
            if any(param.type.base == "card" for param in graph.actions[drawn[0].verb].params):
                found |= dict.fromkeys(rules)
        elif tacit := tacit_action(game):
            game.push(tacit)
        else:
            break
    return Decided(tuple(found))


def _dealt(asked: OwnDeals, open_one: Callable[[], Implementation]) -> tuple[Deal, ...]:
    implementation = open_one()
    try:
        implementation.hello()
        return implementation.deal(asked)
    finally:
        implementation.close()


def _unsound(fault: DealFault, deals: Sequence[Deal], again: Sequence[Deal], names: frozenset[str]) -> DealFault | None:
    """A fault impossible for any pack, in as few deals as show it."""
    found = unsound(deals, _of(fault, len(deals)), names)
    if found is None:
        return None
    same = unsound(again, _of(fault, len(again)), names)
    request = replace(fault.request, times=found.times)
    return replace(
        fault,
        request=request,
        expected=found.expected,
        got=found.got,
        repeatable=same is not None and same.got == found.got,
    )


def _of(fault: DealFault, times: int) -> DealsOf:
    return DealsOf(times, fault.counts, fault.pack, match=fault.request.match)


def _unfair(fault: DealFault, deals: Sequence[Deal], again: Sequence[Deal], names: frozenset[str]) -> DealFault | None:
    """A card that comes to a place too often or too seldom; untestable if a seed does not reproduce deals."""
    if list(deals) != list(again):
        return None
    worst = max(_distances(fault, deals, names), default=None)
    if worst is None or worst[0] < FAR:
        return None
    _, place, card, times, share = worst
    expected = f"{card} comes to {place} in about {share:.0f} of {len(deals)} deals"
    return replace(fault, kind="chance", expected=expected, got=f"in {times}", case=False)


def _distances(
    fault: DealFault, deals: Sequence[Deal], names: frozenset[str]
) -> Iterator[tuple[float, str, str, int, float]]:
    """For each place and card: standard deviations off, and actual and expected counts."""
    for place, held in fault.counts.items():
        chance = held / fault.pack
        share, spread = len(deals) * chance, math.sqrt(len(deals) * chance * (1 - chance))
        came = Counter(card for deal in deals for card in deal.get(place, ()))
        for card in sorted(names):
            if spread:
                yield abs(came[card] - share) / spread, place, card, came[card], share


def deal_case(fault: DealFault, name: str, note: str = "") -> str:
    """Write a file of one case in the format of the corpus that asks for this many deals."""
    request = fault.request
    cites = fault.decided.cites(rules_of_request(request))
    clauses = [f"{source}:{clause}" for source, clause in cites if source != DECIDED]
    case: dict[str, Any] = {"id": name, "title": "Every card is dealt once", "clauses": clauses}
    case["level"] = "option" if request.options else "must"
    case |= {"options": dict(request.options)} if request.options else {}
    case |= {"players": len(request.players), "dealer": request.dealer}
    case |= {"note": note} if note else {}
    case["moves"] = [plain(Deals(_of(fault, request.times)))]
    return file_of(case, request.variant)
