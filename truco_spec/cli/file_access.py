"""File access for verbs: bounded reads, errors with a name, atomic writes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.base.errors import TrucoError, located, reason_of
from truco_spec.base.paths import bytes_from, led_to, to_a_reader
from truco_spec.base.words import Sentence

if TYPE_CHECKING:
    from truco_spec.base.document import Document
    from truco_spec.language.diagnostics import Diagnostic


STREAM = "-"
"""The standard input, or the standard output."""
LARGEST = 5_000_000
"""The largest text that is read, in bytes."""
_LONGEST_NAME = 100
"""Characters of a file's name used in the name of its temporary file."""


class FileError(TrucoError):
    """A file cannot be read or written, or is not text. The message begins with its name."""


def read_text(path: str, largest: int = LARGEST) -> str:
    """The text of a file, or of the standard input for ``-``. Raises :class:`FileError`."""
    name = shown(path)
    try:
        raw = sys.stdin.buffer.read(largest + 1) if path == STREAM else bytes_from(path, largest + 1)
    except (OSError, ValueError) as error:
        raise FileError(located(name, Sentence("This file cannot be read: {why}.", why=reason_of(error)))) from None
    if len(raw) > largest:
        form = "The text is longer than {count} bytes; split it into several files."
        raise FileError(located(name, Sentence(form, count=largest)))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        wrong = Sentence("This is not UTF-8 text; save the file as UTF-8.")
        raise FileError(located(f"{name}:{line}:{column}", wrong)) from None
    return text.removeprefix("\N{BYTE ORDER MARK}")


def shown(path: str) -> str:
    """The name of the file in messages."""
    return "<stdin>" if path == STREAM else path


def must_be_writable(path: str | None) -> None:
    """Check that the file can be written later, changing nothing; the standard output always can (None, ``-``). Raises
    :class:`FileError`.
    """
    if path is None or path == STREAM:
        return
    try:
        target = _written_to(path)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if _is_ordinary(target):
            _try_beside(target)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def must_take_files(folder: Path) -> None:
    """Create the folder if needed, and check that files can be written there later. Raises :class:`FileError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try_beside(folder.resolve() / "file")
    except (OSError, ValueError) as error:
        wrong = Sentence("Files cannot be written to this folder: {why}.", why=reason_of(error))
        raise FileError(located(folder, wrong)) from None


@contextmanager
def all_or_nothing(folder: Path) -> Iterator[None]:
    """Remove what is new in the folder, and the folder if it was missing, when an error or an interrupt ends this."""
    missing = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    before = set() if missing else set(folder.iterdir())
    try:
        yield
    except BaseException:
        for path in missing[-1:] or set(folder.iterdir()) - before:
            _remove(path)
        raise


def _remove(path: Path) -> None:
    import shutil  # slow to import and seldom needed

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _written_to(path: str) -> Path:
    """Return the target of its links; a pipe or a device itself, which may have no name. Raises OSError for circular
    links.
    """
    if not _is_ordinary(Path(path)):
        return Path(path)
    target = led_to(path)
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _beside(target: Path) -> tuple[int, str]:
    """A new file in the same folder, open for writing, and its name."""
    import tempfile  # slow to import and seldom needed

    return tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:_LONGEST_NAME]}.")


def _try_beside(target: Path) -> None:
    """Make such a file, and take it away."""
    handle, temporary = _beside(target)
    os.close(handle)
    Path(temporary).unlink()


def put(made: str | bytes, output: str | None) -> None:
    """Write to the file ``output``; to the standard output where there is none, or ``-``."""
    if output is None or output == STREAM:
        click.echo(made, nl=False)
    else:
        write_file(output, made)


def print_json(data: object, indent: int | None = None) -> None:
    """Print data as JSON; letters of all languages stay as they are."""
    import json  # few verbs need it

    click.echo(json.dumps(data, ensure_ascii=False, indent=indent))


def written(document: Document, form: str, width: int = 110) -> str:
    """The document as ``text`` of that width, as ``md`` or as ``html``; only the last loads templates."""
    if form == "html":
        from truco_spec.pages.html import html_of

        return html_of(document)
    from truco_spec.base.document import markdown_of, text_of

    return markdown_of(document) if form == "md" else text_of(document, width)


def write_file(path: str, made: str | bytes) -> None:
    """Write to the file atomically; anything but an ordinary file (a pipe, a device) is written to directly. Raises
    :class:`FileError`.
    """
    temporary = ""
    try:
        target = _written_to(path)
        whole = made.encode() if isinstance(made, str) else made
        if not _is_ordinary(target):
            with open(target, "wb", opener=to_a_reader) as other:
                other.write(whole)
            return
        handle, temporary = _beside(target)
        with open(handle, "wb") as file:
            file.write(whole)
        if target.exists():
            Path(temporary).chmod(target.stat().st_mode & 0o7777)
        else:
            Path(temporary).chmod(0o666 & ~_umask())
        os.replace(temporary, target)  # noqa: PTH105 -- one step, or none
    except (OSError, ValueError) as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise cannot_write(path, error) from None


def _is_ordinary(target: Path) -> bool:
    """Whether it can be replaced by a rename: an unused name, or a file on a disk."""
    return target.is_file() or not target.exists()


def cannot_write(path: str | Path, error: OSError | ValueError) -> FileError:
    """The error of a file that cannot be written."""
    return FileError(located(path, Sentence("This file cannot be written: {why}.", why=reason_of(error))))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# ---- Diagnostics of specs, printed with their source lines ---------------------------------------


def told(found: Iterable[Diagnostic], at_hand: Mapping[str, str] | None = None) -> str:
    """The rendered diagnostics. ``at_hand`` are texts that are in no file."""
    from truco_spec.language.diagnostics import render

    listed = list(found)
    files = {span.file for d in listed for span in (d.span, *(place for _, place in d.notes))}
    texts = dict(at_hand or {})
    texts |= {file: _text(file) for file in sorted(files - set(texts)) if file and Path(file).is_file()}
    return "\n\n".join(render(d, texts) for d in listed)


def message_of(error: TrucoError) -> str:
    """The message of any declared error; for a spec error with its source lines."""
    from truco_spec.language.diagnostics import SpecError

    return told(error.diagnostics, error.sources) if isinstance(error, SpecError) else str(error)


def _text(file: str) -> str:
    """The text of a file, if it can be shown."""
    with open(file, "rb") as opened:
        return opened.read(LARGEST).decode("utf-8", errors="replace")
