"""Whose word an explanation gives for a rule that several games share; and what a refusal and a course blame."""

import pytest

from truco_spec.base.document import text_of
from truco_spec.editor.texts import known_variants
from truco_spec.engine.explain import Explainer
from truco_spec.engine.support import Action
from truco_spec.graph.load import load
from truco_spec.graph.model import DECIDED
from truco_spec.graph.sources import speaks_of
from truco_spec.logs import narrative
from truco_spec.logs.explanation import document_of, explained, pertinent, refusal_document
from truco_spec.logs.files import read
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay


def sources_of(variant: str, rule: str) -> set[str]:
    graph = load(variant)
    return {cite.source for cite in pertinent(graph, graph.rules[rule].source.cites)}


@pytest.mark.parametrize(("variant", "source"), [("argentino", "wikipedia"), ("paulista", "pagat")])
def test_a_shared_rule_stands_on_what_is_told_of_this_game(variant, source):
    assert sources_of(variant, "play-card") == {source}


def test_where_nothing_is_told_of_this_game_the_word_of_the_others_is_kept():
    assert sources_of("argentino", "deal-done") == {"pagat"}


@pytest.mark.parametrize("variant", known_variants())
def test_who_wins_a_hand_and_the_match_stands_on_what_is_told_of_this_game_alone(variant):
    graph = load(variant)
    ends = [source.cites for _, name, source in graph.cites if name in {"hand-winner", "win-game", "target-reached"}]
    cites = {cite for told in ends for cite in pertinent(graph, told)}
    foreign = {c for c in cites if c.source != DECIDED and not speaks_of(c.source, c.clause, graph.lineage)}
    assert len(ends) >= 3
    assert not foreign, f"{variant} cites clauses of other games: {sorted(map(str, foreign))}"


def test_a_decision_always_counts():
    assert sources_of("argentino", "tied-to-mano") == {"wikipedia", "decided"}


# ---- what is blamed ----------------------------------------------------------------------------------

FLOR = "argentino | ana bia | dealer bia | deal ana 4O 5O 6O, bia 7E 6E 4B | ana flor, bia envido"
SHOWN = "paulista-wp | ana bia caio davi | dealer davi | score ana 11 | deal bia 4C 4H QS, vira 3D | ana jogo, ana 6H"


def refused(line: str) -> MoveRefused:
    with pytest.raises(MoveRefused) as found:
        list(Replay(read_line(line)).steps())
    return found.value


@pytest.mark.parametrize("move", ["caio mostro", "caio reclamo"])
def test_what_may_be_said_at_any_time_is_never_out_of_turn(move):
    assert refused(f"{SHOWN}, {move}").refusal.message == f"“{move}” is not offered now."


TURN = "is out of turn: it is for bia to speak or play."
FAMILY = "mineiro poor-family=shown | ana bia caio davi | dealer ana | deal caio 4C 5D 6H | bia keep, caio familia"


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("paulista | ana bia caio davi | dealer ana | caio truco", TURN, "Permitted now: bia "),
        (
            FAMILY,
            "is not offered now.",
            "It depends on: A royal family, with the clean deck, is any",
        ),
        ("paulista | ana bia caio davi | dealer ana | ana aceito", "is not offered now.", "A raise that is accepted"),
        ("paulista | ana bia | dealer ana | ana turn-up", "is not offered now.", "The iron hand is played in the dark"),
        (
            "nowadays | ana bia | dealer ana | score ana 11 | ana fujo",
            "is not offered now.",
            "Against it stands: A team one short of the target has no choice: it plays the hand (brink-played).",
        ),
    ],
)
def test_a_move_is_out_of_turn_only_if_another_could_make_it_now(line, message, hint):
    found = refused(line).refusal
    assert found.message.endswith(message)
    assert hint in found.hint


def test_what_only_costs_something_is_forbidden_where_it_would_be_done():
    found = refused("paulista-wp | ana bia | dealer ana | ana misdeal bia 4").refusal
    assert found.message.endswith(
        "forbidden now: The dealer may not deal anyone more or fewer than three cards (misdeal.rule)."
    )


