"""The languages of books and pages, by their codes; English needs no catalog."""

from __future__ import annotations

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es")

CONTRACTED = {
    "pt": {
        "a o": "ao",
        "a a": "à",
        "a os": "aos",
        "a as": "às",
        "de o": "do",
        "de a": "da",
        "de os": "dos",
        "de as": "das",
        "em o": "no",
        "em a": "na",
        "em os": "nos",
        "em as": "nas",
        "por o": "pelo",
        "por a": "pela",
        "por os": "pelos",
        "por as": "pelas",
    },
    "es": {"a el": "al", "de el": "del"},
}
"""Words that grow together where one is set behind the other, by language."""
