"""Single changes of the rules: a statement removed, or one part of it removed or replaced.

A mutant is what an engine plays that has one thing wrong. The bench asks whether the corpus notices it, and ``fit``
whether an implementation plays it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial, reduce
from operator import ne
from typing import Any

from truco_spec.graph.link import Chain, Linked
from truco_spec.graph.linking.build import lower
from truco_spec.graph.model import NEVER, by_identity
from truco_spec.language import tree as t

ASKING = ("refuse", "special")
"""Kinds that have a condition; others can do without."""
WHOLE = ("rule", "refuse", "set", "special", "fault")
"""Kinds whose statements can be removed; of defines and effects only exceptions and replacements can."""
PLAYED = ("rule", "define", "effect", "table", "datum")
"""Kinds of the core that decide the game."""
_INSTEAD = {
    "and": "or",
    "or": "and",
    "first": "last",
    "last": "first",
    "highest": "lowest",
    "lowest": "highest",
    "some": "every",
    "every": "some",
    "is": "is not",
    "is not": "is",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
}
"""Words and signs that an engine may confuse."""
CHANCE, EVERYONE, ME, US, THEM = "chance", "everyone", "me", "us", "them"
"""Who acts, in the language of rules."""
OPPOSITE = {US: THEM, THEM: US}
"""The sides, each with the other one."""
SEAT, TEAM, NEXT, BEFORE, OTHER, RESUME, ASK = "seat", "team", "next", "before", "other", "resume", "ask"
TURNED = {NEXT: BEFORE, BEFORE: NEXT}
"""Who sits beside, in the language of rules; and the other side."""
COUNTED = {"highest": "sum", "lowest": "sum", "sum": "highest"}
"""What is made of the values of several things, in the language of rules; and what may be made instead."""
COMPARED = {"rank": "suit", "suit": "rank"}
"""What two cards are compared by; and what else."""
FRESH = "fresh"
"""The clause that says how long a datum is kept, in the language of rules."""
OFTEN = 10
"""The number of statements that speak of a seat that all know."""
TACIT = "tacit"
"""The clause of an action that need not be said."""
SEEN = ".seen"
"""The end of the name of who sees a datum."""
CHANGING = ("rule", "effect")
"""Kinds of the core that change something."""
YES, NO = "yes", "no"
"""The answers of a question that has no others."""
SLOT, NOTHING = "slot", "none"
"""The type of what holds one card, and its value without one."""
BY_EVERYONE, BY_NEXT = f"“by {EVERYONE}”", "“{first"
"""The beginnings of the descriptions of rules that let everybody act, or only the next of those who may."""
KEPT = f"without “{FRESH}"
"""The beginning of the description of what is not as at first again when the next deal or hand begins."""
ALWAYS = "always"
"""The description of a statement without its condition."""
ROWS = "rows"
"""The field of a table's rows."""
_NAMING = ("text", "name", "target", "place", "effect", "phase")
"""The fields of the tree that hold a name which is declared elsewhere."""
_Path = tuple[str | int, ...]
"""The names of fields, and indices in sequences, from the outermost on."""


_Cells = tuple[t.Name | t.Number | None, ...]
Edit = Callable[[t.Statement], t.Statement | None]
"""What is made of a statement; nothing, if it is removed."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement, and what is made of it. ``what`` describes the difference."""

    statement: t.Statement
    edit: Edit
    what: str
    deep: bool = False
    untabled: bool = False
    """Whether it is for diagnosis alone: no case need notice it, and no table knows it."""
    place: _Path = ()
    """Where it changes a row of a table or a value: beside it others may be changed."""
    also: tuple[Mutant, ...] = ()
    """The same change of other statements, made with it."""
    last: bool = False
    """Whether it only adds something to rules, also to those that others have changed."""

    @property
    def other(self) -> t.Statement | None:
        """The changed statement; None if it is removed."""
        return self.edit(self.statement)

    @property
    def each(self) -> tuple[Mutant, ...]:
        """The changes of the statements, this first."""
        return self, *self.also

    @property
    def names(self) -> frozenset[str]:
        """The names of the statements that it changes."""
        return frozenset(each.statement.name for each in self.each)

    def goes_with(self, other: Mutant) -> bool:
        """Whether both can change the rules: other statements, or rows or values of one, none in the other."""
        if self.last != other.last:
            return True
        return self.names.isdisjoint(other.names) or any(map(ne, self.place, other.place))

    def __str__(self) -> str:
        return f"{self.statement.kind} {self.statement.name}: {self.what}"


def mutants_of(statement: t.Statement) -> Iterator[Mutant]:
    """Return every mutant of a statement, the plainest first; ``deep`` ones change only a part of its effect."""
    bare = statement.excepts or statement.mode == "replace"
    if statement.kind in WHOLE or (statement.kind in ("define", "effect") and bare):
        yield Mutant(statement, becomes(None), "left out")
    for what, other in _changed(statement):
        yield Mutant(statement, becomes(other), what)
    for at, row in enumerate(statement.rows):
        yield Mutant(statement, _row(row), f"without the row {_cells(row)}", place=(ROWS, at))
    for what, other in _deeply_changed(statement):
        yield Mutant(statement, becomes(other), what, deep=True)


def becomes(other: t.Statement | None) -> Edit:
    """Return the edit that puts another statement, or none, in the place of one."""
    return lambda statement: other


def _row(old: _Cells, *new: _Cells) -> Edit:
    """Return the edit that puts other rows, or none, in the place of one."""

    def edit(statement: t.Statement) -> t.Statement:
        at = statement.rows.index(old)
        return replace(statement, rows=(*statement.rows[:at], *new, *statement.rows[at + 1 :]))

    return edit


def _putting(path: _Path, new: Any) -> Edit:
    return lambda statement: _put(statement, path, new)


def _doing(change: t.Change) -> Edit:
    """Return the edit by which a rule also makes this change, first."""

    def edit(rule: t.Statement) -> t.Statement:
        at, do = next((at, each) for at, each in enumerate(rule.clauses) if each.kind == "do")
        return _with(rule, at, replace(do, changes=(change, *do.changes)))

    return edit


