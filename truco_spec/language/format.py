"""The formatter: one canonical layout for every text.

Only whitespace changes: tokens, comments and their order are kept, so the tree is the same; formatting is idempotent.
Blank lines between statements are kept, at most one at a time, and so are line breaks before the clauses of a rule.
"""

from __future__ import annotations

from collections.abc import Sequence

from truco_spec.language import tree as t
from truco_spec.language.grammar import Token, tokenize
from truco_spec.language.read import parse_all
from truco_spec.language.statement_layout import Atom, LayoutRow, Parts, Piece, cut, lines_of, rows_of


class ChangedByFormatting(RuntimeError):
    """The output would not have the same tokens: a bug of the formatter. The text is left unchanged."""


def format_text(text: str, path: str = "<text>") -> str:
    """Format a text. Raises SpecError if it does not parse; statement shapes are not checked."""
    parsed = parse_all(text, path)
    tokens = parsed.tokens
    done = _Formatter(tokens.tokens, tokens.comments, parsed.file).whole()
    again = tokenize(done, path)
    before, after = ([token.value for token in found.tokens] for found in (tokens, again))
    if before != after or [c.value for c in tokens.comments] != [c.value for c in again.comments]:
        raise ChangedByFormatting(path)
    return done


class _Formatter:
    def __init__(self, tokens: list[Token], comments: list[Token], file: t.File) -> None:
        self.tokens, self.file = tokens, file
        self.index_at = {token.start_pos: index for index, token in enumerate(tokens)}
        self.index_to = {token.end_pos: index for index, token in enumerate(tokens) if token}
        self.above: dict[int, list[Token]] = {}
        self.behind: dict[int, Token] = {}
        self._attach(comments)
        self.pieces = [self._piece(index) for index in range(len(tokens))]
        self.lines: list[str] = []

    # ---- comments ------------------------------------------------------------------------------

    def _attach(self, comments: Sequence[Token]) -> None:
        """Attach each comment to the token before it on its line, or else to the next token."""
        index = 0
        for comment in comments:
            while index < len(self.tokens) - 1 and self.tokens[index].start_pos < comment.start_pos:
                index += 1
            at_end = self.tokens[index].start_pos < comment.start_pos or not self.tokens[index]
            follows = index if not at_end else len(self.tokens) - 1
            before = follows - 1
            if before >= 0 and self.tokens[before].end_line == comment.line:
                self.behind[before] = comment
            else:
                self.above.setdefault(follows, []).append(comment)

    def _piece(self, index: int) -> Piece:
        token = self.tokens[index]
        first = index == 0 or self.tokens[index - 1].end_line < token.line
        behind = self.behind.get(index)
        above = tuple(comment.value for comment in self.above.get(index, ()))
        return Piece(token.value, token.type, first, above, behind.value if behind else "")

    # ---- the whole -----------------------------------------------------------------------------

    def whole(self) -> str:
        """Lay out all blocks."""
        for number, block in enumerate(self.file.blocks):
            first = self.index_at[block.span.start]
            self._comments(first, 0, apart=number > 0)
            self._block(block)
        self._comments(len(self.tokens) - 1, 0, apart=False)
        return "\n".join(self.lines).strip("\n") + "\n"

    def _comments(self, index: int, indent: int, apart: bool) -> None:
        """Lay out the comments above a token, after a blank line if the source has one or the layout requires it."""
        line = self.tokens[index - 1].end_line if index else 0
        for comment in self.above.get(index, ()):
            self._gap(comment.line - line > 1 or apart)
            self.lines.append(" " * indent + comment.value)
            line, apart = comment.line, False
        self._gap((self.tokens[index].line - line > 1 and bool(self.tokens[index])) or apart)

    def _gap(self, wanted: bool) -> None:
        if wanted and self.lines and self.lines[-1]:
            self.lines.append("")

    def _block(self, block: t.VariantText | t.Concordance) -> None:
        first, last = self.index_at[block.span.start], self.index_to[block.span.end]
        inside = [self.index_at[item.span.start] for item in block.items]
        body = 1 + next(i for i in range(first, last) if self.pieces[i].terminal == "LBRACE")
        self._plain(first, body, 0)
        titled = isinstance(block, t.VariantText)
        if titled:
            self._plain(body, body + 2, 2)
        runs = self._runs(block.items)
        for number in range(len(block.items)):
            self._comments(inside[number], 2, apart=titled and number == 0)
            for row in runs[number]:
                self.lines += lines_of(row)
        closing = bool(self.above.get(last))
        if closing:
            self._comments(last, 2, apart=False)
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        self.lines.append("}" + (f"  {self.pieces[last].after}" if self.pieces[last].after else ""))

    def _plain(self, first: int, stop: int, indent: int) -> None:
        """Lay out tokens in sequence."""
        if indent:
            self._comments(first, indent, apart=False)
            while self.lines and not self.lines[-1]:
                self.lines.pop()
        atoms = [
            Atom(p.text, gap=int(n > 0), before=p.before if n else (), after=p.after)
            for n, p in enumerate(self.pieces[first:stop])
        ]
        self.lines += lines_of(LayoutRow(tuple(atoms), indent=indent, further=indent + 2))

    # ---- statements ----------------------------------------------------------------------------

    def _runs(self, items: Sequence[t.Statement]) -> list[list[LayoutRow]]:
        """Lay out every statement; adjacent ones of one kind without a gap are aligned together."""
        done: list[list[LayoutRow]] = []
        run: list[Parts] = []
        for item in items:
            parts = self._parts(item)
            if run and (run[0].kind != parts.kind or self._stands_apart(item)):
                done += rows_of(run)
                run = []
            run.append(parts)
        return done + (rows_of(run) if run else [])

    def _stands_apart(self, item: t.Statement) -> bool:
        """Return whether a blank line or a comment precedes a statement."""
        index = self.index_at[item.span.start]
        return bool(self.above.get(index)) or self.tokens[index].line - self.tokens[index - 1].end_line > 1

    def _parts(self, item: t.Statement) -> Parts:
        first, last = self.index_at[item.span.start], self.index_to[item.span.end]
        pieces = [self.pieces[index] for index in range(first, last + 1)]
        pieces[0] = Piece(pieces[0].text, pieces[0].terminal, after=pieces[0].after)  # comments above separate
        starts = {self.index_at[clause.span.start] - first: clause.kind for clause in item.clauses}
        if item.kind == "table":
            at = next(n for n, piece in enumerate(pieces) if piece.terminal == "VBAR")
            for row in item.rows:
                starts[at] = "row"
                at += 1 + 2 * len(row)
        return cut(item, pieces, starts)
