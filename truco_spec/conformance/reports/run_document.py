"""A run as one document, for a terminal and as Markdown: its causes, every fault, the totals, the summary.

All foreign text is in code, where nothing is markup, a link or a mention.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from truco_spec.base.document import (
    Block,
    Cell,
    Code,
    Grid,
    Heading,
    Item,
    Items,
    LogBlock,
    Paragraph,
    Part,
    Strong,
    Text,
    items,
    listed,
    text_of,
)
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import one_line
from truco_spec.base.words import Sentence, label, number, say, spoken, translated, worded
from truco_spec.conformance.adapters.process import last_words
from truco_spec.conformance.corpus.cases import Level
from truco_spec.conformance.reports import totals
from truco_spec.conformance.reports.events import Played, Run, alike, baseline_players, beside, of_level, theirs
from truco_spec.conformance.reports.totals import Score, score
from truco_spec.conformance.runner.verdicts import NEGATIVE, RULED, VERDICTS, CaseReport, CauseReport, Fault, Verdict

WIDTH = 110
MOST_SHOWN = 100
"""Maximum failed cases shown in full in Markdown: a job's summary may hold a megabyte."""
MOST_REASONS = 12
"""The most reasons listed for unsupported cases."""
_NAMED = 20
"""The most cases named of each kind."""
DEPARTS = "Departs from the source, as claimed; cases that rest on it were not asked"
_LONG = 10_000
"""Characters of a line that is never broken."""
_OBSERVED = re.compile(r'(?:([\w-]+): )?([\[{"].*|null|true|false|-?\d+)', re.DOTALL)
_KEY = re.compile("“(.*)”")
_RULE = re.compile(r"(?:It plays )?(.+?): “(.*)” \(([^\s():]+)(?:: (.*))?\)", re.DOTALL)
"""The pattern of a cause's sentence: the difference, the sentence of the rule, its name and the change."""
INSTEAD = "but in its place always"
"""The words in a cause's sentence between a rule that never holds and its exception."""
NOR_ASKED, NEXT_ONLY = "nor does it ask who may act in {names}", "only the next player may do it, as in {names}"
"""The words in a cause's sentence after a rule, and before others that are changed alike."""
_LAST_WORDS = 5
"""Lines of an implementation's log that are shown."""
CAUSES = "What would make the answers right. Each is assumed when the next is looked for."
OF_FEW = "Of so few cases other causes may explain as much."
KEYS = ("late", "itself", "omits")
"""The keys of a variant in ``hello`` that a cause may name, with what to add to them."""
FEW_PLAYED = 50
"""Below this number of cases a report says that they may have other causes."""
UNSTEADY = "Unsteady, answered otherwise when asked again"
FIRST = "No rule is to blame. Mend this first: anything else in this report may be chance as well."
SAYS: Mapping[Level, str] = {"must": "a source says it", "decided": "we read it so", "option": "where it is agreed"}
"""Descriptions of the levels of cases."""
KEPT = (
    "{move} is permitted", "{move} is refused: {why}", "{move} is refused", "it was refused ({why})", "it was refused",
    "it was taken; then: {seen}", "it was taken", "{player} may: nothing", "{player} may: {moves}",
    "{player} sees {cards}", "{player} does not see {cards}", "it is hidden", "it is seen",
    "does not play {variant} with {count} players", "does not play {variant}", "has no option {option}",
    "does not show its own deals", "has no {mode} mode", "says that it omits {word}", "always plays {options}",
    "It plays {option}, not {before}", "It brings “{key}” up to date only when a hand is over",
    "It brings “{key}” up to date one action late", "It brings “{key}” up to date only when the next hand begins",
    "It says “{key}” by itself", "It takes “{key}” nowhere",
    "a case that can be played", "an answer", "hello says that it always plays {options}", "options that {variant} has",
    "It answers otherwise each time: no rule is to blame.",
    "A fresh process answers otherwise ({other}): it depends on what was played before.",
    "the refused {refused} leaves the game as it was: {move} is permitted after it",
    "the refused {refused} leaves {key} as it was: {value}", "as expected",
    "{advice} It was not shortened: {why}.", "It was not shortened: {why}.",
    "with the verdict {verdict} no shorter script is tried", "scripts for an umpire are not",
    "beside the reference engine, step by step, this fault does not show",
    "the implementation did not answer again", "it does not show each time",
    "no card is in two places", "number of cards: {counts}", "cards of this pack of {count}",
    "the cards are shuffled before each deal", "all {count} deals are the same: {deal}", "a pack of {count} cards",
    "in {deals} deals {count} different cards; never {cards}", "in {deals} deals {count} different cards",
    "the pack is whole before each deal: about {share} of {pairs} share no card with the deal before",
    "“{new}” in place of every “{old}”", "“{new}” in place of “{old}”", "without the row {cells}", "without “{part}”",
    "without “{part}” in {phase}", "with “{part}”", "“{part}” after every answer",
    "“{part}” after every answer, also to what an answer asks", "“{part}” after every answer that is said",
    "“{new}” in place of “{old}”, and so in {names}",
    "without “{part}”, also in {names}",
    "always “{part}”", "never “{part}”", "always", "no exception to {name}", "not in {name}", "not for {name}",
    "{value} is the default",
    "{count} share none", "deal {number}: {card} is with {places} ({deal})", "deal {number}: {deal}",
    "{card} comes to {place} in about {share} of {deals} deals", "in {count}",
    "It does not start any more. {error}", "It never got started. {error}", "It used more than {amount} of memory.",
    "If it needs so much, allow it with --memory.", "Flood: {much}.", "a line of more than {count} bytes",
    "more than {count} bytes for one request", "more than {count} lines that are no answer",
    "Answer each request with one line.", "It gave no answer: {how}.", "See its last words.",
    "{how}, after a line without a newline: {line}",
    "it closed its standard output and went on running", "it was killed by {signal}",
    "it ended with exit status {status}", "No answer within {seconds} s.",
    "To deal slowly is no fault of a rule: allow more with --timeout.", "Is the output flushed after each line?",
    "more than {count} answers that nobody waits for",
    "A wrong number: the answer has {number}, and not that of the request.", "Repeat the id of the request.",
    "another number", "the id {id}",
    "Only answers go to standard output; write all else to standard error.",
    "Chatter on standard output before the answer: {line}", "Garbage instead of an answer: {line}",
    "JSON without the id of the request: {line}", "Repeat the id of the request as it was sent: it is a text.",
    "Write shorter numbers.",
    "The key {name} stands twice in one mapping: write it once.",
    "Write UTF-8.", "Write no byte order mark before the answer.", "Answer with an object of JSON in one line.",
    "Nest no answer more than {count} deep.", "{word} is not JSON: leave out what is not observed.",
    "No answer within {seconds} s, only a line without a newline: {line}",
    "No answer within {seconds} s: {how}, and another process holds its output open.",
    "End each answer with a newline, and flush it.",
    "Answer in one line of JSON.", "The answer was split over {count} lines.", "Write each answer on one line.",
    "After a restart it introduced itself differently.", "Answer hello always the same.",
    "It reports: {error}", "See its log.", "A wrong answer: {error}", "See docs/protocol.md.",
    "It left with exit status {status}.", "Raise an error.", "It raised {error}", "The end of its traceback is shown.",
    "{method} returned no mapping: {kind}.", "What {method} returned is no JSON: {error}.",
    "{got}; asked again: {other}", "{got}; without {refused} it is taken",
)  # fmt: skip
"""Sentences that a run keeps, in English, with their arguments, which may be such sentences."""
ALIKE = (
    "None of what was tried explains them: the options and single changes of rules nearest to what differs. "
    "truco-spec fit tries all options, and more changes. "
    "The rule is what decided where the shortest first differs beyond the causes."
)


