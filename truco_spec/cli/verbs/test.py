"""``truco-spec test``: the conformance corpus against an implementation; ``report``, ``compare``: what runs came to.

Reports are checked before a run begins, and moved into place when it ends or is stopped. Event lines are written as
they happen; every other report is written atomically.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from click.core import ParameterSource

from truco_spec.base.errors import located
from truco_spec.base.harmless import behind
from truco_spec.base.paths import led_to, to_a_reader
from truco_spec.base.project import nothing_in, own_projects
from truco_spec.base.words import Sentence, Spoken, speaking
from truco_spec.cli.arguments import SECONDS, complete_variants, form_option, implementation_of, known_name
from truco_spec.cli.commands import NEGATIVE, Stopped, stoppable
from truco_spec.cli.file_access import (
    STREAM,
    FileError,
    cannot_write,
    must_be_writable,
    put,
    read_text,
    shown,
    written,
)
from truco_spec.cli.messages import Progress, counted, language_option, spoken_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from truco_spec.conformance.adapters.pipe import Implementation
    from truco_spec.conformance.corpus.cases import Level
    from truco_spec.conformance.corpus.protocol import Introduction
    from truco_spec.conformance.reports.events import Event, Run
    from truco_spec.conformance.reports.formats import Target
    from truco_spec.conformance.runner.runner import Result
    from truco_spec.conformance.runner.verdicts import CaseReport, CauseReport, Expectations, Known


LARGEST_REPORT = 100_000_000
"""The largest report that is read, in bytes."""


class Reports:
    """Collects the events of one run and writes reports, those for people in a ``language``. Raises
    :class:`FileError` for targets that cannot be written, as far as possible before anything is played.
    """

    def __init__(self, targets: Sequence[Target], limits: Sequence[str], language: Spoken) -> None:
        self.targets, self.limits, self.language = targets, limits, language
        self.to_stdout = any(target.path == STREAM for target in targets)
        for target in targets:
            must_be_writable(target.path)
        self._events: list[Event] = []
        self._command: Sequence[str] = ()
        self._streams: list[tuple[str, TextIO]] = []
        self._began = datetime.now(UTC)
        self._clock = time.monotonic()

    @property
    def begun(self) -> bool:
        return bool(self._events)

    def begin(self, command: Sequence[str], cases: int, introduction: Introduction | None, edition: str) -> None:
        """Begin the run, and the files of event lines."""
        from truco_spec.conformance.reports import events

        self._command = command
        self._streams = [(target.path, _opened(target.path)) for target in self.targets if target.format == "jsonl"]
        self._tell(events.begun(command, cases, edition))
        self._tell(events.introduced(introduction))

    def result(self, result: Result, known: Known | None = None) -> CaseReport:
        """Add a judged case; ``known`` is its expected failure, if any."""
        from truco_spec.conformance.reports import events

        played = events.played(result, self._command, known, brief=not self.targets, limits=self.limits)
        self._tell(played)
        return played.case

    def end(
        self,
        *,
        interrupted: bool,
        beside: Mapping[Level, Mapping[str, int]] | None = None,
        causes: Sequence[CauseReport] = (),
    ) -> Run | None:
        """End the run and write everything. None for a run that has not begun, which leaves no files."""
        if not self._events:
            return None
        from truco_spec.conformance.reports import events

        seconds = time.monotonic() - self._clock
        told = events.ended(self._events, self._began, seconds, interrupted=interrupted, beside=beside, causes=causes)
        self._tell(told)
        for _path, stream in self._streams:
            if stream is not sys.stdout:
                stream.close()
        run = events.gathered(self._events)
        with speaking(self.language):
            write(run, [target for target in self.targets if target.format != "jsonl"])
        return run

    def _tell(self, event: Event) -> None:
        self._events.append(event)
        if not self._streams:
            return
        from truco_spec.conformance.reports.events import line_of

        for path, stream in self._streams:
            try:
                stream.write(line_of(event))
                stream.flush()
            except BrokenPipeError:
                raise
            except OSError as error:
                raise cannot_write(path, error) from None


def write(run: Run, targets: Sequence[Target]) -> None:
    """Write the reports of a run, each moved into place when complete. Raises :class:`FileError`."""
    for target in targets:
        put(target.text_of(run), target.path)


def _opened(path: str) -> TextIO:
    if path == STREAM:
        return sys.stdout
    try:
        return open(path, "w", encoding="utf-8", newline="", opener=to_a_reader)
    except OSError as error:
        raise cannot_write(path, error) from None


def targets(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[Target, ...]:
    """Parse targets ``FORMAT:FILE``; a click callback."""
    if not given:
        return ()
    from truco_spec.conformance.reports.formats import targets_of

    return targets_of(given)


def with_json(given: tuple[Target, ...], path: str | None) -> tuple[Target, ...]:
    """The targets with that of ``--json``."""
    if path is None:
        return given
    from truco_spec.conformance.reports.formats import Target, apart

    return apart((*given, Target("json", path)))


report_option = click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="[FORMAT:]FILE",
    callback=targets,
    help="Write a report (repeatable): jsonl, json, junit, tap, md, badge or html; the ending of FILE tells "
    "which, too. FORMAT:- prints it instead of the story.",
)


# ---- A run on the terminal: in colours if it shows them, and NO_COLOR is unset (no-color.org) -----


def show_run(run: Run, *, verbose: bool, quiet: bool) -> None:
    """Print the story of a run, or only its summary."""
    from truco_spec.conformance.reports.run_document import story_of, summary

    if quiet:
        click.echo(summary(run))
        return
    colour = coloured()
    click.echo(story_of(run, verbose=verbose, colour=colour), file=behind(sys.stdout) if colour else None, nl=False)


def coloured() -> bool:
    """Whether the standard output is a terminal that shows colours, and NO_COLOR is unset."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


