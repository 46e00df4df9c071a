"""A playthrough: one log under one agreement, with the verdict and the changed observations of each move.

It ends with the log, or with the first move that the rules refuse; a forbidden one is also played by an umpire.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import takewhile

from truco_spec.base.words import label, listed, say, spoken, translated
from truco_spec.compare.disputes.agreement import Rules, TransposedLog, moves_of
from truco_spec.compare.scenario import STUCK, UNKNOWN_WORD, MoveResult, next_move
from truco_spec.engine.game import CHANCE, Event, Game
from truco_spec.engine.layout import NONE, Noted
from truco_spec.engine.observe import ACTING, MAY_SPEAK, OPEN, observe
from truco_spec.engine.provenance import backwards, moved_by
from truco_spec.engine.ruling import tacit_action
from truco_spec.graph.model import OBSERVED, Graph, by_identity
from truco_spec.graph.walk import data_read, exprs_of_define, gathers, ways
from truco_spec.logs.line import UMPIRE, LogError, LoggedMove
from truco_spec.logs.replay import MoveRefused, Replay, ReplayStep

PERMITTED, FORBIDDEN, NOT_OFFERED, IMPOSSIBLE = "permitted", "forbidden", "not-offered", "impossible"
SCORE, WINNER, MATCH = "score", "winner", "match"
"""The effects of a move on the game, and the winner of the match."""
WON, ENDED_AT = AT_ENDS = "games", "game-score"
"""Which teams have won games, and the score with which the last one ended."""
MOST_FURTHER = 500
"""Up to this many moves implicit ones are looked for behind the last."""
_UNSAID = 8
"""Approximate number of unrecorded events of a hand: the shuffle, the cut."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move and its result.

    ``said`` is its text, ``told`` the observations changed by it (for a forbidden move, in umpire mode), ``seen`` all
    observations after it, ``message`` why it was refused; ``refused`` is the derivation of that; ``event`` is what
    happened, if it was made.
    """

    number: int
    hand: int
    move: str
    said: str
    verdict: str
    told: Mapping[str, object]
    seen: Mapping[str, object]
    message: str = ""
    refused: MoveRefused | None = None
    event: Event | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A log under an agreement. ``start`` are the observations before the first move; ``complete``: every move was
    accepted.

    ``dealt`` are the cards that came: the hand (from 0), the player or the place, and the card; of a hand of the log in
    which another deal follows (``again``) those of the first deal, as the log gives none for the other; whether any of
    these had a say: ``read``. ``used`` are
    the cards that a move laid or showed, or brought elsewhere, each with its hand and the number of that move.

    ``further`` is the same with one implicit move more, where one may follow before the cards are gathered; whether it
    is ``chosen`` among others.
    """

    rules: Rules
    transposed: TransposedLog
    start: Mapping[str, object]
    moments: tuple[JudgedMove, ...]
    dealt: tuple[tuple[int, str, str], ...]
    complete: bool
    again: bool = False
    read: bool = False
    used: Mapping[tuple[int, str], int] = field(default_factory=dict)
    further: Playthrough | None = None
    chosen: bool = False

    @property
    def began(self) -> bool:
        """Whether a game of these rules can begin as the log does; if not, the only moment has the reason."""
        return bool(self.start)

    @property
    def cost(self) -> int:
        """The approximate cost of playing it, in events."""
        hands = len({hand for hand, _, _ in self.dealt})
        return 1 + len(self.dealt) + 3 * len(self.moments) + _UNSAID * hands

    @property
    def last(self) -> Mapping[str, object]:
        """The last observations."""
        return self.moments[-1].seen if self.moments else self.start


def play(
    transposed: TransposedLog, rules: Rules, make: type[Game] = Game, *, acting: bool = True, further: bool = False
) -> Playthrough:
    """Play a log under rules. Without ``acting``, who may act is not observed, which is faster; with ``further`` go on
    with implicit moves.
    """
    begun = begin(transposed, rules, make, acting=acting, further=further)
    return begun.playthrough() if isinstance(begun, Player) else begun