def story_of(run: Run, *, verbose: bool = False, colour: bool = False) -> str:
    """Return the report of a run for a terminal: complete, with totals last, and a summary on the last line."""
    end = Heading(1, Strong(summary(run), _tone(_whole(run))))
    told = text_of(document_of(run, last=True, verbose=verbose), WIDTH, colour=colour)
    return f"{told}\n{text_of([end], _LONG, colour=colour)}"


def document_of(run: Run, *, last: bool = False, verbose: bool = False) -> Iterator[Block]:
    """Return the report of a run. ``last``: the totals are at the end, and every fault is shown; ``verbose``: each case
    is named, and faults are shown although a cause explains them.
    """
    yield Heading(1, Code(run.title))
    if verbose and (fine := [case for case in run.cases if case.verdict not in NEGATIVE]):
        yield Items(tuple(map(_named_case, fine)))
    if unsteady := totals.unsteady(run.cases):
        yield Heading(2, say(UNSTEADY))
        yield Paragraph(say(FIRST))
        yield Paragraph(_cases_of(unsteady))
    yield from _causes(run)
    if not last:
        yield from _totals(run)
        yield from _besides(run)
    wrong = alike(played for played in run.wrong if verbose or not run.settled(played.case))
    most = len(wrong) if last else MOST_SHOWN
    if wrong:
        form = "Failures that no cause explains" if run.causes and not verbose else "Failures"
        yield Heading(2, say(form))
    for first, *others in wrong[:most]:
        yield from case_document(first, [played.case.name for played in others])
    if wrong[most:]:
        left = number(sum(map(len, wrong[most:])))
        yield Paragraph(say("{count} more went wrong; the other formats show them all.", count=left))
    yield from _sums(run.unexplained)
    if last:
        yield from _totals(run)
    elif run.ended is not None:
        yield Paragraph((took(run), " ", Code(run.ended.timing.began)))


