"""The layout keeps boxes apart, edges running down, and is the same each time."""

from __future__ import annotations

import itertools
import random

import pytest

from truco_spec.pages.layered import DrawnEdge, Size, lay_out

BOX = Size(80, 40, 80, 40)


def a_graph(seed: int) -> tuple[dict[str, Size], list[DrawnEdge]]:
    rng = random.Random(seed)
    names = [f"n{i}" for i in range(rng.randint(2, 25))]
    boxes = {name: Size(w := rng.randint(40, 160), h := rng.randint(20, 70), w, h) for name in names}
    pairs = {(rng.choice(names), rng.choice(names)) for _ in range(2 * len(names))}
    return boxes, [DrawnEdge(a, b, rng.randint(0, 90), 15) for a, b in sorted(pairs) if a != b]


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(20))
def test_boxes_do_not_overlap(seed: int) -> None:
    boxes, lines = a_graph(seed)
    laid = lay_out(boxes, lines)
    frames = [(x, y, x + boxes[n].width, y + boxes[n].height) for n, (x, y) in laid.boxes.items()]
    for i, (left, top, right, bottom) in enumerate(frames):
        for other in frames[i + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(20))
def test_routes_begin_and_end_at_their_boxes(seed: int) -> None:
    boxes, lines = a_graph(seed)
    laid = lay_out(boxes, lines)
    for line, route in zip(lines, laid.routes, strict=True):
        for name, (x, y) in ((line.source, route[0]), (line.target, route[-1])):
            left, top = laid.boxes[name]
            assert left <= x <= left + boxes[name].width
            assert min(abs(y - top), abs(y - top - boxes[name].height)) < 0.01


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(20))
def test_a_layout_is_the_same_each_time(seed: int) -> None:
    assert lay_out(*a_graph(seed)) == lay_out(*a_graph(seed))


def test_an_edge_that_leads_back_runs_up() -> None:
    laid = lay_out({"a": BOX, "b": BOX}, [DrawnEdge("a", "b", 10, 10), DrawnEdge("b", "a", 10, 10)])
    assert laid.boxes["a"][1] < laid.boxes["b"][1]
    assert laid.routes[1][0][1] > laid.routes[1][-1][1]


@pytest.mark.long
def test_a_long_chain_is_no_trouble() -> None:
    names = [f"n{i}" for i in range(1100)]
    laid = lay_out(dict.fromkeys(names, BOX), [DrawnEdge(a, b, 10, 10) for a, b in itertools.pairwise(names)])
    assert len({y for _, y in laid.boxes.values()}) == 1100


def test_nothing_at_all_can_be_laid_out() -> None:
    assert lay_out({}, []).boxes == {}
