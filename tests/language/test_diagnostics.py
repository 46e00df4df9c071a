"""Mistakes are shown in place: the line, a caret under it, a hint, and what else belongs to it."""

from __future__ import annotations

import pytest

from truco_spec.language.diagnostics import NOWHERE, Diagnostic, Span, SpecError, nearest, render

TEXT = "variant a {\n\ttitle wrong\n}\n"
WRONG = Span("a.truco", 2, 8, 2, 13, 19, 24)


def test_a_diagnostic_shows_its_line_and_a_caret_under_it() -> None:
    shown = render(Diagnostic("error", "syntax", "A title is a sentence.", WRONG, hint='write title "wrong"'), TEXT)
    assert shown.splitlines() == [
        "a.truco:2:8: error: A title is a sentence.",
        " 2 |  title wrong",
        "   |        ^^^^^",
        '  = hint: write title "wrong"',
    ]


def test_notes_show_their_own_places_also_in_other_files() -> None:
    other = Span("b.truco", 1, 1, 1, 8, 0, 7)
    mistake = Diagnostic("error", "twice", "Said twice.", WRONG, notes=(("first said here", other),))
    shown = render(mistake, {"a.truco": TEXT, "b.truco": "variant b {}"})
    assert shown.splitlines()[3:] == ["b.truco:1:1: note: first said here", " 1 | variant b {}", "   | ^^^^^^^"]


def test_without_the_text_only_the_place_is_named() -> None:
    assert render(Diagnostic("warning", "x", "Odd.", WRONG), None) == "a.truco:2:8: warning: Odd."
    assert render(Diagnostic("error", "x", "No such variant.", NOWHERE)) == "error: No such variant."


def test_a_long_line_is_shown_as_a_window_around_the_place() -> None:
    text = "x" * 5000 + "!" + "y" * 5000
    shown = render(Diagnostic("error", "x", "Long.", Span("a", 1, 5001, 1, 5002, 5000, 5001)), text).splitlines()
    assert all(len(line) < 200 for line in shown)
    assert shown[1][shown[2].index("^")] == "!"


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    shown = render(Diagnostic("error", "x", "All.", Span("a", 1, 1, 3, 2, 0, 26)), TEXT).splitlines()
    assert shown[2] == "   | ^^^^^^^^^^^ …"


def test_an_error_speaks_all_its_diagnostics() -> None:
    mistakes = [Diagnostic("error", "x", "One.", WRONG), Diagnostic("error", "x", "Two.", WRONG)]
    error = SpecError(mistakes, {"a.truco": TEXT})
    assert "One." in str(error) and "Two." in str(error) and str(error).count("^^^^^") == 2


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("rul", "rule"), ("defien", "define"), ("Truco", "truco"), ("tuco", "truco"), ("maniha", "manilha")],
)
def test_a_slip_of_the_finger_finds_the_name_meant(typed: str, meant: str) -> None:
    assert nearest(typed, ["rule", "define", "truco", "manilha", "turn", "score", "leader"]) == meant


@pytest.mark.parametrize("typed", ["a", "it", "dealer", "zzzzzz"])
def test_what_is_not_near_is_not_suggested(typed: str) -> None:
    assert nearest(typed, ["is", "b", "truco"]) is None


def test_the_name_itself_is_no_suggestion() -> None:
    assert nearest("rule", ["rule"]) is None
