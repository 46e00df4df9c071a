"""The words of a text that only the catalogs of other languages have.

What players say (``aceito``, ``quiero``) stays as they say it, names and words of the glossary too.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from release.catalogs import TRANSLATED
from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in, words_in
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import glossary
from truco_spec.language.diagnostics import NOWHERE, Diagnostic, render
from truco_spec.language.grammar import grammar
from truco_spec.language.parse_errors import messages
from truco_spec.pages.cards import letters, pack_of

HOLE = re.compile(r"\{[^}]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")
NOT_PROSE = re.compile(
    r"`[^`]*`|<sup>.*?</sup>|<a id=[^>]*>|\]\(#[^)]*\)|\*\*[^*]*\*\*|^- \w+:(?= )|@[\w:.-]+"
    r"|[\w.-]+\.(?:yaml|md)\b|--[\w-]+",
    re.MULTILINE,
)
"""Names of the specs, citations, links, words of the glossary, names of sources, files and options of commands."""
NO_WORD = frozenset({"quinze", "tanto", "unknown", *WORD.findall(" ".join(variant_names()))})
"""Said in a case, and refused, for no game has them; the drawing of a hidden card; the names of games."""
IN_BOTH = frozenset(
    WORD.findall(
        "afirma busca castiga club compare data fecha hora irregular liga marcados pegado pegar rápido red go wheel"
    )
)
"""Words of both languages that the catalogs of one happen to lack; a language and a file of programmers."""


def words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in WORD.findall(text))


@cache
def vocabulary(language: str) -> frozenset[str]:
    """The words of the catalogs (those of English are what is translated), of the glossary, and on the cards."""
    found = [words_in(language if language in TRANSLATED else TRANSLATED[0], name) for name in ("rules", "site")]
    sentences = [
        text for words in found for text in (words.catalog.values() if language in TRANSLATED else words.catalog)
    ]
    terms = [entry.term for entry in glossary().entries]
    meanings = [getattr(text, language) for term in terms for text in (term.meaning, term.gesture) if text]
    packs = ({card.name for card in load(name).cards} for name in ("argentino", "mineiro"))
    cards = [called for names in packs for called in letters(names, pack_of(names), language).values()]
    return words_of((*sentences, *meanings, *cards))


def said(graph: Graph) -> frozenset[str]:
    """What can be said, the names of all other actions aside: they are translated."""
    acts = words_in(TRANSLATED[0]).catalog
    spoken = (name for name in (*graph.actions, *graph.words) if f"act\4{name}" not in acts)
    params = (param.type for kind in graph.actions.values() for param in kind.params)
    shown = (member for kind in params if kind.base == "order" for member in graph.orders[kind.name])
    written = (HOLE.sub(" ", way) for kind in graph.actions.values() for way in kind.written)
    words = (word for way in written for word in way.split() if f"act\4{word}" not in acts)
    return words_of(name.replace("-", " ") for name in (*spoken, *shown, *words))


def foreign(text: str, language: str, *graphs: Graph) -> Iterator[str]:
    """Each word of another language, with its line. ``graphs`` are the games that the text is about."""
    others = frozenset().union(*(vocabulary(other) for other in LANGUAGES if other != language))
    strange = others - vocabulary(language) - NO_WORD - IN_BOTH - frozenset().union(*map(said, graphs))
    for line in NOT_PROSE.sub(" ", text).splitlines():
        yield from (f"{word}: {line}" for word in WORD.findall(line) if word.lower() in strange)


def foreign_in_mistakes(found: Sequence[Diagnostic], text: str, language: str) -> list[str]:
    """Each word of another language in what is said of a text; its own words, and those of its language, aside."""
    with speaking(spoken_in(language)):
        told = "\n".join(render(replace(d, span=NOWHERE)) for d in found)
    for example in sorted(messages().examples.values(), key=len, reverse=True):
        told = told.replace(example, " ")
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if sign.isascii())  # names, as proposed
    files = (span.file for d in found for _, span in d.notes)
    theirs = words_of([text, plain, *grammar().words, *files])
    return [hit for hit in foreign(told, language) if hit.partition(":")[0].lower() not in theirs]


TAG = re.compile(r"<[^>]*>")
TOLD = re.compile(
    r"""\b(?:aria-label|title|alt|placeholder|data-(?:words|titles|labels|moments|hidden|copied|again|move|deal|short))=
    (?:"([^"]*)"|'([^']*)')""",
    re.VERBOSE,
)
"""The attributes that people read or hear, or that a script shows."""
KEY = re.compile(r'"[\w-]+": ?|\["(?:stake|proposal|score)",')
"""The names of JSON, and of the facts on a board: a page has their labels."""
ASIDE = re.compile(r"(?s)<(style|script|code|pre)\b.*?</\1>|<meta http-equiv[^>]*>")
"""What is no prose."""
ELSEWHERE = re.compile(r'(?s)<(\w+)\b[^>]*\blang="\w+"[^>]*>.*?</\1>')
"""What is said to be in another language."""


def text_of_page(page: str) -> str:
    """What a page in HTML, or a drawing in SVG, says in its own language."""
    inner = page.partition("<head>")[2] or page
    inner = ELSEWHERE.sub(" ", ASIDE.sub(" ", inner))
    told = [_unescaped(KEY.sub("", html.unescape(a or b))) for a, b in TOLD.findall(inner)]
    return html.unescape("\n".join((*told, *TAG.sub("\n", inner).splitlines())))


def _unescaped(text: str) -> str:
    r"""JSON may write letters as ``\u00e3``."""
    return re.sub(r"\\u([0-9a-f]{4})", lambda code: chr(int(code[1], 16)), text)
