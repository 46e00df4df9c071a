"""A rulebook as data: chapters of numbered rules with their sources; decisions, agreements and omissions.

Everything comes from the rule graph: sentences, numbers, tables and examples change with the spec.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from truco_spec.base.errors import TrucoError
from truco_spec.base.project import playable_names, project_of, projects
from truco_spec.base.words import Words
from truco_spec.books.book_words import words_in
from truco_spec.books.worked_tables import cards_in, figures_of, ranks_of
from truco_spec.compare.questions import asked_of, most_argued
from truco_spec.compare.reach import reached
from truco_spec.compare.statements import chain_of, options_named
from truco_spec.engine.text import ASIDE, fixed_value, plainly
from truco_spec.graph.load import load
from truco_spec.graph.model import (
    AGREED,
    DECIDED,
    HOW_MANY,
    MOST_GRAPHS,
    UNASKED,
    Decision,
    Graph,
    Option,
    Source,
    by_identity,
    wholes,
)
from truco_spec.graph.plan import BookPlan, Chapter, plan
from truco_spec.graph.sources import registry
from truco_spec.language.diagnostics import Cite, SpecError
from truco_spec.logs.explanation import authority, pertinent, set_aside

NO_RULES = frozenset({"decision", "option", "set", "order", "refuse"})
"""Kinds of statements that a book prints elsewhere, or not at all."""

MADE = frozenset({"rule", "define", "effect", "trump", "fault", "special"})
"""Kinds of statements that define a rule of play; one without effect here holds if otherwise agreed."""

_Placed = tuple[int, str, Source]
"""A statement and its place in its chapter."""


@dataclass(frozen=True, slots=True)
class BookAuthority:
    """A citation of a rule: the source (``decided`` for a decision), the clause, and its text."""

    source: str
    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A rule of the book: its number, such as ``4.2``, the name of its statement, its sentence, and its authorities.

    A rule that would hold if otherwise agreed has no number; ``agreed`` is then the agreement, if several rest on it.
    """

    number: str
    name: str
    sentence: str
    authorities: tuple[BookAuthority, ...]
    agreed: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the book. ``otherwise`` are sentences that would hold if something else were agreed.

    A section may also be an article: its ``text``, the ``settings`` and ``decisions`` that it makes, and the numbers of
    rules in other sections to ``see``. ``part`` is the heading of the part of the book that begins with it.
    """

    key: str
    number: str
    title: str
    about: str
    entries: tuple[BookEntry, ...]
    otherwise: tuple[BookEntry, ...]
    text: str = ""
    settings: tuple[Agreed, ...] = ()
    decisions: tuple[BookDecision, ...] = ()
    see: tuple[str, ...] = ()
    part: str = ""

    @property
    def agreements(self) -> tuple[tuple[str, tuple[BookEntry, ...]], ...]:
        """The sentences that would hold if otherwise agreed, by the agreement; first those without one."""
        titles = dict.fromkeys(sorted((entry.agreed for entry in self.otherwise), key=bool))
        return tuple((title, tuple(e for e in self.otherwise if e.agreed == title)) for title in titles)


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an option: its name, and its label in the language of the book, which may be the same."""

    name: str
    told: str


@dataclass(frozen=True, slots=True)
class Agreed:
    """An option: its question or else its sentence, as a book prints it; the sentence; its value, the alternatives, and
    whether the value was chosen.
    """

    name: str
    told: str
    sentence: str
    value: Value
    others: tuple[Value, ...]
    chosen: bool


