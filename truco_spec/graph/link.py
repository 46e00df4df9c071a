"""Linking: merges the texts of a variant and of all that it extends into one list of statements with their lineage.

``replace`` and ``drop`` change inherited statements by name; ``also`` adds a citation; ``set`` fixes an option. All
other statements are inherited unchanged. The concordance of a variant is applied after its own statements.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from truco_spec.base.project import projects
from truco_spec.base.user_cache import Shelf, installation
from truco_spec.base.words import Sentence
from truco_spec.graph.model import CLOSED
from truco_spec.language import tree as t
from truco_spec.language.diagnostics import Diagnostic, SpecError, hint_of

LONGEST_CHAIN = 32
_SHELF = Shelf("texts", 256)
_MADE_BY = ("base", "language")
"""The parts of this package that affect what is read."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A statement of the linked variant, and the variants that contributed to it, oldest first."""

    statement: t.Statement
    lineage: tuple[str, ...]
    construct: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """A linked variant before elaboration: its blocks from the root down, and its statements in order.

    ``parts`` are the citations that ``also`` adds to a part of a construct, such as one rule of a ladder.
    """

    blocks: tuple[t.VariantText, ...]
    items: dict[str, Linked]
    sets: dict[str, tuple[t.Statement, str]]
    dropped: dict[str, t.Statement]
    parts: dict[str, tuple[t.Statement, str]]


def known_texts() -> dict[str, Path]:
    """Return every available text, shipped or of an open project, by name: bases and variants."""
    return {name: path for project in projects() for name, path in project.texts().items()}


def texts_of(name: str) -> tuple[Path, ...]:
    """Return the files of an available variant: its text and its concordances. None for an unknown name."""
    text = next((text for project in reversed(projects()) if (text := project.text(name))), None)
    concordances = (project.root / "concordance" / f"{name}.truco" for project in projects())
    return () if text is None else (text, *(path for path in concordances if path.is_file()))


def blocks_of(name: str, texts: Iterable[t.File] = ()) -> tuple[t.VariantText, ...]:
    """Return the blocks of a variant and of all that it extends, from the root down, each once, with its concordance.

    Of several that a variant extends the first comes first, with all that it extends, and of the others what is new.

    ``texts`` take precedence over those at hand. Raises SpecError for an unknown name or a circular extension.
    """
    texts = tuple(texts)
    at_hand = {block.name: block for text in texts for block in text.variants}
    for each in (each for text in texts for each in text.concordances):
        if each.name not in at_hand and each.name not in known_texts():
            raise SpecError([_unknown(each.name, at_hand, each.name_span)])
    found: dict[str, t.VariantText] = {}

    def gather(wanted: str, asked_by: t.Span, below: tuple[str, ...]) -> None:
        if wanted in below:
            message = Sentence("variant {name} extends itself", name=wanted)
            raise SpecError([Diagnostic("error", "circle", message, asked_by)])
        block = at_hand.get(wanted) or _block_at_hand(wanted)
        if block is None or len(found) + len(below) >= LONGEST_CHAIN:
            raise SpecError([_unknown(wanted, at_hand, asked_by)])
        for base in block.extends:
            if base not in found:
                gather(base, t.place_of(base, block.name_span), (*below, wanted))
        found[wanted] = _with_concordance(block, texts)

    gather(name, t.NOWHERE, ())
    return tuple(found.values())


def _unknown(name: str, at_hand: Iterable[str], asked_by: t.Span) -> Diagnostic:
    known = sorted({*at_hand, *known_texts()})
    hint = hint_of(name, known, Sentence("known are {known}", known=tuple(known)))
    return Diagnostic("error", "unknown-variant", Sentence("there is no variant {name}", name=name), asked_by, hint)


def _with_concordance(block: t.VariantText, texts: Iterable[t.File]) -> t.VariantText:
    """Return a variant with the additions of its concordances."""
    more = [item for text in texts for each in text.concordances if each.name == block.name for item in each.items]
    return replace(block, items=(*block.items, *more)) if more else block


def _block_at_hand(name: str) -> t.VariantText | None:
    return _read(name, tuple((path, path.stat().st_mtime_ns) for path in texts_of(name)))


@lru_cache(maxsize=64)
def _read(name: str, stamped: tuple[tuple[Path, int], ...]) -> t.VariantText | None:
    """Return an available variant with its concordance, read again only when its files have changed."""
    place = _place(name, [path for path, _ in stamped])
    kept = _SHELF.take(place)
    if isinstance(kept, t.VariantText):
        return kept
    from truco_spec.language.read import read_file  # a cached text needs no reader

    texts = [read_file(path, part=True) for path, _ in stamped]
    block = next((block for text in texts for block in text.variants if block.name == name), None)
    found = block and _with_concordance(block, texts)
    _SHELF.put(place, found)
    return found


