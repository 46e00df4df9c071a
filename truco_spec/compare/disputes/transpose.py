"""Transposes a log from one game to another: its cards in the other pack, without what has no place there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.shapes import read
from truco_spec.compare.disputes.agreement import NotPlayed, Rules
from truco_spec.engine.game import Action, Game
from truco_spec.graph.model import Graph, Param, Rule, Verb
from truco_spec.logs.model import UNKNOWN, Hand, Log, LoggedMove, Start, frozen
from truco_spec.logs.notation import Notation, NotationError, notation_of, shown
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import deal_keys, start_fault

MOST_BETWEEN = 200
"""Maximum implicit actions before one move: more than any deal has; inconclusive lots go on for ever."""


@dataclass(frozen=True, slots=True)
class Put:
    """A log transposed to some rules.

    ``said`` maps moves (from 0) to other words there; ``notes`` are the changes made to the log.
    """

    log: Log
    said: Mapping[int, tuple[Action, ...]]
    notes: tuple[str, ...]

    def replay(self, rules: Rules, make: type[Game] = Game, *, acting: bool = True) -> Replay:
        """A replay before its first move. Raises :class:`LogError`."""
        replay = Replay(
            self.log, rules.graph, make=make, begin=rules.begin, tolerant=True, most_between=MOST_BETWEEN, acting=acting
        )
        places = [(hand, at) for hand, moves in enumerate(replay.readings) for at in range(len(moves))]
        for number, actions in self.said.items():
            hand, at = places[number]
            replay.readings[hand][at] = list(actions)
            replay.unread.pop(number, None)
        return replay


def put(log: Log, home: Graph, rules: Rules) -> Put:
    """Transpose a log, written for the graph ``home``, to rules. Raises :class:`NotPlayed` if that is impossible."""
    graph, notes = rules.graph, list[str]()
    cards = cards_between(home, graph)
    one, other = pack_of(home), pack_of(graph)
    if one is not None and other is not None and one.name != other.name:
        notes.append(f"played with the {other.name} pack: {_likes(log, cards)}" if _likes(log, cards) else "")
    names = {card.name for card in home.cards}
    hands = [_hand(hand, log.players, graph, cards, names, notes) for hand in log.hands]
    starts = tuple(item for item in log.start if _begins(log, graph, item, notes))
    for name, points in log.score.items():
        if fault := start_fault(log, graph, Start("score", (name,), str(points))):
            raise NotPlayed(fault.rstrip("."))
    agreement = rules.agreement
    put_log = replace(log, variant=agreement.variant, options=agreement.options, start=starts, hands=tuple(hands))
    return Put(put_log, frozen(_otherwise(log, home, put_log, graph)), tuple(dict.fromkeys(filter(None, notes))))


def put_again(here: Put, one: Rules, other: Rules) -> Put:
    """Transpose a log from some rules to others of the same variant. Raises :class:`NotPlayed`."""
    if one.graph is other.graph:
        return here
    there = put(here.log, one.graph, other)
    said = {
        number: tuple(_of_other(action, one.graph, other.graph) for action in ways)
        for number, ways in here.said.items()
    }
    return replace(there, said=frozen(said))


def _of_other(action: Action, one: Graph, other: Graph) -> Action:
    """The action with the other graph's numbers for its cards."""
    numbers = {card.name: number for number, card in enumerate(other.cards)}
    params = one.actions[action.verb].params
    pairs = zip(params, action.args, strict=True)
    args = [
        numbers[one.cards[value].name] if param.type.base == "card" and value >= 0 else value for param, value in pairs
    ]
    return action._replace(args=tuple(args))


def _otherwise(log: Log, home: Graph, there: Log, graph: Graph) -> dict[int, tuple[Action, ...]]:
    """The moves whose words the rules do not know, with their equivalents."""
    if home.name == graph.name:
        return {}
    mine, yours = notation_of(home, log.players), notation_of(graph, log.players)
    moves = zip(moves_of(log), moves_of(there), strict=True)
    found: dict[int, tuple[Action, ...]] = {}
    for number, (here, put_move) in enumerate(moves):
        if UNKNOWN in here.words or _readings(yours, put_move):
            continue
        if actions := counterparts(home, _readings(mine, here), graph):
            found[number] = tuple(actions)
    return found


def _readings(notation: Notation, move: LoggedMove) -> list[Action]:
    try:
        return notation.readings(move.text)
    except NotationError:
        return []


def moves_of(log: Log) -> list[LoggedMove]:
    """All moves of a log, hand after hand."""
    return [move for hand in log.hands for move in hand.moves]


def _begins(log: Log, graph: Graph, item: Start, notes: list[str]) -> bool:
    fault = start_fault(log, graph, item)
    if fault:
        notes.append(f"“{shown(item.datum)}” is nothing that it begins with, and is left out")
    return not fault


def _hand(
    hand: Hand,
    players: tuple[str, ...],
    graph: Graph,
    cards: Mapping[str, str],
    home_cards: set[str],
    notes: list[str],
) -> Hand:
    deal: dict[str, tuple[str, ...]] = {}
    present = {card.name for card in graph.cards if card.present}
    keys = deal_keys(graph)
    for key, given in hand.deal.items():
        if key not in players and key not in keys:
            notes.append(f"“{shown(key)}” has no place there, and is left out")
            continue
        for card in given:
            if card != UNKNOWN and cards.get(card) not in present:
                raise NotPlayed(f"the card {shown(card)} is not in its pack")
        deal[key] = tuple(cards.get(card, card) for card in given)
    for move in hand.moves:
        for word in move.words.split():
            if (named := word.strip("()")) in home_cards and cards.get(named) not in present:
                raise NotPlayed(f"the card {shown(named)} is not in its pack")
    return replace(hand, deal=frozen(deal), moves=tuple(_move(move, cards) for move in hand.moves))


