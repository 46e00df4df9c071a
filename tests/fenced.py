"""The fenced examples of a page."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from truco_spec.cli import main
from truco_spec.conformance.corpus.corpus import reread_own

ROOT = Path(__file__).parent.parent

_FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced example: ``about`` is what stands behind its language, ``line`` where it begins."""

    language: str
    about: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """The examples of a page, in order."""
    return [
        Block(match[1], match[2].strip(), match[3], page.count("\n", 0, match.start()) + 1)
        for match in _FENCE.finditer(page)
    ]


def translated(name: str) -> dict[str, str]:
    """A page of the docs and its translations: their texts by name, ``ci.md`` before ``ci.es.md`` and ``ci.pt.md``."""
    pages = [name, *sorted(path.name for path in (ROOT / "docs").glob(name.replace(".md", ".??.md")))]
    return {page: (ROOT / "docs" / page).read_text(encoding="utf-8") for page in pages}


def consoles(pages: Mapping[str, str]) -> list[object]:
    """The console blocks of some pages, each a parameter with its place."""
    shown = [(name, block) for name, page in pages.items() for block in blocks(page) if block.language == "console"]
    return [pytest.param(block, id=f"{name}:{block.line}") for name, block in shown]


def write_files(page: str, folder: Path) -> None:
    """Put the examples that are files (``file NAME`` behind their language) into a folder."""
    for block in blocks(page):
        if block.about.startswith("file "):
            (folder / block.about.removeprefix("file ")).write_text(block.text, encoding="utf-8")


def understood(command: click.Command, line: str) -> click.Context:
    """What a verb makes of a line of the page. That it takes -h too is kept in it by whoever asks first."""
    verb, *words = shlex.split(line, comments=True)[1:]
    return command.make_context(verb, words, help_option_names=["-h", "--help"])


def printed_here(arguments: list[str], folder: Path) -> tuple[str, str]:
    """What the program of this process prints in a folder, and its errors; it reads the cases there anew."""
    reread_own()
    out, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        contextlib.suppress(SystemExit),
    ):
        main(arguments)
    return out.getvalue(), errors.getvalue()


def prints_what_is_shown(
    block: Block, folder: Path = ROOT, run: Callable[[list[str], Path], tuple[str, str]] = printed_here
) -> None:
    """A command of a console block prints what stands below it; a line of three dots stands for any lines."""
    command, _, wanted = block.text.partition("\n")
    words = re.findall(r'"([^"]*)"|(\S+)', command.removeprefix("$ truco-spec "))
    told, errors = run([quoted or bare for quoted, bare in words], folder)
    printed = "\n".join(line.rstrip() for line in told.strip().splitlines()) + "\n"
    pattern = "".join(".*" if part == "...\n" else re.escape(part) for part in wanted.splitlines(keepends=True))
    assert re.fullmatch(pattern, printed, re.DOTALL), f"{errors}\n{printed}"


def follow(page: str, place: Path, run: Callable[[list[str], Path], tuple[str, str]]) -> Path:
    """Do what docs/federation.md says, from an empty folder; return the project that comes of it."""
    first, *others = blocks(page)
    prints_what_is_shown(first, place, run)
    folder = place / first.text.split()[3]  # $ truco-spec new NAME
    for block in others:
        if block.about.startswith("file "):
            path = folder / block.about.removeprefix("file ")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            prints_what_is_shown(block, folder, run)
        else:
            for line in block.text.splitlines():
                run(line.split()[1:], folder)
    return folder
