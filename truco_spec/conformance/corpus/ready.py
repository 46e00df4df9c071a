"""The corpus ready to send: every case in every variant as one line of JSON, with whole deals.

``python -m truco_spec.conformance.corpus.ready`` writes ``conformance/scripts/VARIANT.jsonl`` from the cases and the
specs; with ``--check`` it only compares. The runner sends these lines, and so can anybody else, in any language
(docs/scripts.md). Cases of one's own are filled when they are asked, and so are all cases of a checkout whose cases or
specs have changed since.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from truco_spec.base import shipped
from truco_spec.base.shapes import ShapeError, plain, read
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Applies, Case, Entry, Instance, seats
from truco_spec.conformance.corpus.protocol import Check, OwnDeals, Plan, Plays, Script, plan

COMMAND = "python -m truco_spec.conformance.corpus.ready"
_NOT_TESTABLE = "not-testable"


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


# ---- reading ------------------------------------------------------------------------------------


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
    cases, spec, digest = _cases_folder(), shipped.folder("spec"), hashlib.sha256()
    files = [(path.relative_to(cases), path) for path in cases.rglob("*.yaml")]
    files += [(path.relative_to(spec), path) for path in spec.glob("*/*.truco")]
    for name, path in sorted(files):
        if not name.name.startswith(_NOT_TESTABLE):
            digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _cases_folder() -> Path:
    return shipped.folder("conformance") / "cases"


@lru_cache(maxsize=256)
def rules_of(variant: str) -> Head:
    """The options of a variant, the user's own included. Raises TrucoError for an unknown one."""
    return head(variant) if variant in shipped.variant_names() and is_current() else _made_head(variant)


@lru_cache(maxsize=64)
def head(variant: str) -> Head:
    """The first line of a shipped variant. Raises OSError, ValueError, ShapeError."""
    with _file(variant).open(encoding="utf-8") as lines:
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
    teams = rules_of(instance.variant).teams
    return plan(instance, players, tuple(players[first::teams] for first in range(teams)))


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


def _file(variant: str) -> Path:
    return shipped.folder("conformance") / "scripts" / f"{variant}.jsonl"


@lru_cache(maxsize=64)
def _lines(variant: str) -> Mapping[str, dict[str, Any]]:
    """The lines of a shipped variant by instance name."""
    with _file(variant).open(encoding="utf-8") as lines:
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
        path = str(_cases_folder() / line["path"])
        _CASES[name] = Case(entry, tuple(line["clauses"]), applies, path, line["line"])
    return _CASES[name]


_CASES: dict[str, Case] = {}
"""The shipped cases read so far, by id."""


# ---- writing ------------------------------------------------------------------------------------


def text_of(variant: str) -> str:
    """Generate the file of a variant."""
    from truco_spec.conformance.corpus.corpus import instances_of, read_shipped

    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (plain(_made_head(variant)), *map(_made, instances_of(read_shipped(), variant)))
    )


def _made_head(variant: str) -> Head:
    from truco_spec.conformance.adapters.reference import plays_of
    from truco_spec.engine.observe import observations
    from truco_spec.graph.load import load

    graph = load(variant)
    plays = plays_of(graph) or Plays(())
    defaults = {name: option.value for name, option in graph.options.items()}
    observes = tuple(observations(graph))
    return Head(variant, CORPUS_VERSION, edition(), origin(), plays, defaults, graph.seats, graph.teams, observes)


def _made(instance: Instance) -> dict[str, Any]:
    from truco_spec.conformance.adapters.baselines import passes
    from truco_spec.conformance.corpus.filling import complete

    given, case = as_written(instance), instance.case
    filled = complete(given)
    requests = tuple(ScriptRequest(each) if isinstance(each, Script) else OwnDealing(each) for each in filled.requests)
    path = Path(case.path).relative_to(_cases_folder()).as_posix()
    line = CaseLine(
        name=instance.name,
        case=case.entry,
        clauses=case.clauses,
        applies=case.applies,
        path=path,
        line=case.line,
        options=instance.options,
        requests=requests,
        checks=filled.checks,
        players=instance.players,
        baselines=passes(given),
    )
    found: dict[str, Any] = plain(line)
    return found


def differences(texts: Mapping[str, str]) -> Iterator[str]:
    """The variants whose shipped lines are out of date."""
    for variant, text in texts.items():
        path = _file(variant)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield variant


def main(arguments: list[str] | None = None) -> int:
    """Write the files that differ, or with ``--check`` only report them."""
    import argparse  # nobody needs these to read the files

    from truco_spec.base.processes import cores, made_of

    parser = argparse.ArgumentParser(prog=COMMAND, description="Make the corpus ready to send.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file is out of date")
    parser.add_argument("variants", nargs="*", help="only these (default: all)")
    given = parser.parse_args(arguments)
    names = given.variants or shipped.variant_names()
    texts = dict(zip(names, made_of(text_of, names, cores()), strict=True))
    stale = list(differences(texts))
    for variant in stale:
        sys.stdout.write(f"{_file(variant).name} {'is out of date' if given.check else 'is written'}\n")
        if not given.check:
            _file(variant).parent.mkdir(exist_ok=True)
            _file(variant).write_text(texts[variant], encoding="utf-8")
    return 1 if stale and given.check else 0


if __name__ == "__main__":
    sys.exit(main())
