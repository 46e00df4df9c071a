"""Translates sentences with the gettext catalogs in ``spec/locales``; falls back to English."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.shipped import ENGLISH
from truco_spec.graph.plan import plan

ACT = "act"
"""The message context of acts that are done and not said."""

_GLUE = "\4"
"""Separates context and sentence, as in gettext's own files."""


def key_of(sentence: str, context: str = "") -> str:
    """The sentence as catalogs have it; ``context`` is the option of which it is a value, or :data:`ACT`."""
    return f"{context}{_GLUE}{sentence}" if context else sentence


@dataclass(slots=True)
class Words:
    """Translates sentences; ``missing`` collects those that the catalog lacks, as they were looked up.

    ``together`` are the words that contract: ``de el`` is ``del``.
    """

    language: str = ENGLISH
    catalog: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)

    def __call__(self, sentence: str, context: str = "") -> str:
        """Translate a sentence; English if there is no translation."""
        found = self.catalog.get(key_of(sentence, context))
        if self.language == ENGLISH or not sentence:
            return found or sentence
        if not found:
            self.missing[sentence] = None
            return sentence
        return found

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


# ---- The catalogs: ordinary gettext files ----------------------------------------------------------


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
