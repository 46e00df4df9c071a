"""A log put to agreements, each with its course."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from truco_spec.disputes.agreement import Agreement, NotPlayed, Rules, rules_of
from truco_spec.disputes.claim import Claim
from truco_spec.disputes.course import Playthrough
from truco_spec.disputes.packs import cards_between
from truco_spec.disputes.put import Put, put
from truco_spec.disputes.unknown import Weighed, weigh
from truco_spec.disputes.verdict import ruling
from truco_spec.graph.model import Graph
from truco_spec.graph.unsettled import load_unsettled
from truco_spec.logs.model import Log
from truco_spec.logs.words import hint_for, shown
from truco_spec.shipped import is_file, variant_names

Notice = Callable[[str, int], None]
"""Is told how far it is: the name of an agreement, and how many courses were played."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An agreement, its rules, the log as it was put to them, and what came of it."""

    agreement: Agreement
    rules: Rules
    put: Put
    weighed: Weighed

    @property
    def course(self) -> Playthrough:
        """The course, with the cards that were put in for unknown ones."""
        return self.weighed.course


def home_of(log: Log, agreements: Sequence[Agreement] = ()) -> Graph:
    """The graph of the variant that a log was written for: a shipped one, or that of a file which is asked for.

    Raises :class:`LogError` where there is no such variant.
    """
    known = variant_names()
    if log.variant in known:
        return load_unsettled(log.variant)
    files = {load_unsettled(one.variant).name: one.variant for one in agreements if is_file(one.variant)}
    if log.variant not in files:
        message = f"There is no variant “{shown(log.variant)}”."
        raise log.mistake("variant", message, "variant", hint_for(log.variant, [*known, *files]))
    return load_unsettled(files[log.variant])


def try_all(
    log: Log,
    home: Graph,
    agreements: Sequence[Agreement],
    statements: Sequence[Claim] = (),
    notice: Notice | None = None,
) -> tuple[list[Tried], list[tuple[Agreement, str]]]:
    """The log under every agreement; and the agreements that it cannot be put to, with the reasons."""
    tried: list[Tried] = []
    refused: list[tuple[Agreement, str]] = []
    for agreement in agreements:
        if notice is not None:
            notice(agreement.name, 0)
        try:
            rules = rules_of(agreement, len(log.players))
            here = put(log, home, rules)
        except NotPlayed as reason:
            refused.append((agreement, str(reason)))
            continue
        likes = cards_between(home, rules.graph)
        order = [likes[card.name] for card in reversed(home.cards) if card.name in likes]
        judged = (lambda course: ruling(statements, course, home).right) if statements else None
        weighed = weigh(here, rules, order, judged)
        if weighed.course.began:
            tried.append(Tried(agreement, rules, here, weighed))
        else:
            refused.append((agreement, _as_reason(weighed.course.moments[0].message)))
    return tried, refused


def _as_reason(message: str) -> str:
    """A message within a sentence."""
    return f"{message[:1].lower()}{message[1:]}".rstrip(".")
