"""Runs that reports are made of: one that is always the same, and the same with texts that nobody should believe."""

from __future__ import annotations

from dataclasses import replace

from truco_spec.base.harmless import bounded
from truco_spec.conformance.corpus.cases import Level
from truco_spec.conformance.corpus.protocol import HandScript, Introduction, Plays, Script, ScriptAction
from truco_spec.conformance.reports.events import Begun, Ended, Event, Introduced, Played, Run, Timing, gathered
from truco_spec.conformance.reports.totals import totals
from truco_spec.conformance.runner.verdicts import (
    FAILURES,
    REPORT_VERSION,
    VERDICTS,
    CaseReport,
    CauseReport,
    Checks,
    Fault,
    Known,
    Verdict,
)

HOSTILE = (
    "</pre></title><script>alert(1)</script><img src=x onerror=alert(2)> \"quoted\" 'single' & &lt; ]]> <!-- "
    "# SKIP \\# TODO | cell | `one` ```three``` [link](javascript:alert(3)) ![i](http://evil.example/i) @everyone "
    "{{ 7 * 7 }} {% raw %} \x00\x07\x1b[31m\u202e\u2028\ufffe\ud800\n"
    "...\n---\nnot ok 9 - forged\nBail out! forged\n# forged heading\n</testcase></testsuites>\n```\n"
    "<details open ontoggle=alert(4)>\\"
)
HARMLESS = "a plain text"
REASON, LINK = "known since May", "https://example.org/issues/7"
BESIDE: dict[Level, dict[str, int]] = {
    "must": {"yes-man": 1, "no-man": 0, "random": 2},
    "decided": {"yes-man": 0, "no-man": 0, "random": 0},
}

SCRIPT = Script(
    variant="paulista",
    options={},
    players=("P0", "P1"),
    teams=(("P0",), ("P1",)),
    dealer="P0",
    score={},
    mode="strict",
    hands=(
        HandScript(
            {"P1": ("3C", "2C", "7S"), "P0": ("3H", "2H", "7H"), "vira": ("5H",)},
            (
                ScriptAction("P1", "P1 3C", play="3C"),
                ScriptAction("P0", "P0 (2H)", cover="2H"),
                ScriptAction("P1", "P1 word", say="word"),
            ),
        ),
    ),
)


TOLD = tuple(verdict for verdict in VERDICTS if verdict != "unsteady")
"""The verdicts that the golden reports show; ``unsteady`` is shown as ``error`` is."""


def run(text: str = "stake: -1", *, interrupted: bool = False, milliseconds: int = 1234) -> Run:
    """A case of every verdict in ``TOLD``; ``text`` is all that the implementation ever says."""
    planned = len(TOLD) + (1 if interrupted else 0)
    begun = Begun(REPORT_VERSION, 1, ("./adapter", "--loud"), planned, "1.2.3")
    implementation = Introduction(
        text,
        "1.0",
        {"paulista": Plays((2,))},
        ("stake",),
        homepage="https://example.org/",
        issues="javascript:alert(9)",
    )
    played = [case(verdict, number, text) for number, verdict in enumerate(TOLD, 1)]
    timing = Timing(f"2026-11-21T14:00:{milliseconds % 60:02}Z", milliseconds)
    ended = Ended(interrupted, totals(one.case for one in played), timing, BESIDE, (cause(text),))
    events: list[Event] = [begun, Introduced(introduction(implementation)), *played, ended]
    return gathered(events)


def cause(text: str) -> CauseReport:
    """What explains the failure that was expected."""
    told = bounded(text)
    return CauseReport(
        sentence="It plays as though this were no rule: “The deal passes to the right” (pass-deal)",
        variant="paulista",
        players=2,
        cases=(f"own-xfail-{TOLD.index('xfail') + 1}",),
        agreeing=1,
        clauses=("pagat:paulista.dirty-deck",),
        case=f"own-xfail-{TOLD.index('xfail') + 1}",
        script=told,
        expected="stake: 2",
        got=told,
        rule="pass-deal",
        change="left out",
        same=(told,),
    )


def introduction(given: Introduction) -> Introduction:
    return replace(given, name=bounded(given.name), version=bounded(given.version))


def case(verdict: Verdict, number: int, text: str) -> Played:
    text = bounded(text)
    name = f"own-{verdict}-{number}"
    reason = text if text in (HARMLESS, bounded(HOSTILE)) else REASON
    faults: tuple[Fault, ...] = ()
    if verdict in FAILURES or verdict == "xfail":
        faults = (Fault("stake: 2", text, "P0 P1 | P1 3C", text, text), Fault("acting: P1", text))
    if verdict == "xpass":
        advice = f"Delete the entry {name} from the file of expected failures."
        faults = (Fault(f"a failure: {reason} ({LINK})", "it passes", advice=advice),)
    known = None
    if verdict in ("xfail", "xpass", "unobserved", "timeout"):
        expires = "2026-01-31" if verdict == "timeout" else ""
        known = Known(name, reason, LINK, expires, expired=verdict == "timeout")
    report = CaseReport(
        name=name,
        id=name,
        title=f"What comes to {verdict}",
        level="decided" if verdict == "crash" else "must",
        variant="mineiro" if verdict == "error" else "paulista",
        options={"tied-hand": "nobody"} if verdict == "fail" else {},
        players=("P0", "P1"),
        clauses=("pagat:paulista.dirty-deck",),
        decisions=("own-view",) if verdict == "crash" else (),
        verdict=verdict,
        checks=Checks(passed=1, failed=1 if verdict == "fail" else 0),
        reason=text if verdict == "unsupported" else "",
        faults=faults,
        known=known,
        came_to={"xfail": "fail", "xpass": "pass"}.get(verdict),  # type: ignore[arg-type]  # both are verdicts
    )
    script = None if verdict in ("unsupported", "timeout") else SCRIPT
    return Played(report, f"truco-spec test --case own-{verdict}-{number} -- ./adapter --loud", script)
