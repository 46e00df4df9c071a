"""The table of all variants: questions as rows, variants as columns. Only the questions are written by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Literal, Protocol

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.document import Block, Cell, Code, Grid, Heading, Paragraph, items
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import playable_names
from truco_spec.base.safe_yaml import YamlError, YamlLimits
from truco_spec.base.words import Sentence, combined, hinted, label, say, spoken, suggestion
from truco_spec.compare.reach import reached
from truco_spec.compare.scenario import Side
from truco_spec.compare.statements import chapter_of, statements
from truco_spec.engine.game import Game
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import named_value, told, told_in_force, value_text
from truco_spec.graph.model import DECIDED, Graph, Source
from truco_spec.graph.sources import registry, sources, speaks_of
from truco_spec.graph.walk import never_called
from truco_spec.language.diagnostics import Cite, nearest
from truco_spec.logs.explanation import cites_of_value
from truco_spec.pages.html import page
from truco_spec.pages.rules_text import place_of

LIMITS = YamlLimits(size=200_000, depth=8, nodes=20_000)
MOST = 500
"""Questions of one file."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question. Exactly one field beside ``ask`` says how it is answered; an option may also
    have a ``sentence``.
    """

    ask: Annotated[str, "The question, as a reader would put it."]
    about: Annotated[Literal["players", "cards", ""], "How many can play, or how many cards there are."] = ""
    option: Annotated[str, "The value of this option."] = ""
    order: Annotated[str, "The members of this order, from the lowest."] = ""
    stakes: Annotated[str, "The words of this ladder and what each is worth, after what it is worth unraised."] = ""
    words: Annotated[str, "The words of this bid, and how often each may be said."] = ""
    answer: Annotated[str, "The answer of this question of the rules, before the first hand."] = ""
    sentence: Annotated[
        tuple[str, ...],
        (
            "The sentence of the first of these statements that is in force in the game; beside an option, of a game "
            "without it."
        ),
    ] = ()


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


def most_argued(options: Collection[str]) -> list[str]:
    """Return these options, those of the shipped questions first, in their order."""
    return list(dict.fromkeys((*(name for name in asked_of() if name in options), *options)))


@cache
def asked_of() -> Mapping[str, str]:
    """The shipped questions by the option that they are about, the most argued first; a site has many books, and they
    are read once.
    """
    return {question.option: question.ask for group in questions() for question in group.questions if question.option}


WAYS = tuple(field.name for field in fields(Question) if field.name != "ask")


def questions(path: str = "") -> tuple[Group, ...]:
    """Return the groups of a file, by default the shipped one. Raises :class:`YamlError`."""
    where = Path(path) if path else shipped.folder("spec") / "questions.yaml"
    document = safe_yaml.load_file(where, LIMITS)
    file = document.shaped(QuestionsFile)
    count = 0
    for at, group in enumerate(file.groups):
        for number, question in enumerate(group.questions):
            count += 1
            place = document.key_place("groups", at, "questions", number)
            if count > MOST:
                message = Sentence("There are more than {most} questions: leave some out.", most=MOST)
                raise YamlError(message, str(where), *place)
            ways = [way for way in WAYS if getattr(question, way)]
            if len(ways) != 1 and ways != ["option", "sentence"]:
                form = "A question is answered in one way of {known}; it says none."
                if ways:
                    form = "A question is answered in one way of {known}; it says {ways}."
                message = Sentence(form, known=WAYS, ways=combined(ways) if ways else "")
                raise YamlError(message, str(where), *place)
    return file.groups


# --------------------------------------------------------------------------------------------------
# The answers of one variant, read off its graph.

WORD, STAKES, LIMIT = ".word", ".stakes", ".limit"
"""The suffixes of a construct's order of words, the value of each level, and the limit of each word."""


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """The text of an answer, its citations, whether it rests on a decision, and whether on sources that speak of other
    games only. An empty text: not applicable.
    """

    text: str
    cites: tuple[str, ...] = ()
    decided: bool = False
    elsewhere: bool = False

    @property
    def mark(self) -> str:
        return MARK if self.decided else ELSEWHERE if self.elsewhere else ""


NOTHING = AnswerCell("")
MARK, ELSEWHERE, NONE = "*", "°", "–"


