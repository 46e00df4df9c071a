"""``truco-spec perft``: how many sequences of actions follow from a position."""

from __future__ import annotations

from functools import lru_cache, partial
from gettext import gettext as _
from typing import TYPE_CHECKING, NamedTuple

import click

from truco_spec.base import shipped
from truco_spec.base.words import number, say
from truco_spec.cli.arguments import (
    SECONDS,
    complete_variants,
    executor_option,
    graph_of,
    implementation_of,
    known_name,
    log_of,
    python_option,
    replay_of,
    workers_on,
)
from truco_spec.cli.commands import BAD_INPUT, NEGATIVE, stoppable
from truco_spec.cli.file_access import print_json
from truco_spec.cli.messages import Progress, language_option

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from truco_spec.base.document import Item
    from truco_spec.conformance.adapters.pipe import CountingImplementation
    from truco_spec.conformance.runner.dividing import Compared, PerftPosition
    from truco_spec.engine.game import Game
    from truco_spec.engine.perft import Count
    from truco_spec.engine.support import Action
    from truco_spec.logs.line import Log

BODIES = ("auto", "python", "native")
_DEPTH = 3
_MOST_ASKED, _MOST_NAMED = 10_000, 12
_ALONE = 6
"""To this depth a position is counted by this process alone: that is sooner done than handed out."""
WIDTH = 108
_ADAPTER = "truco_spec.adapter"


class _BeforeCommand(click.Command):
    """Takes the arguments before “--”; those behind it are kept as the command of an adapter."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--") if "--" in args else len(args)
        ctx.meta[_ADAPTER] = tuple(args[at + 1 :])
        if at == len(args) - 1 and not ctx.resilient_parsing:
            ctx.fail(_("Give the command of an adapter after --."))
        return super().parse_args(ctx, args[:at])


@click.command(
    name="perft",
    cls=_BeforeCommand,
    help="""Count the sequences of players' actions that follow from the end of LOG, by depth.

What perft is for chess: one number checks an implementation's list of permitted actions. Where it differs, --divide
gives the number for each first action; add the one that differs to the log, and count again, one less deep.

LOG is as for “truco-spec run”. With VARIANT, the name of one or a .truco file, it is played by these rules, whatever
the log names. A sequence ends where chance has to act, as after a hand. docs/perft.md has shipped positions.

With --shipped these are counted instead, all or those of VARIANT, and compared with the numbers that are stated.

COMMAND is an adapter, as for “truco-spec test”, that answers “perft” (docs/protocol.md). It counts, too, and where a
number differs it is asked on, down to the position in which it permits other actions, with the rules that decide.

\b
Examples:
  truco-spec perft "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H" --depth 5
  truco-spec perft --depth 3 --divide night.yaml
  truco-spec perft argentino night.yaml --depth 4
  truco-spec perft --shipped paulista
  truco-spec perft --shipped paulista -- ./my-adapter
  truco-spec perft night.yaml --depth 4 -- ./my-adapter

