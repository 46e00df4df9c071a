"""Judges a claim about a log under some rules: right, wrong, or undecided."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

from truco_spec.base.words import Sentence, hinted, joined, label, move_text, say, suggestion, translated
from truco_spec.compare.disputes.agreement import Rules, TransposedLog, counterparts, in_other_cards, moves_of
from truco_spec.compare.disputes.claim import (
    DEEDS,
    GAIN,
    LEADER,
    LEGAL,
    MAY,
    OVER,
    SAYS,
    TIED,
    TO_ANSWER,
    TRICK,
    WAITED_FOR,
    Claim,
    ClaimError,
    advice,
)
from truco_spec.compare.disputes.deeds import ANSWER, deeds_of, word_of
from truco_spec.compare.disputes.playthrough import (
    AT_ENDS,
    FORBIDDEN,
    MATCH,
    PERMITTED,
    SCORE,
    WINNER,
    JudgedMove,
    Playthrough,
    before_move,
    verdict_in_words,
)
from truco_spec.engine.compiled.program import Position
from truco_spec.engine.game import Action, Game
from truco_spec.engine.layout import Layout, Noted
from truco_spec.engine.observe import ACTING, waited_for
from truco_spec.engine.ruling import tacit_action
from truco_spec.graph.model import OBSERVED, Define, Graph
from truco_spec.language.diagnostics import nearest
from truco_spec.logs.explanation import no_such_move
from truco_spec.logs.line import Log, LogError
from truco_spec.logs.notation import NotationError, hint_for, notation_of, shown

_MOVE_TOLD = re.compile(r"^“[^”]*”")
"""The quoted move at the start of a refusal: each game writes it in its own words, the claim in the log's."""


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """``right`` is None if the log does not decide it; ``move`` is where it was decided (0: nowhere)."""

    right: bool | None
    move: int
    why: str


def ruling(statements: Sequence[Claim], playthrough: Playthrough, home: Graph, make: type[Game] = Game) -> ClaimRuling:
    """Whether all statements are right under the rules of a playthrough."""
    found = [_one(claim, playthrough, home, make) for claim in statements]
    wrong = next((one for one in found if one.right is False), None)
    open_ = next((one for one in found if one.right is None), None)
    return wrong or open_ or found[-1]


def about_of(statements: Sequence[Claim]) -> frozenset[str] | None:
    """The observations that claims are about; None without a claim."""
    if not statements:
        return None
    return frozenset(map(observation_of, statements)) - {LEGAL, MAY, ACTING, *WAITED_FOR, *DEEDS}


def observation_of(claim: Claim) -> str:
    """The observation that a claim is about."""
    return {GAIN: SCORE, MATCH: WINNER}.get(claim.about, claim.about)


def observed_for(statements: Sequence[Claim]) -> frozenset[str]:
    """Return the observations by which claims are judged: the leader of the second trick is counted by tricks, the
    final score of a game by games.
    """
    counted = [TRICK for claim in statements if claim.about == LEADER and claim.which > 0]
    found = {*map(observation_of, statements), *counted}
    return frozenset(found if found.isdisjoint((SCORE, WINNER)) else found.union(AT_ENDS))


def is_of_results(statements: Sequence[Claim]) -> bool:
    """Whether any is about what implicit moves may bring: points, or a game."""
    return any(observation_of(claim) in (SCORE, WINNER) for claim in statements)


def check(
    statements: Sequence[Claim], graphs: Sequence[Graph], moves: int, players: tuple[str, ...], home: Graph
) -> None:
    """Raise :class:`ClaimError` for a claim about what no game observes, or about a move beyond the log."""
    told = {name.removeprefix(OBSERVED) for graph in graphs for name in graph.defines if name.startswith(OBSERVED)}
    for claim in statements:
        if claim.move > moves:
            raise ClaimError(no_such_move(claim.move, moves))
        if claim.about in (MAY, *WAITED_FOR, *DEEDS):
            if claim.value is not None:
                _known_words(str(claim.value), graphs, players)
        elif claim.about not in (LEGAL, GAIN, MATCH, ACTING) and claim.about not in told:
            wrong = Sentence("No game says anything of “{name}”.", name=shown(claim.about))
            near = nearest(claim.about, sorted(told))
            raise ClaimError(advice(hinted(wrong, suggestion(near) if near else ""), players))
        elif claim.seat is None and claim.about != SCORE and any(_of_somebody(graph, claim.about) for graph in graphs):
            form = "Say whose it is: “the {name} of {player} is …”."
            raise ClaimError(Sentence(form, name=claim.about, player=players[0]))
        elif isinstance(claim.value, str) and claim.value not in _ANYWHERE:
            _known_value(claim, claim.value, graphs, players)


