"""The newest Python, 3.14, as WebAssembly: Pyodide, from npm. What needs no processes and no `wasmtime` runs there."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYODIDE = "pyodide@314"
PURE = ("hypothesis<6.156", "sortedcontainers", "jsonschema<4.18", "pyrsistent", "attrs")
"""In the versions before parts of them were compiled."""
NOT_THERE = (
    "tests/engine/test_wasm.py",
    "tests/engine/test_perft.py",
    "tests/engine/test_sieve.py::test_a_change_that_makes_a_difference_is_found",
    "tests/graph/test_sources.py::test_to_ask_whether_clauses_exist_reads_no_yaml",
    "tests/graph/test_sources.py::test_a_registry_is_kept_as_it_was_read",
    "tests/graph/test_alike.py::test_a_graph_whose_other_is_not_to_be_had_is_as_good_as_not_kept",
)
"""Tests of the native body, of a process, and of the cache, which is off where there are no users."""
RUN = """import { loadPyodide } from "pyodide";
const [root, ...rest] = process.argv.slice(2);
const [pure, packages, ...args] = rest;
const python = await loadPyodide({ env: { HOME: "/home/pyodide" } });
for (const place of [root, pure, packages]) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: place }, place);
}
python.globals.set("told", python.toPy({ places: [root, pure, packages], args }));
process.exitCode = await python.runPythonAsync(`
import os, sys
os.chdir(told["places"][0])
sys.path[:0] = told["places"]
sys.dont_write_bytecode = True
sys.modules["wasmtime"] = None
print(sys.version)
import pytest
int(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *told["args"]]))
`);
"""


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory):
    """A folder with Pyodide, the program above, and packages that are Python alone."""
    folder = tmp_path_factory.mktemp("pyodide")
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    npm = ["npm", "install", "--silent", "--prefix", str(folder), PYODIDE]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder / "pure"), "--no-deps"]
    for command in (npm, [*pip, "--only-binary", ":all:", "--platform", "any", *PURE]):
        made = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        if made.returncode:
            pytest.skip(f"not to be had here: {made.stderr[-300:]}")
    (folder / "run.mjs").write_text(RUN, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "part",
    [pytest.param("tests/language", marks=pytest.mark.long)]
    + [pytest.param(f"tests/{name}", marks=pytest.mark.campaign) for name in ("graph", "engine", "logs")],
)
def test_the_tests_pass_there(pyodide, part):
    places = [str(ROOT), str(pyodide / "pure"), sysconfig.get_path("purelib")]
    command = ["node", "run.mjs", *places, *(f"--deselect={test}" for test in NOT_THERE), part]
    done = subprocess.run(command, cwd=pyodide, capture_output=True, text=True, timeout=1500, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert done.stdout.startswith("3.14") and " passed" in done.stdout
