"""``truco-spec build``: what it writes plays in Node as Python does."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.books.bundle import files_of
from truco_spec.cli import main
from truco_spec.engine.game import Game, IllegalAction
from truco_spec.engine.observe import cards_seen, observe
from truco_spec.engine.sample import any_action, random_action
from truco_spec.engine.text import TextError, parse_action
from truco_spec.graph.load import load

HERE = Path(__file__).parent
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
QUICK = ("paulista",)
OPTIONS: dict[str, dict[str, Any]] = {"strict": {"table-talk": "heard"}, "umpire": {}}
"""By mode: also where all may talk, the game waits for one."""


def told(game: Game) -> dict[str, Any]:
    """Everything that the library can be asked."""
    return {
        "legal": [game.text(action) for action in game.legal_actions()],
        "observe": observe(game),
        "views": {player: sorted(cards_seen(game, seat)) for seat, player in enumerate(game.players)},
    }


def played(game: Game, rng: random.Random, actions: int) -> list[dict[str, Any]]:
    """Random actions, permitted or not, with what was seen before each."""
    steps = []
    for _ in range(actions):
        wrong = rng.random() < 0.2
        action = None if wrong else random_action(game, rng)
        action = action or any_action(game.graph, rng, rng.choice(list(game.graph.actions)))
        text = game.text(action)
        try:
            if len(parse_action(game.graph, text, game.players)) > 1:
                continue
        except TextError:
            continue
        before, fired, forbid = told(game), list[str](), list[str]()
        try:
            event = game.push(action)
            status, fired = event.status, [name for step in event.steps for name in step.rules]
        except IllegalAction as refused:
            status = refused.ruling.status
            forbid = [rule.name for rule in refused.ruling.rules] if status == "forbidden" else []
        step = {"text": text, "before": before, "status": status, "forbid": forbid}
        steps.append({**step, "fired": fired, "happens": bool(fired)})
    return steps


@pytest.mark.sample(1, long=6)
@needs_node
@pytest.mark.parametrize("mode", ["strict", "umpire"])
@pytest.mark.parametrize(
    "variant", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in variant_names()]
)
def test_in_node_it_is_the_same_game(variant: str, mode: str, tmp_path: Path) -> None:
    graph, rng = load(variant, **OPTIONS[mode]), random.Random(f"{variant} {mode}")
    for name, content in files_of(graph):
        (tmp_path / name).write_bytes(content)
    players = [f"p{seat}" for seat in range(graph.seats)]
    game = Game(graph, players=players, mode=mode, start={"score": {0: 4}})
    steps = {"players": players, "mode": mode, "start": {"score": {"p0": 4}}, "steps": played(game, rng, 150)}
    command = ["node", str(HERE / "replay.mjs"), str(tmp_path), variant]
    done = subprocess.run(command, input=json.dumps(steps), text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout.split()[0]) > 40


def test_the_folder_holds_the_rules_and_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["build", "nowadays", "players=2", "-o", str(tmp_path / "a" / "b"), "--npm"])
    assert end.value.code == 0
    names = {path.name for path in (tmp_path / "a" / "b").iterdir()}
    assert names == {"nowadays.wasm", "nowadays.json", "truco.js", "truco.d.ts", "package.json"}
    data = json.loads((tmp_path / "a" / "b" / "nowadays.json").read_text(encoding="utf-8"))
    assert (data["seats"], data["options"]["players"]) == (2, "2")
    package = json.loads((tmp_path / "a" / "b" / "package.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[a-z]+\.\d+)?", package["version"])
    rule = next(rule for rule in data["rules"] if rule["name"] == "play-card")
    assert rule["clauses"] and len(set(rule["text"].values())) == 3
    assert (tmp_path / "a" / "b" / "nowadays.wasm").stat().st_size < 300_000
    assert (tmp_path / "a" / "b" / "truco.js").stat().st_size < 15_000
    assert "nowadays.wasm" in capsys.readouterr().out


@pytest.mark.long
def test_two_builds_are_equal(tmp_path: Path) -> None:
    made = []
    for seed in "12":
        told = os.environ | {"PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(tmp_path / seed / "cache")}
        command = [sys.executable, "-m", "truco_spec", "build", "uruguayo", "--npm", "-o", str(tmp_path / seed / "out")]
        subprocess.run(command, env=told, check=True, capture_output=True)
        made.append({path.name: path.read_bytes() for path in (tmp_path / seed / "out").iterdir()})
    assert made[0] == made[1]


PLAY_ALL = """
import { Truco } from "truco-games";
import listed from "truco-games/variants.json" with { type: "json" };

