"""Causes of failures: the options, and the single changes of rules, that make the answers of a run right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import OWN
from truco_spec.conformance.corpus.protocol import Introduction
from truco_spec.conformance.fit.evidence import Evidence, Reply, setting_of
from truco_spec.conformance.fit.fit import BRIEF, Fit, FitCause, Search, plain_hypothesis, script_of
from truco_spec.conformance.fit.hypothesis import begin
from truco_spec.conformance.fit.mutants import Mutant
from truco_spec.conformance.fuzz.executors import processes
from truco_spec.conformance.fuzz.fuzz import Named
from truco_spec.conformance.runner.deciding import pertinent_cites
from truco_spec.conformance.runner.runner import Result
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.engine.text import told

FEWEST = 2
"""How many cases have to fail before a cause is looked for."""
MOST_FAILING = 200
"""How many failing scripts of a game are looked at."""
MOST_TRIED = 1500
"""Hypotheses after which no further game is looked at."""
Game = tuple[str, int]


def causes_of(
    results: Iterable[Result],
    introduction: Introduction,
    workers: int,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> tuple[CauseReport, ...]:
    """The causes of the failures of a run, those that explain most first."""
    found = tuple(results)
    failed, right = (
        {each.name: each.replies for each in found if each.verdict == verdict} for verdict in ("fail", "pass")
    )
    if len(failed) < FEWEST:
        return ()  # one failure is reported as such
    return explain(introduction, failed, right, workers=workers, on_step=on_step)


def explain(
    introduction: Introduction,
    failed: Named,
    right: Named,
    *,
    workers: int = 1,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> tuple[CauseReport, ...]:
    """The causes of the failures of some scripts, given others that agree; those that explain most first. A cause that
    several games share is one.
    """
    by_game = defaultdict[Game, tuple[list[Reply], list[Reply]]](lambda: ([], []))
    for kind, named in enumerate((failed, right)):
        for name, replies in named.items():
            for script, answer in replies:
                if script.mode == "strict":
                    reply = Reply(name, script, answer, frozenset(script.options))
                    by_game[script.variant, len(script.players)][kind].append(reply)
    found, tried = dict[str, CauseReport](), 0
    for game, (wrong, others) in sorted(by_game.items(), key=lambda item: -len(item[1][0])):
        if not wrong or tried > MOST_TRIED:
            break
        setting = setting_of(introduction, *game, {})
        every = [*wrong[:MOST_FAILING], *others]
        evidence = Evidence(introduction, setting, every, assumed=range(len(every) - len(others), len(every)))
        with processes(workers, begin, evidence, dict(OWN)) as pool:
            try:
                fit = Search(evidence, pool, on_step, BRIEF).explained()
            except TrucoError:
                continue  # by rules that cannot be played nothing is explained
        tried += fit.tried
        for cause in _causes(fit, failed.keys()):
            known = found.get(cause.sentence)
            found[cause.sentence] = cause if known is None else _together(known, cause)
    return tuple(sorted(found.values(), key=lambda cause: -len(cause.cases)))


def _together(cause: CauseReport, other: CauseReport) -> CauseReport:
    """The same cause in two games."""
    return replace(cause, cases=(*cause.cases, *other.cases), agreeing=cause.agreeing + other.agreeing)


def _causes(fit: Fit, failed: Collection[str]) -> Iterator[CauseReport]:
    evidence = fit.evidence
    names = [reply.name for reply in evidence.replies]
    for cause in (*fit.options, *fit.causes):
        if explained := tuple(dict.fromkeys(names[n] for n in cause.scripts if names[n] in failed)):
            cured = {names[n] for n in cause.scripts if n in fit.cured}
            yield cause_of(fit, cause, explained, len(cured.intersection(explained)))


# ---- in words --------------------------------------------------------------------------------------


def cause_of(fit: Fit, found: FitCause, names: tuple[str, ...], agreeing: int) -> CauseReport:
    """What was found, in words: it explains these cases, some of which agree to the end."""
    evidence, game = fit.evidence, fit.hypothesis.graph()
    shortest = evidence.replies[found.shortest]
    if found.option:
        option = game.options[found.option]
        before = shortest.script.options.get(found.option, said_of(evidence).get(found.option, option.default))
        words, cites = f"It plays {found.option}={found.value}, not {before}", option.source.cites
    else:
        mutant = fit.mutants[found.mutant]
        words, cites = f"It plays as though {sentence(fit, mutant)}", mutant.statement.cites
    return CauseReport(
        sentence=words,
        variant=fit.hypothesis.variant,
        players=fit.hypothesis.players,
        cases=names,
        agreeing=agreeing,
        clauses=tuple(f"{source}:{clause}" for source, clause in pertinent_cites(game, cites)),
        case=shortest.name,
        script=script_of(evidence, found),
        expected=found.difference.expected,
        got=found.difference.got,
        option=f"{found.option}={found.value}" if found.option else "",
        rule="" if found.option else fit.mutants[found.mutant].statement.name,
        change="" if found.option else fit.mutants[found.mutant].what,
        same=(
            *found.other_values,
            *(f"as though {sentence(fit, fit.mutants[n])}" for n in (() if found.option else found.others)),
        ),
    )


def said_of(evidence: Evidence) -> dict[str, str]:
    """The options that it says it plays."""
    return dict(plain_hypothesis(evidence).options)


def sentence(fit: Fit, mutant: Mutant) -> str:
    """A change of a rule in words: the sentence of the rule, and what is otherwise."""
    rule = told(fit.hypothesis.graph(), mutant.statement.prose or mutant.statement.name).rstrip(".")
    if mutant.other is None:
        return f"this were no rule: “{rule}” ({mutant.statement.name})"
    return f"this read otherwise: “{rule}” ({mutant.statement.name}: {mutant.what})"