def _place(name: str, files: Iterable[Path]) -> str:
    """The name under which a text is kept: a digest of the files, and of what reads them."""
    digest = hashlib.sha256(installation(_MADE_BY) + name.encode("utf-8", "surrogatepass"))
    for path in files:
        with suppress(OSError):  # the reader says what is wrong
            digest.update(b"\0" + os.fsencode(path) + b"\0" + path.read_bytes())
    return digest.hexdigest()


_LINKED: dict[tuple[int, ...], Chain] = {}


def linked(name: str) -> Chain:
    """Return an available variant, linked; memoised while its texts are unchanged. Raises as :func:`link`."""
    blocks = blocks_of(name)
    key = tuple(map(id, blocks))
    found = _LINKED.get(key)
    if found is None or any(ours is not theirs for ours, theirs in zip(found.blocks, blocks, strict=True)):
        found = _LINKED[key] = link(blocks)
    return found


def link(blocks: tuple[t.VariantText, ...]) -> Chain:
    """Apply the replacements, drops, settings and additions of each block. Raises SpecError with every error."""
    wrong = [*_rivals(blocks)]
    items: dict[str, Linked] = {}
    sets: dict[str, tuple[t.Statement, str]] = {}
    dropped: dict[str, t.Statement] = {}
    parts: dict[str, tuple[t.Statement, str]] = {}
    for block in blocks:
        here: set[str] = set()
        for statement in block.items:
            _take(statement, block.name, items, sets, dropped, parts, here, wrong)
    wrong += _close(blocks, items, sets)
    if wrong:
        raise SpecError(wrong)
    _without(dropped.keys() - items.keys(), blocks, items)
    return Chain(blocks, items, sets, dropped, parts)


def _rivals(blocks: tuple[t.VariantText, ...]) -> Iterator[Diagnostic]:
    """Refuse what two variants that do not extend each other both change, unless one that extends both says it. Raises
    SpecError where both declare it.
    """
    last, above, declared = blocks[-1], dict[str, set[str]](), dict[str, str]()
    place = t.place_of(last.extends[0], last.name_span) if last.extends else last.name_span
    changed: dict[str, tuple[str, t.Statement]] = {}
    rivals: dict[str, tuple[str, str]] = {}
    for block in blocks:
        above[block.name] = {block.name}.union(*(above[base] for base in block.extends))
        for item in block.items:
            if item.kind not in ("set", "drop") and item.mode != "replace":
                first = (
                    declared.setdefault(item.name, block.name) if item.kind not in ("also", "closed") else block.name
                )
                if first not in above[block.name]:
                    form = "{one} and {other} both declare {name}: no variant can extend both"
                    message = Sentence(form, one=first, other=block.name, name=item.name)
                    hint = Sentence("extend the one that is nearer to yours, and write what you want of the other")
                    raise SpecError([Diagnostic("error", "rivals", message, place, hint)])
                continue
            before, told = changed.get(item.name, (block.name, item))
            if before in above[block.name] or told == item:
                rivals.pop(item.name, None)
            else:
                rivals[item.name] = (before, block.name)
            changed[item.name] = (block.name, item)
    for name, (one, other) in rivals.items():
        message = Sentence("{name} is changed by {one} and by {other}", name=name, one=one, other=other)
        hint = Sentence("say which holds: `set`, `replace` or `drop` {name}", name=name)
        yield Diagnostic("error", "rivals", message, place, hint)


def _close(
    blocks: tuple[t.VariantText, ...], items: dict[str, Linked], sets: dict[str, tuple[t.Statement, str]]
) -> list[Diagnostic]:
    """Refuse changes that a ``closed`` variant does not leave open: any other value of an option than its own."""
    closing = [(item, block) for block in blocks for item in block.items if item.kind == "closed"]
    if not closing:
        return []
    item, block = closing[-1]
    options = {name: held.statement for name, held in items.items() if held.statement.kind == "option"}
    wrong = []
    for name in item.names:
        if name not in options:
            hint = hint_of(name, options)
            wrong.append(
                Diagnostic("error", "unknown-option", Sentence("there is no option {name}", name=name), item.span, hint)
            )
    for name, option in options.items():
        if name in item.names:
            continue
        default = next((choice for choice in option.choices if choice.default), option.choices[0])
        value = sets[name][0].value if name in sets else default.value
        assert isinstance(value, t.Name | t.Number)
        form = "What is not open in {variant} is settled: {name} is {value}."
        test = t.Compare("is not", t.Name(name, item.span), value, item.span)
        refusal = t.Statement(
            "refuse",
            f"{CLOSED}{name}",
            item.span,
            item.name_span,
            cites=item.cites,
            prose=Sentence(form, variant=block.name, name=name, value=t.text_of(value)),
            clauses=(t.Clause("when", expr=test, span=item.span),),
        )
        items[refusal.name] = Linked(refusal, (block.name,))
    return wrong


