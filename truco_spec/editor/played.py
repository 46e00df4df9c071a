"""Logs and cases while they are written: their mistakes, and the moves permitted at a place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from truco_spec.base import safe_yaml
from truco_spec.base.errors import TrucoError
from truco_spec.conformance.adapters.reference import Reference, ScriptRun
from truco_spec.conformance.corpus.cases import Allowed, Case, Expect, Instance, Legal, Refused, View
from truco_spec.conformance.corpus.corpus import CaseError, cases_in, instances
from truco_spec.conformance.corpus.filling import complete, log_of, must_be_valid, script_graph
from truco_spec.conformance.corpus.protocol import OwnDeals, Script
from truco_spec.conformance.corpus.ready import as_written
from truco_spec.conformance.runner.judge import judge
from truco_spec.editor.completing import Insertion, Insertions, all_quoted, fitting
from truco_spec.editor.remarks import Remark, Repair, extent
from truco_spec.editor.texts import Desk, Text, known_variants
from truco_spec.engine.game import CHANCE, Game
from truco_spec.graph.load import know
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import Diagnostic, Span
from truco_spec.logs import files as log_files
from truco_spec.logs.line import Log, LogError, split_moves
from truco_spec.logs.notation import notation_of
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.logs.setup import graph_of

LONGEST = 200_000
"""The longest log or file of cases that is played while it is written, in characters."""
MOST_CASES = 200
MOST_OFFERED = 80
ENDINGS = (".yaml", ".yml")
_PLACE = re.compile(r"^(?P<path>.*?):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<message>.*)$", re.DOTALL)
_GOT = re.compile(r", not (?P<key>[\w-]+): (?P<value>[^\n]+)$")
_REFUSED = re.compile(r"it was refused \([\w-]+: (.*)\)", re.DOTALL)
_MEANT = re.compile(r"[Dd]id you mean “?([^”?]+)”?\?")
_LOG, _CASES = re.compile(r"^truco:", re.MULTILINE), re.compile(r"^corpus:", re.MULTILINE)


def is_log(text: Text) -> bool:
    """Whether a text says that it is a log."""
    return bool(_LOG.search(text.source[:LONGEST]))


def is_of_cases(text: Text) -> bool:
    """Whether a text says that it is a file of cases."""
    return bool(_CASES.search(text.source[:LONGEST]))


def played_remarks(desk: Desk, path: str, text: Text) -> Iterator[list[Remark]]:
    """Return the mistakes of a log, or of one case after another. Nothing for any other text."""
    if len(text.source) > LONGEST or not (is_log(text) or is_of_cases(text)):
        return
    try:
        document = safe_yaml.load_with_positions(text.source, path)
    except safe_yaml.YamlError as error:
        yield [_remark(text, _at(path, error.line, error.column, error.message))]
        return
    if is_log(text):
        yield _log_remarks(desk, text, document)
    else:
        yield from _case_remarks(desk, text, document)


def _at(path: str, line: int, column: int, message: str) -> Diagnostic:
    line, column = max(line, 1), max(column, 1)
    return Diagnostic("error", "case", message, Span(path, line, column, line, column + 1, 0, 0))


def _remark(text: Text, found: Diagnostic) -> Remark:
    start, end = extent(text, found.span)
    meant = _MEANT.search(found.hint)
    written = text.source[start:end]
    words = written.split()
    repairs: tuple[Repair, ...] = ()
    if meant and len(words) <= 1:
        repairs = (Repair(f"Write {meant[1]}", start, end, meant[1]),)
    elif meant:  # of a move, all but the player
        at = written.index(words[1], len(words[0]))
        repairs = (Repair(f"Write {meant[1]}", start + at, end, meant[1]),)
    return Remark(found, start, end, repairs)


# ---- logs --------------------------------------------------------------------------------------


def _log_remarks(desk: Desk, text: Text, document: safe_yaml.Document) -> list[Remark]:
    try:
        log = log_files.read_document(document)
        graph = log_graph(desk, log)
        replay = Replay(log, graph)
        for _ in replay.steps():
            pass
    except MoveRefused as error:
        told = error.diagnostics[0]
        rules = error.game.graph.rules
        cites = dict.fromkeys(str(cite) for name in error.refusal.rules for cite in rules[name].source.cites)
        hint = "\n".join(filter(None, (told.hint, " ".join(cites))))
        return [_remark(text, Diagnostic(told.severity, told.code, told.message, told.span, hint))]
    except LogError as error:
        return [_remark(text, found) for found in error.diagnostics]
    except TrucoError as error:
        return [_remark(text, _at(document.path, 1, 1, str(error)))]
    return []


def log_graph(desk: Desk, log: Log) -> Graph:
    """The rules of a log: those of the folder, as they are in the editor, or shipped ones. Raises TrucoError."""
    path = _own_rules(desk).get(log.variant)
    if path is None:
        return graph_of(log)
    variant = desk.variant(log.variant, path)
    options = dict(log.options)
    if HOW_MANY in variant.graph.options:
        options.setdefault(HOW_MANY, str(len(log.players)))
    plain = variant.graph
    options = {name: value for name, value in options.items() if name in plain.options}
    return graph_of(log, variant.under(options) or plain)


def _own_rules(desk: Desk) -> dict[str, str]:
    """The variants of the editor's folders that are not shipped, each with its file."""
    found: dict[str, str] = {}
    for path in desk.in_folders(".truco"):
        reading = desk.reading(path)
        for block in reading.file.variants if reading and path not in desk.registered() else ():
            if block.name not in known_variants():
                found.setdefault(block.name, path)
    return found


