"""“Who is right?” on a narrow window in a real browser: an argument entered by taps, its link, and no network."""

from __future__ import annotations

import os
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from browser import Browser, Scheme, in_a_browser, served
from who import ROOT, Hand, go, text

from truco_spec.base import shipped
from truco_spec.cli import main

pytestmark = in_a_browser

THREE_TIES = ["3C", "3D", "4D", "4S", "2C", "2D", "4H", "5S", "KC", "KD", "6D", "6S"]
README_ARGUMENT = (
    "#paulista/Ana+Bia+Caio+Davi/dealer+Ana/score+Ana+7,Bia+4/deal+Ana+3D+7S+4C,Bia+AC+KD+5S,Caio+QH+2D+6C,Davi+JS+2C+6D"
    ",vira+QS/Bia+KD,Caio+QH,Davi+truco,Ana+aceito,Davi+2C,Ana+3D,Ana+7S,Bia+seis"
)
HOSTILE = (
    "<img src=x onerror=window.ran=1>", "paulista|<script>window.ran=1</script>|x", "javascript:window.ran=1",
    "paulista/a+b+c+d/" + "a+truco," * 900, "%E0%A4%A", "paulista/__proto__+constructor+c+d", "nix/a+b",
    "paulista/a+b+c+d/deal+vira+" + "9" * 5000, "paulista/a+b+c", "paulista=1/a+b+c+d",
    "paulista+tie-lead=nix/a+b+c+d", "x" * 90_000,
)  # fmt: skip


def tap(browser: Browser, selector: str) -> None:
    """Tap, and wait until the page has drawn what comes of it."""
    browser.page.click(selector)
    time.sleep(0.05)


def test_three_ties_are_settled_by_taps_in_portuguese_and_the_line_says_the_same(
    address: str, browser: Browser, capsys: pytest.CaptureFixture[str]
) -> None:
    browser.page.goto(f"{address}index.pt.html")
    browser.wait("!!document.querySelector('.door')")
    tap(browser, ".door")
    browser.wait(f"!!({ROOT} && {ROOT}.dataset.ready)")
    person = Hand(browser, keys=False)
    person.act("document.querySelector('[aria-label$=\": vira\"].ask')", draws=False)
    person.card("6H")
    assert browser.run("document.activeElement.closest('.doing') !== null")
    for card in THREE_TIES:
        person.act("document.querySelector('.doing .row button:first-child')", draws=False)
        person.card(card)
    verdict = text(browser, ".verdict")
    assert "Vale" in verdict and "ninguém marca pontos" in text(browser, ".verdict > p")
    assert "empatada até o fim" in verdict or "parda" in verdict or "ninguém" in verdict
    assert browser.run("document.documentElement.scrollWidth") <= 360
    link = browser.run("location.hash")
    assert len(link) < 300
    for log in (browser.run("document.querySelector('textarea').value"), browser.run("location.href")):
        with pytest.raises(SystemExit) as end:
            main(["run", log])
        assert end.value.code == 0
        assert "Every move is permitted" in capsys.readouterr().out
    browser.wait(f"{ROOT}.dataset.asked")
    assert "Mineiro" in text(browser, ".others") or "dizem o mesmo" in text(browser, ".others")
    assert text(browser, ".others .count") in text(browser, ".elsewhere")  # in sight without scrolling
    assert browser.run("document.querySelector('.elsewhere').getBoundingClientRect().bottom < innerHeight")
    assert browser.faults() == []


@pytest.mark.parametrize("page", ["index.pt.html", "who.pt.html"])
def test_a_prepared_argument_is_one_tap(address: str, browser: Browser, page: str) -> None:
    browser.page.goto(address + page)
    argued = 'a[href*="#paulista"][href*="ana+6S"]'
    browser.wait(f"!!document.querySelector('{argued}')")
    if page.startswith("who"):
        browser.wait(f"!!({ROOT} && {ROOT}.dataset.ready)")
        tap(browser, ".often summary")
    assert text(browser, argued) == "Três empates: alguém ganhou a mão?"
    tap(browser, argued)
    browser.wait(f"!!({ROOT} && {ROOT}.dataset.ready) && document.querySelectorAll('.moves li').length === 12")
    assert "empatada até o fim" in text(browser, ".verdict")
    assert browser.faults() == []


