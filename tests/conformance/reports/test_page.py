"""The page in HTML: whole without its script, closed to everything from outside, and deaf to hostile text."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import pytest
from readers import Reader
from reported import HARMLESS, HOSTILE, SCRIPT, run

from truco_spec.conformance.adapters.reference import Reference, laying_nothing
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Mode
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import HandScript, Script, action_of
from truco_spec.conformance.reports.events import played
from truco_spec.conformance.reports.formats import anchors
from truco_spec.conformance.reports.formats import html as text_of
from truco_spec.conformance.reports.totals import picture, steps
from truco_spec.conformance.runner import runner
from truco_spec.logs.line import read_line


@pytest.fixture(scope="module")
def page() -> Reader:
    return Reader(text_of(run()))


def test_every_tag_is_closed(page: Reader) -> None:
    assert page.open == []


@pytest.mark.parametrize("interrupted", [False, True])
def test_hostile_text_never_becomes_markup(interrupted: bool) -> None:
    hostile, harmless = (Reader(text_of(run(text, interrupted=interrupted))) for text in (HOSTILE, HARMLESS))
    assert hostile.tags == harmless.tags
    assert "<script>alert(1)</script><img src=x onerror=alert(2)>" in hostile.text()
    assert "{{ 7 * 7 }}" in hostile.text()
    assert [text for tag, text in hostile.texts if tag in ("script", "style")] == [
        text for tag, text in harmless.texts if tag in ("script", "style")
    ]


def test_nothing_is_asked_of_the_network_and_no_other_script_may_run(page: Reader) -> None:
    assert not [name for _, name, _ in page.attributes if name in ("src", "srcset", "style") or name.startswith("on")]
    assert not [tag for tag, _ in page.tags if tag in ("link", "img", "iframe", "object", "base")]
    (policy,) = [value for value in page.values("meta", "content") if "default-src" in value]
    assert "default-src 'none'" in policy
    for tag in ("script", "style"):
        ((_, text),) = [found for found in page.texts if found[0] == tag]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
        assert "url(" not in text and "@import" not in text


def test_only_addresses_of_the_web_become_links(page: Reader) -> None:
    addresses = [value for value in page.values("a", "href") if not value.startswith("#")]
    assert addresses == ["https://example.org/", *["https://example.org/issues/7"] * 4]
    assert "javascript:alert(9)" in page.text()


def test_every_case_has_its_permalink_and_every_link_its_place(page: Reader) -> None:
    places = page.values("div", "id")
    assert len(places) == len(set(places)) == 10
    assert {value.removeprefix("#") for value in page.values("a", "href") if value.startswith("#")} == set(places)
    assert "case-own-fail-2" in places


def test_names_that_look_alike_have_places_of_their_own() -> None:
    found = anchors(["a-1[x,y=z]", "a-1[x,y-z]", "a-1", "ä"])
    assert found == {"a-1[x,y=z]": "case-a-1-x-y-z", "a-1[x,y-z]": "case-a-1-x-y-z--2", "a-1": "case-a-1", "ä": "case"}


def test_without_its_script_everything_is_there(page: Reader) -> None:
    form = ("form", ("hidden", "data-negative", "data-told"))  # what only the script can serve is not shown
    assert form in page.tags
    assert ("details", ("class", "data-verdict", "data-level", "data-variant", "data-clauses")) in page.tags
    told = " ".join(page.text().split())
    for words in (
        "Causes",
        "What no cause explains",
        "Faults by clause",
        "own-view",
        "truco-spec test --case own-fail-2",
        "stake: -1",
    ):
        assert words in told


def test_what_was_expected_and_what_stands_beside_the_result_is_told(page: Reader) -> None:
    told = " ".join(page.text().split())
    assert "10 of 10 cases of corpus 1.2.3 were played" in told
    assert "2 of 8 judged cases were passed; without knowing the game: yes-man 12 %, no-man 0 %, random 25 %." in told
    assert "Expected failures that are out of date own-unobserved-6 is unobserved" in told
    assert "known since May https://example.org/issues/7 (was expected until 2026-01-31)" in told
    assert {"xfail", "xpass"} <= {*page.values("details", "data-verdict")}


def test_the_table_is_drawn_step_by_step() -> None:
    drawn = list(steps(SCRIPT, ()))
    assert [step.done for step in drawn] == ["", "P1 3C", "P0 (2H)", "P1 word"]
    assert dict(drawn[0].turned) == {"vira": ("5H",)}
    first, last = ({seat.player: seat for seat in drawn[at].seats} for at in (0, -1))
    assert first["P0"].deals and first["P0"].held == ("3H", "2H", "7H") and first["P1"].laid == ()
    assert (last["P0"].held, last["P0"].laid) == (("3H", "7H"), ("(2H)",))
    assert (last["P1"].held, last["P1"].laid) == (("2C", "7S"), ("3C",))


def shown(line: str, mode: Mode) -> list[str]:
    """The table that is drawn after a script of one hand."""
    log = read_line(line)
    deal = log.hands[0].deal
    moves = tuple(action_of(move.text) for move in log.hands[0].moves)
    teams = (log.players[::2], log.players[1::2])
    hands = (HandScript(deal, moves),)
    script = Script(log.variant, log.options, log.players, teams, log.dealer, log.score, mode, hands)
    return picture(script, laying_nothing(script))


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("P1 3C, P1 2C", ["P0 (deals)  [3H 2H 7H]", "P1          [2C 7S]     3C", "last: P1 2C (lays nothing)"]),
        ("P1 3C, P0 KS, P0 (2H)", ["P0 (deals)  [3H 2H 7H]", "P1          [2C 7S]     3C"]),
        ("P1 3C, P0 2H, P0 3H, P1 (7S)", ["P0 (deals)  [3H 7H]  2H", "P1          [2C]     3C (7S)"]),
        ("P1 3C, P0 2H, P0 truco, P1 no, P0 3H", ["P0 (deals)  [3H 7H]  2H", "last: P0 3H (lays nothing)"]),
    ],
)
@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_what_the_rules_refuse_lays_nothing(line: str, rows: list[str], mode: Mode) -> None:
    """The card stays in the hand, refused or taken by an umpire at a price alone."""
    drawn = shown(f"paulista | P0 P1 | dealer P0 | deal P1 3C 2C 7S, P0 3H 2H 7H, vira 5H | {line}", mode)
    assert [row for row in rows if row not in drawn] == [], drawn


@pytest.mark.long
def test_what_lays_nothing_is_noted_with_every_result_that_has_it() -> None:
    found = []
    for instance in chosen(corpus.load(), variants=["fisch"]):
        event = played(runner.play(instance, Reference()), ())
        if event.script is not None:
            found.append(event.idle or ())
            assert found[-1] == laying_nothing(event.script), instance.name
    assert any(found) and not all(found)


def test_a_script_that_the_rules_do_not_know_is_drawn_as_it_is_written() -> None:
    assert laying_nothing(replace(SCRIPT, variant="not-here")) == ()
    assert laying_nothing(SCRIPT) == ((0, 1),)  # no card is covered in the first trick


def test_a_run_that_was_broken_off_says_so() -> None:
    assert "broken off" in Reader(text_of(run(interrupted=True))).text()
    assert "broken off" not in Reader(text_of(run())).text()