def _of_somebody(graph: Graph, name: str) -> bool:
    """Whether something is observed of each team or player."""
    define = graph.defines.get(OBSERVED + name)
    return define is not None and bool(define.params)


def numbered(statements: Sequence[Claim], log: Log, home: Graph) -> tuple[Claim, ...]:
    """Return the claims; those about a word as such refer to its last move. Raises :class:`ClaimError`."""
    return tuple(_numbered(one, log, home) if one.about == LEGAL and not one.move else one for one in statements)


def _numbered(claim: Claim, log: Log, home: Graph) -> Claim:
    words, players = str(claim.value), log.players
    _known_words(words, [home], players)
    for number, move in reversed(list(enumerate(moves_of(log), 1))):
        seats = _said_by(move.text, words, players, home)
        if seats and claim.seat in (None, *seats):
            return replace(claim, move=number, seat=None, value=None)
    form = "Nobody says or plays “{words}” in the log."
    if claim.seat is not None:
        form = "{player} does not say or play “{words}” in the log."
    raise ClaimError(Sentence(form, player=players[claim.seat or 0], words=shown(words)))


def _said_by(move: str, words: str, players: tuple[str, ...], home: Graph) -> set[int]:
    """Return who says these words in a move of the log; nobody, if it means something else."""
    notation = notation_of(home, players)
    said = f"{players[0]} {words}"
    meant = {action[1:] for action in notation.readings(said)} if notation.knows(said) else set()
    readings = notation.readings(move) if notation.knows(move) else []
    return {action.actor for action in readings if action[1:] in meant}


_ANYWHERE = (TIED, OVER, "none", "nobody")
"""Values that may be claimed of anything."""


def _known_value(claim: Claim, value: str, graphs: Sequence[Graph], players: tuple[str, ...]) -> None:
    """Whether some game observes this value."""
    defines = [
        (graph, graph.defines[OBSERVED + claim.about]) for graph in graphs if OBSERVED + claim.about in graph.defines
    ]
    if any(define.type.base == "flag" for _, define in defines):
        return
    known = dict.fromkeys(text for graph, one in defines for text in notation_of(graph, players).values(one.type))
    if value not in [text.lower() for text in known]:
        hint = hint_for(value, [text for text in known if text not in _ANYWHERE])
        wrong = Sentence("“{value}” is nothing that “{name}” can be.", value=shown(value), name=claim.about)
        raise ClaimError(hinted(wrong, hint))


def _known_words(words: str, graphs: Sequence[Graph], players: tuple[str, ...]) -> None:
    error: NotationError | None = None
    for graph in graphs:
        try:
            notation_of(graph, players).readings(f"{players[0]} {words}")
        except NotationError as unknown:
            error = error or unknown
        else:
            return
    if error is not None:
        raise ClaimError(hinted(error.message, error.hint))


def _one(claim: Claim, playthrough: Playthrough, home: Graph, make: type[Game]) -> ClaimRuling:
    found = _plain(claim, playthrough, home, make)
    if found.right is not None and claim.negated:
        found = ClaimRuling(not found.right, found.move, found.why)
    if playthrough.further is None or claim.move or not is_of_results((claim,)):
        return found
    later = _one(claim, playthrough.further, home, make)
    if later.right is found.right:
        return found
    said = move_text(playthrough.further.moments[-1].said)
    if not playthrough.chosen:
        return ClaimRuling(later.right, later.move, say("{told}, after {move}", told=later.why, move=said))
    return ClaimRuling(None, 0, say("{told}; after {move} {later}", told=found.why, move=said, later=later.why))


def _plain(claim: Claim, playthrough: Playthrough, home: Graph, make: type[Game]) -> ClaimRuling:
    if claim.about == LEGAL:
        return _legal(claim, playthrough)
    if claim.about == MAY:
        return _may(claim, playthrough, home, make)
    if claim.about == GAIN:
        return _gain(claim, playthrough)
    if claim.about in (ACTING, *WAITED_FOR):
        return _waited_for(claim, playthrough, home, make)
    if claim.about in DEEDS:
        return _done(claim, playthrough, home)
    define = playthrough.rules.graph.defines.get(OBSERVED + observation_of(claim))
    if define is None:
        return ClaimRuling(None, 0, say("nothing called {name} is observed there", name=label(claim.about)))
    if claim.about == SCORE or define.params:
        return _of_teams(claim, playthrough)
    if claim.value == OVER:
        return _over(claim, playthrough)
    ended = claim.about == WINNER and any(_is_made(m) and m.seen.get(WINNER) for m in playthrough.moments)
    if claim.which or ended or _momentary(define, claim):
        return _of_moments(claim, playthrough, define)
    return _of_lasting(claim, playthrough, define)


