"""The shape of statements: which clauses a kind takes, which it requires, in which order, each at most once.

The grammar accepts every clause in every statement; this table says where it belongs, which gives better messages. Name
resolution is the task of :mod:`truco_spec.graph`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from truco_spec.base.words import Sentence, alternatives
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

NO, MAY, MUST = "no", "may", "must"


@dataclass(frozen=True, slots=True)
class Slot:
    """One clause slot: the kinds it takes, whether it is required, and the only clause it may follow, if any."""

    kinds: tuple[str, ...]
    needed: bool = False
    behind: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """The shape of a kind of statement: its clauses in order, and which heading parts it may or must have."""

    clauses: tuple[Slot, ...] = ()
    params: str = NO
    type: str = NO
    excepts: str = NO
    places: str = NO
    sentence: str = MAY


def _one(*kinds: str) -> Slot:
    return Slot(kinds)


def _needed(*kinds: str) -> Slot:
    return Slot(kinds, needed=True)


def _in_turn(*kinds: str, behind: str) -> tuple[Slot, ...]:
    return tuple(Slot((kind,), behind=behind) for kind in kinds)


_OPENING = (
    _needed("opens"),
    *_in_turn("by", "when", behind="opens"),
    _one("later"),
    *_in_turn("by", "when", behind="later"),
)
_OF_ACTION = (_one("possible"), _one("seen"), _one("written"), _one("tacit"))
_REPLYING = (_needed("replies"), *_in_turn("by", "when", behind="replies"), _needed("refusal"))

KINDS: dict[str, Kind] = {
    "action": Kind(_OF_ACTION, params=MAY),
    "phase": Kind(),
    "datum": Kind((_one("fresh"), _one("seen")), params=MAY, type=MUST),
    "define": Kind(params=MAY, type=MAY, excepts=MAY, sentence=MUST),
    "effect": Kind((_one("when"), _needed("do")), params=MAY, excepts=MAY, sentence=MUST),
    "rule": Kind(
        (_one("by"), _one("verdict", "on", "at once"), _one("when"), _one("lest"), _one("do")),
        excepts=MAY,
        places=MAY,
        sentence=MUST,
    ),
    "refuse": Kind((_needed("when"),), sentence=MUST),
    "ladder": Kind((_needed("stakes"), *_OPENING, *_REPLYING, _one("written")), sentence=MUST),
    "bid": Kind((_needed("calls"), *_OPENING, *_REPLYING, _needed("settles"), _one("written")), sentence=MUST),
    "special": Kind(
        (
            _needed("when"),
            _one("replies"),
            *_in_turn("by", behind="replies"),
            Slot(("refusal",), behind="replies"),
            _one("stake"),
        ),
        sentence=MUST,
    ),
    "fault": Kind((_one("by"), _one("when"), _needed("lest"), *_OF_ACTION), params=MAY, places=MAY, sentence=MUST),
}
"""The heading parts of the kinds that share one heading in the grammar, which defines all others itself."""

CLAUSES_OF: dict[str, tuple[Slot, ...]] = {kind: entry.clauses for kind, entry in KINDS.items()}

CLAUSE_WORDS = {
    "by": "by", "may": "verdict", "must": "verdict", "must not": "verdict", "on": "on", "at": "at once", "when": "when",
    "lest": "lest", "do": "do", "fresh": "fresh", "seen": "seen", "possible": "possible", "written": "written",
    "tacit": "tacit", "stakes": "stakes", "calls": "calls", "opens": "opens", "later": "later", "answers": "replies",
    "choice": "replies", "refusal": "refusal", "settles": "settles", "stake": "stake",
}  # fmt: skip
"""The words that begin clauses, each with the kind of its clause."""

_SPELT = {
    "fresh": "fresh each",
    "seen": "seen by",
    "possible": "possible when",
    "opens": "opens in",
    "later": "later in",
    "refusal": "refusal pays",
    "verdict": "may",
}
Mistakes: TypeAlias = Iterator[Diagnostic]


def check_statement(statement: t.Statement) -> Mistakes:
    """Return every shape error in one statement."""
    kind = KINDS.get(statement.kind)
    if kind is not None:
        yield from _heading(statement, kind)
        yield from _clauses(statement, kind)
    special = {"rule": _rule, "option": _option, "table": _table, "order": _order}.get(statement.kind)
    if special is not None:
        yield from special(statement)


def spelt(kind: str, statement_kind: str = "") -> str:
    """Return how a clause begins in a text."""
    if kind == "replies":
        return "choice" if statement_kind == "special" else "answers"
    return _SPELT.get(kind, kind)


def clauses_in_words(kind: str) -> str:
    """Return the clauses of a kind in order, as they are written."""
    listed: str = ""
    for slot in CLAUSES_OF.get(kind, ()):
        one = ", ".join("may, must, must not" if k == "verdict" else spelt(k, kind) for k in slot.kinds)
        one = Sentence("one of {words}", words=one) if "," in one else one
        one = Sentence("{clause} (needed)", clause=one) if slot.needed else one
        listed = Sentence("{most}; {last}", most=listed, last=one) if listed else one
    return listed


def a(kind: str) -> str:
    """Return the kind with its article, at the start of a sentence."""
    return Sentence("An {kind}", kind=kind) if kind[0] in "aeiou" else Sentence("A {kind}", kind=kind)


def _error(message: str, span: t.Span, hint: str = "", code: str = "shape", first: t.Span | None = None) -> Diagnostic:
    notes = ((Sentence("the first one is here"), first),) if first else ()
    return Diagnostic("error", code, message, span, hint=hint, notes=notes)


def _begin(clause: t.Clause, statement_kind: str) -> t.Span:
    """Return the word that begins a clause."""
    span, long = clause.span, len(_word(clause, statement_kind).split()[0])
    return t.Span(span.file, span.line, span.column, span.line, span.column + long, span.start, span.start + long)


def _heading(statement: t.Statement, kind: Kind) -> Mistakes:
    at = statement.name_span
    if kind.params == NO and statement.params:
        span = statement.params[0].span
        message = Sentence("{kind} has no parameters.", kind=a(statement.kind))
        hint = Sentence("Leave out the brackets behind `{name}`.", name=statement.name)
        yield _error(message, span, hint)
    if kind.type == NO and statement.type is not None:
        message = Sentence("{kind} has no type.", kind=a(statement.kind))
        hint = Sentence("Only a datum and a define have one.")
        yield _error(message, statement.type.span, hint)
    if kind.type == MUST and statement.type is None:
        form = "Behind the name stand `:` and a type: {kind} {name} : flag"
        hint = Sentence(form, kind=statement.kind, name=statement.name)
        yield _error(Sentence("{statement} has no type.", statement=_called(statement)), at, hint)
    if kind.excepts == NO and statement.excepts:
        span = t.place_of(statement.excepts[0], at)
        message = Sentence("{kind} beats nothing.", kind=a(statement.kind))
        hint = Sentence("Only a rule, a define and an effect may say `except`.")
        yield _error(message, span, hint)
    if kind.places == NO and statement.kind not in ("phase", "action") and statement.names:
        span = t.place_of(statement.names[0], at)
        hint = (
            Sentence("Where it holds is a condition: when during …")
            if statement.kind != "refuse"
            else Sentence("It speaks of options only.")
        )
        yield _error(Sentence("{kind} does not stand in a phase.", kind=a(statement.kind)), span, hint)
    if statement.kind == "action" and (statement.within or statement.names):
        span = t.place_of(statement.within or statement.names[0], at)
        yield _error(
            Sentence("An action lies within no phase and interrupts none."), span, Sentence("Only a phase does.")
        )
    if kind.sentence == MUST and statement.prose is None:
        hint = Sentence('What it means stands in quotes behind the citations: "A card may be played face down."')
        yield _error(
            Sentence("{statement} has no sentence.", statement=_called(statement)), at, hint, code="no-sentence"
        )


def _clauses(statement: t.Statement, kind: Kind) -> Mistakes:
    slots = kind.clauses
    listed = clauses_in_words(statement.kind)
    order = Sentence("Clauses of `{kind}`, in order: {clauses}.", kind=statement.kind, clauses=listed) if slots else ""
    filled: dict[int, t.Clause] = {}
    at, owner, refused = 0, "", False
    for clause in statement.clauses:
        span, word = _begin(clause, statement.kind), _word(clause, statement.kind)
        fitting = [i for i, slot in enumerate(slots) if clause.kind in slot.kinds]
        if not fitting:
            message = Sentence("{kind} takes no `{word}`.", kind=a(statement.kind), word=word)
            yield _error(message, span, order or Sentence("It has no clauses."))
            continue
        if refused and all(slots[i].behind for i in fitting):
            continue  # belongs to a clause that is itself misplaced
        refused = False
        here = [i for i in fitting if not slots[i].behind or slots[i].behind == owner]
        free = [i for i in here if i >= at and i not in filled]
        if free:
            filled[free[0]] = clause
            at = free[0] + 1
        elif here and here[-1] in filled:
            first = filled[here[-1]]
            before = _word(first, statement.kind)
            if before == word:
                yield _error(
                    Sentence("`{word}` stands twice.", word=word), span, order, first=_begin(first, statement.kind)
                )
            else:
                message = Sentence("`{before}` and `{word}` do not go together.", before=before, word=word)
                yield _error(message, span, order, first=_begin(first, statement.kind))
            refused = True
            continue
        elif not here:
            owners = alternatives([f"`{spelt(slots[i].behind, statement.kind)}`" for i in fitting])
            yield _error(Sentence("`{word}` stands right behind {owners}.", word=word, owners=owners), span, order)
            continue
        else:
            filled[here[0]] = clause
            yield _error(Sentence("`{word}` stands too late.", word=word), span, order)
        if not slots[fitting[0]].behind:
            owner = clause.kind
    lacking = [slot.kinds[0] for index, slot in enumerate(slots) if slot.needed and index not in filled]
    if lacking:
        words = tuple(f"`{spelt(clause, statement.kind)}`" for clause in lacking)
        message = Sentence("{statement} lacks {words}.", statement=_called(statement), words=words)
        yield _error(message, statement.name_span, order)


def _word(clause: t.Clause, statement_kind: str) -> str:
    return clause.word if clause.kind in ("verdict", "replies") and clause.word else spelt(clause.kind, statement_kind)


def _called(statement: t.Statement) -> str:
    return f"{statement.kind.capitalize()} `{statement.name}`"


def _rule(rule: t.Statement) -> Mistakes:
    """Check a rule: a verdict, a consequence (``on``), or automatic (``at once``, or ``in`` a phase)."""
    verdict, lest, do = rule.clause("verdict"), rule.clause("lest"), rule.clause("do")
    by_itself = verdict is None and rule.clause("on") is None
    by = rule.clause("by")
    if by is not None and by_itself:
        hint = Sentence("Behind `by` stands what they may, must or must not do, or `on` and what they did.")
        message = Sentence("{statement} says who, but not what they may do.", statement=_called(rule))
        yield _error(message, _begin(by, "rule"), hint)
    if lest is not None and (verdict is None or verdict.word == "may"):
        hint = Sentence("`lest` is the price of what one must or must not do.")
        yield _error(Sentence("Nothing is forbidden here, so nothing can cost anything."), _begin(lest, "rule"), hint)
    if do is not None and verdict is not None and verdict.word != "may":
        form = "What it costs stands behind `lest`; what follows from a permitted act, in the rule that permits it."
        hint = Sentence(form)
        message = Sentence("`{verdict}` permits nothing, so nothing follows from it.", verdict=verdict.word)
        yield _error(message, _begin(do, "rule"), hint)
    if do is None and verdict is None:
        hint = Sentence("What changes stands behind `do`.")
        message = Sentence("{statement} neither permits, forbids nor changes anything.", statement=_called(rule))
        yield _error(message, rule.name_span, hint)
    elif by_itself and by is None and rule.clause("at once") is None and not rule.names:
        hint = Sentence("It stands `in` a phase, or `on` an action, or happens `at once`.")
        yield _error(
            Sentence("{statement} does not say when it comes about.", statement=_called(rule)), rule.name_span, hint
        )


def _option(option: t.Statement) -> Mistakes:
    """Check an option: exactly one default, and no duplicate values."""
    starred = [choice for choice in option.choices if choice.default]
    if not starred:
        message = Sentence("{statement} has no default.", statement=_called(option))
        hint = Sentence("One of its values bears a `*`.")
        yield _error(message, option.name_span, hint)
    for choice in starred[1:]:
        message = Sentence("{statement} has two defaults.", statement=_called(option))
        hint = Sentence("Only one value bears a `*`.")
        yield _error(message, choice.span, hint, first=starred[0].span)
    form = "The value `{key}` stands twice."
    yield from _differing([choice.value for choice in option.choices], form)


def _order(order: t.Statement) -> Mistakes:
    form = "The member `{key}` stands twice."
    yield from _differing(order.members, form)


def _differing(values: Iterable[t.Name | t.Number], form: str) -> Mistakes:
    seen: dict[str, t.Span] = {}
    for value in values:
        key = t.text_of(value)
        if key in seen:
            yield _error(Sentence(form, key=key), value.span, first=seen[key])
        seen.setdefault(key, value.span)


def _table(table: t.Statement) -> Mistakes:
    """Check a table: each row has a cell for each column, and one for the answer."""
    wide = len(table.names) + 1
    for number, row in enumerate(table.rows, 1):
        if len(row) != wide:
            place = next((cell.span for cell in row if cell is not None), table.name_span)
            hint = Sentence("One for each of its {columns} columns, and one for the answer.", columns=len(table.names))
            form = "Row {number} of table `{table}` has {count} cells, not {wide}."
            message = Sentence(form, number=number, table=table.name, count=len(row), wide=wide)
            yield _error(message, place, hint)