# ---- the verbs -----------------------------------------------------------------------------------


@click.command(
    name="report",
    help="""Render a run again: as its story, or as any other report.

RUN is what truco-spec test has written with --report, in JSON lines (jsonl) or as JSON; - reads the standard input.
Nothing is played. A run that was broken off tells what was done.

\b
Examples:
  truco-spec report run.jsonl
  truco-spec report --report html:run.html --report junit:run.xml run.jsonl
  truco-spec report --report md:- run.jsonl

Exit status: 0 the run could be read, whatever it came to; 2 it could not.""",
)
@click.argument("run", metavar="RUN")
@report_option
@click.option("-v", "--verbose", is_flag=True, help="Name every case, not only those that went wrong.")
@click.option("-q", "--quiet", is_flag=True, help="One line only: the totals of the run.")
@language_option
def report_command(run: str, reports: tuple[Target, ...], verbose: bool, quiet: bool) -> int:
    from truco_spec.conformance.reports.events import run_in

    if quiet and verbose:
        raise click.UsageError(_("Give either --quiet or --verbose, not both."))
    for target in reports:
        must_be_writable(target.path)
    found = run_in(read_text(run, LARGEST_REPORT), shown(run))
    write(found, reports)
    if quiet or not reports:
        show_run(found, verbose=verbose, quiet=quiet)
    return 0


@click.command(
    name="compare",
    help="""Set reports side by side: which rules does which implementation play as the sources say?

A REPORT is what truco-spec test has written with --report, in JSON lines (jsonl) or as JSON; that of an interrupted
run can be read too. A cell tells how many cases of a rule were passed, of those on which the implementation could be
judged; “!” marks a rule that it plays otherwise. Cases that rest on a decision of the spec stand under that decision.

\b
Examples:
  truco-spec compare mine.jsonl reference.jsonl
  truco-spec compare --differing --format html -o matrix.html old.json new.json

Exit status: 0 the reports could be read, 2 they could not.""",
)
@click.argument("reports", metavar="REPORT…", nargs=-1, required=True)
@form_option("text", "md", "html")
@click.option("--differing", is_flag=True, help="Only rules on which they differ.")
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output.")
@language_option
def compare_command(reports: tuple[str, ...], form: str, differing: bool, output: str | None) -> int:
    from truco_spec.conformance.reports import run_document
    from truco_spec.conformance.reports.events import run_in

    must_be_writable(output)
    runs = [run_in(read_text(path, LARGEST_REPORT), path) for path in reports]
    found = run_document.compared(runs, differing=differing)
    put(written(run_document.comparison_document(found), form, 200), output)
    return 0


