"""Graphs are kept as what is different from another of their variant, and are read as they were."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from truco_spec.graph.load import MAPPINGS, Options, fetch, keep, load, load_text, pickled, unpickled
from truco_spec.graph.model import Graph

ONE_OF_MANY = {
    "argentino": {"mazo_scope": "player-only"},
    "mineiro": {"tie_lead": "last"},
    "paulista": {"players": "2", "tied_hand": "dealer"},
    "uruguayo": {"players": "6"},
}


def same(one: Any, other: Any) -> bool:
    """Whether two things are the same, with the places in their texts, which are not compared otherwise."""
    if type(one) is not type(other):
        return False
    if is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def plain(graph: Graph) -> Graph:
    """The graph as it is kept, without what plays it."""
    return again(replace(graph, module=None, keep=None), None)


def again(graph: Graph, base: Graph | None) -> Graph:
    """The graph, written and read again beside the other."""
    found = unpickled(pickled(graph, base), base)
    assert isinstance(found, Graph)
    return found


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ONE_OF_MANY)
def test_a_graph_is_read_as_it_was(name: str) -> None:
    base, graph = plain(load(name)), plain(load(name, **ONE_OF_MANY[name]))
    found = again(graph, base)
    assert same(found, graph) and not same(found, base)


SHARED = """
import sys
from dataclasses import replace
from truco_spec.graph.load import load, pickled, unpickled
base, graph = (
    unpickled(pickled(replace(load(sys.argv[1], **options), module=None, keep=None)))
    for options in ({}, dict([sys.argv[2:]]))
)
found = unpickled(pickled(graph, base), base)
alike = [name for name in graph.rules if found.rules[name] is base.rules.get(name)]
print(len(pickled(graph, base)), len(pickled(graph)), len(alike), len(graph.rules))
"""
"""In a process of its own: what two graphs share in memory hangs on what was linked before."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["argentino", "mineiro"])
@pytest.mark.long
def test_what_is_the_same_is_not_written_again(name: str, tmp_path: Path) -> None:
    ((option, value),) = ONE_OF_MANY[name].items()
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", SHARED, name, option, value]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    beside, alone, alike, rules = map(int, done.stdout.split())
    assert beside * 7 < alone
    assert alike * 10 > 9 * rules


def test_other_graphs_stay_as_they_are_when_one_is_changed() -> None:
    base = plain(load("fisch"))
    found = again(base, base)
    for name in MAPPINGS:
        getattr(found, name).clear()
    assert same(base, plain(load("fisch")))


def test_the_place_in_the_text_is_part_of_what_is_compared() -> None:
    text = 'variant v { title "V"\n{} option a : yes* | no @house:table "An option." phase begin "It begins." }'
    base, graph = (plain(load_text(text.replace("{}", between))) for between in ("", "\n\n"))
    found = again(graph, base)
    assert [each.phases["begin"].source.span.line for each in (base, found)] == [2, 4]
    assert same(found, graph)


def test_a_graph_whose_other_is_not_to_be_had_is_as_good_as_not_kept() -> None:
    base, graph = plain(load("fisch")), plain(load("fisch", deal_end="bottom"))
    keep("a-test", graph, (), base)

    def gone(options: Options) -> Graph:
        raise LookupError(options)

    assert same(fetch("a-test", lambda options: base), graph)
    assert fetch("a-test", gone) is None
    assert fetch("a-test") is None
