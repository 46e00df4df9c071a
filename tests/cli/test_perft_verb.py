"""``truco-spec perft`` as a user meets it: what it prints, and how it ends."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from truco_spec.cli import main
from truco_spec.conformance.runner import dividing
from truco_spec.engine.wasm import module

LOG = "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H"
HOUSE = """\
variant house extends paulista {
  title "Ours"
  set target 15  @wikipedia:argentino.target-30
}
"""
Ends = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ends(capsys: pytest.CaptureFixture[str]) -> Ends:
    """Run the verb: its status, and what it printed on both streams."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(("perft", *arguments))
        told = capsys.readouterr()
        assert "Traceback" not in told.err
        assert isinstance(end.value.code, int)
        return end.value.code, told.out, told.err

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of positions that may be changed."""
    shutil.copytree(dividing.perft_folder(), tmp_path / "perft")
    monkeypatch.setattr(dividing, "perft_folder", lambda: tmp_path / "perft")
    return tmp_path / "perft"


# ---- a log ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["auto", "python", "native"])
def test_it_prints_a_number_for_each_depth(ends: Ends, body: str) -> None:
    wanted = "depth  sequences\n1              4\n2             15\n3             61\n"
    assert ends(LOG, "--body", body) == (0, wanted, "")


@pytest.mark.long
@pytest.mark.parametrize("given", [("--depth", "8"), ("--depth", "8", "--divide"), ("--shipped", "mineiro")])
def test_several_processes_count_the_same(given: tuple[str, ...]) -> None:
    log = () if "--shipped" in given else (LOG,)
    alone, many = (
        subprocess.run(
            [sys.executable, "-m", "truco_spec", "perft", *given, "-j", count, *log], capture_output=True, check=True
        )
        for count in "12"
    )
    assert many.stdout == alone.stdout


def test_it_prints_data(ends: Ends) -> None:
    status, out, _ = ends(LOG, "--depth", "4", "--json")
    assert (status, json.loads(out)) == (0, {"counts": [4, 15, 61, 249]})


def test_a_division_has_a_line_for_each_first_action(ends: Ends) -> None:
    status, out, _ = ends(LOG, "--depth", "2", "--divide")
    assert status == 0
    assert [line.split()[-1] for line in out.splitlines()] == ["sequences", "4", "4", "4", "3", "15"]
    assert out.splitlines()[1].startswith("bia 4D ")
    assert out.splitlines()[-1].startswith("in all ")


def test_the_data_of_a_division(ends: Ends) -> None:
    data = json.loads(ends(LOG, "--depth", "2", "--divide", "--json")[1])
    assert data == {"depth": 2, "divide": {"bia 4D": 4, "bia 7S": 4, "bia 3C": 4, "bia truco": 3}}


def test_a_variant_before_the_log_plays_it(ends: Ends) -> None:
    asked = LOG.removesuffix(", vira 5H")
    plain, other = ends(asked)[1], ends("gamelog", asked)[1]
    assert plain != other == ends(asked.replace("paulista", "gamelog"))[1]


@pytest.mark.long
def test_a_variant_may_be_a_file(ends: Ends, tmp_path: Path) -> None:
    house = tmp_path / "house.truco"
    house.write_text(HOUSE, encoding="utf-8")
    assert ends(str(house), LOG) == ends(LOG)


def test_a_mistake_in_a_file_is_told_at_its_place_there(ends: Ends, tmp_path: Path) -> None:
    path = tmp_path / "night.yaml"
    lines = ("truco: 1", "variant: paulista", "players: [ana, bia]", "dealer: ana", "hands:")
    hand = ("  - deal: {bia: 3C 4D 7S, ana: KS JS QS, vira: 5H}", "    moves:", "      - bia 3C", "      - bia 4D")
    path.write_text("\n".join((*lines, *hand)))
    status, _out, err = ends(str(path))
    assert (status, f"{path}:9:" in err) == (2, True)


def test_it_says_when_nothing_follows(ends: Ends) -> None:
    ended = LOG.replace("| deal ", "| score ana 9 | deal ") + " | bia truco, ana aceito, bia 4D, ana QS, ana KS, bia 7S"
    status, out, err = ends(ended)
    assert status == 0
    assert out.splitlines()[1].split() == ["1", "0"]
    assert err == "Nothing follows: chance has to act here, or the match is over.\n"


# ---- the shipped positions -----------------------------------------------------------------------


@pytest.mark.long
def test_the_shipped_positions_of_a_variant_have_the_stated_numbers(ends: Ends) -> None:
    status, out, err = ends("--shipped", "paulista", "--depth", "4")
    assert (status, err) == (0, "")
    positions = dividing.load_positions(["paulista"])
    assert [line.split() for line in out.splitlines()] == [
        [position.id, "4", f"{position.counts[3]:,}", "ok"] for position in positions
    ]


@pytest.mark.long
def test_the_data_of_shipped_positions(ends: Ends) -> None:
    found = json.loads(ends("--shipped", "nowadays", "--depth", "2", "--json")[1])["positions"]
    assert found[0] == {"id": "nowadays-opening-2", "depth": 2, "count": 15, "stated": 15}


def test_a_graph_too_large_for_a_module_is_counted_in_python(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SLOTS", 3)
    log = LOG.replace("paulista", "paulista target=15")  # its module was not made before
    assert ends(log, "--depth", "2", "--json")[:2] == (0, '{"counts": [4, 15]}\n')
    status, _, told = ends(log, "--body", "native")
    wrong = "paulista: Too large for a module: slots in its position: 121, and there is room for 3. Python plays it.\n"
    assert (status, told) == (2, wrong)


@pytest.mark.campaign
def test_all_variants_are_counted_if_none_is_named(ends: Ends) -> None:
    status, out, _ = ends("--shipped", "--depth", "1")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == [one.id for one in dividing.load_positions()]


@pytest.mark.long
def test_another_number_than_is_stated_is_told_and_ends_with_1(ends: Ends, folder: Path) -> None:
    file = folder / "paulista.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("[4, 15, 61,", "[4, 15, 62,"), encoding="utf-8")
    status, out, _ = ends("--shipped", "paulista", "--depth", "4")
    first, second, *_ = out.splitlines()
    assert status == 1
    assert first.split() == ["paulista-opening-2", "3", "61", "expected", "62"]
    assert second.split()[-1] == "ok"
    assert ends("--shipped", "paulista", "--depth", "2")[0] == 0


# ---- what is wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "Give a LOG to count from, or --shipped."),
        (("paulista", LOG, LOG), "There is one LOG, and before it at most one VARIANT."),
        (("--shipped", LOG), "With --shipped there is no LOG, and at most one VARIANT."),
        (("--shipped", "paulista", "mineiro"), "With --shipped there is no LOG, and at most one VARIANT."),
        (("--shipped", "--divide"), "--divide is for one LOG; leave out --shipped."),
        (("--shipped", "paulsita"), "There is no such variant. Did you mean “paulista”?"),
        (("paulsita", LOG), "There is no such variant. Did you mean “paulista”?"),
        ((LOG + " | bia 3H",), "bia 3H"),
        ((LOG, "--depth", "0"), "0 is not in the range 1<=x<=64"),
    ],
)
def test_what_is_wrong_is_told(ends: Ends, arguments: tuple[str, ...], told: str) -> None:
    status, out, err = ends(*arguments)
    assert (status, out) == (2, "")
    assert told in err


def test_there_are_no_positions_of_a_file(ends: Ends, tmp_path: Path) -> None:
    house = tmp_path / "house.truco"
    house.write_text(HOUSE, encoding="utf-8")
    status, out, err = ends("--shipped", str(house))
    assert (status, out) == (2, "")
    assert "There are no positions of this variant, only of the shipped ones." in err


def test_without_the_runtime_native_is_a_line_and_auto_counts(
    ends: Ends, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    house = tmp_path / "house.truco"  # nothing of it is kept from before
    house.write_text(HOUSE, encoding="utf-8")
    status, out, err = ends(str(house), LOG, "--body", "native")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert 'pip install "truco-spec[native]"' in err
    assert ends(str(house), LOG, "--depth", "2") == ends(LOG, "--depth", "2", "--body", "python")


@pytest.mark.parametrize(("body", "status"), [pytest.param("auto", 0, marks=pytest.mark.long), ("native", 2)])
def test_where_no_module_may_have_its_memory_native_is_a_line_and_auto_counts(body: str, status: int) -> None:
    little = partial(resource.setrlimit, resource.RLIMIT_AS, (3 << 30, 3 << 30))
    words = [sys.executable, "-m", "truco_spec", "perft", LOG, "--depth", "1", "-j", "1", "--body", body]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=little)
    assert (ended.returncode, bool(ended.stdout)) == (status, status == 0)
    assert re.fullmatch(r"(The WebAssembly runtime wasmtime cannot be used here: .*\n)?", ended.stderr)
