"""The documentation and the results as pages: Markdown rendered by markdown-it, with raw HTML disabled.

A link to another document becomes a link to its page; a link to anything outside the site, such as a module, becomes
plain text. Pictures are embedded, since pages make no network requests.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from truco_spec.base import shipped
from truco_spec.base.document import text_of
from truco_spec.base.errors import TrucoError
from truco_spec.base.project import own_projects, subject_names
from truco_spec.base.shipped import ENGLISH, LANGUAGES
from truco_spec.base.words import renamed, say, speaking, spoken
from truco_spec.books.site.page_frame import Addresses, framed, in_each, page_in, speech, words
from truco_spec.compare.disputes.agreement import Agreement, rules_of, transpose
from truco_spec.compare.disputes.unknown import try_all
from truco_spec.engine.wasm.native import is_installed
from truco_spec.graph.load import load, load_open
from truco_spec.graph.model import DECIDED
from truco_spec.graph.sources import registry, sources
from truco_spec.logs.files import read
from truco_spec.logs.line import UNKNOWN, Log, fragment_of, frozen, read_line, write_line
from truco_spec.logs.narrative import document_of, narrative_of
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import graph_of
from truco_spec.pages.board import HAND, SCRIPT, hand_of

FIRST = "README.md"
RULES = "truco"
TEXTS = (".yaml", f".{RULES}")
"""Files beside the documents that are shown verbatim."""
ARGUMENTS = "disputes/"
_PICTURES = {".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp"}
_QUESTION = Markup('<p class="asked"><a href="{}">{}</a></p>\n')
_CLAUSE = Markup('<a href="{}">{}</a>')
_LINE = re.compile(
    r"""["'](?P<quoted>[\w-]+[^"'|\n]* \| [^"']+)["']|^(?P<whole>[\w-]+(?: [\w-]+=\S+)* \| .+)$""", re.MULTILINE
)
"""A log in one line, in the code of a document."""
_CITED = re.compile(r"(<code>)?@(?P<source>[\w-]+):(?P<clause>[\w.-]*\w)(?(1)</code>)")
"""A citation, as a reason shows it or an answer quotes it."""
_TOLD = 200
"""Maximum characters of a section in the search."""


@dataclass(frozen=True, slots=True)
class DocHeading:
    """A heading of a document: its anchor, its text, and the beginning of the section."""

    place: str
    text: str
    told: str


@cache
def files() -> tuple[str, ...]:
    """All documents and the files that they show, as paths below ``docs``."""
    root = shipped.folder("docs")
    found = (path for path in root.rglob("*") if path.suffix in (".md", *TEXTS))
    return tuple(sorted(path.relative_to(root).as_posix() for path in found))


@cache
def folders() -> tuple[str, ...]:
    """The folders below ``docs`` that hold documents or files."""
    return tuple(dict.fromkeys(folder for name in files() if (folder := posixpath.dirname(name))))


def language_of(name: str) -> str:
    """Return the language of a document: its code precedes the extension, unless it is English."""
    stem = name.removesuffix(".md")
    return next((code for code in LANGUAGES if code != ENGLISH and stem.endswith(f".{code}")), ENGLISH)


def in_language(name: str, language: str) -> str:
    """Return the translation of a document if there is one; otherwise the document itself."""
    code = language_of(name)
    stem = name.removesuffix(".md").removesuffix(f".{code}")
    told = f"{stem}.md" if language == ENGLISH else f"{stem}.{language}.md"
    return told if told in files() else name


def run_of(name: str) -> Path | None:
    """Return the file of the run kept beside a document, which has pages in the other languages; None without one, and
    in the site of a project, which has other games.
    """
    path = (shipped.folder("docs") / name).with_suffix(".jsonl")
    return path if path.is_file() and not own_projects() else None


