"""Grammar to parse table: Lark builds the LALR(1) automaton of ``truco.lark``, strictly, and it is kept as plain data.

``python -m truco_spec.language.compile_table`` writes ``grammar/truco.table.json``. Reading a text then needs no
Lark, and starts in a few milliseconds. The table names each state by what has been read when it is reached (its
*items*), which is what messages are found by; the numbers of the states mean nothing and change with the grammar.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.parsers.lalr_analysis import LALR_Analyzer, Shift

from truco_spec import shipped
from truco_spec.language.table import fingerprint


def grammar_text() -> str:
    """The text of ``grammar/truco.lark``."""
    return (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")


def build_lark(grammar: str) -> Lark:
    """Lark's own parser: LALR(1), strict, so that no conflict, of rules or of terminals, is resolved silently."""
    return Lark(grammar, parser="lalr", strict=True, propagate_positions=True, maybe_placeholders=True)


def compile_table(grammar: str) -> dict[str, Any]:
    """The table of a grammar as plain data; the same grammar always gives the same table."""
    lark = build_lark(grammar)
    analysis = LALR_Analyzer(lark.parser.parser_conf, debug=True, strict=True)
    analysis.compute_lalr()  # type: ignore[no-untyped-call]  # Lark leaves it so
    parse_table = analysis.parse_table
    assert parse_table is not None
    number = {rule: index for index, rule in enumerate(lark.rules)}
    kernels = {itemset.closure: itemset.kernel for itemset in analysis.lr0_itemsets}

    start = parse_table.start_states["start"]
    found, index_of = [start], {start: 0}
    for state in found:
        for _, (kind, to) in sorted(parse_table.states[state].items(), key=lambda entry: entry[0]):
            if kind is Shift and to not in index_of:
                index_of[to] = len(found)
                found.append(to)

    terminal_names = [*sorted(t.name for t in lark.terminals if t.name not in lark.ignore_tokens), "$END"]
    terminals = set(terminal_names)
    actions, gotos, items = [], [], []
    for state in found:
        act, go = {}, {}
        for symbol, (kind, to) in sorted(parse_table.states[state].items(), key=lambda entry: entry[0]):
            if symbol not in terminals:
                go[symbol] = index_of[to]
            else:
                act[symbol] = index_of[to] if kind is Shift else -1 - number[to]
        actions.append(act)
        gotos.append(go)
        items.append(sorted([number[i.rule], i.index] for i in kernels[state] if i.rule in number))
    return {
        "about": "Generated from truco.lark by `python -m truco_spec.language.compile_table`; not to be edited.",
        "fingerprint": fingerprint(grammar),
        "words": _words(lark),
        "signs": _signs(lark),
        "terminals": terminal_names,
        "rules": [_rule(rule) for rule in lark.rules],
        "end": index_of[parse_table.end_states["start"]],
        "actions": actions,
        "gotos": gotos,
        "items": items,
    }


def _words(lark: Lark) -> dict[str, list[str]]:
    """Each keyword with the terminals it can be, those with priority first; groups are taken from their patterns."""
    words: dict[str, list[str]] = {}
    for terminal in sorted(lark.terminals, key=lambda t: (-t.priority, t.name)):
        pattern = terminal.pattern.value
        group = re.fullmatch(r"\(([a-z |]+)\)\(\?!.*\)", pattern)
        if group:
            for word in group[1].split("|"):
                words.setdefault(word, []).append(terminal.name)
        elif terminal.pattern.type == "str" and pattern.isalpha():
            words.setdefault(pattern, []).append(terminal.name)
    return dict(sorted(words.items()))


def _signs(lark: Lark) -> dict[str, list[str]]:
    """Each sign with the terminals it can be."""
    signs: dict[str, list[str]] = {}
    for terminal in sorted(lark.terminals, key=lambda t: t.name):
        pattern = terminal.pattern.value
        if terminal.pattern.type == "str" and not pattern.isalpha():
            signs.setdefault(pattern, []).append(terminal.name)
        elif terminal.name == "SIGN":
            for sign in "+-":
                signs.setdefault(sign, []).append(terminal.name)
    return dict(sorted(signs.items()))


def _rule(rule: Rule) -> dict[str, Any]:
    """A production, and which of its parts the tree keeps.

    ``take`` lists what a node is built from: ``n``, the part at n; ``-1``, nothing (an optional part that is absent);
    ``-2 - n``, the items of the list at n. ``as`` names the method of :class:`~truco_spec.language.build.Build` that
    builds it; it is empty for a helper list, and None where the one part kept is handed on as it is.
    """
    name = rule.origin.name
    take = list(_taken(rule))
    built: str | None = rule.alias or name
    if name.startswith("_"):
        built = ""
    elif rule.options.expand1 and not rule.alias and len(take) == 1:
        built = None
    return {"of": name, "as": built, "parts": [s.name for s in rule.expansion], "take": take}


def _taken(rule: Rule) -> Iterable[int]:
    """As Lark's own tree builder does it: filtered tokens left out, placeholders for what is absent, lists opened."""
    absent = [len(run) for run in "".join(str(int(b)) for b in rule.options.empty_indices).split("0")]
    if not rule.options.empty_indices:
        absent = [0] * (len(rule.expansion) + 1)
    for index, symbol in enumerate(rule.expansion):
        yield from [-1] * absent[index]
        if not symbol.is_term:
            yield -2 - index if symbol.name.startswith("_") else index
        elif rule.options.keep_all_tokens or not getattr(symbol, "filter_out", False):
            yield index
    yield from [-1] * absent[-1]


def as_text(table: dict[str, Any]) -> str:
    """The table as JSON, a line for each state and rule, so that a change of the grammar shows as a difference."""
    lines = []
    for key, value in table.items():
        if isinstance(value, list) and key != "terminals":
            rows = ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in value)
            lines.append(f'"{key}": [\n  {rows}\n]')
        else:
            lines.append(f'"{key}": {json.dumps(value, separators=(",", ":"))}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write the table next to the grammar."""
    target = shipped.folder("grammar") / "truco.table.json"
    target.write_text(as_text(compile_table(grammar_text())), encoding="utf-8")
    sys.stdout.write(f"wrote {target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
