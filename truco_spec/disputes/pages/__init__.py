"""An answer as Markdown and as one HTML file, from templates. Whatever is set into them is escaped."""

from __future__ import annotations

from truco_spec.disputes.answer import Answer
from truco_spec.disputes.text import authority_in_words, not_turned, turned
from truco_spec.pages.environment import page
from truco_spec.pages.markdown import markdown

_WORDS = {"turned": turned, "not_turned": not_turned, "in_words": authority_in_words}


def html_of(answer: Answer) -> str:
    """One HTML file that asks the network for nothing and runs no script."""
    return page(__name__, "answer", {"answer": answer, **_WORDS})


def markdown_of(answer: Answer) -> str:
    """Markdown; marks in what came from outside are plain characters."""
    return markdown(__name__, "answer", {"answer": answer, **_WORDS})
