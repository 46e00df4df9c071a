"""The story of a run on a terminal: made of events, in colour where it is wanted, and a bar where somebody looks."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from reported import HOSTILE, run

from truco_spec.base.document import text_of
from truco_spec.cli.messages import Progress
from truco_spec.cli.verbs import test
from truco_spec.conformance.reports import run_document
from truco_spec.conformance.reports.events import Run, run_in
from truco_spec.conformance.reports.formats import jsonl as lines_of


def story(of: Run, *, verbose: bool = True, colour: bool = False) -> str:
    return run_document.story_of(of, verbose=verbose, colour=colour)


def only(*verdicts: str) -> Run:
    base = run()
    return replace(base, played=tuple(one for one in base.played if one.case.verdict in verdicts))


def test_the_story_is_made_of_events_only() -> None:
    assert story(run_in(lines_of(run()), "run.jsonl")) == story(run())


@pytest.mark.parametrize(("verdict", "shade"), [("pass", "\x1b[32m"), ("fail", "\x1b[31m"), ("xfail", "\x1b[33m")])
def test_colours_are_beside_the_words(verdict: str, shade: str) -> None:
    painted = story(only(verdict), colour=True)
    assert shade in painted
    assert re.sub(r"\x1b\[\d+m", "", painted) == story(only(verdict))


def test_an_adapter_still_cannot_command_the_terminal() -> None:
    painted = story(run(HOSTILE), colour=True)
    assert set(re.findall(r"\x1b.*?m", painted)) <= {"\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"}
    assert not [c for c in story(run(HOSTILE)) if not c.isprintable() and c != "\n"]


def test_what_was_expected_is_told_only_to_who_wants_to_know_all() -> None:
    plain = replace(run(), ended=None)  # without causes
    assert "own-xfail-3" not in story(plain, verbose=False)
    (line,) = [line for line in story(plain).splitlines() if "own-xfail-3" in line]
    told = "own-xfail-3: What comes to xfail: known since May (https://example.org/issues/7)"
    assert line.split(maxsplit=1) == ["xfail", told]


def test_what_passes_and_was_expected_to_fail_is_told_with_advice() -> None:
    (block,) = [part for part in story(run(), verbose=False).split("\n\n") if part.lstrip().startswith("XPASS")]
    assert "expected  a failure: known since May (https://example.org/issues/7)" in block
    assert "advice    Delete the entry own-xpass-4 from the file of expected failures." in block


def test_entries_that_are_out_of_date_are_told() -> None:
    (told,) = [part for part in story(run()).split("\n\n") if part.startswith("Expected failures")]
    assert told.splitlines()[1:] == [
        "  - own-unobserved-6 is unobserved: the entry own-unobserved-6 is needless, delete it.",
        "  - own-timeout-8 was expected to fail until 2026-01-31, and fails the run now: mend it, or set another day.",
    ]


def test_beside_the_shares_stand_those_of_players_who_know_nothing() -> None:
    table = text_of([run_document.table(run())]).splitlines()
    assert table[0].split()[-4:] == ["passed", "yes-man", "no-man", "random"]
    assert re.split(r"  +", table[1])[0] == "must"
    assert re.split(r"  +", table[1])[-4:] == ["28 %", "14 %", "0 %", "28 %"]
    assert run_document.summary(run()) == (
        "stake: -1 1.0: 2 of 8 passed (25 %), 1 failed as expected, 2 could not be judged; "
        "without knowing the game: yes-man 12 %, no-man 0 %, random 25 %. Corpus 1.2.3."
    )


def test_a_run_that_was_broken_off_or_judged_nothing_says_so() -> None:
    assert run_document.summary(run(interrupted=True)).endswith("The run was broken off after 10 of 11 cases.")
    assert (
        run_document.summary(only("unsupported"))
        == "stake: -1 1.0: 0 of 0 passed, 1 could not be judged. Corpus 1.2.3."
    )


# ---- colours and the bar ------------------------------------------------------------------------


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Screen(), {}, True),
        (Screen(), {"NO_COLOR": ""}, True),
        (Screen(), {"NO_COLOR": "1"}, False),
        (Screen(), {"TERM": "dumb"}, False),
        (io.StringIO(), {}, False),
    ],
)
def test_colours_are_for_terminals_and_for_who_wants_them(
    stream: io.StringIO, environment: dict[str, str], wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert test.coloured() is wanted


def bar_over(stream: io.StringIO, *, quiet: bool = False) -> str:
    """What is written when every case of a run of twenty takes a second; ten are played."""
    now = iter(range(100))
    with Progress("cases", 20, stream=stream, quiet=quiet, clock=lambda: next(now)) as progress:
        for done in range(1, 11):
            progress.at(done, f"played {done}")
    return stream.getvalue()


def test_the_bar_counts_tells_the_time_left_and_goes_away() -> None:
    told = bar_over(Screen()).split("\r\x1b[K")
    assert told[1] == f"{'█'}{'·' * 29} cases 1/20: played 1"
    assert told[4] == f"{'█' * 6}{'·' * 24} cases 4/20: played 4, 0:16 left"
    assert told[10] == f"{'█' * 15}{'·' * 15} cases 10/20: played 10, 0:10 left"
    assert told[11:] == [""]


def test_the_bar_is_for_terminals() -> None:
    assert bar_over(io.StringIO()) == ""


def test_in_a_file_there_is_a_line_every_half_minute() -> None:
    now, stream = iter(range(0, 1000, 8)), io.StringIO()
    with Progress("try", 20, stream=stream, clock=lambda: next(now)) as progress:
        for done in range(1, 11):
            progress.within("rules", done, 20)
    assert stream.getvalue() == "try 4/20: rules\ntry 8/20: rules\n"


def test_the_quiet_want_no_bar() -> None:
    assert bar_over(Screen(), quiet=True) == ""
