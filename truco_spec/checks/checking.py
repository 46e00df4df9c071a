"""All checks of a variant: static checks of its graph, and play, which confirms doubts.

* What the static checks report is certain.
* A doubt (a fault that they could not rule out) is an **error** if play met it, with the moves that lead
  there; else a **note**.
* A fault found by play alone (a conflict, a value out of range, a dead end) is an error as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from truco_spec.base.processes import beside
from truco_spec.base.words import Sentence, said_by
from truco_spec.checks import PARTS, Doubt, collisions, examine, in_order, shipped_variant, sight, variant_in
from truco_spec.checks.frame import changes_of
from truco_spec.checks.invariants import refuted
from truco_spec.checks.never import final_phases
from truco_spec.checks.sight import leak
from truco_spec.checks.study import Study
from truco_spec.checks.variant import NAME, Variant
from truco_spec.engine.game import Action, Event, Game, IllegalAction, program_of
from truco_spec.engine.layout import begin_with, named
from truco_spec.engine.observe import must_be_observable, waited_for
from truco_spec.engine.ruling import Unreachable, broken
from truco_spec.engine.sample import any_action
from truco_spec.engine.support import REFEREE, ConflictError, PlayError
from truco_spec.engine.text import action_text
from truco_spec.graph.link import known_texts
from truco_spec.graph.load import REFUSED, is_open
from truco_spec.graph.model import REFEREE_NAME, Graph, Source
from truco_spec.graph.types import Type
from truco_spec.graph.walk import change_parts, data_read, exprs_of_rule, opening_rules
from truco_spec.language.diagnostics import NOWHERE, Diagnostic, Span

PLAY = "play"
PARTS_OF_A_CHECK = (*PARTS, PLAY)
"""The steps that progress names."""
MOVES = 12_000
"""Moves played per variant."""


def check_variant(
    name_or_path: str | Path,
    progress: Callable[[str], None] | None = None,
    moves: int = MOVES,
    *,
    pairs: bool = False,
    **options: str,
) -> list[Diagnostic]:
    """Check a shipped variant or the (last) variant in a file; return the findings, the worst first.

    ``progress`` is called with the current check; ``pairs`` is that of :func:`check_linked`. Raises
    :class:`truco_spec.language.diagnostics.SpecError` for a text that cannot be read or linked.
    """
    name = str(name_or_path)
    shipped = name in known_texts()
    variant = shipped_variant(name, options) if shipped else variant_in(name_or_path, "", options)
    return check_linked(variant, progress, moves, pairs=pairs)


def check_linked(
    variant: Variant | Graph,
    progress: Callable[[str], None] | None = None,
    moves: int = MOVES,
    *,
    pairs: bool = False,
    workers: int = 1,
) -> list[Diagnostic]:
    """Return the same as :func:`check_variant`, for a linked variant, in this many processes.

    Collisions are searched for under all other options too, and a third of the moves played under random options; with
    ``pairs`` also under any two other values of the options that cannot stay open, which takes minutes.
    """
    graph = variant if isinstance(variant, Graph) else variant.graph
    if not graph.phases:
        message = Sentence("{game} has no phase to begin in", game=graph.name)
        return [Diagnostic("error", "no-end", message, NOWHERE)]
    study = Study(graph)
    works: list[Callable[[], Any]] = [partial(refuted, study.facts), partial(_in_play, variant, moves, pairs=pairs)]
    with beside(works, workers) as ask:
        study.refuted, in_play = map(ask, range(len(works)))
        examine(variant, progress, workers, study)
        if progress is not None:
            progress(PLAY)
        played, elsewhere = in_play()
    found = [*study.findings, *_judged(study, played)]
    for judged in elsewhere:
        known = {d.message for d in found}
        found += [d for d in judged if d.severity == "error" or d.message not in known]
    return in_order(found)


def _in_play(variant: Variant | Graph, moves: int, *, pairs: bool) -> tuple[Exploration, list[list[Diagnostic]]]:
    """Return the faults met in play, and those found only under other options, for each of their settings."""
    further = moves // 3 if isinstance(variant, Variant) and variant.options.keys() - variant.settled else 0
    graph = variant if isinstance(variant, Graph) else variant.graph
    played = explore(graph, _ends(graph), moves - further)
    elsewhere = []
    if isinstance(variant, Variant) and (further or pairs):
        faults = dict(played.faults)
        for settled in variant.settlings(pairs=pairs):
            opened = variant.open(settled)
            if opened is None:
                continue
            new = {k: fault for k, fault in explore(opened, _ends(opened), further).faults.items() if k not in faults}
            faults |= new
            judged = _judged(examine_open(opened, whole=pairs), Exploration(new))
            elsewhere.append([replace(d, hint=_settled_so(settled, d.hint)) for d in judged])
    return played, elsewhere


def _ends(graph: Graph) -> set[str]:
    return set(final_phases(Study(graph, bounded=False)))


def _settled_so(settled: Mapping[str, str], hint: str) -> str:
    options = " ".join(f"{name}={value}" for name, value in settled.items())
    return Sentence("with {options}: {hint}", options=options, hint=hint) if settled else hint


def _judged(study: Study, played: Exploration) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    told: set[int] = set()
    faults = list(played.faults.values())
    for doubt in study.doubts:
        meeting = [i for i, fault in enumerate(faults) if _meets(doubt, fault)]
        if meeting:
            told.update(meeting)
            how, hint = _happening(faults[meeting[0]]), doubt.diagnostic.hint
            found.append(replace(doubt.diagnostic, hint=Sentence("{hint}\n{how}", how=how, hint=hint) if hint else how))
        else:
            found.append(doubt.note)
    found += [_told(study.graph, fault) for i, fault in enumerate(faults) if i not in told]
    return found


def _happening(fault: PlayFault) -> str:
    return Sentence("it happens: {moves}", moves=fault.text())


def _meets(doubt: Doubt, fault: PlayFault) -> bool:
    """Whether a fault met in play confirms this doubt."""
    if fault.kind == "leak":
        here = not doubt.tops or fault.phase in doubt.tops
        return doubt.diagnostic.code == "hidden" and here and bool(doubt.names & fault.names)
    if doubt.moment == "circle":
        return fault.kind == "circle" and fault.names <= doubt.names
    if fault.kind != "error" or (doubt.tops and doubt.moment == "action" and fault.phase not in doubt.tops):
        return False
    clashes = doubt.diagnostic.code.endswith("-collide")
    if fault.clash != clashes and doubt.diagnostic.code != "two-cards":
        return False
    return bool(doubt.names) and doubt.names <= fault.names


def _told(graph: Graph, fault: PlayFault) -> Diagnostic:
    places = [source for name in sorted(fault.names) if (source := _source(graph, name)) is not None]
    code = {"error": "play", "dead-end": "dead-end", "circle": "endless", "leak": "leak"}[fault.kind]
    severity = "warning" if fault.kind == "leak" else "error"
    span: Span = NOWHERE
    if places:
        span = places[0].span
    elif fault.phase in graph.phases:
        span = graph.phases[fault.phase].source.span
    notes = tuple((Sentence("this too"), source.span) for source in places[1:4])
    return Diagnostic(severity, code, fault.message, span, _happening(fault), notes)


def _source(graph: Graph, name: str) -> Source | None:
    if name in graph.rules:
        return graph.rules[name].source
    for define in graph.defines.values():
        for answer in define.answers:
            if answer.name == name:
                return answer.source
    if name in graph.effects:
        return graph.effects[name].turns[0].source
    return graph.data[name].source if name in graph.data else None


# --------------------------------------------------------------------------------------------------
# Collisions, and visibility of reads, under any options rather than only the variant's own.

_BUDGET = 8_000
"""A larger search budget than elsewhere: every open option is another datum to split on."""


def examine_open(graph: Graph, *, whole: bool = False) -> Study:
    """Collisions and reads of hidden data in a graph with open options; those not ruled out are its doubts.

    ``whole``: repeat an inconclusive quick search within the bounds of all data, which takes far longer.
    """
    quick = Study(graph, budget=_BUDGET, bounded=False)
    collisions.check(quick)
    sight.check(quick)
    return _within_bounds(graph, quick) if whole and quick.doubts else quick


def _within_bounds(graph: Graph, quick: Study) -> Study:
    study = Study(graph)
    for doubt in quick.doubts:
        study.doubt(doubt.diagnostic, doubt.conditions, doubt.tops, doubt.moment, doubt.names)
    return study


# --------------------------------------------------------------------------------------------------
# Play at random, which looks for faults. The same graph gives the same faults, each with the moves that lead to it.

_LONGEST = 1_500
"""Moves after which a game is abandoned for another."""

_ROUND = "automatic rules go round in a circle"
"""Identifies play's error about automatic rules without a fixpoint."""

