"""Completes a case from the spec: players, teams, and the cards that the case leaves open.

A case is filled before it is sent: with complete deals, as a replayed log would deal them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from truco_spec.base.project import by_variant
from truco_spec.conformance.corpus.protocol import Deal, OwnDeals, Script, ScriptAction
from truco_spec.conformance.corpus.scripts import START, MustOffer, MustSee, Plan
from truco_spec.engine import CHANCE, Event, Game
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.logs.line import write_line
from truco_spec.logs.model import Hand, Log, LogError, LoggedMove
from truco_spec.logs.notation import Notation, NotationError, notation_of
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.logs.setup import graph_of

EVERYTHING = frozenset({"start", "legal", "view"})


def players_of(variant: str) -> tuple[str, ...]:
    """The default players of a variant."""
    return tuple(f"P{n}" for n in range(load(variant).seats))


def teams_of(variant: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The teams, in order of seats."""
    teams = load(variant).teams
    return tuple(players[first::teams] for first in range(teams))


def defaults_of(variant: str) -> Mapping[str, str]:
    """The options of a variant with their default values."""
    return {name: option.value for name, option in load(variant).options.items()}


def options_of(variant: str) -> Mapping[str, tuple[str, tuple[str, ...]]]:
    """The options of a variant: default and possible values."""
    return {name: (option.value, tuple(option.values)) for name, option in load(variant).options.items()}


def has(variant: str, option: str, value: str) -> bool:
    """Whether the variant has that option with that value."""
    options = load(variant).options
    return option in options and value in options[option].values


def complete(plan: Plan) -> Plan:
    """Return the plan with complete deals; cards that the case leaves open are dealt as in a replayed log.

    A script that the rules reject is completed as far as it gets.
    """
    script = plan.requests[0]
    if not isinstance(script, Script):
        return plan
    refused, moves = plan.refused, plan.taken
    branched = [branch.hands[-1].actions[-1] for branch in plan.requests[1:] if isinstance(branch, Script)]
    where = [len(branch.hands) - 1 for branch in plan.requests[1:] if isinstance(branch, Script)]
    also = [
        [action for n, action in enumerate(hand.actions) if (at, n) in refused]
        + [action for action, hand_of in zip(branched, where, strict=True) if hand_of == at]
        for at, hand in enumerate(script.hands)
    ]
    deals, unsaid = _deals(script, moves, also)
    requests: list[Script | OwnDeals] = [_filled(script, deals, unsaid, refused)]
    for branch in plan.requests[1:]:
        if isinstance(branch, Script):
            # A branch ends with the action in question, as if it were the log's next.
            asked = (len(branch.hands) - 1, len(branch.hands[-1].actions) - 1)
            requests.append(_filled(branch, deals, unsaid | {asked}, frozenset()))
        else:
            requests.append(branch)
    return replace(plan, requests=tuple(requests))


def asked_of(plan: Plan) -> frozenset[str]:
    """The observations (start, legal, view) that the checks of a plan need; all of them if it has refusals."""
    if plan.refused:
        return EVERYTHING
    start = {"start"} if any(check.at.action == START for check in plan.checks) else set()
    legal = {"legal"} if any(isinstance(check, MustOffer) for check in plan.checks) else set()
    view = {"view"} if any(isinstance(check, MustSee) for check in plan.checks) else set()
    return frozenset(start | legal | view)


def _filled(script: Script, deals: list[Deal], unsaid: set[tuple[int, int]], refused: Set[tuple[int, int]]) -> Script:
    hands = tuple(
        replace(hand, deal=deals[at], actions=_exact(at, hand.actions, unsaid, refused))
        for at, hand in enumerate(script.hands)
    )
    return replace(script, hands=hands)


def _exact(
    hand: int, actions: tuple[ScriptAction, ...], unsaid: set[tuple[int, int]], refused: Set[tuple[int, int]]
) -> tuple[ScriptAction, ...]:
    """The actions, each with whether implicit actions may come before it.

    ``unsaid`` holds the numbers of played moves preceded by implicit actions; for a refused action the case says so
    itself.
    """
    found, played = [], 0
    for number, action in enumerate(actions):
        if (hand, number) in refused:
            found.append(action)
            continue
        found.append(replace(action, exact=(hand, played) not in unsaid))
        played += 1
    return tuple(found)


def script_graph(script: Script | OwnDeals) -> Graph:
    """Return the graph of a script, or of deals. Raises LogError for an unknown variant, option or table."""
    found = _linked(script.variant, tuple(sorted(script.options.items())), script.players)
    if isinstance(found, LogError):
        raise found
    return found


@by_variant(256)
def _linked(variant: str, options: tuple[tuple[str, str], ...], players: tuple[str, ...]) -> Graph | LogError:
    try:
        return graph_of(Log(variant=variant, players=players, options=dict(options)))
    except LogError as error:
        return error


def _deals(
    script: Script, moves: list[list[ScriptAction]], also: list[list[ScriptAction]]
) -> tuple[list[Deal], set[tuple[int, int]]]:
    """Play the moves; return the deal of every hand, and the moves (hand and number) preceded by implicit actions."""
    deals: list[Deal] = [hand.deal for hand in script.hands]
    unsaid: set[tuple[int, int]] = set()
    try:
        graph = script_graph(script)
        known = KnownWords(graph, script.players)
        log = log_of(script, [[action.text for action in hand if known(action)] for hand in moves])
        further = [[action.text for action in hand if known(action)] for hand in also]
        replay = Replay(log, graph, further, acting=False, only=ENDS)
        for at in range(len(script.hands)):
            dealt = Dealt(replay)
            played = [number for number, action in enumerate(moves[at]) if known(action)]
            try:
                last = at + 1 == len(script.hands)
                unsaid |= {(at, number) for number in _play_hand(replay, dealt, played, last=last)}
            finally:
                deals[at] = dealt.deal(script.hands[at].deal)
            replay.next_hand()
    except LogError:
        pass  # the player of the script will report that error; the cards stay as the case gives them
    return deals, unsaid


