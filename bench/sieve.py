"""Tells which of many single changes of the rules make a difference at given moments of games.

The module of a graph whose changes are switched by a datum (:mod:`bench.schemata`) looks at a
position under each of them: what is permitted, what is observed and seen, and what follows from given actions, step by
step. A change that makes no difference at any moment of a game plays that game as it was played.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from bench.schemata import SWITCH
from truco_spec.engine.facts import Key, VerbFacts
from truco_spec.engine.game import Event, Game
from truco_spec.engine.layout import DEPTH, UNSET, Layout
from truco_spec.engine.provenance import backwards
from truco_spec.engine.ruling import Ruling
from truco_spec.engine.support import Action
from truco_spec.engine.wasm.expressions import POSITION, Env, Function, WasmExpressions, both, const, either
from truco_spec.engine.wasm.module import WasmWriter
from truco_spec.engine.wasm.native import NativeGame, written
from truco_spec.engine.wasm.rule_functions import switch
from truco_spec.graph.load import SETTLED
from truco_spec.graph.model import OBSERVED, SEEN, Define, Expr, Graph

MOST = 62
"""Changes in one module: a difference is a bit of a number."""
_TRIED = 64
"""Actions that are tried in one call."""
_BEGINS = (1 << 64) - 1
"""In place of an action: the match begins."""
_PRIME = -7046029254386353131

Position = tuple[int, ...]
Moments = dict[Position, set[Action | None]]
"""Positions, and the actions that are tried in each; None where the match begins."""


class _SwitchExpressions(WasmExpressions):
    """Notes which changes are asked for."""

    def test(self, expr: Expr, env: Env) -> str:
        if expr.op == "is" and expr.kids[0].op == "datum" and expr.kids[0].value == SWITCH:
            return f"(call $made {self.value(expr.kids[1], env)})"
        return super().test(expr, env)


class SieveWriter(WasmWriter):
    """Adds the comparison. The datum that switches the changes is the first one.

    A change that nothing asks for while the rules are played without any makes no difference there.
    """

    def _remember(self, define: Define, key: Key, env: Env) -> None:
        if not any(expr.value == SWITCH for expr in key.exprs):  # else what it asks for would not be noted again
            super()._remember(define, key, env)

    def _expr(self, function: Function) -> WasmExpressions:
        return _SwitchExpressions(self.layout, self.functions, function)

    def _phases(self) -> None:
        super()._phases()
        asked = [self._asked(define) for define in self.graph.defines.values() if _is_looked_at(define.name)]
        self._put(Function("look"), " ".join(call for calls in asked for call in calls))
        for phase, verbs in enumerate(self.facts.verbs):
            for verb, facts in verbs.items():
                self._turn(phase, verb, facts)
            known = {verb: f"(return (call $untimely{phase}_{verb} {self._args(verb)}))" for verb in verbs}
            body = f"{switch(known, len(self.kinds))} (i32.const 0)"
            self._put(Function(f"untimely{phase}", ["key"], "i32"), body)
        self._by_phase("only_turn", "untimely", ["key"], "i32", "(i32.const 0)")
        self.tried = self._room(_TRIED)
        self.made.append(
            _COMPARE.replace("@PRIME", str(_PRIME))
            .replace("@TRIED", str(self.tried))
            .replace("@SWITCH", str(POSITION + 8 * DEPTH))
            .replace("@POSITION", str(POSITION))
            .replace("@END", str(8 * self.layout.size))
        )

    def _turn(self, phase: int, verb: int, facts: VerbFacts) -> None:
        """Whether a rule would permit the action but for the turn: what is said of one that is refused."""
        function, lacking = Function(f"untimely{phase}_{verb}", self._given(self.kinds[verb]), "i32"), list[str]()
        expr = self._expr(function)
        for rule in (self.facts.rules[number] for number in facts.may):
            other = f"(i32.eqz {both(self._actor(rule, expr))})"
            named = (one for one in rule.verbs if one.action == self.kinds[verb])
            lacking += [both([other, *self._speaks(rule, one, expr)]) for one in named]
        self._put(function, either(lacking))

    def _asked(self, define: Define) -> Iterator[str]:
        for args in product(*(range(param.type.low, param.type.high + 1) for param in define.params)):
            yield f"(call $told (call ${self.functions[define.name]} {' '.join(map(const, args))}))"


def _is_looked_at(name: str) -> bool:
    return name.startswith(OBSERVED) or name.endswith(SEEN)


_COMPARE = """
(global $sum (mut i64) (i64.const 0))
(global $asked (mut i64) (i64.const 0))
(func $made (param $change i64) (result i32)
  (global.set $asked (i64.or (global.get $asked) (i64.shl (i64.const 1) (local.get $change))))
  (i64.eq (local.get $change) (i64.load (i32.const @SWITCH))))
