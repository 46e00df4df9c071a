"""The comparison of two variants: their differences, each with a log that shows it or the reason why there is none; in
words, as a document, and as plain data (``conformance/schema/diff.schema.json`` describes it).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from truco_spec.base.document import (
    Block,
    Code,
    Heading,
    Item,
    Link,
    LogBlock,
    Paragraph,
    Part,
    RuleBlock,
    Strong,
    items,
    listed,
)
from truco_spec.base.shapes import plain
from truco_spec.base.words import label, number, say, spoken
from truco_spec.compare.pair import (
    APART,
    LED,
    REFUSED,
    SETUP,
    UNKNOWN,
    WORKING,
    Outcome,
    Pair,
    Parting,
    Witness,
)
from truco_spec.compare.reasons import PLAYERS, UNPLAYED, Reasons
from truco_spec.compare.scenario import Scenario, Side, tables
from truco_spec.compare.statements import (
    CHANGES,
    READINGS,
    SETTINGS,
    TOLD,
    WORDING,
    ComparedStatement,
    Difference,
    Key,
    differences,
)
from truco_spec.compare.witness_search import WitnessSearch
from truco_spec.graph.model import DECIDED, Graph
from truco_spec.logs.line import write_line

POSITIONS = 160_000
"""The default number of positions examined: less than half a minute on one core."""

SHOWS = {APART: "apart", LED: "led to it", WORKING: "at work"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A log that shows differences, replayed under both. ``number`` counts from 1; ``by`` is the side that can play it
    to its end if the other cannot (0 or 1). ``parting`` is None if the difference is not observable, or if both
    refuse it; ``ends`` is then the result of its last move.
    """

    number: int
    scenario: Scenario
    parting: Parting | None
    by: int
    ends: tuple[Outcome, Outcome] | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """A difference, its log and their relation (apart, led to it, at work); or the reason for having none."""

    difference: Difference
    log: Shown | None
    shows: str
    reason: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """``players`` are the numbers of players for which logs were searched; empty without a search."""

    a: Side
    b: Side
    graphs: tuple[Graph, Graph]
    players: tuple[int, ...]
    seed: str
    positions: int
    found: tuple[Explained, ...]
    logs: tuple[Shown, ...]


def structure(a: Side, b: Side) -> tuple[tuple[Graph, Graph], tuple[Difference, ...]]:
    """Return the graphs at a common table, if there is one, and their differences."""
    sizes = tables(a, b)
    at = [side.at(sizes[-1]) if sizes else side.graph for side in (a, b)]
    graphs = (at[0] or a.graph, at[1] or b.graph)
    chains = (a.chain, b.chain)
    found = differences(*graphs, chains)
    if any(graph is not side.graph for graph, side in zip(graphs, (a, b), strict=True)):
        usual = [d for d in differences(a.graph, b.graph, chains) if d.key == PLAYERS]
        found = (*usual, *(d for d in found if d.key != PLAYERS))
    return graphs, found


def unsearched(a: Side, b: Side) -> Comparison:
    """The differences alone."""
    graphs, found = structure(a, b)
    explained = tuple(Explained(difference, None, "", "") for difference in found)
    return Comparison(a, b, graphs, (), "", 0, explained, ())


def searched(
    a: Side,
    b: Side,
    positions: int = POSITIONS,
    seed: str = "1",
    progress: Callable[[int, str], None] = lambda done, what: None,
    workers: int = 1,
) -> Comparison:
    """The differences, each with the shortest log found. ``progress`` is called with the number of positions examined,
    and the purpose; ``workers`` processes find the same as one.
    """
    graphs, found = structure(a, b)
    if not any(difference.change != WORDING and difference.key[0] not in UNPLAYED for difference in found):
        return _explained(a, b, graphs, (), seed, 0, Reasons((a, b), found), {})
    reasons = Reasons((a, b), found)
    hunt = WitnessSearch((a, b), graphs, reasons, positions, seed, progress, workers)
    hunt.run()
    return _explained(a, b, graphs, tuple(hunt.sizes), seed, hunt.looked, reasons, hunt.best)


