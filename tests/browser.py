"""Chromium without a window, led over a pipe by the DevTools protocol: pages as they are, under their own rules."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import importlib.util
import json
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
)  # fmt: skip
KEYS = {
    "Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
}  # fmt: skip
WAIT = 60.0
"""Seconds after which the browser will not answer any more."""

PAUSE = 0.05
"""Seconds between two looks."""

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


in_a_browser = [pytest.mark.long, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]
"""The marks of tests that need it."""


class Browser:
    """One page in a browser. Its methods wait until what they ask for is done."""

    def __init__(self, profile: Path) -> None:
        theirs_in, self._out = (_high(fd) for fd in os.pipe())
        self._in, theirs_out = (_high(fd) for fd in os.pipe())

        def give() -> None:
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        self._process = subprocess.Popen(
            [str(CHROMIUM), *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(3, 4), preexec_fn=give, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._left, self._number, self._session = b"", 0, ""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def open(self, page: Path, place: str = "") -> None:
        """Go to a page, and wait until it is there, anew even where it is the one that is shown."""
        self._ask("Page.navigate", url="about:blank")
        self._ask("Page.navigate", url=page.as_uri() + place)
        self._arrive()

    def width(self, pixels: int) -> None:
        """Make the window so wide."""
        self._ask("Emulation.setDeviceMetricsOverride", width=pixels, height=800, deviceScaleFactor=1, mobile=False)

    def scheme(self, name: str) -> None:
        """Ask for ``light`` or ``dark`` colours."""
        self._ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def medium(self, name: str) -> None:
        """Show the page as on ``screen``, or as it is printed, ``print``."""
        self._ask("Emulation.setEmulatedMedia", media=name)

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self._ask("Page.printToPDF")["data"])

    def run(self, expression: str) -> Any:
        """What JavaScript makes of an expression on the page; a promise is waited for."""
        done = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"].get("exception", {}).get("description", done))
        return done["result"].get("value")

    def follow(self, selector: str) -> str:
        """Click on a link and wait for the page that it leads to; its address from the last folder on."""
        self.run(f"window.left = true; document.querySelector({json.dumps(selector)}).click()")
        self._arrive()
        return str(self.run("location.pathname.split('/').slice(-2).join('/') + location.hash"))

    def click(self, selector: str) -> None:
        """Click on what leads to no other page, with the mouse, in the middle of it."""
        x, y = self._middle(selector)
        self._mouse("mousePressed", x, y)
        self._mouse("mouseReleased", x, y)

    def drag(self, selector: str, by: int) -> None:
        """Press the mouse there, and move this many pixels to the left before it is let go."""
        x, y = self._middle(selector)
        self._mouse("mousePressed", x, y)
        for step in range(1, 5):
            self._mouse("mouseMoved", x - by * step / 4, y)
        self._mouse("mouseReleased", x - by, y)

    def press(self, key: str) -> None:
        """Press and release a key, called as JavaScript calls it: ``ArrowLeft``, ``Home``, a blank."""
        for kind, text in (("rawKeyDown", ""), ("char", "\r" if key == "Enter" else ""), ("keyUp", "")):
            if kind != "char" or text:
                self._ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key], text=text)

    def choose(self, selector: str, value: str) -> None:
        """Take another entry of a list."""
        self.run(f"""(() => {{ const list = document.querySelector({json.dumps(selector)});
          list.value = {json.dumps(value)};
          list.dispatchEvent(new Event("input", {{bubbles: true}}));
          list.dispatchEvent(new Event("change", {{bubbles: true}})); }})()""")

    def write(self, selector: str, text: str) -> None:
        """Click there, and write over what is there."""
        self.click(selector)
        self.run(f"document.querySelector({json.dumps(selector)}).select()")
        self.insert(text)

    def insert(self, text: str) -> None:
        """Write at the focus."""
        self._ask("Input.insertText", text=text)

    def swipe(self, selector: str, by: int) -> None:
        """Move a finger from the middle of it this many pixels to the left."""
        x, y = self._middle(selector)
        self._ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._ask("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x - by, "y": y}])
        self._ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def spoken(self) -> list[tuple[str, str]]:
        """The page as a screen reader has it: the role and the name of each part, in order."""
        nodes = self._ask("Accessibility.getFullAXTree")["nodes"]
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

    def _middle(self, selector: str) -> tuple[float, float]:
        x, y = self.run(f"""(() => {{
          const it = document.querySelector({json.dumps(selector)});
          it.scrollIntoView({{block: "center"}});
          const box = it.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        return x, y

    def _mouse(self, kind: str, x: float, y: float) -> None:
        self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def close(self) -> None:
        """End the browser."""
        with contextlib.suppress(OSError):
            os.close(self._out)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        request: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._out, json.dumps(request).encode() + b"\0")
        for told in self._told():
            if told.get("id") == self._number:
                assert "error" not in told, told
                return dict(told["result"])
        raise AssertionError

    def _arrive(self) -> None:
        """Wait until another page is there, whole."""
        for _ in range(int(WAIT / PAUSE)):
            with contextlib.suppress(AssertionError):  # between two pages there is none to ask
                if self.run("!window.left && document.readyState === 'complete' && location.href !== 'about:blank'"):
                    return
            time.sleep(PAUSE)
        raise AssertionError("no page has come")

    def _told(self) -> Iterator[dict[str, Any]]:
        """What the browser says, from now on."""
        while True:
            line, end, rest = self._left.partition(b"\0")
            if end:
                self._left = rest
                yield json.loads(line)
                continue
            assert select.select([self._in], [], [], WAIT)[0], "the browser does not answer"
            got = os.read(self._in, 1 << 20)
            assert got, "the browser has ended"
            self._left += got


@pytest.fixture(scope="session")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser of all tests of a run."""
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture
def browser(one_browser: Browser) -> Browser:
    """A browser with a wide, light window."""
    one_browser.medium("screen")
    one_browser.width(1000)
    one_browser.scheme("light")
    return one_browser


def _high(fd: int) -> int:
    """The same pipe under a number that stands in nobody's way."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(fd)
    return moved
