"""Observations in a few words, the same for every variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from truco_spec.compare.disputes.playthrough import ACTING, JudgedMove, Playthrough
from truco_spec.engine.observe import MAY_SPEAK

_SAID = {"permitted": "permitted", "not-offered": "not possible now", "unknown-word": "no such word there"}
_TOLD = {
    "trick": "the trick goes to {}",
    "leader": "{} leads",
    "hand": "{} win the hand",
    "score": "score {}",
    "stake": "the hand is worth {}",
    "proposal": "{} is proposed",
    "winner": "{} win the game",
}
_NOBODY = {"trick": "the trick is tied", "hand": "the hand is {}"}
"""The same for values that concern no player."""


def verdict_in_words(moment: JudgedMove) -> str:
    """permitted, forbidden …"""
    return _SAID.get(moment.verdict, moment.verdict)


def told_in_words(course: Playthrough, told: Mapping[str, object]) -> str:
    """The changed observations, in one line."""
    return "; ".join(_phrases(course, told))


def _phrases(course: Playthrough, told: Mapping[str, object]) -> Iterator[str]:
    for name, value in told.items():
        if name in (ACTING, MAY_SPEAK):
            continue
        if isinstance(value, Mapping):
            text = ", ".join(f"{team_of(course, player)} {points}" for player, points in value.items())
            yield _TOLD.get(name, f"{name} {{}}").format(text)
        elif value in course.put.log.players and name != "leader":
            phrase = _TOLD.get(name, f"{name} {{}}").format(team_of(course, value))
            yield phrase if " and " in team_of(course, value) else phrase.replace(" win the", " wins the")
        elif name in _NOBODY:
            yield _NOBODY[name].format(value)
        else:
            yield _TOLD.get(name, f"{name} {{}}").format(value)


def team_of(course: Playthrough, player: object) -> str:
    """The players of the team that is named after one of them."""
    players, teams = course.put.log.players, course.rules.graph.teams
    if player not in players:
        return str(player)
    team = players.index(str(player)) % teams
    return " and ".join(players[team::teams])


def joined(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last