# ---- what was permitted ------------------------------------------------------------------------


def _legal(claim: Claim, playthrough: Playthrough) -> ClaimRuling:
    if claim.move > len(playthrough.moments):
        return ClaimRuling(None, 0, _stops(playthrough))
    moment = playthrough.moments[claim.move - 1]
    if moment.refused is not None and moment.refused.before_the_cards:
        return ClaimRuling(None, 0, say("the cards that the log tells do not come so far"))
    why = _MOVE_TOLD.sub(lambda _: f"“{shown(moment.move)}”", moment.message) or verdict_in_words(moment)
    return ClaimRuling(moment.verdict == PERMITTED, claim.move, why)


def _may(claim: Claim, playthrough: Playthrough, home: Graph, make: type[Game]) -> ClaimRuling:
    if claim.seat == -1:
        seats = range(len(playthrough.transposed.log.players))
        each = [_may(replace(claim, seat=seat), playthrough, home, make) for seat in seats]
        found = next((one for one in each if one.right), None) or next(
            (one for one in each if one.right is None), each[0]
        )
        return replace(found, right=None if found.right is None else not found.right)
    moves = len(moves_of(playthrough.transposed.log))
    replay = before_move(playthrough.transposed, playthrough.rules, claim.move or moves + 1, make=make)
    if replay is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    readings = _read(claim, playthrough.transposed, playthrough.rules, home)
    if not readings:
        return ClaimRuling(False, claim.move, say("there is no such word"))
    try:
        refusal = replay.refusal_to(readings)
    except LogError as error:
        return ClaimRuling(None, 0, translated(error.diagnostics[0].message))
    return ClaimRuling(refusal is None, claim.move, refusal.message if refusal else say("it is permitted"))


def questions(
    statements: Sequence[Claim], playthrough: Playthrough, home: Graph
) -> Iterator[tuple[int, PermitQuestion]]:
    """Return the actions whose permission statements claim, each with its hand (from 0), in the position of the claim;
    if an implicit move may decide it, with whether its player could have said anything else.
    """
    here, rules, moves = playthrough.transposed, playthrough.rules, len(playthrough.moments)
    for claim in statements:
        if claim.about not in (LEGAL, MAY):
            continue
        refused = playthrough.moments[claim.move - 1].refused if 0 < claim.move <= moves else None
        replay = before_move(here, rules, claim.move or len(moves_of(here.log)) + 1)
        if claim.about == LEGAL and refused is not None:
            yield playthrough.moments[claim.move - 1].hand, PermitQuestion(refused.game, (refused.refusal.action,))
        elif replay is not None and claim.about == MAY:
            replay.settle()
            yield max(replay.hand, 0), PermitQuestion(replay.game, tuple(_read(claim, here, rules, home)))
        elif replay is not None and claim.move <= moves and (step := replay.advance()) is not None:
            replay.game.pop()
            yield step.hand, PermitQuestion(replay.game, (step.event.action,))
    if is_of_results(statements) and playthrough.further is not None and not playthrough.chosen:
        replay = before_move(playthrough.further.transposed, rules, len(playthrough.further.moments))
        silent = tacit_action(replay.game) if replay is not None else None
        if replay is not None and silent is not None:
            yield max(replay.hand, 0), PermitQuestion(replay.game, tuple(_said(replay.game, silent.actor)))


def _said(game: Game, seat: int) -> Iterator[Action]:
    """Return the actions of a player besides keeping silent."""
    for name, verb in game.graph.actions.items():
        if not verb.tacit and not verb.params:
            yield Action(seat, name, ())


def _read(claim: Claim, transposed: TransposedLog, rules: Rules, home: Graph) -> list[Action]:
    players, graph = transposed.log.players, rules.graph
    seat = claim.seat if claim.seat is not None and claim.seat >= 0 else 0
    text = f"{players[seat]} {claim.value}"
    try:
        return notation_of(graph, players).readings(in_other_cards(text, home, graph))
    except NotationError:
        pass
    try:
        return counterparts(home, notation_of(home, players).readings(text), graph)
    except NotationError:
        return []


