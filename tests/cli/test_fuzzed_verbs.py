"""Every verb with what it reads spoiled: shipped logs, specs, cases, claims and reports with mistakes in them.

The end is always a status, in bounded time, with nothing on the streams that a terminal would obey; never a traceback.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
from pathlib import Path

import pytest
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
