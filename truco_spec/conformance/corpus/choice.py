"""Selects the cases of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from truco_spec.base.shipped import variant_names
from truco_spec.conformance.corpus.cases import Case, Instance
from truco_spec.conformance.corpus.corpus import CaseError, instances, load_instances


def chosen(
    cases: Iterable[Case] | None = None,
    *,
    variants: Collection[str] = (),
    names: Collection[str] = (),
    levels: Collection[str] = (),
    players: int | None = None,
) -> tuple[Instance, ...]:
    """The instances that meet every condition given; ``names`` are ids of cases or names of instances.

    Without ``cases`` they are chosen from the shipped corpus. Raises :class:`CaseError` when a variant or a name is not
    in the corpus, or nothing is left.
    """
    everything = (
        _shipped(() if names else variants)
        if cases is None
        else [instance for case in cases for instance in instances(case)]
    )
    _known("variant", variants, {instance.variant for instance in everything})
    _known("case", names, {name for i in everything for name in (i.name, i.case.id)})
    found = tuple(
        instance
        for instance in everything
        if (not variants or instance.variant in variants)
        and (not names or instance.name in names or instance.case.id in names)
        and (not levels or instance.case.entry.level in levels)
        and (players is None or _players(instance) == players)
    )
    if not found:
        raise CaseError("No case of the corpus meets all these conditions. Leave one of them out.")
    return found


def _shipped(variants: Collection[str]) -> list[Instance]:
    """The instances of these shipped variants, or of all if one is unknown, in the order of the corpus."""
    shipped = variant_names()
    wanted = variants if variants and all(name in shipped for name in variants) else shipped
    return load_instances(*wanted)


def _players(instance: Instance) -> int:
    if instance.players:
        return len(instance.players)
    from truco_spec.conformance.corpus.filling import players_of  # only the spec knows, and linking is slow

    return len(players_of(instance.variant))


def _known(what: str, asked: Collection[str], known: set[str]) -> None:
    for name in asked:
        if name not in known:
            from truco_spec.language.diagnostics import nearest

            near = nearest(name, known)
            hint = f"Did you mean “{near}”?" if near else f"There are: {', '.join(sorted(known)[:20])}."
            raise CaseError(f"No case has the {what} “{name}”. {hint}")
