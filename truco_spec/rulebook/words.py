"""Sentences in the reader's language, from the gettext catalogs in ``spec/locales``; English where one is missing."""

from __future__ import annotations

from dataclasses import dataclass, field

from truco_spec.languages import ENGLISH


@dataclass(slots=True)
class Words:
    """Translates sentences; ``missing`` are those that the catalog does not have, as they were asked for."""

    language: str = ENGLISH
    catalog: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)

    def __call__(self, sentence: str) -> str:
        """The sentence in the language; the English one where it has none."""
        if self.language == ENGLISH or not sentence:
            return sentence
        found = self.catalog.get(sentence)
        if not found:
            self.missing[sentence] = None
            return sentence
        return found
