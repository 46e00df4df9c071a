"""The pages of the site, one function each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from truco_spec.conformance import filling
from truco_spec.conformance.cases import Allowed, Case, Deals, Expect, Hand, Instance, Legal, Refused, View
from truco_spec.conformance.corpus import instances
from truco_spec.conformance.prepared import Preparation
from truco_spec.conformance.protocol import Script
from truco_spec.errors import TrucoError
from truco_spec.graph.draw.picture import picture_of
from truco_spec.graph.draw.svg import svg
from truco_spec.graph.model import Rule
from truco_spec.graph.sources import registry, sources
from truco_spec.languages import LANGUAGES
from truco_spec.logs.prose import told
from truco_spec.pages.cards import pack_of, symbols
from truco_spec.pages.moments import Moment, track_of
from truco_spec.questions.page import html_of as html_of_table
from truco_spec.rulebook.locales import words_in
from truco_spec.rulebook.render import html_of
from truco_spec.rulebook.whole import whole_of
from truco_spec.site import documents
from truco_spec.site.addresses import Addresses
from truco_spec.site.build import Shelf
from truco_spec.site.frame import framed

CALLED = {"en": "English", "pt": "Português", "es": "Español"}
_IN = "../"

_Found = tuple[str, str, str]
"""What a search finds: its name, its text, and its address."""


def home(shelf: Shelf) -> str:
    """The first page."""
    cases: dict[str, int] = {}
    for case in shelf.corpus.cases:
        for variant in case.applies.variants:
            cases[variant] = cases.get(variant, 0) + 1
    held = [
        {
            "name": name,
            "title": graph.title,
            "players": ", ".join(graph.options["players"].values) if "players" in graph.options else str(graph.seats),
            "cards": sum(card.present for card in graph.cards),
            "rules": len(graph.rules),
            "cases": cases.get(name, 0),
        }
        for name, graph in shelf.graphs.items()
    ]
    documents = [
        {"name": name, "title": registry(name).record.title, "clauses": len(registry(name).clauses)}
        for name in sources()
    ]
    return framed("home", "", variants=held, languages=list(CALLED.items()), sources=documents)


def book(shelf: Shelf, name: str, language: str) -> str:
    """A book of rules, with links to clauses, cases and the other languages."""
    words = words_in(language)
    whole = whole_of(shelf.graphs[name], words, examples=shelf.examples.get(name))
    shelf.examples[name] = whole.examples
    to = Addresses(_IN)
    others = [(code, CALLED[code], to.book(name, code)) for code in LANGUAGES if code != language]
    cases = {name: to.case(case) for name, case in shelf.cases.items()}
    return html_of(whole, words, {"to": to, "others": others, "cases": cases})


def cases_list(shelf: Shelf) -> str:
    """The list of the files of the corpus."""
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for path, held in shelf.files.items():
        folder, _, name = path.removeprefix("cases/").removesuffix(".html").partition("-")
        groups.setdefault(folder, []).append((name or folder, path.removeprefix("cases/"), f"{len(held)} cases"))
    return framed("list", _IN, title="Cases", groups=groups)


def cases(shelf: Shelf, path: str) -> str:
    """The cases of one file, each with its steps and what replays it."""
    held, to = shelf.files[path], Addresses(_IN)
    drawn: dict[str, None] = {}
    entries = []
    for case in held:
        moments = _moments(case)
        if moments:
            drawn |= dict.fromkeys(card for _, _, places in moments["moments"] for _, _, cs in places for card, _ in cs)
        entries.append(
            {
                "id": case.id,
                "level": case.entry.level,
                "title": case.entry.title.rstrip("."),
                "variants": case.applies.variants,
                "options": [(name, str(value)) for name, value in case.entry.options.items()],
                "clauses": [(cite, _address(to, cite)) for cite in case.clauses],
                "decisions": case.entry.decisions,
                "steps": list(_steps(case)),
                "moments": json.dumps(moments, ensure_ascii=False, separators=(",", ":")) if moments else "",
            }
        )
    title = path.removeprefix("cases/").removesuffix(".html").replace("-", " ")
    return framed("cases", _IN, "cases", title=title, cases=entries, symbols=symbols(drawn, pack_of(drawn)))


def _address(to: Addresses, cite: str) -> str:
    source, _, clause = cite.partition(":")
    return to.clause(source, clause) if source in sources() else ""


def _steps(case: Case) -> Iterable[str]:
    entry = case.entry
    deal = "; ".join(
        f"{key} {cards if isinstance(cards, str) else ' '.join(cards)}" for key, cards in entry.deal.items()
    )
    yield f"{entry.dealer} deals" + (f": {deal}" if deal else "")
    for step in entry.moves:
        match step:
            case str():
                yield step
            case Expect():
                yield "then " + "; ".join(f"{key} {json.dumps(value)}" for key, value in step.expect.items())
            case Refused():
                yield f"refused: {step.refused}"
            case Allowed():
                yield f"allowed: {step.allowed}"
            case Legal():
                yield "; ".join(f"{who} may: {', '.join(what) or 'nothing'}" for who, what in step.legal.items())
            case View():
                yield f"{step.view.seat} sees {step.view.sees or '–'}; not {step.view.hides or '–'}"
            case Hand():
                yield "the next hand"
            case Deals():
                yield f"{step.deals.times} deals of its own"


def _moments(case: Case) -> dict[str, Any] | None:
    """The table of the first instance of a case, moment by moment, as short data; None where nothing is played."""
    instance: Instance = instances(case)[0]
    try:
        planned = Preparation().plan(instance)
        script = planned.requests[0]
        if not isinstance(script, Script):
            return None
        moves = [[action.text for action in actions] for actions in planned.taken]
        found = track_of(filling.log_of(script, moves), filling.script_graph(script), why=False).moments
    except TrucoError:  # what a case plays may be irregular from its first step on
        return None
    return {"players": list(script.players), "moments": [_short(moment, script.players) for moment in found]}


def _short(moment: Moment, players: tuple[str, ...]) -> tuple[str, str, list[object]]:
    done = f"{players[moment.seat]} {moment.done}" if moment.number else "the deal"
    places = [
        (place.label, place.seat, [(card.name, "".join("1" if seen else "0" for seen in card.seen)) for card in cards])
        for place in moment.places
        if (cards := [card for card in place.cards if place.seat >= 0 or card.open])
    ]
    return done, moment.remark, list(places)


def atlas(shelf: Shelf, name: str) -> str:
    """The graph of a game, and its rules."""
    graph, to = shelf.graphs[name], Addresses(_IN)
    rules = [
        (rule.name, rule.shape, told(graph, rule.source.prose), _in_book(shelf, name, rule, to))
        for rule in graph.rules.values()
        if rule.source.prose
    ]
    listed = {rule[0] for rule in rules}
    drawn = svg(picture_of(graph), lambda rule: f"#{rule}" if rule in listed else "")
    picture = Markup(drawn)  # noqa: S704 -- drawn by us, its texts escaped
    return framed("atlas", _IN, "atlas", title=graph.title, picture=picture, rules=rules)


def _in_book(shelf: Shelf, game: str, rule: Rule, to: Addresses) -> str:
    """Where the book of this game tells a rule, or the construct that it is part of."""
    holds, agreed = shelf.told[game]
    entry = next((name for name in (rule.name, rule.source.construct) if name in holds or name in agreed), "")
    return to.book(game, rule=entry) if entry else ""


def table(shelf: Shelf) -> str:
    """All games side by side."""
    return html_of_table(shelf.table, Addresses())


def search(shelf: Shelf) -> str:
    """Every rule, clause, heading and question on one page, which a script narrows down."""
    to = Addresses()
    rules: dict[str, _Found] = {}
    for graph in shelf.graphs.values():
        for kind, name, source in graph.cites:
            if source.prose and kind not in ("decision", "option", "set"):
                found, entry = shelf.book_with(name, source.construct)
                if found:
                    rules.setdefault(name, (name, told(graph, source.prose), to.book(found, rule=entry)))
    groups: dict[str, list[_Found]] = {"Rules": list(rules.values())}
    for document in sources():
        groups[f"Clauses of {document}"] = [
            (clause.id, clause.text, to.clause(document, clause.id)) for clause in registry(document).clauses.values()
        ]
    groups["Questions"] = [
        (row.ask, "", to.table(number)) for number, part in enumerate(shelf.table.parts, 1) for row in part.rows
    ]
    groups["Documentation and results"] = list(documents.searched())
    return framed("search", "", "search", groups=groups)
