"""An implementation that counts is compared with the reference engine; where it differs, the position and the rule are
named, and nobody is accused for a word that need not be said.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from counting_adapter import Counter, Off

from truco_spec.base.shapes import ShapeError
from truco_spec.cli import main
from truco_spec.conformance.adapters.inprocess import InProcess
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.protocol import HandScript, Script, counts_in
from truco_spec.conformance.runner.dividing import (
    Compared,
    PerftError,
    PerftPosition,
    compared,
    counter,
    load_positions,
)
from truco_spec.logs.line import LogError, read_line

LOG = "paulista | ana bia | dealer ana | deal bia 3C 4D 7S, ana KS JS QS, vira 5H"
ADAPTER = str(Path(__file__).with_name("counting_adapter.py"))
HOUSE = """\
variant house-of-counts extends paulista {
  title "Ours"
  set target 15  @wikipedia:argentino.target-30
}
"""
OURS = """\
from counting_adapter import Counter


class Ours(Counter):
    def hello(self):
        return {**super().hello(), "variants": {"house-of-counts": {"players": [2]}}}
"""
FIRST = dict.fromkeys(("bia 4D", "bia 7S", "bia 3C", "bia truco"), 1)
SCRIPT = Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (HandScript({}, ()),))


def played(adapter: Callable[[], Any], log: str = LOG, depth: int = 3) -> Compared:
    """The comparison with an adapter in this process."""
    return compared(read_line(log), depth, InProcess(adapter), "auto", lambda _: None)


def with_claims(*claims: str) -> Callable[[], Counter]:
    return lambda: Counter(*claims)


class Twisted(Counter):
    """The reference engine, but for what ``twist`` makes of its numbers."""

    def __init__(self, twist: Callable[[dict[str, int], int], Any]) -> None:
        super().__init__()
        self.twist = twist

    def perft(self, script: Mapping[str, Any], depth: int) -> dict[str, Any]:
        return {"counts": self.twist(super().perft(script, depth)["counts"], depth)}


# ---- what is equal -------------------------------------------------------------------------------


@pytest.mark.long
def test_the_reference_engine_is_equal_to_itself() -> None:
    assert played(Counter, depth=5) == Compared(5, 582, 582)


def positions() -> list[Any]:
    return [pytest.param(position, id=position.id) for position in load_positions()]


@pytest.mark.sample(1, long=20)
@pytest.mark.parametrize("position", positions())
def test_a_shipped_position_as_a_script_has_the_stated_numbers(position: PerftPosition) -> None:
    log, stated = read_line(position.log), position.counts[:2]
    found = compared(log, len(stated), Reference(), "auto", lambda _: None)
    if log.start:
        assert found == Compared(left_out="its log begins with “start last-was-pica”, which no script says")
    else:
        assert found == Compared(len(stated), stated[-1], stated[-1])


@pytest.mark.parametrize("claim", ["omits:cover", "itself:shuffle,cut", "itself:aceito"])
def test_words_that_it_claims_not_to_count_are_not_counted(claim: str) -> None:
    plain, found = played(Counter, depth=6), played(with_claims(claim), depth=6)
    assert found.depth == 6
    assert 0 < found.count == found.expected < plain.count


@pytest.mark.long
def test_options_that_it_always_plays_are_played() -> None:
    class Always(Off):
        def hello(self) -> dict[str, Any]:
            plays = {"players": [2], "always": {"counter-as-answer": "off"}}
            return {**super().hello(), "variants": {"paulista": plays}}

    assert played(Always) == Compared(3, 55, 55)
    left_out = "it always plays counter-as-answer off, and so the log cannot be played"
    assert played(Always, LOG + " | bia truco, ana seis") == Compared(left_out=left_out)


def test_an_action_after_which_nothing_follows_may_be_left_out() -> None:
    ended = LOG + " | bia truco, ana aceito, bia 4D, ana QS, ana KS"
    found = played(lambda: Twisted(lambda counts, _: {text: n for text, n in counts.items() if n}), ended)
    assert (found.depth, found.wrong, found.left_out) == (3, False, "")


# ---- what differs --------------------------------------------------------------------------------


def test_a_word_that_is_missing_is_named_with_the_rule_that_permits_it() -> None:
    found = played(Off)
    assert (found.depth, found.count, found.expected) == (2, 14, 15)
    assert found.difference is not None
    assert found.difference.log == LOG + " | bia truco"
    (missing,) = found.difference.missing
    assert (missing.actions, missing.why, list(missing.rules)) == (("ana seis",), "permitted", ["truco.counter"])
    assert "pagat:mineiro.truco.retruco-raises-to-six" in missing.clauses
    assert found.difference.more == ()


@pytest.mark.long
def test_an_action_too_much_is_named_with_the_rule_that_forbids_it() -> None:
    found = played(with_claims("covering=any"))
    assert found.difference is not None
    (more,) = found.difference.more
    assert (more.why, list(more.rules)) == ("forbidden", ["covered-wrongly"])
    assert "bia (3C)" in more.actions
    assert "pagat:mineiro.play.no-face-down-in-first-trick" in more.clauses


def test_a_word_of_no_rule_is_told_so() -> None:
    found = played(lambda: Twisted(lambda counts, _: {**counts, "bia grito": 1}))
    assert found.difference is not None
    (more,) = found.difference.more
    assert more.rules == {}
    assert "neither a card nor anything that is said" in more.why


def test_another_form_of_a_word_is_told_so() -> None:
    def renamed(counts: dict[str, int], _: int) -> dict[str, int]:
        return {text.replace("aceito", "joga"): number for text, number in counts.items()}

    found = played(lambda: Twisted(renamed), LOG + " | bia truco")
    assert found.difference is not None
    assert found.difference.more[0].why == "to be counted as “ana aceito”"


def test_lists_of_the_same_length_are_told_apart() -> None:
    def swapped(counts: dict[str, int], depth: int) -> dict[str, int]:
        if depth == 3:  # the lists tell nothing before
            counts["bia truco"] += 1
        return {
            text.replace("ana corro", "ana 3C"): n + (depth == 2 and text == "ana corro") for text, n in counts.items()
        }

    found = played(lambda: Twisted(swapped), LOG)
    assert (found.depth, found.difference is None) == (3, False)
    assert found.difference is not None
    assert found.difference.log.endswith("| bia truco")
    assert found.difference.missing[0].actions == ("ana corro",)
    assert found.difference.more[0].actions == ("ana 3C",)


def test_numbers_that_do_not_add_up_are_told_so() -> None:
    found = played(lambda: Twisted(lambda counts, depth: {text: n + (depth > 1) for text, n in counts.items()}))
    assert found.difference is not None
    assert (found.difference.missing, found.difference.more) == ((), ())
    assert (found.difference.said, found.difference.got) == (5, 4)


# ---- nobody is accused ---------------------------------------------------------------------------


def test_an_implicit_word_that_it_does_not_count_is_no_fault() -> None:
    found = played(with_claims("lacks:shuffle"), depth=5)
    assert (found.depth, found.wrong) == (2, False)
    assert found.left_out.startswith("from depth 3 on: “shuffle” need not be said")


def test_a_word_that_it_claims_and_counts_all_the_same_is_no_fault() -> None:
    class Counts(Counter):
        def perft(self, script: Mapping[str, Any], depth: int) -> dict[str, Any]:
            return {"counts": dict(self.engine.perft(self.read(script), depth))}

    found = played(lambda: Counts("itself:shuffle,cut"), depth=4)
    assert (found.depth, found.wrong) == (2, False)
    assert found.left_out == "from depth 3 on: it says “shuffle” by itself"


def test_a_fault_behind_an_implicit_word_is_found() -> None:
    found = played(with_claims("lacks:shuffle", "covering=never"), depth=4)
    assert found.difference is not None
    assert "covered" in " ".join(found.difference.missing[0].rules)


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (LOG.replace("paulista", "mineiro-wp").replace(", vira 5H", ""), "it does not play mineiro-wp"),
        ("argentino | a b c d e f | dealer a", "it does not play argentino with 6 players"),
        (LOG.replace("paulista", "paulista tie-lead=last"), "it has no option tie-lead last"),
        (LOG.replace("| deal bia", "| mode umpire | deal bia"), "it has no umpire mode"),
        (LOG + " | bia truco, ana corro", "cards are dealt after its last move; begin the next hand with “deal”"),
    ],
)
def test_what_it_does_not_play_is_skipped_with_the_reason(log: str, reason: str) -> None:
    assert played(Counter, log) == Compared(left_out=reason)


def test_a_log_that_cannot_be_played_is_a_mistake_of_the_log() -> None:
    with pytest.raises(LogError):
        played(Counter, LOG + " | bia 3H")


# ---- what is no answer ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "depth", "told"),
    [
        (None, 1, "counts: Here a mapping"),
        ([4], 1, "counts: Here a mapping"),
        ({"P1 3C": -1}, 2, "counts.P1 3C: Here a number from 0 to 9007199254740991 is wanted, not ‘-1’"),
        ({"P1 3C": 2**53}, 2, "counts.P1 3C: Here a number from 0"),
        ({"P1 3C": 2}, 1, "counts.P1 3C: Here 1, the number of sequences of one action, is wanted, not ‘2’"),
        ({"P1 3C": 0}, 1, "counts.P1 3C: Here 1,"),
        ({"P1 3C": "4"}, 2, "counts.P1 3C: Here"),
        ({"P1 3C": 4.5}, 2, "counts.P1 3C: Here"),
        ({"P1 3C": True}, 1, "counts.P1 3C: Here"),
        ({"ana 3C": 1}, 1, "counts.ana 3C: ‘ana’ is no player of this script: P0, P1."),
        ({"": 1}, 1, "is no player of this script"),
        ({f"P1 {number}": 1 for number in range(1001)}, 1, "counts: More than 1000 actions."),
    ],
)
def test_another_shape_is_no_answer(counts: Any, depth: int, told: str) -> None:
    with pytest.raises(ShapeError) as wrong:
        counts_in({"id": "1", "counts": counts}, SCRIPT, depth)
    assert told in str(wrong.value)


def test_without_counts_there_is_no_answer() -> None:
    with pytest.raises(ShapeError, match="counts is missing"):
        counts_in({"id": "1"}, SCRIPT, 1)


@pytest.mark.parametrize("wrong", [-1, 10**30, "4", None])
def test_a_wrong_number_ends_the_position_as_no_answer(wrong: Any) -> None:
    found = played(lambda: Twisted(lambda counts, depth: counts if depth == 1 else dict.fromkeys(counts, wrong)))
    assert (found.depth, found.wrong) == (1, True)
    assert found.broken is not None
    assert found.broken.verdict == "protocol"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("answer", "verdict"), [("sys.exit(3)", "crash"), ("print('[]')", "protocol"), ("", "timeout")]
)
def test_a_process_that_does_not_answer_costs_one_position(answer: str, verdict: str) -> None:
    hello = json.dumps(Counter().hello())
    lines = (
        "import json, sys",
        "for line in sys.stdin:",
        "    asked = json.loads(line)",
        f"    if asked['do'] == 'hello': print(json.dumps({{**json.loads({hello!r}), 'id': asked['id']}}), flush=True)",
        f"    elif asked['do'] == 'perft' and asked['depth'] == 2: {answer or 'pass'}; sys.stdout.flush()",
        f"    elif asked['do'] == 'perft': print(json.dumps({{'id': asked['id'], 'counts': {FIRST}}}), flush=True)",
    )
    limits = Limits(case=0.7, start=10.0, stray=0.3, bye=0.3)
    with Pipe([sys.executable, "-c", "\n".join(lines)], limits) as pipe:
        for _ in range(2):
            found = compared(read_line(LOG), 3, pipe, "auto", lambda _: None)
            assert found.broken is not None
            assert (found.depth, found.count, found.broken.verdict) == (1, 4, verdict)


def test_who_does_not_claim_to_count_is_not_asked() -> None:
    class Silent(Counter):
        def hello(self) -> dict[str, Any]:
            return {**super().hello(), "observes": ["acting"]}

    with pytest.raises(PerftError, match="counter 1 does not count"):
        counter(InProcess(Silent))


def test_a_refused_action_leads_to_no_position() -> None:
    found = played(lambda: Counter("counter-as-answer=off"), LOG + " | bia truco, ana seis")
    assert found.broken is not None
    assert found.broken.verdict == "error"


# ---- the verb ------------------------------------------------------------------------------------


def ends(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(("perft", *arguments))
    told = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, told.out, told.err


@pytest.mark.long
def test_a_command_that_is_equal_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ends(capsys, "--shipped", "paulista", "--depth", "3", "--", sys.executable, ADAPTER)
    assert (status, err) == (0, "")
    assert [line.split()[1:] for line in out.splitlines()] == [
        ["3", f"{position.counts[2]:,}", "ok"] for position in load_positions(["paulista"])
    ]


@pytest.mark.long
def test_a_command_that_differs_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ends(capsys, LOG, "--", sys.executable, ADAPTER, "counter-as-answer=off")
    assert status == 1
    assert out.splitlines()[:3] == [
        "log   2         14  expected 15",
        f"  log      {LOG} | bia truco",
        "  missing  ana seis: permitted",
    ]


@pytest.mark.long
def test_the_data_of_a_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ends(capsys, "--shipped", "--depth", "2", "--json", "paulista", "--python", f"{ADAPTER}:Off")
    data = json.loads(out)
    assert status == 1
    assert (data["name"], data["version"]) == ("counter", "1")
    first = data["positions"][0]
    assert (first["id"], first["depth"], first["count"], first["expected"]) == ("paulista-opening-2", 2, 14, 15)
    assert first["difference"]["missing"][0]["actions"] == ["ana seis"]


@pytest.mark.long
def test_a_variant_of_ones_own_is_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "house.truco").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "ours.py").write_text(OURS, encoding="utf-8")
    status, out, _ = ends(capsys, str(tmp_path / "house.truco"), LOG, "--python", f"{tmp_path / 'ours.py'}:Ours")
    assert (status, out) == (0, "log   3         61  ok\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((LOG, "--"), "Give the command of an adapter after --."),
        ((LOG, "--divide", "--", "./adapter"), "an adapter is divided where it differs"),
        ((LOG, "--python", "m:C", "--", "./adapter"), "Give either --python or a command, not both."),
        (("--", "./adapter"), "Give a LOG to count from, or --shipped."),
        (("--shipped", "mineiro", "--python", f"{ADAPTER}:Off"), "Nothing was compared."),
        ((LOG, "--", sys.executable, "-c", ""), "ended with exit status 0"),
    ],
)
def test_what_cannot_be_used_ends_with_2(
    arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = ends(capsys, *arguments)
    assert (status, told in err) == (2, True), err
