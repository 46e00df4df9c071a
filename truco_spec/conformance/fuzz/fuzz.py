"""Fuzzing: random hands against an implementation, compared step by step with the reference engine.

The hands come in parts. Each part depends only on the seed and its number, and restarts the implementation, so the
findings are the same for any number of workers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from truco_spec.base.shapes import plain
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.cases import Deals, DealsOf
from truco_spec.conformance.corpus.filling import pack_of, rules_of_request, unsound
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals
from truco_spec.conformance.fuzz.generator import Setting
from truco_spec.conformance.fuzz.rounds import (
    Assumed,
    Explain,
    FailureKind,
    Job,
    Part,
    Rounds,
    Shared,
    Taken,
    kinds_of,
    prepared,
    supposed,
)
from truco_spec.conformance.fuzz.shrink import MOST_RUNS, Minimal, file_of, shrink
from truco_spec.conformance.fuzz.trial import Failure, Unplayable
from truco_spec.conformance.runner.deciding import Decided
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.engine import CHANCE, Game
from truco_spec.engine.ruling import tacit_action
from truco_spec.graph.model import DECIDED, Graph

MOST_FAULTS = 60
"""Maximum distinct failures that are shrunk; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class FoundFault:
    """One fault; ``count`` scripts failed in this way. ``cut`` is false if the campaign ended before it was shrunk. It
    was judged by the rules ``assumed``, instead of the implementation's claims.
    """

    minimal: Minimal
    count: int
    cut: bool = True
    assumed: Assumed | None = None

    @property
    def statements(self) -> tuple[str, ...]:
        """The names of the rules and answers that decided the step."""
        return self.minimal.failure.decided.statements


@dataclass(frozen=True, slots=True)
class FuzzCause:
    """The cause of ``kinds`` of failures, in ``count`` scripts. ``found`` is the most frequent of them. It is assumed
    after ``since`` hands, and was found with the first ``behind`` causes assumed.
    """

    cause: CauseReport
    found: FoundFault
    kinds: int
    count: int
    since: int
    behind: int


@dataclass(frozen=True, slots=True)
class FuzzOutcome:
    """All findings: causes of failures, then unexplained failures, grouped by rule, most frequent first.

    ``hands`` were played of those ``asked`` for; ``lost`` counts the others by reason. ``unsteady`` are failures of a
    nondeterministic implementation. ``fired`` rules of all ``rules`` were reached in play; ``more`` kinds of failures
    were not shrunk. ``deals`` is the fault of its own deals. ``stopped`` is why the campaign ended early.
    """

    introduction: Introduction
    setting: Setting
    asked: int
    hands: int
    found: tuple[FoundFault, ...]
    fired: int
    rules: int
    more: int
    deals: DealFault | None = None
    stopped: BaseException | None = None
    unsteady: tuple[FoundFault, ...] = ()
    lost: Mapping[str, int] = field(default_factory=dict)
    causes: tuple[FuzzCause, ...] = ()

    @property
    def wrong(self) -> int:
        """The number of kinds of failures that no cause explains; all nondeterministic ones count as one."""
        return len(self.found) + (self.deals is not None) + bool(self.unsteady)


