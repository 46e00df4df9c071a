"""Every example of every page is of a kind that is tried, and the tests that try it are named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fenced import ROOT, blocks

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TRIED = {
    "cases.md": {"yaml", "console"},
    "checks.md": {"sh"},
    "ci.md": {"yaml"},
    "ci.es.md": {"yaml"},
    "ci.pt.md": {"yaml"},
    "commands.md": {"text"},
    "diagnosis.md": {"sh"},
    "diff.md": {"console", "text", "yaml"},
    "disputes.md": {"console", "yaml", "python"},
    "editors.md": {"sh", "truco", "yaml", "console"},
    "embed.md": {"sh", "js", "html", "python"},
    "embed.es.md": {"sh", "js", "html", "python"},
    "embed.pt.md": {"sh", "js", "html", "python"},
    "engine.md": {"python"},
    "examples/club/README.md": {"sh"},
    "examples/liga/README.md": {"sh"},
    "federation.md": {"console", "yaml", "truco", "po", "sh"},
    "federation.es.md": {"console", "yaml", "truco", "po", "sh"},
    "federation.pt.md": {"console", "yaml", "truco", "po", "sh"},
    "fit.md": {"sh", "console"},
    "fuzz.md": {"sh"},
    "house-rules.md": {"truco", "console", "sh"},
    "house-rules.es.md": {"truco", "console", "sh"},
    "house-rules.pt.md": {"truco", "console", "sh"},
    "implementers.es.md": {"sh", "console"},
    "implementers.pt.md": {"sh", "console"},
    "implementers.md": {"sh", "console", "js", "python", "json", "text", "yaml"},
    "language.md": {"truco", "text"},
    "logs.md": {"yaml", "console", "python"},
    "logs/fifteen.md": {"console"},
    "perft.md": {"console", "yaml"},
    "position.md": {"console", "lark", "python", "yaml"},
    "protocol.md": {"sh", "text"},
    "pytest.md": {"console", "toml", "yaml"},
    "pytest.es.md": {"console", "toml", "yaml"},
    "pytest.pt.md": {"console", "toml", "yaml"},
    "python.md": {"python"},
    "reports.md": {"console"},
    "results/gat-games.md": {"sh"},
    "results/marianogappa.md": {"sh"},
    "results/minitruco.md": {"sh"},
    "results/pytruco.md": {"sh"},
    "results/truco-paulista-2026.md": {"sh"},
    "results/truco-tui.md": {"sh"},
    "rulebook.md": {"sh"},
    "rulebook.es.md": {"sh"},
    "rulebook.pt.md": {"sh"},
    "scripts.md": {"python"},
    "settle.md": {"console", "sh"},
    "settle.es.md": {"console", "sh"},
    "settle.pt.md": {"console", "sh"},
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
    "ci.es.md": "test_ci_md.py",
    "ci.pt.md": "test_ci_md.py",
    "embed.es.md": "test_embed_md.py",
    "embed.pt.md": "test_embed_md.py",
    "federation.es.md": "test_federation_md.py",
    "federation.pt.md": "test_federation_md.py",
    "house-rules.es.md": "test_house_rules_md.py",
    "house-rules.pt.md": "test_house_rules_md.py",
    "implementers.es.md": "test_implementers_md.py",
    "implementers.pt.md": "test_implementers_md.py",
    "pytest.es.md": "test_pytest_md.py",
    "pytest.pt.md": "test_pytest_md.py",
    "rulebook.es.md": "test_rulebook_md.py",
    "rulebook.pt.md": "test_rulebook_md.py",
    "settle.es.md": "test_settle_md.py",
    "settle.pt.md": "test_settle_md.py",
} | {page: "test_results_md.py" for page in TRIED if page.startswith("results/")}


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_its_examples_are_tried(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert {block.language for block in blocks(text)} == TRIED.get(name_of(page), set())
    assert len(re.findall(r"^ *(?:```|~~~)", text, re.MULTILINE)) == 2 * len(blocks(text)), "one has no language"


@pytest.mark.parametrize("name", TRIED)
def test_there_are_tests_of_the_page(name: str) -> None:
    module = ELSEWHERE.get(name, f"test_{name.removesuffix('.md').replace('-', '_')}_md.py")
    source = (Path(__file__).parent / module).read_text(encoding="utf-8")
    assert "def test_" in source
    assert Path(name).name in source or "results" in source
