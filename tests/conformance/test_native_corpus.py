"""The whole corpus on the WebAssembly body: every action of every case leads to the same position as in Python."""

from __future__ import annotations

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.engine.game import Action, Event, Game
from truco_spec.engine.wasm.native import NativeGame
from truco_spec.graph.model import Graph, by_identity

LONG = ("nowadays", "pica-pica")
"""Those that are played on every change, beside Gaúcho; the others are a campaign."""

done: dict[str, int] = {}


@by_identity(8)
def native_of(graph: Graph, mode: str) -> NativeGame:
    return NativeGame(graph, mode=mode)


class Mirrored(Game):
    """Does every action on both bodies, and compares what is permitted, the status and the position."""

    def push(self, action: Action) -> Event:
        native = native_of(self.graph, self.mode)
        native.position = self.position
        assert native.legal_actions() == self.legal_actions()
        assert native.push(action) == self.rule_on(action).status
        event = super().push(action)
        assert native.position == list(map(int, self.position))
        done[self.graph.name] = done.get(self.graph.name, 0) + 1
        return event


def _mark(variant: str) -> pytest.MarkDecorator:
    return pytest.mark.long if variant in LONG else pytest.mark.campaign


@pytest.mark.parametrize(
    "variant", [name if name == "gaucho" else pytest.param(name, marks=_mark(name)) for name in variant_names()]
)
def test_every_case_is_the_same_on_both(variant: str) -> None:
    for instance in corpus.load_instances(variant):
        for request in ready.as_written(instance).requests:
            if isinstance(request, Script):
                Reference(make=Mirrored).run(request)
    assert done[variant] > 50
