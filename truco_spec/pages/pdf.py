"""A page as PDF, printed by this machine's Chromium or Chrome, which renders it better than any library."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from truco_spec.base.errors import TrucoError

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 60
_FLAGS = (
    "--headless", "--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-sync", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--no-pdf-header-footer",
)  # fmt: skip


class NoPdf(TrucoError):
    """The page cannot be printed here; the message says why and what to do."""


def pdf_of(page: str) -> bytes:
    """Print the page. It is our own, makes no network requests, and its policy allows no script but its own.

    Raises :class:`NoPdf` if there is no browser, or it fails or takes more than a minute.
    """
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise NoPdf(
            "A PDF is printed by Chromium or Chrome, and none is here. Install one, or print the HTML yourself."
        )
    with tempfile.TemporaryDirectory(prefix="truco-spec-") as folder:
        source, target = Path(folder, "page.html"), Path(folder, "page.pdf")
        source.write_text(page, encoding="utf-8")
        command = [browser, *_FLAGS, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=SECONDS, check=True)  # noqa: S603 -- found above
            return target.read_bytes()
        except (subprocess.SubprocessError, OSError) as error:
            raise NoPdf(
                f"{browser} did not print the page: {error}. Try it again, or print the HTML yourself."
            ) from None
