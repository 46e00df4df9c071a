"""Options are switches: one value each, from the variant, the table or the default; some exclude each other."""

from __future__ import annotations

import pytest
from tiny import linked, mistake, mistakes, told, wrong_with

from truco_spec.graph.load import load, load_text
from truco_spec.language.diagnostics import SpecError

SWITCH = 'option light : on* | off @decided:tiny "A light."'


def test_the_default_holds_where_nothing_is_said() -> None:
    option = load("mineiro").options["covering"]
    assert (option.value, option.default, option.set_by) == ("from-second", "from-second", "")


def test_a_variant_sets_an_option() -> None:
    option = load("mineiro").options["bet"]
    assert (option.value, option.default, option.set_by) == ("trick", "hand", "mineiro")


def test_a_table_sets_an_option() -> None:
    option = load("mineiro", tie_lead="last").options["tie-lead"]
    assert (option.value, option.set_by) == ("last", "asked")


def test_a_graph_is_linked_once_for_the_same_options() -> None:
    assert load("mineiro", tie_lead="last") is load("mineiro", tie_lead="last")
    assert load("mineiro") is not load("mineiro", tie_lead="last")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tie_lede": "last"}, "there is no option tie-lede"),
        ({"tie_lead": "lost"}, "option tie-lead has no value lost"),
        ({"players": 7}, "option players has no value 7"),
    ],
)
def test_an_unknown_option_or_value_is_told(options: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        load("mineiro", **options)
    assert caught.value.diagnostics[0].message.startswith(message)


def test_all_wrong_options_are_told_in_one_run() -> None:
    with pytest.raises(SpecError) as caught:
        load("mineiro", tie_lede="last", covering="nover")
    assert len(caught.value.diagnostics) == 2


def test_options_that_exclude_each_other_are_refused_with_their_sentence() -> None:
    with pytest.raises(SpecError) as caught:
        load("paulista", deck="clean")
    assert [d.message for d in caught.value.diagnostics] == ["The clean deck is made for fixed manilhas."]
    assert caught.value.diagnostics[0].hint == "It can be played with deck=dirty, deck=p28 or manilhas=fixed."


def test_every_refusal_is_told() -> None:
    with pytest.raises(SpecError) as caught:
        load("paulista", deck="clean", extra_card="joker")
    assert len(caught.value.diagnostics) == 2


def test_a_refusal_shows_where_it_stands() -> None:
    text = (
        f'variant v {{ title "V" {SWITCH} phase start "It begins."'
        ' refuse dark @decided:tiny "The light stays on." when light is off }'
    )
    assert load_text(text).options["light"].value == "on"
    (found,) = wrong_with(text, light="off")
    assert told(found) == "The light stays on.; It can be played with light=on."
    assert [note for note, _ in found.notes] == ["refused here"]


def test_a_refusal_speaks_of_options_only() -> None:
    text = 'refuse never @decided:tiny "No." when ready'
    assert mistake(text) == "only options can decide this: the position is not known yet"


def test_an_option_has_one_default() -> None:
    assert "has no default" in mistakes('option light : on | off @decided:tiny "A light."')[0].message
    assert "has two defaults" in mistakes('option light : on* | off* @decided:tiny "A light."')[0].message


def test_seats_want_an_option_that_is_a_number() -> None:
    text = 'variant v { title "V" seats players in 2 teams @decided:tiny "T." phase start "It begins." }'
    assert told(wrong_with(text)[0]) == "seats wants an option players that holds a number"
    uneven = text.replace("seats", 'option players : 3* | 4 @decided:tiny "P." seats')
    assert told(wrong_with(uneven)[0]) == "3 players cannot be shared among 2 teams"


def test_a_number_among_words_is_a_value_like_any_other() -> None:
    text = 'option most : 3* | endless @decided:tiny "M."  define q @decided:tiny "Q." = most is endless'
    assert linked(text).defines["q"].answers[0].value.value == 0
    assert linked(text, most="endless").defines["q"].answers[0].value.value == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 2}, "Four play this game, two against two."),
        ({"players": 6}, "Four play this game, two against two."),
        ({"dealing": "singles"}, "The dealer chooses the end of the pack with every card only where the deal is free."),
        (
            {"vira_wrap": "redraw"},
            "A vira is covered at the dealer's pleasure, or turned again for its rank, not both.",
        ),
        ({"manilhas": "fixed"}, "The deck of 28 lacks the four of clubs; its manilhas are those of the vira."),
        (
            {"deck": "dirty", "manilhas": "fixed", "cutter_top_card": "off", "vira_time": "after-hands"},
            "Without a vira there is none to set, to cover or to turn early.",
        ),
        (
            {"deck": "dirty", "manilhas": "fixed", "cutter_top_card": "off", "vira_replacements": "off"},
            "Without a vira there is none to set, to cover or to turn early.",
        ),
        (
            {"deck": "dirty", "manilhas": "fixed", "vira_time": "after-hands", "vira_replacements": "off"},
            "Without a vira there is none to set, to cover or to turn early.",
        ),
    ],
)
def test_what_cannot_be_agreed_at_the_table_of_fisch_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        load("fisch", **options)
    assert sentence in [found.message for found in caught.value.diagnostics]
