"""Sentences in the reader's language, from the gettext catalogs in ``spec/locales``; English where one is missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from truco_spec.base.shipped import ENGLISH

ACT = "act"
"""The context of what is done at the table and not said."""

_GLUE = "\4"
"""Stands between a context and a sentence, as in gettext's own files."""


def key_of(sentence: str, context: str = "") -> str:
    """The sentence as catalogs have it; ``context`` is the option of which it is a value, or :data:`ACT`."""
    return f"{context}{_GLUE}{sentence}" if context else sentence


@dataclass(slots=True)
class Words:
    """Translates sentences; ``missing`` are those that the catalog does not have, as they were asked for.

    ``together`` are the words that grow together: ``de el`` is ``del``.
    """

    language: str = ENGLISH
    catalog: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)

    def __call__(self, sentence: str, context: str = "") -> str:
        """The sentence in the language; the English one where it has none."""
        found = self.catalog.get(key_of(sentence, context))
        if self.language == ENGLISH or not sentence:
            return found or sentence
        if not found:
            self.missing[sentence] = None
            return sentence
        return found

    def known(self, word: str) -> str:
        """The word in the language where the catalog has it, else as it is: it may be a name."""
        return self.catalog.get(word) or word

    def value(self, option: str, value: str) -> str:
        """What a value of an option is called: ``from second``, ``desde la segunda``; a number is a number."""
        spaced = value.replace("-", " ")
        return spaced if value.isdigit() else self(spaced, option)

    def moves(self, text: str) -> str:
        """Moves as a reader wants them: what is done in the language, what is said as it is said, without hyphens."""
        context = ACT + _GLUE
        acts = {key.removeprefix(context): told for key, told in self.catalog.items() if key.startswith(context)}
        names = sorted(acts, key=len, reverse=True)  # the longest first: “keep-card” is not “keep” and a card
        known = (rf"\b{re.escape(name)}\b".replace(r"\-", "[- ]") for name in names)
        return re.sub("|".join((*known, "-")), lambda w: acts.get(w[0].replace(" ", "-"), " "), text)

    def joined(self, before: str, inserted: str) -> str:
        """Two texts in one, where the last word of one and the first of the other grow together: de, el: del."""
        last, first = before.rpartition(" ")[2], inserted.partition(" ")[0]
        found = self.together.get(f"{last} {first}")
        if found is None:
            return f"{before} {inserted}"
        return f"{before.removesuffix(last)}{found}{inserted.removeprefix(first)}"
