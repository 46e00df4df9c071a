"""Loads the graph of a variant, by name or from a file. Shipped variants are kept in the user's cache between runs.

Linking under fixed options folds them, which is fast to play, but every other setting must be linked again. In an open
graph the switches stay in the rules: each option is a datum, set at the start of a game, so that one graph plays under
any setting, and the options read in a game can be recorded. Some options cannot stay open: those that bound a range,
make the pack or seat the players are settled when the graph is built.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truco_spec.base.errors import TrucoError, located
from truco_spec.base.paths import led_to
from truco_spec.base.project import OWN, by_variant, project_of
from truco_spec.base.shipped import is_file, variant_names
from truco_spec.base.user_cache import Records, Shelf, installation
from truco_spec.base.words import Sentence
from truco_spec.graph.model import HOW_MANY, Graph, by_identity
from truco_spec.language.diagnostics import SpecError

if TYPE_CHECKING:
    from truco_spec.graph.link import Chain
    from truco_spec.language.tree import File

Options = tuple[tuple[str, str], ...]

_OPEN = ("open", "options")
"""The part of a cached graph's name in addition to its options."""
_CORE = (("core", "statements"),)
"""The part of the name of a variant that is linked and desugared, and no graph yet."""
REFUSED = "refused."
"""Prefix of a refusal: the question whether it applies."""
SETTLED = "settled."
"""Prefix of a settled option: a datum that only refusals read."""
_CODE = ".code"
"""Suffix of a graph's name for the text of its code."""

_MADE_BY = ("base", "language", "graph", "engine")
"""The parts of this package that affect a graph."""

_SHELF = Shelf("graphs", 2400)


def load(name: str, **options: object) -> Graph:
    """Return the cached graph of an available variant under these options (``_`` in a keyword stands for ``-``).

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    given = tuple(sorted(_options(options).items()))
    return _load(name, given)


def seatings(name: str) -> Iterator[Graph]:
    """Yield the graph of an available variant for each number of players that its rules allow."""
    graph = load(name)
    if HOW_MANY not in graph.options:
        yield graph
        return
    for count in graph.options[HOW_MANY].values:
        with suppress(SpecError):  # the option exists, and the game refuses this value
            yield load(name, **{HOW_MANY: count})


def know(path: str) -> str:
    """Register the (last) variant of a file in this process, to be loaded by its name, which is returned.

    Raises :class:`truco_spec.language.diagnostics.SpecError` for an invalid text, and OwnNameError for the name of a
    shipped variant.
    """
    from truco_spec.language.read import read_file

    name = read_file(path).variants[-1].name
    home = project_of(name)
    if home is not None and home.texts()[name] == led_to(path):
        return name
    if name in variant_names() or home is not None:
        message = Sentence("{name} is the name of a variant that is at hand already. Choose another.", name=name)
        raise OwnNameError(located(path, message))
    OWN[name] = path
    return name


class OwnNameError(TrucoError):
    """A user's variant cannot be registered under its name."""


def load_file(path: Path | str, variant: str = "", **options: object) -> Graph:
    """The graph of a variant in a file (the last one by default). It may extend shipped variants.

    The file of a variant at hand is read with its concordance, as by its name.
    """
    from truco_spec.graph.link import known_texts
    from truco_spec.language.read import read_file

    name = Path(path).stem
    if known_texts().get(name) == led_to(path) and variant in ("", name):
        return load(name, **options)
    file = read_file(path)
    return _link(variant or file.variants[-1].name, _options(options), file)


def load_text(text: str, variant: str = "", path: str = "<text>", **options: object) -> Graph:
    """The graph of a variant in a text."""
    from truco_spec.language.read import read

    file = read(text, path)
    return _link(variant or file.variants[-1].name, _options(options), file)


@by_variant(512)
def _load(name: str, options: Options) -> Graph:
    place = "" if name in OWN else name_of(name, options)
    found = fetch(place, partial(_load, name)) if place else None
    if found is None:
        base, like = _like(name, options)
        found = _link(name, dict(options)) if like is None else _relink(name, dict(options), like, dict(base))
        if place:
            keep(place, found, base, like)
    return _with_code(found, place) if place else found


def _like(name: str, options: Options) -> tuple[Options, Graph | None]:
    """The graph that one under these options is like, and its options: only that for the number of players. None if
    that is all they are, or there is no such game.
    """
    base = tuple(option for option in options if option[0] == HOW_MANY)
    with suppress(SpecError):
        return base, None if base == options else _load(name, base)
    return base, None


