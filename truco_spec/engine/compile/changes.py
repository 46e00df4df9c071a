"""Generates code for the changes of rules, in two forms.

*Gathered*: ``out.append((SET, slot, value))`` and so on, for steps in which several rules fire;
:mod:`truco_spec.engine.apply` then checks for conflicts. *Direct*: a rule that fires alone and whose changes cannot
collide computes all its values and writes them, recording the old values in ``back``: slot, value before, slot, value
before …
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from truco_spec.engine.compile.python import ExpressionWriter
from truco_spec.engine.layout import DEPTH, Layout
from truco_spec.engine.support import ADD, ASK, CARD, PILE, RESUME, SET, THEN
from truco_spec.graph.model import Apply, Assign, Change, Move, Way


class ChangeWriter:
    """Generates changes; ``effects`` maps named effects to their functions."""

    def __init__(self, layout: Layout, expr: ExpressionWriter, effects: Mapping[str, str]) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.expr = expr
        self.effects = effects

    # ---- gathered ----------------------------------------------------------------------------

    def gathered(self, changes: Iterable[Change], env: Mapping[str, str]) -> list[str]:
        """Lines that append every change to ``out``."""
        return [self._gathered(change, env) for change in changes]

    def _gathered(self, change: Change, env: Mapping[str, str]) -> str:
        if isinstance(change, Assign):
            slot = self.expr.slot(change.datum, change.index, env)
            if change.sign == "=":
                return f"out.append(({SET}, {slot}, {self._value(change, env)}))"
            return f"out.append(({ADD}, {slot}, {self._amount(change, env)}))"
        if isinstance(change, Move):
            slot = self.expr.slot(change.place, change.index, env)
            kind = PILE if change.what.type.many else CARD
            return f"out.append(({kind}, {self._moved(change, env)}, {slot}))"
        if isinstance(change, Apply):
            return f"{self.effects[change.effect]}({', '.join(['v', 'out', *self._args(change, env)])})"
        if change.word == "resume":
            return f"out.append(({RESUME},))"
        return f"out.append(({THEN if change.word == 'then' else ASK}, {self.layout.number[change.phase]}))"

    def _value(self, change: Assign, env: Mapping[str, str]) -> str:
        """The assigned value; a word that the datum does not accept is checked for."""
        value = self.expr.text(change.value, env)
        target = self.graph.data[change.datum].type
        if change.value.type.words - target.words:
            words = ", ".join(str(self.graph.words[word]) for word in sorted(target.words))
            return f"fit({value}, ({words},))" if words else f"some({value})"
        return value

    def _amount(self, change: Assign, env: Mapping[str, str]) -> str:
        return ("-" if change.sign == "-=" else "") + self.expr.text(change.value, env)

    def _moved(self, change: Move, env: Mapping[str, str]) -> str:
        what = self.expr.text(change.what, env)
        return f"some({what})" if change.what.type.words and not change.what.type.many else what

    def _args(self, change: Apply, env: Mapping[str, str]) -> list[str]:
        params = self.graph.effects[change.effect].params
        return [self.expr.given(arg, p.type, env) for arg, p in zip(change.args, params, strict=True)]

    # ---- direct ------------------------------------------------------------------------------

    def direct(self, changes: Iterable[Change], env: Mapping[str, str]) -> list[str] | None:
        """Lines that apply the changes at once, or None if they could collide or branch."""
        found, first = self._opened(list(changes), dict(env))
        if found is None:
            return None
        writes: list[str] = []
        for number, (change, inner) in enumerate(found):
            if isinstance(change, Way):
                continue
            slot, value = f"s{number}", f"n{number}"
            place = change.datum if isinstance(change, Assign) else change.place
            first.append(f"{slot} = {self.expr.slot(place, change.index, inner)}")
            if isinstance(change, Move):
                first.append(f"{value} = {self._moved(change, inner)}")
                writes += self._move(change, slot, value)
            elif change.sign == "=":
                first.append(f"{value} = {self._value(change, inner)}")
                writes += self._write(change, slot, value)
            else:
                first.append(f"{value} = v[{slot}] + {self._amount(change, inner)}")
                writes += self._write(change, slot, value)
        for change, _ in found:
            if isinstance(change, Way):
                writes += self._way(change)
        return first + writes

    def _opened(
        self, changes: list[Change], env: dict[str, str]
    ) -> tuple[list[tuple[Assign | Move | Way, dict[str, str]]] | None, list[str]]:
        """The changes with effects expanded, each with its variables, and lines that compute the effects' arguments."""
        found: list[tuple[Assign | Move | Way, dict[str, str]]] = []
        lines: list[str] = []

        def opened(changes: Iterable[Change], env: dict[str, str], depth: int) -> bool:
            for change in changes:
                if not isinstance(change, Apply):
                    found.append((change, env))
                    continue
                effect = self.graph.effects[change.effect]
                if len(effect.turns) != 1 or effect.turns[0].when is not None or depth > DEPTH:
                    return False
                inner = {}
                for param, text in zip(effect.params, self._args(change, env), strict=True):
                    inner[param.name] = f"x{len(lines)}"
                    lines.append(f"x{len(lines)} = {text}")
                if not opened(effect.turns[0].changes, inner, depth + 1):
                    return False
            return True

        if not opened(changes, env, 0):
            return None, []
        data = [change.datum for change, _ in found if isinstance(change, Assign)]
        moves = [change for change, _ in found if isinstance(change, Move)]
        ways = [change for change, _ in found if isinstance(change, Way)]
        if len(set(data)) < len(data) or len(moves) > 1 or len(ways) > 1:
            return None, []
        return found, lines

    def _write(self, change: Assign, slot: str, value: str) -> list[str]:
        lines = []
        kind = self.graph.data[change.datum].type
        given = change.value.type
        sure = change.sign == "=" and (not given.base or kind.low <= given.low <= given.high <= kind.high)
        if not kind.many and not sure:
            lines.append(f"if not {kind.low} <= {value} <= {kind.high}: over({slot}, {value})")
        return [*lines, f"if v[{slot}] != {value}:", f"  back += ({slot}, v[{slot}])", f"  v[{slot}] = {value}"]

    def _move(self, change: Move, slot: str, value: str) -> list[str]:
        if change.what.type.many:
            return [f"for c in BITS[{value}]:", f"  move(v, back, c, {slot})"]
        return [f"move(v, back, {value}, {slot})"]

    def _way(self, way: Way) -> list[str]:
        if way.word == "resume":
            return ["if v[1] < 0: lost()", self._kept(DEPTH), f"v[:{DEPTH}] = (*v[1:{DEPTH}], -1)"]
        number = self.layout.number[way.phase]
        if way.word == "ask":
            return [f"if v[{DEPTH - 1}] >= 0: deep()", self._kept(DEPTH), f"v[:{DEPTH}] = ({number}, *v[:{DEPTH - 1}])"]
        lines = []
        if way.phase in self.layout.ground:
            nothing = ", ".join(["-1"] * (DEPTH - 1))
            lines += ["if v[1] >= 0:", f"  {self._kept(DEPTH, 1)}", f"  v[1:{DEPTH}] = ({nothing},)"]
        lines += ["back += (0, v[0])", f"v[0] = {number}"]
        if self.layout.scopes.get(way.phase):
            lines.append(f"open{number}(v, back)")
        return lines

    def _kept(self, until: int, start: int = 0) -> str:
        return f"back += ({', '.join(f'{i}, v[{i}]' for i in range(start, until))},)"
