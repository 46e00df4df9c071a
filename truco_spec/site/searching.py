"""The search: every rule, clause, question and heading on one page, which a script narrows down."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.graph.sources import registry, sources
from truco_spec.languages import ENGLISH
from truco_spec.site import documents
from truco_spec.site.addresses import Addresses
from truco_spec.site.frame import framed, others, rule_words, words
from truco_spec.site.shelf import Shelf

Found = tuple[str, str, str, str]
"""What a search finds: its name, its text, its address, and what else is said of it."""


def search(shelf: Shelf, language: str) -> str:
    """The page: rules in its language, the rest as it is written."""
    to, said = Addresses(language=language), words(language)
    groups: list[tuple[str, str, list[Found]]] = [(said("Rules"), language, list(_rules(shelf, to)))]
    for source in sources():
        clauses = registry(source).clauses.values()
        found = [(clause.id, clause.text, to.clause(source, clause.id), "") for clause in clauses]
        groups.append((f"{said('Clauses')}: {source}", ENGLISH, found))
    questions = [(row.ask, "", to.table(n), "") for n, part in enumerate(shelf.table.parts, 1) for row in part.rows]
    groups.append((said("Questions"), ENGLISH, questions))
    groups.append((said("Docs"), ENGLISH, [(*heading, "") for heading in documents.searched()]))
    here = tuple((code, name, to.search(code)) for code, name in others(language))
    return framed("search", "", "search", language=language, here=here, groups=groups)


def _rules(shelf: Shelf, to: Addresses) -> Iterator[Found]:
    """Each sentence once, with the games whose books tell it, and the way to the first of them."""
    told = rule_words(to.language)
    found: dict[str, tuple[str, str, list[str]]] = {}
    for name, graph in shelf.graphs.items():
        fill, books = shelf.filler(name, told), frozenset().union(*shelf.told[name])
        for kind, rule, source in graph.cites:
            entry = next((entry for entry in (rule, source.construct) if entry in books), "")
            if source.prose and entry and kind not in ("decision", "option", "set"):
                variants = found.setdefault(fill(told(source.prose)), (rule, to.book(name, rule=entry), []))[2]
                variants += [name] if name not in variants else []
    for sentence, (rule, address, variants) in found.items():
        yield rule, sentence, address, ", ".join(variants)
