"""The site into a folder: a page is made anew only where something it rests on has changed.

What was made is written down in the folder itself (``.truco-site.json``): of each page the mark of all that it rests
on, and the digest of the page. Nothing else in the folder is touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from truco_spec.cli.files import write_text
from truco_spec.errors import TrucoError
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
    is taken away. What was made before an interruption counts. Raises :class:`SiteError` for a folder that holds
    something else.
    """
    known = _known(folder)
    _write(folder, known)  # from now on it is a site, whatever happens
    marks = Marks()
    made, kept = 0, {}
    try:
        for page in wanted:
            on_page(page.path)
            target, mark = folder / page.path, marks.of(page.rests)
            before = known.get(page.path)
            if before is None or before.mark != mark or _digest(target) != before.digest:
                before = Made(mark, _put(target, page.make()))
                made += 1
            kept[page.path] = before
    except BaseException:
        _write(folder, known | kept)
        raise
    for path in known.keys() - kept.keys():
        _take_away(folder, path)
    _write(folder, kept)
    return made, len(wanted)


def _put(target: Path, text: str) -> str:
    """Write a page, unless it is there already as it is to be; its digest."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    if digest != _digest(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(str(target), text)
    return digest


def _digest(target: Path) -> str:
    try:
        return hashlib.sha256(target.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""


def _take_away(folder: Path, path: str) -> None:
    """Remove a page, and the folders that are empty without it."""
    (folder / path).unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # one that still holds something
        for parent in Path(path).parents[:-1]:
            (folder / parent).rmdir()


def _write(folder: Path, kept: dict[str, Made]) -> None:
    told = {path: [made.mark, made.digest] for path, made in kept.items()}
    write_text(str(folder / MANIFEST), json.dumps(told, indent=0, sort_keys=True) + "\n")


def _known(folder: Path) -> dict[str, Made]:
    """The pages that an earlier run has made. The folder may be new, empty, or a site."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        manifest = folder / MANIFEST
        if not manifest.is_file():
            if any(folder.iterdir()):
                raise SiteError(f"{folder}: error: This folder holds something else. Give a new or an empty one.")
            return {}
        found = json.loads(manifest.read_text(encoding="utf-8"))
    except OSError as error:
        raise SiteError(f"{folder}: error: This folder cannot be used: {error.strerror or error}.") from None
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    inside = folder.resolve()
    return {
        str(path): Made(str(told[0]), str(told[1])) if isinstance(told, list) and len(told) == 2 else Made("", "")
        for path, told in found.items()
        if (folder / str(path)).resolve().is_relative_to(inside)
    }
