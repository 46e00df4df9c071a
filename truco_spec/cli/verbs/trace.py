"""``truco-spec trace``: which rules cite each clause, which cases test it, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import gettext as _
from pathlib import Path
from typing import TYPE_CHECKING

import click

from truco_spec.base.words import Sentence, say, translated
from truco_spec.cli.arguments import complete_variants
from truco_spec.cli.file_access import print_json, put, written
from truco_spec.cli.messages import language_option

if TYPE_CHECKING:
    from truco_spec.base.document import Block, Grid
    from truco_spec.conformance.links import LinkFinding
    from truco_spec.conformance.trace import Trace, TraceRow

WIDTH = 10_000
"""A row is one line, however long, to be searched."""
FOR_PEOPLE = "(for people: no program can follow it)"

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(
    name="trace",
    help="""Follow every clause of the sources to the rules that cite it and the cases that test it, and back.

Every executable clause, every gap and every option must be cited by a statement of the spec and tested by a case,
unless conformance/cases/SOURCE/not-testable.yaml says why not; a word or a sign of the table that is printed in the
glossary needs no case. Of a regulation every article is listed, also those for people only. What misses a link is
marked with “!”. A ban, or a case that demands a refusal, whose clauses
only permit or describe a custom is a warning. That a rule or a case rests on a clause of another variant, which it is
like there, is no mistake: they are counted, and listed with --warnings.

--mutants asks instead how many single changes of the rules the shipped cases notice, by the last campaign (python -m
bench.mutants, in a checkout).

\b
Examples:
  truco-spec trace --source pagat --applies mineiro,paulista
  truco-spec trace --missing
  truco-spec trace --source wikipedia --json > wikipedia.json
  truco-spec trace --mutants