def _explained(
    a: Side,
    b: Side,
    graphs: tuple[Graph, Graph],
    sizes: tuple[int, ...],
    seed: str,
    looked: int,
    reasons: Reasons,
    best: Mapping[Key, tuple[Pair, Witness]],
) -> Comparison:
    found = reasons.found
    logs: dict[str, Shown] = {}
    explained = []
    known = {**_resting(found, best), **best}
    for difference in found:
        if difference.key not in known:
            explained.append(Explained(difference, None, "", reasons.of(difference, looked)))
            continue
        pair, witness = known[difference.key]
        written = repr(witness.scenario)
        if written not in logs:
            parting = pair.parting(witness.scenario, views=True, told=True)
            by = witness.side if parting is None or witness.shows == WORKING else int(parting.b.plays > parting.a.plays)
            ends = (pair.outcome(witness.scenario, 0), pair.outcome(witness.scenario, 1)) if parting is None else None
            logs[written] = Shown(len(logs) + 1, witness.scenario, parting, by, ends)
        explained.append(Explained(difference, logs[written], SHOWS[witness.shows], ""))
    return Comparison(a, b, graphs, sizes, seed, looked, tuple(explained), tuple(logs.values()))


def _resting(
    found: tuple[Difference, ...], best: Mapping[Key, tuple[Pair, Witness]]
) -> Mapping[Key, tuple[Pair, Witness]]:
    """Return the best log of the statements that rest on an option or a reading."""
    resting: dict[Key, list[Key]] = {}
    for other in found:
        if other.key in best:
            cites = {cite for side in (other.a, other.b) if side is not None for cite in side.cites}
            on = [("option", name) for name in other.by]
            on += [
                ("decision", name) for decided, _, name in (cite.partition(":") for cite in cites) if decided == DECIDED
            ]
            for key in on:
                resting.setdefault(key, []).append(other.key)
    return {on: best[min(keys, key=lambda key: (best[key][1].rank, key))] for on, keys in resting.items()}


# ---- in words --------------------------------------------------------------------------------------

LONGEST_CLAUSE = 300
"""Maximum characters of a clause shown; JSON has them all."""


@dataclass(frozen=True, slots=True)
class Told:
    """A log for people: one line, the move at which it ends, and each side's result."""

    number: int
    line: str
    move: str
    a: str
    b: str


SHOWN = {
    "apart": "they part by it",
    "led to it": "it led to where they part",
    "at work": "it is at work here",
}


def summary(comparison: Comparison) -> str:
    """The number of differences, by kind of change."""
    counts = Counter(explained.difference.change for explained in comparison.found)
    told = [say("{count} {change}", count=counts[change], change=say(change)) for change in CHANGES if counts[change]]
    if not told:
        return say("No difference.")
    return say("{count} differences: {kinds}.", count=len(comparison.found), kinds=", ".join(told))


def looked(comparison: Comparison) -> str:
    """The extent of the search; empty without one."""
    if not comparison.positions:
        return ""
    form = (
        "{count} positions were looked at, for {sizes} players; seed {seed}."
        if comparison.players
        else "{count} positions were looked at, for each by itself, as there is no table for both; seed {seed}."
    )
    sizes = f" {say('and')} ".join(map(str, comparison.players))
    return say(form, count=number(comparison.positions), sizes=sizes, seed=comparison.seed)


def _clauses(difference: Difference) -> Iterator[tuple[str, str, str]]:
    """For a statement of both, the clauses that differ; for one of a single side, its sentence."""
    both = difference.a is not None and difference.b is not None
    if both or not difference.one.sentence:
        for name, a, b in difference.parts:
            yield name, _short(a), _short(b)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_CLAUSE else f"{text[:LONGEST_CLAUSE]}…"


def told_log(comparison: Comparison, shown: Shown) -> Told:
    """A log with the result of its last move."""
    side = (comparison.a, comparison.b)[shown.by]
    line = write_line(shown.scenario.log(side))
    moves = shown.scenario.texts
    parting = shown.parting
    if parting is None:
        a, b = (_alike(outcome) for outcome in shown.ends or ())
        return Told(shown.number, line, moves[-1] if moves else "", a, b)
    at = moves[parting.at] if parting.at != SETUP and parting.at < len(moves) else ""
    return Told(shown.number, line, at, outcome_text(parting.a), outcome_text(parting.b))


def _alike(outcome: Outcome) -> str:
    """The result of a move at which the two do not part."""
    if outcome.status in (REFUSED, UNKNOWN):
        return outcome.message
    return say("{status}; nobody can tell a difference", status=say(outcome.status.replace("-", " ")))


def outcome_text(outcome: Outcome) -> str:
    """The result of a move, in words."""
    if outcome.status in (REFUSED, UNKNOWN):
        return outcome.message
    told = "; ".join(f"{label(name)} {value_text(value)}" for name, value in outcome.told.items())
    status = say(outcome.status.replace("-", " "))
    rules = f" ({say('by {rule}', rule=', '.join(outcome.rules[:3]))})" if outcome.rules and not told else ""
    if outcome.status == "permitted" and told:
        return told
    return f"{status}{rules}{': ' if told else ''}{told}"


