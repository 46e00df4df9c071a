"""One process of an implementation: what it was asked, what it answered, and which case a fault belongs to.

A process that answers well is asked ahead (:mod:`~truco_spec.conformance.pace`): it has several cases before it and
need not wait for us. Only answers that come in order, each with its own id, are taken so. After anything else all cases
that are still open are asked once more, in single file; then it is plain whose fault it is, and what was logged for it.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from truco_spec.conformance.asked import Asked, Broken, Inquiry, Limits
from truco_spec.conformance.cases import CORPUS_VERSION
from truco_spec.conformance.meeting import Common, read_answer
from truco_spec.conformance.memory import EVERY, Scales, told
from truco_spec.conformance.pace import Pace
from truco_spec.conformance.process import CommandError, Process, TooMuch
from truco_spec.conformance.protocol import (
    LONGEST_LINE,
    PROTOCOL,
    ByeRequest,
    HelloRequest,
    NotAMessage,
    line_of,
    message_in,
)
from truco_spec.conformance.spawn import Child, edition_told
from truco_spec.conformance.strange import Strange
from truco_spec.conformance.under_way import UnderWay

_FAILED_STARTS = 3
_MOST_STRAYS = 100  # in a row
_MOST_BYTES = 4 * LONGEST_LINE
_MOST_BYTES_AHEAD = 48_000  # somewhat less than a pipe holds


class Channel:
    """The process, started again as often as need be. ``done`` are cases that came back, for the caller to take."""

    def __init__(
        self, command: Sequence[str], limits: Limits, selector: selectors.BaseSelector, common: Common
    ) -> None:
        self.command, self.limits, self.selector, self.common = command, limits, selector, common
        self.strays = 0
        self.start_fault: Broken | None = None
        self.child: Child | None = None  # one that was started ahead
        self.done: list[Asked] = []
        self._process: Process | None = None
        self._failed_starts = 0
        self._waiting: deque[Asked] = deque()
        self._sent = UnderWay()
        self._back: list[Asked] = []  # answered or broken just now
        self._alone: Asked | None = None  # the case under way in single file
        self._solo: Asked | None = None  # the last one that was
        self._turn = 0.0
        self._turn_of: Asked | None = None
        self._strange = Strange(limits.strange)
        self._strays_in_a_row = 0
        self._pace = Pace()
        self._scales = Scales(limits.memory)

    # ---- giving ---------------------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """How often a process was started."""
        return self._sent.generation

    @property
    def busy(self) -> bool:
        """Whether anything is still to come."""
        return bool(self._sent or self._waiting or self._alone or self._back)

    @property
    def introduced(self) -> bool:
        """Whether there is a process that has said hello."""
        return self._process is not None and not self._sent.starting

    def room(self) -> int:
        """How many more cases it can be given now."""
        if self._waiting or self._alone or self._strange or self._sent.size > _MOST_BYTES_AHEAD // 2:
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
        if self._process is None or self._sent.starting or self._strange:
            return
        lines: list[bytes] = []
        if self._pace.ahead == 1:
            self._alone = self._alone or (self._waiting.popleft() if self._waiting and not self._sent else None)
            if self._alone is None or self._sent:
                return
            if not self._alone.answers:
                self._process.forget_log()
                self._solo, self._turn_of = self._alone, None
            lines.append(self._sent.line(self._alone, len(self._alone.answers)))
        else:
            while self._waiting and self._sent.size < _MOST_BYTES_AHEAD:
                case = self._waiting.popleft()
                lines += [self._sent.line(case, number) for number in range(len(case.requests))]
        if lines:
            self._next_turn()
            self._process.send(b"".join(lines))

    def _next_turn(self) -> None:
        """The time of a case runs from here, if its turn begins now."""
        if self._sent and self._sent.first.case is not self._turn_of:
            self._turn, self._turn_of = time.monotonic(), self._sent.first.case

    # ---- the process ----------------------------------------------------------------------------

    def start(self) -> None:
        """Start a process and ask it who it is. Not if there is one, nor after three in a row that did not start.
        Raises :class:`CommandError` where no process ever was.
        """
        if self._process is not None or self._failed_starts >= _FAILED_STARTS:
            return
        child, self.child = self.child, None
        try:
            self._process = Process(self.command, self.selector, child)
        except CommandError as error:
            if self.common.introduction is None:
                raise
            self._failed_starts = _FAILED_STARTS
            self.start_fault = Broken("crash", f"It does not start any more. {error}")
            return
        self._scales.reset()
        name = self._sent.new_process()
        self._turn, self._turn_of = time.monotonic(), None
        if child is None or not child.greeted:
            self._process.send(line_of(HelloRequest(name, PROTOCOL, CORPUS_VERSION, edition_told())))

    def _introduce(self, message: dict[str, Any]) -> None:
        try:
            self.common.introduce(message)
        except Broken as broken:
            self._never_started(broken)
            return
        self._failed_starts, self.start_fault = 0, None
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
        self._alone = None
        if process is None:
            return ""
        process.drain_log()
        process.stop()
        return process.log

    def say_farewell(self) -> None:
        """Nothing more will be asked."""
        if self._process is not None:
            self._process.send(line_of(ByeRequest(self._sent.new_id())))
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
        last = self._turn + self._seconds()
        return min(last, self._strange.until) if self._strange else last

    def _seconds(self) -> float:
        """How long the answer that is due next may take."""
        case = self._sent.first.case
        return self.limits.start if case is None else self.limits.case * case.patience

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
            self._break(self._strange.garbage() or Broken("crash", f"It gave no answer: {how}.", "See its last words."))
        elif time.monotonic() >= self._late():
            late = Broken("timeout", f"No answer within {self._seconds():g} s.", self._why_late())
            self._break(self._strange.garbage() or late)

    def _why_late(self) -> str:
        case = self._sent.first.case
        if case is not None and case.patience > 1:
            return "To deal slowly is no fault of a rule: allow more with --timeout."
        return "Is the output flushed after each line?"

    def _line_in(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = message_in(line)
        except NotAMessage:
            self._strange_line(line)
            return
        if message["id"] == self._sent.first.id:
            self._answered(message)
        elif self._sent.is_later(message["id"]):
            self.common.in_order = False
            self._inquire(None, self._sent.open_cases())
        elif self._sent.was_given(message["id"]):  # a second answer to an earlier request
            self.strays += 1
            self._strays_in_a_row += 1
            if self._strays_in_a_row > _MOST_STRAYS:
                raise TooMuch(f"more than {_MOST_STRAYS} answers that nobody waits for")
        else:
            wrong = f"A wrong number: the answer has {_told(message['id'])}, and not that of the request."
            self._break(Broken("protocol", wrong, "Repeat the id of the request."))

    def _answered(self, message: dict[str, Any]) -> None:
        assert self._process is not None  # it answered
        if chatter := self._strange.chatter():
            self._break(chatter, fatal=False)
            return
        case = self._sent.answered()
        self._process.received = self._strays_in_a_row = 0
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

    def _break(self, fault: Broken, *, fatal: bool = True, also: Sequence[Asked] = ()) -> None:
        """Something went wrong that bears no number: the fault of the case whose turn it is. In single file that is
        plain; else there is an inquiry. ``also`` are cases whose answers are in doubt.
        """
        if self._sent.starting:
            self._never_started(fault)
            return
        cases = [*also, *(case for case in self._sent.open_cases() if case not in also)]
        if cases and cases != [self._solo]:
            self._inquire(fault, cases)
            return
        if fatal:
            fault.log = self._stop()
        else:  # its answer came, and nothing else was under way
            self._sent.clear()
            self._strange.clear()
        for case in cases:
            self._charge(case, fault)
        self._pace.single_file(doubt=True)

    def _inquire(self, fault: Broken | None, cases: Sequence[Asked]) -> None:
        log = self._stop()
        if fault is not None:
            fault.log = log
        self._back = [case for case in self._back if case not in cases]
        if cases:
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
        self._sent.forget(case)
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

    def _strange_line(self, line: bytes) -> None:
        self._strange.add(line)
        if not self._sent.starting and self._sent.open_cases() != [self._solo]:
            fault = self._strange.garbage()
            assert fault is not None  # this line
            self._break(fault)
        elif split := self._strange.pieces_of(self._sent.first.id):
            self._break(split, fatal=False)


def _told(name: str) -> str:
    """A wrong id in words; what looks like one of ours differs from run to run."""
    return "another number" if name.replace(".", "").isdecimal() else f"the id {name[:40]!r}"
