"""Translates sentences with the gettext catalogs at hand (``locales``); falls back to English."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import own_projects
from truco_spec.base.project import projects as at_hand
from truco_spec.base.shipped import ENGLISH
from truco_spec.graph.plan import plan
from truco_spec.pages.moments import ENGLISH_SPOKEN, Spoken

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ACT = "act"
"""The message context of acts that are done and not said."""

_LARGEST = 5_000_000
"""The largest catalog that is read, in bytes."""

_GLUE = "\4"
"""Separates context and sentence, as in gettext's own files."""


def key_of(sentence: str, context: str = "") -> str:
    """The sentence as catalogs have it; ``context`` is the option of which it is a value, or :data:`ACT`."""
    return f"{context}{_GLUE}{sentence}" if context else sentence


@dataclass(slots=True)
class Words:
    """Translates sentences; ``missing`` collects those that the catalog lacks, as they were looked up.

    ``together`` are the words that contract: ``de el`` is ``del``. ``others`` are sentences of other languages, by key.
    """

    language: str = ENGLISH
    catalog: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()

    def __call__(self, sentence: str, context: str = "") -> str:
        """Translate a sentence; as it is written if there is no translation."""
        key = key_of(sentence, context)
        found = self.catalog.get(key)
        if (self.language == ENGLISH and key not in self.others) or not sentence:
            return found or sentence
        if not found:
            self.missing[sentence] = None
            return sentence
        return found

    def told(self, sentence: str) -> str:
        """A sentence that can be left out: nothing if there is no translation."""
        key = key_of(sentence)
        return self.catalog.get(key, sentence if self.language == ENGLISH and key not in self.others else "")

    def known(self, word: str) -> str:
        """Translate a word; unchanged if the catalog lacks it: it may be a name."""
        return self.catalog.get(word) or word

    def value(self, option: str, value: str) -> str:
        """The label of an option's value: ``from second``, ``desde la segunda``; numbers are unchanged."""
        spaced = value.replace("-", " ")
        return spaced if value.isdigit() else self(spaced, option)

    def moves(self, text: str) -> str:
        """Translate acts in moves; spoken words are kept, with hyphens as spaces."""
        context = ACT + _GLUE
        acts = {key.removeprefix(context): told for key, told in self.catalog.items() if key.startswith(context)}
        names = sorted(acts, key=len, reverse=True)  # the longest first: “keep-card” is not “keep” and a card
        known = (rf"\b{re.escape(name)}\b".replace(r"\-", "[- ]") for name in names)
        return re.sub("|".join((*known, "-")), lambda w: acts.get(w[0].replace(" ", "-"), " "), text)

    def joined(self, before: str, inserted: str) -> str:
        """Join two texts, contracting the words at the seam: de, el: del."""
        last, first = before.rpartition(" ")[2], inserted.partition(" ")[0]
        found = self.together.get(f"{last} {first}")
        if found is None:
            return f"{before} {inserted}"
        return f"{before.removesuffix(last)}{found}{inserted.removeprefix(first)}"


class CatalogError(TrucoError):
    """A catalog cannot be read. The message begins with its file."""


def spoken_in(language: str) -> Spoken:
    """The language of a page with a board."""
    rules = words_in(language)
    return Spoken(language, words_in(language, "site"), rules, rules.moves) if language != ENGLISH else ENGLISH_SPOKEN


# ---- The catalogs: ordinary gettext files ----------------------------------------------------------


def words_in(language: str, catalog: str = "rules", *, projects: int | None = None) -> Words:
    """Load the words of a language from the catalogs of this name at hand, or those of the first few ``projects``;
    English has a few display names of its own.

    Fuzzy entries are unreviewed and count as missing. The sentences of a project that is written in the language stand
    for themselves.
    """
    told = dict(_english()) if language == ENGLISH and catalog == "rules" else {}
    for path in catalogs(language, catalog)[:projects]:
        told |= _reviewed(path, language)
    if catalog == "rules" and projects is None:
        written, others = _own_sentences(language)
        return Words(language, {**written, **told}, together=dict(joined_in(language)), others=others)
    return Words(language, told, together=dict(joined_in(language)))


def catalogs(language: str, catalog: str = "rules") -> list[Path]:
    """The catalogs of this name at hand, what is shipped first."""
    paths = (project.root / "locales" / language / f"{catalog}.po" for project in at_hand())
    return [path for path in paths if path.is_file()]


def _own_sentences(language: str) -> tuple[dict[str, str], frozenset[str]]:
    """The sentences of projects written in this language, by key; and those of projects written in another."""
    written, others = dict[str, str](), set[str]()
    for project in own_projects():
        from truco_spec.books.rulebook.catalog import messages_of  # only projects of one's own need it

        first = (*project.manifest.languages, ENGLISH)[0]
        if first != ENGLISH or language != ENGLISH:
            keys = {key_of(*message): message[0] for message in messages_of(project)}
            if first == language:
                written |= keys
            else:
                others |= keys.keys()
    return written, frozenset(others)


def _reviewed(path: Path, language: str) -> dict[str, str]:
    """The reviewed translations of a catalog, by key. Raises :class:`CatalogError`."""
    looked_at = [m for m in read_catalog(path, language) if m.id and m.string and not m.fuzzy]
    return {key_of(str(m.id), m.context or ""): str(m.string) for m in looked_at if isinstance(m.string, str)}


def read_catalog(path: Path, language: str) -> Catalog:
    """The catalog in a file. Raises :class:`CatalogError`."""
    from babel.messages.pofile import PoFileError, read_po

    if path.stat().st_size > _LARGEST:
        raise CatalogError(f"{path}: error: This catalog is too large: at most {_LARGEST} bytes are read.")
    try:
        with path.open("rb") as file:
            return read_po(file, locale=language, abort_invalid=True)
    except (PoFileError, UnicodeDecodeError, ValueError) as error:
        raise CatalogError(f"{path}: error: This is no catalog of translations: {error}.") from None


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
    return {**named.words, **values}
