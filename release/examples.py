"""Chooses the examples of the books and keeps them: ``conformance/examples.yaml``.

``python -m release.examples [VARIANT…]``: for each rule of a game the case that turns on it best. One that is listed
is kept while it turns on its rule, so that a better one may be put there by hand; one that is taken out is chosen
again.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import BookEntry, book_of
from truco_spec.books.examples import is_part
from truco_spec.books.finding import Examples, OneGame, PlayedExample, Turning, listed_examples
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.fit.mutants import Mutant, mutants_in, mutated
from truco_spec.conformance.runner.judge import judge
from truco_spec.graph.link import linked
from truco_spec.graph.linking.rebuild import rebuild
from truco_spec.graph.load import load
from truco_spec.graph.model import Graph

COMMAND = "python -m release.examples"
_HEAD = f"""\
# The examples of the books: for each rule of a game a case that turns on it. Written by {COMMAND};
# another case may be put here by hand, and is kept while it turns on the rule.
"""


MOST_CHANGES = 8
"""Changes of a rule that the cases are tried with, those first that leave the most out."""


class Chooser(Examples):
    """Finds for each rule a case that fails once the rule is changed or left out, where any case does so."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self._mutants = mutants_in(linked(graph.name))

    def chosen(self, entries: Sequence[BookEntry]) -> dict[str, Turning]:
        """The cases to be listed: those that are where they turn on their rule, or no case does so."""

        def fitting(entry: BookEntry) -> list[Turning]:
            listed = [self._turning(entry, played) for played in self._listed(entry)]
            if any(one.noticed for one in listed):
                return listed
            best = self._best(entry)
            return [*best, *listed] if not listed or any(one.noticed for one in best) else listed

        return self._assigned(entries, fitting)

    def turning(self, entry: BookEntry, case: str) -> Turning | None:
        """How a case turns on a rule; None if it does not hold here, or does not show it."""
        played = self._play(self._known[case]) if case in self._known else None
        if played is None or self._shown(entry.name, played) is None:
            return None
        return self._turning(entry, played)

    def _noticed(self, entry: BookEntry, played: PlayedExample) -> frozenset[int]:
        of = [change for change in self._mutants if is_part(self.graph, entry.name, change.statement.name)]
        changes = sorted(of, key=lambda change: change.deep)[:MOST_CHANGES]
        return frozenset(number for number, change in enumerate(changes) if _fails(played, change))


def _fails(played: PlayedExample, change: Mutant) -> bool:
    """Whether a case fails once the rule is changed; not if it is no game any more."""
    graph, before = played.graph, linked(played.graph.name)
    try:
        options = {name: option.value for name, option in graph.options.items()}
        engine = OneGame(rebuild(mutated(before, [change]), before, graph, options))
        plan = ready.as_written(played.instance)
        engine.asked = filling.asked_of(plan)
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
    except (TrucoError, Broken, LookupError):
        return False
    findings = judge(plan, answers, engine.hello(), dict(enumerate(answers)))
    return any(finding.outcome == "failed" for finding in findings)


def chosen(variant: str) -> dict[str, str]:
    """The examples of the book of a game, as in the file."""
    book = book_of(load(variant), Words())
    entries = [entry for section in book.sections for entry in section.entries]
    found = Chooser(load(variant)).chosen(entries)
    return {name: one.case for name, one in found.items()}


def written(examples: Mapping[str, Mapping[str, str]]) -> str:
    """The text of the file."""
    lines = [
        f"{game}:\n" + "".join(f"  {name}: {case}\n" for name, case in of.items()) for game, of in examples.items()
    ]
    return _HEAD + "\n".join(lines)


def main() -> int:
    """Choose, and write the file."""
    parser = ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="only these games")
    given = parser.parse_args()
    found = dict(listed_examples())
    for variant in given.variants or variant_names():
        found[variant] = chosen(variant)
        text = written({name: found[name] for name in variant_names() if name in found})
        (shipped.folder("conformance") / "examples.yaml").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
