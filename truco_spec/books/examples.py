"""Examples of a book: a case of the corpus for readers, with players' names for its seats; and the rules that a case
shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import names_in, renamed
from truco_spec.compare.derivation import (
    Use,
    missing_parts,
    used_by,
    used_to_go_on,
    used_to_observe,
    used_to_write,
)
from truco_spec.conformance.adapters.reference import ScriptRun
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.cases import (
    Allowed,
    Cards,
    Expect,
    HandStart,
    HandStep,
    Instance,
    Mode,
    Refused,
    card_list,
)
from truco_spec.conformance.corpus.protocol import (
    START,
    TEAM_VALUES,
    HandScript,
    MustPermit,
    MustRefuse,
    MustShow,
    Plan,
    Script,
    ScriptAction,
)
from truco_spec.engine.explain import Answered
from truco_spec.engine.provenance import decisive_step, last_step
from truco_spec.graph.model import OBSERVED, SEEN, Graph
from truco_spec.graph.walk import walk, ways
from truco_spec.logs.replay import MoveRefused

STRICT: Mode = "strict"
REFUSED, PERMITTED, NEXT_HAND = "is refused", "is permitted", "the next hand"
"""The verdict shown for a move that is only queried, and for the hand that follows."""

Hands = tuple[tuple[str, tuple[str, ...]], ...]
"""Cards by player or place."""


@dataclass(frozen=True, slots=True)
class Said:
    """A step of an example: the action and its result. ``verdict`` is set for a queried move, or at the start of
    another hand; ``hands`` are the cards given for it.
    """

    moves: str
    then: tuple[tuple[str, str], ...] = ()
    verdict: str = ""
    hands: Hands = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A case as an example. ``hands`` are the cards that it gives, by player or place; ``called`` names its seats. An
    example recomputed under the rules of a house has no title.

    With an ``umpire``, forbidden actions can be done, at their penalty.
    """

    case: str
    title: str
    umpire: bool
    called: Mapping[str, str]
    dealer: str
    score: str
    hands: Hands
    steps: tuple[Said, ...]

    def named(self, text: str) -> str:
        """A text that names seats as cases do, with the players' names: ``P1 cuts`` is ``Bia cuts``."""
        return re.sub(r"\b[A-Z]\d\b", lambda seat: self.called.get(seat[0], seat[0]), text)

    def among(self, language: str) -> Example:
        """Return the same example with names usual in the language."""

        def told(text: str) -> str:
            return renamed(text, language)

        def dealt(hands: Hands) -> Hands:
            return tuple((told(who), cards) for who, cards in hands)

        steps = tuple(
            replace(
                step,
                moves=told(step.moves),
                then=tuple((key, told(value)) for key, value in step.then),
                hands=dealt(step.hands),
            )
            for step in self.steps
        )
        called = {seat: told(name) for seat, name in self.called.items()}
        dealer, score = told(self.dealer), told(self.score)
        return replace(self, called=called, dealer=dealer, score=score, hands=dealt(self.hands), steps=steps)


def example_of(instance: Instance, used: frozenset[str]) -> Example:
    """Convert a case to an example; only places whose data the game has ``used`` are shown. A team is named by all its
    players.
    """
    entry = instance.case.entry
    players = ready.players_of(instance)
    called = dict(zip(players, names_in(ENGLISH), strict=False))
    teams = {
        who: "/".join(called[seat] for seat in team)
        for team in ready.teams_of(instance.variant, players)
        for who in team
    }

    def named(text: str) -> str:
        return re.sub(r"[^\W_]+", lambda word: called.get(word[0], word[0]), text).replace("-", " ")

    def hands(deal: Mapping[str, Cards]) -> Hands:
        return tuple((named(key), card_list(cards)) for key, cards in deal.items() if key in called or key in used)

    steps: list[Said] = []
    for step in entry.moves:
        match step:
            case str():
                steps.append(Said(named(step)))
            case Expect():
                then = tuple(_told(step.expect, called, teams))
                if steps and not steps[-1].verdict:
                    steps[-1] = Said(steps[-1].moves, (*steps[-1].then, *then))
                else:
                    steps.append(Said("", then))
            case Refused():
                steps.append(Said(named(step.refused), verdict=REFUSED))
            case Allowed():
                steps.append(Said(named(step.allowed), verdict=PERMITTED))
            case HandStep():
                given = step.hand.deal if isinstance(step.hand, HandStart) else {}
                steps.append(Said("", verdict=NEXT_HAND, hands=hands(given)))
            case _:
                continue
    score = _value(entry.score, called, teams) if entry.score else ""
    dealer = called.get(entry.dealer, entry.dealer)
    return Example(entry.id, entry.title, entry.mode != STRICT, called, dealer, score, hands(entry.deal), tuple(steps))


