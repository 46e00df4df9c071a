"""The formatter: one canonical layout for every text.

Only whitespace changes: tokens, comments and their order are kept, so the tree is the same; formatting is idempotent.
Blank lines between statements are kept, at most one at a time, and so are line breaks before the clauses of a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from truco_spec.language import tree as t
from truco_spec.language.grammar import Token, tokenize
from truco_spec.language.read import parse_all


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


# ---- The layout of a statement ----------------------------------------------------------------------
#
# The parts are found by position, not by meaning: heading, citations, sentence, clauses, rows of a table. Aligned in
# columns: the colons of a run of data, options or orders; citations of short statements; lifetimes and circles of
# data.

SIDE = 58
"""The column of citations behind a short statement, and of the lifetime of a datum."""
NAMED = 20
"""The column of citations in a concordance."""
CIRCLE = 77
"""The column of the circle that sees a datum."""
WIDEST_HEAD = 44
"""Headings longer than this are ignored when a run is aligned."""

_RANK = {
    "IF": 3, "ELSE": 1, "CITE": 1, "BUT": 1, "WHEN": 1, "WITHOUT": 0, "EXCEPT": 1, "AND": 2, "OR": 2, "VBAR": 2,
    "WITH": 3, "WHERE": 3, "COLON": 3, "LESSTHAN": 4, "IN": 5, "FROM": 5, "IS": 5, "TO": 5, "SIGN": 6,
}  # fmt: skip
LAST_RESORT = 95
"""Break quality inside a piece of text, where nothing ends or begins."""
_SHORT = ("option", "order", "deck", "set", "drop", "also", "closed", "seats", "trump")
_MAIN = ("stakes", "calls", "opens", "later", "replies", "settles", "stake")


@dataclass(frozen=True, slots=True)
class Piece:
    """A token with what the layout needs: its text, its terminal and its surroundings in the source.

    ``fresh_line``: it was first on its line; ``before`` are comments on lines of their own above it, ``after`` the
    comment that follows it.
    """

    text: str
    terminal: str
    fresh_line: bool = False
    before: tuple[str, ...] = ()
    after: str = ""


@dataclass(slots=True)
class Parts:
    """A statement divided into parts, each a run of atoms."""

    statement: t.Statement
    head: list[Atom] = field(default_factory=list)
    cites: list[Atom] = field(default_factory=list)
    prose: list[Atom] = field(default_factory=list)
    clauses: list[list[Atom]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The kind of statement with its mode, shared by all statements of a run."""
        return f"{self.statement.mode} {self.statement.kind}".strip()


def cut(statement: t.Statement, pieces: Sequence[Piece], starts: dict[int, str]) -> Parts:
    """Divide the pieces of a statement into parts. ``starts``: index of a piece to the clause that starts there."""
    parts, into = Parts(statement), "head"
    depth, kind = 0, statement.kind
    for number, (piece, atom) in enumerate(zip(pieces, _atoms(pieces, kind), strict=True)):
        top = depth == 0
        if piece.terminal in ("LPAR", "LBRACE"):
            depth += 1
        elif piece.terminal in ("RPAR", "RBRACE"):
            depth -= 1
        begins = starts.get(number, "")
        if not begins and top and into != "head":
            begins = _begins(kind, piece.terminal, into)
        if begins:
            into = "clause"
            parts.clauses.append([])
            parts.kinds.append(begins)
        elif piece.terminal == "CITE":
            into = "cites"
        elif piece.terminal == "STRING" and into != "clause":
            into = "prose"
        target = {"head": parts.head, "cites": parts.cites, "prose": parts.prose}
        (parts.clauses[-1] if into == "clause" else target[into]).append(atom)
    return parts


def _begins(kind: str, terminal: str, into: str) -> str:
    """Return what a terminal begins after the citations, where the tree has no clause for it."""
    if terminal in {"define": ("WHEN", "EQUAL"), "trump": ("WHEN",)}.get(kind, ()):
        return terminal.lower()
    if kind == "decision" and terminal in ("BECAUSE", "RATHER"):
        return terminal.lower()
    return "in" if terminal == "IN" and kind in ("rule", "fault") and into in ("cites", "prose") else ""


