"""``truco-spec``: the group of verbs, and their exit statuses.

Exit statuses: 0 all well; 1 the verdict is negative; 2 the input cannot be used; 130 interrupted.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from gettext import gettext as _
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from truco_spec.base import GOING_VERBS, __version__, going
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import behind, stand_before_the_streams
from truco_spec.cli.messages import is_translated, language_of_help, spoken_of_errors, telling, with_help

VERBS = {
    "build": "Write a variant as WebAssembly with a library that plays it.",
    "check": "Check variants: every rule, table, citation and option.",
    "compare": "Set reports of several implementations side by side.",
    "completion": "Print the script that lets a shell complete words.",
    "dispute": "Settle an argument: compare what different rules say of a hand.",
    "diff": "Compare two variants; a log for each difference.",
    "explain": "Explain the moves of a log: rules, exceptions, clauses.",
    "format": "Format specs.",
    "fuzz": "Play random hands against an implementation.",
    "graph": "Draw the rule graph of a variant.",
    "fit": "Find out which game an implementation plays.",
    "new": "Make a project: rules of your own, with sources and cases.",
    "lsp": "Serve an editor: the language server for rules, cases and logs.",
    "penalties": "Print the table of penalties of a variant.",
    "perft": "Count the sequences of actions that follow from a log.",
    "replay": "Turn a log into a page, move by move.",
    "report": "Render the kept events of a run again.",
    "rulebook": "Write the book of rules of a variant.",
    "run": "Replay a log and print its course.",
    "scoresheet": "Write a score sheet and a card of the ranks and stakes.",
    "show": "Print a variant and all that it extends as one text.",
    "table": "Set all variants side by side, question by question.",
    "site": "Write all books, clauses, cases and graphs as a site.",
    "test": "Run the conformance corpus against an implementation.",
    "translate": "Update the catalogs of a project.",
    "trace": "Follow every clause to its rules and cases.",
    "words": "List what an adapter can claim of a variant.",
}
"""The verbs and their descriptions. Verb ``x`` is ``command`` in ``truco_spec.cli.verbs.x``; it returns its status."""

_BESIDE = {
    "commands": ("completion",),
    "verbs.check": ("format", "lsp"),
    "verbs.diff": ("dispute", "table"),
    "verbs.graph": ("build", "show", "words"),
    "verbs.project": ("new", "translate"),
    "verbs.rulebook": ("penalties", "scoresheet", "site"),
    "verbs.run": ("explain", "replay"),
    "verbs.test": ("compare", "report"),
}
"""The verbs that share the module of another, or of no verb. There verb ``x`` is ``x_command``."""

_WITHOUT_PROJECT = ("completion", "format", "new")
"""The verbs that need no names."""

PROGRAM = "truco-spec"
COMPLETION = "_TRUCO_SPEC_COMPLETE"
NEGATIVE, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141


def _open_project(ctx: click.Context, parameter: click.Parameter, given: str | None) -> None:
    """Open the project that is named, or that the working directory is in."""
    from truco_spec.base import project

    with contextlib.suppress(OSError):  # no working directory
        given = given or os.fspath(project.around(Path.cwd()) or project.half(Path.cwd()) or "")
    for folder in (given or "").split(os.pathsep):
        if folder:
            project.Project.open(folder)


_PROJECT = click.Option(
    ["--project"], metavar="DIR", envvar="TRUCO_SPEC_PROJECT", is_eager=True, expose_value=False,
    callback=_open_project, help="The folder of a project, beside what is shipped. Default: the one around you.",
)  # fmt: skip


class Verbs(click.Group):
    """The group of all verbs. Help and completion use names only; a module is imported only to run its verb."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in alphabetical order."""
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a verb, None for an unknown one."""
        if cmd_name not in VERBS:
            return None
        home = next((module for module, verbs in _BESIDE.items() if cmd_name in verbs), "")
        module = importlib.import_module(f"truco_spec.cli.{home or f'verbs.{cmd_name}'}")
        command = getattr(module, f"{cmd_name}_command" if home else "command")
        assert isinstance(command, click.Command)
        if cmd_name not in _WITHOUT_PROJECT and _PROJECT not in command.params:
            command.params.append(_PROJECT)
        return with_help(command, ctx, _) if is_translated() else command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the verb at the start of these arguments; one that will go, with a line that says so; an unknown one
        is rejected with the nearest name.
        """
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            if args[0] in GOING_VERBS:
                click.echo(going(args[0], GOING_VERBS[args[0]]), err=True)
                return super().resolve_command(ctx, [GOING_VERBS[args[0]], *args[1:]])
            from truco_spec.language.diagnostics import nearest

            near = nearest(args[0], VERBS)
            hint = _("Did you mean “{near}”?") if near else _("There are: {names}.")
            hint = hint.format(near=near, names=", ".join(sorted(VERBS)))
            ctx.fail(_("There is no verb “{name}”. {hint}").format(name=args[0], hint=hint))
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The verbs with this prefix, without importing any."""
        fitting = (name for name in sorted(VERBS) if name.startswith(incomplete))
        found = [CompletionItem(name, help=_(VERBS[name])) for name in fitting]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of verbs, without importing any."""
        with formatter.section(_("Verbs")):
            formatter.write_dl([(name, _(text)) for name, text in sorted(VERBS.items())])


