"""``truco-spec fuzz``: random hands against an implementation."""

from __future__ import annotations

from functools import partial
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.base.paths import Inside
from truco_spec.base.words import Spoken, speaking
from truco_spec.cli.arguments import (
    FOLDER,
    adapter_argument,
    executor_option,
    hands_options,
    implementation_of,
    known_name,
    python_option,
    timeout_option,
    workers_on,
)
from truco_spec.cli.commands import NEGATIVE, stoppable
from truco_spec.cli.file_access import must_take_files
from truco_spec.cli.messages import Progress, counted, spoken_option

if TYPE_CHECKING:
    from truco_spec.conformance.adapters.pipe import Implementation
    from truco_spec.conformance.fuzz.rounds import Explain, Part


@click.command(
    name="fuzz",
    help="""Play random hands against an implementation and compare every step with the reference engine.

COMMAND is an adapter, as for "truco-spec test". Only what it says that it observes is compared; words that it omits are
not said, and options that it always plays are played (docs/protocol.md). Failing hands are cut down to the shortest
script, grouped by the rules that decide, and shown as cases for the corpus. Causes come first: other options, or single
changes of rules, that make many of the answers right. docs/fuzz.md tells more.

\b
Examples:
  truco-spec fuzz -- ./my-adapter
  truco-spec fuzz --variant uruguayo --players 4 --hands 20000 -j 2 -- ./my-adapter
  truco-spec fuzz --seed 7 --option covering=never --save found -- node adapter.js

Ctrl-C ends the play; what was found so far is reported.

Exit status: 0 no difference, 1 some were found, 2 the input cannot be used, 130 interrupted.""",
)
@adapter_argument
@python_option
@hands_options("The variant, also one's own as FILE.truco. Default: the only one that it plays.", 1, 1000)
@click.option(
    "-j", "workers", type=click.IntRange(1), default=1, show_default=True, metavar="N",
    help="Number of processes, each with an adapter of its own. They find the same as one.",
)  # fmt: skip
@executor_option
@timeout_option
@click.option(
    "--causes/--no-causes", "causes", default=True,
    help="Search (or not) for causes of failures: options, and single changes of rules.",
)  # fmt: skip
@click.option("--save", "folder", metavar="FOLDER", type=FOLDER, help="Write each case into a file there.")
@spoken_option
def command(
    adapter: tuple[str, ...],
    python: str | None,
    variant: str,
    players: int | None,
    options: dict[str, str],
    seed: int,
    hands: int,
    workers: int,
    executor: str | None,
    timeout: float,
    causes: bool,
    folder: Path | None,
    language: Spoken,
) -> int:
    from truco_spec.conformance.fuzz.findings import cases_of, kinds_of_failure, text_of_outcome
    from truco_spec.conformance.fuzz.fuzz import fuzz
    from truco_spec.conformance.fuzz.rounds import PART, Job, who

    if (python is None) == (not adapter):
        raise click.UsageError(_("Give the command of an adapter after --, or --python."))
    if folder is not None:
        must_take_files(folder)
    name = known_name(variant)
    own = variant if name != variant else ""
    job = Job(partial(_open, adapter, python, timeout, own), name, players or 0, options, seed, hands)
    with (
        stoppable(),
        workers_on(executor, workers, partial(who, job)) as pool,
        Progress(_("hands"), -(-hands // PART)) as progress,
    ):

        def on_part(whole: Part) -> None:
            with speaking(language):
                told = kinds_of_failure(len(whole.failures))
            progress.step(_("{hands} hands, {failures}").format(hands=counted(whole.hands), failures=told))

        def on_fault(done: int, of: int) -> None:
            progress.tell(_("{done} of {of} cut down").format(done=done, of=of))

        outcome = fuzz(job, pool, on_part, on_fault, explain=_explaining(progress) if causes else None)
        progress.clear()
        with speaking(language):
            click.echo(text_of_outcome(outcome, seed))
        if folder is not None:
            for case, text in cases_of(outcome, seed).items():
                Inside(folder).put(f"{case}.yaml", text.encode())
        if outcome.stopped is not None:
            raise outcome.stopped
    return NEGATIVE if outcome.wrong or outcome.causes or outcome.lost else 0


def _explaining(progress: Progress) -> Explain:
    from truco_spec.base.processes import cores
    from truco_spec.conformance.fit.fit_report import explain_hands

    return partial(explain_hands, workers=cores(), on_step=progress.within)


def _open(adapter: tuple[str, ...], python: str | None, timeout: float, own: str = "") -> Implementation:
    """A new process, or a new object; its player knows the variant of the file ``own``."""
    if own:
        known_name(own)
    return implementation_of(adapter, python, timeout)
