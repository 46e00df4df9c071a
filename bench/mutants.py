"""``python -m bench.mutants [BLOCK…]``: does the corpus notice when a rule is gone?

A mutant is a variant with one small thing changed: a statement or one part of its condition left out, another value the
default of an option; with --deep also one part of a question, one change, one verb, one phase left out. Each is linked
in memory, and the cases of the variants concerned are played until one fails, first those that rest on its clauses. A
mutant that no case tells from the original survives: a case is missing, the part is dead, or it means the same.
"""
# ruff: noqa: SLF001 -- it puts graphs of its own in the place of the shipped ones, behind the back of their loader

from __future__ import annotations

import argparse
import math
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from truco_spec.cli.progress import Progress
from truco_spec.conformance.adapters import reference
from truco_spec.conformance.corpus import corpus, filling
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.fit.mutants import Mutant, mutants_of
from truco_spec.conformance.runner import runner
from truco_spec.graph import load as loading
from truco_spec.graph.link import blocks_of, link, shipped_names
from truco_spec.graph.linking.build import build
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.model import Log, LogError
from truco_spec.logs.setup import graph_of

PARTS = ("data", "phases", "actions", "defines", "tables", "effects", "rules", "refusals", "seats", "cards")
SECONDS = 20
"""A case that takes longer is not played by that mutant."""


@dataclass(frozen=True)
class InBlock:
    """A mutant of a statement, and the block in which that stands."""

    block: str
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.block}: {self.mutant}"


def mutated(blocks: tuple[t.VariantText, ...], found: InBlock) -> tuple[t.VariantText, ...]:
    """The blocks of a variant with the mutant's statement in place of the old one."""
    mutant = found.mutant

    def items(block: t.VariantText) -> tuple[t.Statement, ...]:
        if block.name != found.block:
            return block.items
        there = ((mutant.other if s is mutant.statement else s) for s in block.items)
        return tuple(s for s in there if s is not None)

    blocks = tuple(replace(block, items=items(block)) for block in blocks)
    name = mutant.statement.name
    if any(s.name == name and s.kind not in ("also", "set") for block in blocks for s in block.items):
        return blocks
    return tuple(
        replace(
            block,
            items=tuple(
                replace(s, excepts=tuple(e for e in s.excepts if e != name))
                for s in block.items
                if s.name != name or s.kind == "set"
            ),
        )
        for block in blocks
    )


# ---- playing them ------------------------------------------------------------------------------


class Corpus:
    """The cases of some variants, and which to try first."""

    def __init__(self, instances: Sequence[Instance]) -> None:
        self.instances = instances
        self.rests_on: dict[str, list[int]] = defaultdict(list)
        for i, instance in enumerate(instances):
            for clause in instance.case.clauses:
                self.rests_on[clause.split(":")[-1]].append(i)
        self.killers: Counter[int] = Counter()

    def order(self, found: InBlock) -> list[int]:
        """All cases: those that share rare clauses with the statement, then those that have found most before."""
        weight: dict[int, float] = defaultdict(float)
        for cite in found.mutant.statement.cites:
            resting = self.rests_on.get(cite.clause, [])
            for i in resting:
                weight[i] += 1 / math.sqrt(len(resting))
        return sorted(range(len(self.instances)), key=lambda i: (-weight[i], -self.killers[i], i))


def kills(found: InBlock, cases: Corpus) -> str:
    """Who tells the mutant from the original: the name of a case, “the linker”, or nobody (empty)."""
    chains: dict[str, object] = {}

    @cache
    def linked(name: str, options: tuple[tuple[str, str], ...]) -> Graph:
        if name not in chains:
            chains[name] = link(mutated(blocks_of(name), found))
        return build(chains[name], dict(options))  # type: ignore[arg-type]

    original = loading._load
    same: dict[tuple[object, ...], bool] = {}
    try:
        for i in cases.order(found):
            instance = cases.instances[i]
            loading._load = original
            players = instance.players or filling.players_of(instance.variant)
            key = (instance.variant, tuple(sorted(instance.options.items())), len(players))
            plain = _graph(*key)
            loading._load = linked  # type: ignore[assignment]
            if key not in same:
                try:
                    same[key] = _same(plain, _graph.__wrapped__(*key))
                except SpecError as error:
                    return f"the linker: {error.diagnostics[0].message}"
                except LogError:
                    same[key] = False
            if same[key]:
                continue
            filling._linked.cache_clear()
            if not _passes(instance):
                cases.killers[i] += 1
                return instance.name
        return "" if not all(same.values()) else "nothing: it is the same in all that the cases play"
    finally:
        loading._load = original
        filling._linked.cache_clear()


