"""Random play finds what is wrong, and the same every time."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from one_language import foreign
from wrong import DEALER, EARLY, LEADER, REFUSAL, Breaks, Wrong, refused

from release.catalogs import TRANSLATED
from truco_spec.base import shipped
from truco_spec.base.document import markdown_of
from truco_spec.base.processes import processes
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.cli import main
from truco_spec.conformance.adapters.pipe import Limits, Pipe
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.filling import notation
from truco_spec.conformance.corpus.protocol import (
    HandScript,
    HandSeen,
    Introduction,
    Plan,
    Plays,
    Script,
    Seen,
    action_of,
)
from truco_spec.conformance.fuzz.findings import cases_of, document_of, text_of_outcome
from truco_spec.conformance.fuzz.fuzz import FuzzOutcome, fuzz
from truco_spec.conformance.fuzz.generator import Generator, Setting
from truco_spec.conformance.fuzz.rounds import FuzzError, Job
from truco_spec.conformance.fuzz.shrink import clauses_of
from truco_spec.conformance.fuzz.trial import Examiner, asked_by, checks_of, is_as_expected
from truco_spec.conformance.runner import runner
from truco_spec.conformance.runner.judge import judge
from truco_spec.graph.load import load

ADAPTERS = shipped.folder("conformance") / "adapters" / "python"


def outcome(statements: str, hands: int = 60, players: int = 2, seed: int = 1) -> FuzzOutcome:
    return fuzz(Job(partial(Wrong, statements), "paulista", players, {}, seed, hands))


def shown(found: FuzzOutcome) -> list[tuple[str, tuple[str, ...], list[str]]]:
    failures = [each.minimal.failure for each in found.found]
    return [(f.kind, f.decided.statements, [a.text for hand in f.script.hands for a in hand.actions]) for f in failures]


def table(variant: str, players: int, plays: Plays | None = None, seed: int = 1) -> Generator:
    names = tuple(f"P{n}" for n in range(players))
    return Generator(Setting(variant, names, {}, plays or Plays((players,))), random.Random(seed))


class Stays(Wrong):
    """It refuses to go to the mazo, and claims that with four players one goes alone."""

    def __init__(self) -> None:
        super().__init__("", "uruguayo")
        self.plays = Plays((4,), always={"mazo-scope": {"4": "player-only"}})

    def run(self, script: Script) -> Seen:
        hands = list(super().run(script))
        for at, (asked, hand) in enumerate(zip(script.hands, hands, strict=True)):
            number = next((n for n, action in enumerate(asked.actions) if action.say == "mazo"), len(hand.seen))
            hands[at] = replace(hand, seen=(*hand.seen[:number], *refused(hand.seen[number:])))
        return tuple(hands)


@pytest.mark.long
def test_a_script_that_was_cut_down_is_told_by_the_rule_that_is_claimed() -> None:
    found = fuzz(Job(Stays, "uruguayo", 4, {}, 1, 60))
    named = {name for each in found.found for name in each.statements}
    assert "alone-to-mazo" in named <= {*found.setting.graph.rules}
    assert "alone-to-mazo" not in load("uruguayo").rules
    assert all(f"{name}: " in text_of_outcome(found, 1) for name in named)


# ---- what is played -----------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("variant", "players"), [("paulista", 2), ("mineiro", 4), ("uruguayo", 4)])
def test_the_reference_engine_agrees_with_itself(variant: str, players: int) -> None:
    def one() -> Wrong:
        wrong = Wrong("", variant, Reference().hello().observes)
        wrong.plays = Plays((players,))
        return wrong

    assert fuzz(Job(one, variant, players, {}, 3, 30)).found == ()


def test_a_card_that_was_refused_is_expected_where_the_script_that_is_sent_has_it() -> None:
    """Nobody holds the king: in the script that is played it lies in the pack, in the one that is sent with P1."""
    deal = {"P1": ("3C", "3S", "3H"), "P2": ("2H", "2C", "3D"), "P3": ("2S", "AC", "2D"), "P0": ("AH", "AD", "AS")}
    hand = HandScript({"vira": ("JS",), **deal}, tuple(map(action_of, ("P0 turn-card", "P1 (KC)", "P0 turn-card"))))
    names = ("P0", "P1", "P2", "P3")
    script = Script("fisch", {}, names, (("P0", "P2"), ("P1", "P3")), "P0", {"P0": 9, "P1": 11}, "strict", (hand,))
    itself = Wrong("", "fisch", Reference().hello().observes)
    itself.plays = Plays((4,))
    assert Examiner(itself).failure(script) is None


class Peeks(Wrong):
    """P0 sees the seven of clubs, wherever it lies."""

    def run(self, script: Script) -> Seen:
        def told(entry: Mapping[str, Any]) -> dict[str, Any]:
            view = entry.get("view", {})
            return {**entry, "view": {**view, "P0": sorted({*view["P0"], "7C"})}} if view else dict(entry)

        return tuple(HandSeen(tuple(map(told, hand.seen)), told(hand.start)) for hand in super().run(script))


def test_who_sees_a_card_of_the_pack_is_told_by_who_sees_cards_and_not_by_which_there_are() -> None:
    deal = {"P1": ("3C", "3S", "3H"), "P0": ("2H", "2C", "3D")}
    hand = HandScript({"vira": ("JS",), **deal}, (action_of("P1 3C"),))
    script = Script("paulista", {}, ("P0", "P1"), (("P0",), ("P1",)), "P0", {}, "strict", (hand,))
    failure = Examiner(Peeks("", "paulista", (*Reference().hello().observes,))).failure(script)
    assert failure is not None
    assert failure.kind == "view"
    assert clauses_of(failure) == ("decided:hand-privacy-base-rule",)


def test_the_same_seed_plays_the_same_hands_and_another_others() -> None:
    one, same, other = (table("uruguayo", 2, seed=seed) for seed in (5, 5, 6))
    first = [notation(one.script()) for _ in range(8)]
    assert first == [notation(same.script()) for _ in range(8)]
    assert first != [notation(other.script()) for _ in range(8)]


@pytest.mark.long
def test_rare_words_scores_near_the_end_and_equal_cards_come_up() -> None:
    at = table("uruguayo", 2)
    scripts = [at.script() for _ in range(400)]
    said = {a.say.split()[0] for s in scripts for hand in s.hands for a in hand.actions if a.say}
    assert {"flor", "contraflor", "con-flor-quiero", "retruco", "falta-envido", "pido-flor"} <= said
    assert any(points >= at.scores[0][-3] for s in scripts for points in s.score.values())
    assert any(len(s.hands) == 2 for s in scripts)
    suits = [len({card[-1] for card in s.hands[0].deal["P0"]}) for s in scripts]
    assert suits.count(1) > 40  # by chance alone one hand of twenty


def test_some_moves_are_forbidden_and_most_are_not() -> None:
    at, right = table("paulista", 4), Reference()
    right.asked = frozenset()
    entries = [entry for _ in range(40) for hand in right.run(at.script()) for entry in hand.seen]
    refused = sum(bool(entry.get("refused")) for entry in entries)
    assert len(entries) / 30 < refused < len(entries) / 3


def test_words_that_are_omitted_are_not_said_and_its_own_words_come_in_its_order() -> None:
    plays = Plays((2,), omits=("cover", "pido-flor"), itself=("paso", "son-buenas", "tengo"))
    at = table("uruguayo", 2, plays)
    actions = [a for _ in range(100) for hand in at.script().hands for a in hand.actions]
    assert not any(a.cover or (a.say and a.say.split()[0] == "pido-flor") for a in actions)
    words = [a.say.split()[0] for a in actions if a.say]
    assert words.count("paso") > words.count("son-buenas")


@pytest.mark.parametrize(("more", "outcomes"), [([], {"passed"}), (["falta-envido"], {"passed", "failed"})])
def test_a_word_that_is_omitted_and_listed_is_right_where_it_is_permitted(more: list[str], outcomes: set[str]) -> None:
    deal = {"P0": ("7O", "6O", "1E"), "P1": ("7C", "5C", "4B")}
    hand = HandScript(deal, (action_of("P0 envido"),))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict", (hand,))
    right = Reference()
    right.asked = frozenset({"legal"})
    (told,) = right.run(script)
    assert "falta-envido" in told.seen[0]["legal"]["P1"]
    legal = {**told.seen[0]["legal"], "P0": more}
    plays = Plays((2,), omits=("falta-envido",))
    who = Introduction("it", "1", {"argentino": plays}, ("legal",))
    checks = tuple(checks_of(script, (told,), who))
    answer = (replace(told, seen=({**told.seen[0], "legal": legal},)),)
    assert {finding.outcome for finding in judge(Plan((script,), checks), [answer], who)} == outcomes


def test_a_longer_form_of_a_word_that_is_listed_too_is_named_whole() -> None:
    """An engine that lists a raise in one breath where a falta envido waits lists quiero rightly."""
    deal = {"P0": ("7O", "6O", "1E"), "P1": ("7C", "5C", "4B")}
    hand = HandScript(deal, (action_of("P0 falta-envido"),))
    script = Script("argentino", {}, ("P0", "P1"), (("P0",), ("P1",)), "P1", {}, "strict", (hand,))

    class Lists(Reference):
        def run(self, script: Script) -> Seen:
            self.asked = frozenset({"legal"})
            (told,) = super().run(script)
            legal = told.seen[0]["legal"]
            return (
                replace(told, seen=({**told.seen[0], "legal": {**legal, "P1": [*legal["P1"], "quiero retruco"]}},)),
            )

        def hello(self) -> Introduction:
            return Introduction("it", "1", {"argentino": Plays((2,))}, ("legal",))

    found = list(Examiner(Lists()).failures(script))
    assert [failure.about for failure in found] == ["quiero retruco is superfluous"]


def test_where_all_is_as_expected_nothing_fails_and_one_other_value_is_seen() -> None:
    plays, chance, outcomes = Plays((2,), omits=("falta-envido",)), random.Random(1), set[tuple[bool, bool]]()
    who = replace(Reference().hello(), variants={"argentino": plays})
    at, right = table("argentino", 2, plays), Reference(asked=asked_by(who) | {"category"})
    for script in (at.script() for _ in range(40)):
        expected = right.run(script)
        assert is_as_expected(script, expected, expected, who)
        entries = [entry for hand in expected for entry in (hand.start, *hand.seen)]
        for _ in range(4):
            altered, other = chance.choice(entries), chance.choice(entries)
            key = chance.choice(sorted(altered.keys() & other.keys()) or ["refused"])
            changed = {**altered, key: chance.choice([other.get(key), 1])}
            answer = tuple(
                HandSeen(
                    tuple(changed if entry is altered else entry for entry in hand.seen),
                    changed if hand.start is altered else hand.start,
                )
                for hand in expected
            )
            if key in ("legal", "view", "score") and changed[key] == 1:
                continue
            checks = tuple(checks_of(script, expected, who))
            failed = any(finding.outcome == "failed" for finding in judge(Plan((script,), checks), [answer], who))
            outcomes.add((is_as_expected(script, expected, answer, who), failed))
    assert outcomes == {(True, False), (False, True), (False, False)}


def test_hands_come_about_where_the_only_word_of_some_scores_is_omitted() -> None:
    generator = table("mineiro", 4, Plays((4,), omits=("turn-up",)))
    generator.scores = [[11], [11]]
    assert all(generator.script().hands[0].actions for _ in range(12))


@pytest.mark.long
def test_nothing_is_said_between_what_it_says_by_itself() -> None:
    plays = Plays((2,), itself=("tengo", "paso", "son-buenas", "callo", "asi-queda", "en-mesa"))
    at, right, between = table("uruguayo", 2, plays), Reference(), 0
    right.asked = frozenset({"legal"})
    for script in (at.script() for _ in range(300)):
        for hand, seen in zip(script.hands, right.run(script), strict=True):
            for before, entry, action in zip(seen.seen, seen.seen[1:], hand.actions[1:], strict=False):
                said = {text.split()[0] for texts in before.get("legal", {}).values() for text in texts}
                if said and said <= set(plays.own_words):
                    between += 1
                    assert not entry.get("refused"), action.text
    assert between > 20


# ---- what is found ------------------------------------------------------------------------------


@pytest.mark.long
def test_a_wrong_lead_is_found_and_cut_down_to_one_trick() -> None:
    (kind, rules, actions), *_ = shown(outcome(LEADER))
    assert (kind, rules, len(actions)) == ("acting", ("next-leader",), 2)


class Dearer(Wrong):
    """It says of every hand that it is worth more."""

    def run(self, script: Script) -> Seen:
        return tuple(replace(hand, start={**hand.start, "stake": 2}) for hand in super().run(script))


@pytest.mark.long
def test_a_difference_in_most_hands_is_said_to_hide_what_lies_behind_it() -> None:
    def told(open_one: Any) -> str:
        return " ".join(text_of_outcome(fuzz(Job(open_one, "paulista", 2, hands=20)), 1).split())

    hides = "truco-spec fit tells what lies behind it."
    assert hides in told(partial(Dearer, ""))
    assert "lies behind it" not in told(partial(Wrong, ""))


@pytest.mark.long
def test_a_wrong_refusal_is_found() -> None:
    found = shown(outcome(REFUSAL))
    assert ("hand", ("truco.refuse",)) in [(kind, rules) for kind, rules, _ in found]
    assert min(len(actions) for _, rules, actions in found if rules == ("truco.refuse",)) == 2


@pytest.mark.long
def test_a_dealer_who_deals_again_is_found_in_the_second_hand() -> None:
    found = [(kind, rules) for kind, rules, _ in shown(outcome(DEALER, 80))]
    assert any(kind == "acting" and "pass-deal" in rules for kind, rules in found)


@pytest.mark.long
def test_a_forbidden_move_that_is_taken_is_found() -> None:
    def one() -> Wrong:
        return Wrong(EARLY, observes=("trick", "score"))

    found = shown(fuzz(Job(one, "paulista", 2, {}, 1, 200)))
    assert ("taken", ("truco.open",)) in [(kind, rules) for kind, rules, _ in found]


FIRST_TIE = """define first-takes except tied-trick @decided:own "Of equal cards the first takes."
               when (some seat a in tops(n) with seat b in tops(n) : team(a) is not team(b)) = team(leader)"""
LAST_TAKES = """define last-takes except taker @decided:own "The last takes, but for ties."
                when not (some seat a in tops(n) with seat b in tops(n) : team(a) is not team(b))
                = other(team(leader))"""


@pytest.mark.long
def test_two_faults_of_one_rule_come_apart_by_the_answers_that_it_asked_for() -> None:
    found = outcome(FIRST_TIE + LAST_TAKES, 60)
    of_tricks = [f.minimal.failure for f in found.found if f.minimal.failure.kind == "trick"]
    assert {(f.about, f.decided.answers) for f in of_tricks} == {
        ("a player instead of tie", (("taker", "tied-trick"),)),
        ("a player instead of a player", (("taker", "taker"),)),
    }
    text = text_of_outcome(found, 1)
    assert "pagat:mineiro.tie.definition" in text  # what the answers cite
    assert "pagat:mineiro.trick.highest-card-wins" in text


def test_too_few_points_and_too_many_are_two_kinds() -> None:
    class Counts(Wrong):
        """Two points too many for P0 where P0 deals, one too few for P1 where P1 does."""

        def run(self, script: Script) -> Seen:
            hands = super().run(script)
            more = {"P0": 2} if script.dealer == "P0" else {"P1": -1}
            for hand in hands:
                for entry in (hand.start, *hand.seen):
                    for player, points in more.items():
                        entry["score"][player] += points  # type: ignore[index]
            return hands

    found = fuzz(Job(lambda: Counts("", observes=("score",)), "paulista", 2, {}, 1, 20))
    assert {each.minimal.failure.about for each in found.found} == {"too few", "too many"}


@pytest.mark.long
def test_cards_that_are_seen_wrongly_are_one_kind_by_whose_they_are() -> None:
    class Peeks(Wrong):
        """Everybody sees what the partner was dealt."""

        def run(self, script: Script) -> Seen:
            hands = super().run(script)
            for dealt, hand in zip(script.hands, hands, strict=True):
                for entry in (hand.start, *hand.seen):
                    for at, player in enumerate(script.players):
                        cards = dealt.deal[script.players[(at + 2) % 4]]
                        entry.get("view", {player: []})[player].extend(cards)
            return hands

    def one() -> Peeks:
        peeks = Peeks("", observes=("view", "stake"))
        peeks.plays = Plays((4,))  # so it is not asked for two when a script is cut down
        return peeks

    found = fuzz(Job(one, "paulista", 4, {}, 1, 10))
    assert [(f.minimal.failure.kind, f.minimal.failure.about, f.statements) for f in found.found] == [
        ("view", "a partner's cards are seen", ("cards.seen",))
    ]


def test_a_crash_is_found_and_costs_only_its_hand() -> None:
    found = fuzz(Job(partial(Breaks, "truco"), "paulista", 4, {}, 1, 20))
    assert [(kind, actions[-1].split()[1]) for kind, _, actions in shown(found)] == [("crash", "truco")]
    assert "advice    See its last words." in text_of_outcome(found, 1)
    assert found.found[0].count > 1


@pytest.mark.long
def test_any_number_of_workers_finds_the_same() -> None:
    job = Job(partial(Wrong, LEADER), "paulista", 2, {}, 1, 60, part=20)
    with processes(2) as pool:
        one, two = fuzz(job), fuzz(job, pool)
    assert text_of_outcome(one, 1) == text_of_outcome(two, 1)


@pytest.mark.long
def test_the_report_has_rule_script_expected_got_and_a_case_that_is_true(tmp_path: Path) -> None:
    found = outcome(LEADER)
    text = text_of_outcome(found, 1)
    for part in (
        "next-leader: ",
        "pagat:mineiro.trick.winner-leads-second",
        "expected  acting",
        "got ",
        "paulista | P0 P1",
    ):
        assert part in text
    for name, case in cases_of(found, 1).items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(case, encoding="utf-8")
        (instance,) = corpus.instances(corpus.load([path])[0])
        assert runner.play(instance, Reference()).verdict == "pass"
        assert runner.play(instance, Wrong(LEADER)).verdict == "fail"


@pytest.mark.long
def test_the_report_is_in_the_language_that_is_spoken() -> None:
    found = outcome(LEADER)
    for language in TRANSLATED:
        with speaking(spoken_in(language)):
            shown = re.sub(r"(?ms)^ *```.*?```", "", markdown_of(document_of(found, 1)))
        assert list(foreign(shown, language, load("paulista"))) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "mineiro"}, "does not play mineiro, it says. It plays paulista."),
        ({"players": 6}, "does not play paulista with 6 players"),
        ({"options": {"covering": "never"}}, "has no option covering never"),
    ],
)
def test_what_it_does_not_play_is_no_input(change: Mapping[str, object], message: str) -> None:
    with pytest.raises(FuzzError, match=message):
        fuzz(Job(partial(Wrong, LEADER), **{"variant": "paulista", **change}))  # type: ignore[arg-type]


# ---- the command --------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main(["fuzz", "--no-causes", *arguments])
    told = capsys.readouterr()
    return int(str(end.value.code)), told.out + told.err


WRONG = Path(__file__).with_name("wrong_adapter.py")


@pytest.mark.long
def test_the_command_ends_with_1_where_something_is_wrong_and_0_where_nothing_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, text = run(capsys, "--hands", "20", "--save", str(tmp_path / "found"), "--python", f"{WRONG}:Mistaken")
    assert status == 1
    assert "expected  stake: 1" in text
    assert corpus.load([tmp_path / "found"])
    status, text = run(capsys, "--hands", "20", "--python", f"{WRONG}:Right")
    assert (status, "No difference was found" in text) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Give the command of an adapter"),
        (("--python", f"{WRONG}:Right", "--variant", "mineiro"), "does not play mineiro"),
        (("--", "no-such-command-here"), "cannot be started"),
        (
            ("--python", f"{WRONG}:Right", "--variant", "mineira"),
            "There is no variant “mineira”. Did you mean “mineiro”?",
        ),
        (("--python", f"{WRONG}:Right", "--variant", "x"), "There is no variant “x”. There are: argentino, "),
        (
            ("--python", f"{WRONG}:Right", "-o", "tied-hands=dealer"),
            "paulista has no option “tied-hands”. Did you mean",
        ),
        (("--python", f"{WRONG}:Right", "-o", "tied-hand=x"), "The option “tied-hand” of paulista has no value “x”. "),
    ],
)
def test_the_command_ends_with_2_where_nothing_can_be_compared(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, text = run(capsys, *arguments)
    assert (status, message in text) == (2, True), text


def test_where_cases_are_to_be_saved_is_looked_at_before_anything_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "taken").touch()
    status, text = run(capsys, "--hands", "1000000", "--save", str(tmp_path / "taken"), "--python", f"{WRONG}:Mistaken")
    assert status == 2
    assert text.endswith(f"Error: Invalid value for '--save': Directory '{tmp_path / 'taken'}' is a file.\n")


@pytest.mark.long
def test_no_number_is_missing_where_there_was_no_answer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "late.py").write_text(_LATE, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "late.py")]
    status, text = run(capsys, "--hands", "1", "--timeout", "0.2", "--", *command)
    assert status == 1
    assert re.search(r"^  found-paulista-1-1: timeout, in 1 script$", text, re.MULTILINE), text
    assert "No answer within 0.2 s." in text and "1 kind of failure." in text


_LATE = """
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "run":
        time.sleep(60)
    hello = {"protocol": 1, "name": "late", "version": "1", "variants": {"paulista": {"players": [2]}}, "observes": []}
    print(json.dumps({"id": request["id"], **hello}), flush=True)
