"""One document, three writers: whatever is text in it is text in each of them."""

from __future__ import annotations

import re
from html import unescape

import pytest
from markdown_it import MarkdownIt

from truco_spec.base.document import (
    Block,
    Cell,
    Code,
    Grid,
    Heading,
    Item,
    Items,
    Link,
    LogBlock,
    Paragraph,
    PictureBlock,
    RuleBlock,
    Strong,
    items,
    listed,
    markdown_of,
    plain,
    text_of,
)  # fmt: skip
from truco_spec.cli.file_access import written
from truco_spec.pages.html import html_of

HOSTILE = [
    "<script>alert(1)</script>", "[x](javascript:1)", "![x](y)", "*a* _b_ ~~c~~", "`a` ``b", "a | b", "# a", "1. a",
    "23) a", "- a", "+ a", "---", "===", "~~~", "> a", "\\", "&copy; &lt;", "a\n\n# b", "\x1b[31mred", "\u202egnol",
    "\ud800", "<a@b.c>",
]  # fmt: skip
"""What another writer would take for markup."""


def whole(text: str, label: str) -> tuple[Block, ...]:
    """A document of every block with the text wherever one may stand."""
    told = (text, " ", Code(text, text), " ", Strong(text), " ", Link(text, text))
    return (
        Heading(1, told), Heading(2, text, "here"), Paragraph(text), Paragraph(told), LogBlock(text),
        Items(
            (Item(text), Item(told, (items(text), LogBlock(text)), label=label), RuleBlock(text, (text, told), label))
        ),
        items(text, told, numbered=True),
        Items((Item("", (LogBlock(text, "| "),), label=label or "log"), Item(Strong(text), label="a", tone="bad"))),
        Grid((text, text, Code(text)), ((text, (Cell(text, "*"), Cell(told))), (Code(text), (Cell(""), Cell(text))))),
        Grid((text, text, ""), ((text, (Cell(text), Cell(told))), ("", (Cell(""), Cell(text)))), narrow=True),
    )  # fmt: skip


def tags(markdown: str) -> list[str]:
    made = MarkdownIt("commonmark").enable("table").render(markdown)
    return re.findall(r"<[^>]*>", made)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_markup_in_markdown(text: str) -> None:
    told = markdown_of(whole(text, text))
    assert tags(told) == tags(markdown_of(whole("plain", "plain")))
    assert told.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_markup_on_a_page(text: str) -> None:
    page, plain = (re.findall(r"<[^>]*>", html_of(whole(each, each))) for each in (text, "plain"))
    assert [tag.split()[0] for tag in page] == [tag.split()[0] for tag in plain]
    assert html_of(whole(text, text)).replace("\n", "").isprintable()


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_a_control_on_a_terminal(text: str) -> None:
    assert text_of(whole(text, text)).replace("\n", "").isprintable()


def test_marks_say_the_same_in_all_three() -> None:
    document = (Paragraph(("Say ", Code("bia truco"), ": it is ", Strong("forbidden"), ".")),)
    assert text_of(document) == "Say bia truco: it is forbidden.\n"
    assert markdown_of(document) == "Say `bia truco`: it is **forbidden**.\n"
    assert "<p>Say <code>bia truco</code>: it is <strong>forbidden</strong>.</p>" in html_of(document)


@pytest.mark.parametrize(
    "to", ["javascript:alert(1)", "//a.b", "data:x", "https://a.b/\n", "https://a.b/)", "#a b", ""]
)
def test_only_addresses_of_the_web_and_of_the_page_are_links(to: str) -> None:
    document = (Paragraph(Link("x", to)),)
    assert (text_of(document), markdown_of(document)) == ("x\n", "x\n")
    assert "<a" not in html_of(document)


def test_a_link_leads_where_it_may() -> None:
    document = (Paragraph((Link("x", "https://a.b/c?d&e"), Link("y", "#here"))),)
    assert markdown_of(document) == "[x](https://a.b/c?d&e)y\n"
    assert '<a href="https://a.b/c?d&amp;e"' in html_of(document)
    assert '<a href="#here"' in html_of(document)


@pytest.mark.parametrize("width", [40, 60, 100])
def test_lines_are_no_wider_than_the_terminal_but_logs_are_whole(width: int) -> None:
    text = "ana bia caio davi " * 30
    shown = [line for line in text_of(whole(text.strip(), "A"), width).splitlines() if text.strip() not in line]
    assert max(map(len, shown)) <= width


def test_an_entry_hangs_below_its_sign_and_authorities_below_the_rule() -> None:
    rule = RuleBlock("The mano leads.", ("@pagat:mano",))
    assert text_of((items(rule, Item("so", (items("then"),), label="A")),)) == (
        "- The mano leads.\n  @pagat:mano\nA  so\n   - then\n"
    )
    assert markdown_of((items(rule),)) == "- The mano leads.\n  - @pagat:mano\n"


def test_headings_stand_apart_and_what_is_deep_is_close_together() -> None:
    deep = (
        Heading(1, "a"),
        Heading(2, "b"),
        Heading(3, "c"),
        Paragraph("d"),
        Paragraph("e"),
        Heading(4, "f"),
        LogBlock("g"),
    )
    assert text_of(deep) == "a\n\nb\n\n  c\n    d\n    e\n    f\n      g\n"


