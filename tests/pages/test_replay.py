"""The page of a log: whole without its script, one file, harmless, and as one seat sees it in a browser."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from truco_spec.cli import main
from truco_spec.logs.files import read
from truco_spec.logs.line import read_line
from truco_spec.logs.setup import graph_of
from truco_spec.pages.replay import page_of

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "docs" / "logs").glob("*.yaml"))
LINE = "paulista | ana bia caio davi | dealer davi | deal ana 4D KH 3S, vira 7D | ana 4D, bia truco, caio corro"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=3000", "--dump-dom",
)  # fmt: skip


def made(text: str) -> str:
    log = read_line(text)
    return page_of(log, graph_of(log))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_shipped_log_becomes_a_page_of_one_file(path: Path) -> None:
    log = read(path.read_text(encoding="utf-8"), path.name)
    page = page_of(log, graph_of(log))
    moves = sum(len(hand.moves) for hand in log.hands)
    assert len(re.findall(r"<h2><span class=\"soft\">\d+\.", page)) >= moves
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "default-src &#39;none&#39;" in page
    assert len(page) < 500_000


def test_where_referees_part_the_page_holds_both() -> None:
    log = read((ROOT / "docs/logs/umpire.yaml").read_text(encoding="utf-8"), "umpire.yaml")
    page = page_of(log, graph_of(log))
    assert re.findall(r'<ol class="track" data-mode="(\w+)"', page) == ["umpire", "strict"]
    assert 'name="mode"' in page
    assert 'name="mode"' not in made(LINE)


def test_the_verb_writes_the_page_or_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "hand.html"
    with pytest.raises(SystemExit) as end:
        main(["replay", LINE, "-o", str(target)])
    assert end.value.code == 0
    with pytest.raises(SystemExit):
        main(["replay", LINE])
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [["nowhere.yaml"], [LINE, "-o", "/nowhere/at/all.html"], ["paulista | ana | x"]])
def test_bad_input_is_one_message(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["replay", *wrong])
    told = capsys.readouterr()
    assert end.value.code == 2
    assert told.out == ""
    assert "error" in told.err.lower()
    assert "Traceback" not in told.err


# ---- in a browser --------------------------------------------------------------------------------

browser = [pytest.mark.long, pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")]


def dom(folder: Path, page: str, place: str = "") -> str:
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}", path.as_uri() + place]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def visible(found: str) -> list[str]:
    opened = re.findall(r'<li class="moment" id="([\w-]+)"[^>]*>', found)
    hidden = re.findall(r'<li class="moment" id="([\w-]+)"[^>]* hidden', found)
    return [name for name in opened if name not in hidden]


class TestInABrowser:
    pytestmark = browser

    @pytest.mark.parametrize(
        ("place", "moment"), [("", "strict-0"), ("#strict-2", "strict-2"), ("#strict-99", "strict-3")]
    )
    def test_one_moment_is_shown_the_one_of_the_permalink(self, tmp_path: Path, place: str, moment: str) -> None:
        assert visible(dom(tmp_path, made(LINE), place)) == [moment]

    def test_keys_buttons_and_seats_do_what_they_say(self, tmp_path: Path) -> None:
        acts = """
          const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
          const now = () => document.querySelector(".track:not([hidden]) .moment:not([hidden])").id;
          const told = [now()];
          press("ArrowRight"); told.push(now());
          press("End"); told.push(now());
          document.querySelector('[data-go="back"]').click(); told.push(now());
          press("Home");
          const form = document.querySelector(".controls");
          form.elements.seat.value = "1";
          form.elements.seat.dispatchEvent(new Event("change"));
          const cards = [...document.querySelectorAll(".moment:not([hidden]) .seat .card use")];
          told.push(cards.filter((use) => use.getAttribute("href") === "#card-back").length);
          told.push(document.querySelector('.moment:not([hidden]) [data-seat="1"]').className.includes("at-0"));
          document.title = told.join(" ");
        """
        page = made(LINE)
        frame = f"""<!doctype html><iframe srcdoc="{html.escape(page)}"></iframe><script>onload = () => {{
          const inner = document.querySelector("iframe").contentWindow;
          document.title = new inner.Function(`{acts}; return document.title;`)();
        }}</script>"""
        # The page forbids what is not its own script; what tries it is let in by leaving that sentence out.
        frame = frame.replace(html.escape('<meta http-equiv="Content-Security-Policy"'), html.escape('<meta name="x"'))
        found = re.search(r"<title>(.*?)</title>", dom(tmp_path, frame))
        assert found is not None
        assert found[1] == "strict-0 strict-1 strict-3 strict-2 9 true"

    @pytest.mark.parametrize("width", [360, 800])
    def test_nothing_sticks_out_of_a_narrow_window(self, tmp_path: Path, width: int) -> None:
        frame = f"""<!doctype html><iframe width="{width}" height="800" style="border: 0"
          srcdoc="{html.escape(made(LINE))}"></iframe><script>onload = () => {{ document.title =
          "wide " + document.querySelector("iframe").contentDocument.documentElement.scrollWidth; }}</script>"""
        found = re.search(r"<title>wide (\d+)</title>", dom(tmp_path, frame))
        assert found is not None
        assert int(found[1]) <= width
