"""The parse table as the parser uses it: from ``grammar/truco.table.json``, or made anew when the grammar changed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from truco_spec import shipped

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Production:
    """One production. ``built`` and ``take`` are explained in :mod:`truco_spec.language.compile_table`."""

    of: str
    built: str | None
    parts: tuple[str, ...]
    take: tuple[int, ...]

    @property
    def label(self) -> str:
        """What the production is called in the grammar: its alias, or its rule."""
        return self.built or self.of


@dataclass(frozen=True, slots=True)
class Table:
    """The automaton.

    ``actions[state][terminal]`` is the next state, or ``-1 - n`` to reduce by production n; ``items[state]`` are the
    productions under way in a state, with how many of their parts have been read. ``bodies`` are the states between the
    statements of a variant, ``openers`` the terminals that begin a statement there, ``bounds`` these and the one that
    closes the variant.
    """

    words: dict[str, tuple[str, ...]]
    signs: dict[str, tuple[str, ...]]
    terminals: tuple[str, ...]
    productions: tuple[Production, ...]
    actions: tuple[dict[str, int], ...]
    gotos: tuple[dict[str, int], ...]
    items: tuple[tuple[tuple[int, int], ...], ...]
    end: int
    bodies: frozenset[int]
    openers: frozenset[str]
    bounds: frozenset[str]


def from_data(data: dict[str, Any]) -> Table:
    """A table from what :func:`truco_spec.language.compile_table.compile_table` returns."""
    actions = tuple(data["actions"])
    bodies = frozenset(state for state, row in enumerate(actions) if row.get("DROP", -1) >= 0)
    bounds = {terminal for state in bodies for terminal, to in actions[state].items() if to >= 0}
    return Table(
        words={word: (*names, "NAME") for word, names in data["words"].items()},
        signs={sign: tuple(names) for sign, names in data["signs"].items()},
        terminals=tuple(data["terminals"]),
        productions=tuple(Production(r["of"], r["as"], tuple(r["parts"]), tuple(r["take"])) for r in data["rules"]),
        actions=actions,
        gotos=tuple(data["gotos"]),
        items=tuple(tuple((rule, dot) for rule, dot in items) for items in data["items"]),
        end=data["end"],
        bodies=bodies,
        openers=frozenset(bounds - {"RBRACE"}),
        bounds=frozenset(bounds),
    )


def fingerprint(grammar: str) -> str:
    """What tells whether a table belongs to a grammar."""
    return hashlib.sha256(f"{FORMAT}\n{grammar}".encode()).hexdigest()


@lru_cache(maxsize=1)
def table() -> Table:
    """The table of the shipped grammar; made anew only when the grammar was edited and the table was not."""
    folder = shipped.folder("grammar")
    grammar = (folder / "truco.lark").read_text(encoding="utf-8")
    try:
        data = json.loads((folder / "truco.table.json").read_text(encoding="utf-8"))
        fits = data["fingerprint"] == fingerprint(grammar)
    except (OSError, ValueError, KeyError):
        fits = False
    if not fits:
        from truco_spec.language.compile_table import compile_table

        data = compile_table(grammar)
    return from_data(data)