def page_of(name: str, language: str = ENGLISH) -> str:
    """The page of a document, a file or a folder below ``docs``; that of a log or a run also in another language."""
    if name in folders():
        name = f"{name}/index.html"
    elif in_language(name, ENGLISH) == FIRST:
        name = page_in("index.html", language_of(name))
    elif name.endswith(".md") and run_of(name):
        name = page_in(name.removesuffix(".md") + ".html", language)
    elif name.endswith(".md"):
        name = (in_language(name, language) if language != ENGLISH else name).removesuffix(".md") + ".html"
    else:
        name = page_in(f"{name}.html", language)
    return name if name.startswith("results/") else f"docs/{name}"


def _root(page: str) -> str:
    """The path from a page to the home page."""
    return "../" * page.count("/")


def document(name: str, address_of: Callable[[str], str] = lambda code: "") -> str:
    """Return the page of a document or a file; a name in code links to its address, if it has one."""
    root = _root(page_of(name))
    text = _read(name)
    if not name.endswith(".md"):
        coloured = highlighted(text) if name.endswith(f".{RULES}") else text
        return framed("text", root, title=posixpath.basename(name), text=coloured, contents=contents(name))
    tokens = _parsed(name)
    _lead(tokens, name, address_of)
    language = language_of(name)
    title = next((heading.text for heading in headings(name)), name)
    if question := question_of(name):
        title = words(language)(question)
        tokens[0].tag = tokens[2].tag = "p"
        tokens[0].attrSet("class", "verdict")
    there = in_each(lambda code: _between(page_of(name), page_of(in_language(name, code), code)))
    here = there if len({address for *_, address in there}) == len(there) else ()
    held: dict[str, Any] = {"title": title, "contents": contents(name), "language": language, "here": here}
    if question:
        with speaking(speech(language)):
            page = framed("argument", root, SCRIPT, styles=HAND, **held, **_argued(name, tokens, language))
        return _sourced(page, Addresses(root, language))
    return framed("document", root, **held, body=_rendered(tokens))


def question_of(name: str) -> str:
    """Return the question that a document answers: the first remark in the log beside it; empty if there is none."""
    log = f"{in_language(name, ENGLISH).removesuffix('.md')}.yaml"
    told = _comments(_read(log)) if log in files() and log_in(log) else []
    return told[0] if told and told[0].endswith("?") else ""


Entry = tuple[str, str, bool]
"""A document in a list: title, address, and whether it is the current one."""


def contents(name: str) -> list[tuple[str, list[Entry]]]:
    """The documents by kind, with addresses relative to one of them, as listed below each heading of the first page.

    A line of the list is one document: its first link.
    """
    if name == FIRST or FIRST not in files() or language_of(name) != ENGLISH:
        return []
    found: list[tuple[str, list[Entry]]] = []
    beginning, heading = False, False
    for token in _markdown().parse(_read(FIRST)):
        if token.type == "heading_open":
            heading = token.tag == "h2"
        elif token.type == "inline" and heading:
            found.append((_plain(token), []))
            heading = False
        elif token.type == "list_item_open":
            beginning = True
        elif token.type == "inline" and beginning and found:
            found[-1][1].extend(_first_link(token, name))
            beginning = False
    return [(kind, entries) for kind, entries in found if entries]


def _first_link(token: Token, name: str) -> Iterator[Entry]:
    parts = token.children or []
    at = next((n for n, part in enumerate(parts) if part.type == "link_open"), -1)
    if at >= 0:
        target = str(parts[at].attrGet("href"))
        told = target in files() or target in folders()
        if told:
            yield parts[at + 1].content, _between(page_of(name), page_of(target)), target == name


def folder(name: str) -> str:
    """Return the list of a folder's content."""
    root = _root(page_of(name))
    held = [each for each in files() if posixpath.dirname(each) == name and language_of(each) == ENGLISH]
    entries = [(posixpath.basename(other), _between(page_of(name), page_of(other)), title_of(other)) for other in held]
    return framed("list", root, title=name.capitalize(), groups={"Files": entries}, contents=contents(name))


