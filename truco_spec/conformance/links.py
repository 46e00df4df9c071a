"""Citations: statements of the spec and cases of the corpus, by the clauses, gaps and options they cite.

Only errors independent of a registry are reported here: a text that does not link, a duplicate id, an excuse without a
reason. :mod:`truco_spec.conformance.trace` compares with a registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from truco_spec.base import safe_yaml
from truco_spec.base.paths import ordinary_files
from truco_spec.base.project import projects
from truco_spec.base.words import Sentence, combined, say, translated
from truco_spec.conformance.corpus.cases import Case, Legal, Refused
from truco_spec.conformance.corpus.corpus import CaseError, load_file
from truco_spec.conformance.corpus.ready import NOT_TESTABLE
from truco_spec.graph import link as linking
from truco_spec.graph.model import DECIDED
from truco_spec.graph.plan import Glossary, glossary
from truco_spec.graph.sources import Clause, Registry
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError, nearest
from truco_spec.language.read import read_file

Link = tuple[str, str]
"""A source and the id of a clause, a gap or an option in it."""


@dataclass(frozen=True, slots=True)
class LinkFinding:
    """An error or warning: ``severity`` is error or warning, ``code`` its kind, ``line`` 0 if there is none."""

    severity: Literal["error", "warning"]
    code: str
    message: str
    path: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.line else f"{self.path}: " if self.path else ""
        return f"{place}{say(self.severity)}: {translated(self.message)}"


# ---- the spec ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stated:
    """One statement of the spec: its text, its block, and the variants in which it holds."""

    statement: t.Statement
    block: str
    variants: frozenset[str]

    @property
    def name(self) -> str:
        """Its label in a table: its name, after the word for how it changes what is inherited."""
        word = self.statement.kind if self.statement.kind in ("drop", "set", "also") else ""
        return f"{word} {self.statement.name}".strip()

    @property
    def what(self) -> str:
        """Its label in a sentence."""
        form = "The {kind} {name} of {variant}"
        return Sentence(form, kind=self.statement.kind, name=self.statement.name, variant=self.block)


@dataclass(frozen=True, slots=True)
class Spec:
    """All statements of a folder of specs, and its glossary.

    ``variants`` are the playable ones, each with what it extends.
    """

    stated: tuple[Stated, ...]
    variants: Mapping[str, tuple[str, ...]]
    findings: tuple[LinkFinding, ...]
    glossary: Glossary

    def citing(self) -> dict[Link, list[Stated]]:
        """The statements that hold in some variant, by citation."""
        found: dict[Link, list[Stated]] = {}
        for stated in self.stated:
            for link in dict.fromkeys((cite.source, cite.clause) for cite in stated.statement.cites):
                if stated.variants:
                    found.setdefault(link, []).append(stated)
        return found

    def named(self, kind: str) -> dict[str, list[Stated]]:
        """The statements of a kind, by name."""
        found: dict[str, list[Stated]] = {}
        for stated in self.stated:
            if stated.statement.kind == kind:
                found.setdefault(stated.statement.name, []).append(stated)
        return found


def read_spec(folder: Path | None = None) -> Spec:
    """Read every ``.truco`` text below the folder (default: all at hand); those in ``variants/`` are playable.

    Raises :class:`SpecError` for a text that does not parse, :class:`~truco_spec.base.safe_yaml.YamlError` for an
    unusable glossary. A text that does not link is a finding.
    """
    roots = [folder] if folder else [project.root for project in projects()]
    paths = [path for root in roots for path in ordinary_files(root, "*/*.truco")]
    texts = {path: read_file(path, part=True) for path in paths}
    blocks = [(path, block) for path, text in texts.items() for block in text.variants]
    playable = [block.name for path, block in blocks if path.parent.name == "variants"]
    holds: dict[t.Span, set[str]] = {}
    extends: dict[str, tuple[str, ...]] = {}
    findings: list[LinkFinding] = []
    for name in playable:
        try:
            chain = linking.blocks_of(name, texts.values())
        except SpecError as error:
            findings += _broken(error)
            continue
        extends[name] = tuple(block.name for block in chain)
        try:
            spans = _living(linking.link(chain))
        except SpecError as error:
            findings += _broken(error)
            spans = [item.span for block in chain for item in block.items]
        for span in spans:
            holds.setdefault(span, set()).add(name)
    items = [(item, block.name) for _, block in blocks for item in block.items]
    items += [(item, block.name) for text in texts.values() for block in text.concordances for item in block.items]
    stated = tuple(Stated(item, name, frozenset(holds.get(item.span, ()))) for item, name in items)
    return Spec(stated, extends, tuple(dict.fromkeys(findings)), glossary(folder and folder / "glossary"))


def _living(chain: linking.Chain) -> Iterable[t.Span]:
    """The places of the effective statements of a variant, without those replaced or dropped."""
    yield from (item.statement.span for item in chain.items.values())
    yield from (statement.span for statement, _ in chain.sets.values())
    yield from (statement.span for statement in chain.dropped.values())
    yield from (
        item.span
        for block in chain.blocks
        for item in block.items
        if item.kind == "also" and _counts(item.name, block.name, chain)
    )


def _counts(name: str, block: str, chain: linking.Chain) -> bool:
    """Whether a block's addition to this name still holds; an addition to a part holds while that part exists."""
    if name in chain.items:
        return block in chain.items[name].lineage
    return name in chain.parts and name.rpartition(".")[0] in chain.items


