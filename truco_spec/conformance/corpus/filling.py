"""Completes a case from the spec: players, teams, and the cards that the case leaves open.

A case is filled before it is sent: with complete deals, as a replayed log would deal them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise
from math import comb
from typing import TYPE_CHECKING, Any

from truco_spec.base import shapes
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import by_variant, playable_names
from truco_spec.base.words import Sentence, hinted, suggestion
from truco_spec.conformance.corpus import cases, ready
from truco_spec.conformance.corpus.cases import DealsOf
from truco_spec.conformance.corpus.corpus import MOST_MISTAKES, CaseError, all_of
from truco_spec.conformance.corpus.protocol import (
    START,
    Deal,
    MustOffer,
    MustRefuse,
    MustSee,
    OwnDeals,
    Plan,
    Position,
    Script,
    ScriptAction,
    Seen,
    refused_in,
)
from truco_spec.conformance.corpus.vocabulary import observed, unsaid_words
from truco_spec.engine import CHANCE, Event, Game
from truco_spec.engine.observe import observations
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY, OBSERVED, Graph
from truco_spec.graph.sources import registry, sources
from truco_spec.graph.walk import gathers, written_by
from truco_spec.language.diagnostics import SpecError, nearest
from truco_spec.logs.line import Hand, Log, LogError, LoggedMove, twice_dealt, write_line
from truco_spec.logs.notation import Notation, NotationError, hint_for, notation_of, shown
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.logs.setup import deal_keys, graph_of

if TYPE_CHECKING:
    from truco_spec.graph.types import Type


EVERYTHING = frozenset({"start", "legal", "view", "why"})


def complete(plan: Plan) -> Plan:
    """Return the plan with complete deals; cards that the case leaves open are dealt as in a replayed log.

    A script that the rules reject is completed as far as it gets.
    """
    script = plan.requests[0]
    if not isinstance(script, Script):
        return plan
    refused, moves = plan.refused, plan.taken
    branched = [branch.hands[-1].actions[-1] for branch in plan.requests[1:] if isinstance(branch, Script)]
    where = [len(branch.hands) - 1 for branch in plan.requests[1:] if isinstance(branch, Script)]
    also = [
        [action for n, action in enumerate(hand.actions) if (at, n) in refused]
        + [action for action, hand_of in zip(branched, where, strict=True) if hand_of == at]
        for at, hand in enumerate(script.hands)
    ]
    deals, unsaid = _deals(script, moves, also)
    requests: list[Script | OwnDeals] = [_filled(script, deals, unsaid, refused)]
    for branch in plan.requests[1:]:
        if isinstance(branch, Script):
            # A branch ends with the action in question, as if it were the log's next.
            asked = (len(branch.hands) - 1, len(branch.hands[-1].actions) - 1)
            requests.append(_filled(branch, deals, unsaid | {asked}, frozenset()))
        else:
            requests.append(branch)
    return replace(plan, requests=tuple(requests))


def completed(script: Script, seen: Seen = ()) -> Script:
    """Return a script with complete deals; by these observations of it, if any, its actions are taken or refused."""
    refused = tuple(MustRefuse(Position(0, *place), None) for place in refused_in(seen))
    whole = complete(Plan((script,), refused)).requests[0]
    assert isinstance(whole, Script)  # as it was
    return whole


def deals_again(plan: Plan) -> bool:
    """Whether cards are dealt again within one hand of the script, whose deal can hold the cards of one deal only.

    A lot is a draw that leaves its card in the pack.
    """
    script = plan.requests[0]
    if not isinstance(script, Script):
        return False
    graph = script_graph(script)
    knows = notation_of(graph, script.players).knows
    log = log_of(script, [[action.text for action in hand if knows(action.text)] for hand in plan.taken])
    replay, hand, drawn, gathered = Replay(log, graph, acting=False, only=()), 0, False, False
    with contextlib.suppress(LogError):  # as far as it is permitted
        for step in replay.steps():
            if step.hand != hand:
                hand, drawn, gathered = step.hand, False, False
            for event in step.events:
                deals = event.action.actor == CHANCE and any(
                    graph.data[name].type.place for rule in event.rules for name in written_by(graph)[rule]
                )
                if deals and gathered:
                    return True
                drawn = drawn or deals
                gathered = gathered or (drawn and gathers(graph, event.fired))
    return False


def asked_of(plan: Plan) -> frozenset[str]:
    """The observations (start, legal, view, why) that a plan needs; all of them if it has refusals."""
    if plan.refused:
        return EVERYTHING
    start = {"start"} if any(check.at.action == START for check in plan.checks) else set()
    legal = {"legal"} if any(isinstance(check, MustOffer) for check in plan.checks) else set()
    view = {"view"} if any(isinstance(check, MustSee) for check in plan.checks) else set()
    return frozenset(start | legal | view | {"why"})


def _filled(script: Script, deals: list[Deal], unsaid: set[tuple[int, int]], refused: Set[tuple[int, int]]) -> Script:
    hands = tuple(
        replace(hand, deal=deals[at], actions=_exact(at, hand.actions, unsaid, refused))
        for at, hand in enumerate(script.hands)
    )
    return replace(script, hands=hands)


def _exact(
    hand: int, actions: tuple[ScriptAction, ...], unsaid: set[tuple[int, int]], refused: Set[tuple[int, int]]
) -> tuple[ScriptAction, ...]:
    """Return the actions, each with whether implicit actions may precede it.

    ``unsaid`` holds the numbers of played moves preceded by implicit actions; for a refused action the case says so
    itself.
    """
    found, played = [], 0
    for number, action in enumerate(actions):
        if (hand, number) in refused:
            found.append(action)
            continue
        found.append(replace(action, exact=(hand, played) not in unsaid))
        played += 1
    return tuple(found)


def script_graph(script: Script | OwnDeals) -> Graph:
    """Return the graph of a script, or of deals. Raises LogError for an unknown variant, option or table."""
    if _supposed:
        try:
            return _supposed[-1](script)
        except SpecError as error:
            raise LogError(error.diagnostics) from error
    key = script.variant, tuple(sorted(script.options.items())), script.players
    if known := _known(*key):
        return known[0]()
    found = _linked(*key)
    if isinstance(found, LogError):
        raise found
    return found


_supposed: list[Callable[[Script | OwnDeals], Graph]] = []


@contextlib.contextmanager
def supposing(graph_for: Callable[[Script | OwnDeals], Graph]) -> Iterator[None]:
    """A context in which every script is played by these rules, whoever asks."""
    _supposed.append(graph_for)
    try:
        yield
    finally:
        _supposed.pop()


def know_graph(script: Script, graph: Callable[[], Graph]) -> None:
    """Have this for the graph of a script, which is made when it is asked for: it need not be linked."""
    _known(script.variant, tuple(sorted(script.options.items())), script.players)[:] = [lru_cache(maxsize=1)(graph)]


@by_variant(256)
def _known(variant: str, options: tuple[tuple[str, str], ...], players: tuple[str, ...]) -> list[Callable[[], Graph]]:
    return []


@by_variant(256)
def _linked(variant: str, options: tuple[tuple[str, str], ...], players: tuple[str, ...]) -> Graph | LogError:
    try:
        return graph_of(Log(variant=variant, players=players, options=dict(options)))
    except LogError as error:
        return error


def _deals(
    script: Script, moves: list[list[ScriptAction]], also: list[list[ScriptAction]]
) -> tuple[list[Deal], set[tuple[int, int]]]:
    """Play the moves; return the deal of every hand, and the moves (hand and number) preceded by implicit actions."""
    deals: list[Deal] = [hand.deal for hand in script.hands]
    unsaid: set[tuple[int, int]] = set()
    try:
        graph = script_graph(script)
        knows = notation_of(graph, script.players).knows
        log = log_of(script, [[action.text for action in hand if knows(action.text)] for hand in moves])
        further = [[action.text for action in hand if knows(action.text)] for hand in also]
        replay = Replay(log, graph, further, acting=False, only=ENDS)
        for at in range(len(script.hands)):
            dealt = Dealt(replay)
            played = [number for number, action in enumerate(moves[at]) if knows(action.text)]
            try:
                last = at + 1 == len(script.hands)
                for number in _play_hand(replay, dealt, played, last=last):
                    unsaid.add((at, number))  # at once: what follows may be refused
            finally:
                deals[at] = dealt.deal(script.hands[at].deal)
            replay.next_hand()
    except LogError:
        pass  # the player of the script will report that error; the cards stay as the case gives them
    return deals, unsaid


def _play_hand(replay: Replay, dealt: Dealt, moves: list[int], *, last: bool) -> Iterator[int]:
    """Play the moves of a hand, then deal the remaining cards.

    Yields the numbers of the moves preceded by implicit actions.
    """
    over = False
    for number in moves:
        step = replay.advance()
        dealt.note(step.events if step else ())
        if step and any(event.action.actor != CHANCE for event in step.before):
            yield number
        over = over or (step is not None and ends_hand(step.observed))
    if not dealt.drawn:
        dealt.note(replay.deal_out())
    elif last and not over:
        dealt.note(replay.settle())


ENDS = ("hand", "winner", "game-score")
"""The observations made at the end of a hand; the last alone where points end a game of several in its midst."""


def ends_hand(observed: Mapping[str, Any]) -> bool:
    """Whether a hand is over: its winner or that of the match is reported, or the final score of a game of several."""
    told = (observed.get(key) for key in ENDS)
    return any(
        any(v is not None for v in one.values()) if isinstance(one, Mapping) else one is not None for one in told
    )


class Dealt:
    """The cards that chance brings in one hand: their recipients, and their order per chance action."""

    def __init__(self, replay: Replay) -> None:
        self.game, self.notation, self.dealer = replay.game, replay.notation, replay.dealer
        self.drawn: list[tuple[str, int]] = []
        self.before = len(self.dealer.dealt)

    def note(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.action.actor == CHANCE:
                self.drawn += [(event.action.verb, card) for card in self.notation.cards_of(event.action)]

    def deal(self, given: Deal) -> Deal:
        """The actual deal, followed by the cards of the case that were not dealt."""
        graph = self.game.graph
        names = [graph.cards[card].name for _, card in self.drawn]
        found: dict[str, list[str]] = {}
        for place, name in self.dealer.dealt[self.before :]:
            if place in self.notation.seats or graph.data[place].type.place == "slot":
                found.setdefault(place, []).append(name)
        for name, (verb, _) in zip(names, self.drawn, strict=True):
            found.setdefault(verb, []).append(name)
        for key, cards in given.items():
            found.setdefault(key, []).extend(card for card in cards if card not in names)
        return {key: tuple(dict.fromkeys(cards)) for key, cards in found.items()}


def place_of(game: Game, notation: Notation, card: int) -> str:
    """Return the owner of a card; the name of its place if it has none; an empty string for the pack."""
    lies = game.layout.place_of.get(game.position[game.layout.cards_at + card])
    if lies is None or lies[0] == game.graph.pack:
        return ""
    params = game.graph.data[lies[0]].params
    seats = [value for param, value in zip(params, lies[1], strict=True) if param.type.base == "seat"]
    return notation.players[seats[0]] if seats else lies[0]


def log_of(script: Script, moves: Sequence[Sequence[str]]) -> Log:
    hands = tuple(
        Hand(hand.deal, tuple(LoggedMove(text) for text in texts))
        for hand, texts in zip(script.hands, moves, strict=True)
    )
    return Log(
        variant=script.variant,
        players=script.players,
        options=script.options,
        dealer=script.dealer,
        score=script.score,
        mode=script.mode,
        hands=hands,
    )


def notation(request: Script | OwnDeals) -> str:
    """Format a script as a one-line log, to be pasted into ``truco-spec run``; own deals as a sentence.

    The order of the pack is omitted where the players' cards determine it.
    """
    if isinstance(request, OwnDeals):
        log = Log(variant=request.variant, players=request.players, options=request.options, dealer=request.dealer)
        return f"{write_line(log)} | {request.times} deals of its own"
    log = log_of(request, [[action.text for action in hand.actions] for hand in request.hands])
    left: Iterator[Mapping[str, int]] = itertools.chain(left_over(request), itertools.repeat({}))
    hands = (
        replace(hand, deal=_told(_without(hand.deal, more), request))
        for hand, more in zip(log.hands, left, strict=False)
    )
    return write_line(replace(log, hands=tuple(hands)))


def left_over(script: Script) -> Iterator[Mapping[str, int]]:
    """Return, for each hand until one cannot be set up, the number of cards not yet dealt to each player when the
    script ends.
    """
    with contextlib.suppress(LogError):
        graph = script_graph(script)
        knows = notation_of(graph, script.players).knows
        moves = [[action for action in hand.actions if knows(action.text)] for hand in script.hands]
        replay = Replay(log_of(script, [[action.text for action in hand] for hand in moves]), graph)
        for hand in moves:
            for action in hand:
                try:
                    replay.advance(exact=action.exact)
                except MoveRefused:
                    replay.at += 1
            yield {key: len(cards) for key, cards in replay.dealer.left_over().items()}
            replay.next_hand()


def _without(deal: Deal, more: Mapping[str, int]) -> Deal:
    return {key: cards[: len(cards) - more.get(key, 0)] for key, cards in deal.items()}


def as_named(script: Script) -> Script:
    """Return the script with the named cards in the named hands, whoever deals."""
    return replace(script, hands=tuple(replace(hand, deal=_told(hand.deal, script)) for hand in script.hands))


def _told(deal: Deal, script: Script) -> Deal:
    """Return the cards of players and places; only the order of the pack if it names no player's cards."""
    names = [*script.players, *load(script.variant).data]
    own = {key: cards for key, cards in deal.items() if key in names and cards}
    return own if any(key in script.players for key in own) else deal


