"""The articles of a regulation: a book in their order, and the table of penalties.

In the book each article has its words, and under it what it means in play; one without a rule is printed as it stands.
What no article says is in the chapters after them: the rules of the game that is extended, and the decisions.

The table of penalties is read off the book. What has a penalty is a rule that says what a forbidden act costs
(``lest``), a rule under a clause of the kind ``penalty`` or ``irregularity`` by which points or the game go to a side,
or what the referee may do under one of the kind ``penalty``. The cost is the sentence of the effect that the rule
applies, if it rests on such a clause too; the effect's exceptions tell what it costs again, or in other cases. Where a
rule changes the position by itself, or by an effect that is no penalty, its own sentence tells the cost.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from truco_spec.base.document import Cell, Document, Grid, Heading, Item, Items, Paragraph
from truco_spec.base.errors import TrucoError, located
from truco_spec.base.project import Project, project_of
from truco_spec.base.words import Sentence, Words
from truco_spec.books.book import Book, BookAuthority, BookEntry, Section, book_of, options_deciding
from truco_spec.graph.model import DECIDED, MOST_GRAPHS, OBSERVED, REFEREE_NAME, Apply, Change, Graph, Rule, by_identity
from truco_spec.graph.sources import Article, Clause, registry
from truco_spec.graph.walk import data_read, datum_of, flat_changes

KEY = "penalties"
"""The key of the section with the table, in a book in the order of articles."""
TITLE, NONE = "Penalties", "This game has no penalties."
CAPTION = "What has a penalty, and what it costs"
COLUMNS = ("what", "source", "what it costs", "again, or in other cases")
ARTICLE = "article"
"""What the column of sources is called in the book of a regulation."""
AS_SAID, AS_ABOVE = "as is said there", "as in {number}"
SCORED = ("score", "winner")
"""The observations of a side's points, and of the match."""
_PENALTY, _IRREGULARITY = "penalty", "irregularity"
"""The kinds of the clauses that say what something costs, and what follows when something went wrong."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """``entry`` is the offence, ``articles`` are its places; ``first`` and ``again`` are sentences.

    They tell the usual cost, and what it costs again or otherwise.
    """

    entry: BookEntry
    articles: tuple[str, ...]
    first: tuple[str, ...]
    again: tuple[str, ...]


def penalties_of(book: Book) -> list[Penalty]:
    """The penalties of a book, in its order."""
    entries = {entry.name: entry for section in book.sections for entry in section.entries}
    costly = {name: changes for name, entry in entries.items() if (changes := _punishing(book, entry))}
    direct = {change.effect for change in _of_referee(book.graph, costly) if isinstance(change, Apply)}

    def costs(changes: Iterable[Change]) -> Iterator[tuple[bool, str]]:
        """Whether it is the usual cost, and its sentence; an effect that has a penalty of its own is left to that."""
        for applied in (change.effect for change in changes if isinstance(change, Apply)):
            for turn in book.graph.effects[applied].turns:
                if turn.name in entries and _rests_on(entries[turn.name], _PENALTY):
                    yield turn.name == applied, entries[turn.name].sentence
                yield from costs(c for c in turn.changes if isinstance(c, Apply) and c.effect not in direct)

    found = []
    for name, changes in costly.items():
        told = dict.fromkeys(costs(changes))
        first, again = ([sentence for usual, sentence in told if usual is wanted] for wanted in (True, False))
        found.append(Penalty(entries[name], _articles(book, entries[name]), tuple(first), tuple(again)))
    return found


def table_of_penalties(book: Book, words: Words, *, listed: bool = False) -> Document:
    """The table, with the number that each rule has in the book; ``listed``: as a list, for a terminal."""
    yield Heading(1, f"{book.title}: {words(TITLE)}")
    columns, rows = columns_of(book.variant, words), list(rows_of(book, words))

    def labelled(cells: Iterable[str]) -> tuple[Paragraph, ...]:
        return tuple(Paragraph(f"{label}: {cell}") for label, cell in zip(columns[1:], cells, strict=True) if cell)

    if not rows:
        yield Paragraph(words(NONE))
    elif listed:
        yield Items(tuple(Item(what, labelled(cells)) for what, *cells in rows))
    else:
        yield Grid(columns, tuple((what, tuple(map(Cell, cells))) for what, *cells in rows))


def columns_of(variant: str, words: Words) -> tuple[str, ...]:
    what, source, *costs = COLUMNS
    return tuple(map(words, (what, ARTICLE if has_articles(variant) else source, *costs)))


def rows_of(book: Book, words: Words) -> Iterator[tuple[str, ...]]:
    """The rows, as text. What no article says has the name of its source; a cost is said once, then where it stands."""
    above: dict[tuple[object, object], str] = {}
    for each in penalties_of(book):
        cost, again, number = " ".join(each.first) or words(AS_SAID), " ".join(each.again), each.entry.number
        if each.first and (stands := above.setdefault((cost, again), number)) != number:
            cost, again = words(AS_ABOVE).replace("{number}", stands), ""
        places = dict.fromkeys(_where(book, article, words) for article in each.articles)
        yield f"{number} {each.entry.sentence}", ", ".join(places), cost, again


def _where(book: Book, article: str, words: Words) -> str:
    source = article.partition(":")[0]
    return words("our reading") if source == DECIDED else source if source in book.sources else article


def _punishing(book: Book, entry: BookEntry) -> list[Change]:
    """Return the changes by which a rule, or one of a construct, punishes."""
    rules = (rule for rule in book.graph.rules.values() if entry.name in (rule.name, rule.source.construct))
    return [change for rule in rules for change in _costing(book.graph, rule, entry)]


def _costing(graph: Graph, rule: Rule, entry: BookEntry) -> tuple[Change, ...]:
    """Return the changes by which a rule punishes: a forbidden action has a cost, or a clause calls it a penalty."""
    told, changes = _rests_on(entry, _PENALTY), (*rule.do, *rule.lest)
    if rule.outsider == REFEREE_NAME:
        return changes if told else ()
    if _scored(graph).isdisjoint(map(datum_of, flat_changes(graph, changes))):
        return rule.lest if told else ()
    return changes if rule.lest or _rests_on(entry, _PENALTY, _IRREGULARITY) else ()


@by_identity(MOST_GRAPHS)
def _scored(graph: Graph) -> frozenset[str]:
    """The data that a game reports as its score and its winner."""
    told = (graph.defines[OBSERVED + name] for name in SCORED if OBSERVED + name in graph.defines)
    return frozenset(data_read(graph, (answer.value for define in told for answer in define.answers)))


def _of_referee(graph: Graph, costly: Mapping[str, Iterable[Change]]) -> Iterator[Change]:
    """Return the changes by which the referee punishes."""
    for name, changes in costly.items():
        if name in graph.rules and graph.rules[name].outsider == REFEREE_NAME:
            yield from changes


def _rests_on(entry: BookEntry, *kinds: str) -> bool:
    """Whether it cites a clause of one of these kinds."""
    return any(clause and clause.kind in kinds for _, clause in _clauses(entry))


def _clauses(entry: BookEntry) -> list[tuple[BookAuthority, Clause | None]]:
    cited = [authority for authority in entry.authorities if authority.source != DECIDED]
    return [(each, registry(each.source).clauses.get(each.clause)) for each in cited]


def _articles(book: Book, entry: BookEntry) -> tuple[str, ...]:
    """Return the articles of the regulation for it; without any, the clauses, those on penalties if there are any."""
    project = project_of(book.variant)
    own = project.sources() if project else {}
    places = [registry(a.source).clauses[a.clause].locator for a in entry.authorities if a.source in own]
    if places:
        return tuple(dict.fromkeys(places))
    telling = [authority for authority, clause in _clauses(entry) if clause and clause.kind == _PENALTY]
    return tuple(f"{a.source}:{a.clause}" for a in telling or entry.authorities)


# --------------------------------------------------------------------------------------------------
# The book in the order of the articles.


LEFT = "What the articles leave to the rules of the game"
"""The heading of what no article says."""


class NoArticles(TrucoError):
    """The book of this variant cannot follow the articles of a regulation."""


def has_articles(variant: str) -> bool:
    """Whether the variant is of a project whose sources have articles, so that its book can follow them."""
    project = project_of(variant)
    return project is not None and any(registry(name).record.articles for name in project.sources())


def printed_book(graph: Graph, words: Words) -> Book:
    """Return the book of a game as a site prints it: in the order of articles, if there are any."""
    book = book_of(graph, words)
    return in_order_of_articles(book, words) if has_articles(graph.name) else book


def in_order_of_articles(book: Book, words: Words) -> Book:
    """Return the book with a section for each article, then the chapters with the rest. Raises :class:`NoArticles`."""
    project = project_of(book.variant)
    if project is None:
        wrong = Sentence("This is the variant of no project; a project's source has articles.")
        raise NoArticles(located(book.variant, wrong))
    told = _Articles(book, words, project)
    found = tuple(told.sections())
    if not found:
        wrong = Sentence("No source of this project has articles; add them (docs/federation.md).")
        raise NoArticles(located(project.root, wrong))
    left = tuple(told.left())
    rest = tuple(reading for reading in book.readings if reading.name not in told.told)
    ordered = replace(book, sections=(*found, *left), readings=rest)
    if not penalties_of(ordered):
        return ordered
    letter = string.ascii_uppercase[len(left)]
    return replace(ordered, sections=(*ordered.sections, Section(KEY, letter, words(TITLE), "", (), ())))


def _place(entry: BookEntry, source: str, clauses: Sequence[str]) -> int:
    """Return the number of the first of an article's clauses on which a rule rests."""
    cited = {authority.clause for authority in entry.authorities if authority.source == source}
    return next((at for at, clause in enumerate(clauses) if clause in cited), len(clauses))


