"""One scenario judged by both sides: where they part, its provenance, and the differences it shows."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from truco_spec.base.words import label, said_by, say, translated
from truco_spec.compare.derivation import NOTHING, Activity, Use, led_to, used_by, used_to_refuse, used_to_see
from truco_spec.compare.reach import PLAYED, Reaches
from truco_spec.compare.scenario import Scenario, Side, next_move
from truco_spec.compare.statements import WORDING, Difference, Key
from truco_spec.engine.game import Game
from truco_spec.engine.layout import NONE
from truco_spec.engine.observe import ACTING, OPEN, sees
from truco_spec.engine.support import BITS, PlayError
from truco_spec.engine.text import value_text
from truco_spec.graph.model import OBSERVED, Graph
from truco_spec.logs.line import LogError
from truco_spec.logs.notation import NotationError, notation_of
from truco_spec.logs.replay import MoveRefused, Replay

UNKNOWN, REFUSED = "unknown", "refused"
MOST_SEEN = 4
SETUP = -1
"""The place of a refusal before the first move."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One side's result of the move at which two sides part.

    ``status`` is permitted, forbidden, not-offered, refused or unknown (the log cannot be read); ``told`` are the
    observations after it that differ, ``message`` says why it was refused; ``rules`` decided it.
    """

    status: str
    message: str = ""
    told: Mapping[str, object] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    use: Use = NOTHING

    @property
    def plays(self) -> int:
        """How far the move gets: 0 if it is unknown, 2 if it happens."""
        return {UNKNOWN: 0, REFUSED: 1}.get(self.status, 2)


@dataclass(frozen=True, slots=True)
class Parting:
    """``scenario`` ends with the move at which the sides part; ``at`` is its number from 0, or SETUP.

    ``kind`` is move (one permits what the other does not), observed (other observations) or view (other cards seen).
    ``earlier`` are observations that already differed after earlier moves; these do not count again.
    """

    scenario: Scenario
    at: int
    kind: str
    a: Outcome
    b: Outcome
    earlier: tuple[str, ...] = ()


Keys: TypeAlias = tuple[frozenset[Key], frozenset[Key]]


class Pair:
    """Two sides at a table with this number of players. ``keys`` are the differing statements of each side; ``played``
    those that provenance can name.
    """

    def __init__(self, a: Side, b: Side, graphs: tuple[Graph, Graph], keys: Keys = (frozenset(), frozenset())) -> None:
        self.sides, self.graphs, self.keys = (a, b), graphs, keys
        self.played = tuple(frozenset(key for key in some if key[0] in PLAYED) for some in keys)
        self.reaches = tuple(Reaches(graph) for graph in graphs)
        self.looked = 0

    def parting(self, scenario: Scenario, *, views: bool = False, told: bool = False) -> Parting | None:
        """Return where the two part in a scenario: by the permission of its last move, or by the observations after it.

        With ``views`` each player's final view is compared too; unless ``told``, refusals have no message, which is
        faster. None if they do not part, or if both refuse it alike.
        """
        return next(iter(self.partings(scenario, views=views, told=told)), None)

    def partings(
        self, scenario: Scenario, *, views: bool = False, but: Container[str] | None = None, told: bool = False
    ) -> list[Parting]:
        """Return where the two part in a scenario: by the observations after its last move, or at the move that one
        side does not permit.

        With ``but``, at each move with an observation that differs for the first time: all but those whose scenario,
        as ``repr`` writes it, is known.
        """
        unread = [_unread(scenario, graph) for graph in self.graphs]
        opened = [
            _opened(scenario.cut(at), side, graph, told=told)
            for at, side, graph in zip(unread, self.sides, self.graphs, strict=True)
        ]
        if any(isinstance(found, Outcome) for found in opened):
            a, b = (
                found if isinstance(found, Outcome) else _to_the_end(found, scenario, at)
                for found, at in zip(opened, unread, strict=True)
            )
            return [] if a.status == b.status else [Parting(scenario, SETUP, "move", a, b)]
        replays = [found for found in opened if isinstance(found, Replay)]
        made: list[Parting] = []
        try:
            made += self._partings(scenario, replays, unread, views=views, but=but)
        except PlayError:
            pass  # the rules of one side fail, which the checks report
        finally:
            self.looked += sum(len(replay.game.history) for replay in replays)
        return made

    def _partings(
        self, scenario: Scenario, replays: list[Replay], unread: list[int], *, views: bool, but: Container[str] | None
    ) -> Iterator[Parting]:
        earlier: dict[str, None] = {}
        for at in range(scenario.said):
            marks = [len(replay.game.history) for replay in replays]
            advanced = [
                (_unknown(replay, scenario, at), None) if at == first else _advanced(replay)
                for replay, first in zip(replays, unread, strict=True)
            ]
            outcomes = [outcome for outcome, _ in advanced]
            if all(outcome.status in (REFUSED, UNKNOWN) for outcome in outcomes):
                return
            last = at == scenario.said - 1
            moved = outcomes[0].status != outcomes[1].status
            unlike = [] if moved else unlike_told(outcomes[0].told, outcomes[1].told)
            new = [name for name in unlike if name not in earlier]
            if moved or (new and (last or but is not None)):
                so_far = scenario.cut(at + 1)
                if but is None or repr(so_far) not in but:
                    used = self._with_uses(replays, advanced, new, marks)
                    kind = "move" if moved else "observed"
                    yield Parting(so_far, at, kind, used[0], used[1], tuple(earlier))
                if moved:
                    return
            elif last and views and (seen := _seen(scenario, at, replays, outcomes, tuple(earlier))) is not None:
                yield seen
            earlier |= dict.fromkeys(unlike)

    def _with_uses(
        self,
        replays: list[Replay],
        advanced: list[tuple[Outcome, MoveRefused | None]],
        unlike: list[str],
        marks: list[int],
    ) -> list[Outcome]:
        """The results with their provenance, and only the observations that differ."""
        made = []
        sides = zip(replays, reversed(replays), advanced, marks, self.reaches, self.keys, strict=True)
        for replay, other, (outcome, refused), mark, reaches, keys in sides:
            if refused is not None:
                use = used_to_refuse(replay.graph, refused.verdict, refused.refusal.action.verb, other.graph)
                outcome = replace(outcome, use=use)
            elif outcome.status != UNKNOWN:
                use = used_by(replay.game, -1, [OBSERVED + name for name in unlike], verdict=not unlike)
                use = replace(use, led=led_to(replay.game, use, mark, partial(reaches.involves, wanted=keys)))
                outcome = replace(outcome, told={name: outcome.told[name] for name in unlike}, use=use)
            made.append(outcome)
        return [
            replace(own, use=_with_answers(own.use, other.use, replay.game))
            for own, other, replay in zip(made, reversed(made), replays, strict=True)
        ]

    def outcome(self, scenario: Scenario, number: int) -> Outcome:
        """Return one side's result of the last move of a scenario, or of the first refused one."""
        unread = _unread(scenario, self.graphs[number])
        opened = _opened(scenario.cut(unread), self.sides[number], self.graphs[number])
        return opened if isinstance(opened, Outcome) else _to_the_end(opened, scenario, unread)

    def at_work(self, scenario: Scenario, number: int, keys: frozenset[Key]) -> frozenset[Key]:
        """Return those of these statements that are at work in the last move of a scenario by the rules of one side."""
        return next(iter(self.works(scenario, number, keys, last=True)), frozenset())

    def works(
        self, scenario: Scenario, number: int, keys: frozenset[Key], *, last: bool = False
    ) -> list[frozenset[Key]]:
        """Return, for each move of a scenario (or only the ``last``), those of these statements that are at work, as
        far as one side can play it.
        """
        work = Activity(self.sides[number], self.reaches[number], scenario, keys)
        found = [used & keys for used in work.moves(last=last)]
        self.looked += work.looked
        return found


