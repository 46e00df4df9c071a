"""Agreements that a table may have made, and a log transposed to the rules of one.

All agreements of one variant are played by one graph, whose options are open (:mod:`truco_spec.graph.load`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError, why_no_file
from truco_spec.base.project import by_variant, playable_names
from truco_spec.base.shapes import read
from truco_spec.base.shipped import is_file
from truco_spec.base.words import Sentence, hinted, say, translated
from truco_spec.engine.game import Action, Game, program_of
from truco_spec.engine.layout import begin_with
from truco_spec.engine.text import told
from truco_spec.graph.load import REFUSED, SETTLED, is_open, load_open
from truco_spec.graph.model import ASKED, HOW_MANY, Graph, Option, Param, Rule, Verb, by_identity
from truco_spec.graph.walk import data_read, exprs_of_define
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.line import UNKNOWN, Hand, Log, LoggedMove, Start, frozen
from truco_spec.logs.notation import Notation, NotationError, hint_for, notation_of, shown
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import deal_keys, start_fault

ALL = "all"
MOST = 60
"""Maximum agreements of one dispute."""


class AgreementError(TrucoError):
    """An unknown variant, option or value in the request."""


class NotPlayed(TrucoError):
    """The log cannot be played under these rules; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A variant, shipped or in a file, and the options that differ from its defaults."""

    variant: str
    options: Mapping[str, str] = field(default_factory=lambda: frozen({}))

    @property
    def name(self) -> str:
        """Its name in prose: ``mineiro (tie-lead last)``."""
        agreed = ", ".join(f"{name} {value}" for name, value in self.options.items())
        called = self.variant if self.variant in playable_names() else _called(self.variant)
        return f"{called} ({agreed})" if agreed else called

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        return self.variant, tuple(sorted(self.options.items()))

    def but(self, **changed: str) -> Agreement:
        """Return the same with other values of some options."""
        return replace(self, options=frozen({**self.options, **changed}))


@dataclass(frozen=True)
class Rules:
    """The rules of an agreement. ``graph`` plays them; ``begin`` are the open options with which a game begins.

    ``options`` are all values that are agreed otherwise than the graph has them, the number of players among them.
    """

    agreement: Agreement
    graph: Graph
    options: Mapping[str, str]
    begin: Mapping[str, int]

    @cached_property
    def shown(self) -> Graph:
        """The same graph with the agreed values, for sentences."""
        agreed = {name: self.option(name) for name in self.graph.options}
        return replace(self.graph, options=agreed)

    def option(self, name: str) -> Option:
        """An option with its value."""
        found = self.graph.options[name]
        if self.options.get(name, found.value) == found.value:
            return found
        return replace(found, value=self.options[name], set_by=ASKED)


def agreements_of(text: str, log_options: Mapping[str, str], home: str = "") -> tuple[Agreement, ...]:
    """Parse ``--variants``: variants separated by commas; ``all`` means all available ones, the log's own, ``home``,
    first.

    Each may be a ``.truco`` file, and may have options behind it: ``mineiro tie-lead=last, house.truco``.

    What the log says was agreed (``log_options``) holds wherever a variant has such an option with such a value, unless
    it is asked for otherwise. Raises :class:`AgreementError`, and :class:`SpecError` for a file that cannot be linked.
    """
    names = playable_names()
    found: dict[object, Agreement] = {}
    for part in text.split(","):
        words = part.split()
        if not words:
            raise AgreementError(hinted(Sentence("A variant is missing between two commas."), hint_for("", names)))
        for variant in sorted(names, key=lambda name: name != home) if words == [ALL] else words[:1]:
            _must_be(variant, names)
            options = {**_carried(variant, log_options), **_asked(variant, words[1:])}
            agreement = Agreement(variant, frozen(options))
            found.setdefault(agreement.key, agreement)
    if len(found) > MOST:
        form = "{count} agreements are more than the {most} that one dispute can compare."
        raise AgreementError(Sentence(form, count=len(found), most=MOST))
    return tuple(found.values())


def _must_be(variant: str, names: Sequence[str]) -> None:
    if is_file(variant):
        if wrong := why_no_file(variant):
            raise AgreementError(Sentence("{file}: {message}", file=shown(variant), message=wrong))
        load_open(variant)  # errors are reported at once, with their place
    elif variant not in names:
        wrong = Sentence("There is no variant “{name}”.", name=shown(variant))
        raise AgreementError(hinted(wrong, hint_for(variant, names)))


def _called(file: str) -> str:
    """Return the name of the variant in a file; with the file, if another variant has that name."""
    name = load_open(file).name
    return f"{name} ({shown(file)})" if name in playable_names() else name


def _asked(variant: str, words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    options = load_open(variant).options if words else {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            form = "“{word}” behind {variant} is not option=value."
            raise AgreementError(Sentence(form, word=shown(word), variant=variant))
        if name not in options:
            wrong = Sentence("{game} has no option “{name}”.", game=variant, name=shown(name))
            raise AgreementError(hinted(wrong, hint_for(name, options)))
        if value not in (*options[name].values, *options[name].ruled_out):
            form = "The option “{name}” of {variant} has no value “{value}”."
            wrong = Sentence(form, name=name, variant=variant, value=shown(value))
            raise AgreementError(hinted(wrong, hint_for(value, options[name].values)))
        found[name] = value
    return found


def _carried(variant: str, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a log that this variant has too, with that value, if they change anything."""
    options = load_open(variant).options if given else {}
    return {
        name: value
        for name, value in given.items()
        if name in options and value in options[name].values and value != options[name].value
    }


