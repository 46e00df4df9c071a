"""Loads the graph of a variant, by name or from a file."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import OWN, variant_names
from truco_spec.graph import cache
from truco_spec.graph.cache import Options
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError

if TYPE_CHECKING:
    from truco_spec.language.tree import File


@lru_cache(maxsize=512)
def _load(name: str, options: Options) -> Graph:
    kept = cache.name_of(name, options)
    found = cache.fetch(kept, partial(_load, name))
    if found is None:
        found = _link(name, dict(options))
        base = _base(name, options, found)
        cache.keep(kept, found, base, None if base is None else _load(name, base))
    found.module = cache.fetch_code(kept)
    found.keep = partial(cache.keep_code, kept)
    return found


def _base(name: str, options: Options, graph: Graph) -> Options | None:
    """The options of the base graph of a delta: none, or only the one for the number of players."""
    if not options:
        return None
    if _seats(name, ()) == graph.seats:
        return ()
    for option in options:
        if option[1] == str(graph.seats) and len(options) > 1 and _seats(name, (option,)) == graph.seats:
            return (option,)
    return None


def _seats(name: str, options: Options) -> int:
    try:
        return _load(name, options).seats
    except SpecError:
        return 0


def _link(name: str, options: dict[str, str], file: File | None = None) -> Graph:
    # Linking is imported on demand: a cached graph does not need it.
    from truco_spec.graph.link import blocks_of, link, linked
    from truco_spec.graph.linking.build import build

    return build(linked(name) if file is None else link(blocks_of(name, [file])), options)


def _options(given: dict[str, object]) -> dict[str, str]:
    return {key.replace("_", "-"): str(value) for key, value in given.items()}


def load(name: str, **options: object) -> Graph:
    """Return the cached graph of a shipped or registered variant under these options (``_`` in a keyword stands for
    ``-``).

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    given = tuple(sorted(_options(options).items()))
    return _load(name, given) if name not in OWN else _load_own(OWN[name], given)


@lru_cache(maxsize=128)
def _load_own(path: str, options: Options) -> Graph:
    return load_file(path, "", **dict(options))


def know(path: str) -> str:
    """Register the (last) variant of a file in this process, to be loaded by its name, which is returned.

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an invalid text, and OwnNameError for the name of a
    shipped variant.
    """
    from truco_spec.language.read import read_file

    name = read_file(path).variants[-1].name
    if name in variant_names():
        raise OwnNameError(f"{path}: error: {name} is the name of a variant that is shipped. Choose another.")
    OWN[name] = path
    return name


class OwnNameError(TrucoError):
    """A user's variant cannot be registered under its name."""


def load_file(path: Path | str, variant: str = "", **options: object) -> Graph:
    """The graph of a variant in a file (the last one by default). It may extend shipped variants.

    The file of a shipped variant is read with its concordance, as by its name.
    """
    from truco_spec.graph.link import shipped_variants
    from truco_spec.language.read import read_file

    name = Path(path).stem
    if shipped_variants().get(name) == Path(path).resolve() and variant in ("", name):
        return load(name, **options)
    file = read_file(path)
    return _link(variant or file.variants[-1].name, _options(options), file)


def load_text(text: str, variant: str = "", path: str = "<text>", **options: object) -> Graph:
    """The graph of a variant in a text."""
    from truco_spec.language.read import read

    file = read(text, path)
    return _link(variant or file.variants[-1].name, _options(options), file)
