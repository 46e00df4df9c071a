"""``truco-spec check``, ``format``, ``lsp``: is every rule in order, and each text in its layout? Help in an editor."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from truco_spec.base.errors import TrucoError, located, why_no_file
from truco_spec.base.shipped import folder
from truco_spec.base.words import Sentence, Spoken, number, say, speaking
from truco_spec.cli.arguments import complete_variants
from truco_spec.cli.commands import BAD_INPUT, NEGATIVE
from truco_spec.cli.file_access import STREAM, FileError, message_of, read_text, shown, told, write_file
from truco_spec.cli.messages import Progress, spoken_of_errors, spoken_option

if TYPE_CHECKING:
    from truco_spec.checks import Variant
    from truco_spec.language.diagnostics import Diagnostic


@click.command(
    name="check",
    help="""Check the variants in each FILE, or the variant of that name; without FILE, all of
the project, or else all that are shipped.

Finds what does not read or link, and what the exact checks of the rule graph find: tables with a hole, exceptions
that collide, rules that never apply, phases without a way out, ranges that can be left, clauses that do not exist.
Each finding comes with its place and, where it is one, with a position that shows it. Then thousands of moves are
played, to tell the faults that happen from those that only could not be ruled out (doubts). Collisions are looked for,
and games are played, under other options too.

\b
Examples:
  truco-spec check
  truco-spec check house.truco
  truco-spec check paulista mineiro --doubts

Exit status: 0 all well, 1 a check found an error, 2 the text cannot be read or linked.""",
)
@click.argument("files", metavar="[FILE]…", nargs=-1, shell_complete=complete_variants)
@click.option("--doubts", is_flag=True, help="Also show doubts: what could neither be proved nor met in play.")
@click.option("--pairs", is_flag=True, help="Settle also any two options otherwise that cannot stay open (minutes).")
@click.option("--quiet", "-q", is_flag=True, help="Print findings only.")
@spoken_option
def command(files: tuple[str, ...], doubts: bool, pairs: bool, quiet: bool, language: Spoken) -> int:
    """Check, print the findings, and return the worst status."""
    from truco_spec.base.processes import cores, made_of
    from truco_spec.base.project import subject_names

    status = 0
    targets = files or subject_names()
    spoken = spoken_of_errors(click.get_current_context().meta)
    with Progress(_("variants"), len(targets), quiet=quiet) as progress:
        alone = len(targets) == 1
        tell, workers = (progress.tell, cores()) if alone else (lambda what: None, 1)  # of several only the name
        work = partial(_found, pairs=pairs, spoken=spoken, tell=tell, workers=workers)
        every = made_of(work, targets, cores())
        for target in targets:
            progress.step(target)
            variants, mistake = next(every)
            progress.clear()
            with speaking(language):
                for name, found in variants:
                    _tell(name, found, doubts=doubts, quiet=quiet)
                    if any(d.severity == "error" for d in found):
                        status = max(status, NEGATIVE)
            if mistake:
                click.echo(mistake, err=True)
                status = BAD_INPUT
    return status


def _found(
    target: str, *, pairs: bool, spoken: Spoken, tell: Callable[[str], None], workers: int
) -> tuple[list[tuple[str, list[Diagnostic]]], str]:
    """The findings of each variant of an argument of the command line, and the mistake that ended the check, if any."""
    from truco_spec.checks.checking import check_linked

    variants: list[tuple[str, list[Diagnostic]]] = []
    try:
        for one in _variants(target):
            found = check_linked(one, progress=lambda what: tell(_(what)), pairs=pairs, workers=workers)
            variants.append((one.name, found))
    except TrucoError as error:
        with speaking(spoken):
            return variants, message_of(error)
    return variants, ""


def _variants(target: str) -> Iterator[Variant]:
    """The variants of a command line argument. Raises TrucoError for one that does not read or link."""
    from truco_spec.base.shipped import is_file
    from truco_spec.checks import shipped_variant, variant_in, variant_of
    from truco_spec.language.read import read_file

    if target == STREAM:
        yield variant_of(read_text(target))
    elif is_file(target):
        if wrong := why_no_file(target):
            raise FileError(located(target, wrong))
        for block in read_file(target).variants:
            yield variant_in(target, block.name)
    else:
        yield shipped_variant(target)


COUNTED = {
    "error": ("1 error", "{count} errors"),
    "warning": ("1 warning", "{count} warnings"),
    "note": ("1 doubt", "{count} doubts"),
}


def _tell(name: str, found: list[Diagnostic], *, doubts: bool, quiet: bool) -> None:
    """Print the findings and a summary line."""
    shown = [d for d in found if doubts or d.severity != "note"]
    if shown:
        click.echo(told(shown) + "\n", err=True)
    if quiet and not shown:
        return
    counts = [(sum(d.severity == kind for d in found), forms) for kind, forms in COUNTED.items()]
    words = [say(one if count == 1 else more, count=number(count)) for count, (one, more) in counts if count]
    shipped = folder("spec")
    own = sum(d.severity == "note" and not Path(d.span.file).is_relative_to(shipped) for d in found)
    if 0 < own < counts[-1][0]:  # the others are of the game that it extends
        words.append(say("{count} of them in your text", count=number(own)))
    verdict = say("not in order" if any(d.severity == "error" for d in found) else "in order")
    click.echo(f"{name}: {verdict}" + (f" ({', '.join(words)})" if words else ""))


@click.command(
    name="format",
    help="""Write each spec FILE in its one true form: order, indentation, line width; comments stay.

