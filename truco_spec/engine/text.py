"""Actions as text and back: ``bia truco``, ``davi 7D``, ``davi (7D)``, in the words of the spec (``written``).

A space is accepted for a hyphen in a word of the spec: text without a meaning is read again with hyphens for some of
its spaces. The canonical text keeps the hyphen.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, alternatives, combined, spoken, worded
from truco_spec.engine.evaluate import Evaluator
from truco_spec.engine.layout import NONE, Layout
from truco_spec.graph.model import (
    AGREED,
    ASKED,
    CHANCE_NAME,
    HOW_MANY,
    MOST_GRAPHS,
    OUTSIDERS,
    ActionKind,
    Graph,
    Param,
    Source,
    by_identity,
    said_and_given,
)
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, exprs_of_define
from truco_spec.language.diagnostics import nearest

if TYPE_CHECKING:
    from truco_spec.engine.game import Action


_HOLE = re.compile(r"\{([A-Za-z0-9.-]+)\}")
_PLACEHOLDER = re.compile(r"(?:(\b\w+) )?\{([^{}]*)\}")
ASIDE = re.compile(r" \(\{([^{}]*)\}\)")
_SEAT = Type("seat", 0, 1)
_MOST_FIXED = 4096
_MOST_JOINED = 6
"""Maximum words of a text in which spaces are tried as hyphens."""

Reading = tuple[str, tuple[int, ...]]
"""A verb and its arguments."""


class TextError(TrucoError):
    """A text that names no action: unknown player, word or card. ``near`` is the nearest valid text."""

    def __init__(self, message: str, near: str = "") -> None:
        super().__init__(Sentence("{message}; did you mean {near}?", message=message, near=near) if near else message)
        self.near = near


class AmbiguousText(TextError):
    """Several different readings with hyphens for spaces. ``meant`` are these readings."""

    def __init__(self, text: str, meant: Sequence[str]) -> None:
        readings = alternatives([repr(reading) for reading in meant])
        super().__init__(Sentence("{text} can mean {readings}: write the hyphens", text=repr(text), readings=readings))
        self.meant = tuple(meant)


def value_text(graph: Graph, kind: Type, value: int, players: Sequence[str]) -> str:
    """A value with the names of this table: players for seats, the first player of a team."""
    if not kind.many and kind.base in ("seat", "team") and 0 <= value < len(players):
        return players[value]
    if value > -1000 and kind.many and kind.base == "seat":
        return "{" + ", ".join(p for i, p in enumerate(players) if value >> i & 1) + "}"
    return graph.text_of(kind, value)


def texts_of(graph: Graph, params: Iterable[Param], values: Iterable[int], players: Sequence[str]) -> list[str]:
    """The values of these parameters, with the names of this table."""
    return [value_text(graph, param.type, value, players) for param, value in zip(params, values, strict=True)]


def value_of(graph: Graph, kind: Type, text: str, players: Sequence[str]) -> int | None:
    """Parse a value of a type at this table; None if there is none. A team may be named by any of its players."""
    if text in kind.words:
        return graph.words[text]
    if kind.base in ("seat", "team"):
        if text not in players:
            return None
        seat = list(players).index(text)
        return seat if kind.base == "seat" else seat % graph.teams
    if kind.base == "number" and len(text) > 1 and text[0] == "0":
        return None
    return graph.value_of(kind, text)


def actor_name(actor: int, players: Sequence[str]) -> str:
    """The name of the player, of chance or of the referee."""
    return players[actor] if actor >= 0 else OUTSIDERS[-1 - actor] if -1 - actor < len(OUTSIDERS) else CHANCE_NAME


def action_text(graph: Graph, action: Action, players: Sequence[str]) -> str:
    """``player words``; the canonical notation of the action."""
    actor = actor_name(action.actor, players) if action.actor < 0 else value_text(graph, _SEAT, action.actor, players)
    kind = graph.actions.get(action.verb)
    if kind is None or len(kind.params) != len(action.args):
        return f"{actor} {action.verb}"
    given = {
        p.name: value_text(graph, p.type, value, players) for p, value in zip(kind.params, action.args, strict=True)
    }
    return f"{actor} {_HOLE.sub(lambda m: given.get(m[1], m[0]), kind.written[0])}"


@dataclass(frozen=True, slots=True)
class TemplateWord:
    """One word of a template: a literal, or a parameter between a prefix and a suffix, as in ``({c})``."""

    literal: str
    parameter: str = ""
    prefix: str = ""
    suffix: str = ""

    def read(self, word: str) -> str | None:
        """Match the word: return the text of the parameter ("" for a matching literal), or None."""
        if not self.parameter:
            return "" if word == self.literal else None
        inner = word[len(self.prefix) : len(word) - len(self.suffix)]
        fits = inner and len(word) > len(self.prefix) + len(self.suffix) and word == self.prefix + inner + self.suffix
        return inner if fits else None


@dataclass(frozen=True, slots=True)
class Template:
    """One way to write an action; ``given`` are the parameters whose values it sets."""

    kind: ActionKind
    tokens: tuple[TemplateWord, ...]
    given: tuple[tuple[str, str], ...] = ()


class ActionTemplates:
    """All templates of a graph, indexed by length and first word."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.templates: dict[int, list[Template]] = {}
        self.beginning: dict[tuple[int, str], list[Template]] = {}
        for kind in graph.actions.values():
            for written in kind.written:
                said, given = said_and_given(written)
                template = Template(kind, tuple(_token(word) for word in said.split()), given)
                self.templates.setdefault(len(template.tokens), []).append(template)
                self.beginning.setdefault((len(template.tokens), template.tokens[0].literal), []).append(template)

    def readings(self, words: Sequence[str], players: Sequence[str], exact: bool = False) -> list[Reading]:
        """Return every action, with its arguments, that the words can mean at this table, in spec order.

        ``exact``: no spaces for hyphens. Raises :class:`AmbiguousText`.
        """
        # Templates with this first word, and those that begin with a parameter.
        size, first = len(words), words[0] if words else ""
        fitting = (*self.beginning.get((size, first), ()), *self.beginning.get((size, ""), ()))
        found = [(t.kind.name, args) for t in fitting for args in self._arguments(t, words, players)]
        return list(dict.fromkeys(found)) if found or exact else self._joined(words, players)

    def _joined(self, words: Sequence[str], players: Sequence[str]) -> list[Reading]:
        """The readings with hyphens for some of the spaces."""
        ways: dict[tuple[Reading, ...], str] = {}
        for joined in joinings(words):
            if found := tuple(self.readings(joined, players, exact=True)):
                ways.setdefault(found, " ".join(joined))
        if len(ways) > 1:
            raise AmbiguousText(" ".join(words), list(ways.values()))
        return [reading for found in ways for reading in found]

    def _arguments(self, template: Template, words: Sequence[str], players: Sequence[str]) -> list[tuple[int, ...]]:
        """The possible arguments; a parameter without a place in the template may have any value of its type."""
        given = dict(template.given)
        for token, word in zip(template.tokens, words, strict=True):
            inner = token.read(word)
            if inner is None or given.setdefault(token.parameter, inner) != inner:
                return []
        choices: list[Iterable[int]] = []
        for param in template.kind.params:
            if param.name not in given:
                choices.append(range(param.type.low, param.type.high + 1))
                continue
            value = value_of(self.graph, param.type, given[param.name], players)
            if value is None:
                return []
            choices.append((value,))
        return list(itertools.product(*choices))


