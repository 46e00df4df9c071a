"""What a case can come to, and what is said of it: shared by the runner and by every report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

Verdict = Literal["pass", "fail", "unsupported", "unobserved", "error", "timeout", "crash", "protocol"]
VERDICTS: tuple[Verdict, ...] = (
    "pass", "fail", "unsupported", "unobserved", "error", "timeout", "crash", "protocol",
)  # fmt: skip
NEGATIVE: frozenset[Verdict] = frozenset({"fail", "error", "timeout", "crash", "protocol"})


@dataclass(frozen=True, slots=True)
class Fault:
    """What went wrong in one case: where a check failed, or why there was no answer."""

    expected: str
    got: str
    script: Annotated[str, "The shortest script that shows it, as notation."] = ""
    advice: str = ""
    log: Annotated[str, "The end of what the implementation wrote to standard error."] = ""


@dataclass(frozen=True, slots=True)
class Checks:
    """How many checks of a case came out how."""

    passed: int = 0
    failed: int = 0
    unobserved: int = 0
    unreached: int = 0
