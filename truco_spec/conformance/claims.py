"""What ``hello`` claims, held against the rules: are there such words, options and values?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from truco_spec.conformance.protocol import Introduction, Plays
from truco_spec.conformance.reports.texts import one_line
from truco_spec.errors import TrucoError
from truco_spec.language.diagnostics import nearest
from truco_spec.shipped import playable_names

COVER = "cover"
"""What ``omits`` and ``itself`` call a card that is played face down."""
_MOST, _LONGEST = 20, 60


class ClaimError(TrucoError):
    """``hello`` names what there is not: one line each, with the nearest name."""


def must_be_sound(introduction: Introduction) -> None:
    """Raises :class:`ClaimError`, before anything is played."""
    mistakes = list(dict.fromkeys(mistakes_in(introduction)))
    if mistakes:
        more = [f"hello: and {len(mistakes) - _MOST} more."] if len(mistakes) > _MOST else []
        raise ClaimError("\n".join([f"hello: {mistake}" for mistake in mistakes[:_MOST]] + more))


def mistakes_in(introduction: Introduction) -> Iterator[str]:
    """What an introduction names that the rules do not know. A variant of another name is somebody's own, unless the
    name is nearly that of one that there is.
    """
    known = playable_names()
    for name, plays in introduction.variants.items():
        if name in known:
            yield from _options(name, plays)
            yield from _words(name, plays)
        elif nearest(name[:_LONGEST], known):
            yield _told(f"variants names “{_short(name)}”, and there is no such variant.", name, known)


def _options(variant: str, plays: Plays) -> Iterator[str]:
    from truco_spec.conformance.filling import options_of  # a claim without options needs no rules

    given = [("options", name, value) for name, values in plays.options.items() for value in values]
    given += [("options", name, "") for name, values in plays.options.items() if not values]
    given += [("always", *each) for each in dict.fromkeys(pair for n in plays.players for pair in plays.own(n).items())]
    known: Mapping[str, tuple[str, tuple[str, ...]]] = options_of(variant) if given else {}
    for key, name, value in given:
        if name not in known:
            yield _told(f"{key} names “{_short(name)}”, which is no option of {variant}.", name, known)
        elif value and value not in known[name][1]:
            what = f"{key} gives {name} the value “{_short(value)}”, which it does not have in {variant}."
            yield _told(what, value, known[name][1])
    by_players = [(name, by) for name, by in plays.always.items() if not isinstance(by, str)]
    for name, count in ((name, count) for name, by in by_players for count in by):
        if count not in map(str, plays.players):
            yield f"always gives {_short(name)} a value for {_short(count)} players, whom it does not play with."


def _words(variant: str, plays: Plays) -> Iterator[str]:
    from truco_spec.conformance.vocabulary import words_of
    from truco_spec.graph.load import load

    known = words_of(load(variant)) if plays.omits or plays.itself else frozenset()
    for key, words in (("omits", plays.omits), ("itself", plays.itself)):
        for word in words:
            if word not in known:
                yield _told(f"{key} names “{_short(word)}”, which nobody says in {variant}.", word, known)


def _told(what: str, name: str, known: Collection[str]) -> str:
    near = nearest(name[:_LONGEST], known)
    return f"{what} Did you mean “{near}”?" if near else f"{what} There are: {', '.join(sorted(known))}."


def _short(text: str) -> str:
    return one_line(text[:_LONGEST])
