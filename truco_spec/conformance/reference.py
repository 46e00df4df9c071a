"""The reference engine as an implementation like any other, and what only it knows about a case.

Everything that the runner needs from the graph, the engine and the logs is in this module.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from truco_spec.conformance.pipe import Broken
from truco_spec.conformance.protocol import (
    STATE_VALUES,
    Action,
    Deal,
    HandScript,
    HandSeen,
    Introduction,
    OwnDeals,
    Plays,
    Script,
    Seen,
)
from truco_spec.conformance.scripts import START, MustOffer, MustRefuse, MustSee, Plan
from truco_spec.engine import CHANCE, Event, Game
from truco_spec.engine import Action as Move
from truco_spec.engine.view import cards_seen
from truco_spec.errors import TrucoError
from truco_spec.graph.link import shipped_names
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.line import write_line
from truco_spec.logs.model import Hand, Log, LogError
from truco_spec.logs.model import Move as LogMove
from truco_spec.logs.notation import Notation, NotationError, notation_of
from truco_spec.logs.refusal import refusal_of
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.logs.setup import HOW_MANY, graph_of
from truco_spec.version import __version__

MOST_DRAWS = 2000

EVERYTHING = frozenset({"start", "legal", "view"})

# ---- what only the spec knows about a case --------------------------------------------------------


def players_of(variant: str) -> tuple[str, ...]:
    """The players of a variant where a case does not name them."""
    return tuple(f"P{n}" for n in range(load(variant).seats))


def teams_of(variant: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Who plays together, in order of seats."""
    teams = load(variant).teams
    return tuple(players[first::teams] for first in range(teams))


def defaults_of(variant: str) -> Mapping[str, str]:
    """The options of a variant and the values that they have by themselves."""
    return {name: option.value for name, option in load(variant).options.items()}


def complete(plan: Plan) -> Plan:
    """The plan with whole deals: what a case leaves open is dealt as a log would deal it.

    A script that the rules do not let through is completed as far as it gets.
    """
    script = plan.requests[0]
    if not isinstance(script, Script):
        return plan
    refused = {(check.at.hand, check.at.action) for check in plan.checks if isinstance(check, MustRefuse)}
    branched = [branch.hands[-1].actions[-1] for branch in plan.requests[1:] if isinstance(branch, Script)]
    where = [len(branch.hands) - 1 for branch in plan.requests[1:] if isinstance(branch, Script)]
    moves = [
        [action for n, action in enumerate(hand.actions) if (at, n) not in refused]
        for at, hand in enumerate(script.hands)
    ]
    also = [
        [action for n, action in enumerate(hand.actions) if (at, n) in refused]
        + [action for action, hand_of in zip(branched, where, strict=True) if hand_of == at]
        for at, hand in enumerate(script.hands)
    ]
    deals, unsaid = _deals(script, moves, also)
    requests: list[Script | OwnDeals] = [_filled(script, deals, unsaid, refused)]
    for branch in plan.requests[1:]:
        if isinstance(branch, Script):
            # A branch ends with the move that it asks about, as if it were the log's next.
            asked = (len(branch.hands) - 1, len(branch.hands[-1].actions) - 1)
            requests.append(_filled(branch, deals, unsaid | {asked}, set()))
        else:
            requests.append(branch)
    return replace(plan, requests=tuple(requests))


def marked(plan: Plan) -> Plan:
    """The plan as it is, for one who deals as a log would: only the moves that must be refused are marked exact."""
    script = plan.requests[0]
    if not isinstance(script, Script):
        return plan
    refused = {(check.at.hand, check.at.action) for check in plan.checks if isinstance(check, MustRefuse)}
    hands = tuple(
        replace(hand, actions=tuple(replace(a, exact=(at, n) in refused) for n, a in enumerate(hand.actions)))
        for at, hand in enumerate(script.hands)
    )
    return replace(plan, requests=(replace(script, hands=hands), *plan.requests[1:]))


def asked_of(plan: Plan) -> frozenset[str]:
    """Those of start, legal and view that the checks of a plan look at. A refusal must leave all as it was."""
    if any(isinstance(check, MustRefuse) for check in plan.checks):
        return EVERYTHING
    start = {"start"} if any(check.at.action == START for check in plan.checks) else set()
    legal = {"legal"} if any(isinstance(check, MustOffer) for check in plan.checks) else set()
    view = {"view"} if any(isinstance(check, MustSee) for check in plan.checks) else set()
    return frozenset(start | legal | view)


