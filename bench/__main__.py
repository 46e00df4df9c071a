"""``python -m bench [PART…]``: how fast the reference engine is, measured against others in the same run."""

from __future__ import annotations

import argparse
import json
import operator
import os
import platform
import textwrap
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from bench import diffs, disputes, games, measure, pages, runner, settings, uruguayo
from truco_spec.conformance.corpus import edition
from truco_spec.conformance.fuzz.dask_cluster import cluster
from truco_spec.graph.load import load

AT_MOST = {
    ("random play", "ratio"): 40,
    ("memory", "bytes per event"): 1024,
    ("loading (ms)", "load"): 50,
    ("start (ms)", "truco-spec --version"): 150,
    ("corpus", "the Brazilian variants"): 3,
    ("disputes", "slowest (s)"): 1,
    ("who is right", "first use, to the table (ms)"): 3000,
    ("who is right", "kilobytes of that"): 600,
    ("who is right", "tap (ms)"): 50,
    ("who is right", "what others say (ms)"): 300,
    ("claims", "the longest search (s)"): 10,
    ("diff", diffs.SLOWEST): 30,
}
AT_LEAST = {
    ("judging shipped cases", "cases per second"): 1000,
    ("uruguayo for two", "ratio"): 3,
    ("uruguayo for four", "ratio"): 3,
}
"""What numbers may be."""

NOTES = {
    "random play": "actions per second of one core: cards, calls and answers; deals and draws are played, not counted",
    "where the engine's time goes (%)": "by kind of action",
    "memory": "of each event kept, undo included",
    "loading (ms)": "each in a fresh process; “first time” with an empty cache",
    "start (ms)": "median of several",
    "corpus": "truco-spec test on the reference engine, seconds of one core; “first time” with an empty cache",
    "diff": "truco-spec diff of each variant and the next, seconds of one core",
    "runner, adapter in Python": "cases of one's own on one core, runner and adapter together, processor time",
    "judging shipped cases": "read, asked and judged on one core; the answers are known",
    "runner, adapter in Node": "the same",
    "disputes": "a log put to all variants by a fresh command, linked graphs kept; processor seconds of one core",
    "claims": "the same with a claim that no option makes right, so that all that may be tried is",
    "books (s)": "truco-spec rulebook by a fresh command; least of several",
    "fit (s)": "processor time, for Paulista for two",
    "causes": "of all of Paulista, engines with rules changed at random; processor time of the whole command",
    "who is right": "Chromium, processor four times as slow, 1.6 Mbit/s; least of several, by the clock",
    "site": "all pages into an empty folder, seconds of one core; the ruler links all games and plays every case once",
    "checks": "truco-spec check of each shipped variant, seconds of one core",
    "uruguayo for two": "hands per second of one core, against pytruco 0.1.3 by the same options",
    "uruguayo for four": "the same",
}

PARTS = {
    "engine": "speed, memory and loading, Truco Paulista against a ruler",
    "native": "the WebAssembly body: random play beside a C ruler, perft, the corpus, making a module",
    "causes": "what causes add to a run of test, of engines with one fault and with three",
    "fit": "fit of an engine with one fault that answers in a thousandth of a second",
    "lockstep": "both bodies in step under random options, everything compared (--hands: 100,000)",
    "uruguayo": "Truco uruguayo against pytruco, for two and four",
    "disputes": "famous arguments put to all variants, and a claim over all their options",
    "checks": "the checks of all shipped variants",
    "runner": "the conformance runner: cases per second with adapters that do next to nothing",
    "diff": "variants compared with each other, with the search for logs",
    "pages": "a book of rules, and the whole site, beside playing their cases alone",
    "phone": "“Who is right?” in a browser as slow as a phone: the first use, a tap, what others say",
    "games": "whole games of every variant, every point accounted for (10,000 at each table: some minutes)",
    "settings": "hands under many options set at random, strict and umpired, all asked (100,000: 1.6 hours of a core)",
}
USUAL = ("engine", "uruguayo", "checks")

Take = Callable[[], Mapping[str, object]]


