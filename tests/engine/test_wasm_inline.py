"""Functions of a module are put where they are called, and nothing is worked out twice or in another order."""

from __future__ import annotations

import re

import pytest

from truco_spec.engine.wasm.inline import inlined

GET = "(func $get (param $a i64) (result i64) (i64.load (local.get $a)))"
SET = "(func $set (param $a i64) (local.set $a (i64.add (local.get $a) (i64.const 1))) (call $far (local.get $a)))"
OWN = "(func $own (result i64) (local $x i64) (local.set $x (i64.add (local.get $x) (i64.const 1))) (local.get $x))"
ENDS = "(func $ends (if (global.get $g) (then (return))) (nop))"
GIVES = "(func $gives (result i64) (return (i64.const 1)))"


def caller(function: str, body: str, small: int = 10) -> str:
    """A function that calls another twice, after that was put into it."""
    text = f'{function} (func $far (param $a i64) (call $far (local.get $a))) (func $f (export "f") {body} {body})'
    found = re.search(r"\(func \$f .*", inlined(text, small))
    assert found
    return found[0]


@pytest.mark.parametrize(
    ("function", "before", "after"),
    [
        (GET, "(call $get (i64.const 8))", "(i64.load (i64.const 8))"),
        (GET, "(call $get (local.get $x))", "(i64.load (local.get $x))"),
        (
            GET,
            "(call $get (i64.load (i64.const 8)))",
            "(block $i1 (result i64) (local.set $i1a (i64.load (i64.const 8))) (i64.load (local.get $i1a)))",
        ),
        (
            SET,
            "(call $set (i64.const 8))",
            "(block $i1 (local.set $i1a (i64.const 8)) (local.set $i1a (i64.add (local.get $i1a) (i64.const 1))) (call",
        ),
        (
            OWN,
            "(call $own)",
            "(local.set $i1x (i64.const 0)) (local.set $i1x (i64.add (local.get $i1x) (i64.const 1))) (local.get $i1x)",
        ),
        (ENDS, "(call $ends)", "(block $i1 (if (global.get $g) (then (br $i1))) (nop))"),
        (GIVES, "(call $gives)", "(block $i1 (result i64) (br $i1 (i64.const 1)))"),
    ],
)
def test_a_small_function_is_put_where_it_is_called(function: str, before: str, after: str) -> None:
    assert after in caller(function, before)
    assert before not in caller(function, before)


def test_an_argument_that_is_a_local_is_read_before_another_argument_writes_it() -> None:
    both = "(func $both (param $a i64) (param $b i64) (result i64) (i64.sub (local.get $b) (local.get $a)))"
    found = caller(both, "(call $both (local.get $x) (local.tee $x (i64.const 1)))")
    assert "(local.set $i1a (local.get $x)) (local.set $i1b (local.tee $x (i64.const 1)))" in found


def test_a_large_function_is_called_and_one_that_is_called_once_is_not() -> None:
    assert caller(OWN, "(call $own)", small=2).count("(call $own)") == 2
    only = inlined(f'{OWN} (func $f (export "f") (result i64) (call $own))', 2, ["f"])
    assert "(call" not in only
    assert "$own" not in only


def test_a_function_that_calls_itself_is_left_alone() -> None:
    assert "(call $far (i64.const 1))" in caller(GET, "(call $far (i64.const 1))")


def test_what_no_door_needs_is_left_out() -> None:
    text = f'{GET} (func $f (export "f") (nop)) (func $h (export "h") (drop (call $get (i64.const 1))))'
    assert inlined(text, 10, ["f"]) == '(func $f (export "f") (nop))'


def test_of_two_functions_with_one_name_the_later_counts() -> None:
    text = '(func $a (nop)) (func $a (unreachable)) (func $f (export "f") (call $a))'
    assert inlined(text, 10, ["f"]) == '(func $f (export "f") (unreachable))'