def test_a_link_opens_where_it_was_and_a_move_is_taken_back(address: str, browser: Browser) -> None:
    go(
        browser,
        f"{address}who.html#paulista/ana+bia+caio+davi/dealer+ana/deal+vira+JH/bia+truco,caio+aceito,bia+3C,davi+seis",
    )
    assert "Not permitted" in text(browser, ".verdict")
    assert browser.run("document.querySelectorAll('.moves li').length") == 4
    browser.run("[...document.querySelectorAll('.tools button')][0].click()")
    browser.wait("document.querySelectorAll('.moves li').length === 3")
    assert "3♣" in text(browser, ".verdict h2")
    browser.page.keyboard.press("ArrowLeft")
    browser.wait("document.querySelector('.verdict h2').innerText.includes('aceito')")
    browser.run("history.back()")
    browser.wait("document.querySelectorAll('.moves li').length === 4")


def test_what_depends_on_a_card_that_was_not_told_is_said(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.es.html#paulista/ana+bia/dealer+bia/ana+3C,bia+KC")
    browser.wait("document.querySelector('.unsure') && !document.querySelector('.unsure').hidden")
    assert "Depende" in text(browser, ".unsure")
    assert "Con vira J♦, J♠, J♥, J♣: Baza: bia" in text(browser, ".unsure")
    person = Hand(browser, keys=False)
    person.act("document.querySelector('.doing .row:first-of-type button')", draws=False)
    person.card("JC")
    browser.wait(f"{ROOT}.dataset.asked && document.querySelector('.unsure').hidden")


def test_the_game_is_found_by_questions_and_chosen_by_its_picture(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.pt.html")
    shown = "[...document.querySelectorAll('.tiles li:not([hidden]) [data-game]')].map((it) => it.dataset.game)"
    assert len(browser.run(shown)) == browser.run("document.querySelectorAll('[data-game]').length")
    asked = 0
    while browser.run("document.querySelectorAll('.finder button').length > 1"):
        browser.run("document.querySelector('.finder button').click()")
        asked += 1
    assert 0 < asked <= 5
    assert len(browser.run(shown)) == 1
    browser.run("document.querySelector('.finder button').click()")  # ask again
    tap(browser, '[data-game="argentino"]')
    browser.wait(
        "location.hash.startsWith('#argentino') && document.querySelector('.doing').innerText.includes('flor')"
    )
    assert not browser.run("document.querySelector('.which').open")
    assert text(browser, ".which summary .soft") == "Truco Argentino"


def test_the_table_is_on_the_first_screen_of_a_phone(address: str, browser: Browser) -> None:
    at = "['top', 'bottom'].map((side) => document.querySelector('#who .table').getBoundingClientRect()[side])"
    go(browser, f"{address}who.pt.html")
    assert browser.run(at)[0] < 500
    go(browser, f"{address}who.pt.html#paulista/a+b+c+d/dealer+a/deal+vira+6H/b+3C,c+3D")
    assert browser.run(at)[1] < 740
    assert browser.run("document.querySelector('.which').open") is False


def test_what_decided_is_told_alone_and_the_rest_is_folded(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.html#mineiro/a+b+c+d/dealer+a/b+truco,c+corro")
    told = "[...document.querySelectorAll('.verdict > p')].map((it) => it.firstChild.textContent)"
    hand, score = browser.run(told)
    assert "refus" in hand  # not what the hand was worth: that is of the score
    assert hand != score
    assert browser.run("document.querySelectorAll('.verdict details p').length") > 0


def test_the_board_keeps_its_size_to_the_end_of_a_hand(address: str, browser: Browser) -> None:
    cards = [f"{name}+{card}" for name, card in zip(["b", "c", "d", "a"] * 3, THREE_TIES, strict=True)]
    go(browser, f"{address}who.pt.html#paulista/a+b+c+d/dealer+a/deal+vira+6H/{','.join(cards)}")
    high = "document.querySelector('#who .table').getBoundingClientRect().height"
    last = browser.run(high)
    assert browser.run("document.querySelectorAll('.turned use[href$=\"card-6H\"]').length") == 1
    browser.page.keyboard.press("ArrowLeft")
    browser.wait("document.querySelector('.verdict h2').innerText.includes('6♦')")
    assert browser.run(high) == last


def test_what_others_say_is_a_question_and_its_answer(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.pt.html#paulista/a+b+c+d/dealer+a/deal+vira+JH/b+4D,c+3C,d+3D,a+4S")
    browser.wait(f"{ROOT}.dataset.asked")
    assert "Quem abre depois de uma vaza empatada? Se for “quem jogou a última das cartas iguais”: Abre: d" in text(
        browser, ".others"
    )
    tap(browser, ".setup > summary")
    assert browser.run("document.querySelectorAll('.setup > div > div:last-of-type label').length") == 6
    assert "Quem abre depois de uma vaza empatada?" in text(browser, ".setup > div > div:last-of-type")


def test_a_count_that_is_known_is_offered_first(address: str, browser: Browser) -> None:
    dealt = "deal+a+7O+6O+1E,b+7C+5C+4B"
    go(browser, f"{address}who.es.html#argentino/a+b/dealer+b/{dealt}/a+envido,b+quiero")
    assert browser.run("document.querySelector('.doing select').value") == "a tengo 33"
    browser.run("[...document.querySelectorAll('.doing details')].at(-1).open = true")
    browser.wait("document.querySelectorAll('.doing details select').length > 1")
    acts = browser.run("[...document.querySelectorAll('.doing details:last-of-type option')].map((it) => it.innerText)")
    assert "contraflor" in acts
    assert not {"dale", "truco?"} & set(acts)  # of options that are not set


def test_a_forbidden_move_can_go_on_at_its_price(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.html#paulista/ana+bia+caio+davi/dealer+ana/score+ana+11/deal+vira+JH/ana+jogo,bia+truco")
    assert "Not permitted" in text(browser, ".verdict")
    browser.run("[...document.querySelectorAll('.verdict > button')][0].click()")
    browser.wait("location.hash.includes('mode+umpire')")
    browser.wait("document.querySelector('.verdict').innerText.includes('Won by')")


def test_the_way_of_a_hand_is_lit_on_the_map_of_its_game(address: str, browser: Browser) -> None:
    hand = "#paulista/a+b+c+d/dealer+a/deal+vira+6H/b+3C,c+3D,d+4D,a+4S,b+truco,c+corro"
    go(browser, f"{address}who.pt.html{hand}")
    link = browser.run("document.querySelector('.tools a').href")
    assert link == f"{address}atlas/paulista.pt.html{hand}"
    browser.page.goto(link)
    browser.wait("!!document.querySelector('.whole[data-lit]')")
    lit = browser.run("[...document.querySelectorAll('.whole a.lit')].map((it) => it.dataset.phase)")
    assert {"play", "trick-end", "truco.answer", "deal-over"} <= set(lit)
    assert not {"onze.choice", "hand-end", "match-over"} & set(lit)
    assert browser.run("document.querySelectorAll('.atlas a.lit text').length") > 5
    assert browser.run("document.querySelector('.way a').href") == f"{address}who.pt.html{hand}"
    assert browser.faults() == []


def pictured(browser: Browser, kind: str) -> str:
    """The picture that a button saves."""
    browser.run("""URL.createObjectURL = (blob) => { blob.text().then((it) => { window.saved = it; }); return "#"; };
      HTMLAnchorElement.prototype.click = function () { window.named = this.download; }""")
    browser.run(f"""window.saved = ""; [...document.querySelectorAll(".tools button")]
      .find((one) => one.textContent.includes("{kind}")).click()""")
    browser.wait("!!window.saved")
    return str(browser.run("window.saved"))


def texts_in(picture: str) -> list[str]:
    return [str(part.text) for part in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_of_the_readme_is_what_the_page_draws(address: str, browser: Browser) -> None:
    """`TOLD=anew` makes it anew."""
    go(browser, f"{address}who.html{README_ARGUMENT}")
    drawn, kept = pictured(browser, "SVG"), shipped.folder("docs") / "argument.svg"
    if os.environ.get("TOLD") == "anew":
        kept.write_text(drawn + "\n", encoding="utf-8")
    assert sorted(" ".join(texts_in(drawn)).split()) == sorted(" ".join(texts_in(kept.read_text("utf-8"))).split())


def test_a_picture_of_the_table_with_the_verdict_is_saved(address: str, browser: Browser) -> None:
    go(browser, f"{address}who.pt.html#paulista/Ana+b+c+d/dealer+d/deal+vira+7D/Ana+KH,b+6H,c+QS,d+doze")
    for kind in ("SVG", "PNG"):
        saved = pictured(browser, kind)
        assert browser.run("window.named") == f"truco.{kind.lower()}"
        if kind == "SVG":
            picture, texts = ElementTree.fromstring(saved), texts_in(saved)
            assert {"A mão vale", "Ana", "vira", "d: doze — Agora não vale"} <= set(texts)
            drawn = {part.get("id") for part in picture.iter("{http://www.w3.org/2000/svg}symbol")}
            used = {(part.get("href") or "#")[1:] for part in picture.iter("{http://www.w3.org/2000/svg}use")}
            assert used <= drawn
            assert {"french-card-KH", "french-card-7D", "french-mark"} <= used
        else:
            assert saved[1:4] == "PNG"


def test_a_hostile_link_runs_nothing_and_says_what_is_wrong(address: str, browser: Browser) -> None:
    for fragment in HOSTILE:
        browser.open(f"{address}who.html#{fragment}")
        browser.wait(f"!!({ROOT} && {ROOT}.dataset.ready)")
        assert browser.run("window.ran") is None
        assert not browser.run("document.querySelector('.trouble[role=alert]:not(#without *)').hidden")
        assert browser.run("document.querySelector('#who .trouble').textContent.length") < 200


def test_it_works_without_a_network_once_it_was_open(who_site: Path, browser: Browser) -> None:
    with served(who_site) as address:
        go(browser, f"{address}who.pt.html")
        browser.wait("navigator.serviceWorker.controller !== null")
        go(browser, f"{address}who.pt.html")
        browser.run("""new Promise((done) => { const look = async () => await caches.match("modules/paulista.4.wasm")
          ? done() : setTimeout(look, 50); look(); })""")
    go(browser, f"{address}who.pt.html#paulista/ana+bia+caio+davi/dealer+ana/bia+truco")
    assert "Vale" in text(browser, ".verdict")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_on_the_page(address: str, browser: Browser, scheme: Scheme) -> None:
    browser.page.emulate_media(color_scheme=scheme)
    go(browser, f"{address}who.es.html#argentino/ana+bia/dealer+bia/ana+truco,bia+quiero,ana+3C,bia+4C")
    browser.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    assert browser.faults() == []
    assert browser.run("document.documentElement.scrollWidth") <= 360


def test_without_a_server_the_page_leads_to_prepared_arguments(who_site: Path, browser: Browser) -> None:
    browser.open(who_site / "who.html")
    assert browser.run("document.querySelector('#without a').checkVisibility()")
    assert browser.run("document.getElementById('who').hidden")
