"""Readers of reports that know nothing of how they were written."""

from __future__ import annotations

import re
from html.parser import HTMLParser

VOID = {"meta", "input", "br", "hr", "img", "link"}


class Reader(HTMLParser):
    """The tags of a page with the names of their attributes, its texts by tag, and its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.texts: list[tuple[str, str]] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def values(self, tag: str, name: str) -> list[str]:
        return [value for of, at, value in self.attributes if (of, at) == (tag, name)]

    def text(self) -> str:
        return "".join(text for tag, text in self.texts if tag not in ("script", "style"))


def without_code(text: str) -> str:
    """The text without its code, as CommonMark finds it; blocks may stand in a list."""
    kept, fence, margin = [], "", 0
    for whole in text.splitlines():
        if not fence:
            margin = len(whole) - len(whole.lstrip(" "))
        assert not whole or whole[:margin].isspace() or not margin  # else the list ends, and with it the block
        line = whole[margin:]
        marks = re.match("`*", line)
        assert marks is not None
        if fence:
            fence = "" if line == marks[0] and len(marks[0]) >= len(fence) else fence
        elif len(marks[0]) >= 3 and "`" not in line[len(marks[0]) :]:
            fence = marks[0]
        else:
            kept.append(whole)
    assert not fence
    return "\n".join(re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", line) for line in kept)
