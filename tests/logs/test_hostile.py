"""Logs from strangers: whatever is done to a log, the answer is a log or one declared error, never a traceback."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from alarm import alarm
from hypothesis import given
from hypothesis import strategies as st
from spoil import SIGNS, spoiled

from truco_spec.base.errors import TrucoError
from truco_spec.logs import notation
from truco_spec.logs.files import read, read_file, write
from truco_spec.logs.line import LONGEST_LINE, LogError, read_line, write_line
from truco_spec.logs.replay import Replay

FOLDER = Path(__file__).parents[2] / "docs" / "logs"
LOGS = [path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.yaml"))]
LINES = [write_line(read(text)) for text in LOGS]
WORDS = sorted({word for line in LINES for word in line.split()} | set(SIGNS))


def check(error):
    """A declared error says something, and where."""
    assert str(error)
    if isinstance(error, LogError):
        assert all(d.span.line >= 1 for d in error.diagnostics), error


def swallow(text, reader):
    """Read and play a text; a declared error is a fine answer."""
    try:
        log = reader(text)
        assert read(write(log)) == log
        assert read_line(write_line(log)) == log
        replay = Replay(log)
        for step in replay.steps():
            assert step.events
    except TrucoError as error:
        check(error)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_spoiled_logs_meet_declared_errors_only(seed):
    chance = random.Random(seed)
    for _ in range(100):
        swallow(spoiled(chance.choice(LOGS), chance, WORDS), read)
        swallow(spoiled(chance.choice(LINES), chance, WORDS), read_line)


@pytest.mark.sample(0, long=10)
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_thousand_spoiled_logs_meet_declared_errors_only(seed):
    test_a_thousand_spoiled_logs_meet_declared_errors_only(seed)


@given(st.text(max_size=200))
def test_any_text_meets_declared_errors_only(text):
    swallow(text, read)
    swallow(text, read_line)


@given(st.binary(max_size=200))
def test_any_bytes_meet_declared_errors_only(raw):
    swallow(raw, read)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("truco", "variant", "options", "players", "dealer", "score", "start", "position", "mode", "hands")


@given(st.sampled_from(KEYS), values)
def test_any_value_under_any_key_meets_declared_errors_only(key, value):
    data = {"truco": 1, "variant": "paulista", "players": ["a", "b", "c", "d"], "hands": [{"moves": "b 3C"}]}
    swallow(json.dumps(data | {key: value}), read)


@given(st.sampled_from(["deal", "moves"]), values)
def test_any_value_in_a_hand_meets_declared_errors_only(key, value):
    data = {"truco": 1, "variant": "mineiro", "players": ["a", "b", "c", "d"], "hands": [{key: value}]}
    swallow(json.dumps(data), read)


# ---- the classics --------------------------------------------------------------------------------


def refusal(text, reader=read):
    with pytest.raises(TrucoError) as error:
        Replay(reader(text))
    return str(error.value)


def test_fifty_megabytes_are_refused_at_once(tmp_path):
    path = tmp_path / "big.yaml"
    path.write_bytes(b"truco: 1\n" + b"#" * 50_000_000)
    with pytest.raises(TrucoError, match="longer than"):
        read_file(path)
    assert "longer than" in refusal("x | " + "a" * LONGEST_LINE, read_line)


def test_aliases_that_explode_are_refused():
    bomb = "a: &a [x, x]\n" + "\n".join(f"{c}: &{c} [*{b}, *{b}]" for b, c in zip("abcdefgh", "bcdefghi", strict=True))
    assert "not allowed" in refusal(bomb)


def test_a_binary_file_is_refused(tmp_path):
    path = tmp_path / "card.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with pytest.raises(TrucoError, match="UTF-8"):
        read_file(path)


@pytest.mark.parametrize("name", ["../../../etc/passwd", "/etc/passwd", "..", "paulista/../mineiro", "C:\\x"])
def test_a_variant_is_a_name_and_never_a_path(name):
    assert "is no name of a variant" in refusal(f"{name} | a b c d", read_line)


def in_time(text, reader=read):
    """An alarm ends what would go on for ever; a slow machine has time enough."""
    with alarm(60):
        return refusal(text, reader)


@pytest.mark.long
def test_a_log_of_far_too_many_moves_is_refused_in_time():
    moves = ",".join(["a x"] * 300_000)
    assert "too long" in in_time(f"truco: 1\nvariant: x\nplayers: [a]\nhands: [{{moves: '{moves}'}}]")


@pytest.mark.long
def test_a_log_of_as_many_moves_as_there_may_be_is_read_in_time():
    moves = ", ".join(["a 3X"] * notation.MOST_MOVES)
    assert "3X" in in_time(f"truco: 1\nvariant: paulista\nplayers: [a, b, c, d]\nhands: [{{moves: '{moves}'}}]")


@pytest.mark.sample(1, long=2)
@pytest.mark.parametrize("part", ["players", "start", "options", "score", "hands", "deal"])
@pytest.mark.long
def test_a_hundred_thousand_of_anything_are_answered_in_time(part):
    many = [f"w{n}" for n in range(100_000)]
    texts = {
        "players": f"paulista | {' '.join(many)}",
        "start": "paulista | a b c d | start " + ", ".join(f"{word} a 1" for word in many),
        "options": f"paulista {' '.join(f'{word}=x' for word in many)} | a b c d",
        "score": "paulista | a b c d | score " + ", ".join(f"{word} 1" for word in many),
        "hands": f"paulista | a b c d | {'|'.join(['deal a 3C'] * 90_000)}",
        "deal": f"paulista | a b c d | deal {', '.join(many)}",
    }
    assert in_time(texts[part][:LONGEST_LINE], read_line)


def test_many_mistakes_are_counted_not_printed():
    assert "… and 950 more mistakes." in refusal("paulista | a b c d | " + ", ".join(["z 3C"] * 1000), read_line)


@pytest.mark.parametrize("option", ["name", "path", "variant", "self", "options"])
def test_an_option_with_an_odd_name_is_just_unknown(option):
    assert f"has no option “{option}”" in refusal(f"paulista {option}=x | a b c d", read_line)


def test_a_score_of_somebody_who_does_not_play_is_told():
    from truco_spec.logs.setup import graph_of, start_of

    log = read_line("paulista | ana bia | dealer ana | score ana 3 | bia truco")
    strange = replace(log, score={"zoe": 3})
    with pytest.raises(LogError, match="zoe, who does not play"):
        start_of(strange, graph_of(strange))


@pytest.mark.parametrize(
    ("players", "says"),
    [("0", "Nobody plays in this log"), ("-3", "Nobody plays in this log"), ("[]", "does not say who plays")],
)
def test_a_log_in_which_nobody_plays_says_so(players, says):
    with pytest.raises(LogError, match=says):
        read(f"truco: 1\nvariant: paulista\nplayers: {players}\nhands: []\n")
