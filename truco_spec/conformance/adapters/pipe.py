"""A command as an implementation: one or several processes that speak JSON lines over pipes."""

from __future__ import annotations

import selectors
import time
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import say
from truco_spec.conformance.adapters.channel import (
    DEALS_EACH,
    Asked,
    Broken,
    Channel,
    Common,
    Limits,
    Reader,
    TooNew,
    introduced,
    read_answer,
)
from truco_spec.conformance.adapters.process import last_words
from truco_spec.conformance.corpus import protocol

__all__ = [
    "Broken",
    "CountingImplementation",
    "Implementation",
    "Limits",
    "NeverStarted",
    "Pipe",
    "TooNew",
    "greeted",
    "introduced",
    "read_answer",
    "request_line",
]

_NO_ID = len(b'{"id":"",')
_STARTS = 3
"""How often what ends before it has said hello is started."""
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
    """An implementation gives no good answer to hello, so that there is nothing to judge. Its arguments: what is wrong,
    what to do, and the last words of its log.
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
    """One that can be asked for ``perft``, if it says so."""

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        """Count the sequences of actions that follow the script, by their first action."""


def request_line(request: protocol.Script | protocol.OwnDeals) -> bytes:
    """A request line up to its id, which is added when it is sent."""
    message = (
        protocol.RunRequest("", request) if isinstance(request, protocol.Script) else protocol.DealRequest("", request)
    )
    return protocol.line_of(message)[_NO_ID:]


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

    @property
    def hello_said(self) -> protocol.Introduction:
        """The answer to hello, once received."""
        assert self._common.introduction is not None  # whoever asks has had an answer
        return self._common.introduction

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
        found: protocol.Seen = self._ask(request_line(script), lambda _, message: protocol.seen_in(message, script))
        return found

    def deal(self, request: protocol.OwnDeals) -> tuple[protocol.Deal, ...]:
        found: tuple[protocol.Deal, ...] = self._ask(
            request_line(request),
            lambda _, message: protocol.deals_in(message, request),
            -(-request.times // DEALS_EACH),
        )
        return found

    def perft(self, script: protocol.Script, depth: int) -> protocol.Counts:
        request = protocol.line_of(protocol.PerftRequest("", script, depth))[_NO_ID:]
        found: protocol.Counts = self._ask(request, lambda _, message: protocol.counts_in(message, script, depth))
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
        """Run cases on all processes, one at a time on each; results come in any order.

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

    def _ask(self, request: bytes, reader: Reader, patience: int = 1) -> Any:
        channel, case = self._channels[0], Asked((request,), reader, patience=patience)
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
