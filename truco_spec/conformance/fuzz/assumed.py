"""Assumptions about how an implementation plays a game: causes, once found, are assumed from there on."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import Introduction, OwnDeals, Script
from truco_spec.conformance.fit.evidence import Reply
from truco_spec.conformance.fit.fit_result import FitCause
from truco_spec.conformance.fit.habits import claiming
from truco_spec.conformance.fit.how_far import Reach
from truco_spec.conformance.fit.hypothesis import Hypothesis, agreement_of
from truco_spec.graph.model import Graph


@dataclass(frozen=True, slots=True)
class Assumed:
    """How an implementation plays a variant: its corrected hello, values of options that it does not claim, and
    ``changes`` of rules by mutant number.
    """

    introduction: Introduction
    variant: str
    options: tuple[tuple[str, str], ...] = ()
    changes: tuple[int, ...] = ()

    def beside(self, cause: FitCause) -> Assumed:
        """Return the same with a further cause."""
        if cause.claim:
            values = tuple(cause.value.split())
            return replace(self, introduction=claiming(self.introduction, self.variant, cause.claim, values))
        if cause.option:
            return replace(self, options=tuple({**dict(self.options), cause.option: cause.value}.items()))
        return replace(self, changes=(*self.changes, cause.mutant))

    def graph(self, script: Script | OwnDeals) -> Graph:
        """Return the rules of a script. Raises TrucoError if they do not link."""
        return Hypothesis(script.variant, len(script.players), self.options, self.changes).graph(script.options)

    def agrees(self, reply: Reply) -> bool:
        """Whether an answer agrees with all assumptions to the end."""
        return self.agreement(reply)[0].agrees

    def agreement(self, reply: Reply) -> tuple[Reach, bool]:
        """Return how far an answer agrees: :func:`~truco_spec.conformance.fit.hypothesis.agreement_of`."""
        options = tuple(sorted({**reply.script.options, **dict(self.options)}.items()))
        hypothesis = Hypothesis(self.variant, len(reply.script.players), options, self.changes)
        return agreement_of(hypothesis, reply, self.introduction)


def supposed(assumed: Assumed | None) -> AbstractContextManager[None]:
    """A context in which everything is played by the assumptions, if any."""
    if assumed is None or not (assumed.options or assumed.changes):
        return nullcontext()
    return filling.supposing(assumed.graph)