# ---- cases -------------------------------------------------------------------------------------


def _case_remarks(desk: Desk, text: Text, document: safe_yaml.Document) -> Iterator[list[Remark]]:
    try:
        cases = cases_in(document)
    except CaseError as error:
        yield [_remark(text, _told(document, each)) for each in error.several or (error,)]
        return
    _know_own(desk, cases)
    for number, case in enumerate(cases[:MOST_CASES]):
        instance = next(iter(instances(case)), None)
        if instance is not None:
            found = [_remark(text, found) for found in _of_case(document, number, instance)]
            yield [replace(each, repairs=_expected(text, document, number, each)) for each in found]


def _expected(text: Text, document: safe_yaml.Document, number: int, found: Remark) -> tuple[Repair, ...]:
    """Return the repair that expects the result of the rules: the value, and a comment that asks for a reason."""
    got = _GOT.search(found.diagnostic.message)
    if got is None:
        return found.repairs
    for at, step in enumerate(document.data["cases"][number]["moves"]):
        if not isinstance(step, dict) or "expect" not in step or got["key"] not in step["expect"]:
            continue
        keys = ("cases", number, "moves", at, "expect", got["key"])
        if text.at(*document.key_place(*keys)) == found.start:
            first = text.at(*document.place(*keys))
            last = _end_of_value(text.source, first)
            line_end = text.end_of(text.position(last)[0])
            new = f"{got['value']}{text.source[last:line_end]}  # because "
            return (Repair(f"Expect {got['value']}, and say why", first, line_end, new),)
    return found.repairs


def _end_of_value(source: str, first: int) -> int:
    """Return the end of a value on one line: behind its closing bracket, or before what follows it."""
    depth = 0
    for at in range(first, len(source)):
        if source[at] in "\r\n" or (not depth and source[at] in ",}]#"):
            return first + len(source[first:at].rstrip())
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(source[at], 0)
    return len(source)


def _know_own(desk: Desk, cases: Iterable[Case]) -> None:
    """Register the folder's own variants that these cases name, as they are on disk."""
    named = {name for case in cases for name in case.applies.variants} - {*known_variants()}
    for name, path in _own_rules(desk).items() if named else ():
        if name in named:
            know(path)


def _told(document: safe_yaml.Document, error: TrucoError) -> Diagnostic:
    place = _PLACE.match(str(error))
    if place is None:
        return _at(document.path, 1, 1, str(error))
    line = int(place["line"])
    return _at(document.path, line, int(place["column"] or 0) or _indent(document, line), place["message"])


def _indent(document: safe_yaml.Document, line: int) -> int:
    lines = document.text.split("\n")
    written = lines[line - 1] if line <= len(lines) else ""
    return len(written) - len(written.lstrip(" -")) + 1


