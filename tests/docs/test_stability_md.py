"""The versions on the page are those of the code, and those of the citation."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from fenced import ROOT, blocks

import truco_spec
from truco_spec.base import GOING_NAMES, GOING_VERBS, __version__
from truco_spec.books.bundle import NPM_VERSION
from truco_spec.cli import main
from truco_spec.cli.commands import VERBS
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.corpus.cases import CORPUS_VERSION
from truco_spec.conformance.corpus.protocol import PROTOCOL
from truco_spec.conformance.runner.dividing import PERFT_VERSION
from truco_spec.logs.files import FORMAT

PAGE = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")


def test_the_versions_are_those_of_the_code():
    told = re.findall(r"^\| [^|]+ \| ([^|]+) \| ", PAGE, re.MULTILINE)[2:]
    wanted = [edition(), f"`corpus: {CORPUS_VERSION}`", f"`truco: {FORMAT}`", str(PROTOCOL[1])]
    assert told == [*wanted, f"`perft: {PERFT_VERSION}`", __version__]
    assert blocks(PAGE) == []


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__ and cited["title"] and cited["authors"]


def test_the_extension_of_vs_code_is_of_this_version():
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    assert package["version"] == NPM_VERSION


def test_a_name_that_will_go_works_and_warns(monkeypatch):
    monkeypatch.setattr("truco_spec.base.GOING_NAMES", {"read_rules": "load"})
    with pytest.warns(DeprecationWarning, match="“read_rules” will go .* use “load”") as told:
        assert truco_spec.read_rules is truco_spec.load
    assert told[0].filename == __file__
    with pytest.raises(AttributeError, match="read_rule'"):
        truco_spec.read_rule  # noqa: B018


def test_a_verb_that_will_go_works_and_says_so(monkeypatch, capsys):
    monkeypatch.setattr("truco_spec.cli.commands.GOING_VERBS", {"print": "show"})
    with pytest.raises(SystemExit) as end:
        main(["print", "paulista"])
    told = capsys.readouterr()
    assert end.value.code == 0 and "variant paulista" in told.out
    assert told.err == "“print” will go with the next version: use “show”.\n"


def test_what_will_go_is_not_there_as_well():
    assert not {*GOING_NAMES} & {*truco_spec.__all__} and {*GOING_NAMES.values()} <= {*truco_spec.__all__}
    assert not {*GOING_VERBS} & {*VERBS} and {*GOING_VERBS.values()} <= {*VERBS}


def test_the_codes_that_stay_are_codes():
    (code,) = re.findall(r"code of a diagnostic \(`([a-z-]+)`\)", PAGE)
    assert f"code: {code}" in (ROOT / "grammar" / "messages.yaml").read_text(encoding="utf-8")


def test_what_contributors_are_sent_to_is_there():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = [
        *re.findall(r"\]\(([^)]+)\)", page),
        *re.findall(r"`((?:spec|truco_spec|tests|conformance|docs)/[\w/.]+)`", page),
    ]
    assert len(paths) > 10 and [path for path in paths if not (ROOT / path.replace("/FAMILY", "")).exists()] == []
