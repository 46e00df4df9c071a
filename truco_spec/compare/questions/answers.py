"""The answers of one variant, read off its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from truco_spec.compare.core.sides import Side
from truco_spec.compare.questions.ask import Question
from truco_spec.engine.game import Game
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import told, value_text
from truco_spec.graph.model import Graph, Source
from truco_spec.language.tree import Cite

DECIDED = "decided"
"""The source name of the spec's decisions."""
WORD, STAKES, LIMIT = ".word", ".stakes", ".limit"
"""The suffixes of a construct's order of words, the value of each level, and the limit of each word."""


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """The text of an answer, its citations, and whether it rests on a decision. An empty text: not applicable."""

    text: str
    cites: tuple[str, ...] = ()
    decided: bool = False


NOTHING = AnswerCell("")


class Answers:
    """One variant, asked."""

    def __init__(self, side: Side) -> None:
        self.side = side

    @cached_property
    def graph(self) -> Graph:
        """Its graph."""
        return self.side.graph

    def cell(self, question: Question) -> AnswerCell:
        """The answer to a question."""
        ways: tuple[tuple[str, Callable[[str], AnswerCell]], ...] = (
            (question.about, self._about),
            (question.option, self.option),
            (question.order, self._order),
            (question.stakes, self._stakes),
            (question.words, self._words),
            (question.answer, self._answer),
        )
        for name, way in ways:
            if name:
                return way(name)
        return self._sentence(question.sentence)

    def option(self, name: str) -> AnswerCell:
        """The value of an option, with the citation of the variant's setting if there is one; else of the option."""
        option = self.graph.options.get(name)
        if option is None:
            return NOTHING
        sets = [source for kind, of, source in self.graph.cites if kind == "set" and of == name]
        return _cell(option.value, sets[-1:] if option.set_by and sets else [option.source])

    def _about(self, name: str) -> AnswerCell:
        if name == "cards":
            count = sum(card.present for card in self.graph.cards)
            return _cell(str(count), self._cited(self.graph.pack)) if count else NOTHING
        return _cell(", ".join(map(str, self.side.sizes())), self._cited("seats"))

    def _order(self, name: str) -> AnswerCell:
        members = self.graph.orders.get(name, ())
        if name in (self.graph.ranks, self.graph.suits):  # only what is in the pack
            place = "rank" if name == self.graph.ranks else "suit"
            there = {getattr(card, place) for card in self.graph.cards if card.present}
            members = tuple(member for at, member in enumerate(members) if at in there)
        return _cell(" < ".join(members), self._cited(name)) if members else NOTHING

    def _stakes(self, name: str) -> AnswerCell:
        words = self.graph.orders.get(name + WORD, ())
        define = self.graph.defines.get(name + STAKES)
        if define is None or not words:
            return NOTHING
        worth = [self._asked(define.name, level) for level in range(len(words) + 1)]
        told_words = [f"{word} {points}" for word, points in zip(words, worth[1:], strict=True)]
        return _cell(", ".join([worth[0], *told_words]), self._cited(name))

    def _words(self, name: str) -> AnswerCell:
        words = self.graph.orders.get(name + WORD, ())
        if not words:
            return NOTHING
        limits = [self._asked(name + LIMIT, at) for at in range(len(words))]
        shown = [word if limit in ("1", "") else f"{word} ×{limit}" for word, limit in zip(words, limits, strict=True)]
        return _cell(", ".join(shown), self._cited(name))

    def _answer(self, name: str) -> AnswerCell:
        define = self.graph.defines.get(name)
        if define is None or define.params:
            return NOTHING
        text = self._asked(name)
        return _cell(text, [answer.source for answer in define.answers]) if text else NOTHING

    def _sentence(self, names: Iterable[str]) -> AnswerCell:
        for name in names:
            source = self._source(name)
            if source is not None:
                return _cell(told(self.graph, source.prose), [source])
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
        return value_text(self.graph, define.type, value, self._game.players)


def _cell(text: str, sources: Iterable[Source]) -> AnswerCell:
    cites: list[Cite] = [cite for source in sources for cite in source.cites]
    return AnswerCell(text, tuple(dict.fromkeys(map(str, cites))), any(cite.source == DECIDED for cite in cites))
