"""Shrinks a failing script by delta debugging, keeping the same failure.

Hands are removed first, then actions, then players and score, repeated to a fixpoint; options last. The candidates and
their order depend only on the script; the number of requests is bounded.

Failures of the corpus are shrunk like those of fuzzing: the expectation is recomputed by playing the rest with the
reference engine, so the new case is as correct as the original, and rests on the same clauses.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import yaml

from truco_spec.base.delta_debugging import reduced, stretches, without
from truco_spec.base.errors import TrucoError
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Case, Level
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    HandScript,
    MustOffer,
    MustPermit,
    MustRefuse,
    MustSee,
    MustShow,
    Plan,
    Script,
    Seen,
    action_of,
    refused_in,
)
from truco_spec.conformance.fuzz.trial import CHANGED, Examiner, Failure, same_kind
from truco_spec.conformance.runner.judge import unsupported
from truco_spec.conformance.runner.runner import Result, answers, doubt
from truco_spec.graph.model import DECIDED

MOST_RUNS = 200
"""Maximum requests per failure."""
MOST_WAITS = 12
"""Maximum requests per failure without an answer in time."""

_FEW = 3
_FIRST = "P0"


@dataclass(frozen=True, slots=True)
class Minimal:
    """The shortest script found. ``repeatable``: new processes fail in the same way on it.

    Otherwise ``other`` is another answer of a nondeterministic implementation; empty if the answer depends on what was
    played before.
    """

    failure: Failure
    repeatable: bool
    other: str = ""


def shrink(
    failure: Failure,
    open_one: Callable[[], Implementation],
    most: int = MOST_RUNS,
    *,
    among: bool = False,
) -> Minimal:
    """The smallest script that still fails as ``failure`` does: as the first failure, or ``among`` others.

    ``open_one`` restarts the implementation. A script that fails only after others in the same process is returned
    unchanged, as not repeatable.
    """
    shrinker = _Shrinker(failure, open_one, most, among)
    try:
        return shrinker.result()
    finally:
        shrinker.close()


class _Shrinker:
    def __init__(
        self,
        failure: Failure,
        open_one: Callable[[], Implementation],
        most: int,
        among: bool,
    ) -> None:
        self.best, self.open_one, self.among = failure, open_one, among
        self.most = min(most, MOST_WAITS) if failure.kind == "timeout" else most
        self.runs = self.unfinished = self.refused = 0
        self.tried: set[str] = set()
        self.implementation: Implementation | None = None

    def result(self) -> Minimal:
        first = self.best
        found, other = doubt(first.got, partial(self._twice, first), partial(self._afterwards, first))
        if found:
            return Minimal(first, repeatable=False, other=other if found == "unsteady" else "")
        self._measure(first.script)
        self._reduce(_hands, _ends, _actions, _settings)
        self._reduce(_options)
        found, other = doubt(self.best.got, partial(self._twice, self.best))
        if found:
            return Minimal(first, repeatable=False, other=other if found == "unsteady" else "")
        return Minimal(self.best, repeatable=True)

    def _twice(self, failure: Failure) -> tuple[str, str]:
        """Two answers of a fresh process at the failing step."""
        self.close()
        return self._answer(failure), self._answer(failure)

    def _afterwards(self, failure: Failure) -> str:
        """The answer of a fresh process that was asked the same scripts before."""
        self.close()
        for script in failure.before:
            answers([script], self._examiner().implementation)
        return self._answer(failure)

    def _answer(self, failure: Failure) -> str:
        """What is answered at the failing step; no answer of the same kind is the same, whatever the words (the time
        of day, the number of a process).
        """
        self.runs += 1
        try:
            for found in self._examiner().failures(failure.script):
                if found.check is None and found.kind == failure.kind:
                    return failure.got
                if found.check == failure.check or found.check is None:
                    return found.got
        except (TrucoError, Broken) as error:
            return str(error)
        return failure.expected

    def _examiner(self) -> Examiner:
        if self.implementation is None:
            self.implementation = self.open_one()
        return Examiner(self.implementation)

    def _measure(self, script: Script) -> None:
        """The number of unfinished hands and refusals, which a smaller script must not exceed."""

        def note(expected: Seen) -> bool:
            self.unfinished, self.refused = _unfinished(expected), _refused(expected)
            return False

        self._examiner().failure(script, note)

    def _fits(self, expected: Seen) -> bool:
        """Whether the script is as regular as the original. A crash must be shown by regular play, too."""
        if _unfinished(expected) > self.unfinished:
            return False
        return self.best.check is not None or _refused(expected) <= self.refused

    def close(self) -> None:
        if self.implementation is not None:
            self.implementation.close()
            self.implementation = None

    def _reduce(self, *reductions: Callable[[Script], Iterator[Script]]) -> None:
        untried = [partial(self._untried, reduction) for reduction in reductions]
        self.runs += reduced(self.best.script, untried, self._better, self.most - self.runs)[1]

    def _untried(self, reduction: Callable[[Script], Iterator[Script]], script: Script) -> Iterator[Script]:
        for smaller in reduction(script):
            written = filling.notation(smaller)
            if written not in self.tried:
                self.tried.add(written)
                yield smaller

    def _better(self, script: Script) -> Script | None:
        """Return the script if it fails in the same way; it is then the best."""
        try:
            examiner = self._examiner()
            introduction = examiner.implementation.hello()
            if unsupported(Plan((script,), ()), introduction, ready.rules_of(script.variant).defaults):
                return None
            failure = self._alike(script, examiner)
        except TrucoError:  # the rules have no such game
            return None
        except Broken:  # it did not even answer hello
            return None
        if failure is None:
            return None
        self.best = failure
        return failure.script

    def _alike(self, script: Script, examiner: Examiner) -> Failure | None:
        """The failure of this script that is the same fault: the first failure, or ``among`` others."""
        failures = examiner.failures(script, self._fits)
        return next(filter(self._is_same, failures if self.among else same_kind(failures)), None)

    def _is_same(self, failure: Failure) -> bool:
        """Whether it is the same fault. Without an option the rules may have the same result by another statement; but
        not without one that the implementation claims always to play: that statement would be of another game.
        """
        best = self.best
        same = (failure.signature, failure.manner) == (best.signature, best.manner)
        if gone := best.script.options.keys() - failure.script.options.keys():
            if gone.isdisjoint(self._claimed(best.script)):
                same = (failure.kind, failure.about, failure.got) == (best.kind, best.about, best.got)
            return same and failure.expected == best.expected
        return same and failure.script.options == best.script.options

    def _claimed(self, script: Script) -> Mapping[str, str]:
        plays = self._examiner().implementation.hello().plays(script.variant)
        return plays.own(len(script.players))


def _unfinished(expected: Seen) -> int:
    """The number of hands left for another before they are over."""
    return sum(
        not any(filling.ends_hand(entry) and not entry.get("refused") for entry in hand.seen) for hand in expected[:-1]
    )


def _refused(expected: Seen) -> int:
    return sum(1 for _ in refused_in(expected))


# ---- reductions ---------------------------------------------------------------------------------


def _actions(script: Script) -> Iterator[Script]:
    """Without some actions: large groups first, then one by one, the last ones first."""
    said = [hand.actions for hand in script.hands]
    for gone in stretches(said, _halves(sum(map(len, said)))):
        left = zip(script.hands, without(said, gone), strict=True)
        yield replace(script, hands=tuple(replace(hand, actions=actions) for hand, actions in left))


def _halves(count: int) -> Iterator[int]:
    """Group sizes: half of the actions, a quarter … one."""
    size = max(1, count // 2) if count else 0
    while size:
        yield size
        size //= 2


def _ends(script: Script) -> Iterator[Script]:
    """Only the last few actions of a single hand, with any dealer, so that another player begins."""
    if len(script.hands) > 1:
        return
    (hand,), told = script.hands, {*script.players, *places(script)}
    deal = {key: cards for key, cards in hand.deal.items() if key in told}  # in another order from the pack
    for count in range(1, min(_FEW, len(hand.actions) - 1) + 1):
        actions = tuple(action_of(action.text) for action in hand.actions[-count:])
        for dealer in script.players:
            yield replace(script, dealer=dealer, hands=(HandScript(deal, actions),))


def _hands(script: Script) -> Iterator[Script]:
    """Only the last hand, with its dealer and score; or without any of the others."""
    if len(script.hands) < 2:
        return
    score = _score_before_last(script)
    for dealer in script.players:
        yield replace(script, hands=script.hands[-1:], dealer=dealer, score=score)
    for at in range(len(script.hands) - 1):
        yield replace(script, hands=script.hands[:at] + script.hands[at + 1 :])


def _score_before_last(script: Script) -> dict[str, int]:
    """The teams' score before the last hand, by the reference engine; the initial score if it fails."""
    try:
        score = Reference(asked=frozenset({"start"})).run(script)[-1].start.get("score", {})
    except (Broken, TrucoError):
        return dict(script.score)
    return {player: points for player, points in score.items() if points}


