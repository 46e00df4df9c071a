"""The pictures that chats and networks show for a link (``og:image``): of each game the order of its cards, of each
prepared argument what was played and the verdict, and a general one; in each language.

They are drawn as SVG, rasterised by `resvg <https://pypi.org/project/resvg-py/>`_ and given few colours by Pillow. The
typeface comes from the Python package index, too, so the pictures are the same on every machine: the extra
``truco-spec[pictures]``.
"""

from __future__ import annotations

import importlib
import io
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from markupsafe import escape

from truco_spec.base.harmless import visible
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.words import speaking
from truco_spec.books.site import documents, home
from truco_spec.books.site.page_frame import SiteInputs, rule_words, speech, words
from truco_spec.books.worked_tables import table_of
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.logs.setup import graph_of
from truco_spec.pages.board import words_of
from truco_spec.pages.cards import HEIGHT, WIDTH, pack_of, symbols, title
from truco_spec.pages.moments import REFUSED, Moment, board, track_of

WIDE, HIGH = 1200, 630
"""Pixels; the size that all networks take."""
FOLDER = "pictures/"
GENERAL, WHO = "index", "who"
"""The names of the pictures of the first page, which all others have, and of “Who is right?”."""

_EDGE = 60
_GAP = 10
_FRAME = 6
"""Pixels around the text, between cards, and around a card that is marked."""
_TURN = 12
"""Degrees between the cards of a fan."""
_FELT, _CLOTH, _ON_FELT, _SOFT = "#2f6b4a", "#24543a", "#f4fbf6", "#c9e2d3"
_CHIP, _ON_CHIP, _BAD = "#ffe9a8", "#2a2000", "#b3261e"
_COLOURS = 64
_IN_A_ROW = 14
"""The most cards in a row whose suits are still seen."""
_LETTER = 0.53
"""The mean width of a letter, relative to its size; resvg does not report widths."""


@cache
def made_by() -> str:
    """The libraries that draw, with their versions; empty if one of them is not installed."""
    try:
        return " ".join(f"{name} {version(name)}" for name in ("resvg-py", "pillow", "font-lato"))
    except PackageNotFoundError:
        return ""


def path_of(subject: str, language: str) -> str:
    """Return the path of a picture."""
    return f"{FOLDER}{subject}.{language}.png"


def pictures_of(page: str) -> tuple[str, str]:
    """Return the path of a page's own picture, if its subject (a game, an argument) has one, and that of the general
    one.
    """
    language = next((code for code in page.split(".")[1:-1] if code in LANGUAGES), ENGLISH)
    subject = page.partition(".")[0].replace("atlas/", "rules/")
    return path_of(subject, language), path_of(GENERAL, language)


# ---- The pictures --------------------------------------------------------------------------------


def general(inputs: SiteInputs, language: str) -> bytes:
    """The purpose of the site, and three of the best cards of the language's own game."""
    about = words(language)("Settle an argument, learn a game, test an engine, write your own rules.")
    return _fan(inputs, language, "Truco", about)


def who(inputs: SiteInputs, language: str) -> bytes:
    """The purpose of the page “Who is right?”."""
    told = words(language)
    about = told("Lay out what you remember of a hand, tap what happened, and read which rule decides.")
    return _fan(inputs, language, told("Who is right?"), about)


def _fan(inputs: SiteInputs, language: str, heading: str, about: str) -> bytes:
    first = inputs.graphs.get(board().first[language]) or next(iter(inputs.graphs.values()))
    best = [cards.split()[0] for cards in _order(first, language)[1][:3]]
    drawn = _Drawing(first)
    low = drawn.text(heading, 84, _EDGE, 210, 620, bold=True)
    drawn.text(about, 38, _EDGE, low + 80, 620, fill=_SOFT)
    for n, card in enumerate(reversed(best)):
        drawn.card(card, 720 + 110 * n, 160, 190, turn=_TURN * (n - 1))
    return drawn.png()


