"""An implementation at the other end of a pipe: asked in lines of JSON, restarted when it breaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from truco_spec.conformance.cases import CORPUS_VERSION
from truco_spec.conformance.process import Ended, Process, TooLate, TooMuch
from truco_spec.conformance.protocol import (
    PROTOCOL,
    ByeRequest,
    Deal,
    DealRequest,
    HelloRequest,
    Introduction,
    NotAMessage,
    OwnDeals,
    RunRequest,
    Script,
    Seen,
    deals_in,
    introduction_in,
    line_of,
    message_in,
    seen_in,
)
from truco_spec.conformance.shapes import ShapeError
from truco_spec.errors import TrucoError

BrokenHow = Literal["error", "timeout", "crash", "protocol"]
T = TypeVar("T")

_FAILED_STARTS = 3
_MOST_STRANGE = 100


class Broken(Exception):
    """An implementation did not answer a request as it should. ``verdict`` is that of the case; the message says what
    happened and ``advice`` what to do about it.
    """

    def __init__(self, verdict: BrokenHow, message: str, advice: str = "", log: str = "") -> None:
        super().__init__(message)
        self.verdict, self.message, self.advice, self.log = verdict, message, advice, log


class TooNew(TrucoError):
    """The implementation speaks a later version of the protocol than this program."""


class Implementation(Protocol):
    """What the runner needs: the reference engine in process, a command over a pipe, or a fake in a test.

    Each method may raise :class:`Broken`; after that the implementation must be able to answer the next request.
    """

    def hello(self) -> Introduction:
        """Who it is, what it plays and what it can tell."""

    def run(self, script: Script) -> Seen:
        """Play a script; one entry per action of each hand."""

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        """Deal by itself, ``request.times`` times."""

    def close(self) -> None:
        """Let it go; nothing of it stays behind."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: ``case`` for the answer to one request, ``start`` for a new process until it has introduced itself,
    ``strange`` for an answer still to come after a line that was none, ``bye`` to end in peace.
    """

    case: float = 5.0
    start: float = 20.0
    strange: float = 1.0
    bye: float = 0.5


class Pipe:
    """A command as an :class:`Implementation`. Use it with ``with``; leaving stops the process and its children."""

    def __init__(self, command: Sequence[str], limits: Limits | None = None) -> None:
        self.command = tuple(command)
        self.limits = limits or Limits()
        self.generation = 0
        self.strays = 0
        self._process: Process | None = None
        self._number = 0
        self._failed_starts = 0
        self._introduction: Introduction | None = None
        self._start_fault: Broken | None = None

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def hello(self) -> Introduction:
        self._running()
        assert self._introduction is not None  # _running has set it, or raised
        return self._introduction

    def run(self, script: Script) -> Seen:
        process = self._running()
        return self._ask(process, RunRequest(self._id(), script), lambda m: seen_in(m, script), self.limits.case)

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        process = self._running()
        return self._ask(process, DealRequest(self._id(), request), lambda m: deals_in(m, request), self.limits.case)

    def close(self) -> None:
        if self._process is not None:
            self._process.send(line_of(ByeRequest(self._id())))
            self._process.stop(self.limits.bye)
            self._process = None

    # ---- starting -------------------------------------------------------------------------------

    def _running(self) -> Process:
        """The process, started and introduced. Raises Broken; after three failed starts in a row at once."""
        if self._process is not None:
            return self._process
        if self._failed_starts >= _FAILED_STARTS and self._start_fault is not None:
            raise self._start_fault
        self.generation += 1
        self._number = 0
        process = self._process = Process(self.command)
        request = HelloRequest(self._id(), PROTOCOL, CORPUS_VERSION)
        try:
            introduction = self._ask(process, request, introduced, self.limits.start)
            self._check_same(introduction)
        except Broken as fault:
            self._stop()
            self._failed_starts += 1
            self._start_fault = Broken(fault.verdict, f"It never got started. {fault.message}", fault.advice, fault.log)
            raise self._start_fault from fault
        self._failed_starts = 0
        self._introduction = introduction
        return process

    def _check_same(self, introduction: Introduction) -> None:
        if self._introduction not in (None, introduction):
            raise Broken(
                "protocol", "After a restart it introduced itself differently.", "Answer hello always the same."
            )

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None

    # ---- one question, one answer ---------------------------------------------------------------

    def _id(self) -> str:
        """Process and number within it: no answer of another process, or to another request, can be taken for it."""
        self._number += 1
        return f"{self.generation}.{self._number}"

    def _ask(self, process: Process, request: Any, reader: Callable[[dict[str, Any]], T], seconds: float) -> T:
        process.send(line_of(request))
        try:
            message = self._answer(process, request.id, seconds)
        except Ended as end:
            self._stop()
            raise Broken("crash", f"It gave no answer: {end.how}.", "See its last words.", process.log) from end
        except TooLate as late:
            self._stop()
            raise Broken(
                "timeout", f"No answer within {seconds:g} s.", "Is the output flushed after each line?", process.log
            ) from late
        except TooMuch as much:
            self._stop()
            raise Broken("protocol", f"Flood: {much}.", "Answer each request with one line.", process.log) from much
        except Broken as broken:
            broken.log = process.log
            raise
        return read_answer(message, reader, process.log)

    def _answer(self, process: Process, wanted: str, seconds: float) -> dict[str, Any]:
        strange: list[bytes] = []
        lines = process.lines(seconds)
        while True:
            try:
                line = next(lines)
            except (TooLate, Ended):
                if strange:
                    self._stop()
                    raise Broken(
                        "protocol",
                        f"Garbage instead of an answer: {_quoted(strange[0])}",
                        "Answer in one line of JSON.",
                    ) from None
                raise
            if not line.strip():
                continue
            try:
                message = message_in(line)
            except NotAMessage:
                strange.append(line)
                if self._in_pieces(strange, wanted):
                    raise Broken(
                        "protocol", f"The answer was split over {len(strange)} lines.", "Write each answer on one line."
                    ) from None
                if len(strange) > _MOST_STRANGE:
                    raise TooMuch(f"more than {_MOST_STRANGE} lines that are no answer") from None
                if len(strange) == 1:
                    lines = process.lines(min(seconds, self.limits.strange))
                continue
            if message["id"] == wanted:
                if strange:
                    raise Broken(
                        "protocol",
                        f"Chatter on standard output before the answer: {_quoted(strange[0])}",
                        "Only answers go to standard output; write all else to standard error.",
                    )
                return message
            if not self._is_past(message["id"], wanted):
                self._stop()
                raise Broken(
                    "protocol",
                    f"A wrong number: the answer has id {message['id'][:40]!r}, the request had {wanted!r}.",
                    "Repeat the id of the request.",
                )
            self.strays += 1
            if self.strays > _MOST_STRANGE:
                raise TooMuch(f"more than {_MOST_STRANGE} answers that nobody waits for")

    @staticmethod
    def _is_past(found: str, wanted: str) -> bool:
        """Whether it is a second answer to an earlier request of the same process."""
        generation, _, number = found.partition(".")
        mine, _, current = wanted.partition(".")
        return generation == mine and number.isdecimal() and len(number) < 10 and 0 < int(number) < int(current)

    @staticmethod
    def _in_pieces(strange: list[bytes], wanted: str) -> bool:
        """Whether the lines together are the answer that is waited for."""
        for glue in (b"", b" "):
            try:
                return bool(message_in(glue.join(strange))["id"] == wanted)
            except NotAMessage:
                continue
        return False


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


def _quoted(line: bytes) -> str:
    return repr(line[:80].decode("utf-8", "replace"))
