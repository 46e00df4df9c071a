"""Classes of Python as implementations: found, asked in this process, and judged as over the pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tables import THREE, case_file, instances, verdicts

from truco_spec.base.shapes import ShapeError
from truco_spec.cli.commands import main
from truco_spec.conformance.adapters.inprocess import AdapterError, InProcess, adapter_class
from truco_spec.conformance.adapters.pipe import TooNew, introduced
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result


class Honest:
    """It reports as stake the points that P1 has, as the miniatures do."""

    def hello(self) -> Any:
        return {
            "protocol": 1,
            "name": "class",
            "version": "1",
            "variants": {"paulista": {"players": [4]}},
            "observes": ["stake"],
        }

    def run(self, script: Any) -> Any:
        told = {"stake": script["score"]["P1"]}
        return {"hands": [{"start": told, "seen": [told for _ in hand["actions"]]} for hand in script["hands"]]}


class Second(Honest):
    """Honest but for the second case, in which it does what is said below."""

    def run(self, script: Any) -> Any:
        return self.wrong(script) if script["score"]["P1"] == 2 else super().run(script)

    def wrong(self, script: Any) -> Any:
        raise ValueError("the pack is sticky")


class Leaves(Second):
    def wrong(self, script: Any) -> Any:
        sys.exit(3)


class Mute(Second):
    def wrong(self, script: Any) -> Any:
        return None


class NoJson(Second):
    def wrong(self, script: Any) -> Any:
        return {"hands": {script["dealer"]: object()}}


class Short(Second):
    def wrong(self, script: Any) -> Any:
        return {"hands": []}


class Reports(Second):
    def wrong(self, script: Any) -> Any:
        return {"error": "no more chairs"}


class Spoils(Second):
    """It writes into what it was given; nobody else sees that."""

    def wrong(self, script: Any) -> Any:
        told = super(Second, self).run(script)
        script["hands"].clear()
        return told


class Chatty(Honest):
    def run(self, script: Any) -> Any:
        sys.stdout.write("shuffling")
        return super().run(script)


class NoHello(Honest):
    def hello(self) -> Any:
        raise RuntimeError("no licence")


class Newer(Honest):
    def hello(self) -> Any:
        return {**super().hello(), "protocol": 2}


def play(folder: Path, adapter: type) -> Sequence[Result]:
    return runner.run(instances(folder), InProcess(adapter))


@pytest.mark.parametrize(
    ("adapter", "verdict", "words"),
    [
        (Second, "error", "It raised ValueError: the pack is sticky"),
        (Leaves, "crash", "exit status 3"),
        (Mute, "protocol", "run returned no mapping: NoneType"),
        (NoJson, "protocol", "no JSON"),
        (Short, "protocol", "0 hands were answered"),
        (Reports, "error", "no more chairs"),
    ],
)
def test_a_fault_costs_one_case(adapter: type, verdict: str, words: str, tmp_path: Path) -> None:
    results = play(tmp_path, adapter)
    assert verdicts(results) == ["pass", verdict, "pass"]
    assert words in results[1].faults[0].got


def test_an_error_shows_where_it_was_raised(tmp_path: Path) -> None:
    assert 'raise ValueError("the pack is sticky")' in play(tmp_path, Second)[1].faults[0].log


@pytest.mark.parametrize("adapter", [Honest, Spoils, Chatty])
def test_an_honest_class_passes(adapter: type, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert verdicts(play(tmp_path, adapter)) == ["pass"] * 3
    assert capsys.readouterr() == ("", "")


def test_what_never_introduces_itself_says_so_in_every_case(tmp_path: Path) -> None:
    results = play(tmp_path, NoHello)
    assert verdicts(results) == ["error"] * 3
    assert "no licence" in results[2].faults[0].got


def test_after_a_fault_another_object_is_asked(tmp_path: Path) -> None:
    made = []

    def adapter() -> Second:
        made.append(Second())
        return made[-1]

    runner.run(instances(tmp_path), InProcess(adapter))
    assert len(made) == 2


def test_a_newer_protocol_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(TooNew, match="speaks protocol 2"):
        play(tmp_path, Newer)


@pytest.mark.parametrize("number", [10**4000, -(10**4000)])
def test_a_protocol_of_any_length_is_not_repeated_whole(number: int) -> None:
    with pytest.raises((TooNew, ShapeError)) as error:
        introduced({**Honest().hello(), "protocol": number})
    assert re.search(r"rotocol -?10+…[; ]", str(error.value))
    assert len(str(error.value)) < 200


# ---- finding the class, and the command -----------------------------------------------------------

CODE = """
import helper_of_adapter
print("loading")
class Adapter:
    def hello(self):
        plays = {"paulista": {"players": [4]}}
        return {"protocol": PROTOCOL, "name": "class", "version": "1", "variants": plays, "observes": ["stake"]}
    def run(self, script):
        return {"hands": [{"seen": [helper_of_adapter.seen(script) for _ in h["actions"]]} for h in script["hands"]]}
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with an adapter, in the current folder, and what it imports beside it."""
    (tmp_path / "helper_of_adapter.py").write_text("def seen(script): return {'stake': 2}\n")
    path = tmp_path / "written_adapter.py"
    path.write_text(CODE.replace("PROTOCOL", "1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    for name in ("helper_of_adapter", "written_adapter"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return path


def status(folder: Path, *arguments: str) -> object:
    with pytest.raises(SystemExit) as end:
        main(["test", "--no-causes", "--cases", str(case_file(folder, THREE)), *arguments])
    return end.value.code


@pytest.mark.parametrize("name", ["written_adapter:Adapter", "written_adapter.py:Adapter"])
def test_a_class_is_named_by_module_or_by_file(
    name: str, written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status(tmp_path, "--python", name, "--json", "report.json") == 1
    out = capsys.readouterr()
    assert "loading" not in out.out
    assert "expected  stake: 1" in out.out
    assert f"--python {name}\n" in out.out
    assert f'"{name}"' in (tmp_path / "report.json").read_text()
    assert status(tmp_path, "--python", name, "--case", "own-three-2") == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("written_adapter", "names no class. Write MODULE:CLASS"),
        ("./written_adapter:Adapter", "names no class. Write MODULE:CLASS or FILE.py:CLASS"),
        ("", "names no class."),
        ("nowhere:Adapter", "nowhere cannot be loaded: ModuleNotFoundError"),
        ("nowhere.py:Adapter", "there is no such file"),
        ("written_adapter:Adaptor", "Did you mean Adapter?"),
    ],
)
def test_a_class_that_is_not_there_is_bad_input(name: str, words: str, written: Path) -> None:
    with pytest.raises(AdapterError, match=words.replace("?", r"\?")):
        adapter_class(name)
    assert status(written.parent, "--python", name) == 2


def test_a_class_and_a_command_are_too_much(tmp_path: Path) -> None:
    assert status(tmp_path, "--python", "a:B", "--", "./adapter") == 2


def test_a_newer_protocol_is_one_line_and_2(written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "newer.py"
    script.write_text('import json\nprint(json.dumps({"id": json.loads(input())["id"], "protocol": 2}), flush=True)')
    written.write_text(CODE.replace("PROTOCOL", "2"))
    line = "The adapter speaks protocol 2; this truco-spec speaks 1. Use a newer truco-spec.\n"
    assert status(tmp_path, "--", sys.executable, str(script)) == 2
    assert capsys.readouterr() == ("", line)
    assert status(tmp_path, "--python", "written_adapter.py:Adapter") == 2
    assert capsys.readouterr() == ("", f"loading\n{line}")


def test_a_newer_corpus_is_one_line_and_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text("corpus: 2\nsources: [pagat]\ncases: {}\n", encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["test", "--cases", str(path)])
    assert end.value.code == 2
    told = f"{path}:1:1: This is version 2 of the corpus; this truco-spec reads 1. Use a newer truco-spec.\n"
    assert capsys.readouterr() == ("", told)
