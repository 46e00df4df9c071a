"""Generates the WebAssembly module that only plays at random: regular play alone, with each deal as one step."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from truco_spec.engine.compiled.program import Position
from truco_spec.engine.game import Game, settle_in
from truco_spec.engine.layout import DEPTH, NONE, UNSET, Layout, Noted, unset
from truco_spec.engine.ruling import drawn_by
from truco_spec.engine.support import CHANCE, Action, PlayError
from truco_spec.engine.wasm.expressions import POSITION, Function, WasmExpressions
from truco_spec.engine.wasm.module import WasmWriter
from truco_spec.graph.fold import NO, Specialiser, conjuncts, const, is_no
from truco_spec.graph.model import REFEREE_NAME, Apply, Assign, Change, Datum, Expr, Graph, Move, Rule, Way, by_identity
from truco_spec.graph.walk import change_parts, data_read, datum_of, flat_changes, walk, walk_on, ways

# ---- regular play ----------------------------------------------------------------------------------
#
# What regular play can come to: from the start of a game, if nobody does what is forbidden and no referee acts.
#
# Many data are for irregularities, or for options: nothing that can happen changes them, so they are constants. Rules
# that wait for them never apply, and phases that only these enter are never entered, so more data are constants.


class Regular(NamedTuple):
    """A graph without what cannot happen; the data that never change, with their values; the phases entered.

    ``settled`` data always are numbers of their types.
    """

    graph: Graph
    data: Mapping[str, int]
    phases: Set[str]
    settled: Set[str]

    def holds(self, layout: Layout, position: Sequence[int]) -> bool:
        """Whether the data have these values and no other phases are on the stack; then it stays so."""
        known = {-1, *(layout.number[name] for name in self.phases)}
        blocks = [layout.blocks[name] for name in self.data]
        values = {block.datum.name: position[block.base : block.base + block.count] for block in blocks}
        settled = [(layout.blocks[name], self.graph.data[name].type) for name in self.settled]
        return (
            known.issuperset(position[:DEPTH])
            and all({self.data[name]} == {*held} for name, held in values.items())
            and all(
                kind.low <= position[slot] <= kind.high
                for block, kind in settled
                for slot in range(block.base, block.base + block.count)
            )
        )


def regular(graph: Graph, idle: Set[str] = frozenset()) -> Regular:
    """Assume that nothing changes; drop the assumptions that the remaining rules can violate, until none is dropped.

    It holds as long as none of the ``idle`` rules fires; these change nothing.
    """
    data = {name: value for name, datum in graph.data.items() if (value := _resting(graph, datum)) is not None}
    phases = {next(iter(graph.phases))}
    while True:
        found = _Assuming(graph, data, phases, idle).graph()
        changes = [change for rule in _at_work(found) for change in flat_changes(found, rule.do)]
        entered = {change.phase for change in changes if isinstance(change, Way) and change.phase}
        written = {datum_of(change) for change in changes if not _idle(change, data)}
        if entered <= phases and not written & data.keys():
            return Regular(found, data, phases, _settled(found, changes))
        phases |= entered
        data = {name: value for name, value in data.items() if name not in written}


def _resting(graph: Graph, datum: Datum) -> int | None:
    """The value that a datum has where nothing changes it; None where that depends on the position."""
    first = datum.first
    if (first is not None and first.op != "const") or datum.name == graph.pack:
        return None
    value = unset(datum.type) if first is None else int(first.value)
    usable = value in (0, NONE) if datum.type.place else first is not None or value == 0
    return value if usable else None


def _settled(graph: Graph, changes: Sequence[Change]) -> Set[str]:
    """Return the data that begin with a number, and are only given constants, or values computed from such data."""
    found = {name for name, datum in graph.data.items() if _is_number(datum)}
    given = [(change.datum, change.value) for change in changes if isinstance(change, Assign)]
    while loose := {name for name, value in given if name in found and not _is_settled(value, found)}:
        found -= loose
    return found


def _is_settled(value: Expr, settled: Set[str]) -> bool:
    parts = list(walk(value))
    read = {one.value for one in parts if one.op == "datum"}
    known = all(one.op in ("const", "datum", "add", "sub", "built") for one in parts) and read <= settled
    return known and not value.type.words


def _is_number(datum: Datum) -> bool:
    kind, first = datum.type, datum.first
    number = kind.base and not (kind.many or kind.words or kind.place or kind.base == "card")
    return bool(number) and first is not None and first.op == "const" and kind.low <= int(first.value) <= kind.high


class _Assuming(Specialiser):
    """Specialises under the assumption that these data never change and only these phases are entered."""

    def __init__(self, graph: Graph, data: Mapping[str, int], phases: Set[str], idle: Set[str]) -> None:
        super().__init__(graph)
        self.data, self.phases, self.idle = data, phases, idle

    def one(self, expr: Expr) -> Expr:
        if expr.op == "datum" and expr.value in self.data:
            return const(expr.type, self.data[expr.value], expr.span)
        if expr.op == "during" and expr.value not in self.phases:
            return NO
        return super().one(expr)

    def rule(self, rule: Rule) -> Rule:
        happens = not rule.phases or not self.phases.isdisjoint(rule.phases)
        if not happens or rule.outsider == REFEREE_NAME:
            return replace(rule, when=NO)
        return super().rule(replace(rule, do=()) if rule.name in self.idle else rule)


def _at_work(graph: Graph) -> Iterator[Rule]:
    """The rules that can change something."""
    rules = [one for one in graph.rules.values() if not is_no(one.when) and not is_no(one.by)]
    offered = {verb.action for rule in rules if rule.shape == "may" for verb in rule.verbs}
    for rule in rules:
        if rule.shape != "on" or any(verb.action in offered for verb in rule.verbs):
            yield rule


def _idle(change: Change, data: Mapping[str, int]) -> bool:
    """Whether it surely changes nothing: the datum is given the value that it has."""
    if isinstance(change, Assign) and change.value.op == "const":
        return int(change.value.value) == (data.get(change.datum) if change.sign == "=" else 0)
    return isinstance(change, Move) and change.what.type.many and is_no(change.what)


# ---- a deal as one step --------------------------------------------------------------------------
#
# The deal of a graph as one step of random play: what is done from the opening of its phase until somebody may act who
# can hold cards.
#
# No rule at work there looks at a card but to ask where it lies, so where the cards go, what may be chosen before they
# are dealt, and what is known afterwards, are the same for all cards. It is found by playing in Python, once for each
# combination of values of the data that are read (who deals).

MOST_READ, MOST_ACTIONS = 64, 100
"""The most combinations of values read by a deal; the most actions of a deal."""


class Draw(NamedTuple):
    """A card is drawn from the pack: its slot, the slots that remember it, and the next step."""

    place: int
    noted: tuple[int, ...]
    then: Node


class Choice(NamedTuple):
    """One of the permitted actions is done; the next step of each."""

    then: tuple[Node, ...]


class AtRest(NamedTuple):
    """The end: the values of the changed slots, except those of cards."""

    values: tuple[tuple[int, int], ...]


Node: TypeAlias = Draw | Choice | AtRest


class Deal(NamedTuple):
    """A deal that begins with a phase: the slots that it reads with their possible values, the steps for each of these,
    and the most actions that it takes. ``idle`` are the automatic rules of its phases that never fire in it.
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
    """The next step depends on an unknown value."""


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
        """Return the slots with certain values at the beginning of the phase, with all cards in the pack."""
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
        """Return the deal, by all combinations of the values it reads, found by playing; None if there are too many."""
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


