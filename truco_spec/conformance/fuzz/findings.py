"""Fuzzing results as text: the faults by rule, each with its shortest script and a case for the corpus."""

from __future__ import annotations

from collections.abc import Iterator

from truco_spec.base.harmless import one_line, visible
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.fuzz.as_case import case_text, clauses_of
from truco_spec.conformance.fuzz.fuzz import FoundFault, FuzzOutcome
from truco_spec.conformance.fuzz.own_deals import DealFault, deal_case
from truco_spec.conformance.reports.terminal import CAUSES, at_edge, came_out, clauses, labelled, quoted
from truco_spec.conformance.reports.totals import picture
from truco_spec.conformance.runner.deciding import Decided
from truco_spec.conformance.runner.verdicts import FAILURES
from truco_spec.engine.text import told


def cases_of(outcome: FuzzOutcome, seed: int) -> dict[str, str]:
    """The text of a case file for every fault, by the id of the case."""
    found = {}
    faults = [*(cause.found for cause in outcome.causes), *outcome.found]
    for number, each in enumerate(faults, 1):
        name = f"found-{outcome.setting.variant}-{seed}-{number}"
        note = f"Found by truco-spec fuzz with seed {seed}, and cut down."
        found[name] = case_text(each.minimal.failure, name, note)
    if outcome.deals is not None and outcome.deals.case:
        name = f"found-{outcome.setting.variant}-{seed}-deal"
        found[name] = deal_case(outcome.deals, name, f"Found by truco-spec fuzz with seed {seed}.")
    return found


def text_of_outcome(outcome: FuzzOutcome, seed: int) -> str:
    """The whole report."""
    return "\n".join(visible(line) for line in _lines(outcome, seed))


def _lines(outcome: FuzzOutcome, seed: int) -> Iterator[str]:
    who, setting = outcome.introduction, outcome.setting
    hands = f"{outcome.hands} hands" if _whole(outcome) else f"{outcome.hands} of {outcome.asked} hands"
    played = f"{setting.variant}, {len(setting.players)} players, {hands}, seed {seed}"
    yield f"{who.name} {who.version}: {played}"
    statements: tuple[str, ...] | None = None
    cases = cases_of(outcome, seed)
    yield from _unsteady(outcome)
    if outcome.deals is not None:
        yield from _deals(outcome.deals, outcome, cases)
    yield from _causes(outcome, cases)
    names = list(cases.items())[len(outcome.causes) :]
    if outcome.causes and outcome.found:
        yield "\nFailures that no cause explains"
    for (name, case), found in zip(names, outcome.found, strict=False):
        failure = found.minimal.failure
        if found.statements != statements:
            statements = found.statements
            yield ""
            yield from _statements(failure.decided, outcome) if failure.check is not None else ["No answer:"]
        yield from clauses(clauses_of(failure))
        yield from _fault(found, name)
        yield from quoted(case)
    yield ""
    if outcome.more:
        yield f"{outcome.more} more {'kinds' if outcome.more > 1 else 'kind'} of failure not cut down."
    if outcome.stopped is not None:
        yield f"Stopped after {outcome.hands} hands. What was found is shown as far as it was cut down."
    for reason, count in sorted(outcome.lost.items(), key=lambda item: (-item[1], item[0])):
        yield from at_edge(f"{count} hands were not played: {one_line(reason)}.".replace("..", "."))
    told = kinds_of_failure(outcome.wrong) if outcome.wrong else "No difference was found"
    if outcome.causes:
        causes = "1 cause" if len(outcome.causes) == 1 else f"{len(outcome.causes)} causes"
        told = f"{causes}; {kinds_of_failure(outcome.wrong)} unexplained" if outcome.wrong else causes
    early = "" if _whole(outcome) else f" Only {outcome.hands} of {outcome.asked} hands were played."
    yield f"{told}. {outcome.fired} of {outcome.rules} rules came up in play.{early}"


def _whole(outcome: FuzzOutcome) -> bool:
    return outcome.hands >= outcome.asked


def _causes(outcome: FuzzOutcome, cases: dict[str, str]) -> Iterator[str]:
    """What explains failures; each is assumed when the next is looked for."""
    if outcome.causes:
        yield f"\n{CAUSES}"
    for number, ((name, case), each) in enumerate(zip(cases.items(), outcome.causes, strict=False), 1):
        yield ""
        yield from labelled(f"{number}. ", each.cause.sentence)
        yield f"  explains  {kinds_of_failure(each.kinds)}, in {_times(each.count)}"
        yield from clauses(each.cause.clauses)
        for other in each.cause.same:
            yield from labelled("the same  ", other)
        yield from _fault(each.found, name)
        yield from quoted(case)


def _unsteady(outcome: FuzzOutcome) -> Iterator[str]:
    """Describe nondeterministic answers: one cause, shown by its first failure."""
    if not outcome.unsteady:
        return
    first, *others = outcome.unsteady
    failure = first.minimal.failure
    yield ""
    yield "Unsteady: the same script is answered otherwise when it is asked again. No rule is to blame."
    yield f"  {failure.kind}, in {_times(sum(each.count for each in outcome.unsteady))}"
    yield from came_out(failure.expected, failure.got)
    yield from labelled("again     ", first.minimal.other)
    yield from labelled("script    ", filling.notation(failure.script))
    if others:
        yield f"  {kinds_of_failure(len(others))} more came up so."


def kinds_of_failure(count: int) -> str:
    """The number of kinds of failures, in words."""
    return f"{count} {'kind' if count == 1 else 'kinds'} of failure"


def _statements(decided: Decided, outcome: FuzzOutcome) -> Iterator[str]:
    graph = outcome.setting.graph
    yield from (f"{name}: {told(graph, source.prose)}" for name, source in decided.sources(graph).items())
    if not decided.statements:
        yield "No rule fired here:"


def _deals(fault: DealFault, outcome: FuzzOutcome, cases: dict[str, str]) -> Iterator[str]:
    """Describe faults of its own deals."""
    yield ""
    if fault.kind in FAILURES:
        yield "No answer:"
    else:
        yield from _statements(fault.decided, outcome)
        yield from clauses(f"{source}:{clause}" for source, clause in fault.decided.cites(outcome.setting.graph))
    name = next(reversed(cases), "") if fault.case else "its own deals"
    yield f"  {name}: {fault.kind}, in {_times(1)}"
    yield from came_out(fault.expected, fault.got, fault.log)
    if not fault.repeatable:
        yield "  A fresh process deals otherwise: it does not use the seed."
    yield from labelled("script    ", filling.notation(fault.request))
    yield from quoted(cases.get(name, ""))


def _fault(found: FoundFault, name: str) -> Iterator[str]:
    failure = found.minimal.failure
    about = f" ({failure.about})" if failure.about and failure.check is not None else ""  # else it is the actual value
    yield f"  {name}: {failure.kind}{about}, in {_times(found.count)}"
    yield from came_out(failure.expected, failure.got, failure.log)
    if not found.cut:
        yield "  Not cut down: there was no time for it."
    elif not found.minimal.repeatable:
        yield "  A fresh process does not fail so: it depends on what was played before."
    yield from labelled("script    ", filling.notation(failure.script))
    yield from ("    " + line for line in picture(failure.script))


def _times(count: int) -> str:
    return f"{count} script{'s' if count != 1 else ''}"
