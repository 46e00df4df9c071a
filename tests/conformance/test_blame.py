"""Single faults, each played against the cases of its game: the clause that it breaks is among the first three."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from dealers import Change, always_the_same, changed, no_fours, turned_card_of_a_player, used_up, with_eights_to_tens
from wrong import Wrong

from truco_spec.base import shipped
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Deals, Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Deal, Introduction, OwnDeals, Script, Seen
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.reports.events import case_of
from truco_spec.conformance.reports.totals import faults_by_clause, other_readings
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.runner import Result

FIRST = 3

LOWEST_SEAT = """define lowest except next-leader @decided:own "The lowest seat leads."
    when won(current) is not tie and size(tops(current)) > 1 = first seat s in tops(current)"""
LAST_OF_EQUALS = """define latest except next-leader @decided:own "The later of the two leads."
    when won(current) is not tie and size(tops(current)) > 1 = last seat s in tops(current) from leader"""
BEYOND_TWELVE = """rule beyond except needless-later @decided:own "Truco at twelve."
    in play by turn may truco when stake is 12"""
HALF_A_REFUSAL = """rule half except truco.refuse @decided:own "Who is not next to play runs alone."
    in truco.answer by side(truco.asked) may corro when not me is next-in-play(turn) do then truco.answer"""


OWN = '@decided:own "Otherwise."'
BY_SUIT = f"""define by-suit except next-leader, partners-lead {OWN}
    when won(current) is not tie and size(tops(current)) > 1
    = first seat s in tops(current) :
        every seat x in tops(current) : place(suit(laid(current, x))) {{}} place(suit(laid(current, s)))"""
HIGHEST_SUIT, LOWEST_SUIT = BY_SUIT.format("<="), BY_SUIT.format(">=")
STAKE_STAYS = f"""datum stayed : 0 .. 4 = 0 seen by everyone
    rule stays {OWN} in truco.answer on aceito do stayed = truco.offer
    define not-reset except stake {OWN} when truco.level is 0 and stayed > 0 = truco.stakes(stayed)"""
SPADES_OVER_HEARTS = "replace order suit : D < H < S < C @decided:own"
SEIS_FIRST = f"""rule seis-first {OWN} in play by turn may truco(w)
    when truco.level is 0 and place(w) is 2 and not onze and not ferro do truco.level = 1, ask truco.answer"""
RETRUCO_FIRST = f"""rule retruco-first {OWN} in play by playing may truco(w)
    when truco.level is 0 and place(w) is 2 do truco.level = 1, ask truco.answer"""
TRUCO_FORGOTTEN = f"""datum lost : flag = no fresh each hand seen by everyone
    rule loses {OWN} in truco.answer on envido do lost = yes
    rule forgets {OWN} in truco.answer when lost is yes do lost = no, then play"""
MAZO_PAYS_ONE = f"define one-only except mazo-worth {OWN} = 1"
FALTA_ON_FALTA = f"""rule thrown-back {OWN} in envido.answer by side(envido.asked) may envido(falta-envido)
    when envido.times(falta-envido) is 1"""
OWN_SIDE_ANSWERS = f"""rule own-side {OWN} in flor-answer by side(team(opener)) may con-flor-quiero
    do contest = flores, best = none, spent = playing - announced, speaker = first-holder, then declaring"""
FIGURES_OF_A_SUIT_ARE_NO_PAIR = f"""define no-pair except paired {OWN}
    when number-of(a) is 0 and number-of(b) is 0 = no"""
A_PLAYED_CARD_AGAIN = """replace action card(c : card) "{c} is played."
    possible when c in cards(me) or some trick n : laid(n, me) is c written "{c}\""""


class Faulty(Wrong):
    """The reference engine in all that it claims, but for some statements, or for what it does to its deals; it lists
    no moves and no cards.
    """

    def __init__(self, statements: str, variant: str, change: Change = lambda deals: None) -> None:
        super().__init__(statements, variant)
        self.change = change

    def hello(self) -> Introduction:
        told = Reference().hello()
        return replace(told, observes=tuple(key for key in told.observes if key not in ("legal", "view")))

    def run(self, script: Script) -> Seen:
        return tuple(
            replace(hand, seen=tuple(_without_lists(each) for each in hand.seen), start=_without_lists(hand.start))
            for hand in super().run(script)
        )

    def deal(self, request: OwnDeals) -> tuple[Deal, ...]:
        return changed(super().deal(request), self.change, match=request.match)