def _of_case(document: safe_yaml.Document, number: int, instance: Instance) -> Iterator[Diagnostic]:
    try:
        must_be_valid([instance])
        plan = complete(as_written(instance))
        if any(isinstance(request, OwnDeals) for request in plan.requests):
            return
        engine = Reference()
        answers = [engine.run(request) for request in plan.requests if isinstance(request, Script)]
        introduction = engine.hello()
    except TrucoError as error:
        yield _told(document, error)
        return
    places = list(_places(document, number, instance))
    for finding in judge(plan, answers, introduction):
        if finding.outcome == "failed" and finding.check is not None:
            at = plan.checks.index(finding.check)
            span = places[at] if at < len(places) else places[-1]
            refused = _REFUSED.fullmatch(finding.got) if finding.expected.endswith("is permitted") else None
            what = refused[1] if refused else f"expected {finding.expected}, not {finding.got}"
            message = f"in {instance.variant}: {what}"
            yield Diagnostic("error", "case", message, span, "")


def case_log(case: Case, variant: str, *, disputed: bool) -> Log | None:
    """The log of a case, of this variant if it is one of the case's; None if nobody plays in it. Raises TrucoError.

    It holds the moves that are taken; ``disputed``, all up to the first that is refused: one would argue about that.
    """
    those = instances(case)
    instance = next((each for each in those if each.variant == variant), those[0]) if those else None
    plan = as_written(instance) if instance else None
    script = plan.requests[0] if plan else None
    if plan is None or not isinstance(script, Script):
        return None
    moves = [[action.text for action in hand] for hand in plan.taken]
    if disputed and plan.refused:
        last, number = min(plan.refused)
        moves = [[action.text for action in hand.actions] for hand in script.hands[: last + 1]]
        moves[last] = moves[last][: number + 1]
        script = replace(script, hands=script.hands[: last + 1])
    return log_of(script, moves)


def _places(document: safe_yaml.Document, number: int, instance: Instance) -> Iterator[Span]:
    """The place of each check of a case, in their order."""
    for at, step in enumerate(instance.case.entry.moves):
        keys: tuple[Any, ...] = ("cases", number, "moves", at)
        if isinstance(step, str):
            walk = safe_yaml.Walk(document, step, *keys)
            yield from (_span(document, walk.to(offset), len(move)) for offset, move in split_moves(step))
        elif isinstance(step, Refused):
            yield _span(document, document.place(*keys, "refused"), len(step.refused))
        elif isinstance(step, Allowed):
            yield _span(document, document.place(*keys, "allowed"), len(step.allowed))
        elif isinstance(step, Expect):
            for key in step.expect:
                yield _span(document, document.key_place(*keys, "expect", key), len(key))
        elif isinstance(step, Legal):
            for player in step.legal:
                yield _span(document, document.key_place(*keys, "legal", player), len(player))
        elif isinstance(step, View):
            yield _span(document, document.key_place(*keys, "view"), 4)


def _span(document: safe_yaml.Document, place: safe_yaml.YamlPlace, length: int) -> Span:
    return Span(document.path, place.line, place.column, place.line, place.column + length, 0, 0)


# ---- what may be written -----------------------------------------------------------------------

_VALUE_OF = re.compile(r"^\s*(?:- )?(variant|variants|source|mode|level|clauses|decisions|options)\s*:\s*(?P<rest>.*)$")


def played_offers(desk: Desk, path: str, text: Text, offset: int) -> Insertions:
    """Return the completions at an offset of a log or of cases: permitted moves, variants, clauses."""
    line_start = text.source.rfind("\n", 0, offset) + 1
    line = text.source[line_start:offset]
    if (value := _VALUE_OF.match(line)) is not None:
        word = re.search(r"[\w:.-]*$", line)
        start = line_start + (word.start() if word else len(line))
        return Insertions(start, tuple(_values_of(desk, path, text, value[1], text.source[start:offset])), whole=False)
    if is_log(text) or is_of_cases(text):
        cut = max(text.source.rfind(sign, 0, offset) + 1 for sign in (",", "\n", "[", '"', "'"))
        for sign in ("moves: ", "- ", "refused: ", "allowed: "):
            at = text.source.rfind(sign, line_start, offset)
            cut = max(cut, at + len(sign)) if at >= 0 else cut
        start = cut + len(text.source[cut:offset]) - len(text.source[cut:offset].lstrip())
        return Insertions(start, tuple(_permitted(desk, path, text, start)))
    return Insertions(offset, ())


