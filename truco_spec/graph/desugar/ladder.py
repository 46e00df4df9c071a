"""``ladder n``: the raises of the stake, each to be accepted, refused or raised again.

It is desugared to an order of words ``n.word``, the stakes ``n.stakes(level)``, five data, the phase ``n.answer``, the
action ``n(w)``, an exception to ``stake`` and six rules, or seven with a ``later``. ``opens`` gives place and speaker
of the first word, ``later`` where the side that accepted may raise, ``answers`` the two replies and who gives them,
``refusal pays`` the price of a refusal. Each of the first three may have a ``when``.
"""

from __future__ import annotations

from dataclasses import replace

from truco_spec.graph.desugar.template import CITE, fill, nobody_named
from truco_spec.language import tree as t

TEXT = f"""
  order N__.word : WORDS__ {CITE}
  define N__.stakes(level : 0 .. TOP__) {CITE} "What each level is worth." = hole-stakes
  datum N__.level  : 0 .. TOP__ = 0    fresh each hand  seen by everyone
  datum N__.offer  : 0 .. TOP__ = 0    fresh each hand  seen by everyone
  datum N__.caller : team or none      fresh each hand  seen by everyone
  datum N__.asked  : team or none      fresh each hand  seen by everyone
  datum N__.holder : team or none      fresh each hand  seen by everyone
  phase N__.answer interrupts PLACES__ "The side that is asked answers the N__."
  action N__(w : N__.word) "{{w}}!" written "{{w}}"
  define N__.stake except stake {CITE} "An accepted raise is what the hand is worth."
    when N__.level > 0 = N__.stakes(N__.level)
  rule N__.open {CITE} "PROSE__"
    in OPENS__ by hole-opener may N__(w) when N__.level is 0 and place(w) is 1OPENWHEN__
    do ask N__.answer
LATER__
  rule N__.counter {CITE} "Who is asked may answer with the next raise; the one before is then accepted."
    in N__.answer by hole-answerer may N__(w) when place(w) is N__.offer + 1ANDWHEN__
    do N__.level = N__.offer
  rule N__.offered {CITE} "A raise has to be answered by the other side before play goes on."
    in PLACES__, N__.answer on N__(w) do N__.offer = place(w), N__.caller = us, N__.asked = them
  rule N__.accept {CITE} "A raise that is accepted holds at once, and the next belongs to the side that accepted."
    in N__.answer by hole-answerer may YES__ANSWERWHEN__ do N__.level = N__.offer, N__.holder = us, resume
  rule N__.refuse {CITE} "Who refuses gives up the hand, at what it was worth before the raise."
    in N__.answer by hole-answerer may NO__ANSWERWHEN__ do concede(us, hole-refusal)
"""

LATER = f"""
  rule N__.later {CITE} "The side that accepted may raise later."
    in LATER__ by hole-later may N__(w)
    when N__.level > 0 and N__.holder is us and place(w) is N__.level + 1LATERWHEN__
    do ask N__.answer
"""


def lower_ladder(ladder: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """The order, data, phase, action and rules of a ladder."""
    stakes = ladder.clause("stakes")
    assert stakes is not None and stakes.expr is not None
    openers = _group(ladder)
    opens, later, answers = openers["opens"], openers.get("later"), openers["replies"]
    here = ladder.name_span
    worth: t.Expr = stakes.steps[-1][1]
    amounts = [stakes.expr, *(amount for _, amount in stakes.steps)]
    for level, amount in reversed(list(enumerate(amounts[:-1]))):
        worth = t.Choose(amount, t.Compare("is", t.Name("level", here), t.Number(level, here), here), worth, here)
    places = list(opens[0].names)
    if later is not None:
        places += [name for name in later[0].names if name not in places]
    names = {
        "LATER__": LATER.replace("LATER__", ", ".join(later[0].names)) if later is not None else "",
        "OPENWHEN__": " and hole-open-when" if opens[2] else "",
        "LATERWHEN__": " and hole-later-when" if later is not None and later[2] else "",
        "ANDWHEN__": " and hole-answer-when" if answers[2] else "",
        "ANSWERWHEN__": " when hole-answer-when" if answers[2] else "",
        "N__": ladder.name,
        "WORDS__": " < ".join(word for word, _ in stakes.steps),
        "TOP__": str(len(stakes.steps)),
        "PLACES__": ", ".join(places),
        "OPENS__": ", ".join(opens[0].names),
        "PROSE__": ladder.prose or "",
        "YES__": answers[0].names[0],
        "NO__": answers[0].names[1],
    }
    holes = {
        "hole-stakes": worth,
        "hole-opener": opens[1],
        "hole-open-when": opens[2],
        "hole-answerer": answers[1],
        "hole-answer-when": answers[2],
        "hole-refusal": answers[3],
    }
    if later is not None:
        holes |= {"hole-later": later[1], "hole-later-when": later[2]}
    filled = fill(TEXT, ladder, names, {hole: expr for hole, expr in holes.items() if expr is not None})
    written = ladder.clause("written")
    if written is not None:
        filled = tuple(
            replace(s, clauses=(*[c for c in s.clauses if c.kind != "written"], written)) if s.kind == "action" else s
            for s in filled
        )
    return filled


_Group = tuple[t.Clause, t.Expr | None, t.Expr | None, t.Expr | None]


def _group(ladder: t.Statement) -> dict[str, _Group]:
    """Each of opens, later and answers with the ``by``, ``when`` and ``refusal`` after it."""
    groups: dict[str, _Group] = {}
    current = ""
    for clause in ladder.clauses:
        if clause.kind in ("opens", "later", "replies"):
            current = clause.kind
            groups[current] = (clause, None, None, None)
        elif current and clause.kind in ("by", "when", "refusal"):
            opener, by, when, refusal = groups[current]
            if clause.kind == "by":
                by = clause.expr
            elif clause.kind == "when":
                when = clause.expr
            else:
                refusal = clause.expr
            groups[current] = (opener, by, when, refusal)
    for clause, by, _, _ in groups.values():
        if by is None:
            raise nobody_named(clause, ladder)
    return groups