def took(run: Run) -> str:
    """Return the duration and the beginning of a run; empty for an interrupted one."""
    if run.ended is None:
        return ""
    return say("{seconds} s, begun", seconds=number(run.ended.timing.milliseconds / 1000, 1))


def _tone(verdict: Verdict) -> str:
    return "bad" if verdict in NEGATIVE else "good" if verdict == "pass" else "fair"


def _named_case(case: CaseReport) -> Item:
    known = case.known.because if case.known is not None and case.verdict == "xfail" else ""
    reason = known or kept_in_words(case.reason)
    told = f"{titled(case)}: {reason}" if reason else titled(case)
    return Item((Code(case.name), ": ", Code(told)), label=say(case.verdict), tone=_tone(case.verdict))


def leveled(level: Level) -> str:
    """A level of cases: its name, in other languages than English its description."""
    return level if spoken().english else say(SAYS[level])


def titled(case: CaseReport) -> str:
    """The title of a case, translated if it is a shipped one."""
    return spoken().rules.known(case.title)


# ---- one fault ----------------------------------------------------------------------------------


def case_document(played: Played, others: Sequence[str] = ()) -> Iterator[Block]:
    """Return one fault: the case, its authorities, the script, the table, expected and got, and how to repeat it.
    ``others`` are the cases that broke off in the same way.
    """
    case = played.case
    verdict = Strong(say(case.verdict).upper(), _tone(case.verdict))
    yield Heading(3, (verdict, " ", Code(case.name), f" ({leveled(case.level)})"))
    shown = [Item(Code(titled(case)), label=say("case")), *_entries(played)]
    if others:
        cases = say("1 case" if len(others) == 1 else "{count} cases", count=number(len(others)))
        shown.append(Item((f"{cases}: ", *listed(map(Code, others))), label=say("also")))
    yield Items(tuple(shown))


def _entries(played: Played) -> Iterator[Item]:
    case = played.case
    if case.verdict in RULED:
        yield from clauses(case.clauses)
        yield from (Item(Code(name), label=say("decision")) for name in case.decisions)
    apart = [fault for fault in case.faults[1:] if case.faults[0].case]  # they belong to a longer script
    for fault in case.faults[: len(case.faults) - len(apart)]:
        yield from came_out(fault.expected, fault.got, fault.log, fault.advice)
    script = next((fault.script for fault in case.faults if fault.script), "")
    drawn = (
        totals.picture(played.script, played.idle or ())
        if played.script is not None and case.verdict != "xpass"
        else []
    )
    if script or drawn:
        yield scripted(script, drawn)
    yield from (as_written(say("as case"), fault.case) for fault in case.faults if fault.case)
    for fault in apart:
        yield from came_out(fault.expected, fault.got, fault.log, fault.advice)
        yield scripted(fault.script)
    yield from (Item(Code(note), label=say("known")) for _, note in totals.notes([case]))
    if played.repeat:
        yield Item("", (LogBlock(played.repeat),), say("repeat"))


