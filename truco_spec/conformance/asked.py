"""What an implementation is asked, and how that can fail: cases on their way, limits, inquiries after a fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

BrokenHow = Literal["error", "timeout", "crash", "protocol"]
Reader = Callable[[int, dict[str, Any]], Any]
"""What the answer to a request, by its number, holds. Raises ShapeError."""


class Broken(Exception):
    """An implementation did not answer a request as it should. ``verdict`` is that of the case; the message says what
    happened and ``advice`` what to do about it.
    """

    def __init__(self, verdict: BrokenHow, message: str, advice: str = "", log: str = "") -> None:
        super().__init__(message)
        self.verdict, self.message, self.advice, self.log = verdict, message, advice, log


DEALS_EACH = 50
"""For so many deals of its own an implementation may take as long as for a case."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: ``case`` for the answers to all requests of one case, ``start`` for a new process until it has
    introduced itself, ``strange`` for an answer still to come after a line that was none, ``bye`` to end in peace.

    ``memory``: bytes that a process and all that it started may hold together; 0 for any number.
    """

    case: float = 5.0
    start: float = 20.0
    strange: float = 1.0
    bye: float = 0.5
    memory: int = 2 * 1024**3


@dataclass(eq=False, slots=True)
class Asked:
    """A case on its way. ``requests`` are lines without their ids; when it is back, it has an answer to each, as
    ``reader`` made it, or a fault. It may take ``patience`` times as long as a case.
    """

    requests: Sequence[bytes]
    reader: Reader
    about: Any = None
    answers: list[Any] = field(default_factory=list)
    fault: Broken | None = None
    inquiry: Inquiry | None = None
    patience: int = 1

    @property
    def over(self) -> bool:
        """Whether it needs no further answer."""
        return self.fault is not None or len(self.answers) == len(self.requests)


class Inquiry:
    """Who is to blame for a fault that came while several cases were on their way? All are asked once more, one by one.

    Usually one of them breaks again, and it is that one. If all are answered now, the first pays: it was its turn. With
    no ``fault`` nobody does.
    """

    def __init__(self, cases: Sequence[Asked], fault: Broken | None) -> None:
        self.first, self.fault = cases[0], fault
        self.left = len(cases)
        self.explained = False
        for case in cases:
            case.inquiry = self
            case.answers.clear()

    def settled(self, case: Asked) -> list[Asked]:
        """The cases that can be told now that this one is back."""
        case.inquiry = None
        self.left -= 1
        self.explained = self.explained or case.fault is not None
        found = [] if case is self.first else [case]
        if not self.left:
            if not self.explained:
                self.first.fault = self.fault
            found.append(self.first)
        return found
