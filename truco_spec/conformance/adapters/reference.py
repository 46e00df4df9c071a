"""The reference engine as an implementation."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from truco_spec.base import __version__
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import OWN, own_projects
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.corpus import filling, protocol, ready
from truco_spec.engine import CHANCE, Action, Game
from truco_spec.engine.observe import MAY_SPEAK, OPEN, cards_seen, observe, waited_for
from truco_spec.engine.perft import counting, divided
from truco_spec.engine.ruling import tacit_action
from truco_spec.engine.sample import random_action, random_draw
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.explanation import NOT_YOUR_TURN
from truco_spec.logs.notation import notation_of
from truco_spec.logs.replay import MoveRefused, NotPermitted, Replay

MOST_DRAWS = 2000
REASONS = frozenset({"category", "why"})
"""The reasons that may be requested of a refusal."""


class Reference:
    """The reference engine, in this process.

    ``asked`` are the observations start, legal and view that are needed, and of refusals the category, or with it why:
    they take longer than playing.
    ``graph_for`` returns the rules for a script; another function makes another engine. ``make`` creates the games.
    ``otherwise``: the pack of the script that was run last gave somebody other cards than it names.
    """

    def __init__(
        self,
        graph_for: Callable[[protocol.Script | protocol.OwnDeals], Graph] = filling.script_graph,
        make: type[Game] = Game,
        asked: frozenset[str] = filling.EVERYTHING,
    ) -> None:
        self.asked, self.graph_for, self.make = asked, graph_for, make
        self.otherwise = False

    def hello(self) -> protocol.Introduction:
        found = _introduction()
        names = (*OWN, *(name for project in own_projects() for name in project.variants))
        own = {name: plays for name in names if (plays := plays_of(load(name))) is not None}
        return replace(found, variants={**found.variants, **own}) if own else found

    def run(self, script: protocol.Script) -> protocol.Seen:
        try:
            run = ScriptRun(script, self.asked, self.graph_for(script), self.make)
            try:
                return run.play()
            finally:
                self.otherwise = run.replay.dealer.otherwise
        except TrucoError as error:
            raise Broken("error", str(error)) from error

    def deal(self, request: protocol.OwnDeals) -> tuple[protocol.Deal, ...]:
        try:
            return tuple(_own_deals(self.graph_for(request), request, self.make))
        except TrucoError as error:
            raise Broken("error", str(error)) from error

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        try:
            game = ScriptRun(script, frozenset(), self.graph_for(script)).to_the_end()
        except TrucoError as error:
            raise Broken("error", str(error)) from error
        return {game.text(action): number for action, number in divided(game, depth, counting(game)).items()}

    def close(self) -> None:
        pass


@lru_cache(maxsize=1)
def _introduction() -> protocol.Introduction:
    """Return what the shipped specs play: every variant, with every number of players for which it links."""
    heads = [ready.rules_of(name) for name in variant_names()]
    observes = dict.fromkeys(key for head in heads for key in head.observes)
    return protocol.Introduction(
        name="truco-spec",
        version=__version__,
        variants={head.variant: head.plays for head in heads if head.plays.players},
        observes=(*observes, "legal", "view", "deal", protocol.PERFT),
        modes=("strict", "umpire"),
    )


def plays_of(graph: Graph) -> protocol.Plays | None:
    """Return how a variant is played; None for a part that is not playable."""
    if not graph.rules or graph.seats < 1:
        return None
    options = {option.name: option.values for option in graph.options.values()}
    counts = options.pop(HOW_MANY, (str(graph.seats),))
    return protocol.Plays(tuple(int(count) for count in counts if _is_played_by(graph.name, count)), options, itself=())


def _is_played_by(variant: str, count: str) -> bool:
    try:
        load(variant, **{HOW_MANY: count})
    except SpecError:
        return False
    return True


class ScriptRun:
    """One script on the reference engine. ``refused`` is the last move that was refused."""

    def __init__(self, script: protocol.Script, asked: frozenset[str], graph: Graph, make: type[Game] = Game) -> None:
        self.script, self.asked = script, asked
        self.notation = notation_of(graph, script.players)
        knows = self.notation.knows
        log = filling.log_of(script, [[a.text for a in hand.actions if knows(a.text)] for hand in script.hands])
        self.replay = Replay(
            log, graph, make=make, acting=False, told="why" in asked, reasons=not asked.isdisjoint(REASONS)
        )
        self.game = self.replay.game
        self.ahead = self.replay.settle
        self.over = False
        self.refused: MoveRefused | None = None
        self.starts: list[dict[str, Any]] = []

    def play(self) -> protocol.Seen:
        seen: list[list[dict[str, Any]]] = [[] for _ in self.script.hands]
        for hand, _, entry in self.acts():
            seen[hand].append(entry)
        return tuple(protocol.HandSeen(tuple(told), start) for told, start in zip(seen, self.starts, strict=True))

    def acts(self) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Play the script, and yield after each action its hand, its number in it, and its observations."""
        for at, hand in enumerate(self.script.hands):
            if at:
                self.replay.next_hand()
            self.over = False
            self.starts.append(self._start(hand) if "start" in self.asked else {})
            for number, action in enumerate(hand.actions):
                yield at, number, self._act(action)

    def to_the_end(self) -> Game:
        """Play the script, and deal if its last hand has no actions: the position of perft. Raises :class:`Broken`."""
        for hand, told in zip(self.script.hands, self.play(), strict=True):
            for action, entry in zip(hand.actions, told.seen, strict=True):
                if "refused" in entry:
                    raise Broken("error", f"“{action.text}” is refused: {entry['refused']}. No position follows.")
            if hand is self.script.hands[-1] and not hand.actions:
                self.replay.deal_out()
        return self.game

    def _start(self, hand: protocol.HandScript) -> dict[str, Any]:
        """Observations before the first action: after the deal, unless that action belongs to the deal itself."""
        with self.replay.looking_ahead():
            self.replay.settle()
            own = any(action.exact or self._is_of_the_deal(action) for action in hand.actions[:1])
            self.ahead = self.replay.settle if own else self.replay.deal_out
            self.ahead()
            return self._look(self._observed())

    def _act(self, action: protocol.ScriptAction) -> dict[str, Any]:
        self.refused = None
        if not self.notation.knows(action.text):
            return {**self._standing(), "refused": "not-offered"}
        readings = self.replay.read(action.text)
        if self._is_idle(action, readings):
            return self._refused("not-now", readings)
        try:
            step = self.replay.advance(exact=action.exact)
        except MoveRefused as refused:
            self.refused = refused
            return self._refused(refused.refusal.category, readings)
        except NotPermitted:
            return self._refused("", readings)
        self.ahead = self.replay.settle
        observed = dict(step.observed) if step else {}
        self.over = filling.ends_hand(observed)
        if self.over:
            return self._look(waited_for(self.game) | observed)
        with self.replay.looking_ahead():
            self.replay.settle()
            return self._look(waited_for(self.game) | observed)

    def _is_idle(self, action: protocol.ScriptAction, readings: list[Action]) -> bool:
        """Whether the move has no effect in this hand: the hand is over, or no rule even forbids it."""
        if self.over:
            legal = self.game.legal_actions()
            return not any(reading in legal for reading in readings) and not self._follows(action)
        if self.script.mode == "strict":
            return False
        refusal = self.replay.refusal_to(readings, exact=action.exact)
        return refusal is not None and refusal.status == "not-offered"

    def _is_of_the_deal(self, action: protocol.ScriptAction) -> bool:
        """Whether the move is permitted before any card is drawn, now or after implicit actions."""
        readings = self.replay.read(action.text) if self.notation.knows(action.text) else []
        with self.replay.looking_ahead():
            for _ in range(MOST_DRAWS if readings else 0):
                legal = self.game.legal_actions()
                if any(reading in legal for reading in readings):
                    return True
                tacit = tacit_action(self.game)
                if tacit is None:
                    return False
                self.game.push(tacit)
        return False

    def _follows(self, action: protocol.ScriptAction) -> bool:
        """Whether the move is permitted after implicit actions, before anything else is dealt."""
        if self.script.mode != "strict":
            return False
        with self.replay.looking_ahead():
            before, at = len(self.game.history), (self.replay.at, self.replay.number)
            try:
                self.replay.advance(exact=action.exact)
            except TrucoError:
                return False
            finally:
                self.replay.at, self.replay.number = at
            return all(event.action.actor != CHANCE for event in self.game.history[before:])

    def _refused(self, found: str, readings: list[Action]) -> dict[str, Any]:
        """Observations after a refusal, with its category and reason if these are asked for."""
        told = {"refused": True} if self.asked.isdisjoint(REASONS) else self._why(found, readings)
        self.replay.at += 1
        return {**self._standing(), **told}

    def _why(self, found: str, readings: list[Action]) -> dict[str, Any]:
        """The category of a refusal, unless that is the turn, and its reason, when all is dealt."""
        if self.refused is not None and (exact := self.replay.refusal_to(readings, exact=True)):
            found = exact.category
        with self.replay.looking_ahead():
            if not self.over:
                self.replay.deal_out()
            dealt = self.replay.refusal_here(readings)
        category = found if found == NOT_YOUR_TURN else dealt.category
        return {"refused": category, **({"why": dealt.message} if self.replay.told else {})}

    def _standing(self) -> dict[str, Any]:
        """Observations after a refusal, which changes nothing."""
        with self.replay.looking_ahead():
            if not self.over:
                self.ahead()
            seen = self._look(self._observed())
        told = protocol.STATE_VALUES | {MAY_SPEAK, "legal", "view"}
        return {key: value for key, value in seen.items() if key in told}

    def _observed(self) -> dict[str, Any]:
        return waited_for(self.game) | observe(self.game, acting=False)

    def _look(self, observed: Mapping[str, Any]) -> dict[str, Any]:
        players = self.script.players
        seen = {key: value for key, value in observed.items() if value != OPEN}
        if "legal" in self.asked:
            legal: dict[str, list[str]] = {player: [] for player in players}
            for action in self.game.legal_actions():
                if action.actor != CHANCE:
                    legal[players[action.actor]].append(self.notation.text(action).partition(" ")[2])
            seen["legal"] = legal
        if "view" in self.asked:
            seen["view"] = {player: sorted(cards_seen(self.game, seat)) for seat, player in enumerate(players)}
        return seen