def test_what_follows_is_explained_with_the_exception_by_which_it_came():
    deal = "deal ana 7O 6O 5O, bia 7C 5C 4B | ana toco, ana flor, bia callo"
    replay = Replay(read_line(f"paraguayo | ana bia | dealer bia | score ana 28, bia 3 | {deal}"))
    (found,) = explained(replay, 3)
    assert [one.name for one in found.done] == ["flor-alone", "flor-capped"]
    assert "- by flor-capped, which beats flor-award: " in text_of(tuple(document_of(replay.graph, found)))


def test_a_card_that_is_turned_up_is_told():
    told = course("paulista | a b | dealer a | score a 11, b 11 | deal b 3C 4C 5C, a 3D 4D 5D | b turn-up")
    assert "  1  b turn-up  5C" in told


THIRTY_THREE = "argentino con-flor=off | ana bia | dealer bia | deal ana 7O 6O 3B, bia 6E 4E 1C"
SHOWN_HALF = (
    "ana envido, bia quiero, ana tengo 33, bia son-buenas, ana 7O, bia 1C, ana (6O), bia 4E, bia 6E, ana 3B, "
    "ana las-jugadas"
)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        # An option decides: its question is named, not one that asks it.
        (
            "argentino con-flor=off | ana bia | dealer bia | deal ana 5O 6O 7O | ana flor",
            "(flor-called). It depends on: Flor is ",
        ),
        # What cards count or are worth stands against nothing, nor does who wrote what they are compared with.
        (
            f"{THIRTY_THREE} | {SHOWN_HALF}",
            "to say so: las jugadas (cards-are-there). Permitted now",
        ),
        (
            "paulista-wp | ana bia | dealer bia | score ana 11 | deal ana 5C 3H 3S, vira 4D | ana jogo, ana mostro",
            "and wins it (show-unbeatable). Permitted now",
        ),
    ],
)
def test_a_hint_names_the_question_that_decides_and_no_other(line, hint):
    assert hint in refused(line).refusal.hint


def test_a_refusal_names_the_rule_that_closed_what_is_wanted():
    found = refused(FLOR)
    assert found.against == ("flor-ends-envido",)
    assert "Against it stands: A flor cancels the envido of the hand (flor-ends-envido)." in found.refusal.hint
    told = text_of(tuple(refusal_document(load("argentino"), found.verdict, found.due, found.against)))
    assert "- against it: flor-ends-envido" in told
    assert "@decided:flor-envido-interaction" in told


def test_a_rule_does_not_stand_against_itself():
    found = refused("argentino con-flor=off | ana bia | dealer bia | ana envido, bia no-quiero, ana envido")
    assert found.against == ()


def course(line: str) -> str:
    return text_of(narrative.document_of(narrative.narrative_of(Replay(read_line(line)))), 110)


def test_of_cards_that_were_dealt_again_the_last_deal_is_told():
    told = course("nowadays | ana bia | dealer bia | mode umpire | bia misdeal ana 4, ana 3C")
    (dealt,) = [line for line in told.splitlines() if "vira" in line]
    assert len(dealt.split(" · ")[0].split()) == 1 + 3


def test_a_deal_alone_at_the_end_is_told():
    hands = "hands:\n- moves: bia truco, caio {}\n- deal: {{vira: 4D}}\n"
    log = "truco: 1\nvariant: paulista\nplayers: [ana, bia, caio, davi]\ndealer: ana\n" + hands
    over, open_still = (narrative.narrative_of(Replay(read(log.format(said)))) for said in ("corro", "aceito"))
    assert (over.dealt[-1], over.after["acting"], open_still.dealt) == (("vira", "4D"), ["caio"], ())
    assert "Hand 2\n  caio" in text_of(narrative.document_of(over))
    assert "Of no use where they stand: vira of hand 2." in text_of(narrative.document_of(open_still))


def test_a_hand_that_a_penalty_has_ended_is_worth_nothing_more():
    line = "mineiro penalised-hand=ends | ana bia caio davi | dealer davi | score ana 10, bia 10 | mode umpire"
    assert "worth" not in course(f"{line} | ana 3C, bia talk")


