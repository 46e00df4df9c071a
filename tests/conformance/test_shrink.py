"""Failing scripts are cut down to what shows the fault, and become cases that say so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from wrong import DEALER, EARLY, LEADER, REFUSAL, Breaks, Wrong

from truco_spec.conformance.adapters.pipe import Implementation
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.filling import notation, script_graph
from truco_spec.conformance.corpus.protocol import HandScript, Plays, Script, Seen, action_of
from truco_spec.conformance.fuzz.rounds import Assumed, supposed
from truco_spec.conformance.fuzz.shrink import Minimal, case_text, shrink
from truco_spec.conformance.fuzz.trial import Examiner, Failure
from truco_spec.conformance.runner import runner
from truco_spec.logs.line import LogError

FOUR = {"P1": "3C 4D 7S", "P2": "3H 2H 7H", "P3": "KS JS QS", "P0": "4C 4H 6D", "vira": "5H"}
TWO = {"P1": "3C 4D 7S", "P0": "3H QS QD", "vira": "5H"}


def script(deal: dict[str, str], *hands: str, dealer: str = "P0", score: dict[str, int] | None = None) -> Script:
    players = tuple(f"P{n}" for n in range(len(deal) - 1))
    cards = {key: tuple(held.split()) for key, held in deal.items()}
    return Script(
        "paulista",
        {"covering": "from-second"},
        players,
        (players[0::2], players[1::2]),
        dealer,
        score or {},
        "strict",
        tuple(HandScript(cards, tuple(action_of(text.strip()) for text in hand.split(","))) for hand in hands),
    )


LONG = script(FOUR, "P1 4D, P2 truco, P3 aceito, P2 3H, P2 7H, P3 KS, P0 4H, P1 7S, P2 7H", score={"P0": 4, "P1": 2})


SPANISH = {"P1": "7C 5C 4B", "P0": "7O 6O 1E", "muestra": "6C"}
ACCEPTED_ONLY = {"envido-refused-raise": "accepted-only"}
REFUSER_PAID = 'rule more @decided:own "Who refuses is paid, too." in envido.answer on no-quiero {} do score(us) += 1'


def cut(found: Script, wrong: Callable[[], Wrong], most: int = 200) -> tuple[Failure, Minimal]:
    failure = Examiner(wrong()).failure(found)
    assert failure is not None
    return failure, shrink(failure, wrong, most=most)


def test_a_right_one_has_no_failure() -> None:
    assert Examiner(Wrong("")).failure(LONG) is None


def test_actions_options_score_and_players_go() -> None:
    failure, minimal = cut(LONG, lambda: Wrong(LEADER))
    assert failure.kind == "acting"
    assert failure.decided.statements == ("next-leader",)
    assert minimal.repeatable
    assert len(minimal.failure.script.players) == 2
    assert notation(minimal.failure.script).startswith("paulista | P0 P1 | dealer P1 | deal ")
    assert len(minimal.failure.script.hands[0].actions) == 2
    assert minimal.failure.signature == failure.signature


@pytest.mark.long
def test_what_is_needed_stays() -> None:
    found = script(TWO, "P1 3C, P0 truco, P1 seis, P0 corro", score={"P0": 2})
    failure, minimal = cut(found, lambda: Wrong(REFUSAL))
    assert (failure.kind, failure.about) == ("hand", "None instead of a player")
    assert [action.text for action in minimal.failure.script.hands[0].actions[-2:]] in (
        ["P1 truco", "P0 corro"],
        ["P0 truco", "P1 corro"],
        ["P1 seis", "P0 corro"],
    )
    assert minimal.failure.script.score == {}


@pytest.mark.long
def test_hands_before_it_go() -> None:
    played = "P1 3C, P0 QS, P1 4D, P0 3H, P0 QD, P1 7S"
    found = script(TWO, played, "P0 3H, P0 truco")
    failure, minimal = cut(found, lambda: Wrong(EARLY, observes=("trick", "score")))
    assert (failure.kind, failure.script.hands[-1].actions[-1].text) == ("taken", "P0 truco")
    assert [[a.text for a in hand.actions] for hand in minimal.failure.script.hands] == [["P0 truco"]]


@pytest.mark.long
def test_a_hand_that_is_needed_stays() -> None:
    found = script(TWO, "P1 3C, P0 truco, P1 aceito, P0 QS, P1 4D, P0 3H, P0 seis, P0 QD, P1 7S", "P0 3H")
    _, minimal = cut(found, lambda: Wrong(DEALER))
    assert [len(hand.actions) for hand in minimal.failure.script.hands] == [6, 0]
    assert minimal.failure.kind == "acting"
    assert "pass-deal" in minimal.failure.decided.rules


@pytest.mark.parametrize(("when", "options"), [("", {}), ("when envido-refused-raise is accepted-only", ACCEPTED_ONLY)])
def test_an_option_goes_if_the_rules_come_to_the_same_without_it(when: str, options: dict[str, str]) -> None:
    def wrong() -> Wrong:
        found = Wrong(REFUSER_PAID.format(when), "argentino")
        found.plays = Plays((2,), {"envido-refused-raise": ("accepted-plus-1", "accepted-only")})
        return found

    found = replace(script(SPANISH, "P1 envido, P0 no-quiero"), variant="argentino", options=ACCEPTED_ONLY)
    failure, minimal = cut(found, wrong)
    assert failure.kind == "score"
    assert minimal.failure.script.options == options


class NobodyGoes(Wrong):
    """Nobody may give up the hand, which a player of this engine does alone, on the own turn."""

    def __init__(self) -> None:
        stay = 'rule stay except last-to-mazo @decided:own "All stay." in play by everyone must not mazo'
        super().__init__(stay, "argentino")
        self.plays = Plays((2,), always={"mazo-scope": "player-only", "truco-out-of-turn": "own-turn"})

    def run(self, script: Script) -> Seen:
        return super().run(replace(script, options={**self.plays.own(2), **script.options}))


def test_an_option_that_is_claimed_stays_where_the_rule_would_be_another_without_it() -> None:
    claimed = NobodyGoes().plays.own(2)
    found = replace(script(SPANISH, "P1 7C, P0 mazo"), variant="argentino", options=claimed)
    failure, minimal = cut(found, NobodyGoes)
    assert failure.decided.statements == ("last-to-mazo",)
    assert minimal.failure.script.options == {"mazo-scope": "player-only"}
    assert minimal.failure.decided == failure.decided


def test_a_script_is_written_although_by_what_is_assumed_it_is_no_game() -> None:
    less = replace(script(TWO, "P1 3C"), variant="mineiro", options={})
    with supposed(Assumed(Reference().hello(), "mineiro", (("tie-lead", "last"),))):
        assert notation(less).startswith("mineiro | P0 P1 |")
        with pytest.raises(LogError, match="Four play this game"):
            script_graph(less)


def test_a_crash_is_cut_down_too() -> None:
    failure, minimal = cut(LONG, lambda: Breaks("truco"))
    assert failure.kind == "crash"
    assert [a.text for a in minimal.failure.script.hands[0].actions] == ["P0 truco"]
    assert len(minimal.failure.script.players) == 2


@pytest.mark.long
def test_the_implementation_is_asked_so_often_and_no_more() -> None:
    made: list[Wrong] = []

    def one() -> Wrong:
        made.append(Wrong(LEADER))
        return made[-1]

    failure = Examiner(one()).failure(LONG)
    assert failure is not None
    made.clear()
    minimal = shrink(failure, one, most=4)
    assert sum(len(wrong.asked_for) for wrong in made) <= 4 + 4  # and what is found is asked for again
    assert minimal.failure.signature == failure.signature


@pytest.mark.long
def test_the_same_script_is_cut_down_to_the_same() -> None:
    texts = {case_text(cut(LONG, lambda: Wrong(LEADER))[1].failure, "own-lead-1") for _ in range(2)}
    assert len(texts) == 1


def test_what_fails_only_after_something_else_is_not_repeatable() -> None:
    failure = Examiner(Wrong(LEADER)).failure(LONG)
    assert failure is not None
    minimal = shrink(failure, lambda: Wrong(""))
    assert not minimal.repeatable
    assert minimal.failure == failure


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("statements", "hands"),
    [
        (LEADER, ("P1 4D, P0 3H, P0 QS",)),
        (REFUSAL, ("P1 truco, P0 corro",)),
        (EARLY, ("P0 truco, P1 3C",)),
        (DEALER, ("P1 3C, P0 QS, P1 4D, P0 3H, P0 QD, P1 7S", "P0 3H")),
    ],
)
def test_the_case_is_true_and_shows_the_fault(statements: str, hands: tuple[str, ...], tmp_path: Path) -> None:
    _, minimal = cut(script(TWO, *hands), lambda: Wrong(statements))
    path = tmp_path / "cases.yaml"
    path.write_text(case_text(minimal.failure, "own-found-1", "Found by play at random."), encoding="utf-8")
    (instance,) = corpus.instances(corpus.load([path])[0])
    assert verdict(instance, Reference()) == "pass"
    assert verdict(instance, Wrong("")) == "pass"
    assert verdict(instance, Wrong(statements)) == "fail"
    assert instance.case.clauses
    assert all(clause.count(":") == 1 for clause in instance.case.clauses)


def verdict(instance: corpus.Instance, implementation: Implementation) -> str:
    return runner.play(instance, implementation).verdict
