"""Searches for the rules behind an implementation's answers: options first, then single changes of rules.

A hypothesis is a variant under options, with some of its statements changed. It is judged as the reference engine is:
every script is played by its rules, and compared with the answer; it explains a script that agrees to the end, and
betters one that agrees further than before. So one difference hides nothing that comes after it.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from truco_spec.base.processes import processes
from truco_spec.base.project import OWN
from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus.protocol import (
    START,
    MustOffer,
    MustPermit,
    MustRefuse,
    MustShow,
    Script,
    Seen,
    entry_at,
)
from truco_spec.conformance.fit.apart import (
    MOST_ASKED,
    MOST_CONFIRMED,
    NUMBER,
    InPlace,
    Rivals,
    in_common,
    is_number,
    seats_moved,
)
from truco_spec.conformance.fit.evidence import Evidence, Reply
from truco_spec.conformance.fit.fit_result import (
    Fit,
    FitCause,
)
from truco_spec.conformance.fit.habits import LATE, MOVED, with_habits
from truco_spec.conformance.fit.how_far import AGREES, NO_GAME, Reach
from truco_spec.conformance.fit.hypothesis import (
    Hypothesis,
    Mismatch,
    begin,
    checked,
    compared,
    comparing,
    difference,
    earliest,
    first_difference,
    is_belied,
    played,
)
from truco_spec.conformance.fit.likeness import Likely
from truco_spec.conformance.fit.mutants import BY_EVERYONE, mentioned
from truco_spec.conformance.fit.options import SEVERAL, OptionCauses, agreeing, latest
from truco_spec.conformance.fit.orders import ShownOrders, constants, ranking, shifted
from truco_spec.conformance.fit.trying import (
    ALIKE,
    CHANGES,
    DOUBTING,
    EQUAL,
    MOST_ALIKE,
    OPTIONS,
    THOROUGH,
    Effort,
    promise,
    said_in,
)
from truco_spec.conformance.fit.weighing import ABOUT, ENOUGH, MUCH, Kind, OutOfTime, Try, WeighedHypothesis, length_of
from truco_spec.conformance.runner.judge import Finding
from truco_spec.graph import walk
from truco_spec.graph.load import core
from truco_spec.graph.model import OBSERVED

MOST_OF_ONE = 3
"""The most guesses tried for the same scripts, if effort is limited."""
DECISIVE = 0.4
"""The share of the nearest statement's weight given to an option that asks for it."""
MOST_UNTABLED = 24
"""The fewest changes tried if the table knows none of the scripts."""
MOST_POINTED = 24
"""The most values of options tried because failing scripts point at them."""
MOST_OF_WHO, MOST_OF_KIND = 72, 12
"""The most changes that no table knows tried at once, and then on each kind of difference by itself."""
MOST_COMPUTING = 8
"""The most statements in which a number is put in the place of a computed one."""
SEARCHES = 3
"""The most searches, each with the answers that refuted the last result."""


# ---- the search ----------------------------------------------------------------------------------

Ask = Callable[[Script], Seen | None]
"""Sends a further script to an implementation; None without an answer, or if a repetition has another."""
Reached = dict[tuple[Hypothesis, int], Reach]
"""How far each script agrees by a hypothesis."""
_Guess = tuple[Hypothesis, tuple[int, ...]]
"""A hypothesis named by the table, and the failing scripts like it."""
TRIED_ON = 40
"""The most failing scripts on which a cause of another game is tried."""
ENOUGH_SAID = 4
"""The most numbers taken that are learnt from."""
MOST_COMPARED = 400
"""The most answers whose tricks are looked at for another order of the cards."""


def search(
    evidence: Evidence,
    workers: int,
    ask: Ask,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
    seconds: float = math.inf,
) -> Fit:
    """Search, tell equal explanations apart, and search again if further answers refute the result. An interrupt
    (Ctrl-C), and the end of these ``seconds``, returns the causes accepted so far.
    """
    tried = asked = 0
    ends = time.monotonic() + seconds
    habits, known, anew = list[FitCause](), Reached(), None
    try:
        evidence, habits, known = _with_habits(evidence, workers, on_step, ends)
    except (KeyboardInterrupt, SystemExit, OutOfTime) as end:
        return Search(evidence, None).stopped(end)
    for _ in range(SEARCHES):
        try:
            with processes(workers, begin, evidence, dict(OWN)) as pool:
                anew = Search(evidence, pool, on_step, ask=ask, ends=ends)
                anew.known |= known
                found = anew.fit()
        except (KeyboardInterrupt, SystemExit, OutOfTime) as end:
            found = (anew or Search(evidence, None)).stopped(end)
        tried, asked = tried + found.tried, asked + found.asked
        if not found.refuted or time.monotonic() > ends:
            break
    found.tried, found.asked, found.habits = tried, asked, habits
    return found


def _with_habits(
    evidence: Evidence, workers: int, on_step: Callable[[str, int, int], None], ends: float
) -> tuple[Evidence, list[FitCause], Reached]:
    """Return the evidence with the habits that its hello should declare, except those explained by options, or by one
    changed rule that explains more: a word that is always refused may belong to a longer game that never waits for it.
    Also return the results of weighing it.
    """
    every = range(len(evidence.replies))
    claimed, habits = with_habits(evidence, every)
    if not habits:
        return evidence, habits, {}
    with processes(workers, begin, evidence, dict(OWN)) as pool:
        plain = Search(evidence, pool, on_step, ends=ends)
        plain.by_options()
        agreeing = {number for number in every if plain.reach[number].agrees}
        needless = [habit.claim for habit in habits if agreeing.issuperset(habit.scripts)]
        if len(needless) < len(habits):
            needless += [habit.claim for habit in plain.wider_than(habits)]
    if not needless:
        return claimed, habits, {}
    claimed, habits = with_habits(evidence, every, but=needless)
    return claimed, habits, {} if habits else plain.known