Exit status: 0 counted, and equal; 1 a number differs from what is stated, or an adapter from the reference engine, or
it gave no answer; 2 the log cannot be read or played, or the adapter does not count.""",
)
@click.argument("words", metavar="[VARIANT] [LOG] [-- COMMAND…]", nargs=-1, shell_complete=complete_variants)
@click.option(
    "--depth", type=click.IntRange(1, 64), metavar="N",
    help=f"Number of actions.  [default: {_DEPTH}; with --shipped, as many as are stated, for an adapter only to "
    f"{_MOST_ASKED:,} sequences]",
)  # fmt: skip
@click.option("--divide", is_flag=True, help="Print the number for each first action, at this depth only.")
@click.option("--shipped", "is_shipped", is_flag=True, help="Count the shipped positions, and compare. Without LOG.")
@click.option(
    "--body", type=click.Choice(BODIES), default="auto", show_default=True,
    help="The engine: Python, or the WebAssembly module of truco-spec[native]; “auto” uses that if it is installed.",
)  # fmt: skip
@click.option(
    "-j", "workers", type=click.IntRange(1), metavar="N",
    help="Processes that count.  [default: one for each processor, at most 8]",
)  # fmt: skip
@executor_option
@python_option
@click.option(
    "--timeout", type=SECONDS, default=60.0, show_default=True, metavar="S",
    help="Seconds for each answer of an adapter.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@language_option
def command(
    words: tuple[str, ...],
    depth: int | None,
    divide: bool,
    is_shipped: bool,
    body: str,
    workers: int | None,
    executor: str | None,
    python: str | None,
    timeout: float,
    as_json: bool,
) -> int:
    adapter: tuple[str, ...] = click.get_current_context().meta[_ADAPTER]
    if python is not None and adapter:
        raise click.UsageError(_("Give either --python or a command, not both."))
    if adapter or python is not None:
        if divide:
            raise click.UsageError(_("--divide is for one LOG; an adapter is divided where it differs."))
        implementation = implementation_of(adapter, python, timeout)
        try:
            return _judge(_positions(words, depth, is_shipped), implementation, body, as_json)
        finally:
            implementation.close()
    if is_shipped:
        if divide:
            raise click.UsageError(_("--divide is for one LOG; leave out --shipped."))
        positions = _shipped(words)
        with stoppable(), workers_on(executor, workers, partial(_standing, None, body)) as pool:
            return _compare(positions, depth, body, pool, as_json)
    from truco_spec.logs.line import write_line

    variant, word = _one_log(words)
    replay = replay_of(word, variant)
    game = replay.played_out()
    with stoppable(), workers_on(executor, workers, partial(_standing, variant, body)) as pool:
        counted = _Spread(game, _Start(write_line(replay.log), variant, body), pool)
        depth = depth or _DEPTH
        if divide:
            found = {counted.game.text(action): many for action, many in counted.divided(depth).items()}
            _put(
                {**found, say("in all"): sum(found.values())},
                say("first action"),
                as_json,
                {"depth": depth, "divide": found},
            )
            return 0
        counts = {}
        with Progress(_("depth"), depth) as progress:
            for at in range(1, depth + 1):
                progress.step("")
                counts[str(at)] = sum(counted.divided(at).values())
    if not counts["1"]:
        click.echo(_("Nothing follows: chance has to act here, or the match is over."), err=True)
    _put(counts, say("depth"), as_json, {"counts": list(counts.values())})
    return 0


def _one_log(words: tuple[str, ...]) -> tuple[str | None, str]:
    """The variant, if one is given, and the log."""
    if not words:
        raise click.UsageError(_("Give a LOG to count from, or --shipped."))
    if len(words) > 2:
        raise click.UsageError(_("There is one LOG, and before it at most one VARIANT."))
    return (words[0] if len(words) > 1 else None), words[-1]


# ---- one log, by several processes -------------------------------------------------------------------


class _Start(NamedTuple):
    """The start of a count, as sent to any process: a log in a line, its rules, the body."""

    line: str
    spec: str | None
    body: str


def _standing(spec: str | None, body: str) -> str:
    """Return what must be the same on every machine."""
    return body if spec is None else f"{body} {graph_of(spec, {}).name}"


class _Spread:
    """Counts from one position: by itself, or deep counts in an executor, by the first two actions."""

    def __init__(self, game: Game, start: _Start, pool: Executor | None) -> None:
        from truco_spec.engine.perft import counting

        self.game, self.start, self.pool = game, start, pool
        self.count = counting(game, start.body)

    def divided(self, depth: int) -> dict[Action, int]:
        """Return for each first action the number of sequences of this depth."""
        from truco_spec.engine.perft import choices, divided

        if self.pool is None or depth <= _ALONE:
            return divided(self.game, depth, self.count)
        paths = []
        for first, action in enumerate(actions := choices(self.game)):
            self.game.push(action)
            paths += [(first, second) for second in range(len(choices(self.game)))]
            self.game.pop()
        found = dict.fromkeys(actions, 0)
        waiting = [self.pool.submit(_behind, self.start, path, depth - 2) for path in paths]
        for (first, _second), many in zip(paths, waiting, strict=True):
            found[actions[first]] += many.result()
        return found


@lru_cache(maxsize=1)
def _begun(start: _Start) -> tuple[Game, Count]:
    """Return the game at the end of the log, and the function that counts from there."""
    from truco_spec.engine.perft import counting

    game = replay_of(start.line, start.spec).played_out()
    return game, counting(game, start.body)


def _behind(start: _Start, path: tuple[int, ...], depth: int) -> int:
    """The number of sequences of this depth behind the actions that these numbers choose."""
    from truco_spec.engine.perft import choices

    game, count = _begun(start)
    for at in path:
        game.push(choices(game)[at])
    try:
        return count(depth)
    finally:
        for _at in path:
            game.pop()


# ---- the shipped positions -----------------------------------------------------------------------


def _shipped(words: tuple[str, ...]) -> tuple[PerftPosition, ...]:
    """The positions of the variant that is given, or of all."""
    from truco_spec.conformance.runner.dividing import load_positions

    if len(words) > 1 or any("|" in word for word in words):
        raise click.UsageError(_("With --shipped there is no LOG, and at most one VARIANT."))
    for name in words:
        if name not in shipped.variant_names():
            graph_of(name, {})  # says that there is none, and the nearest
    return load_positions(words)


def _compare(
    positions: tuple[PerftPosition, ...], most: int | None, body: str, pool: Executor | None, as_json: bool
) -> int:
    """Count each to the depth that is stated, at most ``most``; 1 where a number differs."""
    rows: list[dict[str, object]] = []
    wide, same = max(len(position.id) for position in positions), True
    waiting = [] if pool is None else [pool.submit(_first_difference, each, most, body) for each in positions]
    with Progress(_("position"), len(positions)) as progress:
        for at, position in enumerate(positions):
            progress.step(position.id)
            depth, count = waiting[at].result() if waiting else _first_difference(position, most, body)
            wanted = position.counts[depth - 1]
            same = same and count == wanted
            rows.append({"id": position.id, "depth": depth, "count": count, "stated": wanted})
            progress.clear()
            if not as_json:
                verdict = "ok" if count == wanted else say("expected {count}", count=wanted)
                click.echo(f"{position.id:{wide}}  {depth:>2}  {number(count):>9}  {verdict}")
    if as_json:
        print_json({"positions": rows})
    return 0 if same else 1


def _first_difference(position: PerftPosition, most: int | None, body: str) -> tuple[int, int]:
    """The first depth, of those up to ``most``, with another number than is stated, or the last; and the number."""
    _game, count = _begun(_Start(position.log, None, body))
    depth = found = 0
    for depth, wanted in enumerate(position.counts[:most], 1):
        found = count(depth)
        if found != wanted:
            break
    return depth, found


# ---- an implementation -----------------------------------------------------------------------------


def _positions(words: tuple[str, ...], depth: int | None, is_shipped: bool) -> list[tuple[str, Log, int]]:
    """Return what an implementation is to count: a name, the log, the depth."""
    from dataclasses import replace

    if not is_shipped:
        variant, word = _one_log(words)
        log = log_of(word)
        return [("log", log if variant is None else replace(log, variant=known_name(variant)), depth or _DEPTH)]
    found = []
    for position in _shipped(words):
        few = max(1, sum(count <= _MOST_ASKED for count in position.counts))
        found.append((position.id, log_of(position.log), min(depth or few, len(position.counts))))
    return found


def _judge(
    positions: list[tuple[str, Log, int]], implementation: CountingImplementation, body: str, as_json: bool
) -> int:
    """Compare each with the reference engine; 1 where they differ, or no answer came, 2 if nothing was compared."""
    from truco_spec.conformance.runner.dividing import compared, counter

    who = counter(implementation)
    results: dict[str, Compared] = {}
    wide, known = max(len(name) for name, *_ in positions), set[str]()
    with Progress(_("position"), len(positions)) as progress:

        def on_depth(at: int) -> None:
            progress.tell(_("depth {number}").format(number=at))

        for name, log, depth in positions:
            progress.step(name)
            results[name] = found = compared(log, depth, implementation, body, on_depth)
            progress.clear()
            if not as_json:
                click.echo("\n".join(_lines(name, wide, found, known)))
    if as_json:
        data = {"name": who.name, "version": who.version, "positions": [_data(*each) for each in results.items()]}
        print_json(data)
    if any(found.wrong for found in results.values()):
        return NEGATIVE
    if not any(found.depth for found in results.values()):
        click.echo(_("Nothing was compared."), err=True)
        return BAD_INPUT
    return 0


def _lines(name: str, wide: int, found: Compared, known: set[str]) -> Iterator[str]:
    """The line of a position, and its difference; of rules and clauses that are ``known``, their names alone."""
    from truco_spec.base.document import Items, text_of
    from truco_spec.base.harmless import one_line
    from truco_spec.conformance.reports.run_document import kept_in_words as kept

    told = "ok"
    if found.broken is not None:
        told = f"{say(found.broken.verdict)}: {one_line(kept(found.broken.message))}"
    elif found.difference is not None:
        form = "expected {count}" if found.count != found.expected else "by other actions"
        told = say(form, count=found.expected)
    elif found.left_out:
        form = "not compared {why}" if found.depth else "skipped: {why}"
        told = say(form, why=found.left_out)
    counted = f"{found.depth:>2}  {number(found.count):>9}" if found.depth else " " * 13
    yield f"{name:{wide}}  {counted}  {told}"
    entries = Items(tuple(_entries(found, known)))
    yield from (f"  {line}" for line in text_of([entries], WIDTH).splitlines())


def _entries(found: Compared, known: set[str]) -> Iterator[Item]:
    """Return the differences; of ``known`` rules and clauses only the names."""
    from truco_spec.base.document import Item, LogBlock
    from truco_spec.conformance.reports.run_document import as_written

    if found.broken is not None and found.broken.log:
        yield as_written(say("log"), "\n".join(found.broken.log.splitlines()[-5:]))
    if found.difference is None:
        return
    difference = found.difference
    yield Item("", (LogBlock(difference.log),), say("log"))
    if not (difference.missing or difference.more):
        form = "{count}; counted from one action before: {before}"
        yield Item(say(form, count=difference.got, before=difference.said), label=say("got"))
        yield Item(say("Its numbers do not add up: is every action taken back as it was done?"), label=say("advice"))
    for label, sides in ((say("missing"), difference.missing), (say("too much"), difference.more)):
        for side in sides:
            form = "{actions} and {count} more: {why}" if len(side.actions) > _MOST_NAMED else "{actions}: {why}"
            left = len(side.actions) - _MOST_NAMED
            told = say(form, actions=side.actions[:_MOST_NAMED], count=left, why=side.why)
            yield Item(told, label=label)
            for rule, prose in side.rules.items():
                yield Item(rule if rule in known else f"{rule}: {prose}", label=say("rule"))
            if not known.issuperset(side.rules):
                for clause, text in side.clauses.items():
                    yield Item(f"{clause}: {text}", label=say("clause"))
            known.update(side.rules)


def _data(name: str, found: Compared) -> dict[str, object]:
    from truco_spec.base.shapes import plain

    told: dict[str, object] = {"id": name, "depth": found.depth, "count": found.count, "expected": found.expected}
    if found.difference is not None:
        told["difference"] = plain(found.difference)
    if found.left_out:
        told["left_out"] = found.left_out
    if found.broken is not None:
        told |= {"verdict": found.broken.verdict, "message": found.broken.message}
    return told


def _put(rows: dict[str, int], head: str, as_json: bool, data: dict[str, object]) -> None:
    if as_json:
        print_json(data)
        return
    left = max(map(len, (head, *rows)))
    told = say("sequences")
    right = max(len(told), *(len(number(count)) for count in rows.values()))
    click.echo(f"{head:{left}}  {told:>{right}}")
    for name, count in rows.items():
        click.echo(f"{name:{left}}  {number(count):>{right}}")