@by_variant(4096)
def _rules(variant: str, agreed: tuple[tuple[str, str], ...], players: int) -> Rules:
    options = dict(agreed)
    try:
        plain = load_open(variant)
        if HOW_MANY in plain.options:
            numbers = plain.options[HOW_MANY].values
            if str(players) not in numbers:
                raise NotPlayed(_other_number(numbers, players))
            options.setdefault(HOW_MANY, str(players))
        if refusal := _refusal(plain, options):
            raise NotPlayed(refusal)
        settled = {n: v for n, v in options.items() if not is_open(plain, n) and v != plain.options[n].value}
        graph = load_open(variant, settled) if settled else plain
    except SpecError as error:
        fault = translated(error.diagnostics[0].message).rstrip(".")
        raise NotPlayed(say("its rules cannot be linked so: {fault}", fault=fault)) from None
    if graph.seats != players:
        raise NotPlayed(_other_number((str(graph.seats),), players))
    begin = {name: _number(graph, name, value) for name, value in options.items() if is_open(graph, name)}
    return Rules(Agreement(variant, frozen(dict(agreed))), graph, frozen(options), frozen(begin))


def _other_number(numbers: Iterable[str], players: int) -> str:
    form = "it is played by {numbers} players, and the log names {players}"
    return say(form, numbers=f" {say('or')} ".join(numbers), players=players)


def _number(graph: Graph, datum: str, value: str) -> int:
    number = graph.value_of(graph.data[datum].type, value)
    if number is None:
        raise NotPlayed(say("its option {name} has no value {value}", name=datum.removeprefix(SETTLED), value=value))
    return number


def _refusal(graph: Graph, options: Mapping[str, str]) -> str:
    """Why these options are refused; empty if they are not."""
    data = {name if is_open(graph, name) else SETTLED + name: value for name, value in options.items()}
    asked = [name for name, read in _refusals(graph) if not data.keys().isdisjoint(read)]
    if not asked:
        return ""
    program = program_of(graph)
    position = program.blank()
    known = {name: _number(graph, name, value) for name, value in data.items() if name in graph.data}
    begin_with(program.layout, position, known)
    found = next((graph.defines[name].answers[0].source for name in asked if program.defines[name](position)), None)
    return (told(graph, found.prose).rstrip(".") or say("these options are refused")) if found is not None else ""


@by_identity(1024)
def _refusals(graph: Graph) -> tuple[tuple[str, frozenset[str]], ...]:
    """The questions whether options are refused, with the data that each reads; memoised."""
    asked = (name for name in graph.defines if name.startswith(REFUSED))
    return tuple((name, frozenset(data_read(graph, exprs_of_define(graph.defines[name])))) for name in asked)


def rules_of(agreement: Agreement, players: int) -> Rules:
    """Return the rules of an agreement for this number of players. Raises :class:`NotPlayed` if there are none."""
    return _rules(agreement.variant, tuple(sorted(agreement.options.items())), players)


