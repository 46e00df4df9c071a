"""A linked variant as one text in the rules language: the original statements, each with its file.

The text extends nothing and links to the same statements: replacements, drops, settings and added citations are
applied. Constructs are kept as written, not desugared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from truco_spec.base.harmless import printable
from truco_spec.graph import fold
from truco_spec.graph.link import Chain
from truco_spec.graph.linking.build import build, lower
from truco_spec.language import tree as t
from truco_spec.language.format import format_text
from truco_spec.language.read import decode
from truco_spec.pages.draw.graph_data import place_of

RULED_OUT = "ruled out by these options"


def linked_text(chain: Chain, options: Mapping[str, str]) -> str:
    """Return the whole variant, in the layout of ``format``. Under ``options`` the default stars mark these values, and
    statements that they rule out are marked. Raises SpecError for options that cannot be played.
    """
    out = _ruled_out(chain, options) if options else frozenset()
    last, write = chain.blocks[-1], _Writer(options).statement
    lines = [
        f"# {' <- '.join(block.name for block in reversed(chain.blocks))}: all statements in one text.",
        *([f"# Options: {', '.join(f'{name}={value}' for name, value in options.items())}."] if options else []),
        f'\nvariant {last.name} {{ title "{last.title}"',
    ]
    for name, statement in _in_order(chain, options):
        mark = [RULED_OUT] if name in out else []
        lines.append(f"\n# {'; '.join([', '.join(_places(statement)), *mark])}\n{write(statement)}")
    return format_text("\n".join([*lines, "}"]))


def _in_order(chain: Chain, options: Mapping[str, str]) -> Iterator[tuple[str, t.Statement]]:
    """The statements in the order of the files; each followed by its settings, and by the citations of its parts."""
    parts: dict[str, list[str]] = {}
    for part in chain.parts:
        parts.setdefault(part.rpartition(".")[0], []).append(part)
    for name, item in chain.items.items():
        yield name, item.statement
        if name in chain.sets and name not in options:
            yield "", chain.sets[name][0]
        for part in parts.get(name, ()):
            yield part, chain.parts[part][0]


def _ruled_out(chain: Chain, options: Mapping[str, str]) -> frozenset[str]:
    """The statements whose own conditions never hold under these options: of a construct, those of all its rules; of a
    trump, those of all cards.
    """
    graph = build(chain, options)
    vanished = {name for name, _ in graph.vanished}
    constructs = {name for name, rules in lower(chain).constructs.items() if vanished.issuperset(rules)}
    trumps = (name for name, item in chain.items.items() if item.statement.kind == "trump")
    no_card = {name for name in trumps if all(fold.is_no(answer.value) for answer in graph.defines[name].answers)}
    return frozenset(vanished | constructs | no_card)


# ---- one statement -----------------------------------------------------------------------------


class _Writer:
    def __init__(self, options: Mapping[str, str]) -> None:
        self.options = options
        self.files: dict[str, str] = {}

    def statement(self, statement: t.Statement) -> str:
        """A statement as in its file, with the citations that ``also`` adds after its own; a datum, which has none, is
        followed by an ``also``.
        """
        start, text = statement.span.start, self.source(statement.span)
        for span, written in sorted(self.changes(statement), key=lambda change: -change[0].start):
            text = text[: span.start - start] + written + text[span.end - start :]
        loose = bool(statement.cites) and not any(_stands_in(cite, statement) for cite in statement.cites)
        text = "also " * (statement.span.start == statement.name_span.start) + text  # an entry of a concordance
        return text.removeprefix("replace") + f"\nalso {statement.name} {_all(statement.cites)}" * loose

    def changes(self, statement: t.Statement) -> Iterator[tuple[t.Span, str]]:
        """The replacements in the text of the file."""
        chosen = self.options.get(statement.name) if statement.kind == "option" else None
        for choice in statement.choices if chosen else ():
            value = self.source(choice.value.span)
            yield choice.span, value + "*" * (value == chosen)
        cites, own = statement.cites, [n for n, cite in enumerate(statement.cites) if _stands_in(cite, statement)]
        if own and own[0]:
            yield cites[own[0]].span, _all(cites[: own[0] + 1])
        elif own and own[-1] < len(cites) - 1:
            yield cites[own[-1]].span, _all(cites[own[-1] :])

    def source(self, span: t.Span) -> str:
        """The source text at a place."""
        if span.file not in self.files:
            self.files[span.file] = decode(Path(span.file).read_bytes(), span.file)
        return self.files[span.file][span.start : span.end]


def _all(cites: Iterable[t.Cite]) -> str:
    return " ".join(map(str, cites))


def _stands_in(cite: t.Cite, statement: t.Statement) -> bool:
    """Whether a citation is the statement's own, rather than added by ``also``."""
    place, here = cite.span, statement.span
    return place.file == here.file and here.start <= place.start < here.end


def _places(statement: t.Statement) -> Iterable[str]:
    """The place of a statement, and of the citations added to it."""
    more = (cite.span for cite in statement.cites if not _stands_in(cite, statement))
    return dict.fromkeys(f"{printable(place_of(span.file))}:{span.line}" for span in (statement.span, *more))
