"""A game in progress: one position, its history, and the possible actions.

A game is pure: a deal is an action like any other, of the actor ``CHANCE``. Every push can be popped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, said_by
from truco_spec.engine.compiled.program import (
    Ops,
    Permit,
    Position,
    Program,
    RuleCode,
    Step,
    VerbRules,
    apply,
    permitted_rules,
    undo,
)
from truco_spec.engine.layout import DEPTH, begin_with, named
from truco_spec.engine.ruling import (
    ArgumentError,
    Judge,
    Ruling,
    Unreachable,
    check_action,
    check_arguments,
    must_be_reachable,
    no_seat,
    unreachable,
)
from truco_spec.engine.support import CARD, CHANCE, REFEREE, SET, THEN, Action, PlayError
from truco_spec.graph.model import MOST_GRAPHS, Graph, by_identity

if TYPE_CHECKING:
    from truco_spec.engine.explain import Verdict


_UNSET = Sentence("a datum is read before it is set")
"""The index outside of every range: a seat, team or card that was never set."""

MOST_STEPS = 1000
"""Maximum automatic steps after one action; more indicate a cycle in the rules."""


class Event(NamedTuple):
    """An action that was pushed: its status, the rules behind it, and every step that followed.

    ``status`` is permitted, forbidden or not-offered (the last two in umpire mode only); ``rules`` are the names of the
    rules that permitted it and followed from it, or that forbid it; ``steps`` hold the names of the rules of each step
    and the undo data.
    """

    action: Action
    status: str
    rules: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def fired(self) -> tuple[str, ...]:
        """The names of all these rules, then those of each step."""
        return (*self.rules, *(name for step in self.steps for name in step.rules))


class IllegalAction(TrucoError):
    """An action that the rules do not permit now. ``ruling`` has the reason."""

    def __init__(self, message: str, ruling: Ruling) -> None:
        super().__init__(message)
        self.ruling = ruling


@by_identity(MOST_GRAPHS)
def program_of(graph: Graph) -> Program:
    """Return the memoised compiled program of a graph."""
    return Program(graph)


class Game:
    """A game of a variant.

    ``players`` are the names in the order of play; ``mode`` is strict (forbidden actions are refused) or umpire
    (possible actions happen, and forbidden ones cost the penalty in the rules); ``start`` gives data other initial
    values: ``{"score": {0: 11, 1: 4}}`` or ``{"dealer": 2}``, by index where they have one; ``position_text`` is the
    position to begin in (:mod:`truco_spec.engine.position_text`), instead of the first of a match. Raises
    :class:`~truco_spec.engine.ruling.Unreachable` for values that no game can reach, and
    :class:`~truco_spec.engine.position_text.PositionError` for a text that is no position.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        players: Sequence[str] | int | None = None,
        mode: str = "strict",
        start: Mapping[str, object] | None = None,
        position_text: str = "",
    ) -> None:
        if mode not in ("strict", "umpire"):
            raise TrucoError(Sentence("there is no mode {mode}: it is strict or umpire", mode=mode))
        self.graph = graph
        self.program = program_of(graph)
        self.layout = self.program.layout
        self.players = named(players, graph)
        self.mode = mode
        self.judge = Judge(self.program)
        self.history: list[Event] = []
        self.position: Position = self.blank()
        self._legal: dict[Action, Permit] | None = None
        self._permitted: tuple[Action, Permit] | None = None
        begin_with(self.layout, self.position, start or {})
        self.opening: tuple[Step, ...] = ()
        if position_text:
            self._begin_in(position_text, start or {})
        else:
            self._begin_match(start or {})

    def blank(self) -> Position:
        """The position before anything is set."""
        return self.program.blank()

    def _begin_match(self, start: Mapping[str, object]) -> None:
        first = next(iter(self.layout.number.values()), None)
        if first is None:
            raise PlayError(Sentence("{game} has no phase to begin in", game=self.graph.name))
        opening: list[Step] = []
        try:
            self._step((), [(THEN, first)], opening)
            self._settle(opening, woken=True)
        except (PlayError, IndexError) as error:
            if start:
                raise unreachable(self.graph, _fired(opening)) from error
            raise (error if isinstance(error, PlayError) else PlayError(_UNSET)) from None
        self.opening = tuple(opening)
        if start:
            must_be_reachable(self, _fired(opening))

    def _begin_in(self, text: str, start: Mapping[str, object]) -> None:
        from truco_spec.engine.position_text import set_up

        set_up(self.program, self.position, text, self.players, start)
        try:
            must_be_reachable(self)
            for action in self.legal_actions():  # in a position that a game can reach, the rules work for each
                self.push(action)
                self.pop()
        except (PlayError, IndexError, ValueError) as error:
            raise unreachable(self.graph) from error

    # ---- legality ----------------------------------------------------------------------------

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """The actions permitted now, to anyone or to one seat (or CHANCE), in the order of the rules.

        What the referee may do is not among them, as nobody waits for it; :meth:`permits` tells. Raises
        :class:`ArgumentError` for a seat that is not at the table.
        """
        legal = self._permits()
        if seat is None:
            return list(legal)
        check_action(self.graph, Action(seat, "", ()))
        return [action for action in legal if action.actor == seat]

    def _permits(self) -> Mapping[Action, Permit]:
        if self._legal is None:
            try:
                self._legal = self.judge.legal(self.position)
            except IndexError:
                raise PlayError(_UNSET) from None
        return self._legal

    def awaited(self) -> set[int]:
        """The seats that may act now; CHANCE where a card is to be drawn."""
        return {action.actor for action in self.legal_actions()}

    def rule_on(self, action: Action) -> Ruling:
        """The status of an action (permitted, forbidden, not offered or impossible), and the rules behind it."""
        try:
            return self.judge.rule_on(self.position, action)
        except IndexError:
            raise PlayError(_UNSET) from None

    def permits(self, action: Action) -> bool:
        """Whether it is permitted now; faster than listing where there are many actions."""
        return self._note(action, self.judge.permit(self.position, action))

    def draws(self, rules: VerbRules, action: Action) -> bool:
        """Return the same as :meth:`permits`, for an action known to exist, of a verb whose rules are known
        (:mod:`truco_spec.engine.sample`).
        """
        return self._note(action, self.judge.permit_by(rules, self.position, action))

    def _note(self, action: Action, permit: Permit | None) -> bool:
        self._permitted = None if permit is None else (action, permit)
        return permit is not None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.legal_actions()

    @property
    def phase(self) -> str:
        """The phase on top."""
        return self.layout.phases[self.position[0]]

    # ---- push and pop ------------------------------------------------------------------------

    def push(self, action: Action) -> Event:
        """Do an action.

        Raises IllegalAction (strict: unless permitted; umpire: if impossible) and ArgumentError (an argument that is no
        whole number), leaving the game unchanged.
        """
        permit = self._permit_of(action)
        steps: list[Step] = []
        if permit is not None:
            if type(action.actor) is not int:  # 3.0 and True are found among the permitted, too
                raise ArgumentError(action)
            for value in action.args:
                if type(value) is not int:
                    raise ArgumentError(action)
            status, names = "permitted", permit.names
        else:
            ruling = self.rule_on(action)
            status, names = ruling.status, tuple([rule.name for rule in ruling.rules])
            if status == "impossible" or self.mode == "strict":
                raise IllegalAction(f"{self.text(action)} is {status}", ruling)
        try:
            if permit is not None:
                self._do(action, permit, steps)
            elif status == "forbidden":
                self._pay(action, ruling, steps)
        except (PlayError, IndexError) as fault:
            undo(self.position, steps)
            fired = ", ".join(steps[-1].rules if steps else names)
            kind = type(fault) if isinstance(fault, PlayError) else PlayError
            why = said_by(fault) if isinstance(fault, PlayError) else _UNSET
            raise kind(Sentence("{why} (rules {fired})", why=why, fired=fired)) from None
        except Exception:
            undo(self.position, steps)
            raise
        self._legal = self._permitted = None
        event = Event(action, status, names, tuple(steps))
        self.history.append(event)
        return event

    def branch(self, events: int, start: Mapping[str, int], make: type[Game]) -> Game:
        """Return another game, of this kind, as it was after its first ``events``, except for the data in ``start``, on
        which those events must not depend.
        """
        found = make.__new__(make)
        vars(found).update(vars(self), history=self.history[:events], _legal=None, _permitted=None)
        found.position = found.blank()
        found.position[:] = list(self.position)
        for event in reversed(self.history[events:]):
            undo(found.position, event.steps)
        begin_with(self.layout, found.position, start)
        return found

    def arrange(self, start: Mapping[str, Mapping[tuple[int, ...], int]]) -> Event:
        """Set data to other values in the middle of a game, as when setting up a position; no rule is involved.

        ``start`` maps a datum to its values by index. The event has no action, and can be popped. Raises
        :class:`~truco_spec.engine.ruling.Unreachable` for a position that no game can reach, leaving the game
        unchanged.
        """
        back: list[int] = []
        for name, values in start.items():
            for index, value in values.items():
                slot = self.layout.blocks[name].slot(index)
                back += (slot, self.position[slot])
                self.position[slot] = value
        self._legal = self._permitted = None
        event = Event(Action(CHANCE, "", ()), "permitted", (), (Step((), back),))
        self.history.append(event)
        try:
            must_be_reachable(self)
        except Unreachable:
            self.pop()
            raise
        return event

    def _permit_of(self, action: Action) -> Permit | None:
        if self._legal is not None and action.actor != REFEREE:
            try:
                return self._legal.get(action)
            except TypeError:
                raise ArgumentError(action) from None
        if self._permitted is not None and self._permitted[0] == action:
            return self._permitted[1]
        try:
            return self.judge.permit(self.position, action)
        except IndexError:
            raise PlayError(_UNSET) from None

    def _do(self, action: Action, permit: Permit, steps: list[Step]) -> None:
        """Apply the effects of the permitting rules, then the automatic rules."""
        actor, _, args = action
        single = permit.single
        if single is not None and single.direct is not None:
            back: list[int] = []
            steps.append(Step(permit.names, back))
            single.direct(self.position, back, actor, *args)
            self._settle(steps, single.wakes)
            return
        ops: Ops = []
        for rule in permit.rules:
            if rule.do is not None:
                rule.do(self.position, ops, actor, *args)
        if ops:
            self._step(permit.names, ops, steps)
            self._settle(steps, permit.wakes)

    def _pay(self, action: Action, ruling: Ruling, steps: list[Step]) -> None:
        """Apply the penalties of the forbidding rules, then the automatic rules."""
        actor, _, args = action
        ops: Ops = []
        for rule in ruling.rules:
            if rule.lest is not None:
                rule.lest(self.position, ops, actor, *args)
        if ops:
            self._step(tuple([rule.name for rule in ruling.rules]), ops, steps)
            self._settle(steps, any(rule.wakes for rule in ruling.rules))

    def pop(self) -> Action:
        """Undo the last action."""
        if not self.history:
            raise TrucoError(Sentence("there is nothing to take back"))
        event = self.history.pop()
        undo(self.position, event.steps)
        self._legal = self._permitted = None
        return event.action

    def _step(self, names: tuple[str, ...], ops: Ops, steps: list[Step]) -> None:
        """Apply one step, in which several rules may change something."""
        back: list[int] = []
        steps.append(Step(names, back))
        apply(self.program, self.position, ops, back)

    def _settle(self, steps: list[Step], woken: bool) -> None:
        """Fire automatic rules, a step at a time, to a fixpoint: at-once rules first, then those of the phase on top.

        ``woken``: whether the last step may have enabled an at-once rule.
        """
        program, v = self.program, self.position
        for _ in range(MOST_STEPS):
            ready: list[RuleCode] = []
            if woken:
                ready = [r for r in program.once if r.now is None or r.now(v)]
            if not ready:
                find = program.ready[v[0]]
                if find is None:
                    return
                ready = find(v)
                if not ready:
                    return
            if len(ready) > 1:
                ready = permitted_rules(ready)
            rule = ready[0]
            if len(ready) == 1 and rule.direct is not None:
                back: list[int] = []
                steps.append(Step(rule.names, back))
                rule.direct(v, back, CHANCE)
                woken = rule.wakes
                continue
            ops: Ops = []
            for rule in ready:
                if rule.do is not None:
                    rule.do(v, ops, CHANCE)
            self._step(tuple([r.name for r in ready]), ops, steps)
            woken = any(rule.wakes for rule in ready)
        names = ", ".join(sorted({name for step in steps[-20:] for name in step.rules}))
        raise PlayError(Sentence("automatic rules go round in a circle: {names}", names=names))

    # ---- reading and writing -----------------------------------------------------------------

    def value(self, datum: str, *index: int) -> int:
        """The value of a datum at an index."""
        return self.position[self.layout.blocks[datum].slot(index)]

    def ask(self, question: str, *args: int) -> int:
        """The answer of a define."""
        return self.program.defines[question](self.position, *args)

    def effects_of(self, action: Action) -> list[tuple[str, str, tuple[int, ...], int]]:
        """The direct effects of a permitted action: ("move", place, index, card) and ("set", datum, index, value)."""
        permit = self._permit_of(action)
        ops: Ops = []
        for rule in () if permit is None else permit.rules:
            if rule.do is not None:
                rule.do(self.position, ops, action.actor, *action.args)
        found = []
        for op in ops:
            if op[0] == SET:
                found.append(("set", *self._where(op[1]), int(op[2])))
            elif op[0] == CARD:
                found.append(("move", *self._where(op[2]), op[1]))
        return found

    def _where(self, slot: int) -> tuple[str, tuple[int, ...]]:
        return self.layout.names[slot], self.layout.indices[slot]

    def text(self, action: Action) -> str:
        """The action in canonical notation. Raises :class:`ArgumentError` for arguments that are no numbers."""
        from truco_spec.engine.text import action_text

        check_arguments(action)
        return action_text(self.graph, action, self.players)

    def parse(self, text: str) -> Action:
        """Parse an action such as ``bia truco``; of several readings, the permitted one. Raises TextError."""
        from truco_spec.engine.text import parse_action

        found = parse_action(self.graph, text, self.players)
        if not found[1:]:
            return found[0]
        return next((action for action in found if self.rule_on(action).status == "permitted"), found[0])

    def push_text(self, text: str) -> Event:
        """Push an action given as text."""
        return self.push(self.parse(text))

    def push_all(self, *actions: Action | str) -> list[Event]:
        """Push several, each an action or a text of one or more separated by commas."""
        events = []
        for given in actions:
            if isinstance(given, Action):
                events.append(self.push(given))
            else:
                events += [self.push_text(part) for part in given.split(",")]
        return events

    # ---- observation -------------------------------------------------------------------------

    def view(self, seat: int) -> dict[str, object]:
        """The knowledge of a seat: see :mod:`truco_spec.engine.observe`. Raises :class:`ArgumentError`."""
        from truco_spec.engine.observe import view

        if type(seat) is not int or not 0 <= seat < self.graph.seats:
            raise ArgumentError(Action(CHANCE, "", ()), no_seat(self.graph, seat))
        return view(self, seat)

    def observe(self) -> dict[str, object]:
        """The public observations after the last action: see :mod:`truco_spec.engine.observe`."""
        from truco_spec.engine.observe import observe

        return observe(self)

    def why(self, action: Action | str) -> Verdict:
        """The verdict on an action with its whole derivation: see :mod:`truco_spec.engine.explain`.

        Raises TextError for a text that means nothing, and :class:`ArgumentError` for an actor who is not at the table
        or a wrong number of arguments.
        """
        from truco_spec.engine.explain import explain

        asked = self.parse(action) if isinstance(action, str) else action
        check_action(self.graph, asked)
        return explain(self, asked)

    def position_text(self, seat: int | None = None) -> str:
        """Return the position as text, or the part known to a seat: see :mod:`truco_spec.engine.position_text`."""
        from truco_spec.engine.position_text import position_text

        return position_text(self, seat)

    def position_line(self, seat: int | None = None) -> str:
        """Return the same as :meth:`position_text`, with the variant, its options and the players: a log
        in one line.
        """
        from truco_spec.engine.position_text import position_line

        return position_line(self, seat)

    def stack(self) -> list[str]:
        """The stack of phases, the one on top first."""
        return [self.layout.phases[n] for n in self.position[:DEPTH] if n >= 0]


def _fired(steps: Iterable[Step]) -> list[str]:
    return [name for step in steps for name in step.rules]


def permitted(game: Game) -> Mapping[Action, Permit]:
    """The actions permitted now, as in :meth:`Game.legal_actions`, with the rules behind each."""
    return game._permits()  # noqa: SLF001  (of this module)


def settle_in(game: Game, position: Position) -> None:
    """Begin in this position, and fire the automatic rules of the phase on top, and those that follow."""
    game.history[:], game.position[:] = (), position
    game._legal = game._permitted = None  # noqa: SLF001  (of this module)
    game._settle([], woken=False)  # noqa: SLF001  (of this module)


__all__ = ["CHANCE", "Action", "Event", "Game", "IllegalAction", "permitted", "program_of", "settle_in"]