def _without(gone: Set[str], blocks: Iterable[t.VariantText], items: dict[str, Linked]) -> None:
    """Let exceptions to dropped statements beat what these beat, if anything; a question has to answer something."""
    beaten = {item.name: item.excepts for block in blocks for item in block.items if item.name in gone and item.excepts}
    for name, held in items.items():
        excepts = list(held.statement.excepts)
        for other in excepts:  # grows while it is gone through
            excepts += [further for further in beaten.get(other, ()) if further not in excepts]
        kept = tuple(x for x in excepts if x not in gone and x.rpartition(".")[0] not in gone)
        if len(kept) == len(excepts):
            continue
        if kept or held.statement.kind == "rule":
            items[name] = replace(held, statement=replace(held.statement, excepts=kept))


def _take(
    statement: t.Statement,
    variant: str,
    items: dict[str, Linked],
    sets: dict[str, tuple[t.Statement, str]],
    dropped: dict[str, t.Statement],
    parts: dict[str, tuple[t.Statement, str]],
    here: set[str],
    wrong: list[Diagnostic],
) -> None:
    name = statement.name if statement.kind != "seats" else f"seats {statement.name}"
    old = items.get(name)

    def complain(code: str, message: str, hint: str = "", notes: tuple[tuple[str, t.Span], ...] = ()) -> None:
        wrong.append(Diagnostic("error", code, message, statement.name_span, hint, notes))

    def missing(code: str, form: str) -> None:
        complain(code, Sentence(form, name=name), hint_of(name, items))

    if statement.kind == "set":
        if old is None or old.statement.kind != "option":
            options = [key for key, item in items.items() if item.statement.kind == "option"]
            complain("unknown-option", Sentence("there is no option {name}", name=name), hint_of(name, options))
        else:
            sets[name] = (statement, variant)
    elif statement.kind == "closed":
        if "closed" in here:
            complain("twice", Sentence("{variant} is closed twice", variant=variant))
        here.add("closed")
    elif statement.kind == "drop":
        if old is None:
            form = "there is no {name} to drop"
            missing("nothing-to-drop", form)
        else:
            dropped[name] = statement
            del items[name]
            _forget(parts, name)
    elif statement.kind == "also":
        if old is None and name.rpartition(".")[0] in items:
            before = parts.get(name)
            more = replace(statement, cites=before[0].cites + statement.cites) if before else statement
            parts[name] = (more, variant)
        elif old is None:
            form = "there is no {name} to add to"
            missing("nothing-to-add-to", form)
        else:
            cited = replace(old.statement, cites=old.statement.cites + statement.cites)
            items[name] = Linked(cited, (*old.lineage, variant))
    elif statement.mode == "replace":
        if old is None:
            form = "there is no {name} to replace"
            missing("nothing-to-replace", form)
        elif name in here:
            complain("twice", Sentence("{name} is replaced twice in {variant}", name=name, variant=variant))
        elif old.statement.kind != statement.kind:
            was = old.statement.kind
            complain(
                "other-kind",
                Sentence(
                    "{name} is a {was} and cannot be replaced by a {kind}", name=name, was=was, kind=statement.kind
                ),
                Sentence("drop {name} first", name=name),
                ((Sentence("{name} as inherited", name=name), old.statement.name_span),),
            )
        else:
            items[name] = Linked(statement, (*old.lineage, variant))
            here.add(name)
            _forget(parts, name)
            if statement.kind == "option":
                sets.pop(name, None)
    elif old is not None:
        hint = Sentence("write `replace {kind} {name}` to change what is inherited", kind=statement.kind, name=name)
        complain(
            "declared-twice",
            Sentence("{name} is declared already", name=name),
            hint if name not in here else "",
            ((Sentence("{name} as first declared", name=name), old.statement.name_span),),
        )
    else:
        items[name] = Linked(statement, (variant,))
        here.add(name)


def _forget(parts: dict[str, tuple[t.Statement, str]], construct: str) -> None:
    """Forget what was cited for the parts of a construct: another one has its own authority."""
    for name in [name for name in parts if name.startswith(f"{construct}.")]:
        del parts[name]
