"""A log or a case begins as a game can stand: at rest, and as none of the questions ``never.x`` forbids."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from table import after

from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, Plays
from truco_spec.conformance.runner import runner
from truco_spec.engine.game import Game
from truco_spec.engine.ruling import Unreachable, broken, changed_by_none
from truco_spec.engine.support import CHANCE
from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import NEVER
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import Replay

TWO = "paulista | p0 p1 | dealer p1"
FOUR = "P0 P1 P2 P3 | dealer P0"
SIX = "P0 P1 P2 P3 P4 P5 | dealer P0"
MANO = "argentino | ana bia | dealer bia"
WON = "envido.closed yes, envido.last envido, envido.times envido 1, envido.offer 2, told 33, prover ana"
"""An envido of two points that ana has won."""

SECOND = "paulista | p0 p1 | position play; dealer p1; cards p0 4H 6H, p1 5D 6D; vira 7C"
"""The second trick of two, but for the first."""
LAST_LEADS = SECOND.replace("paulista", "paulista tie-lead=last")
CALLED = "position truco.answer play; dealer p1; cards p0 4H 6H AC, p1 5D 6D KC; vira 7C; truco.offer 1"
ASKED = f"paulista | p0 p1 | {CALLED}"
TRICK_WON = (
    "mineiro | P0 P1 P2 P3 | position play; dealer P0; cards P0 5C 6C, P1 5S 6S, P2 5H 6H, P3 5D 6D; current 2; "
    "laid 1 P1 JC, 1 P2 3C, 1 P3 2S, 1 P0 QC; won 1 P0; leader P2; turn P2"
)
TRICK_TIED = TRICK_WON.replace("3C", "2C").replace("won 1 P0; leader P2; turn P2", "won 1 tie; leader P1; turn P1")
LAID = "Each player lays one card in each trick"
HELD = "Of the cards dealt each holds those that are not laid yet"
IN_TURN = "The cards of a trick are laid in turn"

UNREACHABLE = {
    f"mineiro scoring=points | {FOUR} | score P1 11 | P1 3C": "every tento counts 2, so no score is odd",
    f"mineiro | {FOUR} | score P1 12 | P1 3C": "The moment a team has 12 points, it wins",
    f"mineiro-wp | {FOUR} | score P1 12, P0 4 | P1 3C": "The moment a team has 12 points, it wins",
    f"mineiro | {FOUR} | score P1 15 | P1 3C": "The moment a team has 12 points, it wins",
    f"{TWO} | start current 3, won 1 p0, won 2 p0, leader p0, turn p0 | p0 4H, p1 5D": "as soon as it is decided",
    f"{TWO} | start current 2, won 1 tie, won 2 p0 | p0 4H": "as soon as it is decided",
    f"{TWO} | start current 3 | p0 4H": "The tricks are played in their order",
    f"{TWO} | start current 2, won 1 tie, won 3 tie | p0 4H": "The tricks are played in their order",
    f"{TWO} | score p0 11 | start truco.level 2 | p0 jogo, p0 4H": "With a team at 11 there is no truco",
    f"{TWO} | start truco.level 1 | p0 4H": "belongs to the side that accepted it",
    f"{TWO} | start truco.holder p1 | p0 4H": "where nothing was raised none does",
    "argentino | ana bia | dealer bia | start truco.level 2 | ana 4C": "belongs to the side that accepted it",
    "argentino | ana bia | dealer bia | score ana 30 | ana 4C": "30",
    f"{TWO} | start current 2, won 1 p0, leader p1, turn p1 | p1 4H": "the side that took a trick leads the next",
    f"{TWO} | start current 2, won 1 tie, leader p1, turn p1 | p1 4H": "After ties alone the mano leads",
    f"paulista | {FOUR} | start current 3, won 1 tie, won 2 tie, leader P2, turn P2 | P2 4H": "the mano leads",
    "paulista tie-lead=first | a b | dealer b | start current 2, won 1 tie, leader b, turn b | b 4H": "the mano leads",
    f"argentino | {FOUR} | start current 2, won 1 tie, leader P2, turn P2 | P2 4C": "After ties alone the mano leads",
    f"{TWO} | start carried 2 | p0 4H": "Nothing in these rules changes “carried”",
    f"{TWO} | start games-won p0 1 | p0 4H": "Nothing in these rules changes “games-won”",
    f"{MANO} | start owed 7 | ana 4C": "Whoever won an envido has told its count",
    f"{MANO} | start told 33 | ana 4C": "Whoever won an envido has told its count",
    f"{MANO} | start prover ana | ana 4C": "Whoever won an envido has told its count",
    f"{MANO} | start {WON}, owed 7 | ana 4C": "scored what it offered",
    f"{MANO} | start envido.offer 4 | ana 4C": "stands from its first word on",
    f"{MANO} | start envido.last envido | ana 4C": "stands from its first word on",
    f"{MANO} | start envido.times envido 2 | ana 4C": "stands from its first word on",
    f"{MANO} | start said ana 33 | ana 4C": "Points are told once an envido was accepted",
    f"{MANO} | start speaker bia | ana 4C": "Points are told once an envido was accepted",
    f"{MANO} | start {WON}, best bia | ana 4C": "The best so far has told a count",
    f"{MANO} | start contest points | ana 4C": "only while they are compared",
    f"{MANO} | start opener ana | ana 4C": "before one was called",
    f"{MANO} | start flor-bid rest | ana 4C": "before one was called",
    f"{MANO} | start accused ana | ana 4C": "only when it was asked for",
    f"pica-pica | {SIX} | start duel 2 | P1 4C": "Duels are played in pica-pica alone",
    f"pica-pica | {SIX} | start challenger P2 | P1 4C": "the mano's first",
    f"fisch | {FOUR} | start raise-rests yes | P1 KS": "Only after a raise that was accepted",
    f"fisch declined-redeal=same | {FOUR} | start declined yes | P1 KS": "was given up is not played",
    f"{TWO} | start leader p1, turn p1 | p1 4H": "The mano leads the first trick",
    f"{TWO} | start turn p1 | p1 4H": IN_TURN,
    f"{TWO} | start outcome p0 | p0 4H": "has gone to nobody yet",
    f"{TWO} | start champion p0 | p0 4H": "A match that is over is not played on",
    f"{TWO} | start game-winner p0 | p0 4H": "A game that is over is not played on",
    f"{TWO} | start onze yes | p0 4H": "A hand is of 11 for a side that stood there",
    f"{TWO} | score p0 11, p1 11 | start onze yes | p0 jogo": "is not the iron hand as well",
    f"{TWO} | start current 2, won 1 p0, turn p0 | p0 4H": LAID,
    f"{TWO} | start current 3, won 1 tie, won 2 tie | p0 4H": LAID,
    f"{SECOND}; current 2; won 1 p0": LAID,
    f"{SECOND}; current 2; laid 1 p0 AC; won 1 p0": LAID,
    f"{SECOND}; current 2; laid 1 p0 AC, 1 p1 KC, 3 p1 JC; won 1 p0": LAID,
    f"{SECOND}; current 2; laid 1 p0 AC, 1 p1 KC; won 1 p1; leader p1; turn p1": "The highest card of a trick took it",
    SECOND: HELD,
    f"{SECOND.replace('p0 4H', 'p0 2S 4H')}; current 2; laid 1 p0 AC, 1 p1 KC; won 1 p0": HELD,
    f"{SECOND.replace('p0 4H', 'p0')}; current 2; laid 1 p0 AC, 1 p1 KC; won 1 p0": HELD,
    f"{SECOND}; current 2; laid 1 p0 AC, 1 p1 KC, 2 p1 JC; won 1 p0; turn p0": IN_TURN,
    f"{SECOND}; current 2; laid 1 p0 AC, 1 p1 KC; won 1 p0; turn p1": IN_TURN,
    f"{TWO} | start down 1 p0 yes | p0 4H": "What is covered is a card that was laid",
    f"{TWO} | start truco.offer 2 | p0 4H": "belongs to the side that accepted it",
    f"{TWO} | start truco.caller p1 | p0 4H": "belongs to the side that accepted it",
    f"{TWO} | start bet-trick 1 | p0 4H": "Where a truco bets on a trick",
    f"{TRICK_WON}; truco.level 1; truco.holder P0": "Where a truco bets on a trick",
    f"{TRICK_WON}; truco.level 1; truco.holder P0; bet-trick 1": "Where a truco bets on a trick",
    f"mineiro | {FOUR} | start truco.level 1, truco.holder P0, bet-trick 2 | P1 3C": "Where a truco bets on a trick",
    f"{ASKED}; truco.caller p0": "A raise is put to the other side",
    f"{ASKED}; truco.caller p0; truco.asked p0": "A raise is put to the other side",
    f"{ASKED.replace('offer 1', 'offer 3')}; truco.caller p0; truco.asked p1": "A raise is put to the other side",
}
REACHABLE = [
    "paulista | p0 p1 | position play; dealer p1; cards p0 4H 6H AC 2C, p1 5D 6D KC; quota p0 4; vira 7C | p0 4H",
    TRICK_WON,
    f"{TRICK_TIED}; truco.level 1; truco.holder P0; bet-trick 1",
    f"mineiro scoring=points | {FOUR} | score P1 10 | P1 jogo, P1 3C",
    f"mineiro | {FOUR} | score P1 11 | P1 jogo, P1 3C",
    f"mineiro | {FOUR} | score P1 11, P0 11 | P1 turn-up",
    f"mineiro-wp run-at-ten=1 | {FOUR} | score P1 11, P0 7 | P1 jogo, P1 3C",
    f"paulista-wp scoring=points | {FOUR} | score P0 9 | P1 3C",
    f"{TWO} | start truco.level 2, truco.holder p1 | p0 4H, p1 nove",
    f"{TWO} | start truco.level 1, truco.offer 1, truco.caller p0, truco.asked p1, truco.holder p1 | p0 4H, p1 5D",
    f"{SECOND}; current 2; laid 1 p0 AC, 1 p1 KC; won 1 p0; turn p0 | p0 4H, p1 5D",
    f"{SECOND}; current 2; laid 1 p0 KS, 1 p1 KC; won 1 tie; turn p0 | p0 4H, p1 5D",
    f"{LAST_LEADS}; current 2; laid 1 p0 KS, 1 p1 KC; won 1 tie; leader p1; turn p1 | p1 5D, p0 4H",
    (
        "paulista | p0 p1 | position play; dealer p1; cards p0 4H, p1 5D; vira 7C; current 3; "
        "laid 1 p0 AC, 1 p1 KC, 2 p0 4S, 2 p1 5S; won 1 p0, 2 p1; leader p1; turn p1 | p1 5D, p0 4H"
    ),
    (
        "mineiro tie-lead=first | P0 P1 P2 P3 | position play; dealer P0; cards P0 5C 6C, P1 5S 6S, P2 5H 6H, "
        "P3 5D 6D; current 2; laid 1 P1 JC, 1 P2 2C, 1 P3 2S, 1 P0 QC; won 1 tie; leader P2; turn P2 | P2 5H"
    ),
    (
        f"gamelog run-unasked=team counter-as-answer=on | {FOUR} | "
        "P1 truco, P2 truco-6, P1 truco-9, P2 truco-12, P1 truco-15, P2 aceito, P1 corro"
    ),
]


def played(line: str) -> None:
    list(Replay(read_line(line)).steps())


@pytest.mark.parametrize("line", UNREACHABLE)
def test_what_no_game_reaches_is_told_with_its_rule(line: str) -> None:
    with pytest.raises(LogError) as refused:
        played(line)
    (found,) = refused.value.diagnostics
    assert found.message.startswith("No game can begin so. ")
    assert UNREACHABLE[line] in found.message
    assert found.span.column > 1


def test_a_game_in_python_begins_as_one_can_stand() -> None:
    """As a log does: twelve points end the game, and in the shorter one no score is odd."""
    with pytest.raises(Unreachable, match=r"No game can begin so\. The moment a team has 12 points, it wins"):
        Game(load("mineiro"), start={"score": {0: 12}})
    with pytest.raises(Unreachable, match="The moment a team has 30 points, it wins"):
        Game(load("argentino", games="best-of-three"), start={"score": {0: 59}})
    with pytest.raises(Unreachable, match="no score is odd"):
        Game(load("mineiro", scoring="points"), start={"score": {0: 11}})


def test_what_is_arranged_against_the_rules_is_taken_back() -> None:
    game = after("paulista | P1 3C")
    position = list(game.position)
    with pytest.raises(Unreachable, match="The tricks are played in their order"):
        game.arrange({"current": {(): 3}})
    assert (list(game.position), len(game.history)) == (position, len(after("paulista | P1 3C").history))


@pytest.mark.parametrize("line", REACHABLE)
def test_what_a_game_reaches_is_played(line: str) -> None:
    played(line)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("cut", "score"), [("cut", 15), ("cut", 13), ("counted", 15)])
def test_the_shorter_game_has_an_odd_score_only_where_it_is_cut_at_an_odd_target(cut: str, score: int) -> None:
    """A truco worth 4 at 12 to 0 makes 16 of 15, which is recorded as 15 where a score is cut at the target."""
    house = 'variant house extends mineiro { title "H" set target 15 @decided:score-cap }'
    game = Game(load_text(house, scoring="points", score_beyond_target=cut))
    game.position[game.layout.blocks["score"].slot((0,))] = score
    assert ("never.odd-score" in broken(game)) is not (cut == "cut" and score == 15)


@pytest.mark.parametrize(
    "line",
    [
        (
            "nowadays players=2 bet=trick | P0 P1 | dealer P1 | deal P0 QC 5C 4D, P1 AD 2S 4S, vira 3H | "
            "P0 QC, P1 AD, P1 truco, P0 aceito, P1 (2S), P0 (5C)"
        ),
        (
            "paulista-wp tie-lead=first run-unasked=player-only scoring=points | P0 P1 P2 P3 | dealer P2 | "
            "deal P3 5H 4D 4C, P0 4S 4H 5C, P1 6S 5D 5S, P2 6H 7D 7C, vira KD | P3 5H, P0 corro, P1 6S, P2 6H, P1 corro"
        ),
    ],
)
def test_the_lead_moves_from_the_mano_where_a_trick_was_taken_or_its_leader_gave_up(line: str) -> None:
    game = Replay(read_line(line)).played_out()
    assert not list(broken(game))
    assert Replay(read_line(game.position_line())).played_out().position == game.position


class Points(Reference):
    """The reference engine, which always plays the shorter game."""

    def hello(self) -> Introduction:
        return Introduction("points", "1", {"mineiro": Plays((4,), always={"scoring": "points"})}, ("hand", "winner"))


@pytest.mark.parametrize("name", ["pagat-special-17", "pagat-special-18", "pagat-table-14"])
def test_a_score_that_its_options_do_not_have_is_not_put_to_an_implementation(name: str) -> None:
    for instance in chosen(corpus.load(), names=[name]):
        if instance.variant == "mineiro":
            result = runner.play(instance, _AsStranger())
            assert (result.verdict, result.reason) == ("unsupported", "always plays scoring points")


class _AsStranger:
    """Points, but not known for the reference engine."""

    def __init__(self) -> None:
        self.points = Points()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.points, name)


def settings(number: int) -> Iterator[tuple[str, dict[str, str]]]:
    """Every variant as it is, then some with options set at random."""
    yield from ((name, {}) for name in variant_names())
    for seed in range(number):
        rng = random.Random(seed)
        name = rng.choice(variant_names())
        options = load(name).options.values()
        yield name, {option.name: rng.choice(option.values) for option in options if rng.random() < 0.3}


def none_breaks(number: int, actions: int) -> None:
    for name, options in settings(number):
        try:
            graph = load(name, **{option.replace("-", "_"): value for option, value in options.items()})
        except SpecError:
            continue
        rng = random.Random(1)
        game = Game(graph)
        for _ in range(actions):
            told = (name, options, [game.text(event.action) for event in game.history])
            assert not [*broken(game), *changed_by_none(game)], told
            if not (legal := game.legal_actions()):
                break
            game.push(rng.choice(legal))


@pytest.mark.campaign
def test_play_never_comes_to_what_the_rules_say_is_never_under_any_options() -> None:
    none_breaks(100, 600)


def begun(game: Game, rng: random.Random) -> Game:
    """The first position of a game where players, and not chance, are to act."""
    while all(action.actor == CHANCE for action in game.legal_actions()):
        game.push(rng.choice(game.legal_actions()))
    return game


def anything(game: Game, rng: random.Random) -> dict[str, dict[tuple[int, ...], int]]:
    """A datum of the hand or two, with values of their types."""
    graph, blocks = game.graph, game.layout.blocks
    data = [d for d in graph.data.values() if d.fresh and not d.type.place and not d.type.many]
    start = {}
    for datum in rng.sample(data, rng.choice((1, 2))):
        words = [graph.words[word] for word in datum.type.words]
        values = [*range(datum.type.low, datum.type.high + 1), *words]
        start[datum.name] = {rng.choice(blocks[datum.name].indices()): rng.choice(values)}
    return start


@pytest.mark.sample(60, long=200)
@pytest.mark.parametrize("seed", range(660))
def test_with_whatever_a_hand_begins_it_is_refused_or_goes_on(seed: int) -> None:
    rng = random.Random(seed)
    game = begun(Game(load(rng.choice(variant_names()))), rng)
    try:
        game.arrange(anything(game, rng))
    except Unreachable:
        return
    for _ in range(60):
        if legal := game.legal_actions():
            game.push(rng.choice(legal))


@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_says_what_is_never(variant: str) -> None:
    assert sum(name.startswith(NEVER) for name in load(variant).defines) >= 2
