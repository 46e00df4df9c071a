"""The index leads to every page, and every link of every page leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGES = sorted(DOCS.rglob("*.md"))


def links(page: Path) -> list[str]:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"`[^`\n]*`", "", prose)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", prose) if "://" not in link]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if heading:
            titles = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, link


def test_the_index_leads_to_every_page() -> None:
    told = {(DOCS / link.partition("#")[0]).resolve() for link in links(DOCS / "README.md")}
    for page in PAGES:
        if page.name != "README.md":
            assert page in told or page.parent in told, f"docs/README.md does not lead to {page.relative_to(DOCS)}"


MEASURED = "diagnosis"
"""It stands beside the page that it is about, and is written by a bench."""


def test_every_tutorial_and_how_to_is_translated() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    done = re.search(r"^## Tutorial$.*^(?=## Reference$)", index, re.MULTILINE | re.DOTALL)
    assert done is not None
    names = set(re.findall(r"\(([\w-]+)\.md\)", done[0])) - {MEASURED}
    assert len(names) > 10
    for name in names:
        for language in ("es", "pt"):
            assert (DOCS / f"{name}.{language}.md").exists(), f"{name}.md is not in {language}"
            assert f"({name}.{language}.md)" in (DOCS / f"README.{language}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if re.search(r"\.\w\w\.md$", page.name)], ids=lambda p: p.name)
def test_a_translation_leads_to_translations(page: Path) -> None:
    """But to itself in English, and to a part of a page that is whole in English only."""
    own = page.name.split(".")[1]
    for link in links(page):
        target = (page.parent / link).resolve()
        translation = target.with_suffix(f".{own}.md")
        if "#" not in link and target.suffix == ".md" and target.name.split(".")[0] != page.name.split(".")[0]:
            assert target == translation or target.name.count(".") == 2 or not translation.exists(), link
