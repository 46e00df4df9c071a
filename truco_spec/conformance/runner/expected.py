"""Expected failures: a file of the implementer's with cases that are known to fail, and why.

    expected: 1
    failures:
      - id: nowadays-two-tie-01
        reason: Ties go to the dealer; will be mended in 2.0.
        link: https://example.org/issues/7
        expires: 2027-03-01
        verdict: fail

``link`` is optional; without ``expires`` the entry never expires, without ``verdict`` it matches any failure.
``docs/implementers.md`` explains it by example.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import one_line, visible
from truco_spec.base.shapes import ShapeError, read
from truco_spec.base.words import Sentence, hinted
from truco_spec.conformance.corpus.cases import Case, Instance
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.runner.verdicts import FAILURES, JUDGED, CaseReport, Failure, Known

if TYPE_CHECKING:
    from truco_spec.base import safe_yaml

EXPECTED_VERSION = 1
MOST = {"size": 2_000_000, "depth": 10, "nodes": 100_000}
_LONGEST = 2000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class ExpectedError(TrucoError):
    """A file of expected failures cannot be used. The message has file, line, column, what is wrong and what to do."""


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
    version = document.data.get("expected") if isinstance(document.data, dict) else None
    if version is None:
        message = Sentence(
            "This is no file of expected failures: it should begin with “expected: {version}”. truco-spec test "
            "--write-expected FILE makes one.",
            version=EXPECTED_VERSION,
        )
        raise ShapeError(message, ())
    if isinstance(version, int) and version != EXPECTED_VERSION:
        raise ShapeError(other_version(version, EXPECTED_VERSION), ("expected",))


def other_version(version: int, known: int) -> str:
    """What is wrong with a file of another version of its format."""
    form = "This is version {version} of the format; this truco-spec reads {known}."
    newer = Sentence("Use a newer truco-spec.") if version > known else ""
    return hinted(Sentence(form, version=version, known=known), newer)


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
