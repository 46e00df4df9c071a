"""The logs that show differences: each is replayed here by the ordinary means, and parts where it is said to part."""

import re

import pytest
from fenced import ROOT

from truco_spec.base.document import text_of
from truco_spec.compare import diff_report
from truco_spec.compare.diff_report import document_of, searched, told_log, unsearched
from truco_spec.compare.pair import Pair
from truco_spec.compare.reasons import NEVER
from truco_spec.compare.scenario import Scenario, Side, tables
from truco_spec.logs.line import LogError, read_line
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.pages.html import html_of

FEW = 8_000


def told_by(side, scenario):
    """What the replay of a log says of its last move: an observation, or why it is refused."""
    graph = side.at(len(scenario.players))
    replay = Replay(scenario.log(side), graph)
    try:
        *_, last = replay.steps()
    except MoveRefused as refused:
        return "refused", refused.refusal.message
    return last.event.status, last.observed


@pytest.fixture(scope="module")
def tie():
    """Truco Paulista against itself, with another rule for who leads after a tie."""
    return searched(Side("paulista", {}), Side("paulista", {"tie-lead": "last"}), FEW)


@pytest.mark.long
def test_who_leads_after_a_tie_shows_in_a_tied_trick(tie):
    """The base: the leader leads again. With tie-lead=last, whoever laid the last of the equal cards."""
    by_name = {explained.difference.name: explained for explained in tie.found}
    for name in ("define lead-again", "define lead-of-last", "option tie-lead"):
        assert by_name[name].shows == "apart"
        log = by_name[name].log
        status_a, seen_a = told_by(tie.a, log.scenario)
        status_b, seen_b = told_by(tie.b, log.scenario)
        assert status_a == status_b == "permitted"
        assert seen_a["trick"] == seen_b["trick"] == "tie"
        (player, _), *_, (last, _) = (
            move.split(" ", 1) for move in log.scenario.moves[-1] if move.split()[1].isupper()
        )
        assert (seen_a["leader"], seen_b["leader"]) == (player, last)


@pytest.mark.long
def test_the_log_is_as_short_as_it_can_be(tie):
    """Two play, each lays one card: the shortest tied trick."""
    assert {log.scenario.said for log in tie.logs} == {2}
    assert all(len(log.scenario.players) == 2 for log in tie.logs)
    assert all(len(log.scenario.moves) == 1 and not log.scenario.score for log in tie.logs)


@pytest.mark.long
@pytest.mark.parametrize("workers", [2, 4])
def test_the_same_seed_finds_the_same_by_more_processes(tie, workers):
    again = searched(tie.a, tie.b, FEW, workers=workers)
    assert text_of(document_of(again)) == text_of(document_of(tie))
    assert again.positions == tie.positions


@pytest.mark.long
def test_of_what_is_said_otherwise_there_is_no_log(tie):
    assert all(e.log is None and e.reason for e in tie.found if e.difference.change == "wording")


@pytest.fixture(scope="module")
def brazil():
    return searched(Side("paulista", {}), Side("mineiro", {}), 24_000)


@pytest.mark.long
def test_every_log_parts_where_it_is_said_to_part(brazil):
    """Of a log by which the two part, all before the last move is permitted by both."""
    logs = {e.log.number: e.log for e in brazil.found if e.shows == "apart"}.values()
    apart = [log for log in logs if log.parting.at >= 0]
    assert len(apart) > 8
    for log in apart:
        moves = log.scenario.said
        assert log.parting.at == moves - 1
        if log.parting.kind == "view" or "unknown" in (log.parting.a.status, log.parting.b.status):
            continue
        told = [told_by(side, log.scenario) for side in (brazil.a, brazil.b)]
        for (status, seen), outcome in zip(told, (log.parting.a, log.parting.b), strict=True):
            assert status == outcome.status
            if status == "refused":
                assert seen == outcome.message
            else:
                assert {name: seen[name] for name in outcome.told} == outcome.told
        assert told[0] != told[1]


@pytest.mark.long
def test_what_only_one_side_knows_is_refused_by_the_other(brazil):
    by_name = {explained.difference.name: explained for explained in brazil.found}
    assert by_name["define trick-bet"].shows in ("apart", "led to it")
    burnt = by_name["rule up-from-bottom"]
    assert burnt.shows == "apart"
    assert burnt.log.parting.b.status == "permitted"
    assert burnt.log.parting.a.status in ("refused", "not-offered")


@pytest.mark.long
def test_partners_look_at_the_cards_of_each_other(brazil):
    """Paulista: before they answer a truco, partners look at each other's cards; in Mineiro they do not."""
    explained = next(e for e in brazil.found if e.difference.name == "define look-before-answer")
    assert explained.log.parting.kind == "view"
    a, b = explained.log.parting.a.told, explained.log.parting.b.told
    shown = [name for name in a if "cards" in name]
    assert shown
    assert all(isinstance(a[name], list) and b[name] == {"hidden": 3} for name in shown)


@pytest.mark.long
def test_logs_can_be_copied_and_run(brazil):
    for log in brazil.logs:
        line = told_log(brazil, log).line
        side = (brazil.a, brazil.b)[log.by]
        replay = Replay(read_line(line), side.at(len(log.scenario.players)))
        assert sum(1 for _ in _steps(replay)) >= log.scenario.said - 1


def shown(explained):
    """The log of a difference, and where it parts."""
    assert explained.log is not None
    assert explained.log.parting is not None
    return explained.log, explained.log.parting


def _steps(replay):
    try:
        yield from replay.steps()
    except LogError:
        return