# ---- what was done, and whom the game waits for ------------------------------------------------


def _waited_for(claim: Claim, playthrough: Playthrough, home: Graph, make: type[Game]) -> ClaimRuling:
    """Whether a player is among those for whom the game waits in the way claimed: with an answer to a call."""
    transposed = playthrough.transposed
    number = claim.move or len(moves_of(transposed.log))
    replay = before_move(transposed, playthrough.rules, number + 1, make=make)
    if replay is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    waiting = waited_for(replay.game)[ACTING]
    named = claim.value[1] if isinstance(claim.value, tuple) else claim.seat
    if claim.about == ACTING and named is None:
        named = -1
    found = _is_of(replace(claim, seat=named), [replay.game.players.index(name) for name in waiting], playthrough)
    why = say("the game waits for nobody")
    if waiting:
        why = say("it is for {players}", players=joined(waiting, say("or")))
    if claim.about == TO_ANSWER:
        graph, phase = playthrough.rules.graph, replay.game.phase
        asked = bool(graph.phases[phase].interrupts)
        if claim.value is not None:
            read = (word_of(graph, action) for action in _read(claim, transposed, playthrough.rules, home))
            asked = phase in {of[0] + ANSWER for of in read if of is not None}
        found = found and asked if claim.seat != -1 else not asked
        why = why if asked else say("nothing waits for an answer")
    return ClaimRuling(found, min(number, len(playthrough.moments)), why)


def _is_of(claim: Claim, seats: Collection[int], playthrough: Playthrough) -> bool:
    """Whether the subject of a claim is among these seats: all of its players, or any for a side; nobody if there are
    none.
    """
    if claim.seat is None or claim.seat < 0:
        return bool(seats) is (claim.seat is None)
    named, teams = {claim.seat, *claim.others}, playthrough.rules.graph.teams
    side = set(range(claim.seat % teams, len(playthrough.transposed.log.players), teams))
    if claim.team and not claim.others:
        named = side
    some = claim.team or claim.negated or (named == side and bool(claim.others))
    return bool(named.intersection(seats)) if some else named <= set(seats)


def _done(claim: Claim, playthrough: Playthrough, home: Graph) -> ClaimRuling:
    """Whether somebody did it, up to the end of the log."""
    graph, players = playthrough.rules.graph, playthrough.transposed.log.players
    if claim.about == SAYS:
        words = str(claim.value)
        found = [(m.number, seat) for m in playthrough.moments for seat in _said_by(m.move, words, players, home)]
    else:
        read = [] if claim.value is None else _read(claim, playthrough.transposed, playthrough.rules, home)
        meant = [of for action in read if (of := word_of(graph, action)) is not None]
        if claim.value is not None and not meant:
            return ClaimRuling(None, 0, say("no answer to it is observed there"))
        deeds = [deed for deed in deeds_of(playthrough) if deed.kind == claim.about]
        deeds = [deed for deed in deeds if claim.value is None or (deed.call, deed.word) in meant]
        found = [(deed.number, deed.seat) for deed in deeds if claim.whose in (None, deed.caller)]
    right = _is_of(claim, {seat for _, seat in found}, playthrough)
    if not found and not playthrough.complete:
        return ClaimRuling(None, 0, _stops(playthrough))
    if not found:
        return ClaimRuling(right, 0, say("nobody does so in the log"))
    number = found[-1][0]
    return ClaimRuling(right, number, move_text(playthrough.moments[number - 1].move))


def _over(claim: Claim, playthrough: Playthrough) -> ClaimRuling:
    """Whether a hand or a game was decided: by the last move, or the counted one."""
    last = _last(playthrough)
    if last is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    decided = [m for m in playthrough.moments if _is_made(m) and m.seen.get(claim.about) is not None]
    if claim.which > 0:
        last = decided[claim.which - 1] if len(decided) >= claim.which else last
    value = last.seen.get(claim.about)
    told = say("none") if value is None else label(str(value))
    return ClaimRuling(last in decided and len(decided) >= claim.which, last.number, f"{label(claim.about)}: {told}")


# ---- what was seen -----------------------------------------------------------------------------


def _momentary(define: Define, claim: Claim) -> bool:
    """Whether it is a transient observation, of a trick or a hand: the last one counts."""
    seen = define.answers[0].value
    return (
        claim.move == 0 and seen.op == "const" and "none" in define.type.words and define.type.base in ("team", "seat")
    )


