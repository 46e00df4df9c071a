"""YAML from strangers: plain values, limits, and a place and an advice for every mistake."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.safe_yaml import Walk, YamlError, YamlLimits, load, load_file, load_with_positions

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn", "Co"], exclude_characters="\ufeff\u2028\u2029")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc-", max_size=5), inner, max_size=4),
    max_leaves=20,
)


def test_values_are_those_of_json() -> None:
    text = "a: 1\nb: -2.5\nc: true\nd: ~\ne:\nf: [x, {y: 1e2}]\ng: 'quoted'\nh: |\n  two\n  lines\n"
    assert load(text) == {
        "a": 1,
        "b": -2.5,
        "c": True,
        "d": None,
        "e": None,
        "f": ["x", {"y": 100.0}],
        "g": "quoted",
        "h": "two\nlines\n",
    }


@pytest.mark.parametrize("word", ["no", "yes", "on", "off", "y", "N", "2015-02-10", "1:30", "007", "0x1F", "1_000"])
def test_words_stay_what_they_look_like(word: str) -> None:
    assert load(f"value: {word}") == {"value": word}


@pytest.mark.parametrize("card", ["4C", "KS", "1E", "7O", "12B", "10E", "TC", "(KS)"])
def test_a_card_is_text(card: str) -> None:
    assert load(f"- {card}") == [card]


def test_quoted_numbers_are_text_and_so_is_every_key() -> None:
    assert load("'1': '2'\n3: 4\ntrue: x") == {"1": "2", "3": 4, "true": "x"}


def test_an_empty_text_is_none() -> None:
    assert load("") is None
    assert load("# only a remark\n") is None


@given(PLAIN)
def test_whatever_json_can_say_is_read_back(data: object) -> None:
    assert load(json.dumps(data, ensure_ascii=False)) == data


@given(PLAIN)
def test_whatever_a_yaml_writer_says_of_plain_data_is_read_back(data: object) -> None:
    assert load(yaml.safe_dump(data, allow_unicode=True, sort_keys=False)) == data


# ---- what is refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a: !!python/object:os.system x", 1, 4, "Tags"),
        ("a: !!python/object/apply:os.system ['true']", 1, 4, "Tags"),
        ("a: !x y", 1, 4, "Tags"),
        ("a: !h!x y", 1, 4, "Tags"),
        ("!!binary aGk=: 1", 1, 1, "Tags"),
        ("a: &name b", 1, 4, "Anchors (&name)"),
        ("a: *name", 1, 4, "Aliases (*name)"),
        ("a: 1\nb: 2\na: 3", 3, 1, "The key “a” is repeated (first in line 1)"),
        ("a: {b: 1, b: 2}", 1, 11, "repeated"),
        ("1: x\n'1': y", 2, 1, "repeated"),
        ("? [a]\n: 1", 1, 3, "A key must be text"),
        ("{{score}}", 1, 2, "A key must be text"),
        ("a: 1\n---\nb: 2", 2, 1, "A second document"),
        ("a: .nan", 1, 4, "not a number"),
        ("a: -.inf", 1, 4, "not a number"),
        ("a: 1e999", 1, 4, "too large"),
        ("a: 1111111111111111111111", 1, 4, "too many digits"),
        ("a: b: c", 1, 5, "no key can be"),
        ("a:\n\tb: 1", 2, 1, "tab"),
        ("a: @x", 1, 4, "put quotes around it"),
        ("a:\n  - 1\n  b: 2", 3, 3, "not an item of the list"),
        ("a: 'x", 1, 6, "not closed"),
        ("[1, 2", 2, 1, "not closed"),
        ("{a: 1", 2, 1, "not closed"),
        ("a: >-x\n b", 1, 6, "begins in the next line"),
        ("[,]", 1, 2, "A value is missing"),
        ("a: \x07", 1, 4, "U+0007"),
        ("a: \ud800", 1, 4, "U+D800"),
        ("PK\x03\x04", 1, 3, "is this a text file?"),
    ],
)
def test_a_refusal_says_where_and_what(text: str, line: int, column: int, says: str) -> None:
    with pytest.raises(YamlError) as caught:
        load(text, "night.yaml")
    error = caught.value
    assert (error.path, error.line, error.column) == ("night.yaml", line, column)
    assert says in error.message
    assert str(error) == f"night.yaml:{line}:{column}: {error.message}"
    assert error.message.endswith((".", ")."))


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    bomb = "a: &a [x, x]\n" + "".join(f"{c}: &{c} [*{b}, *{b}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True))
    with pytest.raises(YamlError, match="Anchors"):
        load(bomb)


@pytest.mark.parametrize("opening", ["[", "- ", "{a: ", "? "])
def test_deep_nesting_is_refused_and_never_exhausts_the_stack(opening: str) -> None:
    with pytest.raises(YamlError, match=r"nested more than 40 deep|A key must be text"):
        load(opening * 200_000)


def test_nesting_up_to_the_limit_is_read() -> None:
    assert load("[" * 40 + "]" * 40)
    with pytest.raises(YamlError, match="nested more than 3 deep"):
        load("[[[[]]]]", limits=YamlLimits(depth=3))


def test_fifty_megabytes_are_refused_unread() -> None:
    for text in ("a" * 50_000_000, b"\x00" * 50_000_000):
        with pytest.raises(YamlError, match="longer than 5,000,000 bytes"):
            load(text)


def test_the_size_limit_counts_bytes_and_not_characters() -> None:
    assert load("é" * 5, limits=YamlLimits(size=10)) == "é" * 5
    with pytest.raises(YamlError, match="longer"):
        load("é" * 6, limits=YamlLimits(size=10))


@pytest.mark.long
def test_too_many_values_are_refused() -> None:
    with pytest.raises(YamlError, match="more than 500,000 values"):
        load("[" + "1," * 600_000 + "]")


def test_text_that_is_not_utf8_is_refused_in_its_place() -> None:
    with pytest.raises(YamlError, match="UTF-8") as caught:
        load(b"a: 1\nb: caf\xe9\n")
    assert (caught.value.line, caught.value.column) == (2, 7)


def test_a_byte_order_mark_and_other_line_ends_do_no_harm() -> None:
    document = load_with_positions(b"\xef\xbb\xbfa: 1\r\nb: 2\r\nc: 3\r")
    assert document.data == {"a": 1, "b": 2, "c": 3}
    assert document.place("c") == (3, 4)


@given(st.text(max_size=80) | st.text("[]{}:-&*!|>'\"%@`#,? \n\tab1", max_size=40))
def test_no_text_raises_anything_but_a_yaml_error(text: str) -> None:
    with contextlib.suppress(YamlError):
        data = load(text)
        assert not isinstance(data, float) or math.isfinite(data)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_but_a_yaml_error(raw: bytes) -> None:
    with contextlib.suppress(YamlError):
        load(raw)


# ---- places ------------------------------------------------------------------------------------

NIGHT = """\
truco: 1
hands:
  - deal: {P1: 3C 4D}
    moves: P1 3C, P2 truco,
      P3 aceito
  - moves: "é P1 4D"
    notes: |
      one
      two
