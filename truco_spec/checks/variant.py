"""A variant under check, and the checks of its text: citations, options that exclude each other, unused statements."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from truco_spec.base.words import Sentence
from truco_spec.checks.study import Study
from truco_spec.graph.link import Chain, blocks_of, link
from truco_spec.graph.linking.build import Builder, build, refusing_depth
from truco_spec.graph.linking.names import holds, names_in, refusals_in, values_of
from truco_spec.graph.linking.rebuild import OpenBuilder, settled_first
from truco_spec.graph.model import DECIDED, UNASKED, ActionKind, Graph, said_and_given
from truco_spec.graph.sources import UnknownSource, folders_of, registry
from truco_spec.graph.types import Type, single
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import SpecError, hint_of, nearest
from truco_spec.language.read import read, read_file
from truco_spec.language.tree import Cite, Span, Statement

_HOLE = re.compile(r"\{([^{}]*)\}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
_MOST_TEXTS = 400
_MOST_COMBINATIONS = 200_000
_KINDS = ("define", "effect", "table", "option", "order", "action", "datum")
_ASKED = ("weight", "playing")


@dataclass
class Variant:
    """The text of a variant after linking. ``folders`` may hold further sources."""

    name: str
    chain: Chain
    folders: tuple[Path, ...] = ()
    set_options: Mapping[str, str] = field(default_factory=dict)
    _graphs: dict[tuple[type[Builder], tuple[tuple[str, str], ...]], Graph | None] = field(default_factory=dict)

    @cached_property
    def graph(self) -> Graph:
        """The graph under the default options. Raises SpecError."""
        return build(self.chain, dict(self.set_options))

    def under(self, options: Mapping[str, str]) -> Graph | None:
        """The graph under other options; None if they exclude each other, or do not link."""
        return self._built(Builder, options)

    def open(self, settled: Mapping[str, str] | None = None) -> Graph | None:
        """The graph with its options open, but for those that cannot be; None if these ``settled`` ones exclude each
        other.
        """
        return self._built(OpenBuilder, settled or {})

    def _built(self, builder: type[Builder], options: Mapping[str, str]) -> Graph | None:
        key = builder, tuple(sorted(options.items()))
        if key not in self._graphs:
            asked = {**self.set_options, **options}
            try:
                self._graphs[key] = refusing_depth(self.chain, lambda: builder(self.chain, asked).graph())
            except SpecError:
                self._graphs[key] = None
        return self._graphs[key]

    @property
    def settled(self) -> frozenset[str]:
        """The options that cannot stay open."""
        return settled_first(self.chain)

    def settlings(self, *, pairs: bool = False) -> Iterator[dict[str, str]]:
        """Settings of the options that cannot stay open: the present ones; with ``pairs``, also one or two others."""
        yield {}
        options = self.options
        choices = [[(name, value) for value in values_of(options[name])] for name in sorted(self.settled)]
        for many in (1, 2) if pairs else ():
            for some in itertools.combinations(choices, many):
                yield from map(dict, itertools.product(*some))

    @cached_property
    def options(self) -> dict[str, Statement]:
        """The options, by name, without the values that a refusal rules out whatever the others are."""
        found = {n: item.statement for n, item in self.chain.items.items() if item.statement.kind == "option"}
        for when in refusals_in(self.chain.items).values():
            named = [name for name in names_in(when) if name in found]
            if len(named) == 1:
                option = found[named[0]]
                left = tuple(c for c in option.choices if not holds(when, {option.name: t.text_of(c.value)}))
                found[option.name] = replace(option, choices=left)
        return found

    @property
    def closed_by(self) -> str:
        """The file of the last of its blocks that closes its options; empty if none does."""
        closing = (item.span.file for b in reversed(self.chain.blocks) for item in b.items if item.kind == "closed")
        return next(closing, "")

    def mentions(self, name: str) -> frozenset[str]:
        """The options that a statement depends on, directly or through other names."""
        found, options = {name}, set[str]()
        todo = [name]
        while todo:
            new = self.names.get(todo.pop(), set()) - found
            found |= new
            options |= (own := new & self.options.keys())
            todo += new - own
        return frozenset(options)

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """The statements that each one names; for a datum, a phase or one that it is an exception from also what names
        it.
        """
        items = self.chain.items
        named = {name: names_in(item.statement) & items.keys() for name, item in items.items()}
        found = {name: set(words) for name, words in named.items()}
        for name, item in items.items():
            for word in named[name]:
                if word in item.statement.excepts or items[word].statement.kind in ("datum", "phase"):
                    found[word].add(name)
        return found


def shipped_variant(name: str, options: Mapping[str, str] | None = None) -> Variant:
    """A shipped variant. Raises SpecError."""
    return Variant(name, link(blocks_of(name)), (), dict(options or {}))


def variant_in(path: Path | str, name: str = "", options: Mapping[str, str] | None = None) -> Variant:
    """Return a variant in a file, by default its last one. Raises SpecError."""
    return _of_file(read_file(path), name, Path(path).parent, options)


def variant_of(text: str, name: str = "", options: Mapping[str, str] | None = None) -> Variant:
    """A variant in a text. Raises SpecError."""
    return _of_file(read(text), name, None, options)


def _of_file(file: t.File, name: str, folder: Path | None, options: Mapping[str, str] | None) -> Variant:
    chosen = name or file.variants[-1].name
    return Variant(chosen, link(blocks_of(chosen, [file])), folders_of(folder), dict(options or {}))


def check_citations(study: Study, variant: Variant) -> None:
    """Citations of unknown authorities, unknown placeholders and ambiguous notations.

    **Proved**: every citation names a clause, a gap or an option of a known source, or a decision of the variant; every
    decision is cited; every placeholder in a sentence is known in its scope; no two actions have the same notation.
    **How**: by look-up. **Witness**: the citation, the name, the text that means two actions.
    """
    decisions = {n: i.statement for n, i in variant.chain.items.items() if i.statement.kind == "decision"}
    inherited = (c for block in variant.chain.blocks for item in block.items for c in item.cites)
    cited = {cite.clause for cite in inherited if cite.source == DECIDED}
    for statement, cites in _citing(variant):
        for cite in cites:
            _citation(study, variant, statement, cite, decisions)
    for name, statement in decisions.items():
        if name not in cited:
            form = "cite it with @{decided}:{name} where the rules follow it, or take it out"
            hint = Sentence(form, decided=DECIDED, name=name)
            message = Sentence("nothing cites decision {name}", name=name)
            study.find("warning", "decision-uncited", message, statement.name_span, hint)
    _placeholders(study, variant)
    _notations(study)


def _citing(variant: Variant) -> Iterator[tuple[Statement, tuple[Cite, ...]]]:
    chain = variant.chain
    for item in chain.items.values():
        yield item.statement, item.statement.cites
    for more in (*chain.sets.values(), *chain.parts.values()):
        yield more[0], more[0].cites
    for statement in chain.dropped.values():
        yield statement, statement.cites


def _place(study: Study, variant: Variant, statement: Statement, cite: Cite) -> None:
    """Check that a citation names a datum with such a value, or a word; of an option, one of its values."""
    if cite.where is None:
        return
    if cite.where[0] == "on":
        graph, word = study.graph, cite.where[1]
        types = (param.type for action in graph.actions.values() for param in action.params)
        if word not in graph.actions and all(graph.value_of(type_, word) is None for type_ in types):
            study.find("error", "unknown-action", Sentence("there is no action or word {word}", word=word), cite.span)
        return
    name, _, value = cite.where
    if statement.kind == "option" and name == statement.name:
        option = study.graph.options.get(name)
        if option is not None and value not in (*option.values, *option.ruled_out):
            message = Sentence("option {name} has no value {value}", name=name, value=value)
            study.find("error", "bad-place", message, cite.span, Sentence("its values: {type}", type=option.values))
        return
    item, datum = variant.chain.items.get(name), study.graph.data.get(name)
    if datum is None and (item is None or item.statement.kind != "datum"):
        hint = hint_of(name, study.graph.data)
        study.find("error", "unknown-datum", Sentence("there is no datum {name}", name=name), cite.span, hint)
    elif datum is not None and (datum.params or study.graph.value_of(datum.type, value) is None):
        form = "datum {name} has a value for each index" if datum.params else "datum {name} has no value {value}"
        members = study.graph.orders.get(datum.type.name, ())
        values = (*members, *sorted(datum.type.words)) if members else datum.type
        message, hint = Sentence(form, name=name, value=value), Sentence("its values: {type}", type=values)
        study.find("error", "bad-place", message, cite.span, hint)


def _citation(
    study: Study, variant: Variant, statement: Statement, cite: Cite, decisions: dict[str, Statement]
) -> None:
    _place(study, variant, statement, cite)
    if cite.source == DECIDED:
        if cite.clause not in decisions:
            near = nearest(cite.clause, decisions)
            form = "did you mean @{decided}:{near}?" if near else "write `decision {clause} resolves …`"
            hint = Sentence(form, decided=DECIDED, near=near, clause=cite.clause)
            message = Sentence("there is no decision {clause}", clause=cite.clause)
            study.find("error", "unknown-decision", message, cite.span, hint)
        return
    try:
        source = registry(cite.source, *variant.folders)
    except UnknownSource as unknown:
        meant = Sentence("did you mean @{near}:{clause}?", near=unknown.near, clause=cite.clause)
        message = Sentence("there is no source {source}", source=cite.source)
        study.find("error", "unknown-source", message, cite.span, meant if unknown.near else "")
        return
    if not source.known(cite.clause):
        near = source.nearest(cite.clause)
        meant = Sentence("did you mean @{source}:{near}?", source=cite.source, near=near)
        message = Sentence("source {source} has no clause {clause}", source=cite.source, clause=cite.clause)
        study.find("error", "unknown-clause", message, cite.span, meant if near else "")


# ---- sentences ---------------------------------------------------------------------------------


def _placeholders(study: Study, variant: Variant) -> None:
    """Check that a name in braces is a parameter, a datum, a define, a table or an option."""
    items = variant.chain.items
    graph = study.graph
    everywhere = {*graph.data, *graph.defines, *graph.tables, *graph.options, *graph.orders}
    for item in items.values():
        statement = item.statement
        own = {p.name for p in statement.params}
        own |= {arg.text for c in statement.clauses for v in c.verbs for arg in v.args if hasattr(arg, "text")}
        if statement.excepts and statement.excepts[0] in items:
            own |= {p.name for p in items[statement.excepts[0]].statement.params}
        for hole in _HOLE.findall(statement.prose or ""):
            name = NAME.match(hole)
            if name is None or name[0] not in own | everywhere:
                near = nearest(hole, own | everywhere)
                hint = Sentence("did you mean {near}?", near=f"{{{near}}}") if near else ""
                form = "{hole} in the sentence of {name} stands for nothing"
                message = Sentence(form, hole=f"{{{hole}}}", name=statement.name)
                study.find("error", "placeholder", message, statement.name_span, hint)


# ---- notations ---------------------------------------------------------------------------------


def _notations(study: Study) -> None:
    graph = study.graph
    meant: dict[str, tuple[str, Span]] = {}
    for action in graph.actions.values():
        for template in action.written:
            for text in _texts(graph, action, template):
                other, place = meant.setdefault(text, (action.name, action.source.span))
                if other != action.name:
                    form = "“{text}” is written both for {action} and for {other}"
                    message = Sentence(form, text=text, action=action.name, other=other)
                    note = (Sentence("{name} is here", name=other), place)
                    hint = Sentence("give one of them other words")
                    study.find("error", "written-alike", message, action.source.span, hint, note)


def _texts(graph: Graph, action: ActionKind, template: str) -> Iterator[str]:
    """Every text of a notation; if they are too many, the notation with the types of its holes."""
    kinds, (template, _) = {param.name: param.type for param in action.params}, said_and_given(template)
    holes = [hole for hole in _HOLE.findall(template) if hole in kinds]
    values = [_values(graph, kinds[hole]) for hole in holes]
    if math.prod(map(len, values)) > _MOST_TEXTS:
        yield _HOLE.sub(lambda m: f"<{kinds[m[1]]}>" if m[1] in kinds else m[0], template)
        return
    for chosen in itertools.product(*values):
        given = dict(zip(holes, chosen, strict=True))
        yield _HOLE.sub(lambda m, given=given: given.get(m[1], m[0]), template)  # type: ignore[misc]


def _values(graph: Graph, kind: Type) -> list[str]:
    if kind.many or kind.base in ("seat", "team"):
        return [f"<{kind}>"]
    numbers = range(kind.low, kind.high + 1) if kind.base else ()
    return [graph.text_of(single(kind), n) for n in numbers] + sorted(kind.words)


def check_options(study: Study, variant: Variant) -> None:
    """Options that exclude each other.

    A refused default is reported when the variant is linked. **Proved** here: every value of every option is playable
    in some combination with the others. **How**: of the options in refusals, connected ones are tried in every
    combination. **Witness**: the value, and the refusals that reject it in every combination. A refusal about a single
    option rules its values out on purpose (a base for four players), and is skipped.
    """
    options = {name: values_of(statement) for name, statement in variant.options.items()}
    refusals = refusals_in(variant.chain.items)
    for group in _groups(refusals, options):
        combinations = math.prod(len(options[name]) for name in group)
        if combinations > _MOST_COMBINATIONS:
            continue
        here = {name: when for name, when in refusals.items() if names_in(when) & set(group)}
        possible: set[tuple[str, str]] = set()
        for values in itertools.product(*(options[name] for name in group)):
            chosen = dict(zip(group, values, strict=True))
            if not any(holds(when, chosen) for when in here.values()):
                possible |= set(chosen.items())
        for name in group:
            alone = [when for when in here.values() if names_in(when) & set(options) == {name}]
            for value in options[name]:
                if (name, value) not in possible and not any(holds(when, {name: value}) for when in alone):
                    _unusable(study, variant, name, value, here)


def _unusable(study: Study, variant: Variant, name: str, value: str, refusals: Mapping[str, t.Expr]) -> None:
    statement = variant.options[name]
    hitting = [r for r, when in refusals.items() if name in names_in(when)]
    notes = tuple((Sentence("{name} is here", name=r), variant.chain.items[r].statement.name_span) for r in hitting)
    form = "option {name} can never be {value}: every combination with it is refused"
    message, hint = Sentence(form, name=name, value=value), Sentence("take the value out, or narrow a refusal")
    study.find("warning", "option-refused", message, statement.name_span, hint, *notes)


def _groups(refusals: Mapping[str, t.Expr], options: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The groups of options connected by refusals."""
    groups: list[set[str]] = []
    for when in refusals.values():
        named = {name for name in names_in(when) if name in options}
        joined = [group for group in groups if group & named]
        groups = [group for group in groups if not group & named] + [named.union(*joined)]
    for group in groups:
        yield [name for name in options if name in group]


