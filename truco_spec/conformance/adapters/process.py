"""A subprocess that speaks in lines, with bounded output and reliable termination.

The process leads its own process group, and has a mark in its environment that all descendants inherit; both are used
to stop the whole process tree. All calls are non-blocking: data are read when the selector reports them. Requires
POSIX.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus.protocol import LONGEST_LINE

MARK = "TRUCO_SPEC_RUN"
"""The environment variable that marks a process and all its descendants."""
_CHUNK = 1 << 16
_MOST_UNASKED = 16 * LONGEST_LINE
_STDERR_KEPT = 4000
_END_SHOWS_WITHIN = 0.5  # seconds


class CommandError(TrucoError):
    """The command cannot be started: there is no such program, or it is not executable."""


class TooMuch(Exception):
    """A line, or all lines of one exchange together, exceed the limit."""


_FRAME = re.compile(r"\s+at |\t\S+\.go:\d+|\S+\(.*\)$|goroutine |created by ")
"""A line of a stack trace of JavaScript, Java or Go, printed below the message; Python's is printed above it."""


def last_words(log: str, most: int) -> list[str]:
    """The end of a log, with the message above a stack trace rather than the trace."""
    lines = [line for line in log.splitlines() if line.strip()]
    return ([line for line in lines if not _FRAME.match(line)] or lines)[-most:]


