"""A script as who says some words by itself plays it: it chooses them, whatever the script has said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import Plays, Position, Script, ScriptAction, entry_at
from truco_spec.conformance.corpus.vocabulary import pending, word_of
from truco_spec.conformance.runner.judge import word_of as word_in

_MOST_WORDS = 20
"""Maximum words that follow one of the script's."""


def by_itself(script: Script, plays: Plays, at: Position) -> Mapping[str, Any]:
    """What the rules show at ``at`` if each of the words that ``plays`` says by itself is the first of them that is
    permitted there, as in random hands; nothing if the script has no other.

    Raises :class:`~truco_spec.conformance.adapters.pipe.Broken` if the rules fail.
    """
    own, other = plays.own_words, False
    hands = [replace(hand, actions=()) for hand in script.hands[: at.hand + 1]]
    asked = Reference()
    asked.asked = frozenset({"start", "legal"})

    def now(number: int) -> Mapping[str, Any]:
        seen = asked.run(replace(script, hands=tuple(hands[: number + 1])))
        return entry_at(seen, Position(0, number, len(hands[number].actions) - 1))

    def first(legal: Mapping[str, Any], player: str) -> ScriptAction | None:
        said = [text for word in own for text in legal.get(player, ()) if word_of(text) == word]
        return ScriptAction(player, f"{player} {said[0]}", say=said[0]) if said else None

    for number, hand in enumerate(script.hands[: at.hand + 1]):
        actions = hand.actions if number < at.hand else hand.actions[: at.action + 1]
        for action, following in zip_longest(actions, actions[1:]):
            said, word = action, word_in(action)
            if word in own[1:]:
                said = first(now(number).get("legal", {}), action.player) or action
            hands[number] = replace(hands[number], actions=(*hands[number].actions, said))
            other = other or (said != action and word_in(said) != word)
            if not other or word not in own or (following is not None and word_in(following) in own):
                continue
            for _ in range(_MOST_WORDS):
                entry = now(number)
                due = next(iter(entry.get("acting", ())), "") if pending(entry, own, plays.omits) else ""
                if not (more := first(entry.get("legal", {}), due)):
                    break
                hands[number] = replace(hands[number], actions=(*hands[number].actions, more))
    return now(at.hand) if other else {}
