"""Unknown cards of a log, and what depends on them: every possible card is substituted, and the log is played again.

Every card is tried for each blank by itself, all combinations if they are few, otherwise a fixed random sample. If two
fillings lead to different outcomes, blanks are exchanged one by one until the outcome changes: this finds the decisive
card, with examples of either outcome.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from truco_spec.base.project import playable_names
from truco_spec.base.shipped import is_file
from truco_spec.base.words import label, say, translated
from truco_spec.compare.disputes.agreement import (
    Agreement,
    NotPlayed,
    Rules,
    TransposedLog,
    cards_between,
    moves_of,
    rules_of,
    transpose,
)
from truco_spec.compare.disputes.claim import Claim
from truco_spec.compare.disputes.playthrough import PERMITTED, Playthrough, play
from truco_spec.compare.disputes.verdict import PermitQuestion, is_of_results, questions, ruling
from truco_spec.compare.scenario import UNKNOWN_WORD
from truco_spec.engine.observe import ACTING
from truco_spec.engine.position_text import TOKEN
from truco_spec.graph.load import load_open
from truco_spec.graph.model import OBSERVED, Graph
from truco_spec.logs.line import UNKNOWN, Hand, Log, LoggedMove, frozen
from truco_spec.logs.notation import NotationError, hint_for, notation_of, shown

MOVE, DEAL, PLACE, REST = "move", "deal", "place", "rest"


@dataclass(frozen=True, slots=True)
class Blank:
    """A card that is not known, in a hand (from 0).

    ``kind`` is move (``at`` counts the moves of the hand), deal (``at`` counts the cards of ``key``), place, or rest: a
    card that the log does not give at all. It may be a card that is ``unseen``, or one of ``own``: of a move, the cards
    dealt to its player; of a deal, the card that the player's moves name. The unseen cards of moves are the first of
    the unknown ones dealt to their player, and at most ``held`` (-1: there may be more than the log tells).
    """

    hand: int
    kind: str
    key: str
    at: int
    label: str
    own: tuple[str, ...] = ()
    unseen: bool = True
    held: int = -1

    @property
    def place(self) -> tuple[int, str, str]:
        """The hand, the kind and the key."""
        return self.hand, self.kind, self.key


def blanks_of(transposed: TransposedLog, rules: Rules) -> tuple[Blank, ...]:
    """The blanks that are written in a log."""
    found: list[Blank] = []
    number = 0
    for at, hand in enumerate(transposed.log.hands):
        found += _of_hand(at, hand, transposed, rules, number)
        number += len(hand.moves)
    return tuple(found)


def _of_hand(at: int, hand: Hand, transposed: TransposedLog, rules: Rules, before: int) -> Iterator[Blank]:
    """The blanks of a hand, those of its moves first."""
    players, named = transposed.log.players, _named(hand, transposed, rules)
    given = {card for cards in hand.deal.values() for card in cards}
    shown = {player: [card for card in named.get(player, ()) if card not in given] for player in players}
    for player in players:
        dealt, names = hand.deal.get(player, ()), named.get(player, ())
        own = tuple(card for card in dealt if card not in (*names, UNKNOWN))
        free = max(0, dealt.count(UNKNOWN) - len(shown[player]))
        told = bool(own or free) and len(dealt) >= sum(m.player == player and _is_card(m, names) for m in hand.moves)
        for number, move in enumerate(hand.moves):
            if move.player == player and UNKNOWN in move.words:
                called = say("the card that {player} plays at move {number}", player=player, number=before + number + 1)
                yield Blank(at, MOVE, player, number, called, own, bool(free) or not told, free if told else -1)
    for key, cards in hand.deal.items():
        for number in (number for number, card in enumerate(cards) if card == UNKNOWN):
            which = say("card {number} dealt to {player}", number=number + 1, player=key)
            which = which if key in players else say("the {place}", place=label(key))
            own = (shown[key].pop(0),) if shown.get(key) else ()
            yield Blank(at, DEAL, key, number, _of(which, at, transposed), own, not own)


def _of(what: str, at: int, transposed: TransposedLog) -> str:
    several = len(transposed.log.hands) > 1
    return say("{what} in hand {number}", what=what, number=at + 1) if several else what


def _named(hand: Hand, transposed: TransposedLog, rules: Rules) -> Mapping[str, Sequence[str]]:
    """The cards that the moves of a hand name, by player."""
    notation, cards = notation_of(rules.graph, transposed.log.players), rules.graph.cards
    found: dict[str, list[str]] = {}
    for move in hand.moves:
        try:
            readings = [] if UNKNOWN in move.words else notation.readings(move.text)
        except NotationError:
            readings = []
        found.setdefault(move.player, []).extend(
            dict.fromkeys(cards[card].name for action in readings for card in notation.cards_of(action))
        )
    return {player: tuple(dict.fromkeys(names)) for player, names in found.items()}


def _all_named(hand: Hand, transposed: TransposedLog, rules: Rules) -> set[str]:
    return {card for cards in _named(hand, transposed, rules).values() for card in cards}


def _is_card(move: LoggedMove, named: Sequence[str]) -> bool:
    return UNKNOWN in move.words or any(word.strip("()") in named for word in move.words.split())


def came_in(playthrough: Playthrough) -> Iterator[tuple[Blank, str]]:
    """Cards that came in a playthrough though the log omits them: places for one card, and players' cards."""
    log = playthrough.transposed.log
    named = [_all_named(hand, playthrough.transposed, playthrough.rules) for hand in log.hands]
    counted: Counter[tuple[int, str]] = Counter()
    for hand, where, card in playthrough.dealt:
        counted[hand, where] += 1
        given = log.hands[hand].deal.get(where, ())
        if card in given or card in named[hand]:
            continue
        known = where in log.players
        called = say("a card of {player}", player=where) if known else say("the {place}", place=label(where))
        if known and (move := playthrough.used.get((hand, card))):
            called = say("the card of {player} that comes up at move {number}", player=where, number=move)
        kind = REST if where in log.players else PLACE
        yield Blank(hand, kind, where, counted[hand, where] - 1, _of(called, hand, playthrough.transposed)), card


