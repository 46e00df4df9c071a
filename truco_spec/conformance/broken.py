"""What is wrong with citations whatever the source: texts that do not link, unknown decisions, unknown sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from truco_spec.conformance.links import DECIDED, Corpus, Finding, Spec, Stated
from truco_spec.language.diagnostics import nearest


def broken(spec: Spec, corpus: Corpus, known: Iterable[str]) -> tuple[Finding, ...]:
    """What is wrong whatever the source; ``known`` are the names of all sources.

    That is: texts that do not link, ids used twice, decisions and sources that do not exist.
    """
    found = [*spec.findings, *corpus.findings]
    names = set(known)
    decisions = spec.named("decision")
    for stated in spec.stated:
        for cite in stated.statement.cites:
            if cite.source == DECIDED:
                found += _undecided(stated.what, "cites", cite.clause, decisions, cite.span.file, cite.span.line)
            elif cite.source not in names:
                found.append(_unknown_source(stated.what, cite.source, names, cite.span.file, cite.span.line))
    for entry in spec.glossary.entries:
        if entry.source not in names:
            found.append(_unknown_source(f"The term “{entry.term.term}”", entry.source, names, entry.path, entry.line))
    for folder in corpus.excused.keys() - names:
        excused = corpus.excused[folder][0]
        message = f"Excuses stand in a folder named after their source; {folder} is none. Move the file."
        found.append(Finding("error", "unknown-source", message, excused.path, excused.line))
    for case in corpus.cases:
        for source in dict.fromkeys(cite.partition(":")[0] for cite in case.clauses):
            if source not in names:
                found.append(_unknown_source(f"Case {case.id}", source, names, case.path, case.line))
        for name in case.entry.decisions:
            found += _undecided(f"Case {case.id}", "rests on", name, decisions, case.path, case.line)
    return tuple(found)


def _undecided(
    what: str, does: str, name: str, decisions: Mapping[str, list[Stated]], path: str, line: int
) -> list[Finding]:
    """An error when there is no decision of this name; the hint knows the name of a gap too."""
    if name in decisions:
        return []
    resolving = [
        known
        for known, stated in decisions.items()
        if any(cite.clause == f"gap.{name}" for each in stated for cite in each.statement.cites)
    ]
    near = resolving[0] if resolving else nearest(name, decisions)
    hint = f" Did you mean {near}?" if near else ""
    message = f"{what} {does} the decision {name}, which the spec does not have.{hint}"
    return [Finding("error", "unknown-decision", message, path, line)]


def _unknown_source(what: str, source: str, names: set[str], path: str, line: int) -> Finding:
    near = nearest(source, names)
    hint = f"Did you mean {near}?" if near else f"Known are {', '.join(sorted(names))}."
    return Finding("error", "unknown-source", f"{what} cites the unknown source {source}. {hint}", path, line)
