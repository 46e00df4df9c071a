"""Every verb with what it reads spoiled: shipped logs, specs, cases, claims and reports with mistakes in them.

The end is always a status, in bounded time, with nothing on the streams that a terminal would obey; never a traceback.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
import sys
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
import yaml
from alarm import alarm
from spoil import spoiled

from truco_spec.base.harmless import FOUND
from truco_spec.cli import main

ROOT = Path(__file__).parents[2]
SECONDS = 60
LOGS = sorted((ROOT / "docs").glob("[ld]*s/*.yaml"))
SPECS = sorted((ROOT / "spec" / "variants").glob("*.truco"))
CASES = sorted((ROOT / "conformance" / "cases").rglob("*.yaml"))
CLAIMS = ("bia can truco", "who won the hand", "bia cannot quiero", "the stake is 3", "bia leads", "ana has 2 points")


class Bench:
    """Runs verbs on spoiled files in a folder of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)

    def file(self, of: list[Path], name: str = "") -> str:
        """A shipped file, spoiled."""
        source = self.chance.choice(of)
        target = self.folder / (name or f"spoiled{source.suffix}")
        text = spoiled(source.read_text(encoding="utf-8"), self.chance)
        raw = text.encode("utf-8", "surrogatepass")
        if self.chance.random() < 0.1:
            raw = raw[: self.chance.randrange(len(raw) + 1)] + bytes([self.chance.randrange(256)])
        target.write_bytes(raw)
        return str(target)

    def arguments(self) -> list[str]:
        """A verb with something spoiled."""
        chance, out = self.chance, str(self.folder / "out")
        log, claim = str(chance.choice(LOGS)), spoiled(chance.choice(CLAIMS), chance).replace("\x00", "")
        match chance.randrange(14):
            case 0:
                return ["run", self.file(LOGS)]
            case 1:
                return ["run", "--json", self.file(LOGS)]
            case 2:
                return ["run", "--write", chance.choice(["yaml", "line", "case"]), self.file(LOGS)]
            case 3:
                return ["explain", self.file(LOGS), *chance.choice([[], ["--at", str(chance.randrange(-2, 30))]])]
            case 4:
                return ["replay", self.file(LOGS), "-o", out]
            case 5:
                return ["dispute", self.file(LOGS), "--claim", chance.choice(CLAIMS), "--variants", "paulista,mineiro"]
            case 6 | 7:
                return ["dispute", log, "--claim", claim, "--variants", "paulista,argentino"]
            case 8:
                return ["graph", self.file(SPECS), "--format", chance.choice(["dot", "svg", "mermaid", "json"])]
            case 9:
                return [*chance.choice([["graph", "--core"], ["show"]]), self.file(SPECS)]
            case 10:
                return ["format", "--check", self.file(SPECS)]
            case 11:
                return ["run", "--spec", self.file(SPECS), log]
            case 12:
                return ["test", "-q", "--no-null", "--cases", self.file(CASES)]
            case _:
                return [
                    chance.choice(["report", "compare"]),
                    self.file([self.folder / "report.jsonl"], "spoiled.jsonl"),
                ]


def ended(arguments: list[str]) -> tuple[object, str]:
    """The status, and all that is told."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with alarm(SECONDS), contextlib.suppress(SystemExit):
            try:
                main(arguments)
            except SystemExit as end:
                return end.code, out.getvalue() + err.getvalue()
    finally:
        sys.stdout, sys.stderr = before
    raise AssertionError


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize("seed", range(8))
def test_every_verb_ends_in_order_whatever_it_reads(tmp_path: Path, seed: int) -> None:
    bench = Bench(tmp_path, seed)
    assert (
        ended(["test", "-q", "--no-null", "--case", "pagat-tie-01", "--report", str(tmp_path / "report.jsonl")])[0] == 0
    )
    seen = set()
    for _ in range(100):
        arguments = bench.arguments()
        status, told = ended(arguments)
        assert status in (0, 1, 2), arguments
        assert not FOUND.search(told), arguments
        seen.add((arguments[0], status))
    assert len(seen) > 10


CASE = """corpus: 1
source: pagat
applies: {variants: [paulista], players: [4], options: {target: ['12', '15']}}
cases:
- id: own-case-1
  title: A case
  clauses: [paulista.dirty-deck]
  level: must
  dealer: P0
  score: {P0: 2}
  deal: {P1: 3C 4D, vira: [5D]}
  moves:
  - P1 3C
  - expect: {score: {P0: 2, P1: 0}, stake: 1, acting: [P2], leader: null}
  - {refused: P3 truco, because: not-your-turn}
  - view: {seat: P1, sees: [4D], hides: [4C]}
  - legal: {P3: []}
  - hand: {deal: {P2: 3C}}
"""
LOG = """truco: 1
variant: paulista
options: {tie-lead: last}
players: [ana, bia]
dealer: ana
score: {ana: 7}
start: {truco.level: 1, truco.holder: bia}
mode: umpire
hands:
- deal: {bia: 3C 4D, vira: [5D]}
  moves: bia 3C, ana 4C
- moves: [ana truco]
"""
WRONG = ["7", "-1", "9" * 40, ".nan", "null", "[]", "{}", "[[[]]]", "{a: [b]}", '""', '"{x}%s{"', "true", "2020-01-01"]
WRONG += ["&a [*a]", "!x y", r'"\e]0;\a"', r'"\u202E"', f'"{"x" * 9000}"', "{? [a] : b}"]


def places(data: Any, here: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield here
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*here, key))


@pytest.mark.sample(1, long=9)
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(
    ("verb", "text"), [(("test", "--no-null", "--cases"), CASE), (("run",), LOG)], ids=["case", "log"]
)
def test_whatever_stands_at_any_place_of_a_file(verb: tuple[str, ...], text: str, wrong: str, tmp_path: Path) -> None:
    file, data = tmp_path / "wrong.yaml", yaml.safe_load(text)
    for place in places(data):
        spoilt: Any = copy.deepcopy({"": data})
        *to, last = ("", *place)
        reduce(getitem, to, spoilt)[last] = "HERE"
        file.write_text(yaml.safe_dump(spoilt[""], default_flow_style=True, width=10**6).replace("HERE", wrong))
        status, told = ended([*verb, str(file)])
        assert status in (0, 1, 2), place
        assert not FOUND.search(told), place
        assert max(map(len, told.splitlines()), default=0) <= 4000, place
