"""Plain technical English: a few phrases are never right, in code or in documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PHRASES = (
    "goes without saying", "go without saying", "no oftener", "oftener than", "what it comes to", "what they come to",
    "what these come to", "what that comes to", "what comes of it", "is told", "are told", "so many", "the own",
)  # fmt: skip
NEVER = re.compile(rf"(?i)\b({'|'.join(PHRASES)})\b".replace(" ", r"\s+"))


def _texts() -> Iterator[Path]:
    for kind in ("py", "js", "html"):
        yield from (ROOT / "truco_spec").rglob(f"*.{kind}")
    for folder in ("bench", "release"):
        yield from (ROOT / folder).glob("*.py")
    yield from (ROOT / "docs").glob("*.md")
    yield from (ROOT / name for name in ("README.md", "CONTRIBUTING.md"))


@pytest.mark.parametrize("part", ["truco_spec", "bench", "release", "docs", ""])
def test_no_text_has_a_phrase_that_is_never_right(part: str) -> None:
    found = []
    for path in sorted(_texts()):
        where = path.relative_to(ROOT)
        if (where.parts[0] if len(where.parts) > 1 else "") == part:
            text = path.read_text(encoding="utf-8")
            found += [f"{where}:{text.count(chr(10), 0, m.start()) + 1}: {m[0]}" for m in NEVER.finditer(text)]
    assert not found, "\n".join(found)
