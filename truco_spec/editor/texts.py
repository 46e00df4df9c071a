"""The available texts: those open in the editor, as they are typed, and the files of the rules on disk.

Places are offsets in a text, from 0. An editor counts lines and, in most cases, UTF-16 units: :class:`Text` converts.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import Project, around, projects
from truco_spec.checks import Variant
from truco_spec.graph.link import blocks_of, known_texts, link, texts_of
from truco_spec.graph.model import Graph
from truco_spec.graph.sources import folders_of
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.language.read import Parsed, decode, read_what_can_be

LARGEST = 400_000
"""The longest text that is read as it is typed, in characters: an edit is answered within a second or two."""
LARGEST_PLAIN = 2_000_000
"""The largest other file that is read, in bytes."""
MOST_FILES = 400
"""The most files of a folder that are searched."""
MOST_FOLDERS = 2_000
"""The most folders that are looked into."""
MOST_GRAPHS = 24
"""The most graphs that are kept; each is some megabytes."""
_DEEPEST = 6
_LINE_END = re.compile(r"\r\n|\r|\n")
_UNREAD = frozenset(("node_modules", "__pycache__", "build", "dist"))
SHORT_WHILE = 2.0
"""For how many seconds files on disk are taken as unchanged."""
Found = TypeVar("Found")
UTF16, UTF8 = "utf-16", "utf-8"


class Text:
    """One text with its lines, as the protocol divides it: a line ends with a line feed, a carriage return or both."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.starts = [0, *(found.end() for found in _LINE_END.finditer(source))]

    def offset(self, line: int, character: int, units: str = UTF16) -> int:
        """Return the offset of a position; behind the end of a line or of the text, that end."""
        if line < 0 or line >= len(self.starts):
            return 0 if line < 0 else len(self.source)
        start, end = self.starts[line], self.end_of(line)
        if units not in (UTF16, UTF8) or self.source.isascii():
            return min(start + max(character, 0), end)
        at = start
        while at < end and character > 0:
            character -= _width(self.source[at], units)
            at += character >= 0
        return at

    def position(self, offset: int, units: str = UTF16) -> tuple[int, int]:
        """Return line and character, both from 0, of an offset."""
        line = bisect_right(self.starts, min(offset, len(self.source))) - 1
        before = self.source[self.starts[line] : offset]
        if units not in (UTF16, UTF8) or before.isascii():
            return line, len(before)
        return line, sum(_width(character, units) for character in before)

    def end_of(self, line: int) -> int:
        """Return the offset of the end of a line, before the characters that end it."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.source)
        while end > self.starts[line] and self.source[end - 1] in "\r\n":
            end -= 1
        return end

    def at(self, line: int, column: int) -> int:
        """Return the offset of a line and column that count characters from 1, without a byte order mark."""
        if line > len(self.starts):
            return len(self.source)
        mark = line == 1 and self.source.startswith("\N{BYTE ORDER MARK}")
        return min(self.starts[max(line, 1) - 1] + max(column, 1) - 1 + mark, len(self.source))

    def edited(self, start: int, end: int, new: str) -> Text:
        """Return the text with a part replaced."""
        return Text(self.source[:start] + new + self.source[max(start, end) :])


def _width(character: str, units: str) -> int:
    if units == UTF16:
        return 2 if ord(character) > 0xFFFF else 1
    return len(character.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Reading:
    """The readable parts of a text of rules, and its errors of syntax and shape; ``kept`` are memoised results about
    it.
    """

    text: Text
    parsed: Parsed
    mistakes: tuple[Diagnostic, ...]
    kept: dict[str, object] = field(default_factory=dict, compare=False)

    @property
    def file(self) -> t.File:
        """The tree, without the statements that cannot be read."""
        return self.parsed.file


def read_text(text: Text, path: str) -> Reading:
    """Read a text. Raises SpecError for one that is too large, or none."""
    if len(text.source) > LARGEST:
        raise SpecError([too_large(path)])
    parsed, mistakes = read_what_can_be(text.source, path, part=True)
    return Reading(text, parsed, tuple(mistakes))


def too_large(path: str) -> Diagnostic:
    """The only remark on a text that is too large."""
    message = f"This text is too large to be read while it is written: at most {LARGEST:,} characters are."
    hint = "Split it; or run `truco-spec check` on the file."
    return Diagnostic("error", "too-large", message, t.Span(path, 1, 1, 1, 2, 0, 1), hint)


def _on_disk(path: str) -> Reading | None:
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return _read_on_disk(path, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=128)
def _read_on_disk(path: str, changed: int, size: int) -> Reading | None:
    if size > LARGEST:
        return None
    try:
        with open(path, "rb") as file:
            return read_text(Text(decode(file.read(4 * LARGEST), path)), path)
    except (OSError, SpecError):
        return None


@dataclass
class Desk:
    """All available texts. ``open`` are those of the editor, by path; ``folders`` those that it shows."""

    open: dict[str, Text] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)
    graphs: dict[tuple[str, str], Graph] = field(default_factory=dict)
    _readings: dict[str, Reading] = field(default_factory=dict)
    _known: dict[object, Any] = field(default_factory=dict)
    _families: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _tried: set[Path] = field(default_factory=set)
    _since: float = 0.0

    def put(self, path: str, text: Text | None) -> None:
        """Open or change a text; None closes it, and the file on disk counts."""
        self._known.clear()
        if text is None or path not in self.open:
            self._families.clear()
        if text is None:
            self.open.pop(path, None)
            self._readings.pop(path, None)
        else:
            self.open[path] = text

    def companion(self) -> Desk:
        """Another desk with the same folders, readings and graphs, for texts as they were a moment ago."""
        return Desk({}, self.folders, self.graphs, self._readings)

    def open_project(self, folder: Path) -> bool:
        """Open the project that contains a folder, once; whether there is a new one. Raises TrucoError for one that
        cannot be opened.
        """
        found = around(folder)
        if found is None or found in self._tried:
            return False
        self._tried.add(found)
        Project.open(found)
        self._known.clear()
        self._families.clear()
        return True

    def _keep(self, key: object, find: Callable[[], Found]) -> Found:
        """Return a memoised result; it is computed again after any change here, and in any case after a while."""
        if monotonic() - self._since > SHORT_WHILE:
            self._known.clear()
            self._since = monotonic()
        if key not in self._known:
            self._known[key] = find()
        found: Found = self._known[key]
        return found

    def reading(self, path: str) -> Reading | None:
        """Return the readable parts of a text, open or on disk; None if there is no such file, or if it
        is too large.
        """
        text = self.open.get(path)
        if text is None:
            return self._keep(("disk", path), lambda: _on_disk(path))
        known = self._readings.get(path)
        if known is None or known.text is not text:
            try:
                known = self._readings[path] = read_text(text, path)
            except SpecError:
                self._readings.pop(path, None)
                return None
        return known

    def text(self, path: str) -> Text | None:
        """The text at this path, open or on disk."""
        if path in self.open:
            return self.open[path]
        found = self.reading(path)
        return found.text if found else None

    def plain(self, path: str) -> Text | None:
        """Any text, of whatever language, open or on disk; None if there is none, or if it is too large."""
        if path in self.open:
            return self.open[path]
        try:
            with open(path, "rb") as file:
                raw = file.read(LARGEST_PLAIN + 1)
        except (OSError, ValueError):
            return None
        return Text(raw.decode("utf-8", "replace")) if len(raw) <= LARGEST_PLAIN else None

    # ---- which texts belong together ---------------------------------------------------------

    def texts_for(self, path: str) -> list[Reading]:
        """The text at this path, and those of shipped rules that it is read with instead of the shipped files."""
        return self._keep(("texts", path), lambda: self._texts_for(path))

    def _texts_for(self, path: str) -> list[Reading]:
        names = self.registered()
        found: dict[str, Reading | None] = {}
        for each in (path, *(other for other in self.open if other != path and other in names)):
            found[each] = self.reading(each)
            for beside in texts_of(names[each]) if each in names else ():
                found.setdefault(str(beside), self.reading(str(beside)))
        return [reading for reading in found.values() if reading is not None]

    def registered(self) -> dict[str, str]:
        """The files of the rules that are known by name, each with the name of its variant."""
        return self._keep("names", registered)

    def blocks(self, name: str, path: str) -> tuple[t.VariantText, ...]:
        """The blocks of a variant as seen from a file, from the root down; fewer if one of them is not to be found."""
        return self._keep(("blocks", name, path), lambda: self._blocks(name, path))

    def _blocks(self, name: str, path: str) -> tuple[t.VariantText, ...]:
        texts = [reading.file for reading in self.texts_for(path)]
        try:
            return blocks_of(name, texts)
        except SpecError:
            return tuple(block for text in texts[:1] for block in text.variants if block.name == name)

    def variant(self, name: str, path: str) -> Variant:
        """A variant as seen from a file, linked. Raises SpecError."""
        chain = link(blocks_of(name, [reading.file for reading in self.texts_for(path)]))
        return Variant(name, chain, folders_of(Path(path).parent))

    def statements(self, block: str, path: str) -> dict[str, t.Statement]:
        """Return the declarations in a block and in all that it extends, by name; for a base also in a
        variant of it.
        """
        return self._keep(("statements", block, path), lambda: self._statements(block, path))

    def _statements(self, block: str, path: str) -> dict[str, t.Statement]:
        names = dict.fromkeys([block, *self.playable(block, path)[:1]])
        found: dict[str, t.Statement] = {}
        for name in reversed(names):
            for each in self.blocks(name, path):
                for item in each.items:
                    if item.kind not in ("set", "drop", "also", "seats"):
                        found[item.name] = item
        return found

    def graph(self, block: str, path: str) -> Graph | None:
        """The graph through which a block was linked last, or can be linked now; None if it cannot."""
        names = self.playable(block, path)
        for name in names:
            if (path, name) in self.graphs:
                return self.graphs[path, name]
        return self._keep(("graph", block, path), lambda: self._graph(names, path))

    def _graph(self, names: list[str], path: str) -> Graph | None:
        for name in names[:1]:
            try:
                self.keep_graph(path, name, self.variant(name, path).graph)
            except TrucoError:
                return None
            return self.graphs[path, name]
        return None

    def keep_graph(self, path: str, name: str, graph: Graph) -> None:
        """Keep the graph of a variant as seen from a file, among the last few."""
        self.graphs.pop((path, name), None)
        self.graphs[path, name] = graph
        while len(self.graphs) > MOST_GRAPHS:
            del self.graphs[next(iter(self.graphs))]

    def playable(self, name: str, path: str) -> list[str]:
        """The variants through which a block is linked: itself; for a base, the playable variants that extend it.

        These are looked for once: that a variant extends something else is noticed when a text is opened or closed.
        """
        if (name, path) not in self._families:
            self._families[name, path] = list(self._playable(name, path))
        return self._families[name, path]

    def _playable(self, name: str, path: str) -> Iterator[str]:
        names = known_variants()
        if name not in self.registered().values() or name in names:
            yield name
            return
        for other in names:
            if any(block.name == name for block in self.blocks(other, path)[:-1]):
                yield other

    def rules_files(self) -> list[str]:
        """The paths of all texts of rules: open ones, those of the editor's folders, and the shipped ones."""
        return list(dict.fromkeys([*self.in_folders(".truco"), *self.registered()]))

    def in_folders(self, *endings: str) -> list[str]:
        """The paths of all files with these endings that are open or lie below the editor's folders."""
        below = self._keep(("below", endings), lambda: [p for f in self.folders for p in _below(str(f), endings)])
        return list(dict.fromkeys([*(path for path in self.open if path.endswith(endings)), *below]))


def registered() -> dict[str, str]:
    """The files of the rules that are known by name, each with the name of its variant."""
    return {str(path): name for name in known_texts() for path in texts_of(name)}


def known_variants() -> list[str]:
    """The variants that are found by name: the shipped ones, and those of open projects."""
    return [name for project in projects() for name in project.variants]


def _below(folder: str, endings: tuple[str, ...]) -> list[str]:
    """The files with these endings below a folder; of a very large one, those that are found first."""
    found: list[str] = []
    depth = folder.count(os.sep)
    for number, (here, folders, files) in enumerate(os.walk(folder)):
        inner = [name for name in sorted(folders) if not name.startswith(".") and name not in _UNREAD]
        folders[:] = inner if here.count(os.sep) - depth < _DEEPEST else []
        found += [str(Path(here) / name) for name in sorted(files) if name.endswith(endings)]
        if len(found) >= MOST_FILES or number >= MOST_FOLDERS:
            break
    return found[:MOST_FILES]
