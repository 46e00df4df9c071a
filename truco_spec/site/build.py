"""The site into a folder: a page is made anew only where something it rests on has changed.

What was made is written down in the folder itself (``.truco-site.json``): of each page the mark of all that it rests
on, and the digest of the page. Nothing else in the folder is touched.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from truco_spec.errors import TrucoError
from truco_spec.inside import Inside, InsideError, can_be_inside
from truco_spec.site.marks import Marks
from truco_spec.site.pages import Page

MANIFEST = ".truco-site.json"


class SiteError(TrucoError):
    """The folder cannot be used."""


@dataclass(frozen=True, slots=True)
class Made:
    """A page as it was made: the mark of what it rests on, and its own digest."""

    mark: str
    digest: str


def build(folder: Path, wanted: Sequence[Page], on_page: Callable[[str], None] = lambda path: None) -> tuple[int, int]:
    """Make these pages; how many were made, and how many there are. ``on_page`` is told of each before it is made.

    A page is left as it is where what it rests on is what it was, and nobody has changed it; one that is there no more
    is taken away, if it is as it was made. What was made before an interruption counts. Nothing outside the folder is
    read or written: no link is followed. Raises :class:`SiteError` for a folder that holds something else, and
    :class:`~truco_spec.inside.InsideError` where a link, a pipe or a folder lies in the place of a page.
    """
    site = Inside(folder)
    known = _known(site)
    _write(site, known)  # from now on it is a site, whatever happens
    marks = Marks()
    made, kept = 0, {}
    try:
        for page in wanted:
            on_page(page.path)
            mark = marks.of(page.rests)
            before = known.get(page.path)
            if before is None or before.mark != mark or _digest(site, page.path) != before.digest:
                before = Made(mark, _put(site, page.path, page.make()))
                made += 1
            kept[page.path] = before
    except BaseException:
        _write(site, known | kept)
        raise
    for path in known.keys() - kept.keys():
        if _digest(site, path) == known[path].digest:
            site.remove(path)
    _write(site, kept)
    return made, len(wanted)


def _put(site: Inside, path: str, text: str) -> str:
    """Write a page, unless it is there already as it is to be; its digest."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest != _digest(site, path):
        site.put(path, text.encode())
    return digest


def _digest(site: Inside, path: str) -> str:
    """The digest of a page as it is there; empty where none is, or something else."""
    try:
        found = site.read(path)
    except InsideError:
        return ""
    return "" if found is None else hashlib.sha256(found).hexdigest()


def _write(site: Inside, kept: dict[str, Made]) -> None:
    told = {path: [made.mark, made.digest] for path, made in kept.items()}
    site.put(MANIFEST, (json.dumps(told, indent=0, sort_keys=True) + "\n").encode())


def _known(site: Inside) -> dict[str, Made]:
    """The pages that an earlier run has made. The folder may be new, empty, or a site."""
    folder = site.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        told = site.read(MANIFEST)
        if told is None and any(folder.iterdir()):
            raise SiteError(f"{folder}: error: This folder holds something else. Give a new or an empty one.")
    except OSError as error:
        raise SiteError(f"{folder}: error: This folder cannot be used: {error.strerror or error}.") from None
    return {} if told is None else _pages_in(told)


def _pages_in(told: bytes) -> dict[str, Made]:
    """What a manifest tells. It may hold anything: what is no page in the folder is left out."""
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
