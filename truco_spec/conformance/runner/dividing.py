"""Compares an implementation's perft with the reference engine's, and finds a difference by dividing.

From the least depth that differs it follows the first action whose number differs, one less deep each time, to the
position in which the permitted actions differ. Words that the implementation omits or says by itself are not counted;
a position in which these, or implicit ones, may account for the difference accuses nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, cast

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.shapes import ShapeError, read
from truco_spec.base.words import Sentence, hinted, said_by
from truco_spec.conformance.adapters.pipe import Broken, CountingImplementation, greeted
from truco_spec.conformance.adapters.reference import ScriptRun
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import Mode
from truco_spec.conformance.corpus.corpus import ID
from truco_spec.conformance.corpus.protocol import (
    PERFT,
    Counts,
    HandScript,
    Introduction,
    Plays,
    Script,
    action_of,
    followed_by,
)
from truco_spec.conformance.corpus.vocabulary import must_be_sound, unsaid_words, word_of
from truco_spec.conformance.runner.judge import lacking
from truco_spec.conformance.runner.verdicts import version_in
from truco_spec.engine import CHANCE, Action
from truco_spec.engine.explain import explain
from truco_spec.engine.perft import choices, counting, divided
from truco_spec.engine.text import told_in_force
from truco_spec.graph.model import Graph
from truco_spec.logs.explanation import authority, due_rules, pertinent, refusal_of
from truco_spec.logs.line import Log, LoggedMove
from truco_spec.logs.notation import NotationError, notation_of
from truco_spec.logs.replay import Replay

PERFT_VERSION = 1


class PerftPositionError(TrucoError):
    """An unusable file of positions. The message has file, line, the position, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class PerftPosition:
    """The end of a log, and the numbers of sequences that follow it."""

    id: Annotated[str, "Small letters, digits and hyphens; unique in all files, and never reused."]
    title: Annotated[str, "What the position is, in a line."]
    log: Annotated[str, "A log in one line (docs/logs.md); the position is its end."]
    counts: Annotated[tuple[int, ...], "The number of sequences of one action, of two, and so on."]


@dataclass(frozen=True, slots=True)
class PerftFile:
    """The positions of a variant."""

    perft: Annotated[int, "The version of this format: 1."]
    variant: Annotated[str, "The variant that every log of the file names."]
    positions: Annotated[tuple[PerftPosition, ...], "The positions."]


@lru_cache(maxsize=1)
def perft_folder() -> Path:
    """The folder of the positions that are shipped with this installation."""
    return shipped.folder("conformance") / "perft"


def load_positions(variants: Iterable[str] = ()) -> tuple[PerftPosition, ...]:
    """The shipped positions of these variants, or of all. Raises :class:`PerftPositionError`."""
    found: dict[str, PerftPosition] = {}
    for variant in variants or shipped.variant_names():
        path = perft_folder() / f"{variant}.yaml"
        if not path.is_file():
            raise PerftPositionError(
                Sentence(
                    "{variant}: There are no positions of this variant, only of the shipped ones.", variant=variant
                )
            )
        for position in load_position_file(path).positions:
            if position.id in found:
                raise PerftPositionError(
                    Sentence("{path}: the id {id} is already used in another file.", path=str(path), id=position.id)
                )
            found[position.id] = position
    return tuple(found.values())


def load_position_file(path: Path) -> PerftFile:
    """The positions of a file. Raises :class:`PerftPositionError`."""
    try:
        document = safe_yaml.load_file(path)
    except safe_yaml.YamlError as error:
        raise PerftPositionError(str(error)) from error
    try:
        version_in(document.data, "perft", PERFT_VERSION)
        file: PerftFile = read(document.data, PerftFile)
        _check_positions(file)
    except ShapeError as error:
        line, column = document.key_place(*error.place)
        form = "{place}: {message} The keys are explained in docs/perft.md."
        place = f"{path}:{line}:{column}: {_named(document.data, error.place)}".removesuffix(": ")
        raise PerftPositionError(Sentence(form, place=place, message=error.message)) from error
    return file


