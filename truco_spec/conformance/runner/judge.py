"""Compares an implementation's answers with a case's expectations. Performs no I/O."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal

from truco_spec.conformance.corpus import protocol
from truco_spec.conformance.corpus.cases import ABSENT, UNTIMELY
from truco_spec.conformance.corpus.vocabulary import of_the_play, pending, plain, unsaid_words, word_of

ACTING, MAY_SPEAK = "acting", "may-speak"
Outcome = Literal["passed", "failed", "unobserved", "unreached"]

_LONGEST_REASON = 300
"""Maximum characters printed of an implementation's own text about a refusal."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check and its result. ``expected`` and ``got`` are sentences, for failed checks. ``changed``: a refused
    action changed the game. ``missing`` and ``superfluous``: words that are not offered, and that should not be.
    """

    at: protocol.Position
    outcome: Outcome
    asked: bool = True
    expected: str = ""
    got: str = ""
    changed: bool = False
    check: protocol.Check | None = None
    missing: tuple[str, ...] = ()
    superfluous: tuple[str, ...] = ()


def unsupported(plan: protocol.Plan, introduction: protocol.Introduction, defaults: Mapping[str, str]) -> str:
    """The requirement that the implementation does not claim to meet, or nothing. ``defaults``: the variant's own
    options.
    """
    return next(filter(None, (lacking(request, introduction, defaults) for request in plan.requests)), "")


def unclaimed(variant: str) -> str:
    """Why nothing of a game is asked that is not claimed."""
    return f"does not play {variant}"


def lacking(
    request: protocol.Script | protocol.OwnDeals, introduction: protocol.Introduction, defaults: Mapping[str, str]
) -> str:
    """Return the same as :func:`unsupported`, for one request."""
    plays, players = introduction.variants.get(request.variant), len(request.players)
    if plays is None:
        return unclaimed(request.variant)
    if players not in plays.players:
        return f"does not play {request.variant} with {players} players"
    for name, value in request.options.items():
        if value not in (*plays.options.get(name, ()), plays.own(players).get(name, defaults.get(name))):
            return f"has no option {name} {value}"
    if isinstance(request, protocol.OwnDeals):
        return "" if "deal" in introduction.observes else "does not show its own deals"
    if request.mode not in introduction.modes:
        return f"has no {request.mode} mode"
    said = (action.word for hand in request.hands for action in hand.actions)
    return next((f"says that it omits {word}" for word in said if word and word in plays.omits), "")


def judge(
    plan: protocol.Plan,
    answers: Sequence[protocol.Seen | tuple[protocol.Deal, ...]],
    introduction: protocol.Introduction,
    right: Mapping[int, protocol.Seen] | None = None,
) -> tuple[Finding, ...]:
    """Return one finding per check, in order. After an action that went wrong the rest of its script is unreached.
    ``right`` maps the number of a script to the observations by the rules of these checks; without it, the reference
    engine is asked where it matters.
    """
    return tuple(_Judge(plan, answers, introduction, right or {}).findings())


class _Judge:
    def __init__(
        self,
        plan: protocol.Plan,
        answers: Sequence[Any],
        introduction: protocol.Introduction,
        right: Mapping[int, protocol.Seen],
    ) -> None:
        self.plan, self.answers, self.introduction = plan, answers, introduction
        self.lost: set[int] = set()
        self.failed: set[int] = set()
        self.right: dict[int, protocol.Seen | None] = {**right}

    def findings(self) -> Iterable[Finding]:
        for check in self.plan.checks:
            if check.at.script in self.lost or (check.at.script and self._prefix_refused(check.at)):
                yield Finding(check.at, "unreached", _asked(check))
            else:
                for finding in self._finding(check):
                    if finding.outcome == "failed":
                        self.failed.add(check.at.script)
                        finding = replace(finding, check=check)
                    yield finding

    def _finding(self, check: protocol.Check) -> Iterable[Finding]:
        match check:
            case protocol.MustPermit():
                yield self._permitted(check)
            case protocol.MustRefuse():
                yield from self._refused(check)
            case protocol.MustShow():
                yield self._shown(check)
            case protocol.MustOffer():
                yield self._offered(check)
            case protocol.MustSee():
                yield self._seen(check)
            case protocol.MustDeal():
                yield self._dealt(check)

    # ---- lookup by position ---------------------------------------------------------------------

    def _script(self, at: protocol.Position) -> protocol.Script:
        script = self.plan.requests[at.script]
        assert isinstance(script, protocol.Script)  # only MustDeal has another position
        return script

    def _entry(self, at: protocol.Position) -> Mapping[str, Any]:
        return protocol.entry_at(self.answers[at.script], at)

    def _action(self, at: protocol.Position) -> protocol.ScriptAction:
        return self._script(at).hands[at.hand].actions[at.action]

    def _text(self, at: protocol.Position) -> str:
        return self._action(at).text

    def _itself(self, at: protocol.Position) -> bool:
        """Whether the implementation does actions of this kind by itself, so that they cannot be refused: it declares
        so, or reports nothing of an implicit act.
        """
        plays, word, entry = self._plays(at), self._action(at).word, self._entry(at)
        if word in plays.own_words or not word or (entry and not _was_refused(entry)):
            return word in plays.own_words
        return plays.deals_at_once and word in self._unsaid(at)

    def _prefix_refused(self, at: protocol.Position) -> bool:
        hands = self.answers[at.script][: at.hand + 1]
        before = [
            protocol.Position(at.script, n, m) for n, hand in enumerate(hands[:-1]) for m in range(len(hand.seen))
        ]
        before += [protocol.Position(at.script, at.hand, m) for m in range(at.action)]
        return any(_was_refused(self._entry(place)) and not self._itself(place) for place in before)

    # ---- actions --------------------------------------------------------------------------------

    def _permitted(self, check: protocol.MustPermit) -> Finding:
        entry = self._entry(check.at)
        if self._itself(check.at):
            return Finding(check.at, "unobserved", check.asked)
        if not _was_refused(entry) or self._irregular(check):
            return Finding(check.at, "passed", check.asked)
        parted = check.at.script in self.failed and not self.answers[check.at.script][check.at.hand].start
        self.lost.add(check.at.script)
        if parted and check.at.hand:  # its hand before goes on, and where it should have ended was a failure
            return Finding(check.at, "unreached", check.asked)
        told = (text[:_LONGEST_REASON] for text in (entry["refused"], entry.get("why")) if isinstance(text, str))
        reason = f" ({reasons})" if (reasons := ": ".join(told)) else ""
        expected = f"{self._text(check.at)} is permitted"
        return Finding(check.at, "failed", check.asked, expected, f"it was refused{reason}")

    def _irregular(self, check: protocol.MustPermit) -> bool:
        """Whether an umpire may refuse a move that only leads to a check: it is irregular, and may have no effect."""
        if check.asked or self._script(check.at).mode != "umpire":
            return False
        from truco_spec.conformance.adapters.reference import irregular

        found = irregular(self._played(check.at.script))
        return found is None or (check.at.hand, check.at.action) in found

    def _refused(self, check: protocol.MustRefuse) -> Iterable[Finding]:
        entry = self._entry(check.at)
        if self._itself(check.at):
            yield Finding(check.at, "unobserved")
            return
        if not _was_refused(entry):
            self.lost.add(check.at.script)
            right, before = self._right(check.at), replace(check.at, action=check.at.action - 1)
            if right is not None and _was_refused(right) and (self._waiting(before) or self._plays_on(before)):
                yield Finding(check.at, "unobserved")  # it has said that word by itself, or tells of no match
                return
            seen = _json({key: entry[key] for key in entry if key not in ("legal", "view")})
            yield Finding(check.at, "failed", True, f"{self._text(check.at)} is refused", f"it was taken; then: {seen}")
            return
        yield Finding(check.at, "passed")
        category = entry["refused"]
        if check.because and alike(category, check, self._played(check.at.script)):
            yield Finding(check.at, "unobserved")
        elif check.because and isinstance(category, str) and category != check.because:
            yield Finding(check.at, "failed", True, f"{self._text(check.at)} is refused: {check.because}", category)
        elif check.because and not isinstance(category, str):
            yield Finding(check.at, "unobserved")
        yield from self._unchanged(check.at, entry)

    def _unchanged(self, at: protocol.Position, entry: Mapping[str, Any]) -> Iterable[Finding]:
        before = self._entry(protocol.Position(at.script, at.hand, at.action - 1))
        for key in sorted(protocol.STATE_VALUES & entry.keys() & before.keys()):
            same = same_value(key, before[key], entry[key], self._script(at))
            if not same and not (self._waiting(at) and self._further(at, key, before[key], entry[key])):
                expected = f"the refused {self._text(at)} leaves {key} as it was: {_json(before[key])}"
                yield Finding(at, "failed", True, expected, _json(entry[key]), changed=True)

    # ---- observations ---------------------------------------------------------------------------

    def _shown(self, check: protocol.MustShow) -> Finding:
        entry = self._entry(check.at)
        if check.key not in entry:
            return Finding(check.at, "unobserved")
        got = entry[check.key]
        if check.key == "score":
            script = self._script(check.at)
            told = {team_of(script, player) for player in got}
            if any(team_of(script, player) not in told for player in check.value):
                return Finding(check.at, "unobserved")
        if same_value(check.key, check.value, got, self._script(check.at)):
            return Finding(check.at, "passed")
        if self._excused(check, got) or self._said_otherwise(check, got):
            return Finding(check.at, "unobserved")
        return Finding(check.at, "failed", True, f"{check.key}: {_json(check.value)}", f"{check.key}: {_json(got)}")

    # ---- permitted differences ------------------------------------------------------------------

    def _plays(self, at: protocol.Position) -> protocol.Plays:
        return self.introduction.plays(self._script(at).variant)

    def _expected(self, script: int) -> protocol.Seen | None:
        """The reference engine's observations of a script; None if it cannot play it. Computed only for a mismatch: it
        is slower than comparing.
        """
        if script not in self.right:
            from truco_spec.conformance.adapters.pipe import Broken
            from truco_spec.conformance.adapters.reference import Reference

            try:
                self.right[script] = Reference().run(self._played(script))
            except Broken:
                self.right[script] = None
        return self.right[script]

    def _played(self, number: int) -> protocol.Script:
        """Play the script with the options fixed by the implementation."""
        script = self.plan.requests[number]
        assert isinstance(script, protocol.Script)  # own deals have no observations
        return self.introduction.as_played(script)

    def _right(self, at: protocol.Position) -> Mapping[str, Any] | None:
        expected = self._expected(at.script)
        return None if expected is None else protocol.entry_at(expected, at)

    def _excused(self, check: protocol.MustShow, got: Any) -> bool:
        """Whether the difference follows from the implementation's claims, or is a synonym."""
        plays = self._plays(check.at)
        if check.key in plays.late and not self._hand_over(check.at):
            return True
        if check.key == ACTING and not check.value and self._plays_on(check.at):
            return True
        waiting = check.key in (ACTING, MAY_SPEAK)
        if right := self._waiting(check.at):
            agreed = same_value(check.key, check.value, right.get(check.key), self._script(check.at))
            return agreed and self._further(check.at, check.key, check.value, got)
        right = self._right(check.at) if waiting else None
        if right is None:
            return False
        from truco_spec.conformance.corpus.filling import script_graph

        script = self._played(check.at.script)
        if (plays.deals_at_once or plays.omits) and not plain(script_graph(script), right, plays, check.key):
            return True
        told_right = check.key == ACTING and same_value(ACTING, check.value, right.get(ACTING), script)
        everybody = {*right.get(ACTING, ()), *right.get(MAY_SPEAK, ())}
        return told_right and isinstance(got, list) and {*map(str, got)} == everybody != {*check.value}

    def _plays_on(self, at: protocol.Position) -> bool:
        """Whether the match is over, and the implementation does not report, or not yet, the end of a match."""
        told = "winner" in {*self.introduction.observes} - {*self._plays(at).late}
        return not told and (self._right(at) or {}).get("winner") is not None

    def _said_otherwise(self, check: protocol.MustShow, got: Any) -> bool:
        """Whether the answer is right for an implementation that says the first permitted one of its own words: it
        cannot know which word the script has instead, such as a pass with the best count.
        """
        script, plays = self._played(check.at.script), self._plays(check.at)
        said = {action.word for hand in script.hands[: check.at.hand + 1] for action in hand.actions}
        if said.isdisjoint(plays.own_words[1:]):
            return False
        from truco_spec.conformance.adapters.pipe import Broken
        from truco_spec.conformance.runner.deciding import by_itself

        try:
            told = by_itself(script, plays, check.at)
        except Broken:
            return False
        return check.key in told and same_value(check.key, told[check.key], got, script)

    def _waiting(self, at: protocol.Position) -> Mapping[str, Any] | None:
        """Return the reference engine's observations where the game waits for a word that the implementation says by
        itself, and may thus be ahead; None elsewhere. Only expectations that agree with them are excused, too.
        """
        own = self._own_words(at)
        right = self._right(at) if own else None
        between = at.hand > 0 and at.action == protocol.START
        omits = self._plays(at).omits
        return right if right is not None and pending(right, own, omits, between=between) else None

    def _own_words(self, at: protocol.Position) -> frozenset[str]:
        """The words that it says by itself; before a refused action implicit ones may have been done, too, unless it
        says ``exact``.
        """
        plays = self._plays(at)
        refused = at.action != protocol.START and _was_refused(self._entry(at)) and not self._action(at).exact
        return self._unsaid(at).union(plays.own_words) if refused or plays.deals_at_once else frozenset()

    def _unsaid(self, at: protocol.Position) -> frozenset[str]:
        """The words of acts that need not be said."""
        from truco_spec.conformance.corpus.filling import script_graph

        return unsaid_words(script_graph(self._played(at.script)))

    def _further(self, at: protocol.Position, key: str, value: Any, got: Any) -> bool:
        """Whether the answer is that of an implementation further on by words that it says itself."""
        expected = self._expected(at.script)
        if expected is None or not of_the_play(key, value):
            return True
        from truco_spec.conformance.runner.deciding import ahead

        script = self._played(at.script)
        values = ahead(script, expected, at, key, self._own_words(at), self._plays(at).omits)
        if values is None:
            return True
        later = [each for each in values[1:] if each is not None or key in protocol.STATE_VALUES]
        return any(same_value(key, each, got, script) for each in (values[0], *later))

    def _hand_over(self, at: protocol.Position) -> bool:
        """Whether a hand begins, or ended, at a position, where the results of the hand are reported."""
        entry = self._entry(at)
        shown = [
            c
            for c in self.plan.checks
            if isinstance(c, protocol.MustShow) and c.at == at and c.key in ("hand", "winner")
        ]
        told = [entry.get("hand"), entry.get("winner"), *(check.value for check in shown)]
        if at.action == protocol.START or any(value is not None for value in told):
            return True
        right = self._right(at) or {}  # who does not report the end of a hand books its points all the same
        return right.get("hand") is not None or right.get("winner") is not None

    def _remembered(self, check: protocol.MustSee) -> set[str]:
        """The cards visible to the seat at some earlier moment of the hand, and no longer."""
        expected, right = self._expected(check.at.script), self._right(check.at)
        if expected is None or right is None:
            return set()
        from truco_spec.conformance.runner.deciding import could_see

        now = right.get("view", {}).get(check.seat, ())
        return could_see(self._played(check.at.script), expected, check.at, check.seat).difference(now)

    def _offered(self, check: protocol.MustOffer) -> Finding:
        legal = self._entry(check.at).get("legal")
        if legal is None:
            return Finding(check.at, "unobserved")
        plays = self._plays(check.at)
        wanted, got = self._offers(check, legal, plays.own_words)
        own = self._own_words(check.at) if plays.deals_at_once else plays.own_words
        if wanted == got or len({*self._offers(check, legal, own)}) == 1:
            return Finding(check.at, "passed")
        right = self._waiting(check.at)
        if right and len({*self._offers(check, right["legal"], own)}) == 1:
            return Finding(check.at, "unobserved")
        asked = [text for text in check.texts if self._is_asked(check.at, text, got, plays.own_words)]
        may, does = (f"{check.player} may: {', '.join(texts) or 'nothing'}" for texts in (asked, sorted(got)))
        missing, superfluous = tuple(sorted(wanted - got)), tuple(sorted(got - wanted))
        return Finding(check.at, "failed", True, may, does, missing=missing, superfluous=superfluous)

    def _offers(
        self, check: protocol.MustOffer, legal: Mapping[str, Any], own: Collection[str]
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return the player's legal actions by the check and by these observations, without the implementation's own
        words and those that it omits and does not offer.
        """
        got = frozenset(str(text) for text in legal.get(check.player, []) if word_of(str(text)) not in own)
        texts = self._as_listed(check, got)
        wanted = frozenset(text for text in texts if self._is_asked(check.at, text, got, own))
        cards = {text for text in got if text == text.upper() and text.isalnum()}
        covers = {text for text in got if text.startswith("(")}
        for word, plays in (("cards", cards), ("covers", covers)):
            if word in wanted and plays:
                wanted = wanted - {word} | plays
        return wanted, got

    def _is_asked(self, at: protocol.Position, text: str, got: Collection[str], own: Collection[str]) -> bool:
        """Whether it has to list this: no word of its own, nor one that it omits and does not list."""
        word = protocol.COVER if text == "covers" else word_of(text)
        return word not in own and (text in got or word not in self._plays(at).omits)

    def _as_listed(self, check: protocol.MustOffer, got: Collection[str]) -> Sequence[str]:
        """Return the actions listed by the check, each in the form used by the answer if that is another form of the
        word.
        """
        if all(text in got or text in ("cards", "covers") for text in check.texts):
            return check.texts
        from truco_spec.conformance.corpus.filling import script_graph
        from truco_spec.logs.notation import notation_of

        script = self._played(check.at.script)
        notation = notation_of(script_graph(script), script.players)

        def listed(text: str) -> str:
            move = f"{check.player} {text}"
            forms = (
                [notation.text(action).partition(" ")[2] for action in notation.readings(move)]
                if notation.knows(move)
                else []
            )
            return next((form for form in (text, *forms) if form in got), next(iter(forms), text))

        return [text if text in ("cards", "covers") else listed(text) for text in check.texts]

    def _seen(self, check: protocol.MustSee) -> Finding:
        views = self._entry(check.at).get("view", {})
        if check.seat not in views:
            return Finding(check.at, "unobserved")
        seen = {str(card) for card in views[check.seat]}
        if unseen := [card for card in check.sees if card not in seen]:
            if (right := self._waiting(check.at)) and {*unseen} <= {*right["view"][check.seat]}:
                return Finding(check.at, "unobserved")  # the cards may have been collected already
            return Finding(check.at, "failed", True, f"{check.seat} sees {' '.join(unseen)}", "it is hidden")
        open_to = [card for card in check.hides if card in seen]
        if open_to and (open_to := [card for card in open_to if card not in self._remembered(check)]):
            if {*open_to} <= self._dealt_to(check) and self._waiting(check.at) is not None:
                return Finding(check.at, "unobserved")  # the cards may have been dealt already
            return Finding(check.at, "failed", True, f"{check.seat} does not see {' '.join(open_to)}", "it is seen")
        return Finding(check.at, "passed")

    def _dealt_to(self, check: protocol.MustSee) -> set[str]:
        """The cards that the script deals to the seat, and the turned one."""
        from truco_spec.conformance.corpus.filling import script_graph

        script = self._script(check.at)
        places = {check.seat, *script_graph(script).data}
        return {card for place, cards in script.hands[check.at.hand].deal.items() if place in places for card in cards}

    # ---- deals ----------------------------------------------------------------------------------

    def _dealt(self, check: protocol.MustDeal) -> Finding:
        request = self.plan.requests[check.at.script]
        assert isinstance(request, protocol.OwnDeals)  # the plan pairs them
        from truco_spec.conformance.corpus.filling import pack_of, unsound  # it needs the engine, and few cases need it

        wrong = unsound(self.answers[check.at.script], check.deals, pack_of(request))
        if wrong is None:
            return Finding(check.at, "passed")
        return Finding(check.at, "failed", True, wrong.expected, wrong.got)


def alike(category: object, check: protocol.MustRefuse, script: protocol.Script | None) -> bool:
    """Whether another category is as true of a refused action of a script as that which the check names."""
    categories = {category, check.because}
    if categories != ABSENT or script is None:
        return categories == UNTIMELY
    from truco_spec.conformance.corpus.filling import script_graph

    action = script.hands[check.at.hand].actions[check.at.action]
    card = action.play or action.cover
    return card is not None and card not in {card.name for card in script_graph(script).cards if card.present}


def _asked(check: protocol.Check) -> bool:
    return check.asked if isinstance(check, protocol.MustPermit) else True


def _was_refused(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("refused"))


def same_value(key: str, expected: Any, got: Any, script: protocol.Script) -> bool:
    """Whether two values of an observation are one, whichever player of a team is named, in whatever order."""
    if key in protocol.TEAM_VALUES:
        return bool(team_of(script, expected) == team_of(script, got))
    if key == "score":
        points = {team_of(script, player): value for player, value in got.items()}
        return all(_equal(points.get(team_of(script, player)), value) for player, value in expected.items())
    if key in ("legal", "view"):
        return bool(_in_any_order(expected) == _in_any_order(got))
    if isinstance(expected, list) and isinstance(got, list):
        return sorted(map(_json, expected)) == sorted(map(_json, got))
    return _equal(expected, got)


def same_answer(script: protocol.Script, answer: protocol.Seen, other: protocol.Seen, observed: Set[str]) -> bool:
    """Whether two answers to a script agree in all observations, and refuse the same actions."""
    kept = {*observed, "refused"}
    for hand, other_hand in zip(answer, other, strict=True):
        for entry, told in zip((hand.start, *hand.seen), (other_hand.start, *other_hand.seen), strict=True):
            keys = kept & entry.keys()
            if keys != kept & told.keys():
                return False
            pairs = [(key, one, another) for key in keys for one, another in permutations((entry[key], told[key]))]
            if not all(same_value(*pair, script) for pair in pairs):
                return False
    return True


def _in_any_order(named: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    return {player: frozenset(texts) for player, texts in named.items()}


def team_of(script: protocol.Script, player: Any) -> Any:
    """The team of a player, whichever of its players is named; any other value (a tie, nobody) is unchanged."""
    return next((team for team in script.teams if player in team), player)


def _equal(expected: Any, got: Any) -> bool:
    return type(expected) is type(got) and bool(expected == got)


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 300 else text[:300] + "…"
