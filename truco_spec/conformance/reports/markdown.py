"""Markdown for the job summary of continuous integration.

All foreign text is in code, where nothing is markup, a link or a mention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from truco_spec.base import document
from truco_spec.base.document import Block, Cell, Code, Grid, Heading, LogBlock, Paragraph, Strong, Text, items, listed
from truco_spec.conformance.reports.beside import notes, of_level, strangers
from truco_spec.conformance.reports.events import Played, Run
from truco_spec.conformance.reports.terminal import CAUSES, explained_by
from truco_spec.conformance.reports.totals import changed, faults_by_clause, other_readings, scores, totals, unsteady
from truco_spec.conformance.runner.verdicts import VERDICTS

MOST_SHOWN = 100
"""Maximum failed cases shown in full: a job's summary may hold a megabyte."""
_NAMED = 20


def text_of(run: Run) -> str:
    """The report of a run."""
    return document.markdown_of(document_of(run))


def document_of(run: Run) -> Iterator[Block]:
    """The report of a run, from its totals to each case that went wrong."""
    yield Heading(1, Code(run.title))
    corpus = (" of corpus ", Code(run.begun.edition)) if run.begun.edition else ()
    yield Paragraph((f"{len(run.played)} of {run.begun.cases} cases", *corpus, " were played."))
    if not run.whole:
        yield Paragraph(Strong("The run was broken off before its end."))
    yield from _totals(run)
    yield from _causes(run)
    left = run.unexplained
    yield from _named("Faults by clause", faults_by_clause(left))
    yield from _named("Readings that differ, by decision", other_readings(left))
    apart = {"Unsteady": unsteady(left), "Refused, and the game is another": changed(left)}
    yield from _named("No fault of a rule", {title: names for title, names in apart.items() if names})
    yield from _known(run)
    yield from _wrong(run)
    if run.ended is not None:
        yield Paragraph((f"{run.ended.timing.milliseconds / 1000:.1f} s, begun ", Code(run.ended.timing.began)))


def _totals(run: Run) -> Iterator[Block]:
    rows, passed, players = totals(run.cases), scores(run.cases), strangers(run)
    shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
    beside: tuple[Text, ...] = ("passed", *map(Code, players)) if players else ()
    told = []
    for level, row in rows.items():
        shares = [of.share for of in (passed[level], *of_level(run, level).values())] if players else []
        told.append((level, tuple(map(Cell, [*(str(row[verdict]) for verdict in shown), *shares]))))
    yield Grid(("", *shown, *beside), tuple(told), numbers=True)
    if players:
        names = listed(map(Code, players))
        behind = ": on the same cases, players who know nothing of the game."
        yield Paragraph(("“passed” is the share of the judged cases; ", *names, behind))


def _causes(run: Run) -> Iterator[Block]:
    if run.causes:
        yield Heading(2, "Causes")
        yield Paragraph(CAUSES.partition(": ")[2].capitalize())
    for number, cause in enumerate(run.causes, 1):
        yield Paragraph((f"{number}. ", Strong(cause.sentence), f": explains {explained_by(cause)}."))
        shown = {"clause": ", ".join(cause.clauses), "case": cause.case, "script": cause.script}
        shown |= {"expected": cause.expected, "got": cause.got, "the same": "; ".join(cause.same)}
        told = ((f"{name} ", Code(text)) for name, text in shown.items() if text)
        yield items(*told, ("cases ", *listed(map(Code, cause.cases))))


def _named(title: str, found: Mapping[str, tuple[str, ...]]) -> Iterator[Block]:
    if found:
        yield Heading(2, title)
        yield items(*(_cases_of(name, cases) for name, cases in found.items()))


def _cases_of(name: str, cases: tuple[str, ...]) -> Text:
    more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
    return Code(name), f" ({len(cases)}): ", *listed(map(Code, cases[:_NAMED])), more


def _known(run: Run) -> Iterator[Block]:
    known = [
        (Code(case.name), ": ", Code(case.known.because if case.known is not None else ""))
        for case in run.cases
        if case.verdict == "xfail"
    ]
    said = [(Code(name), " ", Code(note)) for name, note in notes(run.cases)]
    more = [f"and {len(known) - MOST_SHOWN} more"] if len(known) > MOST_SHOWN else []
    if known or said:
        yield Heading(2, "Expected failures")
        yield items(*known[:MOST_SHOWN], *more, *said[:MOST_SHOWN])


def _wrong(run: Run) -> Iterator[Block]:
    wrong = [played for played in run.wrong if not run.causes_of(played.case)]
    if wrong:
        yield Heading(2, "What no cause explains" if run.causes else "What went wrong")
    for played in wrong[:MOST_SHOWN]:
        yield from _case(played)
    if len(wrong) > MOST_SHOWN:
        yield Paragraph(f"{len(wrong) - MOST_SHOWN} more went wrong; the other formats tell them all.")


def _case(played: Played) -> Iterator[Block]:
    case = played.case
    yield Heading(3, (f"{case.verdict}: ", Code(case.name)))
    yield Paragraph((Code(case.title), f" ({case.level}; ", *listed(map(Code, (*case.clauses, *case.decisions))), ")"))
    for fault in case.faults:
        found = {"expected": fault.expected, "got": fault.got}
        found |= {name: text for name, text in (("advice", fault.advice), ("script", fault.script)) if text}
        yield items(*((f"{name} ", Code(text)) for name, text in found.items()))
        yield from (LogBlock(text) for text in (fault.log, fault.case) if text)
    yield LogBlock(played.repeat)
