"""Lines from atoms: the pieces of a statement side by side, padded to columns, broken where a line is too long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

WIDTH = 120
NEVER = 99


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece that is never broken: a token, and the comments around it.

    ``gap`` is the number of blanks before it, and ``tab`` a column, from 0, that it is moved to. ``breaks`` tells how
    well a line may break before it (0 best, ``NEVER`` not at all). One that ``hangs`` goes to its column on a new
    line where the line is already past it.
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
class Row:
    """One logical line: its atoms, its indent, and the indent of what has to go to further lines."""

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


def fits(row: Row) -> bool:
    """Whether a row is one line."""
    return len(lines_of(row)) == 1


def lines_of(row: Row) -> list[str]:
    """The lines of a row, comments included."""
    done: list[str] = []
    line = _Line(row.indent)
    queue = list(row.atoms)
    while queue:
        atom = queue.pop(0)
        for comment in atom.before:
            line = _close(line, done, row)
            done.append(" " * line.indent + comment)
        if line.atoms and (atom.forced or _past(line, atom)):
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


def _close(line: _Line, done: list[str], row: Row, comment: str = "") -> _Line:
    """Write a line down, with the comment behind it, and begin a further one."""
    if not line.atoms:
        return line
    done.append(line.text() + (f"  {comment}" if comment else ""))
    return _Line(row.further)


def _past(line: _Line, atom: Atom) -> bool:
    """Whether a line is already past the column of an atom."""
    return atom.hangs and len(line.text()) + atom.gap > atom.tab


def _best(atoms: Sequence[Atom]) -> int:
    """Before which atom a line breaks best: where least is torn apart, and of such places the last; 0 for nowhere."""
    best, at = NEVER, 0
    for number, atom in enumerate(atoms):
        if number and atom.breaks <= best and atom.breaks != NEVER:
            best, at = atom.breaks, number
    return at