class _Articles:
    """Collects the rules of each article. ``told`` are the names of those that stand under an article already."""

    def __init__(self, book: Book, words: Words, project: Project) -> None:
        self.book, self.words, self.project = book, words, project
        self.numbers: dict[str, str] = {}
        self.told: set[str] = set()
        self.deciding = options_deciding(book.graph)
        self.citing: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self.cited: set[str] = set()
        own = project.sources()
        for kind, name, source in book.graph.cites:
            for cite in source.cites:
                self.citing.setdefault((cite.source, cite.clause), []).append((kind, name))
                if cite.source in own:
                    self.cited.add(name)

    def sections(self) -> Iterator[Section]:
        for name in self.project.sources():
            for article in registry(name).record.articles:
                yield self._section(name, article)

    def _section(self, source: str, article: Article) -> Section:
        cited = [each for clause in article.clauses for each in self.citing.get((source, clause), ())]
        names = {name for _, name in cited}
        options = {name for kind, name in cited if kind in ("set", "option")}
        meant = [entry for entry in self._entries() if entry.name in names]
        meant += [  # what a setting decides, unless it cites an article itself
            entry
            for entry in self._entries()
            if entry.name not in self.cited and not options.isdisjoint(self.deciding.get(entry.name, ()))
        ]
        meant.sort(key=lambda entry: _place(entry, source, article.clauses))
        entries: list[BookEntry] = []
        for entry in (entry for entry in meant if entry.name not in self.told):
            self.told.add(entry.name)
            self.numbers[entry.name] = f"{article.number}.{len(entries) + 1}"
            entries.append(replace(entry, number=self.numbers[entry.name]))
        own = {entry.number for entry in entries}
        decisions = [r for r in self.book.readings if r.name in names and r.name not in self.told]
        self.told |= {reading.name for reading in decisions}
        return Section(
            f"article-{source}-{article.number}",
            article.number,
            self._in_language(article.heading),
            "",
            tuple(entries),
            (),
            text=self._in_language(article.text),
            settings=tuple(agreed for agreed in self.book.settings if agreed.name in options),
            decisions=tuple(decisions),
            see=tuple(self.numbers[entry.name] for entry in meant if self.numbers[entry.name] not in own),
        )

    def _entries(self) -> Iterator[BookEntry]:
        yield from (entry for section in self.book.sections for entry in section.entries)

    def _in_language(self, told: Mapping[str, str]) -> str:
        """An article's words: as the federation has them in this language, else in its own."""
        found = told.get(self.words.language)
        if found is None and told:
            self.words.missing[next(iter(told.values()))] = None
        return found or next(iter(told.values()), "")

    def left(self) -> Iterator[Section]:
        """The chapters with the rules that no article has; lettered, as the articles have numbers."""
        letters = iter(string.ascii_uppercase)
        part = self.words(LEFT)
        for section in self.book.sections:
            entries = [entry for entry in section.entries if entry.name not in self.told]
            if not entries:
                continue
            letter = next(letters)
            numbered = (replace(entry, number=f"{letter}.{at}") for at, entry in enumerate(entries, 1))
            yield replace(section, number=letter, entries=tuple(numbered), part=part)
            part = ""
