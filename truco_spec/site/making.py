"""The pages of all games: the first page, the list of the corpus, the table; and the books."""

from __future__ import annotations

from truco_spec.graph.sources import registry, sources
from truco_spec.questions.page import html_of as html_of_table
from truco_spec.rulebook.render import html_of
from truco_spec.rulebook.whole import whole_of
from truco_spec.site.addresses import Addresses
from truco_spec.site.frame import frame, framed, others, rule_words, words
from truco_spec.site.shelf import Shelf

_IN = "../"


def home(shelf: Shelf, language: str) -> str:
    """The first page, in a language."""
    to, told = Addresses(language=language), rule_words(language)
    variants = [
        {
            "name": name,
            "title": told(graph.title),
            "players": ", ".join(map(str, shelf.players[name])),
            "cards": sum(card.present for card in graph.cards),
        }
        for name, graph in shelf.graphs.items()
    ]
    documents = [
        {"name": name, "title": registry(name).record.title, "clauses": len(registry(name).clauses)}
        for name in sources()
    ]
    here = tuple((code, name, to.home(code)) for code, name in others(language))
    return framed(
        "home", "", language=language, here=here, variants=variants, languages=others(language), sources=documents
    )


def book(shelf: Shelf, name: str, language: str) -> str:
    """A book of rules, with links to clauses, cases, the graph and the other languages."""
    told, to = rule_words(language), Addresses(_IN, language)
    whole = whole_of(shelf.graphs[name], told, examples=shelf.examples.get(name))
    shelf.examples[name] = whole.examples
    here = (
        *((code, called, to.book(name, code)) for code, called in others(language)),
        ("", words(language)("graph"), to.atlas(name)),
    )
    cases = {name: to.case(case) for name, case in shelf.cases.items()}
    return html_of(whole, told, {"to": to, "frame": frame(to, here), "cases": cases})


def cases_list(shelf: Shelf) -> str:
    """The list of the files of the corpus."""
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for path, held in shelf.files.items():
        folder, _, name = path.removeprefix("cases/").removesuffix(".html").partition("-")
        groups.setdefault(folder, []).append((name or folder, path.removeprefix("cases/"), f"{len(held)} cases"))
    return framed("list", _IN, title="Cases", groups=groups)


def table(shelf: Shelf) -> str:
    """All games side by side."""
    to = Addresses()
    return html_of_table(shelf.table, to, frame(to))
