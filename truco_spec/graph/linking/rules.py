"""Elaborates rules and effects: who may, must or must not do something, where, when, and the consequences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from truco_spec.base.words import Sentence
from truco_spec.graph import fold, model, types
from truco_spec.graph.groups import gather, transitive
from truco_spec.graph.link import Linked
from truco_spec.graph.linking.elaborate import wanting
from truco_spec.graph.linking.names import Scope, Wrong, source_of, unknown
from truco_spec.graph.types import Type
from truco_spec.graph.walk import reached, walk
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import hint_of

if TYPE_CHECKING:
    from truco_spec.graph.linking.build import Builder


class RuleBuilder:
    """Elaborates rules and effects; errors go to the builder's list."""

    def __init__(self, builder: Builder, actions: dict[str, model.ActionKind]) -> None:
        self.builder = builder
        self.actions = actions
        self.of_referee = {
            verb.name
            for item in builder.kind("rule").values()
            if (by := item.statement.clause("by")) and _outsider(by) == model.REFEREE_NAME
            for clause in item.statement.clauses
            for verb in clause.verbs
        }
        self.effect_members = gather(builder, "effect")
        self.effect_params: dict[str, tuple[model.Param, ...]] = {}
        for name, members in self.effect_members.items():
            try:
                self.effect_params[name] = builder.params_of(members[0][0].statement.params)
            except Wrong as wrong:
                builder.wrong.append(wrong.diagnostic)
                self.effect_params[name] = ()

    # ---- rules -------------------------------------------------------------------------------

    def rules(self) -> dict[str, model.Rule]:
        """All rules that can apply under these options; the others are recorded as vanished."""
        builder = self.builder
        beats = self.beats()
        found: dict[str, model.Rule] = {}
        for name, item in builder.kind("rule").items():
            try:
                rule = self._kept_or_new(item, beats[name])
            except Wrong as wrong:
                builder.wrong.append(wrong.diagnostic)
                continue
            if rule is None:
                builder.vanished.append((name, source_of(item)))
            else:
                found[name] = rule
        return found

    def beats(self) -> dict[str, frozenset[str]]:
        """The rules that each rule is an exception to, at any depth."""
        builder = self.builder
        items = builder.kind("rule")
        direct: dict[str, tuple[str, ...]] = {}
        for name, item in items.items():
            targets: list[str] = []
            for other in item.statement.excepts:
                if other in builder.constructs:
                    targets += builder.constructs[other]
                elif other in items:
                    targets.append(other)
                else:
                    message = Sentence("there is no rule {other} to be an exception to", other=other)
                    hint = hint_of(other, [*items, *builder.constructs])
                    builder.note("unknown-name", message, item.statement.name_span, hint)
            direct[name] = tuple(targets)
        return transitive(direct)

    def _kept_or_new(self, item: Linked, beats: frozenset[str]) -> model.Rule | None:
        name, kept = item.statement.name, self.builder.kept_rules
        rule = kept.get(name)
        if name in kept and (rule is None or rule.beats == beats):
            return rule
        return self.rule(item, beats)

    def rule(self, item: Linked, beats: frozenset[str]) -> model.Rule | None:
        """One rule; None if it can never apply. Raises Wrong."""
        builder, statement = self.builder, item.statement
        clauses = {clause.kind: clause for clause in statement.clauses}
        verdict, follows = clauses.get("verdict"), clauses.get("on")
        shape = verdict.word if verdict else "on" if follows else "once" if "at once" in clauses else "auto"
        for name in statement.names:
            if name not in builder.symbols.phases:
                raise builder.no_phase(name, statement.name_span)
        if shape == "auto" and not statement.names:
            message = Sentence("a rule without an action says in which phase it applies, or `at once`")
            raise Wrong("shape", message, statement.name_span, Sentence("write `in PHASE` after the sentence"))
        said = verdict or follows
        verbs, binds = self._verbs(said) if said else ((), {})
        by, outsider = self._by(clauses.get("by"), shape, statement)
        seated = said and not self._is_of_referee(said, outsider)
        scope = {"me": builder.elaborator.seat, **binds} if seated else binds
        when = builder.elaborator.condition(statement.expr_of("when"), scope)
        do, lest = clauses.get("do"), clauses.get("lest")
        rule = model.Rule(
            statement.name,
            shape,
            statement.names,
            by,
            outsider,
            verbs,
            tuple(model.Param(name, kind) for name, kind in binds.items()),
            when,
            self._changes(lest, scope),
            self._changes(do, scope),
            beats,
            source_of(item),
        )
        return None if fold.is_no(when) or fold.is_no(by) else rule

    def _by(self, clause: t.Clause | None, shape: str, statement: t.Statement) -> tuple[model.Expr | None, str]:
        if clause is None or clause.expr is None:
            if shape in ("may", "must", "must not"):
                message = Sentence("{name} says {shape}, but not who", name=statement.name, shape=shape)
                hint = Sentence("write `by SEATS`, `by everyone`, `by chance` or `by referee`")
                raise Wrong("shape", message, statement.name_span, hint)
            return None, ""
        if outsider := _outsider(clause):
            return None, outsider
        return self.builder.elaborator.seats(clause.expr, {}), ""

    def _is_of_referee(self, said: t.Clause, outsider: str) -> bool:
        """Whether the actions are the referee's, who has no seat. Raises Wrong where a seat is meant, too."""
        for verb in said.verbs:
            action = self.actions[verb.name]
            if (outsider == model.REFEREE_NAME) != (verb.name in self.of_referee) and said.kind == "verdict":
                message = Sentence("{name} is an action of the referee, and of somebody else", name=verb.name)
                raise Wrong("actor", message, verb.span, Sentence("give it two names"))
            asked = walk(action.possible) if verb.name in self.of_referee and action.possible else ()
            if any(node.op == "var" and node.value == "me" for node in asked):
                message = Sentence("{name} is possible by `me`, and the referee has no seat", name=verb.name)
                raise Wrong("actor", message, verb.span)
        return all(verb.name in self.of_referee for verb in said.verbs)

    def _verbs(self, clause: t.Clause) -> tuple[tuple[model.Verb, ...], dict[str, Type]]:
        verbs: list[model.Verb] = []
        binds: dict[str, Type] = {}
        for number, verb in enumerate(clause.verbs):
            action = self.actions.get(verb.name)
            if action is None:
                raise unknown(Sentence("there is no action {name}", name=verb.name), self.actions, verb.span)
            if verb.args and len(verb.args) != len(action.params):
                raise wanting(verb.name, action.params, verb.span)
            args: list[str | int] = []
            here: dict[str, Type] = {}
            given: tuple[t.Name | t.Number | None, ...] = verb.args or (None,) * len(action.params)
            for place, (arg, param) in enumerate(zip(given, action.params, strict=True)):
                args.append(self._argument(arg, param, here, f"_{number}{place}"))
            if number and here != binds and any(not name.startswith("_") for name in {*here, *binds}):
                message = Sentence("verbs joined by `or` bind the same names")
                raise Wrong("arguments", message, verb.span)
            binds |= here
            verbs.append(model.Verb(verb.name, tuple(args)))
        return tuple(verbs), {name: kind for name, kind in binds.items() if not name.startswith("_")}

    def _argument(
        self, arg: t.Name | t.Number | None, param: model.Param, here: dict[str, Type], free: str
    ) -> str | int:
        if arg is None:
            here[free] = param.type
            return free
        if isinstance(arg, t.Number):
            return int(self.builder.elaborator.wanted(arg, param.type, {}).value)
        value = self.builder.symbols.member_of(param.type, arg.text)
        if value is None and arg.text in param.type.words:
            value = self.builder.symbols.words[arg.text]
        if value is not None:
            return value
        here[arg.text] = param.type
        return arg.text

    # ---- effects -----------------------------------------------------------------------------

    def effects(self) -> dict[str, model.Effect]:
        """All named changes."""
        found: dict[str, model.Effect] = {}
        for name, members in self.effect_members.items():
            beats = transitive({item.statement.name: excepts for item, excepts in members})
            params = self.effect_params[name]
            turns = []
            for item, _ in members:
                turn = self._turn(item, params, beats[item.statement.name])
                if turn is not None:
                    turns.append(turn)
            found[name] = model.Effect(name, params, tuple(turns))
        self._refuse_circles(found)
        return found

    def _turn(self, item: Linked, params: tuple[model.Param, ...], beats: frozenset[str]) -> model.Turn | None:
        builder, statement = self.builder, item.statement
        scope = {p.name: p.type for p in params}
        if statement.excepts and statement.params:
            scope = {p.name: q.type for p, q in zip(statement.params, params, strict=False)}
            if [p.name for p in statement.params] != [q.name for q in params]:
                message = Sentence("{name} takes over the parameters of what it excepts", name=statement.name)
                builder.note("arguments", message, statement.name_span)
                return None
        try:
            when = builder.elaborator.condition(statement.expr_of("when"), scope)
            changes = self._changes(statement.clause("do"), scope)
        except Wrong as wrong:
            builder.wrong.append(wrong.diagnostic)
            return None
        if fold.is_no(when):
            builder.vanished.append((statement.name, source_of(item)))
            return None
        return model.Turn(statement.name, when, changes, beats, source_of(item))

    def _refuse_circles(self, effects: dict[str, model.Effect]) -> None:
        applies = {
            name: {c.effect for turn in effect.turns for c in turn.changes if isinstance(c, model.Apply)}
            for name, effect in effects.items()
        }
        for name in applies:
            if name in reached(applies, applies[name]):
                span = effects[name].turns[0].source.span
                message = Sentence("effect {name} applies itself in a circle", name=name)
                self.builder.note("circle", message, span)

    # ---- changes -----------------------------------------------------------------------------

    def _changes(self, clause: t.Clause | None, scope: Scope) -> tuple[model.Change, ...]:
        return tuple(self._change(change, scope) for change in clause.changes) if clause else ()

    def _change(self, change: t.Change, scope: Scope) -> model.Change:
        if isinstance(change, t.Assign):
            return self._assign(change, scope)
        if isinstance(change, t.Move):
            return self._move(change, scope)
        if isinstance(change, t.Way):
            if change.word != "resume" and change.phase not in self.builder.symbols.phases:
                raise self.builder.no_phase(change.phase, change.span)
            return model.Way(change.word, change.phase, change.span)
        params = self.effect_params.get(change.effect)
        if params is None:
            message = Sentence("there is no effect {name}", name=change.effect)
            raise unknown(message, self.effect_params, change.span)
        return model.Apply(
            change.effect,
            self.builder.elaborator.given(change.effect, params, change.args, change.span, scope),
            change.span,
        )

    def _assign(self, change: t.Assign, scope: Scope) -> model.Assign:
        params, kind = self._datum(Sentence("there is no datum {name}", name=change.target), change.span)
        if kind.place:
            form = "{target} is a {place}: cards are moved, `move … to {target}`"
            message = Sentence(form, target=change.target, place=kind.place)
            raise Wrong("place", message, change.span)
        index = self.builder.elaborator.given(change.target, params, change.args, change.span, scope)
        if change.sign == "=":
            value = self.builder.elaborator.wanted(change.value, kind, scope)
        else:
            if kind.base != "number" or kind.many:
                message = Sentence("{target} is {kind}; only numbers grow and shrink", target=change.target, kind=kind)
                raise Wrong("type", message, change.span)
            value = self.builder.elaborator.expr(change.value, scope)
            if value.type.base != "number" or value.type.many:
                raise Wrong("type", Sentence("{type} is no number", type=value.type), change.span)
        return model.Assign(change.target, index, change.sign, value, change.span)

    def _move(self, change: t.Move, scope: Scope) -> model.Move:
        params, kind = self._datum(Sentence("there is no pile or slot {name}", name=change.place), change.span)
        if not kind.place:
            message = Sentence("{place} is {kind}; cards lie in piles and slots", place=change.place, kind=kind)
            raise Wrong("place", message, change.span)
        card = self.builder.symbols.named_type("card")
        what = self.builder.elaborator.expr(change.what, scope, card)
        if card is None or not types.same_base(types.bare(what.type), types.set_of(card) if what.type.many else card):
            raise Wrong("type", Sentence("{type} is no card", type=what.type), change.span)
        if what.type.many and kind.place == "slot":
            message = Sentence("{place} holds one card, and this is a pile", place=change.place)
            raise Wrong("place", message, change.span)
        index = self.builder.elaborator.given(change.place, params, change.args, change.span, scope)
        return model.Move(what, change.place, index, change.span)

    def _datum(self, otherwise: Sentence, span: t.Span) -> tuple[tuple[model.Param, ...], Type]:
        """The parameters and the type of the datum that is named. Raises Wrong if there is none."""
        name, data = str(otherwise.holes["name"]), self.builder.data_types
        if name in self.builder.untyped:
            raise self.builder.untyped[name]
        if name not in data:
            raise unknown(otherwise, data, span)
        return data[name]


