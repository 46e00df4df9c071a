"""Judges actions and positions.

An action: the rules about it, without those beaten, and what follows from the rest. A position that was set up by hand:
could a game of these rules reach it? It must be at rest, with no automatic rule to fire, and none of the questions
``never.x`` of the spec may hold; these name unreachable positions, and are tested in play
(:mod:`truco_spec.checks.checking`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.engine.compiled.program import Permit, Position, Program, RuleCode, VerbRules, permitted_rules
from truco_spec.engine.support import Action, PlayError, RangeError, clashing, lowest_actor
from truco_spec.engine.text import told_in_force
from truco_spec.graph.fold import Specialiser, is_no
from truco_spec.graph.load import SETTLED
from truco_spec.graph.model import MOST_GRAPHS, NEVER, Datum, Graph, by_identity
from truco_spec.graph.walk import written_by

if TYPE_CHECKING:
    from truco_spec.engine.game import Game


class ArgumentError(TrucoError, TypeError):
    """An ill-formed action or seat: arguments that are no whole numbers, unknown seat, too many arguments."""

    def __init__(self, action: Action, message: str = "") -> None:
        super().__init__(
            message
            or f"the action {action.verb!r} of {action.actor!r} is given {action.args!r}: an actor is a whole number, "
            "and the arguments are a tuple of whole numbers; what is written goes to push_text"
        )


def check_action(graph: Graph, action: Action) -> None:
    """Check that the actor is at the table or an outsider, and the number of arguments. Raises ArgumentError."""
    check_arguments(action)
    if not lowest_actor(graph) <= action.actor < graph.seats:
        raise ArgumentError(action, no_seat(graph, action.actor))
    kind = graph.actions.get(action.verb)
    if kind is not None and len(action.args) != len(kind.params):
        names = ", ".join(param.name for param in kind.params) or "none"
        raise ArgumentError(action, f"the action {action.verb!r} is given {action.args!r}: its arguments are {names}")


def no_seat(graph: Graph, seat: object) -> str:
    """The message for an unknown seat."""
    return f"there is no seat {seat!r}: {graph.name} is played here from seat 0 to {graph.seats - 1}"


def check_arguments(action: Action) -> None:
    """Raises :class:`ArgumentError`."""
    given: object = action.args
    if type(action.actor) is not int or not isinstance(given, tuple):
        raise ArgumentError(action)
    for value in given:
        if type(value) is not int:
            raise ArgumentError(action)


class Ruling(NamedTuple):
    """``status`` is permitted, forbidden, not-offered or impossible.

    ``rules`` are those that permit it and follow from it, or those that forbid it; ``beaten`` those that lost to an
    exception.
    """

    status: str
    rules: tuple[RuleCode, ...]
    beaten: tuple[RuleCode, ...] = ()


class Judge:
    """Judges the actions of one compiled graph."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.lowest = lowest_actor(program.graph)

    def legal(self, v: Position) -> dict[Action, Permit]:
        """Every permitted action, with the rules that permit it and follow from it."""
        found: dict[Action, Permit] = {}
        self.program.legal[v[0]](v, found, self._weighed)
        return found

    def _weighed(self, v: Position, found: dict[Action, Permit], rules: VerbRules) -> None:
        """Add the permitted actions of a verb with several rules."""
        verb = rules.verb
        offered: list[Action] = []
        for rule in rules.may:
            rule.offers[verb](v, offered)
        if offered:
            bars = [bar for bar in rules.live if bar.now is None or bar.now(v)]
            for action in offered:
                permit = self._permit(rules, bars, v, action)
                if permit is not None:
                    found[action] = permit

    def permit(self, v: Position, action: Action) -> Permit | None:
        """The permit of one action, or None if it is not permitted."""
        rules = self.program.verbs[v[0]].get(action.verb)
        return self.permit_by(rules, v, action) if rules is not None and self._in_domain(action) else None

    def permit_by(self, rules: VerbRules, v: Position, action: Action) -> Permit | None:
        """Return the same as :meth:`permit`, for an action known to exist, of a verb whose rules are known."""
        actor, verb, args = action
        for rule in rules.may:
            if rule.speaks[verb](v, actor, *args):
                if not self._possible(v, action):
                    return None
                if rules.alone and not rules.live:
                    return self.program.permit((rule, *self._following(rules, v, actor, args)))
                return self._permit(rules, rules.live, v, action)
        return None

    def _permit(self, rules: VerbRules, bars: Sequence[RuleCode], v: Position, action: Action) -> Permit | None:
        """The permit of an action that some rule offers; rules are compared only if there are several."""
        actor, verb, args = action
        for bar in bars:
            if bar.shape == "must" or bar.speaks[verb](v, actor, *args):
                break
        else:
            speaking = rules.may
            if len(speaking) > 1:
                speaking = tuple([r for r in speaking if r.speaks[verb](v, actor, *args)])
            if len(speaking) == 1:
                return self.program.permit((*speaking, *self._following(rules, v, actor, args)))
        ruling = self._weigh(rules, v, actor, args)
        return self.program.permit(ruling.rules) if ruling.status == "permitted" else None

    def _in_domain(self, action: Action) -> bool:
        """Whether actor and arguments are in the verb's domain. Raises :class:`ArgumentError`."""
        check_arguments(action)
        domains = self.program.domains.get(action.verb)
        known = self.lowest <= action.actor < self.program.graph.seats
        if domains is None or len(action.args) != len(domains) or not known:
            return False
        for value, (low, high, words) in zip(action.args, domains, strict=True):
            if not low <= value <= high and value not in words:
                return False
        return True

    def rule_on(self, v: Position, action: Action) -> Ruling:
        """The ruling on one action of any actor."""
        actor, verb, args = action
        if not self._in_domain(action) or not self._possible(v, action):
            return Ruling("impossible", ())
        rules = self.program.verbs[v[0]].get(verb)
        if rules is None:
            return Ruling("not-offered", ())
        return self._weigh(rules, v, actor, args)

    def _possible(self, v: Position, action: Action) -> bool:
        """Whether the action is physically possible; an undefined condition makes it impossible."""
        actor, verb, args = action
        possible = self.program.possible[verb]
        if possible is None:
            return True
        try:
            return bool(possible(v, actor, *args))
        except (RangeError, IndexError, ValueError):
            return False

    def _following(self, rules: VerbRules, v: Position, actor: int, args: tuple[int, ...]) -> tuple[RuleCode, ...]:
        if not rules.maybe:
            return rules.sure
        verb = rules.verb
        return (*rules.sure, *[r for r in rules.maybe if r.speaks[verb](v, actor, *args)])

    def _weigh(self, rules: VerbRules, v: Position, actor: int, args: tuple[int, ...]) -> Ruling:
        verb = rules.verb
        speaking = [r for r in rules.may if r.speaks[verb](v, actor, *args)]
        for rule in rules.bars:
            if rule.shape == "must not":
                if rule.speaks[verb](v, actor, *args):
                    speaking.append(rule)
            elif self._binds(rule, v, actor) and not rule.speaks[verb](v, actor, *args):
                speaking.append(rule)
        standing = permitted_rules(speaking)
        beaten = tuple([r for r in speaking if r not in standing])
        may = [r for r in standing if r.shape == "may"]
        bars = [r for r in standing if r.shape != "may"]
        # A must-not is beaten by name only; a must that the action does not satisfy overrides a may.
        forbidding = [r for r in bars if r.shape == "must not"]
        binding = [r for r in bars if r.shape == "must"]
        if may and forbidding:
            raise clashing(f"{may[0].name}, {forbidding[0].name}")
        if forbidding:
            return Ruling("forbidden", tuple(forbidding), beaten)
        if may and binding:
            return Ruling("forbidden", tuple(binding), beaten)
        if may:
            return Ruling("permitted", (*may, *self._following(rules, v, actor, args)), beaten)
        return Ruling("not-offered", (), beaten)

    def _binds(self, rule: RuleCode, v: Position, actor: int) -> bool:
        """Whether this must rule binds the actor now: some action satisfies it."""
        offered: list[Action] = []
        for offers in rule.offers.values():
            offers(v, offered)
        return any(action.actor == actor for action in offered)


