"""How long the books and the site take; the site beside a ruler: the same cases played, and nothing written of them."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Mapping
from operator import itemgetter
from pathlib import Path
from time import process_time

from bench.measure import _seconds
from truco_spec.books.book_words import words_in
from truco_spec.books.render import html_of
from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.books.site.pages import build, pages
from truco_spec.books.whole import whole_of
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.runner.runner import play
from truco_spec.graph.load import load

BOOKS = ("paulista", "argentino")


def books(*, quick: bool) -> Mapping[str, object]:
    """Seconds for the book of a game by a fresh command."""
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as kept:
        for name in BOOKS:
            command = ["-m", "truco_spec", "rulebook", name, "-o", "/dev/null"]
            whole = whole_of(load(name), words_in("en"))
            found[name] = {
                "first time": round(_seconds(command, kept), 2),
                "book": round(min(_seconds(command, kept) for _ in range(2 if quick else 7)), 2),
                "examples": len(whole.examples),
                "kilobytes": len(html_of(whole, words_in("en")).encode()) // 1000,
            }
    return found


def site() -> Mapping[str, object]:
    """Seconds for the whole site, by kind of page, and once more with nothing changed; and for linking all games and
    playing every case once.
    """
    spent: defaultdict[str, float] = defaultdict(float)
    last, began = "", process_time()

    def turn(path: str) -> None:
        nonlocal last, began
        spent[last] += process_time() - began
        last, began = path.partition("/")[0] if "/" in path else "others", process_time()

    with tempfile.TemporaryDirectory() as folder:
        _, count = build(Path(folder), pages(), turn)
        turn("")
        start = process_time()
        build(Path(folder), pages())
        again = process_time() - start
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.html"))
    whole = sum(spent.values())
    start = process_time()
    shelf, engine = SiteInputs(), Reference()
    assert shelf.graphs
    for case in shelf.corpus.cases:
        play(instances(case)[0], engine)
    ruler = process_time() - start
    kinds = {kind: round(took, 1) for kind, took in sorted(spent.items(), key=itemgetter(1), reverse=True) if kind}
    told = {
        "seconds": round(whole, 1),
        "ruler": round(ruler, 1),
        "ratio": round(whole / ruler, 1),
        "again": round(again, 1),
    }
    return {**told, "pages": count, "megabytes": round(size / 1e6, 1), "seconds for": kinds}
