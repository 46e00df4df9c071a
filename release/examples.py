"""Chooses the examples of the books and keeps them: ``conformance/examples.yaml``.

``python -m release.examples [VARIANT…]``: for each rule of a game the case that turns on it best. One that is listed
is kept while it turns on its rule, so that a better one may be put there by hand; one that is taken out is chosen
again.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Mapping

from truco_spec.base import shipped
from truco_spec.base.shipped import variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import book_of
from truco_spec.books.finding import Examples, listed_examples
from truco_spec.graph.load import load

COMMAND = "python -m release.examples"
_HEAD = f"""\
# The examples of the books: for each rule of a game a case that turns on it. Written by {COMMAND};
# another case may be put here by hand, and is kept while it turns on the rule.
"""


def chosen(variant: str) -> dict[str, str]:
    """The examples of the book of a game, as in the file."""
    book = book_of(load(variant), Words())
    entries = [entry for section in book.sections for entry in section.entries]
    found = Examples(load(variant)).chosen(entries)
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
