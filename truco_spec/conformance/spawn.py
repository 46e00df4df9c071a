"""Starting the command of an adapter, and nothing else: it gets ready while the rest of this program is loaded.

So this imports next to nothing. What is said to a process first is always the same, and is said at once.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from truco_spec.errors import TrucoError

MARK = "TRUCO_SPEC_RUN"
"""The variable of the environment by which all that a process started is found again."""

FIRST_ID = "1.1"
FIRST_LINE = b'{"id":"1.1","protocol":[1,1],"corpus":1,"do":"hello"}\n'
"""The first request to a process that is started ahead."""


class CommandError(TrucoError):
    """The command cannot be started at all: there is no such program, or it may not be executed."""


@dataclass(slots=True)
class Child:
    """A process that was started; ``mark`` stands in its environment. ``greeted``: the first line was sent."""

    process: subprocess.Popen[bytes]
    mark: str
    greeted: bool = False
    adopted: bool = False


def spawn(command: Sequence[str]) -> Child:
    """Start a command as the leader of a session of its own. Raises :class:`CommandError`."""
    mark = os.urandom(16).hex()
    try:
        child = subprocess.Popen(  # noqa: S603 -- the user's own command, and no shell
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, MARK: mark},
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CommandError(
            f"The command ‘{' '.join(command)}’ cannot be started: {why}. Give the command of an adapter after --."
        ) from error
    return Child(child, mark)


@contextlib.contextmanager
def ahead(command: Sequence[str]) -> Iterator[Child | None]:
    """Within, the command is started and greeted, for somebody to adopt; else it is gone afterwards. Nothing for none.

    Raises :class:`CommandError`.
    """
    child = spawn(command) if command else None
    try:
        if child is not None and child.process.stdin is not None:
            with contextlib.suppress(OSError):  # whoever does not listen is told so later
                child.process.stdin.write(FIRST_LINE)
                child.greeted = True
        yield child
    finally:
        if child is not None and not child.adopted:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.communicate()
