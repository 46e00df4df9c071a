"""``truco-spec fit``: which game does an implementation play?"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from gettext import gettext as _
from itertools import chain
from typing import TYPE_CHECKING

import click

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import OWN, playable_names
from truco_spec.base.words import Sentence, Spoken, number, say, speaking
from truco_spec.cli.arguments import (
    SECONDS,
    adapter_argument,
    graph_of,
    hands_options,
    implementation_of,
    known_name,
    python_option,
    timeout_option,
)
from truco_spec.cli.commands import NEGATIVE, Stopped, stoppable
from truco_spec.cli.file_access import print_json
from truco_spec.cli.messages import Progress, spoken_option

if TYPE_CHECKING:
    from truco_spec.conformance.adapters.pipe import Implementation
    from truco_spec.conformance.fit.evidence import Evidence
    from truco_spec.conformance.fit.fit_result import Candidate


class NoReply(TrucoError):
    """The implementation cannot be asked, or answers nothing."""


@click.command(
    name="fit",
    help="""Find out which game an implementation plays: its options, and the rules that it changes.

COMMAND is an adapter, as for "truco-spec test". It is asked the scripts of the corpus and random hands, without any
options. Then rules are tried out that would make its answers right: other values of options first, then single changes
of rules, each held against all answers. What is explained is assumed from there on, so that one difference
hides nothing that comes after it. docs/fit.md tells more.

It need not say in hello what it plays ("variants": {}); without --variant the game, and the number of players, is
chosen by some scripts of each.

\b
Examples:
  truco-spec fit -- ./my-adapter
  truco-spec fit --variant paulista --players 2 -- node adapter.js
  truco-spec fit --hands 500 --json -- ./my-adapter

Ctrl-C ends the search, and so does the end of --seconds; what was found so far is reported.

Exit status: 0 options explain everything, 1 causes remain or something is unexplained, 2 the input cannot be used, 130
interrupted.""",
)
@adapter_argument
@python_option
@hands_options("The variant, also one's own as FILE.truco. Default: the one whose scripts agree most.", 0, 60)
@click.option(
    "-j", "workers", type=click.IntRange(1), default=min(os.cpu_count() or 1, 8), metavar="N",
    help="Processes that try out rules; they find the same as one.  [default: one for each processor, at most 8]",
)  # fmt: skip
@timeout_option
@click.option(
    "--seconds", type=SECONDS, default=900.0, show_default=True, metavar="S", help="Seconds for the search, at most."
)
@click.option("--json", "as_json", is_flag=True, help="Print the fit as JSON.")
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
    timeout: float,
    seconds: float,
    as_json: bool,
    language: Spoken,
) -> int:
    from truco_spec.conformance.fit.evidence import steady
    from truco_spec.conformance.fit.fit import search
    from truco_spec.conformance.fit.fit_report import data_of_fit, text_of_fit
    from truco_spec.conformance.fit.weighing import OutOfTime

    if (python is None) == (not adapter):
        raise click.UsageError(_("Give the command of an adapter after --, or --python."))
    if variant:
        graph_of(variant, options)  # says what is wrong with it
    name = known_name(variant) if variant else ""
    with stoppable(), _opened(adapter, python, timeout) as implementation:
        try:
            game, *others = _candidates(implementation, name, players or 0, options)
            evidence = _replies_of(implementation, game, options, hands, seed, workers)
        except (KeyboardInterrupt, Stopped):
            click.echo(_("Stopped before any rule was tried."), err=True)
            raise
        began = time.monotonic()
        with Progress(_("try"), 0) as progress:
            fit = search(evidence, workers, partial(steady, implementation), progress.within, seconds)
        taken = time.monotonic() - began
    if as_json:
        print_json(data_of_fit(fit))
    else:
        form = "{count} hypotheses tried in {seconds} s, {rate} a second."
        with speaking(language):
            click.echo(text_of_fit(fit, others))
            rate = number(fit.tried / taken)
            click.echo(say(form, count=number(fit.tried), seconds=number(taken, 1), rate=rate))
    if fit.stopped is not None and not isinstance(fit.stopped, OutOfTime):
        raise fit.stopped
    return 0 if fit.explained else NEGATIVE


@contextmanager
def _opened(adapter: tuple[str, ...], python: str | None, timeout: float) -> Iterator[Implementation]:
    from truco_spec.conformance.adapters.pipe import greeted
    from truco_spec.conformance.corpus.vocabulary import must_be_sound

    implementation = implementation_of(adapter, python, timeout)
    try:
        must_be_sound(greeted(implementation))
        yield implementation
    finally:
        implementation.close()


def _candidates(implementation: Implementation, variant: str, players: int, options: dict[str, str]) -> list[Candidate]:
    """The games that it may play, first the one that is looked at."""
    from truco_spec.conformance.fit.fit_result import Candidate, candidates_of, ranked

    introduction = implementation.hello()
    if variant and introduction.variants and variant not in introduction.variants:
        form = "{name} does not play {variant}, it says. It plays {claimed}."
        claimed = tuple(introduction.variants)
        raise NoReply(Sentence(form, name=introduction.name, variant=variant, claimed=claimed))
    unknown = [name for name in introduction.variants if not variant and name not in playable_names()]
    if unknown:
        form = "There is no variant “{name}”. Name a shipped one, or give --variant FILE.truco."
        raise NoReply(Sentence(form, name=unknown[0]))
    candidates = candidates_of(introduction, variant, players)
    if len(candidates) == 1:
        return [Candidate(*candidates[0], 0, 0)]
    with Progress(_("ask"), len(candidates)) as progress:
        return ranked(implementation, candidates, options, progress.step)


def _replies_of(
    implementation: Implementation, game: Candidate, options: dict[str, str], hands: int, seed: int, workers: int
) -> Evidence:
    from truco_spec.base.processes import processes
    from truco_spec.conformance.fit.evidence import (
        gather,
        of_cases,
        of_hands,
        other_values,
        setting_of,
        without_unsteady,
    )
    from truco_spec.conformance.fit.fit_result import plain_hypothesis
    from truco_spec.conformance.fit.hypothesis import begin, compared

    introduction = implementation.hello()
    setting = setting_of(introduction, game.variant, game.players, options)
    cases = list(of_cases(introduction, setting))
    total = len(cases) + hands + len(other_values(setting))
    with processes(workers, partial(OWN.update, dict(OWN))) as pool, Progress(_("ask"), total) as progress:
        scripts = chain(cases, of_hands(setting, hands, seed, pool))
        evidence = gather(implementation, setting, scripts, progress.step)
    if not evidence.replies:
        form = "{name} answered no script of {game}: none could be put to it."
        often = [f"{reason} ({number(count)})" for reason, count in evidence.silent.most_common(3)]
        if often:
            form = "{name} answered no script of {game}: {often}."
        raise NoReply(Sentence(form, name=introduction.name, game=game.variant, often=tuple(often)))
    plain = plain_hypothesis(evidence)
    begin(evidence, {})
    wrong = [number for number in range(len(evidence.replies)) if compared(plain, number).differs is not None]
    with Progress(_("ask again"), len(wrong)) as progress:
        return without_unsteady(evidence, implementation, wrong, progress.step)
