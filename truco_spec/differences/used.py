"""Which statements a move used: the rules that fired, the answers and effects that they came to, what those read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from truco_spec.differences.statements import Key
from truco_spec.engine.apply import Step, undo
from truco_spec.engine.asked import bound, bound_by
from truco_spec.engine.asked_once import AskedOnce
from truco_spec.engine.evaluate import Derivation, Evaluator
from truco_spec.engine.explain import Answered, Consulted, Verdict
from truco_spec.engine.explore import opening_rules
from truco_spec.engine.game import Action, Game
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import value_text
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.groups import SEEN
from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Rule, Way
from truco_spec.graph.walk import change_parts, flat_changes, walk

Env = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Use:
    """``keys`` are the statements that a move used; ``answers`` what was asked: the answer's name, the question, its
    arguments, the value in words. ``led`` are statements used before it, whose traces it reads.
    """

    keys: frozenset[Key] = frozenset()
    answers: frozenset[tuple[str, str, tuple[int, ...], str]] = frozenset()
    led: frozenset[Key] = frozenset()

    def unlike(self, name: str, other: Use) -> bool:
        """Did this answer answer a question that the other side answered otherwise, or did not ask?"""
        theirs: dict[tuple[str, tuple[int, ...]], set[str]] = {}
        for _, question, args, value in other.answers:
            theirs.setdefault((question, args), set()).add(value)
        mine = ((question, args, value) for answer, question, args, value in self.answers if answer == name)
        return any(value not in theirs.get((question, args), ()) for question, args, value in mine)


NOTHING = Use()


def used_by(game: Game, number: int = -1, observed: Iterable[str] = (), *, verdict: bool = False) -> Use:
    """What an event of a game used, by its number in the history; ``observed`` are questions asked after it.

    ``verdict``: only what permitted or forbade it, and nothing of what followed.
    """
    finder = _Finder(game)
    at = number % len(game.history)
    before = list(game.position)
    for later in reversed(game.history[at + 1 :]):
        undo(before, later.steps)
    event = game.history[at]
    finder.at(before)
    for question in observed:
        finder.question(question)
    for step in reversed(event.steps):
        undo(before, [step])
        finder.at(before)
        if step.rules != event.rules and not verdict:
            finder.rules(step.rules, {})
        for question in observed:
            finder.question(question)
    finder.found.add(("action", event.action.verb))
    for name in event.rules:
        rule = game.graph.rules[name]
        env = bound(rule, event)
        if not verdict:
            finder.rule(rule, env, event.status != "permitted")
        elif rule.shape != "on":
            finder.conditions(rule, env)
    return finder.whole()


def used_to_see(game: Game, datum: str, index: tuple[int, ...], position: list[int] | None = None) -> Use:
    """What tells who may see a datum now, or in another position."""
    finder = _Finder(game)
    finder.at(game.position if position is None else position)
    finder.question(datum + SEEN, index)
    return finder.whole()


def used_to_observe(game: Game, step: Step | None, after: list[int], question: str) -> Use:
    """What made an observation what it is: the answers to its question after a step of the last event, and the rules of
    the step (if any) that wrote what these read; all its rules, where nothing is asked.
    """
    finder, event, before = _Finder(game), game.history[-1], list(after)
    finder.at(after)
    finder.question(question)
    if step is None:
        return finder.whole()
    read = {name for kind, name in finder.whole().keys if kind in ("datum", "phase")}
    undo(before, [step])
    finder.at(before, after)
    own = step.rules == event.rules
    for rule in (game.graph.rules[name] for name in step.rules if name in game.graph.rules):
        ways = {part.phase for part in flat_changes(game.graph, (*rule.do, *rule.lest)) if isinstance(part, Way)}
        if not read or read & (written_by(game.graph)[rule.name] | ways):
            finder.rule(rule, bound(rule, event) if own else {}, own and event.status != "permitted")
    return finder.whole()


def used_to_write(game: Game, data: Iterable[str]) -> Use:
    """What wrote these data last: for each the rules of the step that changed it, and what they asked."""
    finder, before, blocks = _Finder(game), list(game.position), game.layout.blocks
    left = {name: range(blocks[name].base, blocks[name].base + blocks[name].count) for name in data if name in blocks}
    for event in reversed(game.history):
        for step in reversed(event.steps):
            undo(before, [step])
            changed = {name for name, slots in left.items() if any(slot in slots for slot in step.back[::2])}
            if changed:
                finder.at(before)
                own = step.rules == event.rules
                for rule in (game.graph.rules[name] for name in step.rules if name in game.graph.rules):
                    if changed & written_by(game.graph)[rule.name]:
                        finder.rule(rule, bound(rule, event) if own else {}, own and event.status != "permitted")
                left = {name: slots for name, slots in left.items() if name not in changed}
            if not left:
                return finder.whole()
    return finder.whole()


def used_to_go_on(game: Game) -> Use:
    """Which rules went on from phase to phase in the last event by themselves, and what they asked."""
    finder, event, before = _Finder(game), game.history[-1], list(game.position)
    for step in reversed(event.steps):
        after = list(before)
        undo(before, [step])
        finder.at(before, after)
        for rule in (game.graph.rules[name] for name in step.rules if name in game.graph.rules):
            if step.rules != event.rules and any(isinstance(part, Way) for part in flat_changes(game.graph, rule.do)):
                finder.rule(rule, {})
    return finder.whole()


def missing_parts(graph: Graph, rule: Consulted) -> list[Expr]:
    """The conditions that a rule lacks, of those on the actor and on what holds."""
    held, by = graph.rules[rule.name], [c for c in rule.missing if c.kind == "by"]
    whens = (c for c in rule.conditions if c.kind == "when")
    found = [held.by] if by and held.by is not None else []
    return found + [part for part, told in zip(conjuncts(held.when), whens, strict=True) if not told.holds]


def used_at_opening(game: Game) -> Use:
    """What was used before the first action of all. Nothing may have happened yet."""
    finder, before = _Finder(game), list(game.position)
    for step in reversed(game.opening):
        undo(before, [step])
        finder.at(before)
        finder.rules(step.rules, {})
    return finder.whole()


def used_to_forbid(graph: Graph, verdict: Verdict, verb: str) -> Use:
    """What forbids an action: the rules that decide, and what they asked.

    Where none forbids it, the rules that would permit it if one condition more held, and what that asked.
    """
    if verdict.deciding:
        return used_to_refuse(graph, verdict, verb, graph)
    found: set[Key] = set()
    for rule in verdict.rules:
        if rule.shape == "may" and [condition.kind for condition in rule.missing] == ["when"]:
            found |= {("rule", rule.name), *_answered(graph, rule.missing[0].answers)}
    return Use(_with_reads(graph, found))


def lacks_one(game: Game, rule: Rule, action: Action) -> bool:
    """Would the rule permit the action if one condition more held?"""
    env = bound_by(rule, action)
    evaluator = Evaluator(game.layout, game.position)
    try:
        if rule.by is not None and not evaluator.value(rule.by, env) >> action.actor & 1:
            return False
        return sum(not evaluator.holds(part, env) for part in conjuncts(rule.when)) == 1
    except (PlayError, IndexError, KeyError):
        return False


def used_to_refuse(graph: Graph, verdict: Verdict, verb: str, other: Graph) -> Use:
    """What refuses an action: the rules that forbid it; or else what those asked that could have offered it here.

    A rule that only this graph has, and that does not offer it, is no reason why the other graph would.
    """
    found: set[Key] = {("action", verb)}
    for rule in verdict.deciding or [r for r in verdict.rules if r.shape == "may" and r.name in other.rules]:
        here = all(condition.holds for condition in rule.conditions if condition.kind == "in")
        if rule.applies or here:
            found.add(("rule", rule.name))
            for condition in rule.conditions:
                found.update(_answered(graph, condition.answers))
    return Use(_with_reads(graph, found))


def led_to(game: Game, use: Use, since: int) -> frozenset[Key]:
    """Rules that fired and wrote what the last move reads; from an event on all that was used, up to the move."""
    read = {name for kind, name in use.keys if kind == "datum"}
    found: set[Key] = set()
    for at in range(since, len(game.history) - 1):
        found |= used_by(game, at).keys
    opening = _opening(game.graph)
    for event in reversed(game.history[:since]):
        names = (*event.rules, *(name for step in event.steps for name in step.rules))
        found |= {("rule", n) for n in names if n in game.graph.rules and read & written_by(game.graph)[n]}
        if not opening.isdisjoint(names):  # what was fresh each hand or deal is forgotten before that
            read = {name for name in read if name in game.graph.data and not game.graph.data[name].fresh}
    return frozenset(found)


def _answered(graph: Graph, answers: Iterable[Answered]) -> Iterator[Key]:
    known = {answer.name for define in graph.defines.values() for answer in define.answers}
    for answer in answers:
        yield "define", answer.answer if answer.answer in known else answer.answer + SEEN
        yield from _answered(graph, answer.asked)


class _Finder:
    """Walks rules over positions of one game and notes what they come to."""

    def __init__(self, game: Game) -> None:
        self.game, self.graph = game, game.graph
        self.found: set[Key] = set()
        self.answers: set[tuple[str, str, tuple[int, ...], str]] = set()
        self.evaluator, self.noted = AskedOnce(game.layout, game.position), set[int]()
        self.after: AskedOnce | None = None

    def at(self, v: list[int], after: list[int] | None = None) -> None:
        """From now on it is asked about this position; of first values about the one ``after`` the step, if given."""
        self.evaluator, self.noted = AskedOnce(self.game.layout, list(v)), set[int]()
        self.after = None if after is None else AskedOnce(self.game.layout, list(after))

    def rules(self, names: Iterable[str], env: Env) -> None:
        """Rules that fired together."""
        for name in names:
            if name in self.graph.rules:
                self.rule(self.graph.rules[name], env)

    def conditions(self, rule: Rule, env: Env) -> None:
        """Why a rule applied in a position."""
        self.found.add(("rule", rule.name))
        for expr in (rule.by, rule.when):
            if expr is not None:
                self._value(expr, env)

    def rule(self, rule: Rule, env: Env, forbidden: bool = False) -> None:
        """A rule that applied in a position, and what it did."""
        self.conditions(rule, env)
        self._changes(rule.lest if forbidden else rule.do, env)

    def question(self, name: str, args: tuple[int, ...] | None = None) -> None:
        """A question asked of a position, for every argument where none is given."""
        define = self.graph.defines.get(name)
        if define is None:
            return
        ranges = [range(p.type.low, p.type.high + 1) for p in define.params]
        every = [args] if args is not None else [()] if not ranges else [(n,) for n in ranges[0]]
        for given in every:
            if len(given) == len(define.params):
                self._asked(name, given)

    def whole(self) -> Use:
        """All that was noted, and what it reads."""
        return Use(_with_reads(self.graph, self.found), frozenset(self.answers))

    def _changes(self, changes: Iterable[Change], env: Env) -> None:
        for change in changes:
            for expr in change_parts(change):
                self._value(expr, env)
            if isinstance(change, Apply):
                self._effect(change, env)
            elif isinstance(change, Assign):
                self.found.add(("datum", change.datum))
            elif isinstance(change, Move):
                self.found.add(("datum", change.place))
            else:
                self.found.add(("phase", change.phase))
                self._opened(change)

    def _opened(self, way: Way) -> None:
        """Going to a scope asks for the first values of its data."""
        here = self.evaluator
        self.evaluator = self.after or here
        if way.word == "then" and self.game.layout.scopes.get(way.phase):
            for name in self.game.layout.resets(way.phase):
                first = self.graph.data[name].first
                if first is not None and not self.graph.data[name].params:
                    self._value(first, {})
        self.evaluator = here

    def _effect(self, change: Apply, env: Env) -> None:
        effect = self.graph.effects[change.effect]
        args = [self._value(arg, env) for arg in change.args]
        inner = {p.name: value for p, value in zip(effect.params, args, strict=True) if value is not None}
        applying = [turn for turn in effect.turns if turn.when is None or self._value(turn.when, inner)]
        beaten = {name for turn in applying for name in turn.beats}
        for turn in applying:
            if turn.name not in beaten:
                self.found.add(("effect", turn.name))
                self._changes(turn.changes, inner)

    def _value(self, expr: Expr, env: Env) -> int | None:
        evaluator = self.evaluator
        evaluator.asked = []
        try:
            return evaluator.value(expr, env)
        except (PlayError, IndexError, KeyError):
            return None
        finally:
            self._note(evaluator.asked)

    def _asked(self, name: str, args: tuple[int, ...]) -> None:
        evaluator = self.evaluator
        evaluator.asked = []
        try:
            evaluator.ask(name, args)
        except (PlayError, IndexError, KeyError):
            return
        self._note(evaluator.asked)

    def _note(self, asked: Iterable[Derivation]) -> None:
        for found in asked:
            if id(found) in self.noted:
                continue
            self.noted.add(id(found))
            datum = found.answer.removesuffix(SEEN)
            of_datum = found.answer.endswith(SEEN) and datum in self.graph.data
            self.found.add(("datum", datum) if of_datum else ("define", found.answer))
            kind = self.graph.defines[found.question].type
            value = value_text(self.graph, kind, found.value, self.game.players)
            self.answers.add((found.answer, found.question, found.args, value))
            self._note(found.asked)


# ---- what a statement reads ------------------------------------------------------------------------


def _with_reads(graph: Graph, found: Iterable[Key]) -> frozenset[Key]:
    reads = reads_of(graph)
    return frozenset(key for used in found for key in (used, *reads.get(used, ())))


_KNOWN: dict[int, tuple[Graph, dict[Key, frozenset[Key]]]] = {}
_WRITTEN: dict[int, tuple[Graph, dict[str, frozenset[str]]]] = {}


_OPENING: dict[int, tuple[Graph, frozenset[str]]] = {}


def _opening(graph: Graph) -> frozenset[str]:
    """The rules that can begin another hand or deal; worked out once for a graph."""
    known = _OPENING.get(id(graph))
    if known is None or known[0] is not graph:
        known = _OPENING[id(graph)] = (graph, opening_rules(graph))
    return known[1]


def written_by(graph: Graph) -> dict[str, frozenset[str]]:
    """Rule -> the data that it can write."""
    known = _WRITTEN.get(id(graph))
    if known is None or known[0] is not graph:
        made = {rule.name: frozenset(_data_of(graph, (*rule.do, *rule.lest))) for rule in graph.rules.values()}
        known = _WRITTEN[id(graph)] = (graph, made)
    return known[1]


def _data_of(graph: Graph, changes: Iterable[Change]) -> Iterator[str]:
    for change in flat_changes(graph, changes):
        if isinstance(change, Assign):
            yield change.datum
        elif isinstance(change, Move):
            yield change.place


def reads_of(graph: Graph) -> dict[Key, frozenset[Key]]:
    """Statement -> the tables, data, orders and phases that it names; worked out once for a graph."""
    known = _KNOWN.get(id(graph))
    if known is None or known[0] is not graph:
        known = _KNOWN[id(graph)] = (graph, dict(_reads(graph)))
    return known[1]


def _reads(graph: Graph) -> Iterator[tuple[Key, frozenset[Key]]]:
    for rule in graph.rules.values():
        exprs = [rule.by, rule.when, *_of_changes((*rule.do, *rule.lest))]
        yield ("rule", rule.name), frozenset(_named(exprs)) | {("phase", phase) for phase in rule.phases}
    for define in graph.defines.values():
        for answer in define.answers:
            yield ("define", answer.name), frozenset(_named([answer.when, answer.value]))
    for effect in graph.effects.values():
        for turn in effect.turns:
            yield ("effect", turn.name), frozenset(_named([turn.when, *_of_changes(turn.changes)]))


def _of_changes(changes: Iterable[Change]) -> Iterator[Expr]:
    for change in changes:
        yield from change_parts(change)


def _named(exprs: Iterable[Expr | None]) -> Iterator[Key]:
    for expr in exprs:
        for node in walk(expr):
            if node.op in ("table", "datum"):
                yield node.op, node.value
            elif node.op == "during":
                yield "phase", node.value
            for kind in (node.type, *(kid.type for kid in node.kids)):
                if kind.name:
                    yield "order", kind.name
