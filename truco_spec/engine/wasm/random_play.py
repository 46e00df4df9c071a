"""Generates the WebAssembly module that only plays at random."""

from __future__ import annotations

import itertools
import math
import struct

from truco_spec.engine.layout import Layout
from truco_spec.engine.wasm.deal import AtRest, Choice, Deal, Draw, Node, deal_of
from truco_spec.engine.wasm.expressions import POSITION, Function, WasmExpressions
from truco_spec.engine.wasm.module import WasmWriter
from truco_spec.engine.wasm.regular import Regular, regular
from truco_spec.graph.model import Graph, by_identity

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
"""Where the list of permitted actions has room for all of any phase."""
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
"""What is done in a deal stands there as numbers of 16 bits. A draw: 0, its place, whether that is a pile, how many
slots remember the card, and these; what comes then follows. A choice: how many there are, and the addresses where they
go on, of 32 bits. The end: less than 0 by one more than the values that change, then slots and values.
"""


@by_identity(8)
def planned(graph: Graph) -> tuple[Regular, Deal | None]:
    """What random play needs, and its deal; memoised. What never happens in a deal is taken to happen nowhere, and is a
    fault if it does.
    """
    found = regular(graph)
    deal = deal_of(graph, found)
    return (regular(graph, deal.idle) if deal and deal.idle else found), deal


class RandomWriter(WasmWriter):
    """Generates the module that only plays at random, by :mod:`~truco_spec.engine.wasm.regular` play: no journal is
    kept, for nothing is taken back, and it is not told which rules fired. A deal is done as one. What that does not
    need is left out, and the rest is put where it is called.
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
