"""The score of a campaign of mutants: counted, and written to where ``truco-spec trace --mutants`` reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from truco_spec.conformance.corpus import edition
from truco_spec.conformance.fuzz.dask_cluster import rules_digest
from truco_spec.conformance.trace import COMMAND, KINDS, MutationScore

HEAD = f"""\
# What the cases notice of single changes of the rules. Written by {COMMAND}; do not edit.
"""


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


def written(score: MutationScore) -> str:
    """The text of the file."""
    lines = [f"corpus: {score.corpus}", f"rules: {_quoted(score.rules)}"]
    lines += ["together: " + _row(score.together), "variants:"]
    lines += [f"  {name}: {_row(row)}" for name, row in score.variants.items()]
    lines += ["open:" if score.left else "open: []", *(f"  - {_quoted(name)}" for name in score.left)]
    return HEAD + "\n".join(lines) + "\n"


def _row(row: Mapping[str, int]) -> str:
    return "{" + ", ".join(f"{kind}: {row[kind]}" for kind in KINDS) + "}"


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
