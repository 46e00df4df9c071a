"""The user's cache is never trusted: whatever lies there, the answer is the right one, and nothing in it is run."""

from __future__ import annotations

import ast
import os
import pickle
import pwd
import random
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from truco_spec.base import user_cache
from truco_spec.base.user_cache import Shelf
from truco_spec.graph import load
from truco_spec.graph.model import Card

PACKAGE = Path(user_cache.__file__).parents[1]
LOG = "paulista | P0 P1 P2 P3 | dealer P0 | deal vira 5D | P1 truco"
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
SHELF = Shelf("tests", 3)
KEPT = {"card": Card("4C", 1, 2, True), "numbers": (1, 2)}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TRUCO_SPEC_CACHE", raising=False)
    return tmp_path / "cache" / "truco-spec"


@pytest.fixture
def kept(home: Path) -> Path:
    """A file of the cache with records in it."""
    SHELF.put("a", KEPT)
    assert SHELF.take("a") == KEPT
    return home / "tests" / "a"


def made_anew() -> bool:
    """What was damaged is as good as none, and can be kept again."""
    lost = SHELF.take("a") is None
    SHELF.put("a", KEPT)
    return lost and SHELF.take("a") == KEPT


# ---- a damaged file -----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.long)])  # one bit in every byte, or all
def test_no_bit_of_a_kept_file_can_be_turned_round(kept: Path, step: int) -> None:
    whole = kept.read_bytes()
    for at in range(0, 8 * len(whole), step):
        turned = bytearray(whole)
        turned[at // 8] ^= 1 << at % 8
        kept.write_bytes(turned)
        assert SHELF.take("a") is None, at
    assert made_anew()


def test_a_kept_file_cannot_be_cut_or_lengthened(kept: Path) -> None:
    whole = kept.read_bytes()
    for wrong in (*(whole[:length] for length in range(len(whole))), whole + b"\0"):
        kept.write_bytes(wrong)
        assert SHELF.take("a") is None
    assert made_anew()


def test_what_is_kept_under_one_name_is_not_taken_for_another(kept: Path) -> None:
    SHELF.put("b", {"other": 1})
    kept.write_bytes(kept.with_name("b").read_bytes())
    assert made_anew()


@pytest.mark.parametrize("key", [b"", b"short", bytes(33), bytes(32)])
def test_another_key_makes_all_anew(kept: Path, home: Path, key: bytes) -> None:
    home.joinpath("key").write_bytes(key)
    assert made_anew()


def test_a_key_that_others_can_read_is_none(kept: Path, home: Path) -> None:
    home.joinpath("key").chmod(0o644)
    assert made_anew()
    assert stat.S_IMODE(home.joinpath("key").stat().st_mode) == 0o600


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _endless(path: Path) -> None:
    os.truncate(path, 40 * 1024**3)


@pytest.mark.parametrize("spoil", [_link, _pipe, _endless, Path.unlink])
@pytest.mark.parametrize("name", ["tests/a", "key"])
def test_what_is_no_ordinary_file_of_its_size_is_made_anew(
    kept: Path, home: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    spoil(home / name)
    assert made_anew()
    assert home.joinpath(name).is_file()
    assert not home.joinpath(name).is_symlink()


# ---- whose it is --------------------------------------------------------------------------------------


@ROOT_ONLY
@pytest.mark.parametrize("name", ["tests/a", "key"])
def test_a_file_of_somebody_else_is_made_anew(kept: Path, home: Path, name: str) -> None:
    os.chown(home / name, 4711, 4711)
    assert made_anew()


@ROOT_ONLY
@pytest.mark.parametrize("name", ["", "tests"])
def test_a_folder_of_somebody_else_is_not_used(kept: Path, home: Path, name: str) -> None:
    os.chown(home / name, 4711, 4711)
    before = sorted(home.rglob("*"))
    SHELF.put("b", KEPT)
    assert SHELF.take("a") is None
    assert sorted(home.rglob("*")) == before


@pytest.mark.parametrize("name", ["", "tests"])
def test_a_link_to_a_folder_is_not_followed(kept: Path, home: Path, name: str) -> None:
    folder = home / name
    folder.rename(home.parent / "elsewhere")
    folder.symlink_to(home.parent / "elsewhere")
    assert SHELF.take("a") is None
    SHELF.put("b", KEPT)
    assert not list(home.parent.glob("elsewhere/**/b"))


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o077])
def test_the_folders_are_their_owners_alone_whatever_the_umask(home: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        SHELF.put("a", KEPT)
    finally:
        os.umask(before)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (home, *home.rglob("*"))}
    assert found == {"truco-spec": 0o700, "tests": 0o700, "a": 0o600, "key": 0o600}


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o702])
def test_what_lay_in_a_folder_that_others_could_write_to_does_not_count(kept: Path, home: Path, mode: int) -> None:
    home.chmod(mode)
    assert made_anew()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


