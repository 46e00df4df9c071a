"""Replays a log: feeds its deal to chance, inserts implicit actions, and judges every move."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from truco_spec.base.words import Sentence, said_by
from truco_spec.engine.explain import Verdict, as_it_stands, explain
from truco_spec.engine.game import CHANCE, Action, Event, Game, permitted
from truco_spec.engine.observe import cards_seen, observe
from truco_spec.engine.position_text import PositionError
from truco_spec.engine.provenance import moved_by
from truco_spec.engine.ruling import Unreachable, must_be_reachable, tacit_action
from truco_spec.engine.support import REFEREE, PlayError
from truco_spec.graph.model import WRONG, Graph
from truco_spec.graph.walk import permitting, ways
from truco_spec.language.diagnostics import Diagnostic, Span
from truco_spec.logs import setup
from truco_spec.logs.explanation import Refusal, due_rules, preventing, refusal_of, verdict_on
from truco_spec.logs.line import MOST_SHOWN, UMPIRE, UNKNOWN, Log, LogError, LoggedMove, read_line
from truco_spec.logs.notation import NotationError, notation_of
from truco_spec.logs.setup import NOT_KNOWN, Dealer, graph_of, no_position, start_of

MOST_BETWEEN = 2_000
"""Maximum actions inserted before one move; more indicate a cycle of tacit actions."""
UNREACHABLE = "Give another score or start, or other options; what lies on the table is given by `position`."
NOBODY = -2
"""The actor of a move that means nothing."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One move of the log and its events: ``events`` are the inserted ones, then the move's own.

    ``number`` counts the moves of the whole log from 1; ``hand`` counts from 0. ``observed`` is what the table observes
    after the move; ``dealt`` are the cards that came before it, with the player or place. ``unoffered``: whether a
    forbidden move would not have been permitted to anybody else either. ``turned_up`` are the cards that the move lays
    open without naming them. ``wrong`` are the rules that permit it though it is wrong by the cards of the log.
    """

    number: int
    hand: int
    move: LoggedMove
    events: tuple[Event, ...]
    observed: dict[str, object]
    dealt: tuple[tuple[str, str], ...]
    unoffered: bool = False
    turned_up: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    @property
    def event(self) -> Event:
        """The event of the move itself."""
        return self.events[-1]

    @property
    def before(self) -> tuple[Event, ...]:
        """The inserted events: the deal and implicit actions."""
        return self.events[:-1]


Mark = tuple[int, setup.Mark]
"""A position to return to: the length of the history, and the state of the dealer."""


class NotPermitted(LogError):
    """A move that the rules do not permit at its place."""


class MoveRefused(NotPermitted):
    """The refusal of a move: ``refusal`` says why; ``game`` is in the position then, after these
    cards were ``dealt``.
    """

    def __init__(
        self,
        log: Log,
        move: LoggedMove,
        refusal: Refusal,
        game: Game,
        dealt: Sequence[tuple[str, str]] = (),
        notes: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        told = Diagnostic("error", refusal.category, refusal.message, move.span, hint=refusal.hint, notes=notes)
        super().__init__([told], log.text)
        self.refusal, self.game, self.dealt = refusal, as_it_stands(game), tuple(dealt)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict with its derivation, computed on demand."""
        return explain(self.game, self.refusal.action)

    @property
    def before_the_cards(self) -> bool:
        """Whether nobody can act before the next cards are dealt."""
        legal = self.game.legal_actions()
        return bool(legal) and all(action.actor == CHANCE for action in legal)

    @cached_property
    def due(self) -> tuple[str, ...]:
        """The rules that require something else first: :func:`~truco_spec.logs.explanation.due_rules`."""
        return due_rules(self.game, self.verdict)

    @cached_property
    def against(self) -> tuple[str, ...]:
        """The rules that prevent the nearest one from applying: :func:`~truco_spec.logs.explanation.preventing`."""
        wanting = None if self.verdict.status == "impossible" else self.verdict.wanting
        return () if wanting is None else preventing(self.game, wanting)


class UnknownWord(LogError):
    """A move whose words mean nothing in this variant; raised by a tolerant replay when the move is reached."""


