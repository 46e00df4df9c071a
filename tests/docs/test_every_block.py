"""Every example of every page is of a kind that is tried, and the tests that try it are named here."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from fenced import ROOT, blocks, translated

from truco_spec.base.shipped import variant_names
from truco_spec.cli.commands import VERBS, Verbs, group
from truco_spec.graph.load import load
from truco_spec.language.diagnostics import SpecError

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TRIED = {
    "cases.md": {"yaml", "console"},
    "checks.md": {"sh"},
    "ci.md": {"yaml"},
    "commands.md": {"text"},
    "diagnosis.md": {"sh"},
    "diff.md": {"console", "text", "yaml"},
    "disputes.md": {"console", "yaml", "python"},
    "editors.md": {"sh", "truco", "yaml", "console"},
    "embed.md": {"c", "sh", "js", "text", "html", "python"},
    "engine.md": {"python"},
    "examples/club/README.md": {"sh"},
    "examples/liga/README.md": {"sh"},
    "federation.md": {"console", "yaml", "truco", "po", "sh"},
    "fit.md": {"sh", "console"},
    "fuzz.md": {"sh"},
    "house-rules.md": {"truco", "console", "sh"},
    "implementers.md": {"sh", "console", "js", "python", "json", "text", "yaml"},
    "language.md": {"truco", "text"},
    "logs.md": {"yaml", "console", "python"},
    "logs/fifteen.md": {"console"},
    "perft.md": {"console", "yaml"},
    "position.md": {"console", "lark", "python", "yaml"},
    "protocol.md": {"sh", "text"},
    "pytest.md": {"console", "toml", "yaml"},
    "python.md": {"python"},
    "reports.md": {"console"},
    "results/gat-games.md": {"sh"},
    "results/marianogappa.md": {"sh"},
    "results/minitruco.md": {"sh"},
    "results/pytruco.md": {"sh"},
    "results/truco-paulista-2026.md": {"sh"},
    "results/truco-tui.md": {"sh"},
    "rulebook.md": {"sh"},
    "scripts.md": {"python"},
    "settle.md": {"console", "sh"},
    "site.md": {"sh"},
    "sources.md": {"yaml"},
    "tour.md": {"yaml", "truco", "python", "console"},
    "variants.md": {"console"},
}
"""The languages of the examples, page by page: what ``test_<page>_md.py`` beside this file tries, all of it."""

ELSEWHERE = {
    "logs/fifteen.md": "test_logs_md.py",
    "examples/club/README.md": "../cli/test_example_projects.py",
    "examples/liga/README.md": "../cli/test_example_projects.py",
} | {page: "test_results_md.py" for page in TRIED if page.startswith("results/")}


OWN = {"federation.md", "house-rules.md", "implementers.md", "rulebook.md", "settle.md"}
"""Pages whose translations show other things: what is done is written in their language, or only begun."""


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def original(page: Path) -> str:
    """The name of a page, or of the one that it translates."""
    return re.sub(r"\.(es|pt)\.md$", ".md", name_of(page))


TRANSLATIONS = [page for page in PAGES if page.parent == DOCS and original(page) not in (name_of(page), "README.md")]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_its_examples_are_tried(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown, tried = {block.language for block in blocks(text)}, TRIED.get(original(page), set())
    assert shown == tried or (page in TRANSLATIONS and original(page) in OWN and shown < tried)
    assert len(re.findall(r"^ *(?:```|~~~)", text, re.MULTILINE)) == 2 * len(blocks(text)), "one has no language"


@pytest.mark.parametrize("page", [page for page in TRANSLATIONS if original(page) not in OWN], ids=name_of)
def test_a_translation_shows_the_same(page: Path) -> None:
    """But for what a command prints in the language of the page, which the tests of the page look at."""
    texts = translated(original(page))
    for there, here in zip(blocks(texts[original(page)]), blocks(texts[page.name]), strict=True):
        assert there[:2] == here[:2]
        command = here.text.partition("\n")[0]
        assert here.text == there.text or (here.language == "console" and " --lang " in command)


SHORTER = {"implementers.md"}
"""Its translations are the tutorial; what is looked up stands in English."""


def chapters(text: str) -> list[str]:
    """Of each chapter what its lines are: headings, rows of tables, points of lists, examples."""
    text = re.sub(r"^```.*?^```$", "@", text, flags=re.MULTILINE | re.DOTALL)
    return [
        "".join(re.findall(r"^([#|*@-]|\d(?=\.))", part, re.MULTILINE))
        for part in re.split(r"^(?=## )", text, flags=re.MULTILINE)
    ]


@pytest.mark.parametrize("page", [page for page in TRANSLATIONS if original(page) not in SHORTER], ids=name_of)
def test_a_translation_has_the_shape_of_its_page(page: Path) -> None:
    """Chapter by chapter, but where it leads to the same page in English for more."""
    own, first = page.read_text(encoding="utf-8"), (DOCS / original(page)).read_text(encoding="utf-8")
    parts = re.split(r"^(?=## )", own, flags=re.MULTILINE)
    for part, here, there in zip(parts, chapters(own), chapters(first), strict=True):
        assert here == there or f"({original(page)}" in part, part.partition("\n")[0]


@pytest.mark.parametrize("name", [*TRIED, *map(name_of, TRANSLATIONS)])
def test_there_are_tests_of_the_page(name: str) -> None:
    first = original(DOCS / name)
    module = ELSEWHERE.get(first, f"test_{first.removesuffix('.md').replace('-', '_')}_md.py")
    source = (Path(__file__).parent / module).read_text(encoding="utf-8")
    assert "def test_" in source
    assert (Path(name).name if first == name else f'translated("{first}")') in source or "results" in source


def commands(text: str) -> list[str]:
    """The commands of a page or of a help: in a line of their own, or within a sentence."""
    return re.findall(r"^ *\$? ?(truco-spec [^\n]+)", text, re.MULTILINE) + re.findall(r"`(truco-spec [^`]+)`", text)


def agreed(command: str) -> set[tuple[str, frozenset[tuple[str, str]]]]:
    """The games that a command names, each with the options that stand behind it."""
    found: set[tuple[str, frozenset[tuple[str, str]]]] = set()
    try:
        given = [word.partition("|")[0] for word in shlex.split(command, comments=True)]
    except ValueError:  # an open quote: the rest stands in the next line
        return found
    words = re.split(r"[\s,]+", " ".join(given))
    for at, word in enumerate(words):
        if word in variant_names():
            behind = itertools.takewhile(lambda one: "=" in one or one in ("-o", "--option"), words[at + 1 :])
            settings = [one.partition("=") for one in behind if "=" in one]
            found.add((word, frozenset((name, value) for name, _, value in settings)))
    return found


HELP = "\n".join(command.help or "" for verb in VERBS if (command := Verbs().get_command(click.Context(group), verb)))


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", *PAGES, None], ids=lambda page: page.relative_to(ROOT).as_posix() if page else "help"
)
def test_the_options_of_every_command_can_be_agreed(page: Path | None) -> None:
    for command in commands(page.read_text(encoding="utf-8") if page else HELP):
        for variant, options in agreed(command):
            load(variant, **dict(options))


def test_an_option_that_cannot_be_agreed_is_noticed() -> None:
    ((variant, options),) = agreed("truco-spec build paulista players=2 deck=clean -o rules")
    with pytest.raises(SpecError, match="clean deck"):
        load(variant, **dict(options))


@pytest.mark.long
@pytest.mark.parametrize("example", sorted((DOCS / "examples").glob("*.truco")), ids=lambda path: path.name)
def test_an_example_of_rules_is_in_order(example: Path, ends: Callable[..., tuple[int, str, str]]) -> None:
    status, _, said = ends("check", str(example))
    assert status == 0, said
