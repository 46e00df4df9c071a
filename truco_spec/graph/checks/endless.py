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

_MOST_NAMED = 8


def check(study: Study) -> None:
    """All circles of a graph."""
    strict = Study(study.graph, strict=True, like=study)
    within = [step for step in strict.steps if not step.opens]
    for part in _ranked(strict, within):
        _tell(study, part)
    study.looks += strict.looks


# ---- ranking -----------------------------------------------------------------------------------


def _ranked(study: Study, steps: list[Step]) -> list[list[Step]]:
    """The circles that no measure takes out."""
    left: list[list[Step]] = []
    todo = components(steps)
    while todo:
        part = todo.pop()
        for measure in measures(study, [(step.conditions, step.changes) for step in part]):
            strict = _strict(study, measure, part)
            if strict:
                todo += components([step for step in part if step not in strict])
                break
        else:
            left.append(part)
    return left


def _strict(study: Study, measure: Measure, part: list[Step]) -> list[Step]:
    """The steps that move the measure on; none where some step could turn it back."""
    strict = []
    for step in part:
        tops = (step.before[0],)
        for guarded in step.changes:
            if not measure.keeps(study, step.conditions, guarded, tops):
                return []
        if any(not g.guards and measure.moves(study, step.conditions, g, tops) for g in step.sure):
            strict.append(step)
    return strict


def components(steps: Iterable[Step]) -> list[list[Step]]:
    """The strongly connected parts that hold a circle, as their steps."""
    every = list(steps)
    out: dict[Stack, list[Stack]] = {}
    for step in every:
        out.setdefault(step.before, []).append(step.after)
        out.setdefault(step.after, [])
    order: list[Stack] = []
    seen: set[Stack] = set()
    for root in out:
        trail: list[tuple[Stack, Iterator[Stack]]] = [(root, iter(out[root]))] if root not in seen else []
        seen.add(root)
        while trail:
            node, rest = trail[-1]
            onward = next((n for n in rest if n not in seen), None)
            if onward is None:
                order.append(trail.pop()[0])
            else:
                seen.add(onward)
                trail.append((onward, iter(out[onward])))
    back: dict[Stack, list[Stack]] = {node: [] for node in out}
    for step in every:
        back[step.after].append(step.before)
    part_of: dict[Stack, int] = {}
    for number, root in enumerate(reversed(order)):
        todo = [root]
        while todo:
            node = todo.pop()
            if node not in part_of:
                part_of[node] = number
                todo += back[node]
    parts: dict[int, list[Step]] = {}
    for step in every:
        if part_of[step.before] == part_of[step.after]:
            parts.setdefault(part_of[step.before], []).append(step)
    return list(parts.values())


# ---- telling -----------------------------------------------------------------------------------


def _tell(study: Study, part: list[Step]) -> None:
    circle = _circle(part)
    rules = list(dict.fromkeys(step.rule.name for step in part))
    named = ", ".join(rules[:_MOST_NAMED]) + (" …" if len(rules) > _MOST_NAMED else "")
    phases = " -> ".join([step.before[0] for step in circle] + [circle[0].before[0]])
    automatic = all(step.rule.shape in ("auto", "once") for step in circle)
    what = "automatic rules could go round for ever" if automatic else "a hand could go on for ever"
    message = f"{what}: {phases} (rules {named})"
    hint = "let something on the circle only grow, or only shrink, and say so in the conditions"
    source = circle[0].rule.source
    notes = tuple((f"{step.rule.name} is here", step.rule.source.span) for step in circle[1:4])
    code = "automatic-circle" if automatic else "endless"
    diagnostic = Diagnostic("error", code, message, source.span, hint, notes)
    names = frozenset(step.rule.name for step in part)
    doubt = Doubt(diagnostic, (fold.YES,), (circle[0].before[0],), "circle", names, Answer("open"))
    study.doubts.append(doubt)


def _circle(part: list[Step]) -> list[Step]:
    """A shortest circle among the steps."""
    best: list[Step] = []
    for start in part:
        came: dict[Stack, list[Step]] = {start.after: [start]}
        todo = [start.after]
        while todo and start.before not in came:
            at = todo.pop(0)
            for step in part:
                if step.before == at and step.after not in came:
                    came[step.after] = [*came[at], step]
                    todo.append(step.after)
        found = came.get(start.before)
        if found and (not best or len(found) < len(best)):
            best = found
    return best