def test_a_card_that_an_option_adds_is_named():
    line = "mineiro extra-card=ten-of-clubs | ana bia caio davi | dealer davi | deal ana 10C | ana 10C"
    with pytest.raises(LogError, match="TC"):
        Replay(read_line(line))


@pytest.mark.parametrize(
    ("players", "told"), [("P0 P1", "P1 has won the match."), ("P0 P1 P2 P3", "P1 and P3 have won the match.")]
)
def test_one_has_won_and_several_have(players: str, told: str):
    dealer = players.split()[-1]
    assert told in course(f"paulista | {players} | dealer {dealer} | score P0 11 | mode umpire | P0 truco")


# ---- what a player leaves unsaid ---------------------------------------------------------------------

THREE_FLORES = "argentino | a b c d | dealer d | deal a 7E 6E 5E, b 1B 5O 4O, c 3C 4C 12C, d 7O 2O 6O | a flor"


@pytest.mark.parametrize("move", ["d con-flor-quiero", "d 7O", "d 1E", "c contraflor"])
def test_a_hint_lists_what_is_taken_at_this_very_place(move):
    who = move[0]
    hint = refused(f"{THREE_FLORES}, {move}").refusal.hint
    listed = hint.split("Permitted now: ")[1].rstrip(".").split(", ")
    assert set(listed) >= {f"{who} flor", f"{who} callo", f"{who} truco", f"{who} mazo"}
    assert ("d contraflor" in listed) == (who == "d")
    for text in listed:
        list(Replay(read_line(f"{THREE_FLORES}, {text}")).steps())


@pytest.mark.parametrize("before", ["", ", b callo"])
def test_a_refusal_is_told_where_the_player_was_asked_and_not_after_a_silence_that_nobody_kept(before):
    found = refused(f"{THREE_FLORES}{before}, c contraflor")
    assert found.verdict.legal_if == "flores(them) > 0 [me = c] (flor-raised)"
    assert (found.due, found.against) == ((), ())


def test_a_card_of_who_kept_silent_only_lacks_the_turn():
    assert refused(f"{THREE_FLORES}, d 7O").refusal.message == "“d 7O” is out of turn: it is for a to play."


# ---- a reason that would have been enough ------------------------------------------------------------

PIES = "argentino{} | a b c d | dealer d | {}deal a 1E 7C 6C, b 1B 5O 4O, c 3E 3B 12C, d 7O 2B 6B | {}"
CLOSED = "What could permit it does not apply: The envido is a bet on whose cards count best"


@pytest.mark.parametrize(
    "moves",
    [
        "d envido, c quiero, a tengo 33, b paso, d paso, b envido",
        "d envido, c no-quiero, b envido",
        "a truco, d envido, c no-quiero, b envido",
    ],
)
def test_where_the_envido_is_closed_to_all_it_is_not_refused_for_the_seat(moves):
    found = refused(PIES.format("", "", moves))
    assert CLOSED in found.refusal.hint and "pie" not in found.refusal.message
    wanted = "not envido.closed [envido.closed = yes] and may-envido(me) [me = b] (envido.open); and me in pies"
    assert found.verdict.legal_if == wanted
    assert "VOID: not offered now" in course(PIES.format("", "mode umpire | ", moves))


@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        ("ana envido, bia no-quiero, ana envido", "It depends on: Envido is opened once in a hand (may-envido)"),
        ("ana envido, bia no-quiero, bia envido", "It depends on: Envido is opened once in a hand (may-envido)"),
        (
            "ana flor, bia callo, bia envido",
            "Against it stands: A flor cancels the envido of the hand",
        ),
        ("ana truco, bia quiero, bia envido", "It depends on: Envido is opened while no truco is accepted"),
        ("ana envido, bia no-quiero, ana flor", "Against it stands: No flor is called once the envido was accepted"),
    ],
)
def test_a_closed_envido_names_what_closed_it(moves, rule):
    deal = "argentino | ana bia | dealer bia | deal ana 1E 2E 3E, bia 4C 5O 6B"
    assert rule in refused(f"{deal} | {moves}").refusal.hint


