"""The report of a fit, in words and as data: options, causes in the words of the rules, unexplained differences, and
what to claim; and the causes of the failures of a run.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial, reduce
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from truco_spec.base.document import Block, Code, Heading, Item, Items, LogBlock, Text, items, text_of
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import one_line
from truco_spec.base.processes import processes
from truco_spec.base.project import OWN
from truco_spec.base.shapes import plain
from truco_spec.base.words import number, say, translated
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.protocol import (
    START,
    Check,
    Introduction,
    MustPermit,
    MustRefuse,
    MustShow,
    Position,
    Script,
    cut_short,
)
from truco_spec.conformance.fit.evidence import Evidence, Reply, options_about, other_values, setting_of
from truco_spec.conformance.fit.fit import Ask, Search
from truco_spec.conformance.fit.fit_result import Candidate, Fit, FitCause, Unexplained, plain_hypothesis, script_of
from truco_spec.conformance.fit.habits import BEHIND, IN_NEXT, ITSELF, LATE, MOVED, OMITS, with_habits
from truco_spec.conformance.fit.hypothesis import Hypothesis, Mismatch, begin, checked, played, recalling, unmet
from truco_spec.conformance.fit.mutants import ALWAYS, BY_EVERYONE, BY_NEXT, Mutant
from truco_spec.conformance.fit.trying import BRIEF, HANDS
from truco_spec.conformance.reports.run_document import (
    INSTEAD,
    NEXT_ONLY,
    NOR_ASKED,
    WIDTH,
    came_out,
    cause_document,
    kept_in_words,
    scripted,
)
from truco_spec.conformance.reports.totals import decided_against
from truco_spec.conformance.runner.deciding import pertinent_cites
from truco_spec.conformance.runner.runner import Result
from truco_spec.conformance.runner.verdicts import CauseReport, Fault
from truco_spec.engine.text import told
from truco_spec.graph.load import load
from truco_spec.graph.model import DECIDED, Source
from truco_spec.language.diagnostics import Cite

if TYPE_CHECKING:
    from truco_spec.conformance.fuzz.rounds import Assumed, Named

FEWEST = 2
"""The fewest failing cases for which a change of a rule is searched. For a single one another value of an option may be
the cause, if enough other cases pass under it, too.
"""
_BESIDE = 10
"""The number of cases that is enough."""
MOST_FAILING = 200
"""The most failing scripts of a game that are examined."""
MOST_TRIED = 1500
"""The number of hypotheses after which no further game is examined."""
_WAYS = {
    LATE: "It brings “{key}” up to date only when a hand is over",
    "itself": "It says “{key}” by itself",
    OMITS: "It takes “{key}” nowhere",
    BEHIND: "It brings “{key}” up to date one action late",
    IN_NEXT: "It brings “{key}” up to date only when the next hand begins",
}
"""The sentences about missing declarations in the hello."""
_ALL_ALIKE = {BY_EVERYONE: NOR_ASKED, BY_NEXT: NEXT_ONLY}
"""The beginnings of changes that are one cause, and how the others are named."""
Game = tuple[str, int]


def causes_of(
    results: Iterable[Result],
    introduction: Introduction,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
    ask: Ask | None = None,
) -> tuple[CauseReport, ...]:
    """Return the causes of the failures of a run, those that explain most first. ``ask`` sends a further script to the
    implementation: what a cause explains is asked again with the seats moved.
    """
    found = tuple(results)
    failed, right = (
        {each.name: each.replies for each in found if each.verdict == verdict} for verdict in ("fail", "pass")
    )
    alone, beyond = len(failed) < FEWEST, tuple(_beyond_the_end(found, introduction))
    if not failed or (alone and len(right) < _BESIDE):
        return beyond
    clauses = {each.name: each.instance.case.clauses for each in found}
    checks = {each.name: each.failed for each in found if each.verdict == "fail"}
    on_way = {each.name for each in found if not each.checks.failed}
    decisions = {each.name: tuple(f"{DECIDED}:{name}" for name in each.instance.case.entry.decisions) for each in found}
    causes = explain(
        introduction,
        failed,
        right,
        on_step=on_step,
        clauses=clauses,
        decisions=decisions,
        checks=checks,
        on_way=on_way,
        ask=ask,
    )
    told = dict[str, CauseReport]()
    _add(told, (*(cause for cause in causes if cause.option or not alone), *beyond))
    return tuple(sorted(told.values(), key=lambda of: (not of.explains, -len(of.cases))))


def _beyond_the_end(results: Iterable[Result], introduction: Introduction) -> Iterator[CauseReport]:
    """Yield the options by which all scripts that have an error for an answer begin after the end of the match, and
    none that is answered does.
    """
    by_game = defaultdict[Game, tuple[dict[str, Script], list[Script]]](lambda: ({}, []))
    for each in results:
        game = each.instance.variant, len(ready.players_of(each.instance))
        if each.verdict == "error" and isinstance(script := ready.whole(each.instance).requests[0], Script):
            by_game[game][0][each.name] = script
        by_game[game][1].extend(script for script, _ in each.replies)
    for game, (errors, answered) in by_game.items():
        setting = setting_of(introduction, *game, {})
        evidence = Evidence(introduction, setting, [Reply(name, script, ()) for name, script in errors.items()])
        if len(errors) < FEWEST or not all(script.score for script in errors.values()):
            continue
        plain = plain_hypothesis(evidence)

        begun = [script for script in answered if script.score]
        over = partial(_is_over, [*errors.values()], begun, introduction)
        values = [(name, value) for name, value in other_values(setting) if over(plain.under(name, value))]
        if not (values and begun and all(map(partial(_is_game, plain, introduction), errors.values()))):
            continue
        (name, value), *others = values
        shown = Mismatch(Position(0, 0, START), None, "an answer", "an error")
        cause = FitCause(tuple(range(len(errors))), 0, shown, name, value, other_values=tuple(map("=".join, others)))
        yield cause_of(Fit(evidence, plain.under(name, value)), cause, tuple(errors), len(errors))


def _is_over(before: Iterable[Script], begun: Iterable[Script], introduction: Introduction, rules: Hypothesis) -> bool:
    """Whether none of some scripts is a game by these rules, and all of the others are."""
    is_game = partial(_is_game, rules, introduction)
    try:
        return not any(map(is_game, before)) and all(map(is_game, begun))
    except TrucoError:
        return False  # it does not go with the other options


def _is_game(rules: Hypothesis, introduction: Introduction, script: Script) -> bool:
    return not isinstance(played(rules, Reply("", script, ()), introduction), Mismatch)


def explain(
    introduction: Introduction,
    failed: Named,
    right: Named,
    *,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
    clauses: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    decisions: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    checks: Mapping[str, tuple[Check, ...]] = MappingProxyType({}),
    on_way: Set[str] = frozenset(),
    ask: Ask | None = None,
) -> tuple[CauseReport, ...]:
    """Return the causes of some failing scripts, given others that agree, those that explain most first; then, given
    the ``clauses`` (and ``decisions``) of cases by name, groups of similar failures without a cause. A cause common to
    several games is one. Given the failed ``checks`` of cases, a cause explains a case only if all checks hold with it,
    and the failed ones not without it. ``on_way`` are the cases that failed before what they ask.
    """
    by_game = defaultdict[Game, tuple[list[Reply], list[Reply]]](lambda: ([], []))
    for kind, named in enumerate((failed, right)):
        for name, replies in named.items():
            for at, (script, answer) in enumerate(replies):
                if script.mode == "strict":
                    own = (
                        replace(each, at=replace(each.at, script=0))
                        for each in checks.get(name, ())
                        if each.at.script == at
                    )
                    cites = (*clauses.get(name, ()), *decisions.get(name, ()))
                    about = frozenset(script.options).union(options_about(script.variant, cites))
                    reply = Reply(name, script, answer, about, failed=tuple(own))
                    by_game[script.variant, len(script.players)][kind].append(reply)
    found, tried, names = dict[str, CauseReport](), 0, list[str]()
    left, behind, ways = list[CauseReport](), set[str](), defaultdict[str, dict[str, tuple[str, ...]]](dict)
    for game, (wrong, others) in sorted(by_game.items(), key=lambda item: -len(item[1][0])):
        if not wrong or tried > MOST_TRIED:
            break
        setting = setting_of(introduction, *game, {})
        every = [*wrong[:MOST_FAILING], *others]
        assumed = range(len(every) - len(others), len(every))
        evidence = Evidence(introduction, setting, every, assumed=assumed)
        with recalling(plain_hypothesis(evidence), introduction):
            evidence, habits = _with_habits(evidence, range(min(len(wrong), MOST_FAILING)), ways[game[0]], on_step)
            ways[game[0]] |= {each.claim: tuple(each.value.split()) for each in habits}
            beside = [
                reply
                for other, pair in by_game.items()
                if other[0] == game[0] and other != game
                for reply in chain(*pair)
            ]
            try:
                search = Search(evidence, None, on_step, BRIEF, ask, names, beside)
                fit = replace(search.not_of_one_seat(search.explained()), habits=habits)
            except TrucoError:
                continue  # by rules that cannot be played nothing is explained
            tried += fit.tried
            names += map(search.name_of, (*fit.options, *fit.causes))
            causes = [*fit.habits, *fit.options, *fit.causes]
            if checks:
                fit, causes = _mending(search, fit, causes, Evidence(introduction, setting, every))
            _add(found, _causes_of(fit, causes, failed.keys()))
            left += _alike(search, {name: of for name, of in clauses.items() if name in failed}, on_way)
            behind.update(evidence.replies[number].name for number in search.failing() if search.is_behind(number))
    if checks:  # what mends a part of one case alone may be a coincidence
        found = {text: each for text, each in found.items() if each.agreeing or len(each.cases) >= FEWEST}
    explained = {name for cause in found.values() if cause.agreeing or not checks for name in cause.cases}
    together = dict[str, CauseReport]()
    _add(together, (each for each in left if explained.isdisjoint(each.cases)))
    several = [each for each in together.values() if len(each.cases) >= FEWEST or each.case in behind]
    return tuple(
        each for some in (_joined(found.values()), several) for each in sorted(some, key=lambda of: -len(of.cases))
    )


def _with_habits(
    evidence: Evidence,
    numbers: Sequence[int],
    met: Mapping[str, tuple[str, ...]],
    on_step: Callable[[str, int, int], None],
) -> tuple[Evidence, list[FitCause]]:
    """Return the evidence with the habits that its hello should declare, except those whose scripts one changed rule
    explains, with more; and a cause for each.
    """
    claimed, habits = with_habits(evidence, numbers, met)
    if all(habit.claim in (LATE, *MOVED) for habit in habits):
        return claimed, habits
    try:
        wider = Search(evidence, None, on_step, BRIEF).wider_than(habits)
    except TrucoError:
        return claimed, habits  # by rules that cannot be played nothing is explained
    return with_habits(evidence, numbers, met, [each.claim for each in wider]) if wider else (claimed, habits)


def explain_hands(
    assumed: Assumed,
    players: int,
    failed: Named,
    right: Named,
    *,
    ask: Ask | None = None,
    workers: int = 1,
    on_step: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> list[tuple[CauseReport, FitCause]]:
    """Return further causes of failing hands, beside the assumptions, those that explain most first. ``ask`` sends a
    further hand to the implementation, to tell equal explanations apart and to confirm a cause.
    """
    replies = [[Reply(name, *reply) for name, each in named.items() for reply in each] for named in (failed, right)]
    every, wrong = [*replies[0][:MOST_FAILING], *replies[1]], min(len(replies[0]), MOST_FAILING)
    setting = setting_of(assumed.introduction, assumed.variant, players, {})
    known = range(wrong, len(every))
    evidence = Evidence(
        assumed.introduction, setting, every, assumed=known, options=assumed.options, changes=assumed.changes
    )
    evidence, habits = with_habits(evidence, range(wrong))
    with processes(workers, begin, evidence, dict(OWN)) as pool:
        try:
            search = Search(evidence, pool, on_step, HANDS, ask=ask)
            fit = replace(search.told_apart(search.explained()), habits=habits)
        except TrucoError:
            return []  # by rules that cannot be played nothing is explained
        found = [cause for cause in (*fit.options, *fit.causes) if search.bears(cause)]
        found = [cause for cause in found if ask is not None or not search.is_only_listed(cause, None)]
    told = [(report, cause) for cause in (*habits, *found) for report in _causes_of(fit, [cause], failed.keys())]
    return sorted(told, key=lambda each: -len(each[0].cases))


def _mending(search: Search, fit: Fit, causes: Sequence[FitCause], before: Evidence) -> tuple[Fit, list[FitCause]]:
    """Return the causes, each with the scripts of only those cases that it explains: all failed checks hold under the
    assumptions, and some of them not without this cause. ``before`` is the evidence without the claims.
    """
    plain, by_case, hidden = plain_hypothesis(before), defaultdict[str, list[int]](list), set[int]()
    for at, each in enumerate(before.replies):
        if each.failed:
            by_case[each.name].append(at)
            if len(unmet(plain, each, before.introduction)) < len({*map(checked, each.failed)}):
                hidden.add(at)  # what is not compared is explained by what makes the whole answer agree
    whole = frozenset(
        at
        for of in by_case.values()
        if all(search.reach[n].agrees or (n not in hidden and not search.unmet(n)) for n in of)
        for at in of
    )

    def mends(cause: FitCause, at: int) -> bool:
        reply, introduction = fit.evidence.replies[at], fit.evidence.introduction
        if at in hidden and at in whole and not cause.claim:
            return at in cause.scripts or not search.reach_without(cause, at).agrees
        if cause.claim:
            return not unmet(plain, before.replies[at], before.introduction) <= unmet(plain, reply, introduction)
        if search.agrees_without(cause, at):
            return False
        return not unmet(search.without(cause), reply, introduction) <= search.unmet(at)

    def mends_alone(cause: FitCause, at: int) -> bool:
        alone, of = search.alone(cause), (before.replies[at], before.introduction)
        return not cause.claim and unmet(alone, *of) < unmet(plain, *of)

    every = [
        [at for at in sorted(whole.union(cause.scripts)) if before.replies[at].failed and mends(cause, at)]
        for cause in causes
    ]
    for at in (at for at in sorted(whole) if before.replies[at].failed and not any(at in some for some in every)):
        for cause, mended in zip(causes, every, strict=True):  # of several causes each mends it
            mended += [at] if mends_alone(cause, at) else []
    fewer = [tuple(filter(whole.__contains__, mended)) or tuple(mended) for mended in every]
    named = [{before.replies[at].name for at in scripts} for scripts in fewer]

    def by_chance(cause: FitCause, scripts: tuple[int, ...], names: set[str]) -> bool:
        """Whether it may explain by chance, since many more cases fail like those that it explains; for a single case a
        change of a rule must make more agree than the case asks, and no other cause may explain that case and more.
        """
        if cause.claim:
            return False
        if len(names) > 1:
            return search.fails_like_more(cause, names)
        agrees = cause.option or all(search.reach[n].is_game for n in scripts)
        alone = replace(cause, scripts=scripts)
        needless = any(map(names.__lt__, named)) and not any(mends(alone, at) for at in scripts)
        return not agrees or needless or search.fails_like_more(alone, names)

    told, dropped = list[FitCause](), list[FitCause]()
    for cause, scripts, names in zip(causes, fewer, named, strict=True):
        if scripts and not by_chance(cause, scripts, names):
            told.append(search.shown_in(replace(cause, scripts=scripts)))
        elif scripts:
            dropped.append(cause)
    for cause in dropped:
        search.drop(cause)
    return replace(fit, cured=whole), told


def _add(found: dict[str, CauseReport], causes: Iterable[CauseReport]) -> None:
    for cause in causes:
        known = found.get(cause.sentence)
        found[cause.sentence] = cause if known is None else _together(known, cause)


def _together(cause: CauseReport, other: CauseReport) -> CauseReport:
    """Merge the same cause in two games, or of two scripts."""
    cases = tuple(dict.fromkeys((*cause.cases, *other.cases)))
    faults = cause.faults + tuple(
        fault for name, fault in zip(other.cases, other.faults, strict=False) if name not in cause.cases
    )
    return replace(cause, cases=cases, agreeing=min(cause.agreeing + other.agreeing, len(cases)), faults=faults)


def _joined(causes: Iterable[CauseReport]) -> list[CauseReport]:
    """Return the causes; as one of them all rules that let everybody act, as who may act is not asked, and all that let
    only the next player.
    """
    found = list(causes)
    for begins, form in _ALL_ALIKE.items():
        alike = sorted((each for each in found if each.change.startswith(begins)), key=lambda of: -len(of.cases))
        if len(alike) < FEWEST:
            continue
        one, names = reduce(_together, alike), ", ".join(each.rule for each in alike[1:])
        one = replace(one, sentence=f"{one.sentence}; {form.format(names=names)}")
        found = [one if each is alike[0] else each for each in found if each not in alike[1:]]
    return found


def _causes_of(fit: Fit, causes: Iterable[FitCause], failed: Collection[str]) -> Iterator[CauseReport]:
    names = [reply.name for reply in fit.evidence.replies]
    for cause in causes:
        if explained := tuple(dict.fromkeys(names[n] for n in cause.scripts if names[n] in failed)):
            cured = {names[n] for n in cause.scripts if n in fit.cured}
            yield cause_of(fit, cause, explained, len(cured.intersection(explained)))


def _alike(search: Search, clauses: Mapping[str, tuple[str, ...]], on_way: Set[str]) -> Iterator[CauseReport]:
    """Yield the unexplained scripts, one by one, the shortest first: the remaining difference, and the rule that
    decided it. The ``clauses`` are those of the failed cases, since those of the rule may be another game's: for
    similar failures, those that the rule cites, too, if any; none of those that failed before what they ask.
    """
    alike, own = list[CauseReport](), defaultdict[str, dict[str, None]](dict)
    for failing in search.failing():
        reply = search.evidence.replies[failing]
        if reply.name not in clauses or search.known[search.plain, failing].agrees:
            continue
        if (left := search.left_of(failing)) is None:
            continue
        found, decided, rules = left
        assert found.check is not None  # as it is asked
        graph = replace(rules, changes=()).graph(reply.script.options)  # what decided it is a name of these rules
        name, prose = next(((name, of.prose) for name, of in decided.sources(graph).items() if of.prose), ("", ""))
        if not prose:
            continue
        sentence = f"{differing(found.check)}: “{told(graph, prose).rstrip('.')}” ({name})"
        cited = {f"{source}:{clause}" for source, clause in decided.cites(graph)}
        own[sentence].update(dict.fromkeys(clause for clause in clauses[reply.name] if clause in cited))
        report = CauseReport(
            sentence=sentence,
            variant=search.plain.variant,
            players=search.plain.players,
            cases=(reply.name,),
            agreeing=0,
            clauses=() if reply.name in on_way else clauses[reply.name],
            case=reply.name,
            script=filling.notation(cut_short(reply.script, found.at)),
            expected=found.expected,
            got=found.got,
            rule=name,
            faults=(Fault(found.expected, found.got),),
        )
        alike.append(report)
    yield from (replace(each, clauses=tuple(own[each.sentence]) or each.clauses) for each in alike)


def differing(check: Check) -> str:
    """Return the words before the sentence of a rule: how an answer departs from it."""
    match check:
        case MustPermit():
            return "It refuses what this permits"
        case MustRefuse():
            return "It takes what this does not permit"
        case MustShow():
            return f"What it tells of “{check.key}” differs from this"
    return "What is seen or may be done differs from this"


# ---- in words --------------------------------------------------------------------------------------


def cause_of(fit: Fit, found: FitCause, names: tuple[str, ...], agreeing: int) -> CauseReport:
    """Return a cause in words: it explains these cases, some of which agree to the end."""
    evidence, game, against = fit.evidence, fit.hypothesis.graph(), frozenset[str]()
    shortest = evidence.replies[found.shortest]
    mutant = None if found.claim or found.option else fit.mutants[found.mutant]
    cites: tuple[Cite, ...] = rule_of(fit, mutant)[1] if mutant else ()
    rule, change = ("", "") if mutant is None else (mutant.statement.name, mutant.what)
    if mutant and (beaten := _beaten(fit, mutant)):
        rule, change, cites = beaten[0], f"{rule} {change}", (*beaten[1].cites, *cites)
    if mutant:
        words = f"It plays as though {sentence(fit, mutant)}"
    elif found.claim:
        words = _WAYS[found.claim].format(key="”, “".join(found.value.split()))
    else:
        option = game.options[found.option]
        said = plain_hypothesis(replace(evidence, options=(), changes=())).graph().options[found.option].value
        before = shortest.script.options.get(found.option, said)
        words, cites = f"It plays {found.option}={found.value}, not {before}", option.source.cites
        against = decided_against(fit.hypothesis.variant, found.option, found.value)
    return CauseReport(
        sentence=words,
        variant=fit.hypothesis.variant,
        players=fit.hypothesis.players,
        cases=names,
        agreeing=agreeing,
        clauses=tuple(dict.fromkeys((*map(":".join, pertinent_cites(game, cites)), *sorted(against)))),
        case=shortest.name,
        script=script_of(evidence, found),
        expected=found.difference.expected,
        got=found.difference.got,
        option=f"{found.option}={found.value}" if found.option else "",
        rule=rule,
        change=change,
        claim=f"{found.claim} {found.value}" if found.claim else "",
        same=(
            *found.other_values,
            *(f"as though {sentence(fit, fit.mutants[n])}" for n in (() if mutant is None else found.others)),
        ),
    )


def sentence(fit: Fit, mutant: Mutant) -> str:
    """Return a change of a rule in words: the sentence of the rule, and the difference."""
    rule, _ = rule_of(fit, mutant)
    if mutant.other is None:
        return f"this were no rule: “{rule}” ({mutant.statement.name})"
    if beaten := _beaten(fit, mutant):
        never = told(fit.hypothesis.graph(), beaten[1].prose).rstrip(".")
        instead = f"{INSTEAD}: “{rule}” ({mutant.statement.name}: {mutant.what})"
        return f"this never held: “{never}” ({beaten[0]}), {instead}"
    if mutant.what == ALWAYS:
        return f"this held in all cases: “{rule}” ({mutant.statement.name}: {mutant.what})"
    return f"this read otherwise: “{rule}” ({mutant.statement.name}: {mutant.what})"


def _beaten(fit: Fit, mutant: Mutant) -> tuple[str, Source] | None:
    """Return the first statement always replaced by an exception without its condition, by name; none for permissions
    and bans, which replace nothing.
    """
    changed = mutant.statement
    if mutant.what != ALWAYS or any(clause.kind == "verdict" for clause in changed.clauses):
        return None
    stated = {name: source for _, name, source in fit.hypothesis.graph().cites}
    return next(((name, stated[name]) for name in changed.excepts if name in stated and stated[name].prose), None)


def rule_of(fit: Fit, mutant: Mutant) -> tuple[str, tuple[Cite, ...]]:
    """Return the sentence of the changed statement, and its citations; for a part of a construct without a sentence of
    its own those of the construct.
    """
    graph, changed = fit.hypothesis.graph(), mutant.statement
    whole = (source for _, name, source in graph.cites if name == changed.name and not changed.prose)
    of = next(whole, changed)
    return told(graph, of.prose or changed.name).rstrip("."), of.cites


# --------------------------------------------------------------------------------------------------
# A whole fit as text and as data.


_MOST_NAMED = 12
_MOST_OTHERS = 5
"""How many other games are named, those first of which most agrees."""


def text_of_fit(fit: Fit, others: Sequence[Candidate] = ()) -> str:
    """Return the whole report, for a terminal. ``others`` are games that agree less."""
    return text_of(document_of(fit, others), WIDTH).rstrip("\n")


def document_of(fit: Fit, others: Sequence[Candidate]) -> Iterator[Block]:
    """Return the whole report: options, causes, unexplained differences, what to claim."""
    h, who = fit.hypothesis, fit.evidence.introduction
    chosen = "".join(f" {name}={value}" for name, value in played_options(fit).items())
    players = say("{count} players", count=h.players)
    yield Heading(1, Code(f"{who.name} {who.version}: {h.variant}{chosen}, {players}"))
    yield items(*_asked(fit, others))
    causes = _causes(fit, fit.causes)
    for title, found in (
        (say("Ways that it does not tell of"), _causes(fit, fit.habits)),
        (say("Options that it plays otherwise than it says"), _causes(fit, fit.options)),
        (say("Causes that no option explains"), causes),
    ):
        if found:
            yield Heading(2, title)
        for at, each in enumerate(found, 1):
            yield from cause_document(at, each, "script")
    if fit.unexplained:
        yield Heading(2, say("What nothing explains that was tried"))
    for left in fit.unexplained:
        names = ", ".join(left.decided.statements) or say("no rule")
        yield Heading(3, say("{scripts}, decided by {names}", scripts=_scripts(len(left.scripts)), names=names))
        yield Items(tuple(_shown(fit, left)))
    if fit.stopped is None and (always := to_claim(fit)):
        yield Heading(2, say("For the answer to hello"))
        yield LogBlock(f'"{h.variant}": {json.dumps(always)}')
    if others_said := list(_other_options(fit)):
        yield Heading(2, say("Other options"))
        yield items(*others_said)
    if fit.beyond:
        what = "; ".join(map(translated, fit.beyond))
        yield items(say("Not looked at, since that would take too long: {what}.", what=what))
    yield Heading(2, _verdict(fit, len(causes)))


def _asked(fit: Fit, others: Sequence[Candidate]) -> Iterator[Text | Item]:
    """Return how much was sent, and how much of it is no evidence."""
    evidence = fit.evidence
    others = [each for each in others if each.agreeing][:_MOST_OTHERS]
    if others:
        form = "{variant} {players} ({agreeing} of {asked})"
        these = (
            say(form, variant=each.variant, players=each.players, agreeing=each.agreeing, asked=each.asked)
            for each in others
        )
        yield say("Others agree no more: {others}.", others=", ".join(these))
    answered, agreeing = _scripts(len(evidence.replies) - fit.asked), number(fit.agreeing)
    yield say("{scripts} answered, of which {agreeing} need no explanation.", scripts=answered, agreeing=agreeing)
    if fit.asked:
        yield say("{scripts} more to tell apart what explains just the same.", scripts=_scripts(fit.asked))
    for reason, count in sorted(evidence.silent.items(), key=lambda item: (-item[1], item[0])):
        silent = say("{scripts} without an answer", scripts=_scripts(count))
        told: Text = f"{silent}: ", Code(kept_in_words(one_line(reason)))
        if reason not in evidence.unanswered:
            yield told
            continue
        name, script = evidence.unanswered[reason]
        found = Item(Code(kept_in_words(name)), label=say("first"))
        yield Item(told, (Items((found, scripted(filling.notation(script)))),))
    if evidence.gave_up:
        yield say("Nothing more was asked after these: what shows only in other scripts was not looked for.")
    if evidence.unsteady:
        few = ", ".join(map(kept_in_words, evidence.unsteady[:_MOST_NAMED]))
        blameless = say("Answered otherwise when asked again, so that no rule is to blame")
        yield f"{blameless}: ", Code(few)


def _other_options(fit: Fit) -> Iterator[str]:
    if fit.settled:
        yield say("{count} options are settled by play.", count=len(fit.settled))
    if fit.open:
        yield say("Not to be told, since no script shows a difference: {names}.", names=_few(fit.open))
    if fit.hidden:
        form = "Perhaps behind what is unexplained, since scripts about them differ before: {names}."
        yield say(form, names=_few(fit.hidden))


def _few(names: Sequence[str]) -> str:
    """Return some names, and the number of the others."""
    few = ", ".join(names[:_MOST_NAMED])
    left = len(names) - _MOST_NAMED
    return f"{few} {say('and {count} more', count=left)}" if left > 0 else few


def _verdict(fit: Fit, count: int) -> str:
    if fit.stopped is not None:
        return say("Stopped before all was tried. What was found until then has not been doubted yet.")
    if fit.explained:
        return say("Everything is explained by options." if fit.options else "It plays by these rules.")
    causes = say("1 cause" if count == 1 else "{count} causes", count=count)
    left = sum(len(each.scripts) for each in fit.unexplained)
    if not left:
        return say("{causes}; nothing else is unexplained.", causes=causes)
    return say("{causes}; {scripts} unexplained.", causes=causes, scripts=_scripts(left))


def _scripts(count: int) -> str:
    return say("1 script" if count == 1 else "{count} scripts", count=number(count))


def _shown(fit: Fit, found: Unexplained) -> Iterator[Item]:
    yield Item(Code(kept_in_words(fit.evidence.replies[found.shortest].name)), label=say("shortest"))
    yield scripted(script_of(fit.evidence, found))
    yield from came_out(found.difference.expected, found.difference.got)


def _causes(fit: Fit, found: Iterable[FitCause]) -> list[CauseReport]:
    return _joined(_cause(fit, each) for each in found)


def _cause(fit: Fit, found: FitCause) -> CauseReport:
    names = tuple(fit.evidence.replies[number].name for number in found.scripts)
    return cause_of(fit, found, names, sum(number in fit.cured for number in found.scripts))


def played_options(fit: Fit) -> dict[str, str]:
    """Return the options that differ from the variant's defaults."""
    plain = load(fit.hypothesis.variant).options
    return {name: value for name, value in fit.hypothesis.options if plain[name].value != value}


