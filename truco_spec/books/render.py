"""Renders a book as one HTML file or as Markdown, with Jinja2 templates that escape all values; prints PDF."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from truco_spec.base.document import plain
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import project_of
from truco_spec.base.words import Sentence, Words, joined, names_in
from truco_spec.books.book import Book, BookAuthority
from truco_spec.books.whole import SOME, Whole, with_examples
from truco_spec.books.worked_tables import table_of
from truco_spec.graph.model import DECIDED, Graph
from truco_spec.graph.plan import FacePart, plan
from truco_spec.pages.cards import letters, pack_of, symbols, title, with_signs
from truco_spec.pages.html import page

SIZES = ("a4", "letter")
"""Sizes of paper."""
_LONGEST_HEAD = 120
"""Characters of the line on top of a printed page."""
_EMPTY_LINES = re.compile(r"\n{3,}")


def html_of(
    whole: Whole,
    words: Words,
    site: Mapping[str, object] | None = None,
    size: str = SIZES[0],
    examples: str = SOME,
    printed: str = "",
) -> str:
    """Render the book as one HTML file: cards and seats drawn, every rule with a permalink, no network access.

    ``size`` is that of the paper it is printed on; on A3 the first page alone is printed, as a poster. Of the
    ``examples`` some, all or none are unfolded, and printed. ``printed`` is the edition and the date of a printed book;
    of a project's, which has an edition of its own, what made it, and when.

    ``site``, if the book is a page of one: ``to`` has the addresses (:mod:`truco_spec.books.site.page_frame`),
    ``others`` the same book in other languages, ``cases`` the address of each case.
    """
    names = [card.name for card in whole.book.graph.cards]
    pack = pack_of(names)
    values = {
        **_values(whole, words),
        "symbols": symbols(names, pack),
        "card_title": lambda name: title(name, pack, words.language),
        "face_of": face_of,
        "is_card": frozenset(names).__contains__,
        "seats": _seats(whole.book.graph.seats),
        "site": site,
        "frame": site["frame"] if site else None,
        "unfolded": with_examples(whole, examples).examples,
        "printed": printed,
    }
    front = _front(whole.book.variant, words)
    edition = [printed if front else f"{words('Edition')} {printed}"] if printed else []
    head = _running_head(whole.book.title, front[:2] + edition)
    return page(__package__ or "", "book", values, styles=("book", f"paper-{size}"), style=head)


def _running_head(title: str, front: Sequence[str]) -> str:
    """The style of a line on top of each printed page but the first: the title, who gives the book out, the edition."""
    told = " · ".join((title, *front))[:_LONGEST_HEAD]
    text = "".join(sign if sign.isalnum() or sign == " " else f"\\{ord(sign):x} " for sign in told)
    style = f'content: "{text}"; font: 8pt system-ui, sans-serif;'
    return f'@page {{ @top-center {{ {style} }} }} @page :first {{ @top-center {{ content: ""; }} }}'


def markdown_of(whole: Whole, words: Words) -> str:
    """Render the book as Markdown; values are escaped to plain text on one line."""
    environment = Environment(  # noqa: S701 -- escaped for Markdown
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_escaped
    )
    template = resources.files(__package__ or "").joinpath("book.md.jinja").read_text(encoding="utf-8")
    made = environment.from_string(template.replace("\r\n", "\n")).render(**_values(whole, words))
    lines = "\n".join(line.rstrip() for line in made.splitlines())
    return _EMPTY_LINES.sub("\n\n", lines).strip() + "\n"


def _escaped(value: object) -> object:
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _values(whole: Whole, words: Words) -> dict[str, object]:
    book = whole.book
    cards = {card.name: card.present for card in book.graph.cards}
    pack = pack_of(cards)
    cited: dict[str, dict[str, BookAuthority]] = {name: {} for name in book.sources}
    for section in book.sections:
        for entry in section.entries:
            for authority in entry.authorities:
                if authority.source in cited:
                    cited[authority.source].setdefault(authority.clause, authority)
    numbers = {entry.name: entry.number for section in book.sections for entry in section.entries}
    every = [a for section in book.sections for entry in section.entries for a in entry.authorities]
    every += [a for reading in book.readings for a in reading.resolves]
    notes = list(dict.fromkeys((a.source, a.clause) for a in every if a.source != DECIDED))
    at = {note: number for number, note in enumerate(notes, 1)}
    parts = [
        (key, words(title))
        for key, title, there in (
            ("words", "Words and signs of the table", whole.terms),
            ("options", "What may be agreed", book.options),
            ("readings", "Where the sources are silent", book.readings),
            ("sources", "Sources", True),
        )
        if there
    ]
    return {
        "whole": whole,
        "front": [*_name_of_rules(book, words), *_front(book.variant, words)],
        "book": book,
        "language": words.language,
        "_": words,
        "known": words.known,
        "titled": words.told,
        "moves": words.moves,
        "listed": lambda names: joined(names, words("and")),
        "cited": cited,
        "numbers": numbers,
        "notes": notes,
        "marks": lambda cites: _ranges(sorted(at[a.source, a.clause] for a in cites if a.source != DECIDED)),
        "parts": parts,
        "after": lambda key: parts[[name for name, _ in parts].index(key) + 1],
        "written": lambda text: with_signs(text, cards, pack),
        "letters": letters([name for name, present in cards.items() if present], pack, words.language),
        "names": names_in(words.language)[: book.graph.seats],
        "players": book.graph.seats,
        "teams": book.graph.teams,
        "in_language": lambda told: getattr(told, words.language),
    }


def _ranges(numbers: Sequence[int]) -> str:
    """Join consecutive numbers into ranges."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in found)


