"""Tree to text: a statement as it would be written, in the layout of the formatter.

What is printed reads back as the same tree (places apart). Brackets stand where the tree needs them, and only there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from truco_spec.language import tree as t
from truco_spec.language.format import format_text

EXPR, OR, AND, TEST, SUM, FACTOR, ATOM = range(7)
"""How tightly a place binds: what is looser than its place stands in brackets."""
_ONE_LINE = 90
"""Clauses that are shorter together stand on one line."""


def print_statement(statement: t.Statement) -> str:
    """The text of a statement, on as many lines as it needs, not indented."""
    return print_statements([statement])


def print_statements(statements: Sequence[t.Statement]) -> str:
    """The texts of statements, those of one kind that follow each other aligned, not indented."""
    text = "\n".join(_statement(statement) for statement in statements)
    laid_out = format_text(f'variant x {{\n  title ""\n{text}\n}}\n').split("\n")
    return "\n".join(line[2:] for line in laid_out[3:-2])


def print_expr(expr: t.Expr) -> str:
    """The text of an expression, on one line."""
    return _expr(expr, EXPR)


def print_type(of: t.TypeText) -> str:
    """The text of a type."""
    return " or ".join(_kind(kind) for kind in of.kinds)


def print_change(change: t.Change) -> str:
    """The text of a change."""
    match change:
        case t.Assign():
            return f"{change.target}{_args(change.args)} {change.sign} {_expr(change.value, EXPR)}"
        case t.Move():
            return f"move {_expr(change.what, SUM)} to {change.place}{_args(change.args)}"
        case t.Way():
            return f"{change.word} {change.phase}".strip()
        case t.Apply():
            return f"{change.effect}{_args(change.args)}"


# ---- expressions -----------------------------------------------------------------------------------


def _expr(expr: t.Expr, place: int, last: bool = True) -> str:
    """An expression in a place; ``last`` says whether it closes its expression, as a question has to."""
    text, binds = _bare(expr, last and place < SUM)
    loose = binds < place or (isinstance(expr, t.Quant) and not (last and place < SUM))
    return f"({_expr(expr, EXPR)})" if loose else text


def _bare(expr: t.Expr, last: bool) -> tuple[str, int]:
    """An expression without brackets around it, and how tightly it binds."""
    match expr:
        case t.Name():
            return expr.text, ATOM
        case t.Number():
            return (str(expr.value), ATOM) if expr.value >= 0 else (f"0 - {-expr.value}", SUM)
        case t.Call():
            return f"{expr.name}{_args(expr.args)}", ATOM
        case t.SetOf():
            return "{" + ", ".join(_expr(item, EXPR) for item in expr.items) + "}", ATOM
        case t.Choose():
            then, test = _expr(expr.then, OR, last=False), _expr(expr.test, OR, last=False)
            return f"{then} if {test} else {_expr(expr.other, EXPR)}", EXPR
        case t.Logic():
            own, tighter = (OR, AND) if expr.word == "or" else (AND, TEST)
            return f"{_expr(expr.left, own, last=False)} {expr.word} {_expr(expr.right, tighter, last)}", own
        case t.Not():
            return f"not {_expr(expr.item, TEST, last)}", TEST
        case t.Compare():
            return f"{_expr(expr.left, SUM)} {expr.relation} {_expr(expr.right, SUM)}", TEST
        case t.During():
            return f"during {expr.phase}", TEST
        case t.Arith():
            own, tighter = (FACTOR, ATOM) if expr.sign == "*" else (SUM, FACTOR)
            return f"{_expr(expr.left, own)} {expr.sign} {_expr(expr.right, tighter)}", own
        case t.Quant():
            return _quant(expr), TEST


def _quant(quant: t.Quant) -> str:
    words = [quant.word, " with ".join(_binder(binder) for binder in quant.binders)]
    if quant.where is not None:
        words.append(f"where {_expr(quant.where, OR, last=False)}")
    if quant.body is not None:
        words.append(f": {_expr(quant.body, EXPR)}")
    return " ".join(words)


def _binder(binder: t.Binder) -> str:
    within = f" in {_expr(binder.within, SUM)}" if binder.within is not None else ""
    start = f" from {_expr(binder.start, SUM)}" if binder.start is not None else ""
    return f"{binder.domain} {binder.name}{within}{start}"


def _args(args: Sequence[t.Expr]) -> str:
    return "(" + ", ".join(_expr(arg, EXPR) for arg in args) + ")" if args else ""


def _kind(kind: t.Name | t.Number | t.RangeType | t.SetType) -> str:
    match kind:
        case t.RangeType():
            return f"{_expr(kind.low, ATOM)} .. {_expr(kind.high, SUM)}"
        case t.SetType():
            return f"set of {kind.of}"
        case _:
            return _expr(kind, ATOM)


# ---- clauses ---------------------------------------------------------------------------------------


def _clause(clause: t.Clause) -> str:
    match clause.kind:
        case "by" | "refusal" | "stake":
            return f"{clause.kind}{' pays' if clause.kind == 'refusal' else ''} {_of(clause, SUM)}"
        case "when" | "possible" | "seen":
            word = {"possible": "possible when", "seen": "seen by"}.get(clause.kind, clause.kind)
            return f"{word} {_of(clause, EXPR)}"
        case "verdict" | "on":
            return f"{clause.word or clause.kind} " + " or ".join(f"{v.name}{_args(v.args)}" for v in clause.verbs)
        case "lest" | "do":
            return f"{clause.kind} " + ", ".join(print_change(change) for change in clause.changes)
        case "fresh":
            return f"fresh each {clause.word}"
        case "written":
            return "written " + ", ".join(f'"{text}"' for text in clause.strings)
        case "stakes":
            steps = "".join(f", {word} {_expr(stake, SUM)}" for word, stake in clause.steps)
            return f"stakes {_of(clause, SUM)}{steps}"
        case "calls":
            return "calls " + ", ".join(_call(call) for call in clause.calls)
        case "opens" | "later":
            return f"{clause.kind} in {', '.join(clause.names)}"
        case "replies":
            return f"{clause.word or 'answers'} {', '.join(clause.names)}"
        case "settles":
            return f"settles {clause.word}"
        case _:
            return clause.kind  # at once, tacit


def _of(clause: t.Clause, place: int) -> str:
    return "" if clause.expr is None else _expr(clause.expr, place)


def _call(call: t.CallWord) -> str:
    upto = "" if call.upto is None else f" upto {call.upto}"
    return f"{call.word} {call.sign} {_expr(call.amount, SUM)}{upto}"


# ---- statements ------------------------------------------------------------------------------------


def _statement(statement: t.Statement) -> str:
    """A statement as text that reads back; its layout is the formatter's."""
    parts = [statement.mode, statement.kind, *_heading(statement), *map(str, statement.cites)]
    if statement.prose is not None:
        parts.append(f'"{statement.prose}"')
    if statement.kind == "decision":
        parts += [f'because "{statement.because}"', *(f'rather than "{reading}"' for reading in statement.rather)]
    places = [f"in {', '.join(statement.names)}"] if statement.names and statement.kind in ("rule", "fault") else []
    parts += _broken([*places, *_conditions(statement), *map(_clause, statement.clauses)])
    for row in statement.rows:
        parts.append("| " + " | ".join("-" if cell is None else _expr(cell, ATOM) for cell in row) + " |")
    return " ".join(part for part in parts if part)