def fuzz(
    job: Job,
    executor: Executor | None = None,
    on_part: Callable[[Part], None] = lambda part: None,
    on_fault: Callable[[int, int], None] = lambda done, of: None,
    explain: Explain | None = None,
) -> FuzzOutcome:
    """Play, compare, explain, shrink; the result is the same with and without an executor.

    ``on_part`` is called after each part, in order, and ``on_fault`` for each shrunk fault. ``explain`` finds causes of
    failures: they are assumed in the hands that are played then; of what one explains only the most frequent failure
    is shrunk. An interrupt (Ctrl-C) returns the findings so far. Raises :class:`FuzzError`.
    """
    introduction, setting = prepared(job)
    job = replace(job, variant=setting.variant, players=len(setting.players))
    rounds = Rounds(job, setting, introduction, executor, explain, on_part)
    deals, cut, shown = None, list[Minimal](), list[_Shown]()
    stopped: BaseException | None = None
    try:
        deals = _own_deals(job, introduction, setting)
        rounds.play()
        shown = _to_show(rounds)
        for minimal in Shared[Minimal](executor).done(_cut, [by for by, _ in shown], [of.failure for _, of in shown]):
            cut.append(minimal)
            on_fault(len(cut), len(shown))
    except BaseException as end:  # noqa: BLE001 -- whatever it was: what was found is reported first
        stopped = end
        rounds.break_off()
    shown, whole = shown or _to_show(rounds), rounds.whole
    uncut = [Minimal(kind.failure, repeatable=True) for _, kind in shown[len(cut) :]]
    found = [
        FoundFault(minimal, kind.count, cut=at < len(cut), assumed=by.assumed)
        for at, ((by, kind), minimal) in enumerate(zip(shown, (*cut, *uncut), strict=True))
    ]
    left = found[len(rounds.taken) :]
    return FuzzOutcome(
        introduction,
        setting,
        job.hands,
        whole.hands,
        tuple(_grouped(each for each in left if not each.minimal.other)),
        len(whole.rules),
        len(setting.graph.rules),
        len(whole.failures) - len(left),
        deals,
        stopped,
        tuple(each for each in left if each.minimal.other),
        whole.lost,
        tuple(_fuzz_cause(rounds, *each) for each in zip(rounds.taken, found, strict=False)),
    )


_Shown = tuple[Job, FailureKind]
"""A failure to shrink, and the rules by which it was judged."""


def _to_show(rounds: Rounds) -> list[_Shown]:
    """Return the failures to shrink: the most frequent of each cause, then the unexplained ones."""
    explained = [(taken.job, taken.kinds[0]) for taken in rounds.taken]
    return explained + [(rounds.job, kind) for kind in islice(kinds_of(rounds.whole).values(), MOST_FAULTS)]


def _fuzz_cause(rounds: Rounds, taken: Taken, found: FoundFault) -> FuzzCause:
    count, behind = sum(kind.count for kind in taken.kinds), sum(each.since < taken.since for each in rounds.taken)
    return FuzzCause(taken.report, found, len(taken.kinds), count, taken.since, behind)


def _cut(job: Job, failure: Failure) -> Minimal:
    with supposed(job.assumed):
        try:
            return shrink(failure, job.opened, MOST_RUNS)
        except Unplayable:  # it was found before something else was assumed
            return Minimal(failure, repeatable=True)


def _own_deals(job: Job, introduction: Introduction, setting: Setting) -> DealFault | None:
    """The fault of its own deals, if it reports them."""
    if "deal" not in introduction.observes:
        return None
    own = setting.plays.own(len(setting.players))
    options = {name: value for name, value in setting.options.items() if name not in own}
    asked = OwnDeals(setting.variant, options, setting.players, setting.players[0], TIMES, job.seed, match=True)
    return deal_fault(asked, job.open_one)


def _grouped(found: Iterable[FoundFault]) -> Iterator[FoundFault]:
    """Group by first statement."""
    groups: dict[str, list[FoundFault]] = {}
    for each in found:
        groups.setdefault(each.statements[0] if each.statements else "", []).append(each)
    for group in groups.values():
        yield from group


# ---- An implementation's own deals, compared with those of the rules if it lists ``deal`` -----------
#
# Each deal and all of them together have to be sound (:mod:`~truco_spec.conformance.corpus.filling`). If equal seeds
# give equal deals, the frequency of every card at every place is tested too.

TIMES = 500
"""Number of deals examined."""

FAR = 7.0
"""Standard deviations beyond which a frequency is not attributed to chance."""

_MOST_MOVES = 400


@dataclass(frozen=True, slots=True)
class DealFault:
    """A fault of the deals of ``request``, reduced to as few as show it.

    ``counts`` are the expected number of cards of each player, ``pack`` their total; ``case`` is false if no case of
    the corpus can show it.
    """

    request: OwnDeals
    kind: str
    expected: str
    got: str
    decided: Decided
    counts: Mapping[str, int]
    pack: int
    repeatable: bool = True
    case: bool = True
    log: str = ""


