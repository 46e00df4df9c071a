"""Telling the points of an envido or a flor: the truth can always be told, and silence loses nothing."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from truco_spec.engine import Game
from truco_spec.graph.load import load
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

TABLES = [("argentino", 2), ("argentino", 4), ("uruguayo", 4), ("venezolano", 2), ("pica-pica", 6)]
PARTNERS = ["may-speak", "silent-until-beaten", "must-speak"]
FOUR_FLORES = (
    "P0 P1 P2 P3 | dealer P3 | deal P0 5E 4E 12E, P1 7B 1B 10B, P2 7O 6O 1O, P3 5C 3C 11C | "
    "P0 flor, P1 flor, P2 flor, P3 flor, P0 asi-queda"
)


def envidos(variant: str, players: int, count: int, **options: object) -> Iterator[tuple[Game, random.Random]]:
    """Hands dealt at random, in each of which an envido was accepted before the first card; and the chance to go on."""
    graph = load(variant, con_flor="off", envido_callers="anyone", players=players, **options)
    for chance in map(random.Random, range(count)):
        game = Game(graph)
        while game.phase != "play":
            game.push(chance.choice(game.legal_actions()))
        mano = game.ask("mano")
        game.push_all(f"P{mano} envido", f"P{(mano + 1) % players} quiero")
        yield game, chance


def a_flor(**options: str) -> Game:
    """Four flores are to be told."""
    given = " ".join(f"{name.replace('_', '-')}={value}" for name, value in options.items())
    replay = Replay(read_line(f"argentino {given} | {FOUR_FLORES}"))
    list(replay.steps())
    return replay.game


def speakers(game: Game) -> list[int]:
    return [seat for seat in range(len(game.players)) if game.ask("speakers") >> seat & 1]


def may(game: Game, text: str) -> bool:
    return game.permits(game.parse(text))


def the_truth(game: Game, seat: int) -> str:
    return f"P{seat} tengo {game.ask('tally', seat)}"


def best_seat(game: Game) -> int:
    """Who has the best count; of equal ones the mano's team, or with flores the first from the mano."""
    mano, seats = game.ask("mano"), range(len(game.players))
    flores = game.phase == "declaring" and game.ask("may-lie") == 0
    after = {seat: (seat - mano) % len(game.players) for seat in seats}
    return max(seats, key=lambda seat: (game.ask("tally", seat), -after[seat] if flores else after[seat] % 2 == 0))


@pytest.mark.sample(2)
@pytest.mark.parametrize("values", ["may-lie-checked-at-showing", "enforced-true"])
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_whoever_may_speak_may_tell_the_true_count(variant: str, players: int, values: str) -> None:
    for game, chance in envidos(variant, players, 20, declared_values=values):
        while game.phase == "declaring":
            assert all(may(game, the_truth(game, seat)) for seat in speakers(game))
            said = [the_truth(game, seat) for seat in speakers(game)]
            passes = [text for seat in speakers(game) if may(game, text := f"P{seat} paso")]
            game.push_text(chance.choice([*said, *passes]))


@pytest.mark.parametrize("count", [28, 29, 33, 34])
def test_a_flor_is_told_truly_whether_it_beats_the_best_or_not(count: int) -> None:
    game = a_flor()
    game.push_text("P0 tengo 29")
    assert may(game, f"P1 tengo {count}") == (count == 28)


@pytest.mark.sample(2)
@pytest.mark.parametrize("partners", PARTNERS)
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_who_keeps_silent_or_is_not_asked_loses_nothing(variant: str, players: int, partners: str) -> None:
    for game, chance in envidos(variant, players, 30, partner_of_best=partners):
        wins = best_seat(game)
        told_out(game, chance)
        assert game.value("score", wins % 2) == 2


@pytest.mark.sample(6)
@pytest.mark.parametrize(("partners", "seed"), list(itertools.product(PARTNERS, range(10))))
def test_the_best_flor_wins_whoever_keeps_silent(partners: str, seed: int) -> None:
    game = a_flor(partner_of_best=partners)
    told_out(game, random.Random(seed))
    assert game.observe()["score"] == {"P0": 12, "P1": 0}


def told_out(game: Game, chance: random.Random) -> None:
    """The points are told, truly: who beats the best says so, others tell, pass or keep silent."""
    while game.phase == "declaring":
        turn, best = game.value("speaker"), game.value("best")
        others = [seat for seat in speakers(game) if seat != turn]
        seat = chance.choice(others) if others and chance.random() < 0.5 else turn
        beats = game.ask("beats", game.ask("tally", seat), seat)
        tells = best < 0 or beats or chance.random() < 0.5
        game.push_text(the_truth(game, seat) if tells else f"P{seat} paso")


@pytest.mark.sample(2)
@pytest.mark.parametrize("partners", PARTNERS[:2])
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_nobody_waits_for_partners_of_the_best_alone(variant: str, players: int, partners: str) -> None:
    for game, chance in envidos(variant, players, 30, partner_of_best=partners):
        while game.phase == "declaring":
            turn, best = game.value("speaker"), game.value("best")
            assert best < 0 or (turn - best) % 2 == 1
            game.push(chance.choice(game.legal_actions()))


@pytest.mark.parametrize(
    ("variant", "options", "muestra"),
    [
        ("argentino", {}, ""),
        ("uruguayo", {}, ", muestra 6O"),
        ("uruguayo", {"pieza-values": "traditional"}, ", muestra 6O"),
    ],
)
def test_what_is_not_told_is_what_no_cards_count(variant: str, options: dict[str, str], muestra: str) -> None:
    given = " ".join(f"{name}={value}" for name, value in options.items())
    line = f"{variant} {given} | P0 P1 | dealer P1 | deal P0 7E 5O 3B{muestra} | P0 envido, P1 quiero"
    game = Replay(read_line(line)).played_out()
    cards = [1 << number for number, card in enumerate(game.graph.cards) if card.present and card.name != "6O"]
    counted = {game.ask("count-of", one | other) for one in cards for other in cards}
    assert {count for count in range(51) if may(game, f"P0 tengo {count}")} == counted