def _broken(error: SpecError) -> list[LinkFinding]:
    return [LinkFinding("error", "link", d.message, d.span.file, d.span.line) for d in error.diagnostics]


# ---- the corpus --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why a clause, gap or option needs no case, or no statement."""

    id: Annotated[str, "The clause, gap or option, in the source that the folder is named after."]
    reason: Annotated[str, "Why: one sentence."]
    without: Annotated[
        Literal["case", "rule", "both"], "What there need not be: a case that tests it, a statement that cites it."
    ] = "case"


@dataclass(frozen=True, slots=True)
class ExcuseFile:
    """A file ``not-testable*.yaml`` in the folder ``conformance/cases/<source>``."""

    not_testable: Annotated[tuple[Excuse, ...], "One entry for each."]


@dataclass(frozen=True, slots=True)
class Excused:
    """An excuse with its place."""

    excuse: Excuse
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class TracedCorpus:
    """All cases, and the excuses by source."""

    cases: tuple[Case, ...]
    excused: Mapping[str, tuple[Excused, ...]] = field(default_factory=dict)
    findings: tuple[LinkFinding, ...] = ()

    def testing(self) -> dict[Link, list[Case]]:
        """The cases by citation."""
        found: dict[Link, list[Case]] = {}
        for case in self.cases:
            for cite in dict.fromkeys(case.clauses):
                source, _, clause = cite.partition(":")
                found.setdefault((source, clause), []).append(case)
        return found

    def resting(self) -> dict[str, list[Case]]:
        """The cases by the decisions they rest on."""
        found: dict[str, list[Case]] = {}
        for case in self.cases:
            for decision in dict.fromkeys(case.entry.decisions):
                found.setdefault(decision, []).append(case)
        return found


def read_corpus(folder: Path | None = None) -> TracedCorpus:
    """Read every case and every excuse below the folder (default: all at hand).

    Raises :class:`~truco_spec.conformance.corpus.corpus.CaseError` for an unusable file; a duplicate id is a finding.
    """
    roots = [folder] if folder else [project.cases for project in projects()]
    cases: list[Case] = []
    excused: dict[str, tuple[Excused, ...]] = {}
    for path in (path for root in roots for path in ordinary_files(root, "**/*.yaml")):
        if path.name.startswith(NOT_TESTABLE):
            if entries := _excuses(path):
                excused[path.parent.name] = excused.get(path.parent.name, ()) + entries
        else:
            cases += load_file(path)
    first: dict[str, Case] = {}
    findings = []
    for case in cases:
        earlier = first.setdefault(case.id, case)
        if earlier is not case:
            form = "The case id {id} is used already at {place}; take the next free number."
            message = Sentence(form, id=case.id, place=f"{earlier.path}:{earlier.line}")
            findings.append(LinkFinding("error", "case-twice", message, case.path, case.line))
    return TracedCorpus(tuple(cases), excused, tuple(findings))


