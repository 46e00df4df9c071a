"""What chance does not show: cases of the corpus, quests of one side by itself, and proofs that nothing can show it."""

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.compare import reasons
from truco_spec.compare.diff_report import searched, structure
from truco_spec.compare.pair import Pair
from truco_spec.compare.random_search import CoverageSearch, RandomSearch
from truco_spec.compare.reasons import Reasons, never
from truco_spec.compare.scenario import NAMES, Scenario, Side
from truco_spec.compare.witness_search import borrowed, precedents
from truco_spec.graph.load import load, load_text
from truco_spec.logs.line import UMPIRE

TWO = NAMES[:2]
FEW = "fisch"
"""It differs in few statements from the game that it is compared with."""


def side_by_itself(name, players):
    side = Side(name, {})
    graph = side.at(players)
    assert graph is not None
    return Pair(side, side, (graph, graph))


def test_a_case_is_a_course_without_its_expectations():
    found = precedents(load("argentino", players=2), TWO)
    assert all(scenario.players == TWO for scenario in found)
    assert [scenario.size for scenario in found] == sorted(scenario.size for scenario in found)
    contraflor = next(c for c in found if c.moves == (("ana flor", "bia contraflor", "ana con-flor-me-achico"),))
    assert contraflor.dealer == "bia"
    assert contraflor.deals[0]["ana"] == ("7O", "6O", "1O")


def test_a_move_that_a_case_only_asks_about_ends_a_course_of_its_own():
    """The case goes on with con-flor-me-achico where it says that con-flor-quiero is allowed."""
    found = {scenario.moves for scenario in precedents(load("argentino", players=4), NAMES[:4])}
    assert (("ana flor", "bia callo", "caio flor", "davi contraflor", "ana con-flor-quiero"),) in found


def test_what_forbids_a_move_is_at_work_in_it():
    """Envido after one's own first card: too late."""
    pair = side_by_itself("argentino", 2)
    late = Scenario(TWO, "bia", deals=({},), moves=(("ana 4C", "bia 5C", "ana envido"),))
    wanted = frozenset({("rule", "envido-too-late"), ("rule", "truco.open")})
    assert pair.at_work(late, 0, wanted) == {("rule", "envido-too-late")}


def test_who_sees_a_card_is_at_work_where_it_lies():
    """A covered card is seen by nobody else."""
    pair = side_by_itself("argentino", 2)
    wanted = frozenset({("define", "covered-card")})
    scenario = Scenario(TWO, "bia", deals=({},), moves=(("ana 4C", "bia 5C", "bia (6C)"),))
    assert pair.works(scenario, 0, wanted) == [frozenset(), frozenset(), wanted]


@pytest.mark.long
def test_a_quest_repeats_a_word_until_a_rule_forbids_it():
    """Fifteen envidos offer the thirty points of the game; a sixteenth is forbidden."""
    pair = side_by_itself("argentino", 2)
    search = RandomSearch(pair, (), "1", (0,))
    key = ("rule", "envido-enough")
    quest = CoverageSearch(search, 0, {key}, precedents(pair.graphs[0], TWO))
    quest.run(30_000)
    assert not quest.wanted
    scenario = search.found.best[key].scenario
    assert key in pair.at_work(scenario, 0, frozenset({key}))


HIDDEN = """\
variant cards {
  title "The higher card"
  option players : 2* | 4                  @house:ours  "How many play."
  seats players in 2 teams                 @house:ours  "They sit across from each other."
  order rank : 4 < 5                       @house:ours
  order suit : D < S                       @house:ours
  deck pack : rank x suit                  @house:ours
  datum given : 0 .. 3 = 0                 seen by everyone
  phase play  "Somebody gives."
  action give(n : 0 .. 3)  "I give {n}."
  action keep              "I keep it."
  define least(n : 0 .. 3) @house:ours "Nothing is the least." = n
  define least-of-two except least @house:ours "Of two it is one." when n is 2 = 1
  rule give-it @house:ours "One is given, or three." in play by everyone may give(n)
    when n is not 2 and least(n) is not 0 do given = n
  rule keep-it @house:ours "Four cannot be kept." in play by everyone may keep when given > 1 and given < 1
}
"""


def test_what_cannot_be_is_proved():
    """No number is above and below one; of two it is never asked, though an answer for it stands ready."""
    graph = load_text(HIDDEN)
    keys = {("rule", "give-it"), ("rule", "keep-it"), ("define", "least"), ("define", "least-of-two")}
    assert never(graph, keys) == {("rule", "keep-it"), ("define", "least-of-two")}


@pytest.mark.long
def test_an_answer_that_only_other_options_ask_for_is_proved_away():
    """Argentine envido: without a limit nobody asks how often envido may be said; with one, it is asked."""
    key = ("define", "most-envidos")
    assert never(load("argentino", players=2), {key}) == {key}
    assert never(load("argentino", players=2, envido_repeat_limit=2), {key}) == frozenset()


