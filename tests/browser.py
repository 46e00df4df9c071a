"""Debian's Chromium without a window, led by Playwright: pages as they are, under their own rules."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import threading
from collections.abc import Iterator
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from truco_spec.books.render import BROWSERS

if TYPE_CHECKING:  # it takes long to import, and most runs need no browser
    from playwright.sync_api import Browser as Program
    from playwright.sync_api import CDPSession, Page

CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
PLAYWRIGHT = importlib.util.find_spec("playwright")
Scheme = Literal["light", "dark"]
WAIT = 60.0
"""Seconds after which nothing will come any more."""

AXE = importlib.util.find_spec("axe_core_python")
FAULTS = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations
  .map((fault) => `${fault.impact}: ${fault.help}: ${fault.nodes[0].html.slice(0, 200)}`))"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the library
        pass


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder meanwhile; its address, with a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


MISSING = "no Chromium is installed" if CHROMIUM is None else "Playwright is not installed: pip install playwright"
in_a_browser = [pytest.mark.long, pytest.mark.skipif(None in (CHROMIUM, PLAYWRIGHT), reason=MISSING)]
"""The marks of tests that need it."""


class Browser:
    """A page of Playwright, with what the tests often do there. Methods wait until what they ask for is done."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, page: Path | str, place: str = "") -> None:
        """Go to a file or an address, and wait until it is there, anew even where it is the one that is shown."""
        if self.page.url != "about:blank":
            self.page.goto("about:blank")
        self.page.goto((page.as_uri() if isinstance(page, Path) else page) + place)

    def width(self, pixels: int) -> None:
        """Make the window so wide."""
        self.page.set_viewport_size({"width": pixels, "height": 800})

    def run(self, expression: str) -> Any:
        """What JavaScript makes of an expression on the page; a promise is waited for."""
        return self.page.evaluate(expression)

    def wait(self, expression: str, seconds: float = WAIT) -> None:
        """Wait until an expression is true of the page, or of one that follows it; one that fails is not true yet."""
        tried = (
            f"() => {{ try {{ return {expression}; }} catch {{ return false; }} }}"  # a text would break their rules
        )
        self.page.wait_for_function(tried, timeout=1000 * seconds)

    def follow(self, selector: str) -> str:
        """Click on a link and wait for the page that it leads to; its address from the last folder on."""
        with self.page.expect_navigation():
            self.page.click(selector)
        return str(self.run("location.pathname.split('/').slice(-2).join('/') + location.hash"))

    def drag(self, selector: str, by: int) -> None:
        """Press the mouse there, and move this many pixels to the left before it is let go."""
        x, y = self.middle(selector)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x - by, y, steps=4)
        self.page.mouse.up()

    def swipe(self, selector: str, by: int) -> None:
        """Move a finger from the middle of it this many pixels to the left."""
        x, y = self.middle(selector)
        for kind, points in (("Start", [{"x": x, "y": y}]), ("Move", [{"x": x - by, "y": y}]), ("End", [])):
            self.cdp.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    def spoken(self) -> list[tuple[str, str]]:
        """The page as a screen reader has it: the role and the name of each part, in order."""
        nodes = self.cdp.send("Accessibility.getFullAXTree")["nodes"]
        told = (
            (str(node["role"]["value"]), str(node.get("name", {}).get("value", "")))
            for node in nodes
            if not node["ignored"]
        )
        return [(role, name) for role, name in told if role not in {"none", "generic", "InlineTextBox", "LineBreak"}]

    def faults(self) -> list[str]:
        """The faults of accessibility that axe-core finds on the page."""
        if AXE is None or AXE.origin is None:
            pytest.skip("axe-core is not installed: pip install axe-core-python")
        self.run((Path(AXE.origin).parent / "axe.min.js").read_text(encoding="utf-8") + "; 0")
        return list(self.run(FAULTS))

    @cached_property
    def cdp(self) -> CDPSession:
        """The protocol itself, for what Playwright has no word for."""
        return self.page.context.new_cdp_session(self.page)

    def middle(self, selector: str) -> tuple[float, float]:
        """The middle of what is there, in the window; also of a line, which Playwright does not see."""
        x, y = self.page.locator(selector).first.evaluate("""(it) => {
          it.scrollIntoView({block: "center"});
          const box = it.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2]; }""")
        return x, y


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Program]:
    """The browser of all tests of a run. Until its end ``asyncio.run`` works in other threads only."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=CHROMIUM) as started:
        yield started


@pytest.fixture
def browser(one_browser: Program) -> Iterator[Browser]:
    """A browser with a wide, light window, in which nothing is kept from before."""
    with one_browser.new_context(viewport={"width": 1000, "height": 800}) as fresh:
        fresh.set_default_timeout(1000 * WAIT)
        yield Browser(fresh.new_page())
