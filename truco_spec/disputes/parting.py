"""Where the courses of one log part: the moves at which the rules do not say the same, and who says what.

Compared is what became of each move and what all could see change with it, as far as all the games tell of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from truco_spec.disputes.course import Playthrough

Told = tuple[str, tuple[tuple[str, object], ...]]
"""What became of a move: the verdict, and what was seen to change."""


@dataclass(frozen=True, slots=True)
class Parting:
    """A move (from 1) at which courses part that were one so far; ``groups`` hold those that still go together.

    ``keys`` are the observations in which they differ.
    """

    number: int
    groups: tuple[tuple[Playthrough, ...], ...]
    keys: tuple[str, ...]


def partings(courses: Sequence[Playthrough], about: frozenset[str] | None = None) -> Iterator[Parting]:
    """Every parting of these courses, the first one first; groups in the order of the courses.

    ``about`` are the observations that count beside the verdicts (all, if not given).
    """
    shared = keys_shared(courses) if about is None else keys_shared(courses) & about
    waiting = [(1, tuple(courses))]
    while waiting:
        waiting.sort(key=lambda pair: pair[0])
        number, group = waiting.pop(0)
        if len(group) < 2 or all(number > len(course.moments) for course in group):
            continue
        found: dict[object, list[Playthrough]] = {}
        for course in group:
            found.setdefault(_key(told_at(course, number, shared)), []).append(course)
        groups = tuple(tuple(same) for same in found.values())
        waiting += [(number + 1, same) for same in groups]
        if len(groups) > 1:
            yield Parting(number, groups, _differing([told_at(same[0], number, shared) for same in groups]))


def keys_shared(courses: Sequence[Playthrough]) -> frozenset[str]:
    """The observations that all these games tell; a course that could not begin tells nothing, and does not count."""
    seen = [set(course.start) for course in courses if course.start]
    return frozenset(set.intersection(*seen)) if seen else frozenset()


def told_at(course: Playthrough, number: int, shared: frozenset[str]) -> Told | None:
    """What became of a move, in what all tell; None where the course has ended."""
    if number > len(course.moments):
        return None
    moment = course.moments[number - 1]
    return moment.verdict, tuple((name, value) for name, value in moment.told.items() if name in shared)


def _differing(told: Sequence[Told | None]) -> tuple[str, ...]:
    """The observations that are not the same in all of these."""
    values = [dict(one[1]) if one is not None else {} for one in told]
    names = dict.fromkeys(name for one in values for name in one)
    return tuple(name for name in names if len({repr(one.get(name)) for one in values}) > 1)


def _key(told: Told | None) -> object:
    return None if told is None else (told[0], tuple(sorted((name, repr(value)) for name, value in told[1])))
