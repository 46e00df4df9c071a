"""The traceability matrix: clause, rules that cite it, cases that test it; and back, from citation to clause.

What must be linked, of one source:

- a clause that is executable: cited by a statement of the spec, and by a case; one that is executable in part only
  needs no case where the glossary prints it: it is a word or a sign of the table;
- a gap: cited by a ``decision``; a case names that decision, or cites the gap;
- an option: cited by an ``option`` of the spec whose every value but the default is played by some case; or by a
  ``set`` of a variant that some case plays; or by a ``decision``, as a gap is. An option of one value may be cited by
  any statement; a case cites it or its clauses.

A rule that cites a decision (``@decided:name``) belongs to the gap that the decision resolves.

A statement counts when it holds in a variant that can be played. What cannot be tested is excused with a reason in
``conformance/cases/<source>/not-testable.yaml``; an excuse for what needs none is an error itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.document import Block, Cell, Grid, Paragraph
from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, alternatives, combined, hinted, say, translated
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.corpus.cases import Case
from truco_spec.conformance.fuzz.dask_cluster import rules_digest
from truco_spec.conformance.links import Excused, LinkFinding, Spec, Stated, TracedCorpus
from truco_spec.graph.model import DECIDED
from truco_spec.graph.sources import Article, Registry, holders
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import nearest

NO_STATEMENT, NO_CASE = Sentence("no statement cites it"), Sentence("no case tests it")
OTHER_VARIANTS = "other-variants"
"""The code of the finding that a cited clause speaks of other variants."""


class UnknownVariant(TrucoError):
    """A variant that no source speaks of."""


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One clause, gap or option with its links.

    ``kind`` is the clause's own, or ``gap`` or ``option``; ``required``: it must be linked; ``missing`` names the
    missing links; ``excuse`` is the reason given if it need not be; ``terms`` are the glossary terms that render it.
    """

    id: str
    kind: str
    required: bool
    rules: tuple[str, ...]
    cases: tuple[str, ...]
    missing: tuple[str, ...]
    excuse: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """The rows of one source, in its order, and link errors beyond missing links; of a regulation also its articles."""

    source: str
    rows: tuple[TraceRow, ...]
    findings: tuple[LinkFinding, ...]
    articles: tuple[Article, ...] = ()

    @property
    def missing(self) -> tuple[TraceRow, ...]:
        """The rows with a missing link."""
        return tuple(row for row in self.rows if row.missing)

    @property
    def whole(self) -> bool:
        """Whether no link is missing or broken."""
        return not self.missing and all(finding.severity != "error" for finding in self.findings)

    def totals(self) -> dict[str, int]:
        """The number of rows, and of the required, cited, tested, defined and excused ones, and of those missing a
        link.
        """
        needed = [row for row in self.rows if row.required]
        return {
            "rows": len(self.rows),
            "required": len(needed),
            "cited": sum(bool(row.rules) for row in needed),
            "tested": sum(bool(row.cases) for row in needed),
            "printed": sum(bool(row.terms) for row in needed),
            "excused": sum(bool(row.excuse) for row in needed),
            "missing": len(self.missing),
        }

    def as_json(self) -> dict[str, Any]:
        """Plain data: source, the clauses of its articles if it has any, totals, rows, findings."""
        articles = {article.number: list(article.clauses) for article in self.articles}
        return {
            "source": self.source,
            **({"articles": articles} if articles else {}),
            "totals": self.totals(),
            "rows": [asdict(row) for row in self.rows],
            "findings": [asdict(finding) for finding in self.findings],
        }


