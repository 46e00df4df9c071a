"""The options that bound what an adapter may take: how many processes, how much time and memory."""

from __future__ import annotations

import re

import click

_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}
_SIZE = re.compile(r"([0-9]{1,12})([KMG]?)(?:i?B)?", re.IGNORECASE)


def size(ctx: click.Context, parameter: click.Parameter, given: str) -> int:
    """The number of bytes that ``2G``, ``512M`` or a plain number means; a click callback."""
    found = _SIZE.fullmatch(given.strip())
    if found is None:
        raise click.BadParameter(f"“{given}” is no amount of memory. Write it as 2G or 512M; 0 is no limit.")
    return int(found[1]) * _UNITS[found[2].upper()]


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
