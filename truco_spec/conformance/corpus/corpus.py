"""The corpus from its files: read, validated, and expanded over variants, options and numbers of players."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.paths import ordinary_files
from truco_spec.base.project import own_projects, playable_names
from truco_spec.base.shapes import ShapeError, read
from truco_spec.base.user_cache import KeptResults, Shelf
from truco_spec.base.words import Sentence, hinted, said_by, suggestion
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.cases import (
    CORPUS_VERSION,
    Allowed,
    Applies,
    Case,
    CaseFile,
    Deals,
    Entry,
    Expect,
    HandStep,
    Instance,
    Legal,
    Refused,
    View,
    seats,
)
from truco_spec.conformance.corpus.protocol import STATE_VALUES
from truco_spec.conformance.corpus.ready import NOT_TESTABLE, corpus_folder
from truco_spec.graph.model import by_identity

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")

MOST_MISTAKES = 20
"""The most faulty cases that one error lists."""


class CaseError(TrucoError):
    """An unusable file of cases. The message has file, line, what is wrong and what to do; with ``several`` faulty
    cases, one line for each.
    """

    several: tuple[CaseError, ...] = ()


def load(paths: Iterable[Path | str] = ()) -> tuple[Case, ...]:
    """Return all cases of the files and folders (default: all available ones), in order of path and line.

    Raises :class:`CaseError`: a file that cannot be read, a file or folder without cases, an unknown key, an id given
    twice.
    """
    if not (given := [Path(path) for path in paths]):
        return (*(ready.cases() if ready.is_current() else read_shipped()), *read_own())
    cases = _load(given)
    for path in given:
        if not any(Path(case.path).is_relative_to(path) for case in cases):
            raise CaseError(Sentence("{path}: there are no cases here. A file of cases ends in .yaml.", path=str(path)))
    return cases


def playable(clause: str, settings: Mapping[str, str], players: int) -> bool:
    """Whether some case that cites the clause, source:id, is played under these settings of a game's options and by
    no more players. True if no case cites it.
    """
    found = [setting for known in (_shipped_settings(), _settings(read_own())) for setting in known.get(clause, ())]
    return not found or any(
        fewest <= players and all(settings[name] in values for name, values in options.items() if name in settings)
        for options, fewest in found
    )


_Settings = Mapping[str, Sequence[tuple[Mapping[str, Collection[str]], int]]]
"""Maps a clause to the options of the cases that cite it and the smallest number of players, 0 if left open."""
_SHELF = Shelf("cites", 8)


@lru_cache(maxsize=1)
def _shipped_settings() -> _Settings:
    """Return the settings of the shipped cases, cached between runs, as every case has to be read for them."""
    if not ready.is_current():
        return _settings(read_shipped())
    known = KeptResults[_Settings](_SHELF, ("conformance/corpus",), ready.origin())
    found = known.taken("settings", lambda: _settings(ready.cases()))
    known.keep()
    return found


@by_identity(4)
def _settings(cases: tuple[Case, ...]) -> _Settings:
    """Return the settings of these cases; memoised."""
    found: dict[str, list[tuple[Mapping[str, Collection[str]], int]]] = {}
    for case in cases:
        given = {**case.applies.options, **case.entry.options}
        options = {name: _values(value) for name, value in given.items()}
        named = case.entry.players
        fewest = named if isinstance(named, int) else len(named) if named else min(case.applies.players, default=0)
        for clause in case.clauses:
            found.setdefault(clause, []).append((options, fewest))
    return found


def _values(value: object) -> Collection[str]:
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def load_instances(*variants: str) -> list[Instance]:
    """Return the available cases as played with these variants, in order of path and line. Raises CaseError."""
    if ready.is_current():
        known = [name for name in shipped.variant_names() if name in variants]
        found = [instance for name in known for instance in ready.instances(name)]
    else:
        found = [instance for name in dict.fromkeys(variants) for instance in instances_of(read_shipped(), name)]
    found += [instance for name in dict.fromkeys(variants) for instance in instances_of(read_own(), name)]
    return sorted(found, key=lambda i: (*i.case.place, i.case.applies.variants.index(i.variant)))


@lru_cache(maxsize=1)
def read_shipped() -> tuple[Case, ...]:
    """The shipped cases, read from their files. Raises :class:`CaseError`."""
    return _load([corpus_folder()])


def read_own() -> tuple[Case, ...]:
    """The cases of the user's projects. Raises :class:`CaseError`."""
    folders = tuple(project.cases for project in own_projects() if project.cases.is_dir())
    return _read_own(folders) if folders else ()