class Answers:
    """The answers of one variant."""

    def __init__(self, side: Side) -> None:
        self.side = side

    @cached_property
    def graph(self) -> Graph:
        return self.side.graph

    def cell(self, question: Question) -> AnswerCell:
        ways: tuple[tuple[str, Callable[[str], AnswerCell]], ...] = (
            (question.about, self._about),
            (question.option, self.option),
            (question.order, self._order),
            (question.stakes, self._stakes),
            (question.words, self._words),
            (question.answer, self._answer),
        )
        found = next((way(name) for name, way in ways if name), NOTHING)
        return found if found.text else self._sentence(question.sentence)

    def option(self, name: str) -> AnswerCell:
        """The value of an option, and on whose word it has it."""
        option = self.graph.options.get(name)
        if option is None:
            return NOTHING
        return self._of(named_value(name, option.value), cites_of_value(self.graph, name))

    def _about(self, name: str) -> AnswerCell:
        if name == "cards":
            count = sum(card.present for card in self.graph.cards)
            return self._cell(str(count), self._cited(self.graph.pack)) if count else NOTHING
        return self._cell(", ".join(map(str, self.side.sizes())), self._cited("seats"))

    def _order(self, name: str) -> AnswerCell:
        members = self.graph.orders.get(name, ())
        if name in (self.graph.ranks, self.graph.suits):  # only what is in the pack
            place = "rank" if name == self.graph.ranks else "suit"
            there = {getattr(card, place) for card in self.graph.cards if card.present}
            members = tuple(member for at, member in enumerate(members) if at in there)
        return self._cell(" < ".join(members), self._cited(name)) if members else NOTHING

    def _stakes(self, name: str) -> AnswerCell:
        words = self.graph.orders.get(name + WORD, ())
        define = self.graph.defines.get(name + STAKES)
        if define is None or not words:
            return NOTHING
        worth = [self._asked(define.name, level) for level in range(len(words) + 1)]
        never = never_called(self.graph, name)
        told_words = [f"{words[at]} {worth[at + 1]}" for at in range(len(words)) if at not in never]
        return self._cell(", ".join([worth[0], *told_words]), [answer.source for answer in define.answers])

    def _words(self, name: str) -> AnswerCell:
        words = self.graph.orders.get(name + WORD, ())
        if not words:
            return NOTHING
        limits = [self._asked(name + LIMIT, at) for at in range(len(words))]
        shown = [word if limit in ("1", "") else f"{word} ×{limit}" for word, limit in zip(words, limits, strict=True)]
        return self._cell(", ".join(shown), self._cited(name))

    def _answer(self, name: str) -> AnswerCell:
        define = self.graph.defines.get(name)
        if define is None or define.params:
            return NOTHING
        text = self._asked(name)
        return self._cell(text, [answer.source for answer in define.answers]) if text else NOTHING

    def _sentence(self, names: Iterable[str]) -> AnswerCell:
        """A table of the rules is not asked whether it is in force."""
        for name in names:
            source = self._source(name)
            if source is not None and (name in self.graph.tables or name in reached(self.graph)):
                return self._cell(told_in_force(self.graph, source), [source])
        return NOTHING

    def _source(self, name: str) -> Source | None:
        graph = self.graph
        if name in graph.rules:
            return graph.rules[name].source
        ways: dict[str, Source] = {a.name: a.source for define in graph.defines.values() for a in define.answers}
        ways |= {turn.name: turn.source for effect in graph.effects.values() for turn in effect.turns}
        table = graph.tables.get(name)
        return ways.get(name, table.source if table is not None else None)

    def _cited(self, name: str) -> list[Source]:
        return [source for kind, of, source in self.graph.cites if name in (of, kind)]

    def _cell(self, text: str, sources: Iterable[Source]) -> AnswerCell:
        return self._of(text, (cite for source in sources for cite in source.cites))

    def _of(self, text: str, cited: Iterable[Cite]) -> AnswerCell:
        cites = tuple(cited)
        elsewhere = bool(cites) and not any(speaks_of(cite.source, cite.clause, self._spoken_of) for cite in cites)
        decided = any(cite.source == DECIDED for cite in cites)
        return AnswerCell(text, tuple(dict.fromkeys(map(str, cites))), decided, elsewhere)

    @cached_property
    def _spoken_of(self) -> tuple[str, ...]:
        """The nearest shipped game that it extends, itself included, of which some source speaks."""
        known = {name for source in sources() for name in registry(source).variant_names.values()}
        known &= set(shipped.variant_names())
        return tuple(name for name in reversed(self.graph.lineage) if name in known)[:1]

    @cached_property
    def _game(self) -> Game | None:
        try:
            return Game(self.graph)
        except PlayError:
            return None

    def _asked(self, name: str, *args: int) -> str:
        """The answer of a question of the rules before the first hand; empty if it is undefined then."""
        define = self.graph.defines.get(name)
        if define is None or self._game is None:
            return ""
        try:
            value = self._game.ask(name, *args)
        except (PlayError, IndexError, ValueError):
            return ""
        return label(value_text(self.graph, define.type, value, self._game.players))


