"""The runtime of play: actions, the errors of play, and the helpers of compiled graphs on masks and circles."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.engine.layout import NONE, UNSET, Layout
from truco_spec.graph.model import MOST_GRAPHS, OUTSIDERS, by_identity
from truco_spec.graph.operations import BUILT, bit, has

if TYPE_CHECKING:
    from truco_spec.graph.model import Graph


CHANCE = -1
"""The actor of deals and draws."""
REFEREE = -2
"""The actor of the referee's actions, which are no part of the play."""
ACTORS = dict(zip(OUTSIDERS, (CHANCE, REFEREE), strict=True))


class Action(NamedTuple):
    """An action: its actor (a seat, CHANCE or REFEREE), an action of the graph, and its arguments as numbers."""

    actor: int
    verb: str
    args: tuple[int, ...] = ()


@by_identity(MOST_GRAPHS)
def lowest_actor(graph: Graph) -> int:
    """The lowest number of an actor: REFEREE where the rules give the referee anything to do, or else CHANCE."""
    return min((ACTORS[rule.outsider] for rule in graph.rules.values() if rule.outsider), default=CHANCE)


class Actions(dict[tuple[int, ...], Action]):
    """Interns actions by (verb's number, actor, arguments …): created on first use, then shared."""

    LIMIT = 50_000

    def __init__(self, verbs: tuple[str, ...]) -> None:
        super().__init__()
        self.verbs = verbs

    def __missing__(self, key: tuple[int, ...]) -> Action:
        made = Action(key[1], self.verbs[key[0]], key[2:])
        if len(self) < self.LIMIT:
            self[key] = made
        return made


SET, ADD, CARD, PILE, THEN, ASK, RESUME = range(7)
"""Change tuples: (SET, slot, value), (ADD, slot, amount), (CARD, card, slot), (PILE, mask, slot), (THEN, phase) …"""


class PlayError(TrucoError):
    """A failure of the rules themselves: a conflict, a value out of range, a datum read before it was set."""


class ConflictError(PlayError):
    """Two rules or answers apply at once and disagree."""


class RangeError(PlayError):
    """A value outside of its datum's declared range, or an index out of range."""


class TableAnswers(dict[tuple[int, ...], int]):
    """The rows of a table; a missing row is an error of the rules."""

    def __init__(self, name: str, answers: Mapping[tuple[int, ...], int]) -> None:
        super().__init__(answers)
        self.name = name

    def __missing__(self, given: tuple[int, ...]) -> int:
        raise PlayError(Sentence("{name} has no row for what it is asked", name=self.name))


class Bits(dict[int, tuple[int, ...]]):
    """Map each mask to its bits in ascending order, memoised."""

    LIMIT = 20_000
    MOST = 6
    """Maximum sets that are memoised."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        found = tuple([i for i, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"])
        if len(found) <= self.MOST and len(self) < self.LIMIT:
            self[mask] = found
        return found


BITS = Bits()

NOTHING = (NONE,)
"""An empty sequence, for the first of none."""


class Among(dict[tuple[int, int], tuple[int, ...]]):
    """Map (start, mask) to the mask's bits in circular order from the start, for a given size of the circle."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def __missing__(self, key: tuple[int, int]) -> tuple[int, ...]:
        start, mask = key
        found = tuple([at for at in around(self.size)[start] if mask >> at & 1])
        if len(self) < Bits.LIMIT:
            self[key] = found
        return found


def inside(value: int, low: int, high: int) -> int:
    """Return the value if it is in the range, else raise."""
    if low <= value <= high:
        return value
    raise RangeError(_outside(value, low, high))


def some(value: int) -> int:
    """Return the value if it is not a word such as none, else raise."""
    if value > NONE:
        return value
    raise RangeError(_outside(value, 0, 0))


def fit(value: int, words: tuple[int, ...]) -> int:
    """Return the value if it is no word or one of these, else raise."""
    return value if value in words else some(value)


def _outside(value: int, low: int, high: int) -> str:
    if value == UNSET:
        return Sentence("a datum is read before it is set")
    if value <= NONE:
        return Sentence("a rule needs a value here and there is none")
    return Sentence("{value} is outside of {low} .. {high}", value=value, low=low, high=high)


def last(found: list[int]) -> int:
    """The last element of the list, or none."""
    return found[-1] if found else NONE


def clash(names: str) -> int:
    """Raise: two answers disagree."""
    raise clashing(names)


def clashing(names: str) -> ConflictError:
    """The error of two rules, or two answers, that disagree."""
    form = "{names} apply at once and disagree; say which beats the other with `except`"
    return ConflictError(Sentence(form, names=names))


def silent(name: str) -> int:
    """Raise: no answer applies."""
    raise PlayError(Sentence("{name} has no answer here", name=name))


def lost() -> None:
    """Raise: a phase resumes with nothing below it."""
    raise ConflictError(Sentence("there is nothing to resume"))


def deep() -> None:
    """Raise: the phase stack is full."""
    raise RangeError(Sentence("too many phases lie on each other"))


