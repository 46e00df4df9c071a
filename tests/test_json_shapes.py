"""Types describe the project's JSON: what is read by them, what is wrong with it, what is written, and the schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from release.schemas import json_schema
from truco_spec.base.shapes import ShapeError, plain, read, shown


@dataclass(frozen=True)
class Card:
    """A card."""

    rank: Annotated[str, "Its rank."]
    worth: int | None = None


@dataclass(frozen=True)
class Deal:
    kind: Literal["deal"]
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Say:
    kind: Literal["say", "shout"]
    word: str = ""


@dataclass(frozen=True)
class Night:
    steps: tuple[Deal | Say, ...]
    score: Mapping[str, int] = field(default_factory=dict)
    length: int | str = 0
    over: bool = False


NIGHT = {"steps": [{"kind": "deal", "cards": [{"rank": "4"}]}, {"kind": "shout", "word": "truco"}], "score": {"ana": 3}}


def test_a_union_is_told_apart_by_the_value_of_its_first_field() -> None:
    assert read(NIGHT, Night) == Night((Deal("deal", (Card("4"),)), Say("shout", "truco")), {"ana": 3})
    assert read({"steps": [], "length": "two"}, Night).length == "two"


def test_what_is_written_reads_back_without_what_is_not_given() -> None:
    written = plain(read(NIGHT, Night))
    assert written["steps"][0] == {"kind": "deal", "cards": [{"rank": "4"}]}
    assert read(written, Night) == read(NIGHT, Night)
    assert plain({"a": (Card("4", 2), None)}) == {"a": [{"rank": "4", "worth": 2}, None]}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"steps": {}}, "steps: Here a list is wanted, not ‘{}’."),
        ({"steps": None}, "steps: Here a list is wanted, and there is nothing (null)."),
        ({"steps": [{"kind": "sing"}]}, "steps.0: One of kind is wanted here."),
        ({"steps": [{"kid": "say"}]}, "steps.0: One of kind is wanted here. Did you mean kind?"),
        ({"steps": [{"kind": "say", "word": 4}]}, "steps.0.word: Here a text is wanted, not ‘4’. Write it in quotes"),
        ({"steps": [{"kind": "deal", "cards": [{}]}]}, "steps.0.cards.0: rank is missing."),
        ({"score": {"ana": True}}, "score.ana: Here a whole number is wanted, not ‘True’."),
        ({"score": []}, "score: Here a mapping (key: value) is wanted, not ‘[]’."),
        ({"length": []}, "length: Here a text or a whole number is wanted, not ‘[]’."),
        ({"over": 1}, "over: Here true or false is wanted, not ‘1’."),
        ({"overs": True}, "overs: ‘overs’ is not known here. Did you mean over?"),
        ({"x": 1}, "x: ‘x’ is not known here. Known keys: steps, score, length, over."),
    ],
)
def test_a_mistake_has_its_place(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ShapeError) as caught:
        read({**NIGHT, **change}, Night)
    assert str(caught.value).startswith(says)


def test_true_is_no_value_of_a_literal() -> None:
    with pytest.raises(ShapeError, match="‘True’ is not one of 1"):
        read(True, Literal[1])


def test_a_lenient_reader_passes_over_what_it_does_not_know() -> None:
    assert read({**NIGHT, "x": 1}, Night, lenient=True) == read(NIGHT, Night)


def test_a_value_is_shown_short_and_on_one_line() -> None:
    assert shown("a\nb") == r"‘a\nb’"
    assert shown("x" * 60) == f"‘{'x' * 60}’"
    assert shown("x" * 61) == f"‘{'x' * 60}…’"


def test_the_schema_has_what_is_required_and_closes_what_is_not_open() -> None:
    schema = json_schema({"Night": Night}, "A night", open_ended=False)
    assert (schema["title"], schema["$ref"]) == ("A night", "#/$defs/Night")
    assert schema["$defs"]["Night"]["required"] == ["steps"]
    assert not schema["$defs"]["Night"]["additionalProperties"]
    assert schema["$defs"]["Card"]["description"] == "A card."
    assert schema["$defs"]["Card"]["properties"]["rank"] == {"type": "string", "description": "Its rank."}
    assert schema["$defs"]["Say"]["properties"]["kind"] == {"enum": ["say", "shout"]}
    opened = json_schema({"Night": Night, "Card": Card}, "Both", open_ended=True)
    assert opened["anyOf"] == [{"$ref": "#/$defs/Night"}, {"$ref": "#/$defs/Card"}]
    assert "additionalProperties" not in opened["$defs"]["Night"]
