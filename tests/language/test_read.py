"""Whatever is given to be read, the answer is a tree or a SpecError: never another error, never a hang."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest
from alarm import alarm
from hypothesis import given
from hypothesis import strategies as st

from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import LARGEST, LONGEST_LINE, MOST, decode, read, read_file

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.truco"))
TEXTS = [path.read_text(encoding="utf-8") for path in SAMPLES]
GOOD = 'variant house {\n  title "House"\n  datum a : flag\n}\n'


def statement(words: str) -> str:
    return f'variant house {{\n  title "House"\n  {words}\n}}\n'


def mistakes(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read(text, "t")
    return [f"{d.span.line}: {d.message}" for d in caught.value.diagnostics]


def reads_or_tells(text: str) -> None:
    error = None
    try:
        read(text, "t")
    except SpecError as told:
        error = told
    if error is not None:
        assert error.diagnostics
        assert len(error.diagnostics) <= 2 * MOST
        assert str(error)
        for diagnostic in error.diagnostics:
            assert diagnostic.message
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_samples_are_in_good_shape(path: Path) -> None:
    if not path.stem.startswith("lowered"):  # what is lowered has no sentences
        read_file(path)


# ---- files ---------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        read_file(tmp_path / "none.truco")
    with pytest.raises(SpecError, match="cannot be read"):
        read_file(tmp_path)


def test_a_file_may_begin_with_a_byte_order_mark_and_end_lines_as_windows_does(tmp_path: Path) -> None:
    path = tmp_path / "a.truco"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_file(path).variants == read(GOOD).variants


def test_bytes_that_are_no_text_are_told_with_their_place() -> None:
    with pytest.raises(SpecError, match=r"t:2:7: error: This is no text in UTF-8: byte 0xe3"):
        decode("variant a {\ntitle \xe3".encode("latin-1"), "t")


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.truco"
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(SpecError, match="too large"):
        read_file(path)
    with pytest.raises(SpecError, match="too large"):
        read("#" * (LARGEST + 1))


def test_a_line_that_is_too_long_is_not_read() -> None:
    assert mistakes(GOOD + "#" * (LONGEST_LINE + 1)) == ["5: This line is too long."]


def test_a_nul_byte_is_no_text() -> None:
    assert mistakes('variant a {\n title "\0" }') == ["2: This is no text: it has a NUL byte."]


def test_lines_that_end_with_a_carriage_return_alone_are_not_taken_for_one_line() -> None:
    assert mistakes("# ours\rvariant a {\r}\r") == ["1: This line ends with a carriage return alone."]
    read(GOOD.replace("\n", "\r\n"), "t")


def test_a_text_has_each_variant_once() -> None:
    with pytest.raises(SpecError) as error:
        read(GOOD + GOOD, "t")
    (twice,) = error.value.diagnostics
    assert (twice.message, twice.span.line, twice.notes[0][1].line) == ("house is declared already", 5, 1)


# ---- all mistakes, and none that is not one ------------------------------------------------------


def test_every_broken_statement_is_told_once() -> None:
    broken = ['  rule a @a:bc "s" in in do', "  datum b :", '  define c @a:bc "s" = = 3', "  order d : < 3 @a:bc"]
    good = '  datum good : flag\n  rule fine @a:bc "s" in play do then x'
    text = 'variant house {\n  title "House"\n' + "\n".join(f"{b}\n{good}" for b in broken) + "\n}\n"
    assert [line.split(":")[0] for line in mistakes(text)] == ["4", "7", "9", "12"]


def test_a_good_statement_behind_a_broken_one_is_still_checked() -> None:
    text = statement('rule a @a:bc "s" in play do do\n  datum untyped')
    assert mistakes(text)[1] == "4: Datum `untyped` has no type."


def test_a_missing_bracket_does_not_swallow_the_next_statement() -> None:
    text = statement('define a @a:bc "s" = {1, 2\n  datum untyped')
    assert len(mistakes(text)) == 2


def test_more_mistakes_than_anyone_reads_are_not_all_told() -> None:
    assert len(mistakes(statement("\n".join("  rul x" for _ in range(1000))))) <= MOST


def test_reading_stops_at_the_last_mistake_that_is_shown() -> None:
    with alarm(10):
        assert len(mistakes(statement("\n".join("rule x" for _ in range(50_000))))) == MOST


# ---- hostile texts -------------------------------------------------------------------------------


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "hostile",
    [
        "(" * 5000,
        statement('define a @a:bc "s" = ' + "(" * 4000 + "1" + ")" * 4000),
        statement('define a @a:bc "s" = ' + "not " * 2000 + "x"),
        statement('define a @a:bc "s" = ' + " + ".join("x" * 1 for _ in range(2000))),
        statement('define a @a:bc "s" = ' + "1 if x else " * 800 + "1"),
        statement('define a @a:bc "s" = ' + "some seat s : " * 600 + "x"),
        statement('define a @a:bc "s" = ' + "{" * 3000),
        "variant " * 1000,
        "}" * 5000,
        "{" * 5000,
        '"' * 4999,
        "@" * 5000,
        "\n".join("rule" for _ in range(5000)),
        "\n".join("variant a" for _ in range(3000)),
        "\n".join("}" for _ in range(3000)),
    ],
    ids=range(15),
)
def test_a_hostile_text_is_refused_quickly(hostile: str) -> None:
    with alarm(60), pytest.raises(SpecError):
        read(hostile, "t")


@pytest.mark.long
def test_a_large_good_text_is_read_quickly() -> None:
    lines = "\n".join(f"  datum d{n} : set of seat = {{{n}, x}} fresh each hand" for n in range(4000))
    with alarm(60):
        assert len(read(statement(lines)).variants[0].items) == 4000


def mutated(text: str, chance: random.Random) -> str:
    """A text with a few random changes: pieces cut out, doubled, exchanged, or strange letters put in."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text))
        length = chance.choice((1, 1, 3, 10, 60))
        piece = text[at : at + length]
        match chance.randrange(6):
            case 0:
                text = text[:at] + text[at + length :]
            case 1:
                text = text[:at] + piece + text[at:]
            case 2:
                text = text[:at] + chance.choice(string.printable) + text[at + 1 :]
            case 3:
                text = text[:at] + chance.choice(('"', "{", "}", "(", ")", "@", "ção", "\n", " rule ", " variant "))
                text += text[at:]
            case 4:
                other = chance.randrange(len(text))
                text = text[:at] + text[other : other + length] + text[at:]
            case _:
                text = text[:at]
        if not text:
            return "x"
    return text


@pytest.mark.long
def test_a_mutated_text_reads_or_tells() -> None:
    chance = random.Random(1)
    pieces = [variant for text in TEXTS for variant in _windows(text)]
    for _ in range(1000):
        reads_or_tells(mutated(chance.choice(pieces), chance))


def _windows(text: str) -> list[str]:
    """A text in parts of some thirty lines, each a variant."""
    lines = text.split("\n")
    return ['variant w {\n  title "W"\n' + "\n".join(lines[n : n + 30]) + "\n}" for n in range(5, len(lines), 30)]


@given(st.text(max_size=200))
def test_any_text_reads_or_tells(text: str) -> None:
    reads_or_tells(text)


WORDS = [
    "rule", "a", "@a:bc", '"s"', "in", "play", "do", "then", "x", "}", "{", "(", ")", ",", ":", "=", "variant", "title",
    "may", "when", "some", "3", "|", "datum", "is", "not", "and", "define", "must",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS)))
def test_any_heap_of_words_reads_or_tells(words: list[str]) -> None:
    reads_or_tells(" ".join(words))
    reads_or_tells(statement(" ".join(words)))
    reads_or_tells(statement("\n".join(words)))
