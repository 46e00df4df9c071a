"""“Who is right?”: the page that settles an argument by taps, with all that it needs to work without a network.

The page asks the module of the game (:mod:`truco_spec.books.site.open_games`) for everything that it shows;
``argument.js`` plays a log on it, ``who.js`` draws the table.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from markupsafe import Markup

from truco_spec.base import __version__
from truco_spec.base.shipped import LANGUAGES
from truco_spec.books.bundle import LIBRARY
from truco_spec.books.rulebook.examples import names_in
from truco_spec.books.site import documents
from truco_spec.books.site.context import SiteInputs
from truco_spec.books.site.open_games import open_graph
from truco_spec.books.site.page_frame import Addresses, framed, others, rule_words, words
from truco_spec.engine.wasm.native import bytes_of
from truco_spec.graph.plan import board
from truco_spec.pages.cards import Pack, pack_of, symbols

MODULES = "modules/"
"""The folder of the modules."""
LIBRARIES = ("truco.js", "argument.js")
WORKER, ICON = "sw.js", "who.svg"
_ARGUMENTS = "disputes/"
_FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><rect width="192" height="192" rx="36"
 fill="#2f6b4a"/><rect x="58" y="34" width="76" height="116" rx="8" fill="#fffdf6" stroke="#8b8b86" stroke-width="3"/>
<text x="96" y="122" text-anchor="middle" font-family="Georgia, serif" font-weight="700" font-size="84"
 fill="#1b1b1f">?</text></svg>
"""


def page_of(shelf: SiteInputs, language: str) -> str:
    """The page in a language."""
    to, told = Addresses(language=language), rule_words(language)
    packs = {pack.name: cards for pack, cards in _packs(shelf)}
    index = {
        "first": board().first[language],
        "names": names_in(language),
        "variants": [
            {"name": name, "called": told(graph.title), "seats": list(shelf.players[name])}
            for name, graph in shelf.graphs.items()
        ],
        "signs": {
            pack.name: {letter: suit.sign for letter, suit in pack.suits.items() if suit.sign}
            for pack, _ in _packs(shelf)
        },
    }
    drawn = Markup("\n").join(symbols(packs[pack.name], pack, f"{pack.name}-") for pack, _ in _packs(shelf))
    return framed(
        "who",
        "",
        "who",
        modules=True,
        styles=("pages/table", "who"),
        language=language,
        here=tuple((code, name, to.who(code)) for code, name in others(language)),
        index=json.dumps(index, ensure_ascii=False, separators=(",", ":")),
        symbols=drawn,
        prepared=[
            (documents.page_of(name), documents.headings(name)[0].text)
            for name in documents.files()
            if name.startswith(_ARGUMENTS) and name.endswith(".md")
        ],
    )


def _packs(shelf: SiteInputs) -> list[tuple[Pack, list[str]]]:
    """Each pack with the cards of all games that are played with it."""
    found: dict[str, tuple[Pack, dict[str, None]]] = {}
    for graph in shelf.graphs.values():
        names = [card.name for card in graph.cards]
        pack = pack_of(names)
        if pack is not None:
            found.setdefault(pack.name, (pack, {}))[1].update(dict.fromkeys(names))
    return [(pack, list(cards)) for pack, cards in found.values()]


def module(shelf: SiteInputs, variant: str, seats: int) -> bytes:
    """The WebAssembly module of a game for so many players."""
    return bytes_of(open_graph(shelf, variant, seats))


def library(name: str) -> bytes:
    """A script that the page loads."""
    here = resources.files(__package__ or "").joinpath(name)
    return here.read_bytes() if here.is_file() else (LIBRARY / name).read_bytes()


def manifest_of(language: str) -> str:
    """The address of the manifest."""
    return f"who.{language}.webmanifest"


def manifest(language: str) -> str:
    """What makes the page installable."""
    told = words(language)("Who is right?")
    here = Addresses(language=language).who()
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml"}
    data = {
        "name": told, "short_name": told, "lang": language, "start_url": here, "scope": "./", "display": "standalone",
        "background_color": "#fdfcf8", "theme_color": "#2f6b4a", "icons": [icon],
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def icon() -> str:
    """Its picture."""
    return _FACE


def worker(rests: Iterable[Path]) -> str:
    """The service worker, whose cache is another one whenever the rules or this program are."""
    digest = hashlib.sha256(__version__.encode())
    for folder in (*rests, Path(__file__).resolve().parents[2]):
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.name.encode() + path.read_bytes())
    kept = [Addresses(language=language).who() for language in LANGUAGES]
    kept += [ICON, *(manifest_of(language) for language in LANGUAGES), *(MODULES + name for name in LIBRARIES)]
    text = library("who_worker.js").decode()
    return text.replace("EDITION", digest.hexdigest()[:16]).replace("[KEPT]", json.dumps(kept))
