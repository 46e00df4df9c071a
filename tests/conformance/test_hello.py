"""What ``hello`` names and nobody knows is reported in one line each, before anything is played."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tables import THREE, case_file, command

from bench.fits import Miniature
from truco_spec.cli import main
from truco_spec.conformance.adapters.pipe import introduced
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus.corpus import chosen, load_instances
from truco_spec.conformance.corpus.protocol import (
    HelloError,
    Introduction,
    Plays,
    Script,
    Seen,
    introduction_in,
)
from truco_spec.conformance.corpus.vocabulary import mistakes_in
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.fit.hypothesis import Hypothesis, mutants_of_variant
from truco_spec.conformance.runner import runner


def mistakes(plays: Plays, variant: str = "paulista") -> list[str]:
    return list(mistakes_in(Introduction("n", "1", {variant: plays}, ())))


@pytest.mark.parametrize(
    ("plays", "words"),
    [
        (Plays((2,), omits=("covr",)), "omits names “covr”, which nobody says in paulista. Did you mean “cover”?"),
        (
            Plays((2,), itself=("shufle",)),
            "itself names “shufle”, which nobody says in paulista. Did you mean “shuffle”?",
        ),
        (
            Plays((2,), omits=("seis truco",)),
            "omits names “seis truco”. A word is named by its first part, for all its forms: “seis”.",
        ),
        (Plays((2,), omits=("doce!\x1b[0m",)), "omits names “doce!"),
        (
            Plays((2,), always={"tied-hands": "dealer"}),
            "always names “tied-hands”, which is no option of paulista. Did you mean “tied-hand”?",
        ),
        (
            Plays((2,), always={"tied-hand": "nobdy"}),
            "always gives tied-hand the value “nobdy”, which it does not have in paulista. Did you mean “nobody”?",
        ),
        (
            Plays((2, 4), always={"tied-hand": {"2": "dealr", "4": "nobody"}}),
            "always gives tied-hand the value “dealr”, which it does not have in paulista. Did you mean “dealer”?",
        ),
        (
            Plays((2,), always={"tied-hand": {"two": "dealer"}}),
            "always gives tied-hand a value for two players, whom it does not play with.",
        ),
        (Plays((2,), {"moon": ("full",)}), "options names “moon”, which is no option of paulista."),
        (Plays((2,), {"moon": ()}), "options names “moon”, which is no option of paulista."),
        (Plays((2,), {"tied-hand": ("nobody", "dealr")}), "options gives tied-hand the value “dealr”"),
    ],
)
def test_each_unknown_name_is_one_line_with_the_nearest(plays: Plays, words: str) -> None:
    (told,) = mistakes(plays)
    assert told.startswith(words) and told.isprintable()


def test_the_words_that_there_are_are_named_once_and_whole() -> None:
    (told,) = mistakes(Plays((2,), omits=("zzz",)), "argentino")
    words = told.partition("There are: ")[2].rstrip(".").split(", ")
    assert {"son-buenas", "quiero", "cover"} <= {*words}
    assert {"son", "con", "al"}.isdisjoint(words)


def test_of_the_numbers_of_players_one_has_to_be_of_the_game() -> None:
    assert mistakes(Plays((2, 6)), "mineiro") == ["players names no number of players that mineiro has. There are: 4."]
    assert mistakes(Plays((2, 4)), "mineiro") == []


def observing(*names: str, variant: str = "paulista", late: tuple[str, ...] = ()) -> list[str]:
    return list(mistakes_in(Introduction("n", "1", {variant: Plays((2,), late=late)}, names)))


def test_an_observation_that_is_nearly_one_is_a_mistake_and_another_is_somebodys_own() -> None:
    assert observing("acting", "may-speak", "score", "half", "legal", "view", "deal") == []
    (told,) = observing("stakes")
    assert told == "observes names “stakes”, which nobody observes. Did you mean “stake”?"
    assert observing("moonlight") == []


def test_what_comes_late_is_one_of_its_observations() -> None:
    assert observing("score", late=("score",)) == []
    assert observing("score", late=("scores",)) == [
        "late names “scores”, which it does not observe. Did you mean “score”?"
    ]


def test_the_name_of_a_variant_that_is_nearly_one_is_a_mistake_and_another_is_somebodys_own() -> None:
    assert mistakes(Plays((2,)), "paulsta") == [
        "variants names “paulsta”, and there is no such variant. Did you mean “paulista”?"
    ]
    assert mistakes(Plays((2,)), "the-rules-of-our-club") == []


WHOLE = {"name": "n", "version": "1", "variants": {"paulista": {"players": [2]}}, "observes": []}


@pytest.mark.parametrize(
    ("message", "key", "meant"),
    [
        ({"observe": [], "name": "n", "version": "1", "variants": {}}, "observe", "observes"),
        (WHOLE | {"variants": {"paulista": {"players": [2], "allways": {}}}}, "allways", "always"),
        (WHOLE | {"variants": {"paulista": {"players": [2], "omit": []}}}, "omit", "omits"),
        (WHOLE | {"modus": ["strict"], "colour": "red"}, "modus", "modes"),
    ],
)
def test_a_key_that_is_nearly_one_is_a_mistake(message: dict[str, Any], key: str, meant: str) -> None:
    with pytest.raises(HelloError, match=f"There is no key .{key}.. Did you mean “{meant}”"):
        introduction_in(message)


def test_other_keys_are_left_to_later_versions() -> None:
    assert introduction_in(WHOLE | {"colour": "red", "id": "1", "mode": 3, "modes": ["strict"]}).observes == ()


def test_the_reference_names_nothing_unknown() -> None:
    assert list(mistakes_in(Reference().hello())) == []


class PlaysCards(Miniature):
    """It has no words, and says so with one button."""

    def hello(self) -> Introduction:
        claimed = {"players": [2], "omits": ["*"], "itself": ["callo"]}
        told = {"protocol": 1, "name": "n", "version": "1", "variants": {"argentino": claimed}}
        return introduced({**told, "observes": ["acting", "trick", "hand"]})


def test_one_button_omits_all_words_and_hides_no_fault_of_the_cards() -> None:
    rules = Hypothesis("argentino", 2)
    omits = PlaysCards(rules).hello().variants["argentino"].omits
    assert {"truco", "quiero", "mazo", "envido", "flor", "tengo"} < {*omits}
    assert {"*", "cover", "callo", "shuffle"}.isdisjoint(omits)
    first = next(
        n for n, each in enumerate(mutants_of_variant("argentino")) if str(each) == "define equals-lead: always"
    )
    cases = [
        each for each in load_instances("argentino") if each.case.id in ("wikipedia-ranking-03", "wikipedia-truco-03")
    ]
    for engine, verdict in ((rules, "pass"), (replace(rules, changes=(first,)), "fail")):
        played = {each.name: runner.play(each, PlaysCards(engine)) for each in cases}
        assert {each.verdict for each in played.values()} == {verdict, "unsupported"}


@pytest.mark.parametrize("verb", ["test", "fuzz"])
def test_nothing_is_played_and_the_status_is_2(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "r.json"
    words = ["--cases", str(case_file(tmp_path, THREE)), "--report", str(report)] if verb == "test" else []
    with pytest.raises(SystemExit) as end:
        main([verb, *words, "--", *command("always_otherwise")])
    told = capsys.readouterr()
    assert (end.value.code, told.out, report.exists()) == (2, "", False)
    assert re.fullmatch(r"hello: always names “moon”, which is no option of paulista\. .*\n", told.err)


MISSPELT = """
import json, sys
hello = dict(protocol=1, name="n", version="1", variants=dict(paulista=dict(players=[2], allways={})), observes=[])
for line in sys.stdin:
    print(json.dumps(dict(id=json.loads(line)["id"], **hello)), flush=True)