# ---- nothing is run -----------------------------------------------------------------------------------


class Command:
    """Its pickle makes a file when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


def test_nothing_is_run_that_lies_there(kept: Path, tmp_path: Path) -> None:
    kept.write_bytes(pickle.dumps(Command(tmp_path / "run")))
    assert SHELF.take("a") is None
    SHELF.put("a", Command(tmp_path / "run"))  # even with the right checksum
    assert SHELF.take("a") is None
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("thing", [print, os.system, subprocess.Popen, user_cache.folder, load.load, pickle.loads])
def test_only_records_are_read(kept: Path, thing: object) -> None:
    SHELF.put("a", (thing,))
    assert SHELF.take("a") is None


@pytest.mark.long
def test_nowhere_else_is_anything_read_that_could_be_run() -> None:
    """Beside the cache: a graph that was written in memory."""
    reading = {
        f"{module}.{name}" for module in ("pickle", "marshal", "shelve") for name in ("load", "loads", "Unpickler")
    }
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in reading:
                found.add((path.relative_to(PACKAGE).as_posix(), ast.unparse(node)))
    assert found == {
        ("base/user_cache.py", "pickle.Unpickler"),
        ("graph/linking/rebuild.py", "pickle.Unpickler"),
    }


# ---- from outside -------------------------------------------------------------------------------------


def told(env: dict[str, str]) -> str:
    """What a log comes to, in a process of its own."""
    command = [sys.executable, "-m", "truco_spec", "run", LOG]
    clean = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
    done = subprocess.run(command, env=clean | env, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.long
def test_a_kept_graph_is_played_without_reading_or_linking_rules(home: Path) -> None:
    env = os.environ | {"XDG_CACHE_HOME": str(home.parent), "PYTHONPATH": str(PACKAGE.parent)}
    code = (
        "import sys, truco_spec\n"
        "from truco_spec.graph.load import load, load_open\n"
        "for graph in (load('paulista'), load_open('paulista')):\n"
        "    truco_spec.Game(graph).legal_actions()\n"
        "print(*[name for name in sys.modules if 'language.' in name or 'linking' in name])"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120, check=True)
        for _ in range(2)
    ]
    assert "truco_spec.language.tree" in runs[0].stdout
    assert set(runs[1].stdout.split()) <= {"truco_spec.language.diagnostics"}


@pytest.mark.long
def test_a_log_is_told_alike_with_any_cache(home: Path) -> None:
    """Every file that a run leaves is spoiled, one after the other."""
    env = {"XDG_CACHE_HOME": str(home.parent)}
    right, chance = told(env), random.Random(5)
    files = sorted(path for path in home.rglob("*") if path.is_file())
    assert {path.suffix for path in files} >= {"", ".code"}
    for path in files:
        spoiled = bytearray(path.read_bytes())
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        path.write_bytes(spoiled)
        assert told(env) == right


@pytest.mark.long
@pytest.mark.parametrize("where", ["/proc", "/dev/null", "relative", "/" + "long" * 2000])
def test_a_home_that_cannot_be_written_is_no_hindrance(where: str) -> None:
    assert told({"HOME": where}) == told({"HOME": where, "XDG_CACHE_HOME": where})


@pytest.mark.long
def test_a_user_without_home_or_name_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> None:
        raise KeyError(number)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert user_cache.folder() is None
    SHELF.put("a", KEPT)
    assert SHELF.take("a") is None


@pytest.mark.long
def test_two_processes_share_one_cache(home: Path) -> None:
    env = os.environ | {"XDG_CACHE_HOME": str(home.parent)}
    code = (
        "from test_user_cache import SHELF, KEPT\n"
        "for n in range(300):\n"
        "    SHELF.put(f'{n % 5}', KEPT); assert SHELF.take(f'{n * 3 % 5}') in (None, KEPT)"
    )
    started = [subprocess.Popen([sys.executable, "-c", code], env=env, cwd=Path(__file__).parent) for _ in range(2)]
    assert [process.wait(120) for process in started] == [0, 0]
    assert not list(home.rglob(".*"))
    SHELF.put("a", KEPT)
    assert SHELF.take("a") == KEPT


@pytest.mark.long
def test_graphs_and_their_modules_are_right_after_any_damage(home: Path) -> None:
    chance, right = random.Random(6), load.load("mineiro")
    for _ in range(40):
        load._load.cache_clear()  # type: ignore[attr-defined]
        found = load.load("mineiro")
        assert found.rules == right.rules
        if found.module is None and found.keep is not None:
            found.keep("p0 = None")
        for path in home.rglob("*"):
            if path.is_file() and chance.random() < 0.7:
                spoiled = bytearray(path.read_bytes())
                spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
                path.write_bytes(spoiled)
        name = load.name_of("mineiro", ())
        assert load.fetch_code(name) in (None, "p0 = None")
    load._load.cache_clear()  # type: ignore[attr-defined]
