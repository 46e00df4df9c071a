"""The deal of a graph as one step of random play: what is done from the opening of its phase until somebody may act who
can hold cards.

No rule at work there looks at a card but to ask where it lies, so where the cards go, what may be chosen before they
are dealt, and what is known afterwards, are the same for all cards. It is found by playing in Python, once for each
combination of values of the data that are read (who deals).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from truco_spec.engine.compiled.program import Position
from truco_spec.engine.game import Game, settle_in
from truco_spec.engine.layout import DEPTH, NONE, UNSET, Noted, unset
from truco_spec.engine.ruling import drawn_by
from truco_spec.engine.support import CHANCE, Action, PlayError
from truco_spec.engine.wasm.regular import Regular
from truco_spec.graph.fold import conjuncts, is_no
from truco_spec.graph.model import Apply, Change, Expr, Graph
from truco_spec.graph.walk import change_parts, data_read, walk_on, ways

MOST_READ, MOST_ACTIONS = 64, 100
"""The most combinations of values of what is read; the most actions of a deal."""


class Draw(NamedTuple):
    """A card is drawn from the pack: the slot that it goes to, those that remember it, and what comes then."""

    place: int
    noted: tuple[int, ...]
    then: Node


class Choice(NamedTuple):
    """One of the permitted actions is done; what comes after each."""

    then: tuple[Node, ...]


class AtRest(NamedTuple):
    """The end: what the slots hold that have changed, but for those of cards."""

    values: tuple[tuple[int, int], ...]


Node: TypeAlias = Draw | Choice | AtRest


class Deal(NamedTuple):
    """A deal that begins with a phase: the slots that it reads with their possible values, what is done by these, and
    the most actions that it takes. ``idle`` are the automatic rules of phases that it enters which never fire in it.
    """

    phase: str
    read: Mapping[int, Sequence[int]]
    begun: Mapping[tuple[int, ...], Node]
    longest: int
    idle: Set[str]


def deal_of(graph: Graph, regular: Regular) -> Deal | None:
    """The longest deal of a graph; None if there is none."""
    game = _Watched(graph)
    phases = [name for name in game.layout.phases if name in regular.phases & game.layout.ground]
    gathering = [name for name in phases if any(graph.data[one].type.place for one in game.layout.resets(name))]
    found = [deal for name in gathering if (deal := _Dealer(game, regular, name).deal())]
    return max(found, key=lambda deal: deal.longest, default=None)


class _Watched(Game):
    """A game whose reads are recorded."""

    position: Noted

    def blank(self) -> Position:
        position = Noted(super().blank())
        position.read = set()
        return position


class _UnknownError(Exception):
    """What follows depends on more than is known."""


class _Dealer:
    """Plays what follows when a phase has begun."""

    def __init__(self, game: _Watched, regular: Regular, phase: str) -> None:
        self.game, self.layout, self.graph, self.phase = game, game.layout, regular.graph, phase
        self.pack = self.layout.blocks[self.graph.pack].base
        self.full = game.blank()[self.pack]
        self.known = self._known(regular.data)
        self.read: dict[int, Sequence[int]] = {}
        self.longest, self.complete = 0, True
        self.fired, self.entered = set[str](), set[str]()

    def _known(self, constants: Mapping[str, int]) -> dict[int, int]:
        """What slots surely hold when the phase has just begun, with all cards in the pack."""
        layout, anew = self.layout, set(self.layout.resets(self.phase))
        known = dict.fromkeys(range(DEPTH), -1) | {0: layout.number[self.phase]}
        known |= {layout.cards_at + card: self.pack for card in range(len(self.graph.cards))}
        for name, block in layout.blocks.items():
            datum, value = self.graph.data[name], constants.get(name)
            first = datum.first
            if datum.type.place:
                value = 0 if datum.type.place == "pile" else NONE
            elif name in anew and (first is None or first.op == "const"):
                value = unset(datum.type) if first is None else int(first.value)
            elif name in anew and first and datum.fresh != self.phase and data_read(self.graph, [first]):
                value = unset(datum.type)
            if value is not None:
                known |= dict.fromkeys(range(block.base, block.base + block.count), value)
        return known | {self.pack: self.full}

    def deal(self) -> Deal | None:
        """The deal, by all values of what is read, which playing shows; None if that is too much."""
        while math.prod(map(len, self.read.values())) <= MOST_READ:
            begun: dict[tuple[int, ...], Node] = {}
            self.longest, before = 0, len(self.read)
            for values in itertools.product(*self.read.values()):
                with suppress(PlayError, IndexError, _UnknownError):  # such as two values that exclude each other
                    begun[values] = self._begin(dict(zip(self.read, values, strict=True)))
                if len(self.read) > before:
                    break
            else:
                return Deal(self.phase, self.read, begun, self.longest, self._idle()) if self.longest else None
        return None

    def _idle(self) -> Set[str]:
        autos = [rule for rule in self.graph.rules.values() if not rule.verbs and self.entered & {*rule.phases}]
        return {rule.name for rule in autos} - self.fired if self.complete else set()

    def _begin(self, given: Mapping[int, int]) -> Node:
        known, game = {**self.known, **given}, self.game
        game.position.read.clear()
        try:
            settle_in(game, [known.get(slot, UNSET) for slot in range(self.layout.size)])
            self.first = list(game.position)  # which is no reading
            if any(self.first[slot] != value for slot, value in given.items()):
                raise _UnknownError
            return self._from(())
        finally:
            for slot in sorted(game.position.read - known.keys()):
                kind = self.layout.kind(slot)
                words = [self.graph.words[word] for word in sorted(kind.words)]
                self.read[slot] = [*range(kind.low, kind.high + 1), *words]

    def _from(self, noted: tuple[int, ...]) -> Node:
        """What is done from the present position on, where these slots remember a card."""
        game, done = self.game, len(self.game.history)
        if done > MOST_ACTIONS:
            raise _UnknownError
        drawing, node = drawn_by(game), None
        if drawing is not None:
            node = self._drawn(drawing.verb, noted)
        elif game.position[self.pack] == self.full:
            node = self._chosen(game.legal_actions(), noted)
        if node is not None:
            return node
        self.complete &= drawing is None
        self.longest = max(self.longest, done)
        left = {*noted, *self.layout.place_of, *range(self.layout.cards_at, self.layout.size)}
        pairs = enumerate(zip(self.first, list(game.position), strict=True))
        return AtRest(tuple([(slot, new) for slot, (old, new) in pairs if new != old and slot not in left]))

    def _chosen(self, legal: Sequence[Action], noted: tuple[int, ...]) -> Node | None:
        """The choice of an action; None if there is none, or one of cards."""
        if not legal or any(p.type.base == "card" for one in legal for p in self.graph.actions[one.verb].params):
            return None
        found = []
        for action in legal:
            self.fired.update(self.game.push(action).fired)
            found.append(self._from(noted))
            self.game.pop()
        return Choice(tuple(found))

    def _drawn(self, verb: str, noted: tuple[int, ...]) -> Node | None:
        """The draw of a card of the pack; None if it matters which."""
        game, params, before = self.game, self.graph.actions[verb].params, list(self.game.position)
        within = [test.kids for test in conjuncts(self.graph.actions[verb].possible) if test.op == "in"]
        mine = [item.value for item, pile in within if item.op == "var" and pile.value == self.graph.pack]
        pack, cards = before[self.pack], self.layout.cards_at
        card = (pack & -pack).bit_length() - 1
        action = Action(CHANCE, verb, (card,))
        if [param.name for param in params] != mine or not pack or not game.permits(action):
            return None
        here, event = game.phase, game.push(action)
        fired = [self.graph.rules[name] for name in event.fired]
        entered = {way.phase for rule in fired for way in ways(self.graph, rule.do) if way.phase} | {game.phase}
        after = list(game.position)
        changed = [slot for slot, old in enumerate(before) if after[slot] != old]
        told = [slot for slot in changed if slot < cards and self.layout.names[slot] and self._of_cards(slot)]
        moved = [slot for slot in changed if slot >= cards]
        node = None
        self.fired.update(event.fired)
        self.entered |= entered
        follows = moved in ([], [cards + card]) and all(after[slot] == card for slot in told)
        if follows and not any(map(_looks, walk_on(self.graph, self._asked(verb, here, entered)))):
            node = Draw(after[cards + card], tuple(told), self._from((*noted, *told)))
        game.pop()
        return node

    def _of_cards(self, slot: int) -> bool:
        """Whether the slot remembers cards."""
        kind = self.layout.kind(slot)
        return kind.base == "card" and not kind.place

    def _asked(self, verb: str, here: str, entered: Set[str]) -> Iterator[Expr]:
        """All expressions that a draw in a phase depends on, and what follows from it where these are entered."""
        for rule in self.graph.rules.values():
            about = any(one.action == verb for one in rule.verbs)
            phases = {here} if rule.verbs else {here, *entered}
            if (about or not rule.verbs) and not is_no(rule.when) and not phases.isdisjoint(rule.phases or phases):
                yield from (expr for expr in (rule.by, rule.when) if expr is not None)
                yield from self._asked_by(rule.do)
        for phase in entered:
            firsts = [self.graph.data[name].first for name in self.layout.resets(phase)]
            yield from (first for first in firsts if first is not None)

    def _asked_by(self, changes: Sequence[Change]) -> Iterator[Expr]:
        for change in changes:
            yield from change_parts(change)
            for turn in self.graph.effects[change.effect].turns if isinstance(change, Apply) else ():
                yield from () if turn.when is None else (turn.when,)
                yield from self._asked_by(turn.changes)


def _looks(expr: Expr) -> bool:
    """Whether it can make a difference between two cards that lie in one place."""
    if expr.type.base == "card" and expr.op == "const":
        return int(expr.value) not in ((0,) if expr.type.many else (NONE,))
    if expr.op == "quant":
        return expr.value.word in ("first", "last") and expr.value.binders[0].type.base == "card"
    asked = expr.op in ("datum", "table", "built", "lt", "le") and expr.value != "size"
    return asked and any(kid.type.base == "card" for kid in expr.kids)
