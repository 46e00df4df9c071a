"""Explains moves: why one is refused, and why each move of a log was permitted or not, with rules, exceptions and the
sources they cite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from truco_spec.base.document import Block, Heading, Item, Items, Paragraph
from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, joined, move_text, say, spoken
from truco_spec.engine.explain import Explainer, explain
from truco_spec.engine.game import CHANCE, Action, Game
from truco_spec.engine.provenance import Provenance, backwards, last_writers
from truco_spec.engine.ruling import Ruling
from truco_spec.engine.text import actor_name, told, told_in_force
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.model import ASKED, DECIDED, MOST_GRAPHS, Graph, Rule, Turn, by_identity
from truco_spec.graph.walk import opening_rules, permitting, ways
from truco_spec.logs.notation import Notation

if TYPE_CHECKING:
    from truco_spec.engine.explain import Condition, Consulted, Verdict
    from truco_spec.language.diagnostics import Cite
    from truco_spec.logs.replay import Replay, ReplayStep


NOT_YOUR_TURN = "not-your-turn"
NOT_NOW = "not-now"
NOT_HELD = "not-held"
_MOST_NAMED = 12


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


def refusal_of(
    game: Game, notation: Notation, readings: list[Action], passed: Sequence[Action] = (), *, told: bool = True
) -> Refusal:
    """Return the refusal of a move that has no reading permitted now; without a message unless ``told``.

    ``passed`` is all that its player can do, if that is more than what is possible now: the hint lists it.
    """
    rulings = likeliest(game, readings)
    if rulings[1:]:  # of several with the same status, the one that only lacks the turn
        rulings.sort(key=lambda pair: not Explainer(game).lacks_only_the_turn(pair[0]))
    action, ruling = rulings[0]
    status = ruling.status
    legal = game.legal_actions()
    awaited = sorted({other.actor for other in legal if other.actor != CHANCE})
    text = move_text(notation.text(action))
    player = actor_name(action.actor, notation.players)
    if not legal:
        message = say("“{move}” comes after the end: the game is over.", move=text)
        return Refusal(NOT_NOW, status, action, (), message, "")
    if status == "impossible":
        cards = " ".join(
            game.graph.cards[card].name for card in notation.cards_of(action) if not _in_place(game, action)
        )
        message = say("{player} does not hold {cards}.", player=player, cards=cards)
        message = message if cards else say("“{move}” is not possible now.", move=text)
        hint = _offered(game, notation, action.actor, awaited, passed)
        return Refusal(NOT_HELD if cards else NOT_NOW, status, action, (), message, hint)
    if action.actor < 0 and status == "not-offered":
        says = "; ".join(_named(game.graph, rule.name) for rule in permitting(game.graph, action.verb))
        message = say("“{move}” is not permitted now.", move=text)
        hint = say("It is permitted by {rules}.", rules=says)
        return Refusal(NOT_NOW, status, action, (), message, hint)
    others = [o for o in awaited if o != action.actor]
    turn = Explainer(game).lacks_only_the_turn(action)
    if turn and action.actor in awaited:  # speech may happen at any time, so only plays have a turn
        of_its_kind = any(other.actor == action.actor and other.verb == action.verb for other in legal)
        elsewhere = any(other.actor in others and other.verb == action.verb for other in legal)
        turn = elsewhere and bool(notation.cards_of(action)) and not of_its_kind
    category, hint = NOT_YOUR_TURN if turn else NOT_NOW, ""
    rules = tuple(rule.name for rule in ruling.rules) if status == "forbidden" else ()
    if not told:
        return Refusal(category, status, action, rules, "", "")
    if rules and explain(game, action).besides is None:
        reasons = "; ".join(_named(game.graph, name) for name in rules)
        message = say("“{move}” is forbidden now: {reasons}.", move=text, reasons=reasons)
    elif turn and action.actor in awaited:
        players = sorted({other.actor for other in legal if other.actor in others and other.verb == action.verb})
        message = _out_of_turn(notation, text, players, card=True)
    elif turn:
        message = _out_of_turn(notation, text, awaited)
    else:
        message = say("“{move}” is not offered now.", move=text)
        hint = "".join(f"{reason} " for reason in _reasons(game, action)) if awaited else ""
    hint += _offered(game, notation, action.actor, awaited, passed)
    first = [] if turn or rules else [move_text(notation.text(other)) for other in _leading_to(game, action, legal)]
    if first:
        hint += f" {say('It is permitted after {moves}.', moves=joined(first[:_MOST_NAMED], say('or')))}"
    return Refusal(category, status, action, rules, message, hint)


def _leading_to(game: Game, action: Action, legal: Sequence[Action]) -> Iterator[Action]:
    """The words after which, and after which alone, an action is permitted at once."""
    for other in legal:
        if other.actor != CHANCE and not game.graph.actions[other.verb].params:
            game.push(other)
            if game.permits(action):
                yield other
            game.pop()


def _in_place(game: Game, action: Action) -> bool:
    """Whether the cards of an impossible action are where it takes them from, which is its first condition."""
    kind = game.graph.actions[action.verb]
    env = {"me": action.actor, **dict(zip((p.name for p in kind.params), action.args, strict=True))}
    explainer = Explainer(game)
    return all(explainer.holds(taken, env) for taken in conjuncts(kind.possible)[:1])


def _reasons(game: Game, action: Action) -> Iterator[str]:
    """Return the rule that comes nearest to permitting an action, its missing answers, and the other rules that prevent
    it from applying, or else the answers that do.
    """
    explainer = Explainer(game)
    near = next(iter(explainer.verdict(action).offers), None)
    if near is None:
        return
    asked = [a for c in near.missing for a in c.answers if c.kind != "by" and a.prose]
    asked = [reason for a in asked for reason in (explainer.reasons(a) if a.value == "no" else [a]) if reason.prose]
    lacking = [_with_name(a.prose, a.answer) for a in asked if a.value == "no"]
    against = [_with_name(a.prose, a.answer) for a in asked if a.value == "yes"]
    yield say("What could permit it does not apply: {rule}.", rule=_named(game.graph, near.name))
    if lacking:
        yield say("It depends on: {rules}.", rules="; ".join(dict.fromkeys(lacking)))
    elsewhere = any(condition.kind == "in" for condition in near.missing)
    against = [_named(game.graph, name) for name in preventing(game, near)] or ([] if elsewhere else against)
    if against:
        yield say("Against it stands: {rules}.", rules="; ".join(dict.fromkeys(against)))


def preventing(game: Game, rule: Consulted) -> tuple[str, ...]:
    """Return the names of the other rules that last wrote, in this hand, the data read by the missing conditions of a
    rule, or that kept the hand from a phase of it by beating a rule that leads there.
    """
    if any(condition.kind == "in" for condition in rule.missing):
        return tuple(dict.fromkeys(_passed_over(game, rule)))
    lacking = [condition for condition in rule.missing if condition.kind != "by"] or rule.missing
    data = dict.fromkeys(name for condition in lacking if _plain(condition) for name in condition.data)
    wrote = (names for _, _, names in last_writers(game, data) if opening_rules(game.graph).isdisjoint(names))
    return tuple(dict.fromkeys(name for names in wrote for name in names if name != rule.name))


def _plain(condition: Condition) -> bool:
    """Whether it fails by what was written alone, and not by what cards are counted or worth."""
    return all(answer.value in ("yes", "no") for answer in condition.answers)


def _passed_over(game: Game, rule: Consulted) -> Iterator[str]:
    rules, phases = game.graph.rules, game.graph.rules[rule.name].phases
    before = (name for event in reversed(game.history) for name in reversed(event.fired))
    fired = tuple(takewhile(lambda name: name not in opening_rules(game.graph), before))
    leading = {name for name in rules if any(way.phase in phases for way in ways(game.graph, rules[name].do))}
    if leading.isdisjoint(fired):
        yield from (name for name in fired if not leading.isdisjoint(rules[name].beats))


def _named(graph: Graph, rule: str) -> str:
    """The sentence of a rule, without its full stop, and behind it its name, which is English."""
    return _with_name(told_in_force(graph, graph.rules[rule].source), rule)


def _with_name(sentence: str, name: str) -> str:
    sentence = sentence.removesuffix(".")
    return f"{sentence} ({name})" if spoken().english else sentence


def likeliest(game: Game, readings: Sequence[Action]) -> list[tuple[Action, Ruling]]:
    """Return the reading of a move that is nearest to being permitted, with the rulings on it."""
    rulings = [(action, game.rule_on(action)) for action in readings]
    rank = {"forbidden": 0, "not-offered": 1, "impossible": 2}
    likely = min(rank.get(ruling.status, 3) for _, ruling in rulings)
    return [(action, ruling) for action, ruling in rulings if rank.get(ruling.status, 3) == likely]


def _out_of_turn(notation: Notation, text: str, seats: list[int], *, card: bool = False) -> str:
    names = [notation.players[seat] for seat in seats]
    if names[1:]:
        form = "“{move}” is out of turn: it is for one of {players} to speak or play."
        form = "“{move}” is out of turn: it is for one of {players} to play." if card else form
        return say(form, move=text, players=", ".join(names))
    form = "“{move}” is out of turn: it is for {player} to speak or play."
    form = "“{move}” is out of turn: it is for {player} to play." if card else form
    return say(form, move=text, player=names[0])


def _offered(game: Game, notation: Notation, seat: int, awaited: list[int], passed: Sequence[Action] = ()) -> str:
    """Return what may be said or done instead."""
    who = seat if seat in awaited or passed else next(iter(awaited), None)
    if who is None:
        return say("Permitted now: nothing, until the next cards have come.")
    texts = [move_text(notation.text(action)) for action in passed or game.legal_actions(who)]
    more = f" {say('and {count} more', count=len(texts) - _MOST_NAMED)}" if len(texts) > _MOST_NAMED else ""
    return say("Permitted now: {moves}.", moves=f"{', '.join(texts[:_MOST_NAMED])}{more}")


# --------------------------------------------------------------------------------------------------
# The rules that require something else before a move that comes too early, and those that permit it.


def due_rules(game: Game, verdict: Verdict) -> tuple[str, ...]:
    """Return the names of the rules that require something else first; none if the move is not too early.

    It is too early if the move belongs to a phase that resumes later, or is entered automatically, and does not
    interrupt the current one: no answer is due where nothing was asked. The first rule is the one that entered the
    current phase, the others are those by which the game can go on.
    """
    nearest = [rule for rule in verdict.offers if len(rule.missing) == len(verdict.offers[0].missing)]
    if (
        verdict.status != "not-offered"
        or not nearest
        or not all("in" in (lacking := {c.kind for c in rule.missing}) and "when" not in lacking for rule in nearest)
    ):
        return ()
    phases = {phase for rule in nearest for phase in game.graph.rules[rule.name].phases}
    later = {phase for phase in phases if game.phase not in game.graph.phases[phase].interrupts}
    if phases.isdisjoint(game.stack()[1:]) and later.isdisjoint(_of_themselves(game.graph)):
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
    """Return the rules that permit the possible actions."""
    for action in game.legal_actions():
        if action.actor != CHANCE and not game.graph.actions[action.verb].tacit:
            yield from (rule.name for rule in game.rule_on(action).rules if rule.shape == "may")


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """A move, its verdict before it was done, and ``done``: for each step the automatic rules, and the branches of
    effects that have exceptions. The first step is the move itself, without its rules.
    """

    step: ReplayStep
    verdict: Verdict
    done: tuple[Rule | Turn, ...]


class StepError(TrucoError):
    """The log has no move of this number."""


def explained(replay: Replay, number: int | None = None) -> Iterator[ExplainedMove]:
    """Return the moves of a log, or the one with this number (from 1), each explained. Raises as the replay does."""
    game = replay.game
    for step in replay.steps():
        if number in (None, step.number):
            yield ExplainedMove(step, verdict_on(game), tuple(_done(game)))
        if step.number == number:
            return
    if number is not None:
        raise StepError(no_such_move(number, replay.number))


def no_such_move(number: int, last: int) -> Sentence:
    """Return the error that a log has no move of this number."""
    return Sentence("There is no move {number}: the log ends with move {count}.", number=number, count=last)


def verdict_on(game: Game) -> Verdict:
    """The verdict on the last action of a game, before it was done."""
    action = game.pop()
    try:
        return explain(game, action)
    finally:
        game.push(action)


def _done(game: Game) -> Iterator[Rule | Turn]:
    """Return the rules of the last event's steps except those about its action, each with the branches it used."""
    event, effects = game.history[-1], game.graph.effects.values()
    several = {turn.name for effect in effects if effect.turns[1:] for turn in effect.turns}
    for step, before, _ in reversed([*backwards(game.position, event.steps)]):
        for cause in Provenance(game.layout, before).fired(step.rules, event):
            for one in dict.fromkeys(part.statement for part in cause.whole()):
                if one.name in several or (isinstance(one, Rule) and one.name not in event.rules):
                    yield one