Exit status: 0 every link is there, 1 one is missing or broken, 2 the texts or the cases cannot be read.""",
)
@click.option(
    "--source",
    "-s",
    "chosen",
    metavar="SOURCE",
    multiple=True,
    help="Only this source. May be repeated. Default: those of the project, or else all.",
)
@click.option(
    "--applies", "-a", metavar="VARIANT,…", default="", shell_complete=complete_variants,
    help="Only what speaks of one of these variants.",
)  # fmt: skip
@click.option("--missing", is_flag=True, help="Show only what misses a link.")
@click.option("--warnings", is_flag=True, help="Name what cites a clause of another variant, one by one.")
@click.option("--mutants", is_flag=True, help="Show how many single changes of the rules the cases notice.")
@click.option("--json", "as_json", is_flag=True, help="Print data instead of a table.")
@click.option("--spec", type=FOLDER, help="A folder of specs, instead of the shipped ones.")
@click.option("--cases", type=FOLDER, help="A folder of cases, instead of the shipped corpus.")
@language_option
def command(
    chosen: tuple[str, ...],
    applies: str,
    missing: bool,
    warnings: bool,
    mutants: bool,
    as_json: bool,
    spec: Path | None,
    cases: Path | None,
) -> int:
    """Print the matrix; 1 when a link is missing or broken."""
    from dataclasses import asdict

    from truco_spec.base.project import nothing_in, own_projects
    from truco_spec.conformance.links import broken, permissive, read_corpus, read_spec
    from truco_spec.conformance.trace import traces
    from truco_spec.graph.sources import registry, sources

    if mutants:
        if chosen or applies or missing or warnings or spec or cases:
            raise click.UsageError(_("--mutants is of the whole shipped corpus: give no other option but --json."))
        _print_score(as_json=as_json)
        return 0
    folders = (spec / "sources",) if spec else ()
    own = dict.fromkeys(name for project in own_projects() for name in project.sources())
    if own_projects() and not (own or folders or chosen):
        raise nothing_in("sources", Sentence("There is no source here yet; write one: docs/federation.md."))
    held = [registry(name, *folders) for name in chosen or (not folders and own) or sources(*folders)]
    linked, corpus = read_spec(spec), read_corpus(cases)
    wanted = [name.strip() for name in applies.split(",") if name.strip()]
    traced = traces(held, linked, corpus, wanted)
    findings = (*broken(linked, corpus, sources(*folders)), *permissive(linked, corpus, held))
    if as_json:
        print_json({"sources": [t.as_json() for t in traced], "findings": list(map(asdict, findings))}, 2)
    else:
        put(written(_document(traced, findings, missing=missing, warnings=warnings), "text", WIDTH), None)
    return 0 if all(t.whole for t in traced) and all(f.severity != "error" for f in findings) else 1


def _print_score(*, as_json: bool) -> None:
    from truco_spec.conformance.trace import document_of, read_score

    score = read_score()
    if as_json:
        print_json(score.as_json(), 2)
    else:
        put(written(document_of(score), "text", WIDTH), None)


def _document(
    traced: tuple[Trace, ...], findings: tuple[LinkFinding, ...], *, missing: bool, warnings: bool
) -> Iterator[Block]:
    """The matrix for people: per source its rows, findings and totals; then errors independent of a source."""
    from truco_spec.base.document import Heading, Paragraph
    from truco_spec.conformance.trace import OTHER_VARIANTS

    for t in traced:
        yield Heading(2, t.source)
        yield from _rows(t, missing=missing)
        yield from _told(t.findings, warnings=warnings)
        told = t.totals()
        form = (
            "{source}: {required} to be linked of {rows}; {cited} cited, {tested} tested, {excused} excused, {missing} "
            "with a link missing"
        )
        if told["printed"]:
            form = (
                "{source}: {required} to be linked of {rows}; {cited} cited, {tested} tested, {printed} in the "
                "glossary, {excused} excused, {missing} with a link missing"
            )
        yield Paragraph(say(form, source=t.source, **told))
    everything = (*findings, *(f for t in traced for f in t.findings))
    others = sum(f.code == OTHER_VARIANTS for f in everything)
    rows = sum(len(t.missing) for t in traced)
    wrong = sum(f.severity == "error" for f in everything)
    yield from _told(findings, warnings=warnings)
    if others and not warnings:
        form = "{count} citations are of a clause of another variant (--warnings names them)."
        if others == 1:
            form = "1 citation is of a clause of another variant (--warnings names it)."
        yield Paragraph(say(form, count=others))
    form = "{rows} rows with a link missing, {errors} errors." if rows + wrong else "Every link is there."
    yield Heading(2, say(form, rows=rows, errors=wrong))


def _rows(t: Trace, *, missing: bool) -> Iterator[Block]:
    """The rows of a source, under the articles of a regulation, which are all there unless only what is missing is."""
    from truco_spec.base.document import Heading, Paragraph

    left = {row.id: row for row in (t.missing if missing else t.rows) if missing or row.required or t.articles}
    for article in t.articles:
        rows = [left.pop(clause) for clause in article.clauses if clause in left]
        if rows or not missing:
            yield Heading(3, f"{article.number}. {next(iter(article.heading.values()), '')}".rstrip(" ."))
        if rows:
            yield _grid(rows)
        elif not article.clauses and not missing:
            yield Paragraph(say(FOR_PEOPLE))
    if left and t.articles:
        yield Heading(3, say("In no article"))
    if left:
        yield _grid(list(left.values()))


def _grid(rows: Sequence[TraceRow]) -> Grid:
    from truco_spec.base.document import Cell, Code, Grid

    terms = any(row.terms for row in rows)
    told = []
    for row in rows:
        cells = [_some(row.rules) or "–", _some(row.cases) or "–"]
        if not (row.required or row.rules or row.cases):
            cells = [say(FOR_PEOPLE), ""]
        if terms:
            cells.append(_some(tuple(f"“{term}”" for term in row.terms)))
        notes = [say("excused: {reason}", reason=row.excuse)] if row.excuse else []
        cells.append("; ".join((*notes, *map(translated, row.missing))))
        told.append(("!" if row.missing else "", (Cell(Code(row.id)), *map(Cell, cells))))
    heads = (say("clause"), say("rules"), say("cases"), *((say("glossary"),) if terms else ()))
    return Grid(("", *heads, ""), tuple(told), narrow=True)


def _told(findings: tuple[LinkFinding, ...], *, warnings: bool) -> Iterator[Block]:
    from truco_spec.base.document import items
    from truco_spec.conformance.trace import OTHER_VARIANTS

    if shown := [str(finding) for finding in findings if warnings or finding.code != OTHER_VARIANTS]:
        yield items(*shown)


def _some(names: tuple[str, ...], few: int = 3) -> str:
    """The first few names, and the number of the others."""
    return ", ".join(names[:few]) + (f" +{len(names) - few}" if len(names) > few else "")
