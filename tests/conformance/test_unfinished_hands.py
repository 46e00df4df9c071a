"""Engines that have less than the corpus asks for: one button for all raises; no next hand while one is unfinished."""

from __future__ import annotations

from dataclasses import replace

from wrong import REFUSAL, Wrong

from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import HandScript, HandSeen, Script, ScriptAction, Seen
from truco_spec.conformance.runner import runner

NO_BAN = """drop brink-loses-game @decided:own"""
AT_ELEVEN = ["pagat-paulista-eleven-02", "pagat-inherited-special-06"]
OVER_TWO_HANDS = ["pagat-anew-02", "pagat-table-13", "pagat-table-19"]


class OneButton(Wrong):
    """An engine without the ban at eleven. Its adapter takes the word ``named`` for the button when nothing was raised
    yet, and refuses ``truco`` if that is another.
    """

    def __init__(self, named: str) -> None:
        super().__init__(NO_BAN)
        self.words = {"truco": "doze", named: "truco"}

    def run(self, script: Script) -> Seen:
        return super().run(replace(script, hands=tuple(map(self._pressed, script.hands))))

    def _pressed(self, hand: HandScript) -> HandScript:
        return replace(hand, actions=tuple(map(self._named, hand.actions)))

    def _named(self, action: ScriptAction) -> ScriptAction:
        said = self.words.get(action.say or "")
        return replace(action, say=said, text=f"{action.player} {said}") if said else action


class Unfinished(Wrong):
    """Its hand goes on after a refusal; until it is over, the adapter refuses what is of the script's next hand."""

    def __init__(self) -> None:
        super().__init__(REFUSAL)

    def run(self, script: Script) -> Seen:
        seen: list[HandSeen] = []
        for hand in super().run(script):
            over = not seen or any("hand" in entry and entry["hand"] for entry in seen[-1].seen)
            late = HandSeen(tuple({"refused": "not-now"} for _ in hand.seen), {})
            seen.append(hand if over else late)
        return tuple(seen)


def verdicts(named: str) -> set[str]:
    return {result.verdict for result in runner.run(chosen(names=AT_ELEVEN), OneButton(named))}


def test_a_button_called_by_the_raises_of_the_hand_shows_that_truco_at_eleven_is_not_banned() -> None:
    assert verdicts("truco") == {"fail"}


def test_called_by_the_stake_which_is_three_at_eleven_it_would_hide_that() -> None:
    assert verdicts("seis") == {"pass"}


def test_where_the_next_hand_came_too_early_the_fault_is_where_the_hands_parted() -> None:
    for result in runner.run(chosen(names=OVER_TWO_HANDS, variants=["paulista"]), Unfinished()):
        assert result.verdict == "fail"
        assert [fault.expected.partition(":")[0] for fault in result.faults] == ["hand", "score"]
        assert all(fault.script.count("| deal ") == 1 for fault in result.faults)
