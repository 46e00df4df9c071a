"""Checks the beginning of a log against its graph (variant, options and initial data), and chooses the cards of deals
and draws.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.base.words import Sentence
from truco_spec.engine.compiled.program import VerbRules
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.layout import UNSET
from truco_spec.engine.position_text import PositionError
from truco_spec.engine.ruling import drawn_by
from truco_spec.engine.sample import random_action
from truco_spec.engine.text import described, value_of
from truco_spec.graph.model import CHANCE_NAME, HOW_MANY, MOST_GRAPHS, Graph, by_identity
from truco_spec.language.diagnostics import Diagnostic, Span, SpecError
from truco_spec.logs.in_words import with_suits
from truco_spec.logs.line import MOST_SHOWN, UNKNOWN, Log, LogError, Start
from truco_spec.logs.notation import Notation, hint_for, shown

NOT_WEIGHED = "“truco-spec dispute” weighs unknown cards of a deal or a move of a log, but none of a position."


def graph_of(log: Log, plain: Graph | None = None) -> Graph:
    """Return the graph that the log is played by. Raises :class:`LogError` for an unknown variant, option or value.

    ``plain`` is the variant's graph with its default options, if it is not a shipped one.
    """
    from truco_spec.base.project import playable_names
    from truco_spec.graph.load import load

    known = playable_names()
    if plain is None and log.variant not in known:
        message = Sentence("There is no variant “{name}”.", name=shown(log.variant))
        raise log.mistake("variant", message, "variant", hint_for(log.variant, known))
    base = load(log.variant) if plain is None else plain
    options = options_of(log, base)
    if plain is not None or not options:
        graph = base
    else:
        try:
            graph = load(log.variant, **options)
        except SpecError as error:
            raise LogError([_at(log, d) for d in error.diagnostics], log.text) from error
    if graph.seats != len(log.players):
        form = "{game} is played by {number} players here, and the log names {players}."
        message = Sentence(form, game=log.variant, number=graph.seats, players=len(log.players))
        raise log.mistake("players", message, "players")
    return graph


def options_of(log: Log, graph: Graph) -> dict[str, str]:
    """Return the options that differ from the graph's, including the number of players. Raises :class:`LogError`."""
    wrong: list[Diagnostic] = []
    asked = dict(log.options)
    if HOW_MANY in graph.options and HOW_MANY not in asked:
        asked[HOW_MANY] = str(len(log.players))
    for name, value in asked.items():
        place = log.place(f"options.{name}" if name in log.options else "players")
        if name not in graph.options:
            message = Sentence("{game} has no option “{name}”.", game=log.variant, name=shown(name))
            wrong.append(Diagnostic("error", "unknown-option", message, place, hint_for(name, graph.options)))
        elif value not in (*graph.options[name].values, *graph.options[name].ruled_out):
            message = Sentence("The option “{name}” has no value “{value}”.", name=name, value=shown(value))
            if name not in log.options:
                message = Sentence("{game} is not played by {number}.", game=log.variant, number=value)
            wrong.append(Diagnostic("error", "option", message, place, hint_for(value, graph.options[name].values)))
    if wrong:
        raise LogError(wrong, log.text)
    return {name: value for name, value in asked.items() if value != graph.options[name].value}


def start_of(log: Log, graph: Graph) -> tuple[dict[str, object], dict[str, dict[tuple[int, ...], int]]]:
    """Return the initial data in the log before the first hand, as a game takes them, and those of a hand in progress,
    by datum and index. Raises :class:`LogError`.
    """
    wrong: list[Diagnostic] = []
    made: dict[str, dict[tuple[int, ...], int]] = {}
    given = [(item.datum, item.index, item.value, item.span) for item in log.start]
    teams: dict[int, str] = {}
    for name, points in log.score.items():
        place = log.place(f"score.{name}")
        if name not in log.players:
            message = Sentence("The score names {name}, who does not play.", name=name)
            wrong.append(Diagnostic("error", "unknown-player", message, place, hint_for(name, log.players)))
            continue
        team = log.players.index(name) % graph.teams
        if team in teams:
            form = "{name} and {other} are partners: their team has one score."
            message = Sentence(form, name=name, other=teams[team])
            wrong.append(Diagnostic("error", "twice", message, place))
        teams[team] = name
        given.append(("score", (name,), str(points), place))
    for datum, index, value, place in given:
        fault, hint = _start_value(log, graph, datum, index, value, made)
        if fault:
            wrong.append(Diagnostic("error", "start", fault, place, hint))
    if wrong:
        raise LogError(sorted(wrong, key=Diagnostic.place), log.text)
    arranged = {datum: made.pop(datum) for datum in list(made) if graph.data[datum].fresh}
    return {datum: values.get((), values) for datum, values in made.items()}, arranged