def check_unused(study: Study, variant: Variant) -> None:
    """Unused statements.

    **Proved**: every action has a rule, every define, effect, table, option and order is named somewhere, every datum
    is read. **How**: on the text after linking, before options are folded, so that uses under other options count.
    **Witness**: the statement. Always used are the questions ``table.…`` (observations), ``….seen`` (views) and
    ``weight`` (chance).
    """
    items = variant.chain.items
    named: dict[str, set[str]] = {}
    for name, item in items.items():
        for word in _uses(item.statement):
            named.setdefault(word, set()).add(name)
    for name, item in items.items():
        statement = item.statement
        if statement.kind not in _KINDS or statement.excepts or name.startswith(UNASKED) or name in _ASKED:
            continue
        users = named.get(name, set()) - {name}
        if users or (statement.kind == "order" and name in (study.graph.ranks, study.graph.suits)):
            continue
        form = "no rule speaks of action {name}" if statement.kind == "action" else "nothing uses {kind} {name}"
        form = "nothing reads datum {name}" if statement.kind == "datum" else form
        message = Sentence(form, kind=statement.kind, name=name)
        own = item.lineage[-1] == study.graph.name
        form = "use it, or take it out" if own else "use it, or write `drop {name}`"
        study.find("warning", "unused", message, statement.name_span, Sentence(form, name=name))


def _uses(statement: Statement) -> set[str]:
    """The names that a statement uses: all names in it but its own, and those in its sentence."""
    return names_in(statement) | set((statement.prose or "").replace("}", "{").split("{")[1::2])
