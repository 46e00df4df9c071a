"""A run on a terminal: progress, a block for every fault, the sums. Text from outside is shown without its controls."""

from __future__ import annotations

import shlex
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from truco_spec.conformance.clauses import text_of
from truco_spec.conformance.picture import picture
from truco_spec.conformance.protocol import Introduction
from truco_spec.conformance.reports.texts import visible as clean
from truco_spec.conformance.runner import Result
from truco_spec.conformance.sums import faults_by_clause, not_playable, other_readings, totals
from truco_spec.conformance.verdicts import NEGATIVE, VERDICTS, Verdict

IN_PROCESS = ("--python",)
"""How the command of an implementation begins that ran in this process; the class comes behind it."""

_WIDTH = 110
_WAIT = 1.0
_BAR = 30
_RED, _GREEN, _YELLOW, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"


class Progress:
    """A bar and a counter that overwrite themselves, on terminals and only after a second."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total, self.done, self.wrong = total, 0, 0
        self.stream = stream or sys.stderr
        self.next = time.monotonic() + _WAIT
        self.shown = False

    def result(self, result: Result) -> None:
        """One more case is done."""
        self.done += 1
        self.wrong += result.verdict in NEGATIVE
        now = time.monotonic()
        if self.stream.isatty() and now >= self.next:
            self.next, self.shown = now + 0.1, True
            bar = "█" * (_BAR * self.done // max(self.total, 1))
            self.stream.write(f"\r{bar:·<{_BAR}} {self.done} of {self.total} cases, {self.wrong} wrong")
            self.stream.flush()

    def end(self) -> None:
        """Take the counter away."""
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def show(
    results: Sequence[Result],
    introduction: Introduction | None,
    command: Sequence[str],
    say: Callable[[str], None],
    *,
    verbose: bool = False,
    colour: bool = False,
) -> None:
    """The whole story of a run, block by block, through ``say``; with ``colour`` its verdicts stand out."""
    paint = _painted if colour else _unpainted
    if introduction is not None:
        say(clean(f"{introduction.name} {introduction.version}".strip()))
    for result in results:
        if result.verdict in NEGATIVE:
            head, _, rest = block(result, command).partition("\n")
            say(f"\n{paint(head, result.verdict)}\n{rest}")
        elif verbose:
            reason = f": {result.reason}" if result.reason else ""
            told = clean(f"{result.instance.name}  {result.instance.case.entry.title}{reason}")
            say(f"{paint(f'{result.verdict:>11}', result.verdict)}  {told}")
    if clauses := faults_by_clause(results):
        say("\nFaults by clause")
        for clause, names in clauses.items():
            say(clean(f"  {clause}  ({len(names)}): {', '.join(names)}"))
    if decisions := other_readings(results):
        say("\nReadings that differ, by decision")
        for decision, names in decisions.items():
            say(clean(f"  {decision}  ({len(names)}): {', '.join(names)}"))
    if names := not_playable(results):
        say(f"\nFailed on the way, before what they ask: {', '.join(names)}")
    reasons = Counter(result.reason for result in results if result.reason)
    for reason, count in reasons.most_common():
        say(clean(f"\nUnsupported ({count}): it {reason}."))
    say("\n" + table(results))


def _painted(text: str, verdict: Verdict) -> str:
    """The same in red, green or yellow."""
    return f"{_RED if verdict in NEGATIVE else _GREEN if verdict == 'pass' else _YELLOW}{text}{_PLAIN}"


def _unpainted(text: str, verdict: Verdict) -> str:
    return text


def block(result: Result, command: Sequence[str]) -> str:
    """One fault: the case, what it rests on, the script, the table, expected and got, and how to repeat it."""
    instance, entry = result.instance, result.instance.case.entry
    lines = [f"{result.verdict.upper()}  {instance.name} ({entry.level})", f"  {entry.title}"]
    for clause in instance.case.clauses:
        lines += _wrapped(f"clause    {clause}: ", text_of(clause) or "")
    for fault in result.faults:
        lines += _wrapped("expected  ", fault.expected)
        lines += _wrapped("got       ", fault.got)
        if fault.advice:
            lines += _wrapped("advice    ", fault.advice)
        if fault.log:
            lines += [f"    | {line}" for line in fault.log.splitlines()[-5:]]
    lines += _wrapped("script    ", result.faults[0].script)
    if result.shown is not None:
        lines += ["    " + line for line in picture(result.shown)]
    lines.append(f"  repeat    {repeat(result, command)}")
    return "\n".join(map(clean, lines))


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=f"  {label}", subsequent_indent=" " * 12, break_on_hyphens=False
    ) or [f"  {label.rstrip(': ')}"]


def repeat(result: Result, command: Sequence[str]) -> str:
    """The command that plays this one case again."""
    case = result.instance.case
    words = command if tuple(command[:1]) == IN_PROCESS else ("--", *command)
    after = f" {shlex.join(words)}" if command else ""
    return f"truco-spec test --case {shlex.quote(result.instance.name)}{_where(case.path)}{after}"


def _where(path: str) -> str:
    from truco_spec.conformance.corpus import corpus_folder

    return "" if path.startswith(str(corpus_folder())) else f" --cases {shlex.quote(path)}"


def table(results: Iterable[Result]) -> str:
    """The totals per level, without columns that are empty."""
    rows = totals(results)
    shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
    lines = [f"{'':9}" + "".join(f"{verdict:>13}" for verdict in shown)]
    lines += [f"{level:9}" + "".join(f"{row[verdict]:>13}" for verdict in shown) for level, row in rows.items()]
    return "\n".join(lines)
