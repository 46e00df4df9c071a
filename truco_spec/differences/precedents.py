"""Courses that the cases of the corpus play: hands set up on purpose, to show one rule each.

Chance seldom deals what a rule asks for; somebody who wrote a case did. A case is taken for its cards, score and moves
only: what it expects is not asked, and it may have been written for another variant or other options. A score that no
game of these rules has is left out.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

from truco_spec.conformance import corpus, filling
from truco_spec.conformance.cases import Allowed, Cards, Deals, Hand, Instance, Refused, card_list
from truco_spec.differences.scenario import Deal, Scenario
from truco_spec.differences.setups import SCORE
from truco_spec.engine.game import Game
from truco_spec.errors import TrucoError
from truco_spec.graph.model import Graph

_WORD = re.compile(r"[^\W_]+")


def precedents(graph: Graph, players: Sequence[str]) -> list[Scenario]:
    """The courses of the cases of a variant, and of those that it extends, for so many players; the shortest first.

    A move that a case only asks about ends a course of its own.
    """
    return _of_tables(graph, players, [len(players)])


def borrowed(graph: Graph, players: Sequence[str]) -> list[Scenario]:
    """The same from cases of fewer players: their hands, with others at the table."""
    return _of_tables(graph, players, range(len(players)))


def _of_tables(graph: Graph, players: Sequence[str], sizes: Container[int]) -> list[Scenario]:
    names = {graph.name, *graph.lineage}
    found: dict[str, Scenario] = {}
    fits = cache(partial(_has, graph, players))
    for case in corpus.load():
        if names.isdisjoint(case.applies.variants):
            continue
        for instance in corpus.instances(case):
            seats = instance.players or filling.players_of(instance.variant)
            if instance.variant in names and len(seats) in sizes:
                for course in _courses(instance, seats, players):
                    fitting = course if fits(tuple(course.score.items())) else replace(course, score={})
                    found.setdefault(repr(fitting), fitting)
    return sorted(found.values(), key=lambda course: course.size)


def _has(graph: Graph, players: Sequence[str], score: tuple[tuple[str, int], ...]) -> bool:
    """Can a game have such a score?"""
    try:
        Game(graph, start={SCORE: {players.index(player) % graph.teams: points for player, points in score}})
    except TrucoError:
        return False
    return True


def _courses(instance: Instance, seats: Sequence[str], players: Sequence[str]) -> Iterator[Scenario]:
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

    def course(*last: str) -> Scenario:
        said = (*moves[:-1], (*moves[-1], *last))
        return Scenario(tuple(players), dealer, score, (), entry.mode, tuple(deals), said)

    for step in entry.moves:
        match step:
            case str():
                moves[-1] += tuple(map(named, step.split(",")))
            case Refused():
                yield course(named(step.refused))
            case Allowed():
                yield course(named(step.allowed))
            case Hand():
                deals.append({} if step.hand == "next" else dealt(step.hand.deal))
                moves.append(())
            case Deals():
                return
    yield course()
