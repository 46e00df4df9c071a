"""Tries hypotheses: first on some scripts, then against all that may be affected; those that explain
more are accepted.
"""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus.protocol import START, acts_in
from truco_spec.conformance.corpus.vocabulary import word_of, words_by_kind
from truco_spec.conformance.fit.evidence import Evidence, Reply
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.how_far import AGREES, NO_GAME, PER_HAND, Reach
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mismatch, compares, is_belied, mended, takes_less
from truco_spec.conformance.fit.likeness import Guesses, table_of
from truco_spec.conformance.fit.mutants import KEPT, Mutant
from truco_spec.conformance.fit.weighing import MUCH, TASK, TO_BUILD, Try, WeighedHypothesis, Weighing
from truco_spec.graph import walk
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY

MOST_ASSUMED = 60
"""The most scripts, of those assumed to agree, on which a change unknown to the table is tested."""
SHORT = 8
"""The most of the shortest scripts improved by a hypothesis that are examined for whether anything is compared."""
ALIKE, OPTIONS, CHANGES, EQUAL = (
    Sentence("further rules that fail alike"),
    Sentence("further options"),
    Sentence("further changes of rules"),
    Sentence("further hands that tell equal explanations apart"),
)
"""What the report says was not examined further, if effort ran out."""
SEARCHING, DOUBTING = 0.6, 0.9
"""The shares of the time after which no further causes are searched, and no hands sent to tell them apart."""
MOST_ALIKE = 5
"""The most changes named that explain the same."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort of one round: the values of ``options`` and ``changes`` of rules tried, those nearest to the
    differences first, each on its ``probes`` of ``kinds`` differences; ``measured`` of the best are tested on all the
    evidence. The best of a ``chunk`` of changes is examined before the next. Ends after at most ``causes``, or rounds
    ``in_vain``. Before that ``guesses`` of the table are tried at once, and if none of them makes its probes agree,
    those ``as_likely``, one by one, until that is in ``vain`` so often. At most ``tried`` hypotheses are tried in all,
    and ``hands`` played to tell equals apart; if ``tabled``, differences that look like nothing in the table are left.
    ``options`` are tried if the table knows no script; beside changes only those asked for by the rules that decided
    the differences.
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
    tried: int = sys.maxsize
    hands: int = sys.maxsize


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
    tried=2000,
    hands=2000,
)
BRIEF = Effort(
    options=1000,
    changes=6,
    option_probes=8,
    change_probes=4,
    chunk=12,
    measured=2,
    causes=8,
    kinds=1,
    in_vain=5,
    guesses=3,
    as_likely=6,
    vain=3,
    tabled=True,
)
HANDS = replace(
    THOROUGH,
    changes=90,
    option_probes=12,
    change_probes=8,
    chunk=30,
    measured=4,
    causes=8,
    kinds=4,
    in_vain=3,
    tried=sys.maxsize,
    hands=sys.maxsize,
)
"""For random hands, which no table knows: every value of an option is tried, and more changes."""


class Trying(Weighing):
    """Hypotheses beside the current assumptions, with limited ``effort``. Raises :class:`FitError`."""

    def __init__(
        self,
        evidence: Evidence,
        executor: Executor | None,
        on_step: Callable[[str, int, int], None],
        effort: Effort,
        beside: Sequence[Reply] = (),
        ends: float = math.inf,
    ) -> None:
        self.effort, self.beside, self.what, self.began = effort, beside, "rules", time.monotonic()
        super().__init__(evidence, executor, on_step, ends)
        self.beyond = dict[str, None]()
        self.taken = dict[tuple[str, str, int], FitCause]()
        table = table_of(self.plain.variant, self.plain.players)
        names = ["=".join(pair) for pair in self._values]
        changes = zip(self.mutants.digests, self.mutants, strict=True)
        names += [digest for digest, _ in sorted(changes, key=lambda change: change[1].deep)]
        self.guesses = Guesses(table, names if table.rows else (), evidence.replies, dict(self.plain.options))

    @cached_property
    def _values(self) -> list[tuple[str, str]]:
        """The values of all options that were not requested."""
        asked = {HOW_MANY, *self.evidence.setting.options}
        options = (option for option in self.plain.graph().options.values() if option.name not in asked)
        return [(option.name, value) for option in options for value in option.values]

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {digest: number for number, digest in enumerate(self.mutants.digests)}

    def name_of(self, cause: FitCause) -> str:
        """Return the name of a cause in the table."""
        return f"{cause.option}={cause.value}" if cause.option else self._named_change(cause.mutant)

    def _named_change(self, number: int) -> str:
        """Return the digest of a change; of an order of cards, unknown to every table, its variant and number."""
        return self.mutants.digests[number] if number < len(self.mutants) else f"{self.plain.variant}/{number}"

    def _number_of(self, name: str) -> int:
        """Return the number of a change by its name; -1 if it is none of this variant."""
        variant, order, number = name.partition("/")
        return self._numbers.get(name, -1) if not order else int(number) if variant == self.plain.variant else -1

    def _named(self, hypothesis: Hypothesis) -> list[str]:
        """Return the names in the table of a hypothesis."""
        plain = dict(self.plain.options).items()
        options = ["=".join(pair) for pair in hypothesis.options if pair not in plain]
        return [*options, *map(self._named_change, hypothesis.changes)]

    def _moved(self) -> frozenset[int]:
        """Return the scripts that, by the table, differ under the current assumptions."""
        return frozenset().union(*(self._row(name) or () for name in self._named(self.now)))

    def _row(self, name: str) -> frozenset[int] | None:
        """Return the scripts that, by the table, differ under an option value or a change; None if that is unknown, as
        it is of a statement that asks for an option claimed otherwise than the table was made with.
        """
        number = self._numbers.get(name)
        return None if number is not None and self._is_untabled(number) else self.guesses.row(name)

    def _is_untabled(self, change: int) -> bool:
        """Whether the table tells nothing of a change: of one for diagnosis alone, or of a statement that asks for an
        option claimed otherwise.
        """
        return (
            change in self._untabled
            or change >= len(self.mutants)
            or self.mutants[change].statement.name in self._asking_otherwise
        )

    @cached_property
    def _asking_otherwise(self) -> Set[str]:
        """The statements that ask for an option claimed otherwise than by default, also through others."""
        default = load(self.plain.variant).options
        claimed = [name for name, value in self.plain.options if name in default and default[name].value != value]
        return walk.reached(self._asked_by, claimed)

    # ---- tried ---------------------------------------------------------------------------------------

    def _may_try(self, what: str) -> bool:
        """Whether hypotheses are left to try; otherwise the report says that this was not examined further."""
        may = self.tried < self.effort.tried and not self.is_late(SEARCHING)
        if not may:
            self.beyond[what] = None
        return may

    def is_late(self, share: float) -> bool:
        """Whether more than this share of the time is over."""
        return time.monotonic() > self.began + share * (self.ends - self.began)

    def step(self, what: str, done: int, of: int) -> None:
        """Report progress; if the hypotheses are limited, how many of them were examined."""
        self.what = what
        if self.effort.tried == sys.maxsize:
            self.on_step(what, done, of)

    def looked_at(self, hypotheses: int) -> None:
        super().looked_at(hypotheses)
        if self.effort.tried < sys.maxsize:
            self.on_step(self.what, min(hypotheses, self.effort.tried), self.effort.tried)

    def _promising(
        self,
        tries: Sequence[Try],
        chunk: int,
        enough: Callable[[WeighedHypothesis, Sequence[int]], bool],
        first: int = 0,
    ) -> list[WeighedHypothesis]:
        """Return the changes, from the ``first``, that improve their probes, the best first; no more are tried once one
        is enough.
        """
        found: list[WeighedHypothesis] = []
        for at in range(first, len(tries), chunk):
            found += self._better("rules", tries[at : at + chunk])
            if self.is_late(SEARCHING) or any(enough(each, tries[each.rank][1]) for each in found):
                break
        return sorted(found, key=promise, reverse=True)

    def _better(self, what: str, tries: Sequence[Try], *, on_the_way: bool = False) -> Iterator[WeighedHypothesis]:
        """Return the hypotheses that improve more than they worsen on their probes, the best first."""
        found = []
        weighed = self._weighed([(hypothesis, numbers) for hypothesis, numbers, _ in tries])
        for done, ((hypothesis, numbers, rank), reached) in enumerate(zip(tries, weighed, strict=True), 1):
            self.step(what, done, len(tries))
            reached = self._with_unbegun(numbers, reached) if reached else ()
            each = self._compared(hypothesis, numbers, reached, rank)
            if leads_on(each) if on_the_way else is_worth(each):
                found.append(each)
        yield from sorted(found, key=lambda each: (len(each.cured), each.worth), reverse=True)

    def _best_of(self, promising: Sequence[WeighedHypothesis]) -> FitCause | None:
        """Return the change that explains most, and those that explain the same."""
        standing = filter(self._stands, filter(self._tells, filter(explains, map(self._held, promising))))
        whole = filter(self._is_true, standing)
        explaining = sorted(islice(whole, 1 if self.effort.tabled else None), key=self._preferred, reverse=True)
        for best in explaining[:1]:
            options = self.now.options
            if best.hypothesis.options != options and (self.assumed or self.effort.tabled):
                (name, _), *_ = (pair for pair in best.hypothesis.options if pair not in options)
                near = self._by_nearness(name, (value for other, value in self._values if other == name))
                tries = [replace(best, hypothesis=best.hypothesis.under(name, value)) for value in near]
                # What is first measured for one value counts for all of them.
                self._measure([number for number in best.numbers if number in self.assumed])
                best = self._held_against(best, best.numbers)
                held = [each for each in tries if self._explains_as_much(each, best)]
                alike = [self._held_against(each, best.numbers) for each in held]
                best, *others = self._told_by_all(alike, lambda each: each.worth[0])
                explaining += others
            equal = (each for each in explaining[1:] if effects(each) == effects(best))
            same = {each.hypothesis: None for each in equal if each.hypothesis != best.hypothesis}
            changed = [hypothesis for hypothesis in same if hypothesis.options == options]
            values = ["=".join(pair) for hypothesis in same for pair in hypothesis.options if pair not in options]
            return replace(
                self._taken(best),
                others=tuple(hypothesis.changes[-1] for hypothesis in changed[:MOST_ALIKE]),
                other_values=tuple(values),
            )
        return None

    def _explains_as_much(self, found: WeighedHypothesis, best: WeighedHypothesis) -> bool:
        """Whether it explains as much as the best, on the scripts of that; not continued once it cannot."""
        numbers, held, tested = sorted(best.numbers, key=lambda number: self.reach[number].agrees), found, 0
        while tested < len(numbers):
            tested = 2 * tested or TO_BUILD
            held = self._held_against(found, tuple(numbers[:tested]))
            if held.worth[0] + sum(not self.reach[number].agrees for number in numbers[tested:]) < best.worth[0]:
                return False
        return held.worth[0] == best.worth[0]

    def _told_by_all(
        self, alike: Sequence[WeighedHypothesis], worth: Callable[[WeighedHypothesis], float]
    ) -> list[WeighedHypothesis]:
        """Return values of an option that explain as much, first the one with which most of the scripts assumed
        unaffected agree, too.
        """
        several = self.assumed and len({each.hypothesis for each in alike}) > 1
        if not several:
            return sorted(alike, key=worth, reverse=True)
        untold = frozenset.intersection(*(self._untold(each.hypothesis) for each in alike))
        asked = tuple(number for number in self.every if number not in untold)
        return sorted((self._held_against(each, asked) for each in alike), key=worth, reverse=True)

    def _stands(self, found: WeighedHypothesis) -> bool:
        """Whether it still explains far more than it worsens on all the scripts that were only assumed unaffected."""
        untabled = any(map(self._is_untabled, found.hypothesis.changes[-1:]))
        told = frozenset[int]() if untabled else self.guesses.known
        left, worse = sorted(self.assumed.difference(told, found.numbers)), len(found.worse)
        for at in range(0, len(left), MOST_ASSUMED):
            whole = self._held_against(found, tuple(left[at : at + MOST_ASSUMED]))
            worse += len(whole.worse)
            if not whole.numbers or MUCH * worse > len(found.better):
                return False
        return found.hypothesis.options == self.now.options or not self._bars(found)

    def _is_true(self, found: WeighedHypothesis) -> bool:
        """Whether no answer accepts or offers an action of a removed permission, also behind other differences, or by
        other numbers of players; of a permission that is only changed: seldom. Nor is there a kind of action that it
        never takes in what it was tried on, and answers do; nor does what the next deal or hand forgets to reset
        explain first hands alone.
        """
        hypothesis, now = found.hypothesis, self.now
        asked = [self.evidence.replies[number] for number in found.numbers]
        if self._is_refused(found) or takes_less(hypothesis, now, asked, self.evidence.introduction):
            return False
        if hypothesis.options != now.options:
            return True
        mutant, words = self.mutants[hypothesis.changes[-1]], self._words_of(hypothesis.changes[-1])
        if mutant.what.startswith(KEPT) and all(self.reach[n].first < PER_HAND + START for n in found.better):
            return False
        untold = frozenset() if "legal" in self.evidence.introduction.observes else self._untold(hypothesis)
        replies, belied = (reply for n, reply in enumerate(self.evidence.replies) if n not in untold), 0
        for reply in (*replies, *self.beside):
            if words.isdisjoint(said_in(reply)):
                continue
            changed, before = (replace(each, players=len(reply.script.players)) for each in (hypothesis, now))
            belied += is_belied(changed, before, reply, self.evidence.introduction)
            if belied and (mutant.other is None or MUCH * belied > len(found.better)):
                return False
        return True

    def _is_refused(self, found: WeighedHypothesis) -> bool:
        """Whether the implementation, asked, takes no word as it is by this hypothesis."""
        return False

    def _words_of(self, mutant: int) -> frozenset[str]:
        """The words of the actions of which the statement speaks that a change is of, by its number."""
        verbs = (verb.name for clause in self.mutants[mutant].statement.clauses for verb in clause.verbs)
        return frozenset[str]().union(*(self._words.get(verb, ()) for verb in verbs))

    @cached_property
    def _words(self) -> Mapping[str, frozenset[str]]:
        return words_by_kind(self.plain.graph())

    @cached_property
    def _untabled(self) -> Mapping[int, Mutant]:
        """The changes that no table knows, by number."""
        return {number: mutant for number, mutant in enumerate(self.mutants) if mutant.untabled}

    def _tells(self, found: WeighedHypothesis) -> bool:
        """Whether it makes answers agree, and leads few of them to where nothing is compared, such as an endless count;
        a change that improves a single script has to make it agree to the end.
        """
        if found.hypothesis.options == self.now.options and len(found.better) == 1 and not found.cured:
            return False
        return self._is_compared(found.hypothesis, self.now, self._shortest(found)[:SHORT])

    def _is_compared(self, hypothesis: Hypothesis, before: Hypothesis, numbers: Sequence[int]) -> bool:
        """Whether something is compared in at least half of these scripts for which the two
        expect different results.
        """
        replies = [self.evidence.replies[number] for number in numbers]
        told = sum(compares(hypothesis, before, each, self.evidence.introduction) for each in replies)
        return 2 * told >= len(replies)

    def _shortest(self, found: WeighedHypothesis) -> list[int]:
        """Return the scripts that it improves, the shortest first."""
        return sorted(found.better, key=lambda n: (self._place(n), n))

    def _shown_best(self, found: WeighedHypothesis) -> tuple[int, Mismatch | None]:
        """Return the shortest script that it improves, and where that differs from the current assumptions, and not
        from it.
        """
        shortest = self._shortest(found)[0]
        reach = dict(zip(found.numbers, found.reached, strict=True)).get(shortest, AGREES)
        return shortest, mended(self.now, self.evidence.replies[shortest], self.evidence.introduction, reach)

    def _preferred(self, found: WeighedHypothesis) -> tuple[int, int, bool, bool, bool, int]:
        """Return the one that explains more, and more of it to the end; an option rather than a change, and a change of
        a statement in force rather than of one that never holds here; of one value or row rather than another.
        """
        worth, rank = found.worth
        mutant = None if found.hypothesis.options != self.now.options else self.mutants[found.hypothesis.changes[-1]]
        in_force = mutant is None or mutant.statement.name in self._in_force
        return worth, len(found.cured), mutant is None, in_force, bool(mutant and mutant.place), rank

    @cached_property
    def _in_force(self) -> frozenset[str]:
        """The rules, answers and branches that may hold under the claimed options."""
        graph = self.plain.graph()
        answers = (answer.name for define in graph.defines.values() for answer in define.answers)
        branches = (turn.name for effect in graph.effects.values() for turn in effect.turns)
        return frozenset((*graph.rules, *answers, *branches))

    def _held_against(self, found: WeighedHypothesis, numbers: tuple[int, ...] | None = None) -> WeighedHypothesis:
        """Return the hypothesis tested on these scripts, or on all that it may affect, beside those it was tried on."""
        if numbers is None:
            numbers = tuple(sorted({*self._concerned(found.hypothesis), *found.numbers}))
        return self._compared(found.hypothesis, numbers, self._measured(found.hypothesis, numbers), found.rank)

    def _held(self, found: WeighedHypothesis) -> WeighedHypothesis:
        """Return the same, requested options first; not continued once it explains nothing, as scripts assumed to agree
        are seldom improved.
        """
        numbers = {*self._concerned(found.hypothesis), *found.numbers}
        left, whole = sorted(numbers & self.assumed), tuple(sorted(numbers - self.assumed))
        for at in range(0, len(left), TASK):
            held = self._held_against(found, whole)
            if not explains(held):
                return held
            whole += tuple(left[at : at + TASK])
        return self._held_against(found, tuple(sorted(whole)))

    def _concerned(self, hypothesis: Hypothesis) -> tuple[int, ...]:
        """Return the scripts that it may affect: of those assumed to agree only the ones named by the table, and some
        that it does not know.

        Where only the table is asked, what it says of all that was assumed and is now supposed is enough.
        """
        if not self.assumed:
            return self.every
        names = ["=".join(pair) for pair in hypothesis.options if pair not in self.now.options]
        names += [self._named_change(number) for number in hypothesis.changes if number not in self.now.changes]
        row = self._row(names[0]) if names else None
        unknown = self.assumed if row is None else self.assumed - self.guesses.known
        few = {*sorted(unknown)[:MOST_ASSUMED], *(row or ())}
        untold = self._untold(hypothesis) if self.effort.tabled and row is not None else frozenset()
        asked = (number for number in self.every if number not in self.assumed or number in few)
        return tuple(number for number in asked if number in few or number not in untold)

    def _untold(self, hypothesis: Hypothesis) -> frozenset[int]:
        """Return the scripts that, by the table, none of this hypothesis affects; without those that differ in legal
        actions or views, of which the table knows nothing.
        """
        rows = [self._row(name) for name in self._named(hypothesis)]
        beside = {number for number in self.failing() if self.reach[number].wrong}
        return frozenset() if None in rows else self.guesses.known.difference(beside, *filter(None, rows))

    # ---- taken ---------------------------------------------------------------------------------------

    def _accepted(
        self,
        found: Iterable[WeighedHypothesis],
        enough: Callable[[WeighedHypothesis], bool] | None = None,
        *,
        all_asked: bool = False,
    ) -> Iterator[FitCause]:
        """Accept for each option the value that improves all the evidence most, of equal ones the one next to the
        current value, if that is ``enough``: by default :func:`explains`; with :func:`leads_on` its losses must weigh
        no more than its gains. ``all_asked``: no script is assumed unaffected.
        """
        worth = gain if enough is leads_on else lambda whole: whole.worth[0]
        values = dict[str, dict[str, WeighedHypothesis]]()
        for each in found:
            name, value = next(pair for pair in each.hypothesis.options if pair not in self.now.options)
            values.setdefault(name, {})[value] = each
        for name, those in values.items():
            held = {
                value: self._held_against(
                    replace(those[value], hypothesis=self.now.under(name, value)), self.every if all_asked else None
                )
                for value in self._by_nearness(name, those)
            }
            most = max(map(worth, held.values()))
            best, *others = self._told_by_all([each for each in held.values() if worth(each) == most], worth)
            if not ((enough or explains)(best) and self._tells(best)) or self._is_refused(best):
                continue
            if not self._bars(best):
                same = (dict(each.hypothesis.options)[name] for each in others if effects(each) == effects(best))
                yield replace(self._taken(best), other_values=tuple(f"{name}={value}" for value in same))

    def _by_nearness(self, name: str, values: Iterable[str]) -> list[str]:
        """Return values of an option, those next to the current one first."""
        option = self.plain.graph().options[name]
        order, now = option.values, dict(self.now.options).get(name, option.value)
        return sorted(values, key=lambda value: abs(order.index(value) - order.index(now)))

    def _bars(self, found: WeighedHypothesis) -> bool:
        """Whether too many scripts that were played, and assumed unaffected, are unplayable by it, which the table does
        not say. They begin with a score that ends the match by it, or have cards that are not in its pack.
        """
        pack = frozenset(card.name for card in found.hypothesis.graph().cards if card.present)
        alike = defaultdict[object, list[int]](list)
        for number in sorted(self.assumed):
            script, others = self.evidence.replies[number].script, cards_of(self.evidence.replies[number]) - pack
            if script.score or others:
                begins = {**script.score, "": others}, script.options, len(script.hands)
                alike[repr(begins)].append(number)
        firsts = [numbers[0] for numbers in alike.values()]
        none = zip(alike.values(), self._measured(found.hypothesis, firsts), strict=False)
        asked = [number for numbers, reach in none if reach == NO_GAME for number in numbers]
        pairs = zip(self._measured(found.hypothesis, asked), self._measured(self.now, asked), strict=False)
        return MUCH * sum(new == NO_GAME != now for new, now in pairs) > len(found.better)

    def _taken(self, found: WeighedHypothesis) -> FitCause:
        """Assume it from now on."""
        shortest, differs = self._shown_best(found)
        assert differs is not None  # it is bettered
        changed = [pair for pair in found.hypothesis.options if pair not in self.now.options]
        name, value = changed[0] if changed else ("", "")
        mutant = -1 if changed else found.hypothesis.changes[-1]
        cause = FitCause(found.better, shortest, differs, name, value, mutant)
        self.taken[name, value, mutant] = cause
        self.now = found.hypothesis
        self._know(found.numbers, found.reached)
        if self.effort.tabled:
            self._measure(self.failing())  # what else it mends beside claims and other causes no table tells
        return cause

    def _needed(self, causes: Sequence[FitCause]) -> tuple[list[FitCause], list[FitCause]]:
        """Return the causes without which less of the evidence is explained; for the others another
        explains the same.
        """
        kept, asked = list(causes), self._asked()
        for cause in (each for each in causes if self._may_be_another(each, causes)):
            less, reached = self.without(cause), tuple[Reach, ...]()
            for numbers in (cause.scripts[:1], cause.scripts):  # mostly the first agrees less far, which is enough
                reached = self._measured(less, numbers)
                if any(new.worsens(self.reach[number]) for number, new in zip(numbers, reached, strict=False)):
                    break
            else:
                reached = reached and self._measured(less, asked)
                if reached and not any(new.worsens(self.reach[n]) for n, new in zip(asked, reached, strict=True)):
                    self.now = less
                    self._know(asked, reached)
                    kept.remove(cause)
        dropped = sorted({number for cause in causes if cause not in kept for number in cause.scripts})
        kept = [self._with_more(cause, dropped) for cause in kept] if dropped else kept
        return [cause for cause in kept if cause.option], [cause for cause in kept if not cause.option]

    def _may_be_another(self, cause: FitCause, causes: Sequence[FitCause]) -> bool:
        """Whether another cause may explain what this one does."""
        rows = [self._row(self.name_of(other)) for other in causes if other is not cause]
        return any(row is None or not row.isdisjoint(cause.scripts) for row in rows)


def cards_of(reply: Reply) -> frozenset[str]:
    """Return the cards dealt in a script."""
    return frozenset(card for hand in reply.script.hands for cards in hand.deal.values() for card in cards)


def said_in(reply: Reply) -> frozenset[str]:
    """Return the words that an answer accepts, or offers."""
    found = set[str]()
    for action, entry in acts_in(reply.script, reply.answer):
        found |= set() if entry.get("refused") else {action.word}
        found |= {word_of(str(text)) for texts in entry.get("legal", {}).values() for text in texts}
    return frozenset(found)


def promise(found: WeighedHypothesis) -> tuple[float, int, tuple[int, int]]:
    """Return how promising a hypothesis is, by the scripts it was tried on."""
    return len(found.cured) / max(len(found.numbers), 1), len(found.cured), found.worth


def effects(found: WeighedHypothesis) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of scripts that agree further, less far, and to the end."""
    return found.better, found.worse, found.cured


def explains(found: WeighedHypothesis) -> bool:
    """Whether it improves many more scripts than it worsens: of two simultaneous faults each may worsen the scripts of
    the other.
    """
    return bool(found.better) and MUCH * len(found.worse) <= len(found.better)


def is_worth(found: WeighedHypothesis) -> bool:
    """Whether it improves far more scripts than it worsens."""
    return found.worth[0] > 0


def gain(found: WeighedHypothesis) -> float:
    """Return how many more scripts it improves than it worsens; one that is still the same game counts half."""
    reached = dict(zip(found.numbers, found.reached, strict=False))
    return len(found.better) - sum(0.5 if reached.get(n, NO_GAME).is_game else 1 for n in found.worse)


def leads_on(found: WeighedHypothesis) -> bool:
    """Whether it improves more scripts than it worsens: of many options each may show little unless beside others."""
    return gain(found) > 0