def _for_diagnosis(statement: t.Statement, edit: Edit, what: str) -> Mutant:
    return Mutant(statement, edit, what, deep=True, untabled=True)


def mutants_in(chain: Chain) -> tuple[Mutant, ...]:
    """Return every mutant of a variant's statements, with its constructs desugared, in the order of its statements."""
    statements = (item.statement for item in lower(chain).items.values())
    return tuple(
        mutant
        for statement in statements
        if statement.kind in PLAYED and not statement.name.startswith(NEVER)
        for mutant in (*mutants_of(statement), *_exchanged(statement))
    )


def by_anyone(chain: Chain) -> Iterator[Mutant]:
    """Every rule that lets some players act, as one that lets everybody, also those whom a rule forbids it for being
    none of these; what holds one card takes no second one. No case need notice these, but an implementation that does
    not ask whose turn it is plays them.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    rules = [statement for statement in statements if statement.kind == "rule"]
    slots = {each.name for each in statements if each.type is not None and SLOT in map(said, each.type.kinds)}
    for rule in rules:
        for at, clause in enumerate(rule.clauses if _verdict(rule) == "may" else ()):
            if clause.kind == "by" and clause.expr is not None and (who := said(clause.expr)) not in (CHANCE, EVERYONE):
                bans = (each.name for each in rules if _bars_others(each, rule, who))
                excepts = tuple(dict.fromkeys((*rule.excepts, *bans)))
                anyone = _with(rule, at, replace(clause, expr=t.Name(EVERYONE, clause.expr.span)))
                other = _where_free(replace(anyone, excepts=excepts), slots)
                yield _for_diagnosis(rule, becomes(other), f"{BY_EVERYONE} in place of “by {who}”")


def by_others(chain: Chain) -> Iterator[Mutant]:
    """Every set of players who may act, are due or count, as another: only the first or the last of them, who has the
    turn, the other side; an answer after which it is the turn of who gave it, or of the next; and every question for
    the next player, as one for the player before.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    turn, sets = _turn(statements), _sets_of_seats(statements)
    yield from _turning(statements, turn)
    answers = _answers(statements, turn)
    teams = {each.name for each in statements if each.kind == "datum" and _is_of(each.type, TEAM)}
    for each in statements:
        if each.name.startswith(NEVER):
            continue
        for at, clause in enumerate(each.clauses if each.kind == "rule" and _verdict(each) == "may" else ()):
            if clause.kind == "by" and isinstance(clause.expr, t.Call):
                only = _one_of("first", clause.expr, t.Call(NEXT, (t.Name(turn),)))
                other = _with(each, at, replace(clause, expr=only))
                what = f"“{said(only)}” in place of “by {said(clause.expr)}”"
                yield _for_diagnosis(each, becomes(other), what)
            resumes = any(isinstance(change, t.Way) and change.word == RESUME for change in clause.changes)
            ends = resumes or (each in answers and bool(_ways(each)))
            for who in (t.Name(ME), t.Call(NEXT, (t.Name(ME),))) if ends and clause.kind == "do" else ():
                passed = t.Assign(turn, (), "=", who)
                yield _for_diagnosis(each, _doing(passed), f"with “{said(passed)}”")
        if each.kind != "define":
            continue
        if each.name in sets and each.value is not None:
            known = teams.union(param.name for param in each.params if _is_of(param.type, TEAM))
            for new in _other_seats(each.value, turn, known):
                what = f"“{said(new)}” in place of “{said(each.value)}”"
                yield _for_diagnosis(each, _putting(("value",), new), what)
        for path, old in _calls(each.value, ("value",)):
            if old.name in TURNED:
                turned = replace(old, name=TURNED[old.name])
                what = f"“{said(turned)}” in place of “{said(old)}”"
                yield _for_diagnosis(each, _putting(path, turned), what)


def _answers(statements: Sequence[t.Statement], turn: str, *, further: bool = True) -> list[t.Statement]:
    """Return the rules by which what is asked between turns is answered, by others than who has the turn; ``further``
    also what an answer asks in turn, but not where numbers are said.
    """
    interrupting = {each.name for each in statements if each.kind == "phase" and each.names}
    told = {each.name for each in statements if each.kind == "action" and any(map(_is_counted, each.params))}
    counting = {name for each in statements if not told.isdisjoint(_verbs(each)) for name in each.names}
    played = {name for each in statements if _by(each) == turn for name in each.names}
    asking = (each for each in statements if not played.isdisjoint(each.names))
    asked = {way.phase for each in asking for way in _ways(each) if way.word == ASK}
    while further and (new := _led_to(statements, asked) & (interrupting - counting - asked)):
        asked |= new
    told_by = (each for each in statements if _verdict(each) == "may" and asked.issuperset(each.names))
    return [each for each in told_by if _by(each) not in ("", turn) and each.clause("do") is not None]


def _led_to(statements: Iterable[t.Statement], phases: set[str]) -> set[str]:
    """Return the phases to which rules lead that hold in some of these alone."""
    return {way.phase for each in statements if phases.issuperset(each.names) for way in _ways(each)}


def _is_counted(param: t.Param) -> bool:
    """Whether an argument is a number."""
    return not any(isinstance(kind, t.Name) for kind in param.type.kinds)


def _turning(statements: Sequence[t.Statement], turn: str) -> Iterator[Mutant]:
    """Every answer as one after which it is the turn of who gave it, or of the next: all of them at once, since an
    engine does that in one place, also all that answers ask in turn, and all but those that are tacit; told by one that
    ends the asking.
    """
    tacit = {each.name for each in statements if each.clause(TACIT) is not None}
    plain, every = (_answers(statements, turn, further=further) for further in (False, True))
    aloud = [each for each in every if not _verbs(each) <= tacit]
    kinds = dict[tuple[str, ...], tuple[list[t.Statement], str]]()
    for some, which in ((plain, ""), (every, ", also to what an answer asks"), (aloud, " that is said")):
        kinds.setdefault(tuple(each.name for each in some), (some, which))
    for some, which in kinds.values():
        ending = [each for each in some if any(way.word == RESUME for way in _ways(each))]
        if len({each.names for each in ending}) < 2:
            continue
        for who in (t.Name(ME), t.Call(NEXT, (t.Name(ME),))):
            passed = t.Assign(turn, (), "=", who)
            what = f"“{said(passed)}” after every answer{which}"
            told, *also = (
                _for_diagnosis(each, _doing(passed), what)
                for each in sorted(some, key=lambda each: each is not ending[0])
            )
            yield replace(told, also=tuple(also), last=True)