# --------------------------------------------------------------------------------------------------
# A log transposed from one game to another: its cards in the other pack, without what has no place there.

MOST_BETWEEN = 200
"""Maximum implicit actions before one move: more than any deal has; inconclusive lots go on for ever."""


@dataclass(frozen=True, slots=True)
class TransposedLog:
    """A log transposed to some rules.

    ``said`` maps moves (from 0) to other words there; ``notes`` are the changes made to the log.
    """

    log: Log
    said: Mapping[int, tuple[Action, ...]]
    notes: tuple[str, ...]

    def replay(
        self,
        rules: Rules,
        make: type[Game] = Game,
        *,
        acting: bool = True,
        only: Collection[str] | None = None,
    ) -> Replay:
        """A replay before its first move. Raises :class:`LogError`."""
        replay = Replay(
            self.log,
            rules.graph,
            make=make,
            begin=rules.begin,
            tolerant=True,
            most_between=MOST_BETWEEN,
            acting=acting,
            only=only,
        )
        places = [(hand, at) for hand, moves in enumerate(replay.readings) for at in range(len(moves))]
        for number, actions in self.said.items():
            hand, at = places[number]
            replay.readings[hand][at] = list(actions)
            replay.unread.pop(number, None)
        return replay


def transpose(log: Log, home: Graph, rules: Rules) -> TransposedLog:
    """Transpose a log, written for the graph ``home``, to rules. Raises :class:`NotPlayed` if that is impossible."""
    graph, notes = rules.graph, list[str]()
    cards = cards_between(home, graph)
    one, other = pack_of(home), pack_of(graph)
    if one is not None and other is not None and one.name != other.name:
        likes = _likes(log, cards)
        notes.append(say("played with the {pack} pack: {cards}", pack=say(other.name), cards=likes) if likes else "")
    names = {card.name for card in home.cards}
    hands = [_hand(hand, log.players, graph, cards, names, notes) for hand in log.hands]
    starts = tuple(item for item in log.start if _begins(log, graph, item, notes))
    for name, points in log.score.items():
        if fault := start_fault(log, graph, Start("score", (name,), str(points))):
            raise NotPlayed(fault.rstrip("."))
    agreement = rules.agreement
    put_log = replace(log, variant=agreement.variant, options=agreement.options, start=starts, hands=tuple(hands))
    return TransposedLog(
        put_log, frozen(_otherwise(log, home, put_log, graph)), tuple(dict.fromkeys(filter(None, notes)))
    )


def put_again(here: TransposedLog, one: Rules, other: Rules) -> TransposedLog:
    """Transpose a log from some rules to others of the same variant. Raises :class:`NotPlayed`."""
    if one.graph is other.graph:
        return here
    there = transpose(here.log, one.graph, other)
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
        notes.append(say("“{name}” is nothing that it begins with, and is left out", name=shown(item.datum)))
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
            notes.append(say("“{name}” has no place there, and is left out", name=shown(key)))
            continue
        for card in given:
            if card != UNKNOWN and cards.get(card) not in present:
                raise NotPlayed(say("the card {card} is not in its pack", card=shown(card)))
        deal[key] = tuple(cards.get(card, card) for card in given)
    for move in hand.moves:
        for word in move.words.split():
            if (named := word.strip("()")) in home_cards and cards.get(named) not in present:
                raise NotPlayed(say("the card {card} is not in its pack", card=shown(named)))
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
    return ", ".join(say("{there} for {here}", there=there, here=here) for here, there in changed.items())


# --------------------------------------------------------------------------------------------------
# Equivalent words of two games: what the rules of the same names let a player say.


def counterparts(one: Graph, readings: Iterable[Action], other: Graph) -> list[Action]:
    """Return the equivalents of a move of one game in the other, in spec order; empty if there are none."""
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
    return rule.shape == "may" and not rule.outsider


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
def packs() -> tuple[LogPack, ...]:
    """The packs that logs are written with."""
    found: PacksFile = read(safe_yaml.load_file(shipped.folder("spec") / "packs.yaml").data, PacksFile)
    return found.alike


def pack_of(graph: Graph) -> LogPack | None:
    """The pack of a game, by its suits; None for an unknown one."""
    suits = set(graph.orders.get(graph.suits, ()))
    return next((pack for pack in packs() if set(pack.suits) == suits), None)


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
