"""The possible results of a case and their data, shared by the runner and all reports."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Literal, get_args
from urllib.parse import urlsplit

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import one_line, visible
from truco_spec.base.shapes import ShapeError, read
from truco_spec.base.words import Sentence, hinted
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Case, Instance, Level
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.corpus.protocol import Introduction

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml


Failure = Literal["fail", "error", "timeout", "crash", "protocol", "unsteady"]
Verdict = Literal[
    "pass",
    "fail",
    "xfail",
    "xpass",
    "unsupported",
    "unobserved",
    "error",
    "timeout",
    "crash",
    "protocol",
    "unsteady",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
FAILURES: tuple[Failure, ...] = get_args(Failure)
"""The verdicts that an expected failure can have."""
NEGATIVE: frozenset[Verdict] = frozenset({*FAILURES, "xpass"})
"""Unexpected verdicts: the run fails."""
PASSED: frozenset[Verdict] = frozenset({"pass", "xpass"})
RULED: frozenset[Verdict] = frozenset({"fail", "xfail", "xpass"})
"""Failures about a rule of the game, rather than a missing or unstable answer."""
JUDGED: frozenset[Verdict] = PASSED | NEGATIVE | {"xfail"}
"""The implementation played the case and reported enough observations."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault of one case: the failed check, or why there was no answer."""

    expected: str
    got: str
    script: Annotated[str, "The shortest script that shows it, as notation."] = ""
    advice: str = ""
    log: Annotated[str, "The end of what the implementation wrote to standard error."] = ""
    case: Annotated[str, "The script as a file of one case (YAML), where failures were cut down."] = ""
    changed: Annotated[bool, "An action that was refused changed the game all the same."] = False


@dataclass(frozen=True, slots=True)
class CauseReport:
    """The cause of failures: with it assumed, and the causes before it, these cases agree with the rules, to the end or
    further than before. Without ``claim``, ``option`` and ``change`` it is no cause, but a group of cases that differ
    in the same way.
    """

    sentence: Annotated[str, "In words: how it plays."]
    variant: Annotated[str, "The game in which it was found first, and most explains."]
    players: int
    cases: Annotated[tuple[str, ...], "The names of the failed cases that it explains."]
    agreeing: Annotated[int, "How many of them agree to the end."]
    clauses: tuple[str, ...]
    case: Annotated[str, "The case that shows it in the fewest actions."]
    script: Annotated[str, "That case as notation, up to the difference."]
    expected: str
    got: str
    option: Annotated[str, "NAME=VALUE, where it plays another option."] = ""
    rule: Annotated[str, "The statement that it plays otherwise, by name; if they differ alike, what decided that."] = (
        ""
    )
    change: Annotated[str, "What that statement would have to read like."] = ""
    claim: Annotated[
        str,
        "What its hello should say: `late`, `itself` or `omits`, and which observations or words; "
        "or `behind` or `in-next-hand`, and observations that come one action late, or when the next hand begins, "
        "which no hello says.",
    ] = ""
    same: Annotated[tuple[str, ...], "Other sentences that explain just the same."] = ()
    faults: Annotated[
        tuple[Fault, ...], "If they differ alike: in each case, what differs beyond what is assumed."
    ] = ()

    @property
    def settles(self) -> bool:
        """Whether nothing else is wrong in the cases; else each is reported as a failure, too."""
        return bool(self.agreeing) or not self.explains

    @property
    def explains(self) -> bool:
        """Whether a way of its own, another value of an option, or a change of a rule explains the cases."""
        return bool(self.claim or self.option or self.change)


@dataclass(frozen=True, slots=True)
class Checks:
    """The number of checks of a case by result."""

    passed: int = 0
    failed: int = 0
    unobserved: int = 0
    unreached: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """The entry of a case in the implementer's file of expected failures."""

    id: Annotated[str, "The case, or one instance of it."]
    reason: str
    link: str = ""
    expires: Annotated[str, "The last day on which the failure is expected, YYYY-MM-DD; empty: it does not end."] = ""
    verdict: Annotated[Failure | None, "The one kind of failure that is expected; null: any."] = None
    expired: Annotated[bool, "Its last day is past: the case is judged as if it were not expected."] = False

    @property
    def because(self) -> str:
        """The reason, with its link."""
        return f"{self.reason} ({self.link})" if self.link else self.reason


def under(came_to: Verdict, known: Known | None) -> Verdict:
    """The verdict, given this entry."""
    if known is None or known.expired:
        return came_to
    if came_to == "pass":
        return "xpass"
    expected = came_to in FAILURES and known.verdict in (None, came_to)
    return "xfail" if expected else came_to


# ---- The report of a run as data: the content of a JSON report -----------------------------------