class Replay:
    """A replay in progress. ``game`` stands after the moves played so far.

    ``make`` creates the game and ``begin`` gives it initial values in addition to the log's. A ``tolerant`` replay
    accepts words unknown to the variant, and raises :class:`UnknownWord` when one is reached. At most ``most_between``
    actions are inserted before one move. Without ``acting``, who may act is not observed, and with ``only`` no other
    than these observations are made, which is faster; so are refusals that are not ``told``, which have no message.
    Without ``reasons`` a refusal is :class:`NotPermitted`, and why is not sought.

    ``on_look`` is called wherever the replay looks whether the next move can be made: there a :meth:`branch` can go on.
    ``sought`` is where that which comes before this move began.

    ``ignored`` holds the keys of deals (with their hand, from 0) that had no effect, such as a turned card where none
    is turned.

    ``also`` gives, per hand, further moves to be queried (:meth:`refusal`): their cards are dealt too, as if they were
    played. Raises :class:`LogError` with every error found before the first move: an unknown variant, option, card or
    word.
    """

    def __init__(
        self,
        log: Log,
        graph: Graph | None = None,
        also: Sequence[Sequence[str]] = (),
        *,
        make: type[Game] = Game,
        begin: Mapping[str, int] | None = None,
        tolerant: bool = False,
        most_between: int = MOST_BETWEEN,
        acting: bool = True,
        only: Collection[str] | None = None,
        told: bool = True,
        reasons: bool = True,
    ) -> None:
        self.log = log
        self.graph = graph_of(log) if graph is None else graph
        given, self.arranged = start_of(log, self.graph)
        start = {**(begin or {}), **given}
        with self._told_of_the_start():
            self.game = make(self.graph, players=log.players, mode=log.mode, start=start, position_text=log.position)
        self.tolerant, self.most_between, self.acting, self.only = tolerant, most_between, acting, only
        self.told, self.reasons = told, reasons
        self.notation = notation_of(self.graph, log.players)
        self.also = also
        self.hand, self.at, self.number = -1, 0, 0
        self.dealer = Dealer(log, self.game, self.notation)
        self.arranged_at = -1
        self.unread: dict[int, LogError] = {}
        self.readings = self._read_all()
        self.ignored: list[tuple[int, str]] = []
        self.sought: Mark | None = None
        self.on_look: Callable[[], None] | None = None
        self.next_hand()

    # ---- playing the log -----------------------------------------------------------------------

    def steps(self) -> Iterator[ReplayStep]:
        """Play the rest of the log, move by move."""
        while (step := self.advance()) is not None:
            yield step

    def advance(self, *, exact: bool = False) -> ReplayStep | None:
        """Play the next move of the log; None after the last. Raises :class:`MoveRefused` and :class:`LogError`.

        ``exact``: only chance may act before it; no implicit action of a player is inserted.
        """
        while self.hand < len(self.log.hands) and self.at >= len(self.log.hands[self.hand].moves):
            if not self.next_hand():
                return None
        if self.hand >= len(self.log.hands):
            return None
        move = self.log.hands[self.hand].moves[self.at]
        self.sought = self.sought or self.mark()
        dealt = self.sought[1][2]
        try:
            events = self._do(move, self.readings[self.hand][self.at], exact, self.sought)
        finally:
            self.sought = None
        self.at += 1
        self.number += 1
        return ReplayStep(
            self.number,
            self.hand,
            move,
            events,
            observe(self.game, acting=self.acting, only=self.only),
            tuple(self.dealer.dealt[dealt:]),
            self.told and events[-1].status == "forbidden" and verdict_on(self.game).besides is not None,
            self._turned_up(events[-1]),
            self._wrong(events[-1]),
        )

    def _wrong(self, event: Event) -> tuple[str, ...]:
        """Return the rules that permit a wrong move; none if the log leaves cards to the dealer,
        which prove nothing.
        """
        rules = tuple(rule for rule in event.rules if rule.startswith(WRONG))
        return rules if rules and self.dealer.all_given(event.action.actor) else ()

    def _turned_up(self, event: Event) -> tuple[str, ...]:
        """The cards that a move lays open without naming them."""
        if not self.told or event.action.actor < 0 or self.notation.cards_of(event.action) or not event.steps:
            return ()
        moved = [self.graph.cards[card].name for card in moved_by(self.game.layout, event.steps[0])]
        if not moved:
            return ()
        back = event.steps[0].back
        before = dict(reversed(list(zip(back[::2], back[1::2], strict=True))))
        open_now, open_before = (
            set.intersection(*(cards_seen(self.game, seat, known) for seat in range(self.graph.seats)))
            for known in ({}, before)
        )
        return tuple(name for name in moved if name in open_now - open_before)

    def next_hand(self) -> bool:
        """Advance to the next hand; False if there is none. Raises :class:`LogError` for cards never dealt."""
        if 0 <= self.hand < len(self.log.hands):
            self._nothing_left_over()
        self.hand += 1
        self.at = 0
        if self.hand >= len(self.log.hands):
            return False
        further = self.also[self.hand] if self.hand < len(self.also) else ()
        named = [self._named(readings) for readings in self.readings[self.hand]]
        self.dealer.open_hand(self.hand, named, [self._named(self.read(text)) for text in further])
        return True

    def settle(self) -> tuple[Event, ...]:
        """Let chance act until any other action is possible."""
        return self._go_on(self._only_chance)

    def deal_out(self) -> tuple[Event, ...]:
        """Let chance act and insert implicit actions until a player has a choice."""
        return self._go_on(self.unsaid)

    def _go_on(self, following: Callable[[], Action | None]) -> tuple[Event, ...]:
        events: list[Event] = []
        while len(events) < self.most_between and self.hand < len(self.log.hands):
            action = self.dealer.draw(self.at) or following()
            if action is None:
                break
            events.append(self.push(action))
        return tuple(events)

    def _only_chance(self) -> Action | None:
        legal = self.game.legal_actions()
        alone = legal and all(action.actor == CHANCE for action in legal)
        return self.dealer.choose(legal, self.at) if alone else None

    def played_out(self) -> Game:
        """Play every move, then let chance and implicit actions follow until a player has a choice; returns the game.

        Raises :class:`MoveRefused` and :class:`LogError`.
        """
        while self.number < self.moves:
            self.advance()
        while self.hand < len(self.log.hands) - 1:
            self.next_hand()
        self.deal_out()
        self.ignored += [(self.hand, key) for key in self.dealer.never_came()]
        return self.game

    def to_the_end(self) -> Game:
        """Play every move, and no more; where the last hand has a deal alone, deal it. Returns the game.

        Raises :class:`MoveRefused` and :class:`LogError`.
        """
        while self.number < self.moves:
            self.advance()
        if self.log.hands and not self.log.hands[-1].moves:
            return self.played_out()
        self.advance()
        return self.game

    @property
    def moves(self) -> int:
        """The number of moves of the log."""
        return sum(len(hand.moves) for hand in self.log.hands)

    # ---- querying ------------------------------------------------------------------------------

    def read(self, text: str) -> list[Action]:
        """Return the actions that the text of a move can mean. Raises :class:`LogError`."""
        return self._readings(LoggedMove(" ".join(text.split()), self.log.place("")))

    def refusal(self, text: str) -> Refusal | None:
        """Return the same as :meth:`refusal_to`, for the text of a move. Raises :class:`LogError`."""
        return self.refusal_to(self.read(text))

    def refusal_to(self, readings: list[Action], *, exact: bool = False) -> Refusal | None:
        """Return why a move would be refused now, or None if it is permitted. The game is unchanged.

        As when it is played, chance and (unless ``exact``) implicit actions come first.
        """
        mark = self.mark()
        with self.looking_ahead():
            self._reach_or_return(readings, exact)
            permitted = any(map(self.game.permits, readings))
            return None if permitted else self._refusal_since(mark, readings)

    def refusal_here(self, readings: list[Action], passed: Sequence[Action] = ()) -> Refusal:
        """Return why a move without a permitted reading is refused in the current position.

        ``passed`` is all that its player can do, if that is more than what is possible now.
        """
        return refusal_of(self.game, self.notation, readings, passed, told=self.told)

    # ---- inside --------------------------------------------------------------------------------

    def _read_all(self) -> list[list[list[Action]]]:
        """Read all moves. Raises :class:`LogError` with every unknown card and word of the log."""
        wrong: list[Diagnostic] = []
        found: list[list[list[Action]]] = []
        for hand in self.log.hands:
            found.append([])
            for move in hand.moves:
                try:
                    found[-1].append(self._readings(move))
                except LogError as error:
                    if self.tolerant:
                        self.unread[sum(map(len, found))] = error
                        found[-1].append([])
                        continue
                    wrong += error.diagnostics
                if len(wrong) > MOST_SHOWN:
                    raise LogError(wrong, self.log.text)
        if wrong:
            raise LogError(wrong, self.log.text)
        return found

    def _readings(self, move: LoggedMove) -> list[Action]:
        if UNKNOWN in move.words:
            message = Sentence("Which card this is has to be known here.")
            raise self.log.mistake("unknown-card", message, move.span, Sentence(NOT_KNOWN))
        try:
            return self.notation.readings(move.text)
        except NotationError as error:
            raise self.log.mistake("unknown-word", error.message, move.span, error.hint) from None

    def _named(self, readings: list[Action]) -> setup.Named:
        """Return the seat and the cards that a move names."""
        if not readings:
            return NOBODY, ()
        cards = {card: None for action in readings for card in self.notation.cards_of(action)}
        return readings[0].actor, tuple(cards)

    def _do(self, move: LoggedMove, readings: list[Action], exact: bool, mark: Mark) -> tuple[Event, ...]:
        """Play a move with all that comes before it, since ``mark``. On any error the game is restored."""
        if (unread := self.unread.get(self.number)) is not None:
            raise UnknownWord(unread.diagnostics, unread.text)
        try:
            action = self._reach_or_return(readings, exact, mark)
            if action is None and not self.reasons:
                raise NotPermitted((), self.log.text)
            if action is None:
                dealt = self.dealer.dealt[mark[1][2] :]
                refusal = self._refusal_since(mark, readings)
                raise MoveRefused(self.log, move, refusal, self.game, dealt, self._deal_in_vain())
            if self.arranged and not self.number:  # what was given before the deal has come to its place
                with self._told_of_the_start():
                    must_be_reachable(self.game)
            self.push(action)
        except PlayError as error:
            self.back_to(mark)
            message = Sentence("The rules themselves fail at this move: {error}.", error=said_by(error))
            raise self.log.mistake("rules", message, move.span) from error
        except LogError:
            self.back_to(mark)
            raise
        return tuple(self.game.history[mark[0] :])

    def _reach_or_return(self, readings: list[Action], exact: bool, mark: Mark | None = None) -> Action | None:
        """Insert implicit actions until one of the given actions is possible; return it, or None.

        If none becomes possible, and no rule forbids it after the next deal, the game goes back to before that deal.
        An action without effect in umpire mode brings about no implicit ones.
        """
        mark = mark or self.mark()
        dealt = mark[1][2] > self.dealer.begin
        action = self._reach(readings, exact)
        if action is not None:
            return action
        umpire = self.log.mode == UMPIRE
        if dealt and all(self.game.rule_on(reading).status != "forbidden" for reading in readings):
            returned = self._return(mark, readings[0].actor)
            if not returned or (umpire and not self._possible(readings)):
                self.back_to(mark)
                self._reach(readings, exact)
        possible = self._possible(readings) if umpire else []
        if possible and self._has_no_effect(possible):
            self.back_to(mark)
            if not self._has_no_effect(possible):
                self._reach(readings, exact)
            possible = self._possible(readings)
        return next(iter(possible), None)

    def _refusal_since(self, mark: Mark, readings: list[Action]) -> Refusal:
        """Return why a move is refused: in the current position, or before its player's implicit moves, if fewer
        conditions are missing there, or the same rules forbid it.
        """
        self._back_to_the_ban(mark, readings)
        history, actor = self.game.history, readings[0].actor
        undone, nearest, passed = list[Action](), 0, self.game.legal_actions(actor)
        unsaid = any(event.action.actor == actor for event in history[mark[0] :])
        least, forbidding = self._lacking(readings) if unsaid else (math.inf, ())
        while unsaid and len(history) > mark[0] and history[-1].action.actor != CHANCE:
            undone.append(self.game.pop())
            if undone[-1].actor != actor:
                continue
            legal, (lacking, rules) = self.game.legal_actions(actor), self._lacking(readings)
            alike = bool(rules) and rules == forbidding
            if alike or any(not self.graph.actions[action.verb].tacit for action in legal):  # else there was no choice
                passed = list(dict.fromkeys((*legal, *passed)))
                if alike or (lacking < least and not rules and not forbidding):
                    nearest, least = len(undone), lacking
        for action in reversed(undone[nearest:]):
            self.push(action)
        return self.refusal_here(readings, passed)

    def _back_to_the_ban(self, mark: Mark, readings: list[Action]) -> None:
        """Go back to where a move that no rule ever permits was forbidden last, as a wrong deal is while cards are
        dealt; if it was nowhere, the game stays as it is.
        """
        if any(permitting(self.graph, reading.verb) for reading in readings):
            return
        undone: list[Action] = []
        while all(self.game.rule_on(reading).status != "forbidden" for reading in readings):
            if len(self.game.history) == mark[0]:
                for action in reversed(undone):
                    self.push(action)
                return
            undone.append(self.game.pop())

    def _lacking(self, readings: list[Action]) -> tuple[float, tuple[str, ...]]:
        """Return the fewest missing conditions of a rule that could offer a move, and the rules that forbid it."""
        verdicts = [explain(self.game, reading) for reading in readings]
        forbidding = [rule.name for one in verdicts if one.status == "forbidden" for rule in one.deciding]
        offers = [rule for verdict in verdicts for rule in verdict.offers[:1]]
        return min((len(rule.missing) for rule in offers), default=math.inf), tuple(forbidding)

    def _possible(self, readings: list[Action]) -> list[Action]:
        return [reading for reading in readings if self.game.rule_on(reading).status != "impossible"]

    def _has_no_effect(self, readings: list[Action]) -> bool:
        return all(self.game.rule_on(reading).status == "not-offered" for reading in readings)

    def _return(self, mark: Mark, actor: int) -> bool:
        """Undo the next deal, back to where the actor, or else somebody, has a choice; False if there was no deal.

        A choice is more than implicit actions.
        """
        history = self.game.history
        first = next((at for at in range(mark[0], len(history)) if history[at].action.actor == CHANCE), None)
        if first is None:
            return False
        self.back_to((first, mark[1]))
        if not self.dealer.pack_is_whole():
            return False
        undone: list[Action] = []
        stand: int | None = None
        while True:
            actors = {a.actor for a in self.game.legal_actions() if not self.graph.actions[a.verb].tacit} - {CHANCE}
            if actor in actors or (actors and stand is None):
                stand = len(undone)
            if actor in actors or len(history) == mark[0]:
                break
            undone.append(self.game.pop())
        for action in reversed(undone[stand or 0 :]):
            self.push(action)
        return True

    def _reach(self, readings: list[Action], exact: bool = False) -> Action | None:
        """Insert implicit actions until one of the given actions is possible; return it, or None."""
        refereed, umpire = any(one.actor == REFEREE for one in readings), self.log.mode == UMPIRE
        between = len(self.game.history) - self.sought[0] if self.sought is not None else 0
        for _ in range(self.most_between - between):
            if self.on_look is not None and self.sought is not None:
                self.on_look()
            self._arrange()
            waits = refereed and self._waits_for_the_deal()
            draw = self.dealer.draw(self.at) if waits == refereed and not umpire else None
            if draw is not None:
                self.push(draw)
                continue
            found = None if waits else next(filter(self.game.permits, readings), None)
            if found is None and umpire:
                found = next((a for a in readings if self.game.rule_on(a).status == "forbidden"), None)
            if found is not None:
                return found
            unsaid = self.dealer.draw(self.at) if waits == refereed and umpire else None
            if unsaid is None:
                unsaid = self.unsaid()
            if unsaid is None or (exact and unsaid.actor != CHANCE):
                break
            self.push(unsaid)
        return None

    def _waits_for_the_deal(self) -> bool:
        """Whether a move of the referee, who may act at any time, comes after cards that the log gives."""
        dealt = len(self.dealer.dealt) > self.dealer.begin
        return not dealt and bool(self.log.hands[self.hand].deal)

    def _arrange(self) -> None:
        """Before the first move, once the cards are dealt, put the hand into the state that the log begins with."""
        if self.number or not self.arranged or self.arranged_at >= 0:
            return
        legal = self.game.legal_actions()
        if legal and all(action.actor != CHANCE for action in legal) and self._begun():
            self.arranged_at = len(self.game.history)
            with self._told_of_the_start():
                self.game.arrange(self.arranged)

    @contextmanager
    def _told_of_the_start(self) -> Iterator[None]:
        """Report an impossible initial state as an error of the log, at its place."""
        try:
            yield
        except PositionError as error:
            raise no_position(self.log, error) from None
        except Unreachable as error:
            given = [item.span for item in self.log.start] or [self.log.place(f"score.{who}") for who in self.log.score]
            place = given[0] if given else self.log.place("position" if self.log.position else "options")
            raise self.log.mistake(
                "unreachable", said_by(error), place, "" if self.log.position else Sentence(UNREACHABLE)
            ) from None

    def _begun(self) -> bool:
        """Return whether the scopes of the arranged data have begun; each begins when a rule enters its phase."""
        fired = {name for event in self.game.history for step in event.steps for name in step.rules}
        fired |= {name for step in self.game.opening for name in step.rules}
        entered = {way.phase for name in fired for way in ways(self.graph, self.graph.rules[name].do)}
        return all(self.graph.data[name].fresh in entered for name in self.arranged)

    def unsaid(self) -> Action | None:
        """Return the next implicit action: of chance, as the log wants it, or the first tacit one in spec order."""
        legal = permitted(self.game)
        chance = [action for action in legal if action.actor == CHANCE]
        if chance and any(permit.changes for action, permit in legal.items() if action.actor != CHANCE):
            # While others can act, only the log can say whether chance acts without a card.
            chance = [action for action in chance if action.verb in self.dealer.verbs]
        return self.dealer.choose(chance, self.at) if chance else tacit_action(self.game)

    def push(self, action: Action) -> Event:
        """Do an action of the game. Raises :class:`LogError` if the deal then falls on another than the log says."""
        event = self.game.push(action)
        if action.actor == CHANCE:
            self.dealer.check_dealer()
        return event

    def mark(self) -> Mark:
        """Return a snapshot for :meth:`back_to`."""
        return len(self.game.history), self.dealer.mark()

    def back_to(self, mark: Mark) -> None:
        """Undo everything since the mark."""
        while len(self.game.history) > mark[0]:
            self.game.pop()
        if len(self.game.history) <= self.arranged_at:
            self.arranged_at = -1
        self.dealer.go_back(mark[1])

    def branch(self, game: Game) -> Replay:
        """Return the same replay, at the same place of the log, with another game in the same position."""
        found = copy(self)
        found.game, found.dealer, found.ignored = game, self.dealer.branch(game), self.ignored.copy()
        found.on_look = None
        return found

    @contextmanager
    def looking_ahead(self) -> Iterator[None]:
        """A context in which actions may be done; afterwards the position is restored."""
        mark = self.mark()
        try:
            yield
        finally:
            self.back_to(mark)

    def _deal_in_vain(self) -> tuple[tuple[str, Span], ...]:
        """Return a note on a further hand, or its deal, of which no card was dealt, as when the hand before it is not
        over.
        """
        hand = self.log.hands[self.hand]
        if not self.hand:
            return ()
        if not hand.deal:
            note = Sentence("A new hand begins here in the log, and the one before it is not over.")
            unfinished = self.dealer.begin == len(self.dealer.dealt) and not self.game.over
            return ((note, hand.span),) if unfinished else ()
        if len(self.dealer.never_came()) < len(hand.deal):
            return ()
        note = Sentence("None of the cards of this deal has come, as where the hand before it is not over.")
        return ((note, self.dealer.span(next(iter(hand.deal)))),)

    def _nothing_left_over(self) -> None:
        if self.dealer.left_over() and any(action.actor == CHANCE for action in self.game.legal_actions()):
            self.deal_out()  # the last move was made while cards were dealt
        if self.at or self.hand < len(self.log.hands) - 1:  # a deal alone, at the end, may be dealt yet
            self.ignored += [(self.hand, key) for key in self.dealer.never_came()]
        for key, cards in self.dealer.left_over().items():
            names = " ".join(self.graph.cards[card].name for card in cards)
            come = self.dealer.taken[key]
            form = "The log gives {key} more cards than came: {names} was never dealt after {count} others."
            message = Sentence(form, key=key, names=names, count=come)
            hint = Sentence("Leave them out, or look for the hand in which they belong.")
            raise self.log.mistake("deal", message, self.dealer.span(key), hint)


def from_position(text: str, graph: Graph | None = None) -> Game:
    """Return the game of a position in one line, as :meth:`Game.position_line` writes it.

    ``graph`` are the rules, if they are not those of a shipped variant. Raises :class:`LogError` for a text that is no
    position, with its place, or a position that no game can reach.
    """
    log = read_line(text, "<position>")
    if not log.position:
        hint = Sentence("A log is played by a Replay.")
        raise log.mistake("missing", Sentence("The line has no part “position”."), "", hint)
    if log.hands:
        message = Sentence("A position ends here; what follows it belongs to a log.")
        raise log.mistake("shape", message, log.hands[0].span)
    return Replay(log, graph).game
