"""The languages of books and pages, by their codes; English needs no catalog."""

from __future__ import annotations

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es")

CONTRACTED = {
    "pt": {
        "a o": "ao",
        "de o": "do",
        "de a": "da",
        "de os": "dos",
        "de as": "das",
        "em o": "no",
        "em a": "na",
        "por o": "pelo",
        "por a": "pela",
    },
    "es": {"a el": "al", "de el": "del"},
}
"""Words that grow together where one is set behind the other, by language."""