let seed = 7;
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
for (const { names } of listed.variants)
  for (const [players, name] of Object.entries(names)) {
    const game = await Truco.load(name);
    for (let hand = 0; hand < 3 && !game.over; hand++)
      do { game.draw(random); if (!game.over) game.push(game.legalActions()[0]); }
      while (!game.over && game.observe().hand === null);
    console.log(name, game.players.length === Number(players), game.history.length > 9);
  }
"""


@pytest.mark.long
@needs_node
def test_the_package_of_all_games_is_installed_and_played(tmp_path: Path) -> None:
    made, home = tmp_path / "made", tmp_path / "home"
    with pytest.raises(SystemExit) as end:
        main(["build", "--all", "--npm", "-o", str(made)])
    assert end.value.code == 0
    home.mkdir()
    if shutil.which("npm"):
        quiet = ("--silent", "--offline", "--cache", str(tmp_path / "cache"))
        subprocess.run(["npm", "pack", *quiet, "--pack-destination", str(home)], cwd=made, check=True)
        (packed,) = home.iterdir()
        subprocess.run(["npm", "install", *quiet, "--no-audit", "--no-fund", f"./{packed.name}"], cwd=home, check=True)
    else:
        shutil.copytree(made, home / "node_modules" / "truco-games")
    example = (home / "node_modules" / "truco-games" / "README.md").read_text(encoding="utf-8").split("```")[1]
    for name, text in (("first.mjs", example.removeprefix("js")), ("all.mjs", PLAY_ALL)):
        (home / name).write_text(text, encoding="utf-8")
        command = ["node", "--no-warnings", name]
        done = subprocess.run(command, cwd=home, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    played = [line.split() for line in done.stdout.splitlines()]
    assert {tuple(rest) for _, *rest in played} == {("true", "true")}
    assert {name.rpartition("-")[0] for name, *_ in played} == set(variant_names())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Name a VARIANT"),
        (["nowadays", "--all"], "Name a VARIANT"),
        (["nowadays", "players=9"], "“players” is one of"),
        (["nowadays", "deck"], "not of the form name=value"),
        (["nix"], "There is no such variant"),
        (["half.truco"], "half: error: It has no players"),
    ],
)
def test_what_cannot_be_built_is_one_line(
    words: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("half.truco").write_text('variant half {\n  title "Half"\n}\n', encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(["build", *words, "-o", str(tmp_path / "out")])
    assert end.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@needs_node
def test_wrong_input_in_node_is_an_error_with_a_name(tmp_path: Path) -> None:
    for name, content in files_of(load("nowadays")):
        (tmp_path / name).write_bytes(content)
    script = f"""
        import {{ Truco }} from "{tmp_path}/truco.js";
        const make = (setup) => Truco.load("{tmp_path}/nowadays", setup);
        const wrong = async (what) => {{
          try {{ await what(); console.log("nothing"); }} catch (e) {{ console.log(e.name); }}
        }};
        const game = await make({{}});
        await wrong(() => make({{ players: ["a"] }}));
        await wrong(() => make({{ players: ["a b", "c", "d", "e"] }}));
        await wrong(() => make({{ players: ["chance", "c", "d", "e"] }}));
        await wrong(() => make({{ players: [1, 2, 3, 4] }}));
        await wrong(() => make({{ mode: "kind" }}));
        await wrong(() => make({{ start: {{ nothing: 1 }} }}));
        await wrong(() => make({{ start: {{ score: {{ P0: 999 }} }} }}));
        await wrong(() => make({{ start: {{ score: {{ P9: 1 }} }} }}));
        await wrong(() => make({{ start: {{ score: 3 }} }}));
        await wrong(() => game.push("zoe 4C"));
        await wrong(() => game.push("P0 tirulirula"));
        await wrong(() => game.push("P0 4C"));
        await wrong(() => game.view("zoe"));
        await wrong(() => game.legalActions("zoe"));
        await wrong(() => game.draw(() => 1));
        game.legalActions("chance");
        await wrong(() => game.pop());
        await wrong(() => game.perft(0));
        const among = (...players) => new Truco(game.rules, game.module, {{ players }});
        among("a,b", "c", "d", "e").keys("c truco");
        await wrong(() => among("a", "b,c", "d", "e").keys("c truco"));
        await wrong(() => {{ if (`${{game.keys("P1 retruco")}}` === `${{game.keys("P1 seis")}}`) throw new Error(); }});
    """
    (tmp_path / "wrong.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", str(tmp_path / "wrong.mjs")], text=True, capture_output=True, check=False)
    assert done.stderr == ""
    names = done.stdout.split()
    assert names == ["TextError"] * 11 + ["IllegalAction"] + ["TextError"] * 6 + ["Error"]
