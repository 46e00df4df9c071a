"""Generates one Python module for a graph: a function for each question, effect, condition and change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from truco_spec.engine.compiled.python import ExpressionWriter
from truco_spec.engine.facts import MOST_REMEMBERED, Facts, VerbFacts, remembered_by
from truco_spec.engine.layout import DEPTH, NONE, Layout, unset
from truco_spec.engine.support import ACTORS, ADD, ASK, CARD, PILE, RESUME, SET, THEN, function_names
from truco_spec.graph import model
from truco_spec.graph.fold import conjuncts
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, walk

_Way = TypeVar("_Way", bound=model.Answer | model.Turn)


class Writer:
    """Generates the module of one graph."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.functions = function_names(self.graph)
        self.effects = {name: f"e{i}" for i, name in enumerate(self.graph.effects)}
        self.facts = self.facts_of(self.graph)
        self.expr = ExpressionWriter(layout, self.functions)
        self.changes = _ChangeWriter(layout, self.expr, self.effects)
        self.constants: list[str] = []
        self.lines: list[str] = []

    def facts_of(self, graph: model.Graph) -> Facts:
        return Facts(graph)

    def source(self) -> str:
        """The text of the module."""
        for define in self.graph.defines.values():
            self._define(define)
        for effect in self.graph.effects.values():
            self._effect(effect)
        for number, action in enumerate(self.graph.actions.values()):
            self._possible(number, action)
        for number, rule in self.facts.rules.items():
            self._rule(number, rule)
        self._openings()
        self._phases(range(len(self.layout.phases)))
        return self.text()

    def text(self) -> str:
        """The code written so far: the constants, then the functions."""
        return "\n".join([*self.constants, *self.lines]) + "\n"

    def _def(self, name: str, params: Iterable[str], body: list[str]) -> None:
        self.lines.append(f"def {name}({', '.join(params)}):")
        self.lines += [f"  {line}" for line in body or ["pass"]]

    def _possible(self, number: int, action: model.ActionKind) -> None:
        if action.possible is None:
            self.constants.append(f"p{number} = None")
            return
        args = [f"a{i}" for i in range(len(action.params))]
        env = {"me": "me", **dict(zip((p.name for p in action.params), args, strict=True))}
        self._def(f"p{number}", ["v", "me", *args], [f"return {self.expr.text(action.possible, env)}"])

    def _openings(self) -> None:
        openings = _OpeningWriter(self.layout, self.expr)
        for number, phase in enumerate(self.layout.phases):
            if self.layout.scopes.get(phase):
                self._def(f"open{number}", ["v", "back"], openings.opening(phase))
        self._def("begin", ["v"], openings.beginning())

    # ---- questions and effects ---------------------------------------------------------------

    def _define(self, define: model.Define) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(define.params)}

        def value(answer: model.Answer) -> list[str]:
            return self.expr.returning(answer.value, env)

        body = self._resolved(define.answers, env, value, [], define.name)
        name, params = self.functions[define.name], ["v", *env.values()]
        key = remembered_by(self.graph, define)
        if key is None:
            self._def(name, params, body)
            return
        self._def(f"{name}_anew", params, body)
        known = ", ".join(self.expr.text(expr, env) for expr in key.exprs)
        forget = [f"  if len({name}_known) >= {MOST_REMEMBERED}:", f"    {name}_known.clear()"] if key.endless else []
        anew = f"  r = {name}_known[k] = {name}_anew({', '.join(params)})"
        self.constants.append(f"{name}_known = {{}}")
        body = [f"k = {known}", f"r = {name}_known.get(k)", "if r is None:", *forget, anew, "return r"]
        self._def(name, params, body)

    def _effect(self, effect: model.Effect) -> None:
        env = {p.name: f"a{i}" for i, p in enumerate(effect.params)}

        def value(turn: model.Turn) -> list[str]:
            return self.changes.gathered(turn.changes, env)

        body = self._resolved(effect.turns, env, value, ["return"], effect.name)
        self._def(self.effects[effect.name], ["v", "out", *env.values()], body)

    def _resolved(
        self,
        answers: Sequence[_Way],
        env: Mapping[str, str],
        value: Callable[[_Way], list[str]],
        done: list[str],
        name: str,
    ) -> list[str]:
        """Write exceptions before the answers they beat; if two could both apply and neither beats the other, both are
        evaluated.
        """
        ordered = beaters_first(answers)
        body: list[str] = []
        if is_chain(ordered):
            for answer in ordered:
                lines = [*value(answer), *done]
                if answer.when is None:
                    return body + lines
                body.append(f"if {self.expr.text(answer.when, env)}:")
                body += [f"  {line}" for line in lines]
            return [*body, f"return silent({name!r})"]
        bits = {answer.name: 1 << i for i, answer in enumerate(ordered)}
        body = ["b = 0", "n = ''"]
        for answer in ordered:
            test = f"not b & {bits[answer.name]}"
            if answer.when is not None:
                test += f" and {self.expr.text(answer.when, env)}"
            beats = sum(bits[other] for other in answer.beats if other in bits)
            body.append(f"if {test}:")
            if not isinstance(answer, model.Answer):
                body += [f"  {line}" for line in value(answer)]
            else:
                body.append(f"  r = {self.expr.text(answer.value, env)}")
                body.append(f"  if n and r != q: clash({name!r} + ': ' + n + {(', ' + answer.name)!r})")
                body.append("  q = r")
            body.append(f"  b |= {beats}; n = {answer.name!r}")
        body.append(f"if not n: silent({name!r})")
        return [*body, "return q" if isinstance(ordered[0], model.Answer) else "return"]

    # ---- rules -------------------------------------------------------------------------------

    def _rule(self, number: int, rule: model.Rule) -> None:
        sizes = {len(self.graph.actions[verb.action].params) for verb in rule.verbs}
        alike = len(sizes) < 2  # else the rule names none of their arguments
        given = [f"a{j}" for j in range(max(sizes, default=0))] if alike else ["*_"]
        for i, verb in enumerate(rule.verbs):
            args = [f"a{j}" for j in range(len(self.graph.actions[verb.action].params))]
            tests = self._actor_test(rule) + self._restricted(verb, args)
            if rule.when is not None:
                tests.append(self.expr.text(rule.when, _bound(verb, args)))
            self._def(f"s{number}_{i}", ["v", "me", *args], [f"return {' and '.join(tests) or '1'}"])
            if rule.shape in ("may", "must"):
                self._def(f"c{number}_{i}", ["v", "out"], _OfferWriter(self.layout, self.expr).offers(rule, verb))
        now = self.facts.now[number]
        if now and rule.shape != "auto":
            self._def(f"w{number}", ["v"], [f"return {' and '.join(self.expr.text(test, {}) for test in now)}"])
        env = _bound(rule.verbs[0], given) if alike and rule.verbs else {}
        for word, changes in (("do", rule.do), ("lest", rule.lest)):
            if changes:
                args = ["v", "out", "me", *given]
                self._def(f"{word}{number}", args, self.changes.gathered(changes, env))
        direct = self.changes.direct(rule.do, env) if rule.do else None
        if direct is not None:
            self._def(f"x{number}", ["v", "back", "me", *given], direct)

    def _restricted(self, verb: model.Verb, args: list[str]) -> list[str]:
        return [f"{arg} == {value}" for value, arg in zip(verb.args, args, strict=True) if isinstance(value, int)]

    def _actor_test(self, rule: model.Rule) -> list[str]:
        if rule.outsider:
            return [f"me == {ACTORS[rule.outsider]}"]
        if rule.by is None:
            return []
        by = rule.by
        if by.op == "set" and len(by.kids) == 1:
            return [f"me == {self.expr.text(by.kids[0], {})}"]
        if by.op == "const" and by.value == (1 << by.type.size) - 1:
            return ["me >= 0"]
        return [f"me >= 0 and {self.expr.text(by, {})} >> me & 1"]

    def _phases(self, numbers: Iterable[int]) -> None:
        """The permitted actions and automatic rules of these phases; then the facts, for the program."""
        phases = _PhaseWriter(self.layout, self.expr, self.facts)
        for number in numbers:
            self._def(f"legal{number}", ["v", "found", "weigh"], phases.legal(number))
            if self.facts.autos[number]:
                self._def(f"ready{number}", ["v"], phases.ready(number))
            else:
                self.constants.append(f"ready{number} = None")
        verbs = [[(at, tuple(facts)) for at, facts in of_phase.items()] for of_phase in self.facts.verbs]
        self.constants.append(f"RULES = {tuple(self.facts.rules)}")
        self.constants.append(f"ONCE = {self.facts.once}")
        self.constants.append(f"VERBS = loads({json.dumps(verbs)!r})")  # which is faster than to compile them


