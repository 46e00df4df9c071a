"""Players who know nothing of the game: what they come to, and that the corpus does not let them through."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import instances

from truco_spec.conformance.adapters import baselines
from truco_spec.conformance.corpus import corpus, ready
from truco_spec.conformance.corpus.cases import LEVELS, Instance
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Script, plan
from truco_spec.conformance.corpus.ready import teams_of

DEAL = "{P1: 3C 2C 7S, P2: 3H 2H 7H, P3: KS JS QS, P0: 4C 4H 5D, vira: 5H}"


def one(folder: Path, moves: str, level: str = "must") -> tuple[Instance, ...]:
    text = f"""
  - id: own-case-1
    title: A case
    clauses: [paulista.dirty-deck]
    level: {level}
    score: {{P1: 3}}
    deal: {DEAL}
    moves: {moves}
"""
    return instances(folder, text)


@pytest.mark.parametrize(
    ("moves", "yes", "no"),
    [
        ("['P1 3C, P2 3H']", True, False),
        ("[allowed: P1 truco]", True, False),
        ("[refused: P2 3H]", False, True),
        ("[P1 3C, refused: P1 2C]", False, False),
        ("[P1 3C, expect: {acting: [P2], trick: null}, P2 3H]", True, False),
        ("[P1 3C, expect: {acting: [P3]}, P2 3H]", False, False),
        ("[P1 3C, expect: {score: {P1: 3, P0: 0}}]", True, False),
        ("[P1 3C, expect: {score: {P1: 4}}]", False, False),
        ("[view: {seat: P1, sees: [3C, 5H], hides: [3H]}]", True, True),
        ("[view: {seat: P1, sees: [3H]}]", False, False),
        ("[expect: {winner: P1}]", False, False),
        ("[deals: {times: 2, counts: {P1: 3}}]", False, False),
    ],
)
def test_one_permits_all_and_one_refuses_all(moves: str, yes: bool, no: bool, tmp_path: Path) -> None:
    found = baselines.passed(one(tmp_path, moves))["must"]
    assert (bool(found["yes-man"]), bool(found["no-man"])) == (yes, no)


def test_what_they_pass_is_told_by_level(tmp_path: Path) -> None:
    assert baselines.passed(()) == {}
    assert list(baselines.passed(one(tmp_path, "[P1 3C]", "option"))) == ["option"]


def script_of(instance: Instance) -> Script:
    players = ("P0", "P1", "P2", "P3")
    script = plan(instance, players, teams_of(instance.variant, players)).requests[0]
    assert isinstance(script, Script)
    return script


def test_the_same_script_has_the_same_tosses(tmp_path: Path) -> None:
    (first,) = one(tmp_path, "['P1 3C, P2 3H, P3 KS, P0 4C']")
    (second,) = one(tmp_path, "['P1 3C, P2 3H, P3 KS, P0 4H']")
    assert baselines.by_chance(script_of(first)) == baselines.by_chance(script_of(first))
    assert baselines.by_chance(script_of(first)) != baselines.by_chance(script_of(second))


def test_what_is_said_by_chance_is_of_the_right_kind(tmp_path: Path) -> None:
    players = {"P0", "P1", "P2", "P3"}
    kinds = {"trick": players | {"tie", None}, "hand": players | {"drawn", None}, "winner": players | {None}}
    seen: dict[str, set[object]] = {}
    for n in range(40):
        (instance,) = one(tmp_path, f"['P1 3C, P2 3H, P3 KS, P0 w{n}']")
        (hand,) = baselines.by_chance(script_of(instance))
        for entry in hand.seen:
            for key, value in entry.items():
                seen.setdefault(key, set()).add(str(value) if isinstance(value, (dict, list)) else value)
    assert {key: seen[key] <= kinds[key] for key in kinds} == dict.fromkeys(kinds, True)
    assert len(seen["trick"]) > 3 and len(seen["stake"]) > 3 and len(seen["refused"]) == 5
    assert {type(value) for value in seen["stake"]} == {int}


def test_of_the_shipped_cases_it_is_known_who_passes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = chosen(corpus.load(), names=["pagat-paulista-option-tie-lead-01"])
    worked_out = baselines.passes(ready.as_written(case))
    monkeypatch.delattr(baselines, "ANSWERS")
    assert ready.baselines_of(case) == worked_out


def test_the_players_are_those_who_are_asked() -> None:
    assert tuple(baselines.ANSWERS) == baselines.PLAYERS


def test_nobody_comes_far_in_the_corpus_who_knows_nothing() -> None:
    cases = chosen(corpus.load())
    found = baselines.passed(cases)
    for level in LEVELS:
        count = sum(case.case.entry.level == level for case in cases)
        for player, passed in found[level].items():
            assert passed < count / 8, f"a {player} passed {passed} of {count} cases of level {level}"
