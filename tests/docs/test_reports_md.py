"""The page of the reports is true: its commands, run one after the other, print what it shows."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fenced import ROOT, blocks

from truco_spec.base.harmless import LONGEST
from truco_spec.conformance.reports.events import KINDS
from truco_spec.conformance.reports.formats import FORMATS
from truco_spec.conformance.runner.verdicts import REPORT_VERSION

PAGE = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    shutil.copy(ROOT / "conformance" / "adapters" / "python" / "gat_games.py", tmp_path)
    for block in blocks(PAGE):
        parts = re.split(r"^\$ truco-spec (.*)\n", block.text, flags=re.MULTILINE)
        for command, wanted in zip(parts[1::2], parts[2::2], strict=True):
            words = [sys.executable if word == "python" else word for word in shlex.split(command)]
            done = subprocess.run(
                [sys.executable, "-m", "truco_spec", *words], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
            lines = wanted.splitlines(keepends=True)
            pattern = "".join(".*" if line == "...\n" else re.escape(line) for line in lines)
            assert re.fullmatch(pattern, printed.replace(sys.executable, "python"), re.DOTALL), done.stderr + printed
    assert (tmp_path / "mine.html").exists()


def test_every_format_and_every_event_is_on_the_page() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| `(\.\w+)` \|", PAGE, re.MULTILINE))
    assert table == {name: form.endings[0] for name, form in FORMATS.items()}
    assert re.findall(r"^\| `(\w+)` \| [^`.]*`(?!\.)", PAGE, re.MULTILINE) == [*KINDS]


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"cut at {LONGEST} characters" in PAGE
    assert f"(the version of this format, {REPORT_VERSION})" in PAGE
