"""A program in a terminal, which tmux is: keys go in, the screen comes out, as text and as a picture (SVG)."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

TMUX = shutil.which("tmux")
WIDTH, HEIGHT = 8, 18
"""A cell of the picture, in its units."""
MARGIN = 8
LONGEST = 60.0
_STYLE = re.compile(r"\x1b\[([\d;]*)m")


class Run(NamedTuple):
    """Cells of one row that look alike."""

    row: int
    column: int
    text: str
    ink: str
    paper: str
    bold: bool
    line: bool


class Terminal:
    """A program with a terminal of its own. It ends with ``close``."""

    def __init__(self, command: str, folder: Path, environment: Mapping[str, str], columns: int, rows: int) -> None:
        self.name = f"truco-spec-{os.getpid()}-{time.monotonic_ns()}"
        told = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **environment}
        self._tmux(
            "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(folder), command, environment=told
        )
        self._tmux("set", "-g", "status", "off")
        self._tmux("set", "-g", "escape-time", "0")
        self.size = columns, rows

    def _tmux(self, *words: str, environment: Mapping[str, str] | None = None) -> str:
        command = [str(TMUX), "-L", self.name, "-f", "/dev/null", *words]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30, check=True)
        return ran.stdout

    def close(self) -> None:
        """End the program."""
        self._tmux("kill-server")

    def press(self, *keys: str) -> None:
        """Press keys, as tmux calls them: ``C-x``, ``Enter``."""
        self._tmux("send-keys", *keys)

    def type(self, text: str) -> None:
        """Write what a person would write."""
        self._tmux("send-keys", "-l", "--", text)

    def wait(self, wanted: str) -> None:
        """Wait until the screen shows a text."""
        self._until(lambda screen: wanted in screen, f"{wanted!r} is not on the screen")

    def wait_without(self, gone: str) -> None:
        """Wait until the screen does not show a text, and has not for a second: it may be drawn anew meanwhile."""
        since = time.monotonic()

        def is_gone(screen: str) -> bool:
            nonlocal since
            since = time.monotonic() if gone in screen else since
            return time.monotonic() - since > 1

        self._until(is_gone, f"{gone!r} is still on the screen")

    def _until(self, done: Callable[[str], bool], complaint: str) -> None:
        until = time.monotonic() + LONGEST
        while not done(screen := self._tmux("capture-pane", "-p")):
            assert time.monotonic() < until, f"{complaint}:\n{screen}"
            time.sleep(0.05)

    def picture(self, title: str) -> str:
        """The screen as SVG: one line of text a row, each run of a style at its place."""
        columns, rows = self.size
        width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
        rests = {"x": -MARGIN, "y": -MARGIN, "width": width, "height": height}
        parts = [f"<title>{escape(title)}</title>", _rectangle(rests, "#ffffff")]
        for run in runs(self._tmux("capture-pane", "-p", "-e", "-N")):
            size = len(run.text) * WIDTH
            place = {"x": run.column * WIDTH, "y": run.row * HEIGHT, "width": size, "height": HEIGHT}
            if run.paper != "#ffffff":
                parts.append(_rectangle(place, run.paper))
            bold = ' font-weight="700"' * run.bold
            line = ' text-decoration="underline"' * run.line
            parts += (
                f'<text x="{(run.column + words.start()) * WIDTH}" y="{run.row * HEIGHT + 13}" fill="{run.ink}"'
                f'{bold}{line} textLength="{len(words[0]) * WIDTH}" lengthAdjust="spacingAndGlyphs">'
                f"{escape(words[0])}</text>"
                for words in re.finditer(r"\S+(?: \S+)*", run.text)
            )
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}" '
        style = 'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">'
        return "\n".join([head + style, *parts, "</svg>", ""])


def _rectangle(place: Mapping[str, int], fill: str) -> str:
    told = " ".join(f'{name}="{value}"' for name, value in place.items())
    return f'<rect {told} fill="{fill}"/>'


def runs(captured: str) -> Iterator[Run]:
    """The runs of a screen that was captured with its styles, which last from one row to the next."""
    ink, paper, bold, line, turned = "#000000", "#ffffff", False, False, False
    for row, content in enumerate(captured.split("\n")):
        column = 0
        for text, codes in itertools.zip_longest(*[iter(_STYLE.split(content))] * 2):
            if text:
                yield Run(row, column, text, *((paper, ink) if turned else (ink, paper)), bold, line)
                column += len(text)
            if codes is None:
                continue
            numbers = [int(code or 0) for code in codes.split(";")]
            while numbers:
                code = numbers.pop(0)
                if code in (38, 48, 58):
                    told, numbers = f"#{bytes(numbers[1:4]).hex()}", numbers[4:]
                    ink, paper = (told if code == 38 else ink), (told if code == 48 else paper)
                elif code == 0:
                    ink, paper, bold, line, turned = "#000000", "#ffffff", False, False, False
                elif code in (39, 49):
                    ink, paper = ("#000000" if code == 39 else ink), ("#ffffff" if code == 49 else paper)
                elif code in (1, 22):
                    bold = code == 1
                elif code in (4, 24):
                    line = code == 4
                elif code in (7, 27):
                    turned = code == 7