def is_chain(ordered: Sequence[model.Answer | model.Turn]) -> bool:
    """Whether of any two one beats the other."""
    return all(a.name in b.beats or b.name in a.beats for i, a in enumerate(ordered) for b in ordered[i + 1 :])


def beaters_first(ways: Sequence[_Way]) -> list[_Way]:
    rest, ordered = list(ways), list[_Way]()
    while rest:
        free = next((a for a in rest if not any(a.name in b.beats for b in rest if b is not a)), rest[0])
        ordered.append(free)
        rest.remove(free)
    return ordered


# ---- One function per phase for the permitted actions, one for the automatic rules -----------


class _PhaseWriter:
    """Generates phases."""

    def __init__(self, layout: Layout, expr: ExpressionWriter, facts: Facts) -> None:
        self.names = list(layout.graph.actions)
        self.expr = expr
        self.facts = facts
        self.offers = _OfferWriter(layout, expr)

    def legal(self, phase: int) -> list[str]:
        """Lines that list the permitted actions."""
        lines: list[str] = []
        for verb, facts in self.facts.verbs[phase].items():
            if self.facts.is_listed(facts):
                lines += self._verb(phase, verb, facts)
        return lines

    def _verb(self, phase: int, verb: int, facts: VerbFacts) -> list[str]:
        weighed = f"weigh(v, found, V{phase}_{verb})"
        doubts = [self._when(number) for number in (*facts.live, *facts.maybe)]
        if not facts.alone or "1" in doubts:
            return [weighed]
        follow = " | ".join(f"({1 << i} if {self._when(number)} else 0)" for i, number in enumerate(facts.alike))
        lines = []
        for i, number in enumerate(facts.may):
            rule = self.facts.rules[number]
            lines.append(f"p = P{phase}_{verb}_{i}[{follow or 0}]")
            for named in rule.verbs:
                if named.action == self.names[verb]:
                    lines += self.offers.offers(rule, named, "found[{}] = p")
        if not doubts:
            return lines
        return [f"if {' or '.join(doubts)}:", f"  {weighed}", "else:", *[f"  {line}" for line in lines]]

    def ready(self, phase: int) -> list[str]:
        """Lines that list the automatic rules that apply."""
        lines = ["out = []"]
        for number in self.facts.autos[phase]:
            test = self._when(number)
            lines.append(f"out.append(R{number})" if test == "1" else f"if {test}: out.append(R{number})")
        return [*lines, "return out"]

    def _when(self, number: int) -> str:
        return " and ".join(self.expr.text(test, {}) for test in self.facts.now[number]) or "1"


