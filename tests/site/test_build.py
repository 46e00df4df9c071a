"""A folder that holds the site: what is made anew, what is taken away, and what is left alone."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from truco_spec.base.paths import InsideError
from truco_spec.books.site import pages
from truco_spec.books.site.pages import SITE_MANIFEST, Page, SiteError, build
from truco_spec.cli.commands import main


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """A folder with two files that pages rest on."""
    folder = tmp_path / "ground"
    (folder / "deep").mkdir(parents=True)
    (folder / "one.txt").write_text("one", encoding="utf-8")
    (folder / "deep" / "two.txt").write_text("two", encoding="utf-8")
    return folder


def told(folder: Path, wanted: list[Page]) -> list[str]:
    """The pages that are made now."""
    made: list[str] = []

    def seen(page: Page) -> str | bytes:
        made.append(page.path)
        return page.make()

    pages = [Page(page.path, partial(seen, page), page.rests) for page in wanted]
    assert build(folder, pages) == (len(made), len(wanted))
    return made


def test_a_page_is_made_anew_where_what_it_rests_on_is_another(tmp_path: Path, ground: Path) -> None:
    one, deep = ground / "one.txt", ground / "deep"
    wanted = [
        Page("a.html", one.read_text, (one,)),
        Page("b/c.html", lambda: "b", (deep,)),
        Page("d.html", lambda: "d"),
    ]
    assert told(tmp_path / "site", wanted) == ["a.html", "b/c.html", "d.html"]
    assert told(tmp_path / "site", wanted) == []
    one.write_text("other", encoding="utf-8")
    assert told(tmp_path / "site", wanted) == ["a.html"]
    assert (tmp_path / "site" / "a.html").read_text(encoding="utf-8") == "other"
    (deep / "three.txt").touch()
    assert told(tmp_path / "site", wanted) == ["b/c.html"]
    (deep / "three.txt").rename(deep / "four.txt")
    assert told(tmp_path / "site", wanted) == ["b/c.html"]


def test_a_file_that_was_only_written_again_changes_nothing(tmp_path: Path, ground: Path) -> None:
    one = ground / "one.txt"
    wanted = [Page("a.html", lambda: "a", (one,))]
    assert told(tmp_path / "site", wanted) == ["a.html"]
    one.unlink()
    one.write_text("one", encoding="utf-8")
    assert told(tmp_path / "site", wanted) == []


def test_another_program_makes_everything_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [Page("a.html", lambda: "a")]
    assert told(tmp_path / "site", wanted) == ["a.html"]
    monkeypatch.setattr("truco_spec.books.site.pages.version", lambda name: "later")
    assert told(tmp_path / "site", wanted) == ["a.html"]


def test_a_page_that_somebody_has_changed_or_removed_is_made_anew(tmp_path: Path) -> None:
    wanted = [Page("a.html", lambda: "a"), Page("b.html", lambda: "b"), Page("c.html", lambda: "c")]
    told(tmp_path / "site", wanted)
    (tmp_path / "site" / "a.html").write_text("mine", encoding="utf-8")
    (tmp_path / "site" / "b.html").unlink()
    assert told(tmp_path / "site", wanted) == ["a.html", "b.html"]
    assert (tmp_path / "site" / "a.html").read_text(encoding="utf-8") == "a"


def test_what_was_made_before_an_interruption_counts(tmp_path: Path) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "site", [Page("a.html", lambda: "a"), Page("b.html", interrupted)])
    assert told(tmp_path / "site", [Page("a.html", lambda: "a"), Page("b.html", lambda: "b")]) == ["b.html"]


def test_a_run_that_was_killed_leaves_a_site(tmp_path: Path) -> None:
    def killed() -> str:
        raise SystemExit(137)

    def stopped(pages: list[Page]) -> Iterator[None]:
        build(tmp_path / "site", pages)
        yield

    with pytest.raises(SystemExit):
        next(stopped([Page("a.html", killed)]))
    assert (tmp_path / "site" / SITE_MANIFEST).is_file()
    assert told(tmp_path / "site", [Page("a.html", lambda: "a")]) == ["a.html"]


def test_a_page_that_comes_out_the_same_is_not_written_again(tmp_path: Path, ground: Path) -> None:
    one = ground / "one.txt"
    wanted = [Page("a.html", lambda: "a", (one,))]
    told(tmp_path / "site", wanted)
    before = (tmp_path / "site" / "a.html").stat()
    one.write_text("other", encoding="utf-8")
    assert told(tmp_path / "site", wanted) == ["a.html"]
    after = (tmp_path / "site" / "a.html").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_pages_that_are_no_more_are_taken_away_and_what_is_not_ours_stays(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, [Page("old/page.html", lambda: "old"), Page("mixed/page.html", lambda: "old")])
    (site / "mixed" / "mine.txt").write_text("mine", encoding="utf-8")
    (site / "CNAME").write_text("truco.example", encoding="utf-8")
    build(site, [Page("new.html", lambda: "new")])
    there = {path.relative_to(site).as_posix() for path in site.rglob("*")}
    assert there == {SITE_MANIFEST, "CNAME", "mixed", "mixed/mine.txt", "new.html"}


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SiteError, match="something else"):
        build(tmp_path, [Page("new.html", lambda: "new")])
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    "told", ['{"../outside.html": "x"}', '{"../outside.html": ["x", "y"]}', "[1]", "{", '{"a": 1}']
)
def test_a_list_that_names_files_outside_or_is_none_takes_nothing_away(tmp_path: Path, told: str) -> None:
    outside = tmp_path / "outside.html"
    outside.write_text("mine", encoding="utf-8")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / SITE_MANIFEST).write_text(told, encoding="utf-8")
    build(folder, [Page("new.html", lambda: "new")])
    assert outside.exists()
    assert (folder / "new.html").exists()


def test_who_stops_it_is_told_that_it_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    wanted = [Page("a.html", lambda: "a"), Page("b.html", interrupted)]
    monkeypatch.setattr("truco_spec.books.site.pages.pages", lambda *_: wanted)
    with pytest.raises(SystemExit, match="130"):
        main(["site", "-o", str(tmp_path / "site")])
    assert "goes on from there" in capsys.readouterr().err
    wanted[1] = Page("b.html", lambda: "b")
    with pytest.raises(SystemExit, match="0"):
        main(["site", "-o", str(tmp_path / "site")])
    assert "2 pages, 1 of them made now" in capsys.readouterr().out


def test_workers_share_the_pages_and_those_of_one_thing_are_made_by_one(tmp_path: Path) -> None:
    names = [f"{name}.{language}.html" for name in ("books/a", "books/b", "c") for language in ("en", "pt")]
    seen: list[str] = []
    assert build(tmp_path / "site", [Page(name, lambda: str(os.getpid())) for name in names], seen.append, 3) == (6, 6)
    assert seen == names
    makers = [(tmp_path / "site" / name).read_text(encoding="utf-8") for name in names]
    assert str(os.getpid()) not in makers
    assert makers[::2] == makers[1::2]


def test_what_workers_made_before_an_error_counts(tmp_path: Path) -> None:
    def wrong() -> str:
        raise SiteError("no such thing")

    wanted = [Page("a.html", lambda: "a"), Page("b.html", wrong)]
    with pytest.raises(SiteError, match="no such thing"):
        build(tmp_path / "site", wanted, workers=2)
    assert (tmp_path / "site" / "a.html").read_text(encoding="utf-8") == "a"
    assert build(tmp_path / "site", [wanted[0], Page("b.html", lambda: "b")], workers=2) == (1, 2)


# ---- what lies in the way -----------------------------------------------------------------------------


def _outside(folder: Path) -> Path:
    """A folder beside the site with a file of somebody's, of the name of a page."""
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "page.html").write_text("mine", encoding="utf-8")
    return outside


