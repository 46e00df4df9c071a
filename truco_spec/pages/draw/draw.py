"""One door to all drawings. A form's module is imported when it is asked for."""

from __future__ import annotations

from truco_spec.base.errors import TrucoError
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import nearest

FORMS = ("dot", "svg", "mermaid", "json")
"""The forms of a drawing."""


class DrawError(TrucoError):
    """There is no such phase to draw, or no such form."""


def draw(graph: Graph, form: str, *, core: bool = False, phase: str = "") -> str:
    """The graph in one of :data:`FORMS`, ending in a line break; with ``core`` as text of the rules language instead.

    ``phase`` draws only that phase with those before and after it. Raises :class:`DrawError`.
    """
    if core:
        from truco_spec.pages.draw.core import core_text

        return core_text(graph)
    if form not in FORMS:
        raise DrawError(f"There is no form “{form}”; there are {', '.join(FORMS)}.")
    if phase and phase not in graph.phases:
        near = nearest(phase, graph.phases)
        hint = f"did you mean “{near}”?" if near else f"there are {', '.join(graph.phases)}."
        raise DrawError(f"{graph.name} has no phase “{phase}”; {hint}")
    if form == "json":
        import json

        from truco_spec.pages.draw.data import data_of

        return json.dumps(data_of(graph), indent=1, ensure_ascii=False) + "\n"
    from truco_spec.pages.draw.picture import picture_of

    picture = picture_of(graph, phase)
    if form == "svg":
        from truco_spec.pages.draw.svg import svg

        return svg(picture)
    from truco_spec.pages.draw import texts

    return texts.dot(picture) if form == "dot" else texts.mermaid(picture)
