"""Provenance of a move: the rules that fired, their answers and effects, and the writers of the data read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from truco_spec.compare.reach import Reaches, with_reads, wrote
from truco_spec.compare.scenario import Scenario, Side, next_move
from truco_spec.compare.statements import Key
from truco_spec.engine.compiled.program import Step, undo
from truco_spec.engine.evaluate import Derivation
from truco_spec.engine.explain import Condition, Consulted, Verdict, explain
from truco_spec.engine.game import CHANCE, Action, Event, Game
from truco_spec.engine.layout import NONE, UNSET
from truco_spec.engine.observe import ACTING, observe
from truco_spec.engine.provenance import Cause, Changed, Provenance, backwards, last_writers
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import value_text
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import OBSERVED, SEEN, Assign, Expr, Graph, Move, Rule, Way, indices
from truco_spec.graph.walk import opening_rules, ways, written_by
from truco_spec.logs.line import LogError
from truco_spec.logs.replay import MoveRefused, Replay


@dataclass(frozen=True, slots=True)
class Use:
    """``keys`` are the statements that a move used; ``answers`` the answers given: name, question, arguments, value in
    words. ``led`` are statements used before it that wrote data it reads.
    """

    keys: frozenset[Key] = frozenset()
    answers: frozenset[tuple[str, str, tuple[int, ...], str]] = frozenset()
    led: frozenset[Key] = frozenset()

    def unlike(self, name: str, other: Use) -> bool:
        """Whether the other side answered this question differently, or did not ask it."""
        theirs: dict[tuple[str, tuple[int, ...]], set[str]] = {}
        for _, question, args, value in other.answers:
            theirs.setdefault((question, args), set()).add(value)
        mine = ((question, args, value) for answer, question, args, value in self.answers if answer == name)
        return any(value not in theirs.get((question, args), ()) for question, args, value in mine)


NOTHING = Use()


def used_by(
    game: Game,
    number: int = -1,
    observed: Collection[str] = (),
    *,
    verdict: bool = False,
) -> Use:
    """The provenance of an event of a game, by its number in the history; ``observed`` are questions asked after it.

    ``verdict``: only what permitted or forbade it, without its consequences.
    """
    return _behind(game, number, observed, verdict=verdict).whole()


def _behind(
    game: Game,
    number: int,
    observed: Collection[str] = (),
    *,
    verdict: bool = False,
    among: Callable[[str], bool] | None = None,
) -> _Finder:
    """What :func:`used_by` collects; ``among``: only by such rules."""
    at = number % len(game.history)
    event, now = game.history[at], list(game.position)
    for later in reversed(game.history[at + 1 :]):
        undo(now, later.steps)
    finder = _Finder(game, now)
    finder.questions(observed)
    for step, before, _ in backwards(now, event.steps):
        now = before
        rules = [] if step.rules == event.rules or verdict else list(filter(among, step.rules))
        if rules or observed:
            finder.at(before)
            finder.rules(rules, event)
            finder.questions(observed)
    finder.found.add(("action", event.action.verb))
    rules = list(filter(among, event.rules))
    if rules:
        finder.at(now)
    if not verdict:
        finder.rules(rules, event)
    else:
        finder.conditions((name for name in rules if game.graph.rules[name].shape != "on"), event)
    return finder


def used_to_see(game: Game, datum: str, index: tuple[int, ...]) -> Use:
    """The provenance of a datum's visibility now."""
    finder = _Finder(game, game.position)
    finder.question(datum + SEEN, index)
    return finder.whole()


def used_to_observe(game: Game, step: Step | None, after: list[int], question: str) -> Use:
    """Return the provenance of an observation: the answers to its question after a step of the last event, and the
    rules of the step (if any) that wrote the data they read; all its rules, if there is no question.
    """
    finder = _Finder(game, after)
    finder.questions([question])
    for done, before, later in backwards(after, (step,) if step else ()):
        read = {name for kind, name in finder.statements() if kind in ("datum", "phase")}
        finder.at(before, later)
        finder.rules((name for name in done.rules if not read or read & wrote(game.graph, name)), game.history[-1])
    return finder.whole()


