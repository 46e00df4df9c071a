"""Groups defines with their exceptions into questions, elaborated on demand, so that types are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from truco_spec.base.words import Sentence
from truco_spec.graph import fold, types
from truco_spec.graph.link import Linked
from truco_spec.graph.linking import limits
from truco_spec.graph.linking.names import Scope, Wrong, source_of
from truco_spec.graph.model import SEEN, Answer, Bound, Define, Expr, Param, Quant, Source
from truco_spec.graph.types import Type
from truco_spec.graph.walk import asked_by, map_expr, reached
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import hint_of

if TYPE_CHECKING:
    from truco_spec.graph.linking.build import Builder


def transitive(direct: dict[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    """The transitive closure of what each name beats."""
    return {name: frozenset(reached(direct, others) - {name}) for name, others in direct.items()}


def gather(
    builder: Builder, kind: str, more_roots: tuple[str, ...] = ()
) -> dict[str, list[tuple[Linked, tuple[str, ...]]]]:
    """Map each root to its base (first, if it is a statement) and exceptions, each with the names after ``except``."""
    items = builder.kind(kind)
    groups: dict[str, list[tuple[Linked, tuple[str, ...]]]] = {root: [] for root in more_roots}
    for name, item in items.items():
        if not item.statement.excepts:
            groups.setdefault(name, []).append((item, ()))
    for name, item in items.items():
        excepts = item.statement.excepts
        if not excepts:
            continue
        roots = {_root(items, other, more_roots) for other in excepts}
        for other in excepts:
            if _root(items, other, more_roots) is None:
                message = Sentence("there is no {kind} {other} to be an exception to", kind=kind, other=other)
                hint = hint_of(other, [*items, *more_roots])
                builder.note("unknown-name", message, item.statement.name_span, hint)
        roots.discard(None)
        if len(roots) > 1:
            form = "{name} is an exception to different questions: {roots}"
            message = Sentence(form, name=name, roots=tuple(sorted(r for r in roots if r)))
            builder.note("except", message, item.statement.name_span)
        for root in roots:
            if root is not None:
                groups[root].append((item, excepts))
    return groups


def _root(items: dict[str, Linked], name: str, more_roots: tuple[str, ...]) -> str | None:
    seen: set[str] = set()
    while name not in seen:
        seen.add(name)
        if name in more_roots:
            return name
        item = items.get(name)
        if item is None:
            return None
        if not item.statement.excepts:
            return name
        name = item.statement.excepts[0]
    return None


class Groups:
    """The defines of a variant. Types are inferred on demand; circular definitions are rejected."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.seen_of = {name + SEEN: name for name in (*builder.kind("datum"), *filter(None, [builder.symbols.pack]))}
        self.members = gather(builder, "define", tuple(self.seen_of))
        self.done: dict[str, Define | None] = {}
        self.failed: dict[str, Wrong] = {}
        self.open: list[str] = []
        self.declared: dict[str, tuple[tuple[Param, ...], Type]] = {}

    def signature(self, name: str, span: t.Span) -> tuple[tuple[Param, ...], Type] | None:
        """Parameters and type of a question; declared types are known before the answers are."""
        if name not in self.members:
            return None
        if name in self.open or (name not in self.done and self._declared(name)):
            if name in self.declared:
                return self.declared[name]
            circle = " -> ".join([*self.open[self.open.index(name) :], name])
            raise Wrong("circle", Sentence("{circle}: a question cannot ask itself", circle=circle), span)
        define = self._define(name)
        if define is None:
            # Reported at the definition, not again at every use.
            raise self.failed[name]
        return define.params, define.type

    def defines(self) -> dict[str, Define]:
        """All questions, in the order of the text; those about views last."""
        names = [name for name in self.members if name not in self.seen_of] + list(self.seen_of)
        found = {name: self._define(name) for name in names}
        result = {name: define for name, define in found.items() if define is not None}
        self._refuse_circles(result)
        return result

    def _declared(self, name: str) -> bool:
        if name in self.declared:
            return True
        members = self.members[name]
        if name in self.seen_of or not members or members[0][0].statement.type is None:
            return False
        statement = members[0][0].statement
        assert statement.type is not None
        self.declared[name] = (self.builder.params_of(statement.params), self.builder.type_of(statement.type))
        return True

    def _define(self, name: str) -> Define | None:
        if name in self.done:
            return self.done[name]
        self.open.append(name)
        try:
            if len(self.open) > limits.ASKING:
                span = self.members[name][0][0].statement.name_span if self.members[name] else t.NOWHERE
                raise limits.wrong_size(Sentence("questions that ask each other"), limits.ASKING, span)
            self.done[name] = self._elaborated(name)
        except Wrong as wrong:
            self.builder.wrong.append(wrong.diagnostic)
            self.done[name], self.failed[name] = None, wrong
        finally:
            self.open.pop()
        return self.done[name]

    def _elaborated(self, name: str) -> Define:
        builder, members = self.builder, self.members[name]
        kind: Type | None
        answers: list[Answer] = []
        if name in self.seen_of:
            params, kind, base = self._view(name)
            answers.append(base)
        else:
            statement = members[0][0].statement
            params = builder.params_of(statement.params)
            kind = builder.type_of(statement.type) if statement.type else None
        direct = {item.statement.name: excepts for item, excepts in members}
        beats = transitive(direct)
        scope = {p.name: p.type for p in params}
        for item, _ in members:
            answer = self._answer(item, params, scope, kind, beats)
            if answer is not None:
                answers.append(answer)
        if not answers:
            for item, _ in members:
                if item.statement.name in self.failed:
                    raise self.failed[item.statement.name]
            span = members[0][0].statement.name_span
            raise Wrong("no-answer", Sentence("{name} has no answer under these options", name=name), span)
        if kind is None:
            kind = answers[0].value.type
            for answer in answers[1:]:
                joined = types.join(kind, answer.value.type)
                if joined is None:
                    form = "{answer} answers {type}, where {name} answers {kind}"
                    message = Sentence(form, answer=answer.name, type=answer.value.type, name=name, kind=kind)
                    raise Wrong("type", message, answer.value.span)
                kind = joined
        return Define(name, params, kind, tuple(answers))

    def _answer(
        self,
        item: Linked,
        params: tuple[Param, ...],
        scope: Scope,
        kind: Type | None,
        beats: dict[str, frozenset[str]],
    ) -> Answer | None:
        builder, statement = self.builder, item.statement
        try:
            if statement.excepts and statement.params:
                own = builder.params_of(statement.params)
                if len(own) != len(params):
                    form = "{statement} takes over the parameters of what it excepts"
                    message = Sentence(form, statement=statement.name)
                    raise Wrong("arguments", message, statement.name_span)
                scope = {p.name: q.type for p, q in zip(own, params, strict=True)}
            when = builder.elaborator.condition(statement.when, scope)
            if fold.is_no(when):
                builder.vanished.append((statement.name, source_of(item)))
                return None
            assert statement.value is not None
            if kind is not None:
                value = builder.elaborator.wanted(statement.value, kind, scope)
            else:
                value = builder.elaborator.expr(statement.value, scope)
        except Wrong as wrong:
            builder.wrong.append(wrong.diagnostic)
            self.failed[statement.name] = wrong
            return None
        if statement.excepts and statement.params:
            renamed = {p.name: q.name for p, q in zip(statement.params, params, strict=True)}
            when, value = (rename(when, renamed) if when else None), rename(value, renamed)
        return Answer(statement.name, when, value, beats[statement.name], source_of(item))

    def _view(self, name: str) -> tuple[tuple[Param, ...], Type, Answer]:
        """The base of the question who sees a datum: its ``seen by``, everyone by default."""
        builder, datum = self.builder, self.seen_of[name]
        if datum in builder.untyped:
            raise builder.untyped[datum]
        if datum not in builder.data_types:
            span = builder.items[datum].statement.name_span
            raise Wrong("no-deck", Sentence("{datum} has no cards", datum=datum), span)
        params, _ = builder.data_types[datum]
        kind = types.set_of(builder.elaborator.seat)
        full = fold.const(kind, 0 if datum == builder.symbols.pack else (1 << builder.symbols.seats) - 1)
        item = builder.items[datum]
        seen = item.statement.expr_of("seen")
        value = builder.elaborator.seats(seen, {p.name: p.type for p in params}) if seen else full
        base = source_of(item)
        cites = () if datum == builder.symbols.pack else base.cites  # a deck does not say who sees its cards
        source = Source(base.span, base.prose, cites, base.lineage, base.construct, base.agreed)
        return params, kind, Answer(name, None, value, frozenset(), source)

    def _refuse_circles(self, defines: dict[str, Define]) -> None:
        asks = {name: asked_by(define) for name, define in defines.items()}
        state: dict[str, int] = {}
        depth: dict[str, int] = {}

        def too_large(name: str) -> None:
            span = defines[name].answers[0].source.span
            asking = Sentence("questions that ask each other")
            self.builder.wrong.append(limits.too_large(asking, limits.ASKING, span))

        def visit(name: str, path: list[str]) -> None:
            state[name] = 1
            if len(path) > limits.ASKING:
                too_large(name)
                return
            for other in asks.get(name, ()):
                if state.get(other) == 1:
                    circle = " -> ".join([*path[path.index(other) :], other])
                    message = Sentence("{circle}: a question cannot ask itself", circle=circle)
                    self.builder.note("circle", message, defines[name].answers[0].source.span)
                elif other not in state and other in asks:
                    visit(other, [*path, other])
            state[name] = 2
            depth[name] = 1 + max((depth.get(other, 0) for other in asks.get(name, ())), default=0)
            if depth[name] == limits.ASKING + 1:
                too_large(name)

        for name in asks:
            if name not in state:
                visit(name, [name])


