"""The answer to a dispute: as data, the input of every renderer, and as a document."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from truco_spec.base.document import (
    Block,
    Code,
    Heading,
    Item,
    Items,
    Link,
    Mark,
    Paragraph,
    RuleBlock,
    Strong,
    Text,
    items,
    listed,
    parts,
)
from truco_spec.base.words import called_value, label, say
from truco_spec.compare.disputes.authorities import MOST_NAMED, Authority, Grounds, Reason, Switch
from truco_spec.compare.disputes.playthrough import Playthrough

RIGHT, WRONG, DEPENDS, OPEN = "right", "wrong", "depends", "open"
"""The verdicts on a claim."""


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """The reasons shared by some agreements of a group."""

    names: tuple[str, ...]
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """Agreements with the same outcome of a move: the verdict, the observations, the reasons, and what happens next.

    ``said`` is the move as it is made there, where that differs from the log.
    """

    names: tuple[str, ...]
    said: str
    verdict: str
    message: str
    told: str
    why: tuple[WhyAnswer, ...]
    next: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PartingAnswer:
    """A move at which agreements part that agreed so far. ``about`` are the observations in which they differ."""

    number: int
    move: str
    about: tuple[str, ...]
    groups: tuple[GroupAnswer, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Agreements whose logs end alike: ``number`` is the move that they refuse (0: none).

    ``why`` are the reasons, if no parting shows them.
    """

    names: tuple[str, ...]
    number: int
    text: str
    why: tuple[WhyAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown card on which the answer depends; ``cases`` are outcomes with cards that lead to them."""

    names: tuple[str, ...]
    card: str
    cases: tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options that change the verdict on a claim, with the values that do so, and the sentences that explain them;
    ``authorities`` of their values here, where rules of one's own set them.
    """

    options: tuple[tuple[str, tuple[str, ...]], ...]
    means: tuple[str, ...]
    authorities: tuple[Authority, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """Agreements with one verdict on the claim (``right``, ``wrong``, ``depends`` or ``open``) for one reason.

    ``sets`` are the smallest changes of options that turn it; ``size`` is the largest size of sets all of which were
    tried. ``reasons`` are the rules it rests on, if no parting shows them.
    """

    names: tuple[str, ...]
    verdict: str
    why: str
    move: int
    sets: tuple[OptionSet, ...]
    size: int
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """A claim in words, under which agreements it is right, and the summary in one line; ``tried`` settings were
    played.
    """

    text: str
    summary: str
    rows: tuple[ClaimRow, ...]
    tried: int


@dataclass(frozen=True, slots=True)
class DisputeAnswer:
    """The whole answer. ``summary`` is one line; ``looked`` counts the playthroughs.

    ``not_put`` are agreements under which the log cannot be played, with the reason; ``notes`` are the changes made to
    the log for some of them; ``put_in`` are the cards substituted for unknown ones; ``playthroughs`` are those of
    all agreements, by name, for renderers that draw the table.
    """

    title: str
    sides: tuple[str, ...]
    begins: tuple[str, ...]
    moves: tuple[str, ...]
    summary: str
    put: tuple[str, ...]
    not_put: tuple[tuple[tuple[str, ...], str], ...]
    notes: tuple[tuple[tuple[str, ...], str], ...]
    partings: tuple[PartingAnswer, ...]
    endings: tuple[Ending, ...]
    put_in: tuple[tuple[str, str], ...]
    unknown: tuple[Unknown, ...]
    claim: ClaimAnswer | None
    looked: int
    accepted: bool
    playthroughs: Mapping[str, Playthrough] = field(default_factory=dict, repr=False, compare=False)


# --------------------------------------------------------------------------------------------------
# The document. The page of a dispute (:mod:`.page`) sets the same parts around its tables.


def document_of(answer: DisputeAnswer) -> Iterator[Block]:
    """The whole answer: the verdict, the log, the claim, each parting, the end of the log."""
    claim = answer.claim
    yield Heading(1, f"{claim.text}: {claim.summary[:1].lower()}{claim.summary[1:]}" if claim else answer.summary)
    yield Paragraph(about_of(answer))
    yield items(*answer.moves, numbered=True)
    if answer.claim:
        yield Paragraph(answer.summary)
        yield claim_of(answer.claim.rows)
    yield from notes_of(answer)
    for parting in answer.partings:
        about = f" ({', '.join(map(label, parting.about))})" if parting.about else ""
        yield Heading(2, f"{say('Move {number}, {move}', number=parting.number, move=parting.move)}{about}")
        for group in parting.groups:
            yield Heading(3, ", ".join(group.names))
            yield from group_of(group)
    for unknown in answer.unknown:
        yield from unknown_of(unknown)
    yield from endings_of(answer)


def about_of(answer: DisputeAnswer) -> str:
    """Teams and settings."""
    sides = f" {say('against')} ".join(answer.sides)
    return f"{answer.title}: {'; '.join((sides, *answer.begins))}"


def claim_of(rows: Sequence[ClaimRow]) -> Items:
    """The rules under which a claim is right, the reasons, and what would turn the verdict."""
    return items(*(Item(_verdict(row), (items(*map(rule_of, row.reasons), *_sets(row)),)) for row in rows))


def _verdict(row: ClaimRow) -> Text:
    move = (", ", _to(row.move)) if row.move else ()
    under = say("under {names}", names=", ".join(row.names))
    return Strong(say(row.verdict), row.verdict), f" {under}", *move, f" ({row.why.removesuffix('.')})"


def _to(number: int) -> Link:
    return Link(say("move {number}", number=number), f"#move-{number}")


def _sets(row: ClaimRow) -> Iterator[Item]:
    turned = {RIGHT: say("wrong with"), WRONG: say("right with")}.get(row.verdict, say("decided with"))
    for one in row.sets:
        options = listed((_changed(name, values) for name, values in one.options), f" {say('and')} ")
        cited = itertools.chain(*((" ", *parts(_authority(each))) for each in one.authorities))
        yield Item((f"{turned} ", *options, f": {' '.join(one.means)}", *cited))
    if not row.sets and row.verdict != DEPENDS:
        yield Item(_not_turned(row))


def _changed(option: str, values: Sequence[str]) -> Text:
    """An option with other values, as it is typed; in other languages than English with what these are called."""
    joint = f" {say('or')} "
    called = joint.join(called_value(option, value) for value in values)
    typed = joint.join(values)
    return Code(f"{option} {typed}"), "" if called == typed else f" ({called})"


def _not_turned(row: ClaimRow) -> str:
    if row.size > 1:
        return say("no option turns it, nor any two")
    if row.size:
        return say("no option turns it by itself, nor two that were tried")
    return say("no option that was tried turns it")


def notes_of(answer: DisputeAnswer) -> Iterator[Block]:
    """Return notes on substituted moves, unplayable moves, and changes made for some rules."""
    put_in = [say("For {card} {value} is put in.", card=card, value=value) for card, value in answer.put_in]
    form = "Cannot be put to {names}: {reason}."
    not_put = [say(form, names=", ".join(names), reason=reason) for names, reason in answer.not_put]
    notes = [f"{', '.join(names)}: {note}." for names, note in answer.notes]
    if put_in or not_put or notes:
        yield items(*put_in, *not_put, *notes)


def group_of(group: GroupAnswer) -> Iterator[Block]:
    """A group's verdict on a move, its reasons, and what happens next."""
    said = _behind(f", {say('as')} ", group.said)
    yield Paragraph((Strong(group.verdict), f"{said}{_behind(': ', group.told)}."))
    if group.message:
        yield Paragraph(group.message)
    yield from _reasons(group.why, group.names)
    yield from (Paragraph(say("Then {line}.", line=line)) for line in group.next)


def _behind(sign: str, text: str) -> str:
    return f"{sign}{text}" if text else ""


def _reasons(found: Sequence[WhyAnswer], names: Sequence[str]) -> Iterator[Block]:
    """Return the reasons, with the names of the agreements that have them unless all do."""
    for why in found:
        if why.reasons and why.names != names:
            yield Paragraph(say("Under {names}:", names=", ".join(why.names)))
        if why.reasons:
            yield items(*map(rule_of, why.reasons))


def rule_of(reason: Reason) -> RuleBlock:
    """A reason in words, with its citations and the options it depends on."""
    return RuleBlock(reason.prose, tuple(line for grounds in reason.grounds for line in _grounds(grounds)))


def _grounds(grounds: Grounds) -> Iterator[Text]:
    """Return the lines of some grounds; those of some agreements alone begin with their names."""
    lines: list[Text] = list(map(_authority, grounds.authorities))
    if more := grounds.more:
        shown, hidden = (more, 0) if len(more) <= MOST_NAMED else (more[: MOST_NAMED - 1], len(more) - MOST_NAMED + 1)
        rest = Mark(" ".join((*shown, *([say("and {count} more", count=hidden)] if hidden else []))))
        if grounds.names and lines:
            lines[-1] = *parts(lines[-1]), " ", rest
        else:
            lines.append((f"{say('and')} " if lines else "", rest))
    lines += map(_switch, grounds.switches)
    if grounds.names:
        lines[0] = f"{say('Under {names}:', names=', '.join(grounds.names))} ", *parts(lines[0])
    yield from lines


def _authority(authority: Authority) -> Text:
    """The citation, the place of the sentence, and its text."""
    where = f" (at “{authority.locator}”)" if authority.locator else ""
    return Mark(authority.cite), f"{where} {authority.text}".rstrip()


def _switch(switch: Switch) -> Text:
    cites = Mark(" ".join(authority.cite for authority in switch.cites))
    form = say("option {option} is {value}, {means}", value=switch.value, means=switch.means)
    before, _, behind = form.partition("{option}")
    return before, Code(switch.option, switch.sentence), f"{behind} ", cites


def unknown_of(unknown: Unknown) -> Iterator[Block]:
    """A card that the answer depends on."""
    yield Heading(2, say("It depends on {card}", card=unknown.card))
    yield Paragraph(say("Under {names}:", names=", ".join(unknown.names)))
    yield items(*(f"{' '.join(cards)}: {outcome}" for cards, outcome in unknown.cases))


def endings_of(answer: DisputeAnswer) -> Iterator[Block]:
    """Return how far the log is accepted, by rules."""
    yield Heading(2, say("How the log ends"))
    for ending in answer.endings:
        names = ", ".join(ending.names)
        if ending.number:
            yield Paragraph((f"{names}: {say('it stops at')} ", _to(ending.number), f": {ending.text}"))
            yield from _reasons(ending.why, ending.names)
        else:
            yield Paragraph(f"{names}: {say('the whole log is regular.')}")
