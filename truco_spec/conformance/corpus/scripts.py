"""Splits a case into scripts that are sent and checks that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from truco_spec.conformance.corpus import cases
from truco_spec.conformance.corpus.protocol import HandScript, OwnDeals, Script, ScriptAction, Seen

START = -1


@dataclass(frozen=True, slots=True)
class Position:
    """A point of a plan: which script, which hand of it, and after which action (``START``: before the first)."""

    script: Annotated[int, "Which of the requests, from 0."]
    hand: Annotated[int, "Which hand of it, from 0."]
    action: Annotated[int, "After which action of the hand, from 0; -1: before the first."]


@dataclass(frozen=True, slots=True)
class MustPermit:
    """The action at ``at`` is permitted. ``asked``: the case tests it; else it only leads to a check."""

    check: Literal["permit"] = field(default="permit", kw_only=True)
    at: Position
    asked: bool


@dataclass(frozen=True, slots=True)
class MustRefuse:
    """The action at ``at`` is refused, with this category where one is expected and told."""

    check: Literal["refuse"] = field(default="refuse", kw_only=True)
    at: Position
    because: str | None


@dataclass(frozen=True, slots=True)
class MustShow:
    """The observation ``key`` at ``at`` has this value."""

    check: Literal["show"] = field(default="show", kw_only=True)
    at: Position
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class MustOffer:
    """At ``at`` exactly these actions of the player are legal."""

    check: Literal["offer"] = field(default="offer", kw_only=True)
    at: Position
    player: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MustSee:
    """At ``at`` the seat can identify these cards, and not those."""

    check: Literal["see"] = field(default="see", kw_only=True)
    at: Position
    seat: str
    sees: tuple[str, ...]
    hides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MustDeal:
    """Every deal of the implementation's own is sound."""

    check: Literal["deals"] = field(default="deals", kw_only=True)
    at: Position
    deals: cases.DealsOf


Check = MustPermit | MustRefuse | MustShow | MustOffer | MustSee | MustDeal


@dataclass(frozen=True, slots=True)
class Plan:
    """``requests`` are sent (the first is the case itself, others are branches of it); the checks are judged."""

    requests: tuple[Script | OwnDeals, ...]
    checks: tuple[Check, ...]

    @property
    def refused(self) -> frozenset[tuple[int, int]]:
        """The actions of the case itself that must be refused: their hand and their number in it."""
        return frozenset((c.at.hand, c.at.action) for c in self.checks if isinstance(c, MustRefuse))

    @property
    def taken(self) -> list[list[ScriptAction]]:
        """The actions of the case itself that are played, hand by hand: all but those that must be refused."""
        script, refused = self.requests[0], self.refused
        assert isinstance(script, Script)  # own deals have no actions
        return [
            [action for number, action in enumerate(hand.actions) if (at, number) not in refused]
            for at, hand in enumerate(script.hands)
        ]


def action_of(text: str) -> ScriptAction:
    """Write an action: ``P1 3C``, ``P3 (KS)`` or ``P2 truco``; cards have digits and capitals, words do not."""
    player, said = text.split(maxsplit=1)
    said = " ".join(said.split())
    clean = f"{player} {said}"
    if said.startswith("(") and said.endswith(")"):
        return ScriptAction(player, clean, cover=said[1:-1])
    if said == said.upper() and said.isalnum():
        return ScriptAction(player, clean, play=said)
    return ScriptAction(player, clean, say=said)


def plan(instance: cases.Instance, players: tuple[str, ...], teams: tuple[tuple[str, ...], ...]) -> Plan:
    """The scripts and checks of one instance; deals as given by the case."""
    entry = instance.case.entry
    own = [step.deals for step in entry.moves if isinstance(step, cases.Deals)]
    if own:
        return Plan(
            tuple(
                OwnDeals(instance.variant, instance.options, players, entry.dealer, of.times, match=of.match)
                for of in own
            ),
            tuple(MustDeal(Position(n, 0, START), of) for n, of in enumerate(own)),
        )
    return _Compiler(instance, players, teams).plan()


