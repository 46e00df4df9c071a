"""The pages of the corpus: every case with its steps in plain words, and a replay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from truco_spec.base.errors import TrucoError
from truco_spec.books.site.addresses import Addresses
from truco_spec.books.site.context import SiteInputs
from truco_spec.books.site.embedded_replay import Embedded
from truco_spec.books.site.page_frame import framed
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import Allowed, Case, Deals, Expect, HandStep, Instance, Legal, Refused, View
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.graph.sources import sources
from truco_spec.pages.moments import track_of

_IN = "../"
LEVELS = {"must": "a source says it", "decided": "we read it so", "option": "where it is agreed"}
"""Descriptions of the levels of cases."""


def cases(shelf: SiteInputs, path: str) -> str:
    """The page of one file of cases."""
    to, replays = Addresses(_IN), Embedded()
    entries = [
        {
            "id": case.id,
            "level": LEVELS[case.entry.level],
            "title": case.entry.title.rstrip("."),
            "variants": [(name, to.book(name) if name in shelf.graphs else "") for name in case.applies.variants],
            "options": [(name, str(value)) for name, value in case.entry.options.items()],
            "clauses": [(cite, _address(to, cite)) for cite in case.clauses],
            "decisions": case.entry.decisions,
            "steps": list(_steps(case)),
            "moments": _replay(case, replays),
        }
        for case in shelf.files[path]
    ]
    title = path.removeprefix("cases/").removesuffix(".html").replace("-", " ")
    return framed("cases", _IN, "cases", title=title, cases=entries, symbols=replays.symbols)


def _address(to: Addresses, cite: str) -> str:
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
        track = track_of(filling.log_of(script, moves), filling.script_graph(script), why=False)
        return replays.replay(script.players, track.moments)
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
