"""``python -m bench fits [VARIANT:PLAYERS…]``: does ``fit`` name a fault that was put into an engine?

The engines are the reference with one rule changed at random, or two, or with other values of options. What nobody
could notice in play is not counted. A fault is named where the first cause, or one that explains just the same, is a
change of the statement that was changed; of two, where both are among the causes. It is *the same game* where
no random hand tells what was found from what was put in, *otherwise* where one does, and missed where something stays
unexplained.
``--page FILE`` writes what was tried, and what was found, as Markdown (docs/diagnosis.md).
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.conformance.fit.apart import same_game
from truco_spec.conformance.fit.evidence import Evidence, gather, of_cases, of_hands, other_values, setting_of
from truco_spec.conformance.fit.fit import search
from truco_spec.conformance.fit.fit_result import Fit, FitCause
from truco_spec.conformance.fit.hypothesis import AGREES, NO_GAME, Hypothesis, begin, mutants_of_variant, weigh
from truco_spec.conformance.fit.likeness import change_digests, table_of
from truco_spec.conformance.fuzz.executors import processes
from truco_spec.release.fault_table import OBSERVES, told

HANDS = 60
MARKS = ("named", "the same game", "otherwise", "MISSED")
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


@dataclass(frozen=True)
class Trial:
    """What was put in, and what was found."""

    played: Hypothesis
    fit: Fit
    left: int
    seconds: float
    same: bool
    """Whether what was found and what was put in are one game: no random hand shows a difference."""

    @property
    def mark(self) -> str:
        """One of :data:`MARKS`."""
        changes = [cause for cause in self.fit.causes if cause.mutant >= 0]
        if self._is_among(changes):
            return MARKS[0]
        return MARKS[1] if self.same else MARKS[3] if self.left else MARKS[2]

    def _is_among(self, causes: Sequence[FitCause]) -> bool:
        """Whether what was put in is the first of these causes, or explains the same; of two, whether each is one."""
        mutants = self.fit.mutants
        wanted = {mutants[number].statement.name for number in self.played.changes}
        names = [{mutants[n].statement.name for n in (cause.mutant, *cause.others) if n >= 0} for cause in causes]
        return all(any(name in each for each in names[: 1 if len(wanted) == 1 else None]) for name in wanted)

    @property
    def put(self) -> str:
        """What was put in."""
        return "; ".join(str(self.fit.mutants[number]) for number in self.played.changes)

    @property
    def found(self) -> str:
        """What was found."""
        causes = [f"{cause.option}={cause.value}" for cause in self.fit.options]
        causes += [str(self.fit.mutants[cause.mutant]) for cause in self.fit.causes]
        left = f"{self.left} scripts unexplained" if self.left else ""
        return "; ".join(filter(None, (*causes, left))) or "nothing"

    def __str__(self) -> str:
        game = f"{self.played.variant} {self.played.players}"
        return (
            f"{self.mark}  {game}: {self.put}\n    found: {self.found} ({self.fit.tried} tried, {self.seconds:.0f} s)"
        )


def tried(played: Hypothesis, evidence: Evidence) -> Trial:
    """Search for what was put in."""
    began = time.monotonic()
    fit = search(evidence, os.cpu_count() or 1, Miniature(played).run)
    seconds = time.monotonic() - began
    left = sum(len(each.scripts) for each in fit.unexplained)
    return Trial(played, fit, left, seconds, not left and same_game(played, fit.hypothesis, evidence))


def scripts_of(plain: Hypothesis, *, others: bool) -> list[Any]:
    """What an engine of this game is asked; with ``others`` also hands that tell values of options."""
    introduction = Miniature(plain).hello()
    setting = setting_of(introduction, plain.variant, plain.players, {})
    with processes(os.cpu_count() or 1) as pool:
        hands = of_hands(setting, HANDS, 1, pool)
        return [*of_cases(introduction, setting), *(hands if others else islice(hands, HANDS))]


def noticeable(plain: Hypothesis, scripts: Sequence[Any], most: int, chance: random.Random) -> list[int]:
    """Single changes that show in some of these scripts, and break none."""
    table = table_of(plain.variant, plain.players)
    if table.rows:
        digests = change_digests(mutants_of_variant(plain.variant))
        shown = [n for n, d in enumerate(digests) if 2 * len(table.rows.get(d, table.scripts)) < len(table.scripts)]
        return chance.sample(shown, most)
    engine = Miniature(plain)
    evidence = gather(engine, setting_of(engine.hello(), plain.variant, plain.players, {}), scripts)
    numbers = tuple(range(len(evidence.replies)))
    mutants = range(len(mutants_of_variant(plain.variant)))
    found: list[int] = []
    with processes(os.cpu_count() or 1, begin, evidence, {}) as pool:
        for some in batched(chance.sample(mutants, len(mutants)), 16):
            tried = [replace(plain, changes=(number,)) for number in some]
            weighed = (pool.map if pool else map)(weigh, tried, [numbers] * len(tried))
            found += [n for n, reach in zip(some, weighed, strict=True) if reach and NO_GAME < min(reach) < AGREES]
            if len(found) >= most:
                break
    return found[:most]


def trials(game: str, singles: int, pairs: int, chance: random.Random) -> Iterator[Trial]:
    """Engines with one fault, then engines with two."""
    variant, _, players = game.partition(":")
    plain = Hypothesis(variant, int(players))
    scripts = scripts_of(plain, others=False)
    some = noticeable(plain, scripts, singles + 2 * pairs, chance)
    faults = [(number,) for number in some[:singles]] + list(batched(some[singles:], 2))
    chance.shuffle(faults)
    for changes in faults:
        engine = Miniature(replace(plain, changes=changes))
        try:
            evidence = gather(engine, setting_of(engine.hello(), variant, plain.players, {}), scripts)
        except Exception as error:  # noqa: BLE001 -- a mutant may be anything
            print(f"not played: {error}")
            continue
        yield tried(engine.played, evidence)


def batched(items: Sequence[Any], size: int) -> list[tuple[Any, ...]]:
    """The items in groups of this size, without what is left over."""
    return [tuple(items[at : at + size]) for at in range(0, len(items) - size + 1, size)]


@dataclass(frozen=True)
class OptionTrial:
    """An engine without fault: the options that it plays, those that were told, and causes that are none."""

    played: Hypothesis
    told: list[str]
    causes: list[str]

    @property
    def right(self) -> list[str]:
        """Those told that it plays."""
        return [text for text in self.told if tuple(text.split("=")) in self.played.options]

    def __str__(self) -> str:
        game = f"{self.played.variant} {self.played.players}"
        wrong = [text for text in self.told if text not in self.right]
        found = f"{len(self.right)} of {len(self.told)} found are right"
        return f"options  {game}: {found}, of {len(self.played.options)}; wrong: {wrong}; causes: {self.causes}"


def options_of(game: str, most: int, chance: random.Random) -> OptionTrial:
    """An engine without fault under options at random."""
    variant, _, players = game.partition(":")
    plain = Hypothesis(variant, int(players))
    setting = setting_of(Miniature(plain).hello(), variant, plain.players, {})
    played = plain
    for name, value in chance.sample(other_values(setting), most):
        try:
            played.under(name, value).graph()
        except Exception:  # noqa: BLE001 -- values that do not go together
            continue
        played = played.under(name, value)
    scripts = scripts_of(plain, others=True)
    evidence = gather(Miniature(played), setting, scripts)
    fit = tried(played, evidence).fit
    told = [f"{cause.option}={cause.value}" for cause in fit.options]
    return OptionTrial(played, told, [str(fit.mutants[cause.mutant]) for cause in fit.causes])


# ---- the page ------------------------------------------------------------------------------------

_PAGE = """\
# What `fit` finds

