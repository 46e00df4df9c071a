"""The templates in compiled languages: as they are, and with their five places filled for a toy engine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from test_adapters import ADAPTERS, PATIENT, PYTHON, cases, over_the_pipe

from truco_spec.conformance.adapters.pipe import Pipe
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

TOYS = Path(__file__).parent / "toys"
OFFLINE = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": ""}
ESBUILD = ("esbuild", "--bundle", "--platform=node", "--log-level=warning")
PLAYED = {
    *(f"nowadays-two-rank-0{n}" for n in (1, 2, 3, 4)),
    *(f"nowadays-two-manilha-0{n}" for n in (1, 2, 3, 4)),
    *(f"nowadays-two-tie-0{n}" for n in (1, 2, 3, 4, 5, 6)),
    *(f"nowadays-two-turn-0{n}" for n in (1, 2, 3)),
    *("nowadays-two-deal-01", "pagat-two-deal-01", "pagat-two-lead-01", "pagat-two-lead-02"),
}


class Built:
    """A language whose pipe, template and toy lie in one folder. The commands of both are those of the pages."""

    def __init__(self, language: str, folder: Path) -> None:
        self.folder = folder
        for file in (*(ADAPTERS / language).iterdir(), *TOYS.iterdir()):
            shutil.copy(file, folder)
        self.template, self.toy = getattr(self, language)()

    def go(self) -> Sequence[Sequence[str]]:
        for name in ("template", "toy"):
            self.make("go", "build", "-o", name, "pipe.go", f"{name}.go")
        return [str(self.folder / "template")], [str(self.folder / "toy")]

    def java(self) -> Sequence[Sequence[str]]:
        self.make("javac", "-Xlint:all", "-Werror", "-d", ".", "Json.java", "Pipe.java", "Template.java", "Toy.java")
        java = ("java", "-cp", str(self.folder))
        return [*java, "adapter.Template"], [*java, "adapter.Toy"]

    def typescript(self) -> Sequence[Sequence[str]]:
        for name in ("template", "toy"):
            self.make(*ESBUILD, f"{name}.ts", f"--outfile={name}.js")
        return ["node", str(self.folder / "template.js")], ["node", str(self.folder / "toy.js")]

    def make(self, *command: str) -> None:
        environment = os.environ | OFFLINE | {"GOCACHE": str(self.folder / "cache")}
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(
    scope="module",
    params=[pytest.param("go", marks=pytest.mark.long), pytest.param("java", marks=pytest.mark.long), "typescript"],
)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    for needed in {"go": ["go"], "java": ["javac", "java"], "typescript": ["esbuild", "node"]}[request.param]:
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed")
    return Built(request.param, tmp_path_factory.mktemp(request.param))


def played(command: Sequence[str]) -> Sequence[Result]:
    with Pipe(command, PATIENT) as pipe:
        return runner.run(cases(), pipe)


def test_a_template_is_that_in_python(built: Built) -> None:
    assert played(built.template) == over_the_pipe(PYTHON, "template/adapter.py")


def test_a_toy_in_its_places_is_judged(built: Built) -> None:
    results = played(built.toy)
    verdicts = {result.instance.name: result.verdict for result in results}
    assert {name for name, verdict in verdicts.items() if verdict == "pass"} >= PLAYED
    assert set(verdicts.values()) == {"pass", "unsupported", "unobserved"}
    reasons = {result.instance.name: result.reason for result in results if result.verdict == "unsupported"}
    assert reasons["nowadays-two-truco-01"] == "says that it omits truco"
