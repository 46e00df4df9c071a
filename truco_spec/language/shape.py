"""The shape of statements: which clauses a kind takes, which it requires, in which order, each at most once.

The grammar accepts every clause in every statement; this table says where it belongs, which gives better messages. Name
resolution is the task of :mod:`truco_spec.graph`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

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


def check(file: t.File) -> list[Diagnostic]:
    """Return every shape error in a file, in the order of the text."""
    return [d for variant in file.variants for statement in variant.items for d in check_statement(statement)]


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
    words = []
    for slot in CLAUSES_OF.get(kind, ()):
        one = ", ".join("may, must, must not" if k == "verdict" else spelt(k, kind) for k in slot.kinds)
        one = f"one of {one}" if "," in one else one
        words.append(f"{one} (needed)" if slot.needed else one)
    return "; ".join(words)


def a(kind: str) -> str:
    """Return the kind with its article, at the start of a sentence."""
    return f"{'An' if kind[0] in 'aeiou' else 'A'} {kind}"


def _error(message: str, span: t.Span, hint: str = "", code: str = "shape", first: t.Span | None = None) -> Diagnostic:
    notes = (("the first one is here", first),) if first else ()
    return Diagnostic("error", code, message, span, hint=hint, notes=notes)


def _begin(clause: t.Clause, statement_kind: str) -> t.Span:
    """Return the word that begins a clause."""
    span, word = (
        clause.span,
        (clause.word if clause.kind == "verdict" else spelt(clause.kind, statement_kind)).split()[0],
    )
    return t.Span(
        span.file, span.line, span.column, span.line, span.column + len(word), span.start, span.start + len(word)
    )


def _heading(statement: t.Statement, kind: Kind) -> Mistakes:
    called, at = f"{statement.kind} `{statement.name}`", statement.name_span
    if kind.params == NO and statement.params:
        span = statement.params[0].span
        yield _error(
            f"{a(statement.kind)} has no parameters.", span, f"Leave out the brackets behind `{statement.name}`."
        )
    if kind.type == NO and statement.type is not None:
        yield _error(f"{a(statement.kind)} has no type.", statement.type.span, "Only a datum and a define have one.")
    if kind.type == MUST and statement.type is None:
        hint = f"Behind the name stand `:` and a type: {statement.kind} {statement.name} : flag"
        yield _error(f"{called.capitalize()} has no type.", at, hint)
    if kind.excepts == NO and statement.excepts:
        span = t.place_of(statement.excepts[0], at)
        yield _error(
            f"{a(statement.kind)} beats nothing.", span, "Only a rule, a define and an effect may say `except`."
        )
    if kind.places == NO and statement.kind not in ("phase", "action") and statement.names:
        span = t.place_of(statement.names[0], at)
        hint = (
            "Where it holds is a condition: when during …"
            if statement.kind != "refuse"
            else "It speaks of options only."
        )
        yield _error(f"{a(statement.kind)} does not stand in a phase.", span, hint)
    if statement.kind == "action" and (statement.within or statement.names):
        span = t.place_of(statement.within or statement.names[0], at)
        yield _error("An action lies within no phase and interrupts none.", span, "Only a phase does.")
    if kind.sentence == MUST and statement.prose is None:
        hint = 'What it means stands in quotes behind the citations: "A card may be played face down."'
        yield _error(f"{called.capitalize()} has no sentence.", at, hint, code="no-sentence")


def _clauses(statement: t.Statement, kind: Kind) -> Mistakes:
    slots = kind.clauses
    order = (
        f"The clauses of {a(statement.kind).lower()}, in order: {clauses_in_words(statement.kind)}." if slots else ""
    )
    filled: dict[int, t.Clause] = {}
    at, owner, refused = 0, "", False
    for clause in statement.clauses:
        span, word = _begin(clause, statement.kind), _word(clause, statement.kind)
        fitting = [i for i, slot in enumerate(slots) if clause.kind in slot.kinds]
        if not fitting:
            yield _error(f"{a(statement.kind)} takes no `{word}`.", span, order or "It has no clauses.")
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
                yield _error(f"`{word}` stands twice.", span, order, first=_begin(first, statement.kind))
            else:
                message = f"`{before}` and `{word}` do not go together."
                yield _error(message, span, order, first=_begin(first, statement.kind))
            refused = True
            continue
        elif not here:
            owners = " or ".join(f"`{spelt(slots[i].behind, statement.kind)}`" for i in fitting)
            yield _error(f"`{word}` stands right behind {owners}.", span, order)
            continue
        else:
            filled[here[0]] = clause
            yield _error(f"`{word}` stands too late.", span, order)
        if not slots[fitting[0]].behind:
            owner = clause.kind
    lacking = [slot.kinds[0] for index, slot in enumerate(slots) if slot.needed and index not in filled]
    if lacking:
        words = " and no ".join(f"`{spelt(clause, statement.kind)}`" for clause in lacking)
        yield _error(f"{_called(statement)} has no {words}.", statement.name_span, order)


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
        hint = "Behind `by` stands what they may, must or must not do, or `on` and what they did."
        yield _error(f"{_called(rule)} says who, but not what they may do.", _begin(by, "rule"), hint)
    if lest is not None and (verdict is None or verdict.word == "may"):
        hint = "`lest` is the price of what one must or must not do."
        yield _error("Nothing is forbidden here, so nothing can cost anything.", _begin(lest, "rule"), hint)
    if do is not None and verdict is not None and verdict.word != "may":
        hint = "What it costs stands behind `lest`; what follows from a permitted act, in the rule that permits it."
        yield _error(f"`{verdict.word}` permits nothing, so nothing follows from it.", _begin(do, "rule"), hint)
    if do is None and verdict is None:
        hint = "What changes stands behind `do`."
        yield _error(f"{_called(rule)} neither permits, forbids nor changes anything.", rule.name_span, hint)
    elif by_itself and by is None and rule.clause("at once") is None and not rule.names:
        hint = "It stands `in` a phase, or `on` an action, or happens `at once`."
        yield _error(f"{_called(rule)} does not say when it comes about.", rule.name_span, hint)


def _option(option: t.Statement) -> Mistakes:
    """Check an option: exactly one default, and no duplicate values."""
    starred = [choice for choice in option.choices if choice.default]
    if not starred:
        yield _error(f"{_called(option)} has no default.", option.name_span, "One of its values bears a `*`.")
    for choice in starred[1:]:
        yield _error(
            f"{_called(option)} has two defaults.", choice.span, "Only one value bears a `*`.", first=starred[0].span
        )
    yield from _differing([choice.value for choice in option.choices], "value")


def _order(order: t.Statement) -> Mistakes:
    yield from _differing(order.members, "member")


def _differing(values: list[t.Name | t.Number] | tuple[t.Name | t.Number, ...], called: str) -> Mistakes:
    seen: dict[str | int, t.Span] = {}
    for value in values:
        key = value.text if isinstance(value, t.Name) else value.value
        if key in seen:
            yield _error(f"The {called} `{key}` stands twice.", value.span, first=seen[key])
        seen.setdefault(key, value.span)


def _table(table: t.Statement) -> Mistakes:
    """Check a table: each row has a cell for each column, and one for the answer."""
    wide = len(table.names) + 1
    for number, row in enumerate(table.rows, 1):
        if len(row) != wide:
            place = next((cell.span for cell in row if cell is not None), table.name_span)
            hint = f"One for each of its {len(table.names)} columns, and one for the answer."
            yield _error(f"Row {number} of table `{table.name}` has {len(row)} cells, not {wide}.", place, hint)