Faults were put into an engine, one or two at random, or options at random and no fault. It was asked the cases of the
corpus, and 60 random hands; [`fit`](fit.md) looked for what it plays. This page is written by the bench that did it:

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

*Hypotheses* and *seconds* are those of one search, on average, on {cores} cores with other work too. Faults are drawn
from all single changes of the rules, but for those that show in no script of the corpus, or in more than half of them.

| game | options played | told | of them right | causes that are none |
|---|--:|--:|--:|--:|
{options}

An option is not told where no script shows it.

## What was not named

{missed}
"""


def page(trials: Sequence[Trial], options: Sequence[OptionTrial], command: str) -> str:
    """What was tried, as Markdown."""
    games = list(dict.fromkeys((trial.played.variant, trial.played.players) for trial in trials))

    def rows(faults: int) -> str:
        some = [trial for trial in trials if len(trial.played.changes) == faults]
        of = [_row(name, [t for t in some if (t.played.variant, t.played.players) == name]) for name in games]
        return "\n".join([*of, *([_row(("all", 0), some)] if len(games) > 1 else [])])

    told = [
        f"| {each.played.variant}, {each.played.players} | "
        f"{' | '.join(str(len(of)) for of in (each.played.options, each.told, each.right, each.causes))} |"
        for each in options
    ]
    missed = [
        f"* {t.mark.lower()}, {t.played.variant}, {t.played.players}: `{t.put}`\n  found: `{t.found}`"
        for t in trials
        if t.mark != MARKS[0]
    ]
    before, options_of_page, after = _PAGE.partition("| game | options played")
    tried, title, rest = (options_of_page + after).partition("## What was not named")
    return (before + (tried if options else "") + title + rest).format(
        command=command,
        singles=rows(1),
        pairs=rows(2),
        cores=os.cpu_count(),
        options="\n".join(told),
        missed="\n".join(missed) or "Nothing.",
    )


def _row(game: tuple[str, int], trials: Sequence[Trial]) -> str:
    marks = Counter(trial.mark for trial in trials)
    count = len(trials) or 1
    cells: list[object] = [
        f"{game[0]}, {game[1]}" if game[1] else game[0],
        len(trials),
        *(marks[mark] for mark in MARKS),
    ]
    cells += [sum(t.fit.tried for t in trials) // count, round(sum(t.seconds for t in trials) / count, 1)]
    return f"| {' | '.join(map(str, cells))} |"


def arguments() -> argparse.ArgumentParser:
    """What the bench is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench fits", description=__doc__)
    parser.add_argument("candidates", nargs="*", metavar="VARIANT:PLAYERS", default=GAMES)
    parser.add_argument("--singles", type=int, default=10, metavar="N", help="engines with one fault, of each game")
    parser.add_argument("--pairs", type=int, default=2, metavar="N", help="engines with two faults, of each game")
    parser.add_argument("--options", type=int, default=20, metavar="N", help="options of an engine without fault")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the results as Markdown")
    return parser


def main() -> int:
    given = arguments().parse_args()
    done, optional = list[Trial](), list[OptionTrial]()

    def write() -> None:
        if given.page:
            games = " ".join(given.candidates)
            asked = f"--singles {given.singles} --pairs {given.pairs} --options {given.options} --seed {given.seed}"
            command = f"python -m bench.fits {games} {asked} --page {given.page}"
            given.page.write_text(page(done, optional, command), encoding="utf-8")

    for game in given.candidates:
        chance = random.Random(f"{given.seed}.{game}")
        for trial in trials(game, given.singles, given.pairs, chance):
            done.append(trial)
            print(trial, flush=True)
            write()
        if given.options:
            optional.append(options_of(game, given.options, chance))
            print(optional[-1], flush=True)
    for faults, word in ((1, "one fault"), (2, "two faults")):
        counts = Counter(trial.mark for trial in done if len(trial.played.changes) == faults)
        print(f"{word}: {', '.join(f'{counts[mark]} {mark}' for mark in MARKS)}")
    write()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
