"""The language server: the protocol of editors, on the standard input and output.

Messages are answered one by one, in their order, from texts at hand; nothing here knows rules or languages. Mistakes
are looked for a moment after the last change, in steps between which messages are read; exact checks follow in another
process, which is ended by the next change. An error of this program is written to the standard error and costs one
answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method
from pygls.uris import from_fs_path

from truco_spec.base import __version__
from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import harmless
from truco_spec.conformance.corpus.cases import Case
from truco_spec.conformance.corpus.corpus import load, reread_own
from truco_spec.editor.features import add_features, path_of
from truco_spec.editor.occurrences import places_in
from truco_spec.editor.played import ENDINGS, played_remarks
from truco_spec.editor.remarks import Remark, diagnostics_of, linking_remarks, reading_remarks, remark
from truco_spec.editor.texts import Desk, Text

PAUSE = 0.05
"""Seconds without changes before a text is read for mistakes."""
REST = 1.0
"""Seconds without changes before the slower checks, and again before the exact ones."""
LONGEST_CHECK = 180
MOST_KEPT = 4_000_000
"""The longest text that is kept, in characters; of a longer one only its being too long is known."""
_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
NAME = "truco-spec"


class EditorProtocol(LanguageServerProtocol):
    """The protocol with the texts kept by :class:`Desk` alone, whose lines end as the protocol says."""

    _server: Server

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        self._server.opened(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._server.changed(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.closed(params)


class Server(LanguageServer):
    """The server with its texts. ``lately`` maps each path to its last reading; ``remarks`` has the last ones sent for
    each path, with their text; ``tested`` are the cases by what they test, as last read.
    """

    def __init__(self, *, checks: bool = True) -> None:
        super().__init__(NAME, __version__, protocol_cls=EditorProtocol)
        self.desk = Desk()
        self.lately = self.desk.companion()
        self.checks = checks
        self.uris: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.versions: dict[str, int | None] = {}
        self.remarks: dict[str, tuple[Text, tuple[Remark, ...]]] = {}
        self.tested: dict[str, tuple[Case, ...]] = {}
        self.reading_cases: asyncio.Future[dict[str, tuple[Case, ...]]] | None = None
        self.uses: dict[str, frozenset[str]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def units(self) -> str:
        """The unit of a column: ``utf-16``, or as agreed with the editor."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Write an internal error to the log; errors of a request are in its answer."""
        if isinstance(error, JsonRpcInvalidParams):
            return
        logging.getLogger(NAME).error("%s: %s", type(error).__name__, error)

    # ---- places ------------------------------------------------------------------------------

    def range_of(self, text: Text, start: int, end: int) -> lsp.Range:
        return lsp.Range(lsp.Position(*text.position(start, self.units)), lsp.Position(*text.position(end, self.units)))

    def offset(self, text: Text, at: lsp.Position) -> int:
        return text.offset(at.line, at.character, self.units)

    def uri_of(self, path: str) -> str:
        """The URI of a path: the editor's own, if the text is open."""
        if path not in self.files:
            self.files[path] = from_fs_path(path) or path
        return self.uris.get(path) or self.files[path]

    # ---- texts -------------------------------------------------------------------------------

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Take a text in."""
        document = params.text_document
        path = path_of(document.uri)
        self.uris[path], self.versions[path] = document.uri, document.version
        self.open_project(Path(path).parent)
        self.desk.put(path, _bounded(document.text))
        self.inspect_all(path)

    def open_project(self, folder: Path) -> None:
        """Open the project that contains a folder; if it cannot be opened, report why."""
        try:
            new = self.desk.open_project(folder)
        except TrucoError as error:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, harmless(str(error))))
            return
        if new:
            self.reading_cases = None
            for path in list(self.desk.open):
                self.inspect(path, 4 * PAUSE)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply changes, in their order. A change of a text that is not open is passed over."""
        path = path_of(params.text_document.uri)
        text = self.desk.open.get(path)
        if text is None:
            return
        for change in params.content_changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = self.offset(text, change.range.start), self.offset(text, change.range.end)
                text = text.edited(min(start, end), max(start, end), change.text)
            else:
                text = Text(change.text)
        self.versions[path] = params.text_document.version
        self.desk.put(path, _bounded(text.source))
        self.inspect_all(path)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a text: the file on disk counts."""
        path = path_of(params.text_document.uri)
        self.stop(path)
        self.desk.put(path, None)
        self.lately.put(path, None)
        self.remarks.pop(path, None)
        self.versions.pop(path, None)
        self.uses.pop(path, None)
        uri = self.uris.pop(path, params.text_document.uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        self.inspect_users(path)

    async def read_cases(self) -> None:
        """Have the cases as they are on disk; where one of their files has a mistake, as they were before."""
        if self.reading_cases is None:
            self.reading_cases = asyncio.ensure_future(asyncio.to_thread(tested_by))
        self.tested = await asyncio.shield(self.reading_cases) or self.tested

    def saved(self, path: str) -> None:
        """A text was saved: results that depend on the file are computed again."""
        self.written(path)
        for other in list(self.desk.open):
            if other != path and other.endswith(ENDINGS):
                self.inspect(other, 4 * PAUSE)
        self._read_whole(path)

    def written(self, path: str) -> None:
        """A file has changed on disk: if it may contain cases, remarks about them are requested again."""
        if not path.endswith(ENDINGS):
            return
        self.reading_cases = None
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _read_whole(self, path: str) -> None:
        """Read all of a text of which only a part was kept."""
        text = self.desk.open.get(path)
        if text is None or len(text.source) < MOST_KEPT:
            return
        try:
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                self.desk.put(path, _bounded(file.read(MOST_KEPT + 1)))
        except OSError:
            return
        self.inspect_all(path)

    # ---- mistakes ----------------------------------------------------------------------------

    def stop(self, path: str) -> None:
        """End the search for mistakes in a text."""
        task = self.tasks.pop(path, None)
        if task is not None:
            task.cancel()

    def inspect_all(self, path: str) -> None:
        """Look for mistakes in a text soon, and in the open texts that are read with it."""
        self.inspect(path, PAUSE)
        self.inspect_users(path)

    def inspect_users(self, path: str) -> None:
        """Look soon at the open texts that are read with this one."""
        for other, files in self.uses.items():
            if other != path and path in files:
                self.inspect(other, 4 * PAUSE)

    def inspect(self, path: str, pause: float) -> None:
        """Look for mistakes in a text after a pause."""
        self.stop(path)
        self.tasks[path] = asyncio.ensure_future(self._inspect(path, pause))

    async def _inspect(self, path: str, pause: float) -> None:
        await asyncio.sleep(pause)
        text = self.desk.open.get(path)
        if text is None:
            return
        if path.endswith(ENDINGS):
            await self._inspect_played(path, text)
            return
        if not self.reads(path):
            return
        found = list(reading_remarks(self.desk, path))
        if self.desk.reading(path) is not None:
            self.lately.put(path, text)
        if found:
            self.publish(path, text, found)
            return
        for whole in (False, True):
            graphs: list[str] = []
            for stage in linking_remarks(self.desk, path, whole=whole):
                self.uses[path] = self.uses.get(path, frozenset()) | stage.files
                found = list(dict.fromkeys([*found, *stage.remarks]))
                graphs += [stage.variant] if stage.graph is not None else []
                await asyncio.sleep(0)
            self.publish(path, text, found)
            await self._read_all(path)
            await asyncio.sleep(REST)
        if self.checks and graphs and not any(r.diagnostic.severity == "error" for r in found):
            await self._check(path, text, graphs[0], found)

    async def _read_all(self, path: str) -> None:
        """Read the texts that a text is linked with, one by one: the first question about a name needs them."""
        for each in sorted(self.uses.get(path, ())):
            reading = self.desk.reading(each)
            if reading is not None:
                places_in(reading)
            await asyncio.sleep(0)

    async def _inspect_played(self, path: str, text: Text) -> None:
        """Inspect a log, or one case after another; report when all are known, or at the first with mistakes."""
        found: list[Remark] = []
        for remarks in played_remarks(self.desk, path, text):
            found += remarks
            if remarks:
                self.publish(path, text, found)
            await asyncio.sleep(0)
        self.publish(path, text, found)

    async def _check(self, path: str, text: Text, variant: str, found: list[Remark]) -> None:
        """Run the exact checks in a process of their own, and add what they find."""
        told = await answer_of(
            {"path": path, "variant": variant, "texts": {p: t.source for p, t in self.desk.open.items()}}
        )
        reading = self.desk.reading(path)
        if told is not None and reading is not None and reading.text is text:
            known = {r.diagnostic.message for r in found}
            more = [remark(text, d, reading) for d in told if d.message not in known]
            self.publish(path, text, [*found, *more])

    def reads(self, path: str) -> bool:
        """Whether a text is one of rules."""
        return path.endswith(".truco") or path.startswith("untitled:")

    def publish(self, path: str, text: Text, found: Iterable[Remark]) -> None:
        """Send the mistakes of a text, unless it has changed."""
        remarks = tuple(found)
        if self.desk.open.get(path) is not text or self.remarks.get(path) == (text, remarks):
            return
        self.remarks[path] = (text, remarks)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                self.uri_of(path), [self.diagnostic(text, r) for r in remarks], self.versions.get(path)
            )
        )

    def diagnostic(self, text: Text, found: Remark) -> lsp.Diagnostic:
        """A remark in the words of the protocol."""
        told = found.diagnostic
        related = []
        for note, span in told.notes:
            other = self.desk.text(span.file)
            if other is not None:
                start, end = span.start, max(span.end, span.start)
                place = lsp.Location(self.uri_of(span.file), self.range_of(other, start, end))
                related.append(lsp.DiagnosticRelatedInformation(place, note))
        return lsp.Diagnostic(
            self.range_of(text, found.start, found.end),
            harmless(f"{told.message}\n{told.hint}" if told.hint else told.message),
            _SEVERITIES[told.severity],
            told.code,
            source=NAME,
            related_information=related or None,
        )

    def edit(self, changes: Mapping[str, Iterable[tuple[int, int, str]]]) -> lsp.WorkspaceEdit:
        """Changes of texts, each from one offset to another, by path."""
        found: dict[str, list[lsp.TextEdit]] = {}
        for path, parts in changes.items():
            text = self.desk.text(path)
            if text is not None:
                found[path] = [lsp.TextEdit(self.range_of(text, a, b), new) for a, b, new in parts]
        return lsp.WorkspaceEdit({self.uri_of(path): edits for path, edits in found.items()})


async def answer_of(asked: dict[str, Any]) -> Any:
    """Return the findings of :mod:`truco_spec.editor.remarks`; None if it fails or takes too long. It ends with this
    task.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "truco_spec.editor.remarks",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        told, _ = await asyncio.wait_for(process.communicate(json.dumps(asked).encode()), LONGEST_CHECK)
        return diagnostics_of(told)
    except (TimeoutError, ValueError, OSError):
        return None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