_CHANGED = 0.3
"""The probability that an open option gets another value than its default."""

_REFEREED = 0.05
"""How often the referee does something, where the rules say what."""

_TOLD = 40
"""Number of last moves shown."""


@dataclass(frozen=True, slots=True)
class PlayFault:
    """A fault met in play. ``kind`` is error, dead-end, circle or leak; ``names`` are the names concerned;
    ``clash`` says that two of them disagree.
    """

    kind: str
    message: str
    names: frozenset[str]
    phase: str
    start: str
    moves: tuple[str, ...]
    clash: bool = False

    def text(self) -> str:
        """The moves that lead to it."""
        if not self.moves:
            return Sentence("{start}nothing is done", start=self.start)
        told = ", ".join(self.moves[-_TOLD:])
        before = "…, " if len(self.moves) > _TOLD else ""
        return f"{self.start}{before}{told}"


@dataclass(slots=True)
class Exploration:
    """The result of play: faults (one of a kind), and the number of moves made."""

    faults: dict[tuple[str, str], PlayFault] = field(default_factory=dict)
    moves: int = 0


def explore(graph: Graph, ends: set[str], moves: int) -> Exploration:
    """Play this many moves in strict and in umpire mode. A game is over in one of the phases ``ends``.

    Options that the graph leaves open (:mod:`truco_spec.graph.load`) are set anew for each game.
    """
    found = Exploration()
    rng = random.Random(1)  # noqa: S311  (chance of cards, not of secrets)
    number = 0
    refereed = {
        verb.action: None for rule in graph.rules.values() if rule.outsider == REFEREE_NAME for verb in rule.verbs
    }
    ground = _Ground(graph, ends, opening_rules(graph), _idle_data(graph), tuple(refereed))
    while found.moves < moves:
        number += 1
        agreed = _agreed_at_random(graph, rng)
        _Play(ground, found, rng, "umpire" if number % 3 == 0 else "strict", agreed).run()
    return found


