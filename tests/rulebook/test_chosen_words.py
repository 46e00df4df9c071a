"""One thing, one word: where a better word was chosen in a language, the other one does not come back."""

from __future__ import annotations

import re

import pytest

from truco_spec.glossary import glossary
from truco_spec.rulebook.locales import words_in

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
        r"aceitação|cessão": "players accept and give in (aceitar, ceder); nobody at a table says the nouns",
    },
}
"""By language: what is not said, and why."""

TOLD = re.compile(r"\bA round\b|\bRound and hand\b|\bis a round\b")
"""English sentences that speak of the word itself."""


@pytest.mark.parametrize("language", CHOSEN)
def test_a_word_that_was_given_up_does_not_come_back(language: str) -> None:
    told = [(english, said) for english, said in words_in(language).catalog.items() if not TOLD.search(english)]
    told += [(entry.term.term, getattr(entry.term.meaning, language)) for entry in glossary().entries]
    for given_up, why in CHOSEN[language].items():
        found = [said for _, said in told if re.search(rf"\b(?:{given_up})\b", said, re.IGNORECASE)]
        assert not found, why
