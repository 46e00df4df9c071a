"""Settles a dispute: plays a log under agreements, compares the playthroughs, and judges a claim.

answer = settle(log, agreements_of("all", log.options), claim="bia's team wins the hand") print(answer.summary)
"""

from __future__ import annotations

from collections.abc import Sequence

from truco_spec.compare.disputes import telling
from truco_spec.compare.disputes.agreement import Agreement
from truco_spec.compare.disputes.answer import ClaimAnswer, DisputeAnswer
from truco_spec.compare.disputes.claims.claim import read_claim
from truco_spec.compare.disputes.claims.verdict import about_of, check
from truco_spec.compare.disputes.transpose import moves_of
from truco_spec.compare.disputes.unknown import Notice, home_of, try_all
from truco_spec.compare.disputes.why import partings
from truco_spec.logs.model import Log

MOST_MOVES = 500
"""Maximum moves of a log in a dispute."""


def settle(
    log: Log, agreements: Sequence[Agreement], claim: str | None = None, notice: Notice | None = None, most: int = 0
) -> DisputeAnswer:
    """The answer to a dispute.

    With a claim, only its subject is compared; at most ``most`` settings of each agreement are tried for it (0: a
    budget of some seconds). Raises :class:`LogError` and
    :class:`~truco_spec.compare.disputes.claims.claim.ClaimError`.
    """
    home = home_of(log, agreements)
    if len(moves_of(log)) > MOST_MOVES:
        message = f"The log has {len(moves_of(log))} moves; a dispute is about {MOST_MOVES} at most."
        raise log.mistake("size", message, "hands", "Cut out the part that is argued about.")
    statements = read_claim(claim, log.players) if claim is not None else ()
    tried, refused = try_all(log, home, agreements, statements, notice)
    if statements:
        graphs = [one.rules.graph for one in tried] or [home]
        check(statements, graphs, len(moves_of(log)), log.players, home)
    courses = [one.course for one in tried]
    texts = tuple(move.text for move in moves_of(log))
    found = list(partings(courses, about_of(statements)))
    looked = sum(one.weighed.looked for one in tried)
    claimed: ClaimAnswer | None = None
    if claim is not None:
        from truco_spec.compare.disputes.claims.claimed import claim_answer

        parted = {(id(course), one.number) for one in found for group in one.groups for course in group}
        claimed, played = claim_answer(claim, statements, tried, home, notice, most, parted)
        looked += played
    names = {id(one.course): one.agreement.name for one in tried}
    told = tuple(telling.parting(one, names, found, texts) for one in found)
    accepted = any(course.complete for course in courses)
    return DisputeAnswer(
        title=home.title,
        sides=telling.sides(log, home),
        begins=tuple(telling.begins(log)),
        moves=texts,
        summary=telling.summary(courses, told, texts, claimed=bool(statements)),
        put=tuple(names.values()),
        not_put=telling.grouped((agreement.name, reason) for agreement, reason in refused),
        notes=telling.grouped((one.agreement.name, note) for one in tried for note in one.put.notes),
        partings=told,
        endings=tuple(telling.endings(courses, found, names)),
        put_in=telling.put_in(tried),
        unknown=tuple(telling.unknown(tried, statements, home)),
        claim=claimed,
        looked=looked,
        accepted=accepted,
        courses={one.agreement.name: one.course for one in tried},
    )