def document_of(graph: Graph, found: ExplainedMove, *, whole: bool = False) -> Iterator[Block]:
    """The explanation of a move; ``whole`` includes every rule consulted, not only those that apply."""
    yield Heading(2, f"{found.step.number}. {found.verdict.title}")
    yield Items(
        (
            *found.verdict.entries(whole, partial(quoted, graph)),
            *(Item(f"{_came(one)}: {told_in_force(graph, one.source)}") for one in found.done),
        )
    )


def refusal_document(
    graph: Graph, verdict: Verdict, due: Iterable[str], against: Iterable[str] = (), *, whole: bool = False
) -> Iterator[Block]:
    """Return why a move is refused, the rules that require something else first (:func:`due_rules`), and those that
    prevent it (:func:`preventing`).
    """
    first = (_entry(graph, name, say("due first: {rule}", rule=name)) for name in due)
    others = (_entry(graph, name, say("against it: {rule}", rule=name)) for name in against)
    yield Items((*verdict.entries(whole, partial(quoted, graph)), *first, *others))


def _entry(graph: Graph, name: str, title: str) -> Item:
    source = graph.rules[name].source
    return Item(f"{title}: {told_in_force(graph, source)}", tuple(map(Paragraph, quoted(graph, source.cites))))


def _came(one: Rule | Turn) -> str:
    if isinstance(one, Rule):
        return say("then {rule}", rule=one.name)
    over = say(", which beats {rules}", rules=", ".join(sorted(one.beats))) if one.beats else ""
    return f"{say('by {rule}', rule=one.name)}{over}"


