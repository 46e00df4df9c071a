"""The corpus ready to send: every case in every variant as one line of JSON, with whole deals.

The runner sends the lines of ``conformance/scripts/VARIANT.jsonl``, and so can anybody else, in any language
(docs/scripts.md). Cases of one's own are filled when they are asked, and so are all cases of a checkout whose cases or
specs have changed since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from truco_spec.base import shipped
from truco_spec.base.project import by_variant
from truco_spec.base.shapes import ShapeError, read
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Applies, Case, Entry, Instance, seats
from truco_spec.conformance.corpus.protocol import Check, OwnDeals, Plan, Plays, Script, plan

NOT_TESTABLE = "not-testable"
"""The beginning of the names of files of clauses that no case can test."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a file: the variant, its options, and the digest of the corpus."""

    variant: str
    corpus: Annotated[int, "The version of the format of cases."]
    edition: Annotated[str, "The version of the corpus, X.Y.Z."]
    made_from: Annotated[str, "A digest of the cases and rules that the lines were made from."]
    plays: Annotated[Plays, "Numbers of players, and options with their values."]
    defaults: Annotated[Mapping[str, str], "Option: the value that holds where nothing is said."]
    seats: Annotated[int, "How many play where a case does not say it."]
    teams: int
    observes: Annotated[tuple[str, ...], "What can be observed in this variant."]

    def values(self, option: str) -> tuple[str, ...]:
        """The values of an option; empty if the variant lacks it."""
        return self.plays.options.get(option, ())


@dataclass(frozen=True, slots=True)
class ScriptRequest:
    """A request: to play a script."""

    script: Script


@dataclass(frozen=True, slots=True)
class OwnDealing:
    """A request: to deal by oneself."""

    deal: OwnDeals


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case in one variant, with one number of players and one setting of options."""

    name: Annotated[str, "The id of the case, and what distinguishes it where it has several lines."]
    case: Annotated[Entry, "The case as it stands in its file."]
    clauses: Annotated[tuple[str, ...], "Clauses that it tests, as source:id."]
    applies: Annotated[Applies, "Where the case holds."]
    path: Annotated[str, "Its file, below the folder of cases."]
    line: Annotated[int, "Where it begins there, from 1."]
    options: Annotated[Mapping[str, str], "Options under which it is played."]
    requests: Annotated[
        tuple[ScriptRequest | OwnDealing, ...], "What is sent, without ids. The first is the case itself."
    ]
    checks: Annotated[tuple[Check, ...], "What is to be found in the answers."]
    players: Annotated[tuple[str, ...] | None, "Who plays, where the case says it."] = None
    baselines: Annotated[tuple[str, ...], "Players without knowledge of the game who pass it."] = ()


@lru_cache(maxsize=1)
def is_current() -> bool:
    """Whether the shipped lines are current with the cases and specs."""
    try:
        return all(head(variant).made_from == origin() for variant in shipped.variant_names())
    except (OSError, ValueError, ShapeError):
        return False


@lru_cache(maxsize=1)
def origin() -> str:
    """A digest of the shipped files of cases and rules."""
    cases, spec, digest = corpus_folder(), shipped.folder("spec"), hashlib.sha256()
    files = [(path.relative_to(cases), path) for path in cases.rglob("*.yaml")]
    files += [(path.relative_to(spec), path) for path in spec.glob("*/*.truco")]
    for name, path in sorted(files):
        if not name.name.startswith(NOT_TESTABLE):
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def corpus_folder() -> Path:
    """The folder of the cases that are shipped with this installation."""
    return shipped.folder("conformance") / "cases"


@by_variant(256)
def rules_of(variant: str) -> Head:
    """The options of a variant, the user's own included. Raises TrucoError for an unknown one."""
    return head(variant) if variant in shipped.variant_names() and is_current() else made_head(variant)