def _atoms(pieces: Sequence[Piece], kind: str) -> Iterator[Atom]:
    depth, before = 0, None
    for piece in pieces:
        if piece.terminal in ("RPAR", "RBRACE"):
            depth -= 1
        space = _space(before, piece, kind)
        rank = 1 if before is not None and before.terminal == "COMMA" else _RANK.get(piece.terminal, -1)
        breaks = LAST_RESORT if rank < 0 else min(depth, 8) * 10 + rank
        if not space or (rank < 0 and piece.terminal == "STRING"):
            breaks = NEVER
        yield Atom(
            piece.text,
            gap=int(space),
            breaks=breaks,
            forced=piece.fresh_line,
            before=piece.before,
            after=piece.after,
        )
        if piece.terminal in ("LPAR", "LBRACE"):
            depth += 1
        before = piece


def _space(before: Piece | None, piece: Piece, kind: str) -> bool:
    """Return whether a space precedes a piece."""
    if before is None or piece.terminal in ("COMMA", "RPAR", "RBRACE", "SEMICOLON"):
        return False
    if before.terminal in ("LPAR", "LBRACE") or (piece.terminal == "STAR" and kind == "option"):
        return False
    return not (piece.terminal == "LPAR" and before.terminal == "NAME")


# ---- rows ----------------------------------------------------------------------------------------


def rows_of(run: Sequence[Parts]) -> list[list[LayoutRow]]:
    """Return the rows of each statement of a run of one kind, aligned with each other."""
    kind = run[0].statement.kind
    if kind == "also" and len(run[0].head) == 1:
        return [[_entry(parts)] for parts in run]
    if kind in _SHORT:
        tab = _tab([_before_colon(parts) for parts in run]) if kind in ("option", "order", "set") else 0
        return [list(_short(parts, tab)) for parts in run]
    if kind == "datum":
        tab = _tab([_before_colon(parts) for parts in run])
        return [list(_datum(parts, tab)) for parts in run]
    if kind in ("action", "phase"):
        return _bare(run)
    if kind == "decision":
        return [list(_decision(parts)) for parts in run]
    return [list(_long(parts)) for parts in run]


def _tab(heads: Sequence[Sequence[Atom]]) -> int:
    """Return the column after the widest of some headings, ignoring those that are too wide."""
    widths = [2 + len(plain(head)) for head in heads]
    return max((width for width in widths if width <= WIDEST_HEAD), default=0) + 1


def _colon(parts: Parts) -> int:
    """Return the index of the colon of a heading, or of the value of ``set``; -1 if there is none."""
    if parts.statement.kind == "set":
        return 2
    depth = 0
    for number, atom in enumerate(parts.head):
        depth += (atom.text == "(") - (atom.text == ")")
        if atom.text == ":" and not depth:
            return number
    return -1


def _before_colon(parts: Parts) -> list[Atom]:
    at = _colon(parts)
    return parts.head[:at] if at >= 0 else []


def _colon_at(parts: Parts, tab: int) -> list[Atom]:
    at, head = _colon(parts), _loose(parts.head)
    if at >= 0 and tab:
        head[at] = replace(head[at], tab=tab, breaks=NEVER)
    return head


def _loose(atoms: Sequence[Atom]) -> list[Atom]:
    """Drop the line breaks of the source."""
    return [replace(atom, forced=False) for atom in atoms]


def _tight(atoms: Sequence[Atom]) -> list[Atom]:
    """Keep the line break before a clause, if the source had it, but not those inside."""
    return [atoms[0], *_loose(atoms[1:])]


def _entry(parts: Parts) -> LayoutRow:
    """A name in a concordance, and its citations in their column, as many lines as they need."""
    first, *others = _loose(parts.cites)
    return LayoutRow((*_loose(parts.head), replace(first, tab=NAMED), *others), further=NAMED)


def _short(parts: Parts, tab: int) -> Iterator[LayoutRow]:
    """Lay out a mostly one-line statement, with its citations at the side, or below if they do not fit."""
    head, cites = _colon_at(parts, tab), _loose(parts.cites)
    beside = LayoutRow((*head, replace(cites[0], tab=SIDE, gap=1), *cites[1:]))
    tight = LayoutRow((*head, *cites))
    if len(plain(head)) + 2 < SIDE and fits(beside):
        yield beside
    elif fits(tight) and len(plain(head)) + 2 < SIDE and not tab:
        yield tight
    else:
        yield LayoutRow(tuple(head))
        yield LayoutRow(tuple(cites), indent=4)
    if parts.prose:
        yield LayoutRow(tuple(_loose(parts.prose)), indent=4)
    yield from _clause_rows(parts)


