"""The frame of all pages of the site: navigation in the reader's language, a common style, the version."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from truco_spec.base import __version__
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.books.rulebook.book_words import Words
from truco_spec.books.rulebook.locales import words_in
from truco_spec.books.site.addresses import Addresses
from truco_spec.pages.html import page

CALLED = {"en": "English", "pt": "Português", "es": "Español"}
"""The name of each language in that language."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The navigation of a page, as ``pages/ways.html`` shows it.

    ``ways`` are names, addresses, and whether the target is in English while the page is not; ``here`` are further
    links of this page: a language code or nothing, a name, an address.
    """

    to: Addresses
    label: str
    ways: tuple[tuple[str, str, bool], ...]
    here: tuple[tuple[str, str, str], ...] = ()


@cache
def words(language: str) -> Words:
    """The words of the site's own frame."""
    return words_in(language, "site")


@cache
def rule_words(language: str) -> Words:
    """The sentences of rules."""
    return words_in(language)


def frame(to: Addresses, here: tuple[tuple[str, str, str], ...] = ()) -> Frame:
    """The navigation of a page, in its language."""
    told = words(to.language)
    foreign = to.language != ENGLISH
    ways = tuple((told(name), address, foreign and name != "Search") for name, address in to.ways())
    return Frame(to, told("Site"), ways, here)


def others(language: str) -> list[tuple[str, str]]:
    """The other languages: codes and names."""
    return [(code, CALLED[code]) for code in LANGUAGES if code != language]


def framed(
    name: str,
    root: str,
    script: str = "",
    *,
    pictures: bool = False,
    language: str = ENGLISH,
    here: tuple[tuple[str, str, str], ...] = (),
    **values: object,
) -> str:
    """Render the page ``name.html`` of the site with these values; ``root`` is the path to the home page."""
    to = Addresses(root, language)
    held = {
        "to": to, "frame": frame(to, here), "version": __version__, "language": language, "_": words(language),
        "contents": (), **values,
    }  # fmt: skip
    return page(__package__ or "", name, held, styles=("site",), script=script, pictures=pictures)
