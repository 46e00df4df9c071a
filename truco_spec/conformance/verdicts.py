"""What a case can come to, and what is said of it: shared by the runner and by every report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

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
"""What can be expected of a case that is known to go wrong."""
NEGATIVE: frozenset[Verdict] = frozenset({*FAILURES, "xpass"})
"""Nobody expected it: the run fails."""
PASSED: frozenset[Verdict] = frozenset({"pass", "xpass"})
RULED: frozenset[Verdict] = frozenset({"fail", "xfail", "xpass"})
"""A rule of the game is at stake. Else there was no answer, or none that stays the same."""
JUDGED: frozenset[Verdict] = PASSED | NEGATIVE | {"xfail"}
"""The implementation played the case, and enough of it was seen."""


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
class Checks:
    """How many checks of a case came out how."""

    passed: int = 0
    failed: int = 0
    unobserved: int = 0
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """What the implementer's file of expected failures says of a case."""

    id: Annotated[str, "The case, or one instance of it."]
    reason: str
    link: str = ""
    expires: Annotated[str, "The last day on which the failure is expected, YYYY-MM-DD; empty: it does not end."] = ""
    verdict: Annotated[Failure | None, "The one kind of failure that is expected; null: any."] = None
    expired: Annotated[bool, "Its last day is past: the case is judged as if it were not expected."] = False

    @property
    def because(self) -> str:
        """The reason, and where it can be read about."""
        return f"{self.reason} ({self.link})" if self.link else self.reason


def under(came_to: Verdict, known: Known | None) -> Verdict:
    """The verdict where this is known of the case."""
    if known is None or known.expired:
        return came_to
    if came_to == "pass":
        return "xpass"
    expected = came_to in FAILURES and known.verdict in (None, came_to)
    return "xfail" if expected else came_to