def _datum(parts: Parts, tab: int) -> Iterator[LayoutRow]:
    atoms = _colon_at(parts, tab)
    for kind, clause in zip(parts.kinds, parts.clauses, strict=True):
        column = SIDE if kind == "fresh" else CIRCLE
        hang = replace(clause[0], tab=column, hangs=True, breaks=0, forced=False)
        atoms += [hang, *_loose(clause[1:])]
    yield LayoutRow(tuple(atoms))


def _bare(run: Sequence[Parts]) -> list[list[LayoutRow]]:
    """Lay out actions and phases: name, sentence and clauses in columns, as far as they fit."""
    tab = _tab([parts.head for parts in run]) + 1
    sentences = [len(plain(parts.prose)) for parts in run if parts.clauses]
    side = tab + (max(sentences) + 2 if any(sentences) else 0) if sentences else 0
    done = []
    for parts in run:
        head, prose = _loose(parts.head), _loose(parts.prose)
        if prose:
            prose[0] = replace(prose[0], gap=2, tab=tab, breaks=0)
        rest = [[replace(clause[0], gap=2, breaks=0, forced=False), *_loose(clause[1:])] for clause in parts.clauses]
        row = LayoutRow((*head, *prose, *(atom for clause in rest for atom in clause)))
        if rest and side:
            first = [replace(rest[0][0], tab=side), *rest[0][1:]]
            aligned = LayoutRow((*head, *prose, *first, *(atom for clause in rest[1:] for atom in clause)))
            row = aligned if fits(aligned) else row
        done.append([row])
    return done


def _decision(parts: Parts) -> Iterator[LayoutRow]:
    yield LayoutRow((*_loose(parts.head), *_loose(parts.cites)))
    yield LayoutRow(tuple(_loose(parts.prose)), indent=4)
    for clause in parts.clauses:
        yield LayoutRow(tuple(_loose(clause)), indent=4)


def _long(parts: Parts) -> Iterator[LayoutRow]:
    """Lay out a statement with clauses: heading and citations, the sentence, then each clause on lines of its own."""
    head, cites = _loose(parts.head), _loose(parts.cites)
    if cites:
        cites[0] = replace(cites[0], gap=1)
    together = LayoutRow((*head, *cites))
    if not cites or fits(together):
        yield together
    else:
        yield LayoutRow(tuple(head))
        yield LayoutRow(tuple(cites), indent=4)
    if parts.prose:
        yield LayoutRow(tuple(_loose(parts.prose)), indent=4)
    if parts.statement.kind == "table":
        yield from _table_rows(parts)
    elif parts.statement.kind in ("ladder", "bid", "special"):
        yield from _sugar_rows(parts)
    else:
        yield from _clause_rows(parts)


def _clause_rows(parts: Parts) -> Iterator[LayoutRow]:
    """Lay out clauses side by side while they fit, on a new line where the source has one."""
    line: list[Atom] = []
    for clause in parts.clauses:
        atoms = _tight(clause)
        joined = [*line, replace(atoms[0], gap=1), *atoms[1:]]
        if line and (atoms[0].forced or line[-1].after or atoms[0].before or len(plain(joined)) + 4 > WIDTH):
            yield LayoutRow(tuple(line), indent=4, further=6)
            joined = atoms
        joined[0] = replace(joined[0], forced=False)
        line = joined
    if line:
        yield LayoutRow(tuple(line), indent=4, further=6)


def _sugar_rows(parts: Parts) -> Iterator[LayoutRow]:
    """Lay out the main clauses of a construct one per line, their words padded; the others after them."""
    width = max(
        (len(c[0].text) for kind, c in zip(parts.kinds, parts.clauses, strict=True) if kind in _MAIN), default=0
    )
    line: list[Atom] = []
    for kind, clause in zip(parts.kinds, parts.clauses, strict=True):
        atoms = _loose(clause)
        if kind in _MAIN and len(atoms) > 1:
            atoms[1] = replace(atoms[1], tab=4 + width + 1, breaks=NEVER)
        if line and (kind in _MAIN or kind == "written"):
            yield LayoutRow(tuple(line), indent=4, further=6)
            line = []
        atoms[0] = replace(atoms[0], gap=1, breaks=0)
        line += atoms
    if line:
        yield LayoutRow(tuple(line), indent=4, further=6)


