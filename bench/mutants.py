"""``python -m bench.mutants [BLOCK…]``: does the corpus notice when a rule is gone?

A mutant is a variant with one small thing changed: a statement or one part of its condition left out, another value the
default of an option; with --deep also one part of a question, one change, one verb, one phase left out. Each is linked
in memory, and the cases of the variants concerned are played until one fails, first those that rest on its clauses. A
mutant that no case tells from the original survives: a case is missing, the part is dead, or it means the same.
"""

from __future__ import annotations

import argparse
import math
import random
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import ClassVar

from truco_spec.base import safe_yaml
from truco_spec.base.memo import MOST_GRAPHS, by_identity
from truco_spec.cli.progress import Progress
from truco_spec.conformance.adapters import reference
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, filling, ready
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import Deal, OwnDeals, Script
from truco_spec.conformance.fit.mutants import Mutant, mutants_of
from truco_spec.conformance.runner.judge import judge
from truco_spec.engine.compiled.patch import asked_first, dependent_on
from truco_spec.engine.game import Action, Event, Game
from truco_spec.engine.observe import PREFIX
from truco_spec.graph.link import Chain, blocks_of, link, linked, shipped_names
from truco_spec.graph.linking.build import lower
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY, SEEN, Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.replay import Replay

PARTS = ("data", "phases", "actions", "defines", "tables", "effects", "rules", "refusals", "seats", "cards")
SECONDS = 5
"""A case that takes longer is not played by that mutant."""
ALIVE = Path(__file__).with_name("alive.yaml")
"""Mutants that no case can notice, each with the reason."""
DEALS = 5
"""Deals of a mutant's own that are compared with the original's before all are judged."""


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

Setting = tuple[str, tuple[tuple[str, str], ...]]
"""A variant and its options, the number of players among them."""


class Visiting(Game):
    """Notes every phase in which rules were asked, between the steps of an action too."""

    phases: ClassVar[set[str]] = set()

    def push(self, action: Action) -> Event:
        self._visit()
        event = super().push(action)
        stacks = [value for step in event.steps for slot, value in pairwise_of(step.back) if not slot]
        self.phases.update(self.layout.phases[number] for number in stacks if number >= 0)
        self._visit()
        return event

    def _visit(self) -> None:
        if self.position[0] >= 0:
            self.phases.add(self.layout.phases[self.position[0]])


