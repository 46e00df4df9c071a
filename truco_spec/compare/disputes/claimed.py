"""Under which agreements a claim is right, and the smallest changes of options that would turn the verdict."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Protocol

from truco_spec.base.processes import made_of
from truco_spec.base.words import listed, say
from truco_spec.compare.disputes.agreement import NotPlayed, Rules, put_again, rules_of
from truco_spec.compare.disputes.answer import DEPENDS, OPEN, RIGHT, WRONG, ClaimAnswer, ClaimRow, OptionSet
from truco_spec.compare.disputes.authorities import (
    EFFECT,
    MOST,
    RULE,
    Node,
    Reason,
    own_authorities,
    reason_of,
    reasons_of_verdict,
    together,
    trace,
)
from truco_spec.compare.disputes.claim import DEEDS, LEGAL, MAY, SAYS, WAITED_FOR, Claim
from truco_spec.compare.disputes.playthrough import (
    FORBIDDEN,
    PERMITTED,
    WON,
    Player,
    Playthrough,
    WatchedGame,
    begin,
    play,
)
from truco_spec.compare.disputes.verdict import observation_of, observed_for, ruling
from truco_spec.engine.game import Event, Game, program_of
from truco_spec.engine.layout import Noted
from truco_spec.engine.observe import ACTING
from truco_spec.engine.ruling import Unreachable, must_be_reachable
from truco_spec.engine.text import told
from truco_spec.graph.load import is_open
from truco_spec.graph.model import HOW_MANY, OBSERVED, Assign, Graph
from truco_spec.graph.walk import data_read, exprs_of_define, flat_changes

if TYPE_CHECKING:
    from truco_spec.compare.disputes.unknown import Tried

MOST_CONFIRMED = 3
"""Other hands for which a setting that turns the verdict must do so too."""
TOGETHER = 2000
"""Maximum settings tried for one claim, all agreements together."""
EVENTS_TOGETHER, FEWEST = 100_000, 10
"""Budget in events; for a long log fewer settings are tried, but at least this many per agreement."""


def claim_answer(
    text: str,
    statements: Sequence[Claim],
    tried: Sequence[Tried],
    home: Graph,
    notice: Callable[[str, int], None] | None = None,
    most: int = 0,
    parted: Collection[tuple[int, int]] = (),
    workers: int = 1,
) -> tuple[ClaimAnswer, int]:
    """The answer to a claim, and the number of settings played for it.

    ``parted`` are the playthroughs (by identity) and moves whose partings show the reasons; ``workers`` is the number
    of processes that try settings.
    """
    most = most or max(MOST_TRIED, TOGETHER // max(1, len(tried)))
    cost = sum(one.playthrough.cost for one in tried)
    most = min(most, max(FEWEST, EVENTS_TOGETHER // max(1, cost)))
    rows: dict[object, list[ClaimRow]] = {}
    played = 0

    def made(one: Tried) -> tuple[ClaimRow, int]:
        row, count = _row(one, statements, home, most)
        if (
            row.verdict in (RIGHT, WRONG)
            and (id(one.playthrough), row.move) not in parted
            and not _told_at_the_end(one, row)
        ):
            row = replace(row, reasons=grounds(statements, one.playthrough, row.move))
        return row, count

    for row, count in made_of(made, tried, workers):
        played += count
        if notice is not None and played:
            notice(row.names[0], played)
        key = (row.verdict, row.why, row.move, row.sets, row.size, frozenset(reason.prose for reason in row.reasons))
        rows.setdefault(key, []).append(row)
    order = {RIGHT: 0, WRONG: 1, DEPENDS: 2, OPEN: 3}
    found = tuple(sorted(map(_of_all, rows.values()), key=lambda row: order[row.verdict]))
    summary = _summary(found)
    exhaustive = {one.agreement.name: one.weighed.exhaustive for one in tried}
    if not all(exhaustive[name] for row in found if row.verdict != DEPENDS for name in row.names):
        form = "With the cards that were tried, not all that there are: {answer}"
        summary = say(form, answer=f"{summary[0].lower()}{summary[1:]}")
    return ClaimAnswer(text, summary, found, played), played


def _of_all(rows: Sequence[ClaimRow]) -> ClaimRow:
    """Merge the rows of agreements with the same verdict and the same sentences."""
    names = tuple(name for row in rows for name in row.names)
    return replace(rows[0], names=names, reasons=together([(row.names[0], row.reasons) for row in rows]))


def _told_at_the_end(one: Tried, row: ClaimRow) -> bool:
    """Whether the move is the one that the rules refuse, so that the reason is shown at the end of the log."""
    return not one.playthrough.complete and row.move == len(one.playthrough.moments)


def _row(one: Tried, statements: Sequence[Claim], home: Graph, most: int) -> tuple[ClaimRow, int]:
    name = one.agreement.name
    verdicts = {ruling(statements, playthrough, home).right for playthrough in one.weighed.playthroughs}
    told = ruling(statements, one.playthrough, home)
    if len(verdicts) > 1:
        cards = listed(dict.fromkeys(d.blank.label for d in one.weighed.dependences))
        return ClaimRow((name,), DEPENDS, say("it depends on {cards}", cards=cards), told.move, (), 0), 0
    verdict = OPEN if told.right is None else RIGHT if told.right else WRONG
    judge, confirm = _judge(statements, one, home), _confirm(statements, one, home, told.right)
    search = OptionSearch(one.rules, len(one.transposed.log.players), judge, most, confirm)
    found: FoundSettings = search.run()
    sets = tuple(_option_sets(one.rules, found.sets))
    return ClaimRow((name,), verdict, told.why, told.move, sets, found.size), found.tried


def _judge(statements: Sequence[Claim], one: Tried, home: Graph) -> SettingJudge:
    here, about, further = one.playthrough.transposed, observed_for(statements), one.playthrough.further is not None

    def judge(rules: Rules, make: type[Game], fork: Fork | None = None, trunk: Trunk | None = None) -> SettingOutcome:
        if fork is not None:
            begun: Player | Playthrough = fork.taken(rules, make)
        else:
            begun = begin(put_again(here, one.rules, rules), rules, make, acting=False, only=about, further=further)
        if isinstance(begun, Player) and trunk is not None:
            trunk.follow(begun)
        playthrough = begun.playthrough() if isinstance(begun, Player) else begun
        course = [(e.action, e.status, e.fired) for e in begun.replay.game.history] if isinstance(begun, Player) else []
        told = ([(moment.verdict, moment.told) for moment in playthrough.moments], course)
        return SettingOutcome(ruling(statements, playthrough, home, make).right, told)

    return judge


def _confirm(statements: Sequence[Claim], one: Tried, home: Graph, before: bool | None) -> Callable[[Rules], bool]:
    """Whether the setting also turns the verdict with other cards in place of those the log omits."""
    held = [playthrough for playthrough in one.weighed.playthroughs if playthrough is not one.playthrough]
    further = one.playthrough.further is not None
    others = [playthrough.transposed for playthrough in held[-MOST_CONFIRMED:]]

    def confirm(rules: Rules) -> bool:
        for other in others:
            try:
                playthrough = play(put_again(other, one.rules, rules), rules, acting=False, further=further)
            except NotPlayed:  # inconclusive: these rules cannot deal that hand
                continue
            right = ruling(statements, playthrough, home).right
            if right is None or right is before:
                return False
        return True

    return confirm


def _option_sets(rules: Rules, sets: Sequence[Changes]) -> Iterator[OptionSet]:
    """Return the sets, grouped by their options."""
    values: dict[str, list[str]] = {}
    for changes in sets:
        if len(changes) == 1:
            values.setdefault(changes[0][0], []).append(changes[0][1])
    found: list[tuple[tuple[str, tuple[str, ...]], ...]] = [((name, tuple(ways)),) for name, ways in values.items()]
    found += [tuple((name, (value,)) for name, value in changes) for changes in sets if len(changes) > 1]
    for options in found:
        means = tuple(told(rules.shown, rules.option(name).source.prose) for name, _ in options)
        yield OptionSet(options, means, tuple(own_authorities(rules, (name for name, _ in options))))


def _summary(rows: Sequence[ClaimRow]) -> str:
    """The answer in one line; unanimity is stated plainly."""
    right = [name for row in rows if row.verdict == RIGHT for name in row.names]
    wrong = [name for row in rows if row.verdict == WRONG for name in row.names]
    others = [name for row in rows if row.verdict not in (RIGHT, WRONG) for name in row.names]
    depends = [name for row in rows if row.verdict == DEPENDS for name in row.names]
    if depends and len(depends) == sum(len(row.names) for row in rows):
        return say("It depends on a card that nobody knows, under all of these rules.")
    turned = any(row.sets for row in rows)
    if not right and not wrong:
        undecided = say("The log does not decide it under any of these rules.")
        return undecided if others else say("There are no rules to judge it by.")
    if not wrong and not others:
        return say("Right everywhere, unless options are agreed otherwise." if turned else "Right everywhere.")
    if not right and not others:
        return say("Right nowhere, unless options are agreed otherwise." if turned else "Right nowhere.")
    forms = ("right under {names}", "wrong under {names}", "not decided under {names}")
    found = zip(forms, (right, wrong, others), strict=True)
    text = "; ".join(say(form, names=listed(names)) for form, names in found if names)
    return f"{text[0].upper()}{text[1:]}."


# --------------------------------------------------------------------------------------------------
# The reasons for a verdict on a claim without a parting: the deciding rules, with their citations.


def grounds(statements: Sequence[Claim], playthrough: Playthrough, number: int) -> tuple[Reason, ...]:
    """Return the reasons for the claimed value at a move (from 1); none if no move decided it."""
    while number > len(playthrough.moments) and playthrough.further is not None:
        playthrough = playthrough.further
    asked = {claim.about for claim in statements}
    if not 0 < number <= len(playthrough.moments) or not asked.isdisjoint((MAY, SAYS, ACTING, *WAITED_FOR)):
        return ()
    moment = playthrough.moments[number - 1]
    if not asked.isdisjoint((LEGAL, *DEEDS)) or moment.verdict not in (PERMITTED, FORBIDDEN):
        return reasons_of_verdict(playthrough, number)
    keys = tuple(dict.fromkeys(map(observation_of, statements)))
    nodes = trace(playthrough, number, keys)
    found = {node.source.prose: node for key in keys for node in _behind(playthrough, number, key, nodes)}
    return tuple(reason_of(playthrough.rules, node) for node in list(found.values())[:MOST])


def _behind(playthrough: Playthrough, number: int, key: str, nodes: Sequence[Node]) -> Iterator[Node]:
    """Return the answers and effects by which rules changed the observations, and the rules without any."""
    graph, name = playthrough.rules.graph, OBSERVED + key
    if name not in graph.defines:
        return
    read = data_read(graph, exprs_of_define(graph.defines[name]))
    values = set(_values(playthrough, number, key))
    for node in _until_the_game_ended(graph, nodes):
        if node.kind == RULE and not _changed(graph, node.name).isdisjoint(read):
            telling = [one for one in node.asked if one.kind == EFFECT or one.text in values]
            yield from telling
            if not telling or any(one.kind == EFFECT for one in telling):
                yield node


def _until_the_game_ended(graph: Graph, nodes: Sequence[Node]) -> Iterator[Node]:
    """Return the nodes without the rules by which the next game of a match begins."""
    won = graph.defines.get(OBSERVED + WON)
    read = set(data_read(graph, exprs_of_define(won))) if won is not None else set()
    ended = [node.step for node in nodes if node.kind == RULE and not _changed(graph, node.name).isdisjoint(read)]
    return (node for node in nodes if not ended or node.kind != RULE or node.step <= ended[-1])


def _changed(graph: Graph, rule: str) -> set[str]:
    changes = flat_changes(graph, (*graph.rules[rule].do, *graph.rules[rule].lest))
    return {change.datum for change in changes if isinstance(change, Assign)}


def _values(playthrough: Playthrough, number: int, key: str) -> Iterator[str]:
    """The observations in words; for each team its value, and its gain."""
    now = playthrough.moments[number - 1].seen.get(key)
    before = playthrough.moments[number - 2].seen.get(key) if number > 1 else playthrough.start.get(key)
    if not isinstance(now, Mapping):
        yield str(now)
        return
    for who, value in now.items():
        old = before.get(who) if isinstance(before, Mapping) else None
        if value != old:
            yield str(value)
            if isinstance(value, int) and isinstance(old, int):
                yield str(value - old)


# --------------------------------------------------------------------------------------------------
# The smallest changes of options that turn the verdict. Single options are tried first, then pairs. The options read
# during a game are recorded; others cannot matter, and are not tried. Options that make the pack or bound a range
# cannot be recorded, as they are folded into the graph: each of their values has a graph of its own, and all are tried.
# So every relevant single option is tried, and pairs up to the limit, first those with an option that changes
# something.

MOST_TRIED = 140
"""Maximum settings tried per variant."""
LARGEST = 2
"""The largest size of sets tried."""
MOST_SETS = 12
"""Maximum sets of one size reported."""

Changes = tuple[tuple[str, str], ...]
"""Options and their new values, in the order of the spec."""


@dataclass(frozen=True, slots=True)
class SettingOutcome:
    """The result of a setting: the verdict, and whatever else distinguishes playthroughs."""

    right: bool | None
    playthrough: object


class SettingJudge(Protocol):
    """Plays a setting with this kind of game: from a fork of another playthrough on, and along a trunk, if given."""

    def __call__(
        self, rules: Rules, make: type[Game], fork: Fork | None = None, trunk: Trunk | None = None
    ) -> SettingOutcome: ...


@dataclass(frozen=True, slots=True)
class FoundSettings:
    """The result of a search: ``sets`` are the smallest changes that turn the verdict, all of one size.

    ``tried`` settings were played; all sets up to ``size`` were tried.
    """

    sets: tuple[Changes, ...]
    tried: int
    size: int


class OptionSearch:
    """Searches the settings around one agreement. ``judge`` plays a setting with the given kind of game.

    ``confirm`` is asked of a setting that turns the verdict: does it also where players hold other cards?
    """

    def __init__(
        self,
        rules: Rules,
        players: int,
        judge: SettingJudge,
        most: int = MOST_TRIED,
        confirm: Callable[[Rules], bool] | None = None,
    ) -> None:
        self.rules, self.players, self.judge, self.most = rules, players, judge, most
        self.confirm = confirm
        self.watch, self.tried = Watch(), 0
        self.base: SettingOutcome | None = None
        self.asked: dict[Changes, tuple[str, ...]] = {}
        self.active: dict[Changes, bool] = {}
        self.trunks: dict[Changes, Trunk] = {}
        self.order = {name: at for at, name in enumerate(rules.graph.options)}
        self.settled = tuple(n for n in rules.graph.options if not is_open(rules.graph, n) and n != HOW_MANY)

    def run(self) -> FoundSettings:
        """Search by increasing size."""
        self.base = self._play(())
        complete = 0
        for size, sets in ((1, self._further(())), (2, self._pairs())):
            found: list[Changes] = []
            for changes in sets:
                if self.tried >= self.most:
                    return FoundSettings(tuple(found[:MOST_SETS]), self.tried, complete)
                outcome = self._play(changes)
                if outcome is not None and self._turns(outcome) and self._confirmed(changes):
                    found.append(changes)
            if size == 1 or len(self.settled) < LARGEST:
                complete = size
            if found:
                return FoundSettings(tuple(found[:MOST_SETS]), self.tried, complete)
        return FoundSettings((), self.tried, complete)

    # ---- inside ------------------------------------------------------------------------------

    def _confirmed(self, changes: Changes) -> bool:
        return self.confirm is None or self.confirm(rules_of(self.rules.agreement.but(**dict(changes)), self.players))

    def _turns(self, outcome: SettingOutcome) -> bool:
        before = None if self.base is None else self.base.right
        return outcome.right is not None if before is None else outcome.right is (not before)

    def _pairs(self) -> Iterator[Changes]:
        """Yield pairs in which one option has an effect by itself, of each such option in turn, then the others,
        without repetition.
        """
        alone, seen = [changes for changes in self.asked if len(changes) == 1], set[Changes]()
        for active in (True, False):
            firsts = [self._further(first) for first in alone if self.active[first] is active]
            for pair in chain.from_iterable(zip_longest(*firsts)):
                if pair is not None and pair not in seen:
                    seen.add(pair)
                    yield pair

    def _further(self, changes: Changes) -> Iterator[Changes]:
        """The changes with one more, of an option that was read under them, or that has graphs of its own."""
        given = dict(changes)
        for name in (*self.asked.get(changes, ()), *(() if changes else self.settled)):
            option = self.rules.option(name)
            if name in given or name == HOW_MANY:
                continue
            for value in option.values:
                if value != option.value:
                    yield tuple(sorted([*changes, (name, value)], key=lambda pair: self.order[pair[0]]))

    def _play(self, changes: Changes) -> SettingOutcome | None:
        """Play a setting; None if the variant refuses it, or the log cannot be played under it."""
        agreement = self.rules.agreement.but(**dict(changes)) if changes else self.rules.agreement
        try:
            rules = rules_of(agreement, self.players)
        except NotPlayed:
            return None
        self.tried += 1
        fork = self._fork(changes, rules.graph)
        try:
            if len(changes) == LARGEST:  # no larger sets are tried, so the options read need not be recorded
                return self.judge(rules, Game, fork)
            trunk = Trunk(self.watch, rules.graph, fork)
            outcome = self.judge(rules, self.watch.game, fork, trunk)
        except NotPlayed:
            return None
        self.trunks[changes] = trunk
        self.asked[changes] = self.watch.asked(rules.graph)
        self.active[changes] = self.base is not None and outcome.playthrough != self.base.playthrough
        return outcome

    def _fork(self, changes: Changes, graph: Graph) -> Fork | None:
        """Return the last moment of a playthrough with some of these changes at which none of the
        others mattered yet.
        """
        blocks, found = program_of(graph).layout.blocks, list[Fork]()
        for fewer in ((), *((one,) for one in changes if len(changes) > 1)) if changes else ():
            trunk = self.trunks.get(fewer)
            if trunk is not None and trunk.graph is graph:
                others = {blocks[name].base for name, value in changes if (name, value) not in fewer}
                found += trunk.last_before(others)
        return max(found, key=lambda fork: fork.events, default=None)


# --------------------------------------------------------------------------------------------------
# A game that records which open options its rules read: the others need not be tried, and a game under another value of
# an option goes as this one did until it is first read. So it is played from there on.


class Watch:
    """The joint record of the games made by :attr:`game` since :meth:`begin`.

    ``asked_of_starts`` are the slots that are read of a game which begins with options given, before it begins.
    """

    def __init__(self) -> None:
        self.read: set[int] = set()
        self.asked_of_starts: set[int] = set()
        watch = self

        class Watched(WatchedGame):
            """A game whose reads are recorded together with those of others."""

            position: Noted

            def blank(self) -> Noted:
                position = super().blank()
                position.read = watch.read
                return position

            def _begin_match(self, start: Mapping[str, object]) -> None:
                super()._begin_match(start)
                if not start:
                    self.position.read = watch.asked_of_starts
                    with suppress(Unreachable):
                        must_be_reachable(self, [name for step in self.opening for name in step.rules])
                    self.position.read = watch.read

        self.game: type[Game] = Watched

    def begin(self, read: Iterable[int]) -> None:
        """Begin another record, of a game that goes on after this was read; games made before keep to theirs."""
        self.read, self.asked_of_starts = set(read), set()

    def asked(self, graph: Graph) -> tuple[str, ...]:
        """The open options that were read, in their order."""
        blocks = program_of(graph).layout.blocks
        return tuple(name for name in graph.options if is_open(graph, name) and blocks[name].base in self.read)


@dataclass(frozen=True, slots=True)
class Fork:
    """A moment of a playthrough, before a move: the player as it stood then, after this number of ``events``, the
    ``last`` of them, and the slots that were ``read`` by then.
    """

    player: Player
    events: int
    last: Event | None
    read: frozenset[int]

    def taken(self, rules: Rules, make: type[Game]) -> Player:
        """A player who goes on from here under other rules."""
        replay = self.player.replay
        return self.player.branch(rules, replay.branch(replay.game.branch(self.events, rules.begin, make)), make)

    @property
    def lies_behind(self) -> bool:
        """Whether the playthrough that it is of went on from here, and did not turn back."""
        history = self.player.replay.game.history
        return self.events <= len(history) and (not self.events or history[self.events - 1] is self.last)


class Trunk:
    """The forks of a playthrough that is watched; if it goes on from a fork of another, also those before that."""

    def __init__(self, watch: Watch, graph: Graph, fork: Fork | None) -> None:
        self.watch, self.graph = watch, graph
        self.forks: list[Fork] = [] if fork is None else [fork]
        watch.begin(() if fork is None else fork.read)

    def follow(self, player: Player) -> None:
        """Note the forks of this player."""
        player.replay.on_look = partial(self._note, player)

    def last_before(self, slots: Collection[int]) -> list[Fork]:
        """Return the last fork, in a list, at which none of these slots was read; empty if there is none."""
        forks = (fork for fork in reversed(self.forks) if fork.read.isdisjoint(slots) and fork.lies_behind)
        return list(islice(forks, 1))

    def _note(self, player: Player) -> None:
        """Note a fork; of several between which nothing more was read the last."""
        history = player.replay.game.history
        last = history[-1] if history else None
        read = frozenset(self.watch.read | self.watch.asked_of_starts)
        if self.forks and len(self.forks[-1].read) == len(read):
            self.forks.pop()
        there = player.branch(player.rules, player.replay.branch(player.replay.game), player.make)
        self.forks.append(Fork(there, len(history), last, read))