def traces(
    held: Iterable[Registry], spec: Spec, corpus: TracedCorpus, applies: Iterable[str] = ()
) -> tuple[Trace, ...]:
    """Return a trace of each registry; with ``applies``, of those that speak of one of these variants.

    Raises :class:`UnknownVariant` for a variant that none of them speaks of.
    """
    held, applies = tuple(held), tuple(applies)
    known = {name for registry in held for pair in registry.variant_names.items() for name in pair}
    for name in applies:
        if name not in known:
            near = nearest(name, known)
            form = "No source speaks of the variant {name}. They speak of {known}."
            if near:
                form = "No source speaks of the variant {name}. Did you mean {near}?"
            raise UnknownVariant(Sentence(form, name=name, near=near, known=tuple(sorted(known))))
    return tuple(
        trace(registry, spec, corpus, applies) for registry in held if not applies or _spoken(registry, applies)
    )


def trace(registry: Registry, spec: Spec, corpus: TracedCorpus, applies: Iterable[str] = ()) -> Trace:
    """Compare a registry with the spec and the corpus.

    ``applies`` keeps the rows that speak of one of these variants, named as in the spec or as in the source. The
    findings are those that concern this source: see :mod:`~truco_spec.conformance.links` for the others.
    """
    applies = tuple(applies)
    wanted = _spoken(registry, applies)
    tracer = _Tracer(registry, spec, corpus)
    ids = (*registry.clauses, *registry.gaps, *registry.options)
    rows = tuple(tracer.row(item) for item in ids if not applies or registry.variants(item) & wanted)
    return Trace(registry.name, rows, tuple(tracer.findings()), registry.record.articles)


def _spoken(registry: Registry, applies: Iterable[str]) -> frozenset[str]:
    """Return those of these variants that the source covers, by their names in the spec."""
    names = registry.variant_names
    return frozenset(names.get(name, name) for name in applies if name in names or name in names.values())


