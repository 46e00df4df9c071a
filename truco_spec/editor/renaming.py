"""A new name in all texts. The change is tried first: nothing is renamed that would not link afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from truco_spec.base.errors import TrucoError
from truco_spec.editor.occurrences import CITED, LOCAL, VARIANT, Occurrence, declarations, same
from truco_spec.editor.played import options_named
from truco_spec.editor.remarks import linking_remarks, reading_remarks
from truco_spec.editor.texts import Desk
from truco_spec.language.grammar import grammar

_NAME = re.compile(r"[0-9]*[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*(\.[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*)*")
_LONGEST = 60
MOST_TRIED = 3
"""Of the variants through which a base is linked, how many are tried."""
Changes = Mapping[str, list[tuple[int, int, str]]]


class NotRenamed(TrucoError):
    """A name that cannot be changed so. The message says why."""


def can_be_renamed(desk: Desk, path: str, found: Occurrence) -> bool:
    """Whether this is a name that somebody here has given."""
    if found.kind == CITED or (found.kind == VARIANT and not desk.blocks(found.name, path)):
        return False
    return found.kind in (LOCAL, VARIANT) or bool(declarations(desk, path, _asked(found)))


def _asked(found: Occurrence) -> Occurrence:
    return Occurrence(found.of, "named", 0, 0, found.block) if found.of else found


def renamed(desk: Desk, path: str, found: Occurrence, new: str) -> Changes:
    """The changes that give a name anew in all texts of the editor's folders. Raises NotRenamed."""
    old = found.name
    if not _NAME.fullmatch(new) or len(new) > _LONGEST:
        raise NotRenamed(f"“{new[:_LONGEST]}” is no name: use letters, digits and single hyphens.")
    if new in grammar().words:
        raise NotRenamed(f"“{new}” is a word of the language.")
    if not can_be_renamed(desk, path, found):
        raise NotRenamed(f"“{old}” is not declared in these rules.")
    if found.kind == VARIANT:
        raise NotRenamed("The name of a variant is that of its file: rename the file, and what extends it.")
    if found.kind != LOCAL and new in desk.statements(found.block, path):
        raise NotRenamed(f"{new} is declared already.")
    mine = {*desk.in_folders(".truco", ".yaml", ".yml"), *desk.open}
    changes: dict[str, list[tuple[int, int, str]]] = {}
    for place in same(desk, path, found):
        if place.path not in mine:
            raise NotRenamed(f"“{old}” stands in {place.path} too, which is not in this folder.")
        at = place.occurrence.start
        changes.setdefault(place.path, []).append((at, at + len(old), new))
    changes.update(options_named(desk, mine, old, new) if _is_option(desk, path, found) else {})
    _try(desk, changes, old)
    return changes


def _is_option(desk: Desk, path: str, found: Occurrence) -> bool:
    statement = desk.statements(found.block, path).get(found.name)
    return found.kind != LOCAL and statement is not None and statement.kind == "option"


def _try(desk: Desk, changes: Changes, old: str) -> None:
    """Link every text with its changes. Raises NotRenamed for one that linked before and does not now."""
    rules = [path for path in changes if path.endswith(".truco")]
    before = {path: _errors(desk, path) for path in rules}
    changed = Desk(dict(desk.open), desk.folders)
    for path in rules:
        text = desk.text(path)
        for start, end, new in sorted(changes[path], reverse=True):
            text = text.edited(start, end, new) if text else None
        changed.put(path, text)
    for path in rules:
        for message in _errors(changed, path) - before[path]:
            raise NotRenamed(f"“{old}” keeps its name: {path} would not link any more: {message}.")


def _errors(desk: Desk, path: str) -> set[str]:
    found = [
        *reading_remarks(desk, path),
        *(r for stage in islice(linking_remarks(desk, path), MOST_TRIED) for r in stage.remarks),
    ]
    return {remark.diagnostic.message for remark in found if remark.diagnostic.severity == "error"}