def used_to_write(game: Game, data: Iterable[str]) -> Use:
    """The last writers of these data: for each the rules of the step that changed it, and their questions."""
    finder = _Finder(game, game.position)
    for event, before, rules in last_writers(game, data):
        finder.at(before)
        finder.rules(rules, event)
    return finder.whole()


def used_to_go_on(game: Game) -> Use:
    """The automatic transitions in the last event: their rules and questions."""
    event, rules = game.history[-1], game.graph.rules
    finder = _Finder(game, game.position)
    for step, before, after in backwards(game.position, event.steps):
        if step.rules != event.rules:
            finder.at(before, after)
            finder.rules((name for name in step.rules if name in rules and ways(game.graph, rules[name].do)), event)
    return finder.whole()


def missing_parts(graph: Graph, rule: Consulted) -> list[Expr]:
    """Return the unmet conditions of a rule, on the actor and on the position."""
    held, by = graph.rules[rule.name], [c for c in rule.missing if c.kind == "by"]
    whens = (c for c in rule.conditions if c.kind in ("when", "never"))
    found = [held.by] if by and held.by is not None else []
    return found + [part for part, told in zip(conjuncts(held.when), whens, strict=True) if not told.holds]


def used_at_opening(game: Game) -> Use:
    """The provenance of the state before the first action."""
    finder = _Finder(game, game.position)
    for step, before, _ in backwards(game.position, game.opening):
        finder.at(before)
        finder.rules(step.rules)
    return finder.whole()


def used_to_forbid(graph: Graph, verdict: Verdict, verb: str) -> Use:
    """The provenance of a prohibition: the deciding rules, and their questions.

    If none forbids the action: the rules that lack a single condition to permit it, and that condition's questions.
    """
    if verdict.deciding:
        return used_to_refuse(graph, verdict, verb, graph)
    found: set[Key] = set()
    for rule in verdict.rules:
        if rule.shape == "may" and [condition.kind for condition in rule.missing] == ["when"]:
            found |= {("rule", rule.name), *_answers(rule.missing[0])}
    return Use(with_reads(graph, found))


def used_to_refuse(graph: Graph, verdict: Verdict, verb: str, other: Graph) -> Use:
    """The provenance of a refusal: the forbidding rules; otherwise the questions of those that could have offered it
    here.

    A rule that only this graph has, and that does not offer it, is no reason for the other graph to offer it.
    """
    found: set[Key] = {("action", verb)}
    for rule in verdict.deciding or [r for r in verdict.rules if r.shape == "may" and r.name in other.rules]:
        here = all(condition.holds for condition in rule.conditions if condition.kind == "in")
        if rule.applies or here:
            found.add(("rule", rule.name))
            for condition in rule.conditions:
                found.update(_answers(condition))
    return Use(with_reads(graph, found))


def led_to(game: Game, use: Use, since: int, involves: Callable[[Event], bool]) -> frozenset[Key]:
    """Return the rules that wrote data read by the last move; for some events all they used, up to the move, if by
    their text they may involve the wanted statements.
    """
    read = {name for kind, name in use.keys if kind == "datum"}
    found: set[Key] = set()
    for at in range(since, len(game.history) - 1):
        if involves(game.history[at]):
            found |= _behind(game, at).statements()
    opening = opening_rules(game.graph)
    for event in reversed(game.history[:since]):
        names = (*event.rules, *(name for step in event.steps for name in step.rules))
        found |= {("rule", n) for n in names if n in game.graph.rules and read & written_by(game.graph)[n]}
        if not opening.isdisjoint(names):  # fresh data of a hand or deal are forgotten before that
            read = {name for name in read if name in game.graph.data and not game.graph.data[name].fresh}
    return frozenset(found)


def _answers(condition: Condition) -> Iterator[Key]:
    """The answers that a condition depends on."""
    return (("define", one.derivation.answer) for answer in condition.answers for one in answer.whole())


