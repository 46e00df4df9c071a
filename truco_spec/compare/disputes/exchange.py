"""Replays a playthrough with cards exchanged: the same events, card for card, in the same game.

The result equals that of the log with the other cards, as long as everything is permitted and the same implicit actions
are inserted. If that is uncertain, the log has to be played again
(:func:`truco_spec.compare.disputes.playthrough.play`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from truco_spec.compare.disputes.agreement import Rules
from truco_spec.compare.disputes.playthrough import (
    FORBIDDEN,
    IMPOSSIBLE,
    NOT_OFFERED,
    PERMITTED,
    UNKNOWN_WORD,
    Noted,
    Player,
    Playthrough,
    play,
)
from truco_spec.compare.disputes.transpose import Put
from truco_spec.engine.game import CHANCE, Action, Event, IllegalAction
from truco_spec.engine.observe import observe
from truco_spec.engine.sample import drawn_by, tacit_action
from truco_spec.engine.support import PlayError
from truco_spec.logs.model import STRICT, UMPIRE, LogError
from truco_spec.logs.replay import ReplayStep

_ENDS = (NOT_OFFERED, IMPOSSIBLE, UNKNOWN_WORD, FORBIDDEN)
"""The statuses of a final move that can be replayed."""


def play_to_exchange(put: Put, rules: Rules) -> tuple[Playthrough, Exchange | None]:
    """A playthrough of a log, and its replayer with other cards; None if nothing could be played."""
    try:
        player = Player(put, rules, put.replay(rules))
    except LogError:
        return play(put, rules), None
    course = player.course()
    return course, Exchange(player, course)


class Exchange:
    """Replays one playthrough repeatedly. ``player`` has played it; its game is reused."""

    def __init__(self, player: Player, course: Playthrough) -> None:
        self.replay, self.game, self.rules = player.replay, player.replay.game, player.rules
        self.first, self.steps, self.umpires = course, player.steps, player.umpires
        self.numbers = {card.name: number for number, card in enumerate(self.rules.graph.cards)}
        self.done = [event.action for step in self.steps for event in step.events]
        log = course.put.log
        self.possible = len(log.hands) == 1 and log.mode != UMPIRE and not self.replay.arranged and self._ends_plainly()

    def _ends_plainly(self) -> bool:
        last = self.first.moments[-1:]
        taken = all(moment.verdict == PERMITTED for moment in self.first.moments[:-1])
        return taken and (self.first.complete or (bool(last) and last[0].verdict in _ENDS))

    def course(self, put: Put, cards: Mapping[str, str]) -> Playthrough | None:
        """Replay with a permutation of cards; None if the log has to be played again.

        ``cards`` is one to one; ``put`` is the log with the exchanged cards.
        """
        if not self.possible:
            return None
        there = self._numbered(cards)
        wanted = [self._exchanged(action, there) for action in self.done]
        same = _alike(wanted, self.done)
        self._back_to(_alike([event.action for event in self.game.history], wanted))
        noted = Noted(self.rules, self.first.start)
        try:
            if not self._again(put, wanted, same, cards, noted) or not self._ends(there, noted):
                return None
        except (IllegalAction, PlayError):
            return None
        return noted.course(put, complete=self.first.complete)

    # ---- inside ------------------------------------------------------------------------------

    def _numbered(self, cards: Mapping[str, str]) -> dict[int, int]:
        return {self.numbers[one]: self.numbers[other] for one, other in cards.items()}

    def _exchanged(self, action: Action, there: Mapping[int, int]) -> Action:
        params = self.rules.graph.actions[action.verb].params
        args = [there.get(v, v) if p.type.base == "card" else v for p, v in zip(params, action.args, strict=True)]
        return Action(action.actor, action.verb, tuple(args))

    def _back_to(self, number: int) -> None:
        while len(self.game.history) > number:
            self.game.pop()

    def _again(self, put: Put, wanted: Sequence[Action], same: int, cards: Mapping[str, str], noted: Noted) -> bool:
        """Replay; False if other implicit actions would be inserted."""
        there, at = self._numbered(cards), 0
        for number, step in enumerate(self.steps):
            end = at + len(step.events)
            dealt = tuple((where, cards.get(card, card)) for where, card in step.dealt)
            if end <= same and end <= len(self.game.history):
                noted.moments.append(self.first.moments[number])
                noted.dealt += [(step.hand, where, card) for where, card in dealt]
            else:
                move = put.log.hands[step.hand].moves[step.number - 1]
                readings = [self._exchanged(one, there) for one in self.replay.readings[step.hand][step.number - 1]]
                for place in range(max(at, len(self.game.history)), end):
                    if not self._due(wanted[place], readings, last=place == end - 1):
                        return False
                    self.game.push(wanted[place])
                events: tuple[Event, ...] = tuple(self.game.history[at:end])
                seen = observe(self.game, acting=False)
                noted.take(ReplayStep(step.number, step.hand, move, events, seen, dealt), self.game, PERMITTED)
            at = end
        return True

    def _due(self, action: Action, readings: Sequence[Action], *, last: bool) -> bool:
        """Whether it is the next event: the move in its first permitted reading, or the next implicit action."""
        game = self.game
        if last:
            return next((one for one in readings if game.permits(one)), None) == action
        if action.actor == CHANCE and drawn_by(game) is not None:
            return True
        legal = game.legal_actions()
        if not set(readings).isdisjoint(legal):
            return False
        if action.actor == CHANCE or any(one.actor == CHANCE for one in legal):
            return action.actor == CHANCE
        return tacit_action(game) == action

    def _ends(self, there: Mapping[int, int], noted: Noted) -> bool:
        """Whether it ends as before: with the log, or with a refused move."""
        if self.first.complete:
            return True
        ending = self.first.moments[-1]
        if ending.verdict != UNKNOWN_WORD:
            game, replay = self.game, self.replay
            if any(action.actor == CHANCE for action in game.legal_actions()):
                return False
            readings = replay.readings[replay.hand][replay.at]
            if any(self._exchanged(one, there) != one for one in readings):
                return False
            if replay.status_of(readings) != ending.verdict:
                return False
        if ending.verdict == FORBIDDEN:
            return self.umpires is not None and self._by_an_umpire(self.umpires, there, noted)
        noted.moments.append(replace(ending, seen=noted.seen))
        return True

    def _by_an_umpire(self, step: ReplayStep, there: Mapping[int, int], noted: Noted) -> bool:
        """The umpire's result of the forbidden move, in the same game; then undone."""
        game, before = self.game, len(self.game.history)
        game.mode = UMPIRE
        try:
            for event in step.events:
                if game.push(self._exchanged(event.action, there)).status != event.status:
                    return False
            events = tuple(game.history[before:])
            seen = observe(game, acting=False)
            noted.take(replace(step, events=events, observed=seen), game, FORBIDDEN, self.first.moments[-1].refused)
        finally:
            self._back_to(before)
            game.mode = STRICT
        return True


def _alike(one: Sequence[Action], other: Sequence[Action]) -> int:
    """The length of the common prefix of actions."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (first, second) in enumerate(pairs) if first != second), min(len(one), len(other)))