def _settings(script: Script) -> Iterator[Script]:
    """Fewer players, and the simplest score and dealer."""
    for count in range(len(script.teams), len(script.players), len(script.teams)):
        yield from _fewer(script, count)
    if script.score:
        yield replace(script, score={})
        for player in script.score:
            yield replace(script, score={who: points for who, points in script.score.items() if who != player})
    if script.dealer != _FIRST and _FIRST in script.players:
        yield replace(script, dealer=_FIRST)


def _options(script: Script) -> Iterator[Script]:
    """Fewer explicit options. An implementation that fixes them is sent the same."""
    for name in script.options:
        yield replace(script, options={n: value for n, value in script.options.items() if n != name})


def _fewer(script: Script, count: int) -> Iterator[Script]:
    """Only this many players, in the first seats; the actions and cards of the others are dropped."""
    players, teams = script.players, len(script.teams)
    for kept in itertools.combinations(range(len(players)), count):
        if any(seat % teams != at % teams for at, seat in enumerate(kept)):
            continue
        name = {players[seat]: players[at] for at, seat in enumerate(kept)}
        hands = tuple(
            HandScript(
                {name.get(key, key): cards for key, cards in hand.deal.items() if key in name or key in places(script)},
                tuple(
                    action_of(" ".join(name.get(word, word) for word in action.text.split()))
                    for action in hand.actions
                    if action.player in name
                ),
            )
            for hand in script.hands
        )
        score = {name[player]: points for player, points in script.score.items() if player in name}
        fewer = players[:count]
        changed = replace(script, players=fewer, teams=ready.teams_of(script.variant, fewer), hands=hands, score=score)
        for dealer in fewer:
            yield replace(changed, dealer=dealer)


