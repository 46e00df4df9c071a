"""Variants for programs that are not Python: the module of each, what its numbers mean, and the library that plays it.

The rules are in the module alone; the JSON beside it names cards, words, actions and data, and holds the sentence of
each rule in three languages with its clauses. ``truco.js`` is the same for every variant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from truco_spec.base import __version__
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.shipped import LANGUAGES
from truco_spec.base.words import Sentence
from truco_spec.books.book import Filler
from truco_spec.books.book_words import words_in
from truco_spec.engine.layout import Layout
from truco_spec.engine.text import plainly
from truco_spec.engine.wasm.expressions import POSITION
from truco_spec.engine.wasm.native import bytes_of
from truco_spec.graph.load import load, seatings
from truco_spec.graph.model import AGREED, NEVER, OBSERVED, SEEN, Graph, Param
from truco_spec.graph.types import Type

LIBRARY = Path(__file__).resolve().parents[1] / "engine" / "wasm"
FORMAT = 1
NPM_VERSION = re.sub(r"(a|b|rc)(\d+)$", r"-\1.\2", __version__)
"""The version as npm writes it."""


class NobodyPlays(TrucoError):
    """A variant has no players yet."""


_README = """# {package}

{count} variants of Truco as WebAssembly, each for every number of players that its rules allow: what is permitted, what
follows, and which rule says so. Written by `truco-spec build --all --npm` (truco-spec {version}).

```js
import {{ Truco }} from "{package}";

const game = await Truco.load("{first}");
game.draw();
console.log(game.legalActions());
```

| variant | names for `load` |
| --- | --- |
{rows}

`{package}/variants.json` has this table for programs. More is in docs/embed.md of truco-spec.
"""


def files_of(graph: Graph, *, npm: bool = False) -> Iterator[tuple[str, bytes]]:
    """Every file of a game with its name; with ``npm`` also what makes it a package.

    Raises MissingRuntime, TooLarge and :class:`NobodyPlays`.
    """
    yield from _game(graph.name, graph)
    about = f"{graph.title}: the rules of truco-spec as WebAssembly"
    yield from _library(f"truco-{graph.name}", about, npm=npm)


def files_of_all(variants: Iterable[str], *, npm: bool = False) -> Iterator[tuple[str, bytes]]:
    """Every file of several games, each for every number of players, named ``VARIANT-PLAYERS``.

    ``variants.json`` lists them. Raises as :func:`files_of`.
    """
    listed: list[dict[str, Any]] = []
    for name in variants:
        names = {}
        for graph in seatings(name):
            names[str(graph.seats)] = f"{name}-{graph.seats}"
            yield from _game(f"{name}-{graph.seats}", graph)
        listed.append({"variant": name, "title": load(name).title, "names": names})
    yield "variants.json", _json({"truco": FORMAT, "variants": listed})
    package = "truco-games"
    yield from _library(package, "Games of Truco: the rules of truco-spec as WebAssembly", npm=npm)
    if npm:
        rows = (f"| {one['title']} | {', '.join(f'`{name}`' for name in one['names'].values())} |" for one in listed)
        told = _README.format(
            package=package, version=__version__, count=len(listed), rows="\n".join(rows),
            first=next(iter(listed[0]["names"].values())),
        )  # fmt: skip
        yield "README.md", told.encode()


def _game(name: str, graph: Graph) -> Iterator[tuple[str, bytes]]:
    if not (graph.seats and graph.rules):
        wrong = Sentence("It has no players or no rules. Write “extends” and a game that has.")
        raise NobodyPlays(located(graph.name, wrong))
    yield f"{name}.wasm", bytes_of(graph)
    yield f"{name}.json", _json(data_of(graph))


def _library(package: str, about: str, *, npm: bool) -> Iterator[tuple[str, bytes]]:
    for name in ("truco.js", "truco.d.ts"):
        yield name, (LIBRARY / name).read_bytes()
    if npm:
        data = {
            "name": package,
            "version": NPM_VERSION,
            "description": about,
            "license": "(MIT AND CC0-1.0)",
            "type": "module",
            "exports": {".": {"types": "./truco.d.ts", "default": "./truco.js"}, "./*": "./*"},
            "main": "truco.js",
            "types": "truco.d.ts",
            "files": ["*.wasm", "*.json", "truco.js", "truco.d.ts"],
        }
        yield "package.json", _json(data)


def data_of(graph: Graph, rules: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return the meaning of the module's numbers; ``rules`` are the sentences of its rules, if not those
    of the graph.
    """
    layout, defines = Layout(graph), graph.defines
    asked = [name for name in defines if name.startswith(OBSERVED)]
    return {
        "truco": FORMAT,
        "variant": graph.name,
        "title": graph.title,
        "options": {option.name: option.value for option in graph.options.values()},
        "seats": graph.seats,
        "teams": graph.teams,
        "position": POSITION,
        "slots": layout.size,
        "words": dict(graph.words),
        "cards": [card.name for card in graph.cards],
        "orders": {name: list(members) for name, members in graph.orders.items()},
        "phases": list(graph.phases),
        "actions": [
            {"name": kind.name, "params": params_of(kind.params), "written": list(kind.written)}
            for kind in graph.actions.values()
        ],
        "observed": [
            {
                "name": name[len(OBSERVED) :],
                "params": params_of(defines[name].params),
                "type": type_of(defines[name].type),
            }
            for name in asked
        ],
        "seen": [
            {"slot": slot, "many": many, "ask": layout.names[slot] + SEEN, "at": list(layout.indices[slot])}
            for slot, many in layout.of_cards.items()
        ],
        "start": {
            name: {"slot": layout.blocks[name].base, "params": params_of(datum.params), "type": type_of(datum.type)}
            for name, datum in graph.data.items()
            if not datum.fresh and not datum.type.place
        },
        "never": [name for name in defines if name.startswith(NEVER)],
        "rules": _rules(graph) if rules is None else rules,
    }


def _rules(graph: Graph) -> list[dict[str, Any]]:
    fillers = {language: Filler(graph, words_in(language)) for language in LANGUAGES}
    return [
        {
            "name": rule.name,
            "text": {
                language: fill(plainly(fill.words(rule.source.prose), fill.words(AGREED)))
                for language, fill in fillers.items()
            },
            "clauses": [f"{cite.source}:{cite.clause}" for cite in rule.source.cites],
        }
        for rule in graph.rules.values()
    ]


def params_of(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    return [{"name": param.name, **type_of(param.type)} for param in params]


def type_of(kind: Type) -> dict[str, Any]:
    found: dict[str, Any] = {"base": kind.base, "low": kind.low, "high": kind.high}
    more = {"order": kind.name if kind.base == "order" else "", "words": sorted(kind.words), "many": kind.many}
    return found | {key: value for key, value in more.items() if value}


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()
