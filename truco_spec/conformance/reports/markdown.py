"""Markdown, as a job of continuous integration shows it.

Everything that is not ours stands in code, between more backticks than it holds: there nothing is markup, a link or a
mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain

from truco_spec.base.texts import one_line, visible
from truco_spec.conformance.reports.beside import notes, of_level, strangers
from truco_spec.conformance.reports.events import Played, Run
from truco_spec.conformance.reports.totals import changed, faults_by_clause, other_readings, scores, totals, unsteady
from truco_spec.conformance.runner.verdicts import VERDICTS

MOST_SHOWN = 100
"""So many cases that went wrong are told at length: a job's summary may hold a megabyte."""
_NAMED = 20


def text_of(run: Run) -> str:
    """The report of a run."""
    return "\n".join(chain(_head(run), _table(run), _by(run), _known(run), _wrong(run), _foot(run)))


def code(text: str) -> str:
    """Any text as code within a line."""
    line = one_line(text) or " "
    fence = "`" * (_longest(line) + 1)
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def block(text: str) -> str:
    """Any text as a block of code."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}text\n{visible(text)}\n{fence}"


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _head(run: Run) -> Iterator[str]:
    yield f"# {code(run.title)}"
    yield ""
    corpus = f" of corpus {code(run.begun.edition)}" if run.begun.edition else ""
    yield f"{len(run.played)} of {run.begun.cases} cases{corpus} were played."
    yield ""
    if not run.whole:
        yield "**The run was broken off before its end.**"
        yield ""


def _table(run: Run) -> Iterator[str]:
    rows = totals(run.cases)
    shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
    passed, players = scores(run.cases), strangers(run)
    beside = ["passed", *(code(player).replace("|", "\\|") for player in players)] if players else []
    yield "| | " + " | ".join([*shown, *beside]) + " |"
    yield "|---|" + "---:|" * len([*shown, *beside])
    for level, row in rows.items():
        cells = [str(row[verdict]) for verdict in shown]
        if players:
            cells += [passed[level].share, *(of.share for of in of_level(run, level).values())]
        yield f"| {level} | " + " | ".join(cells) + " |"
    yield ""
    if players:
        yield f"“passed” is the share of the judged cases; {', '.join(map(code, players))}: on the same cases, players "
        yield "who know nothing of the game."
        yield ""


def _by(run: Run) -> Iterator[str]:
    yield from _listed("## Faults by clause", faults_by_clause(run.cases))
    yield from _listed("## Readings that differ, by decision", other_readings(run.cases))
    apart = {"Unsteady": unsteady(run.cases), "Refused, and the game is another": changed(run.cases)}
    yield from _listed("## No fault of a rule", {title: names for title, names in apart.items() if names})


def _listed(title: str, found: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    if not found:
        return
    yield title
    yield ""
    for name, cases in found.items():
        more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        yield f"- {code(name)} ({len(cases)}): {', '.join(map(code, cases[:_NAMED]))}{more}"
    yield ""


def _known(run: Run) -> Iterator[str]:
    told = [(played.case.name, played.case.known) for played in run.played if played.case.verdict == "xfail"]
    said = list(notes(run.cases))
    if not told and not said:
        return
    yield "## Expected failures"
    yield ""
    yield from (
        f"- {code(name)}: {code(known.because if known is not None else '')}" for name, known in told[:MOST_SHOWN]
    )
    if len(told) > MOST_SHOWN:
        yield f"- and {len(told) - MOST_SHOWN} more"
    yield from (f"- {code(name)} {code(note)}" for name, note in said[:MOST_SHOWN])
    yield ""


def _wrong(run: Run) -> Iterator[str]:
    wrong = run.wrong
    if not wrong:
        return
    yield "## What went wrong"
    yield ""
    for played in wrong[:MOST_SHOWN]:
        yield from _case(played)
    if len(wrong) > MOST_SHOWN:
        yield f"{len(wrong) - MOST_SHOWN} more went wrong; the other formats tell them all."
        yield ""


def _case(played: Played) -> Iterator[str]:
    case = played.case
    yield f"### {case.verdict}: {code(case.name)}"
    yield ""
    yield f"{code(case.title)} ({case.level}; {', '.join(map(code, (*case.clauses, *case.decisions)))})"
    yield ""
    for fault in case.faults:
        yield f"- expected {code(fault.expected)}"
        yield f"- got {code(fault.got)}"
        if fault.advice:
            yield f"- advice {code(fault.advice)}"
        if fault.script:
            yield f"- script {code(fault.script)}"
        yield ""
        for text in (fault.log, fault.case):
            if text:
                yield block(text)
                yield ""
    yield block(played.repeat)
    yield ""


def _foot(run: Run) -> Iterator[str]:
    if run.ended is not None:
        yield f"{run.ended.timing.milliseconds / 1000:.1f} s, begun {code(run.ended.timing.began)}"
        yield ""
