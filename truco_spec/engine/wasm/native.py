"""Plays a graph as a WebAssembly module: the same game as :mod:`truco_spec.engine.game`, many times as fast.

It needs ``wasmtime`` (the extra ``truco-spec[native]``).
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.engine.layout import Layout, begin_with
from truco_spec.engine.ruling import check_arguments
from truco_spec.engine.support import Action, PlayError, lowest_actor
from truco_spec.engine.wasm.expressions import POSITION
from truco_spec.engine.wasm.module import MOST_ACTIONS, SCRIPT_AT, WasmWriter
from truco_spec.engine.wasm.random_play import RandomWriter, planned
from truco_spec.engine.wasm.rule_functions import ACTOR_AT, ARGS_AT
from truco_spec.graph.fold import specialise
from truco_spec.graph.model import MOST_GRAPHS, Graph, by_identity

if TYPE_CHECKING:
    from wasmtime import Engine, Func, Global, Memory, Module, Store

STATUSES = ("permitted", "forbidden", "not-offered", "impossible")
"""The module's answers to an action, by number; one more: the rules failed."""
FAILED = "the rules fail here; the engine in Python says which"
_FIRED, _LISTED = 196608, 262144
_WORD = 1 << 16
_NO_ACTION = (1 << 64) - 1


class MissingRuntime(TrucoError):
    """The WebAssembly runtime is not installed."""

    def __init__(self) -> None:
        super().__init__(
            Sentence('This needs the WebAssembly runtime wasmtime. Install the extra: pip install "truco-spec[native]"')
        )


class UnusableRuntime(TrucoError):
    """The runtime cannot run a module here, as where too little memory may be reserved (``ulimit -v``)."""

    def __init__(self, why: str) -> None:
        form = "The WebAssembly runtime wasmtime cannot be used here: {why}. The engine in Python needs none."
        super().__init__(Sentence(form, why=why))


def is_installed() -> bool:
    """Whether there is a runtime."""
    from importlib.util import find_spec

    return find_spec("wasmtime") is not None


@by_identity(MOST_GRAPHS)
def bytes_of(graph: Graph) -> bytes:
    """The module of a graph, memoised. Raises :class:`MissingRuntime`, and TooLarge for one that does not fit."""
    return written(graph, WasmWriter)


@by_identity(MOST_GRAPHS)
def _random_bytes_of(graph: Graph) -> bytes:
    return written(graph, RandomWriter)


def written(graph: Graph, writer: type[WasmWriter]) -> bytes:
    """The module of a graph by this writer. Raises as :func:`bytes_of` does."""
    try:
        from wasmtime import wat2wasm
    except ImportError:
        raise MissingRuntime from None
    return bytes(wat2wasm(writer(Layout(specialise(graph))).source()))


