"""Desugaring: each construct is rewritten to core statements, by a documented template in the rules language itself.

A hole ``N__`` for a name is filled in the text before parsing; a hole for an expression (a name that begins with
``hole-``) is filled in the tree afterwards, so that the parts of the construct keep their own positions. All else gets
the construct's position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from truco_spec.base.words import Sentence
from truco_spec.graph.linking.names import Wrong, unknown
from truco_spec.language import tree as t
from truco_spec.language.shape import spelt

_CITE = "@by:construct"
"""A placeholder citation in templates, replaced by the construct's own."""


_STEP = 100
"""The distance between the strengths of a trump and of the cards it beats; no deck has as many ranks."""

_TRUMP = f"""
  define N__(c : card) : flag {_CITE} "PROSE__" = hole-is
  define N__.strength except strengthABOVE__ {_CITE} "PROSE__" when N__(c) = hole-strength
"""


def _lower_trump(trump: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """``trump t [above u] : …``: cards that beat all others.

    It is desugared to ``define t(c)`` (is it one?) and ``define t.strength except strength``. A trump is above all
    ordinary cards; one that names another is above that one too. The trumps are listed in ascending order, as cards, as
    ranks of a suit (``10 < 11 of suit(x)``), or are the cards of one rank, ordered by suit (``rank r by suit``).
    """
    if trump.within and (trump.within not in others or others[trump.within].kind != "trump"):
        known = [name for name, other in others.items() if other.kind == "trump"]
        place = t.place_of(trump.within, trump.name_span)
        raise unknown(Sentence("there is no trump {name}", name=trump.within), known, place)
    here = trump.name_span
    height, above, seen = 1, trump.within, {trump.name}
    while above in others and above not in seen:
        seen.add(above)
        height, above = height + 1, others[above].within
    card = t.Name("c", here)
    rank, suit = t.Call("rank", (card,), here), t.Call("suit", (card,), here)
    if trump.suits:
        assert trump.value is not None
        among: t.Expr = t.Compare("is", rank, trump.value, here)
        step: t.Expr = t.Call("place", (suit,), here)
    elif trump.value is not None:
        in_suit = t.Compare("is", suit, trump.value, here)
        listed = t.Compare("in", rank, t.SetOf(trump.members, here), here)
        among, step = t.Logic("and", in_suit, listed, here), _steps(rank, trump)
    else:
        among = t.Compare("in", card, t.SetOf(trump.members, here), here)
        step = _steps(card, trump)
    if trump.when is not None:
        among = t.Logic("and", trump.when, among, here)
    strength = t.Arith("+", t.Number(_STEP * height, here), step, here)
    names = {
        "N__": trump.name,
        "PROSE__": trump.prose or "",
        "ABOVE__": f", {trump.within}.strength" if trump.within else "",
    }
    return _fill(_TRUMP, trump, names, {"hole-is": among, "hole-strength": strength})


def _steps(item: t.Expr, trump: t.Statement) -> t.Expr:
    """1 for the lowest, 2 for the next, and so on up."""
    here = trump.name_span
    places = [t.Number(place, here) for place in range(1, len(trump.members) + 1)]
    return _by_case([t.Compare("is", item, member, here) for member in trump.members], places, here)


def _lower_fault(fault: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """``fault f(…)``: an act that is never allowed and always possible.

    It is desugared to an action of that name and a rule ``f.rule`` that forbids it, with its penalty.
    """
    of_action = ("possible", "seen", "written")
    action = t.Statement(
        "action",
        fault.name,
        fault.span,
        fault.name_span,
        params=fault.params,
        prose=fault.prose,
        clauses=tuple(clause for clause in fault.clauses if clause.kind in of_action),
    )
    verb = t.Verb(fault.name, tuple(t.Name(p.name, p.span) for p in fault.params), fault.name_span)
    rest = tuple(clause for clause in fault.clauses if clause.kind not in of_action)
    verdict = t.Clause("verdict", word="must not", verbs=(verb,), span=fault.name_span)
    after = 1 if rest and rest[0].kind == "by" else 0
    rule = replace(
        fault,
        kind="rule",
        name=f"{fault.name}.rule",
        mode="",
        params=(),
        clauses=(*rest[:after], verdict, *rest[after:]),
    )
    return action, rule


_STATUS = "datum N__ : flag = hole-when fresh each deal seen by everyone"

_CHOICE = f"""
  phase N__.choice "{{N__.chooser}} chooses to play the hand or to give it up."
  define N__.chooser : set of seat {_CITE} "Who decides." = hole-by
  rule N__.open except begin-play {_CITE} "The choice comes before the play."
    in hand when N__ do then N__.choice
  rule N__.play {_CITE} "They may play the hand."
    in N__.choice by N__.chooser may YES__ do then play
  rule N__.run {_CITE} "They may give up the hand instead."
    in N__.choice by N__.chooser may NO__ do concede(us, hole-refusal)
"""

_STAKE = f"""
  define N__.stake except stake {_CITE} "The hand has its own stake." when N__ = hole-stake
"""


def _lower_special(special: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """``special s when c``: a hand under other rules; its status is fixed when the hand is dealt.

    It is desugared to ``datum s : flag = c fresh each deal``. With ``choice yes, no by X refusal pays e`` a phase
    ``s.choice`` precedes the play, where X plays or gives up; with ``stake e`` the hand has that value.
    """
    when, replies, by = special.clause("when"), special.clause("replies"), special.clause("by")
    refusal, stake = special.clause("refusal"), special.clause("stake")
    assert when is not None and when.expr is not None
    text, names, holes = _STATUS, {"N__": special.name}, {"hole-when": when.expr}
    if replies is not None:
        if by is None or by.expr is None:
            raise _nobody_named(replies, special)
        if refusal is None or refusal.expr is None:
            message = Sentence("`choice` does not say what giving up costs")
            raise _wrong(message, replies.span, Sentence("write `refusal pays` and how much behind it"))
        text += _CHOICE
        names |= {"YES__": replies.names[0], "NO__": replies.names[1]}
        holes |= {"hole-by": by.expr, "hole-refusal": refusal.expr}
    if stake is not None:
        assert stake.expr is not None
        text += _STAKE
        holes["hole-stake"] = stake.expr
    return _fill(text, special, names, holes)


_LADDER = f"""
  order N__.word : WORDS__ {_CITE}
  define N__.stakes(level : 0 .. TOP__) {_CITE} "What each level is worth." = hole-stakes
  datum N__.level  : 0 .. TOP__ = 0    fresh each hand  seen by everyone
  datum N__.offer  : 0 .. TOP__ = 0    fresh each hand  seen by everyone
  datum N__.caller : team or none      fresh each hand  seen by everyone
  datum N__.asked  : team or none      fresh each hand  seen by everyone
  datum N__.holder : team or none      fresh each hand  seen by everyone
  phase N__.answer interrupts PLACES__ "The side that is asked answers the N__."
  action N__(w : N__.word) "{{w}}!" written "{{w}}"
  define N__.stake except stake {_CITE} "An accepted raise is what the hand is worth."
    when N__.level > 0 = N__.stakes(N__.level)
  rule N__.open {_CITE} "PROSE__"
    in OPENS__ by hole-opener may N__(w) when N__.level is 0 and place(w) is 1OPENWHEN__
    do ask N__.answer
LATER__
  rule N__.counter {_CITE} "Whoever is asked may answer with the next raise; the one before is then accepted."
    in N__.answer by hole-answerer may N__(w) when place(w) is N__.offer + 1ANDWHEN__
    do N__.level = N__.offer
  rule N__.offered {_CITE} "A raise has to be answered by the other side before play goes on."
    in PLACES__, N__.answer on N__(w) do N__.offer = place(w), N__.caller = us, N__.asked = them
  rule N__.accept {_CITE}
    "A raise that is accepted holds at once; if there may be another, it is for the side that accepted."
    in N__.answer by hole-answerer may YES__ANSWERWHEN__ do N__.level = N__.offer, N__.holder = us, resume
  rule N__.refuse {_CITE} "Whoever refuses gives up the hand, at what had been accepted before."
    in N__.answer by hole-answerer may NO__ANSWERWHEN__ do concede(us, hole-refusal)
"""

_LATER = f"""
  rule N__.later {_CITE} "The side that accepted may raise later."
    in LATER__ by hole-later may N__(w)
    when N__.level > 0 and N__.holder is us and place(w) is N__.level + 1LATERWHEN__
    do ask N__.answer
"""


def _lower_ladder(ladder: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """``ladder n``: the raises of the stake, each to be accepted, refused or raised again.

    It is desugared to an order of words ``n.word``, the stakes ``n.stakes(level)``, five data, the phase ``n.answer``,
    the action ``n(w)``, an exception to ``stake`` and six rules, or seven with a ``later``. ``opens`` gives place and
    speaker of the first word, ``later`` where the side that accepted may raise, ``answers`` the two replies and who
    gives them, ``refusal pays`` the price of a refusal. Each of the first three may have a ``when``.
    """
    stakes, refusal = ladder.clause("stakes"), ladder.clause("refusal")
    assert stakes is not None and stakes.expr is not None
    assert refusal is not None and refusal.expr is not None
    opens, opener, open_when = _behind(ladder, "opens")
    places, later_text, later_when = list(opens.names), "", None
    here = ladder.name_span
    amounts = [stakes.expr, *(amount for _, amount in stakes.steps)]
    levels = [t.Compare("is", t.Name("level", here), t.Number(level, here), here) for level in range(len(amounts))]
    holes = {
        "hole-stakes": _by_case(levels, amounts, here),
        "hole-opener": opener,
        "hole-open-when": open_when,
        "hole-refusal": refusal.expr,
    }
    if ladder.clause("later") is not None:
        later, holes["hole-later"], later_when = _behind(ladder, "later")
        holes["hole-later-when"] = later_when
        later_text = _LATER.replace("LATER__", ", ".join(later.names))
        places += [name for name in later.names if name not in places]
    replies, holes["hole-answerer"], holes["hole-answer-when"] = _behind(ladder, "replies")
    names = {
        "LATER__": later_text,
        "OPENWHEN__": " and hole-open-when" if open_when else "",
        "LATERWHEN__": " and hole-later-when" if later_when else "",
        "ANDWHEN__": " and hole-answer-when" if holes["hole-answer-when"] else "",
        "ANSWERWHEN__": " when hole-answer-when" if holes["hole-answer-when"] else "",
        "N__": ladder.name,
        "WORDS__": " < ".join(word for word, _ in stakes.steps),
        "TOP__": str(len(stakes.steps)),
        "PLACES__": ", ".join(places),
        "OPENS__": ", ".join(opens.names),
        "PROSE__": ladder.prose or "",
        "YES__": replies.names[0],
        "NO__": replies.names[1],
    }
    return _as_written(ladder, _fill(_LADDER, ladder, names, holes))


_BID = f"""
  order N__.word : WORDS__ {_CITE}
  define N__.limit(w : N__.word) {_CITE} "How often each word may be said." = hole-limit
  datum N__.times(w : N__.word) : 0 .. MOST__ = 0     fresh each hand  seen by everyone
  datum N__.offer  : 0 .. hole-topREST__ = 0          fresh each hand  seen by everyone
  datum N__.agreed : 0 .. hole-top = 0                fresh each hand  seen by everyone
  datum N__.last   : N__.word or none                 fresh each hand  seen by everyone
  datum N__.asked  : team or none                     fresh each hand  seen by everyone
  datum N__.closed : flag                             fresh each hand  seen by everyone
  phase N__.answer interrupts PLACES__ "The side that is asked answers the N__."
  action N__(w : N__.word) "{{w}}!" written "{{w}}"
  define N__.worth(w : N__.word) {_CITE} "What is offered when a word is said." = hole-worth
  define N__.follows(w : N__.word) {_CITE} "A word may be said again up to its limit, and none below the last."
    = N__.times(w) < N__.limit(w) and (N__.last is none or w >= N__.last)

  rule N__.open {_CITE} "PROSE__"
    in PLACES__ by hole-opener may N__(w) when N__.closed is noOPENWHEN__
    do N__.closed = yes, ask N__.answer
  rule N__.raise {_CITE}
    "Whoever is asked for a bid may raise it, but not with a lower word; what was offered before is then accepted."
    in N__.answer by hole-answerer may N__(w) when N__.follows(w)ANDWHEN__
    do N__.agreed = N__.offer
  rule N__.offered {_CITE} "The offer is on the table; the other side has to answer it."
    in PLACES__, N__.answer on N__(w)
    do N__.offer = N__.worth(w), N__.last = w, N__.times(w) += 1, N__.asked = them
  rule N__.accept {_CITE} "A bid that is accepted is settled at once."
    in N__.answer by hole-answerer may YES__ANSWERWHEN__ do then SETTLES__
  rule N__.refuse {_CITE} "Whoever refuses a bid pays for it, and the game goes on where it stood."
    in N__.answer by hole-answerer may NO__ANSWERWHEN__ do score(them) += hole-refusal, resume
"""


def _lower_bid(bid: t.Statement, others: dict[str, t.Statement]) -> tuple[t.Statement, ...]:
    """``bid n``: calls that raise a stake beside the hand, until the other side accepts or refuses.

    It is desugared to an order of words ``n.word``, six data, the phase ``n.answer``, the action ``n(w)``, three
    questions and five rules. The data are ``n.times(w)`` (how often a word was said), ``n.offer`` (the gain if it is
    accepted), ``n.agreed`` (what was accepted by raising it), ``n.last`` (the last word), ``n.asked`` (the side that
    has to answer) and ``n.closed`` (no more to be opened in this hand). The questions are ``n.limit(w)`` (how often a
    word may be said: ``upto``, once by default), ``n.worth(w)`` (the offer that a word makes) and ``n.follows(w)`` (may
    it be said now: it is not exhausted, and not below the last).

    ``word += e`` adds to the offer, ``word = e`` sets it. An amount that only the position knows is a word: ``= rest``
    makes ``n.offer`` be ``rest``, and the scoring rules define its value. Nothing adds to such a word, so it is the
    last, and is said once. All other amounts are known before the game.

    ``opens`` gives place and speaker of the first word: there ``n.answer`` lies on top until the bid is over.
    ``answers`` names the two replies and who gives them; a raise is a third. ``settles`` is the phase after an accepted
    bid, ``refusal pays`` the score of the other side after a refusal; then the game resumes. Who may call when is a
    rule of the game, in its spec: after ``when``, or as a rule that beats one of these.
    """
    calls, settles, later = bid.clause("calls"), bid.clause("settles"), bid.clause("later")
    assert calls is not None and settles is not None
    if later is not None:
        raise _wrong(
            Sentence("a bid is opened once in a hand"), later.span, Sentence("`later in` is for a ladder: leave it out")
        )
    opens, opener, open_when = _behind(bid, "opens")
    replies, answerer, answer_when = _behind(bid, "replies")
    refusal = bid.clause("refusal")
    assert refusal is not None and refusal.expr is not None
    rest = _check_calls(calls.calls, others)
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
    limits = [t.Number(_limit(call), call.span) for call in calls.calls]
    words = [t.Compare("is", t.Name("w", here), t.Name(c.word, c.span), here) for c in calls.calls]
    holes = {
        "hole-limit": _by_case(words, limits, here),
        "hole-worth": _by_case(words, worths, here),
        "hole-top": _top(calls.calls[:-1] if rest else calls.calls, here),
        "hole-opener": opener,
        "hole-answerer": answerer,
        "hole-refusal": refusal.expr,
        "hole-open-when": open_when,
        "hole-answer-when": answer_when,
    }
    return _as_written(bid, _fill(_BID, bid, names, holes))


def _check_calls(calls: tuple[t.CallWord, ...], others: dict[str, t.Statement]) -> str:
    """The value of the last call, if it is a word and not a number. Raises Wrong for calls without meaning."""
    seen: set[str] = set()
    for call in calls:
        if call.word in seen:
            message = Sentence("{word} stands twice among the calls", word=call.word)
            hint = Sentence("`upto` says how often it may be said")
            raise _wrong(message, call.span, hint)
        seen.add(call.word)
        if call.sign == "-=":
            raise _wrong(Sentence("a call never lowers what is offered"), call.span, Sentence("write `+=` or `=`"))
        if call.upto == 0:
            raise _wrong(
                Sentence("{word} could never be said", word=call.word), call.span, Sentence("`upto` is 1 or more")
            )
        is_word = call.sign == "=" and isinstance(call.amount, t.Name) and call.amount.text not in others
        if is_word and (call is not calls[-1] or _limit(call) > 1):
            form = "nothing can be called above {word}: how much it is worth is not known before the game"
            message = Sentence(form, word=call.word)
            raise _wrong(message, call.span, Sentence("put {word} last, and leave out `upto`", word=call.word))
    last = calls[-1]
    is_open = last.sign == "=" and isinstance(last.amount, t.Name) and last.amount.text not in others
    return last.amount.text if is_open and isinstance(last.amount, t.Name) else ""


def _limit(call: t.CallWord) -> int:
    return 1 if call.upto is None else call.upto


def _top(calls: tuple[t.CallWord, ...], here: t.Span) -> t.Expr:
    """The maximum offer: every word said as often as it may be."""
    total: t.Expr | None = None
    for call in calls:
        times = _limit(call) if call.sign == "+=" else 1
        amount = call.amount if times == 1 else t.Arith("*", t.Number(times, here), call.amount, here)
        total = amount if total is None else t.Arith("+", total, amount, here)
    return total or t.Number(0, here)


def _wrong(message: str, span: t.Span, hint: str) -> Wrong:
    return Wrong("shape", message, span, hint)


def _nobody_named(clause: t.Clause, construct: t.Statement) -> Wrong:
    """The error for a clause of a construct without a ``by``."""
    message = Sentence("`{word}` says what may be done, but not by whom", word=spelt(clause.kind, construct.kind))
    return _wrong(message, clause.span, Sentence("write `by` and who behind it"))


def _behind(construct: t.Statement, kind: str) -> tuple[t.Clause, t.Expr, t.Expr | None]:
    """A clause of the construct with the ``by`` and the ``when`` after it. Raises Wrong if nobody is named."""
    found: dict[str, t.Clause] = {}
    owner = ""
    for clause in construct.clauses:
        if clause.kind not in ("by", "when"):
            owner = clause.kind
        if owner == kind:
            found[clause.kind] = clause
    by, when = found.get("by"), found.get("when")
    if by is None or by.expr is None:
        raise _nobody_named(found[kind], construct)
    return found[kind], by.expr, when.expr if when is not None else None


def _by_case(tests: Sequence[t.Expr], values: Sequence[t.Expr], here: t.Span) -> t.Expr:
    """``a if first else b if second else c``: each value with its test, the last one without."""
    *cases, otherwise = values
    for test, value in reversed(list(zip(tests, cases, strict=False))):
        otherwise = t.Choose(value, test, otherwise, here)
    return otherwise


def _as_written(construct: t.Statement, filled: tuple[t.Statement, ...]) -> tuple[t.Statement, ...]:
    """The statements of a construct whose words are written as it says."""
    written = construct.clause("written")
    if written is None:
        return filled
    return tuple(replace(s, clauses=(written,)) if s.kind == "action" else s for s in filled)


def _fill(
    text: str, construct: t.Statement, names: Mapping[str, str], holes: Mapping[str, t.Expr | None]
) -> tuple[t.Statement, ...]:
    """The statements of a template; those that need citations get the construct's. A hole may be None."""
    for hole, name in names.items():
        text = text.replace(hole, name)
    filled = (_filled(statement, construct, holes) for statement in _statements(text))
    return tuple(replace(s, cites=construct.cites) if s.cites else s for s in filled)


@lru_cache(maxsize=256)
def _statements(text: str) -> tuple[t.Statement, ...]:
    from truco_spec.language.read import parse  # what is desugared already needs no parser

    return parse(f'variant template {{ title "" {text} }}').variants[0].items


def _filled(node: Any, construct: t.Statement, holes: Mapping[str, t.Expr | None]) -> Any:
    if isinstance(node, t.Span):
        return construct.name_span
    if isinstance(node, t.Name) and node.text in holes:
        return holes[node.text]
    if isinstance(node, tuple):
        return tuple(_filled(item, construct, holes) for item in node)
    if is_dataclass(node) and not isinstance(node, type):
        changed = {f.name: _filled(getattr(node, f.name), construct, holes) for f in fields(node)}
        return replace(node, **changed)
    return node


LOWERINGS: dict[str, Callable[[t.Statement, dict[str, t.Statement]], tuple[t.Statement, ...]]] = {
    "bid": _lower_bid,
    "fault": _lower_fault,
    "ladder": _lower_ladder,
    "special": _lower_special,
    "trump": _lower_trump,
}
"""Map each construct to its desugaring: from the statement (and all statements, by name) to core statements."""