@pytest.mark.parametrize(
    ("line", "legal_if"),
    [
        ("paulista | a b c d | dealer d | score a 11 | a seis", ""),
        ("fisch | a b c d | dealer d | score a 11 | b 3C", ""),
        (
            "paulista | a b c d | dealer d | score a 11 | a jogo, b truco",
            "by callers [that is a] (truco.open); and not onze and not ferro",
        ),
    ],
)
def test_what_is_never_legal_at_its_place_is_told_so(line, legal_if):
    verdict = refused(line).verdict
    assert verdict.legal_if == legal_if
    assert ("- never legal there\n" in verdict.text()) == (not legal_if)


def test_a_move_that_is_void_is_headed_so_where_it_is_explained():
    *_, found = explained(Replay(read_line(PIES.format("", "mode umpire | ", "d envido, c no-quiero, b envido"))))
    assert found.verdict.title == "b envido: not offered"


def test_a_card_out_of_turn_is_not_refused_by_a_rule_on_answers():
    log = PIES.format(" who-answers=pie-only", "{}", "a truco, b 1B")
    found = refused(log.format(""))
    assert found.refusal.message == "“b 1B” is out of turn: it is for d to speak or play."
    assert found.verdict.legal_if == "by turn [that is a] (play-accepts); and may-answer(me)"
    assert "FORBIDDEN" not in course(log.format("mode umpire | "))


BY_SEAT = {"envido-by-pies", "pie-answers", "pies-only"}
STAGES = ["", "a truco", "b truco", "d envido", "a truco, d quiero", "d envido, c no-quiero", "d envido, c quiero"]
STAGES += ["a truco, d envido, a no-quiero", "a truco, d envido, c no-quiero", "d envido, c envido"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("options", ["", " who-answers=pie-only", " envido-callers=pies-all-speech"])
@pytest.mark.parametrize("stage", STAGES)
def test_what_is_refused_for_the_seat_alone_is_permitted_to_another(options, stage):
    replay = Replay(read_line(PIES.format(options, "", stage or "d envido")))
    if stage:
        try:
            list(replay.steps())
        except MoveRefused:
            return
    else:
        replay.deal_out()
    game = replay.game
    explainer = Explainer(game)
    for verb in [kind for kind in game.graph.actions.values() if not kind.params or kind.name == "envido"]:
        for args in [(0,), (1,), (2,)] if verb.params else [()]:
            for seat in range(4):
                verdict = explainer.verdict(Action(seat, verb.name, args))
                names = {rule.name for rule in verdict.deciding}
                if verdict.status == "forbidden" and names <= BY_SEAT and verdict.besides is None:
                    assert any(game.permits(Action(other, verb.name, args)) for other in range(4)), verdict.text()


def test_false_flor_is_still_the_reason_where_nobody_has_one():
    assert "is forbidden now: Nobody claims a flor" in refused(PIES.format("", "", "a flor")).refusal.message


def test_who_is_no_pie_is_refused_as_such_while_a_pie_could_open():
    found = refused(PIES.format("", "", "a envido"))
    assert "only the pie of a team opens the envido" in found.refusal.message
    assert found.verdict.legal_if == "me in pies"


@pytest.mark.parametrize(
    ("deal", "moves", "wrong"),
    [
        ("deal ana 7O 6O 1E", "ana tengo 32, bia tengo 33", True),
        ("deal ana 7O 6O 1E", "ana tengo 33, bia son-buenas", False),
        ("deal bia 7O 6O 1E", "ana tengo 32, bia tengo 33", False),  # whose cards the dealer chose
        ("deal bia 7C 5C 4B", "ana tengo 32, bia son-buenas, ana 1E, bia 5C, ana 6O, bia 7C, bia 4B, ana 7O", True),
    ],
)
def test_a_false_count_is_permitted_and_wrong_where_the_log_gives_the_cards(deal, moves, wrong):
    text = course(f"argentino | ana bia | dealer bia | {deal} | ana envido, bia quiero, {moves}")
    assert ("WRONG: The count of an envido has to be the true one" in text) is wrong
    assert ("Permitted by the rules, but wrong: 3." in text) is wrong
    assert ("Every move is permitted by the rules." in text) is not wrong