# ---- test -------------------------------------------------------------------------------------------

_UNITS = {"": 1, "M": 1024**2, "G": 1024**3}
_SIZE = re.compile(r"([0-9]{1,12})([MG]?)(?:i?B)?", re.IGNORECASE)


def _size(ctx: click.Context, parameter: click.Parameter, given: str) -> int:
    """Parse a number of bytes: ``2G``, ``512M`` or a plain number; a click callback."""
    found = _SIZE.fullmatch(given.strip())
    if found is None:
        told = _("“{given}” is no amount of memory. Write it as 2G or 512M; 0 is no limit.")
        raise click.BadParameter(told.format(given=given))
    return int(found[1]) * _UNITS[found[2].upper()]


@click.command(
    name="test",
    help="""Play the conformance corpus against an implementation and judge it.

COMMAND is an adapter: a program that answers in lines of JSON (docs/protocol.md). With --python it is a class of
Python instead, asked in this process. Without either the reference engine is judged. docs/implementers.md tells how to
write one.

\b
Examples:
  truco-spec test -- ./my-adapter
  truco-spec test -j 2 --timeout 2 --memory 512M -- ./my-adapter
  truco-spec test --variant paulista --report report.html -- node adapter.js
  truco-spec test --report junit:report.xml --report report.jsonl -- ./my-adapter
  truco-spec test --case pagat-tie-01 -- ./my-adapter
  truco-spec test --variant house.truco --cases house.yaml -- ./my-adapter
  truco-spec test --python my_adapter:Adapter
  truco-spec test --expected known.yaml -- ./my-adapter
  truco-spec test --shrink -- ./my-adapter

Exit status: 0 nothing failed that was not expected, and nothing passed that was expected to fail; 1 something did, or
gave no answer; 2 the input cannot be used.""",
)
@click.argument("adapter", metavar="[-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--python", "python", metavar="MODULE:CLASS",
    help="Instead of a command: a class, also as FILE.py:CLASS. Without time limit.",
)  # fmt: skip
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME", shell_complete=complete_variants,
    help="Only cases of this variant, also of one's own as FILE.truco, with --cases (repeatable).",
)  # fmt: skip
@click.option("--case", "names", multiple=True, metavar="ID", help="Only this case (repeatable).")
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(["must", "decided", "option"]),
    help="Only cases of these levels.",
)
@click.option("--players", type=click.IntRange(1), metavar="N", help="Only cases for this number of players.")
@click.option(
    "--cases", "paths", multiple=True, metavar="PATH", type=click.Path(path_type=Path),
    help="Files or folders of cases, instead of the corpus (repeatable).",
)  # fmt: skip
@click.option(
    "-j", "jobs", type=click.IntRange(1, 512), default=1, show_default=True, metavar="N",
    help="Number of processes of the adapter that play at the same time. The report is the same.",
)  # fmt: skip
@click.option(
    "--timeout", type=SECONDS, default=5.0, show_default=True, metavar="S",
    help="Seconds for the answers to one case.",
)  # fmt: skip
@click.option(
    "--memory", callback=_size, default="2G", show_default=True, metavar="SIZE",
    help="Memory that an adapter and all that it starts may hold together (2G, 512M; 0: no limit).",
)  # fmt: skip
@report_option
@click.option("--json", "as_json", metavar="FILE", help="The same as --report json:FILE.")
@click.option("--expected", metavar="FILE", help="Failures that are known and expected, with their reasons (YAML).")
@click.option(
    "--write-expected", "to_write", metavar="FILE",
    help="Write such a file of what failed; the reasons are left to you. With --expected its entries are kept.",
)  # fmt: skip
@click.option(
    "--null/--no-null", "null", default=True,
    help="Report (or not) the scores of baseline players, who know nothing of the game, on the same cases.",
)  # fmt: skip
@click.option(
    "--causes/--no-causes", "causes", default=True,
    help="Search (or not) for causes of failures: options, and single changes of rules. Not with --shrink.",
)  # fmt: skip
@click.option(
    "--shrink", is_flag=True,
    help="Cut each failure down to the shortest script that shows it, and tell it as a case. Asks it more often.",
)  # fmt: skip
@click.option("-v", "--verbose", is_flag=True, help="Name every case, not only those that went wrong.")
@click.option("-q", "--quiet", is_flag=True, help="One line only: the totals of the run.")
@spoken_option
def command(
    adapter: tuple[str, ...],
    python: str | None,
    variants: tuple[str, ...],
    names: tuple[str, ...],
    levels: tuple[str, ...],
    players: int | None,
    paths: tuple[Path, ...],
    jobs: int,
    timeout: float,
    memory: int,
    reports: tuple[Target, ...],
    as_json: str | None,
    expected: str | None,
    to_write: str | None,
    null: bool,
    causes: bool,
    shrink: bool,
    verbose: bool,
    quiet: bool,
    language: Spoken,
) -> int:
    """Choose the cases, run them, print the results."""
    if python is not None and adapter:
        raise click.UsageError(_("Give either --python or a command, not both."))
    if quiet and verbose:
        raise click.UsageError(_("Give either --quiet or --verbose, not both."))
    wanted = Reports(with_json(reports, as_json), _limits_given(), language)
    if to_write is not None:
        _must_be_free(to_write, expected)
    _tell_what_is_not_looked_at(adapter)
    open_one = partial(implementation_of, adapter, python, timeout, memory)
    implementation = open_one(jobs)
    click.get_current_context().call_on_close(implementation.close)

    with stoppable():
        try:
            from truco_spec.conformance.adapters.pipe import Pipe, greeted

            if isinstance(implementation, Pipe):
                implementation.start()  # it gets ready while the cases are read
            from truco_spec.conformance.corpus import corpus, edition
            from truco_spec.conformance.corpus.corpus import chosen
            from truco_spec.conformance.reports.events import IN_PROCESS
            from truco_spec.conformance.runner import runner, verdicts

            variants = tuple(known_name(word) for word in variants)
            alone = own_projects() and not (adapter or python or variants or names or paths)
            called = (*IN_PROCESS, python) if python is not None else adapter
            every = corpus.load(paths) if paths else corpus.read_own() if alone else None
            if alone and not every:
                raise nothing_in("cases", Sentence("There is no case here yet; write one: docs/federation.md."))
            cases = chosen(every, variants=variants, names=names, levels=levels, players=players)
            own = cases if paths else corpus.own_among(cases)
            corpus_edition = "" if len(own) == len(cases) else edition()
            if own:  # the shipped ones are valid
                from truco_spec.conformance.corpus.filling import must_be_valid

                must_be_valid(own)
        except (KeyboardInterrupt, Stopped):
            wanted.begin(adapter, 0, None, "")
            wanted.end(interrupted=True)
            click.echo(_("Stopped before any case was judged."), err=True)
            raise
    known = verdicts.expected_in(expected, every or ())
    results: list[Result] = []
    wrong = 0

    uncut: deque[Result] = deque()  # shrinking now could delay another case's answer past its timeout

    def tell(result: Result) -> None:
        nonlocal wrong
        results.append(result)
        wrong += wanted.result(result, known.of(result.instance)).verdict in verdicts.NEGATIVE
        progress.at(len(results), _("{wrong} wrong").format(wrong=counted(wrong)))

    judged = uncut.append if shrink else tell

    stopped: BaseException | None = None
    with stoppable(), Progress(_("cases"), len(cases), quiet=quiet) as progress:
        try:
            introduction = greeted(implementation)
            if called:
                from truco_spec.conformance.corpus.vocabulary import must_be_sound

                must_be_sound(introduction)
            wanted.begin(called, len(cases), introduction, corpus_edition)
            if jobs > 1 and not adapter:
                from truco_spec.conformance.runner.runner import run_in_workers

                run_in_workers(cases, open_one, jobs, judged)
            else:
                runner.run(cases, implementation, judged)
            while uncut:
                result = uncut[0]
                negative = verdicts.under(result.verdict, known.of(result.instance)) in verdicts.NEGATIVE
                shown = _cut(result, open_one) if negative else result
                uncut.popleft()
                tell(shown)
        except BaseException as end:
            if not wanted.begun and isinstance(end, Exception):
                raise
            stopped = end  # whatever the cause, the reports are written first
            while uncut:
                tell(uncut.popleft())
        finally:
            implementation.close()
    if not wanted.begun:
        wanted.begin(called, len(cases), None, corpus_edition)
    beside = _beside(results) if null and stopped is None else {}
    explained: tuple[CauseReport, ...] = ()
    told = not shrink and (wanted.targets or not quiet)
    if causes and told and stopped is None and wrong:
        with stoppable():
            try:
                explained = _causes(results, introduction, open_one)
            except (KeyboardInterrupt, Stopped) as end:
                stopped = end
    run = wanted.end(interrupted=stopped is not None, beside=beside, causes=explained)
    if run is not None and run.played and not wanted.to_stdout:
        with speaking(language):
            show_run(run, verbose=verbose, quiet=quiet)
    if stopped is not None:
        if not results:
            click.echo(_("Stopped before any case was judged."), err=True)
        raise stopped
    if run is not None and to_write is not None:
        _write_expected(to_write, run, known)
    return NEGATIVE if run is not None and any(case.verdict in verdicts.NEGATIVE for case in run.cases) else 0


