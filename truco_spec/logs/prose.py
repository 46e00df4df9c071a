"""The sentences of rules, with their placeholders filled as far as the options tell."""

from __future__ import annotations

import re

from truco_spec.graph.model import Graph

_HOLE = re.compile(r"\{([^{}]*)\}")


def told(graph: Graph, prose: str) -> str:
    """The sentence: an option's value for its name; other names stand as they are, without their braces."""
    return _HOLE.sub(lambda hole: graph.options[hole[1]].value if hole[1] in graph.options else hole[1], prose)
