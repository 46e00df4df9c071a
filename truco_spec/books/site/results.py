"""What engines came to, in every language: the list, and a page made of each run that is kept beside its document.

The document itself, which tells of the source of an engine, is in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import called_value, number, say, speaking
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import Addresses, SiteInputs, framed, in_each, rule_words, speech
from truco_spec.books.site.traced_pages import clause_address
from truco_spec.conformance.reports.events import Run, run_in
from truco_spec.conformance.reports.run_document import SAYS, departing_from, passed, sorted_causes
from truco_spec.conformance.reports.totals import (
    clause_text,
    faults_by_clause,
    not_playable,
    other_readings,
    totals,
)
from truco_spec.conformance.runner.verdicts import VERDICTS, CauseReport
from truco_spec.engine.wasm.native import is_installed
from truco_spec.graph.model import DECIDED
from truco_spec.logs.line import fragment_of

FOLDER = "results"
_IN = "../"


def engines() -> list[str]:
    """The documents of engines, as paths below ``docs``."""
    return [name for name in documents.files() if name.startswith(f"{FOLDER}/") and name.endswith(".md")]


@cache
def kept(name: str) -> Run | None:
    """The run that is kept beside a document; None if there is none."""
    path = documents.run_of(name)
    return run_in(path.read_text(encoding="utf-8"), path.name) if path else None


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells of a run in the language that is spoken, with the sentences of its games."""

    inputs: SiteInputs
    run: Run
    to: Addresses

    def titled(self) -> list[tuple[str, str]]:
        """The games of which cases were played: titles, and their books."""
        names = dict.fromkeys(case.variant for case in self.run.cases)
        told = rule_words(self.to.language)
        return [(told(self.inputs.graphs[name].title), self.to.book(name)) for name in names]

    def table(self) -> tuple[list[str], list[tuple[str, list[int]]]]:
        """Verdicts, and how many cases of each level came to them."""
        rows = totals(self.run.cases)
        shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
        counts = [(say(SAYS[level]), [row[verdict] for verdict in shown]) for level, row in rows.items()]
        return [say(verdict) for verdict in shown], counts

    def causes(self) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
        """What may explain the failures: a heading, what is said below it, and the causes."""
        for title, about, causes in sorted_causes(self.run):
            yield say(title), say(about), [self._cause(cause) for _, cause in causes]

    def _cause(self, cause: CauseReport) -> dict[str, Any]:
        name, _, value = cause.option.partition("=")
        opened = f"{self.to.who()}#{fragment_of(cause.script)}" if is_installed() else ""
        return {
            "form": "" if name else departing_from(cause.sentence.partition(": “")[0]),
            "option": self.option(cause.variant, name, value) if name else (),
            "rule": "" if name else self.sentence(cause.variant, cause.rule).rstrip("."),
            "clauses": list(map(self.cited, cause.clauses)),
            "cases": self.cases(cause.cases),
            "script": cause.script,
            "who": opened,
        }

    def sentence(self, variant: str, statement: str) -> str:
        told, graph = rule_words(self.to.language), self.inputs.graphs[variant]
        stated = {name: source for _, name, source in graph.cites}
        source = graph.rules[statement].source if statement in graph.rules else stated[statement]
        return self.inputs.filler(variant, told)(told(source.prose))

    def option(self, variant: str, name: str, value: str) -> tuple[str, str, str]:
        """An option: as it is written, what its value is called, what it is about."""
        told = rule_words(self.to.language)
        about = self.inputs.graphs[variant].options[name].source.prose
        return f"{name} {value}", called_value(name, value), self.inputs.filler(variant, told)(told(about))

    def always(self) -> list[tuple[str, str, str]]:
        """The options that are always played so."""
        held = self.run.implementation.variants if self.run.implementation else {}
        played = [
            (game, name, value)
            for game, plays in held.items()
            for name, values in plays.always.items()
            for value in ((values,) if isinstance(values, str) else values.values())
            if name in self.inputs.graphs[game].options
        ]
        return list(dict.fromkeys(self.option(*one) for one in played))

    def cited(self, cite: str) -> tuple[str, str, str]:
        """A clause or decision: its citation, address and text."""
        source, _, clause = cite.partition(":")
        if source == DECIDED:
            graphs = self.inputs.graphs.items()
            game, graph = next((game, graph) for game, graph in graphs if clause in graph.decisions)
            told = rule_words(self.to.language)
            reading = self.inputs.filler(game, told)(told(graph.decisions[clause].reading))
            printed = (name for name, readings in self.inputs.readings.items() if clause in readings)
            return cite, next((self.to.decision(name, clause) for name in printed), ""), reading
        return cite, clause_address(self.to, cite), rule_words(self.to.language).told(clause_text(cite) or "")

    def cases(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return [(name, self.to.case(self.inputs.cases[name.partition("[")[0]])) for name in names]

    def failed(self) -> Iterator[tuple[str, list[tuple[tuple[str, str, str], list[tuple[str, str]]]]]]:
        """The failed cases that no cause tells of, by the clause or decision that they accuse."""
        cases = self.run.unexplained
        readings = {f"{DECIDED}:{name}": names for name, names in other_readings(cases).items()}
        found = faults_by_clause(cases), readings
        forms = ("Faults by clause", "Readings that differ, by decision")
        for title, listed in zip(forms, found, strict=True):
            if listed:
                yield say(title), [(self.cited(cite), self.cases(names)) for cite, names in listed.items()]


def page(inputs: SiteInputs, name: str, language: str) -> str:
    """The page of the run that is kept beside a document, in a language other than that of the document."""
    run = kept(name)
    assert run is not None
    to = Addresses(_IN, language)
    teller = _Teller(inputs, run, to)
    home = run.implementation.homepage if run.implementation else ""
    with speaking(speech(language)):
        return framed(
            "engine",
            _IN,
            language=language,
            here=in_each(lambda code: f"{_IN}{documents.page_of(name, code)}"),
            title=run.title,
            homepage=home if home.startswith("https://") else "",
            played=say("{count} cases of corpus {edition}:", count=number(len(run.played)), edition=run.begun.edition),
            passed=passed(run),
            titled=teller.titled(),
            table=teller.table(),
            causes=list(teller.causes()),
            failed=list(teller.failed()),
            unplayable=teller.cases(not_playable(run.unexplained)),
            always=teller.always(),
        )


def index(inputs: SiteInputs, language: str) -> str:
    """The list of the engines, in a language."""
    to = Addresses(_IN, language)
    path = documents.page_of(FOLDER)
    with speaking(speech(language)):
        entries = list(_entries(inputs, to))
        return framed(
            "list",
            _IN,
            language=language,
            here=in_each(lambda code: f"{_IN}{to.in_language(path, code)}"),
            title=say("Results"),
            groups={say("Engines"): entries},
            contents=documents.contents(FOLDER) if language == ENGLISH else (),
        )


def _entries(inputs: SiteInputs, to: Addresses) -> Iterator[tuple[str, str, str]]:
    for name in engines():
        if run := kept(name):
            played = ", ".join(title for title, _ in _Teller(inputs, run, to).titled())
            yield run.title, f"{_IN}{documents.page_of(name, to.language)}", f"{played}. {passed(run)}"
