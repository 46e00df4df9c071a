"""The second body of a graph, WebAssembly, plays as the first does, and refuses as soundly."""

from __future__ import annotations

import pickle
import random
import sys

import pytest
from tiny import linked

from bench.lockstep import OutOfStep, Pairing
from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.engine import Action, Game, PlayError
from truco_spec.engine.ruling import ArgumentError, drawn_by
from truco_spec.engine.support import CHANCE
from truco_spec.engine.text import TextError
from truco_spec.engine.wasm.expressions import WasmExpressions
from truco_spec.engine.wasm.native import MissingRuntime, NativeGame, UnusableRuntime, is_installed
from truco_spec.engine.wasm.random_play import Deal, Draw, deal_of, planned, regular
from truco_spec.graph.fold import specialise
from truco_spec.graph.load import load
from truco_spec.graph.operations import OPERATIONS

QUICK = ("fisch", "paulista-wp", "venezolano")
MODES = ("strict", "umpire")
PASS = Action(0, "pass")
AGREE = 'rule {} @decided:tiny "A rule." in start by everyone may pass do {} '


def tiny(*effects: str) -> NativeGame:
    """A game of a rule for each of these effects of passing."""
    return NativeGame(linked(" ".join(AGREE.format(f"r{at}", effect) for at, effect in enumerate(effects))))


# ---- in step with Python -------------------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", QUICK)
def test_both_bodies_play_the_same_hands(variant: str, mode: str) -> None:
    found = Pairing(load(variant), mode, random.Random(1)).play(5)
    assert found["hands"] >= 5
    assert found["actions"] > 40


@pytest.mark.sample(0, long=10)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", variant_names())
def test_both_bodies_play_the_same_hands_of_every_variant(variant: str, mode: str) -> None:
    Pairing(load(variant), mode, random.Random(2)).play(40)


def test_a_body_that_is_out_of_step_is_found() -> None:
    pair = Pairing(load("paulista"), "strict", random.Random(3))
    pair.play(1)
    position = pair.native.position
    slot = pair.native.layout.names.index("truco.level")
    position[slot] += 1
    pair.native.position = position
    with pytest.raises(OutOfStep, match=r"position: .*truco\.level"):
        pair.step()


# ---- random play ---------------------------------------------------------------------------------


