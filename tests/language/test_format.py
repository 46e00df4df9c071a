"""Formatting changes blanks and line ends only; formatting twice is formatting once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from truco_spec.language.diagnostics import SpecError
from truco_spec.language.format import format_text
from truco_spec.language.grammar import tokenize
from truco_spec.language.read import parse

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.truco"))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in SAMPLES}


def comments(text: str) -> list[str]:
    return [comment.value for comment in tokenize(text, "t").comments]


def shaken(text: str, chance: random.Random, noted: bool = False) -> str:
    """The same tokens and comments with other blanks between them; with new comments as well, if ``noted``."""
    found = tokenize(text, "t")
    everything = sorted([*found.tokens[:-1], *found.comments], key=lambda token: token.start_pos)
    written = ""
    for token in everything:
        written += token.value
        if token.can_be == ("COMMENT",):
            written += chance.choice(("\n", "\n\n", "\n   "))
        elif noted and chance.random() < 0.05:
            written += chance.choice((" # noted\n", "\n# noted\n", "\n\n  # noted\n  # twice\n\n"))
        else:
            written += chance.choice((" ", " ", "  ", "\n", "\n    ", "\n\n\n", "\t", "\r\n"))
    return written


@pytest.mark.parametrize("text", ["x" * 10_001, "a\0b", "\n" * 2_000_001], ids=["long line", "NUL", "large"])
def test_what_is_not_read_is_not_formatted(text: str) -> None:
    with pytest.raises(SpecError) as refused:
        format_text(text)
    assert refused.value.diagnostics[0].code in ("too-large", "letters", "unreadable")


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TEXTS)
def test_a_formatted_sample_says_the_same_and_keeps_its_comments(name: str) -> None:
    done = format_text(TEXTS[name])
    assert parse(done) == parse(TEXTS[name])
    assert comments(done) == comments(TEXTS[name])
    assert format_text(done) == done


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("noted", [False, True], ids=["", "with comments"])
def test_any_layout_formats_to_one_that_stays(name: str, noted: bool) -> None:
    chance = random.Random(name)
    text = shaken(TEXTS[name], chance, noted)
    done = format_text(text)
    assert parse(done) == parse(TEXTS[name])
    assert comments(done) == comments(text)
    assert format_text(done) == done


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", TEXTS)
def test_only_a_sentence_or_a_comment_makes_a_line_too_long(name: str) -> None:
    for line in format_text(TEXTS[name]).split("\n"):
        assert len(line) <= 120 or '"' in line or "#" in line
        assert line == line.rstrip()
        assert "\t" not in line


def test_blank_lines_part_statements_but_never_two_of_them() -> None:
    done = format_text('variant a {\n title "A"\n\n\n datum a : flag\n\n\n\n datum b : flag\n datum c : flag\n\n}\n')
    assert done == 'variant a {\n  title "A"\n\n  datum a : flag\n\n  datum b : flag\n  datum c : flag\n}\n'


def test_the_citations_of_a_concordance_stand_in_a_column() -> None:
    cites = [f"@a:{letter * 40}" for letter in "bcd"]
    assert (
        format_text(f"concordance a {{ b {' '.join(cites)} e.f @a:b }}")
        == f"""\
concordance a {{
  b                 {cites[0]} {cites[1]}
                    {cites[2]}
  e.f               @a:b
}}
"""
    )


def test_a_text_that_cannot_be_read_is_not_formatted() -> None:
    with pytest.raises(SpecError):
        format_text("variant a {")


def test_a_text_in_bad_shape_is_formatted_all_the_same() -> None:
    assert format_text('variant a { title "A" datum b }') == 'variant a {\n  title "A"\n\n  datum b\n}\n'