@pytest.mark.campaign
def test_a_card_that_only_one_pack_holds_shows_that_the_packs_differ():
    found = searched(Side("mineiro", {}), Side("fisch", {}), 1_000)
    deck = next(e for e in found.found if e.difference.name == "deck pack")
    log, parting = shown(deck)
    assert {parting.a.status, parting.b.status} == {"permitted", "unknown"}
    assert len(log.scenario.moves[0]) == 1


@pytest.mark.campaign
def test_games_that_never_share_a_table_are_played_apart():
    a, b = Side("pica-pica", {}), Side("mineiro", {})
    assert tables(a, b) == []
    found = searched(a, b, 2_000)
    again = searched(a, b, 2_000, workers=2)
    assert text_of(document_of(again)) == text_of(document_of(found))
    assert any(e.shows == "at work" for e in found.found)
    assert not any(e.shows == "apart" for e in found.found)


@pytest.mark.campaign
def test_what_the_options_leave_out_is_told_so():
    found = searched(Side("argentino", {}), Side("paraguayo", {}), 1_000)
    chaquena = next(e for e in found.found if e.difference.name == "define has-chaquena")
    assert found.graphs[1].options["flor-chaquena"].value == "off"
    assert chaquena.reason == NEVER


def test_a_course_is_cut_behind_a_move():
    scenario = Scenario(("ana", "bia"), deals=({}, {"ana": ("3C",)}), moves=(("ana 3C", "bia 4C"), ("bia 5C",)))
    assert scenario.cut(1).moves == (("ana 3C",),)
    assert scenario.cut(3) == scenario
    assert scenario.cut(0).moves == ((),)


def test_both_refuse_alike_is_no_parting():
    a, b = Side("paulista", {}), Side("mineiro", {})
    here, there = a.at(4), b.at(4)
    assert here is not None
    assert there is not None
    pair = Pair(a, b, (here, there))
    scenario = Scenario(("ana", "bia", "caio", "davi"), "ana", deals=({},), moves=(("ana truco",),))
    assert pair.parting(scenario) is None


HOSTILE = """\
variant evil extends paulista {
  title "<script>alert(1)</script>"
  replace define lead-again except lead-of-equals @pagat:paulista.tie-leader-leads-again
    "[31m | `code` <b>red</b>"
    when tie-lead is leader = mano
}
"""


def test_hostile_texts_are_only_text(tmp_path):
    path = tmp_path / "\u202eevil<b>.truco"
    path.write_text(HOSTILE, encoding="utf-8")
    comparison = unsearched(Side("paulista", {}), Side("evil", {}, str(path)))
    printed = text_of(document_of(comparison))
    page = html_of(document_of(comparison))
    assert "\u202e" not in printed + page
    assert "[31m | `code` <b>red</b>" in printed
    assert "<script>alert" not in page
    assert "<b>red" not in page
    assert re.search(r"&lt;b&gt;red", page)


def test_without_logs_nothing_is_played(monkeypatch):
    monkeypatch.setattr(diff_report, "WitnessSearch", None)
    comparison = unsearched(Side("paulista", {}), Side("mineiro", {}))
    assert comparison.positions == 0
    assert not comparison.logs


@pytest.mark.long
def test_how_many_usually_play_is_told_though_both_are_played_by_as_many():
    comparison = searched(Side("argentino", {}), Side("pica-pica", {}), 500)
    players = next(e for e in comparison.found if e.difference.name == "option players")
    assert players.difference.parts == (("value", "4", "6"), ("values", "2 | 4 | 6", "6"))
    assert players.reason == "It is how many usually play, and how many can."
    assert comparison.players == (6,)


def test_a_game_without_score_or_tricks_is_compared_as_well(tmp_path):
    """The smallest game of docs/language.md, and its variant in which nobody may fold."""
    page = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    texts = re.findall(r"```truco play\n(variant (?:high-card|no-folding) .*?)```", page, re.DOTALL)
    path = tmp_path / "both.truco"
    path.write_text("\n".join(texts), encoding="utf-8")
    found = searched(Side("high-card", {}, str(path)), Side("no-folding", {}, str(path)), 2_000)
    by_name = {explained.difference.name: explained for explained in found.found}
    fold = by_name["rule fold-it"]
    assert fold.shows == "apart"
    log, parting = shown(fold)
    assert log.scenario.moves[-1][-1].endswith(" fold")
    assert log.scenario.said == 1
    assert (parting.a.status, parting.b.status) == ("permitted", "refused")
    _, deck = shown(by_name["deck pack"])
    assert {deck.a.status, deck.b.status} == {"permitted", "unknown"}


def test_of_a_move_that_both_refuse_each_says_why():
    """Argentino: a hidden flor cannot be asked for before a card was played; Fisch does not know the word."""
    a, b = Side("argentino", {}), Side("fisch", {})
    here, there = a.at(4), b.at(4)
    assert here is not None
    assert there is not None
    pair = Pair(a, b, (here, there))
    scenario = Scenario(("ana", "bia", "caio", "davi"), "davi", deals=({},), moves=(("ana pido-flor bia",),))
    assert pair.parting(scenario) is None
    assert [pair.outcome(scenario, number).status for number in (0, 1)] == ["refused", "unknown"]


@pytest.mark.campaign
def test_no_log_is_said_to_be_permitted_that_is_refused():
    found = searched(Side("argentino", {}), Side("fisch", {}), 2_000)
    alike = [log for log in found.logs if log.parting is None]
    assert alike
    for log in alike:
        told = told_log(found, log)
        assert log.ends is not None
        for outcome, text in zip(log.ends, (told.a, told.b), strict=True):
            assert text.startswith("permitted") == (outcome.status == "permitted")
