"""``truco-spec perft``: how many sequences of actions follow from a position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from truco_spec.base import shipped
from truco_spec.cli.arguments import complete_variants, graph_of, replay_of
from truco_spec.cli.progress import Progress

if TYPE_CHECKING:
    from truco_spec.conformance.corpus.perft_positions import PerftPosition
    from truco_spec.engine.game import Game
    from truco_spec.engine.perft import Count

BODIES = ("auto", "python", "native")
_DEPTH = 3


@click.command(
    name="perft",
    help="""Count the sequences of players' actions that follow from the end of LOG, by depth.

What perft is for chess: one number checks an implementation's list of permitted actions. Where it differs, --divide
gives the number for each first action; add the one that differs to the log, and count again, one less deep.

LOG is as for “truco-spec run”. With VARIANT, the name of one or a .truco file, it is played by these rules, whatever
the log names. A sequence ends where chance has to act, as after a hand. docs/perft.md has shipped positions.

With --shipped these are counted instead, all or those of VARIANT, and compared with the numbers that are stated.

\b
Examples:
  truco-spec perft "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H" --depth 5
  truco-spec perft --depth 3 --divide night.yaml
  truco-spec perft argentino night.yaml --depth 4
  truco-spec perft --shipped paulista

Exit status: 0 counted; 1 a shipped position has another number than is stated; 2 the log cannot be read or played.""",
)
@click.argument("words", metavar="[VARIANT] [LOG]", nargs=-1, shell_complete=complete_variants)
@click.option(
    "--depth", type=click.IntRange(1, 64),
    help=f"Number of actions.  [default: {_DEPTH}; with --shipped, as many as are stated]",
)  # fmt: skip
@click.option("--divide", is_flag=True, help="The number for each first action, at this depth only.")
@click.option("--shipped", "is_shipped", is_flag=True, help="Count the shipped positions, and compare. Without LOG.")
@click.option(
    "--body", type=click.Choice(BODIES), default="auto", show_default=True,
    help="What plays: Python, or the WebAssembly module of truco-spec[native]; “auto” takes that if it is installed.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
def command(words: tuple[str, ...], depth: int | None, divide: bool, is_shipped: bool, body: str, as_json: bool) -> int:
    """Count and print."""
    if is_shipped:
        if divide:
            raise click.UsageError("--divide is for one LOG; leave out --shipped.")
        return _compare(_shipped(words), depth, body, as_json)
    if not words:
        raise click.UsageError("Give a LOG to count from, or --shipped.")
    if len(words) > 2:
        raise click.UsageError("There is one LOG, and before it at most one VARIANT.")
    from truco_spec.engine.perft import divided

    game = replay_of(words[-1], words[0] if len(words) > 1 else None).played_out()
    count, depth = _counting(game, body), depth or _DEPTH
    if divide:
        found = {game.text(action): number for action, number in divided(game, depth, count).items()}
        _put({**found, "in all": sum(found.values())}, "first action", as_json, {"depth": depth, "divide": found})
        return 0
    counts = {}
    with Progress("depth", depth) as progress:
        for at in range(1, depth + 1):
            progress.step("")
            counts[str(at)] = count(at)
    if not counts["1"]:
        click.echo("Nothing follows: chance has to act here, or the match is over.", err=True)
    _put(counts, "depth", as_json, {"counts": list(counts.values())})
    return 0


def _counting(game: Game, body: str) -> Count:
    """Count with this body from where the game stands."""
    from truco_spec.engine.perft import native_perft, perft
    from truco_spec.engine.wasm.module import TooLarge
    from truco_spec.engine.wasm.native import is_installed

    if body == "native" or (body == "auto" and is_installed()):
        try:
            return native_perft(game)
        except TooLarge:
            if body == "native":
                raise
    return lambda left: perft(game, left)


# ---- the shipped positions -----------------------------------------------------------------------


def _shipped(words: tuple[str, ...]) -> tuple[PerftPosition, ...]:
    """The positions of the variant that is given, or of all."""
    from truco_spec.conformance.corpus.perft_positions import load_positions

    if len(words) > 1 or any("|" in word for word in words):
        raise click.UsageError("With --shipped there is no LOG, and at most one VARIANT.")
    for name in words:
        if name not in shipped.variant_names():
            graph_of(name, {})  # says that there is none, and the nearest
    return load_positions(words)


def _compare(positions: tuple[PerftPosition, ...], most: int | None, body: str, as_json: bool) -> int:
    """Count each to the depth that is stated, at most ``most``; 1 where a number differs."""
    rows: list[dict[str, object]] = []
    wide, same = max(len(position.id) for position in positions), True
    with Progress("position", len(positions)) as progress:
        for position in positions:
            progress.step(position.id)
            stated = position.counts[:most]
            depth, number = _first_difference(position, stated, body, progress)
            wanted = stated[depth - 1]
            same = same and number == wanted
            rows.append({"id": position.id, "depth": depth, "count": number, "stated": wanted})
            progress.clear()
            if not as_json:
                verdict = "ok" if number == wanted else f"expected {wanted:,}"
                click.echo(f"{position.id:{wide}}  {depth:>2}  {number:>9,}  {verdict}")
    if as_json:
        import json

        click.echo(json.dumps({"positions": rows}))
    return 0 if same else 1


def _first_difference(
    position: PerftPosition, stated: tuple[int, ...], body: str, progress: Progress
) -> tuple[int, int]:
    """The first depth with another number than is stated, or the last; and the number."""
    count, depth, number = _counting(replay_of(position.log, None).played_out(), body), 0, 0
    for depth, wanted in enumerate(stated, 1):
        progress.tell(f"depth {depth}")
        number = count(depth)
        if number != wanted:
            break
    return depth, number


def _put(rows: dict[str, int], head: str, as_json: bool, data: dict[str, object]) -> None:
    if as_json:
        import json

        click.echo(json.dumps(data, ensure_ascii=False))
        return
    left = max(map(len, (head, *rows)))
    right = max(len("sequences"), *(len(f"{number:,}") for number in rows.values()))
    click.echo(f"{head:{left}}  {'sequences':>{right}}")
    for name, number in rows.items():
        click.echo(f"{name:{left}}  {number:>{right},}")
