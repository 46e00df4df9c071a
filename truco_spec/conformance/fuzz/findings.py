"""Fuzzing results as text: the faults by rule, each with its shortest script and a case for the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from truco_spec.base.document import Block, Code, Heading, Item, Items, Paragraph, Strong, Text, items, text_of
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import one_line
from truco_spec.base.words import label, number, say, spoken
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference, laying_nothing
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import Introduction, Plan, refused_in
from truco_spec.conformance.fuzz.fuzz import DealFault, FoundFault, FuzzCause, FuzzOutcome, deal_case
from truco_spec.conformance.fuzz.rounds import supposed
from truco_spec.conformance.fuzz.shrink import case_text, clauses_of
from truco_spec.conformance.fuzz.trial import Failure
from truco_spec.conformance.reports.run_document import (
    CAUSES,
    FIRST,
    UNSTEADY,
    WIDTH,
    as_written,
    came_out,
    cause_sentence,
    clauses,
    kept_in_words,
    scripted,
)
from truco_spec.conformance.reports.totals import picture
from truco_spec.conformance.runner.deciding import Decided
from truco_spec.conformance.runner.judge import judge
from truco_spec.conformance.runner.verdicts import FAILURES
from truco_spec.engine.text import told_in_force
from truco_spec.graph.model import Graph


def cases_of(outcome: FuzzOutcome, seed: int) -> dict[str, str]:
    """The text of a case file for every fault that can be written as one, by the id of the case."""
    found = {}
    faults = [*(cause.found for cause in outcome.causes), *outcome.found]
    for at, each in enumerate(faults, 1):
        name = _name(outcome, seed, at)
        note = f"Found by truco-spec fuzz with seed {seed}, and cut down."
        if _is_case(each, outcome.introduction):
            found[name] = case_text(each.minimal.failure, name, note)
    if outcome.deals is not None and outcome.deals.case:
        name = f"found-{outcome.setting.variant}-{seed}-deal"
        found[name] = deal_case(outcome.deals, name, f"Found by truco-spec fuzz with seed {seed}.")
    return found


def _name(outcome: FuzzOutcome, seed: int, at: int) -> str:
    return f"found-{outcome.setting.variant}-{seed}-{at}"


def _is_case(found: FoundFault, introduction: Introduction) -> bool:
    """Whether a fault is one by the rules as claimed, too: they refuse the same on the way, and expect the same."""
    failure = found.minimal.failure
    if found.assumed is None or failure.check is None:
        return True
    right = Reference()
    try:
        with supposed(found.assumed):
            assumed = right.run(failure.script)
        claimed = right.run(failure.script)
        rules = filling.script_graph(failure.script).rules
    except (TrucoError, Broken):
        return False
    if [*refused_in(assumed)] != [*refused_in(claimed)] or not rules.keys() >= {*failure.decided.rules}:
        return False
    findings = judge(Plan((failure.script,), (failure.check,)), [claimed], introduction)
    return all(finding.outcome == "passed" for finding in findings)


def text_of_outcome(outcome: FuzzOutcome, seed: int) -> str:
    """The whole report, for a terminal."""
    return text_of(document_of(outcome, seed), WIDTH).rstrip("\n")


def document_of(outcome: FuzzOutcome, seed: int) -> Iterator[Block]:
    """The whole report: causes, then failures by rule, each with its shortest script and a case."""
    who, setting = outcome.introduction, outcome.setting
    form = "{variant}, {players} players, {hands} hands, seed {seed}"
    if not _whole(outcome):
        form = "{variant}, {players} players, {hands} of {asked} hands, seed {seed}"
    hands, asked = number(outcome.hands), number(outcome.asked)
    players = len(setting.players)
    played = say(form, variant=setting.variant, players=players, hands=hands, asked=asked, seed=seed)
    yield Heading(1, Code(f"{who.name} {who.version}: {played}"))
    cases = cases_of(outcome, seed)
    yield from _unsteady(outcome)
    if outcome.causes:
        yield Heading(2, say("Causes"))
        yield Paragraph(say(CAUSES))
    for at, cause in enumerate(outcome.causes, 1):
        name = _name(outcome, seed, at)
        yield from _cause(at, cause, name, cases.get(name, ""), outcome.hands)
    if outcome.deals is not None or outcome.found:
        yield Heading(2, say("Failures that no cause explains" if outcome.causes else "Failures"))
    if outcome.causes and outcome.found:
        yield Paragraph(say("They are compared with the rules as all these causes make them."))
    if outcome.deals is not None:
        yield from _deals(outcome.deals, cases)
    for at, found in enumerate(outcome.found, len(outcome.causes) + 1):
        failure, name = found.minimal.failure, _name(outcome, seed, at)
        yield Heading(3, (Code(name), f": {_in(_kind(failure), found.count)}"))
        with supposed(found.assumed):
            graph = filling.script_graph(failure.script)
            rules = list(_statements(failure.decided, graph) if failure.check is not None else ())
            shown = [*rules, *clauses(clauses_of(failure)), *_fault(found)]
        yield Items((*shown, _as_case(cases.get(name, ""))))
    if left_out := list(_left_out(outcome)):
        yield Heading(2, say("Left out"))
        yield items(*left_out)
    yield Heading(2, _result(outcome))


def _result(outcome: FuzzOutcome) -> str:
    told = kinds_of_failure(outcome.wrong) if outcome.wrong else say("No difference was found")
    if outcome.causes:
        causes = say("1 cause" if len(outcome.causes) == 1 else "{count} causes", count=len(outcome.causes))
        told = say("{causes}; {kinds} unexplained", causes=causes, kinds=told) if outcome.wrong else causes
    fired = say("{fired} of {rules} rules came up in play.", fired=outcome.fired, rules=outcome.rules)
    if _whole(outcome):
        return f"{told}. {fired}"
    hands, asked = number(outcome.hands), number(outcome.asked)
    early = say("Only {hands} of {asked} hands were played.", hands=hands, asked=asked)
    return f"{told}. {fired} {early}"


def _left_out(outcome: FuzzOutcome) -> Iterator[Text]:
    """Return what was not shrunk, and which hands were not played."""
    if outcome.more:
        form = (
            "{count} more kinds of failure not cut down."
            if outcome.more > 1
            else "1 more kind of failure not cut down."
        )
        yield say(form, count=outcome.more)
    if outcome.stopped is not None:
        form = "Stopped after {count} hands. What was found is shown as far as it was cut down."
        yield say(form, count=number(outcome.hands))
    most = max((each.count for each in outcome.found), default=0)
    if 2 * most > outcome.hands:
        form = (
            "Each hand is compared up to its first difference, which is one and the same in {count} of {hands}: "
            "truco-spec fit tells what lies behind it."
        )
        yield say(form, count=number(most), hands=number(outcome.hands))
    for reason, count in sorted(outcome.lost.items(), key=lambda item: (-item[1], item[0])):
        lost = say("{count} hands were not played", count=number(count))
        yield f"{lost}: ", Code(f"{one_line(reason)}.".replace("..", "."))


def _whole(outcome: FuzzOutcome) -> bool:
    return outcome.hands >= outcome.asked


def _as_case(case: str) -> Item:
    if case:
        return as_written(say("as case"), case)
    form = "It is no case of the corpus: without what is assumed, the rules expect something else there, or before."
    return Item(say(form), label=say("as case"))


def _cause(at: int, each: FuzzCause, name: str, case: str, hands: int) -> Iterator[Block]:
    """Return a cause of failures; each is assumed in the search for the next and in the hands played then."""
    variant = each.cause.variant
    yield Heading(3, (f"{at}. ", Strong(cause_sentence(each.cause.sentence, variant))))
    failure = each.found.minimal.failure
    explains = Item(_in(kinds_of_failure(each.kinds), each.count), label=say("explains"))
    same = (Item(Code(cause_sentence(other, variant)), label=say("the same")) for other in each.cause.same)
    seen = _in(_kind(failure), each.found.count)
    shown = Item((Code(name), f": {seen}"), label=say("shortest"))
    with supposed(each.found.assumed):
        told = [explains, _assumed(each, hands), *clauses(each.cause.clauses), *same, shown, *_fault(each.found)]
    yield Items((*told, _as_case(case)))


def _assumed(each: FuzzCause, hands: int) -> Item:
    """Return when a cause was first assumed, and the causes assumed when it was found."""
    form = "from hand {hand} on" if each.since < hands else "when all hands were played"
    told = say(form, hand=number(each.since + 1))
    if each.behind:
        form = (
            "{told}; found with cause 1 assumed" if each.behind == 1 else "{told}; found with causes 1–{last} assumed"
        )
        told = say(form, told=told, last=each.behind)
    return Item(told, label=say("assumed"))


def _unsteady(outcome: FuzzOutcome) -> Iterator[Block]:
    """Describe nondeterministic answers: one cause, shown by its first failure."""
    if not outcome.unsteady:
        return
    first, *others = outcome.unsteady
    failure = first.minimal.failure
    yield Heading(2, say(UNSTEADY))
    yield Paragraph(say(FIRST))
    seen = _in(_named(failure.kind), sum(each.count for each in outcome.unsteady))
    if others:
        seen = say("{seen}; {kinds} more came up so", seen=seen, kinds=kinds_of_failure(len(others)))
    again = Item(Code(kept_in_words(first.minimal.other)), label=say("again"))
    script = scripted(filling.notation(failure.script))
    found = Item(seen, label=say("failure"))
    yield Items((found, *came_out(failure.expected, failure.got), again, script))


def kinds_of_failure(count: int) -> str:
    """The number of kinds of failures, in words."""
    return say("1 kind of failure" if count == 1 else "{count} kinds of failure", count=number(count))


def _statements(decided: Decided, graph: Graph) -> Iterator[Item]:
    for name, source in decided.sources(graph).items():
        yield Item(f"{name}: {told_in_force(graph, source)}", label=say("rule"))
    if not decided.statements:
        yield Item(say("No rule fired here."), label=say("rule"))


def _deals(fault: DealFault, cases: Mapping[str, str]) -> Iterator[Block]:
    """Describe faults of its own deals."""
    name = next(reversed(list(cases)), "") if fault.case else say("its own deals")
    yield Heading(3, (Code(name), f": {_in(_named(fault.kind), 1)}"))
    found: list[Item] = []
    if fault.kind not in FAILURES:
        graph = filling.rules_of_request(fault.request)
        found += _statements(fault.decided, graph)
        found += clauses(f"{source}:{clause}" for source, clause in fault.decided.cites(graph))
    found += came_out(fault.expected, fault.got, fault.log)
    if not fault.repeatable:
        found.append(Item(say("A fresh process deals otherwise: it does not use the seed."), label=say("note")))
    found.append(scripted(filling.notation(fault.request)))
    yield Items((*found, as_written(say("as case"), cases[name])) if name in cases else tuple(found))


def _kind(failure: Failure) -> str:
    """The kind of a failure, and what differs, where that is not the answer itself."""
    about = f" ({failure.about})" if failure.about and failure.check is not None else ""
    return f"{_named(failure.kind)}{about}"


def _named(kind: str) -> str:
    """Return the name of a kind of failure: the key of an observation, or one of our words."""
    return spoken().site.known(label(kind))


def _fault(found: FoundFault) -> Iterator[Item]:
    failure = found.minimal.failure
    yield from came_out(failure.expected, failure.got, failure.log, failure.advice)
    if not found.cut:
        yield Item(say("Not cut down: the command ended before."), label=say("note"))
    elif not found.minimal.repeatable:
        form = "A fresh process does not fail so: it depends on what was played before."
        yield Item(say(form), label=say("note"))
    yield scripted(filling.notation(failure.script), picture(failure.script, laying_nothing(failure.script)))


def _in(what: str, count: int) -> str:
    return say("{what}, in 1 script" if count == 1 else "{what}, in {count} scripts", what=what, count=number(count))
