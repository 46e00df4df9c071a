"""The pages of the site, how each is rendered, and its input files."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urljoin

from markupsafe import Markup, escape

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError, located, reason_of
from truco_spec.base.paths import Inside, InsideError, can_be_inside
from truco_spec.base.processes import made_of
from truco_spec.base.project import MANIFEST, projects
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.user_cache import Shelf
from truco_spec.base.words import Sentence, speaking
from truco_spec.books.articles import has_articles
from truco_spec.books.render import html_of
from truco_spec.books.site import documents, home, link_previews, playground_page, searching, traced_pages, who_is_right
from truco_spec.books.site.page_frame import (
    Addresses,
    SiteInputs,
    frame,
    framed,
    in_each,
    page_of_clause,
    parts_of_source,
    rule_words,
    speech,
    words,
)
from truco_spec.books.site.who_is_right import data_text
from truco_spec.books.whole import whole_of
from truco_spec.compare.questions import html_of as html_of_table
from truco_spec.engine.wasm.native import is_installed
from truco_spec.graph.link import blocks_of, texts_of
from truco_spec.graph.sources import sources


@dataclass(frozen=True, slots=True)
class Page:
    """A page or another file to build: its address, its renderer, and its inputs: files, folders, and facts as texts.

    It is rebuilt when one of them, or this program, changes.
    """

    path: str
    make: Callable[[], str | bytes]
    rests: tuple[Path | str, ...] = ()


def pages(pyodide: Path | None = None, address: str = "") -> list[Page]:
    """Return every page of the site; with the unpacked npm package ``pyodide`` the playground, too; with an ``address``
    a site map, the address in each page, and link previews, if the extra that draws is installed. Raises
    :class:`~truco_spec.books.site.playground_page.PyodideError` for another folder.
    """
    every = _Pages(SiteInputs(), playground_page.runtime(pyodide) if pyodide else {})
    found = list(every.all())
    if not address:
        return found
    previews = {page.path: page for page in every.previews()} if link_previews.made_by() else {}
    return [
        *(_at(address, page, previews) for page in found),
        *previews.values(),
        _missing(address),
        _map_of(address, found),
    ]


_ALTERNATE = re.compile(r'(<link rel="alternate" hreflang="[\w-]+" href=")([^"]*)')


def _at(address: str, page: Page, previews: Collection[str]) -> Page:
    """Add to a page's head its address, those of its translations, and that of its picture."""
    if not page.path.endswith(".html"):
        return page
    link = f'<link rel="canonical" href="{escape(address + page.path)}">\n'
    shared = f'<meta property="og:url" content="{escape(address + page.path)}">\n'
    if previews:
        own, general = link_previews.pictures_of(page.path)
        picture = escape(address + (own if own in previews else general))
        shared += f'<meta property="og:image" content="{picture}">\n'
        shared += '<meta name="twitter:card" content="summary_large_image">\n'

    def made() -> str:
        text = page.make()
        assert isinstance(text, str)
        text = _ALTERNATE.sub(lambda it: f"{it[1]}{escape(urljoin(address + page.path, it[2]))}", text)
        return text.replace("</head>", f"{link}{shared}</head>", 1)

    return Page(page.path, made, (*page.rests, address))


def _missing(address: str) -> Page:
    """``404.html``: what a host shows in place of a page that is not there, in each language, with whole addresses."""
    said = [(code, words(code), Addresses(address, code)) for code in LANGUAGES]
    catalogs = itertools.chain(*map(_catalogs, LANGUAGES))
    return Page("404.html", partial(framed, "missing", address, said=said), (*catalogs, address))


def _map_of(address: str, found: Iterable[Page]) -> Page:
    """``sitemap.xml``: the address of every page."""
    listed = "".join(
        f"<url><loc>{escape(address + page.path)}</loc></url>\n" for page in found if page.path.endswith(".html")
    )
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{space}">\n{listed}</urlset>\n'
    return Page("sitemap.xml", lambda: text, (text,))


