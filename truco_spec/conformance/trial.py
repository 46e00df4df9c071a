"""One script, played by an implementation and by the reference engine: the first step at which they differ.

Here the expectation is no case's: it is all that the reference engine saw, as far as the implementation says that it
observes it. What it says that it omits, always plays or says by itself is respected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from truco_spec.conformance import filling
from truco_spec.conformance.judge import judge
from truco_spec.conformance.pipe import Broken, Implementation
from truco_spec.conformance.protocol import STATE_VALUES, TEAM_VALUES, Introduction, Plays, Script, Seen
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.scripts import (
    START,
    Check,
    MustOffer,
    MustPermit,
    MustRefuse,
    MustSee,
    MustShow,
    Plan,
    Position,
    cut_short,
)
from truco_spec.engine import Game
from truco_spec.engine.apply import undo
from truco_spec.engine.explain import explain
from truco_spec.engine.layout import NONE
from truco_spec.errors import TrucoError
from truco_spec.graph.model import Define, Graph
from truco_spec.logs.model import LogError
from truco_spec.logs.replay import Replay

Signature = tuple[str, str, tuple[str, ...]]

TAKEN, REFUSED = "taken", "refused"
"""What went wrong, where it was neither an observation nor that there was no answer."""
CHANGED = "changed"
"""A refused move that left something otherwise than it was."""

_KINDS: Mapping[type, str] = {MustPermit: REFUSED, MustRefuse: TAKEN, MustOffer: "legal", MustSee: "view"}


@dataclass(frozen=True, slots=True)
class Failure:
    """A script whose last step came out differently. ``kind`` is ``taken``, ``refused``, the name of the observation
    that differed, or the verdict where there was no answer; ``rules`` decided that step for the reference engine.

    ``check`` is None where there was no answer. ``about`` tells apart what differs in kind: a tie for a player, say.
    """

    script: Script
    kind: str
    about: str
    rules: tuple[str, ...]
    expected: str
    got: str
    check: Check | None = None
    log: str = ""

    @property
    def signature(self) -> Signature:
        """Two failures with the same are taken for one fault. Where there was no answer nobody knows at which step."""
        return self.kind, self.about, self.rules if self.check else ()


class Unplayable(TrucoError):
    """A script that the reference engine cannot play: its cards, or its options, do not come together."""


class Examiner:
    """Holds one implementation against the reference engine, or against another that is taken for right."""

    def __init__(self, implementation: Implementation, right: Reference | None = None) -> None:
        self.implementation, self.right = implementation, right or Reference()
        self.runs = 0

    def failure(self, script: Script) -> Failure | None:
        """The first difference, or None. Raises :class:`Unplayable`."""
        introduction = self.implementation.hello()
        observes = set(introduction.observes)
        self.right.asked = frozenset({"start"} | {"legal"} & _needs_legal(observes) | {"view"} & observes)
        try:
            expected = self.right.run(script)
        except Broken as broken:
            raise Unplayable(broken.message) from broken
        whole = filling.complete(Plan((script,), tuple(_refusals(expected)))).requests[0]
        assert isinstance(whole, Script)  # as it went in
        self.runs += 1
        try:
            answer = self.implementation.run(whole)
        except Broken as broken:
            return self._no_answer(whole, expected, broken)
        return self._difference(whole, expected, answer, introduction)

    def _no_answer(self, script: Script, expected: Seen, broken: Broken) -> Failure:
        last = Position(0, len(script.hands) - 1, len(script.hands[-1].actions) - 1)
        rules = deciding(script, expected, last, "")
        words = "".join(c for c in broken.message if not c.isdigit())
        return Failure(script, broken.verdict, words[:60], rules, "an answer", broken.message, None, broken.log)

    def _difference(self, script: Script, expected: Seen, answer: Seen, introduction: Introduction) -> Failure | None:
        # What somebody sees, or is told that he may do, does not make the game another: it comes last.
        checks = sorted(checks_of(script, expected, introduction), key=lambda c: isinstance(c, (MustOffer, MustSee)))
        for check in checks:
            for finding in judge(Plan((script,), (check,)), [answer], introduction):
                if finding.outcome != "failed":
                    continue
                key = check.key if isinstance(check, MustShow) else ""
                kind = _KINDS.get(type(check), key)
                if kind == TAKEN and not finding.expected.endswith(f"is {REFUSED}"):
                    kind = CHANGED
                about = _about(script, check, answer) if isinstance(check, MustShow) else ""
                rules = deciding(script, expected, check.at, key)
                shown = cut_short(script, check.at)
                return Failure(shown, kind, about, rules, finding.expected, finding.got, check)
        return None


def _about(script: Script, check: MustShow, answer: Seen) -> str:
    if check.key not in TEAM_VALUES:
        return ""
    hand = answer[check.at.hand]
    seen = hand.start if check.at.action == START else hand.seen[check.at.action]
    return f"{_sort(script, seen.get(check.key))} instead of {_sort(script, check.value)}"


def _sort(script: Script, value: Any) -> str:
    """What sort of answer: a player, or the word itself."""
    return "a player" if value in script.players else str(value)


# ---- what has to be seen ------------------------------------------------------------------------


def checks_of(script: Script, expected: Seen, introduction: Introduction) -> Iterator[Check]:
    """Everything that the reference engine saw and the implementation says it observes, step by step."""
    plays = introduction.variants.get(script.variant, Plays(()))
    observed = set(introduction.observes)
    for at, hand in enumerate(expected):
        for key in sorted(STATE_VALUES & observed & hand.start.keys()):
            if key != "acting" or _plainly_acting(script, hand.start, plays):
                yield MustShow(Position(0, at, START), key, hand.start[key])
        for number, entry in enumerate(hand.seen):
            place = Position(0, at, number)
            if entry.get("refused"):
                yield MustRefuse(place, None)
                continue
            yield MustPermit(place, True)
            yield from _shown(script, place, entry, observed, plays)


def _shown(
    script: Script, place: Position, entry: Mapping[str, Any], observed: set[str], plays: Plays
) -> Iterator[Check]:
    over = filling.ends_hand(entry)
    plain = not over and _plainly_acting(script, entry, plays)
    for key, value in entry.items():
        if key not in observed or key in ("legal", "view"):
            continue
        # When a hand is over, some begin the next at once: only what it brought about is compared.
        if over and not (key in TEAM_VALUES or isinstance(value, Mapping)):
            continue
        if key != "acting" or plain:
            yield MustShow(place, key, value)
    if "legal" in observed and plain:
        for player, texts in entry["legal"].items():
            yield MustOffer(place, player, tuple(t for t in texts if word_of(t) not in (*plays.omits, *plays.itself)))
    if "view" in observed and not over:
        cards = _cards(script)
        for player, told in entry["view"].items():
            yield MustSee(place, player, tuple(told), tuple(sorted(cards - set(told))))


def _cards(script: Script) -> set[str]:
    return {card.name for card in filling.script_graph(script).cards if card.present}


def _needs_legal(observes: set[str]) -> set[str]:
    return {"legal"} if observes & {"acting", "legal"} else set()


def _plainly_acting(script: Script, entry: Mapping[str, Any], plays: Plays) -> bool:
    """Whether who may act is the same for one who knows neither acts that go without saying nor omitted words."""
    tacit = unsaid_words(filling.script_graph(script))
    unknown = tacit.union(plays.omits, plays.itself)
    said = [{word_of(text) for text in texts} for texts in entry.get("legal", {}).values()]
    return not any(words & tacit or (words and words <= unknown) for words in said)


def word_of(text: str) -> str:
    """What ``omits`` calls an action, by its text without the player; nothing for a card."""
    if text.startswith("("):
        return "cover"
    return "" if text == text.upper() and text.isalnum() else text.split()[0]


def unsaid_words(graph: Graph) -> frozenset[str]:
    """The first words of the actions that go without saying."""
    tacit = [kind for kind in graph.actions.values() if kind.tacit]
    return frozenset(text.split()[0] for kind in tacit for text in kind.written or (kind.name,))


def _refusals(expected: Seen) -> Iterator[Check]:
    for at, hand in enumerate(expected):
        for number, entry in enumerate(hand.seen):
            if entry.get("refused"):
                yield MustRefuse(Position(0, at, number), None)


# ---- which rules decided --------------------------------------------------------------------------


def deciding(script: Script, expected: Seen, at: Position, key: str) -> tuple[str, ...]:
    """The rules by which the reference engine decided the step at ``at``.

    For an observation: those whose step made it what it is; for a move: those that permit or forbid it, or, where none
    speaks of it, the one that comes nearest.
    """
    try:
        return _deciding(script, expected, at, key)
    except LogError:
        return ()


def _deciding(script: Script, expected: Seen, at: Position, key: str) -> tuple[str, ...]:
    graph = filling.script_graph(script)
    known = filling.Known(graph, script.players)
    played = [
        [a.text for a, entry in zip(hand.actions, seen.seen, strict=True) if known(a) and not entry.get("refused")]
        for hand, seen in zip(script.hands, expected, strict=True)
    ]
    replay = Replay(filling.log_of(script, played), graph)
    for hand in range(at.hand + 1):
        if hand:
            replay.next_hand()
        last = hand == at.hand
        count = len(played[hand])
        if last:
            count = sum(not e.get("refused") for e in expected[hand].seen[: max(at.action, 0)])
        for _ in range(count):
            replay.advance()
    if at.action == START:
        ended = _decisive(replay.game, "") if at.hand else ()
        replay.deal_out()
        return tuple(dict.fromkeys((*(ended if key == "acting" else ()), *_decisive(replay.game, key))))
    action = script.hands[at.hand].actions[at.action]
    if expected[at.hand].seen[at.action].get("refused"):
        return _forbidding(replay, action.text, known(action))
    replay.advance()
    return _decisive(replay.game, key) if key else replay.game.history[-1].rules[:1]


def _forbidding(replay: Replay, text: str, known: bool) -> tuple[str, ...]:
    if not known:
        return ()
    refusal = replay.refusal(text)
    if refusal is None or refusal.rules:
        return refusal.rules if refusal else ()
    replay.deal_out()
    rules = explain(replay.game, refusal.action).rules
    return tuple(rule.name for rule in rules[:1])


def _decisive(game: Game, key: str) -> tuple[str, ...]:
    """The rules of that step of the last action which made the observation what it is; of its last step, where none did
    or who may act is asked.
    """
    event = game.history[-1]
    steps = [step for step in event.steps if step.rules]
    if not steps:
        return event.rules[:1]
    question = game.graph.defines.get(f"table.{key}")
    told = game.observe().get(key)
    if question is None or not steps:
        return steps[-1].rules
    v = list(game.position)
    after = _answers(game, question, v)
    for step in reversed(event.steps):
        undo(v, [step])
        before = _answers(game, question, v)
        # Some things are seen only on the way, such as who took a trick; then the answer in the end is none.
        if before != after and not (told is not None and all(answer == NONE for answer in after)):
            return step.rules or event.rules[:1]
        after = before
    return steps[-1].rules


def _answers(game: Game, question: Define, v: list[int]) -> list[int]:
    ask = game.program.defines[question.name]
    if not question.params:
        return [ask(v)]
    kind = question.params[0].type
    return [ask(v, value) for value in range(kind.low, kind.high + 1)]