def joinings(words: Sequence[str]) -> Iterator[list[str]]:
    """The words with hyphens for some spaces, in every way, the fewest hyphens first."""
    size = len(words)
    if size > _MOST_JOINED:
        return
    for hyphens in range(1, size):
        for places in itertools.combinations(range(1, size), hyphens):
            joined = list(words[:1])
            for at in range(1, size):
                if at in places:
                    joined[-1] += f"-{words[at]}"
                else:
                    joined.append(words[at])
            yield joined


@by_identity(MOST_GRAPHS)
def words_of(graph: Graph) -> ActionTemplates:
    """The memoised words of a graph."""
    return ActionTemplates(graph)


def _token(word: str) -> TemplateWord:
    prefix, opened, rest = word.partition("{")
    name, closed, suffix = rest.partition("}")
    return TemplateWord("", name, prefix, suffix) if opened and closed else TemplateWord(word)


def parse_action(graph: Graph, text: str, players: Sequence[str]) -> list[Action]:
    """Parse ``player words``; return the possible actions, at least one, in spec order. Raises TextError."""
    from truco_spec.engine.support import ACTORS, Action

    who, _, words = " ".join(text.split()).partition(" ")
    if who not in ACTORS and who not in players:
        near = nearest(who, players) or ""
        message = Sentence("there is no player {who} at this table ({players})", who=repr(who), players=tuple(players))
        raise TextError(message, near)
    actor = ACTORS[who] if who in ACTORS else list(players).index(who)
    if not words:
        raise TextError(Sentence("{who} says or plays nothing: write a card or a word after the name", who=who))
    found = words_of(graph).readings(words.split(), players)
    if found:
        return [Action(actor, *reading) for reading in found]
    raise _unread(graph, words, players)


