"""From linked statements to the rule graph: every name resolved, every expression typed, every option folded."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from truco_spec.base.words import Sentence, alternatives
from truco_spec.graph import fold, types
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.groups import Groups
from truco_spec.graph.link import Chain, Linked
from truco_spec.graph.linking import limits
from truco_spec.graph.linking.elaborate import Elaborator
from truco_spec.graph.linking.names import (
    BUILT_TYPES,
    Symbols,
    Wrong,
    choose_options,
    holds,
    names_in,
    refusals_in,
    source_of,
    unknown,
    without_ruled_out,
    words_of,
)
from truco_spec.graph.linking.rules import PartBuilder, RuleBuilder
from truco_spec.graph.model import (
    ActionKind,
    Card,
    Datum,
    Decision,
    Expr,
    Graph,
    Param,
    Phase,
    Rule,
    Source,
    Table,
    by_identity,
)
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError, hint_of

ONLY_OPTIONS = Sentence("only options can decide this: the position is not known yet")


def build(chain: Chain, asked: Mapping[str, object]) -> Graph:
    """Build the graph of a linked variant under these options. Raises SpecError with every error found."""
    try:
        return refusing_depth(chain, lambda: Builder(chain, asked).graph())
    except SpecError as error:
        raise SpecError([_blamed(chain, mistake) for mistake in error.diagnostics], error.sources) from None


def _blamed(chain: Chain, mistake: Diagnostic) -> Diagnostic:
    """The mistake with a note on the last change in another text that takes away what is missed, if there is one."""
    missed = {str(hole) for hole in getattr(mistake.message, "holes", {}).values()}
    before: dict[str, t.Statement] = {}
    for block in chain.blocks:
        for item in block.items:
            old = before.get(item.name)
            if old and item.kind in (old.kind, "drop") and item.span.file != mistake.span.file:
                gone = {item.name} | (names_in(old) - (names_in(item) if item.kind != "drop" else set()))
                if gone & missed:
                    form = "{variant} drops {name}" if item.kind == "drop" else "{variant} has another {name}"
                    note = Sentence(form, variant=block.name, name=item.name)
                    mistake = replace(mistake, notes=((note, item.name_span),))
            if item.kind not in ("set", "also", "drop", "closed"):
                before[item.name] = item
    return mistake


def refusing_depth(chain: Chain, built: Callable[[], Graph]) -> Graph:
    """The graph that is built; for expressions too deep for Python SpecError is raised."""
    try:
        return built()
    except RecursionError:
        message = Sentence("too large: expressions and questions stand inside each other too deeply")
        raise SpecError([Diagnostic("error", "too-large", message, chain.blocks[-1].name_span)]) from None


class Builder:
    """Elaborates the statements of a variant on demand; all its names are found here.

    ``kept_rules`` are known from before, None if they vanish (:mod:`truco_spec.graph.linking.rebuild`).
    """

    def __init__(self, chain: Chain, asked: Mapping[str, object]) -> None:
        self.chain = chain
        self.symbols = Symbols(choose_options(chain.items, chain.sets, asked))
        self.vanished: list[tuple[str, Source]] = []
        lowered = lower(chain)
        self.items, self.constructs, self.wrong = lowered.items, lowered.constructs, list(lowered.wrong)
        self._seats()
        self._words_and_orders()
        self.elaborator = Elaborator(self)
        self.dealt = False
        self._deck()
        self.dealt = True
        self.of_kind: dict[str, dict[str, Linked]] = {}
        for name, item in self.items.items():
            self.of_kind.setdefault(item.statement.kind, {})[name] = item
        self.symbols.phases |= {name: i for i, name in enumerate(self.kind("phase"))}
        self.tables: dict[str, Table] = {}
        self.data_types: dict[str, tuple[tuple[Param, ...], Type]] = {}
        self.untyped: dict[str, Wrong] = {}
        self.groups = Groups(self)
        self.kept_rules: dict[str, Rule | None] = {}
        self._signatures()

    def kind(self, kind: str) -> dict[str, Linked]:
        """The linked statements of one kind."""
        return self.of_kind.get(kind, {})

    # ---- errors ------------------------------------------------------------------------------

    def note(self, code: str, message: str, span: t.Span, hint: str = "") -> None:
        """Record an error."""
        self.wrong.append(Diagnostic("error", code, message, span, hint))

    def no_phase(self, name: str, span: t.Span) -> Wrong:
        """The error for a name that no phase has."""
        return unknown(Sentence("there is no phase {name}", name=name), self.symbols.phases, span)

    # ---- name resolution ---------------------------------------------------------------------

    def signature(self, name: str, span: t.Span) -> tuple[str, tuple[Param, ...], Type] | None:
        """Kind (datum, ask, table), parameters and type of a declared question, or None."""
        if not self.dealt:
            if name in self.items:
                raise Wrong("options-only", ONLY_OPTIONS, span)
            return None
        if name in self.untyped:
            raise self.untyped[name]
        if name in self.data_types:
            return ("datum", *self.data_types[name])
        if name in self.tables:
            table = self.tables[name]
            return ("table", table.params, table.type)
        found = self.groups.signature(name, span)
        return None if found is None else ("ask", *found)

    def option_value(self, name: str) -> tuple[Type, int] | None:
        """Type and value of an option, or None."""
        option = self.symbols.options.get(name)
        if option is None:
            return None
        kind = self.symbols.option_type(name)
        value = option.value
        if value.isdigit():
            return types.with_words(types.number(int(value), int(value)), *kind.words), int(value)
        return kind, self.symbols.words[value]

    def option(self, name: str, span: t.Span) -> Expr | None:
        """The expression for the name of an option, or None."""
        found = self.option_value(name)
        return None if found is None else fold.const(*found, span)

    def all_names(self) -> list[str]:
        """Every name, for suggestions."""
        names = [*self.items, *self.symbols.words, *(card.name for card in self.symbols.cards), *self.symbols.options]
        return names + [member for members in self.symbols.orders.values() for member in members]

    # ---- the static names --------------------------------------------------------------------

    def _seats(self) -> None:
        for item in self.items.values():
            statement = item.statement
            if statement.kind == "seats":
                option = self.symbols.options.get(statement.name)
                if option is None or not option.value.isdigit():
                    message = Sentence("seats wants an option {name} that holds a number", name=statement.name)
                    self.note("seats", message, statement.name_span)
                    continue
                if int(option.value) > limits.SEATS:
                    what = Sentence("{count} players", count=int(option.value))
                    raise SpecError([limits.too_large(what, limits.SEATS, statement.name_span)])
                self.symbols.seats, self.symbols.teams = int(option.value), statement.count
                if self.symbols.seats % max(1, self.symbols.teams):
                    form = "{players} players cannot be shared among {teams} teams"
                    message = Sentence(form, players=option.value, teams=statement.count)
                    self.note("seats", message, statement.name_span)
                    self.symbols.teams = 1

    def _words_and_orders(self) -> None:
        symbols = self.symbols
        decks = [item.statement for item in self.items.values() if item.statement.kind == "deck"]
        # Ranks and suits are positions in their orders, even if named by numbers: a rank is no amount.
        ranks_and_suits = {name for deck in decks for name in deck.names}
        for item in self.items.values():
            statement = item.statement
            if statement.kind == "order":
                members = tuple(t.text_of(member) for member in statement.members)
                symbols.orders[statement.name] = members
                numbers = [int(m) for m in members if m.isdigit()]
                of_cards = statement.name in ranks_and_suits
                if len(numbers) == len(members) and all(a + 1 == b for a, b in pairwise(numbers)) and not of_cards:
                    low, high = numbers[0], numbers[-1]
                    symbols.numeric[statement.name] = Type("number", low, high, statement.name)
            if statement.kind == "deck":
                symbols.ranks, symbols.suits = statement.names
                symbols.pack = statement.name
        symbols.words["none"] = types.FIRST_WORD
        for option in symbols.options.values():
            for value in option.values:
                if not value.isdigit():
                    symbols.add_word(value)
        for word in words_of(item.statement for item in self.items.values()):
            if not symbols.is_type(word) and not word.isdigit():
                symbols.add_word(word)
            if len(symbols.words) > limits.WORDS:
                (first, *_) = self.chain.blocks
                what = Sentence("all named values together")
                raise SpecError([limits.too_large(what, limits.WORDS, first.name_span)])

    def _deck(self) -> None:
        item = self.items.get(self.symbols.pack)
        if item is None:
            return
        orders = self.symbols.orders
        missing = [name for name in item.statement.names if name not in orders]
        for name in missing:
            message = Sentence("there is no order {name}", name=name)
            self.note("unknown-name", message, item.statement.name_span)
        if not missing:
            ranks, suits = (orders[name] for name in item.statement.names)
            if len(ranks) * len(suits) > limits.CARDS:
                what = Sentence("{ranks} ranks in {suits} suits", ranks=len(ranks), suits=len(suits))
                raise SpecError([limits.too_large(what, limits.CARDS, item.statement.name_span)])
            self.symbols.cards += deal_out(item.statement, ranks, suits, self._holds, self.wrong)

    def _holds(self, expr: t.Expr) -> bool:
        """Evaluate a condition on options alone."""
        try:
            found = self.elaborator.flag(expr, {})
        except Wrong as wrong:
            self.wrong.append(wrong.diagnostic)
            return False
        if found.op != "const":
            self.note("options-only", ONLY_OPTIONS, expr.span)
        return found.op == "const" and bool(found.value)

    # ---- types and signatures ----------------------------------------------------------------

    def type_of(self, text: t.TypeText) -> Type:
        """Resolve a type. Raises Wrong."""
        result: Type | None = None
        for kind in text.kinds:
            part = self._kind(kind)
            joined = part if result is None else types.join(result, part)
            if joined is None:
                raise Wrong("type", Sentence("{one} and {other} cannot be one type", one=result, other=part), text.span)
            result = joined
        assert result is not None
        if not result.base and len(result.words) == 1:
            (word,) = result.words
            known = [*BUILT_TYPES, *self.symbols.orders]
            hint = hint_of(word, known, Sentence("a type of words has two at least: `a or b`"))
            raise Wrong("unknown-type", Sentence("there is no type {word}", word=word), text.span, hint)
        return result

    def _kind(self, kind: t.Name | t.Number | t.RangeType | t.SetType) -> Type:
        if isinstance(kind, t.Number):
            return types.number(kind.value, kind.value)
        if isinstance(kind, t.RangeType):
            low = self.elaborator.expr(kind.low, {})
            high = self.elaborator.expr(kind.high, {})
            if low.op != "const" or high.op != "const" or not 0 <= high.value - low.value <= limits.NUMBERS:
                message = Sentence("a range runs from one number up to another, both known before the game")
                raise Wrong("range", message, kind.span)
            if low.value < limits.LOWEST or high.value > limits.HIGHEST:
                form = "a range lies between {lowest} and {highest}"
                message = Sentence(form, lowest=limits.LOWEST, highest=limits.HIGHEST)
                raise Wrong("too-large", Sentence("too large: {message}", message=message), kind.span)
            return types.number(low.value, high.value)
        if isinstance(kind, t.SetType):
            inner = self.symbols.named_type(kind.of)
            if inner is None or inner.size > 64:
                hint = hint_of(kind.of, [*self.symbols.orders, "seat", "team", "card"])
                raise Wrong("unknown-type", Sentence("there is no set of {kind}", kind=kind.of), kind.span, hint)
            return types.set_of(inner)
        if kind.text in ("pile", "slot"):
            card = self.symbols.named_type("card")
            if card is None:
                raise Wrong("no-deck", Sentence("a {kind} wants a deck", kind=kind.text), kind.span)
            return replace(card, many=True, place="pile") if kind.text == "pile" else replace(card, place="slot")
        found = self.symbols.named_type(kind.text)
        if found is not None:
            return found
        return types.of_words(kind.text)

    def params_of(self, params: Iterable[t.Param]) -> tuple[Param, ...]:
        """Typed parameters. Raises Wrong."""
        return tuple(Param(p.name, self.type_of(p.type)) for p in params)

    def _signatures(self) -> None:
        for name, item in self.kind("datum").items():
            statement = item.statement
            try:
                assert statement.type is not None  # guaranteed by the reader
                self.data_types[name] = (self.params_of(statement.params), self.type_of(statement.type))
            except Wrong as wrong:
                self.wrong.append(wrong.diagnostic)
                self.untyped[name] = wrong
        if self.symbols.pack and self.symbols.cards:
            kind = self.symbols.named_type("card")
            assert kind is not None
            self.data_types[self.symbols.pack] = ((), replace(kind, many=True, place="pile"))
        for name, item in self.kind("table").items():
            self.tables[name] = build_table(self, item)

    # ---- the graph ---------------------------------------------------------------------------

    def graph(self) -> Graph:
        """Elaborate everything. Raises SpecError with every error found."""
        symbols = self.symbols
        self._refusals()
        data, actions, phases = self.parts()
        rules = RuleBuilder(self, actions)
        found_rules = rules.rules()
        defines = self.groups.defines()
        effects = rules.effects()
        decisions = {
            name: Decision(
                name,
                item.statement.cites,
                item.statement.prose or "",
                item.statement.because,
                item.statement.rather,
                source_of(item),
            )
            for name, item in self.kind("decision").items()
        }
        if self.wrong:
            unique = {(d.message, d.place()): d for d in self.wrong}
            raise SpecError(sorted(unique.values(), key=Diagnostic.place))
        blocks, place = self.chain.blocks, {name: at for at, name in enumerate(self.items)}
        graph = Graph(
            name=blocks[-1].name,
            title=blocks[-1].title,
            lineage=tuple(block.name for block in blocks),
            titles={block.name: block.title for block in blocks},
            options=without_ruled_out(symbols.options, refusals_in(self.items).values()),
            seats=symbols.seats,
            teams=symbols.teams,
            words=symbols.words,
            orders=symbols.orders,
            ranks=symbols.ranks,
            suits=symbols.suits,
            cards=tuple(symbols.cards),
            pack=symbols.pack,
            data=data,
            phases=phases,
            actions=actions,
            defines=defines,
            tables=self.tables,
            effects=effects,
            rules=found_rules,
            decisions=decisions,
            refusals={name: source_of(item) for name, item in self.kind("refuse").items()},
            cites=self.cites(),
            vanished=tuple(sorted(self.vanished, key=lambda gone: place[gone[0]])),
        )
        waiting = circles(graph) or self.measured(graph)
        if waiting:
            raise SpecError(waiting)
        return graph

    def parts(self) -> tuple[dict[str, Datum], dict[str, ActionKind], dict[str, Phase]]:
        """Data, actions and phases."""
        parts = PartBuilder(self)
        return parts.data(), parts.actions(), parts.phases()

    def measured(self, graph: Graph) -> list[Diagnostic]:
        """Errors for parts of the finished graph that are too large to play."""
        return limits.measure(graph)

    def cites(self) -> tuple[tuple[str, str, Source], ...]:
        """Kind, name and source of all that cites, whether anything comes of it under the options or not."""
        found = []
        for name, item in self.chain.items.items():
            if item.statement.cites:
                found.append((item.statement.kind, name, source_of(item)))
        for name in self.chain.parts:
            if name in self.items:
                item = self.items[name]
                found.append((item.statement.kind, name, source_of(item)))
        for name, (statement, variant) in self.chain.sets.items():
            source = Source(statement.span, "", statement.cites, (variant,))
            found.append(("set", name, source))
        return tuple(found)

    def _refusals(self) -> None:
        for name, item in self.kind("refuse").items():
            when = item.statement.clause("when")
            if when and when.expr and self._holds(when.expr):
                prose = item.statement.prose
                message = Sentence(prose) if prose else Sentence("these options are refused by {name}", name=name)
                notes = ((Sentence("refused here"), when.span),)
                self.wrong.append(
                    Diagnostic("error", "refused-options", message, t.NOWHERE, self._way_out(when.expr), notes)
                )

    def _way_out(self, refused: t.Expr) -> Sentence | str:
        """Return the hint which other value of a single option would link."""
        options = [self.symbols.options[name] for name in sorted(names_in(refused) & self.symbols.options.keys())]
        chosen = {option.name: option.value for option in options}
        others = [(option.name, value) for option in options for value in option.values]
        out = [f"{name}={value}" for name, value in others if not holds(refused, {**chosen, name: value})]
        return Sentence("It can be played with {options}.", options=alternatives(out)) if out else ""


# --------------------------------------------------------------------------------------------------
# Initial values may depend on other data, which are then initialised first. Cycles are errors.


def circles(graph: Graph) -> list[Diagnostic]:
    """One error for each cycle of data whose initial values depend on each other."""
    reads = {
        name: sorted(data_read(graph, [datum.first]) & graph.data.keys())
        for name, datum in graph.data.items()
        if datum.first is not None and datum.first.op != "const"
    }
    found: list[Diagnostic] = []
    done: set[str] = set()

    def visit(name: str, path: list[str]) -> None:
        if name in path:
            circle = " -> ".join([*path[path.index(name) :], name])
            message = Sentence("the first value of {circle}: none of them can be worked out first", circle=circle)
            found.append(Diagnostic("error", "circle", message, graph.data[name].source.span))
        elif name not in done:
            for other in reads.get(name, ()):
                visit(other, [*path, name])
            done.add(name)

    for name in reads:
        visit(name, [])
    return found


# --------------------------------------------------------------------------------------------------
# Statements without constructs, once for all options.

CORE = frozenset(
    ("option", "order", "datum", "phase", "action", "define", "table", "effect", "rule", "decision", "refuse")
) | {"seats", "deck"}
"""Kinds of core statements. Any other kind left after desugaring is an error."""
_MOST_KEPT = 32
"""Maximum variants whose statements are memoised."""


@dataclass(frozen=True, slots=True)
class _Lowered:
    """``items`` are core statements only; ``constructs`` maps each construct to its rules."""

    items: Mapping[str, Linked]
    constructs: Mapping[str, tuple[str, ...]]
    wrong: tuple[Diagnostic, ...]


@by_identity(_MOST_KEPT)
def lower(chain: Chain) -> _Lowered:
    """Desugar the constructs of a linked variant, once for all options. Raises SpecError for one that is too large."""
    statements = {name: item.statement for name, item in chain.items.items()}
    items: dict[str, Linked] = {}
    constructs: dict[str, tuple[str, ...]] = {}
    wrong: list[Diagnostic] = []
    for name, item in chain.items.items():
        lowering = LOWERINGS.get(item.statement.kind)
        if lowering is None and item.statement.kind not in CORE:
            message = Sentence("a {kind} reads, but cannot be linked yet", kind=item.statement.kind)
            wrong.append(Diagnostic("error", "not-yet", message, item.statement.name_span))
        limits.check_statement(item.statement)
        if lowering:
            limits.check_construct(item.statement)
        try:
            parts = lowering(item.statement, statements) if lowering else (item.statement,)
        except Wrong as error:
            wrong.append(error.diagnostic)
            continue
        for part in parts:
            key = part.name if lowering else name
            if key in items:
                wrong.append(_twice(part, items[key].statement))
            construct = name if lowering else item.construct
            items[key] = Linked(part, item.lineage, construct)
            if len(items) > limits.STATEMENTS:
                what = Sentence("with this all statements")
                raise SpecError([limits.too_large(what, limits.STATEMENTS, part.name_span)])
            if construct and part.kind == "rule":
                constructs[construct] = (*constructs.get(construct, ()), part.name)
    wrong += _with_authorities(items, chain)
    return _Lowered(items, constructs, tuple(wrong))


def desugared(chain: Chain) -> Chain:
    """The linked variant with core statements alone. Raises SpecError."""
    lowered = lower(chain)
    if lowered.wrong:
        raise SpecError(list(lowered.wrong))
    return replace(chain, items=dict(lowered.items), parts={})


def _twice(part: t.Statement, other: t.Statement) -> Diagnostic:
    note = (Sentence("declared here too"), other.name_span)
    return Diagnostic(
        "error", "declared-twice", Sentence("{part} is declared already", part=part.name), part.name_span, "", (note,)
    )


def _with_authorities(items: dict[str, Linked], chain: Chain) -> list[Diagnostic]:
    """Citations of a part of a construct replace those of the whole construct."""
    wrong: list[Diagnostic] = []
    for name, (statement, variant) in chain.parts.items():
        old = items.get(name)
        if old is None:
            hint = hint_of(name, items)
            message = Sentence("there is no {name} to add to", name=name)
            wrong.append(Diagnostic("error", "nothing-to-add-to", message, statement.name_span, hint))
        else:
            items[name] = Linked(replace(old.statement, cites=statement.cites), (*old.lineage, variant), old.construct)
    return wrong


# ---- Tables: questions answered by rows -------------------------------------------------------------
#
# In a row ``X`` and ``Y`` stand for two different teams and ``-`` for anything. If an argument is still ``open`` and
# no row matches for any of its values, the table answers ``open``.

OPEN = "open"
_TEAMS = ("X", "Y")


def build_table(builder: Builder, item: Linked) -> Table:
    """The table with its answer for every combination of arguments; errors go to the builder's list."""
    statement = item.statement
    width = len(statement.names) + 1
    rows = []
    for row in statement.rows:
        if len(row) != width:
            form = "a row of {name} has {width} cells: {columns} and the answer"
            message = Sentence(form, name=statement.name, width=width, columns=", ".join(statement.names))
            builder.note("row", message, statement.name_span)
        elif isinstance(row[-1], t.Name) and row[-1].text in _TEAMS and row[-1] not in row[:-1]:
            form = "a row of {name} answers {answer}, and no cell before it says which team that is"
            message = Sentence(form, name=statement.name, answer=row[-1].text)
            builder.note("row", message, row[-1].span)
        else:
            rows.append(row)
    kinds = [_column(builder, [row[i] for row in rows], last=i == width - 1) for i in range(width)]
    params = tuple(Param(name, kind) for name, kind in zip(statement.names, kinds, strict=False))
    answers: dict[tuple[int, ...], int] = {}
    domains = [_values(builder, kind) for kind in kinds[:-1]]
    total = math.prod(map(len, domains))
    if total > 100_000 or total * len(rows) > limits.MATCHES:
        form = "{name} has {rows} rows for {total} combinations"
        what = Sentence(form, name=statement.name, rows=len(rows), total=total)
        builder.wrong.append(limits.too_large(what, limits.MATCHES, statement.name_span))
        domains = []
    ambiguous = False
    for given in itertools.product(*domains) if domains else ():
        found = {answer for row in rows for answer in _matches(builder, kinds, row, given)}
        if len(found) > 1 and not ambiguous:
            ambiguous = True
            shown = ", ".join(_shown(builder, kind, value) for kind, value in zip(kinds, given, strict=False))
            message = Sentence("two rows of {name} disagree on ({shown})", name=statement.name, shown=shown)
            builder.note("table-ambiguous", message, statement.name_span)
        if found:
            answers[given] = found.pop()
        elif builder.symbols.words.get(OPEN) in given:
            answers[given] = builder.symbols.words[OPEN]
    kind = kinds[-1]
    if any(value == builder.symbols.words.get(OPEN) for value in answers.values()):
        kind = types.with_words(kind, OPEN)
    texts = tuple(tuple("-" if cell is None else t.text_of(cell) for cell in row) for row in rows)
    return Table(statement.name, params, kind, texts, answers, source_of(item))


