"""The versions on the page are those of the code, and those of the citation."""

from __future__ import annotations

import re

import yaml
from fenced import ROOT, blocks

from truco_spec.base import __version__
from truco_spec.conformance.corpus.cases import CORPUS_VERSION
from truco_spec.conformance.corpus.edition import edition
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
