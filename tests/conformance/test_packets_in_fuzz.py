"""Hands at random in games whose deal has packets: whoever deals as the script says plays the same hand."""

from __future__ import annotations

import contextlib
import random

import pytest

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.protocol import Plays, Position, Script, Seen, cut_short
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.logs.line import read_line
from truco_spec.logs.replay import MoveRefused, Replay

PLAYERS = ("P0", "P1", "P2", "P3")


def scripts(variant: str, count: int) -> list[Script]:
    table = Generator(Setting(variant, PLAYERS, {}, Plays((4,))), random.Random(7))
    return [table.script() for _ in range(count)]


def played(hands: Seen) -> list[list[dict[str, object]]]:
    """What the actions brought about; what somebody could do or see after a refused one is not compared by anybody."""
    told = [[dict(entry) for entry in hand.seen] for hand in hands]
    return [[{key: entry[key] for key in entry if key not in ("legal", "view")} for entry in hand] for hand in told]


@pytest.mark.long
@pytest.mark.parametrize("variant", ["mineiro", "paulista-wp", "argentino"])
def test_a_hand_names_every_card_that_comes_in_it(variant: str) -> None:
    for script in scripts(variant, 40):
        reference = Reference()
        seen = reference.run(script)
        whole = filling.completed(script, seen)
        assert isinstance(whole, Script)
        for hand, sent in zip(script.hands, whole.hands, strict=True):
            assert {key: sent.deal[key] for key in hand.deal} == hand.deal
        assert played(reference.run(whole)) == played(seen)


def test_what_is_printed_of_a_hand_that_ends_in_its_deal_can_be_replayed() -> None:
    burnt = 0
    for script in scripts("mineiro", 25):
        for number, action in enumerate(script.hands[0].actions):
            if action.say not in ("burn", "pass"):
                continue
            burnt += 1
            line = filling.notation(cut_short(script, Position(0, 0, number)))
            with contextlib.suppress(MoveRefused):  # what counts is that no card is left over
                list(Replay(read_line(line)).steps())
    assert burnt > 10
