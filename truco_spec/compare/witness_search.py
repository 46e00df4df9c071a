"""Searches for witnesses at every possible table: first the cases of the corpus, then random play; for the rest each
side searches by itself. The logs found are shrunk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeAlias

from truco_spec.base.delta_debugging import reduced, stretches, without
from truco_spec.base.errors import TrucoError
from truco_spec.base.processes import beside, made_of, several
from truco_spec.compare.pair import (
    APART,
    WORKING,
    Pair,
    Parting,
    Witness,
    Witnesses,
    keys_of,
    witnesses,
)
from truco_spec.compare.random_search import CoverageSearch, RandomSearch
from truco_spec.compare.reasons import Reasons
from truco_spec.compare.scenario import Deal, Scenario, Side, tables
from truco_spec.compare.statements import Difference, Key
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.cases import Allowed, Cards, Deals, HandStep, Instance, Refused, card_list
from truco_spec.engine.game import Game
from truco_spec.graph.model import Graph
from truco_spec.logs.line import STRICT, UMPIRE
from truco_spec.logs.random_hands import SCORE

ROUNDS, FIRST = (7, 14, 30, 60, 80, 95), 30
"""The share of positions, in hundredths, at which each round of the search ends; logs are then shrunk, before the
``FIRST`` share only if none is missing. The search ends early once every relevant difference has a parting, or
something that led to one, and a round found nothing better.
"""
TOGETHER, QUESTS = 75, 25
"""The shares of positions for play by both, and for the remaining differences, in hundredths."""

PLAYING, SHORTENING = "playing", "shortening"

Progress = Callable[[int, str], None]
Followed: TypeAlias = tuple[tuple[int, int], Callable[[], tuple[Any, ...]]]
"""A table where one side plays, that side and the number of players; and what waits for the state of the search there
after its cases.
"""


class WitnessSearch:
    """Searches for logs that show differences; ``wanted`` are those that can matter in play.

    ``best`` holds the witnesses, each with its table; ``sizes`` the numbers of players possible for both; ``looked``
    the number of positions, ``spent`` those of random play among them. ``workers`` processes search the tables.
    """

    def __init__(
        self,
        sides: tuple[Side, Side],
        graphs: tuple[Graph, Graph],
        reasons: Reasons,
        positions: int,
        seed: str,
        progress: Progress,
        workers: int = 1,
    ) -> None:
        self.sides, self.graphs, self.reasons, self.found = sides, graphs, reasons, reasons.found
        self.workers, self.keys = workers, keys_of(reasons.found)
        self.wanted, self.positions, self.seed = reasons.wanted, positions, seed
        self.shown = self.progress = progress
        self.sizes = tables(*sides)
        self.best: dict[Key, tuple[Pair, Witness]] = {}
        self.searches: list[RandomSearch] = []
        self.alone: dict[tuple[int, int], RandomSearch] = {}
        self.looked = self.spent = 0

    def run(self) -> None:
        """Search all tables. If only one is common, another process plays there meanwhile, then follows the cases of
        tables where only one side plays; of several each has a process.
        """
        self.searches, elsewhere = list(self._tables()), list(self._elsewhere())
        most, first = self.positions * TOGETHER // 100 // len(self.searches), self.searches[0]
        works: list[Callable[[], Any]] = [first.some_steps, *(partial(self._followed, table) for table in elsewhere)]
        with beside(works, self.workers) as ask:
            followed: list[Followed] = []
            if several(self.workers) and len(self.searches) == 1:
                first.play_ahead(most * ROUNDS[-1] // 100, partial(ask, 0))
                followed = [(table, ask(number)) for number, table in enumerate(elsewhere, start=1)]
            every = made_of(partial(self._learned, most), self.searches, self.workers)
            for search, learned in zip(self.searches, every, strict=True):
                search.go_on(*learned)
                self.looked += search.positions
                self.spent += search.positions - search.counted_from
                self._merge(search)
            if not self.missing:
                return
            more = (one for one in enumerate(elsewhere, start=1) if not followed and self._missing_of(one[1][0]))
            followed += [(table, ask(number)) for number, table in more]
            self._prove(max(1, self.workers - bool(followed)), bounded=False)
            asked = self._play_elsewhere(followed)
        if self.missing:
            self._prove(self.workers, bounded=True)  # fast compared with a search for something absent
        self._quests(asked)

    def _tables(self) -> Iterator[RandomSearch]:
        """The common tables; without any, each side at its own."""
        for size in self.sizes:
            a, b = (side.at(size) for side in self.sides)
            assert a is not None and b is not None  # ``tables`` names only such sizes
            yield RandomSearch(Pair(*self.sides, (a, b), self.keys), self.found, f"{self.seed}.{size}")
        for number in () if self.sizes else (0, 1):
            yield RandomSearch(
                Pair(*self.sides, self.graphs, self.keys), self.found, f"{self.seed}.{number}", (number,)
            )

    def _play_elsewhere(self, followed: Iterable[Followed]) -> list[tuple[int, RandomSearch]]:
        """Search for the rest in the cases of tables where only one side plays.

        Returns where each side may search: at common tables, then at others.
        """
        asked = [(number, search) for search in self.searches for number in search.sides if self._missing_of(number)]
        for (number, size), learned in followed:
            if not self._missing_of(number):
                continue
            search = self._alone(number, size)
            search.go_on(*learned())
            self._shorten(search)
            self._merge(search)
            self.looked += search.positions
            asked.append((number, search))
        return asked

    def _followed(self, table: tuple[int, int]) -> tuple[Any, ...]:
        """Return the state of the search at a table after its cases."""
        search = self._alone(*table)
        self._follow(search)
        return search.learned()

    def _alone(self, number: int, size: int) -> RandomSearch:
        """The search at a table where only one side plays."""
        if (number, size) not in self.alone:
            own, at = self.sides[number].at(size), list(self.graphs)
            at[number] = own or at[number]
            pair = Pair(*self.sides, (at[0], at[1]), self.keys)
            self.alone[number, size] = RandomSearch(pair, self.found, f"{self.seed}.{number}.{size}", (number,))
        return self.alone[number, size]

    def _quests(self, asked: list[tuple[int, RandomSearch]]) -> None:
        """Each side searches for the rest by itself: at common tables, then both at once where only one can play."""
        asked = [(number, search) for number, search in asked if self._missing_of(number)]
        most = self.positions * QUESTS // 100 // max(1, len(asked))
        for number, search in asked:
            if len(search.sides) > 1:
                self._keep(search, self._quest(most, number, search, frozenset()))
        alone = [[search for _, search in asked if search.sides == (number,)] for number in (0, 1)]
        for searches, every in zip(
            alone, list(made_of(partial(self._quests_of, most), alone, self.workers)), strict=True
        ):
            for search, (learned, done) in zip(searches, every, strict=True):
                search.go_on(*learned)
                self._keep(search, done)

    def _quests_of(self, most: int, searches: Sequence[RandomSearch]) -> list[tuple[tuple[Any, ...], int]]:
        """Search for one side at tables of its own; return the state of each search, and the positions it examined."""
        known, made = frozenset[Key](), list[tuple[tuple[Any, ...], int]]()
        for search in searches:
            done = self._quest(most, search.sides[0], search, known)
            made.append((search.learned(), done))
            known |= frozenset(search.found.best)
        return made

    def _quest(self, most: int, number: int, search: RandomSearch, known: frozenset[Key]) -> int:
        """Search for one side at one table for unknown witnesses; return the positions examined."""
        keys = self._missing_of(number) - known
        if not keys:
            return 0
        begun, graph, players = search.positions, search.pair.graphs[number], search.players[number]
        others = borrowed(graph, players)
        for scenario in others:
            if keys <= search.found.best.keys():
                break
            search.works(scenario, number)
        if wanted := keys - search.found.best.keys():
            scenarios = [*precedents(graph, players), *others]
            workers = self.workers if len(search.sides) > 1 else 1  # else each side has a process
            quest = CoverageSearch(search, number, wanted, scenarios, workers)
            quest.run(most, partial(self._tell, self.spent - begun))
        self._shorten(search)
        return search.positions - begun

    def _keep(self, search: RandomSearch, done: int) -> None:
        self.looked += done
        self.spent += done
        self._merge(search)

    def _tell(self, before: int, done: int) -> None:
        self.progress(before + done, PLAYING)

    def _missing_of(self, number: int) -> frozenset[Key]:
        """The differences without a witness that this side has."""
        own = (d.key for d in self.found if (d.a, d.b)[number] is not None)
        return self.missing & frozenset(own)

    def _prove(self, workers: int, *, bounded: bool) -> None:
        self.reasons.prove(self.missing, bounded=bounded, workers=workers)
        self.wanted = self.reasons.wanted

    @property
    def missing(self) -> frozenset[Key]:
        """The relevant differences without a log."""
        return frozenset(key for key in self.wanted if key not in self.best)

    def _elsewhere(self) -> Iterator[tuple[int, int]]:
        """The tables at which only one side plays: which side, and the number of players."""
        for number, side in enumerate(self.sides):
            for size in side.sizes():
                if size not in self.sizes and (self.sizes or size != self.graphs[number].seats):
                    yield number, size

    def _learned(self, most: int, search: RandomSearch) -> tuple[Any, ...]:
        alone = self.workers == 1 or search is self.searches[-1]
        self.progress = self.shown if alone else lambda done, what: None  # of several at once one is shown
        self._table(search, most)
        search.ask = None
        return search.learned()

    def _table(self, search: RandomSearch, most: int) -> None:
        shrinker = Shrinker(search.pair, search.found, self.keys)
        _cards(search, self.found)
        self._follow(search)
        before, search.counted_from = self.spent - search.positions, search.positions
        settled: list[Witness | None] = []
        for part in ROUNDS:
            search.run(most * part // 100, partial(self._tell, before))
            every = self._every(search)
            if part < FIRST and not every:
                continue
            for key in sorted(search.found.best, key=lambda key: search.found.best[key].scenario.size):
                self.progress(before + search.positions, SHORTENING)
                if part <= FIRST or search.positions < search.counted_from + most:
                    shrinker.shorten(key)
            known = [search.found.best.get(key) for key in self.wanted]
            if known == settled and every:
                break
            settled = known

    def _every(self, search: RandomSearch) -> bool:
        """Whether every relevant difference has a parting, or something that led to one, at this table."""
        known = (search.found.best.get(key) for key in self.wanted)
        return all(witness is not None and witness.shows != WORKING for witness in known)

    def _follow(self, search: RandomSearch) -> None:
        """Record what the cases of the corpus show: where the two part, and the other statements at work."""
        cases = [(number, precedents(search.pair.graphs[number], search.players[number])) for number in search.sides]
        both = {repr(scenario): scenario for _, scenarios in cases for scenario in scenarios}  # many are of both sides
        for scenario in both.values() if search.alike else ():
            search.follow(scenario)
            self.progress(self.spent, PLAYING)
        for number, scenarios in cases:
            for scenario in scenarios:
                search.works(scenario, number)
                self.progress(self.spent, PLAYING)

    def _shorten(self, search: RandomSearch) -> None:
        """Shrink the new witnesses, of equal ones always in the same order, as one may show several differences."""
        shrinker = Shrinker(search.pair, search.found, self.keys)
        best = search.found.best
        for key in sorted(self.missing & set(best), key=lambda key: (best[key].scenario.size, key)):
            shrinker.shorten(key)

    def _merge(self, search: RandomSearch) -> None:
        for key, witness in search.found.best.items():
            if key not in self.best or witness.rank < self.best[key][1].rank:
                self.best[key] = search.pair, witness


def _cards(search: RandomSearch, found: Iterable[Difference]) -> None:
    """A card in only one pack is a witness by itself that the packs differ."""
    for difference in found:
        if difference.key[0] != "deck":
            continue
        for number in (0, 1):
            players = search.players[number]
            cards = [card for card in search.setups[number].cards if card not in search.both]
            played = [((card,), (f"{player} {card}",), player) for card in cards[:1] for player in players]
            for given, said, player in [*played, *((given, (), player) for given, _, player in played)]:
                scenario = Scenario(players, players[-1], deals=({player: given},), moves=(said,))
                parting = search.pair.parting(scenario)
                if parting is not None and "permitted" in (parting.a.status, parting.b.status):
                    shows = APART if search.alike else WORKING
                    search.found.note(Witness(difference.key, shows, scenario, 0, number))
                    break


# ---- Scenarios of the cases of the corpus: hands set up on purpose, to show one rule each ---------

_WORD = re.compile(r"[^\W_]+")


def precedents(graph: Graph, players: Sequence[str]) -> list[Scenario]:
    """Return the scenarios of the cases of a variant, and of those that it extends, for this number of players;
    shortest first.

    A queried move of a case is the end of a scenario of its own; if it is refused because nothing implicit is put in
    before it, an umpire sees it, who lets it happen so.
    """
    return _of_tables(graph, players, [len(players)])


def borrowed(graph: Graph, players: Sequence[str]) -> list[Scenario]:
    """Return the same from cases with fewer players: their hands, with others at the table."""
    return _of_tables(graph, players, range(len(players)))


def _of_tables(graph: Graph, players: Sequence[str], sizes: Container[int]) -> list[Scenario]:
    names = (*graph.lineage, graph.name)
    found: dict[str, Scenario] = {}
    fits = cache(partial(_has, graph, players))
    for instance in corpus.load_instances(*names):
        seats = ready.players_of(instance)
        if len(seats) in sizes:
            for scenario in _scenarios(instance, seats, players):
                fitting = scenario if fits(tuple(scenario.score.items())) else replace(scenario, score={})
                found.setdefault(repr(fitting), fitting)
    return sorted(found.values(), key=lambda scenario: scenario.size)


def _has(graph: Graph, players: Sequence[str], score: tuple[tuple[str, int], ...]) -> bool:
    """Whether a game can have this score."""
    try:
        Game(graph, start={SCORE: {players.index(player) % graph.teams: points for player, points in score}})
    except TrucoError:
        return False
    return True


def _scenarios(instance: Instance, seats: Sequence[str], players: Sequence[str]) -> Iterator[Scenario]:
    entry = instance.case.entry
    called = dict(zip(seats, players, strict=False))
    # Whoever deals last in the round does so at any table: the mano is the same.
    dealer = players[-1] if entry.dealer == seats[-1] else called.get(entry.dealer, entry.dealer)

    def named(text: str) -> str:
        return _WORD.sub(lambda word: called.get(word[0], word[0]), text.strip())

    def dealt(given: Mapping[str, Cards]) -> Deal:
        return {called.get(key, key): card_list(cards) for key, cards in given.items()}

    score = {called.get(player, player): points for player, points in entry.score.items()}
    deals, moves = [dealt(entry.deal)], list[tuple[str, ...]]([()])

    def scenario(*last: str) -> Scenario:
        said = (*moves[:-1], (*moves[-1], *last))
        return Scenario(tuple(players), dealer, score, (), entry.mode, tuple(deals), said)

    for step in entry.moves:
        match step:
            case str():
                moves[-1] += tuple(map(named, step.split(",")))
            case Refused():
                refused = scenario(named(step.refused))
                yield replace(refused, mode=UMPIRE) if step.before else refused
            case Allowed():
                yield scenario(named(step.allowed))
            case HandStep():
                deals.append({} if step.hand == "next" else dealt(step.hand.deal))
                moves.append(())
            case Deals():
                return
    yield scenario()


# --------------------------------------------------------------------------------------------------
# Shrinks a log that shows a difference, by delta debugging: hands are removed first, then moves, then data given before
# the first hand, then cards; repeated to a fixpoint. Intermediate logs may serve other differences too.

MOST_RUNS = 160
"""Maximum candidates tried for one difference."""
FEW = 6
"""Up to this number of moves any adjacent ones are left out; beyond, half of them, a quarter …"""


class Shrinker:
    """Shrinks the witnesses of one table."""

    def __init__(self, pair: Pair, found: Witnesses, keys: tuple[frozenset[Key], frozenset[Key]]) -> None:
        self.pair, self.found, self.keys = pair, found, keys
        self.partings: dict[str, Parting | None] = {}
        self.working: dict[str, tuple[frozenset[Key], frozenset[Key]]] = {}

    def shorten(self, key: Key) -> None:
        """Shrink the best witness of one difference."""
        reduced(self.found.best[key].scenario, (_shorter,), partial(self._better, key), MOST_RUNS)

    def _better(self, key: Key, scenario: Scenario) -> Scenario | None:
        """The scenario that now shows the difference, if this one does it better."""
        known = self.found.best[key]
        self._note(known, scenario)
        found = self.found.best[key]
        return found.scenario if found is not known else None

    def _note(self, known: Witness, scenario: Scenario) -> None:
        """Record what else the scenario shows, of this difference and others, if it is shorter."""
        if known.shows == WORKING:
            for key in sorted(self._working(scenario, known)):
                self.found.note(replace(known, key=key, scenario=scenario))
            return
        parting = self.parting(scenario)
        for witness in witnesses(parting, self.keys) if parting else ():
            if witness.key in self.found.best:
                self.found.note(witness)

    def _working(self, scenario: Scenario, known: Witness) -> frozenset[Key]:
        """Return the statements at work in a scenario by the side of a witness, if it is a better one for them;
        memoised.
        """
        written = repr((known.side, scenario))
        asked, shown = self.working.get(written, (frozenset(), frozenset()))
        if known.key not in asked:
            best = self.found.best
            asked = self.found.lacking(self.pair.played[known.side] & best.keys(), scenario, known.side)
            asked = frozenset(key for key in asked if best[key].side == known.side)
            shown = self.pair.at_work(scenario, known.side, asked)
            self.working[written] = asked, shown
        return shown

    def parting(self, scenario: Scenario) -> Parting | None:
        """Return where the two part in this scenario; memoised."""
        written = repr(scenario)
        if written not in self.partings:
            self.partings[written] = self.pair.parting(scenario, views=True)
        return self.partings[written]


def _shorter(scenario: Scenario) -> Iterator[Scenario]:
    """Yield smaller scenarios, those that omit most first."""
    yield from _last_alone(scenario)
    yield from _fewer_hands(scenario)
    yield from _fewer_moves(scenario)
    if scenario.mode != STRICT:
        yield replace(scenario, mode=STRICT)
    if scenario.start:
        yield replace(scenario, start=())
    if scenario.score:
        yield replace(scenario, score={})
    if any(scenario.deals):
        yield replace(scenario, deals=({},) * len(scenario.deals))
    for at in range(len(scenario.start) if len(scenario.start) > 1 else 0):
        yield replace(scenario, start=scenario.start[:at] + scenario.start[at + 1 :])
    for player in scenario.score if len(scenario.score) > 1 else ():
        yield replace(scenario, score={who: points for who, points in scenario.score.items() if who != player})
    yield from _fewer_cards(scenario)


def _last_alone(scenario: Scenario) -> Iterator[Scenario]:
    """The last move alone, by any of the players."""
    if scenario.said < 2:
        return
    words = scenario.moves[-1][-1].partition(" ")[2]
    for player in scenario.players:
        yield replace(scenario, deals=scenario.deals[-1:], moves=((f"{player} {words}",),))


def _fewer_hands(scenario: Scenario) -> Iterator[Scenario]:
    """Only the last hand, with any dealer; or without one of the others."""
    if len(scenario.moves) > 1:
        for dealer in scenario.players:
            yield replace(scenario, deals=scenario.deals[-1:], moves=scenario.moves[-1:], dealer=dealer)
    for at in range(len(scenario.moves) - 1):
        deals = scenario.deals[:at] + scenario.deals[at + 1 :]
        yield replace(scenario, deals=deals, moves=scenario.moves[:at] + scenario.moves[at + 1 :])


def _fewer_moves(scenario: Scenario) -> Iterator[Scenario]:
    """Without some moves, never the last: large groups first."""
    but_the_last = (*scenario.moves[:-1], scenario.moves[-1][:-1])
    for gone in stretches(but_the_last, _sizes(scenario.said - 1), FEW):
        yield replace(scenario, moves=without(scenario.moves, gone))


def _sizes(size: int) -> Iterator[int]:
    """The sizes of groups of moves: all, half of them, a quarter … and every number up to a few."""
    while size > 0:
        yield size
        size -= max(1, size // 2 if size > FEW else 1)


def _fewer_cards(scenario: Scenario) -> Iterator[Scenario]:
    """Without the cards of one player or place; then without the last of them."""
    for hand, deal in enumerate(scenario.deals):
        for key in deal:
            yield _dealt(scenario, hand, {other: cards for other, cards in deal.items() if other != key})
        for key, cards in deal.items():
            if len(cards) > 1:
                yield _dealt(scenario, hand, {**deal, key: cards[:-1]})
                yield _dealt(scenario, hand, {**deal, key: cards[1:]})


def _dealt(scenario: Scenario, hand: int, deal: dict[str, tuple[str, ...]]) -> Scenario:
    return replace(scenario, deals=(*scenario.deals[:hand], deal, *scenario.deals[hand + 1 :]))
