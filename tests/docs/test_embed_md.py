"""docs/embed.md: its programs run as they stand, on what its command builds, and its table names every export."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fenced import blocks, translated, write_files

from truco_spec.cli import main
from truco_spec.engine.layout import Layout
from truco_spec.engine.wasm.module import WasmWriter
from truco_spec.graph.fold import specialise
from truco_spec.graph.load import load

PAGES = translated("embed.md")
PAGE = PAGES["embed.md"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, after its command."""
    made = tmp_path_factory.mktemp("embed")
    write_files(PAGE, made)
    command = next(line for line in blocks(PAGE)[0].text.splitlines() if line.startswith("truco-spec "))
    words = command.split()[1:]
    with pytest.raises(SystemExit) as end:
        main([*words[:-1], str(made / words[-1])])
    assert end.value.code == 0
    return made


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_hand_in_node(folder: Path) -> None:
    done = subprocess.run(["node", "play.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    (shown,) = [block.text for block in blocks(PAGE) if block.about == "play.mjs"]
    assert done.stdout == shown


def test_the_program_without_truco_spec(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-P", "play.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert re.fullmatch(r"[a-z-]+ \d+\n", done.stdout)


@pytest.mark.skipif(not (shutil.which("wasm2c") and shutil.which("cc")), reason="there is no wasm2c, or no compiler")
def test_the_program_in_c_plays_as_the_one_in_python(folder: Path) -> None:
    (commands,) = [block.text for block in blocks(PAGE) if "wasm2c" in block.text]
    write, compiled = commands.splitlines()
    subprocess.run(write.split(), cwd=folder, check=True)
    if "Z_paulistaZ_legal" not in (folder / "paulista.h").read_text():
        pytest.skip("a later wasm2c, which names exports otherwise")
    subprocess.run(compiled.split(), cwd=folder, check=True)
    done = subprocess.run(["./play"], cwd=folder, capture_output=True, text=True, check=True)
    beside = subprocess.run([sys.executable, "-P", "play.py"], cwd=folder, capture_output=True, text=True, check=True)
    name, stake = beside.stdout.split()
    actions = [kind["name"] for kind in json.loads((folder / "rules" / "paulista.json").read_text())["actions"]]
    assert done.stdout == f"action {actions.index(name)}, stake {stake}\n"


def test_the_page_imports_what_is_built(folder: Path) -> None:
    (page,) = [block for block in blocks(PAGE) if block.language == "html"]
    for path in re.findall(r'"\./(rules/[\w.]+)"', page.text):
        assert (folder / path).is_file()
    for name in re.findall(r'load\("(\w+)"', page.text):
        assert (folder / "rules" / f"{name}.wasm").is_file()


def test_every_export_is_named() -> None:
    source = WasmWriter(Layout(specialise(load("paulista")))).source()
    for name in re.findall(r'\(export "([\w-]+)"', source):
        if name not in load("paulista").defines and name not in ("memory", "listed"):
            assert all(f"`{name}" in page for page in PAGES.values()), name
