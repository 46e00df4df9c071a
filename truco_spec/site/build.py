"""The whole site into a folder: each page on its own, made anew only where something it rests on has changed."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from truco_spec import shipped
from truco_spec.cli.files import write_text
from truco_spec.conformance.cases import Case
from truco_spec.conformance.links import Corpus, Spec, read_corpus, read_spec
from truco_spec.conformance.trace import Trace, traces
from truco_spec.differences.sides import Side
from truco_spec.errors import TrucoError
from truco_spec.graph.link import shipped_names
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import registry, sources
from truco_spec.languages import LANGUAGES
from truco_spec.questions.ask import questions
from truco_spec.questions.table import Table, table_of
from truco_spec.rulebook.book import book_of
from truco_spec.rulebook.examples import Example
from truco_spec.rulebook.words import Words
from truco_spec.site.addresses import page_of_case, page_of_clause, parts_of_source

MANIFEST = ".truco-site.json"


class SiteError(TrucoError):
    """The folder cannot be used."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be made: where it stands, and how."""

    path: str
    make: Callable[[], str]


class Shelf:
    """What the pages are made of, each read when it is first needed."""

    def __init__(self) -> None:
        self.examples: dict[str, dict[str, Example]] = {}

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """The graphs of all games that can be played, by name."""
        return {name: graph for name in shipped_names() if (graph := load(name)).rules and graph.seats}

    @cached_property
    def corpus(self) -> Corpus:
        """All cases."""
        return read_corpus()

    @cached_property
    def spec(self) -> Spec:
        """All statements."""
        return read_spec()

    @cached_property
    def traces(self) -> dict[str, Trace]:
        """What cites and tests the clauses of each source."""
        held = traces([registry(name) for name in sources()], self.spec, self.corpus)
        return {trace.source: trace for trace in held}

    @cached_property
    def cases(self) -> dict[str, Case]:
        """The cases by their ids."""
        return {case.id: case for case in self.corpus.cases}

    @cached_property
    def told(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The rules that the book of each game tells: those that hold, and those that would if it were agreed."""
        found = {}
        for name, graph in self.graphs.items():
            sections = book_of(graph, Words()).sections
            holds = frozenset(entry.name for section in sections for entry in section.entries)
            found[name] = holds, frozenset(entry.name for section in sections for entry in section.otherwise)
        return found

    def book_with(self, rule: str, construct: str = "") -> tuple[str, str]:
        """The game whose book tells a rule, or the construct that it is part of, and which of them; or nothing.

        The first in which it holds; where it holds in none, the first in which it may be agreed.
        """
        for name in filter(None, (rule, construct)):
            for which in (0, 1):
                for game, told in self.told.items():
                    if name in told[which]:
                        return game, name
        return "", ""

    @cached_property
    def table(self) -> Table:
        """All games side by side, question by question."""
        return table_of([Side(name, {}) for name in self.graphs], questions(""))

    @cached_property
    def files(self) -> dict[str, list[Case]]:
        """The cases by the page that they stand on."""
        found: dict[str, list[Case]] = {}
        for case in self.corpus.cases:
            found.setdefault(page_of_case(case), []).append(case)
        return found


def pages() -> list[Page]:
    """Every page of the site."""
    return list(_pages(Shelf()))


def _pages(shelf: Shelf) -> Iterator[Page]:
    from truco_spec.site import clauses, documents, making

    yield Page("index.html", lambda: making.home(shelf))
    yield Page("search.html", lambda: making.search(shelf))
    yield Page("table.html", lambda: making.table(shelf))
    yield Page("clauses/index.html", lambda: clauses.sources_list(shelf))
    yield Page("cases/index.html", lambda: making.cases_list(shelf))
    for source in sources():
        yield from _pages_of_source(shelf, source)
    for name in documents.files():
        yield Page(documents.page_of(name), lambda name=name: documents.document(name))  # type: ignore[misc]
    for name in documents.folders():
        yield Page(documents.page_of(name), lambda name=name: documents.folder(name))  # type: ignore[misc]
    for path in shelf.files:
        yield Page(path, lambda path=path: making.cases(shelf, path))  # type: ignore[misc]
    for name in shelf.graphs:
        yield Page(f"atlas/{name}.html", lambda name=name: making.atlas(shelf, name))  # type: ignore[misc]
        for language in LANGUAGES:
            yield Page(
                f"rules/{name}.{language}.html",
                lambda name=name, language=language: making.book(shelf, name, language),  # type: ignore[misc]
            )


def _pages_of_source(shelf: Shelf, source: str) -> Iterator[Page]:
    from truco_spec.site import clauses

    first, parts = page_of_clause(source), parts_of_source(source)
    if not parts:
        yield Page(first, lambda: clauses.clauses(shelf, source))
        return
    yield Page(first, lambda: clauses.contents(shelf, source))
    for part in parts:
        yield Page(page_of_clause(source, part), lambda part=part: clauses.clauses(shelf, source, part))  # type: ignore[misc]


def build(folder: Path, wanted: Sequence[Page], on_page: Callable[[str], None] = lambda path: None) -> tuple[int, int]:
    """Make these pages; how many were made, and how many there are. ``on_page`` is told of each before it is made.

    A page is left as it is where it was made by this very installation; one that is there no more is taken away.
    Raises :class:`SiteError` for a folder that holds something else.
    """
    known = _known(folder)
    mark = _mark()
    made, kept = 0, {}
    for page in wanted:
        on_page(page.path)
        target = folder / page.path
        if known.get(page.path) != mark or not target.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            write_text(str(target), page.make())
            made += 1
        kept[page.path] = mark
    for path in known.keys() - kept.keys():
        (folder / path).unlink(missing_ok=True)
    write_text(str(folder / MANIFEST), json.dumps(kept, indent=0, sort_keys=True) + "\n")
    return made, len(wanted)


def _mark() -> str:
    """A digest of all that pages rest on: the specs, the corpus, the documentation, this package."""
    digest = hashlib.sha256(sys.version.encode())
    roots = (shipped.folder("spec"), shipped.folder("conformance") / "cases", shipped.folder("docs"))
    for root in (*roots, Path(__file__).resolve().parents[1]):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                stat = path.stat()
                digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _known(folder: Path) -> dict[str, str]:
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
    return {str(p): str(mark) for p, mark in found.items() if (folder / str(p)).resolve().is_relative_to(inside)}
