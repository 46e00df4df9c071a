"""What a seat may do, and what all observe, is read from what they see."""

from __future__ import annotations

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.checks import Study, shipped_variant, sight, variant_of
from truco_spec.graph.model import Graph

IN_THE_DARK = {"iron-turn"}
"""The card on top is one of the cards held, whatever it is: that this is so is no matter of who sees what."""

TOLD_BY_A_PARTNER = """
variant house extends argentino {
  title "A flor that binds the partners"
  replace define owes-flor(s : seat) @decided:ours "Who has a flor, or a partner with one, calls it first."
    = hiding-flor is called-first and (some seat x in side(team(s)) : may-flor(x))
  decision ours resolves @wikipedia:argentino.flor-must-announce "So." because "So it is here."
}
"""


def doubted(graph: Graph) -> set[str]:
    study = Study(graph, bounded=False)
    sight.check(study)
    return {name for doubt in study.doubts for name in doubt.names}


@pytest.mark.sample(0, long=4)
@pytest.mark.parametrize("name", variant_names())
def test_what_a_seat_may_do_hangs_on_nothing_hidden_from_it_under_any_options(name: str) -> None:
    graph = shipped_variant(name).open()
    assert graph is not None
    assert doubted(graph) <= IN_THE_DARK


def test_a_ban_that_reads_the_cards_of_a_partner_is_doubted() -> None:
    graph = variant_of(TOLD_BY_A_PARTNER).open()
    assert graph is not None
    assert {"flor-before-play", "flor-before-words"} <= doubted(graph)


def test_a_doubt_names_the_questions_through_which_it_is_read() -> None:
    study = Study(variant_of(TOLD_BY_A_PARTNER, options={"hiding-flor": "called-first"}).graph, bounded=False)
    sight.check(study)
    messages = {doubt.diagnostic.message for doubt in study.doubts}
    through = "owes-flor, may-flor, flor-ready, has-flor"
    assert f"flor-before-words reads held through {through}, which whoever acts may not see" in messages
