"""Options that exclude each other.

A refused default is reported when the variant is linked. **Proved** here: every value of every option is playable in
some combination with the others. **How**: of the options in refusals, connected ones are tried in every combination.
**Witness**: the value, and the refusals that reject it in every combination. A refusal about a single option rules its
values out on purpose (a base for four players), and is skipped.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from truco_spec.checks.reach.study import Study
from truco_spec.checks.variant import Variant
from truco_spec.graph.linking.names import holds, names_in, values_of
from truco_spec.language import tree as t

_MOST = 200_000


def check(study: Study, variant: Variant) -> None:
    """All values of all options of a variant."""
    options = {name: values_of(statement) for name, statement in variant.options().items()}
    refusals = refusals_of(variant)
    for group in _groups(refusals, options):
        combinations = 1
        for name in group:
            combinations *= len(options[name])
        if combinations > _MOST:
            continue
        here = {name: when for name, when in refusals.items() if names_in(when) & set(group)}
        possible: set[tuple[str, str]] = set()
        for values in itertools.product(*(options[name] for name in group)):
            chosen = dict(zip(group, values, strict=True))
            if not any(holds(when, chosen) for when in here.values()):
                possible |= set(chosen.items())
        for name in group:
            alone = [when for when in here.values() if names_in(when) & set(options) == {name}]
            for value in options[name]:
                if (name, value) not in possible and not any(holds(when, {name: value}) for when in alone):
                    _unusable(study, variant, name, value, here)


def _unusable(study: Study, variant: Variant, name: str, value: str, refusals: Mapping[str, t.Expr]) -> None:
    statement = variant.options()[name]
    hitting = [r for r, when in refusals.items() if name in names_in(when)]
    notes = tuple((f"{r} is here", variant.chain.items[r].statement.name_span) for r in hitting)
    message = f"option {name} can never be {value}: every combination with it is refused"
    study.find(
        "warning", "option-refused", message, statement.name_span, "take the value out, or narrow a refusal", *notes
    )


def refusals_of(variant: Variant) -> dict[str, t.Expr]:
    """The conditions of the refusals, by name."""
    found: dict[str, t.Expr] = {}
    for name, item in variant.chain.items.items():
        clause = item.statement.clause("when") if item.statement.kind == "refuse" else None
        if clause is not None and clause.expr is not None:
            found[name] = clause.expr
    return found


def _groups(refusals: Mapping[str, t.Expr], options: Mapping[str, list[str]]) -> Iterator[list[str]]:
    """The groups of options connected by refusals."""
    groups: list[set[str]] = []
    for when in refusals.values():
        named = {name for name in names_in(when) if name in options}
        joined = [group for group in groups if group & named]
        groups = [group for group in groups if not group & named] + [named.union(*joined)]
    for group in groups:
        yield [name for name in options if name in group]
