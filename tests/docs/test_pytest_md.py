"""The commands and files on the page of the pytest plugin do what it says."""

from __future__ import annotations

import shlex
import tomllib

import pytest
from fenced import blocks, translated

from truco_spec.base import safe_yaml
from truco_spec.conformance.corpus import edition, ready
from truco_spec.graph.linking import build

pytest_plugins = "pytester"
LOADED = safe_yaml, ready, build
"""They are imported late, and what is imported within a run of pytester is forgotten after it, by halves."""

PAGES = translated("pytest.md")
BLOCKS = blocks(PAGES["pytest.md"])
COMMANDS = [line for block in BLOCKS if block.language == "console" for line in block.text.splitlines()]
SETTINGS, KNOWN = ([b.text for b in BLOCKS if b.language == language] for language in ("toml", "yaml"))
ADAPTER = """
class Adapter:  # whatever it is told, it has nothing of the kind
    def hello(self):
        variants = {"paulista": {"players": [4], "itself": []}}
        return {"name": "mine", "version": "1", "variants": variants, "observes": ["stake"]}

    def run(self, script):
        return {"hands": [{"seen": [{"refused": True} for _ in hand["actions"]]} for hand in script["hands"]]}
"""


@pytest.fixture
def home(inner_pytest):
    inner_pytest.makepyfile(my_adapter=ADAPTER, test_mine="def test_mine(): pass")
    (inner_pytest.path / "known.yaml").write_text(KNOWN[0], encoding="utf-8")
    (inner_pytest.path / "pyproject.toml").write_text(SETTINGS[0], encoding="utf-8")
    return inner_pytest


@pytest.mark.sample(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_finds_cases(home, command):
    prompt, program, *arguments = shlex.split(command)
    assert (prompt, program) == ("$", "pytest")
    if "--truco-command" in arguments:
        (home.path / "pyproject.toml").unlink()
    result = home.runpytest_inprocess("--collect-only", "-q", *arguments)
    assert result.ret == 0
    told = [line for line in result.outlines if "::" in line]
    cases = [line for line in told if line.startswith("truco-spec::")]
    if "not truco_case" in arguments:
        assert told == ["test_mine.py::test_mine"]
    elif "--deselect" in arguments:
        assert cases and arguments[1] not in cases
    elif arguments[-1].startswith("truco-spec::"):
        assert told == arguments[-1:]
    else:
        assert cases


def test_the_settings_are_for_runs_that_name_no_file(home):
    assert tomllib.loads(SETTINGS[0])["tool"]["pytest"]["ini_options"]
    home.runpytest_inprocess("test_mine.py").assert_outcomes(passed=1)
    home.runpytest_inprocess("test_mine.py", "truco-spec::pagat-vira-01").assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_fault_can_be_expected_as_shown(home, settings):
    (home.path / "pyproject.toml").write_text(settings, encoding="utf-8")
    expected = {"xfailed": 1} if "--truco-expected" in settings else {"failed": 1}
    home.runpytest_inprocess("truco-spec::pagat-vira-01").assert_outcomes(**expected)
    told = home.runpytest_inprocess("-rx", "--truco-expected", "known.yaml", "truco-spec::pagat-vira-01")
    told.assert_outcomes(xfailed=1)
    assert f"corpus {edition()}" in told.stdout.str()
    assert "The turned card comes too late. (https://example.org/issues/7)" in told.stdout.str()


def test_every_option_and_mark_is_told(home):
    told = home.runpytest_inprocess("--help").stdout.str() + home.runpytest_inprocess("--markers").stdout.str()
    for word in ("adapter", "command", "variant", "cases", "expected", "timeout"):
        assert f"--truco-{word}" in told and all(f"`--truco-{word}`" in page for page in PAGES.values())
    for word in ("case", "must", "decided", "option", "clause"):
        assert f"pytest.mark.truco_{word}" in told and all(f"`truco_{word}" in page for page in PAGES.values())
