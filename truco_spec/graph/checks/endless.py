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
from dataclasses import dataclass

from truco_spec.graph import fold
from truco_spec.graph.checks.frame import (
    Conditions,
    Guarded,
    at_rest,
    before_autos,
    changes_of,
    names_of,
    none_of,
    possible,
    speaks,
)
from truco_spec.graph.checks.measures import Measure, measures
from truco_spec.graph.checks.positions import Stack, conjuncts
from truco_spec.graph.checks.search import Answer
from truco_spec.graph.checks.study import Doubt, Study
from truco_spec.graph.model import Rule, Verb, Way
from truco_spec.language.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Edge:
    """One step from a stack to another. ``sure`` are the changes that come with it, ``maybe`` those that can."""

    before: Stack
    after: Stack
    rule: Rule
    conditions: Conditions
    sure: tuple[Guarded, ...]
    maybe: tuple[Guarded, ...]

    @property
    def changes(self) -> tuple[Guarded, ...]:
        """All changes that the step can make."""
        return self.sure + self.maybe


def check(study: Study) -> None:
    """All circles of a graph."""
    edges = [edge for stack in study.map.stacks for edge in _edges(study, stack)]
    left = _ranked(study, edges)
    for part in left:
        _tell(study, part)


# ---- ranking -----------------------------------------------------------------------------------


def _ranked(study: Study, edges: list[Edge]) -> list[list[Edge]]:
    """The circles that no measure takes out."""
    left: list[list[Edge]] = []
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


def _strict(study: Study, measure: Measure, part: list[Edge]) -> list[Edge]:
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


def components(edges: Iterable[Edge]) -> list[list[Edge]]:
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
    parts: dict[int, list[Edge]] = {}
    for edge in every:
        if part_of[edge.before] == part_of[edge.after]:
            parts.setdefault(part_of[edge.before], []).append(edge)
    return list(parts.values())


# ---- steps -------------------------------------------------------------------------------------


def _edges(study: Study, stack: Stack) -> Iterator[Edge]:
    graph = study.graph
    after: dict[str, list[Stack]] = {}
    for passage in study.map.passages:
        if passage.before == stack and passage.after is not None:
            after.setdefault(passage.rule.name, []).append(passage.after)
    here = [r for r in graph.rules.values() if not r.phases or stack[0] in r.phases]
    first = before_autos(graph)
    for rule in here:
        if rule.shape in ("auto", "once"):
            changes = tuple(changes_of(graph, rule.do))
            conditions = (*conjuncts(rule.when), *(first if rule.shape == "auto" else ()))
            yield from _to(study, stack, rule, conditions, changes, (), after.get(rule.name, []))
    rest = at_rest(graph, stack[0])
    for may in here:
        if may.shape == "may":
            for verb in may.verbs:
                yield from _acts(study, stack, may, verb.action, rest, here, after)


def _acts(
    study: Study, stack: Stack, may: Rule, verb: str, rest: Conditions, here: list[Rule], after: dict[str, list[Stack]]
) -> Iterator[Edge]:
    graph = study.graph
    conditions = (*speaks(graph, may, verb), *possible(graph, verb), *rest)
    if study.ask(conditions, (stack[0],), 200).kind == "never":
        return
    sure = list(changes_of(graph, may.do, names_of(_verb(may, verb))))
    maybe: list[Guarded] = []
    ways = list(after.get(may.name, []))
    for rule in here:
        if rule.shape != "on" or not any(v.action == verb for v in rule.verbs):
            continue
        spoken = speaks(graph, rule, verb)
        changes = changes_of(graph, rule.do, names_of(_verb(rule, verb)))
        if study.ask((*conditions, *spoken), (stack[0],), 200).kind == "never":
            continue
        always = study.ask((*conditions, none_of(spoken)), (stack[0],), 200).kind == "never"
        (sure if always else maybe).extend(changes)
        ways += after.get(rule.name, [])
    if not sure and not maybe:
        return  # talk: nothing changes
    yield from _to(study, stack, may, conditions, tuple(sure), tuple(maybe), ways)


def _to(
    study: Study,
    stack: Stack,
    rule: Rule,
    conditions: Conditions,
    sure: tuple[Guarded, ...],
    maybe: tuple[Guarded, ...],
    ways: list[Stack],
) -> Iterator[Edge]:
    opened = {datum.fresh for datum in study.graph.data.values() if datum.fresh}
    opening = {
        g.change.phase for g in (*sure, *maybe) if isinstance(g.change, Way) and g.change.word == "then"
    } & opened
    for to in dict.fromkeys(ways):
        if not (len(to) == 1 and to[0] in opening):
            yield Edge(stack, to, rule, conditions, sure, maybe)
    if not any(isinstance(g.change, Way) and not g.guards for g in sure) and stack not in ways:
        yield Edge(stack, stack, rule, conditions, sure, maybe)


def _verb(rule: Rule, verb: str) -> Verb:
    return next(v for v in rule.verbs if v.action == verb)


# ---- telling -----------------------------------------------------------------------------------


def _tell(study: Study, part: list[Edge]) -> None:
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


def _circle(part: list[Edge]) -> list[Edge]:
    """A shortest circle among the edges."""
    best: list[Edge] = []
    for start in part:
        came: dict[Stack, list[Edge]] = {start.after: [start]}
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
