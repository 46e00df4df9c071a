"""``bid``: what it lowers to, and envido played with it: every chain of calls, accepted and refused."""

from __future__ import annotations

import itertools
import random
from functools import lru_cache
from pathlib import Path

import pytest
from tiny import told, wrong_with

from truco_spec.engine import Game
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.load import load_text
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.read import parse

SAMPLES = Path(__file__).parent / "samples"
TEXT = "\n".join((SAMPLES / f"{name}.truco").read_text(encoding="utf-8") for name in ("truco", "argentino"))

BEFORE = """
  bid envido @house:envido "Say envido before the own first card."
    calls   envido += 2 upto 2, real-envido += 3, falta-envido = falta
    opens   in play, truco.answer by playing when begun(me) is no
    answers quiero, no-quiero by side(envido.asked) refusal pays envido-refused
    settles declaring
"""
AFTER = """
  order envido.word : envido < real-envido < falta-envido  @house:envido
  define envido.limit(w : envido.word) @house:envido "How often each word may be said."
    = 2 if w is envido else 1 if w is real-envido else 1
  datum envido.times(w : envido.word) : 0 .. 2 = 0    fresh each hand  seen by everyone
  datum envido.offer  : 0 .. 2 * 2 + 3 or falta = 0   fresh each hand  seen by everyone
  datum envido.agreed : 0 .. 2 * 2 + 3 = 0            fresh each hand  seen by everyone
  datum envido.last   : envido.word or none           fresh each hand  seen by everyone
  datum envido.asked  : team or none                  fresh each hand  seen by everyone
  datum envido.closed : flag                          fresh each hand  seen by everyone
  phase envido.answer interrupts play, truco.answer "The side that is asked answers the envido."
  action envido(w : envido.word) "{w}!" written "{w}"
  define envido.worth(w : envido.word) @house:envido "What is offered when a word is said."
    = envido.offer + 2 if w is envido else envido.offer + 3 if w is real-envido else falta
  define envido.follows(w : envido.word) @house:envido
    "A word may be said again up to its limit, and none below the last."
    = envido.times(w) < envido.limit(w) and (envido.last is none or w >= envido.last)
  rule envido.open @house:envido "Say envido before the own first card."
    in play, truco.answer by playing may envido(w) when envido.closed is no and begun(me) is no
    do envido.closed = yes, ask envido.answer
  rule envido.raise @house:envido
    "Whoever is asked for a bid may raise it, but not with a lower word; what was offered before is then accepted."
    in envido.answer by side(envido.asked) may envido(w) when envido.follows(w)
    do envido.agreed = envido.offer
  rule envido.offered @house:envido "The offer is on the table; the other side has to answer it."
    in play, truco.answer, envido.answer on envido(w)
    do envido.offer = envido.worth(w), envido.last = w, envido.times(w) += 1, envido.asked = them
  rule envido.accept @house:envido "A bid that is accepted is settled at once."
    in envido.answer by side(envido.asked) may quiero do then declaring
  rule envido.refuse @house:envido "Whoever refuses a bid pays for it, and the game goes on where it stood."
    in envido.answer by side(envido.asked) may no-quiero do score(them) += envido-refused, resume
"""


def statements(text: str) -> tuple[t.Statement, ...]:
    return parse(f'variant v {{ title "V" {text} }}').variants[0].items


@lru_cache
def argentino(more: str = "", players: int = 2) -> Graph:
    """The sample, or a variant of it that says something differently."""
    if not more:
        return load_text(TEXT, players=players)
    return load_text(f'{TEXT} variant house extends argentino {{ title "House" {more} }}', players=players)


# ---- what it lowers to -----------------------------------------------------------------------------


def test_what_a_bid_lowers_to() -> None:
    (bid,) = statements(BEFORE)
    assert LOWERINGS["bid"](bid, {}) == statements(AFTER)


