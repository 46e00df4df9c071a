"""The search of the site: an index for each language, with the words that players use for the same thing.

The texts are short, so the page brings them whole, with the stem of every word in them, and ``search.js`` ranks them
(BM25). Stems come from Snowball; synonyms and words to skip stand in ``spec/search.yaml``, and the glossary; what
players ask for a rule in ``spec/asked.yaml``.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

from babel import Locale
from markupsafe import Markup

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.harmless import visible
from truco_spec.base.shipped import ENGLISH
from truco_spec.books.articles import printed_book
from truco_spec.books.book import Book, options_deciding
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import Addresses, SiteInputs, framed, in_each, rule_words, words
from truco_spec.graph.model import DECIDED
from truco_spec.graph.plan import glossary
from truco_spec.graph.sources import registry, sources, speaks_of
from truco_spec.pages.cards import pack_of, title, written
from truco_spec.pages.moments import board

# ---- Data: words alike, words to skip, what is asked ---------------------------------------------


@dataclass(frozen=True, slots=True)
class SearchWords:
    """The words of one language."""

    skip: Annotated[str, "Words that are in every question and find nothing, between blanks."]
    means: Annotated[str, "Phrases that ask for the meaning of a word, and find nothing themselves, between commas."]
    same: Annotated[tuple[str, ...], "Ways to write one word, between blanks: numbers, forms that no stemmer knows."]
    alike: Annotated[tuple[str, ...], "Words and phrases that players use for the same thing, between commas."]


@dataclass(frozen=True, slots=True)
class SearchFile:
    """``spec/search.yaml``."""

    search: Literal[1]
    licence: str
    languages: Annotated[Mapping[str, SearchWords], "The words, by language."]


@cache
def search_words(language: str) -> SearchWords:
    """The words of a language. Raises :class:`~truco_spec.base.safe_yaml.YamlError`."""
    return safe_yaml.load_file(shipped.folder("spec") / "search.yaml").shaped(SearchFile).languages[language]


@dataclass(frozen=True, slots=True)
class AskedFile:
    """``spec/asked.yaml``."""

    asked: Literal[1]
    licence: str
    rules: Annotated[Mapping[str, Mapping[str, str]], "Questions between commas, by rule and language."]
    options: Annotated[Mapping[str, Mapping[str, str]], "The same, by option."]


@cache
def asked() -> Mapping[str, Mapping[str, str]]:
    """Return the players' questions, by rule (or option) and language. Raises
    :class:`~truco_spec.base.safe_yaml.YamlError`.
    """
    held = safe_yaml.load_file(shipped.folder("spec") / "asked.yaml").shaped(AskedFile)
    return {**held.rules, **held.options}


# ---- Entries -------------------------------------------------------------------------------------

RULE, OPTION, DECISION, WORD, CLAUSE, QUESTION, DOCUMENT, CHAPTER = range(8)
"""The kinds of entries, as in ``search.js``."""

KINDS = (
    "", "What may be agreed", "Where the sources are silent", "Words and signs of the table", "Clauses", "Questions",
    "Docs", "",
)  # fmt: skip
"""The label of an entry before its places; documents are in English only."""


@dataclass(slots=True)
class SearchEntry:
    """A text that is found.

    ``places`` are games, and the number of the text in the book of each; an ``address`` is that of the only place, up
    to the name if it ends in ``#``. ``beside`` are further words that find it. ``near`` are kinds and names of entries
    whose words find it too: the options and decisions that a rule depends on and the questions about them, the clauses
    that it cites, the terms that render these.
    """

    kind: int
    name: str
    text: str
    beside: str = ""
    address: str = ""
    places: dict[str, str] = field(default_factory=dict)
    near: set[tuple[int, str]] = field(default_factory=set)

    def data(self, numbers: Mapping[str, int], at: Mapping[tuple[int, str], list[int]], address: int) -> list[object]:
        """Return the entry as the page has it; ``address`` is its number among those of the index."""
        places = [part for game, number in self.places.items() for part in (numbers[game], number)]
        near = sorted(n for key in self.near for n in at.get(key, ()))
        texts = [visible(text) for text in (self.name, self.text, self.beside)]
        whole: list[object] = [self.kind, *texts[:2], places, texts[2], near or 0, address]
        while not whole[-1]:
            whole.pop()
        return whole


def entries(inputs: SiteInputs, language: str) -> Iterator[SearchEntry]:
    """Everything that can be found in a language. What is not translated is not found."""
    found: dict[tuple[int, str, str], SearchEntry] = {}
    for game in _in_order(inputs, language):
        graph = inputs.graphs[game]
        told = inputs.books[game] if language == ENGLISH else printed_book(graph, rule_words(language))
        cards = _Cards([card.name for card in graph.cards], language)
        for entry, number in (*_of_book(told), *_of_glossary(graph.lineage, language)):
            entry.beside = " ".join(filter(None, (entry.beside, cards.named_in(entry.text))))
            held = found.setdefault((entry.kind, entry.name, entry.text), entry)
            held.places[game] = number
            held.near |= entry.near
    yield from found.values()
    yield from _of_all_variants(inputs, language)


def _in_order(inputs: SiteInputs, language: str) -> list[str]:
    """The games, first the one that people who speak the language know best."""
    return sorted(inputs.graphs, key=lambda name: name != board().first[language])


def _of_book(told: Book) -> Iterator[tuple[SearchEntry, str]]:
    deciding = options_deciding(told.graph)
    asked = {option.name: (QUESTION, option.told) for option in told.options}
    terms = glossary().naming()
    for section in told.sections:
        if section.about:
            about = _ASIDE.sub("", section.about)  # ranks in brackets are no words to be found by
            yield SearchEntry(CHAPTER, section.key, about, section.title), section.number
        for entry in (*section.entries, *section.otherwise):
            options = deciding.get(entry.name, frozenset())
            near = {(OPTION, option) for option in options} | {asked[option] for option in options & asked.keys()}
            near |= {(DECISION if a.source == DECIDED else CLAUSE, a.clause) for a in entry.authorities}
            near |= {(WORD, e.term.term) for a in entry.authorities for e in terms.get((a.source, a.clause), ())}
            yield SearchEntry(RULE, entry.name, entry.sentence, section.title, near=near), entry.number
    for option in told.options:
        values = " ".join(value.told for value in (option.value, *option.others))
        yield SearchEntry(OPTION, option.name, option.sentence, values, near={asked[option.name]}), ""
    for reading in told.readings:
        yield SearchEntry(DECISION, reading.name, reading.reading), ""


def _of_glossary(lineage: tuple[str, ...], language: str) -> Iterator[tuple[SearchEntry, str]]:
    for held in glossary().entries:
        if any(speaks_of(held.source, clause, lineage) for clause in held.term.clauses):
            term = held.term
            name = getattr(term.called, language) if term.called else term.term
            gesture = getattr(term.gesture, language) if term.gesture else ""
            text = " ".join(filter(None, (f"{name}: {getattr(term.meaning, language)}", gesture)))
            sign = words(language)(KINDS[WORD]) if gesture else ""
            yield SearchEntry(WORD, name, text, " ".join((*term.also, sign))), ""


def _of_all_variants(inputs: SiteInputs, language: str) -> Iterator[SearchEntry]:
    to, rules = Addresses(language=language), rule_words(language)
    for source in sources():
        for clause in registry(source).clauses.values():
            if text := rules.told(clause.text):
                address = f"{to.clause(source, clause.id).partition('#')[0]}#"
                yield SearchEntry(CLAUSE, clause.id, text, address=address)
    for n, part in enumerate(inputs.table(language).parts, 1):
        for row in part.rows:
            yield SearchEntry(QUESTION, row.ask, "", address=to.table(n))
    if language != ENGLISH:
        return
    for heading, text, address in documents.searched():
        yield SearchEntry(DOCUMENT, heading, text, address=address)


class _Cards:
    """Finds the names of cards in a text: “7♥” is also found as “7 of hearts”."""

    def __init__(self, names: list[str], language: str) -> None:
        pack = pack_of(names)
        self._called = {shown: title(name, pack, language) for name in names for shown in (name, written(name, pack))}

    def named_in(self, text: str) -> str:
        found = (self._called.get(word.strip(".,;:()")) for word in text.split())
        return " ".join(called for called in found if called)


# ---- The index -----------------------------------------------------------------------------------


def index_of(inputs: SiteInputs, language: str) -> dict[str, Any]:
    """The index of a language, as ``search.js`` reads it."""
    order, told = _in_order(inputs, language), rule_words(language)
    numbers = {name: n for n, name in enumerate(order)}
    held = list(entries(inputs, language))
    at: dict[tuple[int, str], list[int]] = {}
    for n, entry in enumerate(held):
        at.setdefault((entry.kind, entry.name), []).append(n)
    addresses = {address: n for n, address in enumerate(dict.fromkeys(["", *(entry.address for entry in held)]))}
    found = [entry.data(numbers, at, addresses[entry.address]) for entry in held]
    titles = {name: visible(told(inputs.graphs[name].title)) for name in order}
    named = {name: {*name.split("-"), *re.findall(r"\b[^\W\d_a-z]\w+", called)} for name, called in titles.items()}
    often = Counter(word for own in named.values() for word in own)
    alike = [
        *(group.split(",") for group in search_words(language).alike),
        *((e.term.term, *e.term.also) for e in glossary().entries if e.term.also),
    ]
    texts = [text for entry in held for text in (entry.name, entry.text, entry.beside)]
    texts += [phrase for group in alike for phrase in group]
    questions = {rule: asks[language] for rule, asks in asked().items() if language in asks}
    skip = plain_words(search_words(language).skip)
    means = [" ".join(plain_words(phrase)) for phrase in search_words(language).means.split(",")]
    return {
        "language": language,
        "kinds": [told.catalog.get(kind) or words(language)(kind) for kind in KINDS],
        "variants": [
            [name, called, " ".join(sorted(word for word in named[name] if often[word] < len(order) / 2))]
            for name, called in titles.items()
        ],
        "skip": " ".join(skip),
        "means": means,
        "alike": alike,
        "stems": _stems([*texts, *questions.values()], language),
        "asked": {rule: _without(skip, text) for rule, text in questions.items()},
        "addresses": list(addresses),
        "entries": found,
    }


_ASIDE = re.compile(r" \([^()]*\)")
_WORD = re.compile(r"[^\W_]+")


def plain_words(text: str) -> list[str]:
    """The words of a text, in small letters without accents; the same as in ``search.js``."""
    return [_plain(word) for word in _WORD.findall(unicodedata.normalize("NFC", text))]


def _plain(word: str) -> str:
    apart = unicodedata.normalize("NFD", word)
    return "".join(letter for letter in apart if not unicodedata.category(letter).startswith("M")).lower()


def _without(skip: Collection[str], text: str) -> str:
    return " ".join(word for word in plain_words(text) if word not in skip)


def _stems(texts: Iterable[str], language: str) -> dict[str, str]:
    """Map each plain word in these texts to its stem, if it is another word; all spellings of a word have one stem."""
    import snowballstemmer  # type: ignore[import-untyped]

    stemmer = snowballstemmer.stemmer(str(Locale(language).english_name).lower())
    same = search_words(language).same
    words = {word.lower() for text in (*texts, *same) for word in _WORD.findall(unicodedata.normalize("NFC", text))}
    stems = {_plain(word): _plain(stemmer.stemWord(word)) for word in sorted(words)}
    # Snowball leaves the plural of short words alone: oros, reis.
    stems |= {word: stems[word[:-1]] for word in stems if len(word) > 3 and word[-1] == "s" and word[:-1] in stems}
    first = {stems[word]: stems[ways[0]] for ways in map(plain_words, same) for word in ways}
    return {word: first.get(stem, stem) for word, stem in stems.items() if word != first.get(stem, stem)}


# ---- The page ------------------------------------------------------------------------------------


def page_of(inputs: SiteInputs, language: str) -> str:
    """The page of a language, with its index in it."""
    to = Addresses(language=language)
    data = json.dumps(index_of(inputs, language), ensure_ascii=False, separators=(",", ":"))
    return framed(
        "search",
        "",
        "search",
        language=language,
        here=in_each(to.search),
        index=Markup(data.replace("<", "\\u003c")),  # noqa: S704 -- data of a script, which nothing in it can end
        books=[(rule_words(language)(graph.title), to.book(name)) for name, graph in inputs.graphs.items()],
    )
