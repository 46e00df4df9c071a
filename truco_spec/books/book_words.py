"""Translates sentences with the available gettext catalogs (``locales``); falls back to English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.harmless import FOUND
from truco_spec.base.paths import bytes_from
from truco_spec.base.project import own_projects
from truco_spec.base.project import projects as at_hand
from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import ACT, Sentence, Spoken, Words, key_of
from truco_spec.graph.plan import plan

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

_LARGEST = 5_000_000
"""The largest catalog that is read, in bytes."""


class CatalogError(TrucoError):
    """A catalog cannot be read. The message begins with its file."""


def spoken_in(language: str) -> Spoken:
    """A language to speak to readers (:func:`truco_spec.base.words.speaking`)."""
    return Spoken(language, words_in(language, "site"), words_in(language)) if language != ENGLISH else Spoken()


# ---- The catalogs: ordinary gettext files ----------------------------------------------------------


def words_in(language: str, catalog: str = "rules", *, projects: int | None = None) -> Words:
    """Load the words of a language from the available catalogs of this name, or those of the first few ``projects``;
    English has a few display names of its own.

    The clauses of sources (``clauses.po``) are sentences of ``rules``. Fuzzy entries are unreviewed and count as
    missing. The sentences of a project that is written in the language stand for themselves.
    """
    told = dict(_english()) if language == ENGLISH and catalog == "rules" else {}
    for name in (catalog, "clauses") if catalog == "rules" else (catalog,):
        for path in catalogs(language, name)[:projects]:
            told |= _reviewed(path, language, path.stat().st_mtime_ns)
    if catalog == "rules" and projects is None:
        written, others = _own_sentences(language)
        return Words(language, {**written, **told}, together=dict(joined_in(language)), others=others)
    return Words(language, told, together=dict(joined_in(language)))


def catalogs(language: str, catalog: str = "rules") -> list[Path]:
    """Return the available catalogs of this name, the shipped ones first."""
    paths = (project.root / "locales" / language / f"{catalog}.po" for project in at_hand())
    return [path for path in paths if path.is_file()]


def _own_sentences(language: str) -> tuple[dict[str, str], frozenset[str]]:
    """Return the sentences of projects written in this language, by key; and those of projects written in another."""
    written, others = dict[str, str](), set[str]()
    for project in own_projects():
        from truco_spec.books.catalog import messages_of  # only projects of one's own need it
        from truco_spec.graph.sources import registry

        first = (*project.manifest.languages, ENGLISH)[0]
        if first != ENGLISH or language != ENGLISH:
            keys = dict[str, str]()
            with suppress(TrucoError):  # whoever reads what is wrong reports it
                keys |= {key_of(*message): message[0] for message in messages_of(project)}
                keys |= {key_of(c.text): c.text for name in project.sources() for c in registry(name).clauses.values()}
            if first == language:
                written |= keys
            else:
                others |= keys.keys()
    return written, frozenset(others)


@lru_cache(maxsize=32)
def _reviewed(path: Path, language: str, changed: int) -> Mapping[str, str]:
    """The reviewed translations of a catalog, by key; read again only when it has changed. Raises
    :class:`CatalogError`.
    """
    looked_at = [m for m in read_catalog(path, language) if m.id and m.string and not m.fuzzy]
    return {key_of(str(m.id), m.context or ""): str(m.string) for m in looked_at if isinstance(m.string, str)}


def read_catalog(path: Path, language: str) -> Catalog:
    """The catalog in a file, which is UTF-8; what else its header says is not obeyed. Raises :class:`CatalogError`."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import PoFileError, PoFileParser

    class Headless(Catalog):
        """A catalog of the language, whatever the header says of charset, plurals and dates."""

        def _set_mime_headers(self, headers: object) -> None:
            """They stay."""

    text, at = _text_of(path), 0

    def lines() -> Iterator[str]:
        nonlocal at
        for at, line in enumerate(text.split("\n")):  # noqa: B007 -- the line at which the parser stopped
            yield line

    catalog = Headless(locale=language, charset="utf-8")
    try:
        PoFileParser(catalog, abort_invalid=True).parse(lines())
    except (PoFileError, ValueError, LookupError) as error:
        at = getattr(error, "lineno", at)
        wrong = Sentence("This is no catalog of translations: {error}.", error=str(error))
        raise CatalogError(located(f"{path}:{at + 1}", wrong)) from None
    return catalog


def _text_of(path: Path) -> str:
    """The text of a catalog. Raises :class:`CatalogError` for one that is too large, or no text."""
    raw = bytes_from(path, _LARGEST + 1)
    if len(raw) > _LARGEST:
        form = "This catalog is too large: at most {count} bytes are read."
        raise CatalogError(located(path, Sentence(form, count=_LARGEST)))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        wrong = Sentence("This is not UTF-8 text; save the file as UTF-8.")
        raise CatalogError(located(f"{path}:{line}", wrong)) from None
    if hidden := FOUND.search(text):
        form = "The character U+{code} cannot stand in a text here; remove it."
        line = text.count("\n", 0, hidden.start()) + 1
        raise CatalogError(located(f"{path}:{line}", Sentence(form, code=f"{ord(hidden[0]):04X}")))
    return text


@cache
def joined_in(language: str) -> dict[str, str]:
    """Words that contract in a language (``spec/locales/joined.yaml``): ``de el`` is ``del``."""
    data = safe_yaml.load_file(shipped.folder("spec") / "locales" / "joined.yaml").data
    held = data.get(language) if isinstance(data, dict) else None
    return {str(apart): str(one) for apart, one in held.items()} if isinstance(held, dict) else {}


def _english() -> dict[str, str]:
    """The English display names of the book plan for names of the specs."""
    named = plan()
    values = {key_of(v, option): told for option, of in named.values.items() for v, told in of.items()}
    return {**named.words, **values, **{key_of(act, ACT): told for act, told in named.acts.items()}}