def _column(builder: Builder, cells: list[t.Name | t.Number | None], last: bool) -> Type:
    kind: Type | None = None
    for cell in cells:
        if cell is None:
            continue
        found = _cell_type(builder, cell)
        if isinstance(cell, t.Name) and not last and OPEN in builder.symbols.words:
            found = types.with_words(found, OPEN)
        joined = found if kind is None else types.join(kind, found)
        kind = joined or kind
    return kind or types.of_words("none")


def _cell_type(builder: Builder, cell: t.Name | t.Number) -> Type:
    if isinstance(cell, t.Name) and cell.text in _TEAMS:
        team = builder.symbols.named_type("team")
        if team is None:
            message = Sentence("{cell} stands for a team, and without `seats` there is none", cell=cell.text)
            builder.note("row", message, cell.span)
        return team or types.of_words("none")
    if isinstance(cell, t.Name) and cell.text in builder.symbols.words:
        return types.of_words(cell.text)
    try:
        return builder.elaborator.expr(cell, {}).type
    except Wrong as wrong:
        builder.wrong.append(wrong.diagnostic)
        return types.of_words("none")


def _values(builder: Builder, kind: Type) -> list[int]:
    values = list(range(kind.low, kind.high + 1)) if kind.base else []
    return values + [builder.symbols.words[word] for word in sorted(kind.words)]