def tested_by() -> dict[str, tuple[Case, ...]]:
    """The cases of the corpus and of open projects by what they test: ``source:clause`` or ``decided:name``."""
    found: dict[str, list[Case]] = {}
    reread_own()
    try:
        for case in load():
            for cite in dict.fromkeys((*case.clauses, *(f"decided:{name}" for name in case.entry.decisions))):
                found.setdefault(cite, []).append(case)
    except TrucoError:
        return {}
    return {cite: tuple(cases) for cite, cases in found.items()}


def _bounded(source: str) -> Text:
    """The text; of one that is far too long, only the beginning, which is too long as well."""
    return Text(source if len(source) <= MOST_KEPT else source[:MOST_KEPT])


def make(*, checks: bool = True) -> Server:
    """A server with all that it can do. Without ``checks`` no exact checks follow."""
    server = Server(checks=checks)

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        folders = [folder.uri for folder in server.workspace.folders.values()] or [server.workspace.root_uri]
        server.desk.folders += [Path(path_of(uri)) for uri in folders if uri]
        for folder in server.desk.folders:
            server.open_project(folder)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        server.desk.folders[:] = [folder for folder in server.desk.folders if str(folder) not in gone]
        server.desk.folders += [Path(path_of(folder.uri)) for folder in params.event.added]

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.saved(path_of(params.text_document.uri))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def watched(params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            server.written(path_of(change.uri))
        for path in list(server.desk.open):
            server.inspect(path, 4 * PAUSE)

    add_features(server)
    return server


def serve(stdin: BinaryIO, stdout: BinaryIO, *, checks: bool = True) -> None:
    """Answer an editor until it says exit, or goes."""
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="%(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    make(checks=checks).start_io(stdin, stdout)
