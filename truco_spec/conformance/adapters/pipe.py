"""A command as an implementation: one or several processes that speak JSON lines over pipes.

A :class:`Channel` is one process: its requests, answers and faults. It handles one case at a time, so that every fault
belongs to a case.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.shapes import ShapeError, shown
from truco_spec.base.words import Sentence, say
from truco_spec.conformance.adapters.process import EVERY, CommandError, Process, Scales, TooMuch, last_words, told
from truco_spec.conformance.corpus import edition, protocol
from truco_spec.conformance.corpus.cases import CORPUS_VERSION

_FAILED_STARTS = 3
_MOST_STRAYS = 100  # in a row
_MOST_BYTES = 4 * protocol.LONGEST_LINE


class Channel:
    """The process, restarted as needed. ``done`` is the completed case, for the caller to take."""

    def __init__(
        self, command: Sequence[str], limits: Limits, selector: selectors.BaseSelector, common: Common
    ) -> None:
        self.command, self.limits, self.selector, self.common = command, limits, selector, common
        self.generation = 0
        self.strays = 0
        self.start_fault: Broken | None = None
        self.done: Asked | None = None
        self._process: Process | None = None
        self._failed_starts = 0
        self._case: Asked | None = None
        self._waits_for = ""  # id of the pending request
        self._given: set[str] = set()  # all ids of this process
        self._number = 0
        self._introduced = False
        self._turn = 0.0
        self._stray = StrayOutput(limits.stray)
        self._strays_in_a_row = 0
        self._scales = Scales(limits.memory)

    # ---- submitting -----------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether an answer is pending."""
        return self._case is not None or bool(self._waits_for)

    @property
    def introduced(self) -> bool:
        """Whether a process is running that has answered hello."""
        return self._process is not None and self._introduced

    def give(self, case: Asked) -> None:
        """Submit the next case; :meth:`push` sends it."""
        self._case = case

    def push(self) -> None:
        """Send as much as can be sent now."""
        if self._case is None or self._waits_for or self.done is not None:
            return
        while self._process is None and self.done is None:
            self.start()
            if self._process is None:  # no retry
                self._pay_for_start()
        if not self.introduced or self._process is None:
            return
        if not self._case.answers:
            self._process.forget_log()
            self._turn = time.monotonic()
        self._waits_for = self._new_id()
        request = self._case.requests[len(self._case.answers)]
        self._process.send(b'{"id":"%s",%s' % (self._waits_for.encode(), request_line(request)))

    def _new_id(self) -> str:
        """An unguessable id of process and number, so that answers of other processes cannot match."""
        self._number += int.from_bytes(os.urandom(1), "big") + 2
        name = f"{self.generation}.{self._number}"
        self._given.add(name)
        return name

    # ---- the process ----------------------------------------------------------------------------

    def start(self) -> None:
        """Start a process and send hello; a no-op if one is running or the last three failed to start. Raises
        :class:`CommandError` where no process ever started.
        """
        if self._process is not None and not self._introduced:
            self._turn = time.monotonic()  # its time begins when it is waited for
        if self._process is not None or self._failed_starts >= _FAILED_STARTS:
            return
        try:
            self._process = Process(self.command, self.selector)
        except CommandError as error:
            if self.common.introduction is None:
                raise
            self._failed_starts = _FAILED_STARTS
            self.start_fault = Broken("crash", f"It does not start any more. {error}")
            return
        self._scales.reset()
        self.generation += 1
        self._number, self._introduced = 1, False
        self._waits_for = f"{self.generation}.1"
        self._given = {self._waits_for}
        self._turn = time.monotonic()
        hello = protocol.HelloRequest(self._waits_for, protocol.PROTOCOL, CORPUS_VERSION, edition())
        self._process.send(protocol.line_of(hello))

    def _introduce(self, message: dict[str, Any]) -> None:
        try:
            self.common.introduce(message)
        except Broken as broken:
            self._never_started(broken)
            return
        self._introduced = True
        self._failed_starts, self.start_fault = 0, None

    def _never_started(self, fault: Broken) -> None:
        log = self._stop()
        self._failed_starts += 1
        again = "" if self.common.introduction is None else "It does not start any more. "
        self.start_fault = Broken(fault.verdict, f"{again}{fault.message}", fault.advice, log)
        self._pay_for_start()

    def _pay_for_start(self) -> None:
        if self._case is not None and self.start_fault is not None:
            self._back(self.start_fault)

    def _stop(self, until: float = 0) -> str:
        """Stop the process, not before this time if it is still to exit by itself, and return its log."""
        self._waits_for = ""
        self._stray.clear()
        if self._process is None:
            return ""
        self._process.stop(until)  # an interruption leaves it to be stopped
        process, self._process = self._process, None
        return process.log()

    def say_farewell(self) -> None:
        """Announce that no more requests follow."""
        if self._process is not None:
            self._process.say_farewell(protocol.line_of(protocol.ByeRequest(self._new_id())))

    def close(self, until: float) -> None:
        """Let the process exit by itself until this time (``time.monotonic()``), then stop it."""
        self._stop(until)
        self._case = None

    # ---- receiving ------------------------------------------------------------------------------

    def deadline(self) -> float:
        """When (``time.monotonic()``) the channel must be polled again even without input."""
        if not self._waits_for:
            return 0.0 if self.done else float("inf")
        found = self._late()
        return min(found, time.monotonic() + EVERY) if self._scales.most else found

    def _late(self) -> float:
        last = self._turn + self._seconds()
        return min(last, self._stray.until) if self._stray else last

    def _seconds(self) -> float:
        """The timeout of the pending answer, in seconds."""
        if not self._introduced or self._case is None:
            return self.limits.start
        return self.limits.case * self._case.patience

    def take(self) -> None:
        """Handle received data and timeouts. The caller waits on the selector first."""
        if self._waits_for:
            self._take_lines()
        answered = self.done is not None and self.done.fault is None
        weighed = self._process if answered or (self._waits_for and self._scales.due()) else None
        if weighed is not None and self._scales.too_heavy(weighed):
            message = f"It used more than {told(self._scales.most)} of memory."
            if answered:
                self._case, self.done = self.done, None
            self._break(Broken("crash", message, "If it needs so much, allow it with --memory."))

    def _take_lines(self) -> None:
        process = self._process
        assert process is not None  # something was sent
        try:
            process.check(_MOST_BYTES)
            while process.lines and self._waits_for and process is self._process:
                self._line_in(process.lines.popleft().rstrip(b"\r"))
                process.check(_MOST_BYTES)
        except TooMuch as much:
            self._break(Broken("protocol", f"Flood: {much}.", "Answer each request with one line."))
        if not self._waits_for or process is not self._process:
            return
        if process.closed:
            how = f"{process.how_it_ended()}{self._half(process, ', after')}"
            self._break(self._stray.garbage() or Broken("crash", f"It gave no answer: {how}.", "See its last words."))
        elif time.monotonic() >= self._late():
            self._break(self._stray.garbage() or self._too_late(process))

    def _too_late(self, process: Process) -> Broken:
        """The fault of a process that has not answered in time: with half a line, or with only a child alive."""
        late, advice = f"No answer within {self._seconds():g} s", self._why_late()
        if half := self._half(process, ", only"):
            return Broken("timeout", f"{late}{half}", "End each answer with a newline, and flush it.")
        if process.has_ended():
            how = process.how_it_ended()
            late, advice = f"{late}: {how}, and another process holds its output open", "See its last words."
        return Broken("timeout", f"{late}.", advice)

    def _half(self, process: Process, before: str) -> str:
        """The beginning of an answer that has no end yet, in words."""
        if not process.unfinished.strip():
            return ""
        return f"{before} a line without a newline: {_quoted(process.unfinished, self._waits_for)}"

    def _why_late(self) -> str:
        if self._introduced and self._case is not None and self._case.patience > 1:
            return "To deal slowly is no fault of a rule: allow more with --timeout."
        return "Is the output flushed after each line?"

    def _line_in(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = protocol.message_in(line)
        except protocol.NotAMessage as error:
            self._stray_line(line, error)
            return
        if message["id"] == self._waits_for:
            self._answered(message)
        elif message["id"] in self._given:  # a second answer to an earlier request
            self.strays += 1
            self._strays_in_a_row += 1
            if self._strays_in_a_row > _MOST_STRAYS:
                raise TooMuch(f"more than {_MOST_STRAYS} answers that nobody waits for")
        else:
            wrong = f"A wrong number: the answer has {_told(message['id'])}, and not that of the request."
            self._break(Broken("protocol", wrong, "Repeat the id of the request."))

    def _answered(self, message: dict[str, Any]) -> None:
        assert self._process is not None  # it answered
        if chatter := self._stray.chatter():
            self._break(chatter, fatal=False)
            return
        self._waits_for = ""
        self._process.received = self._strays_in_a_row = 0
        if not self._introduced:
            self._introduce(message)
            return
        case = self._case
        assert case is not None  # it was asked
        try:
            request = case.requests[len(case.answers)]
            case.answers.append(read_answer(message, lambda told: reply_in(told, request), ""))
        except Broken as broken:
            broken.log = self._process.log()
            self._back(broken)
        else:
            if case.over:
                self._back(None)

    # ---- faults ---------------------------------------------------------------------------------

    def _back(self, fault: Broken | None) -> None:
        """Return the case, answered or with a fault."""
        case, self._case = self._case, None
        assert case is not None  # it was submitted
        case.fault = fault
        if fault is not None:
            case.answers.clear()
        self.done = case

    def _break(self, fault: Broken, *, fatal: bool = True) -> None:
        """A failure without an id: blame the pending case."""
        if not self._introduced:
            self._never_started(fault)
            return
        assert self._process is not None  # it has said hello
        if fatal:
            fault.log = self._stop()
        else:  # its answer arrived
            self._waits_for = ""
            self._stray.clear()
            fault.log = self._process.log()
        if self._case is not None:
            self._back(fault)

    def _stray_line(self, line: bytes, error: protocol.NotAMessage) -> None:
        self._stray.add(line, error, _quoted(line, self._waits_for))
        if self._introduced and (split := self._stray.pieces_of(self._waits_for)):
            self._break(split, fatal=False)


def _told(name: str) -> str:
    """Describe a wrong id; one shaped like ours is masked, as it differs from run to run."""
    return "another number" if name.replace(".", "").isdecimal() else f"the id {name[:40]!r}"


def _quoted(line: bytes, wanted: str) -> str:
    """The beginning of a line, quoted; the id of the request is masked, as it differs from run to run."""
    text = line[:_MOST_QUOTED].decode("utf-8", "replace").replace(f'"{wanted}"', '"…"')
    return repr(text[:80])


_MOST_QUOTED = 200

# ---- Stray lines on standard output, held until their cause is known ----------------------------

_MOST = 100


class StrayOutput:
    """Stray lines since the last answer. After the first, an answer is awaited for ``seconds``: until ``until``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.until = 0.0
        self._lines: list[bytes] = []
        self._first, self._quoted = protocol.NotAMessage(), ""

    def __bool__(self) -> bool:
        return bool(self._lines)

    def clear(self) -> None:
        """Forget them: an answer came, or none is expected."""
        self._lines.clear()

    def add(self, line: bytes, error: protocol.NotAMessage, quoted: str) -> None:
        """Add a line, with why it is no message. Raises :class:`TooMuch`."""
        if not self._lines:
            self.until = time.monotonic() + self.seconds
            self._first, self._quoted = error, quoted
        self._lines.append(line)
        if len(self._lines) > _MOST:
            raise TooMuch(f"more than {_MOST} lines that are no answer")

    def chatter(self) -> Broken | None:
        """The fault of an answer preceded by stray lines."""
        advice = "Only answers go to standard output; write all else to standard error."
        return self._fault("Chatter on standard output before the answer", advice)

    def garbage(self) -> Broken | None:
        """The fault of stray lines without a following answer."""
        return self._fault(self._first.what, self._first.advice)

    def pieces_of(self, wanted: str) -> Broken | None:
        """The fault, if the lines together are the answer with this id."""
        for glue in (b"", b" "):
            try:
                if protocol.message_in(glue.join(self._lines))["id"] == wanted:
                    said = f"The answer was split over {len(self._lines)} lines."
                    return Broken("protocol", said, "Write each answer on one line.")
            except protocol.NotAMessage:
                continue
        return None

    def _fault(self, what: str, advice: str) -> Broken | None:
        if not self._lines:
            return None
        return Broken("protocol", f"{what}: {self._quoted}", advice)


# --------------------------------------------------------------------------------------------------
# Requests to an implementation, their limits and failures.


BrokenHow = Literal["error", "timeout", "crash", "protocol"]
Request = protocol.Script | protocol.OwnDeals | protocol.PerftRequest
"""What an implementation is asked; perft without an id."""


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
    """Seconds: ``case`` for all answers of one case, ``start`` for a new process to introduce itself, ``stray`` for
    an answer after a stray line, ``bye`` to exit in peace.

    ``memory``: bytes that the process tree may hold; 0 for no limit.
    """

    case: float = 5.0
    start: float = 20.0
    stray: float = 1.0
    bye: float = 0.5
    memory: int = 2 * 1024**3


@dataclass(eq=False, slots=True)
class Asked:
    """A case in flight; afterwards it has a parsed answer to each request, or a fault."""

    requests: Sequence[Request]
    about: Any = None
    answers: list[Any] = field(default_factory=list)
    fault: Broken | None = None

    @property
    def patience(self) -> int:
        """How many times that of a case its timeout is: dealing hundreds of hands is given more time."""
        deals = sum(request.times for request in self.requests if isinstance(request, protocol.OwnDeals))
        return max(1, -(-deals // DEALS_EACH))

    @property
    def over(self) -> bool:
        """Whether no further answer is needed."""
        return self.fault is not None or len(self.answers) == len(self.requests)


# ---- Parsing answers, and the handshake ----------------------------------------------------------

T = TypeVar("T")


class TooNew(protocol.HelloError):
    """The implementation speaks a later version of the protocol than this program."""


class Common:
    """State shared by all processes of one implementation: their identity."""

    def __init__(self) -> None:
        self.introduction: protocol.Introduction | None = None

    def introduce(self, message: dict[str, Any]) -> None:
        """Handle the hello answer of another process. Raises :class:`Broken`; HelloError for the first process."""
        try:
            introduction = read_answer(message, introduced, "")
        except protocol.HelloError:
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


def introduced(message: dict[str, Any]) -> protocol.Introduction:
    """Parse the answer to hello. Raises ShapeError, and HelloError where no other answer would help."""
    spoken, newest = message.get("protocol"), protocol.PROTOCOL[1]
    if isinstance(spoken, int) and spoken > newest:
        raise TooNew(
            Sentence(
                "The adapter speaks protocol {spoken}; this truco-spec speaks {newest}. Use a newer truco-spec.",
                spoken=shown(spoken)[1:-1],  # a number of any length
                newest=newest,
            )
        )
    introduction = protocol.introduction_in(message)
    if not any(plays.own_words or plays.omits for plays in introduction.variants.values()):
        return introduction
    from truco_spec.conformance.corpus.vocabulary import listing_words, truthful  # they need the rules

    return truthful(listing_words(introduction))


# ---- A command: one process, or several -------------------------------------------------------------

_NO_ID = len(b'{"id":"",')
_STARTS = 3
"""How often a command that ends before its hello is started."""
_LAST_WORDS = 20


class Implementation(Protocol):
    """The interface used by the runner: the reference engine in process, a command over a pipe, or a fake in a test.

    Each method may raise :class:`Broken`; after that the implementation must be able to answer the next request.
    """

    def hello(self) -> protocol.Introduction:
        """Introduce itself: name, variants and observations."""

    def run(self, script: protocol.Script) -> protocol.Seen:
        """Play a script; one entry per action of each hand."""

    def deal(self, request: protocol.OwnDeals) -> tuple[protocol.Deal, ...]:
        """Deal by itself, ``request.times`` times."""

    def close(self) -> None:
        """Close it and release its resources."""


class NeverStarted(TrucoError):
    """An implementation that gives no valid answer to hello, so that it cannot be tested. Its arguments: what is wrong,
    what to do, and the last lines of its log.
    """

    def __str__(self) -> str:
        from truco_spec.conformance.reports.run_document import kept_in_words  # slow to import

        wrong, advice, log = self.args
        told = say("It never got started. {error}", error=f"{kept_in_words(wrong).rstrip('.')}.")
        return f"{told} {kept_in_words(advice)}".strip() + str(log)


def greeted(implementation: Implementation) -> protocol.Introduction:
    """The introduction of an implementation, before anything else is asked. Raises :class:`NeverStarted`, and what
    ``hello`` raises of a command that does not exist.
    """
    for start in range(1, _STARTS + 1):
        try:
            return implementation.hello()
        except Broken as broken:
            if start == _STARTS or broken.verdict != "crash":
                log = "".join(f"\n| {line}" for line in last_words(broken.log, _LAST_WORDS))
                raise NeverStarted(broken.message, broken.advice, log) from broken
    raise AssertionError  # the last start returns or raises


class CountingImplementation(Implementation, Protocol):
    """An implementation that can be asked for ``perft``, if it declares so."""

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        """Count the sequences of actions that follow the script, by their first action."""


def request_line(request: Request) -> bytes:
    """A request line up to its id, which is added when it is sent."""
    message: object = request
    if isinstance(request, protocol.Script):
        message = protocol.RunRequest("", request)
    elif isinstance(request, protocol.OwnDeals):
        message = protocol.DealRequest("", request)
    return protocol.line_of(message)[_NO_ID:]


def reply_in(message: dict[str, Any], request: Request) -> Any:
    """Parse the content of the answer to a request. Raises ShapeError."""
    if isinstance(request, protocol.Script):
        return protocol.seen_in(message, request)
    if isinstance(request, protocol.OwnDeals):
        return protocol.deals_in(message, request)
    return protocol.counts_in(message, request.script, request.depth)


class Pipe:
    """A command as an :class:`Implementation`. Use it with ``with``; leaving stops its processes and their children.

    ``processes`` is the maximum number running at the same time. The first answers all single requests; the others are
    started by :meth:`play` when there is work for them.
    """

    def __init__(self, command: Sequence[str], limits: Limits | None = None, processes: int = 1) -> None:
        self.command = tuple(command)
        self.limits = limits or Limits()
        self._selector = selectors.DefaultSelector()
        self._common = Common()
        self._channels = [
            Channel(self.command, self.limits, self._selector, self._common) for _ in range(max(processes, 1))
        ]

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def generation(self) -> int:
        """The number of starts of the first process."""
        return self._channels[0].generation

    @property
    def strays(self) -> int:
        """The number of unsolicited answers."""
        return sum(channel.strays for channel in self._channels)

    def start(self) -> None:
        """Start the first process, which may get ready until it is asked for its introduction."""
        self._channels[0].start()

    def hello(self) -> protocol.Introduction:
        channel = self._channels[0]
        channel.start()
        while not channel.introduced:
            if not channel.busy:
                assert channel.start_fault is not None  # else there is a process
                raise channel.start_fault
            self._wait([channel])
        assert self._common.introduction is not None  # it is introduced
        return self._common.introduction

    def run(self, script: protocol.Script) -> protocol.Seen:
        found: protocol.Seen = self._ask(script)
        return found

    def deal(self, request: protocol.OwnDeals) -> tuple[protocol.Deal, ...]:
        found: tuple[protocol.Deal, ...] = self._ask(request)
        return found

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        found: protocol.Counts = self._ask(protocol.PerftRequest("", script, depth))
        return found

    def close(self) -> None:
        for channel in self._channels:
            channel.say_farewell()
        until = time.monotonic() + self.limits.bye
        for channel in self._channels:
            channel.close(until)
        self._selector.close()
        self._selector = selectors.DefaultSelector()
        for channel in self._channels:
            channel.selector = self._selector

    def play(self, cases: Iterator[Asked]) -> Iterator[Asked]:
        """Run cases on all processes, one at a time on each; results arrive in any order.

        A case is fetched when a process is free. Raises CommandError.
        """
        more = True
        while True:
            for channel in self._channels:
                if more and not channel.busy:
                    case = next(cases, None)
                    more = case is not None
                    if case is not None:
                        channel.give(case)
                channel.push()
            busy = [channel for channel in self._channels if channel.busy or channel.done]
            if not busy and not more:
                return
            self._wait(busy)
            for channel in busy:
                if channel.done is not None:
                    case, channel.done = channel.done, None
                    yield case

    def afresh(self) -> Pipe:
        """The same command with no process started."""
        return Pipe(self.command, self.limits)

    def _ask(self, request: Request) -> Any:
        channel, case = self._channels[0], Asked((request,))
        channel.give(case)
        while channel.done is None:
            channel.push()
            self._wait([channel])
        channel.done = None
        if case.fault is not None:
            raise case.fault
        return case.answers[0]

    def _wait(self, channels: Sequence[Channel]) -> None:
        """Wait for input or a timeout, and handle it."""
        seconds = min(channel.deadline() for channel in channels) - time.monotonic()
        if seconds > 0 or self._selector.get_map():
            for key, _ in self._selector.select(max(0.0, min(seconds, 3600.0))):
                key.data()
        for channel in channels:
            channel.take()
