"""How two graphs differ, worked out by hand from small texts."""

import pytest

from truco_spec.compare.statements import ADDED, DROPPED, REPLACED, VALUE, WORDING, chain_of, differences
from truco_spec.graph.load import load, load_text
from truco_spec.language.read import read

BASE = """\
variant cards {
  title "The higher card"
  option players : 2* | 4                  @house:ours  "How many play."
  option prize   : 1* | 2                  @house:ours  "What a card is worth."
  option folding : yes* | no               @house:ours  "Whether one may give up."
  seats players in 2 teams                 @house:ours  "They sit across from each other."
  order rank : 4 < 5 < 6 < 7               @house:ours
  order suit : D < S < H < C               @house:ours
  deck pack : rank x suit                  @house:ours
  datum score(t : team) : 0 .. 9                             seen by everyone
  datum held(s : seat)  : slot             fresh each round  seen by s
  phase round "The cards are dealt."
  phase play  "Somebody folds or shows."
  phase over  "The game is over."
  action draw(c : card) "A card is drawn."  possible when c in pack
  action fold           "I give it up."
  action show           "Let us see."
  define next-seat @house:ours "The first player who has no card." = first seat s : held(s) is none
  define worth @house:ours "A card is worth {prize}." = prize
  rule deal @house:ours "Everyone is dealt a card." in round by chance may draw(c) do move c to held(next-seat)
  rule dealt @house:ours "When all have one, they play." in round when next-seat is none do then play
  rule fold-it @house:ours "Who folds gives the other side a point."
    in play by everyone may fold when folding is yes and score(them) < 9 do score(them) += 1, then round
  rule show-it @house:ours "Who shows takes what a card is worth."
    in play by everyone may show do score(us) += worth, then round
  rule three-win @house:ours "Three points win."
    at once when (some team t : score(t) >= 3) and not during over do then over
}
"""


def compared(changed, a=None, b=None):
    """The differences of the base and a variant of it, by name."""
    text = BASE + 'variant house extends cards {\n  title "Ours"\n' + changed + "\n}\n"
    file = read(text, "<house>")
    cards, house = load_text(text, "cards", **(a or {})), load_text(text, "house", **(b or {}))
    found = differences(cards, house, (chain_of("cards", file), chain_of("house", file)))
    return {difference.name: difference for difference in found}


def test_a_variant_that_changes_nothing_is_no_difference():
    assert compared("") == {}


def test_a_statement_that_is_added_or_dropped():
    found = compared("""
      drop fold-it @house:theirs
      rule pass-it @house:theirs "A card may be passed." in play by everyone may fold do then round
    """)
    assert {name: d.change for name, d in found.items()} == {"rule fold-it": DROPPED, "rule pass-it": ADDED}
    assert found["rule fold-it"].a.sentence == "Who folds gives the other side a point."
    assert found["rule fold-it"].b is None


def test_another_body_is_replaced_and_other_numbers_are_another_value():
    found = compared("""
      replace rule dealt @house:theirs "When all have one, it is over." in round when next-seat is none do then over
      replace rule three-win @house:theirs "Five points win."
        at once when (some team t : score(t) >= 5) and not during over do then over
    """)
    assert found["rule dealt"].change == REPLACED
    assert found["rule dealt"].parts == (("do", "then play", "then over"),)
    assert found["rule three-win"].change == VALUE
    assert [part[0] for part in found["rule three-win"].parts] == ["when"]


def test_another_sentence_or_citation_is_wording():
    found = compared('also deal @house:theirs\nreplace define worth @house:ours "It counts {prize}." = prize')
    assert {name: d.change for name, d in found.items()} == {"rule deal": WORDING, "define worth": WORDING}


def test_an_option_and_what_it_changes_belong_together():
    found = compared("set prize 2 @house:theirs")
    assert found["option prize"].parts == (("value", "1", "2"),)
    assert found["define worth"].change == VALUE
    assert found["define worth"].by == ("prize",)
    assert found["define worth"].b.sentence == "A card is worth 2."


def test_a_rule_that_an_option_switches_off_is_dropped_by_it():
    found = compared("set folding no @house:theirs")
    assert found["rule fold-it"].change == DROPPED
    assert found["rule fold-it"].by == ("folding",)
    assert {d.change for name, d in found.items() if name == "option folding"} == {VALUE}


def test_cards_and_orders_are_compared_as_a_whole():
    found = compared("replace order rank : 4 < 5 < 6 < 7 < A @house:theirs")
    assert found["order rank"].parts == (("from the lowest", "4 < 5 < 6 < 7", "4 < 5 < 6 < 7 < A"),)
    number, cards = found["deck pack"].parts
    assert number == ("number", "16", "20")
    assert set(cards[2].split()) - set(cards[1].split()) == {"AD", "AS", "AH", "AC"}


def test_who_sees_a_datum_stands_with_it():
    found = compared("""
      replace datum held(s : seat) : slot fresh each round seen by everyone
    """)
    assert [part[0] for part in found["datum held"].parts] == ["seen by"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("a", "b"), [("paulista", "mineiro"), ("argentino", "paulista")])
def test_the_other_way_round_it_is_the_same_with_the_sides_exchanged(a, b):
    there = {d.key: d for d in differences(load(a), load(b), (chain_of(a), chain_of(b)))}
    back = {d.key: d for d in differences(load(b), load(a), (chain_of(b), chain_of(a)))}
    assert there.keys() == back.keys()
    other = {ADDED: DROPPED, DROPPED: ADDED}
    for key, difference in there.items():
        assert back[key].change == other.get(difference.change, difference.change)
        assert (back[key].a, back[key].b) == (difference.b, difference.a)
