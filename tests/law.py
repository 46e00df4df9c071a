"""The scanner of :mod:`tests.test_law`: finds words and numbers of the game in Python code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from truco_spec.graph.model import Graph

THE_NAME = re.compile(r"truco[-_]spec\w*|\w*\.truco\b|\btruco: ?|TRUCO_SPEC\w*|TrucoError")
"""The project, its files and the key that begins every log; what is left of “truco” is the call."""

SHORT = 3
"""Words up to this length are found only where they stand alone: “4” or “as” is in every other text."""

SMALL, FEW = 4, 2
"""Numbers up to the first are everywhere; in a table, that many different points together are suspect."""


@dataclass(frozen=True)
class Found:
    """A word or number of the game in a piece of code."""

    word: str
    line: int
    how: str


@dataclass(frozen=True)
class Vocabulary:
    """What the specs declare. ``words`` are of the game; ``names`` only name things in specs; each with what it is."""

    words: Mapping[str, str]
    names: Mapping[str, str]
    points: frozenset[int]


def vocabulary(graphs: list[Graph]) -> Vocabulary:
    """Everything that these variants declare: cards, calls, options, actions, points; and the names of the rest."""
    words: dict[str, str] = {}
    names: dict[str, str] = {}
    points: set[int] = set()
    for graph in graphs:
        words |= dict.fromkeys(graph.lineage, "a variant")
        for option in graph.options.values():
            words[option.name] = "an option"
            words |= {value: f"a value of {option.name}" for value in option.values if not value.isdigit()}
            points |= {int(value) for value in option.values if value.isdigit()}
        for order, members in graph.orders.items():
            names[order] = "an order"
            numbered = all(member.isdigit() for member in members)
            words |= {} if numbered else dict.fromkeys(members, f"one of {order}")
        words |= {card.name: "a card" for card in graph.cards}
        for action in graph.actions.values():
            words[action.name] = "an action"
            for written in action.written:
                said = re.sub(r"\{.*?\}", " ", written)
                words |= dict.fromkeys(re.findall(r"[^\W\d][\w-]*", said), "said in play")
        for table in graph.tables.values():
            points |= set(table.answers.values()) if table.type.base == "number" else set()
        points |= {
            number
            for define in graph.defines.values()
            for answer in define.answers
            if (number := answer.value.value) and answer.value.op == "const" and define.type.base == "number"
        }
        for kind in ("data", "defines", "effects", "tables", "phases", "rules"):
            names |= dict.fromkeys(getattr(graph, kind), f"one of the {kind}")
    return Vocabulary(words, {n: what for n, what in names.items() if n not in words}, frozenset(points))


def scan(code: str, known: Vocabulary) -> Iterator[Found]:
    """Every word and number of the game in the code: in its texts, names and tables. Docs may speak of the game."""
    nodes = list(ast.walk(ast.parse(code)))
    docs = set(_docs(nodes))
    for node in nodes:
        if node in docs:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _in_text(node.value, node.lineno, known)
        for name, line in _identifiers(node):
            yield from _in_name(name, line, known)
        yield from _points(node, known)


def _docs(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """What is written for people only: docstrings, help texts, descriptions of types; and the widths of formats."""
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg in ("help", "epilog", "metavar"):
            yield from ast.walk(node.value)
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            yield from ast.walk(node.format_spec)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TypeVar":
            yield from node.args[:1]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Annotated":
            for part in node.slice.elts[1:] if isinstance(node.slice, ast.Tuple) else []:
                yield from ast.walk(part)


def _in_text(text: str, line: int, known: Vocabulary) -> Iterator[Found]:
    rest = THE_NAME.sub("", text)
    if rest in known.words or rest in known.names:
        yield Found(rest, line, f"{known.words.get(rest) or known.names[rest]}, as a text")
        return
    for word in dict.fromkeys(re.findall(r"\w[\w.-]*\w", rest)):
        if word in known.words and len(word) > SHORT:
            yield Found(word, line, f"{known.words[word]}, in a text")


def _identifiers(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, node.lineno
        case ast.arg(arg=str(name)) | ast.keyword(arg=str(name)):
            yield name, node.lineno


def _in_name(name: str, line: int, known: Vocabulary) -> Iterator[Found]:
    for word in _words_in(name):
        if word in known.words:
            yield Found(word, line, f"{known.words[word]}, in the name “{name}”")


@cache
def _words_in(name: str) -> list[str]:
    """The name as a word, and its parts; a single letter says nothing."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", THE_NAME.sub("", name)).lower()
    whole = plain.strip("_").replace("_", "-")
    return [word for word in dict.fromkeys((whole, *plain.split("_"))) if len(word) > 1]


def _points(node: ast.AST, known: Vocabulary) -> Iterator[Found]:
    """Points and stakes: compared with, reckoned with, or three of them in a row."""
    if isinstance(node, ast.Compare | ast.BinOp):
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.left, node.right]
        for part in parts:
            if (number := _number(part)) in known.points and number > SMALL:
                yield Found(str(number), node.lineno, "a number of points, in a reckoning")
    elif isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict):
        items = [*node.keys, *node.values] if isinstance(node, ast.Dict) else node.elts
        numbers = [n for n in map(_number, items) if n in known.points and n > SMALL]
        if len(set(numbers)) >= FEW:
            yield Found(", ".join(map(str, numbers)), node.lineno, "numbers of points, in a table")


def _number(node: ast.AST | None) -> int:
    """The number that stands here, 0 if none does."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else 0