def _without_lists(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in ("legal", "view")}


def first_blamed(results: Sequence[Result]) -> list[str]:
    """The clauses that stand first in a report, and the readings."""
    cases = list(map(case_of, results))
    return [*list(faults_by_clause(cases))[:FIRST], *list(other_readings(cases))[:FIRST]]


@cache
def cases_of(variant: str, players: int) -> tuple[Instance, ...]:
    """Those of the game as it is played without any agreement: each other one would have to be linked anew."""
    found = [instance for case in corpus.load() for instance in corpus.instances(case) if instance.variant == variant]
    return tuple(each for each in found if len(each.players or "four") == players and not each.options)


@pytest.mark.sample(0, long=5)
@pytest.mark.parametrize(
    ("variant", "players", "statements", "clause"),
    [
        ("mineiro", 4, LOWEST_SEAT, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("mineiro", 4, LAST_OF_EQUALS, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("paulista", 4, LOWEST_SEAT, "partner-equal-lead"),
        ("mineiro", 4, HIGHEST_SUIT, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("mineiro", 4, LOWEST_SUIT, "pagat:mineiro.trick.partners-equal-first-leads"),
        ("paulista", 4, LOWEST_SUIT, "partner-equal-lead"),
        ("argentino", 4, LOWEST_SEAT, "same-team-tie-leader"),
        ("argentino", 4, HIGHEST_SUIT, "same-team-tie-leader"),
        ("argentino", 4, LOWEST_SUIT, "same-team-tie-leader"),
        ("paulista", 4, BEYOND_TWELVE, "pagat:mineiro.truco.queda-to-12-is-last"),
        ("paulista", 4, HALF_A_REFUSAL, "pagat:mineiro.truco.first-reply-binding"),
        ("paulista", 4, HIGHEST_SUIT, "partner-equal-lead"),
        ("paulista", 4, STAKE_STAYS, "pagat:mineiro.scoring.majority-wins-one-tento"),
        ("paulista", 4, SPADES_OVER_HEARTS, "pagat:paulista.manilha-suit-order"),
        ("paulista", 4, SEIS_FIRST, "pagat:mineiro.truco.raises-stake-1-to-3"),
        ("paulista", 4, A_PLAYED_CARD_AGAIN, "pagat:mineiro.play.any-card-may-be-played"),
        ("mineiro", 4, A_PLAYED_CARD_AGAIN, "pagat:mineiro.play.any-card-may-be-played"),
        ("argentino", 2, A_PLAYED_CARD_AGAIN, "wikipedia:argentino.one-card-each-ccw"),
        ("argentino", 4, A_PLAYED_CARD_AGAIN, "wikipedia:argentino.one-card-each-ccw"),
        ("argentino", 2, RETRUCO_FIRST, "wikipedia:argentino.retruco-who"),
        ("argentino", 2, TRUCO_FORGOTTEN, "wikipedia:argentino.envido-first-then-truco"),
        ("argentino", 2, MAZO_PAYS_ONE, "mazo-value"),
        ("argentino", 2, FALTA_ON_FALTA, "envido-repeats"),
        ("argentino", 4, OWN_SIDE_ANSWERS, "flor-bet-answers"),
        ("argentino", 2, FIGURES_OF_A_SUIT_ARE_NO_PAIR, "wikipedia:argentino.envido-figures-zero-pair"),
    ],
)
def test_a_single_fault_is_blamed_on_its_clause(variant: str, players: int, statements: str, clause: str) -> None:
    faulty = Faulty(statements, variant)
    assert clause in first_blamed([runner.play(instance, faulty) for instance in cases_of(variant, players)])


TABLES = [("paulista", 4), ("mineiro", 4), ("argentino", 2), ("argentino", 4)]


@cache
def without_a_fault(variant: str, players: int) -> tuple[Result, ...]:
    faultless = Faulty("", variant)
    return tuple(runner.play(instance, faultless) for instance in cases_of(variant, players))


@pytest.mark.long
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_without_a_fault_nothing_is_blamed(variant: str, players: int) -> None:
    assert first_blamed(without_a_fault(variant, players)) == []


FORTY, SHUFFLED = "pagat:mineiro.deck-40-cards", "pagat:mineiro.shuffle-riffle"
DIRTY, SPANISH = "pagat:paulista.dirty-deck", "wikipedia:argentino.deck-1-7-and-figures"


@pytest.mark.sample(0, long=2)
@pytest.mark.parametrize(
    ("change", "clauses"),
    [
        (no_fours, (DIRTY, FORTY, SPANISH, SPANISH)),
        (with_eights_to_tens, (DIRTY, FORTY, SPANISH, SPANISH)),
        (used_up, (SHUFFLED, "pagat:mineiro.deal.burned-cards-return-next-deal", SPANISH, SPANISH)),
        (always_the_same, (SHUFFLED, SHUFFLED, SPANISH, SPANISH)),
        (turned_card_of_a_player, (DIRTY,)),
    ],
)
def test_a_fault_of_dealing_is_blamed_on_its_clause(change: Change, clauses: Sequence[str]) -> None:
    """For each table, as far as there is such a card; only what asks for deals of its own can notice it."""
    for (variant, players), clause in zip(TABLES, clauses, strict=False):
        faulty = Faulty("", variant, change)
        results = [
            runner.play(told.instance, faulty) if asks_for_deals(told.instance) else told
            for told in without_a_fault(variant, players)
        ]
        assert clause in first_blamed(results), (variant, players)


def asks_for_deals(instance: Instance) -> bool:
    return any(isinstance(step, Deals) for step in instance.case.entry.moves)


# ---- the small engine in JavaScript, with one line of it changed ---------------------------------

ENGINE = shipped.folder("conformance") / "adapters" / "javascript"
ONE = "this.stake = eleven.length === 1 ? 3 : this.iron ? this.house.iron : 1;"
CHANGES = [
    ('SUITS = "DSHC"', 'SUITS = "DHSC"', "nowadays:nowadays.manilha.suit-strength"),
    ("(this.vira[0]) + 1)", "(this.vira[0]) + 2)", "nowadays:nowadays.manilha.suit-strength"),
    ("RAISES[word] === next", "RAISES[word] >= next", "nowadays:nowadays.raise.ladder"),
    ("(this.other(name), this.stake)", "(this.other(name), this.proposal)", "pagat:mineiro.truco.run-away-gives-one"),
    (ONE, ONE.replace("1;", "this.stake || 1;"), "pagat:mineiro.scoring.majority-wins-one-tento"),
    ("this.vira = deck.draw();", "this.vira = this.hands[this.dealer][0];", "pagat:paulista.vira-turned-after-deal"),
]


SCORED, NOT_FOR_DRAWN = (
    "this.points[winner] += worth;",
    "else for (const each of this.names) this.points[each] += worth;",
)
Played = Callable[[str, str], tuple[Introduction, Sequence[Result]]]
CAUSES = [
    (SCORED, SCORED.replace("winner", "this.other(winner)"), ("score-hand", "concede")),
    ("(this.other(name), this.stake)", "(this.other(name), 1)", ("concede", "“1” in place of “n”")),
    (SCORED, f"{SCORED} {NOT_FOR_DRAWN}", ("score-nothing", "")),
    ("this.points[winner] >= TARGET", "this.points[winner] === TARGET", ("last-hand-won", "")),
]


@pytest.fixture
def with_line(tmp_path: Path) -> Played:
    """Plays the cases by the engine with one line of it changed."""

    def played(line: str, wrong: str) -> tuple[Introduction, Sequence[Result]]:
        shutil.copy(ENGINE / "adapter.js", tmp_path)
        text = (ENGINE / "engine.js").read_text(encoding="utf-8")
        assert text.count(line) == 1
        (tmp_path / "engine.js").write_text(text.replace(line, wrong), encoding="utf-8")
        with Pipe(["node", str(tmp_path / "adapter.js")], Limits(case=10, start=30)) as pipe:
            return pipe.hello(), runner.run(chosen(corpus.load(), variants=["paulista"]), pipe)

    return played


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(("line", "wrong", "clause"), CHANGES)
def test_a_changed_line_is_blamed_on_its_clause(line: str, wrong: str, clause: str, with_line: Played) -> None:
    assert clause in first_blamed(with_line(line, wrong)[1])


@pytest.mark.long
@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(("line", "wrong", "named"), CAUSES)
def test_a_changed_line_is_named_by_its_rule(line: str, wrong: str, named: tuple[str, str], with_line: Played) -> None:
    introduction, results = with_line(line, wrong)
    first = next(iter(causes_of(results, introduction)))
    assert first.rule == named[0]
    assert named[1] in first.change