def _check_positions(file: PerftFile) -> None:
    seen = set[str]()
    for at, position in enumerate(file.positions):
        here = ("positions", at)
        if not ID.fullmatch(position.id):
            raise ShapeError(
                Sentence("The id is not small letters, digits and hyphens (variant-topic)."), (*here, "id")
            )
        if position.id in seen:
            raise ShapeError(Sentence("The id is given twice; ids are unique."), (*here, "id"))
        seen.add(position.id)
        if position.log.split("|")[0].split()[:1] != [file.variant]:
            raise ShapeError(
                Sentence("The log is not of {variant}, the variant of the file.", variant=file.variant), (*here, "log")
            )
        if not position.counts or min(position.counts) < 1:
            raise ShapeError(Sentence("A position has counts, from depth 1 on, each at least 1."), (*here, "counts"))


def _named(data: object, place: tuple[str | int, ...]) -> str:
    """The id of the position that a place is in."""
    if len(place) < 2 or place[0] != "positions" or not isinstance(data, dict):
        return ""
    entry = data["positions"][place[1]]
    return f"{entry['id']}: " if isinstance(entry, dict) and isinstance(entry.get("id"), str) else ""


# --------------------------------------------------------------------------------------------------
# Compares an implementation's perft with the reference engine's, and finds a difference by dividing.


MOST_TRACED = 200
"""Maximum requests to trace one difference."""

Tell = Callable[[int], None]
"""Called with each depth."""


class PerftError(TrucoError):
    """The implementation cannot be asked to count."""


class NotCompared(Exception):
    """A position that cannot be put to the implementation, and why."""


@dataclass(frozen=True, slots=True)
class OneSided:
    """Actions permitted by one side alone and decided by the same rules, with the sentences of these and their
    citations. ``why`` is what the rules say of the first.
    """

    actions: tuple[str, ...]
    why: str
    rules: Mapping[str, str]
    clauses: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PerftDifference:
    """The first position in which the lists of actions differ, as a log in one line.

    ``missing`` are permitted by the reference engine alone, ``more`` by the implementation alone. Where both are empty
    its numbers do not add up: after the log it counts ``got``, and ``said`` when it counted from one action before.
    """

    log: str
    missing: tuple[OneSided, ...] = ()
    more: tuple[OneSided, ...] = ()
    got: int = 0
    said: int = 0


@dataclass(frozen=True, slots=True)
class Compared:
    """The result of one position: the last depth that was counted, with the numbers of the implementation and of the
    reference engine. ``left_out`` says why no deeper one was compared; ``broken`` that there was no answer.
    """

    depth: int = 0
    count: int = 0
    expected: int = 0
    difference: PerftDifference | None = None
    left_out: str = ""
    broken: Broken | None = None

    @property
    def wrong(self) -> bool:
        return self.difference is not None or self.broken is not None


def counter(implementation: CountingImplementation) -> Introduction:
    """The introduction of an implementation that counts. Raises :class:`PerftError`, and what ``greeted`` does."""
    introduction = greeted(implementation)
    must_be_sound(introduction)
    if PERFT not in introduction.observes:
        who = f"{introduction.name} {introduction.version}"
        raise PerftError(
            Sentence(
                "{who} does not count: its hello does not list “{name}” in observes (docs/protocol.md).",
                who=who,
                name=PERFT,
            )
        )
    return introduction


def compared(log: Log, depth: int, implementation: CountingImplementation, body: str, tell: Tell) -> Compared:
    """Compare the numbers from the end of a log, depth by depth, to the first that differs. Raises LogError."""
    try:
        introduction = implementation.hello()
    except Broken as broken:  # it does not start any more
        return Compared(broken=broken)
    try:
        script = _script_of(log, introduction)
        return _Comparison(implementation, script, introduction.variants[log.variant], body).to(depth, tell)
    except NotCompared as reason:
        return Compared(left_out=said_by(reason))


# ---- the position as a script ---------------------------------------------------------------------


