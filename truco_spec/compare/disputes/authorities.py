"""Rules in words: their citations and texts, the decisions behind them, the options they depend on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from truco_spec.base.project import playable_names, projects
from truco_spec.base.words import called_value, say, spoken
from truco_spec.compare.derivation import missing_parts
from truco_spec.compare.disputes.agreement import Rules
from truco_spec.compare.disputes.playthrough import FORBIDDEN, Playthrough, before_move
from truco_spec.compare.scenario import UNKNOWN_WORD, next_move
from truco_spec.engine.compiled.program import undo
from truco_spec.engine.evaluate import Derivation
from truco_spec.engine.game import Event, Game
from truco_spec.engine.provenance import Cause, Changed, Provenance, Values, backwards, bound, given_to
from truco_spec.engine.support import Action
from truco_spec.engine.text import told, told_in_force, value_text
from truco_spec.graph.load import is_open
from truco_spec.graph.model import ASKED, DECIDED, OBSERVED, Apply, Expr, Graph, Rule, Source
from truco_spec.graph.sources import registry
from truco_spec.graph.types import Type
from truco_spec.graph.walk import exprs_of_define, exprs_of_rule, walk
from truco_spec.language.diagnostics import Cite
from truco_spec.logs.explanation import authority, cites_of_value, pertinent
from truco_spec.logs.line import UMPIRE
from truco_spec.logs.replay import MoveRefused

MOST = 3
"""Maximum reasons shown for one group."""
MOST_CLAUSES, MOST_DECISIONS, MOST_NAMED = 3, 2, 5
"""Maximum clauses and decisions quoted for one reason, and maximum others named."""


@dataclass(frozen=True, slots=True)
class Authority:
    """A citation: ``locator`` finds the sentence in the source, ``text`` is its text, or the decision."""

    cite: str
    locator: str
    text: str


@dataclass(frozen=True, slots=True)
class Switch:
    """An option that a reason depends on: its sentence, its value here, and who set it."""

    option: str
    sentence: str
    value: str
    means: str
    cites: tuple[Authority, ...]


@dataclass(frozen=True, slots=True)
class Grounds:
    """The authorities of a rule and the options it reads; ``more`` are further citations.

    ``names`` are the agreements for which these are the grounds; empty, if for all that have the rule.
    """

    authorities: tuple[Authority, ...]
    switches: tuple[Switch, ...]
    more: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def cites(self) -> tuple[str, ...]:
        """All citations, those with a text first."""
        return (*(authority.cite for authority in self.authorities), *self.more)


@dataclass(frozen=True, slots=True)
class Reason:
    """A rule in words, with its grounds: those common to all agreements that have it, then those of some of them."""

    rule: str
    prose: str
    grounds: tuple[Grounds, ...]


def reason_of(rules: Rules, node: Node) -> Reason:
    """Return the reason behind a move; for an answer looked up in a table, with the table's citations. A negated
    condition is worded as a dependence.
    """
    source, more, denied = node.source, list[str](), False
    if node.kind == QUESTION:
        define = rules.graph.defines[node.name]
        answer = next(one for one in define.answers if one.name == node.answer)
        denied = node.text == "no" and answer.value.op != "const" and not answer.source.construct
        tables = dict.fromkeys(expr.value for expr in walk(answer.value) if expr.op == "table")
        for table in (rules.graph.tables[name].source for name in tables):
            source = replace(source, cites=(*source.cites, *table.cites))
            more.append(told(rules.shown, table.prose))
    found = _told(rules, node.answer, source, node.options)
    prose = " ".join((found.prose, *more))
    return replace(found, prose=_depends(prose) if denied else prose)


def _depends(prose: str) -> str:
    return say("It depends on: {rules}.", rules=prose.removesuffix("."))


def _told(rules: Rules, name: str, source: Source, options: tuple[str, ...], *, holds: bool = True) -> Reason:
    graph = rules.shown
    sentence = told_in_force(graph, source) if holds else told(graph, source.prose)
    cites = sorted(pertinent(graph, tuple(dict.fromkeys(source.cites))), key=lambda cite: _nearness(graph, cite))
    said = [cite for cite in cites if _nearness(graph, cite) < _UNSAID][:MOST_CLAUSES]
    said += [cite for cite in cites if cite.source == DECIDED][:MOST_DECISIONS]
    switches = tuple(_switch(rules, option) for option in options)
    authorities = list(own_authorities(rules, (*options, *_NAMED.findall(source.prose))))
    authorities += [one for one in (authority_of(graph, cite) for cite in said) if one not in authorities]
    decided = [one for switch in switches for one in switch.cites if one.cite.startswith(f"@{DECIDED}:")]
    authorities += [one for one in dict.fromkeys(decided) if one not in authorities][:MOST_DECISIONS]
    more = tuple(str(cite) for cite in cites if cite not in said)
    return Reason(name, sentence, (Grounds(tuple(authorities), switches, more),))


def own_authorities(rules: Rules, options: Iterable[str]) -> Iterator[Authority]:
    """Return the citations by which rules of one's own set these options, whichever are set so."""
    for name in dict.fromkeys(options):
        set_by = rules.option(name).set_by if name in rules.graph.options else ""
        if set_by not in ("", ASKED) and projects()[0].text(set_by) is None:
            cites = pertinent(rules.graph, cites_of_value(rules.graph, name))
            yield from (authority_of(rules.graph, cite) for cite in cites)