def _play_hand(replay: Replay, dealt: Dealt, moves: list[int], *, last: bool) -> Iterator[int]:
    """Play the moves of a hand, then deal what is left to deal.

    Yields the numbers of the moves preceded by implicit actions.
    """
    over = False
    for number in moves:
        step = replay.advance()
        dealt.note(step.events if step else ())
        if step and any(event.action.actor != CHANCE for event in step.before):
            yield number
        over = over or (step is not None and ends_hand(step.observed))
    if not dealt.drawn:
        dealt.note(replay.deal_out())
    elif last and not over:
        dealt.note(replay.settle())


ENDS = ("hand", "winner")
"""The observations that are made at the end of a hand."""


def ends_hand(observed: Mapping[str, Any]) -> bool:
    return any(observed.get(key) is not None for key in ENDS)


class KnownWords:
    """A predicate: whether a graph has an action with this written form."""

    def __init__(self, graph: Graph, players: Sequence[str]) -> None:
        self.notation = notation_of(graph, players)

    def __call__(self, action: ScriptAction) -> bool:
        try:
            return bool(self.notation.readings(action.text))
        except NotationError:
            return False


class Dealt:
    """The cards that chance brings in one hand: their recipients, and their order per chance action."""

    def __init__(self, replay: Replay) -> None:
        self.game, self.notation, self.dealer = replay.game, replay.notation, replay.dealer
        self.drawn: list[tuple[str, int]] = []
        self.before = len(self.dealer.dealt)

    def note(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.action.actor == CHANCE:
                self.drawn += [(event.action.verb, card) for card in self.notation.cards_of(event.action)]

    def deal(self, given: Deal) -> Deal:
        """The actual deal, followed by the cards of the case that were not dealt."""
        graph = self.game.graph
        names = [graph.cards[card].name for _, card in self.drawn]
        found: dict[str, list[str]] = {}
        for place, name in self.dealer.dealt[self.before :]:
            if place in self.notation.seats or graph.data[place].type.place == "slot":
                found.setdefault(place, []).append(name)
        for name, (verb, _) in zip(names, self.drawn, strict=True):
            found.setdefault(verb, []).append(name)
        for key, cards in given.items():
            found.setdefault(key, []).extend(card for card in cards if card not in names)
        return {key: tuple(dict.fromkeys(cards)) for key, cards in found.items()}


def place_of(game: Game, notation: Notation, card: int) -> str:
    """The owner of a card, wherever it lies; the name of the place if it has none; nothing for the pack."""
    lies = game.layout.place_of.get(game.position[game.layout.cards_at + card])
    if lies is None or lies[0] == game.graph.pack:
        return ""
    params = game.graph.data[lies[0]].params
    seats = [value for param, value in zip(params, lies[1], strict=True) if param.type.base == "seat"]
    return notation.players[seats[0]] if seats else lies[0]


def log_of(script: Script, moves: Sequence[Sequence[str]]) -> Log:
    hands = tuple(
        Hand(hand.deal, tuple(LoggedMove(text) for text in texts))
        for hand, texts in zip(script.hands, moves, strict=True)
    )
    return Log(
        variant=script.variant,
        players=script.players,
        options=script.options,
        dealer=script.dealer,
        score=script.score,
        mode=script.mode,
        hands=hands,
    )


def notation(request: Script | OwnDeals) -> str:
    """Format a script as a one-line log, to be pasted into ``truco-spec run``; own deals as a sentence.

    The order of the pack is omitted where the players' cards determine it.
    """
    if isinstance(request, OwnDeals):
        log = Log(variant=request.variant, players=request.players, options=request.options, dealer=request.dealer)
        return f"{write_line(log)} | {request.times} deals of its own"
    log = log_of(request, [[action.text for action in hand.actions] for hand in request.hands])
    left = _left_over(request)
    hands = (
        replace(hand, deal=_told(_without(hand.deal, more), request))
        for hand, more in zip(log.hands, left, strict=False)
    )
    return write_line(replace(log, hands=tuple(hands)))


def _left_over(script: Script) -> Iterator[Mapping[str, int]]:
    """For each hand the number of cards not yet dealt to each when the script ends there."""
    with contextlib.suppress(LogError):
        graph = script_graph(script)
        known = KnownWords(graph, script.players)
        moves = [[action for action in hand.actions if known(action)] for hand in script.hands]
        replay = Replay(log_of(script, [[action.text for action in hand] for hand in moves]), graph)
        for hand in moves:
            for action in hand:
                try:
                    replay.advance(exact=action.exact)
                except MoveRefused:
                    replay.at += 1
            yield {key: len(cards) for key, cards in replay.dealer.left_over().items()}
            replay.next_hand()
    yield from itertools.repeat({})


def _without(deal: Deal, more: Mapping[str, int]) -> Deal:
    return {key: cards[: len(cards) - more.get(key, 0)] for key, cards in deal.items()}


def _told(deal: Deal, script: Script) -> Deal:
    names = [*script.players, *load(script.variant).data]
    own = {key: cards for key, cards in deal.items() if key in names and cards}
    return own if any(key in script.players for key in own) else deal
