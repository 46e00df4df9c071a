"""Explains why an action is permitted or not: every rule about it, the conditions of each, which exception won, and the
nearest change that would make it legal.

Explanations are computed on demand by walking the graph over the position, never during play.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from truco_spec.base.document import Block, Heading, Item, Items, Paragraph, Text, items, text_of
from truco_spec.base.words import say, spoken
from truco_spec.engine.evaluate import Derivation, Evaluator
from truco_spec.engine.layout import NONE
from truco_spec.engine.support import PlayError
from truco_spec.engine.text import actor_name, texts_of, told_in_force, value_text
from truco_spec.graph import fold
from truco_spec.graph.model import SEEN, Expr, Rule, Verb
from truco_spec.graph.operations import show
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, walk
from truco_spec.language.diagnostics import Cite, Span

if TYPE_CHECKING:
    from truco_spec.engine.game import Action, Game

_WEIGHT = {"may": 0, "must": 1, "must not": 1}
"""Permitting rules come before forbidding ones, and both before consequences; each group by the number of missing
conditions.
"""


_MOST_ALIKE = 6
"""Answers to one question, asked of one thing after another, that an explanation lists."""

Quoted = Callable[[tuple[Cite, ...]], Iterable[Text]]
"""How the citations of a rule are written."""


def _named(cites: tuple[Cite, ...]) -> Iterable[Text]:
    return (" ".join(map(str, cites)),)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a rule: as written, whether it holds here, and the data that it read, as ``name = value``.

    ``kind`` is in (the phase), by (the actor), argument (of the action), when, or never (it fails in any position);
    ``contrary`` is its negation; ``data`` names the data without index that it read.
    """

    kind: str
    text: str
    holds: bool
    reads: tuple[str, ...]
    answers: tuple[Answered, ...]
    contrary: str = ""
    data: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that was asked: its answer, what gave it (base or exception), what that beat, and its citations.

    All in words; ``derivation`` is the same with the names of the graph.
    """

    question: str
    value: str
    answer: str
    beaten: tuple[str, ...]
    prose: str
    cites: tuple[Cite, ...]
    asked: tuple[Answered, ...]
    derivation: Derivation = field(compare=False, repr=False)

    def whole(self) -> Iterator[Answered]:
        """The question itself, and all that were asked for its answer."""
        yield self
        for inner in self.asked:
            yield from inner.whole()


@dataclass(frozen=True, slots=True)
class Consulted:
    """A rule that was consulted: its sentence, whether it applies, and which rule beat it, if any."""

    name: str
    shape: str
    prose: str
    cites: tuple[Cite, ...]
    span: Span
    conditions: tuple[Condition, ...]
    applies: bool
    beaten_by: str

    @property
    def missing(self) -> tuple[Condition, ...]:
        """The conditions that do not hold."""
        return tuple(c for c in self.conditions if not c.holds)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``status`` is permitted, forbidden, not-offered or impossible; ``rules`` are all that were consulted.

    Those that apply come first, then those with the fewest missing conditions. ``legal_if`` is the nearest change that
    would have made it legal; empty if it is legal, or if it is forbidden where no rule ever permits it.

    ``besides`` is the rule that comes nearest to permitting a forbidden action, if it lacks more than those that forbid
    it speak of: then it is the first reason, and what it lacks is all that is missing in it.
    """

    action: str
    status: str
    rules: tuple[Consulted, ...]
    legal_if: str
    besides: Consulted | None = None

    @property
    def legal(self) -> bool:
        """Whether it is permitted."""
        return self.status == "permitted"

    @property
    def offers(self) -> list[Consulted]:
        """The rules that could permit it: those about this very action first, then those with the fewest missing
        conditions; of these the rules of the present phase.
        """
        return sorted((rule for rule in self.rules if rule.shape == "may"), key=_distance)

    @property
    def wanting(self) -> Consulted | None:
        """The rule that comes nearest to permitting it, if its missing condition is the first reason against it."""
        return self.besides or (None if self.deciding else next(iter(self.offers), None))

    @property
    def deciding(self) -> tuple[Consulted, ...]:
        """The rules that apply and are not beaten."""
        return _barring(self.rules)

    @property
    def clauses(self) -> tuple[Cite, ...]:
        """The citations of the deciding rules; for an action that is not offered, of the nearest rule."""
        rules = self.deciding or self.rules[:1]
        return tuple(dict.fromkeys(cite for rule in rules for cite in rule.cites))

    def text(self, whole: bool = True) -> str:
        """The derivation, for a terminal: in full, or only the rules that apply (or come nearest)."""
        return text_of((Heading(2, self.title), Items(tuple(self.entries(whole))))).rstrip("\n")

    @property
    def title(self) -> str:
        """The action, and its outcome."""
        status = self.status if self.besides is None else "not-offered"
        return f"{self.action}: {say(status.replace('-', ' '))}"

    def entries(self, whole: bool = True, quoted: Quoted = _named) -> Iterator[Item]:
        """Return what would make it legal, and the rules with their conditions and citations, as ``quoted`` writes
        them.
        """
        if self.legal_if:
            yield Item(say("legal if {change}", change=self.legal_if))
        elif not self.legal:
            yield Item(say("never legal there"))
        applying = [rule for rule in self.rules if rule.applies and (self.legal or rule.shape != "on")]
        first = [rule for rule in self.rules if self.besides is not None and rule.name == self.besides.name]
        told = self.rules if whole else applying or self.offers[:1] or self.rules[:1]
        quoted_before: set[str] = set()
        for rule in dict.fromkeys((*first, *told)):
            state = say("applies") if rule.applies else say("does not apply")
            if rule.applies and rule.beaten_by:
                state = say("is beaten by {rule}", rule=rule.beaten_by)
            conditions = Items(tuple(_condition_entry(condition, quoted_before) for condition in rule.conditions))
            cites = (Paragraph(text) for text in quoted(rule.cites))
            yield Item(f"{rule.name} ({rule.shape}) {state}: {rule.prose}", (conditions, *cites))


