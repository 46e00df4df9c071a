"""The catalogs of sentences: ``spec/locales/LANGUAGE/rules.po`` and others, ordinary gettext files."""

from __future__ import annotations

from truco_spec import shipped
from truco_spec.languages import ENGLISH
from truco_spec.rulebook.plan import plan
from truco_spec.rulebook.words import Words, key_of


def words_in(language: str, catalog: str = "rules") -> Words:
    """The words of a language, from the catalog of this name; in English a few names are called otherwise."""
    if language == ENGLISH:
        return Words(ENGLISH, _english() if catalog == "rules" else {})
    path = shipped.folder("spec") / "locales" / language / f"{catalog}.po"
    if not path.is_file():
        return Words(language)
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        found = read_po(file, locale=language)
    return Words(language, {key_of(str(m.id), m.context or ""): str(m.string) for m in found if m.id and m.string})


def _english() -> dict[str, str]:
    """What the plan of the books calls the names of the specs."""
    named = plan()
    values = {key_of(v, option): told for option, of in named.values.items() for v, told in of.items()}
    return {**named.words, **values}
