"""The famous arguments of ``docs/disputes``: logs whose headers say what is claimed, and by hand what is right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import renamed, spoken
from truco_spec.compare.disputes.agreement import agreements_of
from truco_spec.compare.disputes.answer import DisputeAnswer
from truco_spec.compare.disputes.settle import settle
from truco_spec.logs.files import read

MOST = 90
"""Settings of each variant that are tried: enough for every single option; more would make the tests slow."""
FOLDER = Path(__file__).parents[2] / "docs" / "disputes"


@dataclass(frozen=True)
class Famous:
    """One of them. ``by_hand`` maps a variant to right, wrong, open or depends."""

    path: Path
    title: str
    claim: str
    by_hand: dict[str, str]
    rules: str

    @property
    def told(self) -> Path:
        """The page that is generated."""
        return self.told_in(ENGLISH)

    def told_in(self, language: str) -> Path:
        """The same in a language."""
        return self.path.with_suffix(".md" if language == ENGLISH else f".{language}.md")

    def answer(self) -> DisputeAnswer:
        """In the language that is spoken."""
        language = spoken().language
        log = read(renamed(self.path.read_text(encoding="utf-8"), language))
        rules = agreements_of(self.rules, log.options, log.variant)
        return settle(log, rules, renamed(self.claim, language), most=MOST)


def famous() -> list[Famous]:
    return [_read(path) for path in sorted(FOLDER.glob("*.yaml"))]


def _read(path: Path) -> Famous:
    header = [line[2:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# ")]
    keyed = {key: rest.strip() for key, _, rest in (line.partition(":") for line in header) if rest}
    pairs = [pair.split() for pair in keyed["by hand"].split(";")]
    return Famous(path, header[0], keyed["claim"], dict(pairs), keyed.get("rules", "all"))