class _ChangeWriter:
    """Generates changes, in two forms; ``effects`` maps named effects to their functions.

    *Gathered*: ``out.append((SET, slot, value))`` and so on, for steps in which several rules fire;
    ``program.apply`` then checks for conflicts. *Direct*: a rule that fires alone and whose
    changes cannot collide computes all its values and writes them, recording the old values in ``back``: slot, value
    before, slot, value before …
    """

    def __init__(self, layout: Layout, expr: ExpressionWriter, effects: Mapping[str, str]) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.expr = expr
        self.effects = effects

    # ---- gathered ----------------------------------------------------------------------------

    def gathered(self, changes: Iterable[model.Change], env: Mapping[str, str]) -> list[str]:
        """Lines that append every change to ``out``."""
        return [self._gathered(change, env) for change in changes]

    def _gathered(self, change: model.Change, env: Mapping[str, str]) -> str:
        if isinstance(change, model.Assign):
            slot = self.expr.slot(change.datum, change.index, env)
            if change.sign == "=":
                return f"out.append(({SET}, {slot}, {self._value(change, env)}))"
            return f"out.append(({ADD}, {slot}, {self._amount(change, env)}))"
        if isinstance(change, model.Move):
            slot = self.expr.slot(change.place, change.index, env)
            kind = PILE if change.what.type.many else CARD
            return f"out.append(({kind}, {self._moved(change, env)}, {slot}))"
        if isinstance(change, model.Apply):
            return f"{self.effects[change.effect]}({', '.join(['v', 'out', *self._args(change, env)])})"
        if change.word == "resume":
            return f"out.append(({RESUME},))"
        return f"out.append(({THEN if change.word == 'then' else ASK}, {self.layout.number[change.phase]}))"

    def _value(self, change: model.Assign, env: Mapping[str, str]) -> str:
        """The assigned value; a word that the datum does not accept is checked for."""
        value = self.expr.text(change.value, env)
        target = self.graph.data[change.datum].type
        if change.value.type.words - target.words:
            words = ", ".join(str(self.graph.words[word]) for word in sorted(target.words))
            return f"fit({value}, ({words},))" if words else f"some({value})"
        return value

    def _amount(self, change: model.Assign, env: Mapping[str, str]) -> str:
        return ("-" if change.sign == "-=" else "") + self.expr.text(change.value, env)

    def _moved(self, change: model.Move, env: Mapping[str, str]) -> str:
        what = self.expr.text(change.what, env)
        return f"some({what})" if change.what.type.words and not change.what.type.many else what

    def _args(self, change: model.Apply, env: Mapping[str, str]) -> list[str]:
        params = self.graph.effects[change.effect].params
        return [self.expr.given(arg, p.type, env) for arg, p in zip(change.args, params, strict=True)]

    # ---- direct ------------------------------------------------------------------------------

    def direct(self, changes: Iterable[model.Change], env: Mapping[str, str]) -> list[str] | None:
        """Lines that apply the changes at once, or None if they could collide or branch."""
        found, first = self._opened(list(changes), dict(env))
        if found is None:
            return None
        writes: list[str] = []
        for number, (change, inner) in enumerate(found):
            if isinstance(change, model.Way):
                continue
            slot, value = f"s{number}", f"n{number}"
            place = change.datum if isinstance(change, model.Assign) else change.place
            first.append(f"{slot} = {self.expr.slot(place, change.index, inner)}")
            if isinstance(change, model.Move):
                first.append(f"{value} = {self._moved(change, inner)}")
                writes += self._move(change, slot, value)
            elif change.sign == "=":
                first.append(f"{value} = {self._value(change, inner)}")
                writes += self._write(change, slot, value)
            else:
                first.append(f"{value} = v[{slot}] + {self._amount(change, inner)}")
                writes += self._write(change, slot, value)
        for change, _ in found:
            if isinstance(change, model.Way):
                writes += self._way(change)
        return first + writes

    def _opened(
        self, changes: list[model.Change], env: dict[str, str]
    ) -> tuple[list[tuple[model.Assign | model.Move | model.Way, dict[str, str]]] | None, list[str]]:
        """The changes with effects expanded, each with its variables, and lines that compute the effects' arguments."""
        found: list[tuple[model.Assign | model.Move | model.Way, dict[str, str]]] = []
        lines: list[str] = []

        def opened(changes: Iterable[model.Change], env: dict[str, str], depth: int) -> bool:
            for change in changes:
                if not isinstance(change, model.Apply):
                    found.append((change, env))
                    continue
                effect = self.graph.effects[change.effect]
                if len(effect.turns) != 1 or effect.turns[0].when is not None or depth > DEPTH:
                    return False
                inner = {}
                for param, text in zip(effect.params, self._args(change, env), strict=True):
                    inner[param.name] = f"x{len(lines)}"
                    lines.append(f"x{len(lines)} = {text}")
                if not opened(effect.turns[0].changes, inner, depth + 1):
                    return False
            return True

        if not opened(changes, env, 0):
            return None, []
        data = [change.datum for change, _ in found if isinstance(change, model.Assign)]
        moves = [change for change, _ in found if isinstance(change, model.Move)]
        ways = [change for change, _ in found if isinstance(change, model.Way)]
        if len(set(data)) < len(data) or len(moves) > 1 or len(ways) > 1:
            return None, []
        return found, lines

    def _write(self, change: model.Assign, slot: str, value: str) -> list[str]:
        lines = []
        kind = self.graph.data[change.datum].type
        given = change.value.type
        sure = change.sign == "=" and (not given.base or kind.low <= given.low <= given.high <= kind.high)
        if not kind.many and not sure:
            lines.append(f"if not {kind.low} <= {value} <= {kind.high}: over({slot}, {value})")
        return [*lines, f"if v[{slot}] != {value}:", f"  back += ({slot}, v[{slot}])", f"  v[{slot}] = {value}"]

    def _move(self, change: model.Move, slot: str, value: str) -> list[str]:
        if change.what.type.many:
            return [f"for c in BITS[{value}]:", f"  move(v, back, c, {slot})"]
        return [f"move(v, back, {value}, {slot})"]

    def _way(self, way: model.Way) -> list[str]:
        if way.word == "resume":
            return ["if v[1] < 0: lost()", self._kept(DEPTH), f"v[:{DEPTH}] = (*v[1:{DEPTH}], -1)"]
        number = self.layout.number[way.phase]
        if way.word == "ask":
            return [f"if v[{DEPTH - 1}] >= 0: deep()", self._kept(DEPTH), f"v[:{DEPTH}] = ({number}, *v[:{DEPTH - 1}])"]
        lines = []
        if way.phase in self.layout.ground:
            nothing = ", ".join(["-1"] * (DEPTH - 1))
            lines += ["if v[1] >= 0:", f"  {self._kept(DEPTH, 1)}", f"  v[1:{DEPTH}] = ({nothing},)"]
        lines += ["back += (0, v[0])", f"v[0] = {number}"]
        if self.layout.scopes.get(way.phase):
            lines.append(f"open{number}(v, back)")
        return lines

    def _kept(self, until: int, start: int = 0) -> str:
        return f"back += ({', '.join(f'{i}, v[{i}]' for i in range(start, until))},)"