def _script_of(log: Log, introduction: Introduction) -> Script:
    """The log as a script that ends in its position, under the options that the implementation always plays. Raises
    NotCompared, LogError.
    """
    if log.variant not in introduction.variants:
        raise NotCompared(Sentence("it does not play {variant}", variant=log.variant))
    if log.start:
        raise NotCompared(
            Sentence("its log begins with “start {datum}”, which no script says", datum=log.start[0].datum)
        )
    own = introduction.variants[log.variant].own(len(log.players))
    always = {name: value for name, value in own.items() if name not in log.options}
    plain, log = log, replace(log, options={**always, **log.options})
    try:
        replay = Replay(log)
        hands = _with_implicit(replay)
    except TrucoError:
        if not always:
            raise
        Replay(plain).played_out()  # raises if the log itself is wrong
        told = ", ".join(f"{name} {value}" for name, value in always.items())
        raise NotCompared(Sentence("it always plays {told}, and so the log cannot be played", told=told)) from None
    teams = tuple(log.players[first :: replay.graph.teams] for first in range(replay.graph.teams))
    mode = cast("Mode", log.mode)
    script = Script(log.variant, log.options, log.players, teams, log.dealer, log.score, mode, hands)
    if reason := lacking(script, introduction, ready.rules_of(log.variant).defaults):
        raise NotCompared(Sentence("it {reason}", reason=reason))
    return filling.completed(script)


def _with_implicit(replay: Replay) -> tuple[HandScript, ...]:
    """The hands of a log, with the implicit actions that follow its last move. Raises NotCompared, LogError."""
    for _ in range(sum(len(hand.moves) for hand in replay.log.hands)):
        replay.advance()
    hands = list(replay.log.hands)
    if hands and hands[-1].moves:
        following = [event.action for event in replay.deal_out()]
        if any(action.actor == CHANCE for action in following):
            raise NotCompared(Sentence("cards are dealt after its last move; begin the next hand with “deal”"))
        implicit = tuple(LoggedMove(replay.game.text(action)) for action in following)
        hands[-1] = replace(hands[-1], moves=(*hands[-1].moves, *implicit))
    found = [HandScript(hand.deal, tuple(action_of(move.text) for move in hand.moves)) for hand in hands]
    return tuple(found) or (HandScript({}, ()),)


# ---- comparing, and dividing ------------------------------------------------------------------------


