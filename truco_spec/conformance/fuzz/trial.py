"""Plays one script with an implementation and the reference engine: the first step at which they differ.

The expectation is everything that the reference engine observed and the implementation claims to observe. What it
claims to omit, fix or say by itself is respected.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.conformance.adapters.pipe import Broken, Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import (
    START,
    STATE_VALUES,
    TEAM_VALUES,
    Check,
    Introduction,
    MustOffer,
    MustPermit,
    MustRefuse,
    MustSee,
    MustShow,
    Plan,
    Plays,
    Position,
    Script,
    Seen,
    action_of,
    cut_short,
    entry_at,
    followed_by,
    refused_in,
)
from truco_spec.conformance.corpus.vocabulary import of_the_play, pending, plain, word_of
from truco_spec.conformance.runner.deciding import (
    Decided,
    cards_told,
    could_see,
    decided_by,
    deciding,
    misseen,
)
from truco_spec.conformance.runner.judge import Finding, judge, team_of
from truco_spec.conformance.runner.runner import MOST_EARLIER, without_refused
from truco_spec.engine.observe import ACTING, MAY_SPEAK

Signature = tuple[str, str, Decided]

MOST_SILENT = 10
"""Scripts without an answer after which no more are asked; ``error`` answers, which are fast, do not count."""
TAKEN, REFUSED = "taken", "refused"
"""The kinds of failures besides observations and missing answers."""
CHANGED = "changed"
"""A refused move that changed something."""

_KINDS: Mapping[type, str] = {MustPermit: REFUSED, MustRefuse: TAKEN, MustSee: "view"}


@dataclass(frozen=True, slots=True)
class Failure:
    """A script whose last step differed. ``kind`` is ``taken``, ``refused``, the name of the observation that differed,
    or the verdict if there was no answer; ``decided`` is what decided that step in the reference engine.

    ``check`` is None if there was no answer, which no rule decides. ``about`` subdivides by kind of difference: a
    tie instead of a player, too few or too many points, a word that may be said and is not offered. ``manner`` is
    expected and got, without names, cards and numbers: a shorter script that fails in another manner shows another
    fault. ``before`` are the last scripts that the same process was asked before.
    """

    script: Script
    kind: str
    about: str
    decided: Decided
    expected: str
    got: str
    check: Check | None = None
    log: str = ""
    advice: str = ""
    manner: str = ""
    before: tuple[Script, ...] = field(default=(), compare=False, repr=False)

    @property
    def signature(self) -> Signature:
        """Failures with the same signature count as one fault."""
        told = not isinstance(self.check, MustSee)  # visibility is not decided by the step
        return self.kind, self.about, self.decided if told else Decided()


class Unplayable(TrucoError):
    """A script that the reference engine cannot play: its cards or options do not fit together."""


class Examiner:
    """Compares one implementation with the reference engine, or with another one taken as correct. ``reply`` is the
    script sent last, and the answer; None without an answer.
    """

    def __init__(self, implementation: Implementation) -> None:
        self.implementation, self.right = implementation, Reference()
        self.reply: tuple[Script, Seen] | None = None
        self.sent: deque[Script] = deque(maxlen=MOST_EARLIER)

    def failure(self, script: Script, fit: Callable[[Seen], bool] = lambda expected: True) -> Failure | None:
        """The first difference, or None. Raises :class:`Unplayable`."""
        return next(self.failures(script, fit), None)

    def failures(self, script: Script, fit: Callable[[Seen], bool] = lambda expected: True) -> Iterator[Failure]:
        """Return all differences, those in the game itself first; none if the reference engine's observations do not
        ``fit``. Raises :class:`Unplayable`.
        """
        introduction = self.implementation.hello()
        self.right.asked = asked_by(introduction) | {"category"}
        try:
            expected = self.right.run(script)
        except Broken as broken:
            raise Unplayable(broken.message) from broken
        if not fit(expected):
            return
        whole = filling.completed(script, expected)
        self.reply = None
        before = tuple(self.sent)
        self.sent.append(whole)
        try:
            answer = self.implementation.run(whole)
        except Broken as broken:
            yield _no_answer(whole, broken)
            return
        self.reply = whole, answer
        if is_as_expected(whole, expected, answer, introduction):
            return
        differences = self._differences(whole, expected, answer, introduction)
        first = next(differences, None)
        if first is None:
            return
        try:
            sure = self.right.run(whole)  # what is sent has more cards than were played, and is what counts
        except Broken as broken:
            raise Unplayable(broken.message) from broken
        if sure == expected:
            differences = chain((first,), differences)
        else:
            differences = self._differences(whole, sure, answer, introduction)
        yield from (replace(found, before=before) for found in differences)

    def _differences(
        self, script: Script, expected: Seen, answer: Seen, introduction: Introduction
    ) -> Iterator[Failure]:
        # Visibility and possible actions do not alter the game, so they come last.
        checks = sorted(checks_of(script, expected, introduction), key=lambda c: isinstance(c, (MustOffer, MustSee)))
        for check in checks:
            for finding in judge(Plan((script,), (check,)), [answer], introduction):
                if finding.outcome != "failed":
                    continue
                if isinstance(check, MustSee):
                    remembered = could_see(script, expected, check.at, check.seat)
                    check = replace(check, hides=tuple(card for card in check.hides if card not in remembered))
                if isinstance(check, MustOffer):
                    yield from self._misoffered(script, expected, check, finding)
                    continue
                key = check.key if isinstance(check, MustShow) else ""
                kind = _KINDS.get(type(check), key)
                if finding.changed:
                    kind = CHANGED
                about = _about(script, check, answer)
                decided = decided_by(script, expected, check, answer)
                shown = cut_short(script, check.at)
                manner = _manner(script, check, expected, finding)
                found = Failure(shown, kind, about, decided, finding.expected, finding.got, check, manner=manner)
                yield self._changed(found, script, expected) if kind == REFUSED else found

    def _misoffered(self, script: Script, expected: Seen, check: MustOffer, finding: Finding) -> Iterator[Failure]:
        """A failure for each word that is missing, or there too many, with what permits or forbids it; for each longer
        form of a word that is rightly listed by itself.
        """
        shown, manner = cut_short(script, check.at), _manner(script, check, expected, finding)
        words, right = dict[str, str](), {*check.texts}.difference(finding.missing)
        for what, texts in (("missing", finding.missing), ("superfluous", finding.superfluous)):
            for text in texts:
                word = word_of(text)
                words.setdefault(f"{text if word in right else word or 'a card'} is {what}", text)
        for about, text in sorted(words.items()):
            longer = followed_by(script, action_of(f"{check.player} {text}"), check.at)
            decided = deciding(longer, self.right.run(longer), replace(check.at, action=check.at.action + 1), "")
            yield Failure(shown, "legal", about, decided, finding.expected, finding.got, check, manner=manner)

    def _changed(self, failure: Failure, script: Script, expected: Seen) -> Failure:
        """The failure; if a move is accepted only without an earlier refused one, as a changed game."""
        assert failure.check is not None  # a move was refused
        for less in without_refused(failure.script, failure.check.at, refused_in(expected)):
            try:
                taken = less.takes(self.implementation.run(less.script))
            except Broken:
                continue
            if taken:
                said, got = less.expected, less.got(failure.got)
                decided = deciding(script, expected, less.gone_at, "")
                manner = _modulo(said, failure.script)
                return replace(failure, kind=CHANGED, decided=decided, expected=said, got=got, manner=manner)
        return failure


def same_kind(failures: Iterable[Failure]) -> Iterator[Failure]:
    """The first of the failures of a script; where that is what may be done, all such, one of each sort: they alter
    nothing.
    """
    first: Failure | None = None
    told = set[Signature]()
    for failure in failures:
        if first is None or (failure.kind == "legal" and failure.signature not in told):
            yield failure
        first = first or failure
        told.add(failure.signature)
        if first.kind != "legal":
            return


def _no_answer(script: Script, broken: Broken) -> Failure:
    words = "".join(c for c in broken.message if not c.isdigit())
    decided, got, log, advice = Decided(), broken.message, broken.log, broken.advice
    return Failure(script, broken.verdict, words[:60], decided, "an answer", got, None, log, advice)


def _manner(script: Script, check: Check, expected: Seen, finding: Finding) -> str:
    """Expected and got, modulo names, cards and numbers; of an accepted move, why it is refused."""
    if isinstance(check, MustRefuse):
        why = expected[check.at.hand].seen[check.at.action].get("refused")
        return f"{_modulo(finding.expected, script)} ({why})"
    if isinstance(check, MustOffer):
        told, wanted = (
            {_modulo(each, script) for each in text.partition(": ")[2].split(", ")}
            for text in (finding.got, finding.expected)
        )
        return f"legal, less {sorted(wanted - told)}, more {sorted(told - wanted)}"
    return f"{_modulo(finding.expected, script)}; {_modulo(finding.got, script)}"


def _modulo(text: str, script: Script) -> str:
    """The text with one placeholder each for any number of players, for cards, and for numbers."""
    cards = {card.name for card in filling.script_graph(script).cards}
    words = ("@" if word in script.players else "%" if word in cards else word for word in re.split(r"(\W+)", text))
    plain = re.sub(r"\d+", "#", "".join(words))
    return re.sub(r"([@%])(?:[^\w@%]+\1)+", r"\1", plain)


def _about(script: Script, check: Check, answer: Seen) -> str:
    if not isinstance(check, (MustShow, MustSee)):
        return ""
    if isinstance(check, MustSee):
        return _sight(script, check, cards_told(check, answer))
    seen = entry_at(answer, check.at)
    got, wanted = seen.get(check.key), check.value
    if check.key in TEAM_VALUES:
        return f"{_sort(script, got)} instead of {_sort(script, wanted)}"
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        told = {team_of(script, player): value for player, value in got.items()}
        asked = {team_of(script, player): value for player, value in wanted.items()}
        ways = {_way(told[team], asked[team]) for team in asked.keys() & told.keys() if told[team] != asked[team]}
        return " and ".join(sorted(ways - {""}))
    return _way(got, wanted)


def _sight(script: Script, check: MustSee, seen: set[str]) -> str:
    """Return the owner of cards that are wrongly seen or hidden."""
    unseen = [card for card in check.sees if card not in seen]
    card = misseen(check, seen)
    deal = script.hands[check.at.hand].deal
    holder = next((player for player in script.players if card in deal.get(player, ())), "")
    team = next(team for team in script.teams if check.seat in team)
    whose = (
        "their own"
        if holder == check.seat
        else "a partner's"
        if holder in team
        else "another's"
        if holder
        else "no one's"
    )
    return f"{whose} cards are {'hidden' if unseen else 'seen'}"


def _sort(script: Script, value: Any) -> str:
    """The kind of an answer: a player, or the word itself."""
    return "a player" if value in script.players else str(value)


def _way(got: Any, wanted: Any) -> str:
    """Whether a number is too small or too big; empty for anything else."""
    numbers = [type(value) is int for value in (got, wanted)]
    if all(numbers):
        return "too few" if got < wanted else "too many"
    return "nothing" if numbers[1] and got is None else "something" if numbers[0] and wanted is None else ""


# ---- the expectation ----------------------------------------------------------------------------


def is_as_expected(script: Script, expected: Seen, answer: Seen, introduction: Introduction) -> bool:
    """Whether an answer is the expected one in all that it observes, word for word, and refusals change nothing: then
    there is nothing to judge. Lists may be in any order, and without what is omitted.
    """
    if [len(hand.seen) for hand in expected] != [len(hand.seen) for hand in answer]:
        return False
    observed, omits = {*introduction.observes}, introduction.plays(script.variant).omits
    for right, told in zip(expected, answer, strict=True):
        before: Mapping[str, Any] = {}
        for wanted, got in zip((right.start, *right.seen), (told.start, *told.seen), strict=True):
            refused = bool(got.get("refused"))
            if refused != bool(wanted.get("refused")):
                return False
            if not all(_same(key, wanted[key], got[key], omits) for key in observed & wanted.keys() & got.keys()):
                return False
            if refused and not all(
                _same(key, before[key], got[key]) for key in STATE_VALUES & before.keys() & got.keys()
            ):
                return False
            before = got
    return True


def _same(key: str, wanted: Any, got: Any, omits: Collection[str] = ()) -> bool:
    if key not in ("legal", "view"):
        return bool(wanted == got) and repr(wanted) == repr(got)  # 1 is not True
    if wanted.keys() != got.keys():
        return False
    return all(
        {text for text in wanted[seat] if text in got[seat] or word_of(text) not in omits} == {*got[seat]}
        for seat in got
    )


def checks_of(script: Script, expected: Seen, introduction: Introduction) -> Iterator[Check]:
    """Yield checks of every observation that the reference engine made and the implementation claims, in step order."""
    plays = introduction.plays(script.variant)
    observed = set(introduction.observes)
    for at, hand in enumerate(expected):
        place = Position(0, at, START)
        for key in sorted((STATE_VALUES | {MAY_SPEAK}) & observed & hand.start.keys()):
            if _comparable(script, hand.start, plays, key, between=at > 0):
                yield MustShow(place, key, hand.start[key])
        yield from _beside(script, place, hand.start, observed, plays, between=at > 0)
        for number, entry in enumerate(hand.seen):
            place = Position(0, at, number)
            if entry.get("refused"):
                yield MustRefuse(place, None)
                continue
            yield MustPermit(place, True)
            yield from _shown(script, place, entry, observed, plays)
            if not filling.ends_hand(entry):
                yield from _beside(script, place, entry, observed, plays)


def _shown(
    script: Script, place: Position, entry: Mapping[str, Any], observed: set[str], plays: Plays
) -> Iterator[Check]:
    over = filling.ends_hand(entry)
    for key, value in entry.items():
        if key not in observed or key in ("legal", "view"):
            continue
        # At the end of a hand some begin the next at once: only its results are compared, and that nobody is due at
        # the end of the match.
        if over and not (key in TEAM_VALUES or isinstance(value, Mapping) or (key == ACTING and not value)):
            continue
        if _comparable(script, entry, plays, key):
            yield MustShow(place, key, value)


def _beside(
    script: Script,
    place: Position,
    entry: Mapping[str, Any],
    observed: set[str],
    plays: Plays,
    *,
    between: bool = False,
) -> Iterator[Check]:
    """Yield checks of what may be done, and of what each seat sees."""
    if (
        "legal" in observed & entry.keys()
        and not pending(entry, plays.own_words, plays.omits, between=between)
        and plain(filling.script_graph(script), entry, plays)
    ):
        for player, texts in entry["legal"].items():
            yield MustOffer(place, player, tuple(texts))
    if "view" in observed & entry.keys():
        cards = _cards(script)
        for player, told in entry["view"].items():
            yield MustSee(place, player, tuple(told), tuple(sorted(cards - set(told))))


def _comparable(script: Script, entry: Mapping[str, Any], plays: Plays, key: str, *, between: bool = False) -> bool:
    if pending(entry, plays.own_words, plays.omits, between=between) and not of_the_play(key, entry[key]):
        return False
    return key not in (ACTING, MAY_SPEAK) or plain(filling.script_graph(script), entry, plays, key)


def _cards(script: Script) -> set[str]:
    return {card.name for card in filling.script_graph(script).cards if card.present}


def asked_by(introduction: Introduction) -> frozenset[str]:
    """The observations (start, legal, view) needed to compare with this implementation."""
    observed = set(introduction.observes)
    itself = any(plays.deals_at_once for plays in introduction.variants.values())
    legal = {"legal"} if itself or {ACTING, MAY_SPEAK, "legal"} & observed else set()
    return frozenset({"start"} | legal | {"view"} & observed)
