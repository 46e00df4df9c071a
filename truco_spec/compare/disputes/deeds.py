"""Deeds of players on a call, by the rules that fired: accepting, refusing or raising it, or giving up the hand.

A call is a word of a ladder or a bid. What answers it is known from their parts: the phase ``NAME.answer``, and what an
acceptance writes there (:mod:`truco_spec.graph.desugar`). So a card that accepts a call is an acceptance, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from truco_spec.compare.disputes.claim import ACCEPTS, RAISES, REFUSES, RUNS
from truco_spec.compare.disputes.playthrough import PERMITTED, JudgedMove, Playthrough
from truco_spec.engine.support import Action
from truco_spec.graph.model import Apply, Assign, Graph, Rule, by_identity
from truco_spec.graph.walk import flat_changes, permitting, ways

ANSWER, WORD, ACCEPT, REFUSE = ".answer", ".word", ".accept", ".refuse"
"""Parts of a ladder or a bid: the phase in which it is answered, the order of its words, rules."""
HELD = (".level", ".agreed")
"""The data written by an acceptance of a ladder, and by a raise in answer to a bid."""


class Deed(NamedTuple):
    """A player's deed at a move (from 1); ``call`` names the ladder or bid, ``word`` is the index of its word, and
    ``caller`` its caller.
    """

    kind: str
    seat: int
    number: int
    call: str = ""
    word: int | None = None
    caller: int | None = None


def deeds_of(playthrough: Playthrough) -> Iterator[Deed]:
    """All deeds of a playthrough, in their order."""
    graph = playthrough.rules.graph
    said, open_ = set[str](), dict[str, tuple[int | None, int]]()
    for moment in playthrough.moments:
        if moment.event is None or moment.verdict != PERMITTED:
            continue
        seat, rules = moment.event.action.actor, [graph.rules[name] for name in moment.event.rules]
        for call in tuple(open_):
            kinds = {kind for rule in rules if (kind := _answers(graph).get((rule.name, call)))}
            if kinds:
                yield Deed(ACCEPTS if ACCEPTS in kinds else REFUSES, seat, moment.number, call, *open_.pop(call))
        if any(_gives_up(graph, rule) for rule in rules) or _goes_alone(graph, moment.event.action.verb, rules):
            yield Deed(RUNS, seat, moment.number)
        for call, word in _called(graph, moment.event.action, rules):
            if call in said:
                yield Deed(RAISES, seat, moment.number, call, word, seat)
            said.add(call)
            open_[call] = word, seat
        if _is_over(moment):
            said.clear()
            open_.clear()


def calls(graph: Graph) -> tuple[str, ...]:
    """The names of the ladders and bids."""
    return tuple(
        p.removesuffix(ANSWER) for p in graph.phases if p.endswith(ANSWER) and p[: -len(ANSWER)] + WORD in graph.orders
    )


def word_of(graph: Graph, action: Action) -> tuple[str, int] | None:
    """Return the call to which the word of an action belongs, and the word's index; None for any other action."""
    for param, value in zip(graph.actions[action.verb].params, action.args, strict=True):
        if param.type.base == "order" and param.type.name.endswith(WORD):
            return param.type.name.removesuffix(WORD), value
    return None


def _called(graph: Graph, action: Action, rules: Sequence[Rule]) -> Iterator[tuple[str, int | None]]:
    """The call that an action makes: by its word, or as what asks for an answer."""
    found = word_of(graph, action)
    if found is not None:
        yield found
        return
    asked = {way.phase for rule in rules for way in ways(graph, rule.do) if way.word == "ask"}
    yield from ((call, None) for call in calls(graph) if call + ANSWER in asked)


@by_identity(64)
def _answers(graph: Graph) -> dict[tuple[str, str], str]:
    """Map each rule to its deed on each call that it answers."""
    found: dict[tuple[str, str], str] = {}
    for call in calls(graph):
        accept = graph.rules.get(call + ACCEPT)
        settled = {way.phase for way in ways(graph, accept.do)} - {""} if accept is not None else set()
        for rule in graph.rules.values():
            if rule.phases != (call + ANSWER,) or rule.shape not in ("may", "must"):
                continue
            written = {change.datum for change in flat_changes(graph, rule.do) if isinstance(change, Assign)}
            if not written.isdisjoint(call + held for held in HELD) or settled & {
                w.phase for w in ways(graph, rule.do)
            }:
                found[rule.name, call] = ACCEPTS
            elif "score" in written:
                found[rule.name, call] = REFUSES
    return found


def _gives_up(graph: Graph, rule: Rule) -> bool:
    """Whether a rule has its own side give up the hand, as whoever refuses a ladder does."""
    refusals = [graph.rules[call + REFUSE] for call in calls(graph) if call + HELD[0] in graph.data]
    effects = {change.effect for refusal in refusals for change in refusal.do if isinstance(change, Apply)}
    whose = (change.args[0] for change in rule.do if isinstance(change, Apply) and change.effect in effects)
    return any(one.value == "team" and one.kids[0].value == "me" for one in whose)


def _goes_alone(graph: Graph, verb: str, rules: Sequence[Rule]) -> bool:
    """Whether a word that gives up a hand is said while a partner plays on, or has yet to say it."""
    bids = {(call + ANSWER,) for call in calls(graph) if call + HELD[1] in graph.data}
    known = any(_gives_up(graph, rule) for rule in permitting(graph, verb))
    return known and any(rule.shape == "may" and rule.phases not in bids for rule in rules)


def _is_over(moment: JudgedMove) -> bool:
    return moment.seen.get("hand") is not None
