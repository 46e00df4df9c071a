"""The command line's own texts, in the language of the locale: help, mistakes in arguments, progress; and ``--lang``,
the language of a verb's output.

These sentences, those of click among them, are translated by gettext with the catalog ``commands``
(``spec/locales/LANGUAGE/commands.po``, compiled into ``LC_MESSAGES/commands.mo``). What a verb prints is translated by
:func:`truco_spec.base.words.say`, in the language of ``--lang``.
"""

from __future__ import annotations

import copy
import gettext
import inspect
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from gettext import gettext as _
from itertools import pairwise, takewhile
from types import TracebackType
from typing import TYPE_CHECKING, TextIO, TypeVar

import click
from click.core import ParameterSource

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import behind, printable
from truco_spec.base.shipped import ENGLISH, LANGUAGES, folder

if TYPE_CHECKING:
    from truco_spec.base.words import Spoken

DOMAIN = "commands"
LANGUAGE = f"{__name__}.language"
"""The key of the requested language (``--lang``) in the context of click."""
_LANGUAGE = "LANGUAGE"
"""The first variable in which gettext looks for the language."""
_LOCALE = ("TRUCO_SPEC_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
_KEPT = "\b\n"
"""Begins a paragraph whose lines are kept (click): a heading, and examples below it."""
_PLACEHOLDER = re.compile(r"[A-Z]{2,}")

C = TypeVar("C", bound=click.Command)
P = TypeVar("P", bound=click.Parameter)


def locale_language() -> str:
    """The language of the locale; English if it is none of ours."""
    named = next(filter(None, map(os.environ.get, _LOCALE)), "").replace("-", "_").partition("_")[0]
    return named if named in LANGUAGES else ENGLISH


def language_of_help(arguments: Sequence[str]) -> str:
    """The language in which help is asked for: that of a ``--lang`` beside it, or of the locale."""
    before = list(takewhile("--".__ne__, arguments))
    words = [part for word in before for part in (word.split("=") if word.startswith("--lang=") else [word])]
    helped = not {"-h", "--help"}.isdisjoint(words)
    asked = (value for word, value in pairwise(words) if helped and word == "--lang" and value in LANGUAGES)
    return next(asked, locale_language())


def spoken_now(language: str) -> Spoken:
    """A language to speak; no catalog is looked for in English."""
    from truco_spec.base.words import Spoken  # help needs none

    if language == ENGLISH:
        return Spoken()
    from truco_spec.books.book_words import spoken_in  # slow to import

    return spoken_in(language)


def spoken_of_errors(asked: Mapping[str, str]) -> Spoken:
    """Return the language of errors: the requested one in the context of click, or that of the locale; English, if the
    error is that its catalogs cannot be read.
    """
    try:
        return spoken_now(asked.get(LANGUAGE) or locale_language())
    except TrucoError:
        return spoken_now(ENGLISH)


def is_translated() -> bool:
    """Whether messages are in another language than English now."""
    return gettext.textdomain() == DOMAIN


@contextmanager
def telling(language: str) -> Iterator[None]:
    """Tell messages in this language for a while. In English no catalog is looked for."""
    if language == ENGLISH:
        yield
        return
    before, chosen = gettext.textdomain(), os.environ.get(_LANGUAGE)
    gettext.bindtextdomain(DOMAIN, str(folder("spec") / "locales"))
    gettext.textdomain(DOMAIN)
    os.environ[_LANGUAGE] = language
    try:
        yield
    finally:
        gettext.textdomain(before)
        if chosen is None:
            del os.environ[_LANGUAGE]
        else:
            os.environ[_LANGUAGE] = chosen


def counted(count: int) -> str:
    """A number in the language of messages."""
    from truco_spec.base.words import number

    return number(count, language=os.environ[_LANGUAGE] if is_translated() else ENGLISH)


# ---- Help ----------------------------------------------------------------------------------------


def with_help(command: C, ctx: click.Context, tell: Callable[[str], str]) -> C:
    """The command with ``tell`` applied to each sentence of its help, and to each word of its placeholders."""
    told = copy.copy(command)
    told._help_option = None  # noqa: SLF001 -- click keeps it in the language in which it was first shown
    told.help = _paragraphs(command.help, tell)
    told.epilog = _paragraphs(command.epilog, tell)
    told.options_metavar = _placeholders(command.options_metavar or "", tell)
    if isinstance(told, click.Group):
        told.subcommand_metavar = _placeholders(told.subcommand_metavar, tell)
    told.params = [_retold(parameter, ctx, tell) for parameter in command.params]
    return told


def _retold(parameter: P, ctx: click.Context, tell: Callable[[str], str]) -> P:
    told = copy.copy(parameter)
    if isinstance(told, click.Option):
        told.help = _paragraphs(told.help, tell)
        if told.is_flag:
            return told
    told.metavar = _placeholders(parameter.make_metavar(ctx), tell)
    return told


def _paragraphs(text: str | None, tell: Callable[[str], str]) -> str | None:
    return "\n\n".join(_paragraph(each, tell) for each in inspect.cleandoc(text).split("\n\n")) if text else text


def _paragraph(text: str, tell: Callable[[str], str]) -> str:
    if text.startswith(_KEPT):
        heading, *lines = text.removeprefix(_KEPT).split("\n")
        return _KEPT + "\n".join((tell(heading), *lines))
    return tell(" ".join(text.split()))


def _placeholders(text: str, tell: Callable[[str], str]) -> str:
    return _PLACEHOLDER.sub(lambda found: tell(found[0]), text)


# ---- The language of a verb: ``--lang`` ------------------------------------------------------------


def by_locale(ctx: click.Context) -> str:
    """The language of the locale if the output is text for a terminal; else English, so that files, pipes and data are
    the same everywhere.
    """
    params = ctx.params
    told = params.get("form") in (None, "text") and params.get("output") in (None, "-")
    told = told and not params.get("as_json") and not params.get("reports")
    return locale_language() if told and sys.stdout.isatty() else ENGLISH


def _spoken(ctx: click.Context, parameter: click.Parameter, given: str | None) -> Spoken:
    if given:
        ctx.meta[LANGUAGE] = given
    return spoken_now(given or by_locale(ctx))


def asked_language(ctx: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    """The callback of a ``--lang`` for output: messages and errors are in it, too, if it was typed."""
    if given and ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE:
        ctx.meta[LANGUAGE] = given
        ctx.with_resource(telling(given))
    return given


def _speak(ctx: click.Context, parameter: click.Parameter, given: str | None) -> None:
    from truco_spec.base.words import speaking  # help and versions need none of it

    ctx.with_resource(speaking(_spoken(ctx, parameter, given)))


_language = partial(
    click.option, "--lang", "language", type=click.Choice(LANGUAGES), envvar="TRUCO_SPEC_LANG",
    help="The language. Default: text in a terminal is in that of the locale, all else in English.",
)  # fmt: skip
language_option = _language(expose_value=False, callback=_speak)
"""The verb's output is in this language (:mod:`truco_spec.base.words`)."""
spoken_option = _language(callback=_spoken)
"""The verb gets the language of its results as an argument; its messages on the way are in English."""


# ---- Progress: a line on the terminal; where the error stream is none, a line now and then ----------

_CLEAR = "\r\x1b[K"
_BAR = 30
_WAIT, _AGAIN, _SURE = 1.0, 0.1, 2.0
_SELDOM = 30.0
"""Seconds between two lines in a file."""


class Progress:
    """A bar with a counter: ``with Progress("variants", 12) as progress: … progress.step("name")``.

    Where nobody looks it is a line every half minute. Steps that take long are named as they begin (:meth:`step`). Of
    many short ones the number done is set (:meth:`at`): it is shown after a second, and the time left is estimated
    after two. ``clock`` is in seconds.
    """

    def __init__(
        self,
        what: str,
        total: int,
        *,
        quiet: bool = False,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.what, self.total, self.done = what, total, 0
        self.name = ""
        self.stream: TextIO = behind(stream or sys.stderr)
        self.shown = not quiet and self.stream.isatty()
        self.logged = not quiet and not self.shown
        self.clock = clock
        self.began = clock()
        self.next = self.began + (_SELDOM if self.logged else _WAIT)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def step(self, name: str) -> None:
        """Begin the next step."""
        self.done += 1
        self.name = name
        self.tell("")

    def within(self, what: str, done: int, of: int) -> None:
        """Begin a step whose number and total are known only now."""
        self.done, self.total = done - 1, of
        self.step(_(what))

    def tell(self, what: str) -> None:
        """Show the current activity within the step."""
        self._show(f"{self.name} {what}", self.done - 1)

    def at(self, done: int, what: str) -> None:
        """Set how many steps are done; ``what`` is the current activity."""
        self.done = min(done, self.total)
        if self.shown and (now := self.clock()) >= self.next:
            self.next = now + _AGAIN
            self._show(what + self._left(now - self.began), self.done)
        elif self.logged:
            self._show(what, self.done)

    def clear(self) -> None:
        """Erase the line, before something else is printed."""
        self._write(_CLEAR)

    def _show(self, told: str, finished: int) -> None:
        bar = "█" * (_BAR * finished // max(self.total, 1))
        line = f"{self.what} {counted(self.done)}/{counted(self.total)}: {told}"
        self._write(printable(f"{bar:·<{_BAR}} {line}"), _CLEAR)
        if self.logged and (now := self.clock()) >= self.next:
            self.next = now + _SELDOM
            self.stream.write(f"{printable(line).rstrip()}\n")
            self.stream.flush()

    def _write(self, text: str, before: str = "") -> None:
        if self.shown:
            self.stream.write(before + text)
            self.stream.flush()

    def _left(self, seconds: float) -> str:
        if seconds < _SURE or not self.done:
            return ""
        left = round(seconds * (self.total - self.done) / self.done)
        return _(", {minutes}:{seconds:02} left").format(minutes=left // 60, seconds=left % 60)
