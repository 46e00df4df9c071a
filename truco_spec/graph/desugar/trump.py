"""``trump t [above u] : …``: cards that beat all others.

It is desugared to ``define t(c)`` (is it one?) and ``define t.strength except strength``. A trump is above all ordinary
cards; one that names another is above that one too. The trumps are listed in ascending order, as cards, as ranks of a
suit (``10 < 11 of suit(x)``), or are the cards of one rank, ordered by suit (``rank r by suit``).
"""

from __future__ import annotations

from truco_spec.graph.desugar.template import CITE, fill
from truco_spec.graph.linking.names import Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, nearest

STEP = 100
"""The distance between the strengths of a trump and of what it beats; no deck has so many ranks."""

TEXT = f"""
  define N__(c : card) : flag {CITE} "PROSE__" = hole-is
  define N__.strength except strengthABOVE__ {CITE} "PROSE__" when N__(c) = hole-strength
"""


def lower_trump(trump: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """The two questions of a trump."""
    if trump.within and (trump.within not in others or others[trump.within].kind != "trump"):
        near = nearest(trump.within, [name for name, other in others.items() if other.kind == "trump"])
        hint = f"did you mean {near}?" if near else ""
        place = t.place_of(trump.within, trump.name_span)
        raise Wrong(Diagnostic("error", "unknown-name", f"there is no trump {trump.within}", place, hint))
    height, above, seen = 1, trump.within, {trump.name}
    while above in others and above not in seen:
        seen.add(above)
        height, above = height + 1, others[above].within
    card = t.Name("c", trump.name_span)
    rank, suit = t.Call("rank", (card,), trump.name_span), t.Call("suit", (card,), trump.name_span)
    if trump.suits:
        assert trump.value is not None
        among: t.Expr = t.Compare("is", rank, trump.value, trump.name_span)
        step: t.Expr = t.Call("place", (suit,), trump.name_span)
    elif trump.value is not None:
        in_suit = t.Compare("is", suit, trump.value, trump.name_span)
        listed = t.Compare("in", rank, t.SetOf(trump.members, trump.name_span), trump.name_span)
        among, step = t.Logic("and", in_suit, listed, trump.name_span), _steps(rank, trump)
    else:
        among = t.Compare("in", card, t.SetOf(trump.members, trump.name_span), trump.name_span)
        step = _steps(card, trump)
    if trump.when is not None:
        among = t.Logic("and", trump.when, among, trump.name_span)
    strength = t.Arith("+", t.Number(STEP * height, trump.name_span), step, trump.name_span)
    names = {
        "N__": trump.name,
        "PROSE__": trump.prose or "",
        "ABOVE__": f", {trump.within}.strength" if trump.within else "",
    }
    return fill(TEXT, trump, names, {"hole-is": among, "hole-strength": strength})


def _steps(item: t.Expr, trump: t.Statement) -> t.Expr:
    """1 for the lowest, 2 for the next, and so on up."""
    result: t.Expr = t.Number(len(trump.members), trump.name_span)
    for place, member in reversed(list(enumerate(trump.members[:-1], 1))):
        same = t.Compare("is", item, member, trump.name_span)
        result = t.Choose(t.Number(place, trump.name_span), same, result, trump.name_span)
    return result