class Process:
    """A started command. Raises :class:`CommandError` when it cannot be started. ``number`` is the id of the process
    and of its group.

    ``selector`` watches its pipes; the data of each key is a callable. ``lines`` are the complete lines received,
    without line ends; ``closed``: no more will come.
    """

    def __init__(self, command: Sequence[str], selector: selectors.BaseSelector) -> None:
        self.mark, self.number, pipes = _spawn(command)
        self._stdin: int | None = pipes[0]
        self._stdout, self._stderr = pipes[1:]
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
        for descriptor in pipes:
            os.set_blocking(descriptor, False)
        self._watch(self._stdout, selectors.EVENT_READ, self._read)
        self._watch(self._stderr, selectors.EVENT_READ, self._read_log)

    # ---- pipes ----------------------------------------------------------------------------------

    def send(self, lines: bytes) -> None:
        """Send without blocking; the rest is sent when the pipe is writable."""
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
            self._to_send.clear()  # closed input; whether that is a fault shows at the other pipe
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
        if self.received > _MOST_UNASKED:  # closed input; :meth:`check` reports why
            self._forget(self._stdout)
        lines = (self._rest + chunk).split(b"\n")
        self._rest = lines.pop()
        self.lines += lines

    @property
    def unfinished(self) -> bytes:
        """The received part of an unfinished line."""
        return self._rest

    def check(self, most: int) -> None:
        """Raises :class:`TooMuch` if a line, or the output since the last answer, exceeds ``most`` bytes."""
        if len(self._rest) > LONGEST_LINE or (self.lines and len(self.lines[0]) > LONGEST_LINE):
            raise TooMuch(f"a line of more than {LONGEST_LINE} bytes")
        if self.received > most:
            raise TooMuch(f"more than {most} bytes for one request")

    # ---- its log --------------------------------------------------------------------------------

    def log(self) -> str:
        """The tail of standard error since :meth:`forget_log`, up to now."""
        self._drain_log()
        return self._log.decode("utf-8", "replace").strip()

    def _read_log(self) -> None:
        """Read available standard error, up to a bound."""
        if self._stopped:
            return
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stderr, _CHUNK)
            if not chunk:
                self._forget(self._stderr)
            self._log += chunk
            del self._log[:-_STDERR_KEPT]

    def _drain_log(self) -> None:
        """Read all available standard error."""
        for _ in range(16):  # an endless writer is not waited for
            before = len(self._log)
            self._read_log()
            if len(self._log) == before:
                break

    def forget_log(self) -> None:
        """Start a new log."""
        self._drain_log()
        self._log.clear()

    # ---- its end --------------------------------------------------------------------------------

    def how_it_ended(self) -> str:
        """Wait briefly for the exit announced by a closed output, then stop the rest, and describe the exit."""
        until = time.monotonic() + _END_SHOWS_WITHIN
        while not self.has_ended():
            if time.monotonic() > until:
                self.stop()
                return "it closed its standard output and went on running"
            time.sleep(0.002)
        self.stop()
        status = os.waitstatus_to_exitcode(self._status)
        if status < 0:
            return f"it was killed by {_signal_name(-status)}"
        return f"it ended with exit status {status}"

    def has_ended(self) -> bool:
        """Whether the process itself has ended; others that it started may hold its pipes open."""
        return os.waitid(os.P_PID, self.number, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def say_farewell(self, line: bytes) -> None:
        """Send a last line and close its input; it may exit by itself."""
        if not self._stopped and self._stdin is not None:
            self._to_send += line
            self._write()
            self._forget(self._stdin)
            os.close(self._stdin)
            self._stdin = None

    def stop(self, until: float = 0) -> None:
        """Let the process exit by itself until this time (``time.monotonic()``), then stop its tree."""
        if self._stopped:
            return
        while not self.has_ended() and time.monotonic() < until:
            time.sleep(0.001)
        self._drain_log()
        self._stopped = True
        # Kill the group before reaping its leader: until then its number cannot be reused.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.number, signal.SIGKILL)
        _, self._status = os.waitpid(self.number, 0)
        stop_all(self.mark)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            if descriptor is not None:
                self._forget(descriptor)
                os.close(descriptor)


def _signal_name(number: int) -> str:
    """Return the name of a signal; most real-time signals have none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# ---- Its start ----------------------------------------------------------------------------------


_NEWER = "{name}3"
"""How a program is called of which there are two versions."""


def _why_not(program: str, error: Exception) -> Sentence:
    """Why a command cannot be started; of a missing ``python`` that there is a ``python3``, as on Debian."""
    if isinstance(error, FileNotFoundError) and os.sep not in program:
        import shutil  # slow to import and seldom needed

        form = "there is no program “{name}” here, but there is “{name}3”"
        newer = shutil.which(_NEWER.replace("{name}", program))
        return Sentence(form if newer else "there is no program “{name}” here", name=program)
    return Sentence(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


def _spawn(command: Sequence[str]) -> tuple[str, int, list[int]]:
    """Start a command as a session leader; its mark, its id, and our ends of its pipes. Raises CommandError."""
    mark = os.urandom(16).hex()
    theirs, ours = list[int](), list[int]()
    try:
        for reads in (True, False, False):
            ends = os.pipe()
            theirs.append(ends[0 if reads else 1])
            ours.append(ends[1 if reads else 0])
        number = _start(list(command), {**os.environ, MARK: mark}, theirs)
    except (OSError, ValueError) as error:
        for descriptor in ours:
            os.close(descriptor)
        why = _why_not(command[0], error)
        form = "The command ‘{command}’ cannot be started: {why}. Give it as it is typed in this folder."
        raise CommandError(Sentence(form, command=" ".join(command), why=why)) from error
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return mark, number, ours


def _start(command: list[str], environment: dict[str, str], pipes: list[int]) -> int:
    """The id of a new process with these as its standard input, output and error."""
    try:
        return os.posix_spawnp(
            command[0],
            command,
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(pipes)],
            setsid=True,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
    except (AttributeError, NotImplementedError):  # a system without posix_spawn
        import subprocess

        child = subprocess.Popen(  # noqa: S603 -- the user's own command, and no shell
            command, stdin=pipes[0], stdout=pipes[1], stderr=pipes[2], start_new_session=True, env=environment
        )
        child.returncode = 0  # reaped elsewhere
        return child.pid


# ---- The process tree: its members, memory and termination --------------------------------------

_PROC = "/proc"
_MOST_ROUNDS = 20
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def readable() -> bool:
    """Whether /proc can be read."""
    return _read(f"{_PROC}/self/statm") is not None


def stop_all(mark: str) -> None:
    """Kill every process with the mark."""
    for _ in range(_MOST_ROUNDS):  # one that starts others meanwhile is found in the next round
        alive = list(bearers(mark))
        for number in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        if not alive:
            return
        time.sleep(0.001)


def bearers(mark: str) -> Iterator[int]:
    """The ids of all live processes with the mark."""
    wanted = f"{MARK}={mark}".encode()
    for name in _processes():
        text = _read(f"{_PROC}/{name}/environ")  # empty after exit
        if text and wanted in text.split(b"\0"):
            yield int(name)


def _resident(number: int) -> int:
    """Resident bytes of a process; shared memory counts for each that shares it."""
    text = _read(f"{_PROC}/{number}/statm")
    return int(text.split()[1]) * _PAGE if text else 0


def _proportional(number: int) -> int:
    """Proportional bytes: shared memory is divided among its users. Slower."""
    for line in (_read(f"{_PROC}/{number}/smaps_rollup") or b"").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _resident(number)


def _processes() -> list[str]:
    try:
        return [name for name in os.listdir(_PROC) if name.isdecimal()]  # noqa: PTH208  (names are all that is wanted)
    except OSError:
        return []


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return None


# ---- Memory of a process tree, sampled ----------------------------------------------------------

EVERY = 0.05
"""Seconds between two samples of a slow process."""

UNITS = {"G": 1024**3, "M": 1024**2}
"""Bytes per unit letter."""

_NEW_ONES_EVERY = 0.25


class Scales:
    """Samples memory of one process tree after another. Where it cannot be measured, nothing is too heavy."""

    def __init__(self, most: int) -> None:
        self.most = most if most and readable() else 0
        self._members: list[int] = []
        self._next = self._next_members = 0.0

    def reset(self) -> None:
        """Start with another process."""
        self._members, self._next_members = [], 0.0

    def due(self) -> bool:
        """Whether the next sample is due."""
        return bool(self.most) and time.monotonic() >= self._next

    def too_heavy(self, process: Process) -> bool:
        """Whether the process tree exceeds its memory limit."""
        if not self.most:
            return False
        now = time.monotonic()
        self._next = now + EVERY
        if now >= self._next_members:
            self._members = [process.number, *(n for n in bearers(process.mark) if n != process.number)]
            took = time.monotonic() - now
            self._next_members = now + max(_NEW_ONES_EVERY, 50 * took)
        if sum(map(_resident, self._members)) <= self.most:
            return False
        return len(self._members) == 1 or sum(map(_proportional, self._members)) > self.most


def told(size: int) -> str:
    """Bytes in human-readable form: ``2G``, ``512M``."""
    for letter, unit in UNITS.items():
        if size >= unit and size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size} bytes"
