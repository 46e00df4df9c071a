"""The functions of a graph's module are compiled when they are first called."""

from __future__ import annotations

from types import FunctionType

import pytest

from truco_spec.engine.support import LazyModule

TEXT = """LIMIT = 3
later = None
def double(v, a):
  return 2 * a if a < LIMIT else table(v, a)
def table(v, a):
  return [sum(x for x in range(a + 1)), v][0]
def broken(v):
  return 1 / v
"""


def code_of(space: dict[str, object], name: str) -> str:
    function = space[name]
    assert isinstance(function, FunctionType)
    return function.__code__.co_name


def test_a_function_has_its_code_from_the_first_call_on_wherever_it_is_held() -> None:
    space: dict[str, object] = {}
    LazyModule(TEXT).run(space)
    double = space["double"]
    assert isinstance(double, FunctionType)
    assert (code_of(space, "double"), code_of(space, "table")) == ("_wakes", "_wakes")
    assert double(0, 2) == 4
    assert (code_of(space, "double"), code_of(space, "table")) == ("double", "_wakes")
    assert [double(0, 4), double(0, 4)] == [10, 10]
    assert code_of(space, "table") == "table"
    assert space["double"] is double
    assert space["later"] is None


def test_two_namespaces_share_the_code_and_nothing_else() -> None:
    module = LazyModule(TEXT)
    one: dict[str, object] = {}
    other: dict[str, object] = {}
    module.run(one)
    assert one["double"](0, 4) == 10  # type: ignore[operator]
    module.run(other)
    assert code_of(other, "double") == "double"
    other["LIMIT"] = 5
    assert (one["double"](0, 4), other["double"](0, 4)) == (10, 8)  # type: ignore[operator]
    LazyModule("double = None\ndef double(v, a):\n  return -a\n").run(other)
    assert (one["double"](0, 4), other["double"](0, 4)) == (10, -4)  # type: ignore[operator]


def test_what_a_patch_leaves_is_compiled_after_it_all_the_same() -> None:
    space: dict[str, object] = {}
    LazyModule(TEXT).run(space)
    LazyModule("def double(v, a):\n  return -a\n").run(space)
    assert space["table"](0, 4) == 10  # type: ignore[operator]
    assert space["double"](0, 4) == -4  # type: ignore[operator]


def test_an_error_of_a_function_is_its_own() -> None:
    space: dict[str, object] = {}
    LazyModule(TEXT).run(space)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            space["broken"](0)  # type: ignore[operator]
    with pytest.raises(TypeError, match="broken"):
        space["broken"]()  # type: ignore[operator]
