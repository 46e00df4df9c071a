"""An answer for a terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from truco_spec.base.texts import visible
from truco_spec.compare.disputes.answer import Answer, ClaimRow, GroupAnswer, PartingAnswer, WhyAnswer
from truco_spec.compare.disputes.authorities import Authority, Reason
from truco_spec.compare.disputes.words import joined

WIDTH = 110
DEPENDS = "depends"


def text_of(answer: Answer) -> str:
    """The answer in lines; controls in what came from outside are made visible."""
    text = "\n".join(line.rstrip() for line in _lines(answer))
    return visible(re.sub(r"\n{3,}", "\n\n", text)) + "\n"


def _lines(answer: Answer) -> Iterator[str]:
    yield f"{answer.title}: {' against '.join(answer.sides)}"
    yield from _wrapped("; ".join(answer.begins), "")
    for number, move in enumerate(answer.moves, 1):
        yield f"{number:4}  {move}"
    yield ""
    if answer.claim is not None:
        yield from _claim(answer)
    yield from _wrapped(answer.summary, "")
    yield ""
    for card, value in answer.put_in:
        yield from _wrapped(f"For {card} {value} is put in; what other cards would change is told below.", "")
    for names, reason in answer.not_put:
        yield from _wrapped(f"Cannot be put to {joined(names)}: {reason}.", "")
    for names, note in answer.notes:
        yield from _wrapped(f"{joined(names)}: {note}.", "")
    for parting in answer.partings:
        yield from _parting(parting)
    for unknown in answer.unknown:
        yield ""
        yield from _wrapped(f"It depends on {unknown.card}, under {joined(unknown.names)}:", "")
        for cards, outcome in unknown.cases:
            yield from _wrapped(f"{' '.join(cards)}: {outcome}", "  ")
    yield from _endings(answer)


def _endings(answer: Answer) -> Iterator[str]:
    yield ""
    for ending in answer.endings:
        if ending.number:
            move = answer.moves[ending.number - 1] if ending.number <= len(answer.moves) else ""
            text = f"{joined(ending.names)}: the log stops at move {ending.number}, {move}: {ending.text}"
            yield from _wrapped(text, "")
            yield from _why(ending.why, ending.names)
        else:
            yield from _wrapped(f"{joined(ending.names)}: the whole log is regular.", "")


def _parting(parting: PartingAnswer) -> Iterator[str]:
    yield ""
    about = f" ({', '.join(parting.about)})" if parting.about else ""
    yield f"Move {parting.number}, {parting.move}{about}"
    for group in parting.groups:
        yield ""
        yield from _wrapped(f"{joined(group.names)}:", "  ")
        yield from _group(group)


def _group(group: GroupAnswer) -> Iterator[str]:
    said = f", as {group.said}" if group.said else ""
    told = f": {group.told}" if group.told else ""
    yield from _wrapped(f"{group.verdict}{said}{told}", "    ")
    if group.message:
        yield from _wrapped(group.message, "    ")
    yield from _why(group.why, group.names)
    for line in group.next:
        yield from _wrapped(f"then {line}", "    ")


def _why(found: Sequence[WhyAnswer], names: Sequence[str]) -> Iterator[str]:
    """The reasons, with the names of those that have them where not all do."""
    for why in found:
        if why.names != names and why.reasons:
            yield from _wrapped(f"under {joined(why.names)}:", "    ")
        for reason in why.reasons:
            yield from _reason(reason)


def _reason(reason: Reason) -> Iterator[str]:
    yield from _wrapped(f"- {reason.prose}", "    ")
    for authority in reason.authorities:
        yield from _wrapped(authority_in_words(authority), "        ")
    if reason.more:
        yield from _wrapped(f"and {' '.join(reason.more)}", "        ")
    for switch in reason.switches:
        cites = " ".join(authority.cite for authority in switch.cites)
        yield from _wrapped(f"option {switch.option} is {switch.value}, {switch.means} {cites}", "        ")


def authority_in_words(authority: Authority) -> str:
    """The citation, where the sentence is found, and what it says."""
    where = f" (at “{authority.locator}”)" if authority.locator else ""
    return f"{authority.cite}{where} {authority.text}"


def _claim(answer: Answer) -> Iterator[str]:
    assert answer.claim is not None
    yield from _wrapped(f"Claim: {answer.claim.text}", "")
    yield from _wrapped(answer.claim.summary, "")
    yield ""
    for row in answer.claim.rows:
        where = f", move {row.move}" if row.move else ""
        yield from _wrapped(f"{row.verdict} under {joined(row.names)}{where} ({row.why})", "  ")
        for reason in row.reasons:
            yield from _reason(reason)
        yield from _sets(row)
    yield ""


def _sets(row: ClaimRow) -> Iterator[str]:
    turn = turned(row)
    for one in row.sets:
        options = joined(f"{name} {' or '.join(values)}" for name, values in one.options)
        yield from _wrapped(f"{turn} with {options}: {' '.join(one.means)}", "      ")
    if not row.sets and row.verdict != DEPENDS:
        yield from _wrapped(not_turned(row), "      ")


def turned(row: ClaimRow) -> str:
    """What the verdict becomes under other options."""
    return {"right": "wrong", "wrong": "right"}.get(row.verdict, "decided")


def not_turned(row: ClaimRow) -> str:
    """That no options turn it, as far as they were tried."""
    if row.size > 1:
        return "no option turns it, nor any two"
    return "no option turns it by itself, nor two that were tried" if row.size else "no option that was tried turns it"


def _wrapped(text: str, margin: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=margin, subsequent_indent=margin + "  ", break_on_hyphens=False
    )
