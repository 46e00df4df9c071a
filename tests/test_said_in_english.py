"""Nothing is said to people in English alone: errors, findings and results are sentences that catalogs have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "truco_spec"
TO_OTHERS = {
    "__init__.py": "said to who programs",
    "base/paths.py": "an OSError, whose reason is looked up",
    "base/user_cache.py": "said to nobody",
    "conformance/adapters": "kept in a run, and translated where a report shows it",
    "conformance/corpus/protocol.py": "said to the author of an adapter, within such a fault",
    "conformance/pytest_cases.py": "a plugin speaks as pytest does",
    "conformance/reports/events.py": "a ValueError that nobody reads",
    "conformance/reports/formats.py": "read by programs",
    "conformance/runner": "kept in a run, too",
    "editor": "shown by an editor, which has its own language",
    "engine/ruling.py": "said to who programs",
    "graph/operations.py": "said to who programs",
}
"""What speaks English only, and why."""
PROSE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,}")
TRANSLATED = {"say", "Sentence", "_", "ngettext"}
SHOWN = {
    "Diagnostic", "Heading", "Item", "LinkFinding", "Paragraph", "UsageError", "echo", "error", "find", "located",
    "mistake", "note", "wrong", "Wrong",
}  # fmt: skip
"""What is called with what people read."""
NAMED = {"message", "hint", "wrong", "why", "reason"}
"""What is assigned it."""


def said(node: ast.AST) -> Iterator[ast.expr]:
    """What is shown to people by a statement or a call."""
    match node:
        case ast.Raise(exc=ast.Call(func=func, args=args)) if not _name(func).endswith(("Aside", "Unsaid")):
            yield from args
        case ast.Call(func=func, args=args, keywords=keywords) if _name(func) in SHOWN:
            yield from (*args, *(keyword.value for keyword in keywords))
        case ast.Assign(targets=[ast.Name(name)], value=value) if name in NAMED:
            yield value


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def bare(node: ast.expr) -> Iterator[str]:
    """The English sentences in an expression that no catalog has."""
    match node:
        case ast.Call(func=func) if _name(func) in TRANSLATED:
            return
        case ast.Constant(str() as text):
            if PROSE.search(text):
                yield text
        case ast.JoinedStr(values=values):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
            if PROSE.search(text):
                yield text
        case _:
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.expr):
                    yield from bare(inner)


def english() -> Iterator[tuple[str, str]]:
    """Each place, and what is said there in English alone."""
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for shown in said(node):
                yield from ((f"{where}:{shown.lineno}", text) for text in bare(shown))


def excused(place: str) -> str:
    return next((part for part in TO_OTHERS if place.startswith((f"{part}/", f"{part}:"))), "")


def test_what_people_read_is_in_the_catalogs() -> None:
    assert [f"{place}: {text}" for place, text in english() if not excused(place)] == []


@pytest.mark.long
def test_every_excuse_is_needed() -> None:
    assert {excused(place) for place, _ in english()} - {""} == TO_OTHERS.keys()
