"""Names of variants, as a shell completes them."""

from __future__ import annotations

import click


def variants(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The shipped variants that begin so; behind a comma, further ones of a list."""
    from truco_spec.shipped import variant_names

    listed, comma, begun = incomplete.rpartition(",")
    given = listed.split(",")
    return [f"{listed}{comma}{name}" for name in variant_names() if name.startswith(begun) and name not in given]