"""


# ---- real engines -------------------------------------------------------------------------------

TABLE = re.findall(
    r"^\| (gat-games|pytruco) (\d) \| ([a-z]+)(?: \(([^)]*)\))? \| ([^|]*) \|$",
    (Path(__file__).parents[2] / "docs" / "fuzz.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
"""The faults as the page of random play tells them: number, kind, what it is about, rules and answers."""

PLAYED = {"gat-games": ("gat_games", "paulista", 2, 3, 700), "pytruco": ("pytruco", "uruguayo", 4, 1, 2000)}
"""The adapter, the variant, the number of players, a seed and the number of hands."""


def test_the_page_has_every_fault_of_the_lists() -> None:
    for name in PLAYED:
        page = (Path(__file__).parents[2] / "docs" / "results" / f"{name}.md").read_text(encoding="utf-8")
        assert {number for one, number, *_ in TABLE if one == name} == set(re.findall(r"^## (\d)\. ", page, re.M))


SELDOM = {("pytruco", "3"), ("pytruco", "8")}
"""Faults that so few hands need not show by themselves: 3 comes with 7, and 8 is a word that is seldom tried."""


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("name", PLAYED)
def test_every_known_fault_is_found_and_told_apart(name: str) -> None:
    module, variant, players, seed, hands = PLAYED[name]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{name} is not installed")
    command = [sys.executable, str(ADAPTERS / f"{module}.py")]
    found = fuzz(Job(partial(Pipe, command, Limits(case=10, start=30)), variant, players, {}, seed, hands))
    failures = [each.minimal.failure for each in found.found]
    told = [(f.kind, f.about, set(f.decided.statements)) for f in failures]
    if found.deals is not None:
        told.append((found.deals.kind, "", set(found.deals.decided.statements)))
    for _, number, kind, about, by in (row for row in TABLE if row[0] == name and row[:2] not in SELDOM):
        assert any((kind, about) == one[:2] and set(by.split(", ")) <= one[2] for one in told), (number, told)
