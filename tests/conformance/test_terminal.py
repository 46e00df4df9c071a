"""The story of a run on a terminal: colours where they are wanted, a bar where somebody looks."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from tables import play

from truco_spec.conformance import terminal


class Screen(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def story(folder: Path, name: str, *, colour: bool) -> str:
    lines: list[str] = []
    terminal.show(play(folder, name), None, [], lines.append, verbose=True, colour=colour)
    return "\n".join(lines)


@pytest.mark.parametrize(("name", "colour"), [("honest", "\x1b[32m"), ("wrong", "\x1b[31m")])
def test_colours_are_beside_the_words(tmp_path: Path, name: str, colour: str) -> None:
    painted = story(tmp_path, name, colour=True)
    assert colour in painted
    assert re.sub(r"\x1b\[\d+m", "", painted) == story(tmp_path, name, colour=False)


def test_an_adapter_still_cannot_command_the_terminal(tmp_path: Path) -> None:
    painted = story(tmp_path, "garbage", colour=True)
    assert set(re.findall(r"\x1b.*?m", painted)) <= {"\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[0m"}
    assert "\x1b" not in story(tmp_path, "garbage", colour=False)


def test_the_bar_is_for_terminals_and_goes_away(tmp_path: Path) -> None:
    for stream in (Screen(), io.StringIO()):
        progress = terminal.Progress(6, stream)
        progress.next = 0
        for result in play(tmp_path, "wrong"):
            progress.result(result)
            progress.next = 0
        progress.end()
        told = stream.getvalue()
        if stream.isatty():
            assert f"\r{'█' * 15}{'·' * 15} 3 of 6 cases, 3 wrong" in told
            assert told.endswith("\r\x1b[K")
        else:
            assert told == ""
