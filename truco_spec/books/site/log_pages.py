"""The logs of the documentation as pages: source, narrative and replay."""

from __future__ import annotations

import posixpath
from functools import cache

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.books.site import documents
from truco_spec.books.site.addresses import Addresses
from truco_spec.books.site.embedded_replay import Embedded
from truco_spec.books.site.page_frame import frame, framed
from truco_spec.logs.files import read_file
from truco_spec.logs.line import write_line
from truco_spec.logs.model import UNKNOWN, Log
from truco_spec.logs.narrative import course_of, text_of
from truco_spec.logs.replay import Replay
from truco_spec.logs.setup import graph_of
from truco_spec.pages.moments import page_of, track_of


@cache
def _log(name: str) -> Log | None:
    """The log in a file below ``docs``; None if there is none in it."""
    if not name.endswith(".yaml"):
        return None
    try:
        return read_file(shipped.folder("docs") / name)
    except TrucoError:  # a file of another kind
        return None


def can_be_replayed(name: str) -> bool:
    """Whether there is a log with all cards known."""
    log = _log(name)
    return log is not None and UNKNOWN not in write_line(log)


def variant_of(name: str) -> str:
    """The variant of the log in this file; empty if there is none."""
    log = _log(name)
    return log.variant if log else ""


def replay_of(name: str) -> str:
    """The page that replays the log in this file."""
    return documents.page_of(name).removesuffix(".html") + ".replay.html"


def log(name: str) -> str:
    """The page of a log."""
    held = _log(name)
    assert held is not None
    page, replays = documents.page_of(name), Embedded()
    text = (shipped.folder("docs") / name).read_text(encoding="utf-8")
    about = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    beside = name.removesuffix(".yaml") + ".md"
    graph = graph_of(held)
    again = can_be_replayed(name)
    moments = replays.replay(held.players, track_of(held, graph, why=False).moments) if again else ""
    return framed(
        "log",
        "../" * page.count("/"),
        "cases",
        title=posixpath.basename(name),
        game=graph.title,
        variant=held.variant,
        about=" ".join(about),
        text=text,
        answer=posixpath.basename(documents.page_of(beside)) if beside in documents.files() else "",
        contents=documents.contents(name),
        moments=moments,
        symbols=replays.symbols if moments else "",
        replay=posixpath.basename(replay_of(name)) if again else "",
        course=_course(held) if again else "",
    )


def _course(log: Log) -> str:
    try:
        return text_of(course_of(Replay(log)))
    except TrucoError:  # a refused move: the replay says why
        return ""


def replay(name: str) -> str:
    """A separate page with the replay and the reason of every move."""
    log = _log(name)
    assert log is not None
    to = Addresses("../" * replay_of(name).count("/"))
    here = (("", posixpath.basename(name), posixpath.basename(documents.page_of(name))),)
    return page_of(log, graph_of(log), frame(to, here))
