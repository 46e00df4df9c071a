"""Descriptions of a text: of the name at a place, in words; the kind of each word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from truco_spec.base.harmless import harmless
from truco_spec.editor.completing import quoted
from truco_spec.editor.occurrences import CITED, LOCAL, VALUE, VARIANT, Occurrence, declarations, places_in, same
from truco_spec.editor.texts import Desk, Reading
from truco_spec.engine.text import told
from truco_spec.graph.model import DECIDED, Graph, wholes
from truco_spec.graph.operations import show
from truco_spec.graph.walk import ways
from truco_spec.language import tree as t
from truco_spec.language.grammar import grammar

MOST_ROWS = 12
_MARKED = re.compile(r"[\[\]<`\\]")


def occurrence_at(desk: Desk, path: str, offset: int) -> Occurrence | None:
    """The name or citation at an offset."""
    reading = desk.reading(path)
    return places_in(reading).at(offset) if reading else None


def hover(desk: Desk, path: str, found: Occurrence) -> str:
    """Return the meaning of a name or a citation, in Markdown; empty if unknown."""
    return "\n\n".join(part for part in _parts(desk, path, found) if part)


def _parts(desk: Desk, path: str, found: Occurrence) -> Iterator[str]:
    if found.kind == CITED:
        yield clause_text(found.name, path)
        return
    if found.kind == VARIANT:
        yield from _variant(desk, path, found)
        return
    if found.kind == LOCAL:
        yield from _local(desk, path, found)
        return
    graph = desk.graph(found.block, path)
    if found.kind == VALUE:
        yield f"`{found.name}`, a value of `{found.of}`"
    sites = declarations(desk, path, found.block, found.of or found.name)
    if not sites:
        yield from _built(graph, found.name)
        return
    for number, site in enumerate(sites):
        statement = site.occurrence.owner
        if statement is None:
            continue
        if number:
            yield f"Instead of that of {site.occurrence.block}: {_sentence(graph, statement)}"
            continue
        yield f"**{statement.kind} {statement.name}** of {site.occurrence.block}"
        yield _sentence(graph, statement)
        yield from _about(desk, path, found.block, statement, graph)
        yield _authorities(statement.cites, site.path)


def _sentence(graph: Graph | None, statement: t.Statement) -> str:
    prose = statement.prose or ""
    return plain(told(graph, prose) if graph is not None else prose)


def plain(text: str) -> str:
    """A text as Markdown that says just this: without links, pictures, tags and controls."""
    return _MARKED.sub(r"\\\g<0>", harmless(text))


def clause_text(cite: str, path: str) -> str:
    """Return the words of a clause, its source, and its place there, in Markdown."""
    source, _, identity = cite.partition(":")
    found = quoted(source, identity, Path(path).parent)
    if found is None:
        return ""
    where = f", “{plain(found.where)}”" if found.where else ""
    return f"> {plain(found.text)}\n\n*{plain(found.title)}*{where} (`@{found.cite}`)"


def _authorities(cites: Iterable[t.Cite], path: str) -> str:
    lines = []
    for cite in cites:
        found = quoted(cite.source, cite.clause, Path(path).parent) if cite.source != DECIDED else None
        lines.append(f"- `{cite}`: {plain(found.text)}" if found else f"- `{cite}`")
    return "\n".join(lines)


def _variant(desk: Desk, path: str, found: Occurrence) -> Iterator[str]:
    blocks = desk.blocks(found.name, path)
    if blocks:
        yield f"**variant {found.name}**: {plain(blocks[-1].title)}"
        yield "extends " + ", ".join(block.name for block in reversed(blocks[:-1])) if blocks[1:] else ""


def _local(desk: Desk, path: str, found: Occurrence) -> Iterator[str]:
    owner, declared = found.owner, desk.statements(found.block, path)
    if owner is None:
        return
    for statement in (owner, *(declared[e] for e in owner.excepts if e in declared)):
        for param in statement.params:
            if param.name == found.name:
                other = desk.text(param.span.file)
                written = other.source[param.span.start : param.span.end] if other else param.name
                yield f"`{written}`, a parameter of {statement.kind} {statement.name}"
                return
    yield f"`{found.name}`, bound in {owner.kind} {owner.name}"


def _built(graph: Graph | None, name: str) -> Iterator[str]:
    """Return what no statement declares: an action of a construct, a card, a member of an order."""
    if graph is None:
        return
    if name in graph.actions:
        action = graph.actions[name]
        yield f"**action {name}**, written {', '.join(f'“{text}”' for text in action.written)}"
        yield plain(told(graph, action.source.prose))
    for order, members in graph.orders.items():
        if name in members:
            yield f"`{name}`, one of `{order}`: {' < '.join(members)}"


def _about(desk: Desk, path: str, block: str, statement: t.Statement, graph: Graph | None) -> Iterator[str]:
    """Type, domain and values, under the default options of the variant through which this is read."""
    name = statement.name
    if statement.kind == "decision":
        yield f"because {plain(statement.because)}"
        yield "\n".join(f"- rather than: {plain(other)}" for other in statement.rather)
    if graph is None:
        return
    through = f" in {graph.name}" if graph.name != block else ""
    if name in graph.options:
        option = graph.options[name]
        values = (f"**{v}**" if v == option.value else v for v in (*option.values, *option.ruled_out))
        yield f"{' | '.join(values)}; is **{option.value}**{through}" + _set_by(desk, path, graph, name)
    if name in graph.data:
        datum = graph.data[name]
        first = f", at first `{show(graph, datum.first)}`" if datum.first is not None else ""
        yield f"`{_params(datum.params)}{datum.type}`, {datum.type.size:,} values{first}{through}"
    if name in graph.defines:
        define = graph.defines[name]
        yield f"answers `{_params(define.params)}{define.type}`{through}"
        others = [f"- `{answer.name}`: {plain(told(graph, answer.source.prose))}" for answer in define.answers[1:]]
        yield "except:\n" + "\n".join(others) if others else ""
    if name in graph.tables:
        table = graph.tables[name]
        rows = ["| " + " | ".join(row) + " |" for row in table.rows]
        more = ["…"] if len(rows) > MOST_ROWS else []
        head = ["|" + " |" * len(table.rows[0]), "|" + "---|" * len(table.rows[0])] if rows else []
        yield "\n".join([*head, *rows[:MOST_ROWS], *more])
    if name in graph.orders:
        yield " < ".join(graph.orders[name])
    if name in graph.actions:
        yield f"written {', '.join(f'“{text}”' for text in graph.actions[name].written)}"
    if name in graph.rules and graph.rules[name].beats:
        yield f"beats {', '.join(f'`{other}`' for other in sorted(graph.rules[name].beats))}"
    if statement.kind in ("rule", "define", "effect") and any(gone == name for gone, _ in graph.vanished):
        yield f"never applies under the default options{through}"


def _params(params: Iterable[object]) -> str:
    listed = ", ".join(f"{p.name} : {p.type}" for p in params)  # type: ignore[attr-defined]
    return f"({listed}) : " if listed else ""


def _set_by(desk: Desk, path: str, graph: Graph, name: str) -> str:
    """Which variant sets an option, and by what authority."""
    setter = graph.options[name].set_by
    for block in desk.blocks(graph.name, path):
        for item in block.items if block.name == setter else ():
            if item.kind == "set" and item.name == name:
                return f", set by {setter}\n\n{_authorities(item.cites, item.span.file)}"
    return ""


# ---- phases ------------------------------------------------------------------------------------


def phase_at(desk: Desk, path: str, found: Occurrence) -> str:
    """The phase that a name means; empty if it is none."""
    graph = desk.graph(found.block, path) if found.kind not in (LOCAL, VALUE, CITED, VARIANT) else None
    return found.name if graph is not None and found.name in graph.phases else ""


def steps_between(desk: Desk, block: str, path: str) -> Iterator[tuple[str, str]]:
    """The phases from which a rule leads to another, each with that one, under the default options."""
    if graph := desk.graph(block, path):
        for rule in graph.rules.values():
            led = [way.phase for way in ways(graph, (*rule.do, *rule.lest)) if way.phase]
            yield from ((phase, after) for after in led for phase in rule.phases)


# ---- places ------------------------------------------------------------------------------------


def definitions(desk: Desk, path: str, found: Occurrence) -> list[tuple[str, int, int]]:
    """Return the declarations of a name, those it replaces, or the place of a clause: paths with offsets, the nearest
    first.
    """
    if found.kind == CITED:
        return list(_clause_place(desk, path, found.name))
    if found.kind == VARIANT:
        blocks = [block for block in desk.blocks(found.name, path)[-1:] if block.name == found.name]
        return [(block.span.file, block.name_span.start, block.name_span.end) for block in blocks]
    if found.kind == LOCAL:
        return [site.place for site in same(desk, path, found)[:1]] or [(path, found.start, found.end)]
    places = [site.place for site in declarations(desk, path, found.block, found.of or found.name)]
    here = (path, found.start, found.end)
    if here in places and len(places) > 1:
        return places[places.index(here) + 1 :] or [here]
    return places


def _clause_place(desk: Desk, path: str, cite: str) -> Iterator[tuple[str, int, int]]:
    source, _, identity = cite.partition(":")
    found = quoted(source, identity, Path(path).parent)
    text = desk.plain(found.path) if found else None
    if found is not None and text is not None and found.line < len(text.starts):
        yield found.path, text.starts[found.line], text.end_of(found.line)


# --------------------------------------------------------------------------------------------------
# The parts of a text of rules: what folds, the kind of each word, and remarks between the words.


WORDS = (
    "keyword", "string", "number", "comment", "operator", "variable", "function", "property", "parameter",
    "enumMember", "event", "namespace", "type", "decorator", "macro",
)  # fmt: skip
"""The kinds of words, by their names in the protocol."""
_OF_STATEMENTS = {
    "datum": "variable", "deck": "variable", "define": "function", "table": "function", "effect": "macro",
    "option": "property", "action": "event", "phase": "namespace", "order": "type", "trump": "type",
    "ladder": "event", "bid": "event", "special": "event", "fault": "event",
}  # fmt: skip
_OF_KINDS = {LOCAL: "parameter", VALUE: "enumMember", VARIANT: "namespace", CITED: "decorator"}
MOST_LENSES = 600


def folds(reading: Reading) -> Iterator[tuple[int, int, str]]:
    """Return the folding ranges: first and last line, from 0, and kind: ``region`` or ``comment``. Headings begin
    regions.
    """
    for block in reading.file.blocks:
        last = block.span.end_line - 2
        yield block.span.line - 1, last, "region"
        for item in block.items:
            if item.span.end_line > item.span.line:
                yield item.span.line - 1, item.span.end_line - 1, "region"
        heads = [
            comment.line - 1
            for comment in reading.parsed.tokens.comments
            if comment.value.startswith("# ---") and block.span.line < comment.line < block.span.end_line
        ]
        for head, following in zip(heads, [*heads[1:], last + 1], strict=False):
            yield head, following - 1, "region"
    lines = [c.line - 1 for c in reading.parsed.tokens.comments if not c.value.startswith("# ---")]
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][1] == line - 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    yield from ((first, last, "comment") for first, last in runs if last > first)


def words(desk: Desk, path: str, reading: Reading) -> list[tuple[int, int, str]]:
    """Every word of a text with its kind, one of :data:`WORDS`, in order; nothing spans lines."""
    named = {o.start: o for o in places_in(reading).all}
    found = [(c.start_pos, c.end_pos, "comment") for c in reading.parsed.tokens.comments]
    for token in reading.parsed.tokens.tokens:
        kind = _kind(desk, path, token.type, token.value, named.get(token.start_pos))
        if kind:
            found.append((token.start_pos, token.end_pos, kind))
    return sorted(found)


def _kind(desk: Desk, path: str, terminal: str, value: str, occurrence: Occurrence | None) -> str:
    if terminal == "STRING":
        return "string"
    if terminal == "INT":
        return "number"
    if terminal == "CITE":
        return "decorator"
    if terminal == "NAME" and occurrence is not None:
        return _OF_KINDS.get(occurrence.kind) or _of_name(desk, path, occurrence)
    if terminal == "NAME":
        return ""
    return "keyword" if value in grammar().words else "operator" if value else ""


def _of_name(desk: Desk, path: str, occurrence: Occurrence) -> str:
    owner = occurrence.owner
    if owner is not None and occurrence.start == owner.name_span.start and owner.kind in _OF_STATEMENTS:
        return _OF_STATEMENTS[owner.kind]
    declared = desk.statements(occurrence.block, path)
    name = next((name for name in wholes(occurrence.name) if name in declared), "")
    return _OF_STATEMENTS.get(declared[name].kind, "variable") if name else "enumMember"


def hints(desk: Desk, path: str, reading: Reading) -> Iterator[tuple[int, str]]:
    """Return what is not written: the type of a table's answers, and the value of each option behind its name. Offset
    and text.
    """
    for block in reading.file.blocks:
        graph = _last_graph(desk, path, block.name)
        for item in block.items:
            table = graph.tables.get(item.name) if graph is not None and item.kind == "table" else None
            if table is not None:
                yield reading.text.source.index(")", item.name_span.end) + 1, f" : {table.type}"
    for occurrence in places_in(reading).all:
        owner = occurrence.owner
        if occurrence.kind == VALUE or (owner is not None and owner.kind == "set"):
            continue
        graph = _last_graph(desk, path, occurrence.block) if occurrence.block else None
        option = graph.options.get(occurrence.name) if graph is not None else None
        if option is None or reading.text.source[occurrence.start - 1 : occurrence.start] == "{":
            continue
        declared = owner is not None and occurrence.start == owner.name_span.start
        if not declared or option.value != option.default:
            yield occurrence.end, f" = {option.value}"


def _last_graph(desk: Desk, path: str, block: str) -> Graph | None:
    """The graph through which a block was linked last."""
    names = desk.playable(block, path)
    return desk.graphs.get((path, names[0])) if names else None


def headings(reading: Reading) -> Iterator[tuple[str, t.Statement, tuple[str, ...]]]:
    """Every statement that cites something, with the name of its block and its citations as cases name them."""
    for block in reading.file.blocks:
        for item in block.items[:MOST_LENSES]:
            cites = tuple(f"{cite.source}:{cite.clause}" for cite in item.cites)
            own = (f"decided:{item.name}",) if item.kind == "decision" else ()
            if cites or own:
                yield block.name, item, (*own, *cites)
