"""The forms for issues are well formed, and what they tell people to run is there."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from truco_spec.cli.commands import PROGRAM, VERBS, group

ROOT = Path(__file__).parents[1]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_named_questions_and_names_what_is_there(path):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"] and form["description"] and form["labels"]
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids)) > 3
    assert all(
        field["type"] in ("input", "textarea", "dropdown") and field["attributes"]["label"] for field in form["body"]
    )
    text = path.read_text(encoding="utf-8")
    for page in re.findall(r"docs/[\w-]+\.md", text):
        assert (ROOT / page).is_file()
    for line in re.findall(rf"`{PROGRAM} ([^`]+)`", text):
        verb, *words = shlex.split(line.partition(" -- ")[0])
        assert verb in VERBS
        command = group.get_command(click.Context(group, info_name=PROGRAM), verb)
        assert command is not None
        known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known
