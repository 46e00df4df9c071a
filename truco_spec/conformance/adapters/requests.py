"""What an implementation is asked, and how that can fail: cases on their way, and limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.shapes import ShapeError
from truco_spec.conformance.corpus.protocol import PROTOCOL, Introduction, introduction_in

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
    patience: int = 1

    @property
    def over(self) -> bool:
        """Whether it needs no further answer."""
        return self.fault is not None or len(self.answers) == len(self.requests)


# ---- What an answer says, and how an implementation introduces itself ----------------------------

T = TypeVar("T")


class TooNew(TrucoError):
    """The implementation speaks a later version of the protocol than this program."""


class Common:
    """What all processes of one implementation share: who they say they are."""

    def __init__(self) -> None:
        self.introduction: Introduction | None = None

    def introduce(self, message: dict[str, Any]) -> None:
        """The answer of one more process to hello. Raises :class:`Broken`; :class:`TooNew` for the first process."""
        try:
            introduction = read_answer(message, introduced, "")
        except TooNew:
            if self.introduction is None:
                raise
            introduction = None
        if self.introduction not in (None, introduction):
            said = "After a restart it introduced itself differently."
            raise Broken("protocol", said, "Answer hello always the same.")
        self.introduction = introduction


def read_answer(message: dict[str, Any], reader: Callable[[dict[str, Any]], T], log: str) -> T:
    """What ``reader`` makes of an answer. Raises :class:`Broken` with the log."""
    if "error" in message:
        raise Broken("error", f"It reports: {str(message['error'])[:500]}", "See its log.", log)
    try:
        return reader(message)
    except ShapeError as error:
        raise Broken("protocol", f"A wrong answer: {error}", "See docs/protocol.md.", log) from error


def introduced(message: dict[str, Any]) -> Introduction:
    """The answer to hello. Raises ShapeError; :class:`TooNew` where no other answer would help."""
    spoken, newest = message.get("protocol"), PROTOCOL[1]
    if isinstance(spoken, int) and spoken > newest:
        raise TooNew(f"The adapter speaks protocol {spoken}; this truco-spec speaks {newest}. Use a newer truco-spec.")
    return introduction_in(message)
