"""Hands arranged for a statement: the score, the dealer and the cards of a position in which it would apply.

The checks of the graph find such positions, although not always reachable ones. Their cards and lasting data are used;
the rest is random.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import NamedTuple

from truco_spec.checks.abstract.domains import sample
from truco_spec.checks.abstract.frame import Conditions, actor, bound, none_of, possible, speaks, standing_alone
from truco_spec.checks.abstract.positions import Partial
from truco_spec.checks.reach.study import Study
from truco_spec.compare.core.sides import Scenario
from truco_spec.compare.core.statements import Key
from truco_spec.compare.differences.setups import DEALER, SCORE
from truco_spec.engine.observe import PREFIX
from truco_spec.engine.support import BITS
from truco_spec.engine.text import value_text
from truco_spec.graph import fold
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import SEEN, rename
from truco_spec.graph.model import Answer, Define, Expr, Graph, Quant
from truco_spec.graph.walk import exprs_of_changes, exprs_of_effect
from truco_spec.logs.model import Start

MOST, BUDGET = 6, 1_000
"""Number of positions searched for, and the budget for each."""


@dataclass(slots=True)
class Arranged:
    """``cards`` are by player, or by the place where one lies; ``loose`` ones may be anybody's."""

    dealer: str = ""
    score: dict[str, int] = field(default_factory=dict)
    start: list[Start] = field(default_factory=list)
    cards: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)

    def course(self, course: Scenario, shape: Mapping[str, int], owner: str) -> Scenario:
        """A scenario with this start; loose cards go to ``owner``, and nobody gets more than ``shape`` says."""
        given = dict(self.cards)
        given[owner] = tuple(dict.fromkeys((*given.get(owner, ()), *self.loose)))
        taken = {card for cards in given.values() for card in cards}
        dealt: dict[str, tuple[str, ...]] = {}
        for key in {**shape, **given}:
            before = course.deals[0].get(key, ()) if course.deals else ()
            every = (*given.get(key, ()), *(card for card in before if card not in taken))
            if every[: shape.get(key, 1)]:
                dealt[key] = every[: shape.get(key, 1)]
        return replace(
            course,
            dealer=self.dealer or course.dealer,
            score=self.score or course.score,
            start=tuple(self.start) or course.start,
            deals=(dealt, *course.deals[1:]),
        )


def arranged(study: Study, players: Sequence[str], key: Key) -> list[Arranged]:
    """Some arrangements for a rule or an answer; none for other statements, or if no position is found."""
    found = []
    for conditions, phases in islice(_conditions(study.graph, key), MOST):
        partial = study.ask(conditions, phases or None, BUDGET).partial
        if partial is not None:
            found.append(_of(study.graph, players, partial))
    return found


def _conditions(graph: Graph, key: Key) -> Iterator[tuple[Conditions, tuple[str, ...]]]:
    """The conditions under which the statement applies, and the phases in which it may."""
    kind, name = key
    if kind == "rule" and name in graph.rules:
        rule = graph.rules[name]
        for verb in rule.verbs:
            yield (*speaks(graph, rule, verb.action), *possible(graph, verb.action)), rule.phases
        if not rule.verbs:
            yield tuple(conjuncts(rule.when)), rule.phases
    for define in graph.defines.values() if kind == "define" else ():
        for answer in define.answers:
            if answer.name == name:
                standing = standing_alone(define.answers, answer)
                names = tuple(param.name for param in define.params)
                yield standing, ()
                for site in sites(graph, define.name):
                    there = (bound(part, [(names, site.args)]) for part in standing)
                    yield (*site.guards, *there), site.phases


def _of(graph: Graph, players: Sequence[str], partial: Partial) -> Arranged:
    """The score, the dealer and the cards in a position."""
    made = Arranged()
    for key, value in partial.known.items():
        if key[0] == "var" and getattr(key[2], "base", "") == "card" and not isinstance(value, tuple):
            made.loose += [graph.cards[card].name for card in (sample(value),) if card >= 0]
        if key[0] != "datum":
            continue
        datum, index = graph.data[str(key[1])], key[2]
        assert isinstance(index, tuple)
        seats = [at for p, at in zip(datum.params, index, strict=True) if p.type.base == "seat"]
        if datum.type.base == "card" or datum.type.place:
            bits = BITS[value[0]] if isinstance(value, tuple) else [sample(value)]
            cards = tuple(graph.cards[card].name for card in bits if card >= 0)
            where = players[seats[0]] if seats else datum.name if datum.type.place == "slot" and not index else ""
            if where and cards:
                made.cards[where] = tuple(dict.fromkeys((*made.cards.get(where, ()), *cards)))
        elif not datum.fresh and not isinstance(value, tuple):
            _last(graph, players, made, datum.name, index, sample(value))
    return made


