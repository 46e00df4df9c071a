"""Makes the corpus ready to send: ``conformance/scripts/VARIANT.jsonl``, every case in every variant with whole deals.

``python -m release.scripts [VARIANT…]`` writes the files that differ from the cases and the specs; with ``--check`` it
only names them.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from truco_spec.base import shipped
from truco_spec.base.processes import cores, made_of
from truco_spec.base.shapes import plain
from truco_spec.conformance.adapters.baselines import passes
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.corpus import instances_of, read_shipped
from truco_spec.conformance.corpus.filling import complete
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.conformance.corpus.ready import CaseLine, OwnDealing, ScriptRequest, as_written, file_of, made_head

COMMAND = "python -m release.scripts"


def text_of(variant: str) -> str:
    """Generate the file of a variant."""
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in (plain(made_head(variant)), *map(_made, instances_of(read_shipped(), variant)))
    )


def _made(instance: Instance) -> dict[str, Any]:
    given, case = as_written(instance), instance.case
    filled = complete(given)
    requests = tuple(ScriptRequest(each) if isinstance(each, Script) else OwnDealing(each) for each in filled.requests)
    path = Path(case.path).relative_to(shipped.folder("conformance") / "cases").as_posix()
    line = CaseLine(
        name=instance.name,
        case=case.entry,
        clauses=case.clauses,
        applies=case.applies,
        path=path,
        line=case.line,
        options=instance.options,
        requests=requests,
        checks=filled.checks,
        players=instance.players,
        baselines=passes(given),
    )
    found: dict[str, Any] = plain(line)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Write the files that differ, or with ``--check`` only report them."""
    parser = ArgumentParser(prog=COMMAND, description="Make the corpus ready to send.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a file is out of date")
    parser.add_argument("variants", nargs="*", help="only these (default: all)")
    given = parser.parse_args(arguments)
    names = given.variants or shipped.variant_names()
    texts = dict(zip(names, made_of(text_of, names, cores()), strict=True))
    files = {variant: file_of(variant) for variant in names}
    stale = [v for v, file in files.items() if not file.is_file() or file.read_text(encoding="utf-8") != texts[v]]
    for variant in stale:
        sys.stdout.write(f"{files[variant].name} {'is out of date' if given.check else 'is written'}\n")
        if not given.check:
            files[variant].parent.mkdir(exist_ok=True)
            files[variant].write_text(texts[variant], encoding="utf-8")
    return 1 if stale and given.check else 0


if __name__ == "__main__":
    sys.exit(main())
