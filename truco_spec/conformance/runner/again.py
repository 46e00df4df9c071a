"""A failing script is asked again: as it is, and without an action that was refused in it.

Where the same script is answered otherwise, no rule is to blame: the implementation is unsteady, or keeps something of
what it played. Where a move is refused only because another was refused before it, the refused one changed the game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from truco_spec.conformance.adapters.requests import Broken
from truco_spec.conformance.corpus.protocol import Action, Introduction, Script, Seen
from truco_spec.conformance.corpus.scripts import MustPermit, Plan, Position, cut_short
from truco_spec.conformance.runner.judge import Finding, judge

MOST_AGAIN = 100
"""Cases of one run that are asked again, as long as all answers stay the same."""
MOST_AFRESH = 10
"""Cases of one run for which fresh processes are asked."""
MOST_BEFORE = 3
"""Refused actions before a move that are left out, one at a time, the last first."""

Doubt = Literal["", "before", "unsteady"]
"""What an answer that comes otherwise hangs on: nothing does, what was played before, or nobody knows what."""
Answer = Sequence[Seen] | Broken
Questions = Generator[Sequence[Script], Answer | None, tuple[str, str]]


# ---- without what was refused -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Without:
    """A script up to a move, which stands at ``at``, without the action ``gone`` that is refused before it; ``gone_at``
    is where that stood.
    """

    script: Script
    gone: Action
    at: Position
    gone_at: Position

    def takes(self, answer: Seen) -> bool:
        """Whether the move was taken now."""
        return not answer[self.at.hand].seen[self.at.action].get("refused")

    def expected(self, text: str) -> str:
        """What is expected of the move."""
        return f"the refused {self.gone.text} leaves the game as it was: {text} is permitted after it"

    def got(self, got: str) -> str:
        """What was got, where the move was taken without the refused action."""
        return f"{got}; without {self.gone.text} it is taken"


def without_refused(script: Script, at: Position, refused: Iterable[tuple[int, int]]) -> Iterator[Without]:
    """The ways to leave out one of the refused actions (hand and number) before ``at``."""
    cut = cut_short(script, at)
    before = sorted(place for place in refused if place < (at.hand, at.action))
    for hand, number in reversed(before[-MOST_BEFORE:]):
        hands = list(cut.hands)
        actions = hands[hand].actions
        hands[hand] = replace(hands[hand], actions=actions[:number] + actions[number + 1 :])
        there = replace(at, script=0, action=at.action - (hand == at.hand))
        gone_at = Position(at.script, hand, number)
        yield Without(replace(cut, hands=tuple(hands)), actions[number], there, gone_at)


# ---- as it is -----------------------------------------------------------------------------------


def doubt(got: str, ask: Callable[[], tuple[str, str]]) -> tuple[Doubt, str]:
    """What is doubtful of an answer, and another answer to the same.

    ``ask`` gives two answers in a row of one fresh process. The first of each fresh process has to be the same.
    """
    first, second = ask()
    other, last = ask()
    if first != other or (second != last and first == got):
        return "unsteady", next(told for told in (first, other, second, last) if told != got)
    return ("", "") if first == got else ("before", first)


@dataclass(frozen=True, slots=True)
class Failing:
    """The first failed check of a case, with the script up to it. ``refused`` are the actions that the case itself
    expects to be refused: their hand and their number in it.
    """

    script: Script
    finding: Finding
    introduction: Introduction
    refused: frozenset[tuple[int, int]]

    def got(self, answer: Answer) -> str:
        """What another answer comes to at this check, in words."""
        if isinstance(answer, Broken):
            return answer.message
        check = self.finding.check
        assert check is not None  # it failed
        alone = Plan((self.script,), (replace(check, at=replace(check.at, script=0)),))
        found = judge(alone, answer, self.introduction)
        return next((f.got for f in found if f.expected == self.finding.expected), "as expected")

    def ways(self) -> list[Without]:
        """Scripts that may tell that a refused action changed the game."""
        if not isinstance(self.finding.check, MustPermit) or self.finding.at.script:
            return []
        return list(without_refused(self.script, self.finding.at, self.refused))


def again(failing: Failing) -> Questions:
    """Yields scripts, is sent the answers to them. Returns what a refused action changed (expected and got, a line
    each), and another answer to the same script; nothing for what there is not.
    """
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
    """Which failed cases of a run are asked again, and what fresh processes say of those answered otherwise."""

    def __init__(self, implementation: Any) -> None:
        self.afresh: Callable[[], Any] | None = getattr(implementation, "afresh", None)
        self.asked = self.fresh = 0
        self.last: Doubt = ""

    def wants(self) -> bool:
        """Whether one more is asked again."""
        self.asked += 1
        return self.asked <= MOST_AGAIN or bool(self.last)

    def at_once(self, failing: Failing, implementation: Any) -> tuple[str, tuple[Doubt, str]]:
        """What comes of asking again, by the implementation itself."""
        questions = again(failing)
        answer: Answer | None = None
        while True:
            try:
                scripts = questions.send(answer)
            except StopIteration as end:
                changed, other = end.value
                return changed, self.settled(failing, other) if other else ("", "")
            answer = _answers(scripts, implementation)

    def settled(self, failing: Failing, other: str) -> tuple[Doubt, str]:
        """What it hangs on that ``other`` was answered, too."""
        if self.afresh is None:
            return "unsteady", other
        self.fresh += 1
        if self.fresh > MOST_AFRESH:
            return self.last, other
        found, told = doubt(failing.finding.got, lambda: self._twice(failing))
        self.last = found or "before"
        return self.last, told if found else other

    def _twice(self, failing: Failing) -> tuple[str, str]:
        assert self.afresh is not None  # it was looked at
        fresh = self.afresh()
        try:
            return tuple(failing.got(_answers([failing.script], fresh)) for _ in range(2))  # type: ignore[return-value]
        finally:
            fresh.close()


def _answers(scripts: Sequence[Script], implementation: Any) -> Answer:
    try:
        return [implementation.run(script) for script in scripts]
    except Broken as broken:
        return broken
