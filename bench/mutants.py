"""``python -m bench.mutants [VARIANT…]``: does the corpus notice when one thing in the rules is another?

A mutant is a variant with one small thing changed: a statement or a part of its condition left out, another default of
an option; with --deep also a part of a question, a change, a verb or a phase left out, and a word, sign or number
exchanged for another. The cases are played by the rules as they are; a WebAssembly module of the variant with many
mutants then tells in which cases each makes a difference, and these are played by it until one fails. A mutant that no
case tells from the original survives: a case is missing, the part is dead, or it means the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import os
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

from bench.alike import Proofs
from bench.mutation_score import scored, written
from bench.sieve import MOST, Moments, recording
from bench.sifting import PlayedMoments, Sifter
from truco_spec.base import safe_yaml
from truco_spec.base.shipped import variant_names
from truco_spec.cli.messages import Progress
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, edition, filling, ready
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import Deal, OwnDeals, Script
from truco_spec.conformance.fit.mutants import FRESH, Mutant, mutants_in, mutants_of, mutated
from truco_spec.conformance.fuzz.dask_cluster import cluster
from truco_spec.conformance.runner.judge import judge
from truco_spec.conformance.trace import score_file, share
from truco_spec.engine.game import Action, Event, Game
from truco_spec.graph.link import linked
from truco_spec.graph.linking.build import lower
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import is_open, load, load_open
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import SpecError

SECONDS = 5
"""A case that takes longer is not played by that mutant."""
ALIVE = Path(__file__).with_name("alive.yaml")
"""Mutants that no case can notice, each with the reason."""
DEALS = 5
"""Deals of a mutant's own that are compared with the original's before all are judged."""
PARTS = ("data", "phases", "actions", "defines", "tables", "effects", "rules", "seats", "cards")
"""What a game is played by."""
BEFORE_PLAY = ("option", "set")
"""Kinds of statements that say which game it is. No case is played where a ``refuse`` says that there is none."""
LINKER, NOTHING = "the linker", "nothing: it is the same in all that the cases play"
SAME, PROVED = "nothing: the same rules", "nothing: it is proved to be the same game"
"""Who tells a mutant from the original. That the rules are the same holds for the settled options of one group only."""

Setting = tuple[str, tuple[tuple[str, str], ...]]
"""A variant and its options, the number of players among them."""


# ---- mutants -----------------------------------------------------------------------------------


@cache
def mutants_by_name(variant: str) -> Mapping[str, Mutant]:
    """The mutants of a variant, by the name of the text that holds the statement, the statement, and the difference."""
    chain, found, times = linked(variant), dict[str, Mutant](), Counter[str]()
    before_play = [item.statement for item in lower(chain).items.values() if item.statement.kind in BEFORE_PLAY]
    before_play += [statement for statement, _ in chain.sets.values()]
    others = (mutant for statement in before_play for mutant in mutants_of(statement))
    for mutant in (*mutants_in(chain), *others):
        name = f"{Path(mutant.statement.span.file).stem}: {mutant}"
        times[name] += 1
        found[f"{name} ({times[name]})" if times[name] > 1 else name] = mutant
    return found


@cache
def known_alive() -> Mapping[str, str]:
    """Mutants that no case can notice, and why."""
    found: Mapping[str, str] = safe_yaml.load(ALIVE.read_text(encoding="utf-8"))
    return found


@cache
def plain_graph(setting: Setting) -> Graph:
    """The graph of a setting without a change."""
    return load(setting[0], **dict(setting[1]))


class Changed:
    """The graphs that a mutant makes of the settings."""

    def __init__(self, variant: str, mutant: Mutant) -> None:
        self.before = linked(variant)
        self.chain = mutated(self.before, [mutant])
        self.graphs: dict[Setting, Graph] = {}

    def graph(self, setting: Setting) -> Graph:
        """The graph of a setting. Raises SpecError."""
        if setting not in self.graphs:
            self.graphs[setting] = rebuild(self.chain, self.before, plain_graph(setting), dict(setting[1]))
        return self.graphs[setting]


# ---- cases -------------------------------------------------------------------------------------


class Prepared:
    """A case, what it asks and the setting that it is played in."""

    def __init__(self, instance: Instance) -> None:
        self.name, self.clauses = instance.name, instance.case.clauses
        self.plan = ready.as_written(instance)
        self.asked = filling.asked_of(self.plan)
        self.deals = tuple(request for request in self.plan.requests if isinstance(request, OwnDeals))
        request = self.plan.requests[0]
        self.mode = request.mode if isinstance(request, Script) else "strict"
        known = load(instance.variant).options
        players = {HOW_MANY: str(len(request.players))} if HOW_MANY in known else {}
        self.setting: Setting = (instance.variant, tuple(sorted({**request.options, **players}.items())))

    @property
    def settled(self) -> Setting:
        """The part of its setting that no graph leaves open."""
        variant, _ = self.setting
        whole, options = load_open(variant), plain_graph(self.setting).options
        return variant, tuple((name, option.value) for name, option in options.items() if not is_open(whole, name))

    def noted(self) -> PlayedMoments:
        """The result by its own rules. Raises ValueError if it fails by them."""
        graph, moments, again = plain_graph(self.setting), Moments(), set[int]()
        if not self.holds(graph, recording(moments, again)):
            raise ValueError(f"{self.name} fails without any mutant")
        return PlayedMoments(graph, self.mode, moments, again)

    def passes(self, graph: Graph) -> bool:
        """Whether the case holds by the rules of ``graph``."""
        plain, make = plain_graph(self.setting), at_most(SECONDS)
        try:
            alike = self.deals and all(
                _first_deals(graph, each, make) == _first_deals(plain, each, Game) for each in self.deals
            )
            return bool(alike) or self.holds(graph, make)
        except (_TooLong, Exception):  # noqa: BLE001 -- a mutant may be anything, also what the engine is not made for
            return False

    def holds(self, graph: Graph, make: type[Game] = Game) -> bool:
        """The same, without limits; ``make`` creates the games."""
        engine = Reference(lambda _: graph, make)
        engine.asked = self.asked
        answers = [engine.run(r) if isinstance(r, Script) else engine.deal(r) for r in self.plan.requests]
        return all(finding.outcome != "failed" for finding in judge(self.plan, answers, engine.hello()))


def _first_deals(graph: Graph, request: OwnDeals, make: type[Game]) -> tuple[Deal, ...]:
    """Some of the deals: who deals these alike, deals all alike."""
    return Reference(lambda _: graph, make).deal(replace(request, times=min(DEALS, request.times)))


class _TooLong(BaseException):
    pass


def at_most(seconds: float) -> type[Game]:
    """A class of games that are broken off after so much processor time, in whatever thread."""
    end = time.thread_time() + seconds

    class Hurried(Game):
        def legal_actions(self, seat: int | None = None) -> list[Action]:
            if time.thread_time() > end:
                raise _TooLong
            return super().legal_actions(seat)

        def push(self, action: Action) -> Event:
            if time.thread_time() > end:
                raise _TooLong
            return super().push(action)

    return Hurried


# ---- a group of cases --------------------------------------------------------------------------


@dataclass
class Group:
    """The cases of one variant with the same settled options, and their results."""

    settled: Setting
    cases: list[Prepared]
    noted: list[PlayedMoments] = field(default_factory=list)
    rests_on: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    failed: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """By statement, how often each case has noticed a mutant of it."""

    @cached_property
    def key(self) -> str:
        """What a result rests on: the variant, its settled options and the cases."""
        cases = hashlib.sha256("\n".join(sorted(f"{case.name} {case.plan}" for case in self.cases)).encode())
        return f"{self.of} {cases.hexdigest()[:12]}"

    @property
    def of(self) -> str:
        """The variant and its settled options."""
        return f"{self.settled[0]} {dict(self.settled[1])}"

    def note(self) -> None:
        """Play the cases by their own rules."""
        self.cases.sort(key=lambda case: case.setting)
        self.noted = [case.noted() for case in self.cases]
        for at, case in enumerate(self.cases):
            for clause in case.clauses:
                self.rests_on[clause.split(":")[-1]].append(at)

    def tried(self, names: Sequence[str]) -> dict[str, str]:
        """For each of these mutants who tells it from the original: a case, the linker, nobody (empty), or NOTHING."""
        variant, _ = self.settled
        mutants = dict(enumerate(mutants_by_name(variant)[name] for name in names))
        sifter = Sifter(linked(variant), mutants)
        touched = dict(sifter.sift(self.noted))
        touched |= {number: self._may_touch(mutants[number]) for number in sifter.other}
        found = {names[number]: f"{LINKER}: {message}" for number, message in sifter.wrong.items()}
        found |= {names[number]: SAME for number in sifter.same}
        return found | {names[number]: self._killer(mutants[number], of) for number, of in touched.items()}

    def _may_touch(self, mutant: Mutant) -> set[int]:
        """The cases that a change which cannot be switched may touch: what is not as at first again, only those in
        which it would be.
        """
        if not mutant.what.startswith(f"without “{FRESH} "):
            return set(range(len(self.cases)))
        return {at for at, played in enumerate(self.noted) if played.may_begin_afresh(mutant.statement.name)}

    def _killer(self, mutant: Mutant, cases: Iterable[int]) -> str:
        """The first of the cases that fails: those first that noticed others of the statement, then those that share
        a rare clause with it.
        """
        failed = self.failed[mutant.statement.name]
        weight: dict[int, float] = defaultdict(float, failed)
        for cite in mutant.statement.cites:
            resting = self.rests_on.get(cite.clause, [])
            for at in resting:
                weight[at] += 1 / math.sqrt(len(resting))
        changed, cases, others = Changed(self.settled[0], mutant), list(cases), False
        for at in sorted(cases, key=lambda at: (-weight[at], len(self.noted[at].moments))):
            case = self.cases[at]
            try:
                graph, plain = changed.graph(case.setting), plain_graph(case.setting)
            except SpecError as error:
                return f"{LINKER}: {error.diagnostics[0].message}"
            if any(getattr(plain, part) != getattr(graph, part) for part in PARTS):
                others = True
                if not case.passes(graph):
                    failed[at] += 1
                    return case.name
        if not others and mutant.statement.kind in ("option", "set"):
            return SAME  # it is set so anyway
        return "" if cases else NOTHING


@cache
def groups_of(variant: str) -> Mapping[Setting, Group]:
    """The cases of a variant by settled options."""
    found = defaultdict[Setting, list[Prepared]](list)
    for case in corpus.load():
        for instance in corpus.instances(case):
            if instance.variant == variant:
                prepared = Prepared(instance)
                found[prepared.settled].append(prepared)
    return {settled: Group(settled, cases) for settled, cases in found.items()}


@lru_cache(maxsize=1)
def noted_group(settled: Setting) -> Group:
    """A group, played by its own rules; local workers are forked when it is, others play it."""
    group = Group(settled, list(groups_of(settled[0])[settled].cases))
    group.note()
    return group


def _who() -> str:
    """What workers elsewhere must have as well."""
    return f"corpus {edition()}"


def _tried(settled: Setting, names: Sequence[str]) -> dict[str, str]:
    sys.setrecursionlimit(10_000)
    return noted_group(settled).tried(names)


class Notes:
    """What is found, in a file of a line for each result (JSON), so that a campaign can be left and gone on with."""

    def __init__(self, path: Path | None) -> None:
        self.path, self.found = path, dict[str, str]()
        self.tried, self.tried_by = set[tuple[str, str]](), set[tuple[str, str]]()
        for line in path.read_text(encoding="utf-8").splitlines() if path and path.exists() else ():
            self._take(*json.loads(line))

    def survives(self, name: str) -> bool:
        """Whether nobody has told it from the original yet."""
        return self.found.get(name, "") in ("", NOTHING, SAME)

    def kind_of(self, name: str, groups: Iterable[Group]) -> str:
        """Its kind (:data:`truco_spec.conformance.trace.KINDS`), by these groups."""
        who = self.found.get(name, "")
        if who.startswith(LINKER):
            return "no rules"
        if who not in ("", NOTHING, SAME, PROVED):
            return "noticed"
        if name in known_alive():
            return "reason"
        if who != PROVED and not all((group.of, name) in self.tried_by for group in groups):
            return "untried"
        return "the same" if who in (SAME, PROVED) else "open"

    def add(self, group: str, name: str, who: str) -> None:
        """Note a result."""
        self._take(group, name, who)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps((group, name, who), ensure_ascii=False) + "\n")

    def _take(self, group: str, name: str, who: str) -> None:
        self.tried.add((group, name))
        self.tried_by.add((group.rpartition(" ")[0], name))
        told = [found for found in (self.found.get(name), who) if found is not None]
        self.found[name] = min(told, key=lambda found: {NOTHING: 3, SAME: 4, "": 2, PROVED: 1}.get(found, 0))


# ---- the program -------------------------------------------------------------------------------


def main() -> int:
    """Make them, play them, list the survivors."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="by the cases of these; all if none is named")
    parser.add_argument("--deep", action="store_true", help="also parts of questions and changes; exchanges")
    parser.add_argument("--only", metavar="NAME", action="append", help="only this statement (repeatable)")
    parser.add_argument("--sample", type=int, metavar="N", help="only N, chosen at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--executor", metavar="dask://HOST:PORT", help="instead of processes here")
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="note every result there, and go on from what is there"
    )
    parser.add_argument("--within", type=float, metavar="SECONDS", help="begin no further group of cases after so long")
    parser.add_argument("--known", action="store_true", help="also those that alive.yaml says no case can notice")
    parser.add_argument("--prove", action="store_true", help="try to prove of the others that they are the same game")
    parser.add_argument("--score", action="store_true", help="keep the result with the corpus")
    parser.add_argument("--list", action="store_true", help="say of every mutant who finds it")
    given = parser.parse_args()
    family = given.variants or variant_names()
    if unknown := set(family) - set(variant_names()):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(variant_names())}")

    by_variant = {name: mutants_by_name(name) for name in family}
    every = {name: mutant for of in by_variant.values() for name, mutant in of.items()}
    chosen = [name for name, mutant in every.items() if given.deep or not mutant.deep]
    if given.only:
        chosen = [name for name in chosen if every[name].statement.name in given.only]
    if given.sample and given.sample < len(chosen):
        chosen = random.Random(given.seed).sample(chosen, given.sample)

    began, notes, groups = time.monotonic(), Notes(given.into), _groups(family)
    with cluster(given.executor, _who) if given.executor else nullcontext() as pool:
        _campaign(groups, chosen, notes, given, pool)
    known, survivors = known_alive(), [name for name in chosen if notes.survives(name)]
    if given.prove:
        _prove(groups, [name for name in survivors if name not in known], notes)
    kinds = {
        variant: {name: notes.kind_of(name, groups_of(variant).values()) for name in chosen if name in of}
        for variant, of in by_variant.items()
    }
    for name in survivors:
        who = notes.found.get(name, NOTHING)
        print(f"{name}   <- {known.get(name) or who or 'NOBODY'}")
    score = scored(kinds)
    if given.score:
        score_file().write_text(written(score), encoding="utf-8")
    print(f"\n{time.monotonic() - began:.0f} s, {sum(os.times()[:4]):.0f} of processor time")
    print(*(f"{kind}: {number}" for kind, number in score.together.items()), share(score.together), sep=", ")
    return 1 if score.together["open"] + score.together["untried"] else 0