Files are changed in place, each in one step; a file with mistakes is left as it is. With “-” the text comes from the
standard input and the result goes to the standard output.

\b
Examples:
  truco-spec format house.truco
  truco-spec format --check spec/variants/*.truco
  truco-spec format - < house.truco

Exit status: 0 all well, 1 with --check when a file would change, 2 the input cannot be used.""",
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
def format_command(files: tuple[str, ...], check: bool) -> int:
    """Format the files, or list those that would change."""
    from truco_spec.language.format import format_text

    status = 0
    for path in files:
        try:
            text = read_text(path)
            formatted = format_text(text, shown(path))
            if path == STREAM and not check:
                click.echo(formatted, nl=False)
            elif formatted != text and check:
                click.echo(_("{path}: would change").format(path=shown(path)), err=True)
                status = max(status, NEGATIVE)
            elif formatted != text:
                write_file(path, formatted)
                click.echo(_("{path}: formatted").format(path=path), err=True)
        except TrucoError as error:
            with speaking(spoken_of_errors(click.get_current_context().meta)):
                click.echo(message_of(error), err=True)
            status = BAD_INPUT
    return status


# --------------------------------------------------------------------------------------------------
# ``truco-spec lsp``: help for whoever writes rules, cases and logs in an editor.


@click.command(
    name="lsp",
    help="""Serve an editor: mistakes as you type, what a name or a clause means, and completion.

The editor starts it and talks to it through the standard input and output, in the language server protocol;
docs/editors.md shows how to set up Neovim, Helix and VS Code. Texts of rules, logs and cases are read. It wants the
extra truco-spec[editor].

\b
Examples:
  truco-spec lsp --stdio
  truco-spec lsp --no-checks

Exit status: 0 all well, 2 the extra is not installed.""",
)
@click.option("--stdio", is_flag=True, help="Use the standard input and output, as always; editors say so.")
@click.option("--no-checks", is_flag=True, help="Do not run the exact checks after a while; they take seconds.")
def lsp_command(stdio: bool, no_checks: bool) -> int:
    """Answer until the editor goes."""
    try:
        from truco_spec.editor.server import serve
    except ImportError:
        raise NoEditor(
            Sentence("Without pygls there is no language server. Say: pip install 'truco-spec[editor]'")
        ) from None

    stdin, stdout = sys.__stdin__, sys.__stdout__
    if stdin is None or stdout is None:
        raise NoEditor(Sentence("There is no editor: the standard input or output is closed."))
    sys.stdout = sys.stderr  # only the protocol is written there
    serve(cast(BinaryIO, stdin.buffer), cast(BinaryIO, stdout.buffer), checks=not no_checks)
    return 0


class NoEditor(TrucoError):
    """The language server cannot be started."""
