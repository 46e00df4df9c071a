"""Citations of unknown authorities, unknown placeholders and ambiguous notations.

**Proved**: every citation names a clause, a gap or an option of a known source, or a decision of the variant; every
decision is cited; every placeholder in a sentence is known in its scope; no two actions have the same notation.
**How**: by look-up. **Witness**: the citation, the name, the text that means two actions.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from truco_spec.checks.reach.study import Study
from truco_spec.checks.variant import Variant
from truco_spec.graph.model import ActionKind, Graph
from truco_spec.graph.sources import UnknownSource, registry
from truco_spec.graph.types import Type
from truco_spec.language.diagnostics import nearest
from truco_spec.language.tree import Cite, Span, Statement

DECIDED = "decided"
_HOLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_MOST_TEXTS = 400


def check(study: Study, variant: Variant) -> None:
    """All citations, placeholders and notations of a variant."""
    decisions = {n: i.statement for n, i in variant.chain.items.items() if i.statement.kind == "decision"}
    inherited = (c for block in variant.chain.blocks for item in block.items for c in item.cites)
    cited = {cite.clause for cite in inherited if cite.source == DECIDED}
    for _, cites in _citing(variant):
        for cite in cites:
            _citation(study, variant, cite, decisions)
    for name, statement in decisions.items():
        if name not in cited:
            study.find(
                "warning",
                "decision-uncited",
                f"nothing cites decision {name}",
                statement.name_span,
                f"cite it with @{DECIDED}:{name} where the rules follow it, or take it out",
            )
    _placeholders(study, variant)
    _notations(study)


def _citing(variant: Variant) -> Iterator[tuple[Statement, tuple[Cite, ...]]]:
    chain = variant.chain
    for item in chain.items.values():
        yield item.statement, item.statement.cites
    for more in (*chain.sets.values(), *chain.parts.values()):
        yield more[0], more[0].cites
    for statement in chain.dropped.values():
        yield statement, statement.cites


def _citation(study: Study, variant: Variant, cite: Cite, decisions: dict[str, Statement]) -> None:
    if cite.source == DECIDED:
        if cite.clause not in decisions:
            near = nearest(cite.clause, decisions)
            hint = f"did you mean @{DECIDED}:{near}?" if near else f"write `decision {cite.clause} resolves …`"
            study.find("error", "unknown-decision", f"there is no decision {cite.clause}", cite.span, hint)
        return
    try:
        source = registry(cite.source, *variant.folders)
    except UnknownSource as unknown:
        hint = f"did you mean @{unknown.near}:{cite.clause}?" if unknown.near else ""
        study.find("error", "unknown-source", f"there is no source {cite.source}", cite.span, hint)
        return
    if not source.known(cite.clause):
        near = source.nearest(cite.clause)
        hint = f"did you mean @{cite.source}:{near}?" if near else ""
        message = f"source {cite.source} has no clause {cite.clause}"
        study.find("error", "unknown-clause", message, cite.span, hint)


# ---- sentences ---------------------------------------------------------------------------------


def _placeholders(study: Study, variant: Variant) -> None:
    """Check that a name in braces is a parameter, a datum, a define, a table or an option."""
    items = variant.chain.items
    graph = study.graph
    everywhere = {*graph.data, *graph.defines, *graph.tables, *graph.options, *graph.orders}
    for item in items.values():
        statement = item.statement
        own = {p.name for p in statement.params}
        own |= {arg.text for c in statement.clauses for v in c.verbs for arg in v.args if hasattr(arg, "text")}
        if statement.excepts and statement.excepts[0] in items:
            own |= {p.name for p in items[statement.excepts[0]].statement.params}
        for hole in _HOLE.findall(statement.prose or ""):
            name = _NAME.match(hole)
            if name is None or name[0] not in own | everywhere:
                near = nearest(hole, own | everywhere)
                hint = f"did you mean {{{near}}}?" if near else ""
                message = f"{{{hole}}} in the sentence of {statement.name} stands for nothing"
                study.find("error", "placeholder", message, statement.name_span, hint)


# ---- notations ---------------------------------------------------------------------------------


def _notations(study: Study) -> None:
    graph = study.graph
    meant: dict[str, tuple[str, Span]] = {}
    for action in graph.actions.values():
        for template in action.written:
            for text in _texts(graph, action, template):
                other, place = meant.setdefault(text, (action.name, action.source.span))
                if other != action.name:
                    message = f"“{text}” is written both for {action.name} and for {other}"
                    note = (f"{other} is here", place)
                    hint = "give one of them other words"
                    study.find("error", "written-alike", message, action.source.span, hint, note)


def _texts(graph: Graph, action: ActionKind, template: str) -> Iterator[str]:
    """Every text of a notation; if they are too many, the notation with the types of its holes."""
    kinds = {param.name: param.type for param in action.params}
    holes = [hole for hole in _HOLE.findall(template) if hole in kinds]
    values = [_values(graph, kinds[hole]) for hole in holes]
    count = 1
    for some in values:
        count *= len(some)
    if count > _MOST_TEXTS:
        yield _HOLE.sub(lambda m: f"<{kinds[m[1]]}>" if m[1] in kinds else m[0], template)
        return
    for chosen in itertools.product(*values):
        given = dict(zip(holes, chosen, strict=True))
        yield _HOLE.sub(lambda m, given=given: given.get(m[1], m[0]), template)  # type: ignore[misc]


def _values(graph: Graph, kind: Type) -> list[str]:
    if kind.many or kind.base in ("seat", "team"):
        return [f"<{kind}>"]
    numbers = range(kind.low, kind.high + 1) if kind.base else ()
    return [graph.text_of(Type(kind.base, kind.low, kind.high, kind.name), n) for n in numbers] + sorted(kind.words)
