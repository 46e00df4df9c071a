"""Does what a seat may do, or what all observe, depend on what the seat cannot know?

Two cards that a seat has seen nowhere since they were dealt are exchanged in all that has happened since then: the
deal, and whatever others did with them. Where the game can be played so, and everything that the seat sees is the same
at each step, it cannot tell the two games apart. If it may do one thing in the one and not in the other, the list of
what it may do tells it something hidden; so does an observation that is another. Of others who may speak
meanwhile that is no fault: who may call a flor has one, and the list is the judge's.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from truco_spec.engine.action import Action
from truco_spec.engine.explain import as_it_stands
from truco_spec.engine.game import Event, Game, IllegalAction
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import MAY_SPEAK, observe
from truco_spec.engine.support import PlayError
from truco_spec.engine.view import cards_seen, sees
from truco_spec.graph.checks.sight import PERMITTING
from truco_spec.graph.model import OBSERVED, Graph


@dataclass(frozen=True, slots=True)
class Leak:
    """What is so only if a hidden card is where it is: what it is, the rules about it, and the two cards."""

    seat: int
    what: str
    rules: frozenset[str]
    cards: tuple[str, str]

    def text(self) -> str:
        """The leak in words."""
        return f"{self.what} depends on cards that P{self.seat} does not see ({self.cards[0]}, {self.cards[1]})"


def leak(game: Game, rng: random.Random) -> Leak | None:
    """Exchange two cards that one of those who may act cannot tell, and compare. None where nothing changes."""
    seats = sorted({action.actor for action in game.legal_actions() if action.actor >= 0})
    if not seats:
        return None
    seat = rng.choice(seats)
    other = as_it_stands(game)
    since, seen, glances = _taken_back(other, seat)
    hidden = [i for i, card in enumerate(game.graph.cards) if card.present and card.name not in seen]
    if len(hidden) < 2:
        return None
    a, b = rng.sample(hidden, 2)
    if not _played_again(other, seat, since, glances, (a, b)):
        return None
    cards = (game.graph.cards[a].name, game.graph.cards[b].name)
    before, after = game.legal_actions(seat), other.legal_actions(seat)
    for action in [*before, *after]:
        if (action in before) != (action in after):
            return Leak(seat, f"whether {game.text(action)} is permitted", _speaking(game, action), cards)
    observed, again = observe(game), observe(other)
    for name, value in observed.items():
        if name != MAY_SPEAK and again[name] != value:
            return Leak(seat, f"the observation {name}", frozenset({OBSERVED + name}), cards)
    return None


Glance = tuple[object, ...]


def _taken_back(game: Game, seat: int) -> tuple[list[Event], set[str], list[Glance]]:
    """Take back all events since the cards were dealt.

    The events, the last one first; the cards that the seat has seen; and what it saw after each event, and before all.
    """
    since: list[Event] = []
    seen = cards_seen(game, seat)
    glances = [glance(game, seat)]
    while game.history and not _whole(game):
        since.append(game.history[-1])
        game.pop()
        seen |= cards_seen(game, seat)
        glances.append(glance(game, seat))
    return since, seen, glances


def _whole(game: Game) -> bool:
    """Do all cards lie in the pack?"""
    pack = game.layout.blocks[game.graph.pack].base if game.graph.pack else -1
    return pack >= 0 and game.position[pack].bit_count() == sum(card.present for card in game.graph.cards)


def _played_again(game: Game, seat: int, since: list[Event], glances: list[Glance], cards: tuple[int, int]) -> bool:
    """Play what was taken back with two cards exchanged; can it be done, with all the same for the seat?"""
    for event, glanced in zip(reversed(since), reversed(glances[:-1]), strict=True):
        try:
            again = game.push(_exchanged(game.graph, event.action, *cards))
        except (IllegalAction, PlayError):
            return False
        if again.status != event.status or glance(game, seat) != glanced:
            return False
    return True


def _exchanged(graph: Graph, action: Action, a: int, b: int) -> Action:
    """The action with two cards exchanged."""
    other = {a: b, b: a}
    params = graph.actions[action.verb].params if action.verb else ()
    if not any(param.type.base == "card" for param in params):
        return action
    pairs = zip(params, action.args, strict=True)
    args = tuple(other.get(value, value) if param.type.base == "card" else value for param, value in pairs)
    return action._replace(args=args)


def glance(game: Game, seat: int) -> Glance:
    """What a seat sees, and how many cards lie where it sees none: the view, as numbers."""
    found: list[object] = []
    for name, block in game.layout.blocks.items():
        place = block.datum.type.place
        for slot, index in enumerate(block.indices(), block.base):
            value = game.position[slot]
            if sees(game, seat, name, index):
                found.append(value)
            elif place:
                found.append(("hidden", value.bit_count() if place == "pile" else value != NONE))
    return tuple(found)


def _speaking(game: Game, action: Action) -> frozenset[str]:
    """The rules that can permit or forbid the action, where the game is."""
    here = (r for r in game.graph.rules.values() if not r.phases or game.phase in r.phases)
    return frozenset(r.name for r in here if r.shape in PERMITTING and any(v.action == action.verb for v in r.verbs))
