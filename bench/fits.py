"""``python -m bench.fits [VARIANT:PLAYERS…]``: does ``fit`` name a fault that was put into an engine?

The engines are the reference with one rule changed at random, or two, or with other values of options. What nobody
could notice in play is not counted. A fault is named where the first cause, or one that explains just the same, is a
change of the statement that was changed; of two, where both are among the causes. It is *the same game* where
no random hand tells what was found from what was put in, *otherwise* where one does, and missed where something stays
unexplained.
``--page FILE`` writes what was tried, and what was found, as Markdown (docs/diagnosis.md).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from release.fault_table import OBSERVES, told
from truco_spec.base.errors import TrucoError
from truco_spec.base.processes import processes
from truco_spec.base.shapes import plain as data
from truco_spec.base.shapes import read
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.conformance.fit.apart import Rivals
from truco_spec.conformance.fit.evidence import Evidence, gather, of_cases, of_hands, other_values, setting_of, steady
from truco_spec.conformance.fit.fit import search
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.how_far import NO_GAME
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mutants, begin, mutants_of_variant, weigh
from truco_spec.conformance.fit.likeness import change_digests, table_of
from truco_spec.conformance.fit.weighing import MUCH
from truco_spec.engine.game import program_of

HANDS = 60
WORKERS = os.cpu_count() or 1
MARKS = ("named", "the same game", "otherwise", "MISSED")
Key = tuple[str, tuple[str, ...]]
"""A game, and what was put into its engine."""
GAMES = ("paulista:4", "paulista:2", "mineiro:4", "argentino:2", "gaucho:2", "uruguayo:4")


class Miniature(Reference):
    """An engine that plays by a hypothesis, and says only the name of the variant."""

    def __init__(self, played: Hypothesis, observes: Sequence[str] = OBSERVES) -> None:
        super().__init__(lambda script: played.graph())
        self.played, self.observes = played, observes

    def hello(self) -> Introduction:
        plays = {self.played.variant: Plays((self.played.players,))}
        return Introduction("miniature", "1", plays, tuple(self.observes))

    def run(self, script: Script) -> Seen:
        return told(super().run(replace(script, options=dict(self.played.options))), self.observes)


@dataclass(frozen=True, slots=True)
class Trial:
    """What was put into an engine of a game, and what was found. ``put`` are changes of rules, or, where ``options``,
    values of options; ``mark`` is one of :data:`MARKS`. ``tried`` counts hypotheses; ``seconds`` of processor time.
    """

    game: str
    put: tuple[str, ...]
    found: tuple[str, ...]
    mark: str
    tried: int
    seconds: float
    options: bool = False
    left: int = 0
    """Scripts that stay unexplained."""
    shown: tuple[str, ...] = ()
    """Of what was put in, that without which some script would go otherwise."""
    of_hands: tuple[int, int] = (0, 0)
    """How many of two faults the random hands show: each by the plain rules, and each once the other is assumed."""

    def __str__(self) -> str:
        found = "; ".join((*self.found, *([f"{self.left} scripts unexplained"] if self.left else []))) or "nothing"
        hands = f"; hands show {self.of_hands[0]}, and {self.of_hands[1]} assumed" if len(self.put) == 2 else ""
        effort = f"({self.tried} tried, {self.seconds:.0f} s{hands})"
        return f"{self.mark}  {self.game}: {'; '.join(self.put)}\n    found: {found} {effort}"


def tried(game: str, played: Hypothesis, evidence: Evidence) -> Trial:
    """Search for what was put in."""
    began = _processor_time()
    fit = search(evidence, WORKERS, partial(steady, Miniature(played)))
    seconds = _processor_time() - began
    mutants, left = fit.mutants, sum(len(each.scripts) for each in fit.unexplained)
    played_values = [f"{name}={value}" for name, value in played.options]
    equal = [(f"{cause.option}={cause.value}", *cause.other_values) for cause in fit.options]
    likest = [next((some for some in values if {*some.split()} <= {*played_values}), values[0]) for values in equal]
    found = [value for values in likest for value in values.split()] + [
        str(mutants[cause.mutant]) for cause in fit.causes
    ]
    if not played.changes:
        put = played_values
        shown = [pair for pair, without in zip(put, _each_less(played), strict=True) if _shows(without, evidence)]
        same = not left and (set(shown) <= {*found} <= {*put} or same_game(played, fit.hypothesis, evidence))
        mark = MARKS[0] if same and {*found} <= {*put} else MARKS[1] if same else MARKS[3] if left else MARKS[2]
        return Trial(game, tuple(put), tuple(found), mark, fit.tried, seconds, True, left, tuple(shown))
    put = [str(mutants[number]) for number in played.changes]
    wanted = [mutants[number].statement.name for number in played.changes]
    first = fit.causes if len(wanted) > 1 else fit.causes[:1]
    named = named_by(first, mutants, wanted) == len(wanted)
    same = named or (not left and same_game(played, fit.hypothesis, evidence))
    mark = MARKS[0] if named else MARKS[1] if same else MARKS[3] if left else MARKS[2]
    hands = from_hands(evidence, played) if len(wanted) > 1 else (0, 0)
    return Trial(game, tuple(put), tuple(found), mark, fit.tried, seconds, False, left, (), hands)


def same_game(one: Hypothesis, other: Hypothesis, evidence: Evidence) -> bool:
    """Whether no hand shows a difference between two explanations."""
    try:
        return next(Rivals(evidence, {"one": one, "other": other}, "same").partings(), None) is None
    except (TrucoError, Broken):
        return False


def named_by(causes: Sequence[FitCause], mutants: Mutants, wanted: Sequence[str]) -> int:
    """How many of these statements the causes name, or what explains just the same."""
    names = {mutants[n].statement.name for cause in causes for n in (cause.mutant, *cause.others) if n >= 0}
    return len(names.intersection(wanted))


def from_hands(evidence: Evidence, played: Hypothesis) -> tuple[int, int]:
    """How many of the faults the random hands show: each by the plain rules, so that what comes after a difference
    stays hidden; and each once the others are assumed.
    """
    hands = [number for number, each in enumerate(evidence.replies) if each.name.startswith("hand ")]
    own = Hypothesis(played.variant, played.players)
    begin(evidence, {})

    def shown(before: Hypothesis, after: Hypothesis) -> bool:
        """Whether more hands agree further with the one than agree less far, by much."""
        with suppress(TrucoError):
            program_of(before.graph()), program_of(after.graph())  # made before the time is limited
        pairs = [[(weigh(each, (number,)) or (NO_GAME,))[0] for each in (before, after)] for number in hands]
        better, worse = sum(b.betters(a) for a, b in pairs), sum(b.worsens(a) for a, b in pairs)
        return better > 0 and MUCH * worse <= better

    alone = [shown(own, replace(own, changes=(number,))) for number in played.changes]
    others = [tuple(n for n in played.changes if n != number) for number in played.changes]
    assumed = [shown(replace(own, changes=less), played) for less in others]
    return sum(alone), sum(assumed)


def _each_less(played: Hypothesis) -> Iterator[Hypothesis]:
    """What is played without each of its options."""
    for pair in played.options:
        yield replace(played, options=tuple(each for each in played.options if each != pair))


def _shows(other: Hypothesis, evidence: Evidence) -> bool:
    """Whether some script goes otherwise under these rules."""
    begin(evidence, {})
    program_of(other.graph())  # made before the time is limited
    return any(not reach.agrees for number in range(len(evidence.replies)) for reach in weigh(other, (number,)))


def _processor_time() -> float:
    """Seconds of this process, and of those that it has waited for."""
    return sum(os.times()[:4])


def scripts_of(own: Hypothesis, *, others: bool) -> list[Any]:
    """What an engine of this game is asked; with ``others`` also hands that tell values of options."""
    introduction = Miniature(own).hello()
    setting = setting_of(introduction, own.variant, own.players, {})
    with processes(WORKERS) as pool:
        hands = of_hands(setting, HANDS, 1, pool)
        return [*of_cases(introduction, setting), *(hands if others else islice(hands, HANDS))]


def noticeable(own: Hypothesis, scripts: Sequence[Any], most: int, chance: random.Random) -> list[int]:
    """Single changes that show in some of these scripts, and break none."""
    table = table_of(own.variant, own.players)
    if table.rows:
        digests = change_digests(mutants_of_variant(own.variant))
        shown = [n for n, d in enumerate(digests) if 2 * len(table.rows.get(d, table.scripts)) < len(table.scripts)]
        return chance.sample(shown, most)
    engine = Miniature(own)
    evidence = gather(engine, setting_of(engine.hello(), own.variant, own.players, {}), scripts)
    numbers = tuple(range(len(evidence.replies)))
    mutants = range(len(mutants_of_variant(own.variant)))
    found: list[int] = []
    with processes(WORKERS, begin, evidence, {}) as pool:
        for some in batched(chance.sample(mutants, len(mutants)), 16):
            tried = [replace(own, changes=(number,)) for number in some]
            weighed = (pool.map if pool else map)(weigh, tried, [numbers] * len(tried))
            found += [
                n
                for n, reach in zip(some, weighed, strict=True)
                if reach and NO_GAME not in reach and not all(each.agrees for each in reach)
            ]
            if len(found) >= most:
                break
    return found[:most]


def trials(game: str, singles: int, pairs: int, chance: random.Random, known: Collection[Key]) -> Iterator[Trial]:
    """Engines with one fault, then engines with two, but for those that are known."""
    variant, _, players = game.partition(":")
    own = Hypothesis(variant, int(players))
    scripts = scripts_of(own, others=False)
    mutants, some = mutants_of_variant(variant), noticeable(own, scripts, singles + 2 * pairs, chance)
    faults = [(number,) for number in some[:singles]] + list(batched(some[singles:], 2))
    chance.shuffle(faults)
    for changes in faults:
        if (game, tuple(str(mutants[number]) for number in changes)) in known:
            continue
        engine = Miniature(replace(own, changes=changes))
        try:
            evidence = gather(engine, setting_of(engine.hello(), variant, own.players, {}), scripts)
        except Exception as error:  # noqa: BLE001 -- a mutant may be anything
            print(f"not played: {error}")
            continue
        yield tried(game, engine.played, evidence)


def batched(items: Sequence[Any], size: int) -> list[tuple[Any, ...]]:
    """The items in groups of this size, without what is left over."""
    return [tuple(items[at : at + size]) for at in range(0, len(items) - size + 1, size)]


def optional(game: str, counts: Sequence[int], chance: random.Random, known: Collection[Key]) -> Iterator[Trial]:
    """Engines without fault under that many options at random."""
    variant, _, players = game.partition(":")
    own = Hypothesis(variant, int(players))
    setting = setting_of(Miniature(own).hello(), variant, own.players, {})
    values = other_values(setting)
    scripts = scripts_of(own, others=True) if counts else []
    for most in counts:
        played = own
        for name, value in chance.sample(values, len(values)):
            with suppress(TrucoError):  # values that do not go together
                if len(played.options) < most and name not in dict(played.options):
                    played.under(name, value).graph()
                    played = played.under(name, value)
        if (game, tuple(map("=".join, played.options))) not in known:
            yield tried(game, played, gather(Miniature(played), setting, scripts))


# ---- how long it takes -------------------------------------------------------------------------


class Recorded(Miniature):
    """The same with its answers kept: asked again, each takes a thousandth of a second."""

    def __init__(self, played: Hypothesis, observes: Sequence[str] = OBSERVES) -> None:
        super().__init__(played, observes)
        self.kept = dict[str, Seen]()

    def run(self, script: Script) -> Seen:
        line = json.dumps(data(script), sort_keys=True)
        if line not in self.kept:
            self.kept[line] = super().run(script)
        else:
            time.sleep(0.001)
        return self.kept[line]


def speed(
    game: str = "paulista:2", fault: str = "rule score-hand: without “score(result) += stake”"
) -> dict[str, object]:
    """Of an engine with one fault: processor seconds of ``fit``."""
    variant, _, players = game.partition(":")
    number = next(n for n, mutant in enumerate(mutants_of_variant(variant)) if str(mutant) == fault)
    engine = Recorded(Hypothesis(variant, int(players), (), (number,)))
    began = _processor_time()
    setting = setting_of(engine.hello(), variant, int(players), {})
    fit = search(gather(engine, setting, scripts_of(engine.played, others=True)), WORKERS, partial(steady, engine))
    fitted = _processor_time() - began
    return {"fit": round(fitted, 1), "hypotheses per second": round(fit.tried / fitted, 1)}


# ---- the page ------------------------------------------------------------------------------------

_PAGE = """\
# What `fit` finds

