"""The manual page, written from what the verbs say of themselves: ``python -m release.man_page``.

The wheel puts ``man/truco-spec.1`` where ``man`` finds it. (click-man knows no lazy groups, no blocks that keep their
lines, and writes one page for each verb.)
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from truco_spec.base import __version__
from truco_spec.base.shipped import folder
from truco_spec.cli.commands import PROGRAM, VERBS, group

COMMAND = "python -m release.man_page"
_KEPT = "\b"
"""On a line of its own above a paragraph whose lines are kept (click)."""
_END = f"""\
.SH "EXIT STATUS"
.TP
0
All well.
.TP
1
The verdict is negative: a check found an error, a case failed, a claim is right nowhere.
.TP
2
The input cannot be used; one message says what, where, and what to do.
.TP
130
Interrupted.
.SH ENVIRONMENT
.TP
.B TRUCO_SPEC_PROJECT
The folder of a project, as \\-\\-project.
.TP
.B TRUCO_SPEC_LANG
The language: en, pt or es, as \\-\\-lang of every verb that has it; help and messages, too.
.TP
.BR LC_ALL ", " LC_MESSAGES ", " LANG
The first that is set tells the language of help, of messages, and of text in a terminal.
.TP
.B TRUCO_SPEC_CACHE
If it is “off”, nothing is kept between runs.
.SH FILES
.TP
.I $XDG_CACHE_HOME/{PROGRAM}
What is kept between runs; it may be deleted at any time.
"""


def path() -> Path:
    """The page in the checkout."""
    return folder("docs").parent / "man" / f"{PROGRAM}.1"


def page() -> str:
    """The manual page."""
    return "\n".join([f'.\\" Written by {COMMAND}; do not edit.', *_page()]) + "\n" + _END


def _page() -> Iterator[str]:
    context = click.Context(group, info_name=PROGRAM)
    about, *rest = _paragraphs(group)
    yield f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {__version__}" "User Commands"'
    yield from (".SH NAME", f"{_roff(PROGRAM)} \\- {_roff(about.partition(':')[0])}")
    yield from (".SH SYNOPSIS", f".B {_roff(PROGRAM)}", "VERB …")
    yield from (".SH DESCRIPTION", _roff(about), *_told(rest))
    yield from _options(group, context)
    yield ".SH VERBS"
    for verb in sorted(VERBS):
        command = group.get_command(context, verb)
        assert command is not None
        inner = click.Context(command, parent=context, info_name=verb)
        yield from (f".SS {_roff(verb)}", f".B {_roff(f'{PROGRAM} {verb}')}")
        yield from (_roff(" ".join(command.collect_usage_pieces(inner))), *_told(_paragraphs(command)))
        yield from _options(command, inner)


def _paragraphs(command: click.Command) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")


def _told(paragraphs: list[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield ".PP"
        if paragraph.startswith(_KEPT):
            yield from (".nf", _roff(paragraph.removeprefix(_KEPT).strip("\n")), ".fi")
        else:
            yield _roff(paragraph)


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context)) is not None:
            yield from (".TP", f".B {_roff(record[0])}", _roff(record[1]))


def _roff(text: str) -> str:
    """Text that the formatter prints as it stands."""
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"), flags=re.MULTILINE)


if __name__ == "__main__":
    path().write_text(page(), encoding="utf-8")
