"""Sentences as they are printed: no placeholder is left in one."""

import pytest

from truco_spec.base.document import text_of
from truco_spec.base.shipped import variant_names
from truco_spec.compare.disputes.agreement import Agreement, rules_of
from truco_spec.compare.disputes.claimed import _option_sets
from truco_spec.compare.questions import document_of, questions, table_of
from truco_spec.compare.scenario import Side
from truco_spec.engine.game import Game
from truco_spec.engine.text import AGREED, told, told_in_force
from truco_spec.graph.load import load


@pytest.mark.parametrize("name", variant_names())
def test_every_sentence_is_filled(name):
    graph = load(name)
    assert [source.prose for _, _, source in graph.cites if "{" in told(graph, source.prose)] == []


@pytest.mark.parametrize("name", variant_names())
def test_what_holds_as_the_variant_has_it_is_not_told_as_agreed(name):
    graph = load(name)
    answers = (answer.source for define in graph.defines.values() for answer in define.answers)
    turns = (turn.source for effect in graph.effects.values() for turn in effect.turns)
    sources = [*(rule.source for rule in graph.rules.values()), *answers, *turns]
    assert any(source.prose.startswith(AGREED) for source in sources)
    assert [source.prose for source in sources if told_in_force(graph, source).startswith(AGREED)] == []


@pytest.mark.parametrize("name", variant_names())
def test_the_options_that_turn_a_verdict_are_told_without_placeholders(name):
    rules = rules_of(Agreement(name), load(name).seats)
    sets = [((option.name, option.values[-1]),) for option in rules.shown.options.values()]
    assert [one.means for one in _option_sets(rules, sets) if "{" in "".join(one.means)] == []


@pytest.mark.long
def test_the_table_of_variants_has_none():
    """Neither with the questions nor with the options alone, one of whose rows speaks of two targets."""
    sides = [Side(name, {}) for name in variant_names()]
    asked, alone = (text_of(document_of(table_of(sides, groups)), 100) for groups in (questions(), ()))
    assert "{" not in asked + alone
    assert "still goes to 15" in " ".join(alone.split())


def test_a_verdict_has_none():
    """Of a rule of the deal its sentence speaks of the number of cards."""
    for name in variant_names():
        game = Game(load(name))
        for _ in range(30):
            action = next(iter(game.legal_actions()))
            assert "{" not in "".join(rule.prose for rule in game.why(action).rules), (name, game.text(action))
            game.push(action)