Faults were put into an engine, one or two at random, or options at random and no fault. It was asked the cases of the
corpus, and {hands} random hands; [`fit`](fit.md) looked for what it plays. This page is written by the bench:

```sh
{command}
```

*Named*: the changed rule is the first cause, or explains just what the first explains; of two, each is among the
causes. *The same game*: what was found, an option or another rule, plays like what was put in: no random hand shows a
difference. *Otherwise*: all answers are explained, and some other hand would show a difference. *Missed*: something
stays unexplained.

| game | one fault | named | the same game | otherwise | missed | hypotheses | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|
{singles}

| game | two faults | named | the same game | otherwise | missed | hypotheses | seconds |
|---|--:|--:|--:|--:|--:|--:|--:|
{pairs}

*Hypotheses* and *seconds* (of processor time) are those of one search, on average. Faults are drawn from all single
changes of the rules, but for those that show in no script of the corpus, or in half of them and more.
{assumed}
## Options at random, and no fault

| game | options played | shown | of these named | not played | causes | unexplained | hypotheses | seconds | mark |
|---|--:|--:|--:|--:|--:|--:|--:|--:|---|
{options}

*Shown* are those without which some script would go otherwise: no more can be found. *Not played* were named all the
same; *unexplained* are scripts.

## What was not named

