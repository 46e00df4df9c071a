"""Options as causes: values that explain differences, another value in the place of one, an option in the place of a
changed rule.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mismatch, compared
from truco_spec.conformance.fit.trying import MOST_ALIKE, OPTIONS, SHORT, Trying, explains, is_worth, leads_on
from truco_spec.conformance.fit.weighing import ABOUT, ENOUGH, Try
from truco_spec.graph import walk

SEVERAL = 3
"""The number of accepted options from which changes are doubted."""
MOST_EXCHANGED = 4
"""The most accepted options exchanged for another value, to see whether more is explained then."""
FEW_ASKED = 50
"""Fewer answers have many explanations: a cause of less than :data:`ENOUGH` of them is named with all alternatives."""
MOST_PAIRED = 24
"""The most values of options tried in pairs."""


class OptionCauses(Trying):
    """Options beside the current assumptions. Raises :class:`FitError`."""

    # ---- accepted ----------------------------------------------------------------------------------

    def _options(self, *, on_the_way: bool = False) -> list[FitCause]:
        causes: list[FitCause] = []
        for _ in range(self.effort.causes):
            failing = self.failing()
            if not (failing and self._may_try(OPTIONS)):
                break
            better = list(self._better("options", self._near_values(failing), on_the_way=on_the_way))
            more = list(self._accepted(better, is_worth if on_the_way else explains))
            if on_the_way and not more:
                more = list(islice(self._accepted(better, leads_on), 1))
            causes = [cause for cause in causes if cause.option not in {new.option for new in more}] + more
            if not more:
                break
        return causes

    def _near_values(self, failing: Sequence[int]) -> list[Try]:
        """Yield every other value, those of options near to the differences first."""
        weights = self._weights(self._of_each_kind(failing, self.effort.change_probes))
        values = sorted(self._values, key=lambda pair: -weights[pair[0]])
        values = [(name, value) for name, value in values if self._played(name) != {value}]
        return [
            (self.now.under(name, value), self._probes(failing, name), rank)
            for rank, (name, value) in enumerate(values[: self.effort.options])
        ]

    def _played(self, name: str) -> set[str]:
        """Return the values of the option under which the scripts are played by the current assumptions."""
        assumed, default = dict(self.now.options).get(name), self.plain.graph().options[name].value
        scripts = (reply.script for reply in self.evidence.replies)
        return {assumed} if assumed else {script.options.get(name, default) for script in scripts}

    def _probes(self, failing: Sequence[int], option: str) -> tuple[int, ...]:
        """Return the scripts on which an option is tried first: of every kind of difference, and about it."""
        about = [number for number in self.every if option in self.evidence.replies[number].about]
        wrong = [number for number in about if not self.reach[number].agrees][:ABOUT]
        right = [number for number in about if self.reach[number].agrees][: ABOUT // 3]
        return tuple(dict.fromkeys((*self._probed(failing), *wrong, *right)))

    def _probed(self, failing: Sequence[int]) -> tuple[int, ...]:
        """Return short and long scripts of every kind of difference."""
        return self._of_each_kind(failing, self.effort.option_probes, evenly=True)

    # ---- reconsidered ------------------------------------------------------------------------------

    def _exchanged(self, taken: list[FitCause]) -> list[FitCause]:
        """Return the accepted causes; or, if scripts are unexplained, another value of one of these options with the
        causes that explain more beside it, though that value alone may worsen more than it improves.
        """
        names, probes = {cause.option for cause in taken}, self._probed(self.failing())
        values = [pair for pair in self._values if pair[0] in names and pair not in self.now.options] if probes else []
        weighed = self._weighed([(self.now.under(*value), probes) for value in values])
        better = {
            value: sum(map(self._betters, probes, reached)) for value, reached in zip(values, weighed, strict=True)
        }
        for value in sorted(filter(better.get, values), key=better.__getitem__, reverse=True)[:MOST_EXCHANGED]:
            if not self._may_try(OPTIONS):
                break
            before, reach, shown = self.now, [*self.reach], self.about(probes[0])[0]
            self._assume(self.now.under(*value))
            more = self._options(on_the_way=True)
            if agreeing(self.reach) > agreeing(reach):
                other = self._with_more(FitCause((), 0, shown, *value), self._asked())
                return latest([*taken, *([other] if other.scripts else []), *more])
            self.now, self.reach = before, reach
        return taken

    def _reconsidered(self, taken: list[FitCause]) -> list[FitCause]:
        """Return the accepted causes after reconsidering options: two further ones if only both together explain the
        rest, and an option in place of a change, or of an earlier option that hides it, if it explains as much (in
        place of an option: more).
        """
        if sum(bool(cause.option) for cause in taken) < SEVERAL:
            return taken
        taken = [*taken, *self._pair()]
        for cause in filter(self._stands_for_another, taken):
            if not self._may_try(OPTIONS):
                break
            tries = [self.without(cause).under(*value) for value in self._near(cause.scripts, cause.option)]
            probes = (*cause.scripts[:ABOUT], *self.failing()[:ABOUT])
            if other := self._explaining(tries, probes, bool(cause.option), cause.difference):
                taken = [each for each in taken if each is not cause] + other
        return taken

    def _pair(self) -> list[FitCause]:
        """Return two values of options that together explain some of the rest, while neither does alone."""
        failing = self.failing()[:ABOUT]
        if not (failing and self._may_try(OPTIONS)):
            return []
        values = itertools.combinations(self._near(failing)[:MOST_PAIRED], 2)
        pairs = [self.now.under(*one).under(*other) for one, other in values if one[0] != other[0]]
        return self._explaining(pairs, failing, 1, self.about(failing[0])[0])

    def _stands_for_another(self, cause: FitCause) -> bool:
        """Whether it is a change; or an option without which some of the rest agrees further."""
        failing = self.failing()[:ABOUT]
        reached = self._measured(self.without(cause), failing) if cause.option else ()
        return not cause.option or any(map(self._betters, failing, reached))

    def _explaining(
        self, tries: Sequence[Hypothesis], probes: Sequence[int], least: int, shown: Mismatch
    ) -> list[FitCause]:
        """Return the options of the first of these hypotheses that makes at least ``least`` more scripts agree, and
        assume it. None if there is none.
        """
        weighed = zip(tries, self._weighed([(each, tuple(probes)) for each in tries]), strict=True)
        enough = agreeing(self.reach[number] for number in probes) + least
        counts = {each: agreeing(reached) for each, reached in weighed}
        promising = sorted((each for each in tries if counts[each] >= enough), key=counts.__getitem__, reverse=True)
        asked = self._asked()
        for hypothesis in promising[: self.effort.measured]:
            reached = self._measured(hypothesis, asked)
            if agreeing(reached) >= agreeing(self.reach[number] for number in asked) + least:
                more = dict(hypothesis.options).items() - dict(self.now.options).items()
                self.now = hypothesis
                self._know(asked, reached)
                causes = [self._with_more(FitCause((), 0, shown, *value), asked) for value in sorted(more)]
                for cause in causes:
                    self.now = self.now if cause.scripts else self.without(cause)
                return [cause for cause in causes if cause.scripts]
        return []

    # ---- in the place of a cause -------------------------------------------------------------------

    def _as_option(self, cause: FitCause) -> FitCause:
        """Return the cause; or an option in its place for which the changed statement asks, if it explains as much."""
        for (option, value), hypothesis in self._explaining_alike(cause).items():
            self._assume(hypothesis)
            others = (cause.mutant, *cause.others)[:MOST_ALIKE]
            cause = replace(cause, option=option, value=value, mutant=-1, others=others)
            return self._with_more(cause, self._asked())
        return cause

    def _narrowed(self, cause: FitCause) -> FitCause:
        """Return the cause with the option that the fewest statements ask for, of those that explain as much; the
        others beside it. A permissive option is not named for the effect of one of its permissions.
        """
        named = {(cause.option, cause.value): self.now, **self._explaining_alike(cause)}
        option, value = min(named, key=lambda pair: self._asking(pair[0]))
        if named[option, value] is not self.now:
            self._assume(named[option, value])
        del named[option, value]
        others = dict.fromkeys((*map("=".join, named), *cause.other_values))
        others.pop(f"{option}={value}", None)
        return replace(cause, option=option, value=value, other_values=tuple(others))

    def _explaining_alike(self, cause: FitCause) -> dict[tuple[str, str], Hypothesis]:
        """Return the values of options with which the scripts agree as far in the cause's place."""
        less, named = self.without(cause), {name for name, _ in self.now.options if name != cause.option}
        if cause.option:
            near = self._narrower(cause)
        else:
            names = self.mutants.asks.get(self.mutants[cause.mutant].statement.name, frozenset())
            near = [pair for pair in self._values if pair[0] in names]
        near += [] if self.effort.tabled or not cause.option else self._nearest_values(cause, less)
        if cause.option and len(self.every) < FEW_ASKED and len(cause.scripts) < ENOUGH:
            near += [value for value in self._near(cause.scripts, cause.option)[:MOST_PAIRED] if value not in near]
        found = {pair: less.under(*pair) for pair in near if pair[0] not in named and pair not in self.now.options}
        for asked in (lambda each: cause.scripts[:ABOUT], lambda each: cause.scripts, self._concerned):
            found = {pair: each for pair, each in found.items() if self._agrees_as_far(each, asked(each))}
        return {pair: each for pair, each in found.items() if self._is_compared(each, less, cause.scripts[:SHORT])}

    def _nearest_values(self, cause: FitCause, less: Hypothesis) -> list[tuple[str, str]]:
        """Return the values of options nearest to the differences without a cause."""
        if not self._is_playable(less, cause.scripts):
            return []
        differing = [number for number in cause.scripts[:ABOUT] if compared(less, number).differs is not None]
        whole, self.now = self.now, less
        weights = self._weights(differing)
        self.now = whole
        near = sorted(filter(lambda pair: weights[pair[0]], self._values), key=lambda pair: -weights[pair[0]])
        return near[: self.effort.kinds]

    def _narrower(self, cause: FitCause) -> list[tuple[str, str]]:
        """Return the values of options that fewer statements ask for, including some that ask for the cause's option;
        those shared by most first.
        """
        asking, shared = walk.reached(self._asked_by, (cause.option,)), Counter[str]()
        for name in asking:
            shared.update(self.mutants.asks.get(name, ()))
        near = (pair for pair in self._values if shared[pair[0]] and self._asking(pair[0]) < len(asking))
        return sorted(near, key=lambda pair: -shared[pair[0]] / self._asking(pair[0]))[:MOST_PAIRED]

    def _near(self, numbers: Sequence[int], beside: str = "") -> list[tuple[str, str]]:
        """Return the values of options not named yet, or of this one, under which some of these scripts may differ: by
        the table, if it knows them; otherwise those with most scripts first, if they have to do with the differences.
        """
        plain, now, weights = dict(self.plain.options), dict(self.now.options), self._weights(self.failing()[:ABOUT])
        options, scripts = self.plain.graph().options, {n: self.evidence.replies[n].script for n in numbers}
        met = dict[tuple[str, str], int]()
        for name, value in self._values:
            if (name == beside or now.get(name) == plain.get(name)) and now.get(name) != value:
                row, own = self.guesses.row(f"{name}={value}"), options[name].value
                others = {n for n in numbers if scripts[n].options.get(name, own) != value}
                met[name, value] = len(others if row is None else others.difference(self.guesses.known - row))
        return sorted(filter(met.get, met), key=lambda value: (-met[value], -weights[value[0]]))

    def _asking(self, option: str) -> int:
        """Return the number of statements that ask for an option, or a question that does."""
        return len(walk.reached(self._asked_by, (option,)))

    def _is_playable(self, hypothesis: Hypothesis, numbers: Sequence[int]) -> bool:
        """Whether these scripts are playable by it: a change of a rule may need an option beside it."""
        return all(self._weighed([(hypothesis, tuple(numbers[:1]))]))

    def _agrees_as_far(self, hypothesis: Hypothesis, numbers: tuple[int, ...]) -> bool:
        """Whether at least as many of these scripts agree further by it as less far."""
        gain, most = 0, sum(not self.reach[number].agrees for number in numbers)
        for some in (numbers[:1], numbers):  # mostly the first agrees less far, which is enough
            reached = self._measured(hypothesis, some)
            pairs = [(new, self.reach[n]) for n, new in zip(some, reached, strict=False)]
            gain = sum(new.betters(now) - new.worsens(now) for new, now in pairs)
            if len(pairs) < len(some) or gain + most < 0:
                return False
        return gain >= 0

    # ---- assumed -----------------------------------------------------------------------------------

    def drop(self, cause: FitCause) -> None:
        """Remove it from the assumptions."""
        self._assume(self.without(cause))

    def _assume(self, hypothesis: Hypothesis) -> None:
        self.now = hypothesis
        self._measure(self._asked())


def agreeing(reached: Iterable[Reach]) -> int:
    """Return the number of scripts that agree to the end."""
    return sum(reach.agrees for reach in reached)


def latest(causes: Sequence[FitCause]) -> list[FitCause]:
    """Return the causes without those whose option got another value later."""
    last = {cause.option: cause for cause in causes}
    return [cause for cause in causes if not cause.option or cause is last[cause.option]]