@cache
def _graph(variant: str, options: tuple[tuple[str, str], ...], players: int) -> Graph | LogError:
    names = tuple(f"P{n}" for n in range(players))
    return graph_of(Log(variant=variant, players=names, options=dict(options)))


def _same(one: object, two: object) -> bool:
    return all(getattr(one, part) == getattr(two, part) for part in PARTS)


class _TooLong(BaseException):
    pass


def _alarm(*_: object) -> None:
    raise _TooLong


def _passes(instance: Instance) -> bool:
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return runner.play(instance, reference.Reference()).verdict == "pass"
    except (_TooLong, Exception):  # noqa: BLE001 -- a mutant may be anything, also what the engine is not made for
        return False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


# ---- the program -------------------------------------------------------------------------------


def family_of(blocks: Sequence[str]) -> list[str]:
    """The shipped variants that have any of these blocks."""
    return [name for name in shipped_names() if any(block.name in blocks for block in blocks_of(name))]


def main() -> int:
    """Make them, play them, list the survivors."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("blocks", nargs="*", metavar="BLOCK", help="bases and variants by name; all if none is named")
    parser.add_argument("--deep", action="store_true", help="also parts of questions, changes, verbs, phases")
    parser.add_argument("--only", metavar="NAME", action="append", help="only this statement (repeatable)")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many, chosen at random")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop after so long (in random order)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="say of every mutant who finds it")
    given = parser.parse_args()
    sys.setrecursionlimit(10_000)
    signal.signal(signal.SIGPROF, _alarm)

    texts = {block.name: block for name in shipped_names() for block in blocks_of(name)}
    blocks = given.blocks or list(texts)
    if unknown := set(blocks) - set(texts):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(texts)}")
    family = family_of(blocks)
    every = [instance for case in corpus.load() for instance in corpus.instances(case) if instance.variant in family]
    reference._introduction()
    if odd := [instance.name for instance in every if not _passes(instance)]:
        parser.error(f"cases fail without any mutant: {', '.join(odd)}")
    cases = Corpus(every)
    every_one = ((name, m) for name in blocks for statement in texts[name].items for m in mutants_of(statement))
    mutants = [InBlock(name, mutant) for name, mutant in every_one if given.deep or not mutant.deep]
    if given.only:
        mutants = [each for each in mutants if each.mutant.statement.name in given.only]
    if given.sample or given.minutes < math.inf:
        random.Random(given.seed).shuffle(mutants)
    mutants = mutants[: given.sample]

    began, tried = time.monotonic(), 0
    survivors: list[tuple[InBlock, str]] = []
    found: Mapping[str, Counter[str]] = defaultdict(Counter)
    with Progress("mutants", len(mutants)) as progress:
        for mutant in mutants:
            if time.monotonic() - began > 60 * given.minutes:
                break
            progress.step(str(mutant))
            tried += 1
            who = kills(mutant, cases)
            alive = not who or who.startswith("nothing")
            found[mutant.block]["alive" if alive else "found"] += 1
            if alive:
                survivors.append((mutant, who))
            if alive or given.list:
                progress.clear()
                print(f"{mutant}   <- {who or 'NOBODY'}", flush=True)
    print(f"\n{tried} of {len(mutants)} mutants, {len(survivors)} survive {len(every)} cases of {', '.join(family)}")
    for name, counts in found.items():
        print(f"  {name:16} {counts['found']:5} found {counts['alive']:5} alive")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())