def _cut(result: Result, open_one: Callable[[], Implementation]) -> Result:
    from truco_spec.conformance.fuzz.shrink import cut_down

    return cut_down(result, open_one)


def _beside(results: Sequence[Result]) -> Mapping[Level, Mapping[str, int]]:
    from truco_spec.conformance.adapters.baselines import passed
    from truco_spec.conformance.runner.verdicts import JUDGED

    return passed(result.instance for result in results if result.verdict in JUDGED)


def _causes(
    results: Sequence[Result], introduction: Introduction, open_one: Callable[[], Implementation]
) -> tuple[CauseReport, ...]:
    from truco_spec.conformance.fit.evidence import steady
    from truco_spec.conformance.fit.fit_report import causes_of

    gc.freeze()  # what is loaded lives until exit; a collection would visit all of it
    implementation = open_one()
    try:
        with Progress(_("causes"), 0) as progress:
            return causes_of(results, introduction, progress.within, partial(steady, implementation))
    finally:
        implementation.close()


# ---- The limits of an adapter ----------------------------------------------------------------------


def _limits_given() -> tuple[str, ...]:
    """The limits given explicitly on the command line, as arguments."""
    ctx = click.get_current_context()
    given = [name for name in ("timeout", "memory") if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    return tuple(word for name in given for word in (f"--{name}", f"{ctx.params[name]:.12g}"))


def _tell_what_is_not_looked_at(adapter: tuple[str, ...]) -> None:
    """Warn on the error stream if a memory limit was given that cannot be enforced."""
    given = click.get_current_context().get_parameter_source("memory") is ParameterSource.COMMANDLINE
    if not given:
        return
    from truco_spec.conformance.adapters.process import readable

    if not adapter:
        click.echo(_("--memory is ignored: nothing runs in a process of its own."), err=True)
    elif not readable():
        click.echo(_("--memory is ignored: this system has no /proc to measure it."), err=True)


# ---- The file of expected failures: read before a run, written after one ---------------------------


def _must_be_free(path: str, expected: str | None) -> None:
    """Check before the run that the file can be written. Written reasons are not overwritten, unless the file is the
    one that was read. Raises :class:`FileError`.
    """
    must_be_writable(path)
    if Path(path).is_file() and (expected is None or led_to(path) != led_to(expected)):
        form = "This file is there already. Give --expected {path} too, and it is kept; or write to another file."
        raise FileError(located(path, Sentence(form, path=path)))


def _write_expected(path: str, run: Run, expectations: Expectations) -> None:
    """Write the failures and the expectations still valid. Raises :class:`FileError`."""
    from truco_spec.conformance.runner.verdicts import renewed, text_of

    put(text_of(run.title, *renewed(expectations, run.cases)), path)
