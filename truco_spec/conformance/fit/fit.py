"""Searches the rules that explain what an implementation answered: options first, then single changes of rules.

A hypothesis is a variant under options, with some of its statements changed. It is judged as the reference engine is:
every script is played by its rules, and compared with the answer; it explains a script that agrees to the end, and
betters one that agrees further than before. So one difference hides nothing that comes after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from truco_spec.base.project import OWN
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.fit.apart import MOST_ASKED, MOST_CONFIRMED, Rivals
from truco_spec.conformance.fit.evidence import Evidence
from truco_spec.conformance.fit.fit_result import (
    Fit,
    FitCause,
)
from truco_spec.conformance.fit.hypothesis import (
    AGREES,
    Hypothesis,
    begin,
    difference,
)
from truco_spec.conformance.fit.likeness import Guesses, change_digests, table_of
from truco_spec.conformance.fit.weighing import ABOUT, Kind, Try, WeighedHypothesis, Weighing
from truco_spec.conformance.fuzz.executors import processes
from truco_spec.graph.model import HOW_MANY

ENOUGH = 3
"""No more changes are tried once one of them makes the third part of the probes agree."""
MUCH = 10
"""How many times as many scripts have to be bettered as are worsened."""
MOST_ASSUMED = 60
"""Of the scripts that are assumed to agree, how many are held against a change that the table does not know."""
MOST_OF_ONE = 3
"""How many guesses that speak of just the same scripts are tried, where little is to be tried."""
MOST_ALIKE = 5
"""How many changes are named that explain the same."""
SEARCHES = 3
"""How often it is searched again with the answers that refuted what was found."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried in one round: values of ``options`` and ``changes`` of rules, those nearest to the differences
    first, each on its ``probes`` of ``kinds`` differences; ``measured`` of the best are held against all the
    evidence. The best of a ``chunk`` of changes is looked at before the next. Ends after at most ``causes``, or rounds
    ``in_vain``. Before that ``guesses`` of the table are tried at once, and where none of them makes its probes agree
    those ``as_likely``, which fail alike, till that is in ``vain`` so often; if
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
    as_likely: int
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
    as_likely=48,
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
    guesses=3,
    as_likely=6,
    vain=3,
    tabled=True,
)


# ---- the search ----------------------------------------------------------------------------------


_Guess = tuple[Hypothesis, tuple[int, ...]]
"""A hypothesis that the table names, and the failing scripts that look like it."""


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


