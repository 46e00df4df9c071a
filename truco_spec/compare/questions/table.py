"""The table: questions as rows, variants as columns. Only the questions are written by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from truco_spec.base.errors import TrucoError
from truco_spec.compare.core.sides import Side
from truco_spec.compare.core.statements import chapter_of, statements
from truco_spec.compare.questions.answers import STAKES, WORD, AnswerCell, Answers
from truco_spec.compare.questions.ask import Group, Question
from truco_spec.engine.text import told
from truco_spec.language.diagnostics import nearest
from truco_spec.pages.draw.graph_data import place_of

OTHERS = "Other options: "
"""Prefix of a chapter title for options without a question."""
SENTENCES = "Said differently: "
"""Prefix of a chapter title for statements whose sentences differ."""
_SAYING = ("rule", "define", "effect", "table")


class TableError(TrucoError):
    """The table is impossible: a question is about something that no variant has."""


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question and its answers, one for each variant; ``source`` is their place in the graphs."""

    ask: str
    source: str
    cells: tuple[AnswerCell, ...]

    @property
    def differs(self) -> bool:
        """Whether the answers differ, or one is missing."""
        return len({cell.text for cell in self.cells}) > 1


@dataclass(frozen=True, slots=True)
class TablePart:
    """Rows that belong together."""

    title: str
    rows: tuple[QuestionRow, ...]


@dataclass(frozen=True, slots=True)
class QuestionTable:
    """``names`` and ``titles`` are those of the columns."""

    names: tuple[str, ...]
    titles: tuple[str, ...]
    parts: tuple[TablePart, ...]


def table_of(
    sides: Sequence[Side], groups: Iterable[Group], *, differing: bool = False, everything: bool = False
) -> QuestionTable:
    """Return the table of these variants: the questions, then all options without a question.

    ``differing`` keeps only the rows on which they differ; ``everything`` adds statements that are said differently.
    Raises :class:`TableError`, and what loading raises.
    """
    asked = [Answers(side) for side in sides]
    made = list(groups)
    parts = [TablePart(group.title, tuple(_rows(asked, group.questions))) for group in made]
    _must_be_known(asked, [question for group in made for question in group.questions])
    named = {question.option for group in made for question in group.questions}
    parts += _others(asked, named)
    if everything:
        parts += _sentences(asked)
    kept = [TablePart(part.title, tuple(row for row in part.rows if row.differs or not differing)) for part in parts]
    titles = tuple(answers.graph.title for answers in asked)
    return QuestionTable(tuple(side.head for side in sides), titles, tuple(part for part in kept if part.rows))


def _rows(asked: Sequence[Answers], questions: Iterable[Question]) -> Iterator[QuestionRow]:
    """A row for each question that any of these variants answers."""
    for question in questions:
        cells = tuple(answers.cell(question) for answers in asked)
        if any(cell.text for cell in cells):
            yield QuestionRow(question.ask, source_of(question), cells)


def source_of(question: Question) -> str:
    """The place of the answer in a graph, in words."""
    if question.about:
        return question.about
    for kind, name in (("option", question.option), ("order", question.order), ("define", question.answer)):
        if name:
            return f"{kind} {name}"
    if question.stakes:
        return f"define {question.stakes}{STAKES}"
    return f"order {question.words}{WORD}" if question.words else ", ".join(question.sentence)


def _must_be_known(asked: Sequence[Answers], questions: Iterable[Question]) -> None:
    """Check that every question is about something that some variant has, even one not selected."""
    from truco_spec.graph.link import shipped_names

    everyone: list[Answers] = []
    for question in questions:
        if any(answers.cell(question).text for answers in asked):
            continue
        everyone = everyone or [Answers(Side(name, {})) for name in shipped_names()]
        if any(answers.cell(question).text for answers in everyone):
            continue
        name = question.option or question.order or question.stakes or question.words or question.answer
        known = {key for answers in everyone for key in (*answers.graph.options, *answers.graph.defines)}
        near = nearest(name or question.sentence[0], sorted(known))
        hint = f" Did you mean “{near}”?" if near else ""
        raise TableError(f"“{question.ask}” asks for {source_of(question)}, and no variant has it.{hint}")


def _others(asked: Sequence[Answers], named: set[str]) -> Iterator[TablePart]:
    """The options without a question, by chapter. Sentences that differ in values only share a row."""
    chapters: dict[str, list[str]] = {}
    said: dict[str, dict[str, str]] = {}
    for answers in asked:
        for option in answers.graph.options.values():
            if option.name in named:
                continue
            source = option.source
            if option.name not in said:
                chapter = chapter_of(option.name, source.construct, place_of(source.span.file), source.span.line)
                chapters.setdefault(chapter, []).append(option.name)
                said[option.name] = {}
            said[option.name].setdefault(told(answers.graph, source.prose), source.prose)
    for chapter, options in chapters.items():
        rows = (
            QuestionRow(
                _of_one_prose(said[name]) or name, f"option {name}", tuple(answers.option(name) for answers in asked)
            )
            for name in options
        )
        yield TablePart(f"{OTHERS}{chapter[:1].lower()}{chapter[1:]}", tuple(rows))


def _of_one_prose(said: Mapping[str, str]) -> str:
    """The sentences, from the prose that each was filled from, that come from the first prose."""
    first = next(iter(said.values()))
    return " / ".join(sentence for sentence, prose in said.items() if prose == first)


def _sentences(asked: Sequence[Answers]) -> Iterator[TablePart]:
    """The statements of several variants whose sentences differ."""
    known = [statements(answers.graph) for answers in asked]
    chapters: dict[str, list[QuestionRow]] = {}
    for key in dict.fromkeys(key for of in known for key in of if key[0] in _SAYING):
        there = [of.get(key) for of in known]
        said = {statement.sentence for statement in there if statement is not None}
        if len(said) < 2:
            continue
        cells = tuple(
            AnswerCell(s.sentence, s.cites, any(c.startswith("decided:") for c in s.cites))
            if s is not None
            else AnswerCell("")
            for s in there
        )
        chapter = next(statement.chapter for statement in there if statement is not None)
        chapters.setdefault(chapter, []).append(QuestionRow(" ".join(key), " ".join(key), cells))
    for chapter, rows in chapters.items():
        yield TablePart(f"{SENTENCES}{chapter[:1].lower()}{chapter[1:]}", tuple(rows))
