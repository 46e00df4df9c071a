"""A folder that is never left: symbolic links are not followed, and only ordinary files are touched.

Every file is reached from the open folder, component by component, so a concurrent swap of a path component has no
effect. Files are written to a temporary name and renamed atomically. What a user names to be read or written may be
anything (:func:`bytes_from`, :func:`to_a_reader`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from truco_spec.base.errors import TrucoError, located, reason_of
from truco_spec.base.words import Sentence

UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | UNFOLLOWED
PATIENCE = 5.0
"""Seconds in which somebody has to begin to write to a pipe that is read, or to read from one that is written."""


class InsideError(TrucoError):
    """An entry of the folder is no ordinary file or folder, or cannot be read or written. The message names it."""


def bytes_from(path: Path | str, most: int) -> bytes:
    """Return the first ``most`` bytes of whatever the path names: a file, a device, or a pipe, also ``/dev/stdin`` and
    ``<(…)`` of a shell.

    Raises OSError, also for a pipe that has no writer and nothing in it. A slow writer is waited for.
    """
    with open(path, "rb", opener=_at_once) as file:
        kind, begun = os.fstat(file.fileno()).st_mode, b""
        if stat.S_ISFIFO(kind):
            begun = _begun(file.fileno())
        if not stat.S_ISREG(kind):
            os.set_blocking(file.fileno(), True)
        return begun + file.read(most - len(begun))


def _begun(pipe: int) -> bytes:
    """Return the first byte of an open pipe, if it is there; nothing if somebody is to write it."""
    select.select([pipe], [], [], PATIENCE)
    try:
        begun = os.read(pipe, 1)
    except BlockingIOError:  # it has a writer
        return b""
    if not begun:
        raise OSError(errno.ENXIO, Sentence("Nobody writes to this pipe; write the text to a file, and name that"))
    return begun


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting for whoever is at the other end of it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def to_a_reader(path: str, flags: int) -> int:
    """Open a file to be written: the ``opener`` for :func:`open`. Raises OSError, also for a pipe that nobody reads."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            handle = _at_once(path, flags)
        except OSError as error:
            if error.errno != errno.ENXIO or not Path(path).is_fifo():
                raise
            if time.monotonic() > until:
                raise OSError(errno.ENXIO, Sentence("Nobody reads this pipe; name a file")) from None
            time.sleep(0.05)
        else:
            os.set_blocking(handle, True)
            return handle


def read(folder: int, name: str, largest: int) -> tuple[bytes, os.stat_result]:
    """Return the bytes of an ordinary file in an open folder, and its ``stat``. Raises OSError."""
    handle = os.open(name, os.O_RDONLY | UNFOLLOWED, dir_fd=folder)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "It is no ordinary file")
        if found.st_size > largest:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return os.read(handle, found.st_size), found
    finally:
        os.close(handle)


def replace(folder: int, name: str, content: bytes, mode: int = 0o600) -> None:
    """Atomically replace the file of that name in an open folder. Raises OSError."""
    temporary = f".{os.urandom(8).hex()}"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | UNFOLLOWED, mode, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(temporary, dir_fd=folder)
        raise


def led_to(path: str | Path) -> Path:
    """Return the target of a path's links, as :meth:`pathlib.Path.resolve`, which raises for circular links; this does
    not.
    """
    return Path(os.path.realpath(path))


def ordinary_files(folder: Path, pattern: str) -> list[Path]:
    """The ordinary files of a folder that fit the pattern, in order: no pipe is waited for, no device read.

    A missing folder has none. Raises :class:`InsideError` for a folder that cannot be read: nobody is to take it for an
    empty one.
    """
    for here, inner, _ in os.walk(folder, onerror=_unreadable):
        if "**" not in pattern and len(Path(here).relative_to(folder).parts) == pattern.count("/"):
            inner.clear()
    return sorted(path for path in folder.glob(pattern) if path.is_file())


def _unreadable(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        wrong = Sentence("This folder cannot be used: {why}.", why=reason_of(error))
        raise InsideError(located(error.filename, wrong)) from None


def can_be_inside(path: str) -> bool:
    """Return whether a path stays inside a folder."""
    try:
        raw = path.encode()
    except UnicodeEncodeError:
        return False
    return 0 < len(raw) < 1000 and b"\0" not in raw and not {"", ".", ".."} & set(path.split("/"))


@dataclass(frozen=True, slots=True)
class Inside:
    """A folder of files for others to read. Paths are relative, with “/”; each has passed :func:`can_be_inside`."""

    folder: Path
    largest: int = 50_000_000

    def read(self, path: str) -> bytes | None:
        """Return the bytes of a file, or None if there is none. Raises :class:`InsideError`."""
        try:
            with self._around(path, make=False) as (folder, name):
                return read(folder, name, self.largest)[0]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._error(path, error) from None

    def put(self, path: str, content: bytes) -> None:
        """Write a file atomically. An existing ordinary file is replaced. Raises :class:`InsideError`."""
        try:
            with self._around(path, make=True) as (folder, name):
                _must_be_ordinary(folder, name)
                replace(folder, name, content, 0o666)
        except OSError as error:
            raise self._error(path, error) from None

    def remove(self, path: str) -> None:
        """Remove a file, and the folders that become empty. Whatever cannot be removed stays."""
        with contextlib.suppress(OSError):
            with self._around(path, make=False) as (folder, name):
                os.unlink(name, dir_fd=folder)
            for parent in Path(path).parents[:-1]:
                with self._around(parent.as_posix(), make=False) as (folder, name):
                    os.rmdir(name, dir_fd=folder)

    @contextlib.contextmanager
    def _around(self, path: str, *, make: bool) -> Iterator[tuple[int, str]]:
        """Open the folder of a file; return it with the name of the file. Raises OSError."""
        *parents, name = path.split("/")
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for parent in parents:
                if make:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(parent, dir_fd=handle)
                inner = os.open(parent, FOLDER, dir_fd=handle)
                os.close(handle)
                handle = inner
            yield handle, name
        finally:
            os.close(handle)

    def _error(self, path: str, error: OSError) -> InsideError:
        linked = error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EINVAL, errno.ENXIO, errno.EISDIR)
        form = "This is a link, or no ordinary file or folder; take it away."
        wrong = Sentence(form) if linked else Sentence("{why}.", why=reason_of(error))
        return InsideError(located(self.folder / path, wrong))


def _must_be_ordinary(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.EINVAL, "It is no ordinary file")
