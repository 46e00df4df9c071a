"""Words of a language: translations of sentences, and which language is spoken to the reader now.

As with gettext, the language is not passed around: :func:`say` translates into the one that :func:`speaking` has set,
English if none has. Sentences of rules are translated where their placeholders are filled
(:func:`truco_spec.engine.text.told`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import MappingProxyType

from truco_spec.base.shipped import ENGLISH

ACT = "act"
"""The message context of acts that are done and not said."""

_GLUE = "\4"
"""Separates context and sentence, as in gettext's own files."""


def key_of(sentence: str, context: str = "") -> str:
    """The sentence as catalogs have it; ``context`` is the option that has it as a value, or :data:`ACT`."""
    return f"{context}{_GLUE}{sentence}" if context else sentence


@dataclass(slots=True)
class Words:
    """Translates sentences; ``missing`` collects those that the catalog lacks, as they were looked up.

    ``together`` are the words that contract: ``de el`` is ``del``. ``others`` are sentences of other languages, by key.
    """

    language: str = ENGLISH
    catalog: dict[str, str] = field(default_factory=dict)
    missing: dict[str, None] = field(default_factory=dict)
    together: dict[str, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    _acts: tuple[re.Pattern[str], dict[str, str]] | None = field(default=None, repr=False, compare=False)

    def __call__(self, sentence: str, context: str = "") -> str:
        """Translate a sentence; unchanged if there is no translation."""
        key = key_of(sentence, context)
        found = self.catalog.get(key)
        if (self.language == ENGLISH and key not in self.others) or not sentence:
            return found or sentence
        if not found:
            self.missing[sentence] = None
            return sentence
        return found

    def told(self, sentence: str) -> str:
        """Translate a dispensable sentence; empty if there is no translation."""
        key = key_of(sentence)
        return self.catalog.get(key, sentence if self.language == ENGLISH and key not in self.others else "")

    def known(self, word: str) -> str:
        """Translate a word; unchanged if the catalog lacks it: it may be a name."""
        return self.catalog.get(word) or word

    def value(self, option: str, value: str) -> str:
        """The label of an option's value: ``from second``, ``desde la segunda``; numbers are unchanged."""
        spaced = value.replace("-", " ")
        return spaced if value.isdigit() else self(spaced, option)

    def moves(self, text: str) -> str:
        """Translate acts in moves; spoken words are kept, with hyphens as spaces."""
        if self._acts is None:
            context = ACT + _GLUE
            acts = {key.removeprefix(context): told for key, told in self.catalog.items() if key.startswith(context)}
            names = sorted(acts, key=len, reverse=True)  # the longest first: “keep-card” is not “keep” and a card
            known = (rf"\b{re.escape(name)}\b".replace(r"\-", "[- ]") for name in names)
            self._acts = re.compile("|".join((*known, "-"))), acts
        pattern, acts = self._acts
        return pattern.sub(lambda found: acts.get(found[0].replace(" ", "-"), " "), text)

    def joined(self, before: str, inserted: str) -> str:
        """Join two texts, contracting the words at the seam: de, el: del."""
        last, first = before.rpartition(" ")[2], inserted.partition(" ")[0]
        found = self.together.get(f"{last} {first}")
        if found is None:
            return f"{before} {inserted}"
        return f"{before.removesuffix(last)}{found}{inserted.removeprefix(first)}"


# ---- The language that is spoken now ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spoken:
    """A language: ``site`` are the words around rules, ``rules`` their sentences, titles and names."""

    language: str = ENGLISH
    site: Words = field(default_factory=Words)
    rules: Words = field(default_factory=Words)

    @property
    def english(self) -> bool:
        """Whether it is the language of the sources."""
        return self.language == ENGLISH


_ENGLISH = Spoken()
_SPOKEN: ContextVar[Spoken] = ContextVar("_SPOKEN", default=_ENGLISH)


def spoken() -> Spoken:
    """The language that is spoken now."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: Spoken) -> Iterator[None]:
    """Speak a language for a while."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def say(sentence: str, /, **holes: object) -> str:
    """Translate a sentence of ours, and then fill its holes: ``say("{player} leads", player="ana")``."""
    return _filled(spoken().site(sentence), holes, translated)


class Sentence(str):
    """A sentence of ours in English, with its holes filled, that :func:`translated` translates.

    For what is found in one place and told in another: errors, and findings of checks. A hole takes what :func:`str`
    shows, a sentence, or a tuple of these, which is listed with commas: ``Sentence("there is no {what} {name}", …)``.
    """

    form: str
    holes: dict[str, object]

    def __new__(cls, form: str, /, **holes: object) -> Sentence:
        """Fill the holes."""
        made = super().__new__(cls, _filled(form, holes, _plain))
        made.form, made.holes = form, holes
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, object]]:
        """The arguments from which it is unpickled."""
        return (self.form,), self.holes

    def __getstate__(self) -> None:
        """There is nothing else to keep."""


