"""A registry, a spec and a corpus where every link is there, to be spoilt by each test of traceability."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from truco_spec.cli.verbs.trace import command
from truco_spec.conformance.links import LinkFinding, Stated, broken, read_corpus, read_spec
from truco_spec.conformance.trace import Trace, traces
from truco_spec.graph.sources import registry, sources


def clause(name: str, executable: str = "yes", applies: str = "bar") -> dict[str, Any]:
    part = {"executable_part": "half"} if executable == "partly" else {}
    said = {"locator": "x", "kind": "play", "applies": [applies], "text": "It is so.", "executable": executable}
    return {"id": name, **said, **part}


WALL: dict[str, Any] = {
    "source": "wall",
    "title": "The paper on the wall",
    "file": "wall.txt",
    "licence": "CC0-1.0",
    "made": "Read off the wall.",
    "clauses": [clause("a.must"), clause("a.part", "partly"), clause("a.term", "no")],
    "gaps": [{"id": "gap.open", "question": "?", "readings": ["a"], "suggested": "a", "clauses": ["a.must"]}],
    "options": [{"id": "option.pack", "applies": ["bar"], "values": ["all", "few"], "default": "all"}],
}
WORDS = {"en": "A wink.", "es": "Un guiño.", "pt": "Uma piscada."}
BASE = """
  option deck : dirty* | clean @wall:option.pack
  decision open-read resolves @wall:gap.open "A." because "B."
  order trick : 1 < 2 @wall:a.part
  rule first @wall:a.must "It is so." in play do resume
"""
CASES: list[dict[str, Any]] = [
    {"id": "wall-a-1", "clauses": ["a.must", "a.part"], "level": "must"},
    {"id": "wall-a-2", "clauses": ["a.must"], "level": "decided", "decisions": ["open-read"]},
    {"id": "wall-a-3", "clauses": ["a.must"], "level": "option", "options": {"deck": "clean"}},
]


class Table:
    """A folder with a registry, a spec and a corpus where every link is there, to be spoilt by each test."""

    def __init__(self, folder: Path) -> None:
        self.spec, self.corpus = folder / "spec", folder / "cases"
        self.registry = dict(WALL)
        self.base, self.bar, self.extra = BASE, "", ""
        self.cases = [dict(case) for case in CASES]
        self.variants = ["bar"]
        self.excuses: dict[str, list[dict[str, str]]] = {}
        self.terms: list[dict[str, Any]] = []
        self.rendered = "wall"

    def write(self) -> None:
        for name, text in (("base/tavern", "tavern"), ("variants/bar", "bar extends tavern")):
            path = self.spec / f"{name}.truco"
            path.parent.mkdir(parents=True, exist_ok=True)
            items = self.bar if "bar" in name else self.base
            path.write_text(f'variant {text} {{ title "T"\n{items} }}\n', encoding="utf-8")
        if self.extra:
            (self.spec / "variants" / "extra.truco").write_text(self.extra, encoding="utf-8")
        self.dump(self.spec / "sources" / "wall.yaml", self.registry)
        if self.terms:
            head = {"glossary": 1, "source": self.rendered, "title": WORDS, "licence": "CC0-1.0"}
            self.dump(self.spec / "glossary" / "signs.yaml", {**head, "terms": self.terms})
        whole = {"title": "It is so", "moves": ["P1 4C"]}
        entries = [{**whole, **case} for case in self.cases]
        head = {"corpus": 1, "source": "wall", "applies": {"variants": self.variants}}
        self.dump(self.corpus / "bar" / "all.yaml", {**head, "cases": entries})
        for folder, entries in self.excuses.items():
            self.dump(self.corpus / folder / "not-testable.yaml", {"not_testable": entries})

    @staticmethod
    def dump(path: Path, data: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1), encoding="utf-8")  # JSON is YAML

    def trace(self, *applies: str) -> Trace:
        self.write()
        held = registry("wall", self.spec / "sources")
        (found,) = traces([held], read_spec(self.spec), read_corpus(self.corpus), applies)
        return found

    def missing(self) -> dict[str, tuple[str, ...]]:
        return {row.id: row.missing for row in self.trace().missing}

    def findings(self, severity: str = "error") -> list[str]:
        return [found.message for found in self.trace().findings if found.severity == severity]

    def broken(self) -> tuple[LinkFinding, ...]:
        self.write()
        return broken(read_spec(self.spec), read_corpus(self.corpus), sources(self.spec / "sources"))

    def run(self, *arguments: str) -> Result:
        self.write()
        folders = ["--spec", str(self.spec), "--cases", str(self.corpus), "--source", "wall"]
        names = ["-h", "--help"]  # they are kept by whoever asks first
        return CliRunner().invoke(command, [*folders, *arguments], standalone_mode=False, help_option_names=names)


def read_spec_of(table: Table) -> tuple[Stated, ...]:
    table.write()
    return read_spec(table.spec).stated


def excuse(item: str, reason: str = "A glance leaves no trace.", **more: str) -> dict[str, str]:
    return {"id": item, "reason": reason, **more}


def term(name: str, *clauses: str) -> dict[str, Any]:
    return {"term": name, "kind": "idiom", "clauses": list(clauses), "meaning": WORDS}
