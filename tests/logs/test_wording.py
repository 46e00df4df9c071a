"""Moves as people write them: what is nearly said is understood or told clearly, and one text means one thing."""

from __future__ import annotations

import pytest
from tiny import linked

from truco_spec.base.shipped import folder
from truco_spec.engine import Action, Game, TextError
from truco_spec.engine.text import AmbiguousText, joinings, value_of
from truco_spec.graph.load import load
from truco_spec.graph.model import said_and_given
from truco_spec.graph.types import Type
from truco_spec.logs.files import read, write
from truco_spec.logs.line import LogError, read_line, write_line
from truco_spec.logs.notation import NotationError, notation_of
from truco_spec.logs.replay import Replay

PLAYERS = ("P0", "P1", "P2", "P3")
TALK = load("argentino", **{"table-talk": "heard"})


def mistake(said: str) -> tuple[str, str]:
    with pytest.raises(NotationError) as caught:
        notation_of(TALK, PLAYERS).readings(f"P0 {said}")
    return caught.value.message, caught.value.hint


# ---- a number is wanted ----------------------------------------------------------------------------

NUMBER = "Behind “tengo” stands a number from 0 to 50"
WRONG = {
    "tengo treinta": ("“treinta” cannot stand behind “tengo”.", f"{NUMBER}."),
    "tengo 51": ("“51” cannot stand behind “tengo”.", f"{NUMBER}."),
    "tengo -1": ("“-1” cannot stand behind “tengo”.", f"{NUMBER}."),
    "tengo 7O": ("“7O” cannot stand behind “tengo”.", f"{NUMBER}."),
    "tengo": ("“tengo” is not complete.", f"{NUMBER}."),
    "tengo 33 34": ("“34” is too much behind “tengo 33”.", f"{NUMBER}, and no more."),
    "tengo 33 o más": ("“o más” is too much behind “tengo 33”.", f"{NUMBER}, and no more."),
    "tengo 033": ("“033” cannot stand behind “tengo”.", "Did you mean “33”?"),
    "tengo 00": ("“00” cannot stand behind “tengo”.", "Did you mean “0”?"),
    "tengo 051": ("“051” cannot stand behind “tengo”.", f"{NUMBER}."),
    "pido flor": ("“pido flor” is not complete.", "Behind “pido flor” stands a player."),
    "pido flor P9": ("“P9” cannot stand behind “pido flor”.", "Did you mean one of P0, P1, P2, P3?"),
    "con flor": ("“con flor” is not complete.", "Behind “con flor” stands “quiero” or “me achico”."),
    "quiero truko": ("“truko” cannot stand behind “quiero”.", "Did you mean “truco”?"),
    "muestro 4X": ("“4X” cannot stand behind “muestro”.", "Did you mean one of 4O, 4C, 4B, 4E?"),
    "1E 7O": ("“7O” is too much behind “1E”.", "Nothing stands behind “1E”; moves are parted by commas."),
    "real envido 3": (
        "“3” is too much behind “real-envido”.",
        "Nothing stands behind “real-envido”; moves are parted by commas.",
    ),
    "reel envido": (
        "“reel envido” is neither a card nor anything that is said in argentino.",
        "Did you mean “real-envido”?",
    ),
    "falta": (
        "“falta” is neither a card nor anything that is said in argentino.",
        "Did you mean one of falta-envido, falta-un-vidrio?",
    ),
    "3B. 4B": (
        "“3B. 4B” is neither a card nor anything that is said in argentino.",
        "Moves are parted by commas, and nothing but blanks stands between a player and the words.",
    ),
    "tngo 33": ("“tngo 33” is neither a card nor anything that is said in argentino.", "Did you mean “tengo”?"),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_is_wrong_and_what_is_wanted_is_told(said: str) -> None:
    assert mistake(said) == WRONG[said]


def test_to_say_nothing_is_nothing_that_is_said() -> None:
    message, hint = mistake("")
    assert message == "“” is neither a card nor anything that is said in argentino."
    assert hint.startswith("There are: ")


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("tengo treinta", "behind “tengo” stands a number from 0 to 50"),
        ("tengo 33 34", "behind “tengo” stands a number from 0 to 50, and no more"),
        ("quiero truko", "behind “quiero” stands one of truco, retruco, vale-cuatro"),
        ("1E 7O", "nothing stands behind “1E”; moves are parted by commas"),
    ],
)
def test_a_game_tells_it_too(said: str, wanted: str) -> None:
    with pytest.raises(TextError) as caught:
        Game(TALK).parse(f"P0 {said}")
    assert str(caught.value) == f"'{said}' is no card and no word of argentino: {wanted}"


def test_a_number_is_written_in_one_way() -> None:
    number = Type("number", 0, 50)
    found = [value_of(TALK, number, text, PLAYERS) for text in ("0", "7", "10", "00", "07", "010", "+7", "7.0")]
    assert found == [0, 7, 10, None, None, None, None, None]


def test_what_several_parameters_want_is_told_in_their_order() -> None:
    with pytest.raises(NotationError) as caught:
        notation_of(load("mineiro"), PLAYERS).readings("P0 misdeal")
    assert caught.value.hint == "Behind “misdeal” stands a player and a number from 0 to 5."


