"""From a log to a game: the deal, implicit actions, and every mistake with its place."""

from dataclasses import replace
from pathlib import Path

import pytest

from truco_spec.engine.game import CHANCE
from truco_spec.graph.load import load_text
from truco_spec.logs.files import read_file
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay

LOGS = Path(__file__).parents[2] / "docs" / "logs"
TABLE = "paulista | ana bia caio davi | dealer ana"


def replay(line):
    return Replay(read_line(line))


def played(line):
    found = replay(line)
    return found, list(found.steps())


def message(line):
    with pytest.raises(LogError) as error:
        played(line)
    return str(error.value)


def hand_of(found, player):
    return {found.graph.cards[c].name for c in range(len(found.graph.cards)) if _lies_with(found, c, player)}


def _lies_with(found, card, player):
    place = found.game.layout.place_of[found.game.position[found.game.layout.cards_at + card]]
    return place == ("cards", (found.log.players.index(player),))


# ---- who deals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("dealer", "first"), [("ana", "bia"), ("bia", "caio"), ("caio", "davi"), ("davi", "ana")])
@pytest.mark.parametrize("mode", ["strict", "umpire"])
def test_the_dealer_of_a_log_deals_also_where_lots_are_drawn(dealer, first, mode):
    line = f"paulista first-dealer=lowest-card | ana bia caio davi | dealer {dealer} | {first} 3C"
    found = Replay(replace(read_line(line), mode=mode))
    assert [step.event.status for step in found.steps()] == ["permitted"]
    assert found.game.players[found.game.value("dealer")] == dealer


def test_the_order_in_which_cards_are_dealt_is_not_that_of_lots_also_after_a_look_ahead():
    given = "deal bia 2C KC 7S, ana AH JS QD, vira 5H, bottom 2C AH KC JS 7S QD, top 5H"
    replay = Replay(read_line(f"paulista first-dealer=lowest-card | ana bia | dealer ana | {given} | bia 2C, ana AH"))
    for _ in range(2):
        with replay.looking_ahead():
            replay.deal_out()
    assert [step.event.status for step in replay.steps()] == ["permitted", "permitted"]


def test_lots_that_fall_on_another_than_the_dealer_of_the_log_are_told():
    line = "paulista first-dealer=lowest-card | ana bia caio davi | dealer bia | deal top AC 4C QS 6H | caio 3C"
    assert "bia deals, says the log, and the lots that it gives fall on ana." in message(line)
    assert played(line.replace("dealer bia", "dealer ana").replace("caio 3C", "bia 3C"))


# ---- what chance does ---------------------------------------------------------------------------

TIMED = """
variant timed extends paulista {
  title "Truco with a clock"
  action time-up "The time is up."
  rule time-is-up @decided:clock "When the time is up the hand is over, and nobody scores."
    in play by chance may time-up do outcome = drawn, then deal-over
  decision clock resolves @pagat:gap.zero-cuts "There is a clock." because "The hall closes."
}
"""


def test_a_log_says_when_chance_does_what_no_card_tells():
    graph = load_text(TIMED, "", "<text>")
    found = Replay(read_line("timed | ana bia caio davi | dealer ana | bia 3C, chance time-up, caio 4C"), graph)
    steps = list(found.steps())
    assert [step.observed["hand"] for step in steps] == [None, "drawn", None]
    assert [event.action.verb for step in steps for event in step.before].count("time-up") == 0


def test_no_log_lets_chance_play_a_card():
    graph = load_text(TIMED, "", "<text>")
    with pytest.raises(LogError, match="4C” is neither a card"):
        Replay(read_line("timed | ana bia caio davi | dealer ana | bia 3C, chance 4C"), graph)
    assert "“top 4C” is neither a card" in message(f"{TABLE} | chance top 4C")


# ---- the deal -----------------------------------------------------------------------------------


def test_everyone_gets_the_cards_that_the_log_gives():
    found = replay(f"{TABLE} | deal bia 3C 4D 5H, caio 2H 2D 7S, davi KS AS QD, ana 4C 3H JD, vira 5D | bia 3C")
    found.deal_out()
    assert hand_of(found, "bia") == {"3C", "4D", "5H"}
    assert hand_of(found, "ana") == {"4C", "3H", "JD"}
    assert found.graph.cards[found.game.value("vira")].name == "5D"


def test_who_plays_a_card_was_dealt_it():
    found, steps = played(f"{TABLE} | bia 4D, caio KS, davi AC, ana 5H, davi 7H")
    dealt = [(where, card) for step in steps for where, card in step.dealt]
    assert {("bia", "4D"), ("caio", "KS"), ("davi", "AC"), ("davi", "7H"), ("ana", "5H")} <= set(dealt)


