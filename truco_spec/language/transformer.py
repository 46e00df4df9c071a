"""Transforms Lark's tree into ours, production by production."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from lark import Token, Tree

from truco_spec.language import tree as t

Kids: TypeAlias = list[Any]
"""The parts of a production that the tree keeps: nodes, words, lists of these; None for an omitted optional part."""
DEEPEST = 120
"""Maximum nesting of brackets, operators or questions."""

CLAUSES = {
    "who": ("by", "expr"),
    "follows": ("on", "verbs"),
    "at_once": ("at once", ""),
    "when": ("when", "expr"),
    "lest": ("lest", "changes"),
    "does": ("do", "changes"),
    "seen": ("seen", "expr"),
    "possible": ("possible", "expr"),
    "written": ("written", "strings"),
    "tacit": ("tacit", ""),
    "refusal": ("refusal", "expr"),
    "stake": ("stake", "expr"),
    "fresh": ("fresh", "word"),
    "settles": ("settles", "word"),
    "opens": ("opens", "names"),
    "later": ("later", "names"),
}
"""Labels of clauses with one part, or none: the kind of clause, and what the part is in the tree."""


NODES = {
    "param": t.Param,
    "set_of": t.SetType,
    "range": t.RangeType,
    "apply": t.Apply,
    "name": t.Name,
    "call_of": t.Call,
    "choose": t.Choose,
    "not": t.Not,
    "during": t.During,
    "binder": t.Binder,
}
"""Labels of nodes that have just these parts, in this order."""


class TooDeep(Exception):
    """The nesting limit is exceeded."""


def _part(part: Any) -> Any:
    """A part as a node holds it: a word without its place, a list as a tuple."""
    return str(part) if isinstance(part, str) else tuple(part) if isinstance(part, list) else part


def _unquote(word: str | None) -> Any:
    """Return the sentence between the quotes, or None."""
    return None if word is None else word[1:-1]


class Build:
    """One method per label of the grammar that :data:`CLAUSES` and :data:`NODES` do not have; ``and`` and ``or`` have a
    trailing underscore, being Python keywords.

    ``path`` is the file name recorded in the tree; ``too_deep`` holds the start offsets of statements left out because
    they exceed the nesting limit.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.too_deep: list[int] = []

    def node(self, found: Any, depth: int = 0) -> Any:
        """Build the node for a node of Lark's tree. Raises TooDeep."""
        if found is None:
            return None
        if isinstance(found, Token):
            return t.Word.at(found.value, self._span(found))
        if depth >= DEEPEST:
            raise TooDeep
        kids = [self.node(kid, depth + 1) for kid in found.children]
        span = self._span(found.meta)
        if found.data in CLAUSES:
            name, part = CLAUSES[found.data]
            return t.Clause(name, span=span, **dict(zip((part,), map(_part, kids), strict=False)))
        if found.data in NODES:
            return NODES[found.data](*map(_part, kids), span)
        return _BUILD[found.data](self, span, kids)

    def _span(self, at: Any) -> t.Span:
        return t.Span(self.path, at.line, at.column, at.end_line, at.end_column, at.start_pos, at.end_pos)

    # ---- the whole ---------------------------------------------------------------------------

    def file(self, tree: Tree[Any]) -> t.File:
        """Build a whole file."""
        variants = tuple(self._variant(kid) for kid in tree.children if kid.data == "variant")
        concordances = tuple(self._concordance(kid) for kid in tree.children if kid.data == "concordance")
        return t.File(self.path, variants, concordances)

    def _variant(self, tree: Any) -> t.VariantText:
        name, extends, title = (self.node(kid) for kid in tree.children[:3])
        items = tuple(item for kid in tree.children[3:] for item in self._item(kid))
        return t.VariantText(str(name), tuple(extends or ()), _unquote(title), items, self._span(tree.meta), name.span)

    def _concordance(self, tree: Any) -> t.Concordance:
        name = self.node(tree.children[0])
        items = tuple(item for kid in tree.children[1:] for item in self._item(kid))
        return t.Concordance(str(name), items, self._span(tree.meta), name.span)

    def _item(self, tree: Any) -> list[t.Statement]:
        try:
            return [self.node(tree)]
        except TooDeep:
            self.too_deep.append(tree.meta.start_pos)
            return []

    def replace(self, span: t.Span, kids: Kids) -> t.Statement:
        statement: t.Statement = kids[0]
        return replace(statement, mode="replace", span=span)

    def drop(self, span: t.Span, kids: Kids) -> t.Statement:
        name, cites = kids
        return t.Statement("drop", str(name), span, name.span, cites=cites)

    def also(self, span: t.Span, kids: Kids) -> t.Statement:
        name, cites = kids
        return t.Statement("also", str(name), span, name.span, cites=cites)

    entry = also  # a concordance leaves the word out

    def closed(self, span: t.Span, kids: Kids) -> t.Statement:
        names, cites = kids
        return t.Statement("closed", "closed", span, span, names=tuple(map(str, names or ())), cites=cites)

    def set(self, span: t.Span, kids: Kids) -> t.Statement:
        name, value, cites = kids
        return t.Statement("set", str(name), span, name.span, value=value, cites=cites)

    # ---- statements --------------------------------------------------------------------------

    def head(self, span: t.Span, kids: Kids) -> dict[str, Any]:
        name = kids[0]
        params = tuple(k for k in kids[1:] if isinstance(k, t.Param))
        of_type = next((k for k in kids[1:] if isinstance(k, t.TypeText)), None)
        excepts = next((k for k in kids[1:] if isinstance(k, list)), [])
        return {"name": str(name), "name_span": name.span, "params": params, "type": of_type, "excepts": tuple(excepts)}

    def type(self, span: t.Span, kids: Kids) -> t.TypeText:
        return t.TypeText(tuple(kids), span)

    def cites(self, span: t.Span, kids: Kids) -> tuple[t.Cite, ...]:
        found = []
        for token in kids:
            source, clause = str(token)[1:].split(":", 1)
            clause, _, where = clause.rstrip("]").partition("[")
            found.append(t.Cite(source, clause, token.span, tuple(where.split(" ")) if where else None))
        return tuple(found)

    def names(self, span: t.Span, kids: Kids) -> list[Any]:
        return kids

    args = names

    def choice(self, span: t.Span, kids: Kids) -> t.Choice:
        return t.Choice(kids[0], kids[1] is not None, span)

    def row(self, span: t.Span, kids: Kids) -> tuple[Any, ...]:
        return tuple(kids)

    values = verbs = changes = row

    def any(self, span: t.Span, kids: Kids) -> None:
        return None

    def without(self, span: t.Span, kids: Kids) -> t.DeckPart:
        return t.DeckPart("without", kids[0], kids[1] or (), kids[2], span)

    def with_card(self, span: t.Span, kids: Kids) -> t.DeckPart:
        names = tuple(t.Name(str(k), k.span) for k in kids[:2])
        return t.DeckPart("with", names, (), kids[2], span)

    def cited(self, span: t.Span, kids: Kids) -> t.Statement:
        word, head, cites, prose, places, *clauses = kids
        parts: dict[str, Any] = {
            "cites": cites,
            "prose": _unquote(prose),
            "names": tuple(places or ()),
            "clauses": tuple(clauses),
        }
        return t.Statement(str(word), span=span, **head, **parts)

    def bare(self, span: t.Span, kids: Kids) -> t.Statement:
        word, head, within, interrupts, prose, *clauses = kids
        parts: dict[str, Any] = {"within": within or "", "names": tuple(interrupts or ()), "clauses": tuple(clauses)}
        return t.Statement(str(word), span=span, **head, prose=_unquote(prose), **parts)

    def datum(self, span: t.Span, kids: Kids) -> t.Statement:
        head, value, *clauses = kids
        return t.Statement("datum", span=span, **head, value=value, clauses=tuple(clauses))

    def define(self, span: t.Span, kids: Kids) -> t.Statement:
        head, cites, prose, when, value = kids
        return t.Statement("define", span=span, **head, cites=cites, prose=_unquote(prose), when=when, value=value)

    def option(self, span: t.Span, kids: Kids) -> t.Statement:
        name, *rest = kids
        choices = tuple(k for k in rest if isinstance(k, t.Choice))
        cites, prose = rest[len(choices)], rest[len(choices) + 1]
        return t.Statement("option", str(name), span, name.span, choices=choices, cites=cites, prose=_unquote(prose))

    def order(self, span: t.Span, kids: Kids) -> t.Statement:
        name, *members, cites = kids
        return t.Statement("order", str(name), span, name.span, members=tuple(members), cites=cites)

    def table(self, span: t.Span, kids: Kids) -> t.Statement:
        name, columns, cites, prose, *rows = kids
        parts: dict[str, Any] = {"names": tuple(columns), "cites": cites, "prose": _unquote(prose), "rows": tuple(rows)}
        return t.Statement("table", str(name), span, name.span, **parts)

    def decision(self, span: t.Span, kids: Kids) -> t.Statement:
        name, cites, reading, because, *rather = kids
        parts: dict[str, Any] = {
            "prose": _unquote(reading),
            "because": _unquote(because),
            "rather": tuple(map(_unquote, rather)),
        }
        return t.Statement("decision", str(name), span, name.span, cites=cites, **parts)

    def seats(self, span: t.Span, kids: Kids) -> t.Statement:
        name, teams, cites, prose = kids
        return t.Statement("seats", str(name), span, name.span, count=int(teams), cites=cites, prose=_unquote(prose))

    def deck(self, span: t.Span, kids: Kids) -> t.Statement:
        name, ranks, suits, *parts, cites = kids
        return t.Statement("deck", str(name), span, name.span, names=(ranks, suits), parts=tuple(parts), cites=cites)

    def trump(self, span: t.Span, kids: Kids) -> t.Statement:
        name, above, listing, cites, prose, when = kids
        members, of, by = listing
        cards: dict[str, Any] = {"within": above or "", "members": members, "value": of, "suits": str(by)}
        parts: dict[str, Any] = {"cites": cites, "prose": _unquote(prose), "when": when}
        return t.Statement("trump", str(name), span, name.span, **cards, **parts)

    def listed(self, span: t.Span, kids: Kids) -> tuple[tuple[Any, ...], Any, str]:
        *members, of = kids
        return tuple(members), of, ""

    def by_suit(self, span: t.Span, kids: Kids) -> tuple[tuple[Any, ...], Any, str]:
        return (), kids[0], str(kids[1])

    # ---- clauses -----------------------------------------------------------------------------

    def verdict(self, span: t.Span, kids: Kids) -> t.Clause:
        return t.Clause("verdict", word=str(kids[0]), verbs=kids[1], span=span)

    def strings(self, span: t.Span, kids: Kids) -> tuple[str, ...]:
        return tuple(map(_unquote, kids))

    def stakes(self, span: t.Span, kids: Kids) -> t.Clause:
        base, *rest = kids
        steps = tuple((str(word), expr) for word, expr in zip(rest[::2], rest[1::2], strict=True))
        return t.Clause("stakes", expr=base, steps=steps, span=span)

    def calls(self, span: t.Span, kids: Kids) -> t.Clause:
        return t.Clause("calls", calls=tuple(kids), span=span)

    def call(self, span: t.Span, kids: Kids) -> t.CallWord:
        word, sign, amount, upto = kids
        return t.CallWord(str(word), sign, amount, int(upto) if upto else None, span)

    def answers(self, span: t.Span, kids: Kids) -> t.Clause:
        return t.Clause("replies", word="answers", names=tuple(kids), span=span)

    def chooses(self, span: t.Span, kids: Kids) -> t.Clause:
        return t.Clause("replies", word="choice", names=tuple(kids), span=span)

    def verb(self, span: t.Span, kids: Kids) -> t.Verb:
        return t.Verb(str(kids[0]), tuple(k for k in kids[1:] if k is not None), span)

    # ---- changes -----------------------------------------------------------------------------

    def becomes(self, span: t.Span, kids: Kids) -> str:
        return str(kids[0])

    def assign(self, span: t.Span, kids: Kids) -> t.Assign:
        name, args, sign, value = kids
        return t.Assign(str(name), tuple(args or ()), sign, value, span)

    def move(self, span: t.Span, kids: Kids) -> t.Move:
        what, place, args = kids
        return t.Move(what, str(place), tuple(args or ()), span)

    def ask(self, span: t.Span, kids: Kids) -> t.Way:
        return t.Way("ask", str(kids[0]), span)

    def resume(self, span: t.Span, kids: Kids) -> t.Way:
        return t.Way("resume", "", span)

    def then(self, span: t.Span, kids: Kids) -> t.Way:
        return t.Way("then", str(kids[0]), span)

    # ---- expressions -------------------------------------------------------------------------

    def number(self, span: t.Span, kids: Kids) -> t.Number:
        return t.Number(int(kids[0]), span)

    def set_literal(self, span: t.Span, kids: Kids) -> t.SetOf:
        return t.SetOf(tuple(kids), span)

    def group(self, span: t.Span, kids: Kids) -> t.Expr:
        expr: t.Expr = kids[0]
        return expr

    def and_(self, span: t.Span, kids: Kids) -> t.Logic:
        return t.Logic("and", kids[0], kids[1], span)

    def or_(self, span: t.Span, kids: Kids) -> t.Logic:
        return t.Logic("or", kids[0], kids[1], span)

    def relation(self, span: t.Span, kids: Kids) -> str:
        return " ".join(str(k) for k in kids)

    def compare(self, span: t.Span, kids: Kids) -> t.Compare:
        return t.Compare(kids[1], kids[0], kids[2], span)

    def add(self, span: t.Span, kids: Kids) -> t.Arith:
        return t.Arith(str(kids[1]), kids[0], kids[2], span)

    def times(self, span: t.Span, kids: Kids) -> t.Arith:
        return t.Arith("*", kids[0], kids[1], span)

    def quant(self, span: t.Span, kids: Kids) -> t.Quant:
        word = str(kids[0])
        binders = tuple(k for k in kids[1:] if isinstance(k, t.Binder))
        where, body = kids[-2], kids[-1]
        return t.Quant(word, binders, where, body, span)


_BUILD = {name.rstrip("_"): method for name, method in vars(Build).items() if not name.startswith("_")}
