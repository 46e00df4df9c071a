"""The language of a page: what translates its own words, the sentences of rules, and moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from truco_spec.base.shipped import ENGLISH

Translation = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language and its translations: ``site`` of what stands around, ``rules`` of sentences of rules and titles,
    ``moves`` of the words of a move. English needs none.
    """

    language: str = ENGLISH
    site: Translation = str
    rules: Translation = str
    moves: Translation = lambda text: text.replace("-", " ")


ENGLISH_SPOKEN = Spoken()