def _relink(name: str, options: dict[str, str], like: Graph, of: dict[str, str]) -> Graph:
    """The graph, with all that the options leave as it is in one ``like`` it, under the options ``of``."""
    from truco_spec.graph.linking.limits import measure
    from truco_spec.graph.linking.rebuild import rebuild

    chain = core(name)
    found = rebuild(chain, chain, like, options, of)
    if too_large := measure(found):
        raise SpecError(too_large)
    return found


def _link(name: str, options: dict[str, str], file: File | None = None) -> Graph:
    # Linking is imported on demand: a cached graph does not need it.
    from truco_spec.graph.linking.build import build

    return build(_chain(name, file), options)


def _chain(name: str, file: File | None = None) -> Chain:
    """The statements of a variant at hand, of one in a file, or of a user's own."""
    from truco_spec.graph.link import blocks_of, link, linked
    from truco_spec.language.read import read_file

    if file is None and name in OWN:
        file = read_file(OWN[name])
    return linked(name) if file is None else link(blocks_of(name, [file]))


@by_variant(16)
def core(name: str) -> Chain:
    """Return the statements of an available variant or of a user's file, linked and desugared: the input of single
    changes. Cached like graphs, so that changes need no parser. Raises SpecError.
    """
    from truco_spec.graph.link import Chain

    place = "" if name in OWN else name_of(name, _CORE)
    kept = _SHELF.take(place) if place else None
    if isinstance(kept, Chain):
        return kept
    from truco_spec.graph.linking.build import desugared

    found = desugared(_chain(name))
    if place:
        _SHELF.put(place, found)
    return found


def _options(given: dict[str, object]) -> dict[str, str]:
    return {key.replace("_", "-"): str(value) for key, value in given.items()}


# --------------------------------------------------------------------------------------------------
# Graphs with open options.


def load_open(name: str, settled: Mapping[str, str] | None = None) -> Graph:
    """Return the cached graph of an available variant with its options open, except those ``settled``.

    A name that ends in ``.truco`` or holds a ``/`` is a file, whose last variant is used; its graph is not cached.
    Raises :class:`truco_spec.language.diagnostics.SpecError` for an unknown variant, option or value.
    """
    return _load_open(name, tuple(sorted((settled or {}).items())))


def is_open(graph: Graph, option: str) -> bool:
    """Whether the graph leaves this option open."""
    return option in graph.options and option in graph.data


@by_variant(64)
def _load_open(name: str, settled: Options) -> Graph:
    path = OWN.get(name, name)
    if is_file(path):
        return _load_file_open(path, dict(settled))
    place = name_of(name, (*settled, _OPEN))
    found = fetch(place, partial(_load_open, name))
    if found is None:
        from truco_spec.graph.linking.rebuild import open_graph  # a cached graph needs no building

        found = open_graph(name, dict(settled))
        keep(place, found, base=_load_open(name, ()) if settled else None)
    return _with_code(found, place)


def _load_file_open(path: str, settled: dict[str, str]) -> Graph:
    """Build the graph of the last variant in a file. Raises SpecError, also for one too large to play."""
    from truco_spec.graph.linking.rebuild import open_graph
    from truco_spec.language.read import read_file

    file = read_file(path)
    load_file(path, "", **settled)
    return open_graph(file.variants[-1].name, settled, [file])


# --------------------------------------------------------------------------------------------------
# Kept graphs. A name holds a digest of all inputs: the shipped texts, this package, the Python that runs it, the
# variant and its options. A graph may be stored as a delta to another of its variant.


def name_of(variant: str, options: Iterable[tuple[str, str]]) -> str:
    """The cache key of a graph."""
    home = project_of(variant)
    texts = [(str(path), path.read_bytes()) for path in home.texts().values()] if home else []
    return hashlib.sha256(installation(_MADE_BY) + repr((variant, tuple(options), texts)).encode()).hexdigest()


def _with_code(graph: Graph, place: str) -> Graph:
    """The graph with the text of its code, if that is kept."""
    graph.module = fetch_code(place)
    graph.keep = partial(keep_code, place)
    return graph


