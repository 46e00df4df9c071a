"""Starts the command of an adapter early, while the rest of this program is imported.

For this reason it imports almost nothing, and starts processes with ``posix_spawn`` where available. The first message
to a process is the same in every run, except for the version of the corpus, and is sent at once.
"""

from __future__ import annotations

import os
import select
import signal

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence

TYPE_CHECKING = False  # as in typing, whose import takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "TRUCO_SPEC_RUN"
"""The environment variable that marks a process and all its descendants."""

FIRST_ID = "1.1"
_PACKAGE = __file__.rsplit(os.sep, 3)[0]  # pathlib takes longer to import than all of this
_EDITION = "conformance/corpus.txt"

_SECONDS_FIRST = 0.3
_TWO = 1.5  # available cores, approximately
_CHOOSING = ("--variant", "--case", "--level", "--players", "--cases")
_HARMLESS = (*_CHOOSING, "--timeout", "--memory", "--null", "--no-null", "-j", "-v", "--verbose", "-q", "--quiet")
"""Options that require no checks before the start."""


class CommandError(TrucoError):
    """The command cannot be started: there is no such program, or it is not executable."""


class Child:
    """A started process: its id, and our ends of its pipes. ``mark`` is in its environment. Its adopter stops it."""

    __slots__ = ("adopted", "command", "greeted", "mark", "number", "stderr", "stdin", "stdout")

    def __init__(self, command: Sequence[str], mark: str, number: int, pipes: tuple[int, int, int]) -> None:
        self.command, self.mark, self.number = tuple(command), mark, number
        self.stdin, self.stdout, self.stderr = pipes
        self.greeted = self.adopted = False

    def greet(self) -> None:
        """Send the first line."""
        try:
            os.write(self.stdin, first_line())
            self.greeted = True
        except OSError:  # a process that does not read is reported later
            pass

    def let_it_go_first(self) -> None:
        """With fewer than two free cores, wait briefly for the first answer instead of competing for the core."""
        try:
            free = len(os.sched_getaffinity(0)) - os.getloadavg()[0]
        except (AttributeError, OSError):  # not available on this system
            return
        if free < _TWO:
            select.select([self.stdout], [], [], _SECONDS_FIRST)

    def stop(self) -> None:
        """Stop it, unless it was adopted."""
        if self.adopted:
            return
        self.adopted = True
        self.kill_group()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        os.waitpid(self.number, 0)

    def kill_group(self) -> None:
        """Kill its process group."""
        try:  # noqa: SIM105 -- contextlib takes longer to import than all of this
            os.killpg(self.number, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def edition_told() -> str:
    """The version of the shipped corpus, sent in hello; empty if it cannot be read, which is reported elsewhere."""
    for place in (f"{_PACKAGE}/data/{_EDITION}", f"{_PACKAGE}/../{_EDITION}"):
        try:
            with open(place, encoding="ascii") as lines:
                words = next((line for line in lines if not line.startswith("#")), "").split()
        except (OSError, ValueError):
            continue
        return words[1] if len(words) == 2 and words[1].replace(".", "").isdigit() else ""
    return ""


def first_line() -> bytes:
    """The first request to a process started in advance."""
    told = f'{{"id":"{FIRST_ID}","protocol":[1,1],"corpus":1,"edition":"{edition_told()}","do":"hello"}}\n'
    return told.encode()


def spawn(command: Sequence[str]) -> Child:
    """Start a command as a session leader. Raises :class:`CommandError`."""
    mark = os.urandom(16).hex()
    theirs, ours = [], []
    try:
        for reads in (True, False, False):
            ends = os.pipe()
            theirs.append(ends[0 if reads else 1])
            ours.append(ends[1 if reads else 0])
        number = _start(list(command), {**os.environ, MARK: mark}, theirs)
    except (OSError, ValueError) as error:
        for descriptor in ours:
            os.close(descriptor)
        why = Sentence(error.strerror if isinstance(error, OSError) and error.strerror else str(error))
        form = "The command ‘{command}’ cannot be started: {why}. Give it as it is typed in this folder."
        raise CommandError(Sentence(form, command=" ".join(command), why=why)) from error
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return Child(command, mark, number, (ours[0], ours[1], ours[2]))


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


class Ahead:
    """A context in which the command runs and is greeted, to be adopted; otherwise it is stopped on exit. None for no
    command. Raises :class:`CommandError`.
    """

    started: Child | None = None
    """The process already started by :class:`AtOnce`."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.child: Child | None = None

    def __enter__(self) -> Child | None:
        if self.command:
            self.child, Ahead.started = Ahead.started, None
            if self.child is None or self.child.command != tuple(self.command):
                self.child = spawn(self.command)
                self.child.greet()
        return self.child

    def __exit__(self, *exception: object) -> None:
        if self.child is not None:
            self.child.stop()


class AtOnce:
    """A context that starts the adapter named at the end of a command line, unless options require checks first.

    ``arguments`` are those of ``truco-spec test``. A command that cannot be started is reported by its later user.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        words = list(arguments)
        at = words.index("--") if "--" in words else len(words)
        options = [word.partition("=")[0] for word in words[:at] if word.startswith("-")]
        harmless = all(option in _HARMLESS or option.startswith("-j") for option in options)
        self.command = words[at + 1 :] if harmless else []

    def __enter__(self) -> None:
        if self.command:
            try:
                Ahead.started = spawn(self.command)
                Ahead.started.greet()
                Ahead.started.let_it_go_first()
            except CommandError:
                pass

    def __exit__(self, *exception: object) -> None:
        if Ahead.started is not None:
            Ahead.started.stop()
            Ahead.started = None