def _of_moments(claim: Claim, playthrough: Playthrough, define: Define) -> ClaimRuling:
    """The last value that a move resulted in, or that of the counted trick or hand."""
    made = [m for m in playthrough.moments if _is_made(m)]
    told = [(m.number, m.seen[claim.about]) for m in made if m.seen.get(claim.about) is not None]
    at = (claim.which or len(told)) if claim.which >= 0 else len(told)
    if claim.about == LEADER and claim.which > 0:  # the end of one trick says who leads the next
        told = [(m.number, m.seen.get(LEADER)) for m in made if m.seen.get(TRICK) is not None]
        at -= 1
        if not at or (at <= len(told) and told[at - 1][1] is None):
            return ClaimRuling(None, 0, say("no {name} is observed", name=label(LEADER)))
    if not 0 < at <= len(told):
        short = say("the log does not come so far")
        return ClaimRuling(None, 0, short if playthrough.complete else _stops(playthrough))
    number, value = told[at - 1]
    return ClaimRuling(_same(claim, playthrough, define, value), number, f"{label(claim.about)}: {label(str(value))}")


def _moment(claim: Claim, playthrough: Playthrough) -> JudgedMove | None:
    """The move after which the claim is made, or the last; None if the log ends before."""
    if not claim.move:
        return _last(playthrough)
    moment = playthrough.moments[claim.move - 1] if claim.move <= len(playthrough.moments) else None
    return moment if moment is not None and _is_made(moment) else None


def _last(playthrough: Playthrough) -> JudgedMove | None:
    """The last move made; None if the log stops early, and others could follow."""
    *before, last = playthrough.moments or (None,)
    if last is not None and last.refused is not None and last.refused.game.over:
        return before[-1] if before else None
    return last if last is not None and _is_made(last) else None


def _is_made(moment: JudgedMove) -> bool:
    """Whether the move is made; otherwise it has no results, and earlier observations remain."""
    return moment.verdict in (PERMITTED, FORBIDDEN)


def _of_lasting(claim: Claim, playthrough: Playthrough, define: Define) -> ClaimRuling:
    """The value after a move, or at the end."""
    moment = _moment(claim, playthrough)
    if moment is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    name = observation_of(claim)
    value = moment.seen.get(claim.about)
    told = say("none") if value is None else label(str(value))
    why = f"{label(name)}: {told}"
    return ClaimRuling(_same(claim, playthrough, define, value), moment.number, why)


def _same(claim: Claim, playthrough: Playthrough, define: Define, value: object) -> bool:
    """Whether the value equals the claimed one; where teams are observed, a player stands for the team."""
    players = playthrough.transposed.log.players
    if claim.value == TIED or claim.seat == -1:
        return value not in players
    wanted = claim.seat
    if isinstance(claim.value, tuple) and claim.value[:1] == ("seat",):
        wanted = claim.value[1]
    if wanted is not None:
        if value not in players:
            return False
        seat = players.index(str(value))
        teams = playthrough.rules.graph.teams
        return seat % teams == wanted % teams if define.type.base == "team" or claim.team else seat == wanted
    return str(claim.value) == ("none" if value is None else str(value).lower())


def _of_teams(claim: Claim, playthrough: Playthrough) -> ClaimRuling:
    """The observations by team."""
    moment = _moment(claim, playthrough)
    if moment is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    told = moment.seen.get(claim.about)
    if not isinstance(told, dict):
        return ClaimRuling(None, 0, say("no {name} is observed", name=label(claim.about)))
    pairs = claim.value if claim.about == SCORE and isinstance(claim.value, tuple) else ((claim.seat, claim.value),)
    right = all(str(_of_team(playthrough, told, seat)).lower() == str(value) for seat, value in pairs)
    return ClaimRuling(
        right, moment.number, f"{label(claim.about)}: {', '.join(f'{name} {value}' for name, value in told.items())}"
    )


def _of_team(playthrough: Playthrough, told: dict[str, object], seat: object) -> object:
    teams, players = playthrough.rules.graph.teams, playthrough.transposed.log.players
    team = int(seat) % teams if isinstance(seat, int) and seat >= 0 else 0
    return next((value for name, value in told.items() if players.index(name) % teams == team), None)


