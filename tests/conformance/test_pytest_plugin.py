"""The pytest plugin: cases are items like any others, and it is not there until it is asked for."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys

import pytest
from tables import THREE, case_file, command

from truco_spec.base import __version__, safe_yaml, shipped

pytest_plugins = "pytester"
LOADED = safe_yaml
"""It is imported late, and what is imported within a run of pytester is forgotten after it, by halves."""

ADAPTER = """
import sys, time
sys.path.insert(0, {miniatures!r})
from table import HELLO, honest

class Adapter:
    broken = False

    def hello(self):
        return HELLO

    def run(self, script):
        assert not self.broken, "asked again"
        return honest({{"id": "", "do": "run", "script": script}})

class Other(Adapter):  # what it does to the second case
    def run(self, script):
        return self.second() if script["score"]["P1"] == 2 else super().run(script)

class Liar(Other):
    def second(self):
        return {{"hands": [{{"seen": [{{"stake": -1}}]}}]}}

class Raises(Other):
    def second(self):
        self.broken = True
        raise ValueError("the pack is sticky")

class Leaves(Other):
    def second(self):
        self.broken = True
        sys.exit(3)

class Sleeps(Other):
    def second(self):
        self.broken = True
        while True:
            try:
                time.sleep(0.05)
            except Exception:
                pass

class Silent(Other):
    def second(self):
        return {{"hands": [{{"seen": [{{}}]}}]}}

class Elsewhere(Adapter):
    def hello(self):
        return {{**HELLO, "variants": {{}}}}

class Future(Adapter):
    def hello(self):
        return {{**HELLO, "protocol": 9}}
