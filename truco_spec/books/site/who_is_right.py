"""“Who is right?”: the page that settles an argument by taps, with all that it needs to work without a network.

The page asks the module of the game (:class:`DecidingStatements`) for everything that it shows;
``argument.js`` plays a log on it, ``who.js`` draws the table.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from markupsafe import Markup

from truco_spec.base import __version__
from truco_spec.base.shipped import LANGUAGES
from truco_spec.base.words import Words, names_in
from truco_spec.books.book import Filler
from truco_spec.books.bundle import LIBRARY, data_of, type_of
from truco_spec.books.site import home
from truco_spec.books.site.page_frame import Addresses, SiteInputs, framed, in_each, rule_words, words
from truco_spec.compare.questions import asked_of, most_argued, questions
from truco_spec.compare.reach import reached
from truco_spec.engine.layout import Layout
from truco_spec.engine.text import plainly
from truco_spec.engine.wasm.native import bytes_of
from truco_spec.graph.fold import NO, conjuncts, made
from truco_spec.graph.load import REFUSED, is_open, load, load_open
from truco_spec.graph.model import (
    AGREED,
    DECIDED,
    HOW_MANY,
    OBSERVED,
    Answer,
    Apply,
    Change,
    Define,
    Expr,
    Graph,
    Source,
)
from truco_spec.graph.sources import registry, sources
from truco_spec.graph.types import FLAG, Type
from truco_spec.graph.walk import always_evaluated, change_parts, datum_of, of_options, permitting, written_by
from truco_spec.graph.walk import walk as parts_of
from truco_spec.logs.explanation import pertinent
from truco_spec.pages.board import SCRIPT, STYLES, drawings
from truco_spec.pages.cards import Pack, pack_of, title
from truco_spec.pages.moments import board

_HOLE = re.compile(r"\{([\w.-]+)\}")


class OpenFiller(Filler):
    """Fills placeholders as ``filler`` does, except those that open options determine, which the page fills by the
    module.
    """

    def __init__(self, graph: Graph, words: Words, open_graph: Graph) -> None:
        super().__init__(graph, words)
        self.open_graph = open_graph

    def _found(self, name: str) -> str:
        found = super()._found(name)
        known = is_open(self.open_graph, name) or name in self.open_graph.defines
        return f"{{{name}}}" if found and known else found


def open_graph(inputs: SiteInputs, variant: str, seats: int) -> Graph:
    """The graph of a game for a number of players, its options open."""
    return load_open(variant, _settled(inputs, variant, seats))


def _settled(inputs: SiteInputs, variant: str, seats: int) -> dict[str, str]:
    return {HOW_MANY: str(seats)} if HOW_MANY in inputs.graphs[variant].options else {}


def data_text(inputs: SiteInputs, variant: str, seats: int) -> str:
    """The JSON beside the module."""
    return json.dumps(_data(inputs, variant, seats), ensure_ascii=False, separators=(",", ":")) + "\n"


def _data(inputs: SiteInputs, variant: str, seats: int) -> dict[str, Any]:
    graph = open_graph(inputs, variant, seats)
    told = {language: rule_words(language) for language in LANGUAGES}
    fill = {language: OpenFiller(inputs.graphs[variant], words, graph) for language, words in told.items()}

    def said(source: Source, usual: bool) -> dict[str, str]:
        texts = {language: words(source.prose) for language, words in told.items()}
        return {n: fill[n](plainly(text, told[n](AGREED)) if usual else text) for n, text in texts.items()}

    def stated(name: str, source: Source, usual: bool = True) -> dict[str, Any]:
        return {"name": name, "text": said(source, usual), **_authorities(inputs, variant, graph, name, source)}

    deciding = DecidingStatements(graph)
    known = inputs.graphs[variant].rules
    rules = [stated(rule.name, rule.source, rule.name in known) for rule in graph.rules.values()]
    statements = [stated(name, source) for name, source in deciding.statements.items()]
    holes = {hole for rule in (*rules, *statements) for text in rule["text"].values() for hole in _HOLE.findall(text)}
    pack = pack_of(card.name for card in graph.cards)
    data, reach = data_of(graph, rules), reached(load(variant, **_settled(inputs, variant, seats)))
    for kind, found in zip(graph.actions.values(), data["actions"], strict=True):
        found |= {
            "tacit": kind.tacit,
            "labels": {language: told[language].moves(kind.written[0]) for language in LANGUAGES},
            "rules": [rule.name for rule in permitting(graph, kind.name)],
            "usual": any(
                rule.name in reach and any(v.action == kind.name for v in rule.verbs) for rule in graph.rules.values()
            ),
            "count": board().counts.get(kind.name, ""),
            "chance": all(rule.outsider for rule in permitting(graph, kind.name)),
        }
    return data | {
        "called": {language: words(graph.title) for language, words in told.items()},
        "statements": statements,
        "why": deciding.asked,
        "pages": _pages(inputs, variant, dict.fromkeys(c for one in (*rules, *statements) for c in one["clauses"])),
        "sources": {
            name: {language: words(registry(name).record.title) for language, words in told.items()}
            for name in sources()
        },
        "holes": {n: type_of(graph.defines[n].type) for n in sorted(holes) if n in graph.defines},
        "refused": [name for name in graph.defines if name.startswith(REFUSED)],
        "settled": {name: option.value for name, option in graph.options.items() if not is_open(graph, name)},
        "switches": list(_switches(inputs.graphs[variant], graph)),
        "present": [card.name for card in graph.cards if card.present],
        "stock": graph.pack,
        "drawn": pack.name if pack else "",
        "cardTitles": {
            language: {card.name: title(card.name, pack, language) for card in graph.cards} for language in LANGUAGES
        },
        "places": list(_places(graph)),
        "above": [name for name in board().above if name in graph.defines],
        "ahead": board().best if board().best in graph.defines else "",
    }


def _switches(usual: Graph, graph: Graph) -> Iterator[dict[str, Any]]:
    """The open options that people ask about, in the order of ``spec/questions.yaml``, then the others."""
    asked, fillers = asked_of(), {language: Filler(usual, rule_words(language)) for language in LANGUAGES}
    for name in most_argued(graph.options):
        option = graph.options[name]
        if is_open(graph, name) and option.values[1:]:
            of_all = {n: words(n)(asked[name]) for n in fillers} if name in asked else {}
            yield {
                "name": name,
                "asked": name in asked,
                "value": option.value,
                "ask": of_all or {n: fill(fill.words(option.source.prose)) for n, fill in fillers.items()},
                "values": {v: {n: fill.words.value(name, v) for n, fill in fillers.items()} for v in option.values},
            }


def _places(graph: Graph) -> Iterator[dict[str, Any]]:
    """Return the places of cards: the slot, its datum, its seat (-1: nobody), and the rest of its index."""
    layout = Layout(graph)
    for slot, many in layout.of_cards.items():
        datum = graph.data[layout.names[slot]]
        seat, rest = -1, []
        for param, value in zip(datum.params, layout.indices[slot], strict=True):
            if param.type.base == "seat" and seat < 0:
                seat = value
            else:
                rest.append(value)
        yield {
            "slot": slot, "many": many, "name": datum.name, "seat": seat, "rest": rest,
            "place": datum.type.place, "mine": len(datum.params) - len(rest) == 1,
        }  # fmt: skip


def _authorities(inputs: SiteInputs, variant: str, graph: Graph, name: str, source: Source) -> dict[str, Any]:
    """The clauses of a statement, and its entry in the book of its game, or that of one with the same sentence: the
    place and the number there.
    """
    printed = inputs.told[variant]
    alike = (other for _, other, held in graph.cites if source.prose and held.prose == source.prose)
    entry = next((each for each in (name, source.construct, *alike) if each in printed), "")
    return {
        "clauses": [f"{cite.source}:{cite.clause}" for cite in pertinent(graph, source.cites)],
        "entry": Addresses().book(variant, rule=entry).partition("#")[2] if entry else "",
        "number": printed.get(entry, ""),
    }


def _pages(inputs: SiteInputs, variant: str, cited: Iterable[str]) -> dict[str, str]:
    """Return the addresses of citations: a page by source and first word of the clause; a place in the book (``#``) by
    citation.
    """
    to, found = Addresses(), dict[str, str]()
    for cite in cited:
        source, _, clause = cite.partition(":")
        if source == DECIDED:
            found[cite] = (
                f"#{to.decision(variant, clause).partition('#')[2]}" if clause in inputs.readings[variant] else ""
            )
        elif source in sources():
            found[cite.partition(".")[0]] = to.clause(source, clause).partition("#")[0]
    return {cite: page for cite, page in found.items() if page}


MODULES = "modules/"
"""The folder of the modules."""
LIBRARIES = ("truco.js", "argument.js", "picture.js")
WORKER, ICON = "sw.js", "who.svg"
FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><rect width="192" height="192" rx="36"
 fill="#2f6b4a"/><rect x="58" y="34" width="76" height="116" rx="8" fill="#fffdf6" stroke="#8b8b86" stroke-width="3"/>
<text x="96" y="122" text-anchor="middle" font-family="Georgia, serif" font-weight="700" font-size="84"
 fill="#1b1b1f">?</text></svg>
"""


def page_of(inputs: SiteInputs, language: str) -> str:
    to, told = Addresses(language=language), rule_words(language)
    packs = {pack.name: cards for pack, cards in _packs(inputs)}
    index = {
        "first": board().first[language],
        "names": names_in(language),
        "labels": {name: words(language)(label) for name, label in board().facts.items()},
        "variants": [
            {
                "name": name,
                "called": told(graph.title),
                "seats": list(inputs.players[name]),
                "drawn": pack.name if (pack := pack_of(card.name for card in graph.cards)) else "",
            }
            for name, graph in inputs.graphs.items()
        ],
        "telling": list(telling_apart(inputs, language)),
        "signs": {
            pack.name: {letter: suit.sign for letter, suit in pack.suits.items() if suit.sign}
            for pack, _ in _packs(inputs)
        },
    }
    drawn = Markup("\n").join(drawings(packs[pack.name], pack, f"{pack.name}-") for pack, _ in _packs(inputs))
    return framed(
        "who",
        "",
        f"{SCRIPT} who",
        modules=True,
        styles=(*STYLES, "who"),
        language=language,
        here=in_each(to.who),
        index=json.dumps(index, ensure_ascii=False, separators=(",", ":")),
        scripts=[MODULES + name for name in LIBRARIES[:2]],
        symbols=drawn,
        families=[(title, members) for title, _, members in home.GameList(inputs, language).families()],
        prepared=home.prepared(inputs, language),
    )


LONGEST_ANSWER = 60
"""Characters of an answer that fits on a button."""


def telling_apart(inputs: SiteInputs, language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Return the questions of ``spec/questions.yaml`` with short answers that differ: the subject, the question, and
    its answer in every game, in their order; an empty one if a game has no such thing.
    """
    for part in inputs.table(language).parts[: len(questions(""))]:
        for row in part.rows:
            answers = [cell.text for cell in row.cells]
            if row.differs and max(map(len, answers)) <= LONGEST_ANSWER and row.source != "players":  # nobody sees that
                yield part.title, row.ask, answers


def _packs(inputs: SiteInputs) -> list[tuple[Pack, list[str]]]:
    """Each pack with the cards of all games that are played with it."""
    found: dict[str, tuple[Pack, dict[str, None]]] = {}
    for graph in inputs.graphs.values():
        names = [card.name for card in graph.cards]
        pack = pack_of(names)
        if pack is not None:
            found.setdefault(pack.name, (pack, {}))[1].update(dict.fromkeys(names))
    return [(pack, list(cards)) for pack, cards in found.values()]


def module(inputs: SiteInputs, variant: str, seats: int) -> bytes:
    """The WebAssembly module of a game for a number of players."""
    return bytes_of(DecidingStatements(open_graph(inputs, variant, seats)).graph)


def library(name: str) -> bytes:
    """A script that the page loads."""
    here = resources.files(__package__ or "").joinpath(name)
    return here.read_bytes() if here.is_file() else (LIBRARY / name).read_bytes()


def manifest_of(language: str) -> str:
    return f"who.{language}.webmanifest"


def manifest(language: str) -> str:
    """Return the manifest that makes the page installable."""
    told = words(language)("Who is right?")
    here = Addresses(language=language).who()
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml"}
    data = {
        "name": told, "short_name": told, "lang": language, "start_url": here, "scope": "./", "display": "standalone",
        "background_color": "#fdfcf8", "theme_color": "#2f6b4a", "icons": [icon],
    }  # fmt: skip
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


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


# ---- Further questions for the module of a game -----------------------------------------------------
#
# A rule says that a trick goes to whoever took it; that equal cards tie it is an answer of the question ``taker``.
# The page that settles arguments asks for it: such a question has the conditions of the original, and the number of a
# statement for a value. :mod:`truco_spec.engine.provenance` tells the same, more exactly, of the engine in Python.

WHY = "why."
"""Prefix of a question for a statement."""
COULD = "could."
"""Prefix of a question whether any rule permits an action at all, as the options are."""
_NUMBER = Type("number", 0, 9999)


class DecidingStatements:
    """The statements that decide in a graph.

    ``graph`` has the further questions. ``asked`` are those of each observation (``table.score``), and those of each
    rule about each observation that it can change (``go-to-mazo score``; perhaps none), to be asked before it changes
    anything; they answer with the number of one of the ``statements``, from 1, or with 0. Not among them:
    ``could.expose``, whether the options let any rule permit an action; asked of those for which it depends on them, or
    is no.
    """

    def __init__(self, graph: Graph) -> None:
        self._given, self._made = graph, dict[str, Define]()
        self.statements: dict[str, Source] = {}
        told = {name: [a.value for a in d.answers] for name, d in graph.defines.items() if name.startswith(OBSERVED)}
        asked = {name: list(self._questions(name, exprs)) for name, exprs in told.items()}
        read = {name.removeprefix(OBSERVED): _read(graph, exprs) for name, exprs in told.items()}
        for rule in graph.rules.values():
            flows = enumerate(each for do in (*rule.do, *rule.lest) for each in _flows(graph, do))
            found = [(list(self._questions(f"{rule.name}.{n}", [expr])), data) for n, (expr, data) in flows]
            for seen, data_read in read.items():
                if data_read & written_by(graph)[rule.name]:
                    asked[f"{rule.name} {seen}"] = [each for some, data in found if data & data_read for each in some]
        self.asked = asked
        could = {f"{COULD}{name}": list(_agreed(graph, name)) for name in graph.actions}
        self._made |= {name: _flag(name, rules) for name, rules in could.items() if all(rules)}
        self.graph = replace(graph, defines={**graph.defines, **self._made})

    def _questions(self, name: str, exprs: Iterable[Expr]) -> Iterator[str]:
        """A question without arguments for each one that these expressions ask, if they ask it of no variable."""
        nodes = (node for expr in exprs for node in always_evaluated(expr) if node.op in ("ask", "table"))
        for number, node in enumerate(dict.fromkeys(nodes)):
            if not any(part.op == "var" for kid in node.kids for part in parts_of(kid)):
                question = f"{WHY}{name}.{number}"
                answer = Answer(question, None, self._why(node), frozenset(), Source(node.span, "", (), ()))
                self._made[question] = Define(question, (), _NUMBER, (answer,))
                yield question

    def _why(self, node: Expr) -> Expr:
        """The statement by which a question or a table answers."""
        if node.op == "table":
            return self._stated(node.value, self._given.tables[node.value].source)
        name = f"{WHY}{node.value}"
        if name not in self._made:
            define = self._given.defines[node.value]
            answers = [replace(answer, value=self._behind(answer)) for answer in define.answers]
            self._made[name] = replace(define, name=name, type=_NUMBER, answers=tuple(answers))
        return replace(node, type=_NUMBER, value=name)

    def _behind(self, answer: Answer) -> Expr:
        """Return the answer; for one that only passes a question on, or looks it up in a table, the
        answer behind it.
        """
        value = answer.value
        passed = value.op == "table" or (value.op == "ask" and all(kid.op == "var" for kid in value.kids))
        return self._why(value) if passed else self._stated(answer.name, answer.source)

    def _stated(self, name: str, source: Source) -> Expr:
        if source.prose:
            self.statements.setdefault(name, source)
        return Expr("const", _NUMBER, (), list(self.statements).index(name) + 1 if source.prose else 0)


def _agreed(graph: Graph, action: str) -> Iterator[list[Expr]]:
    """Return, for each rule that permits an action, the conditions that read options alone."""
    for rule in permitting(graph, action):
        yield [part for part in conjuncts(rule.when) if of_options(graph, part)]


def _flag(name: str, rules: list[list[Expr]]) -> Define:
    """Return a question answered yes if one of these lists holds; so no if there is none."""
    value = made("or", *(made("and", *conditions) for conditions in rules)) if rules else NO
    return Define(name, (), FLAG, (Answer(name, None, value, frozenset(), Source(value.span, "", (), ())),))


def _flows(graph: Graph, change: Change) -> Iterator[tuple[Expr, frozenset[str]]]:
    """The expressions of a change, each with the data that its value is written to, also by a named effect."""
    if not isinstance(change, Apply):
        yield from ((expr, frozenset((datum_of(change),))) for expr in change_parts(change))
        return
    effect = graph.effects[change.effect]
    within = [each for turn in effect.turns for inner in turn.changes for each in _flows(graph, inner)]
    for param, expr in zip(effect.params, change_parts(change), strict=True):
        named = (
            data for inner, data in within if any(p.op == "var" and p.value == param.name for p in parts_of(inner))
        )
        yield expr, frozenset().union(*named)


def _read(graph: Graph, exprs: Iterable[Expr]) -> frozenset[str]:
    """The data that expressions read, and the answers to their questions; conditions aside."""
    data, left, known = set[str](), list(exprs), set[str]()
    while left:
        for part in parts_of(left.pop()):
            if part.op == "datum":
                data.add(part.value)
            elif part.op == "ask" and part.value not in known:
                known.add(part.value)
                left += (answer.value for answer in graph.defines[part.value].answers)
    return frozenset(data)
