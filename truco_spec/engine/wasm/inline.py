"""Puts functions of a module's text where they are called: the runtime calls, and does not do it itself.

``(func $get (param $a i64) (result i64) (i64.load (local.get $a)))`` -> each ``(call $get (i64.const 8))`` becomes
``(i64.load (i64.const 8))``. A larger function becomes a block with locals of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_WORD = re.compile(r'\(|\)|"[^"]*"|[^\s()"]+')
_HEAD = ("export", "param", "result", "local")
_WRITES = ("local.set", "local.tee")
_GETS = ("local.get", "i64.const", "i32.const")

Node = list[Any]
"""A bracket of the text: words, and brackets within."""


@dataclass
class _Function:
    head: dict[str, list[Node]]
    body: list[Node]
    done: bool = False
    inside: int = 0
    size: int = 0
    sets: set[str] = field(default_factory=set)
    returns: bool = False

    def finish(self) -> None:
        """Set the properties that others ask for, once its body is complete."""
        for node in _every(self.body):
            self.size += node[0] not in ("then", "else")
            self.returns |= node[0] == "return"
            if node[0] in _WRITES:
                self.sets.add(node[1])
        self.done = True


def inlined(text: str, small: int, doors: Collection[str] | None = None) -> str:
    """The functions of a module, and all else in it, with functions put where they are called, if they have at
    most ``small`` instructions or are called once. Of two functions with one name the later counts.

    ``doors``: the exports that are kept; functions that none of them needs are left out.
    """
    return _Module(text, small, doors).text()


class _Module:
    """A module under work."""

    def __init__(self, text: str, small: int, doors: Collection[str] | None) -> None:
        self.small, self.others = small, list[Node]()
        self.functions: dict[str, _Function] = {}
        for number, node in enumerate(_read(text)):
            if node[0] != "func":
                self.others.append(node)
                continue
            name = node[1] if isinstance(node[1], str) else f"$door{number}"
            rest = [part for part in node[1:] if not isinstance(part, str)]
            head: dict[str, list[Node]] = {word: [part for part in rest if part[0] == word] for word in _HEAD}
            if doors is not None:
                head["export"] = [part for part in head["export"] if part[1][1:-1] in doors]
            body = [part for part in rest if part[0] not in _HEAD]
            self.functions[name] = _Function(head, body)
        calls = {name: _calls(function.body) for name, function in self.functions.items()}
        self.called = Counter(one for name in self._needed(lambda name: calls[name]) for one in calls[name])

    def _needed(self, calls: Callable[[str], list[str]]) -> set[str]:
        """The functions that are exported, and those that these call."""
        needed, open_ = set[str](), [name for name, one in self.functions.items() if one.head["export"]]
        while open_:
            name = open_.pop()
            if name not in needed:
                needed.add(name)
                open_ += calls(name)
        return needed

    def text(self) -> str:
        """The module as text again."""
        needed = self._needed(lambda name: _calls(self._finished(name, {name}).body))
        made = [_written(one) for one in self.others]
        for name, function in self.functions.items():
            if name in needed:
                head = [part for word in _HEAD for part in function.head[word]]
                made.append(_written(["func", name, *head, *function.body]))
        return "\n".join(made)

    def _finished(self, name: str, above: set[str]) -> _Function:
        """A function with others put into it."""
        function = self.functions[name]
        if not function.done:
            function.body = [self._replaced(node, function, above) for node in function.body]
            function.finish()
        return function

    def _replaced(self, node: Node, into: _Function, above: set[str]) -> Node:
        parts: Node = [part if isinstance(part, str) else self._replaced(part, into, above) for part in node]
        if parts[0] != "call" or parts[1] in above:
            return parts
        called = self._finished(parts[1], above | {parts[1]})
        once = self.called[parts[1]] == 1
        return _inside(called, parts[2:], into) if once or called.size <= self.small else parts


def _inside(called: _Function, args: Sequence[Node], into: _Function) -> Node:
    """The body of a function in the place of a call of it."""
    into.inside += 1
    mark, before, names = f"$i{into.inside}", list[Node](), dict[str, Node]()
    fixed = all(arg[0] in _GETS for arg in args) or not any(node[0] in _WRITES for node in _every(args))
    for param, arg in zip(called.head["param"], args, strict=True):
        if param[1] not in called.sets and arg[0] in _GETS and (fixed or arg[0] != "local.get"):
            names[param[1]] = arg
            continue
        names[param[1]] = ["local.get", mark + param[1][1:]]
        into.head["local"].append(["local", mark + param[1][1:], param[2]])
        before.append(["local.set", mark + param[1][1:], arg])
    for local in called.head["local"]:
        names[local[1]] = ["local.get", mark + local[1][1:]]
        into.head["local"].append(["local", mark + local[1][1:], local[2]])
        if not re.match(r"\$i\d", local[1]):  # that of a function within is set there
            before.append(["local.set", mark + local[1][1:], [f"{local[2]}.const", "0"]])
    body = [_renamed(node, names, mark) for node in called.body]
    if len(body) == 1 and not before and not called.returns:
        return body[0]
    return ["block", mark, *called.head["result"], *before, *body]


def _renamed(node: Node, names: Mapping[str, Node], label: str) -> Node:
    """A copy with other locals; what ended the function leaves the block."""
    if node[0] == "local.get":
        return names[node[1]]
    if node[0] == "return":
        node = ["br", label, *node[1:]]
    elif node[0] in _WRITES:
        node = [node[0], names[node[1]][1], *node[2:]]
    return [part if isinstance(part, str) else _renamed(part, names, label) for part in node]


def _every(nodes: Iterable[Node]) -> Iterator[Node]:
    """All brackets within."""
    open_ = list(nodes)
    while open_:
        node = open_.pop()
        yield node
        open_ += [part for part in node if not isinstance(part, str)]


def _calls(nodes: Iterable[Node]) -> list[str]:
    return [node[1] for node in _every(nodes) if node[0] == "call"]


def _read(text: str) -> list[Node]:
    """The brackets of a text."""
    found: list[Node] = [[]]
    for word in _WORD.findall(re.sub(r";;.*", "", text)):
        if word == "(":
            found.append([])
        elif word == ")":
            done = found.pop()
            found[-1].append(done)
        else:
            found[-1].append(word)
    return found[0]


def _written(node: Node) -> str:
    return f"({' '.join([part if isinstance(part, str) else _written(part) for part in node])})"