class _Tracer:
    """The links of one source, indexed for lookup by row."""

    def __init__(self, registry: Registry, spec: Spec, corpus: TracedCorpus) -> None:
        self.registry, self.spec, self.corpus = registry, spec, corpus
        self.citing = _of_source(registry.name, spec.citing())
        self.testing = _of_source(registry.name, corpus.testing())
        self.resting = corpus.resting()
        self.obeying = _of_source(DECIDED, spec.citing())
        self.printed = _of_source(registry.name, spec.glossary.naming())
        self.excuses: dict[str, Excused] = {}
        for excused in corpus.excused.get(registry.name, ()):
            self.excuses.setdefault(excused.excuse.id, excused)
        self.played = played_by(spec, corpus)
        self.needless: list[LinkFinding] = []

    # ---- rows --------------------------------------------------------------------------------

    def row(self, item: str) -> TraceRow:
        """Return the row of a clause, gap or option with its links and missing links."""
        stated = list(self.citing.get(item, ()))
        cases = list(self.testing.get(item, ()))
        clause = self.registry.clauses.get(item)
        if item in self.registry.gaps:
            kind, required = "gap", True
            rule, case = self._gap(stated, cases)
        elif item in self.registry.options:
            kind, required = "option", True
            rule, case = self._option(item, stated, cases)
        else:
            assert clause is not None
            kind, required = clause.kind, clause.executable != "no"
            rule = "" if stated else NO_STATEMENT
            told = item in self.printed and clause.executable == "partly"
            case = "" if cases or told else NO_CASE
        missing = {"rule": rule, "case": case} if required else {}
        excuse = self._excused(item, required, missing)
        return TraceRow(
            item,
            kind,
            required,
            tuple(dict.fromkeys(each.name for each in stated)),
            tuple(dict.fromkeys(each.id for each in cases)),
            tuple(words for words in missing.values() if words),
            excuse,
            tuple(entry.term.term for entry in self.printed.get(item, ())),
        )

    def _gap(self, stated: list[Stated], cases: list[Case]) -> tuple[str, str]:
        """Return the missing links of a gap: decision, case. The cases of its decision are added to ``cases``."""
        decisions = [each.statement.name for each in stated if each.statement.kind == "decision"]
        for name in decisions:
            cases += self.resting.get(name, ())
            stated += self.obeying.get(name, ())
        untested = NO_CASE
        if decisions:
            untested = Sentence("no case rests on {decisions}", decisions=alternatives(decisions))
        return "" if decisions else Sentence("no decision resolves it"), "" if cases else untested

    def _option(self, item: str, stated: list[Stated], cases: list[Case]) -> tuple[str, str]:
        """Return the missing links of an option: a switch or a decision of the spec, untested values."""
        switches = [each.statement for each in stated if each.statement.kind in ("option", "set")]
        switches += [option for each in stated if each.statement.kind == "also" for option in self._enlarged(each)]
        if switches:
            wanted = [pair for switch in switches for pair in values_of(switch)]
            by_themselves = [case for pair in wanted for case in self.played.told.get(pair, ())]
            unplayed = [pair for pair in wanted if pair not in self.played.told and pair not in self.played.fixed]
            cases += by_themselves or [case for pair in wanted for case in self.played.fixed.get(pair, ())]
            named = Sentence("no case plays {values}", values=tuple(map(" ".join, unplayed)))
            return "", named if unplayed else ""
        if any(each.statement.kind == "decision" for each in stated):
            return self._gap(stated, cases)
        if len(self.registry.options[item].values) > 1:
            return Sentence("no option of the spec cites it"), "" if cases else NO_CASE
        for clause in self.registry.options[item].clauses:
            cases += self.testing.get(clause, ())
        return "" if stated else NO_STATEMENT, "" if cases else NO_CASE

    def _enlarged(self, added: Stated) -> list[t.Statement]:
        """The options that this ``also`` adds citations to."""
        options = self.spec.named("option").get(added.statement.name, ())
        return [option.statement for option in options if option.variants & added.variants]

    def _excused(self, item: str, required: bool, missing: dict[str, str]) -> str:
        """Return the excuse for missing links, which then count as present; a needless excuse is reported."""
        excused = self.excuses.get(item)
        if excused is None:
            return ""
        words = {"case": ("case",), "rule": ("rule",), "both": ("rule", "case")}[excused.excuse.without]
        for word in words:
            if not required:
                form = "{item} is not executable: it needs no excuse; remove the entry."
                self._note(excused, Sentence(form, item=item))
                break
            if not missing[word]:
                form = "{item} is excused from having a case, but has one; remove the entry."
                if word == "rule":
                    form = "{item} is excused from having a rule, but has one; remove the entry."
                elif item in self.printed:
                    form = "{item} is excused from having a case, but has one, or is in the glossary; remove the entry."
                self._note(excused, Sentence(form, item=item))
            missing[word] = ""
        if not excused.excuse.reason.strip():
            self._note(excused, Sentence("{item} is excused without a reason; write one.", item=item))
        return excused.excuse.reason

    def _note(self, excused: Excused, message: str) -> None:
        self.needless.append(LinkFinding("error", "needless-excuse", message, excused.path, excused.line))

    # ---- findings ----------------------------------------------------------------------------

    def findings(self) -> Iterable[LinkFinding]:
        """Return the citation errors of this source in the spec, the corpus and the excuses."""
        yield from self.needless
        name, known = self.registry.name, self.registry.known
        first: dict[str, Excused] = {}
        for excused in self.corpus.excused.get(name, ()):
            item = excused.excuse.id
            if not known(item):
                message = self._unknown(Sentence("An excuse"), item)
                yield LinkFinding("error", "unknown-clause", message, excused.path, excused.line)
            if first.setdefault(item, excused) is not excused:
                form = "{item} is excused already at {place}; remove one of the two."
                message = Sentence(form, item=item, place=f"{first[item].path}:{first[item].line}")
                yield LinkFinding("error", "needless-excuse", message, excused.path, excused.line)
        for item, entries in self.printed.items():
            for entry in () if known(item) else entries:
                message = self._unknown(Sentence("The term “{term}”", term=entry.term.term), item)
                yield LinkFinding("error", "unknown-clause", message, entry.path, entry.line)
        for stated in self.spec.stated:
            for cite in stated.statement.cites:
                if cite.source == name:
                    yield from self._cited(stated.what, stated.variants, cite.clause, cite.span.file, cite.span.line)
        for item, cases in self.testing.items():
            for case in cases:
                what = Sentence("Case {id}", id=case.id)
                yield from self._cited(what, frozenset(case.applies.variants), item, case.path, case.line)

    def _cited(self, what: str, variants: frozenset[str], item: str, file: str, line: int) -> Iterable[LinkFinding]:
        if not self.registry.known(item):
            yield LinkFinding("error", "unknown-clause", self._unknown(what, item), file, line)
        elif odd := self._elsewhere(what, item, variants):
            yield LinkFinding("warning", OTHER_VARIANTS, odd, file, line)

    def _unknown(self, what: str, item: str) -> str:
        others = [name for name in holders(item) if name != self.registry.name]
        near = self.registry.nearest(item)
        form = "{what} cites {item}, which the source {source} does not have."
        wrong = Sentence(form, what=what, item=item, source=self.registry.name)
        if others:
            return hinted(wrong, Sentence("It is in {sources}.", sources=combined(others)))
        return hinted(wrong, Sentence("Did you mean {near}?", near=near) if near else "")

    def _elsewhere(self, what: str, item: str, variants: frozenset[str]) -> str:
        """Return a warning if a clause covers variants of the spec, but none of these; otherwise empty."""
        spoken = self.registry.variants(item) & self.spec.variants.keys()
        if not spoken or not variants or any(spoken & {v, *self.spec.variants.get(v, ())} for v in variants):
            return ""
        form = "{what} is about {variants}, but cites {item}, which speaks of {spoken}."
        return Sentence(form, what=what, variants=tuple(sorted(variants)), item=item, spoken=tuple(sorted(spoken)))


