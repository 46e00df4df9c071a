"""How many files of the package a reader of a log or of a case has to enter: ``python -m bench.rooms``.

A log is followed from the command line (``truco-spec run``), a case from its runner to its verdict (``truco-spec test
--case``, from the first call into ``conformance/runner``). Counted are the calls of functions that lie in
``truco_spec``, the first 400 and all: no bodies of modules and classes, no comprehensions or lambdas, no generator that
goes on. A call from one function to another is read once, however often it is made. ``files`` are those entered;
``returns`` are the calls that lead from one file to another that was entered before. Everything runs once before it is
counted, so that modules are imported and caches filled.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
from pathlib import Path
from types import CodeType, FrameType

FIRST = 400
LOG = (
    "paulista | ana bia caio davi | dealer davi | deal vira 5H, "
    "ana 3C 4D 7H, bia 2C 5D QS, caio AC JD 7C, davi KC 4H QD | ana 3C, bia 2C"
)
ADAPTER = (sys.executable, "conformance/adapters/python/gat_games.py")
PATHS = {
    "a log": (["run", LOG], "cli/"),
    "a case": (
        ["test", "--quiet", "--no-null", "--case", "nowadays-two-rank-01", "--", *ADAPTER],
        "conformance/runner",
    ),
}


class Trip:
    """Notes the calls of functions of the package, from the first one in a file whose path begins with ``start``."""

    def __init__(self, root: str, start: str, most: int) -> None:
        self.root, self.start, self.most = root, start, most
        self.calls = 0
        self.entered: dict[str, None] = {}
        self.followed: set[tuple[CodeType, CodeType]] = set()
        self.returns = 0
        self.going: list[FrameType] = []

    def watch(self, frame: FrameType, what: str, _: object) -> None:
        """Note a call."""
        if what != "call" or self.calls >= self.most or not self._counts(frame.f_code):
            return
        if frame.f_code.co_flags & inspect.CO_GENERATOR:
            if any(frame is known for known in self.going):
                return
            self.going.append(frame)
        name = frame.f_code.co_filename.removeprefix(self.root)
        if not self.calls and not name.startswith(self.start):
            return
        self.calls += 1
        caller = self._caller(frame)
        if (caller, frame.f_code) in self.followed:
            return
        self.followed.add((caller, frame.f_code))
        self.returns += name in self.entered and caller.co_filename != frame.f_code.co_filename
        self.entered[name] = None

    def _counts(self, code: CodeType) -> bool:
        written = code.co_filename.startswith(self.root) and not code.co_name.startswith("<")
        return written and bool(code.co_flags & inspect.CO_OPTIMIZED)

    def _caller(self, frame: FrameType) -> CodeType:
        """The nearest function of the package below; the outermost one calls itself."""
        below = frame.f_back
        while below is not None and not self._counts(below.f_code):
            below = below.f_back
        return below.f_code if below is not None else frame.f_code


def trip(argv: list[str], start: str, most: int) -> Trip:
    """Run a command, and note its calls when it runs for the second time."""
    import truco_spec
    from truco_spec.cli import main

    found = Trip(str(Path(truco_spec.__file__).parent) + "/", start, most)
    for watch in (None, found.watch):
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            sys.setprofile(watch)
            try:
                main(argv)
            finally:
                sys.setprofile(None)
    return found


if __name__ == "__main__":
    for what, path in PATHS.items():
        for most in (FIRST, sys.maxsize):
            found = trip(*path, most)
            print(f"{what}, {found.calls} calls: {len(found.entered)} files, {found.returns} returns")
        print("   ", *found.entered)
