"""The addresses of all pages of the site. They are relative, so that the folder can lie anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from truco_spec.base.shipped import ENGLISH
from truco_spec.conformance.corpus.cases import Case
from truco_spec.graph.sources import registry

MOST_CLAUSES = 150
"""A source with more clauses, gaps and options than this is split by the first word of their ids."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Addresses relative to a page; ``root`` is the path to the home page: empty, or ``../``.

    Pages in several languages default to ``language``.
    """

    root: str = ""
    language: str = ENGLISH

    def home(self, language: str = "") -> str:
        """The home page."""
        return self._page("index", language)

    def search(self, language: str = "") -> str:
        """The search."""
        return self._page("search", language)

    def book(self, variant: str, language: str = "", rule: str = "") -> str:
        """A rulebook, or a rule in it."""
        return f"{self.root}rules/{variant}.{language or self.language}.html" + (
            f"#rule-{rule.replace(' ', '-')}" if rule else ""
        )

    def clause(self, source: str, clause: str = "") -> str:
        """The clauses of a source, or one of them."""
        return f"{self.root}{page_of_clause(source, clause)}" + (f"#{clause}" if clause else "")

    def case(self, case: Case) -> str:
        """A case of the corpus."""
        return f"{self.root}{page_of_case(case)}#{case.id}"

    def table(self, part: int = 0) -> str:
        """The table of all games side by side, or a part of it, counted from 1."""
        return f"{self.root}table.html" + (f"#part-{part}" if part else "")

    def option(self, variant: str, option: str) -> str:
        """An option in a book."""
        return f"{self.book(variant)}#option-{option}"

    def decision(self, variant: str, decision: str) -> str:
        """A decision in a book."""
        return f"{self.book(variant)}#decision-{decision}"

    def atlas(self, variant: str, rule: str = "") -> str:
        """The graph of a game, or a rule in it."""
        return f"{self.root}atlas/{variant}.html" + (f"#{rule}" if rule else "")

    def ways(self) -> tuple[tuple[str, str], ...]:
        """The parts of the site linked from every page: English names and addresses."""
        return (
            ("Search", self.search()),
            ("Clauses", f"{self.root}clauses/index.html"),
            ("Cases", f"{self.root}cases/index.html"),
            ("Table", self.table()),
            ("Results", f"{self.root}results/index.html"),
            ("Docs", f"{self.root}docs/index.html"),
        )

    def _page(self, name: str, language: str) -> str:
        code = language or self.language
        return f"{self.root}{name}.html" if code == ENGLISH else f"{self.root}{name}.{code}.html"


def page_of_case(case: Case) -> str:
    """The page of the file that contains a case."""
    path = Path(case.path)
    return f"cases/{path.parent.name}-{path.stem}.html"


@cache
def parts_of_source(source: str) -> tuple[str, ...]:
    """The parts of a split source, such as ``argentino``; empty if it has one page."""
    held = registry(source)
    ids = (*held.clauses, *held.gaps, *held.options)
    parts = tuple(dict.fromkeys(name.partition(".")[0] for name in ids))
    return parts if len(ids) > MOST_CLAUSES and len(parts) > 1 else ()


def page_of_clause(source: str, clause: str = "") -> str:
    """The page of a clause, or of a part of a source; without one, the first page of the source."""
    if clause and parts_of_source(source):
        return f"clauses/{source}-{clause.partition('.')[0]}.html"
    return f"clauses/{source}.html"
