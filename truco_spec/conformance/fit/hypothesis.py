"""A hypothesis about the rules that an implementation plays, and where an answer differs from it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from types import MappingProxyType

from truco_spec.base.processes import alarm
from truco_spec.base.project import OWN, by_variant
from truco_spec.base.shapes import plain
from truco_spec.base.shipped import variant_names
from truco_spec.base.user_cache import KeptResults, Shelf
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    Introduction,
    MustOffer,
    MustPermit,
    MustRefuse,
    MustSee,
    MustShow,
    Plan,
    Position,
    Script,
    ScriptAction,
    Seen,
    acts_in,
    entry_at,
    hand_is_over,
    refused_in,
)
from truco_spec.conformance.corpus.vocabulary import unsaid_words, word_of
from truco_spec.conformance.fit.evidence import Evidence, Reply
from truco_spec.conformance.fit.how_far import AGREES, BESIDE, NO_GAME, TOO_LONG, Reach, number_of, reach_in, wrong_in
from truco_spec.conformance.fit.likeness import change_digests
from truco_spec.conformance.fit.mutants import (
    Mutant,
    by_answers,
    by_anyone,
    by_endings,
    by_others,
    by_scores,
    by_seats,
    by_values,
    in_several,
    mentioned,
    mutants_in,
    mutated,
)
from truco_spec.conformance.fit.orders import change_of
from truco_spec.conformance.fuzz.trial import asked_by, checks_of, is_as_expected
from truco_spec.conformance.runner.judge import ACTING, Finding, judge
from truco_spec.conformance.runner.runner import MADE_BY
from truco_spec.engine.support import PlayError
from truco_spec.graph.link import Chain, Linked
from truco_spec.graph.linking.build import lower
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import core, load
from truco_spec.graph.model import HOW_MANY, Graph, by_identity
from truco_spec.language.tree import Statement

NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
Place = tuple[Position, str]
"""A position in a script, and the observation, or seat, compared there."""
SHELF = Shelf("shown", 60)
MOST_PLAYED = 4000
"""The most playthroughs remembered by a process."""
SECONDS, SECONDS_EACH = 1.0, 0.1
"""Processor time allowed to the rules, in all and for each script: a change may make them nearly endless."""
UNCHANGED = 10
"""The factor of the time allowed without a change: these rules end, and are only slow under some options."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Rules that an implementation may play: these options, whatever a script requests. ``changes`` are numbers of
    mutants of the variant.
    """

    variant: str
    players: int
    options: tuple[tuple[str, str], ...] = ()
    changes: tuple[int, ...] = ()

    def under(self, option: str, value: str) -> Hypothesis:
        """Return the same with another value of an option."""
        return replace(self, options=tuple(sorted({**dict(self.options), option: value}.items())))

    def graph(self, asked: Mapping[str, str] = NO_OPTIONS) -> Graph:
        """Return its rules for a script with these options. Raises TrucoError if they do not link."""
        options = {**asked, **dict(self.options)}
        claimed = not self.changes and options == {**asked, **_claimed(self.variant, self.players)}
        return _graph(self.variant, self.players, tuple(sorted(options.items())), self.changes, claimed)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where an answer first differs from a hypothesis, and what it expected there."""

    at: Position
    check: Check | None
    expected: str
    got: str

    @property
    def is_of_move(self) -> bool:
        """Whether the move itself is accepted or refused otherwise."""
        return isinstance(self.check, (MustPermit, MustRefuse))


_Game = tuple[Script, Seen] | Mismatch
"""A script and its playthrough by some rules, or that it is unplayable."""
_Judged = tuple[int, list[Finding], Reach]
"""Which playthrough of a script its answer agrees with further, all differences, in order, and how far it agrees."""


