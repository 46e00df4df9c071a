"""Validates the user's own cases before any implementation is blamed for them.

Names of players, places, cards, options, observations and clauses, and the words of every move, are resolved in the
rules. Expectations are not judged here: run the reference engine for that (``truco-spec test --cases FILE``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import playable_names
from truco_spec.conformance.corpus import cases, filling, ready
from truco_spec.conformance.corpus.corpus import CaseError
from truco_spec.conformance.corpus.protocol import Plan, Script
from truco_spec.conformance.corpus.vocabulary import unsaid_words
from truco_spec.engine.observe import observations
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import registry, sources
from truco_spec.logs.model import LogError
from truco_spec.logs.notation import NotationError, hint_for, notation_of, shown
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import deal_keys


def must_be_sound(instances: Iterable[cases.Instance]) -> None:
    """Raises :class:`CaseError`, with file and line of the case, at the first unknown name or word."""
    for instance in instances:
        case = instance.case
        for message, hint in _mistakes(instance):
            told = f"{message} {hint}".strip()
            raise CaseError(f"{case.path}:{case.line}: {case.id}: {told}")


def _mistakes(instance: cases.Instance) -> Iterator[tuple[str, str]]:
    if instance.variant not in playable_names():
        yield f"There is no variant {shown(instance.variant)}.", hint_for(instance.variant, playable_names())
        return
    yield from _clauses(instance.case)
    planned = ready.as_written(instance)
    script = planned.requests[0]
    if not isinstance(script, Script):
        return
    try:
        graph = filling.script_graph(script)
    except LogError as error:
        yield error.diagnostics[0].message, error.diagnostics[0].hint
        return
    except TrucoError as error:
        yield str(error), ""
        return
    yield from _names(instance, graph, script.players)
    yield from _moves(planned, script, graph)
    try:
        Replay(filling.log_of(script, [()] * len(script.hands)), graph)
    except LogError as error:
        yield error.diagnostics[0].message, error.diagnostics[0].hint
        return
    if filling.deals_again(planned):
        yield "Cards are dealt again within one hand.", "Say `hand: next` before the moves of the second deal."


def _clauses(case: cases.Case) -> Iterator[tuple[str, str]]:
    """Check citations: a clause of a shipped source must exist; other sources are the user's own."""
    for cite in case.clauses:
        source, _, clause = cite.partition(":")
        if source in sources() and not registry(source).known(clause):
            near = registry(source).nearest(clause)
            yield f"{source} has no clause {shown(clause)}.", f"Did you mean {near}?" if near else ""


def _names(instance: cases.Instance, graph: Graph, players: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    entry = instance.case.entry
    seen = observations(graph)
    deals = [
        entry.deal,
        *(s.hand.deal for s in entry.moves if isinstance(s, cases.HandStep) and isinstance(s.hand, cases.HandStart)),
    ]
    yield from _unknown("player", [entry.dealer, *entry.score], players)
    for deal in deals:
        yield from _unknown("player or place for a card", deal, [*players, *deal_keys(graph)])
        for cards in deal.values():
            yield from _cards(cases.card_list(cards), graph)
    for step in entry.moves:
        if isinstance(step, cases.Expect):
            yield from _unknown("observation", step.expect, seen)
            for value in step.expect.values():
                yield from _unknown("player", value if isinstance(value, dict) else (), players)
        elif isinstance(step, cases.View):
            yield from _unknown("player", [step.view.seat], players)
            yield from _cards((*cases.card_list(step.view.sees), *cases.card_list(step.view.hides)), graph)
        elif isinstance(step, cases.Legal):
            yield from _unknown("player", step.legal, players)
        elif isinstance(step, cases.Refused) and step.before is not None:
            yield from _unknown("implicit word", [step.before], unsaid_words(graph))


def _cards(cards: Iterable[str], graph: Graph) -> Iterator[tuple[str, str]]:
    yield from _unknown("card", cards, [card.name for card in graph.cards])


def _unknown(what: str, asked: Iterable[str], known: Collection[str]) -> Iterator[tuple[str, str]]:
    for name in asked:
        if str(name) not in known:
            yield f"There is no {what} “{shown(str(name))}”.", hint_for(str(name), known)


def _moves(planned: Plan, script: Script, graph: Graph) -> Iterator[tuple[str, str]]:
    """Check the words of moves. A refused move may be anything: an unknown word or card is a valid test."""
    texts = [action.text for actions in planned.taken for action in actions]
    texts += [branch.hands[-1].actions[-1].text for branch in planned.requests[1:] if isinstance(branch, Script)]
    notation = notation_of(graph, script.players)
    for text in texts:
        try:
            notation.readings(text)
        except NotationError as error:
            yield error.message, error.hint
