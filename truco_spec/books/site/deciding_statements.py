"""Further questions for the module of a game: which statement gave an answer, and what no rule ever permits.

A rule says that a trick goes to whoever took it; that equal cards tie it is an answer of the question ``taker``. The
page that settles arguments asks for it: such a question has the conditions of the original, and the number of a
statement for a value. :mod:`truco_spec.engine.provenance` tells the same, more exactly, of the engine in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from truco_spec.graph.fold import NO, conjuncts, made
from truco_spec.graph.model import OBSERVED, Answer, Apply, Change, Define, Expr, Graph, Source
from truco_spec.graph.operations import operation
from truco_spec.graph.types import FLAG, Type
from truco_spec.graph.walk import change_parts, datum_of, of_options, parts, permitting
from truco_spec.graph.walk import walk as parts_of

WHY = "why."
"""Prefix of a question for a statement."""
COULD = "could."
"""Prefix of a question whether any rule permits an action at all, as the options are."""
_NUMBER = Type("number", 0, 9999)


class DecidingStatements:
    """What decides in a graph.

    ``graph`` has the further questions. ``asked`` are those of each observation (``table.score``), and those of each
    rule about each observation that it can change (``go-to-mazo score``), to be asked before it changes anything; they
    answer with the number of one of the ``statements``, from 1, or with 0. Not among them: ``could.expose``, whether
    the options let any rule permit an action; asked of those for which it depends on them, or is no.
    """

    def __init__(self, graph: Graph) -> None:
        self._given, self._made = graph, dict[str, Define]()
        self.statements: dict[str, Source] = {}
        told = {name: [a.value for a in d.answers] for name, d in graph.defines.items() if name.startswith(OBSERVED)}
        asked = {name: list(self._questions(name, exprs)) for name, exprs in told.items()}
        read = {name.removeprefix(OBSERVED): _read(graph, exprs) for name, exprs in told.items()}
        for rule in graph.rules.values():
            flows = [(flow, *each) for flow, each in enumerate(e for do in rule.do for e in _flows(graph, do))]
            found = [(list(self._questions(f"{rule.name}.{n}", [expr])), data) for n, expr, data in flows]
            for seen, data_read in read.items():
                asked[f"{rule.name} {seen}"] = [each for some, data in found if data & data_read for each in some]
        self.asked = {name: questions for name, questions in asked.items() if questions}
        could = {f"{COULD}{name}": list(_agreed(graph, name)) for name in graph.actions}
        self._made |= {name: _flag(name, rules) for name, rules in could.items() if all(rules)}
        self.graph = replace(graph, defines={**graph.defines, **self._made})

    def _questions(self, name: str, exprs: Iterable[Expr]) -> Iterator[str]:
        """A question without arguments for each one that these expressions ask, if they ask it of no variable."""
        nodes = (node for expr in exprs for node in _evaluated(expr) if node.op in ("ask", "table"))
        for number, node in enumerate(dict.fromkeys(nodes)):
            if not any(part.op == "var" for kid in node.kids for part in parts_of(kid)):
                question = f"{WHY}{name}.{number}"
                answer = Answer(question, None, self._why(node), frozenset(), Source(node.span, "", (), ()))
                self._made[question] = Define(question, (), _NUMBER, (answer,))
                yield question

    def _why(self, node: Expr) -> Expr:
        """The statement by which a question or a table answers."""
        if node.op == "table":
            return self._stated(node.value, self._given.tables[node.value].source)
        name = f"{WHY}{node.value}"
        if name not in self._made:
            define = self._given.defines[node.value]
            answers = [replace(answer, value=self._behind(answer)) for answer in define.answers]
            self._made[name] = replace(define, name=name, type=_NUMBER, answers=tuple(answers))
        return replace(node, type=_NUMBER, value=name)

    def _behind(self, answer: Answer) -> Expr:
        """The answer; of one that only passes a question on, or looks it up in a table, what is behind it."""
        value = answer.value
        passed = value.op == "table" or (value.op == "ask" and all(kid.op == "var" for kid in value.kids))
        return self._why(value) if passed else self._stated(answer.name, answer.source)

    def _stated(self, name: str, source: Source) -> Expr:
        if source.prose:
            self.statements.setdefault(name, source)
        return Expr("const", _NUMBER, (), list(self.statements).index(name) + 1 if source.prose else 0)


def _agreed(graph: Graph, action: str) -> Iterator[list[Expr]]:
    """Of each rule that permits an action, the conditions that read options alone."""
    for rule in permitting(graph, action):
        yield [part for part in conjuncts(rule.when) if of_options(graph, part)]


def _flag(name: str, rules: list[list[Expr]]) -> Define:
    """A question that is answered yes where one of these lists holds, so no if there is none."""
    value = made("or", *(made("and", *conditions) for conditions in rules)) if rules else NO
    return Define(name, (), FLAG, (Answer(name, None, value, frozenset(), Source(value.span, "", (), ())),))


def _flows(graph: Graph, change: Change) -> Iterator[tuple[Expr, frozenset[str]]]:
    """The expressions of a change, each with the data that its value is written to, also by a named effect."""
    if not isinstance(change, Apply):
        yield from ((expr, frozenset((datum_of(change),))) for expr in change_parts(change))
        return
    effect = graph.effects[change.effect]
    within = [each for turn in effect.turns for inner in turn.changes for each in _flows(graph, inner)]
    for param, expr in zip(effect.params, change_parts(change), strict=True):
        named = (
            data for inner, data in within if any(p.op == "var" and p.value == param.name for p in parts_of(inner))
        )
        yield expr, frozenset().union(*named)


def _read(graph: Graph, exprs: Iterable[Expr]) -> frozenset[str]:
    """The data that expressions read, and the answers to their questions; conditions aside."""
    data, left, known = set[str](), list(exprs), set[str]()
    while left:
        for part in parts_of(left.pop()):
            if part.op == "datum":
                data.add(part.value)
            elif part.op == "ask" and part.value not in known:
                known.add(part.value)
                left += (answer.value for answer in graph.defines[part.value].answers)
    return frozenset(data)


def _evaluated(expr: Expr) -> Iterator[Expr]:
    """The parts of an expression that are evaluated whatever comes of others: none below a choice."""
    if not operation(expr).lazy:
        yield expr
        for part in parts(expr):
            yield from _evaluated(part)
