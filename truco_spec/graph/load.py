"""Loading: from the name of a variant, or a file, to its graph."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from truco_spec.graph.build import build
from truco_spec.graph.link import blocks_of, link
from truco_spec.graph.model import Graph
from truco_spec.language.read import read, read_file


@lru_cache(maxsize=64)
def _load(name: str, options: tuple[tuple[str, str], ...]) -> Graph:
    return build(link(blocks_of(name)), dict(options))


def load(name: str, **options: object) -> Graph:
    """The graph of a shipped variant under these options (``_`` in a keyword stands for ``-``). Cached.

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted((key.replace("_", "-"), str(value)) for key, value in options.items())))


def load_file(path: Path | str, variant: str = "", **options: object) -> Graph:
    """The graph of a variant in a file (its last one where none is named). It may extend shipped variants."""
    file = read_file(path)
    name = variant or file.variants[-1].name
    return build(link(blocks_of(name, [file])), {key.replace("_", "-"): value for key, value in options.items()})


def load_text(text: str, variant: str = "", path: str = "<text>", **options: object) -> Graph:
    """The graph of a variant in a text."""
    file = read(text, path)
    name = variant or file.variants[-1].name
    return build(link(blocks_of(name, [file])), {key.replace("_", "-"): value for key, value in options.items()})
