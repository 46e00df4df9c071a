"""Logs as people write them: what they mean, what stays as it is, and what is said of what is not understood."""

from __future__ import annotations

import itertools

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.cli.arguments import log_of
from truco_spec.compare.disputes.claim import ClaimError, advice, can_be_claimed, read_claim
from truco_spec.engine.text import words_of
from truco_spec.graph.load import load
from truco_spec.logs.in_words import said
from truco_spec.logs.line import LogError, write_line
from truco_spec.logs.replay import Replay

TABLE = "ana bia caio davi"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            "Paulista | Ana Bia Caio Davi | dealer ana | vira 5D | BIA 3C, caio TRUCO, Davi Aceito",
            "paulista | Ana Bia Caio Davi | dealer Ana | deal vira 5D | Bia 3C, Caio truco, Davi aceito",
        ),
        (
            "paulista | joão zé | dá Joao | vira valete de copas | Ze 3 de paus, joao “truco”, zé “corro!”",
            "paulista | joão zé | dealer joão | deal vira JH | zé 3C, joão truco, zé corro",
        ),
        (
            "paulista | ana bia | pé ana | deal vira 5♦️, bia ás de espadas 2 de copas q♥ | ana (7 de ouros)",
            "paulista | ana bia | dealer ana | deal vira 5D, bia AS 2H QH | ana (7D)",
        ),
        (
            "argentino | Ana Beto | da beto | ana Envido, Beto QUIERO, ana Ancho de Espadas, beto 7 de oro",
            "argentino | Ana Beto | dealer Beto | Ana envido, Beto quiero, Ana 1E, Beto 7O",
        ),
        (
            "venezolano | ana beto | reparte beto | vira 5O | ana sota de oros, beto rey de copas",
            "venezolano | ana beto | dealer beto | deal muestra 5O | ana 10O, beto 12C",
        ),
        (
            "mineiro | ana bia caio davi | dealer ana | placar ana 7, BIA 5 | bia truco, caio Peço 6",
            "mineiro | ana bia caio davi | dealer ana | score ana 7, bia 5 | bia truco, caio peço 6",
        ),
        (
            "paulista | ana bia | dealer bia | Ana 3C bia: 4 de ouros; ana truco! Bia -> aceito.",
            "paulista | ana bia | dealer bia | ana 3C, bia 4D, ana truco, bia aceito",
        ),
        (
            "uruguayo | ana beto | dealer beto | ana 3C beto pido flor ana",
            "uruguayo | ana beto | dealer beto | ana 3C, beto pido flor ana",
        ),
        (
            "Truco Paulista | Zé, Bia | Zé é o pé | 11 x 9 | Bia joga a dama de copas, Zé pede truco, Bia foge",
            "paulista | Zé Bia | dealer Zé | score Zé 11, Bia 9 | Bia QH, Zé truco, Bia corro",
        ),
        (
            "truco gaúcho tie-lead=first | Rui Léo | Rui dá as cartas | Léo: envido, Rui não quer, Léo joga",
            "gaucho tie-lead=first | Rui Léo | dealer Rui | Léo envido, Rui no-quiero, Léo joga",
        ),
        (
            "paulista | ana bia caio davi | mão de Bia | bia 3C",
            "paulista | ana bia caio davi | dealer ana | bia 3C",
        ),
        (
            "argentino | Ana Beto | Ana es mano | Ana envido",
            "argentino | Ana Beto | dealer Beto | Ana envido",
        ),
        (
            "Argentino | Ana Beto | reparte Beto | tanteo 11-9 | Ana tira el ancho de espadas, Beto se va al mazo",
            "argentino | Ana Beto | dealer Beto | score Ana 11, Beto 9 | Ana 1E, Beto mazo",
        ),
    ],
)
def test_what_people_write_is_read_as_they_mean_it(written: str, meant: str) -> None:
    assert write_line(log_of(written)) == meant


def test_a_name_that_two_players_may_have_is_not_guessed() -> None:
    with pytest.raises(LogError, match="There is no player “JOSE”"):
        log_of("paulista | josé jose | dealer josé | JOSE truco")


@pytest.mark.parametrize("moves", ["ana 3C xx bia 4C", "ana ana bia 4C", "ana 3C bia"])
def test_moves_without_commas_are_read_only_if_each_of_them_is_one(moves: str) -> None:
    log = log_of(f"paulista | ana bia | dealer bia | {moves}")
    assert [move.text for move in log.hands[0].moves] == [moves]
    with pytest.raises(LogError):
        Replay(log)


