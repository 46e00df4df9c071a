"""What the tests of the site share: its pages. What many of them are made of (books, traces, cases) is read once."""

import pytest

from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.books.site.pages import Page, pages


@pytest.fixture(scope="session")
def wanted() -> list[Page]:
    return pages()


@pytest.fixture(scope="session")
def shelf() -> SiteInputs:
    return SiteInputs()