def _of_source(source: str, links: Mapping[tuple[str, str], list[Any]]) -> dict[str, list[Any]]:
    return {item: found for (of, item), found in links.items() if of == source}


# ---- Which values of options are played by which cases -------------------------------------------


@dataclass(frozen=True, slots=True)
class CasesByOption:
    """The cases by option and value: ``told`` by the case itself, or ``fixed`` by its variant."""

    told: Mapping[tuple[str, str], list[Case]]
    fixed: Mapping[tuple[str, str], list[Case]]


def played_by(spec: Spec, corpus: TracedCorpus) -> CasesByOption:
    """Return the option values that the cases of a corpus play."""
    by_variant: dict[str, dict[str, str]] = {}
    for stated in spec.stated:
        if stated.statement.kind == "set":
            for variant in stated.variants:
                by_variant.setdefault(variant, {}).update(values_of(stated.statement))
    told: dict[tuple[str, str], list[Case]] = {}
    fixed: dict[tuple[str, str], list[Case]] = {}
    for case in corpus.cases:
        own = {**case.applies.options, **case.entry.options}
        if numbers := _numbers(case):
            own |= dict.fromkeys(spec.named("seats"), numbers)
        for name, values in own.items():
            for value in values if isinstance(values, tuple) else (values,):
                told.setdefault((name, str(value)), []).append(case)
        pairs = [pair for variant in case.applies.variants for pair in by_variant.get(variant, {}).items()]
        for name, value in dict.fromkeys(pairs):
            if name not in own:
                fixed.setdefault((name, value), []).append(case)
    return CasesByOption(told, fixed)


def _numbers(case: Case) -> tuple[int, ...]:
    """The numbers of players of a case, if it names them."""
    told = case.entry.players
    return case.applies.players if told is None else (told,) if isinstance(told, int) else (len(told),)


def values_of(statement: t.Statement) -> list[tuple[str, str]]:
    """Return the values of an ``option`` that cases must play (all but the default), or the value of a ``set``."""
    written = [choice.value for choice in statement.choices if not choice.default]
    if statement.kind == "set" and isinstance(statement.value, (t.Name, t.Number)):
        written = [statement.value]
    return [(statement.name, t.text_of(value)) for value in written]