def test_of_a_hand_that_begins_before_the_one_before_it_is_over_it_is_said() -> None:
    replay = Replay(log_of("paulista | ana bia | dealer bia | ana 3C, bia 4C | ana 2C, bia 4D"))
    with pytest.raises(LogError, match="A new hand begins here in the log, and the one before it is not over"):
        replay.played_out()


def test_a_letter_of_another_language_is_not_guessed_and_the_suits_are_told() -> None:
    """“3C” would be the three of copas to who writes “3P” for the three of clubs."""
    with speaking(spoken_in("pt")), pytest.raises(LogError, match="D ouros, S espadas, H copas, C paus"):
        Replay(log_of(f"paulista | {TABLE} | dealer ana | bia 3P"))


def test_a_number_alone_is_no_card() -> None:
    with pytest.raises(LogError, match="Did you mean “tengo 28”"):
        Replay(log_of("argentino | ana beto | dealer beto | ana envido, beto quiero, ana 28"))


@pytest.mark.parametrize(("said", "meant"), [("quiero-retruco", "quiero retruco"), ("tengo-33", "tengo 33")])
def test_a_hyphen_for_a_blank_is_told(said: str, meant: str) -> None:
    with pytest.raises(LogError, match=f"Did you mean “{meant}”"):
        Replay(log_of(f"argentino | ana beto | dealer beto | ana truco, beto {said}"))


def test_every_card_of_a_pack_has_its_names() -> None:
    for variant in ("paulista", "argentino"):
        graph = load(variant)
        (pack,) = (pack for pack in said().packs if set(pack.suits) == set(graph.orders[graph.suits]))
        assert {card.name[:-1] for card in graph.cards if card.name[-1] in pack.suits} <= set(pack.ranks)
        names = [name for names in pack.suits.values() for name in dict.fromkeys(names)]
        assert len(names) == len(set(names)), "a name of two suits"


def test_what_people_say_for_a_word_of_some_game_is_that_word() -> None:
    known = {word for name in variant_names() for word in _said_in(name)}
    assert {line[0] for line in said().words} <= known


def _said_in(variant: str) -> set[str]:
    templates = itertools.chain(*words_of(load(variant)).templates.values())
    return {template.tokens[0].literal for template in templates if len(template.tokens) == 1} | set(
        itertools.chain(*load(variant).orders.values())
    )


@pytest.mark.parametrize(
    ("language", "claim", "plain"),
    [
        ("pt", "João ganhou a primeira", "João takes the first trick"),
        ("pt", "a primeira mão acabou", "the first hand is over"),
        ("pt", "Bia ganhou 3 pontos", "Bia scores 3"),
        ("pt", "a mão valia 3", "the hand is worth 3"),
        ("es", "la segunda fue parda", "the second trick is tied"),
        ("es", "Bia se llevó 2 puntos", "Bia scores 2"),
    ],
)
def test_claims_in_other_words_mean_the_same(language: str, claim: str, plain: str) -> None:
    players = ("João", "Bia")
    with speaking(spoken_in(language)):
        assert read_claim(claim, players) == read_claim(plain, players)


def test_no_word_of_english_is_suggested_in_a_claim_of_another_language() -> None:
    with speaking(spoken_in("es")), pytest.raises(ClaimError) as raised:
        read_claim("el retruco vale 3", TABLE.split())
    assert "are" not in str(raised.value).splitlines()[0].split()


@pytest.mark.parametrize("language", ["pt", "es"])
def test_a_claim_is_understood_as_it_is_told(language: str) -> None:
    players = TABLE.split()
    with speaking(spoken_in(language)):
        told = [line.strip() for line in advice("", players).splitlines()[2:]]
        assert [read_claim(line, players) for line in told] == [read_claim(text, players) for text in can_be_claimed()]
    assert len(set(told) - set(can_be_claimed())) >= 18


def test_claims_are_joined_and_denied_in_the_language_of_the_table() -> None:
    with speaking(spoken_in("pt")):
        claims = read_claim("A equipe de BIA não leva a vaza e o placar é ana 1, bia 0", TABLE.split())
    assert [(claim.about, claim.negated) for claim in claims] == [("trick", True), ("score", False)]
