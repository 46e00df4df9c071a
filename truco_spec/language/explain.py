"""From a token that cannot stand where it stands to a message, a hint, and, where it is plain, what was meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, nearest
from truco_spec.language.grammar import END
from truco_spec.language.messages import Messages, messages
from truco_spec.language.parse import Parser, after, choose
from truco_spec.language.tokens import Token, span_of

_AHEAD = 3  # a repair is plain when so many tokens fit behind it


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong at a token.

    ``insert`` is a terminal that is missing before it, ``instead`` one that it was meant to be; ``starts`` says that it
    was meant to begin a statement.
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
        """Kind and name of the statement under way; empty between statements."""
        began, tokens = self.parser.began, self.tokens
        if len(self.states) <= self.parser.floor or tokens[began].value == "}":
            return "", "", None
        if tokens[began].value == "replace":
            if began + 1 >= self.index:
                return "replace", "", None
            began += 1
        name = tokens[began + 1] if began + 1 < self.index and "NAME" in tokens[began + 1].can_be else None
        return tokens[began].value, name.value if name else "", name

    def _called(self) -> str:
        return f"{self.kind} `{self.name}`" if self.name else f"this {self.kind}" if self.kind else "this"

    def _found(self) -> str:
        """What stands there, in words."""
        first = self.token.can_be[0]
        if first == END:
            return "the end of the text"
        if first == "STRING":
            return "a sentence"
        if first == "CITE":
            return "a citation"
        return f"`{self.token.value}`"

    def _span(self) -> t.Span:
        return span_of(self.parser.path, self.token)

    def _behind(self) -> t.Span:
        """The place right behind the last token."""
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
        """Whether this terminal and these tokens could be read here."""
        tried = after(self.parser.lark, terminal)
        for token in tokens:
            chosen = choose(token, tried.choices()) if tried else None
            tried = after(tried, chosen) if tried and chosen else None
            if chosen == END:
                break
        return tried is not None

    def _missing(self) -> Explanation | None:
        """One sign or word is left out, and with it all fits."""
        ahead = self.tokens[self.index : self.index + _AHEAD]
        names = {self.words.spell(terminal): terminal for terminal in self.terminals}
        for spelt, entry in self.words.missing.items():
            terminal = names.get(spelt, "")
            if not terminal or not self._fits(terminal, ahead):
                continue
            called = self._called()
            values = {"Statement": called[0].upper() + called[1:], "statement": called, "found": self._found()}
            span = span_of(self.parser.path, self.name_token) if entry.get("at") and self.name_token else self._behind()
            code, hint = entry.get("code", "syntax"), entry.get("hint", "").format(**values)
            return Explanation(
                Diagnostic("error", code, entry["message"].format(**values), span, hint=hint), insert=terminal
            )
        return None

    def _misspelt(self) -> Explanation | None:
        """A keyword was meant, and with it all fits."""
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
            message = f"There is no kind of statement called `{self.token.value}`."
        else:
            message = f"The language has no word `{self.token.value}` here."
        diagnostic = Diagnostic("error", "syntax", message, self._span(), hint=f"Did you mean `{meant}`?")
        return Explanation(diagnostic, instead=candidates[meant], starts=starts)

    def _may_start(self) -> bool:
        """Whether a statement may begin here, and seems to: between statements, or on a new line where one may end."""
        if self.states[-1] in self.parser.grammar.bodies:
            return True
        first_on_line = self.index > 0 and self.tokens[self.index - 1].end_line < self.token.line
        return first_on_line and "DROP" in self.terminals

    def _outside(self) -> Explanation | None:
        """A statement outside any variant."""
        if "VARIANT" not in self.terminals or self.token.can_be[0] not in self.parser.grammar.openers:
            return None
        message = f"This {self.token.value} stands in no variant."
        hint = self.words.examples["variant"]
        if self.index and self.tokens[self.index - 1].value == "}":
            hint = "The `}` before it closes the variant."
        return Explanation(Diagnostic("error", "syntax", message, self._span(), hint=hint))

    def _unknown_kind(self) -> Explanation | None:
        """A word where a statement should begin, and no kind of statement."""
        if not (self._may_start() and self.token.can_be[-1] == "NAME"):
            return None
        grammar = self.parser.grammar
        kinds = {w for w, terminals in grammar.words.items() if self.terminals & set(terminals) & grammar.openers}
        meant = nearest(self.token.value, kinds)
        listed = ", ".join(sorted(kinds))
        if self.token.value in grammar.words:
            message = f"No statement begins with `{self.token.value}`."
        else:
            message = f"There is no kind of statement called `{self.token.value}`."
        hint = f"Did you mean `{meant}`?" if meant else f"A statement begins with one of: {listed}."
        return Explanation(Diagnostic("error", "syntax", message, self._span(), hint=hint), starts=True)

    def _general(self) -> Explanation:
        """After … comes …, not …"""
        role = self.words.role(self.states[-1], self.kind)
        wanted = self.words.say_wanted(self.wanted, self.kind)
        listed = wanted[0] if len(wanted) == 1 else ", ".join(wanted[:-1]) + f" or {wanted[-1]}"
        before = self.tokens[self.index - 1] if self.index else None
        if before is None:
            message = f"A text begins with {listed}, not with {self._found()}."
        else:
            after = _quoted(before, role)
            where = f"In {self._called()}, after" if self.name and self.name_token is not before else "After"
            message = f"{where} {after} comes {listed}, not {self._found()}."
        behind = {before.value, *before.can_be} if before else set()
        hint = self.words.hint({self.token.value, *self.token.can_be}, behind, self.wanted, self.kind)
        if not hint and self.token.can_be[-1] == "NAME":
            words = [w for w, can_be in self.parser.grammar.words.items() if self.terminals & set(can_be[:-1])]
            meant = nearest(self.token.value, words)
            hint = f"Did you mean `{meant}`?" if meant else ""
        if not hint:
            example = self.words.example(self.states, self.kind)
            hint = f"For example: {example}" if example else ""
        span = self._span() if self.token.can_be != (END,) else self._behind()
        return Explanation(Diagnostic("error", "syntax", message, span, hint=hint))


def _quoted(token: Token, role: str) -> str:
    """What has just been read: the word itself and what it is."""
    if token.can_be[0] in ("STRING", "CITE"):
        return role
    plain = role in ("", "a name", "a number", "a sign")
    return f"`{token.value}`" if plain else f"`{token.value}`, {role},"