# ---- failures of the corpus -----------------------------------------------------------------------

_CUT = frozenset({"fail", "error", "crash"})
"""Verdicts worth shrinking; repeated timeouts would take too long."""


def cut_down(result: Result, open_one: Callable[[], Implementation], most: int = MOST_RUNS) -> Result:
    """Return the result with the shortest script of its first fault, and the case made of it; otherwise with the reason
    why there is none. ``open_one`` starts an implementation for that.
    """
    if not result.faults or not isinstance(result.shown, Script):
        return result
    if result.verdict not in _CUT:
        return _uncut(result, f"with the verdict {result.verdict} no shorter script is tried")
    if result.shown.mode != "strict":
        return _uncut(result, "scripts for an umpire are not")
    try:
        failure = _failure_of(result, result.shown, open_one)
        if failure is None:
            return _uncut(result, "beside the reference engine, step by step, this fault does not show")
        minimal = shrink(failure, open_one, most=most, among=True)
    except (TrucoError, Broken):
        return _uncut(result, "the implementation did not answer again")
    return _with(result, minimal) if minimal.repeatable else _uncut(result, "it does not show each time")


def _failure_of(result: Result, script: Script, open_one: Callable[[], Implementation]) -> Failure | None:
    """The fault of a case, as the comparison with the reference engine finds it."""
    implementation = open_one()
    try:
        for failure in Examiner(implementation).failures(implementation.hello().as_played(script)):
            if failure.kind == result.verdict or _is_told(failure, result.faults[0].expected, script):
                return failure
    finally:
        implementation.close()
    return None


