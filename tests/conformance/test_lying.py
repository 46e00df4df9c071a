"""Whatever an adapter answers, ``test``, ``fuzz`` and ``--shrink`` end with their report."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lying import Liar
from tables import THREE, command, instances

from truco_spec.base import shipped
from truco_spec.base.document import text_of
from truco_spec.base.shapes import ShapeError
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import (
    PROTOCOL,
    START,
    HandScript,
    Position,
    Script,
    action_of,
    introduction_in,
)
from truco_spec.conformance.fuzz import fuzz, shrink
from truco_spec.conformance.fuzz.findings import cases_of, text_of_outcome
from truco_spec.conformance.reports import events
from truco_spec.conformance.reports.run_document import case_document
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.deciding import deciding

seeds, percents = st.integers(0, 10_000), st.sampled_from((1, 5, 20, 60))


@pytest.mark.long
@settings(max_examples=4)
@given(seed=seeds, percent=percents, steady=st.booleans(), players=st.sampled_from((2, 4)))
def test_fuzz_ends_with_its_report(seed: int, percent: int, steady: bool, players: int) -> None:
    fuzzed(seed, percent, players, steady=steady)


@pytest.mark.campaign
@settings(max_examples=30)
@given(seed=seeds, percent=percents, steady=st.booleans(), players=st.sampled_from((2, 4)))
def test_fuzz_ends_with_its_report_for_many_liars(seed: int, percent: int, steady: bool, players: int) -> None:
    fuzzed(seed, percent, players, steady=steady)


def fuzzed(seed: int, percent: int, players: int, *, steady: bool) -> None:
    one = partial(Liar, seed, percent, steady=steady)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fuzz, "MOST_RUNS", 12)
        patch.setattr(fuzz, "MOST_FAULTS", 4)
        patch.setattr(fuzz, "TIMES", 10)
        found = fuzz.fuzz(fuzz.Job(one, "paulista", players, {}, seed, 5))
    assert text_of_outcome(found, seed).encode()
    assert all(case.encode() for case in cases_of(found, seed).values())


@cache
def paulista() -> list[Instance]:
    return [each for case in corpus.load(()) for each in corpus.instances(case) if each.variant == "paulista"]


@settings(max_examples=4)
@given(seed=seeds, percent=percents, steady=st.booleans())
def test_a_run_with_shrink_ends_with_its_report(seed: int, percent: int, steady: bool) -> None:
    shrunk(seed, percent, steady=steady)


@pytest.mark.long
@settings(max_examples=30)
@given(seed=seeds, percent=percents, steady=st.booleans())
def test_a_run_with_shrink_ends_with_its_report_for_many_liars(seed: int, percent: int, steady: bool) -> None:
    shrunk(seed, percent, steady=steady)


def shrunk(seed: int, percent: int, *, steady: bool) -> None:
    one = partial(Liar, seed, percent, steady=steady)
    for result in runner.run(paulista()[seed % 30 :: 30], one()):
        cut = shrink.cut_down(result, one, 8)
        told = events.played(cut, ["./liar"])
        assert text_of(case_document(told)).encode()
        assert list(events.events_in(events.line_of(told), "r")) == [told]


def test_who_begins_the_second_hand_is_told_though_nothing_was_taken_in_the_first() -> None:
    script = Script(
        "paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict",
        (HandScript({}, (action_of("P0 9C"),)), HandScript({}, (action_of("P0 3C"),))),
    )  # fmt: skip
    expected = Reference().run(script)
    assert deciding(script, expected, Position(0, 1, START), "acting").rules
    assert deciding(script, expected, Position(0, 0, START), "acting").rules


RIGHT = "echo"
"""The one miniature that is the reference engine itself: fuzz finds nothing in it."""
MINIATURES = sorted(path.stem for path in (shipped.folder("conformance") / "miniatures").glob("*.py"))


@pytest.mark.sample(0, long=5)
@pytest.mark.parametrize("name", MINIATURES)
def test_no_miniature_ends_fuzz_without_a_report_or_one_line(name: str) -> None:
    words = ["fuzz", "--no-causes", "--hands", "6", "--timeout", "0.5", "--variant", "paulista", "--", *command(name)]
    ended = subprocess.run([sys.executable, "-m", "truco_spec", *words], capture_output=True, text=True, check=False)
    assert "truco_spec/" not in ended.stderr
    if ended.returncode == 2:
        assert ended.stdout == "" and ended.stderr
    else:
        told = r"^No difference was found\." if name == RIGHT else r"^\d+ kinds? of failure\. "
        assert ended.returncode == (0 if name == RIGHT else 1)
        assert re.search(told, ended.stdout, re.MULTILINE)


numbers = st.one_of(st.integers(-3, 120), st.integers(10**14, 10**40))
plays = st.fixed_dictionaries(
    {"players": st.lists(numbers, max_size=4)},
    optional={"options": st.dictionaries(st.text(max_size=5), st.lists(numbers, max_size=3), max_size=3)},
)


@given(variants=st.dictionaries(st.text(max_size=9), plays, max_size=3), version=st.one_of(numbers, st.floats()))
def test_what_a_report_holds_of_an_introduction_can_be_read_again(variants: dict[str, object], version: float) -> None:
    said = {"name": "n", "protocol": PROTOCOL[1], "version": version, "variants": variants, "observes": []}
    try:
        introduction = introduction_in(said)
    except ShapeError:
        return
    told = events.introduced(introduction)
    assert list(events.events_in(events.line_of(told), "r")) == [told]


RESTARTS = """
import json, os, pathlib, sys
marker = pathlib.Path({marker!r})
first = not marker.exists()
marker.touch()
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "run":
        {then}
        os._exit(3)
    hello = dict(protocol=1 if first else 9, name="n", version="1", observes=["stake"])
    print(json.dumps(dict(id=request["id"], variants=dict(paulista=dict(players=[4])), **hello)), flush=True)
"""


@pytest.mark.parametrize("then", ["pass", "os.unlink(__file__)"])
def test_an_adapter_that_is_another_after_a_restart_does_not_end_the_run(tmp_path: Path, then: str) -> None:
    script = tmp_path / "adapter"
    text = RESTARTS.format(marker=str(tmp_path / "marker"), then=then)
    script.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    script.chmod(0o755)
    with Pipe([str(script)], Limits(case=5, start=10, stray=0.3, bye=0.3)) as pipe:
        results = runner.run(instances(tmp_path, THREE), pipe)
    assert (results[0].verdict, len(results)) == ("crash", 3)
