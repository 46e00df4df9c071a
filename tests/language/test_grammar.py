"""The grammar has no conflict, its table is up to date, and reading by the table is reading by Lark."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Transformer, v_args

from truco_spec import shipped
from truco_spec.language.build import builders
from truco_spec.language.compile_table import as_text, build_lark, compile_table, grammar_text
from truco_spec.language.parse import parse
from truco_spec.language.table import fingerprint
from truco_spec.language.tree import Span, Word

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.truco"))


def test_the_grammar_has_no_conflict_of_rules_or_of_terminals() -> None:
    pytest.importorskip("interegular")  # without it Lark does not compare terminals
    build_lark(grammar_text())


def test_the_table_belongs_to_the_grammar() -> None:
    shipped_text = (shipped.folder("grammar") / "truco.table.json").read_text(encoding="utf-8")
    renew = "run: python -m truco_spec.language.compile_table"
    assert json.loads(shipped_text)["fingerprint"] == fingerprint(grammar_text()), renew
    assert shipped_text == as_text(compile_table(grammar_text())), renew


@v_args(meta=True)
class _FromLark(Transformer[Token, Any]):
    """Lark's own tree, turned into ours by the same builders."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.builders = builders("<text>")

    def __default__(self, data: str, kids: list[Any], meta: Any) -> Any:
        words = [_word(kid) if isinstance(kid, Token) else kid for kid in kids]
        span = Span("<text>", meta.line, meta.column, meta.end_line, meta.end_column, meta.start_pos, meta.end_pos)
        return self.builders[str(data)](span, words)


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return build_lark(grammar_text())


def _word(token: Token) -> Word:
    places = (token.line, token.column, token.end_line, token.end_column, token.start_pos, token.end_pos)
    return Word.at(str(token), Span("<text>", *(place or 0 for place in places)))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_reading_by_the_table_is_reading_by_lark(sample: Path) -> None:
    text = sample.read_text(encoding="utf-8")
    by_lark = _FromLark().transform(_lark().parse(text))
    by_table = parse(text)
    assert by_table == by_lark
    ours, theirs = ([s.span for v in f.variants for s in v.items] for f in (by_table, by_lark))
    assert ours == theirs


def test_a_keyword_is_a_name_where_a_name_stands() -> None:
    text = 'variant by { title "t" datum when : flag = in seen by rank define do @a:bc "s" = order(choice, to) }'
    assert [s.name for s in parse(text).variants[0].items] == ["when", "do"]


def test_a_word_is_never_cut_in_two() -> None:
    """A contextual lexer would read ``inplay`` as ``in play`` where no name may stand."""
    from truco_spec.language.diagnostics import SpecError

    with pytest.raises(SpecError, match="inplay"):
        parse('variant a { title "t" rule r @a:bc "s" inplay do then x }')


def test_names_know_their_places() -> None:
    text = 'variant a { title "t" rule r except first-rule @a:bc "s" in play, answer do then x }'
    rule = parse(text, "a.truco").variants[0].items[0]
    for word in (*rule.excepts, *rule.names):
        assert isinstance(word, Word)
        assert text[word.span.start : word.span.end] == word