def pairwise_of(back: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The slots that a step wrote, each with its value before."""
    return zip(back[::2], back[1::2], strict=True)


class Prepared:
    """A case, what it asks and the setting that it is played in."""

    def __init__(self, instance: Instance) -> None:
        self.name, self.clauses = instance.name, instance.case.clauses
        self.plan = ready.as_written(instance)
        self.asked = filling.asked_of(self.plan)
        self.deals = tuple(request for request in self.plan.requests if isinstance(request, OwnDeals))
        request = self.plan.requests[0]
        known = load(instance.variant).options
        players = {HOW_MANY: str(len(request.players))} if HOW_MANY in known else {}
        self.setting: Setting = (instance.variant, tuple(sorted({**request.options, **players}.items())))

        self.phases: set[str] = set()

    def look(self) -> bool:
        """Play the case by its own rules and note the phases that it comes to; returns whether it holds."""
        before = reference.Replay, reference.Game
        reference.Replay, reference.Game = partial(Replay, make=Visiting), Visiting  # type: ignore[misc, assignment]
        Visiting.phases = self.phases
        try:
            return _passes(self, plain_graph(self.setting))
        finally:
            reference.Replay, reference.Game = before  # type: ignore[misc]

    def passes(self, graph: Graph, plain: Graph) -> bool:
        """Whether the case holds by the rules of ``graph``."""
        if self.deals and all(_first_deals(graph, each) == _first_deals(plain, each) for each in self.deals):
            return True
        engine = Reference(lambda _: graph)
        engine.asked = self.asked
        answers = [engine.run(r) if isinstance(r, Script) else engine.deal(r) for r in self.plan.requests]
        return all(finding.outcome != "failed" for finding in judge(self.plan, answers, engine.hello()))


def _first_deals(graph: Graph, request: OwnDeals) -> tuple[Deal, ...]:
    """Some of the deals: who deals these alike, deals all alike."""
    return Reference(lambda _: graph).deal(replace(request, times=min(DEALS, request.times)))


class Corpus:
    """The cases of some variants, and which to try first."""

    def __init__(self, cases: Sequence[Prepared]) -> None:
        self.cases = cases
        self.rests_on: dict[str, list[int]] = defaultdict(list)
        for i, case in enumerate(cases):
            for clause in case.clauses:
                self.rests_on[clause.split(":")[-1]].append(i)
        self.killers: Counter[int] = Counter()

    def order(self, found: InBlock) -> list[int]:
        """All cases: those that share rare clauses with the statement, then those that have found most before."""
        weight: dict[int, float] = defaultdict(float)
        for cite in found.mutant.statement.cites:
            resting = self.rests_on.get(cite.clause, [])
            for i in resting:
                weight[i] += 1 / math.sqrt(len(resting))
        return sorted(range(len(self.cases)), key=lambda i: (-weight[i], -self.killers[i], i))


class Changed:
    """The graphs that a mutant makes of the settings."""

    def __init__(self, found: InBlock) -> None:
        self.found = found
        self.chains: dict[str, Chain] = {}
        self.graphs: dict[Setting, Graph | None] = {}

    def graph(self, setting: Setting) -> Graph | None:
        """The graph of a setting; None if it is the same as without the change. Raises SpecError."""
        if setting not in self.graphs:
            variant, options = setting
            if variant not in self.chains:
                self.chains[variant] = link(mutated(blocks_of(variant), self.found))
            plain = plain_graph(setting)
            graph = rebuild(self.chains[variant], linked(variant), plain, dict(options))
            self.graphs[setting] = None if all(getattr(plain, p) == getattr(graph, p) for p in PARTS) else graph
        return self.graphs[setting]


@cache
def plain_graph(setting: Setting) -> Graph:
    """The graph of a setting without a change."""
    return load(setting[0], **dict(setting[1]))


def phases_of(found: InBlock, setting: Setting) -> Set[str] | None:
    """The phases in which the changed statement can make a difference; None if there may be more of them."""
    return _phases_of(plain_graph(setting), found.mutant.statement)


@by_identity(MOST_GRAPHS)
def _phases_of(graph: Graph, statement: t.Statement) -> Set[str] | None:
    if statement.kind == "rule":
        return frozenset(statement.names) or None
    if statement.kind not in ("define", "effect"):
        return None
    items = lower(linked(graph.name)).items
    roots = {statement.name, *statement.excepts}
    while more := {e for name in roots if name in items for e in items[name].statement.excepts} - roots:
        roots |= more
    reached = dependent_on(graph, roots)
    if any(name.endswith(SEEN) or name.startswith(PREFIX) or name in graph.actions for name in reached):
        return None
    if roots & asked_first(graph):
        return None
    rules = [graph.rules[name] for name in reached if name in graph.rules]
    return frozenset(phase for rule in rules for phase in rule.phases) if all(r.phases for r in rules) else None


def kills(found: InBlock, corpus: Corpus) -> str:
    """Who tells the mutant from the original: the name of a case, “the linker”, or nobody (empty)."""
    changed = Changed(found)
    for i in corpus.order(found):
        case = corpus.cases[i]
        phases = phases_of(found, case.setting)
        if phases is not None and not phases & case.phases:
            continue
        try:
            graph = changed.graph(case.setting)
        except SpecError as error:
            return f"the linker: {error.diagnostics[0].message}"
        if graph is not None and not _passes(case, graph):
            corpus.killers[i] += 1
            return case.name
    return "" if any(changed.graphs.values()) else "nothing: it is the same in all that the cases play"


def known_alive() -> Mapping[str, str]:
    """Mutants that no case can notice, and why."""
    found: Mapping[str, str] = safe_yaml.load(ALIVE.read_text(encoding="utf-8"))
    return found


class _TooLong(BaseException):
    pass


def _alarm(*_: object) -> None:
    raise _TooLong


def _passes(case: Prepared, graph: Graph) -> bool:
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return case.passes(graph, plain_graph(case.setting))
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
    parser.add_argument("--variant", metavar="NAME", action="append", help="only by the cases of this one (repeatable)")
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
    family = given.variant or family_of(blocks)
    every = [Prepared(i) for case in corpus.load() for i in corpus.instances(case) if i.variant in family]
    if odd := [case.name for case in every if not case.look()]:
        parser.error(f"cases fail without any mutant: {', '.join(odd)}")
    cases = Corpus(every)
    every_one = ((name, m) for name in blocks for statement in texts[name].items for m in mutants_of(statement))
    mutants = [InBlock(name, mutant) for name, mutant in every_one if given.deep or not mutant.deep]
    if given.only:
        mutants = [each for each in mutants if each.mutant.statement.name in given.only]
    if given.sample or given.minutes < math.inf:
        random.Random(given.seed).shuffle(mutants)
    mutants = mutants[: given.sample]

    known = known_alive()
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
            if alive and str(mutant) not in known:
                survivors.append((mutant, who))
            if alive or given.list:
                progress.clear()
                print(f"{mutant}   <- {who or known.get(str(mutant)) or 'NOBODY'}", flush=True)
    print(f"\n{tried} of {len(mutants)} mutants, {len(survivors)} survive {len(every)} cases of {', '.join(family)}")
    for name, counts in found.items():
        print(f"  {name:16} {counts['found']:5} found {counts['alive']:5} alive")
    return 1 if survivors else 0


if __name__ == "__main__":
    raise SystemExit(main())
