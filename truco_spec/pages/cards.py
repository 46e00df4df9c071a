"""Drawings of cards: one SVG symbol per card, composed from the suits and figures of its pack (``drawings/*.svg``).

A card's name is its rank and, as the last letter, its suit, as in ``12O`` or ``7H``. A card of no known pack shows only
its name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from xml.etree import ElementTree

from markupsafe import Markup, escape

from truco_spec.base.shipped import ENGLISH, LANGUAGES

_WORD = re.compile(r"[^\W_]+")

WIDTH, HEIGHT = 60, 92
_INSET = 6
_STRIPE = 8
_CORNER = 11
_SVG = "{http://www.w3.org/2000/svg}"
_LEFT, _RIGHT, _MIDDLE = 17, 43, 30
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((_MIDDLE, 46),),
    2: ((_MIDDLE, 28), (_MIDDLE, 64)),
    3: ((_MIDDLE, 24), (_MIDDLE, 46), (_MIDDLE, 68)),
    4: ((_LEFT, 28), (_RIGHT, 28), (_LEFT, 64), (_RIGHT, 64)),
    5: ((_LEFT, 28), (_RIGHT, 28), (_MIDDLE, 46), (_LEFT, 64), (_RIGHT, 64)),
    6: ((_LEFT, 25), (_RIGHT, 25), (_LEFT, 46), (_RIGHT, 46), (_LEFT, 67), (_RIGHT, 67)),
    7: ((_LEFT, 25), (_RIGHT, 25), (_MIDDLE, 35), (_LEFT, 46), (_RIGHT, 46), (_LEFT, 67), (_RIGHT, 67)),
}
"""The positions of pips on a card, by their number."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A suit or a rank: drawing, names by language, a rank's pips, the sign of a suit in text."""

    drawing: str
    names: dict[str, str]
    pips: int
    sign: str


@dataclass(frozen=True, slots=True)
class Pack:
    """The drawings and the name of one kind of cards."""

    name: str
    suits: dict[str, Figure]
    ranks: dict[str, Figure]


@cache
def packs() -> tuple[Pack, ...]:
    """All packs with drawings."""
    folder = resources.files(__package__).joinpath("drawings")
    found = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        root = ElementTree.fromstring(file.read_text(encoding="utf-8"))  # noqa: S314 -- files of this package
        figures: dict[str, dict[str, Figure]] = {"suit": {}, "rank": {}}
        for symbol in root.iter(f"{_SVG}symbol"):
            kind, _, name = symbol.attrib["id"].partition("-")
            inside = "".join(ElementTree.tostring(part, encoding="unicode") for part in symbol)
            names = {language: symbol.attrib[f"data-{language}"] for language in LANGUAGES}
            pips = int(symbol.attrib.get("data-pips", 0))
            sign = symbol.attrib.get("data-sign", "")
            figures[kind][name] = Figure(inside.replace("ns0:", "").replace(":ns0", ""), names, pips, sign)
        found.append(Pack(file.name.removesuffix(".svg"), figures["suit"], figures["rank"]))
    return tuple(found)


def pack_of(names: Iterable[str]) -> Pack | None:
    """The pack of most of these cards; None if no card belongs to any."""
    suits = [name[-1:] for name in names]
    best = max(packs(), key=lambda pack: sum(suit in pack.suits for suit in suits))
    return best if any(suit in best.suits for suit in suits) else None


def title(name: str, pack: Pack | None, language: str = ENGLISH) -> str:
    """The full name of a card: ``7 of swords``, ``rei de copas``, ``joker``."""
    if pack is None:
        return name
    if name in pack.ranks:
        return pack.ranks[name].names.get(language, name)
    if name[-1:] not in pack.suits:
        return name
    rank = pack.ranks.get(name[:-1])
    said = rank.names.get(language, name[:-1]) if rank else name[:-1]
    joint = "of" if language == ENGLISH else "de"
    return f"{said} {joint} {pack.suits[name[-1:]].names.get(language, name[-1:])}"


def written(name: str, pack: Pack | None) -> str:
    """A card in text: ``7♥``, ``12O`` if the suit has no sign of its own."""
    suit = pack.suits.get(name[-1:]) if pack and name not in pack.ranks else None
    return f"{name[:-1]}{suit.sign}" if suit and suit.sign else name


def with_signs(text: str, names: Collection[str], pack: Pack | None) -> str:
    """A text in which these cards stand as :func:`written`."""
    return _WORD.sub(lambda word: written(word[0], pack) if word[0] in names else word[0], text)


