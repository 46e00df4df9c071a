"""The playground: what it answers, what it packs, and the page in a real browser with Pyodide."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import Browser, in_a_browser, served

from truco_spec.base.shipped import LANGUAGES
from truco_spec.books.playground import answer
from truco_spec.books.site import playground_page
from truco_spec.books.site.pages import build, pages
from truco_spec.cli import main

PYODIDE = "pyodide@314"
HOSTILE = (
    "", "variant", "variant x extends nix {", "variant x extends paulista { title \"x\" set deck p99 @decided:x }",
    "{" * 5000,
    "variant x extends x { title \"x\" }", "\x00", "(" * 100_000,
)  # fmt: skip


def asked(wanted: str, text: str, line: str = "", language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(wanted, text, line, language))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_it_begins_with_is_in_order_and_can_be_played(language: str) -> None:
    text = playground_page.samples()[language]
    found = asked("check", text, language=language)
    assert found["title"] in text
    begun = asked("replay", text, found["line"], language)
    first = begun["moves"][0]
    assert first.split()[0] in found["line"]
    after = asked("replay", text, f"{found['line']} {first}", language)
    assert after["moves"] != begun["moves"]
    assert f'lang="{language}"' in after["html"]


def test_a_mistake_has_its_line_and_a_hint() -> None:
    (mistake,) = asked("check", playground_page.samples()["en"].replace("tie-lead last", "tie-leed last"))["mistakes"]
    assert mistake["line"] == 8
    assert "tie-lead" in mistake["hint"]


def test_a_move_that_is_refused_is_shown_and_said() -> None:
    found = asked("replay", playground_page.samples()["en"], "ours | Ana Bia Caio Davi | dealer Davi | Bia truco")
    assert "truco" in found["mistakes"][0]["message"]
    assert found["moves"] == []
    assert found["html"].startswith("<!doctype html>")


@pytest.mark.parametrize("wanted", ["check", "replay"])
@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_no_text_raises(wanted: str, number: int) -> None:
    found = asked(wanted, HOSTILE[number], "x | a b | dealer b |")
    assert found.get("mistakes") or found.get("fault")


@pytest.mark.long
def test_the_archive_has_all_that_the_answers_import(tmp_path: Path) -> None:
    packed = tmp_path / "rules.zip"
    packed.write_bytes(playground_page.archive())
    assert packed.stat().st_size < 3_000_000
    with zipfile.ZipFile(packed) as held:
        held.extractall(tmp_path / "rules")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'rules')!r})\n"
        "from truco_spec.books.playground import answer\nimport truco_spec\n"
        "print(truco_spec.__file__)\n"
        "for wanted in ('check', 'book', 'replay'): print(answer(wanted, *sys.argv[1:])[:40])"
    )
    given = (playground_page.samples()["pt"], "nosso | a b c d | dealer d | a truco", "pt")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, *given],
        capture_output=True, text=True, check=True, env=os.environ | {"TRUCO_SPEC_CACHE": "off"},
    )  # fmt: skip
    where, checked, book, played = done.stdout.splitlines()
    assert where.startswith(str(tmp_path))
    assert '"title"' in checked
    assert '"html"' in book and '"html"' in played


def test_another_folder_is_no_pyodide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["site", "-o", str(tmp_path / "public"), "--pyodide", str(tmp_path)])
    assert end.value.code == 2
    assert "npm install pyodide" in capsys.readouterr().err
    assert not (tmp_path / "public").exists()


# ---- In a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    folder = tmp_path_factory.mktemp("playground")
    made = subprocess.run(
        ["npm", "install", "--silent", "--prefix", str(folder), PYODIDE], capture_output=True, timeout=240, check=False
    )
    if made.returncode:
        pytest.skip(f"npm has no {PYODIDE} here")
    wanted = [page for page in pages(folder / "node_modules" / "pyodide") if page.path.startswith("playground")]
    build(folder / "public", wanted)
    with served(folder / "public") as address:
        yield address


def answered(browser: Browser, wanted: str) -> str:
    count = "Number(document.getElementById('playground')?.dataset.answered ?? 0)"
    before = browser.run(count)
    browser.page.click(f"[data-do={wanted}]")
    browser.wait(f"{count} !== {before}", seconds=180)
    return str(browser.run("document.querySelector('.state').textContent"))


@pytest.mark.long
@in_a_browser[1]
def test_rules_are_checked_played_and_sent_in_a_browser(address: str, browser: Browser) -> None:
    browser.page.goto(f"{address}playground.html")
    time.sleep(1)
    loaded = "performance.getEntriesByType('resource').some((one) => one.name.includes('playground/'))"
    assert not browser.run(loaded)  # neither Pyodide nor the rules
    assert "Nothing wrong" in answered(browser, "check")
    assert browser.run(loaded)
    assert answered(browser, "replay") == "Done."
    assert browser.run("document.querySelectorAll('.offered button').length") > 1
    typed = "document.getElementById('rules').value"
    browser.run(f"{typed} = {typed}.replace('lead last', 'lead lest')")
    assert "not in order" in answered(browser, "check")
    assert "lest" in browser.run("document.querySelector('.mistakes').textContent")
    browser.page.click("[data-do=link]")
    browser.wait("location.hash")
    browser.open(browser.page.url)
    browser.wait(f"{typed}.includes('lead lest')")
    assert browser.faults() == []
