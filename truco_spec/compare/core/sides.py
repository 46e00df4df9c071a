"""A side of a comparison: a variant, its options, and its graph for any number of players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property

from truco_spec.base.errors import TrucoError
from truco_spec.graph.link import Chain, blocks_of, link
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError

NAMES = ("ana", "bia", "caio", "davi", "eva", "fito", "gil", "hugo")
"""The names of the players in generated logs, in order of play."""


@dataclass(frozen=True)
class Side:
    """``file`` is the .truco file that holds the variant, or nothing for a shipped one."""

    variant: str
    options: Mapping[str, str]
    file: str = ""

    @property
    def head(self) -> str:
        """The head of a log."""
        return " ".join([self.variant, *(f"{name}={value}" for name, value in self.options.items())])

    @cached_property
    def graph(self) -> Graph:
        """The graph under its own options. Raises :class:`TrucoError`."""
        return self._graph({})

    @cached_property
    def chain(self) -> Chain:
        """Its statements as they are written."""
        if not self.file:
            return chain_of(self.variant)
        from truco_spec.language.read import read_file

        return chain_of(self.variant, read_file(self.file))

    def at(self, players: int) -> Graph | None:
        """The graph for this number of players; None if the rules do not allow it."""
        if players == self.graph.seats:
            return self.graph
        if HOW_MANY not in self.graph.options or HOW_MANY in self.options:
            return None
        if str(players) not in self.graph.options[HOW_MANY].values:
            return None
        try:
            return self._graph({HOW_MANY: str(players)})
        except SpecError:
            return None

    def sizes(self) -> list[int]:
        """The possible numbers of players, ascending."""
        known = self.graph.options[HOW_MANY].values if HOW_MANY in self.graph.options else ()
        numbers = sorted({self.graph.seats, *(int(value) for value in known if value.isdigit())})
        return [number for number in numbers if number <= len(NAMES) and self.at(number) is not None]

    def _graph(self, more: Mapping[str, str]) -> Graph:
        from truco_spec.graph.load import load, load_file

        options = {**self.options, **more}
        return load_file(self.file, self.variant, **options) if self.file else load(self.variant, **options)


class SidesError(TrucoError):
    """The comparison is impossible: an unknown name, or one side is missing."""


def tables(a: Side, b: Side) -> list[int]:
    """The numbers of players possible for both: the smallest, and the usual number if it differs."""
    both = [number for number in a.sizes() if number in b.sizes()]
    usual = [side.graph.seats for side in (a, b) if side.graph.seats in both]
    return list(dict.fromkeys([*both[:1], *usual[:1]]))


# --------------------------------------------------------------------------------------------------
# Which statements of a variant name which of its options. A linked graph has lost this: options are folded.


def chain_of(variant: str, file: t.File | None = None) -> Chain:
    """The statements of a variant as they are written; ``file`` is read before the shipped texts."""
    return link(blocks_of(variant, [file] if file is not None else []))


def options_named(chain: Chain) -> Mapping[str, frozenset[str]]:
    """Map each statement (a construct has one for all its parts) to the options that it names.

    Options in the bounds of types are left out.
    """
    options = {name for name, item in chain.items.items() if item.statement.kind == "option"}
    found = {}
    for name, item in chain.items.items():
        named = frozenset(_names(item.statement)) & options
        if item.statement.kind == "seats":
            named |= {item.statement.name} & options
        if named and item.statement.kind != "option":
            found[name.removeprefix("seats ")] = named
    return found


def _names(thing: object) -> Iterator[str]:
    """Every name in a piece of a tree."""
    if isinstance(thing, t.Name):
        yield thing.text
    elif isinstance(thing, tuple):
        for item in thing:
            yield from _names(item)
    elif is_dataclass(thing) and not isinstance(thing, (type, t.Span, t.TypeText)):
        for part in fields(thing):
            if part.name != "name":
                yield from _names(getattr(thing, part.name))
