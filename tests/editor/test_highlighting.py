"""Highlighting tells of every shipped text what the grammar does: TextMate's patterns, and the lexer for Pygments."""

from __future__ import annotations

import json
import re

import pytest
from pygments import lex
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, Number, String
from talk import ROOT

from truco_spec.books.site.documents import highlighted, highlighted_as, parts
from truco_spec.editor.pygments_lexer import RulesLexer
from truco_spec.editor.texts import Text, read_text
from truco_spec.graph.link import known_texts, texts_of
from truco_spec.language.grammar import grammar
from truco_spec.language.read import read

PATTERNS = json.loads((ROOT / "grammar" / "truco.tmLanguage.json").read_text(encoding="utf-8"))["patterns"]
PATHS = sorted({path for name in known_texts() for path in texts_of(name)})
KINDS = {"COMMENT": "comment", "STRING": "string", "CITE": "citation", "INT": "number", "NAME": "name"}


def wanted(path):
    """What the parser says each word is: comment, string, citation, number, name or keyword; at its offset."""
    reading = read_text(Text(path.read_text(encoding="utf-8")), str(path))
    found = {}
    for token in (*reading.parsed.tokens.tokens, *reading.parsed.tokens.comments):
        word = token.value.partition(" ")[0] if token.value == "must not" else token.value
        kind = KINDS.get(token.type) or ("keyword" if word in grammar().words else "")
        if kind and token.value:
            found[token.start_pos] = (kind, word)
    return found


def by_textmate(text):
    """What the patterns of TextMate say, as the site uses them, at its offset."""
    kinds = {"comment": "comment", "string": "string", "entity": "citation", "constant": "number", "variable": "name"}
    at = 0
    for kind, word in parts(text):
        assert kind or word.isspace(), word
        if kind and kind != "punctuation":
            yield at, (kinds.get(kind, "keyword"), word)
        at += len(word)


def by_pygments(text):
    """What Pygments says, at its offset; a sentence is one word."""
    kinds = ((Comment, "comment"), (String, "string"), (Name.Decorator, "citation"), (Number, "number"))
    at, begun, sentence = 0, 0, ""
    for token, value in lex(text, RulesLexer(stripnl=False, ensurenl=False)):
        assert token is not Error, value
        kind = next((name for of, name in kinds if token in of), "keyword" if token in Keyword else "name")
        if sentence or kind == "string":
            begun, sentence = (begun if sentence else at), sentence + value
            if value.endswith('"') and len(sentence) > 1:
                yield begun, ("string", sentence)
                sentence = ""
        elif token in Name or kind != "name":
            yield at, (kind, value)
        at += len(value)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.sample(3)
def test_every_word_is_what_the_grammar_says(path):
    text, right = path.read_text(encoding="utf-8"), wanted(path)
    for found in (dict(by_textmate(text)), dict(by_pygments(text))):
        for at, (kind, word) in right.items():
            told, seen = found[at]
            assert seen.partition(" ")[0] == word.partition(" ")[0]
            assert told == kind or (kind == "name" and told == "keyword" and word in grammar().words)


def test_a_page_has_the_words_in_colours_and_the_text_as_it_was():
    page = str(highlighted('set a # "<i>"\n'))
    assert page == '<span class="keyword">set</span> a <span class="comment"># &#34;&lt;i&gt;&#34;</span>\n'


def test_pygments_finds_the_lexer():
    assert isinstance(get_lexer_by_name("truco"), RulesLexer)
    assert isinstance(get_lexer_for_filename("house.truco"), RulesLexer)


def test_the_keywords_are_those_of_the_grammar():
    listed = [entry["match"] for entry in PATTERNS if entry["name"].startswith("keyword") and "(?:" in entry["match"]]
    found = [word for match in listed for word in match[match.index("(?:") + 3 : match.index(")(?!")].split("|")]
    assert sorted(found) == sorted(grammar().words)


def test_neovim_has_the_same_keywords():
    recipe = (ROOT / "editors/neovim/truco.lua").read_text(encoding="utf-8")
    listed = "".join(re.findall('"([^"]*)"', recipe[recipe.index("M.words") :].partition("\n\n")[0])).split()
    assert listed == sorted({part for word in grammar().words for part in word.split()})


SNIPPETS = json.loads((ROOT / "editors" / "vscode" / "snippets.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SNIPPETS)
def test_a_snippet_as_it_is_put_in_can_be_read(name):
    body = SNIPPETS[name]["body"]
    text = body if isinstance(body, str) else "\n".join(body)
    filled = re.sub(r"\$\{\d+[:|]([^,|}]*)[^}]*\}|\$\d", r"\1", text)
    read(filled if name == "variant" else f'variant house extends paulista {{ title "House"\n{filled}\n}}')


def test_an_example_in_a_document_has_the_classes_of_texts_of_rules():
    rules = str(highlighted_as("truco", 'set a @x:b # "<i>"\n'))
    assert '<span class="comment"># &#34;&lt;i&gt;&#34;</span>' in rules
    assert '<span class="entity">@x:b</span>' in rules
    assert highlighted_as("yaml", "a: 1\n").startswith('<span class="keyword">a</span>')
    assert highlighted_as("no-language", "<b>") == "&lt;b&gt;"
    assert highlighted_as("sh", "pip install gat-games==0.0.2\n") == "pip install gat-games==0.0.2\n"
