"""A book of rules: what holds is in it, what does not hold is not, and what changes in the spec changes in the book."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.base.shipped import LANGUAGES, variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import Book, book_of
from truco_spec.books.book_words import words_in
from truco_spec.books.worked_tables import PrintedTable, table_of
from truco_spec.compare.reach import reached
from truco_spec.graph.load import load, load_file
from truco_spec.graph.model import Graph
from truco_spec.graph.plan import plan
from truco_spec.language.diagnostics import SpecError


def book(variant: str, **options: str) -> Book:
    return book_of(load(variant, **options), Words(), options)


def sentences(made: Book) -> dict[str, str]:
    return {entry.name: entry.sentence for section in made.sections for entry in section.entries}


def table(graph: Graph, kind: str) -> PrintedTable | None:
    return next(
        (made for wanted in plan().tables if wanted.kind == kind and (made := table_of(graph, wanted, Words()))), None
    )


WHO_WINS_TIES = {
    "mano": "tied-to-mano",
    "nobody": "score-nothing",
    "carries": "score-nothing",
    "dealer": "tied-to-dealer",
    "dealer-loses-game": "tied-loses-game",
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("variant", variant_names())
def test_the_table_of_tricks_says_of_three_ties_what_the_rule_says(variant: str) -> None:
    """Where it gives the hand to no side, its last column is the sentence of the rule that is applied."""
    for value in load(variant).options["tied-hand"].values:
        made = book(variant, **{"tied-hand": value})
        shown = table(made.graph, "rows")
        assert shown is not None
        *_, (*ties, end) = shown.rows
        assert ties == ["tie"] * 3
        assert end == sentences(made)[WHO_WINS_TIES[value]]


# ---- what holds ----------------------------------------------------------------------------------


@pytest.mark.long
def test_rules_of_a_deal_that_is_not_dealt_are_not_in_the_book() -> None:
    assert "keep-packet" in sentences(book("mineiro"))
    assert "keep-packet" not in sentences(book("paulista"))
    assert "velha" in sentences(book("mineiro"))
    assert "velha" not in sentences(book("paulista"))
    assert "nova" in sentences(book("paulista"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", variant_names())
def test_no_construct_is_told_whose_every_rule_gives_way_for_good(variant: str) -> None:
    graph = load(variant)
    matter = reached(graph)
    constructs: dict[str, set[str]] = {}
    for rule in graph.rules.values():
        if rule.source.construct:
            constructs.setdefault(rule.source.construct, set()).add(rule.name)
    idle = {name for name, rules in constructs.items() if rules.isdisjoint(matter)}
    assert idle.isdisjoint(sentences(book(variant)))


@pytest.mark.parametrize("variant", ["nowadays", "gamelog"])
def test_a_hand_that_has_to_be_played_is_not_said_to_be_a_choice(variant: str) -> None:
    told, agreed = sentences(book(variant)), sentences(book(variant, **{"brink-choice": "on"}))
    assert "brink-played" in told
    assert "onze" not in told
    assert "onze" in agreed
    assert "brink-played" not in agreed


def test_a_chapter_of_what_would_hold_only_stands_at_the_end_of_the_one_before(tmp_path: Path) -> None:
    own = tmp_path / "own.truco"
    own.write_text(
        """
