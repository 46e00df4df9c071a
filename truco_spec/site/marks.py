"""What a page rests on as one digest: of the files as they are, wherever they lie, and of this program."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from truco_spec import shipped

LIBRARIES = ("babel", "jinja2", "markdown-it-py", "markupsafe", "pyyaml")
"""What has a hand in the text of a page."""

_DATA = ("grammar", "spec", "conformance", "docs")
"""Folders that lie within the package where it is installed: a page rests on parts of them only."""


class Marks:
    """The digests; each file is read once."""

    def __init__(self) -> None:
        self._known: dict[Path, bytes] = {}

    def of(self, rests: Iterable[Path | str]) -> str:
        """The mark of a page that rests on these files, folders and texts."""
        digest = hashlib.sha256(self.program)
        for path in dict.fromkeys(rests):
            digest.update(self._of(path) if isinstance(path, Path) else hashlib.sha256(path.encode()).digest())
        return digest.hexdigest()

    @cached_property
    def program(self) -> bytes:
        """The package without its data, the grammar, the libraries, and the Python that runs them."""
        package = Path(__file__).resolve().parents[1]
        inside = {package / "data" / name for name in _DATA}
        digest = hashlib.sha256(repr((sys.version, [version(name) for name in LIBRARIES])).encode())
        for path in _files(package):
            if path.suffix != ".pyc" and inside.isdisjoint(path.parents):
                digest.update(_told(path, package))
        digest.update(self._of(shipped.folder("grammar")))
        return digest.digest()

    def _of(self, path: Path) -> bytes:
        if path not in self._known:
            digest = hashlib.sha256(path.name.encode() + b"\0")
            for file in _files(path) if path.is_dir() else [path]:
                digest.update(_told(file, path))
            self._known[path] = digest.digest()
        return self._known[path]


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _told(file: Path, root: Path) -> bytes:
    name = file.relative_to(root).as_posix().encode()
    return name + b"\0" + hashlib.sha256(file.read_bytes()).digest()