def headings(name: str) -> list[DocHeading]:
    """The headings of a document, in its order."""
    found: list[DocHeading] = []
    tokens = _parsed(name)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            rest = tokens[number + 3 : number + 5]
            told = _plain(rest[1]) if len(rest) > 1 and rest[0].type == "paragraph_open" else ""
            found.append(DocHeading(str(token.attrs["id"]), _plain(tokens[number + 1]), told[:_TOLD]))
    return found


def title_of(name: str) -> str:
    return next((heading.text for heading in headings(name)), "") if name.endswith(".md") else ""


def _rendered(tokens: Sequence[Token]) -> Markup:
    return Markup(_markdown().renderer.render(tokens, _markdown().options, {}))  # noqa: S704 -- escaped by markdown-it


def _read(name: str) -> str:
    return (shipped.folder("docs") / name).read_text(encoding="utf-8")


@cache
def _markdown() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    wide = '<div class="wide" tabindex="0" role="group" aria-label="Table"><table>\n'
    made.add_render_rule("table_open", lambda *_: wide)
    made.add_render_rule("table_close", lambda *_: "</table></div>\n")
    made.add_render_rule("fence", _fenced)
    return made


def _fenced(_: Any, tokens: list[Token], at: int, *__: Any) -> str:
    token = tokens[at]
    text = highlighted_as((token.info.split() or ["text"])[0], token.content)
    return f'<pre tabindex="0"><code>{text}</code></pre>\n' + "".join(
        _QUESTION.format(*each) for each in token.meta.get("logs", ())
    )


def _parsed(name: str) -> list[Token]:
    """The tokens of a document, with anchors on headings as used by links between documents."""
    tokens = _markdown().parse(_read(name))
    used: dict[str, int] = {}
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            place = re.sub(r"[^\w -]", "", _plain(tokens[number + 1]).lower()).replace(" ", "-")
            count = used[place] = used.get(place, -1) + 1
            token.attrSet("id", f"{place}-{count}" if count else place)
    return tokens


def _plain(token: Token) -> str:
    """The text of a line without markup."""
    return "".join(" " if part.type == "softbreak" else part.content for part in token.children or ())


def _lead(tokens: Iterable[Token], name: str, address_of: Callable[[str], str] = lambda code: "") -> None:
    """Rewrite the links and pictures of a document for its page; each log that it shows leads to “Who is right?”."""
    language = language_of(name)
    to, asked = Addresses(_root(page_of(name)), language), words(language)("Who is right?")
    for token in tokens:
        if token.type == "fence":
            opened = dict.fromkeys(_argument(log, to) for log in _logs_in(token.content))
            token.meta["logs"] = [(address, asked) for address in opened if address]
        left: list[bool] = []
        parts: list[Token] = []
        for part in token.children or ():
            if part.type == "link_open":
                address = _address(str(part.attrGet("href")), name)
                left.append(not address)
                if address:
                    part.attrSet("href", address)
                else:
                    part.tag, part.attrs = "span", {}
            elif part.type == "link_close" and left.pop():
                part.tag = "span"
            elif part.type == "image":
                part.attrSet("src", _picture(str(part.attrGet("src")), name))
            named = address_of(part.content) if part.type == "code_inline" and not left else ""
            parts += _linked([part], named) if named else [part]
        if token.children:
            token.children = parts


def _address(link: str, name: str) -> str:
    """The address in the site of a link in a document; empty if it is no page of it."""
    if "://" in link:
        return link
    path, _, place = link.partition("#")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if target not in files() and target not in folders():
        return ""
    return ("" if target == name else _between(page_of(name), page_of(target))) + (f"#{place}" if place else "")


def _between(page: str, other: str) -> str:
    return posixpath.relpath(other, posixpath.dirname(page))


