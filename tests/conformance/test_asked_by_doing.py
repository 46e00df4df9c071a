"""What the corpus asks by ``legal`` it also asks by doing: who cannot list the moves is asked it all the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.cases import Allowed, Case, Legal, Refused

TELLING = {"tengo", "paso", "son-buenas"}
"""How points are told: which of the words is said depends on the other counts, and the result shows who has more."""


@dataclass
class Done:
    """What players do in the cases of a clause: what is taken, and what is refused."""

    taken: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)


def words(moves: str) -> Iterator[str]:
    """The words that are said; cards are none."""
    for move in moves.split(","):
        _, _, said = move.strip().partition(" ")
        yield from (said.split()[:1] if said != said.upper() else ())


def done(cases: tuple[Case, ...]) -> dict[str, Done]:
    """By clause."""
    found: dict[str, Done] = defaultdict(Done)
    for case in cases:
        for step in case.entry.moves:
            for clause in case.clauses:
                match step:
                    case str():
                        found[clause].taken |= set(words(step))
                    case Allowed():
                        found[clause].taken |= set(words(step.allowed))
                    case Refused():
                        found[clause].refused |= set(words(step.refused)) or {"card"}
    return found


def missing(case: Case, by_clause: dict[str, Done]) -> set[str]:
    """The words of its ``legal`` that no case of its clauses says; and whether none of these has anything refused."""
    listed = {
        word
        for step in case.entry.moves
        if isinstance(step, Legal)
        for texts in step.legal.values()
        for text in texts
        if text not in ("cards", "covers")
        for word in words(f"P0 {text}")
    }
    clauses = [by_clause[clause] for clause in case.clauses if ":option." not in clause] or [
        by_clause[clause] for clause in case.clauses
    ]
    taken = {word for clause in clauses for word in clause.taken}
    if listed & TELLING:
        return (listed & {"tengo"}) - taken
    return listed - taken | (set() if any(clause.refused for clause in clauses) else {"(nothing is refused)"})


def test_what_a_case_asks_by_legal_another_of_its_clauses_asks_by_doing() -> None:
    cases = corpus.load()
    by_clause = done(cases)
    found = {case.id: missing(case, by_clause) for case in cases if any(isinstance(s, Legal) for s in case.entry.moves)}
    assert len(found) > 100
    assert {name: words for name, words in found.items() if words} == {}


def test_what_is_asked_by_legal_alone_is_noticed() -> None:
    cases = corpus.load()
    alone = {clause: Done() for case in cases for clause in case.clauses}
    (case,) = [case for case in cases if case.id == "pagat-truco-09"]
    assert missing(case, alone) == {"corro", "aceito", "vale-6", "(nothing is refused)"}
