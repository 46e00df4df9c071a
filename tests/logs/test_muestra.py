"""Facts that cannot be: a muestra that somebody holds too, and a table that the variant does not know."""

import pytest

from truco_spec.logs.files import read
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay


def mistake(log):
    with pytest.raises(LogError) as error:
        list(Replay(log).steps())
    (found,) = error.value.diagnostics
    return found.message, (found.span.line, found.span.column)


def said_of(line):
    message, (_, column) = mistake(read_line(line))
    return message, line[column - 1 :]


@pytest.mark.parametrize("options", ["", "muestra-turn=before-deal "])
def test_a_card_that_is_dealt_cannot_be_the_muestra_too(options):
    message, place = said_of(f"uruguayo {options}| P0 P1 | dealer P1 | deal P0 6O 7E 3C, muestra 6O | P0 7E")
    assert message.startswith("The card 6O is there twice: ")
    assert "muestra" in message
    assert place.startswith("P0 6O" if options else "muestra 6O")


def test_the_vira_of_venezuela_cannot_be_dealt_either_wherever_it_stands_in_the_hand():
    for hand in ("6O 7E 3C", "7E 6O 3C", "7E 3C 6O", "6O"):
        message, place = said_of(f"venezolano | P0 P1 | dealer P1 | deal muestra 6O, P1 {hand} | P1 truco")
        assert message == "The card 6O is there twice: P1 should get it, and it lies in muestra already."
        assert place.startswith(f"P1 {hand}")


def test_a_card_of_the_deal_before_may_be_the_vira_of_the_next():
    """Two deals in one hand of the log: what the log gives has come in the first."""
    found = Replay(read_line("venezolano | P0 P1 | dealer P1 | deal P0 12C 3E 4E | P0 mazo, P1 mazo, P0 mazo"))
    steps = list(found.steps())
    assert ("P0", "3E") in steps[0].dealt
    assert ("muestra", "3E") in steps[1].dealt


def test_in_a_file_the_place_is_that_of_the_cards():
    text = """\
truco: 1
variant: uruguayo
players: [P0, P1]
dealer: P1
hands:
  - deal:
      P0: 6O 7E 3C
      muestra: 6O
    moves: P0 7E
"""
    message, place = mistake(read(text))
    assert message == "The card 6O is there twice: muestra should get it, and it lies in cards(P0) already."
    assert place == (8, 7)


def test_two_cards_cannot_be_the_muestra():
    message, place = said_of("uruguayo | P0 P1 | dealer P1 | deal muestra 6O 7O | P0 3C")
    assert message == "The log gives muestra more cards than came: 7O was never dealt after 1 others."
    assert place.startswith("muestra 6O 7O")


def test_where_no_card_is_turned_a_muestra_is_of_no_use():
    found = Replay(read_line("argentino | P0 P1 | dealer P1 | deal muestra 6O | P0 3C, P1 4C"))
    assert len(list(found.steps())) == 2
    assert found.ignored == [(0, "muestra")]


def test_a_deal_behind_which_another_is_told_is_of_no_use():
    found = Replay(read_line("paulista | a b | dealer b | deal vira 4D | deal vira 5D | a 3C"))
    assert len(list(found.steps())) == 1
    assert found.ignored == [(0, "vira")]


def test_a_card_of_a_deal_that_has_not_come_is_refused_with_the_deal():
    begin = "paulista | a b | dealer b"
    with pytest.raises(MoveRefused) as refused:
        list(Replay(read_line(f"{begin} | a 3C | deal b KD | b KD")).steps())
    ((note, span),) = refused.value.diagnostics[0].notes
    told = "None of the cards of this deal has come, as where the hand before it is not over."
    assert (note, span.column) == (told, len(f"{begin} | a 3C | deal ") + 1)
    with pytest.raises(MoveRefused) as refused:
        list(Replay(read_line(f"{begin} | a truco, b corro | deal b KD | a 3C")).steps())
    assert refused.value.diagnostics[0].notes == ()


@pytest.mark.parametrize("variant", ["argentino", "uruguayo", "venezolano", "venezolano-369", "paraguayo", "pica-pica"])
@pytest.mark.parametrize("names", ["a b c", "a b c d e", "a b c d e f g", "a b c d e f g h"])
def test_neither_three_five_seven_nor_eight_play(variant, names):
    message, place = said_of(f"{variant} | {names} | {names[-1]} truco")
    assert message == f"{variant} is not played by {len(names.split())}."
    assert place.startswith(names)


@pytest.mark.parametrize("names", ["a b", "a b c d"])
def test_only_six_play_pica_pica(names):
    message, _ = said_of(f"pica-pica | {names} | a truco")
    assert message == "Pica-pica is played by six."


def test_three_pairs_are_refused():
    message, _ = said_of("uruguayo team-shape-six=three-pairs | a b c d e f | b truco")
    assert message.startswith("Three pairs cannot be played")


def test_a_score_holds_what_three_duels_bring_where_the_points_are_compared_after_the_hand():
    """18 points a duel: an envido of 14 and a vale cuatro of 4; and one for the mazo before."""
    duels = "".join(
        f", {a} envido, {b} envido, {a} envido, {b} envido, {a} real-envido, {b} real-envido, {a} quiero, {told}"
        f", {a} truco, {b} quiero retruco, {a} quiero vale-cuatro, {b} quiero, {b} mazo"
        for a, b, told in (
            ("b", "e", "b tengo 27, e paso"),
            ("c", "f", "c paso, f tengo 29"),
            ("d", "a", "d tengo 27, a paso"),
        )
    ).replace("f quiero, f mazo", "f quiero, c mazo")
    cards = "b 4B 3B 12E, d 4C 3C 12C, e 5E 5C 10B, a 4O 6E 10C, f 5B 4E 11C, c 1O 1C 11O"
    line = f"pica-pica target=12 ending=more-points | a b c d e f | dealer f | score b 10 | a mazo | deal {cards} |"
    *_, last = Replay(read_line(line + duels.removeprefix(","))).steps()
    score = last.observed["score"]
    assert isinstance(score, dict)
    assert score["b"] == 10 + 1 + 3 * 18
