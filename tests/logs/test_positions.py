"""A log may begin with a position: in both notations, with every mistake at its place, whatever is done to it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

import pytest
from alarm import alarm
from spoil import SIGNS, spoiled
from table import at_random

import truco_spec
from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.cli import main
from truco_spec.engine.position_text import LONGEST_POSITION
from truco_spec.engine.sample import random_action
from truco_spec.logs.files import read, write
from truco_spec.logs.line import LogError, read_line, write_line
from truco_spec.logs.replay import Replay

HEAD = "paulista tie-lead=last | ana bia"
STANDS = "play; dealer ana; cards ana 4C KS 2H, bia QD 5C; turn ana; laid 1 bia 7S; vira 5D"
LINE = f"{HEAD} | position {STANDS} | ana truco, bia aceito, ana KS"
FILE = """\
truco: 1
variant: paulista
options: {tie-lead: last}
players: [ana, bia]
position: play; dealer ana; cards ana 4C KS 2H, bia QD 5C; turn ana; laid 1 bia 7S; vira 5D
hands:
  - moves: ana truco, bia aceito, ana KS
"""


def told(text: str) -> str:
    with pytest.raises(LogError) as error:
        Replay(read_line(text))
    return str(error.value)


def test_both_notations_say_the_same() -> None:
    assert read(FILE) == read_line(LINE)
    assert write(read_line(LINE)) == FILE
    assert write_line(read(FILE)) == LINE


def test_a_log_goes_on_from_its_position() -> None:
    steps = list(Replay(read_line(LINE)).steps())
    assert [step.observed["stake"] for step in steps] == [1, 3, 3]
    assert steps[-1].observed["leader"] == "ana"


def test_a_deal_gives_the_cards_that_come_later() -> None:
    begun = f"{HEAD} | dealer ana | deal bia 3C 4D 5H, vira 6S"
    dealt = Replay(read_line(begun)).to_the_end()
    while dealt.phase != "hand-out" or len(dealt.view(1)["cards"]["bia"]) > 1:  # type: ignore[index]
        dealt.pop()
    log = read_line(f"{dealt.position_line()} | deal bia 4D 5H, ana 2C, vira 6S | bia 4D")
    game = Replay(log).to_the_end()
    assert "vira 6S" in game.position_text()
    assert "laid 1 bia 4D" in game.position_text()


def test_a_long_position_is_folded_and_comes_back() -> None:
    *_, game = at_random("argentino", 3)
    log = read_line(game.position_line())
    assert max(map(len, write(log).splitlines())) <= 120
    assert read(write(log)) == log


@pytest.mark.parametrize(
    "stands", ["null", "yes", "3", "play", "play;", "- ; x", "? y; z", "{a; b}", "a: b; #c", "é; ü"]
)
def test_whatever_it_says_comes_back(stands: str) -> None:
    log = read_line(f"x | a | position {stands}")
    assert read(write(log)) == log == read_line(write_line(log))


@pytest.mark.parametrize(
    ("rest", "column", "message"),
    [
        (f"dealer ana | position {STANDS}", 36, "The position says what “dealer” would say"),
        (f"position {STANDS} | score ana 3", 135, "The position says what “score” would say"),
        (f"start quota ana 2 | position {STANDS}", 42, "The position says what “start” would say"),
        (f"position {STANDS} | position {STANDS}", 129, "stands once"),
        ("position", 36, "The position is empty"),
        ("position play; delaer ana", 51, "Did you mean “dealer”?"),
        ("position play; dealer ana; vira ??", 68, "weighs unknown cards of a deal or a move"),
        ("position play; dealer caio", 58, "“caio” is not a player"),
        ("position play; dealer an=a", 58, "which separates things in a log"),
        (f"position {STANDS}; won 1 bia", 36, "No game can begin so. The tricks are played in their order"),
    ],
)
def test_a_mistake_has_its_place(rest: str, column: int, message: str) -> None:
    found = told(f"{HEAD} | {rest}")
    assert found.startswith(f"<line>:1:{column}: error: "), found
    assert message in found


def test_a_mistake_in_a_file_has_its_place_even_if_it_is_folded() -> None:
    text = FILE.replace("; cards", ";\n  cards").replace("QD 5C", "QD 5X")
    with pytest.raises(LogError) as error:
        Replay(read(text, "late.yaml"))
    assert str(error.value).startswith("late.yaml:6:30: error: There is no card “5X”.")


@pytest.mark.parametrize("value", ["3", "[play]", "{play: 1}", "yes", "2026-01-01", "''"])
def test_a_position_is_a_text(value: str) -> None:
    with pytest.raises(TrucoError):
        Replay(read(FILE.replace(f"position: {STANDS}", f"position: {value}")))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (HEAD, "The line has no part “position”"),
        (LINE, "A position ends here"),
        (f"paulista | ana bia caio | position {STANDS}", "is not played by 3"),
        (f"paulist | ana bia | position {STANDS}", "Did you mean “paulista”?"),
        (f"paulista tie-lead=ana | ana bia | position {STANDS}", "has no value “ana”"),
        (f"paulista | ana position | position {STANDS}", "is a word of the notation"),
    ],
)
def test_what_is_no_line_of_a_position_is_refused(line: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        truco_spec.from_position(line)


def test_own_rules_are_given_with_the_line() -> None:
    ours = truco_spec.load_text('variant ours extends paulista { title "Ours" }')
    for _, game in zip(range(60), played(truco_spec.Game(ours), random.Random(1)), strict=False):
        line = game.position_line()
    assert line.startswith("ours | P0 P1 P2 P3 | position ")
    assert truco_spec.from_position(line, ours).position == game.position


def played(game: truco_spec.Game, rng: random.Random) -> Iterator[truco_spec.Game]:
    """The game after each of some random actions."""
    while (action := random_action(game, rng)) is not None:
        game.push(action)
        yield game


# ---- the verbs -----------------------------------------------------------------------------------


def prints(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as end:
        main(words)
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return end.value.code, shown.out or shown.err


def test_a_turn_that_the_first_of_equal_cards_took_is_no_mistake_after_another_lead() -> None:
    """Who led a past turn, a position does not tell: any team with one of its highest cards may have taken it."""
    head = "gamelog equal-cards=first | P0 P1 P2 P3 | position play; dealer P3; vira KD; leader P1; turn P1; "
    first = "laid 1 P0 3C, 1 P1 3H, 1 P2 4S, 1 P3 4D"
    hands, second = "cards P0 6C, P1 6H, P2 6S, P3 6D", "2 P0 5C, 2 P1 2H, 2 P2 5S, 2 P3 5D"
    assert Replay(read_line(f"{head}{hands}; current 3; {first}, {second}; won 1 P0, 2 P1")).game.legal_actions()
    hands = "cards P0 5C 6C, P1 5H 6H, P2 5S 6S, P3 5D 6D"
    wrong = f"{head}{hands}; current 2; {first.replace('3H', '2H')}; won 1 P1"
    assert "The highest card of a trick took it." in told(wrong)


def test_run_prints_the_position_that_a_log_ends_in(capsys: pytest.CaptureFixture[str]) -> None:
    code, line = prints(capsys, "run", "--position", LINE)
    assert (code, line) == (0, truco_spec.from_position(line).position_line() + "\n")
    assert prints(capsys, "run", "--position", line.strip()) == (0, line)
    assert prints(capsys, "run", "--position", f"{HEAD} | dealer ana")[1].startswith(f"{HEAD} | position choose-dealer")
    assert prints(capsys, "run", "--position", f"{HEAD} | position {STANDS} | bia 3C")[0] == 2


def test_where_a_hand_is_over_nothing_more_is_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    _, line = prints(capsys, "run", "--position", f"{HEAD} | position {STANDS} | ana truco, bia corro")
    assert "position deal; score ana 1; dealer bia" in line
    assert "cards" not in line


def test_an_umpire_s_position_is_one_and_the_irregular_move_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, line = prints(capsys, "run", "--position", f"{HEAD} | mode umpire | position {STANDS} | bia 5C")
    assert code == 1
    assert f"{HEAD} | mode umpire | position " in line


@pytest.mark.long
def test_other_verbs_take_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    line = f"{HEAD} | position {STANDS}"
    assert prints(capsys, "perft", line, "--depth", "1")[1].split()[-2:] == ["1", "4"]
    code, shown = prints(capsys, "explain", f"{line} | ana KS")
    assert code == 0
    assert "1. ana KS: permitted" in shown
    assert "position play; dealer ana" in prints(capsys, "dispute", f"{line} | ana KS, bia QD")[1]


# ---- from strangers ------------------------------------------------------------------------------


def swallow(text: str, rng: random.Random) -> None:
    """Read, write and play on; a declared error is a fine answer."""
    with suppress(TrucoError):
        log = read_line(text)
        assert read(write(log)) == log == read_line(write_line(log))
        for _, game in zip(range(40), played(Replay(log).game, rng), strict=False):
            assert game.observe()
            assert game.position_line()


def spoil_many(variant: str, seed: int, times: int) -> None:
    rng = random.Random(seed)
    lines = [game.position_line() for game in at_random(variant, seed, 90) if rng.random() < 0.1]
    words = sorted({word.strip(",;") for line in lines for word in line.split()} | set(SIGNS) | {"-", "??"})
    for _ in range(times):
        head, between, stands = rng.choice(lines).partition("position ")
        if rng.random() < 0.9:
            swallow(head + between + spoiled(stands, rng, words), rng)
        else:
            swallow(spoiled(head + between + stands, rng, words), rng)


@pytest.mark.sample(1)
@pytest.mark.parametrize("variant", variant_names())
def test_spoiled_positions_meet_declared_errors_only(variant: str) -> None:
    spoil_many(variant, 1, 60)


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize("variant", variant_names())
def test_hundreds_of_spoiled_positions_meet_declared_errors_only(variant: str) -> None:
    spoil_many(variant, 2, 400)


def test_the_longest_texts_are_answered_at_once() -> None:
    short = LONGEST_POSITION - 100
    with alarm(20):
        for part in (";", "play ", "4C, ", "early ana; ", "9"):
            told(f"{HEAD} | position play; {part * (short // len(part))}")
            told(f"{HEAD} | position {part * (short // len(part))}")
        for size in (10**5, 10**6, 10**7):
            with pytest.raises(LogError, match="longer than"):
                truco_spec.from_position(f"{HEAD} | position {'x' * size}")
