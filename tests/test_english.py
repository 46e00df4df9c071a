"""Docstrings are plain technical English: a few phrases are never right in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import truco_spec

NEVER = ("goes without saying", "no oftener", "what it comes to", "what comes of it")


def _public(node: ast.AST) -> bool:
    return isinstance(node, ast.Module) or not getattr(node, "name", "_").startswith("_")


def _docstrings(path: Path) -> Iterator[tuple[int, str]]:
    code = path.read_text(encoding="utf-8")
    if not any(phrase in " ".join(code.lower().split()) for phrase in NEVER):
        return  # nor in a docstring; to parse it would take long
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and _public(node):
            yield getattr(node, "lineno", 1), " ".join((ast.get_docstring(node) or "").lower().split())


def test_no_public_docstring_has_a_phrase_that_is_never_right():
    package = Path(truco_spec.__file__).parent
    found = [
        f"{path.relative_to(package)}:{line}: {phrase}"
        for path in sorted(package.rglob("*.py"))
        for line, text in _docstrings(path)
        for phrase in NEVER
        if phrase in text
    ]
    assert not found, "\n".join(found)