def unseen(transposed: TransposedLog, rules: Rules, order: Sequence[str], hand: int) -> list[str]:
    """The cards of the pack that a hand of the log does not name, in a given order."""
    given = {card for cards in transposed.log.hands[hand].deal.values() for card in cards}
    named = (
        given | _all_named(transposed.log.hands[hand], transposed, rules) | set(TOKEN.findall(transposed.log.position))
    )
    present = {card.name for card in rules.graph.cards if card.present}
    return [card for card in order if card in present and card not in named]


def filled(transposed: TransposedLog, values: Mapping[Blank, str]) -> TransposedLog:
    """The log with these cards for its blanks."""
    hands = [_filled(at, hand, transposed.log.players, values) for at, hand in enumerate(transposed.log.hands)]
    return replace(transposed, log=replace(transposed.log, hands=tuple(hands)))


def _filled(at: int, hand: Hand, players: Sequence[str], values: Mapping[Blank, str]) -> Hand:
    here = {blank: card for blank, card in values.items() if blank.hand == at}
    moves = list(hand.moves)
    deal = {key: list(cards) for key, cards in hand.deal.items()}
    for blank, card in here.items():
        if blank.kind == MOVE:
            moves[blank.at] = replace(moves[blank.at], text=moves[blank.at].text.replace(UNKNOWN, card, 1))
        elif blank.kind == DEAL:
            deal[blank.key][blank.at] = card
        elif blank.kind == PLACE:
            deal[blank.key] = [card]
    for player in players:
        rest = {blank.at: card for blank, card in here.items() if blank.kind == REST and blank.key == player}
        if rest:
            deal[player] = [*deal.get(player, []), *(rest[at] for at in sorted(rest))]
    return replace(hand, deal=frozen({key: tuple(cards) for key, cards in deal.items()}), moves=tuple(moves))


# --------------------------------------------------------------------------------------------------
# Fillings, and the cards that decide.

EXHAUSTIVE = 150
"""Up to this many fillings are all tried."""
BY_LOT = 12
"""Number of random fillings beyond that."""
OF_THE_REST = 3
"""Random fillings in which players hold other cards that the log omits."""
MOST_EVENTS = 6000
"""Budget in events for one agreement, all fillings together; at least ``FEWEST`` fillings are tried."""
FEWEST = 6
OTHERWISE = 5
"""Hands played of those with another answer to a question."""
LONG = 300
"""In a log with more moves only the cards written as unknown are varied."""

