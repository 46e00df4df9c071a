"""Which statements of a variant name which of its options. A linked graph has forgotten it: options are folded away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from truco_spec.graph.link import Chain, blocks_of, link
from truco_spec.language import tree as t


def chain_of(variant: str, file: t.File | None = None) -> Chain:
    """The statements of a variant as they are written; ``file`` is read before the shipped texts."""
    return link(blocks_of(variant, [file] if file is not None else []))


def options_named(chain: Chain) -> Mapping[str, frozenset[str]]:
    """Name of a statement (a construct has one for all its parts) -> the options that it names."""
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
    elif is_dataclass(thing) and not isinstance(thing, (type, t.Span)):
        for part in fields(thing):
            if part.name != "name":
                yield from _names(getattr(thing, part.name))
