"""A fit as text and as data: options, causes in the words of the rules, what stays unexplained, and what to claim."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from truco_spec.base.harmless import one_line, visible
from truco_spec.base.shapes import plain
from truco_spec.conformance.fit.causes import cause_of
from truco_spec.conformance.fit.fit import Candidate, Fit, FitCause, Unexplained, script_of
from truco_spec.conformance.reports.terminal import at_edge, came_out, cause_lines, labelled
from truco_spec.conformance.runner.verdicts import CauseReport
from truco_spec.graph.load import load

_MOST_NAMED = 12


def text_of_fit(fit: Fit, others: Sequence[Candidate] = ()) -> str:
    """The whole report. ``others`` are games that agree less."""
    return "\n".join(visible(line) for line in _lines(fit, others))


def _lines(fit: Fit, others: Sequence[Candidate]) -> Iterator[str]:
    evidence, h = fit.evidence, fit.hypothesis
    who = evidence.introduction
    chosen = "".join(f" {name}={value}" for name, value in played_options(fit).items())
    yield from at_edge(one_line(f"{who.name} {who.version}: {h.variant}{chosen}, {h.players} players"))
    if others:
        asked = (f"{each.variant} {each.players} ({each.agreeing} of {each.asked})" for each in others)
        yield from at_edge(f"Others agree less: {', '.join(asked)}.")
    yield f"{_scripts(len(evidence.replies) - fit.asked)} answered, of which {fit.agreeing} need no explanation."
    if fit.asked:
        yield f"{_scripts(fit.asked)} more to tell apart what explains just the same."
    for reason, count in sorted(evidence.silent.items(), key=lambda item: (-item[1], item[0])):
        yield from at_edge(f"{_scripts(count)} without an answer: {one_line(reason)}")
    if evidence.unsteady:
        few = ", ".join(evidence.unsteady[:_MOST_NAMED])
        yield from at_edge(f"Answered otherwise when asked again, so that no rule is to blame: {few}")
    for title, found in (
        ("Options that it plays otherwise than it says", fit.options),
        ("Causes that no option explains", fit.causes),
    ):
        if found:
            yield f"\n{title}"
        for number, each in enumerate(found, 1):
            yield ""
            yield from cause_lines(number, _cause(fit, each), "script")
    if fit.unexplained:
        yield "\nWhat nothing explains that was tried"
    for left in fit.unexplained:
        yield ""
        names = ", ".join(left.decided.statements) or "no rule"
        yield from labelled("", f"{_scripts(len(left.scripts))}, decided by {names}")
        yield from _shown(fit, left)
    yield ""
    if fit.settled:
        yield f"{len(fit.settled)} options are settled by play."
    if fit.open:
        more = f" and {len(fit.open) - _MOST_NAMED} more" if len(fit.open) > _MOST_NAMED else ""
        yield from at_edge(
            f"Not to be told, since no script shows a difference: {', '.join(fit.open[:_MOST_NAMED])}{more}."
        )
    if always := to_claim(fit):
        yield "\nFor the answer to hello"
        yield f'  "{h.variant}": {json.dumps(always)}'
    yield ""
    yield _verdict(fit)


def _verdict(fit: Fit) -> str:
    if fit.explained:
        return "Everything is explained by options." if fit.options else "It plays by these rules."
    causes = f"{len(fit.causes)} {'cause' if len(fit.causes) == 1 else 'causes'}"
    left = sum(len(each.scripts) for each in fit.unexplained)
    return f"{causes}; {_scripts(left)} unexplained." if left else f"{causes}; nothing else is unexplained."


def _scripts(count: int) -> str:
    return f"{count} script" if count == 1 else f"{count} scripts"


def _shown(fit: Fit, found: Unexplained) -> Iterator[str]:
    yield from labelled("shortest  ", fit.evidence.replies[found.shortest].name)
    yield from labelled("script    ", script_of(fit.evidence, found))
    yield from came_out(found.difference.expected, found.difference.got)


def _cause(fit: Fit, found: FitCause) -> CauseReport:
    names = tuple(fit.evidence.replies[number].name for number in found.scripts)
    return cause_of(fit, found, names, sum(number in fit.cured for number in found.scripts))


def played_options(fit: Fit) -> dict[str, str]:
    """The options that it plays, where they are not the variant's."""
    plain = load(fit.hypothesis.variant).options
    return {name: value for name, value in fit.hypothesis.options if plain[name].value != value}


def to_claim(fit: Fit) -> dict[str, Any]:
    """What to claim of the variant in ``hello``; nothing where it is claimed so already."""
    always = {name: of for name, of in played_options(fit).items() if name not in fit.evidence.setting.options}
    claimed = fit.evidence.plays.own(fit.hypothesis.players)
    return {} if always == claimed else {"players": [fit.hypothesis.players], "always": always}


def data_of_fit(fit: Fit) -> dict[str, Any]:
    """The same as data of JSON."""
    evidence = fit.evidence

    def found(of: Unexplained) -> dict[str, Any]:
        return {
            "scripts": [evidence.replies[number].name for number in of.scripts],
            "shortest": script_of(evidence, of),
            "expected": of.difference.expected,
            "got": of.difference.got,
        }

    return {
        "implementation": {"name": evidence.introduction.name, "version": evidence.introduction.version},
        "variant": fit.hypothesis.variant,
        "players": fit.hypothesis.players,
        "answered": len(evidence.replies),
        "agreeing": fit.agreeing,
        "tried": fit.tried,
        "asked": fit.asked,
        "silent": dict(evidence.silent),
        "unsteady": evidence.unsteady,
        "options": [plain(_cause(fit, each)) for each in fit.options],
        "causes": [plain(_cause(fit, each)) for each in fit.causes],
        "unexplained": [{"decided": list(u.decided.statements), **found(u)} for u in fit.unexplained],
        "settled": fit.settled,
        "open": fit.open,
        "hello": to_claim(fit),
    }