def reread_own() -> None:
    """Have the user's cases read again: their files have changed."""
    _read_own.cache_clear()


def own_among(instances: Iterable[Instance]) -> tuple[Instance, ...]:
    """The instances of cases of the user's projects."""
    ids = {case.id for case in read_own()}
    return tuple(instance for instance in instances if instance.case.id in ids)


@lru_cache(maxsize=8)
def _read_own(folders: tuple[Path, ...]) -> tuple[Case, ...]:
    return _load(folders)


def _load(paths: Iterable[Path]) -> tuple[Case, ...]:
    cases: list[Case] = []
    seen: dict[str, Case] = {}
    wrong: list[CaseError] = []
    for path in _files(paths):
        try:
            read_here = load_file(path)
        except CaseError as error:
            wrong += error.several or (error,)
            continue
        for case in read_here:
            if earlier := seen.get(case.id):
                form = (
                    "{place}: the id {id} is already used at {earlier}. Ids are unique over the corpus and never "
                    "reused: take the next free number."
                )
                places = {"place": f"{case.path}:{case.line}", "earlier": f"{earlier.path}:{earlier.line}"}
                raise CaseError(Sentence(form, id=case.id, **places))
            seen[case.id] = case
            cases.append(case)
    if wrong:
        raise all_of(wrong)
    return tuple(cases)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (file for file in ordinary_files(path, "**/*.yaml") if not file.name.startswith(NOT_TESTABLE))
        elif path.exists():
            yield path
        else:
            raise CaseError(Sentence("{path}: there is no such file or folder of cases.", path=str(path)))


def load_file(path: Path) -> tuple[Case, ...]:
    """The cases of one file. Raises :class:`CaseError`."""
    from truco_spec.base import safe_yaml  # the shipped cases need none of it

    try:
        document = safe_yaml.load_file(path)
    except safe_yaml.YamlError as error:
        raise CaseError(str(error)) from error
    return cases_in(document)


NEEDED = ("corpus", "source", "cases")
"""The keys without which a file has no cases; with any other wrong the cases are read all the same."""


def cases_in(document: safe_yaml.Document) -> tuple[Case, ...]:
    """Return the cases of a document. Raises :class:`CaseError`, with a line for each faulty case."""
    _check_version(document)
    data, wrong = document.data, list[CaseError]()
    listed = data.get("cases") if isinstance(data, dict) else None
    entries = listed if isinstance(listed, list) else []
    left = [*range(len(entries))]
    while True:
        try:
            file: CaseFile = read({**data, "cases": [entries[at] for at in left]} if wrong else data, CaseFile)
            found = tuple(_case(file, number, document, at) for number, at in enumerate(left))
            break
        except ShapeError as error:
            place, of_a_case = error.place, error.place[:1] == ("cases",) and len(error.place) > 1
            if of_a_case:  # the others are read all the same
                place = ("cases", left.pop(int(place[1])), *place[2:])
            line, column = document.key_place(*place)
            form = "{place}: {message} The keys are explained in docs/cases.md."
            where = f"{document.path}:{line}:{column}"
            wrong.append(CaseError(Sentence(form, place=where, message=error.message)))
            needless = len(place) > 0 and place[0] in data and place[0] not in NEEDED
            if needless:
                data = {key: value for key, value in data.items() if key != place[0]}
            if not (needless or (of_a_case and left)) or len(wrong) == MOST_MISTAKES:
                break
    if wrong:
        raise all_of(wrong)
    return found