def _unread(graph: Graph, words: str, players: Sequence[str]) -> TextError:
    """The error for words without a meaning."""
    message = Sentence("{words} is no card and no word of {game}", words=repr(words), game=graph.name)
    if lack := lack_of(words_of(graph), words.split(), players):
        return TextError(Sentence("{message}: {wanted}", message=message, wanted=lack.wanted))
    return TextError(message, _near(graph, words))


def _near(graph: Graph, words: str) -> str:
    known = [card.name for card in graph.cards if card.present]
    known += [m for order, members in graph.orders.items() if "." in order for m in members]
    for kind in graph.actions.values():
        known += [said for said, _ in map(said_and_given, kind.written) if "{" not in said]
    return nearest(words.strip("()"), known) or ""


# --------------------------------------------------------------------------------------------------
# Errors in words that begin like a known template: ``tengo treinta``.

_VALUE, _MISSING, _TOO_MUCH = range(3)
_MOST_LISTED = 12
STANDS = "behind “{behind}” stands {rest}"
NO_MORE = "behind “{behind}” stands {rest}, and no more"
NOTHING_MORE = "nothing stands behind “{behind}”; moves are parted by commas"


def whole_sentence(wanted: Sentence) -> Sentence:
    """The end of a sentence as one of its own: with a capital letter and a full stop."""
    return Sentence(f"{wanted.form[0].upper()}{wanted.form[1:]}.", **wanted.holes)


class Lack(NamedTuple):
    """``part`` is the unexpected text ``behind`` the words before it; empty if the words end too soon.

    ``kind`` is the expected type; None if nothing is expected, or if the words end too soon. ``wanted`` describes it,
    as the end of a sentence.
    """

    part: str
    behind: str
    kind: Type | None
    wanted: Sentence


def lack_of(words: ActionTemplates, said: Sequence[str], players: Sequence[str]) -> Lack | None:
    """The first error in words without a meaning; None if no template begins like them."""
    for spelt in (said, *joinings(said)) if said else ():
        if lack := _lack(words, spelt, players):
            return lack
    return None


def _lack(words: ActionTemplates, said: Sequence[str], players: Sequence[str]) -> Lack | None:
    templates = [template for listed in words.templates.values() for template in listed]
    faults = [(template, _fault(words.graph, template, said, players)) for template in templates]
    found = [(*fault, template) for template, fault in faults if fault is not None]
    if not found:
        return None
    at, sort = min(((at, sort) for at, sort, _ in found), key=lambda fault: (-fault[0], fault[1]))
    likely = [template for *fault, template in found if fault == [at, sort]]
    first = likely[0]
    behind, whole = " ".join(said[:at]), _whole(words.graph, first)
    if sort == _TOO_MUCH:
        wanted = Sentence(NO_MORE, **whole.holes) if whole else Sentence(NOTHING_MORE, behind=behind)
        return Lack(" ".join(said[at:]), behind, None, wanted)
    if sort == _VALUE:
        token = first.tokens[at]
        return Lack(token.read(said[at]) or "", behind, _type_of(first, token), whole)
    stand = list(dict.fromkeys(_listed(words.graph, template, at) for template in likely))
    return Lack("", behind, None, Sentence(STANDS, behind=behind, rest=alternatives(stand[:_MOST_LISTED])))


def _fault(graph: Graph, template: Template, said: Sequence[str], players: Sequence[str]) -> tuple[int, int] | None:
    """The first mismatch with the template; None if it is the first word, or a literal one."""
    for at, (token, word) in enumerate(zip(template.tokens, said, strict=False)):
        inner, kind = token.read(word), _type_of(template, token)
        if inner is None:
            return None
        if kind is not None and value_of(graph, kind, inner, players) is None:
            return (at, _VALUE) if at else None
    size = len(template.tokens)
    if size == len(said):
        return None
    return (len(said), _MISSING) if size > len(said) else (size, _TOO_MUCH)


def _type_of(template: Template, token: TemplateWord) -> Type | None:
    return next((param.type for param in template.kind.params if param.name == token.parameter), None)


def _whole(graph: Graph, template: Template) -> Sentence:
    """The rest of a template after the first words; empty if there are none, or nothing follows."""
    lead = list(itertools.takewhile(bool, (token.literal for token in template.tokens)))
    rest = _listed(graph, template, len(lead))
    if not lead or not rest:
        return Sentence("")
    return Sentence(STANDS, behind=" ".join(lead), rest=rest)


