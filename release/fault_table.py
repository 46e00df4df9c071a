"""Writes the tables *change of the rules × script* (:mod:`truco_spec.conformance.fit.likeness`).

``python -m release.fault_table [VARIANT:PLAYERS…]`` plays the scripts of the corpus under every other value
of an option, and with every single change of a rule. That takes 3 to 20 minutes a game.

Most changes alter few scripts. So the plain game of each script is played once, and a change only where something that
was asked of the rules is answered otherwise (:mod:`release.rule_trace`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from release.rule_trace import RuleTrace, traced
from truco_spec.base.processes import processes
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.protocol import Introduction, Plays, Script, Seen, entry_at
from truco_spec.conformance.fit.evidence import Reply, of_cases, other_values, setting_of
from truco_spec.conformance.fit.how_far import place_of
from truco_spec.conformance.fit.hypothesis import (
    UNCHANGED,
    Hypothesis,
    Mismatch,
    TooLong,
    all_failed,
    at_most,
    earliest,
    mutants_of_variant,
    played,
)
from truco_spec.conformance.fit.likeness import (
    Departure,
    Failing,
    change_digests,
    script_digest,
    table_file,
    text_of_table,
)
from truco_spec.engine.compiled.program import Program
from truco_spec.engine.game import program_of

COMMAND = "python -m release.fault_table"
OBSERVES = ("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner")
"""What an engine is taken to observe."""
SECONDS, SECONDS_EACH = 4.0, 0.4
"""Of processor time, that it may take to build the rules of a change, and to play one script by them."""
_HEAD = f"""\
# Which scripts of the corpus go otherwise under a value of an option or a single change of a rule, and how. First the
# digests of the scripts; then how one may go otherwise, by action; then a line for what goes alike. Written by
# {COMMAND}; do not edit."""
Game = tuple[str, int]
_Change = int | tuple[str, str]
"""The number of a change of the rules, or an option with its value."""


def playable() -> Iterator[Game]:
    """Every shipped game of which the corpus has scripts."""
    for variant in variant_names():
        for players in ready.rules_of(variant).plays.players:
            if scripts_of(variant, players):
                yield variant, players


def _engine(variant: str, players: int) -> Introduction:
    return Introduction("any", "1", {variant: Plays((players,))}, OBSERVES)


@lru_cache(maxsize=4)
def scripts_of(variant: str, players: int) -> tuple[Script, ...]:
    """The scripts that an engine of this game is asked, each once."""
    introduction = _engine(variant, players)
    setting = setting_of(introduction, variant, players, {})
    found = (script for _, _, script in of_cases(introduction, setting))
    return tuple({script_digest(script): script for script in found}.values())


# ---- the plain game ------------------------------------------------------------------------------


@dataclass(slots=True)
class PlainPlay:
    """The scripts by the rules as they are: what is seen, and what is asked of the rules."""

    hypothesis: Hypothesis
    scripts: Sequence[Script]
    seen: list[Seen] = field(default_factory=list)
    traces: list[RuleTrace] = field(default_factory=list)

    @property
    def program(self) -> Program:
        """The rules, compiled."""
        return program_of(self.hypothesis.graph())

    def play(self) -> PlainPlay:
        """Play every script."""
        for script in self.scripts:
            with traced(self.program) as trace:
                self.seen.append(_seen(self.hypothesis, script))
            self.traces.append(trace)
        return self


def _seen(hypothesis: Hypothesis, script: Script) -> Seen:
    """What the script shows under these rules; nothing where it is no game by them."""
    found = played(hypothesis, Reply("", script, ()), _engine(hypothesis.variant, hypothesis.players))
    return () if isinstance(found, Mismatch) else found[1]


# ---- a change ------------------------------------------------------------------------------------


def _failing(plain: PlainPlay, hypothesis: Hypothesis, numbers: Sequence[int]) -> dict[int, Departure]:
    """Those of the scripts that go otherwise under these rules, and how; nothing where most are no game by
    them. Raises TooLong.
    """
    found, engine, none = dict[int, Departure](), _engine(hypothesis.variant, hypothesis.players), 0
    for number in numbers:
        with at_most(SECONDS_EACH):
            seen = _seen(hypothesis, plain.scripts[number])
        none += not seen and bool(plain.seen[number])
        if seen and seen != plain.seen[number]:
            expected, reply = plain.seen[number], Reply("", plain.scripts[number], told(seen))
            failed = earliest(all_failed(reply.script, expected, reply, engine))
            if failed:
                at = failed[0].at
                place = place_of(at) + 1
                found[number] = Departure.of(place, (each.check for each in failed), entry_at(reply.answer, at))
    return found if none <= len(found) else {}


def told(seen: Seen, observes: Sequence[str] = OBSERVES) -> Seen:
    """What an engine tells of what is seen."""

    def entry(of: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in of.items() if key in (*observes, "refused")}

    return tuple(replace(hand, start=entry(hand.start), seen=tuple(map(entry, hand.seen))) for hand in seen)


# ---- all of a game -------------------------------------------------------------------------------

_plain: list[PlainPlay] = []


def _begin(game: Game) -> None:
    _plain[:] = [PlainPlay(Hypothesis(*game), scripts_of(*game)).play()]


def _row(what: _Change) -> dict[int, Departure]:
    """What fails under a change, or a value of an option."""
    (plain,) = _plain
    changed = replace(plain.hypothesis, changes=(what,)) if isinstance(what, int) else plain.hypothesis.under(*what)
    try:
        with at_most(SECONDS if changed.changes else SECONDS * UNCHANGED):
            before, program = plain.program, program_of(changed.graph())
            numbers = [number for number, trace in enumerate(plain.traces) if not trace.goes_alike(before, program)]
        return _failing(plain, changed, numbers)
    except (Exception, TooLong):  # noqa: BLE001 -- a change may be anything, also what the engine is not made for
        return {}


def rows_of(game: Game, workers: int, numbers: Sequence[int] | None = None) -> Mapping[str, Failing]:
    """The rows of a game, by the value of the option or the digest of the change; only these changes, where
    they are given by number.
    """
    variant, players = game
    digests = change_digests(mutants := mutants_of_variant(variant))
    options = other_values(setting_of(_engine(*game), variant, players, {})) if numbers is None else []
    tabled = [number for number, mutant in enumerate(mutants) if not mutant.untabled]
    what: list[_Change] = [*options, *(tabled if numbers is None else numbers)]
    names = [digests[each] if isinstance(each, int) else "=".join(each) for each in what]
    scripts = [script_digest(script) for script in scripts_of(*game)]
    with processes(workers, _begin, game) as pool:
        found = map(_row, what) if pool is None else pool.map(_row, what, chunksize=16)
        return {
            name: {scripts[number]: place for number, place in row.items()}
            for name, row in zip(names, found, strict=True)
            if row
        }


def main(arguments: list[str] | None = None) -> int:
    """Write the tables."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write which scripts fail under each change of a rule.")
    parser.add_argument("candidates", nargs="*", metavar="VARIANT:PLAYERS", help="only these (default: all)")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N")
    given = parser.parse_args(arguments)
    named = [(variant, int(players)) for variant, _, players in (each.partition(":") for each in given.candidates)]
    for game in named or playable():
        scripts = [script_digest(script) for script in scripts_of(*game)]
        text = text_of_table(_HEAD, scripts, rows_of(game, given.jobs))
        file = table_file(*game)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{file.name}: {text.count(chr(10))} lines, {len(text) // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
