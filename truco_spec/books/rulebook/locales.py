"""The catalogs of sentences: ``spec/locales/LANGUAGE/rules.po`` and others, ordinary gettext files."""

from __future__ import annotations

from functools import cache

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.shipped import ENGLISH
from truco_spec.books.rulebook.book_words import Words, key_of
from truco_spec.graph.plan import plan


def words_in(language: str, catalog: str = "rules") -> Words:
    """Load the words of a language from the catalog of this name; English has a few display names of its own.

    Fuzzy entries are unreviewed and count as missing.
    """
    if language == ENGLISH:
        return Words(ENGLISH, _english() if catalog == "rules" else {})
    path = shipped.folder("spec") / "locales" / language / f"{catalog}.po"
    if not path.is_file():
        return Words(language)
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        found = read_po(file, locale=language)
    looked_at = [m for m in found if m.id and m.string and not m.fuzzy]
    told = {key_of(str(m.id), m.context or ""): str(m.string) for m in looked_at}
    return Words(language, told, together=dict(joined_in(language)))


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
