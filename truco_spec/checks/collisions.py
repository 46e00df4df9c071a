"""Rules and answers that apply together and disagree.

**Proved**: for every two answers of a define, and every two rules that could apply to one candidate or fire in one
step, that they never apply together unbeaten and disagree; else there is a doubt. Checked are

* two answers of a define, neither beating the other, with different values;
* a ``may`` and a ``must not`` for one candidate, neither beating the other (a conflict of verdicts);
* two changes of one step, be they of one rule, of two that fire together, or of one effect: two values for one
  datum, a value set and changed, two places for one card, two cards for one slot, two ways on.

**How**: by the search, from the conditions of both, the absence of all that beats either, and, for actions, that no
automatic rule applies. **Witness**: the actor, the arguments and the data that the conditions read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from truco_spec.base.words import Sentence
from truco_spec.checks import frame
from truco_spec.checks.frame import Conditions, Guarded
from truco_spec.checks.study import Study
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import Assign, Expr, Graph, Move, Rule, Source, Way
from truco_spec.graph.types import FLAG, bare
from truco_spec.language.diagnostics import Diagnostic


def check(study: Study) -> None:
    """All collisions of a graph."""
    _answers(study)
    rules = study.graph.rules.values()
    for phase in study.tops():
        _actions(study, phase)
        _firing(study, [r for r in rules if r.shape == "auto" and phase in r.phases], (phase,))
    _firing(study, [r for r in rules if r.shape == "once"], ())


# ---- answers of a define -----------------------------------------------------------------------


def _answers(study: Study) -> None:
    for define in study.graph.defines.values():
        where = study.asking(define.name)
        for a, b in combinations(define.answers, 2) if where else ():
            if a.name in b.beats or b.name in a.beats or a.value == b.value:
                continue
            differ = fold.negate(fold.made("is", a.value, b.value))
            conditions = (*frame.standing_alone(define.answers, a, b), differ)
            form = "{b} and {a} can apply together, and answer {define} differently"
            message = Sentence(form, b=b.name, a=a.name, define=define.name)
            diagnostic = _collision(study.graph, "answers-collide", message, (b.name, b.source), (a.name, a.source))
            study.doubt(diagnostic, conditions, where, "any", (define.name, a.name, b.name))


def _collision(graph: Graph, code: str, message: str, one: tuple[str, Source], other: tuple[str, Source]) -> Diagnostic:
    """It is found at the statement that came last: that of the variant itself rather than of one that it extends."""
    texts = (*graph.lineage, graph.name)

    def came(told: tuple[str, Source]) -> tuple[int, str, int]:
        name, span = told[1].lineage[-1] if told[1].lineage else "", told[1].span
        return texts.index(name) if name in texts else -1, span.file, span.line

    first, second = sorted((one, other), key=came, reverse=True)
    form = "say which beats the other with `except`, or under which condition each applies"
    if second[0] != first[0]:
        form = "write `{name} except {other}` if it holds where both apply, or under which condition each does"
    hint = Sentence(form, name=first[0], other=second[0])
    notes = ((Sentence("{name} is here", name=second[0]), second[1].span),) if second[0] != first[0] else ()
    return Diagnostic("error", code, message, first[1].span, hint, notes)


# ---- rules about one candidate -----------------------------------------------------------------


def _actions(study: Study, phase: str) -> None:
    graph = study.graph
    rest = frame.at_rest(graph, phase)
    here = [r for r in graph.rules.values() if r.verbs and (not r.phases or phase in r.phases)]
    for verb in graph.actions:
        speaking = [r for r in here if any(v.action == verb for v in r.verbs)]
        may = [r for r in speaking if r.shape == "may"]
        bars = [r for r in speaking if r.shape == "must not"]
        follows = [r for r in speaking if r.shape == "on"]
        if not may and not bars:
            continue
        base = (*frame.possible(graph, verb), *rest)
        for permits in may:
            for forbids in bars:
                if (
                    permits.name in forbids.beats
                    or forbids.name in permits.beats
                    or permits.outsider != forbids.outsider
                ):
                    continue
                conditions = (
                    *frame.speaks(graph, permits, verb),
                    *frame.speaks(graph, forbids, verb),
                    *base,
                    *frame.unbeaten(graph, permits, verb, phase),
                    *frame.unbeaten(graph, forbids, verb, phase),
                )
                form = "{permits} permits what {forbids} forbids, and neither beats the other"
                message = Sentence(form, permits=permits.name, forbids=forbids.name)
                diagnostic = _collision(
                    graph, "verdicts-collide", message, (permits.name, permits.source), (forbids.name, forbids.source)
                )
                study.doubt(diagnostic, conditions, (phase,), "action", (permits.name, forbids.name))
        for group, also in ((may, follows), (bars, [])):
            _together(study, phase, verb, group, also, base)


def _together(study: Study, phase: str, verb: str, group: list[Rule], follows: list[Rule], base: Conditions) -> None:
    """The changes of the rules that take effect with one action: those of the verdict, and its consequences."""
    graph = study.graph
    if not group:
        return
    rules = ((rule, next(v for v in rule.verbs if v.action == verb)) for rule in (*group, *follows))
    sets = [(rule, frame.taken(graph, rule, spoken)) for rule, spoken in rules]
    for i, (a, changes_a) in enumerate(sets):
        for b, changes_b in sets[i:]:
            if a.outsider != b.outsider and a.shape == b.shape:
                continue
            if a.name in b.beats or b.name in a.beats:
                continue
            conditions: Conditions = (
                *frame.speaks(graph, a, verb),
                *(frame.speaks(graph, b, verb) if a is not b else ()),
                *base,
            )
            if a.shape != "on":
                conditions = (*conditions, *frame.unbeaten(graph, a, verb, phase))
            elif b.shape == "on" and not _spoken(study, group, verb, phase, conditions):
                continue
            _clash(study, (a, changes_a), (b, changes_b), conditions, (phase,), "action")


def _spoken(study: Study, group: list[Rule], verb: str, phase: str, conditions: Conditions) -> bool:
    """Whether any permitting rule can apply together with two consequences."""
    graph = study.graph
    return any(
        study.ask((*conditions, *frame.speaks(graph, rule, verb)), (phase,), 200).kind != "never" for rule in group
    )


# ---- automatic rules ---------------------------------------------------------------------------


def _firing(study: Study, rules: list[Rule], tops: tuple[str, ...]) -> None:
    graph = study.graph
    base = frame.before_autos(graph) if tops else ()
    opened = {rule.name: frame.changes_of(graph, rule.do) for rule in rules}
    for i, a in enumerate(rules):
        for b in rules[i:]:
            if a.name in b.beats or b.name in a.beats:
                continue
            beating = [other for other in rules if a.name in other.beats or b.name in other.beats]
            conditions = (
                *base,
                *conjuncts(a.when),
                *(conjuncts(b.when) if a is not b else ()),
                *(frame.none_of(tuple(conjuncts(other.when))) for other in beating),
            )
            _clash(study, (a, opened[a.name]), (b, opened[b.name]), conditions, tops, "step")


# ---- changes that disagree ---------------------------------------------------------------------


def _clash(
    study: Study,
    one: tuple[Rule, list[Guarded]],
    other: tuple[Rule, list[Guarded]],
    conditions: Conditions,
    tops: tuple[str, ...],
    moment: str,
) -> None:
    (a, changes_a), (b, changes_b) = one, other
    pairs: Iterable[tuple[Guarded, Guarded]]
    pairs = combinations(changes_a, 2) if a is b else ((x, y) for x in changes_a for y in changes_b)
    said: set[str] = set()
    for x, y in pairs:
        for what, extra in disagreements(study.graph, x.change, y.change):
            if what in said:
                continue
            names = (a.name,) if a is b else (a.name, b.name)
            through = tuple(sorted({*x.through, *y.through}))
            form = "{rules} (through {through}): {what}" if through else "{rules}: {what}"
            message = Sentence(form, rules=names, through=through, what=what)
            diagnostic = _collision(study.graph, "changes-collide", message, (a.name, a.source), (b.name, b.source))
            whole = (*conditions, *x.guards, *y.guards, *extra)
            if study.doubt(diagnostic, whole, tops, moment, (a.name, b.name)):
                said.add(what)


def disagreements(graph: Graph, x: object, y: object) -> Iterator[tuple[str, Conditions]]:
    """How two changes of one step could disagree: in words, and under which conditions."""
    if isinstance(x, Way) and isinstance(y, Way):
        if (x.word, x.phase) != (y.word, y.phase):
            yield Sentence("the game would go on in two ways, {one} and {other}", one=_way(x), other=_way(y)), ()
    elif isinstance(x, Assign) and isinstance(y, Assign):
        if x.datum == y.datum and (x.sign == "=" or y.sign == "="):
            same = _same(x.index, y.index)
            if same is None:
                return
            if x.sign == y.sign == "=":
                differ = _differ(x.value, y.value)
                if differ is not None:
                    yield Sentence("{datum} would get two values", datum=x.datum), (*same, *differ)
            else:
                yield Sentence("{datum} would be set and changed in one step", datum=x.datum), same
    elif isinstance(x, Move) and isinstance(y, Move):
        yield from _moves(graph, x, y)


def _way(way: Way) -> str:
    return f"{way.word} {way.phase}".strip()


def _same(one: tuple[Expr, ...], other: tuple[Expr, ...]) -> Conditions | None:
    """The conditions under which two indices are equal; None if they never are."""
    found = []
    for a, b in zip(one, other, strict=True):
        if a == b:
            continue
        same = fold.made("is", a, b)
        if fold.is_no(same):
            return None
        found.append(same)
    return tuple(found)


def _differ(a: Expr, b: Expr) -> Conditions | None:
    if a == b:
        return None
    differ = fold.negate(fold.made("is", a, b))
    return None if fold.is_no(differ) else () if fold.is_yes(differ) else (differ,)


def _moves(graph: Graph, x: Move, y: Move) -> Iterator[tuple[str, Conditions]]:
    shared = _shared(x.what, y.what)
    same_place = _same(x.index, y.index) if x.place == y.place else None
    if same_place is None:
        if shared is not None:
            yield Sentence("a card would go both to {one} and to {other}", one=x.place, other=y.place), shared
    elif same_place and shared is not None:
        apart = fold.negate(same_place[0] if len(same_place) == 1 else Expr("and", FLAG, same_place))
        yield Sentence("a card would go to two places of {place}", place=x.place), (*shared, apart)
    if same_place is not None and graph.data[x.place].type.place == "slot":
        differ = _differ(x.what, y.what)
        if differ is not None:
            yield Sentence("two cards would go to one place of {place}", place=x.place), (*same_place, *differ)


def _shared(x: Expr, y: Expr) -> Conditions | None:
    """The conditions under which two sets of moved cards intersect."""
    if x == y:
        return ()
    if not x.type.many and not y.type.many:
        same = fold.made("is", x, y)
        return None if fold.is_no(same) else (same,)
    if x.type.many and y.type.many:
        rest = Expr("minus", bare(x.type), (x, y))
        return (fold.negate(Expr("is", FLAG, (rest, x))),)
    item, group = (y, x) if x.type.many else (x, y)
    return (Expr("in", FLAG, (item, group)),)