def made_head(variant: str) -> Head:
    """The first line of a variant, by its rules. Raises TrucoError for an unknown one."""
    from truco_spec.conformance.adapters.reference import plays_of
    from truco_spec.engine.observe import observations
    from truco_spec.graph.load import load

    graph = load(variant)
    plays = plays_of(graph) or Plays(())
    defaults = {name: option.value for name, option in graph.options.items()}
    observes = tuple(observations(graph))
    return Head(variant, CORPUS_VERSION, edition(), origin(), plays, defaults, graph.seats, graph.teams, observes)


@lru_cache(maxsize=64)
def head(variant: str) -> Head:
    """The first line of a shipped variant. Raises OSError, ValueError, ShapeError."""
    with file_of(variant).open(encoding="utf-8") as lines:
        found: Head = read(json.loads(next(lines, "")), Head)
    return found


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    """The shipped cases, in order of path and line."""
    found = {line["case"]["id"]: line for variant in shipped.variant_names() for line in _lines(variant).values()}
    return tuple(sorted(map(_case, found.values()), key=lambda case: case.place))


@lru_cache(maxsize=64)
def instances(variant: str) -> tuple[Instance, ...]:
    """The shipped cases as played with a shipped variant, in order of path and line."""
    return tuple(
        Instance(_case(line), variant, _players(line), line["options"], name) for name, line in _lines(variant).items()
    )


def as_written(instance: Instance) -> Plan:
    """The plan of an instance, with deals as given by its case. Raises TrucoError as :func:`rules_of`."""
    players = players_of(instance)
    return plan(instance, players, teams_of(instance.variant, players))


def teams_of(variant: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The teams of these players, in order of seats. Raises TrucoError as :func:`rules_of`."""
    teams = rules_of(variant).teams
    return tuple(players[first::teams] for first in range(teams))


def players_of(instance: Instance) -> tuple[str, ...]:
    """The players of an instance, in order. Raises TrucoError as :func:`rules_of`."""
    return instance.players or seats(rules_of(instance.variant).seats)


def whole(instance: Instance) -> Plan:
    """The plan of an instance, with complete deals. Raises TrucoError as :func:`rules_of`."""
    line = _line(instance)
    if line is None:
        from truco_spec.conformance.corpus.filling import complete

        return complete(as_written(instance))
    requests = [read(request, ScriptRequest | OwnDealing) for request in line["requests"]]
    return Plan(
        tuple(request.script if isinstance(request, ScriptRequest) else request.deal for request in requests),
        tuple(read(check, Check) for check in line["checks"]),
    )


def is_shipped(instance: Instance) -> bool:
    """Whether it is an instance of the current shipped corpus."""
    return _line(instance) is not None


def baselines_of(instance: Instance) -> tuple[str, ...] | None:
    """The baseline players that pass an instance of the shipped corpus; None for any other."""
    line = _line(instance)
    return None if line is None else tuple(line["baselines"])


def file_of(variant: str) -> Path:
    return shipped.folder("conformance") / "scripts" / f"{variant}.jsonl"


@lru_cache(maxsize=64)
def _lines(variant: str) -> Mapping[str, dict[str, Any]]:
    """The lines of a shipped variant by instance name."""
    with file_of(variant).open(encoding="utf-8") as lines:
        next(lines, "")
        found = map(json.loads, lines)
        return {line["name"]: line for line in found}


def _line(instance: Instance) -> dict[str, Any] | None:
    if not is_current() or instance.variant not in shipped.variant_names():
        return None
    line = _lines(instance.variant).get(instance.name)
    same = line is not None and line["options"] == instance.options and _players(line) == instance.players
    return line if line is not None and same and _case(line) == instance.case else None


def _players(line: Mapping[str, Any]) -> tuple[str, ...] | None:
    players = line.get("players")
    return None if players is None else tuple(players)


def _case(line: Mapping[str, Any]) -> Case:
    name = line["case"]["id"]
    if name not in _CASES:
        entry, applies = read(line["case"], Entry), read(line["applies"], Applies)
        path = str(corpus_folder() / line["path"])
        _CASES[name] = Case(entry, tuple(line["clauses"]), applies, path, line["line"])
    return _CASES[name]


_CASES: dict[str, Case] = {}
"""The shipped cases read so far, by id."""
