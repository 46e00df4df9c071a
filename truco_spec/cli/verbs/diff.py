"""``truco-spec diff``, ``table``, ``dispute``: in what two variants, all, or two sides of an argument differ."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from gettext import gettext as _
from gettext import ngettext
from typing import TYPE_CHECKING

import click

from truco_spec.cli.arguments import complete_variants, form_option, log_argument, log_of, side_of, tell_unsettled
from truco_spec.cli.commands import NEGATIVE
from truco_spec.cli.file_access import must_be_writable, put, written
from truco_spec.cli.messages import Progress, language_option

if TYPE_CHECKING:
    from truco_spec.compare.diff_report import Comparison
    from truco_spec.compare.disputes.answer import DisputeAnswer
    from truco_spec.compare.scenario import Side


@click.command(
    name="diff",
    help="""How A and B differ, rule by rule, each with the shortest log that shows it.

A and B are shipped variants or .truco files, each with options behind it (NAME=VALUE), as a log names them. With one
variant and options, the variant is compared with itself as these options make it. Logs are looked for by playing both
at random, and cut down; the same seed finds the same. A log is shown as “truco-spec run” takes it, with what each side
says of its last move. docs/diff.md tells more.

\b
Examples:
  truco-spec diff paulista mineiro
  truco-spec diff paulista tie-lead=last
  truco-spec diff argentino con-flor=off paraguayo con-flor=off --format html -o diff.html
  truco-spec diff paulista house.truco --no-logs
  truco-spec diff paulista mineiro --lang pt

Exit status: 0 the two could be compared, 2 they could not.""",
)
@click.argument(
    "words", metavar="A [NAME=VALUE…] B [NAME=VALUE…]", nargs=-1, required=True, shell_complete=complete_variants
)
@form_option("text", "md", "html", "json")
@click.option("--all", "everything", is_flag=True, help="Include differences in wording and citations.")
@click.option("--no-logs", is_flag=True, help="Compare the rules only; look for no logs.")
@click.option("--seed", default="1", show_default=True, metavar="TEXT", help="The same seed finds the same logs.")
@click.option(
    "--positions", type=click.IntRange(1, 100_000_000), default=None, metavar="N",
    help="Number of positions examined. Default: 160000.",
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output.")
@language_option
def command(
    words: tuple[str, ...],
    form: str,
    everything: bool,
    no_logs: bool,
    seed: str,
    positions: int | None,
    output: str | None,
) -> int:
    must_be_writable(output)
    a, b = sides_of(words)
    from truco_spec.base.processes import cores
    from truco_spec.compare.diff_report import POSITIONS, searched, unsearched

    if no_logs:
        comparison = unsearched(a, b)
    else:
        most = positions or POSITIONS
        with Progress(_("positions"), most) as progress:
            comparison = searched(a, b, most, seed, lambda done, what: progress.at(done, _(what)), cores())
    put(_printed(comparison, form, everything=everything), output)
    return 0


def _printed(comparison: Comparison, form: str, *, everything: bool) -> str:
    if form == "json":
        import json

        from truco_spec.compare.diff_report import data_of

        return json.dumps(data_of(comparison), ensure_ascii=False, indent=1) + "\n"
    from truco_spec.compare.diff_report import document_of

    width = min(shutil.get_terminal_size((100, 24)).columns, 120)
    return written(document_of(comparison, everything=everything), form, width)


def sides_of(words: Sequence[str]) -> tuple[Side, Side]:
    """The two sides of a comparison, from the arguments. Raises :class:`SidesError` and loading errors."""
    from truco_spec.compare.scenario import SidesError

    named: list[tuple[str, dict[str, str]]] = []
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or "/" in name:
            named.append((word, {}))
        elif not named:
            raise SidesError(_("“{word}” sets an option of no variant: name the variant before it.").format(word=word))
        elif not (name and value):
            raise SidesError(_("“{word}” is not of the form NAME=VALUE.").format(word=word))
        elif name in named[-1][1]:
            told = _("The option “{name}” of {variant} is given twice.")
            raise SidesError(told.format(name=name, variant=named[-1][0]))
        else:
            named[-1][1][name] = value
    if len(named) == 1 and named[0][1]:
        named.insert(0, (named[0][0], {}))
    if len(named) != 2:
        told = ngettext(
            "Two variants are compared, and you name one variant: {words}.",
            "Two variants are compared, and you name {count} variants: {words}.",
            len(named),
        )
        raise SidesError(told.format(count=len(named), words=" ".join(words)))
    return side_of(*named[0]), side_of(*named[1])


@click.command(
    name="table",
    help="""Answer what people ask of a game for every variant, from its rules.