# --------------------------------------------------------------------------------------------------
# Checks deals that an implementation made by itself, each alone and all together.


SELDOM = 1e-9
"""Significance level: less probable outcomes are not attributed to chance."""

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True)
class Unsound:
    """The expected and actual result; the first ``times`` deals show it."""

    expected: str
    got: str
    times: int


def unsound(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Unsound | None:
    """The first fault in these deals from a pack with these card names, or None."""
    return next((found for wrong in _WRONGS for found in wrong(deals, of, names)), None)


def pack_of(request: OwnDeals) -> frozenset[str]:
    """The names of the cards in the pack. Raises TrucoError for an unknown variant."""
    return frozenset(card.name for card in rules_of_request(request).cards if card.present)


def rules_of_request(request: OwnDeals) -> Graph:
    """The rules of a request. Raises TrucoError for an unknown variant."""
    return load(request.variant, **{**request.options, HOW_MANY: str(len(request.players))})


def _in_one(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """The first deal with a duplicate card, a card of another pack, or a wrong number of cards."""
    for number, deal in enumerate(deals, 1):
        at, shown = f"deal {number}", "; ".join(f"{key} {' '.join(held)}" for key, held in deal.items())
        cards = [card for held in deal.values() for card in held]
        if twice := sorted({card for card in cards if cards.count(card) > 1}):
            where = [key for key, held in deal.items() for _ in range(held.count(twice[0]))]
            got = f"{at}: {twice[0]} is with {' and '.join(where)} ({shown})"
            yield Unsound("no card is in two places", got, number)
        if {key: len(deal.get(key, ())) for key in of.counts} != dict(of.counts):
            wanted = ", ".join(f"{key} {count}" for key, count in of.counts.items())
            yield Unsound(f"number of cards: {wanted}", f"{at}: {shown}", number)
        if of.pack is not None and (strange := sorted(set(cards) - names)):
            yield Unsound(f"cards of this pack of {len(names)}", f"{at}: {_few(strange)} ({shown})", number)


def _all_alike(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect repeated deals: two equal ones may be chance, three are not."""
    first, enough = deals[0], 3
    if len(deals) >= enough and all(_same(first, deal) for deal in deals):
        shown = "; ".join(f"{key} {' '.join(held)}" for key, held in first.items())
        yield Unsound(
            "the cards are shuffled before each deal", f"all {len(deals)} deals are the same: {shown}", enough
        )


def _missing(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect cards of the pack that never appear, given enough deals to be sure."""
    if of.pack is None:
        return
    least = min(sum(map(len, deal.values())) for deal in deals)
    came = {card for deal in deals for held in deal.values() for card in held}
    sure = len(names) * (1 - least / len(names)) ** len(deals) < SELDOM
    if len(came) > of.pack or (sure and len(came) < of.pack):
        never = f"; never {_few(sorted(names - came))}" if sure and names - came else ""
        yield Unsound(
            f"a pack of {of.pack} cards", f"in {len(deals)} deals {len(came)} different cards{never}", len(deals)
        )


def _not_renewed(deals: Sequence[Deal], of: DealsOf, names: frozenset[str]) -> Iterator[Unsound]:
    """Detect that successive deals share no card more often than deals of a whole pack do."""
    held = [{card for cards in deal.values() for card in cards} for deal in deals]
    least, pairs = min(map(len, held)), len(held) - 1
    chance = comb(len(names) - least, least) / comb(len(names), least)
    apart = sum(one.isdisjoint(other) for one, other in pairwise(held))
    if apart > chance * pairs and _at_least(apart, pairs, chance) < SELDOM:
        usual = f"about {chance * pairs:.0f} of {pairs} share no card with the deal before"
        yield Unsound(f"the pack is whole before each deal: {usual}", f"{apart} share none", len(deals))


_WRONGS: tuple[Callable[[Sequence[Deal], DealsOf, frozenset[str]], Iterator[Unsound]], ...] = (
    _in_one,
    _all_alike,
    _missing,
    _not_renewed,
)


def _at_least(count: int, times: int, chance: float) -> float:
    """The binomial probability of at least ``count`` successes."""
    return sum(comb(times, n) * chance**n * (1 - chance) ** (times - n) for n in range(count, times + 1))


def _same(one: Deal, other: Deal) -> bool:
    return {key: sorted(held) for key, held in one.items()} == {key: sorted(held) for key, held in other.items()}


def _few(cards: Sequence[str]) -> str:
    more = f" and {len(cards) - _MOST_NAMED} more" if len(cards) > _MOST_NAMED else ""
    return ", ".join(card[:10] for card in cards[:_MOST_NAMED]) + more


# ---- The user's own cases, validated before any implementation is blamed for them -------------------
#
# Names of players, places, cards, options, observations and clauses, and the words of every move, are resolved in the
# rules. Expectations are not judged here: run the reference engine for that (``truco-spec test --cases FILE``).


def must_be_valid(instances: Iterable[cases.Instance]) -> None:
    """Raises :class:`CaseError`, with file and line of each case, at its first unknown name or word."""
    wrong = dict[str, CaseError]()
    for instance in instances:
        case = instance.case
        for message, hint in islice(_mistakes(instance), 0 if case.id in wrong else 1):
            place = f"{case.path}:{case.line}: {case.id}"
            wrong[case.id] = CaseError(Sentence("{place}: {message}", place=place, message=hinted(message, hint)))
        if len(wrong) == MOST_MISTAKES:
            break
    if wrong:
        raise all_of([*wrong.values()])


def _mistakes(instance: cases.Instance) -> Iterator[tuple[str, str]]:
    if instance.variant not in playable_names():
        name = shown(instance.variant)
        yield Sentence("There is no variant {name}.", name=name), hint_for(instance.variant, playable_names())
        return
    yield from _clauses(instance.case)
    planned = ready.as_written(instance)
    script = planned.requests[0]
    if not isinstance(script, Script):
        return
    try:
        graph = script_graph(script)
    except LogError as error:
        yield error.diagnostics[0].message, error.diagnostics[0].hint
        return
    except TrucoError as error:
        yield str(error), ""
        return
    yield from _names(instance, graph, script.players)
    yield from _moves(planned, script, graph)
    try:
        Replay(log_of(script, [()] * len(script.hands)), graph)
    except LogError as error:
        yield error.diagnostics[0].message, error.diagnostics[0].hint
        return
    if deals_again(planned):
        message = Sentence("Cards are dealt again within one hand.")
        yield message, Sentence("Say `hand: next` before the moves of the second deal.")


def _clauses(case: cases.Case) -> Iterator[tuple[str, str]]:
    """Check citations: a clause of a shipped source must exist; other sources are the user's own."""
    for cite in case.clauses:
        source, _, clause = cite.partition(":")
        if source in sources() and not registry(source).known(clause):
            near = registry(source).nearest(clause)
            message = Sentence("{source} has no clause {clause}.", source=source, clause=shown(clause))
            yield message, Sentence("Did you mean {near}?", near=near) if near else ""


def _names(instance: cases.Instance, graph: Graph, players: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    entry = instance.case.entry
    seen = observations(graph)
    deals = [
        entry.deal,
        *(s.hand.deal for s in entry.moves if isinstance(s, cases.HandStep) and isinstance(s.hand, cases.HandStart)),
    ]
    yield from _unknown(Sentence("player"), [entry.dealer, *entry.score], players)
    for deal in deals:
        yield from _unknown(Sentence("player or place for a card"), deal, [*players, *deal_keys(graph)])
        held = {key: cases.card_list(cards) for key, cards in deal.items()}
        for cards in held.values():
            yield from _cards(cards, graph)
        yield from ((message, "") for _, message in twice_dealt(held, players))
    for step in entry.moves:
        if isinstance(step, cases.Expect):
            yield from _unknown(Sentence("observation"), step.expect, seen)
            for name, value in step.expect.items():
                yield from _unknown(Sentence("player"), value if isinstance(value, dict) else (), players)
                if not _can_be_observed(name, value, graph, players):
                    message = Sentence("{name} is never {value}.", name=name, value=shapes.shown(value))
                    yield message, Sentence("It is: {values}.", values=observed(graph)[name])
        elif isinstance(step, cases.View):
            yield from _unknown(Sentence("player"), [step.view.seat], players)
            yield from _cards((*cases.card_list(step.view.sees), *cases.card_list(step.view.hides)), graph)
        elif isinstance(step, cases.Legal):
            yield from _unknown(Sentence("player"), step.legal, players)
        elif isinstance(step, cases.Refused) and step.before is not None:
            words = [(kind.written or (kind.name,))[0].split()[0] for kind in graph.actions.values() if kind.tacit]
            yield from _unknown(Sentence("implicit word"), [step.before], unsaid_words(graph), words)


def _can_be_observed(name: str, value: object, graph: Graph, players: tuple[str, ...]) -> bool:
    """Whether the value is of the type of this observation: nothing else is ever equal to it."""
    if f"{OBSERVED}{name}" not in graph.defines:  # acting, may-speak
        return isinstance(value, list | tuple) and all(each in players for each in value)
    question = graph.defines[f"{OBSERVED}{name}"]
    values = [value]
    for _ in question.params:
        if not all(isinstance(each, Mapping) for each in values):
            return False
        values = [inner for each in values if isinstance(each, Mapping) for inner in each.values()]
    return all(_is_one_of(question.type, each, graph, players) for each in values)


def _is_one_of(kind: Type, value: object, graph: Graph, players: tuple[str, ...]) -> bool:
    if kind.many:
        each_kind = replace(kind, many=False)
        return isinstance(value, list | tuple) and all(_is_one_of(each_kind, each, graph, players) for each in value)
    if value is None:
        return "none" in kind.words or kind.place == "slot"
    if not isinstance(value, str):
        of_number = kind.base == "number" and type(value) is int and kind.low <= value <= kind.high
        return of_number or (kind.base == "flag" and isinstance(value, bool))
    cards = tuple(card.name for card in graph.cards)
    named = {"seat": players, "team": players, "card": cards, "number": (), "flag": (), "": ()}
    return value in kind.words or value in named.get(kind.base, (value,))


def _cards(cards: Iterable[str], graph: Graph) -> Iterator[tuple[str, str]]:
    yield from _unknown(Sentence("card"), cards, [card.name for card in graph.cards])


def _unknown(
    what: str, asked: Iterable[str], known: Collection[str], told: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    for name in asked:
        if str(name) not in known:
            message = Sentence("There is no {what} “{name}”.", what=what, name=shown(str(name)))
            yield message, hint_for(str(name), told or known)


_KINDS = ("cards", "covers")
"""What stands for all open cards, and for all covered ones, in a list of actions."""


def _moves(planned: Plan, script: Script, graph: Graph) -> Iterator[tuple[str, str]]:
    """Check the words of moves and of listed actions. A refused move may be anything: an unknown word or card is a
    valid test.
    """
    listed = [check for check in planned.checks if isinstance(check, MustOffer)]
    texts = [f"{check.player} {text}" for check in listed for text in check.texts if text not in _KINDS]
    meant = {text: near for text in texts if (near := nearest(text.partition(" ")[2], _KINDS))}
    texts += [action.text for actions in planned.taken for action in actions]
    texts += [branch.hands[-1].actions[-1].text for branch in planned.requests[1:] if isinstance(branch, Script)]
    notation = notation_of(graph, script.players)
    for text in texts:
        try:
            notation.readings(text)
        except NotationError as error:
            yield error.message, suggestion(meant[text]) if text in meant else error.hint