def test_colour_is_only_for_headings_and_only_where_it_is_asked_for() -> None:
    document = (Heading(1, "a"), Paragraph("b"))
    assert text_of(document, colour=True) == "\x1b[1ma\x1b[0m\n\nb\n"
    assert "\x1b" not in text_of(document)


def test_what_is_bad_is_red_where_colours_are_shown() -> None:
    entries = Items(
        (Item("b", label="fail", tone="bad"), Item("d", label="xfail"), Item("e", label="pass", tone="good"))
    )
    document = (Heading(2, (Strong("FAIL", "bad"), " a")), entries, Paragraph(("so: ", Strong("c", "fair"))))
    red, green, yellow, plain = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"
    assert text_of(document, colour=True).splitlines() == [
        f"{red}FAIL a{plain}",
        f"  {red}fail{plain}   b",
        "  xfail  d",
        f"  {green}pass{plain}   e",
        "",
        f"{yellow}  so: c{plain}",
    ]
    assert text_of(document) == "FAIL a\n  fail   b\n  xfail  d\n  pass   e\n\n  so: c\n"


def test_lines_to_be_copied_stand_behind_their_label_and_are_never_broken() -> None:
    long = "x " * 60 + "x"
    document = (Items((Item("", (LogBlock(f"{long}\nb"),), "script"), Item("", (LogBlock("c\nd", "| "),), "log"))),)
    assert text_of(document, 40) == f"script  {long}\n        b\nlog     | c\n        | d\n"
    assert markdown_of(document).splitlines()[:5] == ["- script:", "  ```text", f"  {long}", "  b", "  ```"]


def test_a_narrow_table_is_as_wide_as_what_is_in_it() -> None:
    rows = (("9", (Cell("bia 3C"), Cell(""))), ("10", (Cell("caio truco"), Cell("asks for 3 or so"))))
    table = Grid(("", "", ""), rows, narrow=True)
    assert text_of((Heading(2, "Hand 1"), table)) == ("Hand 1\n   9  bia 3C\n  10  caio truco  asks for 3 or so\n")
    named = Grid(("clause", "rules", ""), (("a", (Cell("b c"), Cell("d"))),), narrow=True)
    assert text_of((named,)) == "clause  rules\na       b c    d\n"


def test_in_a_narrow_table_the_widest_column_gives_way_and_the_heads_do_not() -> None:
    table = Grid(("", "", ""), (("a" * 15, (Cell("some words " * 5), Cell("end"))),), narrow=True)
    lines = text_of((table,), 50).splitlines()
    assert max(map(len, lines)) <= 50
    assert lines[0].startswith("a" * 15 + "  some words")
    assert lines[0].endswith("  end")
    assert " ".join(" ".join(lines).split()) == "a" * 15 + " some words some words some end words some words some words"


TABLE = Grid(
    ("question", Code("one"), Code("two")),
    (("Who?", (Cell("ana", "*"), Cell("ana"))), ("What?", (Cell(""), Cell("x")))),
)


def test_a_table_has_columns_where_there_is_room() -> None:
    wide, narrow = text_of((TABLE,), 80), text_of((TABLE,), 40)
    assert [line.split() for line in wide.splitlines()] == [
        ["one", "two"],
        ["Who?", "ana*", "ana"],
        ["What?", "–", "x"],
    ]
    assert narrow == "\n  Who?\n    ana: one*, two\n\n  What?\n    x: two\n    –: one\n"


def test_numbers_stand_below_numbers_with_their_marks_behind() -> None:
    table = Grid(("", "(1)"), (("a", (Cell("2/7", " !"),)), ("b", (Cell("10/10"),))), numbers=True)
    assert text_of((table,)) == "      (1)\na     2/7 !\nb   10/10\n"
    assert markdown_of((table,)).splitlines()[1] == "|---|---:|"


def test_a_table_of_numbers_may_have_no_rows() -> None:
    table = Grid(("", "pass"), (), numbers=True)
    assert text_of((table,)) == "   pass\n"
    assert markdown_of((table,)).splitlines()[1] == "|---|---:|"


def test_a_picture_is_on_a_page_only() -> None:
    document = (Paragraph("a"), PictureBlock("<svg></svg>"))
    assert "<svg></svg>" in html_of(document)
    assert (text_of(document), markdown_of(document)) == ("a\n", "a\n")


def test_a_document_may_be_a_stream_and_is_named_by_its_first_heading() -> None:
    blocks = (Heading(1, ("A ", Code("<b>"))), Paragraph(listed(["x", "y"])))
    assert "<title>A <b> – truco-spec</title>" in unescape(html_of(iter(blocks)))
    assert [written(iter(blocks), form)[:3] for form in ("text", "md")] == ["A <", "# A"]


STRANGE = "<b>a</b> [x](javascript:1) *y* _z_ `c` # h | t \\ &copy; > q\n\n- new \x1b[31m"


def test_marks_and_lines_and_controls_are_plain_characters() -> None:
    made = MarkdownIt("commonmark").render(f"Said: {plain(STRANGE)}")
    wanted = "Said: <b>a</b> [x](javascript:1) *y* _z_ `c` # h | t \\ &copy; > q - new \\x1b[31m"
    told = made.removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in told
    assert told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == wanted