def _by(rule: t.Statement) -> str:
    """Return who acts by a rule."""
    clause = rule.clause("by")
    return said(clause.expr) if clause is not None and clause.expr is not None else ""


def _ways(statement: t.Statement) -> list[t.Way]:
    return [change for clause in statement.clauses for change in clause.changes if isinstance(change, t.Way)]


def _turn(statements: Sequence[t.Statement]) -> str:
    """Return the name of the seat by which most rules act."""
    acting = Counter(
        clause.expr.text
        for rule in statements
        for clause in (rule.clauses if rule.kind == "rule" else ())
        if clause.kind == "by" and isinstance(clause.expr, t.Name)
    )
    seats = {each.name for each in statements if each.kind == "datum"}
    return next((name for name, _ in acting.most_common() if name in seats), "")


def _is_of(type_: t.TypeText | None, name: str) -> bool:
    return type_ is not None and any(isinstance(kind, t.Name) and kind.text == name for kind in type_.kinds)


def _sets_of_seats(statements: Sequence[t.Statement]) -> Set[str]:
    """Return the questions that are answered with a set of seats, as far as the text shows; not who sees what."""
    values = {each.name: each.value for each in statements if each.kind == "define"}
    seen = {each.name for each in statements if any(name.endswith(SEEN) for name in each.excepts)}
    found = set[str]()

    def is_set(value: t.Expr | None) -> bool:
        match value:
            case t.Quant(word="all", binders=(t.Binder(domain=domain),)):
                return domain == SEAT
            case t.SetOf():
                return True
            case t.Call(name=name) | t.Name(text=name):
                return name in found
            case t.Arith(left=left):
                return is_set(left)
        return False

    while new := {name for name, value in values.items() if is_set(value)} - found:
        found |= new
    return found - seen


def _one_of(word: str, of: t.Expr, start: t.Expr) -> t.SetOf:
    """Return the first, or last, of a set of seats, counted from one of them."""
    match of:
        case t.Quant(word="all", binders=(t.Binder(start=None) as who,)):
            body = of.body if of.where is None else of.where
            return t.SetOf((t.Quant(word, (replace(who, start=start),), None, body),))
    return t.SetOf((t.Quant(word, (t.Binder(SEAT, _free_name(of), of, start),), None, None),))


def _other_seats(value: t.Expr, turn: str, teams: Set[str]) -> Iterator[t.Expr]:
    """Yield other sets of seats in the place of one: one of several, who has the turn, the other side."""
    for start in (t.Call(NEXT, (t.Name(turn),)), t.Name(turn)) if not isinstance(value, t.SetOf) else ():
        for word in ("first", "last"):
            yield _one_of(word, value, start)
    if (due := t.SetOf((t.Name(turn),))) != value:
        yield due
    match value:
        case t.Call(args=(t.Name(text=team),)) if team in teams:
            yield replace(value, args=(t.Call(OTHER, value.args),))


def by_values(chain: Chain) -> Iterator[Mutant]:
    """Every change and every answer with another value of the same kind in the place of one: the other side, a datum of
    the same construct; what is paid, as that would be; what is reported, as it is without an exception; and a change
    that is not made in one of the phases of its rule.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    groups = defaultdict[tuple[str, object], list[str]](list)
    for each in statements:
        construct, dot, _ = each.name.partition(".")
        if each.kind == "datum" and dot and each.type is not None and not each.params:
            first = each.type.kinds[0]
            groups[construct, first if isinstance(first, t.Name) else type(first)].append(each.name)
    beside = {name: [other for other in of if other != name] for of in groups.values() for name in of}
    beside |= {one: [other] for one, other in OPPOSITE.items()}

    def others(value: t.Expr) -> Iterator[tuple[_Path, t.Name, t.Name]]:
        for path, old in _nodes(value, ()):
            if isinstance(old, t.Name):
                yield from ((path, old, replace(old, text=other)) for other in beside.get(old.text, ()))

    asking = [each for each in statements if each.kind == "define" and not each.params]
    plain = {each.name: each.value for each in asking if each.value is not None}
    less = defaultdict[str, list[t.Expr]](list, {name: [answer] for name, answer in plain.items()})
    answers = defaultdict[str, list[t.Expr]](list)
    for each in (each for each in asking if each.name in plain):
        answer, when = plain[each.name], each.when
        for name in (each.name, *each.excepts):
            answers[name] += (_put(answer, path, new) for path, _, new in others(answer))
        if when is not None:
            for name in filter(plain.__contains__, each.excepts):
                less[name].append(t.Choose(plain[name], when, t.Name(name)))
    for each in statements:
        if each.kind not in (*CHANGING, "define") or each.name.startswith(NEVER):
            continue
        for at, value in _values(each):
            asked = (answers if each.kind in CHANGING else less)[value.text] if isinstance(value, t.Name) else []
            for path, old, new in (*others(value), *(((), value, answer) for answer in asked)):
                what = f"“{said(new)}” in place of “{said(old)}”"
                yield _for_diagnosis(each, _putting((*at, *path), new), what)
            change: Any = reduce(_part, at[:-1], each)
            if isinstance(change, t.Assign) and change.sign == "=" and not change.args and len(each.names) > 1:
                for phase in each.names:
                    kept = t.Choose(t.Name(change.target), t.During(phase), value)
                    what = f"without “{said(change)}” in {phase}"
                    yield _for_diagnosis(each, _putting(at, kept), what)


def by_scores(chain: Chain) -> Iterator[Mutant]:
    """Everything that is added to what a side has, as added to what the other one has: each by itself, and all at once;
    every number that a side is paid, or gives up, as twice as much, one more or one less; and every condition that
    something has been reached, as one that it is exact.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    of_teams = {each.name for each in statements if each.params and _is_of(each.params[0].type, TEAM)}
    added = defaultdict[str, list[Mutant]](list)
    for each in (statement for statement in statements if statement.kind in CHANGING):
        for path, old in _nodes(each.clauses, ("clauses",)):
            yield from _paid_otherwise(each, path, old)
            match old:
                case t.Assign(sign="+=", args=(side,)) if old.target in of_teams:
                    new = side.args[0] if isinstance(side, t.Call) and side.name == OTHER else t.Call(OTHER, (side,))
                    what = f"“{said(replace(old, args=(new,)))}” in place of “{said(old)}”"
                    added[old.target].append(_for_diagnosis(each, _putting((*path, "args"), (new,)), what))
                case t.Compare(relation=">="):
                    new = replace(old, relation="is")
                    yield _for_diagnosis(each, _putting(path, new), f"“{said(new)}” in place of “{said(old)}”")
    for alike in added.values():
        yield from alike
        first, *also = {each.statement.name: each for each in alike}.values()
        if also:
            yield replace(first, what=f"{first.what}, and so in {_named(also)}", also=tuple(also))


