"""What is assumed of how an implementation plays a game, as causes are found: they are assumed from there on."""

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
    """How an implementation plays a variant: its hello, as that should be, other values of options than it claims, and
    ``changes`` of rules by the number of the mutant.
    """

    introduction: Introduction
    variant: str
    options: tuple[tuple[str, str], ...] = ()
    changes: tuple[int, ...] = ()

    def beside(self, cause: FitCause) -> Assumed:
        """The same, and a cause."""
        if cause.claim:
            values = tuple(cause.value.split())
            return replace(self, introduction=claiming(self.introduction, self.variant, cause.claim, values))
        if cause.option:
            return replace(self, options=tuple({**dict(self.options), cause.option: cause.value}.items()))
        return replace(self, changes=(*self.changes, cause.mutant))

    def graph(self, script: Script | OwnDeals) -> Graph:
        """The rules of a script. Raises TrucoError where they do not link."""
        return Hypothesis(script.variant, len(script.players), self.options, self.changes).graph(script.options)

    def agrees(self, reply: Reply) -> bool:
        """Whether an answer agrees with all this to the end."""
        return self.agreement(reply)[0].agrees

    def agreement(self, reply: Reply) -> tuple[Reach, bool]:
        """How far an answer agrees: :func:`~truco_spec.conformance.fit.hypothesis.agreement_of`."""
        options = tuple(sorted({**reply.script.options, **dict(self.options)}.items()))
        hypothesis = Hypothesis(self.variant, len(reply.script.players), options, self.changes)
        return agreement_of(hypothesis, reply, self.introduction)


def supposed(assumed: Assumed | None) -> AbstractContextManager[None]:
    """A context in which everything is played by what is assumed, if something is."""
    if assumed is None or not (assumed.options or assumed.changes):
        return nullcontext()
    return filling.supposing(assumed.graph)