{missed}
"""
_OTHER_BENCH = "\n## What causes add to a run\n"
"""From here on the page is of another bench."""
_ASSUMED = """
Of the {count} faults in engines with two, the same random hands show {alone} where each is looked for by itself, so
that what comes after a difference stays hidden, and {assumed} where the other is assumed; in {fewer} engines fewer
(where both faults do the same, none is left to show once the other is assumed).
"""


def page(trials: Sequence[Trial], command: str) -> str:
    """What was tried, as Markdown."""
    games = list(dict.fromkeys(trial.game for trial in trials))
    faulty = [trial for trial in trials if not trial.options]
    pairs = [trial for trial in faulty if len(trial.put) == 2]
    alone, assumed = (sum(trial.of_hands[which] for trial in pairs) for which in (0, 1))
    fewer = sum(trial.of_hands[1] < trial.of_hands[0] for trial in pairs)

    def rows(faults: int) -> str:
        some = [trial for trial in faulty if len(trial.put) == faults]
        of = [_row(_told(name), [trial for trial in some if trial.game == name]) for name in games]
        return "\n".join([*of, *([_row("all", some)] if len(games) > 1 else [])])

    return _PAGE.format(
        hands=HANDS,
        command=command,
        singles=rows(1),
        pairs=rows(2),
        assumed=_ASSUMED.format(alone=alone, count=2 * len(pairs), assumed=assumed, fewer=fewer) if pairs else "",
        options="\n".join(_row_of_options(trial) for trial in trials if trial.options) or "| none | | | | | | | | | |",
        missed="\n".join(
            f"* {t.mark.lower()}, {_told(t.game)}: `{'; '.join(t.put)}`\n  found: `{_found(t)}`"
            for t in trials
            if t.mark != MARKS[0]
        )
        or "Nothing.",
    )


def _told(game: str) -> str:
    return game.replace(":", ", ")


def _found(trial: Trial) -> str:
    return "; ".join((*trial.found, *([f"{trial.left} scripts unexplained"] if trial.left else []))) or "nothing"


def _row(name: str, trials: Sequence[Trial]) -> str:
    marks = Counter(trial.mark for trial in trials)
    count = len(trials) or 1
    cells: list[object] = [name, len(trials), *(marks[mark] for mark in MARKS)]
    cells += [sum(t.tried for t in trials) // count, round(sum(t.seconds for t in trials) / count, 1)]
    return f"| {' | '.join(map(str, cells))} |"


def _row_of_options(trial: Trial) -> str:
    found, put, shown = {*trial.found}, {*trial.put}, {*trial.shown}
    causes = sum(" " in each for each in found)
    cells = [_told(trial.game), len(put), len(shown), len(found & shown), len(found - put) - causes, causes]
    cells += [trial.left, trial.tried, round(trial.seconds), trial.mark.lower()]
    return f"| {' | '.join(map(str, cells))} |"


def arguments() -> argparse.ArgumentParser:
    """What the bench is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.fits", description=__doc__)
    parser.add_argument("candidates", nargs="*", metavar="VARIANT:PLAYERS", default=GAMES)
    parser.add_argument("--singles", type=int, default=10, metavar="N", help="engines with one fault, of each game")
    parser.add_argument("--pairs", type=int, default=2, metavar="N", help="engines with two faults, of each game")
    parser.add_argument(
        "--options", type=int, nargs="*", default=[20], metavar="N", help="options of engines without fault"
    )
    parser.add_argument("--options-of", nargs="*", metavar="VARIANT:PLAYERS", help="their games, if not the same")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add results to this file; what is in it is known")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the results as Markdown")
    return parser