"""


@pytest.mark.parametrize("words", [["test"], ["test", "-j", "2"], ["fuzz"]])
def test_a_key_that_is_nearly_spelt_is_one_line_and_the_status_is_2(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "misspelt.py").write_text(MISSPELT, encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main([*words, "--variant", "paulista", "--", sys.executable, str(tmp_path / "misspelt.py")])
    told = capsys.readouterr()
    assert (end.value.code, told.out) == (2, "")
    assert re.fullmatch(r"hello: .paulista.: There is no key .allways.\. Did you mean “always”\?\n", told.err)


class Brink(Miniature):
    """An engine that asks the first side whether it plays where nobody chooses, and turns up no card."""

    def run(self, script: Script) -> Seen:
        seen = super().run(script)
        if len({*script.score.values()}) > 1 or not any("turn-up" in a.text for h in script.hands for a in h.actions):
            return seen
        choosing = [*script.teams[0]]

        def asks(entry: Mapping[str, Any]) -> Mapping[str, Any]:
            return {**entry, "acting": choosing, "refused": "not-offered"}

        return tuple(
            replace(hand, start={**hand.start, "acting": choosing}, seen=tuple(map(asks, hand.seen))) for hand in seen
        )


@pytest.mark.long
def test_a_word_after_which_nothing_is_compared_is_not_its_own() -> None:
    """It explains all that differs, for nothing is compared then: the engine was told that it turns up cards itself."""
    engine = Brink(Hypothesis("paulista", 4))
    results = runner.run(chosen(variants=("paulista",), players=4), engine)
    assert len([result for result in results if result.verdict == "fail"]) > 2
    assert [cause.claim for cause in causes_of(results, engine.hello()) if cause.claim] == []