def letters(names: Iterable[str], pack: Pack | None, language: str = ENGLISH) -> dict[str, str]:
    """The meaning of the letters and numbers of these cards, where it is not obvious."""
    if pack is None or any(suit.sign for suit in pack.suits.values()):
        return {}
    there = list(names)
    suits = {key: suit for key, suit in pack.suits.items() if any(name[-1:] == key for name in there)}
    ranks = {key: rank for key, rank in pack.ranks.items() if any(name[:-1] == key for name in there)}
    return {key: figure.names.get(language, key) for key, figure in {**suits, **ranks}.items()}


def symbols(names: Iterable[str], pack: Pack | None, of: str = "") -> Markup:
    """Return a symbol ``card-NAME`` for every card, in the order given, for the head of a page.

    Two more are the back of a card, ``card-back``, and an unknown card, ``card-unknown``. On a page with several packs,
    ``of`` is the prefix of these symbol names.
    """
    parts = [_symbol(f"{of}card-back", _back()), _symbol(f"{of}card-unknown", _unknown())]
    for suit, figure in pack.suits.items() if pack else ():
        parts.append(f'<symbol id="{of}suit-{suit}" viewBox="0 0 24 24">{figure.drawing}</symbol>')
    parts += [_symbol(f"{of}card-{escape(name)}", _face(name, pack, of)) for name in names]
    return Markup("\n".join(parts))  # noqa: S704 -- drawings of this package, names escaped


def _symbol(name: str, inside: str) -> str:
    return f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{inside}</symbol>'


def _frame(fill: str) -> str:
    return (
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="5" fill="{fill}" stroke="#8b8b86" '
        'stroke-width="1.2"/>'
    )


def _back() -> str:
    wide, high = WIDTH - 2 * _INSET, HEIGHT - 2 * _INSET
    lines = "".join(
        f'<path d="M{x} {_INSET}v{high}" stroke="#ffffff" stroke-opacity=".28" stroke-width="2.4"/>'
        for x in range(_INSET, _INSET + wide + 1, _STRIPE)
    )
    inner = (
        f'<rect x="{_INSET}" y="{_INSET}" width="{wide}" height="{high}" rx="3" fill="none" stroke="#ffffff" '
        'stroke-opacity=".65" stroke-width="1.4"/>'
    )
    return _frame("#2b5d8a") + lines + inner


def _unknown() -> str:
    mark = (
        f'<text x="{_MIDDLE}" y="57" text-anchor="middle" font-family="Georgia, serif" font-size="32" fill="#5c5a55">'
        "?</text>"
    )
    return _frame("#e9e6dc") + mark


def _face(name: str, pack: Pack | None, of: str) -> str:
    label, suit = (name[:-1], name[-1:]) if pack and name[-1:] in pack.suits else (name, "")
    inside = _corner(label, suit, of)
    rank = pack.ranks.get(label) if pack else None
    pips = rank.pips if rank else int(label) if label.isdecimal() and int(label) in _PIPS else 0
    if suit and pips:
        size = 30 if pips == 1 else 15
        inside += "".join(_use(f"{of}suit-{suit}", x, y, size) for x, y in _PIPS[pips])
    elif rank and rank.drawing.strip():
        inside += f'<svg x="13" y="22" width="34" height="34" viewBox="0 0 24 24">{rank.drawing}</svg>'
        inside += _use(f"{of}suit-{suit}", _MIDDLE, 68, 18) if suit else ""
    elif suit:
        inside += _use(f"{of}suit-{suit}", _MIDDLE, 52, 26)
    return _frame("#fffdf6") + inside


def _corner(label: str, suit: str, of: str) -> str:
    text = (
        f'<text x="5" y="15" font-family="Georgia, serif" font-size="13" font-weight="700" fill="#1b1b1f">'
        f"{escape(label)}</text>"
    )
    turned = f'<g transform="rotate(180 {WIDTH // 2} {HEIGHT // 2})">{text}</g>'
    return text + turned + (_use(f"{of}suit-{suit}", WIDTH - _CORNER, _CORNER, _CORNER) if suit else "")


def _use(symbol: str, x: int, y: int, size: int) -> str:
    corner = size / 2
    return f'<use href="#{symbol}" x="{x - corner:g}" y="{y - corner:g}" width="{size}" height="{size}"/>'
