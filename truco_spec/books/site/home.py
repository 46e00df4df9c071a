"""The first page: the purpose of the site, and its games by family with their best cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Annotated, Literal

from markupsafe import Markup

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.words import Words
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import Addresses, SiteInputs, framed, in_each, rule_words, words
from truco_spec.books.worked_tables import table_of
from truco_spec.engine.wasm.native import is_installed
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.graph.sources import registry, sources
from truco_spec.pages.board import drawings
from truco_spec.pages.cards import pack_of, title
from truco_spec.pages.moments import board

BEST, ARGUED = 4, 4
"""The number of best cards drawn for a game, and of prepared arguments linked."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of games."""

    of: Annotated[str, "What its games extend."]
    title: Annotated[str, "Its name."]
    about: Annotated[str, "What its games have in common."]
    members: Annotated[Mapping[str, str], "Its games in order, with what tells each from its neighbours."]


@dataclass(frozen=True, slots=True)
class HomeFile:
    """``spec/home.yaml``."""

    home: Literal[1]
    licence: str
    families: tuple[Family, ...]


@cache
def families() -> tuple[Family, ...]:
    """The families in order. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return safe_yaml.load_file(shipped.folder("spec") / "home.yaml").shaped(HomeFile).families


@dataclass(frozen=True, slots=True)
class Listed:
    """A game on the page, with its ``best`` cards as symbols and titles, and the title of the game that it extends."""

    name: str
    title: str
    about: str
    players: str
    cards: int
    best: tuple[tuple[str, str], ...]
    above: str


def page_of(inputs: SiteInputs, language: str, playground: str = "") -> str:
    """Return the page in a language. ``playground`` is the address of the page for writing rules, if there is one."""
    to, shelf = Addresses(language=language), GameList(inputs, language)
    groups = list(shelf.families())
    texts = [
        {
            "name": name,
            "title": rule_words(language)(registry(name).record.title),
            "clauses": len(registry(name).clauses),
            "origin": registry(name).record.origin,
        }
        for name in sources()
    ]
    first = inputs.graphs.get(board().first[language])
    return framed(
        "home",
        "",
        language=language,
        here=in_each(to.home),
        families=groups,
        hero=shelf.best(first) if first else (),
        symbols=shelf.symbols(),
        sources=texts,
        argued=[each for each in prepared(inputs, language) if each.opened][:ARGUED],
        who=to.who() if is_installed() else "",
        document=lambda name: documents.page_of(documents.in_language(name, language)),
        playground=playground,
    )


def prepared(inputs: SiteInputs, language: str) -> list[documents.Prepared]:
    """Return the prepared arguments with their questions in a language; those of its own games first."""
    home, told = inputs.graphs.get(board().first[language]), words(language)
    near = set(home.lineage) if home else set()

    def distance(argued: documents.Prepared) -> bool:
        graph = inputs.graphs.get(argued.variant)
        return graph is None or not any(family.of in near and family.of in graph.lineage for family in families())

    found = sorted(documents.arguments(Addresses(language=language)), key=distance)
    return [replace(argued, question=told(argued.question)) for argued in found]


class GameList:
    """The games by family."""

    def __init__(self, inputs: SiteInputs, language: str) -> None:
        self.inputs, self.language = inputs, language
        self.told, self.said = rule_words(language), words(language)
        self.drawn: dict[str, dict[str, None]] = {}

    def families(self) -> Iterator[tuple[str, str, tuple[Listed, ...]]]:
        """Return name, common features, and games of each family; that of the language's own games first."""
        graphs = self.inputs.graphs
        home = graphs.get(board().first[self.language])
        in_order = sorted(families(), key=lambda family: not (home and family.of in home.lineage))
        left = dict(graphs)
        for family in in_order:
            there = [name for name in (*family.members, *graphs) if name in left and family.of in graphs[name].lineage]
            held = {name: left.pop(name) for name in dict.fromkeys(there)}
            if held:
                yield self.said(family.title), self.said(family.about), self._listed(held, family)
        if left:
            yield self.said("Others"), "", self._listed(left, None)

    def _listed(self, held: Mapping[str, Graph], family: Family | None) -> tuple[Listed, ...]:
        return tuple(
            Listed(
                name,
                self.told(graph.title),
                self.said(family.members[name]) if family and name in family.members else "",
                ", ".join(map(str, self.inputs.players[name])),
                sum(card.present for card in graph.cards),
                self.best(graph),
                next((self.told(held[other].title) for other in reversed(graph.lineage[:-1]) if other in held), ""),
            )
            for name, graph in held.items()
        )

    def best(self, graph: Graph) -> tuple[tuple[str, str], ...]:
        """Return the symbols and the titles of the best cards, the highest first; none if a game has
        no single order.
        """
        pack = pack_of(card.name for card in graph.cards)
        ranking = next((wanted for wanted in plan().tables if wanted.kind == "ranking"), None)
        table = ranking and table_of(graph, ranking, Words())
        if pack is None or not table:
            return ()
        cards = " ".join(row[0] for row in table.rows).split()[:BEST]
        self.drawn.setdefault(pack.name, {}).update(dict.fromkeys(cards))
        return tuple((f"{pack.name}-card-{card}", title(card, pack, self.language)) for card in cards)

    def symbols(self) -> Markup:
        """The drawings of all cards asked for so far."""
        packs = {pack: pack_of(cards) for pack, cards in self.drawn.items()}
        return Markup("\n").join(drawings(self.drawn[name], pack, f"{name}-") for name, pack in packs.items())