def all_of(wrong: Sequence[CaseError]) -> CaseError:
    """Combine errors into one, each on its own line."""
    if len(wrong) == 1:
        return wrong[0]
    said = {f"line{number}": said_by(each) for number, each in enumerate(wrong)}
    error = CaseError(Sentence("\n".join(f"{{{line}}}" for line in said), **said))
    error.several = tuple(wrong)
    return error


def _check_version(document: safe_yaml.Document) -> None:
    """Checked first: with a later version every other key may be unknown."""
    version = document.data.get("corpus") if isinstance(document.data, dict) else None
    if isinstance(version, int) and version != CORPUS_VERSION:
        line, column = document.key_place("corpus")
        form = "{place}: This is version {version} of the corpus; this truco-spec reads {known}."
        place = f"{document.path}:{line}:{column}"
        wrong = Sentence(form, place=place, version=version, known=CORPUS_VERSION)
        raise CaseError(hinted(wrong, Sentence("Use a newer truco-spec.") if version > CORPUS_VERSION else ""))


def _case(file: CaseFile, number: int, document: safe_yaml.Document, at: int) -> Case:
    """The case with this number of a file, which is the one ``at`` of the document."""
    entry, here = file.cases[number], ("cases", number)
    if not ID.fullmatch(entry.id):
        message = Sentence("The id {id} is not small letters, digits and hyphens (source-topic-1).", id=entry.id)
        raise ShapeError(message, (*here, "id"))
    if not entry.clauses:
        raise ShapeError(Sentence("A case cites at least one clause."), (*here, "clauses"))
    applies = _merged(file.applies, entry.applies)
    if not applies.variants:
        raise ShapeError(Sentence("A case applies to at least one variant: write applies: {variants: [...]}."), here)
    refused = False
    for n, step in enumerate(entry.moves):
        _check_step(entry, step, (*here, "moves", n))
        refused = isinstance(step, Refused) or (refused and not isinstance(step, (str, HandStep)))
        _check_telling(step, refused, (*here, "moves", n))
    if sum(isinstance(step, Deals) for step in entry.moves) not in (0, len(entry.moves)):
        raise ShapeError(
            Sentence("A case about own deals has no other steps: the players have not been told any cards."), here
        )
    clauses = tuple(c if ":" in c else f"{file.source}:{c}" for c in entry.clauses)
    line = document.place("cases", at).line
    return Case(entry, clauses, applies, document.path, line)


def _merged(file: Applies | None, case: Applies | None) -> Applies:
    file, case = file or Applies(), case or Applies()
    return Applies(
        variants=case.variants or file.variants,
        options={**file.options, **case.options},
        players=case.players or file.players,
    )


def _check_step(entry: Entry, step: object, place: tuple[str | int, ...]) -> None:
    texts: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    match step:
        case str():
            texts = tuple(step.split(","))
        case Refused():
            texts = (step.refused,)
        case Allowed():
            texts = (step.allowed,)
        case Legal():
            speakers = tuple(step.legal)
        case View():
            speakers = (step.view.seat,)
    for text in texts:
        if len(text.split()) < 2:
            raise ShapeError(
                Sentence("‘{move}’ is no move: write the player and what he plays or says.", move=text.strip()), place
            )
        speakers += (text.split()[0],)
    if isinstance(entry.players, tuple):
        for speaker in speakers:
            if speaker not in entry.players:
                raise ShapeError(
                    Sentence("{speaker} is not one of the players {players}.", speaker=speaker, players=entry.players),
                    place,
                )


