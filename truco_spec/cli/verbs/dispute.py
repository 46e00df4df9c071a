"""``truco-spec dispute``: which rules say what of a hand, and under which of them a claim is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truco_spec.cli.arguments import complete_variants, log_argument, log_of
from truco_spec.cli.commands import NEGATIVE
from truco_spec.cli.file_access import written
from truco_spec.cli.progress import Progress

if TYPE_CHECKING:
    from truco_spec.compare.disputes.answer import DisputeAnswer

OFTEN = 10
"""Settings between two progress updates."""

WIDTH = 110


@click.command(
    name="dispute",
    help="""Settle an argument: put LOG to many rules, and say where they part and why.

For each way to decide: the verdict, the rule in words, the clause, the decision and its reason, what happens next, and
who scores. With --claim: under which rules the claim is right, and the smallest set of options that turns the verdict.
LOG is as for “truco-spec run”; it may be a part of a game, and a card that nobody remembers is written ??.

\b
Examples:
  truco-spec dispute night.yaml
  truco-spec dispute night.yaml --claim "bia's team wins the hand"
  truco-spec dispute night.yaml --variants "paulista, mineiro tie-lead=leader, ours.truco" --format html > night.html

Exit status: 0 settled, 1 no rules take the log, or the claim is right nowhere, 2 a log or claim cannot be read.""",
)
@log_argument
@click.option(
    "--variants",
    default="all",
    show_default=True,
    metavar="LIST",
    shell_complete=complete_variants,
    help="The rules to compare: all, or variants and .truco files parted by commas, each with option=value behind it.",
)
@click.option("--claim", metavar="WORDS", help="What somebody claims: “bia's team wins the hand”.")
@click.option(
    "--format", "form", type=click.Choice(["text", "md", "html"]), default="text", show_default=True, help="The form."
)
def command(log: str, variants: str, claim: str | None, form: str) -> int:
    """Compare and print."""
    from truco_spec.compare.disputes.agreement import agreements_of
    from truco_spec.compare.disputes.settle import settle

    read = log_of(log)
    agreements = agreements_of(variants, read.options, read.variant)
    with Progress("dispute", len(agreements)) as progress:

        def notice(name: str, count: int) -> None:
            if not count:
                progress.step(name)
            elif count % OFTEN == 0:
                progress.name = name
                progress.tell(f"{count} settings")

        answer = settle(read, agreements, claim if claim is None else claim.strip(), notice)
    click.echo(_told(answer, form), nl=False)
    right = answer.claim is None or any(row.verdict != "wrong" for row in answer.claim.rows)
    return 0 if answer.accepted and right else NEGATIVE


def _told(answer: DisputeAnswer, form: str) -> str:
    if form == "html":
        from truco_spec.compare.disputes.page import html_of

        return html_of(answer)
    from truco_spec.compare.disputes.answer import document_of

    return written(document_of(answer), form, WIDTH)
