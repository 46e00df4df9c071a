"""Readers made of types: quick where a value has its shape, and without a word where it has not.

:func:`~truco_spec.conformance.shapes.read` asks such a reader first. Where that has any doubt it reads step by step,
and says what is wrong and where.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

Reader = Callable[[Any], Any]

_SIMPLE = (str, int, bool, float, types.NoneType)


class Doubt(Exception):
    """The value may not have its shape."""


@lru_cache(maxsize=512)
def reader_of(kind: Any, lenient: bool) -> Reader:
    """The reader of a type as ``shapes`` understands it. It raises :class:`Doubt`."""
    if kind is Any:
        return _anything
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind, lenient)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return reader_of(parts[0], lenient)
    if origin is Literal and all(type(part) is str for part in parts):
        return _text_of(frozenset(parts))
    if origin in (types.UnionType, typing.Union) and all(part in _SIMPLE for part in parts):
        return _simple(frozenset(parts))
    if origin in (types.UnionType, typing.Union):
        return _union(parts, lenient)
    if origin is tuple:
        return _texts if parts[0] is str else _list(reader_of(parts[0], lenient))
    if origin is Mapping:
        return _mapping(reader_of(parts[1], lenient))
    if kind is None or kind in _SIMPLE:
        return _simple(frozenset((types.NoneType if kind is None else kind,)))
    return _nothing


def _anything(value: Any) -> Any:
    return value


def _nothing(value: Any) -> Any:
    raise Doubt


def _simple(kinds: frozenset[type]) -> Reader:
    def read(value: Any) -> Any:
        if type(value) in kinds:
            return value
        raise Doubt

    return read


def _text_of(texts: frozenset[str]) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is str and value in texts:
            return value
        raise Doubt

    return read


def _texts(value: Any) -> Any:
    if type(value) is list:
        for item in value:
            if type(item) is not str:
                raise Doubt
        return tuple(value)
    raise Doubt


def _list(inner: Reader) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is list:
            return tuple([inner(item) for item in value])
        raise Doubt

    return read


def _mapping(inner: Reader) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is dict:
            return {key: inner(item) for key, item in value.items()}
        raise Doubt

    return read


def _union(parts: tuple[Any, ...], lenient: bool) -> Reader:
    """Of several records the first field tells which it is; of other types the first that fits."""
    records = [part for part in parts if dataclasses.is_dataclass(part) and isinstance(part, type)]
    tagged = [(dataclasses.fields(record)[0].name, reader_of(record, lenient)) for record in records]
    others = [reader_of(part, lenient) for part in parts if part not in records]

    def read(value: Any) -> Any:
        if type(value) is dict and tagged:
            for tag, reader in tagged:
                if tag in value or len(tagged) == 1:
                    return reader(value)
            raise Doubt
        for reader in others:
            try:
                return reader(value)
            except Doubt:
                continue
        raise Doubt

    return read


def _record(kind: type, lenient: bool) -> Reader:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = dataclasses.fields(kind)
    readers = [(field.name, reader_of(hints[field.name], lenient)) for field in fields]
    names = frozenset(field.name for field in fields)
    missing = dataclasses.MISSING
    required = [field.name for field in fields if field.default is missing and field.default_factory is missing]

    def read(value: Any) -> Any:
        if type(value) is not dict or not (lenient or value.keys() <= names):
            raise Doubt
        for name in required:
            if name not in value:
                raise Doubt
        return kind(**{name: reader(value[name]) for name, reader in readers if name in value})

    return read