class NativeGame:
    """A game on the module of a graph. Actions and ``start`` are those of :class:`~truco_spec.engine.game.Game`.

    Raises :class:`MissingRuntime` without a runtime, :class:`UnusableRuntime` where it does not run, and PlayError
    where the rules fail, which leaves the position unchanged.
    """

    def __init__(self, graph: Graph, *, mode: str = "strict", start: Mapping[str, object] | None = None) -> None:
        self._open(graph, bytes_of(graph))
        self.judge(mode)
        self.begin(start)

    def _open(self, graph: Graph, raw: bytes) -> None:
        from wasmtime import Config, Engine, Instance, Module, Store, WasmtimeError

        config = Config()
        config.parallel_compilation = False  # its threads would be missing in forked processes; it is no slower
        self.graph, self.layout = graph, Layout(graph)
        self._kinds, self._rules = list(graph.actions), list(graph.rules)
        self._numbers = {name: number for number, name in enumerate(self._kinds)}
        self._read_actions: dict[int, Action] = {}
        try:
            engine = Engine(config)
            module, self._store = Module(engine, raw), Store(engine)
            self._exports = Instance(self._store, module, []).exports(self._store)
        except WasmtimeError as error:
            raise UnusableRuntime(str(error).partition("\n")[0]) from error
        self._memory = cast("Memory", self._exports["memory"])
        self._dice: _Dice | None = None
        weakref.finalize(self, _close, self._store, module, engine)

    def judge(self, mode: str) -> None:
        """Play in this mode, strict or umpire, from now on."""
        self._global("strict").set_value(self._store, int(mode == "strict"))

    def begin(self, start: Mapping[str, object] | None = None) -> None:
        """Begin a new game."""
        self._call("begin")
        position = self.position
        begin_with(self.layout, position, start or {})
        self.position = position
        if self._call("start"):
            raise self._failed()

    @property
    def position(self) -> list[int]:
        """All slots of the position (:mod:`truco_spec.engine.layout`)."""
        return self._read(self.layout.size)

    @position.setter
    def position(self, values: Sequence[int]) -> None:
        self._write(values)

    def _read(self, size: int) -> list[int]:
        return list(struct.unpack(f"<{size}q", self._memory.read(self._store, POSITION, POSITION + 8 * size)))

    def _write(self, values: Sequence[int]) -> None:
        self._memory.write(self._store, struct.pack(f"<{len(values)}q", *values), POSITION)

    def legal_actions(self) -> list[Action]:
        """The permitted actions, in the order of the rules."""
        count = self._sound(self._call("legal"))
        raw = self._memory.read(self._store, _LISTED, _LISTED + 8 * count)
        known = self._read_actions
        return [known.get(key) or self._action(key) for key in struct.unpack(f"<{count}Q", raw)]

    def push(self, action: Action) -> str:
        """Do an action if it is permitted (in umpire mode, possible); returns its status.

        Raises ArgumentError for arguments that are no whole numbers.
        """
        check_arguments(action)
        if not self._exists(action):
            return STATUSES[-1]
        status = self._call("push", self._key(action))
        if status == len(STATUSES):
            raise self._failed()
        return STATUSES[status]

    def push_all(self, actions: Sequence[Action]) -> list[str]:
        """The statuses of these actions, done in turn as by :meth:`push`, but with one call of the module.

        Raises as ``push`` does; what came before the action at which the rules failed is done.
        """
        statuses = list[str]()
        for at in range(0, len(actions), MOST_ACTIONS):
            statuses += self._pushed(actions[at : at + MOST_ACTIONS])
        return statuses

    def _pushed(self, actions: Sequence[Action]) -> list[str]:
        for action in actions:
            check_arguments(action)
        keys = [self._key(action) if self._exists(action) else _NO_ACTION for action in actions]
        self._memory.write(self._store, struct.pack(f"<{len(keys)}Q", *keys), SCRIPT_AT)
        done = self._call("push_all", len(keys))
        raw = self._memory.read(self._store, SCRIPT_AT, SCRIPT_AT + 8 * done)
        statuses = struct.unpack(f"<{done}Q", raw)
        if len(STATUSES) in statuses:
            raise self._failed()
        return [STATUSES[status] for status in statuses]

    def fired(self) -> list[list[str]]:
        """The names of the rules that fired in the last action, step by step."""
        count = self._global("fired").value(self._store)
        raw = self._memory.read(self._store, _FIRED, _FIRED + 4 * count)
        steps: list[list[str]] = []
        for number in struct.unpack(f"<{count}i", raw):
            if number < 0:
                steps.append([])
            else:
                steps[-1].append(self._rules[number])
        return steps

    def ask(self, question: str, *args: int) -> int:
        """The answer of a define."""
        return self._sound(self._call(question, *args))

    def mark(self) -> int:
        """The present moment, for :meth:`undo`."""
        return int(self._global("journal").value(self._store))

    def undo(self, mark: int) -> None:
        """Go back to a moment."""
        self._call("undo", mark)

    def perft(self, depth: int) -> int:
        """The number of sequences of this many actions of players (:mod:`truco_spec.engine.perft`)."""
        found = self._call("perft", depth)
        if found < 0:
            raise self._failed()
        return found

    def play(self, seed: int, actions: int) -> int:
        """Play this many actions at random, beginning anew from the present position when a match is over; returns the
        number of matches. ``seed`` is not 0; ``runtime.wat`` states the generator. It cannot be undone.
        """
        dice = self._dice = self._dice or _Dice(self.graph)
        found, position = dice.played(self.position, seed, actions)
        if found < 0:  # more happens than is planned for, or the rules fail
            found = self._call("play", seed, actions)
        else:
            self.position = position
            self._global("journal").set_value(self._store, 0)
        if found < 0:
            raise self._failed()
        return found

    def _call(self, name: str, *args: int) -> int:
        from wasmtime import Trap

        try:
            found = cast("Func", self._exports[name])(self._store, *args)
        except Trap:  # a position from outside that is none
            raise self._failed() from None
        return 0 if found is None else int(found)

    def _sound(self, found: int) -> int:
        if self._global("faulted").value(self._store):
            raise self._failed()
        return found

    def _failed(self) -> PlayError:
        """The error of rules that failed; the module forgets it."""
        self._global("faulted").set_value(self._store, 0)
        return PlayError(FAILED)

    def _global(self, name: str) -> Global:
        return cast("Global", self._exports[name])

    def _exists(self, action: Action) -> bool:
        """Whether the action has a number."""
        kind = self.graph.actions.get(action.verb)
        fits = (
            all(abs(arg) < _WORD // 2 for arg in action.args)
            and lowest_actor(self.graph) <= action.actor < self.graph.seats
        )
        return kind is not None and len(action.args) == len(kind.params) and fits

    def _key(self, action: Action) -> int:
        key = self._numbers[action.verb] | (action.actor + 1 & 255) << ACTOR_AT
        for arg, at in zip(action.args, ARGS_AT, strict=False):
            key |= arg % _WORD << at
        return key

    def _action(self, key: int) -> Action:
        verb = self._kinds[key & 255]
        words = [key >> at & _WORD - 1 for at in ARGS_AT[: len(self.graph.actions[verb].params)]]
        args = tuple([word - _WORD if word >= _WORD // 2 else word for word in words])
        found = self._read_actions[key] = Action((key >> ACTOR_AT & 255) - 1, verb, args)
        return found


class _Dice(NativeGame):
    """The module of a graph that only plays at random."""

    def __init__(self, graph: Graph) -> None:
        self._open(graph, _random_bytes_of(graph))

    def played(self, position: list[int], seed: int, actions: int) -> tuple[int, list[int]]:
        """Return the end of :meth:`NativeGame.play` from this position; -1 if it is not known here."""
        regular, _ = planned(specialise(self.graph))
        if not regular.holds(self.layout, position):
            return -1, position
        self.position = position
        return self._call("play", seed, actions), self.position


def _close(store: Store, module: Module, engine: Engine) -> None:
    """Free what the runtime holds: with the game, or before the interpreter is torn down."""
    for held in (store, module, engine):
        held.close()
