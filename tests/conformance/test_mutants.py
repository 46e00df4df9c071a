"""Single changes of rules: texts that could be written, whose rules are others."""

from __future__ import annotations

from collections import Counter

import pytest

from bench.mutants import _groups, known_alive, mutants_by_name
from truco_spec.base.shipped import variant_names
from truco_spec.conformance.fit import mutants as single
from truco_spec.conformance.fit.mutants import Mutant, mutants_in, said
from truco_spec.graph.link import linked
from truco_spec.graph.linking.build import build


@pytest.mark.long
def test_every_mutant_that_no_case_can_notice_is_one_and_has_its_reason() -> None:
    there = {name for variant in variant_names() for name in mutants_by_name(variant)}
    told = known_alive()
    assert told.keys() <= there
    assert all(why.endswith(".") for why in told.values())


@pytest.mark.long
def test_the_cases_that_a_mutant_touches_tell_it_from_the_original() -> None:
    group = next(group for group in _groups(["gamelog"]) if len(group.cases) > 100)
    group.cases = [case for case in group.cases if "tie" in case.name]
    group.note()
    names = [
        n for n, each in mutants_by_name("gamelog").items() if each.statement.name in ("tied-trick", "hand-winner")
    ]
    killers = group.tried(names)
    assert Counter(bool(who) for who in killers.values())[True] > len(names) / 2


def of_rule(name: str) -> dict[str, Mutant]:
    return {mutant.what: mutant for mutant in mutants_in(linked("paulista")) if mutant.statement.name == name}


def test_a_rule_of_a_construct_changes_too() -> None:
    changes = of_rule("truco.refuse")
    assert "left out" in changes
    chain = single.mutated(linked("paulista"), [changes["left out"]])
    assert "truco.refuse" not in build(chain, {}).rules
    assert "truco.refuse" in build(linked("paulista"), {}).rules


def test_what_is_gone_is_no_exception_any_more() -> None:
    chain = single.mutated(linked("paulista"), [of_rule("equals-lead")["left out"]])
    assert not any("equals-lead" in item.statement.excepts for item in chain.items.values())
    assert build(chain, {}).rules


def test_words_signs_and_numbers_are_exchanged() -> None:
    found = of_rule("tied-trick")
    assert any("every seat a" in what and "in place of “some seat a" in what for what in found)
    assert "“a is not b” in place of “team(a) is not team(b)”" in found
    assert "“drawn” in the row tie tie X X" in of_rule("hand-winner")
    assert "“dealer” in place of “next(dealer)”" in of_rule("pass-deal")
    assert any(what.startswith("without “dealer = ") for what in of_rule("pass-deal"))


def test_a_part_reads_as_it_is_written() -> None:
    statement = linked("paulista").items["tied-trick"].statement
    assert statement.when is not None
    assert said(statement.when) == "some seat a in tops(n) with seat b in tops(n) : team(a) is not team(b)"
    next_leader = linked("paulista").items["next-leader"].statement
    assert next_leader.value is not None
    assert said(next_leader.value) == "first seat s in tops(current) from leader"


def test_nothing_that_play_does_not_hang_on_is_changed() -> None:
    names = {mutant.statement.name for mutant in mutants_in(linked("paulista"))}
    assert not any(name.startswith("never.") for name in names)
    assert "responder-when-caller-plays-last" not in names  # a decision
