"""``fault f(…)``: an act that is never allowed and always possible.

It is desugared to an action of that name and a rule ``f.rule`` that forbids it, with its penalty.
"""

from __future__ import annotations

from dataclasses import replace

from truco_spec.language import tree as t


def lower_fault(fault: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """The action and the rule of a fault."""
    of_action = ("possible", "seen", "written")
    action = t.Statement(
        "action",
        fault.name,
        fault.span,
        fault.name_span,
        params=fault.params,
        prose=fault.prose,
        clauses=tuple(clause for clause in fault.clauses if clause.kind in of_action),
    )
    verb = t.Verb(fault.name, tuple(t.Name(p.name, p.span) for p in fault.params), fault.name_span)
    rest = tuple(clause for clause in fault.clauses if clause.kind not in of_action)
    verdict = t.Clause("verdict", word="must not", verbs=(verb,), span=fault.name_span)
    after = 1 if rest and rest[0].kind == "by" else 0
    rule = replace(
        fault,
        kind="rule",
        name=f"{fault.name}.rule",
        mode="",
        params=(),
        clauses=(*rest[:after], verdict, *rest[after:]),
    )
    return action, rule