class _Compiler:
    def __init__(self, instance: cases.Instance, players: tuple[str, ...], teams: tuple[tuple[str, ...], ...]) -> None:
        self.instance, self.players, self.teams = instance, players, teams
        self.hands: list[tuple[Mapping[str, tuple[str, ...]], list[ScriptAction]]] = [
            (_cards(instance.case.entry.deal), [])
        ]
        self.played: list[list[ScriptAction]] = [[]]  # the same without refused moves: the prefix of every branch
        self.branches: list[Script] = []
        self.checks: list[Check] = []

    def plan(self) -> Plan:
        only_moves = all(isinstance(step, (str, cases.HandStep)) for step in self.instance.case.entry.moves)
        for step in self.instance.case.entry.moves:
            self._step(step, only_moves)
        main = self._script([(deal, tuple(actions)) for deal, actions in self.hands])
        return Plan((main, *self.branches), tuple(self.checks))

    def _step(self, step: object, only_moves: bool) -> None:
        match step:
            case str():
                for text in step.split(","):
                    self._act(action_of(text), played=True)
                    self.checks.append(MustPermit(self._here(), only_moves))
            case cases.Refused():
                self._act(replace(action_of(step.refused), exact=step.before is not None), played=False)
                self.checks.append(MustRefuse(self._here(), step.because))
            case cases.Allowed():
                self.checks.append(MustPermit(self._branch(action_of(step.allowed)), True))
            case cases.Expect():
                self.checks += [MustShow(self._here(), key, value) for key, value in step.expect.items()]
            case cases.Legal():
                self.checks += [MustOffer(self._here(), player, texts) for player, texts in step.legal.items()]
            case cases.View():
                view = step.view
                self.checks.append(
                    MustSee(self._here(), view.seat, cases.card_list(view.sees), cases.card_list(view.hides))
                )
            case cases.HandStep():
                deal = step.hand.deal if isinstance(step.hand, cases.HandStart) else {}
                self.hands.append((_cards(deal), []))
                self.played.append([])

    def _here(self) -> Position:
        return Position(0, len(self.hands) - 1, len(self.hands[-1][1]) - 1)

    def _act(self, action: ScriptAction, *, played: bool) -> None:
        self.hands[-1][1].append(action)
        if played:
            self.played[-1].append(action)

    def _branch(self, action: ScriptAction) -> Position:
        """A separate script: everything played so far, then this action."""
        hands = [(deal, tuple(played)) for (deal, _), played in zip(self.hands, self.played, strict=True)]
        deal, played = hands[-1]
        hands[-1] = (deal, (*played, action))
        self.branches.append(self._script(hands))
        return Position(len(self.branches), len(hands) - 1, len(played))

    def _script(self, hands: list[tuple[Mapping[str, tuple[str, ...]], tuple[ScriptAction, ...]]]) -> Script:
        instance, entry = self.instance, self.instance.case.entry
        return Script(
            variant=instance.variant,
            options=instance.options,
            players=self.players,
            teams=self.teams,
            dealer=entry.dealer,
            score=entry.score,
            mode=entry.mode,
            hands=tuple(HandScript(deal, actions) for deal, actions in hands),
        )


def _cards(deal: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    return {key: cases.card_list(cards) for key, cards in deal.items()}


def entry_at(seen: Seen, at: Position) -> Mapping[str, Any]:
    """What was told at a place of a script."""
    hand = seen[at.hand]
    return hand.start if at.action == START else hand.seen[at.action]


def cut_short(script: Script, at: Position) -> Script:
    """The script up to and including the action at ``at``: enough to show the fault there. Before the first action, a
    word that is said first is kept: where it belongs to the deal (a cut, say), not all is dealt before it.
    """
    hands = list(script.hands[: at.hand + 1])
    actions = hands[-1].actions
    first = at.action == START and any(action.say for action in actions[:1])
    hands[-1] = replace(hands[-1], actions=actions[: at.action + 1 + first])
    return replace(script, hands=tuple(hands))
