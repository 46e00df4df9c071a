"""Every verb that prints for people speaks Portuguese and Spanish: with ``--lang`` no English word of ours is left."""

from __future__ import annotations

import re

import click
import pytest
from click.testing import CliRunner
from one_language import foreign, text_of_page

from truco_spec.base.shipped import ENGLISH, LANGUAGES, folder
from truco_spec.cli.commands import VERBS, group
from truco_spec.graph.load import load

LOG = (
    "paulista | ana bia caio davi | dealer ana | deal vira 5H, ana QD JD 2S, bia 3C 6D 7S, caio 4D 5S 4S, "
    "davi AH JH KH | bia 3C, caio truco, bia seis"
)
RUN = str(folder("docs") / "results" / "minitruco.jsonl")
PEOPLE = {
    "run": [LOG],
    "dispute": [LOG, "--variants", "paulista, mineiro", "--format", "md"],
    "explain": [LOG],
    "penalties": ["paulista", "--format", "md"],
    "replay": [LOG],
    "rulebook": ["paulista", "--format", "md"],
    "scoresheet": ["paulista"],
    "show": ["paulista"],
    "table": ["--variants", "paulista,mineiro", "--format", "md"],
    "words": ["paulista", "--format", "md"],
    "diff": ["paulista", "mineiro", "--positions", "5000", "--format", "md"],
    "report": [RUN, "--report", "md:-"],
    "compare": [RUN, RUN, "--format", "md"],
    "test": ["--case", "pagat-tie-01", "--report", "md:-"],
    "check": ["paulista"],
    "graph": ["paulista", "--format", "svg"],
    "perft": ["--divide", "--depth", "1", "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H"],
    "trace": ["--mutants"],
}
"""Verbs that print for people who play, and arguments for them."""
OTHERS = {
    "build", "completion", "fit", "format", "fuzz", "lsp", "new", "site", "translate",
}  # fmt: skip
"""Other verbs; ``site`` writes all languages, ``new`` and ``build`` too."""
TYPED = re.compile(
    r"`[^`]*`|^```.*?^```|^ *\[[ x]\] .*?$|^ *- \S+ = .*?$|[\w{}]+(?:[-.:][\w{}]+)+|\([a-z]+\)",
    re.MULTILINE | re.DOTALL,
)
"""Names as they are typed, logs, and the conditions of rules."""


def test_every_verb_prints_for_people_or_for_authors() -> None:
    assert PEOPLE.keys() | OTHERS == VERBS.keys()
    assert not PEOPLE.keys() & OTHERS


@pytest.mark.parametrize("verb", PEOPLE)
def test_what_prints_for_people_takes_a_language(verb: str) -> None:
    command = group.get_command(click.Context(group), verb)
    assert command is not None
    assert any("--lang" in parameter.opts for parameter in command.params)


def told(verb: str, language: str) -> str:
    result = CliRunner().invoke(group, [verb, *PEOPLE[verb], "--lang", language], standalone_mode=False)
    assert result.exception is None, result.output
    if result.stdout.lstrip().startswith("<"):
        return text_of_page(result.stdout)
    if verb == "show":
        return "\n".join(re.findall(r'"([^"\n]*)"', result.stdout))
    return TYPED.sub(" ", result.stdout)


@pytest.mark.sample(1, long=17)
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != ENGLISH])
@pytest.mark.parametrize("verb", PEOPLE)
def test_no_english_word_is_left(verb: str, language: str) -> None:
    assert list(foreign(told(verb, language), language, load("paulista"), load("mineiro"))) == []
