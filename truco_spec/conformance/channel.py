"""One process of an implementation: what it was asked, what it answered, and which case a fault belongs to.

A process that answers well is asked ahead (:mod:`~truco_spec.conformance.pace`): it has several cases before it and
need not wait for us. Only answers that come in order, each with its own id, are taken so. After anything else all cases
that are still open are asked once more, in single file; then it is plain whose fault it is, and what was logged for it.
"""

from __future__ import annotations

import os
import selectors
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from truco_spec.conformance.asked import Asked, Broken, Inquiry, Limits
from truco_spec.conformance.cases import CORPUS_VERSION
from truco_spec.conformance.memory import EVERY, Scales, told
from truco_spec.conformance.pace import Pace
from truco_spec.conformance.process import Process, TooMuch
from truco_spec.conformance.protocol import (
    LONGEST_LINE,
    PROTOCOL,
    ByeRequest,
    HelloRequest,
    Introduction,
    NotAMessage,
    introduction_in,
    line_of,
    message_in,
)
from truco_spec.conformance.shapes import ShapeError
from truco_spec.conformance.spawn import Child
from truco_spec.errors import TrucoError

T = TypeVar("T")

_FAILED_STARTS = 3
_MOST_STRANGE = 100
_MOST_BYTES = 4 * LONGEST_LINE
_MOST_BYTES_AHEAD = 48_000  # somewhat less than a pipe holds


class TooNew(TrucoError):
    """The implementation speaks a later version of the protocol than this program."""


class Common:
    """What all processes of one implementation share: who they say they are, and whether they answer in order."""

    def __init__(self) -> None:
        self.introduction: Introduction | None = None
        self.in_order = True


class Sent(NamedTuple):
    """One request that is not answered yet; ``case`` is None for hello."""

    id: str
    case: Asked | None
    size: int


_NOBODY = Asked((), lambda number, message: None)
"""Whose answers are not wanted any more."""


