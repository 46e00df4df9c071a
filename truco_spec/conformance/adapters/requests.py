"""Requests to an implementation, their limits and failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from truco_spec.base.shapes import ShapeError
from truco_spec.conformance.corpus.protocol import PROTOCOL, HelloError, Introduction, introduction_in

BrokenHow = Literal["error", "timeout", "crash", "protocol"]
Reader = Callable[[int, dict[str, Any]], Any]
"""Parses the content of the answer to a request, by its number. Raises ShapeError."""


class Broken(Exception):
    """An implementation did not answer a request correctly. ``verdict`` is the verdict of the case; the message says
    what happened and ``advice`` what to do about it.
    """

    def __init__(self, verdict: BrokenHow, message: str, advice: str = "", log: str = "") -> None:
        super().__init__(message)
        self.verdict, self.message, self.advice, self.log = verdict, message, advice, log


DEALS_EACH = 50
"""An implementation has the time of one case for this many deals of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: ``case`` for all answers of one case, ``start`` for a new process to introduce itself, ``strange`` for
    an answer after a stray line, ``bye`` to exit in peace.

    ``memory``: bytes that the process tree may hold; 0 for no limit.
    """

    case: float = 5.0
    start: float = 20.0
    strange: float = 1.0
    bye: float = 0.5
    memory: int = 2 * 1024**3


@dataclass(eq=False, slots=True)
class Asked:
    """A case in flight. ``requests`` are lines without ids; afterwards it has a parsed answer to each (by ``reader``),
    or a fault. Its timeout is ``patience`` times that of a case.
    """

    requests: Sequence[bytes]
    reader: Reader
    about: Any = None
    answers: list[Any] = field(default_factory=list)
    fault: Broken | None = None
    patience: int = 1

    @property
    def over(self) -> bool:
        """Whether no further answer is needed."""
        return self.fault is not None or len(self.answers) == len(self.requests)


# ---- Parsing answers, and the handshake ----------------------------------------------------------

T = TypeVar("T")


class TooNew(HelloError):
    """The implementation speaks a later version of the protocol than this program."""


class Common:
    """State shared by all processes of one implementation: their identity."""

    def __init__(self) -> None:
        self.introduction: Introduction | None = None

    def introduce(self, message: dict[str, Any]) -> None:
        """Handle the hello answer of another process. Raises :class:`Broken`; HelloError for the first process."""
        try:
            introduction = read_answer(message, introduced, "")
        except HelloError:
            if self.introduction is None:
                raise
            introduction = None
        if self.introduction not in (None, introduction):
            said = "After a restart it introduced itself differently."
            raise Broken("protocol", said, "Answer hello always the same.")
        self.introduction = introduction


def read_answer(message: dict[str, Any], reader: Callable[[dict[str, Any]], T], log: str) -> T:
    """Parse an answer with ``reader``. Raises :class:`Broken` with the log."""
    if "error" in message:
        raise Broken("error", f"It reports: {str(message['error'])[:500]}", "See its log.", log)
    try:
        return reader(message)
    except ShapeError as error:
        raise Broken("protocol", f"A wrong answer: {error}", "See docs/protocol.md.", log) from error


def introduced(message: dict[str, Any]) -> Introduction:
    """Parse the answer to hello. Raises ShapeError, and HelloError where no other answer would help."""
    spoken, newest = message.get("protocol"), PROTOCOL[1]
    if isinstance(spoken, int) and spoken > newest:
        raise TooNew(f"The adapter speaks protocol {spoken}; this truco-spec speaks {newest}. Use a newer truco-spec.")
    return introduction_in(message)
