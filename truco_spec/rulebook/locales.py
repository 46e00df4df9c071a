"""The catalogs of sentences: ``spec/locales/LANGUAGE/rules.po``, ordinary gettext files."""

from __future__ import annotations

from truco_spec import shipped
from truco_spec.languages import ENGLISH
from truco_spec.rulebook.words import Words


def words_in(language: str) -> Words:
    """The words of a language; English needs no catalog."""
    if language == ENGLISH:
        return Words()
    path = shipped.folder("spec") / "locales" / language / "rules.po"
    if not path.is_file():
        return Words(language)
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    return Words(language, {str(m.id): str(m.string) for m in catalog if m.id and m.string})
