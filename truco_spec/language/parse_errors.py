"""Turns an unexpected token into a message, a hint and, where unambiguous, a repair."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lark import UnexpectedToken
from lark.grammar import Rule
from lark.parsers.lalr_interactive_parser import InteractiveParser

from truco_spec.base import shipped
from truco_spec.base.words import Sentence, alternatives
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, nearest
from truco_spec.language.grammar import END, Grammar, Item, Token, grammar, span_of
from truco_spec.language.read import Parser, choose
from truco_spec.language.shape import CLAUSE_WORDS, CLAUSES_OF, spelt

_AHEAD = 3  # a repair is accepted if this many following tokens parse


@dataclass(frozen=True, slots=True)
class Explanation:
    """An explained syntax error.

    ``insert`` is a terminal missing before the token, ``instead`` the terminal it was meant to be; ``starts``: it was
    meant to begin a statement.
    """

    diagnostic: Diagnostic
    insert: str = ""
    instead: str = ""
    starts: bool = False


def explain(parser: Parser, index: int) -> Explanation:
    """Explain why the parser cannot take token ``index``; its stack is as before that token."""
    return _Explainer(parser, index).explain()


class _Explainer:
    def __init__(self, parser: Parser, index: int) -> None:
        self.parser, self.index = parser, index
        self.tokens, self.states = parser.tokens, parser.states
        self.token: Token = parser.tokens[index]
        self.words: Messages = messages()
        self.wanted = self.words.wanted(parser.lark)
        self.terminals = {terminal for _, _, terminal in self.wanted}
        self.kind, self.name, self.name_token = self._statement()

    def explain(self) -> Explanation:
        return self._missing() or self._misspelt() or self._outside() or self._unknown_kind() or self._general()

    # ---- where we are --------------------------------------------------------------------------

    def _statement(self) -> tuple[str, str, Token | None]:
        """Return kind and name of the current statement; empty between statements."""
        began, tokens = self.parser.began, self.tokens
        between = len(self.states) <= self.parser.floor or tokens[began].value == "}"
        if between or tokens[began].type == "NAME":  # an entry of a concordance
            return "", "", None
        if tokens[began].value == "replace":
            if began + 1 >= self.index:
                return "replace", "", None
            began += 1
        name = tokens[began + 1] if began + 1 < self.index and "NAME" in tokens[began + 1].can_be else None
        return tokens[began].value, name.value if name else "", name

    def _called(self) -> str:
        if self.name:
            return f"{self.kind} `{self.name}`"
        return Sentence("this {kind}", kind=self.kind) if self.kind else Sentence("this")

    def _found(self) -> str:
        """Describe the token found."""
        first = self.token.can_be[0]
        if first == END:
            return Sentence("the end of the text")
        if first == "STRING":
            return Sentence("a sentence")
        if first == "CITE":
            return Sentence("a citation")
        return f"`{self.token.value}`"

    def _span(self) -> t.Span:
        return span_of(self.parser.path, self.token)

    def _behind(self) -> t.Span:
        """Return the place just past the last token."""
        before = self.tokens[self.index - 1] if self.index else self.token
        at = t.Span(
            self.parser.path,
            before.end_line,
            before.end_column,
            before.end_line,
            before.end_column + 1,
            before.end_pos,
            before.end_pos,
        )
        return at if self.index else self._span()

    # ---- what was meant ------------------------------------------------------------------------

    def _fits(self, terminal: str, tokens: Sequence[Token]) -> bool:
        """Return whether this terminal and these tokens would parse here."""
        tried = after(self.parser.lark, terminal)
        for token in tokens:
            chosen = choose(token, tried.choices()) if tried else None
            tried = after(tried, chosen) if tried and chosen else None
            if chosen == END:
                break
        return tried is not None

    def _missing(self) -> Explanation | None:
        """Try inserting one sign or word."""
        ahead = self.tokens[self.index : self.index + _AHEAD]
        names = {self.words.spell(terminal): terminal for terminal in self.terminals}
        for spelling, entry in self.words.missing.items():
            terminal = names.get(spelling, "")
            if not terminal or not self._fits(terminal, ahead):
                continue
            called: str = f"{self.kind.capitalize()} `{self.name}`"
            if not self.name:
                called = Sentence("This {kind}", kind=self.kind) if self.kind else Sentence("This")
            message, hint = Sentence(entry["message"], statement=called), Sentence(entry.get("hint", ""))
            span = span_of(self.parser.path, self.name_token) if entry.get("at") and self.name_token else self._behind()
            diagnostic = Diagnostic("error", entry.get("code", "syntax"), message, span, hint=hint)
            return Explanation(diagnostic, insert=terminal)
        return None

    def _misspelt(self) -> Explanation | None:
        """Try reading the token as a similar keyword."""
        if self.token.can_be[-1] != "NAME":
            return None
        grammar = self.parser.grammar
        candidates = {
            w: c for w, terminals in grammar.words.items() for c in terminals if c in self.terminals and c != "NAME"
        }
        meant = nearest(self.token.value, candidates)
        if meant is None:
            return None
        if not self._fits(candidates[meant], self.tokens[self.index + 1 : self.index + _AHEAD]):
            return None
        starts = candidates[meant] in grammar.openers and self._may_start()
        if starts:
            message = Sentence("There is no kind of statement called `{word}`.", word=self.token.value)
        else:
            message = Sentence("The language has no word `{word}` here.", word=self.token.value)
        hint = Sentence("Did you mean `{meant}`?", meant=meant)
        diagnostic = Diagnostic("error", "syntax", message, self._span(), hint=hint)
        return Explanation(diagnostic, instead=candidates[meant], starts=starts)

    def _may_start(self) -> bool:
        """Return whether a statement may and appears to begin here, between statements or on a new line."""
        if self.states[-1] in self.parser.grammar.between:
            return True
        first_on_line = self.index > 0 and self.tokens[self.index - 1].end_line < self.token.line
        return first_on_line and "DROP" in self.terminals

    def _outside(self) -> Explanation | None:
        """Explain a statement outside any variant."""
        if "VARIANT" not in self.terminals or self.token.can_be[0] not in self.parser.grammar.openers:
            return None
        message = Sentence("This {kind} stands in no variant.", kind=self.token.value)
        hint = self.words.examples["variant"]
        if self.index and self.tokens[self.index - 1].value == "}":
            hint = Sentence("The `}` before it closes the variant.")
        return Explanation(Diagnostic("error", "syntax", message, self._span(), hint=hint))

    def _unknown_kind(self) -> Explanation | None:
        """Explain an unknown word at the start of a statement."""
        if not (self._may_start() and self.token.can_be[-1] == "NAME"):
            return None
        grammar = self.parser.grammar
        kinds = {w for w, terminals in grammar.words.items() if self.terminals & set(terminals) & grammar.openers}
        meant = nearest(self.token.value, kinds)
        if self.token.value in grammar.words:
            message = Sentence("No statement begins with `{word}`.", word=self.token.value)
        else:
            message = Sentence("There is no kind of statement called `{word}`.", word=self.token.value)
        hint = Sentence("A statement begins with one of: {kinds}.", kinds=tuple(sorted(kinds)))
        if meant:
            hint = Sentence("Did you mean `{meant}`?", meant=meant)
        return Explanation(Diagnostic("error", "syntax", message, self._span(), hint=hint), starts=True)

    def _general(self) -> Explanation:
        """The general message: “After … comes …, not …”."""
        role = self.words.role(self.states[-1], self.kind)
        wanted = self.words.say_wanted(self.wanted, self.kind)
        listed, found = alternatives(wanted), self._found()
        before = self.tokens[self.index - 1] if self.index else None
        if before is None:
            message = Sentence("A text begins with {wanted}, not with {found}.", wanted=listed, found=found)
        else:
            form = "After {after} comes {wanted}, not {found}."
            if self.name and self.name_token is not before:
                form = "In {statement}, after {after} comes {wanted}, not {found}."
            after = _quoted(before, role)
            message = Sentence(form, statement=self._called(), after=after, wanted=listed, found=found)
        behind = {before.value, *before.can_be} if before else set()
        hint = self.words.hint({self.token.value, *self.token.can_be}, behind, self.wanted, self.kind)
        if not hint and self.token.can_be[-1] == "NAME":
            words = [w for w, can_be in self.parser.grammar.words.items() if self.terminals & set(can_be[:-1])]
            meant = nearest(self.token.value, words)
            hint = Sentence("Did you mean `{meant}`?", meant=meant) if meant else ""
        if not hint:
            example = self.words.example(self.states, self.kind)
            hint = Sentence("For example: {example}", example=example) if example else ""
        span = self._span() if self.token.can_be != (END,) else self._behind()
        return Explanation(Diagnostic("error", "syntax", message, span, hint=hint))


def _quoted(token: Token, role: str) -> str:
    """Quote the last token read, with its role."""
    if token.can_be[0] in ("STRING", "CITE"):
        return role
    plain = role in ("", "a name", "a number", "a sign")
    return f"`{token.value}`" if plain else Sentence("`{word}`, {role},", word=token.value, role=role)


# --------------------------------------------------------------------------------------------------
# Error messages, composed from ``grammar/messages.yaml`` and the parser state.

_HELPER = re.compile(r"__([a-z_]+)_(?:star|plus)_\d+")
_CLASSES = ("NAME", "INT", "STRING", "CITE", "CITED", "BARE", "VERDICT", "QUANT", "SIGN", "$END")


class Unsaid(LookupError):
    """A parser state for which ``messages.yaml`` has no words."""


class Messages:
    """The content of ``messages.yaml``, looked up by parser state."""

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
        """Return a symbol's name in ``messages.yaml``: a sign or keyword as written, ``…`` for a list."""
        return "…" if _HELPER.fullmatch(symbol) else self.spelling.get(symbol, symbol)

    def label(self, production: Rule) -> str:
        """Return a production's name in ``messages.yaml``."""
        label = production.alias or production.origin.name
        helper = _HELPER.fullmatch(label)
        return f"{helper[1]}*" if helper else label

    # ---- what has been read --------------------------------------------------------------------

    def role(self, state: int, kind: str = "") -> str:
        """Return the role of the last symbol read in a state: ``the name of the rule``. Empty for a word or sign of the
        grammar.
        """
        roles: list[str] = []
        for production, dot in self.grammar.items[state]:
            parts = [self.spell(part.name) for part in production.expansion[:dot]]
            role = self._longest(self.after.get(self.label(production), {}), parts)
            if role is None and production.expansion[dot - 1].name not in self.quoted:
                raise Unsaid(f"after: {self.label(production)}: {' '.join(parts[-2:])}")
            if role is not None:
                role = Sentence(role, kind=kind or Sentence("statement"))
                if role not in roles:
                    roles.append(role)
        return alternatives(roles) if roles else ""

    @staticmethod
    def _longest(tails: dict[str, str], parts: Sequence[str]) -> str | None:
        """Return the entry whose key is the longest suffix of the symbols read."""
        for length in range(len(parts), 0, -1):
            found = tails.get(" ".join(parts[-length:]))
            if found is not None:
                return found
        return None

    # ---- what may follow -----------------------------------------------------------------------

    def wanted(self, parser: InteractiveParser) -> list[tuple[str, str, str]]:
        """Return what may follow: label, symbol as in ``messages.yaml``, and the terminal that begins it."""
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
        """Return the parts of active productions that this terminal may begin."""
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
        """Return the first part of each element of a list."""
        begin = (rule.expansion[0].name for rule in self.grammar.lark.rules if rule.origin.name == helper)
        return next(name for name in begin if not _HELPER.fullmatch(name))

    def say_wanted(self, wanted: Iterable[tuple[str, str, str]], kind: str = "") -> list[str]:
        """Describe what may follow, without repetition; of clauses, only those that the kind takes."""
        said: list[str] = []
        clauses: list[str] = []
        operators: list[str] = []
        for label, symbol, terminal in wanted:
            phrase: str = Sentence(self.comes.get(label, {}).get(symbol) or self.symbols.get(symbol, ""))
            if symbol == "$END":
                phrase = Sentence(self.symbols["END"])
            elif not phrase:
                if symbol in _CLASSES or (symbol.islower() and symbol not in self.grammar.words):
                    raise Unsaid(f"comes: {label}: {symbol}")
                phrase = f"`{symbol}`"
            if phrase == "{clauses}":
                clauses += [word for word in self._words_of(terminal) if word not in clauses]
            elif phrase == self.symbols["relation"]:
                operators.append(phrase)
            elif phrase not in said:
                said.append(phrase)
        in_order = tuple(f"`{word}`" for word in self._of_kind(clauses, kind))
        last = [phrase for phrase in (self.symbols["item"], self._closing) if phrase in said]
        said = [phrase for phrase in said if phrase not in last] + operators[:1]
        return said + ([Sentence("a clause ({clauses})", clauses=in_order)] if in_order else []) + last[:1]

    def _words_of(self, terminal: str) -> list[str]:
        return [word for word, terminals in self.grammar.words.items() if terminal in terminals] or [terminal]

    @property
    def _closing(self) -> str:
        return self.comes["variant"]["}"]

    @staticmethod
    def _of_kind(words: list[str], kind: str) -> list[str]:
        """Filter clause keywords to those that the kind takes, in its order, as they are written."""
        slots = [clause for slot in CLAUSES_OF.get(kind, ()) for clause in slot.kinds]
        found: list[str] = []
        for clause in slots or list(dict.fromkeys(CLAUSE_WORDS.values())):
            for word in words:
                spelt_out = word if CLAUSE_WORDS[word] in ("verdict", "replies") else spelt(clause, kind)
                if CLAUSE_WORDS[word] == clause and spelt_out not in found:
                    found.append(spelt_out)
        return found

    # ---- examples and hints --------------------------------------------------------------------

    def example(self, states: Sequence[int], kind: str) -> str:
        """Return an example of the innermost active production that has one."""
        for state in reversed(states):
            for production, _ in self.grammar.items[state]:
                found = self.examples.get(self.label(production))
                if found and self.label(production) not in ("variant",):
                    return found
            if state in self.grammar.between:
                break
        return self.examples.get(kind, "" if kind else self.examples["variant"])

    def hint(self, found: set[str], behind: set[str], wanted: Iterable[tuple[str, str, str]], kind: str) -> str:
        """Return a hint for this token after that one, here; empty if there is none."""
        symbols = {symbol for _, symbol, _ in wanted}
        for entry in self.hints:
            fits = entry.get("found", "NAME") in found and entry.get("kind", kind) == kind
            if (
                fits
                and ("comes" not in entry or entry["comes"] in symbols)
                and entry.get("behind", "") in {*behind, ""}
            ):
                return Sentence(entry["say"])
        return ""


