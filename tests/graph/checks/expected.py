"""Small games that are right, and small games with one fault each, with what the checks are to say of them.

Each file of ``good`` and ``bad`` holds a variant; below it is put ``table.truco``. What is expected stands in its
last lines, as comments: ``# => error code: message``, one line for each error and warning (doubts are not
compared). After a change that is meant, ``python tests/graph/checks/expected.py`` writes the lines anew; look at
the difference before you keep it.
"""

from __future__ import annotations

from pathlib import Path

from truco_spec.checks import variant_of
from truco_spec.checks.checking import check_linked
from truco_spec.language.diagnostics import Diagnostic

HERE = Path(__file__).parent
FILES = sorted((*HERE.glob("good/*.truco"), *HERE.glob("bad/*.truco")))
MARK = "# => "
MOVES = 1_500


def found_in(path: Path) -> list[Diagnostic]:
    """What the checks say of a file, doubts included."""
    return check_linked(variant_of(text_of(path), path.parent.name), moves=MOVES)


def text_of(path: Path) -> str:
    """The text of a file, with the table below it."""
    return path.read_text() + (HERE / "table.truco").read_text()


def lines(found: list[Diagnostic]) -> list[str]:
    """Errors and warnings as they are written down."""
    return [f"{MARK}{d.severity} {d.code}: {d.message}" for d in found if d.severity != "note"]


def expected_in(path: Path) -> list[str]:
    """The lines that stand in a file."""
    return [line for line in path.read_text().splitlines() if line.startswith(MARK)]


def main() -> None:
    """Write what is found into all files."""
    for path in FILES:
        kept = [line for line in path.read_text().splitlines() if not line.startswith(MARK)]
        path.write_text("\n".join([*kept, *lines(found_in(path))]) + "\n")


if __name__ == "__main__":
    main()