def _front(variant: str, words: Words) -> list[str]:
    """Return the data of the project's manifest beside the title."""
    project = project_of(variant)
    if project is None:
        return []
    told = project.manifest
    number = f"{words('Edition')} {told.edition}" if told.edition[:1].isdigit() else told.edition
    edition = " · ".join(filter(None, (number, told.date)))
    return [line for line in (told.organisation, edition, told.address) if line]


def _name_of_rules(book: Book, words: Words) -> list[str]:
    """Return the title of the project's manifest, in this language or the project's; nothing if it is the book's."""
    project = project_of(book.variant)
    called = project.manifest.title if project else ""
    told = called if isinstance(called, str) else called.get(words.language, next(iter(called.values()), ""))
    return [told] if told not in ("", book.title) else []


def _seats(count: int) -> list[tuple[int, int, int]]:
    """The seats in a square of 200: number, x and y; the first at the bottom, the next on its right."""
    found = []
    for seat in range(count):
        angle = math.pi / 2 - 2 * math.pi * seat / count
        found.append((seat, round(100 + 74 * math.cos(angle)), round(100 + 74 * math.sin(angle))))
    return found


# ---- PDF, printed by the Chromium or Chrome of this machine, better than by any library -----------

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 60
_FLAGS = (
    "--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-sync", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)  # fmt: skip


class NoPdf(TrucoError):
    """The page cannot be printed here; the message says why and what to do."""


def pdf_of(page: str) -> bytes:
    """Print the page. It is our own, makes no network requests, and its policy allows no script but its own.

    Raises :class:`NoPdf` if there is no browser, or it fails or takes more than a minute.
    """
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        form = "A PDF is printed by Chromium or Chrome, and none is here. Install one, or print the HTML yourself."
        raise NoPdf(Sentence(form))
    with tempfile.TemporaryDirectory(prefix="truco-spec-") as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        command = [browser, *_FLAGS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)  # noqa: S603 -- found above
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            form = "{browser} did not print the page: {error}. Try it again, or print the HTML yourself."
            raise NoPdf(Sentence(form, browser=browser, error=str(error))) from None


# --------------------------------------------------------------------------------------------------
# A score sheet to write on, and a card for the table: what beats what, and what the words are worth.


STROKES = 5
"""The strokes of a figure: four sides and a diagonal, as they are drawn or laid at the table."""


@dataclass(frozen=True, slots=True)
class TallySquare:
    """One square of strokes: their number, the points at its end, and whether a half of the game ends there."""

    strokes: int
    points: int
    half: bool


