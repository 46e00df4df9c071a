"""Non-interference: a seat's actions, and the observations shown to it, depend only on data visible to it.

**Proved** of each rule that permits, demands or forbids something to a seat, of each question about public
observations, and of visibility itself: every datum read is visible to the seat (for public observations: to every seat)
wherever it is read. The number of cards in a pile, whether a slot is filled, and the phase are public. **How**: every
read of a datum that may be hidden is traced through questions and their arguments, with the conditions under which it
is evaluated; preceding conditions were read by the same seat. The search then decides whether the seat may not see it.
**Witness**: the questions through which it is read, and the position. The rest are doubts: the value may be irrelevant,
which play tests by exchanging cards.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from truco_spec.base.words import Sentence
from truco_spec.checks.frame import Conditions, actor, come_to, none_of, possible, speaks, standing_alone, unbeaten
from truco_spec.checks.study import Study
from truco_spec.engine.compiled.program import Program
from truco_spec.engine.explain import as_it_stands
from truco_spec.engine.game import Event, Game, IllegalAction
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import MAY_SPEAK, cards_seen, observe, sees
from truco_spec.engine.support import Action, PlayError
from truco_spec.graph import fold, types
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import MOST_GRAPHS, OBSERVED, SEEN, Define, Expr, Graph, Quant, Rule, Source, by_identity
from truco_spec.graph.types import FLAG
from truco_spec.graph.walk import data_read
from truco_spec.language.diagnostics import NOWHERE, Diagnostic, Span

PERMITTING = ("may", "must", "must not")
"""The shapes of the rules about a seat's actions."""

_Env = Mapping[str, Expr]


@dataclass(frozen=True, slots=True)
class Read:
    """A read of a datum that may be hidden: its index, its condition, and the questions on the way."""

    datum: str
    index: tuple[Expr, ...]
    when: Conditions
    through: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class _Reading:
    """A reader: a rule in a phase, an observation, a view. ``whom`` has to see what it reads."""

    name: str
    source: Source
    whom: str
    tops: tuple[str, ...] = ()

    def diagnostic(self, read: Read) -> Diagnostic:
        """The diagnostic for a read of hidden data."""
        form = "{name} reads {datum}, which {whom} may not see"
        if read.through:
            form = "{name} reads {datum} through {through}, which {whom} may not see"
        message = Sentence(form, name=self.name, datum=read.datum, through=read.through, whom=self.whom)
        return Diagnostic("error", "hidden", message, read.span if read.span != NOWHERE else self.source.span)


def check(study: Study) -> None:
    """Check all rules about actions of seats, all observations and all views of a graph."""
    reader = Reader(study.graph)
    doubted: set[tuple[str, str]] = set()
    for reading, reads in _readings(study, reader):
        for read in reads:
            if (reading.name, read.datum) not in doubted and not _proved(study, reader, reading, read):
                doubted.add((reading.name, read.datum))


def _readings(study: Study, reader: Reader) -> Iterator[tuple[_Reading, list[Read]]]:
    graph = study.graph
    for phase, rule in itertools.product(study.tops(), graph.rules.values()):
        if rule.shape in PERMITTING and not rule.outsider and (not rule.phases or phase in rule.phases):
            reads = [read for verb in rule.verbs for read in reader.permission(rule, verb.action, phase)]
            yield _Reading(rule.name, rule.source, Sentence("whoever acts"), (phase,)), reads
    for define in graph.defines.values():
        if define.name.startswith(OBSERVED) or define.name.endswith(SEEN):
            whom = Sentence("everybody") if define.name.startswith(OBSERVED) else Sentence("whoever looks")
            yield _Reading(define.name, define.answers[0].source, whom), reader.answer(define)


def _proved(study: Study, reader: Reader, reading: _Reading, read: Read) -> bool:
    """Whether the datum is visible wherever it is read; else record a doubt. Strong conditions are tried first."""
    unseen = fold.negate(_sees(study.graph, read))
    plain = tuple(part for part in read.when if not reader.is_loud(part))
    for conditions, most in (((unseen,), _BRIEF), ((*plain, unseen), None)):
        if study.ask(conditions, reading.tops or None, most).kind == "never":
            return True
    moment = "action" if reading.tops else "any"
    return not study.doubt(reading.diagnostic(read), (*read.when, unseen), reading.tops, moment, (reading.name,))


_BRIEF = 200
"""The search budget for visibility of a datum."""


def _sees(graph: Graph, read: Read) -> Expr:
    seen = graph.defines[read.datum + SEEN]
    return fold.made("in", actor(graph), Expr("ask", seen.type, read.index, seen.name))


