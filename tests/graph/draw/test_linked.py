"""A linked variant as one text: it links to what it was made of, and tells where each statement comes from."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.graph.link import blocks_of, link, linked
from truco_spec.graph.load import load, load_text
from truco_spec.language.read import read
from truco_spec.pages.rules_text import linked_text

ROOT = Path(__file__).parents[3]
BASE = """\
variant base {
  title "Base"
  option pot : small* | large @house:pot  # what is laid
  datum laid : 0 .. 9 = 0
  order rank : 1 < 2 @house:rank
  define rich @house:poor
    # a note of the base
    "Small." = no
  define lavish except rich @house:rich "Large." when pot is large = yes
}
"""
HOUSE = """\
variant house extends base {
  title "House"
  set pot large @house:much
  also laid @house:laid
  also rich @house:more
  replace order rank : 1 < 2 < 3 @house:three
  drop lavish @house:gone
}
"""


def shown(*texts, **options):
    files = [read(text, f"{number}.truco") for number, text in enumerate(texts)]
    return linked_text(link(blocks_of(files[-1].variants[-1].name, files)), options)


def meant(chain):
    """What a chain says, without who says it."""
    items = {name: replace(item.statement, mode="") for name, item in chain.items.items()}
    return list(items.items()), *({key: said for key, (said, _) in of.items()} for of in (chain.sets, chain.parts))


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate((BASE, HOUSE)):
        Path(f"{number}.truco").write_text(text)


@pytest.mark.sample(1, long=5)
@pytest.mark.parametrize("name", variant_names())
def test_a_shipped_variant_links_to_the_same_statements(name):
    text = linked_text(linked(name), {})
    assert meant(link(blocks_of(name, [read(text)]))) == meant(linked(name))
    assert text.count("extends") == 0


@pytest.mark.sample(1, long=5)
@pytest.mark.parametrize("name", variant_names())
def test_every_place_is_where_the_statement_begins(name):
    lines = linked_text(linked(name), {}).splitlines()
    told = [(line.split()[1].rstrip(","), below) for line, below in pairwise(lines) if line.startswith("  # spec/")]
    assert len(told) == len(linked(name).items) + len(linked(name).sets) + len(linked(name).parts)
    for place, below in told:
        file, _, number = place.partition(":")
        there = (ROOT / file).read_text(encoding="utf-8").splitlines()[int(number) - 1]
        written = "also " * file.startswith("spec/concordance/") + there
        assert written.split()[written.split()[0] == "replace" :][:2] == below.split()[:2]


def test_what_a_variant_changes_is_applied_and_comments_stay(files):
    assert (
        shown(BASE, HOUSE)
        == """\
# house <- base: all statements in one text.

variant house {
  title "House"

  # 0.truco:3
  option pot : small* | large                             @house:pot

  # 1.truco:3
  set pot large                                           @house:much

  # 0.truco:4, 1.truco:4
  datum laid : 0 .. 9 = 0
  also laid                                               @house:laid

  # 1.truco:6
  order rank : 1 < 2 < 3                                  @house:three

  # 0.truco:6, 1.truco:5
  define rich @house:poor @house:more
    # a note of the base
    "Small."
    = no
}
"""
    )


def test_under_options_their_stars_stand_and_what_they_rule_out_is_marked(files):
    lines = shown(BASE, pot="small").splitlines()
    assert "# Options: pot=small." in lines
    assert "  # 0.truco:9; ruled out by these options" in lines
    assert "  # 0.truco:6" in lines
    assert any("small | large*" in line for line in shown(BASE, HOUSE, pot="large").splitlines())


@pytest.mark.sample(1)
@pytest.mark.parametrize(("trump", "other"), [("velha", "nova"), ("nova", "velha")])
def test_the_trump_that_is_not_played_is_marked(trump, other):
    manilhas = {"velha": "fixed", "nova": "vira"}[trump]
    lines = linked_text(linked("mineiro"), {"manilhas": manilhas}).splitlines()
    above = {line.split()[1]: before for before, line in pairwise(lines) if "  trump " in line}
    assert [name for name, line in above.items() if line.endswith("ruled out by these options")] == [other]


@pytest.mark.long
def test_a_text_under_options_plays_by_them():
    options = {"deck": "clean", "manilhas": "fixed", "covering": "any"}
    graph, whole = load("mineiro", **options), load_text(linked_text(linked("mineiro"), options))
    assert {o.name: o.value for o in whole.options.values()} == {o.name: o.value for o in graph.options.values()}
    assert [*whole.rules] == [*graph.rules]
    assert [name for name, _ in whole.vanished] == [name for name, _ in graph.vanished]
