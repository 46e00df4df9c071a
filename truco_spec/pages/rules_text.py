"""A variant as one text in the rules language: the core of its graph, or its original statements.

The core has constructs desugared and options folded. It is for reading, and it parses; it is not meant to be linked
again: citations, sentences and lineage are those of the original statements.

The original statements stand with their files, in a text that extends nothing and links to the same: replacements,
drops, settings and added citations are applied, and constructs are kept as written.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truco_spec.base import shipped
from truco_spec.base.harmless import printable
from truco_spec.base.words import say, spoken
from truco_spec.graph import fold
from truco_spec.graph.model import (
    SEEN,
    Answer,
    Define,
    Effect,
    Expr,
    Graph,
    Option,
    Param,
    Rule,
    Source,
    Table,
    Turn,
    Verb,
)
from truco_spec.graph.operations import show, show_change
from truco_spec.graph.types import Type

if TYPE_CHECKING:
    from truco_spec.graph.link import Chain
    from truco_spec.language import tree as t


WIDTH = 118


def core_text(graph: Graph) -> str:
    """The whole graph, ending in a line break."""
    settings = ", ".join(f"{option.name} {option.value}" for option in graph.options.values())
    refused = ", ".join(f"{option.name} {value}" for option in graph.options.values() for value in option.ruled_out)
    lines = [
        f"# {graph.title}, lowered to the core of the rules language. A star marks what an option is set to here.",
        *_comment(f"Lineage: {' <- '.join(graph.lineage)}."),
        *_comment(f"Options: {settings}." if settings else "No options."),
        *(_comment(f"Refused: {refused}.") if refused else ()),
        f"# {graph.seats} seats in {graph.teams} teams; {sum(card.present for card in graph.cards)} cards in the pack.",
        "",
        f"variant {graph.name} {{",
        f'  title "{graph.title}"',
    ]
    for heading, statements in _parts(graph):
        found = list(statements)
        if found:
            lines += ["", f"  # {'-' * 4} {heading} {'-' * (100 - len(heading))}", ""]
            for statement in found:
                lines += _broken(statement)
    return "\n".join([*lines, "}"]) + "\n"


def _parts(graph: Graph) -> Iterator[tuple[str, Iterator[list[str]]]]:
    sources = {name.split(" ")[-1]: source for kind, name, source in graph.cites if kind in ("order", "seats", "deck")}
    yield "options", (_option(option) for option in graph.options.values())
    yield "orders", (_order(name, members, sources.get(name)) for name, members in graph.orders.items())
    yield "data", (_datum(graph, name) for name in graph.data)
    yield "phases", (_phase(graph, name) for name in graph.phases)
    yield "actions", (_action(graph, name) for name in graph.actions)
    yield "tables", (_table(table) for table in graph.tables.values())
    yield "questions", (answer for define in graph.defines.values() for answer in _define(graph, define))
    yield "effects", (turn for effect in graph.effects.values() for turn in _effect(graph, effect))
    yield "rules", (_rule(graph, rule) for rule in graph.rules.values())
    yield "decisions", (_decision(graph, name) for name in graph.decisions)


# ---- statements by kind; each is a list of unbreakable pieces -----------------------------------


def _option(option: Option) -> list[str]:
    named = (*option.values, *option.ruled_out)  # an option has at least two values, which the text names
    values = " | ".join(value + ("*" if value == option.value else "") for value in named)
    return [f"option {option.name} : {values}", *_told(option.source)]


def _order(name: str, members: tuple[str, ...], source: Source | None) -> list[str]:
    cites = _cites(source) if source is not None else []
    pieces = [f"order {name} : {' < '.join(members)}", *cites]
    return pieces if cites else [f"# {pieces[0]}"]


def _datum(graph: Graph, name: str) -> list[str]:
    datum = graph.data[name]
    empty = datum.type.many and fold.is_no(datum.first)
    first = f" = {show(graph, datum.first)}" if datum.first is not None and not empty else ""
    pieces = [f"datum {name}{_params(datum.params)} : {datum.type}{first}"]
    if datum.fresh:
        pieces.append(f"fresh each {datum.fresh}")
    seen = graph.defines.get(f"{name}{SEEN}")
    return [*pieces, f"seen by {show(graph, seen.answers[0].value)}"] if seen is not None else pieces


def _phase(graph: Graph, name: str) -> list[str]:
    phase = graph.phases[name]
    pieces = [f"phase {name}" + (f" within {phase.within}" if phase.within else "")]
    if phase.interrupts:
        pieces.append(f"interrupts {', '.join(phase.interrupts)}")
    return [*pieces, *_sentence(phase.source)]


def _action(graph: Graph, name: str) -> list[str]:
    action = graph.actions[name]
    pieces = [f"action {name}{_params(action.params)}", *_sentence(action.source)]
    if action.possible is not None:
        pieces.append(f"possible when {show(graph, action.possible)}")
    if action.seen is not None:
        pieces.append(f"seen by {show(graph, action.seen)}")
    pieces.append("written " + ", ".join(f'"{text}"' for text in action.written))
    return [*pieces, "tacit"] if action.tacit else pieces


def _table(table: Table) -> list[str]:
    head = f"table {table.name}({', '.join(param.name for param in table.params)})"
    return [head, *_told(table.source), *("| " + " | ".join(row) + " |" for row in table.rows)]


def _define(graph: Graph, define: Define) -> Iterator[list[str]]:
    for answer in define.answers:
        head = answer.name
        if answer.name == define.name:
            if head.endswith(SEEN) and head.removesuffix(SEEN) in graph.data:
                continue  # it is printed with its datum
            head += _params(define.params) + (f" : {define.type}" if define.type.low >= 0 else "")
        yield [
            f"define {head}{_except(answer)}",
            *_told(answer.source),
            *_when(graph, answer),
            f"= {show(graph, answer.value)}",
        ]


def _effect(graph: Graph, effect: Effect) -> Iterator[list[str]]:
    for turn in effect.turns:
        head = turn.name + (_params(effect.params) if turn.name == effect.name else "")
        pieces = [f"effect {head}{_except(turn)}", *_told(turn.source), *_when(graph, turn)]
        yield [*pieces, "do " + ", ".join(show_change(graph, change) for change in turn.changes)]


def _rule(graph: Graph, rule: Rule) -> list[str]:
    pieces = [f"rule {rule.name}{_except(rule)}", *_told(rule.source)]
    if rule.phases:
        pieces.append(f"in {', '.join(rule.phases)}")
    if rule.outsider or rule.by is not None:
        pieces.append("by chance" if rule.by is None else f"by {show(graph, rule.by)}")
    if rule.shape == "once":
        pieces.append("at once")
    if rule.verbs:
        pieces.append(f"{rule.shape} " + " or ".join(verb_text(graph, verb) for verb in rule.verbs))
    if rule.when is not None:
        pieces.append(f"when {show(graph, rule.when)}")
    for word, changes in (("lest", rule.lest), ("do", rule.do)):
        if changes:
            pieces.append(f"{word} " + ", ".join(show_change(graph, change) for change in changes))
    return pieces


def _decision(graph: Graph, name: str) -> list[str]:
    decision = graph.decisions[name]
    resolves = " ".join(f"@{cite.source}:{cite.clause}" for cite in decision.resolves)
    others = [f'rather than "{text}"' for text in decision.rather]
    return [f"decision {name} resolves {resolves}", f'"{decision.reading}"', f'because "{decision.because}"', *others]


# ---- pieces ------------------------------------------------------------------------------------


def _params(params: tuple[Param, ...]) -> str:
    return f"({', '.join(f'{param.name} : {param.type}' for param in params)})" if params else ""


def _cites(source: Source) -> list[str]:
    return [cite.written for cite in source.cites]


def _sentence(source: Source) -> list[str]:
    return [f'"{source.prose}"'] if source.prose else []


def _told(source: Source) -> list[str]:
    return [*_cites(source), *_sentence(source)]


def _except(thing: Answer | Turn | Rule) -> str:
    return f" except {', '.join(sorted(thing.beats))}" if thing.beats else ""


def _when(graph: Graph, way: Answer | Turn) -> list[str]:
    return [f"when {show(graph, way.when)}"] if way.when is not None else []


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False)


def _broken(pieces: Iterable[str]) -> list[str]:
    """Break a statement into lines: citations side by side, everything else on lines of its own, long ones wrapped."""
    lines: list[str] = []
    for piece in pieces:
        indent = "    " if lines else "  "
        with_citation = piece.startswith("@") and lines and len(lines[-1]) + len(piece) < WIDTH
        if with_citation and not lines[-1].lstrip().startswith('"'):
            lines[-1] += f" {piece}"
        elif '"' in piece:  # a sentence stays on one line
            lines.append(indent + piece)
        else:
            wrapped = textwrap.wrap(piece, WIDTH - len(indent) - 2, break_on_hyphens=False, break_long_words=False)
            lines += [indent + ("  " if at else "") + line for at, line in enumerate(wrapped)]
    return lines


# ---- The original statements -------------------------------------------------------------------


def linked_text(chain: Chain, options: Mapping[str, str]) -> str:
    """Return the whole variant, in the layout of ``format``, its sentences in the language that is spoken. Under
    ``options`` the default stars mark these values, and statements that they rule out are marked. Raises SpecError for
    options that cannot be played.
    """
    from truco_spec.language.format import format_text

    out = _ruled_out(chain, options) if options else frozenset()
    last, write = chain.blocks[-1], _Writer(options).statement
    names = " <- ".join(block.name for block in reversed(chain.blocks))
    set_to = ", ".join(f"{name}={value}" for name, value in options.items())
    lines = [
        f"# {say('{names}: all statements in one text.', names=names)}",
        *([f"# {say('Options: {options}.', options=set_to)}"] if options else []),
        f'\nvariant {last.name} {{ title "{spoken().rules(last.title)}"',
    ]
    for name, statement in _in_order(chain, options):
        mark = [say("ruled out by these options")] if name in out else []
        lines.append(f"\n# {'; '.join([', '.join(_places(statement)), *mark])}\n{write(statement)}")
    return format_text("\n".join([*lines, "}"]))


def _in_order(chain: Chain, options: Mapping[str, str]) -> Iterator[tuple[str, t.Statement]]:
    """The statements in the order of the files; each followed by its settings, and by the citations of its parts."""
    parts: dict[str, list[str]] = {}
    for part in chain.parts:
        parts.setdefault(part.rpartition(".")[0], []).append(part)
    for name, item in chain.items.items():
        yield name, item.statement
        if name in chain.sets and name not in options:
            yield "", chain.sets[name][0]
        for part in parts.get(name, ()):
            yield part, chain.parts[part][0]


def _ruled_out(chain: Chain, options: Mapping[str, str]) -> frozenset[str]:
    """Return the statements whose own conditions never hold under these options: of a construct, all its rules; of a
    trump, all cards.
    """
    from truco_spec.graph.linking.build import build, lower

    graph = build(chain, options)
    vanished = {name for name, _ in graph.vanished}
    constructs = {name for name, rules in lower(chain).constructs.items() if vanished.issuperset(rules)}
    trumps = (name for name, item in chain.items.items() if item.statement.kind == "trump")
    no_card = {name for name in trumps if all(fold.is_no(answer.value) for answer in graph.defines[name].answers)}
    return frozenset(vanished | constructs | no_card)


class _Writer:
    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options
        self.files: dict[str, str] = {}

    def statement(self, statement: t.Statement) -> str:
        """A statement as in its file, with the citations that ``also`` adds after its own; a datum, which has none, is
        followed by an ``also``.
        """
        start, text = statement.span.start, self.source(statement.span)
        for span, written in sorted(self.changes(statement), key=lambda change: -change[0].start):
            text = text[: span.start - start] + written + text[span.end - start :]
        loose = bool(statement.cites) and not any(_stands_in(cite, statement) for cite in statement.cites)
        for sentence in (statement.prose, statement.because, *statement.rather):
            text = text.replace(f'"{sentence}"', f'"{spoken().rules(sentence)}"', 1) if sentence else text
        text = "also " * (statement.span.start == statement.name_span.start) + text  # an entry of a concordance
        return text.removeprefix("replace") + f"\nalso {statement.name} {_all(statement.cites)}" * loose

    def changes(self, statement: t.Statement) -> Iterator[tuple[t.Span, str]]:
        """The replacements in the text of the file."""
        chosen = self.options.get(statement.name) if statement.kind == "option" else None
        for choice in statement.choices if chosen else ():
            value = self.source(choice.value.span)
            yield choice.span, value + "*" * (value == chosen)
        cites, own = statement.cites, [n for n, cite in enumerate(statement.cites) if _stands_in(cite, statement)]
        if own and own[0]:
            yield cites[own[0]].span, _all(cites[: own[0] + 1])
        elif own and own[-1] < len(cites) - 1:
            yield cites[own[-1]].span, _all(cites[own[-1] :])

    def source(self, span: t.Span) -> str:
        """The source text at a place."""
        from truco_spec.language.read import decode

        if span.file not in self.files:
            self.files[span.file] = decode(Path(span.file).read_bytes(), span.file)
        return self.files[span.file][span.start : span.end]


def _all(cites: Iterable[t.Cite]) -> str:
    return " ".join(map(str, cites))


def _stands_in(cite: t.Cite, statement: t.Statement) -> bool:
    """Whether a citation is the statement's own, rather than added by ``also``."""
    place, here = cite.span, statement.span
    return place.file == here.file and here.start <= place.start < here.end


