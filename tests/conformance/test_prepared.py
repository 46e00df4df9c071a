"""What is kept of cases, and the quick ways of reading and judging: they say the same as the slow ones, or nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tables import DEAL, THREE, case_file, command, instances

from truco_spec.conformance import corpus, filling, keeping, plain, runner
from truco_spec.conformance.cases import CaseFile, Instance
from truco_spec.conformance.choice import chosen
from truco_spec.conformance.judge import judge
from truco_spec.conformance.pipe import Pipe
from truco_spec.conformance.prepared import Preparation
from truco_spec.conformance.protocol import (
    HandSeen,
    Introduction,
    NotAMessage,
    RunAnswer,
    Script,
    Seen,
    _deeper,
    hands_in,
    message_in,
)
from truco_spec.conformance.shapes import ShapeError, _read, read

WHO = Introduction("fake", "1", {}, ())


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("TRUCO_SPEC_CACHE", raising=False)
    return tmp_path / "cache" / "truco-spec" / "cases"


def verdicts(folder: Path) -> list[str]:
    with Pipe(command("honest")) as pipe:
        return [result.verdict for result in runner.run(instances(folder), pipe)]


def test_a_second_run_has_nothing_to_prepare(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdicts(tmp_path) == ["pass"] * 3
    assert len(list(shelf.iterdir())) == 2

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(filling, "complete", never)
    monkeypatch.setattr(filling, "load", never)
    assert verdicts(tmp_path) == ["pass"] * 3


def test_a_file_that_changes_is_prepared_anew(shelf: Path, tmp_path: Path) -> None:
    first = instances(tmp_path)
    second = instances(tmp_path, THREE.replace("P1 3C", "P1 7S"))
    assert first[0].case.kept != second[0].case.kept
    told = [Preparation().ready(instance).request(0) for instance in (first[0], second[0])]
    assert [request.hands[0].actions[0].text for request in told if isinstance(request, Script)] == ["P1 3C", "P1 7S"]


@pytest.mark.parametrize("nonsense", [b"", b"nonsense", b"\x80\x05K\x01."])
def test_what_is_damaged_is_as_good_as_none(shelf: Path, tmp_path: Path, nonsense: bytes) -> None:
    before = verdicts(tmp_path)
    for path in shelf.iterdir():
        path.write_bytes(nonsense)
    assert verdicts(tmp_path) == before


def test_nothing_is_kept_where_that_is_not_wanted(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUCO_SPEC_CACHE", "off")
    assert verdicts(tmp_path) == ["pass"] * 3
    assert not shelf.exists()
    assert keeping.name_of(case_file(tmp_path, THREE)) == ""


def test_a_case_is_the_same_when_it_was_kept(shelf: Path, tmp_path: Path) -> None:
    path = case_file(tmp_path, THREE)
    assert corpus.load([path]) == corpus.load([path])
    (instance, *_) = instances(tmp_path)
    first = Preparation()
    ready = first.ready(instance)
    first.keep()
    assert Preparation().ready(instance) == ready


# ---- reading -----------------------------------------------------------------------------------------


def anything(chance: random.Random, depth: int = 3) -> Any:
    """Any JSON, of the words that answers are made of."""
    kind = chance.randrange(9 if depth else 6)
    if kind < 6:
        return chance.choice([None, True, False, 1, 0, 1.0, "P1", "P0", "tie", "", "not-now"])
    if kind < 7:
        return [anything(chance, depth - 1) for _ in range(chance.randrange(3))]
    keys = ["hands", "seen", "start", "id", "name", "variants", "refused", "stake", "score", "P1"]
    return {key: anything(chance, depth - 1) for key in chance.sample(keys, chance.randrange(4))}


def spoiled(value: Any, chance: random.Random) -> Any:
    """The value, with something else somewhere in it."""
    if chance.random() < 0.15:
        return anything(chance)
    if isinstance(value, list):
        return [spoiled(item, chance) for item in value]
    if isinstance(value, dict):
        return {key: spoiled(item, chance) for key, item in value.items() if chance.random() > 0.05}
    return value


ANSWER = {"hands": [{"start": {"stake": 1}, "seen": [{"stake": 1, "acting": ["P1"]}, {"refused": "not-now"}]}]}
HELLO = {
    "protocol": 1,
    "name": "n",
    "version": "1",
    "observes": ["stake"],
    "variants": {"v": {"players": [2], "options": {"o": ["p"]}}},
    "modes": ["strict"],
}
FILE = {
    "corpus": 1,
    "source": "s",
    "applies": {"variants": ["v"], "options": {"o": ["p", 1]}},
    "cases": [
        {
            "id": "a",
            "title": "t",
            "clauses": ["c"],
            "level": "must",
            "players": 2,
            "moves": ["P0 4C", {"refused": "x"}],
        },
        {
            "id": "b",
            "title": "t",
            "clauses": [],
            "level": "must",
            "moves": [{"hand": "next"}, {"view": {"seat": "P0"}}],
        },
    ],
}


@pytest.mark.parametrize(("whole", "kind"), [(ANSWER, RunAnswer), (HELLO, Introduction), (FILE, CaseFile)])
@pytest.mark.parametrize("lenient", [True, False])
def test_a_quick_reader_reads_the_same_or_leaves_it_to_the_slow_one(whole: Any, kind: type, lenient: bool) -> None:
    chance, found = random.Random(7), set()
    for _ in range(3000):
        value = spoiled(whole, chance)
        told = []
        for way in (lambda: read(value, kind, lenient=lenient), lambda: _read(value, kind, (), lenient)):  # noqa: B023
            try:
                told.append(repr(way()))
            except ShapeError as error:
                told.append(str(error))
        assert told[0] == told[1]
        found.add(told[0])
    assert len(found) > 100


def test_hands_are_read_alike_quickly_and_slowly() -> None:
    chance, good = random.Random(8), 0
    for _ in range(5000):
        message = spoiled(ANSWER, chance)
        message = message if isinstance(message, dict) else {}
        try:
            answer: RunAnswer = read(message, RunAnswer, lenient=True)
            fits = [len(hand.seen) for hand in answer.hands] == [2]
        except ShapeError:
            fits = False
        try:
            assert hands_in(message, [2]) == answer.hands
            good += 1
        except ShapeError:
            assert not fits
    assert good > 500


@pytest.mark.parametrize(("before", "after"), [("[", "]"), ('{"a":', "}"), ('["]",', ',"["]'), ('[[[]],{"a":', "}]")])
def test_what_is_nested_deep_is_no_message(before: str, after: str) -> None:
    found = set()
    for times in range(1, 30):
        text = '{"id":"1","more":' + before * times + "1" + after * times + "}"
        deep = _deeper(json.loads(text), 20)
        found.add(deep)
        try:
            message_in(text.encode())
            assert not deep
        except NotAMessage:
            assert deep
    assert found == {False, True}


# ---- judging -----------------------------------------------------------------------------------------

CASES = f"""
  - id: own-plain-1
    title: All that can be asked
    clauses: [paulista.dirty-deck]
    level: must
    score: {{P1: 2}}
    deal: {DEAL}
    moves:
      - legal: {{P1: [cards, truco], P2: []}}
      - P1 3C
      - expect: {{stake: 1, trick: null, acting: [P2], score: {{P1: 2, P0: 0}}}}
      - refused: P1 2C
        because: not-your-turn
      - allowed: P2 3H
      - refused: P3 KS
      - P2 2H, P3 KS, P0 5D
      - expect: {{trick: P3, leader: P1, hand: null, acting: [P1, P2]}}
      - view: {{seat: P2, sees: [3C], hides: [2C]}}