def test_it_has_the_parts_of_the_bid_written_out_by_hand() -> None:
    by_hand = parse((Path(__file__).parents[1] / "language/samples/lowered-bid.truco").read_text(encoding="utf-8"))
    # There the worths are one question and two exceptions, and the limits a table.
    wanted = {s.name: s for s in by_hand.variants[0].items if s.name not in ("envido.worth-real", "envido.worth-falta")}
    (bid,) = statements(BEFORE)
    found = {s.name: s for s in LOWERINGS["bid"](bid, {})}
    assert list(found) == list(wanted)
    for name in ("times", "last", "asked", "closed"):
        assert found[f"envido.{name}"] == wanted[f"envido.{name}"]
    assert found["envido.answer"].names == wanted["envido.answer"].names
    assert found["envido.follows"].value == wanted["envido.follows"].value
    for name in ("open", "raise", "offered", "accept", "refuse"):
        rule, twin = found[f"envido.{name}"], wanted[f"envido.{name}"]
        assert (rule.names, rule.clause("by"), rule.clause("do")) == (twin.names, twin.clause("by"), twin.clause("do"))
        assert (rule.clause("verdict"), rule.clause("on")) == (twin.clause("verdict"), twin.clause("on"))


def test_a_lowered_bid_is_the_same_game() -> None:
    begin, end = TEXT.index("  bid envido"), TEXT.index("  define envido-refused ")
    sugar, by_hand = (load_text(TEXT[:begin] + bid + TEXT[end:], players=2) for bid in (BEFORE, AFTER))
    for part in ("data", "phases", "actions", "defines", "rules"):
        assert list(getattr(sugar, part)) == list(getattr(by_hand, part))
    for name, rule in sugar.rules.items():
        twin = by_hand.rules[name]
        assert (rule.shape, rule.phases, rule.by, rule.verbs, rule.when, rule.do, rule.lest, rule.beats) == (
            twin.shape, twin.phases, twin.by, twin.verbs, twin.when, twin.do, twin.lest, twin.beats,
        )  # fmt: skip


def test_without_upto_a_word_is_said_once_and_written_may_be_given() -> None:
    (bid,) = statements(
        """bid flor @house:flor "Flor." calls flor = 3, contraflor = 6 opens in play by turn
             answers quiero, achico by side(flor.asked) when proud is yes refusal pays 4
             settles told written "con {w}" """
    )
    found = {part.name: part for part in LOWERINGS["bid"](bid, {})}
    for wanted in statements(
        """datum flor.times(w : flor.word) : 0 .. 1 = 0
           datum flor.offer : 0 .. 3 + 6 = 0
           action flor(w : flor.word) written "con {w}"
           rule flor.open @house:flor may flor(w) when flor.closed is no
           rule flor.raise @house:flor may flor(w) when flor.follows(w) and proud is yes
           rule flor.accept @house:flor may quiero when proud is yes do then told
           rule flor.refuse @house:flor may achico when proud is yes do score(them) += 4, resume"""
    ):
        part = found[wanted.name]
        assert (part.kind, part.type, part.value) == (wanted.kind, wanted.type, wanted.value)
        assert set(part.clauses) >= set(wanted.clauses)


def test_an_amount_may_be_an_option() -> None:
    graph = argentino(
        """option first-call : 1 | 2* | 5 @house:first "What the first call is worth."
           replace bid envido @house:first "Envido." calls envido += first-call upto 3
             opens in play by playing when may-envido(me)
             answers quiero, no-quiero by side(envido.asked) refusal pays 1 settles declaring
           drop prize-falta @house:first"""
    )
    assert graph.data["envido.offer"].type.high == 6


BID = 'bid flor @house:flor "Flor." calls {} opens in play by playing {} answers quiero, no-quiero by playing {}'
REST = "refusal pays 1 settles declaring"
NOTHING_ABOVE = (
    "nothing can be called above resto: how much it is worth is not known before the game; "
    "put resto last, and leave out `upto`"
)
MISTAKES = [
    ("flor += 3, flor += 3", "", REST, "flor stands twice among the calls; `upto` says how often it may be said"),
    ("flor -= 3", "", REST, "a call never lowers what is offered; write `+=` or `=`"),
    ("flor += 3 upto 0", "", REST, "flor could never be said; `upto` is 1 or more"),
    (
        "resto = lo-que-falta, flor += 3", "", REST,
        NOTHING_ABOVE,
    ),
    (
        "flor += 3, resto = lo-que-falta upto 2", "", REST,
        NOTHING_ABOVE,
    ),
    ("flor += 3", "later in play", REST, "a bid is opened once in a hand; `later in` is for a ladder: leave it out"),
    ("flor += prize", "", REST, "a range runs from one number up to another, both known before the game"),
    ("flor += 3", "", "refusal pays 1 settles nowhere", "there is no phase nowhere"),
]  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize(("calls", "later", "rest", "message"), MISTAKES, ids=[m[3].split(";")[0] for m in MISTAKES])
def test_a_bid_without_meaning_is_refused(calls: str, later: str, rest: str, message: str) -> None:
    bid = BID.format(calls, later, rest)
    found = wrong_with(f'{TEXT} variant house extends argentino {{ title "House" drop flor @house:flor {bid} }}')
    assert message in [told(one) for one in found]