def _paid_otherwise(statement: t.Statement, path: _Path, change: Any) -> Iterator[Mutant]:
    """Twice as much, one more and one less in the place of a computed number that a side is paid, or gives up."""
    match change:
        case t.Assign(sign="+=", args=(_,), value=value):
            at: _Path = ("value",)
        case t.Apply(args=(_, value)):
            at = ("args", 1)
        case _:
            return
    more = [t.Arith(sign, value, t.Number(1)) for sign in "+-"]
    for new in (t.Arith("*", t.Number(2), value), *more) if not isinstance(value, t.Number) else ():
        what = f"“{said(new)}” in place of “{said(value)}”"
        yield _for_diagnosis(statement, _putting((*path, *at), new), what)


def _named(mutants: Iterable[Mutant]) -> str:
    return ", ".join(each.statement.name for each in mutants)


def by_endings(chain: Chain) -> Iterator[Mutant]:
    """Every answer that gives up the hand, as one after which it goes on, with what is paid or without; every one that
    is paid, after which it goes on, as one that ends it, for those who are paid or for nobody: each by itself, and all
    at once that a text pays in the same way. A hand that nobody wins, as one that a side gives up; and what leads to a
    phase, as leading to the next.
    """
    items = lower(chain).items
    statements = [item.statement for item in items.values()]
    between = {each.name for each in statements if each.kind == "phase" and each.names}
    effects = {each.name: each for each in statements if each.kind == "effect" and not each.excepts}
    teams = {each.name for each in statements if each.params and _is_of(each.params[0].type, TEAM)}
    conceding = {
        name: each for name, each in effects.items() if any(way.phase for way in _ways(each)) and _added(each, [])
    }
    alike = defaultdict[tuple[str, ...], list[Mutant]](list)
    for rule in (each for each in statements if each.kind == "rule" and between.issuperset(each.names)):
        for at, clause in enumerate(rule.clauses if rule.names else ()):
            changes = clause.changes if clause.kind == "do" else ()
            payer, paid = _paid(changes, teams - conceding.keys())
            for n, old in enumerate(changes):
                instead = list[tuple[t.Change, ...]]()
                if isinstance(old, t.Apply) and old.effect in conceding:
                    bare = t.Way(RESUME, "")
                    instead = [(*_added(conceding[old.effect], old.args), bare), (bare,)]
                elif isinstance(old, t.Way) and old.word == RESUME and paid is not None:
                    for effect in conceding.values():
                        args = (_opposite(paid), *(t.Number(0) for _ in effect.params[1:]))
                        instead += [(t.Apply(effect.name, args),), (_ways(effect)[-1],)]
                for new in instead:
                    what = f"“{_listed(new)}” in place of “{said(old)}”"
                    path: _Path = ("clauses", at, "changes")
                    each = _for_diagnosis(rule, _putting(path, (*changes[:n], *new, *changes[n + 1 :])), what)
                    ending = new[-1].effect if isinstance(new[-1], t.Apply) else said(new[-1])
                    alike[items[rule.name].lineage[-1], payer, ending, str(len(new))].append(each)
    for same in alike.values():
        yield from same
        if len(same) > 1:
            yield replace(same[0], what=f"{same[0].what}, and so in {_named(same[1:])}", also=tuple(same[1:]))
    seats, nobody = _seats_for_all(chain), _nobody(statements)
    ends = {way.phase for effect in conceding.values() for way in _ways(effect)}
    further = sorted({way.phase for each in statements if not ends.isdisjoint(each.names) for way in _ways(each)})
    told = {name: {each.target for each in _assigned(effect)} for name, effect in conceding.items()}
    for rule in (each for each in statements if each.kind in CHANGING and not each.name.startswith(NEVER)):
        for at, clause in enumerate(rule.clauses):
            for n, way in enumerate(clause.changes):
                if not isinstance(way, t.Way) or way.phase not in ends:
                    continue
                for phase in further:
                    what = f"“{way.word} {phase}” in place of “{said(way)}”"
                    yield _for_diagnosis(rule, _putting(("clauses", at, "changes", n, "phase"), phase), what)
            gone = {each.target for each in _assigned(rule) if said(each.value) in nobody}
            for name in (name for name, targets in told.items() if clause.kind == "do" and targets & gone):
                given = _most_given(statements, name)
                for seat in seats:
                    gives_up = t.Apply(name, (t.Call(OTHER, (t.Call(TEAM, (seat,)),)), *given))
                    what = f"“{said(gives_up)}” in place of “{_listed(clause.changes)}”"
                    yield _for_diagnosis(rule, _putting(("clauses", at, "changes"), (gives_up,)), what)


def _assigned(statement: t.Statement) -> list[t.Assign]:
    return [each for clause in statement.clauses for each in clause.changes if isinstance(each, t.Assign)]


def _most_given(statements: Iterable[t.Statement], effect: str) -> tuple[t.Expr, ...]:
    """Return what an effect is mostly given, beside a side."""
    changes = (change for each in statements for clause in each.clauses for change in clause.changes)
    given = Counter(each.args[1:] for each in changes if isinstance(each, t.Apply) and each.effect == effect)
    return given.most_common(1)[0][0] if given else ()