class Dice:
    """The generator of ``runtime.wat``: xorshift64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, count: int) -> int:
        for shift in (13, -7, 17):
            moved = self.state << shift if shift > 0 else self.state >> -shift
            self.state = (self.state ^ moved) % 2**64
        return (self.state >> 33) * count >> 31


def chosen(game: Game, dice: Dice) -> Action | None:
    """What is played next: a draw that is tried until it is permitted, or one of all permitted actions."""
    drawing, legal = drawn_by(game), game.legal_actions()
    if drawing is None:
        return legal[dice.below(len(legal))] if legal else None
    for _ in range(100):
        args = tuple(low + dice.below(high - low + 1) for low, high, _ in game.program.domains[drawing.verb])
        action = Action(CHANCE, drawing.verb, args)
        if action in legal:
            return action
    return None


@pytest.mark.sample(0, long=14)
@pytest.mark.parametrize("variant", variant_names())
def test_random_play_goes_as_python_goes_by_the_same_dice(variant: str) -> None:
    native, game, dice = NativeGame(load(variant)), Game(load(variant)), Dice(7)
    for _ in range(400):
        if action := chosen(game, dice):
            game.push(action)
        else:
            game = Game(game.graph)
    native.play(7, 400)
    assert native.position == [int(value) for value in game.position]


@pytest.mark.parametrize("variant", ["fisch", pytest.param("paulista", marks=pytest.mark.long)])
def test_random_play_can_stop_at_any_moment_of_a_deal(variant: str) -> None:
    native, game, dice = NativeGame(load(variant)), Game(load(variant)), Dice(7)
    for count in range(1, 45):
        action = chosen(game, dice)
        assert action is not None
        game.push(action)
        native.begin()
        native.play(7, count)
        assert native.position == [int(value) for value in game.position]


# ---- what random play leaves out, and does at once -----------------------------------------------


def test_what_only_a_penalty_changes_is_a_constant_of_random_play() -> None:
    graph = linked(UNREADY)
    found = regular(specialise(graph))
    assert found.data["ready"] == 0
    assert found.phases == {"start"}
    assert "score" in found.data
    assert "count-down" not in found.data


def test_random_play_goes_on_from_what_only_a_penalty_leads_to() -> None:
    native = NativeGame(linked(UNREADY), mode="umpire")
    native.push(Action(1, "pass"))
    native.play(7, 3)
    assert native.position[0] == native.layout.number["later"]
    assert native.position[native.layout.blocks["count-down"].base] == 0


def test_what_is_counted_from_its_first_value_is_known_to_be_a_number() -> None:
    graph = linked('rule on @decided:tiny "A rule." in start by {turn} may pass do count-down -= 1, turn = next(turn) ')
    found, native = regular(specialise(graph)), NativeGame(graph)
    assert "count-down" in found.settled
    assert "turn" not in found.settled
    with pytest.raises(PlayError):
        native.play(7, 5)
    native.begin()
    native.position = [9 if value == 3 else value for value in native.position]
    assert not found.holds(native.layout, native.position)


def test_a_circle_of_automatic_rules_is_an_error_of_random_play() -> None:
    graph = linked(
        'phase round "It turns." rule go @decided:tiny "A rule." in start by {turn} may pass do then later '
        'rule there @decided:tiny "A rule." in later do then round '
        'rule back @decided:tiny "A rule." in round do then later '
    )
    native = NativeGame(graph)
    before = native.position
    for _ in range(2):
        with pytest.raises(PlayError, match="rules fail"):
            native.play(7, 5)
        assert native.position == before


@pytest.mark.parametrize("players", ["2", "4"])
def test_a_deal_is_known_by_who_deals(players: str) -> None:
    deal = dealt(DEALING, players=players)
    assert deal is not None
    assert deal.longest == len(deal.begun) == int(players)
    first = [node.place for node in deal.begun.values() if isinstance(node, Draw)]
    assert len(set(first)) == int(players)


@pytest.mark.parametrize("looks", ["rank(c) is A", "c is AS", "shown is c", "(first card x in pack) is c"])
def test_a_rule_that_looks_at_a_card_ends_the_deal(looks: str) -> None:
    rule = f'rule look @decided:tiny "A rule." in round on draw(c) when {looks} do count-down = 0 '
    assert (dealt(DEALING + rule) is None) != (looks == "shown is c")


def test_random_play_goes_on_where_happens_what_no_deal_shows() -> None:
    late = (
        "datum stage : 0 .. 3 = 0 fresh each round "
        'rule sit @decided:tiny "A rule." in later by {dealer} may pass do stage += 1 '
        'rule late @decided:tiny "A rule." in later when stage > 0 do dealer = next(dealer), then round '
    )
    graph = linked(DEALING[: DEALING.index("rule on")] + late)
    _, deal = planned(specialise(graph))
    assert deal is not None
    assert deal.idle == {"late"}
    native, game, dice = NativeGame(graph), Game(graph), Dice(7)
    for _ in range(20):
        action = chosen(game, dice)
        assert action is not None
        game.push(action)
    native.play(7, 20)
    assert native.position == [int(value) for value in game.position]


def dealt(statements: str, **options: object) -> Deal | None:
    graph = linked(statements, **options)
    return deal_of(graph, regular(specialise(graph)))


DEALING = (
    'phase round "A card for each." datum dealer : seat = first seat s '
    "datum held(s : seat) : pile fresh each round seen by s "
    'action draw(c : card) possible when c in pack written "{c}" '
    'rule open @decided:tiny "A rule." in start do then round '
    'rule deal @decided:tiny "A rule." in round by chance may draw(c) '
    "do move c to held(first seat s from dealer : size(held(s)) is 0) "
    'rule go @decided:tiny "A rule." in round when every seat s : size(held(s)) is 1 do then later '
    'rule on @decided:tiny "A rule." in later by everyone may pass do dealer = next(dealer), then round '
)
"""Everybody is dealt a card, the dealer first."""


UNREADY = (
    'rule may @decided:tiny "A rule." in start by {turn} may pass when count-down > 0 do count-down -= 1 '
    'rule bar @decided:tiny "A rule." in start by everyone must not pass when me is not turn lest ready = yes '
    'rule go @decided:tiny "A rule." in start when ready do then later '
    'rule on @decided:tiny "A rule." in later by everyone may pass when count-down > 0 do count-down -= 1 '
)
"""Who is not on turn passes nevertheless, and all goes on elsewhere."""


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_operation_can_be_written(op: str) -> None:
    assert (op in WasmExpressions.tests) != (op in WasmExpressions.writers)


# ---- rules that fail -----------------------------------------------------------------------------


def test_a_value_out_of_its_range_is_a_fault_that_changes_nothing() -> None:
    game = tiny("count-down -= 2")
    assert game.push(PASS) == "permitted"
    before = game.position
    with pytest.raises(PlayError):
        game.push(PASS)
    assert game.position == before


def test_rules_that_disagree_are_a_fault_that_changes_nothing() -> None:
    game = tiny("count-down = 1", "count-down = 2")
    before = game.position
    with pytest.raises(PlayError):
        game.push(PASS)
    assert game.position == before


def test_rules_that_agree_both_fire() -> None:
    game = tiny("count-down = 1", "count-down = 1")
    assert game.push(PASS) == "permitted"
    assert game.fired() == [["r0", "r1"]]


def test_rules_that_go_round_in_a_circle_are_stopped() -> None:
    turns = "".join(
        f'rule r{at} @decided:tiny "A rule." in start when count-down is {at} do count-down = {1 - at} '
        for at in range(2)
    )
    start = {"count-down": 1}
    with pytest.raises(PlayError):
        NativeGame(linked(turns), start=start)


def test_a_game_goes_on_after_a_fault() -> None:
    game = tiny("count-down -= 2")
    begun, before = game.mark(), game.position
    game.push(PASS)
    later = game.mark()
    with pytest.raises(PlayError):
        game.push(PASS)
    assert game.mark() == later
    game.undo(begun)
    assert game.position == before
    assert game.push(PASS) == "permitted"


def test_a_script_in_one_call_goes_as_one_action_after_another() -> None:
    game, other = tiny("count-down -= 1"), tiny("count-down -= 1")
    script = [PASS, Action(0, "sing"), Action(0, "play", (70000,)), Action(5, "pass"), PASS]
    assert game.push_all(script) == [other.push(action) for action in script]
    assert game.position == other.position
    assert not game.push_all([])


def test_rules_that_fail_end_a_script() -> None:
    game, other = tiny("count-down -= 2"), tiny("count-down -= 2")
    other.push(PASS)
    with pytest.raises(PlayError):
        game.push_all([PASS, PASS, Action(0, "sing")])
    assert game.position == other.position
    assert game.mark() == other.mark()


# ---- actions from outside ------------------------------------------------------------------------

IMPOSSIBLE = [
    Action(0, "sing"),
    Action(200, "pass"),
    Action(-2, "pass"),
    Action(0, "play", (70000,)),
    Action(0, "play", (-70000,)),
    Action(0, "play", (-1,)),
    Action(0, "play"),
    Action(0, "play", (0, 0)),
    Action(0, "pass", (0,)),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("action", IMPOSSIBLE, ids=str)
def test_an_action_that_there_is_not_is_impossible_and_changes_nothing(action: Action, mode: str) -> None:
    game = NativeGame(linked(AGREE.format("r", "count-down -= 1")), mode=mode)
    before = game.position
    assert game.push(action) == "impossible"
    assert game.position == before


@pytest.mark.parametrize("args", [("0",), (0.0,), (None,), ([0],)], ids=repr)
def test_arguments_are_whole_numbers(args: tuple[object, ...]) -> None:
    game = NativeGame(linked(""))
    before = game.position
    with pytest.raises(ArgumentError):
        game.push(Action(0, "play", args))  # type: ignore[arg-type]
    assert game.position == before


# ---- without a runtime ---------------------------------------------------------------------------


def test_a_runtime_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    assert not is_installed()
    with pytest.raises(MissingRuntime, match=r'pip install "truco-spec\[native\]"'):
        NativeGame(linked(""))


@pytest.mark.parametrize("error", [MissingRuntime(), UnusableRuntime("no memory"), TextError("no card", "4C")])
def test_a_worker_process_hands_an_error_over_whatever_its_constructor_takes(error: TrucoError) -> None:
    told = pickle.loads(pickle.dumps(error))
    assert (type(told), str(told), vars(told)) == (type(error), str(error), vars(error))
