"""The possible results of a case and their data, shared by the runner and all reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from truco_spec.conformance.corpus.cases import Level
from truco_spec.conformance.corpus.protocol import Introduction

Failure = Literal["fail", "error", "timeout", "crash", "protocol", "unsteady"]
Verdict = Literal[
    "pass",
    "fail",
    "xfail",
    "xpass",
    "unsupported",
    "unobserved",
    "error",
    "timeout",
    "crash",
    "protocol",
    "unsteady",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
FAILURES: tuple[Failure, ...] = get_args(Failure)
"""The verdicts that an expected failure can have."""
NEGATIVE: frozenset[Verdict] = frozenset({*FAILURES, "xpass"})
"""Unexpected verdicts: the run fails."""
PASSED: frozenset[Verdict] = frozenset({"pass", "xpass"})
RULED: frozenset[Verdict] = frozenset({"fail", "xfail", "xpass"})
"""Failures about a rule of the game, rather than a missing or unstable answer."""
JUDGED: frozenset[Verdict] = PASSED | NEGATIVE | {"xfail"}
"""The implementation played the case and reported enough observations."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong in one case: where a check failed, or why there was no answer."""

    expected: str
    got: str
    script: Annotated[str, "The shortest script that shows it, as notation."] = ""
    advice: str = ""
    log: Annotated[str, "The end of what the implementation wrote to standard error."] = ""
    case: Annotated[str, "The script as a file of one case (YAML), where failures were cut down."] = ""
    changed: Annotated[bool, "An action that was refused changed the game all the same."] = False


@dataclass(frozen=True, slots=True)
class CauseReport:
    """What explains failures: with it assumed, and the causes before it, these cases agree with the rules, to the end
    or further than before. Without ``claim``, ``option`` and ``change`` nothing explains them: they only differ alike.
    """

    sentence: Annotated[str, "In words: how it plays."]
    variant: Annotated[str, "The game in which it was found first, and most explains."]
    players: int
    cases: Annotated[tuple[str, ...], "The names of the failed cases that it explains."]
    agreeing: Annotated[int, "How many of them agree to the end."]
    clauses: tuple[str, ...]
    case: Annotated[str, "The case that shows it in the fewest actions."]
    script: Annotated[str, "That case as notation, up to the difference."]
    expected: str
    got: str
    option: Annotated[str, "NAME=VALUE, where it plays another option."] = ""
    rule: Annotated[str, "The statement that it plays otherwise, by name; if they differ alike, what decided that."] = (
        ""
    )
    change: Annotated[str, "What that statement would have to read like."] = ""
    claim: Annotated[str, "What its hello should say: `late` or `itself`, and which observations or words."] = ""
    same: Annotated[tuple[str, ...], "Other sentences that explain just the same."] = ()
    faults: Annotated[
        tuple[Fault, ...], "If they differ alike: in each case, what differs beyond what is assumed."
    ] = ()

    @property
    def settles(self) -> bool:
        """Whether nothing else is wrong in the cases; else each is reported as a failure, too."""
        return bool(self.agreeing) or not self.explains

    @property
    def explains(self) -> bool:
        """Whether a way of its own, another value of an option, or a change of a rule explains the cases."""
        return bool(self.claim or self.option or self.change)


@dataclass(frozen=True, slots=True)
class Checks:
    """The number of checks of a case by result."""

    passed: int = 0
    failed: int = 0
    unobserved: int = 0
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """The entry of a case in the implementer's file of expected failures."""

    id: Annotated[str, "The case, or one instance of it."]
    reason: str
    link: str = ""
    expires: Annotated[str, "The last day on which the failure is expected, YYYY-MM-DD; empty: it does not end."] = ""
    verdict: Annotated[Failure | None, "The one kind of failure that is expected; null: any."] = None
    expired: Annotated[bool, "Its last day is past: the case is judged as if it were not expected."] = False

    @property
    def because(self) -> str:
        """The reason, with its link."""
        return f"{self.reason} ({self.link})" if self.link else self.reason


def under(came_to: Verdict, known: Known | None) -> Verdict:
    """The verdict, given this entry."""
    if known is None or known.expired:
        return came_to
    if came_to == "pass":
        return "xpass"
    expected = came_to in FAILURES and known.verdict in (None, came_to)
    return "xfail" if expected else came_to


# ---- The report of a run as data: the content of a JSON report -----------------------------------

REPORT_VERSION = 2
"""Version 1 had no expected failures, no baselines and no version of the corpus; it can still be read."""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case as it was played."""

    name: Annotated[str, "The id of the case, and in brackets what distinguishes this instance of it."]
    id: str
    title: str
    level: Level
    variant: str
    options: Mapping[str, str]
    players: Annotated[tuple[str, ...], "Empty where the variant says who plays."]
    clauses: tuple[str, ...]
    decisions: tuple[str, ...]
    verdict: Verdict
    checks: Checks
    reason: Annotated[str, "Why it is unsupported."] = ""
    faults: tuple[Fault, ...] = ()
    known: Annotated[Known | None, "What the file of expected failures says of it."] = None
    came_to: Annotated[Verdict | None, "Under xfail and xpass: the verdict if nothing had been expected."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole run. It has no timings: the same answers give the same report."""

    report: Annotated[int, "The version of this format."]
    corpus: Annotated[int, "The version of the format of cases."]
    command: Annotated[
        tuple[str, ...], "The adapter's command, or --python and a class; empty for the reference engine."
    ]
    implementation: Annotated[Introduction | None, "Null when the run was stopped before it got started."]
    causes: Annotated[tuple[CauseReport, ...], "What explains failures, looked for where there are any."] = ()
    totals: Annotated[Mapping[Level, Mapping[Verdict, int]], "Level: verdict: number of cases."]
    faults: Annotated[
        Mapping[str, tuple[str, ...]],
        "Clause: names of the failed cases, but for those in readings. First the clause of whose cases most failed.",
    ]
    readings: Annotated[Mapping[str, tuple[str, ...]], "Decision: names of the failed cases that rest on it."]
    cases: tuple[CaseReport, ...]
    departures: Annotated[
        Mapping[str, tuple[str, ...]],
        "Option that is always played and that no source offers, NAME=VALUE: the clauses from which it departs.",
    ] = field(default_factory=dict)
    planned: Annotated[int, "How many cases there were to play: more than in cases where the run was broken off."] = 0
    edition: Annotated[str, "The version of the corpus, X.Y.Z; empty where other cases were played."] = ""
    beside: Annotated[
        Mapping[Level, Mapping[str, int]],
        "Level: player who knows nothing of the game: how many of the judged cases he passes.",
    ] = field(default_factory=dict)
