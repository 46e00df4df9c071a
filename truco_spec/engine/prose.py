"""Sentences of rules with the placeholders filled that the options determine."""

from __future__ import annotations

import re

from truco_spec.base.memo import by_identity
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.layout import NONE, Layout
from truco_spec.graph.model import Graph
from truco_spec.graph.walk import data_read, exprs_of_define

_ASIDE = re.compile(r" \(\{([^{}]*)\}\)")
_HOLE = re.compile(r"\{([^{}]*)\}")


def told(graph: Graph, prose: str) -> str:
    """Fill the placeholders of options and of questions that the options determine.

    Other names lose their braces and hyphens; an aside that depends on play is omitted.
    """
    if "{" not in prose:
        return prose
    fixed = _fixed(graph)
    text = _ASIDE.sub(lambda aside: f" ({found})" if (found := fixed.value(aside[1])) else "", prose)
    return _HOLE.sub(lambda hole: fixed.value(hole[1]) or hole[1].replace("-", " "), text)


@by_identity(64)
def _fixed(graph: Graph) -> _Fixed:
    return _Fixed(graph)


class _Fixed:
    """The constants of a graph: what its options determine."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[str, str] = {}
        self.evaluator: Evaluator | None = None

    def value(self, name: str) -> str:
        """The value of an option or of a question without parameters; empty if play decides it."""
        if name not in self.known:
            self.known[name] = self._found(name)
        return self.known[name]

    def _found(self, name: str) -> str:
        graph = self.graph
        if name in graph.options:
            return graph.options[name].value
        define = graph.defines.get(name)
        if define is None or define.params or not data_read(graph, exprs_of_define(define)) <= graph.options.keys():
            return ""
        if self.evaluator is None:
            self.evaluator = self._before_anything()
        return graph.text_of(define.type, self.evaluator.ask(name, ()))

    def _before_anything(self) -> Evaluator:
        """A position in which only the options are known; in some graphs they are data
        (:mod:`truco_spec.graph.open_options`).
        """
        layout = Layout(self.graph)
        position = [NONE] * layout.size
        for name, option in self.graph.options.items():
            if name in layout.blocks:
                value = self.graph.value_of(self.graph.data[name].type, option.value)
                position[layout.blocks[name].base] = NONE if value is None else value
        return Evaluator(layout, position)