@lru_cache(maxsize=16)
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each start, the circle of this many seats from there."""
    return tuple(tuple((start + i) % size for i in range(size)) for start in range(size))


def function_names(graph: Graph) -> dict[str, str]:
    """The function names of a graph's questions in its module."""
    names = {name: f"d{i}" for i, name in enumerate(graph.defines)}
    return names | {name: f"t{i}" for i, name in enumerate(graph.tables)}


def _writers(layout: Layout) -> dict[str, Any]:
    """``move`` puts a card in its new place; ``over`` raises for a value out of a datum's range."""
    at, is_pile = layout.cards_at, layout.is_pile

    def move(v: list[int], back: list[int], card: int, slot: int) -> None:
        old = v[at + card]
        if old == slot:
            return
        back += (at + card, old, old, v[old], slot, v[slot])
        v[at + card] = slot
        v[old] = v[old] & ~(1 << card) if is_pile[old] else NONE
        if is_pile[slot]:
            v[slot] |= 1 << card
        elif v[slot] == NONE:
            v[slot] = card
        else:
            raise ConflictError(Sentence("{slot} would hold two cards", slot=layout.names[slot]))

    def over(slot: int, value: int) -> None:
        if value > NONE:
            raise RangeError(
                Sentence(
                    "{slot} would become {value}, and it is {kind}",
                    slot=layout.names[slot],
                    value=value,
                    kind=layout.kind(slot),
                )
            )

    return {"move": move, "over": over}


_DEF = "\ndef "
COMPILED = "<rules>"
"""The file of compiled functions."""
_MOST_FUNCTIONS = 8_192  # the whole corpus calls some 4,000


def _wakes(*args: Any, wake: Callable[[str], FunctionType], name: str) -> Any:
    return wake(name)(*args)


class LazyModule:
    """The text of a compiled graph: constants, then functions, each compiled when it is first called: an evening
    at the table calls a third of some 450. ``texts`` are those of the functions by name.
    """

    def __init__(self, text: str) -> None:
        rest, *functions = f"\n{text}".split(_DEF)
        self.texts = {function[: function.index("(")]: _DEF + function for function in functions}
        self._codes: dict[str, CodeType] = {}
        self._rest = _compiled(rest)

    def run(self, space: dict[str, Any]) -> None:
        """Run the module in a namespace. Each function has its own code from its first call on."""
        exec(self._rest, space)  # noqa: S102  (our own text: numbers and slots only)
        made: dict[str, FunctionType] = {}

        def wake(name: str) -> FunctionType:
            function = made[name]
            function.__code__, function.__kwdefaults__, function.__qualname__ = self._code(name), None, name
            return function

        for name in self.texts:
            code = self._codes.get(name)
            made[name] = function = FunctionType(code or _wakes.__code__, space, name)
            if code is None:
                function.__kwdefaults__ = {"wake": wake, "name": name}
        space |= made

    def _code(self, name: str) -> CodeType:
        found = self._codes.get(name)
        if found is None:
            (found,) = [each for each in _compiled(self.texts[name]).co_consts if isinstance(each, CodeType)]
            self._codes[name] = found
        return found


@lru_cache(maxsize=_MOST_FUNCTIONS)
def _compiled(text: str) -> CodeType:
    """The code of statements. Most functions are the same under all options of a variant."""
    return compile(text, COMPILED, "exec")


def awake(function: FunctionType) -> FunctionType:
    """The function of a module, with its own code though it was not called yet."""
    waking = function.__kwdefaults__
    return waking["wake"](waking["name"]) if waking else function


def namespace(graph: Graph, layout: Layout) -> dict[str, Any]:
    """The globals of a compiled graph."""
    seats, teams = max(1, graph.seats), max(1, graph.teams)
    sizes = {param.type.size for datum in graph.data.values() for param in datum.params}
    sizes |= {len(members) for members in graph.orders.values()} | {seats, teams, max(1, len(graph.cards))}
    space: dict[str, Any] = {
        "loads": json.loads,
        "BITS": BITS,
        "NOTHING": NOTHING,
        "PACK": tuple([i for i, card in enumerate(graph.cards) if card.present]),
        "NEXT": tuple((s + 1) % seats for s in range(seats)),
        "BEFORE": tuple((s - 1) % seats for s in range(seats)),
        "inside": inside,
        "some": some,
        "fit": fit,
        "has": has,
        "bit": bit,
        "last": last,
        "clash": clash,
        "silent": silent,
        "lost": lost,
        "deep": deep,
        "ACTIONS": Actions(tuple(graph.actions)),
        **_writers(layout),
    }
    many = {"seat": seats, "team": teams, "card": len(graph.cards)}
    for name, built in BUILT.items():
        if built.lookup is not None:
            space[name.upper()] = tuple(map(built.lookup(graph), range(many[built.wants[0]])))
    for size in sizes:
        space[f"AROUND{size}"] = around(size)
        space[f"AMONG{size}"] = Among(size)
    return space
