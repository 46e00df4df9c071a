"""The user's own cache: records kept under a name between runs, whole or not at all.

The folder is ``$XDG_CACHE_HOME/truco-spec`` or ``~/.cache/truco-spec``. What is kept there is for the same user and the
same installation only, as Python keeps compiled modules; a name holds a digest of everything that its content depends
on. ``TRUCO_SPEC_CACHE=off`` turns it off.

Nothing in it is trusted. The folders are their owner's alone, no link is followed and nothing but an ordinary file is
read. Each file begins with a keyed checksum of its name and content, which is looked at before anything else; the key
lies beside them, and nobody else can read it. What is read are records of this package: no other class, and no
function, is ever looked up. Whatever is wrong with a folder, a file or the key, it is as good as none, and made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import io
import os
import pickle
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from truco_spec.base import paths, shipped

LARGEST = 64 * 1024**2
"""Bytes of the largest file that is read."""
_KEY, _KEY_SIZE, _SUM_SIZE = "key", 32, 32
_POSSIBLE = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")  # elsewhere nothing is kept


class NotKept(OSError):
    """What is there cannot be used."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """One folder of kept files. When there are more than ``most``, the oldest go first."""

    name: str
    most: int

    def take(self, name: str) -> object:
        """The records kept under a name, or None."""
        content = self.read(name)
        if content is None:
            return None
        try:
            return Records(io.BytesIO(content)).load()
        except Exception:  # noqa: BLE001  (an earlier version of this program may have kept other records)
            return None

    def put(self, name: str, records: object) -> None:
        """Keep records, if that can be done."""
        self.write(name, pickle.dumps(records, pickle.HIGHEST_PROTOCOL))

    def read(self, name: str) -> bytes | None:
        """The bytes kept under a name, or None."""
        with contextlib.suppress(OSError), _opened(self.name, make=False) as (root, folder):
            found, key = _read(folder, name), _read(root, _KEY, private=True)
            content = found[_SUM_SIZE:]
            if len(key) == _KEY_SIZE and hmac.compare_digest(found[:_SUM_SIZE], self._sum(key, name, content)):
                return content
        return None

    def write(self, name: str, content: bytes) -> None:
        """Keep bytes, whole or not at all."""
        with contextlib.suppress(OSError), _opened(self.name, make=True) as (root, folder):
            paths.replace(folder, name, self._sum(_key(root), name, content) + content)
            self._clear(folder)

    def _sum(self, key: bytes, name: str, content: bytes) -> bytes:
        return hmac.digest(key, f"{self.name}/{name}\0".encode() + content, "sha256")

    def _clear(self, folder: int) -> None:
        names = os.listdir(folder)
        if len(names) > self.most:
            ages = {name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime for name in names}
            for name in sorted(names, key=ages.__getitem__)[: -self.most // 2]:
                os.unlink(name, dir_fd=folder)


class Records(pickle.Unpickler):
    """Reads records: data classes of this package, of plain values, words and each other."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a record, in a module that is there already. Raises UnpicklingError for anything else."""
        found = getattr(sys.modules.get(module), name, None) if module.startswith("truco_spec.") else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, str)):
            return found
        raise pickle.UnpicklingError(f"no record: {module}.{name}")


def folder() -> Path | None:
    """Where everything is kept, or None where nothing is."""
    if not _POSSIBLE or os.environ.get("TRUCO_SPEC_CACHE", "").lower() == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111  (it never fails)
    return Path(home, "truco-spec") if os.path.isabs(home) else None  # noqa: PTH117


@contextlib.contextmanager
def _opened(shelf: str, *, make: bool) -> Iterator[tuple[int, int]]:
    """The folder of all, and that of a shelf in it, open. Raises OSError."""
    place = folder()
    if place is None:
        raise NotKept
    if make:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _folder(str(place), None, make=make) as root, _folder(shelf, root, make=make) as inner:
        yield root, inner


@contextlib.contextmanager
def _folder(name: str, within: int | None, *, make: bool) -> Iterator[int]:
    """A folder of this user's, open, which no other can write to. Raises OSError."""
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=within)
    handle = os.open(name, paths.FOLDER, dir_fd=within)
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid():
            raise NotKept
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):  # from now on no more; and nothing that is in it counts
            os.fchmod(handle, 0o700)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(_KEY, dir_fd=handle)
        yield handle
    finally:
        os.close(handle)


def _read(folder: int, name: str, *, private: bool = False) -> bytes:
    """The bytes of an ordinary file of this user's. Raises OSError."""
    content, found = paths.read(folder, name, LARGEST)
    if found.st_uid != os.geteuid() or (private and (found.st_mode & 0o077 or found.st_nlink != 1)):
        raise NotKept
    return content


def _key(root: int) -> bytes:
    """The key of the checksums; a new one where there is none that can be used. Raises OSError."""
    with contextlib.suppress(OSError):
        key = _read(root, _KEY, private=True)
        if len(key) == _KEY_SIZE:
            return key
    paths.replace(root, _KEY, os.urandom(_KEY_SIZE))
    return _read(root, _KEY, private=True)  # another process may have made one meanwhile


@lru_cache(maxsize=8)
def installation(parts: tuple[str, ...]) -> bytes:
    """A digest of what all that is kept depends on: this Python, the shipped specs and grammar, and the folders
    ``parts`` of this package.
    """
    package = Path(__file__).resolve().parents[1]
    spec = shipped.folder("spec")
    files = [*spec.glob("base/*.truco"), *spec.glob("variants/*.truco"), shipped.folder("grammar") / "truco.lark"]
    digest = hashlib.sha256(repr((sys.version, sys.implementation.cache_tag)).encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for part in parts:
        for path in sorted(package.joinpath(part).rglob("*.py")):
            told = path.stat()
            digest.update(f"{path.name} {told.st_size} {told.st_mtime_ns}\n".encode())
    return digest.digest()
