"""Who learns of a sign: the partners, or everyone where that is agreed. No sign shows a card."""

from __future__ import annotations

import pytest

from truco_spec.logs.line import read_line
from truco_spec.logs.replay import Replay

LINE = "argentino table-talk=heard{} | {} | dealer {} | deal P0 1E 5O 4C, P2 5E 6B 7C | P0 seña ancho-de-espadas"


def views(options: str = "", players: int = 4) -> list[dict[str, object]]:
    names = [f"P{seat}" for seat in range(players)]
    replay = Replay(read_line(LINE.format(options, " ".join(names), names[-1])))
    for _ in replay.steps():
        pass
    return [replay.game.view(seat) for seat in range(players)]


def told(view: dict[str, object]) -> bool:
    """Does the view tell anywhere which sign P0 gave?"""
    return any(isinstance(kept, dict) and kept.get("P0") == "ancho-de-espadas" for kept in view.values())


@pytest.mark.parametrize(("players", "partners"), [(4, {0, 2}), (6, {0, 2, 4})])
def test_a_sign_is_seen_by_the_partners_only(players: int, partners: set[int]) -> None:
    assert {seat for seat, view in enumerate(views(players=players)) if told(view)} == partners


def test_where_that_is_agreed_everyone_sees_it() -> None:
    assert all(told(view) for view in views(" senas-visibility=open"))


def test_it_shows_no_card() -> None:
    for seat, view in enumerate(views(" senas-visibility=open")):
        hands = view["cards"]
        assert isinstance(hands, dict)
        assert (hands["P0"] == {"hidden": 3}) == (seat != 0)
