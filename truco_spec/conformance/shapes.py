"""Frozen dataclasses as the one description of the project's JSON: reading it, writing it, and its JSON Schema.

A field's name is its key; ``Annotated[X, "…"]`` describes it in the schema. Types understood: ``str``, ``int``,
``bool``, ``None``, ``Any``, ``Literal``, unions, ``tuple[X, ...]`` (a list), ``Mapping[str, X]`` and dataclasses. In a
union of several dataclasses the first field of each tells them apart: it must be given.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
import typing
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from truco_spec.conformance.readers import Doubt, reader_of

Place = tuple[str | int, ...]


class ShapeError(Exception):
    """A value does not have its shape. ``place`` is the way to it: keys and indices."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message, place)
        self.message, self.place = message, place

    def __str__(self) -> str:
        where = ".".join(str(step) for step in self.place)
        return f"{where}: {self.message}" if where else self.message


# ---- reading -----------------------------------------------------------------------------------


def read(value: Any, kind: Any, *, lenient: bool = False) -> Any:
    """``value`` (plain JSON) as ``kind``. ``lenient`` ignores unknown keys. Raises :class:`ShapeError`."""
    try:
        return reader_of(kind, lenient)(value)
    except Doubt:
        return _read(value, kind, (), lenient)


def _read(value: Any, kind: Any, place: Place, lenient: bool) -> Any:
    if kind is Any:
        return value
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _read_record(value, kind, place, lenient)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _read(value, parts[0], place, lenient)
    if origin is Literal:
        if value not in parts or isinstance(value, bool):
            raise ShapeError(f"{shown(value)} is not one of {', '.join(map(str, parts))}.", place)
        return value
    if origin in (types.UnionType, typing.Union):
        return _read_union(value, parts, place, lenient)
    if origin is tuple:
        if not isinstance(value, list):
            raise ShapeError(f"Here a list is wanted, not {shown(value)}.", place)
        return tuple(_read(item, parts[0], (*place, at), lenient) for at, item in enumerate(value))
    if origin is Mapping:
        if not isinstance(value, dict):
            raise ShapeError(f"Here a mapping (key: value) is wanted, not {shown(value)}.", place)
        return {key: _read(item, parts[1], (*place, key), lenient) for key, item in value.items()}
    if _is_a(value, kind):
        return value
    raise ShapeError(f"Here {_called(kind)} is wanted, not {shown(value)}.", place)


def _read_record(value: Any, kind: type, place: Place, lenient: bool) -> Any:
    if not isinstance(value, dict):
        raise ShapeError(f"Here a mapping (key: value) is wanted, not {shown(value)}.", place)
    fields = {field.name: field for field in dataclasses.fields(kind)}
    hints = _hints(kind)
    for key in value:
        if key not in fields and not lenient:
            near = difflib.get_close_matches(str(key), fields, 1)
            hint = f"Did you mean {near[0]}?" if near else f"Known keys: {', '.join(fields)}."
            raise ShapeError(f"{shown(key)} is not known here. {hint}", (*place, key))
    for name, field in fields.items():
        if name not in value and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise ShapeError(f"{name} is missing.", place)
    given = {name: _read(value[name], hints[name], (*place, name), lenient) for name in fields if name in value}
    return kind(**given)


def _read_union(value: Any, parts: tuple[Any, ...], place: Place, lenient: bool) -> Any:
    records = [part for part in parts if dataclasses.is_dataclass(part)]
    if isinstance(value, dict) and len(records) == 1:
        return _read(value, records[0], place, lenient)
    if isinstance(value, dict) and records:
        tags = {dataclasses.fields(record)[0].name: record for record in records}
        chosen = [tag for tag in tags if tag in value]
        if not chosen:
            raise ShapeError(f"One of {', '.join(tags)} is wanted here.", place)
        return _read(value, tags[chosen[0]], place, lenient)
    wrong: list[ShapeError] = []
    for part in parts:
        try:
            return _read(value, part, place, lenient)
        except ShapeError as error:
            wrong.append(error)
    deepest = max(wrong, key=lambda error: len(error.place))
    if len(deepest.place) > len(place):
        raise deepest
    raise ShapeError(f"Here {' or '.join(_called(part) for part in parts)} is wanted, not {shown(value)}.", place)


def _is_a(value: Any, kind: Any) -> bool:
    if kind in (None, types.NoneType):
        return value is None
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def _called(kind: Any) -> str:
    origin = typing.get_origin(kind)
    if origin is Literal:
        return " or ".join(map(str, typing.get_args(kind)))
    if origin is tuple:
        return "a list"
    if origin is Mapping or dataclasses.is_dataclass(kind):
        return "a mapping (key: value)"
    return {str: "a text", int: "a whole number", bool: "true or false"}.get(kind, "null")


def shown(value: Any) -> str:
    """A value in a message: short, on one line."""
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
    """The JSON of a dataclass, list or mapping. Fields that may be left out and are None are left out."""
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
    """The fields of a record, each with whether it is written even if it is None; None for anything else."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple((field.name, field.default is dataclasses.MISSING) for field in dataclasses.fields(kind))


# ---- the schema --------------------------------------------------------------------------------


def json_schema(kinds: Mapping[str, Any], title: str, *, open_ended: bool) -> dict[str, Any]:
    """A JSON Schema (2020-12) of a document that is one of ``kinds``. ``open_ended``: unknown keys pass."""
    definitions: dict[str, Any] = {}
    roots = {name: _schema_of(kind, definitions, open_ended) for name, kind in kinds.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$comment": "Generated from the types by python -m truco_spec.conformance.schemas; do not edit.",
        **(next(iter(roots.values())) if len(roots) == 1 else {"anyOf": list(roots.values())}),
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _schema_of(kind: Any, definitions: dict[str, Any], open_ended: bool) -> dict[str, Any]:
    if kind is Any:
        return {}
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in definitions:
            definitions[kind.__name__] = {}
            definitions[kind.__name__] = _schema_of_record(kind, definitions, open_ended)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return {**_schema_of(parts[0], definitions, open_ended), "description": parts[1]}
    if origin is Literal:
        return {"enum": list(parts)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_schema_of(part, definitions, open_ended) for part in parts]}
    if origin is tuple:
        return {"type": "array", "items": _schema_of(parts[0], definitions, open_ended)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _schema_of(parts[1], definitions, open_ended)}
    names = {str: "string", int: "integer", bool: "boolean", types.NoneType: "null", None: "null"}
    return {"type": names[kind]}


def _schema_of_record(kind: type, definitions: dict[str, Any], open_ended: bool) -> dict[str, Any]:
    hints = _hints(kind)
    properties, required = {}, []
    for field in dataclasses.fields(kind):
        properties[field.name] = _schema_of(hints[field.name], definitions, open_ended)
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    schema: dict[str, Any] = {"type": "object", "description": " ".join((kind.__doc__ or "").split())}
    schema |= {"properties": properties, "required": required}
    if not open_ended:
        schema["additionalProperties"] = False
    return schema
