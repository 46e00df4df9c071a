"""Puts small functions of a module's text where they are called: the runtime calls, and does not do it itself.

``(func $get (param $a i64) (result i64) (i64.load (local.get $a)))`` -> each ``(call $get (i64.const 8))`` becomes
``(i64.load (i64.const 8))``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import NamedTuple

LONGEST = 300
"""Letters of a function that is put where it is called."""
PASSES = 2
_HEAD = re.compile(r"\(func \$(\w+)((?: ?\((?:export|param|result) [^)]*\))*)\s*")
_CALL = re.compile(r"\(call \$(\w+)(?= |\))")
_BRACKET = re.compile(r"[()]")
_LOCAL = re.compile(r"\(local\.get \$(\w+)\)")
_SIMPLE = ("(local.get", "(i64.const", "(i32.const")
_WRITES = re.compile(r"\(call|\(global|store|\(local\.(set|tee)")
_LARGER = re.compile(r"\(local \$|\(local\.set|\(local\.tee|\(return|\(loop")


class _Small(NamedTuple):
    """A function without locals whose body is one expression; ``pure`` if that calls and writes nothing."""

    params: list[str]
    body: str
    pure: bool


def inlined(text: str) -> str:
    """The text of a module with small functions put where they are called."""
    for _ in range(PASSES):
        text = _replaced(text, _small(text))
    return text


def _small(text: str) -> dict[str, _Small]:
    found = {}
    for head in _HEAD.finditer(text):
        body, end = _parts(text, head.end(), 1, LONGEST + 1)
        itself = f"(call ${head[1]} "
        if len(body) == 1 and len(body[0]) <= LONGEST and text[end] == ")" and not _LARGER.match(body[0]):
            only = body[0]
            if not _LARGER.search(only) and itself not in only:
                pure = "(call" not in only and "(global" not in only and "store" not in only
                found[head[1]] = _Small(re.findall(r"\(param \$(\w+) ", head[2]), only, pure)
    return found


def _replaced(text: str, small: Mapping[str, _Small]) -> str:
    found, at = list[str](), 0
    while call := _CALL.search(text, at):
        found.append(text[at : call.start()])
        one = small.get(call[1])
        if one is None:
            found.append(call[0])
            at = call.end()
            continue
        args, end = _parts(text, call.end())
        args, at = [_replaced(arg, small) for arg in args], end + 1
        given = dict(zip(one.params, args, strict=True))
        if _fit(one, given):
            found.append(_LOCAL.sub(lambda use, given=given: given[use[1]], one.body))  # type: ignore[misc]
        else:
            found.append(f"(call ${call[1]} {' '.join(args)})")
    return "".join([*found, text[at:]])


def _fit(one: _Small, given: Mapping[str, str]) -> bool:
    """Whether arguments can be worked out where the body reads them: not more than once, nor later than they were, if
    they are more than a local or a constant.
    """
    larger = {name: arg for name, arg in given.items() if not arg.startswith(_SIMPLE)}
    if not larger:
        return True
    once = one.pure and all(one.body.count(f"(local.get ${name})") == 1 for name in larger)
    writes = any(_WRITES.search(arg) for arg in larger.values())
    return once and (not writes or (len(larger) == 1 and "(if" not in one.body))


def _parts(text: str, at: int, most: int = sys.maxsize, longest: int = sys.maxsize) -> tuple[list[str], int]:
    """The expressions from a place up to a closing bracket, at most ``most`` of them, and the place after them. One
    that has more letters than ``longest`` is cut off there.
    """
    found = list[str]()
    while True:
        while text[at] in " \n":
            at += 1
        if text[at] != "(" or len(found) == most:
            return found, at
        depth, begin = 0, at
        at = min(begin + longest, len(text))
        for bracket in _BRACKET.finditer(text, begin, at):
            depth += 1 if bracket[0] == "(" else -1
            if not depth:
                at = bracket.end()
                break
        found.append(text[begin:at])
