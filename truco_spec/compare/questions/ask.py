"""The questions of the table (``spec/questions.yaml``): how each is asked, and where in a graph its answer stands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.safe_yaml import YamlError, YamlLimits
from truco_spec.base.shapes import ShapeError, read

LIMITS = YamlLimits(size=200_000, depth=8, nodes=20_000)
MOST = 500
"""Questions of one file."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. Beside ``ask`` exactly one of the others says how it is answered."""

    ask: Annotated[str, "The question, as a reader would put it."]
    about: Annotated[Literal["players", "cards", ""], "How many can play, or how many cards there are."] = ""
    option: Annotated[str, "The value of this option."] = ""
    order: Annotated[str, "The members of this order, from the lowest."] = ""
    stakes: Annotated[str, "The words of this ladder and what each is worth, after what it is worth unraised."] = ""
    words: Annotated[str, "The words of this bid, and how often each may be said."] = ""
    answer: Annotated[str, "The answer of this question of the rules, before the first hand."] = ""
    sentence: Annotated[tuple[str, ...], "The sentence of the first of these statements that the game has."] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that belong together."""

    title: Annotated[str, "What they are about."]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class QuestionsFile:
    """The file."""

    questions: Literal[1]
    licence: str
    groups: tuple[Group, ...]


WAYS = tuple(field.name for field in fields(Question) if field.name != "ask")


def questions(path: str = "") -> tuple[Group, ...]:
    """The groups of a file; of the shipped one where none is named. Raises :class:`YamlError`."""
    where = Path(path) if path else shipped.folder("spec") / "questions.yaml"
    document = safe_yaml.load_file(where, LIMITS)
    try:
        file: QuestionsFile = read(document.data, QuestionsFile)
    except ShapeError as error:
        raise YamlError(error.message, str(where), *document.key_place(*error.place)) from error
    count = 0
    for at, group in enumerate(file.groups):
        for number, question in enumerate(group.questions):
            count += 1
            place = document.key_place("groups", at, "questions", number)
            if count > MOST:
                raise YamlError(f"There are more than {MOST} questions: leave some out.", str(where), *place)
            ways = [way for way in WAYS if getattr(question, way)]
            if len(ways) != 1:
                given = f"it says {' and '.join(ways)}" if ways else "it says none"
                message = f"A question is answered in one way of {', '.join(WAYS)}; {given}."
                raise YamlError(message, str(where), *place)
    return file.groups
