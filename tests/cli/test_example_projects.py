"""The projects of ``docs/examples`` are in order, as their README.md says, and a copy of one prints the same book."""

import shutil
from pathlib import Path

import pytest

from truco_spec.base.project import VARIABLE

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.fixture(autouse=True)
def _closed_again(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


@pytest.mark.long
@pytest.mark.parametrize("name", ["liga", "club"])
def test_an_example_is_traced_tested_and_translated(name, ends, monkeypatch, tmp_path):
    monkeypatch.chdir(shutil.copytree(EXAMPLES / name, tmp_path / "copy"))
    status, told, _ = ends("trace")
    assert (status, "Every link is there." in told) == (0, True)
    assert ends("test")[0] == 0
    assert ends("translate")[0] == 0
    for kept in EXAMPLES.joinpath(name, "locales").rglob("*.po"):
        copied = tmp_path / "copy" / kept.relative_to(EXAMPLES / name)
        assert copied.read_bytes() == kept.read_bytes()


@pytest.mark.long
@pytest.mark.parametrize("name", ["liga", "club"])
def test_an_example_is_in_order(name, ends, monkeypatch):
    monkeypatch.chdir(EXAMPLES / name)
    status, told, said = ends("check")
    assert (status, "warning" in told + said) == (0, False)


@pytest.mark.long
def test_a_project_that_was_sent_elsewhere_makes_the_same_book(ends, monkeypatch, tmp_path):
    books = []
    for place in ("here", "far/away"):
        folder = tmp_path / place / "unpacked"
        shutil.make_archive(str(tmp_path / "sent"), "zip", EXAMPLES / "liga")
        shutil.unpack_archive(tmp_path / "sent.zip", folder)
        monkeypatch.setenv(VARIABLE, "")
        monkeypatch.chdir(folder)
        assert ends("rulebook", "liga", "--order", "articles", "-o", "book.html")[0] == 0
        books.append((folder / "book.html").read_bytes())
    assert books[0] == books[1]
