"""The pages of the clauses: text, citing rules, testing cases."""

from __future__ import annotations

from typing import Any

from truco_spec.books.site.addresses import Addresses, page_of_clause, parts_of_source
from truco_spec.books.site.context import SiteInputs
from truco_spec.books.site.page_frame import framed
from truco_spec.conformance.trace.trace import TraceRow
from truco_spec.graph.sources import Registry, registry, sources

_IN = "../"


def sources_list(shelf: SiteInputs) -> str:
    """The list of sources."""
    entries = [(name, f"{name}.html", registry(name).record.title) for name in sources()]
    return framed("list", _IN, title="Clauses", groups={"Sources": entries})


def clauses(shelf: SiteInputs, source: str, part: str = "") -> str:
    """The clauses of a source, or of a part of it, with what cites and tests each."""
    held, to = registry(source), Addresses(_IN)
    found = [row for row in shelf.traces[source].rows if not part or row.id.partition(".")[0] == part]
    rows = [_row(shelf, held, to, row) for row in found]
    return framed(
        "clauses", _IN, source=source, title=held.record.title, part=part, parts=parts_of_source(source), rows=rows
    )


def contents(shelf: SiteInputs, source: str) -> str:
    """The first page of a split source: every clause by its id, with a link."""
    to = Addresses(_IN)
    parts: dict[str, list[tuple[str, str]]] = {part: [] for part in parts_of_source(source)}
    for row in shelf.traces[source].rows:
        parts[row.id.partition(".")[0]].append((row.id, to.clause(source, row.id)))
    pages = {part: f"{_IN}{page_of_clause(source, part)}" for part in parts}
    return framed("contents", _IN, source=source, title=registry(source).record.title, parts=parts, pages=pages)


def _row(shelf: SiteInputs, held: Registry, to: Addresses, row: TraceRow) -> dict[str, Any]:
    clause, gap, option = held.clauses.get(row.id), held.gaps.get(row.id), held.options.get(row.id)
    spoken = held.variants(row.id)
    variants = sorted(shelf.graphs, key=lambda name: name not in spoken)  # those that it speaks of come first
    return {
        "id": row.id,
        "kind": row.kind,
        "text": clause.text if clause else gap.question if gap else option.note if option else "",
        "values": option.values if option else (),
        "locator": clause.locator if clause else "",
        "rules": list(dict.fromkeys(_stated(shelf, to, variants, name) for name in row.rules)),
        "cases": [(name, to.case(shelf.cases[name])) for name in row.cases if name in shelf.cases],
        "excuse": row.excuse,
    }


def _stated(shelf: SiteInputs, to: Addresses, variants: list[str], stated: str) -> tuple[str, str, str]:
    """A statement: its name, its address, or its sentence if no page shows it."""
    address = _address(shelf, to, variants, stated)
    return stated, address, "" if address else shelf.sentences.get(stated.rpartition(" ")[2], "")


def _address(shelf: SiteInputs, to: Addresses, variants: list[str], stated: str) -> str:
    """The address of a statement of the spec: in a book, else in the atlas; empty if in neither.

    ``stated`` may begin with the word for how it changes what is inherited, as in ``set target``.
    """
    name = stated.rpartition(" ")[2]
    for game in variants:
        graph, (holds, agreed) = shelf.graphs[game], shelf.told[game]
        if name in holds or name in agreed:
            return to.book(game, rule=name)
        if name in graph.options and graph.options[name].values[1:]:  # a book omits an option without a choice
            return to.option(game, name)
        if name in shelf.readings[game]:
            return to.decision(game, name)
    drawn = (game for game in variants if name in (rules := shelf.graphs[game].rules) and rules[name].source.prose)
    return next((to.atlas(game, name) for game in drawn), "")
