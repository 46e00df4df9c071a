"""What the command line says of itself, in the language of the locale: help, mistakes in what was typed, progress.

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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import ENGLISH, LANGUAGES, folder

if TYPE_CHECKING:
    from truco_spec.base.words import Spoken

DOMAIN = "commands"
LANGUAGE = f"{__name__}.language"
"""Where the context of click keeps the language that was asked for (``--lang``)."""
_LANGUAGE = "LANGUAGE"
"""The variable in which gettext looks for the language first."""
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


def spoken_now(language: str) -> Spoken:
    """A language to speak; no catalog is looked for in English."""
    from truco_spec.base.words import Spoken  # help needs none

    if language == ENGLISH:
        return Spoken()
    from truco_spec.books.rulebook.book_words import spoken_in  # slow to import

    return spoken_in(language)


def spoken_of_errors(asked: Mapping[str, str]) -> Spoken:
    """The language of errors, by what the context of click keeps: what was asked for, or that of the locale; English,
    if the error is that its catalogs cannot be read.
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