class Channel:
    """The process, started again as often as need be. ``done`` are cases that came back, for the caller to take."""

    def __init__(
        self, command: Sequence[str], limits: Limits, selector: selectors.BaseSelector, common: Common
    ) -> None:
        self.command, self.limits, self.selector, self.common = command, limits, selector, common
        self.generation = 0
        self.strays = 0
        self.start_fault: Broken | None = None
        self.child: Child | None = None  # one that was started ahead
        self.done: list[Asked] = []
        self._process: Process | None = None
        self._number = 0
        self._given: set[str] = set()  # the ids of this process
        self._failed_starts = 0
        self._waiting: deque[Asked] = deque()
        self._sent: deque[Sent] = deque()
        self._bytes = 0  # of what is sent and not answered
        self._back: list[Asked] = []  # answered or broken just now
        self._alone: Asked | None = None  # the case under way in single file
        self._solo: Asked | None = None  # the last one that was
        self._turn = 0.0
        self._turn_of: Asked | None = None
        self._strange: list[bytes] = []
        self._strange_until = 0.0
        self._strays_in_a_row = 0
        self._pace = Pace()
        self._scales = Scales(limits.memory)

    # ---- giving ---------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether anything is still to come."""
        return bool(self._sent or self._waiting or self._alone or self._back)

    @property
    def introduced(self) -> bool:
        """Whether there is a process that has said hello."""
        return self._process is not None and not self._is_starting()

    def room(self) -> int:
        """How many more cases it can be given now."""
        if self._waiting or self._alone or self._strange or self._bytes > _MOST_BYTES_AHEAD // 2:
            return 0
        free = self._pace.ahead - len(self._sent)
        return free if 2 * free >= self._pace.ahead else 0

    def give(self, case: Asked) -> None:
        """One more case; :meth:`push` sends it."""
        self._waiting.append(case)

    def push(self) -> None:
        """Send what can be sent now."""
        while self._waiting and self._process is None:
            self.start()
            if self._process is None:  # it is not tried again
                self._pay_for_start()
        if self._process is None or self._is_starting() or self._strange:
            return
        lines: list[bytes] = []
        if self._pace.ahead == 1:
            self._alone = self._alone or (self._waiting.popleft() if self._waiting and not self._sent else None)
            if self._alone is None or self._sent:
                return
            if not self._alone.answers:
                self._process.forget_log()
                self._solo, self._turn_of = self._alone, None
            lines.append(self._line(self._alone, len(self._alone.answers)))
        else:
            while self._waiting and self._bytes < _MOST_BYTES_AHEAD:
                case = self._waiting.popleft()
                lines += [self._line(case, number) for number in range(len(case.requests))]
        if lines:
            self._next_turn()
            self._process.send(b"".join(lines))

    def _line(self, case: Asked, number: int) -> bytes:
        name = self._id()
        line = b'{"id":"%s",%s' % (name.encode(), case.requests[number])
        self._sent.append(Sent(name, case, len(line)))
        self._bytes += len(line)
        return line

    def _id(self) -> str:
        """Process and number within it: no answer of another process, or to another request, can be taken for it.
        The numbers that follow cannot be guessed.
        """
        self._number += int.from_bytes(os.urandom(1), "big") + 2 if self._number else 1
        name = f"{self.generation}.{self._number}"
        self._given.add(name)
        return name

    def _next_turn(self) -> None:
        """The time of a case runs from here, if its turn begins now."""
        if self._sent and self._sent[0].case is not self._turn_of:
            self._turn, self._turn_of = time.monotonic(), self._sent[0].case

    # ---- the process ----------------------------------------------------------------------------

    def start(self) -> None:
        """Start a process and ask it who it is. Not if there is one, nor after three in a row that did not start."""
        if self._process is not None or self._failed_starts >= _FAILED_STARTS:
            return
        self.generation += 1
        self._number = 0
        self._given.clear()
        child, self.child = self.child, None
        self._process = Process(self.command, self.selector, child)
        self._scales.reset()
        self._sent.append(Sent(self._id(), None, 0))
        self._turn, self._turn_of = time.monotonic(), None
        if child is None or not child.greeted:
            self._process.send(line_of(HelloRequest(self._sent[0].id, PROTOCOL, CORPUS_VERSION)))

    def _is_starting(self) -> bool:
        return bool(self._sent) and self._sent[0].case is None

    def _introduce(self, message: dict[str, Any]) -> None:
        try:
            introduction = read_answer(message, introduced, "")
            if self.common.introduction not in (None, introduction):
                raise Broken(
                    "protocol", "After a restart it introduced itself differently.", "Answer hello always the same."
                )
        except Broken as broken:
            self._never_started(broken)
            return
        self._failed_starts, self.start_fault = 0, None
        self.common.introduction = introduction
        self._pace.begins()

    def _never_started(self, fault: Broken) -> None:
        log = self._stop()
        self._failed_starts += 1
        self.start_fault = Broken(fault.verdict, f"It never got started. {fault.message}", fault.advice, log)
        self._pay_for_start()

    def _pay_for_start(self) -> None:
        if self._waiting:
            case = self._waiting.popleft()
            case.fault = self.start_fault
            self._back.append(case)

    def _stop(self) -> str:
        """Stop the process. What it wrote to its log."""
        process, self._process = self._process, None
        self._sent.clear()
        self._strange.clear()
        self._bytes, self._alone = 0, None
        if process is None:
            return ""
        process.drain_log()
        process.stop()
        return process.log

    def say_farewell(self) -> None:
        """Nothing more will be asked."""
        if self._process is not None:
            self._process.send(line_of(ByeRequest(self._id())))
            self._process.say_farewell()

    def close(self, until: float) -> None:
        """The process may end by itself until then (``time.monotonic()``), and is stopped."""
        if self._process is not None:
            self._process.wait(until)
        self._stop()
        self._waiting.clear()

    # ---- taking ---------------------------------------------------------------------------------

    def deadline(self) -> float:
        """When (``time.monotonic()``) somebody has to look at it again, whatever comes in."""
        if not self._sent:
            return 0.0 if self._back else float("inf")
        found = self._late()
        return min(found, time.monotonic() + EVERY) if self._scales.most else found

    def _late(self) -> float:
        last = self._turn + (self.limits.start if self._is_starting() else self.limits.case)
        return min(last, self._strange_until) if self._strange else last

    def take(self) -> None:
        """Take what came in, and see to what should have come. The caller waits with the selector before."""
        if self._sent:
            self._take_lines()
        fresh = [case for case in self._back if case.fault is None]
        weighed = self._process if fresh or (self._sent and self._scales.due()) else None
        if weighed is not None and self._scales.too_heavy(weighed):
            message = f"It used more than {told(self._scales.most)} of memory."
            self._break(Broken("crash", message, "If it needs so much, allow it with --memory."), also=fresh)
        for case in self._back:
            self.done += case.inquiry.settled(case) if case.inquiry else [case]
        self._back.clear()

    def _take_lines(self) -> None:
        process = self._process
        assert process is not None  # something was sent
        try:
            process.check(_MOST_BYTES)
            while process.lines and self._sent and process is self._process:
                self._line_in(process.lines.popleft().rstrip(b"\r"))
                process.check(_MOST_BYTES)
        except TooMuch as much:
            self._break(Broken("protocol", f"Flood: {much}.", "Answer each request with one line."))
        if not self._sent or process is not self._process:
            return
        if process.closed:
            how = process.how_it_ended()
            self._break(self._garbage() or Broken("crash", f"It gave no answer: {how}.", "See its last words."))
        elif time.monotonic() >= self._late():
            seconds = self.limits.start if self._is_starting() else self.limits.case
            late = Broken("timeout", f"No answer within {seconds:g} s.", "Is the output flushed after each line?")
            self._break(self._garbage() or late)

    def _line_in(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = message_in(line)
        except NotAMessage:
            self._strange_line(line)
            return
        if message["id"] == self._sent[0].id:
            self._answered(message)
        elif any(message["id"] == sent.id for sent in self._sent):
            self.common.in_order = False
            self._inquire(None, self._open())
        elif message["id"] in self._given:  # a second answer to an earlier request
            self.strays += 1
            self._strays_in_a_row += 1
            if self._strays_in_a_row > _MOST_STRANGE:
                raise TooMuch(f"more than {_MOST_STRANGE} answers that nobody waits for")
        else:
            wrong = f"A wrong number: the answer has {_told(message['id'])}, and not that of the request."
            self._break(Broken("protocol", wrong, "Repeat the id of the request."))

    def _answered(self, message: dict[str, Any]) -> None:
        assert self._process is not None  # it answered
        if self._strange:
            chatter = f"Chatter on standard output before the answer: {_quoted(self._strange[0])}"
            advice = "Only answers go to standard output; write all else to standard error."
            self._break(Broken("protocol", chatter, advice), fatal=False)
            return
        sent = self._sent.popleft()
        self._bytes -= sent.size
        self._process.received = self._strays_in_a_row = 0
        case = sent.case
        if case is None:
            self._introduce(message)
        elif not case.over:
            try:
                number = len(case.answers)
                case.answers.append(read_answer(message, lambda told: case.reader(number, told), ""))
            except Broken as broken:
                self._wrong_answer(case, broken)
            else:
                if case.over:
                    self._is_back(case)
        self._next_turn()

    def _is_back(self, case: Asked) -> None:
        if case is self._alone:
            self._alone = None
        self._back.append(case)
        inquiring = self._pace.ahead == 1 and any(other.inquiry for other in self._waiting)
        self._pace.answered(widen=self.common.in_order and not inquiring)

    # ---- faults ---------------------------------------------------------------------------------

    def _open(self) -> list[Asked]:
        """The cases under way that still need an answer, in order."""
        return list(dict.fromkeys(sent.case for sent in self._sent if sent.case and not sent.case.over))

    def _break(self, fault: Broken, *, fatal: bool = True, also: Sequence[Asked] = ()) -> None:
        """Something went wrong that bears no number: the fault of the case whose turn it is. In single file that is
        plain; else there is an inquiry. ``also`` are cases whose answers are in doubt.
        """
        if self._is_starting():
            self._never_started(fault)
            return
        cases = [*also, *(case for case in self._open() if case not in also)]
        if cases and cases != [self._solo]:
            self._inquire(fault, cases)
            return
        if fatal:
            fault.log = self._stop()
        else:  # its answer came, and nothing else was under way
            self._sent.clear()
            self._strange.clear()
            self._bytes = 0
        for case in cases:
            self._charge(case, fault)
        self._pace.single_file(doubt=True)

    def _inquire(self, fault: Broken | None, cases: Sequence[Asked]) -> None:
        log = self._stop()
        if fault is not None:
            fault.log = log
        self._back = [case for case in self._back if case not in cases]
        Inquiry(cases, fault)
        self._waiting.extendleft(reversed(cases))
        self._pace.single_file(doubt=True)

    def _wrong_answer(self, case: Asked, broken: Broken) -> None:
        """It is plain whose answer it is; but if others are under way, what was logged may be of one of them."""
        assert self._process is not None  # it answered
        self._process.drain_log()
        if case is self._solo or not self._process.log:
            self._charge(case, broken)
            return
        broken.log = self._process.log
        self._sent = deque(sent._replace(case=_NOBODY) if sent.case is case else sent for sent in self._sent)
        Inquiry([case], broken)
        self._waiting.appendleft(case)
        self._pace.single_file(doubt=False)

    def _charge(self, case: Asked, fault: Broken) -> None:
        if self._process is not None:
            self._process.drain_log()
            fault.log = self._process.log
        case.fault = fault
        case.answers.clear()
        if case is self._alone:
            self._alone = None
        if case not in self._back:
            self._back.append(case)

    # ---- lines that are no answers --------------------------------------------------------------

    def _strange_line(self, line: bytes) -> None:
        self._strange.append(line)
        if not self._is_starting() and self._open() != [self._solo]:
            fault = self._garbage()
            assert fault is not None  # this line
            self._break(fault)
        elif self._in_pieces():
            message = f"The answer was split over {len(self._strange)} lines."
            self._break(Broken("protocol", message, "Write each answer on one line."), fatal=False)
        elif len(self._strange) > _MOST_STRANGE:
            raise TooMuch(f"more than {_MOST_STRANGE} lines that are no answer")
        elif len(self._strange) == 1:
            self._strange_until = time.monotonic() + self.limits.strange

    def _garbage(self) -> Broken | None:
        """The fault, if there was anything but an answer."""
        if not self._strange:
            return None
        said = f"Garbage instead of an answer: {_quoted(self._strange[0])}"
        return Broken("protocol", said, "Answer in one line of JSON.")

    def _in_pieces(self) -> bool:
        """Whether the lines together are the answer that is waited for."""
        for glue in (b"", b" "):
            try:
                return bool(message_in(glue.join(self._strange))["id"] == self._sent[0].id)
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


def _told(name: str) -> str:
    """A wrong id in words; what looks like one of ours differs from run to run."""
    return "another number" if name.replace(".", "").isdecimal() else f"the id {name[:40]!r}"
