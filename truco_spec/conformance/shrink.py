"""A failing script, cut down while it fails in the same way; and the case that it makes for the corpus.

First hands go, then actions, then players and options, and round again until nothing more can go. What is tried, and in
which order, depends on the script alone; how often the implementation is asked is bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import yaml

from truco_spec.conformance import filling
from truco_spec.conformance.cases import CORPUS_VERSION
from truco_spec.conformance.pipe import Broken, Implementation
from truco_spec.conformance.protocol import Action, HandScript, Script
from truco_spec.conformance.reference import Reference
from truco_spec.conformance.scripts import MustOffer, MustPermit, MustRefuse, MustSee, MustShow, action_of
from truco_spec.conformance.trial import Examiner, Failure
from truco_spec.errors import TrucoError

MOST_RUNS = 200
"""So often an implementation is asked for one failure."""

_WIDTH = 110
_DECIDED = "decided"
_FIRST = "P0"


@dataclass(frozen=True, slots=True)
class Minimal:
    """The shortest script found. ``repeatable``: a fresh process failed in the same way on what is shown."""

    failure: Failure
    runs: int
    repeatable: bool


def shrink(
    failure: Failure, open_one: Callable[[], Implementation], right: Reference | None = None, most: int = MOST_RUNS
) -> Minimal:
    """The smallest script that still fails as ``failure`` does. ``open_one`` starts the implementation anew.

    A script that fails only after others, in the same process, is given back as it is, and not repeatable.
    """
    shrinker = _Shrinker(failure, open_one, right, most)
    try:
        return shrinker.result()
    finally:
        shrinker.close()


class _Shrinker:
    def __init__(
        self, failure: Failure, open_one: Callable[[], Implementation], right: Reference | None, most: int
    ) -> None:
        self.best, self.open_one, self.right, self.most = failure, open_one, right, most
        self.runs = 0
        self.tried: set[str] = set()
        self.implementation: Implementation | None = None

    def result(self) -> Minimal:
        first = self.best
        if not self._better(first.script):
            return Minimal(first, self.runs, repeatable=False)
        while self.runs < self.most and self._round():
            pass
        self.close()  # nothing of the runs before is left
        self.tried.clear()
        repeatable = self._better(self.best.script)
        return Minimal(self.best if repeatable else first, self.runs, repeatable)

    def close(self) -> None:
        if self.implementation is not None:
            self.implementation.close()
            self.implementation = None

    def _round(self) -> bool:
        """Every way of making it smaller, one after the other; whether any did."""
        before = self.best.script
        for smaller in (_hands, _actions, _settings):
            self._pass(smaller)
        return self.best.script != before

    def _pass(self, smaller: Callable[[Script], Iterator[Script]]) -> None:
        """Take the first smaller script that fails too, and go on from there, until none does."""
        while self.runs < self.most:
            found = next((script for script in smaller(self.best.script) if self._better(script)), None)
            if found is None:
                break

    def _better(self, script: Script) -> bool:
        """Whether this script fails in the same way; if so it is the best."""
        written = filling.notation(script)
        if written in self.tried or self.runs >= self.most:
            return False
        self.tried.add(written)
        self.runs += 1
        try:
            if self.implementation is None:
                self.implementation = self.open_one()
            failure = Examiner(self.implementation, self.right).failure(script)
        except TrucoError:  # these rules do not know such a game
            return False
        except Broken:  # it did not even introduce itself
            return False
        if failure is None or failure.signature != self.best.signature:
            return False
        self.best = failure
        return True


# ---- what is smaller ----------------------------------------------------------------------------


def _actions(script: Script) -> Iterator[Script]:
    """Without some actions: many together first, then one by one, the last ones first."""
    places = [(at, n) for at, hand in enumerate(script.hands) for n in range(len(hand.actions))]
    size = max(1, len(places) // 2)
    while places and size:
        for end in range(len(places), 0, -size):
            gone = set(places[max(0, end - size) : end])
            hands = tuple(
                replace(hand, actions=tuple(a for n, a in enumerate(hand.actions) if (at, n) not in gone))
                for at, hand in enumerate(script.hands)
            )
            yield replace(script, hands=hands)
        size //= 2


def _hands(script: Script) -> Iterator[Script]:
    """Only the last hand, with the dealer and the score that it had; or without any of the others."""
    if len(script.hands) < 2:
        return
    score = _score_before_last(script)
    for dealer in script.players:
        yield replace(script, hands=script.hands[-1:], dealer=dealer, score=score)
    for at in range(len(script.hands) - 1):
        yield replace(script, hands=script.hands[:at] + script.hands[at + 1 :])


def _score_before_last(script: Script) -> dict[str, int]:
    """What the reference engine says that the teams have before the last hand; what they began with, if it cannot."""
    right = Reference()
    right.asked = frozenset({"start"})
    try:
        score = right.run(script)[-1].start.get("score", {})
    except (Broken, TrucoError):
        return dict(script.score)
    return {player: points for player, points in score.items() if points}


def _settings(script: Script) -> Iterator[Script]:
    """Fewer players, options left to the variant, and the plainest score and dealer."""
    for count in range(len(script.teams), len(script.players), len(script.teams)):
        yield from _fewer(script, count)
    for name in script.options:
        yield replace(script, options={n: value for n, value in script.options.items() if n != name})
    if script.score:
        yield replace(script, score={})
        for player in script.score:
            yield replace(script, score={who: points for who, points in script.score.items() if who != player})
    if script.dealer != _FIRST and _FIRST in script.players:
        yield replace(script, dealer=_FIRST)


def _places(script: Script) -> set[str]:
    return set(filling.script_graph(script).data)


def _fewer(script: Script, count: int) -> Iterator[Script]:
    """Only so many of the players, who take the first seats; what the others did and held is left out."""
    players, teams = script.players, len(script.teams)
    for kept in itertools.combinations(range(len(players)), count):
        if any(seat % teams != at % teams for at, seat in enumerate(kept)):
            continue
        name = {players[seat]: players[at] for at, seat in enumerate(kept)}
        hands = tuple(
            HandScript(
                {
                    name.get(key, key): cards
                    for key, cards in hand.deal.items()
                    if key in name or key in _places(script)
                },
                tuple(_by_another(action, name) for action in hand.actions if action.player in name),
            )
            for hand in script.hands
        )
        score = {name[player]: points for player, points in script.score.items() if player in name}
        fewer = players[:count]
        changed = replace(
            script, players=fewer, teams=filling.teams_of(script.variant, fewer), hands=hands, score=score
        )
        for dealer in fewer:
            yield replace(changed, dealer=dealer)


def _by_another(action: Action, name: Mapping[str, str]) -> Action:
    """The action, done by and speaking of those who bear these names now."""
    return action_of(" ".join(name.get(word, word) for word in action.text.split()))


# ---- the case -----------------------------------------------------------------------------------


def case_text(failure: Failure, name: str, note: str = "") -> str:
    """A file of one case, as the corpus has them: it passes with the reference engine and shows this failure.

    ``name`` is its id. The clauses and decisions are those of the rules that decided the step.
    """
    script = failure.script
    cites = _cites(failure)
    clauses = [f"{source}:{clause}" for source, clause in cites if source != _DECIDED] or [_any_clause(script)]
    decisions = [clause for source, clause in cites if source == _DECIDED]
    case: dict[str, Any] = {"id": name, "title": _title(failure), "clauses": clauses}
    case |= {"decisions": decisions} if decisions else {}
    case["level"] = "option" if script.options else "decided" if decisions else "must"
    case |= {"options": dict(script.options)} if script.options else {}
    numbered = script.players == tuple(f"P{n}" for n in range(len(script.players)))
    case["players"] = len(script.players) if numbered else list(script.players)
    case |= {"score": dict(script.score)} if script.score else {}
    case["dealer"] = script.dealer
    case["deal"] = _deal(script, script.hands[0])
    case |= {"note": note} if note else {}
    case["moves"] = _moves(failure)
    source = clauses[0].partition(":")[0]
    document = {"corpus": CORPUS_VERSION, "source": source, "applies": {"variants": [script.variant]}, "cases": [case]}
    return str(yaml.safe_dump(document, sort_keys=False, default_flow_style=None, width=_WIDTH, allow_unicode=True))


def clauses_of(failure: Failure) -> tuple[str, ...]:
    """What the rules that decided the step cite, and the answers that they asked for; decisions included."""
    return tuple(f"{source}:{clause}" for source, clause in _cites(failure))


def _cites(failure: Failure) -> list[tuple[str, str]]:
    return list(failure.decided.cites(filling.script_graph(failure.script)))


def _any_clause(script: Script) -> str:
    """For a step that no rule speaks of, or only our own decisions: the first clause that the rules cite at all."""
    graph = filling.script_graph(script)
    cites = (cite for rule in graph.rules.values() for cite in rule.source.cites)
    return next(f"{cite.source}:{cite.clause}" for cite in cites if cite.source != _DECIDED)


def _title(failure: Failure) -> str:
    last = failure.script.hands[-1].actions[-1].text if failure.script.hands[-1].actions else "the deal"
    if failure.check is None:
        return f"After {last} there is an answer"
    told = isinstance(failure.check, (MustPermit, MustRefuse))
    return failure.expected if told else f"After {last}: {failure.expected}"


def _deal(script: Script, hand: HandScript) -> dict[str, str]:
    """The hands and what is turned; the order of the pack follows from them."""
    told = {*script.players, *_places(script)}
    return {key: " ".join(cards) for key, cards in hand.deal.items() if key in told}


def _moves(failure: Failure) -> list[Any]:
    """The steps of the case: what is played, what is refused on the way, and at the end what came out differently."""
    script, check = failure.script, failure.check
    refused = _refused(script)
    steps: list[Any] = []
    played: list[str] = []

    def flush() -> None:
        if played:
            steps.append(", ".join(played))
            played.clear()

    for at, hand in enumerate(script.hands):
        if at:
            flush()
            steps.append({"hand": {"deal": _deal(script, hand)}})
        for number, action in enumerate(hand.actions):
            last = check is not None and (check.at.hand, check.at.action) == (at, number)
            if last and isinstance(check, MustPermit):
                flush()
                steps.append({"allowed": action.text})
            elif (at, number) in refused:
                flush()
                steps.append({"refused": action.text})
            else:
                played.append(action.text)
    flush()
    return steps + _expectation(failure)


def _expectation(failure: Failure) -> list[Any]:
    match failure.check:
        case MustShow(_, key, value):
            return [{"expect": {key: value}}]
        case MustOffer(_, player, texts):
            return [{"legal": {player: list(texts)}}]
        case MustSee(_, seat, sees, hides):
            return [{"view": {"seat": seat, "sees": " ".join(sees), "hides": " ".join(hides)}}]
    return []


def _refused(script: Script) -> set[tuple[int, int]]:
    """Which actions the reference engine refuses."""
    right = Reference()
    right.asked = frozenset()
    return {
        (at, number)
        for at, hand in enumerate(right.run(script))
        for number, entry in enumerate(hand.seen)
        if entry.get("refused")
    }