"""


@pytest.fixture
def bench(inner_pytest, monkeypatch):
    """A folder with three cases, some adapters and a test of its own."""
    monkeypatch.delitem(sys.modules, "table", raising=False)  # the adapters import another of that name
    case_file(inner_pytest.path, THREE)
    inner_pytest.makepyfile(adapters=ADAPTER.format(miniatures=str(shipped.folder("conformance") / "miniatures")))
    inner_pytest.makepyfile(test_own="def test_own(): pass")
    inner_pytest.makeini("[pytest]\naddopts = -p no:hypothesispytest --strict-markers")
    return inner_pytest


def run(bench, *arguments, adapter="Adapter"):
    given = [f"--truco-adapter=adapters:{adapter}"] if adapter else []
    return bench.runpytest_inprocess("--truco-cases=cases.yaml", *given, *arguments)


def outcomes(result):
    return {name: count for name, count in result.parseoutcomes().items() if name != "seconds"}


# ---- items --------------------------------------------------------------------------------------


def test_every_case_is_a_test_beside_the_others(bench):
    result = run(bench)
    assert outcomes(result) == {"passed": 4}
    result.stdout.fnmatch_lines([f"truco-spec: {__version__}, cases of cases.yaml"])


def test_names_are_listed(bench):
    result = run(bench, "--collect-only", "-q")
    result.stdout.fnmatch_lines(
        ["test_own.py::test_own", *(f"truco-spec::own-three-{n}" for n in (1, 2, 3)), "4 tests collected*"]
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("arguments", "passed", "left"),
    [
        (["-k", "own-three-2"], 1, 3),
        (["-k", "pagat:paulista.dirty-deck"], 3, 1),
        (["-k", "paulista"], 3, 1),
        (["-m", "truco_must"], 3, 1),
        (["-m", "not truco_case"], 1, 3),
        (["-m", "truco_clause(id='pagat:paulista.dirty-deck')"], 3, 1),
        (["--deselect", "truco-spec::own-three-2"], 3, 1),
    ],
)
def test_words_and_marks_choose(bench, arguments, passed, left):
    assert outcomes(run(bench, *arguments)) == {"passed": passed, "deselected": left}


@pytest.mark.parametrize("level", ["decided", "option"])
def test_every_level_has_its_mark(bench, level):
    case_file(bench.path, THREE.replace("must", level, 1))
    assert outcomes(run(bench, "-m", f"truco_{level}")) == {"passed": 1, "deselected": 3}


def test_a_case_is_run_by_its_id(bench):
    assert outcomes(run(bench, "truco-spec::own-three-3")) == {"passed": 1}
    assert outcomes(run(bench, "truco-spec::own-three-3", "test_own.py")) == {"passed": 2}
    assert outcomes(run(bench, "truco-spec::")) == {"passed": 3}


def test_whoever_asks_for_another_test_gets_no_cases(bench):
    assert "cases of" not in run(bench, "test_own.py::test_own").stdout.str()
    assert outcomes(run(bench, "test_own.py::test_own")) == {"passed": 1}
    assert outcomes(run(bench, "test_own.py")) == {"passed": 4}


def test_options_in_a_file_of_settings_hold_where_no_file_is_named(bench):
    bench.makeini("[pytest]\naddopts = --truco-adapter=adapters:Adapter --truco-cases=cases.yaml")
    for arguments, passed in ([], 4), (["test_own.py"], 1), (["truco-spec::own-three-1"], 1):
        assert outcomes(bench.runpytest_inprocess(*arguments)) == {"passed": passed}


def test_the_cases_of_a_variant(bench):
    case_file(bench.path, THREE.replace("level: must", "level: must\n    applies: {variants: [paulista, mineiro]}", 1))
    assert outcomes(run(bench, "--truco-variant=mineiro", adapter="Elsewhere")) == {"passed": 1, "skipped": 1}


# ---- verdicts -----------------------------------------------------------------------------------


def test_a_fault_is_shown_as_the_runner_shows_it(bench):
    result = run(bench, adapter="Liar")
    assert outcomes(result) == {"passed": 3, "failed": 1}
    result.stdout.fnmatch_lines(
        [
            "*FAIL own-three-2 (must)",
            "*clause    pagat:paulista.dirty-deck: *",
            "*expected  stake: 2",
            "*got       stake: -1",
            "*script    paulista | *",
            "*P1   *3C*",
            "*repeat    pytest --truco-adapter adapters:Liar --truco-cases cases.yaml truco-spec::own-three-2",
            "FAILED truco-spec::own-three-2 - fail: expected stake: 2, got stake: -1",
        ]
    )
    assert "truco-spec test" not in result.stdout.str()


def test_the_command_that_repeats_a_fault_repeats_it(bench):
    (line,) = [line for line in run(bench, adapter="Liar").outlines if line.strip().startswith("repeat ")]
    again = bench.runpytest_inprocess(*shlex.split(line)[2:])
    assert outcomes(again) == {"failed": 1}


def test_the_first_fault_can_end_the_run(bench):
    assert outcomes(run(bench, "-x", adapter="Liar")) == {"passed": 2, "failed": 1}


def test_only_what_failed_is_run_again(bench):
    run(bench, adapter="Liar")
    assert outcomes(run(bench, "--last-failed", adapter="Liar"))["failed"] == 1


@pytest.mark.parametrize("style", ["line", "short", "no"])
def test_other_styles_of_traceback(bench, style):
    result = run(bench, f"--tb={style}", "--junit-xml=out.xml", adapter="Liar")
    assert outcomes(result) == {"passed": 3, "failed": 1}
    assert "expected stake: 2, got stake: -1" in (bench.path / "out.xml").read_text(encoding="utf-8")


def test_skips_have_their_reason(bench):
    result = run(bench, "-rs", adapter="Elsewhere")
    assert outcomes(result) == {"passed": 1, "skipped": 3}
    result.stdout.fnmatch_lines(["SKIPPED [[]3] *: unsupported: it does not play paulista"])
    result = run(bench, "-rs", adapter="Silent")
    assert outcomes(result) == {"passed": 3, "skipped": 1}
    result.stdout.fnmatch_lines(["SKIPPED [[]1] *: unobserved: *"])


def test_a_fault_may_be_expected(bench):
    bench.makeconftest(
        """
        import pytest

        def pytest_collection_modifyitems(items):
            for item in items:
                if item.nodeid == "truco-spec::own-three-2":
                    item.add_marker(pytest.mark.xfail(reason="issue 7", strict=True))
        """
    )
    assert outcomes(run(bench, adapter="Liar")) == {"passed": 3, "xfailed": 1}
    assert outcomes(run(bench)) == {"passed": 3, "failed": 1}


# ---- adapters that break ------------------------------------------------------------------------


def known(bench, *lines):
    (bench.path / "known.yaml").write_text("expected: 1\nfailures:\n" + "".join(f"  - {{{line}}}\n" for line in lines))
    return "--truco-expected=known.yaml"


def test_a_file_of_expected_failures_is_heeded(bench):
    option = known(bench, "id: own-three-2, reason: The pack is sticky., link: 'https://example.org/7'")
    result = run(bench, option, "-rx", adapter="Liar")
    assert outcomes(result) == {"passed": 3, "xfailed": 1}
    result.stdout.fnmatch_lines(["XFAIL truco-spec::own-three-2 - The pack is sticky. (https://example.org/7)"])


def test_what_passes_and_was_expected_to_fail_is_a_failure(bench):
    result = run(bench, known(bench, "id: own-three-1, reason: The pack is sticky."))
    assert outcomes(result) == {"passed": 3, "failed": 1}
    result.stdout.fnmatch_lines(["*XPASS(strict)* The pack is sticky."])


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("expires: 2020-01-31", "*  known     was expected to fail until 2020-01-31, and fails the run now*"),
        ("verdict: crash", "*  known     was expected to be crash, and is fail"),
    ],
)
def test_what_the_file_does_not_say_any_more_is_a_failure(bench, more, told):
    result = run(bench, known(bench, f"id: own-three-2, reason: So., {more}"), adapter="Liar")
    assert outcomes(result) == {"passed": 3, "failed": 1}
    result.stdout.fnmatch_lines([told])


def test_what_is_unsupported_is_skipped_whatever_is_expected(bench):
    result = run(bench, known(bench, "id: own-three-2, reason: So."), "-rs", adapter="Elsewhere")
    assert outcomes(result) == {"passed": 1, "skipped": 3}
    assert result.stdout.str().count("; the entry own-three-2 is needless, delete it") == 1


def test_a_mistake_in_the_file_of_expected_failures_is_told_once(bench):
    result = run(bench, known(bench, "id: own-three-9, reason: So."))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['ERROR: known.yaml:3:10: There is no case "own-three-9". Did you mean own-three-1?'])


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("adapter", "words"),
    [
        ("Raises", "It raised ValueError: the pack is sticky"),
        ("Leaves", "It left with exit status 3."),
        ("Sleeps", "No answer within 0.2 s."),
    ],
)
def test_an_object_that_breaks_costs_one_case_and_is_replaced(bench, adapter, words):
    before = signal.getsignal(signal.SIGALRM)
    result = run(bench, "--truco-timeout=0.2", "truco-spec::", adapter=adapter)
    assert outcomes(result) == {"passed": 2, "failed": 1}
    result.stdout.fnmatch_lines([f"*got       {words}*"])
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "words"), [("crash", "exit status 1"), ("hang", "No answer within 0.5 s."), ("garbage", "Garbage*")]
)
def test_a_command_that_breaks_costs_one_case_and_is_started_again(bench, name, words):
    asked = f"--truco-command={shlex.join(command(name))}"
    result = run(bench, asked, "--truco-timeout=0.5", "truco-spec::", adapter=None)
    assert outcomes(result) == {"passed": 2, "failed": 1}
    result.stdout.fnmatch_lines([f"*got       *{words}*", f"*--truco-command *{name}.py*truco-spec::own-three-2"])


def test_a_command_that_never_starts_is_a_usage_error(bench):
    result = run(bench, f"--truco-command={shlex.join(command('exits'))}", "truco-spec::", adapter=None)
    assert (result.ret, outcomes(result)) == (pytest.ExitCode.USAGE_ERROR, {})
    result.stderr.fnmatch_lines(["ERROR: It never got started. *exit status 3*"])


# ---- mistakes of the user -----------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--truco-adapter=nowhere:Adapter"], "nowhere cannot be loaded: ModuleNotFoundError*"),
        (["--truco-adapter=adapters:Adaptor"], "adapters has no class Adaptor. Did you mean Adapter?"),
        (["--truco-adapter=adapters"], "‘adapters’ names no class.*"),
        (["--truco-adapter=adapters:Future"], "*speaks protocol 9*"),
        (["--truco-command=./no-such-program"], "The command ‘./no-such-program’ cannot be started: *this folder."),
        (["--truco-command="], "--truco-command is empty.*"),
        (["--truco-command='x"], "--truco-command *cannot be split into words*"),
        ([], "Give --truco-adapter MODULE:CLASS or --truco-command CMD, one of them."),
        (["--truco-adapter=adapters:Adapter", "--truco-command=x"], "Give --truco-adapter*one of them."),
        (["--truco-adapter=adapters:Adapter", "--truco-variant=paulisto"], "*Did you mean “paulista”?"),
        (["--truco-adapter=adapters:Adapter", "--truco-timeout=0"], "--truco-timeout 0: give a number*"),
        (["--truco-adapter=adapters:Adapter", "--truco-timeout=nan"], "--truco-timeout nan: give a number*"),
        (["--truco-adapter=adapters:Adapter", "--truco-cases=elsewhere"], "elsewhere: there is no such file*"),
        (["--truco-adapter=adapters:Adapter", "truco-spec::own-three-9"], "There is no case “own-three-9”*"),
    ],
)
def test_a_mistake_is_told_once(bench, arguments, words):
    result = run(bench, *arguments, adapter=None)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*ERROR: {words}"])
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_a_mistake_in_the_corpus_is_told_with_its_place(bench):
    case_file(bench.path, THREE.replace("level: must", "level: perhaps", 1))
    result = run(bench)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*ERROR: cases.yaml:9:5: ‘perhaps’*"])


# ---- what it costs ------------------------------------------------------------------------------


def test_it_costs_nothing_when_it_is_not_asked_for():
    code = "import pytest, sys; old = set(sys.modules); import truco_spec.pytest_plugin; print(set(sys.modules) - old)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {name for name in eval(done.stdout) if not name.startswith("__")} == {
        "truco_spec",
        "truco_spec.base",
        "truco_spec.pytest_plugin",
    }


def test_help_tells_of_it_without_looking_at_what_is_given(bench):
    result = run(bench, "--help", adapter="Nobody")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*--truco-adapter=MODULE:CLASS*"])
    result = bench.runpytest_inprocess("--markers")
    result.stdout.fnmatch_lines([f"@pytest.mark.truco_{name}*" for name in ("must", "decided", "option", "clause")])