@dataclass(slots=True)
class Reader:
    """Finds the reads in a graph, with their conditions."""

    graph: Graph
    hiding: set[str] = field(init=False)
    _fresh: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.hiding = {name for name in self.graph.data if _hides(self.graph, name)}

    def permission(self, rule: Rule, verb: str, phase: str) -> list[Read]:
        """The reads of a rule about an action that nothing bars, and of its condition of possibility: all of it for a
        permission; no rule has an effect upon an action that is impossible by what is never hidden.
        """
        graph, needed = self.graph, possible(self.graph, verb)
        read = (*speaks(graph, rule, verb), *(needed if rule.shape == "may" else ()))
        plain = [part for part in read if not self.is_loud(part)]
        loud = [part for part in read if self.is_loud(part)]
        known = (part for part in needed if not self.is_loud(part))
        when = (*unbeaten(graph, rule, verb, phase), *self._unbarred(rule, verb, phase), *known)
        turns = (*plain, *loud)
        return [read for i, part in enumerate(turns) for read in self._reads(part, {}, (*when, *turns[:i]), ())]

    def _unbarred(self, rule: Rule, verb: str, phase: str) -> Iterator[Expr]:
        """The condition that nothing else forbids the action, as otherwise the reads of this rule have no effect.

        Reads of a ban are reported for the ban; to avoid circular reasoning, a ban relies only on bans that read
        nothing hidden.
        """
        for other in self.graph.rules.values():
            if other.shape == "must not" and other is not rule and any(v.action == verb for v in other.verbs):
                beating = unbeaten(self.graph, other, verb, phase)
                bans = (*speaks(self.graph, other, verb), *beating)
                plain = not any(map(self.is_loud, beating if rule.shape != "must not" else bans))
                if plain and (not other.phases or phase in other.phases):
                    yield none_of(bans)

    def answer(self, define: Define) -> list[Read]:
        """The reads of the answer to a question, for any arguments."""
        env = {p.name: Expr("var", p.type, (), f"#{i}") for i, p in enumerate(define.params)}
        return list(self._answers(define, env, (), ()))

    def _answers(self, define: Define, env: _Env, when: Conditions, through: tuple[str, ...]) -> Iterator[Read]:
        for answer in define.answers:
            alone = tuple(fold.put_in(part, env) for part in standing_alone(define.answers, answer))
            for part in (answer.when,) if answer.when is not None else ():
                yield from self._reads(part, env, when, through)
            yield from self._reads(answer.value, env, (*when, *alone), through)

    def _reads(self, expr: Expr, env: _Env, when: Conditions, through: tuple[str, ...]) -> Iterator[Read]:
        if not self.is_loud(expr):
            return
        if expr.op == "quant":
            yield from self._quantified(expr.value, env, when, through)
            return
        shape = _place_of(self.graph, expr)
        for i, kid in enumerate(expr.kids if shape is None else shape.kids):
            yield from self._reads(kid, env, (*when, *(fold.put_in(one, env) for one in come_to(expr, i))), through)
        if expr.op == "datum" and expr.value in self.hiding:
            index = tuple(fold.put_in(kid, env) for kid in expr.kids)
            yield Read(expr.value, index, when, through, expr.span)
        elif expr.op == "ask":
            define = self.graph.defines[expr.value]
            given = {p.name: fold.put_in(kid, env) for p, kid in zip(define.params, expr.kids, strict=True)}
            yield from self._answers(define, given, when, (*through, define.name))

    def _quantified(self, quant: Quant, env: _Env, when: Conditions, through: tuple[str, ...]) -> Iterator[Read]:
        for binder in quant.binders:
            for part in (binder.within, binder.start):
                if part is not None:
                    yield from self._reads(part, env, when, through)
            item = Expr("var", binder.type, (), f"{binder.name}#{next(self._fresh)}")
            if binder.within is not None:
                when = (*when, Expr("in", FLAG, (item, fold.put_in(binder.within, env))))
            env = {**env, binder.name: item}
        for part in (quant.where, quant.body):
            if part is not None:
                yield from self._reads(part, env, when, through)
                when = (*when, *(fold.put_in(one, env) for one in conjuncts(part) if part is quant.where))

    def is_loud(self, expr: Expr) -> bool:
        """Whether it reads, through any questions, a datum that may be hidden."""
        return not self.hiding.isdisjoint(data_read(self.graph, [expr]))


def _hides(graph: Graph, datum: str) -> bool:
    """Whether somebody may not see it."""
    seen = graph.defines.get(datum + SEEN)
    everyone = (1 << graph.seats) - 1
    return seen is not None and any(a.value.op != "const" or a.value.value != everyone for a in seen.answers)


def _place_of(graph: Graph, expr: Expr) -> Expr | None:
    """The place of cards in a question about their number only."""
    if (expr.op == "built" and expr.value == "size") or expr.op == "typed":
        (item,) = expr.kids
    elif expr.op == "is":
        item, other = expr.kids if expr.kids[1].op == "const" else expr.kids[::-1]
        if other.op != "const" or other.value not in (types.FIRST_WORD, 0) or (item.type.many == (other.value != 0)):
            return None
    else:
        return None
    return item if item.op == "datum" and graph.data[item.value].type.place else None


# ---- Dynamic test: do a seat's actions, or public observations, depend on hidden cards? ----------