def test_a_player_given_some_cards_gets_the_others_that_he_plays():
    found, steps = played(f"{TABLE} | deal davi KS | bia 4D, caio 5S, davi AC, ana 5H, davi 7H")
    assert [card for where, card in steps[0].dealt if where == "davi"] == ["KS", "AC", "7H"]


def test_nobody_is_dealt_a_card_that_another_plays():
    found, steps = played(f"{TABLE} | bia 3C, caio 3H, davi 3S, ana 3D")
    assert len({card for _, card in steps[0].dealt}) == 13


def test_the_order_of_the_pack_can_be_given():
    found, steps = played(f"{TABLE} | deal bottom 4D 5D 6D 7D | bia 4D")
    assert [card for where, card in steps[0].dealt][:4] == ["4D", "5D", "6D", "7D"]


def test_one_card_may_be_named_by_the_pack_and_by_its_player():
    found, steps = played(f"{TABLE} | deal bottom 4D 5D, caio 5D 6C KS | bia 4D, caio 6C")
    assert [card for where, card in steps[0].dealt if where == "caio"] == ["5D", "6C", "KS"]


def test_the_dealer_of_the_log_deals_the_first_hand():
    for name in ("ana", "bia", "caio", "davi"):
        found = replay(f"paulista | ana bia caio davi | dealer {name} | deal")
        found.settle()
        assert found.game.awaited() == {found.log.players.index(name)}


def test_a_second_hand_has_a_deal_of_its_own():
    found, steps = played(f"{TABLE} | deal vira 5D | bia 3C, caio truco, davi corro | deal vira 4C | caio 3C")
    assert [step.hand for step in steps] == [0, 0, 0, 1]
    assert ("vira", "5D") in steps[0].dealt
    assert {("vira", "4C"), ("caio", "3C")} <= set(steps[3].dealt)


def test_settle_stops_where_a_player_has_a_say():
    found = replay(f"{TABLE} | bia 3C")
    found.settle()
    assert {found.graph.actions[a.verb].tacit for a in found.game.legal_actions()} == {True}
    found.deal_out()
    assert found.game.awaited() == {1}


# ---- implicit actions ----------------------------------------------------------------------------


def test_what_goes_without_saying_is_put_in_before_the_move():
    found, steps = played(f"{TABLE} | bia 3C")
    assert {e.action.actor for e in steps[0].before} > {CHANCE, 0}
    assert steps[0].event.action.actor == 1


def test_what_goes_without_saying_may_be_said():
    unsaid, _ = played(f"{TABLE} | bia 3C")
    said, _ = played(f"{TABLE} | ana shuffle, davi cut, ana deal, bia 3C")
    assert unsaid.game.position == said.game.position


def test_a_refused_move_leaves_the_game_as_it_was():
    found = replay(f"{TABLE} | bia 3C, davi 3S")
    found.advance()
    before = list(found.game.position)
    with pytest.raises(MoveRefused):
        found.advance()
    assert found.game.position == before


def test_asking_whether_a_move_is_refused_changes_nothing():
    found = Replay(read_line(f"{TABLE} | bia 3C"), also=[["caio 3H", "davi 3S"]])
    before = list(found.game.position)
    assert found.refusal("bia 3C") is None
    for text, category in [("caio 3H", "not-your-turn"), ("bia 7C", "not-held"), ("bia aceito", "not-now")]:
        refusal = found.refusal(text)
        assert refusal is not None
        assert refusal.category == category
    assert found.game.position == before
    assert [step.move.text for step in found.steps()] == ["bia 3C"]


# ---- mistakes ------------------------------------------------------------------------------------

