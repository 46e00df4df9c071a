"""A hand that could go on for ever, and automatic rules that go round in a circle.

**Proved**: between two openings of a phase whose data begin anew (a deal, a hand), only so many permitted actions
can change anything. **How**: on the map of stacks, take the circles (strongly connected parts). Find something that
no rule on them ever turns back, and that some rules move on each time: cards that leave a place and do not come
back, a number or an order that only grows, a set that only grows, a word that is given once, a seat that comes
nearer to another round the table. A circle through such a rule is walked only so often, so the rule is taken out;
and again with what is left, until no circle is. (This is a lexicographic ranking of positions.) That nothing is
turned back is proved by the search, under the conditions of each rule.

Passed over are acts that change nothing (talk), and what is forbidden. **Witness**: the circle that is left.
Whether it can be walked for ever play may show, by a position that comes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from truco_spec.graph import fold
from truco_spec.graph.checks.measures import Measure, measures
from truco_spec.graph.checks.positions import Stack
from truco_spec.graph.checks.search import Answer
from truco_spec.graph.checks.steps import Step
from truco_spec.graph.checks.study import Doubt, Study
from truco_spec.language.diagnostics import Diagnostic


def check(study: Study) -> None:
    """All circles of a graph."""
    strict = Study(study.graph, strict=True)
    within = [step for step in strict.steps if not step.opens]
    for part in _ranked(strict, within):
        _tell(study, part)
    study.looks += strict.looks


# ---- ranking -----------------------------------------------------------------------------------


def _ranked(study: Study, edges: list[Step]) -> list[list[Step]]:
    """The circles that no measure takes out."""
    left: list[list[Step]] = []
    todo = components(edges)
    while todo:
        part = todo.pop()
        for measure in measures(study, [(edge.conditions, edge.changes) for edge in part]):
            strict = _strict(study, measure, part)
            if strict:
                todo += components([edge for edge in part if edge not in strict])
                break
        else:
            left.append(part)
    return left


def _strict(study: Study, measure: Measure, part: list[Step]) -> list[Step]:
    """The edges that move the measure on; none where some edge could turn it back."""
    strict = []
    for edge in part:
        tops = (edge.before[0],)
        for guarded in edge.changes:
            if not measure.keeps(study, edge.conditions, guarded, tops):
                return []
        if any(not g.guards and measure.moves(study, edge.conditions, g, tops) for g in edge.sure):
            strict.append(edge)
    return strict


def components(edges: Iterable[Step]) -> list[list[Step]]:
    """The strongly connected parts that hold a circle, as their edges."""
    every = list(edges)
    out: dict[Stack, list[Stack]] = {}
    for edge in every:
        out.setdefault(edge.before, []).append(edge.after)
        out.setdefault(edge.after, [])
    order: list[Stack] = []
    seen: set[Stack] = set()
    for root in out:
        trail: list[tuple[Stack, Iterator[Stack]]] = [(root, iter(out[root]))] if root not in seen else []
        seen.add(root)
        while trail:
            node, rest = trail[-1]
            step = next((n for n in rest if n not in seen), None)
            if step is None:
                order.append(trail.pop()[0])
            else:
                seen.add(step)
                trail.append((step, iter(out[step])))
    back: dict[Stack, list[Stack]] = {node: [] for node in out}
    for edge in every:
        back[edge.after].append(edge.before)
    part_of: dict[Stack, int] = {}
    for number, root in enumerate(reversed(order)):
        todo = [root]
        while todo:
            node = todo.pop()
            if node not in part_of:
                part_of[node] = number
                todo += back[node]
    parts: dict[int, list[Step]] = {}
    for edge in every:
        if part_of[edge.before] == part_of[edge.after]:
            parts.setdefault(part_of[edge.before], []).append(edge)
    return list(parts.values())


# ---- telling -----------------------------------------------------------------------------------


def _tell(study: Study, part: list[Step]) -> None:
    circle = _circle(part)
    rules = list(dict.fromkeys(edge.rule.name for edge in circle))
    phases = " -> ".join([edge.before[0] for edge in circle] + [circle[0].before[0]])
    automatic = all(edge.rule.shape in ("auto", "once") for edge in circle)
    what = "automatic rules could go round for ever" if automatic else "a hand could go on for ever"
    message = f"{what}: {phases} (rules {', '.join(rules)})"
    hint = "let something on the circle only grow, or only shrink, and say so in the conditions"
    source = circle[0].rule.source
    notes = tuple((f"{edge.rule.name} is here", edge.rule.source.span) for edge in circle[1:4])
    code = "automatic-circle" if automatic else "endless"
    diagnostic = Diagnostic("error", code, message, source.span, hint, notes)
    names = frozenset(edge.rule.name for edge in part)
    doubt = Doubt(diagnostic, (fold.YES,), (circle[0].before[0],), "circle", names, Answer("open"))
    study.doubts.append(doubt)


def _circle(part: list[Step]) -> list[Step]:
    """A shortest circle among the edges."""
    best: list[Step] = []
    for start in part:
        came: dict[Stack, list[Step]] = {start.after: [start]}
        todo = [start.after]
        while todo and start.before not in came:
            at = todo.pop(0)
            for edge in part:
                if edge.before == at and edge.after not in came:
                    came[edge.after] = [*came[at], edge]
                    todo.append(edge.after)
        found = came.get(start.before)
        if found and (not best or len(found) < len(best)):
            best = found
    return best
