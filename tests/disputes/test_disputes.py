"""A log put to other rules: what is other there, where the courses part, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.base.document import text_of
from truco_spec.compare.disputes.agreement import (
    AgreementError,
    NotPlayed,
    agreements_of,
    cards_between,
    put_again,
    rules_of,
    transpose,
)
from truco_spec.compare.disputes.answer import document_of
from truco_spec.compare.disputes.playthrough import play
from truco_spec.compare.disputes.settle import partings, settle
from truco_spec.compare.disputes.unknown import home_of, try_all
from truco_spec.compare.disputes.verdict import exchange
from truco_spec.graph.load import load_open
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.files import read_file
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import Replay

LOGS = Path(__file__).parents[2] / "docs" / "logs"
TABLE = "paulista | ana bia caio davi | dealer ana"


def answer(line, rules, claim=None):
    log = read_line(line)
    return settle(log, agreements_of(rules, log.options, log.variant), claim, most=20)


def playthrough(line, variant):
    log = read_line(line)
    (agreement,) = agreements_of(variant, log.options)
    rules = rules_of(agreement, len(log.players))
    return play(transpose(log, home_of(log), rules), rules)


def told(line, variant):
    return [(moment.said, moment.verdict) for moment in playthrough(line, variant).moments]


# ---- a log put to another game -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("", "- After a tied trick the player who led it leads again."),
        ("tie-lead=last", "- Where that is agreed, after a tied trick the player of the last of"),
        ("covering=never", "- After a tied trick the player who led it leads again."),
    ],
)
def test_a_verdict_tells_as_agreed_what_somebody_has_agreed(settings, sentence):
    made = answer(f"{TABLE} | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S", f"paulista {settings}, mineiro")
    assert sentence in text_of(document_of(made), 200)


def test_a_log_with_which_no_game_can_begin_is_not_put_there():
    """In the shorter game every tento counts 2: nobody stands at nine."""
    found = answer(f"{TABLE} | score ana 9 | bia truco", "paulista,mineiro-wp", "move 1 is legal")
    ((names, reason),) = found.not_put
    assert (names, found.put) == (("mineiro-wp",), ("paulista",))
    assert reason.startswith("no game can begin so. In the shorter game")
    assert "Cannot be put to mineiro-wp: no game can begin so." in text_of(document_of(found))
    assert [row.names for row in found.claim.rows] == [("paulista",)]


def test_cards_are_those_of_the_other_pack():
    likes = cards_between(load_open("paulista"), load_open("argentino"))
    assert [likes[card] for card in ("3C", "QH", "JS", "KD", "AC", "4H")] == ["3B", "10C", "11E", "12O", "1B", "4C"]


def test_a_word_is_the_one_of_the_same_rule():
    assert told(f"{TABLE} | bia truco, caio aceito", "argentino") == [
        ("bia truco", "permitted"),
        ("caio quiero", "permitted"),
    ]
    assert told("argentino | ana bia | dealer ana | bia truco, ana no-quiero", "paulista") == [
        ("bia truco", "permitted"),
        ("ana corro", "permitted"),
    ]


def test_a_word_without_a_like_is_refused_where_it_is_said():
    found = told("argentino | ana bia | dealer ana | bia 4C, ana envido", "paulista")
    assert found == [("bia 4H", "permitted"), ("ana envido", "unknown-word")]


def test_a_card_that_is_not_in_the_pack_is_told():
    found = answer(f"{TABLE} | bia 4D", "paulista,fisch")
    assert found.not_put == ((("fisch",), "the card 4D is not in its pack"),)


def test_another_number_of_players_is_told():
    found = answer("argentino | ana bia | bia truco", "argentino,mineiro,pica-pica")
    assert [names for names, _ in found.not_put] == [("mineiro",), ("pica-pica",)]
    assert all("play" in reason for _, reason in found.not_put)


def test_options_of_the_log_hold_where_there_are_such():
    agreements = agreements_of(
        "argentino,paulista,mineiro tied-hand=dealer", {"con-flor": "off", "tied-hand": "nobody"}
    )
    assert [dict(one.options) for one in agreements] == [
        {"con-flor": "off", "tied-hand": "nobody"},
        {},
        {"tied-hand": "dealer"},
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("paulsta", "Did you mean “paulista”"),
        ("paulista,,mineiro", "missing between two commas"),
        ("paulista tie-led=last", "Did you mean “tie-lead”"),
        ("paulista tie-lead=lst", "has no value"),
        ("paulista last", "is not option=value"),
        ("x" * 5000, "There is no variant"),
    ],
)
def test_rules_that_there_are_not_are_refused(text, told):
    with pytest.raises(AgreementError, match=told):
        agreements_of(text, {})


def test_options_that_exclude_each_other_are_told():
    (agreement,) = agreements_of("mineiro nine=10", {})
    with pytest.raises(NotPlayed, match="shorter game"):
        rules_of(agreement, 4)


def test_a_log_is_put_again_to_the_same_rules_with_another_pack():
    line = "argentino | ana bia caio davi | dealer ana | bia truco, caio quiero, bia 10O, caio 3B"
    log = read_line(line)
    (one,), (other,) = (agreements_of(f"paulista-wp{deck}", {}) for deck in ("", " deck=clean"))
    rules, clean = rules_of(one, 4), rules_of(other, 4)
    here = put_again(transpose(log, home_of(log), rules), rules, clean)
    moments = play(here, clean).moments
    assert [moment.said for moment in moments] == ["bia truco", "caio aceito", "bia QD", "caio 3C"]
    with pytest.raises(NotPlayed, match="4D is not in its pack"):
        put_again(transpose(read_line(f"{TABLE} | bia 4D"), home_of(log), rules), rules, clean)


# ---- where they part ---------------------------------------------------------------------------------


def test_the_first_parting_comes_first_and_groups_hold_who_agrees():
    line = f"{TABLE} | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S"
    playthroughs = [playthrough(line, name) for name in ("paulista", "nowadays", "mineiro")]
    (parting,) = partings(playthroughs)
    assert (parting.number, parting.keys) == (4, ("leader",))
    assert [[c.rules.agreement.variant for c in group] for group in parting.groups] == [
        ["paulista", "nowadays"],
        ["mineiro"],
    ]


def test_each_side_is_told_its_rule_its_clause_and_its_option():
    found = answer(f"{TABLE} | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S", "paulista,mineiro")
    groups = {group.names: group.why[0].reasons for group in found.partings[0].groups}
    first, second = groups["paulista",][0], groups["mineiro",][0]
    assert "the player who led it leads again" in first.prose
    assert "@pagat:paulista.tie-leader-leads-again" in first.grounds[0].cites
    assert ("tie-lead", "first") in [(switch.option, switch.value) for switch in second.grounds[0].switches]


@pytest.mark.parametrize(
    ("score", "other", "named"),
    [
        ("ana 3, bia 10", "argentino falta-split=to-30", "falta-split"),
        ("ana 3, bia 15", "argentino falta-at-exactly-15=0", "falta-at-exactly-15"),
    ],
)
def test_an_option_is_named_only_where_another_value_would_decide_otherwise(score, other, named):
    said = "ana falta-envido, bia quiero, ana tengo 33, bia son-buenas"
    line = f"argentino con-flor=off | ana bia | dealer bia | score {score} | deal ana 7O 6O 1E, bia 7C 5C 4B | {said}"
    (argentino, _) = answer(line, f"argentino,{other}").partings[0].groups
    grounds = (grounds for why in argentino.why for reason in why.reasons for grounds in reason.grounds)
    assert {switch.option for one in grounds for switch in one.switches} == {named}


def test_what_options_keep_from_being_in_force_is_no_reason():
    found = answer(f"{TABLE} | deal vira JH | bia QC, caio JC, davi 4C, ana 4H", "paulista,gamelog,mineiro")
    reasons = {group.names: [r.prose for r in group.why[0].reasons] for group in found.partings[0].groups}
    assert [prose[:30] for prose in reasons["paulista", "gamelog"]] == ["A card is turned up, the vira:"]
    assert [prose[:30] for prose in reasons["mineiro",]] == ["The manilhas are always the sa"]


def test_what_an_umpire_makes_of_a_forbidden_move_parts_them_too():
    found = answer(f"{TABLE} | score ana 11, bia 4 | bia truco", "paulista,mineiro")
    (parting,) = found.partings
    assert [group.verdict for group in parting.groups] == ["forbidden", "forbidden"]
    assert "ana and caio win the game" in parting.groups[0].told
    assert "bia and davi 3" in parting.groups[1].told


def test_an_umpire_is_called_to_the_forbidden_move_only():
    # In Paraguay a truco waits for the tocos before it; the umpire finds the table as the players left it.
    found = playthrough(f"{TABLE} | score ana 9, bia 2 | bia truco, caio seis", "paraguayo").moments
    assert [(moment.verdict, moment.seen["proposal"]) for moment in found] == [("permitted", 2), ("forbidden", 2)]


def test_who_agrees_in_all_says_so():
    assert answer(f"{TABLE} | bia 3C", "paulista,nowadays").summary == "All of these rules say the same."


def test_a_log_that_nobody_accepts_says_where_each_gave_up():
    found = answer(f"{TABLE} | deal vira JH | bia 3C, davi 4D", "paulista,mineiro")
    assert not found.accepted
    assert {ending.number for ending in found.endings} == {2}


def test_a_hand_that_begins_anew_is_no_news_of_the_move():
    found = playthrough(f"{TABLE} | deal vira JH | bia truco, caio corro", "paulista").moments[-1]
    assert dict(found.told) == {"hand": "bia", "score": {"ana": 0, "bia": 1}}


# ---- parts of a log ----------------------------------------------------------------------------------


def test_a_log_may_begin_after_a_truco():
    line = f"{TABLE} | start truco.level 1, truco.holder ana | deal vira JH | bia 4S, caio 3C, davi 3D, ana 4D"
    for name in ("paulista", "mineiro", "argentino"):
        assert playthrough(line, name).last["stake"] == (2 if name == "argentino" else 3), name


# ---- cards that nobody knows -------------------------------------------------------------------------


def test_a_card_that_decides_is_named_with_examples():
    (unknown,) = answer(f"{TABLE} | deal vira JH | bia 3C, caio ??, davi 4D, ana 4S", "paulista").unknown
    assert unknown.card == "the card that caio plays at move 2"
    outcomes = {outcome: cards for cards, outcome in unknown.cases}
    tied = next(cards for outcome, cards in outcomes.items() if "tied" in outcome)
    assert set(tied) <= {"3H", "3S", "3D"}


def test_a_card_that_changes_nothing_is_not_named():
    assert not answer(
        f"{TABLE} | deal vira JH | bia KC, caio 4S, davi ??, ana 4D", "mineiro", "move 1 is legal"
    ).unknown


def test_a_vira_that_the_log_does_not_give_is_named_where_it_matters():
    found = answer(f"{TABLE} | bia 3C, caio 2H, davi 4D, ana QS", "paulista,mineiro")
    assert [(unknown.card, unknown.names) for unknown in found.unknown] == [("the vira", ("paulista",))]


def test_a_claim_may_depend_on_a_card():
    (row,) = answer(
        f"{TABLE} | deal vira JH | bia 3C, caio ??, davi 4D, ana 4S", "paulista", "bia takes the trick"
    ).claim.rows
    assert (row.verdict, row.why) == ("depends", "it depends on the card that caio plays at move 2")


def test_a_dealt_card_may_be_unknown():
    found = answer(f"{TABLE} | deal caio 3C ?? 4D, vira JH | bia 3D, caio 3C", "paulista")
    assert found.put_in[0][0] == "card 2 dealt to caio"


@pytest.mark.parametrize(
    ("variant", "log"),
    [
        ("argentino", "a b | dealer b | deal a 5O 6C ??, b 4E 4C 4B | a 5O, b 4E, a 3E, b 4C"),
        ("argentino", "a b | dealer b | deal a ?? ?? ??, b 4E 4C 4B | a 5O, b 4E, a 3E, b 4C"),
        ("paulista", "a b | dealer b | deal vira JH, a 5S 6C ??, b ?? 4C 4S | a 5S, b 4D, a 3S, b 4C"),
        ("uruguayo", "a b | dealer b | deal muestra 3B, a 5O ?? ??, b 1E 4C 4O | a 5O, b 1E, b 4C, a ??, a 3E"),
    ],
)
def test_an_unknown_card_is_the_one_that_its_player_plays_later(variant, log):
    found = answer(f"{variant} | {log}", variant)
    assert found.accepted
    assert {"3E", "3S"} & {card for _, card in found.put_in}


def test_the_last_of_three_dealt_cards_is_known_once_two_are_played():
    line = "argentino | a b | dealer b | deal a ?? ?? ??, b 4E 4C 4B | a 5O, b 4E, a ??, b 4C, a 7O, b 4B"
    named = {card for unknown in answer(line, "argentino").unknown for cards, _ in unknown.cases for card in cards}
    assert named
    assert not {"5O", "7O", "4E"} & named


def test_a_card_may_be_unknown_where_it_is_dealt_and_where_it_is_played():
    line = "argentino | a b | dealer b | deal a 5O 6C ??, b 4E 4C 4B | a ??, b 4E"
    found = answer(line, "argentino")
    assert found.accepted
    (unknown,) = found.unknown
    cards = [card for cards, _ in unknown.cases for card in cards]
    assert unknown.card == "the card that a plays at move 1"
    assert "4O" in cards
    assert {len(cards) for cards, outcome in unknown.cases if "tied" in outcome} == {1}  # nothing else ties 4E


def test_a_player_plays_no_more_unknown_cards_than_were_dealt():
    line = "argentino | a b | dealer b | deal a 5O 6C ??, b 4E 4C 4B | a ??, b 4E, a ??, b 4C, a ??, b 4B"
    log = read_line(line)
    ((one,), _) = try_all(log, home_of(log), agreements_of("argentino", {}))
    for each in one.weighed.playthroughs:
        (hand,) = each.transposed.log.hands
        assert {move.words for move in hand.moves if move.player == "a"} <= set(hand.deal["a"])
        assert {"5O", "6C"} < set(hand.deal["a"])


@pytest.mark.long
def test_nothing_but_unknown_cards_comes_to_an_end():
    blanks = ", ".join(f"{player} ?? ?? ??" for player in ("ana", "bia", "caio", "davi"))
    found = answer(f"{TABLE} | deal {blanks}, vira ?? | bia ??, caio ??, davi ??, ana ??", "paulista,mineiro")
    assert {unknown.card for unknown in found.unknown} >= {"the card that bia plays at move 1"}


def test_a_log_with_unknown_cards_is_written_and_read_again():
    from truco_spec.logs.files import read, write
    from truco_spec.logs.line import write_line

    log = read_line(f"{TABLE} | deal ana ?? 3C, vira ?? | bia ??, caio (??)")
    assert read(write(log)) == log
    assert read_line(write_line(log)) == log


@pytest.mark.parametrize("path", sorted(LOGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_where_it_was_written_a_log_runs_as_it_always_does(path):
    log = read_file(path)
    (agreement,) = agreements_of(log.variant, log.options)
    rules = rules_of(agreement, len(log.players))
    found = play(transpose(log, home_of(log), rules), rules)
    steps = list(Replay(log).steps())
    assert [moment.seen for moment in found.moments] == [
        {**step.observed, "match": step.observed["winner"]} for step in steps
    ]


def test_rules_do_not_part_by_a_turned_card_that_the_log_leaves_out():
    log = read_line("paulista | ana bia caio davi | dealer ana | bia 3C, caio 3D, davi 4D, ana QS")
    answer = settle(log, agreements_of("paulista,gamelog", {}))
    assert "All of these rules say the same" in text_of(document_of(answer))
    assert "It depends on the vira" in text_of(document_of(answer))


def test_cards_of_one_outcome_are_named_with_all_others_as_they_are():
    log = read_line("gamelog | ana bia caio davi | dealer ana | bia 3C, caio 3D, davi ??, ana ??")
    found = settle(log, agreements_of("gamelog", {})).unknown
    assert {unknown.card for unknown in found} >= {
        "the card that davi plays at move 3",
        "the card that ana plays at move 4",
    }
    for unknown in found:
        named = [card for cards, _ in unknown.cases for card in cards if not card.startswith("and ")]
        assert len(named) == len(set(named)) > 1


def test_of_a_turned_card_that_is_not_given_every_card_is_tried():
    # wikipedia uruguayo: piezas are of the muestra's suit; under one of bastos no other card of the log is one.
    line = f"{TABLE} | deal vira JH | bia 3C, caio 4D, davi 4H, ana 4S, bia 2C, caio 2D, davi 5S, ana 5H"
    (unknown,) = answer(line, "uruguayo", "bia's team wins the hand").unknown
    right = [cards for cards, outcome in unknown.cases if outcome.startswith("right")]
    assert right
    assert all(card.endswith("B") or card.startswith("and ") for cards in right for card in cards)


# ---- why a log stops, and what a claim is about ------------------------------------------------------


def test_what_is_due_first_is_told_with_the_rule_that_asks_for_it():
    found = answer(f"{TABLE} | score ana 9, bia 11 | deal vira 5D | bia 3C", "paulista,nowadays")
    (parting,) = found.partings
    (refused,) = [group for group in parting.groups if group.names == ("paulista",)]
    assert "Permitted now: bia jogo, bia fujo." in refused.message
    assert refused.why[0].reasons[0].prose == "The choice comes before the play."


def test_where_all_refuse_a_move_the_ending_says_why():
    found = answer(f"{TABLE} | deal vira JH | bia truco, caio aceito, bia 3C, davi seis", "paulista,mineiro-wp")
    assert {(ending.names, ending.number) for ending in found.endings} == {(("paulista", "mineiro-wp"), 4)}
    for ending in found.endings:
        assert "“davi seis”" in ending.text
        assert " is us" not in ending.text  # conditions are code; the rules that come nearest say the same
        assert "The side that accepted may raise later" in ending.why[0].reasons[0].prose


def test_where_a_parting_has_said_why_the_ending_does_not_say_it_again():
    found = answer(f"{TABLE} | bia (4D)", "paulista,argentino")
    (refused,) = [ending for ending in found.endings if ending.number]
    assert (refused.text, refused.why) == ("forbidden", ())


def test_a_word_that_several_games_do_not_know_is_told_once():
    found = answer("argentino | ana bia | dealer ana | bia envido", "paulista,gamelog,nowadays")
    (ending,) = found.endings
    assert ending.names == ("paulista", "gamelog", "nowadays")
    assert "nor anything that is said there" in ending.text


@pytest.mark.long
def test_with_a_claim_only_what_it_is_about_is_compared():
    line = f"{TABLE} | deal vira JH | bia truco, caio aceito, bia 3C, caio 2H, davi 4H, ana 2C"
    plain, claimed = (answer(line, "paulista,argentino", claim) for claim in (None, "bia takes the trick"))
    assert plain.partings[0].number == 1
    assert claimed.partings == ()
    assert "say the same of it. In other things they part at move 1, bia truco" in claimed.summary


def test_of_many_clauses_those_on_this_very_game_are_quoted():
    found = answer(f"{TABLE} | bia truco", "paulista,argentino")
    for group in found.partings[0].groups:
        for reason in group.why[0].reasons:
            for grounds in reason.grounds:
                assert len(grounds.authorities) <= 5
                assert {authority.cite for authority in grounds.authorities}.isdisjoint(grounds.more)


# ---- rules of one's own ------------------------------------------------------------------------------

HOUSE = """variant house extends paulista {
  title "Our table"
  set tie-lead last @decided:our-way
  decision our-way resolves @pagat:gap.tie-lead-paulista
    "The last of the equal cards leads."
    because "So it was always here."
    rather than "The first."
}
"""
TIED = "ana bia caio davi | dealer ana | deal vira JH | bia 4D, caio 3C, davi 3D, ana 4S"


@pytest.fixture
def house(tmp_path):
    path = tmp_path / "house.truco"
    path.write_text(HOUSE, encoding="utf-8")
    return str(path)


def test_rules_of_ones_own_are_put_beside_the_shipped_ones(house):
    found = answer(f"paulista | {TIED}", f"paulista, {house}, {house} tie-lead=first")
    names = [group.names for group in found.partings[0].groups]
    assert names == [("paulista",), ("house",), ("house (tie-lead first)",)]
    (grounds,) = found.partings[0].groups[1].why[0].reasons[0].grounds
    assert any("So it was always here." in authority.text for authority in grounds.authorities)
    assert [(switch.option, switch.means) for switch in grounds.switches] == [("tie-lead", "so set by house")]


def test_a_log_may_be_written_for_rules_of_ones_own(house):
    assert answer(f"house | {TIED}", f"{house},paulista").title == "Our table"
    with pytest.raises(LogError, match="There is no variant “house”"):
        answer(f"house | {TIED}", "paulista")


def test_a_claim_is_searched_under_rules_of_ones_own(house):
    (row,) = answer(f"house | {TIED}", house, "bia leads next").claim.rows
    assert (row.verdict, [one.options for one in row.sets]) == ("wrong", [(("tie-lead", ("leader",)),)])


def test_all_may_stand_beside_others(house):
    assert [one.name for one in agreements_of(f"{house}, all", {}, "fisch")][:3] == ["house", "fisch", "argentino"]


def test_rules_of_ones_own_that_there_are_not_or_that_are_wrong_are_told(tmp_path, house):
    with pytest.raises(AgreementError, match=r"nowhere.truco: There is no such file"):
        agreements_of("nowhere.truco", {})
    wrong = tmp_path / "wrong.truco"
    wrong.write_text(HOUSE.replace("set tie-lead last", "set tie-lead lst"), encoding="utf-8")
    with pytest.raises(SpecError, match="option tie-lead has no value lst"):
        agreements_of(f"paulista,{wrong}", {})


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        pytest.param(  # three of a suit are a flor
            "deal a ?? ?? ??, b 4E 4C 4B | a flor, b callo, a 5O", "move 1 is legal", marks=pytest.mark.long
        ),
        ("deal a ?? ?? ??, b 4E 4C 4B | a 5O", "at move 1 a may say flor"),
        ("a flor", "move 1 is legal"),  # the log names no card
        ("a flor, b contraflor, a con-flor-quiero, a tengo 38, b son-buenas", "a's team scores 6"),
    ],
)
def test_hands_are_looked_for_with_which_it_is_permitted(line, claim):
    found = answer(f"argentino | a b | dealer b | {line}", "argentino", claim)
    assert [row.verdict for row in found.claim.rows] == ["depends"]
    assert found.accepted


@pytest.mark.long
def test_what_was_not_looked_through_is_not_told_flatly():
    line = "argentino | a b | dealer b | deal a ?? ?? ??, b 4E 4C 4B | a truco, b quiero"
    some = answer(line, "argentino", "a's team scores 2")
    assert some.claim.summary == "With the cards that were tried, not all that there are: right nowhere."
    ((names, note),) = some.notes
    assert (names, "not all that there are" in note) == (("argentino",), True)
    every = answer(line.replace("?? ?? ??", "4O 5O ??"), "argentino", "a's team scores 2")
    assert (every.claim.summary, every.notes) == ("Right nowhere.", ())


def test_a_card_that_the_log_does_not_tell_decides_where_it_comes_to_the_table():
    line = (
        "paulista | a b c d | dealer d | score a 11, b 11 | deal vira 7D | a turn-up, b turn-up, c turn-up, d turn-up"
    )
    found = answer(line, "paulista", "a's team takes the first trick")
    assert [row.verdict for row in found.claim.rows] == ["depends"]
    assert [unknown.card for unknown in found.unknown] == [
        "the card of a that comes up at move 1",
        "the card of c that comes up at move 3",
    ]
    assert ["not all that there are" in note for _, note in found.notes] == [True]


def test_that_rules_take_no_log_is_not_said_where_it_depends_on_cards():
    found = answer("argentino | a b | dealer b | deal a ?? ?? ??, b 4E 4C 4B | a flor, b callo", "argentino")
    assert found.accepted
    assert found.summary == "Whether these rules take the whole log depends on cards that nobody knows."


@pytest.mark.parametrize("table", ["argentino | a b", "uruguayo | a b c d", "paulista | a b", "gaucho | a b"])
def test_two_cards_change_places_as_if_each_had_come_where_the_other_did(table):
    variant, players = table.split(" | ")

    def dealt(one, other):
        return Replay(read_line(f"{table} | dealer {players[-1]} | deal a {one}, b {other}")).to_the_end()

    one, other = (card.name for card in load_open(variant).cards[-9:-7])
    game = dealt(one, other)
    numbers = {card.name: number for number, card in enumerate(game.graph.cards)}
    exchange(game.position, game.layout, numbers[one], numbers[other])
    assert list(game.position) == list(dealt(other, one).position)


def test_the_cards_of_a_further_deal_do_not_take_the_place_of_what_the_log_deals():
    """The last card is of a second hand, in which another card is turned: queens rule the first all the same."""
    moves = "a 3C, b QD, c 4D, d 4H, b 2C, c 4S, d 5D, a 5C, b 3H"
    found = answer(f"paulista | a b c d | dealer d | deal vira 7D | {moves}", "paulista", "b's team takes trick 1")
    assert [row.verdict for row in found.claim.rows] == ["right"]
    assert found.claim.summary.startswith("With the cards that were tried")  # of the second hand none was told


@pytest.mark.long
def test_where_no_card_decides_alone_whole_hands_are_told():
    log = read_line("argentino | ana bia | dealer bia | deal ana ?? ?? ??, bia 7C 5C 4B | ana flor")
    (unknown,) = settle(log, agreements_of("argentino", {}), "move 1 is legal", most=1).unknown
    right = [hand.split() for cards, told in unknown.cases if told.startswith("right") for hand in cards]
    assert unknown.card == "the cards dealt to ana"
    assert right
    assert all(len({card[-1] for card in hand}) == 1 for hand in right)


def test_rules_that_make_different_cards_decide_do_not_say_the_same():
    log = read_line("paulista | ana bia caio davi | dealer ana | deal vira JH | bia 3C, caio ??, davi 3D, ana 4S")
    summary = settle(log, agreements_of("paulista,mineiro", {}), "bia's team takes the first trick", most=1).summary
    assert summary == "With the cards that are put in all of these rules say the same."


def test_cards_of_a_further_deal_that_no_rule_reads_leave_no_doubt():
    line = "paulista | ana bia caio davi | dealer ana | deal vira JH | bia truco, caio corro, caio truco, bia corro"
    claim = settle(read_line(line), agreements_of("paulista", {}), "ana's team wins hand 2", most=1).claim
    assert claim is not None
    assert claim.summary.startswith("Right everywhere")
