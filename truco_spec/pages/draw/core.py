"""A linked graph as text in the core of the rules language, with constructs desugared and options folded.

The text is for reading, and it parses; it is not meant to be linked again: citations, sentences and lineage are those
of the original statements.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from truco_spec.graph import fold
from truco_spec.graph.model import Answer, Define, Effect, Graph, Option, Param, Rule, Source, Table, Turn
from truco_spec.graph.operations import show, show_change
from truco_spec.pages.draw.graph_data import verb_text

WIDTH = 118
SEEN = ".seen"
"""The suffix of the question who sees a datum."""


def core_text(graph: Graph) -> str:
    """The whole graph, ending in a line break."""
    settings = ", ".join(f"{option.name} {option.value}" for option in graph.options.values())
    refused = ", ".join(f"{option.name} {value}" for option in graph.options.values() for value in option.ruled_out)
    lines = [
        f"# {graph.title}, lowered to the core of the rules language. A star marks what an option is set to here.",
        *_comment(f"Lineage: {' <- '.join(graph.lineage)}."),
        *_comment(f"Options: {settings}." if settings else "No options."),
        *(_comment(f"Refused: {refused}.") if refused else ()),
        f"# {graph.seats} seats in {graph.teams} teams; {sum(card.present for card in graph.cards)} cards in the pack.",
        "",
        f"variant {graph.name} {{",
        f'  title "{graph.title}"',
    ]
    for heading, statements in _parts(graph):
        found = list(statements)
        if found:
            lines += ["", f"  # {'-' * 4} {heading} {'-' * (100 - len(heading))}", ""]
            for statement in found:
                lines += _broken(statement)
    return "\n".join([*lines, "}"]) + "\n"


def _parts(graph: Graph) -> Iterator[tuple[str, Iterator[list[str]]]]:
    sources = {name.split(" ")[-1]: source for kind, name, source in graph.cites if kind in ("order", "seats", "deck")}
    yield "options", (_option(option) for option in graph.options.values())
    yield "orders", (_order(name, members, sources.get(name)) for name, members in graph.orders.items())
    yield "data", (_datum(graph, name) for name in graph.data)
    yield "phases", (_phase(graph, name) for name in graph.phases)
    yield "actions", (_action(graph, name) for name in graph.actions)
    yield "tables", (_table(table) for table in graph.tables.values())
    yield "questions", (answer for define in graph.defines.values() for answer in _define(graph, define))
    yield "effects", (turn for effect in graph.effects.values() for turn in _effect(graph, effect))
    yield "rules", (_rule(graph, rule) for rule in graph.rules.values())
    yield "decisions", (_decision(graph, name) for name in graph.decisions)


# ---- statements by kind; each is a list of unbreakable pieces -----------------------------------


def _option(option: Option) -> list[str]:
    named = (*option.values, *option.ruled_out)  # an option has at least two values, which the text names
    values = " | ".join(value + ("*" if value == option.value else "") for value in named)
    return [f"option {option.name} : {values}", *_told(option.source)]


def _order(name: str, members: tuple[str, ...], source: Source | None) -> list[str]:
    cites = _cites(source) if source is not None else []
    pieces = [f"order {name} : {' < '.join(members)}", *cites]
    return pieces if cites else [f"# {pieces[0]}"]


def _datum(graph: Graph, name: str) -> list[str]:
    datum = graph.data[name]
    empty = datum.type.many and fold.is_no(datum.first)
    first = f" = {show(graph, datum.first)}" if datum.first is not None and not empty else ""
    pieces = [f"datum {name}{_params(datum.params)} : {datum.type}{first}"]
    if datum.fresh:
        pieces.append(f"fresh each {datum.fresh}")
    seen = graph.defines.get(f"{name}{SEEN}")
    return [*pieces, f"seen by {show(graph, seen.answers[0].value)}"] if seen is not None else pieces


def _phase(graph: Graph, name: str) -> list[str]:
    phase = graph.phases[name]
    pieces = [f"phase {name}" + (f" within {phase.within}" if phase.within else "")]
    if phase.interrupts:
        pieces.append(f"interrupts {', '.join(phase.interrupts)}")
    return [*pieces, *_sentence(phase.source)]


def _action(graph: Graph, name: str) -> list[str]:
    action = graph.actions[name]
    pieces = [f"action {name}{_params(action.params)}", *_sentence(action.source)]
    if action.possible is not None:
        pieces.append(f"possible when {show(graph, action.possible)}")
    if action.seen is not None:
        pieces.append(f"seen by {show(graph, action.seen)}")
    pieces.append("written " + ", ".join(f'"{text}"' for text in action.written))
    return [*pieces, "tacit"] if action.tacit else pieces


def _table(table: Table) -> list[str]:
    head = f"table {table.name}({', '.join(param.name for param in table.params)})"
    return [head, *_told(table.source), *("| " + " | ".join(row) + " |" for row in table.rows)]


def _define(graph: Graph, define: Define) -> Iterator[list[str]]:
    for answer in define.answers:
        head = answer.name
        if answer.name == define.name:
            if head.endswith(SEEN) and head.removesuffix(SEEN) in graph.data:
                continue  # it is printed with its datum
            head += _params(define.params) + (f" : {define.type}" if define.type.low >= 0 else "")
        yield [
            f"define {head}{_except(answer)}",
            *_told(answer.source),
            *_when(graph, answer),
            f"= {show(graph, answer.value)}",
        ]


def _effect(graph: Graph, effect: Effect) -> Iterator[list[str]]:
    for turn in effect.turns:
        head = turn.name + (_params(effect.params) if turn.name == effect.name else "")
        pieces = [f"effect {head}{_except(turn)}", *_told(turn.source), *_when(graph, turn)]
        yield [*pieces, "do " + ", ".join(show_change(graph, change) for change in turn.changes)]


def _rule(graph: Graph, rule: Rule) -> list[str]:
    pieces = [f"rule {rule.name}{_except(rule)}", *_told(rule.source)]
    if rule.phases:
        pieces.append(f"in {', '.join(rule.phases)}")
    if rule.chance or rule.by is not None:
        pieces.append("by chance" if rule.by is None else f"by {show(graph, rule.by)}")
    if rule.shape == "once":
        pieces.append("at once")
    if rule.verbs:
        pieces.append(f"{rule.shape} " + " or ".join(verb_text(graph, verb) for verb in rule.verbs))
    if rule.when is not None:
        pieces.append(f"when {show(graph, rule.when)}")
    for word, changes in (("lest", rule.lest), ("do", rule.do)):
        if changes:
            pieces.append(f"{word} " + ", ".join(show_change(graph, change) for change in changes))
    return pieces


def _decision(graph: Graph, name: str) -> list[str]:
    decision = graph.decisions[name]
    resolves = " ".join(f"@{cite.source}:{cite.clause}" for cite in decision.resolves)
    others = [f'rather than "{text}"' for text in decision.rather]
    return [f"decision {name} resolves {resolves}", f'"{decision.reading}"', f'because "{decision.because}"', *others]


# ---- pieces ------------------------------------------------------------------------------------


def _params(params: tuple[Param, ...]) -> str:
    return f"({', '.join(f'{param.name} : {param.type}' for param in params)})" if params else ""


def _cites(source: Source) -> list[str]:
    return [f"@{cite.source}:{cite.clause}" for cite in source.cites]


def _sentence(source: Source) -> list[str]:
    return [f'"{source.prose}"'] if source.prose else []


def _told(source: Source) -> list[str]:
    return [*_cites(source), *_sentence(source)]


def _except(thing: Answer | Turn | Rule) -> str:
    return f" except {', '.join(sorted(thing.beats))}" if thing.beats else ""


def _when(graph: Graph, way: Answer | Turn) -> list[str]:
    return [f"when {show(graph, way.when)}"] if way.when is not None else []


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _broken(pieces: Iterable[str]) -> list[str]:
    """Break a statement into lines: citations side by side, everything else on lines of its own, long ones wrapped."""
    lines: list[str] = []
    for piece in pieces:
        indent = "    " if lines else "  "
        with_citation = piece.startswith("@") and lines and len(lines[-1]) + len(piece) < WIDTH
        if with_citation and not lines[-1].lstrip().startswith('"'):
            lines[-1] += f" {piece}"
        elif '"' in piece:  # a sentence stays on one line
            lines.append(indent + piece)
        else:
            wrapped = textwrap.wrap(piece, WIDTH - len(indent) - 2, break_on_hyphens=False, break_long_words=False)
            lines += [indent + ("  " if at else "") + line for at, line in enumerate(wrapped)]
    return lines