_UNSAID = Outcome("permitted")


def _opened(scenario: Scenario, side: Side, graph: Graph, *, told: bool = True) -> Replay | Outcome:
    if len(scenario.players) != graph.seats:
        form = "{game} is played by {number} players here, and the log names {players}."
        message = say(form, game=side.head, number=graph.seats, players=len(scenario.players))
        return Outcome(UNKNOWN, message)
    try:
        return Replay(scenario.log(side), graph, acting=False, told=told)
    except LogError as error:
        return Outcome(UNKNOWN, translated(error.diagnostics[0].message))
    except PlayError as error:
        return Outcome(UNKNOWN, say("A match cannot begin so: {error}.", error=said_by(error)))


def _to_the_end(replay: Replay, scenario: Scenario, unread: int) -> Outcome:
    """The result of the last move of a log, or of the first that is refused or means nothing."""
    outcome = _UNSAID
    while replay.at < len(replay.log.hands[replay.hand].moves) if replay.hand < len(replay.log.hands) else False:
        outcome, _ = _advanced(replay)
        if outcome.status in (REFUSED, UNKNOWN):
            break
    if unread < scenario.said and outcome.status not in (REFUSED, UNKNOWN):
        return _unknown(replay, scenario, unread)
    if outcome is _UNSAID or outcome.status in (REFUSED, UNKNOWN):
        return outcome
    return replace(outcome, told={}, use=used_by(replay.game))