def together(sides: Sequence[tuple[str, tuple[Reason, ...]]]) -> tuple[Reason, ...]:
    """Group the reasons of agreements, by name, that have the same sentences: each citation is quoted once, and what
    only some of them have is listed under their names.
    """
    found = [(name, {reason.prose: reason.grounds for reason in reasons}) for name, reasons in sides]
    quoted, named, told = set[Authority](), set[str](), []
    for reason in sides[0][1]:
        grounds = []
        for one in _common([(name, each) for name, of in found for each in of[reason.prose]]):
            known = [authority.cite for authority in one.authorities if authority in quoted]
            authorities = tuple(authority for authority in one.authorities if authority not in quoted)
            quoted |= {*authorities}
            seen = named | {authority.cite for authority in quoted}
            more = (*known, *one.more) if one.names else tuple(cite for cite in one.more if cite not in seen)
            named |= {*more}
            grounds.append(replace(one, authorities=authorities, more=more))
        told.append(replace(reason, grounds=tuple(grounds)))
    return tuple(told)


def _common(sides: Sequence[tuple[str, Grounds]]) -> Iterator[Grounds]:
    """Return the grounds common to all sides, then those of some, of which fewer are quoted the more
    sides there are.
    """
    (_, first), *_ = sides
    cites = set.intersection(*({*grounds.cites} for _, grounds in sides))
    texts = Counter(authority.cite for authority in {one for _, grounds in sides for one in grounds.authorities})
    cites -= {cite for cite, number in texts.items() if number > 1}  # decisions of the same name
    switches = set.intersection(*({*grounds.switches} for _, grounds in sides))
    yield _some(first, cites.__contains__, switches.__contains__)
    own: dict[Grounds, list[str]] = {}
    for name, grounds in sides:
        rest = _some(grounds, lambda cite: cite not in cites, lambda switch: switch not in switches)
        own.setdefault(rest, []).append(name)
    room = max(1, MOST_CLAUSES // len(own))
    for rest, names in own.items():
        if rest.cites or rest.switches:
            yield Grounds(
                rest.authorities[:room], rest.switches, rest.cites[len(rest.authorities[:room]) :], tuple(names)
            )


def _some(grounds: Grounds, cite: Callable[[str], bool], switch: Callable[[Switch], bool]) -> Grounds:
    """Return the grounds selected by citation and by option."""
    authorities = tuple(one for one in grounds.authorities if cite(one.cite))
    return Grounds(authorities, tuple(filter(switch, grounds.switches)), tuple(filter(cite, grounds.more)))


_UNSAID = 2
_NAMED = re.compile(r"\{([\w.-]+)\}")
"""A name in the prose of a rule, which its value takes the place of."""


def _nearness(graph: Graph, cite: Cite) -> int:
    """0 for a clause on this very game, 1 on an ancestor or on all, 2 for one without a text of its own."""
    if cite.source == DECIDED:
        return _UNSAID
    held = registry(cite.source)
    if cite.clause not in held.clauses:
        return _UNSAID + 1
    return 0 if graph.name in held.variants(cite.clause) else 1


def authority_of(graph: Graph, cite: Cite) -> Authority:
    """The text of a citation, and its place."""
    locator = ""
    if cite.source != DECIDED:
        clause = registry(cite.source).clauses.get(cite.clause)
        locator = clause.locator if clause and spoken().english else ""
    return Authority(str(cite), locator, authority(graph, cite))


def _switch(rules: Rules, name: str) -> Switch:
    option, graph = rules.option(name), rules.graph
    value, sentence = called_value(name, option.value), told(rules.shown, option.source.prose).rstrip(".")
    if name in rules.agreement.options:
        return Switch(name, sentence, value, say("as agreed"), ())
    known = spoken().english or option.set_by in playable_names()  # what games share has an English name
    who = say("so set by {variant}", variant=option.set_by) if option.set_by and known else say("its usual value")
    cites = pertinent(graph, cites_of_value(graph, name))
    return Switch(name, sentence, value, who, tuple(authority_of(graph, cite) for cite in cites))


# ---- a verdict -----------------------------------------------------------------------------------


def reasons_of_verdict(playthrough: Playthrough, number: int) -> tuple[Reason, ...]:
    """The rules that permit or refuse a move (from 1), or that require something else first."""
    if number > len(playthrough.moments) or playthrough.moments[number - 1].verdict == UNKNOWN_WORD:
        return ()
    refused, found = playthrough.moments[number - 1].refused, dict[str, Reason]()
    for reason in _permitting(playthrough, number) if refused is None else _refusing(playthrough.rules, refused):
        found.setdefault(reason.prose, reason)
    return tuple(found.values())[:MOST]


def _after(playthrough: Playthrough, number: int, mode: str = "") -> Game | None:
    """The game after a move (from 1) of a log, perhaps in another mode; None if it is not made."""
    replay = before_move(playthrough.transposed, playthrough.rules, number, mode)
    found = None if replay is None else next_move(replay)
    return replay.game if replay is not None and found is not None and found.step is not None else None


def _permitting(playthrough: Playthrough, number: int) -> Iterator[Reason]:
    game = _after(playthrough, number)
    if game is not None:
        event, before = game.history[-1], list(game.position)
        undo(before, event.steps)
        for node in Nodes(game, before).fired(event.rules, event, 0):
            yield reason_of(playthrough.rules, node)


def _refusing(rules: Rules, refused: MoveRefused) -> Iterator[Reason]:
    graph, verdict = rules.graph, refused.verdict
    if refused.due:
        yield from (_told(rules, name, graph.rules[name].source, ()) for name in refused.due)
        return
    here, wanting = Nodes(refused.game, refused.game.position), verdict.wanting
    if wanting is not None:
        rule = graph.rules[wanting.name]
        options = here.deciding(missing_parts(graph, wanting), bound(rule, refused.refusal.action))
        reason = _told(rules, rule.name, rule.source, options, holds=False)
        form = "What could permit it does not apply: {rule}."
        yield replace(reason, prose=say(form, rule=reason.prose.removesuffix(".")))
        for answered in (answered for condition in wanting.missing for answered in condition.answers):
            node = here.node(answered.derivation)
            reason = _told(rules, answered.derivation.answer, node.source, node.options)
            yield replace(reason, prose=_depends(reason.prose)) if answered.value == "no" else reason
    for rule in (graph.rules[name] for name in refused.against):
        yield _told(rules, rule.name, rule.source, options_in(graph, exprs_of_rule(rule)))
    for rule in (graph.rules[consulted.name] for consulted in verdict.deciding):
        yield _told(rules, rule.name, rule.source, here.options_of(rule, refused.refusal.action))


# --------------------------------------------------------------------------------------------------
# Provenance of one move: every rule that fired, every question evaluated, with the winning answer.

RULE, EFFECT, QUESTION = "rule", "effect", "question"


@dataclass(slots=True)
class Node:
    """A rule that fired, a named effect or a question: its result, its source, and its questions in turn.

    ``answer`` is the name of the rule, of the effect's branch, or of the winning answer, empty if options alone keep
    that from being in force; ``text`` is its value in words.
    ``options`` are the open options that it reads itself and by another value of which it would go otherwise here;
    ``step`` counts the steps of the move, for rules.
    """

    kind: str
    name: str
    args: tuple[str, ...]
    answer: str
    text: str
    source: Source
    options: tuple[str, ...]
    asked: list[Node] = field(default_factory=list)
    step: int = -1

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """The question, whatever its answer."""
        return self.kind, self.name, self.args

    @property
    def outcome(self) -> tuple[str, str]:
        """The answer."""
        return self.answer, self.text


def trace(playthrough: Playthrough, number: int, keys: Iterable[str]) -> list[Node]:
    """The provenance of a move of a playthrough (from 1), and of the observations ``keys`` after it."""
    moment = playthrough.moments[number - 1]
    mode = UMPIRE if moment.verdict == FORBIDDEN else ""
    game = _after(playthrough, number, mode)
    if game is None:
        return []
    event = game.history[-1]
    steps = list(backwards(game.position, event.steps))
    fired = [(step.rules, before) for step, before, _ in reversed(steps)]
    nodes = [node for at, (names, before) in enumerate(fired) for node in Nodes(game, before).fired(names, event, at)]
    if not steps:
        nodes += Nodes(game, game.position).fired(event.rules, event, -1)
    afters = [Nodes(game, after) for _, _, after in steps] or [Nodes(game, game.position)]
    for key in keys:
        nodes += next(filter(None, (after.observed(OBSERVED + key) for after in afters)), [])
    return nodes


class Nodes:
    """The provenance of rules and questions at one position of a game, as nodes."""

    def __init__(self, game: Game, position: Sequence[int]) -> None:
        self.graph, self.game = game.graph, game
        self.walk = Provenance(game.layout, position)
        self.nodes: dict[int, Node] = {}

    def fired(self, names: Iterable[str], event: Event, number: int) -> Iterator[Node]:
        """The rules of one step, with the questions of their conditions and changes."""
        for cause in self.walk.fired(names, event):
            rule = self.graph.rules[cause.statement.name]
            options = self.options_of(rule, event.action)
            asked = [*map(self.node, cause.asked), *self.changes(cause.changes)]
            source = self.bearing(rule.source, event.action if rule.verbs else None)
            yield Node(RULE, rule.name, (), rule.name, "", source, options, asked, number)

    def observed(self, name: str) -> list[Node]:
        """Return the answer of a public question; none if nothing is observed."""
        define = self.graph.defines.get(name)
        found = None if define is None or define.params else self.walk.question(name)
        return [] if found is None or found.value == self.graph.words["none"] else [self.node(found)]

    def changes(self, changes: Iterable[Changed]) -> Iterator[Node]:
        for one in changes:
            if isinstance(one.change, Apply):
                yield from (self.way(one.change, one.values, way) for way in one.ways)
            else:
                yield from map(self.node, one.asked)

    def way(self, change: Apply, given: Values, way: Cause) -> Node:
        effect = self.graph.effects[change.effect]
        whens = (turn.when for turn in effect.turns if turn.when is not None)
        options = self.deciding(whens, given_to(effect, given))
        asked = [*map(self.node, way.asked), *self.changes(way.changes)]
        source = self.bearing(way.statement.source)
        return Node(EFFECT, change.effect, (), way.statement.name, "", source, options, asked)

    def node(self, found: Derivation) -> Node:
        """A question with its answer, and its questions in turn; one node per derivation."""
        if id(found) in self.nodes:
            return self.nodes[id(found)]
        define = self.graph.defines[found.question]
        answer = next(a for a in define.answers if a.name == found.answer)
        args = tuple(self.text(p.type, v) for p, v in zip(define.params, found.args, strict=True))
        asked = list(map(self.node, {id(inner): inner for inner in found.asked}.values()))
        options = self.otherwise(exprs_of_define(define), partial(_answer, found))
        text = self.text(define.type, found.value)
        name = found.answer if self.walk.in_force(found) else ""
        node = Node(QUESTION, found.question, args, name, text, self.bearing(answer.source), options, asked)
        self.nodes[id(found)] = node
        return node

    def options_of(self, rule: Rule, action: Action) -> tuple[str, ...]:
        """The open options by another value of which a rule would not apply here, or would, to an action."""
        return self.deciding((expr for expr in (rule.by, rule.when) if expr is not None), bound(rule, action))

    def deciding(self, exprs: Iterable[Expr], env: Mapping[str, int]) -> tuple[str, ...]:
        """The open options by another value of which some of these conditions would hold otherwise."""
        whole = tuple(exprs)
        return self.otherwise(whole, lambda walk: walk.values(whole, env)[0])

    def otherwise(self, exprs: Iterable[Expr], answer: Callable[[Provenance], object]) -> tuple[str, ...]:
        """The open options that the expressions name, by another value of which the answer would be another here."""
        now, named = answer(self.walk), options_in(self.graph, exprs)
        return tuple(name for name in named if any(answer(there) != now for there in self._under(name)))

    def _under(self, option: str) -> Iterator[Provenance]:
        """The position by each other value of an option."""
        at, kind = self.game.layout.blocks[option].base, self.graph.data[option].type
        for value in self.graph.options[option].values:
            position = list(self.walk.v)
            if (number := self.graph.value_of(kind, value)) not in (None, position[at]):
                position[at] = number
                yield Provenance(self.game.layout, position)

    def bearing(self, source: Source, said: Action | None = None) -> Source:
        """Return the source with only the citations that bear on the current position, and on what was said."""
        return replace(source, cites=self.walk.bearing(source.cites, said))

    def text(self, kind: Type, value: int) -> str:
        return value_text(self.graph, kind, value, self.game.players)


def _answer(found: Derivation, walk: Provenance) -> tuple[str, int] | None:
    """What the same question is answered in another position, and by which answer."""
    there = walk.question(found.question, found.args)
    return None if there is None else (there.answer, there.value)


def options_in(graph: Graph, exprs: Iterable[Expr]) -> tuple[str, ...]:
    """The open options that the expressions name themselves, in order."""
    named = [n.value for expr in exprs for n in walk(expr) if n.op == "datum" and is_open(graph, n.value)]
    return tuple(dict.fromkeys(named))
