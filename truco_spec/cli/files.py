"""What every verb that reads or writes files needs: texts with limits, errors with a name, writing all or nothing."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from truco_spec.errors import TrucoError

STDIN = "-"
LARGEST = 5_000_000
"""Bytes of the longest text that is read."""


class FileError(TrucoError):
    """A file cannot be read or written, or is not text. The message begins with its name."""


def read_text(path: str) -> str:
    """The text of a file, or of the standard input for ``-``. Raises :class:`FileError`."""
    name = shown(path)
    try:
        if path == STDIN:
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"{name}: error: This file cannot be read: {reason}.") from None
    if len(raw) > LARGEST:
        raise FileError(f"{name}: error: The text is longer than {LARGEST} bytes; split it into several files.")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        raise FileError(f"{name}:{line}:{column}: error: This is not UTF-8 text; save the file as UTF-8.") from None
    return text.removeprefix("\N{BYTE ORDER MARK}")


def shown(path: str) -> str:
    """How messages name the file."""
    return "<stdin>" if path == STDIN else path


def write_text(path: str, text: str) -> None:
    """Put ``text`` in the place of the file: all of it, or nothing. Raises :class:`FileError`."""
    target = Path(path).resolve()
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with open(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        if target.exists():
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
        else:
            Path(temporary).chmod(0o666 & ~_umask())
        os.replace(temporary, target)  # noqa: PTH105 -- one step, or none
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise FileError(f"{path}: error: This file cannot be written: {error.strerror or error}.") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