def begin(
    transposed: TransposedLog,
    rules: Rules,
    make: type[Game] = Game,
    *,
    acting: bool = True,
    only: Collection[str] | None = None,
    further: bool = False,
) -> Player | Playthrough:
    """The player of a log under rules, before the first move; the playthrough, if no game can begin so.

    ``only`` these observations are made, if given.
    """
    try:
        replay = transposed.replay(rules, make=make, acting=acting, only=only)
    except LogError as error:
        moment = JudgedMove(1, 0, "", "", STUCK, {}, {}, translated(error.diagnostics[0].message))
        return Playthrough(rules, transposed, {}, (moment,), (), False)
    return Player(transposed, rules, replay, make, further=further)


def before_move(
    transposed: TransposedLog, rules: Rules, number: int, mode: str = "", make: type[Game] = Game
) -> Replay | None:
    """Replay the log up to just before a move (from 1); None if it does not get there.

    With a ``mode`` it continues in that, as when an umpire is called.
    """
    try:
        replay = transposed.replay(rules, make=make)
        for _ in range(number - 1):
            if replay.advance() is None:
                return None
    except LogError:
        return None
    if mode:
        replay.log, replay.game.mode = replace(replay.log, mode=mode), mode
    return replay


class Player:
    """Plays a log to its end, or as far as the rules permit, and records each move."""

    def __init__(
        self, transposed: TransposedLog, rules: Rules, replay: Replay, make: type[Game], *, further: bool = False
    ) -> None:
        self.transposed, self.rules, self.replay, self.make, self.further = transposed, rules, replay, make, further
        self.observed = observe(replay.game, acting=replay.acting, only=replay.only)
        self.start: Mapping[str, object] = {**self.observed, MATCH: self.observed.get(WINNER)}
        self.moments: list[JudgedMove] = []
        self.dealt: list[tuple[int, str, str]] = []
        self.used: dict[tuple[int, str], int] = {}
        self.gathered = self.again = self.read = False

    def playthrough(self) -> Playthrough:
        """Play, or play on."""
        while (found := next_move(self.replay)) is not None and found.step is not None:
            self._take(found.step, self.replay.game, found.status)
        if found is not None and not (found.refused and self._by_an_umpire(found.refused)):
            self._stop(found)
        if found is None and self.further:
            return self._and_further()
        return self._so_far(complete=found is None)

    def _so_far(self, *, complete: bool) -> Playthrough:
        moments, dealt = tuple(self.moments), tuple(self.dealt)
        how = complete, self.again, self.read, self.used
        return Playthrough(self.rules, self.transposed, self.start, moments, dealt, *how)

    def _and_further(self) -> Playthrough:
        """The moves played, and the implicit ones that follow."""
        played, replay, hands = self._so_far(complete=True), self.replay, self.transposed.log.hands
        game, number = replay.game, len(self.moments) + 1
        action = None if replay.dealer.pack_is_whole() or number > MOST_FURTHER else tacit_action(game)
        if action is None or action.actor == CHANCE or not hands:
            return played
        chosen = any(not game.graph.actions[other.verb].tacit for other in game.legal_actions())
        move = LoggedMove(game.text(action))
        event = replay.push(action)
        observed = observe(game, acting=replay.acting, only=replay.only)
        hand = replace(hands[-1], moves=(*hands[-1].moves, move))
        self.transposed = replace(self.transposed, log=replace(self.transposed.log, hands=(*hands[:-1], hand)))
        self._take(ReplayStep(number, len(hands) - 1, move, (event,), observed, ()), game, PERMITTED)
        return replace(played, further=self._and_further(), chosen=chosen)

    def branch(self, rules: Rules, replay: Replay, make: type[Game]) -> Player:
        """A player who goes on from here under other rules, in a branch of the replay."""
        found = copy(self)
        found.rules, found.replay, found.make = rules, replay, make
        found.moments, found.dealt, found.used = self.moments.copy(), self.dealt.copy(), self.used.copy()
        return found

    @property
    def _seen(self) -> Mapping[str, object]:
        """The last observations."""
        return self.moments[-1].seen if self.moments else self.start

    def _by_an_umpire(self, refused: MoveRefused) -> bool:
        """Play a forbidden move in umpire mode, which lets it happen at its penalty."""
        if refused.refusal.status != FORBIDDEN:
            return False
        umpire = before_move(self.transposed, self.rules, len(self.moments) + 1, UMPIRE, self.make)
        found = None if umpire is None else next_move(umpire)
        if umpire is None or found is None or found.step is None or found.status != FORBIDDEN:
            return False
        self._take(found.step, umpire.game, FORBIDDEN, refused)
        return True

    def _stop(self, found: MoveResult) -> None:
        """Record that the rules refuse the next move, or cannot go on."""
        moves = moves_of(self.transposed.log)
        number = len(self.moments) + 1
        text = moves[number - 1].text if number <= len(moves) else ""
        hand = max(self.replay.hand, 0)
        unknown = found.status == UNKNOWN_WORD
        message = found.message.replace(f" in {self.rules.graph.name}", " there") if unknown else found.message
        if unknown and not spoken().english:
            message = say("“{move}” means nothing there.", move=text)
        if found.refused:
            self._note(hand, found.refused.dealt)
            self.read |= self.again
        stopped = JudgedMove(number, hand, text, text, found.status, {}, self._seen, message, found.refused)
        self.moments.append(stopped)

    def _take(self, step: ReplayStep, game: Game, verdict: str, refused: MoveRefused | None = None) -> None:
        """Record a move just made in the game, perhaps in umpire mode after it was ``refused``."""
        before = self.observed
        drawn = [at for at, event in enumerate(step.before) if event.action.actor == CHANCE]
        if drawn:
            drawn_at = len(game.history) - len(step.events) + drawn[-1]
            before = observe(game, drawn_at, acting=False, only=self.replay.only)
        said = game.text(step.event.action)
        anew = self._begun_anew(step, game)
        seen = _as_the_game_ended(self.observed, step.observed)
        told = {name: value for name, value in _changes(before, seen) if name not in anew}
        self.observed = step.observed
        graph = self.rules.graph
        self.gathered |= any(gathers(graph, event.fired) for event in step.before)
        self._note(step.hand, step.dealt)
        self.read |= self.again and _reads_cards(game, step.events, self.replay.only)
        self.gathered |= gathers(graph, step.event.fired)
        for card in _used(game, step.event):
            self.used.setdefault((step.hand, card), step.number)
        message = refused.refusal.message if refused is not None else ""
        self.moments.append(
            JudgedMove(step.number, step.hand, step.move.text, said, verdict, told, seen, message, refused, step.event)
        )

    def _note(self, hand: int, dealt: Sequence[tuple[str, str]]) -> None:
        """Note the cards that came in the first deal of a hand of the log."""
        if dealt and self.gathered and any(hand == known for known, _, _ in self.dealt):
            self.again = True
        elif dealt:
            self.dealt += [(hand, where, card) for where, card in dealt]
            self.gathered = False

    def _begun_anew(self, step: ReplayStep, game: Game) -> set[str]:
        """The observations of a hand that began with this move, which are not results of the move."""
        graph = self.rules.graph
        fired = {name for done in step.event.steps for name in done.rules}
        entered = {phase for name in fired for phase in _entered(graph, name)}
        begun = {scope for phase in entered for scope in _within(graph, phase)}
        names = [name for name in step.observed if name not in (ACTING, MAY_SPEAK) and _scopes(graph, name) & begun]
        return {name for name in names if graph.defines[OBSERVED + name].params or game.ask(OBSERVED + name) != NONE}