def test_what_was_asked_of_a_kept_graph_is_not_worked_out_again(monkeypatch, tmp_path):
    """Of a user's text nothing is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = list[str]()

    def note(graph, keys, *, bounded):
        asked.append(graph.name)
        return set(keys)

    monkeypatch.setattr(reasons, "never", note)
    a, b = Side("paulista", {}), Side("paulista", {"tie-lead": "last"})
    _, found = structure(a, b)
    keys = frozenset(difference.key for difference in found if difference.a is not None and difference.b is not None)
    for _ in range(2):
        Reasons((a, b), found).prove(keys, bounded=False)
    assert asked and set(asked) == {"paulista"}
    assert len(asked) == len(a.sizes()) + len(b.sizes())
    assert not Side("paulista", {}, "own.truco").kept_as(4)


@pytest.mark.long
def test_an_answer_of_a_phase_that_other_options_open_is_proved_away():
    """The choice at eleven: in Truco Paulista the team decides, in this other game it has to play."""
    keys = {("define", "onze.chooser"), ("define", "waits-for-choice"), ("define", "stake-undecided")}
    assert never(load("nowadays"), keys) == keys
    assert never(load("paulista"), keys) == frozenset()


@pytest.mark.long
def test_a_slot_that_has_its_card_is_proved_not_to_be_empty():
    """Where the muestra is turned before the deal, it is not turned after it."""
    key = ("rule", "turn-muestra")
    assert never(load("venezolano", players=2), {key}) == {key}
    assert never(load("uruguayo", players=2), {key}) == frozenset()


@pytest.mark.long
def test_a_datum_that_nothing_at_work_names_is_proved_away():
    """Who is asked for a family: nobody, where none is traded in."""
    key = ("datum", "asker")
    assert never(load("mineiro"), {key}) == {key}
    assert never(load("mineiro", royal_family="shown", deck="clean"), {key}) == frozenset()


def test_whom_the_game_waits_for_is_at_work_where_several_may_do_something():
    """A flor is called before the first card, and anyone may say truco: the mano is waited for."""
    pair = side_by_itself("argentino", 2)
    wanted = frozenset({("define", "waits-for-turn")})
    scenario = Scenario(TWO, "bia", deals=({},), moves=(("ana truco", "bia quiero"),))
    assert pair.works(scenario, 0, wanted) == [wanted, wanted]


def test_whom_the_game_waited_for_is_at_work_in_the_first_word_after_a_deal():
    """One partner of the two who may decide at eleven gives the hand up, and with that word it is over."""
    pair = side_by_itself("paulista", 4)
    wanted = frozenset({("define", "waits-for-choice")})
    scenario = Scenario(NAMES[:4], "ana", score={"bia": 11, "ana": 4}, deals=({},), moves=(("bia fujo",),))
    assert pair.works(scenario, 0, wanted) == [wanted]


def test_what_is_refused_before_something_implicit_is_seen_by_an_umpire():
    """Before the cards are taken up nobody passes: in a strict log they would be taken up first."""
    pair = side_by_itself("paraguayo", 2)
    wanted = frozenset({("rule", "idle-tells-not")})
    passing = [c for c in precedents(pair.graphs[0], TWO) if c.mode == UMPIRE and c.moves[0][-1] == "bia paso"]
    assert [pair.at_work(scenario, 0, wanted) for scenario in passing] == [wanted]


def test_a_score_that_no_game_has_is_left_out_of_a_case():
    """Two to three, in a game in which every tento counts two."""
    found = precedents(load("mineiro-wp"), NAMES[:4])
    assert any("davi misdeal bia 2" in scenario.moves[0] for scenario in found)
    assert all(points % 2 == 0 for scenario in found for points in scenario.score.values())


@pytest.mark.long
def test_cases_of_fewer_players_are_borrowed_for_a_table_of_more():
    """A contraflor is answered with al resto: the cases have two players, this game six."""
    pair = side_by_itself("pica-pica", 6)
    key = ("rule", "flor-to-rest")
    shown = [c for c in borrowed(pair.graphs[0], NAMES[:6]) if key in pair.at_work(c, 0, frozenset({key}))]
    assert shown
    assert {(scenario.players, scenario.dealer) for scenario in shown} == {(NAMES[:6], NAMES[5])}


@pytest.mark.parametrize(
    "a",
    [pytest.param(name, marks=pytest.mark.long if name == FEW else pytest.mark.campaign) for name in variant_names()],
)
def test_every_difference_has_a_log_or_a_proof(a):
    """Every fifth variant and the next but four: mostly strangers. (`python -m bench diff` compares more.)"""
    names = variant_names()
    b = names[(names.index(a) + 5) % len(names)]
    found = searched(Side(a, {}), Side(b, {}))
    known = [e for e in found.found if e.log is None and e.reason.startswith("No log")]
    assert [e.difference.name for e in known] == []
    assert all(e.log is not None or e.reason for e in found.found)
