"""Which values of options are played by which cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from truco_spec.conformance.cases import Case
from truco_spec.conformance.links import Corpus, Spec
from truco_spec.language import tree as t


@dataclass(frozen=True, slots=True)
class Played:
    """The cases by option and value: ``told`` by the case itself, or ``fixed`` by the variant that it plays."""

    told: Mapping[tuple[str, str], list[Case]]
    fixed: Mapping[tuple[str, str], list[Case]]


def played_by(spec: Spec, corpus: Corpus) -> Played:
    """The values of options that the cases of a corpus play."""
    by_variant: dict[str, dict[str, str]] = {}
    for stated in spec.stated:
        if stated.statement.kind == "set":
            for variant in stated.variants:
                by_variant.setdefault(variant, {}).update(values_of(stated.statement))
    told: dict[tuple[str, str], list[Case]] = {}
    fixed: dict[tuple[str, str], list[Case]] = {}
    for case in corpus.cases:
        own = {**case.applies.options, **case.entry.options}
        if numbers := _numbers(case):
            own |= dict.fromkeys(spec.named("seats"), numbers)
        for name, values in own.items():
            for value in values if isinstance(values, tuple) else (values,):
                told.setdefault((name, str(value)), []).append(case)
        pairs = [pair for variant in case.applies.variants for pair in by_variant.get(variant, {}).items()]
        for name, value in dict.fromkeys(pairs):
            if name not in own:
                fixed.setdefault((name, value), []).append(case)
    return Played(told, fixed)


def _numbers(case: Case) -> tuple[int, ...]:
    """How many players it is played by, where it says so."""
    told = case.entry.players
    return case.applies.players if told is None else (told,) if isinstance(told, int) else (len(told),)


def values_of(statement: t.Statement) -> list[tuple[str, str]]:
    """What a case must play of an ``option`` (all values but the default) or of a ``set`` (the value that is set)."""
    written = [choice.value for choice in statement.choices if not choice.default]
    if statement.kind == "set" and isinstance(statement.value, (t.Name, t.Number)):
        written = [statement.value]
    return [(statement.name, str(value.text if isinstance(value, t.Name) else value.value)) for value in written]
