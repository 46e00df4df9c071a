"""``bid n``: calls that raise a stake beside the hand, until the other side accepts or refuses.

It is desugared to an order of words ``n.word``, six data, the phase ``n.answer``, the action ``n(w)``, three questions
and five rules. The data are ``n.times(w)`` (how often a word was said), ``n.offer`` (the gain if it is accepted),
``n.agreed`` (what was accepted by raising it), ``n.last`` (the last word), ``n.asked`` (the side that has to answer)
and ``n.closed`` (no more to be opened in this hand). The questions are ``n.limit(w)`` (how often a word may be said:
``upto``, once by default), ``n.worth(w)`` (the offer that a word makes) and ``n.follows(w)`` (may it be said now: it is
not exhausted, and not below the last).

``word += e`` adds to the offer, ``word = e`` sets it. An amount that only the position knows is a word: ``= rest``
makes ``n.offer`` be ``rest``, and the scoring rules define its value. Nothing adds to such a word, so it is the last,
and is said once. All other amounts are known before the game.

``opens`` gives place and speaker of the first word: there ``n.answer`` lies on top until the bid is over. ``answers``
names the two replies and who gives them; a raise is a third. ``settles`` is the phase after an accepted bid, ``refusal
pays`` the score of the other side after a refusal; then the game resumes. Who may call when is a rule of the game, in
its spec: after ``when``, or as a rule that beats one of these.
"""

from __future__ import annotations

from dataclasses import replace

from truco_spec.graph.desugar.template import CITE, fill, nobody_named
from truco_spec.graph.linking.names import Wrong
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic

TEXT = f"""
  order N__.word : WORDS__ {CITE}
  define N__.limit(w : N__.word) {CITE} "How often each word may be said." = hole-limit
  datum N__.times(w : N__.word) : 0 .. MOST__ = 0     fresh each hand  seen by everyone
  datum N__.offer  : 0 .. hole-topREST__ = 0          fresh each hand  seen by everyone
  datum N__.agreed : 0 .. hole-top = 0                fresh each hand  seen by everyone
  datum N__.last   : N__.word or none                 fresh each hand  seen by everyone
  datum N__.asked  : team or none                     fresh each hand  seen by everyone
  datum N__.closed : flag                             fresh each hand  seen by everyone
  phase N__.answer interrupts PLACES__ "The side that is asked answers the N__."
  action N__(w : N__.word) "{{w}}!" written "{{w}}"
  define N__.worth(w : N__.word) {CITE} "What is offered when a word is said." = hole-worth
  define N__.follows(w : N__.word) {CITE} "A word may be said again up to its limit, and none below the last."
    = N__.times(w) < N__.limit(w) and (N__.last is none or w >= N__.last)

  rule N__.open {CITE} "PROSE__"
    in PLACES__ by hole-opener may N__(w) when N__.closed is noOPENWHEN__
    do N__.closed = yes, ask N__.answer
  rule N__.raise {CITE} "Who is asked for a bid may raise it; what was offered before is then accepted."
    in N__.answer by hole-answerer may N__(w) when N__.follows(w)ANDWHEN__
    do N__.agreed = N__.offer
  rule N__.offered {CITE} "The offer is on the table; the other side has to answer it."
    in PLACES__, N__.answer on N__(w)
    do N__.offer = N__.worth(w), N__.last = w, N__.times(w) += 1, N__.asked = them
  rule N__.accept {CITE} "A bid that is accepted is settled at once."
    in N__.answer by hole-answerer may YES__ANSWERWHEN__ do then SETTLES__
  rule N__.refuse {CITE} "Who refuses a bid pays for it, and the game goes on where it stood."
    in N__.answer by hole-answerer may NO__ANSWERWHEN__ do score(them) += hole-refusal, resume
"""


