"""Drawings of the rule graph: dot, SVG, Mermaid, JSON, or text in the core of the rules language.

In: a graph. Out: a text in one of these formats, whose module is imported on demand. Begin with ``picture``.
"""

from __future__ import annotations

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, hinted, suggestion
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import nearest

FORMS = ("dot", "svg", "mermaid", "json")
"""The formats of a drawing."""


class DrawError(TrucoError):
    """Unknown phase or format."""


def draw(graph: Graph, form: str, *, core: bool = False, phase: str = "") -> str:
    """Draw the graph in one of :data:`FORMS`, ending in a line break; with ``core`` as text of the rules language
    instead.

    ``phase`` restricts the drawing to one phase and its neighbours. Raises :class:`DrawError`.
    """
    if core:
        from truco_spec.pages.draw.rules_text import core_text

        return core_text(graph)
    if form not in FORMS:
        raise DrawError(Sentence("There is no form “{name}”; there are {known}.", name=form, known=FORMS))
    if phase and phase not in graph.phases:
        near = nearest(phase, graph.phases)
        wrong = Sentence("{game} has no phase “{name}”.", game=graph.name, name=phase)
        hint = Sentence("There are: {names}.", names=tuple(graph.phases))
        raise DrawError(hinted(wrong, suggestion(near, hint)))
    if form == "json":
        import json

        from truco_spec.pages.draw.rules_text import data_of

        return json.dumps(data_of(graph), indent=1, ensure_ascii=False) + "\n"
    from truco_spec.pages.draw.picture import dot, mermaid, picture_of

    picture = picture_of(graph, phase)
    if form == "svg":
        from truco_spec.pages.draw.svg import svg

        return svg(picture)
    return dot(picture) if form == "dot" else mermaid(picture)
