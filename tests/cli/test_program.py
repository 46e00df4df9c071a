"""The door of the command line: help, unknown words, and how it ends."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from truco_spec.base import __version__
from truco_spec.base.errors import TrucoError
from truco_spec.cli import commands
from truco_spec.cli.commands import VERBS, group, main
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.corpus.ready import is_current


def run(*arguments, text="", **environment):
    return subprocess.run(
        [sys.executable, "-m", "truco_spec", *arguments],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        check=False,
    )


def status_of(*arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code


def ends_with(error, monkeypatch):
    """The status of a verb that raises ``error``."""

    @click.command()
    def command():
        raise error

    monkeypatch.setattr(commands.Verbs, "get_command", lambda *_: command)
    return status_of("check")


def test_the_versions_of_program_and_corpus_are_told():
    done = run("--version")
    assert done.stdout.splitlines() == [f"truco-spec {__version__}", f"corpus {edition()}"]
    assert done.returncode == 0


def test_the_version_is_told_without_a_library_or_a_part_that_it_does_not_need():
    program = (
        "import sys; from truco_spec.cli import main\n"
        "try: main(['--version'])\n"
        "finally: print(sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not {"lark", "yaml", "jinja2", "babel", "interegular"} & set(eval(done.stderr))


@pytest.mark.long
def test_a_log_is_replayed_from_kept_rules_without_lark(tmp_path):
    log = str(Path(__file__).parents[2] / "docs" / "logs" / "fifteen.yaml")
    program = (
        "import sys; from truco_spec.cli import main\n"
        f"try: main(['run', {log!r}])\n"
        "finally: print('lark' in sys.modules, file=sys.stderr)"
    )
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "TRUCO_SPEC_CACHE": ""}
    told = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)
        for _ in range(2)
    ]
    assert [done.stderr.split()[-1] for done in told] == ["True", "False"]


ROOT = Path(__file__).parents[2]
ADAPTER = (sys.executable, str(ROOT / "conformance" / "adapters" / "python" / "gat_games.py"))


@pytest.mark.parametrize(
    ("words", "unneeded"),
    [
        (["run", "paulista | ana bia caio davi | dealer davi | ana 3C"], {"yaml"}),
        (
            ["test", "--no-null", "--case", "nowadays-two-rank-01", "--", *ADAPTER],
            {"truco_spec.engine", "concurrent.futures.process", "argparse"},
        ),
    ],
    ids=["a log in one line", "a case that passes"],
)
@pytest.mark.skipif(not is_current(), reason="cases whose rules have changed are filled anew, which takes the engine")
def test_no_more_is_imported_than_it_takes(words, unneeded):
    program = (
        "import sys; from truco_spec.cli import main\n"
        f"try: main({words!r})\n"
        "finally: print(sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not unneeded & set(eval(done.stderr.splitlines()[-1]))


def shown_and_imported(option: str) -> tuple[str, list[str]]:
    program = (
        "import sys; from truco_spec.cli import main\n"
        f"try: main(['{option}'])\n"
        "finally: print(sorted(m for m in sys.modules if m.startswith('truco_spec.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stdout, [name.removeprefix("truco_spec.") for name in eval(done.stderr)]


def test_help_names_every_verb_and_imports_none():
    shown, imported = shown_and_imported("--help")
    assert all(f"  {verb} " in shown for verb in VERBS)
    assert imported == ["base", "base.errors", "base.harmless", "base.shipped", "cli", "cli.commands", "cli.messages"]


def test_the_version_imports_no_more_than_it_takes_to_read_it():
    shown, imported = shown_and_imported("--version")
    assert edition() in shown
    assert set(imported) <= {
        *("base", "base.errors", "base.harmless", "base.shipped", "cli", "cli.commands", "cli.messages"),
        *("conformance", "conformance.corpus", "conformance.corpus.edition"),
    }


@pytest.mark.sample(4)
@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_examples_and_tells_its_exit_statuses(verb):
    done = run(verb, "--help")
    assert done.returncode == 0, done.stderr
    assert f"truco-spec {verb}" in done.stdout.partition("Examples:")[2], "help without examples"
    assert "Exit status" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [(["chek"], "Did you mean “check”?"), (["qqqq"], "There are: build, check, compare"), (["--versio"], "--version")],
)
def test_an_unknown_word_is_refused_with_a_hint(arguments, hint, capsys):
    assert status_of(*arguments) == 2
    assert hint in capsys.readouterr().err


def test_a_declared_error_is_one_message_and_status_2(monkeypatch, capsys):
    assert ends_with(TrucoError("night.yaml:3:1: error: No such card."), monkeypatch) == 2
    assert capsys.readouterr().err == "night.yaml:3:1: error: No such card.\n"


def test_a_mistake_of_ours_is_not_hidden(monkeypatch):
    @click.command()
    def command():
        raise KeyError("ours")

    monkeypatch.setattr(commands.Verbs, "get_command", lambda *_: command)
    with pytest.raises(KeyError):
        main(["check"])


def test_an_interrupt_ends_quietly_with_130(monkeypatch, capsys):
    assert ends_with(KeyboardInterrupt(), monkeypatch) == 130
    assert capsys.readouterr().err.strip() == ""


def test_a_full_disk_is_one_message(monkeypatch, capsys):
    assert ends_with(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), monkeypatch) == 2
    assert capsys.readouterr().err == "No space left on device\n"


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")


@needs_full
@pytest.mark.parametrize("words", [("--version",), ("words", "nowadays"), ("completion", "bash")])
def test_a_full_output_is_named(words):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "truco_spec", *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "No space left on device: <stdout>\n")


@needs_full
@pytest.mark.parametrize("words", [("chek",), ("run", "nonsense")])
def test_what_cannot_be_told_keeps_its_status(words):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "truco_spec", *words]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_who_leaves_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "truco_spec", "--help"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_letters_that_the_terminal_lacks_are_escaped():
    done = run("chek", PYTHONIOENCODING="ascii")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("graph fi", ["fisch"]),
        ("rulebook uru", ["uruguayo"]),
        ("show uru", ["uruguayo"]),
        ("diff fisch uru", ["uruguayo"]),
        ("fuzz --variant fi", ["fisch"]),
        ("test --variant fi", ["fisch"]),
        ("table --variants fisch,uru", ["fisch,uruguayo"]),
        ("dispute --variants fisch,uru", ["fisch,uruguayo"]),
        ("table --variants fisch,fi", []),
    ],
)
def test_completion_knows_the_variants(words, wanted):
    number = str(len(words.split()))
    done = run(_TRUCO_SPEC_COMPLETE="bash_complete", COMP_WORDS=f"truco-spec {words}", COMP_CWORD=number)
    assert done.stdout.split() == [f"plain,{name}" for name in wanted]


def test_completion_knows_the_verbs():
    done = run(_TRUCO_SPEC_COMPLETE="bash_complete", COMP_WORDS="truco-spec c", COMP_CWORD="1")
    assert done.stdout.split() == ["plain,check", "plain,compare", "plain,completion"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell):
    done = run("completion", shell)
    assert "_TRUCO_SPEC_COMPLETE" in done.stdout
    assert done.returncode == 0


def test_the_group_lists_what_there_is():
    assert group.list_commands(click.Context(group)) == sorted(VERBS)


@pytest.mark.long
@pytest.mark.parametrize("redirected", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_traceback(redirected):
    for arguments, status in (("--version", 0), ("run -", 2), ("test -q --case pagat-tie-01", 0)):
        command = f"{sys.executable} -m truco_spec {arguments} {redirected}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, input="", check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), command


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_every_verb_ends_in_order_when_it_is_asked_to(number, monkeypatch, capsys, hearing):
    ended = []

    @click.command()
    def command():
        try:
            os.kill(os.getpid(), number)
            signal.pause()
        finally:
            ended.append(number)

    monkeypatch.setattr(commands.Verbs, "get_command", lambda *_: command)
    before = signal.getsignal(number)
    assert status_of("check") == 128 + number
    assert (ended, capsys.readouterr().err, signal.getsignal(number)) == ([number], "", before)


def test_what_was_told_not_to_hear_a_closed_terminal_goes_on(monkeypatch):
    @click.command()
    def command():
        os.kill(os.getpid(), signal.SIGHUP)
        return 1

    monkeypatch.setattr(commands.Verbs, "get_command", lambda *_: command)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert status_of("check") == 1
    finally:
        signal.signal(signal.SIGHUP, before)