def _excuses(path: Path) -> tuple[Excused, ...]:
    try:
        document = safe_yaml.load_file(path)
        file = document.shaped(ExcuseFile)
    except safe_yaml.YamlError as error:
        raise CaseError(str(error)) from error
    return tuple(
        Excused(excuse, str(path), document.place("not_testable", at).line)
        for at, excuse in enumerate(file.not_testable)
    )


# --------------------------------------------------------------------------------------------------
# Citation errors independent of the source: texts that do not link, unknown decisions, unknown sources.


def broken(spec: Spec, corpus: TracedCorpus, known: Iterable[str]) -> tuple[LinkFinding, ...]:
    """Return the errors independent of the source; ``known`` are the names of all sources.

    These are: texts that do not link, duplicate ids, unknown decisions and sources.
    """
    found = [*spec.findings, *corpus.findings]
    names = set(known)
    decisions = spec.named("decision")
    for stated in spec.stated:
        for cite in stated.statement.cites:
            if cite.source == DECIDED:
                found += _undecided(stated.what, cite.clause, decisions, cite.span.file, cite.span.line)
            elif cite.source not in names:
                found.append(_unknown_source(stated.what, cite.source, names, cite.span.file, cite.span.line))
    for entry in spec.glossary.entries:
        if entry.source not in names:
            message = Sentence("The term “{term}”", term=entry.term.term)
            found.append(_unknown_source(message, entry.source, names, entry.path, entry.line))
    for folder in corpus.excused.keys() - names:
        excused = corpus.excused[folder][0]
        form = "Excuses stand in a folder named after their source; {folder} is none. Move the file."
        message = Sentence(form, folder=folder)
        found.append(LinkFinding("error", "unknown-source", message, excused.path, excused.line))
    for case in corpus.cases:
        for source in dict.fromkeys(cite.partition(":")[0] for cite in case.clauses):
            if source not in names:
                found.append(_unknown_source(Sentence("Case {id}", id=case.id), source, names, case.path, case.line))
        for name in case.entry.decisions:
            found += _undecided(Sentence("Case {id}", id=case.id), name, decisions, case.path, case.line)
    return tuple(found)


def _undecided(what: str, name: str, decisions: Mapping[str, list[Stated]], path: str, line: int) -> list[LinkFinding]:
    """Return an error for an unknown decision; the hint also considers names of gaps."""
    if name in decisions:
        return []
    resolving = [
        known
        for known, stated in decisions.items()
        if any(cite.clause == f"gap.{name}" for each in stated for cite in each.statement.cites)
    ]
    near = resolving[0] if resolving else nearest(name, decisions)
    form = "{what} rests on the decision {name}, which the spec does not have."
    if near:
        form = "{what} rests on the decision {name}, which the spec does not have. Did you mean {near}?"
    message = Sentence(form, what=what, name=name, near=near)
    return [LinkFinding("error", "unknown-decision", message, path, line)]


def _unknown_source(what: str, source: str, names: set[str], path: str, line: int) -> LinkFinding:
    near = nearest(source, names)
    form = "{what} cites the unknown source {source}. Known are {known}."
    if near:
        form = "{what} cites the unknown source {source}. Did you mean {near}?"
    message = Sentence(form, what=what, source=source, near=near, known=tuple(sorted(names)))
    return LinkFinding("error", "unknown-source", message, path, line)


# --------------------------------------------------------------------------------------------------
# Finds bans, and cases that demand one, that rest only on permissions and customs of the sources.


CODE = "permissive"