def laying_nothing(script: protocol.Script) -> tuple[tuple[int, int], ...]:
    """Return the actions (hand, number in it) that name a card and lay none, because the rules refuse them or an umpire
    only takes their price. For a script that cannot be played to its end: those before the failure; under unknown
    rules: none.
    """
    noted: list[tuple[int, int]] = []
    with suppress(TrucoError):
        run = ScriptRun(script, frozenset(), filling.script_graph(script))
        for hand, number, entry in run.acts():
            action = script.hands[hand].actions[number]
            card = action.play or action.cover
            if card and ("refused" in entry or not _moved(run, card)):
                noted.append((hand, number))
    return tuple(noted)


def _moved(run: ScriptRun, card: str) -> bool:
    """Whether the last action itself put the card elsewhere; the hand may have ended since."""
    slot = run.game.layout.cards_at + run.notation.cards[card]
    return any(slot in step.back[::2] for step in run.game.history[-1].steps[:1])


def irregular(script: protocol.Script) -> frozenset[tuple[int, int]] | None:
    """The actions (hand, number in it) that the rules do not permit; None for a script that cannot be played."""
    try:
        run = ScriptRun(script, frozenset(), filling.script_graph(script))
        return frozenset(
            (hand, number)
            for hand, number, entry in run.acts()
            if "refused" in entry or run.game.history[-1].status != "permitted"
        )
    except TrucoError:
        return None