def game(inputs: SiteInputs, name: str, language: str) -> bytes:
    """A game: its name, its special features, and its cards from the strongest down."""
    graph, told = inputs.graphs[name], words(language)
    about = next((told(family.members[name]) for family in home.families() if name in family.members), "")
    heading, ranks, turned = _order(graph, language)
    drawn = _Drawing(graph)
    pack = pack_of(card.name for card in graph.cards)
    for place, card in turned:
        heading += f" ({rule_words(language)(place)}: {title(card, pack, language)})"
    low = drawn.text(rule_words(language)(graph.title), 68, _EDGE, 120, 1080, bold=True)
    drawn.text(about, 34, _EDGE, low + 60, 1080, fill=_SOFT, most=3)
    drawn.text(heading, 26, _EDGE, 350, 1080, fill=_CHIP, bold=True, most=1)
    rows = 1 if len(ranks) <= _IN_A_ROW else 2
    across, high = -(-len(ranks) // rows), 225 / rows
    wide = high * WIDTH / HEIGHT
    step = min(wide + _GAP, (WIDE - 2 * _EDGE - wide) / max(across - 1, 1))
    for n, cards in enumerate(ranks):
        drawn.card(cards.split()[0], _EDGE + n % across * step, 370 + n // across * (high + _GAP), wide)
    return drawn.png()


def argument(subject: str, language: str) -> bytes:
    """An argument: the question, the moves, and the verdict."""
    log = f"{subject.removeprefix('docs/')}.yaml"
    held = documents.put_to(log, language)
    assert held is not None
    answer = documents.in_language(log.replace(".yaml", ".md"), language)
    with speaking(speech(language)):
        graph = graph_of(held)
        moments = track_of(held, graph, why=False).moments
        drawn, room = _Drawing(graph), 540
        low = drawn.text(words(language)(documents.question_of(answer)), 50, _EDGE, 100, room, bold=True, most=4)
        drawn.text(documents.summary_of(answer), 26, _EDGE, max(low + 60, 250), room, fill=_SOFT, most=9)
        drawn.text(rule_words(language)(graph.title), 26, _EDGE, HIGH - 44, 380, fill=_CHIP, bold=True, most=1)
        _lay_out(drawn, held.players, moments, words_of(graph))
    return drawn.png()


_MOST, _ACROSS, _NAME = 16, 4, 44
"""Moves, and those in a row; the height of a name below a card."""


def _lay_out(drawn: _Drawing, players: Sequence[str], moments: Sequence[Moment], said: Callable[[str], str]) -> None:
    """The last moves in rows, in their order; cards that take their trick, and a move that is refused, have an edge."""
    last = moments[-1]
    best = {each.card.name for trick in (*last.before, last.trick) for each in trick if each.best}
    turned = [card.name for place in moments[0].places if place.seat < 0 for card in place.cards if card.open]
    for n, name in enumerate(turned[:2]):
        drawn.card(name, 520 - n * 90, 490, 80)
    shown = [moment for moment in moments if moment.number][-_MOST:]
    if not shown:
        return
    left, across = 630, min(_ACROSS, len(shown))
    rows = -(-len(shown) // across)
    drawn.add(f'<rect x="{left}" width="{WIDE - left}" height="{HIGH}" fill="{_CLOTH}"/>')
    high = min(190.0, (HIGH - 2 * _GAP) / rows - _NAME)
    wide, step = high * WIDTH / HEIGHT, (WIDE - left) / across
    for n, moment in enumerate(shown):
        x = left + (n % across + 0.5) * step
        y = (HIGH - rows * (high + _NAME)) / 2 + n // across * (high + _NAME)
        laid = "" if moment.spoken or moment.status == REFUSED or not moment.trick else moment.trick[-1].card.name
        low = y + high
        if laid:
            drawn.card(laid, x - wide / 2, y, wide, edge=_CHIP if laid in best else "")
        else:
            edge = _BAD if moment.status == REFUSED else _CHIP
            low = drawn.chip(said(moment.done), x, y + high / 2, min(step - 2 * _GAP, 160), edge=edge)
        drawn.text(players[moment.seat], 22, x, low + 27, step, middle=True, most=1)


def _order(graph: Graph, language: str) -> tuple[str, list[str], tuple[tuple[str, str], ...]]:
    """The heading of the order of its cards, the cards of each rank, the strongest first, and the cards turned up."""
    wanted = next(each for each in plan().tables if each.kind == "ranking")
    table = table_of(graph, wanted, rule_words(language))
    if table is None:
        return "", [card.name for card in graph.cards if card.present][:3], ()
    return table.title, [row[0] for row in table.rows], table.turned


# ---- Drawing -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Drawing:
    """An SVG on a green table, with the cards of a game."""

    graph: Graph
    parts: list[str] = field(default_factory=list)
    cards: dict[str, None] = field(default_factory=dict)

    def add(self, part: str) -> None:
        self.parts.append(part)

    def card(self, name: str, x: float, y: float, wide: float, *, turn: float = 0, edge: str = "") -> None:
        """A card with its upper left corner there; ``turn`` in degrees around its middle."""
        self.cards[name] = None
        high = wide * HEIGHT / WIDTH
        around = f' transform="rotate({turn:g} {x + wide / 2:.1f} {y + high / 2:.1f})"' if turn else ""
        if edge:
            self.add(
                f'<rect x="{x - _FRAME:.1f}" y="{y - _FRAME:.1f}" width="{wide + 2 * _FRAME:.1f}" '
                f'height="{high + 2 * _FRAME:.1f}" rx="12" fill="{edge}"/>'
            )
        size = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        self.add(f'<use href="#card-{escape(name)}" {size}{around}/>')

    def chip(self, said: str, x: float, y: float, wide: float, *, edge: str) -> float:
        """Words in a bubble around a point; return its lower edge."""
        size, line = 22, 26
        lines = _lines(said, wide - 2 * _GAP, size)
        high = 3 * _GAP + line * len(lines)
        self.add(
            f'<rect x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" height="{high}" rx="28" '
            f'fill="{_CHIP}" stroke="{edge}" stroke-width="6"/>'
        )
        for n, told in enumerate(lines):
            low = y + (n - (len(lines) - 1) / 2) * line + size / 3
            self.text(told, size, x, low, wide, fill=_ON_CHIP, bold=True, middle=True)
        return y + high / 2

    def text(
        self,
        said: str,
        size: float,
        x: float,
        y: float,
        wide: float,
        *,
        fill: str = _ON_FELT,
        bold: bool = False,
        middle: bool = False,
        most: int = 5,
    ) -> float:
        """Lines of text from this baseline on, ``most`` of them at most; return the last baseline."""
        lines = _lines(said, wide, size)
        if len(lines) > most:
            lines = [*lines[: most - 1], lines[most - 1].rstrip(" ,;:") + " …"]
        form = f'font-size="{size:g}" font-weight="{700 if bold else 400}" fill="{fill}"'
        for n, line in enumerate(lines):
            where = f'x="{x:.1f}" y="{y + n * size * 1.2:.1f}"' + (' text-anchor="middle"' if middle else "")
            self.add(f'<text {where} {form} font-family="sans-serif">{escape(visible(line))}</text>')
        return y + max(len(lines) - 1, 0) * size * 1.2

    def png(self) -> bytes:
        pack = pack_of(card.name for card in self.graph.cards)
        return _png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}"><defs>{symbols(self.cards, pack)}'
            f'</defs><rect width="{WIDE}" height="{HIGH}" fill="{_FELT}"/>{"".join(self.parts)}</svg>'
        )


def _lines(said: str, wide: float, size: float) -> list[str]:
    most = int(wide / size / _LETTER)
    return textwrap.wrap(said, most, break_long_words=False, break_on_hyphens=False)


def _png(svg: str) -> bytes:
    fonts = importlib.import_module("font_lato").font_files
    made = importlib.import_module("resvg_py").svg_to_bytes(
        svg_string=svg,
        skip_system_fonts=True,
        font_files=[fonts["Lato"], fonts["LatoBold"]],
        sans_serif_family="Lato",
        serif_family="Lato",
    )
    image, small = importlib.import_module("PIL.Image"), io.BytesIO()
    picture = image.open(io.BytesIO(made)).convert("RGB")
    picture.quantize(_COLOURS, image.Quantize.FASTOCTREE, dither=image.Dither.NONE).save(small, "PNG")
    return small.getvalue()
