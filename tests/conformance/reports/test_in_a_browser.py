"""The page in a real browser, where one is at hand: filters, permalinks, a narrow window."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reported import HOSTILE, run

from truco_spec.conformance.reports.page import text_of

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=3000", "--dump-dom",
)  # fmt: skip

pytestmark = [pytest.mark.long, pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")]


def dom(folder: Path, page: str, place: str = "") -> str:
    """The page as the browser has made it, after its script has run."""
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    command = [str(BROWSER), *FLAGS, f"--user-data-dir={folder / 'profile'}", path.as_uri() + place]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def shown(found: str) -> list[str]:
    return [
        re.sub(r".*?<code>(.*?)</code>.*", r"\1", one, flags=re.DOTALL)
        for one in re.findall(r'<details class="case".*?</details>', found, re.DOTALL)
        if " hidden" not in one.split(">")[0]
    ]


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("", 10),
        ("#?verdict=fail", ["own-fail-2"]),
        ("#?verdict=xfail", ["own-xfail-3"]),
        ("#?verdict=wrong&variant=mineiro", ["own-error-7"]),
        ("#?level=decided", ["own-crash-9"]),
        ("#?clause=own-view", ["own-crash-9"]),
        ("#?text=comes+to+UNSUPPORTED", ["own-unsupported-5"]),
        ("#?text=nothing+of+the+kind", []),
    ],
)
def test_the_address_filters(tmp_path: Path, place: str, names: list[str] | int) -> None:
    found = dom(tmp_path, text_of(run()), place)
    count = names if isinstance(names, int) else len(names)
    assert f"{count} of 10 cases</output>" in found
    assert shown(found) == names or isinstance(names, int)


def test_a_permalink_opens_its_case(tmp_path: Path) -> None:
    found = dom(tmp_path, text_of(run()), "#case-own-fail-2")
    (opened,) = [one for one in re.findall(r"<details[^>]*>", found) if re.search(r"\bopen\b", one)]
    assert 'data-verdict="fail"' in opened


def test_hostile_text_runs_nowhere(tmp_path: Path) -> None:
    found = dom(tmp_path, text_of(run(HOSTILE)))
    assert "10 of 10 cases</output>" in found
    assert found.count("<script") == 1
    assert "<img" not in found


@pytest.mark.parametrize("text", ["stake: -1", HOSTILE, "x" * 500])
def test_nothing_sticks_out_of_a_window_of_360_pixels(tmp_path: Path, text: str) -> None:
    page = text_of(run(text)).replace("<details ", "<details open ")
    frame = f"""<!doctype html><iframe width="360" height="800" style="border: 0" srcdoc="{html.escape(page)}"></iframe>
<script>onload = () => {{ document.title =
  "wide " + document.querySelector("iframe").contentDocument.documentElement.scrollWidth; }}</script>"""
    found = re.search(r"<title>wide (\d+)</title>", dom(tmp_path, frame))
    assert found is not None
    assert int(found[1]) <= 360
