"""Weighs hypotheses on the evidence: how far each script agrees, what a hypothesis improves, what differs, which rules
are near to that, and what is explained at the end.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    MustOffer,
    MustPermit,
    MustShow,
    Script,
    Seen,
    action_of,
    followed_by,
)
from truco_spec.conformance.fit.evidence import Evidence, Reply, evenly_chosen
from truco_spec.conformance.fit.fit_result import FitCause, Unexplained, plain_hypothesis
from truco_spec.conformance.fit.how_far import AGREES, BESIDE, NO_GAME, PER_HAND, Reach
from truco_spec.conformance.fit.hypothesis import (
    Hypothesis,
    Mismatch,
    Mutants,
    Place,
    begin,
    checked,
    compared,
    comparing,
    mended,
    mutants_of_variant,
    played,
    unmet,
    weigh,
)
from truco_spec.conformance.fit.mutants import by_name
from truco_spec.conformance.runner.deciding import Decided, decided_by, deciding, replayed
from truco_spec.conformance.runner.judge import ACTING, Finding
from truco_spec.engine.provenance import Provenance
from truco_spec.graph.model import HOW_MANY, OBSERVED
from truco_spec.logs.line import LogError

ABOUT = 13
"""The most scripts about an option on which it is tried, besides those of each kind of difference."""
PER_KIND = 2
"""The most scripts of each kind of difference."""
LOOKED_AT = 500
"""The most failing scripts whose kind of difference is determined."""
TO_BUILD, FEW = 6, 240
"""The number of scripts played in the time of building a hypothesis's rules; fewer than this many in all are played in
this process.
"""
ENOUGH = 3
"""No more changes are tried once one of them makes one in this many of the probes agree."""
MUCH = 10
"""How many times more scripts have to be improved than worsened."""
_SCORED = frozenset({"score", "winner"})
"""The observations of the score with which a script begins."""
SEVERAL_ALIKE = 3
"""The fewest similar failures left unexplained that speak against a cause."""
TWICE = 2
"""How many times more of them than cases that it explains."""
TASK = 16
"""The number of scripts that a worker takes at once."""


@dataclass(slots=True)
class WeighedHypothesis:
    """A weighed hypothesis: the scripts that agree further, less far, and now to the end."""

    hypothesis: Hypothesis
    better: tuple[int, ...]
    worse: tuple[int, ...]
    rank: int
    cured: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    reached: tuple[Reach, ...] = ()

    @property
    def worth(self) -> tuple[int, int]:
        return len(self.better) - 4 * len(self.worse), -self.rank


Try = tuple[Hypothesis, tuple[int, ...], int]
"""A hypothesis, the scripts on which it is tried, and its rank."""
Kind = tuple[str, str, tuple[str, ...]]
"""The type of the failed check, its observation, and the statements that decided it."""


class OutOfTime(BaseException):
    """The time for a search is over."""


class FitError(TrucoError):
    """The rules claimed by an implementation cannot be compared with its answers."""


class Weighing:
    """The current assumptions about an implementation, ``now``, and how far each script agrees with them (``reach``).

    ``assumed`` are the scripts that are taken to agree until they are measured. Raises :class:`FitError`, and
    :class:`OutOfTime` at the time ``ends``, of ``time.monotonic``.
    """

    def __init__(
        self,
        evidence: Evidence,
        executor: Executor | None,
        on_step: Callable[[str, int, int], None],
        ends: float = math.inf,
    ) -> None:
        self.evidence, self.executor, self.on_step, self.ends = evidence, executor, on_step, ends
        self.shared = len(evidence.replies)
        self.plain = plain_hypothesis(evidence)
        self.now = self.plain
        self.tried, self.built = 0, set[Hypothesis]()
        self.known = dict[tuple[Hypothesis, int], Reach]()
        self._same = dict[Reach, Reach]()
        begin(evidence, {})  # what is soon tried is tried here
        self.every = tuple(range(len(evidence.replies)))
        self.assumed = set(evidence.assumed)
        self.reach = [AGREES] * len(self.every)
        if not self._measure(self._asked()):
            raise FitError(
                Sentence(
                    "{variant} takes too long to play: nothing can be compared with it.", variant=self.plain.variant
                )
            )
        self.decided: dict[tuple[Hypothesis, int], tuple[Mismatch, Decided]] = {}

    @property
    def mutants(self) -> Mutants:
        """Every single change of the variant, by number."""
        return mutants_of_variant(self.plain.variant)

    def failing(self) -> list[int]:
        """The scripts that differ from the current assumptions, the shortest first; without those
        unplayable by them.
        """
        reply = self.evidence.replies
        differing = (n for n in self.every if not self.reach[n].agrees and self.reach[n] != NO_GAME)
        return sorted(differing, key=lambda number: (length_of(reply[number].script), number))

    def cured(self) -> frozenset[int]:
        """The scripts that agree with the current assumptions."""
        return frozenset(number for number in self.every if self.reach[number].agrees)

    # ---- weighing --------------------------------------------------------------------------------

    def _place(self, number: int) -> int:
        """Return the number of actions up to the difference of a script."""
        hands, actions = divmod(max(self.reach[number].first - START, 0), PER_HAND)
        return sum(len(hand.actions) for hand in self.evidence.replies[number].script.hands[:hands]) + actions

    def _compared(
        self, hypothesis: Hypothesis, numbers: Sequence[int], reached: Sequence[Reach], rank: int
    ) -> WeighedHypothesis:
        if not reached:
            return WeighedHypothesis(hypothesis, (), tuple(numbers), rank)
        pairs = list(zip(numbers, reached, strict=True))
        self._measure([number for number, reach in pairs if not reach.agrees and number in self.assumed])
        better = tuple(number for number, reach in pairs if self._betters(number, reach))
        worse = tuple(number for number, reach in pairs if reach.worsens(self.reach[number]))
        cured = tuple(number for number, reach in pairs if reach.agrees and reach.betters(self.reach[number]))
        return WeighedHypothesis(hypothesis, better, worse, rank, cured, tuple(numbers), tuple(reached))

    def _with_unbegun(self, numbers: Sequence[int], reached: Sequence[Reach]) -> tuple[Reach, ...]:
        """Return how far the scripts agree, where one unplayable by these rules agrees if it was refused completely: it
        begins after the end, say. That is no evidence if other scripts were refused completely, too.
        """
        pairs = zip(numbers, reached, strict=True)
        over = {n for n, reach in pairs if reach == NO_GAME and _nothing_taken(self.evidence.replies[n])}
        if not over or MUCH * len(self._refused.intersection(numbers) - over) > len(over):
            return tuple(reached)
        return tuple(AGREES if number in over else reach for number, reach in zip(numbers, reached, strict=True))

    @cached_property
    def _refused(self) -> frozenset[int]:
        """The scripts refused completely, though playable by the claimed rules."""
        differing = (number for number in self.every if not self.known.get((self.plain, number), AGREES).agrees)
        return frozenset(number for number in differing if _nothing_taken(self.evidence.replies[number]))

    def _betters(self, number: int, reach: Reach) -> bool:
        """Whether a script agrees further; one that is unplayable so far has to agree to the end, and its initial score
        has to be reported.
        """
        before = self.reach[number]
        if before == NO_GAME:
            score = self.evidence.replies[number].script.score
            return reach.agrees and (not score or not _SCORED.isdisjoint(self.evidence.introduction.observes))
        return reach.betters(before)

    def _measure(self, numbers: Sequence[int]) -> bool:
        """Compute how far these scripts agree now; false if that takes too long."""
        reached = self._measured(self.now, numbers)
        self._know(numbers, reached)
        return len(reached) == len(numbers)

    def _know(self, numbers: Sequence[int], reached: Sequence[Reach]) -> None:
        for number, reach in zip(numbers, reached, strict=False):
            self.reach[number] = reach
        self.assumed.difference_update(numbers)

    def _measured(self, hypothesis: Hypothesis, numbers: Sequence[int]) -> tuple[Reach, ...]:
        chunks = [(hypothesis, tuple(numbers[at : at + TASK])) for at in range(0, len(numbers), TASK)]
        found = list(self._weighed(chunks))
        return self._with_unbegun(numbers, [reach for reached in found for reach in reached]) if all(found) else ()

    def _weighed(self, tasks: Sequence[tuple[Hypothesis, tuple[int, ...]]]) -> Iterator[tuple[Reach, ...]]:
        """Return how far each script agrees by its hypothesis; nothing if it fails. Memoised."""
        left = [(each, tuple(n for n in numbers if (each, n) not in self.known)) for each, numbers in tasks]
        anew = [task for task in left if task[1]]
        waiting = {hypothesis for hypothesis, _ in anew} - self.built
        self.tried += len(waiting)
        self.built |= waiting
        few = sum(TO_BUILD + len(numbers) for _, numbers in anew) < FEW
        few = few or not self.known or any(number >= self.shared for _, numbers in anew for number in numbers)
        mapped = map if self.executor is None or few else self.executor.map
        found = iter(mapped(weigh, *zip(*anew, strict=True), itertools.repeat(self.now))) if anew else iter(())
        for (hypothesis, numbers), (_, unknown) in zip(tasks, left, strict=True):
            reached = next(found) if unknown else ()
            waiting.discard(hypothesis)
            self.looked_at(self.tried - len(waiting))
            for number, reach in zip(unknown, reached, strict=False):
                self.known[hypothesis, number] = self._same.setdefault(reach, reach)
            whole = len(reached) == len(unknown)
            yield tuple(self.known[hypothesis, number] for number in numbers) if whole else ()

    def step(self, what: str, done: int, of: int) -> None:
        """Report progress."""
        self.on_step(what, done, of)

    def looked_at(self, hypotheses: int) -> None:
        """Report the number of hypotheses examined so far."""
        if time.monotonic() > self.ends:
            raise OutOfTime

    def _learnt(self, name: str, script: Script, answer: Seen) -> Reply:
        """Add a further reply, to this process alone."""
        reply, number = Reply(name, script, answer), len(self.evidence.replies)
        self.evidence.replies.append(reply)
        begin(self.evidence, {})
        self.every = (*self.every, number)
        self.reach += [AGREES] * (number + 1 - len(self.reach))
        self._measure((number,))
        return reply

    # ---- kinds of differences ----------------------------------------------------------------------

    def about(self, number: int, supposed: Hypothesis | None = None) -> tuple[Mismatch, Decided]:
        """Return where a script differs from the current assumptions, or from these, and the statements that decided
        that.
        """
        key = (supposed or self.now, number)
        if key not in self.decided:
            game, found = compared(key[0], number).game, compared(key[0], number).differs
            assert found is not None  # it fails
            decided = Decided()
            if not isinstance(game, Mismatch) and found.check is not None:
                decided = self._decided_by(key[0], game, found.check, number)
            self.decided[key] = found, decided
        return self.decided[key]

    def _decided_by(self, hypothesis: Hypothesis, game: tuple[Script, Seen], check: Check, number: int) -> Decided:
        """Return the statements that decided a check by a hypothesis, including its changes."""
        reply = self.evidence.replies[number]
        with comparing(hypothesis, game[0], reply):
            return decided_by(*game, check, reply.answer)

    def _kind(self, number: int, supposed: Hypothesis | None = None) -> Kind:
        found, decided = self.about(number, supposed)
        shown = found.check.key if isinstance(found.check, MustShow) else ""
        return type(found.check).__name__, shown, decided.statements[:1]

    def _by_kind(self, failing: Sequence[int]) -> list[list[int]]:
        """Return failing scripts by the kind of their difference, the most frequent kind first."""
        of_kind: dict[Kind, list[int]] = {}
        for number in failing[:LOOKED_AT]:
            of_kind.setdefault(self._kind(number), []).append(number)
        return sorted(of_kind.values(), key=len, reverse=True)

    def _of_each_kind(
        self, failing: Sequence[int], most: int, kinds: int = LOOKED_AT, *, evenly: bool = False
    ) -> tuple[int, ...]:
        """Return the shortest failing scripts of every kind of difference, or of the most frequent kinds; ``evenly``
        from the shortest to the longest, as one kind may have several causes.
        """
        groups = self._by_kind(failing)[:kinds]
        each = max(PER_KIND, most // kinds)
        few = (evenly_chosen(group, each) if evenly else group[:each] for group in groups)
        return tuple(number for group in few for number in group)[:most]

    # ---- which rules are near ----------------------------------------------------------------------

    def _nearest(self, weights: Mapping[str, float]) -> list[int]:
        """Return all mutants: those of statements near to the differences first, and of each the plainest."""
        numbers = by_name(self.mutants)
        names = sorted(numbers, key=lambda name: -weights[name])
        places = [(place + at, place, n) for place, name in enumerate(names) for at, n in enumerate(numbers[name])]
        return [number for _, _, number in sorted(places)]

    def _weights(self, probes: Sequence[int]) -> Mapping[str, float]:
        """Return how near each name is to the statements that decided the differences of these scripts."""
        graph, weights = self.now.graph(), defaultdict[str, float](float)
        for number in probes:
            found, decided = self.about(number)
            for name in decided.statements:
                weights[name] += 8
            for name in self._fired(number, found):
                weights[name] += 2
        for _ in range(2):
            spread = defaultdict(float, weights)
            for name, names in self.mutants.asks.items():
                for other in names:
                    spread[other] += weights[name] / 2
                    spread[name] += weights[other] / 4 if other in graph.defines or other in graph.rules else 0
            weights = spread
        return weights

    @cached_property
    def _excepts(self) -> Mapping[str, frozenset[str]]:
        """The statements that each one is an exception to."""
        return {name: frozenset(statement.excepts) for name, statement in self.mutants.statements.items()}

    @cached_property
    def _asked_by(self) -> Mapping[str, set[str]]:
        """The statements that mention each name."""
        askers = defaultdict[str, set[str]](set)
        for name, names in self.mutants.asks.items():
            for other in names:
                askers[other].add(name)
        return askers

    def _fired(self, number: int, found: Mismatch) -> set[str]:
        """Return the rules that fired in the action where a script differs, and the answer to what is asked there."""
        reply = self.evidence.replies[number]
        seen = played(self.plain, reply, self.evidence.introduction)
        if isinstance(seen, Mismatch) or found.check is None:
            return set()
        try:
            replay = replayed(*seen, found.at)[0]
            fired = {name for event in replay.game.history[-2:] for name in event.fired}
            replay.deal_out()
        except LogError:
            return set()
        game, asked = replay.game, OBSERVED + found.check.key if isinstance(found.check, MustShow) else ""
        if asked in game.graph.defines and not game.graph.defines[asked].params:
            told = Provenance(game.layout, game.position).question(asked)
            fired |= {told.answer} if told is not None else set()
        return fired

    # ---- what is explained ---------------------------------------------------------------------------

    def _with_more(self, cause: FitCause, numbers: Sequence[int]) -> FitCause:
        """Return the cause with those of these scripts that agree less far without it."""
        without, reply = self.without(cause), self.evidence.replies
        reached = self._measured(without, numbers)
        more = [n for n, reach in zip(numbers, reached, strict=False) if self.reach[n].betters(reach)]
        if more and not cause.scripts:
            shortest = min(more, key=lambda n: (length_of(reply[n].script), n))
            differs = mended(without, reply[shortest], self.evidence.introduction, self.reach[shortest])
            cause = replace(cause, shortest=shortest, difference=differs or cause.difference)
        return replace(cause, scripts=tuple(sorted({*cause.scripts, *more})))

    def _asked(self) -> list[int]:
        """The measured scripts."""
        return [number for number in self.every if number not in self.assumed]

    def bears(self, cause: FitCause) -> bool:
        """Whether the current assumptions explain far more with this cause than without."""
        numbers = self._asked()
        reached = self._measured(self.without(cause), numbers)
        pairs = [(new, self.reach[number]) for number, new in zip(numbers, reached, strict=False)]
        better = sum(now.betters(new) for new, now in pairs)
        return not reached or 0 < better >= MUCH * sum(now.worsens(new) for new, now in pairs)

    def unmet(self, number: int) -> frozenset[Place]:
        """Return the failed checks of a script's case that do not hold under the current assumptions either."""
        if self.reach[number].agrees:
            return frozenset()
        return unmet(self.now, self.evidence.replies[number], self.evidence.introduction)

    def fails_like_more(self, cause: FitCause, names: Set[str]) -> bool:
        """Whether several other cases, unexplained, and many more than those that a cause betters, fail as its scripts
        do without it.
        """
        others = {name for n in self.failing() if (name := self.evidence.replies[n].name) not in names}
        most = max(SEVERAL_ALIKE, TWICE * len({*names, *(self.evidence.replies[n].name for n in cause.scripts)}))
        if len(others) < most:
            return False
        less = self.without(cause)
        differing = [(n, differs) for n in cause.scripts if (differs := compared(less, n).differs) is not None]
        # Lists of moves that differ may do so in any word.
        kinds = {self._kind(n, less) for n, differs in differing if not isinstance(differs.check, BESIDE)}
        alike = {
            self.evidence.replies[number].name
            for number in self.failing()
            if self._kind(number) in kinds
            or (compared(less, number).differs is not None and self._kind(number, less) in kinds)
        }
        return len(alike - names) >= most

    def left_of(self, number: int) -> tuple[Mismatch, Decided, Hypothesis] | None:
        """Return the remaining difference of a script, with the statements and rules that decided it: of the failed
        checks of its case, as they fail by the claimed rules; of a refused first action, who acts first, if that
        differs before. None if what failed in its case is not compared here.
        """
        begun = self.about(number)
        unmet, now, claimed = self.unmet(number), compared(self.now, number), compared(self.plain, number)
        for found in now.failed:
            if found.check is None or checked(found.check) not in unmet or isinstance(now.game, Mismatch):
                continue
            as_claimed = (each for each in claimed.failed if each.check and checked(each.check) == checked(found.check))
            told, rules, game = found, self.now, now.game
            if (each := next(as_claimed, None)) is not None and not isinstance(claimed.game, Mismatch):
                told, rules, game = each, self.plain, claimed.game
            assert told.check is not None  # as it is asked
            differs = Mismatch(told.at, told.check, told.expected, told.got)
            if isinstance(found.check, MustOffer) and (decided := self._offered_by(found, number)):
                return differs, decided, self.now
            if _is_of_the_turn(begun[0], found):
                return *begun, self.now
            return differs, self._decided_by(rules, game, told.check, number), rules
        asked = map(checked, self.evidence.replies[number].failed)
        is_asked = begun[0].check is not None and (begun[0].is_of_move or checked(begun[0].check) in asked)
        return (*begun, self.now) if is_asked else None

    def _offered_by(self, found: Finding, number: int) -> Decided | None:
        """Return the statements that permit or forbid the first missing, or superfluous, word in a list of legal
        actions.
        """
        reply, at = self.evidence.replies[number], found.at
        longer = self.done_too(number, found, (*found.missing, *found.superfluous)[0])
        game = played(self.now, replace(reply, script=longer, answer=()), self.evidence.introduction)
        if isinstance(game, Mismatch):
            return None
        with comparing(self.now, game[0], reply):
            decided = deciding(*game, replace(at, action=at.action + 1), "")
        return decided if decided.statements else None

    def done_too(self, number: int, found: Finding, text: str) -> Script:
        """Return a script up to a list of legal actions in which something differs, with one of them done."""
        assert isinstance(found.check, MustOffer)  # as it is asked
        return followed_by(self.evidence.replies[number].script, action_of(f"{found.check.player} {text}"), found.at)

    def is_behind(self, number: int) -> bool:
        """Whether the first failure of a script's case holds under the current assumptions, and
        something else fails.
        """
        failed, unmet = self.evidence.replies[number].failed, self.unmet(number)
        return bool(unmet) and checked(failed[0]) not in unmet

    def shown_in(self, cause: FitCause) -> FitCause:
        """Return the cause, shown by its shortest script."""
        if cause.shortest in cause.scripts or cause.claim:
            return cause
        reply, without = self.evidence.replies, self.without(cause)
        for shortest in sorted(cause.scripts, key=lambda n: (length_of(reply[n].script), n)):
            differs = mended(without, reply[shortest], self.evidence.introduction, self.reach[shortest])
            if differs is not None:
                return replace(cause, shortest=shortest, difference=differs)
        return cause

    def without(self, cause: FitCause) -> Hypothesis:
        """Return the current assumptions without this cause."""
        if not cause.option:
            return replace(self.now, changes=tuple(n for n in self.now.changes if n != cause.mutant))
        before = dict(self.plain.options).get(cause.option)
        options = {name: value for name, value in self.now.options if name != cause.option}
        if before is not None:
            options[cause.option] = before
        return replace(self.now, options=tuple(sorted(options.items())))

    def alone(self, cause: FitCause) -> Hypothesis:
        """Return the claims with this cause alone."""
        if cause.option:
            return self.plain.under(cause.option, cause.value)
        return replace(self.plain, changes=(*self.plain.changes, cause.mutant))

    def agrees_without(self, cause: FitCause, number: int) -> bool:
        """Whether a script agrees to the end without a cause."""
        return any(reach.agrees for reached in self._weighed([(self.without(cause), (number,))]) for reach in reached)

    def reach_without(self, cause: FitCause, number: int) -> Reach:
        """Return how far a script agrees without a cause."""
        return next(iter(self._measured(self.without(cause), (number,))), NO_GAME)

    def unexplained(self) -> Iterator[Unexplained]:
        """Return the remaining differences, by kind, the most frequent first."""
        kinds: dict[object, list[int]] = {}
        for number in self.failing():
            kinds.setdefault(self._kind(number), []).append(number)
        for numbers in sorted(kinds.values(), key=lambda numbers: (-len(numbers), numbers)):
            shortest = min(numbers, key=lambda n: (self._place(n), n))
            yield Unexplained(tuple(numbers), shortest, *self.about(shortest))

    def _settled(self) -> tuple[list[str], list[str], list[str]]:
        """Return the options whose value a script shows, and those with another value that no script tells apart: none
        that is about them, and none of the unexplained ones. Those with unexplained scripts about them come last, as
        more may be behind these.
        """
        options = [o for o in self.now.graph().options.values() if o.name != HOW_MANY and len(o.values) > 1]
        tasks, of, left = [], [], [each.shortest for each in islice(self.unexplained(), ABOUT)]
        for option in options:
            about = [number for number in self.every if option.name in self.evidence.replies[number].about]
            for value in option.values:
                if value != option.value and (about or left):
                    asked = dict.fromkeys((*about[: 2 * ABOUT], *left))
                    tasks.append((self.now.under(option.name, value), tuple(asked)))
                    of.append(option.name)
        told, shown = dict[str, bool](), dict[str, bool]()
        for name, (_, numbers), reached in zip(of, tasks, self._weighed(tasks), strict=True):
            self.step("options that play settles", len(told), len(options))
            less = any(new.worsens(self.reach[number]) for number, new in zip(numbers, reached, strict=False))
            other = any(new != self.reach[number] for number, new in zip(numbers, reached, strict=False))
            told[name] = told.get(name, True) and (less or not reached)
            shown[name] = shown.get(name, True) and (other or not reached)
        found = {name for name, value in self.now.options if (name, value) not in self.plain.options}
        settled = [option.name for option in options if option.name in found or told.get(option.name)]
        left_open = [option.name for option in options if option.name not in settled and not shown.get(option.name)]
        behind = frozenset[str]().union(*(self.evidence.replies[number].about for number in self.failing()))
        return settled, [n for n in left_open if n not in behind], [n for n in left_open if n in behind]


def _is_of_the_turn(differs: Mismatch, found: Finding) -> bool:
    """Whether it differs in who acts first in a hand, whose first action is refused."""
    begins = found.at.action == 0 and differs.at == replace(found.at, action=START)
    turn = isinstance(differs.check, MustShow) and differs.check.key == ACTING
    return begins and turn and isinstance(found.check, MustPermit)


def _nothing_taken(reply: Reply) -> bool:
    """Whether every action was refused, and nobody was reported as due."""
    begun = any(hand.start.get("acting") for hand in reply.answer)
    return not begun and all(entry.get("refused") for hand in reply.answer for entry in hand.seen)


def length_of(script: Script) -> int:
    return sum(len(hand.actions) for hand in script.hands)