_PERMITS = re.compile(
    r"\b(may|can|could|might|allow(s|ed)?|permit(s|ted)?|free to|optional(ly)?|possible|legal|liberty"
    r"|usual(ly)?|custom(ary|arily)?|normal(ly)?|typical(ly)?|often|sometimes|general(ly)?|tends? to|practice)\b",
    re.IGNORECASE,
)
_BINDS = re.compile(
    r"\b(must|only|never|cannot|can't|(may|can|is|are|be|do|does|did) not|nobody|no one|none|nor|no|without|illegal"
    r"|forbidden|invalid|requires?|required|obliged?|(has|have|had) to|shall|unless|until|wait"
    r"|penalt(y|ies)|loses?|costs?|forfeits?|binds?|binding|at most|exactly|instead"
    r"|refused|rejected|impossible|unavailable)\b",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(illegal|invalid|refused|rejected|forbidden|impossible|unavailable|must|never|cannot|loses?|forfeits?|penalt(y|ies))\b",
    re.IGNORECASE,
)
"""The verdict of a situation; what merely does not happen in it is none."""
_WHO = re.compile(
    r"\b(who|whose|whom|which|that|whoever|if|when|where)\b[^.,;:]*?(?=\b(may|can|could|might)\b(?! not\b))",
    re.IGNORECASE,
)
"""The condition of a permission: “whose score cannot win” says who may, and binds nobody."""


def permissive(spec: Spec, corpus: TracedCorpus, held: Iterable[Registry]) -> tuple[LinkFinding, ...]:
    """A warning for every statement and case that forbids what its clauses only permit, or call usual."""
    known = {registry.name: registry for registry in held}
    return (*_statements(spec, known), *_cases(corpus, known))


def only_permits(clause: Clause) -> bool:
    """Whether the clause and its situations only permit or describe a custom, without binding anybody."""
    permits = clause.kind == "custom" or _PERMITS.search(clause.text) is not None
    binds = _BINDS.search(_WHO.sub("", clause.text)) or any(_REFUSED.search(text) for text in clause.edge_cases)
    return permits and not binds


def _statements(spec: Spec, known: Mapping[str, Registry]) -> Iterator[LinkFinding]:
    added: dict[str, list[Stated]] = {}
    for stated in spec.stated:
        if stated.statement.kind == "also" and stated.variants:
            added.setdefault(stated.statement.name, []).append(stated)
    for stated in spec.stated:
        statement = stated.statement
        if not (stated.variants and _restricts(statement)):
            continue
        more = [each for each in added.get(statement.name, ()) if each.variants & stated.variants]
        cites = [cite for each in (stated, *more) for cite in each.statement.cites]
        if weak := _all_weak(((cite.source, cite.clause) for cite in cites), known):
            form = "{what} restricts what {clauses} only permits or calls usual; cite what binds, or a decision."
            message = Sentence(form, what=stated.what, clauses=weak)
            yield LinkFinding("warning", CODE, message, statement.span.file, statement.span.line)


def _cases(corpus: TracedCorpus, known: Mapping[str, Registry]) -> Iterator[LinkFinding]:
    for case in corpus.cases:
        if case.entry.level == "must" and not case.entry.decisions and _demands(case):
            links = (clause.partition(":")[::2] for clause in case.clauses)
            if weak := _all_weak(links, known):
                form = "Case {id} demands of everyone what {clauses} only permits or calls usual."
                message = Sentence(form, id=case.id, clauses=weak)
                yield LinkFinding("warning", CODE, message, case.path, case.line)


def _restricts(statement: t.Statement) -> bool:
    """Whether it is a ban, a duty, a set of refused options, or a conditional permission."""
    verdict = statement.clause("verdict")
    if verdict is None:
        return statement.kind in ("refuse", "fault")
    return verdict.word != "may" or statement.clause("when") is not None


def _demands(case: Case) -> bool:
    """Whether the case expects a refusal, or all possible actions. Playing a card not held needs no rule."""
    return any(
        isinstance(step, Legal) or (isinstance(step, Refused) and step.because != "not-held")
        for step in case.entry.moves
    )


def _all_weak(links: Iterable[tuple[str, str]], known: Mapping[str, Registry]) -> str:
    """The clauses, by name, if all of them only permit; empty if anything else is cited too."""
    names = []
    for source, item in links:
        registry = known.get(source)
        if source == DECIDED or registry is None or item not in registry.clauses:
            return ""
        if not only_permits(registry.clauses[item]):
            return ""
        names.append(f"{source}:{item}")
    return combined([*dict.fromkeys(names)])
