"""Compares several runs: rules by implementation. A rule is a clause, or a decision if a case rests on one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from truco_spec.base.document import Block, Cell, Code, Grid, Heading, Paragraph, Strong, Text, items
from truco_spec.base.harmless import one_line
from truco_spec.base.words import number, say
from truco_spec.conformance.reports.events import Run, theirs
from truco_spec.conformance.reports.run_document import cause_sentence, clause_told
from truco_spec.conformance.reports.totals import Score, score
from truco_spec.conformance.runner.verdicts import CaseReport, CauseReport

FAILED = " !"
"""The suffix of the score of a rule played otherwise."""


@dataclass(frozen=True, slots=True)
class ReportCell:
    """The number of cases of one rule that an implementation passed, and of those that could be judged."""

    passed: int
    judged: int

    @property
    def text(self) -> str:
        return f"{number(self.passed)}/{number(self.judged)}" if self.judged else "–"

    @property
    def verdict(self) -> str:
        return "none" if not self.judged else "pass" if self.passed == self.judged else "fail"


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One rule."""

    name: str
    is_decision: bool
    cells: tuple[ReportCell, ...]

    @property
    def differs(self) -> bool:
        """Whether two of them, both judged, have different results."""
        return len({cell.verdict for cell in self.cells} - {"none"}) > 1


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The matrix. ``notes`` say where the runs asked different cases; ``beside`` are the baseline players, with their
    scores; ``causes`` are given by sentence.
    """

    titles: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    sums: tuple[ReportCell, ...]
    beside: tuple[tuple[str, tuple[ReportCell, ...]], ...] = ()
    causes: tuple[tuple[str, tuple[CauseReport | None, ...]], ...] = ()


def compared(runs: Sequence[Run], *, differing: bool = False) -> RunComparison:
    """The runs side by side; ``differing`` keeps only the rules on which they differ."""
    by_rule = [_by_rule(run) for run in runs]
    rules = sorted(set().union(*by_rule))  # clauses first
    rows = [
        ReportRow(name, is_decision, tuple(_sum(found.get((is_decision, name), ())) for found in by_rule))
        for is_decision, name in rules
    ]
    rows = [row for row in rows if any(cell.judged for cell in row.cells)]
    return RunComparison(
        titles=_titles(runs),
        notes=tuple(_notes(runs)),
        rows=tuple(row for row in rows if row.differs or not differing),
        sums=tuple(_sum(run.cases) for run in runs),
        beside=tuple(_beside(runs)),
        causes=tuple(_causes(runs)),
    )


def _by_rule(run: Run) -> dict[tuple[bool, str], list[CaseReport]]:
    """Cases by rule: whether it is a decision, and its name."""
    found: dict[tuple[bool, str], list[CaseReport]] = {}
    for case in run.cases:
        is_decision = case.level == "decided" and bool(case.decisions)
        for name in case.decisions if is_decision else case.clauses:
            found.setdefault((is_decision, name), []).append(case)
    return found


def _sum(cases: Iterable[CaseReport]) -> ReportCell:
    """An expected failure counts as a failure here: the rule is played otherwise."""
    found = score(cases)
    return ReportCell(found.passed, found.judged)


def _beside(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[ReportCell, ...]]]:
    scores = [theirs(run) for run in runs]
    for player in dict.fromkeys(player for found in scores for player in found):
        found = [of.get(player, Score(0, 0)) for of in scores]
        yield one_line(player), tuple(ReportCell(of.passed, of.judged) for of in found)


def _titles(runs: Sequence[Run]) -> tuple[str, ...]:
    titles = [one_line(run.title) for run in runs]
    return tuple(f"{title} ({n})" if titles.count(title) > 1 else title for n, title in enumerate(titles, 1))


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for title, run in zip(_titles(runs), runs, strict=True):
        if not run.whole:
            form = "{title}: the run was broken off after {done} of {planned} cases."
            yield say(form, title=title, done=number(len(run.cases)), planned=number(run.begun.cases))
    editions = dict.fromkeys(run.begun.edition or say("not told") for run in runs)
    if len(editions) > 1:
        form = "They were asked cases of different versions of the corpus: {editions}."
        yield say(form, editions=", ".join(map(one_line, editions)))
    if len({frozenset(case.name for case in run.cases) for run in runs}) > 1:
        yield say("Not all were asked the same cases.")


def _causes(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[CauseReport | None, ...]]]:
    """Every cause, by its sentence, and what it explains in each run."""
    found = [{cause.sentence: cause for cause in run.causes if cause.explains} for run in runs]
    for sentence in dict.fromkeys(sentence for causes in found for sentence in causes):
        yield sentence, tuple(causes.get(sentence) for causes in found)


# ---- as a document -------------------------------------------------------------------------------


def document_of(comparison: RunComparison) -> Iterator[Block]:
    """A table with numbered columns, and the legend below it."""
    yield Heading(1, say("Rule by implementation"))
    numbers = [f"({at})" for at in range(1, len(comparison.titles) + 1)]
    if comparison.causes:
        yield Heading(2, say("Causes"))
        yield Paragraph(say("What would make answers right, and how many failed cases it explains of each."))
        sentences = ((_sentence(sentence, found), found) for sentence, found in comparison.causes)
        yield items(*((Code(sentence), _explained(numbers, found)) for sentence, found in sentences))
        yield Heading(2, say("Rules"))
    form = "Cases passed of those on which it could be judged; {sign} where one failed, – for none."
    yield Paragraph(say(form, sign=FAILED.strip()))
    rows: list[tuple[Text, tuple[ReportCell, ...]]] = [
        (Code(row.name, say("a decision of the spec") if row.is_decision else clause_told(row.name)), row.cells)
        for row in comparison.rows
    ]
    told = [(name, tuple(map(_judged, cells))) for name, cells in [*rows, (say("all cases"), comparison.sums)]]
    told += [(Code(name), tuple(Cell(cell.text) for cell in cells)) for name, cells in comparison.beside]
    yield Grid((say("rule"), *numbers), tuple(told), numbers=True)
    who = ((f"{number} ", Code(title)) for number, title in zip(numbers, comparison.titles, strict=True))
    yield items(*who, *map(Code, comparison.notes))


def _sentence(sentence: str, found: Sequence[CauseReport | None]) -> str:
    return cause_sentence(sentence, next(cause.variant for cause in found if cause))


def _explained(numbers: Sequence[str], found: Sequence[CauseReport | None]) -> str:
    counts = (f"{number} {len(cause.cases)}" for number, cause in zip(numbers, found, strict=True) if cause)
    return f": {', '.join(counts)}"


def _judged(cell: ReportCell) -> Cell:
    return Cell(Strong(cell.text), FAILED) if cell.verdict == "fail" else Cell(cell.text)