def _picture(link: str, name: str) -> str:
    """A picture of the documentation as a data address; empty for any other."""
    root = shipped.folder("docs").resolve()
    path = (root / posixpath.dirname(name) / link).resolve()
    if not path.is_relative_to(root) or path.suffix not in _PICTURES or not path.is_file():
        return ""
    return f"data:{_PICTURES[path.suffix]};base64,{base64.b64encode(path.read_bytes()).decode()}"


def searched() -> Iterator[tuple[str, str, str]]:
    """The search entries of the documents: heading, section text, and the address from the home page."""
    for name in files():
        if name.endswith(".md") and language_of(name) == ENGLISH:
            for heading in headings(name):
                yield heading.text, heading.told, f"{page_of(name)}#{heading.place}"


# ---- Logs: source, narrative and replay ----------------------------------------------------------


@cache
def log_in(name: str, language: str = ENGLISH) -> Log | None:
    """Return the log in a file below ``docs``, with names usual in the language; None if there is none."""
    if not name.endswith(".yaml"):
        return None
    try:
        return read(renamed(_read(name), language))
    except TrucoError:  # a file of another kind
        return None


def variant_of(name: str) -> str:
    """Return the variant of the log in this file; empty if there is none."""
    log = log_in(name)
    return log.variant if log else ""


def log(name: str, language: str = ENGLISH) -> str:
    """The page of a log, in a language. What is remarked in the file is not translated."""
    held = log_in(name, language)
    assert held is not None
    page, text = page_of(name, language), _read(name)
    told = _comments(text)
    beside = name.removesuffix(".yaml") + ".md"
    answer = _between(page, page_of(beside, language)) if name.startswith(ARGUMENTS) and beside in files() else ""
    with speaking(speech(language)):
        graph = graph_of(held)
        game = spoken().rules(graph.title)
        made = framed(
            "log",
            _root(page),
            "" if answer else SCRIPT,
            styles=() if answer else HAND,
            language=language,
            here=in_each(lambda code: _between(page, page_of(name, code))),
            title=say(told.pop(0)) if told and told[0].endswith("?") else f"{game}: {', '.join(held.players)}",
            file=posixpath.basename(name),
            game=game,
            variant=held.variant if held.variant in subject_names() else "",
            about=told if language == ENGLISH else (),
            text=text if language == ENGLISH else write_line(held),
            answer=answer,
            contents=contents(name) if language == ENGLISH else (),
            hand=None if answer else hand_of(held, graph),
            elsewise="" if answer else _argument(held, Addresses(_root(page), language)),
            narrative=_narrative(held),
        )
    return _sourced(made, Addresses(_root(page), language))


def _logs_in(code: str) -> Iterator[Log]:
    """The logs that code shows: each in one line, or a file of its own."""
    for found in _LINE.finditer(code):
        with contextlib.suppress(TrucoError):  # a line of another kind
            yield read_line(" ".join((found["quoted"] or found["whole"]).split()))
    if code.startswith("truco: "):
        with contextlib.suppress(TrucoError):  # a part of a file
            yield read(code)


# ---- Arguments: a log on the board, and the document that answers it --------------------------------