# ---- offers, and the openings of scopes ------------------------------------------------------------

_Test = tuple[model.Expr, dict[str, str]]
"""A condition, and the names of its variables."""


class _OfferWriter:
    """Generates code for the offers of a rule: loops over the possible actors and arguments.

    Conditions such as ``c in cards(me)`` or ``x is y`` narrow the loops; each other condition is tested as soon as its
    variables are bound.
    """

    def __init__(self, layout: Layout, expr: ExpressionWriter) -> None:
        self.graph = layout.graph
        self.expr = expr

    def offers(self, rule: model.Rule, verb: model.Verb, to: str = "out.append({})") -> list[str]:
        """Lines that apply ``to`` to every possible action of this verb that the rule covers."""
        action = self.graph.actions[verb.action]
        kind = list(self.graph.actions).index(verb.action)
        args = [f"a{j}" for j in range(len(action.params))]
        env = _bound(verb, args)
        possible_env = {"me": "me", **dict(zip((p.name for p in action.params), args, strict=True))}
        tests = [(test, env) for test in conjuncts(rule.when)]
        tests += [(test, possible_env) for test in conjuncts(action.possible)]
        lines: list[str] = []
        depth = ""

        def put(text: str) -> None:
            lines.append(depth + text)

        by = rule.by
        if rule.outsider:
            put(f"me = {ACTORS[rule.outsider]}")
        elif by is not None and by.op == "set" and len(by.kids) == 1:
            put(f"me = {self.expr.text(by.kids[0], {})}")
            if self._perhaps_nobody(by.kids[0]):
                put("if me >= 0:")
                depth += "  "
        else:
            assert by is not None
            put(f"for me in BITS[{self.expr.text(by, {})}]:")
            depth += "  "
        free = set(args)
        tests = self._test(tests, free, put)
        if len(lines) > 1 or (lines and lines[-1].lstrip().startswith("if ")):
            depth = self._deeper(lines)
        for j, (param, given) in enumerate(zip(action.params, verb.args, strict=True)):
            arg = args[j]
            if isinstance(given, int):
                put(f"{arg} = {given}")
            else:
                domain, tests = self._narrowed(arg, param.type, tests, free)
                if domain.startswith("="):
                    put(f"{arg} {domain}")
                    if not domain.startswith("=="):
                        put(f"if {self._in_domain(arg, param.type)}:")
                        depth += "  "
                else:
                    put(f"for {arg} in {domain}:")
                    depth += "  "
            free.discard(arg)
            before = len(lines)
            tests = self._test(tests, free, put)
            if len(lines) > before:
                depth = self._deeper(lines)
        put(to.replace("{}", f"ACTIONS[{', '.join([str(kind), 'me', *args])}]"))
        return lines

    def _perhaps_nobody(self, seat: model.Expr) -> bool:
        """Whether a seat can be none or unset."""
        unset = seat.op == "datum" and self.graph.data[seat.value].first is None
        return bool(seat.type.words) or unset

    def _deeper(self, lines: list[str]) -> str:
        line = lines[-1]
        indent = line[: len(line) - len(line.lstrip())]
        return indent + "  " if line.rstrip().endswith(":") else indent

    def _test(self, tests: list[_Test], free: set[str], put: Callable[[str], None]) -> list[_Test]:
        """Emit the tests whose variables are all bound; return the others."""
        ready = [(e, env) for e, env in tests if not self._waits(e, env, free)]
        if ready:
            put(f"if {' and '.join(self.expr.text(e, env) for e, env in ready)}:")
        return [pair for pair in tests if pair not in ready]

    def _waits(self, expr: model.Expr, env: Mapping[str, str], free: set[str]) -> bool:
        return any(node.op == "var" and env.get(node.value) in free for node in walk(expr))

    def _in_domain(self, arg: str, kind: Type) -> str:
        test = f"{kind.low} <= {arg} <= {kind.high}"
        return test if not kind.words else f"({test} or {arg} <= {NONE})"

    def _narrowed(self, arg: str, kind: Type, tests: list[_Test], free: set[str]) -> tuple[str, list[_Test]]:
        """The range of the argument, and the remaining tests."""

        def is_arg(expr: model.Expr, env: Mapping[str, str]) -> bool:
            return expr.op == "var" and env.get(expr.value) == arg

        others = free - {arg}
        for pair in tests:
            expr, env = pair
            rest = [other for other in tests if other is not pair]
            if expr.op == "in" and is_arg(expr.kids[0], env) and not kind.words:
                group = expr.kids[1]
                if not self._waits(group, env, free) and group.type.low == kind.low == 0:
                    return f"BITS[{self.expr.text(group, env)}]", rest
            if expr.op == "is":
                for a, b in (expr.kids, expr.kids[::-1]):
                    if self._waits(b, env, others | {arg}):
                        continue
                    if is_arg(a, env):
                        return f"= {self.expr.text(b, env)}", rest
                    if a.op == "built" and a.value == "place" and is_arg(a.kids[0], env):
                        return f"= {self.expr.text(b, env)} - {1 - kind.low}", rest
        if kind.base == "card":
            return "PACK", tests
        words = [self.graph.words[word] for word in sorted(kind.words)]
        if words:
            return str((*range(kind.low, kind.high + 1), *words) if kind.base else tuple(words)), tests
        return f"range({kind.low}, {kind.high + 1})", tests


