"""The verdicts of the page “Who is right?” are those of the reference: both play the same logs, step by step."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from truco_spec.base import shipped
from truco_spec.books.site.page_frame import SiteInputs
from truco_spec.books.site.who_is_right import LIBRARIES, data_text, library, module, open_graph
from truco_spec.engine.game import CHANCE, IllegalAction
from truco_spec.engine.provenance import decisive_step, source_of, value_from
from truco_spec.engine.sample import any_action
from truco_spec.graph.load import is_open, load
from truco_spec.graph.model import Graph
from truco_spec.logs.files import read_file
from truco_spec.logs.line import MODES, UNKNOWN, Hand, Log, LogError, LoggedMove, frozen, read_line, write_line
from truco_spec.logs.replay import MoveRefused, Replay
from truco_spec.pages.moments import board

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
HERE = Path(__file__).parent
NAMES = ("ana", "bia", "caio", "davi", "eva", "fabi")
Table = tuple[str, int]
ONE: tuple[Table, ...] = (("paulista", 4),)
MORE: tuple[Table, ...] = (
    *ONE,
    ("argentino", 2),
    ("mineiro", 4),
    ("uruguayo", 4),
    ("argentino", 6),
    ("paulista", 2),
    ("fisch", 4),
)


class Shelf(SiteInputs):
    """Some games, without the addresses of rules in books, for which all books would have to be made."""

    def __init__(self, tables: tuple[Table, ...]) -> None:
        super().__init__()
        self.tables = tables

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        return {variant: load(variant) for variant, _ in self.tables}

    @cached_property
    def told(self) -> dict[str, dict[str, str]]:
        return defaultdict(dict)

    @cached_property
    def readings(self) -> dict[str, frozenset[str]]:
        return defaultdict(frozenset)


def folder_of(folder: Path, tables: tuple[Table, ...]) -> Path:
    shelf = Shelf(tables)
    for name in LIBRARIES:
        (folder / name).write_bytes(library(name))
    for variant, seats in tables:
        (folder / f"{variant}.{seats}.wasm").write_bytes(module(shelf, variant, seats))
        (folder / f"{variant}.{seats}.json").write_text(data_text(shelf, variant, seats), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("one"), ONE)


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("more"), MORE)


def asked(folder: Path, what: str, given: object) -> Any:
    command = ["node", str(HERE / "argue.mjs"), str(folder), what]
    done = subprocess.run(command, input=json.dumps(given), text=True, capture_output=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


# ---- random logs ------------------------------------------------------------------------------------


def random_log(table: Table, rng: random.Random, moves: int, options: Mapping[str, str]) -> Log:
    """A log of permitted moves, with some that are not; of no card is more told than that it was played."""
    variant, seats = table
    players = NAMES[:seats]
    score = {players[0]: rng.randrange(11)} if rng.random() < 0.4 else {}
    log = Log(variant, players, frozen(options), rng.choice(players), frozen(score), hands=(Hand(),))
    log = replace(log, mode=rng.choice(MODES))
    replay, told = Replay(log), list[LoggedMove]()
    replay.deal_out()
    while len(told) < moves and (legal := [a for a in replay.game.legal_actions() if a.actor != CHANCE]):
        forbidden = rng.random() < 0.12
        action = (
            any_action(replay.graph, rng, rng.choice(list(replay.graph.actions))) if forbidden else rng.choice(legal)
        )
        text = replay.game.text(action)
        with contextlib.suppress(LogError):
            replay.read(text)
            told.append(LoggedMove(text))
            try:
                replay.push(action)
            except IllegalAction:
                break
            replay.deal_out()
    return replace(log, hands=(Hand(moves=tuple(told)),))


def random_options(table: Table, rng: random.Random) -> Mapping[str, str]:
    """Some agreements that the module leaves open."""
    graph = open_graph(Shelf((table,)), *table)
    switches = [o for o in graph.options.values() if o.values[1:] and is_open(graph, o.name)]
    return {o.name: rng.choice(o.values) for o in rng.sample(switches, 2)} if rng.random() < 0.5 else {}


def told_of(table: Table, log: Log) -> dict[str, Any]:
    """Each step as Python tells it: its verdict, the rules that decided it and fired, what the table saw."""
    steps: list[dict[str, Any]] = []
    try:
        for step in Replay(log).steps():
            rules = [*step.event.rules, *(name for part in step.event.steps for name in part.rules)]
            steps.append({"status": step.event.status, "rules": list(dict.fromkeys(rules)), "seen": step.observed})
    except MoveRefused as refused:
        steps.append({"status": refused.refusal.status, "rules": list(refused.refusal.rules), "seen": None})
    return {"table": f"{table[0]}.{table[1]}", "line": write_line(log), "told": steps}


def random_logs(tables: tuple[Table, ...], count: int, moves: int, seed: int = 5) -> Iterator[dict[str, Any]]:
    """Logs of each table in turn, some with the same options: to build their rules takes longer than to play."""
    rng, options, made = random.Random(seed), dict[Table, Mapping[str, str]](), 0
    while made < count:
        table = tables[made % len(tables)]
        if table not in options or rng.random() < 0.15:
            options[table] = random_options(table, rng)
        try:
            yield told_of(table, random_log(table, rng, moves, options[table]))
            made += 1
        except LogError:  # options that do not go together
            del options[table]


@pytest.mark.long
def test_the_page_says_of_random_logs_what_python_says(one: Path) -> None:
    found = asked(one, "played", list(random_logs(ONE, 6, 8)))
    assert found["wrong"] == []
    assert found["steps"] > 20


@pytest.mark.parametrize(
    ("parts", "count"),
    [pytest.param(1, 60, marks=pytest.mark.long), pytest.param(170, 600, marks=pytest.mark.campaign)],
)
def test_the_page_says_of_many_random_logs_what_python_says(more: Path, parts: int, count: int) -> None:
    for part in range(parts):
        found = asked(more, "played", list(random_logs(MORE, count, 14, seed=6 + part)))
        assert found["wrong"] == [], part
        assert found["steps"] > 6 * count


@pytest.mark.long
def test_the_page_says_of_the_famous_disputes_what_python_says(more: Path) -> None:
    told = []
    for path in sorted((shipped.folder("docs") / "disputes").glob("*.yaml")):
        log = read_file(path)
        table = (log.variant, len(log.players))
        if table in MORE and UNKNOWN not in write_line(log) and not log.start:
            told.append(told_of(table, log))
    assert len(told) > 12
    assert asked(more, "played", told)["wrong"] == []


VOID = (
    "uruguayo falta-on-falta=allowed senas=official-only | ana bia caio davi | dealer ana | score ana 5 | mode umpire"
    " | davi envido, caio falta-envido, davi falta-envido, ana flor, ana mazo, ana truco, ana no-quiero, ana flor,"
    " bia quiero, caio mazo, caio top 3E"
)
"""Its last word has no effect in the hand to come, and is impossible before that is dealt."""


BANNED = (
    "mineiro | ana bia caio davi | dealer ana | ana misdeal ana 5",
    "paulista | ana bia | dealer bia | score ana 6 | ana truco, bia seis, ana corro, bia bad-cut",
    "paulista | ana bia caio davi | dealer ana | deal vira 6H | davi talk",
    "paulista table-talk=heard | ana bia caio davi | dealer ana | deal vira 6H | davi boast",
    "fisch covering=never | ana bia caio davi | dealer ana | bia (3C)",
)
"""Last moves that no rule ever permits, forbidden only before the cards that follow of themselves; and two others."""


@pytest.mark.long
def test_the_page_says_of_a_last_move_that_is_refused_what_python_says(more: Path) -> None:
    logs = [read_line(line) for line in (VOID, *BANNED)]
    told = [told_of((log.variant, len(log.players)), log) for log in logs]
    found = [one["told"][-1]["status"] for one in told]
    assert found == ["impossible", "forbidden", "forbidden", "forbidden", "permitted", "not-offered"]
    assert asked(more, "played", told)["wrong"] == []


SEEN = ("winner", "hand", "score", "trick", "leader")
DECIDED = {
    "01-three-ties": ("hand", "score-nothing"),  # mineiro.tie.three-tied-tricks-is-complete-tie
    "02-lead-after-a-tie": ("leader", "lead-again"),  # paulista.tie-leader-leads-again
    "06-partners-equal-cards": ("trick", "taker"),  # mineiro.trick.partners-equal-highest-wins
    "12-refused-raise-of-the-envido": ("score", "envido-refused"),  # argentino.envido-refused-raised
    "13-mazo-with-the-envido-open": ("hand", "go-to-mazo"),  # argentino.mazo
    "17-truco-bets-on-the-trick": ("hand", "trick-bet"),  # mineiro.truco.trick-winner-wins-hand
    "18-tie-after-an-early-card": ("hand", "early-tie"),  # mineiro.truco.tie-with-earlier-card-last-raiser-loses
    "20-first-trick-then-a-tie": ("hand", "hand-winner"),  # mineiro.results.row-02-A-tied
}
"""Of famous disputes, an observation after the last move, and the statement that a reader of the clause looks for."""
DECIDED_OF_LINES = {
    # argentino.pido-flor-success: of a hidden flor, not of the permission to ask for it
    "argentino | ana bia | dealer ana | deal bia 4C 5C 6C | bia 4C, ana pido-flor bia": ("score", "hidden-flor"),
    # argentino.end-at-once: who has the points, not how many they are
    "argentino | ana bia | dealer ana | score bia 29 | bia truco, ana no-quiero": ("winner", "target-reached"),
    # argentino.false-flor: what it costs, not the ban on it
    "uruguayo false-flor=penalised | 4 | dealer P0 | mode umpire | deal P1 4B 5C 6E, muestra 7O | P1 flor": (
        "score",
        "false-flor-costs",
    ),
}
"""The same of lines."""


@pytest.mark.long
def test_a_number_of_players_in_a_line_names_them_on_the_page(one: Path) -> None:
    lines = [f"paulista | {players} | dealer P3 | P0 truco" for players in ("4", "P0 P1 P2 P3")]
    by_number, by_name = asked(one, "decided", [{"table": "paulista.4", "line": line} for line in lines])
    assert by_number == by_name


@pytest.mark.long
def test_what_decided_an_argument_is_named_by_the_page(more: Path) -> None:
    logs = [read_file(shipped.folder("docs") / "disputes" / f"{name}.yaml") for name in DECIDED]
    logs += map(read_line, DECIDED_OF_LINES)
    lines = [{"table": f"{log.variant}.{len(log.players)}", "line": write_line(log)} for log in logs]
    wanted = [*DECIDED.values(), *DECIDED_OF_LINES.values()]
    for (seen, statement), why in zip(wanted, asked(more, "decided", lines), strict=True):
        assert statement == why[seen][0]


def deciding(log: Log) -> dict[str, set[str]]:
    """What Python says gave the table what it observes after the last move: statements with a sentence, and rules."""
    replay = Replay(log)
    for _ in replay.steps():
        pass
    game, found = replay.game, {}
    for seen in SEEN:
        if decisive := decisive_step(game, seen):
            names, answers = value_from(game, game.history[-1], *decisive, f"table.{seen}")
            sources = ((name, source_of(game.graph, (asked, name))) for asked, name in answers)
            found[seen] = {*names, *(name for name, source in sources if source and source.prose)}
            found[seen] |= {name for answer in answers for name in passed_on(game.graph, *answer)}
    return found


def passed_on(graph: Graph, asked: str, name: str) -> set[str]:
    """The answers of the question to which this answer leaves it, as a prize is left to the full worth of an envido."""
    answers = graph.defines[asked].answers if asked in graph.defines else ()
    left_to = (answer.value.value for answer in answers if answer.name == name and answer.value.op == "ask")
    return {answer.name for question in left_to for answer in graph.defines[question].answers}


@pytest.mark.parametrize(
    "count", [pytest.param(80, marks=pytest.mark.long), pytest.param(1_000, marks=pytest.mark.campaign)]
)
def test_what_decided_random_logs_is_named_first_as_python_says(more: Path, count: int) -> None:
    rng, decided = random.Random(9), list[dict[str, set[str]]]()
    logs: list[dict[str, str]] = []
    while len(logs) < count:
        table = MORE[len(logs) % len(MORE)]
        try:
            log = random_log(table, rng, rng.randrange(4, 22), random_options(table, rng))
            decided.append(deciding(log))
        except LogError:  # a refused move, or options that do not go together
            continue
        logs.append({"table": f"{table[0]}.{table[1]}", "line": write_line(log)})
    wrong = [
        (log["line"], seen, why.get(seen), told.get(seen))
        for log, why, told in zip(logs, asked(more, "decided", logs), decided, strict=True)
        for seen in SEEN
        if (seen in why) != (seen in told) or (seen in told and why[seen][0] not in told[seen])
    ]
    assert wrong == []
    assert sum(map(len, decided)) > count / 5


# ---- hostile links ----------------------------------------------------------------------------------


def hostile_fragments(rng: random.Random, count: int) -> Iterator[str]:
    good = "paulista/ana+bia+caio+davi/dealer+ana/deal+vira+JH,ana+4C+QD/bia+3C,caio+truco,davi+aceito"
    signs = [
        *"|/+,%=()<>&\"'\0\u202e\ud7ff…",
        "%00",
        "%FF",
        "<script>",
        "deal ",
        "__proto__",
        "constructor",
        "9" * 30,
        " | ",
    ]
    for _ in range(count):
        text = list(good)
        for _ in range(rng.randrange(1, 12)):
            at = rng.randrange(len(text) + 1)
            match rng.randrange(4):
                case 0:
                    text[at:at] = [rng.choice(signs)]
                case 1:
                    del text[at : at + rng.randrange(9)]
                case 2:
                    text[at:at] = text[: rng.randrange(40)]
                case 3:
                    text[at:at] = [rng.choice(signs)] * rng.randrange(1, 40)
        yield "".join(text)
    yield from ("paulista/toString+valueOf+c+constructor", "paulista/a+b+c+d/deal+__proto__+4C/a+truco")
    yield from ("x" * 100_000, "%" * 50, "+".join(["paulista"] * 500), "/" * 5000, good + ",bia+corro" * 400)


@pytest.mark.parametrize("count", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_a_hostile_link_is_a_fault_or_a_game(one: Path, count: int) -> None:
    variant, seats = ONE[0]
    given = {"table": f"{variant}.{seats}", "fragments": list(hostile_fragments(random.Random(3), count))}
    found = asked(one, "hostile", given)
    assert 0 < found["played"] < found["read"] < count


def test_every_question_that_draws_a_table_is_one_of_some_game() -> None:
    known = {name for variant in ("paulista", "uruguayo") for name in load(variant).defines}
    assert {board().best, *board().above} <= known
    assert set(board().first) == set(shipped.LANGUAGES)
