"""A client of the language server: messages over its pipes, one by one."""

from __future__ import annotations

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from truco_spec.cli import main

LONGEST = 300
"""Seconds after which no message will come any more; exact checks have a low priority on a busy machine."""
ROOT = Path(__file__).parents[2]

HOUSE = """variant house extends paulista {
  title "The rules of our house"

  option slow-play : no* | yes @pagat:option.variant
    "Whether a table of ours may take its time."
  set tie-lead first @pagat:option.tie-lead
  replace refuse four-players @pagat:mineiro.four-players
    "Only four play here, slowly or not."
    when players is 6 or (players is 2 and slow-play is yes)
  decision slow-table resolves @pagat:gap.three-tied-tricks
    "Slow play is {slow-play}." because "We have time." rather than "Fast play."
  rule no-hurry @decided:slow-table
    "Nobody covers a card while play is slow."
    in play by everyone must not cover(c) when slow-play is yes
}
"""
LOG = """truco: 1
variant: house
options: {slow-play: yes}
players: [ana, bia, caio, davi]
dealer: davi
hands:
  - moves: ana 4C
"""


class Editor:
    """An editor that talks to a server of its own. Notifications of the server are kept in ``told``, by method."""

    def __init__(self, folder: Path, *arguments: str, encodings: tuple[str, ...] = ()) -> None:
        command = [sys.executable, "-m", "truco_spec", "lsp", "--stdio", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        self.ids = itertools.count(1)
        self.answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self.diagnostics: queue.Queue[dict[str, Any]] = queue.Queue()
        self.errors: list[bytes] = []
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._listen)]
        for thread in self.threads:
            thread.start()
        general = {"general": {"positionEncodings": list(encodings)}} if encodings else {}
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        asked = {"processId": None, "rootUri": folder.as_uri(), "capabilities": general, "workspaceFolders": folders}
        self.capabilities = self.ask("initialize", asked)["capabilities"]
        self.tell("initialized", {})
        self.versions: dict[str, int] = {}

    # ---- messages ----------------------------------------------------------------------------

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            length = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            message = json.loads(stream.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.diagnostics.put(message["params"])
            elif "id" in message and "method" not in message:
                self.answers.put(message)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.errors += self.process.stderr

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def tell(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: object) -> Any:
        number = next(self.ids)
        self.send({"id": number, "method": method, "params": params})
        while True:
            answer = self.answers.get(timeout=LONGEST)
            if answer["id"] == number:
                if "error" in answer:
                    raise Refused(answer["error"]["message"])
                return answer.get("result")

    # ---- texts -------------------------------------------------------------------------------

    def open(self, path: Path, text: str | None = None) -> str:
        uri, source = path.as_uri(), path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": "truco", "version": 1, "text": source}
        self.tell("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str, where: dict[str, Any] | None = None) -> None:
        self.versions[uri] += 1
        change = {"text": text} if where is None else {"range": where, "text": text}
        document = {"uri": uri, "version": self.versions[uri]}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def close(self, uri: str) -> None:
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def mistakes(self, uri: str) -> list[dict[str, Any]]:
        """The diagnostics that are sent for the text as it is now."""
        while True:
            told = self.diagnostics.get(timeout=LONGEST)
            if told["uri"] == uri and told.get("version") == self.versions.get(uri):
                found: list[dict[str, Any]] = told["diagnostics"]
                return found

    def at(self, uri: str, line: int, character: int, method: str, **more: object) -> Any:
        where = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{method}", where | more)

    def about(self, uri: str, method: str, **more: object) -> Any:
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": uri}, **more})

    def end(self) -> int:
        """Say goodbye; the exit status."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        status = self.process.wait(timeout=LONGEST)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            for thread in self.threads:
                thread.join(timeout=5)
            stream.close()
        return status


class Refused(Exception):
    """An answer that is an error."""


# ---- one server for all tests, in a folder with rules and a log


def new_club(folder: Path) -> tuple[Path, Path, Editor]:
    """A new project in a folder: its cases, its rules, and an editor that has it open."""
    with pytest.raises(SystemExit):
        main(["new", str(folder / "club")])
    club = folder / "club"
    return club / "cases" / "club.yaml", club / "variants" / "club.truco", Editor(club, "--no-checks")


@pytest.fixture(scope="session")
def house_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("house")
    (folder / "house.truco").write_text(HOUSE, encoding="utf-8")
    (folder / "sunday.yaml").write_text(LOG, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def editor(house_folder):
    editor = Editor(house_folder, "--no-checks")
    yield editor
    assert editor.end() == 0
    assert not [line for line in editor.errors if b"Traceback" in line]