def clauses(names: Iterable[str]) -> Iterator[Item]:
    """Each clause with its text."""
    for name in names:
        text = clause_told(name)
        yield Item((Code(name), f": {text}") if text else Code(name), label=say("clause"))


def clause_told(name: str) -> str:
    """The text of a clause in the language that is spoken; empty if unknown."""
    return spoken().rules.known(totals.clause_text(name) or "")


def came_out(expected: str, got: str, log: str = "", advice: str = "") -> Iterator[Item]:
    """Expected and got, and the end of the implementation's log."""
    wanted, found = told_apart(expected, got)
    told = {"expected": wanted, "got": found} | ({"advice": kept_in_words(advice)} if advice else {})
    yield from (Item(Code(text), label=say(what)) for what, text in told.items())
    if log:
        yield as_written(say("log"), "\n".join(last_words(log, _LAST_WORDS)))


def told_apart(expected: str, got: str) -> tuple[str, str]:
    """Expected and got in words; as they were kept if these do not tell them apart, as ``1`` and ``"1"``."""
    wanted, found = kept_in_words(expected), kept_in_words(got)
    return (expected, got) if wanted == found and expected != got else (wanted, found)


def scripted(script: str, drawn: Sequence[str] = ()) -> Item:
    """A script, in one line to be copied, and the table at its end."""
    return Item("", (LogBlock("\n".join((script, *drawn)).lstrip("\n")),), say("script"))


def as_written(label: str, text: str) -> Item:
    """The lines of a log or of a case."""
    return Item("", (LogBlock(text.rstrip("\n"), "| "),), label)


# ---- causes -------------------------------------------------------------------------------------


def _causes(run: Run) -> Iterator[Block]:
    played = {each.case.name: each for each in run.played}
    for title, told, causes in sorted_causes(run):
        yield Heading(2, say(title))
        few = told is CAUSES and len(played) < FEW_PLAYED
        yield Paragraph((say(told), *([" ", say(OF_FEW)] if few else [])))
        for at, cause in causes:
            yield from cause_document(at, cause, repeat=played[cause.case].repeat)
            others = zip(cause.cases[1:], cause.faults[1:], strict=False)
            if also := [Item(Code(f"{name}: {_in_short(fault)}"), label=say("also")) for name, fault in others]:
                yield Items(tuple(also))
        if told is CAUSES and (added := to_add([cause for _, cause in causes])):
            yield Heading(2, say("For the answer to hello"))
            yield Paragraph((say("To be added where it is meant to be played so; what is a mistake stays out."),))
            yield LogBlock("\n".join(f'"{variant}": {json.dumps(plays)}' for variant, plays in added.items()))


def to_add(causes: Iterable[CauseReport]) -> dict[str, dict[str, Any]]:
    """Return what the ``hello`` would have to add, by variant, for these causes to be none."""
    added = dict[str, dict[str, Any]]()
    for cause in causes:
        option, _, value = cause.option.partition("=")
        key, *names = cause.claim.split() or ("",)
        if option:
            added.setdefault(cause.variant, {}).setdefault("always", {})[option] = value
        elif key in KEYS:
            added.setdefault(cause.variant, {}).setdefault(key, []).extend(names)
    return added


def sorted_causes(run: Run) -> Iterator[tuple[str, str, Sequence[tuple[int, CauseReport]]]]:
    """Return the causes, then the groups, each with its number; with a title and an explanation."""
    numbered = list(enumerate(run.causes, 1))
    for title, told, explains in (("Causes", CAUSES, True), ("Alike, without a cause", ALIKE, False)):
        if causes := [each for each in numbered if each[1].explains is explains]:
            yield title, told, causes


def _in_short(fault: Fault) -> str:
    """Return expected and got, without the observations after a move that was to be refused."""
    got = kept_in_words(fault.got.partition("; then: ")[0])
    return say("{expected}, got {got}", expected=kept_in_words(fault.expected), got=got)