def _opposite(team: t.Expr) -> t.Expr:
    """Return the other side of one."""
    if isinstance(team, t.Name) and team.text in OPPOSITE:
        return replace(team, text=OPPOSITE[team.text])
    return team.args[0] if isinstance(team, t.Call) and team.name == OTHER else t.Call(OTHER, (team,))


def _paid(changes: Sequence[t.Change], teams: Set[str]) -> tuple[str, t.Expr | None]:
    """Return what pays a team in these changes, and the team."""
    for change in changes:
        match change:
            case t.Assign(sign="+=", args=(team,)) if change.target in teams:
                return change.target, team
            case t.Apply(args=(team, *_)) if change.effect in teams:
                return change.effect, team
    return "", None


def _added(effect: t.Statement, args: Sequence[t.Expr]) -> tuple[t.Change, ...]:
    """Return what an effect adds, given these."""
    given = {param.name: value for param, value in zip(effect.params, args, strict=False)}
    added = (putting(each, given) for each in _assigned(effect) if each.sign == "+=")
    return tuple(replace(each, args=tuple(map(_in_short, each.args))) for each in added)


def _in_short(team: t.Expr) -> t.Expr:
    """Return “them” for the other side of “us”."""
    return _opposite(team.args[0]) if isinstance(team, t.Call) and team.name == OTHER else team


def putting(node: Any, values: Mapping[str, t.Expr]) -> Any:
    """Return the node with values in the place of names."""
    for path, each in list(_nodes(node, ())):
        if isinstance(each, t.Name) and each.text in values:
            node = _put(node, path, values[each.text])
    return node


def by_seats(chain: Chain) -> Iterator[Mutant]:
    """Every seat that is singled out, as the next one; and what is nobody's, such as a tie, as the side of a seat
    that all know, or always of the same.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    asking = [each for each in statements if each.kind in (*CHANGING, "define") and not each.name.startswith(NEVER)]
    seats, nobody = _seats_for_all(chain), _nobody(statements)
    sided = {each.name for each in statements if each.kind == "define" and _is_of(each.type, TEAM)}
    for each in asking:
        value = each.value
        if each.kind == "define" and isinstance(value, t.Quant) and _is_of_seats(value):
            yield _answering(each, ("value",), value, t.Call(NEXT, (value,)))
        if isinstance(value, t.Name) and value.text in nobody and not sided.isdisjoint((each.name, *each.excepts)):
            sides = [t.Call(TEAM, (seat,)) for seat in seats]
            yield from (_answering(each, ("value",), value, side) for side in sides)


def _is_of_seats(value: t.Quant) -> bool:
    return value.word in ("first", "last") and value.binders[0].domain == SEAT


def _name_of(node: Any) -> str:
    return node.text if isinstance(node, t.Name) else ""


def _seats_for_all(chain: Chain) -> list[t.Expr]:
    """Return the seats that all know, and one that is always the same."""
    same = t.Quant("first", (t.Binder(SEAT, "x", None, None),), None, None)
    return [*map(t.Name, known_seats(chain)), same]


def _nobody(statements: Iterable[t.Statement]) -> Set[str]:
    """Return the answers to which side something goes that are none, such as a tie."""
    types = [each.type for each in statements if each.type is not None and _is_of(each.type, TEAM)]
    return {said(kind) for type_ in types for kind in type_.kinds} - {TEAM}


@by_identity(8)
def known_seats(chain: Chain) -> list[str]:
    """Return the names of seats that are somebody's at any time, such as the dealer, and who sits beside one of these,
    as far as several statements speak of them.
    """
    statements = [item.statement for item in lower(chain).items.values()]
    plain = {each.name: each for each in statements if not (each.params or each.excepts or each.when)}
    held = {
        name for name, each in plain.items() if each.type is not None and list(map(said, each.type.kinds)) == [SEAT]
    }

    def is_beside(value: t.Expr | None) -> bool:
        match value:
            case t.Call(args=(t.Name(text=name),)):
                return name in held
            case t.Quant(word="first", binders=(t.Binder(start=t.Call() as start),), where=None, body=None):
                return is_beside(start)
        return False

    beside = {name for name, each in plain.items() if each.kind == "define" and is_beside(each.value)}
    known = {name for name in held if plain[name].kind == "datum"} | beside
    asked = Counter(name for each in statements for name in {*map(_name_of, t.nodes(each))} & known)
    return [name for name, times in asked.most_common() if times >= OFTEN]


def by_answers(chain: Chain) -> Iterator[Mutant]:
    """Every set without one of its members, every sum without its first part, what is counted of all for the most, and
    the other way round, and two cards compared by their ranks for their suits; and every question that is answered with
    yes or no, as one that always has the same answer, or that asks of one player what is to be asked of all, or of any.
    """
    for each in (item.statement for item in lower(chain).items.values()):
        if each.kind != "define" or each.value is None or each.name.startswith(NEVER):
            continue
        for path, old in _nodes(each.value, ("value",)):
            match old:
                case t.SetOf(items=items) if len(items) > 1:
                    for at in range(len(items)):
                        yield _answering(each, path, old, replace(old, items=items[:at] + items[at + 1 :]))
                case t.Arith(sign="+"):
                    yield _answering(each, path, old, old.right)
                case t.Quant(word=word, body=body) if word in COUNTED and body is not None:
                    yield _answering(each, path, old, replace(old, word=COUNTED[word]))
                case t.Compare(left=t.Call() as one, right=t.Call() as other) if one.name == other.name in COMPARED:
                    one, other = (replace(call, name=COMPARED[call.name]) for call in (one, other))
                    yield _answering(each, path, old, replace(old, left=one, right=other))
        if not isinstance(each.value, (t.Compare, t.Logic)):
            continue
        for answer in (YES, NO):
            yield _answering(each, ("value",), each.value, t.Name(answer))
        if len(each.params) == 1 and _is_of(each.params[0].type, SEAT):
            name = _free_name(each.value)
            asked = putting(each.value, {each.params[0].name: t.Name(name)})
            for word in ("every", "some"):
                of = t.Quant(word, (t.Binder(SEAT, name, None, None),), None, asked)
                yield _answering(each, ("value",), each.value, of)


def in_several(chain: Chain) -> Iterator[Mutant]:
    """Every part of the condition by which something may be done that also stands in those of other rules about it,
    left out of all of them.
    """
    parts = defaultdict[str, list[Mutant]](list)
    for rule in (item.statement for item in lower(chain).items.values() if item.statement.kind == "rule"):
        for what, other in _changed(rule):
            parts[what].append(_for_diagnosis(rule, becomes(other), what))
    del parts[ALWAYS]
    for what, same in parts.items():
        for one in (each for each in same if _verdict(each.statement) == "may"):
            verbs = _verbs(one.statement)
            also = tuple(each for each in same if each is not one and not verbs.isdisjoint(_verbs(each.statement)))
            if also:
                yield replace(one, what=f"{what}, also in {_named(also)}", also=also)


def _free_name(node: t.Expr) -> str:
    return next(name for name in ("x", "y", "z") if name not in mentioned(node))


def _answering(statement: t.Statement, path: _Path, old: t.Expr, new: t.Expr) -> Mutant:
    what = f"“{said(new)}” in place of “{said(old)}”"
    return _for_diagnosis(statement, _putting(path, new), what)


def conditional(rule: t.Statement, part: t.Expr) -> Mutant:
    """Return the change by which a rule holds only where this does, too."""
    return _for_diagnosis(rule, becomes(_when_also(rule, [part])), f"with “{said(part)}”")


def constant(chain: Chain, at: int, which: int, number: int) -> Mutant:
    """Return the change of a statement, by its number, that puts this number in the place of one of its values."""
    statement = [*lower(chain).items.values()][at].statement
    path, old = [*_numbers(statement)][which]
    what = f"“{number}” in place of “{said(old)}”"
    return _for_diagnosis(statement, _putting(path, t.Number(number)), what)


def computed(chain: Chain, names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the values of these statements that may be computed numbers, as :func:`constant` has them, those of the
    first statements first.
    """
    for at, which, value in _numbers_in(chain, names):
        if isinstance(value, (t.Name, t.Call, t.Arith, t.Choose)) and said(value) not in (US, THEM, ME):
            yield at, which