def _condition_entry(condition: Condition, before: set[str]) -> Item:
    reads = f" ({', '.join(condition.reads)})" if condition.reads else ""
    return Item(
        f"{condition.text}{reads}", _answer_entries(condition.answers, before), f"[{'x' if condition.holds else ' '}]"
    )


def _answer_entries(answers: tuple[Answered, ...], before: set[str]) -> tuple[Block, ...]:
    """Return one entry for each answer; for a question asked of many (all cards, say) only those with the rarest
    answer. ``before`` are the statements whose sentences stand further up.
    """
    asked: dict[str, list[Answered]] = {}
    for answer in dict.fromkeys(answers):
        asked.setdefault(answer.derivation.question, []).append(answer)
    found: list[Block] = []
    for alike in asked.values():
        values = Counter(answer.value for answer in alike)
        told = alike if len(alike) <= _MOST_ALIKE else sorted(alike, key=lambda answer: values[answer.value])
        found += [items(_answer_entry(answer, before)) for answer in told[:_MOST_ALIKE]]
        if told[_MOST_ALIKE:]:
            found.append(items(Item(say("and {count} more", count=len(told) - _MOST_ALIKE))))
    return tuple(found)


def _answer_entry(answer: Answered, before: set[str]) -> Item:
    """In other languages with the sentence of what answered: its name is English, and tells their readers nothing."""
    over = say(", which beats {rules}", rules=", ".join(answer.beaten)) if answer.beaten else ""
    told = f"{answer.question} = {answer.value}, {say('by {rule}', rule=answer.answer)}{over}"
    if answer.prose and answer.prose not in before and not spoken().english:
        before.add(answer.prose)
        told += f" “{answer.prose}”"
    return Item(told, _answer_entries(answer.asked, before))


def explain(game: Game, action: Action, among: Collection[str] | None = None) -> Verdict:
    """The verdict on an action in the game's present position; perhaps by the rules ``among`` these alone."""
    return Explainer(game).verdict(action, among)


def as_it_stands(game: Game) -> Game:
    """A snapshot of the game, to be explained later, independent of further play."""
    found = copy.copy(game)
    found.position, found.history = game.position.copy(), game.history.copy()
    return found