def _told(
    expected: Mapping[str, object], called: Mapping[str, str], teams: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    for key, value in expected.items():
        yield key.replace("-", " "), _value(value, teams if key in TEAM_VALUES else called, teams)


def _value(value: object, called: Mapping[str, str], teams: Mapping[str, str]) -> str:
    """A value in words; a mapping is by team."""
    if value is None:
        return "–"
    if isinstance(value, Mapping):
        return ", ".join(f"{teams.get(who, who)} {_value(what, called, teams)}" for who, what in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_value(item, called, teams) for item in value) or "–"
    return called.get(str(value), str(value).replace("-", " "))


# ---- What a case shows: the statements that decided each of its steps -------------------------------
#
# A permitting rule decides a move that it permitted; a forbidding one decides a refusal or, with an umpire, the
# penalty. All others decide observations, through the answers given and the effects of the rules of that step.

PERMITS, FORBIDS, PRICES = "permits", "forbids", "prices"
"""How a rule decides a move; a forbidden move that was done has its penalty."""
FIRES, ANSWERS, DENIES, LEADS = "fires", "answers", "denies", "leads"
"""How a statement decides an observation or a refusal. An answer that is no, though it could be yes, denies; a
statement leads to a refusal if it wrote what a rule reads that would permit the move.
"""
WHO = ("acting", "may-speak")
"""Observations without a question in the spec: whom the game waits for, and who else may speak."""
BANS = ("must", "must not")
"""The shapes of forbidding rules."""
NO = "no"

Fact = tuple[str, str]
"""How a statement decides, and its name."""
Facts = frozenset[Fact]
Place = tuple[int, int, str]
"""A hand of a script, an action of it (or ``START``), and the observation there; empty for the action itself."""


class WatchedRun(ScriptRun):
    """A script on the reference engine, with what decides the ``wanted`` observations and every action."""

    def __init__(self, script: Script, asked: frozenset[str], graph: Graph, wanted: Mapping[Place, None]) -> None:
        super().__init__(script, asked, graph)
        self.replay.reasons = True
        self.graph = graph
        self.found: dict[Place, Facts] = {}
        self._keys: dict[tuple[int, int], list[str]] = {}
        for hand, action, key in wanted:
            self._keys.setdefault((hand, action), []).append(key)
        self._at = (0, START)

    def _start(self, hand: HandScript) -> dict[str, object]:
        seen = super()._start(hand)
        at = self.replay.hand, START
        ended = self._of_seen("acting") if self.replay.hand else frozenset()
        with self.replay.looking_ahead():
            self.ahead()
            self._note_seen(at)
        for key in WHO:
            if (*at, key) in self.found:
                self.found[*at, key] |= ended
        return seen

    def _act(self, action: ScriptAction) -> dict[str, object]:
        hand = self.replay.hand
        number = self._at[1] + 1 if self._at[0] == hand else 0
        self._at = hand, number
        seen = super()._act(action)
        if "refused" in seen:
            facts = facts_of_refusal(self.refused) if self.refused else self._of_the_end()
        else:
            facts = self._of_move()
        self.found[hand, number, ""] = frozenset(facts)
        self._note_seen((hand, number))
        return seen

    def _of_move(self) -> Iterator[Fact]:
        event = self.game.history[-1]
        permitted = event.status == "permitted"
        for name in event.rules:
            if (self.graph.rules[name].shape in BANS) != permitted:
                yield PERMITS if permitted else PRICES, name
        yield from (fact for fact in _facts_of(self.graph, used_by(self.game, verdict=True)) if fact[0] != FIRES)

    def _of_the_end(self) -> Iterator[Fact]:
        """Why the hand is over: the rules of the last move that led out of it."""
        if self.over and self.game.history:
            for name in (name for step in self.game.history[-1].steps for name in step.rules):
                if any(ways(self.graph, self.graph.rules[name].do)):
                    yield LEADS, name

    def _note_seen(self, at: tuple[int, int]) -> None:
        for key in self._keys.get(at, ()):
            if key in WHO and not self.over:
                with self.replay.looking_ahead():
                    self.ahead()
                    self.found[*at, key] = self._of_seen(key)
            else:
                self.found[*at, key] = self._of_seen(key)

    def _of_seen(self, key: str) -> Facts:
        """Return what decides an observation: the statements that gave its value in the last step, or the answers to
        its question.
        """
        if not self.game.history:
            return frozenset()
        found = last_step(self.game) if key in WHO else decisive_step(self.game, key)
        step, after = found or (None, self.game.position)
        facts = set(_facts_of(self.graph, used_to_observe(self.game, step, after, OBSERVED + key)))
        if key in WHO:
            use = used_to_go_on(self.game)
            facts |= {(LEADS, name) for how, name in _facts_of(self.graph, use) if how != DENIES}
        return frozenset(facts)


def facts_of_refusal(refused: MoveRefused) -> Iterator[Fact]:
    """Return what decides a refusal: the rules that forbid the move or require something else first; otherwise the only
    missing condition of the rules that would permit it, and the writers of the data it reads.
    """
    verdict, game = refused.verdict, refused.game
    if verdict.deciding:
        for rule in verdict.deciding:
            yield FORBIDS, rule.name
            yield from (fact for c in rule.conditions for fact in _facts_in(game.graph, c.answers))
        return
    yield from ((FORBIDS, name) for name in refused.due if game.graph.rules[name].shape != "may")
    for rule in verdict.rules:
        if rule.shape == "may" and len(rule.missing) == 1:
            yield DENIES, rule.name
            yield from _facts_in(game.graph, rule.missing[0].answers)
            read = {n.value for part in missing_parts(game.graph, rule) for n in walk(part) if n.op == "datum"}
            use = used_to_write(game, read)
            yield from ((LEADS, name) for how, name in _facts_of(game.graph, use) if how != DENIES)


def _facts_in(graph: Graph, answers: Iterable[Answered]) -> Iterator[Fact]:
    for one in (one for answer in answers for one in answer.whole()):
        yield _how(graph, one.derivation.question, one.derivation.answer, one.value), one.derivation.answer


def _facts_of(graph: Graph, use: Use) -> Iterator[Fact]:
    yield from ((FIRES, name) for kind, name in use.keys if kind in ("rule", "effect", "table"))
    for name, question, _, value in use.answers:
        yield _how(graph, question, name, value), name


def _how(graph: Graph, question: str, name: str, value: str) -> str:
    if value != NO:
        return ANSWERS
    answer = next(answer for answer in graph.defines[question].answers if answer.name == name)
    return ANSWERS if answer.value.op == "const" else DENIES


# ---- a whole case ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Showing:
    """The statements that decide one step of a case, and whether the step is a refusal, or a queried and ``allowed``
    move. ``last`` counts the lines of the example after its own: observations after a move are printed on the move's
    line.
    """

    facts: Facts
    refused: bool
    allowed: bool
    last: int


def wanted_of(plan: Plan) -> list[dict[Place, None]]:
    """The observations that the checks of a plan need, script by script."""
    found: list[dict[Place, None]] = [{} for _ in plan.requests]
    for check in plan.checks:
        if isinstance(check, MustShow):
            found[check.at.script][check.at.hand, check.at.action, check.key] = None
    return found


def showings(instance: Instance, plan: Plan, found: Sequence[Mapping[Place, Facts]]) -> tuple[Showing, ...]:
    """The steps of a case, each with what decides it; ``found`` is the record of each script."""
    moves = instance.case.entry.moves
    checks = iter(plan.checks)
    after = [not (isinstance(step, Expect) and isinstance(before, str)) for before, step in pairwise(moves)]
    made: list[Showing] = []
    for number, step in enumerate(moves):
        facts: set[Fact] = set()
        for _ in range(_count(step)):
            check = next(checks)
            at = check.at
            key = check.key if isinstance(check, MustShow) else ""
            if isinstance(check, MustShow | MustPermit | MustRefuse):
                facts |= found[at.script].get((at.hand, at.action, key), frozenset())
        made.append(
            Showing(frozenset(facts), isinstance(step, Refused), isinstance(step, Allowed), sum(after[number:]))
        )
    return tuple(made)


def _count(step: object) -> int:
    """The number of checks of a step."""
    match step:
        case str():
            return len(step.split(","))
        case Expect():
            return len(step.expect)
        case Refused() | Allowed():
            return 1
    return 0


# ---- a rule of a book ------------------------------------------------------------------------------


def decided(graph: Graph, name: str, showing: Showing) -> frozenset[str]:
    """Return how a statement of this name decides a step, in its own way only: a ban forbids, a permission permits.
    Empty if it does not decide it.
    """
    return frozenset(
        how for how, told in showing.facts if is_part(graph, name, told) and _rules(graph, told, how, showing)
    )


def is_part(graph: Graph, name: str, part: str) -> bool:
    """Whether it is the statement itself, or part of a construct without a sentence of its own; of a call, the call."""
    call = graph.rules.get(f"{name}.open")
    if call is not None and call.shape == "may":
        return part == call.name
    return part == name or (part.startswith(f"{name}.") and name not in graph.rules and not part.endswith(SEEN))


def _rules(graph: Graph, name: str, how: str, showing: Showing) -> bool:
    rule = graph.rules.get(name)
    if rule is None:
        return how != DENIES or showing.refused
    if rule.shape == "may":
        return how == PERMITS
    return how in (FORBIDS, PRICES) if rule.shape in BANS else how in (FIRES, FORBIDS, LEADS)