def cause_sentence(sentence: str, variant: str) -> str:
    """Return the sentence of a cause in the current language; unchanged if it is not one of ours."""
    if spoken().english:
        return sentence
    for form in (NOR_ASKED, NEXT_ONLY):
        cause, alike, names = sentence.rpartition(f"; {form.partition('{')[0]}")
        if alike:
            return f"{cause_sentence(cause, variant)}; {say(form, names=names)}"
    never, instead, always = sentence.partition(f", {INSTEAD}: ")
    if instead:
        return f"{cause_sentence(never, variant)}, {cause_sentence(f'{INSTEAD}: {always}', variant)}"
    if found := _RULE.fullmatch(sentence):
        name = f"{found[3]}: {kept_in_words(found[4])}" if found[4] else found[3]
        return f"{departing_from(found[1])}: “{_rule(variant, found[3]) or found[2]}” ({name})"
    return kept_in_words(sentence)


def kept_in_words(sentence: str) -> str:
    """Return a kept sentence in the current language, with observations in words; unchanged if it is none of
    :data:`KEPT`.
    """
    if isinstance(sentence, Sentence):
        return translated(sentence)
    for form, pattern in _kept():
        if found := pattern.fullmatch(sentence):
            holes = found.groupdict().items()
            told = {name: (name == "seen" and _of_json(held, _state)) or kept_in_words(held) for name, held in holes}
            return say(form, **told)
    return _observed(sentence)


def _observed(text: str) -> str:
    """The words of observations that were kept as JSON, alone or after their key; any other text unchanged."""
    found = _OBSERVED.fullmatch(text)
    words = _of_json(found[2], worded) if found else ""
    if not found or not words:
        return text
    return f"{label(found[1])}: {words}" if found[1] else words


def _state(told: object) -> str:
    """The words of all observations after a move that tell of something; nothing if they are none."""
    if not isinstance(told, Mapping):
        return ""
    words = (f"{label(key)}: {worded(value)}" for key, value in told.items() if value is not None)
    return "; ".join(words) or worded(None)


def _of_json(text: str, told: Callable[[object], str]) -> str:
    """What JSON tells; nothing if it is cut short, nested too deeply or something else."""
    try:
        return told(json.loads(text))
    except (ValueError, RecursionError):
        return ""


@cache
def _kept() -> tuple[tuple[str, re.Pattern[str]], ...]:
    holes = re.compile(r"\\{(\w+)\\}")
    return tuple((form, re.compile(holes.sub(r"(?P<\1>.+?)", re.escape(form)), re.DOTALL)) for form in KEPT)


def departing_from(frame: str) -> str:
    """Return the words of a cause's sentence before that of the rule."""
    key = _KEY.search(frame)
    form = _KEY.sub("“{key}”", f"It plays {frame}" if frame.startswith("as though") else frame)
    return say(form, key=label(key[1]) if key else "")


def _rule(variant: str, statement: str) -> str:
    """The sentence of a statement in the language that is spoken; empty for a variant or statement that is unknown."""
    from truco_spec.engine.text import told  # most runs have no causes
    from truco_spec.graph.load import load

    try:
        graph = load(variant)
    except TrucoError:
        return ""
    stated = {name: source for _, name, source in graph.cites} | {
        name: rule.source for name, rule in graph.rules.items()
    }
    return told(graph, stated[statement].prose).rstrip(".") if statement in stated else ""


def cause_document(at: int, cause: CauseReport, what: str = "case", repeat: str = "") -> Iterator[Block]:
    """Return a cause: its number, its sentence, its cases or scripts (``what``), its authorities, and its shortest
    script.
    """
    cases = [*dict.fromkeys(cause.cases)]  # of a script of each, one may have several
    names: tuple[Text, ...] = (*map(Code, map(kept_in_words, cases[:_NAMED])), *_more(len(cases)))
    yield Heading(3, (f"{at}. ", Strong(cause_sentence(cause.sentence, cause.variant))))
    form = "explains" if cause.explains else "cases"
    found = [Item((f"{explained_by(cause, what)}: ", *listed(names)), label=say(form)), *clauses(cause.clauses)]
    found += [Item(Code(cause_sentence(other, cause.variant)), label=say("the same")) for other in cause.same]
    found += [
        Item(Code(kept_in_words(cause.case)), label=say("shortest")),
        scripted(cause.script),
        *came_out(cause.expected, cause.got),
    ]
    yield Items((*found, Item("", (LogBlock(repeat),), say("repeat"))) if repeat else tuple(found))


