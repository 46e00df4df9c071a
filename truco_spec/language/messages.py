"""What to say where reading fails: put together from ``grammar/messages.yaml`` and the place in the grammar.

A place is known by what has been read there: the productions under way (never the number of a state), and what may
follow is found by trying, from the real stack, so it is neither too little nor too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from lark.grammar import Rule
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec import shipped
from truco_spec.language.grammar import END, Grammar, Item, grammar
from truco_spec.language.parse import after
from truco_spec.language.shape import CLAUSES_OF, spelt

_HELPER = re.compile(r"__([a-z_]+)_(?:star|plus)_\d+")
_CLASSES = ("NAME", "INT", "STRING", "CITE", "CITED", "BARE", "VERDICT", "QUANT", "SIGN", "$END")
_CLAUSES = {
    "by": "by", "may": "verdict", "must": "verdict", "must not": "verdict", "on": "on", "at": "at once", "when": "when",
    "lest": "lest", "do": "do", "fresh": "fresh", "seen": "seen", "possible": "possible", "written": "written",
    "tacit": "tacit", "stakes": "stakes", "calls": "calls", "opens": "opens", "later": "later", "answers": "replies",
    "choice": "replies", "refusal": "refusal", "settles": "settles", "stake": "stake",
}  # fmt: skip


class Unsaid(LookupError):
    """A place in the grammar for which ``messages.yaml`` has no words."""


class Messages:
    """The words of ``messages.yaml``, asked by place."""

    def __init__(self, data: dict[str, Any], of: Grammar) -> None:
        self.grammar = of
        self.after: dict[str, dict[str, str]] = data["after"]
        self.comes: dict[str, dict[str, str]] = data["comes"]
        self.symbols: dict[str, str] = data["symbols"]
        self.examples: dict[str, str] = data["examples"]
        self.missing: dict[str, dict[str, str]] = data["missing"]
        self.hints: list[dict[str, str]] = data["hints"]
        self.spelling = _spelling(of)
        self.quoted = {terminal for terminal in self.spelling if terminal not in _CLASSES}

    # ---- names of things in the grammar --------------------------------------------------------

    def spell(self, symbol: str) -> str:
        """A symbol as it is called in ``messages.yaml``: a sign or keyword as written, ``…`` for a list."""
        return "…" if _HELPER.fullmatch(symbol) else self.spelling.get(symbol, symbol)

    def label(self, production: Rule) -> str:
        """A production as it is called in ``messages.yaml``."""
        label = production.alias or production.origin.name
        helper = _HELPER.fullmatch(label)
        return f"{helper[1]}*" if helper else label

    # ---- what has been read --------------------------------------------------------------------

    def role(self, state: int, kind: str = "") -> str:
        """What was just read in a state: ``the name of the rule``. Empty where it is a word or sign of the grammar."""
        roles: list[str] = []
        for production, dot in self.grammar.items[state]:
            parts = [self.spell(part.name) for part in production.expansion[:dot]]
            role = self._longest(self.after.get(self.label(production), {}), parts)
            if role is None and production.expansion[dot - 1].name not in self.quoted:
                raise Unsaid(f"after: {self.label(production)}: {' '.join(parts[-2:])}")
            if role is not None:
                role = role.replace("{kind}", kind or "statement")
                if role not in roles:
                    roles.append(role)
        return " or ".join(roles)

    @staticmethod
    def _longest(tails: dict[str, str], parts: Sequence[str]) -> str | None:
        """The entry whose key is the longest tail of what has been read."""
        for length in range(len(parts), 0, -1):
            found = tails.get(" ".join(parts[-length:]))
            if found is not None:
                return found
        return None

    # ---- what may follow -----------------------------------------------------------------------

    def wanted(self, parser: InteractiveParser) -> list[tuple[str, str, str]]:
        """What may follow here: label, symbol as in ``messages.yaml``, and the terminal that begins it."""
        found: list[tuple[str, str, str]] = []
        for terminal in sorted(parser.accepts(), key=self.grammar.terminals.index):
            read = after(parser, terminal)
            if terminal == END:
                found.append(("", END, END))
            elif read is not None:
                items = self.grammar.items[read.parser_state.state_stack[-2]]
                found += [(label, symbol, terminal) for label, symbol in self._beginning(items, terminal)]
        return found

    def _beginning(self, items: Iterable[Item], terminal: str) -> Iterable[tuple[str, str]]:
        """The parts of productions under way that this terminal may begin."""
        if not items:
            yield "start", "variant"
        for production, dot in items:
            parts = [part.name for part in production.expansion]
            if dot < len(parts) and terminal in self.grammar.first.get(parts[dot], {parts[dot]}):
                symbol, label = parts[dot], self.label(production)
                helper = _HELPER.fullmatch(symbol)
                if helper:
                    label, symbol = f"{helper[1]}*", self._leading(symbol)
                symbol = self.spell(symbol)
                behind = f"{self.spell(parts[dot - 1])} {symbol}"
                yield label, behind if behind in self.comes.get(label, {}) else symbol

    def _leading(self, helper: str) -> str:
        """The first part of each element of a list."""
        begin = (rule.expansion[0].name for rule in self.grammar.lark.rules if rule.origin.name == helper)
        return next(name for name in begin if not _HELPER.fullmatch(name))

    def say_wanted(self, wanted: Iterable[tuple[str, str, str]], kind: str = "") -> list[str]:
        """What may follow, in words, each thing once; clauses only those that the kind takes."""
        said: list[str] = []
        clauses: list[str] = []
        operators: list[str] = []
        for label, symbol, terminal in wanted:
            phrase = self.comes.get(label, {}).get(symbol) or self.symbols.get(symbol)
            if symbol == "$END":
                phrase = self.symbols["END"]
            elif phrase is None:
                if symbol in _CLASSES or (symbol.islower() and symbol not in self.grammar.words):
                    raise Unsaid(f"comes: {label}: {symbol}")
                phrase = f"`{symbol}`"
            if phrase == "{clauses}":
                clauses += [word for word in self._words_of(terminal) if word not in clauses]
            elif phrase == self.symbols["relation"]:
                operators.append(phrase)
            elif phrase not in said:
                said.append(phrase)
        in_order = [f"`{word}`" for word in self._of_kind(clauses, kind)]
        last = [phrase for phrase in (self.symbols["item"], self._closing) if phrase in said]
        said = [phrase for phrase in said if phrase not in last] + operators[:1]
        return said + (["a clause (" + ", ".join(in_order) + ")"] if in_order else []) + last[:1]

    def _words_of(self, terminal: str) -> list[str]:
        return [word for word, terminals in self.grammar.words.items() if terminal in terminals] or [terminal]

    @property
    def _closing(self) -> str:
        return self.comes["variant"]["}"]

    @staticmethod
    def _of_kind(words: list[str], kind: str) -> list[str]:
        """Of the words that begin a clause, those of clauses that the kind takes, in its order, as they are written."""
        slots = [clause for slot in CLAUSES_OF.get(kind, ()) for clause in slot.kinds]
        found: list[str] = []
        for clause in slots or list(dict.fromkeys(_CLAUSES.values())):
            for word in words:
                spelt_out = word if _CLAUSES[word] in ("verdict", "replies") else spelt(clause, kind)
                if _CLAUSES[word] == clause and spelt_out not in found:
                    found.append(spelt_out)
        return found

    # ---- examples and hints --------------------------------------------------------------------

    def example(self, states: Sequence[int], kind: str) -> str:
        """An example of the innermost thing under way that has one."""
        for state in reversed(states):
            for production, _ in self.grammar.items[state]:
                found = self.examples.get(self.label(production))
                if found and self.label(production) not in ("variant",):
                    return found
            if state in self.grammar.bodies:
                break
        return self.examples.get(kind, "" if kind else self.examples["variant"])

    def hint(self, found: set[str], behind: set[str], wanted: Iterable[tuple[str, str, str]], kind: str) -> str:
        """What is often meant by this token, behind that one, here; empty when nothing is known."""
        symbols = {symbol for _, symbol, _ in wanted}
        for entry in self.hints:
            fits = entry.get("found", "NAME") in found and entry.get("kind", kind) == kind
            if (
                fits
                and ("comes" not in entry or entry["comes"] in symbols)
                and entry.get("behind", "") in {*behind, ""}
            ):
                return entry["say"]
        return ""


def _spelling(of: Grammar) -> dict[str, str]:
    """How each terminal is called: as it is written, where it is one word or sign; else its name."""
    spelt: dict[str, list[str]] = {}
    for written, terminals in (*of.words.items(), *of.signs.items()):
        for terminal in terminals:
            spelt.setdefault(terminal, []).append(written)
    return {
        terminal: terminal if terminal in _CLASSES else spelt.get(terminal, [terminal])[0] for terminal in of.terminals
    }


@lru_cache(maxsize=1)
def messages() -> Messages:
    """The shipped messages."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (shipped.folder("grammar") / "messages.yaml").read_text(encoding="utf-8")
    return Messages(yaml.load(text, Loader=loader), grammar())  # noqa: S506  # a safe loader, in C where there is one