# ---- the module ----------------------------------------------------------------------------------

MOST_OFFERED = 32000
"""The room in the list of permitted actions."""
RUNTIME = """
(func $put (param $slot i64) (param $value i64)
  (i64.store offset=@POSITION (i32.shl (i32.wrap_i64 (local.get $slot)) (i32.const 3)) (local.get $value)))
(func $note (param $rule i64))
(func $note_step)
"""
OFFER = """
(func $offer (param $key i64)
  (call $list (global.get $count) (local.get $key) (global.get $listing))
  (global.set $count (i32.add (global.get $count) (i32.const 1))))
"""
"""The address of the list of permitted actions, with room for those of any phase."""
DEALT = """
(func $dealt (param $left i32) (result i32)
  (local $at i32) (local $kind i32) (local $slot i32) (local $done i32)
  (local $card i64) (local $bit i64) (local $pack i64)
  (local.set $pack (i64.load offset={pack} (i32.const 0)))
  (if (i32.lt_u (local.get $left) (i32.const {longest})) (then (return (i32.const 0))))
  (if (i64.ne (local.get $pack) (i64.const {full})) (then (return (i32.const 0))))
  (local.set $at (i32.wrap_i64 {begun}))
  (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
  (loop $again
    (local.set $kind (i32.load16_s (local.get $at)))
    (if (i32.eqz (local.get $kind)) (then
      (loop $try
        (local.set $card (i64.extend_i32_u (call $drawn (i32.const {cards}))))
        (local.set $bit (i64.shl (i64.const 1) (local.get $card)))
        (br_if $try (i64.eqz (i64.and (local.get $pack) (local.get $bit)))))
      (local.set $pack (i64.xor (local.get $pack) (local.get $bit)))
      (local.set $slot (i32.load16_u offset=2 (local.get $at)))
      (i64.store offset={places} (i32.shl (i32.wrap_i64 (local.get $card)) (i32.const 3))
        (i64.extend_i32_u (local.get $slot)))
      (local.set $slot (i32.shl (local.get $slot) (i32.const 3)))
      (if (i32.load16_u offset=4 (local.get $at))
        (then (i64.store offset=@POSITION (local.get $slot)
          (i64.or (i64.load offset=@POSITION (local.get $slot)) (local.get $bit))))
        (else (i64.store offset=@POSITION (local.get $slot) (local.get $card))))
      (local.set $kind (i32.load16_u offset=6 (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (block $end (loop $noted
        (br_if $end (i32.eqz (local.get $kind)))
        (i64.store offset=@POSITION (i32.shl (i32.load16_u (local.get $at)) (i32.const 3)) (local.get $card))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (local.set $kind (i32.sub (local.get $kind) (i32.const 1)))
        (br $noted)))
      (local.set $done (i32.add (local.get $done) (i32.const 1)))
      (br $again)))
    (if (i32.gt_s (local.get $kind) (i32.const 0)) (then
      (local.set $at (i32.load offset=2 (i32.add (local.get $at)
        (i32.shl (call $drawn (local.get $kind)) (i32.const 2)))))
      (local.set $done (i32.add (local.get $done) (i32.const 1)))
      (br $again)))
    (loop $values
      (local.set $kind (i32.add (local.get $kind) (i32.const 1)))
      (if (local.get $kind) (then
        (i64.store offset=@POSITION (i32.shl (i32.load16_u offset=2 (local.get $at)) (i32.const 3))
          (i64.load16_s offset=4 (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $values)))))
  (i64.store offset={pack} (i32.const 0) (local.get $pack))
  (local.get $done))
"""
"""The address of a deal, in numbers of 16 bits. A draw: 0, its place, whether that is a pile, the number of slots that
remember the card, and these; the next step follows. A choice: its number of actions, and the addresses of the next
steps, of 32 bits. The end: minus one less the number of changed values, then slots and values.
"""