def quoted(graph: Graph, cites: tuple[Cite, ...]) -> Iterator[str]:
    """Each pertinent citation with its text."""
    return (f"{cite} {authority(graph, cite)}".rstrip() for cite in pertinent(graph, cites))


def pertinent(graph: Graph, cites: tuple[Cite, ...]) -> tuple[Cite, ...]:
    """Drop citations of sources that speak only of other games here.

    A rule shared by several games cites the sources of each. Where more than one source speaks of this game, what they
    say of other games is dropped too; if none does, all are kept. So are decisions, but those that are set aside.
    """
    from truco_spec.graph.sources import speaks_of

    speaking = [cite for cite in cites if speaks_of(cite.source, cite.clause, graph.lineage)]
    here = {cite.source for cite in speaking}
    near = cites if not here else speaking if len(here) > 1 else [cite for cite in cites if cite.source in here]
    aside = set_aside(graph)
    return tuple(cite for cite in cites if (cite.clause not in aside if cite.source == DECIDED else cite in near))


@by_identity(MOST_GRAPHS)
def set_aside(graph: Graph) -> frozenset[str]:
    """The decisions that chose another value of an option than the one that is set, or than any that may be agreed."""
    kept = {cite.clause for kind, _, source in graph.cites if kind == "set" for cite in source.cites}
    aside = set()
    for kind, name, source in graph.cites:
        for cite in source.cites if kind == "option" else ():
            option = graph.options.get(cite.where[0] if cite.where else name)
            if cite.source != DECIDED or option is None:
                continue
            chosen = cite.where[-1] if cite.where else option.default
            if option.value != chosen and (not cite.where or chosen not in option.values):
                aside.add(cite.clause)
    return frozenset(aside - kept)