The questions stand in spec/questions.yaml, or in a FILE of your own; then come all options that none of them asks for.
A star marks an answer that rests on a decision of the spec. Where the terminal is too narrow for a table, each question
is followed by its answers and who gives them. docs/diff.md tells more.

\b
Examples:
  truco-spec table
  truco-spec table --variants paulista,mineiro,nowadays
  truco-spec table --differing --format html -o variants.html
  truco-spec table --variants argentino,uruguayo --lang es

Exit status: 0 all well, 2 the table cannot be made.""",
)
@click.option(
    "--variants", metavar="A,B…", default="", shell_complete=complete_variants,
    help="These variants only, in this order. Default: all.",
)  # fmt: skip
@click.option("--differing", is_flag=True, help="Only questions that they answer differently.")
@click.option("--all", "everything", is_flag=True, help="Statements that are said differently, too.")
@click.option("--questions", "path", metavar="FILE", default="", help="Ask the questions of this file.")
@form_option("text", "md", "html")
@click.option("-o", "--output", metavar="FILE", help="Write to this file instead of the standard output.")
@language_option
def table_command(variants: str, differing: bool, everything: bool, path: str, form: str, output: str | None) -> int:
    must_be_writable(output)
    from truco_spec.base.project import playable_names
    from truco_spec.compare.questions import document_of, html_of, questions, table_of

    names = list(dict.fromkeys(name.strip() for name in variants.split(",") if name.strip())) or [*playable_names()]
    sides = [side_of(name, {}) for name in names]
    table = table_of(sides, questions(path), differing=differing, everything=everything)
    width = min(shutil.get_terminal_size((100, 24)).columns, 200)
    put(html_of(table) if form == "html" else written(document_of(table), form, width), output)
    return 0


# --------------------------------------------------------------------------------------------------
# ``truco-spec dispute``: which rules say what of a hand, and under which of them a claim is right.


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
  truco-spec dispute night.yaml --claim "bia's team wins the hand" --lang pt
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
@click.option("--claim", metavar="WORDS", multiple=True, help="A claim to judge: “bia's team wins the hand”.")
@form_option("text", "md", "html")
@language_option
def dispute_command(log: str, variants: str, claim: tuple[str, ...], form: str) -> int:
    if len(claim) > 1:
        raise click.UsageError(_("One claim is judged at a time; join what belongs together by “and”."))
    from truco_spec.compare.disputes.agreement import agreements_of
    from truco_spec.compare.disputes.settle import settle

    read = log_of(log)
    agreements = agreements_of(variants, read.options, read.variant)
    with Progress(_("rules"), len(agreements)) as progress:

        def notice(name: str, count: int) -> None:
            if not count:
                progress.step(name)
            else:
                progress.name = name
                progress.tell(_("{count} settings").format(count=count))

        if not claim:
            answer = settle(read, agreements, notice=notice)
        else:
            from truco_spec.base.processes import cores  # only a claim needs them

            answer = settle(read, agreements, _understood(claim[0].strip(), read.players), notice, workers=cores())
    if answer.put:
        tell_unsettled(read)
    click.echo(_told(answer, form), nl=False)
    right = answer.claim is None or any(row.verdict != "wrong" for row in answer.claim.rows)
    return 0 if answer.accepted and right else NEGATIVE


def _understood(claim: str, players: Sequence[str]) -> str:
    """The claim; in English if it is made in another language than the one that is spoken."""
    from truco_spec.base.shipped import LANGUAGES
    from truco_spec.base.words import speaking
    from truco_spec.cli.messages import spoken_now
    from truco_spec.compare.disputes.claim import ClaimError, in_english, read_claim

    try:
        read_claim(claim, players)
    except ClaimError:
        for language in LANGUAGES:
            with speaking(spoken_now(language)):
                if (meant := in_english(claim, players)) != claim:
                    return meant
    return claim


def _told(answer: DisputeAnswer, form: str) -> str:
    if form == "html":
        from truco_spec.compare.disputes.page import html_of

        return html_of(answer)
    from truco_spec.compare.disputes.answer import document_of

    return written(document_of(answer), form, WIDTH)