def _check_telling(step: object, refused: bool, place: tuple[str | int, ...]) -> None:
    """Reject a step whose expectation cannot fail. ``refused``: the last move before it was refused."""
    match step:
        case Expect():
            empty = not step.expect or any(value == {} for value in step.expect.values())
        case Legal():
            empty = not step.legal
        case View():
            empty = not (step.view.sees or step.view.hides)
        case Deals():
            empty = step.deals.times < 1 or not step.deals.counts
        case _:
            empty = False
    if empty:
        raise ShapeError(Sentence("This step expects nothing: whatever is observed, it passes."), place)
    if isinstance(step, Expect) and refused:
        for key in sorted(step.expect.keys() - STATE_VALUES):
            form = "After a refused move only {known} are observed: ask for {key} before it."
            message = Sentence(form, known=tuple(sorted(STATE_VALUES)), key=key)
            raise ShapeError(message, (*place, "expect", key))


# ---- instances ----------------------------------------------------------------------------------


def instances(case: Case) -> tuple[Instance, ...]:
    """Expand a case into every variant, option setting and number of players to which it applies."""
    entry, applies = case.entry, case.applies
    fixed = {name: str(value) for name, value in entry.options.items()}
    listed = {
        name: [str(v) for v in values] if isinstance(values, tuple) else [str(values)]
        for name, values in applies.options.items()
        if name not in fixed
    }
    counts: list[tuple[str, ...] | None] = [seats(n) for n in applies.players] or [None]
    if isinstance(entry.players, tuple):
        counts = [entry.players]
    elif entry.players is not None:
        counts = [seats(entry.players)]
    found = []
    settings = [dict(zip(listed, values, strict=True)) for values in itertools.product(*listed.values())]
    for variant, players, setting in itertools.product(applies.variants, counts, settings):
        options = {**setting, **fixed}
        marks = [variant] if len(applies.variants) > 1 else []
        marks += [str(len(players))] if players and len(counts) > 1 else []
        marks += [f"{name}={options[name]}" for name in listed if len(listed[name]) > 1]
        found.append(Instance(case, variant, players, options, case.id + (f"[{','.join(marks)}]" if marks else "")))
    return tuple(found)


def instances_of(cases: Iterable[Case], variant: str) -> tuple[Instance, ...]:
    """The instances of one variant."""
    return tuple(found for case in cases for found in instances(case) if found.variant == variant)


# ---- the cases of a run -------------------------------------------------------------------------


def chosen(
    cases: Iterable[Case] | None = None,
    *,
    variants: Collection[str] = (),
    names: Collection[str] = (),
    levels: Collection[str] = (),
    players: int | None = None,
) -> tuple[Instance, ...]:
    """The instances that meet every condition given; ``names`` are ids of cases or names of instances.

    Without ``cases`` they are chosen from all at hand. Raises :class:`CaseError` when a variant or a name is not
    in the corpus, or nothing is left.
    """
    everything = (
        _at_hand(() if names else variants)
        if cases is None
        else [instance for case in cases for instance in instances(case)]
    )
    form = "No case has the variant “{name}”."
    _known(form, variants, {instance.variant for instance in everything})
    form = "There is no case “{name}”."
    _known(form, names, {name for i in everything for name in (i.name, i.case.id)})
    found = tuple(
        instance
        for instance in everything
        if (not variants or instance.variant in variants)
        and (not names or instance.name in names or instance.case.id in names)
        and (not levels or instance.case.entry.level in levels)
        and (players is None or len(ready.players_of(instance)) == players)
    )
    if not everything:
        raise CaseError(Sentence("There are no cases to play."))
    if not found:
        raise CaseError(Sentence("No case of the corpus meets all these conditions. Leave one of them out."))
    return found


def _at_hand(variants: Collection[str]) -> list[Instance]:
    """Return the instances of these variants, or of all available ones if one is unknown, in corpus order."""
    known = playable_names()
    wanted = variants if variants and all(name in known for name in variants) else known
    return load_instances(*wanted)


def _known(form: str, asked: Collection[str], known: set[str]) -> None:
    for name in asked:
        if name not in known:
            from truco_spec.language.diagnostics import nearest

            hint = Sentence("Write one: docs/cases.md.")
            if known:
                hint = Sentence("There are: {names}.", names=tuple(sorted(known)[:20]))
            raise CaseError(hinted(Sentence(form, name=name), suggestion(nearest(name, known), hint)))
