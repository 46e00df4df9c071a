"""Two builds of one commit are equal byte for byte, wherever and whenever they are made."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUILD = "import sys, hatchling.build as b; b.build_sdist(sys.argv[1]); b.build_wheel(sys.argv[1])"
ELSEWHERE = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "3"}

pytestmark = pytest.mark.packaging


def built(source: Path, out: Path, **environment: str) -> dict[str, bytes]:
    """The sdist and the wheel that the build backend makes of a folder."""
    out.mkdir()
    told = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"} | environment
    subprocess.run([sys.executable, "-c", BUILD, str(out)], cwd=source, env=told, check=True, capture_output=True)
    return {path.name: path.read_bytes() for path in out.iterdir()}


def clone(folder: Path) -> Path:
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    home = tmp_path_factory.mktemp("first")
    return built(clone(home / "truco"), home / "out")


def test_two_clones_give_the_same_files(first: dict[str, bytes], tmp_path: Path) -> None:
    other = clone(tmp_path / "another" / "place")
    long_ago = time.time() - 10**8
    for path in sorted(other.rglob("*"), reverse=True):
        os.utime(path, (long_ago, long_ago), follow_symlinks=False)
        if path.is_file() and ".git" not in path.parts:
            path.chmod(path.stat().st_mode & 0o700)
    assert built(other, tmp_path / "out", **ELSEWHERE) == first
    assert len(first) == 2


def test_the_wheel_of_the_sdist_is_that_of_the_clone(first: dict[str, bytes], tmp_path: Path) -> None:
    (sdist,) = (name for name in first if name.endswith(".tar.gz"))
    (tmp_path / sdist).write_bytes(first[sdist])
    with tarfile.open(tmp_path / sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    again = built(tmp_path / sdist.removesuffix(".tar.gz"), tmp_path / "out")
    (wheel,) = (name for name in first if name.endswith(".whl"))
    assert again[wheel] == first[wheel]