"""


def right(instance: Instance) -> list[Seen]:
    """Answers with which every check is passed."""
    standing = {"acting": ["P2"], "stake": 1, "proposal": None, "score": {"P1": 2, "P0": 0}, "winner": None}
    start = {"acting": ["P1"], "stake": 1, "legal": {"P1": ["3C", "2C", "7S", "truco"], "P2": []}}
    view = {"P2": ["3C", "3H", "7H"]}
    ended = {"trick": "P1", "leader": "P1", "hand": None, "acting": ["P2", "P1"], "view": view}
    main = (
        standing | {"trick": None},
        standing | {"refused": "not-your-turn"},
        standing | {"refused": True},
        {"acting": ["P3"]},
        {"acting": ["P0"]},
        ended,
    )
    return [(HandSeen(main, start),), (HandSeen(({}, {"stake": 1}), start),)]


def outcome(instance: Instance, answers: list[Seen]) -> tuple[str, Any]:
    """What the judge says."""
    findings = judge(Preparation().plan(instance), answers, WHO)
    if any(finding.outcome == "failed" for finding in findings):
        return "failed", None
    asked = [finding.outcome for finding in findings if finding.asked]
    return "well", (asked.count("passed"), asked.count("unobserved"), asked.count("unreached"))


def test_what_is_plainly_right_is_what_the_judge_finds_right(tmp_path: Path) -> None:
    (instance,) = instances(tmp_path, CASES)
    planned = Preparation().plan(instance)
    script = planned.requests[0]
    assert isinstance(script, Script)
    checks, teams = plain.plain_checks(planned), plain.teams_of(script)
    assert checks is not None
    assert plain.plainly(checks, right(instance), teams) is not None
    chance, plainly, not_plainly = random.Random(9), 0, 0
    for _ in range(6000):
        answers = [
            tuple(
                HandSeen(tuple(changed(entry, chance) for entry in hand.seen), changed(hand.start, chance))
                for hand in hands
            )
            for hands in right(instance)
        ]
        quick, slow = plain.plainly(checks, answers, teams), outcome(instance, answers)
        if quick is not None:
            plainly += 1
            assert slow == ("well", (*quick, 0))
        else:
            not_plainly += 1
    assert plainly > 300
    assert not_plainly > 300


def changed(entry: Mapping[str, Any], chance: random.Random) -> Mapping[str, Any]:
    """The entry with, seldom, something left out or something else in it."""
    found = dict(entry)
    for key in entry:
        dice = chance.random()
        if dice < 0.03:
            del found[key]
        elif dice < 0.06:
            found[key] = spoiled(found[key], chance)
        elif dice < 0.08:
            found[key] = anything(chance)
    return found


def test_every_case_of_the_corpus_can_be_judged_plainly_or_deals_by_itself() -> None:
    preparation = Preparation()
    for instance in chosen(corpus.load([corpus.corpus_folder() / "paulista"])):
        planned = preparation.plan(instance)
        if isinstance(planned.requests[0], Script):
            assert plain.plain_checks(planned) is not None