def _matches(
    builder: Builder, kinds: list[Type], row: tuple[t.Name | t.Number | None, ...], given: tuple[int, ...]
) -> list[int]:
    """The answer of this row for these arguments, as a list; empty if it does not match."""
    teams: dict[str, int] = {}
    for cell, value in zip(row, given, strict=False):
        if cell is None:
            continue
        if isinstance(cell, t.Name) and cell.text in _TEAMS:
            if value <= types.FIRST_WORD or teams.setdefault(cell.text, value) != value:
                return []
        elif _cell_value(builder, cell) != value:
            return []
    if len(set(teams.values())) != len(teams):
        return []
    answer = row[-1]
    if isinstance(answer, t.Name) and answer.text in teams:
        return [teams[answer.text]]
    return [] if answer is None else [_cell_value(builder, answer)]


def _cell_value(builder: Builder, cell: t.Name | t.Number) -> int:
    if isinstance(cell, t.Name) and cell.text in builder.symbols.words:
        return builder.symbols.words[cell.text]
    try:
        found = builder.elaborator.expr(cell, {})
    except Wrong:
        return types.FIRST_WORD
    return int(found.value) if found.op == "const" else types.FIRST_WORD


def _shown(builder: Builder, kind: Type, value: int) -> str:
    return next((word for word, code in builder.symbols.words.items() if code == value), str(value))


