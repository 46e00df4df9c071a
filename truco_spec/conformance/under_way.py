"""Requests that were sent and are not answered yet, each with an id that nobody can guess."""

from __future__ import annotations

import os
from collections import deque
from typing import NamedTuple

from truco_spec.conformance.asked import Asked

_NOBODY = Asked((), lambda number, message: None)
"""Whose answers are not wanted any more."""


class Sent(NamedTuple):
    """One request; ``case`` is None for hello. ``size`` in bytes."""

    id: str
    case: Asked | None
    size: int


class UnderWay:
    """The requests of one process after another, in order. An id is process and number: no answer of another process,
    or to another request, can be taken for it.
    """

    def __init__(self) -> None:
        self.generation = 0
        self.size = 0
        self._sent: deque[Sent] = deque()
        self._number = 0
        self._given: set[str] = set()

    def __len__(self) -> int:
        return len(self._sent)

    @property
    def first(self) -> Sent:
        """The one that is to be answered next."""
        return self._sent[0]

    @property
    def starting(self) -> bool:
        """Whether a process has not said hello yet."""
        return bool(self._sent) and self._sent[0].case is None

    def new_process(self) -> str:
        """The id of the first request to a new process."""
        self.clear()
        self.generation += 1
        self._number = 0
        self._given.clear()
        self._sent.append(Sent(self.new_id(), None, 0))
        return self.first.id

    def new_id(self) -> str:
        """The next id. How far it is from the last cannot be guessed."""
        self._number += int.from_bytes(os.urandom(1), "big") + 2 if self._number else 1
        found = f"{self.generation}.{self._number}"
        self._given.add(found)
        return found

    def line(self, case: Asked, number: int) -> bytes:
        """The line of a request of a case, which is sent now."""
        name = self.new_id()
        line = b'{"id":"%s",%s' % (name.encode(), case.requests[number])
        self._sent.append(Sent(name, case, len(line)))
        self.size += len(line)
        return line

    def answered(self) -> Asked | None:
        """The first is answered: its case, or None for hello."""
        sent = self._sent.popleft()
        self.size -= sent.size
        return sent.case

    def is_later(self, found: str) -> bool:
        """Whether it is the id of a request that is to be answered, but not next."""
        return any(found == sent.id for sent in self._sent)

    def was_given(self, found: str) -> bool:
        """Whether it is the id of any request to this process."""
        return found in self._given

    def open_cases(self) -> list[Asked]:
        """The cases that still need an answer, in order."""
        return list(dict.fromkeys(sent.case for sent in self._sent if sent.case and not sent.case.over))

    def forget(self, case: Asked) -> None:
        """Whatever is still answered of this case is not wanted."""
        self._sent = deque(sent._replace(case=_NOBODY) if sent.case is case else sent for sent in self._sent)

    def clear(self) -> None:
        """Nothing is to be answered any more."""
        self._sent.clear()
        self.size = 0
