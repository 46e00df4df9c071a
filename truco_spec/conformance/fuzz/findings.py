"""Fuzzing results as text: the faults by rule, each with its shortest script and a case for the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from truco_spec.base.document import Block, Code, Heading, Item, Items, Paragraph, Strong, Text, items, text_of
from truco_spec.base.harmless import one_line
from truco_spec.conformance.adapters.reference import laying_nothing
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.fuzz.as_case import case_text, clauses_of
from truco_spec.conformance.fuzz.fuzz import FoundFault, FuzzCause, FuzzOutcome
from truco_spec.conformance.fuzz.own_deals import DealFault, deal_case
from truco_spec.conformance.fuzz.trial import Failure
from truco_spec.conformance.reports.run_document import CAUSES, WIDTH, as_written, came_out, clauses, scripted
from truco_spec.conformance.reports.totals import picture
from truco_spec.conformance.runner.deciding import Decided
from truco_spec.conformance.runner.verdicts import FAILURES
from truco_spec.engine.text import told_in_force


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
    """The whole report, for a terminal."""
    return text_of(document_of(outcome, seed), WIDTH).rstrip("\n")


def document_of(outcome: FuzzOutcome, seed: int) -> Iterator[Block]:
    """The whole report: causes, then failures by rule, each with its shortest script and a case."""
    who, setting = outcome.introduction, outcome.setting
    hands = f"{outcome.hands} hands" if _whole(outcome) else f"{outcome.hands} of {outcome.asked} hands"
    played = f"{setting.variant}, {len(setting.players)} players, {hands}, seed {seed}"
    yield Heading(1, Code(f"{who.name} {who.version}: {played}"))
    cases = cases_of(outcome, seed)
    names = list(cases.items())
    if outcome.causes:
        yield Heading(2, "Causes")
        yield Paragraph(CAUSES)
    for number, ((name, case), cause) in enumerate(zip(names, outcome.causes, strict=False), 1):
        yield from _cause(number, cause, name, case)
    if outcome.unsteady or outcome.deals is not None or outcome.found:
        yield Heading(2, "Failures that no cause explains" if outcome.causes else "Failures")
    yield from _unsteady(outcome)
    if outcome.deals is not None:
        yield from _deals(outcome.deals, outcome, cases)
    for (name, case), found in zip(names[len(outcome.causes) :], outcome.found, strict=False):
        failure = found.minimal.failure
        yield Heading(3, (Code(name), f": {failure.kind}{_about(failure)}, in {_times(found.count)}"))
        rules = _statements(failure.decided, outcome) if failure.check is not None else ()
        yield Items((*rules, *clauses(clauses_of(failure)), *_fault(found), as_written("as case", case)))
    if left_out := list(_left_out(outcome)):
        yield Heading(2, "Left out")
        yield items(*left_out)
    yield Heading(2, _result(outcome))


def _result(outcome: FuzzOutcome) -> str:
    told = kinds_of_failure(outcome.wrong) if outcome.wrong else "No difference was found"
    if outcome.causes:
        causes = "1 cause" if len(outcome.causes) == 1 else f"{len(outcome.causes)} causes"
        told = f"{causes}; {kinds_of_failure(outcome.wrong)} unexplained" if outcome.wrong else causes
    early = "" if _whole(outcome) else f" Only {outcome.hands} of {outcome.asked} hands were played."
    return f"{told}. {outcome.fired} of {outcome.rules} rules came up in play.{early}"


def _left_out(outcome: FuzzOutcome) -> Iterator[Text]:
    """What was not cut down, and which hands were not played."""
    if outcome.more:
        yield f"{outcome.more} more {'kinds' if outcome.more > 1 else 'kind'} of failure not cut down."
    if outcome.stopped is not None:
        yield f"Stopped after {outcome.hands} hands. What was found is shown as far as it was cut down."
    for reason, count in sorted(outcome.lost.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count} hands were not played: ", Code(f"{one_line(reason)}.".replace("..", "."))


def _whole(outcome: FuzzOutcome) -> bool:
    return outcome.hands >= outcome.asked


def _cause(number: int, each: FuzzCause, name: str, case: str) -> Iterator[Block]:
    """What explains failures; each is assumed when the next is looked for."""
    yield Heading(3, (f"{number}. ", Strong(each.cause.sentence)))
    failure = each.found.minimal.failure
    explains = Item(f"{kinds_of_failure(each.kinds)}, in {_times(each.count)}", label="explains")
    same = (Item(Code(other), label="the same") for other in each.cause.same)
    shown = Item((Code(name), f": {failure.kind}{_about(failure)}, in {_times(each.found.count)}"), label="shortest")
    told = (explains, *clauses(each.cause.clauses), *same, shown, *_fault(each.found), as_written("as case", case))
    yield Items(told)


def _unsteady(outcome: FuzzOutcome) -> Iterator[Block]:
    """Describe nondeterministic answers: one cause, shown by its first failure."""
    if not outcome.unsteady:
        return
    first, *others = outcome.unsteady
    failure = first.minimal.failure
    yield Heading(3, "Unsteady: the same script is answered otherwise when it is asked again. No rule is to blame.")
    count = _times(sum(each.count for each in outcome.unsteady))
    more = f"; {kinds_of_failure(len(others))} more came up so" if others else ""
    again = Item(Code(first.minimal.other), label="again")
    script = scripted(filling.notation(failure.script))
    found = Item(f"{failure.kind}, in {count}{more}", label="failure")
    yield Items((found, *came_out(failure.expected, failure.got), again, script))


def kinds_of_failure(count: int) -> str:
    """The number of kinds of failures, in words."""
    return f"{count} {'kind' if count == 1 else 'kinds'} of failure"


def _statements(decided: Decided, outcome: FuzzOutcome) -> Iterator[Item]:
    graph = outcome.setting.graph
    for name, source in decided.sources(graph).items():
        yield Item(f"{name}: {told_in_force(graph, source)}", label="rule")
    if not decided.statements:
        yield Item("No rule fired here.", label="rule")


def _deals(fault: DealFault, outcome: FuzzOutcome, cases: Mapping[str, str]) -> Iterator[Block]:
    """Describe faults of its own deals."""
    name = next(reversed(list(cases)), "") if fault.case else "its own deals"
    yield Heading(3, (Code(name), f": {fault.kind}, in {_times(1)}"))
    found: list[Item] = []
    if fault.kind not in FAILURES:
        found += _statements(fault.decided, outcome)
        found += clauses(f"{source}:{clause}" for source, clause in fault.decided.cites(outcome.setting.graph))
    found += came_out(fault.expected, fault.got, fault.log)
    if not fault.repeatable:
        found.append(Item("A fresh process deals otherwise: it does not use the seed.", label="note"))
    found.append(scripted(filling.notation(fault.request)))
    yield Items((*found, as_written("as case", cases[name])) if name in cases else tuple(found))


def _about(failure: Failure) -> str:
    """What differs, where that is not the answer itself."""
    return f" ({failure.about})" if failure.about and failure.check is not None else ""


def _fault(found: FoundFault) -> Iterator[Item]:
    failure = found.minimal.failure
    yield from came_out(failure.expected, failure.got, failure.log)
    if not found.cut:
        yield Item("Not cut down: there was no time for it.", label="note")
    elif not found.minimal.repeatable:
        yield Item("A fresh process does not fail so: it depends on what was played before.", label="note")
    yield scripted(filling.notation(failure.script), picture(failure.script, laying_nothing(failure.script)))


def _times(count: int) -> str:
    return f"{count} script{'s' if count != 1 else ''}"