@dataclass(frozen=True, slots=True)
class Leak:
    """A dependency on a hidden card: what depends, the rules about it, and the two cards."""

    seat: int
    what: str
    rules: frozenset[str]
    cards: tuple[str, str]

    def text(self) -> str:
        """The leak in words."""
        form = "{what} depends on cards that P{seat} does not see ({cards})"
        return Sentence(form, what=self.what, seat=self.seat, cards=self.cards)


def leak(game: Game, rng: random.Random) -> Leak | None:
    """Exchange two cards hidden from one who may act, and compare. None if nothing changes."""
    seats = sorted({action.actor for action in game.legal_actions() if action.actor >= 0})
    if not seats:
        return None
    seat = rng.choice(seats)
    other = as_it_stands(game)
    since, seen, glances = _taken_back(other, seat)
    hidden = [i for i, card in enumerate(game.graph.cards) if card.present and card.name not in seen]
    if len(hidden) < 2:
        return None
    a, b = rng.sample(hidden, 2)
    if not _played_again(other, seat, since, glances, (a, b)):
        return None
    cards = (game.graph.cards[a].name, game.graph.cards[b].name)
    before, after = game.legal_actions(seat), other.legal_actions(seat)
    for action in [*before, *after]:
        if (action in before) != (action in after):
            message = Sentence("whether {action} is permitted", action=game.text(action))
            return Leak(seat, message, _speaking(game, action), cards)
    observed, again = observe(game), observe(other)
    for name, value in observed.items():
        if name != MAY_SPEAK and again[name] != value:
            return Leak(seat, Sentence("the observation {name}", name=name), frozenset({OBSERVED + name}), cards)
    return None


Glance = tuple[object, ...]


def _taken_back(game: Game, seat: int) -> tuple[list[Event], set[str], list[Glance]]:
    """Undo all events since the cards were dealt.

    Returns the events, the last one first; the cards that the seat has seen; and its view after each event, and before
    all.
    """
    since: list[Event] = []
    seen = cards_seen(game, seat)
    glances = [glance(game, seat)]
    while game.history and not _whole(game):
        since.append(game.history[-1])
        game.pop()
        seen |= cards_seen(game, seat)
        glances.append(glance(game, seat))
    return since, seen, glances


def _whole(game: Game) -> bool:
    """Whether all cards are in the pack."""
    pack = game.layout.blocks[game.graph.pack].base if game.graph.pack else -1
    return pack >= 0 and game.position[pack].bit_count() == sum(card.present for card in game.graph.cards)


def _played_again(game: Game, seat: int, since: list[Event], glances: list[Glance], cards: tuple[int, int]) -> bool:
    """Replay the undone events with two cards exchanged; returns whether that is possible with an unchanged view of the
    seat.
    """
    for event, glanced in zip(reversed(since), reversed(glances[:-1]), strict=True):
        try:
            again = game.push(_exchanged(game.graph, event.action, *cards))
        except (IllegalAction, PlayError):
            return False
        if again.status != event.status or glance(game, seat) != glanced:
            return False
    return True


def _exchanged(graph: Graph, action: Action, a: int, b: int) -> Action:
    """The action with two cards exchanged."""
    other = {a: b, b: a}
    params = graph.actions[action.verb].params if action.verb else ()
    if not any(param.type.base == "card" for param in params):
        return action
    pairs = zip(params, action.args, strict=True)
    args = tuple(other.get(value, value) if param.type.base == "card" else value for param, value in pairs)
    return action._replace(args=args)


def glance(game: Game, seat: int) -> Glance:
    """A seat's view as numbers, with the number of cards in hidden places."""
    always, guarded = _slots(game.program)
    found: list[object] = [game.position[slot] for slot in always]
    for slot, name, index, place in guarded:
        value = game.position[slot]
        if sees(game, seat, name, index):
            found.append(value)
        elif place:
            found.append(("hidden", value.bit_count() if place == "pile" else value != NONE))
    return tuple(found)


@by_identity(MOST_GRAPHS)
def _slots(program: Program) -> tuple[list[int], list[tuple[int, str, tuple[int, ...], str]]]:
    """The slots that everyone always sees; and all others, with datum, index and kind of place. Memoised."""
    always, guarded = list[int](), list[tuple[int, str, tuple[int, ...], str]]()
    for name, block in program.layout.blocks.items():
        if not _hides(program.graph, name):
            always += range(block.base, block.base + block.count)
        else:
            place = block.datum.type.place
            guarded += [(slot, name, index, place) for slot, index in enumerate(block.indices(), block.base)]
    return always, guarded


def _speaking(game: Game, action: Action) -> frozenset[str]:
    """The rules that can permit or forbid the action in the present phase."""
    here = (r for r in game.graph.rules.values() if not r.phases or game.phase in r.phases)
    return frozenset(r.name for r in here if r.shape in PERMITTING and any(v.action == action.verb for v in r.verbs))