def to_claim(fit: Fit) -> dict[str, Any]:
    """Return the claims to add to the ``hello``, without options that another explains as well; empty if it claims them
    already.
    """
    undecided = {
        cause.option
        for cause in fit.options
        if any(other.partition("=")[0] != cause.option for other in cause.other_values)
    }
    known = undecided.union(fit.evidence.setting.options)
    always = {name: of for name, of in played_options(fit).items() if name not in known}
    claimed = fit.evidence.plays.own(fit.hypothesis.players)
    if always == claimed and not fit.habits:
        return {}
    plays = fit.evidence.plays
    told = {LATE: plays.late, ITSELF: plays.own_words, OMITS: plays.omits}
    ways = {cause.claim: [*told[cause.claim]] for cause in fit.habits if cause.claim not in MOVED}
    return {"players": [fit.hypothesis.players], "always": always} | ways


def data_of_fit(fit: Fit) -> dict[str, Any]:
    """Return the same as JSON data."""
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
        "unanswered": {
            reason: {"name": name, "script": filling.notation(script)}
            for reason, (name, script) in evidence.unanswered.items()
        },
        "unsteady": evidence.unsteady,
        "habits": [plain(_cause(fit, each)) for each in fit.habits],
        "options": [plain(_cause(fit, each)) for each in fit.options],
        "causes": list(map(plain, _causes(fit, fit.causes))),
        "unexplained": [{"decided": list(u.decided.statements), **found(u)} for u in fit.unexplained],
        "settled": fit.settled,
        "open": fit.open,
        "hidden": fit.hidden,
        "beyond": fit.beyond,
        "stopped": fit.stopped is not None,
        "hello": to_claim(fit),
    }