def _argument(log: Log, to: Addresses) -> str:
    """Return the address at which “Who is right?” opens the log for other moves; empty if it cannot."""
    if not is_installed() or log.variant not in subject_names() or log.position or log.start:
        return ""
    return f"{to.who()}#{fragment_of(write_line(log))}"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared argument: its question, its game, its page, and where “Who is right?” opens it; empty if it cannot."""

    question: str
    variant: str
    page: str
    opened: str


def arguments(to: Addresses) -> list[Prepared]:
    """Return the disputed logs, in the order of the documents: those whose first comment asks something."""
    held = ((name, log_in(name, to.language), _comments(_read(name))) for name in files() if name.startswith(ARGUMENTS))
    return [
        Prepared(told[0], log.variant, page_of(beside, to.language), _argument(log, to))
        for name, log, told in held
        if log and told and told[0].endswith("?") and (beside := name.removesuffix(".yaml") + ".md") in files()
    ]


def _argued(name: str, tokens: list[Token], language: str) -> dict[str, Any]:
    """The values of the page of an argument: its log on the board in the place of the list of its moves; the games and
    the options in the answer lead to the same log under them.
    """
    argued = f"{in_language(name, ENGLISH).removesuffix('.md')}.yaml"
    log = put_to(argued, language)
    assert log is not None
    to = Addresses(_root(page_of(name)), language)
    _link_moves(tokens, log)
    _link_subjects(tokens, argued, log, to)
    kinds = [token.type for token in tokens]
    begin, end = kinds.index("ordered_list_open"), kinds.index("ordered_list_close")
    return {
        "before": _rendered(tokens[:begin]),
        "hand": hand_of(log, graph_of(log)),
        "elsewise": _argument(log, to),
        "variant": log.variant,
        "body": _rendered(tokens[end + 1 :]),
        "argument": _between(page_of(name), page_of(argued, language)),
    }


@cache
def put_to(argued: str, language: str, variant: str = "") -> Log | None:
    """Return the log in this file, transposed to a game (by default its own) as a dispute does: with cards for unknown
    ones. None if it cannot be played there.
    """
    log = log_in(argued, language)
    assert log is not None
    agreement = Agreement(variant) if variant not in ("", log.variant) else Agreement(log.variant, log.options)
    try:
        put = transpose(log, graph_of(log), rules_of(agreement, len(log.players))).log
    except TrucoError:
        return None
    if UNKNOWN in write_line(put):
        tried, _ = try_all(log, graph_of(log), [agreement])
        return tried[0].playthrough.transposed.log if tried else None
    return put


def _sourced(page: str, to: Addresses) -> str:
    """Call a cited clause by its source, and lead to it; a decision, which follows, is ours."""

    def led(cite: re.Match[str]) -> str:
        source, clause = cite["source"], cite["clause"]
        if source == DECIDED:
            return words(to.language)("our reading")
        if source not in sources() or not registry(source).known(clause):
            return cite[0]
        return str(_CLAUSE.format(to.clause(source, clause), source))

    return _CITED.sub(led, page)


def _link_moves(tokens: Sequence[Token], log: Log) -> None:
    """Make the headings about a move lead to it on the board."""
    form = re.escape(say("Move {number}, {move}")).replace(r"\{number\}", r"(\d+)").replace(r"\{move\}", ".*")
    for heading, line in itertools.pairwise(tokens):
        if heading.type == "heading_open" and (about := re.fullmatch(form, line.content)):
            line.children = _linked(line.children or [], f"#{log.mode}-{about[1]}")


def _linked(parts: Sequence[Token], address: str) -> list[Token]:
    return [Token("link_open", "a", 1, attrs={"href": address}), *parts, Token("link_close", "a", -1)]


def _link_subjects(tokens: Iterable[Token], argued: str, log: Log, to: Addresses) -> None:
    """Call the games in an answer by their titles, outside of quotations, and lead from them, and from options, to the
    log under them.
    """
    titles = {name: spoken().rules(load(name).title) for name in subject_names()}
    parted = re.compile(f"([“”]|{_named(titles)})")
    game = log.variant
    for line in tokens:
        if line.type != "inline" or line.content.startswith(spoken().rules(load(log.variant).title)):
            continue
        agreed = _options_in(line, game)
        quoted, first, found = 0, "", list[Token]()
        for part in line.children or ():
            if part.type == "code_inline" and agreed:
                found += _opening([part], put_to(argued, to.language, game), to, agreed)
                continue
            for text in parted.split(part.content) if part.type == "text" else ():
                quoted += {"“": 1, "”": -1}.get(text, 0)
                named = not quoted and text in titles
                first = first or (text if named else "")
                said = Token("text", "", 0, content=titles[text] if named else text)
                found += _opening([said], put_to(argued, to.language, text), to) if named else [said]
            if part.type != "text":
                found.append(part)
        line.children = found
        game = first or game


def _named(names: Iterable[str]) -> str:
    """A pattern for the names of games in a sentence."""
    longest = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return rf"(?<![\w:@.-])(?:{longest})(?![\w-]|\.\w)"


def summary_of(name: str) -> str:
    """The title of an answer, with games called as people do in the language that is spoken: Paulista, argentino."""
    titles = {each: spoken().rules(load(each).title).removeprefix("Truco ") for each in subject_names()}
    return re.sub(_named(titles), lambda found: titles[found[0]], title_of(name))


def _opening(
    parts: Sequence[Token], log: Log | None, to: Addresses, agreed: tuple[tuple[str, str], ...] = ()
) -> Sequence[Token]:
    """These parts, leading to a log in “Who is right?”, with further options, if it can be opened there."""
    opened = _argument(replace(log, options=frozen({**log.options, **dict(agreed)})), to) if log else ""
    return _linked(parts, opened) if opened else parts


def _options_in(line: Token, game: str) -> tuple[tuple[str, str], ...]:
    """The options of a game with their first values, as an answer names them: ```tied-hand dealer or mano```."""
    codes = [part.content.split() for part in line.children or () if part.type == "code_inline"]
    known = load_open(game).options
    return tuple((name, value) for name, value, *_ in (c for c in codes if c[1:]) if name in known)


def _comments(text: str) -> list[str]:
    """The paragraphs of the comment that a log begins with."""
    lines = itertools.takewhile(lambda line: line.startswith("#"), text.splitlines())
    parts = itertools.groupby((line[1:].strip() for line in lines), bool)
    return [" ".join(part) for there, part in parts if there]


def _narrative(log: Log) -> str:
    try:
        return text_of(document_of(narrative_of(Replay(log))), 110)
    except TrucoError:  # a refused move: the replay says why
        return ""


# ---- Colours: texts of rules have them from the TextMate grammar, examples from Pygments ------------


def highlighted(text: str) -> Markup:
    """A text of rules as HTML: comments, sentences, citations, numbers and keywords in elements of these classes."""
    return _marked((kind if kind in _COLOURED else "", word) for kind, word in parts(text))


def highlighted_as(language: str, text: str) -> Markup:
    """A text in a language that Pygments knows, the rules (``truco``) among them, as HTML with the same classes; any
    other as it is.
    """
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Comment, Keyword, Name, Number, String
    from pygments.util import ClassNotFound

    kinds = {Comment: "comment", String: "string", Name.Decorator: "entity", Number: "constant", Keyword: "keyword"}
    kinds[Name.Tag] = "keyword"  # the keys of YAML and JSON
    if language in ("sh", "console"):
        del kinds[Number]  # a digit of a version, a log or a name
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return Markup.escape(text)
    return _marked(
        (next((kinds[of] for of in reversed(token.split()) if of in kinds), ""), word)
        for token, word in lexer.get_tokens(text)
    )


def _marked(words: Iterable[tuple[str, str]]) -> Markup:
    """Return the words in elements of their kinds; plain ones unchanged."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(kind, word) if kind else word for kind, word in words
    )


def parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text with the kind of each, the first word of its scope; empty between words."""
    at = 0
    while at < len(text):
        found = next(((kind, m[0]) for kind, pattern in _patterns() if (m := pattern.match(text, at))), ("", text[at]))
        yield found
        at += len(found[1])


_COLOURED = frozenset(("comment", "string", "entity", "constant", "keyword"))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    path = shipped.folder("grammar") / "truco.tmLanguage.json"
    entries = json.loads(path.read_text(encoding="utf-8"))["patterns"]
    return tuple((entry["name"].partition(".")[0], re.compile(entry["match"])) for entry in entries)
