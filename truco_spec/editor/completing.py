"""Completion in a text of rules: keywords that the parser accepts, names that fit, and clauses.

The statement up to the place is parsed alone, so the rest of the text may be in any state.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log
from pathlib import Path

from truco_spec.base.errors import TrucoError
from truco_spec.editor.texts import Desk, Text
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import Registry, folders_of, registry, sources
from truco_spec.language import tree as t
from truco_spec.language.grammar import END, Token, grammar, tokenize
from truco_spec.language.read import Parser
from truco_spec.language.shape import CLAUSE_WORDS, CLAUSES_OF

MOST = 300
_HEAD = 'variant x { title "" '
_BEGUN = re.compile(r"@[\w:.-]*$|[\w.-]+$")
_BLOCK = re.compile(r"^[ \t]*(?:variant|concordance)[ \t]+([\w-]+)[^\n{]*\{", re.MULTILINE)
_LONGEST_STATEMENT = 20_000
_BUILT = ("seat", "team", "card", "flag", "pile", "slot", "phase")
_OF_PHASES = frozenset(("in", "then", "ask", "each", "within", "during", "settles", "interrupts"))
_OF_ACTIONS = frozenset(("may", "must", "must not", "on", "answers", "choice"))
_CONDITIONS = frozenset(("when", "do", "lest", "=", "by", "if", "where"))
_ASKED = ("datum", "define", "table", "option", "deck")


@dataclass(frozen=True, slots=True)
class Insertion:
    """One completion. ``kind`` is that of a statement, ``keyword``, ``clause``, ``value`` or ``move``."""

    label: str
    kind: str
    detail: str = ""
    told: str = ""


@dataclass(frozen=True, slots=True)
class Insertions:
    """The completions from ``start`` to the place, the likeliest first; ``whole`` if further typing
    only narrows them.
    """

    start: int
    items: tuple[Insertion, ...]
    whole: bool = True


def offers(desk: Desk, path: str, text: Text, offset: int) -> Insertions:
    """Return the completions at an offset."""
    source = text.source
    line_start = max(source.rfind("\n", 0, offset) + 1, offset - _LONGEST_STATEMENT)
    line = source[line_start:offset]
    quotes = line.count('"')
    if "#" in line and line.index("#") < (line.find('"') if quotes else len(line)):
        return Insertions(offset, ())
    begun = _BEGUN.search(line)
    start = line_start + begun.start() if begun else offset
    typed = source[start:offset]
    block = _block_at(source, start)
    if quotes % 2:
        inside = line.rpartition("{")[2] if "{" in line and "}" not in line.rpartition("{")[2] else None
        names = _of(desk.statements(block, path).values(), _ASKED) if inside is not None else ()
        return Insertions(start, tuple(names)[:MOST])
    if typed.startswith("@"):
        return Insertions(start, tuple(_clauses(desk, path, block, typed)), whole=False)
    before = _statement_before(source, start)
    tokens = [token for token in tokenize(_HEAD + before, path).tokens if token.can_be != (END,)]
    accepted = _accepted(path, tokens) if block or "{" in source[:start] else {"VARIANT", "CONCORDANCE"}
    if not block and re.search(r"\bextends\s+$", source[:start]):
        return Insertions(start, tuple(Insertion(name, "variant") for name in sorted(set(desk.registered().values()))))
    said = [token.value for token in tokens[len(tokenize(_HEAD, path).tokens) - 1 :]]
    found = [*_names(desk, path, block, said)] if "NAME" in accepted else []
    if "CITE" in accepted:
        found += [
            Insertion(f"@{q.cite}", "clause", q.title, q.text) for q in fitting(" ".join(said), Path(path).parent)[:8]
        ]
    found += _keywords(accepted, said)
    return Insertions(start, tuple(dict.fromkeys(found))[:MOST])


def _block_at(source: str, offset: int) -> str:
    """The variant that the text last began before an offset."""
    found = [match[1] for match in _BLOCK.finditer(source, 0, offset)]
    return found[-1] if found else ""


@lru_cache(maxsize=1)
def _opening() -> re.Pattern[str]:
    words = [word for word, can_be in grammar().words.items() if can_be[0] in grammar().openers]
    return re.compile(rf"^[ \t]*(?:{'|'.join(words)})[ \t]+\S", re.MULTILINE)


def _statement_before(source: str, start: int) -> str:
    """The text of the statement that is under way, from its first word on; empty between statements."""
    begin = max(0, start - _LONGEST_STATEMENT)
    found = [match.start() for match in _opening().finditer(source, begin, start)]
    line = source.rfind("\n", 0, start) + 1
    first = re.match(r"[ \t]*\S+[ \t]+", source[line:start])
    if first and (not found or found[-1] < line) and first[0].split()[0] in grammar().words:
        found.append(line) if _opening().match(f"{first[0]}x") else None
    return source[found[-1] : start] if found else ""


def _accepted(path: str, tokens: list[Token]) -> set[str]:
    """Return the terminals that may follow; those of a name, if these tokens do not parse."""
    parser = Parser(path, tokens)
    for index in range(len(tokens)):
        if not parser.take(index):
            return {"NAME"}
    return set(parser.lark.accepts())


def _keywords(accepted: set[str], said: list[str]) -> Iterator[Insertion]:
    kind = next((word for word in said if word != "replace"), "")
    slots = [clause for slot in CLAUSES_OF.get(kind, ()) for clause in slot.kinds]
    for word, can_be in grammar().words.items():
        if not accepted & set(can_be[:-1]):
            continue
        if said and slots and CLAUSE_WORDS.get(word, slots[0]) not in slots:
            continue
        yield Insertion(word, "keyword")


# ---- names -------------------------------------------------------------------------------------


def _names(desk: Desk, path: str, block: str, said: list[str]) -> Iterator[Insertion]:
    """The names that fit behind these words of a statement."""
    last = said[-1] if said else ""
    first = next((word for word in said if word != "replace"), "")
    declared = desk.statements(block, path)
    graph = desk.graph(block, path) if block else None
    if last in ("set", "also", "drop") or (last == first and "replace" in said):
        kinds = ("option",) if last == "set" else (first,) if "replace" in said else ()
        yield from _of(declared.values(), kinds)
    elif first == "set" and len(said) == 2:
        yield from _values(declared.get(said[1]))
    elif last == first:  # a new name
        return
    elif last in _OF_PHASES or (last == "," and _in_list(said, _OF_PHASES)):
        yield from _of(declared.values(), ("phase",))
        if last == "in" and _CONDITIONS & set(said):
            yield from _asked(declared, said)
    elif last in _OF_ACTIONS or (last == "or" and _in_list(said, _OF_ACTIONS)):
        yield from (
            Insertion(name, "action", told=kind.source.prose) for name, kind in (graph.actions if graph else {}).items()
        )
        yield from _of(declared.values(), ("action",))
    elif last == "except" or (last == "," and _in_list(said, frozenset(("except",)))):
        yield from _of(declared.values(), (first,))
    elif last in ("is", "{") or (last == "not" and said[-2:-1] == ["is"]):
        asked = next((word for word in reversed(said) if word in declared), "")
        yield from _values(declared.get(asked))
        yield from _members(graph, asked)
        yield from _asked(declared, said)
    elif last == ":" or (last == "or" and ":" in said):
        yield from (Insertion(name, "order") for name in _BUILT)
        yield from _of(declared.values(), ("order",))
        yield from _asked(declared, said)
    else:
        if last in ("do", "lest", ","):
            yield from _of(declared.values(), ("effect",))
        yield from _asked(declared, said)


def _in_list(said: list[str], heads: frozenset[str]) -> bool:
    """Whether the list that is under way began behind one of these words."""
    for word in reversed(said):
        if word in heads:
            return True
        if word in grammar().words and word != "or":
            return False
    return False


def _of(statements: Iterable[t.Statement], kinds: tuple[str, ...]) -> Iterator[Insertion]:
    for statement in statements:
        if not kinds or statement.kind in kinds:
            yield Insertion(statement.name, statement.kind, statement.kind, statement.prose or "")


def _asked(declared: dict[str, t.Statement], said: list[str]) -> Iterator[Insertion]:
    """Return names for an expression: parameters first, then questions, tables and data."""
    for before, colon in pairwise(said):
        if colon == ":" and before.isidentifier():
            yield Insertion(before, "parameter")
    yield from (offer for offer in _of(declared.values(), _ASKED) if "." not in offer.label)


def _values(statement: t.Statement | None) -> Iterator[Insertion]:
    for choice in statement.choices if statement else ():
        yield Insertion(t.text_of(choice.value), "value", "default" if choice.default else "")


def _members(graph: Graph | None, name: str) -> Iterator[Insertion]:
    """The values of a datum or a define that have names."""
    if graph is None:
        return
    part = graph.data.get(name) or graph.defines.get(name)
    if part is None:
        return
    yield from (Insertion(word, "value") for word in sorted(part.type.words))
    yield from (Insertion(member, "value") for member in graph.orders.get(part.type.name, ()))


def _clauses(desk: Desk, path: str, block: str, typed: str) -> Iterator[Insertion]:
    """Return the possible citations: by the beginning of the name, then by words."""
    begun = typed[1:]
    decisions = [s for s in desk.statements(block, path).values() if s.kind == "decision"] if block else []
    mine = [Insertion(f"@decided:{s.name}", "decision", "decision", s.prose or "") for s in decisions]
    folder = Path(path).parent
    beginning = [q for q in all_quoted(folder) if q.cite.startswith(begun)] if begun else []
    ranked = dict.fromkeys([*beginning, *fitting(begun.replace("-", " ").replace(":", " "), folder)])
    found = [Insertion(f"@{q.cite}", "clause", q.title, q.text) for q in ranked]
    near = [offer for offer in mine if begun in offer.label]
    yield from dict.fromkeys([*near[:20], *found])


# ---- Clauses of the sources, looked up by id and by the words that they say -------------------------

_WORD = re.compile(r"[a-z0-9]+")
_PLAIN = frozenset(
    _WORD.findall(
        "a an and are as at be but by can for from has he his if in is it its no not of on or so that the their then "
        "there they this to was what when which who with"
    )
)
MOST_FOUND = 40


@dataclass(frozen=True, slots=True)
class Quoted:
    """Something to cite: a clause, a gap or an option of a source. ``where`` finds it in the document."""

    cite: str
    text: str
    where: str
    title: str
    path: str
    line: int


def quoted(source: str, cite: str, folder: Path | None = None) -> Quoted | None:
    """Return the content of a citation; None for an unknown one."""
    try:
        found = registry(source, *folders_of(folder))
        return _by_id(found).get(cite)
    except TrucoError:
        return None


def all_quoted(folder: Path | None = None) -> list[Quoted]:
    """All that can be cited. A source that cannot be read is passed over."""
    found: list[Quoted] = []
    for source in sources(*folders_of(folder)):
        try:
            found += _by_id(registry(source, *folders_of(folder))).values()
        except TrucoError:
            continue
    return found


def fitting(words: str, folder: Path | None = None) -> list[Quoted]:
    """Return the possible citations by the number of these words, or of their beginnings, that they contain; rare words
    count most.
    """
    wanted = [w for w in dict.fromkeys(_WORD.findall(words.lower())) if w not in _PLAIN]
    everything = all_quoted(folder)
    said = {q.cite: _words_of(q) for q in everything}
    weight = {w: log(1 + len(said) / (1 + sum(_says(words, w) for words in said.values()))) for w in wanted}
    scored = [(sum(weight[w] for w in wanted if _says(said[q.cite], w)), q) for q in everything]
    best = sorted((pair for pair in scored if pair[0]), key=lambda pair: (-pair[0], len(pair[1].text), pair[1].cite))
    return [q for _, q in best[:MOST_FOUND]]


def _says(words: Counter[str], wanted: str) -> bool:
    return wanted in words or (len(wanted) > 3 and any(word.startswith(wanted) for word in words))


@lru_cache(maxsize=4096)
def _words_of(clause: Quoted) -> Counter[str]:
    return Counter(_WORD.findall(f"{clause.cite} {clause.text}".lower()))


@lru_cache(maxsize=64)
def _by_id(found: Registry) -> dict[str, Quoted]:
    lines = _lines_of(str(found.path))
    title, path = found.record.title, str(found.path)

    def of(identity: str, text: str, where: str = "") -> Quoted:
        return Quoted(f"{found.name}:{identity}", text, where, title, path, lines.get(identity, 0))

    clauses = {c.id: of(c.id, c.text, c.locator) for c in found.clauses.values()}
    gaps = {g.id: of(g.id, f"Open: {g.question} ({'; '.join(g.readings)})") for g in found.gaps.values()}
    options = {o.id: of(o.id, f"One of {', '.join(o.values)}. {o.note}".strip()) for o in found.options.values()}
    return {**clauses, **gaps, **options}


def _lines_of(path: str) -> dict[str, int]:
    """The line, from 0, at which each entry of a registry begins."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")):
        if match := re.match(r"\s*- id: [\"']?([^\s'\"#]+)", line):
            found.setdefault(match[1], number)
    return found
