"""A run on a terminal: a block for every fault, the totals, the summary. Foreign text is sanitised."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from truco_spec.base.document import Cell, Code, Grid, Text, text_of
from truco_spec.base.harmless import one_line, visible
from truco_spec.conformance.reports.events import Played, Run, baseline_players, beside, of_level
from truco_spec.conformance.reports.totals import (
    changed,
    clause_text,
    departures,
    faults_by_clause,
    not_playable,
    notes,
    other_readings,
    picture,
    score,
    scores,
    totals,
    unsteady,
    unsupported,
)
from truco_spec.conformance.runner.verdicts import NEGATIVE, RULED, VERDICTS, CaseReport, CauseReport, Verdict

_WIDTH = 110
MOST_REASONS = 12
"""How many reasons for not asking cases are listed."""
DEPARTS = "Departs from the source, as claimed; cases that rest on it were not asked"
CAUSES = "Causes: what would make the answers right. Each is assumed when the next is looked for."
_RED, _GREEN, _YELLOW, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"


def show(run: Run, say: Callable[[str], None], *, verbose: bool = False, colour: bool = False) -> None:
    """Show the report of a run, block by block, through ``say``; with ``colour`` its verdicts are highlighted."""
    paint = _painted if colour else _unpainted
    if run.implementation is not None:
        say(one_line(run.title))
    for case in run.cases if verbose else ():
        if case.verdict not in NEGATIVE:
            told = _flat(f"{case.name}  {case.title}{_reason(case)}")
            say(f"{paint(f'{case.verdict:>11}', case.verdict)}  {told}")
    if run.causes:
        say(f"\n{CAUSES}")
    repeats = {played.case.name: played.repeat for played in run.played}
    for number, cause in enumerate(run.causes, 1):
        lines = [*cause_lines(number, cause), f"  repeat    {repeats.get(cause.case, '')}"]
        say("\n" + "\n".join(map(_flat, lines)))
    left = {case.name for case in run.unexplained}
    if run.causes and any(played.case.name in left for played in run.wrong):
        say("\nFailures that no cause explains")
    for played in run.wrong:
        if played.case.name not in left and not verbose:
            continue
        head, _, rest = block(played).partition("\n")
        say(f"\n{paint(head, played.case.verdict)}\n{rest}")
    for line in _sums(run):
        say(line)
    if any(case.reason for case in run.cases):
        say("\nUnsupported\n" + text_of([reasons(run.cases)]).rstrip("\n"))
    say("\n" + text_of([table(run)]).rstrip("\n"))
    say("\n" + paint(summary(run), _whole(run)))


def _flat(text: str) -> str:
    """On one line, and without controls."""
    return visible(text).replace("\n", " ")


def _reason(case: CaseReport) -> str:
    known = case.known.because if case.known is not None and case.verdict == "xfail" else ""
    return f": {known or case.reason}" if known or case.reason else ""


def _painted(text: str, verdict: Verdict) -> str:
    """The same in red, green or yellow."""
    return f"{_RED if verdict in NEGATIVE else _GREEN if verdict == 'pass' else _YELLOW}{text}{_PLAIN}"


def _unpainted(text: str, verdict: Verdict) -> str:
    return text


def _whole(run: Run) -> Verdict:
    """The verdict on the run, for its colour."""
    if any(case.verdict in NEGATIVE for case in run.cases):
        return "fail"
    return "pass" if run.whole and all(case.verdict == "pass" for case in run.cases) else "xfail"


# ---- one fault ----------------------------------------------------------------------------------


def block(played: Played) -> str:
    """One fault: the case, its authorities, the script, the table, expected and got, and how to repeat it."""
    case = played.case
    lines = [f"{case.verdict.upper()}  {case.name} ({case.level})", f"  {case.title}"]
    lines += clauses(case.clauses if case.verdict in RULED else ())
    apart = [fault for fault in case.faults[1:] if case.faults[0].case]  # they belong to a longer script
    for fault in case.faults[: len(case.faults) - len(apart)]:
        lines += came_out(fault.expected, fault.got, fault.log, fault.advice)
    if script := next((fault.script for fault in case.faults if fault.script), ""):
        lines += labelled("script    ", script)
    if played.script is not None and case.verdict != "xpass":
        lines += ["    " + line for line in picture(played.script)]
    lines += [line for fault in case.faults for line in quoted(fault.case)]
    for fault in apart:
        lines += came_out(fault.expected, fault.got, fault.log, fault.advice)
        lines += labelled("script    ", fault.script)
    if played.repeat:
        lines.append(f"  repeat    {played.repeat}")
    return "\n".join(map(_flat, lines))


def cause_lines(number: int, cause: CauseReport, what: str = "case") -> list[str]:
    """A cause: its sentence, what it explains, its authorities, and what shows it. ``what`` it explains are cases, or
    scripts.
    """
    lines = labelled(f"{number}. ", cause.sentence)
    lines += labelled("explains  ", f"{explained_by(cause, what)}: {', '.join(cause.cases)}")
    lines += clauses(cause.clauses)
    lines += [line for other in cause.same for line in labelled("the same  ", other)]
    lines += labelled("shortest  ", cause.case) + labelled("script    ", cause.script)
    return lines + came_out(cause.expected, cause.got)


def explained_by(cause: CauseReport, what: str = "case") -> str:
    """How much a cause explains, in words."""
    count = len(cause.cases)
    told = f"{count} {what}{'' if count == 1 else 's'}"
    if cause.agreeing == count:
        return f"{told}, which would pass"
    return f"{told}, of which {cause.agreeing} would pass; the others have more causes"


def clauses(names: Iterable[str]) -> list[str]:
    """Each clause with its text."""
    return [line for name in names for line in labelled(f"clause    {name}: ", clause_text(name) or "")]


def came_out(expected: str, got: str, log: str = "", advice: str = "") -> list[str]:
    """Expected and got, and the end of the implementation's log."""
    lines = labelled("expected  ", expected) + labelled("got       ", got)
    if advice:
        lines += labelled("advice    ", advice)
    return lines + quoted(log)[-5:]


