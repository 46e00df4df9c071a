"""The extension in VS Code, with real keys: built, installed, used in a browser. The server is that of
code-server, a hundred megabytes from npm: pytest -m campaign.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from browser import Browser, in_a_browser
from fenced import blocks
from talk import ROOT

from truco_spec.cli import main

SERVER = "code-server@4.100.3"
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
MARKED = "document.querySelectorAll('.squiggly-error').length"
LONGEST = 60
FRIDAY = """truco: 1
variant: club
players: [ana, bia, caio, davi]
dealer: davi
hands:
  - moves: ana 4C, bia 4D, caio 4H, davi 4S
"""


def saying(selector, text):
    """Whether a thing on the page says this."""
    return f"""[...document.querySelectorAll({json.dumps(selector)})]
      .some((one) => one.textContent.replace(/\\u00a0/g, " ").includes({json.dumps(text)}))"""


pytestmark = [
    *in_a_browser,
    pytest.mark.campaign,
    pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm here"),
]


def npm(*words, folder):
    command = ["npm", *words, "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.skip(f"npm {' '.join(words)} does not work here: {done.stderr[-300:]}")


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    """The .vsix, as `npm run package` makes it."""
    home = tmp_path_factory.mktemp("extension")
    folder = home / "editors" / "vscode"
    made_before = shutil.ignore_patterns("node_modules", "dist", "syntaxes", "*.vsix")
    shutil.copytree(ROOT / "editors" / "vscode", folder, ignore=made_before)
    shutil.copytree(ROOT / "grammar", home / "grammar")
    npm("install", folder=folder)
    for script in ("types", "package"):
        subprocess.run(["npm", "run", script], cwd=folder, capture_output=True, timeout=120, check=True)
    (made,) = folder.glob("*.vsix")
    return made


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """VS Code's server with what it needs of npm; without the parts of it that have to be compiled."""
    folder = tmp_path_factory.mktemp("code")
    npm("install", "--prefix", str(folder), SERVER, folder=folder)
    code = folder / "node_modules" / "code-server" / "lib" / "vscode"
    npm("install", "--omit=dev", folder=code)
    (code / "node_modules.asar").symlink_to("node_modules")
    return code


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project") / "club"
    with pytest.raises(SystemExit):
        main(["new", str(folder)])
    (folder / "friday.yaml").write_text(FRIDAY, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def address(code, extension, club, tmp_path_factory):
    """The address of the editor with the folder open in it."""
    data = tmp_path_factory.mktemp("data")
    program = data / "truco-spec"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m truco_spec "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    quiet = {
        "telemetry.telemetryLevel": "off", "extensions.autoUpdate": False, "extensions.autoCheckUpdates": False,
        "security.workspace.trust.enabled": False, "workbench.startupEditor": "none", "git.enabled": False,
        "editor.autoIndent": "none", "[yaml]": {"editor.autoIndent": "none"}, "editor.minimap.enabled": False,
        "workbench.enableExperiments": False, "workbench.colorTheme": "Default Light Modern",
    }  # fmt: skip
    for place, settings in (("User", quiet), ("Machine", {"truco-spec.command": str(program)})):
        (data / "data" / place).mkdir(parents=True)
        (data / "data" / place / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    start = ["node", str(code / "out" / "server-main.js"), "--server-data-dir", str(data)]
    environment = {**os.environ, "EXTENSIONS_GALLERY": "{}"}
    subprocess.run([*start, "--install-extension", str(extension)], env=environment, check=True, capture_output=True)
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--host", "127.0.0.1", "--port", str(port), "--without-connection-token", "--telemetry-level", "off"]
    with open(data / "log", "wb") as log:
        server = subprocess.Popen(
            [*start, *options, "--accept-server-license-terms"], env=environment, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}/?folder={club}"
    until = time.monotonic() + LONGEST
    while True:
        try:
            urllib.request.urlopen(address).close()
            break
        except OSError:
            assert time.monotonic() < until and server.poll() is None, (data / "log").read_text()
            time.sleep(0.2)
    yield address
    server.terminate()
    server.wait(20)


class Hands:
    """A person at the editor."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

        self.wait, self.press, self.type = browser.wait, browser.page.keyboard.press, browser.page.keyboard.insert_text

    def close(self, shown):
        """Press Escape until something is gone: a busy editor may not have given it the keys yet."""
        until = time.monotonic() + LONGEST
        while self.browser.run(f"!!({shown})"):
            assert time.monotonic() < until, shown
            self.press("Escape")
            time.sleep(0.5)

    def choose(self, entry):
        """Write into the field that has come up, and take what it finds."""
        self.wait("document.activeElement.closest('.quick-input-widget')")
        self.type(entry)
        self.wait("document.querySelector('.quick-input-list .monaco-list-row.focused')")
        time.sleep(0.5)
        self.press("Enter")
        self.wait("!document.activeElement.closest('.quick-input-widget')")

    def open(self, *path):
        """Click one's way to a file; its editor has the keys."""
        for name in path:
            row = f"""[...document.querySelectorAll('.explorer-folders-view .monaco-list-row')]
              .find((row) => row.textContent === {json.dumps(name)})"""
            self.wait(row)
            self.browser.page.click("#" + self.browser.run(f"({row}).id"))
        self.wait(f"document.querySelector('.tab.active')?.textContent.includes({json.dumps(path[-1])})")
        self.wait("document.querySelector('.editor-instance .line-numbers')")
        self.browser.page.click(".editor-instance .line-numbers")
        self.wait("document.activeElement.closest('.monaco-editor')")

    def go(self, line, column=0):
        """Go to a place; without a column to the end of the line."""
        self.press("Control+g")
        self.wait("document.activeElement.closest('.quick-input-widget')")
        self.type(f"{line}:{column}" if column else str(line))
        self.press("Enter")
        self.wait("document.activeElement.closest('.monaco-editor')")
        if not column:
            self.press("End")

    def save(self, path, wanted):
        """Save the text in the editor until the file says this: what has come up over the text may have the keys."""
        until = time.monotonic() + LONGEST
        while wanted not in path.read_text(encoding="utf-8"):
            assert time.monotonic() < until, wanted
            self.press("Escape")
            self.press("Control+s")
            time.sleep(1)

    def problem(self, wanted):
        """Go to the next problem until it is this one; first there may be others, of a text half written."""
        until = time.monotonic() + LONGEST
        shown = saying(".marker-widget", wanted)
        while not self.browser.run(shown):
            assert time.monotonic() < until, wanted
            self.press("Escape")
            self.press("F8")
            patience = time.monotonic() + 5
            while time.monotonic() < patience and not self.browser.run(shown):
                time.sleep(0.2)
        self.press("Escape")

    def lens(self, title):
        """Click on a lens that has come to rest. It is not scrolled to: that moves a text behind VS Code's back."""
        place = f"""(([box]) => box && [box.x + box.width / 2, box.y + box.height / 2])(
          [...document.querySelectorAll(".codelens-decoration a")].filter((one) => one.textContent === "{title}")
            .map((one) => one.getBoundingClientRect()))"""
        self.wait(place)
        before, now = None, self.browser.run(place)
        while before != now:
            time.sleep(0.5)
            before, now = now, self.browser.run(place)
        self.browser.page.mouse.click(*now)

    def command(self, title):
        self.press("F1")
        self.choose(title)

    def beside(self, wanted):
        """Wait until what is shown beside the text says this."""
        self.wait(f"""[...document.querySelectorAll('iframe.webview')].some((outer) =>
          [...outer.contentDocument.querySelectorAll('iframe')].some((inner) =>
            (inner.contentDocument?.documentElement.textContent ?? "").includes({json.dumps(wanted)})))""")

    def is_shown(self, name):
        """The page about editors has a picture of this. `TOLD=anew` makes it."""
        if os.environ.get("TOLD") == "anew":
            taken = self.browser.cdp.send("Page.captureScreenshot", {"format": "webp", "quality": 50})
            (ROOT / "docs" / "editors" / name).write_bytes(base64.b64decode(taken["data"]))
        assert f"(editors/{name})" in PAGE


def test_rules_are_written_tried_renamed_and_shown_in_vs_code(address, browser, club):
    hands = Hands(browser)
    browser.width(1100)
    browser.page.goto(address)
    hands.open("variants", "club.truco")
    rule, case = (block.text.rstrip("\n") for block in blocks(PAGE) if block.about == "typed")
    before, _, after = rule.partition("play-covered")

    for title, told in (("play", "Hand 1: the deal"), ("dispute", "They part at move 4")):
        hands.lens(title)
        hands.beside(told)
        hands.press("Control+k")
        hands.press("w")
        hands.open("club.truco")
    hands.lens("1 case")
    listed = saying(".zone-widget", "club-article-1-01")
    hands.wait(listed)
    hands.close(listed)
    hands.go(6)
    hands.type("\n" + before + "pl")
    hands.wait(MARKED)
    hands.press("Control+Space")
    hands.wait(saying(".suggest-widget .monaco-list-row", "play-covered"))
    hands.type("ay-cov")
    hands.wait(f"{saying('.suggest-widget .monaco-list-row.focused', 'play-covered')}")
    hands.press("Enter")
    hands.type(after)
    hands.wait(f"!{MARKED}")
    hands.go(6, 8)
    hands.press("Control+k")
    hands.press("Control+i")
    hands.wait(saying(".monaco-hover", "option tie-lead"))
    hands.save(club / "variants" / "club.truco", rule)

    hands.open("cases", "club.yaml")
    end = len((club / "cases" / "club.yaml").read_text(encoding="utf-8").splitlines())
    hands.go(end)
    hands.type("\n" + case)
    hands.wait(MARKED)
    hands.problem("is forbidden now: No card is covered")
    hands.go(end + len(case.splitlines()), 9)
    hands.type("refused: ")
    hands.wait(f"!{MARKED}")
    hands.press("Control+s")

    hands.open("club.truco")
    hands.go(7, 11)
    hands.press("F2")
    hands.wait("document.activeElement.closest('.rename-box')")
    hands.type("open")
    hands.press("Enter")
    hands.wait(saying(".view-line", "option open :"))
    hands.press("Control+k")
    hands.press("s")
    until = time.monotonic() + 20
    while "{open: yes}" not in (club / "cases" / "club.yaml").read_text(encoding="utf-8"):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert rule.replace("slow", "open") in (club / "variants" / "club.truco").read_text(encoding="utf-8")

    hands.command("Truco: show the book")
    hands.beside("No card is covered")
    hands.is_shown("vscode.webp")
    browser.page.click(".editor-instance .line-numbers")
    hands.command("Truco: show the graph")
    hands.beside("dealing singles")
    browser.page.click(".editor-instance .line-numbers")
    hands.open("friday.yaml")
    hands.command("Truco: play this log")
    hands.beside("ana 4C")