def main() -> None:
    """Measure and print."""
    told = "\n".join(f"  {name:9} {text}" for name, text in PARTS.items())
    usage = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=usage, epilog=f"parts:\n{told}"
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure; {', '.join(USUAL)} if not given")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: a look, not a measurement")
    parser.add_argument("--games", type=int, default=10_000, metavar="N", help="games at each table (10,000)")
    parser.add_argument("--hands", type=int, default=100_000, metavar="N", help="hands under random options (100,000)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="the seed of the first of these settings (0)")
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes for games, settings and lockstep",
    )
    parser.add_argument("--executor", metavar="dask://HOST:PORT", help="instead of processes here")
    parser.add_argument("--json", metavar="FILE", help="write the numbers to FILE too")
    given = parser.parse_args()
    for part in given.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part}: it is {', '.join(PARTS)}")
    found: dict[str, Mapping[str, object]] = {}
    for part in given.parts or USUAL:
        if part == "games":
            with workers(given) as pool:
                for table, numbers in games.run(given.games, pool).items():
                    found[table] = numbers
                    show(table, numbers)
            continue
        if part in ("settings", "lockstep"):
            from bench import lockstep

            run = settings.run if part == "settings" else lockstep.run
            with workers(given) as pool:
                found[part] = run(given.hands, pool, given.first)
            show(part, found[part])
            continue
        for name, take in measures(part, quick=given.quick):
            found[name] = take()
            show(name, found[name])
    if given.json:
        about = {"python": platform.python_version(), "machine": platform.machine(), "quick": given.quick}
        text = json.dumps({"about": about, "measured": found}, indent=2, ensure_ascii=False) + "\n"
        Path(given.json).write_text(text, encoding="utf-8")


def workers(given: argparse.Namespace) -> AbstractContextManager[Executor]:
    """What plays a campaign: processes here, or the workers of a cluster, with the same corpus."""
    return cluster(given.executor, edition) if given.executor else ProcessPoolExecutor(given.workers)


def measures(part: str, *, quick: bool) -> Iterator[tuple[str, Take]]:
    """The measurements of a part, by name."""
    rounds, hands = (3, 150) if quick else (15, 400)
    if part == "engine":
        graph = load("paulista")
        yield "random play", lambda: measure.rates(graph, rounds, hands)
        yield "where the engine's time goes (%)", lambda: measure.shares(graph, hands)
        yield "memory", lambda: measure.memory(graph, 2000 if quick else 20000)
        yield "loading (ms)", lambda: measure.loading("paulista", rounds)
        yield "start (ms)", lambda: measure.starting(rounds)
        yield "corpus", lambda: measure.corpus(1 if quick else 3)
    elif part == "native":
        from bench import native

        yield "random hands", lambda: native.rates(3 if quick else 9)
        yield "perft", native.counting
        yield "corpus", lambda: native.scripts(quick=quick)
        yield "modules", native.modules
    elif part == "uruguayo":
        yield "uruguayo for two", lambda: uruguayo.rates(2, rounds, 4 * hands)
        yield "uruguayo for four", lambda: uruguayo.rates(4, rounds, 4 * hands)
    elif part == "runner":
        for name in runner.adapters():
            yield f"runner, adapter in {name}", partial(runner.rates, name, 5000, 3 if quick else 9)
        yield "judging shipped cases", partial(runner.judging, "paulista", 3 if quick else 9)
    elif part == "checks":
        yield "checks", measure.checks
    elif part == "disputes":
        yield "disputes", lambda: disputes.plain(quick)
        yield "claims", lambda: disputes.claims(quick)
    elif part == "pages":
        yield "books (s)", lambda: pages.books(quick=quick)
        if not quick:
            yield "site", pages.site
    elif part == "phone":
        from bench import phone

        yield "who is right", lambda: phone.measured(1 if quick else 5)
    elif part == "fit":
        from bench import fits

        yield "fit (s)", fits.speed
    elif part == "causes":
        from bench import causes

        yield "causes", lambda: causes.added(1 if quick else 3)
    elif part == "diff":
        yield "diff", lambda: diffs.run(quick=quick)


def show(name: str, numbers: Mapping[str, object]) -> None:
    """Print one measurement, with its targets."""
    print(f"\n{name}: {NOTES[name]}" if name in NOTES else f"\n{name}")
    for what, number in numbers.items():
        if isinstance(number, Mapping):
            counts = ", ".join(f"{inner} {count:,}" for inner, count in number.items())
            print(textwrap.fill(f"{what}: {counts}", 118, initial_indent="  ", subsequent_indent="    "))
        else:
            shown = f"{number:,}" if isinstance(number, int) else str(number)
            print(f"  {what:42} {shown:>12}{_mark(name, what, number)}")


def _mark(name: str, what: str, number: object) -> str:
    if not isinstance(number, (int, float)):
        return ""
    for targets, words, reached in (
        (AT_MOST, "at most", operator.le),
        (AT_LEAST, "at least", operator.ge),
    ):
        if (target := targets.get((name, what))) is not None:
            return f"   ({words} {target}: {'well' if reached(number, target) else 'MISSED'})"
    return ""


if __name__ == "__main__":
    main()
