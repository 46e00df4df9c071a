"""The checks of a plan as plain values, and a quick look whether all of them are met.

Most answers are right, and to say so takes a few comparisons of each check. Whatever is not plainly right is left to
:mod:`~truco_spec.conformance.judge`, which finds the words for it: nothing here ever says that anything is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from truco_spec.conformance.protocol import STATE_VALUES, TEAM_VALUES, Script, Seen
from truco_spec.conformance.scripts import START, Check, MustOffer, MustPermit, MustRefuse, MustSee, MustShow, Plan

PERMIT, REFUSE, TEAM, SCORE, VALUE, TEXTS, OFFER, SEE = range(8)
"""What stands first in a plain check; then come script, hand and action, and what is wanted there."""

CARDS, COVERS = "cards", "covers"

PlainCheck = tuple[Any, ...]
Teams = Mapping[str, tuple[int, str]]


def plain_checks(plan: Plan) -> tuple[PlainCheck, ...] | None:
    """The checks of a plan as values that can be kept; None where only the judge can tell."""
    script = plan.requests[0]
    if not isinstance(script, Script):
        return None
    found = []
    for check in plan.checks:
        made = _plain(check, teams_of(script), len(script.players))
        if made is None:
            return None
        found.append(made)
    return tuple(found)


def teams_of(script: Script) -> Teams:
    """Of each player his team, as something that nobody can write into an answer."""
    return {player: (at, "team") for at, team in enumerate(script.teams) for player in team}


def _plain(check: Check, teams: Teams, players: int) -> PlainCheck | None:
    at = (check.at.script, check.at.hand, check.at.action)
    match check:
        case MustPermit():
            return (PERMIT, *at, check.asked)
        case MustRefuse():
            return (REFUSE, *at, check.because)
        case MustShow():
            return _shown(check, at, teams)
        case MustOffer():
            return (OFFER, *at, check.player, check.texts)
        case MustSee():
            return (SEE, *at, check.seat, check.sees, check.hides)
    return None


def _shown(check: MustShow, at: tuple[int, int, int], teams: Teams) -> PlainCheck | None:
    value = check.value
    if check.key in TEAM_VALUES:
        return (TEAM, *at, check.key, _team(value, teams))
    if check.key == "score" and isinstance(value, Mapping):
        return (SCORE, *at, check.key, tuple((_team(player, teams), points) for player, points in value.items()))
    if isinstance(value, list):
        return (TEXTS, *at, check.key, sorted(value)) if all(type(item) is str for item in value) else None
    return (VALUE, *at, check.key, value)


def _team(player: Any, teams: Teams) -> Any:
    return teams.get(player, player) if type(player) is str else player


def plainly(checks: Sequence[PlainCheck], answers: Sequence[Seen], teams: Teams) -> tuple[int, int] | None:
    """How many checks are passed and how many were not observed; None where any of them may have failed."""
    passed = unobserved = 0
    for check in checks:
        kind, script, number, action = check[:4]
        hand = answers[script][number]
        entry = hand.start if action == START else hand.seen[action]
        if kind == PERMIT:
            if entry.get("refused") or (script and _any_refused(answers[script], number, action)):
                return None
            passed += check[4]
            continue
        if kind == REFUSE:
            told = entry.get("refused")
            if not told or (check[4] and type(told) is str and told != check[4]):
                return None
            if len(entry) > 1 and not _unchanged(hand.start if action == 0 else hand.seen[action - 1], entry, teams):
                return None
            passed += 1
            unobserved += bool(check[4]) and type(told) is not str
            continue
        outcome = _looked(kind, check, entry, teams)
        if outcome is None:
            return None
        passed += outcome
        unobserved += not outcome
    return passed, unobserved


def _any_refused(hands: Seen, number: int, action: int) -> bool:
    before = [entry for hand in hands[:number] for entry in hand.seen]
    return any(entry.get("refused") for entry in (*before, *hands[number].seen[:action]))


def _unchanged(before: Mapping[str, Any], after: Mapping[str, Any], teams: Teams) -> bool:
    """Whether what is told before and after a refused action is plainly the same."""
    return all(_same(before[key], after[key], teams) for key in STATE_VALUES if key in after and key in before)


def _same(one: Any, other: Any, teams: Teams) -> bool:
    kind = type(one)
    if kind is not type(other) or one != other:
        return False
    if kind is list:
        return all(type(item) is str for item in (*one, *other))
    if kind is dict:
        plain = all(type(points) is int for points in (*one.values(), *other.values()))
        return plain and len({_team(player, teams) for player in one}) == len(one)
    return kind in (str, int, type(None))


def _looked(kind: int, check: PlainCheck, entry: Mapping[str, Any], teams: Teams) -> bool | None:
    """Whether what is wanted is told (True), or nothing is (False); None where it may be something else."""
    if kind == OFFER:
        return _offered(check, entry.get("legal"))
    if kind == SEE:
        return _seen(check, entry.get("view"))
    key, wanted = check[4:6]
    if key not in entry:
        return False
    got = entry[key]
    if kind == VALUE:
        met = type(got) is type(wanted) and got == wanted
    elif kind == TEAM:
        met = _team(got, teams) == wanted
    elif kind == TEXTS:
        met = type(got) is list and all(type(item) is str for item in got) and sorted(got) == wanted
    else:
        if type(got) is not dict:
            return None
        points = {_team(player, teams): value for player, value in got.items()}
        if any(team not in points for team, _ in wanted):
            return False
        met = all(type(points[team]) is type(value) and points[team] == value for team, value in wanted)
    return met or None


def _offered(check: PlainCheck, legal: Any) -> bool | None:
    player, texts = check[4:6]
    told = legal.get(player, []) if type(legal) is dict else None
    if type(told) is not list:
        return False
    if not all(type(text) is str for text in told):
        return None
    got, wanted = set(told), set(texts)
    if CARDS in wanted or COVERS in wanted:
        cards = {text for text in got if text == text.upper() and text.isalnum()}
        covers = {text for text in got if text.startswith("(")}
        for word, plays in ((CARDS, cards), (COVERS, covers)):
            if word in wanted and plays:
                wanted = wanted - {word} | plays
    return got == wanted or None


def _seen(check: PlainCheck, view: Any) -> bool | None:
    seat, sees, hides = check[4:7]
    told = view.get(seat) if type(view) is dict else None
    if type(told) is not list:
        return False
    if not all(type(card) is str for card in told):
        return None
    return (all(card in told for card in sees) and not any(card in told for card in hides)) or None
