"""Finds bans, and cases that demand one, that rest only on permissions and customs of the sources.

*May*, *can* and *usually* forbid nothing. A statement that restricts players, or a case of level ``must`` that expects
a refusal, needs a binding clause, an option that a table agrees on, or a decision that says why the permission is read
as a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from truco_spec.conformance.corpus.cases import Case, Legal, Refused
from truco_spec.conformance.trace.links import DECIDED, LinkFinding, Spec, Stated, TracedCorpus
from truco_spec.graph.sources import Clause, Registry
from truco_spec.language import tree as t

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
            message = (
                f"{stated.what} restricts what {weak} only permits or calls usual; cite what binds, or a decision."
            )
            yield LinkFinding("warning", CODE, message, statement.span.file, statement.span.line)


def _cases(corpus: TracedCorpus, known: Mapping[str, Registry]) -> Iterator[LinkFinding]:
    for case in corpus.cases:
        if case.entry.level == "must" and not case.entry.decisions and _demands(case):
            links = (clause.partition(":")[::2] for clause in case.clauses)
            if weak := _all_weak(links, known):
                message = f"Case {case.id} demands of everyone what {weak} only permits or calls usual."
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
    return " and ".join(dict.fromkeys(names))