@by_identity(8)
def planned(graph: Graph) -> tuple[Regular, Deal | None]:
    """Return the needs of random play, and its deal; memoised. Rules that never fire in a deal are left out everywhere,
    and fail if they would.
    """
    found = regular(graph)
    deal = deal_of(graph, found)
    return (regular(graph, deal.idle) if deal and deal.idle else found), deal


class RandomWriter(WasmWriter):
    """Generates the module that only plays at random, by :class:`Regular` play: it keeps no journal, as nothing is
    undone, and does not report which rules fired. A deal is done as one step. Unneeded functions are left out, the rest
    is inlined.
    """

    small = 150
    doors = ("memory", "faulted", "play")

    def __init__(self, layout: Layout) -> None:
        self.regular, self.deal = planned(layout.graph)
        self.settled = self.regular.settled
        super().__init__(Layout(self.regular.graph))
        self.runtime = RUNTIME + (OFFER if self._most_offered() <= MOST_OFFERED else "")
        if self.deal is not None:
            self.runtime += self._dealt(self.deal)

    def _most_offered(self) -> int:
        """At least as many actions as any phase offers."""
        kinds = [self.graph.actions[name].params for name in self.kinds]
        sizes = [math.prod(p.type.size + len(p.type.words) for p in params) for params in kinds]
        offered = [
            sum(
                sizes[verb] * sum(len(self._spoken(n, verb)) for n in (*one.may, *one.bars))
                for verb, one in verbs.items()
            )
            for verbs in self.facts.verbs
        ]
        return (self.graph.seats + 1) * max(offered)

    def _first(self, name: str, *, waits: bool, expr: WasmExpressions) -> list[str]:
        return [] if name in self.regular.data else super()._first(name, waits=waits, expr=expr)

    def _noted(self, number: int) -> list[str]:
        idle = self.deal is not None and self.facts.rules[number].name in self.deal.idle
        return ["(call $fault)"] if idle else super()._noted(number)

    def _opening(self, phase: str, function: Function) -> str:
        opened = self.deal is not None and phase == self.deal.phase
        return super()._opening(phase, function) + (" (global.set $opened (i32.const 1))" if opened else "")

    def _fired(self, number: int, name: str) -> str:
        if name == "once":
            return super()._fired(number, name)
        return f"{self._settled(self.alone[number], int(name.removeprefix('auto')))} (return (i32.const 0))"

    def _dealt(self, deal: Deal) -> str:
        """The function that does a whole deal."""
        address, raw = self.free, bytearray()
        begun = {values: self._listed(node, address, raw) for values, node in deal.begun.items()}
        raw += bytes(-len(raw) % 8)
        self._numbers(struct.unpack(f"<{len(raw) // 8}q", raw))
        every = itertools.product(*deal.read.values())
        self._table(
            "deal_begun", [self.layout.kind(slot) for slot in deal.read], {one: begun.get(one, 0) for one in every}
        )
        given = " ".join(f"(i64.load offset={POSITION + 8 * slot} (i32.const 0))" for slot in deal.read)
        return DEALT.format(
            pack=POSITION + 8 * self.layout.blocks[self.graph.pack].base,
            full=sum(1 << at for at, card in enumerate(self.graph.cards) if card.present),
            longest=deal.longest,
            cards=len(self.graph.cards),
            places=POSITION + 8 * self.layout.cards_at,
            begun=f"(call $deal_begun {given})",
        )

    def _listed(self, node: Node, address: int, raw: bytearray) -> int:
        """Add what is done to the bytes that begin at an address; where in memory it begins."""
        draws = []
        while isinstance(node, Draw):
            draws.append(node)
            node = node.then
        further = [self._listed(one, address, raw) for one in node.then] if isinstance(node, Choice) else []
        begun = address + len(raw)
        for draw in draws:
            raw += struct.pack("<4h", 0, draw.place, self.layout.is_pile[draw.place], len(draw.noted))
            raw += struct.pack(f"<{len(draw.noted)}h", *draw.noted)
        if isinstance(node, Choice):
            raw += struct.pack(f"<h{len(further)}I", len(further), *further)
        elif isinstance(node, AtRest):
            values = [number for pair in node.values for number in pair]
            raw += struct.pack(f"<h{len(values)}h", -1 - len(node.values), *values)
        return begun