def rename(expr: Expr, names: Mapping[str, str]) -> Expr:
    """The expression with parameters renamed, avoiding capture by its own variables."""
    changed = {old: new for old, new in names.items() if old != new}
    if not changed:
        return expr
    taken = set(changed.values())

    def aside(node: Expr) -> Expr:
        if node.op != "quant" or not any(binder.name in taken for binder in node.value.binders):
            return node
        quant: Quant = node.value
        others = {b.name: Expr("var", b.type, (), f"{b.name}'") for b in quant.binders if b.name in taken}
        binders = []
        for at, binder in enumerate(quant.binders):
            before = {b.name: others[b.name] for b in quant.binders[:at] if b.name in others}
            name = others[binder.name].value if binder.name in others else binder.name
            binders.append(Bound(name, binder.type, _put(binder.within, before), _put(binder.start, before)))
        return replace(
            node, value=Quant(quant.word, tuple(binders), _put(quant.where, others), _put(quant.body, others))
        )

    def change(node: Expr) -> Expr:
        return replace(node, value=changed[node.value]) if node.op == "var" and node.value in changed else node

    return map_expr(map_expr(expr, aside), change)


def _put(expr: Expr | None, values: Mapping[str, Expr]) -> Expr | None:
    return None if expr is None else fold.put_in(expr, values)