class _Finder:
    """Collects the statements behind causes and questions, over positions of one game."""

    def __init__(self, game: Game, position: Sequence[int]) -> None:
        self.game, self.graph = game, game.graph
        self.found: set[Key] = set()
        self.answers: list[Derivation] = []
        self.at(position)

    def at(self, position: Sequence[int], after: Sequence[int] | None = None) -> None:
        """Set the position of further queries; initial values are evaluated in ``after`` the step, if given."""
        self.walk, self.noted = Provenance(self.game.layout, position), set[int]()
        self.later = self.walk if after is None else Provenance(self.game.layout, after)

    def rules(self, names: Iterable[str], event: Event | None = None) -> None:
        """Rules that fired together, automatically or with the action of an event."""
        for cause in self.walk.fired(names, event):
            self._cause(cause)

    def conditions(self, names: Iterable[str], event: Event) -> None:
        """The provenance of the conditions of rules."""
        for rule in (self.graph.rules[name] for name in names if name in self.graph.rules):
            self._cause(Cause(rule, self.walk.conditions(rule, event.action), ()))

    def questions(self, names: Iterable[str]) -> None:
        """Questions, each for every argument."""
        for name in names:
            for args in indices(self.graph.defines[name].params) if name in self.graph.defines else [()]:
                self.question(name, args)

    def question(self, name: str, args: tuple[int, ...]) -> None:
        """A question asked of the position."""
        define = self.graph.defines.get(name)
        found = self.walk.question(name, args) if define and len(args) == len(define.params) else None
        self._note((found,) if found else ())

    def statements(self) -> frozenset[Key]:
        """The statements, with those that they name."""
        return with_reads(self.graph, self.found)

    def whole(self) -> Use:
        """The statements and the answers given."""
        return Use(self.statements(), frozenset(map(self._told, self.answers)))

    def _told(self, found: Derivation) -> tuple[str, str, tuple[int, ...], str]:
        kind = self.graph.defines[found.question].type
        return found.answer, found.question, found.args, value_text(self.graph, kind, found.value, self.game.players)

    def _cause(self, cause: Cause) -> None:
        for one in cause.whole():
            self.found.add(("rule" if isinstance(one.statement, Rule) else "effect", one.statement.name))
            self._note(one.asked)
            for change in one.changes:
                self._changed(change)

    def _changed(self, one: Changed) -> None:
        self._note(one.asked)
        match one.change:
            case Assign(datum) | Move(_, datum):
                self.found.add(("datum", datum))
            case Way(word, phase):
                self.found.add(("phase", phase))
                if word == "then":
                    self._note(self.later.values(self._firsts(phase), {})[1])

    def _firsts(self, phase: str) -> Iterator[Expr]:
        """The initial values of a scope's data, evaluated on entry."""
        for name in self.game.layout.resets(phase) if self.game.layout.scopes.get(phase) else ():
            first = self.graph.data[name].first
            if first is not None and not self.graph.data[name].params:
                yield first

    def _note(self, asked: Iterable[Derivation]) -> None:
        for found in asked:
            if id(found) not in self.noted:
                self.noted.add(id(found))
                self.answers.append(found)
                datum = found.answer.removesuffix(SEEN)
                of_datum = datum != found.answer and datum in self.graph.data
                self.found.add(("datum", datum) if of_datum else ("define", found.answer))
                if found.asked:
                    self._note(found.asked)


# --------------------------------------------------------------------------------------------------
# The statements at work in a scenario by the rules of one side, move by move: those that decide, answer or forbid.

NOTHING_THERE = (0, NONE, UNSET)
"""Trivial values of a datum: no card, no player, nothing."""

WAITED_FOR = OBSERVED + ACTING


