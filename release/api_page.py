"""``docs/api.md``: what the docstrings say of the names that ``docs/python.md`` promises.

``python -m release.api_page`` writes it. It needs griffe, which reads the sources and imports nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import griffe

from truco_spec.base.shipped import folder

COMMAND = "python -m release.api_page"
BESIDE = (
    "graph.model.Graph", "engine.explain.Verdict", "engine.ruling.Ruling", "engine.game.Step",
    "engine.text.TextError", "engine.ruling.ArgumentError", "engine.ruling.Unreachable",
    "language.diagnostics.SpecError",
)  # fmt: skip
"""What the public names give or raise."""
_HEAD = f"""\
# API reference

The docstrings of all that [python.md](python.md) names, where each has an example; [stability.md](stability.md) says
how long it stays. Written by `{COMMAND}`.
"""
_ROLE = re.compile(r":(?:class|func|meth|mod|attr):`(?:~[\w.]*\.)?([^`]+)`")
_OF_OBJECT = re.compile(r"(?<=\()(?:self|cls)(?:, )?")


def path() -> Path:
    """The page in the checkout."""
    return folder("docs") / "api.md"


@lru_cache(maxsize=1)
def page() -> str:
    """The page."""
    promised = (folder("docs") / "python.md").read_text(encoding="utf-8")
    package = griffe.load("truco_spec", search_paths=[Path(__file__).parents[1]])
    names = [str(name).strip("'\"") for name in package.exports or ()]
    parts = [_HEAD]
    for name in (*sorted(names, key=str.lower), *BESIDE):
        parts += _section(f"truco_spec.{name}", _found(package, name), promised)
    return "\n".join(parts)


def _found(package: griffe.Object | griffe.Alias, name: str) -> griffe.Object:
    found = package[name]
    target = found.final_target if isinstance(found, griffe.Alias) else found
    assert isinstance(target, griffe.Object)
    return target


def _section(name: str, found: griffe.Object, promised: str) -> Iterator[str]:
    short = name.rpartition(".")[2]
    yield f"## {short}\n"
    yield f"{_kind(found)} `{_called(found, name) if f'`{short}(' in promised else name}`\n"
    yield _told(found) + "\n"
    listed = list(_promised(found, promised)) if isinstance(found, griffe.Class) else []
    for member in listed:
        told = re.sub(r"\s*\n\s*", " ", _told(member))
        yield f"* `{_called(member, member.name)}`" + (f": {told}" if told else "")
    if listed:
        yield ""


def _promised(found: griffe.Class, promised: str) -> Iterator[griffe.Object]:
    """The members that the page of Python names, and all fields of a tuple."""
    is_tuple = "NamedTuple" in map(str, found.bases)
    for name, member in found.members.items():
        field = is_tuple and isinstance(member, griffe.Attribute) and "property" not in member.labels
        named = field or re.search(rf"[`.]{name}\b", promised)
        if named and isinstance(member, griffe.Object) and not name.startswith("_"):
            yield member


def _kind(found: griffe.Object) -> str:
    if isinstance(found, griffe.Class):
        bases = [f"`{base}`" for base in map(str, found.bases) if base.endswith("Error") and base != "ValueError"]
        return f"{'A ' + ' and '.join(bases) if bases else 'A class'}:"
    return "A function:" if isinstance(found, griffe.Function) else "A constant:"


def _called(found: griffe.Object, name: str) -> str:
    """Name and parameters, as they are written in the source."""
    if isinstance(found, griffe.Function):
        return _OF_OBJECT.sub("", found.signature(name=name))
    if isinstance(found, griffe.Attribute):
        return f"{name}: {found.annotation}" if found.annotation else name
    assert isinstance(found, griffe.Class)
    start = found.members.get("__init__")
    if isinstance(start, griffe.Function):
        return _called(start, name).removesuffix(" -> None")
    return name


def _told(found: griffe.Object) -> str:
    text = found.docstring.value if found.docstring else ""
    return _ROLE.sub(r"`\1`", text).replace("``", "`")


if __name__ == "__main__":
    path().write_text(page(), encoding="utf-8")
