"""Lines on standard output that are no answers: noted until it is plain what they were."""

from __future__ import annotations

import time

from truco_spec.conformance.asked import Broken
from truco_spec.conformance.process import TooMuch
from truco_spec.conformance.protocol import NotAMessage, message_in

_MOST = 100


class Strange:
    """Such lines since the last answer. After the first an answer may still come, for ``seconds``: until ``until``."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.until = 0.0
        self._lines: list[bytes] = []

    def __bool__(self) -> bool:
        return bool(self._lines)

    def clear(self) -> None:
        """An answer came, or will not come any more."""
        self._lines.clear()

    def add(self, line: bytes) -> None:
        """One more. Raises :class:`TooMuch`."""
        if not self._lines:
            self.until = time.monotonic() + self.seconds
        self._lines.append(line)
        if len(self._lines) > _MOST:
            raise TooMuch(f"more than {_MOST} lines that are no answer")

    def chatter(self) -> Broken | None:
        """The fault of an answer that came after such lines."""
        advice = "Only answers go to standard output; write all else to standard error."
        return self._fault("Chatter on standard output before the answer", advice)

    def garbage(self) -> Broken | None:
        """The fault of such lines after which no answer came."""
        return self._fault("Garbage instead of an answer", "Answer in one line of JSON.")

    def pieces_of(self, wanted: str) -> Broken | None:
        """The fault, if the lines together are the answer with this id."""
        for glue in (b"", b" "):
            try:
                if message_in(glue.join(self._lines))["id"] == wanted:
                    said = f"The answer was split over {len(self._lines)} lines."
                    return Broken("protocol", said, "Write each answer on one line.")
            except NotAMessage:
                continue
        return None

    def _fault(self, what: str, advice: str) -> Broken | None:
        if not self._lines:
            return None
        return Broken("protocol", f"{what}: {self._lines[0][:80].decode('utf-8', 'replace')!r}", advice)
