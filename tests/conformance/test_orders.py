"""An engine that ranks the cards in another order has one fault, and the report names one."""

import pytest

from bench.fits import Miniature
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.fit.hypothesis import Hypothesis
from truco_spec.conformance.fit.orders import ShownOrder, ShownOrders, Trick
from truco_spec.conformance.runner.runner import run
from truco_spec.graph.load import core, load_text

PLAIN = "4 < 5 < 6 < 7 < Q < J < K < A < 2 < 3"
HEAD = 'title "x" decision d resolves @pagat:mineiro.option.must-be-agreed-before-game "x" because "x"'


class Ranking(Miniature):
    """An engine by the rules of a game with these statements in it."""

    def __init__(self, variant: str, statements: str, players: int = 2) -> None:
        super().__init__(Hypothesis(variant, players))
        text = f"variant other extends {variant} {{ {HEAD} {statements} }}"
        graph = load_text(text, "other", players=players)
        Reference.__init__(self, lambda script: graph)


def ranked(by: str) -> str:
    return f'replace define strength(c : card) @decided:d "x" = {by}'


def told(engine: Miniature) -> tuple[list[str], int]:
    """The changes of the causes that the report of an engine names, and the number of failing cases."""
    results = run(chosen(variants=(engine.played.variant,), players=engine.played.players), engine)
    failed = [result for result in results if result.verdict == "fail"]
    causes = causes_of(results, engine.hello())
    assert {name for cause in causes for name in cause.cases} == {result.name for result in failed}
    return [cause.change for cause in causes], len(failed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("variant", "statements", "shown"),
    [
        (
            "paulista",
            ranked("1 if rank(c) is A else 2 if rank(c) is 2 else 3 if rank(c) is 3 else 4 + place(rank(c))"),
            f"“A < 2 < 3 < 4 < 5 < 6 < 7 < Q < J < K” in place of “{PLAIN}”",
        ),
        (
            "argentino",
            'replace trump brava : 7E < 7O < 1B < 1E @decided:d "x"',
            "“7E < 7O < 1B < 1E” in place of “7O < 7E < 1B < 1E”",
        ),
        (
            "argentino",
            'replace trump brava : 7O < 1B < 1E @decided:d "x"',
            "“{7O, 1B, 1E}” in place of “{7O, 7E, 1B, 1E}”",
        ),
        (  # the manilhas follow this order, too
            "paulista",
            "replace order rank : 4 < 5 < 6 < 7 < J < Q < K < A < 2 < 3 < T @decided:d",
            f"“4 < 5 < 6 < 7 < J < Q < K < A < 2 < 3 < T” in place of “{PLAIN} < T”",
        ),
    ],
)
def test_another_order_is_one_cause(variant: str, statements: str, shown: str) -> None:
    changes, failed = told(Ranking(variant, statements))
    assert changes == [shown]
    assert failed > 1


@pytest.mark.parametrize(
    ("beats", "even", "places"),
    [
        ({(3, 4): 1}, {}, {1: 1, 2: 2, 3: 4, 4: 3}),  # exchanged
        ({(4, 3): 2}, {}, {1: 1, 2: 2, 3: 3, 4: 4}),  # as by the rules
        ({(1, 4): 1}, {}, {1: 2, 2: 3, 3: 4, 4: 1}),
        ({(1, 4): 1, (2, 1): 1, (3, 1): 1}, {}, {1: 2, 2: 3, 3: 4, 4: 1}),  # the last is moved, not the first
        ({(3, 4): 1, (4, 3): 2}, {}, {1: 1, 2: 2, 3: 3, 4: 4}),  # mostly as by the rules
        ({(1, 2): 1, (2, 3): 2, (3, 1): 3}, {}, {1: 1, 2: 3, 3: 2, 4: 4}),  # round: the rarest is not held
        ({}, {(2, 3): 1}, {1: 1, 2: 2, 3: 2, 4: 4}),
        ({(3, 2): 2}, {(2, 3): 1}, {1: 1, 2: 2, 3: 3, 4: 4}),
    ],
)
def test_an_order_is_what_most_tricks_show(
    beats: dict[tuple[int, int], int], even: dict[tuple[int, int], int], places: dict[int, int]
) -> None:
    shown = ShownOrder({value: value for value in (1, 2, 3, 4)})
    shown.beats.update(beats)
    shown.even.update(even)
    assert shown.places() == places


def test_an_unknown_card_makes_no_order() -> None:
    """One jack is even with whatever lies beside it: it is no equal of a queen, as a trump is no equal of it."""
    script = Script("paulista", {}, ("P1", "P0"), (("P1",), ("P0",)), "P0", {}, "strict", ())
    shown = ShownOrders()

    def trick(one: str, other: str, team: str) -> None:
        laid = {"P1": one, "P0": other}
        ranks = {"J": ("strength", 5), "Q": ("strength", 4), "7": ("strength", 3), "4": ("nova.strength", 103)}
        shown.compare(Trick(0, laid, team, ""), script, {who: ranks[card[0]] for who, card in laid.items()})

    for name, number in (("strength", 5), ("strength", 4), ("nova.strength", 103)):
        shown.of[name].cards[number] = number
    trick("JD", "QH", "tie")
    assert [name for name, _ in shown.changes(core("paulista"))] == ["strength"]
    trick("JD", "4C", "tie")
    assert shown.differing == ["strength"]
    assert not list(shown.changes(core("paulista")))


def test_of_two_sides_the_card_of_who_leads_was_the_best() -> None:
    """P1 and P3 play together: a king and a six. That P3 leads shows that the six beat the queen and the five."""
    players, teams = ("P1", "P2", "P3", "P0"), (("P1", "P3"), ("P2", "P0"))
    script = Script("paulista", {}, players, teams, "P0", {}, "strict", ())
    shown = ShownOrders()
    laid = {"P1": "KH", "P2": "QS", "P3": "6D", "P0": "5C"}
    ranks = {card: ("strength", n) for n, card in enumerate(("5C", "6D", "QS", "KH"))}
    shown.compare(Trick(0, laid, "P1", "P3"), script, {who: ranks[card] for who, card in laid.items()})
    assert shown.of["strength"].beats == {(1, 2): 1, (1, 0): 1}
