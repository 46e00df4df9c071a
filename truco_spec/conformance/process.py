"""One run of a command that speaks in lines: bounded in output, and gone when it is stopped.

The process leads a group of its own, and bears a mark in its environment that all it starts inherit; by these it is
stopped with whatever it started. Nothing here waits: what came in is taken when the selector says so. Needs POSIX.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Sequence

from truco_spec.conformance import family
from truco_spec.conformance.protocol import LONGEST_LINE
from truco_spec.conformance.spawn import Child, CommandError, spawn

__all__ = ["CommandError", "Process", "TooMuch"]

_CHUNK = 1 << 16
_MOST_UNASKED = 16 * LONGEST_LINE
_STDERR_KEPT = 4000
_END_SHOWS_WITHIN = 0.5  # seconds


class TooMuch(Exception):
    """A line, or all lines of one exchange together, are longer than allowed."""


class Process:
    """A started command, or one that was started before. Raises :class:`CommandError` when it cannot be started.
    ``number`` is that of the process and of its group.

    ``selector`` watches its pipes; the data of each of its keys is to be called. ``lines`` are those that came
    complete, without their ends; ``closed`` tells that no more will come.
    """

    def __init__(self, command: Sequence[str], selector: selectors.BaseSelector, child: Child | None = None) -> None:
        started = child or spawn(command)
        started.adopted = True
        self.mark = started.mark
        self.number = started.number
        self._child = started
        self._stdin: int | None = started.stdin
        self._stdout, self._stderr = started.stdout, started.stderr
        self.lines: deque[bytes] = deque()
        self.closed = False
        self.received = 0
        self._rest = b""
        self._to_send = bytearray()
        self._log = bytearray()
        self._stopped = False
        self._status = 0
        self._selector = selector
        self._watched: set[int] = set()
        for descriptor in (started.stdin, started.stdout, started.stderr):
            os.set_blocking(descriptor, False)
        self._watch(self._stdout, selectors.EVENT_READ, self._read)
        self._watch(self._stderr, selectors.EVENT_READ, self.read_log)

    # ---- pipes ----------------------------------------------------------------------------------

    def send(self, lines: bytes) -> None:
        """Send as much as goes at once; the rest goes out when the process listens, and blocks nobody."""
        self._to_send += lines
        if self._stdin is not None and self._stdin not in self._watched:
            self._write()
            if self._to_send:
                self._watch(self._stdin, selectors.EVENT_WRITE, self._write)

    def _watch(self, descriptor: int, events: int, call: Callable[[], None]) -> None:
        self._selector.register(descriptor, events, call)
        self._watched.add(descriptor)

    def _forget(self, descriptor: int) -> None:
        if descriptor in self._watched:
            self._watched.discard(descriptor)
            self._selector.unregister(descriptor)

    def _write(self) -> None:
        if self._stdin is None:
            return
        try:
            sent = os.write(self._stdin, self._to_send)
            del self._to_send[:sent]
        except BlockingIOError:
            return
        except OSError:
            self._to_send.clear()  # nobody reads; whether that is a fault shows at the other pipe
        if not self._to_send:
            self._forget(self._stdin)

    def _read(self) -> None:
        try:
            chunk = os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            self.closed = True
            self._forget(self._stdout)
            return
        self.received += len(chunk)
        if self.received > _MOST_UNASKED:  # nobody listens any more; :meth:`check` will tell why
            self._forget(self._stdout)
        lines = (self._rest + chunk).split(b"\n")
        self._rest = lines.pop()
        self.lines += lines

    def check(self, most: int) -> None:
        """Raises :class:`TooMuch` where a line is too long, or more than ``most`` bytes came since the last answer."""
        if len(self._rest) > LONGEST_LINE or (self.lines and len(self.lines[0]) > LONGEST_LINE):
            raise TooMuch(f"a line of more than {LONGEST_LINE} bytes")
        if self.received > most:
            raise TooMuch(f"more than {most} bytes for one request")

    # ---- its log --------------------------------------------------------------------------------

    @property
    def log(self) -> str:
        """The end of what the process wrote to standard error since :meth:`forget_log`."""
        return self._log.decode("utf-8", "replace").strip()

    def read_log(self) -> None:
        """Take what is there of its standard error, at most so much that it stops nobody."""
        if self._stopped:
            return
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stderr, _CHUNK)
            if not chunk:
                self._forget(self._stderr)
            self._log += chunk
            del self._log[:-_STDERR_KEPT]

    def drain_log(self) -> None:
        """Take all that is there of its standard error."""
        for _ in range(16):  # one that writes without end is not waited for
            before = len(self._log)
            self.read_log()
            if len(self._log) == before:
                break

    def forget_log(self) -> None:
        """From here on, a new log."""
        self.drain_log()
        self._log.clear()

    # ---- its end --------------------------------------------------------------------------------

    def how_it_ended(self) -> str:
        """Waits a moment for the end that a closed output announces, then stops what is left."""
        until = time.monotonic() + _END_SHOWS_WITHIN
        while not self._has_ended():
            if time.monotonic() > until:
                self.drain_log()
                self.stop()
                return "it closed its standard output and went on running"
            time.sleep(0.002)
        self.drain_log()
        self.stop()
        status = os.waitstatus_to_exitcode(self._status)
        if status < 0:
            return f"it was killed by {_signal_name(-status)}"
        return f"it ended with exit status {status}"

    def _has_ended(self) -> bool:
        return os.waitid(os.P_PID, self.number, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def say_farewell(self) -> None:
        """Nothing more will be sent; it may end by itself."""
        if not self._stopped and self._stdin is not None:
            self._write()
            self._forget(self._stdin)
            os.close(self._stdin)
            self._stdin = None

    def wait(self, until: float) -> None:
        """Wait for the process to end by itself, but no longer than until then (``time.monotonic()``)."""
        while not self._stopped and not self._has_ended() and time.monotonic() < until:
            time.sleep(0.001)

    def stop(self) -> None:
        """End the process and all that it started."""
        if self._stopped:
            return
        self._stopped = True
        # The group goes before its leader is reaped: until then nobody else can bear its number.
        self._child.kill_group()
        _, self._status = os.waitpid(self.number, 0)
        family.stop_all(self.mark)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            if descriptor is not None:
                self._forget(descriptor)
                os.close(descriptor)


def _signal_name(number: int) -> str:
    """The name of a signal; most real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
