"""The corpus ready to send: its lines are the cases, and what anybody sends is what stands there."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tables import THREE, case_file, instances

from release.scripts import text_of
from truco_spec.base import shipped
from truco_spec.base.shapes import ShapeError, read
from truco_spec.conformance.corpus import corpus, filling, protocol, ready
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import (
    HandScript,
    NotAMessage,
    RunAnswer,
    Script,
    _deeper,
    message_in,
    seen_in,
)
from truco_spec.conformance.runner import runner

SCRIPTS = shipped.folder("conformance") / "scripts"


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("variant", shipped.variant_names())
def test_the_lines_are_the_cases_as_the_rules_fill_them(variant: str) -> None:
    assert (SCRIPTS / f"{variant}.jsonl").read_text(encoding="utf-8") == text_of(variant)


@pytest.mark.long
def test_the_cases_of_the_lines_are_those_of_the_files() -> None:
    assert ready.is_current()
    assert ready.cases() == corpus.read_shipped()


def test_every_instance_has_its_line() -> None:
    assert [instance.name for instance in chosen(corpus.load()) if not ready.is_shipped(instance)] == []


def test_every_line_has_the_shape_that_the_schema_tells() -> None:
    schema = json.loads((shipped.folder("conformance") / "schema" / "scripts.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for variant in ("gaucho", "venezolano-369"):
        for line in (SCRIPTS / f"{variant}.jsonl").read_text(encoding="utf-8").splitlines():
            validator.validate(json.loads(line))


def test_a_shipped_case_is_asked_without_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(filling, "complete")
    (instance,) = chosen(corpus.load(), names=["pagat-paulista-option-tied-hand-01"])
    script = ready.whole(instance).requests[0]
    assert isinstance(script, Script)
    assert all(len(cards) == 3 for player, cards in script.hands[0].deal.items() if player in script.players)


def test_under_other_options_a_case_is_filled_anew() -> None:
    (instance,) = chosen(corpus.load(), names=["pagat-paulista-option-tied-hand-01"])
    script = ready.whole(replace(instance, options={"tie-lead": "last"})).requests[0]
    assert isinstance(script, Script)
    assert script.options == {"tie-lead": "last"}


def test_a_case_of_ones_own_is_filled_when_it_is_asked(tmp_path: Path) -> None:
    first, second = instances(tmp_path)[0], instances(tmp_path, THREE.replace("P1 3C", "P1 7S"))[0]
    told = [ready.whole(instance).requests[0] for instance in (first, second)]
    assert [each.hands[0].actions[0].text for each in told if isinstance(each, Script)] == ["P1 3C", "P1 7S"]
    assert not ready.is_shipped(first)


@pytest.mark.long
def test_where_a_case_has_changed_since_the_files_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "origin", lambda: "another")
    ready.is_current.cache_clear()
    try:
        assert not ready.is_current()
        assert corpus.load() == corpus.read_shipped()
    finally:
        ready.is_current.cache_clear()


def test_an_own_file_takes_no_line_of_the_corpus(tmp_path: Path) -> None:
    path = case_file(tmp_path, THREE.replace("own-", "pagat-"))
    assert not any(map(ready.is_shipped, chosen(corpus.load([path]))))


def test_what_was_found_out_about_options_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TRUCO_SPEC_CACHE", raising=False)
    (instance,) = chosen(corpus.load(), names=["nowadays-two-cover-02"])
    first = runner.Untrue()
    why = first.why(instance, {"covering": "any"})
    first.keep()
    monkeypatch.delattr(runner, "_holds")
    assert why == "always plays covering any"
    assert runner.Untrue().why(instance, {"covering": "any"}) == why


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


MOVE = protocol.ScriptAction("P0", "P0 truco", say="truco")
SCRIPT = Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (HandScript({}, (MOVE, MOVE)),))


def test_hands_are_read_as_their_type_says_and_one_entry_for_each_action() -> None:
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
            hands = protocol._read_hands(message, SCRIPT)
            assert hands == answer.hands
            good += 1
        except ShapeError:
            assert not fits
    assert good > 500


@pytest.mark.parametrize(
    ("entry", "place", "told"),
    [
        ({"score": None}, "score", "a mapping (key: value) is wanted, and there is nothing (null)"),
        ({"score": [0, 0]}, "score", "a mapping (key: value) is wanted"),
        ({"score": {"P0": "3"}}, "score.P0", "a whole number is wanted, not ‘3’"),
        ({"stake": "3"}, "stake", "a whole number or null is wanted, not ‘3’"),
        ({"stake": True}, "stake", "a whole number or null is wanted"),
        ({"acting": "P0"}, "acting", "a list is wanted"),
        ({"acting": ["North"]}, "acting", "‘North’ is no player of this script: P0, P1."),
        ({"winner": 1}, "winner", "a text or null is wanted"),
        ({"legal": {"P0": "truco"}}, "legal.P0", "a list is wanted"),
        ({"view": {"North": ["4C"]}}, "view", "‘North’ is no player"),
        ({"refused": ["not-now"]}, "refused", "a text, null or true or false is wanted, not ‘['not-now']’"),
        ({"refused": 1}, "refused", "a text, null or true or false is wanted, not ‘1’"),
    ],
)
def test_an_observation_of_another_type_is_no_answer(entry: dict[str, Any], place: str, told: str) -> None:
    with pytest.raises(ShapeError, match=re.escape(told)) as refused:
        seen_in({"hands": [{"seen": [{}, entry]}]}, SCRIPT)
    assert str(refused.value).startswith(f"hands.0.seen.1.{place}: ")


def test_what_a_variant_observes_besides_may_be_of_any_type() -> None:
    assert seen_in({"hands": [{"seen": [{"stake": None, "half": [1]}, {"refused": True}]}]}, SCRIPT)


@pytest.mark.parametrize(
    ("line", "what", "advice"),
    [
        (b'{"id": 7}', "JSON without the id of the request", "as it was sent: it is a text"),
        (b'{"hands": []}', "JSON without the id of the request", "Repeat the id of the request."),
        (b"null", "Garbage", "an object of JSON"),
        (b'{"id": "1", "stake": NaN}', "Garbage", "NaN is not JSON"),
        (b'\xef\xbb\xbf{"id": "1"}', "Garbage", "no byte order mark"),
        (b'{"id": "1", "why": "\xff"}', "Garbage", "Write UTF-8."),
        (b'{"id": "1", "stake": ' + b"9" * 6000 + b"}", "Garbage", "shorter numbers"),
        (b'{"id": "1", "hands": [], "hands": [{}]}', "Garbage", "The key ‘hands’ stands twice in one mapping: write"),
        (b'{"id": "1", "hands": [{"a": 1, "b": 1, "a": 1}]}', "Garbage", "The key ‘a’ stands twice"),
        (b"ready", "Garbage", "Answer in one line of JSON."),
    ],
)
def test_a_line_that_is_no_message_is_told_what_it_lacks(line: bytes, what: str, advice: str) -> None:
    with pytest.raises(NotAMessage, match=advice) as found:
        message_in(line)
    assert found.value.what.startswith(what)


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
