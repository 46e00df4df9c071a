"""Provenance: the rules and answers by which the reference engine decided one step of a script."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.corpus import playable
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    MustSee,
    MustShow,
    Plays,
    Position,
    Script,
    ScriptAction,
    Seen,
    entry_at,
)
from truco_spec.conformance.corpus.vocabulary import pending, word_of
from truco_spec.engine import Action, Event, Game
from truco_spec.engine.compiled.program import Step, undo
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.explain import explain
from truco_spec.engine.observe import ACTING, cards_seen, observe, waited_for
from truco_spec.engine.provenance import (
    Answered,
    Provenance,
    backwards,
    data_behind,
    decisive_step,
    last_step,
    source_of,
    value_from,
)
from truco_spec.engine.support import PlayError
from truco_spec.graph.model import DECIDED, OBSERVED, SEEN, Graph, Source, indices
from truco_spec.graph.sources import EXAMPLE, registry, speaks_of
from truco_spec.graph.walk import data_read, reached, written_by
from truco_spec.language.diagnostics import Cite
from truco_spec.logs.explanation import set_aside
from truco_spec.logs.line import Log, LogError
from truco_spec.logs.notation import notation_of
from truco_spec.logs.replay import Mark, Replay

_MOST_IMPLICIT = 50
"""Maximum implicit words followed in sequence."""


@dataclass(frozen=True, slots=True, order=True)
class Decided:
    """``rules`` permitted, forbade or made the step; for an observation, ``answers`` gave its value: a question with
    the name of its answer, or an effect with its branch. ``elsewhere`` are their citations that bear only on other
    positions.
    """

    rules: tuple[str, ...] = ()
    answers: tuple[Answered, ...] = ()
    elsewhere: frozenset[Cite] = field(default=frozenset(), compare=False)

    @property
    def statements(self) -> tuple[str, ...]:
        """The names of the rules, then of the answers."""
        return tuple(dict.fromkeys((*self.rules, *(name for _, name in self.answers))))

    def sources(self, graph: Graph) -> dict[str, Source]:
        """The statements by name: the rules, then the answers."""
        found: dict[str, Source | None] = {name: graph.rules[name].source for name in self.rules}
        found |= {told[1]: source_of(graph, told) for told in self.answers}
        return {name: source for name, source in found.items() if source is not None}

    def cites(self, graph: Graph) -> tuple[tuple[str, str], ...]:
        """The decisions and clauses cited by the statements, with their sources, if they speak of this game."""
        return pertinent_cites(graph, self.cited(graph))

    def cited(self, graph: Graph) -> tuple[Cite, ...]:
        """All that the statements cite and that bears on the position."""
        cites = (cite for source in self.sources(graph).values() for cite in source.cites)
        return tuple(cite for cite in cites if cite not in self.elsewhere)

    def at(self, game: Game, position: Sequence[int], said: Action | None = None) -> Decided:
        """Return the same, restricted to this position, and to the action taken there, if any."""
        cites = [cite for source in self.sources(game.graph).values() for cite in source.cites]
        bearing = Evaluator(game.layout, list(position)).bearing(cites, said)
        return replace(self, elsewhere=frozenset(cites).difference(bearing))


def pertinent_cites(graph: Graph, cites: Iterable[Cite]) -> tuple[tuple[str, str], ...]:
    """Return decisions and clauses with their sources: only the clauses that speak of this game, if any do, and of
    these only the ones that bear on it, if any do.
    """
    found = dict.fromkeys((cite.source, cite.clause) for cite in cites)
    near = [cite for cite in found if speaks_of(*cite, graph.lineage)]
    near = [cite for cite in near if _bears_on(graph, *cite)] or near
    aside = {(DECIDED, decision) for decision in set_aside(graph)}
    return tuple(cite for cite in found if cite not in aside and (cite[0] == DECIDED or cite in near or not near))


def _bears_on(graph: Graph, source: str, clause: str) -> bool:
    """Whether a clause says what holds here. Examples and terms do not; a clause whose cases are all played under other
    options, or by more players, speaks of that game. A gap or an option is left as it is.
    """
    known = registry(source).clauses.get(clause)
    if known is None:
        return True
    if known.kind == EXAMPLE or known.executable == "no":
        return False
    options = {name: option.value for name, option in graph.options.items()}
    return playable(f"{source}:{clause}", options, graph.seats)


def deciding(script: Script, expected: Seen, at: Position, key: str, *, missing: bool = False) -> Decided:
    """Return what decided the step at ``at`` in the reference engine.

    For an observation ``key``: the rules of the step that gave it its value, and the answers where that comes from,
    unless it is ``missing``; for a move (no key): those that permit or forbid it or, if none applies, the nearest one.
    """
    try:
        return _deciding(script, expected, at, key, missing=missing)
    except LogError:
        return Decided()


def decided_by(script: Script, expected: Seen, check: Check, answer: Seen) -> Decided:
    """Return what decided a check that failed with this answer; the visibility of a card is decided by its place."""
    if isinstance(check, MustShow):
        missing = check.value is not None and entry_at(answer, check.at).get(check.key) is None
        return deciding(script, expected, check.at, check.key, missing=missing)
    if not isinstance(check, MustSee):
        return deciding(script, expected, check.at, "")
    return seeing(script, expected, check.at, misseen(check, cards_told(check, answer)), check.seat)


def cards_told(check: MustSee, answer: Seen) -> set[str]:
    """Return the cards that the seat can identify, by the answer."""
    return {str(card) for card in entry_at(answer, check.at)["view"][check.seat]}


def misseen(check: MustSee, seen: set[str]) -> str:
    """The first card wrongly hidden or seen."""
    unseen = [card for card in check.sees if card not in seen]
    return (unseen or [card for card in check.hides if card in seen])[0]


def seeing(script: Script, expected: Seen, at: Position, card: str, seat: str) -> Decided:
    """The answer that decides whether a seat sees a card at ``at``, by the place of the card; if it cites nothing, the
    rules that laid the card there.

    Nothing is said of the pack: there it is what this seat sees besides, its own cards.
    """
    try:
        game = replayed(script, expected, at)[0].game
    except LogError:
        return Decided()
    number = next(n for n, known in enumerate(game.graph.cards) if known.name == card)
    lies = game.layout.place_of.get(game.position[game.layout.cards_at + number])
    if lies is not None and lies[0] != game.graph.pack:
        found = _sight(game, *lies)
        told = Decided((), found[1:]) if found else Decided()
        return told if told.cited(game.graph) else Decided(_laid_by(game, number), told.answers)
    me = script.players.index(seat)
    own = (_sight(game, name, index) for name, index in game.layout.place_of.values() if index == (me,))
    return next((Decided((), found[1:]) for found in own if found and found[0] == 1 << me), Decided())


def _sight(game: Game, name: str, index: tuple[int, ...]) -> tuple[int, tuple[str, str]] | None:
    """Return who sees this place, with the question and the answer that decide it; None if nothing decides it."""
    if name + SEEN not in game.graph.defines:
        return None
    evaluator = Evaluator(game.layout, list(game.position))
    return evaluator.ask(name + SEEN, index), (name + SEEN, evaluator.asked[-1].answer)


def _laid_by(game: Game, card: int) -> tuple[str, ...]:
    """Return the rules of the step that moved a card to its place; none if it was never moved."""
    slot = game.layout.cards_at + card
    steps = (step for event in reversed(game.history) for step in reversed(event.steps))
    return next((step.rules for step in steps if slot in step.back[::2]), ())


def could_see(script: Script, expected: Seen, at: Position, seat: str) -> set[str]:
    """The cards visible to a seat at some moment of the hand, up to ``at``."""
    try:
        replay, begun = replayed(script, expected, at)
    except LogError:
        return set()
    game, me, looked, found = replay.game, script.players.index(seat), _played_last[0].looked, set[str]()
    history, position, number = game.history, game.position.copy(), len(game.history)
    while number > begun:
        event, seen = looked.get((number, me), (None, found))
        if event is history[number - 1]:
            found |= seen
            break
        found |= cards_seen(game, me)
        number -= 1
        undo(game.position, history[number].steps)
    game.position[:] = position
    if len(history) > begun:
        looked[len(history), me] = history[-1], found
    return found


def ahead(
    script: Script, expected: Seen, at: Position, key: str, own: Collection[str], omits: Collection[str] = ()
) -> list[Any] | None:
    """Return the values of an observation at ``at`` and after each implicit word that follows, while the game waits
    only for words in ``own``, ignoring ``omits``. None if one of these words is not implicit, as the value then depends
    on it, or if the rules fail there.
    """
    hand = expected[at.hand]
    found = [(hand.start if at.action == START else hand.seen[at.action]).get(key)]
    try:
        game = replayed(script, expected, at)[0].game
        while len(found) < _MOST_IMPLICIT and (due := _due(game, own, omits)):
            if not all(game.graph.actions[action.verb].tacit for action in due):
                return None
            game.push(due[0])
            found.append(observe(game, acting=False, only=(key,)).get(key))
    except (LogError, PlayError):
        return None
    return found


def by_itself(script: Script, plays: Plays, at: Position) -> Mapping[str, Any]:
    """Return the observations at ``at`` if each word that ``plays`` says by itself is the first permitted one, as in
    random hands; empty if the script has no other.

    Raises :class:`~truco_spec.conformance.adapters.pipe.Broken` if the rules fail.
    """
    from truco_spec.conformance.adapters.reference import Reference

    own, other = plays.own_words, False
    hands = [replace(hand, actions=()) for hand in script.hands[: at.hand + 1]]
    asked = Reference(asked=frozenset({"start", "legal"}))

    def now(number: int) -> Mapping[str, Any]:
        seen = asked.run(replace(script, hands=tuple(hands[: number + 1])))
        return entry_at(seen, Position(0, number, len(hands[number].actions) - 1))

    def first(legal: Mapping[str, Any], player: str) -> ScriptAction | None:
        said = [text for word in own for text in legal.get(player, ()) if word_of(text) == word]
        return ScriptAction(player, f"{player} {said[0]}", say=said[0]) if said else None

    for number, hand in enumerate(script.hands[: at.hand + 1]):
        actions = hand.actions if number < at.hand else hand.actions[: at.action + 1]
        for action, following in zip_longest(actions, actions[1:]):
            said, word = action, action.word
            if word in own[1:]:
                said = first(now(number).get("legal", {}), action.player) or action
            hands[number] = replace(hands[number], actions=(*hands[number].actions, said))
            other = other or (said != action and said.word != word)
            if not other or word not in own or (following is not None and following.word in own):
                continue
            for _ in range(_MOST_IMPLICIT):
                entry = now(number)
                due = next(iter(entry.get("acting", ())), "") if pending(entry, own, plays.omits) else ""
                if not (more := first(entry.get("legal", {}), due)):
                    break
                hands[number] = replace(hands[number], actions=(*hands[number].actions, more))
    return now(at.hand) if other else {}


def _due(game: Game, own: Collection[str], omits: Collection[str]) -> list[Action]:
    """Return the possible actions of an awaited player, except those in ``omits``, if the rest are words in ``own``."""
    legal = game.legal_actions()
    for player in waited_for(game)[ACTING]:
        said = {a: word_of(game.text(a).partition(" ")[2]) for a in legal if a.actor == game.players.index(player)}
        actions = [action for action, word in said.items() if word not in omits]
        if actions and {said[action] for action in actions} <= set(own):
            return actions
    return []


def replayed(script: Script, expected: Seen, at: Position) -> tuple[Replay, int]:
    """The game after the action at ``at``, and the number of events before its hand."""
    replay, begun = _played(script, expected, at.hand, at.action + 1)
    if at.action == START:
        replay.deal_out()
    return replay, begun


@dataclass(slots=True)
class _Playthrough:
    """A script played by the rules as far as requested: its ``hand``, the number of its actions played, and the events
    before it. ``mark`` is the position of the game then. ``looked`` maps a number of events and a seat to the last of
    these events and the cards that the seat had seen in the hand.
    """

    script: Script
    expected: Seen
    replay: Replay
    hand: int = 0
    count: int = 0
    begun: int = 0
    mark: Mark | None = None
    looked: dict[tuple[int, int], tuple[Event, set[str]]] = field(default_factory=dict)

    def goes_on_to(self, script: Script, expected: Seen, graph: Graph, place: tuple[int, int]) -> bool:
        """Whether it is of this script, by these rules, and not yet behind this place."""
        same = self.expected is expected and self.replay.graph is graph and self.script == script
        return same and (self.hand, self.count) <= place


_played_last: list[_Playthrough] = []
"""The last playthrough, shared by the checks of a script, which ask about one position after the other."""


def _played(script: Script, expected: Seen, last: int, count: int) -> tuple[Replay, int]:
    """Return the game after ``count`` actions of a hand, with its deal if there are none; and the events before that
    hand. The game is reused by the next call.
    """
    graph, found = filling.script_graph(script), _played_last.pop() if _played_last else None
    if found is None or not found.goes_on_to(script, expected, graph, (last, count)):
        found = _Playthrough(script, expected, Replay(_log_of_taken(script, expected, graph), graph))
    replay = found.replay
    if found.mark is not None:
        replay.back_to(found.mark)
    while (found.hand, found.count) < (last, count):
        entries = expected[found.hand].seen
        if found.hand < last and found.count == len(entries):
            replay.next_hand()
            found.hand, found.count, found.begun = found.hand + 1, 0, len(replay.game.history)
            continue
        if not entries[found.count].get("refused"):
            replay.advance()
        found.count += 1
    found.mark = replay.mark()
    _played_last.append(found)
    return replay, found.begun


def _log_of_taken(script: Script, expected: Seen, graph: Graph) -> Log:
    """The log of the actions that are not refused."""
    knows = notation_of(graph, script.players).knows
    hands = zip(script.hands, expected, strict=True)
    return filling.log_of(script, [
        [a.text for a, entry in zip(hand.actions, seen.seen, strict=True) if knows(a.text) and not entry.get("refused")]
        for hand, seen in hands
    ])  # fmt: skip


def _deciding(script: Script, expected: Seen, at: Position, key: str, *, missing: bool) -> Decided:
    refused = at.action != START and expected[at.hand].seen[at.action].get("refused")
    replay, _ = _played(script, expected, at.hand, at.action + (not refused))
    if at.action == START:
        ended = len(replay.game.history) - 1
        replay.deal_out()
        dealt = _decisive(replay.game, key, missing=missing)
        rules = _first_settled(replay.game, ended, key) if at.hand and key == ACTING else ()
        return Decided(tuple(dict.fromkeys(rules + dealt.rules)), dealt.answers)
    action = script.hands[at.hand].actions[at.action]
    if refused:
        return _forbidding(replay, action.text) if replay.notation.knows(action.text) else Decided()
    event = replay.game.history[-1]
    if key:
        return _decisive(replay.game, key, missing=missing)
    return Decided(event.rules[:1]).at(replay.game, _before(replay.game.position, event.steps), event.action)


def _forbidding(replay: Replay, text: str) -> Decided:
    refusal = replay.refusal(text)
    if refusal is None:
        return Decided()
    rules = refusal.rules
    if not rules:
        replay.deal_out()
        rules = tuple(rule.name for rule in explain(replay.game, refusal.action).rules[:1])
    return Decided(rules).at(replay.game, replay.game.position, refusal.action)


def _decisive(game: Game, key: str, *, missing: bool) -> Decided:
    """Return the statements by which the last action gave the observation its value; if it did not, or if it is the
    first, those of its last step where others could have, or of its last. None before the first action.
    """
    if not game.history:
        return Decided()
    event, question = game.history[-1], OBSERVED + key
    found = decisive_step(game, key) or _step_aside(game, question) or last_step(game)
    if found is None or not found[0].rules:
        return Decided(event.rules[:1])
    asked = question in game.graph.defines and not missing
    made = Decided(*value_from(game, event, *found, question)) if asked else Decided(found[0].rules)
    return made.at(game, _before(found[1], found[:1]), event.action)


def _step_aside(game: Game, question: str) -> tuple[Step, list[int]] | None:
    """Return the last step of the last action in whose phase other rules write what the question reads, such as the
    end of a hand that nobody wins; and the position after it.
    """
    graph, now = game.graph, Provenance(game.layout, game.position)
    if question not in graph.defines:
        return None
    asked = (now.question(question, args) for args in indices(graph.defines[question].params))
    read = frozenset[str]().union(*(data_behind(graph, found) for found in asked if found is not None))
    writing = {phase for name, data in written_by(graph).items() if read & data for phase in graph.rules[name].phases}
    made = backwards(game.position, game.history[-1].steps)
    steps = ((step, after) for step, _, after in made if step.rules)
    return next((at for at in steps if not writing.isdisjoint(graph.rules[at[0].rules[0]].phases)), None)


def _first_settled(game: Game, ended: int, key: str) -> tuple[str, ...]:
    """Return the rules of the last step since a hand ended, in the event of this number, that gave a deal another
    initial value: those that write the data behind the value first, such as the dealer, with their exceptions.
    """
    graph, found = game.graph, Provenance(game.layout, game.position).question(OBSERVED + key)
    if found is None or ended < 0:
        return ()
    begins = {datum.name: data_read(graph, [datum.first]) for datum in graph.data.values() if datum.first is not None}
    data = {name for name in reached(begins, data_behind(graph, found)) if name in graph.data}
    lasting = {name for name in data if not graph.data[name].fresh}
    writing = {name for name, written in written_by(graph).items() if lasting & written}
    steps = (step for event in reversed(game.history[ended:]) for step in reversed(event.steps))
    settling = (
        tuple(name for name in step.rules if name in writing or not writing.isdisjoint(graph.rules[name].beats))
        for step in steps
    )
    return next(filter(None, settling), ())


def _before(after: Sequence[int], steps: Sequence[Step]) -> list[int]:
    before = list(after)
    undo(before, steps)
    return before
