"""The plan of a book: every statement of every shipped game has its chapter, and nothing in the plan is idle."""

from __future__ import annotations

from pathlib import Path

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import NO_RULES, book_of
from truco_spec.graph.load import load
from truco_spec.graph.model import UNASKED
from truco_spec.graph.plan import heading, plan

GAMES = variant_names()


@pytest.mark.parametrize("variant", GAMES)
def test_every_rule_of_a_shipped_game_has_a_chapter_of_the_plan(variant: str) -> None:
    planned = {chapter.key for chapter in plan().chapters}
    homeless = {
        (name, Path(source.span.file).name, heading(source.span.file, source.span.line))
        for kind, name, source in load(variant).cites
        if kind not in NO_RULES
        and name not in plan().leave
        and not name.startswith(UNASKED)
        and source.prose
        and plan().chapter_of(name, source)[0].key not in planned
    }
    assert not homeless


def test_nothing_that_the_plan_names_is_missing_from_the_specs() -> None:
    statements = {name for variant in GAMES for _, name, _ in load(variant).cites}
    assert set(plan().leave) <= statements
    sources = {(s.span.file, s.span.line) for variant in GAMES for _, _, s in load(variant).cites}
    files = {Path(file).name for file, _ in sources}
    headings = {heading(file, line) for file, line in sources}
    places = {f"{Path(file).name}: {heading(file, line)}" for file, line in sources}
    named = files | headings | places | statements
    assert {place for chapter in plan().chapters for place in chapter.from_} <= named
    assert {place for agreement in plan().agreements for place in agreement.of} <= named


def test_what_rests_on_one_agreement_stands_under_it_after_what_stands_by_itself() -> None:
    sections = book_of(load("paulista"), Words()).sections
    deal = next(section for section in sections if section.key == "deal")
    (alone, _), *titled = deal.agreements
    assert alone == ""
    packets = next(entries for title, entries in titled if title == "Where the mão is dealt packets")
    assert [entry.name for entry in packets][:2] == ["packets-due", "packet-dealt"]
    for section in sections:
        gathered = [entry for title, entries in section.agreements for entry in entries]
        assert sorted(e.name for e in gathered) == sorted(e.name for e in section.otherwise)
        assert all(len(entries) > 1 for title, entries in section.agreements if title)


def test_what_an_english_book_calls_a_value_is_a_value_of_that_option() -> None:
    values: dict[str, set[str]] = {}
    for variant in GAMES:
        for name, option in load(variant).options.items():
            values.setdefault(name, set()).update(value.replace("-", " ") for value in option.values)
    named = plan().values
    assert {(name, value) for name, of in named.items() for value in of} <= {
        (n, v) for n, of in values.items() for v in of
    }
    assert not [(name, value) for name, of in named.items() for value, told in of.items() if told == value]


def test_rules_of_a_house_get_a_chapter_by_their_heading(tmp_path: Path) -> None:
    from truco_spec.graph.load import load_file

    spec = tmp_path / "house.truco"
    spec.write_text(
        'variant house extends paulista {\n  title "Ours"\n\n  # ---- o árbitro e nós ----\n\n'
        '  rule late-shuffle @pagat:mineiro.shuffle-riffle\n    "Who comes late shuffles."\n'
        "    in deal by everyone may shuffle do then cutting\n}\n",
        encoding="utf-8",
    )
    graph = load_file(str(spec))
    (source,) = [source for _, name, source in graph.cites if name == "late-shuffle"]
    chapter, _ = plan().chapter_of("late-shuffle", source)
    assert (chapter.key, chapter.title) == ("o-arbitro-e-nos", "O árbitro e nós")