REPORT_VERSION = 2
"""Version 1 had no expected failures, no baselines and no version of the corpus; it can still be read."""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case as played."""

    name: Annotated[str, "The id of the case, and in brackets what distinguishes this instance of it."]
    id: str
    title: str
    level: Level
    variant: str
    options: Mapping[str, str]
    players: Annotated[tuple[str, ...], "Empty where the variant says who plays."]
    clauses: tuple[str, ...]
    decisions: tuple[str, ...]
    verdict: Verdict
    checks: Checks
    reason: Annotated[str, "Why it is unsupported."] = ""
    faults: tuple[Fault, ...] = ()
    known: Annotated[Known | None, "What the file of expected failures says of it."] = None
    came_to: Annotated[Verdict | None, "Under xfail and xpass: the verdict if nothing had been expected."] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole run. It has no timings: the same answers give the same report."""

    report: Annotated[int, "The version of this format."]
    corpus: Annotated[int, "The version of the format of cases."]
    command: Annotated[
        tuple[str, ...], "The adapter's command, or --python and a class; empty for the reference engine."
    ]
    implementation: Annotated[Introduction | None, "Null when the run was stopped before it got started."]
    causes: Annotated[tuple[CauseReport, ...], "What explains failures, looked for where there are any."] = ()
    totals: Annotated[Mapping[Level, Mapping[Verdict, int]], "Level: verdict: number of cases."]
    faults: Annotated[
        Mapping[str, tuple[str, ...]],
        "Clause: names of the failed cases, but for those in readings. First the clause of whose cases most failed.",
    ]
    readings: Annotated[Mapping[str, tuple[str, ...]], "Decision: names of the failed cases that rest on it."]
    cases: tuple[CaseReport, ...]
    departures: Annotated[
        Mapping[str, tuple[str, ...]],
        "Option that is always played and that no source offers, NAME=VALUE: the clauses from which it departs.",
    ] = field(default_factory=dict)
    planned: Annotated[int, "How many cases there were to play: more than in cases where the run was broken off."] = 0
    edition: Annotated[str, "The version of the corpus, X.Y.Z; empty where other cases were played."] = ""
    beside: Annotated[
        Mapping[Level, Mapping[str, int]],
        "Level: player who knows nothing of the game: how many of the judged cases he passes.",
    ] = field(default_factory=dict)


# ---- Expected failures: a file of the implementer's with cases that are known to fail, and why ------
#
#     expected: 1
#     failures:
#       - id: nowadays-two-tie-01
#         reason: Ties go to the dealer; will be mended in 2.0.
#         link: https://example.org/issues/7
#         expires: 2027-03-01
#         verdict: fail
#
# ``link`` is optional; without ``expires`` the entry never expires, without ``verdict`` it matches any failure.
# ``docs/implementers.md`` explains it by example.

EXPECTED_VERSION = 1
MOST = {"size": 2_000_000, "depth": 10, "nodes": 100_000}
_LONGEST = 2000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class ExpectedError(TrucoError):
    """An unusable file of expected failures. The message has file, line, column, what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """An expected failure."""

    id: Annotated[str, "A case, or one instance of it."]
    reason: Annotated[str, "Why it is known to go wrong."]
    link: Annotated[str, "Where it can be read about: http:// or https://."] = ""
    expires: Annotated[str, "The last day on which it is expected: YYYY-MM-DD."] = ""
    verdict: Annotated[Failure | None, "The kind of failure; if not given, any."] = None


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file of expected failures."""

    expected: Annotated[int, "The version of this format: 1."]
    failures: Annotated[tuple[Expectation, ...], "The failures."]


@dataclass(frozen=True, slots=True)
class Expectations:
    """All expected failures of a run; empty by default."""

    known: Mapping[str, Known]

    def of(self, instance: Instance) -> Known | None:
        """The entry of an instance. One for the instance itself takes precedence over one for its case."""
        return self.known.get(instance.name) or self.known.get(instance.case.id)


NOTHING = Expectations({})


def expected_in(path: str | None, cases: Iterable[Case]) -> Expectations:
    """The entries of a file, as of today, for these cases and all that are at hand; none without a file. Raises
    :class:`ExpectedError`.
    """
    return NOTHING if path is None else load(path, [*cases, *corpus.load()], datetime.now(UTC).date())


def load(path: str, cases: Iterable[Case], today: date) -> Expectations:
    """The entries for these cases; ``today`` decides which have expired. Raises :class:`ExpectedError`."""
    from truco_spec.base import safe_yaml  # the usual case

    try:
        document = safe_yaml.load_file(path, safe_yaml.YamlLimits(**MOST))
    except safe_yaml.YamlError as error:
        raise ExpectedError(str(error)) from error
    try:
        _check_version(document)
        file: ExpectedFile = read(document.data, ExpectedFile)
        known: dict[str, Known] = {}
        names = {name for case in cases for name in (case.id, *(instance.name for instance in instances(case)))}
        for at, entry in enumerate(file.failures):
            _check(entry, at, names)
            if entry.id in known:
                raise ShapeError(
                    Sentence("{id} is expected twice; leave one of the two.", id=entry.id), ("failures", at, "id")
                )
            known[entry.id] = Known(
                entry.id, entry.reason.strip(), entry.link, entry.expires, entry.verdict, _is_past(entry, at, today)
            )
    except ShapeError as error:
        line, column = document.place(*error.place)
        raise ExpectedError(
            Sentence("{place}: {message}", place=f"{path}:{line}:{column}", message=error.message)
        ) from error
    return Expectations(known)