class Mutants:
    """Every single change of a variant, by number; behind them those that answers show, by their codes."""

    def __init__(self, variant: str) -> None:
        self.variant, chain = variant, core(variant)
        untabled = (by_anyone, by_others, by_values, by_scores, by_answers, in_several, by_endings, by_seats)
        self.single = (*mutants_in(chain), *(mutant for of in untabled for mutant in of(chain)))

    def __iter__(self) -> Iterator[Mutant]:
        return iter(self.single)

    def __len__(self) -> int:
        return len(self.single)

    def __getitem__(self, number: int) -> Mutant:
        if number < len(self):
            return self.single[number]
        return _shown_change(self.variant, number - len(self))

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """The digest of each single change (:func:`change_digests`)."""
        return change_digests(self)

    @cached_property
    def asks(self) -> Mapping[str, frozenset[str]]:
        """The names mentioned by each statement."""
        return {name: mentioned(statement) for name, statement in self.statements.items()}

    @cached_property
    def statements(self) -> Mapping[str, Statement]:
        """The statements that have changes, by name."""
        return {mutant.statement.name: mutant.statement for mutant in self}


@by_variant(32)
def mutants_of_variant(variant: str) -> Mutants:
    """Return every single change of a variant, also of one in a user's file."""
    return Mutants(variant)


@by_variant(32)
def _shown_change(variant: str, code: int) -> Mutant:
    return change_of(core(variant), load(variant), code)


def _claimed(variant: str, players: int) -> Mapping[str, str]:
    """Return the options that the implementation always plays."""
    plays = _introduction[0].variants.get(variant) if _introduction else None
    return plays.own(players) if plays is not None else NO_OPTIONS


@by_variant(256)
def _graph(
    variant: str, players: int, chosen: tuple[tuple[str, str], ...], changes: tuple[int, ...], claimed: bool
) -> Graph:
    """Return the rules under these options with these changes; ``claimed`` ones are linked and compiled already, to
    judge.
    """
    seated = _seated(variant, players)
    options = {**dict(chosen), **seated}
    if claimed or (options == seated and not changes):
        return _linked(variant, options)
    return rebuild(_changed(variant, changes), core(variant), _linked(variant, seated), options, seated)


def asking(hypothesis: Hypothesis, questions: Mapping[str, Statement]) -> Graph:
    """Return the rules of a hypothesis with further questions. Raises TrucoError if they do not link."""
    variant, seated = hypothesis.variant, _seated(hypothesis.variant, hypothesis.players)
    chain = _changed(variant, hypothesis.changes)
    items = {**lower(chain).items, **{name: Linked(each, (variant,)) for name, each in questions.items()}}
    options = {**dict(hypothesis.options), **seated}
    asked = replace(chain, items=items, parts={})
    return rebuild(asked, core(variant), _linked(variant, seated), options, seated)


def _seated(variant: str, players: int) -> dict[str, str]:
    """Return how many play, if that is an option."""
    return {HOW_MANY: str(players)} if HOW_MANY in load(variant).options else {}


def _linked(variant: str, options: Mapping[str, str]) -> Graph:
    own = load(variant).options
    return load(variant, **{name: of for name, of in options.items() if name not in own or of != own[name].value})


def _changed(variant: str, changes: Sequence[int]) -> Chain:
    chain = core(variant)
    return mutated(chain, [mutants_of_variant(variant)[number] for number in changes]) if changes else chain


