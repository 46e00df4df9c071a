"""Loading: from the name of a variant, or a file, to its graph."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.graph import cache
from truco_spec.graph.model import Graph

if TYPE_CHECKING:
    from truco_spec.language.tree import File


@lru_cache(maxsize=64)
def _load(name: str, options: tuple[tuple[str, str], ...]) -> Graph:
    kept = cache.name_of(name, options)
    found = cache.fetch(kept)
    if found is None:
        found = _link(name, dict(options))
        cache.keep(kept, found)
    found.module = cache.fetch_code(kept)
    found.keep = partial(cache.keep_code, kept)
    return found


def _link(name: str, options: dict[str, str], file: File | None = None) -> Graph:
    # Linking is imported when something is linked: a kept graph needs none of it.
    from truco_spec.graph.build import build
    from truco_spec.graph.link import blocks_of, link

    return build(link(blocks_of(name, [file] if file is not None else [])), options)


def _options(given: dict[str, object]) -> dict[str, str]:
    return {key.replace("_", "-"): str(value) for key, value in given.items()}


def load(name: str, **options: object) -> Graph:
    """The graph of a shipped variant under these options (``_`` in a keyword stands for ``-``). Cached.

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load(name, tuple(sorted(_options(options).items())))


def load_file(path: Path | str, variant: str = "", **options: object) -> Graph:
    """The graph of a variant in a file (its last one where none is named). It may extend shipped variants."""
    from truco_spec.language.read import read_file

    file = read_file(path)
    return _link(variant or file.variants[-1].name, _options(options), file)


def load_text(text: str, variant: str = "", path: str = "<text>", **options: object) -> Graph:
    """The graph of a variant in a text."""
    from truco_spec.language.read import read

    file = read(text, path)
    return _link(variant or file.variants[-1].name, _options(options), file)