def _broken(clauses: list[str]) -> list[str]:
    """Clauses, with a new line before what follows where together they are long."""
    if sum(map(len, clauses)) <= _ONE_LINE:
        return clauses
    return ["\n" + clause if clause.startswith(("do ", "lest ", "= ")) else clause for clause in clauses]


def _conditions(statement: t.Statement) -> Iterator[str]:
    """The condition and the answer of a define, the condition of a trump."""
    if statement.when is not None:
        yield f"when {_expr(statement.when, EXPR)}"
    if statement.kind == "define" and statement.value is not None:
        yield f"= {_expr(statement.value, EXPR)}"


def _heading(statement: t.Statement) -> Iterator[str]:
    """What stands between the kind of a statement and its citations."""
    params = ", ".join(f"{param.name} : {print_type(param.type)}" for param in statement.params)
    yield statement.name + (f"({params})" if params else "")
    match statement.kind:
        case "option":
            values = (_expr(c.value, ATOM) + ("*" if c.default else "") for c in statement.choices)
            yield ": " + " | ".join(values)
        case "order":
            yield ": " + " < ".join(_expr(member, ATOM) for member in statement.members)
        case "set":
            yield _expr(statement.value, ATOM) if statement.value is not None else ""
        case "table":
            yield f"({', '.join(statement.names)})"
        case "decision":
            yield "resolves"
        case "seats":
            yield f"in {statement.count} teams"
        case "deck":
            yield f": {' x '.join(statement.names)}"
            yield from (_part(part) for part in statement.parts)
        case "trump":
            yield from _trump(statement)
        case _:
            yield from _common(statement)


def _common(statement: t.Statement) -> Iterator[str]:
    if statement.type is not None:
        yield f": {print_type(statement.type)}"
    if statement.excepts:
        yield f"except {', '.join(statement.excepts)}"
    if statement.within:
        yield f"within {statement.within}"
    if statement.kind in ("phase", "action") and statement.names:
        yield f"interrupts {', '.join(statement.names)}"
    if statement.kind == "datum" and statement.value is not None:
        yield f"= {_expr(statement.value, EXPR)}"


def _trump(statement: t.Statement) -> Iterator[str]:
    if statement.within:
        yield f"above {statement.within}"
    value = "" if statement.value is None else _expr(statement.value, SUM)
    if statement.suits:
        yield f": rank {value} by {statement.suits}"
    else:
        yield ": " + " < ".join(_expr(member, ATOM) for member in statement.members) + (f" of {value}" if value else "")


def _part(part: t.DeckPart) -> str:
    values = [_expr(value, ATOM) for value in part.values]
    text = f"with {' as '.join(values)}" if part.word == "with" else f"without {' '.join(values)}"
    if part.but:
        text += " but " + " ".join(_expr(value, ATOM) for value in part.but)
    return text + (f" when {_expr(part.when, EXPR)}" if part.when is not None else "") + ";"