def _tell_versions(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from truco_spec.conformance.corpus import edition

        click.echo(f"{PROGRAM} {__version__}\ncorpus {edition()}")
        ctx.exit()


@click.command(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Exit status: 0 all well, 1 the verdict is negative, 2 the input cannot be used.",
    subcommand_metavar="VERB …",
)
@click.option(
    "--version", is_flag=True, is_eager=True, callback=_tell_versions,
    help="Show the versions of the program and of its corpus.",
)  # fmt: skip
def group(version: bool) -> None:
    """An executable standard for Truco: check rules, replay games, judge implementations.

    “truco-spec VERB --help” tells more about one verb.
    """


@click.command(
    name="completion",
    help="""Print the script that lets a SHELL complete verbs and options.

\b
Examples:
  truco-spec completion bash > ~/.local/share/bash-completion/completions/truco-spec
  truco-spec completion zsh  > ~/.zfunc/_truco-spec
  truco-spec completion fish > ~/.config/fish/completions/truco-spec.fish

Exit status: 0 all well, 2 the input cannot be used.""",
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    made = get_completion_class(shell)
    assert made is not None
    script = made(group, {}, PROGRAM, COMPLETION)
    # Not source(): for bash that starts a bash, only to check its version.
    source = script.source_template % script.source_vars()
    click.echo(source.replace("-o nosort", "-o nosort -o default"))  # where no word of ours fits, file names


def main(arguments: Sequence[str]) -> NoReturn:
    """Run the command line and end the process with its status. No declared error shows a traceback."""
    stand_before_the_streams()
    try:
        with telling(language_of_help(arguments)):
            status = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        status = _pipe_closed()
    except OSError as error:
        status = _say(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    gc.freeze()  # exiting: no further garbage collection
    sys.exit(status)


def _run(arguments: Sequence[str]) -> int:
    # Not verbs.main(): it exits with 1 on a closed pipe, which means a negative verdict here.
    verbs = with_help(group, click.Context(group), _) if is_translated() else group
    if instruction := os.environ.get(COMPLETION):
        sys.stdout = behind(sys.stdout)  # click writes bytes; they are names of ours
        return shell_complete(verbs, {}, PROGRAM, COMPLETION, instruction)
    asked: dict[str, str] = {}
    try:
        with stoppable(), verbs.make_context(PROGRAM, list(arguments)) as context:
            asked = context.meta
            result = verbs.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else _say(str(end.code))
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except TrucoError as error:
        from truco_spec.base.words import speaking
        from truco_spec.cli.file_access import message_of

        with speaking(spoken_of_errors(asked)):
            return _say(message_of(error), status=error.exit_status)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _say(message: str, status: int = BAD_INPUT) -> int:
    """Print one message to the error stream, ignoring one that is closed or full."""
    try:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        click.echo("\n".join(map(_bounded, message.split("\n"))), err=True)
    except BrokenPipeError:
        return _pipe_closed()
    except OSError:
        pass
    return status


_LONGEST_LINE = 3000
"""Characters of one line of a message: it may quote a word of any length."""


def _bounded(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 500]} … {line[-500:]}"


def _pipe_closed() -> int:
    """The reader of our output has gone: exit quietly, as other tools do, without another flush."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    return PIPE_CLOSED


# --------------------------------------------------------------------------------------------------
# Termination by signals, handled like Ctrl-C so that the run is ended in order.

POLITE = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end the process: a polite kill, and a closed terminal. The status is 128 plus the number."""


class Stopped(SystemExit):
    """The process was asked to terminate."""


@contextmanager
def stoppable() -> Iterator[None]:
    """A context in which SIGTERM and SIGHUP end the run as Ctrl-C does, so that its reports are written; an ignored
    signal (``nohup``) stays ignored.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(128 + number)

    former = {number: signal.getsignal(number) for number in POLITE}
    caught = [number for number, handler in former.items() if handler != signal.SIG_IGN]
    for number in caught:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, former[number])