def _filled(script: Script, deals: list[Deal], unsaid: set[tuple[int, int]], refused: set[tuple[int, int]]) -> Script:
    hands = tuple(
        replace(hand, deal=deals[at], actions=_exact(at, hand.actions, unsaid, refused))
        for at, hand in enumerate(script.hands)
    )
    return replace(script, hands=hands)


def _exact(
    hand: int, actions: tuple[Action, ...], unsaid: set[tuple[int, int]], refused: set[tuple[int, int]]
) -> tuple[Action, ...]:
    """The actions, each with whether anything that goes without saying may come before it.

    ``unsaid`` counts the moves that are played; an action that must be refused has nothing before it.
    """
    found, played = [], 0
    for number, action in enumerate(actions):
        if (hand, number) in refused:
            found.append(replace(action, exact=True))
            continue
        found.append(replace(action, exact=(hand, played) not in unsaid))
        played += 1
    return tuple(found)


def _graph(script: Script) -> Graph:
    """The graph that a script is played by. Raises LogError: the spec has no such variant, option or table."""
    found = _linked(script.variant, tuple(sorted(script.options.items())), script.players)
    if isinstance(found, LogError):
        raise found
    return found


@lru_cache(maxsize=256)
def _linked(variant: str, options: tuple[tuple[str, str], ...], players: tuple[str, ...]) -> Graph | LogError:
    try:
        return graph_of(Log(variant=variant, players=players, options=dict(options)))
    except LogError as error:
        return error


def _deals(
    script: Script, moves: list[list[Action]], also: list[list[Action]]
) -> tuple[list[Deal], set[tuple[int, int]]]:
    """The deal of every hand as it came when these moves were played, and the moves (hand and number) before which
    something was done that goes without saying.
    """
    deals: list[Deal] = [hand.deal for hand in script.hands]
    unsaid: set[tuple[int, int]] = set()
    try:
        graph = _graph(script)
        known = _Known(graph, script.players)
        log = _log(script, [[action.text for action in hand if known(action)] for hand in moves])
        replay = Replay(log, graph, [[action.text for action in hand if known(action)] for hand in also])
        for at in range(len(script.hands)):
            dealt = _Dealt(replay)
            played = [number for number, action in enumerate(moves[at]) if known(action)]
            try:
                last = at + 1 == len(script.hands)
                unsaid |= {(at, number) for number in _play_hand(replay, dealt, played, last=last)}
            finally:
                deals[at] = dealt.deal(script.hands[at].deal)
            replay.next_hand()
    except LogError:
        pass  # whoever plays the script will find that mistake, and the cards are as the case gives them
    return deals, unsaid


def _play_hand(replay: Replay, dealt: _Dealt, moves: list[int], *, last: bool) -> Iterator[int]:
    """Play the moves of a hand, and deal what is still to be dealt when they are done.

    Yields the numbers of the moves before which something was done that goes without saying.
    """
    over = False
    for number in moves:
        step = replay.advance()
        dealt.note(step.events if step else ())
        if step and any(event.action.actor != CHANCE for event in step.before):
            yield number
        over = over or (step is not None and _ends_hand(step.observed))
    if not dealt.drawn:
        dealt.note(replay.deal_out())
    elif last and not over:
        dealt.note(replay.settle())


def _ends_hand(observed: Mapping[str, Any]) -> bool:
    return observed.get("hand") is not None or observed.get("winner") is not None


class _Known:
    """Whether a graph has any action that is written so."""

    def __init__(self, graph: Graph, players: Sequence[str]) -> None:
        self.notation = notation_of(graph, players)

    def __call__(self, action: Action) -> bool:
        try:
            return bool(self.notation.readings(action.text))
        except NotationError:
            return False