@dataclass(frozen=True, slots=True)
class BookDecision:
    """A decision: the sentence, the reason, and the rejected readings."""

    name: str
    reading: str
    because: str
    rather: tuple[str, ...]
    resolves: tuple[BookAuthority, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game. ``settings`` are all options, also those with one value left, the most argued about
    first; ``sources`` are titles and origins of sources by the names that authorities have.
    """

    variant: str
    title: str
    graph: Graph
    sections: tuple[Section, ...]
    settings: tuple[Agreed, ...]
    readings: tuple[BookDecision, ...]
    sources: dict[str, tuple[str, str]]

    @property
    def options(self) -> tuple[Agreed, ...]:
        """The options that may be agreed otherwise."""
        return tuple(agreed for agreed in self.settings if agreed.others)


def book_of(graph: Graph, words: Words, given: Iterable[str] = ()) -> Book:
    """Build the book of a linked graph; ``given`` are the options that the reader has set. ``words`` translates."""
    reach = reached(graph)
    fill = Filler(graph, words)
    told = _Teller(graph, words, fill, reach | _unrecorded(graph, reach, plan()), _settings(graph))
    sections = tuple(_sections(told, plan()))
    alive = _rested_on(told)
    readings = tuple(_reading(told, decision) for decision in graph.decisions.values() if decision.name in alive)
    cited = [a for section in sections for e in section.entries for a in e.authorities]
    names = dict.fromkeys(a.source for a in (*cited, *(a for r in readings for a in r.resolves)) if a.source != DECIDED)
    return Book(
        graph.name,
        words(graph.title),
        graph,
        sections,
        tuple(_agreed(told, name, graph.options[name], set(given)) for name in most_argued(graph.options)),
        readings,
        {name: (record.title, record.origin) for name in names for record in (registry(name).record,)},
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    """Fills and translates the sentences of a graph; ``reach`` are the statements that can matter in it.

    ``settings`` are what a project cites where it sets an option, by the statements that name the option.
    """

    graph: Graph
    words: Words
    fill: Filler
    reach: frozenset[str]
    settings: Mapping[str, tuple[Cite, ...]] = field(default_factory=dict)

    def offered(self, name: str) -> bool:
        """Whether a statement without effect here could have one: in a closed game, if it names an open option."""
        options = self.graph.options
        if not self.graph.closed:
            return True
        if self.graph.name not in playable_names() or not any(option.values[1:] for option in options.values()):
            return False
        return any(options[each].values[1:] for each in options_named(chain_of(self.graph.name)).get(name, ()))

    def __call__(self, sentence: str) -> str:
        return self.fill(self.words(sentence))


def _settings(graph: Graph) -> dict[str, tuple[Cite, ...]]:
    project = project_of(graph.name)
    texts = {str(path) for path in project.texts().values()} if project else set()
    sets = {name: source.cites for kind, name, source in graph.cites if kind == "set" and source.span.file in texts}
    if not sets:
        return {}
    return {
        name: tuple(cite for option in sorted(options & sets.keys()) for cite in sets[option])
        for name, options in options_deciding(graph).items()
    }


@by_identity(MOST_GRAPHS)
def options_deciding(graph: Graph) -> dict[str, frozenset[str]]:
    """The options that decide each statement of a variant at hand: those that it names. A number, such as the points of
    a game, bounds much that it does not decide: it has to stand in the sentence, or in who may do it and when.
    """
    from truco_spec.graph.linking.names import names_in

    chain = chain_of(graph.name)
    numbers = {name for name, option in graph.options.items() if all(value.isdigit() for value in option.values)}
    found = {}
    for name, options in options_named(chain).items():
        statement = chain.items[name].statement
        told = {hole[2] for hole in _HOLE.finditer(statement.prose or "")}
        asked = [clause.expr for kind in ("by", "when") if (clause := statement.clause(kind))]
        found[name] = frozenset(options - numbers | options & (told | names_in([*asked, statement.when])))
    return found


def _unrecorded(graph: Graph, reach: frozenset[str], order: BookPlan) -> frozenset[str]:
    """Statements reached only under the options ``recorded`` in the plan: they hold, but are not written down."""
    name = next((name for name in (graph.name, *reversed(graph.lineage)) if name in playable_names()), "")
    if not name:  # a game of its own, in a file
        return frozenset()
    plain = load(name)
    set_so = {n: o.value for n, o in graph.options.items() if n in plain.options and o.value in plain.options[n].values}
    written = {n: value for n, value in order.recorded.items() if n in plain.options}
    if not written:
        return frozenset()
    try:
        silent = reach if name == graph.name else reached(load(name, **set_so))
        return reached(load(name, **{**set_so, **written})) - silent
    except SpecError:  # a house may refuse less than the game that it extends
        return frozenset()


# ---- chapters ------------------------------------------------------------------------------------


def _sections(told: _Teller, order: BookPlan) -> Iterator[Section]:
    graph, reach = told.graph, told.reach
    parts = {*reach, *graph.rules, *(a.name for d in graph.defines.values() for a in d.answers)}
    parts |= {turn.name for effect in graph.effects.values() for turn in effect.turns}
    parts_of: dict[str, set[str]] = {}
    for part in parts:
        for name in wholes(part):
            parts_of.setdefault(name, set()).add(part)
    held: dict[str, list[_Placed]] = {}
    otherwise: dict[str, list[_Placed]] = {}
    chapters: dict[str, Chapter] = {chapter.key: chapter for chapter in order.chapters}
    shipped, project = projects()[0].texts(), project_of(graph.name)
    asked = (graph.defines[name] for name in (project.manifest.leave if project else ()) if name in graph.defines)
    spared = {answer.name for define in asked for answer in define.answers}
    for kind, name, source in graph.cites:
        left = name in order.leave and source.lineage[-1] in shipped  # what a user's text says or cites is printed
        left = left or (kind == "define" and name in spared and source.lineage[-1] not in shipped)
        if kind in NO_RULES or left or name.startswith(UNASKED) or not source.prose:
            continue
        if source.construct and name.startswith(f"{source.construct}.") and _repeats(graph, source):
            continue
        chapter, place = order.chapter_of(name, source)
        chapters.setdefault(chapter.key, chapter)
        made = parts_of.get(name, set())
        deciding = made & graph.rules.keys() or made  # a construct counts by its rules, where it has some
        idle = deciding.isdisjoint(reach) if made else kind in MADE
        if idle and not told.offered(name):
            continue
        (otherwise if idle else held).setdefault(chapter.key, []).append((place, name, source))
    beside: dict[str, list[Chapter]] = {}  # a chapter of what would hold only stands at the end of the one before
    last = ""
    for key, chapter in chapters.items():
        last = key if key in held else last
        beside.setdefault(last, []).append(chapter)
    teller = replace(told, fill=told.fill.otherwise())
    number = 0
    for key, chapter in chapters.items():
        if key not in held:
            continue
        number += 1
        yield Section(
            key,
            str(number),
            told.words(chapter.title),
            told(chapter.about),
            tuple(_entries(told, held[key], f"{number}.")),
            tuple(
                replace(entry, agreed=entry.agreed or ("" if other is chapter else told.words(other.title)))
                for other in beside[key]
                for entry in _entries(teller, otherwise.get(other.key, ()), "")
            ),
        )


def _repeats(graph: Graph, source: Source) -> bool:
    """Whether a part of a construct says the sentence of the whole."""
    whole = (other for _, name, other in graph.cites if name == source.construct and not other.construct)
    return any(other.prose == source.prose for other in whole)


def _entries(told: _Teller, found: Iterable[_Placed], number: str) -> Iterator[BookEntry]:
    """Statements with the same sentence are one entry: the name of the first, the authorities of all."""
    names: dict[str, str] = {}
    agreed: dict[str, str] = {}
    cites: dict[str, list[Cite]] = {}
    for _, name, source in sorted(found, key=lambda placed: placed[0]):
        sentence = plainly(told(source.prose), told.words(AGREED))  # what would hold otherwise has a heading
        names.setdefault(sentence, name)
        agreed.setdefault(sentence, "" if number else plan().agreement_of(name, source))
        cites.setdefault(sentence, []).extend((*told.settings.get(name, ()), *pertinent(told.graph, source.cites)))
    for at, (sentence, name) in enumerate(names.items(), 1):
        authorities = tuple(_authorities(told, cites[sentence]))
        under = told.words(agreed[sentence]) if agreed[sentence] else ""
        yield BookEntry(f"{number}{at}" if number else "", name, sentence, authorities, under)


# ---- authorities ---------------------------------------------------------------------------------


def _authorities(told: _Teller, cites: Iterable[Cite]) -> Iterator[BookAuthority]:
    for cite in dict.fromkeys(cites):
        if cite.source == DECIDED:
            yield BookAuthority(DECIDED, cite.clause, authority(told.graph, cite))
            continue
        held = registry(cite.source)
        clause = held.clauses.get(cite.clause)
        text = clause.text if clause else held.gaps[cite.clause].question if cite.clause in held.gaps else ""
        yield BookAuthority(cite.source, cite.clause, told.words.told(text))


def _rested_on(told: _Teller) -> set[str]:
    """The decisions that a relevant statement cites; of an option, those that no rule cites, and none that it is set
    against. In a closed game what is not open, or refused, has nothing to decide.
    """
    graph, reach = told.graph, told.reach
    options = {name: option for name, option in graph.options.items() if not graph.closed or option.values[1:]}
    relevant = {name for part in reach for name in wholes(part)}
    cited = [(kind, name, c.clause) for kind, name, source in graph.cites for c in source.cites if c.source == DECIDED]
    ruled = {decision for kind, _, decision in cited if kind in MADE}
    return {
        decision
        for kind, name, decision in cited
        if (name in relevant if kind in MADE else kind != "option" or decision not in ruled)
        and (kind != "option" or name in options)
        and (kind != "refuse" or not graph.closed)
    } - set_aside(graph)


def _agreed(told: _Teller, name: str, option: Option, given: set[str]) -> Agreed:
    source = next((source for kind, of, source in told.graph.cites if kind == "option" and of == name), None)
    sentence = told(source.prose) if source else ""
    asked = asked_of().get(name)
    shown = words_in(told.words.language, "site")(asked) if asked else sentence
    values = {value: _named(told.words, name, value) for value in option.values}
    others = tuple(_figured(told, name, each) for value, each in values.items() if value != option.value)
    return Agreed(name, shown, sentence, values[option.value], others, name in given)


def _figured(told: _Teller, option: str, other: Value) -> Value:
    """Another value of an option, with the figures of the game under it if the plan has a table of them."""
    held = {name: each.value for name, each in told.graph.options.items()}
    for wanted in plan().tables:
        for more in ({}, wanted.under[option]) if option in wanted.under else ():
            with suppress(TrucoError):
                graph = load(told.graph.name, **{**held, **more, option: other.name})
                return replace(other, told=f"{other.told} ({figures_of(graph, wanted, told.words)})")
    return other


def _named(words: Words, option: str, value: str) -> Value:
    told = words.value(option, value)
    return Value(value, value if told == value.replace("-", " ") else told)


def _reading(told: _Teller, decision: Decision) -> BookDecision:
    return BookDecision(
        decision.name,
        told(decision.reading),
        told(decision.because),
        tuple(told(other) for other in decision.rather),
        tuple(_authorities(told, decision.resolves)),
    )


# --------------------------------------------------------------------------------------------------
# Sentences of the specs for readers: every placeholder is filled from the graph, or removed.

PACK_SIZE, RANKS = "pack-size", "ranks"
"""The placeholders for the number of cards, and for their ranks from the highest down."""

_HOLE = re.compile(r"(?:\b(\w+) )?\{([^{}]*)\}")


@dataclass(slots=True)
class Filler:
    """Fills the placeholders of one graph. ``words`` translates the values of options."""

    graph: Graph
    words: Words
    _known: dict[str, str] = field(default_factory=dict)

    def otherwise(self) -> Filler:
        """Fill a sentence that would hold if otherwise agreed: the other values of an option replace its name."""
        others = {
            name: self._one_of([self.words.value(name, v) for v in option.values if v != option.value])
            for name, option in self.graph.options.items()
            if option.values[1:]
        }
        return replace(self, _known=others)

    def _one_of(self, values: list[str]) -> str:
        """The values as a list: “2, 3 or 4”."""
        *others, last = values
        return f"{', '.join(others)} {self.words('or')} {last}" if others else last

    def __call__(self, sentence: str) -> str:
        """Fill in the values of options and constants, and drop asides that depend on play."""
        told = ASIDE.sub(lambda aside: f" ({found})" if (found := self._value(aside[1])) else "", sentence)
        return _HOLE.sub(self._filled, told)

    def _filled(self, hole: re.Match[str]) -> str:
        """The placeholder filled, with the word before it."""
        found = self._value(hole[2]) or hole[2].replace("-", " ")
        return self.words.joined(hole[1], found) if hole[1] else found

    def _value(self, name: str) -> str:
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> str:
        if name == PACK_SIZE:
            return str(cards_in(self.graph))
        if name == RANKS:
            found = (ranks_of(self.graph, table) for table in plan().tables if table.kind == "ranking")
            return next(filter(None, found), "")
        if option := self.graph.options.get(name):
            value, others = option.value, [self.words.value(name, v) for v in option.values if v != option.value]
            also = f" ({self.words('or')} {self._one_of(others)})" if name == HOW_MANY and others else ""
            return self.words.value(name, value) + also
        return fixed_value(self.graph, name)
