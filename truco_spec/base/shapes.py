"""Frozen dataclasses as the single description of the project's JSON: reading and writing.

A field's name is its key; ``Annotated[X, "…"]`` describes it in the schema. Supported types: ``str``, ``int``,
``bool``, ``None``, ``Any``, ``Literal``, unions, ``tuple[X, ...]`` (a list), ``Mapping[str, X]`` and dataclasses. In a
union of dataclasses the first field of each is the tag and is required: its value if it is a ``Literal``, else its
name.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from truco_spec.base.words import Sentence, alternatives, translated

Place = tuple[str | int, ...]


class ShapeError(Exception):
    """A value does not have the expected shape. ``place`` is the path to it: keys and indices."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message, place)
        self.message, self.place = message, place

    def __str__(self) -> str:
        where = ".".join(str(step) for step in self.place)
        told = translated(self.message)
        return f"{where}: {told}" if where else told


# ---- reading -----------------------------------------------------------------------------------


def read(value: Any, kind: Any, *, lenient: bool = False) -> Any:
    """Read ``value`` (plain JSON) as ``kind``. ``lenient`` ignores unknown keys. Raises :class:`ShapeError`."""
    return reader(kind, lenient)(value)


Reader = Callable[[Any], Any]


@lru_cache(maxsize=1024)
def reader(kind: Any, lenient: bool = False) -> Reader:
    """Return the function that reads a type. Its errors have paths relative to its value."""
    if kind is Any:
        return lambda value: value
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record_reader(kind, lenient)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return reader(parts[0], lenient)
    if origin is Literal:
        return _literal_reader(parts)
    if origin in (types.UnionType, typing.Union):
        return _union_reader(parts, lenient)
    if origin is tuple:
        return _list_reader(reader(parts[0], lenient))
    if origin is Mapping:
        return _mapping_reader(reader(parts[1], lenient))
    return _simple_reader(kind)


def _simple_reader(kind: Any) -> Reader:
    def read_simple(value: Any) -> Any:
        if type(value) is kind or _is_a(value, kind):
            return value
        raise _not_a(_called(kind), value)

    return read_simple


def _literal_reader(parts: tuple[Any, ...]) -> Reader:
    def read_literal(value: Any) -> Any:
        if value not in parts or isinstance(value, bool):
            known = tuple(map(str, parts))
            raise ShapeError(Sentence("{value} is not one of {known}.", value=shown(value), known=known), ())
        return value

    return read_literal


def _list_reader(inner: Reader) -> Reader:
    def read_list(value: Any) -> Any:
        if not isinstance(value, list):
            raise _not_a(Sentence("a list"), value)
        return tuple([_within(at, inner, item) for at, item in enumerate(value)])

    return read_list


