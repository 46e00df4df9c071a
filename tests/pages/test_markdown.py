"""Text in a template of Markdown is text."""

from __future__ import annotations

from markdown_it import MarkdownIt

from truco_spec.base.document import plain

HOSTILE = "<b>a</b> [x](javascript:1) *y* _z_ `c` # h | t \\ &copy; > q\n\n- new \x1b[31m"


def test_marks_and_lines_and_controls_are_plain_characters() -> None:
    made = MarkdownIt("commonmark").render(f"Said: {plain(HOSTILE)}")
    wanted = "Said: <b>a</b> [x](javascript:1) *y* _z_ `c` # h | t \\ &copy; > q - new \\x1b[31m"
    told = made.removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in told
    assert told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == wanted
