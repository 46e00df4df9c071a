"""How fast “Who is right?” is on a phone: Chromium with a processor four times as slow, over 1.6 Mbit/s.

It needs Chromium, and Playwright to lead it, as the tests do. Times are those of the clock, since the browser waits for
its network; the least of several.
"""

from __future__ import annotations

import gzip
import importlib.util
import shutil
import sys
import tempfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING

from truco_spec.books.render import BROWSERS
from truco_spec.books.site.pages import build, pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

SLOWER, BITS, LATENCY = 4, 1_600_000, 150
ROOT = "document.getElementById('who')"
PAGE = "who.pt.html#paulista/ana+bia+caio+davi/dealer+davi/deal+vira+6H/ana+3C"
TAP = f"""new Promise((done) => {{
  const began = performance.now(), was = {ROOT}.dataset.ready;
  CLICK;
  const look = () => {{
    if ({ROOT}.dataset.ready === was) return setTimeout(look);
    const drawn = performance.now();
    const strip = () => ({ROOT}.dataset.asked ? done([drawn - began, performance.now() - drawn]) : setTimeout(strip));
    strip();
  }};
  look();
}})"""
READY = """[performance.getEntriesByName("drawn")[0].startTime,
  performance.getEntries().reduce((sum, one) => sum + (one.transferSize ?? 0), 0)]"""
BACK = "document.querySelector('.tools button').click()"
SAY = "[...document.querySelectorAll('.doing button')].find((it) => it.innerText === 'truco').click()"


def measured(took: int) -> Mapping[str, object]:
    """Milliseconds to the table at the first use, kilobytes of that, milliseconds for a tap and for what others say.

    Ends the program, with a line that says why, where Chromium or Playwright is missing.
    """
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None or importlib.util.find_spec("playwright") is None:
        sys.exit(
            "It is measured in Chromium by Playwright, and one is missing: apt install chromium; pip install playwright"
        )
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / "site"
        build(folder, [page for page in pages() if page.path.startswith(("who", "modules", "sw."))])
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{PAGE}"
        with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program) as browser:
            firsts = []
            for _ in range(took):
                for context in browser.contexts:  # a page that stays open takes its part of the processor
                    context.close()
                shown = browser.new_page()
                firsts.append(_first(shown, address))
            taps = [shown.evaluate(TAP.replace("CLICK", act)) for _ in range(4 * took) for act in (SAY, BACK)]
        server.shutdown()
    return {
        "first use, to the table (ms)": round(min(ms for ms, _ in firsts)),
        "kilobytes of that": round(firsts[0][1] / 1000),
        "tap (ms)": round(min(tap for tap, _ in taps)),
        "what others say (ms)": round(min(strip for _, strip in taps)),
    }


def _first(page: Page, address: str) -> tuple[float, int]:
    """Milliseconds until the table is drawn in a fresh window, and the bytes that came by then."""
    protocol = page.context.new_cdp_session(page)
    way = {"offline": False, "latency": LATENCY, "downloadThroughput": BITS / 8, "uploadThroughput": BITS / 16}
    protocol.send("Network.emulateNetworkConditions", way)
    protocol.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="commit")
    page.wait_for_function(f"() => {ROOT}?.dataset.ready", timeout=60_000)
    took, came = page.evaluate(READY)
    page.wait_for_function(f"() => {ROOT}.dataset.asked", timeout=60_000)
    return took, came


def _handler(folder: Path) -> type[BaseHTTPRequestHandler]:
    """Serves a folder as hosts of pages do: compressed."""

    class Compressed(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = folder / self.path.partition("?")[0].lstrip("/")
            self.send_response(200 if path.is_file() else 404)
            body = gzip.compress(path.read_bytes() if path.is_file() else b"")
            self.send_header("Content-Type", "text/javascript" if path.suffix == ".js" else guess_type(path)[0] or "")
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the name of the library
            pass

    return Compressed
