"""Every example in docs/language.md is what it says: it reads, links, plays, lowers, or is refused in these words."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from fenced import Block, blocks

from truco_spec.engine import Game
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.load import load_text
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import parse, read
from truco_spec.language.shape import KINDS

DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE = (DOCS / "language.md").read_text(encoding="utf-8")
BLOCKS = blocks(PAGE)


def of(about: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == "truco" and block.about.split()[0] == about]


def named(block: Block) -> str:
    return f"line {block.line}"


def behind(block: Block) -> Block:
    """The block that follows."""
    return BLOCKS[BLOCKS.index(block) + 1]


def with_bases(block: Block) -> tuple[str, str]:
    """The text of a block with the variants of the page that it extends, and the name of its variant."""
    variant = parse(block.text).variants[-1]
    bases = [other.text for other in of("play") if parse(other.text).variants[-1].name in variant.extends]
    return "\n".join([block.text, *bases]), variant.name


def test_every_example_says_what_it_is() -> None:
    known = {"play", "statements", "lowers", "core", "wrong", "file"}
    assert {block.about.split()[0] for block in BLOCKS if block.language == "truco"} == known
    assert all(of(about) for about in known)


@pytest.mark.parametrize("block", of("statements"), ids=named)
def test_statements_read(block: Block) -> None:
    assert read(f'variant example {{ title "An example" {block.text} }}').variants[0].items


@pytest.mark.parametrize("block", of("play"), ids=named)
def test_a_whole_game_plays_to_its_end(block: Block) -> None:
    text, name = with_bases(block)
    for seed in range(5):
        rng = random.Random(seed)
        game = Game(load_text(text, name))
        while not game.over:
            game.push(rng.choice(game.legal_actions()))
            assert len(game.history) < 2000
        assert game.phase == "over"


@pytest.mark.parametrize("block", of("lowers"), ids=named)
def test_a_construct_lowers_to_what_stands_below_it(block: Block) -> None:
    (construct,) = parse(f'variant example {{ title "An example" {block.text} }}').variants[0].items
    core = behind(block)
    assert core.about == "core"
    wanted = parse(f'variant example {{ title "An example" {core.text} }}').variants[0].items
    assert LOWERINGS[construct.kind](construct, {}) == wanted


@pytest.mark.parametrize("block", of("wrong"), ids=named)
def test_a_mistake_is_told_in_these_words(block: Block) -> None:
    with pytest.raises(SpecError) as caught:
        load_text(block.text)
    told = [f"{found.message}; {found.hint}" if found.hint else found.message for found in caught.value.diagnostics]
    assert told == behind(block).text.splitlines()


@pytest.mark.parametrize("block", of("file"), ids=named)
def test_a_file_is_shown_as_it_is(block: Block) -> None:
    text = (DOCS / block.about.split()[1]).read_text(encoding="utf-8")
    assert text.endswith(block.text)


def test_the_hand_of_high_card_that_the_page_tells() -> None:
    game = Game(load_text(of("play")[0].text))
    game.push_all("chance draw 5D", "chance draw 7S", "P0 show")
    assert (game.phase, game.value("score", 0), game.value("score", 1)) == ("round", 0, 1)
    game.push_all("chance draw 5D", "chance draw 5S", "P1 show")
    assert game.value("score", 1) == 1
    game.push_all("chance draw 5D", "chance draw 7S", "P1 fold")
    assert game.value("score", 0) == 1


def test_the_four_of_hearts_beats_all() -> None:
    text, name = with_bases(of("play")[1])
    game = Game(load_text(text, name))
    game.push_all("chance draw 4H", "chance draw 7S", "P0 show")
    assert game.value("score", 0) == 1


def test_every_kind_of_statement_is_on_the_page() -> None:
    other = {"option", "order", "table", "decision", "seats", "deck", "trump", "define", "datum"}
    for kind in [*KINDS, *other, "replace", "drop", "set", "also"]:
        assert re.search(rf"`{kind}`", PAGE), kind


def test_the_table_of_clauses_is_that_of_the_reader() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| [^|]+ \| ([^|]*) \|$", PAGE, re.MULTILINE))
    spelt = {"replies": "", "at once": "at once", "fresh": "fresh each", "seen": "seen by", "possible": "possible when"}
    for kind in ("datum", "action", "effect", "rule", "refuse"):
        words = [spelt.get(k, k) for slot in KINDS[kind].clauses for k in slot.kinds]
        words = ["may" if word == "verdict" else word for word in words]
        at = [rows[kind].find(f"`{word}`") for word in words]
        assert -1 not in at and at == sorted(at), f"{kind}: {words}"


def test_fourteen_questions_are_settled() -> None:
    section = PAGE.split("## Questions settled")[1].split("\n## ")[0]
    assert len(re.findall(r"^\d+\. \*\*", section, re.MULTILINE)) == 14