def _places(statement: t.Statement) -> Iterable[str]:
    """The place of a statement, and of the citations added to it."""
    more = (cite.span for cite in statement.cites if not _stands_in(cite, statement))
    return dict.fromkeys(f"{printable(place_of(span.file))}:{span.line}" for span in (statement.span, *more))


# ---- The whole graph as plain data for JSON, with conditions as text of the rules language ----------
#
# ``conformance/schema/graph.schema.json`` describes it.

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
        "cards": {"ranks": graph.ranks, "suits": graph.suits, "place": graph.pack, "all": _cards_data(graph)},
        "data": [
            {
                "name": d.name,
                "params": _params_data(d.params),
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
                "params": _params_data(a.params),
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
                "params": _params_data(d.params),
                "type": type_of(d.type),
                "answers": [
                    {**_way_data(graph, a), "value": show(graph, a.value), **about(a.source)} for a in d.answers
                ],
            }
            for d in graph.defines.values()
        ],
        "tables": [_table_data(graph, table) for table in graph.tables.values()],
        "effects": [_effect_data(graph, effect) for effect in graph.effects.values()],
        "rules": [_rule_data(graph, rule) for rule in graph.rules.values()],
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
    """Return the common parts of all statements: sentence, citations, lineage, construct and place."""
    return {
        "prose": source.prose,
        "cites": [f"{cite.source}:{cite.clause}" for cite in source.cites],
        "lineage": list(source.lineage),
        "construct": source.construct,
        "file": place_of(source.span.file),
        "line": source.span.line,
    }