def _values_of(desk: Desk, path: str, text: Text, key: str, begun: str) -> Iterator[Insertion]:
    if key in ("variant", "variants"):
        yield from (Insertion(name, "variant") for name in sorted({*known_variants(), *_own_rules(desk)}))
    elif key in ("clauses", "decisions"):
        source = re.search(r"^source:\s*(\S+)", text.source, re.MULTILINE)
        own = f"{source[1]}:" if source else ""
        for clause in fitting(begun.replace(".", " ")) if begun else all_quoted()[:MOST_OFFERED]:
            yield Insertion(clause.cite.removeprefix(own), "clause", clause.title, clause.text)
    elif key == "options":
        named = re.search(r"^variant:\s*(\S+)", text.source, re.MULTILINE)
        name = named[1] if named else next(iter(_variants_named(text)), "")
        own_path = _own_rules(desk).get(name, "")
        graph = desk.graph(name, own_path or path) if name else None
        for option in graph.options.values() if graph else ():
            yield Insertion(option.name, "option", " | ".join(option.values), option.source.prose)
    elif key == "mode":
        yield from (Insertion(mode, "value") for mode in ("strict", "umpire"))


def _variants_named(text: Text) -> list[str]:
    found = re.search(r"variants:\s*\[([^\]]*)\]", text.source)
    return [name.strip() for name in found[1].split(",")] if found else []


def _permitted(desk: Desk, path: str, text: Text, start: int) -> Iterator[Insertion]:
    """The moves that are permitted after all that is written before an offset."""
    before = text.source[:start].rstrip().rstrip(",")
    while (shorter := re.sub(r"(?:-|refused:|allowed:|\[|\"|')\s*\Z", "", before).rstrip()) != before:
        before = shorter
    if before.endswith("moves:"):
        before += " []"
    game, players = _game_after(desk, path, before)
    if game is None:
        return
    notation = notation_of(game.graph, players)
    seen: set[str] = set()
    for action in game.legal_actions():
        if action.actor == CHANCE or len(seen) >= MOST_OFFERED:
            continue
        move = notation.text(action)
        if move not in seen:
            seen.add(move)
            prose = game.graph.actions[action.verb].source.prose
            yield Insertion(move, "move", action.verb, prose)


def _game_after(desk: Desk, path: str, before: str) -> tuple[Game | None, tuple[str, ...]]:
    text = Text(before)
    try:
        document = safe_yaml.load_with_positions(before, path)
        if is_log(text):
            log = log_files.read_document(document)
            replay = Replay(log, log_graph(desk, log))
            return replay.played_out(), log.players
        cases = cases_in(document)
        _know_own(desk, cases)
        instance = next(iter(instances(cases[-1])), None)
        if instance is None:
            return None, ()
        plan = complete(as_written(instance))
        script = plan.requests[0]
        if not isinstance(script, Script):
            return None, ()
        run = ScriptRun(script, frozenset(), script_graph(script))
        run.play()
        run.replay.deal_out()
    except TrucoError:
        return None, ()
    return run.game, script.players


def options_named(desk: Desk, paths: Iterable[str], old: str, new: str) -> dict[str, list[tuple[int, int, str]]]:
    """Return the edits of logs and cases that rename an option: its keys below ``options``."""
    found: dict[str, list[tuple[int, int, str]]] = {}
    for path in paths:
        text = desk.plain(path) if path.endswith(ENDINGS) else None
        if text is None or old not in text.source or not (is_log(text) or is_of_cases(text)):
            continue
        try:
            document = safe_yaml.load_with_positions(text.source, path)
        except safe_yaml.YamlError:
            continue
        for keys in _option_keys(document.data, old):
            at = text.at(*document.key_place(*keys))
            if text.source[at : at + len(old)] == old:
                found.setdefault(path, []).append((at, at + len(old), new))
    return found


def _option_keys(data: Any, old: str, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """Return the places of an option as a key below ``options``."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == old and above and above[-1] == "options":
                yield (*above, key)
            yield from _option_keys(value, old, *above, key)
    elif isinstance(data, list):
        for at, value in enumerate(data):
            yield from _option_keys(value, old, *above, at)