def written(chain: Chain, names: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yield the numbers written in the values of these statements, as :func:`constant` has them, and each number."""
    for at, which, value in _numbers_in(chain, names):
        if isinstance(value, t.Number):
            yield at, which, value.value


def _numbers_in(chain: Chain, names: Sequence[str]) -> Iterator[tuple[int, int, t.Expr]]:
    items = lower(chain).items
    at = {name: number for number, name in enumerate(items)}
    for name in names:
        statement = items[name].statement if name in items else None
        if statement is not None and statement.kind in (*CHANGING, "define"):
            for which, (_, value) in enumerate(_numbers(statement)):
                yield at[name], which, value


def _numbers(s: t.Statement) -> Iterator[tuple[_Path, t.Expr]]:
    """Yield the values of a statement, then the numbers written in that of a question."""
    yield from _values(s)
    if s.kind == "define" and not isinstance(s.value, t.Number):
        yield from ((path, each) for path, each in _nodes(s.value, ("value",)) if isinstance(each, t.Number))


def _values(s: t.Statement) -> Iterator[tuple[_Path, t.Expr]]:
    """Yield the value of a question, and what changes put anywhere, or an effect is given."""
    if s.kind == "define" and s.value is not None:
        yield ("value",), s.value
    for at, clause in enumerate(s.clauses):
        for number, change in enumerate(clause.changes if clause.kind == "do" else ()):
            path: _Path = ("clauses", at, "changes", number)
            if isinstance(change, t.Assign):
                yield (*path, "value"), change.value
            for which, value in enumerate(change.args if isinstance(change, t.Apply) else ()):
                yield (*path, "args", which), value


def _nodes(part: Any, path: _Path) -> Iterator[tuple[_Path, Any]]:
    """Yield every node in the part of a statement at the end of a path, each before what is in it."""
    left = [(path, part)]
    while left:
        at, each = left.pop()
        kind: type = type(each)
        if kind is tuple:
            left += reversed([((*at, number), item) for number, item in enumerate(each)])
        elif names := t.fields_of(kind):
            yield at, each
            if kind is not t.Verb:
                left += [((*at, name), getattr(each, name)) for name in reversed(names)]


def _calls(node: Any, path: _Path) -> Iterator[tuple[_Path, t.Call]]:
    """Yield the calls in the node at the end of a path."""
    return ((at, each) for at, each in _nodes(node, path) if isinstance(each, t.Call))


def _where_free(rule: t.Statement, slots: Set[str]) -> t.Statement:
    """Return the rule only where the slots to which it moves cards are empty."""
    moves = [change for clause in rule.clauses for change in clause.changes if isinstance(change, t.Move)]
    free: list[t.Expr] = [
        t.Compare("is", t.Call(move.place, move.args) if move.args else t.Name(move.place), t.Name(NOTHING))
        for move in moves
        if move.place in slots
    ]
    return _when_also(rule, free) if free else rule


def _when_also(rule: t.Statement, parts: Sequence[t.Expr]) -> t.Statement:
    """Return the rule only where all of these hold, too."""
    when = rule.clause("when")
    if when is not None and when.expr is not None:
        return _with(rule, rule.clauses.index(when), replace(when, expr=_joined("and", [when.expr, *parts])))
    at = next((number for number, clause in enumerate(rule.clauses) if clause.kind == "do"), len(rule.clauses))
    clause = t.Clause("when", expr=_joined("and", parts), span=rule.span)
    return replace(rule, clauses=(*rule.clauses[:at], clause, *rule.clauses[at:]))


def _verdict(rule: t.Statement) -> str:
    clause = rule.clause("verdict")
    return clause.word if clause is not None else ""


def _verbs(rule: t.Statement) -> set[str]:
    return {verb.name for clause in rule.clauses for verb in clause.verbs}


def _bars_others(ban: t.Statement, rule: t.Statement, who: str) -> bool:
    """Whether one rule forbids what the other permits ``who``, to those who are not."""
    if _verdict(ban) != "must not" or _verbs(ban).isdisjoint(_verbs(rule)) or {*ban.names}.isdisjoint(rule.names):
        return False
    when = ban.clause("when")
    parts = _flat(when.expr, "and") if when is not None and when.expr is not None else []
    return not {f"{ME} is not {who}", f"{ME} not in {who}"}.isdisjoint(map(said, parts))


def mutated(chain: Chain, mutants: Sequence[Mutant]) -> Chain:
    """Return the chain of a variant with these changes. Its constructs are desugared."""
    items, sets = dict(lower(chain).items), dict(chain.sets)
    for mutant in sorted(mutants, key=lambda mutant: mutant.last):
        for part in mutant.each:
            name = part.statement.name
            if part.statement.kind == "set":
                del sets[name]
            elif mutant.last and name not in items:
                continue  # it was to add to a rule that was removed
            elif (other := part.edit(items[name].statement)) is not None:
                items[name] = replace(items[name], statement=other)
            else:
                items = _without(items, name)
    return replace(chain, items=items, sets=sets, parts={})


def _without(items: Mapping[str, Linked], name: str) -> dict[str, Linked]:
    """Return the statements without one, which is no exception to others any more."""
    left = {key: item for key, item in items.items() if key != name}
    for key, item in left.items():
        if name in item.statement.excepts:
            excepts = tuple(each for each in item.statement.excepts if each != name)
            left[key] = replace(item, statement=replace(item.statement, excepts=excepts))
    return left


# ---- less ----------------------------------------------------------------------------------------


def _changed(s: t.Statement) -> Iterator[tuple[str, t.Statement]]:
    """Another default, a condition without a part or gone."""
    for i, choice in enumerate(s.choices if s.kind == "option" else ()):
        if not choice.default:
            stars = tuple(replace(c, default=n == i) for n, c in enumerate(s.choices))
            yield f"{said(choice.value)} is the default", replace(s, choices=stars)
    if s.kind == "set":
        return
    if s.when is not None:
        if s.kind not in ASKING:
            yield ALWAYS, replace(s, when=None)
        for what, less in _less(s.when):
            yield what, replace(s, when=less)
    for i, clause in enumerate(s.clauses):
        if clause.kind == "when" and clause.expr is not None:
            if s.kind not in ASKING:
                yield ALWAYS, replace(s, clauses=s.clauses[:i] + s.clauses[i + 1 :])
            for what, less in _less(clause.expr):
                yield what, _with(s, i, replace(clause, expr=less))


def _deeply_changed(s: t.Statement) -> Iterator[tuple[str, t.Statement]]:
    """A question without a part, an exception to less, a rule in fewer phases, for fewer verbs, that changes less; what
    is not as at first again when the next deal or hand begins.
    """
    if s.kind == "define" and s.value is not None:
        for what, less in _less(s.value):
            yield what, replace(s, value=less)
    if s.kind in ("rule", "define", "effect"):
        for name in s.excepts if len(s.excepts) > 1 else ():
            yield f"no exception to {name}", replace(s, excepts=tuple(e for e in s.excepts if e != name))
    if s.kind == "rule":
        for name in s.names if len(s.names) > 1 else ():
            yield f"not in {name}", replace(s, names=tuple(n for n in s.names if n != name))
    for i, clause in enumerate(s.clauses):
        if clause.kind == FRESH:
            yield f"{KEPT} each {clause.word}”", replace(s, clauses=s.clauses[:i] + s.clauses[i + 1 :])
        for what, fewer in _clauses(clause):
            yield what, replace(s, clauses=s.clauses[:i] + fewer + s.clauses[i + 1 :])


def _clauses(clause: t.Clause) -> Iterator[tuple[str, tuple[t.Clause, ...]]]:
    for i, verb in enumerate(clause.verbs if len(clause.verbs) > 1 else ()):
        yield f"not for {verb.name}", (replace(clause, verbs=clause.verbs[:i] + clause.verbs[i + 1 :]),)
    if clause.kind in ("do", "lest"):
        for i, change in enumerate(clause.changes):
            if not isinstance(change, t.Way):
                less = clause.changes[:i] + clause.changes[i + 1 :]
                yield f"without “{said(change)}”", (replace(clause, changes=less),) if less else ()


def _less(e: t.Expr) -> Iterator[tuple[str, t.Expr]]:
    """The expression with one part of it left out, each part in turn."""
    if isinstance(e, t.Logic):
        parts = _flat(e, e.word)
        for i, part in enumerate(parts):
            yield f"without “{said(part)}”", _joined(e.word, parts[:i] + parts[i + 1 :])
            for what, less in _less(part):
                yield what, _joined(e.word, [*parts[:i], less, *parts[i + 1 :]])
        return
    if isinstance(e, t.Choose):
        yield f"never “{said(e.then)}”", e.other
        yield f"always “{said(e.then)}”", e.then
    elif isinstance(e, t.Arith):
        yield f"without “{said(e.right)}”", e.left
    for name in _PARTS.get(type(e), ()):
        inner = getattr(e, name)
        for what, less in _less(inner) if inner is not None else ():
            changed: dict[str, Any] = {name: less}
            yield what, replace(e, **changed)


_PARTS: Mapping[type, tuple[str, ...]] = {
    t.Choose: ("then", "test", "other"),
    t.Not: ("item",),
    t.Arith: ("left", "right"),
    t.Quant: ("where", "body"),
}
"""The parts of an expression that can be reduced."""


def _flat(e: t.Expr, word: str) -> list[t.Expr]:
    if isinstance(e, t.Logic) and e.word == word:
        return [*_flat(e.left, word), *_flat(e.right, word)]
    return [e]


def _joined(word: str, parts: Sequence[t.Expr]) -> t.Expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = t.Logic(word, whole, part)
    return whole


def _with(s: t.Statement, at: int, clause: t.Clause) -> t.Statement:
    return replace(s, clauses=(*s.clauses[:at], clause, *s.clauses[at + 1 :]))


# ---- something else instead ----------------------------------------------------------------------


def _exchanged(s: t.Statement) -> Iterator[Mutant]:
    """Yield the statement with one word, sign or number replaced by another; a call by its argument.

    What does not link, since it is of another type, is no mutant; the linker says so.
    """
    times = Counter[tuple[str, str]]()
    for name in ("when", "value", "clauses"):
        for path, old, other in _others(getattr(s, name), (name,)):
            new = said(other)
            times[old, new] += 1
            is_value = isinstance(other, t.Number) and not isinstance(reduce(_part, path[:-1], s), t.Compare)
            place = path if is_value else ()
            yield Mutant(s, _putting(path, other), f"“{new}” in place of “{old}”", deep=True, place=place)
    for old, new in (pair for pair, count in times.items() if count > 1):
        yield Mutant(s, partial(_everywhere, old=old, new=new), f"“{new}” in place of every “{old}”", deep=True)
    results = {row[-1].text: row[-1] for row in s.rows if isinstance(row[-1], t.Name)}
    for at, row in enumerate(s.rows):
        for other in results.values() if isinstance(row[-1], t.Name) else ():
            if other != row[-1]:
                edit = _row(row, (*row[:-1], other))
                yield Mutant(s, edit, f"“{other.text}” in the row {_cells(row)}", deep=True, place=(ROWS, at))
        for cell, value in enumerate(row):
            if isinstance(value, t.Number):
                for number in (value.value + 1, value.value - 1):
                    edit = _row(row, (*row[:cell], replace(value, value=number), *row[cell + 1 :]))
                    yield Mutant(s, edit, f"“{number}” in place of “{value.value}”", deep=True, place=(ROWS, at))


def _everywhere(node: Any, old: str, new: str) -> Any:
    """Return the node with one thing replaced everywhere."""
    for other in _instead(node):
        if (said(node), said(other)) == (old, new):
            return other
    if isinstance(node, tuple):
        return tuple(_everywhere(item, old, new) for item in node)
    if not is_dataclass(node) or isinstance(node, (type, t.Span, t.Verb)):
        return node
    return replace(node, **{of.name: _everywhere(getattr(node, of.name), old, new) for of in fields(node)})


def _others(node: Any, path: _Path) -> Iterator[tuple[_Path, str, Any]]:
    """Yield paths in the node at the end of a path, with the thing there and its replacement."""
    return ((at, said(each), new) for at, each in _nodes(node, path) for new in _instead(each))


def _put(node: Any, path: _Path, new: Any) -> Any:
    """Return the node with a replacement at the end of a path."""
    if not path:
        return new
    at, *rest = path
    if isinstance(at, int):
        return (*node[:at], _put(node[at], tuple(rest), new), *node[at + 1 :])
    return replace(node, **{at: _put(getattr(node, at), tuple(rest), new)})


def _part(node: Any, at: str | int) -> Any:
    return node[at] if isinstance(at, int) else getattr(node, at)


def _instead(node: Any) -> Iterator[Any]:
    match node:
        case t.Number():
            yield replace(node, value=node.value + 1)
            if node.value:
                yield replace(node, value=node.value - 1)
        case t.Logic() | t.Quant() if node.word in _INSTEAD:
            yield replace(node, word=_INSTEAD[node.word])
        case t.Compare():
            if node.relation in _INSTEAD:
                yield replace(node, relation=_INSTEAD[node.relation])
            match node.left, node.right:
                case t.Call(args=(left,)), t.Call(args=(right,)) if node.left.name == node.right.name:
                    yield replace(node, left=left, right=right)
        case t.Not():
            yield node.item
        case t.Call(args=(only,)):
            yield only
        case t.Arith(sign="+" | "-"):
            yield replace(node, sign="-" if node.sign == "+" else "+")


# ---- as text -------------------------------------------------------------------------------------


def said(node: Any) -> str:
    """Return a part of a statement as written."""
    match node:
        case t.Name():
            return node.text
        case t.Number():
            return str(node.value)
        case t.Call():
            return f"{node.name}({_listed(node.args)})"
        case t.SetOf():
            return f"{{{_listed(node.items)}}}"
        case t.Choose():
            return f"{said(node.then)} if {said(node.test)} else {said(node.other)}"
        case t.Logic():
            return f" {node.word} ".join(map(_inner, _flat(node, node.word)))
        case t.Not():
            return f"not {_inner(node.item)}"
        case t.Compare():
            return f"{_inner(node.left)} {node.relation} {_inner(node.right)}"
        case t.Arith():
            return f"{_inner(node.left)} {node.sign} {_inner(node.right)}"
        case t.During():
            return f"during {node.phase}"
        case t.Quant():
            where = f" where {said(node.where)}" if node.where is not None else ""
            body = f" : {said(node.body)}" if node.body is not None else ""
            return f"{node.word} {' with '.join(map(said, node.binders))}{where}{body}"
        case t.Binder():
            within = f" in {said(node.within)}" if node.within is not None else ""
            start = f" from {said(node.start)}" if node.start is not None else ""
            return f"{node.domain} {node.name}{within}{start}"
        case t.Assign():
            return f"{_applied(node.target, node.args)} {node.sign} {said(node.value)}"
        case t.Move():
            return f"move {said(node.what)} to {_applied(node.place, node.args)}"
        case t.Way():
            return f"{node.word} {node.phase}".strip()
        case t.Apply():
            return _applied(node.effect, node.args)
    return str(node)


def _cells(row: Sequence[Any]) -> str:
    return " ".join("-" if cell is None else said(cell) for cell in row)


def _listed(parts: Sequence[Any]) -> str:
    return ", ".join(map(said, parts))


def _applied(name: str, args: Sequence[Any]) -> str:
    return f"{name}({_listed(args)})" if args else name


def _inner(node: t.Expr) -> str:
    return f"({said(node)})" if isinstance(node, (t.Choose, t.Logic, t.Quant)) else said(node)


def mentioned(node: Any) -> frozenset[str]:
    """Return the names in a part of a statement: those it asks, changes or excepts."""
    found = set[str]()
    for each in t.nodes(node):
        found.update(getattr(each, key, "") for key in _NAMING)
        found.update(each.excepts if isinstance(each, t.Statement) else ())
    return frozenset(found - {""})


def by_name(mutants: Iterable[Mutant]) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the mutants of each statement."""
    found: dict[str, list[int]] = {}
    for number, mutant in enumerate(mutants):
        found.setdefault(mutant.statement.name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}
