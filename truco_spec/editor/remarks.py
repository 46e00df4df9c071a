"""The mistakes of a text of rules, each with its extent and repairs, in stages, the quickest first.

Syntax and shape need the text alone. Linking needs all that it extends, and is skipped while anything cannot be read: a
statement left out would be missing everywhere. The exact checks run in a process of their own, which runs this module.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from truco_spec.base.errors import TrucoError
from truco_spec.checks import Study, Variant
from truco_spec.checks.checking import check_linked
from truco_spec.checks.variant import check_citations, check_options, check_unused
from truco_spec.editor.completing import fitting
from truco_spec.editor.texts import LARGEST, Desk, Reading, Text, too_large
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, Span, SpecError, nearest
from truco_spec.language.grammar import Token

MOST_REPAIRS = 6
Checks = tuple[Callable[[Study, Variant], None], ...]
QUICKEST: Checks = (check_citations,)
QUICK: Checks = (check_citations, check_options, check_unused)
"""The checks that take no longer than linking: citations and placeholders; options, unused statements."""
_MEANT = re.compile(r"[Dd]id you mean (?:[`“]([^`”]+)[`”]|(\S+?))\?")
_WRITE = re.compile(r"[Ww]rite `([^` ]+)`[.;]?")
_MISSING = re.compile(r"An? `([^`]+)` is missing\.|`(do)` is missing\.")
_HERE = re.compile(r"(\S+) is here")
_LISTED = re.compile(r"its values are (.+)")
_WORD = re.compile(r"[^\s`“”\"]+")
_OF_HEADS = frozenset(("NAME", "INT", "EXCEPT", "SET", "OF", "OR", "STAR", "LESSTHAN", "RANGE", "SIGN"))
_SIGNS_OF_HEADS = frozenset("():,*<|..+-")
_COLLISIONS = ("answers-collide", "verdicts-collide", "effects-collide")


@dataclass(frozen=True, slots=True)
class Repair:
    """An edit that repairs a mistake: it replaces the text from ``start`` to ``end``."""

    title: str
    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic at its place in the text, with what would mend it, the likeliest first."""

    diagnostic: Diagnostic
    start: int
    end: int
    repairs: tuple[Repair, ...] = ()


def reading_remarks(desk: Desk, path: str) -> tuple[Remark, ...]:
    """Errors of syntax and shape. Empty if there are none; then :func:`linking_remarks` has more to say."""
    text = desk.text(path)
    if text is None:
        return ()
    if len(text.source) > LARGEST:
        return (Remark(too_large(path), 0, min(1, len(text.source))),)
    reading = desk.reading(path)
    if reading is None:
        return tuple(remark(text, mistake) for mistake in _unreadable(text, path))
    return tuple(remark(text, mistake, reading) for mistake in reading.mistakes)