Filling = Mapping[Blank, str]
Outcome = object


@dataclass(frozen=True, slots=True)
class Dependence:
    """A decisive card. ``cases`` are its outcomes: for each the cards found to lead to it, with their playthroughs."""

    blank: Blank
    cases: tuple[tuple[tuple[str, Playthrough], ...], ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A log with unknown cards under some rules: a playthrough with substituted cards, the decisive cards, the number
    of fillings tried, and whether these are all fillings of the cards written as unknown.
    """

    playthrough: Playthrough
    dependences: tuple[Dependence, ...]
    looked: int
    playthroughs: tuple[Playthrough, ...] = ()
    exhaustive: bool = True


def _permitted(playthrough: Playthrough) -> int:
    """Return the number of permitted moves."""
    return sum(moment.verdict == PERMITTED for moment in playthrough.moments)


def _key(filling: Filling) -> tuple[tuple[Blank, str], ...]:
    return tuple(sorted(filling.items(), key=lambda pair: (pair[0].place, pair[0].at)))


def outcome_of(playthrough: Playthrough) -> Outcome:
    """The results of all moves and the observations, without cards."""
    shown = {
        name
        for name in playthrough.start
        if (define := playthrough.rules.graph.defines.get(OBSERVED + name)) is not None and define.type.base != "card"
    } - {ACTING}
    told = [(m.verdict, sorted((k, repr(v)) for k, v in m.told.items() if k in shown)) for m in playthrough.moments]
    return repr(told)


class Weigher:
    """Plays a log, and finds its decisive unknown cards.

    ``order`` is the order in which cards are tried; ``judged`` selects what counts in a playthrough; ``asked`` tells
    where it is asked whether something is permitted; ``further``: implicit moves may follow.
    """

    def __init__(
        self,
        transposed: TransposedLog,
        rules: Rules,
        order: Sequence[str],
        judged: Callable[[Playthrough], Outcome],
        asked: Callable[[Playthrough], Iterable[tuple[int, PermitQuestion]]] = lambda _: (),
        *,
        further: bool = False,
    ) -> None:
        self.further = further
        self.transposed, self.rules, self.order, self.judged, self.asked = transposed, rules, order, judged, asked
        self.written = blanks_of(transposed, rules)
        self.known: dict[tuple[tuple[Blank, str], ...], tuple[Playthrough, Outcome]] = {}
        self.free: dict[int, list[str]] = {}

    def weigh(self) -> Weighed:
        base = self._first_filling()
        playthrough, _ = self._look(base)
        moves = len(moves_of(self.transposed.log))
        more = list(came_in(playthrough)) if moves <= LONG else []
        places = [blank for blank, _ in more if blank.kind != REST]
        laid = [blank for blank, card in more if blank.kind == REST and (blank.hand, card) in playthrough.used]
        rest = [blank for blank, _ in more if blank.kind == REST]
        if [moment.verdict for moment in playthrough.moments] == [UNKNOWN_WORD]:  # so that no card matters
            return Weighed(playthrough, (), len(self.known), (playthrough,))
        if not self.written and not places and not rest:
            return Weighed(playthrough, (), 1, (playthrough,), exhaustive=not self._in_doubt(playthrough))
        whole = [*laid, *(blank for blank in rest if blank.place in {b.place for b in laid} and blank not in laid)]
        if places or laid:  # the same cards under all rules, so that they do not part by what each would have dealt
            base = {**base, **self._alike_for_all(base, playthrough, (*places, *whole))}
            self.known.clear()
            playthrough, _ = self._look(base)
        most = max(FEWEST, MOST_EVENTS // playthrough.cost)
        blanks = (*self.written, *places, *laid)
        every = list(itertools.islice(self._every({}, blanks), EXHAUSTIVE + 1)) if blanks and not laid else []
        exhaustive = not laid and len(every) <= min(EXHAUSTIVE, most) and not self._in_doubt(playthrough)
        for filling in itertools.islice(self._fillings(base, blanks, rest, every), most):
            self._look(filling)
        if moves <= LONG and not (exhaustive and not rest):
            self._seek()
        if not exhaustive and len(blanks) > 1 and self._alike:
            for filling in itertools.islice(self._by_lot(base, blanks, most), BY_LOT, None):
                if len(self.known) < most:
                    self._look(filling)
        dependences = tuple(self._dependences(base))
        played = tuple(each for each, _ in self.known.values())
        return Weighed(playthrough, dependences, len(self.known), played, exhaustive)

    def _in_doubt(self, playthrough: Playthrough) -> bool:
        """Whether cards of another deal, which the log does not give, mattered, or may matter in what is asked."""
        return playthrough.again and (playthrough.read or any(True for _ in self.asked(playthrough)))

    @property
    def _alike(self) -> bool:
        return len({repr(outcome) for _, outcome in self.known.values()}) == 1

    # ---- hands with which other things are permitted ----------------------------------------

    def _seek(self) -> None:
        """Look for hands that permit the moves, one by one, and for hands with another answer where a permission is
        asked.
        """
        key, (playthrough, _) = max(self.known.items(), key=lambda pair: _permitted(pair[1][0]))
        filling: Filling = dict(key)
        permitted: list[tuple[tuple[int, int], PermitQuestion, Sequence[str]]] = []
        while playthrough.moments and (refused := playthrough.moments[-1].refused) is not None:
            question = PermitQuestion(refused.game, (refused.refusal.action,))
            whose = playthrough.moments[-1].hand, question.actor
            mine = self._unknown_of(filling, playthrough, *whose)
            earlier = [(one, held) for of, one, held in permitted if of == whose and len(held) == len(mine)]
            for other in self._hands(filling, mine, question, earlier):
                found, _ = self._look(other)
                if _permitted(found) > _permitted(playthrough):
                    filling, playthrough = other, found
                    permitted.append((whose, question, tuple(mine.values())))
                    break
            else:
                break
        for at, question in self.asked(playthrough):
            for other in self._hands(filling, self._unknown_of(filling, playthrough, at, question.actor), question):
                self._look(other)

    def _unknown_of(self, filling: Filling, playthrough: Playthrough, at: int, seat: int) -> Filling:
        """The cards of a player that may be others, in a hand."""
        who = self.transposed.log.players[seat] if seat >= 0 else ""
        played = {card for blank, card in filling.items() if blank.place == (at, MOVE, who)}
        places = ((at, DEAL, who), (at, REST, who))
        dealt = [pair for pair in (*filling.items(), *came_in(playthrough)) if pair[0].place in places]
        return {blank: card for blank, card in dealt if blank.unseen and card not in played}

    def _hands(
        self,
        filling: Filling,
        mine: Filling,
        question: PermitQuestion,
        permitted: Sequence[tuple[PermitQuestion, Sequence[str]]] = (),
    ) -> Iterator[Filling]:
        """Fillings with other cards in place of these, with which the answer is another: some."""
        if mine:
            pool = self._domain(next(iter(mine)), {blank: card for blank, card in filling.items() if blank not in mine})
            hands = question.otherwise(tuple(mine.values()), pool, permitted)
            for hand in itertools.islice(hands, OTHERWISE):
                yield {**filling, **dict(zip(mine, hand, strict=True))}

    # ---- the fillings ------------------------------------------------------------------------

    def _first_filling(self) -> Filling:
        """Low cards, which decide least: so each of the others shows its own effect."""
        return self._filled_up({}, self.written) or {}

    def _filled_up(
        self, filling: Filling, blanks: Iterable[Blank], choice: Callable[[Blank, list[str]], str] | None = None
    ) -> Filling | None:
        """Return a filling with a card for each of these blanks, by default the lowest; None if impossible."""
        found = dict(filling)
        for blank in blanks:
            cards = self._domain(blank, found)
            if not cards:
                return None
            unseen = self._unseen(blank)
            low = next((card for card in reversed(unseen) if card in cards), cards[0])
            found[blank] = choice(blank, cards) if choice else low
        return found

    def _unseen(self, blank: Blank) -> list[str]:
        if blank.hand not in self.free:
            self.free[blank.hand] = unseen(self.transposed, self.rules, self.order, blank.hand)
        return self.free[blank.hand] if blank.unseen else []

    def _domain(self, blank: Blank, filling: Filling) -> list[str]:
        """Return the possible cards of a blank, given those of the others."""
        others = {other: card for other, card in filling.items() if other.hand == blank.hand and other != blank}
        played = [c for o, c in others.items() if (o.kind, o.key) == (MOVE, blank.key) and c not in o.own]
        if blank.kind == DEAL and blank.unseen:
            before = sum(o.unseen and o.place == blank.place and o.at < blank.at for o in self.written)
            if before < len(played):
                return [played[before]]
        free = () if blank.kind == MOVE and len(played) == blank.held else self._unseen(blank)
        taken = set(others.values())
        return [card for card in (*free, *blank.own) if card not in taken]

    def _with(self, filling: Filling, blank: Blank, card: str) -> Filling | None:
        """Return a filling with another card for one blank, exchanged with the blanks that had it;
        None if impossible.
        """
        found: dict[Blank, str] = {}
        for other in dict.fromkeys((*filling, blank)):
            cards = self._domain(other, found)
            wanted = card if other == blank else filling[other]
            if other == blank and card not in cards:
                return None
            if other != blank and blank not in found:
                cards = [each for each in cards if each != card or other.hand != blank.hand]
            if not cards:
                return None
            found[other] = wanted if wanted in cards else cards[0]
        return found

    def _alone(self, base: Filling, blank: Blank) -> Iterator[tuple[str, Filling]]:
        """Yield each card for this blank, exchanged with the blank that has it, all others unchanged."""
        others = {other: card for other, card in base.items() if other.key != blank.key}
        for card in self._domain(blank, others):
            filling = self._with(base, blank, card)
            if filling is not None:
                yield card, filling

    def _alike_for_all(self, base: Filling, playthrough: Playthrough, places: Iterable[Blank]) -> Filling:
        """Return for each place the lowest card that nobody holds, in the common order of all rules."""
        found: dict[Blank, str] = {}
        for blank in places:
            came = [card for hand, where, card in playthrough.dealt if (hand, where) == (blank.hand, blank.key)]
            fitting = reversed(self._domain(blank, {**base, **found}))
            found[blank] = next(fitting, came[blank.at])
        return found

    def _fillings(
        self, base: Filling, blanks: Sequence[Blank], rest: Sequence[Blank], every: Sequence[Filling]
    ) -> Iterator[Filling]:
        if 0 < len(every) <= EXHAUSTIVE:
            yield from every
        else:
            yield from self._by_lot(base, blanks, BY_LOT if len(blanks) > 1 else 0)
            for blank in blanks:
                yield from (filling for _, filling in self._alone(base, blank))
        yield from self._by_lot(base, (*blanks, *rest), OF_THE_REST if rest else 0)

    def _every(self, filling: Filling, blanks: Sequence[Blank]) -> Iterator[Filling]:
        """Every filling of these blanks."""
        if not blanks:
            yield filling
            return
        for card in self._domain(blanks[0], filling):
            yield from self._every({**filling, blanks[0]: card}, blanks[1:])

    def _by_lot(self, base: Filling, blanks: Sequence[Blank], times: int) -> Iterator[Filling]:
        rng = random.Random(len(blanks))  # noqa: S311  (chance of cards)
        for _ in range(times):
            filling = self._filled_up({}, blanks, lambda _, cards: rng.choice(cards))
            yield {**base, **filling} if filling else base

    def _look(self, filling: Filling) -> tuple[Playthrough, Outcome]:
        key = _key(filling)
        if key not in self.known:
            playthrough = play(
                filled(self.transposed, filling), self.rules, acting=not self.known, further=self.further
            )
            self.known[key] = playthrough, self.judged(playthrough)
        return self.known[key]

    # ---- decisive cards ----------------------------------------------------------------------

    def _dependences(self, base: Filling) -> Iterator[Dependence]:
        _, usual = self._look(base)
        found: dict[Blank, dict[str, list[tuple[str, Playthrough]]]] = {}
        for key, (_, outcome) in list(self.known.items()):
            if outcome != usual:
                blank, before, after = self._responsible(base, dict(key))
                for filling in (before, after):
                    playthrough, came = self._look(filling)
                    dealt = [card for *place, card in playthrough.dealt if place == [blank.hand, blank.key]]
                    card = filling.get(blank) or next(iter(dealt[blank.at :]), "")
                    alike = found.setdefault(blank, {}).setdefault(repr(came), [])
                    if card and card not in [other for other, _ in alike]:
                        alike.append((card, playthrough))
        for blank in found:
            alone: dict[str, list[tuple[str, Playthrough]]] = {repr(usual): []}
            for card, filling in self._alone(base, blank):
                if (known := self.known.get(_key(filling))) is not None:
                    alone.setdefault(repr(known[1]), []).append((card, known[0]))
            found[blank] = alone if alone[repr(usual)] and len(alone) > 1 else found[blank]
        place = {card: at for at, card in enumerate(self.order)}
        for blank, outcomes in found.items():
            inorder = (sorted(same, key=lambda pair: place.get(pair[0], 0)) for same in outcomes.values())
            yield Dependence(blank, tuple(map(tuple, inorder)))

    def _responsible(self, one: Filling, other: Filling) -> tuple[Blank, Filling, Filling]:
        """The blank whose exchange changes the outcome on the way from one filling to the other; before and after."""
        now = one
        _, outcome = self._look(now)
        for blank in dict.fromkeys((*one, *other)):
            if blank not in other or now.get(blank) == other[blank]:
                continue
            then = self._with(now, blank, other[blank])
            if then is None:
                continue
            _, came = self._look(then)
            if came != outcome:
                return blank, now, then
            now = then
        return next(iter(other)), one, other


# ---- A log under agreements, each with its playthrough ---------------------------------------

Notice = Callable[[str, int], None]
"""A progress callback: the name of an agreement, and the number of playthroughs."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An agreement, its rules, the transposed log, and the result."""

    agreement: Agreement
    rules: Rules
    transposed: TransposedLog
    weighed: Weighed

    @property
    def playthrough(self) -> Playthrough:
        """The playthrough with the substituted cards."""
        return self.weighed.playthrough


def home_of(log: Log, agreements: Sequence[Agreement] = ()) -> Graph:
    """Return the graph of the variant that a log was written for: a shipped one, or that of a requested file.

    Raises :class:`LogError` where there is no such variant.
    """
    known = playable_names()
    if log.variant in known:
        return load_open(log.variant)
    files = {load_open(one.variant).name: one.variant for one in agreements if is_file(one.variant)}
    if log.variant not in files:
        message = say("There is no variant “{name}”.", name=shown(log.variant))
        raise log.mistake("variant", message, "variant", hint_for(log.variant, [*known, *files]))
    return load_open(files[log.variant])


def try_all(
    log: Log,
    home: Graph,
    agreements: Sequence[Agreement],
    statements: Sequence[Claim] = (),
    notice: Notice | None = None,
) -> tuple[list[Tried], list[tuple[Agreement, str]]]:
    """Play the log under every agreement; also return the agreements under which it cannot be played, with reasons."""
    tried: list[Tried] = []
    refused: list[tuple[Agreement, str]] = []
    for agreement in agreements:
        if notice is not None:
            notice(agreement.name, 0)
        try:
            rules = rules_of(agreement, len(log.players))
            here = transpose(log, home, rules)
        except NotPlayed as reason:
            refused.append((agreement, str(reason)))
            continue
        likes = cards_between(home, rules.graph)
        order = [likes[card.name] for card in reversed(home.cards) if card.name in likes]
        judged = (lambda playthrough: ruling(statements, playthrough, home).right) if statements else outcome_of
        further = is_of_results(statements)
        asked = partial(questions, statements, home=home)
        weighed = Weigher(here, rules, order, judged, asked, further=further).weigh()
        if weighed.playthrough.began:
            tried.append(Tried(agreement, rules, here, weighed))
        else:
            message = translated(weighed.playthrough.moments[0].message)
            refused.append((agreement, f"{message[:1].lower()}{message[1:]}".rstrip(".")))
    return tried, refused
