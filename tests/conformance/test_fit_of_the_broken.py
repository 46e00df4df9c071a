"""What ``fit`` and the causes of ``test`` say of an implementation that is unsteady, crashes half the time, or is
silent: what can be said, after a bounded number of questions.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from alarm import alarm
from test_fit import PAULISTA, replies_of
from test_fit import told as printed

from bench.fits import Miniature
from truco_spec.conformance.adapters.pipe import Broken
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.filling import notation
from truco_spec.conformance.corpus.protocol import Script, Seen
from truco_spec.conformance.fit.evidence import steady, without_unsteady
from truco_spec.conformance.fit.fit import Search, search
from truco_spec.conformance.fit.fit_report import causes_of, data_of_fit, text_of_fit
from truco_spec.conformance.fit.hypothesis import TooLong, at_most, begin, difference
from truco_spec.conformance.fit.trying import BRIEF, DOUBTING, SEARCHING
from truco_spec.conformance.fit.weighing import OutOfTime
from truco_spec.conformance.fuzz.trial import MOST_SILENT
from truco_spec.conformance.runner.runner import run

NEVER = PAULISTA.under("covering", "never")


class Counting(Miniature):
    """It covers no card, and counts what it is asked."""

    count = 0

    def __init__(self) -> None:
        super().__init__(NEVER)

    def run(self, script: Script) -> Seen:
        self.count += 1
        return super().run(script)


class Crashing(Counting):
    """Every second script it crashes."""

    def run(self, script: Script) -> Seen:
        seen = super().run(script)
        if self.count % 2:
            raise Broken("crash", "gone")
        return seen


class Unsteady(Counting):
    """Every second answer has another stake."""

    def run(self, script: Script) -> Seen:
        seen = super().run(script)
        odd = {"stake": 1 + self.count % 2}
        return tuple(replace(hand, start={**hand.start, **odd}) for hand in seen)


class Dead(Counting):
    """It answers nothing."""

    def run(self, script: Script) -> Seen:
        super().run(script)
        raise Broken("timeout", "no answer")


def test_who_crashes_half_the_time_is_asked_till_it_is_enough_and_explained_by_what_was_heard() -> None:
    engine = Crashing()
    evidence = replies_of(engine)
    assert evidence.silent == {"crash": MOST_SILENT}
    assert engine.count <= 2 * MOST_SILENT
    begin(evidence, {})
    fit = Search(evidence, None, effort=BRIEF, ask=lambda script: steady(engine, script)).fit()
    assert engine.count <= 2 * MOST_SILENT + 60
    assert {cause.option for cause in fit.options} <= {"covering"}
    assert not fit.causes
    name, script = evidence.unanswered["crash"]
    told = text_of_fit(fit)
    assert f"{MOST_SILENT} scripts without an answer: crash" in told
    assert "Nothing more was asked after these" in told
    assert name in told
    assert notation(script)[:60] in told


class Garbles(Counting):
    """What it answers cannot be read."""

    def run(self, script: Script) -> Seen:
        super().run(script)
        raise Broken("protocol", "no answer of JSON")


def test_who_answers_what_cannot_be_read_is_not_asked_for_ever() -> None:
    """Each time its process is started anew."""
    engine = Garbles()
    assert replies_of(engine).silent == {"protocol": MOST_SILENT}
    assert engine.count == MOST_SILENT


@pytest.mark.long
def test_nothing_is_explained_by_unsteady_answers_and_the_search_ends() -> None:
    engine = Unsteady()
    evidence = replies_of(engine, 30)
    plain = [n for n, reply in enumerate(evidence.replies) if difference(PAULISTA, reply, evidence.introduction)]
    left = without_unsteady(evidence, engine, plain)
    assert len(left.unsteady) > 5
    begin(left, {})
    fit = Search(left, None, effort=BRIEF, ask=lambda script: steady(engine, script)).fit()
    assert (fit.causes, fit.asked) == ([], 0)
    assert not fit.explained
    assert "Answered otherwise when asked again" in text_of_fit(fit)
    assert engine.count < 200


@pytest.mark.long
def test_a_search_that_is_broken_off_reports_what_it_took() -> None:
    evidence = replies_of(Counting())
    begun = Search(evidence, None, effort=BRIEF)
    begun.explained()
    fit = begun.stopped(KeyboardInterrupt())
    assert ([cause.option for cause in fit.options], fit.explained) == (["covering"], False)
    assert text_of_fit(fit).endswith("What was found until then has not been doubted yet.")
    assert data_of_fit(fit)["stopped"]

    def interrupted(what: str, done: int, of: int) -> None:
        raise KeyboardInterrupt

    evidence.replies[20:] = []
    assert isinstance(search(evidence, 1, lambda script: None, interrupted).stopped, KeyboardInterrupt)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="processor time is not measured here")
def test_a_limit_that_is_swallowed_comes_again() -> None:
    """As by a callback of the garbage collector, in which nothing can be raised."""
    with alarm(60), pytest.raises(TooLong), at_most(0.01):
        _go_on_once()


def _go_on_once() -> None:
    for kind in (TooLong, KeyError):
        with contextlib.suppress(kind):
            while True:
                pass


def test_a_search_whose_time_is_over_reports_what_it_took() -> None:
    evidence = replies_of(Counting(), 20)
    found = search(evidence, 1, lambda script: None, seconds=0)
    assert isinstance(found.stopped, OutOfTime)
    assert text_of_fit(found).endswith("What was found until then has not been doubted yet.")
    late = Search(evidence, None, ends=time.monotonic() + 1000)
    late.began -= 2000
    assert (late.is_late(SEARCHING), late.is_late(DOUBTING), late._may_try("changes")) == (True, False, False)
    assert [*late.beyond] == ["changes"]


@pytest.mark.parametrize("kind", [Crashing, Unsteady, Dead])
def test_the_causes_of_a_run_blame_no_rule_for_a_broken_engine(kind: type[Counting]) -> None:
    engine = kind()
    cases = chosen(
        variants=("paulista",), names=("nowadays-two-rank-01", "nowadays-two-hand-01", "nowadays-two-tie-01")
    )
    results = run(cases, engine)
    assert "pass" not in {result.verdict for result in results if kind is Dead}
    assert causes_of(results, engine.hello()) == ()


ADAPTER = """import json, os, sys
sys.path.insert(0, {here!r})
from wrong_adapter import House
engine, runs = House(), 0
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "bye":
        break
    answer = engine.hello()
    if request["do"] == "run":
        runs += 1
        if runs % 2 == 0:
            os._exit(3)
        answer = engine.run(request["script"])
    print(json.dumps({{"id": request["id"], **answer}}), flush=True)
"""


@pytest.mark.long
def test_the_verb_tells_it_of_a_process_that_dies_at_every_second_script(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter = tmp_path / "adapter.py"
    adapter.write_text(ADAPTER.format(here=str(Path(__file__).parent)), encoding="utf-8")
    status, shown = printed(capsys, "fit", "--hands", "0", "--json", "--", sys.executable, str(adapter))
    assert status == 1, shown
    found = json.loads(shown)
    assert found["silent"] == {"crash": MOST_SILENT}
    assert found["answered"] <= MOST_SILENT + 30
    assert "score-hand" in {cause["rule"] for cause in found["causes"]}