class WatchedGame(Game):
    """A game that records what is read of its position."""

    def blank(self) -> Noted:
        position = Noted(super().blank())
        position.read = set()
        return position


def _reads_cards(game: Game, events: Sequence[Event], only: Collection[str] | None) -> bool:
    """Whether the cards mattered in the last of these events, after those of chance, or in the observations then."""
    said = len(list(takewhile(lambda event: event.action.actor != CHANCE, reversed(events))))
    there = game.branch(len(game.history) - said, {}, WatchedGame)
    for event in events[len(events) - said :]:
        there.permits(event.action)
        there.push(event.action)
    observe(there, acting=False, only=only)
    layout, position = game.layout, there.position
    places = {slot for slot in layout.of_cards if slot in layout.place_of}
    return isinstance(position, Noted) and not position.read.isdisjoint(places)


def _used(game: Game, event: Event) -> Iterator[str]:
    """The cards that an event shows, or brings to another place than back into the pack."""
    layout, cards = game.layout, game.graph.cards
    for step, before, after in backwards(game.position, event.steps):
        for card in moved_by(layout, step):
            if layout.place_of[after[layout.cards_at + card]][0] != game.graph.pack:
                yield cards[card].name
        for slot in step.back[::2]:
            if layout.of_cards.get(slot) and slot not in layout.place_of:
                yield from (card.name for at, card in enumerate(cards) if (after[slot] & ~before[slot]) >> at & 1)


