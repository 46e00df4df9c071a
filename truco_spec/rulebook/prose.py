"""Sentences of the specs as a reader wants them: every placeholder filled from the graph, or gone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from truco_spec.graph.model import Graph
from truco_spec.rulebook.words import Words

PACK_SIZE = "pack-size"
"""The placeholder for the number of the cards."""

_ASIDE = re.compile(r" \(\{([^{}]*)\}\)")
_HOLE = re.compile(r"(?:\b(\w+) )?\{([^{}]*)\}")


@dataclass(slots=True)
class Filler:
    """Fills the placeholders of one graph. ``bare`` is the graph with its constants worked out.

    ``words`` translates the values of options.
    """

    graph: Graph
    bare: Graph
    words: Words
    _known: dict[str, str | None] = field(default_factory=dict)

    def otherwise(self) -> Filler:
        """Fills what would hold if otherwise agreed: the other values of an option stand for its name."""
        others = {
            name: self._one_of([self.words.value(name, v) for v in option.values if v != option.value])
            for name, option in self.graph.options.items()
            if option.values[1:]
        }
        return replace(self, _known=dict(others))

    def _one_of(self, values: list[str]) -> str:
        """The values as a list: “2, 3 or 4”."""
        *others, last = values
        return f"{', '.join(others)} {self.words('or')} {last}" if others else last

    def __call__(self, sentence: str) -> str:
        """The sentence with the value of an option or a constant for its name; without an aside that hangs on play."""
        told = _ASIDE.sub(lambda aside: f" ({found})" if (found := self._value(aside[1])) else "", sentence)
        return _HOLE.sub(self._filled, told)

    def _filled(self, hole: re.Match[str]) -> str:
        """A placeholder with the word before it."""
        found = self._value(hole[2]) or hole[2].replace("-", " ")
        return self.words.joined(hole[1], found) if hole[1] else found

    def _value(self, name: str) -> str | None:
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> str | None:
        if name == PACK_SIZE:
            return str(sum(card.present for card in self.graph.cards))
        if name in self.graph.options:
            return self.words.value(name, self.graph.options[name].value)
        define = self.bare.defines.get(name)
        if define is None or define.params or len(define.answers) != 1:
            return None
        answer = define.answers[0]
        if answer.when is not None or answer.value.op != "const":
            return None
        return self.graph.text_of(define.type, answer.value.value)
