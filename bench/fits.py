"""``python -m bench fits [VARIANT:PLAYERS…]``: does ``fit`` name a fault that was put into an engine?

The engines are the reference with one rule changed at random, or two, or with other values of options. What nobody
could notice in play is not counted. A fault is named where the first cause, or one that explains just the same, is a
change of the statement that was changed; of two, where both are among the causes. It is explained *otherwise* where
other options or rules come to the same in all that was asked, and missed where something stays unexplained.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen
from truco_spec.conformance.fit.evidence import Evidence, gather, of_cases, of_hands, other_values, setting_of
from truco_spec.conformance.fit.fit import Fit, FitCause, Search
from truco_spec.conformance.fit.hypothesis import AGREES, NO_GAME, Hypothesis, begin, mutants_of_variant, weigh
from truco_spec.conformance.fuzz.executors import processes

OBSERVES = ("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner")
MARKS = ("named", "otherwise", "MISSED")
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
        def told(entry: Mapping[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in entry.items() if key in (*self.observes, "refused")}

        seen = super().run(replace(script, options=dict(self.played.options)))
        return tuple(replace(hand, start=told(hand.start), seen=tuple(map(told, hand.seen))) for hand in seen)


@dataclass(frozen=True)
class Trial:
    """What was put in, and what was found."""

    played: Hypothesis
    fit: Fit
    seconds: float

    @property
    def named(self) -> bool:
        """Whether everything that was put in is named, and nothing else."""
        mutants = self.fit.mutants
        wanted = {mutants[number].statement.name for number in self.played.changes}
        causes = [{mutants[n].statement.name for n in (cause.mutant, *cause.others)} for cause in self.fit.causes]
        if len(wanted) == 1:
            return bool(causes) and wanted <= causes[0]
        return all(any(name in cause for cause in causes) for name in wanted)

    @property
    def mark(self) -> str:
        """One of :data:`MARKS`."""
        return MARKS[0] if self.named else MARKS[2] if self.fit.unexplained else MARKS[1]

    def __str__(self) -> str:
        mutants = self.fit.mutants
        put = "; ".join(str(mutants[number]) for number in self.played.changes)
        found = "; ".join(str(mutants[cause.mutant]) for cause in self.fit.causes) or "no cause"
        left = f", {len(self.fit.unexplained)} kinds unexplained" if self.fit.unexplained else ""
        options = ", ".join(f"{cause.option}={cause.value}" for cause in self.fit.options)
        game = f"{self.played.variant} {self.played.players}"
        return f"{self.mark}  {game}: {put}\n    found: {found}{left} {options} ({self.seconds:.0f} s)"


def tried(played: Hypothesis, evidence: Evidence) -> Trial:
    """Search for what was put in."""
    began = time.monotonic()
    with processes(os.cpu_count() or 1, begin, evidence, {}) as pool:
        fit = Search(evidence, pool).fit()
    return Trial(played, fit, time.monotonic() - began)


def scripts_of(plain: Hypothesis) -> list[Any]:
    """What an engine of this game is asked."""
    introduction = Miniature(plain).hello()
    setting = setting_of(introduction, plain.variant, plain.players, {})
    with processes(os.cpu_count() or 1) as pool:
        return [*of_cases(introduction, setting), *of_hands(setting, 60, 1, pool)]


def noticeable(plain: Hypothesis, scripts: Sequence[Any], most: int, chance: random.Random) -> list[int]:
    """Single changes that show in some of these scripts, and break none."""
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
    scripts = scripts_of(plain)
    some = noticeable(plain, scripts, singles + 2 * pairs, chance)
    faults = [(number,) for number in some[:singles]] + list(batched(some[singles:], 2))
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


def options_of(game: str, most: int, chance: random.Random) -> tuple[Hypothesis, list[FitCause], list[str]]:
    """An engine without fault under options at random: what it plays, what was found, and causes that are none."""
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
    scripts = scripts_of(plain)
    evidence = gather(Miniature(played), setting, scripts)
    fit = tried(played, evidence).fit
    return played, fit.options, [str(fit.mutants[cause.mutant]) for cause in fit.causes]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench fits", description=__doc__)
    parser.add_argument("candidates", nargs="*", metavar="VARIANT:PLAYERS", default=GAMES)
    parser.add_argument("--singles", type=int, default=10, metavar="N", help="engines with one fault, of each game")
    parser.add_argument("--pairs", type=int, default=2, metavar="N", help="engines with two faults, of each game")
    parser.add_argument("--options", type=int, default=20, metavar="N", help="options of an engine without fault")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts: Counter[tuple[int, str]] = Counter()
    for game in given.candidates:
        chance = random.Random(f"{given.seed}.{game}")
        for trial in trials(game, given.singles, given.pairs, chance):
            counts[len(trial.played.changes), trial.mark] += 1
            print(trial, flush=True)
        if given.options:
            played, found, causes = options_of(game, given.options, chance)
            told = [f"{each.option}={each.value}" for each in found]
            right = [text for text in told if tuple(text.split("=")) in played.options]
            print(
                f"options  {game}: {len(right)} of {len(told)} found are right, of {len(played.options)}; {causes}",
                flush=True,
            )
    for faults, word in ((1, "one fault"), (2, "two faults")):
        print(f"{word}: {', '.join(f'{counts[faults, mark]} {mark}' for mark in MARKS)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
