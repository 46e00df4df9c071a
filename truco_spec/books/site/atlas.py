"""The atlas: the drawn rule graph of a game, with text, sources and cases of each rule beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from truco_spec.books.site.addresses import Addresses
from truco_spec.books.site.context import SiteInputs
from truco_spec.books.site.page_frame import framed, others, rule_words
from truco_spec.graph.model import Graph, Rule
from truco_spec.graph.sources import sources
from truco_spec.logs.explanation import DECIDED
from truco_spec.pages.draw.picture import SHAPES, picture_of
from truco_spec.pages.draw.svg import svg

_IN = "../"


def atlas(shelf: SiteInputs, name: str) -> str:
    """The page of a game."""
    graph, to = shelf.graphs[name], Addresses(_IN)
    rules = list(_rules(shelf, name, graph, to))
    listed = {rule["name"] for rule in rules}
    drawn = svg(picture_of(graph), lambda rule: f"#{rule}" if rule in listed else "")
    picture = Markup(drawn)  # noqa: S704 -- drawn by us, its texts escaped
    books = tuple((code, called, to.book(name, code)) for code, called in others(to.language))
    here = (("", "rules", to.book(name)), *books)
    return framed("atlas", _IN, "atlas", here=here, title=graph.title, picture=picture, rules=rules)


def _rules(shelf: SiteInputs, name: str, graph: Graph, to: Addresses) -> Iterator[dict[str, Any]]:
    fill, testing = shelf.filler(name, rule_words(to.language)), shelf.testing(name)
    for rule in graph.rules.values():
        if not rule.source.prose:
            continue
        cites = [(cite.source, cite.clause) for cite in rule.source.cites]
        cases = dict.fromkeys(case for source, clause in cites for case in testing.get(f"{source}:{clause}", ()))
        yield {
            "name": rule.name,
            "shape": SHAPES[rule.shape],
            "sentence": fill(rule.source.prose),
            "address": _in_book(shelf, name, rule, to),
            "cites": [
                (f"{source}:{clause}", to.clause(source, clause) if source in sources() else "")
                for source, clause in cites
                if source != DECIDED
            ],
            "decisions": [
                (clause, to.decision(name, clause) if clause in shelf.readings[name] else "")
                for source, clause in cites
                if source == DECIDED
            ],
            "cases": [(case, to.case(shelf.cases[case])) for case in cases],
        }


def _in_book(shelf: SiteInputs, game: str, rule: Rule, to: Addresses) -> str:
    """The address in this game's book of a rule, or of the construct that it is part of."""
    holds, agreed = shelf.told[game]
    entry = next((name for name in (rule.name, rule.source.construct) if name in holds or name in agreed), "")
    return to.book(game, rule=entry) if entry else ""
