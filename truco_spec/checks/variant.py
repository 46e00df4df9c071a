"""A variant under check: its linked text, and its graph under any options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from truco_spec.graph.link import Chain, Linked, blocks_of, link
from truco_spec.graph.linking.build import build
from truco_spec.graph.linking.names import names_in
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import read, read_file


@dataclass(slots=True)
class Variant:
    """The text of a variant after linking. ``folders`` may hold further sources."""

    name: str
    chain: Chain
    folders: tuple[Path, ...] = ()
    set_options: Mapping[str, str] = field(default_factory=dict)
    _graph: Graph | None = None
    _graphs: dict[tuple[tuple[str, str], ...], Graph | None] = field(default_factory=dict)
    _names: dict[str, set[str]] = field(default_factory=dict)
    _mentions: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def graph(self) -> Graph:
        """The graph under the default options. Raises SpecError."""
        if self._graph is None:
            self._graph = build(self.chain, dict(self.set_options))
        return self._graph

    def under(self, options: Mapping[str, str]) -> Graph | None:
        """The graph under other options; None if they exclude each other, or do not link."""
        key = tuple(sorted(options.items()))
        if key not in self._graphs:
            try:
                self._graphs[key] = build(self.chain, {**self.set_options, **options})
            except SpecError:
                self._graphs[key] = None
        return self._graphs[key]

    def options(self) -> dict[str, t.Statement]:
        """The options, by name."""
        return {name: item.statement for name, item in self.chain.items.items() if item.statement.kind == "option"}

    def mentions(self, name: str) -> frozenset[str]:
        """The options that a statement depends on, directly or through other names."""
        if name not in self._mentions:
            self._mentions[name] = frozenset()
            found: set[str] = set()
            for word in self._named(name):
                item = self.chain.items.get(word)
                if item is None or word == name:
                    continue
                found |= {word} if item.statement.kind == "option" else self.mentions(word)
            self._mentions[name] = frozenset(found)
        return self._mentions[name]

    def _named(self, name: str) -> set[str]:
        return self.names.get(name, set())

    @property
    def names(self) -> dict[str, set[str]]:
        """For each statement all names that stand in it."""
        if not self._names:
            self._names = {name: names_in(item.statement) for name, item in self.chain.items.items()}
        return self._names


def statements(chain: Chain) -> Iterator[tuple[str, Linked]]:
    """Every linked statement with its name."""
    yield from chain.items.items()


def shipped_variant(name: str, options: Mapping[str, str] | None = None) -> Variant:
    """A shipped variant. Raises SpecError."""
    return Variant(name, link(blocks_of(name)), (), dict(options or {}))


def variant_in(path: Path | str, name: str = "", options: Mapping[str, str] | None = None) -> Variant:
    """A variant in a file (its last one where none is named). Raises SpecError."""
    return _of_file(read_file(path), name, Path(path).parent, options)


def variant_of(text: str, name: str = "", options: Mapping[str, str] | None = None) -> Variant:
    """A variant in a text. Raises SpecError."""
    return _of_file(read(text), name, None, options)


def _of_file(file: t.File, name: str, folder: Path | None, options: Mapping[str, str] | None) -> Variant:
    chosen = name or file.variants[-1].name
    folders = tuple(f for f in (folder, folder / "sources") if f.is_dir()) if folder is not None else ()
    return Variant(chosen, link(blocks_of(chosen, [file])), folders, dict(options or {}))