def main() -> int:
    parser = arguments()
    given = parser.parse_args()
    done = list[Trial]()
    if given.keep and given.keep.exists():
        done += [read(json.loads(line), Trial) for line in given.keep.read_text(encoding="utf-8").splitlines()]
    known = {(trial.game, trial.put) for trial in done}
    of_options = given.candidates if given.options_of is None else given.options_of
    games = dict.fromkeys((*given.candidates, *of_options))
    for game in games:
        variant, _, players = game.partition(":")
        try:
            Hypothesis(variant, int(players)).graph()
        except (TrucoError, ValueError) as error:
            parser.error(f"{game}: {error}")
    for game in games:
        some = list[Iterator[Trial]]()
        if game in given.candidates:
            some.append(trials(game, given.singles, given.pairs, random.Random(f"{given.seed}.{game}"), known))
        if game in of_options:
            some.append(optional(game, given.options, random.Random(f"{given.seed}.{game}.options"), known))
        for trial in chain.from_iterable(some):
            done.append(trial)
            print(trial, flush=True)
            if given.keep:
                with given.keep.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(data(trial), ensure_ascii=False) + "\n")
    for faults, word in ((1, "one fault"), (2, "two faults")):
        counts = Counter(trial.mark for trial in done if not trial.options and len(trial.put) == faults)
        print(f"{word}: {', '.join(f'{counts[mark]} {mark}' for mark in MARKS)}")
    if given.page:
        chosen = " ".join(given.candidates)
        asked = f"--singles {given.singles} --pairs {given.pairs} --seed {given.seed}"
        asked += f" --options {' '.join(map(str, given.options))}"
        asked += f" --options-of {' '.join(of_options)}" if given.options_of is not None else ""
        text = page(done, f"python -m bench.fits {chosen} {asked} --page {given.page}")
        before = given.page.read_text(encoding="utf-8") if given.page.exists() else ""
        _, heading, kept = before.partition(_OTHER_BENCH)
        given.page.write_text(text + heading + kept, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
