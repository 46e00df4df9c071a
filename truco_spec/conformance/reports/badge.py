"""A badge: the share of judged cases that passed. An expected failure is judged, and not passed.

Green if all passed, yellow if only expected failures did not, red otherwise.
"""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import escape, quoteattr

from truco_spec.base.harmless import one_line
from truco_spec.conformance.reports.beside import beside
from truco_spec.conformance.reports.events import Run
from truco_spec.conformance.reports.totals import score
from truco_spec.conformance.runner.verdicts import NEGATIVE

_LABEL = "truco-spec"
_LETTER, _MARGIN = 7, 6
_GREEN, _YELLOW, _RED, _GREY = "#2a7a2a", "#8a6a00", "#b3261e", "#6a6a6a"


def text_of(run: Run) -> str:
    """The badge as SVG, without times or network requests."""
    counts = Counter(case.verdict for case in run.cases)
    mine = score(run.cases)
    says = f"{mine.passed} of {mine.judged} pass" if mine.judged else "nothing judged"
    colour = _RED if NEGATIVE & counts.keys() else _YELLOW if counts["xfail"] else _GREEN if mine.judged else _GREY
    if not run.whole:
        says, colour = f"{says}, broken off", _GREY
    told = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
    corpus = f" (corpus {run.begun.edition})" if run.begun.edition else ""
    title = one_line(f"{_LABEL}{corpus}: {run.title}: {told or 'no case was played'}{beside(run)}")
    return _drawn(says, colour, title)


def _drawn(says: str, colour: str, title: str) -> str:
    left, right = (len(text) * _LETTER + 2 * _MARGIN for text in (_LABEL, says))
    letters = 'fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"'
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label={quoteattr(title)}>
<title>{escape(title)}</title>
<clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#444"/>\
<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g {letters}>
<text x="{left / 2:g}" y="14" textLength="{left - 2 * _MARGIN}">{_LABEL}</text>
<text x="{left + right / 2:g}" y="14" textLength="{right - 2 * _MARGIN}">{escape(says)}</text>
</g>
</svg>
"""
