"""YAML to log to line to log to YAML: nothing is lost on the way."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truco_spec.logs import notation
from truco_spec.logs.files import read, write
from truco_spec.logs.line import (
    Hand,
    Log,
    LoggedMove,
    Start,
    fragment_of,
    frozen,
    line_of_link,
    looks_like_line,
    read_line,
    write_line,
)

CANONICAL = """\
truco: 1
variant: paulista
options: {peek: never, nine: 8}
players: [ana, bia, caio, "null"]
dealer: ana
score: {ana: 5, bia: 7}
start:
  quota: {ana: 2, bia 1: 3}
  overtime: "yes"
mode: umpire
hands:
  - deal: {bia: 3C 4D 5H, vira: 5H}
    moves: bia 3C, caio truco, bia (KS)
  - moves: bia 4D
  - deal: {}
"""
LINE = (
    "paulista peek=never nine=8 | ana bia caio null | dealer ana | score ana 5, bia 7 | "
    "start quota ana 2, quota bia 1 3, overtime yes | mode umpire | deal bia 3C 4D 5H, vira 5H | "
    "bia 3C, caio truco, bia (KS) | bia 4D | deal"
)


def test_yaml_and_line_say_the_same():
    text = CANONICAL.replace('"yes"', "yes")
    assert read(CANONICAL) == read(text) == read_line(LINE)
    assert write(read(text)) == text
    assert write_line(read(text)) == LINE


def test_both_notations_are_told_apart():
    assert looks_like_line(LINE)
    assert not looks_like_line(CANONICAL)


SHORT = "paulista peek=never | ana bia | dealer ana | deal vira JH | bia 3C, ana (4D)"


def test_a_link_carries_its_line() -> None:
    link = "https://example.org/truco/who.pt.html#paulista+peek=never/ana+bia/dealer+ana/deal+vira+JH/bia+3C,ana+(4D)"
    assert line_of_link(f" {link}\n") == SHORT
    assert line_of_link(f"who.html#{quote(SHORT)}") == SHORT
    assert fragment_of(SHORT) == link.partition("#")[2]
    for line in (f"{SHORT}, bia talk a/b", "paulista | 4 | dealer P3 | deal | deal vira 3C | P0 ~truco"):
        assert line_of_link(f"who.html#{fragment_of(line)}") == line


@pytest.mark.parametrize("text", [SHORT, CANONICAL, "who.html", "a#b.yaml", "see who.html#paulista/ana+bia"])
def test_any_other_text_is_no_link(text: str) -> None:
    assert line_of_link(text) == ""


def test_a_move_knows_its_place():
    log = read(CANONICAL, "night.yaml")
    span = log.hands[0].moves[1].span
    assert (span.file, span.line, span.column, span.end_column) == ("night.yaml", 13, 20, 30)
    span = read_line(LINE).hands[0].moves[1].span
    assert LINE[span.column - 1 : span.end_column - 1] == "caio truco"


def test_a_number_of_players_names_them():
    assert read("truco: 1\nvariant: x\nplayers: 3\n").players == ("P0", "P1", "P2")
    assert read_line("x | 3 | dealer P1 | P2 a").players == ("P0", "P1", "P2")


def test_moves_may_be_a_list_and_end_with_a_comma():
    log = read("truco: 1\nvariant: x\nplayers: 2\nhands:\n- moves:\n  - P0 a, P1 b,\n  - P0 c\n")
    assert [move.text for move in log.hands[0].moves] == ["P0 a", "P1 b", "P0 c"]


def test_a_long_hand_is_folded_and_comes_back():
    moves = tuple(LoggedMove(f"ana {n}C") for n in range(200))
    log = Log("x", ("ana",), hands=(Hand(moves=moves),))
    assert max(map(len, write(log).splitlines())) <= 120
    assert read(write(log)) == log


word = st.text(min_size=1, max_size=12).filter(lambda text: not notation.fault_of_word(text))
name = st.text(min_size=1, max_size=8).filter(lambda text: not notation.fault_of_player(text))


@st.composite
def logs(draw):
    players = tuple(draw(st.lists(name, min_size=2, max_size=6, unique=True)))
    player = st.sampled_from(players)
    move = st.builds(
        lambda who, rest: LoggedMove(" ".join([who, *rest])), player, st.lists(word, min_size=1, max_size=3)
    )
    cards = st.lists(word, max_size=3, unique=True).map(tuple)
    keys = word.filter(lambda text: text not in players)
    hand = st.builds(
        lambda deal, moves: Hand(frozen(deal), tuple(moves)),
        st.dictionaries(keys, cards, max_size=2),
        st.lists(move, max_size=4),
    )
    start = st.builds(lambda datum, value: Start(datum, (), value), word, word)
    return Log(
        variant=draw(st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,8}", fullmatch=True)),
        players=players,
        options=frozen(draw(st.dictionaries(word, word, max_size=3))),
        dealer=draw(st.sampled_from(["", *players])),
        score=frozen(draw(st.dictionaries(player, st.integers(0, 99), max_size=2))),
        start=tuple(draw(st.lists(start, max_size=3, unique_by=lambda item: item.datum))),
        mode=draw(st.sampled_from(["strict", "umpire"])),
        hands=tuple(draw(st.lists(hand, max_size=3))),
    )


@pytest.mark.long
@given(logs())
def test_every_log_survives_both_notations(log):
    text = write(log)
    assert read(text) == log
    line = write_line(log)
    assert read_line(line) == log
    assert write(read_line(write_line(read(text)))) == text


@pytest.mark.parametrize("hands", [[[], ["a x"]], [["a x"], []], [[], [], ["a x"], ["a y"]]])
def test_hands_without_moves_stay_hands(hands):
    log = Log("x", ("a",), hands=tuple(Hand(moves=tuple(map(LoggedMove, moves))) for moves in hands))
    assert read_line(write_line(log)) == log == read(write(log))
