"""How many single changes of the rules the corpus notices: ``conformance/mutants.yaml``, written by a campaign.

A campaign takes long, so its result is kept with the corpus, with a digest of the cases and rules it was made with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truco_spec.base import safe_yaml, shipped
from truco_spec.base.document import Block, Cell, Grid, Paragraph
from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, combined, say, translated
from truco_spec.conformance.corpus.edition import edition
from truco_spec.conformance.fuzz.dask_cluster import rules_digest

KINDS = ("no rules", "noticed", "the same", "reason", "open", "untried")
"""What becomes of a change: it does not link; a case notices it; it is proved to change no game; no case can notice it,
with the reason; no case notices it, and it is not known why; not all cases have been tried.
"""
ALL_TOGETHER = Sentence("all together")
COMMAND = "python -m bench.mutants --deep --into FILE --score"
_HEAD = f"""\
# What the cases notice of single changes of the rules. Written by {COMMAND}; do not edit.
"""


class NoScore(TrucoError):
    """There is no result of a campaign, or it is unreadable."""


@dataclass(frozen=True, slots=True)
class MutationScore:
    """``variants``: the number of changes of each kind (:data:`KINDS`); a change of a text counts in every variant that
    extends it, and once in ``together``. ``left`` are the open ones.
    """

    corpus: str
    rules: str
    together: Mapping[str, int]
    variants: Mapping[str, Mapping[str, int]]
    left: tuple[str, ...]

    @property
    def stale(self) -> str:
        """What is another by now, in words; empty if the result is of these cases and rules."""
        old: list[str] = []
        if self.corpus != edition():
            old.append(Sentence("the cases (corpus {before}, now {now})", before=self.corpus, now=edition()))
        if self.rules != rules_digest():
            old.append(Sentence("the rules"))
        return combined(old) if old else ""

    def rows(self) -> Iterable[tuple[str, Mapping[str, int]]]:
        """Each variant, then all texts together."""
        yield from self.variants.items()
        yield ALL_TOGETHER, self.together

    def as_json(self) -> dict[str, Any]:
        """As data."""
        return {
            "corpus": self.corpus,
            "stale": self.stale,
            "together": {**self.together, "score": share(self.together)},
            "variants": {name: {**row, "score": share(row)} for name, row in self.variants.items()},
            "open": list(self.left),
        }


def share(row: Mapping[str, int]) -> str:
    """The part of the changes that may be noticed which is, rounded down; “≥” while some have not been tried."""
    noticed, untried = row["noticed"], row["untried"]
    may_be = noticed + row["open"] + untried
    return f"{'≥ ' if untried else ''}{100 * noticed // may_be} %" if may_be else "—"


def document_of(score: MutationScore) -> tuple[Block, ...]:
    """The score for people."""
    rows = tuple(
        (translated(name), tuple(map(Cell, [str(sum(row.values())), *(str(row[kind]) for kind in KINDS), share(row)])))
        for name, row in score.rows()
    )
    form = "Single changes of the rules, and what the cases of corpus {edition} notice of them."
    told: tuple[Block, ...] = (
        Paragraph(say(form, edition=score.corpus)),
        Grid(("", say("changes"), *map(say, KINDS), say("score of the cases")), rows, numbers=True),
    )
    if not score.stale:
        return told
    form = "Since then there was a change: {what}. Again: {command}"
    return (*told, Paragraph(say(form, what=score.stale, command=COMMAND)))


def scored(variants: Mapping[str, Mapping[str, str]]) -> MutationScore:
    """The score of a campaign, of each variant the kind of each of its changes. Of two kinds by two variants the worse
    counts together.
    """
    kinds = dict[str, str]()
    for of in variants.values():
        for name, kind in of.items():
            kinds[name] = max(kind, kinds.get(name, kind), key=KINDS.index)
    left = tuple(sorted(name for name, kind in kinds.items() if kind == "open"))
    counted = {name: _counted(of.values()) for name, of in variants.items()}
    return MutationScore(edition(), rules_digest(), _counted(kinds.values()), counted, left)


def _counted(kinds: Iterable[str]) -> dict[str, int]:
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in KINDS}


def score_file() -> Path:
    """The path of the result of the last campaign."""
    return shipped.folder("conformance") / "mutants.yaml"


def written(score: MutationScore) -> str:
    """The text of the file."""
    lines = [f"corpus: {score.corpus}", f"rules: {_quoted(score.rules)}"]
    lines += ["together: " + _row(score.together), "variants:"]
    lines += [f"  {name}: {_row(row)}" for name, row in score.variants.items()]
    lines += ["open:" if score.left else "open: []", *(f"  - {_quoted(name)}" for name in score.left)]
    return _HEAD + "\n".join(lines) + "\n"


def _row(row: Mapping[str, int]) -> str:
    return "{" + ", ".join(f"{kind}: {row[kind]}" for kind in KINDS) + "}"


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_score() -> MutationScore:
    """The result of the last campaign. Raises :class:`NoScore`."""
    path = score_file()
    try:
        data: Any = safe_yaml.load(path.read_text(encoding="utf-8"))
        return MutationScore(
            str(data["corpus"]), str(data["rules"]), data["together"], data["variants"], tuple(data["open"])
        )
    except OSError as error:
        raise NoScore(
            Sentence("{path}: No campaign has been kept here ({command}).", path=str(path), command=COMMAND)
        ) from error
    except (LookupError, TypeError) as error:
        raise NoScore(
            Sentence("{path}: This is no result of a campaign ({command}).", path=str(path), command=COMMAND)
        ) from error
