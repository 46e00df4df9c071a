"""Builds the site into a folder, incrementally: a page is rebuilt only if one of its inputs has changed.

The manifest lies in the folder itself (``.truco-site.json``): for each page the digest of its inputs, and of the page.
It counts only if the user's cache knows that it was written here by this user. Nothing else in the folder is touched.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError, located, reason_of
from truco_spec.base.paths import Inside, InsideError, can_be_inside
from truco_spec.base.processes import made_of
from truco_spec.base.user_cache import Shelf
from truco_spec.base.words import Sentence
from truco_spec.books.site.pages import Page

MANIFEST = ".truco-site.json"
SHELF = Shelf("sites", 400)
"""The manifests that this user wrote, by folder and content."""


class SiteError(TrucoError):
    """The folder cannot be used."""


@dataclass(frozen=True, slots=True)
class Made:
    """A built page: the digest of its inputs, and its own digest."""

    mark: str
    digest: str


def build(
    folder: Path, wanted: Sequence[Page], on_page: Callable[[str], None] = lambda path: None, workers: int = 1
) -> tuple[int, int]:
    """Build these pages; return the number built and the total. ``on_page`` is called for each.

    A page is kept if its inputs are unchanged and nobody has edited it; an obsolete page is removed if it is unedited.
    Pages built before an interruption count. Nothing outside the folder is read or written: no link is followed. Raises
    :class:`SiteError` for a folder that holds something else, or another file in the place of a page, and
    :class:`~truco_spec.base.paths.InsideError` if a link, a pipe or a folder lies there.
    """
    site = Inside(folder)
    known = _known(site)
    known |= {page.path: Made("", "") for page in wanted if page.path not in known and _is_free(site, page.path)}
    _write(site, known)  # from now on it is a site, whatever happens
    marks, kept, changed = Marks(), dict[str, Made](), dict[str, str]()
    for page in wanted:
        mark = marks.of(page.rests)
        before = known.get(page.path)
        if before is None or before.mark != mark or _digest(site, page.path) != before.digest:
            changed[page.path] = mark
        else:
            kept[page.path] = before
            on_page(page.path)
    try:
        for path, made in _made([page for page in wanted if page.path in changed], on_page, workers):
            kept[path] = Made(changed[path], _put(site, path, made, ours=path in known))
    except BaseException:
        _write(site, known | kept)
        raise
    for path in known.keys() - kept.keys():
        if _digest(site, path) == known[path].digest:
            site.remove(path)
    _write(site, kept)
    return len(changed), len(wanted)


def _made(pages: Iterable[Page], on_page: Callable[[str], None], workers: int) -> Iterator[tuple[str, str | bytes]]:
    """The content of each page, by its path. Pages whose names begin alike (a game, a file of cases, an argument, in
    every language) rest on much that is the same, so one worker makes them.
    """
    alike: dict[str, list[Page]] = {}
    for page in pages:
        alike.setdefault(page.path.partition(".")[0], []).append(page)
    parts = list(alike.values())
    made = made_of(lambda part: [page.make() for page in part], parts, workers)
    for part, contents in zip(parts, made, strict=True):
        for page, content in zip(part, contents, strict=True):
            on_page(page.path)
            yield page.path, content


def _put(site: Inside, path: str, made: str | bytes, *, ours: bool) -> str:
    """Write a page unless it is up to date; return its digest. Raises :class:`SiteError` for somebody else's file."""
    content = made.encode() if isinstance(made, str) else made
    digest = hashlib.sha256(content).hexdigest()
    there = _digest(site, path)
    if there and there != digest and not ours:
        form = (
            "This file was not written here by “truco-spec site”, as far as the cache of this user knows. Take it "
            "away, or give a new or an empty folder."
        )
        raise SiteError(located(site.folder / path, Sentence(form)))
    if there != digest:
        site.put(path, content)
    return digest


def _is_free(site: Inside, path: str) -> bool:
    """Whether nothing lies in the place of a page."""
    try:
        return site.read(path) is None
    except InsideError:
        return False


def _digest(site: Inside, path: str) -> str:
    """The digest of the existing page; empty if there is none, or no ordinary file."""
    try:
        found = site.read(path)
    except InsideError:
        return ""
    return "" if found is None else hashlib.sha256(found).hexdigest()


def _write(site: Inside, kept: dict[str, Made]) -> None:
    told = {path: [made.mark, made.digest] for path, made in kept.items()}
    text = (json.dumps(told, indent=0, sort_keys=True) + "\n").encode()
    SHELF.write(_name(site, text), b"")
    site.put(MANIFEST, text)


def _name(site: Inside, manifest: bytes) -> str:
    """The name under which a manifest in this folder is known."""
    return hashlib.sha256(os.fsencode(site.folder.resolve()) + b"\0" + manifest).hexdigest()


def _known(site: Inside) -> dict[str, Made]:
    """The pages built here by an earlier run of this user. The folder may be new, empty, or a site."""
    folder = site.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        told = site.read(MANIFEST)
        if told is None and any(folder.iterdir()):
            raise SiteError(located(folder, Sentence("This folder holds something else. Give a new or an empty one.")))
    except OSError as error:
        why = reason_of(error)
        raise SiteError(located(folder, Sentence("This folder cannot be used: {why}.", why=why))) from None
    return {} if told is None or SHELF.read(_name(site, told)) is None else _pages_in(told)


def _pages_in(told: bytes) -> dict[str, Made]:
    """Parse a manifest: entries that are no page in the folder are dropped."""
    try:
        found = json.loads(told)
    except (ValueError, RecursionError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {
        path: Made(*made)
        for path, made in pairs
        if can_be_inside(path) and isinstance(made, list) and [type(part) for part in made] == [str, str]
    }


# --------------------------------------------------------------------------------------------------
# Digests of the inputs of pages: of the contents of files, wherever they lie, and of this program.

LIBRARIES = ("babel", "jinja2", "markdown-it-py", "markupsafe", "pyyaml", "snowballstemmer")
"""The libraries that affect the text of a page."""

_DATA = ("grammar", "spec", "conformance", "docs")
"""Data folders inside the installed package: a page depends on parts of them only."""


class Marks:
    """Computes the digests; each file is read once."""

    def __init__(self) -> None:
        self._known: dict[Path, bytes] = {}

    def of(self, rests: Iterable[Path | str]) -> str:
        """The digest of a page with these input files, folders and texts."""
        digest = hashlib.sha256(self.program)
        for path in dict.fromkeys(rests):
            digest.update(self._of(path) if isinstance(path, Path) else hashlib.sha256(path.encode()).digest())
        return digest.hexdigest()

    @cached_property
    def program(self) -> bytes:
        """The digest of the package without its data, the grammar, the libraries, and the Python version."""
        package = Path(__file__).resolve().parents[2]
        inside = {package / "data" / name for name in _DATA}
        digest = hashlib.sha256(repr((sys.version, [version(name) for name in LIBRARIES])).encode())
        for path in _files(package):
            if path.suffix != ".pyc" and inside.isdisjoint(path.parents):
                digest.update(_told(path, package))
        digest.update(self._of(shipped.folder("grammar")))
        return digest.digest()

    def _of(self, path: Path) -> bytes:
        if path not in self._known:
            digest = hashlib.sha256(path.name.encode() + b"\0")
            for file in _files(path) if path.is_dir() else [path]:
                digest.update(_told(file, path))
            self._known[path] = digest.digest()
        return self._known[path]


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _told(file: Path, root: Path) -> bytes:
    name = file.relative_to(root).as_posix().encode()
    return name + b"\0" + hashlib.sha256(file.read_bytes()).digest()