@dataclass(frozen=True, slots=True)
class _Ground:
    """State shared by all games of one graph."""

    graph: Graph
    ends: set[str]
    opening: frozenset[str]
    idle: frozenset[str]
    refereed: tuple[str, ...]


class _Play:
    def __init__(
        self, ground: _Ground, found: Exploration, rng: random.Random, mode: str, agreed: Mapping[str, int]
    ) -> None:
        self.graph, self.ends, self.opening, self.idle = ground.graph, ground.ends, ground.opening, ground.idle
        self.found, self.rng, self.mode, self.agreed = found, rng, mode, agreed
        self.refereed = ground.refereed
        self.visited: set[str] = set()
        self.moves: list[Action] = []
        self.seen: dict[tuple[int, ...], int] = {}

    def run(self) -> None:
        """Play one game, to its end, its first fault, or the limit."""
        self.found.moves += 1
        try:
            game = Game(self.graph, mode=self.mode, start=self.agreed)
        except (PlayError, Unreachable) as error:
            self._fault("error", error, "")
            return
        while len(self.moves) < _LONGEST and self._move(game):
            self.found.moves += 1

    def _move(self, game: Game) -> bool:
        try:
            legal = game.legal_actions()
            waited_for(game)
        except PlayError as error:
            self._fault("error", error, game.phase)
            return False
        if not legal:
            if game.phase not in self.ends:
                message = Sentence("in {phase} nobody can do anything, and the match is not over", phase=game.phase)
                self._fault("dead-end", message, game.phase)
            return False
        if self.rng.random() < 0.05:
            self._told_by_hidden(game)
        new = bool(self.refereed) and game.phase not in self.visited
        self.visited.add(game.phase)
        if (new or self.rng.random() < 0.1) and not self._tried(game, legal):
            return False
        verbs = self.rng.sample(self.refereed, 1) if self.refereed and self.rng.random() < _REFEREED else ()
        ruled = next(self._ruled(game, verbs), None)
        action = ruled or self._chosen(game, legal)
        try:
            event = game.push(action)
        except (PlayError, IllegalAction) as error:
            self.moves.append(action)
            self._fault("error", error, game.phase)
            return False
        self.moves.append(action)
        if ruled:
            self.seen.clear()  # the referee may bring a position back as often as that is wanted
        return self._after(game, self._matters(game, event))

    def _matters(self, game: Game, event: Event) -> bool:
        """Whether it changed anything that a rule reads; signs and idle talk do not."""
        names = game.layout.names
        return any(names[slot] not in self.idle for step in event.steps for slot in step.back[::2])

    def _after(self, game: Game, changed: bool) -> bool:
        """Check the position after a move: that it can be observed, and whether it is new."""
        try:
            must_be_observable(game)
            for name in broken(game):
                form = "{name} holds, and should in no game: “{said}” Mend the rule that leads here, or replace {name}"
                said = self.graph.defines[name].answers[0].source.prose
                self._fault("error", Sentence(form, name=name, said=said), game.phase, frozenset({name}))
                return False
        except PlayError as error:
            self._fault("error", error, game.phase)
            return False
        if self.mode == "umpire" or not changed:
            return True  # forbidden actions may be repeated for ever; talk changes nothing
        if any(name in self.opening for step in game.history[-1].steps for name in step.rules):
            self.seen.clear()
        position = tuple(game.position)
        if self.seen.setdefault(position, len(self.moves)) != len(self.moves):
            since = self.moves[self.seen[position] :]
            names = frozenset(name for event in game.history[-len(since) :] for name in event.rules)
            self._fault("circle", Sentence("the same position comes back"), game.phase, names)
            return False
        return True

    def _chosen(self, game: Game, legal: list[Action]) -> Action:
        if self.mode == "umpire" and self.rng.random() < 0.15:
            wrong = self._wrong(game)
            if wrong is not None:
                return wrong
        if self.rng.random() < 0.5:
            return self.rng.choice(legal)
        verb = self.rng.choice(sorted({action.verb for action in legal}))
        return self.rng.choice([action for action in legal if action.verb == verb])

    def _ruled(self, game: Game, verbs: Sequence[str]) -> Iterator[Action]:
        """Return actions of the referee, for whom nobody waits: one with each of the verbs."""
        for verb in verbs:
            action = any_action(self.graph, self.rng, verb)._replace(actor=REFEREE)
            if self._status(game, action) == "permitted":
                yield action

    def _wrong(self, game: Game) -> Action | None:
        """A forbidden action here."""
        verbs = [
            v.action
            for r in self.graph.rules.values()
            if r.shape == "must not"
            for v in r.verbs
            if not r.phases or game.phase in r.phases
        ]
        for _ in range(12 if verbs else 0):
            action = any_action(self.graph, self.rng, self.rng.choice(verbs))
            if self._status(game, action) == "forbidden":
                return action
        return None

    def _status(self, game: Game, action: Action) -> str:
        """The status of an action; empty, and a fault, where the rules fail at it."""
        try:
            return game.rule_on(action).status
        except PlayError as error:
            self.moves.append(action)
            self._fault("error", error, game.phase)
            self.moves.pop()
            return ""

    def _told_by_hidden(self, game: Game) -> None:
        """Whether anybody's actions depend on hidden cards."""
        try:
            found = leak(game, self.rng)
        except PlayError:
            return  # no game reaches the other position
        if found is not None:
            self._fault("leak", found.text(), game.phase, found.rules)

    def _tried(self, game: Game, legal: list[Action]) -> bool:
        """Try some of the permitted actions, also of the referee, undoing each."""
        some = legal if len(legal) <= 12 else self.rng.sample(legal, 12)
        some = [*some, *self._ruled(game, self.refereed)]
        for action in some:
            try:
                game.push(action)
                self.found.moves += 1
                must_be_observable(game)
                waited_for(game)
            except PlayError as error:
                self.moves.append(action)
                self._fault("error", error, game.phase)
                return False
            game.pop()
        return True

    def _fault(self, kind: str, wrong: str | Exception, phase: str, names: frozenset[str] = frozenset()) -> None:
        message = wrong if isinstance(wrong, str) else said_by(wrong)
        concerned = names or _names(self.graph, message.partition(";")[0])
        if _ROUND in message:
            kind = "circle"
        options = (f"{o}={self.graph.text_of(self.graph.data[o].type, value)}" for o, value in self.agreed.items())
        start = f"{' '.join((self.graph.name, *options))}, {self.mode}: "
        clash = isinstance(wrong, ConflictError)
        same = message.partition(" (rules")[0] if kind in ("error", "dead-end") else ", ".join(sorted(concerned))
        key = (kind, same)
        old = self.found.faults.get(key)
        if old is None or len(self.moves) < len(old.moves):
            players = named(None, self.graph)
            moves = tuple(action_text(self.graph, action, players) for action in self.moves)
            self.found.faults[key] = PlayFault(kind, message, concerned, phase, start, moves, clash)


