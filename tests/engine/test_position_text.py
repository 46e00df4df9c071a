"""A position that is written and read again is the same position, in which the same may happen; others are refused."""

from __future__ import annotations

import random

import pytest
from table import after, beginning
from tiny import linked

import truco_spec
from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.engine.game import Action, Game
from truco_spec.engine.position_text import LONGEST_POSITION, PositionError
from truco_spec.engine.ruling import Unreachable
from truco_spec.engine.sample import random_action
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

NAMES = ["ana", "bia", "caio", "davi", "eva", "fabio", "gil", "hugo"]
LOOKED_AT = 0.15
"""The share of the positions of a game that are written and read."""
FURTHER = 25
"""Actions that are played on in both games."""


def agreed(variant: str, rng: random.Random) -> Graph:
    """The variant under a few options at random, of those that can be agreed together."""
    options = load(variant).options
    for _ in range(20):
        chosen = {name: rng.choice(options[name].values) for name in rng.sample(list(options), 3)}
        try:
            return load(variant, **chosen)
        except SpecError:
            continue
    return load(variant)


def some_action(game: Game, rng: random.Random) -> Action | None:
    """What is permitted; or, before an umpire, now and then what is not."""
    legal = random_action(game, rng)
    if game.mode == "umpire" and legal is not None and legal.actor >= 0 and rng.random() < 0.2:
        other = legal._replace(actor=rng.randrange(game.graph.seats))
        return other if game.rule_on(other).status == "forbidden" else legal
    return legal


def comes_back(game: Game, rng: random.Random) -> int:
    """Write and read the position, and play on in both; the length of its text."""
    line = game.position_line()
    again = truco_spec.from_position(line)
    assert again.position == game.position, line
    assert again.position_line() == line
    assert (again.players, again.mode) == (game.players, game.mode)
    assert {n: o.value for n, o in again.graph.options.items()} == {n: o.value for n, o in game.graph.options.items()}
    for _ in range(FURTHER):
        assert again.legal_actions() == game.legal_actions(), line
        action = some_action(game, rng)
        if action is None:
            break
        assert again.push(action) == game.push(action)
        assert again.position == game.position, line
        assert again.observe() == game.observe()
    for _ in range(len(again.history)):
        game.pop()
    return len(game.position_text())