def explained_by(cause: CauseReport, what: str = "case") -> str:
    """Return in words how much a cause explains."""
    count = len(cause.cases)
    if what == "case":
        form = "{count} cases" if count > 1 else "1 case alone"
    else:
        form = "{count} scripts" if count > 1 else "1 script alone"
    told = say(form, count=number(count))
    if not cause.explains:
        return told
    if cause.agreeing == count:
        return say("{told}, which would pass", told=told)
    if not cause.agreeing:
        return say("{told}, with more causes", told=told)
    agreeing = number(cause.agreeing)
    return say("{told}, of which {agreeing} would pass; the others have more causes", told=told, agreeing=agreeing)


# ---- all of them --------------------------------------------------------------------------------


def _sums(cases: Sequence[CaseReport]) -> Iterator[Block]:
    yield from _named(say("Faults by clause"), totals.faults_by_clause(cases))
    yield from _named(say("Readings that differ, by decision"), totals.other_readings(cases))
    apart = {
        say("Refused, and the game is another all the same"): totals.changed(cases),
        say("Failed on the way, before what they ask"): totals.not_playable(cases),
    }
    yield from _named(
        say("Faults beside what the cases ask"), {title: names for title, names in apart.items() if names}
    )
    if said := [(Code(name), " ", Code(f"{note}.")) for name, note in totals.notes(cases)]:
        yield Heading(2, say("Expected failures"))
        yield items(*said)
    if departed := [(Code(claim), ": ", against) for claim, against in departing(cases)]:
        yield Heading(2, say("Departures"))
        yield Paragraph(f"{say(DEPARTS)}.")
        yield items(*departed)
    if any(case.reason for case in cases):
        yield Heading(2, say("Unsupported"))
        yield reasons(cases)


def _named(title: str, found: Mapping[str, tuple[str, ...]]) -> Iterator[Block]:
    if found:
        yield Heading(2, title)
        yield items(*((Code(name), f" ({number(len(of))}): ", *_cases_of(of)) for name, of in found.items()))


def _cases_of(cases: tuple[str, ...]) -> tuple[Part, ...]:
    return listed((*map(Code, cases[:_NAMED]), *_more(len(cases))))


def _more(count: int) -> tuple[str, ...]:
    return (say("and {count} more", count=number(count - _NAMED)),) if count > _NAMED else ()


def departing(cases: Iterable[CaseReport]) -> Iterator[tuple[str, str]]:
    """Options that are claimed against a source, each with the clauses from which they depart, in words."""
    for claim, clauses in totals.departures(cases).items():
        yield claim, "; ".join(f"{name} “{clause_told(name)}”" for name in clauses)


def reasons(cases: Iterable[CaseReport]) -> Grid:
    """Why cases were not asked, the most frequent reasons first, and of how many."""
    found = totals.unsupported(cases)
    rows: list[tuple[Text, int]] = [
        ((say("it"), " ", Code(kept_in_words(reason))), count) for reason, count in found[:MOST_REASONS]
    ]
    if rest := found[MOST_REASONS:]:
        rows.append((say("{count} other reasons", count=number(len(rest))), sum(count for _, count in rest)))
    return Grid(("", say("cases")), tuple((reason, (Cell(number(count)),)) for reason, count in rows), numbers=True)


def _totals(run: Run) -> Iterator[Block]:
    yield Heading(2, say("Totals"))
    yield table(run)


def _besides(run: Run) -> Iterator[Block]:
    """Return the result, and an explanation of the columns of baseline players."""
    yield Paragraph(Strong(result(run), _tone(_whole(run))))
    if players := baseline_players(run):
        before = say("“passed” is the share of the judged cases")
        behind = say("on the same cases, players who know nothing of the game.")
        yield Paragraph((f"{before}; ", *listed(map(Code, players)), f": {behind}"))


