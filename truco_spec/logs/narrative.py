"""A replayed log as a narrative text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from truco_spec.base.document import Block, Cell, Grid, Heading, Paragraph, items
from truco_spec.base.words import label, listed, move_text, say, spoken
from truco_spec.engine.game import CHANCE
from truco_spec.engine.observe import OPEN, observe
from truco_spec.engine.text import told_in_force
from truco_spec.graph.model import Graph
from truco_spec.graph.walk import gathers
from truco_spec.logs.in_words import suit_letters
from truco_spec.logs.line import Log
from truco_spec.logs.replay import Replay, ReplayStep


@dataclass(frozen=True, slots=True)
class Narrative:
    """A replayed log. ``before`` is observed before the first move, ``after`` at the end.

    ``dealt`` is what is dealt behind the last move, where the last hand of the log has a deal alone.
    """

    log: Log
    graph: Graph
    before: Mapping[str, object]
    steps: tuple[ReplayStep, ...]
    after: Mapping[str, object]
    ignored: tuple[str, ...]
    dealt: tuple[tuple[str, str], ...] = ()

    @property
    def irregular(self) -> tuple[ReplayStep, ...]:
        """The moves that the rules do not permit; only umpire mode lets them happen."""
        return tuple(step for step in self.steps if step.event.status != "permitted")

    @property
    def teams(self) -> tuple[tuple[str, ...], ...]:
        players, count = self.log.players, self.graph.teams
        return tuple(players[team::count] for team in range(count))

    def prose(self, rule: str) -> str:
        """The sentence of a rule, filled."""
        return told_in_force(self.graph, self.graph.rules[rule].source)

    def team(self, player: object) -> str:
        """The players of the team that is named after one of them."""
        return next((listed(team) for team in self.teams if player in team), str(player))


def narrative_of(replay: Replay) -> Narrative:
    """Play the log to its end. Raises :class:`LogError` where it cannot be played."""
    before = observe(replay.game)
    steps = tuple(islice(replay.steps(), replay.moves))
    come = len(replay.dealer.dealt)
    replay.to_the_end()
    ignored = tuple(say("{key} of hand {hand}", key=key, hand=hand + 1) for hand, key in replay.ignored)
    dealt = tuple(replay.dealer.dealt[come:])
    after = observe(replay.game) if dealt else steps[-1].observed if steps else before
    return Narrative(replay.log, replay.graph, before, steps, after, ignored, dealt)


# ---- as data -----------------------------------------------------------------------------------


def data_of(narrative: Narrative) -> dict[str, object]:
    """The narrative as plain data, for JSON."""
    log = narrative.log
    return {
        "variant": log.variant,
        "options": dict(log.options),
        "players": list(log.players),
        "mode": log.mode,
        "steps": [_step_data(step) for step in narrative.steps],
        "after": dict(narrative.after),
        **({"dealt": [[where, card] for where, card in narrative.dealt]} if narrative.dealt else {}),
        "irregular": [step.number for step in narrative.irregular],
    }


def _step_data(step: ReplayStep) -> dict[str, object]:
    found: dict[str, object] = {"step": step.number, "hand": step.hand + 1, "move": step.move.text}
    if step.dealt:
        found["dealt"] = [[where, card] for where, card in step.dealt]
    if step.before:
        found["unsaid"] = [event.action.verb for event in step.before if event.action.actor >= 0]
    found |= {"status": step.event.status, "rules": list(step.event.rules), "observed": step.observed}
    return found


# ---- as a document -----------------------------------------------------------------------------------


def document_of(narrative: Narrative) -> Iterator[Block]:
    """Return the narrative: hand by hand, the deal, and each move with its effects."""
    log, title = narrative.log, spoken().rules(narrative.graph.title)
    yield Heading(1, f"{title}{''.join(f', {name} {value}' for name, value in log.options.items())}")
    yield Paragraph(f" {say('against')} ".join(map(listed, narrative.teams)))
    if not spoken().english and (letters := suit_letters(narrative.graph)):  # of English words, in part
        yield Paragraph(say("The suits: {letters}.", letters=letters))
    if (log.score or log.position) and (narrative.steps or narrative.dealt):  # else it is that of the end
        yield Paragraph(say("Score: {score}", score=_score(narrative, narrative.before)))
    hands, ended, seen, rows = 0, True, narrative.before, list[tuple[str, tuple[Cell, ...]]]()
    for step in narrative.steps:
        if step.dealt:
            yield from _moves(rows)
            rows.clear()
            if ended:
                hands, ended = hands + 1, False
                yield Heading(2, say("Hand {number}", number=hands))
            dealing = takewhile(lambda event: not gathers(narrative.graph, event.fired), reversed(step.before))
            drawn = sum(event.action.actor == CHANCE for event in dealing)  # without a deal that was begun again
            yield Paragraph(_dealt(step.dealt[-drawn:]))
        remark = "; ".join(remarks(narrative, step, seen))
        rows.append((f"{step.number:>4}", (Cell(move_text(step.move.text)), Cell(remark))))
        seen = step.observed
        ended = ended or seen.get("hand") is not None
    yield from _moves(rows)
    if narrative.dealt:
        if ended:
            yield Heading(2, say("Hand {number}", number=hands + 1))
        yield Paragraph(_dealt(narrative.dealt))
    yield Heading(2, say("Score: {score}", score=_score(narrative, narrative.after)))
    yield items(*_ending(narrative))


def _moves(rows: Sequence[tuple[str, tuple[Cell, ...]]]) -> Iterator[Block]:
    if rows:
        yield Grid(("", "", ""), tuple(rows), narrow=True)


def _dealt(dealt: Sequence[tuple[str, str]]) -> str:
    """Return the dealt cards, by player or place."""
    piles: dict[str, list[str]] = {}
    for where, card in dealt:
        piles.setdefault(where, []).append(card)
    return " · ".join(f"{label(where)} {' '.join(cards)}" for where, cards in piles.items())


def remarks(narrative: Narrative, step: ReplayStep, before: Mapping[str, object]) -> Iterator[str]:
    """Return the effects of a move."""
    now, team = step.observed, narrative.team
    if step.event.status == "forbidden" and not step.unoffered:
        reasons = " ".join(map(narrative.prose, step.event.rules))
        yield say("FORBIDDEN: {reasons}", reasons=reasons.rstrip("."))
    elif step.event.status != "permitted":
        yield say("VOID: not offered now")
    if step.wrong:
        yield say("WRONG: {reasons}", reasons=" ".join(map(narrative.prose, step.wrong)).rstrip("."))
    if step.turned_up:
        yield " ".join(step.turned_up)
    asked, stake = now.get("proposal"), now.get("stake")
    raised = stake not in (None, OPEN, before.get("stake"))
    if asked is not None and (raised or asked != before.get("proposal")):
        yield say("asks for {it}", it=step.move.words if asked == stake else asked)  # or for more than points
    ended = gathers(narrative.graph, step.event.fired)
    playing = now.get("hand") is None and not step.dealt and not ended
    if raised and playing:
        yield say("the hand is worth {it}", it=stake)
    if (trick := now.get("trick")) is not None:
        told = say("the trick is tied") if trick in ("tie", "tied") else say("trick to {team}", team=team(trick))
        leads = now.get("leader") and now.get("hand") is None
        yield f"{told}, {say('{player} leads', player=now['leader'])}" if leads else told
    if (won := now.get("hand")) is not None and step.event.steps:
        known = won in narrative.log.players
        yield say("hand to {team}", team=team(won)) if known else say("the hand is {it}", it=say(str(won)))
    if now.get("games") != before.get("games") and now.get("winner") is None:
        yield say("the game ends at {score}", score=_score(narrative, now, "game-score"))
    if now.get("score") != before.get("score"):
        yield say("score {score}", score=_score(narrative, now))
    if (winner := now.get("winner")) is not None and before.get("winner") is None:
        yield say("the match is won by {team}", team=team(winner))


def _ending(narrative: Narrative) -> Iterator[str]:
    after = narrative.after
    if (winner := after.get("winner")) is not None:
        team = narrative.team(winner)
        one = say("{team} has won the match.", team=team)
        yield one if team == winner else say("{team} have won the match.", team=team)
    elif acting := after.get("acting"):
        assert isinstance(acting, list)
        yield say("The log ends here; it is for {players} to go on.", players=f" {say('or')} ".join(map(str, acting)))
    if narrative.ignored:
        yield say("Of no use where they stand: {keys}.", keys=", ".join(narrative.ignored))
    if wrong := narrative.irregular:
        numbers = ", ".join(str(step.number) for step in wrong)
        several = say("Not regular: moves {numbers}.", numbers=numbers)
        yield several if wrong[1:] else say("Not regular: move {number}.", number=numbers)
    doubtful = ", ".join(str(step.number) for step in narrative.steps if step.wrong)
    if doubtful:
        yield say("Permitted by the rules, but wrong: {numbers}.", numbers=doubtful)
    elif narrative.steps and not wrong:
        yield say("Every move is permitted by the rules.")


def _score(narrative: Narrative, seen: Mapping[str, object], name: str = "score") -> str:
    score = seen.get(name)
    if not isinstance(score, dict):
        return str(score)
    return ", ".join(f"{narrative.team(name)} {points}" for name, points in score.items())
