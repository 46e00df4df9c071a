"""Linked graphs kept between runs, so that a variant that did not change is not linked again.

They are kept in the user's own cache folder (``$XDG_CACHE_HOME/truco-spec`` or ``~/.cache/truco-spec``), as Python
keeps compiled modules: in Python's pickle, for the same user and the same installation only. A name holds a digest of
everything that the graph depends on: the shipped texts, this package, the Python that runs it, the variant and its
options. A folder that cannot be written, or a file that cannot be read, is as good as none. ``TRUCO_SPEC_CACHE=off``
turns it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import pickle
import sys
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import CodeType

from truco_spec import shipped
from truco_spec.graph.model import Graph

CODE = ".code"
"""Behind the name of a graph: its compiled module."""

_KEPT = 600
"""So many files are kept; the oldest go first."""


def folder() -> Path | None:
    """Where graphs are kept, or None where they are not."""
    if os.environ.get("TRUCO_SPEC_CACHE", "").lower() == "off":
        return None
    root = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(root) if root else Path("~").expanduser() / ".cache"
    return home / "truco-spec" / "graphs" if home.is_absolute() else None


@lru_cache(maxsize=1)
def _installation() -> bytes:
    """A digest of what every graph depends on."""
    package = Path(__file__).resolve().parents[1]
    spec = shipped.folder("spec")
    files = [*spec.glob("base/*.truco"), *spec.glob("variants/*.truco"), shipped.folder("grammar") / "truco.lark"]
    digest = hashlib.sha256(repr((sys.version, sys.implementation.cache_tag)).encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for part in ("language", "graph", "graph/lower", "engine"):
        for path in sorted(package.joinpath(part).glob("*.py")):
            stat = path.stat()
            digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.digest()


def name_of(variant: str, options: Iterable[tuple[str, str]]) -> str:
    """The name under which a graph is kept."""
    return hashlib.sha256(_installation() + repr((variant, tuple(options))).encode()).hexdigest()


def fetch(name: str) -> Graph | None:
    """The graph kept under a name, or None."""
    text = _read(name)
    if text is None:
        return None
    try:
        found = pickle.loads(text)  # noqa: S301  (our own file, in the user's own folder)
    except Exception:  # noqa: BLE001  (whatever is wrong with a kept file: it is as good as none)
        return None
    return found if isinstance(found, Graph) else None


def keep(name: str, graph: Graph) -> None:
    """Keep a graph, if that can be done."""
    _write(name, pickle.dumps(graph, protocol=pickle.HIGHEST_PROTOCOL))


def fetch_code(name: str) -> CodeType | None:
    """The compiled module of the graph kept under a name, or None."""
    text = _read(name + CODE)
    if text is None:
        return None
    try:
        found = marshal.loads(text)  # noqa: S302  (as above)
    except (ValueError, EOFError, TypeError):
        return None
    return found if isinstance(found, CodeType) else None


def keep_code(name: str, code: CodeType) -> None:
    """Keep the compiled module of a graph, if that can be done."""
    _write(name + CODE, marshal.dumps(code))


def _read(name: str) -> bytes | None:
    """What is kept under a name, if it is this user's own."""
    place = folder()
    if place is None:
        return None
    try:
        with place.joinpath(name).open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                return None
            return file.read()
    except OSError:
        return None


def _write(name: str, text: bytes) -> None:
    """Keep a text whole or not at all."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text)
            Path(temporary).replace(place / name)
        except BaseException:
            Path(temporary).unlink()
            raise
        _clear(place)


def _clear(place: Path) -> None:
    names = os.listdir(place)  # noqa: PTH208  (counted far more often than sorted)
    if len(names) > _KEPT:
        kept = sorted((place / name for name in names), key=lambda path: path.stat().st_mtime)
        for path in kept[: -_KEPT // 2]:
            path.unlink(missing_ok=True)