def _last(graph: Graph, players: Sequence[str], made: Arranged, name: str, index: tuple[int, ...], value: int) -> None:
    """The data that last from hand to hand."""
    datum = graph.data[name]
    if name == DEALER and value >= 0:
        made.dealer = players[value]
    elif name == SCORE and len(index) == 1:
        made.score[players[index[0]]] = value
    elif name not in (DEALER, SCORE):
        words = [value_text(graph, p.type, at, players) for p, at in zip(datum.params, index, strict=True)]
        made.start.append(Start(name, tuple(words), value_text(graph, datum.type, value, players)))


# --------------------------------------------------------------------------------------------------
# Whether an answer is ever asked for: the paths from rules and observations to the question, with their conditions.

DEEPEST, CHAIN_BUDGET = 5, 400
"""Maximum length of a chain of questions, and the search budget; beyond, nothing is proved."""


class Site(NamedTuple):
    """A place where a question is asked: its arguments and conditions, and the answer and question that contain it
    (none: a rule, in these phases; no phases: anywhere).
    """

    args: tuple[Expr, ...]
    guards: Conditions
    within: tuple[Define, Answer] | None
    phases: tuple[str, ...]


def never_asked(study: Study, name: str) -> bool:
    """Whether this answer never applies, because at every use of its question another answer applies."""
    for define in study.graph.defines.values():
        for answer in define.answers:
            if answer.name == name:
                return not _given(study, define, standing_alone(define.answers, answer), DEEPEST)
    return False


def _given(study: Study, define: Define, conditions: Conditions, deeper: int) -> bool:
    """Whether the question may be asked where the conditions, over its parameters, hold."""
    if define.name.startswith(PREFIX) or define.name.endswith(SEEN):
        return True
    names = tuple(param.name for param in define.params)
    for site in sites(study.graph, define.name):
        there = (*site.guards, *(bound(part, [(names, site.args)]) for part in conditions))
        if study.ask(there, site.phases or None, CHAIN_BUDGET).kind == "never":
            continue
        if site.within is None or not deeper or _given(study, site.within[0], there, deeper - 1):
            return True
    return False


def sites(graph: Graph, name: str) -> Iterator[Site]:
    """Every use of a question."""
    fresh = count()
    for define in graph.defines.values():
        for answer in define.answers:
            standing = standing_alone(define.answers, answer)
            for expr, held in ((answer.when, ()), (answer.value, standing)):
                for args, guards in _asked(expr, name, held, fresh):
                    yield Site(args, guards, (define, answer), ())
    for rule in graph.rules.values():
        who = () if rule.by is None else (fold.made("in", actor(graph), rule.by),)
        whole = (*who, *conjuncts(rule.when))
        parts = [(rule.by, ()), (rule.when, who), *((e, whole) for e in exprs_of_changes((*rule.do, *rule.lest)))]
        for expr, held in parts:
            for args, guards in _asked(expr, name, held, fresh):
                yield Site(args, guards, None, rule.phases)
    anywhere = [expr for effect in graph.effects.values() for expr in exprs_of_effect(effect)]
    anywhere += [e for kind in graph.actions.values() for e in (kind.possible, kind.seen) if e is not None]
    anywhere += [datum.first for datum in graph.data.values() if datum.first is not None]
    for expr in anywhere:
        for args, guards in _asked(expr, name, (), fresh):
            yield Site(args, guards, None, ())


def _asked(
    expr: Expr | None, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """Every use of a question in an expression: its arguments and conditions."""
    if expr is None:
        return
    if expr.op == "ask" and expr.value == name:
        yield expr.kids, held
    if expr.op == "quant":
        yield from _under(expr.value, name, held, fresh)
    elif expr.op == "if":
        test, then, other = expr.kids
        yield from _asked(test, name, held, fresh)
        yield from _asked(then, name, (*held, test), fresh)
        yield from _asked(other, name, (*held, fold.negate(test)), fresh)
    else:
        for at, kid in enumerate(expr.kids):
            before: Iterable[Expr] = expr.kids[:at]
            if expr.op == "or":
                before = (none_of((part,)) for part in before)
            yield from _asked(kid, name, (*held, *before) if expr.op in ("and", "or") else held, fresh)


def _under(
    quant: Quant, name: str, held: Conditions, fresh: Iterator[int]
) -> Iterator[tuple[tuple[Expr, ...], Conditions]]:
    """The same under a quantifier: its variables are renamed apart."""
    names: dict[str, str] = {}
    for binder in quant.binders:
        for expr in (binder.within, binder.start):
            yield from _asked(rename(expr, names) if expr is not None else None, name, held, fresh)
        names[binder.name] = f"{binder.name}#{next(fresh)}"
    where = rename(quant.where, names) if quant.where is not None else None
    yield from _asked(where, name, held, fresh)
    body = rename(quant.body, names) if quant.body is not None else None
    yield from _asked(body, name, held if where is None else (*held, where), fresh)