def _bound(verb: model.Verb, args: list[str]) -> dict[str, str]:
    """The names of a verb's bindings."""
    names = {name: arg for name, arg in zip(verb.args, args, strict=True) if isinstance(name, str)}
    return {"me": "me", **names}


FEW = 24
"""Up to this many slots are recorded one by one, changed or not."""


class _OpeningWriter:
    """Generates the openings of scopes, in which data are initialised and cards go back to the pack, and the initial
    position.
    """

    def __init__(self, layout: Layout, expr: ExpressionWriter) -> None:
        self.layout = layout
        self.graph = layout.graph
        self.expr = expr

    def opening(self, phase: str) -> list[str]:
        """Lines that open the scope of a phase and record the old values in ``back``."""
        names = self.layout.resets(phase)
        slots = self._slots(names)
        places = [name for name in names if self.graph.data[name].type.place]
        lines = self._first_values(phase, names, places)
        if not slots:
            return []
        if not places and len(slots) <= FEW:
            return [f"back += ({', '.join(f'{i}, v[{i}]' for i in slots)},)", *lines]
        noted = ["now = v[:]", "for i, old in enumerate(before):", "  if now[i] != old: back += (i, old)"]
        return ["before = v[:]", *lines, *noted]

    def beginning(self) -> list[str]:
        """Lines that fill the initial position."""
        lines = [f"v[{i}] = -1" for i in range(DEPTH)]
        for name in self.layout.ordered([name for name in self.graph.data if name != self.graph.pack]):
            lines += self._first(name, waits=True)
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None:
            at, count = self.layout.cards_at, len(self.graph.cards)
            lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
        return lines

    def _slots(self, names: tuple[str, ...] | list[str]) -> list[int]:
        blocks = [self.layout.blocks[name] for name in names]
        return [slot for block in blocks for slot in range(block.base, block.base + block.count)]

    def _first_values(self, phase: str, names: tuple[str, ...], places: list[str]) -> list[str]:
        """Return all cards in these places to the pack; then initialise each datum.

        A datum of an inner scope with a computed initial value stays unset until its own scope opens.
        """
        lines = []
        pack = self.layout.blocks.get(self.graph.pack)
        if pack is not None and places:
            slots, at, count = self._slots(places), self.layout.cards_at, len(self.graph.cards)
            if all(slot in slots for slot in self.layout.place_of if slot != pack.base):
                lines += [f"v[{pack.base}] = {self.expr.full}", f"v[{at}:{at + count}] = [{pack.base}] * {count}"]
            else:
                lines += [
                    f"m = v[{pack.base}]",
                    f"for c in BITS[{self.expr.full} & ~m]:",
                    f"  if v[c + {at}] in {{{', '.join(map(str, slots))}}}:",
                    f"    v[c + {at}] = {pack.base}; m |= 1 << c",
                    f"v[{pack.base}] = m",
                ]
        for name in names:
            lines += self._first(name, waits=self.graph.data[name].fresh != phase)
        return lines

    def _first(self, name: str, waits: bool) -> list[str]:
        block = self.layout.blocks[name]
        first = block.datum.first
        if first is None or first.op == "const" or (waits and data_read(self.graph, [first])):
            value = first.value if first is not None and first.op == "const" else unset(block.datum.type)
            if block.count == 1:
                return [f"v[{block.base}] = {value}"]
            return [f"v[{block.base}:{block.base + block.count}] = [{value}] * {block.count}"]
        lines = []
        for index in block.indices():
            env = {p.name: str(i) for p, i in zip(block.datum.params, index, strict=True)}
            lines.append(f"v[{block.slot(index)}] = {self.expr.text(first, env)}")
        return lines
