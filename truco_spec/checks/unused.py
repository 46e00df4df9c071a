"""Unused statements.

**Proved**: every action has a rule, every define, effect, table, option and order is named somewhere, every datum is
read. **How**: on the text after linking, before options are folded, so that uses under other options count.
**Witness**: the statement.

Always used are the questions ``table.…`` (observations), ``….seen`` (views) and ``weight`` (chance).
"""

from __future__ import annotations

from truco_spec.checks.reach.study import Study
from truco_spec.checks.variant import Variant
from truco_spec.graph.linking.names import names_in
from truco_spec.graph.model import UNASKED
from truco_spec.language.tree import Statement

_KINDS = ("define", "effect", "table", "option", "order", "action", "datum")
_ASKED = ("weight", "playing")


def check(study: Study, variant: Variant) -> None:
    """All statements of a variant that nothing uses."""
    items = variant.chain.items
    named: dict[str, set[str]] = {}
    for name, item in items.items():
        for word in _uses(item.statement):
            named.setdefault(word, set()).add(name)
    for name, item in items.items():
        statement = item.statement
        if statement.kind not in _KINDS or statement.excepts or name.startswith(UNASKED) or name in _ASKED:
            continue
        users = named.get(name, set()) - {name}
        if users or (statement.kind == "order" and _order_used(study, name)):
            continue
        word = {"action": "no rule speaks of action", "datum": "nothing reads datum"}.get(
            statement.kind, f"nothing uses {statement.kind}"
        )
        study.find("warning", "unused", f"{word} {name}", statement.name_span, "use it, or take it out")


def _uses(statement: Statement) -> set[str]:
    """The names that a statement uses: all names in it but its own, and those in its sentence."""
    found = names_in(statement)
    for word in (statement.prose or "").replace("}", "{").split("{")[1::2]:
        found.add(word)
    return found


def _order_used(study: Study, name: str) -> bool:
    return name in (study.graph.ranks, study.graph.suits)