def _campaign(
    groups: Sequence[Group], chosen: Sequence[str], notes: Notes, given: argparse.Namespace, pool: Executor | None
) -> None:
    began = time.monotonic()
    with Progress("groups", len(groups)) as progress:
        for group in groups:
            variant = group.settled[0]
            progress.step(f"{variant} {dict(group.settled[1])}")
            here = mutants_by_name(variant)
            left = [n for n in chosen if n in here and notes.survives(n) and (group.key, n) not in notes.tried]
            left = [n for n in left if given.known or n not in known_alive()]
            if given.within is not None and time.monotonic() - began > given.within:
                return
            for name, who in _of_group(group, left, given.workers, pool):
                notes.add(group.key, name, who)
                if given.list and not notes.survives(name):
                    print(f"{name}   <- {who}", flush=True)


def _prove(groups: Sequence[Group], names: Sequence[str], notes: Notes) -> None:
    """Try to prove of each that it is the same game, under the settled options of every group that has it."""
    left = {name for name in names if notes.found.get(name) != SAME}
    with Progress("proofs", len(groups)) as progress:
        for group in groups:
            here = mutants_by_name(group.settled[0])
            progress.step(f"{group.settled[0]}: {len(left)} left")
            if some := sorted(left & here.keys()):
                proofs = Proofs(group.settled[0], dict(group.settled[1]))
                left -= {name for name in some if not proofs.same(here[name])}
    for name in sorted(left):
        notes.add("proofs", name, PROVED)


def _groups(family: Sequence[str]) -> list[Group]:
    """The cases of these variants by settled options, the largest first."""
    return sorted((of for name in family for of in groups_of(name).values()), key=lambda group: -len(group.cases))


def _of_group(group: Group, names: Sequence[str], workers: int, pool: Executor | None) -> Iterator[tuple[str, str]]:
    """Who finds each of the mutants; by the workers of the pool, or by processes of our own."""
    batches = -(-len(names) // MOST)
    parts = [names[at::batches] for at in range(batches)]
    if pool is not None:
        futures = [pool.submit(_tried, group.settled, part) for part in parts]
        for done in as_completed(futures):
            yield from done.result().items()
    elif parts:
        noted_group(group.settled)
        if workers < 2:
            for part in parts:
                yield from _tried(group.settled, part).items()
        else:
            with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as own:
                yield from _of_group(group, names, workers, own)


if __name__ == "__main__":
    from bench import mutants  # workers elsewhere know it by this name

    raise SystemExit(mutants.main())