def _unread(scenario: Scenario, graph: Graph) -> int:
    """Return the number of the first move without meaning in these rules; the number of moves if there is none."""
    notation = notation_of(graph, scenario.players)
    for at, text in enumerate(scenario.texts):
        try:
            notation.readings(text)
        except NotationError:
            return at
    return scenario.said


def _unknown(replay: Replay, scenario: Scenario, at: int) -> Outcome:
    """The result of a move without meaning."""
    text = scenario.texts[at]
    try:
        replay.read(text)
    except LogError as error:
        return Outcome(UNKNOWN, translated(error.diagnostics[0].message))
    return _UNSAID


def _advanced(replay: Replay) -> tuple[Outcome, MoveRefused | None]:
    """The next move; its provenance is computed only if needed."""
    found = next_move(replay)
    assert found is not None
    if found.step is not None:
        return Outcome(found.status, "", found.step.observed, found.step.event.rules), None
    if found.refused is None:
        return Outcome(UNKNOWN, found.message), None
    return Outcome(REFUSED, found.message, {}, found.refused.refusal.rules), found.refused


def unlike_told(a: Mapping[str, object], b: Mapping[str, object]) -> list[str]:
    """The observations that differ, but for who may act: that follows from the comparison of legal actions.

    What one side leaves open differs from nothing.
    """
    return [n for n in a if n in b and n != ACTING and a[n] != b[n] and OPEN not in (a[n], b[n])]


def _with_answers(own: Use, other: Use, game: Game) -> Use:
    """Add this side's answers to questions that only the other side asked, as they may be the same."""
    asked = {(question, args) for _, question, args, _ in own.answers}
    more = []
    for _, question, args, _ in other.answers:
        define = game.graph.defines.get(question)
        if (question, args) in asked or define is None or len(define.params) != len(args):
            continue
        try:
            value = game.ask(question, *args)
        except (PlayError, IndexError, ValueError):  # a question that is undefined in this position
            continue
        more.append(("", question, args, value_text(game.graph, define.type, value, game.players)))
    return replace(own, answers=own.answers | frozenset(more))


# ---- visibility --------------------------------------------------------------------------------------


def _seen(
    scenario: Scenario, at: int, replays: list[Replay], outcomes: list[Outcome], earlier: tuple[str, ...]
) -> Parting | None:
    """Return the parting at cards that a player sees on one side and not on the other."""
    found = unlike_views(replays[0].game, replays[1].game)[:MOST_SEEN]
    if not found:
        return None
    made = []
    for number, (replay, outcome) in enumerate(zip(replays, outcomes, strict=True)):
        told: dict[str, object] = {}
        keys, answers = set[Key](), set[tuple[str, str, tuple[int, ...], str]]()
        for seat, datum, index, values in found:
            params = replay.graph.data[datum].params
            words = " ".join(
                (label(datum), *(replay.notation.value(p.type, i) for p, i in zip(params, index, strict=True)))
            )
            told[say("{player} sees {it}", player=scenario.players[seat], it=words)] = values[number]
            use = used_to_see(replay.game, datum, index)
            keys |= use.keys
            answers |= use.answers
        made.append(replace(outcome, told=told, use=Use(frozenset(keys), frozenset(answers))))
    return Parting(scenario, at, "view", made[0], made[1], earlier)


Unlike: TypeAlias = tuple[int, str, tuple[int, ...], tuple[object, object]]


def unlike_views(a: Game, b: Game) -> list[Unlike]:
    """Seat, pile or slot, its index, and each side's view, where one shows the cards and the other hides them."""
    places = [
        name
        for name, datum in a.graph.data.items()
        if datum.type.place and name in b.graph.data and b.graph.data[name].params == datum.params
    ]
    found: list[Unlike] = []
    for seat in range(a.graph.seats):
        for name in places:
            for index in a.layout.blocks[name].indices():
                shown = [_shown(game, seat, name, index) for game in (a, b)]
                if isinstance(shown[0], dict) != isinstance(shown[1], dict) and None not in shown:
                    found.append((seat, name, index, (shown[0], shown[1])))
    return found