variant own extends paulista {
  title "Ours"
  option slow : no* | yes @decided:ours
    "Whether nobody may cover a card."
  decision ours resolves @pagat:gap.paulista-inheritance
    "Cards may have to lie open." because "We play so."
  rule no-covers except play-covered @decided:ours
    "No card is covered."
    in play by everyone must not cover(c) when slow is yes
}
"""
    )
    *_, last = book_of(load_file(own), Words(), {}).sections
    assert [entry.sentence for entry in last.otherwise if entry.agreed == "Own"] == ["No card is covered."]


@pytest.mark.long
def test_what_would_hold_otherwise_is_told_apart() -> None:
    plain, other = book("paulista"), book("paulista", **{"tie-lead": "last"})
    aside = {entry.name for section in plain.sections for entry in section.otherwise}
    assert "lead-of-last" in aside
    assert "lead-of-last" not in sentences(plain)
    assert sentences(other)["lead-of-last"] == "After a tied trick the player of the last of the equal cards leads."
    assert [option.name for option in other.options if option.chosen] == ["tie-lead"]


TOLD_AS_AGREED = [
    ("paulista", "raise-window", "any-time", "truco"),
    ("paulista", "penalised-hand", "ends", "foul"),
    ("paulista", "peek-truco", "no", "look-before-answer"),
    ("paulista", "peek-raise", "seis", "look-before-answer"),
    ("mineiro", "bet", "hand", "truco"),
    ("mineiro-wp", "run-at-ten", "1", "onze"),
    ("paulista-wp", "court-order", "queen-above-jack", "height"),
    ("argentino", "falta-on-falta", "allowed", "envido-enough"),
    ("argentino", "told-counts", "only-better", "say-points"),
    ("argentino", "misreport-scope", "overstatement-only", "shown-badly"),
    ("argentino", "flor-window", "hands-first-card", "flor-in-time"),
    ("argentino", "flor-points-basis", "winner-only", "flor-prize"),
    ("argentino", "flor-showing", "winner-only", "flor-must-show"),
]
"""A game, an option and a value of it, and a rule whose usual sentence would be false."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("variant", "option", "value", "rule"), TOLD_AS_AGREED)
def test_a_sentence_says_what_is_agreed(variant: str, option: str, value: str, rule: str, language: str) -> None:
    words = words_in(language)
    usual, agreed = (sentences(book_of(load(variant, **given), words, given))[rule] for given in ({}, {option: value}))
    assert usual != agreed


def test_a_decision_that_nothing_here_rests_on_is_not_printed() -> None:
    """Fisch replaces the rules that Mineiro has for three ties and for the deal."""
    told = {reading.name for reading in book("fisch").readings}
    assert "three-tied-tricks" not in told
    assert "simplified-deal-packets" not in told
    assert "dealer-loses-all" in told


def test_a_decision_for_another_value_of_an_option_is_not_printed() -> None:
    """Only the pies open the envido, unless it is agreed that anyone does."""
    usual, agreed = book("argentino"), book("argentino", **{"envido-callers": "anyone"})
    for told, rests in ((usual, True), (agreed, False)):
        assert ("envido-callers-default" in {reading.name for reading in told.readings}) is rests
        cited = {a.clause for section in told.sections for entry in section.entries for a in entry.authorities}
        assert ("envido-callers-default" in cited) is rests


@pytest.mark.long
def test_what_is_only_not_written_down_holds_all_the_same(tmp_path: Path) -> None:
    """Signals and lawful talk are moves of a log only where that is agreed, but they are permitted at every table."""
    assert {"gestures", "talk", "bets-discussed"} <= sentences(book("paulista")).keys()
    assert "silent-look" in sentences(book("mineiro"))
    assert "silent-look" not in sentences(book("paulista"))
    assert "give-gesture" in sentences(book("argentino"))
    assert "give-gesture" not in sentences(book("argentino", senas="off"))
    spec = tmp_path / "house.truco"
    spec.write_text('variant house extends paulista {\n  title "Ours"\n}\n', encoding="utf-8")
    assert "gestures" in sentences(book_of(load_file(str(spec)), Words()))


def test_what_would_hold_otherwise_is_filled_with_the_other_values() -> None:
    aside = {e.name: e.sentence for s in book("pica-pica").sections for e in s.otherwise}
    assert aside["capped-prize"] == "The envido of a duel is worth at most 2, 3, 4, 6, 8, 10, 12 or 15."


def test_a_book_opens_with_the_game_in_short() -> None:
    about = {section.key: section.about for section in book("paulista", deck="p28", target="15").sections}
    assert "28 cards" in about["cards"]
    assert "15 points" in about["end"]
    assert [key for key, told in about.items() if not told] == ["brink"]