def _start_value(
    log: Log,
    graph: Graph,
    datum: str,
    index: tuple[str, ...],
    value: str,
    made: dict[str, dict[tuple[int, ...], int]],
) -> tuple[str, str]:
    """Record one initial value; return an error and a hint, or two empty texts."""
    given = [name for name, d in graph.data.items() if not d.type.place and not d.type.many]
    if datum not in given:
        message = Sentence("A log of {game} cannot begin with “{name}”.", game=log.variant, name=shown(datum))
        return message, hint_for(datum, given)
    found = graph.data[datum]
    if len(index) != len(found.params):
        wanted = tuple(described(graph, param.type) for param in found.params)
        form = "“{datum}” is given for {wanted}." if wanted else "“{datum}” has no index."
        return Sentence(form, datum=datum, wanted=wanted), ""
    where: list[int] = []
    for param, word in zip(found.params, index, strict=True):
        number = value_of(graph, param.type, word, log.players)
        if number is None:
            form = "“{datum}” is not given for “{word}”, but for {wanted}."
            return Sentence(form, datum=datum, word=shown(word), wanted=described(graph, param.type)), ""
        where.append(number)
    number = value_of(graph, found.type, value, log.players)
    if number is None:
        form = "“{datum}” cannot be “{value}”: it is {wanted}."
        return Sentence(form, datum=datum, value=shown(value), wanted=described(graph, found.type)), ""
    made.setdefault(datum, {})[tuple(where)] = number
    return "", ""


def start_fault(log: Log, graph: Graph, item: Start) -> str:
    """Return why a game of these rules cannot begin in this state; empty if it can."""
    return _start_value(log, graph, item.datum, item.index, item.value, {})[0]


def no_position(log: Log, error: PositionError) -> LogError:
    """Return the error (for the caller to raise) for a log with an invalid position, at the place of the wrong word."""
    code = "unknown-card" if error.is_unknown else "position"
    hint = Sentence(NOT_WEIGHED) if error.is_unknown else error.hint or hint_for(error.word, error.known)
    return log.mistake(code, error.message, f"position.{error.token}", hint)


def _at(log: Log, found: Diagnostic) -> Diagnostic:
    """Map the linker's error about options to the options' place in the log."""
    return Diagnostic(found.severity, found.code, found.message, log.place("options"), found.hint)


# ---- The cards of chance actions, chosen so that every player gets the cards in the log -------------
#
# Order of choice: the cards the log gives; the cards that a player is yet to play; then cards that the log does not
# mention, from the end of the deck.

NOT_KNOWN = "Only “truco-spec dispute” weighs what an unknown card may have been."

FAR = 200
"""Maximum moves that a deal looks ahead: more than any hand has."""

DEALER = "dealer"
"""The datum for the dealer, as the key of a log for the dealer."""

_TRIES = 40
"""Maximum attempts to draw lots that fall on the dealer of the log."""

Named = tuple[int, tuple[int, ...]]
Mark = tuple[dict[str, tuple[int, ...]], dict[str, int], int, bool]


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a chance action's card: a datum with its index; ``moved`` if the card itself goes there."""

    datum: str
    index: tuple[int, ...]
    moved: bool


