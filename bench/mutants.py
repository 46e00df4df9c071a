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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from truco_spec.cli.progress import Progress
from truco_spec.conformance.adapters import reference
from truco_spec.conformance.corpus import corpus, filling
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.runner import runner
from truco_spec.graph import load as loading
from truco_spec.graph.link import blocks_of, link, shipped_names
from truco_spec.graph.linking.build import build
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.model import Log, LogError
from truco_spec.logs.setup import graph_of

ASKING = ("refuse", "special")
"""Kinds that have a condition; others can do without."""
WHOLE = ("rule", "refuse", "set", "special", "fault")
"""Kinds of which a statement can go as a whole; of defines and effects only exceptions and replacements can."""
PARTS = ("data", "phases", "actions", "defines", "tables", "effects", "rules", "refusals", "seats", "cards")
SECONDS = 20
"""A case that takes longer is not played by that mutant."""


@dataclass(frozen=True)
class Mutant:
    """The block's statement as it is, and as it would be (None: it is gone)."""

    block: str
    statement: t.Statement
    other: t.Statement | None
    what: str
    deep: bool = False

    def __str__(self) -> str:
        return f"{self.block}: {self.statement.kind} {self.statement.name}: {self.what}"


# ---- making them -------------------------------------------------------------------------------


def mutants_of(block: t.VariantText) -> Iterator[Mutant]:
    """Every mutant of the statements of one block."""
    for statement in block.items:
        bare = statement.excepts or statement.mode == "replace"
        if statement.kind in WHOLE or (statement.kind in ("define", "effect") and bare):
            yield Mutant(block.name, statement, None, "gone")
        for what, other in _changed(statement):
            yield Mutant(block.name, statement, other, what)
        for what, other in _deeply_changed(statement):
            yield Mutant(block.name, statement, other, what, deep=True)


def _changed(s: t.Statement) -> Iterator[tuple[str, t.Statement]]:
    """Another default, a condition without a part or gone, a table without a row."""
    for i, choice in enumerate(s.choices if s.kind == "option" else ()):
        if not choice.default:
            stars = tuple(replace(c, default=n == i) for n, c in enumerate(s.choices))
            yield f"{said(choice.value)} is the default", replace(s, choices=stars)
    if s.kind == "set":
        return
    if s.when is not None:
        if s.kind not in ASKING:
            yield "always", replace(s, when=None)
        for what, less in _less(s.when):
            yield what, replace(s, when=less)
    for i, clause in enumerate(s.clauses):
        if clause.kind == "when" and clause.expr is not None:
            if s.kind not in ASKING:
                yield "always", replace(s, clauses=s.clauses[:i] + s.clauses[i + 1 :])
            for what, less in _less(clause.expr):
                yield what, replace(s, clauses=(*s.clauses[:i], replace(clause, expr=less), *s.clauses[i + 1 :]))
    for i, row in enumerate(s.rows):
        yield f"without row {i + 1}: {row}", replace(s, rows=s.rows[:i] + s.rows[i + 1 :])


def _deeply_changed(s: t.Statement) -> Iterator[tuple[str, t.Statement]]:
    """A question without a part, an exception to less, a rule in fewer phases, for fewer verbs, that changes less."""
    if s.kind == "define" and s.value is not None:
        for what, less in _less(s.value):
            yield what, replace(s, value=less)
    if s.kind in ("rule", "define", "effect"):
        for name in s.excepts if len(s.excepts) > 1 else ():
            yield f"no exception to {name}", replace(s, excepts=tuple(e for e in s.excepts if e != name))
    if s.kind == "rule":
        for name in s.names if len(s.names) > 1 else ():
            yield f"not in {name}", replace(s, names=tuple(n for n in s.names if n != name))
    for i, clause in enumerate(s.clauses):
        for what, less in _clauses(clause):
            clauses = s.clauses[:i] + ((less,) if less else ()) + s.clauses[i + 1 :]
            yield what, replace(s, clauses=clauses)


