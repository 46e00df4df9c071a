"""docs/ci.md: the steps of the Action run as scripts, and what is shown names what there is."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from fenced import ROOT, blocks, translated, understood

from truco_spec.cli.verbs.check import command as check_command
from truco_spec.cli.verbs.check import format_command
from truco_spec.cli.verbs.test import command

ACTION: Mapping[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
PAGES = translated("ci.md")
SHOWN = {block.about.removeprefix("file "): yaml.safe_load(block.text) for block in blocks(PAGES["ci.md"])}
INSTALL, JUDGE = ACTION["runs"]["steps"]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_names_every_input_and_no_other(page: str) -> None:
    rows = [line.split("`")[1] for line in PAGES[page].splitlines() if line.startswith("| `")]
    assert rows == list(ACTION["inputs"])


def test_the_workflow_gives_inputs_that_there_are() -> None:
    used = SHOWN["workflow.yml"]["jobs"]["truco-spec"]["steps"][2]
    assert "truco-spec@" in used["uses"]
    assert set(used["with"]) <= set(ACTION["inputs"])


def test_each_step_is_given_the_inputs_that_it_reads() -> None:
    for step in (INSTALL, JUDGE):
        for name, value in step["env"].items():
            assert f"${name}" in step["run"]
            assert value == f"${{{{ inputs.{name.lower()} }}}}"
            assert name.lower() in ACTION["inputs"]


def judged(tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    """Run the second step as a runner would, with the truco-spec of this checkout."""
    program = tmp_path / "runner" / "truco-spec" / "bin" / "truco-spec"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m truco_spec "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    inputs = {name.upper(): of.get("default", "") for name, of in ACTION["inputs"].items()}
    names = {"RUNNER_TEMP": str(tmp_path / "runner"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **inputs, **names, **given}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", JUDGE["run"]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(("case", "status"), [("nowadays-two-turn-01", 0), ("pagat-two-lead-01", 1)])
@pytest.mark.long
def test_a_job_ends_as_the_run_does_and_has_its_summary(tmp_path: Path, case: str, status: int) -> None:
    pytest.importorskip("gat_games")
    adapter = ROOT / "conformance" / "adapters" / "python" / "gat_games.py"
    done = judged(
        tmp_path, COMMAND=f"{sys.executable} {adapter}", VARIANTS="paulista", ARGUMENTS=f"--players 2 --case {case}"
    )
    assert done.returncode == status, done.stderr + done.stdout
    assert "gat-games" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    written = {path.name for path in (tmp_path / "truco-spec-report").iterdir()}
    assert written == {"report.jsonl", "report.xml", "report.html", "badge.svg", "summary.md"}


def test_a_command_that_is_none_is_told_and_nothing_is_judged(tmp_path: Path) -> None:
    done = judged(tmp_path, COMMAND="./no-such-adapter", VARIANTS="paulista")
    assert done.returncode == 2
    assert "no-such-adapter" in done.stderr


def test_the_recipe_for_gitlab_is_understood() -> None:
    (job,) = SHOWN["gitlab.yml"].values()
    with understood(command, job["script"][1]) as context:
        assert context.params["adapter"] == ("./my-adapter",)


def test_the_hooks_are_those_that_are_shown_and_take_what_they_get() -> None:
    (shown,) = SHOWN["pre-commit.yml"]["repos"]
    assert [hook["id"] for hook in shown["hooks"]] == list(HOOKS)
    arguments = shlex.join(shown["hooks"][2]["args"])
    with understood(command, f"{HOOKS['truco-spec-test']['entry']} {arguments}") as context:
        assert context.params["adapter"] == ("node", "adapter.js")
    for name, verb in (("truco-spec-check", check_command), ("truco-spec-format", format_command)):
        with understood(verb, f"{HOOKS[name]['entry']} spec/variants/fisch.truco"):
            assert HOOKS[name]["files"] == r"\.truco$"