def _spelling(of: Grammar) -> dict[str, str]:
    """Return the name of each terminal: its spelling if it is one word or sign, else its own name."""
    spelt: dict[str, list[str]] = {}
    for written, terminals in (*of.words.items(), *of.signs.items()):
        for terminal in terminals:
            spelt.setdefault(terminal, []).append(written)
    return {
        terminal: terminal if terminal in _CLASSES else spelt.get(terminal, [terminal])[0] for terminal in of.terminals
    }


@lru_cache(maxsize=1)
def messages() -> Messages:
    """Return the shipped messages."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (shipped.folder("grammar") / "messages.yaml").read_text(encoding="utf-8")
    return Messages(yaml.load(text, Loader=loader), grammar())  # noqa: S506  # a safe loader, in C where there is one


def after(parser: InteractiveParser, *terminals: str) -> InteractiveParser | None:
    """Return a copy that has read these terminals and built nothing; None if they are not accepted."""
    tried: InteractiveParser = parser.copy(deepcopy_values=False)
    tried.parser_state.parse_conf = copy(tried.parser_state.parse_conf)
    tried.parser_state.parse_conf.callbacks = {}
    try:
        for terminal in terminals:
            tried.feed_token(Token(terminal, ""))
    except UnexpectedToken:
        return None
    return tried
