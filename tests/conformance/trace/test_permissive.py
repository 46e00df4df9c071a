"""May, can and usually forbid nothing: what rests on them alone and forbids is listed."""

from __future__ import annotations

from typing import Any

import pytest
from wall import WALL, Table, clause, read_spec_of

from truco_spec.conformance.links import only_permits, permissive, read_corpus, read_spec
from truco_spec.graph.sources import registry, sources

MAY = "A player may look at the pack."
BANS = 'rule no-look @wall:a.may "Nobody looks." in play by everyone must not look'


def permission(text: str = MAY, **more: Any) -> dict[str, Any]:
    return {**clause("a.may"), "text": text, **more}


def messages(table: Table) -> list[str]:
    read_spec_of(table)
    held = [registry("wall", table.spec / "sources")]
    return [found.message for found in permissive(read_spec(table.spec), read_corpus(table.corpus), held)]


@pytest.mark.long
def test_nothing_shipped_forbids_what_its_clauses_only_permit() -> None:
    assert permissive(read_spec(), read_corpus(), [registry(name) for name in sources()]) == ()


@pytest.mark.parametrize(
    ("text", "kind", "weak"),
    [
        (MAY, "play", True),
        ("Partners usually keep silent.", "play", True),
        ("The loser deals.", "custom", True),
        ("The loser deals.", "deal", False),
        ("Only the dealer may look at the pack.", "play", False),
        ("A player may look until the first card is laid.", "play", False),
        ("A player may not look.", "play", False),
        ("A player whose score cannot win may pass and keep it hidden.", "play", True),
        ("Who has no card left may not speak.", "play", False),
    ],
)
def test_may_can_and_usual_bind_nobody(table: Table, text: str, kind: str, weak: bool) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission(text, kind=kind)]
    table.write()
    assert only_permits(registry("wall", table.spec / "sources").clauses["a.may"]) is weak


def test_a_situation_that_is_refused_makes_a_permission_a_limit(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission(edge_cases=["A look after the deal: refused."])]
    table.base += BANS
    assert messages(table) == []


def test_a_situation_in_which_nothing_is_said_or_done_makes_none(table: Table) -> None:
    silent = permission(edge_cases=["No look at all: legal.", "P0 does not look: the deal goes on."])
    table.registry["clauses"] = [*WALL["clauses"], silent]
    table.base += BANS
    assert len(messages(table)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        BANS,
        'rule look-once @wall:a.may "One looks." in play by everyone may look when seen is no',
        'refuse no-looks @wall:a.may "Looks go with a whole pack." when deck is clean',
    ],
)
def test_a_ban_that_rests_on_a_permission_is_listed(table: Table, statement: str) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission()]
    table.base += statement
    (message,) = messages(table)
    assert "restricts what wall:a.may only permits or calls usual" in message


@pytest.mark.parametrize("more", ["@decided:open-read", "@wall:option.pack", "@wall:a.must"])
def test_a_decision_an_option_or_a_clause_that_binds_carries_a_ban(table: Table, more: str) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission()]
    table.base += BANS.replace("@wall:a.may", f"@wall:a.may {more}")
    assert messages(table) == []


def test_a_permission_without_a_condition_restricts_nothing(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission()]
    table.base += 'rule look @wall:a.may "All look." in play by everyone may look'
    assert messages(table) == []


@pytest.mark.parametrize(
    ("more", "listed"),
    [
        ({"moves": [{"refused": "P1 look"}]}, 1),
        ({"moves": [{"legal": {"P1": ["cards"]}}]}, 1),
        ({"moves": ["P1 look"]}, 0),
        ({"moves": [{"refused": "P1 4C", "because": "not-held"}]}, 0),
        ({"moves": [{"refused": "P1 look"}], "level": "decided", "decisions": ["open-read"]}, 0),
        ({"moves": [{"refused": "P1 look"}], "clauses": ["a.may", "a.must"]}, 0),
    ],
)
def test_a_case_that_demands_a_refusal_of_what_is_permitted_is_listed(
    table: Table, more: dict[str, Any], listed: int
) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission()]
    table.cases.append({"id": "wall-a-4", "clauses": ["a.may"], "level": "must", **more})
    assert len(messages(table)) == listed


def test_the_warning_is_always_printed_and_fails_nothing(table: Table) -> None:
    table.registry["clauses"] = [*WALL["clauses"], permission()]
    table.base += BANS
    table.cases[0]["clauses"] = ["a.must", "a.part", "a.may"]
    result = table.run()
    assert "The rule no-look of tavern restricts what wall:a.may only permits" in result.output
    assert result.return_value == 0