def _is_told(failure: Failure, expected: str, script: Script) -> bool:
    """Whether this is the expected value named by the case; a team may be named by another of its players."""
    if not isinstance(failure.check, MustShow):
        return failure.expected == expected
    last = (len(script.hands) - 1, len(script.hands[-1].actions) - 1)
    at = failure.check.at
    return (at.hand, at.action) == last and expected.startswith(f"{failure.check.key}: ")


def _with(result: Result, minimal: Minimal) -> Result:
    failure, first = minimal.failure, result.faults[0]
    name = f"{result.instance.case.id}-cut"
    case = case_text(failure, name, f"Cut down from {result.instance.name}.", result.instance.case)
    fault = replace(
        first, expected=failure.expected, got=failure.got, script=filling.notation(failure.script), case=case
    )
    return replace(result, faults=(fault, *result.faults[1:]), shown=failure.script)


def _uncut(result: Result, why: str) -> Result:
    first = result.faults[0]
    advice = f"{first.advice} It was not shortened: {why}.".strip()
    return replace(result, faults=(replace(first, advice=advice), *result.faults[1:]))


# ---- A failing script as a case of the corpus, which passes with the reference engine ---------------

_WIDTH = 110
ANSWER = "protocol:every-request-is-answered"
"""The citation of a case without an answer: the protocol, no rule of the game."""


def file_of(case: dict[str, Any], variant: str) -> str:
    """A file of this one case; its first clause determines the source."""
    source = case["clauses"][0].partition(":")[0]
    document = {"corpus": CORPUS_VERSION, "source": source, "applies": {"variants": [variant]}, "cases": [case]}
    return str(yaml.safe_dump(document, sort_keys=False, default_flow_style=None, width=_WIDTH, allow_unicode=True))


def places(script: Script) -> set[str]:
    """Return the places of cards other than the players' hands."""
    return set(filling.script_graph(script).data)


def case_text(failure: Failure, name: str, note: str = "", like: Case | None = None) -> str:
    """Write a file of one case in the format of the corpus: it passes with the reference engine and shows this failure.

    ``name`` is its id. It cites the clauses and decisions of the deciding rules; of these, the ones that the case it is
    ``like`` cites too, if any. Without an answer it cites only the protocol.
    """
    script = failure.script
    clauses, decisions = _bearing(failure, like)
    case: dict[str, Any] = {"id": name, "title": _title(failure), "clauses": clauses}
    case |= {"decisions": decisions} if decisions else {}
    case["level"] = _level(script, decisions, like)
    case |= {"options": dict(script.options)} if script.options else {}
    numbered = script.players == tuple(f"P{n}" for n in range(len(script.players)))
    case["players"] = len(script.players) if numbered else list(script.players)
    case |= {"score": dict(script.score)} if script.score else {}
    case["dealer"] = script.dealer
    case["deal"] = _deal(script, script.hands[0])
    case |= {"note": note} if note else {}
    case["moves"] = _moves(failure)
    return file_of(case, script.variant)


