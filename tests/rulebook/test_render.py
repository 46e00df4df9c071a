"""Books as HTML and Markdown: whole, harmless, with examples that were played."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from truco_spec.base.words import Words
from truco_spec.books.finding import WrongExample
from truco_spec.books.render import BROWSERS, html_of, markdown_of
from truco_spec.books.whole import ALL, NONE, SOME, whole_of, with_examples
from truco_spec.cli import main
from truco_spec.graph.load import load, load_file


@pytest.mark.long
@pytest.mark.parametrize("variant", ["paulista", "argentino"])
def test_a_page_is_one_file_whose_links_lead_somewhere(variant: str) -> None:
    made = html_of(whole_of(load(variant), Words()), Words())
    ids = re.findall(r' id="([^"]+)"', made)
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in re.findall(r'href="([^"]+)"', made)} <= set(ids)
    assert "&#39;none&#39;" in made
    assert len(made) < 500_000
    assert made.count("<h2>") > 8


def test_in_print_the_sources_of_a_rule_are_numbers_of_one_list() -> None:
    made = html_of(whole_of(load("gamelog"), Words(), examples={}), Words(), printed="9.8.7, 2026-01-02")
    notes = re.findall(r"<span>(\d+) (\S+) \S+</span>", made)
    assert [int(number) for number, _ in notes] == list(range(1, len(notes) + 1))
    marks = " ".join(re.findall(r'<sup class="printed">([^<]*)</sup>', made))
    assert max(map(int, re.findall(r"\d+", marks))) == len(notes)
    assert "Edition 9.8.7, 2026-01-02" in made
    assert "Edition" not in html_of(whole_of(load("gamelog"), Words(), examples={}), Words())


def test_a_book_is_within_its_landmarks_and_each_chapter_leads_on() -> None:
    whole = whole_of(load("gamelog"), Words(), examples={})
    made = html_of(whole, Words())
    assert made.index("</header>") < made.index("<main>") < made.index('id="first"')
    assert made.index('id="sources"') < made.index("</main>") < made.index("<footer")
    assert made.count('class="turn soft"') == len(whole.book.sections) + 3


@pytest.mark.long
def test_every_example_is_a_case_that_was_played_and_none_is_told_twice() -> None:
    whole = whole_of(load("paulista"), Words())
    assert len(whole.examples) > 30
    cases = [example.case for example in whole.examples.values()]
    assert len(cases) == len(set(cases))


@pytest.mark.long
def test_some_examples_are_the_first_of_each_chapter_and_the_others_are_folded() -> None:
    whole = whole_of(load("paulista"), Words())
    some = with_examples(whole, SOME).examples
    assert 5 < len(some) <= len(whole.book.sections)
    assert html_of(whole, Words()).count('<details class="example" open>') == len(some)
    assert html_of(whole, Words()).count('<details class="example">') == len(whole.examples) - len(some)
    assert '<details class="example">' not in html_of(whole, Words(), examples=ALL)
    assert "**Example" not in markdown_of(with_examples(whole, NONE), Words())


@pytest.mark.long
def test_an_example_that_does_not_hold_is_an_error_and_no_page() -> None:
    """The game as it is not: that another leads after a tie is not said to have been agreed."""
    with pytest.raises(WrongExample, match="example of paulista is fail"):
        whole_of(load("paulista", tie_lead="last"), Words())


@pytest.mark.long
def test_a_value_that_changes_in_a_copy_of_a_spec_changes_the_table_and_the_example(tmp_path: Path) -> None:
    """Vale 6 proposes 7. That “the raises add three” is the title of the case no more."""
    spec = tmp_path / "copy.truco"
    own = (Path(__file__).parents[2] / "spec" / "variants" / "mineiro.truco").read_text(encoding="utf-8")
    spec.write_text(own.replace("vale-6 6,", "vale-6 7,"), encoding="utf-8")
    whole = whole_of(load_file(spec), Words())
    assert ("vale 9", "9", "7") in [row for tables in whole.tables.values() for table in tables for row in table.rows]
    anew = [example for example in whole.examples.values() if not example.title]
    shown = [pair for example in anew for step in example.steps for pair in step.then]
    assert ("proposal", "7") in shown or ("stake", "7") in shown
    assert f"> **Example** (`{anew[0].case}`). " in markdown_of(whole, Words())
    assert re.search(rf'…</summary>\n<p class="soft">[^<]+ <code>{anew[0].case}</code></p>', html_of(whole, Words()))


@pytest.mark.long
def test_what_a_house_does_not_permit_is_no_example_of_it(tmp_path: Path) -> None:
    """Who covers no card has no example in which one is covered, but before an umpire, who punishes it."""
    spec = tmp_path / "house.truco"
    spec.write_text(
        'variant house extends paulista {\n  title "Ours"\n  set covering never @pagat:option.variant\n}\n', "utf-8"
    )
    examples = whole_of(load_file(spec), Words()).examples.values()
    assert len(examples) > 30
    strict = [each for each in examples if not each.umpire]
    assert not any(step.moves.endswith(")") for each in strict for step in each.steps if not step.verdict)


@pytest.mark.long
def test_a_house_has_examples_with_other_numbers_of_players_where_it_can_be_loaded_so(tmp_path: Path) -> None:
    spec = tmp_path / "house.truco"
    spec.write_text('variant house extends argentino {\n  title "Ours"\n}\n', encoding="utf-8")
    graph = load_file(spec)
    four = whole_of(graph, Words()).examples.values()
    all_ = whole_of(graph, Words(), seated=lambda players: load_file(spec, players=players)).examples.values()
    assert {len(each.called) for each in four} == {4}
    assert {len(each.called) for each in all_} >= {2, 4}


@pytest.mark.long
def test_under_other_options_a_case_that_no_longer_holds_is_no_example() -> None:
    options = {"tie-lead": "last"}
    whole = whole_of(load("paulista", **options), Words(), options)
    assert "pagat-paulista-truco-07" not in {example.case for example in whole.examples.values()}
    assert len(whole.examples) > 20


@pytest.mark.long
def test_what_is_agreed_changes_the_sentence_and_the_examples() -> None:
    """A falta envido is worth what the loser lacks, or what the leader lacks."""
    shown = []
    for basis in ("loser", "leader"):
        options = {"falta-basis": basis}
        whole = whole_of(load("argentino", **options), Words(), options)
        told = {entry.name: entry.sentence for section in whole.book.sections for entry in section.entries}
        assert told["falta-measure"].endswith(f"the {basis} still lacks.")
        example = whole.examples["falta-worth"]
        shown.append({name: each.case for name, each in whole.examples.items()})
        assert f"{example.dealer} deals; {example.score}" in markdown_of(whole, Words())
    assert shown[0]["falta-worth"] != shown[1]["falta-worth"]


@pytest.mark.long
def test_seats_are_called_by_the_names_of_the_players() -> None:
    examples = whole_of(load("mineiro"), Words()).examples.values()
    example = next(example for example in examples if "P1" in example.called and re.search(r"P\d", example.title))
    assert not re.search(r"P\d", example.named(example.title))
    assert "P2" not in markdown_of(whole_of(load("mineiro"), Words()), Words())


@pytest.mark.long
def test_cards_in_a_text_have_the_signs_of_their_suits() -> None:
    made = markdown_of(whole_of(load("paulista"), Words()), Words())
    assert "Bia 3♣, Caio 2♥, Davi K♠" in made
    assert "On the cards:" not in made
    assert "E swords" in markdown_of(whole_of(load("argentino"), Words()), Words())


@pytest.mark.long
def test_text_of_a_spec_never_becomes_markup(tmp_path: Path) -> None:
    spec = tmp_path / "house.truco"
    spec.write_text('variant house extends paulista {\n  title "<b>*Ours*</b>"\n}\n', encoding="utf-8")
    whole = whole_of(load_file(str(spec)), Words())
    assert "<b>*Ours*" not in html_of(whole, Words())
    assert r"# &lt;b\>\*Ours\*&lt;/b\>" in markdown_of(whole, Words())


@pytest.mark.long
def test_a_sentence_that_a_catalog_lacks_is_english_and_counted() -> None:
    words = Words("pt", {"The play of the cards": "O jogo das cartas"})
    made = markdown_of(whole_of(load("argentino"), words), words)
    assert "O jogo das cartas" in made
    assert "On your turn play a card you hold" in made
    assert "On your turn play a card you hold: there is no suit to follow and nothing to beat." in words.missing


@pytest.mark.long
def test_the_verb_writes_books_and_refuses_what_is_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "book.md"
    with pytest.raises(SystemExit) as end:
        main(["rulebook", "paulista", "tie-lead=last", "--format", "md", "-o", str(target)])
    assert end.value.code == 0
    assert "`tie-lead last`" in target.read_text(encoding="utf-8")
    for wrong, told in (
        (["nowhere"], "nowhere"),
        (["paulista", "tie-leed=last"], "tie-lead"),
        (["paulista", "--lang", "fr"], "'en', 'pt', 'es'"),
    ):
        with pytest.raises(SystemExit) as end:
            main(["rulebook", *wrong])
        printed = capsys.readouterr()
        assert end.value.code == 2
        assert told in printed.err
        assert printed.out == ""


@pytest.mark.long
def test_without_a_browser_a_pdf_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(SystemExit) as end:
        main(["rulebook", "paulista", "--format", "pdf"])
    printed = capsys.readouterr()
    assert end.value.code == 2
    assert "Chromium" in printed.err
    assert printed.out == ""


def test_a_printed_page_has_its_title_on_top_whatever_is_in_it() -> None:
    graph = replace(load("gaucho"), title='A"; } body { display: none } </style>')
    text = html_of(whole_of(graph, Words(), examples={}), Words())
    assert r'@top-center { content: "A\22 \3b  \7d  body \7b  display\3a  none \7d  \3c \2f style\3e "' in text
    assert "</style>" not in text[text.index("@top-center") : text.index(":first { @top-center")]


@pytest.mark.long
@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
@pytest.mark.parametrize(("size", "width"), [("a4", "594"), ("letter", "612")])
def test_a_book_is_printed_with_an_outline(size: str, width: str, tmp_path: Path) -> None:
    target = tmp_path / "book.pdf"
    with pytest.raises(SystemExit) as end:
        main(["rulebook", "mineiro", "--format", "pdf", "--size", size, "-o", str(target)])
    assert end.value.code == 0
    made = target.read_bytes()
    assert made.startswith(b"%PDF-")
    assert len(made) > 100_000
    assert set(re.findall(rb"/MediaBox \[0 0 (\d+)", made)) == {width.encode()}
    assert b"/Outlines" in made


@pytest.mark.long
@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
@pytest.mark.parametrize(("variant", "language"), [("argentino", "es"), ("uruguayo", "en"), ("venezolano-369", "es")])
def test_a_poster_is_the_first_page_alone(variant: str, language: str, tmp_path: Path) -> None:
    target = tmp_path / "afiche.pdf"
    with pytest.raises(SystemExit) as end:
        main(["rulebook", variant, "--lang", language, "--size", "a3", "-o", str(target)])
    assert end.value.code == 0
    assert re.findall(rb"/MediaBox \[0 0 (\d+)", target.read_bytes()) == [b"841"]


@pytest.mark.long
@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="no Chromium is installed")
def test_the_book_of_paulista_is_a_booklet_of_sixteen_pages_at_most(tmp_path: Path) -> None:
    target = tmp_path / "livro.pdf"
    with pytest.raises(SystemExit) as end:
        main(["rulebook", "paulista", "--lang", "pt", "-o", str(target)])
    assert end.value.code == 0
    assert 8 < len(re.findall(rb"/MediaBox", target.read_bytes())) <= 16


@pytest.mark.long
def test_the_ending_of_the_file_tells_the_form(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        main(["rulebook", "gaucho", "-o", str(tmp_path / "book.md")])
    assert end.value.code == 0
    assert (tmp_path / "book.md").read_text(encoding="utf-8").startswith("# Truco")