"""


def test_every_part_has_its_place() -> None:
    document = load_with_positions(NIGHT, "night.yaml")
    assert document.place() == (1, 1)
    assert document.place("hands", 0, "deal", "P1") == (3, 16)
    assert document.key_place("hands", 0, "deal", "P1") == (3, 12)
    assert document.key_place("hands", 1) == (6, 5)
    assert str(document.error("No.", "hands", 1, "moves")) == "night.yaml:6:12: No."


def test_what_is_missing_has_the_place_of_what_it_would_lie_in() -> None:
    document = load_with_positions(NIGHT)
    assert document.place("hands", 7, "moves") == document.place("hands")
    assert document.key_place("truco", "x") == (1, 8)


def test_a_word_within_a_text_has_its_place_also_over_several_lines() -> None:
    document = load_with_positions(NIGHT)
    first, second = document.data["hands"]
    walk = Walk(document, first["moves"], "hands", 0, "moves")
    assert walk.to(first["moves"].index("P2")) == (4, 19)
    assert walk.to(first["moves"].index("aceito")) == (5, 10)
    assert Walk(document, second["moves"], "hands", 1, "moves").to(5) == (6, 18)
    assert Walk(document, second["notes"], "hands", 1, "notes").to(4) == (9, 7)
    assert Walk(document, "", "hands", 1, "none").to(0) == document.place("hands", 1)
    assert Walk(document, "1", "truco").to(0) == (1, 8)


# ---- files -------------------------------------------------------------------------------------


def test_a_file_is_read_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "night.yaml"
    path.write_text("a: *b", encoding="utf-8")
    with pytest.raises(YamlError) as caught:
        load_file(path)
    assert str(caught.value).startswith(f"{path}:1:4: ")


def test_a_missing_file_and_a_folder_say_so(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(YamlError, match="cannot be read"):
            load_file(path)


def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(YamlError, match="longer than 1,000 bytes"):
        load_file("/dev/zero", YamlLimits(size=1000))


@pytest.mark.long
def test_the_slow_parser_of_pure_python_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_yaml, "_Loader", yaml.SafeLoader)
    document = load_with_positions(NIGHT)
    assert document.data["hands"][1]["notes"] == "one\ntwo\n"
    assert document.place("hands", 0, "deal", "P1") == (3, 16)
    for text in ("a: *b", "a: !!python/name:os.system x", "a: 1\na: 2", "a: b: c", "[" * 5000, "\x00"):
        with pytest.raises(YamlError):
            load(text)


SHIPPED = sorted(path for name in ("spec", "docs", "conformance") for path in shipped.folder(name).rglob("*.yaml"))
QUICK = [path for path in SHIPPED if "spec" in path.parts and path.stat().st_size < 40_000]


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[] if path in QUICK else [pytest.mark.long]) for path in SHIPPED],
    ids=lambda path: path.stem,
)
@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML has no libyaml here")
def test_what_is_shipped_is_read_alike_without_libyaml(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = YamlLimits(size=10**7, nodes=10**6)
    with_it = load_file(path, limits).data
    monkeypatch.setattr(safe_yaml, "_Loader", yaml.SafeLoader)
    assert load_file(path, limits).data == with_it