def _whole(run: Run) -> Verdict:
    """The verdict on the run, for its colour."""
    if any(case.verdict in NEGATIVE for case in run.cases):
        return "fail"
    return "pass" if run.whole and all(case.verdict == "pass" for case in run.cases) else "xfail"


def table(run: Run) -> Grid:
    """The totals per level, without empty columns; with the percentages passed, also by the baseline players."""
    rows, passed, players = totals.totals(run.cases), totals.scores(run.cases), baseline_players(run)
    shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
    beside: tuple[Text, ...] = (say("passed"), *map(Code, players)) if players else ()
    told: list[tuple[Text, tuple[Cell, ...]]] = []
    for level, row in rows.items():
        shares = [of.share for of in (passed[level], *of_level(run, level).values())] if players else []
        told.append((leveled(level), tuple(map(Cell, [*(number(row[verdict]) for verdict in shown), *shares]))))
    return Grid(("", *map(say, shown), *beside), tuple(told), numbers=True)


def summary(run: Run) -> str:
    """The summary of a run, in one line, with the scores of baseline players."""
    return one_line(f"{run.title}: {result(run, beside(run))}")


def result(run: Run, besides: str = "") -> str:
    """Return the numbers of passed and judged cases."""
    mine = totals.score(run.cases)
    told = say("{passed} of {judged} passed", passed=number(mine.passed), judged=number(mine.judged))
    if mine.judged:
        told += f" ({mine.share})"
    verdicts = [case.verdict for case in run.cases]
    if foreseen := verdicts.count("xfail"):
        told += say(", {count} failed as expected", count=number(foreseen))
    if unjudged := len(verdicts) - mine.judged:
        told += say(", {count} could not be judged", count=number(unjudged))
    told += f"{besides}." + (say(" Corpus {edition}.", edition=run.begun.edition) if run.begun.edition else "")
    if not run.whole:
        told += f" {broken_off(run)}"
    return told


def passed(run: Run) -> str:
    """Return the numbers of passed and judged cases as a sentence."""
    mine = totals.score(run.cases)
    form = "{passed} of {judged} judged cases were passed."
    return say(form, passed=number(mine.passed), judged=number(mine.judged))


def broken_off(run: Run) -> str:
    """Return the progress of an interrupted run."""
    done, planned = number(len(run.played)), number(run.begun.cases)
    return say("The run was broken off after {done} of {planned} cases.", done=done, planned=planned)


# ---- Several runs compared: rules by implementation -------------------------------------------------

