"""Another order of the cards, as the tricks of an implementation show it, and as a change of the statement that ranks
them.

No single exchange makes one order of another. So it is made of all tricks at once: which card beat which is counted,
and what is shown most often is held first.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from truco_spec.conformance.corpus.protocol import START, Position, Script, Seen
from truco_spec.conformance.fit.mutants import (
    ME,
    NOTHING,
    OTHER,
    SEAT,
    TEAM,
    THEM,
    US,
    Mutant,
    becomes,
    computed,
    conditional,
    constant,
    known_seats,
    mentioned,
    putting,
    said,
    written,
)
from truco_spec.conformance.runner.deciding import replayed
from truco_spec.conformance.runner.judge import team_of
from truco_spec.engine.game import Game
from truco_spec.engine.provenance import Provenance
from truco_spec.graph.link import Chain
from truco_spec.graph.linking.build import lower
from truco_spec.graph.model import NEVER, OBSERVED, Card, Graph
from truco_spec.graph.plan import plan
from truco_spec.language import tree as t
from truco_spec.logs.line import LogError

FLAG, NUMBER, CARD = "flag", "number", "card"
"""The types of what is yes or no, of numbers and of cards."""
DENIED = {"is": "is not", "is not": "is", "<": ">=", ">": "<="}
"""How two values are compared, and how where that does not hold."""
NO_CARDS: Mapping[str, int] = MappingProxyType({})
ENOUGH, MOST_SUITS = 2, 6
"""The fewest pairs of suits that have to be told apart, and the most suits that are put in order."""
FAR_MORE = 10
"""How many times more tricks have to agree with an order that goes against the rules than disagree."""
_WIDTH = 4
"""The digits of each number in the code of a change."""
ORDER, TIES, CONSTANT, RANKS, CONDITION = range(5)
"""The first numbers of the codes: another order of the cards, one by which nothing is tied, a constant, another order
of the ranks, and a further condition.
"""
Placed = tuple[str, int]
"""The statement that ranks a card, and its strength."""


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick: the open card of each player, the ``team`` that took it, or a tie, and the player who leads
    then, if he is reported: the ``winner``.
    """

    hand: int
    laid: Mapping[str, str]
    team: str
    winner: str


def tricks_in(script: Script, answer: Seen) -> Iterator[Trick]:
    """Yield the complete tricks of an answer."""
    for number, (hand, told) in enumerate(zip(script.hands, answer, strict=False)):
        laid = dict[str, str]()
        for action, entry in zip(hand.actions, told.seen, strict=False):
            if entry.get("refused"):
                continue
            if action.play:
                laid[action.player] = action.play
            if (team := entry.get("trick")) is not None:
                yield Trick(number, laid, str(team), str(entry.get("leader") or ""))
                laid = {}


# ---- what tricks show ------------------------------------------------------------------------------


