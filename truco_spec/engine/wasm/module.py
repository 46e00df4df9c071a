"""Generates the WebAssembly module of a graph, as text: the same as :mod:`~truco_spec.engine.compiled`, fast.

The memory holds the tables, the position, the journal of old values, the changes of a step and lists of actions;
``runtime.wat`` says where, and holds what is the same for all graphs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence
from truco_spec.engine.facts import VerbFacts, remembered_by
from truco_spec.engine.layout import DEPTH, NONE
from truco_spec.engine.wasm.definitions import beats_these
from truco_spec.engine.wasm.expressions import POSITION, Function, both, const, either, marked, when
from truco_spec.engine.wasm.inline import inlined
from truco_spec.engine.wasm.rule_functions import RuleWriter, bound, reset, switch
from truco_spec.graph.fold import conjuncts, opposite
from truco_spec.graph.model import CHANCE_NAME, Way

MOST_SLOTS = 8000
SCRIPT_AT, MOST_ACTIONS = 17048576, 97_000
"""The address of a script's actions, behind the journal, and the most actions there is room for."""
RUNTIME = Path(__file__).with_name("runtime.wat")


class TooLarge(TrucoError):
    """A graph that does not fit into a module."""


class WasmWriter(RuleWriter):
    """Generates the module of one graph."""

    runtime = ""
    """Functions in place of those of ``runtime.wat``."""
    small = 24
    """Functions of at most this many instructions are put where they are called."""
    doors: Collection[str] | None = None
    """The exports that are kept; all by default."""

    def source(self) -> str:
        """The text of the module. Raises :class:`TooLarge`."""
        self._must_fit()
        self._built()
        for number, table in enumerate(self.graph.tables.values()):
            self._table(f"t{number}", [p.type for p in table.params], table.answers)
        for define in self.graph.defines.values():
            function = Function(self.functions[define.name], [f"a{i}" for i in range(len(define.params))], "i64")
            env = {p.name: f"(local.get $a{i})" for i, p in enumerate(define.params)}
            self._put(function, self._answered(define.answers, env, function), define.name)
            key = remembered_by(self.graph, define)
            if key is not None and not key.endless:
                self._remember(define, key, env)
        for effect in self.graph.effects.values():
            function = Function(self.effects[effect.name], [f"a{i}" for i in range(len(effect.params))])
            env = {p.name: f"(local.get $a{i})" for i, p in enumerate(effect.params)}
            self._put(function, self._turned(effect.turns, env, function))
        for number, kind in enumerate(self.graph.actions.values()):
            function = Function(f"p{number}", self._given(kind.name), "i32")
            env = {"me": "(local.get $me)"} | {p.name: f"(local.get $a{j})" for j, p in enumerate(kind.params)}
            tests = [self._in_domain(f"$a{j}", p.type) for j, p in enumerate(kind.params)]
            tests += [self._expr(function).test(test, env) for test in conjuncts(kind.possible)]
            self._put(function, both(tests))
        for number, rule in self.facts.rules.items():
            self._rule(number, rule)
        for number, phase in enumerate(self.layout.phases):
            function = Function(f"open{number}")
            self._put(function, self._opening(phase, function))
        self._begin()
        self._then()
        self._phases()
        return self._module()

    def _must_fit(self) -> None:
        per_verb = (len(facts.may) + len(facts.bars) for verbs in self.facts.verbs for facts in verbs.values())
        sets = (datum.type.size for datum in self.graph.data.values() if datum.type.many)
        for what, count, most in (
            (Sentence("slots in its position"), self.layout.size, MOST_SLOTS),
            (Sentence("cards"), len(self.graph.cards), 63),
            (Sentence("kinds of action"), len(self.kinds), 255),
            (
                Sentence("arguments of an action"),
                max((len(kind.params) for kind in self.graph.actions.values()), default=0),
                2,
            ),
            (Sentence("rules about one action"), max(per_verb, default=0), 63),
            (
                Sentence("automatic rules in one phase"),
                max(map(len, (self.facts.once, *self.facts.autos)), default=0),
                63,
            ),
            (Sentence("members of a set"), max(sets, default=0), 63),
        ):
            if count > most:
                form = "{game}: Too large for a module: {what}: {count}, and there is room for {most}. Python plays it."
                raise TooLarge(Sentence(form, game=self.graph.name, what=what, count=count, most=most))

    def _module(self) -> str:
        runtime = RUNTIME.read_text(encoding="utf-8") + self.runtime
        low, high = (self._numbers(self._limits(at)) for at in (0, 1))
        pile = self._numbers([int(one) for one in self.layout.is_pile])
        known = {
            "POSITION": POSITION,
            "STAMPS": (stamps := self._room(2 * self.layout.size)),
            "VALUES": stamps + 8,
            "ADDED": (added := self._room(2 * self.layout.size)),
            "AMOUNTS": added + 8,
            "OPENING": self._room(self.layout.size),
            "SLOTS": self.layout.size,
            "CARDS": self.layout.cards_at,
            "LOW": low,
            "HIGH": high,
            "PILE": pile,
            "NONE": NONE,
            "DEPTH": DEPTH,
            "PAGES": self.free // 65536 + 1,
            "LASTPHASE": 8 * (DEPTH - 1) + POSITION,
            "SCRIPT": SCRIPT_AT,
        }
        runtime = re.sub(r"@([A-Z]+)", lambda found: str(known[found[1]]), runtime)
        functions = inlined(runtime + "\n".join(self.made), self.small, self.doors)
        return "\n".join(["(module", functions, *self.data, ")\n"])

    def _limits(self, at: int) -> list[int]:
        found = []
        for slot in range(self.layout.size):
            name = self.layout.names[slot]
            many = not name or self.layout.kind(slot).many or self.layout.kind(slot).place
            limit = (self.layout.low, self.layout.high)[at][slot]
            found.append((-(1 << 63), (1 << 63) - 1)[at] if many else limit)
        return found

    # ---- phases ------------------------------------------------------------------------------

    def _phases(self) -> None:
        self._automatic("once", self.facts.once)
        for phase, autos in enumerate(self.facts.autos):
            self._automatic(f"auto{phase}", autos)
            woken = when("(global.get $woken)", when("(call $once)", "(call $settle) (return)"))
            self._put(Function(f"settle_in{phase}"), f"{woken} {when(f'(call $auto{phase})', '(call $settle)')}")
            for verb, facts in self.facts.verbs[phase].items():
                self._verb(phase, verb, facts)
            self._legal(phase)
            self._draw(phase)
            drawn = (
                f"(if (result i32) (call $draw{phase}) (then (i32.const 1)) (else (call $legal{phase}) (i32.const 0)))"
            )
            self._put(Function(f"ready{phase}", [], "i32"), drawn)
        self._by_phase("auto_now", "auto", [], "i32", "(i32.const 0)")
        self._by_phase("legal_now", "legal", [], "", "")
        self._by_phase("ready_now", "ready", [], "i32", "(i32.const 0)")
        self._act()

    def _by_phase(self, name: str, each: str, params: Sequence[str], result: str, missed: str, first: str = "") -> None:
        """A function that calls the one of the phase on top."""
        args = " ".join(f"(local.get ${one})" for one in params)
        cases = {n: f"(return (call ${each}{n} {args}))" for n in range(len(self.layout.phases))}
        phase = f"(i32.wrap_i64 {_phase()})"
        self._put(Function(name, params, result), f"{first} {switch(cases, len(cases), phase)} {missed}")

    def _automatic(self, name: str, rules: Sequence[int]) -> None:
        """Fire the automatic rules that apply and are not beaten, as one step; whether there was any."""
        function = Function(name, [], "i32")
        if len(rules) == 2 and self.alone.keys() >= set(rules) and opposite(*(self.facts.rules[n].when for n in rules)):
            first, second = (f"(call $x{number} (i64.const -1)) {self._fired(number, name)}" for number in rules)
            either_way = f"(if (call $w{rules[0]}) (then {first}) (else {second}))"
            self._put(function, f"(global.set $woken (i32.const 0)) (call $note_step) {either_way} (i32.const 0)")
            return
        speaking, lines = function.local(), list[str]()
        for at, number in enumerate(rules):
            lines.append(marked(speaking, const(at), f"(call $w{number})"))
        lines.append(when(f"(i64.eqz (local.get {speaking}))", "(return (i32.const 0))"))
        lines += self._without_beaten(rules, speaking, function)
        lines += ["(global.set $woken (i32.const 0))", "(call $note_step)"]
        if name == "once":
            lines.append("(global.set $opened (i32.const 0))")  # a deal does not begin as ever
        for at, number in enumerate(rules):
            if number in self.alone:
                only = f"(i64.eq (local.get {speaking}) {const(1 << at)})"
                lines.append(when(only, f"(call $x{number} (i64.const -1)) {self._fired(number, name)}"))
        lines.append(reset())
        for at, number in enumerate(rules):
            lines.append(when(_marked(speaking, at), f"(call $do{number} (i64.const -1))"))
        self._put(function, " ".join([*lines, "(call $apply)", "(i32.const 1)"]))

    def _fired(self, number: int, name: str) -> str:
        """Return the result of an automatic rule that fired alone: whether the others are to be asked again."""
        return "(return (i32.const 1))"

    def _settled(self, way: Way | None, phase: int) -> str:
        """Automatic rules follow rules that fired at once in this phase: it is known which phase is on top."""
        if way is not None and not way.phase:
            return "(call $settle)"
        return f"(call $settle_in{phase if way is None else self.layout.number[way.phase]})"

    def _without_beaten(self, rules: Sequence[int], speaking: str, function: Function) -> list[str]:
        """Remove from a mask of rules those beaten by another in it."""
        names = {self.facts.rules[number].name: at for at, number in enumerate(rules)}
        beats = [sum(1 << names[name] for name in self.facts.rules[number].beats if name in names) for number in rules]
        if not any(beats):
            return []
        beaten = function.local()
        lines = [f"(local.set {beaten} (i64.const 0))"]
        lines += [when(_marked(speaking, at), beats_these(beaten, mask)) for at, mask in enumerate(beats) if mask]
        left = f"(i64.and (local.get {speaking}) (i64.xor (local.get {beaten}) (i64.const -1)))"
        return [*lines, f"(local.set {speaking} {left})"]

    def _spoken(self, number: int, verb: int) -> list[str]:
        """The conditions under which a rule speaks of this verb, one for each time that it names it."""
        args = " ".join(f"(local.get ${name})" for name in self._given(self.kinds[verb]))
        named = enumerate(self.facts.rules[number].verbs)
        return [f"(call $s{number}_{i} {args})" for i, one in named if one.action == self.kinds[verb]]

    def _verb(self, phase: int, verb: int, facts: VerbFacts) -> None:
        """``j``: the rules about an action that stand, as a mask; ``a``: do it."""
        rules = (*facts.may, *facts.bars)
        shape = [self.facts.rules[number].shape for number in rules]
        given = self._given(self.kinds[verb])
        function = Function(f"j{phase}_{verb}", given, "i64")
        speaking, lines = function.local(), []
        for at, number in enumerate(rules):
            spoken = either(self._spoken(number, verb))
            test = (
                spoken if shape[at] != "must" else both([f"(call $b{number} (local.get $me))", f"(i32.eqz {spoken})"])
            )
            lines.append(marked(speaking, const(at), test))
        lines += self._without_beaten(rules, speaking, function)
        masks = {
            word: sum(1 << at for at, one in enumerate(shape) if one == word) for word in ("may", "must", "must not")
        }
        if masks["must not"]:
            clash = both([_any(speaking, masks["may"]), _any(speaking, masks["must not"])])
            lines.append(when(clash, "(call $fault)"))
        self._put(function, " ".join([*lines, f"(local.get {speaking})"]))
        self._permitting(phase, verb, facts, masks)
        self._does(phase, verb, facts)
        self._tried(phase, verb, facts, masks)

    def _permitting(self, phase: int, verb: int, facts: VerbFacts, masks: Mapping[str, int]) -> None:
        """``k``: the rules that permit an action which one of them offers, as a mask; 0 if it is forbidden.

        All rules about it are weighed only where a bar that can forbid it speaks, or several rules permit it.
        """
        given = self._given(self.kinds[verb])
        function = Function(f"k{phase}_{verb}", given, "i64")
        function.locals.append("(local $m i64)")
        bars = masks["must"] | masks["must not"]
        permitted = both([_any("$m", masks["may"]), f"(i32.eqz {_any('$m', bars)})"])
        args = " ".join(f"(local.get ${name})" for name in given)
        weighed = f"(local.set $m (call $j{phase}_{verb} {args}))"
        weighed += f" (if (result i64) {permitted} (then (local.get $m)) (else (i64.const 0)))"
        sure = const(1)
        if len(facts.may) > 1:
            marks = [marked("$m", const(at), either(self._spoken(number, verb))) for at, number in enumerate(facts.may)]
            one = "(i64.eq (i64.popcnt (local.get $m)) (i64.const 1))"
            sure = f"{' '.join(marks)} (if (result i64) {one} (then (local.get $m)) (else {weighed}))"
        musts = [number for number in facts.live if self.facts.rules[number].shape == "must"]
        if musts:
            self._put(function, weighed)
        elif facts.live:
            spoken = either(test for number in facts.live for test in self._spoken(number, verb))
            self._put(function, f"(if (result i64) {spoken} (then {weighed}) (else {sure}))")
        else:
            self._put(function, sure)

    def _call(self, word: str, number: int, verb: int) -> str:
        """Call a function of a rule with the actor and the arguments of a verb; it may take more."""
        given = self._given(self.kinds[verb])
        count = max(len(self.graph.actions[one.action].params) for one in self.facts.rules[number].verbs)
        args = [*(f"(local.get ${name})" for name in given), *(const(0) for _ in range(count - len(given) + 1))]
        return f"(call ${word}{number} {' '.join(args)})"

    def _does(self, phase: int, verb: int, facts: VerbFacts) -> None:
        """``r``: the consequences of a permitted action, by the mask of the unbeaten rules about it."""
        function = Function(f"r{phase}_{verb}", [*self._given(self.kinds[verb]), "m"])
        lines = ["(global.set $woken (i32.const 0))", "(call $note_step)"]
        follows = {number: function.local("i32") for number in (*facts.alike, *facts.maybe)}
        lines += [f"(local.set {place} {either(self._spoken(n, verb))})" for n, place in follows.items()]
        others = either(f"(local.get {place})" for n, place in follows.items() if self.facts.rules[n].do)
        noted = [when(f"(local.get {place})", self._call("do", n, verb)) for n, place in follows.items()]
        for at, number in enumerate(facts.may):
            call, way = self._at_once(phase, verb, (number, *facts.sure))
            if call:
                only = [] if len(facts.may) == 1 else [f"(i64.eq (local.get $m) {const(1 << at)})"]
                gone = [call, *noted, self._settled(way, phase), "(return)"]
                lines.append(when(both([*only, f"(i32.eqz {others})"]), " ".join(gone)))
        lines.append(reset())
        lines += [when(_marked("$m", at), self._call("do", n, verb)) for at, n in enumerate(facts.may)]
        lines += [self._call("do", n, verb) for n in facts.sure]
        lines += [when(f"(local.get {place})", self._call("do", n, verb)) for n, place in follows.items()]
        self._put(function, " ".join([*lines, "(call $finish)"]))

    def _at_once(self, phase: int, verb: int, rules: Sequence[int]) -> tuple[str, Way | None]:
        """A call that makes the changes of all these rules, and where it goes; empty if they cannot be made at once."""
        doing = [number for number in rules if self.facts.rules[number].do]
        if len(doing) == 1 and doing[0] in self.alone:
            called = " ".join(self._call("x" if number in doing else "do", number, verb) for number in rules)
            return called, self.alone[doing[0]]
        given = self._given(self.kinds[verb])
        named = [[one for one in self.facts.rules[n].verbs if one.action == self.kinds[verb]] for n in rules]
        if len(doing) < 2 or any(len(verbs) > 1 for verbs in named):
            return "", None
        name = f"x{phase}_{verb}_{rules[0]}"
        changes = [(self.facts.rules[n].do, bound(verbs[0])) for n, verbs in zip(rules, named, strict=True)]
        text, way = self._direct(Function(name, given), changes, [line for n in rules for line in self._noted(n)])
        self.made += [text] if text else []
        return f"(call ${name} {' '.join(f'(local.get ${one})' for one in given)})" if text else "", way

    def _tried(self, phase: int, verb: int, facts: VerbFacts, masks: Mapping[str, int]) -> None:
        """``a``: do an action that may not be permitted; its status."""
        function = Function(f"a{phase}_{verb}", self._given(self.kinds[verb]), "i32")
        function.locals.append("(local $m i64)")
        args = " ".join(f"(local.get ${name})" for name in self._given(self.kinds[verb]))
        lines = [f"(local.set $m (call $j{phase}_{verb} {args}))"]
        for mask in (masks["must not"], masks["must"]):
            bars = [(at, n) for at, n in enumerate((*facts.may, *facts.bars)) if mask >> at & 1]
            paid = [when(_marked("$m", at), self._call("lest", n, verb)) for at, n in bars]
            told = [when(_marked("$m", at), f"(call $note {const(n)})") for at, n in bars]
            who = [_any("$m", mask)] if mask == masks["must not"] else [_any("$m", masks["may"]), _any("$m", mask)]
            if mask:
                refused = " ".join(["(call $note_step)", *told, "(return (i32.const 1))"])
                strict = when("(global.get $strict)", refused)
                pay = [strict, "(global.set $woken (i32.const 0))", reset(), "(call $note_step)", *paid]
                lines.append(when(both(who), " ".join([*pay, "(call $finish)", "(return (i32.const 1))"])))
        lines.append(when(f"(i32.eqz {_any('$m', masks['may'])})", "(return (i32.const 2))"))
        self._put(function, " ".join([*lines, f"(call $r{phase}_{verb} {args} (local.get $m))", "(i32.const 0)"]))

    def _legal(self, phase: int) -> None:
        """The permitted actions of a phase, at the end of the list."""
        function = Function(f"legal{phase}")
        function.locals.append("(local $from i32)")
        expr, lines = self._expr(function), list[str]()
        for verb, facts in self.facts.verbs[phase].items():
            if not self.facts.is_listed(facts):
                continue
            lines.append("(local.set $from (global.get $count))")
            for at, number in enumerate(facts.may):
                named = enumerate(self.facts.rules[number].verbs)
                lines.append(f"(global.set $listing {const(1 << at)})")
                lines += [f"(call $o{number}_{i})" for i, one in named if one.action == self.kinds[verb]]
            if len(facts.may) > 1 and not facts.alone:
                lines.append("(call $once_each (local.get $from))")
            doubts = [both(expr.test(test, {}) for test in self.facts.now[number]) for number in facts.live]
            if doubts or not facts.alone:
                sift = f"(call $sift{phase}_{verb} (local.get $from))"
                lines.append(when(either(doubts), sift) if facts.alone else sift)
                self._sift(phase, verb)
        self._put(function, " ".join(lines))

    def _sift(self, phase: int, verb: int) -> None:
        """Keep those of the listed actions, from a place on, that no bar forbids."""
        self.made.append(f"""(func $sift{phase}_{verb} (param $from i32)
  (local $to i32) (local $key i64) (local $mask i64)
  (local.set $to (local.get $from))
  (block $end (loop $again
    (br_if $end (i32.ge_u (local.get $from) (global.get $count)))
    (local.set $key (call $listed (local.get $from)))
    (local.set $from (i32.add (local.get $from) (i32.const 1)))
    (local.set $mask (call $k{phase}_{verb} {self._args(verb)}))
    (br_if $again (i64.eqz (local.get $mask)))
    (call $list (local.get $to) (local.get $key) (local.get $mask))
    (local.set $to (i32.add (local.get $to) (i32.const 1)))
    (br $again)))
  (global.set $count (local.get $to)))""")

    def _act(self) -> None:
        """``act``: try an action, given as one number. ``go_on``: do one that is listed, with its mask."""
        for kind, name in enumerate(self.kinds):
            given = " ".join(f"(local.get ${one})" for one in self._given(name))
            function = Function(f"sure_p{kind}", self._given(name), "i32")
            self._put(function, f"(call $unfaulted (call $p{kind} {given}))")
        for phase, verbs in enumerate(self.facts.verbs):
            known = {kind: f"(return (call $a{phase}_{kind} {self._args(kind)}))" for kind in verbs}
            listed = {
                kind: f"(call $r{phase}_{kind} {self._args(kind)} (local.get $m)) (return)"
                for kind, facts in verbs.items()
                if self.facts.is_listed(facts)
            }
            self._put(Function(f"act{phase}", ["key"], "i32"), f"{switch(known, len(self.kinds))} (i32.const 2)")
            self._put(Function(f"go_on{phase}", ["key", "m"]), switch(listed, len(self.kinds)))
        possible = {
            kind: f"(if (i32.eqz (call $sure_p{kind} {self._args(kind)})) (then (return (i32.const 3)))) (br $possible)"
            for kind in range(len(self.kinds))
        }
        first = f"(block $possible {switch(possible, len(self.kinds))} (return (i32.const 3)))"
        self._by_phase("act", "act", ["key"], "i32", "(i32.const 2)", first)
        self._by_phase("go_on", "go_on", ["key", "m"], "", "")

    def _args(self, kind: int) -> str:
        """The actor and the arguments of an action that is one number."""
        names = ["actor", *(f"arg{j}" for j in range(len(self.graph.actions[self.kinds[kind]].params)))]
        return " ".join(f"(call ${name} (local.get $key))" for name in names)

    # ---- draws -------------------------------------------------------------------------------

    def _draw(self, phase: int) -> None:
        """Draw for chance where only it can act, by the one verb that it may use now; whether anything was drawn."""
        offering = {verb: facts for verb, facts in self.facts.verbs[phase].items() if self.facts.is_listed(facts)}
        chance = all(
            self.facts.rules[number].outsider == CHANCE_NAME for facts in offering.values() for number in facts.may
        )
        params = [param.type for verb in offering for param in self.graph.actions[self.kinds[verb]].params]
        function, lines = Function(f"draw{phase}", [], "i32"), list[str]()
        if offering and chance and params and not any(kind.words for kind in params):
            expr, open_now = self._expr(function), []
            for verb, facts in offering.items():
                self._draw_by(phase, verb, facts)
                tests = [both(expr.test(test, {}) for test in self.facts.now[number]) for number in facts.may]
                open_now.append(function.local("i32"))
                lines.append(f"(local.set {open_now[-1]} {either(tests)})")
            several = _sum([f"(local.get {place})" for place in open_now])
            lines.append(when(f"(i32.ne {several} (i32.const 1))", "(return (i32.const 0))"))
            for verb, place in zip(offering, open_now, strict=True):
                lines.append(when(f"(local.get {place})", f"(return (call $draw{phase}_{verb}))"))
        self._put(function, " ".join([*lines, "(i32.const 0)"]))

    def _draw_by(self, phase: int, verb: int, facts: VerbFacts) -> None:
        """Try arguments at random until the action is permitted, at most a hundred times."""
        params = self.graph.actions[self.kinds[verb]].params
        function = Function(f"draw{phase}_{verb}", [], "i32")
        function.locals += ["(local $me i64)", "(local $m i64)", "(local $left i32)"]
        function.locals += [f"(local $a{j} i64)" for j in range(len(params))]
        args = " ".join(f"(local.get ${name})" for name in self._given(self.kinds[verb]))
        drawn = [f"(i64.extend_i32_u (call $drawn (i32.const {p.type.size})))" for p in params]
        chosen = " ".join(
            f"(local.set $a{j} (i64.add {const(p.type.low)} {one}))"
            for j, (p, one) in enumerate(zip(params, drawn, strict=True))
        )
        spoken = either(test for number in facts.may for test in self._spoken(number, verb))
        follows = f"(call $r{phase}_{verb} {args} (local.get $m)) (return (i32.const 1))"
        mask = f"(local.set $m (call $k{phase}_{verb} {args}))"
        permitted = f"{mask} {when('(i64.ne (local.get $m) (i64.const 0))', follows)}"
        tried = when(both([f"(call $sure_p{verb} {args})", spoken]), permitted)
        left = "(br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1))))"
        loop = f"(loop $again {chosen} {tried} {left})"
        self._put(function, f"(local.set $me (i64.const -1)) (local.set $left (i32.const 100)) {loop} (i32.const 0)")


def _sum(numbers: Sequence[str]) -> str:
    """The sum of 32-bit numbers."""
    total, *more = numbers
    for number in more:
        total = f"(i32.add {total} {number})"
    return total


def _marked(place: str, at: int) -> str:
    return _any(place, 1 << at)


def _any(place: str, mask: int) -> str:
    return f"(i64.ne (i64.and (local.get {place}) {const(mask)}) (i64.const 0))"


def _phase() -> str:
    return f"(i64.load offset={POSITION} (i32.const 0))"