def _params_data(params: Iterable[Param]) -> list[Data]:
    return [{"name": param.name, "type": type_of(param.type)} for param in params]


def _maybe(graph: Graph, expr: Expr | None) -> str | None:
    return None if expr is None else show(graph, expr)


def _cards_data(graph: Graph) -> list[Data]:
    ranks, suits = graph.orders.get(graph.ranks, ()), graph.orders.get(graph.suits, ())
    return [
        {"name": card.name, "rank": ranks[card.rank], "suit": suits[card.suit], "present": card.present}
        for card in graph.cards
    ]


def _way_data(graph: Graph, way: Answer | Turn) -> Data:
    return {"name": way.name, "when": _maybe(graph, way.when), "beats": sorted(way.beats)}


def _table_data(graph: Graph, table: Table) -> Data:
    return {
        "name": table.name,
        "params": _params_data(table.params),
        "type": type_of(table.type),
        "rows": [list(row) for row in table.rows],
        **about(table.source),
    }


def _effect_data(graph: Graph, effect: Effect) -> Data:
    turns = [
        {**_way_data(graph, turn), "do": [show_change(graph, change) for change in turn.changes], **about(turn.source)}
        for turn in effect.turns
    ]
    return {"name": effect.name, "params": _params_data(effect.params), "turns": turns}


def _rule_data(graph: Graph, rule: Rule) -> Data:
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