def _mapping_reader(inner: Reader) -> Reader:
    def read_mapping(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _not_a(Sentence("a mapping (key: value)"), value)
        return {key: _within(key, inner, item) for key, item in value.items()}

    return read_mapping


def _within(step: str | int, reader: Reader, value: Any) -> Any:
    """Call a reader on a part of a value, prefixing the path of its errors."""
    try:
        return reader(value)
    except ShapeError as error:
        raise ShapeError(error.message, (step, *error.place)) from error.__cause__


def _record_reader(kind: type, lenient: bool) -> Reader:
    hints, missing = _hints(kind), dataclasses.MISSING
    fields = {
        field.name: (hints[field.name], field.default is missing and field.default_factory is missing)
        for field in dataclasses.fields(kind)
    }

    def read_record(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _not_a(Sentence("a mapping (key: value)"), value)
        if not lenient:
            for key in value:
                if key not in fields:
                    near = difflib.get_close_matches(str(key), fields, 1)
                    form = "{key} is not known here. Known keys: {known}."
                    if near:
                        form = "{key} is not known here. Did you mean {near}?"
                    known = {"known": tuple(fields), "near": "".join(near)}
                    raise ShapeError(Sentence(form, key=shown(key), **known), (key,))
        given = {}
        for name, (hint, required) in fields.items():
            if name in value:
                given[name] = _within(name, reader(hint, lenient), value[name])
            elif required:
                raise ShapeError(Sentence("{name} is missing.", name=name), ())
        return kind(**given)

    return read_record


def _union_reader(parts: tuple[Any, ...], lenient: bool) -> Reader:
    records = [part for part in parts if dataclasses.is_dataclass(part) and isinstance(part, type)]
    readers, whole = [reader(part, lenient) for part in parts], {part for part in parts if isinstance(part, type)}
    tagged = [(*_tag(record), reader(record, lenient)) for record in records]

    def read_union(value: Any) -> Any:
        if type(value) in whole:
            return value
        if isinstance(value, dict) and tagged:
            for name, values, reader in tagged:
                if len(tagged) == 1 or (name in value and (not values or value[name] in values)):
                    return reader(value)
            names = tuple(dict.fromkeys(name for name, *_ in tagged))
            unknown = (str(key) for key in value if key not in names)
            near = next((match for key in unknown for match in difflib.get_close_matches(key, names, 1)), "")
            form = "One of {names} is wanted here. Did you mean {near}?" if near else "One of {names} is wanted here."
            raise ShapeError(Sentence(form, names=names, near=near), ())
        wrong: list[ShapeError] = []
        for reader in readers:
            try:
                return reader(value)
            except ShapeError as error:
                wrong.append(error)
        deepest = max(wrong, key=lambda error: len(error.place))
        if deepest.place:
            raise deepest
        kinds = [name for several in sorted(map(_names, parts)) for name in several]
        raise _not_a(alternatives(kinds), value)

    return read_union


def _tag(record: type) -> tuple[str, tuple[Any, ...]]:
    """Return the tag key of a record in a union, and the tag values that only this record has."""
    name = dataclasses.fields(record)[0].name
    hint = _hints(record)[name]
    return name, typing.get_args(hint) if typing.get_origin(hint) is Literal else ()


def _is_a(value: Any, kind: Any) -> bool:
    if kind in (None, types.NoneType):
        return value is None
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _not_a(wanted: str, value: Any) -> ShapeError:
    """The error for a value that is not of the wanted kind."""
    if value is None:
        return ShapeError(Sentence("Here {wanted} is wanted, and there is nothing (null).", wanted=wanted), ())
    form = "Here {wanted} is wanted, not {value}."
    if wanted.startswith("a text") and type(value) in (int, float):
        form = 'Here {wanted} is wanted, not {value}. Write it in quotes: "{plain}".'
    return ShapeError(Sentence(form, wanted=wanted, value=shown(value), plain=str(value)), ())


def _names(kind: Any) -> list[str]:
    return [str(value) for value in typing.get_args(kind)] if typing.get_origin(kind) is Literal else [_called(kind)]


def _called(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is tuple:
        return Sentence("a list")
    if origin is Mapping or dataclasses.is_dataclass(kind):
        return Sentence("a mapping (key: value)")
    known: dict[Any, Sentence] = {
        str: Sentence("a text"),
        int: Sentence("a whole number"),
        bool: Sentence("true or false"),
    }
    return known.get(kind, "null")


def shown(value: Any) -> str:
    """Abbreviate a value for a message, on one line."""
    text = value if isinstance(value, str) else repr(value)
    text = text.encode("unicode_escape").decode("ascii") if not text.isprintable() else text
    return f"‘{text[:60]}…’" if len(text) > 60 else f"‘{text}’"


_HINTS: dict[type, dict[str, Any]] = {}


def _hints(kind: type) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = typing.get_type_hints(kind, include_extras=True)
    return _HINTS[kind]


# ---- writing -----------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Convert a dataclass, list or mapping to plain JSON. Optional fields that are None are left out."""
    kind: Any = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in _PLAIN else plain(item) for item in value]
    if kind is dict:
        return {key: item if type(item) in _PLAIN else plain(item) for key, item in value.items()}
    fields = _fields(kind)
    if fields is not None:
        found = {}
        for name, always in fields:
            item = getattr(value, name)
            if item is not None or always:
                found[name] = item if type(item) in _PLAIN else plain(item)
        return found
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (tuple, list)) else value


_PLAIN = frozenset((str, int, float, bool, types.NoneType))


@lru_cache(maxsize=256)
def _fields(kind: Any) -> tuple[tuple[str, bool], ...] | None:
    """Return the fields of a record, each with whether it is written even if None; None for anything else."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple((field.name, field.default is dataclasses.MISSING) for field in dataclasses.fields(kind))
