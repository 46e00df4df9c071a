"""Logs as arguments: a YAML file, the standard input, or the one-line notation itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truco_spec.cli.common.file_access import read_text, shown

if TYPE_CHECKING:
    from truco_spec.logs.model import Log
    from truco_spec.logs.replay import Replay

log_argument = click.argument("log", metavar="LOG")
spec_option = click.option(
    "--spec", metavar="FILE", help="Play by the variant in this .truco file, whatever the log names."
)


def log_of(word: str) -> Log:
    """The log of an argument: “-”, a text with “|” in it, or the name of a file (YAML, or one line)."""
    from truco_spec.logs.files import read
    from truco_spec.logs.line import looks_like_line, read_line

    if "|" in word:
        return read_line(word)
    text = read_text(word)
    return read_line(text.strip(), shown(word)) if looks_like_line(text) else read(text, shown(word))


def replay_of(word: str, spec: str | None) -> Replay:
    """The replay of a log, before its first move."""
    from truco_spec.logs.replay import Replay

    log = log_of(word)
    if spec is None:
        return Replay(log)
    from truco_spec.cli.common.variants import graph_of
    from truco_spec.logs.setup import options_of

    return Replay(log, graph_of(spec, options_of(log, graph_of(spec, {}))))