class Watcher:
    """Watches public observations and visibility besides moves, in search of some statements.

    They are evaluated only where they may involve one of these statements.
    """

    def __init__(self, reaches: Reaches, wanted: frozenset[Key]) -> None:
        self.graph, self.reaches, self.wanted = reaches.graph, reaches, wanted
        questions = [name for name in reaches.public if not wanted.isdisjoint(reaches.question(name))]
        self.told = [name for name in questions if name.startswith(OBSERVED)]
        self.seen = [name.removesuffix(SEEN) for name in questions if name.endswith(SEEN)]

    def at_work(self, game: Game, mark: int, *, wanted: bool = False) -> frozenset[Key]:
        """Return the statements at work in the last event of a game, with all events since ``mark``; perhaps only
        those ``wanted``, and some others.

        Events whose rules, by their text, cannot involve a wanted statement are skipped.
        """
        among = self.may_involve if wanted else None
        last = len(game.history) - 1
        found: set[Key] = set()
        for at in range(mark, last + 1):
            told = self._asked(game) if at == last else self._awaited(game) if at == last - 1 else ()
            if told or self.reaches.involves(game.history[at], self.wanted):
                found |= _behind(game, at, told, among=among).statements()
        keys = {name: name.removeprefix(OBSERVED) for name in self.told}
        observed = observe(game, acting=False, only=keys.values()) if keys else {}
        for name, key in keys.items():
            if name != WAITED_FOR and not _tells(observed.get(key)):
                found.discard(("define", name))  # an empty observation is no answer, if no exception gave it
        return frozenset(found | self._sights(game))

    def may_involve(self, rule: str) -> bool:
        """Whether, by its text, the rule can involve a wanted statement."""
        return rule in self.graph.rules and not self.wanted.isdisjoint(self.reaches.rule(rule))

    def forbidding(self, refused: MoveRefused) -> frozenset[Key]:
        """The wanted statements that forbid a move, or by whose condition alone it lacks a permission; and others."""
        action, game = refused.refusal.action, refused.game
        bars = [rule.name for rule in game.rule_on(action).rules]
        names = {name for name in bars or self.reaches.about(action.verb) if self.may_involve(name)}
        return used_to_forbid(self.graph, explain(game, action, names), action.verb).keys if names else frozenset()

    def _asked(self, game: Game) -> list[str]:
        """Return the questions evaluated now; whom the game waits for only if several may act."""
        several = WAITED_FOR not in self.told or _several(game.legal_actions())
        return self.told if several else [name for name in self.told if name != WAITED_FOR]

    def _awaited(self, game: Game) -> list[str]:
        """Return the questions evaluated before the last event, if implicit ones preceded it: whom the game waited for
        then.
        """
        if WAITED_FOR not in self.told:
            return []
        before = list(game.position)
        undo(before, game.history[-1].steps)
        return [WAITED_FOR] if _several(game.judge.legal(before)) else []

    def _sights(self, game: Game) -> frozenset[Key]:
        """The provenance of visibility: after each step of the last event, and before it."""
        if not self.seen:
            return frozenset()
        before = (before for _, before, _ in backwards(game.position, game.history[-1].steps))
        finder = _Finder(game, game.position)
        for position in (game.position, *before):
            finder.at(position)
            for name in self.seen:
                block = game.layout.blocks[name]
                for index in block.indices():
                    if position[block.slot(index)] not in NOTHING_THERE:
                        finder.question(name + SEEN, index)
        return finder.statements()


def _several(actions: Iterable[Action]) -> bool:
    return len({action.actor for action in actions} - {CHANCE}) > 1


class Activity:
    """A scenario played by one side, in search of some statements. ``looked`` counts the positions."""

    def __init__(self, side: Side, reaches: Reaches, scenario: Scenario, wanted: frozenset[Key]) -> None:
        self.side, self.graph, self.scenario = side, reaches.graph, scenario
        self.watcher = Watcher(reaches, wanted)
        self.looked = 0

    def moves(self, *, last: bool = False) -> Iterator[frozenset[Key]]:
        """The statements at work in each move, or only in the ``last``, including the implicit actions before it.

        A forbidden move is the last one played: what forbids it is at work. For a move that lacks a single condition,
        so is whatever that condition depends on.
        """
        try:
            replay = Replay(self.scenario.log(self.side), self.graph, acting=False, only=(), told=False)
            for number in range(1, self.scenario.said + 1):
                mark, wanted = len(replay.game.history), number == self.scenario.said or not last
                begun = used_at_opening(replay.game).keys if wanted and number == 1 else frozenset()
                found = next_move(replay)
                self.looked += len(replay.game.history) - mark
                if found is not None and found.refused is not None and wanted:
                    yield self.watcher.forbidding(found.refused)
                if found is None or found.step is None:
                    return
                if wanted:
                    yield begun | self.watcher.at_work(replay.game, mark, wanted=True)
        except (LogError, PlayError):
            return


def _tells(value: object) -> bool:
    return any(item is not None for item in value.values()) if isinstance(value, dict) else value is not None
