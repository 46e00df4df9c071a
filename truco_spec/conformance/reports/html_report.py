"""One HTML file: every case with its table drawn step by step, without network requests, and readable without its
script, which only filters. Its policy allows no other script, so that foreign text cannot become one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from truco_spec.conformance.corpus.protocol import HandScript, Script, ScriptAction
from truco_spec.conformance.reports.events import Run, baseline_players, beside, of_level
from truco_spec.conformance.reports.run_document import DEPARTS, departing, explained_by
from truco_spec.conformance.reports.totals import (
    clause_text,
    faults_by_clause,
    not_playable,
    notes,
    other_readings,
    score,
    scores,
    totals,
    unsupported,
)
from truco_spec.conformance.runner.verdicts import NEGATIVE, VERDICTS
from truco_spec.pages.html import page


def text_of(run: Run) -> str:
    """The page of a run."""
    counts = Counter(case.verdict for case in run.cases)
    values = {
        "run": run,
        "totals": totals(run.cases),
        "verdicts": [verdict for verdict in VERDICTS if verdict == "pass" or counts[verdict]],
        "variants": sorted({case.variant for case in run.cases}),
        "clauses": sorted({clause for case in run.cases for clause in (*case.clauses, *case.decisions)}),
        "wrong": [played.case for played in run.wrong if not run.causes_of(played.case)],
        "explained_by": explained_by,
        "departs": DEPARTS,
        "negative": NEGATIVE,
        "faults": faults_by_clause(run.unexplained),
        "readings": other_readings(run.unexplained),
        "unplayable": not_playable(run.unexplained),
        "departing": list(departing(run.cases)),
        "reasons": unsupported(run.cases),
        "scores": scores(run.cases),
        "score": score(run.cases),
        "baseline_players": baseline_players(run),
        "of_level": partial(of_level, run),
        "beside": beside(run),
        "notes": list(notes(run.cases)),
        "anchors": anchors(case.name for case in run.cases),
        "steps": steps,
        "clause_text": lru_cache(maxsize=None)(clause_text),
    }
    return page(__package__ or "", "page", values)


def anchors(names: Iterable[str]) -> Mapping[str, str]:
    """Map each case to its anchor. The same name has the same anchor in any run, unless another case of the run has
    almost the same name.
    """
    found: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for name in names:
        anchor = f"case-{re.sub(r'[^A-Za-z0-9.]+', '-', name)}".strip("-")
        taken[anchor] += 1
        found[name] = anchor if taken[anchor] == 1 else f"{anchor}--{taken[anchor]}"
    return found


# --------------------------------------------------------------------------------------------------
# The table after the deal and after every action: cards held and cards played.


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's place. ``laid`` are the cards played, a covered one in brackets."""

    player: str
    deals: bool
    held: tuple[str, ...]
    laid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepRow:
    """The table at one point. ``done`` led to it; empty after a deal. Hands count from 1."""

    hand: int
    done: str
    turned: Mapping[str, tuple[str, ...]]
    seats: tuple[Seat, ...]


def steps(script: Script) -> Iterator[StepRow]:
    """Every point of the script by itself: refusals are unknown here."""
    for number, hand in enumerate(script.hands, 1):
        theirs = {card for player in script.players for card in hand.deal.get(player, ())}
        turned = {  # the order of the pack is not drawn
            key: cards for key, cards in hand.deal.items() if key not in script.players and not theirs & set(cards)
        }
        dealer = script.dealer if len(script.hands) == 1 else ""
        for done in range(len(hand.actions) + 1):
            text = hand.actions[done - 1].text if done else ""
            seats = tuple(_seat(player, player == dealer, hand, done) for player in script.players)
            yield StepRow(number, text, turned, seats)


def _seat(player: str, deals: bool, hand: HandScript, done: int) -> Seat:
    laid = [a for a in hand.actions[:done] if a.player == player and not a.say]
    gone = {a.play or a.cover for a in laid}
    held = tuple(card for card in hand.deal.get(player, ()) if card not in gone)
    return Seat(player, deals, held, tuple(map(_card, laid)))


def _card(action: ScriptAction) -> str:
    return action.play or f"({action.cover})"
