"""Cases from files: what may stand there, what is wrong and where, and how one case becomes several."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tables import case_file, instances

from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.corpus import CaseError, chosen
from truco_spec.conformance.corpus.filling import complete, must_be_valid
from truco_spec.conformance.corpus.protocol import Script

PLAIN = """
  - id: own-case-1
    title: A case
    clauses: [paulista.dirty-deck, nowadays:nowadays.deck.forty]
    level: must
    moves: [P1 3C]
"""


def test_the_shipped_corpus_loads_and_its_ids_are_unique() -> None:
    cases = corpus.load()
    assert len({case.id for case in cases}) == len(cases) > 500


def test_a_title_makes_sense_without_the_one_before_it() -> None:
    leaning = re.compile(r"(?:So|Nor|Or|And|Not|Its|They|Then|There(?! is| are))\b")
    assert not [case.entry.title for case in corpus.load() if leaning.match(case.entry.title)]


def test_a_clause_without_source_is_of_the_source_of_the_file(tmp_path: Path) -> None:
    (case,) = corpus.load([case_file(tmp_path, PLAIN)])
    assert case.clauses == ("pagat:paulista.dirty-deck", "nowadays:nowadays.deck.forty")
    assert case.line == 6


WRONG = {
    "title: A case": ("titel: A case", "‘titel’ is not known here. Did you mean title?"),
    "level: must": ("level: maybe", "‘maybe’ is not one of must, decided, option."),
    "moves: [P1 3C]": ("moves: [truco]", "‘truco’ is no move"),
    "id: own-case-1": ("id: Case", "is not small letters, digits and hyphens"),
    "clauses: [paulista.dirty-deck, nowadays:nowadays.deck.forty]": ("clauses: []", "at least one clause"),
    "    level: must\n": ("", "level is missing"),
    "[P1 3C]": ("[{expect: {trick: P1}, refused: P1 3C}]", "‘refused’ is not known here"),
    "moves: [P1 3C]\n": ("moves: [expect: {}]\n", "This step expects nothing"),
    "    moves: [P1 3C]": ("    moves: [expect: {score: {}}]", "This step expects nothing"),
    "    level: must\n    moves: [P1 3C]": (
        "    level: must\n    moves: [view: {seat: P1}]",
        "This step expects nothing",
    ),
    "must\n    moves: [P1 3C]": ("must\n    moves: [legal: {}]", "This step expects nothing"),
    "moves: [P1 3C": ("moves: [refused: P2 3C, allowed: P1 3C, expect: {trick: null}", "ask for trick before it"),
    ": [P1 3C]\n": (": [{refuse: P1 3C}]\n", "is wanted here. Did you mean refused?"),
    "[P1 3C]\n": ("[{say: P1 3C}]\n", "One of expect, refused, allowed, legal, view, hand, deals is wanted"),
}


@pytest.mark.parametrize("right", WRONG)
def test_a_mistake_is_told_with_file_and_line(right: str, tmp_path: Path) -> None:
    wrong, message = WRONG[right]
    path = case_file(tmp_path, PLAIN.replace(right, wrong))
    with pytest.raises(CaseError) as error:
        corpus.load([path])
    assert message in str(error.value)
    assert str(error.value).startswith(f"{path}:")


def test_an_id_used_twice_names_both_places(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"cases.yaml:12: the id own-case-1 is already used at .*cases.yaml:6"):
        corpus.load([case_file(tmp_path, PLAIN + PLAIN)])


def test_each_case_with_a_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    """The others are read all the same: first for what is no case, then for what the rules do not know."""
    right, key, level = (PLAIN.replace("own-case-1", f"own-case-{n}") for n in (1, 2, 3))
    file = case_file(tmp_path, right + key.replace("title", "tittle") + level.replace("must", "may"))
    with pytest.raises(CaseError) as error:
        corpus.load([file])
    told = zip(str(error.value).splitlines(), ("13:5: ‘tittle’", "21:5: ‘may’"), strict=True)
    assert all(line.startswith(f"{file}:{begins}") for line, begins in told), str(error.value)
    Path(file).write_text(f"family: x\n{Path(file).read_text(encoding='utf-8')}", encoding="utf-8")
    with pytest.raises(CaseError, match=r":1:1: ‘family’ .*\n.*:14:5: ‘tittle’ .*\n.*:22:5: ‘may’"):
        corpus.load([file])
    cards = (each.replace("3C", card) for each, card in ((right, "3X"), (level, "4X")))
    with pytest.raises(CaseError, match=r"own-case-1: .*3X.*\n.*own-case-3: .*4X"):
        must_be_valid(chosen(corpus.load([case_file(tmp_path, "".join(cards))])))


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        ("{P0: 7D 6S, P1: 3C 7D}", "The card 7D is there twice: it is held by P0 and by P1."),
        ("{P0: 7D 6S 7D}", "The card 7D is there twice: it is held twice by P0."),
    ],
)
def test_a_card_dealt_twice_is_told_before_anybody_is_asked(deal: str, message: str, tmp_path: Path) -> None:
    for moves in (f"moves: [P1 3C]\n    deal: {deal}", f"moves: [P1 3C, {{hand: {{deal: {deal}}}}}]"):
        with pytest.raises(CaseError, match=re.escape(message)):
            must_be_valid(instances(tmp_path, PLAIN.replace("moves: [P1 3C]", moves)))


NEVER = ["score: 7", "score: []", "score: {P0: '2'}", "score: {P0: 25}", "stake: null", "stake: {P0: 1}", "trick: [P0]"]
NEVER += ["acting: P0", "acting: [P9]", "may-speak: {P0: 1}", "winner: zoe", "winner: true", "proposal: 1.5"]
NEVER += ["leader: tie", "games: {P0: 3}", "game-score: {P0: []}"]


@pytest.mark.parametrize("expected", NEVER)
def test_what_is_never_observed_is_told_before_anybody_is_asked(expected: str, tmp_path: Path) -> None:
    """A case that nobody can pass would accuse everyone."""
    with pytest.raises(CaseError, match=r"own-case-1: .* is never ‘.*It is|no player “(P9|zoe)"):
        must_be_valid(instances(tmp_path, PLAIN.replace("P1 3C]", f"P1 3C, expect: {{{expected}}}]")))


def test_what_stands_for_all_cards_is_suggested_in_a_list_of_actions(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"“cartas” is neither a card .* Did you mean “cards”"):
        must_be_valid(instances(tmp_path, PLAIN.replace("P1 3C]", "P1 3C, legal: {P0: [cartas, truco]}]")))


def test_what_can_be_observed_is_taken(tmp_path: Path) -> None:
    told = "score: {P0: 24}, stake: 3, proposal: null, acting: [P1], winner: P0, trick: tie, game-score: {P0: null}"
    must_be_valid(instances(tmp_path, PLAIN.replace("P1 3C]", f"P1 3C, expect: {{{told}}}]")))


def test_a_player_who_is_not_at_the_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="ana is not one of the players bia, caio"):
        corpus.load([case_file(tmp_path, PLAIN.replace("P1 3C", "ana 3C") + "    players: [bia, caio]\n")])


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="no such file or folder"):
        corpus.load([tmp_path / "nowhere"])


def test_a_case_spreads_over_variants_players_and_options(tmp_path: Path) -> None:
    wide = PLAIN + "    applies: {variants: [mineiro, paulista], players: [2, 4], options: {deck: [dirty, clean]}}\n"
    found = instances(tmp_path, wide)
    assert len(found) == 8
    assert found[0].name == "own-case-1[mineiro,2,deck=dirty]"
    assert found[-1].players == ("P0", "P1", "P2", "P3")
    assert len({instance.name for instance in found}) == 8


def test_options_of_a_case_are_fixed_and_words_like_no_stay_words(tmp_path: Path) -> None:
    (instance,) = instances(tmp_path, PLAIN + "    options: {peek-truco: no, nine: 8}\n")
    assert instance.options == {"peek-truco": "no", "nine": "8"}
    assert instance.name == "own-case-1"


def test_cases_are_chosen_by_id_and_a_near_miss_is_helped(tmp_path: Path) -> None:
    cases = corpus.load([case_file(tmp_path, PLAIN)])
    assert [instance.name for instance in chosen(cases, names=["own-case-1"])] == ["own-case-1"]
    with pytest.raises(CaseError, match="Did you mean “own-case-1”"):
        chosen(cases, names=["own-case-2"])
    with pytest.raises(CaseError, match="No case of the corpus meets all these conditions"):
        chosen(cases, levels=["option"])
    with pytest.raises(CaseError, match="There are no cases"):
        chosen([])


def test_every_shipped_case_fits_the_shipped_schema() -> None:
    import importlib

    import yaml

    jsonschema = importlib.import_module("jsonschema")  # it brings no types
    schema = json.loads((corpus.corpus_folder().parent / "schema" / "case.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    path = corpus.corpus_folder() / "paulista" / "two-players.yaml"
    assert list(validator.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8")))) == []


def test_a_pipe_in_a_folder_of_cases_is_no_file_of_cases(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "nowhere.yaml").symlink_to(tmp_path / "gone")
    with pytest.raises(CaseError, match=f"^{tmp_path}: there are no cases here"):
        corpus.load([corpus.corpus_folder() / "paulista", tmp_path])


def test_a_file_without_cases_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.yaml"
    path.write_text("corpus: 1\nsource: pagat\ncases: []\n", encoding="utf-8")
    with pytest.raises(CaseError, match=f"^{path}: there are no cases here"):
        corpus.load([path])


def test_a_deal_has_no_card_of_the_one_after_a_game_that_points_ended_in_a_hand(tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(
        """corpus: 1
source: wikipedia
applies: {variants: [argentino], options: {con-flor: ["off"], games: [best-of-three]}}
cases:
  - id: own-case-1
    title: A game won by an envido
    clauses: [argentino.end-at-once]
    level: option
    players: 4
    dealer: P3
    score: {P0: 29, P1: 12}
    deal: {P0: 4E 12B 1C, P1: 7C 5C 4B, P2: 7O 6O 1E, P3: 4O 3B 2C}
    moves: [P0 4E, P1 4B, P2 envido, P3 quiero, P0 tengo 4, P1 tengo 32, P2 tengo 33, P3 son-buenas]
""",
        encoding="utf-8",
    )
    (instance,) = (one for each in corpus.load([path]) for one in corpus.instances(each))
    (request,) = complete(ready.as_written(instance)).requests
    assert isinstance(request, Script)
    assert [len(request.hands[0].deal[player]) for player in request.players] == [3, 3, 3, 3]
