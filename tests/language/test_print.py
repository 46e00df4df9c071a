"""What is printed reads back as the same tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truco_spec.language import tree as t
from truco_spec.language.parse import parse
from truco_spec.language.print import print_expr, print_statement, print_statements

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.truco"))


def read_back(text: str) -> tuple[t.Statement, ...]:
    return parse(f'variant x {{ title ""\n{text}\n}}').variants[0].items


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_printed_sample_reads_back(path: Path) -> None:
    for variant in parse(path.read_text(encoding="utf-8")).variants:
        assert read_back(print_statements(variant.items)) == variant.items


def test_a_statement_is_printed_in_the_layout_of_the_formatter() -> None:
    (rule,) = read_back('rule r except a @a:bc "S." in play by turn may card(c) do move c to laid(me), then end')
    assert print_statement(rule).split("\n") == [
        "rule r except a @a:bc",
        '  "S."',
        "  in play by turn may card(c) do move c to laid(me), then end",
    ]


NAMES = st.sampled_from(["a", "bee", "truco.level", "trick-end", "4C", "x"])


def logic(items: st.SearchStrategy[t.Expr]) -> st.SearchStrategy[t.Expr]:
    """Expressions that are made of others."""
    some = st.lists(items, min_size=1, max_size=2).map(tuple)
    binders = st.builds(t.Binder, NAMES, NAMES, st.none() | items, st.none() | items)
    relations = st.sampled_from(("is", "is not", "in", "not in", "<", "<=", ">", ">="))
    return st.one_of(
        st.builds(t.Call, NAMES, some),
        st.builds(t.SetOf, some),
        st.builds(t.Choose, items, items, items),
        st.builds(t.Logic, st.sampled_from(("and", "or")), items, items),
        st.builds(t.Not, items),
        st.builds(t.Compare, relations, items, items),
        st.builds(t.Arith, st.sampled_from("+-*"), items, items),
        st.builds(
            t.Quant,
            st.sampled_from(("some", "every", "count", "first")),
            st.lists(binders, min_size=1, max_size=2).map(tuple),
            st.none() | items,
            st.none() | items,
        ),
    )


EXPRS = st.recursive(
    st.builds(t.Name, NAMES) | st.builds(t.Number, st.integers(0, 30)) | st.builds(t.During, NAMES),
    logic,
    max_leaves=12,
)


@given(EXPRS)
def test_any_expression_reads_back(expr: t.Expr) -> None:
    (define,) = read_back(f'define d @a:bc "s" = {print_expr(expr)}')
    assert define.value == expr


@given(EXPRS, EXPRS)
def test_any_expression_reads_back_wherever_it_stands(left: t.Expr, right: t.Expr) -> None:
    (define,) = read_back(f'define d @a:bc "s" when {print_expr(left)} = {print_expr(right)}')
    assert (define.when, define.value) == (left, right)
    assert read_back(print_statement(define)) == (define,)