def _table_rows(parts: Parts) -> Iterator[LayoutRow]:
    """Lay out rows of a table, their cells in columns."""
    cells = [clause[1::2] for clause in parts.clauses]
    widths = [max(len(row[n].text) for row in cells if n < len(row)) for n in range(max(map(len, cells), default=0))]
    for clause in parts.clauses:
        row, column = [replace(clause[0], forced=False)], 4
        for number, (cell, bar) in enumerate(zip(clause[1::2], clause[2::2], strict=True)):
            column += 2 + widths[number] + 1
            row += [replace(cell, forced=False, breaks=NEVER), replace(bar, forced=False, tab=column, breaks=NEVER)]
        yield LayoutRow(tuple(row), indent=4)


# --------------------------------------------------------------------------------------------------
# Atoms to lines: the pieces of a statement side by side, padded to columns, broken where a line is too long.

WIDTH = 120
NEVER = 99


@dataclass(frozen=True, slots=True)
class Atom:
    """An unbreakable piece: a token and the comments around it.

    ``gap`` is the number of spaces before it, and ``tab`` the column, from 0, that it is aligned to. ``breaks`` rates a
    line break before it (0 best, ``NEVER`` forbidden). If it ``hangs``, it starts a new line at its column where the
    line is already past it.
    """

    text: str
    gap: int = 1
    breaks: int = NEVER
    forced: bool = False
    tab: int = 0
    hangs: bool = False
    before: tuple[str, ...] = ()
    after: str = ""


@dataclass(frozen=True, slots=True)
class LayoutRow:
    """One logical line: its atoms, its indent, and the indent of continuation lines."""

    atoms: tuple[Atom, ...]
    indent: int = 2
    further: int = 4


@dataclass(slots=True)
class _Line:
    indent: int
    atoms: list[Atom] = field(default_factory=list)

    def text(self) -> str:
        """The line as it is written."""
        written = " " * self.indent
        for number, atom in enumerate(self.atoms):
            gap = atom.gap if number else 0
            if atom.tab and (number or atom.hangs):
                gap = max(atom.tab - len(written), gap)
            written += " " * gap + atom.text
        return written


def plain(atoms: Iterable[Atom]) -> str:
    """The atoms on one line, without columns or comments."""
    return _Line(0, [replace(atom, tab=0) for atom in atoms]).text()


def fits(row: LayoutRow) -> bool:
    """Return whether a row fits on one line."""
    return len(lines_of(row)) == 1


def lines_of(row: LayoutRow) -> list[str]:
    """Return the lines of a row, comments included."""
    done: list[str] = []
    line = _Line(row.indent)
    queue = list(row.atoms)
    while queue:
        atom = queue.pop(0)
        for comment in atom.before:
            line = _close(line, done, row)
            done.append(" " * line.indent + comment)
        past = atom.hangs and len(line.text()) + atom.gap > atom.tab
        if line.atoms and (atom.forced or past):
            line = _close(line, done, row)
        line.atoms.append(atom)
        if len(line.text()) > WIDTH and len(line.atoms) > 1:
            at = _best(line.atoms)
            if at:
                queue[:0] = line.atoms[at:]
                queue[0] = replace(queue[0], before=())
                del line.atoms[at:]
                line = _close(line, done, row)
                line.atoms.append(queue.pop(0))
                if line.atoms[0].after:
                    line = _close(line, done, row, line.atoms[0].after)
                continue
        if atom.after:
            line = _close(line, done, row, atom.after)
    _close(line, done, row)
    return done


def _close(line: _Line, done: list[str], row: LayoutRow, comment: str = "") -> _Line:
    """Finish a line with the comment after it, and begin a continuation line."""
    if not line.atoms:
        return line
    done.append(line.text() + (f"  {comment}" if comment else ""))
    return _Line(row.further)


def _best(atoms: Sequence[Atom]) -> int:
    """Return the index of the best break: the lowest rating, the last of equals; 0 for none."""
    breakable = [number for number, atom in enumerate(atoms) if number and atom.breaks != NEVER]
    return min(breakable, key=lambda number: (atoms[number].breaks, -number), default=0)