class _Pages:
    def __init__(self, inputs: SiteInputs, runtime: Mapping[str, Path]) -> None:
        self.inputs, self.runtime = inputs, runtime
        roots = [project.root for project in projects()]
        self.rules = _among(root / name for root in roots for name in ("base", "variants", "concordance"))
        self.sources = _among(root / "sources" for root in roots)
        self.glossary = _among(root / "glossary" for root in roots)
        spec = shipped.folder("spec")
        self.plan = _among((spec / "rulebook.yaml", spec / "board.yaml", *(root / MANIFEST for root in roots)))
        self.questions = spec / "questions.yaml"
        self.board, self.home = spec / "board.yaml", spec / "home.yaml"
        self.words = (spec / "search.yaml", spec / "asked.yaml")
        self.samples = spec / "playground.yaml"
        self.corpus = _among(project.cases for project in projects())
        self.docs = shipped.folder("docs")
        self.argued = _among((self.docs / documents.ARGUMENTS,))

    def all(self) -> Iterator[Page]:
        for language in LANGUAGES:
            yield from self._of_language(language)
        if self.runtime:
            yield from self._playground()
        yield from self._of_all_together()
        for source in sources():
            yield from self._of_source(source)
        yield from self._documents()
        yield from self._results()
        if is_installed():
            yield from self._arguments()
        for path in self.inputs.files:
            yield from self._cases(path)
        for name in self.inputs.graphs:
            yield from self._of_game(name)

    def _of_language(self, language: str) -> Iterator[Page]:
        to = Addresses(language=language)
        told = (*self.rules, *self.sources, *self.plan, *_catalogs(language))
        played = "played" if is_installed() else ""
        written = to.playground() if self.runtime else ""
        first = partial(home.page_of, self.inputs, language, written)
        yield Page(to.home(), first, (*told, self.home, self.board, *self.argued, played, written))
        asked = (
            *told,
            *self.glossary,
            self.board,
            *self.words,
            self.questions,
            *((self.docs,) if language == ENGLISH else ()),
        )
        yield Page(to.search(), partial(searching.page_of, self.inputs, language), asked)

    def _arguments(self) -> Iterator[Page]:
        """The page that settles an argument, in each language, and the games that it plays."""
        locales = _among(project.root / "locales" for project in projects())
        told = (*self.sources, *self.plan, *self.glossary, self.questions, self.board, *locales)
        rests = (*self.rules, *told)
        for language in LANGUAGES:
            to = Addresses(language=language)
            yield Page(to.who(), partial(who_is_right.page_of, self.inputs, language), (*rests, self.docs))
            yield Page(who_is_right.manifest_of(language), partial(who_is_right.manifest, language), locales)
        yield Page(who_is_right.ICON, lambda: who_is_right.FACE)
        yield Page(who_is_right.WORKER, partial(who_is_right.worker, rests), rests)
        for name in who_is_right.LIBRARIES:
            yield Page(f"{who_is_right.MODULES}{name}", partial(who_is_right.library, name))
        for variant, counts in self.inputs.players.items():
            for seats in counts:
                where = f"{who_is_right.MODULES}{variant}.{seats}"
                texts = (*_texts_of(variant), *told)
                yield Page(f"{where}.wasm", partial(who_is_right.module, self.inputs, variant, seats), texts)
                yield Page(f"{where}.json", partial(data_text, self.inputs, variant, seats), texts)

    def previews(self) -> Iterator[Page]:
        """The pictures of links, in each language: of the site, of “Who is right?”, of games and of arguments."""
        common: tuple[Path | str, ...] = (*self.plan, self.board, self.home, link_previews.made_by())
        for language in LANGUAGES:
            told = (*common, *_catalogs(language))
            at = partial(link_previews.path_of, language=language)
            rests = (*self.rules, *told)
            yield Page(at(link_previews.GENERAL), partial(link_previews.general, self.inputs, language), rests)
            if is_installed():
                yield Page(at(link_previews.WHO), partial(link_previews.who, self.inputs, language), rests)
            for name in self.inputs.graphs:
                texts = (*_texts_of(name), *told)
                yield Page(at(f"rules/{name}"), partial(link_previews.game, self.inputs, name, language), texts)
            for argued in documents.arguments(Addresses(language=language)):
                subject, texts = argued.page.partition(".")[0], (*_texts_of(argued.variant), *told, *self.argued)
                yield Page(at(subject), partial(link_previews.argument, subject, language), texts)

    def _playground(self) -> Iterator[Page]:
        """The page on which rules are written, in each language, and the Python that it loads."""
        for language in LANGUAGES:
            told = (self.samples, *_catalogs(language))
            yield Page(Addresses(language=language).playground(), partial(playground_page.page_of, language), told)
        for name, path in self.runtime.items():
            yield Page(f"{playground_page.FOLDER}{name}", path.read_bytes, (path,))
        for name in playground_page.OWN:
            yield Page(f"{playground_page.FOLDER}{name}", partial(playground_page.own, name))
        yield Page(f"{playground_page.FOLDER}rules.zip", playground_page.archive, (shipped.folder("spec"),))

    def _of_all_together(self) -> Iterator[Page]:
        for language in LANGUAGES:
            to = Addresses(language=language)
            listed = (*self.sources, *_catalogs(language))
            yield Page(to.sources(), partial(traced_pages.sources_list, language), listed)
            told = (*self.rules, *self.sources, self.questions, *_catalogs(language))
            yield Page(to.table(), partial(table, self.inputs, language), told)
            held = (*self.rules, *self.corpus, *_catalogs(language))
            yield Page(to.cases(), partial(cases_list, self.inputs, language), held)

    def _of_source(self, source: str) -> Iterator[Page]:
        first, parts = page_of_clause(source), parts_of_source(source)
        for language in LANGUAGES:
            at = Addresses(language=language).in_language
            rests = (*self.rules, *self.sources, *self.plan, *self.glossary, *self.corpus, *_catalogs(language))
            made = traced_pages.contents if parts else traced_pages.clauses
            yield Page(at(first), partial(made, self.inputs, language, source), rests)
            for part in parts:
                made_part = partial(traced_pages.clauses, self.inputs, language, source, part)
                yield Page(at(page_of_clause(source, part)), made_part, rests)

    def _documents(self) -> Iterator[Page]:
        for name in documents.files():
            variant = documents.variant_of(name)
            if name in traced_pages.engines():
                made = partial(traced_pages.document, self.inputs, name)
                yield Page(documents.page_of(name), made, (self.docs, *self.sources, *self.corpus))
                continue
            if not variant:
                yield Page(documents.page_of(name), partial(documents.document, name), (self.docs,))
                continue
            texts = (self.docs / name, *self._menu(), *_texts_of(variant), *self.sources, self.board)
            for language in LANGUAGES:
                played = "played" if is_installed() else ""  # it links to where the hand is played
                rests: tuple[Path | str, ...] = (played, *texts, *_catalogs(language))
                yield Page(documents.page_of(name, language), partial(documents.log, name, language), rests)
        for name in documents.folders():
            if name != traced_pages.FOLDER:
                yield Page(documents.page_of(name), partial(documents.folder, name), (self.docs,))

    def _menu(self) -> tuple[Path | str, ...]:
        """The inputs of the list of documents beside each of them."""
        return self.docs / documents.FIRST, " ".join(documents.files())

    def _results(self) -> Iterator[Page]:
        """The results of engines, in each language; the documents about them are in English."""
        for language in LANGUAGES:
            at = Addresses(language=language).in_language(documents.page_of(traced_pages.FOLDER))
            docs = _among((self.docs / traced_pages.FOLDER,))
            rests = (*docs, *self._menu(), *self.rules, *self.sources, *self.plan, *self.corpus, *_catalogs(language))
            yield Page(at, partial(traced_pages.index, self.inputs, language), rests)
            for name in traced_pages.engines():
                if language != ENGLISH and documents.run_of(name):
                    made = partial(traced_pages.page, self.inputs, name, language)
                    yield Page(documents.page_of(name, language), made, rests)

    def _cases(self, path: str) -> Iterator[Page]:
        held = self.inputs.files[path]
        variants = dict.fromkeys(variant for case in held for variant in case.applies.variants)
        texts = dict.fromkeys(text for variant in variants for text in _texts_of(variant))
        files = dict.fromkeys(Path(case.path) for case in held)
        for language in LANGUAGES:
            rests = (*files, *texts, *self.sources, self.board, *_catalogs(language))
            made = partial(traced_pages.cases, self.inputs, path, language)
            yield Page(Addresses(language=language).in_language(path), made, rests)

    def _of_game(self, name: str) -> Iterator[Page]:
        texts = _texts_of(name)
        cases = dict.fromkeys(Path(case.path) for case in self.inputs.tested_in(name))
        rests = (*texts, *self.sources, *self.plan, *cases)
        for language in LANGUAGES:
            told = (*rests, *self.glossary, *_catalogs(language))
            drawn = Addresses(language=language).atlas(name)
            yield Page(drawn, partial(traced_pages.atlas, self.inputs, name, language), (*rests, *_catalogs(language)))
            yield Page(f"rules/{name}.{language}.html", partial(book, self.inputs, name, language), told)