def all_come_back(graph: Graph, seed: int, actions: int) -> None:
    """Play at random from nothing or from near the end, strictly or before an umpire."""
    rng = random.Random(seed)
    near = {team: rng.choice((0, graph.data["score"].type.high // 2 - 1)) for team in range(graph.teams)}
    start = beginning(graph, "strict", {"score": near}).position_text()
    mode = rng.choice(("strict", "umpire"))
    game = Game(graph, players=NAMES[: graph.seats], mode=mode, start=None)
    if rng.random() < 0.5:
        named = start.replace("P0", NAMES[0]).replace("P1", NAMES[1])
        game = Game(graph, players=NAMES[: graph.seats], mode=mode, position_text=named)
    for _ in range(actions):
        if rng.random() < LOOKED_AT:
            assert comes_back(game, rng) < LONGEST_POSITION / 8
        action = some_action(game, rng)
        if action is None:
            comes_back(game, rng)
            return
        game.push(action)


@pytest.mark.sample(2)
@pytest.mark.parametrize("variant", variant_names())
def test_every_position_comes_back(variant: str) -> None:
    all_come_back(load(variant), 1, 40)


@pytest.mark.sample(0, long=4)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("variant", variant_names())
def test_so_does_every_position_however_the_game_is_agreed(variant: str, seed: int) -> None:
    for at in range(3):
        rng = random.Random(100 * seed + at)
        all_come_back(agreed(variant, rng), 100 * seed + at, 150)


def test_a_position_has_one_text() -> None:
    game = after("paulista | deal P0 3C 4D 5H, vira 6S | P1 truco, P2 aceito")
    phase, *data = game.position_text().split("; ")
    untidy = " ;".join([phase, "score P0 0", *reversed(data)]).replace(",", " ,  ") + "; "
    assert Game(game.graph, position_text=untidy).position_text() == game.position_text()


def test_a_game_of_a_position_has_no_past() -> None:
    game = Game(load("paulista"), position_text=after("paulista | P1 truco").position_text())
    assert game.history == []
    assert game.opening == ()
    assert game.observe()["proposal"] == 3
    with pytest.raises(TrucoError, match="nothing to take back"):
        game.pop()


def test_a_seat_sees_the_number_of_cards_that_others_hold() -> None:
    game = after("argentino | deal P0 1E 7O 4C, P1 3E 2O 5C | P1 3E")
    mine, theirs = game.position_text(0), game.position_text(1)
    assert "cards P0 7O 1E 4C, P1 ?? ??, P2 ?? ?? ??, P3 ?? ?? ??" in mine.replace("4C 7O 1E", "7O 1E 4C")
    assert "cards P0 ?? ?? ??, P1" in theirs
    assert "laid 1 P1 3E" in mine
    assert "held P0" in mine
    assert "held P1" not in mine
    with pytest.raises(PositionError, match="Which card this is has to be known"):
        Game(game.graph, position_text=mine)


def test_own_rules_have_positions_too() -> None:
    graph = linked(
        'action go\n rule going @decided:tiny "On." in start by everyone may go when count-down is 3 do count-down = 1'
        '\n rule played @decided:tiny "On." in later by everyone may play(c)'
        "\n do move c to mine(me), move c to shown, turn = me, ready = yes, passed = passed + {me}"
    )
    game = Game(graph)
    assert game.position_text() == "start"
    game.push_text("P0 go")
    assert game.position_text() == "start; count-down 1"
    for text in ("start; count-down 1", "later", "start; mine P1 4D AS; shown 5S; turn -; ready yes; passed P0 P1"):
        assert Game(graph, position_text=text).position_text() == text


# ---- what is refused -----------------------------------------------------------------------------

HELD = "cards P0 4C KS 2H, P1 QD 3C 7S"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ""),
        (";", "begins with the phase"),
        ("plya", "There is no phase “plya”. Did you mean “play”?"),
        ("play truco.answer", "“play” interrupts no other phase"),
        ("truco.answer", "“truco.answer” interrupts play, which has to stand behind it"),
        ("truco.answer hand", "“truco.answer” interrupts play, and not hand"),
        ("play play play play play", "More than 4 phases"),
        ("play;; dealer P0", "A datum and its value are missing here"),
        ("play; delaer P0", "no datum “delaer” in paulista. Did you mean “dealer”?"),
        ("play; pack 3C", "“pack” is not given"),
        ("play; dealer", "An entry of “dealer” is not complete. Behind “dealer” stands its value."),
        ("play; dealer P0,", "An entry of “dealer” is not complete"),
        ("play; score P0", "Behind “score” stands a player, its value."),
        ("play; dealer P0 P1", "“dealer” has one value, and “P1” is too much"),
        ("play; dealer P9", "“P9” is not a player"),
        ("play; dealer P0; dealer P0", "“dealer” is given twice"),
        ("play; score P0 3, P0 4", "“score P0” is given twice"),
        ("play; score P0 25", "“25” is not a number from 0 to 24"),
        ("play; score P0 -1", "“-1” is not a number"),
        ("play; score P0 ٣", "is not a number"),
        ("play; current 0", "“0” is not a number from 1 to 3"),
        ("play; outcome won", "“won” is not a player, drawn or open"),
        ("play; onze maybe", "“maybe” is not yes or no"),
        ("play; early P0 P0", "“P0” is there twice"),
        ("play; cards P0 4C 4C", "The card 4C is there twice: in “cards P0” and in “cards P0”"),
        (f"play; {HELD}; vira KS", "The card KS is there twice: in “cards P0” and in “vira”"),
        ("play; vira 4C 5C", "“vira” has one value"),
        ("play; vira 4X", "There is no card “4X”"),
        ("play; vira JK", "The card JK is not in the pack under these options"),
        ("play; given ??", "Which card this is has to be known here"),
        ("play; score P0 " + "9" * 5000, "is not a number"),
        ("play; dealer P0" + " " * LONGEST_POSITION, "longer than 20,000 characters"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_its_reason(text: str, message: str) -> None:
    if not message:
        assert Game(load("paulista"), position_text=text).phase != "play"  # no text: a new match
        return
    with pytest.raises(PositionError) as error:
        Game(load("paulista"), position_text=text)
    assert message in str(error.value)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("name", ["a;b", "a|b", "-", "??", "none"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    game = Game(load("paulista"), players=[name, "bia", "caio", "davi"])
    with pytest.raises(PositionError, match="called"):
        game.position_line()


def with_all(rest: str) -> str:
    """All that the first trick of four needs, and some more."""
    held = "cards P0 4C KS 2H, P1 QD 3C 7S, P2 5C 5H 6H, P3 2S 3D 3H"
    return f"play; {rest}; dealer P0; {held}; vira 5D"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (with_all("won 1 P0"), "The tricks are played in their order"),
        (with_all("leader P2"), "The mano leads the first trick"),
        (with_all("turn P2"), "The cards of a trick are laid in turn"),
        (with_all("outcome P0"), "A hand that is still played has gone to nobody yet"),
        (with_all("score P0 12"), "The moment a team has 12 points, it wins"),
        (with_all("champion P0"), "A match that is over is not played on"),
        (with_all("laid 1 P0 AC, 1 P1 AD, 1 P2 AH, 1 P3 AS"), "The cards of a trick are laid in turn"),
        ("play", "Of the cards dealt each holds those that are not laid yet"),
        ("hand-out", "The rules cannot go on from there: something that they need is not given"),
    ],
)
def test_what_no_game_can_reach_is_refused_with_the_rule(text: str, message: str) -> None:
    with pytest.raises(Unreachable) as error:
        Game(load("paulista"), position_text=text)
    assert str(error.value).startswith("No game can begin so. ")
    assert message in str(error.value)