class _Comparison:
    """The game of the reference engine at the end of a script, and an implementation that is asked to count. Raises
    NotCompared.
    """

    def __init__(self, implementation: CountingImplementation, script: Script, plays: Plays, body: str) -> None:
        graph = filling.script_graph(script)
        self.implementation, self.script = implementation, script
        try:
            self.game = ScriptRun(script, frozenset(), graph).to_the_end()
        except Broken as broken:
            raise NotCompared(Sentence("no script says its log: {fault}", fault=broken.message)) from broken
        self.omits, self.itself = frozenset(plays.omits), frozenset(plays.own_words)
        self.implicit = unsaid_words(graph)
        self.counted = self._is_counted if plays.omits or plays.itself else None
        self.count = counting(self.game, body, self.counted)
        self.traced = 0
        self.excuses: dict[str, None] = {}

    def to(self, most: int, tell: Tell) -> Compared:
        """Compare depth by depth. After the first that differs, it is divided."""
        found = Compared()
        for depth in range(1, most + 1):
            tell(depth)
            ours, _ = self._ours(depth)
            try:
                theirs = self.implementation.perft(self.script, depth)
                numbers = depth, sum(theirs.values()), sum(ours.values())
                if not _differ(ours, theirs):
                    found = Compared(*numbers)
                    continue
                difference = self._trace(self.script, depth, theirs)
            except Broken as broken:
                return replace(found, broken=broken)
            if difference is None:
                message = Sentence("from depth {depth} on: {excuses}", depth=depth, excuses=tuple(self.excuses))
                return replace(found, left_out=message)
            return Compared(*numbers, difference)
        return found

    def _trace(self, script: Script, depth: int, theirs: Counts) -> PerftDifference | None:
        """Return the first position, from here on, in which the lists differ; None if the difference is excused."""
        ours, actions = self._ours(depth)
        differing = _differ(ours, theirs)
        if depth > 1 and not all(text in actions and text in theirs for text in differing):
            listed = self.implementation.perft(script, 1)  # other lists of the same length
            if listed.keys() != actions.keys():
                depth, theirs = 1, listed
        if depth == 1:
            return self._lists(script, actions, theirs)
        for text in differing:
            # Before the first action, cards are dealt.
            after = followed_by(script, replace(action_of(text), exact=bool(script.hands[-1].actions)))
            said = theirs.get(text, 0)
            if text not in actions:  # nor is it in the list of the implementation
                return PerftDifference(filling.notation(after), said=said)
            if self.traced == MOST_TRACED:
                self.excuses[f"not traced with {MOST_TRACED} requests"] = None
                return None
            self.traced += 1
            self.game.push(actions[text])
            try:
                following = self.implementation.perft(after, depth - 1)
                if (got := sum(following.values())) != said:
                    return PerftDifference(filling.notation(after), said=said, got=got)
                if (found := self._trace(after, depth - 1, following)) is not None:
                    return found
            finally:
                self.game.pop()
        return None

    def _lists(self, script: Script, actions: Mapping[str, Action], theirs: Counts) -> PerftDifference | None:
        """The actions that one side alone permits; None if words that need not be said may account for that."""
        permitted = {self.game.text(action) for action in choices(self.game)}
        known = {text for text in permitted if _word(text) not in self.omits}
        if excuses := dict.fromkeys(self._excuses(sorted((known ^ theirs.keys()) | (actions.keys() ^ theirs.keys())))):
            self.excuses |= excuses
            return None
        return PerftDifference(
            filling.notation(script),
            self._one_sided(text for text in actions if text not in theirs),
            self._one_sided(text for text in theirs if text not in actions),
        )

    def _excuses(self, texts: list[str]) -> Iterator[str]:
        for word in map(_word, texts):
            if word in self.itself:
                yield Sentence("it says “{word}” by itself", word=word)
            elif word in self.omits:
                yield Sentence("it says that it omits “{word}”", word=word)
            elif word in self.implicit:
                yield Sentence("“{word}” need not be said; name it in “itself” if yours does not count it", word=word)

    def _ours(self, depth: int) -> tuple[dict[str, int], dict[str, Action]]:
        """The numbers of the reference engine, and the actions, by text."""
        found = divided(self.game, depth, self.count, self.counted)
        actions = {self.game.text(action): action for action in found}
        return {text: found[action] for text, action in actions.items()}, actions

    def _is_counted(self, action: Action) -> bool:
        word = _word(self.game.text(action))
        return word not in self.omits and word not in self.itself

    def _one_sided(self, texts: Iterable[str]) -> tuple[OneSided, ...]:
        """Group these actions by the rules that decide on them."""
        found: dict[object, OneSided] = {}
        for text in texts:
            why, rules = self._decided(text)
            before = found.get(rules or text) or OneSided((), why, *_told(self.game.graph, rules))
            found[rules or text] = replace(before, actions=(*before.actions, text))
        return tuple(found.values())

    def _decided(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return the sentence of the rules on an action, and the rules that permit or forbid it, or come nearest."""
        game = self.game
        notation = notation_of(game.graph, game.players)
        try:
            readings = notation.readings(text)
        except NotationError as error:
            return hinted(error.message, error.hint), ()
        for action in game.legal_actions():
            if action in readings:
                usual = game.text(action)
                permits = tuple(rule.name for rule in game.rule_on(action).rules if rule.shape == "may")
                return Sentence("permitted") if text == usual else Sentence(
                    "to be counted as “{usual}”", usual=usual
                ), permits
        refusal = refusal_of(game, notation, readings)
        verdict = explain(game, refusal.action)
        rules = refusal.rules or tuple(rule.name for rule in verdict.offers[:1])
        why = Sentence(refusal.status.replace("-", " ")) if refusal.rules else refusal.message
        return why, tuple(dict.fromkeys((*rules, *due_rules(game, verdict))))


def _told(graph: Graph, rules: Iterable[str]) -> tuple[dict[str, str], dict[str, str]]:
    """The sentences of these rules, and the clauses that they cite."""
    sources = {name: graph.rules[name].source for name in rules}
    cites = pertinent(graph, tuple(dict.fromkeys(cite for source in sources.values() for cite in source.cites)))
    clauses = {f"{cite.source}:{cite.clause}": authority(graph, cite) for cite in cites}
    return {name: told_in_force(graph, source) for name, source in sources.items()}, clauses


def _differ(ours: Counts, theirs: Counts) -> list[str]:
    """Return the actions whose numbers differ; an unlisted action has none."""
    return [text for text in dict.fromkeys((*ours, *theirs)) if ours.get(text, 0) != theirs.get(text, 0)]


def _word(text: str) -> str:
    return word_of(text.partition(" ")[2])
