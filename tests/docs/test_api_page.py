"""The reference of Python is current, and has all that python.md names."""

from __future__ import annotations

import os
import re

import pytest
from fenced import ROOT

import truco_spec
from release.api_page import COMMAND, page, path


@pytest.mark.long
def test_the_page_is_current() -> None:
    if os.environ.get("TOLD") == "anew":
        path().write_text(page(), encoding="utf-8")
    assert path().read_text(encoding="utf-8") == page(), f"{COMMAND} writes it again, TOLD=anew pytest tests/docs too"


def test_every_name_that_is_promised_has_its_words() -> None:
    told = page()
    named = re.findall(r"truco_spec\.[\w.]+\.([A-Z]\w+)", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"))
    for name in {*truco_spec.__all__, *named}:
        (section,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", told, re.MULTILINE | re.DOTALL)
        assert len(section.split()) > 8, name