def cites_of_value(graph: Graph, name: str) -> tuple[Cite, ...]:
    """Return the citations behind the value of an option: those of the variant that sets it, or else of the option.

    A decision that the option cites speaks of its default; ``@decided:name[option is value]`` of that value alone.
    """
    option = graph.options[name]
    sets = [source for kind, of, source in graph.cites if kind == "set" and of == name]
    if option.set_by not in ("", ASKED) and sets:
        return sets[-1].cites
    usual = option.value == option.default
    return tuple(
        cite
        for cite in option.source.cites
        if (cite.where[-1] == option.value if cite.where else usual or cite.source != DECIDED)
    )


_WITHIN = str.maketrans("“”", "‘’")
"""The marks of a quotation within another."""


def authority(graph: Graph, cite: Cite) -> str:
    """Return the text of the cited clause, gap, option or decision; none if it is not translated."""
    from truco_spec.graph.sources import registry

    rules = spoken().rules
    if cite.source == DECIDED:
        decision = graph.decisions.get(cite.clause)
        form = "“{reading}” Because: {because}"
        if decision is None:
            return ""
        reading = told(graph, decision.reading).translate(_WITHIN)
        return say(form, reading=reading, because=told(graph, decision.because))
    held = registry(cite.source)
    if cite.clause in held.clauses:
        text = rules.told(held.clauses[cite.clause].text)
        return f"“{text.translate(_WITHIN)}”" if text else ""
    if cite.clause in held.gaps:
        return f"{say('(left open)')} {rules.told(held.gaps[cite.clause].question)}".rstrip()
    return say("(an option)") if cite.clause in held.options else ""
