"""Sets of numbers, wherever their numbers begin: every union and difference of some, asked for its size and members."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tiny import linked

from truco_spec.engine.game import Game

SETS = ({1}, {2}, {3}, {5}, {1, 3}, {2, 4})


def questions() -> Iterator[tuple[str, int]]:
    """An expression and its value, by Python's sets."""
    others = [(written(other), other) for other in SETS] + [(str(number), {number}) for number in (1, 2, 3, 5)]
    for one, (text, other), sign in product(SETS, others, "+-"):
        found = one | other if sign == "+" else one - other
        yield f"size({written(one)} {sign} {text})", len(found)
        yield from ((f"{number} in {written(one)} {sign} {text}", number in found) for number in range(1, 6))


def written(numbers: set[int]) -> str:
    return f"{{{', '.join(map(str, sorted(numbers)))}}}"


def test_unions_and_differences_are_those_of_the_numbers() -> None:
    asked = {f"q-{'x' * at}": (text, value) for at, (text, value) in enumerate(questions(), start=1)}
    game = Game(linked("\n".join(f'define {q} @decided:tiny "." = {text}' for q, (text, _) in asked.items())))
    assert [text for q, (text, value) in asked.items() if game.ask(q) != value] == []