class _Dealt:
    """The cards that chance brings in one hand: to whom, and in which order by which action of chance."""

    def __init__(self, replay: Replay) -> None:
        self.game, self.notation, self.dealer = replay.game, replay.notation, replay.dealer
        self.drawn: list[tuple[str, int]] = []
        self.before = len(self.dealer.dealt)

    def note(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.action.actor == CHANCE:
                self.drawn += [(event.action.verb, card) for card in self.notation.cards_of(event.action)]

    def deal(self, given: Deal) -> Deal:
        """The deal as it came, and after that what the case gives for cards that did not come any more."""
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


def _place(game: Game, notation: Notation, card: int) -> str:
    """Whose card it is, wherever it lies; the name of the place if it is nobody's; nothing for the pack."""
    lies = game.layout.place_of.get(game.position[game.layout.cards_at + card])
    if lies is None or lies[0] == game.graph.pack:
        return ""
    params = game.graph.data[lies[0]].params
    seats = [value for param, value in zip(params, lies[1], strict=True) if param.type.base == "seat"]
    return notation.players[seats[0]] if seats else lies[0]


def _log(script: Script, moves: Sequence[Sequence[str]]) -> Log:
    hands = tuple(
        Hand(hand.deal, tuple(LogMove(text) for text in texts)) for hand, texts in zip(script.hands, moves, strict=True)
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
    """A script as a log in one line, to be pasted into ``truco-spec run``; own deals as a sentence.

    The order of the pack is left out where the players' own cards tell it.
    """
    if isinstance(request, OwnDeals):
        log = Log(variant=request.variant, players=request.players, options=request.options, dealer=request.dealer)
        return f"{write_line(log)} | {request.times} deals of its own"
    log = _log(request, [[action.text for action in hand.actions] for hand in request.hands])
    return write_line(replace(log, hands=tuple(replace(hand, deal=_told(hand.deal, request)) for hand in log.hands)))


def _told(deal: Deal, script: Script) -> Deal:
    names = [*script.players, *load(script.variant).data]
    own = {key: cards for key, cards in deal.items() if key in names and cards}
    return own if any(key in script.players for key in own) else deal


# ---- the engine as an implementation --------------------------------------------------------------


class Reference:
    """The reference engine, in this process.

    ``asked`` are those of start, legal and view that anybody will look at: to work out what nobody asks for takes
    longer than to play.
    """

    def __init__(self) -> None:
        self.asked = EVERYTHING

    def hello(self) -> Introduction:
        return _introduction()

    def run(self, script: Script) -> Seen:
        try:
            return _Table(script, self.asked).play()
        except TrucoError as error:
            raise Broken("error", str(error)) from error

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        chance = random.Random(request.seed)  # noqa: S311 -- for playing, not for keeping secrets
        try:
            options = {**request.options, HOW_MANY: str(len(request.players))}
            graph = load(request.variant, **options)
            start = {"dealer": request.players.index(request.dealer)}
            return tuple(_own_deal(graph, request.players, start, chance) for _ in range(request.times))
        except TrucoError as error:
            raise Broken("error", str(error)) from error

    def close(self) -> None:
        pass


@lru_cache(maxsize=1)
def _introduction() -> Introduction:
    variants: dict[str, Plays] = {}
    observes: dict[str, None] = {}
    for name in shipped_names():
        graph = load(name)
        if not graph.rules or graph.seats < 1:
            continue
        options = {option.name: option.values for option in graph.options.values()}
        counts = options.pop(HOW_MANY, (str(graph.seats),))
        variants[name] = Plays(tuple(int(count) for count in counts if _is_played_by(name, count)), options)
        observes |= dict.fromkeys(define.removeprefix("table.") for define in graph.defines if "table." in define)
    return Introduction(
        name="truco-spec",
        version=__version__,
        variants=variants,
        observes=("acting", *observes, "legal", "view", "deal"),
        modes=("strict", "umpire"),
    )


def _is_played_by(variant: str, count: str) -> bool:
    try:
        load(variant, **{HOW_MANY: count})
    except SpecError:
        return False
    return True


class _Table:
    """One script on the reference engine."""

    def __init__(self, script: Script, asked: frozenset[str]) -> None:
        self.script, self.asked = script, asked
        graph = _graph(script)
        self.known = _Known(graph, script.players)
        log = _log(script, [[a.text for a in hand.actions if self.known(a)] for hand in script.hands])
        self.replay = Replay(log, graph)
        self.game = self.replay.game
        self.ahead = self.replay.settle
        self.over = False

    def play(self) -> Seen:
        hands = []
        for at, hand in enumerate(self.script.hands):
            if at:
                self.replay.next_hand()
            self.over = False
            start = self._start(hand) if "start" in self.asked else {}
            hands.append(HandSeen(tuple(self._act(action) for action in hand.actions), start))
        return tuple(hands)

    def _start(self, hand: HandScript) -> dict[str, Any]:
        """Before the first action: after the deal, unless that action belongs to the deal itself."""
        with self._looking_ahead():
            self.replay.settle()
            first = next((self.replay.read(action.text) for action in hand.actions[:1] if self.known(action)), [])
            legal = self.game.legal_actions()
            self.ahead = self.replay.settle if any(a in legal for a in first) else self.replay.deal_out
            self.ahead()
            return self._look(self.game.observe())

    def _act(self, action: Action) -> dict[str, Any]:
        if not self.known(action):
            return {**self._standing(), "refused": "not-offered"}
        readings = self.replay.read(action.text)
        if self._is_idle(action, readings):
            self.replay.at += 1
            return {**self._standing(), "refused": self._category("not-now", readings)}
        try:
            step = self.replay.advance(exact=action.exact)
        except MoveRefused as refused:
            self.replay.at += 1
            return {**self._standing(), "refused": self._category(refused.refusal.category, readings)}
        self.ahead = self.replay.settle
        observed = dict(step.observed) if step else {}
        self.over = _ends_hand(observed)
        if self.over:
            return self._look(observed)
        with self._looking_ahead():
            self.replay.settle()
            return self._look(observed | {"acting": self.game.observe()["acting"]})

    def _is_idle(self, action: Action, readings: list[Move]) -> bool:
        """Whether the move would do nothing in this hand: the hand is over, or no rule so much as forbids it."""
        if self.over:
            legal = self.game.legal_actions()
            return not any(reading in legal for reading in readings)
        if self.script.mode == "strict":
            return False
        refusal = self.replay.refusal(action.text, exact=action.exact)
        return refusal is not None and refusal.status == "not-offered"

    def _category(self, found: str, readings: list[Move]) -> str:
        """The refusal's category; where it would be said of any moment, that of the moment before the deal."""
        if found == "not-your-turn":
            return found
        with self._looking_ahead():
            if not self.over:
                self.replay.deal_out()
            return refusal_of(self.game, self.known.notation, readings).category

    def _standing(self) -> dict[str, Any]:
        """How the game stands after a refusal: nothing was brought about."""
        with self._looking_ahead():
            if not self.over:
                self.ahead()
            seen = self._look(self.game.observe())
        return {key: seen[key] for key in (*STATE_VALUES, "legal", "view") if key in seen}

    def _look(self, observed: Mapping[str, Any]) -> dict[str, Any]:
        players = self.script.players
        seen = dict(observed)
        if "legal" in self.asked:
            legal: dict[str, list[str]] = {player: [] for player in players}
            for action in self.game.legal_actions():
                if action.actor != CHANCE:
                    legal[players[action.actor]].append(self.game.text(action).partition(" ")[2])
            seen["legal"] = legal
        if "view" in self.asked:
            seen["view"] = {player: sorted(cards_seen(self.game, seat)) for seat, player in enumerate(players)}
        return seen

    @contextlib.contextmanager
    def _looking_ahead(self) -> Iterator[None]:
        """Within, cards may be dealt; afterwards the game stands as before."""
        before, mark = len(self.game.history), self.replay.dealer.mark()
        try:
            yield
        finally:
            while len(self.game.history) > before:
                self.game.pop()
            self.replay.dealer.go_back(mark)


def _own_deal(graph: Graph, players: tuple[str, ...], start: Mapping[str, object], chance: random.Random) -> Deal:
    """Deal one hand at random, as far as no player has a say."""
    game, notation = Game(graph, players=players, start=start), notation_of(graph, players)
    order = {verb: at for at, verb in enumerate(graph.actions)}
    for _ in range(MOST_DRAWS):
        legal = game.legal_actions()
        drawn = [action for action in legal if action.actor == CHANCE]
        tacit = [action for action in legal if graph.actions[action.verb].tacit]
        if drawn:
            game.push(chance.choice(drawn))
        elif tacit:
            game.push(min(tacit, key=lambda action: order[action.verb]))
        else:
            break
    found: dict[str, list[str]] = {}
    for card in range(len(graph.cards)):
        place = _place(game, notation, card)
        if place and graph.cards[card].present:
            found.setdefault(place, []).append(graph.cards[card].name)
    return {key: tuple(cards) for key, cards in found.items()}
