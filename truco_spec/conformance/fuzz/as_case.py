"""Writes a failing script as a case of the corpus, which passes with the reference engine and shows the failure."""

from __future__ import annotations

from typing import Any

import yaml

from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import filling
from truco_spec.conformance.corpus.cases import CORPUS_VERSION, Case, Level
from truco_spec.conformance.corpus.protocol import HandScript, Script
from truco_spec.conformance.corpus.scripts import START, Check, MustOffer, MustPermit, MustRefuse, MustSee, MustShow
from truco_spec.conformance.fuzz.trial import CHANGED, Failure
from truco_spec.graph.model import DECIDED

_WIDTH = 110
ANSWER = "protocol:every-request-is-answered"
"""The citation of a case without an answer: the protocol, no rule of the game."""


def file_of(case: dict[str, Any], variant: str) -> str:
    """A file of this one case; its first clause determines the source."""
    source = case["clauses"][0].partition(":")[0]
    document = {"corpus": CORPUS_VERSION, "source": source, "applies": {"variants": [variant]}, "cases": [case]}
    return str(yaml.safe_dump(document, sort_keys=False, default_flow_style=None, width=_WIDTH, allow_unicode=True))


def places(script: Script) -> set[str]:
    """Where a card can lie other than with a player."""
    return set(filling.script_graph(script).data)


def case_text(failure: Failure, name: str, note: str = "", like: Case | None = None) -> str:
    """Write a file of one case in the format of the corpus: it passes with the reference engine and shows this failure.

    ``name`` is its id. It cites the clauses and decisions of the deciding rules; of these, the ones that the case it is
    ``like`` cites too, if any. Without an answer it cites only the protocol.
    """
    script = failure.script
    clauses, decisions = _bearing(failure, like)
    case: dict[str, Any] = {"id": name, "title": _title(failure), "clauses": clauses}
    case |= {"decisions": decisions} if decisions else {}
    case["level"] = _level(script, decisions, like)
    case |= {"options": dict(script.options)} if script.options else {}
    numbered = script.players == tuple(f"P{n}" for n in range(len(script.players)))
    case["players"] = len(script.players) if numbered else list(script.players)
    case |= {"score": dict(script.score)} if script.score else {}
    case["dealer"] = script.dealer
    case["deal"] = _deal(script, script.hands[0])
    case |= {"note": note} if note else {}
    case["moves"] = _moves(failure)
    return file_of(case, script.variant)


def _level(script: Script, decisions: list[str], like: Case | None) -> Level:
    """The proposed level: that of the case it is like, where its options and decisions still apply."""
    proposed: Level = "option" if script.options else "decided" if decisions else "must"
    return "must" if like is not None and like.entry.level == "must" else proposed


def _bearing(failure: Failure, like: Case | None) -> tuple[list[str], list[str]]:
    """The clauses and decisions relevant to a failure."""
    if failure.check is None:
        return [ANSWER], []
    cites = _cites(failure)
    clauses = [f"{source}:{clause}" for source, clause in cites if source != DECIDED]
    decisions = [clause for source, clause in cites if source == DECIDED]
    if like is not None:
        told = failure.decided.cited(filling.script_graph(failure.script))
        cited = {f"{cite.source}:{cite.clause}" for cite in told}
        own = [clause for clause in like.clauses if clause in cited]
        own_decisions = [name for name in like.entry.decisions if name in decisions]
        if own or not cites:
            return own or list(like.clauses), own_decisions
    return clauses or _resolved(failure.script, decisions) or [ANSWER], decisions


def clauses_of(failure: Failure) -> tuple[str, ...]:
    """The citations of the deciding rules and of the answers they used, including decisions."""
    return tuple(f"{source}:{clause}" for source, clause in _cites(failure))


def _cites(failure: Failure) -> tuple[tuple[str, str], ...]:
    return failure.decided.cites(filling.script_graph(failure.script))


def _resolved(script: Script, decisions: list[str]) -> list[str]:
    """Resolve decisions: the clauses and gaps behind a step that rests on our own readings alone."""
    held = filling.script_graph(script).decisions
    return [f"{cite.source}:{cite.clause}" for name in decisions if name in held for cite in held[name].resolves]


def _title(failure: Failure) -> str:
    actions = failure.script.hands[-1].actions
    last = actions[-1].text if actions else "the deal"
    if failure.check is not None and actions and failure.check.at.action == START:
        return f"Before {last}: {failure.expected}"
    if failure.check is None:
        return f"After {last} there is an answer"
    told = isinstance(failure.check, (MustPermit, MustRefuse))
    return failure.expected if told else f"After {last}: {failure.expected}"


def _deal(script: Script, hand: HandScript) -> dict[str, str]:
    """The hands and the turned card; the order of the pack follows from them."""
    told = {*script.players, *places(script)}
    return {key: " ".join(cards) for key, cards in hand.deal.items() if key in told}


def _moves(failure: Failure) -> list[Any]:
    """The steps of the case: moves played, refusals on the way, and finally the step that differed."""
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
        if check is not None and (check.at.hand, check.at.action) == (at, START):
            steps += _expectation(check)
        for number, action in enumerate(hand.actions):
            last = check is not None and (check.at.hand, check.at.action) == (at, number)
            if last and isinstance(check, MustPermit) and failure.kind != CHANGED:
                flush()
                steps.append({"allowed": action.text})
            elif (at, number) in refused:
                flush()
                steps.append({"refused": action.text})
            else:
                played.append(action.text)
    flush()
    return steps if check is None or check.at.action == START else steps + _expectation(check)


def _expectation(check: Check) -> list[Any]:
    match check:
        case MustShow(_, key, value):
            return [{"expect": {key: value}}]
        case MustOffer(_, player, texts):
            return [{"legal": {player: list(texts)}}]
        case MustSee(_, seat, sees, hides):
            return [{"view": {"seat": seat, "sees": " ".join(sees), "hides": " ".join(hides)}}]
    return []


def _refused(script: Script) -> set[tuple[int, int]]:
    """The actions that the reference engine refuses."""
    right = Reference()
    right.asked = frozenset()
    return {
        (at, number)
        for at, hand in enumerate(right.run(script))
        for number, entry in enumerate(hand.seen)
        if entry.get("refused")
    }
