"""Clauses of the sources, looked up by id and by the words that they say."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import log
from pathlib import Path

from truco_spec.base.errors import TrucoError
from truco_spec.graph.sources import Registry, UnknownSource, registry, sources

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
    """What can be cited: a clause, a gap or an option of a source. ``where`` finds it in the document."""

    cite: str
    text: str
    where: str
    title: str
    path: str
    line: int


def quoted(source: str, cite: str, folder: Path | None = None) -> Quoted | None:
    """What a citation says; None for an unknown one."""
    try:
        found = registry(source, *folders_of(folder))
        return _by_id(found).get(cite)
    except TrucoError:
        return None


def folders_of(folder: Path | None) -> tuple[Path, ...]:
    """The folders in which the rules of a folder have sources of their own."""
    return tuple(f for f in (folder, folder / "sources") if f.is_dir()) if folder is not None else ()


def all_quoted(folder: Path | None = None) -> list[Quoted]:
    """All that can be cited. A source that cannot be read is passed over."""
    found: list[Quoted] = []
    for source in sources(*folders_of(folder)):
        try:
            found += _by_id(registry(source, *folders_of(folder))).values()
        except (TrucoError, UnknownSource):
            continue
    return found


def fitting(words: str, folder: Path | None = None) -> list[Quoted]:
    """What can be cited, by how many of these words, or of their beginnings, it says; rare words count most."""
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