def _move(move: LoggedMove, cards: Mapping[str, str]) -> LoggedMove:
    words = move.text.split(" ")
    return replace(move, text=" ".join([words[0], *(_word(word, cards) for word in words[1:])]))


def _word(word: str, cards: Mapping[str, str]) -> str:
    bare = word.strip("()")
    return word.replace(bare, cards.get(bare, bare), 1) if bare else word


def in_other_cards(text: str, home: Graph, graph: Graph) -> str:
    """A move, written for one game, with the cards of another."""
    return _move(LoggedMove(text), cards_between(home, graph)).text


def _likes(log: Log, cards: Mapping[str, str]) -> str:
    """The cards of the log with another name in the other pack."""
    named = [card for hand in log.hands for given in hand.deal.values() for card in given]
    named += [word.strip("()") for hand in log.hands for move in hand.moves for word in move.words.split()]
    changed = {card: cards[card] for card in named if card in cards and cards[card] != card}
    return ", ".join(f"{there} for {here}" for here, there in changed.items())


# --------------------------------------------------------------------------------------------------
# Equivalent words of two games: what the rules of the same names let a player say.


def counterparts(one: Graph, readings: Iterable[Action], other: Graph) -> list[Action]:
    """The equivalents of a move of one game in the other, in spec order; empty if there are none."""
    found: dict[Action, None] = {}
    for action in readings:
        params = one.actions[action.verb].params
        for rule in one.rules.values():
            there = other.rules.get(rule.name)
            if there is None or not _offers(there) or not _offers(rule):
                continue
            if any(verb.action == action.verb for verb in rule.verbs):
                ways = [made for verb in there.verbs if (made := _made(one, params, action, other, verb)) is not None]
                found |= dict.fromkeys(ways if len(ways) == 1 else ())
    return list(found)


def _offers(rule: Rule) -> bool:
    return rule.shape == "may" and not rule.chance


def _made(one: Graph, params: tuple[Param, ...], action: Action, other: Graph, verb: Verb) -> Action | None:
    """The action with this verb and the same arguments, or None."""
    wanted = other.actions[verb.action].params
    if len(wanted) != len(params) or len(verb.args) != len(action.args):
        return None
    values: list[int] = []
    for given, value, mine, yours in zip(verb.args, action.args, params, wanted, strict=True):
        found = given if isinstance(given, int) else _value(one, mine, value, other, yours)
        if found is None:
            return None
        values.append(found)
    return Action(action.actor, verb.action, tuple(values))


def _value(one: Graph, mine: Param, value: int, other: Graph, yours: Param) -> int | None:
    """The value at the same position: of an order of the same name, or a number, seat or team."""
    kind, there = mine.type, yours.type
    if kind.base != there.base or kind.many or there.many:
        return None
    if kind.base in ("number", "seat", "team") or (kind.base == "order" and kind.name == there.name):
        return value if there.low <= value <= there.high else None
    return other.value_of(there, one.text_of(kind, value))


# --------------------------------------------------------------------------------------------------
# Equivalent cards of two packs, defined in ``spec/packs.yaml``.


@dataclass(frozen=True, slots=True)
class LogPack:
    """A pack of cards, as logs write them."""

    name: Annotated[str, "How it is called."]
    suits: Annotated[tuple[str, ...], "Its suits; those of another pack in the same place are alike."]
    ranks: Annotated[tuple[str, ...], "Its ranks; those of another pack in the same place are alike."]


@dataclass(frozen=True, slots=True)
class PacksFile:
    """The file of packs."""

    packs: Annotated[Literal[1], "The version of this format: 1."]
    licence: Annotated[str, "The licence of this file."]
    alike: Annotated[tuple[LogPack, ...], "Packs whose cards stand for each other."]


@lru_cache(maxsize=1)
def _known() -> tuple[LogPack, ...]:
    found: PacksFile = read(safe_yaml.load_file(shipped.folder("spec") / "packs.yaml").data, PacksFile)
    return found.alike


def pack_of(graph: Graph) -> LogPack | None:
    """The pack of a game, by its suits; None for an unknown one."""
    suits = set(graph.orders.get(graph.suits, ()))
    return next((pack for pack in _known() if set(pack.suits) == suits), None)


def cards_between(one: Graph, other: Graph) -> Mapping[str, str]:
    """Map the cards of one game to the equivalent cards of the other. Cards without an equivalent are omitted."""
    first, second = pack_of(one), pack_of(other)
    there = {card.name for card in other.cards}
    if first is None or second is None or first.name == second.name:
        return {card.name: card.name for card in one.cards if card.name in there}
    ranks = dict(zip(first.ranks, second.ranks, strict=False))
    suits = dict(zip(first.suits, second.suits, strict=False))
    named = {r + s: ranks[r] + suits[s] for r in ranks for s in suits}
    return {card.name: named[card.name] for card in one.cards if named.get(card.name) in there}