@dataclass(slots=True)
class ShownOrder:
    """What tricks show of the cards that one statement ranks: how often a strength ``beats`` another, or is ``even``
    with it. ``cards`` has a card of each.
    """

    cards: dict[int, int] = field(default_factory=dict)
    beats: Counter[tuple[int, int]] = field(default_factory=Counter)
    even: Counter[tuple[int, int]] = field(default_factory=Counter)
    broken: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How often one of two cards that are equal by the rules beat the other."""

    def suits(self, of: Callable[[int], int]) -> list[int]:
        """Return the suits from the lowest to the highest, if that order explains far more of the ties that were broken
        than it does not, and hardly anything was tied; otherwise none.
        """
        above = Counter[tuple[int, int]]()
        for (high, low), times in self.broken.items():
            above[of(high), of(low)] += times
        met = sorted({suit for pair in above for suit in pair})[:MOST_SUITS]
        above = Counter({pair: times for pair, times in above.items() if {*pair} <= {*met}})
        best = max(itertools.permutations(met), key=lambda suits: _borne(above, suits), default=())
        agreeing = _borne(above, best)
        tied = sum(times for (one, other), times in self.even.items() if one == other)
        enough = len({pair for pair in above if best.index(pair[0]) > best.index(pair[1])}) >= ENOUGH
        return [*best] if enough and agreeing >= FAR_MORE * (above.total() - agreeing + tied) else []

    def differs(self) -> bool:
        """Whether some trick goes against the rules."""
        return any(high < low for high, low in self.beats) or any(one != other for one, other in self.even)

    def places(self) -> dict[int, int]:
        """Return the strength that each one was shown to have: those of the rules, in another order. Where nothing is
        shown, and where tricks disagree, it is that of the rules.
        """
        of = {value: value for value in self.cards}
        for (one, other), times in self.even.most_common():
            if times > self.beats[one, other] + self.beats[other, one]:
                of = {value: of[one] if held == of[other] else held for value, held in of.items()}
        above = {value: set[int]() for value in of.values()}

        def reached(value: int) -> set[int]:
            found, left = set[int](), [value]
            while left:
                new = above[left.pop()] - found
                found |= new
                left += new
            return found

        shown = [(of[low], of[high]) for (high, low), _ in self.beats.most_common()]
        natural = sorted(itertools.combinations(sorted(above), 2), key=lambda pair: pair[1] - pair[0])
        for low, high in (*shown, *natural):
            if low != high and low not in reached(high):
                above[low].add(high)
        left, found = sorted(of), dict[int, int]()
        for group in sorted(above, key=lambda value: -len(reached(value))):
            alike = [value for value, held in of.items() if held == group]
            found |= dict.fromkeys(alike, left[0])
            left = left[len(alike) :]
        return found


def _with_one_moved(members: Sequence[int]) -> Iterator[list[int]]:
    """Yield these in every order in which one of them is moved."""
    for moved in members:
        others = [member for member in members if member != moved]
        yield from ([*others[:at], moved, *others[at:]] for at in members if at != moved)


def _borne(above: Mapping[tuple[int, int], int], suits: Sequence[int]) -> int:
    """Return how often one suit was above another that is before it here."""
    return sum(times for (high, low), times in above.items() if suits.index(high) > suits.index(low))


class ShownOrders:
    """What tricks show, by the statement that ranks the cards."""

    def __init__(self) -> None:
        self.of = defaultdict[str, ShownOrder](ShownOrder)
        self.pairs = Counter[tuple[Placed, Placed, bool]]()
        """How often one card beat another, or was even with it, whatever ranks them."""

    def take(self, script: Script, expected: Seen, answer: Seen) -> None:
        """Take what the tricks of an answer show, of a script and its playthrough by the rules."""
        question, begun = ranking(), dict[int, Game]()
        for trick in tricks_in(script, answer):
            if trick.hand not in begun:
                try:
                    begun[trick.hand] = replayed(script, expected, Position(0, trick.hand, START))[0].game
                except LogError:
                    continue
            game = begun[trick.hand]
            numbers = {card.name: number for number, card in enumerate(game.graph.cards)}
            asked = Provenance(game.layout, game.position)
            ranked = dict[str, tuple[str, int]]()
            for player, card in trick.laid.items():
                if (found := asked.question(question, (numbers[card],))) is not None:
                    ranked[player] = found.answer, found.value
                    self.of[found.answer].cards.setdefault(found.value, numbers[card])
            self.compare(trick, script, ranked, {player: numbers[trick.laid[player]] for player in ranked})

    def compare(
        self, trick: Trick, script: Script, ranked: Mapping[str, tuple[str, int]], laid: Mapping[str, int] = NO_CARDS
    ) -> None:
        """Take what one trick shows: the best card of the team that took it beats all of the others."""
        sides = defaultdict[str, list[str]](list)
        for player in ranked:
            sides[team_of(script, player)].append(player)
        team = team_of(script, trick.team)
        if team in sides:
            best = trick.winner if trick.winner in sides[team] else max(sides[team], key=lambda each: ranked[each][1])
            for player in (player for side, players in sides.items() if side != team for player in players):
                self.pairs[ranked[best], ranked[player], False] += 1
                if ranked[player][0] == ranked[best][0]:
                    self.of[ranked[best][0]].beats[ranked[best][1], ranked[player][1]] += 1
                if ranked[player] == ranked[best] and laid:
                    self.of[ranked[best][0]].broken[laid[best], laid[player]] += 1
        elif len(ranked) == len(sides):
            for (of, one), (other_of, other) in itertools.combinations(ranked.values(), 2):
                self.pairs[(of, one), (other_of, other), True] += 1
                if of == other_of:
                    self.of[of].even[min(one, other), max(one, other)] += 1

    @property
    def differing(self) -> list[str]:
        """The statements against whose order some trick goes."""
        return [name for name, shown in self.of.items() if shown.differs()]

    @property
    def breaking(self) -> list[str]:
        """The statements by which some trick is tied that was none."""
        return [name for name, shown in self.of.items() if shown.broken]

    def untying(self, chain: Chain, graph: Graph) -> Iterator[tuple[str, int]]:
        """Yield the codes of the changes by which the suits tell equal cards apart (:func:`untied`), with the names of
        their statements.
        """
        numbers = {name: number for number, name in enumerate(lower(chain).items)}
        for name in sorted(self.breaking):
            if suits := self.of[name].suits(lambda card: graph.cards[card].suit):
                yield name, _coded(TIES, numbers[name], *suits)

    def changes(self, chain: Chain) -> Iterator[tuple[str, int]]:
        """Yield the codes of the changes that make an order of the rules the one that was shown (:func:`reordered`),
        with the names of their statements.
        """
        numbers = {name: number for number, name in enumerate(lower(chain).items)}
        for name in sorted(self.differing):
            shown, places = self.of[name], self.of[name].places()
            if self._is_borne_out(name, places):
                ranked = [(card, value, places[value]) for value, card in sorted(shown.cards.items())]
                yield name, _coded(ORDER, numbers[name], *itertools.chain(*ranked))

    def ranks(self, chain: Chain, graph: Graph) -> Iterator[tuple[str, int]]:
        """Yield the codes of the changes that declare the ranks in an order that was shown of their cards, with the
        names of the statements that rank these: what is asked of the next rank changes, too. Tricks may leave open how
        far one rank is moved.
        """
        at, every = [*lower(chain).items].index(graph.ranks), range(len(graph.orders[graph.ranks]))
        for name in sorted(self.differing):
            shown, places = self.of[name], self.of[name].places()
            of = {value: graph.cards[card].rank for value, card in shown.cards.items()}
            if len({*of.values()}) < len(of) or len({*places.values()}) < len(of):
                continue
            shown_order = [of[value] for value in sorted(of, key=places.__getitem__)]
            there = dict(zip(sorted(shown_order), shown_order, strict=True))
            orders = [[there.get(rank, rank) for rank in every], *_with_one_moved(every)]
            beats = [
                (of[high], of[low]) for (high, low), times in shown.beats.items() if times > shown.beats[low, high]
            ]
            for order in orders:
                if all(order.index(high) > order.index(low) for high, low in beats):
                    yield name, _coded(RANKS, at, *order)

    def _is_borne_out(self, name: str, places: Mapping[int, int]) -> bool:
        """Whether an order agrees with far more tricks that go against the rules than it disagrees with, whatever ranks
        the other cards: a single card that an implementation does not know makes no other order.
        """
        mended = wrong = 0
        for ((of, one), (other_of, other), even), times in self.pairs.items():
            if name in (of, other_of) and (of, one) != (other_of, other):
                first, second = (places[each] if by == name else each for by, each in ((of, one), (other_of, other)))
                right = first == second if even else first > second
                wrong += 0 if right else times
                mended += times if right and not (one == other if even else one > other) else 0
        return mended > 0 and mended >= FAR_MORE * wrong


def ranking() -> str:
    """Return the question how high a card ranks."""
    return next((table.of for table in plan().tables if table.kind == "ranking"), "")


# ---- as a change of the rules ------------------------------------------------------------------------


def _coded(*numbers: int) -> int:
    """Return a number for a change, the same on every machine."""
    return int("1" + "".join(f"{number:0{_WIDTH}}" for number in numbers))


def constants(chain: Chain, names: Sequence[str], number: int) -> Iterator[int]:
    """Yield the codes of the changes that put a number in the place of one that these statements compute."""
    return (_coded(CONSTANT, *place, number) for place in computed(chain, names))


def shifted(chain: Chain, names: Sequence[str], by: Iterable[int]) -> Iterator[int]:
    """Yield the codes of the changes that make a written number of these statements more or less by one of these."""
    return (
        _coded(CONSTANT, *place, number + shift)
        for *place, number in written(chain, names)
        for shift in by
        if number + shift >= 0
    )


def conditions(chain: Chain, graph: Graph, rule: str) -> tuple[dict[int, t.Statement], dict[int, tuple[str, bool]]]:
    """Return the codes of the changes by which a rule holds only where something else does, too, or does not: each with
    a question whether it does for a seat that acts; or with a word that is said, and whether that is to be.
    """
    items = lower(chain).items
    at, statement, names = (
        [*items].index(rule),
        items[rule].statement,
        {param.name for param in graph.rules[rule].binds},
    )
    me = t.Name("s")
    us = t.Call(TEAM, (me,))
    own: dict[str, t.Expr] = {ME: me, US: us, THEM: t.Call(OTHER, (us,))}
    params = (t.Param(me.text, t.TypeText((t.Name(SEAT),))),)
    asked, words = dict[int, t.Statement](), dict[int, tuple[str, bool]]()
    for which, part in enumerate(_conditions(statement, chain, graph)):
        code = _coded(CONDITION, at, which)
        if isinstance(part, t.Compare) and names & mentioned(part.left):
            words[code] = said(part.right), part.relation == "is"
            continue
        question = t.Statement(
            "define", f"condition.{which}", statement.span, statement.name_span, cites=statement.cites
        )
        asked[code] = replace(question, params=params, prose=statement.prose, value=putting(part, own))
    return asked, words


def _conditions(rule: t.Statement, chain: Chain, graph: Graph) -> list[t.Expr]:
    """Return what can be asked with yes or no of who acts, of anybody, of the sides, of what is known and of a word."""
    me, x, sides = t.Name(ME), t.Name("x"), (t.Name(US), t.Name(THEM))
    found: list[t.Expr] = [t.Compare("is", me, t.Name(seat)) for seat in known_seats(chain)]
    for define in graph.defines.values():
        if define.name.startswith((NEVER, OBSERVED)) or define.type.base != FLAG or define.type.many:
            continue
        match [param.type.base for param in define.params]:
            case []:
                found.append(t.Name(define.name))
            case [base] if base == SEAT:
                anybody = t.Quant("some", (t.Binder(SEAT, x.text, None, None),), None, t.Call(define.name, (x,)))
                found += [t.Call(define.name, (me,)), anybody]
            case [base] if base == TEAM:
                found += [t.Call(define.name, (side,)) for side in sides]
    for datum in graph.data.values():
        name = t.Name(datum.name)
        if [param.type.base for param in datum.params] == [TEAM] and datum.type.base == NUMBER:
            own, other = (t.Call(datum.name, (side,)) for side in sides)
            found += [t.Compare("<", own, other), t.Compare("<", other, own)]
        if datum.params or datum.type.many:
            continue
        if datum.type.base == FLAG:
            found.append(name)
        elif datum.type.base == TEAM:
            found += [t.Compare("is", name, side) for side in sides]
        elif datum.type.name in graph.orders:
            found += [t.Compare("is", name, _member(each)) for each in graph.orders[datum.type.name]]
        elif datum.type.base == NUMBER:
            found.append(t.Compare(">", name, t.Number(0)))
    found += _anything_laid(graph)
    if rule.name in graph.rules:
        for param in graph.rules[rule.name].binds:
            found += [
                t.Compare("is", t.Name(param.name), _member(each)) for each in graph.orders.get(param.type.name, ())
            ]
    return [each for part in found for each in (_denied(part), part)]


def _denied(part: t.Expr) -> t.Expr:
    """Return what holds where a part does not."""
    if isinstance(part, t.Compare) and part.relation in DENIED:
        return replace(part, relation=DENIED[part.relation])
    return t.Not(part)


def _anything_laid(graph: Graph) -> Iterator[t.Expr]:
    """Yield whether anybody has a card now in a place of which each has one at a time, such as a trick."""
    times = [datum for datum in graph.data.values() if not datum.params and datum.type.name]
    for datum in graph.data.values():
        match datum.params:
            case [time, seat] if datum.type.base == CARD and seat.type.base == SEAT:
                for now in (each for each in times if each.type.name == time.type.name):
                    place = t.Call(datum.name, (t.Name(now.name), t.Name("x")))
                    there = t.Compare("is not", place, t.Name(NOTHING))
                    yield t.Quant("some", (t.Binder(SEAT, "x", None, None),), None, there)


def _member(name: str) -> t.Expr:
    return t.Number(int(name)) if name.isdecimal() else t.Name(name)


def change_of(chain: Chain, graph: Graph, code: int) -> Mutant:
    """Return the change of a code."""
    text = str(code)
    kind, at, *rest = (int(text[n : n + _WIDTH]) for n in range(1, len(text), _WIDTH))
    if kind == CONSTANT:
        which, number = rest
        return constant(chain, at, which, number)
    statement = [*lower(chain).items.values()][at].statement
    if kind == CONDITION:
        return conditional(statement, _conditions(statement, chain, graph)[rest[0]])
    if kind == RANKS:
        return declared_otherwise(statement, rest)
    return (reordered if kind == ORDER else untied)(statement, graph, rest)


def declared_otherwise(statement: t.Statement, order: Sequence[int]) -> Mutant:
    """Return the change by which the members of an order are declared in another one."""
    members = tuple(statement.members[n] for n in order)
    new, old = (" < ".join(map(said, each)) for each in (members, statement.members))
    other = replace(statement, members=members)
    return Mutant(statement, becomes(other), f"“{new}” in place of “{old}”", deep=True)


def untied(statement: t.Statement, graph: Graph, suits: Sequence[int]) -> Mutant:
    """Return the change by which suits distinguish equal cards, from the lowest to the highest."""
    assert statement.value is not None  # it ranks cards
    (card, *_) = statement.params
    names = graph.orders[graph.suits]
    found: t.Expr = t.Number(0)
    suit = t.Call("suit", (t.Name(card.name),))
    for number, each in enumerate(suits):
        found = t.Choose(t.Number(number), t.Compare("is", suit, t.Name(names[each])), found)
    value = t.Arith("+", t.Arith("*", statement.value, t.Number(len(names))), found)
    named = sorted(enumerate(names[suit] for suit in suits))
    what = f"“{_row(named)}” in place of “{_row([(0, name) for _, name in named])}”"
    return Mutant(statement, becomes(replace(statement, value=value)), what, deep=True)


def reordered(statement: t.Statement, graph: Graph, order: Sequence[int]) -> Mutant:
    """Return the change by which each strength is replaced by the one that was shown."""
    ranked = list(zip(*[iter(order)] * 3, strict=True))
    assert statement.value is not None  # it ranks cards
    value = statement.value
    for _, old, new in ranked:
        if old != new:
            there = t.Compare("is", statement.value, t.Number(old), value.span)
            value = t.Choose(t.Number(new), there, value, value.span)
    names = [(_named(graph, graph.cards[card], mentioned(statement.value)), old, new) for card, old, new in ranked]
    shown = _row(sorted((new, name) for name, _, new in names))
    ruled = _row(sorted((old, name) for name, old, _ in names))
    other = replace(statement, value=value)
    return Mutant(statement, becomes(other), f"“{shown}” in place of “{ruled}”", deep=True)


def _named(graph: Graph, card: Card, asked: Set[str]) -> str:
    """Return a card by what of it is asked: its rank, its suit or both."""
    if "suit" in asked and "rank" not in asked:
        return graph.orders[graph.suits][card.suit]
    return graph.orders[graph.ranks][card.rank] if "rank" in asked and "suit" not in asked else card.name


def _row(ranked: Sequence[tuple[int, str]]) -> str:
    """Return names from the lowest to the highest, as an order is written."""
    text = ranked[0][1]
    for (before, _), (value, name) in itertools.pairwise(ranked):
        text += f" {'<' if before < value else '='} {name}"
    return text