def value_text(value: object) -> str:
    """An observation."""
    if isinstance(value, Mapping):
        if set(value) == {"hidden"}:
            return say("{count} hidden", count=value["hidden"])
        return ", ".join(f"{label(str(name))} {value_text(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value)) or say("none")
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    return say("none") if value is None else label(str(value))


# --------------------------------------------------------------------------------------------------
# The document: each difference with both sides, and the log that shows it.


def document_of(comparison: Comparison, *, everything: bool = False) -> Iterator[Block]:
    """The comparison; ``everything``: including differences in wording or citations only."""
    heads = [Code(side.head) for side in (comparison.a, comparison.b)]
    yield Heading(1, listed(heads, f" {say('and')} "))
    sides = zip("AB", heads, comparison.graphs, strict=True)
    yield items(*(Item((head, ": ", Code(spoken().rules(graph.title))), label=side) for side, head, graph in sides))
    yield Paragraph(f"{summary(comparison)} {looked(comparison)}".rstrip())
    logs = {shown.number: told_log(comparison, shown) for shown in comparison.logs}
    for group in dict.fromkeys(explained.difference.group for explained in comparison.found):
        of_group = [explained for explained in comparison.found if explained.difference.group == group]
        worded = [explained for explained in of_group if explained.difference.change == WORDING and not everything]
        offered = [explained for explained in of_group if _only_offered(explained.difference) and not everything]
        told = [explained for explained in of_group if explained not in worded and explained not in offered]
        yield Heading(2, Code(say(group) if group in (SETTINGS, TOLD, READINGS) else spoken().rules(group)))
        if worded:
            yield Paragraph(say("{count} more in wording or citations only (--all).", count=len(worded)))
        if offered:
            form = "{count} more have the same value in both: they differ in what else may be agreed (--all)."
            yield Paragraph(say(form, count=len(offered)))
        for explained in told:
            yield from _difference(explained.difference)
            yield from _log(explained, logs)


def _only_offered(difference: Difference) -> bool:
    """Whether an option has the same value in both, and other alternatives, as where one of them is closed."""
    both = difference.a is not None and difference.b is not None
    names = [name for name, _, _ in difference.parts]
    return both and difference.key[0] == "option" and difference.key != PLAYERS and names == ["values"]


def _difference(difference: Difference) -> Iterator[Block]:
    by: tuple[Part, ...] = (f" ({say('option')} ", *listed(map(Code, difference.by)), ")") if difference.by else ()
    yield Heading(3, (Code(difference.name), ": ", Strong(say(difference.change)), *by))
    said = [_statement(side, statement) for side, statement in _sides(difference.a, difference.b)]
    parts = [Item((Code(a or "–"), " → ", Code(b or "–")), label=say(name)) for name, a, b in _clauses(difference)]
    if said or parts:
        yield items(*said, *parts)


def _sides(a: ComparedStatement | None, b: ComparedStatement | None) -> Iterator[tuple[str, ComparedStatement]]:
    """The statements by side: joint if both are equal, omitted if a side has none."""
    if a is not None and b is not None and (a.sentence, a.cites) == (b.sentence, b.cites):
        yield "A, B", a
    else:
        yield from ((side, one) for side, one in zip("AB", (a, b), strict=True) if one is not None)


def _statement(side: str, statement: ComparedStatement) -> RuleBlock:
    cites = listed((Code(f"@{cite}") for cite in statement.cites), " ")
    return (
        RuleBlock(statement.sentence, (cites,) if cites else (), side)
        if statement.sentence
        else RuleBlock(cites, (), side)
    )


def _log(explained: Explained, logs: dict[int, Told]) -> Iterator[Block]:
    """Return the log that shows a difference, taken from ``logs`` at its first use; or the reason for having none."""
    shows = say(SHOWN.get(explained.shows, ""))
    number = explained.log.number if explained.log is not None else 0
    if (told := logs.pop(number, None)) is not None:
        yield Heading(4, say("Log {number}: {shows}", number=told.number, shows=shows), f"log-{told.number}")
        yield LogBlock(told.line)
        if told.move:
            yield Paragraph((f"{say('At')} ", Code(told.move), ":"))
        yield items(*(Item(text, label=side) for side, text in zip("AB", (told.a, told.b), strict=True)))
    elif number:
        yield Paragraph((Link(say("Log {number}", number=number), f"#log-{number}"), f", {say('above')}: {shows}"))
    elif explained.reason:
        yield Paragraph(explained.reason)


# --------------------------------------------------------------------------------------------------
# Plain data, for JSON.

FORMAT: Literal[1] = 1
"""The version of this format, raised by incompatible changes."""


@dataclass(frozen=True, slots=True)
class SideData:
    """One side."""

    variant: Annotated[str, "The name of its variant."]
    options: Annotated[Mapping[str, str], "The options asked for."]
    title: Annotated[str, "The title of its variant."]


@dataclass(frozen=True, slots=True)
class ClauseData:
    """A clause that differs, in the rules language with options folded away; null where it is not there."""

    clause: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class StatementData:
    """The statement of one side."""

    sentence: str
    cites: Annotated[tuple[str, ...], "Clauses, as source:clause."]
    lineage: Annotated[tuple[str, ...], "The variants that made it what it is, oldest first."]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class DifferenceData:
    """One difference, with a log, or a reason for having none; with neither if logs were not sought."""

    kind: str
    name: str
    group: Annotated[str, "The chapter of the rules."]
    change: Literal["added", "dropped", "replaced", "other value", "wording"]
    options: Annotated[tuple[str, ...], "Options, set differently, that it names."]
    clauses: tuple[ClauseData, ...]
    a: StatementData | None
    b: StatementData | None
    log: Annotated[int | None, "The number of its log."] = None
    shows: Annotated[str, "What the log shows: apart, led to it, at work."] = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeData:
    """The result of one side at the move at which the two part."""

    status: Annotated[str, "permitted, forbidden, not-offered, refused or unknown."]
    rules: tuple[str, ...]
    text: Annotated[str, "In words."]
    observed: Annotated[Mapping[str, Any], "What all could tell after it, where the sides differ."]


@dataclass(frozen=True, slots=True)
class PartsData:
    """The move at which the two part."""

    move: Annotated[int, "The number of the move, from 1; 0 before the first."]
    by: Literal["move", "observed", "view"]
    a: OutcomeData
    b: OutcomeData


@dataclass(frozen=True, slots=True)
class LogData:
    """A log, by the rules of each side."""

    number: int
    players: int
    a: Annotated[str, "The log in one line."]
    b: Annotated[str, "The log in one line."]
    played_by: Annotated[Literal["a", "b"], "Who can play it to its end, where only one can."]
    parts: Annotated[PartsData | None, "Null where nobody can tell a difference, or both refuse the last move."]


@dataclass(frozen=True, slots=True)
class DiffData:
    """The whole."""

    diff: Literal[1]
    a: SideData
    b: SideData
    players: Annotated[tuple[int, ...], "The numbers of players for which logs were looked for."]
    seed: str
    positions: Annotated[int, "The number of positions that were looked at."]
    differences: tuple[DifferenceData, ...]
    logs: tuple[LogData, ...]


def data_of(comparison: Comparison) -> Any:
    """Everything that was found, as plain JSON."""
    a, b = comparison.a, comparison.b
    return plain(
        DiffData(
            diff=FORMAT,
            a=_side(a, comparison.graphs[0].title),
            b=_side(b, comparison.graphs[1].title),
            players=comparison.players,
            seed=comparison.seed,
            positions=comparison.positions,
            differences=tuple(_difference_data(explained) for explained in comparison.found),
            logs=tuple(_log_data(a, b, shown) for shown in comparison.logs),
        )
    )


def _side(side: Side, title: str) -> SideData:
    return SideData(side.variant, dict(side.options), title)


def _difference_data(explained: Explained) -> DifferenceData:
    difference = explained.difference
    return DifferenceData(
        kind=difference.key[0],
        name=difference.key[1],
        group=difference.group,
        change=difference.change,  # type: ignore[arg-type]
        options=difference.by,
        clauses=tuple(ClauseData(name, a or None, b or None) for name, a, b in difference.parts),
        a=_statement_data(difference.a),
        b=_statement_data(difference.b),
        log=explained.log.number if explained.log is not None else None,
        shows=explained.shows,
        reason=explained.reason,
    )


def _statement_data(statement: ComparedStatement | None) -> StatementData | None:
    if statement is None:
        return None
    return StatementData(statement.sentence, statement.cites, statement.lineage, statement.file, statement.line)


def _log_data(a: Side, b: Side, shown: Shown) -> LogData:
    return LogData(
        number=shown.number,
        players=len(shown.scenario.players),
        a=write_line(shown.scenario.log(a)),
        b=write_line(shown.scenario.log(b)),
        played_by="b" if shown.by else "a",
        parts=None if shown.parting is None else _parts(shown.parting),
    )


def _parts(parting: Parting) -> PartsData:
    by: Any = parting.kind
    return PartsData(parting.at + 1, by, _outcome(parting.a), _outcome(parting.b))


def _outcome(outcome: Outcome) -> OutcomeData:
    return OutcomeData(outcome.status, outcome.rules, outcome_text(outcome), dict(outcome.told))