def _gain(claim: Claim, playthrough: Playthrough) -> ClaimRuling:
    last = _last(playthrough)
    if last is None:
        return ClaimRuling(None, 0, _stops(playthrough))
    scores = [playthrough.start.get(SCORE), *(m.seen.get(SCORE) for m in playthrough.moments if _is_made(m))]
    points = [int(str(_of_team(playthrough, score, claim.seat))) for score in scores if isinstance(score, dict)]
    if len(points) < len(scores):
        return ClaimRuling(None, 0, say("no {name} is observed", name=label(SCORE)))
    anew = [False, *(m.seen.get(WINNER) is not None for m in playthrough.moments if _is_made(m))]
    pairs = zip(points, points[1:], anew, strict=False)
    won = sum(now - (0 if ended else before) for before, now, ended in pairs)
    return ClaimRuling(won == claim.value, last.number, say("{name}: {count} more", name=label(SCORE), count=won))


def _stops(playthrough: Playthrough) -> str:
    if playthrough.complete or not playthrough.moments:
        return say("the log does not come so far")
    last = playthrough.moments[-1]
    where = say("the log stops there at move {number}, {move}", number=last.number, move=move_text(last.move))
    return f"{where}: {last.message}" if last.message else where


# ---- Hands with which something else is permitted, found without playing them -----------------------
#
# Where several cards of a player are unknown there are thousands of hands, too many to play the log with each. But it
# is quickly asked with each of them, in the position before the move, whether the move is permitted.

MOST_HANDS = 10_000
"""Maximum hands that are asked about: as many as there are of three cards of a pack of forty."""


@dataclass(frozen=True, slots=True)
class PermitQuestion:
    """Whether one of some actions of a player is permitted, as the game stands."""

    game: Game
    actions: tuple[Action, ...]

    @property
    def actor(self) -> int:
        """The seat of the player; negative for an outsider, and where nothing is asked."""
        return self.actions[0].actor if self.actions else -1

    def otherwise(
        self, held: Sequence[str], pool: Sequence[str], permitted: Sequence[tuple[PermitQuestion, Sequence[str]]] = ()
    ) -> Iterator[tuple[str, ...]]:
        """Return the cards of the pool that the player could have instead of those held, such that the answer changes.

        ``permitted`` are earlier questions with what was held then: these cards permit what they ask, too.
        """
        cards, layout = self.game.graph.cards, self.game.layout
        numbers = {card.name: number for number, card in enumerate(cards)}
        mine, others = ([numbers[card] for card in names] for names in (held, pool))
        game = copy(self.game)
        position = Noted(self.game.position)
        game.position = position
        of_cards = {*layout.of_cards, *(layout.cards_at + card for card in (*mine, *others))}
        asked, now = list[Action](), False
        for action in self.actions:  # those whose answer no card changes are asked once
            position.read = set()
            offered = game.permits(action)
            now = now or offered
            if not position.read.isdisjoint(of_cards):
                asked.append(action)
            elif offered:
                return
        if not asked:
            return
        here = replace(self, actions=tuple(asked))
        before = [(question, [numbers[card] for card in names]) for question, names in permitted]
        for hand in itertools.islice(itertools.combinations(others, len(mine)), MOST_HANDS):
            if here.permits_with(mine, hand) is not now and all(one.permits_with(had, hand) for one, had in before):
                yield tuple(cards[card].name for card in _in_place_of(mine, hand))

    def permits_with(self, held: Sequence[int], hand: Sequence[int]) -> bool:
        """Whether it is permitted with another hand."""
        game = copy(self.game)
        game.position = self.game.position.copy()
        for old, new in zip(held, _in_place_of(held, hand), strict=True):
            exchange(game.position, game.layout, old, new)
        return any(game.permits(action) for action in self.actions)


def _in_place_of(held: Sequence[int], hand: Sequence[int]) -> list[int]:
    """The hand, each card that was held already in its place."""
    coming = (card for card in hand if card not in held)
    return [card if card in hand else next(coming) for card in held]


def exchange(position: Position, layout: Layout, one: int, other: int) -> None:
    """Exchange two cards, and the memory of them, as if each had been dealt in place of the other."""
    if one == other:
        return
    first = layout.cards_at
    position[first + one], position[first + other] = position[first + other], position[first + one]
    for slot, many in layout.of_cards.items():
        value = position[slot]
        if many and value > 0:
            if value >> one & 1 != value >> other & 1:
                position[slot] = value ^ (1 << one | 1 << other)
        elif not many and value in (one, other):
            position[slot] = other if value == one else one