def quoted(text: str) -> list[str]:
    """The lines of a log or of a case."""
    return [f"    | {line}" for line in text.splitlines()]


def labelled(label: str, text: str) -> list[str]:
    """A label and a text in lines that hang below the text."""
    return textwrap.wrap(
        text, _WIDTH, initial_indent=f"  {label}", subsequent_indent=" " * 12, break_on_hyphens=False
    ) or [f"  {label.rstrip(': ')}"]


def at_edge(text: str) -> list[str]:
    """A text from the edge of the terminal in lines."""
    return textwrap.wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


# ---- all of them --------------------------------------------------------------------------------


def _sums(run: Run) -> Iterator[str]:
    for title, lines in _parts(run.unexplained):
        yield "\n" + "\n".join(at_edge(_flat(title)))
        yield from (f"  {_flat(line)}" for line in lines)


def _parts(cases: Sequence[CaseReport]) -> Iterator[tuple[str, Sequence[str]]]:
    yield from _listed("Faults by clause", faults_by_clause(cases))
    yield from _listed("Readings that differ, by decision", other_readings(cases))
    if names := unsteady(cases):
        yield f"Unsteady, answered otherwise when asked again; of the rest nobody knows: {', '.join(names)}", ()
    if names := changed(cases):
        yield f"Refused, and the game is another all the same: {', '.join(names)}", ()
    if names := not_playable(cases):
        yield f"Failed on the way, before what they ask: {', '.join(names)}", ()
    if told := [f"{name} {note}." for name, note in notes(cases)]:
        yield "Expected failures", told
    if told := [line for claim, against in departing(cases) for line in at_edge(f"{claim}: {against}")]:
        yield DEPARTS, told


def _listed(title: str, found: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, Sequence[str]]]:
    if found:
        yield title, [f"{name}  ({len(names)}): {', '.join(names)}" for name, names in found.items()]


def departing(cases: Iterable[CaseReport]) -> Iterator[tuple[str, str]]:
    """Options that are claimed against a source, each with the clauses from which they depart, in words."""
    for claim, clauses in departures(cases).items():
        yield claim, "; ".join(f"{name} “{clause_text(name) or ''}”" for name in clauses)


def reasons(cases: Iterable[CaseReport]) -> Grid:
    """Why cases were not asked, the most frequent reasons first, and of how many."""
    found = unsupported(cases)
    rows: list[tuple[Text, int]] = [(("it ", Code(reason)), count) for reason, count in found[:MOST_REASONS]]
    if rest := found[MOST_REASONS:]:
        rows.append((f"{len(rest)} other reasons", sum(count for _, count in rest)))
    return Grid(("", "cases"), tuple((reason, (Cell(str(count)),)) for reason, count in rows), numbers=True)


def table(run: Run) -> Grid:
    """The totals per level, without empty columns; with the percentages passed, also by the baseline players."""
    rows, passed, players = totals(run.cases), scores(run.cases), baseline_players(run)
    shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
    beside: tuple[Text, ...] = ("passed", *map(Code, players)) if players else ()
    told: list[tuple[Text, tuple[Cell, ...]]] = []
    for level, row in rows.items():
        shares = [of.share for of in (passed[level], *of_level(run, level).values())] if players else []
        told.append((level, tuple(map(Cell, [*(str(row[verdict]) for verdict in shown), *shares]))))
    return Grid(("", *shown, *beside), tuple(told), numbers=True)


def summary(run: Run) -> str:
    """The summary of a run, in one line."""
    mine = score(run.cases)
    told = f"{one_line(run.title)}: {mine.passed} of {mine.judged} passed"
    if mine.judged:
        told += f" ({mine.share})"
    verdicts = [case.verdict for case in run.cases]
    if foreseen := verdicts.count("xfail"):
        told += f", {foreseen} failed as expected"
    if unjudged := len(verdicts) - mine.judged:
        told += f", {unjudged} could not be judged"
    told += f"{beside(run)}." + (f" Corpus {run.begun.edition}." if run.begun.edition else "")
    if not run.whole:
        told += f" Broken off after {len(run.played)} of {run.begun.cases} cases."
    return _flat(told)
