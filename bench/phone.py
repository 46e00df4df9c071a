"""How fast “Who is right?” is on a phone: Chromium with a processor four times as slow, over 1.6 Mbit/s.

It needs Chromium, and is led as the tests lead theirs (``tests/browser.py``). Times are those of the clock, since the
browser waits for its network; the least of several.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import tempfile
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from types import ModuleType
from typing import Any

from truco_spec.books.site.incremental import build
from truco_spec.books.site.pages import pages

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
    """Milliseconds to the table at the first use, kilobytes of that, milliseconds for a tap and for what others say."""
    tests = _tests()
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / "site"
        build(folder, [page for page in pages() if page.path.startswith(("who", "modules", "sw."))])
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = tests.Browser(Path(kept) / "profile")
        try:
            address = f"http://127.0.0.1:{server.server_port}/{PAGE}"
            firsts = [_first(browser, address) for _ in range(took)]
            taps = [browser.run(TAP.replace("CLICK", act)) for _ in range(4 * took) for act in (SAY, BACK)]
        finally:
            browser.close()
            server.shutdown()
    return {
        "first use, to the table (ms)": round(min(ms for ms, _ in firsts)),
        "kilobytes of that": round(firsts[0][1] / 1000),
        "tap (ms)": round(min(tap for tap, _ in taps)),
        "what others say (ms)": round(min(strip for _, strip in taps)),
    }


def _first(browser: Any, address: str) -> tuple[float, int]:
    """Milliseconds until the table is drawn, with nothing kept from before, and the bytes that came by then."""
    ask = browser._ask  # noqa: SLF001 -- what the tests have no word for
    ask("Page.navigate", url="about:blank")
    ask("Storage.clearDataForOrigin", origin=address.rpartition("/")[0], storageTypes="all")
    ask("Network.enable")
    ask("Network.clearBrowserCache")
    ask(
        "Network.emulateNetworkConditions",
        offline=False, latency=LATENCY, downloadThroughput=BITS / 8, uploadThroughput=BITS / 16,
    )  # fmt: skip
    ask("Emulation.setCPUThrottlingRate", rate=SLOWER)
    ask("Page.navigate", url=address)
    _patiently(browser, f"{ROOT}?.dataset.ready")
    took, came = browser.run(READY)
    _patiently(browser, f"{ROOT}.dataset.asked")
    return took, came


def _patiently(browser: Any, expression: str) -> None:
    """Wait until something is so."""
    for _ in range(1200):
        with contextlib.suppress(AssertionError):  # between two pages there is none to ask
            if browser.run(f"!!({expression})"):
                return
        time.sleep(0.05)
    raise TimeoutError(expression)


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


def _tests() -> ModuleType:
    """The module by which the tests lead a browser."""
    spec = importlib.util.spec_from_file_location("browser", Path(__file__).parents[1] / "tests" / "browser.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