def _unreadable(text: Text, path: str) -> Iterable[Diagnostic]:
    from truco_spec.language.read import read_what_can_be

    try:
        read_what_can_be(text.source, path)
    except SpecError as error:
        return error.diagnostics
    return ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One variant through which a text was linked: its remarks, and its graph if it links."""

    variant: str
    remarks: tuple[Remark, ...]
    graph: Graph | None
    files: frozenset[str]


def linking_remarks(desk: Desk, path: str, *, whole: bool = True) -> Iterator[Stage]:
    """Link every block of a text that can be read, one variant a step; a base through each variant that extends it.

    Without ``whole`` a base is linked through one variant, and only citations are checked, which takes a moment.
    """
    reading = desk.reading(path)
    if reading is None or reading.mistakes:
        return
    for block in reading.file.blocks:
        for name in desk.playable(block.name, path)[: None if whole else 1]:
            checks = QUICK if whole and name == block.name else QUICKEST  # a base is used by others too
            yield _stage(desk, path, reading, block, name, checks)


def _stage(
    desk: Desk, path: str, reading: Reading, block: t.VariantText | t.Concordance, name: str, checks: Checks
) -> Stage:
    found: list[Diagnostic] = []
    graph: Graph | None = None
    files: set[str] = set()
    try:
        variant = desk.variant(name, path)
        files = {each.span.file for each in variant.chain.blocks}
        graph = variant.graph
        desk.keep_graph(path, name, graph)
        found += [d for d in checked(variant, checks) if d.span.file == path]
    except SpecError as error:
        found += error.diagnostics
    except TrucoError as error:  # a registry of clauses that cannot be read
        found.append(Diagnostic("error", "unreadable", str(error), block.name_span))
    broken = _broken_below(desk, path, name)
    if broken:
        message = f"{broken} has mistakes, so what extends it cannot be checked."
        found = [Diagnostic("error", "broken-base", message, block.name_span)]
    remarks = dict.fromkeys(remark(reading.text, _moved(d, path, block, name), reading) for d in found)
    return Stage(name, tuple(remarks), graph, frozenset(files))


def _broken_below(desk: Desk, path: str, name: str) -> str:
    """Return the name of a text of this variant that is open elsewhere and has mistakes; empty if there is none."""
    for other in desk.texts_for(path)[1:]:
        if other.mistakes:
            mine = {block.name for block in other.file.blocks}
            if mine & {block.name for block in desk.blocks(name, path)}:
                return other.file.path
    return ""


def _moved(found: Diagnostic, path: str, block: t.VariantText | t.Concordance, name: str) -> Diagnostic:
    """A mistake in another file, or nowhere, is reported at the block that is linked."""
    if found.span.file == path and found.span.line:
        return found
    at = t.place_of(next(iter(getattr(block, "extends", ())), ""), block.name_span)
    at = next((place for _, place in found.notes if place.file == path), at)
    where = f"{found.span.file}:{found.span.line}: " if found.span.line else ""
    return replace(found, message=f"in {name}: {where}{found.message}", span=at)


def checked(variant: Variant, checks: Checks) -> list[Diagnostic]:
    """The findings of some checks."""
    study = Study(variant.graph)
    for check in checks:
        check(study, variant)
    return study.findings


# ---- places ------------------------------------------------------------------------------------


def remark(text: Text, found: Diagnostic, reading: Reading | None = None) -> Remark:
    """A diagnostic with its extent in the text, at least one character where there is one, and its repairs."""
    start, end = extent(text, found.span)
    if reading is None:
        return Remark(found, start, end, ())
    return Remark(found, start, end, tuple(_repairs(reading, found, start, end))[:MOST_REPAIRS])


def extent(text: Text, span: t.Span) -> tuple[int, int]:
    if span.end or not span.line:
        start, end = span.start, span.end
    else:
        start, end = text.at(span.line, span.column), text.at(span.end_line, span.end_column)
    size = len(text.source)
    start = min(start, size)
    end = min(max(end, start), size)
    if start < end:
        return start, end
    if start < size and text.source[start] not in "\r\n":
        return start, start + 1
    return max(start - 1, 0), start


# ---- repairs -----------------------------------------------------------------------------------


def _repairs(reading: Reading, found: Diagnostic, start: int, end: int) -> Iterator[Repair]:
    source = reading.text.source
    if found.code == "no-citation":
        yield from _citations(reading, start)
        return
    if found.code in _COLLISIONS:
        yield from _exceptions(reading, found, start)
        return
    if found.code == "declared-twice" and found.hint.startswith("write `replace "):
        statement = _statement_at(reading, start)
        if statement is not None:
            yield Repair("Replace what is inherited", statement.span.start, statement.span.start, "replace ")
        return
    for match in _MEANT.finditer(found.hint):
        meant = match[1] or match[2]
        if place := _wrong_word(reading, found, start, end, meant):
            yield Repair(f"Write {meant}", *place, meant)
    missing = _MISSING.fullmatch(found.message)
    if missing:
        sign = missing[1] or missing[2]
        at = found.span.start if found.span.end else start
        yield Repair(f"Insert {sign}", at, at, f" {sign}" if sign.isalpha() or sign in "=|{" else sign)
    instead = _WRITE.match(found.hint)
    if instead and not missing and end - start <= 3 and found.code == "letters":
        yield Repair(f"Write {instead[1]}", start, end, instead[1])
    listed = _LISTED.match(found.hint)
    if listed and (place := _one_of(reading, start, end, found)):
        guess = nearest(source[place[0] : place[1]], listed[1].split(", "))
        yield from (Repair(f"Write {guess}", *place, guess) for _ in [guess] if guess)


def _one_of(reading: Reading, start: int, end: int, found: Diagnostic) -> tuple[int, int] | None:
    """The place of the last word of the message in the extent: the value that there is not."""
    wrong = found.message.rpartition(" ")[2]
    tokens = (x for x in reading.parsed.tokens.tokens if start <= x.start_pos and x.end_pos <= end)
    return next(((x.start_pos, x.end_pos) for x in tokens if x.value == wrong), None)


def _wrong_word(reading: Reading, found: Diagnostic, start: int, end: int, meant: str) -> tuple[int, int] | None:
    """The place of the word that should be ``meant``: the first in the extent that the message names."""
    named = {word.strip("`“”.,;:?") for word in _WORD.findall(found.message)}
    inside = [token for token in reading.parsed.tokens.tokens if start <= token.start_pos and token.end_pos <= end]
    for token in inside:
        if token.value == meant:
            continue
        if token.value in named or (token.can_be == ("CITE",) and meant.startswith("@")):
            return token.start_pos, token.end_pos
        if token.can_be == ("STRING",) and meant.startswith("{"):
            at = token.value.find(found.message.partition(" ")[0])
            if at >= 0:
                return token.start_pos + at, token.start_pos + at + len(found.message.partition(" ")[0])
    if not inside and found.code == "placeholder":
        return None
    return (start, end) if len(inside) == 1 and "\n" not in reading.text.source[start:end] else None


def _statement_at(reading: Reading, offset: int) -> t.Statement | None:
    for block in reading.file.blocks:
        for item in block.items:
            if item.span.start <= offset < item.span.end:
                return item
    return None


def _citations(reading: Reading, start: int) -> Iterator[Repair]:
    """Clauses whose words fit the sentence of a statement that cites nothing, behind its heading."""
    at = _behind_heading(reading, start)
    if at is None:
        return
    tokens = reading.parsed.tokens.tokens
    sentence = next((x for x in tokens if x.start_pos >= at and x.can_be == ("STRING",)), None)
    name = next((x.value for x in tokens if x.start_pos == start), "")
    near = sentence is not None and reading.text.source.count("\n", at, sentence.start_pos) <= 3
    words = f"{name} {sentence.value if near and sentence is not None else ''}"
    for clause in fitting(words)[: MOST_REPAIRS - 1]:
        yield Repair(f"Cite @{clause.cite}: {clause.text[:60]}", at, at, f" @{clause.cite}")
    yield Repair("Cite a decision of your own", at, at, f" @decided:{name or 'unknown'}")


def _behind_heading(reading: Reading, start: int) -> int | None:
    """The offset behind the heading whose name begins at ``start``."""
    tokens = reading.parsed.tokens.tokens
    first = next((n for n, token in enumerate(tokens) if token.start_pos == start), None)
    if first is None:
        return None
    last = first
    for token in tokens[first + 1 :]:
        if not _of_heading(token) or (token.line > tokens[last].end_line and token.can_be[0] not in _OF_HEADS):
            break
        if token.line > tokens[last].end_line and len(token.can_be) > 1:
            break
        last += 1
    return tokens[last].end_pos


def _of_heading(token: Token) -> bool:
    return (
        token.can_be[0] in _OF_HEADS or token.value in _SIGNS_OF_HEADS or token.value in ("except", "or", "set", "of")
    )


def _exceptions(reading: Reading, found: Diagnostic, start: int) -> Iterator[Repair]:
    """``except`` in the heading of the later of two statements that collide."""
    statement = _statement_at(reading, start)
    other = next((m[1] for note, _ in found.notes if (m := _HERE.fullmatch(note))), "")
    if statement is None or not other or statement.kind not in ("rule", "define", "effect"):
        return
    at = _behind_heading(reading, statement.name_span.start)
    if at is not None:
        word = ", " if statement.excepts else " except "
        yield Repair(f"{statement.name} beats {other}", at, at, f"{word}{other}")


# --------------------------------------------------------------------------------------------------
# The exact checks of a text, in a process of their own: they take seconds, and are ended when the text changes.


def found_in(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Check a variant as seen from a file; return the findings in that file, without doubts."""
    desk = Desk({path: Text(source) for path, source in asked["texts"].items()})
    try:
        found = check_linked(desk.variant(asked["variant"], asked["path"]))
    except TrucoError:
        return []
    return [asdict(d) for d in found if d.severity != "note" and d.span.file == asked["path"]]


def diagnostics_of(told: bytes) -> list[Diagnostic]:
    """Read what that process wrote."""
    return [
        Diagnostic(
            d["severity"], d["code"], d["message"], Span(**d["span"]), d["hint"],
            tuple((remark, Span(**span)) for remark, span in d["notes"]),
        )
        for d in json.loads(told)
    ]  # fmt: skip


def main() -> None:
    """Answer one question."""
    os.nice(10)
    sys.stdout.write(json.dumps(found_in(json.load(sys.stdin))))


if __name__ == "__main__":
    main()