def _shown(game: Game, seat: int, name: str, index: tuple[int, ...]) -> object:
    block = game.layout.blocks[name]
    value = game.position[block.slot(index)]
    many = block.datum.type.place == "pile"
    held = BITS[value] if many else () if value == NONE else (value,)
    if not held:
        return None
    if not sees(game, seat, name, index):
        return {"hidden": len(held)}
    return [game.graph.cards[card].name for card in held]


# --------------------------------------------------------------------------------------------------
# What a log shows of a difference, and which of two logs shows it better.

DECLARES = frozenset(["datum", "phase", "action", "order", "deck", "seats"])
"""Kinds of statements used by others, whose logs show them."""

APART, LED, WORKING = 0, 1, 2
"""The relation of a log to a difference: the two part by it, or it led up to that, or it is only at work."""


OTHER, HAND, MOVE = 5, 7, 2
"""Penalties of a log, relative to a given fact or card: another difference involved, a hand, a move."""


Rank: TypeAlias = tuple[int, int, tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Witness:
    """A log that shows a difference: ``others`` are further differences involved, ``side`` the only one whose rules can
    play it (0 or 1), if so; ``after`` counts observations that differed before.
    """

    key: Key
    shows: int
    scenario: Scenario
    others: int
    side: int = 0
    after: int = 0

    @property
    def rank(self) -> Rank:
        """A sort key, lower being better: few moves, no other differences involved."""
        hands, moves, facts, _ = self.scenario.size
        return self.shows, OTHER * (self.others + self.after) + HAND * hands + MOVE * moves + facts, self.scenario.size


@dataclass(slots=True)
class Witnesses:
    """The best witnesses so far, and the number of positions."""

    best: dict[Key, Witness] = field(default_factory=dict)
    positions: int = 0
    ranks: dict[Key, Rank] = field(default_factory=dict)

    def note(self, witness: Witness) -> bool:
        """Keep it if it is better than the present one."""
        if not self.lacks(witness):
            return False
        self.best[witness.key], self.ranks[witness.key] = witness, witness.rank
        return True

    def lacks(self, witness: Witness) -> bool:
        """Whether it is better than the present one."""
        known = self.ranks.get(witness.key)
        return known is None or witness.rank < known

    def lacking(self, keys: Iterable[Key], scenario: Scenario, side: int) -> frozenset[Key]:
        """Return the statements of which the scenario would be a better witness by being at work in its last move."""
        rank = Witness(("", ""), WORKING, scenario, 0, side).rank
        known = self.ranks.get
        return frozenset([key for key in keys if (old := known(key)) is None or rank < old])


def keys_of(differences: Iterable[Difference]) -> tuple[frozenset[Key], frozenset[Key]]:
    """The statements that differ in play, on each side."""
    found = [difference for difference in differences if difference.change != WORDING]
    return frozenset(d.key for d in found if d.a is not None), frozenset(d.key for d in found if d.b is not None)


def _parted_by(parting: Parting, keys: tuple[frozenset[Key], frozenset[Key]]) -> tuple[frozenset[Key], frozenset[Key]]:
    """Return the differences by which the two parted, according to provenance; and those that led up to it.

    An answer counts only if the other side answers the same question differently, or does not ask it.
    """
    now: set[Key] = set()
    led: set[Key] = set()
    if parting.at == SETUP:  # a card that only one knows, before anything is played
        return frozenset(key for key in keys[0] | keys[1] if key[0] == "deck"), frozenset()
    for own, other, mine in ((parting.a, parting.b, keys[0]), (parting.b, parting.a, keys[1])):
        led |= own.use.led & mine
        now |= {key for key in own.use.keys & mine if key[0] != "define" or own.use.unlike(key[1], other.use)}
    return frozenset(now), frozenset(led - now)


def witnesses(parting: Parting, keys: tuple[frozenset[Key], frozenset[Key]]) -> list[Witness]:
    """The witnesses of these differences in a parting. If a word is unknown to one side, it shows the words first, and
    their permissions less.
    """
    now, led = _parted_by(parting, keys)
    by_words = UNKNOWN in (parting.a.status, parting.b.status)
    found = []
    for key in sorted(now | led):
        others = sum(other != key and other[0] not in DECLARES for other in now)
        unclear = len(parting.earlier) + 2 * (by_words and key[0] not in DECLARES)
        found.append(Witness(key, APART if key in now else LED, parting.scenario, others, after=unclear))
    return found