def test_a_bid_that_names_nobody_is_refused() -> None:
    text = 'replace bid envido @house:envido "E." calls envido += 2 opens in play answers quiero, no-quiero by playing '
    found = wrong_with(f'{TEXT} variant house extends argentino {{ title "House" {text} {REST} }}')
    message = "`opens in` says what may be done, but not by whom; write `by` and who behind it"
    assert message in [told(one) for one in found]


# ---- envido played ---------------------------------------------------------------------------------

DEALT = ("7O", "7C", "6O", "5C", "1E", "4B")
"""The mano (P1) is dealt 7O 6O 1E, 33 of envido; the dealer (P0) 7C 5C 4B, 32."""


def dealt(graph: Graph, dealer: int = 0, other: int = 0) -> Game:
    """The game of two before the first card, P1 to lead, with this score."""
    game = Game(graph, players=2, start={"score": {0: dealer, 1: other}})
    game.push_all("chance deals-first P0", *(f"chance draw {card}" for card in DEALT))
    assert game.phase == "play"
    return game


def called(game: Game, chain: tuple[str, ...]) -> str:
    """Say the words in turn, the mano first; who has to answer the last."""
    for number, word in enumerate(chain):
        game.push_text(f"{('P1', 'P0')[number % 2]} {word}")
    return ("P0", "P1")[len(chain) % 2 == 0]


def score(game: Game) -> tuple[int, int]:
    """The points of the dealer and of the mano."""
    return game.value("score", 0), game.value("score", 1)


E, R, F = "envido", "real-envido", "falta-envido"
CHAINS = {  # the table of @wikipedia:argentino.envido-table; `None` is falta, which is 15 at 0 to 0
    (E,): (2, 1), (R,): (3, 1), (F,): (None, 1),
    (E, E): (4, 3), (E, R): (5, 3), (E, F): (None, 3), (R, F): (None, 4),
    (E, E, R): (7, 5), (E, E, F): (None, 5), (E, R, F): (None, 6),
    (E, E, R, F): (None, 8),
}  # fmt: skip
MORE_CHAINS = {
    (R, R): (6, 4), (E, E, E): (6, 5), (E, R, R): (8, 6), (R, R, F): (None, 7), (E, E, E, F): (None, 7),
    (E, E, E, R): (9, 7), (E, E, R, R): (10, 8), (E, R, R, F): (None, 9), (E, E, E, R, F): (None, 10),
    (E, E, E, R, R): (12, 10), (E, E, R, R, F): (None, 11), (E, E, E, R, R, F): (None, 13),
}  # fmt: skip
WIDER = """
  replace bid envido @wikipedia:argentino.envido-table "The table in full: three envidos, two real envidos, one falta."
    calls   envido += 2 upto 3, real-envido += 3 upto 2, falta-envido = falta
    opens   in play, truco.answer by playing when may-envido(me) and (not during truco.answer or us is truco.asked)
    answers quiero, no-quiero by side(envido.asked) refusal pays envido-refused
    settles declaring
"""
ROWS = [(chain, worth, "") for chain, worth in CHAINS.items()]
ROWS += [(chain, worth, WIDER) for chain, worth in (CHAINS | MORE_CHAINS).items()]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("chain", "worth", "more"), ROWS, ids=["-".join(w[0] for w in row[0]) for row in ROWS])
def test_a_chain_scores_what_the_table_says(chain: tuple[str, ...], worth: tuple[int | None, int], more: str) -> None:
    accepted, refused = worth
    game = dealt(argentino(more))
    answering = called(game, chain)
    game.push_text(f"{answering} no-quiero")
    assert game.phase == "play"
    assert score(game) == ((refused, 0) if answering == "P1" else (0, refused))
    game.pop()
    game.push_text(f"{answering} quiero")
    game.push_all("P1 declare 33", "P0 son-buenas")
    assert game.phase == "play"
    assert score(game) == (0, 15 if accepted is None else accepted)


