"""Repeats failing scripts: unchanged, and without an action that was refused in them.

If the same script is answered differently, no rule is to blame: the implementation is nondeterministic, or keeps state
between scripts. If a move is refused only after another refusal, the refused action changed the game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from truco_spec.conformance.adapters.channel import Broken
from truco_spec.conformance.corpus.protocol import Introduction, Script, ScriptAction, Seen
from truco_spec.conformance.corpus.scripts import Check, MustPermit, Plan, Position, cut_short
from truco_spec.conformance.runner.judge import Finding, judge

MOST_AGAIN = 100
"""Maximum cases of one run that are repeated while all answers stay the same."""
MOST_AFRESH = 10
"""Maximum cases of one run that are repeated in fresh processes."""
MOST_EARLIER = 12
"""Maximum scripts asked before a failing one that are asked again in their order."""
TIMES_IN_DOUBT = 10
"""Number of times that a failing case is repeated once another was answered otherwise."""
TIMES_AFTERWARDS = 5
"""Number of fresh processes that have to repeat an answer after the earlier scripts, before these are blamed."""
MOST_BEFORE = 3
"""Maximum refused actions before a move that are left out, one at a time, the last first."""

Doubt = Literal["", "before", "unsteady"]
"""What a differing answer depends on: nothing, what was played before, or unknown."""
Answer = Sequence[Seen] | Broken
Questions = Generator[Sequence[Script], Answer | None, tuple[str, str]]


# ---- without a refused action -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Without:
    """A script up to the move at ``at``, without the refused action ``gone``, which stood at ``gone_at``."""

    script: Script
    gone: ScriptAction
    at: Position
    gone_at: Position

    def takes(self, answer: Seen) -> bool:
        """Whether the move was accepted this time."""
        return not answer[self.at.hand].seen[self.at.action].get("refused")

    def expected(self, text: str) -> str:
        """The expected result, in words."""
        return f"the refused {self.gone.text} leaves the game as it was: {text} is permitted after it"

    def got(self, got: str) -> str:
        """The actual result, where the move was accepted without the refused action."""
        return f"{got}; without {self.gone.text} it is taken"


def without_refused(script: Script, at: Position, refused: Iterable[tuple[int, int]]) -> Iterator[Without]:
    """Variants of the script, each without one refused action (hand and number) before ``at``."""
    cut = cut_short(script, at)
    before = sorted(place for place in refused if place < (at.hand, at.action))
    for hand, number in reversed(before[-MOST_BEFORE:]):
        hands = list(cut.hands)
        actions = hands[hand].actions
        hands[hand] = replace(hands[hand], actions=actions[:number] + actions[number + 1 :])
        there = replace(at, script=0, action=at.action - (hand == at.hand))
        gone_at = Position(at.script, hand, number)
        yield Without(replace(cut, hands=tuple(hands)), actions[number], there, gone_at)


# ---- unchanged ----------------------------------------------------------------------------------


def doubt(
    got: str, ask: Callable[[], tuple[str, str]], afterwards: Callable[[], str] | None = None
) -> tuple[Doubt, str]:
    """Classify a differing answer, and return another answer to the same script.

    ``ask`` returns two successive answers of a fresh process, ``afterwards`` the answer of one that was asked the
    earlier scripts before: an answer by chance is not repeated each time. The first answers of all fresh processes have
    to agree.
    """
    first, second = ask()
    other, last = ask()
    if first != other or (second != last and first == got):
        return "unsteady", next(told for told in (first, other, second, last) if told != got)
    if first == got:
        return "", ""
    repeated = afterwards is None or all(afterwards() == got for _ in range(TIMES_AFTERWARDS))
    return "before" if repeated else "unsteady", first


@dataclass(frozen=True, slots=True)
class Failing:
    """The first failed check of a case, with the script up to it. ``refused`` are the actions that the case expects to
    be refused: hand and number; ``before`` are the last scripts that the same process was asked before; ``beside`` are
    the other checks at its place, which say what else is due there.
    """

    script: Script
    finding: Finding
    introduction: Introduction
    refused: frozenset[tuple[int, int]]
    before: tuple[Script, ...] = ()
    beside: tuple[Check, ...] = ()

    def got(self, answer: Answer) -> str:
        """The result of another answer at this check, in words."""
        if isinstance(answer, Broken):
            return answer.message
        check = self.finding.check
        assert check is not None  # it failed
        checks = (replace(each, at=replace(each.at, script=0)) for each in (check, *self.beside))
        found = judge(Plan((self.script,), tuple(checks)), answer, self.introduction)
        return next((f.got for f in found if f.expected == self.finding.expected), "as expected")

    def ways(self) -> list[Without]:
        """Scripts that can show that a refused action changed the game."""
        if not isinstance(self.finding.check, MustPermit) or self.finding.at.script:
            return []
        return list(without_refused(self.script, self.finding.at, self.refused))


def again(failing: Failing, times: int = 1) -> Questions:
    """A generator that yields scripts and is sent their answers. Returns what a refused action changed (expected and
    got, a line each), and another answer to the same script, asked ``times`` times; empty if there is none.
    """
    for _ in range(times):
        other = failing.got((yield [failing.script]) or ())
        if other != failing.finding.got:
            return "", other
    ways = failing.ways()
    answers = (yield [way.script for way in ways]) if ways else ()
    if isinstance(answers, Broken):
        return "", ""
    for way, answer in zip(ways, answers or (), strict=True):
        if way.takes(answer):
            text = failing.script.hands[-1].actions[-1].text
            return f"{way.expected(text)}\n{way.got(failing.finding.got)}", ""
    return "", ""


class Doubts:
    """Selects the failed cases of a run that are repeated, and classifies differing answers with fresh processes."""

    def __init__(self, implementation: Any) -> None:
        self.afresh: Callable[[], Any] | None = getattr(implementation, "afresh", None)
        self.asked = self.fresh = 0
        self.last: Doubt = ""
        self._sent: deque[Script] = deque(maxlen=MOST_EARLIER)

    def note(self, plan: Plan) -> tuple[Script, ...]:
        """Record what is asked next; return what the same process was asked before."""
        before = tuple(self._sent)
        self._sent.extend(request for request in plan.requests if isinstance(request, Script))
        return before

    def wants(self) -> bool:
        """Whether one more is repeated."""
        self.asked += 1
        return self.asked <= MOST_AGAIN or bool(self.last)

    def at_once(self, failing: Failing, implementation: Any) -> tuple[str, tuple[Doubt, str]]:
        """The result of repeating a script on the same implementation."""
        questions = again(failing, TIMES_IN_DOUBT if self.last else 1)
        answer: Answer | None = None
        while True:
            try:
                scripts = questions.send(answer)
            except StopIteration as end:
                changed, other = end.value
                return changed, self.settled(failing, other) if other else ("", "")
            answer = answers(scripts, implementation)

    def settled(self, failing: Failing, other: str) -> tuple[Doubt, str]:
        """Classify the differing answer ``other``."""
        if self.afresh is None:
            return "unsteady", other
        self.fresh += 1
        if self.fresh > MOST_AFRESH:
            return self.last, other
        got = failing.finding.got
        found, told = doubt(got, lambda: self._twice(failing), lambda: self._twice(failing, failing.before)[0])
        if not found:  # fresh processes answer as this one did first, and not when it was asked again
            steady = all(self._twice(failing, failing.before) == (got, other) for _ in range(TIMES_AFTERWARDS))
            found, told = "before" if steady else "unsteady", other
        self.last = "unsteady" if self.last == "unsteady" else found
        return found, told

    def _twice(self, failing: Failing, before: Sequence[Script] = ()) -> tuple[str, str]:
        """Two answers of a fresh process that was asked these scripts before."""
        assert self.afresh is not None  # it was repeated
        fresh = self.afresh()
        try:
            for script in before:
                answers([script], fresh)
            return tuple(failing.got(answers([failing.script], fresh)) for _ in range(2))  # type: ignore[return-value]
        finally:
            fresh.close()


def answers(scripts: Sequence[Script], implementation: Any) -> Answer:
    """The answers to these scripts, or what is wrong with them."""
    try:
        return [implementation.run(script) for script in scripts]
    except Broken as broken:
        return broken
