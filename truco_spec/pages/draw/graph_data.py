"""The whole graph as plain data for JSON, in the order of the text, with conditions as text of the rules language.

``conformance/schema/graph.schema.json`` describes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from truco_spec.base import shipped
from truco_spec.graph.model import Answer, Effect, Expr, Graph, Param, Rule, Source, Table, Turn, Verb
from truco_spec.graph.operations import show, show_change
from truco_spec.graph.types import Type

FORMAT = 1
"""The version of this format, raised by incompatible changes."""

Data = dict[str, Any]


def data_of(graph: Graph) -> Data:
    """The graph as dictionaries, lists, texts, numbers, yes and no."""
    return {
        "graph": FORMAT,
        "variant": graph.name,
        "title": graph.title,
        "lineage": list(graph.lineage),
        "titles": dict(graph.titles),
        "seats": graph.seats,
        "teams": graph.teams,
        "options": [
            {
                "name": o.name,
                "values": list(o.values),
                "default": o.default,
                "value": o.value,
                "set by": o.set_by,
                **about(o.source),
            }
            for o in graph.options.values()
        ],
        "orders": {name: list(members) for name, members in graph.orders.items()},
        "words": list(graph.words),
        "cards": {"ranks": graph.ranks, "suits": graph.suits, "place": graph.pack, "all": _cards(graph)},
        "data": [
            {
                "name": d.name,
                "params": _params(d.params),
                "type": type_of(d.type),
                "first": _maybe(graph, d.first),
                "fresh": d.fresh,
                **about(d.source),
            }
            for d in graph.data.values()
        ],
        "phases": [
            {"name": p.name, "within": p.within, "interrupts": list(p.interrupts), **about(p.source)}
            for p in graph.phases.values()
        ],
        "actions": [
            {
                "name": a.name,
                "params": _params(a.params),
                "possible": _maybe(graph, a.possible),
                "seen": _maybe(graph, a.seen),
                "written": list(a.written),
                "tacit": a.tacit,
                **about(a.source),
            }
            for a in graph.actions.values()
        ],
        "defines": [
            {
                "name": d.name,
                "params": _params(d.params),
                "type": type_of(d.type),
                "answers": [{**_way(graph, a), "value": show(graph, a.value), **about(a.source)} for a in d.answers],
            }
            for d in graph.defines.values()
        ],
        "tables": [_table(graph, table) for table in graph.tables.values()],
        "effects": [_effect(graph, effect) for effect in graph.effects.values()],
        "rules": [_rule(graph, rule) for rule in graph.rules.values()],
        "decisions": [
            {
                "name": d.name,
                "resolves": [f"{cite.source}:{cite.clause}" for cite in d.resolves],
                "reading": d.reading,
                "because": d.because,
                "rather": list(d.rather),
                **about(d.source),
            }
            for d in graph.decisions.values()
        ],
        "refusals": [{"name": name, **about(source)} for name, source in graph.refusals.items()],
        "citations": _citations(graph),
        "vanished": [{"name": name, **about(source)} for name, source in graph.vanished],
    }


def type_of(kind: Type) -> Data:
    """A type: its notation and its parts."""
    parts: Data = {"text": str(kind), "base": kind.base, "set": kind.many, "words": sorted(kind.words)}
    if kind.base:
        parts |= {"low": kind.low, "high": kind.high}
    if kind.name:
        parts["order"] = kind.name
    if kind.place:
        parts["place"] = kind.place
    return parts


def place_of(path: str) -> str:
    """The file of a statement; for shipped ones the path in the project, so that the data are reproducible."""
    root = shipped.folder("spec")
    try:
        return (Path("spec") / Path(path).relative_to(root)).as_posix()
    except ValueError:
        return path


def about(source: Source) -> Data:
    """What all statements have: sentence, citations, lineage, construct and place."""
    return {
        "prose": source.prose,
        "cites": [f"{cite.source}:{cite.clause}" for cite in source.cites],
        "lineage": list(source.lineage),
        "construct": source.construct,
        "file": place_of(source.span.file),
        "line": source.span.line,
    }


def _params(params: Iterable[Param]) -> list[Data]:
    return [{"name": param.name, "type": type_of(param.type)} for param in params]


def _maybe(graph: Graph, expr: Expr | None) -> str | None:
    return None if expr is None else show(graph, expr)


def _cards(graph: Graph) -> list[Data]:
    ranks, suits = graph.orders.get(graph.ranks, ()), graph.orders.get(graph.suits, ())
    return [
        {"name": card.name, "rank": ranks[card.rank], "suit": suits[card.suit], "present": card.present}
        for card in graph.cards
    ]


def _way(graph: Graph, way: Answer | Turn) -> Data:
    return {"name": way.name, "when": _maybe(graph, way.when), "beats": sorted(way.beats)}


def _table(graph: Graph, table: Table) -> Data:
    return {
        "name": table.name,
        "params": _params(table.params),
        "type": type_of(table.type),
        "rows": [list(row) for row in table.rows],
        **about(table.source),
    }


def _effect(graph: Graph, effect: Effect) -> Data:
    turns = [
        {**_way(graph, turn), "do": [show_change(graph, change) for change in turn.changes], **about(turn.source)}
        for turn in effect.turns
    ]
    return {"name": effect.name, "params": _params(effect.params), "turns": turns}


def _rule(graph: Graph, rule: Rule) -> Data:
    return {
        "name": rule.name,
        "shape": rule.shape,
        "phases": list(rule.phases),
        "by": rule.outsider or _maybe(graph, rule.by),
        "verbs": [verb_text(graph, verb) for verb in rule.verbs],
        "when": _maybe(graph, rule.when),
        "lest": [show_change(graph, change) for change in rule.lest],
        "do": [show_change(graph, change) for change in rule.do],
        "beats": sorted(rule.beats),
        **about(rule.source),
    }


def verb_text(graph: Graph, verb: Verb) -> str:
    """A verb as a rule names it: ``card(c)``; bare if the rule names none of its arguments."""
    if all(isinstance(arg, str) and arg.startswith("_") for arg in verb.args):
        return verb.action
    params = graph.actions[verb.action].params
    args = [a if isinstance(a, str) else graph.text_of(p.type, a) for a, p in zip(verb.args, params, strict=True)]
    return f"{verb.action}({', '.join(args)})"


def _citations(graph: Graph) -> Mapping[str, list[str]]:
    """Every clause with the statements that cite it."""
    found: dict[str, dict[str, None]] = {}
    for kind, name, source in graph.cites:
        text = name if name.split(" ")[0] == kind else f"{kind} {name}"
        for cite in source.cites:
            found.setdefault(f"{cite.source}:{cite.clause}", {})[text] = None
    return {clause: list(names) for clause, names in sorted(found.items())}
