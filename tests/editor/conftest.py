"""One server for all tests of the editor, in a folder with rules and a log."""

from __future__ import annotations

import pytest
from talk import HOUSE, LOG, Editor


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    (folder / "house.truco").write_text(HOUSE, encoding="utf-8")
    (folder / "sunday.yaml").write_text(LOG, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def editor(folder):
    editor = Editor(folder, "--no-checks")
    yield editor
    assert editor.end() == 0
    assert not [line for line in editor.errors if b"Traceback" in line]