def _texts_of(variant: str) -> tuple[Path, ...]:
    """The texts of a variant and of all that it extends."""
    return tuple(path for block in blocks_of(variant) for path in texts_of(block.name))


def _catalogs(language: str) -> tuple[Path, ...]:
    return _among(project.root / "locales" / language for project in projects())


def _among(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the existing ones among the paths."""
    return tuple(path for path in paths if path.exists())


# ---- The pages of all games: the list of the corpus, the table; and the books ----

_IN = "../"


def book(inputs: SiteInputs, name: str, language: str) -> str:
    """A book of rules, with links to clauses, cases, the graph and the other languages."""
    told, to = rule_words(language), Addresses(_IN, language)
    whole = whole_of(inputs.graphs[name], told, examples=inputs.examples.get(name), articles=has_articles(name))
    inputs.examples[name] = whole.examples
    here = (*in_each(partial(to.book, name)), ("", words(language)("map"), to.atlas(name)))
    cases = {name: to.case(case) for name, case in inputs.cases.items()}
    return html_of(whole, told, {"to": to, "frame": frame(to, here), "cases": cases})


def cases_list(inputs: SiteInputs, language: str) -> str:
    """The list of case files, in a language, each with the title of its first case."""
    to, told = Addresses(_IN, language), words(language)
    groups: dict[str, list[tuple[str, str, str]]] = {}
    with speaking(speech(language)):
        for path, held in inputs.files.items():
            game, file = traced_pages.place_of(inputs, path)
            address = to.in_language(path).removeprefix("cases/")
            remark = " · ".join(filter(None, (str(len(held)), traced_pages.title_of(held[0]))))
            groups.setdefault(game, []).append((Markup("<code>{}</code>").format(file), address, remark))
    return framed("list", _IN, language=language, here=in_each(to.cases), title=told("Cases"), groups=groups)


def table(inputs: SiteInputs, language: str) -> str:
    """All games side by side, in a language."""
    to = Addresses(language=language)
    here = in_each(lambda code: to.table(language=code))
    with speaking(speech(language)):
        return html_of_table(inputs.table(language), to, frame(to, here))


# ---- Incrementally: a page is built again only if one of its inputs has changed ---------------------
#
# The manifest lies in the folder itself (``.truco-site.json``): for each page the digest of its inputs, and of the
# page. It counts only if the user's cache knows that it was written here by this user. Nothing else in the folder is
# touched.

SITE_MANIFEST = ".truco-site.json"
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
    """Return the content of each page, by its path. Pages with a common prefix (a game, a file of cases, an argument,
    in every language) share much of their input, so one worker makes them.
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
    try:
        return site.read(path) is None
    except InsideError:
        return False


def _digest(site: Inside, path: str) -> str:
    """Return the digest of the existing page; empty if there is none, or no ordinary file."""
    try:
        found = site.read(path)
    except InsideError:
        return ""
    return "" if found is None else hashlib.sha256(found).hexdigest()


def _write(site: Inside, kept: dict[str, Made]) -> None:
    told = {path: [made.mark, made.digest] for path, made in kept.items()}
    text = (json.dumps(told, indent=0, sort_keys=True) + "\n").encode()
    SHELF.write(_name(site, text), b"")
    site.put(SITE_MANIFEST, text)


def _name(site: Inside, manifest: bytes) -> str:
    """The name under which a manifest in this folder is known."""
    return hashlib.sha256(os.fsencode(site.folder.resolve()) + b"\0" + manifest).hexdigest()


def _known(site: Inside) -> dict[str, Made]:
    """The pages built here by an earlier run of this user. The folder may be new, empty, or a site."""
    folder = site.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        told = site.read(SITE_MANIFEST)
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