# ---- How many single changes of the rules the corpus notices ----------------------------------------
#
# A campaign takes long, so its result is kept with the corpus, with a digest of the cases and rules it was made with.

KINDS = ("no rules", "noticed", "the same", "reason", "open", "untried")
"""The result of a change: it does not link; a case notices it; it is proved to change no game; no case can notice it,
with the reason; no case notices it, for an unknown reason; not all cases have been tried.
"""
ALL_TOGETHER = Sentence("all together")
COMMAND = "python -m bench.mutants --deep --into FILE --score"


class NoScore(TrucoError):
    """There is no result of a campaign, or it is unreadable."""


@dataclass(frozen=True, slots=True)
class MutationScore:
    """``variants``: the number of changes of each kind (:data:`KINDS`); a change of a text counts in every variant that
    extends it, and once in ``together``. ``left`` are the open ones.
    """

    corpus: str
    rules: str
    together: Mapping[str, int]
    variants: Mapping[str, Mapping[str, int]]
    left: tuple[str, ...]

    @property
    def stale(self) -> str:
        """What has changed since, in words; empty if the result is of the current cases and rules."""
        old: list[str] = []
        if self.corpus != edition():
            old.append(Sentence("the cases (corpus {before}, now {now})", before=self.corpus, now=edition()))
        if self.rules != rules_digest():
            old.append(Sentence("the rules"))
        return combined(old) if old else ""

    def rows(self) -> Iterable[tuple[str, Mapping[str, int]]]:
        """Each variant, then all texts together."""
        yield from self.variants.items()
        yield ALL_TOGETHER, self.together

    def as_json(self) -> dict[str, Any]:
        """As data."""
        return {
            "corpus": self.corpus,
            "stale": self.stale,
            "together": {**self.together, "score": share(self.together)},
            "variants": {name: {**row, "score": share(row)} for name, row in self.variants.items()},
            "open": list(self.left),
        }


def share(row: Mapping[str, int]) -> str:
    """The part of the changes that may be noticed which is, rounded down; “≥” while some have not been tried."""
    noticed, untried = row["noticed"], row["untried"]
    may_be = noticed + row["open"] + untried
    return f"{'≥ ' if untried else ''}{100 * noticed // may_be} %" if may_be else "—"


def document_of(score: MutationScore) -> tuple[Block, ...]:
    """The score for people."""
    rows = tuple(
        (translated(name), tuple(map(Cell, [str(sum(row.values())), *(str(row[kind]) for kind in KINDS), share(row)])))
        for name, row in score.rows()
    )
    form = "Single changes of the rules, and what the cases of corpus {edition} notice of them."
    told: tuple[Block, ...] = (
        Paragraph(say(form, edition=score.corpus)),
        Grid(("", say("changes"), *map(say, KINDS), say("score of the cases")), rows, numbers=True),
    )
    if not score.stale:
        return told
    form = "Since then there was a change: {what}. Again: {command}"
    return (*told, Paragraph(say(form, what=score.stale, command=COMMAND)))


def score_file() -> Path:
    """The path of the result of the last campaign."""
    return shipped.folder("conformance") / "mutants.yaml"


def read_score() -> MutationScore:
    """The result of the last campaign. Raises :class:`NoScore`."""
    path = score_file()
    try:
        data: Any = safe_yaml.load(path.read_text(encoding="utf-8"))
        return MutationScore(
            str(data["corpus"]), str(data["rules"]), data["together"], data["variants"], tuple(data["open"])
        )
    except OSError as error:
        raise NoScore(
            Sentence("{path}: No campaign has been kept here ({command}).", path=str(path), command=COMMAND)
        ) from error
    except (LookupError, TypeError) as error:
        raise NoScore(
            Sentence("{path}: This is no result of a campaign ({command}).", path=str(path), command=COMMAND)
        ) from error
