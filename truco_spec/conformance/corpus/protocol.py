"""The messages between the runner and an implementation: their types, and lines read with limits.

Every message is one line of JSON. The runner's have ``do`` (hello, run, deal, perft, bye) and ``id``; each is answered
by one line with the same ``id``. Unknown keys are ignored on both sides. ``docs/protocol.md`` explains them by example.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Annotated, Any, Literal

from truco_spec.base.errors import TrucoError
from truco_spec.base.shapes import ShapeError, plain, read, reader, shown
from truco_spec.base.words import Sentence
from truco_spec.conformance.corpus import cases
from truco_spec.conformance.corpus.cases import Mode
from truco_spec.language.diagnostics import nearest

PROTOCOL = (1, 1)
"""The lowest and the highest version of the protocol that this runner speaks."""

LONGEST_LINE = 1 << 20
DEEPEST = 20
MOST_NAMES = 1000
MOST_PLAYERS = 100
MOST_COUNTED = 2**53 - 1  # every reader of JSON holds it exactly
COVER = "cover"
"""The name in ``omits`` and ``itself`` for a card played face down."""
PERFT = "perft"
"""The entry of ``observes`` for an implementation that counts."""
_LONGEST_KEY = 60

TEAM_VALUES = frozenset({"trick", "hand", "winner"})
"""Observations whose value is a team, written as any of its players; ``score`` has teams as keys."""
STATE_VALUES = frozenset({"acting", "stake", "proposal", "score", "winner"})
"""Observations of the state of the game, as opposed to the effects of the last action."""

# ---- what the runner sends ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScriptAction:
    """One action: its parts and its notation. Exactly one of play, cover and say is given."""

    player: str
    text: Annotated[str, "The action in the notation of logs: `P1 (3C)`."]
    play: Annotated[str | None, "A card played open."] = None
    cover: Annotated[str | None, "A card played face down."] = None
    say: Annotated[str | None, "Whatever else: a word, with its arguments if it has any."] = None
    exact: Annotated[bool, "Nothing implicit (a shuffle, a cut) is done before it."] = False

    @property
    def word(self) -> str:
        """Its name in ``omits`` and ``itself``; empty for an open card."""
        return COVER if self.cover else self.say.split()[0] if self.say else ""


@dataclass(frozen=True, slots=True)
class HandScript:
    """One hand: its cards and the players' actions. Cards are in dealing order."""

    deal: Annotated[Mapping[str, tuple[str, ...]], "Player or turned card: cards."]
    actions: tuple[ScriptAction, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A match, or its beginning, to be played as written; some actions may be irregular."""

    variant: str
    options: Annotated[Mapping[str, str], "Options that differ from, or repeat, the variant's own settings."]
    players: Annotated[tuple[str, ...], "Names in order of play."]
    teams: Annotated[tuple[tuple[str, ...], ...], "Who plays together."]
    dealer: Annotated[str, "Who deals the first hand."]
    score: Annotated[Mapping[str, int], "Points before the first hand; a player stands for his team."]
    mode: Mode
    hands: tuple[HandScript, ...]


@dataclass(frozen=True, slots=True)
class OwnDeals:
    """Deal ``times`` hands with your own shuffling and report the cards."""

    variant: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    dealer: str
    times: int
    seed: Annotated[int, "Use it if your shuffling can be seeded, so that a run can be repeated."] = 1
    match: Annotated[bool, "Deal the hands of one match, one after another, and no new match for each."] = False


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """The first message to every process."""

    id: str
    protocol: Annotated[tuple[int, ...], "Lowest and highest version offered."]
    corpus: Annotated[int, "Version of the corpus format."]
    edition: Annotated[str, "Version of the shipped corpus, X.Y.Z: what the cases say."] = ""
    do: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Play this script from its beginning; nothing of an earlier one remains."""

    id: str
    script: Script
    do: Literal["run"] = "run"


@dataclass(frozen=True, slots=True)
class DealRequest:
    """Deal by yourself; sent only to implementations that observe ``deal``."""

    id: str
    deal: OwnDeals
    do: Literal["deal"] = "deal"


@dataclass(frozen=True, slots=True)
class PerftRequest:
    """Count what may follow the script; sent only to implementations that observe ``perft``."""

    id: str
    script: Annotated[Script, "Its end is the position; the end of the deal, where the last hand has no actions."]
    depth: Annotated[int, "The number of actions of a sequence, 1 to 64."]
    do: Literal["perft"] = "perft"


@dataclass(frozen=True, slots=True)
class ByeRequest:
    """The last message; not answered."""

    id: str
    do: Literal["bye"] = "bye"


# ---- what the implementation answers --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plays:
    """How an implementation plays one variant."""

    players: Annotated[tuple[int, ...], "Numbers of players."]
    options: Annotated[Mapping[str, tuple[str, ...]], "Option: the values that can be set."] = field(
        default_factory=dict
    )
    omits: Annotated[tuple[str, ...], "Words, or `cover`, that players of this variant have and this does not."] = ()
    always: Annotated[
        Mapping[str, str | Mapping[str, str]],
        "Option: the value that it always plays, where that is not the variant's; or that value by number of players.",
    ] = field(default_factory=dict)
    itself: Annotated[
        tuple[str, ...] | None,
        "Words that it says by itself, or leaves unsaid: nobody is asked for them. Acts that need not be said, such as "
        "shuffling, belong to them unless the list is empty.",
    ] = None
    late: Annotated[
        tuple[str, ...], "Observations that it brings up to date only when a hand is over, such as `score`."
    ] = ()

    @property
    def own_words(self) -> tuple[str, ...]:
        """The words listed in ``itself``."""
        return self.itself or ()

    @property
    def deals_at_once(self) -> bool:
        """Whether acts that need not be said are its own: it does not say that it offers them all."""
        return self.itself != ()

    def own(self, players: int) -> dict[str, str]:
        """The options fixed for this number of players."""
        told = {name: {} if isinstance(value, str) else value for name, value in self.always.items()}
        plain = {name: value for name, value in self.always.items() if isinstance(value, str)}
        return plain | {name: by[str(players)] for name, by in told.items() if str(players) in by}


@dataclass(frozen=True, slots=True)
class Introduction:
    """The implementation's name, and what it plays and observes."""

    name: str
    version: str
    variants: Annotated[Mapping[str, Plays], "What it plays, by name of the variant."]
    observes: Annotated[tuple[str, ...], "Keys of what it reports; besides: legal, view, deal, perft."]
    protocol: Annotated[int, "The version chosen from the range offered."] = 1
    homepage: str = ""
    issues: Annotated[str, "Where to report faults."] = ""
    modes: tuple[Mode, ...] = ("strict",)

    def plays(self, variant: str) -> Plays:
        """How it plays a variant: with nothing of its own where it does not claim it."""
        return self.variants.get(variant, Plays(()))

    def as_played(self, script: Script) -> Script:
        """Return the script under the options that it always plays."""
        own = self.plays(script.variant).own(len(script.players))
        return replace(script, options={**own, **script.options})


@dataclass(frozen=True, slots=True)
class HandSeen:
    """The observations of one hand. A missing key was not observed."""

    seen: Annotated[
        tuple[Mapping[str, Any], ...],
        "One entry per action: observations, or `refused` with a category (or true) and, if you like, observations.",
    ]
    start: Annotated[Mapping[str, Any], "After the deal, before the first action."] = field(default_factory=dict)


Seen = tuple[HandSeen, ...]
Deal = Mapping[str, tuple[str, ...]]
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RunAnswer:
    """The answer to ``run``."""

    hands: tuple[HandSeen, ...]


@dataclass(frozen=True, slots=True)
class DealAnswer:
    """The answer to ``deal``."""

    deals: tuple[Mapping[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PerftAnswer:
    """The answer to ``perft``."""

    counts: Annotated[
        Mapping[str, int],
        "Every first action, as `P1 truco`, and the number of sequences of this depth that begin with it.",
    ]


@dataclass(frozen=True, slots=True)
class ErrorAnswer:
    """Something went wrong inside the implementation; it can go on with the next request."""

    error: str


# ---- lines --------------------------------------------------------------------------------------


class NotAMessage(Exception):
    """A line is no message: not JSON, too deep, no object, or without an id. ``what`` it is, and ``advice``."""

    def __init__(self, advice: str = "Answer in one line of JSON.", what: str = "Garbage instead of an answer") -> None:
        super().__init__(advice)
        self.advice, self.what = advice, what


def line_of(message: Any) -> bytes:
    """A request as one line of JSON."""
    return json.dumps(plain(message), ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def message_in(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises :class:`NotAMessage`."""
    try:
        message = _JSON.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotAMessage("Write UTF-8.") from error
    except RecursionError as error:
        raise NotAMessage(_TOO_DEEP) from error
    except ValueError as error:
        if line.startswith(codecs.BOM_UTF8):
            raise NotAMessage("Write no byte order mark before the answer.") from error
        if not isinstance(error, json.JSONDecodeError):
            raise NotAMessage("Write shorter numbers.") from error
        raise NotAMessage from error
    if not isinstance(message, dict):
        raise NotAMessage("Answer with an object of JSON in one line.")
    if line.count(b"{") + line.count(b"[") > DEEPEST and _deeper(message, DEEPEST):
        raise NotAMessage(_TOO_DEEP)
    if not isinstance(message.get("id"), str):
        as_text = "Repeat the id of the request as it was sent: it is a text."
        advice = as_text if "id" in message else "Repeat the id of the request."
        raise NotAMessage(advice, "JSON without the id of the request")
    return message


_TOO_DEEP = f"Nest no answer more than {DEEPEST} deep."


def _no_constant(name: str) -> None:
    raise NotAMessage(f"{name} is not JSON: leave out what is not observed.")


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values for one key no reader knows which is meant."""
    made = dict[str, Any]()
    for name, value in pairs:
        if name in made:
            raise NotAMessage(f"The key {shown(name)} stands twice in one mapping: write it once.")
        made[name] = value
    return made


_JSON = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_mapping)


def _deeper(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return False
    return True


class HelloError(TrucoError):
    """``hello`` cannot be used, and no other answer would help: one line for each mistake."""


def introduction_in(message: Mapping[str, Any]) -> Introduction:
    """The answer to hello. Raises :class:`~truco_spec.base.shapes.ShapeError`, and :class:`HelloError` for a key that
    is nearly spelt.
    """
    _must_be_spelt(message, Introduction, "hello")
    introduction: Introduction = read(_texts(dict(message)), Introduction, lenient=True)
    for name in introduction.variants:
        _must_be_spelt(message["variants"][name], Plays, f"hello: {shown(name)}")
    low, high = PROTOCOL
    if not low <= introduction.protocol <= high:
        chosen = shown(introduction.protocol)[1:-1]
        raise ShapeError(f"Protocol {chosen} was chosen; {low} to {high} was offered.", ("protocol",))
    if len(introduction.variants) > MOST_NAMES or len(introduction.observes) > MOST_NAMES:
        raise ShapeError(f"More than {MOST_NAMES} names.", ())
    for name, plays in introduction.variants.items():
        for count in plays.players:
            if not 1 <= count <= MOST_PLAYERS:
                place = ("variants", name, "players")
                raise ShapeError(f"{shown(count)} is no number of players: 1 to {MOST_PLAYERS}.", place)
    return introduction


def _must_be_spelt(told: Mapping[str, Any], kind: type, place: str) -> None:
    """Unknown keys are left to later versions, but for one that is nearly the name of a key that is missing."""
    names = {each.name for each in fields(kind)}
    for key in sorted(told.keys() - names):
        if near := nearest(key[:_LONGEST_KEY], names - told.keys()):
            form = "{place}: There is no key {key}. Did you mean “{near}”?"
            raise HelloError(Sentence(form, place=place, key=shown(key), near=near))


def _texts(message: dict[str, Any]) -> dict[str, Any]:
    """Lenient reading: versions and option values may be numbers."""
    if isinstance(message.get("version"), (int, float)):
        message["version"] = str(message["version"])
    variants = message.get("variants")
    for plays in variants.values() if isinstance(variants, dict) else ():
        for key in ("options", "always"):
            options = plays.get(key) if isinstance(plays, dict) else None
            if isinstance(options, dict):
                plays[key] = {name: _text(value) for name, value in options.items()}
    return message


def _text(value: Any) -> Any:
    """A number as text, also within a list or a mapping."""
    if isinstance(value, dict):
        return {key: _text(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_text(each) for each in value]
    return str(value) if isinstance(value, int) else value


def seen_in(message: Mapping[str, Any], script: Script) -> Seen:
    """Parse the answer to run: one entry per action of the script, each observation of its type. Raises ShapeError."""
    hands = _read_hands(message, script)
    for at, hand in enumerate(hands):
        _must_be_typed(hand.start, script, ("hands", at, "start"))
        for number, entry in enumerate(hand.seen):
            _must_be_typed(entry, script, ("hands", at, "seen", number))
    return hands


def _read_hands(message: Mapping[str, Any], script: Script) -> Seen:
    answer: RunAnswer = read(dict(message), RunAnswer, lenient=True)
    if len(answer.hands) != len(script.hands):
        raise ShapeError(f"{len(answer.hands)} hands were answered; the script has {len(script.hands)}.", ("hands",))
    for at, (seen, played) in enumerate(zip(answer.hands, script.hands, strict=True)):
        if len(seen.seen) != len(played.actions):
            raise ShapeError(
                f"{len(seen.seen)} entries for {len(played.actions)} actions; every action has one, refused ones too.",
                ("hands", at, "seen"),
            )
    return answer.hands


_OBSERVED: dict[str, Callable[[Any], Any]] = {
    key: reader(kind)
    for kind, keys in {
        tuple[str, ...]: ("acting", "may-speak"),
        int | None: ("stake", "proposal"),
        str | None: ("trick", "leader", "hand", "winner"),
        str | bool | None: ("refused",),
        Mapping[str, int]: ("score",),
        Mapping[str, tuple[str, ...]]: ("legal", "view"),
    }.items()
    for key in keys
}
"""The keys of an entry that are the same in all variants, with the readers of their types."""
_NAME_PLAYERS = frozenset({"acting", "may-speak", "score", "legal", "view"})


def _must_be_typed(entry: Mapping[str, Any], script: Script, place: tuple[str | int, ...]) -> None:
    for key, value in entry.items():
        if (read_value := _OBSERVED.get(key)) is None:
            continue
        try:
            read_value(value)
        except ShapeError as error:
            raise ShapeError(f"{error.message} Leave out what is not observed.", (*place, key, *error.place)) from error
        for name in value if key in _NAME_PLAYERS else ():
            if name not in script.players:
                known = ", ".join(script.players)
                raise ShapeError(f"{shown(name)} is no player of this script: {known}.", (*place, key))


def deals_in(message: Mapping[str, Any], request: OwnDeals) -> tuple[Deal, ...]:
    """Parse the answer to deal. Raises ShapeError."""
    answer: DealAnswer = read(dict(message), DealAnswer, lenient=True)
    if len(answer.deals) != request.times:
        raise ShapeError(f"{len(answer.deals)} deals were answered; {request.times} were asked for.", ("deals",))
    return answer.deals


def counts_in(message: Mapping[str, Any], script: Script, depth: int) -> Counts:
    """Parse the answer to perft. Raises ShapeError."""
    answer: PerftAnswer = read(dict(message), PerftAnswer, lenient=True)
    if len(answer.counts) > MOST_NAMES:
        raise ShapeError(f"More than {MOST_NAMES} actions.", ("counts",))
    least, most = (0, MOST_COUNTED) if depth > 1 else (1, 1)
    for text, number in answer.counts.items():
        if (player := text.partition(" ")[0]) not in script.players:
            known = ", ".join(script.players)
            raise ShapeError(f"{shown(player)} is no player of this script: {known}.", ("counts", text))
        if not least <= number <= most:
            wanted = f"a number from 0 to {most}" if depth > 1 else "1, the number of sequences of one action,"
            raise ShapeError(f"Here {wanted} is wanted, not {shown(number)}.", ("counts", text))
    return answer.counts


# ---- Scripts: a case is split into what is sent and the checks that are kept ------------------------

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
    """The action at ``at`` is refused, with this category if one is expected and reported."""

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
    """At ``at`` the seat can identify the former cards, and not the latter."""

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
        """The played actions of the case, hand by hand, without those that must be refused."""
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
        self.branches: list[Script] = []
        self.checks: list[Check] = []

    def plan(self) -> Plan:
        only_moves = all(isinstance(step, (str, cases.HandStep)) for step in self.instance.case.entry.moves)
        for step in self.instance.case.entry.moves:
            self._step(step, only_moves)
        return self._so_far()

    def _so_far(self) -> Plan:
        main = self._script([(deal, tuple(actions)) for deal, actions in self.hands])
        return Plan((main, *self.branches), tuple(self.checks))

    def _step(self, step: object, only_moves: bool) -> None:
        match step:
            case str():
                for text in step.split(","):
                    self.hands[-1][1].append(action_of(text))
                    self.checks.append(MustPermit(self._here(), only_moves))
            case cases.Refused():
                self.hands[-1][1].append(replace(action_of(step.refused), exact=step.before is not None))
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

    def _here(self) -> Position:
        return Position(0, len(self.hands) - 1, len(self.hands[-1][1]) - 1)

    def _branch(self, action: ScriptAction) -> Position:
        """A separate script: everything played so far, without what is refused, then this action."""
        hands = [(deal, tuple(taken)) for (deal, _), taken in zip(self.hands, self._so_far().taken, strict=True)]
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
    """Return the observations at a position of a script."""
    hand = seen[at.hand]
    return hand.start if at.action == START else hand.seen[at.action]


def hand_is_over(seen: Seen, at: Position) -> bool:
    """Whether no hand goes on at a position of a script."""
    told = entry_at(seen, at)
    return at.action == START or told.get("hand") is not None or told.get("winner") is not None


def acts_in(script: Script, seen: Seen) -> Iterator[tuple[ScriptAction, Mapping[str, Any]]]:
    """Yield the actions of a script, each with its observations."""
    for hand, told in zip(script.hands, seen, strict=False):
        yield from zip(hand.actions, told.seen, strict=False)


def refused_in(seen: Seen) -> Iterator[tuple[int, int]]:
    """Yield the actions that are refused: their hand, and their number in it."""
    for at, hand in enumerate(seen):
        yield from ((at, number) for number, entry in enumerate(hand.seen) if entry.get("refused"))


def followed_by(script: Script, action: ScriptAction, at: Position | None = None) -> Script:
    """Return the script with one more action in its last hand, or in the place of all after ``at``."""
    hands = script.hands[: None if at is None else at.hand + 1]
    told = hands[-1].actions[: None if at is None else at.action + 1]
    return replace(script, hands=(*hands[:-1], replace(hands[-1], actions=(*told, action))))


def cut_short(script: Script, at: Position) -> Script:
    """The script up to and including the action at ``at``: enough to show the fault there. Before the first action, a
    word that is said first is kept: where it belongs to the deal (a cut, say), not all is dealt before it.
    """
    hands = list(script.hands[: at.hand + 1])
    actions = hands[-1].actions
    first = at.action == START and any(action.say for action in actions[:1])
    hands[-1] = replace(hands[-1], actions=actions[: at.action + 1 + first])
    return replace(script, hands=tuple(hands))
