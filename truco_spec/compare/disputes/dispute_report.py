"""An answer as a document. The page of a dispute (:mod:`.page`) sets the same parts around its tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from truco_spec.base.document import (
    Block,
    Code,
    Heading,
    Item,
    Items,
    Link,
    Paragraph,
    RuleBlock,
    Strong,
    Text,
    items,
    listed,
)
from truco_spec.compare.disputes.answer import ClaimRow, DisputeAnswer, GroupAnswer, Unknown, WhyAnswer
from truco_spec.compare.disputes.authorities import Authority, Reason, Switch

DEPENDS = "depends"


def document_of(answer: DisputeAnswer) -> Iterator[Block]:
    """The whole answer: the verdict, the log, the claim, each parting, the end of the log."""
    yield Heading(1, f"{answer.claim.text}: {answer.claim.summary}" if answer.claim else answer.summary)
    yield Paragraph(about_of(answer))
    yield items(*answer.moves, numbered=True)
    if answer.claim:
        yield Paragraph(answer.summary)
        yield claim_of(answer.claim.rows)
    yield from notes_of(answer)
    for parting in answer.partings:
        about = f" ({', '.join(parting.about)})" if parting.about else ""
        yield Heading(2, f"Move {parting.number}, {parting.move}{about}")
        for group in parting.groups:
            yield Heading(3, ", ".join(group.names))
            yield from group_of(group)
    for unknown in answer.unknown:
        yield from unknown_of(unknown)
    yield from endings_of(answer)


def about_of(answer: DisputeAnswer) -> str:
    """Teams and settings."""
    return f"{answer.title}: {' against '.join(answer.sides)}. {'; '.join(answer.begins)}"


def claim_of(rows: Sequence[ClaimRow]) -> Items:
    """The rules under which a claim is right, the reasons, and what would turn the verdict."""
    return items(*(Item(_verdict(row), (items(*map(rule_of, row.reasons), *_sets(row)),)) for row in rows))


def _verdict(row: ClaimRow) -> Text:
    move = (", ", _to(row.move)) if row.move else ()
    return Strong(row.verdict, row.verdict), f" under {', '.join(row.names)}", *move, f" ({row.why})"


def _to(number: int) -> Link:
    return Link(f"move {number}", f"#move-{number}")


def _sets(row: ClaimRow) -> Iterator[Item]:
    turned = {"right": "wrong", "wrong": "right"}.get(row.verdict, "decided")
    for one in row.sets:
        options = listed((Code(f"{name} {' or '.join(values)}") for name, values in one.options), " and ")
        yield Item((f"{turned} with ", *options, f": {' '.join(one.means)}"))
    if not row.sets and row.verdict != DEPENDS:
        yield Item(_not_turned(row))


def _not_turned(row: ClaimRow) -> str:
    if row.size > 1:
        return "no option turns it, nor any two"
    return "no option turns it by itself, nor two that were tried" if row.size else "no option that was tried turns it"


def notes_of(answer: DisputeAnswer) -> Iterator[Block]:
    """What was substituted, what cannot be played, and what was changed for some rules."""
    put_in = [f"For {card} {value} is put in." for card, value in answer.put_in]
    not_put = [f"Cannot be put to {', '.join(names)}: {reason}." for names, reason in answer.not_put]
    notes = [f"{', '.join(names)}: {note}." for names, note in answer.notes]
    if put_in or not_put or notes:
        yield items(*put_in, *not_put, *notes)


def group_of(group: GroupAnswer) -> Iterator[Block]:
    """A group's verdict on a move, its reasons, and what happens next."""
    yield Paragraph((Strong(group.verdict), f"{_behind(', as ', group.said)}{_behind(': ', group.told)}."))
    if group.message:
        yield Paragraph(group.message)
    yield from _reasons(group.why, group.names)
    yield from (Paragraph(f"Then {line}.") for line in group.next)


def _behind(sign: str, text: str) -> str:
    return f"{sign}{text}" if text else ""


def _reasons(found: Sequence[WhyAnswer], names: Sequence[str]) -> Iterator[Block]:
    """The reasons, with the names of those that have them if not all do."""
    for why in found:
        if why.reasons and why.names != names:
            yield Paragraph(f"Under {', '.join(why.names)}:")
        if why.reasons:
            yield items(*map(rule_of, why.reasons))


def rule_of(reason: Reason) -> RuleBlock:
    """A reason in words, with its citations and the options it depends on."""
    more = [f"and {' '.join(reason.more)}"] if reason.more else []
    return RuleBlock(reason.prose, (*map(_authority, reason.authorities), *more, *map(_switch, reason.switches)))


def _authority(authority: Authority) -> str:
    """The citation, the place of the sentence, and its text."""
    where = f" (at “{authority.locator}”)" if authority.locator else ""
    return f"{authority.cite}{where} {authority.text}"


def _switch(switch: Switch) -> Text:
    cites = " ".join(authority.cite for authority in switch.cites)
    return "option ", Code(switch.option), f" is {switch.value}, {switch.means} {cites}"


def unknown_of(unknown: Unknown) -> Iterator[Block]:
    """A card that the answer depends on."""
    yield Heading(2, f"It depends on {unknown.card}")
    yield Paragraph(f"Under {', '.join(unknown.names)}:")
    yield items(*(f"{' '.join(cards)}: {outcome}" for cards, outcome in unknown.cases))


def endings_of(answer: DisputeAnswer) -> Iterator[Block]:
    """How far the log goes under which rules."""
    yield Heading(2, "How the log ends")
    for ending in answer.endings:
        names = ", ".join(ending.names)
        if ending.number:
            yield Paragraph((f"{names}: it stops at ", _to(ending.number), f": {ending.text}"))
            yield from _reasons(ending.why, ending.names)
        else:
            yield Paragraph(f"{names}: the whole log is regular.")
