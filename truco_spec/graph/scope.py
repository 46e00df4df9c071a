"""What an expression can name: the names of the variant, and those at hand where the expression stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from truco_spec.graph.model import Expr, Param
from truco_spec.graph.types import Type
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic


class Names(Protocol):
    """What names mean in a variant: the builder answers, elaborating what is asked for as it goes."""

    @property
    def words(self) -> dict[str, int]:
        """The code of every word."""

    def signature(self, name: str, span: t.Span) -> tuple[str, tuple[Param, ...], Type] | None:
        """Kind (datum, ask, table), parameters and type of a declared question, or None."""

    def option_value(self, name: str) -> tuple[Type, int] | None:
        """Type and value of an option, or None."""

    def option(self, name: str, span: t.Span) -> Expr | None:
        """What the name of an option stands for, or None where it is none."""

    def card_value(self, name: str) -> int | None:
        """The number of a card; -1 for a card that no pack of these options holds; None if it is no card."""

    def member(self, name: str) -> tuple[Type, int] | None:
        """The only order that has this member, with its value there; or None."""

    def member_of(self, kind: Type, name: str) -> int | None:
        """The value of this member in the order that the type names, or None."""

    def named_type(self, name: str) -> Type | None:
        """A type by its name, or None."""

    def phase_number(self, name: str) -> int | None:
        """The number of a phase, or None."""

    def all_names(self) -> list[str]:
        """Every name, for suggestions."""


@dataclass
class Wrong(Exception):
    """A part of an expression that has no meaning; caught where the statement is built."""

    diagnostic: Diagnostic


@dataclass
class Scope:
    """The names at hand: parameters with their types, and who acts (``me``), if anyone."""

    params: dict[str, Type] = field(default_factory=dict)

    def within(self, more: Mapping[str, Type]) -> Scope:
        """The scope with more names."""
        return Scope({**self.params, **more})