class Draws(Mapping[int, Action]):
    """A lazy mapping from each card that chance may draw now to its draw."""

    def __init__(self, game: Game, rules: VerbRules) -> None:
        self.game, self.rules = game, rules
        self.number = game.program.numbers[rules.verb]
        self.count = len(game.graph.cards) if len(game.graph.actions[rules.verb].params) == 1 else 0
        self.found = -1

    def __contains__(self, card: object) -> bool:
        if isinstance(card, int) and 0 <= card < self.count and self.game.draws(self.rules, self._draw(card)):
            self.found = card
            return True
        return False

    def __getitem__(self, card: int) -> Action:
        if card != self.found and card not in self:  # mostly it was just asked
            raise KeyError(card)
        return self._draw(card)

    def _draw(self, card: int) -> Action:
        return self.game.program.actions[(self.number, CHANCE, card)]

    def __iter__(self) -> Iterator[int]:
        return (card for card in range(self.count) if card in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Dealer:
    """Chooses the chance actions of a log, hand by hand.

    ``taken`` counts the cards that have come, per key of the hand's deal. ``dealt`` are all cards dealt, with the
    player or place; from ``begin`` on those of this hand.
    ``otherwise``: by the order of the pack some came to another than the deal gives them to.
    Raises :class:`LogError` with every key and card of the deals that is not known.
    """

    def __init__(self, log: Log, game: Game, notation: Notation) -> None:
        _check(log, game.graph, notation)
        self.log, self.game, self.notation = log, game, notation
        self.hand = -1
        self.wanted: dict[str, tuple[int, ...]] = {}
        self.taken: dict[str, int] = {}
        self.named: list[Named] = []
        self.asked: list[Named] = []
        self._named: dict[int, set[int]] = {}
        self.verbs = chance_verbs(game.graph)
        self.first_dealer = notation.seats.get(log.dealer)
        self.dealt: list[tuple[str, str]] = []
        self.begin = 0
        self.otherwise = False
        self._awaited = self.first_dealer is not None and DEALER in game.layout.blocks
        self._slots = {name for name, datum in game.graph.data.items() if datum.type.place == "slot"}

    def open_hand(self, hand: int, named: Sequence[Named], asked: Sequence[Named]) -> None:
        """Begin a hand with its deal.

        ``named`` are its moves: the seat, and the cards that the move names; ``asked`` are moves that are only queried.
        """
        self.hand, self.begin = hand, len(self.dealt)
        cards = self.notation.cards
        self.wanted = {key: tuple(cards[c] for c in given) for key, given in self.log.hands[hand].deal.items()}
        self.taken = {}
        self.named, self.asked, self._named = list(named), list(asked), {}

    def draw(self, played: int) -> Action | None:
        """Return the draw that the log wants, if only chance can act now and it draws a card; else None.

        As :meth:`choose`, without enumerating the possible cards.
        """
        rules = drawn_by(self.game)
        if rules is None or rules.verb not in self.verbs:
            return None
        draws = Draws(self.game, rules)
        sample = next(iter(draws), None)
        where = None if sample is None else self._destination(draws[sample])
        return None if where is None else self._dealt(rules.verb, where, draws, played)

    def choose(self, chance: Sequence[Action], played: int) -> Action:
        """Return which of the permitted chance actions the log wants; ``played`` moves of the hand are done."""
        for verb in dict.fromkeys(action.verb for action in chance):
            sample = next(action for action in chance if action.verb == verb)
            where = self._destination(sample)
            if where is not None:
                place = card_of(self.game, verb)
                by_card = {action.args[place]: action for action in chance if action.verb == verb}
                return self._dealt(verb, where, by_card, played)
        return self._fact(chance)

    def check_dealer(self) -> None:
        """Check that the log's dealer deals first. Raises :class:`LogError` if the lots in the log fall on another."""
        if not self._awaited or self.game.value(DEALER) == UNSET:
            return
        self._awaited = False
        deals = self.game.value(DEALER)
        if deals != self.first_dealer:
            form = "{dealer} deals, says the log, and the lots that it gives fall on {player}."
            message = Sentence(form, dealer=self.log.dealer, player=self.log.players[deals])
            hint = Sentence("Leave out the lots, or the dealer.")
            raise self.log.mistake("dealer", message, self.log.place("dealer"), hint)

    def pack_is_whole(self) -> bool:
        """Return whether all cards are in the pack, so that chance now begins a deal."""
        present = (number for number, card in enumerate(self.game.graph.cards) if card.present)
        return all((self._lies_in(number) or ("",))[0] == self.game.graph.pack for number in present)

    def mark(self) -> Mark:
        """Return a snapshot for :meth:`go_back`."""
        return dict(self.wanted), dict(self.taken), len(self.dealt), self._awaited

    def go_back(self, mark: Mark) -> None:
        """Restore a snapshot."""
        wanted, taken, _, self._awaited = mark
        self.wanted, self.taken = wanted.copy(), taken.copy()
        del self.dealt[mark[2] :]

    def branch(self, game: Game) -> Dealer:
        """Return the same for another game in the same position."""
        found = Dealer.__new__(Dealer)
        vars(found).update(vars(self), game=game, dealt=self.dealt.copy())
        found.wanted, found.taken = self.wanted.copy(), self.taken.copy()
        return found

    def left_over(self) -> dict[str, tuple[int, ...]]:
        """Return the cards of the log that never came, by key, of keys with some that did."""
        return {
            key: cards[self.taken[key] :]
            for key, cards in self.wanted.items()
            if 0 < self.taken.get(key, 0) < len(cards)
        }

    def never_came(self) -> dict[str, tuple[int, ...]]:
        """Return the cards under keys of the log that were never used."""
        return {key: cards for key, cards in self.wanted.items() if cards and not self.taken.get(key)}

    def all_given(self, seat: int) -> bool:
        """Whether the log gives each card dealt to a player in this hand, or lying open beside the players."""
        players, cards = self.log.players, self.game.graph.cards
        given = {cards[card].name for some in self.wanted.values() for card in some}
        given |= {cards[card].name for _, some in self.named for card in some}
        return all(
            name in given for who, name in self.dealt[self.begin :] if who == players[seat] or who not in players
        )

    # ---- inside ------------------------------------------------------------------------------

    def _destination(self, action: Action) -> Destination | None:
        """Return where the card named by this action would go."""
        named = self.notation.cards_of(action)
        for kind, datum, index, value in self.game.effects_of(action):
            if value in named and (kind == "move" or self.game.graph.data[datum].type.base == "card"):
                return Destination(datum, index, kind == "move")
        return None

    def _dealt(self, verb: str, where: Destination, by_card: Mapping[int, Action], played: int) -> Action:
        owner = self._owner(where)
        card = self._drawn(verb, where, owner, by_card, played)
        self.dealt.append((owner or where.datum, self.game.graph.cards[card].name))
        return by_card[card]

    def _drawn(self, verb: str, where: Destination, owner: str, by_card: Mapping[int, Action], played: int) -> int:
        lots = self._awaited and self.game.value(DEALER) == UNSET
        # Where cards of the pack's order also come to somebody, it is that of the deal after the lots.
        for key in (where.datum, owner) if lots and self._is_of_the_deal(verb) else (verb, where.datum, owner):
            card = self._next(key, where, by_card) if key in self.wanted else None
            if card is not None:
                self.otherwise |= any(card not in self.wanted.get(k, (card,)) for k in (where.datum, owner))
                return card
        if lots and (lot := self._lot(verb)) is not None:
            return lot
        if owner:
            seat = self.notation.seats[owner]
            for who, cards in self._ahead(played):
                wanted = [card for card in cards if who == seat and card in by_card and not self._promised(card, owner)]
                if wanted:
                    return wanted[0]
        mentioned = self._mentioned(played)
        last = range(len(self.game.graph.cards) - 1, -1, -1)
        free = next((card for card in last if card not in mentioned and card in by_card), None)
        return max(by_card) if free is None else free

    def _is_of_the_deal(self, verb: str) -> bool:
        """Whether the cards of a verb are given by the log to players and places."""
        others = {card for key, cards in self.wanted.items() if key not in self.verbs for card in cards}
        return not others.isdisjoint(self.wanted.get(verb, ()))

    def _lot(self, verb: str) -> int | None:
        """Return the next card of the shortest lots that fall on the log's dealer; None if no attempt finds any."""
        shortest: list[Action] = []
        for seed in range(_TRIES):
            lots = self._lots(random.Random(seed), len(shortest) - 1 if shortest else FAR)  # noqa: S311  (of cards)
            shortest = lots or shortest
        action = shortest[0] if shortest else None
        return action.args[card_of(self.game, verb)] if action is not None and action.verb == verb else None

    def _lots(self, rng: random.Random, most: int) -> list[Action]:
        """Draw at most ``most`` lots at random until there is a dealer; return none if it is another than the log's."""
        drawn: list[Action] = []
        while len(drawn) < most and self.game.value(DEALER) == UNSET:
            action = random_action(self.game, rng)
            if action is None or action.actor != CHANCE:
                break
            self.game.push(action)
            drawn.append(action)
        deals = self.game.value(DEALER)
        for _ in drawn:
            self.game.pop()
        return drawn if deals == self.first_dealer else []

    def _owner(self, where: Destination) -> str:
        """Return the player who owns the destination, or ""."""
        params = self.game.graph.data[where.datum].params
        seats = [value for param, value in zip(params, where.index, strict=True) if param.type.base == "seat"]
        return self.notation.players[seats[0]] if where.moved and len(seats) == 1 else ""

    def _next(self, key: str, where: Destination, by_card: Mapping[int, Action]) -> int | None:
        """Return the next card of a key that is not dealt yet; None if all are."""
        cards = self.wanted[key]
        while (at := self.taken.get(key, 0)) < len(cards):
            card = cards[at]
            if card in by_card:
                self.taken[key] = at + 1
                self._elsewhere(card, key)
                return card
            if len(by_card) == 1:
                # Only one card can come: its place in the pack is known.
                (only,) = by_card
                if only in cards[at:]:
                    self._count(key, only)
                return only
            if self._lies_in(card) == (where.datum, where.index):
                self.taken[key] = at + 1
                continue
            raise self._unavailable(key, card)
        self._turned_up(key, where)
        return None

    def _turned_up(self, key: str, where: Destination) -> None:
        """Return whether a player with all cards of the log is dealt another, because each of them came to the player.

        They may be uncounted if they lie in a place for one card and did not move on.
        """
        if key != self._owner(where):
            return
        came = {name for who, name in self.dealt[self.begin :] if who == key}
        for card in self.wanted[key]:
            lies = self._lies_in(card)
            turned = lies is not None and lies[0] in self._slots and lies != (where.datum, where.index)
            if turned and self.game.graph.cards[card].name not in came:
                raise self._unavailable(key, card)

    def _elsewhere(self, card: int, key: str) -> None:
        """Mark a card that came by one key as used under the other keys that mean the same card.

        A chance action gives the order of the pack, other keys where its cards end up; and a card in a place for one
        card may move on to a player.
        """
        players = self.log.players
        for other, cards in self.wanted.items():
            same = other in self.verbs or key in self.verbs or (key not in players and other in players)
            due = other != key and same and card in cards[self.taken.get(other, 0) :]
            if due and (other not in self.verbs or self._could_bring(other, card)):
                self._count(other, card)

    def _could_bring(self, verb: str, card: int) -> bool:
        """Return whether this chance action could bring the card from its place."""
        return self.game.rule_on(Action(CHANCE, verb, (card,))).status != "impossible"

    def _count(self, key: str, card: int) -> None:
        """Count a card, which may come before others of its key."""
        at, cards = self.taken.get(key, 0), self.wanted[key]
        self.wanted[key] = (*cards[:at], card, *(c for c in cards[at:] if c != card))
        self.taken[key] = at + 1

    def _lies_in(self, card: int) -> tuple[str, tuple[int, ...]] | None:
        layout = self.game.layout
        return layout.place_of.get(self.game.position[layout.cards_at + card])

    def _unavailable(self, key: str, card: int) -> LogError:
        name = self.game.graph.cards[card].name
        lies = self._lies_in(card)
        if lies is None or lies[0] == self.game.graph.pack:
            form = "The card {name} cannot come to {key} now: the rules let another card come."
            message = Sentence(form, name=name, key=key)
            return self.log.mistake("deal", message, self.span(key))
        params = self.game.graph.data[lies[0]].params
        index = ", ".join(self.notation.value(p.type, value) for p, value in zip(params, lies[1], strict=True))
        place = f"{lies[0]}({index})" if index else lies[0]
        form = "The card {name} is there twice: {key} should get it, and it lies in {place} already."
        message = Sentence(form, name=name, key=key, place=place)
        hint = Sentence("Give one of the two another card, or leave it out.")
        return self.log.mistake("twice", message, self.span(key), hint)

    def span(self, key: str) -> Span:
        """Return the place where the log gives the cards of a key."""
        return self.log.place(f"hands.{self.hand}.deal.{key}")

    def _promised(self, card: int, owner: str) -> bool:
        """Return whether the log still gives this card to somebody else."""
        return any(card in cards[self.taken.get(key, 0) :] for key, cards in self.wanted.items() if key != owner)

    def _ahead(self, played: int) -> Iterable[Named]:
        """Return which cards each seat will name, within the look-ahead; then the moves only queried."""
        return itertools.chain(self.named[played : played + FAR], self.asked)

    def _mentioned(self, played: int) -> set[int]:
        if played not in self._named:
            self._named[played] = set[int]().union(*(cards for _, cards in self._ahead(played)))
        return self._named[played].union(*[cards[self.taken.get(key, 0) :] for key, cards in self.wanted.items()])

    def _fact(self, chance: Sequence[Action]) -> Action:
        """Choose a chance action without a card: the outcome in the log, else the first permitted."""
        if self.first_dealer is not None:
            for action in chance:
                if ("set", DEALER, (), self.first_dealer) in self.game.effects_of(action):
                    return action
        return chance[0]


def card_of(game: Game, verb: str) -> int:
    """Return which argument of the action is the card."""
    params = game.graph.actions[verb].params
    return next(at for at, param in enumerate(params) if param.type.base == "card")


@by_identity(MOST_GRAPHS)
def chance_verbs(graph: Graph) -> list[str]:
    """Return the chance actions that bring a card; memoised."""
    verbs = [verb.action for rule in graph.rules.values() if rule.outsider == CHANCE_NAME for verb in rule.verbs]
    return [v for v in dict.fromkeys(verbs) if any(p.type.base == "card" for p in graph.actions[v].params)]


@by_identity(MOST_GRAPHS)
def deal_keys(graph: Graph) -> list[str]:
    """Return the keys of a deal besides players: the chance actions that bring a card, and the places for one card;
    memoised.
    """
    places = [n for n, d in graph.data.items() if d.type.place == "slot" or (d.type.base == "card" and not d.type.many)]
    return [*chance_verbs(graph), *places]


def _check(log: Log, graph: Graph, notation: Notation) -> None:
    """Check that all keys and cards of the deals are known. Raises :class:`LogError` with every one that is not."""
    wrong: list[Diagnostic] = []
    keys = [*log.players, *deal_keys(graph)]
    in_pack = [card.name for card in graph.cards if card.present]
    for at, hand in enumerate(log.hands):
        if len(wrong) > MOST_SHOWN:
            break
        for key, cards in hand.deal.items():
            place = log.place(f"hands.{at}.deal.{key}")
            if key not in keys:
                message = Sentence("“{name}” is no player and no place for a card.", name=shown(key))
                wrong.append(Diagnostic("error", "unknown-key", message, place, hint_for(key, keys)))
            for card in cards:
                if card == UNKNOWN:
                    message = Sentence("Which card this is has to be known here.")
                    wrong.append(Diagnostic("error", "unknown-card", message, place, Sentence(NOT_KNOWN)))
                elif card not in notation.cards:
                    message = Sentence("There is no card “{card}”.", card=shown(card))
                    hint = with_suits(hint_for(card, in_pack), card, graph)
                    wrong.append(Diagnostic("error", "unknown-card", message, place, hint))
                elif not graph.cards[notation.cards[card]].present:
                    message = Sentence("The card {card} is not in the pack under these options.", card=card)
                    wrong.append(Diagnostic("error", "unknown-card", message, place))
    if wrong:
        raise LogError(wrong, log.text)


__all__ = ["CHANCE", "Dealer", "chance_verbs"]