class Explainer:
    """Explains over one position of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.graph = game.graph
        self._actors: dict[Expr, tuple[int | None, tuple[Answered, ...]]] = {}

    def verdict(self, action: Action, among: Collection[str] | None = None) -> Verdict:
        """The verdict on an action, perhaps by some rules alone: then without the nearest change."""
        ruling = self.game.rule_on(action)
        standing = {rule.name for rule in ruling.rules}
        beaten = {rule.name for rule in ruling.beaten}
        consulted = [
            self._consult(rule, verb, action, standing, beaten)
            for rule in self.graph.rules.values()
            if among is None or rule.name in among
            for verb in rule.verbs
            if verb.action == action.verb and len(verb.args) == len(action.args)
        ]
        consulted.sort(key=lambda c: (not c.applies, bool(c.beaten_by), _WEIGHT.get(c.shape, 2), len(c.missing)))
        near = self._lacking_besides(consulted) if ruling.status == "forbidden" else None
        told = ruling.status == "permitted" or among is not None
        legal_if = "" if told else self._nearest(ruling.status, action, consulted, near)
        barring = [self.graph.rules[rule.name] for rule in _barring(consulted)]
        besides = near if all(rule.beats and not rule.lest for rule in barring) else None
        return Verdict(self.game.text(action), ruling.status, tuple(consulted), legal_if, besides)

    def holds(self, expr: Expr, env: Mapping[str, int]) -> bool:
        """Whether a condition holds with these variables; one that has no value does not."""
        try:
            return self._evaluator().holds(expr, env)
        except (PlayError, IndexError):
            return False

    def lacks_only_the_turn(self, action: Action) -> bool:
        """Whether there is a rule that would permit it to another player, whose turn it is, and lacks nothing else.

        Equivalent to searching :meth:`verdict`, and much faster.
        """
        return any(
            self._lacks_only_the_turn(rule, verb, action)
            for rule in self.graph.rules.values()
            if rule.shape == "may" and (not rule.phases or self.game.phase in rule.phases)
            for verb in rule.verbs
            if verb.action == action.verb and len(verb.args) == len(action.args)
        )

    def _lacks_only_the_turn(self, rule: Rule, verb: Verb, action: Action) -> bool:
        env = {"me": action.actor}
        for given, value in zip(verb.args, action.args, strict=True):
            if not isinstance(given, int):
                env[given] = value
            elif given != value:
                return False
        if rule.by is None or rule.outsider or not self._able(rule.by)[0]:
            return False
        if all(condition.holds for condition in self._actor(rule, action)):
            return False
        return all(self.holds(kid, env) for kid in fold.conjuncts(rule.when))

    def reasons(self, answered: Answered) -> Iterator[Answered]:
        """The answer because of which a question was answered “no”: of a chain of bare questions the last, or the first
        that an option decides.
        """
        found = answered.derivation
        define = self.graph.defines[found.question]
        answer = next(answer for answer in define.answers if answer.name == found.answer)
        env = dict(zip((param.name for param in define.params), found.args, strict=True))
        agreed = any(cite.clause.startswith("option.") for cite in answered.cites)
        failing = next((kid for kid in fold.conjuncts(answer.value) if not agreed and not self.holds(kid, env)), None)
        bare = failing.kids[0] if failing is not None and failing.op == "not" else failing
        if failing is None or bare is None or bare.op != "ask":
            yield answered
            return
        for inner in self._condition(failing, env).answers:
            if inner.derivation.question == bare.value:
                yield from self.reasons(inner) if inner.value == "no" else [inner]

    # ---- the rules ---------------------------------------------------------------------------

    def _consult(self, rule: Rule, verb: Verb, action: Action, standing: set[str], beaten: set[str]) -> Consulted:
        env = {"me": action.actor}
        conditions: list[Condition] = []
        phase = self.game.phase
        if rule.phases:
            text = f"in {' or '.join(rule.phases)}"
            conditions.append(Condition("in", text, phase in rule.phases, (self._phase(),), ()))
        conditions += self._actor(rule, action)
        for given, value, param in zip(verb.args, action.args, self.graph.actions[action.verb].params, strict=True):
            if isinstance(given, int):
                wanted = value_text(self.graph, param.type, given, self.game.players)
                conditions.append(
                    Condition(
                        "argument", f"{param.name} is {wanted}", given == value, (), (), f"{param.name} is not {wanted}"
                    )
                )
            else:
                env[given] = value
        conditions += [self._condition(kid, env) for kid in fold.conjuncts(rule.when)]
        applies = rule.name in standing or rule.name in beaten
        beaten_by = ""
        if rule.name in beaten:
            beaten_by = next((n for n in standing if rule.name in self.graph.rules[n].beats), say("an exception"))
        source, prose = rule.source, told_in_force(self.graph, rule.source)
        cites = self._evaluator().bearing(source.cites, action)
        return Consulted(rule.name, rule.shape, prose, cites, source.span, tuple(conditions), applies, beaten_by)

    def _phase(self) -> str:
        """The present phase, in other languages with its sentence."""
        phase = self.game.phase
        sentence = "" if spoken().english else told_in_force(self.graph, self.graph.phases[phase].source)
        return say("the phase is {phase}", phase=f"{phase} “{sentence}”" if sentence else phase)

    def _actor(self, rule: Rule, action: Action) -> list[Condition]:
        who = actor_name(action.actor, self.game.players)
        if rule.outsider:
            return [Condition("by", f"by {rule.outsider}", who == rule.outsider, (f"it is {who}",), ())]
        if rule.by is None:
            return []
        mask, asked = self._able(rule.by)
        if mask is None:
            return [Condition("by", f"by {self._by(rule.by)}", False, (), ())]
        names = [name for seat, name in enumerate(self.game.players) if mask >> seat & 1]
        holds = action.actor >= 0 and bool(mask >> action.actor & 1)
        return [
            Condition(
                "by",
                f"by {self._by(rule.by)}",
                holds,
                (say("that is {players}", players=f" {say('or')} ".join(names) or say("nobody")),),
                asked,
            )
        ]

    def _able(self, by: Expr) -> tuple[int | None, tuple[Answered, ...]]:
        """Return who may act, None if that is undefined, and the questions evaluated; memoised, as rules share it."""
        found = self._actors.get(by)
        if found is None:
            evaluator = self._evaluator()
            try:
                mask: int | None = evaluator.value(by, {})
            except (PlayError, IndexError):
                mask = None
            found = self._actors[by] = mask, tuple(self._answered(d) for d in evaluator.asked)
        return found

    def _by(self, by: Expr) -> str:
        if by.op == "set" and len(by.kids) == 1:
            return show(self.graph, by.kids[0])
        if by.op == "const" and by.value == (1 << by.type.size) - 1:
            return "everyone"
        return show(self.graph, by)

    def _condition(self, expr: Expr, env: Mapping[str, int]) -> Condition:
        evaluator = self._evaluator()
        try:
            holds = evaluator.holds(expr, env)
        except (PlayError, IndexError):
            holds = False
        named = self._named(expr, env)
        reads = tuple(f"{node.value} = {self._value(node, env)}" for node in named)
        asked = tuple(self._answered(d) for d in evaluator.asked)
        data = tuple(node.value for node in named if node.op == "datum")
        opposite = show(self.graph, contrary(expr))
        kind = "when" if holds or data_read(self.graph, [expr]) - self.graph.options.keys() else "never"
        return Condition(kind, show(self.graph, expr), holds, reads, asked, opposite, data)

    def _evaluator(self) -> Evaluator:
        return Evaluator(self.game.layout, self.game.position)

    def _named(self, expr: Expr, env: Mapping[str, int]) -> list[Expr]:
        """The data without index that the expression reads, and its variables, in order."""
        found: dict[str, Expr] = {}
        for node in walk(expr):
            plain = node.op == "datum" and not node.kids and not node.type.place
            if plain or (node.op == "var" and node.value in env):
                found.setdefault(node.value, node)
        return list(found.values())

    def _value(self, node: Expr, env: Mapping[str, int]) -> str:
        if node.op == "datum":
            block = self.game.layout.blocks[node.value]
            return self._shown(block.datum.type, self.game.position[block.base])
        if node.value == "me" and env["me"] < 0:
            return "chance"
        return value_text(self.graph, node.type, env[node.value], self.game.players)

    def _shown(self, kind: Type, value: int) -> str:
        if value < NONE - len(self.graph.words):
            return say("not set yet")
        return value_text(self.graph, kind, value, self.game.players)

    def _answered(self, found: Derivation) -> Answered:
        define = self.graph.defines[found.question]
        args = texts_of(self.graph, define.params, found.args, self.game.players)
        question = f"{found.question}({', '.join(args)})" if args else found.question
        answer = next(a for a in define.answers if a.name == found.answer)
        return Answered(
            question,
            self._shown(define.type, found.value),
            found.answer.removesuffix(SEEN),
            found.beaten,
            told_in_force(self.graph, answer.source),
            self._evaluator().bearing(answer.source.cites),
            tuple(self._answered(inner) for inner in found.asked),
            found,
        )

    # ---- the nearest change ------------------------------------------------------------------

    def _lacking_besides(self, consulted: list[Consulted]) -> Consulted | None:
        """Return the rule nearest to permitting a forbidden action, if it has unmet conditions that the forbidding
        rules never ask.
        """
        offers = [rule for rule in consulted if rule.shape == "may"]
        if not offers or any(rule.applies for rule in offers):
            return None
        near = min(offers, key=lambda rule: (_elsewhere(rule), len(rule.missing)))
        grounds = {g for rule in _barring(consulted) for condition in rule.conditions for g in _grounds(condition)}
        found = replace(
            near, conditions=tuple(c for c in near.conditions if c.holds or grounds.isdisjoint(_grounds(c)))
        )
        return found if found.missing else None

    def _nearest(self, status: str, action: Action, consulted: list[Consulted], near: Consulted | None) -> str:
        kind = self.graph.actions.get(action.verb)
        if status == "impossible":
            if kind is None or kind.possible is None:
                return say("such a thing were in the game")
            env = {"me": action.actor, **dict(zip((p.name for p in kind.params), action.args, strict=True))}
            reads = self._condition(kind.possible, env).reads
            return f"{show(self.graph, kind.possible)} ({', '.join(reads)})"
        barring = _barring(consulted)
        if status == "forbidden" and barring:
            if near is not None and _elsewhere(near):
                return ""
            parts = [_wishes(near)] if near is not None else []
            for rule in barring:
                own = [c for c in rule.conditions if c.kind not in ("in", "by")]
                if rule.shape == "must":
                    wanted = " and ".join(c.text for c in own) or rule.prose
                    parts.append(say("it did what {rule} asks for: {wanted}", rule=rule.name, wanted=wanted))
                else:
                    parts.append(
                        " or ".join(c.contrary for c in own) or say("{rule} did not forbid it", rule=rule.name)
                    )
            return "; and ".join(parts)
        offers = [rule for rule in consulted if rule.shape == "may" and not rule.applies]
        if not offers:
            return say("a rule offered it: none does in this variant with these options")
        least = min(len(rule.missing) for rule in offers)
        nearest = [rule for rule in offers if len(rule.missing) == least]
        return ", or ".join(dict.fromkeys(map(_wishes, nearest)))


def contrary(expr: Expr) -> Expr:
    """The negation of a condition in natural form: `less` for `as many`, `neither` for `or`."""
    if expr.op in ("and", "or"):
        other = "or" if expr.op == "and" else "and"
        return Expr(other, expr.type, tuple(contrary(kid) for kid in expr.kids), None, expr.span)
    if expr.op in ("lt", "le"):
        return Expr("le" if expr.op == "lt" else "lt", expr.type, expr.kids[::-1], None, expr.span)
    return fold.negate(expr)


def _barring(consulted: Iterable[Consulted]) -> tuple[Consulted, ...]:
    return tuple(rule for rule in consulted if rule.applies and not rule.beaten_by)


def _of_another_action(rule: Consulted) -> bool:
    return any(condition.kind in ("argument", "never") for condition in rule.missing)


def _elsewhere(rule: Consulted) -> bool:
    """Whether it speaks of another phase, or of another action."""
    return _of_another_action(rule) or any(condition.kind == "in" for condition in rule.missing)


def _distance(rule: Consulted) -> tuple[bool, int, bool]:
    """Another phase is farther than any one condition."""
    phase = any(condition.kind == "in" for condition in rule.missing)
    return _of_another_action(rule), len(rule.missing) + phase, phase


def _grounds(condition: Condition) -> set[object]:
    """The data that a condition reads, and the questions that are asked for it; of phase and turn only these."""
    if condition.kind != "when":
        return {condition.text}
    return {*condition.data, *(answer.question for asked in condition.answers for answer in asked.whole())}


def _wishes(rule: Consulted) -> str:
    """Return the missing conditions of a rule, and its name."""
    return f"{' and '.join(map(_wish, rule.missing))} ({rule.name})"


def _wish(condition: Condition) -> str:
    """The condition as a wish, with the data that it reads."""
    reads = f" [{', '.join(condition.reads)}]" if condition.reads else ""
    return condition.text + reads
