"""The page of a log: whole without its script, one file, harmless, and as one seat sees it in a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.books.site.page_frame import Embedded
from truco_spec.cli import main
from truco_spec.logs.files import read
from truco_spec.logs.line import read_line
from truco_spec.logs.setup import graph_of
from truco_spec.pages.board import page_of
from truco_spec.pages.moments import seats_around, track_of

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "docs" / "logs").glob("*.yaml"))
LINE = "paulista | ana bia caio davi | dealer davi | deal ana 4D KH 3S, vira 7D | ana 4D, bia truco, caio corro"
HOSTILE = "<script>alert(1)</script><img/src=x/onerror=alert(2)>"  # one word, as a player is called


def made(text: str) -> str:
    log = read_line(text)
    return page_of(log, graph_of(log))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_shipped_log_becomes_a_page_of_one_file(path: Path) -> None:
    log = read(path.read_text(encoding="utf-8"), path.name)
    page = page_of(log, graph_of(log))
    moves = sum(len(hand.moves) for hand in log.hands)
    assert len(re.findall(r"<h2 class=\"done\"><span class=\"soft\">\d+\.", page)) >= moves
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "default-src &#39;none&#39;" in page
    assert len(page) < 500_000


def test_where_referees_part_the_page_holds_both() -> None:
    log = read((ROOT / "docs/logs/umpire.yaml").read_text(encoding="utf-8"), "umpire.yaml")
    page = page_of(log, graph_of(log))
    assert re.findall(r'<section class="track" data-mode="(\w+)"', page) == ["umpire", "strict"]
    assert "Before an umpire" in page
    assert "Before a strict referee" in page
    assert 'name="mode"' in page
    assert 'name="mode"' not in made(LINE)


def test_the_verb_writes_the_page_or_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "hand.html"
    with pytest.raises(SystemExit) as end:
        main(["replay", LINE, "-o", str(target)])
    assert end.value.code == 0
    with pytest.raises(SystemExit):
        main(["replay", LINE])
    assert capsys.readouterr().out == target.read_text(encoding="utf-8")


@pytest.mark.parametrize("wrong", [["nowhere.yaml"], [LINE, "-o", "/nowhere/at/all.html"], ["paulista | ana | x"]])
def test_bad_input_is_one_message(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["replay", *wrong])
    told = capsys.readouterr()
    assert end.value.code == 2
    assert told.out == ""
    assert "error" in told.err.lower()
    assert "Traceback" not in told.err


def test_a_log_never_becomes_markup() -> None:
    log = replace(read_line(LINE), players=("<b>ana</b>", "bia", "caio", HOSTILE), hands=(), dealer="")
    page = page_of(log, graph_of(log))
    assert page.count("<script>") == 1
    assert "<img" not in page
    assert "<b>" not in page
    assert "&lt;b&gt;ana&lt;/b&gt;" in page


def test_a_replay_in_a_page_never_becomes_markup() -> None:
    log = replace(read_line(LINE), players=("<b>ana</b>", "bia", "caio'\"&", HOSTILE), hands=(), dealer="")
    graph = graph_of(log)
    data = Embedded().replay(log.players, graph, track_of(log, graph, why=False).moments)
    assert not set("<>'") & set(data)
    assert json.loads(data)["players"] == list(log.players)


def test_cards_that_the_log_does_not_tell_are_unknown() -> None:
    page = made("paulista | ana bia | dealer bia | deal vira 7D | ana 4C, bia 5S")
    faces = set(re.findall(r'data-face="(\w+)"', page))
    assert faces == {"4C", "5S", "7D", "unknown"}
    assert 'aria-label="a card that the log does not tell"' in page


def test_signs_are_drawn() -> None:
    assert not set("⏮⏭▶◀⏸") & set(made(LINE))


@pytest.mark.parametrize("players", range(2, 9))
def test_every_seat_has_a_place_of_its_own_at_the_table(players: int) -> None:
    style = (ROOT / "truco_spec/pages/board.css").read_text(encoding="utf-8")
    areas = {
        hour: area
        for names, area in re.findall(r"((?:\.at-\d+(?:, )?)+) \{ grid-area: (\w+); \}", style)
        for hour in re.findall(r"\d+", names)
    }
    taken = [areas[str(hour)] for hour in seats_around(players)]
    assert len(set(taken)) == players
    assert taken[0] == "s2"  # at the bottom


@pytest.mark.parametrize(("language", "told"), [("pt", "Não vale"), ("es", "No vale")])
def test_a_page_in_another_language_has_no_english_words(language: str, told: str) -> None:
    log = read_line(f"{LINE}, davi doze")
    with speaking(spoken_in(language)):
        page = page_of(log, graph_of(log))
    assert f'<html lang="{language}">' in page
    assert told in page
    own = re.sub(r"(?s)<(style|script|code)>.*?</\1>", "", page)
    text = " ".join((re.sub(r"<[^>]*>", " ", own), *re.findall(r'(?:aria-label|title|data-\w+)="([^"]*)"', own)))
    english = {"the", "of", "is", "and", "hand", "trick", "score", "permitted", "move", "moves", "by", "to", "card"}
    assert english & set(re.findall(r"[a-z]+", text.lower())) == set()