@by_identity(1024)
def _entered(graph: Graph, rule: str) -> frozenset[str]:
    """The phases that a rule leads to; memoised."""
    return frozenset(way.phase for way in ways(graph, graph.rules[rule].do))


@by_identity(1024)
def _within(graph: Graph, phase: str) -> frozenset[str]:
    """The scopes initialised on entry of a phase; memoised."""
    return frozenset(s for s in graph.phases if graph.lies_within(s, phase))


@by_identity(1024)
def _scopes(graph: Graph, name: str) -> frozenset[str]:
    """The scopes whose data an observation reads; memoised."""
    define = graph.defines.get(OBSERVED + name)
    read = data_read(graph, exprs_of_define(define)) if define is not None else ()
    return frozenset(graph.data[datum].fresh for datum in read if datum in graph.data) - {""}


def _as_the_game_ended(before: Mapping[str, object], now: Mapping[str, object]) -> Mapping[str, object]:
    """The observations, with the score and the winner of a game that ended, though the next of its match has begun."""
    won, had, winner = now.get(WON), before.get(WON), now.get(WINNER)
    seen = {**now, MATCH: winner}
    if winner is None and isinstance(won, Mapping) and isinstance(had, Mapping) and won != had:
        seen[SCORE] = now.get(ENDED_AT) or now.get(SCORE)
        seen[WINNER] = next(team for team, count in won.items() if count != had[team])
    return seen


def _changes(before: Mapping[str, object], now: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """The observations that changed, or were made again."""
    for name, value in now.items():
        if name not in (ACTING, MAY_SPEAK) and value not in (None, OPEN) and value != before.get(name):
            yield name, value


# --------------------------------------------------------------------------------------------------
# Observations in a few words, the same for every variant.

VERDICTS = {
    PERMITTED: "permitted",
    FORBIDDEN: "forbidden",
    IMPOSSIBLE: "impossible",
    NOT_OFFERED: "not possible now",
    UNKNOWN_WORD: "no such word there",
    STUCK: "stuck",
}
TOLD = {
    "trick": "the trick goes to {it}",
    "leader": "{it} leads",
    "hand": "{it} wins the hand",
    "score": "score {it}",
    "stake": "the hand is worth {it}",
    "proposal": "{it} is proposed",
    "winner": "{it} wins the game",
}
TOLD_OF_SEVERAL = {"hand": "{it} win the hand", "winner": "{it} win the game"}
"""The same for teams of several players."""
TOLD_OF_NOBODY = {"trick": "the trick is tied", "hand": "the hand is {it}"}
"""The same for values that concern no player."""


def verdict_in_words(moment: JudgedMove) -> str:
    """permitted, forbidden …; not offered also where it is forbidden to one and offered to nobody."""
    refused = moment.refused if moment.verdict == FORBIDDEN else None
    if refused is not None and refused.verdict.besides is not None:
        return say(VERDICTS[NOT_OFFERED])
    return say(VERDICTS.get(moment.verdict, moment.verdict))


def told_in_words(playthrough: Playthrough, told: Mapping[str, object]) -> str:
    """The changed observations, in one line."""
    return "; ".join(_phrases(playthrough, told))


def _phrases(playthrough: Playthrough, told: Mapping[str, object]) -> Iterator[str]:
    players = playthrough.transposed.log.players
    for name, value in told.items():
        if name in (ACTING, MAY_SPEAK, MATCH):
            continue
        forms, it = TOLD, str(value)
        if isinstance(value, Mapping):
            it = ", ".join(f"{team_of(playthrough, player)} {points}" for player, points in value.items())
        elif value in players and name != "leader":
            it = team_of(playthrough, value)
            forms = TOLD if it == value else TOLD | TOLD_OF_SEVERAL
        elif value not in players:
            it, forms = label(it), TOLD | TOLD_OF_NOBODY
        yield say(forms[name], it=it) if name in forms else f"{label(name)} {it}"
    if WINNER in told and MATCH not in told:
        yield say("the match goes on")


def team_of(playthrough: Playthrough, player: object) -> str:
    """The players of the team that is named after one of them."""
    players, teams = playthrough.transposed.log.players, playthrough.rules.graph.teams
    if player not in players:
        return str(player)
    return listed(players[players.index(str(player)) % teams :: teams])
