"""Agreements that a table may have made: a variant with some options, and its rules ready to play.

All agreements of one variant are played by one graph, whose options are open (:mod:`truco_spec.graph.load`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from truco_spec.base.errors import TrucoError
from truco_spec.base.memo import by_identity
from truco_spec.base.shipped import is_file, variant_names
from truco_spec.engine.game import Game
from truco_spec.engine.text import told
from truco_spec.graph.load import REFUSED, SETTLED, is_open, load_unsettled
from truco_spec.graph.model import Graph, Option
from truco_spec.graph.walk import data_read, exprs_of_define
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.model import frozen
from truco_spec.logs.notation import hint_for, shown
from truco_spec.logs.setup import HOW_MANY

ALL = "all"
MOST = 60
"""Maximum agreements of one dispute."""


class AgreementError(TrucoError):
    """An unknown variant, option or value in the request."""


class NotPlayed(TrucoError):
    """The log cannot be played under these rules; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A variant, shipped or in a file, and the options that differ from its defaults."""

    variant: str
    options: Mapping[str, str] = field(default_factory=lambda: frozen({}))

    @property
    def name(self) -> str:
        """Its name in prose: ``mineiro (tie-lead last)``."""
        agreed = ", ".join(f"{name} {value}" for name, value in self.options.items())
        called = self.variant if self.variant in variant_names() else _called(self.variant)
        return f"{called} ({agreed})" if agreed else called

    @property
    def key(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """The key for equality."""
        return self.variant, tuple(sorted(self.options.items()))

    def but(self, **changed: str) -> Agreement:
        """The same with other values of some options."""
        return replace(self, options=frozen({**self.options, **changed}))


@dataclass(frozen=True)
class Rules:
    """The rules of an agreement. ``graph`` plays them; ``begin`` are the open options with which a game begins.

    ``options`` are all values that are agreed otherwise than the graph has them, the number of players among them.
    """

    agreement: Agreement
    graph: Graph
    options: Mapping[str, str]
    begin: Mapping[str, int]

    @cached_property
    def shown(self) -> Graph:
        """The same graph with the agreed values, for sentences."""
        agreed = {n: replace(o, value=self.options.get(n, o.value)) for n, o in self.graph.options.items()}
        return replace(self.graph, options=agreed)

    def option(self, name: str) -> Option:
        """An option with its value."""
        found = self.graph.options[name]
        return replace(found, value=self.options[name]) if name in self.options else found


def agreements_of(text: str, log_options: Mapping[str, str], home: str = "") -> tuple[Agreement, ...]:
    """What ``--variants`` asks for: variants parted by commas; ``all`` stands for all that are shipped, that of the
    log, ``home``, first.

    Each may be a ``.truco`` file, and may have options behind it: ``mineiro tie-lead=last, house.truco``.

    What the log says was agreed (``log_options``) holds wherever a variant has such an option with such a value, unless
    it is asked for otherwise. Raises :class:`AgreementError`, and :class:`SpecError` for a file that cannot be linked.
    """
    names = variant_names()
    found: dict[object, Agreement] = {}
    for part in text.split(","):
        words = part.split()
        if not words:
            raise AgreementError(f"A variant is missing between two commas. {hint_for('', names)}")
        for variant in sorted(names, key=lambda name: name != home) if words == [ALL] else words[:1]:
            _must_be(variant, names)
            options = {**_carried(variant, log_options), **_asked(variant, words[1:])}
            agreement = Agreement(variant, frozen(options))
            found.setdefault(agreement.key, agreement)
    if len(found) > MOST:
        raise AgreementError(f"{len(found)} agreements are more than the {MOST} that one dispute can compare.")
    return tuple(found.values())


def _must_be(variant: str, names: Sequence[str]) -> None:
    if is_file(variant):
        if not Path(variant).is_file():
            raise AgreementError(f"{shown(variant)}: There is no such file.")
        load_unsettled(variant)  # errors are reported at once, with their place
    elif variant not in names:
        raise AgreementError(f"There is no variant “{shown(variant)}”. {hint_for(variant, names)}")


def _called(file: str) -> str:
    """The name of the variant in a file; with the file, if a shipped one has that name."""
    name = load_unsettled(file).name
    return f"{name} ({shown(file)})" if name in variant_names() else name


def _asked(variant: str, words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    options = load_unsettled(variant).options if words else {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            raise AgreementError(f"“{shown(word)}” behind {variant} is not option=value.")
        if name not in options:
            raise AgreementError(f"{variant} has no option “{shown(name)}”. {hint_for(name, options)}")
        if value not in (*options[name].values, *options[name].ruled_out):
            values = hint_for(value, options[name].values)
            raise AgreementError(f"The option “{name}” of {variant} has no value “{shown(value)}”. {values}")
        found[name] = value
    return found


def _carried(variant: str, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a log that this variant has too, with that value, if they change anything."""
    options = load_unsettled(variant).options if given else {}
    return {
        name: value
        for name, value in given.items()
        if name in options and value in options[name].values and value != options[name].value
    }


@lru_cache(maxsize=4096)
def _rules(variant: str, agreed: tuple[tuple[str, str], ...], players: int) -> Rules:
    options = dict(agreed)
    try:
        plain = load_unsettled(variant)
        if HOW_MANY in plain.options:
            numbers = plain.options[HOW_MANY].values
            if str(players) not in numbers:
                raise NotPlayed(f"it is played by {' or '.join(numbers)}, and the log names {players} players")
            options.setdefault(HOW_MANY, str(players))
        if refusal := _refusal(plain, options):
            raise NotPlayed(refusal)
        settled = {n: v for n, v in options.items() if not is_open(plain, n) and v != plain.options[n].value}
        graph = load_unsettled(variant, settled) if settled else plain
    except SpecError as error:
        raise NotPlayed(f"its rules cannot be linked so: {error.diagnostics[0].message.rstrip('.')}") from None
    if graph.seats != players:
        raise NotPlayed(f"it is played by {graph.seats} as agreed, and the log names {players} players")
    begin = {name: _number(graph, name, value) for name, value in options.items() if is_open(graph, name)}
    return Rules(Agreement(variant, frozen(dict(agreed))), graph, frozen(options), frozen(begin))


def _number(graph: Graph, datum: str, value: str) -> int:
    number = graph.value_of(graph.data[datum].type, value)
    if number is None:
        raise NotPlayed(f"its option {datum.removeprefix(SETTLED)} has no value {value}")
    return number


def _refusal(graph: Graph, options: Mapping[str, str]) -> str:
    """Why these options are refused; empty if they are not."""
    data = {name if is_open(graph, name) else SETTLED + name: value for name, value in options.items()}
    asked = [
        name for name in graph.defines if name.startswith(REFUSED) and not data.keys().isdisjoint(_read(graph, name))
    ]
    if not asked:
        return ""
    game = Game(graph, start={name: _number(graph, name, value) for name, value in data.items() if name in graph.data})
    found = next((graph.defines[name].answers[0].source for name in asked if game.ask(name)), None)
    return (told(graph, found.prose).rstrip(".") or "these options are refused") if found is not None else ""


@by_identity(1024)
def _read(graph: Graph, define: str) -> frozenset[str]:
    """The data that a question reads; memoised."""
    return frozenset(data_read(graph, exprs_of_define(graph.defines[define])))


def rules_of(agreement: Agreement, players: int) -> Rules:
    """The rules of an agreement for this number of players. Raises :class:`NotPlayed` if there are none."""
    return _rules(agreement.variant, tuple(sorted(agreement.options.items())), players)
