"""Which calls of the compiled rules a script makes, so that it need not be played again by rules that answer the same.

Most changes of the rules, and most values of options, alter few scripts. A script goes by other rules as it did if each
function that it called answers there as it answered, and each action that was judged is judged as it was.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType, FunctionType, SimpleNamespace
from typing import Any, cast

from truco_spec.engine.compiled.program import Program, RuleCode
from truco_spec.engine.explain import Explainer
from truco_spec.engine.game import Action, Game
from truco_spec.engine.ruling import Judge
from truco_spec.engine.support import COMPILED, awake, function_names, lowest_actor
from truco_spec.graph.model import Graph
from truco_spec.logs.setup import chance_verbs

_JUDGING = frozenset(each.__code__ for each in (Judge.permit_by, Judge.rule_on))
_TURN = Explainer.lacks_only_the_turn.__code__
_FILLED = ("out", "found", "weigh", "back")
"""Parameters into which a function writes, or calls."""
_MOST_PROGRAMS, _MOST_TEXTS = 64, 16_384

_Position = tuple[int, ...]
_Function = FunctionType


@dataclass(slots=True)
class RuleTrace:
    """What is asked of a program: calls of its functions by name, actions that are judged, and those that may
    lack only the turn; each with its position.
    """

    calls: dict[str, dict[tuple[_Position, tuple[Any, ...]], None]] = field(default_factory=dict)
    judged: dict[tuple[_Position, Action], None] = field(default_factory=dict)
    turns: dict[tuple[_Position, Action], None] = field(default_factory=dict)

    def goes_alike(self, before: Program, program: Program) -> bool:
        """Whether a program answers all this as one did ``before``."""
        parting = _parting(before, program)
        if parting is None or not parting.unasked.isdisjoint(self._phases()):
            return False
        for name, was, now in parting.functions:
            calls = self.calls.get(name, {})
            if calls and (now is None or any(_result(now, *each) != _result(was, *each) for each in calls)):
                return False
        judges = Judge(program), Judge(before)
        for position, action in self.judged:
            if position[0] in parting.phases and len({_ruled(judge, position, action) for judge in judges}) > 1:
                return False
        listed = (position for n in parting.phases for position, _ in self.calls.get(f"legal{n}", ()))
        if any(len({_offered(judge, position) for judge in judges}) > 1 for position in listed):
            return False
        return all(_lacks_turn(program, *each) == _lacks_turn(before, *each) for each in self.turns)

    def _phases(self) -> Iterator[int]:
        yield from (position[0] for calls in self.calls.values() for position, _ in calls)
        yield from (position[0] for position, _ in self.judged)


@contextmanager
def traced(program: Program) -> Iterator[RuleTrace]:
    """A context in which what is asked of a program from elsewhere is noted."""
    trace, positions, names = RuleTrace(), dict[_Position, _Position](), _Numbered(program)

    def at(v: Sequence[int]) -> _Position:
        position = tuple(v)
        return positions.setdefault(position, position)

    def on_event(frame: FrameType, event: str, argument: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code in _JUDGING:
            local = frame.f_locals
            trace.judged[at(local["v"]), local["action"]] = None
        elif code is _TURN:
            local = frame.f_locals
            trace.turns[at(local["self"].game.position), local["action"]] = None
        elif code.co_filename == COMPILED and code.co_name[:1] != "<":
            caller = frame.f_back
            if caller is not None and caller.f_code.co_filename != COMPILED:
                local, given = frame.f_locals, code.co_varnames[1 : code.co_argcount]
                call = at(local["v"]), tuple(local[each] for each in given if each not in _FILLED)
                trace.calls.setdefault(names.lasting(code.co_name), {})[call] = None

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        yield trace
    finally:
        sys.setprofile(before)


# ---- in what two programs differ -----------------------------------------------------------------

_OF_RULE = re.compile(r"\b(do|x|w|s|c|lest|R)(\d+)(?=\b|_)")
_NAME = re.compile(r"[a-z]+(?:\d+|‹[^›]*›)(?:_\w+)?")


class _Numbered:
    """The names of functions, which have the numbers of rules; in ``lasting`` ones their names stand instead."""

    def __init__(self, program: Program) -> None:
        self.names = program.names

    def lasting(self, text: str) -> str:
        return _OF_RULE.sub(self._named, text)

    def _named(self, found: re.Match[str]) -> str:
        kind, number = found[1], int(found[2])
        return f"{kind}‹{self.names[number]}›" if number < len(self.names) else found[0]


@lru_cache(maxsize=_MOST_PROGRAMS)
def _functions(program: Program) -> Mapping[str, tuple[str, _Function]]:
    """The text of each function, and the function, by its lasting name."""
    lasting = _Numbered(program).lasting
    return {lasting(name): (lasting(text), program.space[name]) for name, text in program.texts.items()}


@lru_cache(maxsize=_MOST_TEXTS)
def _mentioned(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(text))


@dataclass(frozen=True, slots=True)
class _Parting:
    """What may answer otherwise: functions by their lasting names, as they are before and then (None: gone); and the
    phases in which rules stand otherwise to each other. ``unasked`` are those in which rules may fire that could not.
    """

    functions: tuple[tuple[str, _Function, _Function | None], ...]
    phases: frozenset[int]
    unasked: frozenset[int]


@lru_cache(maxsize=_MOST_PROGRAMS)
def _parting(before: Program, program: Program) -> _Parting | None:
    """In what a program may answer otherwise than another; None where they cannot be compared."""
    if _shape(before.graph) != _shape(program.graph):
        return None
    old, new, phases = _functions(before), _functions(program), range(len(before.verbs))
    others = frozenset(phase for phase in phases if _order(program, phase) != _order(before, phase))
    numbers, tables = function_names(before.graph), program.graph.tables
    found = {numbers[name] for name, table in before.graph.tables.items() if table != tables[name]}
    none = ("", None)
    found |= {name for name in old.keys() | new.keys() if old.get(name, none)[0] != new.get(name, none)[0]}
    while more := {name for name, (text, _) in new.items() if name not in found and _mentioned(text) & found}:
        found |= more
    found |= {f"{kind}{phase}" for phase in others for kind in ("legal", "ready")}
    once = [{each.rules[number].name for number in each.space["ONCE"]} for each in (before, program)]
    if once[0] != once[1] or any(f"{kind}‹{name}›" in found for name in once[0] for kind in ("w", "do", "x")):
        return None
    if any(name[0] == "p" for name in found - old.keys()):
        return None
    unasked = frozenset(n for n in phases if before.ready[n] is None and program.ready[n] is not None)
    pairs = ((name, old[name][1], new[name][1] if name in new else None) for name in found if name in old)
    return _Parting(tuple(pairs), others, unasked)


def _shape(graph: Graph) -> list[object]:
    """What positions and words are made of, and what else is asked of the rules but their functions."""
    autos = [(name, rule.beats) for name, rule in graph.rules.items() if rule.shape in ("auto", "once")]
    of = [graph.seats, graph.teams, graph.words, graph.orders, graph.cards, graph.data, graph.phases, [*graph.effects]]
    of += [[*graph.tables], [(name, each.params, each.type) for name, each in graph.defines.items()]]
    of += [[(each.name, each.params, each.written, each.tacit) for each in graph.actions.values()]]
    return [*of, chance_verbs(graph), lowest_actor(graph), [beats for _, beats in autos if beats]]


def _order(program: Program, phase: int) -> list[object]:
    """What the rules of a phase are to each other."""
    verbs = program.verbs[phase]
    groups = [(verb, [*map(_named, (of.may, of.bars, of.live, of.sure, of.maybe))]) for verb, of in verbs.items()]
    rules = {rule.name: rule for of in verbs.values() for rule in (*of.may, *of.bars)}
    return [*groups, *((name, rule.shape, rule.beats) for name, rule in sorted(rules.items()))]


def _named(rules: Sequence[RuleCode]) -> list[str]:
    return sorted(rule.name for rule in rules)


# ---- asked again ---------------------------------------------------------------------------------


def _ruled(judge: Judge, position: _Position, action: Action) -> object:
    try:
        ruling = judge.rule_on([*position], action)
    except Exception as error:  # noqa: BLE001 -- changed rules may be anything
        return type(error)
    return ruling.status, (*_named(ruling.rules),)


def _offered(judge: Judge, position: _Position) -> object:
    try:
        return frozenset(judge.legal([*position]))
    except Exception as error:  # noqa: BLE001 -- changed rules may be anything
        return type(error)


def _lacks_turn(program: Program, position: _Position, action: Action) -> bool:
    v, layout = [*position], program.layout
    players = [str(seat) for seat in range(program.graph.seats)]
    game = SimpleNamespace(graph=program.graph, layout=layout, position=v, phase=layout.phases[v[0]], players=players)
    return Explainer(cast(Game, game)).lacks_only_the_turn(action)


def _result(function: _Function, position: _Position, given: tuple[Any, ...]) -> object:
    """What a function answers, and what it fills in."""
    v, rest, function = [*position], iter(given), awake(function)
    filled, found = list[Any](), dict[Any, Any]()
    code = function.__code__
    for name in code.co_varnames[1 : code.co_argcount]:
        if name == "found":
            filled.append(found)
        elif name == "weigh":
            filled.append(lambda v, found, rules: found.setdefault(rules.verb))
        else:
            filled.append([] if name in _FILLED else next(rest))
    try:
        answer = function(v, *filled)
    except Exception as error:  # noqa: BLE001 -- changed rules may be anything
        return type(error)
    named = [each.name for each in answer] if isinstance(answer, list) and function.__name__[:5] == "ready" else answer
    permits = {action: permit and permit.names for action, permit in found.items()}
    return named, permits, v, [each for each in filled if isinstance(each, list)]
