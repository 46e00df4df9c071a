"""Which pages the site has, how each is made, and which files it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from truco_spec import shipped
from truco_spec.graph.link import blocks_of, shipped_variants
from truco_spec.graph.sources import sources
from truco_spec.languages import ENGLISH, LANGUAGES
from truco_spec.site.addresses import page_of_clause, parts_of_source
from truco_spec.site.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be made: where it stands, how, and what it rests on: files, folders, and facts told as texts.

    It is made anew when one of them is another; this program it rests on anyhow.
    """

    path: str
    make: Callable[[], str]
    rests: tuple[Path | str, ...] = ()


def pages() -> list[Page]:
    """Every page of the site."""
    return list(_Pages(Shelf()).all())


class _Pages:
    """The pages, kind by kind."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        spec = shipped.folder("spec")
        self.rules = (spec / "base", spec / "variants")
        self.sources = spec / "sources"
        self.plan = spec / "rulebook.yaml"
        self.glossary = spec / "glossary"
        self.questions = spec / "questions.yaml"
        self.corpus = shipped.folder("conformance") / "cases"
        self.docs = shipped.folder("docs")

    def all(self) -> Iterator[Page]:
        """Every page."""
        for language in LANGUAGES:
            yield from self._of_language(language)
        yield from self._of_all_together()
        for source in sources():
            yield from self._of_source(source)
        yield from self._documents()
        for path in self.shelf.files:
            yield self._cases(path)
        for name in self.shelf.graphs:
            yield from self._of_game(name)

    def _of_language(self, language: str) -> Iterator[Page]:
        from truco_spec.site import making, searching
        from truco_spec.site.addresses import Addresses

        to = Addresses(language=language)
        told = (*self.rules, self.sources, self.plan, *_catalogs(language))
        yield Page(to.home(), lambda: making.home(self.shelf, language), (*told, self.corpus))
        yield Page(to.search(), lambda: searching.search(self.shelf, language), (*told, self.questions, self.docs))

    def _of_all_together(self) -> Iterator[Page]:
        from truco_spec.site import clauses, making

        yield Page("table.html", lambda: making.table(self.shelf), (*self.rules, self.sources, self.questions))
        yield Page("clauses/index.html", lambda: clauses.sources_list(self.shelf), (self.sources,))
        yield Page("cases/index.html", lambda: making.cases_list(self.shelf), (self.corpus,))

    def _of_source(self, source: str) -> Iterator[Page]:
        from truco_spec.site import clauses

        rests = (*self.rules, self.sources, self.plan, self.glossary, self.corpus)
        first, parts = page_of_clause(source), parts_of_source(source)
        if not parts:
            yield Page(first, lambda: clauses.clauses(self.shelf, source), rests)
            return
        yield Page(first, lambda: clauses.contents(self.shelf, source), rests)
        for part in parts:
            make = lambda part=part: clauses.clauses(self.shelf, source, part)  # noqa: E731
            yield Page(page_of_clause(source, part), make, rests)

    def _documents(self) -> Iterator[Page]:
        from truco_spec.site import documents, logs

        for name in documents.files():
            path = self.docs / name
            variant = logs.variant_of(name)
            if not variant:
                yield Page(documents.page_of(name), lambda name=name: documents.document(name), (self.docs,))  # type: ignore[misc]
                continue
            there = " ".join(documents.files())  # the way to the others stands on each
            rests: tuple[Path | str, ...] = (
                path,
                self.docs / documents.FIRST,
                there,
                *_texts_of(variant),
                self.sources,
            )
            yield Page(documents.page_of(name), lambda name=name: logs.log(name), rests)  # type: ignore[misc]
            if logs.can_be_replayed(name):
                yield Page(logs.replay_of(name), lambda name=name: logs.replay(name), rests)  # type: ignore[misc]
        for name in documents.folders():
            yield Page(documents.page_of(name), lambda name=name: documents.folder(name), (self.docs,))  # type: ignore[misc]

    def _cases(self, path: str) -> Page:
        from truco_spec.site import cases

        held = self.shelf.files[path]
        variants = dict.fromkeys(variant for case in held for variant in case.applies.variants)
        texts = dict.fromkeys(text for variant in variants for text in _texts_of(variant))
        files = dict.fromkeys(Path(case.path) for case in held)
        return Page(path, lambda: cases.cases(self.shelf, path), (*files, *texts, self.sources))

    def _of_game(self, name: str) -> Iterator[Page]:
        from truco_spec.site import atlas, making

        texts = _texts_of(name)
        rests = (*texts, self.sources, self.plan, *self._tested_in(name))
        yield Page(f"atlas/{name}.html", lambda: atlas.atlas(self.shelf, name), rests)
        for language in LANGUAGES:
            yield Page(
                f"rules/{name}.{language}.html",
                lambda language=language: making.book(self.shelf, name, language),  # type: ignore[misc]
                (*rests, self.glossary, *_catalogs(language)),
            )

    def _tested_in(self, name: str) -> tuple[Path, ...]:
        """The files with cases of a game, and of those that it extends."""
        variants = {name, *self.shelf.graphs[name].lineage}
        cases = self.shelf.corpus.cases
        return tuple(dict.fromkeys(Path(case.path) for case in cases if not variants.isdisjoint(case.applies.variants)))


def _texts_of(variant: str) -> tuple[Path, ...]:
    """The texts of a variant and of all that it extends."""
    known = shipped_variants()
    return tuple(known[block.name] for block in blocks_of(variant))


def _catalogs(language: str) -> tuple[Path, ...]:
    return () if language == ENGLISH else (shipped.folder("spec") / "locales" / language,)