def _site(folder: Path, manifest: object = None) -> Path:
    folder.mkdir()
    (folder / SITE_MANIFEST).write_text(json.dumps(manifest or {}), encoding="utf-8")
    return folder


PAGES = [Page("books/page.html", lambda: "a book"), Page("page.html", lambda: "a page")]


@pytest.mark.parametrize("kind", ["folder", "page", "manifest", "dangling"])
def test_no_link_in_the_folder_is_followed(tmp_path: Path, kind: str) -> None:
    site = _site(tmp_path / "site")
    outside = _outside(site)
    places = {"folder": "books", "page": "page.html", "manifest": SITE_MANIFEST, "dangling": "page.html"}
    targets = {"folder": outside, "dangling": outside / "new.html"}
    (site / places[kind]).unlink(missing_ok=True)
    (site / places[kind]).symlink_to(targets.get(kind, outside / "page.html"))
    with pytest.raises(InsideError, match=f"{places[kind]}.*: error: This is a link"):
        build(site, PAGES)
    assert [path.name for path in outside.iterdir()] == ["page.html"]
    assert (outside / "page.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("place", ["page.html", "books", "books/page.html", SITE_MANIFEST])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_ordinary_file_is_told_and_left(tmp_path: Path, place: str, make: Callable[[Path], None]) -> None:
    site = _site(tmp_path / "site")
    (site / place).parent.mkdir(exist_ok=True)
    (site / place).unlink(missing_ok=True)
    make(site / place)
    if (place, make) == ("books", os.mkdir):
        assert build(site, PAGES) == (2, 2)
        return
    with pytest.raises(InsideError, match=r"no ordinary file or folder; take it away\.$"):
        build(site, PAGES)
    assert not (site / place).is_file()


def _held(site: Path) -> dict[str, str]:
    return {
        p.relative_to(site).as_posix(): p.read_text(encoding="utf-8")
        for p in site.rglob("*.*")
        if p.name != SITE_MANIFEST
    }


def test_only_what_the_site_wrote_is_taken_away(tmp_path: Path) -> None:
    site = tmp_path / "site"
    build(site, [*PAGES, Page("old.html", lambda: "old"), Page("changed.html", lambda: "old")])
    (site / "mine.txt").write_text("mine", encoding="utf-8")
    (site / "changed.html").write_text("mine", encoding="utf-8")
    build(site, PAGES)
    assert _held(site).keys() == {"books/page.html", "changed.html", "mine.txt", "page.html"}


def test_a_manifest_of_somebody_else_takes_nothing_away(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"mine").hexdigest()
    site = _site(tmp_path / "site", {"mine.txt": ["", digest], "page.html": ["", digest]})
    (site / "mine.txt").write_text("mine", encoding="utf-8")
    (site / "page.html").write_text("mine", encoding="utf-8")
    with pytest.raises(SiteError, match=r"page\.html: error: This file was not written here"):
        build(site, PAGES)
    build(site, PAGES[:1])
    assert _held(site) == {"books/page.html": "a book", "mine.txt": "mine", "page.html": "mine"}


@pytest.mark.parametrize("place", ["page.html", "books/page.html"])
def test_what_lay_there_before_is_not_overwritten(tmp_path: Path, place: str) -> None:
    site = _site(tmp_path / "site")
    (site / "books").mkdir()
    (site / place).write_text("mine", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(SiteError, match="Take it away"):
            build(site, PAGES)
        assert (site / place).read_text(encoding="utf-8") == "mine"
    (site / place).unlink()
    build(site, PAGES)
    assert _held(site) == {"books/page.html": "a book", "page.html": "a page"}


def test_a_site_that_was_moved_is_no_site_of_this_folder(tmp_path: Path) -> None:
    build(tmp_path / "site", PAGES)
    (tmp_path / "site").rename(tmp_path / "elsewhere")
    assert build(tmp_path / "elsewhere", PAGES) == (2, 2)  # and written are none: they are the same
    (tmp_path / "elsewhere").rename(tmp_path / "third")
    with pytest.raises(SiteError, match="not written here"):
        build(tmp_path / "third", [Page("page.html", lambda: "another")])


def test_a_page_of_a_run_that_was_killed_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    with monkeypatch.context() as killed:
        killed.setattr("truco_spec.books.site.pages._write", _writes_once())
        build(site, PAGES)
    assert build(site, [Page("page.html", lambda: "another")]) == (1, 1)
    assert _held(site) == {"books/page.html": "a book", "page.html": "another"}


def _writes_once() -> Callable[..., None]:
    """The writing of the manifest, which comes to pass the first time only."""
    rest = iter([pages._write])
    return lambda *given: next(rest, lambda *_: None)(*given)


@pytest.mark.parametrize(
    "path",
    ["../outside/page.html", "books/../../outside/page.html", "/etc/passwd", "a\0b", "\ud800", "", "a//b", "x" * 5000],
)
def test_a_manifest_cannot_name_what_is_no_page(tmp_path: Path, path: str) -> None:
    digest = hashlib.sha256(b"mine").hexdigest()
    site = _site(tmp_path / "site", {path: ["", digest]})
    outside = _outside(site)
    assert build(site, PAGES) == (2, 2)
    assert (outside / "page.html").exists()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\0",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff",
        b"1" * 10_000,
        b'{"page.html": [1, 2]}',
        b'{"page.html": null}',
    ],
)
def test_a_manifest_of_nonsense_is_as_good_as_empty(tmp_path: Path, text: bytes) -> None:
    site = _site(tmp_path / "site")
    (site / SITE_MANIFEST).write_bytes(text)
    assert build(site, PAGES) == (2, 2)
    assert build(site, PAGES) == (0, 2)


def test_no_half_of_a_page_is_left_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    build(site, PAGES)
    before = sorted(site.rglob("*"))

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(InsideError, match="No space left"):
        build(site, [Page("page.html", lambda: "another")])
    assert sorted(site.rglob("*")) == before
    assert (site / "page.html").read_text(encoding="utf-8") == "a page"
