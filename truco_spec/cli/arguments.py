"""Arguments that several verbs take: variants and their options, logs and implementations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache, partial, reduce
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError, located, why_no_file
from truco_spec.base.project import MANIFEST, playable_names
from truco_spec.base.words import Sentence, hinted, speaking, suggestion
from truco_spec.cli.file_access import STREAM, FileError, read_text, shown
from truco_spec.cli.messages import spoken_of_errors

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from truco_spec.compare.scenario import Side
    from truco_spec.conformance.adapters.pipe import CountingImplementation
    from truco_spec.graph.link import Chain
    from truco_spec.graph.model import Graph
    from truco_spec.logs.line import Log
    from truco_spec.logs.replay import Replay


F = TypeVar("F", bound=Callable[..., Any])


class VariantError(TrucoError):
    """Unknown variant or option."""


# ---- A variant: the name of one at hand, or a file ---------------------------------------------


def complete_variants(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The variants with this prefix; after a comma, of a list."""
    listed, comma, begun = incomplete.rpartition(",")
    given = listed.split(",")
    return [f"{listed}{comma}{name}" for name in playable_names() if name.startswith(begun) and name not in given]


def graph_of(variant: str, options: dict[str, str]) -> Graph:
    """The graph of a variant under these options. Raises :class:`TrucoError` if it does not read or link."""
    from truco_spec.graph.load import load, load_file
    from truco_spec.language.diagnostics import nearest

    is_file = _is_file(variant)
    if not is_file:
        _must_be_a_variant(variant)
    plain = load_file(variant) if is_file else load(variant)
    for name, value in options.items():
        if name not in plain.options:
            near = nearest(name, plain.options)
            wrong = Sentence("It has no option “{name}”.", name=name)
            raise VariantError(located(variant, _with_hint(wrong, near, plain.options)))
        values = plain.options[name].values
        if value not in (*values, *plain.options[name].ruled_out):  # the error itself says why one is ruled out
            form = "The option “{name}” is one of {values}; not “{value}”."
            raise VariantError(located(variant, Sentence(form, name=name, values=values, value=value)))
    if not options:
        return plain
    return load_file(variant, "", **options) if is_file else load(variant, **options)


def chain_of(variant: str, options: dict[str, str]) -> Chain:
    """The linked statements of a playable variant under these options. Raises as :func:`graph_of`."""
    from truco_spec.graph.link import blocks_of, link, linked
    from truco_spec.language.read import read_file

    graph = graph_of(variant, options)
    return link(blocks_of(graph.name, [read_file(variant)])) if shipped.is_file(variant) else linked(variant)


def _is_file(word: str) -> bool:
    """Whether a variant argument names a file, which must exist. Raises VariantError."""
    if not shipped.is_file(word):
        return False
    if wrong := why_no_file(word):
        raise VariantError(located(word, wrong))
    return True


def _must_be_a_variant(name: str) -> None:
    """Raises VariantError if it is the name of no playable variant."""
    from truco_spec.language.diagnostics import nearest

    known = playable_names()
    if name not in known:
        from truco_spec.graph.link import known_texts

        shared = name in known_texts()
        form = (
            "This is a part that variants share; it is not played by itself." if shared else "There is no such variant."
        )
        if not shared and (Path(name) / MANIFEST).is_file():
            there = Sentence("This folder is a project: go there, or add --project {folder}.", folder=name)
            raise VariantError(located(name, hinted(Sentence(form), there)))
        near = None if shared else nearest(name, known)
        raise VariantError(located(name, _with_hint(Sentence(form), near, known)))


def _with_hint(wrong: Sentence, near: str | None, known: Iterable[str]) -> str:
    """Return the message with the nearest name, or all names."""
    hint = Sentence("There are: {names}.", names=tuple(known) or Sentence("none"))
    return hinted(wrong, suggestion(near, hint))


def known_name(word: str) -> str:
    """The name of a variant argument; one in a file is registered under its name. Raises as :func:`graph_of`."""
    if not _is_file(word):
        return word
    from truco_spec.graph.load import know

    return know(word)


