"""The page in HTML: whole without its script, closed to everything from outside, and deaf to hostile text."""

from __future__ import annotations

import base64
import hashlib

import pytest
from readers import Reader
from reported import HARMLESS, HOSTILE, SCRIPT, run

from truco_spec.conformance.reports.formats import anchors, steps
from truco_spec.conformance.reports.formats import html as text_of


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
    assert ("form", ("hidden", "data-negative")) in page.tags  # what only the script can serve is not shown
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
    drawn = list(steps(SCRIPT))
    assert [step.done for step in drawn] == ["", "P1 3C", "P0 (2H)", "P1 word"]
    assert dict(drawn[0].turned) == {"vira": ("5H",)}
    first, last = ({seat.player: seat for seat in drawn[at].seats} for at in (0, -1))
    assert first["P0"].deals and first["P0"].held == ("3H", "2H", "7H") and first["P1"].laid == ()
    assert (last["P0"].held, last["P0"].laid) == (("3H", "7H"), ("(2H)",))
    assert (last["P1"].held, last["P1"].laid) == (("2C", "7S"), ("3C",))


def test_a_run_that_was_broken_off_says_so() -> None:
    assert "broken off" in Reader(text_of(run(interrupted=True))).text()
    assert "broken off" not in Reader(text_of(run())).text()
