"""The wheel: built from a copy of this checkout, installed in an environment of its own, used in an empty folder."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from fenced import follow

from truco_spec.base import __version__
from truco_spec.conformance.corpus import corpus

ROOT = Path(__file__).parents[1]
PARTS = ("truco_spec", "grammar", "spec", "conformance", "docs", "man", "pyproject.toml", "README.md", "LICENSE")

pytestmark = pytest.mark.packaging


def run(*command, cwd, env=None):
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def install(home, *wanted):
    """Into an environment, by the pip of this one."""
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet", "--no-compile"]
    run(*pip, *wanted, cwd=home)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    # A copy: a build must not see what lies beside the checkout, nor leave anything in it.
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, source / part)
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(source), cwd=out)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    home = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", str(home), cwd=home)
    install(home, f"{wheel}[editor,native]")
    return home / "bin"


def test_the_wheel_holds_the_data_and_no_litter(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("data/grammar/truco.lark", "data/spec/variants/paulista.truco", "data/spec/LICENSE", "py.typed"):
        assert f"truco_spec/{wanted}" in names
    assert any(name.startswith("truco_spec/data/conformance/cases/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_every_file_of_the_data_is_in_the_wheel(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [p for part in ("grammar", "spec", "conformance", "docs") for p in (ROOT / part).rglob("*") if p.is_file()]
    wanted = {f"truco_spec/data/{p.relative_to(ROOT)}" for p in files if "__pycache__" not in p.parts}
    assert wanted <= names


def test_an_installed_wheel_works_in_an_empty_folder(installed, tmp_path):
    program = str(installed / "truco-spec")
    assert __version__ in run(program, "--version", cwd=tmp_path)
    log = "paulista | ana bia caio davi | dealer ana | bia 3C, caio truco, davi corro"
    assert "Every move is permitted" in run(program, "run", log, cwd=tmp_path)
    assert run(program, "check", "mineiro", cwd=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_federation_goes_from_an_empty_folder_to_its_book(installed, tmp_path):
    page = (ROOT / "docs" / "federation.md").read_text(encoding="utf-8")
    project = follow(page, tmp_path, lambda words, place: (run(str(installed / "truco-spec"), *words, cwd=place), ""))
    assert "Tied tricks" in (project / "north.html").read_text(encoding="utf-8")


def test_an_author_gets_an_adapter_from_an_installed_wheel_and_a_report(installed, tmp_path):
    program = str(installed / "truco-spec")
    run(program, "new", "mine", "--adapter", "python", cwd=tmp_path)
    test = [program, "test", "--case", "nowadays-two-rank-01", "--", sys.executable, "mine/adapter.py"]
    report = subprocess.run(test, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert report.returncode == 1, report.stderr
    assert "got       it was refused (not-offered)" in report.stdout


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
def test_man_finds_the_page_of_an_installed_wheel(installed, tmp_path):
    environment = {"PATH": f"{installed}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"}
    done = subprocess.run(["man", "truco-spec"], env=environment, capture_output=True, text=True, check=False)
    assert "An executable standard for Truco" in done.stdout and "truco-spec test -- ./my-adapter" in done.stdout


def test_an_installed_server_answers_an_editor(installed, tmp_path):
    answers_an_editor(installed / "truco-spec", tmp_path)


def answers_an_editor(program, folder):
    asked = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": asked},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    raw = "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in map(json.dumps, sent))
    command = [str(program), "lsp", "--stdio"]
    done = subprocess.run(command, input=raw, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert '"hoverProvider"' in done.stdout, done.stderr


# ---- other installers --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installers(tmp_path_factory):
    """uv and pipx, from the registry of Python."""
    home = tmp_path_factory.mktemp("installers")
    run(sys.executable, "-m", "venv", str(home), cwd=home)
    command = [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile", "uv", "pipx"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"uv and pipx are not to be had here: {done.stderr[-300:]}")
    return home / "bin"


@pytest.fixture
def apart(tmp_path):
    """An environment in which they keep all that they write in one folder."""
    folders = {
        "UV_CACHE_DIR": "cache", "UV_TOOL_DIR": "tools", "UV_TOOL_BIN_DIR": "bin",
        "PIPX_HOME": "tools", "PIPX_BIN_DIR": "bin", "PIPX_MAN_DIR": "man",
    }  # fmt: skip
    told = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return told | {name: str(tmp_path / folder) for name, folder in folders.items()}


@pytest.mark.parametrize("command", [("uv", "tool", "install"), ("pipx", "install")], ids=" ".join)
def test_it_becomes_a_command_of_its_own(wheel, installers, apart, tmp_path, command):
    program, *verb = command
    wanted = f"truco-spec[editor] @ {wheel.as_uri()}"
    run(str(installers / program), *verb, "--python", sys.executable, wanted, cwd=tmp_path, env=apart)
    assert __version__ in run(str(tmp_path / "bin" / "truco-spec"), "--version", cwd=tmp_path)
    assert (tmp_path / "man" / "man1" / "truco-spec.1").exists() == (program == "pipx")
    answers_an_editor(tmp_path / "bin" / "truco-spec", tmp_path)


@pytest.mark.parametrize("command", [("uv", "tool", "run", "--from"), ("pipx", "run", "--spec")], ids=" ".join)
def test_it_runs_without_being_installed(wheel, installers, apart, tmp_path, command):
    program, *verb = command
    told = run(str(installers / program), *verb, str(wheel), "truco-spec", "--version", cwd=tmp_path, env=apart)
    assert __version__ in told and not (tmp_path / "bin" / "truco-spec").exists()


# ---- games -------------------------------------------------------------------------------------


@pytest.mark.skipif(not (shutil.which("node") and shutil.which("npm")), reason="there is no node here, or no npm")
def test_a_game_that_an_installed_wheel_packs_is_installed_by_npm_and_played(installed, tmp_path):
    run(str(installed / "truco-spec"), "build", "paulista", "--npm", "-o", "rules", cwd=tmp_path)
    quiet = ("--silent", "--offline", "--no-audit", "--no-fund", "--cache", str(tmp_path / "cache"))
    packed = run("npm", "pack", *quiet, "./rules", cwd=tmp_path).strip()
    home = tmp_path / "home"
    home.mkdir()
    run("npm", "install", *quiet, f"../{packed}", cwd=home)
    (home / "play.mjs").write_text(
        'import { Truco } from "truco-paulista";\n'
        'const game = await Truco.load("paulista");\ngame.draw();\nconsole.log(...game.legalActions());\n',
        encoding="utf-8",
    )
    assert " shuffle" in run("node", "play.mjs", cwd=home)


def test_the_first_cases_of_the_corpus_pass_from_an_installed_wheel(installed, tmp_path):
    """Of all files; the others have been played from the checkout."""
    first = [f"--case={case.id}" for case in corpus.load() if case.id.endswith("-01")]
    run(str(installed / "truco-spec"), "test", *first, cwd=tmp_path)


def test_the_plugin_of_pytest_comes_with_the_wheel(installed, tmp_path):
    python = str(installed / "python")
    install(installed.parent, "pytest>=8")
    (tmp_path / "mine.py").write_text(
        "class Adapter:\n"
        "    def hello(self):\n"
        "        return {'name': 'mine', 'version': '1', 'variants': {}, 'observes': []}\n",
        encoding="utf-8",
    )
    told = run(
        python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error",
        "--truco-adapter=mine:Adapter", "--truco-variant=mineiro", cwd=tmp_path,
    )  # fmt: skip
    assert " skipped in " in told
