"""One run of a command that speaks in lines: bounded in time and memory, and gone when it is stopped.

The process leads a group of its own, so that stopping it stops whatever it started. Needs POSIX.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence

from truco_spec.conformance.protocol import LONGEST_LINE
from truco_spec.errors import TrucoError

_CHUNK = 1 << 16
_MOST_BYTES = 4 * LONGEST_LINE
_STDERR_KEPT = 4000


class CommandError(TrucoError):
    """The command cannot be started at all: there is no such program, or it may not be executed."""


class Ended(Exception):
    """The process closed its output, or died, before a line was complete. ``how`` says in words how it ended."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class TooLate(Exception):
    """No complete line came in time."""


class TooMuch(Exception):
    """A line, or all lines of one exchange together, are longer than allowed."""


class Process:
    """A started command. Raises :class:`CommandError` when it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._child = subprocess.Popen(  # noqa: S603 -- the user's own command, and no shell
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise CommandError(
                f"The command ‘{' '.join(command)}’ cannot be started: {why}. Give the command of an adapter after --."
            ) from error
        assert self._child.stdin and self._child.stdout and self._child.stderr  # for the type checker: all are pipes
        self._stdin, self._stdout, self._stderr = self._child.stdin, self._child.stdout, self._child.stderr
        self._to_send = bytearray()
        self._received = bytearray()
        self._log = bytearray()
        self._stopped = False
        self._selector = selectors.DefaultSelector()
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)

    @property
    def log(self) -> str:
        """The end of what the process wrote to standard error."""
        return self._log.decode("utf-8", "replace").strip()

    def send(self, line: bytes) -> None:
        """Queue a line; it goes out while lines are read, so that a process that does not listen blocks nobody."""
        if not self._to_send and not self._stdin.closed:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._to_send += line

    def lines(self, seconds: float) -> Iterator[bytes]:
        """Complete lines, without their ends, as they come in; ``seconds`` are for all of them together.

        Raises :class:`Ended`, :class:`TooLate` or :class:`TooMuch`.
        """
        deadline = time.monotonic() + seconds
        budget = _MOST_BYTES
        while True:
            while (end := self._received.find(b"\n")) >= 0:
                line = bytes(self._received[:end])
                del self._received[: end + 1]
                budget -= len(line) + 1
                if len(line) > LONGEST_LINE:
                    raise TooMuch(f"a line of more than {LONGEST_LINE} bytes")
                if budget < 0:
                    raise TooMuch(f"more than {_MOST_BYTES} bytes for one request")
                yield line.rstrip(b"\r")
            if len(self._received) > LONGEST_LINE:
                raise TooMuch(f"a line of more than {LONGEST_LINE} bytes")
            self._exchange(deadline)

    def _exchange(self, deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TooLate
        for key, _ in self._selector.select(left):
            if key.fileobj is self._stdin:
                self._write()
            elif key.fileobj is self._stderr:
                self._read_log()
            else:
                chunk = os.read(self._stdout.fileno(), _CHUNK)
                if not chunk:
                    raise Ended(self._how_it_ended())
                self._received += chunk

    def _write(self) -> None:
        try:
            sent = os.write(self._stdin.fileno(), self._to_send)
            del self._to_send[:sent]
        except BlockingIOError:
            return
        except OSError:
            self._to_send.clear()  # nobody reads; whether that is a fault shows at the other pipe
        if not self._to_send:
            self._selector.unregister(self._stdin)

    def _read_log(self) -> None:
        chunk = os.read(self._stderr.fileno(), _CHUNK)
        if not chunk:
            self._selector.unregister(self._stderr)
        self._log += chunk
        del self._log[:-_STDERR_KEPT]

    def _how_it_ended(self) -> str:
        """Waits a moment for the end that a closed output announces, then stops what is left."""
        until = time.monotonic() + 0.5
        while time.monotonic() < until:
            if os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            time.sleep(0.005)
        else:
            self.stop()
            return "it closed its standard output and went on running"
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._stderr.fileno(), _CHUNK):
                self._log += chunk
                del self._log[:-_STDERR_KEPT]
        self.stop()
        status = self._child.returncode
        if status < 0:
            return f"it was killed by {signal.Signals(-status).name}"
        return f"it ended with exit status {status}"

    def stop(self, patience: float = 0.0) -> None:
        """End the process and all that it started; ``patience``: seconds in which it may end by itself."""
        if self._stopped:
            return
        self._stopped = True
        if patience:
            self._farewell(patience)
        # The group goes before its leader is reaped: until then nobody else can bear its number.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._selector.close()
        for stream in (self._stdin, self._stdout, self._stderr):
            stream.close()

    def _farewell(self, patience: float) -> None:
        until = time.monotonic() + patience
        while self._to_send and time.monotonic() < until:
            self._write()
        self._stdin.close()
        while time.monotonic() < until:
            if os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                return
            time.sleep(0.002)