def _agreed_at_random(graph: Graph, rng: random.Random) -> dict[str, int]:
    """Random values for some of the open options, such that no refusal applies."""
    switches = [name for name, option in graph.options.items() if is_open(graph, name) and option.values[1:]]
    options = [(name, graph.data[name].type) for name in switches]
    refusals = [name for name in graph.defines if name.startswith(REFUSED)]
    program = program_of(graph)
    while options:
        agreed = {name: _value_of(graph, name, kind, rng) for name, kind in options if rng.random() < _CHANGED}
        position = program.blank()
        begin_with(program.layout, position, agreed)
        if not any(program.defines[refused](position) for refused in refusals):
            return agreed
    return {}


def _value_of(graph: Graph, option: str, kind: Type, rng: random.Random) -> int:
    others = [value for value in graph.options[option].values if value != graph.options[option].value]
    value = graph.value_of(kind, rng.choice(others))
    assert value is not None
    return value


def _idle_data(graph: Graph) -> frozenset[str]:
    """The data that no rule reads: they are only shown."""
    exprs = [part for rule in graph.rules.values() for part in exprs_of_rule(rule)]
    changes = [g for rule in graph.rules.values() for g in changes_of(graph, (*rule.do, *rule.lest))]
    exprs += [part for g in changes for part in (*g.guards, *change_parts(g.change))]
    exprs += [part for kind in graph.actions.values() for part in (kind.possible,) if part is not None]
    exprs += [datum.first for datum in graph.data.values() if datum.first is not None]
    return frozenset(graph.data) - data_read(graph, exprs)


def _names(graph: Graph, message: str) -> frozenset[str]:
    """The names of rules, answers, effects and data in a message."""
    known = {*graph.rules, *graph.defines, *graph.effects, *graph.data, *graph.tables}
    known |= {answer.name for define in graph.defines.values() for answer in define.answers}
    return frozenset(word.strip(".") for word in NAME.findall(message) if word.strip(".") in known)