def _own_deals(graph: Graph, asked: protocol.OwnDeals, make: type[Game]) -> Iterator[protocol.Deal]:
    """Random deals: each of a new match, or successive hands of one match while it lasts."""
    chance = random.Random(asked.seed)  # noqa: S311 -- for playing, not for keeping secrets
    start, game = {"dealer": asked.players.index(asked.dealer)}, None
    for _ in range(asked.times):
        if game is None or (asked.match and not _played_out(game, chance)):
            game = make(graph, players=asked.players, start=start)
        while game.history and not asked.match:
            game.pop()
        _deal_out(game, chance)
        yield _in_places(game)


def _played_out(game: Game, chance: random.Random) -> bool:
    """Play at random until a hand has ended and cards are drawn again; returns whether they are."""
    ended = False
    for _ in range(MOST_DRAWS):
        ended = ended or filling.ends_hand(observe(game, acting=False, only=filling.ENDS))
        if ended and any(action.actor == CHANCE for action in game.legal_actions()):
            return True
        action = (tacit_action(game) if ended else None) or random_action(game, chance)
        if action is None:
            return False
        game.push(action)
    return False


def _deal_out(game: Game, chance: random.Random) -> None:
    """Deal at random, until a player has a choice."""
    for _ in range(MOST_DRAWS):
        if (draw := random_draw(game, chance)) is not None:
            game.push(draw)
        elif drawn := [action for action in game.legal_actions() if action.actor == CHANCE]:
            game.push(chance.choice(drawn))
        elif tacit := tacit_action(game):
            game.push(tacit)
        else:
            break


def _in_places(game: Game) -> protocol.Deal:
    """The cards of each player, and the open cards."""
    notation, found = notation_of(game.graph, game.players), dict[str, list[str]]()
    for card, of in enumerate(game.graph.cards):
        if (place := filling.place_of(game, notation, card)) and of.present:
            found.setdefault(place, []).append(of.name)
    return {key: tuple(cards) for key, cards in found.items()}