def test_a_rule_that_needs_what_no_rule_ever_does_is_out_of_reach() -> None:
    assert "keep-peeked" not in reached(load("paulista"))
    assert "keep-peeked" in reached(load("mineiro", dealing="cutter-keeps"))


@pytest.mark.parametrize(
    ("variant", "idle"),
    [("fisch", ("play-covered", "covered-card")), ("paraguayo", ("flor-before-play", "flor-before-words"))],
)
def test_what_rests_on_a_question_whose_every_answer_is_no_is_told_apart(variant: str, idle: tuple[str, ...]) -> None:
    """Fisch has no covered card, and may-cover says no after a tie, too; in Paraguay a flor may be hidden."""
    sections = book_of(load(variant), Words()).sections
    assert not {entry.name for section in sections for entry in section.entries} & set(idle)
    assert {entry.name for section in sections for entry in section.otherwise} >= set(idle)


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", variant_names())
def test_what_holds_is_not_said_under_the_condition_of_an_agreement(variant: str) -> None:
    """“Where that is agreed, ” is left out where an option is set so; two sentences speak of what happens in play."""
    sections = book_of(load(variant), Words()).sections
    where = {e.name for section in sections for e in section.entries if e.sentence.startswith(("Where ", "In a free"))}
    assert where <= {"claim-points", "flor-tally"}


@pytest.mark.long
def test_a_consequence_that_always_gives_way_to_an_exception_is_told_apart() -> None:
    """Three pardas go to the mano: so no hand that is tied throughout scores nothing."""
    plain = book("argentino")
    assert "tied-to-mano" in sentences(plain)
    assert "score-nothing" not in sentences(plain)
    assert "score-nothing" in {entry.name for section in plain.sections for entry in section.otherwise}
    assert "score-nothing" in sentences(book("argentino", **{"tied-hand": "nobody"}))
    assert "onze.open" not in sentences(book("nowadays"))


@pytest.mark.sample(1)
@pytest.mark.parametrize("variant", ["paulista", "mineiro", "argentino", "uruguayo", "pica-pica"])
def test_rules_are_numbered_in_order_and_told_once(variant: str) -> None:
    made = book(variant)
    for number, section in enumerate(made.sections, 1):
        assert section.number == str(number)
        assert [entry.number for entry in section.entries] == [
            f"{number}.{n}" for n in range(1, len(section.entries) + 1)
        ]
        told = [entry.sentence for entry in section.entries]
        assert len(told) == len(set(told))
        assert not [sentence for sentence in told if "{" in sentence or "here that is agreed" in sentence]
        assert all(entry.authorities for entry in section.entries)


