"""First values may be worked out from other data; then those come first. A circle of them has no beginning."""

from __future__ import annotations

from truco_spec.graph.model import Graph
from truco_spec.graph.walk import data_read
from truco_spec.language.diagnostics import Diagnostic


def circles(graph: Graph) -> list[Diagnostic]:
    """One mistake for each circle of data whose first values wait for each other."""
    reads = {
        name: sorted(data_read(graph, [datum.first]) & graph.data.keys())
        for name, datum in graph.data.items()
        if datum.first is not None and datum.first.op != "const"
    }
    found: list[Diagnostic] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            circle = " from ".join([*path[path.index(name) :], name])
            message = f"the first value of {circle}: none of them can be worked out first"
            found.append(Diagnostic("error", "circle", message, graph.data[name].source.span))
        elif name not in done:
            for other in reads.get(name, ()):
                visit(other, [*path, name])
            done.add(name)

    for name in reads:
        visit(name, [])
    return found