def fetch(name: str, other: Callable[[Options], Graph] | None = None) -> Graph | None:
    """The cached graph, or None. ``other`` returns the graph of the same variant under other options."""
    kept: Any = _SHELF.take(name)
    try:
        base, content = kept
        found = unpickled(content, None if base is None or other is None else other(base))
    except Exception:  # noqa: BLE001  (whatever is wrong with a kept file: it is as good as none)
        return None
    return found if isinstance(found, Graph) else None


def keep(name: str, graph: Graph, options: Options = (), base: Graph | None = None) -> None:
    """Cache a graph, as a delta to ``base``, if any, the graph under these ``options``; a failure is ignored."""
    _SHELF.put(name, (None if base is None else options, pickled(graph, base)))


def fetch_code(name: str) -> str | None:
    """The cached text of a graph's code, or None."""
    found = _SHELF.read(name + _CODE)
    return None if found is None else found.decode("utf-8", "replace")


def keep_code(name: str, code: str) -> None:
    """Cache the text of a graph's code; a failure is ignored."""
    _SHELF.write(name + _CODE, code.encode("utf-8"))


# --------------------------------------------------------------------------------------------------
# Serialisation of graphs. Parts shared with another graph of the variant are stored as references to it.

MAPPINGS = (
    "options",
    "data",
    "phases",
    "actions",
    "defines",
    "tables",
    "effects",
    "rules",
    "decisions",
    "refusals",
)
"""The fields of a graph that map names to parts."""
_SEQUENCES = ("cards", "cites", "vanished")
_MOST_KEPT = 32
"""Maximum graphs whose serialised parts are memoised."""

Place = tuple[str, Any]
"""The place of a part: the field, and its name or number in it, or None for the whole field."""


def pickled(graph: Graph, base: Graph | None = None) -> bytes:
    """Serialise the graph without the parts it shares with ``base``, and without the one it is like."""
    graph = replace(graph, like=None)
    if base is None:
        return pickle.dumps(graph, pickle.HIGHEST_PROTOCOL)
    found = io.BytesIO()
    _Writer(found, _common(graph, base)).dump(graph)
    return found.getvalue()


def unpickled(text: bytes, base: Graph | None = None) -> object:
    """Deserialise the output of :func:`pickled`, given the same ``base``. Raises as pickle does for other bytes."""
    return _Reader(io.BytesIO(text), base).load()


class _Writer(pickle.Pickler):
    """``common`` maps shared parts, by identity, to their places in the base."""

    def __init__(self, file: io.BytesIO, common: Mapping[int, Place]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self.common = common

    def persistent_id(self, thing: object) -> Place | None:
        return self.common.get(id(thing))


class _Reader(Records):
    def __init__(self, file: io.BytesIO, base: Graph | None) -> None:
        super().__init__(file)
        self.base = base

    def persistent_load(self, place: Place) -> object:
        field = getattr(self.base, place[0])
        if place[1] is not None:
            return field[place[1]]
        return field.copy() if isinstance(field, dict) else field


def _common(graph: Graph, base: Graph) -> dict[int, Place]:
    """Map shared parts, by identity, to their places in the base; equal including spans."""
    found: dict[int, Place] = {}
    texts, fields = _parts_of(base)
    for name, (in_order, places) in fields.items():
        field = getattr(graph, name)
        own = [(at, texts.get(id(thing)) or _bytes(thing), thing) for at, thing in _things(field)]
        if own and [(at, text) for at, text, _ in own] == in_order:
            found[id(field)] = (name, None)
        found |= {id(thing): (name, places[text]) for _, text, thing in own if text in places}
    return found


_Parts = tuple[dict[int, bytes], dict[str, tuple[list[tuple[Any, bytes]], dict[bytes, Any]]]]


@by_identity(_MOST_KEPT)
def _parts_of(base: Graph) -> _Parts:
    """The serialised parts of a graph, by identity; and by field, in order, with their places; memoised."""
    texts: dict[int, bytes] = {}
    fields = {}
    for name in (*MAPPINGS, *_SEQUENCES):
        in_order = []
        for at, thing in _things(getattr(base, name)):
            texts[id(thing)] = text = _bytes(thing)
            in_order.append((at, text))
        fields[name] = in_order, {text: at for at, text in in_order}
    return texts, fields


def _things(field: Mapping[str, object] | tuple[object, ...]) -> Iterator[tuple[Any, object]]:
    return iter(field.items() if isinstance(field, Mapping) else enumerate(field))


def _bytes(thing: object) -> bytes:
    return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
