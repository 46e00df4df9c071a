"""The adapters that are shipped to be copied: they run as they are, alike in process and over the pipe."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import pytest

from truco_spec.base import shipped
from truco_spec.conformance.adapters.inprocess import InProcess, adapter_class
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import HandScript, HandSeen, Script, ScriptAction
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

ADAPTERS = shipped.folder("conformance") / "adapters"
PATIENT = Limits(case=10, start=30)
PYTHON, NODE = sys.executable, shutil.which("node")
with_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


@pytest.fixture(autouse=True)
def path_of_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside an adapter can be imported as long as the test runs."""
    monkeypatch.setattr(sys, "path", sys.path[:])


@lru_cache(maxsize=1)
def cases() -> tuple[Instance, ...]:
    return chosen(corpus.load([corpus.corpus_folder() / "paulista" / "two-players.yaml"]))


def over_the_pipe(program: str | None, path: str) -> Sequence[Result]:
    with Pipe([program or "node", str(ADAPTERS / path)], PATIENT) as pipe:
        return runner.run(cases(), pipe)


def in_process(path: str) -> Sequence[Result]:
    return runner.run(cases(), InProcess(adapter_class(f"{ADAPTERS / path}:Adapter")))


@pytest.mark.parametrize("path", ["javascript/adapter.js", "template/adapter.js", "template/adapter.py"])
def test_an_adapter_is_small(path: str) -> None:
    assert 50 < (ADAPTERS / path).read_text(encoding="utf-8").count("\n") < 150


# ---- the template -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def template() -> Sequence[Result]:
    return over_the_pipe(PYTHON, "template/adapter.py")


def test_a_template_refuses_everything_and_keeps_the_protocol(template: Sequence[Result]) -> None:
    assert {result.verdict for result in template} == {"pass", "fail", "unobserved", "unsupported"}
    got = {fault.got for result in template for fault in result.faults}
    assert got == {"it was refused (not-offered)", "not-offered"}


def test_the_template_is_the_same_in_process(template: Sequence[Result]) -> None:
    assert in_process("template/adapter.py") == template


@with_node
def test_the_template_is_the_same_in_javascript(template: Sequence[Result]) -> None:
    assert over_the_pipe(NODE, "template/adapter.js") == template


def test_the_templates_have_the_same_five_places() -> None:
    compiled = "go/template.go", "java/Template.java", "typescript/template.ts"
    for file in ("template/adapter.py", "template/adapter.js", *compiled):
        assert re.findall(r"TODO (\d)", (ADAPTERS / file).read_text(encoding="utf-8")) == ["1", "2", "3", "4", "5"]


# ---- an engine that calls its players -------------------------------------------------------------


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # it is from 2013
def test_gat_games_is_judged_alike_in_process_and_over_the_pipe() -> None:
    pytest.importorskip("gat_games")
    assert in_process("python/gat_games.py") == over_the_pipe(PYTHON, "python/gat_games.py")


# ---- the small engine in JavaScript ---------------------------------------------------------------


@with_node
def test_the_small_engine_plays_what_it_claims_by_the_rules() -> None:
    results = over_the_pipe(NODE, "javascript/adapter.js")
    beyond = [result for result in results if result.verdict != "pass"]
    assert {(result.verdict, result.reason) for result in beyond} == {("unsupported", "says that it omits cover")}
    assert len(beyond) < 5
    assert not any(result.checks.unobserved for result in results)


@with_node
def test_the_small_engine_plays_what_is_played_elsewhere_where_that_is_agreed() -> None:
    elsewhere = chosen(corpus.load([corpus.corpus_folder() / "paulista" / "elsewhere.yaml"]))
    for_two = [instance for instance in elsewhere if instance.players and len(instance.players) == 2]
    with Pipe([NODE or "node", str(ADAPTERS / "javascript/adapter.js")], PATIENT) as pipe:
        results = runner.run(for_two, pipe)
    passed = {option for result in results if result.verdict == "pass" for option in result.instance.options}
    assert passed == {*HOUSE}
    assert {result.verdict for result in results} == {"pass", "unsupported"}


HOUSE = {"tied-hand": "mano", "iron-value": "3", "iron": "own-seen", "run-unasked": "team"}
"""What the small engine plays by agreement."""
SEATS = ("P0", "P1")
RANKS, SUITS = "4567QJKA23", "CHSD"
WORDS = ["truco", "seis", "nove", "doze", *["aceito"] * 3, "corro", *["jogo"] * 2, "fujo", *["turn-up"] * 3]
SEEN = ("trick", "leader", "hand", "score", "winner", "acting", "stake", "proposal")


def scripts(seed: int, times: int, options: Mapping[str, str]) -> Iterator[Script]:
    """Hands under these options in which anybody tries anything, at any time and from any score."""
    chance = random.Random(seed)
    for _ in range(times):
        ranks = RANKS if chance.random() < 0.5 else chance.sample(RANKS, 3)  # few ranks make many ties
        cards = [rank + suit for rank in ranks for suit in SUITS]
        chance.shuffle(cards)
        held = {"P1": tuple(cards[:3]), "P0": tuple(cards[3:6])}
        score = {seat: chance.choice([0, 0, 3, 6, 8, 9, 10, 11, 11]) for seat in SEATS}
        tried = tuple(attempt(chance, held) for _ in range(24))
        hand = HandScript({**held, "vira": (cards[6],)}, tried)
        yield Script("paulista", options, SEATS, (("P0",), ("P1",)), "P0", score, "strict", (hand,))


def attempt(chance: random.Random, held: Mapping[str, Sequence[str]]) -> ScriptAction:
    seat = chance.choice(SEATS)
    if chance.random() < 0.6:
        card = chance.choice(held[seat])
        return ScriptAction(seat, f"{seat} {card}", play=card)
    word = chance.choice(WORDS)
    return ScriptAction(seat, f"{seat} {word}", say=word)


def told(hand: HandSeen, other: HandSeen) -> list[dict[str, Any]]:
    """What was seen in a hand, as far as the other saw it too: beside a refusal nothing."""
    entries = zip((hand.start, *hand.seen), (other.start, *other.seen), strict=True)
    return [
        {"refused": True} if mine.get("refused") else {key: mine[key] for key in SEEN if key in mine and key in its}
        for mine, its in entries
    ]


@pytest.mark.long
@with_node
@pytest.mark.parametrize("options", [{}, HOUSE], ids=["as it is", "by agreement"])
def test_the_small_engine_agrees_with_the_reference_engine_whatever_is_tried(options: Mapping[str, str]) -> None:
    reference, ended, refused, taken = Reference(), 0, 0, 0
    with Pipe([NODE or "node", str(ADAPTERS / "javascript" / "adapter.js")], PATIENT) as pipe:
        for script in scripts(seed=1, times=60, options=options):
            (wanted,), (got,) = reference.run(script), pipe.run(script)
            assert told(got, wanted) == told(wanted, got), [action.text for action in script.hands[0].actions]
            ended += any(entry.get("hand") for entry in got.seen)
            refused += sum("refused" in entry for entry in got.seen)
            taken += sum("refused" not in entry for entry in got.seen)
    assert ended > 20
    assert refused > 500
    assert taken > 100
