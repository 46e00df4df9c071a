"""The README is true: its Python runs, and so do its commands."""

import re
import shlex
from pathlib import Path

import pytest

from truco_spec.cli import main
from truco_spec.cli.commands import VERBS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line.split("  #")[0].strip()
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.S)
    for line in block.splitlines()
    if line.startswith("truco-spec ")
]
ELSEWHERE = {
    "my-adapter": "needs an adapter",
    "house.truco": "needs a file",
    "mine.jsonl": "needs reports; tests/docs/test_reports_md.py",
    "check": "tests/graph",
    "trace": "tests/conformance",
    "site": "tests/site",
    "lsp": "tests/editor",
    "penalties": "tests/rulebook/test_penalties.py",
    "scoresheet": "tests/rulebook/test_scoresheet.py",
    "club": "tests/cli/test_project.py, tests/cli/test_example_projects.py",
    "translate": "tests/cli/test_project.py",
    "--all": "tests/embed/test_build.py",
    "diff": "tests/differences",
    "--shipped": "tests/docs/test_perft_md.py",
}
"""Commands that are not run here, by a word of theirs: why."""


def test_the_readme_shows_every_verb_but_completion():
    assert {command.split()[1] for command in COMMANDS} == set(VERBS) - {"completion"}


@pytest.mark.long
@pytest.mark.parametrize("command", [c for c in COMMANDS if not any(word in c for word in ELSEWHERE)])
def test_the_commands_run(command, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(ROOT)
    words, written = shlex.split(command)[1:], tmp_path / "written"
    for flag in {"-o", "--output"} & {*words}:  # not into the checkout
        words[words.index(flag) + 1] = str(written)
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 0, capsys.readouterr().err
    assert capsys.readouterr().out or written.stat().st_size


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", TEXT, re.S))
def test_the_python_runs(example, capsys):
    exec(compile(example, "README.md", "exec"), {})
    assert "ana" in capsys.readouterr().out


def test_the_first_commands_exist():
    for script in ("try", ".ci/run"):
        assert (ROOT / script).stat().st_mode & 0o111, f"{script} cannot be run"
    assert "./try tests" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
