"""What an answer says, and how an implementation introduces itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from truco_spec.conformance.asked import Broken
from truco_spec.conformance.protocol import PROTOCOL, Introduction, introduction_in
from truco_spec.conformance.shapes import ShapeError
from truco_spec.errors import TrucoError

T = TypeVar("T")


class TooNew(TrucoError):
    """The implementation speaks a later version of the protocol than this program."""


class Common:
    """What all processes of one implementation share: who they say they are."""

    def __init__(self) -> None:
        self.introduction: Introduction | None = None

    def introduce(self, message: dict[str, Any]) -> None:
        """The answer of one more process to hello. Raises :class:`Broken`; :class:`TooNew` for the first process."""
        try:
            introduction = read_answer(message, introduced, "")
        except TooNew:
            if self.introduction is None:
                raise
            introduction = None
        if self.introduction not in (None, introduction):
            said = "After a restart it introduced itself differently."
            raise Broken("protocol", said, "Answer hello always the same.")
        self.introduction = introduction


def read_answer(message: dict[str, Any], reader: Callable[[dict[str, Any]], T], log: str) -> T:
    """What ``reader`` makes of an answer. Raises :class:`Broken` with the log."""
    if "error" in message:
        raise Broken("error", f"It reports: {str(message['error'])[:500]}", "See its log.", log)
    try:
        return reader(message)
    except ShapeError as error:
        raise Broken("protocol", f"A wrong answer: {error}", "See docs/protocol.md.", log) from error


def introduced(message: dict[str, Any]) -> Introduction:
    """The answer to hello. Raises ShapeError; :class:`TooNew` where no other answer would help."""
    spoken, newest = message.get("protocol"), PROTOCOL[1]
    if isinstance(spoken, int) and spoken > newest:
        raise TooNew(f"The adapter speaks protocol {spoken}; this truco-spec speaks {newest}. Use a newer truco-spec.")
    return introduction_in(message)
