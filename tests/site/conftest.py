"""What the tests of the site share: its pages. What many of them are made of (books, traces, cases) is read once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, served

from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.books.site.pages import Page, build, pages

KINDS = ("paulista.2", "paulista.4", "mineiro.4", "argentino.2", "argentino.4")
"""The modules of “Who is right?” that its tests load."""


@pytest.fixture(scope="session")
def wanted() -> list[Page]:
    return pages()


@pytest.fixture(scope="session")
def shelf() -> SiteInputs:
    return SiteInputs()


def _used(path: str) -> bool:
    first, _, rest = path.partition("/")
    if first == "modules":
        return rest.endswith(".js") or rest.rpartition(".")[0] in KINDS
    if first == "atlas":
        return rest.startswith("paulista.")
    return first.startswith(("who", "index", "sw."))


@pytest.fixture(scope="session")
def who_site(tmp_path_factory: pytest.TempPathFactory, wanted: list[Page]) -> Path:
    folder = tmp_path_factory.mktemp("site") / "public"
    build(folder, [page for page in wanted if _used(page.path)])
    return folder


@pytest.fixture
def address(who_site: Path, browser: Browser) -> Iterator[str]:
    """Where “Who is right?” is served, for a window as narrow as a phone."""
    browser.width(360)
    with served(who_site) as address:
        yield address