FAILED = " !"
"""The suffix of the score of a rule played differently."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One rule: by implementation the score of its cases. Expected failures count: the rule is played differently."""

    name: str
    is_decision: bool
    cells: tuple[Score, ...]

    @property
    def differs(self) -> bool:
        """Whether two of them, both judged, have different results."""
        return len({cell.verdict for cell in self.cells} - {"none"}) > 1


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The matrix. ``notes`` say where the runs have different cases; ``beside`` are the baseline players, with their
    scores; ``causes`` are given by sentence.
    """

    titles: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    sums: tuple[Score, ...]
    beside: tuple[tuple[str, tuple[Score, ...]], ...] = ()
    causes: tuple[tuple[str, tuple[CauseReport | None, ...]], ...] = ()


def compared(runs: Sequence[Run], *, differing: bool = False) -> RunComparison:
    """The runs side by side; ``differing`` keeps only the rules on which they differ."""
    by_rule = [_by_rule(run) for run in runs]
    rules = sorted(set().union(*by_rule))  # clauses first
    rows = [
        ReportRow(name, is_decision, tuple(score(found.get((is_decision, name), ())) for found in by_rule))
        for is_decision, name in rules
    ]
    rows = [row for row in rows if any(cell.judged for cell in row.cells)]
    return RunComparison(
        titles=_titles(runs),
        notes=tuple(_notes(runs)),
        rows=tuple(row for row in rows if row.differs or not differing),
        sums=tuple(score(run.cases) for run in runs),
        beside=tuple(_beside(runs)),
        causes=tuple(_causes_of_runs(runs)),
    )


def _by_rule(run: Run) -> dict[tuple[bool, str], list[CaseReport]]:
    """Cases by rule: whether it is a decision, and its name."""
    found: dict[tuple[bool, str], list[CaseReport]] = {}
    for case in run.cases:
        is_decision = case.level == "decided" and bool(case.decisions)
        for name in case.decisions if is_decision else case.clauses:
            found.setdefault((is_decision, name), []).append(case)
    return found


def _beside(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[Score, ...]]]:
    scores = [theirs(run) for run in runs]
    for player in dict.fromkeys(player for found in scores for player in found):
        yield one_line(player), tuple(of.get(player, Score(0, 0)) for of in scores)


def _titles(runs: Sequence[Run]) -> tuple[str, ...]:
    titles = [one_line(run.title) for run in runs]
    return tuple(f"{title} ({n})" if titles.count(title) > 1 else title for n, title in enumerate(titles, 1))


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for title, run in zip(_titles(runs), runs, strict=True):
        if not run.whole:
            form = "{title}: the run was broken off after {done} of {planned} cases."
            yield say(form, title=title, done=number(len(run.cases)), planned=number(run.begun.cases))
    editions = dict.fromkeys(run.begun.edition or say("not told") for run in runs)
    if len(editions) > 1:
        form = "They were asked cases of different versions of the corpus: {editions}."
        yield say(form, editions=", ".join(map(one_line, editions)))
    if len({frozenset(case.name for case in run.cases) for run in runs}) > 1:
        yield say("Not all were asked the same cases.")


def _causes_of_runs(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[CauseReport | None, ...]]]:
    """Return every cause, by its sentence, with its cases in each run."""
    found = [{cause.sentence: cause for cause in run.causes if cause.explains} for run in runs]
    for sentence in dict.fromkeys(sentence for causes in found for sentence in causes):
        yield sentence, tuple(causes.get(sentence) for causes in found)


# ---- as a document -------------------------------------------------------------------------------


def comparison_document(comparison: RunComparison) -> Iterator[Block]:
    """A table with numbered columns, and the legend below it."""
    yield Heading(1, say("Rule by implementation"))
    numbers = [f"({at})" for at in range(1, len(comparison.titles) + 1)]
    if comparison.causes:
        yield Heading(2, say("Causes"))
        yield Paragraph(say("What would make answers right, and how many failed cases it explains of each."))
        sentences = ((_sentence(sentence, found), found) for sentence, found in comparison.causes)
        yield items(*((Code(sentence), _explained(numbers, found)) for sentence, found in sentences))
        yield Heading(2, say("Rules"))
    form = "Cases passed of those on which it could be judged; {sign} where one failed, – for none."
    yield Paragraph(say(form, sign=FAILED.strip()))
    rows: list[tuple[Text, tuple[Score, ...]]] = [
        (Code(row.name, say("a decision of the spec") if row.is_decision else clause_told(row.name)), row.cells)
        for row in comparison.rows
    ]
    told = [(name, tuple(map(_judged, cells))) for name, cells in [*rows, (say("all cases"), comparison.sums)]]
    told += [(Code(name), tuple(Cell(cell.text) for cell in cells)) for name, cells in comparison.beside]
    yield Grid((say("rule"), *numbers), tuple(told), numbers=True)
    who = ((f"{number} ", Code(title)) for number, title in zip(numbers, comparison.titles, strict=True))
    yield items(*who, *map(Code, comparison.notes))


def _sentence(sentence: str, found: Sequence[CauseReport | None]) -> str:
    return cause_sentence(sentence, next(cause.variant for cause in found if cause))


def _explained(numbers: Sequence[str], found: Sequence[CauseReport | None]) -> str:
    counts = (f"{number} {len(cause.cases)}" for number, cause in zip(numbers, found, strict=True) if cause)
    return f": {', '.join(counts)}"


def _judged(cell: Score) -> Cell:
    return Cell(Strong(cell.text), FAILED) if cell.verdict == "fail" else Cell(cell.text)