def tacit_action(game: Game) -> Action | None:
    """The permitted action that need not be said: of the ``tacit`` ones the first in spec order, or None."""
    actions, numbers = game.graph.actions, game.program.numbers
    tacit = (action for action in game.legal_actions() if actions[action.verb].tacit)
    return min(tacit, key=lambda action: numbers[action.verb], default=None)


def drawn_by(game: Game) -> VerbRules | None:
    """Return the verb by which chance draws now; None if anybody else may act, or several verbs could draw."""
    v = game.position
    drawing = None
    for rules in game.program.draws[v[0]] or ():
        for rule in rules.may:
            if rule.now is None or rule.now(v):
                if drawing is not None and drawing is not rules:
                    return None
                drawing = rules
    return drawing


class Unreachable(TrucoError):
    """Data were set to values that no game can reach; the message ends with the rule that says so."""


def broken(game: Game) -> Iterator[str]:
    """The questions ``never.x`` that hold now. Raises PlayError for one without an answer."""
    for name in _invariants(game.graph):
        try:
            if game.ask(name):
                yield name
        except IndexError:
            continue  # it concerns a scope that has not begun


def must_be_reachable(game: Game, fired: Collection[str] = ()) -> None:
    """Raises :class:`Unreachable` if no game can reach the position.

    ``fired`` are the automatic rules that have applied since the set-up.
    """
    if sentence := _rule_broken(game, fired):
        raise _begun_so(sentence)