def _clauses(clause: t.Clause) -> Iterator[tuple[str, t.Clause | None]]:
    for i, verb in enumerate(clause.verbs if len(clause.verbs) > 1 else ()):
        yield f"not for {verb.name}", replace(clause, verbs=clause.verbs[:i] + clause.verbs[i + 1 :])
    if clause.kind in ("do", "lest"):
        for i, change in enumerate(clause.changes):
            if not isinstance(change, t.Way):
                less = clause.changes[:i] + clause.changes[i + 1 :]
                yield f"without {clause.kind} {said(change)}", replace(clause, changes=less) if less else None


def _less(e: t.Expr) -> Iterator[tuple[str, t.Expr]]:
    """The expression with one part of it left out, each part in turn."""
    if isinstance(e, t.Logic):
        parts = _flat(e, e.word)
        for i, part in enumerate(parts):
            yield f"without {said(part)}", _joined(e.word, parts[:i] + parts[i + 1 :])
            for what, less in _less(part):
                yield what, _joined(e.word, [*parts[:i], less, *parts[i + 1 :]])
    elif isinstance(e, t.Choose):
        yield f"never {said(e.then)}", e.other
        yield f"always {said(e.then)}", e.then
        for name in ("then", "test", "other"):
            for what, less in _less(getattr(e, name)):
                yield what, replace(e, **{name: less})
    elif isinstance(e, t.Not):
        for what, less in _less(e.item):
            yield what, replace(e, item=less)
    elif isinstance(e, t.Arith):
        yield f"without {said(e.right)}", e.left
        for name in ("left", "right"):
            for what, less in _less(getattr(e, name)):
                yield what, replace(e, **{name: less})
    elif isinstance(e, t.Quant):
        for name in ("where", "body"):
            inner = getattr(e, name)
            for what, less in _less(inner) if inner is not None else ():
                yield what, replace(e, **{name: less})


def _flat(e: t.Expr, word: str) -> list[t.Expr]:
    if isinstance(e, t.Logic) and e.word == word:
        return [*_flat(e.left, word), *_flat(e.right, word)]
    return [e]


def _joined(word: str, parts: Sequence[t.Expr]) -> t.Expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = t.Logic(word, whole, part)
    return whole


def said(part: object) -> str:
    """A part as it stands in its text."""
    span = getattr(part, "span", None)
    if isinstance(span, t.Span) and span != t.NOWHERE:
        lines = _lines(span.file)[span.line - 1 : span.end_line]
        if lines:
            lines[-1] = lines[-1][: span.end_column - 1]
            lines[0] = lines[0][span.column - 1 :]
            return " ".join(" ".join(lines).split())
    return getattr(part, "text", None) or str(getattr(part, "value", part))


@cache
def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def mutated(blocks: tuple[t.VariantText, ...], mutant: Mutant) -> tuple[t.VariantText, ...]:
    """The blocks of a variant with the mutant's statement in place of the old one."""

    def items(block: t.VariantText) -> tuple[t.Statement, ...]:
        if block.name != mutant.block:
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

    def order(self, mutant: Mutant) -> list[int]:
        """All cases: those that share rare clauses with the statement, then those that have found most before."""
        weight: dict[int, float] = defaultdict(float)
        for cite in mutant.statement.cites:
            found = self.rests_on.get(cite.clause, [])
            for i in found:
                weight[i] += 1 / math.sqrt(len(found))
        return sorted(range(len(self.instances)), key=lambda i: (-weight[i], -self.killers[i], i))


def kills(mutant: Mutant, cases: Corpus) -> str:
    """Who tells the mutant from the original: the name of a case, “the linker”, or nobody (empty)."""
    chains: dict[str, object] = {}

    @cache
    def linked(name: str, options: tuple[tuple[str, str], ...]) -> Graph:
        if name not in chains:
            chains[name] = link(mutated(blocks_of(name), mutant))
        return build(chains[name], dict(options))  # type: ignore[arg-type]

    original = loading._load
    same: dict[tuple[object, ...], bool] = {}
    try:
        for i in cases.order(mutant):
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
    mutants = [mutant for name in blocks for mutant in mutants_of(texts[name]) if given.deep or not mutant.deep]
    if given.only:
        mutants = [mutant for mutant in mutants if mutant.statement.name in given.only]
    if given.sample or given.minutes < math.inf:
        random.Random(given.seed).shuffle(mutants)
    mutants = mutants[: given.sample]

    began, tried = time.monotonic(), 0
    survivors: list[tuple[Mutant, str]] = []
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