def side_of(word: str, options: dict[str, str]) -> Side:
    """A variant argument under these options, as one side of a comparison. Raises as :func:`graph_of`."""
    from truco_spec.compare.scenario import Side

    graph = graph_of(word, options)
    return Side(graph.name, options, word if shipped.is_file(word) else "")


# ---- The options of a variant: ``name=value`` behind it, or ``--option name=value`` ---------------

_BEHIND = "options behind the variant"
"""Where a context keeps them for :func:`switches`."""


def _behind(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> None:
    ctx.meta[_BEHIND] = given


def switches(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """Parse the options of a variant from ``name=value`` texts; a click callback. A text without “=” is
    rejected; of a verb whose --output has no short form it may be meant as a file.
    """
    made: dict[str, str] = {}
    for text in (*ctx.meta.get(_BEHIND, ()), *given):
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            told = _("“{text}” is not of the form name=value.").format(text=text)
            if any(other.opts == ["--output"] for other in ctx.command.params):
                told = _("{mistake} A file is named by --output.").format(mistake=told)
            raise click.BadParameter(told, ctx, parameter)
        if name in made:
            raise click.BadParameter(_("The option “{name}” is given twice.").format(name=name), ctx, parameter)
        made[name] = value
    return made


options_argument = click.argument("options", metavar="[OPTION=VALUE]…", nargs=-1, callback=switches)
option_switches = click.option(
    "--option",
    "-o",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=switches,
    help="Set an option of the variant. May be repeated.",
)


def options_either_way(command: F) -> F:
    """The options of a variant, behind it and by ``--option``."""
    behind = click.argument(
        "behind", metavar="[OPTION=VALUE]…", nargs=-1, is_eager=True, expose_value=False, callback=_behind
    )
    return behind(option_switches(command))


class _Form(click.Choice[str]):
    """The formats by name; ``markdown`` is ``md``."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return super().convert("md" if value == "markdown" else value, param, ctx)


def form_option(
    *forms: str,
    usual: str | None = "text",
    help: str = "Output format.",  # noqa: A002
) -> Callable[[F], F]:
    """The option of a verb for the format of what it prints."""
    return click.option("--format", "form", type=_Form(forms), default=usual, show_default=True, help=help)


class _Folder(click.Path):
    """A folder for files; ``-`` is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == STREAM:
            self.fail(_("Several files cannot be written to the standard output. Name a folder."), param, ctx)
        return super().convert(value, param, ctx)


FOLDER = _Folder(path_type=Path, file_okay=False)

# ---- A log: a YAML file, the standard input, or the notation in one line -------------------------

log_argument = click.argument("log", metavar="LOG")
spec_option = click.option(
    "--spec", metavar="FILE", help="Play by the variant in this .truco file, whatever the log names."
)


MOST_SHOWN = 60
"""Maximum characters of a word that is no log, in the message."""


def log_of(word: str, plain: Callable[[], Graph] | None = None) -> Log:
    """The log of an argument: “-”, a text with “|” in it, a link to “Who is right?”, or the name of a file (YAML, or a
    line or link). What people write in words of their own is in notation, by the ``plain`` rules or those it names.
    """
    from truco_spec.logs.in_words import alike, in_notation
    from truco_spec.logs.setup import graph_of as graph_of_log

    log = _as_written(word)
    log = replace(log, variant=alike(log.variant, playable_names()))
    try:
        return in_notation(log, graph_of_log(log) if plain is None else plain())
    except TrucoError:  # whoever plays it reports what is wrong with it
        return log


def _as_written(word: str) -> Log:
    from truco_spec.logs.line import line_of_link, looks_like_line, read_line

    if line := line_of_link(word):
        return read_line(line)
    if "|" in word:
        return read_line(word)
    try:
        text = read_text(word)
    except FileError:
        if "." in word or "/" in word:
            raise
        form = "“{word}” is neither a file nor a log. A log in one line has its parts between “|” (docs/logs.md)."
        raise FileError(Sentence(form, word=shown(word[:MOST_SHOWN]))) from None
    line = line_of_link(text) or text
    if looks_like_line(line):
        return read_line(line.strip(), shown(word))
    from truco_spec.logs.files import read  # it needs YAML

    return read(text, shown(word))


def replay_of(word: str, spec: str | None) -> Replay:
    """The replay of a log, before its first move."""
    from truco_spec.logs.replay import Replay

    if spec is None:
        replay = Replay(log_of(word))
    else:
        from truco_spec.logs.setup import options_of

        plain = cache(partial(graph_of, spec, {}))
        log = log_of(word, plain)
        replay = Replay(log, graph_of(spec, options_of(log, plain())))
    tell_unsettled(replay.log)
    return replay


def tell_unsettled(log: Log) -> None:
    """Say of a log that begins with a position, which no rule refused, that no game was sought that leads there."""
    if not log.position:
        return
    from truco_spec.language.diagnostics import Diagnostic, render

    message = Sentence("No rule refuses this position, but whether a game leads to it is not settled.")
    with speaking(spoken_of_errors(click.get_current_context().meta)):
        click.echo(render(Diagnostic("note", "unsettled", message, log.place("position"))), err=True)


# ---- An implementation: the command of an adapter, or a class ------------------------------------

adapter_argument = click.argument("adapter", metavar="[-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
python_option = click.option(
    "--python", "python", metavar="MODULE:CLASS", help="Instead of a command: a class, also as FILE.py:CLASS."
)


class _Seconds(click.FloatRange):
    """A finite time: neither ``inf`` nor ``nan``, which is above no limit and below none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            form = _("{value!r} is not a valid {number_type}.")
            self.fail(form.format(value=value, number_type=self.name), param, ctx)
        return seconds


SECONDS = _Seconds(0, min_open=True)
timeout_option = click.option(
    "--timeout", type=SECONDS, default=5.0, show_default=True, metavar="S",
    help="Seconds for each answer.",
)  # fmt: skip
executor_option = click.option(
    "--executor", metavar="dask://HOST:PORT",
    help="Instead of processes here: the workers of that Dask scheduler, on as many machines as it has.",
)  # fmt: skip


def workers_on(
    executor: str | None, count: int | None, ask: Callable[[], str]
) -> AbstractContextManager[Executor | None]:
    """A context with this many processes, by default one for each processor, or with the workers of a cluster.

    What ``ask`` returns must be the same on all of them.
    """
    from truco_spec.base.processes import cores, processes
    from truco_spec.conformance.fuzz.dask_cluster import cluster

    if executor is None:
        return processes(count or cores())
    if count is not None and count > 1:
        raise click.UsageError(_("Give either -j or --executor: a cluster has as many workers as it has."))
    return cluster(executor, ask)


def hands_options(variant: str, least: int, usual: int) -> Callable[[F], F]:
    """The options of a verb that plays random hands: the help of ``variant``, the least and usual number of hands."""
    found = (
        click.option("--variant", default="", metavar="NAME", shell_complete=complete_variants, help=variant),
        click.option("--players", type=click.IntRange(1), default=None, metavar="N", help="Number of players."),
        option_switches,
        click.option(
            "--seed", type=int, default=1, show_default=True, metavar="N", help="The same seed plays the same hands."
        ),
        click.option(
            "--hands",
            type=click.IntRange(least),
            default=usual,
            show_default=True,
            metavar="N",
            help="Number of hands.",
        ),
    )
    return lambda command: reduce(lambda made, option: option(made), reversed(found), command)


def implementation_of(
    adapter: tuple[str, ...],
    python: str | None,
    timeout: float,
    memory: int | None = None,
    jobs: int = 1,
) -> CountingImplementation:
    """A new adapter with these limits, or a new object of the class; the reference engine if neither is given."""
    if python is not None:
        from truco_spec.conformance.adapters.inprocess import InProcess, adapter_class

        return InProcess(adapter_class(python))
    if adapter:
        from truco_spec.conformance.adapters.pipe import Limits, Pipe

        usual = Limits()
        most = usual.memory if memory is None else memory
        return Pipe(adapter, Limits(case=timeout, start=max(timeout, usual.start), memory=most), jobs)
    from truco_spec.conformance.adapters.reference import Reference

    return Reference()