def lower_bid(bid: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """The order, data, phase, action, questions and rules of a bid."""
    calls, settles, later = bid.clause("calls"), bid.clause("settles"), bid.clause("later")
    assert calls is not None and settles is not None
    if later is not None:
        raise _wrong("a bid is opened once in a hand", later.span, "`later in` is for a ladder: leave it out")
    opens, opener, open_when = _behind(bid, "opens")
    replies, answerer, answer_when = _behind(bid, "replies")
    refusal = bid.clause("refusal")
    assert refusal is not None and refusal.expr is not None
    rest = _check(calls.calls, others)
    here = bid.name_span
    names = {
        "OPENWHEN__": " and hole-open-when" if open_when else "",
        "ANDWHEN__": " and hole-answer-when" if answer_when else "",
        "ANSWERWHEN__": " when hole-answer-when" if answer_when else "",
        "N__": bid.name,
        "REST__": f" or {rest}" if rest else "",
        "WORDS__": " < ".join(call.word for call in calls.calls),
        "MOST__": str(max(_limit(call) for call in calls.calls)),
        "PLACES__": ", ".join(opens.names),
        "PROSE__": bid.prose or "",
        "YES__": replies.names[0],
        "NO__": replies.names[1],
        "SETTLES__": settles.word,
    }
    offer = t.Name(f"{bid.name}.offer", here)
    worths = [t.Arith("+", offer, c.amount, c.span) if c.sign == "+=" else c.amount for c in calls.calls]
    holes = {
        "hole-limit": _by_word(calls.calls, [t.Number(_limit(call), call.span) for call in calls.calls], here),
        "hole-worth": _by_word(calls.calls, worths, here),
        "hole-top": _top(calls.calls[:-1] if rest else calls.calls, here),
        "hole-opener": opener,
        "hole-answerer": answerer,
        "hole-refusal": refusal.expr,
    }
    if open_when is not None:
        holes["hole-open-when"] = open_when
    if answer_when is not None:
        holes["hole-answer-when"] = answer_when
    filled = fill(TEXT, bid, names, holes)
    written = bid.clause("written")
    if written is None:
        return filled
    return tuple(replace(s, clauses=(written,)) if s.kind == "action" else s for s in filled)


def _behind(bid: t.Statement, kind: str) -> tuple[t.Clause, t.Expr, t.Expr | None]:
    """A clause of the bid with the ``by`` and the ``when`` after it. Raises Wrong if nobody is named."""
    found: dict[str, t.Clause] = {}
    owner = ""
    for clause in bid.clauses:
        if clause.kind not in ("by", "when"):
            owner = clause.kind
        if owner == kind:
            found[clause.kind] = clause
    by, when = found.get("by"), found.get("when")
    if by is None or by.expr is None:
        raise nobody_named(found[kind], bid)
    return found[kind], by.expr, when.expr if when is not None else None


def _check(calls: tuple[t.CallWord, ...], others: dict[str, t.Statement]) -> str:
    """The value of the last call, if it is a word and not a number. Raises Wrong for calls without meaning."""
    seen: set[str] = set()
    for call in calls:
        if call.word in seen:
            raise _wrong(f"{call.word} stands twice among the calls", call.span, "`upto` says how often it may be said")
        seen.add(call.word)
        if call.sign == "-=":
            raise _wrong("a call never lowers what is offered", call.span, "write `+=` or `=`")
        if call.upto == 0:
            raise _wrong(f"{call.word} could never be said", call.span, "`upto` is 1 or more")
        is_word = call.sign == "=" and isinstance(call.amount, t.Name) and call.amount.text not in others
        if is_word and (call is not calls[-1] or _limit(call) > 1):
            message = f"nothing can be called above {call.word}: how much it is worth is not known before the game"
            raise _wrong(message, call.span, f"put {call.word} last, and leave out `upto`")
    last = calls[-1]
    is_open = last.sign == "=" and isinstance(last.amount, t.Name) and last.amount.text not in others
    return last.amount.text if is_open and isinstance(last.amount, t.Name) else ""


def _limit(call: t.CallWord) -> int:
    return 1 if call.upto is None else call.upto


def _by_word(calls: tuple[t.CallWord, ...], values: list[t.Expr], here: t.Span) -> t.Expr:
    """``a if w is first else b if w is second else c``."""
    result = values[-1]
    for call, value in reversed(list(zip(calls[:-1], values[:-1], strict=True))):
        is_word = t.Compare("is", t.Name("w", here), t.Name(call.word, call.span), here)
        result = t.Choose(value, is_word, result, here)
    return result


def _top(calls: tuple[t.CallWord, ...], here: t.Span) -> t.Expr:
    """The maximum offer: every word said as often as it may be."""
    total: t.Expr | None = None
    for call in calls:
        times = _limit(call) if call.sign == "+=" else 1
        amount = call.amount if times == 1 else t.Arith("*", t.Number(times, here), call.amount, here)
        total = amount if total is None else t.Arith("+", total, amount, here)
    return total or t.Number(0, here)


def _wrong(message: str, span: t.Span, hint: str) -> Wrong:
    return Wrong(Diagnostic("error", "shape", message, span, hint))
