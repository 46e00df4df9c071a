"""Honest adapters with a habit, made of the template: its five places are filled by the reference engine, and what is
seen is told as such an implementation would tell it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from truco_spec.base import shipped
from truco_spec.base.shapes import plain, read
from truco_spec.conformance.adapters.inprocess import InProcess
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import HandScript, Introduction, Plays, RunAnswer, Script, ScriptAction
from truco_spec.conformance.corpus.vocabulary import vocabulary
from truco_spec.graph.load import load

Hands = list[dict[str, Any]]
Habit = Callable[[Script, Hands], None]
"""Changes what was seen of a script, hand by hand."""
OBSERVES = ("acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "view")


def implicit(variant: str) -> tuple[str, ...]:
    """The words that an implementation which deals at once never hears."""
    return tuple(word.word for word in vocabulary(load(variant)) if word.implicit)


def told(script: Script) -> Hands:
    """What the reference engine sees, as plain values."""
    hands: Hands = plain(RunAnswer(Reference().run(script)))["hands"]
    return hands


def adapter(
    variant: str, plays: Plays, *habits: Habit, observes: tuple[str, ...] = OBSERVES, deaf: tuple[str, ...] = ()
) -> InProcess:
    """The template, filled in for an engine with these habits. ``deaf``: words that it does by itself, and refuses."""
    template = _template()

    class Filled(template.Table):  # type: ignore[name-defined, misc]
        def __init__(self, asked: dict[str, Any]) -> None:
            script: Script = read(asked, Script)
            script = replace(script, options={**plays.own(len(script.players)), **script.options})
            hands = told(script)
            for habit in habits:
                habit(script, hands)
            self.hands = [_heard(*hand, plays.own_words, deaf) for hand in zip(script.hands, hands, strict=True)]

        def lay_out(self, deal: object) -> bool:
            self.entries = self.hands.pop(0)
            self.asked = True
            self.goes_on()
            return True

        def act(self, action: dict[str, str]) -> Any:
            self.asked = True
            return self.goes_on() if action.get("say", " ").split(" ")[0] not in deaf else "not-offered"

        def goes_on(self) -> Any:
            entry = self.entries.pop(0)
            if not entry.get("refused"):
                self.seen = entry
            return entry.get("refused")

        def look(self) -> dict[str, Any]:
            if not self.asked:  # it says a word of its own
                self.goes_on()
            self.asked = False
            return {key: value for key, value in self.seen.items() if key in observes}

    template.Table, template.ITSELF = Filled, list(plays.own_words)
    template.HELLO = plain(Introduction("filled", "1", {variant: plays}, observes))
    return InProcess(template.Adapter)


def _heard(script: HandScript, hand: dict[str, Any], own: tuple[str, ...], deaf: tuple[str, ...]) -> Hands:
    """What is seen at the start, when it has done by itself what comes first, and after each action that it hears."""
    entries, words = [hand["start"], *hand["seen"]], (action.word for action in script.actions)
    first = next((at for at, word in enumerate(words) if word not in (*own, *deaf)), len(script.actions))
    begun = [entry for entry in entries[: first + 1] if not entry.get("refused")][-1]
    entries = [begun] * (first + 1) + entries[first + 1 :]
    heard = zip((None, *script.actions), entries, strict=True)
    return [entry for action, entry in heard if action is None or action.word not in deaf]


def _template() -> Any:
    path = shipped.folder("conformance") / "adapters" / "template" / "adapter.py"
    spec = importlib.util.spec_from_file_location("filled", path)
    assert spec is not None and spec.loader is not None
    template = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(template)
    return template


# ---- habits --------------------------------------------------------------------------------------


def entries(hands: Hands) -> Iterator[dict[str, Any]]:
    """All that was seen, in order."""
    for hand in hands:
        yield from (hand["start"], *hand["seen"])


def everybody_acts(script: Script, hands: Hands) -> None:
    """It calls everybody acting who may do anything."""
    for entry in entries(hands):
        entry["acting"] = [*entry["acting"], *entry.pop("may-speak", ())]


def remembers(script: Script, hands: Hands) -> None:
    """Who has seen a card can tell it until the hand is over."""
    for hand in hands:
        known: dict[str, set[str]] = {player: set() for player in script.players}
        for entry in (hand["start"], *hand["seen"]):
            for player, cards in entry.get("view", {}).items():
                known[player] |= set(cards)
                entry["view"][player] = sorted(known[player])


def one_until_chosen(script: Script, hands: Hands) -> None:
    """Where the stake is open it says one."""
    for entry in entries(hands):
        if "acting" in entry:
            entry.setdefault("stake", 1)


def books_late(script: Script, hands: Hands) -> None:
    """It counts the points of a hand when that is over."""
    score = dict.fromkeys(script.players, 0) | dict(script.score)
    for entry in entries(hands):
        if entry.get("hand") or entry.get("winner"):
            score = entry.get("score", score)
        if "score" in entry:
            entry["score"] = {player: score.get(player, 0) for player in entry["score"]}


def books_only_hands(script: Script, hands: Hands) -> None:
    """It forgets the points of an envido or a flor: a hand alone brings points."""
    score = dict.fromkeys(script.players, 0) | dict(script.score)
    for entry in entries(hands):
        if (winner := entry.get("hand")) in score:
            score[winner] += 1
        if "score" in entry:
            entry["score"] = {player: score[player] for player in entry["score"]}


def books_at_once(own: tuple[str, ...]) -> Habit:
    """It goes on by itself where the game waits for one of its own words."""

    def habit(script: Script, hands: Hands) -> None:
        for at, hand in enumerate(hands):
            for number, entry in enumerate(hand["seen"]):
                if not entry.get("refused") and not entry.get("hand"):
                    entry |= _further(script, at, number, entry, own)

    return habit


def _further(script: Script, at: int, number: int, entry: dict[str, Any], own: tuple[str, ...]) -> dict[str, Any]:
    """What is seen once all that is waited for has been said that is one of these words, and the only one."""
    actions, found, happened = script.hands[at].actions[: number + 1], dict(entry), dict[str, Any]()
    while due := _due(found, own):
        player, text = due
        happened = {key: found[key] for key in ("trick", "leader", "hand") if found.get(key)} | happened
        actions = (*actions, ScriptAction(player, f"{player} {text}", say=text))
        hands = (*script.hands[:at], replace(script.hands[at], actions=actions))
        found = told(replace(script, hands=hands))[at]["seen"][-1]
    return found | happened


def _due(entry: dict[str, Any], own: tuple[str, ...]) -> tuple[str, str] | None:
    for player in entry.get("acting", ()):
        texts = entry["legal"][player]
        if len(texts) == 1 and texts[0] in own:
            return player, texts[0]
    return None


def announces(own: tuple[str, ...], honest: Mapping[str, str]) -> Habit:
    """Its own words have the form that they must have where the rules are ``honest``, whatever the script says."""

    def habit(script: Script, hands: Hands) -> None:
        said = replace(script, options={**script.options, **honest})
        while word := _in_its_own_form(said, found := told(said), own):
            at, number, action = word
            actions = [*said.hands[at].actions]
            actions[number] = action
            changed = replace(said.hands[at], actions=tuple(actions))
            said = replace(said, hands=(*said.hands[:at], changed, *said.hands[at + 1 :]))
        hands[:] = found

    return habit


def _in_its_own_form(script: Script, hands: Hands, own: tuple[str, ...]) -> tuple[int, int, ScriptAction] | None:
    """The first word of its own that is refused, and another form of it that is permitted there."""
    for at, hand in enumerate(script.hands):
        entries = [hands[at]["start"], *hands[at]["seen"]]
        for number, action in enumerate(hand.actions):
            if not entries[number].get("refused") and entries[number + 1].get("refused") and action.word in own:
                for text in entries[number]["legal"].get(action.player, ()):
                    if text.split()[0] == action.word:
                        return at, number, ScriptAction(action.player, f"{action.player} {text}", say=text)
    return None


def pays_the_other_side(own: tuple[str, ...]) -> Habit:
    """A fault, and no habit: what a word of these brings to a side goes to the other."""

    def habit(script: Script, hands: Hands) -> None:
        more = dict.fromkeys(script.players, 0)
        for hand, seen in zip(script.hands, hands, strict=True):
            before = dict(seen["start"].get("score", {}))
            for action, entry in zip(hand.actions, seen["seen"], strict=True):
                score = dict(entry.get("score", before))
                gain = {player: score[player] - before[player] for player in score}
                if action.word in own and any(gain.values()):
                    for one, other in (tuple(score), tuple(score)[::-1]):
                        more[one] += gain[other] - gain[one]
                before = score
                entry["score"] = {player: points + more[player] for player, points in score.items()}

    return habit


def pays_one_more(script: Script, hands: Hands) -> None:
    """A fault, and no habit: whoever wins a hand is given a point too many."""
    for entry in entries(hands):
        winner = entry.get("hand")
        for player in entry["score"] if winner in script.players else ():
            team = next(team for team in script.teams if player in team)
            entry["score"][player] += winner in team