def figures(points: int, *, halves: bool) -> tuple[TallySquare, ...]:
    """The squares that hold this number of points; a half ends with a square of its own."""
    found: list[TallySquare] = []
    parts = (points // 2, points - points // 2) if halves else (points,)
    told = 0
    for at, part in enumerate(parts):
        for left in range(part, 0, -STROKES):
            strokes = min(STROKES, left)
            told += strokes
            found.append(TallySquare(strokes, told, half=left <= STROKES and at < len(parts) - 1))
    return tuple(found)


def scoresheet_of(graph: Graph, words: Words, size: str = SIZES[0]) -> str:
    """The sheet of a game as one HTML file. It has no figures where the points played for are not a number."""
    wanted = plan().scoresheet
    options = graph.options
    upto = options[wanted.upto].value if wanted.upto in options else ""
    halves = any(name in options and options[name].value == value for name, value in wanted.halves.items())
    names = [card.name for card in graph.cards]
    pack = pack_of(names)
    tables = [table for each in plan().tables if (table := table_of(graph, each, words))]
    values = {
        "name": words(graph.title),
        "language": words.language,
        "_": words,
        "teams": graph.teams,
        "upto": upto,
        "figures": figures(int(upto), halves=halves) if upto.isdigit() else (),
        "tables": tables,
        "symbols": symbols(names, pack),
        "card_title": lambda name: title(name, pack, words.language),
    }
    return page(__package__ or "", "scoresheet", values, styles=("book", "scoresheet", f"paper-{size}"))


# ---- Faces that make a sign to a partner, drawn of parts; their right is on the left --------------

_HEAD = '<circle cx="30" cy="30" r="23"/>'
_EYES = {"right": 21, "left": 39}
_MOUTHS: dict[FacePart, str] = {
    "mouth drawn right": '<path class="line" d="M15 40q3 4 9 4h12"/>',
    "mouth drawn left": '<path class="line" d="M45 40q-3 4-9 4H24"/>',
    "lip bitten": '<path class="line" d="M21 42h18"/><path class="white" d="M26 42h4v4h-4zM30 42h4v4h-4z"/>',
    "lips pushed out": '<circle class="lips" cx="30" cy="43" r="5"/><path class="line" d="M28 43h4"/>',
    "mouth open": '<ellipse class="ink" cx="30" cy="43" rx="6" ry="7"/>',
}
_SMILE = '<path class="line" d="M22 41q8 5 16 0"/>'
_NOSE = '<path class="line" d="M30 28l-2 8h4"/>'
_WRINKLED = '<path class="line" d="M25 29l10 0M26 32l8 0M27 36q3 2 6 0"/>'
_SHOULDERS = '<path class="shirt" d="M2 70q2-14 17-17h22q15 3 17 17z"/>'
_HAND = '<path d="M44 70q-4-9 2-13 7-3 11 4l3 9z"/><path class="line" d="M47 58v5M51 57v6M55 59v5"/>'


def face_of(parts: Collection[FacePart]) -> Markup:
    """Return the face as SVG, beside the words that describe the sign."""
    lifted = 5 if "brows up" in parts else 0
    drawn = [_SHOULDERS, _HEAD, _HAND if "hand on shoulder" in parts else ""]
    for side, x in _EYES.items():
        drawn.append(f'<path class="line" d="M{x - 5} {21 - lifted}q5-{3 + lifted} 10 0"/>')
        if f"{side} eye shut" in parts:
            drawn.append(f'<path class="line" d="M{x - 4} 27q4 3 8 0"/>')
        else:
            drawn.append(f'<circle class="ink" cx="{x}" cy="27" r="2.2"/>')
    drawn.append(_WRINKLED if "nose wrinkled" in parts else _NOSE)
    drawn.append(next((_MOUTHS[part] for part in parts if part in _MOUTHS), _SMILE))
    return Markup(f'<svg class="face" viewBox="0 0 60 70" aria-hidden="true">{"".join(drawn)}</svg>')  # noqa: S704 -- ours