def deal_fault(asked: OwnDeals, open_one: Callable[[], Implementation]) -> DealFault | None:
    """The first fault in this many deals, or None."""
    graph = rules_of_request(asked)
    own = Reference().deal(replace(asked, times=1))[0]
    places = {name for name, datum in graph.data.items() if datum.type.place == "slot"}
    counts = {key: len(own[key]) for key in (*asked.players, *sorted(places)) if key in own}
    names = pack_of(asked)
    fault = DealFault(asked, "deal", "", "", dealt_by(graph, asked.players), counts, len(names))
    try:
        deals, again = _dealt(asked, open_one), _dealt(asked, open_one)
    except Broken as broken:
        return replace(fault, kind=broken.verdict, expected="an answer", got=broken.message, case=False, log=broken.log)
    return _unsound(fault, deals, again, names) or _unfair(fault, deals, again, names)


def dealt_by(graph: Graph, players: Sequence[str]) -> Decided:
    """The rules that move cards from the pack to the players."""
    game, found = Game(graph, players=tuple(players)), dict[str, None]()
    for _ in range(_MOST_MOVES):
        drawn = [action for action in game.legal_actions() if action.actor == CHANCE]
        if drawn:
            rules = game.push(drawn[0]).rules
            if any(param.type.base == "card" for param in graph.actions[drawn[0].verb].params):
                found |= dict.fromkeys(rules)
        elif tacit := tacit_action(game):
            game.push(tacit)
        else:
            break
    return Decided(tuple(found))


def _dealt(asked: OwnDeals, open_one: Callable[[], Implementation]) -> tuple[Deal, ...]:
    implementation = open_one()
    try:
        implementation.hello()
        return implementation.deal(asked)
    finally:
        implementation.close()


def _unsound(fault: DealFault, deals: Sequence[Deal], again: Sequence[Deal], names: frozenset[str]) -> DealFault | None:
    """A fault impossible for any pack, in as few deals as show it."""
    found = unsound(deals, _of(fault, len(deals)), names)
    if found is None:
        return None
    same = unsound(again, _of(fault, len(again)), names)
    request = replace(fault.request, times=found.times)
    return replace(
        fault,
        request=request,
        expected=found.expected,
        got=found.got,
        repeatable=same is not None and same.got == found.got,
    )


def _of(fault: DealFault, times: int) -> DealsOf:
    return DealsOf(times, fault.counts, fault.pack, match=fault.request.match)


def _unfair(fault: DealFault, deals: Sequence[Deal], again: Sequence[Deal], names: frozenset[str]) -> DealFault | None:
    """Return the finding on a card that is dealt to a place too often or too rarely; untestable if a seed does not
    reproduce deals.
    """
    if list(deals) != list(again):
        return None
    worst = max(_distances(fault, deals, names), default=None)
    if worst is None or worst[0] < FAR:
        return None
    _, place, card, times, share = worst
    expected = f"{card} comes to {place} in about {share:.0f} of {len(deals)} deals"
    return replace(fault, kind="chance", expected=expected, got=f"in {times}", case=False)


def _distances(
    fault: DealFault, deals: Sequence[Deal], names: frozenset[str]
) -> Iterator[tuple[float, str, str, int, float]]:
    """Return, for each place and card, the standard deviations off, and the actual and expected counts."""
    for place, held in fault.counts.items():
        chance = held / fault.pack
        share, spread = len(deals) * chance, math.sqrt(len(deals) * chance * (1 - chance))
        came = Counter(card for deal in deals for card in deal.get(place, ()))
        for card in sorted(names):
            if spread:
                yield abs(came[card] - share) / spread, place, card, came[card], share


def deal_case(fault: DealFault, name: str, note: str = "") -> str:
    """Write a file of one case in the format of the corpus that asks for this many deals."""
    request = fault.request
    cites = fault.decided.cites(rules_of_request(request))
    clauses = [f"{source}:{clause}" for source, clause in cites if source != DECIDED]
    case: dict[str, Any] = {"id": name, "title": "Every card is dealt once", "clauses": clauses}
    case["level"] = "option" if request.options else "must"
    case |= {"options": dict(request.options)} if request.options else {}
    case |= {"players": len(request.players), "dealer": request.dealer}
    case |= {"note": note} if note else {}
    case["moves"] = [plain(Deals(_of(fault, request.times)))]
    return file_of(case, request.variant)
