"""Adapters that count, as a process or in this one: the reference engine under options of its own.

``python counting_adapter.py counter-as-answer=off`` plays with that value, whatever is asked, and says nothing of it.
Words behind ``itself:`` or ``omits:`` are claimed, and neither offered nor counted; those behind ``lacks:`` are not
claimed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from truco_spec.base.shapes import read
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.adapters.reference import Reference, ScriptRun
from truco_spec.conformance.corpus.filling import script_graph
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.corpus.vocabulary import word_of
from truco_spec.engine.game import Action
from truco_spec.engine.perft import divided, perft

VARIANTS = ("paulista", "argentino")


class Counter:
    """The reference engine with these options, without these words."""

    def __init__(self, *claims: str) -> None:
        told = {key: value for key, _, value in (claim.replace(":", "=").partition("=") for claim in claims)}
        self.claims: dict[str, Any] = {key: told.pop(key).split(",") for key in ("omits", "itself") if key in told}
        self.lacks = told.pop("lacks", "").split(",")
        self.engine = Reference(lambda script: script_graph(replace(script, options={**script.options, **told})))

    def hello(self) -> dict[str, Any]:
        plays = {"players": [2, 4], **self.claims}
        variants = {"paulista": plays} if self.claims else dict.fromkeys(VARIANTS, plays)
        return {"protocol": 1, "name": "counter", "version": "1", "variants": variants, "observes": ["perft"]}

    def read(self, script: Mapping[str, Any]) -> Script:
        asked: Script = read(script, Script)
        return asked

    def perft(self, script: Mapping[str, Any], depth: int) -> dict[str, Any]:
        asked = self.read(script)
        gone = {word for words in (*self.claims.values(), self.lacks) for word in words if word}
        if not gone:
            return {"counts": dict(self.engine.perft(asked, depth))}
        game = ScriptRun(asked, frozenset(), self.engine.graph_for(asked)).to_the_end()

        def counted(action: Action) -> bool:
            return word_of(game.text(action).partition(" ")[2]) not in gone

        found = divided(game, depth, lambda left: perft(game, left, counted), counted)
        return {"counts": {game.text(action): number for action, number in found.items()}}


class Off(Counter):
    """One that does not know that a raise can be an answer."""

    def __init__(self) -> None:
        super().__init__("counter-as-answer=off")


if __name__ == "__main__":
    adapter = Counter(*sys.argv[1:])
    for request in map(json.loads, sys.stdin):
        if request["do"] == "bye":
            break
        try:
            answer = adapter.hello() if request["do"] == "hello" else adapter.perft(request["script"], request["depth"])
        except Broken as broken:
            answer = {"error": broken.message}
        sys.stdout.write(json.dumps({"id": request["id"], **answer}) + "\n")
        sys.stdout.flush()