def _listed(graph: Graph, template: Template, begin: int) -> str:
    """The expectation of a template from one of its words on."""
    told: list[str] = []
    for literal, tokens in itertools.groupby(template.tokens[begin:], lambda token: bool(token.literal)):
        if literal:
            told.append(f"“{' '.join(token.literal for token in tokens)}”")
        else:
            told += [_hole(graph, template, token) for token in tokens]
    return combined(told) if told else ""


def _hole(graph: Graph, template: Template, token: TemplateWord) -> str:
    kind = _type_of(template, token)
    text = described(graph, kind) if kind else ""
    around = f"{token.prefix}{token.suffix}"
    return Sentence("{text} in “{around}”", text=text, around=around) if around else text


def described(graph: Graph, kind: Type) -> str:
    """The description of the values of a type."""
    told: list[str] = []
    if kind.base == "number":
        told.append(Sentence("a number from {low} to {high}", low=kind.low, high=kind.high))
    elif kind.base in ("seat", "team"):
        told.append(Sentence("a player"))
    elif kind.base == "order":
        members = graph.orders[kind.name][kind.low : kind.high + 1]
        more = ", …" if len(members) > _MOST_LISTED else ""
        told.append(Sentence("one of {words}", words=f"{', '.join(members[:_MOST_LISTED])}{more}"))
    elif kind.base:
        form = "a phase" if kind.base == "phase" else "a card"
        told.append(Sentence("yes or no" if kind.base == "flag" else form))
    return alternatives([*told, *sorted(kind.words)])


def told_in_force(graph: Graph, source: Source) -> str:
    """The sentence of a statement that holds in the graph, filled; “where that is agreed” is only said of an option
    that is not as the variant has it.
    """
    translated = spoken().rules
    prose = translated(source.prose)
    options = (graph.options.get(name) for name in source.agreed if name != HOW_MANY)
    agreed = any(option is not None and option.set_by == ASKED for option in options)
    return _filled(graph, prose if agreed else plainly(prose, translated(AGREED)))


def plainly(sentence: str, formula: str = AGREED) -> str:
    """The sentence without “where that is agreed”, for places where that is implicit."""
    if sentence.startswith(formula):
        rest = sentence[len(formula) :]
        return rest[:1].upper() + rest[1:]
    aside = f", {formula[:1].lower()}{formula[1:]}".rstrip(", ")
    return re.sub(rf"{re.escape(aside)}(?=[.;:,])", "", sentence)


def told(graph: Graph, prose: str) -> str:
    """Translate a sentence of a rule into the language that is spoken, and fill the placeholders of options and of
    questions that the options determine.

    Other names lose their braces and hyphens; an aside that depends on play is omitted.
    """
    return _filled(graph, spoken().rules(prose))


def _filled(graph: Graph, text: str) -> str:
    language = spoken()
    if "{" not in text:
        return text

    def value(name: str) -> str:
        found = fixed_value(graph, name)
        return named_value(name, found) if name in graph.options else found

    def filled(hole: re.Match[str]) -> str:
        found = value(hole[2]) or worded(hole[2])
        return language.rules.joined(hole[1], found) if hole[1] else found

    text = ASIDE.sub(lambda aside: f" ({found})" if (found := value(aside[1])) else "", text)
    return _PLACEHOLDER.sub(filled, text)


def named_value(option: str, value: str) -> str:
    """The name of an option's value; in English that of the book plan."""
    if not spoken().english:
        return spoken().rules.value(option, value)
    from truco_spec.graph.plan import plan  # reads a file

    return plan().value(option, value)


@by_identity(_MOST_FIXED)
def fixed_value(graph: Graph, name: str) -> str:
    """The value of an option or of a question without parameters, in words; empty if play decides it. Memoised."""
    if name in graph.options:
        return graph.options[name].value
    define = graph.defines.get(name)
    if define is None or define.params or not data_read(graph, exprs_of_define(define)) <= graph.options.keys():
        return ""
    return graph.text_of(define.type, _before_anything(graph).ask(name, ()))


@by_identity(64)
def _before_anything(graph: Graph) -> Evaluator:
    """A position in which only the options are known; in some graphs they are data (:mod:`truco_spec.graph.load`)."""
    layout = Layout(graph)
    position = [NONE] * layout.size
    for name, option in graph.options.items():
        if name in layout.blocks:
            value = graph.value_of(graph.data[name].type, option.value)
            position[layout.blocks[name].base] = NONE if value is None else value
    return Evaluator(layout, position)
