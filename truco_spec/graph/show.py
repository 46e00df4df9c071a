"""Expressions and changes of the graph as text in the rules language, for explanations and drawings."""

from __future__ import annotations

from truco_spec.graph.model import Apply, Assign, Change, Expr, Graph, Move, Quant

_SIGNS = {"is": "is", "lt": "<", "le": "<=", "in": "in", "add": "+", "sub": "-", "mul": "*", "union": "+", "minus": "-"}
_TIGHT = {"or": 1, "and": 2, "not": 3, "is": 4, "lt": 4, "le": 4, "in": 4, "typed": 4, "mul": 6}
_TIGHT |= {"add": 5, "sub": 5, "union": 5, "minus": 5}


def show(graph: Graph, expr: Expr) -> str:
    """The expression as it would be written."""
    return _show(graph, expr, 0)


def _show(graph: Graph, expr: Expr, outer: int) -> str:
    tight = _TIGHT.get(expr.op, 7 if expr.op not in ("if", "quant") else 0)
    text = _text(graph, expr, tight)
    return f"({text})" if tight < outer or (expr.op in ("if", "quant") and outer) else text


def _text(graph: Graph, expr: Expr, tight: int) -> str:
    op, kids = expr.op, expr.kids
    if op == "const":
        return "nobody" if expr.type.many and not expr.value else graph.text_of(expr.type, expr.value)
    if op == "var":
        return str(expr.value)
    if op == "built" and _is_us(expr):
        return "us"
    if op == "built" and expr.value == "other" and _is_us(kids[0]):
        return "them"
    if op in ("datum", "ask", "table", "built"):
        args = ", ".join(_show(graph, kid, 0) for kid in kids)
        return f"{expr.value}({args})" if kids else str(expr.value)
    if op in ("and", "or"):
        return f" {op} ".join(_show(graph, kid, tight + 1) for kid in kids)
    if op == "not":
        kid = kids[0]
        if kid.op in ("is", "in"):
            word = "is not" if kid.op == "is" else "not in"
            return f"{_show(graph, kid.kids[0], 5)} {word} {_show(graph, kid.kids[1], 5)}"
        return f"not {_show(graph, kid, 4)}"
    if op == "if":
        test, then, other = (_show(graph, kid, outer) for kid, outer in zip(kids, (1, 1, 0), strict=True))
        return f"{then} if {test} else {other}"
    if op == "set":
        return "{" + ", ".join(_show(graph, kid, 0) for kid in kids) + "}"
    if op == "typed":
        return f"{_show(graph, kids[0], 5)} in {expr.value.name or expr.value.base}"
    if op == "during":
        return f"during {expr.value}"
    if op == "quant":
        return _quant(graph, expr.value)
    if op in ("lt", "le") and kids[0].op == "const":
        return f"{_show(graph, kids[1], tight)} {_SIGNS[op].replace('<', '>')} {_show(graph, kids[0], tight + 1)}"
    return f"{_show(graph, kids[0], tight)} {_SIGNS[op]} {_show(graph, kids[1], tight + 1)}"


def _is_us(expr: Expr) -> bool:
    return expr.op == "built" and expr.value == "team" and expr.kids[0].op == "var" and expr.kids[0].value == "me"


def _quant(graph: Graph, quant: Quant) -> str:
    binders = []
    for b in quant.binders:
        text = f"{b.type.name or b.type.base} {b.name}"
        if b.within is not None:
            text += f" in {_show(graph, b.within, 5)}"
        if b.start is not None:
            text += f" from {_show(graph, b.start, 5)}"
        binders.append(text)
    text = f"{quant.word} {' with '.join(binders)}"
    if quant.where is not None:
        text += f" where {_show(graph, quant.where, 1)}"
    return text if quant.body is None else f"{text} : {_show(graph, quant.body, 1)}"


def show_change(graph: Graph, change: Change) -> str:
    """The change as it would be written."""
    if isinstance(change, Assign):
        return f"{_place(graph, change.datum, change.index)} {change.sign} {show(graph, change.value)}"
    if isinstance(change, Move):
        return f"move {show(graph, change.what)} to {_place(graph, change.place, change.index)}"
    if isinstance(change, Apply):
        return f"{change.effect}({', '.join(show(graph, arg) for arg in change.args)})"
    return f"{change.word} {change.phase}".strip()


def _place(graph: Graph, name: str, index: tuple[Expr, ...]) -> str:
    return f"{name}({', '.join(show(graph, i) for i in index)})" if index else name