class Search(OptionCauses):
    """The search for the causes of some evidence, given to ``executor`` by
    :func:`~truco_spec.conformance.fit.hypothesis.begin`. ``ask``, if given, sends a further script to the
    implementation, to tell equal explanations apart. ``elsewhere`` names causes (:meth:`name_of`) that are tried first,
    and ``beside`` are replies by other numbers of players. Raises :class:`FitError`.
    """

    def __init__(
        self,
        evidence: Evidence,
        executor: Executor | None,
        on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
        effort: Effort = THOROUGH,
        ask: Ask | None = None,
        elsewhere: Iterable[str] = (),
        beside: Sequence[Reply] = (),
        ends: float = math.inf,
    ) -> None:
        super().__init__(evidence, executor, on_step, effort, beside, ends)
        self.ask, self.elsewhere = ask, tuple(elsewhere)
        self.guessed = Counter[frozenset[tuple[int, Reach]]]()
        self.refused = list[WeighedHypothesis]()
        """Hypotheses by which another word is said than an implementation takes."""
        self.in_place = InPlace(evidence, ask) if ask is not None else None
        self.counting = set[str]()
        """The statements behind numbers that are said otherwise."""

    def fit(self) -> Fit:
        """Search, and return the result."""
        found = self.told_apart(self.explained())
        found.unexplained = list(self.unexplained())
        found.settled, found.open, found.hidden = self._settled()
        found.tried, found.beyond = self.tried, [*self.beyond]
        return found

    def stopped(self, end: BaseException) -> Fit:
        """Return the causes accepted before an interruption, by ``end``, and what is still unexplained. Options that
        answers belie are dropped if only the time is over.
        """
        if isinstance(end, OutOfTime):
            self.executor, self.ends = None, math.inf
            for cause in [cause for cause in self._held_causes() if cause.option]:
                self._is_belied(cause)
        begun = (self.known.get((self.plain, n), AGREES) for n in self.every if n not in self.evidence.excused)
        found = Fit(self.evidence, self.now, agreeing=agreeing(begun), cured=self.cured(), stopped=end)
        held = self._held_causes()
        found.options = [cause for cause in held if cause.option]
        found.causes = [cause for cause in held if not cause.option]
        found.unexplained, found.tried, found.beyond = list(self.unexplained()), self.tried, [*self.beyond]
        found.asked = len(self.evidence.replies) - self.shared
        return found

    def _held_causes(self) -> list[FitCause]:
        """Return the causes accepted so far that are still assumed."""
        return [
            cause
            for (name, value, mutant), cause in self.taken.items()
            if ((name, value) in self.now.options if name else mutant in self.now.changes)
        ]

    def explained(self) -> Fit:
        """Search, and return the options and causes only."""
        plain = (reach for number, reach in enumerate(self.reach) if number not in self.evidence.excused)
        found = Fit(self.evidence, self.plain, agreeing=agreeing(plain))
        taken = latest([*self._met_elsewhere(), *self._unbegun(), *self._said_otherwise(self.failing())])
        taken = latest([*taken, *self._guessed(), *self._constants()])
        taken = latest([*taken, *self._pointed_at()])
        if self._beyond_table():
            if self.effort.tabled and not self.guesses.known:
                taken = latest([*taken, *self._options(on_the_way=True)])
            elif not self.effort.tabled:
                taken = self._by_options_first(latest([*taken, *self._options()]))
        taken = latest([*taken, *self._said_otherwise(self.failing()), *self._counted()])
        taken += self._orders()
        if self._beyond_table():
            taken += self._causes()
        taken += [*self._by_others(), *self._constants(several=False), *self._orders(ties=True)]
        taken += self._further_conditions()
        for cause in [*taken]:
            taken = self._otherwise(cause, taken)
        taken = self._as_one(taken)
        if self.effort.tabled:
            self._measure(self.failing())  # of what several causes do together the table tells nothing
        options, causes = self._needed(taken)
        if not self.effort.tabled and (again := self._reconsidered([*options, *causes])) != [*options, *causes]:
            options, causes = self._needed(again)
        named, options = options, [cause for cause in options if not self._is_belied(cause)]
        if len(options) < len(named):
            causes += self._by_others()  # what the others hid
        if not self.effort.tabled:
            options, causes = self._borne(options), self._borne(causes)
        else:
            causes = [cause for cause in causes if not self._is_belied(cause)]
            causes = [self._as_option(cause) for cause in causes]
        options = [self._narrowed(cause) for cause in (*options, *(each for each in causes if each.option))]
        options, causes = (
            [self._of_evidence(each) for each in some]
            for some in (options, (each for each in causes if not each.option))
        )
        found.options = sorted(options, key=lambda cause: -len(cause.scripts))
        found.cured = self.cured()
        found.causes, found.hypothesis, found.tried = causes, self.now, self.tried
        return found

    def _is_belied(self, cause: FitCause) -> bool:
        """Whether, of the scripts for which the rules with and without this cause expect different results, too many
        show a third one that is no nearer to the first; one whose move is taken or refused as by this cause alone is
        nearer. Or too many list what is forbidden by this cause, though the game is the same. It is then dropped.
        """
        less, third, failing = self.without(cause), 0, self.failing()
        if not self._is_playable(less, cause.scripts):
            return False
        for number, reach in zip(failing, self._measured(less, failing), strict=False):
            found = self.about(number)[0]
            if self.reach[number].is_game and is_belied(
                self.now, less, self.evidence.replies[number], self.evidence.introduction
            ):
                third += 1
                continue
            before = difference(less, self.evidence.replies[number], self.evidence.introduction)
            alike = before is not None and before.at == found.at and not self.reach[number].betters(reach)
            if before is not None and alike and (found.is_of_move or not before.is_of_move):
                third += before.expected != found.expected
        if MUCH * third <= len(cause.scripts):
            return False
        self.drop(cause)
        return True

    def _borne(self, causes: Sequence[FitCause]) -> list[FitCause]:
        """Return the causes without which much less is explained, each with the scripts it explains beside the others;
        the rest is dropped.
        """
        kept = list[FitCause]()
        for cause in causes:
            if not self._is_playable(self.without(cause), cause.scripts):  # a change needs it
                kept.append(cause)
            elif self.bears(cause):
                kept.append(self._with_more(replace(cause, scripts=()), self._asked()))
            else:
                self.drop(cause)
        return kept

    def _by_options_first(self, taken: list[FitCause]) -> list[FitCause]:
        """Return the accepted causes, or options alone, with changes only beside them, if these explain as much: a
        change accepted while few of many options were known may stand for another of them. An option may worsen the
        scripts it improves unless it is beside another, so each is judged once all are accepted.
        """
        options = [cause for cause in taken if cause.option]
        if not (self.failing() or len(taken) > len(options) >= SEVERAL):
            return taken
        before, reach = self.now, [*self.reach]
        found = self.by_options()
        if len(found) >= SEVERAL or not self.failing():
            found = latest([*found, *self._guessed()])
            if agreeing(self.reach) >= agreeing(reach):
                return found
        self.now, self.reach = before, reach
        return taken

    def by_options(self) -> list[FitCause]:
        """Return the scripts explained by options alone, assuming nothing else."""
        self._assume(self.plain)
        found = self._exchanged(latest(self._options(on_the_way=True)))
        for cause in [each for each in found if self.failing() and not self.bears(each)]:
            found.remove(cause)
            self.drop(cause)
        return found

    def wider_than(self, habits: Sequence[FitCause]) -> list[FitCause]:
        """Return the habits whose scripts, and many more, are explained by a single rule of the table: the game then
        never waits for a word that is always refused. Nothing else is assumed.
        """
        of_words = [habit for habit in habits if habit.claim not in (LATE, *MOVED)]
        self._assume(self.plain)
        found = [{*cause.scripts} for cause in self._guessed()] if of_words else []

        def is_wider(scripts: set[int], habit: FitCause) -> bool:
            return scripts.issuperset(habit.scripts) and len(scripts) >= len(habit.scripts) + MUCH

        return [habit for habit in of_words if any(is_wider(scripts, habit) for scripts in found)]

    # ---- causes of other games -------------------------------------------------------------------

    def _met_elsewhere(self) -> Iterator[FitCause]:
        """Return the causes found by other numbers of players that explain scripts here, too."""
        for name in self.elsewhere:
            hypothesis, probes = self._supposed(name), tuple(self.failing()[:TRIED_ON])
            if hypothesis is not None and probes:
                tries = [(hypothesis, probes, 0)]
                yield from self._taken_of(self._promising(tries, 1, lambda found, of: False), tries)

    # ---- who may act -----------------------------------------------------------------------------------

    def _by_others(self, numbers: Sequence[int] = ()) -> Iterator[FitCause]:
        """Rules that let some players act, as ones that let everybody, where something was taken of which they speak
        though it is to be refused; else others that change who acts, or put a value in the place of another, those
        nearest to the differences: of these scripts, or of all, kind by kind. The table tells nothing of these.
        """
        left, speaking = self._still_failing(numbers or self.failing())[:TRIED_ON], dict[int, list[int]]()
        for number in left:
            if not isinstance(self.about(number)[0].check, MustRefuse):
                continue
            for mutant, each in self._untabled.items():
                words = self._words_of(mutant) if each.what.startswith(BY_EVERYONE) else frozenset[str]()
                if not words.isdisjoint(said_in(self.evidence.replies[number])):
                    speaking.setdefault(mutant, []).append(number)
        yield from self._best_for(speaking)
        while (left := self._still_failing(left)) and self._may_try(CHANGES):
            near, probes = self._others_near(left), self._of_each_kind(left, ABOUT)
            found = list(self._best_for(dict.fromkeys(near[:MOST_OF_WHO], probes), alone=True))
            for alike in self._by_kind(left) if not (found or numbers) else ():
                if still := self._still_failing(alike):  # those nearest to the shortest explain none of them
                    near = self._others_near(still)[:MOST_OF_KIND]
                    found += self._best_for(dict.fromkeys(near, still), alone=True)
            yield from found
            if not found:
                break

    def _still_failing(self, numbers: Sequence[int]) -> list[int]:
        return [number for number in numbers if not self.reach[number].agrees and self.reach[number] != NO_GAME]

    def _others_near(self, numbers: Sequence[int]) -> list[int]:
        """Return the changes that no table knows, those nearest to some differing scripts first, and of each statement
        the plainest; those of several rules behind the nearest, as one of a single rule comes before them.
        """
        weights, probes = self._weights(numbers[: self.effort.change_probes]), self._of_each_kind(numbers, ABOUT)
        shown = (check.key for n in probes if isinstance(check := self.about(n)[0].check, MustShow))
        told = {f"{OBSERVED}{key}" for key in shown}

        def distance(name: str) -> tuple[bool, float]:
            return name not in told, -sum(weights[each] for each in {name, *self.mutants.asks[name]})

        of_each = defaultdict[str, list[int]](list)
        for number, each in self._untabled.items():
            name, is_other = each.statement.name, not each.what.startswith(BY_EVERYONE)
            if is_other and name in self._in_force and self._goes_with(number, self.now):
                of_each[name].append(number)
        places = enumerate(sorted(of_each, key=distance))
        ranked = sorted((place + at, n) for place, name in places for at, n in enumerate(of_each[name]))
        near = [number for _, number in ranked]
        several = [number for number in near if self.mutants[number].last]
        nearest = MOST_OF_KIND - len(several)
        alone = [number for number in near if not self.mutants[number].last]
        return [*alone[:nearest], *several, *alone[nearest:]]

    def _otherwise(self, cause: FitCause, taken: list[FitCause]) -> list[FitCause]:
        """Return the accepted causes, or in the place of one a change that no table knows, if more is explained then:
        another change of its statement; or any, where it was accepted for the first differences and hides others.
        """
        failing, behind = self.failing(), [n for n in cause.scripts if not self.reach[n].agrees]
        if not failing or not self._may_try(CHANGES):
            return taken
        before, less, reach = self.now, self.without(cause), [*self.reach]
        self._assume(less)
        if behind:
            found = [*self._by_others(behind)]
        else:
            name = "" if cause.option else self.mutants[cause.mutant].statement.name
            probes = tuple(dict.fromkeys((*failing[:ABOUT], *cause.scripts[:ABOUT])))
            beside = (n for n, each in self._untabled.items() if each.statement.name == name and n != cause.mutant)
            found = [*self._best_for(dict.fromkeys(beside, probes))] if name else []
            if name in self.counting and agreeing(self.reach) <= agreeing(reach):
                self._assume(less)
                found = [*self._said_otherwise(sorted(self.failing(), key=lambda number: number not in failing))]
        if found and agreeing(self.reach) > agreeing(reach):
            return [*(each for each in taken if each is not cause), *found]
        self.now, self.reach = before, reach
        return taken

    def _further_conditions(self) -> Iterator[FitCause]:
        """Permissions that hold only where something else does, too, where several actions are refused by one rule."""
        refused = defaultdict[str, list[int]](list)
        for number in self.failing()[:TRIED_ON]:
            differs, decided = self.about(number)
            if isinstance(differs.check, MustPermit):
                for name in decided.rules[:1]:
                    refused[name].append(number)
        for name, numbers in refused.items() if self.effort.tabled else ():
            if len(numbers) >= ENOUGH and name in self.mutants.statements and self._may_try(CHANGES):
                verbs = (self._words.get(verb.action, frozenset()) for verb in self.plain.graph().rules[name].verbs)
                agreeing = (number for number in self.every if self.reach[number].agrees)
                places = [(number, self.about(number)[0].at) for number in numbers]
                codes = in_common(self.evidence, self.now, name, places, agreeing, frozenset[str]().union(*verbs))
                yield from self._best_for({len(self.mutants) + code: numbers for code in codes})

    def _as_one(self, taken: list[FitCause]) -> list[FitCause]:
        """Return the accepted causes; in the place of changes of two statements, of which one speaks of the other, any
        other change of either that explains as much: a fault of which parts were explained first.
        """
        for one, other in itertools.permutations([cause for cause in taken if not cause.option], 2):
            both = {cause.mutant: self.mutants[cause.mutant].statement.name for cause in (one, other)}
            if both[other.mutant] not in self.mutants.asks.get(both[one.mutant], ()) or not self._may_try(CHANGES):
                continue
            before, reach = self.now, [*self.reach]
            self._assume(replace(before, changes=tuple(n for n in before.changes if n not in both)))
            beside = (
                n for n, each in enumerate(self.mutants) if each.statement.name in both.values() and n not in both
            )
            pairs = itertools.zip_longest(one.scripts, other.scripts)
            probes = [number for pair in pairs for number in pair if number is not None]
            found = [*self._best_for(dict.fromkeys(beside, probes))]
            if len(found) == 1 and agreeing(self.reach) >= agreeing(reach):
                return self._as_one([*(each for each in taken if each not in (one, other)), *found])
            self.now, self.reach = before, reach
        return taken

    def _constants(self, *, several: bool = True) -> Iterator[FitCause]:
        """Numbers in the place of computed ones, where failing scripts show the same one instead of several, or of one
        at least.
        """
        shown, expected = defaultdict[int, list[int]](list), defaultdict[int, set[int]](set)
        for number in self.failing()[:TRIED_ON]:
            if (told := self._told_number(number)) is not None:
                shown[told[1]].append(number)
                expected[told[1]].add(told[0])
        for value in (n for n, of in shown.items() if n > 0 and len(of) >= ENOUGH and len(expected[n]) > several):
            weights = self._weights(shown[value][: self.effort.change_probes])
            near = sorted(self.mutants.asks, key=lambda name: -weights[name])[:MOST_COMPUTING]
            names = list[str]()
            for name in near:
                names += [name, *sorted(each for each in self._in_force if name in self._excepts.get(each, ()))]
            names.sort(key=lambda name: not self._excepts.get(name))  # the narrowest first
            codes = constants(core(self.plain.variant), list(dict.fromkeys(names)), value)
            yield from self._best_for({len(self.mutants) + code: shown[value] for code in codes})

    def _told_number(self, number: int) -> tuple[int, int] | None:
        """Return the number that a script shows where it differs, of all points or of those added to a score, and the
        one in its place, if they differ in one.
        """
        found, reply = self.about(number)[0], self.evidence.replies[number]
        if not isinstance(found.check, MustShow):
            return None
        key, before = found.check.key, replace(found.at, action=max(found.at.action - 1, START))
        values: list[Any] = [found.check.value, *(entry_at(reply.answer, at).get(key) for at in (found.at, before))]
        if all(isinstance(value, Mapping) for value in values):
            differing = [name for name, points in values[0].items() if points != values[1].get(name)]
            values = [value.get(differing[0]) for value in values] if len(differing) == 1 else []
        else:
            values[2] = 0
        return (values[0] - values[2], values[1] - values[2]) if {*map(type, values)} == {int} else None

    def _best_for(self, failing: Mapping[int, Sequence[int]], *, alone: bool = False) -> Iterator[FitCause]:
        """Accept the changes that explain most, one after the other, given the failing scripts of each. ``alone``: no
        more are tried once one explains all of its scripts, unless that is not accepted.
        """
        left = {mutant: numbers for mutant, numbers in failing.items() if self._goes_with(mutant, self.now)}
        for _ in range(SEARCHES if alone else 1):
            tries = [
                (replace(self.now, changes=(*self.now.changes, mutant)), tuple(numbers[: self.effort.change_probes]), n)
                for n, (mutant, numbers) in enumerate(left.items())
            ]
            promising = self._promising(
                tries, self.effort.chunk, lambda found, of: alone and len(found.cured) == len(of)
            )
            found = list(self._taken_of(promising, tries))
            yield from found
            if found or not promising:
                return
            refuted = {each.rank for each in promising}
            left = {mutant: left[mutant] for rank, mutant in enumerate(left) if rank not in refuted}

    # ---- what is said in the place of a refused word ---------------------------------------------------

    def _said_otherwise(self, numbers: Sequence[int]) -> Iterator[FitCause]:
        """Changes by which another number is said than one that is refused in these scripts: the one that the
        implementation takes. Each of some scripts is asked again with that, and explained for the time being.
        """
        if self.in_place is None:
            return
        found, rules, shifts = dict[str, int](), set[str](), dict[int, None]()
        for number in numbers[:TRIED_ON]:
            differs, decided = self.about(number)
            taken = self.in_place.taken(self.now, number, differs) if len(found) < ENOUGH_SAID else None
            if taken is not None and taken.text not in found:
                found[taken.text] = len(self.evidence.replies)
                self._learnt(Sentence("asked {number}", number=str(len(found))), taken.script, taken.answer)
                rules.update(decided.statements)
                shifts[taken.shift] = None
        if found:
            changes = self._changes_behind(rules)
            codes = shifted(core(self.plain.variant), sorted(self.counting), shifts)
            changes += [len(self.mutants) + code for code in codes]
            try:
                yield from self._best_for(dict.fromkeys(changes, tuple(found.values())))
            finally:
                self.every = tuple(number for number in self.every if number not in found.values())

    def _counted(self) -> Iterator[FitCause]:
        """Changes by which another number is said, where an implementation that says numbers by itself differs."""
        graph, own = self.now.graph(), {*self.evidence.plays.own_words}
        words = {
            name: self._words.get(name, frozenset()) & own for name, kind in graph.actions.items() if is_number(kind)
        }
        said = frozenset[str]().union(*words.values())
        left = [n for n in self.failing()[:TRIED_ON] if not said.isdisjoint(said_in(self.evidence.replies[n]))]
        if left and self._may_try(CHANGES):
            rules = [name for name, rule in graph.rules.items() if any(words.get(verb.action) for verb in rule.verbs)]
            probes = self._of_each_kind(left, self.effort.change_probes)
            yield from self._best_for(dict.fromkeys(self._changes_behind(rules), probes))

    def _changes_behind(self, rules: Iterable[str]) -> list[int]:
        """Return the changes of the questions for a number that these rules ask, and of those asked by these."""
        defines = self.now.graph().defines
        asked = {name for rule in rules for name in self.mutants.asks.get(rule, ())}.intersection(defines)
        self.counting |= self._behind(name for name in asked if defines[name].type.base == NUMBER)
        return [n for n, each in enumerate(self.mutants) if each.statement.name in self.counting]

    def _behind(self, questions: Iterable[str]) -> set[str]:
        """Return the answers to these questions, and to those asked by these."""
        defines = self.now.graph().defines
        reached = walk.reached({name: walk.asked_by(define) for name, define in defines.items()}, questions)
        return {answer.name for name in reached for answer in defines[name].answers}

    def _of_evidence(self, cause: FitCause) -> FitCause:
        """Return the cause without scripts that were asked for it."""
        return self.shown_in(replace(cause, scripts=tuple(n for n in cause.scripts if n < self.shared)))

    def _is_refused(self, found: WeighedHypothesis) -> bool:
        """Whether an implementation that refuses a word with an argument, such as a count, belies a hypothesis by what
        it takes in the place of that, in one of some scripts.
        """
        asked = self.in_place
        for number in self._shortest(found)[:ENOUGH] if asked is not None else ():
            differs = compared(self.now, number).differs
            if asked and differs is not None and asked.belies(found.hypothesis, self.now, number, differs):
                self.refused.append(found)
                return True
        return False

    # ---- the order of the cards ----------------------------------------------------------------------

    def _orders(self, *, ties: bool = False) -> Iterator[FitCause]:
        """Other orders of the cards, as all tricks show them, where those of some failing scripts do, or other cards
        that rank by themselves; or orders by which no ``ties`` are left.
        """
        speaking = defaultdict[str, list[int]](list)
        for number in self.failing()[:TRIED_ON]:
            shown = self._shown_by([self.evidence.replies[number]])
            for name in shown.breaking if ties else shown.differing:
                speaking[name].append(number)
        if not speaking:
            return
        others = (self.evidence.replies[number] for number in self.every[:MOST_COMPARED])
        shown = self._shown_by([*others, *self.beside[:MOST_COMPARED]])
        chain = core(self.plain.variant)
        graph = self.plain.graph()
        found = shown.untying(chain, graph) if ties else (*shown.changes(chain), *shown.ranks(chain, graph))
        failing = {len(self.mutants) + code: speaking[name] for name, code in found if name in speaking}
        if not ties:
            scripts, asked = sorted(set().union(*speaking.values())), self._behind([ranking()])
            failing |= {n: scripts for n, each in self._untabled.items() if each.statement.name in asked}
        yield from self._best_for(failing)

    def _shown_by(self, replies: Iterable[Reply]) -> ShownOrders:
        """Return what the tricks of these answers show of the order of the cards."""
        shown = ShownOrders()
        for reply in replies:
            rules = replace(self.now, players=len(reply.script.players))
            game = played(rules, reply, self.evidence.introduction)
            if not isinstance(game, Mismatch):
                with comparing(rules, game[0], reply):
                    shown.take(*game, reply.answer)
        return shown

    # ---- games that never began --------------------------------------------------------------------

    def _unbegun(self) -> list[FitCause]:
        """Return options under which scripts are unplayable that the implementation refused completely, such as a
        shorter target.

        They come first: by itself, each such script is explained as well by any rule that forbids its first action.
        """
        probes = sorted(self._refused)[:: max(len(self._refused) // MUCH, 1)]
        if len(probes) < ENOUGH:
            return []
        tries = [(self.now.under(*value), tuple(probes), 0) for value in self._values]
        return list(self._accepted(self._better("options", tries), all_asked=True))

    # ---- guesses of the table --------------------------------------------------------------------

    def _guessed(self) -> list[FitCause]:
        """Return causes among the options and changes whose failures, by the table, look like the differences."""
        causes, tried, vain = list[FitCause](), set[str](), 0
        while len(causes) < self.effort.causes and vain < self.effort.vain and (guesses := self._likest(tried)):
            if not self._may_try(ALIKE):
                break
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
            refused = len(self.refused)
            found = list(self._taken_of(promising, tries)) or list(self._in_place_of(self.refused[refused:]))
            causes += found
            if len(self.refused) > refused:
                self.guessed.clear()  # what looks alike may have another argument
            else:
                vain += not found
            # What lay behind another cause is tried again once that is assumed.
            for name, (_, numbers, _) in zip(guesses, tries, strict=True):
                if all(self.reach[number] == before[number] for number in numbers):
                    tried.add(name)
        return latest(causes)

    def _in_place_of(self, refused: Sequence[WeighedHypothesis]) -> Iterator[FitCause]:
        """Yield causes among the changes of the same statements that no table knows."""
        scripts = dict[str, list[int]]()
        for found in refused:
            if found.hypothesis.changes != self.now.changes:
                scripts.setdefault(self.mutants[found.hypothesis.changes[-1]].statement.name, self._shortest(found))
        names = ((number, each.statement.name) for number, each in self._untabled.items())
        yield from self._best_for({number: scripts[name] for number, name in names if name in scripts})

    def _pointed_at(self) -> list[FitCause]:
        """Return options that the failing scripts are about, or that are asked by exceptions to the rules that decided
        them: the others come from the table alone, which does not know the effect of two options together.
        """
        causes, tried = list[FitCause](), defaultdict[tuple[str, str], set[tuple[int, Reach]]](set)
        while self.effort.tabled and (tries := self._pointed(tried)) and self._may_try(OPTIONS):
            more = list(self._accepted(self._better("options", tries)))
            causes = latest([*causes, *more])
            if not more:
                break
            self._measure(self.failing())
        return causes

    def _pointed(self, tried: Mapping[tuple[str, str], set[tuple[int, Reach]]]) -> list[Try]:
        """Yield other values of these options, those with most scripts first, each with its scripts; not those
        ``tried`` before on scripts that still fail in the same way.
        """
        speaking = dict[str, list[int]]()
        for number in self.failing():
            decided, asked = self.about(number)[1].statements, {*self.evidence.replies[number].about}
            for name in (name for name, excepts in self._excepts.items() if not excepts.isdisjoint(decided)):
                asked.update(
                    self.mutants.asks[name], *(self.mutants.asks.get(other, ()) for other in self.mutants.asks[name])
                )
            for name in asked:
                speaking.setdefault(name, []).append(number)
        values = [pair for pair in self._values if pair[0] in speaking and self._played(pair[0]) != {pair[1]}]
        values.sort(key=lambda pair: -len(speaking[pair[0]]))
        tries = list[Try]()
        for rank, pair in enumerate(values[:MOST_POINTED]):
            probes = speaking[pair[0]][: self.effort.option_probes]
            standing = self._standing(probes)
            if not standing <= tried[pair]:
                tries.append((self.now.under(*pair), tuple(probes), rank))
                tried[pair] |= standing
        return tries

    def _tries(self, guesses: Mapping[str, _Guess]) -> list[Try]:
        most = self.effort.change_probes
        return [(hypothesis, numbers[:most], rank) for rank, (hypothesis, numbers) in enumerate(guesses.values())]

    def _in_part(
        self, guesses: Mapping[str, _Guess], promising: Sequence[WeighedHypothesis], tries: Sequence[Try]
    ) -> Iterator[str]:
        """Return the guesses beside which others with the same failures are to be tried, since none explains its
        scripts completely.
        """
        if not any(len(each.cured) == len(tries[each.rank][1]) for each in promising):
            names = [*guesses]
            near = (names[each.rank] for each in promising if not each.cured)
            yield from near if self.effort.tabled else names

    def _as_likely(self, guesses: Mapping[str, tuple[int, ...]], tried: Set[str]) -> dict[str, _Guess]:
        """Return the rows with exactly the failures of these guesses, which only answers can tell apart."""
        found = dict[str, _Guess]()
        for name, numbers in guesses.items():
            for other in self.guesses.alike(name):
                if len(found) < self.effort.as_likely and other not in found and other not in tried:
                    hypothesis = self._supposed(other)
                    if hypothesis is not None:
                        found[other] = hypothesis, numbers
        return found

    def _taken_of(self, promising: Sequence[WeighedHypothesis], tries: Sequence[Try]) -> Iterator[FitCause]:
        """Accept one after the other, beside those accepted before; of those for the same scripts the best."""
        groups: dict[tuple[int, ...], list[WeighedHypothesis]] = {}
        for each in promising:
            groups.setdefault(tries[each.rank][1], []).append(each)
        for group in groups.values():
            if all(self.reach[n].agrees for n in group[0].better):
                continue
            again = (replace(each, hypothesis=self._beside(each.hypothesis)) for each in group)
            if (cause := self._first_of(again)) is not None:
                yield cause

    def _first_of(self, promising: Iterable[WeighedHypothesis]) -> FitCause | None:
        """Return the best of the first of these hypotheses; of the next ones only where the implementation refuses what
        is said by those.
        """
        left = iter(promising)
        while some := [*islice(left, self.effort.measured)]:
            refused = len(self.refused)
            if (cause := self._best_of(some)) is not None or len(self.refused) == refused:
                return cause
        return None

    def _beside(self, hypothesis: Hypothesis) -> Hypothesis:
        """Return the current assumptions with the additions of a hypothesis made before."""
        options = dict(hypothesis.options).items() - dict(self.plain.options).items()
        changes = dict.fromkeys((*self.now.changes, *hypothesis.changes))
        beside = replace(self.now, changes=tuple(changes))
        for name, value in options:
            beside = beside.under(name, value) if name not in dict(self.now.options) else beside
        return beside

    def _likest(self, tried: Set[str]) -> dict[str, _Guess]:
        """Return the guesses to try next, by the names of their rows: equally many for each failing script."""
        failing = {number: self.reach[number].first + 1 for number in self.failing()}
        left = [each for each in self.guesses.likest(failing, self._moved()) if each.name not in tried]
        if self.effort.tabled:
            near = [each for each in left if MUCH * each.against <= len(each.told)]
            left = [each for each in near if each.seen] or near  # beside what is assumed it may show something else
        found, times = dict[str, _Guess](), Counter[int]()
        for alike in range(1, self.effort.guesses + 1):
            for guess in left:
                if len(found) == self.effort.guesses:
                    return found
                told = guess.told
                vain = self.effort.tabled and self.guessed[self._standing(told)] >= MOST_OF_ONE
                if guess.name in found or vain or all(times[number] >= alike for number in told):
                    continue
                alike_too = [each for each in left if (each.worth, each.told) == (guess.worth, told)]
                guess = self._nearest_of([each for each in alike_too if each.name not in found])
                hypothesis = self._supposed(guess.name)
                if hypothesis is not None:
                    found[guess.name] = hypothesis, guess.numbers
                    times.update(told)
                    self.guessed[self._standing(told)] += 1
        return found

    def _nearest_of(self, guesses: Sequence[Likely]) -> Likely:
        """Return, of guesses that look alike for the same scripts, the first, if it is an option; otherwise the change
        of the statement in force that is nearest to the differences: of that rather of one value or row alone.
        """
        if len(guesses) < 2 or "=" in guesses[0].name:
            return guesses[0]
        weights = self._weights(guesses[0].told[:1])
        changes = {guess: self.mutants[self._numbers[guess.name]] for guess in guesses if guess.name in self._numbers}

        def nearness(guess: Likely) -> tuple[bool, float, bool]:
            name = changes[guess].statement.name
            return name in self._in_force, weights[name], bool(changes[guess].place)

        return max(changes, key=nearness)

    def _standing(self, numbers: Sequence[int]) -> frozenset[tuple[int, Reach]]:
        return frozenset((number, self.reach[number]) for number in numbers)

    def _supposed(self, name: str) -> Hypothesis | None:
        """Return the current assumptions with the hypothesis of a table row; None if it cannot be tried."""
        option, equals, value = name.partition("=")
        if equals:
            there = (option, value) in self._values and self._played(option) != {value}
            return self.now.under(option, value) if there else None
        number = self._number_of(name)
        goes = number >= 0 and self._goes_with(number, self.now)
        return replace(self.now, changes=(*self.now.changes, number)) if goes else None

    def _goes_with(self, number: int, hypothesis: Hypothesis) -> bool:
        """Whether a change goes with those of a hypothesis."""
        return all(self.mutants[number].goes_with(self.mutants[other]) for other in hypothesis.changes)

    def _beyond_table(self) -> list[int]:
        """Return the unexplained scripts, except those for which the table was of no use (it knows nothing of lists of
        legal actions), and except a single failure without a table, for which everything would have to be tried.
        """
        known = self.guesses.known.difference(*map(self._shortest, self.refused)) if self.effort.tabled else frozenset()
        left = [number for number in self.failing() if number not in known or self.reach[number].is_game]
        return left if known or not self.effort.tabled or len(left) > 1 else []

    # ---- single changes of rules -------------------------------------------------------------------

    def _causes(self) -> list[FitCause]:
        causes: list[FitCause] = []
        left_out = set[Kind]()
        vain = 0
        while len(causes) < self.effort.causes and vain < self.effort.in_vain:
            failing = [number for number in self._beyond_table() if self._kind(number) not in left_out]
            if not (failing and self._may_try(CHANGES)):
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
        """Return the single change that explains most, and those that explain the same; with limited effort also values
        of options.
        """
        weights = self._weights(probes)
        near = [number for number in self._nearest(weights) if self._goes_with(number, self.now)]
        most = self.effort.changes if self.guesses.known else max(self.effort.changes, MOST_UNTABLED)
        changes = [replace(self.now, changes=(*self.now.changes, number)) for number in near[:most]]
        values = tuple(self._decisive_values(weights)) if self.effort.tabled else ()
        tries = [(hypothesis, tuple(probes), rank) for rank, hypothesis in enumerate((*values, *changes))]
        promising = self._promising(tries, self.effort.chunk, lambda found, of: ENOUGH * len(found.cured) >= len(of))
        best = promising[: self.effort.measured]
        excepting = [(each, tuple(probes), -1) for each in self._excepting(best) if each not in values]
        first = sorted([*self._better("options", excepting), *best], key=promise, reverse=True)
        refused = len(self.refused)
        cause = self._best_of(first)
        left = promising[self.effort.measured :] if len(self.refused) > refused else ()
        return cause or self._first_of(left)

    def _excepting(self, found: Sequence[WeighedHypothesis]) -> Iterator[Hypothesis]:
        """Return the current assumptions under other values of the options that the changed statements ask for, or
        their exceptions.
        """
        changed = {self.mutants[n].statement.name for each in found for n in each.hypothesis.changes[-1:]}
        asking = {m.statement for m in self.mutants if not changed.isdisjoint((m.statement.name, *m.statement.excepts))}
        names = mentioned(tuple(asking))
        for name, value in self._values:
            if name in names and self._played(name) != {value}:
                yield self.now.under(name, value)

    def _decisive_values(self, weights: Mapping[str, float]) -> Iterator[Hypothesis]:
        """Return the current assumptions under other values of the options asked for by the statements that decided the
        differences.
        """
        most = max(weights.values(), default=0)
        for name, value in self._values:
            if weights[name] > DECISIVE * most and self._played(name) != {value}:
                yield self.now.under(name, value)

    # ---- what explains the same ----------------------------------------------------------------------

    def told_apart(self, found: Fit) -> Fit:
        """Return the causes after sending hands in which a cause and its equals part; the right one is kept. Then some
        hands are sent that differ without it, to confirm that it explains everything.

        What a cause explains has to agree with the seats moved, too: else it is a habit of one seat that looks like a
        rule where the same player always deals. Nor is named what more of the further hands speak against than for; or
        what few scripts suggest, and none of these hands.
        """
        ask = self.ask
        if ask is None:
            return found
        causes, hands = list[FitCause](), self.effort.hands

        def learnt(script: Script) -> Reply | None:
            answer = ask(script)
            found.asked += answer is not None
            name = Sentence("asked {number}", number=str(found.asked))
            return self._learnt(name, script, self.evidence.mended(answer)) if answer is not None else None

        for number, cause in enumerate(found.options + found.causes):
            of = len(found.options) + len(found.causes)
            late = partial(self.is_late, DOUBTING)
            rivals = Rivals(self.evidence, self._rivals(cause), f"apart {number}", hands // (of - number), late)
            self.step("equal explanations", number + 1, of)
            moved = len(self.evidence.replies)
            for script in self._with_seats_moved(cause):
                if (reply := learnt(script)) is not None:
                    rivals.take(reply)
            drawn = range(moved, len(self.evidence.replies))
            for script in islice(rivals.partings(), MOST_ASKED):
                if (reply := learnt(script)) is not None:
                    rivals.take(reply)
            hands -= rivals.hands
            if rivals.cut_short:
                self.beyond[EQUAL] = None
            left = self._left_of(cause, rivals)
            if 2 * agreeing(self.reach[n] for n in drawn) < len(drawn):
                for each in left:
                    self.drop(each)
            else:
                causes += left
        explained = not self.failing()
        for cause in [*causes]:
            if self.is_only_listed(cause, ask):
                causes.remove(cause)
                self.drop(cause)
                continue
            both = {"with": self.now, "without": self.without(cause)}
            pair = Rivals(self.evidence, both, f"confirm {cause.mutant}", is_late=partial(self.is_late, DOUBTING))
            speaks = list[int]()
            for script in islice(pair.partings(), MOST_CONFIRMED):
                if (reply := learnt(script)) is not None:
                    by, without = pair.reach("with", reply), pair.reach("without", reply)
                    speaks.append(by.betters(without) - by.worsens(without))
            few = sum(number < self.shared for number in cause.scripts) < ENOUGH
            if sum(speaks) < 0 or (few and speaks and not any(speaks)):
                causes.remove(cause)
                self.drop(cause)
        found.refuted = explained and bool(self.failing())
        found.options = [cause for cause in causes if cause.option]
        found.causes = [cause for cause in causes if not cause.option]
        found.hypothesis, found.tried = self.now, self.tried
        found.cured = self.cured()
        return found

    def not_of_one_seat(self, found: Fit) -> Fit:
        """Return the causes without those that most of their scripts do not bear out with the seats moved: each of
        these is a habit of one seat. One that differs first where the cause changes nothing tells nothing. After a
        script without an answer no further one is asked.
        """
        ask = self.ask
        for cause in [*found.options, *found.causes]:
            less, of = self.without(cause), self.evidence.introduction
            asked = supports = 0
            for script in self._with_seats_moved(cause) if ask is not None else ():
                if ask is None or (seen := ask(script)) is None:
                    ask = None
                    break
                reply = Reply("", script, self.evidence.mended(seen))
                (reach, differs), (before, differed) = (first_difference(each, reply, of) for each in (self.now, less))
                asked += differs is None or differs != differed
                supports += reach.betters(before)
            if ask is not None and (2 * supports < asked or self.is_only_listed(cause, ask)):
                self.drop(cause)
                found.options = [each for each in found.options if each is not cause]
                found.causes = [each for each in found.causes if each is not cause]
        found.hypothesis, found.cured = self.now, self.cured()
        return found

    def is_only_listed(self, cause: FitCause, ask: Ask | None) -> bool:
        """Whether a cause explains lists of legal actions alone, and what it adds to them is mostly refused, or what it
        takes from them is taken; if nothing can be asked, whether it mostly adds something.
        """
        belied = asked = 0
        for number in sorted(cause.scripts, key=lambda number: (self._place(number), number))[:MOST_CONFIRMED]:
            still = {checked(each.check): each for each in compared(self.now, number).failed if each.check}
            for found in earliest(compared(self.without(cause), number).failed):
                if not isinstance(found.check, MustOffer):
                    return False
                left = still.get(checked(found.check), Finding(found.at, "passed"))
                for every, wrong, refused in (
                    (found.superfluous, left.superfluous, True),
                    (found.missing, left.missing, False),
                ):
                    texts = [text for text in every if text not in wrong]
                    seen = ask(self.done_too(number, found, texts[0])) if texts and ask is not None else None
                    if seen is not None:
                        asked += 1
                        belied += bool(seen[-1].seen[-1].get("refused")) == refused
                    elif texts and ask is None:
                        asked += 1
                        belied += refused
        return 2 * belied > asked

    def _with_seats_moved(self, cause: FitCause) -> Iterator[Script]:
        """Return the shortest scripts that agree to the end by a cause, one seat further."""
        scripts = [self.evidence.replies[number].script for number in cause.scripts if self.reach[number].agrees]
        yield from map(seats_moved, sorted(scripts, key=length_of)[:MOST_CONFIRMED])

    def _rivals(self, cause: FitCause) -> dict[str, Hypothesis]:
        """Return the cause, by its name, then its equals beside the other causes: options first; also other values of
        its option, though the table tells them apart, if the implementation books late.
        """
        less, name = self.without(cause), self.name_of(cause)
        values = [f"{option}={value}" for option, value in self._values if option == cause.option]
        names = (
            *cause.other_values,
            *values,
            *map(self._named_change, cause.others),
            *self.guesses.alike(name),
        )
        found = {name: self.now}
        for other in sorted(dict.fromkeys(names), key=lambda other: "=" not in other)[: self.effort.measured * 2]:
            option, equals, value = other.partition("=")
            if equals and option not in dict(less.options):
                found[other] = less.under(option, value)
            elif not equals and self._goes_with(self._number_of(other), less):
                found[other] = replace(less, changes=(*less.changes, self._number_of(other)))
        found |= self._parts(cause, less)
        tasks = [(hypothesis, cause.scripts) for hypothesis in found.values()]
        reached = dict(zip(found, self._weighed(tasks), strict=True))
        return {other: hypothesis for other, hypothesis in found.items() if reached[other] == reached[name]}

    def _parts(self, cause: FitCause, less: Hypothesis) -> dict[str, Hypothesis]:
        """Return values of several options that together explain the same as one, such as the manners of friendly
        games: each improves some of its scripts, and worsens none.
        """
        beside, named, scripts = less, dict(self.now.options), cause.scripts
        if not cause.option or self._asking(cause.option) < SEVERAL or self.effort.tabled:
            return {}
        reached, parts = self._measured(less, scripts), dict[str, str]()
        for option, value in self._nearest_values(cause, less) if reached else ():
            if option not in named and option not in parts:
                other = self._measured(beside.under(option, value), scripts)
                if other and other != reached and not any(map(Reach.worsens, other, reached)):
                    beside, reached, parts[option] = beside.under(option, value), other, value
        return {" ".join(map("=".join, sorted(parts.items()))): beside} if len(parts) > 1 else {}

    def _left_of(self, cause: FitCause, rivals: Rivals) -> list[FitCause]:
        """Return the remaining explanation, and those that no hand tells from it; several options may be one."""
        name, *others = rivals.left
        if name != self.name_of(cause):
            before, reach = self.now, [*self.reach]
            self._assume(rivals.left[name])
            if agreeing(self.reach) < agreeing(reach):
                self.now, self.reach = before, reach
                return [cause]
            if " " in name:
                pairs = (part.partition("=") for part in name.split())
                parts = [FitCause((), 0, cause.difference, option, value) for option, _, value in pairs]
                asked = self._asked()
                return [each for part in parts if (each := self._with_more(part, asked)).scripts]
            option, _, value = name.partition("=") if "=" in name else ("", "", "")
            cause = replace(cause, option=option, value=value, mutant=-1 if option else self._number_of(name))
            cause = self._with_more(replace(cause, scripts=()), self._asked())
        cause = self._with_more(cause, self.every[self.shared :])
        left = replace(
            cause,
            others=tuple(self._number_of(other) for other in others if "=" not in other)[:MOST_ALIKE],
            other_values=tuple(other for other in others if "=" in other),
        )
        return [left]
