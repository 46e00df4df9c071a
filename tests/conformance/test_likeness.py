"""The table *change of the rules × script*: what it says is true of the present rules, and candidates come from it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.fits import Miniature
from release import fault_table
from truco_spec.base import shipped
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import HandSeen, Script
from truco_spec.conformance.fit import likeness, trying
from truco_spec.conformance.fit.evidence import Evidence, Reply, gather, of_cases, setting_of
from truco_spec.conformance.fit.fit import Search
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.fit.hypothesis import Hypothesis, begin, mutants_of_variant
from truco_spec.conformance.fit.likeness import (
    EMPTY,
    REFUSED,
    TAKEN,
    Departure,
    FaultTable,
    Guesses,
    change_digests,
    read_table,
    script_digest,
    table_of,
    text_of_table,
)
from truco_spec.conformance.fit.mutants import BY_EVERYONE
from truco_spec.conformance.fit.trying import BRIEF
from truco_spec.conformance.runner.runner import run

PAULISTA = Hypothesis("paulista", 2)
TABLES = sorted((shipped.folder("conformance") / "faults").glob("*.txt"))
MOSTLY = 0.8
"""So much of a table has to be of the present rules and cases; what was altered since is searched for without it."""
TURNS = ("nowadays-two-turn-01", "nowadays-two-turn-02", "pagat-two-deal-02")
UNPAID = "rule score-hand: without “score(result) += stake”"


def replies_of(hypothesis: Hypothesis) -> Evidence:
    engine = Miniature(hypothesis)
    setting = setting_of(engine.hello(), hypothesis.variant, 2, {})
    return gather(engine, setting, of_cases(engine.hello(), setting))


def unpaid() -> int:
    return next(n for n, mutant in enumerate(mutants_of_variant("paulista")) if str(mutant) == UNPAID)


def at(place: int, *shown: str) -> Departure:
    return Departure(place, frozenset(shown))


def test_a_table_is_read_as_it_is_written() -> None:
    away, back = at(0, 'acting: ["P0"]', "stake: 3"), at(10002, "taken")
    rows = {"covering=any": {"b": at(3)}, "1111": {"a": away, "c": back}, "2222": {"a": away, "c": back}, "3333": {}}
    text = text_of_table("# head", ("a", "b", "c"), rows)
    ways = [' | 0\tacting: ["P0"]\tstake: 3', " | 3", " | 10002\ttaken"]
    assert text.splitlines()[2:] == [*ways, "covering=any | 1:1", "1111 2222 | 0:0 2:2"]
    assert read_table(text) == FaultTable(frozenset("abc"), {name: row for name, row in rows.items() if row})


def test_what_is_seen_is_held_against_what_a_row_shows() -> None:
    seen = (HandSeen(({"acting": ["P0"], "stake": 3}, {"refused": "not-now"}), {"acting": ["P1"]}),)
    reply = replace(replies_of(PAULISTA).replies[0], answer=seen)
    assert at(0, 'acting: ["P1"]').is_seen_in(reply)
    assert at(1, 'acting: ["P0"]', "trick: null").is_seen_in(reply)
    assert at(1, 'acting: ["P0"]', "stake: 1").is_seen_in(reply) is False
    assert at(1, "trick: null").is_seen_in(reply) is None
    assert at(2, REFUSED).is_seen_in(reply)
    assert at(2, TAKEN).is_seen_in(reply) is False


def test_a_team_is_the_same_whichever_of_its_players_is_named() -> None:
    (script,) = ready.whole(chosen(names=["pagat-paulista-inherited-14"])[0]).requests
    assert isinstance(script, Script)
    reply = Reply(
        "four", script, (HandSeen(({"trick": "P3", "score": {"P2": 1, "P3": 0}, "acting": ["P3", "P1"]},), {}),)
    )
    assert at(1, 'trick: "P1"', 'score: {"P0": 1, "P1": 0}', 'acting: ["P1", "P3"]').is_seen_in(reply)
    assert at(1, 'trick: "P0"').is_seen_in(reply) is False


def test_what_is_no_table_is_an_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert table_of("my-own", 2) == table_of("paulista", 99) == EMPTY
    monkeypatch.setattr(likeness, "table_file", lambda variant, players: shipped.folder("spec") / "questions.yaml")
    assert table_of.__wrapped__("paulista", 2) == EMPTY


def test_what_fails_alike_is_guessed_first() -> None:
    replies = replies_of(PAULISTA).replies[:6]
    a, b, c, d, e, f = (script_digest(reply.script) for reply in replies)
    seen, other = at(1, TAKEN), at(1, REFUSED)
    rows = {
        "other": {d: seen, e: seen, f: seen},
        "elsewhere": {a: at(5, TAKEN), b: at(5, TAKEN)},
        "unseen": {a: other, b: other},
        "more": {a: seen, b: seen, c: seen},
        "same": {a: seen, b: seen},
    }
    guesses = Guesses(FaultTable(frozenset((a, b, c, d, e, f)), rows), rows, replies, {})
    assert [guess.name for guess in guesses.likest({0: 1, 1: 1})] == ["same", "more", "elsewhere", "unseen"]
    same, more, *_ = guesses.likest({0: 1, 1: 1})
    assert (same.numbers, same.seen, same.against) == ((0, 1), (0, 1), 0)
    assert (more.seen, more.against) == ((0, 1), 1 if at(1, TAKEN).is_seen_in(replies[2]) is False else 0)
    assert guesses.row("more") == {0, 1, 2}
    assert guesses.row("unknown") is None


def test_the_table_tells_nothing_of_a_script_that_is_another_game_as_it_was_asked_for_or_claimed() -> None:
    replies = replies_of(PAULISTA).replies[:2]
    replies = [replies[0], replace(replies[1], script=replace(replies[1].script, options={"covering": "never"}))]
    a, b = digests = [script_digest(reply.script) for reply in replies]
    rows = {"covering=never": {b: at(1, TAKEN)}, "deck=clean": {a: at(1, TAKEN)}}
    table = FaultTable(frozenset(digests), rows)
    assert Guesses(table, rows, replies, {}).known == {0}
    assert Guesses(table, rows, replies, {"deck": "clean"}).known == set()
    assert Guesses(table, rows, replies, {"covering": "any"}).known == {0, 1}


@pytest.mark.long
def test_a_fault_is_found_with_a_few_guesses() -> None:
    found = Search(replies_of(replace(PAULISTA, changes=(unpaid(),))), None, effort=BRIEF).explained()
    assert [str(found.mutants[cause.mutant]) for cause in found.causes] == [UNPAID]
    assert found.tried < 12


@pytest.mark.long
def test_an_option_by_which_a_changed_rule_has_exceptions_is_named_and_not_the_change() -> None:
    """Without a table, and though what decides asks for it only through other questions."""
    evidence = replies_of(Hypothesis("uruguayo", 2, (("pieza-flor", "with-piezas"),)))
    few = [reply for reply in evidence.replies if reply.name.startswith("wikipedia-pieza-flor-")]
    evidence = replace(evidence, replies=few)
    begin(evidence, {})
    found = Search(evidence, None, effort=BRIEF).explained()
    assert [(cause.option, cause.value) for cause in found.options] == [("pieza-flor", "with-piezas")]
    assert not found.causes


ANYONE = "rule fold-hand: “by everyone” in place of “by turn”"


def folds(engine: Miniature, *begins: str) -> Evidence:
    """What an engine for four answers to the cases whose names begin so."""
    setting = setting_of(engine.hello(), "paulista", 4, {})
    asked = [each for each in of_cases(engine.hello(), setting) if each[0].startswith(begins)]
    return gather(engine, setting, asked)


@pytest.mark.long
def test_who_lets_everybody_do_what_one_may_is_told_by_the_rule_of_that_word() -> None:
    number = next(n for n, mutant in enumerate(mutants_of_variant("paulista")) if str(mutant) == ANYONE)
    team = Hypothesis("paulista", 4, (("run-unasked", "team"),))
    evidence = folds(Miniature(replace(team, changes=(number,))), "pagat-elsewhere-fold", "pagat-inherited-truco-14")
    begin(evidence, {})
    found = Search(evidence, None, effort=BRIEF).explained()
    assert [(cause.option, cause.value) for cause in found.options] == [("run-unasked", "team")]
    assert [str(found.mutants[cause.mutant]) for cause in found.causes] == [ANYONE]

    # another engine, of which one answer looks so, and the others do not
    one = evidence.replies[found.causes[0].shortest]
    script = next(reply.script for reply in evidence.replies if reply.name == "pagat-elsewhere-fold-03")
    card, fold = script.hands[0].actions
    late = replace(fold, player="P3", text="P3 corro")
    script = replace(script, hands=(replace(script.hands[0], actions=(card, late)),))
    right = Reply("right", script, Miniature(team).run(script))
    assert right.answer[0].seen[1]["refused"]
    belied = replace(evidence, replies=[one, right], assumed=range(1, 2), options=team.options)
    begin(belied, {})
    assert not Search(belied, None, effort=BRIEF).explained().causes


def loose(variant: str, *rules: str) -> Miniature:
    """An engine for two that lets everybody do what these rules let some."""
    numbered = enumerate(mutants_of_variant(variant))
    names = {mutant.statement.name: n for n, mutant in numbered if mutant.what.startswith(BY_EVERYONE)}
    return Miniature(Hypothesis(variant, 2, (), tuple(names[rule] for rule in rules)))


@pytest.mark.long
def test_cards_out_of_turn_are_told_by_the_rule_of_the_turn() -> None:
    """A rule of its own forbids them, which is no rule for such an engine."""
    engine = loose("paulista", "play-card")
    results = run(chosen(variants=("paulista",), names=TURNS), engine)
    assert {result.verdict for result in results} == {"fail"}
    (cause,) = causes_of(results, engine.hello())
    assert (cause.rule, len(cause.cases)) == ("play-card", len(TURNS))


@pytest.mark.long
def test_who_never_asks_who_acts_has_one_fault() -> None:
    engine = loose("argentino", "play-card", "envido.accept")
    results = run(chosen(variants=("argentino",), players=2), engine)
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello())
    assert cause.sentence.endswith(
        "(play-card: “by everyone” in place of “by turn”); nor does it ask who may act in envido.accept"
    )
    assert {*cause.cases} == failed


@pytest.mark.long
def test_without_a_table_it_is_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "table_of", lambda variant, players: EMPTY)
    evidence = replies_of(replace(PAULISTA, changes=(unpaid(),)))
    begin(evidence, {})
    found = Search(evidence, None, effort=BRIEF).explained()
    assert [str(found.mutants[cause.mutant]) for cause in found.causes] == [UNPAID]


@pytest.mark.long
@pytest.mark.parametrize("file", [path.stem for path in TABLES])
def test_a_table_says_what_the_present_rules_do(file: str) -> None:
    variant, _, players = file.rpartition("-")
    game = variant, int(players)
    table = table_of(*game)
    asked = {script_digest(script) for script in fault_table.scripts_of(*game)}
    mutants = mutants_of_variant(variant)
    digests = change_digests(mutants)
    known = {name for name in table.rows if "=" not in name}
    assert MOSTLY * len(asked | table.scripts) < len(asked & table.scripts), "write it anew"
    assert MOSTLY * len(known) < len(known & {*digests}), "write it anew"
    numbers = random.Random(1).sample([n for n, mutant in enumerate(mutants) if not mutant.untabled], 2)
    for digest, row in fault_table.rows_of(game, 1, numbers).items():
        shared = {script: how for script, how in row.items() if script in table.scripts}
        assert shared == {script: how for script, how in table.rows.get(digest, {}).items() if script in asked}
