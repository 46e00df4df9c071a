"""Questions about one position, each answered once: for those who ask again and again what stands behind a move."""

from __future__ import annotations

from truco_spec.engine.evaluate import Derivation, Evaluator
from truco_spec.engine.layout import Layout


class AskedOnce(Evaluator):
    """Answers a question that was asked before in the same position as it was answered then."""

    def __init__(self, layout: Layout, position: list[int]) -> None:
        super().__init__(layout, position)
        self.known: dict[tuple[str, tuple[int, ...]], Derivation] = {}

    def ask(self, name: str, args: tuple[int, ...]) -> int:
        """The answer; how it came about is noted each time, as one and the same derivation."""
        found = self.known.get((name, args))
        if found is not None:
            self.asked.append(found)
            return found.value
        value = super().ask(name, args)
        self.known[name, args] = self.asked[-1]
        return value

    def take(self) -> list[Derivation]:
        """What was asked since the last time, each once."""
        found, self.asked = list({id(d): d for d in self.asked}.values()), []
        return found