def _check_version(document: safe_yaml.Document) -> None:
    if version_in(document.data, "expected", EXPECTED_VERSION) is None:
        message = Sentence(
            "This is no file of expected failures: it should begin with “expected: {version}”. truco-spec test "
            "--write-expected FILE makes one.",
            version=EXPECTED_VERSION,
        )
        raise ShapeError(message, ())


def version_in(data: object, key: str, known: int) -> object:
    """Return the version of a file's format. Raises ShapeError for another: with a later one all other keys may be
    unknown.
    """
    version = data.get(key) if isinstance(data, dict) else None
    if isinstance(version, int) and version != known:
        form = "This is version {version} of the format; this truco-spec reads {known}."
        newer = Sentence("Use a newer truco-spec.") if version > known else ""
        raise ShapeError(hinted(Sentence(form, version=version, known=known), newer), (key,))
    return version


def _check(entry: Expectation, at: int, names: Collection[str]) -> None:
    here = ("failures", at)
    if entry.id not in names:
        from truco_spec.language.diagnostics import nearest

        near = nearest(entry.id[:200], names)
        form = "There is no case {id}. truco-spec test -v names them all."
        if near:
            form = "There is no case {id}. Did you mean {near}?"
        asked = json.dumps(entry.id[:200], ensure_ascii=False)
        raise ShapeError(Sentence(form, id=asked, near=near), (*here, "id"))
    if not entry.reason.strip():
        form = "{id} has no reason. Write why it is known to go wrong; what nobody can explain is not expected."
        message = Sentence(form, id=entry.id)
        raise ShapeError(message, (*here, "reason"))
    if len(entry.reason) > _LONGEST or len(entry.link) > _LONGEST:
        raise ShapeError(Sentence("This is longer than {count} characters; shorten it.", count=_LONGEST), here)
    if entry.link and not _is_link(entry.link):
        raise ShapeError(Sentence("A link begins with http:// or https:// and has no blanks in it."), (*here, "link"))


def _is_link(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and text.isprintable() and " " not in text


def _is_past(entry: Expectation, at: int, today: date) -> bool:
    if not entry.expires:
        return False
    try:
        if not _DATE.fullmatch(entry.expires):
            raise ValueError(entry.expires)
        return date.fromisoformat(entry.expires) < today
    except ValueError:
        raise ShapeError("Here a day is wanted: YYYY-MM-DD, as 2027-03-01.", ("failures", at, "expires")) from None


# ---- writing ------------------------------------------------------------------------------------

_HEAD = """\
# Cases of truco-spec that {title} is known to fail. Write a reason for each; leave out what should be mended at once.
# link and expires may be added: where it can be read about, and the last day on which it is expected:
#     link: https://example.org/issues/7
#     expires: 2027-03-01
expected: {version}
"""


def renewed(expectations: Expectations, cases: Sequence[CaseReport]) -> tuple[list[Known], list[CaseReport]]:
    """After a run: the entries still correct or about other cases, and the failed cases without an entry.

    An entry for a case with only some failing instances is split into entries for these. An expired entry is unchanged:
    its author has to choose another date.
    """
    kept: dict[str, Known] = {}
    for known in expectations.known.values():
        own = [case for case in cases if case.known is not None and case.known.id == known.id]
        failing = [case for case in own if case.verdict == "xfail" or (known.expired and case.verdict in FAILURES)]
        if len(failing) == sum(case.verdict in JUDGED for case in own) and (failing or not own):
            kept[known.id] = known
        else:
            kept |= {case.name: replace(known, id=case.name) for case in failing}
    told = [case for case in cases if case.verdict in FAILURES and not (case.known is not None and case.known.expired)]
    return list(kept.values()), told


def text_of(title: str, kept: Iterable[Known], failed: Iterable[CaseReport]) -> str:
    """A file with the old entries, and new ones for other failures, whose reasons are left to fill in."""
    entries = [_entry(known, "") for known in kept]
    for case in failed:
        verdict = next(each for each in FAILURES if each == case.verdict)
        entries.append(_entry(Known(case.name, "", verdict=verdict), f"  # {one_line(case.title)}"))
    head = _HEAD.format(title=one_line(title), version=EXPECTED_VERSION)
    return head + ("failures:\n" + "".join(entries) if entries else "failures: []\n")


def _entry(known: Known, comment: str) -> str:
    lines = [f"  - id: {json.dumps(known.id, ensure_ascii=False)}{comment}", f"    reason: {_quoted(known.reason)}"]
    lines += [f"    link: {_quoted(known.link)}"] if known.link else []
    lines += [f"    expires: {known.expires}"] if known.expires else []
    lines += [f"    verdict: {known.verdict}"] if known.verdict else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(visible(text), ensure_ascii=False)
