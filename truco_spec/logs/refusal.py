"""Why a move is refused: message and category."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from truco_spec.engine.explain import Explainer, Verdict
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.ruling import Ruling
from truco_spec.engine.text import told
from truco_spec.graph.model import Graph
from truco_spec.graph.walk import ways
from truco_spec.logs.notation import Notation

NOT_YOUR_TURN = "not-your-turn"
NOT_NOW = "not-now"
NOT_HELD = "not-held"
MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Refusal:
    """``category`` is not-your-turn, not-now or not-held; ``status`` is forbidden, not-offered or impossible.

    ``action`` is the chosen reading of the move; ``rules`` are the names of the rules that forbid it.
    """

    category: str
    status: str
    action: Action
    rules: tuple[str, ...]
    message: str
    hint: str


def refusal_of(game: Game, notation: Notation, readings: list[Action]) -> Refusal:
    """Return the refusal of a move of which no reading is permitted now."""
    rulings = likeliest(game, readings)
    if rulings[1:]:  # of several with the same status, the one that only lacks the turn
        rulings.sort(key=lambda pair: not _only_turn(game, pair[0]))
    action, ruling = rulings[0]
    status = ruling.status
    legal = game.legal_actions()
    awaited = sorted({other.actor for other in legal if other.actor != CHANCE})
    text = notation.text(action)
    player = notation.players[action.actor]
    if not legal:
        return Refusal(NOT_NOW, status, action, (), f"“{text}” comes after the end: the game is over.", "")
    if status == "impossible":
        cards = " ".join(game.graph.cards[card].name for card in notation.cards_of(action))
        message = f"{player} does not hold {cards}." if cards else f"“{text}” is not possible now."
        return Refusal(NOT_HELD if cards else NOT_NOW, status, action, (), message, _held(game, notation, action.actor))
    others = [o for o in awaited if o != action.actor]
    elsewhere = any(other.actor in others and other.verb == action.verb for other in legal)
    if action.actor in awaited:  # speech may happen at any time, so only plays have a turn
        turn = elsewhere and bool(notation.cards_of(action)) and not _of_its_kind(legal, action)
    else:
        turn = elsewhere or _only_turn(game, action)
    category = NOT_YOUR_TURN if turn else NOT_NOW
    rules = tuple(rule.name for rule in ruling.rules) if status == "forbidden" else ()
    if rules:
        reasons = "; ".join(f"{name} ({told(game.graph, game.graph.rules[name].source.prose)})" for name in rules)
        message = f"“{text}” is forbidden now: {reasons}"
    elif action.actor not in awaited:
        message = f"“{text}” is out of turn: {_one_of(notation, awaited)} to speak or play." if awaited else ""
        message = message or f"“{text}” is not offered now."
    else:
        message = f"“{text}” is not offered now."
    return Refusal(category, status, action, rules, message, _offered(game, notation, action.actor, awaited))


def likeliest(game: Game, readings: Sequence[Action]) -> list[tuple[Action, Ruling]]:
    """Return the reading of a move that is nearest to being permitted, with the rulings on it."""
    rulings = [(action, game.rule_on(action)) for action in readings]
    rank = {"forbidden": 0, "not-offered": 1, "impossible": 2}
    likely = min(rank.get(ruling.status, 3) for _, ruling in rulings)
    return [(action, ruling) for action, ruling in rulings if rank.get(ruling.status, 3) == likely]


def _of_its_kind(legal: Sequence[Action], action: Action) -> bool:
    return any(other.actor == action.actor and other.verb == action.verb for other in legal)


def _only_turn(game: Game, action: Action) -> bool:
    """Return whether the action would be permitted if only it were this player's turn."""
    return Explainer(game).lacks_only_the_turn(action)


def _one_of(notation: Notation, seats: list[int]) -> str:
    names = [notation.players[seat] for seat in seats]
    return f"it is for {names[0]}" if len(names) == 1 else f"it is for one of {', '.join(names)}"


def _offered(game: Game, notation: Notation, seat: int, awaited: list[int]) -> str:
    """Return what may be said or done instead."""
    who = seat if seat in awaited else next(iter(awaited), None)
    if who is None:
        return "Permitted now: nothing, until the next cards have come."
    texts = [notation.text(action) for action in game.legal_actions(who)]
    more = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return f"Permitted now: {', '.join(texts[:MOST_NAMED])}{more}."


def _held(game: Game, notation: Notation, seat: int) -> str:
    """Return what the player could do instead, or which seat may act."""
    awaited = sorted({other.actor for other in game.legal_actions() if other.actor != CHANCE})
    return _offered(game, notation, seat, awaited)


# --------------------------------------------------------------------------------------------------
# The rules that require something else before a move that comes too early, and those that permit it.


def due_rules(game: Game, verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the rules that require something else first; none if the move is not too early.

    It is too early if the move belongs to a phase that resumes later, or is entered automatically. The first rule is
    the one that entered the current phase, the others are those by which the game can go on.
    """
    offers = [rule for rule in verdict.rules if rule.shape == "may"]
    least = min((len(rule.missing) for rule in offers), default=0)
    nearest = [rule for rule in offers if len(rule.missing) == least]
    if (
        verdict.status != "not-offered"
        or not nearest
        or not all("in" in [c.kind for c in rule.missing] for rule in nearest)
    ):
        return ()
    phases = {phase for rule in nearest for phase in game.graph.rules[rule.name].phases}
    if phases.isdisjoint(game.stack()[1:]) and phases.isdisjoint(_of_themselves(game.graph)):
        return ()
    return tuple(dict.fromkeys((*_led_here(game), *_offering(game))))


def _of_themselves(graph: Graph) -> Iterator[str]:
    """Return the phases that a rule enters automatically."""
    for rule in graph.rules.values():
        if not rule.verbs:
            yield from (way.phase for way in ways(graph, rule.do))


def _led_here(game: Game) -> Iterator[str]:
    """Return the last rule that entered the phase on top."""
    rules = game.graph.rules
    for event in reversed(game.history):
        for step in reversed(event.steps):
            for name in step.rules:
                if any(way.phase == game.phase for way in ways(game.graph, rules[name].do)):
                    yield name
                    return


def _offering(game: Game) -> Iterator[str]:
    """Return the rules that permit what can be done now."""
    for action in game.legal_actions():
        if action.actor != CHANCE and not game.graph.actions[action.verb].tacit:
            yield from (rule.name for rule in game.rule_on(action).rules if rule.shape == "may")