def _level(script: Script, decisions: list[str], like: Case | None) -> Level:
    """The proposed level: that of the case it is like, where its options and decisions still apply."""
    proposed: Level = "option" if script.options else "decided" if decisions else "must"
    return "must" if like is not None and like.entry.level == "must" else proposed


def _bearing(failure: Failure, like: Case | None) -> tuple[list[str], list[str]]:
    """The clauses and decisions relevant to a failure."""
    if failure.check is None:
        return [ANSWER], []
    cites = _cites(failure)
    clauses = [f"{source}:{clause}" for source, clause in cites if source != DECIDED]
    decisions = [clause for source, clause in cites if source == DECIDED]
    if like is not None:
        told = failure.decided.cited(filling.script_graph(failure.script))
        cited = {f"{cite.source}:{cite.clause}" for cite in told}
        own = [clause for clause in like.clauses if clause in cited]
        own_decisions = [name for name in like.entry.decisions if name in decisions]
        if own or not cites:
            return own or list(like.clauses), own_decisions
    return clauses or _resolved(failure.script, decisions) or [ANSWER], decisions


def clauses_of(failure: Failure) -> tuple[str, ...]:
    """The citations of the deciding rules and of the answers they used, including decisions."""
    return tuple(f"{source}:{clause}" for source, clause in _cites(failure))


def _cites(failure: Failure) -> tuple[tuple[str, str], ...]:
    return failure.decided.cites(filling.script_graph(failure.script))


def _resolved(script: Script, decisions: list[str]) -> list[str]:
    """Resolve decisions: the clauses and gaps behind a step that rests on our own readings alone."""
    held = filling.script_graph(script).decisions
    return [f"{cite.source}:{cite.clause}" for name in decisions if name in held for cite in held[name].resolves]


def _title(failure: Failure) -> str:
    actions = failure.script.hands[-1].actions
    last = actions[-1].text if actions else "the deal"
    if failure.check is not None and actions and failure.check.at.action == START:
        return f"Before {last}: {failure.expected}"
    if failure.check is None:
        return f"After {last} there is an answer"
    told = isinstance(failure.check, (MustPermit, MustRefuse))
    return failure.expected if told else f"After {last}: {failure.expected}"


def _deal(script: Script, hand: HandScript) -> dict[str, str]:
    """The hands and the turned card; the order of the pack follows from them."""
    told = {*script.players, *places(script)}
    return {key: " ".join(cards) for key, cards in hand.deal.items() if key in told}


def _moves(failure: Failure) -> list[Any]:
    """The steps of the case: moves played, refusals on the way, and finally the step that differed."""
    script, check = failure.script, failure.check
    refused = {*refused_in(Reference(asked=frozenset()).run(script))}
    steps: list[Any] = []
    played: list[str] = []

    def flush() -> None:
        if played:
            steps.append(", ".join(played))
            played.clear()

    for at, hand in enumerate(script.hands):
        if at:
            flush()
            steps.append({"hand": {"deal": _deal(script, hand)}})
        if check is not None and (check.at.hand, check.at.action) == (at, START):
            steps += _expectation(check)
        for number, action in enumerate(hand.actions):
            last = check is not None and (check.at.hand, check.at.action) == (at, number)
            if last and isinstance(check, MustPermit) and failure.kind != CHANGED:
                flush()
                steps.append({"allowed": action.text})
            elif (at, number) in refused:
                flush()
                steps.append({"refused": action.text})
            else:
                played.append(action.text)
    flush()
    return steps if check is None or check.at.action == START else steps + _expectation(check)


def _expectation(check: Check) -> list[Any]:
    match check:
        case MustShow(_, key, value):
            return [{"expect": {key: value}}]
        case MustOffer(_, player, texts):
            return [{"legal": {player: list(texts)}}]
        case MustSee(_, seat, sees, hides):
            return [{"view": {"seat": seat, "sees": " ".join(sees), "hides": " ".join(hides)}}]
    return []
