"""The languages of books and pages, by their codes; English needs no catalog."""

from __future__ import annotations

ENGLISH = "en"
LANGUAGES = (ENGLISH, "pt", "es")
