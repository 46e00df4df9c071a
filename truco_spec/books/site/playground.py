"""The page of the playground: rules written, checked, printed and played in the browser's own Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.books.site.page_frame import Addresses, framed, others, words

SAID = {
    "loading": "The rules are loaded; the first time this takes a while …",
    "working": "One moment …",
    "right": "Nothing wrong was found.",
    "done": "Done.",
    "wrong": "This is not in order:",
    "stopped": "Stopped.",
    "offline": "This could not be loaded.",
    "unreadable": "This cannot be opened.",
    "copied": "Copied",
}
"""The words that ``playground.js`` shows, by the names that it knows them by."""


@dataclass(frozen=True, slots=True)
class PlaygroundFile:
    """``spec/playground.yaml``."""

    playground: Literal[1]
    licence: str
    samples: Annotated[Mapping[str, str], "The rules that it begins with, by language."]


@cache
def samples() -> Mapping[str, str]:
    """The rules that it begins with, by language. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return safe_yaml.load_file(shipped.folder("spec") / "playground.yaml").shaped(PlaygroundFile).samples


def page_of(language: str) -> str:
    """The page in a language."""
    told = words(language)
    return framed(
        "playground",
        "",
        modules=True,
        styles=("playground",),
        language=language,
        here=tuple((code, name, Addresses(language=language).playground(code)) for code, name in others(language)),
        said={name: told(sentence) for name, sentence in SAID.items()},
        sample=samples()[language],
    )
