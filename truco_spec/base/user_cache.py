"""The user's cache: records kept under a name between runs, written atomically.

The folder is ``$XDG_CACHE_HOME/truco-spec`` or ``~/.cache/truco-spec``. Entries are for the same user and the same
installation only, as Python keeps compiled modules; a name holds a digest of all inputs. ``TRUCO_SPEC_CACHE=off`` turns
it off.

Nothing in it is trusted. Only the owner can access the folders, no link is followed and only ordinary files are read.
Each file begins with a keyed checksum of its name and content, which is verified first; the key lies beside the files,
readable by the owner only. The content is plain: text, or records whose unpickling is restricted to data classes of
this package, so that no other class or function is ever looked up. Any invalid folder, file or key counts as missing
and is recreated.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from truco_spec.base import paths, shipped

T = TypeVar("T")

LARGEST = 64 * 1024**2
"""The largest file that is read, in bytes."""
MOST_KEPT = 2000
"""The most results in one file."""
_KEY, _KEY_SIZE, _SUM_SIZE = "key", 32, 32
_POSSIBLE = os.open in os.supports_dir_fd and all(hasattr(os, name) for name in ("O_NOFOLLOW", "geteuid"))


class NotKept(OSError):
    """The cached content cannot be used."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """One folder of cached files. Beyond ``most`` files, the oldest are evicted."""

    name: str
    most: int

    def take(self, name: str) -> object:
        """Return the records kept under a name, or None."""
        content = self.read(name)
        return None if content is None else unpacked(content)

    def put(self, name: str, records: object) -> None:
        """Store records; a failure is ignored."""
        self.write(name, packed(records))

    def read(self, name: str) -> bytes | None:
        """Return the bytes kept under a name, or None."""
        with contextlib.suppress(OSError), _opened(self.name, make=False) as (root, folder):
            found, key = _read(folder, name), _read(root, _KEY, private=True)
            content = found[_SUM_SIZE:]
            if len(key) == _KEY_SIZE and hmac.compare_digest(found[:_SUM_SIZE], self._sum(key, name, content)):
                return content
        return None

    def write(self, name: str, content: bytes) -> None:
        """Store bytes atomically."""
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
    """A restricted unpickler: data classes of this package, made of plain values, words and each other."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class of a record from a module already imported. Raises UnpicklingError for anything else."""
        found = getattr(sys.modules.get(module), name, None) if module.startswith("truco_spec.") else None
        if isinstance(found, type) and (is_dataclass(found) or issubclass(found, str)):
            return found
        raise pickle.UnpicklingError(f"no record: {module}.{name}")


def packed(records: object) -> bytes:
    """Return the bytes under which records are kept."""
    return pickle.dumps(records, pickle.HIGHEST_PROTOCOL)


def unpacked(content: bytes) -> object:
    """Return the records of these bytes, from the cache; None if they are none."""
    try:
        return Records(io.BytesIO(content)).load()
    except Exception:  # noqa: BLE001  (an earlier version of this program may have kept other records)
        return None


class KeptResults(Generic[T]):
    """Results by name, of this run or an earlier one; they depend on the folders ``parts`` of this package, and on what
    is ``told``. Only those asked for are unpacked.
    """

    def __init__(self, shelf: Shelf, parts: tuple[str, ...], told: str) -> None:
        self.shelf, self.now = shelf, dict[str, T]()
        self.name = hashlib.sha256(installation(parts) + told.encode()).hexdigest()
        self.before = self._kept()

    def taken(self, name: str, make: Callable[[], T]) -> T:
        """Return the result of a name, made if it is unknown."""
        if name not in self.now:
            known: Any = unpacked(self.before[name]) if name in self.before else None
            self.now[name] = make() if known is None else known
        return self.now[name]

    def keep(self) -> None:
        """Cache the results, if some are new: at most :data:`MOST_KEPT`, those requested by this run first."""
        if not self.now.keys() <= self.before.keys():
            found = {name: self.before.get(name) or packed(result) for name, result in self.now.items()}
            self.shelf.put(self.name, dict(islice({**found, **self._kept()}.items(), MOST_KEPT)))

    def _kept(self) -> dict[str, bytes]:
        kept = self.shelf.take(self.name)
        return kept if isinstance(kept, dict) else {}


def folder() -> Path | None:
    """Return the root folder of the cache, or None if caching is off."""
    if not _POSSIBLE or os.environ.get("TRUCO_SPEC_CACHE", "").lower() == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111  (it never fails)
    return Path(home, "truco-spec") if os.path.isabs(home) else None  # noqa: PTH117


@contextlib.contextmanager
def _opened(shelf: str, *, make: bool) -> Iterator[tuple[int, int]]:
    """Open the root folder and the folder of a shelf in it. Raises OSError."""
    place = folder()
    if place is None:
        raise NotKept
    if make:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _folder(str(place), None, make=make) as root, _folder(shelf, root, make=make) as inner:
        yield root, inner


@contextlib.contextmanager
def _folder(name: str, within: int | None, *, make: bool) -> Iterator[int]:
    """Open a folder that belongs to this user and that nobody else can write to. Raises OSError."""
    if make:
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=within)
    handle = os.open(name, paths.FOLDER, dir_fd=within)
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid():
            raise NotKept
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):  # revoke access from now on; its content is not trusted
            os.fchmod(handle, 0o700)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(_KEY, dir_fd=handle)
        yield handle
    finally:
        os.close(handle)


def _read(folder: int, name: str, *, private: bool = False) -> bytes:
    """Return the bytes of an ordinary file that belongs to this user. Raises OSError."""
    content, found = paths.read(folder, name, LARGEST)
    if found.st_uid != os.geteuid() or (private and (found.st_mode & 0o077 or found.st_nlink != 1)):
        raise NotKept
    return content


def _key(root: int) -> bytes:
    """Return the checksum key, creating one if none is usable. Raises OSError."""
    with contextlib.suppress(OSError):
        key = _read(root, _KEY, private=True)
        if len(key) == _KEY_SIZE:
            return key
    paths.replace(root, _KEY, os.urandom(_KEY_SIZE))
    return _read(root, _KEY, private=True)  # another process may have created one meanwhile


@lru_cache(maxsize=8)
def installation(parts: tuple[str, ...]) -> bytes:
    """Return a digest of all that cached records depend on: this Python, the shipped specs and grammar, and the folders
    ``parts`` of this package.
    """
    package = Path(__file__).resolve().parents[1]
    spec = shipped.folder("spec")
    files = [*spec.glob("*/*.truco"), shipped.folder("grammar") / "truco.lark"]
    digest = hashlib.sha256(repr((sys.version, sys.implementation.cache_tag)).encode())
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for part in parts:
        for path in sorted(package.joinpath(part).rglob("*.py")):
            told = path.stat()
            digest.update(f"{path.name} {told.st_size} {told.st_mtime_ns}\n".encode())
    return digest.digest()
