"""The pages of clauses, of cases, and of the rules of a game in its drawn graph (the atlas), linked with each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from truco_spec.base.errors import TrucoError
from truco_spec.books.site.page_frame import (
    Addresses,
    Embedded,
    SiteInputs,
    framed,
    others,
    page_of_clause,
    parts_of_source,
    rule_words,
)
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import Allowed, Case, Deals, Expect, HandStep, Instance, Legal, Refused, View
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.trace.trace import TraceRow
from truco_spec.graph.model import DECIDED, Graph, Rule
from truco_spec.graph.sources import Registry, registry, sources
from truco_spec.pages.board import SCRIPT, STYLES
from truco_spec.pages.draw.picture import SHAPES, picture_of
from truco_spec.pages.draw.svg import svg
from truco_spec.pages.moments import track_of

_IN = "../"


# ---- Clauses: text, citing rules, testing cases --------------------------------------------------


def sources_list() -> str:
    """The list of sources."""
    entries = [(name, f"{name}.html", registry(name).record.title) for name in sources()]
    return framed("list", _IN, title="Clauses", groups={"Sources": entries})


def clauses(inputs: SiteInputs, source: str, part: str = "") -> str:
    """The clauses of a source, or of a part of it, with what cites and tests each."""
    held, to = registry(source), Addresses(_IN)
    found = [row for row in inputs.traces[source].rows if not part or row.id.partition(".")[0] == part]
    rows = [_row(inputs, held, to, row) for row in found]
    return framed(
        "clauses", _IN, source=source, title=held.record.title, part=part, parts=parts_of_source(source), rows=rows
    )


def contents(inputs: SiteInputs, source: str) -> str:
    """The first page of a split source: every clause by its id, with a link."""
    to = Addresses(_IN)
    parts: dict[str, list[tuple[str, str]]] = {part: [] for part in parts_of_source(source)}
    for row in inputs.traces[source].rows:
        parts[row.id.partition(".")[0]].append((row.id, to.clause(source, row.id)))
    pages = {part: f"{_IN}{page_of_clause(source, part)}" for part in parts}
    return framed("contents", _IN, source=source, title=registry(source).record.title, parts=parts, pages=pages)


def _row(inputs: SiteInputs, held: Registry, to: Addresses, row: TraceRow) -> dict[str, Any]:
    clause, gap, option = held.clauses.get(row.id), held.gaps.get(row.id), held.options.get(row.id)
    spoken = held.variants(row.id)
    variants = sorted(inputs.graphs, key=lambda name: name not in spoken)  # those that it speaks of come first
    return {
        "id": row.id,
        "kind": row.kind,
        "text": clause.text if clause else gap.question if gap else option.note if option else "",
        "values": option.values if option else (),
        "locator": clause.locator if clause else "",
        "rules": list(dict.fromkeys(_stated(inputs, to, variants, name) for name in row.rules)),
        "cases": [(name, to.case(inputs.cases[name])) for name in row.cases if name in inputs.cases],
        "excuse": row.excuse,
    }


def _stated(inputs: SiteInputs, to: Addresses, variants: list[str], stated: str) -> tuple[str, str, str]:
    """A statement: its name, its address, or its sentence if no page shows it."""
    address = _address(inputs, to, variants, stated)
    return stated, address, "" if address else inputs.sentences.get(stated.rpartition(" ")[2], "")


def _address(inputs: SiteInputs, to: Addresses, variants: list[str], stated: str) -> str:
    """The address of a statement of the spec: in a book, else in the atlas; empty if in neither.

    ``stated`` may begin with the word for how it changes what is inherited, as in ``set target``.
    """
    name = stated.rpartition(" ")[2]
    for game in variants:
        graph, (holds, agreed) = inputs.graphs[game], inputs.told[game]
        if name in holds or name in agreed:
            return to.book(game, rule=name)
        if name in graph.options and graph.options[name].values[1:]:  # a book omits an option without a choice
            return to.option(game, name)
        if name in inputs.readings[game]:
            return to.decision(game, name)
    drawn = (game for game in variants if name in (rules := inputs.graphs[game].rules) and rules[name].source.prose)
    return next((to.atlas(game, name) for game in drawn), "")


# ---- Cases: every one with its steps in plain words, and a replay ---------------------------------

LEVELS = {"must": "a source says it", "decided": "we read it so", "option": "where it is agreed"}
"""Descriptions of the levels of cases."""


def cases(inputs: SiteInputs, path: str) -> str:
    """The page of one file of cases."""
    to, replays = Addresses(_IN), Embedded()
    entries = [
        {
            "id": case.id,
            "level": LEVELS[case.entry.level],
            "title": case.entry.title.rstrip("."),
            "variants": [(name, to.book(name) if name in inputs.graphs else "") for name in case.applies.variants],
            "options": [(name, str(value)) for name, value in case.entry.options.items()],
            "clauses": [(cite, _clause_address(to, cite)) for cite in case.clauses],
            "decisions": case.entry.decisions,
            "steps": list(_steps(case)),
            "moments": _replay(case, replays),
        }
        for case in inputs.files[path]
    ]
    title = path.removeprefix("cases/").removesuffix(".html").replace("-", " ")
    return framed("cases", _IN, SCRIPT, styles=STYLES, title=title, cases=entries, replays=replays)


def _clause_address(to: Addresses, cite: str) -> str:
    source, _, clause = cite.partition(":")
    return to.clause(source, clause) if source in sources() else ""


def _replay(case: Case, replays: Embedded) -> str:
    """The replay of the first instance of a case; empty if nothing is played."""
    instance: Instance = instances(case)[0]
    try:
        planned = ready.as_written(instance)
        script = planned.requests[0]
        if not isinstance(script, Script):
            return ""
        moves = [[action.text for action in actions] for actions in planned.taken]
        graph = filling.script_graph(script)
        track = track_of(filling.log_of(script, moves), graph, why=False)
        return replays.replay(script.players, graph, track.moments)
    except TrucoError:  # a case may be irregular from its first step on
        return ""


def _steps(case: Case) -> Iterator[tuple[str, str]]:
    """The steps: what is done or queried, and the result, in plain words."""
    entry = case.entry
    score = f"at {_plain(entry.score)}" if entry.score else ""
    deal = "; ".join(
        f"{key} {cards if isinstance(cards, str) else ' '.join(cards)}" for key, cards in entry.deal.items()
    )
    begun = ", ".join(filter(None, (f"{entry.dealer} deals" if entry.dealer else "", score)))
    if begun or deal:
        yield ": ".join(filter(None, (begun, deal))), ""
    for step in entry.moves:
        match step:
            case str():
                yield step, ""
            case Expect():
                yield "", "; ".join(f"{key.replace('-', ' ')}: {_plain(value)}" for key, value in step.expect.items())
            case Refused():
                yield step.refused, f"is refused before {step.before}" if step.before else "is refused"
            case Allowed():
                yield step.allowed, "is allowed"
            case Legal():
                for who, what in step.legal.items():
                    yield f"{who} may", ", ".join(what) or "nothing"
            case View():
                yield f"{step.view.seat} sees", f"{_plain(step.view.sees)}; not {_plain(step.view.hides)}"
            case HandStep():
                yield "the next hand", ""
            case Deals():
                yield f"{step.deals.times} deals of its own", ""


def _plain(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{who} {_plain(what)}" for who, what in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_plain, value)) or "–"
    return str(value).replace("-", " ")


# ---- The atlas: text, sources and cases of each rule beside the drawing --------------------------


def atlas(inputs: SiteInputs, name: str) -> str:
    """The page of a game."""
    graph, to = inputs.graphs[name], Addresses(_IN)
    rules = list(_drawn_rules(inputs, name, graph, to))
    listed = {rule["name"] for rule in rules}
    drawn = svg(picture_of(graph), lambda rule: f"#{rule}" if rule in listed else "")
    picture = Markup(drawn)  # noqa: S704 -- drawn by us, its texts escaped
    books = tuple((code, called, to.book(name, code)) for code, called in others(to.language))
    here = (("", "rules", to.book(name)), *books)
    return framed("atlas", _IN, "atlas", here=here, title=graph.title, picture=picture, rules=rules)


def _drawn_rules(inputs: SiteInputs, name: str, graph: Graph, to: Addresses) -> Iterator[dict[str, Any]]:
    fill, testing = inputs.filler(name, rule_words(to.language)), inputs.testing(name)
    for rule in graph.rules.values():
        if not rule.source.prose:
            continue
        cites = [(cite.source, cite.clause) for cite in rule.source.cites]
        cases = dict.fromkeys(case for source, clause in cites for case in testing.get(f"{source}:{clause}", ()))
        yield {
            "name": rule.name,
            "shape": SHAPES[rule.shape],
            "sentence": fill(rule.source.prose),
            "address": _in_book(inputs, name, rule, to),
            "cites": [
                (f"{source}:{clause}", to.clause(source, clause) if source in sources() else "")
                for source, clause in cites
                if source != DECIDED
            ],
            "decisions": [
                (clause, to.decision(name, clause) if clause in inputs.readings[name] else "")
                for source, clause in cites
                if source == DECIDED
            ],
            "cases": [(case, to.case(inputs.cases[case])) for case in cases],
        }


def _in_book(inputs: SiteInputs, game: str, rule: Rule, to: Addresses) -> str:
    """The address in this game's book of a rule, or of the construct that it is part of."""
    holds, agreed = inputs.told[game]
    entry = next((name for name in (rule.name, rule.source.construct) if name in holds or name in agreed), "")
    return to.book(game, rule=entry) if entry else ""
