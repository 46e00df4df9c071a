"""Text to tree: the Lark grammar, and a transformer that gives every node its place."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.tree import Meta

from truco_spec import shipped
from truco_spec.language import tree as t


def grammar_text() -> str:
    """The text of ``grammar/truco.lark``."""
    return (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The LALR parser, strict: no conflict of the grammar is resolved silently."""
    return Lark(grammar_text(), parser="lalr", strict=True, propagate_positions=True, maybe_placeholders=True)


def parse(text: str, path: str = "<text>") -> t.File:
    """Parse a whole text. Raises lark's ``UnexpectedInput`` at the first mistake."""
    built = Build(path).transform(parser().parse(text))
    assert isinstance(built, t.File)
    return built


def _unquote(token: Token) -> str:
    return str(token)[1:-1]


@v_args(meta=True)
class Build(Transformer[Token, Any]):
    """Turns Lark's tree into ours, bottom up; every method bears the name of a rule of the grammar."""

    def __init__(self, path: str) -> None:
        super().__init__(visit_tokens=False)
        self.path = path

    def _span(self, meta: Meta) -> t.Span:
        if meta.empty:
            return t.NOWHERE
        return t.Span(
            self.path, meta.line, meta.column, meta.end_line, meta.end_column, meta.start_pos, meta.end_pos
        )

    def _at(self, token: Token) -> t.Span:
        return t.Span(
            self.path,
            token.line or 0,
            token.column or 0,
            token.end_line or 0,
            token.end_column or 0,
            token.start_pos or 0,
            token.end_pos or 0,
        )

    # ---- the whole ---------------------------------------------------------------------------

    def start(self, meta: Meta, kids: list[Any]) -> t.File:
        return t.File(self.path, tuple(kids))

    def variant(self, meta: Meta, kids: list[Any]) -> t.VariantText:
        name, extends, title, *items = kids
        return t.VariantText(
            str(name), str(extends or ""), _unquote(title), tuple(items), self._span(meta), self._at(name)
        )

    def replace(self, meta: Meta, kids: list[Any]) -> t.Statement:
        from dataclasses import replace

        return replace(kids[0], mode="replace", span=self._span(meta))

    def drop(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, cites = kids
        return t.Statement("drop", str(name), self._span(meta), self._at(name), cites=cites)

    def also(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, cites = kids
        return t.Statement("also", str(name), self._span(meta), self._at(name), cites=cites)

    def set(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, value, cites = kids
        return t.Statement("set", str(name), self._span(meta), self._at(name), value=value, cites=cites)

    # ---- statements --------------------------------------------------------------------------

    def head(self, meta: Meta, kids: list[Any]) -> dict[str, Any]:
        name = kids[0]
        params = tuple(k for k in kids[1:] if isinstance(k, t.Param))
        kind = next((k for k in kids[1:] if isinstance(k, t.TypeText)), None)
        excepts = next((k for k in kids[1:] if isinstance(k, list)), [])
        return {
            "name": str(name),
            "name_span": self._at(name),
            "params": params,
            "type": kind,
            "excepts": tuple(str(e) for e in excepts),
        }

    def param(self, meta: Meta, kids: list[Any]) -> t.Param:
        return t.Param(str(kids[0]), kids[1], self._span(meta))

    def type(self, meta: Meta, kids: list[Any]) -> t.TypeText:
        return t.TypeText(tuple(kids), self._span(meta))

    def set_of(self, meta: Meta, kids: list[Any]) -> t.SetType:
        return t.SetType(str(kids[0]), self._span(meta))

    def range(self, meta: Meta, kids: list[Any]) -> t.RangeType:
        return t.RangeType(kids[0], kids[1], self._span(meta))

    def cites(self, meta: Meta, kids: list[Any]) -> tuple[t.Cite, ...]:
        found = []
        for token in kids:
            source, clause = str(token)[1:].split(":", 1)
            found.append(t.Cite(source, clause, self._at(token)))
        return tuple(found)

    def names(self, meta: Meta, kids: list[Any]) -> list[str]:
        return [str(k) for k in kids]

    def choice(self, meta: Meta, kids: list[Any]) -> t.Choice:
        return t.Choice(kids[0], kids[1] is not None, self._span(meta))

    def row(self, meta: Meta, kids: list[Any]) -> tuple[t.Name | t.Number | None, ...]:
        return tuple(kids)

    def any(self, meta: Meta, kids: list[Any]) -> None:
        return None

    def values(self, meta: Meta, kids: list[Any]) -> tuple[Any, ...]:
        return tuple(kids)

    def without(self, meta: Meta, kids: list[Any]) -> t.DeckPart:
        return t.DeckPart("without", kids[0], kids[1] or (), kids[2], self._span(meta))

    def with_card(self, meta: Meta, kids: list[Any]) -> t.DeckPart:
        names = tuple(t.Name(str(k), self._at(k)) for k in kids[:2])
        return t.DeckPart("with", names, (), kids[2], self._span(meta))

    def cited(self, meta: Meta, kids: list[Any]) -> t.Statement:
        word, head, cites, prose, places, *clauses = kids
        return t.Statement(
            str(word),
            span=self._span(meta),
            **head,
            cites=cites,
            prose=_unquote(prose) if prose else None,
            names=tuple(places or ()),
            clauses=tuple(clauses),
        )

    def bare(self, meta: Meta, kids: list[Any]) -> t.Statement:
        word, head, within, interrupts, prose, *clauses = kids
        return t.Statement(
            str(word),
            span=self._span(meta),
            **head,
            prose=_unquote(prose) if prose else None,
            within=str(within or ""),
            names=tuple(interrupts or ()),
            clauses=tuple(clauses),
        )

    def datum(self, meta: Meta, kids: list[Any]) -> t.Statement:
        head, value, *clauses = kids
        return t.Statement("datum", span=self._span(meta), **head, value=value, clauses=tuple(clauses))

    def define(self, meta: Meta, kids: list[Any]) -> t.Statement:
        head, cites, prose, when, value = kids
        return t.Statement(
            "define",
            span=self._span(meta),
            **head,
            cites=cites,
            prose=_unquote(prose) if prose else None,
            when=when,
            value=value,
        )

    def option(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, *rest = kids
        choices = tuple(k for k in rest if isinstance(k, t.Choice))
        cites, prose = rest[len(choices)], rest[len(choices) + 1]
        return t.Statement(
            "option",
            str(name),
            self._span(meta),
            self._at(name),
            choices=choices,
            cites=cites,
            prose=_unquote(prose) if prose else None,
        )

    def order(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, *members, cites = kids
        return t.Statement("order", str(name), self._span(meta), self._at(name), members=tuple(members), cites=cites)

    def table(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, columns, cites, prose, *rows = kids
        return t.Statement(
            "table",
            str(name),
            self._span(meta),
            self._at(name),
            names=tuple(columns),
            cites=cites,
            prose=_unquote(prose) if prose else None,
            rows=tuple(rows),
        )

    def decision(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, cites, reading, because, *rather = kids
        return t.Statement(
            "decision",
            str(name),
            self._span(meta),
            self._at(name),
            cites=cites,
            prose=_unquote(reading),
            because=_unquote(because),
            rather=tuple(_unquote(r) for r in rather if r is not None),
        )

    def seats(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, teams, cites, prose = kids
        return t.Statement(
            "seats",
            str(name),
            self._span(meta),
            self._at(name),
            count=int(teams),
            cites=cites,
            prose=_unquote(prose) if prose else None,
        )

    def deck(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, ranks, suits, *parts, cites = kids
        return t.Statement(
            "deck",
            str(name),
            self._span(meta),
            self._at(name),
            names=(str(ranks), str(suits)),
            parts=tuple(parts),
            cites=cites,
        )

    def trump(self, meta: Meta, kids: list[Any]) -> t.Statement:
        name, above, listing, cites, prose, when = kids
        members, of, by = listing
        return t.Statement(
            "trump",
            str(name),
            self._span(meta),
            self._at(name),
            within=str(above or ""),
            members=members,
            value=of,
            suits=by,
            cites=cites,
            prose=_unquote(prose) if prose else None,
            when=when,
        )

    def listed(self, meta: Meta, kids: list[Any]) -> tuple[tuple[Any, ...], Any, str]:
        *members, of = kids
        return tuple(members), of, ""

    def by_suit(self, meta: Meta, kids: list[Any]) -> tuple[tuple[Any, ...], Any, str]:
        return (), kids[0], str(kids[1])

    # ---- clauses -----------------------------------------------------------------------------

    def who(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("by", expr=kids[0], span=self._span(meta))

    def verdict(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("verdict", word=str(kids[0]), verbs=kids[1], span=self._span(meta))

    def follows(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("on", verbs=kids[0], span=self._span(meta))

    def at_once(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("at once", span=self._span(meta))

    def when(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("when", expr=kids[0], span=self._span(meta))

    def lest(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("lest", changes=kids[0], span=self._span(meta))

    def does(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("do", changes=kids[0], span=self._span(meta))

    def fresh(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("fresh", word=str(kids[0]), span=self._span(meta))

    def seen(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("seen", expr=kids[0], span=self._span(meta))

    def possible(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("possible", expr=kids[0], span=self._span(meta))

    def strings(self, meta: Meta, kids: list[Any]) -> tuple[str, ...]:
        return tuple(_unquote(k) for k in kids)

    def written(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("written", strings=kids[0], span=self._span(meta))

    def tacit(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("tacit", span=self._span(meta))

    def stakes(self, meta: Meta, kids: list[Any]) -> t.Clause:
        base, *rest = kids
        steps = tuple((str(word), expr) for word, expr in zip(rest[::2], rest[1::2], strict=True))
        return t.Clause("stakes", expr=base, steps=steps, span=self._span(meta))

    def calls(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("calls", calls=tuple(kids), span=self._span(meta))

    def call(self, meta: Meta, kids: list[Any]) -> t.CallWord:
        word, sign, amount, upto = kids
        return t.CallWord(str(word), sign, amount, int(upto) if upto else None, self._span(meta))

    def opens(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("opens", names=tuple(kids[0]), span=self._span(meta))

    def later(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("later", names=tuple(kids[0]), span=self._span(meta))

    def replies(self, meta: Meta, kids: list[Any]) -> t.Clause:
        *_, yes, no = kids
        return t.Clause("replies", names=(str(yes), str(no)), span=self._span(meta))

    def refusal(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("refusal", expr=kids[0], span=self._span(meta))

    def settles(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("settles", word=str(kids[0]), span=self._span(meta))

    def stake(self, meta: Meta, kids: list[Any]) -> t.Clause:
        return t.Clause("stake", expr=kids[0], span=self._span(meta))

    def verbs(self, meta: Meta, kids: list[Any]) -> tuple[t.Verb, ...]:
        return tuple(kids)

    def verb(self, meta: Meta, kids: list[Any]) -> t.Verb:
        return t.Verb(str(kids[0]), tuple(k for k in kids[1:] if k is not None), self._span(meta))

    # ---- changes -----------------------------------------------------------------------------

    def changes(self, meta: Meta, kids: list[Any]) -> tuple[t.Change, ...]:
        return tuple(kids)

    def becomes(self, meta: Meta, kids: list[Any]) -> str:
        return str(kids[0])

    def assign(self, meta: Meta, kids: list[Any]) -> t.Assign:
        name, args, sign, value = kids
        return t.Assign(str(name), tuple(args or ()), sign, value, self._span(meta))

    def move(self, meta: Meta, kids: list[Any]) -> t.Move:
        what, place, args = kids
        return t.Move(what, str(place), tuple(args or ()), self._span(meta))

    def ask(self, meta: Meta, kids: list[Any]) -> t.Way:
        return t.Way("ask", str(kids[0]), self._span(meta))

    def resume(self, meta: Meta, kids: list[Any]) -> t.Way:
        return t.Way("resume", "", self._span(meta))

    def then(self, meta: Meta, kids: list[Any]) -> t.Way:
        return t.Way("then", str(kids[0]), self._span(meta))

    def apply(self, meta: Meta, kids: list[Any]) -> t.Apply:
        return t.Apply(str(kids[0]), tuple(kids[1]), self._span(meta))

    # ---- expressions -------------------------------------------------------------------------

    def name(self, meta: Meta, kids: list[Any]) -> t.Name:
        return t.Name(str(kids[0]), self._span(meta))

    def number(self, meta: Meta, kids: list[Any]) -> t.Number:
        return t.Number(int(kids[0]), self._span(meta))

    def call_of(self, meta: Meta, kids: list[Any]) -> t.Call:
        return t.Call(str(kids[0]), tuple(kids[1]), self._span(meta))

    def args(self, meta: Meta, kids: list[Any]) -> list[Any]:
        return kids

    def set_literal(self, meta: Meta, kids: list[Any]) -> t.SetOf:
        return t.SetOf(tuple(kids), self._span(meta))

    def group(self, meta: Meta, kids: list[Any]) -> t.Expr:
        expr: t.Expr = kids[0]
        return expr

    def choose(self, meta: Meta, kids: list[Any]) -> t.Choose:
        return t.Choose(kids[0], kids[1], kids[2], self._span(meta))

    def _logic(self, word: str, meta: Meta, kids: list[Any]) -> t.Logic:
        return t.Logic(word, kids[0], kids[1], self._span(meta))

    def and_(self, meta: Meta, kids: list[Any]) -> t.Logic:
        return self._logic("and", meta, kids)

    def or_(self, meta: Meta, kids: list[Any]) -> t.Logic:
        return self._logic("or", meta, kids)

    def not_(self, meta: Meta, kids: list[Any]) -> t.Not:
        return t.Not(kids[0], self._span(meta))

    def relation(self, meta: Meta, kids: list[Any]) -> str:
        return " ".join(str(k) for k in kids)

    def compare(self, meta: Meta, kids: list[Any]) -> t.Compare:
        return t.Compare(kids[1], kids[0], kids[2], self._span(meta))

    def during(self, meta: Meta, kids: list[Any]) -> t.During:
        return t.During(str(kids[0]), self._span(meta))

    def add(self, meta: Meta, kids: list[Any]) -> t.Arith:
        return t.Arith(str(kids[1]), kids[0], kids[2], self._span(meta))

    def times(self, meta: Meta, kids: list[Any]) -> t.Arith:
        return t.Arith("*", kids[0], kids[1], self._span(meta))

    def quant(self, meta: Meta, kids: list[Any]) -> t.Quant:
        word = str(kids[0])
        binders = tuple(k for k in kids[1:] if isinstance(k, t.Binder))
        where, body = kids[-2], kids[-1]
        return t.Quant(word, binders, where, body, self._span(meta))

    def binder(self, meta: Meta, kids: list[Any]) -> t.Binder:
        return t.Binder(str(kids[0]), str(kids[1]), kids[2], kids[3], self._span(meta))


# Words of the grammar that are also words of Python.
for _rule in ("and", "or", "not"):
    setattr(Build, _rule, getattr(Build, f"{_rule}_"))