@pytest.mark.sample(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", variant_names())
def test_what_may_be_agreed_is_asked(variant: str, language: str) -> None:
    options = book_of(load(variant), words_in(language)).options
    assert [option.told for option in options if not option.told.endswith("?")] == []
    assert len({option.told for option in options}) == len(options)


# ---- tables --------------------------------------------------------------------------------------


def test_the_ranking_is_worked_out_card_by_card() -> None:
    made = table(load("argentino"), "ranking")
    assert made is not None
    assert [row[0] for row in made.rows[:5]] == ["1E", "1B", "7E", "7O", "3O 3C 3B 3E"]
    turned = table(load("paulista"), "ranking")
    assert turned is not None
    assert len(turned.turned) == 1


def test_a_ladder_tells_what_is_paid_for_each_word() -> None:
    made = table(load("venezolano-369"), "ladder")
    assert made is not None
    assert made.rows == (
        ("truco", "3", "1"),
        ("retruco", "6", "3"),
        ("vale nueve", "9", "6"),
        ("vale juego", "30", "9"),
    )


def test_chains_of_the_envido_are_played_to_know_what_they_are_worth() -> None:
    made = table(load("argentino"), "chains")
    assert made is not None
    worth = {said: (accepted, refused) for said, accepted, refused in made.rows}
    assert worth["envido"] == ("2", "1")
    assert worth["envido – real envido"] == ("5", "3")
    assert worth["envido – envido – falta envido"] == ("falta", "5")
    assert worth["envido – envido – envido – real envido – real envido – falta envido"] == ("falta", "13")
    assert table(load("paulista"), "chains") is None


def test_a_table_of_bids_is_that_of_its_clause_and_says_where_it_goes_on() -> None:
    """Three envidos, two real envidos and one falta; it goes on where these may be said more often."""
    made = table(load("argentino"), "chains")
    limited = table(load("argentino", **{"envido-repeat-limit": "3", "real-envido-repeat-limit": "2"}), "chains")
    assert made is not None
    assert limited is not None
    assert made.rows == limited.rows
    assert len(made.rows) == 4 * 3 * 2 - 1
    assert made.cut
    assert not limited.cut


def test_a_value_that_a_refusal_rules_out_is_offered_nowhere() -> None:
    """Four play Mineiro: that two and six play its parts elsewhere is nothing to agree on."""
    assert load("mineiro").options["players"].values == ("4",)
    assert load("mineiro").options["players"].ruled_out == ("2", "6")
    assert "players" not in {option.name for option in book("mineiro").options}
    assert "packets" not in {value.name for o in book("nowadays").options for value in (o.value, *o.others)}
    with pytest.raises(SpecError, match="Four play this game"):
        load("mineiro", players=2)


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", variant_names())
def test_what_is_ruled_out_is_refused_whatever_else_is_agreed(variant: str) -> None:
    """That what is offered can be played in some combination is proved by ``check`` (option-refused)."""
    for name, option in load(variant).options.items():
        assert option.value in option.values
        for value in option.ruled_out:
            with pytest.raises(SpecError):
                load(variant, **{name: value})


def test_a_value_that_changes_in_a_spec_changes_sentence_and_table(tmp_path: Path) -> None:
    spec = tmp_path / "house.truco"
    spec.write_text(
        'variant house extends paulista {\n  title "Ours"\n'
        "  replace define truco-worth @pagat:mineiro.truco.raises-stake-1-to-3\n"
        '    "A truco is worth 5."\n    = 5\n  set target 15 @wikipedia:argentino.target-30\n}\n',
        encoding="utf-8",
    )
    graph = load_file(str(spec))
    told = sentences(book_of(graph, Words()))
    assert told["truco-worth"] == "A truco is worth 5."
    assert "15 points" in told["target-reached"]
    ladder = table(graph, "ladder")
    assert ladder is not None
    assert ladder.rows[0] == ("truco", "5", "1")
    assert ladder.rows[1][2] == "5"


def test_what_may_be_agreed_has_the_stakes_and_the_cards_that_come_of_it() -> None:
    """Of the clean deck too, which wants other manilhas; of one that is refused all the same, nothing."""
    told = {
        option.name: [value.told for value in option.others] for option in book_of(load("paulista"), Words()).options
    }
    assert told["scoring"] == ["points (2, truco = 4, seis = 6, nove = 8, doze = 12)"]
    assert told["deck"] == ["clean (27: 4C › 7H › 7D › 3 › 2 › A › K › J › Q)", "p28 (28: 3 › 2 › A › K › J › Q › 7)"]
    mineiro = {
        option.name: [value.told for value in option.others] for option in book_of(load("mineiro"), Words()).options
    }
    assert mineiro["deck"] == ["clean (27: 4C › 7H › 7D › 3 › 2 › A › K › J › Q)", "p28"]


def test_how_many_may_play_stands_where_it_is_not_settled() -> None:
    def first(variant: str, language: str = "en", **options: str) -> str:
        return book_of(load(variant, **options), words_in(language)).sections[0].entries[0].sentence

    assert first("argentino").startswith("4 (or 2 or 6) play,")
    assert first("argentino", "es", players="2").startswith("Juegan 2 (o 4 o 6),")
    assert first("pica-pica").startswith("6 play,")