def translated(text: object) -> str:
    """A sentence of ours or of rules, or a number, in the language that is spoken now; any other text as it is."""
    if isinstance(text, Sentence):
        known = spoken().site.catalog.get(text.form) or spoken().rules.known(text.form)
        return _filled(known, text.holes, translated)
    return number(text) if type(text) is int else str(text)


def _plain(text: object) -> str:
    return number(text, language=ENGLISH) if type(text) is int else str(text)


def said_by(error: Exception) -> str:
    """Return the message of an error: the sentence with which it was raised, if any."""
    said = error.args[0] if error.args else None
    return said if isinstance(said, Sentence) else str(error)


def hinted(wrong: str, hint: str) -> str:
    """Return a message followed by its hint, if any."""
    return Sentence("{message} {hint}", message=wrong, hint=hint) if hint else wrong


def suggestion(near: str | None, otherwise: str = "") -> str:
    """Return the hint for an unknown name: the nearest known one, or else the text ``otherwise``."""
    return Sentence("Did you mean “{near}”?", near=near) if near else otherwise


def alternatives(texts: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    *most, last = texts
    return Sentence("{most} or {last}", most=tuple(most), last=last) if most else last


def combined(texts: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = texts
    return Sentence("{most} and {last}", most=tuple(most), last=last) if most else last


_OF_PLAYERS = frozenset(("player", "players", "team", "it", "who", "key", "name", "move"))
"""The holes of names, and of moves, which begin with one: a player may be called like an article, “a” or “el”."""


def _filled(form: str, holes: Mapping[str, object], told: Callable[[object], str]) -> str:
    words = None if told is _plain or not spoken().rules.together else spoken().rules

    def fill(hole: re.Match[str]) -> str:
        before, name = hole[1], hole[2]
        held = holes.get(name, f"{{{name}}}")
        text = ", ".join(map(told, held)) if isinstance(held, tuple) else told(held)
        if before is None:
            return text
        return f"{before} {text}" if words is None or name in _OF_PLAYERS else words.joined(before, text)

    return re.sub(r"(?:(\w+) )?\{(\w+)\}", fill, form)


_MARKS = str.maketrans(",.", ".,")


def without_accents(text: str) -> str:
    """The letters of a text that are plain ones, accents aside."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if letter.isascii())


def number(value: float, digits: int = 0, language: str = "") -> str:
    """A number for people, in a language or the one that is spoken: ``97,804`` and ``1.5``; ``97.804`` and ``1,5`` in
    Portuguese and in Spanish.
    """
    told = f"{value:,.{digits}f}" if digits or not isinstance(value, int) else f"{value:,}"
    return told if (language or spoken().language) == ENGLISH else told.translate(_MARKS)


def label(name: str) -> str:
    """Return the name of an observation, or of its value; unchanged in English."""
    return name if spoken().english else spoken().rules.known(name.replace("-", " "))


def worded(value: object, teams: Mapping[str, str] = MappingProxyType({})) -> str:
    """An observation for people: a text, a list, a mapping by player or name. ``teams`` are the names of teams."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{teams.get(who, who)} {worded(what)}" for who, what in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(worded, value)) or "–"
    return label(str(value)).replace("-", " ")


def called_value(option: str, value: str) -> str:
    """Return the name of an option's value; unchanged in English."""
    return value if spoken().english else spoken().rules.value(option, value)


def move_text(text: str) -> str:
    """Return a move for people: acts are translated, words are not; unchanged in English."""
    player, space, words = text.partition(" ")
    return text if spoken().english else f"{player}{space}{spoken().rules.moves(words)}"


def listed(names: Iterable[str], joint: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return joined(names, say(joint))


def joined(names: Iterable[str], joint: str) -> str:
    """Return the same, with a joint that is already translated."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} {joint} {last}" if most else last


# ---- The players of examples, and of arguments and logs in the documentation, by language ----------

_FIRST = ("Ana", "Bia", "Caio", "Davi", "Eva", "Fred")
_NAMES = {ENGLISH: _FIRST, "pt": _FIRST, "es": ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede")}
_KNOWN = {name: at for names in _NAMES.values() for at, name in enumerate(names)}
_NAME = re.compile(rf"\b(?:{'|'.join(_KNOWN)})\b", re.IGNORECASE)


def names_in(language: str) -> tuple[str, ...]:
    """The players of a language, in order of play."""
    return _NAMES.get(language, _FIRST)


def renamed(text: str, language: str) -> str:
    """A text with its players named as in the language; who is written small stays so."""
    names = names_in(language)

    def told(name: re.Match[str]) -> str:
        found = names[_KNOWN[name[0].capitalize()]]
        return found.lower() if name[0].islower() else found

    return _NAME.sub(told, text)
