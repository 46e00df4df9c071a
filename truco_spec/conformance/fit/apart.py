"""Tells explanations apart that are equal on all the evidence: by random hands in which they part, and by what is said
in the place of a refused word.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.filling import know_graph
from truco_spec.conformance.corpus.protocol import (
    MustPermit,
    Position,
    Script,
    ScriptAction,
    Seen,
    action_of,
    cut_short,
)
from truco_spec.conformance.fit.evidence import Evidence, Reply, as_sent
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import (
    SECONDS,
    Hypothesis,
    Mismatch,
    TooLong,
    asking,
    at_most,
    comparing,
    first_difference,
    played,
    with_action,
)
from truco_spec.conformance.fit.orders import conditions
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.runner.deciding import replayed
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import TextError
from truco_spec.graph.load import core
from truco_spec.graph.model import ActionKind, Graph, indices
from truco_spec.logs.line import LogError

HANDS = 48
"""The hands played by each explanation to find one in which it parts from the first."""
MOST_ASKED = 12
"""The most hands sent to an implementation to tell the explanations of one cause apart."""
MOST_CONFIRMED = 4
"""The most hands sent to confirm a cause: hands that are different without it, and hands with the seats moved."""

MOST_LOOKED_AT = 60
"""The most actions, taken and refused, of which it is asked what they have in common."""

NUMBER, MOST_SAID = "number", 64
"""The type of an argument that is a number, and the most numbers said in the place of a refused one."""


@dataclass(frozen=True, slots=True)
class Supposed(Setting):
    """A setting played by a hypothesis."""

    hypothesis: Hypothesis

    @property
    def graph(self) -> Graph:
        return self.hypothesis.graph()


class Rivals:
    """Explanations by name, equal on all the evidence so far. At most ``most`` hands are played to tell them apart, and
    none once that ``is_late``; ``hands`` counts them, and it is ``cut_short`` if more were wanted.
    """

    def __init__(
        self,
        evidence: Evidence,
        explanations: Mapping[str, Hypothesis],
        seed: str = "apart",
        most: int = sys.maxsize,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        self.evidence, self.left, self.seed, self.most = evidence, dict(explanations), seed, most
        self.is_late = is_late
        self.hands, self.cut_short = 0, False
        self._generators: dict[str, Generator] = {}

    def partings(self) -> Iterator[Script]:
        """Yield hands, as they are sent, in which the first remaining explanation and another part; each plays some, in
        turn.
        """
        for number in range(HANDS * len(self.left)):
            if len(self.left) < 2:
                return
            if number == self.most or self.is_late():
                self.cut_short = True
                return
            self.hands += 1
            first, *others = self.left
            name = (first, *others)[number % len(self.left)]
            reply = None
            with contextlib.suppress(TooLong, Exception), at_most(SECONDS):  # by changed rules a hand may be anything
                reply = self._hand(name)
            against = others if name == first else (first,)
            if reply is not None and not all(self.reach(other, reply).agrees for other in against):
                yield reply.script

    def take(self, reply: Reply) -> None:
        """Drop the explanations that differ from an answer, if one of them agrees with it."""
        reached = {name: self.reach(name, reply) for name in self.left}
        self.left = {name: self.left[name] for name, reach in reached.items() if reach.agrees} or self.left

    def reach(self, name: str, reply: Reply) -> Reach:
        """Return how far an explanation agrees with a reply."""
        return first_difference(self.left[name], reply, self.evidence.introduction)[0]

    def _hand(self, name: str) -> Reply | None:
        """Return a hand as played by this explanation; None if the claimed rules cannot deal it so."""
        hypothesis, setting = self.left[name], self.evidence.setting
        if name not in self._generators:
            own = {**setting.plays.own(len(setting.players)), **setting.options}
            supposed = Supposed(setting.variant, setting.players, own, setting.plays, hypothesis)
            chance = random.Random(f"{self.seed}.{len(self._generators)}")  # noqa: S311 -- for play
            self._generators[name] = Generator(supposed, chance)
        script = as_sent(self._generators[name].script())
        if script is None:
            return None
        script = replace(script, options=setting.options)
        return Reply(name, script, played_by(hypothesis, script))


def seats_moved(script: Script) -> Script:
    """Return the script one seat further: each player has the cards and actions of the one before."""
    further = dict(zip(script.players, (*script.players[1:], script.players[0]), strict=True))

    def renamed(text: str) -> str:
        return " ".join(further.get(word, word) for word in text.split(" "))

    hands = tuple(
        replace(
            hand,
            deal={further.get(to, to): cards for to, cards in hand.deal.items()},
            actions=tuple(
                replace(each, player=further[each.player], text=renamed(each.text), say=each.say and renamed(each.say))
                for each in hand.actions
            ),
        )
        for hand in script.hands
    )
    score = {further[player]: points for player, points in script.score.items()}
    return replace(script, dealer=further[script.dealer], score=score, hands=hands)


def played_by(hypothesis: Hypothesis, script: Script) -> Seen:
    """Return the answer of an engine that plays by a hypothesis. Raises Broken if that is no game."""
    graph = hypothesis.graph(script.options)
    return Reference(lambda _: graph).run(replace(script, options={**script.options, **dict(hypothesis.options)}))


# ---- what is said in the place of a refused word ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakenNumber:
    """What an implementation takes in the place of a refused number: a script up to there, and the answer; and how much
    more the number is.
    """

    text: str
    script: Script
    answer: Seen
    shift: int


class InPlace:
    """Asks an implementation for words with other arguments in the place of those that it refuses."""

    def __init__(self, evidence: Evidence, ask: Callable[[Script], Seen | None]) -> None:
        self.evidence, self.ask = evidence, ask
        self.said = dict[tuple[int, str], tuple[Script, Seen | None]]()
        """What is said, and the answer, by number of the script and text."""

    def belies(self, hypothesis: Hypothesis, now: Hypothesis, number: int, differs: Mismatch) -> bool:
        """Whether a word that is refused in a script is also refused with every argument that it has by a hypothesis,
        or is taken with another, where by the hypothesis nothing of the kind is said, or with one number alone, where
        by it several are. Not where one number is taken, another by the hypothesis, and several by the present rules:
        it is right in part.
        """
        if not isinstance(differs.check, MustPermit):
            return False
        at, text = differs.at, self._action(number, differs.at).text
        offered, numbers = self._offered_like(hypothesis, number, at)
        if text in offered:
            return False
        answers = {each: self._is_taken(number, at, each) for each in numbers or offered if each != text}
        taken = [each for each, is_taken in answers.items() if is_taken]
        if None in answers.values() or not offered or not taken:
            return None not in answers.values() and bool(offered) != bool(taken)
        if len(taken) > 1 or not numbers:
            return {*offered}.isdisjoint(taken)
        return offered != taken and (len(offered) > 1 or len(self._offered_like(now, number, at)[0]) == 1)

    def taken(self, now: Hypothesis, number: int, differs: Mismatch) -> TakenNumber | None:
        """Return what is taken in the place of a number that is refused in a script, if these rules have it not."""
        if not isinstance(differs.check, MustPermit):
            return None
        at, expected = differs.at, self._action(number, differs.at).text
        offered, others = self._offered_like(now, number, at)
        text = next((each for each in others if each != expected and self._is_taken(number, at, each)), None)
        if text is None or text in offered:
            return None
        script, answer = self._asked(number, at, text)
        assert answer is not None  # it is taken
        return TakenNumber(text, script, self.evidence.mended(answer), _number_in(text) - _number_in(expected))

    def _action(self, number: int, at: Position) -> ScriptAction:
        return self.evidence.replies[number].script.hands[at.hand].actions[at.action]

    def _is_taken(self, number: int, at: Position, text: str) -> bool | None:
        """Whether the implementation takes this in the place of an action of a script; None without an answer."""
        seen = self._asked(number, at, text)[1]
        return None if seen is None else not seen[-1].seen[-1].get("refused")

    def _asked(self, number: int, at: Position, text: str) -> tuple[Script, Seen | None]:
        """Return a script up to an action, with this in the place of it, and the answer; asked once."""
        if (number, text) not in self.said:
            said = replace(self._action(number, at), text=text, say=text.partition(" ")[2])
            script = with_action(cut_short(self.evidence.replies[number].script, at), at.hand, at.action, said)
            self.said[number, text] = script, self.ask(script)
        return self.said[number, text]

    def _offered_like(self, hypothesis: Hypothesis, number: int, at: Position) -> tuple[list[str], list[str]]:
        """Return what may be done by a hypothesis in the place of an action of a script: the same word, with any
        argument; and all that there is of this word, if it is said with a number.
        """
        reply, action = self.evidence.replies[number], self._action(number, at)
        game = played(hypothesis, reply, self.evidence.introduction)
        if isinstance(game, Mismatch):
            return [], []
        with comparing(hypothesis, game[0], reply), contextlib.suppress(LogError, TextError):
            replay = replayed(*game, replace(at, action=at.action - 1))[0]
            replay.deal_out()
            asked = replay.game.parse(action.text)
            texts = map(replay.game.text, replay.game.legal_actions())
            offered = [text for text in texts if action_of(text).word == action.word]
            kind = replay.game.graph.actions[asked.verb]
            numbers = indices(kind.params)[:MOST_SAID] if is_number(kind) else []
            return offered, [replay.game.text(asked._replace(args=args)) for args in numbers]
        return [], []


def is_number(kind: ActionKind) -> bool:
    """Whether an action is said with a number, and nothing else."""
    return [param.type.base for param in kind.params] == [NUMBER]


def _number_in(text: str) -> int:
    return int(text.rpartition(" ")[2])


# ---- what is refused has in common --------------------------------------------------------------------


def in_common(
    evidence: Evidence,
    now: Hypothesis,
    rule: str,
    refused: Sequence[tuple[int, Position]],
    agreeing: Iterable[int],
    words: Set[str],
) -> list[int]:
    """Return the codes of the further conditions of a rule that hold wherever something is taken that it permits, in
    the ``agreeing`` scripts, and nowhere where it is ``refused``; ``words`` are those of which it speaks.
    """
    asked, of_words = conditions(core(now.variant), now.graph(), rule)
    graph, left = asking(now, {each.name: each for each in asked.values()}), {*asked, *of_words}

    def look(number: int, at: Position, *, holds: bool) -> bool:
        """Drop the conditions that do not tell an action; false if it is not by the rule."""
        reply = evidence.replies[number]
        game = played(now, reply, evidence.introduction)
        if isinstance(game, Mismatch) or reply.script.options:
            return False
        with comparing(now, game[0], reply), contextlib.suppress(LogError, TextError):
            know_graph(game[0], lambda: graph)
            replay = replayed(*game, replace(at, action=at.action - 1))[0]
            replay.deal_out()
            action = game[0].hands[at.hand].actions[at.action]
            if replay.game.phase not in graph.rules[rule].phases:
                return False
            seat, said = replay.game.players.index(action.player), (action.say or "").split()
            told = {code: (word in said) is is_it for code, (word, is_it) in of_words.items()}
            for code in left & asked.keys():
                with contextlib.suppress(PlayError):  # not everything can be asked at any time
                    told[code] = bool(replay.game.ask(asked[code].name, seat))
            left.intersection_update(code for code, held in told.items() if held is holds)
            return True
        return False

    for number, at in refused[:MOST_LOOKED_AT]:
        look(number, at, holds=False)
    taken = (
        (number, Position(0, hand, at))
        for number in agreeing
        for hand, told in enumerate(evidence.replies[number].answer)
        for at, entry in enumerate(told.seen)
        if not entry.get("refused") and evidence.replies[number].script.hands[hand].actions[at].word in words
    )
    found = 0
    for number, at in taken:
        found += look(number, at, holds=True)
        if found == MOST_LOOKED_AT or not left:
            break
    return sorted(left) if found else []
