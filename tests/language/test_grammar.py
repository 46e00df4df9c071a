"""The grammar has no conflict, its parser is kept as plain data, and words are read as they are written."""

from __future__ import annotations

from pathlib import Path

import lark
import pytest

from truco_spec.base import shipped
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.grammar import grammar
from truco_spec.language.read import parse
from truco_spec.language.tree import Word

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.truco"))


@pytest.mark.parametrize("lexer", ["basic", "contextual"])
def test_the_grammar_has_no_conflict_of_rules_or_of_terminals(lexer: str) -> None:
    text = (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")
    lark.Lark(text, parser="lalr", lexer=lexer, strict=True)


@pytest.mark.long
def test_a_parser_that_was_kept_reads_as_one_that_was_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    built = grammar.__wrapped__()
    monkeypatch.setattr("truco_spec.language.grammar.build", None)
    kept = grammar.__wrapped__()
    read = []
    for one in (built, kept):
        monkeypatch.setattr("truco_spec.language.read.grammar", lambda one=one: one)
        read.append([parse(sample.read_text(encoding="utf-8")) for sample in SAMPLES])
    assert read[0] == read[1]


def test_a_keyword_is_a_name_where_a_name_stands() -> None:
    text = 'variant by { title "t" datum when : flag = in seen by rank define do @a:bc "s" = order(choice, to) }'
    assert [s.name for s in parse(text).variants[0].items] == ["when", "do"]


def test_a_word_is_never_cut_in_two() -> None:
    """A contextual lexer would read ``inplay`` as ``in play`` where no name may stand."""
    with pytest.raises(SpecError, match="inplay"):
        parse('variant a { title "t" rule r @a:bc "s" inplay do then x }')


def test_names_know_their_places() -> None:
    text = 'variant a { title "t" rule r except first-rule @a:bc "s" in play, answer do then x }'
    rule = parse(text, "a.truco").variants[0].items[0]
    for word in (*rule.excepts, *rule.names):
        assert isinstance(word, Word)
        assert text[word.span.start : word.span.end] == word


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_statement_knows_its_place(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    for statement in (s for variant in parse(text).variants for s in variant.items):
        written = text[statement.span.start : statement.span.end]
        assert written.split()[0] == (statement.mode or statement.kind)
        assert text[statement.name_span.start : statement.name_span.end] == statement.name
