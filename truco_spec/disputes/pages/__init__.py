"""An answer as Markdown and as one HTML file, from templates. Whatever is set into them is escaped."""

from __future__ import annotations

from truco_spec.disputes.answer import Answer
from truco_spec.disputes.pages.sides import drawings, pairs_of
from truco_spec.disputes.text import authority_in_words, not_turned, turned
from truco_spec.pages.environment import page
from truco_spec.pages.markdown import markdown
from truco_spec.pages.places import seats_around

_WORDS = {"turned": turned, "not_turned": not_turned, "in_words": authority_in_words}


def html_of(answer: Answer) -> str:
    """One HTML file that asks the network for nothing: where rules part, their tables stand side by side.

    Its script only chooses which two and leads through their moves; without it the first two are beside each other.
    """
    pairs = pairs_of(answer)
    values = {
        "answer": answer,
        "pairs": pairs,
        "drawings": drawings(pairs),
        "around": seats_around(len(pairs[0].players)) if pairs else (),
        **_WORDS,
    }
    return page(__name__, "answer", values, styles=("pages/table", "pages/controls", "answer"))


def markdown_of(answer: Answer) -> str:
    """Markdown; marks in what came from outside are plain characters."""
    return markdown(__name__, "answer", {"answer": answer, **_WORDS})
