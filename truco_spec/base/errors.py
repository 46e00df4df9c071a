"""The base class of all declared errors, which the command line turns into one message and an exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from truco_spec.base.words import Sentence


def located(place: object, message: str) -> Sentence:
    """The message of an error at a place: a file, a folder, a variant."""
    from truco_spec.base.words import Sentence  # help and versions need none of it

    return Sentence("{place}: error: {message}", place=str(place), message=message)


def reason_of(error: OSError | ValueError) -> Sentence:
    """Return the system's message of an error, without the path."""
    from truco_spec.base.words import Sentence

    return Sentence(getattr(error, "strerror", None) or str(error))


class TrucoError(Exception):
    """User input that cannot be used.

    ``str()`` is the whole message, in the language that is spoken: what is wrong, where, why, and what to do. Each
    part of the package derives its own errors from this class. ``exit_status`` is that of a command: 2, bad input.
    """

    exit_status = 2

    def __str__(self) -> str:
        from truco_spec.base.words import Sentence, translated

        said = self.args[0] if self.args else ""
        return translated(said) if isinstance(said, Sentence) else super().__str__()

    def __reduce__(self) -> tuple[Callable[..., TrucoError], tuple[object, ...], dict[str, object]]:
        # Whatever its constructor takes: a worker process hands it over.
        return Exception.__new__, (type(self), *self.args), self.__dict__


def why_no_file(name: str) -> Sentence | None:
    """Return why there is no file of this name; None if there is one."""
    from pathlib import Path

    from truco_spec.base.words import Sentence

    path = Path(name)
    if path.is_dir():
        return Sentence("This is a folder; name a file in it.")
    if path.is_file():
        return None
    if path.exists():
        return Sentence("This is no ordinary file; write the text to one, and name that.")
    return Sentence("There is no such file.")