(global (export "tried") i32 (i32.const @TRIED))
(func $mix (param $value i64)
  (global.set $sum (i64.mul (i64.const @PRIME)
    (i64.xor (local.get $value) (i64.xor (global.get $sum) (i64.shr_u (global.get $sum) (i64.const 29)))))))
(func $told (param $value i64)
  (if (global.get $faulted) (then (local.set $value (i64.const @PRIME)) (global.set $faulted (i32.const 0))))
  (call $mix (local.get $value)))
(func $mix_position
  (local $at i32)
  (loop $again
    (if (i32.ne (i32.const @SWITCH) (i32.add (local.get $at) (i32.const @POSITION)))
      (then (call $mix (i64.load offset=@POSITION (local.get $at)))))
    (br_if $again (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const @END)))))
;; Every step of what was done, the last first; afterwards the position is as before.
(func $mix_steps
  (local $step i32)
  (local.set $step (global.get $steps))
  (loop $again
    (call $mix_position)
    (if (local.get $step) (then
      (local.set $step (i32.sub (local.get $step) (i32.const 1)))
      (call $undo (i32.load offset=245760 (i32.shl (local.get $step) (i32.const 2))))
      (br $again))))
  (call $undo (i32.const 0)))
(func $seen_now (param $count i32) (result i64)
  (local $at i32) (local $key i64) (local $status i32) (local $only_turn i32)
  (global.set $sum (i64.const 0))
  (global.set $journal (i32.const 0))
  (if (i64.ne (i64.load (i32.const @TRIED)) (i64.const -1)) (then
    (global.set $faulted (i32.const 0))
    (global.set $count (i32.const 0))
    (call $legal_now)
    (call $told (i64.extend_i32_u (global.get $count)))
    (loop $listed
      (if (i32.lt_u (local.get $at) (global.get $count)) (then
        (call $mix (call $listed (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $listed))))
    (call $look)))
  (local.set $at (i32.const 0))
  (loop $again
    (if (i32.lt_u (local.get $at) (local.get $count)) (then
      (local.set $key (i64.load offset=@TRIED (i32.shl (local.get $at) (i32.const 3))))
      (if (i64.eq (local.get $key) (i64.const -1))
        (then (call $mix (i64.extend_i32_u (call $start))))
        (else
          (local.set $only_turn (call $only_turn (local.get $key)))
          (local.set $status (call $push (local.get $key)))
          (call $mix (i64.extend_i32_u (local.get $status)))
          (if (local.get $status) (then (call $mix (i64.extend_i32_u (local.get $only_turn)))))))
      (call $mix_steps)
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $again))))
  (global.get $sum))
;; The changes that make a difference in this position, as a mask, when $count actions are tried; bit 0 is no change.
(func (export "differing") (param $count i32) (result i64)
  (local $change i64) (local $left i64) (local $found i64) (local $plain i64)
  (i64.store (i32.const @SWITCH) (i64.const 0))
  (global.set $asked (i64.const 0))
  (local.set $plain (call $seen_now (local.get $count)))
  (local.set $left (global.get $asked))
  (block $end (loop $again
    (br_if $end (i64.eqz (local.get $left)))
    (local.set $change (i64.ctz (local.get $left)))
    (local.set $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
    (i64.store (i32.const @SWITCH) (local.get $change))
    (if (i64.ne (local.get $plain) (call $seen_now (local.get $count))) (then
      (local.set $found (i64.or (local.get $found) (i64.shl (i64.const 1) (local.get $change))))))
    (br $again)))
  (local.get $found))
"""


class OpenGame(NativeGame):
    """A game on the module of a graph with open options and switched changes, which plays as one that has neither.

    Positions and data are those of ``plain``, the graph under the options of the game; ``change`` is the number of the
    change that is made. Raises as NativeGame does, and TooLarge for more rules about one action than a module takes.
    """

    def __init__(self, graph: Graph, plain: Graph, *, mode: str = "strict") -> None:
        self._open(graph, written(graph, SieveWriter))
        self.judge(mode)
        self._rules = [name.partition(SWITCH)[0] for name in self._rules]
        self.open_graph = graph
        self.play_as(plain)
        self._tried = int(self._global("tried").value(self._store))

    def play_as(self, plain: Graph, change: int = 0) -> None:
        """Begin a new game under the options of this graph, with this change."""
        self.graph, self.layout, self.change, graph = plain, Layout(plain), change, self.open_graph
        switched = {name: name for name in plain.options} | {SETTLED + name: name for name in plain.options}
        self._before = [
            (name, int(graph.value_of(datum.type, plain.options[switched[name]].value) or 0))
            for name, datum in graph.data.items()
            if name in switched
        ]
        firsts = ((block, block.datum.first) for block in self.layout.blocks.values())
        self._firsts = {
            slot: first.value
            for block, first in firsts
            if first is not None and first.op == "const"
            for slot in range(block.base, block.base + block.count)
        }
        self.begin()

    @property
    def position(self) -> list[int]:
        """All slots of the position, without options and changes.

        The first value of a datum that hangs on an option is worked out when its phase begins.
        """
        by, cards = len(self._before) + 1, len(self.graph.cards)
        wide = self._read(self.layout.size + by)
        found = [*wide[:DEPTH], *wide[DEPTH + by : -cards], *(place - by for place in wide[-cards:])]
        return [self._firsts.get(at, value) if value == UNSET else value for at, value in enumerate(found)]

    @position.setter
    def position(self, values: Sequence[int]) -> None:
        by, cards = len(self._before) + 1, len(self.graph.cards)
        places = [place + by for place in values[-cards:]]
        options = [value for _, value in self._before]
        self._write([*values[:DEPTH], self.change, *options, *values[DEPTH:-cards], *places])

    def differing(self, actions: Iterable[Action | None]) -> int:
        """The changes that make a difference in this position when these actions are tried, as a mask: bit *n* is that
        number *n* does. None among the actions: the match begins.
        """
        found, before = 0, self._read(self.layout.size + len(self._before) + 1)
        keys = [_BEGINS if one is None else self._key(one) for one in actions if one is None or self._exists(one)]
        for at in range(0, max(len(keys), 1), _TRIED):
            tried = keys[at : at + _TRIED]
            self._write(before)
            self._memory.write(self._store, struct.pack(f"<{len(tried) or 1}Q", *(tried or (0,))), self._tried)
            found |= self._call("differing", len(tried))
        return found


def recording(moments: Moments, again: set[int]) -> type[Game]:
    """A class of games that note every position that they come to, every action that is tried in it, and which slots
    have a value again that they had before.
    """

    def note(game: Game, action: Action | None = None, position: Sequence[int] | None = None) -> None:
        tried = moments.setdefault(tuple(map(int, game.position if position is None else position)), set())
        if action is not None:
            tried.add(action)

    class Recording(Game):
        def __init__(self, *args: Any, **options: Any) -> None:
            self.had = defaultdict[int, set[int]](set)
            super().__init__(*args, **options)

        def _begin_match(self, start: Mapping[str, object]) -> None:
            moments.setdefault(tuple(map(int, self.position)), set()).add(None)
            super()._begin_match(start)

        def legal_actions(self, seat: int | None = None) -> list[Action]:
            note(self)
            return super().legal_actions(seat)

        def rule_on(self, action: Action) -> Ruling:
            note(self, action)
            return super().rule_on(action)

        def _note(self, action: Action, permit: object) -> bool:
            note(self, action)
            return super()._note(action, permit)  # type: ignore[arg-type]

        def push(self, action: Action) -> Event:
            note(self, action)
            event = super().push(action)
            note(self)
            for step, before, after in reversed([*backwards(self.position, event.steps)]):
                note(self, position=before)
                for slot in step.back[::2]:
                    self.had[slot].add(before[slot])
                    if after[slot] in self.had[slot]:
                        again.add(slot)
            return event

    return Recording
