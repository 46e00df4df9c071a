"""The arguments of docs/disputes, entered into “Who is right?”: with a finger at 360 pixels, and with keys alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browser import Browser, in_a_browser
from who import ROOT, Hand, go, text

from truco_spec.base import shipped
from truco_spec.base.safe_yaml import load
from truco_spec.cli import main
from truco_spec.logs.line import UNKNOWN

pytestmark = in_a_browser

ARGUMENTS = sorted((shipped.folder("docs") / "disputes").glob("*.yaml"))
BY_KEYS = ("03", "08")


@pytest.mark.sample(0, long=10)
@pytest.mark.parametrize("argument", ARGUMENTS, ids=lambda path: path.stem)
def test_an_argument_is_entered_by_taps_and_its_verdict_is_that_of_the_command_line(
    address: str, browser: Browser, argument: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entered(address, browser, argument, capsys)


@pytest.mark.parametrize(
    "argument", [path for path in ARGUMENTS if path.stem[:2] in BY_KEYS], ids=lambda path: path.stem
)
def test_an_argument_is_entered_by_keys_alone(
    address: str, browser: Browser, argument: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entered(address, browser, argument, capsys, keys=True)


def entered(
    address: str, browser: Browser, argument: Path, capsys: pytest.CaptureFixture[str], keys: bool = False
) -> None:
    log = load(argument.read_bytes())
    go(browser, f"{address}who.html")
    Hand(browser, keys).enter(log)
    said, line = text(browser, ".verdict"), browser.run("document.querySelector('textarea').value")
    assert moves_in(line) == log["hands"][0]["moves"]
    if UNKNOWN in line:
        browser.wait(f"{ROOT}.dataset.asked")
        assert text(browser, ".unsure").splitlines()[0] == "It depends on cards that were not told:"
        return
    with pytest.raises(SystemExit) as end:
        main(["run", "--json", line])
    told = capsys.readouterr()
    if end.value.code:
        (sentence,) = re.findall(r"(?:now|apply): (.*?) \([a-z.-]+\)|$", told.err)[:1]
        assert said.splitlines()[0].endswith(("— Not permitted", "— Not permitted now"))
        assert sentence in said
        return
    after = json.loads(told.out)["after"]
    assert said.splitlines()[0].endswith("— Permitted")
    for label, key in (("Leads: ", "leader"), ("Asked for: ", "proposal"), ("The hand is worth: ", "stake")):
        assert all(found == str(after[key]) for found in re.findall(f"^{label}(.*)$", said, re.MULTILINE))
    for found in re.findall("^Score: (.*)$", said, re.MULTILINE):
        assert found == " · ".join(f"{name} {points}" for name, points in after["score"].items())
    assert ("Hand: " in said) == (after["hand"] is not None)


def test_a_card_that_nobody_remembers_stays_unknown_until_it_is_told(address: str, browser: Browser) -> None:
    """The kings are manilhas, by the jack that is turned, and take bia's three; a three ties, all else loses."""
    go(browser, f"{address}who.html#paulista/ana+bia+caio+davi/dealer+ana/deal+vira+JH/bia+3C,caio+??,davi+4D,ana+4S")
    browser.wait(f"{ROOT}.dataset.asked")
    assert text(browser, ".verdict h2") == "ana: 4♠ — Permitted"
    lines = [line for line in text(browser, ".verdict .unsure").splitlines() if line]
    assert [line for line in lines if "…" not in line] == [
        "It depends on cards that were not told:",
        "With caio K♦, K♠, K♥, K♣: Trick: ana and caio · Leads: caio",
        "With caio 3♦, 3♠, 3♥: Trick: tied · Leads: bia",
        "Tell them, and the answer is sure.",
    ]
    assert [line.partition(" …: ")[2] for line in lines if "…" in line] == ["Trick: bia and davi · Leads: bia"]
    assert browser.run("document.querySelectorAll('.table .best').length") == 0
    assert "caio: nobody remembers" in text(browser, ".moves")
    person = Hand(browser, keys=False)
    person.act(person.reads(".doing button", "Which card is it?"), draws=False)
    person.card("KC")
    assert moves_in(browser.run("document.querySelector('textarea').value")) == "bia 3C, caio KC, davi 4D, ana 4S"
    assert "Trick: ana and caio" in text(browser, ".verdict")


def test_a_screen_reader_has_a_name_for_all_that_can_be_done(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.pt.html#paulista/ana+bia+caio+davi/dealer+ana/deal+vira+JH/bia+truco,caio+aceito,bia+3C")
    browser.wait(f"{ROOT}.dataset.asked")
    browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    browser.wait("document.querySelector('.setup select')")
    parts = browser.spoken()
    acting = {"button", "link", "combobox", "textbox", "spinbutton", "DisclosureTriangle"}
    assert {role for role, _ in parts} > acting
    assert [(role, name) for role, name in parts if role in acting and not re.search(r"\w", name)] == []
    assert [name for role, name in parts if role in {"group", "region"} and name][:2] == ["A mesa", "O que aconteceu?"]
    assert ("status", "") in parts  # the verdict is announced as it changes
    assert "bia: 3♣ — Vale" in [name for role, name in parts if role == "heading"]


def moves_in(line: str) -> str:
    """The moves of a log in a line, its players with small letters."""
    return re.sub(r"(^|, )(\w)", lambda found: found[1] + found[2].lower(), line.rpartition(" | ")[2])