# ---- Parts of a graph independent of rules: data, phases and actions -------------------------

_HOLE = re.compile(r"\{([^{}]*)\}")


class PartBuilder:
    """Elaborates data, phases and actions; errors go to the builder's list."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def data(self) -> dict[str, model.Datum]:
        """Every datum with its type, lifetime and initial value; the pack is one of them."""
        builder, symbols = self.builder, self.builder.symbols
        found: dict[str, model.Datum] = {}
        for name, item in builder.kind("datum").items():
            if name not in builder.data_types:
                continue
            params, kind = builder.data_types[name]
            fresh = item.statement.clause("fresh")
            if fresh is not None and fresh.word not in symbols.phases:
                builder.wrong.append(builder.no_phase(fresh.word, fresh.span).diagnostic)
            try:
                first = self._first(item.statement.value, params, kind)
            except Wrong as wrong:
                builder.wrong.append(wrong.diagnostic)
                first = None
            found[name] = model.Datum(name, params, kind, first, fresh.word if fresh else "", source_of(item))
        if symbols.pack and symbols.pack in builder.items and symbols.cards:
            params, kind = builder.data_types[symbols.pack]
            full = sum(1 << i for i, card in enumerate(symbols.cards) if card.present)
            first = fold.const(types.bare(kind), full)
            found[symbols.pack] = model.Datum(
                symbols.pack, params, kind, first, "", source_of(builder.items[symbols.pack])
            )
        return found

    def _first(self, value: t.Expr | None, params: tuple[model.Param, ...], kind: Type) -> model.Expr | None:
        if value is None:
            return self._natural_first(kind)
        if kind.place:
            message = Sentence("a {place} begins empty; cards are moved there", place=kind.place)
            raise Wrong("place", message, value.span)
        return self.builder.elaborator.wanted(value, kind, {p.name: p.type for p in params})

    def _natural_first(self, kind: Type) -> model.Expr | None:
        if kind.many:
            return fold.const(types.bare(kind), 0)
        if kind.place == "slot" or "none" in kind.words:
            return fold.const(types.of_words("none"), self.builder.symbols.words["none"])
        if kind.base in ("flag", "number"):
            return fold.const(types.bare(kind), kind.low)
        return None

    def phases(self) -> dict[str, model.Phase]:
        """Every phase, with the phases that it lies within or interrupts."""
        found = {}
        for name, item in self.builder.kind("phase").items():
            statement = item.statement
            for other in (*statement.names, *([statement.within] if statement.within else [])):
                if other not in self.builder.symbols.phases:
                    wrong = self.builder.no_phase(other, t.place_of(other, statement.name_span))
                    self.builder.wrong.append(wrong.diagnostic)
            found[name] = model.Phase(name, statement.within, statement.names, source_of(item))
        return found

    def actions(self) -> dict[str, model.ActionKind]:
        """Every action, with its condition of possibility and its notations."""
        found = {}
        for name, item in self.builder.kind("action").items():
            statement = item.statement
            try:
                params = self.builder.params_of(statement.params)
                scope = {"me": self.builder.elaborator.seat, **{p.name: p.type for p in params}}
                possible, seen = statement.expr_of("possible"), statement.expr_of("seen")
                written = statement.clause("written")
                for at, template in enumerate(written.strings if written else ()):
                    self._check_written(statement, template, params if at else ())
                found[name] = model.ActionKind(
                    name,
                    params,
                    self.builder.elaborator.flag(possible, scope) if possible else None,
                    self.builder.elaborator.seats(seen, scope) if seen else None,
                    written.strings if written else (" ".join([name, *("{" + p.name + "}" for p in params)]),),
                    statement.clause("tacit") is not None,
                    source_of(item),
                )
            except Wrong as wrong:
                self.builder.wrong.append(wrong.diagnostic)
        return found

    def _check_written(self, action: t.Statement, template: str, others: Sequence[model.Param]) -> None:
        """Check that a notation holds every parameter once, and nothing else in braces, so that it can be parsed.

        This is strict for the canonical one. Any other may omit a member of an order (one of ``others``), which follows
        from the permitted actions, or set it.
        """
        spared = {param.name: param.type.name for param in others if param.type.base == "order" and not param.type.many}
        said, given = model.said_and_given(template)
        holes = _HOLE.findall(said)
        holes += [n if v in self.builder.symbols.orders.get(spared.get(n, ""), ()) else f"{n}={v}" for n, v in given]
        wanted = [param.name for param in action.params]
        left_out = set(wanted) - set(holes)
        if sorted(holes) != sorted(set(wanted) - (left_out & spared.keys())):
            names = ", ".join("{" + name + "}" for name in wanted) or Sentence("nothing in braces")
            form = '"{template}" is no notation of {name}: it has to hold {names}'
            message = Sentence(form, template=template, name=action.name, names=names)
            self.builder.note("written", message, action.name_span)


def _outsider(by: t.Clause) -> str:
    """Return the actor without a seat; empty if seats act."""
    return by.expr.text if isinstance(by.expr, t.Name) and by.expr.text in model.OUTSIDERS else ""
