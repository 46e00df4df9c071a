"""The base class of all declared errors, which the command line turns into one message and an exit status."""

from __future__ import annotations


class TrucoError(Exception):
    """User input that cannot be used.

    ``str()`` is the whole message: what is wrong, where, why, and what to do. Each part of the package derives its own
    errors from this class. ``exit_status`` is the exit status of a command: 2, bad input.
    """

    exit_status = 2
