"""``python -m bench.flips [CASE…]``: is every expectation of the corpus noticed when it is turned round?

The reference engine plays each case once. Then every expectation of it is replaced by its contraries, one at a time
(refused and allowed, a number one higher or lower, another player, an action too many or too few), and held against the
same answers: each has to fail. One that passes is listed; it says nothing, or nobody compares it.
"""

from __future__ import annotations

import argparse
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from truco_spec.cli.messages import Progress
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, protocol, ready
from truco_spec.conformance.corpus.cases import Category, DealsOf, Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import TEAM_VALUES, Check, Plan, Script
from truco_spec.conformance.runner.judge import alike, judge

NO_WORD = "no-such-word"
"""Something that nobody can do, see or be."""
CATEGORIES: tuple[Category, ...] = typing.get_args(Category)


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """An expectation, and the contrary of it that passes; None where it has none."""

    instance: Instance
    check: Check
    contrary: Check | None

    def __str__(self) -> str:
        case = self.instance.case
        said = "says nothing" if self.contrary is None else f"passes as {_told(self.contrary)} too"
        return f"{case.path}:{case.line}: {self.instance.name}: {_told(self.check)} {said}"


@dataclass(slots=True)
class Figures:
    """How many expectations there are, how many contraries of them, and those that nobody notices."""

    cases: int = 0
    expectations: int = 0
    flips: int = 0
    unnoticed: list[Unnoticed] = field(default_factory=list)

    def __str__(self) -> str:
        noticed = self.flips - sum(found.contrary is not None for found in self.unnoticed)
        return f"{self.cases} cases, {self.expectations} expectations, {self.flips} contraries, {noticed} noticed"


# ---- contraries --------------------------------------------------------------------------------


def contraries(check: Check, script: Script | None) -> Iterator[Check]:
    """Every check that cannot be met where this one is. ``script`` is what is played at its place."""
    match check:
        case protocol.MustPermit():
            yield protocol.MustRefuse(check.at, None)
        case protocol.MustRefuse():
            yield protocol.MustPermit(check.at, True)
            for category in CATEGORIES if check.because else ():
                if category != check.because and not alike(category, check, script):
                    yield replace(check, because=category)
        case protocol.MustShow() if script is not None:
            yield from (replace(check, value=value) for value in _others(check.key, check.value, script))
        case protocol.MustOffer():
            yield from (replace(check, texts=texts) for texts in _more_or_less(check.texts))
        case protocol.MustSee():
            for card in check.sees:
                yield replace(check, sees=(), hides=(card,))
            for card in check.hides:
                yield replace(check, sees=(card,), hides=())
        case protocol.MustDeal():
            yield from (replace(check, deals=deals) for deals in _deals(check.deals))


def _others(key: str, value: Any, script: Script) -> Iterator[Any]:
    """Other values that an observation could have had."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from ({**value, name: other} for other in _others("", inner, script))
        return
    if isinstance(value, list):
        yield from (list(texts) for texts in _more_or_less(value, script.players))
        return
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    same = next((team for team in script.teams if value in team), ()) if key in TEAM_VALUES else (value,)
    yield from (player for player in script.players if player not in same)
    yield from (other for other in (None, 0, 1, "tie", "drawn", NO_WORD) if not _same(other, value))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _more_or_less(texts: Sequence[Any], further: Iterable[str] = ()) -> Iterator[tuple[Any, ...]]:
    for number in range(len(texts)):
        yield (*texts[:number], *texts[number + 1 :])
    yield from ((*texts, other) for other in (*further, NO_WORD) if other not in texts)


def _deals(deals: DealsOf) -> Iterator[DealsOf]:
    for key, count in deals.counts.items():
        yield from (replace(deals, counts={**deals.counts, key: other}) for other in (count - 1, count + 1))
    if deals.pack is not None:
        yield from (replace(deals, pack=other) for other in (deals.pack - 1, deals.pack + 1))


# ---- judging them ------------------------------------------------------------------------------


def unnoticed(instance: Instance, figures: Figures) -> None:
    """Turn round every expectation of an instance. Raises Broken for a case that the reference cannot play."""
    reference = Reference()
    plan = ready.as_written(instance)
    answers = [reference.run(r) if isinstance(r, Script) else reference.deal(r) for r in plan.requests]
    figures.cases += 1
    for check in plan.checks:
        request = plan.requests[check.at.script]
        if isinstance(check, protocol.MustPermit) and not check.asked and instance.case.entry.mode == "umpire":
            continue  # what an umpire takes may come to nothing: it is no expectation
        figures.expectations += 1
        found = list(contraries(check, request if isinstance(request, Script) else None))
        figures.flips += len(found)
        passed: list[Check | None] = [
            contrary for contrary in found if not _noticed(plan, contrary, answers, reference)
        ]
        figures.unnoticed += [Unnoticed(instance, check, other) for other in passed or ([] if found else [None])]


def _noticed(plan: Plan, contrary: Check, answers: Sequence[Any], reference: Reference) -> bool:
    """Whether the judge notices that the contrary is not met."""
    turned, right = replace(plan, checks=(contrary,)), dict(enumerate(answers))
    return any(finding.outcome == "failed" for finding in judge(turned, answers, reference.hello(), right))


def figures_of(instances: Iterable[Instance]) -> Figures:
    """Turn round every expectation of these instances."""
    figures = Figures()
    for instance in instances:
        try:
            unnoticed(instance, figures)
        except Broken as broken:
            raise SystemExit(f"{instance.name} cannot be played: {broken.message}") from broken
    return figures


# ---- the program -------------------------------------------------------------------------------


def _told(check: Check) -> str:
    """A check in a few words."""
    at = f"hand {check.at.hand + 1} action {check.at.action + 1}"
    match check:
        case protocol.MustPermit():
            what = "a permitted move"
        case protocol.MustRefuse():
            what = f"a refused move ({check.because or 'for whatever reason'})"
        case protocol.MustShow():
            what = f"{check.key}: {check.value}"
        case protocol.MustOffer():
            what = f"{check.player} may {', '.join(check.texts) or 'nothing'}"
        case protocol.MustSee():
            what = f"{check.seat} sees {' '.join(check.sees) or 'nothing'} and not {' '.join(check.hides) or 'nothing'}"
        case protocol.MustDeal():
            what = f"deals of {dict(check.deals.counts)} from {check.deals.pack}"
    return f"{what} ({at})"


def main() -> int:
    """Turn them round, print the figure and what nobody notices."""
    parser = argparse.ArgumentParser(prog="python -m bench.flips", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="cases by id; all if none is named")
    given = parser.parse_args()
    instances = chosen(corpus.load(), names=given.cases)
    with Progress("flips", len(instances)) as progress:

        def stepped() -> Iterator[Instance]:
            for instance in instances:
                progress.step(instance.name)
                yield instance

        figures = figures_of(stepped())
    for found in figures.unnoticed:
        print(found)
    print(figures)
    return 1 if figures.unnoticed else 0


if __name__ == "__main__":
    raise SystemExit(main())