class Search(Weighing):
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
        super().__init__(evidence, executor, on_step)
        self.effort, self.ask = effort, ask
        table = table_of(self.plain.variant, self.plain.players)
        names = ["=".join(pair) for pair in self._values]
        names += [self._digests[n] for n in sorted(range(len(self.mutants)), key=lambda n: self.mutants[n].deep)]
        self.guessed = Counter[frozenset[tuple[int, int]]]()
        self.guesses = Guesses(table, names if table.rows else (), evidence.replies)

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

    # ---- guesses of the table --------------------------------------------------------------------

    def _guessed(self) -> list[FitCause]:
        """Causes among the options and changes of which the table says that what differs looks like them."""
        causes, tried, vain = list[FitCause](), set[str](), 0
        while len(causes) < self.effort.causes and vain < self.effort.vain and (guesses := self._likest(tried)):
            before, tries = [*self.reach], self._tries(guesses)
            promising = self._promising(tries, len(tries), lambda found, of: False)
            near = self._in_part(guesses, promising, tries)
            if more := self._as_likely({name: guesses[name][1] for name in near}, {*guesses, *tried}):
                first, guesses = len(guesses), guesses | more
                tries = self._tries(guesses)
                promising += self._promising(tries, len(tries), lambda found, of: False, first)
            widths = [len(numbers) for _, numbers in guesses.values()]
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

    def _tries(self, guesses: Mapping[str, _Guess]) -> list[Try]:
        most = self.effort.change_probes
        return [(hypothesis, numbers[:most], rank) for rank, (hypothesis, numbers) in enumerate(guesses.values())]

    def _in_part(
        self, guesses: Mapping[str, _Guess], promising: Sequence[WeighedHypothesis], tries: Sequence[Try]
    ) -> Iterator[str]:
        """The guesses beside which others that fail alike are to be tried, since none explains its scripts whole."""
        if not any(len(each.cured) == len(tries[each.rank][1]) for each in promising):
            names = [*guesses]
            near = (names[each.rank] for each in promising if not each.cured)
            yield from near if self.effort.tabled else names

    def _as_likely(self, guesses: Mapping[str, tuple[int, ...]], tried: Set[str]) -> dict[str, _Guess]:
        """What fails just as these guesses do, so that only its answers can tell it from them."""
        found = dict[str, _Guess]()
        for name, numbers in guesses.items():
            for other in self.guesses.alike(name):
                if len(found) < self.effort.as_likely and other not in found and other not in tried:
                    hypothesis = self._supposed(other)
                    if hypothesis is not None:
                        found[other] = hypothesis, numbers
        return found

    def _taken_of(self, promising: Sequence[WeighedHypothesis], tries: Sequence[Try]) -> Iterator[FitCause]:
        """Take one after the other, beside those taken before; of those for the same scripts the best."""
        groups: dict[tuple[int, ...], list[WeighedHypothesis]] = {}
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

    def _likest(self, tried: Set[str]) -> dict[str, _Guess]:
        """The guesses to try next, by the names of their rows: for each failing script as many as for others."""
        failing = {number: self.reach[number] + 1 for number in self.failing()}
        left = [each for each in self.guesses.likest(failing, self._moved()) if each.name not in tried]
        if self.effort.tabled:
            left = [each for each in left if each.seen and MUCH * each.against <= len(each.seen)]
        found, times = dict[str, _Guess](), Counter[int]()
        for alike in range(1, self.effort.guesses + 1):
            for guess in left:
                if len(found) == self.effort.guesses:
                    return found
                told = guess.seen or guess.numbers
                if guess.name in found or self._is_in_vain(told) or all(times[number] >= alike for number in told):
                    continue
                hypothesis = self._supposed(guess.name)
                if hypothesis is not None:
                    found[guess.name] = hypothesis, guess.numbers
                    times.update(told)
                    self.guessed[self._standing(told)] += 1
        return found

    def _is_in_vain(self, numbers: Sequence[int]) -> bool:
        """Whether enough was guessed of just these scripts, as they fail now."""
        return self.effort.tabled and self.guessed[self._standing(numbers)] >= MOST_OF_ONE

    def _standing(self, numbers: Sequence[int]) -> frozenset[tuple[int, int]]:
        return frozenset((number, self.reach[number]) for number in numbers)

    def _moved(self) -> frozenset[int]:
        """The scripts that go otherwise, by the table, under what is assumed."""
        rows = (self.guesses.row(name) for name in self._named(self.now))
        return frozenset().union(*(row or () for row in rows))

    def _named(self, hypothesis: Hypothesis) -> list[str]:
        """The names in the table of what is supposed."""
        plain = dict(self.plain.options).items()
        options = ["=".join(pair) for pair in hypothesis.options if pair not in plain]
        return [*options, *(self._digests[number] for number in hypothesis.changes)]

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

    def _near_values(self, failing: Sequence[int]) -> list[Try]:
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
        left_out = set[Kind]()
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
        self,
        tries: Sequence[Try],
        chunk: int,
        enough: Callable[[WeighedHypothesis, Sequence[int]], bool],
        first: int = 0,
    ) -> list[WeighedHypothesis]:
        """The changes, from the ``first``, that better their probes, the best first; no more are tried once one is
        enough.
        """
        found: list[WeighedHypothesis] = []
        for at in range(first, len(tries), chunk):
            found += self._better("rules", tries[at : at + chunk])
            if any(enough(each, tries[each.rank][1]) for each in found):
                break

        def promise(each: WeighedHypothesis) -> tuple[float, int, tuple[int, int]]:
            return len(each.cured) / len(tries[each.rank][1]), len(each.cured), each.worth

        return sorted(found, key=promise, reverse=True)

    def _best_of(self, promising: Sequence[WeighedHypothesis]) -> FitCause | None:
        """The change that explains most, and what explains just the same."""
        whole = filter(_explains, map(self._held_against_all, promising))
        explaining = sorted(islice(whole, 1 if self.effort.tabled else None), key=self._preferred, reverse=True)
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

    def _preferred(self, found: WeighedHypothesis) -> tuple[int, int, bool, int]:
        """The one that explains more, and more of it to the end; an option rather than a change."""
        worth, rank = found.worth
        return worth, len(found.cured), found.hypothesis.options != self.now.options, rank

    def _held_against_all(self, found: WeighedHypothesis) -> WeighedHypothesis:
        """The hypothesis, held against all that it may concern."""
        numbers = self._concerned(found.hypothesis)
        return self._compared(found.hypothesis, numbers, self._measured(found.hypothesis, numbers), found.rank)

    def _concerned(self, hypothesis: Hypothesis) -> tuple[int, ...]:
        """The scripts that may go otherwise under it: all, but of those assumed to agree only what the table says. Where
        only the table is asked, what it says of all that was assumed and is now supposed is enough.
        """
        if not self.assumed:
            return self.every
        names = ["=".join(pair) for pair in hypothesis.options if pair not in self.now.options]
        names += [self._digests[number] for number in hypothesis.changes if number not in self.now.changes]
        row = self.guesses.row(names[0]) if names else None
        few = set(sorted(self.assumed)[:MOST_ASSUMED]) if row is None else row
        untold = self._untold(hypothesis) if self.effort.tabled and row is not None else frozenset()
        asked = (number for number in self.every if number not in self.assumed or number in few)
        return tuple(number for number in asked if number in few or number not in untold)

    def _untold(self, hypothesis: Hypothesis) -> frozenset[int]:
        """The scripts that, by the table, go as they do with nothing supposed of this hypothesis."""
        rows = [self.guesses.row(name) for name in self._named(hypothesis)]
        tabled = {number for numbers in self.guesses.numbers.values() for number in numbers}
        return frozenset() if None in rows else frozenset(tabled.difference(*filter(None, rows)))

    def _may_be_another(self, cause: FitCause, causes: Sequence[FitCause]) -> bool:
        rows = [self.guesses.row(self._name(other)) for other in causes if other is not cause]
        return any(row is None or not row.isdisjoint(cause.scripts) for row in rows)

    # ---- weighing --------------------------------------------------------------------------------

    def _better(self, what: str, tries: Sequence[Try]) -> Iterator[WeighedHypothesis]:
        """Those of the hypotheses that better more than they worsen on their probes, the best first."""
        found = []
        weighed = self._weighed([(hypothesis, numbers) for hypothesis, numbers, _ in tries])
        for done, ((hypothesis, numbers, rank), reached) in enumerate(zip(tries, weighed, strict=True), 1):
            self.on_step(what, done, len(tries))
            each = self._compared(hypothesis, numbers, reached, rank)
            if each.worth[0] > 0:
                found.append(each)
        yield from sorted(found, key=lambda each: each.worth, reverse=True)

    def _accepted(self, found: Iterable[WeighedHypothesis]) -> Iterator[FitCause]:
        """Take each value of an option that betters all the evidence, beside those taken before."""
        base = self.now
        for each in found:
            name, value = next(pair for pair in each.hypothesis.options if pair not in base.options)
            if dict(self.now.options).get(name) != dict(base.options).get(name):
                continue  # another value was better
            whole = self._held_against_all(replace(each, hypothesis=self.now.under(name, value)))
            if _explains(whole):
                yield self._taken(whole)

    def _taken(self, found: WeighedHypothesis) -> FitCause:
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


def _latest(causes: Sequence[FitCause]) -> list[FitCause]:
    """Those causes whose option did not become another value later."""
    last = {cause.option: cause for cause in causes}
    return [cause for cause in causes if not cause.option or cause is last[cause.option]]


def _explains(found: WeighedHypothesis) -> bool:
    """Whether it betters much more than it worsens: of two faults at once each may worsen what shows the other."""
    return bool(found.better) and MUCH * len(found.worse) <= len(found.better)
