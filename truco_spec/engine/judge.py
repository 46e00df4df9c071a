"""The verdict on an action: the rules that speak of it, those beaten removed, and what the rest says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from truco_spec.engine.program import Position, Program, RuleCode, VerbRules, permitted_rules
from truco_spec.engine.support import ConflictError, RangeError

if TYPE_CHECKING:
    from truco_spec.engine.game import Action


class Ruling(NamedTuple):
    """``status`` is permitted, forbidden, not-offered or impossible.

    ``rules`` are those that permit it and follow from it, or those that forbid it; ``beaten`` those that lost to an exception.
    """

    status: str
    rules: tuple[RuleCode, ...]
    beaten: tuple[RuleCode, ...] = ()


class Judge:
    """Judges the actions of one compiled graph."""

    def __init__(self, program: Program) -> None:
        from truco_spec.engine.game import Action

        self.program = program
        self.kinds = list(program.graph.actions)
        self.action: Any = Action

    def legal(self, v: Position) -> dict[Action, tuple[RuleCode, ...]]:
        """Every permitted action, with the rules that permit it and follow from it."""
        found: dict[Action, tuple[RuleCode, ...]] = {}
        make, kinds = self.action, self.kinds
        verbs = self.program.verbs[v[0]]
        for rules in verbs.values():
            for rule in rules.may:
                offered: list[tuple[int, int, tuple[int, ...]]] = []
                assert rule.offers is not None
                rule.offers(v, offered)
                for actor, kind, args in offered:
                    verb = kinds[kind]
                    if verb != rules.verb:
                        continue
                    action = make(actor, verb, args)
                    if action in found:
                        continue
                    if rules.simple and not rules.follows:
                        found[action] = (rule,)
                    elif rules.simple:
                        found[action] = (rule, *self._following(rules, v, actor, args))
                    else:
                        ruling = self._weigh(rules, v, actor, args)
                        if ruling.status == "permitted":
                            found[action] = ruling.rules
        return found

    def rule_on(self, v: Position, action: Action) -> Ruling:
        """The ruling on one action, by whomever."""
        actor, verb, args = action
        kind = self.program.graph.actions.get(verb)
        if kind is None or len(args) != len(kind.params):
            return Ruling("impossible", ())
        for value, param in zip(args, kind.params, strict=True):
            words = [self.program.graph.words[word] for word in param.type.words]
            if not param.type.low <= value <= param.type.high and value not in words:
                return Ruling("impossible", ())
        if not -1 <= actor < self.program.graph.seats:
            return Ruling("impossible", ())
        if not self._possible(v, action):
            return Ruling("impossible", ())
        rules = self.program.verbs[v[0]].get(verb)
        if rules is None:
            return Ruling("not-offered", ())
        return self._weigh(rules, v, actor, args)

    def _possible(self, v: Position, action: Action) -> bool:
        """Is it physically possible? Where the question makes no sense, since what it asks of is not there, it is not."""
        actor, verb, args = action
        possible = self.program.possible[verb]
        if possible is None:
            return True
        try:
            return bool(possible(v, actor, *args))
        except (RangeError, IndexError, ValueError):
            return False

    def _following(self, rules: VerbRules, v: Position, actor: int, args: tuple[int, ...]) -> tuple[RuleCode, ...]:
        return tuple([r for r in rules.follows if r.speaks[rules.verb](v, actor, *args)])

    def _weigh(self, rules: VerbRules, v: Position, actor: int, args: tuple[int, ...]) -> Ruling:
        verb = rules.verb
        speaking = [r for r in rules.may if r.speaks[verb](v, actor, *args)]
        for rule in rules.bars:
            if rule.shape == "must not":
                if rule.speaks[verb](v, actor, *args):
                    speaking.append(rule)
            elif self._binds(rule, v, actor) and not rule.speaks[verb](v, actor, *args):
                speaking.append(rule)
        standing = permitted_rules(speaking)
        beaten = tuple([r for r in speaking if r not in standing])
        may = [r for r in standing if r.shape == "may"]
        bars = [r for r in standing if r.shape != "may"]
        # A must not is beaten by name only; a must that does not fit forbids what a may permits.
        forbidding = [r for r in bars if r.shape == "must not"]
        binding = [r for r in bars if r.shape == "must"]
        if may and forbidding:
            names = " and ".join([may[0].name, forbidding[0].name])
            raise ConflictError(f"{names} apply at once and disagree; say which beats the other with `except`")
        if forbidding:
            return Ruling("forbidden", tuple(forbidding), beaten)
        if may and binding:
            return Ruling("forbidden", tuple(binding), beaten)
        if may:
            return Ruling("permitted", (*may, *self._following(rules, v, actor, args)), beaten)
        return Ruling("not-offered", (), beaten)

    def _binds(self, rule: RuleCode, v: Position, actor: int) -> bool:
        """Does this must rule ask anything of the actor now: is there something that fits it?"""
        offered: list[tuple[int, int, tuple[int, ...]]] = []
        assert rule.offers is not None
        rule.offers(v, offered)
        return any(who == actor for who, _, _ in offered)
