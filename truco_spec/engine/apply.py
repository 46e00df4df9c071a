"""Applies changes to a position. A step is one simultaneous change, and every slot that it writes can be restored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from truco_spec.engine.compile.program import Ops, Position, Program
from truco_spec.engine.layout import DEPTH, NONE
from truco_spec.engine.support import (
    ADD,
    ASK,
    BITS,
    CARD,
    PILE,
    RESUME,
    SET,
    ConflictError,
    RangeError,
    deep,
    lost,
)


class Step(NamedTuple):
    """One step: the rules that fired together, and the previous values of the slots written: slot, value, slot …"""

    rules: tuple[str, ...]
    back: list[int]


def apply(program: Program, v: Position, ops: Ops, back: list[int]) -> None:
    """Apply changes computed in one position; ``back`` records the undo data. Raises ConflictError and RangeError."""
    layout = program.layout
    way: tuple[int, ...] | None = None
    written: dict[int, int] = {}
    added: dict[int, int] = {}
    moved: dict[int, int] = {}
    for op in ops:
        kind = op[0]
        if kind == SET:
            slot, value = op[1], op[2]
            if written.setdefault(slot, value) != value:
                raise ConflictError(f"{layout.names[slot]} would get two values at once")
        elif kind == ADD:
            added[op[1]] = added.get(op[1], 0) + op[2]
        elif kind == CARD:
            if moved.setdefault(op[1], op[2]) != op[2]:
                raise ConflictError("a card would go to two places at once")
        elif kind == PILE:
            for card in BITS[op[1]]:
                if moved.setdefault(card, op[2]) != op[2]:
                    raise ConflictError("a card would go to two places at once")
        elif way is None:
            way = op
        elif way != op:
            raise ConflictError("the game would go on in two ways at once")
    low, high = layout.low, layout.high
    for slot, amount in added.items():
        if slot in written:
            raise ConflictError(f"{layout.names[slot]} would be set and changed at once")
        written[slot] = v[slot] + amount
    for slot, value in written.items():
        if not low[slot] <= value <= high[slot] and value > NONE and not layout.kind(slot).many:
            name, kind_text = layout.names[slot], layout.kind(slot)
            raise RangeError(f"{name} would become {value}, and it is {kind_text}")
        old = v[slot]
        if old != value:
            back += (slot, old)
            v[slot] = value
    move = program.space["move"]
    for card, slot in moved.items():
        move(v, back, card, slot)
    if way is not None:
        _go(program, v, way, back)


def _go(program: Program, v: Position, way: tuple[int, ...], back: list[int]) -> None:
    layout, kind = program.layout, way[0]
    before = v[:DEPTH]
    for i, old in enumerate(before):
        back += (i, old)
    if kind == RESUME:
        if before[1] < 0:
            lost()
        v[:DEPTH] = [*before[1:], -1]
    elif kind == ASK:
        if before[-1] >= 0:
            deep()
        v[:DEPTH] = [way[1], *before[:-1]]
    else:
        name = layout.phases[way[1]]
        v[:DEPTH] = [way[1], -1, -1, -1] if name in layout.ground else [way[1], *before[1:]]
        opening = program.openings.get(way[1])
        if opening is not None:
            opening(v, back)


def undo(v: Position, steps: Sequence[Step]) -> None:
    """Undo the steps."""
    for step in reversed(steps):
        back = step.back
        for at in range(len(back) - 2, -1, -2):
            v[back[at]] = back[at + 1]
