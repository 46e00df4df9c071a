"""The root of every declared error: what a command line turns into one message and an exit status."""

from __future__ import annotations


class TrucoError(Exception):
    """Something that the user gave cannot be used.

    ``str()`` is the whole message: what is wrong, where, why, and what to do. Each part of the package derives its own
    errors from this class. ``exit_status`` is what a command ends with: 2, the input is bad.
    """

    exit_status = 2
