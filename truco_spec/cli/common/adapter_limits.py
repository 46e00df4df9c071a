"""The options that limit an adapter: number of processes, time and memory."""

from __future__ import annotations

import re

import click
from click.core import ParameterSource

_UNITS = {"": 1, "M": 1024**2, "G": 1024**3}
_SIZE = re.compile(r"([0-9]{1,12})([MG]?)(?:i?B)?", re.IGNORECASE)


def size(ctx: click.Context, parameter: click.Parameter, given: str) -> int:
    """Parse a number of bytes: ``2G``, ``512M`` or a plain number; a click callback."""
    found = _SIZE.fullmatch(given.strip())
    if found is None:
        raise click.BadParameter(f"“{given}” is no amount of memory. Write it as 2G or 512M; 0 is no limit.")
    return int(found[1]) * _UNITS[found[2].upper()]


def limits_given() -> tuple[str, ...]:
    """The limits given explicitly on the command line, as arguments."""
    ctx = click.get_current_context()
    given = [name for name in ("timeout", "memory") if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    return tuple(word for name in given for word in (f"--{name}", f"{ctx.params[name]:.12g}"))


def tell_what_is_not_looked_at(adapter: tuple[str, ...]) -> None:
    """Warn on the error stream if a memory limit was given that cannot be enforced."""
    given = click.get_current_context().get_parameter_source("memory") is ParameterSource.COMMANDLINE
    if not given:
        return
    from truco_spec.conformance.adapters.process import readable

    if not adapter:
        click.echo("--memory is not looked at: nothing runs in a process of its own.", err=True)
    elif not readable():
        click.echo("--memory is not looked at: this system has no /proc to tell it.", err=True)


jobs_option = click.option(
    "-j", "jobs", type=click.IntRange(1, 512), default=1, show_default=True, metavar="N",
    help="So many processes of the adapter play at the same time. The report is the same.",
)  # fmt: skip
timeout_option = click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=5.0, show_default=True, metavar="S",
    help="Seconds for the answers to one case.",
)  # fmt: skip
memory_option = click.option(
    "--memory", callback=size, default="2G", show_default=True, metavar="SIZE",
    help="Memory that an adapter and all that it starts may hold together (2G, 512M; 0: no limit).",
)  # fmt: skip