# ---- blanks for hyphens ------------------------------------------------------------------------------

BLANKS = {
    "real envido": "real-envido",
    "falta envido": "falta-envido",
    "contraflor al resto": "contraflor-al-resto",
    "contraflor al-resto": "contraflor-al-resto",
    "vale cuatro": "vale-cuatro",
    "quiero vale cuatro": "quiero vale-cuatro",
    "no quiero": "no-quiero",
    "con flor me achico": "con-flor-me-achico",
    "seña ancho de espadas": "seña ancho-de-espadas",
    "falta un vidrio": "falta-un-vidrio",
    "pido flor P1": "pido-flor P1",
    "vale-cuatro": "vale-cuatro",
}


@pytest.mark.parametrize("said", BLANKS)
def test_a_blank_may_stand_for_a_hyphen(said: str) -> None:
    notation, game = notation_of(TALK, PLAYERS), Game(TALK)
    (action,) = notation.readings(f"P0 {said}")
    assert notation.text(action) == game.text(action) == f"P0 {BLANKS[said]}"
    assert game.parse(f"P0 {said}") == game.parse(f"P0 {BLANKS[said]}") == action


def test_a_log_with_blanks_is_played_and_stays_as_it_was_written() -> None:
    line = "argentino | P0 P1 | dealer P1 | P0 envido, P1 real envido, P0 no quiero, P0 truco, P1 quiero retruco"
    log = read_line(line)
    assert write_line(log) == line
    assert read(write(log)) == log
    replay = Replay(log)
    said = [replay.game.text(step.event.action) for step in replay.steps()]
    assert said == ["P0 envido", "P1 real-envido", "P0 no-quiero", "P0 truco", "P1 quiero retruco"]


@pytest.mark.parametrize("variant", sorted(path.stem for path in (folder("spec") / "variants").glob("*.truco")))
def test_no_text_of_the_known_texts_means_two_things(variant: str) -> None:
    """Whatever can be said, written with blanks for all hyphens, means the same as before."""
    graph = load(variant)
    notation = notation_of(graph, tuple(f"P{n}" for n in range(graph.seats)))
    for kind in graph.actions.values():
        texts = [""]
        for param in kind.params:
            values = notation.values(param.type)
            texts = [f"{text}\n{param.name}={value}" for text in texts for value in values[:60]]
        for given in texts:
            values_of = dict(part.split("=", 1) for part in given.splitlines() if part)
            for written in kind.written:
                text, _ = said_and_given(written)
                for name, value in values_of.items():
                    text = text.replace(f"{{{name}}}", value)
                (action, *_) = notation.readings(f"P0 {text}")
                loose = notation.readings(f"P0 {text.replace('-', ' ')}")
                assert notation.text(action) in [notation.text(other) for other in loose], text


def test_a_text_that_can_mean_two_things_is_an_error() -> None:
    graph = linked('action one written "all-in now"  action two written "all in-now"  action three written "x y-z"')
    game, notation = Game(graph, players=("P0", "P1")), notation_of(graph, ("P0", "P1"))
    assert game.parse("P0 all-in now") == Action(0, "one")
    assert game.parse("P0 all in-now") == Action(0, "two")
    assert game.parse("P0 x y z") == Action(0, "three")
    with pytest.raises(AmbiguousText) as caught:
        game.parse("P0 all in now")
    assert str(caught.value) == "'all in now' can mean 'all-in now' or 'all in-now': write the hyphens"
    with pytest.raises(NotationError) as refused:
        notation.readings("P0 all in now")
    assert refused.value.message == "“all in now” can mean “all-in now” or “all in-now”."
    assert refused.value.hint == "Write the hyphens."


def test_what_stands_there_letter_by_letter_comes_first() -> None:
    graph = linked('action one written "all in"  action two written "all-in"')
    game = Game(graph, players=("P0", "P1"))
    assert [game.parse(f"P0 {said}").verb for said in ("all in", "all-in")] == ["one", "two"]


def test_hyphens_are_tried_in_short_texts_only() -> None:
    assert list(joinings(["a", "b", "c"])) == [["a-b", "c"], ["a", "b-c"], ["a-b-c"]]
    assert list(joinings([])) == list(joinings(["a"])) == list(joinings(["a"] * 7)) == []


def test_of_several_meanings_that_are_refused_the_one_that_lacks_only_the_turn_is_told() -> None:
    replay = Replay(read_line("gamelog raising=later | P0 P1 P2 P3 | dealer P0 | P1 truco, P2 aceito"))
    for _ in replay.steps():
        pass
    refusal = replay.refusal("P2 truco")
    assert refusal is not None
    assert refusal.category == "not-your-turn"
    assert replay.game.text(refusal.action) == "P2 truco-6"


@pytest.mark.parametrize("key", ["deal", "moves"])
def test_what_belongs_to_a_hand_is_told_so_where_it_stands_alone(key: str) -> None:
    with pytest.raises(LogError) as told:
        read(f"truco: 1\nvariant: paulista\nplayers: [ana, bia]\n{key}: {{}}\n")
    (hint,) = [d.hint for d in told.value.diagnostics if d.span.line == 4]
    assert hint == f"It belongs to a hand: “hands:”, and under it “- {key}:” (docs/logs.md)."
