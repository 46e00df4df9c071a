"""One thing, one word: where a better word was chosen in a language, the other one does not come back."""

from __future__ import annotations

import re

import pytest

from truco_spec.books.book_words import catalogs, read_catalog, words_in
from truco_spec.graph.plan import glossary

CHOSEN = {
    "pt": {
        r"rodadas?": "the deal is a mão and the trick a vaza; players call either of them rodada",
        r"onde assim se combina|onde se combina": "agreements begin with “se assim for combinado”",
        r"coringas?": "the joker is a curinga, as dictionaries have it",
        r"sotas?": "the ten of the Spanish pack is a valete, as its drawing is called",
        r"sai quem|sai na|quem sai|quem saiu|carta de saída": "who leads opens the trick (abre); who “sai” leaves",
        r"(?:o|ao|do|no) total": "the target is a meta",
        r"equipe perguntada|quem é perguntado": "who is asked is who has to answer (tem de responder)",
        r"infrator(?:es)?": "it is who committed the irregularity, not an offender of the law",
        r"(?:ao|no) mazo": "who gives up goes ao baralho",
        r"aceitação|cessão": "players accept and give in (aceitar, ceder); nobody at a table says the nouns",
    },
    "es": {
        r"puntos del partido": "a game is played to los puntos; a match may have several games",
        r"donde así se acuerda|donde eso está acordado": "agreements begin with “si así se acuerda”",
        r"nul[oa]s?": "what has no effect no vale",
        r"(?:a )?un punto de ganar": "one short of the target is un paso: in some games it is two points",
        r"rival(?:es)?|bandos?|(?:el otro|cada|ambos|los dos) lados?": "the sides are equipos, the others contrarios",
        r"abr(?:e|ir|ió) la (?:primera |segunda |tercera )?baza": "who leads sale",
        r"repartidor(?:es)?|tallador": "the dealer is el que da",
        r"infractor(?:es)?": "it is the team that committed the irregularity, not an offender of the law",
        r"cesión|aceptación": "players give in and accept (achicarse, querer); nobody at a table says the nouns",
        r"sólo|éste|ésta|ése|ésa": "written without an accent, as the Academy has it",
        r"sotas? de (?:corazones|diamantes|picas|tréboles)": "the jack of the French pack is a jota, as on its card",
    },
}
"""By language: what is not said, and why."""

TOLD = re.compile(r"\brodada\b|\bsotas?\b|\bA round\b|\bRound and hand\b|\bis a round\b|A \"round\"")
"""English sentences that speak of the word itself."""


@pytest.mark.parametrize("language", CHOSEN)
def test_a_word_that_was_given_up_does_not_come_back(language: str) -> None:
    told = [(english, said) for english, said in words_in(language).catalog.items() if not TOLD.search(english)]
    told += [(entry.term.term, getattr(entry.term.meaning, language)) for entry in glossary().entries]
    for given_up, why in CHOSEN[language].items():
        found = [said for _, said in told if re.search(rf"\b(?:{given_up})\b", said, re.IGNORECASE)]
        assert not found, why


@pytest.mark.parametrize(
    ("given_up", "why"),
    [
        (r"\bthe own\b", "English has no own without an owner: one's own, their own"),
        (
            r"(?:[;:]|\b(?:of|to|by|for|than)) who\b(?! (?:leads|wins|takes|may|it is))",
            "whoever does it, or the player who does",
        ),
        (
            r"\bby whoever and whenever\b|\bundermost\b|\bat the brink\b",
            "by anyone at any time; the lowest; one short of the target",
        ),
    ],
)
def test_an_english_sentence_has_no_word_that_was_given_up(given_up: str, why: str) -> None:
    english = [str(message.id) for message in read_catalog(catalogs("pt")[0], "pt")]
    english += [entry.term.meaning.en for entry in glossary().entries]
    assert not [sentence for sentence in english if re.search(given_up, sentence)], why