def unreachable(graph: Graph, fired: Collection[str] = ()) -> Unreachable:
    """Return the error for a position from which the rules cannot go on, after the automatic rules ``fired``: if one of
    them applies at once, no game reaches it.
    """
    once = next((name for name in fired if graph.rules[name].shape == "once"), None)
    return _begun_so(_STUCK if once is None else told_in_force(graph, graph.rules[once].source))


_STUCK = Sentence("The rules cannot go on from there: something that they need is not given, or is what it cannot be.")


def _begun_so(why: str) -> Unreachable:
    return Unreachable(Sentence("No game can begin so. {why}", why=why))


def _rule_broken(game: Game, fired: Collection[str]) -> str:
    """The sentence of a rule that the position violates; empty if there is none."""
    graph, v = game.graph, game.position
    ready = game.program.ready[v[0]]
    going = [rule.name for rule in game.program.once if rule.now is None or rule.now(v)]
    going += [rule.name for rule in ready(v)] if ready is not None else []
    once = [name for name in fired if graph.rules[name].shape == "once"]
    for name in (*once, *going):
        return told_in_force(graph, graph.rules[name].source)
    try:
        for name in broken(game):
            return told_in_force(graph, graph.defines[name].answers[0].source)
    except PlayError:
        return _STUCK
    form = "Nothing in these rules changes “{datum}”."
    return next((Sentence(form, datum=name) for name in changed_by_none(game)), "")


def changed_by_none(game: Game) -> Iterator[str]:
    """The data that differ from their first values though no rule can write them under these options."""
    graph, v, blank = game.graph, game.position, game.program.blank()
    for name, block in game.layout.blocks.items():
        if name == graph.pack or name.removeprefix(SETTLED) in graph.options:
            continue
        slots = [slot for slot in range(block.base, block.base + block.count) if v[slot] != blank[slot]]
        if slots and (datum := _unwritten(graph, name)) is not None:
            first = None if datum.first is None else datum.first.value
            if any(v[slot] != first for slot in slots):
                yield name


@by_identity(MOST_GRAPHS * 64)
def _unwritten(graph: Graph, name: str) -> Datum | None:
    """The datum, if no rule can write it under these options, and its first value is always the same; memoised."""
    part = _specialiser(graph)
    writers = (rule for rule in graph.rules.values() if name in written_by(graph)[rule.name])
    if any(not is_no(part.maybe(rule.when)) for rule in writers):
        return None
    found = part.datum(graph.data[name])
    return found if found.first is None or found.first.op == "const" else None


@by_identity(MOST_GRAPHS)
def _specialiser(graph: Graph) -> Specialiser:
    return Specialiser(graph)


@by_identity(MOST_GRAPHS)
def _invariants(graph: Graph) -> list[str]:
    return [name for name in graph.defines if name.startswith(NEVER)]
