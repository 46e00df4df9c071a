"""The result of a fit: causes, unexplained differences, and which of several games an implementation plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from truco_spec.base.project import playable_names
from truco_spec.conformance.adapters.pipe import Implementation
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.protocol import Introduction, cut_short
from truco_spec.conformance.fit.evidence import Evidence, Reply, evenly_chosen, gather, of_cases, setting_of
from truco_spec.conformance.fit.hypothesis import (
    Hypothesis,
    Mismatch,
    Mutants,
    difference,
    mutants_of_variant,
    played,
)
from truco_spec.conformance.fuzz.trial import MOST_SILENT
from truco_spec.conformance.runner.deciding import Decided

SAMPLE, FIRST = 16, 5
"""How many scripts each game is asked, to see which one is played; and how many of them before any is answered."""


@dataclass(frozen=True, slots=True)
class FitCause:
    """A change of the rules that explains differences: ``scripts`` agree with it to the end, or further than before.

    ``option`` is set with its ``value`` where an option does, and ``claim`` to the key of hello where that should have
    said so; else ``mutant``, by number. ``others`` explain the same. ``shortest`` is the script that
    shows it in the fewest actions, and ``difference`` what it shows; ``other_values`` of options explain the same.
    """

    scripts: tuple[int, ...]
    shortest: int
    difference: Mismatch
    option: str = ""
    value: str = ""
    mutant: int = -1
    others: tuple[int, ...] = ()
    other_values: tuple[str, ...] = ()
    claim: str = ""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Unexplained differences of one kind."""

    scripts: tuple[int, ...]
    shortest: int
    difference: Mismatch
    decided: Decided


@dataclass(slots=True)
class Fit:
    """The explanation of the evidence.

    ``habits`` are causes that are no rules. ``settled`` options have a value that a script tells from
    its others; of ``open`` ones no script does, nor of ``hidden`` ones, about which some scripts differ before they
    could. ``agreeing`` scripts need no explanation; those with ``cured`` numbers agree with the hypothesis; ``tried``
    counts hypotheses, and ``asked`` the hands that were asked to tell equal explanations apart. It is ``refuted`` if
    they alone are not explained. ``beyond`` tells what was not looked at since enough was tried. ``stopped`` is why the
    search ended early: then what was taken is not doubted yet.
    """

    evidence: Evidence
    hypothesis: Hypothesis
    agreeing: int = 0
    cured: frozenset[int] = frozenset()
    habits: list[FitCause] = field(default_factory=list)
    options: list[FitCause] = field(default_factory=list)
    causes: list[FitCause] = field(default_factory=list)
    unexplained: list[Unexplained] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    tried: int = 0
    asked: int = 0
    refuted: bool = False
    beyond: list[str] = field(default_factory=list)
    stopped: BaseException | None = None

    @property
    def mutants(self) -> Mutants:
        """The mutants by the numbers of causes."""
        return mutants_of_variant(self.hypothesis.variant)

    @property
    def explained(self) -> bool:
        """Whether options alone explain everything."""
        left = self.causes or self.unexplained or self.evidence.unsteady or self.evidence.silent
        return not (left or self.stopped)


def plain_hypothesis(evidence: Evidence) -> Hypothesis:
    """Return the hypothesis of its claims, with the initial assumptions."""
    setting = evidence.setting
    own = {**setting.plays.own(len(setting.players)), **setting.options, **dict(evidence.options)}
    return Hypothesis(setting.variant, len(setting.players), tuple(sorted(own.items())), evidence.changes)


def script_of(evidence: Evidence, found: FitCause | Unexplained) -> str:
    """Return the shortest script that shows it, up to the difference, as notation."""
    reply, difference = evidence.replies[found.shortest], found.difference
    script = reply.whole or reply.script
    return filling.notation(script if difference.check is None else cut_short(script, difference.at))


# ---- which game ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that an implementation may play, and how many of the scripts sent agree with its rules."""

    variant: str
    players: int
    agreeing: int
    asked: int


def candidates_of(introduction: Introduction, variant: str, players: int) -> list[tuple[str, int]]:
    """The games to choose from: those that are claimed, or else all at hand, by the number of players, first the number
    that most play it by.
    """
    found = []
    for name in [variant] if variant else [*introduction.variants] or playable_names():
        counts = introduction.plays(name).players
        if not counts:
            rules = ready.rules_of(name)
            counts = tuple(dict.fromkeys((rules.seats, *rules.plays.players)))
        found += [(name, count) for count in ((players,) if players else counts)]
    return found


def ranked(
    implementation: Implementation,
    candidates: Sequence[tuple[str, int]],
    asked: Mapping[str, str],
    on_step: Callable[[str], None] = lambda name: None,
) -> list[Candidate]:
    """Ask some scripts of each game; the game that most of them go by comes first. No more is asked of a game of which
    the first are not answered: another game, or number of players, may be.

    Games are held against the same answers: what was asked for one of them, and is played by as many, is compared with
    the rules of each, so that none is chosen since little of it was asked.
    """
    introduction, replied, waited = implementation.hello(), dict[tuple[str, int], Evidence](), 0
    for variant, players in candidates:
        on_step(f"{variant} {players}")
        setting = setting_of(introduction, variant, players, asked)
        scripts = evenly_chosen(list(of_cases(introduction, setting)), SAMPLE)  # the first ones are about one thing
        evidence = gather(implementation, setting, scripts[:FIRST])
        if evidence.replies:
            evidence.replies += gather(implementation, setting, scripts[FIRST:]).replies
        replied[variant, players] = evidence
        waited += evidence.silent["timeout"]
        if waited >= MOST_SILENT and not any(each.replies for each in replied.values()):
            break  # it answers nothing, whatever it is asked
    found = list[Candidate]()
    for (variant, players), evidence in replied.items():
        replies = [reply for (_, count), each in replied.items() if count == players for reply in each.replies]
        plain = plain_hypothesis(evidence)
        agreeing = sum(_goes_by(plain, reply, introduction) for reply in replies) if evidence.replies else 0
        found.append(Candidate(variant, players, agreeing, len(replies)))
    return sorted(found, key=lambda each: -each.agreeing)


def _goes_by(plain: Hypothesis, reply: Reply, introduction: Introduction) -> bool:
    """Whether a reply agrees with rules by which something is played of its script; where they wait for another card
    than it deals, nothing is.
    """
    reply = replace(reply, script=replace(reply.script, variant=plain.variant))
    game = played(plain, reply, introduction)
    if isinstance(game, Mismatch) or all(entry.get("refused") for hand in game[1] for entry in hand.seen):
        return False
    return difference(plain, reply, introduction) is None
