"""The parts of a text of rules: its outline, what folds, the kind of each word, and remarks between the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from truco_spec.editor.occurrences import CITED, LOCAL, VALUE, VARIANT, Occurrence, places_in
from truco_spec.editor.texts import Desk, Reading
from truco_spec.language import tree as t
from truco_spec.language.grammar import grammar

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


@dataclass(frozen=True, slots=True)
class Symbol:
    """A part of the outline: a block with its statements, or one statement."""

    name: str
    kind: str
    detail: str
    span: t.Span
    name_span: t.Span
    inner: tuple[Symbol, ...] = ()


def symbols(reading: Reading) -> list[Symbol]:
    """The outline of a text."""
    return [
        Symbol(
            block.name,
            "variant",
            block.title if isinstance(block, t.VariantText) else "concordance",
            block.span,
            block.name_span,
            tuple(_symbol(item) for item in block.items),
        )
        for block in reading.file.blocks
    ]


def _symbol(item: t.Statement) -> Symbol:
    detail = f"{item.mode} {item.kind}".strip()
    return Symbol(item.name, item.kind, detail, item.span, item.name_span)


def folds(reading: Reading) -> Iterator[tuple[int, int, str]]:
    """What folds: first and last line, from 0, and its kind: ``region`` or ``comment``. Headings begin regions."""
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
    name = occurrence.name
    while name and name not in declared:
        name = name.rpartition(".")[0]
    return _OF_STATEMENTS.get(declared[name].kind, "variable") if name else "enumMember"


def hints(desk: Desk, path: str, reading: Reading) -> Iterator[tuple[int, str]]:
    """The value of each option behind its name, where it is not said there: offset and text."""
    for occurrence in places_in(reading).all:
        owner = occurrence.owner
        if occurrence.kind == VALUE or (owner is not None and owner.kind == "set"):
            continue
        graph = desk.graphs.get((path, desk.playable(occurrence.block, path)[0])) if occurrence.block else None
        option = graph.options.get(occurrence.name) if graph is not None else None
        if option is None or reading.text.source[occurrence.start - 1 : occurrence.start] == "{":
            continue
        declared = owner is not None and occurrence.start == owner.name_span.start
        if not declared or option.value != option.default:
            yield occurrence.end, f" = {option.value}"


def headings(reading: Reading) -> Iterator[tuple[t.Statement, tuple[str, ...]]]:
    """Every statement that cites something, with its citations as cases name them."""
    for block in reading.file.blocks:
        for item in block.items[:MOST_LENSES]:
            cites = tuple(f"{cite.source}:{cite.clause}" for cite in item.cites)
            own = (f"decided:{item.name}",) if item.kind == "decision" else ()
            if cites or own:
                yield item, (*own, *cites)
