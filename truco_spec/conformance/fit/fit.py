"""Searches the rules that explain what an implementation answered: options first, then single changes of rules.

A hypothesis is a variant under options, with some of its statements changed. It is judged as the reference engine is:
every script is played by its rules, and compared with the answer; it explains a script that agrees to the end, and
betters one that agrees further than before. So one difference hides nothing that comes after it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import OWN
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.corpus.scripts import MustShow
from truco_spec.conformance.fit.apart import MOST_ASKED, MOST_CONFIRMED, Rivals
from truco_spec.conformance.fit.evidence import Evidence, Reply
from truco_spec.conformance.fit.fit_result import (
    Fit,
    FitCause,
    Unexplained,
    plain_hypothesis,
)
from truco_spec.conformance.fit.hypothesis import (
    AGREES,
    NO_GAME,
    PER_HAND,
    Hypothesis,
    Mismatch,
    begin,
    difference,
    first_difference,
    mutants_of_variant,
    played,
    weigh,
)
from truco_spec.conformance.fit.likeness import Guesses, change_digests, table_of
from truco_spec.conformance.fit.mutants import Mutant, by_name, mentioned
from truco_spec.conformance.fuzz.executors import processes
from truco_spec.conformance.runner.deciding import Decided, decided_by, replayed
from truco_spec.graph.model import HOW_MANY
from truco_spec.logs.model import LogError

ABOUT = 13
"""How many scripts about an option it is tried on, besides those of each kind of difference."""
PER_KIND = 2
"""How many of each kind of difference."""
ENOUGH = 3
"""No more changes are tried once one of them makes the third part of the probes agree."""
LOOKED_AT = 500
"""Of how many failing scripts the kind of difference is asked."""
MUCH = 10
"""How many times as many scripts have to be bettered as are worsened."""
TO_BUILD, FEW = 6, 48
"""How many scripts are played in the time that the rules of a hypothesis are built in; fewer than this many in all are
played in this process.
"""
MOST_ASSUMED = 60
"""Of the scripts that are assumed to agree, how many are held against a change that the table does not know."""
MOST_ALIKE = 5
"""How many changes are named that explain the same."""
TASK = 16
"""How many scripts a worker takes at once."""
SEARCHES = 3
"""How often it is searched again with the answers that refuted what was found."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried in one round: values of ``options`` and ``changes`` of rules, those nearest to the differences
    first, each on its ``probes`` of ``kinds`` differences; ``measured`` of the best are held against all the
    evidence. The best of a ``chunk`` of changes is looked at before the next. Ends after at most ``causes``, or rounds
    ``in_vain``. Before that ``guesses`` of the table are tried at once, till that is in ``vain`` so often; if
    ``tabled``, what looks like nothing in the table is left.
    """

    options: int
    changes: int
    option_probes: int
    change_probes: int
    chunk: int
    measured: int
    causes: int
    kinds: int
    in_vain: int
    guesses: int
    vain: int
    tabled: bool = False


THOROUGH = Effort(
    options=1000,
    changes=300,
    option_probes=32,
    change_probes=13,
    chunk=60,
    measured=8,
    causes=24,
    kinds=13,
    in_vain=1,
    guesses=12,
    vain=3,
)
BRIEF = Effort(
    options=16,
    changes=32,
    option_probes=8,
    change_probes=4,
    chunk=16,
    measured=2,
    causes=8,
    kinds=1,
    in_vain=5,
    guesses=8,
    vain=2,
    tabled=True,
)


# ---- the search ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Found:
    """A hypothesis weighed: the scripts that agree further, those that agree less far, and those that now agree."""

    hypothesis: Hypothesis
    better: tuple[int, ...]
    worse: tuple[int, ...]
    rank: int
    cured: tuple[int, ...] = ()
    numbers: tuple[int, ...] = ()
    reached: tuple[int, ...] = ()

    @property
    def worth(self) -> tuple[int, int]:
        return len(self.better) - 4 * len(self.worse), -self.rank


_Try = tuple[Hypothesis, tuple[int, ...], int]
"""A hypothesis, the scripts that it is tried on, and its rank."""
_Kind = tuple[str, str, tuple[str, ...]]
"""The type of the failed check, what was observed, and what decided it."""


class FitError(TrucoError):
    """The rules that an implementation claims to play cannot be compared with its answers."""


def search(
    evidence: Evidence,
    workers: int,
    ask: Callable[[Script], Seen | None],
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Fit:
    """Search, tell equal explanations apart, and search again where the further answers refute what was found."""
    tried = asked = 0
    for _ in range(SEARCHES):
        with processes(workers, begin, evidence, dict(OWN)) as pool:
            found = Search(evidence, pool, on_step, ask=ask).fit()
        tried, asked = tried + found.tried, asked + found.asked
        if not found.refuted:
            break
    found.tried, found.asked = tried, asked
    return found


class Search:
    """The search for what explains some evidence; ``executor`` has been given it by
    :func:`~truco_spec.conformance.fit.hypothesis.begin`. ``ask``, where it is given, puts a further script to the
    implementation: equal explanations are separated by it. Raises :class:`FitError`.
    """

    def __init__(
        self,
        evidence: Evidence,
        executor: Executor | None,
        on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
        effort: Effort = THOROUGH,
        ask: Callable[[Script], Seen | None] | None = None,
    ) -> None:
        self.evidence, self.executor, self.on_step, self.effort = evidence, executor, on_step, effort
        self.ask, self.shared = ask, len(evidence.replies)
        self.plain = plain_hypothesis(evidence)
        self.now = self.plain
        self.tried = 0
        begin(evidence, {})  # what is soon tried is tried here
        self.every = tuple(range(len(evidence.replies)))
        self.assumed = set(evidence.assumed)
        self.reach = [AGREES] * len(self.every)
        if not self._measure([number for number in self.every if number not in self.assumed]):
            raise FitError(f"{self.plain.variant} takes too long to play: nothing can be compared with it.")
        table = table_of(self.plain.variant, self.plain.players)
        names = ["=".join(pair) for pair in self._values]
        names += [self._digests[n] for n in sorted(range(len(self.mutants)), key=lambda n: self.mutants[n].deep)]
        self.guesses = Guesses(table, names if table.rows else (), [reply.script for reply in evidence.replies])
        self.decided: dict[tuple[Hypothesis, int], tuple[Mismatch, Decided]] = {}

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Every single change of the variant, by number."""
        return mutants_of_variant(self.plain.variant)

    @cached_property
    def _digests(self) -> tuple[str, ...]:
        return change_digests(self.mutants)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {digest: number for number, digest in enumerate(self._digests)}

    def fit(self) -> Fit:
        """Search, and tell what was found."""
        found = self.explained()
        if self.ask is not None:
            self._tell_apart(found, self.ask)
        found.unexplained = list(self._unexplained())
        found.settled, found.open = self._settled()
        found.tried = self.tried
        return found

    def explained(self) -> Fit:
        """Search, and tell the options and causes only."""
        found = Fit(self.evidence, self.plain, agreeing=sum(reach == AGREES for reach in self.reach))
        taken = self._guessed()
        if self._beyond_the_table():
            taken = _latest([*taken, *self._options(), *self._causes()])
        options, causes = self._needed(taken)
        found.options = sorted(options, key=lambda cause: -len(cause.scripts))
        found.cured = frozenset(number for number in self.every if self.reach[number] == AGREES)
        found.causes, found.hypothesis, found.tried = causes, self.now, self.tried
        return found

    def failing(self) -> list[int]:
        """The scripts that differ from what is assumed now, the shortest first; not those that are no game by it."""
        reply = self.evidence.replies
        differing = (number for number in self.every if self.reach[number] not in (AGREES, NO_GAME))
        return sorted(differing, key=lambda number: (_length(reply[number].script), number))

    # ---- guesses of the table --------------------------------------------------------------------

    def _guessed(self) -> list[FitCause]:
        """Causes among the options and changes of which the table says that what differs looks like them."""
        causes, tried, vain = list[FitCause](), set[str](), 0
        while len(causes) < self.effort.causes and vain < self.effort.vain and (guesses := self._likest(tried)):
            tries = [
                (hypothesis, numbers[: self.effort.change_probes], rank)
                for rank, (hypothesis, numbers) in enumerate(guesses.values())
            ]
            before, widths = [*self.reach], [len(numbers) for _, numbers in guesses.values()]
            promising = self._promising(tries, len(tries), lambda found, of: False)
            # What explains most is assumed first, so that nothing smaller takes its scripts.
            promising.sort(key=lambda each: -widths[each.rank] * len(each.cured) / len(tries[each.rank][1]))
            found = list(self._taken_of(promising, tries))
            causes += found
            vain += not found
            # What lay behind another cause is tried again once that is assumed.
            for name, (_, numbers, _) in zip(guesses, tries, strict=True):
                if all(self.reach[number] == before[number] for number in numbers):
                    tried.add(name)
        return _latest(causes)

    def _taken_of(self, promising: Sequence[_Found], tries: Sequence[_Try]) -> Iterator[FitCause]:
        """Take one after the other, beside those taken before; of those for the same scripts the best."""
        groups: dict[tuple[int, ...], list[_Found]] = {}
        for each in promising:
            groups.setdefault(tries[each.rank][1], []).append(each)
        for group in groups.values():
            again = [replace(each, hypothesis=self._beside(each.hypothesis)) for each in group[: self.effort.measured]]
            cause = self._best_of(again) if any(self.reach[n] != AGREES for n in group[0].better) else None
            if cause is not None:
                yield cause

    def _beside(self, hypothesis: Hypothesis) -> Hypothesis:
        """What is assumed now, and beside it what is new in a hypothesis that was made before."""
        options = dict(hypothesis.options).items() - dict(self.plain.options).items()
        changes = dict.fromkeys((*self.now.changes, *hypothesis.changes))
        beside = replace(self.now, changes=tuple(changes))
        for name, value in options:
            beside = beside.under(name, value) if name not in dict(self.now.options) else beside
        return beside

    def _likest(self, tried: Set[str]) -> dict[str, tuple[Hypothesis, tuple[int, ...]]]:
        """The guesses to try next, by the names of their rows: for each failing script as many as for others."""
        failing = {number: self.reach[number] + 1 for number in self.failing()}
        left = [guess for guess in self.guesses.likest(failing) if guess.name not in tried]
        found, times = dict[str, tuple[Hypothesis, tuple[int, ...]]](), Counter[int]()
        for alike in range(1, self.effort.guesses + 1):
            for guess in left:
                if len(found) == self.effort.guesses:
                    return found
                if guess.name not in found and any(times[number] < alike for number in guess.numbers):
                    hypothesis = self._supposed(guess.name)
                    if hypothesis is not None:
                        found[guess.name] = hypothesis, guess.numbers
                        times.update(guess.numbers)
        return found

    def _supposed(self, name: str) -> Hypothesis | None:
        """What is assumed now, and beside it what a row of the table stands for; None where that cannot be tried."""
        option, equals, value = name.partition("=")
        if equals:
            there = (option, value) in self._values and self._played(option) != {value}
            return self.now.under(option, value) if there else None
        number = self._numbers.get(name, -1)
        changed = {self.mutants[number].statement.name for number in self.now.changes}
        if number < 0 or self.mutants[number].statement.name in changed:
            return None
        return replace(self.now, changes=(*self.now.changes, number))

    def _beyond_the_table(self) -> bool:
        """Whether something is left to explain, and the table has not been asked about it in vain."""
        tabled = self.guesses.numbers.values() if self.effort.tabled else ()
        known = {number for numbers in tabled for number in numbers}
        return not known.issuperset(self.failing())

    # ---- options ---------------------------------------------------------------------------------

    def _options(self) -> list[FitCause]:
        causes: list[FitCause] = []
        for _ in range(self.effort.causes):
            failing = self.failing()
            if not failing:
                break
            more = list(self._accepted(self._better("options", self._near_values(failing))))
            causes = [cause for cause in causes if cause.option not in {new.option for new in more}] + more
            if not more:
                break
        return causes

    def _near_values(self, failing: Sequence[int]) -> list[_Try]:
        """Every other value, those of options that have to do with the differences first."""
        weights = self._weights(self._of_each_kind(failing, self.effort.change_probes))
        values = sorted(self._values, key=lambda pair: -weights[pair[0]])
        values = [(name, value) for name, value in values if self._played(name) != {value}]
        return [
            (self.now.under(name, value), self._probes(failing, name), rank)
            for rank, (name, value) in enumerate(values[: self.effort.options])
        ]

    @cached_property
    def _values(self) -> list[tuple[str, str]]:
        """The values of all options that were not asked for."""
        asked = {HOW_MANY, *self.evidence.setting.options}
        options = (option for option in self.plain.graph().options.values() if option.name not in asked)
        return [(option.name, value) for option in options for value in option.values]

    def _played(self, name: str) -> set[str]:
        """The values of the option under which the scripts are played by what is assumed now."""
        assumed, default = dict(self.now.options).get(name), self.plain.graph().options[name].value
        scripts = (reply.script for reply in self.evidence.replies)
        return {assumed} if assumed else {script.options.get(name, default) for script in scripts}

    def _probes(self, failing: Sequence[int], option: str) -> tuple[int, ...]:
        """The scripts on which an option is tried first: of every kind of difference, and about it."""
        about = [number for number in self.every if option in self.evidence.replies[number].about]
        wrong = [number for number in about if self.reach[number] != AGREES][:ABOUT]
        right = [number for number in about if self.reach[number] == AGREES][: ABOUT // 3]
        return tuple(dict.fromkeys((*self._of_each_kind(failing, self.effort.option_probes), *wrong, *right)))

    # ---- single changes of rules -------------------------------------------------------------------

    def _causes(self) -> list[FitCause]:
        causes: list[FitCause] = []
        left_out = set[_Kind]()
        vain = 0
        while len(causes) < self.effort.causes and vain < self.effort.in_vain:
            failing = [number for number in self.failing() if self._kind(number) not in left_out]
            if not failing:
                break
            probes = self._of_each_kind(failing, self.effort.change_probes, self.effort.kinds)
            cause = self._cause(probes)
            if cause is None:
                left_out |= {self._kind(number) for number in probes}
                vain += 1
            else:
                causes.append(cause)
        return causes

    def _cause(self, probes: Sequence[int]) -> FitCause | None:
        """The single change that explains most, and what explains just the same."""
        changed = {self.mutants[number].statement.name for number in self.now.changes}
        near = [number for number in self._nearest(probes) if self.mutants[number].statement.name not in changed]
        tries = [
            (replace(self.now, changes=(*self.now.changes, number)), tuple(probes), rank)
            for rank, number in enumerate(near[: self.effort.changes])
        ]
        promising = self._promising(tries, self.effort.chunk, lambda found, of: ENOUGH * len(found.cured) >= len(of))
        return self._best_of(promising[: self.effort.measured])

    def _promising(
        self, tries: Sequence[_Try], chunk: int, enough: Callable[[_Found, Sequence[int]], bool]
    ) -> list[_Found]:
        """The changes that better their probes, the best first; no more are tried once one is enough."""
        found: list[_Found] = []
        for at in range(0, len(tries), chunk):
            found += self._better("rules", tries[at : at + chunk])
            if any(enough(each, tries[each.rank][1]) for each in found):
                break

        def promise(each: _Found) -> tuple[float, int, tuple[int, int]]:
            return len(each.cured) / len(tries[each.rank][1]), len(each.cured), each.worth

        return sorted(found, key=promise, reverse=True)

    def _best_of(self, promising: Sequence[_Found]) -> FitCause | None:
        """The change that explains most, and what explains just the same."""
        whole = [self._held_against_all(each) for each in promising]
        explaining = sorted(filter(_explains, whole), key=self._preferred, reverse=True)
        for best in explaining[:1]:
            options = self.now.options
            effects = best.better, best.worse, best.cured
            same = [each for each in explaining[1:] if (each.better, each.worse, each.cured) == effects]
            changed = [each.hypothesis for each in same if each.hypothesis.options == options]
            values = ["=".join(pair) for each in same for pair in each.hypothesis.options if pair not in options]
            return replace(
                self._taken(best),
                others=tuple(hypothesis.changes[-1] for hypothesis in changed[:MOST_ALIKE]),
                other_values=tuple(values),
            )
        return None

    def _preferred(self, found: _Found) -> tuple[int, int, bool, int]:
        """The one that explains more, and more of it to the end; an option rather than a change."""
        worth, rank = found.worth
        return worth, len(found.cured), found.hypothesis.options != self.now.options, rank

    def _held_against_all(self, found: _Found) -> _Found:
        """The hypothesis, held against all that it may concern."""
        numbers = self._concerned(found.hypothesis)
        return self._compared(found.hypothesis, numbers, self._measured(found.hypothesis, numbers), found.rank)

    def _concerned(self, hypothesis: Hypothesis) -> tuple[int, ...]:
        """The scripts that may go otherwise under it: all, but of those assumed to agree only what the table says."""
        if not self.assumed:
            return self.every
        names = ["=".join(pair) for pair in hypothesis.options if pair not in self.now.options]
        names += [self._digests[number] for number in hypothesis.changes if number not in self.now.changes]
        row = self.guesses.row(names[0]) if names else None
        few = set(sorted(self.assumed)[:MOST_ASSUMED]) if row is None else row
        return tuple(number for number in self.every if number not in self.assumed or number in few)

    def _nearest(self, probes: Sequence[int]) -> list[int]:
        """All mutants: those of statements that have to do with the differences first, and of each the plainest."""
        numbers, weights = by_name(self.mutants), self._weights(probes)
        names = sorted(numbers, key=lambda name: -weights[name])
        places = [(place + at, place, n) for place, name in enumerate(names) for at, n in enumerate(numbers[name])]
        return [number for _, _, number in sorted(places)]

    def _weights(self, probes: Sequence[int]) -> Mapping[str, float]:
        """How near each name is to what decided the steps where these scripts differ."""
        graph, weights = self.now.graph(), defaultdict[str, float](float)
        for number in probes:
            found, decided = self._about(number)
            for name in decided.statements:
                weights[name] += 8
            for name in self._fired(number, found):
                weights[name] += 2
        statements = {mutant.statement.name: mutant.statement for mutant in self.mutants}
        asks = {name: mentioned(statement) for name, statement in statements.items()}
        for _ in range(2):
            spread = defaultdict(float, weights)
            for name, names in asks.items():
                for other in names:
                    spread[other] += weights[name] / 2
                    spread[name] += weights[other] / 4 if other in graph.defines or other in graph.rules else 0
            weights = spread
        return weights

    def _fired(self, number: int, found: Mismatch) -> set[str]:
        """The rules that fired in the action where a script differs."""
        reply = self.evidence.replies[number]
        seen = played(self.plain, reply, self.evidence.introduction)
        if isinstance(seen, Mismatch) or found.check is None:
            return set()
        try:
            game = replayed(*seen, found.at)[0].game
        except LogError:
            return set()
        return {name for event in game.history[-2:] for name in event.fired}

    # ---- weighing --------------------------------------------------------------------------------

    def _better(self, what: str, tries: Sequence[_Try]) -> Iterator[_Found]:
        """Those of the hypotheses that better more than they worsen on their probes, the best first."""
        found = []
        weighed = self._weighed([(hypothesis, numbers) for hypothesis, numbers, _ in tries])
        for done, ((hypothesis, numbers, rank), reached) in enumerate(zip(tries, weighed, strict=True), 1):
            self.on_step(what, done, len(tries))
            each = self._compared(hypothesis, numbers, reached, rank)
            if each.worth[0] > 0:
                found.append(each)
        yield from sorted(found, key=lambda each: each.worth, reverse=True)

    def _accepted(self, found: Iterable[_Found]) -> Iterator[FitCause]:
        """Take each value of an option that betters all the evidence, beside those taken before."""
        base = self.now
        for each in found:
            name, value = next(pair for pair in each.hypothesis.options if pair not in base.options)
            if dict(self.now.options).get(name) != dict(base.options).get(name):
                continue  # another value was better
            whole = self._held_against_all(replace(each, hypothesis=self.now.under(name, value)))
            if _explains(whole):
                yield self._taken(whole)

    def _taken(self, found: _Found) -> FitCause:
        """Assume it from now on."""
        reply = self.evidence.replies
        shortest = min(found.better, key=lambda n: (self._place(n), n))
        differs = difference(self.now, reply[shortest], self.evidence.introduction)
        assert differs is not None  # it is bettered
        changed = [pair for pair in found.hypothesis.options if pair not in self.now.options]
        name, value = changed[0] if changed else ("", "")
        mutant = -1 if changed else found.hypothesis.changes[-1]
        cause = FitCause(found.better, shortest, differs, name, value, mutant)
        self.now = found.hypothesis
        self._know(found.numbers, found.reached)
        return cause

    def _place(self, number: int) -> int:
        """In how many actions a script shows its difference."""
        hands, actions = divmod(max(self.reach[number], 0), PER_HAND)
        return sum(len(hand.actions) for hand in self.evidence.replies[number].script.hands[:hands]) + actions

    def _compared(self, hypothesis: Hypothesis, numbers: Sequence[int], reached: Sequence[int], rank: int) -> _Found:
        if not reached:
            return _Found(hypothesis, (), tuple(numbers), rank)
        pairs = list(zip(numbers, reached, strict=True))
        self._measure([number for number, reach in pairs if reach != AGREES and number in self.assumed])
        better = tuple(number for number, reach in pairs if self._betters(number, reach))
        worse = tuple(number for number, reach in pairs if reach < self.reach[number])
        cured = tuple(number for number, reach in pairs if reach == AGREES > self.reach[number])
        return _Found(hypothesis, better, worse, rank, cured, tuple(numbers), tuple(reached))

    def _betters(self, number: int, reach: int) -> bool:
        """Whether a script agrees further; one that is no game as yet has to agree to the end."""
        before = self.reach[number]
        return reach > before and (before != NO_GAME or reach == AGREES)

    def _measure(self, numbers: Sequence[int]) -> bool:
        """Learn how far these scripts agree by now; false if that takes too long."""
        reached = self._measured(self.now, numbers)
        self._know(numbers, reached)
        return len(reached) == len(numbers)

    def _know(self, numbers: Sequence[int], reached: Sequence[int]) -> None:
        for number, reach in zip(numbers, reached, strict=False):
            self.reach[number] = reach
        self.assumed.difference_update(numbers)

    def _measured(self, hypothesis: Hypothesis, numbers: Sequence[int]) -> tuple[int, ...]:
        chunks = [(hypothesis, tuple(numbers[at : at + TASK])) for at in range(0, len(numbers), TASK)]
        found = list(self._weighed(chunks))
        return tuple(reach for reached in found for reach in reached) if all(found) else ()

    def _weighed(self, tasks: Sequence[tuple[Hypothesis, tuple[int, ...]]]) -> Iterator[tuple[int, ...]]:
        self.tried += len({hypothesis for hypothesis, _ in tasks})
        few = sum(TO_BUILD + len(numbers) for _, numbers in tasks) < FEW
        few = few or any(number >= self.shared for _, numbers in tasks for number in numbers)
        mapped = map if self.executor is None or few else self.executor.map
        return iter(mapped(weigh, *zip(*tasks, strict=True))) if tasks else iter(())

    # ---- kinds of differences ----------------------------------------------------------------------

    def _about(self, number: int) -> tuple[Mismatch, Decided]:
        """Where a script differs from what is assumed now, and what decided that."""
        key = (self.now, number)
        if key not in self.decided:
            reply, introduction = self.evidence.replies[number], self.evidence.introduction
            seen = played(self.now, reply, introduction)
            found = seen if isinstance(seen, Mismatch) else first_difference(*seen, reply, introduction)
            assert found is not None  # it fails
            decided = Decided()
            if not isinstance(seen, Mismatch) and found.check is not None:
                decided = decided_by(*seen, found.check, reply.answer)
            self.decided[key] = found, decided
        return self.decided[key]

    def _kind(self, number: int) -> _Kind:
        found, decided = self._about(number)
        shown = found.check.key if isinstance(found.check, MustShow) else ""
        return type(found.check).__name__, shown, decided.statements[:1]

    def _of_each_kind(self, failing: Sequence[int], most: int, kinds: int = LOOKED_AT) -> tuple[int, ...]:
        """The shortest failing scripts of every kind of difference, or of the most frequent kinds."""
        of_kind: dict[_Kind, list[int]] = {}
        for number in failing[:LOOKED_AT]:
            of_kind.setdefault(self._kind(number), []).append(number)
        groups = sorted(of_kind.values(), key=len, reverse=True)[:kinds]
        each = max(PER_KIND, most // kinds)
        return tuple(number for group in groups for number in group[:each])[:most]

    # ---- what explains the same ----------------------------------------------------------------------

    def _tell_apart(self, found: Fit, ask: Callable[[Script], Seen | None]) -> None:
        """Ask hands in which a cause and others that explain just the same part; of those the right one is kept. Then
        ask some in which the game would be another without it, and see whether it still explains everything.
        """
        causes = list[FitCause]()
        for number, cause in enumerate(found.options + found.causes):
            rivals = Rivals(self.evidence, self._rivals(cause), f"apart {number}")
            self.on_step("equal explanations", number + 1, len(found.options) + len(found.causes))
            for script in islice(rivals.partings(), MOST_ASKED):
                answer = ask(script)
                if answer is not None:
                    rivals.take(self._learnt(f"asked {found.asked + 1}", script, answer))
                    found.asked += 1
            causes.append(self._left_of(cause, rivals))
        explained = not self.failing()
        for cause in causes:
            pair = Rivals(self.evidence, {"with": self.now, "without": self._without(cause)}, f"confirm {cause.mutant}")
            for script in islice(pair.partings(), MOST_CONFIRMED):
                answer = ask(script)
                if answer is not None:
                    found.asked += 1
                    self._learnt(f"asked {found.asked}", script, answer)
        found.refuted = explained and bool(self.failing())
        found.options = [cause for cause in causes if cause.option]
        found.causes = [cause for cause in causes if not cause.option]
        found.hypothesis, found.tried = self.now, self.tried
        found.cured = frozenset(number for number in self.every if self.reach[number] == AGREES)

    def _learnt(self, name: str, script: Script, answer: Seen) -> Reply:
        """A further reply, which this process alone has."""
        reply = Reply(name, script, answer)
        self.evidence.replies.append(reply)
        begin(self.evidence, {})
        self.every = tuple(range(len(self.evidence.replies)))
        self.reach.append(AGREES)
        self._measure(self.every[-1:])
        return reply

    def _rivals(self, cause: FitCause) -> dict[str, Hypothesis]:
        """The cause, by its name, then what explains just the same beside the other causes: options first."""
        less, name = self._without(cause), self._name(cause)
        names = (*cause.other_values, *(self._digests[number] for number in cause.others), *self.guesses.alike(name))
        changed = {self.mutants[number].statement.name for number in less.changes}
        found = {name: self.now}
        for other in sorted(dict.fromkeys(names), key=lambda other: "=" not in other)[: self.effort.measured * 2]:
            option, equals, value = other.partition("=")
            if equals and option not in dict(less.options):
                found[other] = less.under(option, value)
            elif not equals and self.mutants[self._numbers[other]].statement.name not in changed:
                found[other] = replace(less, changes=(*less.changes, self._numbers[other]))
        tasks = [(hypothesis, cause.scripts) for hypothesis in found.values()]
        reached = dict(zip(found, self._weighed(tasks), strict=True))
        return {other: hypothesis for other, hypothesis in found.items() if reached[other] == reached[name]}

    def _name(self, cause: FitCause) -> str:
        """The name of a cause in the table."""
        return f"{cause.option}={cause.value}" if cause.option else self._digests[cause.mutant]

    def _left_of(self, cause: FitCause, rivals: Rivals) -> FitCause:
        """The explanation that is left, and those beside it that no hand tells from it."""
        name, *others = rivals.left
        if name != self._name(cause):
            before, reach = self.now, [*self.reach]
            self.now = rivals.left[name]
            self._measure([number for number in self.every if number not in self.assumed])
            if sum(map(AGREES.__eq__, self.reach)) < sum(map(AGREES.__eq__, reach)):
                self.now, self.reach = before, reach
                return cause
            option, _, value = name.partition("=") if "=" in name else ("", "", "")
            cause = replace(cause, option=option, value=value, mutant=-1 if option else self._numbers[name])
            cause = self._with_more(replace(cause, scripts=()), [n for n in self.every if n not in self.assumed])
        cause = self._with_more(cause, self.every[self.shared :])
        return replace(
            cause,
            others=tuple(self._numbers[other] for other in others if "=" not in other)[:MOST_ALIKE],
            other_values=tuple(other for other in others if "=" in other),
        )

    # ---- the result ----------------------------------------------------------------------------------

    def _needed(self, causes: Sequence[FitCause]) -> tuple[list[FitCause], list[FitCause]]:
        """Those without which the evidence is explained less well; of the others another explains the same."""
        kept, asked = list(causes), [number for number in self.every if number not in self.assumed]
        for cause in causes if len(causes) > 1 else ():
            less = self._without(cause)
            reached = self._measured(less, cause.scripts)
            if all(new >= self.reach[number] for number, new in zip(cause.scripts, reached, strict=False)):
                reached = reached and self._measured(less, asked)
                if reached and all(new >= self.reach[number] for number, new in zip(asked, reached, strict=True)):
                    self.now = less
                    self._know(asked, reached)
                    kept.remove(cause)
        dropped = sorted({number for cause in causes if cause not in kept for number in cause.scripts})
        kept = [self._with_more(cause, dropped) for cause in kept] if dropped else kept
        return [cause for cause in kept if cause.option], [cause for cause in kept if not cause.option]

    def _with_more(self, cause: FitCause, numbers: Sequence[int]) -> FitCause:
        """The cause, with those of these scripts that agree less far without it."""
        without, reply = self._without(cause), self.evidence.replies
        reached = self._measured(without, numbers)
        more = [n for n, reach in zip(numbers, reached, strict=False) if reach < self.reach[n]]
        if more and not cause.scripts:
            shortest = min(more, key=lambda n: (_length(reply[n].script), n))
            differs = difference(without, reply[shortest], self.evidence.introduction)
            cause = replace(cause, shortest=shortest, difference=differs or cause.difference)
        return replace(cause, scripts=tuple(sorted({*cause.scripts, *more})))

    def _without(self, cause: FitCause) -> Hypothesis:
        if not cause.option:
            return replace(self.now, changes=tuple(n for n in self.now.changes if n != cause.mutant))
        before = dict(self.plain.options).get(cause.option)
        options = {name: value for name, value in self.now.options if name != cause.option}
        if before is not None:
            options[cause.option] = before
        return replace(self.now, options=tuple(sorted(options.items())))

    def _unexplained(self) -> Iterator[Unexplained]:
        kinds: dict[object, list[int]] = {}
        for number in self.failing():
            kinds.setdefault(self._kind(number), []).append(number)
        for numbers in sorted(kinds.values(), key=lambda numbers: (-len(numbers), numbers)):
            shortest = min(numbers, key=lambda n: (self._place(n), n))
            yield Unexplained(tuple(numbers), shortest, *self._about(shortest))

    def _settled(self) -> tuple[list[str], list[str]]:
        """The options of which a script tells the value, and those of which none does."""
        options = [o for o in self.now.graph().options.values() if o.name != HOW_MANY and len(o.values) > 1]
        tasks, of = [], []
        for option in options:
            about = [number for number in self.every if option.name in self.evidence.replies[number].about]
            for value in option.values:
                if value != option.value and about:
                    tasks.append((self.now.under(option.name, value), tuple(about[: 2 * ABOUT])))
                    of.append(option.name)
        told: dict[str, bool] = {}
        for name, (_, numbers), reached in zip(of, tasks, self._weighed(tasks), strict=True):
            self.on_step("options that play settles", len(told), len(options))
            less = any(new < self.reach[number] for number, new in zip(numbers, reached, strict=False))
            told[name] = told.get(name, True) and (less or not reached)
        settled = [option.name for option in options if told.get(option.name)]
        return settled, [option.name for option in options if not told.get(option.name)]


def _latest(causes: Sequence[FitCause]) -> list[FitCause]:
    """Those causes whose option did not become another value later."""
    last = {cause.option: cause for cause in causes}
    return [cause for cause in causes if not cause.option or cause is last[cause.option]]


def _explains(found: _Found) -> bool:
    """Whether it betters much more than it worsens: of two faults at once each may worsen what shows the other."""
    return bool(found.better) and MUCH * len(found.worse) <= len(found.better)


def _length(script: Script) -> int:
    return sum(len(hand.actions) for hand in script.hands)
