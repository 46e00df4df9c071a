"""Starting the command of an adapter, and nothing else: it gets ready while the rest of this program is loaded.

So this imports next to nothing; that is why it starts processes by itself, where the system can do it in one call. What
is said to a process first is always the same, but for the version of the corpus, and is said at once.
"""

from __future__ import annotations

import os
import select
import signal

from truco_spec.base.errors import TrucoError

TYPE_CHECKING = False  # as in typing, which takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence

MARK = "TRUCO_SPEC_RUN"
"""The variable of the environment by which all that a process started is found again."""

FIRST_ID = "1.1"
_PACKAGE = __file__.rsplit(os.sep, 3)[0]  # pathlib takes longer to import than all of this
_EDITION = "conformance/corpus.txt"

_SECONDS_FIRST = 0.3
_TWO = 1.5  # cores, as nearly as it can be told
_CHOOSING = ("--variant", "--case", "--level", "--players", "--cases")
_HARMLESS = (*_CHOOSING, "--timeout", "--memory", "--null", "--no-null", "-j", "-v", "--verbose", "-q", "--quiet")
"""Options that leave nothing to be looked at before anything is begun."""


class CommandError(TrucoError):
    """The command cannot be started at all: there is no such program, or it may not be executed."""


class Child:
    """A process that was started: its number, and the descriptors of our ends of its pipes. ``mark`` stands in its
    environment. Whoever adopts it stops it.
    """

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
        except OSError:  # whoever does not listen is told so later
            pass

    def let_it_go_first(self) -> None:
        """Unless two cores are free, wait a little for the first answer: to go on would only take a core away."""
        try:
            free = len(os.sched_getaffinity(0)) - os.getloadavg()[0]
        except (AttributeError, OSError):  # this system does not tell
            return
        if free < _TWO:
            select.select([self.stdout], [], [], _SECONDS_FIRST)

    def stop(self) -> None:
        """End it, unless somebody adopted it."""
        if self.adopted:
            return
        self.adopted = True
        self.kill_group()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.close(descriptor)
        os.waitpid(self.number, 0)

    def kill_group(self) -> None:
        """End it and those that it started, as far as they are still in its group."""
        try:  # noqa: SIM105 -- contextlib takes longer to import than all of this
            os.killpg(self.number, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def edition_told() -> str:
    """The version of the shipped corpus, as processes are told it; empty where it cannot be read, which others tell."""
    for place in (f"{_PACKAGE}/data/{_EDITION}", f"{_PACKAGE}/../{_EDITION}"):
        try:
            with open(place, encoding="ascii") as lines:
                words = next((line for line in lines if not line.startswith("#")), "").split()
        except (OSError, ValueError):
            continue
        return words[1] if len(words) == 2 and words[1].replace(".", "").isdigit() else ""
    return ""


def first_line() -> bytes:
    """The first request to a process that is started ahead."""
    told = f'{{"id":"{FIRST_ID}","protocol":[1,1],"corpus":1,"edition":"{edition_told()}","do":"hello"}}\n'
    return told.encode()


def spawn(command: Sequence[str]) -> Child:
    """Start a command as the leader of a session of its own. Raises :class:`CommandError`."""
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
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(
            f"The command ‘{' '.join(command)}’ cannot be started: {why}. Give it as it is typed in this folder."
        ) from error
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    return Child(command, mark, number, (ours[0], ours[1], ours[2]))


def _start(command: list[str], environment: dict[str, str], pipes: list[int]) -> int:
    """The number of a new process with these as its standard input, output and error."""
    try:
        return os.posix_spawnp(
            command[0],
            command,
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(pipes)],
            setsid=True,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
    except (AttributeError, NotImplementedError):  # a system that cannot do that at once
        import subprocess

        child = subprocess.Popen(  # noqa: S603 -- the user's own command, and no shell
            command, stdin=pipes[0], stdout=pipes[1], stderr=pipes[2], start_new_session=True, env=environment
        )
        child.returncode = 0  # it is waited for elsewhere
        return child.pid


class Ahead:
    """Within ``with``, the command runs and is greeted, for somebody to adopt; else it is gone afterwards. None for no
    command. Raises :class:`CommandError`.
    """

    started: Child | None = None
    """One that runs already, because :class:`AtOnce` began with it."""

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
    """Within ``with``, the adapter with which a command line ends runs already, if nothing is to be looked at before.

    ``arguments`` are those of ``truco-spec test``. What cannot be started is told by whoever needs it.
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