MISTAKES = [
    ("paulist | ana bia caio davi", "There is no variant “paulist”.", "Did you mean “paulista”?"),
    ("../../etc/passwd | ana bia caio davi", "is no name of a variant", ""),
    ("paulista pek=never | ana bia caio davi", "has no option “pek”", ""),
    ("paulista deck=cleen | ana bia caio davi", "has no value “cleen”", "Did you mean “clean”?"),
    ("paulista | ana bia caio", "paulista is not played by 3.", ""),
    ("paulista |", "who plays", ""),
    ("paulista | ana bia caio ana", "Two players are called “ana”.", ""),
    ("paulista | ana bia caio davi | dealer bob", "There is no player “bob”.", "There are: ana"),
    ("paulista | ana bia caio davi | score ana 5, caio 3", "caio and ana are partners", ""),
    ("paulista | ana bia caio davi | score ana x", "not a number", ""),
    ("paulista | ana bia caio davi | start vira 3C", "cannot begin with “vira”", ""),
    ("paulista | ana bia caio davi | mode kind", "The mode is one of strict, umpire", ""),
    ("paulista | ana bia caio davi | deale ana | bia 3C", "No part begins with “deale”.", "Did you mean “dealer”?"),
    (f"{TABLE} | deal bia 3X", "There is no card “3X”.", "Did you mean one of 3"),
    (f"{TABLE} | deal bia JK", "The card JK is not in the pack under these options.", ""),
    (f"{TABLE} | deal virra 3C", "“virra” is no player and no place for a card.", "Did you mean “vira”?"),
    (f"{TABLE} | deal bia 3C, caio 3C", "The card 3C is there twice: it is held by bia and by caio.", ""),
    (f"{TABLE} | deal bia 3C 3C", "The card 3C is there twice", ""),
    (f"{TABLE} | deal bia 3C, vira 3C | bia 3C", "The card 3C is there twice: vira should get it", ""),
    (f"{TABLE} | deal bia 3C 3H 3S 3D | bia 3C", "3D was never dealt", ""),
    (f"{TABLE} | bia 3C, bob 4D", "There is no player “bob”.", ""),
    (f"{TABLE} | bia", "What does bia say or do?", ""),
    (f"{TABLE} | bia 3C,, caio 4D", "A move is missing between two commas.", ""),
    (f"{TABLE} | bia trucco", "“trucco” is neither a card nor anything that is said", "Did you mean “truco”?"),
    (f"{TABLE} | bia (3X)", "“(3X)” is neither a card", "Did you mean one of 3"),
    (f"{TABLE} | caio 3C", "goes back, and is an irregularity (out-of-turn).", "Permitted now: bia"),
    (f"{TABLE} | deal bia 4D 5D 6D | bia 3C", "bia does not hold 3C.", "Permitted now: bia"),
    ("argentino | a b | dealer b | a 3E, b 3B, b 2B", "“b 2B” is out of turn: it is for a to play.", "b truco"),
    (f"{TABLE} | bia 3C, caio truco, davi 3S", "“davi 3S” is not offered now.", "davi aceito"),
    ("nowadays | a b | dealer b | a (3H)", "“a (3H)” is not offered now.", "no reason is needed (play-covered)."),
    ("argentino | a b | dealer b | a envido, b no-quiero, a envido", "“a envido” is not offered now.", "envido.open"),
]


@pytest.mark.parametrize(("line", "says", "hint"), MISTAKES)
def test_a_mistake_is_told_with_its_place(line, says, hint):
    told = message(line)
    assert says in told
    assert hint in told
    assert told.startswith("<line>:1:")


def test_a_move_after_the_end_is_refused():
    end = "paulista | a b c d | dealer a | score a 10, b 10 | deal vira 6D | b 3C, c truco, d aceito"
    moves = "c 2S, d 2H, a 2D, b 3D, c QS, d QH, a QD, b KS, c JS, d JH, a JD"
    assert "comes after the end: the game is over." in message(f"{end}, {moves}, b 4H")


def test_every_unknown_word_is_told_in_one_run():
    assert message(f"{TABLE} | bia 3X, caio trucco, davi aceito").count("error:") == 2


def test_the_logs_in_the_docs_can_be_played():
    assert {path.name for path in LOGS.glob("*.yaml")} == {"fifteen.yaml", "friday.yaml", "sunday.yaml", "umpire.yaml"}
    for path in LOGS.glob("*.yaml"):
        assert list(Replay(read_file(path)).steps())


# ---- an umpire ------------------------------------------------------------------------------------


def test_an_umpire_lets_a_forbidden_move_happen_with_its_penalty():
    found, steps = played("mineiro | a b c d | dealer a | mode umpire | b 3C, d 3S, c 3H")
    assert [step.event.status for step in steps] == ["permitted", "forbidden", "permitted"]
    assert steps[1].observed["score"] == {"a": 1, "b": 0}


def test_a_void_move_brings_about_no_implicit_one():
    found, _ = played("argentino | M P | dealer P | mode umpire | deal M 7O 6O 5O, P 7C 5C 4B | M flor, P 7C, P callo")
    assert [event.action.verb for event in found.game.history][-3:] == ["flor", "card", "callo"]


def test_even_an_umpire_refuses_what_is_impossible():
    assert "b does not hold 3C." in message("mineiro | a b c d | dealer a | mode umpire | deal b 4D 5D 6D | b 3C")


def test_a_log_may_end_while_the_cards_that_it_gives_are_dealt():
    deal = "deal P0 5D 6D 4D, P1 3C QC KC, P2 2H 2S KH, P3 KS JS 4S"
    found, _ = played(f"mineiro | P0 P1 P2 P3 | dealer P0 | mode umpire | {deal} | P1 talk")
    assert [hand_of(found, player) for player in ("P1", "P2")] == [{"3C", "KC", "QC"}, {"2H", "2S", "KH"}]
