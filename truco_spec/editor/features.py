"""The server's answers: each request of the protocol, from the results of the other modules, in
the protocol's terms.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import to_fs_path

from truco_spec.base.errors import TrucoError
from truco_spec.base.harmless import harmless
from truco_spec.conformance.corpus.cases import Case, Deals
from truco_spec.editor.completing import Insertions, offers
from truco_spec.editor.occurrences import CITED, Occurrence, can_be_renamed, declarations, renamed, same
from truco_spec.editor.played import ENDINGS, case_log, played_offers
from truco_spec.editor.telling import (
    WORDS,
    definitions,
    folds,
    headings,
    hints,
    hover,
    occurrence_at,
    phase_at,
    steps_between,
    words,
)
from truco_spec.editor.texts import LARGEST, Reading, Text
from truco_spec.language import tree as t
from truco_spec.language.format import format_text
from truco_spec.logs.line import write_line

if TYPE_CHECKING:
    from truco_spec.editor.server import Server

SHOW_CASES, PLAY, DISPUTE = "truco-spec.showCases", "truco-spec.playCase", "truco-spec.disputeCase"
"""The commands of lenses, which an editor carries out: it shows the places that are the third argument; it plays what
:data:`LOG` answers to the same arguments; it puts that to all rules.
"""
LOG = "truco-spec.logOfCase"
"""The one command that is carried out here: to write a case as a log in one line, :func:`log_of`."""
MOST_PLACES = 500
_KINDS = {
    "variant": lsp.SymbolKind.Module, "option": lsp.SymbolKind.Property, "datum": lsp.SymbolKind.Variable,
    "define": lsp.SymbolKind.Function, "table": lsp.SymbolKind.Array, "effect": lsp.SymbolKind.Method,
    "action": lsp.SymbolKind.Event, "phase": lsp.SymbolKind.Namespace, "order": lsp.SymbolKind.Enum,
    "decision": lsp.SymbolKind.String, "set": lsp.SymbolKind.Property,
}  # fmt: skip
_OFFERED = {
    "keyword": lsp.CompletionItemKind.Keyword, "clause": lsp.CompletionItemKind.Reference,
    "decision": lsp.CompletionItemKind.Reference, "option": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.EnumMember, "datum": lsp.CompletionItemKind.Variable,
    "define": lsp.CompletionItemKind.Function, "table": lsp.CompletionItemKind.Function,
    "variant": lsp.CompletionItemKind.Module, "parameter": lsp.CompletionItemKind.Variable,
    "order": lsp.CompletionItemKind.Enum, "move": lsp.CompletionItemKind.Event,
    "rule": lsp.CompletionItemKind.Function, "effect": lsp.CompletionItemKind.Method,
    "phase": lsp.CompletionItemKind.Module, "action": lsp.CompletionItemKind.Event,
}  # fmt: skip
Answer = Callable[["Server", Any], Any]


def path_of(uri: str) -> str:
    """The path of a file, with links followed, as rules name it; any other URI itself."""
    if not uri.startswith("file:"):
        return uri
    return os.path.realpath(to_fs_path(uri) or uri)


def answering(server: Server, answer: Answer) -> Callable[[Any], Any]:
    """The answer of a server; none where the input cannot be used."""

    def answered(params: Any) -> Any:
        try:
            return answer(server, params)
        except (TrucoError, RecursionError):
            return None

    return answered


def answering_with_cases(server: Server, answer: Answer) -> Callable[[Any], Any]:
    """The same, once the cases have been read."""

    async def answered(params: Any) -> Any:
        await server.read_cases()
        return answering(server, answer)(params)

    return answered


def add_features(server: Server) -> None:
    """Register every request that is answered."""
    for name, answer, options in (
        (lsp.TEXT_DOCUMENT_CODE_ACTION, repairs, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix])),
        (lsp.TEXT_DOCUMENT_FORMATTING, formatting, None),
        (lsp.TEXT_DOCUMENT_HOVER, told, None),
        (lsp.TEXT_DOCUMENT_DEFINITION, definition, None),
        (lsp.TEXT_DOCUMENT_DECLARATION, declaration, None),
        (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, highlights, None),
        (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline, None),
        (lsp.TEXT_DOCUMENT_FOLDING_RANGE, folding, None),
        (lsp.TEXT_DOCUMENT_INLAY_HINT, inlay_hints, None),
        (lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, phase, None),
        (lsp.CALL_HIERARCHY_INCOMING_CALLS, coming_in, None),
        (lsp.CALL_HIERARCHY_OUTGOING_CALLS, going_out, None),
        (lsp.TEXT_DOCUMENT_COMPLETION, completion, lsp.CompletionOptions(["@", ":", ",", "{", " "])),
    ):
        server.feature(name, options)(answering(server, answer))
    legend = lsp.SemanticTokensLegend(list(WORDS), [])
    server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)(answering(server, semantic_tokens))
    server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)(answering(server, prepare_rename))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def renaming(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        return rename(server, params)

    server.feature(lsp.TEXT_DOCUMENT_REFERENCES)(answering_with_cases(server, references))
    server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)(answering_with_cases(server, lenses))

    @server.command(LOG)
    def log_of_case(identity: str = "", variant: str = "", disputed: bool = False) -> str:
        return log_of(server, identity, variant, disputed=disputed)


# ---- edits -------------------------------------------------------------------------------------


def repairs(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
    """The repairs of the mistakes in a range."""
    path = path_of(params.text_document.uri)
    text, remarks = server.remarks.get(path, (None, ()))
    if text is None or server.desk.open.get(path) is not text:
        return None
    first, last = server.offset(text, params.range.start), server.offset(text, params.range.end)
    return [
        lsp.CodeAction(
            repair.title,
            lsp.CodeActionKind.QuickFix,
            [server.diagnostic(text, found)],
            is_preferred=number == 0,
            edit=server.edit({path: [(repair.start, repair.end, repair.new)]}),
        )
        for found in remarks
        if found.start <= last and first <= found.end
        for number, repair in enumerate(found.repairs)
    ]


def formatting(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    """The text in its canonical layout; nothing if it has mistakes."""
    path = path_of(params.text_document.uri)
    text = server.desk.open.get(path)
    if text is None or not server.reads(path) or len(text.source) > LARGEST:
        return None
    done = format_text(text.source, path)
    return [lsp.TextEdit(server.range_of(text, 0, len(text.source)), done)] if done != text.source else []


def prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """The name that would be changed, if it can be."""
    path, text, found = _at(server, params)
    if text is None or found is None or not can_be_renamed(server.desk, path, found):
        return None
    return server.range_of(text, found.start, found.end)


def rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    """The changes of all texts. Raises JsonRpcInvalidParams, with the reason, for a name that cannot be changed so."""
    path, _, found = _at(server, params)
    if found is None:
        return None
    try:
        return server.edit(renamed(server.desk, path, found, params.new_name))
    except TrucoError as error:
        raise JsonRpcInvalidParams(str(error)) from None


# ---- meanings ----------------------------------------------------------------------------------


def _at(server: Server, params: Any) -> tuple[str, Text | None, Occurrence | None]:
    """The text of a request, and the name at its position."""
    path = path_of(params.text_document.uri)
    text = server.desk.open.get(path)
    if text is None or not server.reads(path):
        return path, None, None
    return path, text, occurrence_at(server.desk, path, server.offset(text, params.position))


def told(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    """Return the description of a position, in words."""
    path, text, found = _at(server, params)
    if text is None or found is None:
        return None
    words = hover(server.desk, path, found)
    if not words:
        return None
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, words), server.range_of(text, found.start, found.end))


def definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location] | None:
    """Return the declaration of a name; at a declaration, the one it replaces."""
    path, _, found = _at(server, params)
    return _locations(server, definitions(server.desk, path, found)[:1]) if found else None


def declaration(server: Server, params: lsp.DeclarationParams) -> list[lsp.Location] | None:
    """Return the first declaration of a name, and all that replaced it."""
    path, _, found = _at(server, params)
    if found is None:
        return None
    sites = declarations(server.desk, path, found.block, found.name)
    return _locations(server, [site.place for site in reversed(sites)])


def references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
    """Every place of a name; of a clause or a decision also the cases that test it."""
    path, _, found = _at(server, params)
    if found is None:
        return None
    places = [site.place for site in same(server.desk, path, found)]
    cites = [found.name] if found.kind == CITED else [f"decided:{found.name}"]
    return _locations(server, places) + _cases(server, [case for cite in cites for case in server.tested.get(cite, ())])


def highlights(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
    """Every place of a name in its own text."""
    path, text, found = _at(server, params)
    if text is None or found is None:
        return None
    here = (s.occurrence for s in same(server.desk, path, found) if s.path == path)
    return [lsp.DocumentHighlight(server.range_of(text, o.start, o.end)) for o in here]


def _locations(server: Server, places: Iterable[tuple[str, int, int]]) -> list[lsp.Location]:
    found = []
    for path, start, end in list(places)[:MOST_PLACES]:
        text = server.desk.plain(path)
        if text is not None:
            found.append(lsp.Location(server.uri_of(path), server.range_of(text, start, end)))
    return found


def _cases(server: Server, cases: Iterable[Case]) -> list[lsp.Location]:
    found = []
    for case in list(cases)[:MOST_PLACES]:
        line = lsp.Position(case.line - 1, 0)
        found.append(lsp.Location(server.uri_of(case.path), lsp.Range(line, line)))
    return found


# ---- phases, as calls of each other ------------------------------------------------------------


def phase(server: Server, params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem] | None:
    """The phase at a position."""
    path, _, found = _at(server, params)
    name = phase_at(server.desk, path, found) if found else ""
    item = _phase(server, path, found.block, name) if found and name else None
    return [item] if item else None


def _phase(server: Server, path: str, block: str, name: str) -> lsp.CallHierarchyItem | None:
    for site in declarations(server.desk, path, block, name):
        text, owner = server.desk.text(site.path), site.occurrence.owner
        if text is not None and owner is not None:
            whole = server.range_of(text, owner.span.start, owner.span.end)
            where = server.range_of(text, site.occurrence.start, site.occurrence.end)
            uri, kind = server.uri_of(site.path), lsp.SymbolKind.Namespace
            told = owner.prose or ""
            return lsp.CallHierarchyItem(name, kind, uri, whole, where, detail=told, data=[path, block])
    return None


def coming_in(server: Server, params: lsp.CallHierarchyIncomingCallsParams) -> list[lsp.CallHierarchyIncomingCall]:
    """The phases from which a rule leads to this one."""
    found = _linked(server, params.item, lambda before, after: (after, before))
    return [lsp.CallHierarchyIncomingCall(item, [item.selection_range]) for item in found]


def going_out(server: Server, params: lsp.CallHierarchyOutgoingCallsParams) -> list[lsp.CallHierarchyOutgoingCall]:
    """The phases to which a rule leads from this one."""
    here = params.item.selection_range
    found = _linked(server, params.item, lambda before, after: (before, after))
    return [lsp.CallHierarchyOutgoingCall(item, [here]) for item in found]


def _linked(
    server: Server, item: lsp.CallHierarchyItem, turned: Callable[[str, str], tuple[str, str]]
) -> list[lsp.CallHierarchyItem]:
    """The phases linked with one by a rule; ``turned`` puts that one first. The item says from where it was asked."""
    path, block = map(str, item.data if isinstance(item.data, list) and len(item.data) == 2 else ("", ""))
    pairs = (turned(*step) for step in steps_between(server.desk, block, path))
    found = (_phase(server, path, block, other) for other in dict.fromkeys(b for a, b in pairs if a == item.name))
    return [each for each in found if each]


def lenses(server: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
    """Return the lenses above each statement: the number of cases that test its citations; playing the first of them;
    disputing it.
    """
    path = path_of(params.text_document.uri)
    text, reading = server.desk.open.get(path), server.desk.reading(path) if server.reads(path) else None
    if text is None or reading is None:
        return None
    found = []
    for block, statement, cites in headings(reading):
        cases = list({case.id: case for cite in cites for case in server.tested.get(cite, ())}.values())
        if not cases:
            continue
        where = server.range_of(text, statement.name_span.start, statement.name_span.end)
        title = f"{len(cases)} case{'s' * (len(cases) != 1)}"
        commands = [lsp.Command(title, SHOW_CASES, arguments=[server.uri_of(path), where.start, _cases(server, cases)])]
        played = (case for case in cases if not any(isinstance(step, Deals) for step in case.entry.moves))
        first = next(played, None)  # in others cards are only dealt
        if first is not None:
            commands += [
                lsp.Command("play", PLAY, arguments=[first.id, block, False]),
                lsp.Command("dispute", DISPUTE, arguments=[first.id, block, True]),
            ]
        found += [lsp.CodeLens(where, command) for command in commands]
    return found


def log_of(server: Server, identity: str, variant: str, *, disputed: bool) -> str:
    """A case as a log in one line, of this variant if it is one of the case's. Raises JsonRpcInvalidParams, with the
    reason, for a case that is not there or cannot be played. See :func:`~truco_spec.editor.played.case_log`.
    """
    cases = (case for cases in server.tested.values() for case in cases if case.id == identity)
    case = next(cases, None)
    try:
        log = case_log(case, variant, disputed=disputed) if case else None
    except TrucoError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    if log is None:
        raise JsonRpcInvalidParams(f"There is no case “{harmless(identity)}” in which somebody plays.")
    return write_line(log)


# ---- the text as a whole -----------------------------------------------------------------------


def _reading(server: Server, params: Any) -> tuple[str, Reading | None]:
    path = path_of(params.text_document.uri)
    return path, server.desk.reading(path) if server.reads(path) and path in server.desk.open else None


def outline(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
    """The blocks of a text with their statements."""
    _, reading = _reading(server, params)
    if reading is None:
        return None

    def symbol(part: t.Statement | t.VariantText | t.Concordance, kind: str, detail: str) -> lsp.DocumentSymbol:
        whole, name = (server.range_of(reading.text, s.start, max(s.start, s.end)) for s in (part.span, part.name_span))
        shown = _KINDS.get(kind, lsp.SymbolKind.Interface)
        inner = () if isinstance(part, t.Statement) else part.items
        children = [symbol(item, item.kind, f"{item.mode} {item.kind}".strip()) for item in inner]
        return lsp.DocumentSymbol(part.name or "?", shown, whole, name, detail, children=children)

    return [
        symbol(block, "variant", block.title if isinstance(block, t.VariantText) else "concordance")
        for block in reading.file.blocks
    ]


def folding(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
    _, reading = _reading(server, params)
    if reading is None:
        return None
    kinds = {"region": lsp.FoldingRangeKind.Region, "comment": lsp.FoldingRangeKind.Comment}
    return [lsp.FoldingRange(a, b, kind=kinds[kind]) for a, b, kind in folds(reading) if b > a]


def semantic_tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
    """The kind of each word, in the numbers of the protocol."""
    path, reading = _reading(server, params)
    if reading is None:
        return None
    data: list[int] = []
    line = column = 0
    for start, end, kind in words(server.desk, path, reading):
        at = reading.text.position(start, server.units)
        length = reading.text.position(end, server.units)[1] - at[1]
        if length <= 0:
            continue
        data += [at[0] - line, at[1] - (column if at[0] == line else 0), length, WORDS.index(kind), 0]
        line, column = at
    return lsp.SemanticTokens(data)


def inlay_hints(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
    """Return the values of options as inlay hints."""
    path, reading = _reading(server, params)
    if reading is None:
        return None
    first, last = server.offset(reading.text, params.range.start), server.offset(reading.text, params.range.end)
    return [
        lsp.InlayHint(server.range_of(reading.text, at, at).start, said)
        for at, said in hints(server.desk, path, reading)
        if first <= at <= last
    ]


# ---- completion --------------------------------------------------------------------------------


def completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    """Return the completions at a position."""
    path = path_of(params.text_document.uri)
    text = server.desk.open.get(path)
    if text is None or len(text.source) > LARGEST:
        return None
    offset = server.offset(text, params.position)
    if path.endswith(ENDINGS):
        return _completed(server, text, offset, played_offers(server.desk, path, text, offset))
    if not server.reads(path):
        return None
    if path not in server.lately.open:
        server.lately.put(path, text)
    return _completed(server, text, offset, offers(server.lately, path, text, offset))


def _completed(server: Server, text: Text, offset: int, found: Insertions) -> lsp.CompletionList:
    where = server.range_of(text, found.start, offset)
    typed = text.source[found.start : offset]
    items = [
        lsp.CompletionItem(
            offer.label,
            kind=_OFFERED.get(offer.kind, lsp.CompletionItemKind.Text),
            detail=offer.detail or offer.kind,
            documentation=offer.told or None,
            sort_text=f"{number:04}",
            filter_text=None if found.whole else f"{typed}{offer.label}",
            text_edit=lsp.TextEdit(where, offer.label),
        )
        for number, offer in enumerate(found.items)
    ]
    return lsp.CompletionList(not found.whole, items)
