"""The pictures of the design are pictures, say what they show, and what the page tells of the code is so."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from fenced import ROOT, blocks

from truco_spec.engine.ruling import Ruling
from truco_spec.graph.load import load

DOCS = ROOT / "docs"
PACKAGE = ROOT / "truco_spec"
PAGE = (DOCS / "design.md").read_text(encoding="utf-8")
PICTURES = re.findall(r"!\[([^\]]+)\]\((design/\w+\.svg)\)", PAGE)
SVG = "{http://www.w3.org/2000/svg}"
WIDE = 7.8
"""Pixels that a letter of the drawn text takes at most, on average."""


def test_every_picture_that_was_drawn_is_shown() -> None:
    assert {path for _, path in PICTURES} == {f"design/{path.name}" for path in (DOCS / "design").iterdir()}


@pytest.mark.parametrize(("told", "path"), PICTURES)
def test_a_picture_has_a_title_a_description_and_an_alternative(told: str, path: str) -> None:
    picture = ET.fromstring((DOCS / path).read_text(encoding="utf-8"))
    assert picture.tag == f"{SVG}svg"
    assert len((picture.findtext(f"{SVG}title") or "").split()) > 3
    assert len((picture.findtext(f"{SVG}desc") or "").split()) > 20
    assert len(told.split()) > 15


@pytest.mark.parametrize("path", [path for _, path in PICTURES])
def test_no_text_leaves_its_picture(path: str) -> None:
    picture = ET.fromstring((DOCS / path).read_text(encoding="utf-8"))
    for text in picture.iter(f"{SVG}text"):
        wide = len(text.text or "") * WIDE
        left = float(text.attrib["x"]) - (wide / 2 if text.get("text-anchor") == "middle" else 0)
        assert 0 <= left <= left + wide <= float(picture.attrib["width"]), text.text


def test_the_verdicts_and_the_exception_that_are_drawn_are_those_of_the_code() -> None:
    step, layers = ((DOCS / "design" / name).read_text(encoding="utf-8") for name in ("step.svg", "layers.svg"))
    for status in ("permitted", "forbidden", "not-offered", "impossible"):
        assert status in (Ruling.__doc__ or "")
        assert status.replace("-", " ") in step
    beats = {answer.name: answer.beats for define in load("argentino").defines.values() for answer in define.answers}
    assert "taker" in beats["tied-trick"]
    assert "tied-trick except taker" in layers


def test_the_functions_and_files_that_it_names_are_there() -> None:
    house = PAGE[PAGE.index("## The house") :]
    named = re.findall(r"`(\w+)` in `([\w/]+\.py)`", house)
    assert len(named) > 5
    for function, path in named:
        assert re.search(rf"^(def|class) {function}\b", (PACKAGE / path).read_text(encoding="utf-8"), re.MULTILINE), (
            function,
            path,
        )
    for path in re.findall(r"`([\w-]+(?:/[\w-]+)+\.\w+)`", house):
        assert (PACKAGE / path).is_file() or (ROOT / path).is_file(), path


def test_it_has_no_examples_that_nobody_tries() -> None:
    assert blocks(PAGE) == []