def difference(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> Mismatch | None:
    """Return where the answer first differs from these rules. Raises TrucoError if they do not link."""
    return _differs(*_judged(hypothesis, reply, introduction)[:2])


def mended(hypothesis: Hypothesis, reply: Reply, introduction: Introduction, reach: Reach) -> Mismatch | None:
    """Return where the answer first differs from these rules, and not from others with which it agrees so far.

    Raises TrucoError where they do not link.
    """
    game, failed, _ = _judged(hypothesis, reply, introduction)
    beside = failed if all(isinstance(each.check, BESIDE) for each in failed) else ()
    gone = next((each for each in beside if not wrong_in(each) <= reach.wrong), None)
    if gone is None and reach.there:
        gone = next((each for each in earliest(failed) if number_of(each) not in reach.there), None)
    return _differs(game, failed if gone is None else [gone])


def played(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> _Game:
    """Return the script under these rules, and its playthrough; memoised. If by them the order of the pack gives
    somebody other cards than the script names, the implementation may have dealt either: the game with which its answer
    agrees further. Raises TrucoError if they do not link.
    """
    courses = _courses(hypothesis, reply, introduction)
    return courses[0] if len(courses) == 1 else _judged(hypothesis, reply, introduction)[0]


def _judged(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> tuple[_Game, list[Finding], Reach]:
    """Return the playthrough of a script, all differences of its answer, in order, and how far it agrees."""
    nearest, failed, reach = _judging(introduction)(reply, hypothesis, _edition(hypothesis.variant))
    return _courses(hypothesis, reply, introduction)[nearest], failed, reach


def _courses(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> tuple[_Game, ...]:
    """Return the playthroughs of a script: with the pack as dealt, and with the named hands if that is another game;
    without an answer only the former.
    """
    options = {**reply.script.options, **dict(hypothesis.options)}
    plain = partial(replace(hypothesis, changes=()).graph, reply.script.options)
    filling.know_graph(replace(reply.script, options=options), plain)  # to compare by
    own = frozenset(introduction.plays(hypothesis.variant).own_words)
    edition = _edition(hypothesis.variant)
    game, otherwise = _game(reply.script, hypothesis, asked_by(introduction), own, edition)
    if not (otherwise and reply.answer):
        return (game,)
    return game, _game(_as_named(reply.script), hypothesis, asked_by(introduction), own, edition)[0]


@by_identity(MOST_PLAYED)
def _as_named(script: Script) -> Script:
    return filling.as_named(script)


@by_variant(32)
def _edition(variant: str) -> object:
    """Return a key that changes with the files of a user's variant."""
    return object()


@by_identity(MOST_PLAYED)
def _game(
    asked: Script, hypothesis: Hypothesis, observed: frozenset[str], own: frozenset[str], edition: object
) -> tuple[_Game, bool]:
    """Return the playthrough of a script, and whether by these rules the order of its pack gives somebody other cards
    than it names.
    """
    script = replace(asked, options={**asked.options, **dict(hypothesis.options)})
    kept, otherwise = _kept(hypothesis.variant, observed), False

    def play(script: Script, observed: frozenset[str] = observed) -> Seen:
        nonlocal otherwise
        graph = hypothesis.graph(asked.options)
        right = Reference(lambda _: graph, asked=observed)
        try:
            return right.run(script)
        finally:
            otherwise = right.otherwise

    def shown(script: Script) -> Seen:
        nonlocal otherwise
        if kept is None:
            return play(script)
        name = _digest(json.dumps([hypothesis.changes, plain(script)], sort_keys=True))
        seen, otherwise = kept.shown.taken(name, lambda: (play(script), otherwise))
        return seen

    try:
        return in_own_words(script, own, shown, partial(play, observed=frozenset({"start", "legal"}))), otherwise
    except (Broken, PlayError, RecursionError) as error:
        return Mismatch(Position(0, 0, START), None, "a game by these rules", str(error)), otherwise


def in_own_words(
    script: Script, words: Set[str], play: Callable[[Script], Seen], offered: Callable[[Script], Seen]
) -> tuple[Script, Seen]:
    """Return a script and its observations if the implementation says these words by itself: with the argument that the
    rules permit there, if it is the only one, as the count of the cards. ``offered`` plays a script and reports the
    legal actions.
    """
    seen, left = play(script), set[tuple[int, int]]()
    while refused := [
        (hand, number)
        for hand, number in refused_in(seen)
        if (hand, number) not in left and script.hands[hand].actions[number].word in words
    ]:
        hand, number = refused[0]
        left.add((hand, number))
        action = script.hands[hand].actions[number]
        at = Position(0, hand, number - 1 if number else START)
        before = entry_at(seen, at)
        before = before if "legal" in before else entry_at(offered(script), at)
        texts = [text for text in before.get("legal", {}).get(action.player, ()) if word_of(text) == action.word]
        if len(texts) == 1:
            (text,) = texts
            said = replace(action, text=f"{action.player} {text}", say=text)
            script = with_action(script, hand, number, said)
            seen = play(script)
    return script, seen


def with_action(script: Script, hand: int, number: int, action: ScriptAction) -> Script:
    """Return the script with another action there."""
    actions = list(script.hands[hand].actions)
    actions[number] = action
    hands = list(script.hands)
    hands[hand] = replace(hands[hand], actions=tuple(actions))
    return replace(script, hands=tuple(hands))


class _Kept:
    """The cached playthroughs of scripts by the rules of a game, also with changes, with whether their pack is dealt
    otherwise; and the findings in answers.
    """

    def __init__(self, game: Hypothesis, asked: frozenset[str]) -> None:
        self.variant, self.asked = game.variant, asked
        told = repr((game, sorted(asked)))
        self.shown = KeptResults[tuple[Seen, bool]](SHELF, MADE_BY, told)
        self.judged = KeptResults[_Judged](SHELF, MADE_BY, f"{told} judged")


_recalled: list[_Kept] = []


def _kept(variant: str, asked: frozenset[str]) -> _Kept | None:
    return next((kept for kept in _recalled if (kept.variant, kept.asked) == (variant, asked)), None)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@contextlib.contextmanager
def recalling(hypothesis: Hypothesis, introduction: Introduction) -> Iterator[None]:
    """A context in which scripts are played by shipped rules, and by changes of them, only once, and answers are judged
    only once; the results are cached between runs.
    """
    if hypothesis.changes or hypothesis.variant not in variant_names():
        yield
        return
    kept = _Kept(hypothesis, asked_by(introduction))
    _recalled.append(kept)
    try:
        yield
    finally:
        _recalled.remove(kept)
        kept.shown.keep()
        kept.judged.keep()


@contextlib.contextmanager
def comparing(hypothesis: Hypothesis, script: Script, reply: Reply) -> Iterator[None]:
    """A context in which a script is judged by these rules with their changes, also where an answer may be ahead by
    words that the implementation says by itself.
    """
    filling.know_graph(script, partial(hypothesis.graph, reply.script.options))
    try:
        yield
    finally:
        filling.know_graph(script, partial(replace(hypothesis, changes=()).graph, reply.script.options))


@by_identity(8)
def _judging(introduction: Introduction) -> Callable[[Reply, Hypothesis, object], _Judged]:
    """Return a function that plays a script and judges the answer by the playthrough with which it agrees further."""

    def found(game: _Game, reply: Reply, hypothesis: Hypothesis) -> tuple[list[Finding], Reach]:
        if isinstance(game, Mismatch):
            return [], NO_GAME
        if is_as_expected(*game, reply.answer, introduction):
            return [], AGREES
        with comparing(hypothesis, game[0], reply):
            findings = _findings(*game, reply, introduction)
        return [each for each in findings if each.outcome == "failed"], reach_in(findings)

    def best(reply: Reply, hypothesis: Hypothesis) -> _Judged:
        judged = [found(game, reply, hypothesis) for game in _courses(hypothesis, reply, introduction)]
        nearest = max(reversed(range(len(judged))), key=lambda number: judged[number][1].rank)
        return nearest, *judged[nearest]

    @by_identity(MOST_PLAYED)
    def judged(reply: Reply, hypothesis: Hypothesis, edition: object) -> _Judged:
        if (kept := _kept(hypothesis.variant, asked_by(introduction))) is None:
            return best(reply, hypothesis)
        told = _told_by(introduction, hypothesis.variant), _said_by(reply), hypothesis.options, hypothesis.changes
        return kept.judged.taken(_digest(repr(told)), lambda: best(reply, hypothesis))

    return judged


def _differs(game: _Game, failed: Sequence[Finding]) -> Mismatch | None:
    return game if isinstance(game, Mismatch) else _first(failed)


def _first(failed: Sequence[Finding]) -> Mismatch | None:
    first = next(iter(earliest(failed)), None)
    return None if first is None else Mismatch(first.at, first.check, first.expected, first.got)


def earliest(failed: Sequence[Finding]) -> list[Finding]:
    """Return the findings where an answer first differs; those on views and legal actions only if the rest of the game
    is the same.
    """
    failed = [each for each in failed if not isinstance(each.check, BESIDE)] or failed
    place = min(((each.at.hand, each.at.action) for each in failed), default=None)
    return [each for each in failed if (each.at.hand, each.at.action) == place]


def all_failed(script: Script, expected: Seen, reply: Reply, introduction: Introduction) -> list[Finding]:
    """Return all differences from the expected observations, in order."""
    return [each for each in _findings(script, expected, reply, introduction) if each.outcome == "failed"]


def _findings(script: Script, expected: Seen, reply: Reply, introduction: Introduction) -> tuple[Finding, ...]:
    """Return all comparisons with the expected observations, in order."""
    checks = sorted(checks_of(script, expected, introduction), key=_order)
    return judge(Plan((script,), tuple(checks)), [reply.answer], introduction, {0: expected})


def compares(hypothesis: Hypothesis, before: Hypothesis, reply: Reply, introduction: Introduction) -> bool:
    """Whether the answer agrees with these rules in some of the first differences from those ``before``, or of later
    observations, without being excused there, or earlier, as in a deal that goes on.
    """
    was, found = played(before, reply, introduction), played(hypothesis, reply, introduction)
    if isinstance(was, Mismatch) or isinstance(found, Mismatch):
        return True
    if _is_dealt_otherwise(hypothesis, found, reply, introduction) and not _lays_a_card(reply):
        return False
    differing = _judging(introduction)(reply, before, _edition(before.variant))[1]
    failed = [each.check for each in earliest(differing) if each.check is not None]
    if not failed:
        return True
    script, expected = found
    if not _is_taken_alike(hypothesis, *found, reply, introduction, failed[0].at):
        return False
    if not isinstance(failed[0], (MustShow, MustSee, MustOffer)):
        return True
    later = BESIDE if isinstance(failed[0], BESIDE) else (MustShow, *BESIDE)
    failed += [each.check for each in differing if isinstance(each.check, later)]
    late = introduction.plays(script.variant).late

    def is_open(check: Check) -> bool:
        """Whether the hand goes on, so that nothing is reported yet."""
        return isinstance(check, MustShow) and check.key in late and not hand_is_over(expected, check.at)

    asked = {_asks(check) for check in failed if not is_open(check)} - {None}
    wrong = {_asks(each.check): wrong_in(each) for each in differing if each.check is not None}
    with comparing(hypothesis, script, reply):
        same = [check for check in checks_of(script, expected, introduction) if _asks(check) in asked]
        findings = judge(Plan((script,), tuple(same)), [reply.answer], introduction, {0: expected})
    return any(
        each.outcome == "passed" or (each.check is not None and wrong_in(each) < wrong[_asks(each.check)])
        for each in findings
    )


def _is_dealt_otherwise(hypothesis: Hypothesis, game: _Game, reply: Reply, introduction: Introduction) -> bool:
    """Whether an answer agrees with a game in which the pack gives somebody other cards than its script names."""
    dealt, *named = _courses(hypothesis, reply, introduction)
    return bool(named) and game == dealt != named[0]


def _lays_a_card(reply: Reply) -> bool:
    """Whether somebody lays a held card: otherwise an answer does not show the cards."""
    acts = acts_in(reply.script, reply.answer)
    return any(action.play and not entry.get("refused") for action, entry in acts)


def unmet(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> frozenset[Place]:
    """Return the failed checks of an answer's case that do not hold by these rules either: they fail, come after a move
    that is wrong by them, or are of a move for which somebody else is due, or of what comes after a move that they
    refuse, so that nothing is compared.
    """
    asked = frozenset(map(checked, reply.failed))
    try:
        with at_most(SECONDS + SECONDS_EACH):
            game, failed, reach = _judged(hypothesis, reply, introduction)
    except (TooLong, Exception):  # noqa: BLE001 -- changed rules may be anything
        return asked
    if reach == NO_GAME or isinstance(game, Mismatch):
        return asked
    wrong = {checked(each.check) for each in failed if each.check is not None}
    moves = (each.at for each in failed if isinstance(each.check, (MustPermit, MustRefuse)) and not each.changed)
    lost = min(((at.hand, at.action) for at in moves), default=(sys.maxsize, 0))

    def is_refused(at: Position) -> bool:
        told = game[1][at.hand].seen if at.hand < len(game[1]) else ()  # an answer may be cut before
        return START < at.action < len(told) and bool(told[at.action].get("refused"))

    def is_idle(at: Position, key: str) -> bool:
        if key:
            return is_refused(at)
        before = replace(at, action=at.action - 1)
        while is_refused(before):
            before = replace(before, action=before.action - 1)
        return (before, ACTING) in wrong

    return frozenset(
        (at, key) for at, key in asked if (at, key) in wrong or (at.hand, at.action) > lost or is_idle(at, key)
    )


def is_belied(hypothesis: Hypothesis, before: Hypothesis, reply: Reply, introduction: Introduction) -> bool:
    """Whether an answer accepts, or offers, an action that these rules forbid and those ``before`` permit, while all
    earlier moves are accepted and refused as by both.
    """
    try:
        with at_most(SECONDS + SECONDS_EACH):
            both = [played(each, reply, introduction) for each in (before, hypothesis)]
    except (TooLong, Exception):  # noqa: BLE001 -- changed rules may be anything
        return False
    was, by = ([] if isinstance(game, Mismatch) else list(game[1]) for game in both)
    for entries in zip(was, by, reply.answer, strict=False):
        for right, other, seen in zip(*((each.start, *each.seen) for each in entries), strict=False):
            refused = [bool(entry.get("refused")) for entry in (right, other, seen)]
            if refused == [False, True, False]:
                return True
            if len({*refused}) > 1:
                return False
            there, left = right.get("legal", {}), other.get("legal", {})
            for player, texts in seen.get("legal", {}).items():
                if not {*map(str, texts)}.intersection(there.get(player, ())) <= {*left.get(player, ())}:
                    return True
    return False


def _is_taken_alike(
    hypothesis: Hypothesis, script: Script, expected: Seen, reply: Reply, introduction: Introduction, until: Position
) -> bool:
    """Whether the answer accepts and refuses the actions of a hand, up to there, as these rules do, ignoring words that
    the implementation says by itself.
    """
    by_rules, told = expected[until.hand].seen, reply.answer[until.hand].seen
    entries = zip(script.hands[until.hand].actions, by_rules, told, strict=False)
    otherwise = {
        action.word
        for action, right, seen in islice(entries, until.action + 1)
        if bool(right.get("refused")) != bool(seen.get("refused"))
    }
    own = introduction.plays(script.variant).own_words
    otherwise.difference_update(own)
    return not otherwise or otherwise <= unsaid_words(hypothesis.graph(reply.script.options))


def takes_less(
    hypothesis: Hypothesis, before: Hypothesis, replies: Sequence[Reply], introduction: Introduction
) -> bool:
    """Whether by these rules some kind of action is never taken in any of these scripts, and is by those ``before``,
    and in the answers; words that the implementation says by itself tell nothing.
    """
    taken = tuple(set[str]() for _ in range(3))
    for reply in replies:
        with contextlib.suppress(TooLong, Exception), at_most(SECONDS + SECONDS_EACH):  # they may be anything
            was, by = (played(each, reply, introduction) for each in (before, hypothesis))
            if not isinstance(was, Mismatch) and not isinstance(by, Mismatch):
                for kinds, seen in zip(taken, (by[1], was[1], reply.answer), strict=True):
                    kinds.update(taken_in(reply.script, seen))
    by_rules, by_those, by_answers = taken
    own = introduction.plays(hypothesis.variant).own_words
    return not (by_those & by_answers) - by_rules <= frozenset(own)


def taken_in(script: Script, seen: Seen) -> Iterator[str]:
    """Yield the kinds of actions that are taken in a playthrough."""
    return (action.word for action, entry in acts_in(script, seen) if not entry.get("refused"))


def _asks(check: Check) -> Place | None:
    """Return the position of a check, and its observation, or seat; None for a move."""
    match check:
        case MustShow(at, key):
            return at, key
        case MustSee(at, seat) | MustOffer(at, seat):
            return at, f"{type(check).__name__} {seat}"
    return None


def checked(check: Check) -> Place:
    """Return the position of a check, and what is compared; no name for a move."""
    return _asks(check) or (check.at, "")


def _order(check: Check) -> tuple[int, int, bool]:
    return check.at.hand, check.at.action, isinstance(check, BESIDE)


# ---- in a worker ---------------------------------------------------------------------------------


@dataclass(slots=True)
class ComparedScript:
    """A script by some rules: its playthrough, or that it is unplayable; all differences of the answer, in order; and
    the first one.
    """

    game: _Game
    failed: list[Finding]
    differs: Mismatch | None
    reach: Reach
    rules: tuple[Hypothesis, object]


_replies: list[Reply] = []
_introduction: list[Introduction] = []
_compared: dict[int, ComparedScript] = {}
"""The last comparison of each script, by its number."""


def begin(evidence: Evidence, own: Mapping[str, str]) -> None:
    """Give this process the evidence, and the variants in the user's files."""
    OWN.update(own)
    if _introduction != [evidence.introduction] or _replies != evidence.replies[: len(_replies)]:
        _compared.clear()
    _replies[:], _introduction[:] = evidence.replies, [evidence.introduction]


def compared(hypothesis: Hypothesis, number: int) -> ComparedScript:
    """Return a script of this process's evidence (:func:`begin`), compared by some rules; the last rules are
    remembered. Raises TrucoError if they do not link.
    """
    reply, known = _replies[number], _compared.get(number)
    rules = hypothesis, _edition(hypothesis.variant)
    if known is not None and known.rules == rules:
        return known
    game, failed, reach = _judged(hypothesis, reply, _introduction[0])
    _compared[number] = ComparedScript(game, failed, _differs(game, failed), reach, rules)
    return _compared[number]


def weigh(hypothesis: Hypothesis, numbers: Sequence[int], now: Hypothesis | None = None) -> tuple[Reach, ...]:
    """Return how far each of these scripts agrees; nothing for rules that fail. Results by the rules assumed ``now``
    are remembered.
    """
    try:
        with at_most((SECONDS + SECONDS_EACH * len(numbers)) * (1 if hypothesis.changes else UNCHANGED)):
            if hypothesis == now:
                return tuple(compared(hypothesis, number).reach for number in numbers)
            return tuple(_reach(hypothesis, number) for number in numbers)
    except (Exception, TooLong):  # noqa: BLE001 -- a mutant may be anything, also what the engine is not made for
        return ()


def _reach(hypothesis: Hypothesis, number: int) -> Reach:
    """Return how far a script agrees."""
    reply, known = _replies[number], _compared.get(number)
    rules, introduction = (hypothesis, _edition(hypothesis.variant)), _introduction[0]
    if known is not None and known.rules == rules:
        return known.reach

    return _judging(introduction)(reply, *rules)[2]


@by_identity(8)
def _told_by(introduction: Introduction, variant: str) -> str:
    """Return the declarations of a hello about a variant, and its observations."""
    return _digest(repr((introduction.variants.get(variant), introduction.observes)))


@by_identity(MOST_PLAYED)
def _said_by(reply: Reply) -> str:
    """A script and its answer."""
    return _digest(repr((reply.script, reply.answer)))


def first_difference(hypothesis: Hypothesis, reply: Reply, introduction: Introduction) -> tuple[Reach, Mismatch | None]:
    """Return how far an answer agrees, and where it differs first; None also if these rules take too long."""
    try:
        with at_most(SECONDS + SECONDS_EACH):
            game, failed, reach = _judged(hypothesis, reply, introduction)
    except (TooLong, Exception):  # noqa: BLE001 -- changed rules may be anything
        return TOO_LONG, None
    return reach, _differs(game, failed)


class TooLong(BaseException):
    """The rules took too long."""


def at_most(seconds: float) -> contextlib.AbstractContextManager[None]:
    """A context that ends with TooLong after this much processor time, in the main thread, on systems
    that measure it; raised again after as much, for a garbage collector that swallowed the first.
    """
    return alarm(TooLong, seconds, seconds, processor=True)
