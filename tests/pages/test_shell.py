"""What all pages share stands in one place: their head, their colours; and who makes no page loads no templates."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from truco_spec.logs.line import read_line
from truco_spec.logs.setup import graph_of
from truco_spec.pages.board import page_of

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "truco_spec").rglob("*.html"))
STYLES = sorted((ROOT / "truco_spec").rglob("*.css"))
DISPUTE = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S"


def names(paths: list[Path], pattern: str) -> set[str]:
    return {path.name for path in paths if re.search(pattern, path.read_text(encoding="utf-8"))}


def test_one_template_has_a_head_and_one_style_the_colours() -> None:
    assert names(TEMPLATES, "<head>|<!doctype") == {"shell.html"}
    assert names(STYLES, r"--ground:") == {"colours.css"}
    assert names(STYLES, r"prefers-color-scheme") == {"colours.css"}


@pytest.mark.parametrize("style", STYLES, ids=lambda path: path.stem)
def test_every_colour_that_is_used_is_told_for_light_and_dark(style: Path) -> None:
    light, dark = (ROOT / "truco_spec/pages/colours.css").read_text(encoding="utf-8").split("@media")
    measures = (ROOT / "truco_spec/pages/board.css").read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", style.read_text(encoding="utf-8")))
    used = {name for name in used if f"{name}:" not in measures and name not in ("--dx", "--dy")}
    assert {name for name in used if f"{name}:" not in light} == set()
    assert {name for name in used if f"{name}:" not in dark} <= {"--on-chip"}  # the same on either


def test_a_page_has_a_language_a_title_and_its_own_style_after_the_shared() -> None:
    log = read_line("paulista | ana bia | dealer ana | deal | bia truco")
    made = page_of(log, graph_of(log))
    assert '<html lang="en">' in made
    assert "<title>ana, bia – Truco Paulista</title>" in made
    places = [made.index(text) for text in ("--ground:", "box-sizing", ".seat {", ".cites {")]
    assert places == sorted(places)


def test_a_dispute_in_text_loads_no_templates() -> None:
    program = (
        "import sys; from truco_spec.cli import main\n"
        f"try: main(['dispute', {DISPUTE!r}, '--variants', 'paulista,mineiro'])\n"
        "finally: print('jinja2' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "They part at move 4" in done.stdout
    assert done.stderr.split() == ["False"]
