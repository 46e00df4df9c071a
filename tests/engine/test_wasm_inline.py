"""Small functions of a module are put where they are called, and nothing is worked out twice or in another order."""

from __future__ import annotations

import pytest

from truco_spec.engine.wasm.inline import inlined

GET = "(func $get (param $a i64) (result i64) (i64.load (local.get $a)))"
TWICE = "(func $twice (param $a i64) (result i64) (i64.mul (local.get $a) (local.get $a)))"
PUT = "(func $put (param $a i64) (call $write (local.get $a) (global.get $g)))"
LATE = "(func $late (param $a i64) (if (global.get $g) (then (call $write (local.get $a)))))"


@pytest.mark.parametrize(
    ("function", "before", "after"),
    [
        (GET, "(call $get (i64.const 8))", "(i64.load (i64.const 8))"),
        (
            GET,
            "(call $get (i64.add (i64.const 1) (local.get $x)))",
            "(i64.load (i64.add (i64.const 1) (local.get $x)))",
        ),
        (GET, "(call $get (call $get (local.get $x)))", "(i64.load (i64.load (local.get $x)))"),
        (TWICE, "(call $twice (local.get $x))", "(i64.mul (local.get $x) (local.get $x))"),
        (PUT, "(call $put (local.get $x))", "(call $write (local.get $x) (global.get $g))"),
    ],
)
def test_a_small_function_is_put_where_it_is_called(function: str, before: str, after: str) -> None:
    assert inlined(f"{function} (func $f {before})").endswith(f"(func $f {after})")


@pytest.mark.parametrize(
    ("function", "call"),
    [
        (TWICE, "(call $twice (call $other))"),
        (TWICE, "(call $twice (i64.load (i64.const 8)))"),
        (PUT, "(call $put (call $other))"),
        (LATE, "(call $late (call $other))"),
        ("(func $two (i32.const 1) (drop))", "(call $two)"),
        ("(func $own (local $x i64) (local.set $x (i64.const 1)))", "(call $own)"),
        ("(func $itself (call $itself ))", "(call $itself )"),
        ("(func $ends (if (global.get $g) (then (return))))", "(call $ends)"),
    ],
)
def test_others_are_called_as_before(function: str, call: str) -> None:
    text = f"{function} (func $f {call})"
    assert inlined(text) == text