# --------------------------------------------------------------------------------------------------
# The pack: every card of any option's deck has a number; the options decide which are in it.


def deal_out(
    deck: t.Statement,
    ranks: tuple[str, ...],
    suits: tuple[str, ...],
    holds: Callable[[t.Expr], bool],
    wrong: list[Diagnostic],
) -> list[Card]:
    """The cards of a deck: rank by rank and suit by suit, then the added ones. ``holds`` evaluates conditions on
    options.
    """
    cards = [Card(r + s, i, j, True) for i, r in enumerate(ranks) for j, s in enumerate(suits)]
    names = {card.name: number for number, card in enumerate(cards)}
    present = [True] * len(cards)
    ever = [True] * len(cards)
    for part in deck.parts:
        active = part.when is None or holds(part.when)
        if part.word == "with":
            added, like = (t.text_of(value) for value in part.values)
            if like not in names:
                wrong.append(_no_card(like, part.span))
                continue
            model = cards[names[like]]
            names.setdefault(added, len(cards))
            if names[added] == len(cards):
                cards.append(Card(added, model.rank, model.suit, True))
                present.append(active)
                ever.append(True)
            else:
                present[names[added]] |= active
                ever[names[added]] = True
            continue
        out: set[int] = set()
        for values, keep in ((part.values, False), (part.but, True)):
            for value in values:
                found = _cards_of(t.text_of(value), names, ranks, suits)
                if not found:
                    wrong.append(_no_card(t.text_of(value), part.span))
                out = out - found if keep else out | found
        for number in out:
            present[number] &= not active
            ever[number] &= part.when is not None
    kept = [n for n in range(len(cards)) if ever[n]]
    return [Card(cards[n].name, cards[n].rank, cards[n].suit, present[n]) for n in kept]


def _cards_of(text: str, names: dict[str, int], ranks: tuple[str, ...], suits: tuple[str, ...]) -> set[int]:
    if text in names:
        return {names[text]}
    if text in ranks:
        return {names[text + suit] for suit in suits}
    return set()


def _no_card(text: str, span: t.Span) -> Diagnostic:
    return Diagnostic(
        "error", "unknown-card", Sentence("{text} is neither a card nor a rank of this deck", text=text), span
    )
