"""The projects of ``docs/examples`` are in order, as their README.md says, and a copy of one prints the same book."""

import shutil
from pathlib import Path

import pytest

from truco_spec.base.project import VARIABLE, Project
from truco_spec.books.articles import has_articles, printed_book
from truco_spec.books.book_words import words_in
from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.graph.load import load

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


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
@pytest.mark.parametrize("name", ["liga", "club"])
def test_a_project_that_was_sent_elsewhere_makes_the_same_book(name, ends, monkeypatch, tmp_path):
    books = []
    for place in ("here", "far/away"):
        folder = tmp_path / place / "unpacked"
        shutil.make_archive(str(tmp_path / "sent"), "zip", EXAMPLES / name)
        shutil.unpack_archive(tmp_path / "sent.zip", folder)
        monkeypatch.setenv(VARIABLE, "")
        monkeypatch.chdir(folder)
        assert ends("rulebook", name, "--order", "articles", "-o", "book.html")[0] == 0
        books.append((folder / "book.html").read_bytes())
    assert books[0] == books[1]


@pytest.mark.long
def test_a_site_prints_the_book_in_the_order_of_the_articles():
    Project.open(EXAMPLES / "liga")
    inputs = SiteInputs()
    assert [section.number for section in inputs.books["liga"].sections[:11]] == [*map(str, range(1, 11)), "A"]
    assert [section.title for section in printed_book(load("liga"), words_in("pt")).sections[:2]] == [
        "Duplas",
        "Baralho",
    ]
    assert not has_articles("paulista")
