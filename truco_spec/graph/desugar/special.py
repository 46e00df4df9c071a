"""``special s when c``: a hand under other rules; its status is fixed when the hand is dealt.

It is desugared to ``datum s : flag = c fresh each deal``. With ``choice yes, no by X refusal pays e`` a phase
``s.choice`` precedes the play, where X plays or gives up; with ``stake e`` the hand has that value.
"""

from __future__ import annotations

from truco_spec.graph.desugar.template import CITE, fill, nobody_named
from truco_spec.graph.linking.names import Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

STATUS = "datum N__ : flag = hole-when fresh each deal seen by everyone"

CHOICE = f"""
  phase N__.choice "{{N__.chooser}} choose to play the hand or to give it up."
  define N__.chooser : set of seat {CITE} "Who decides." = hole-by
  rule N__.open except begin-play {CITE} "The choice comes before the play."
    in hand when N__ do then N__.choice
  rule N__.play {CITE} "They may play the hand."
    in N__.choice by N__.chooser may YES__ do then play
  rule N__.run {CITE} "They may give up the hand instead."
    in N__.choice by N__.chooser may NO__ do concede(us, hole-refusal)
"""

STAKE = f"""
  define N__.stake except stake {CITE} "The hand has its own stake." when N__ = hole-stake
"""


def lower_special(special: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """The status of a special hand, its choice and its stake."""
    when, replies, by = special.clause("when"), special.clause("replies"), special.clause("by")
    refusal, stake = special.clause("refusal"), special.clause("stake")
    assert when is not None and when.expr is not None
    text, names, holes = STATUS, {"N__": special.name}, {"hole-when": when.expr}
    if replies is not None:
        if by is None or by.expr is None:
            raise nobody_named(replies, special)
        if refusal is None or refusal.expr is None:
            message = "`choice` does not say what giving up costs"
            raise Wrong(
                Diagnostic("error", "shape", message, replies.span, "write `refusal pays` and how much behind it")
            )
        text += CHOICE
        names |= {"YES__": replies.names[0], "NO__": replies.names[1]}
        holes |= {"hole-by": by.expr, "hole-refusal": refusal.expr}
    if stake is not None:
        assert stake.expr is not None
        text += STAKE
        holes["hole-stake"] = stake.expr
    return fill(text, special, names, holes)