# --------------------------------------------------------------------------------------------------
# The table.

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
    parts = [TablePart(say(group.title), tuple(_rows(asked, group.questions))) for group in made]
    _must_be_known(asked, [question for group in made for question in group.questions])
    named = {question.option for group in made for question in group.questions}
    parts += _others(asked, named)
    if everything:
        parts += _sentences(asked)
    kept = [TablePart(part.title, tuple(row for row in part.rows if row.differs or not differing)) for part in parts]
    titles = tuple(spoken().rules(answers.graph.title) for answers in asked)
    return QuestionTable(tuple(side.head for side in sides), titles, tuple(part for part in kept if part.rows))


def _rows(asked: Sequence[Answers], questions: Iterable[Question]) -> Iterator[QuestionRow]:
    """A row for each question that any of these variants answers."""
    for question in questions:
        cells = tuple(answers.cell(question) for answers in asked)
        if any(cell.text for cell in cells):
            yield QuestionRow(say(question.ask), source_of(question), cells)


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
    everyone: list[Answers] = []
    for question in questions:
        if any(answers.cell(question).text for answers in asked):
            continue
        everyone = everyone or [Answers(Side(name, {})) for name in playable_names()]
        if any(answers.cell(question).text for answers in everyone):
            continue
        name = question.option or question.order or question.stakes or question.words or question.answer
        known = {key for answers in everyone for key in (*answers.graph.options, *answers.graph.defines)}
        near = nearest(name or question.sentence[0], sorted(known))
        wrong = Sentence("“{ask}” asks for {name}, and no variant has it.", ask=question.ask, name=source_of(question))
        raise TableError(hinted(wrong, suggestion(near)))


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
        game = next((each.graph for each in asked if each.graph.lineage[-1].replace("-", " ") == chapter.lower()), None)
        called = spoken().rules(game.title) if game else _within(chapter)
        yield TablePart(say("Other options: {chapter}", chapter=called), tuple(rows))


def _of_one_prose(said: Mapping[str, str]) -> str:
    """Return the sentences, given with the prose that each was filled from, that come from the first prose."""
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
            AnswerCell(s.sentence, s.cites, any(c.startswith("decided:") for c in s.cites)) if s else NOTHING
            for s in there
        )
        chapter = next(statement.chapter for statement in there if statement is not None)
        chapters.setdefault(chapter, []).append(QuestionRow(" ".join(key), " ".join(key), cells))
    for chapter, rows in chapters.items():
        yield TablePart(say("Said differently: {chapter}", chapter=_within(chapter)), tuple(rows))


def _within(chapter: str) -> str:
    """The title of a chapter within a line."""
    told = spoken().rules(chapter)
    return f"{told[:1].lower()}{told[1:]}"


# --------------------------------------------------------------------------------------------------
# The table as a document; and as a page of its own design, which a site has too.


def document_of(table: QuestionTable) -> Iterator[Block]:
    """One table for each part."""
    yield Heading(1, say("The variants, question by question"))
    yield items(*((Code(name), ": ", Code(title)) for name, title in zip(table.names, table.titles, strict=True)))
    for part in table.parts:
        yield Heading(2, Code(part.title))
        yield Grid((say("question"), *map(Code, table.names)), tuple(map(_row, part.rows)))
    form = "{mark} a decision of the spec, where the sources are silent; {none} there is no such thing in this game."
    yield Paragraph(say(form, mark=MARK, none=NONE))
    yield Paragraph(say("{mark} no source of this game tells it: taken over from another.", mark=ELSEWHERE))


def _row(row: QuestionRow) -> tuple[Code, tuple[Cell, ...]]:
    return Code(row.ask), tuple(Cell(Code(cell.text or NONE), cell.mark) for cell in row.cells)


class Addressed(Protocol):
    """The addresses of a site that this is a page of."""

    def book(self, variant: str) -> str:
        """The book of a variant."""


def html_of(table: QuestionTable, to: Addressed | None = None, frame: object = None) -> str:
    """The page; with ``to`` one of a site, where the columns lead to the books, and ``frame`` the way through it."""
    values = {"table": table, "mark": MARK, "elsewhere": ELSEWHERE, "nothing": NONE, "to": to, "frame": frame}
    return page(__package__ or "", "questions", values)
