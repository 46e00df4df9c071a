"""The manual page is current, tells every verb and option, and is well formed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import click
import pytest

from release.man_page import COMMAND, page, path
from truco_spec.cli.commands import PROGRAM, VERBS, group


def test_the_page_is_current() -> None:
    if os.environ.get("TOLD") == "anew":
        path().write_text(page(), encoding="utf-8")
    assert path().read_text(encoding="utf-8") == page(), f"{COMMAND} writes it again, TOLD=anew pytest tests/docs too"


def test_every_verb_has_its_options() -> None:
    parts = dict(re.findall(r"^\.SS (\S+)\n(.*?)(?=^\.S[SH])", page().replace("\\-", "-"), re.MULTILINE | re.DOTALL))
    assert sorted(parts) == sorted(VERBS)
    for verb, part in parts.items():
        command = group.get_command(click.Context(group, info_name=PROGRAM), verb)
        assert command is not None
        for option in (one for one in command.params if isinstance(one, click.Option)):
            assert all(re.search(rf"^\.B .*{re.escape(name)}\b", part, re.MULTILINE) for name in option.opts), option


@pytest.mark.skipif(shutil.which("man") is None, reason="there is no man here")
def test_the_formatter_has_nothing_to_say() -> None:
    command = ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(path())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