def test_these_chains_are_all_that_can_be_called() -> None:
    game = dealt(argentino())
    found = set()

    def explore(chain: tuple[str, ...]) -> None:
        for action in game.legal_actions():
            if action.verb == "envido":
                game.push(action)
                found.add((*chain, game.text(action).split()[1]))
                explore((*chain, game.text(action).split()[1]))
                game.pop()

    for first in (E, R, F):
        game.push_text(f"P1 {first}")
        found.add((first,))
        explore((first,))
        game.pop()
    ways = itertools.product(range(3), range(2), range(2))
    assert found == {(E,) * e + (R,) * r + (F,) * f for e, r, f in ways} - {()} == set(CHAINS)


FALTA = [  # the score of the dealer and of the mano, who wins; what falta is worth (argentino.falta-loser-…)
    (0, 0, 15), (12, 20, 3), (20, 12, 10), (14, 29, 1), (16, 20, 14), (29, 10, 1),
]  # fmt: skip


@pytest.mark.parametrize(("dealer", "mano", "worth"), FALTA)
def test_falta_is_what_the_loser_lacks(dealer: int, mano: int, worth: int) -> None:
    game = dealt(argentino(), dealer, mano)
    game.push_all("P1 falta-envido", "P0 quiero", "P1 declare 33", "P0 son-buenas")
    assert score(game) == (dealer, mano + worth)


@pytest.mark.parametrize(
    ("chain", "may"),
    [
        ((E,), {"quiero", "no-quiero", E, R, F}),
        ((E, E), {"quiero", "no-quiero", R, F}),
        ((R,), {"quiero", "no-quiero", F}),
        ((F,), {"quiero", "no-quiero"}),
    ],
)
def test_a_call_is_answered_by_what_may_follow_it(chain: tuple[str, ...], may: set[str]) -> None:
    game = dealt(argentino())
    answering = called(game, chain)
    assert {game.text(action) for action in game.legal_actions()} == {f"{answering} {word}" for word in may}


def test_after_a_refusal_the_envido_is_closed_for_the_hand() -> None:
    game = dealt(argentino())
    game.push_all("P1 envido", "P0 no-quiero", "P1 7O")
    assert not any(action.verb == "envido" for action in game.legal_actions())


def test_an_envido_comes_before_a_truco_which_then_waits_for_its_answer() -> None:
    game = dealt(argentino())
    game.push_all("P1 truco", "P0 envido", "P1 quiero", "P1 declare 33", "P0 son-buenas")
    assert (game.phase, score(game)) == ("truco.answer", (0, 2))
    game.push_text("P0 no-quiero")
    assert score(game) == (0, 3)


def test_an_envido_that_ends_the_game_leaves_the_truco_unanswered() -> None:
    game = dealt(argentino(), 0, 28)
    game.push_all("P1 truco", "P0 envido", "P1 quiero", "P1 declare 33", "P0 son-buenas")
    assert game.over
    assert score(game) == (0, 30)


def test_the_bid_is_forgotten_in_the_next_hand() -> None:
    game = dealt(argentino())
    game.push_all("P1 envido", "P0 envido", "P1 no-quiero", "P1 mazo", *(f"chance draw {card}" for card in DEALT))
    assert [game.value(f"envido.{name}") for name in ("offer", "agreed", "closed")] == [0, 0, 0]
    game.push_all("P0 envido", "P1 no-quiero")
    assert score(game) == (3 + 1 + 1, 0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_random_games_end(players: int) -> None:
    graph, chance, said = argentino("", players), random.Random(players), set()
    for _ in range(4):
        game = Game(graph)
        for _ in range(10_000):
            legal = game.legal_actions()
            if not legal:
                break
            said.add(game.push(chance.choice(legal)).action.verb)
        assert game.phase == "match-over"
        assert max(score(game)) >= 30
    assert {"envido", "truco", "declare", "quiero", "no-quiero"} <= said
