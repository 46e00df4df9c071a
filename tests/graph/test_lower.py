"""Every convenient construct lowers to core statements: before and after, and the lowered text means the same."""

from __future__ import annotations

import re

import pytest
from tiny import told, wrong_with

from truco_spec.base import shipped
from truco_spec.graph.desugar import LOWERINGS
from truco_spec.graph.linking.build import CORE
from truco_spec.graph.load import load_text
from truco_spec.graph.model import Graph
from truco_spec.language import tree as t
from truco_spec.language.read import parse

PAIRS = {
    "a fault is an action and a rule that forbids it": (
        """fault misdeal(s : seat, n : 0 .. 5) @house:misdeal "{n} cards to {s}."
             in play by turn when n > 3 lest mistakes = n written "misdeal {s} {n}" """,
        """action misdeal(s : seat, n : 0 .. 5) "{n} cards to {s}." written "misdeal {s} {n}"
           rule misdeal.rule @house:misdeal "{n} cards to {s}."
             in play by turn must not misdeal(s, n) when n > 3 lest mistakes = n""",
    ),
    "a trump of cards is a question and an exception to strength": (
        'trump brava : 2D < 1S @house:brava "The brave."',
        """define brava(c : card) : flag @house:brava "The brave." = c in {2D, 1S}
           define brava.strength except strength @house:brava "The brave."
             when brava(c) = 100 + (1 if c is 2D else 2)""",
    ),
    "a trump of ranks belongs to a suit": (
        'trump pieza : 1 < 2 of suit(top) @house:pieza "The pieces."',
        """define pieza(c : card) : flag @house:pieza "The pieces." = suit(c) is suit(top) and rank(c) in {1, 2}
           define pieza.strength except strength @house:pieza "The pieces."
             when pieza(c) = 100 + (1 if rank(c) is 1 else 2)""",
    ),
    "a trump of one rank goes by suit": (
        'trump nova : rank next(rank(top)) by suit @house:nova "The new." when fast is yes',
        """define nova(c : card) : flag @house:nova "The new." = fast is yes and rank(c) is next(rank(top))
           define nova.strength except strength @house:nova "The new." when nova(c) = 100 + place(suit(c))""",
    ),
    "a trump may stand above another": (
        'trump brava : 2D < 1S @house:brava "The brave."  trump pieza above brava : 1D < 2S @house:pieza "The pieces."',
        """define pieza(c : card) : flag @house:pieza "The pieces." = c in {1D, 2S}
           define pieza.strength except strength, brava.strength @house:pieza "The pieces."
             when pieza(c) = 200 + (1 if c is 1D else 2)""",
    ),
    "a special hand is a status fixed at the deal": (
        'special ferro @house:ferro "Iron." when every team t : score(t) is 11',
        "datum ferro : flag = every team t : score(t) is 11 fresh each deal seen by everyone",
    ),
    "a special hand may be chosen, and has its own stake": (
        """special onze @house:onze "Eleven." when some team t : score(t) is 11
             choice jogo, fujo by turn refusal pays 1 stake 3""",
        """datum onze : flag = some team t : score(t) is 11 fresh each deal seen by everyone
           phase onze.choice "{onze.chooser} chooses to play the hand or to give it up."
           define onze.chooser : set of seat @house:onze "Who decides." = turn
           rule onze.open except begin-play @house:onze "The choice comes before the play."
             in hand when onze do then onze.choice
           rule onze.play @house:onze "They may play the hand." in onze.choice by onze.chooser may jogo do then play
           rule onze.run @house:onze "They may give up the hand instead."
             in onze.choice by onze.chooser may fujo do concede(us, 1)
           define onze.stake except stake @house:onze "The hand has its own stake." when onze = 3""",
    ),
    "a ladder is an order, data, a phase, an action and rules": (
        """ladder truco @house:truco "On your turn say truco." stakes 1, truco 3, seis 6
             opens in play by turn when fast is no later in play by turn
             answers aceito, corro by side(truco.asked) refusal pays stake""",
        """order truco.word : truco < seis @house:truco
           define truco.stakes(level : 0 .. 2) @house:truco "What each level is worth."
             = 1 if level is 0 else 3 if level is 1 else 6
           datum truco.level  : 0 .. 2 = 0   fresh each hand seen by everyone
           datum truco.offer  : 0 .. 2 = 0   fresh each hand seen by everyone
           datum truco.caller : team or none fresh each hand seen by everyone
           datum truco.asked  : team or none fresh each hand seen by everyone
           datum truco.holder : team or none fresh each hand seen by everyone
           phase truco.answer interrupts play "The side that is asked answers the truco."
           action truco(w : truco.word) "{w}!" written "{w}"
           define truco.stake except stake @house:truco "An accepted raise is what the hand is worth."
             when truco.level > 0 = truco.stakes(truco.level)
           rule truco.open @house:truco "On your turn say truco."
             in play by turn may truco(w) when truco.level is 0 and place(w) is 1 and fast is no do ask truco.answer
           rule truco.later @house:truco "The side that accepted may raise later."
             in play by turn may truco(w)
             when truco.level > 0 and truco.holder is us and place(w) is truco.level + 1 do ask truco.answer
           rule truco.counter @house:truco
             "Whoever is asked may answer with the next raise; the one before is then accepted."
             in truco.answer by side(truco.asked) may truco(w) when place(w) is truco.offer + 1
             do truco.level = truco.offer
           rule truco.offered @house:truco "A raise has to be answered by the other side before play goes on."
             in play, truco.answer on truco(w)
             do truco.offer = place(w), truco.caller = us, truco.asked = them
           rule truco.accept @house:truco
             "A raise that is accepted holds at once; if there may be another, it is for the side that accepted."
             in truco.answer by side(truco.asked) may aceito do truco.level = truco.offer, truco.holder = us, resume
           rule truco.refuse @house:truco "Whoever refuses gives up the hand, at what had been accepted before."
             in truco.answer by side(truco.asked) may corro do concede(us, stake)""",
    ),
    "a bid is an order, data, a phase, an action, questions and rules": (
        """bid envido @house:envido "Say envido." calls envido += 2 upto 2, falta = what-lacks
             opens in play by turn answers aceito, corro by side(envido.asked)
             refusal pays envido.agreed + 1 settles deal""",
        """order envido.word : envido < falta @house:envido
           define envido.limit(w : envido.word) @house:envido "How often each word may be said."
             = 2 if w is envido else 1
           datum envido.times(w : envido.word) : 0 .. 2 = 0  fresh each hand seen by everyone
           datum envido.offer  : 0 .. 2 * 2 or what-lacks = 0 fresh each hand seen by everyone
           datum envido.agreed : 0 .. 2 * 2 = 0              fresh each hand seen by everyone
           datum envido.last   : envido.word or none         fresh each hand seen by everyone
           datum envido.asked  : team or none                fresh each hand seen by everyone
           datum envido.closed : flag                        fresh each hand seen by everyone
           phase envido.answer interrupts play "The side that is asked answers the envido."
           action envido(w : envido.word) "{w}!" written "{w}"
           define envido.worth(w : envido.word) @house:envido "What is offered when a word is said."
             = envido.offer + 2 if w is envido else what-lacks
           define envido.follows(w : envido.word) @house:envido
             "A word may be said again up to its limit, and none below the last."
             = envido.times(w) < envido.limit(w) and (envido.last is none or w >= envido.last)
           rule envido.open @house:envido "Say envido."
             in play by turn may envido(w) when envido.closed is no do envido.closed = yes, ask envido.answer
           rule envido.raise @house:envido
         "Whoever is asked for a bid may raise it, but not with a lower word; what was offered before is then accepted."
             in envido.answer by side(envido.asked) may envido(w) when envido.follows(w)
             do envido.agreed = envido.offer
           rule envido.offered @house:envido "The offer is on the table; the other side has to answer it."
             in play, envido.answer on envido(w)
             do envido.offer = envido.worth(w), envido.last = w, envido.times(w) += 1, envido.asked = them
           rule envido.accept @house:envido "A bid that is accepted is settled at once."
             in envido.answer by side(envido.asked) may aceito do then deal
           rule envido.refuse @house:envido "Whoever refuses a bid pays for it, and the game goes on where it stood."
             in envido.answer by side(envido.asked) may corro do score(them) += envido.agreed + 1, resume""",
    ),
}

ROUND = """
  option players : 2* | 4 @house:table "How many play."
  option fast : no* | yes @house:table "A switch."
  seats players in 2 teams @house:table "They sit across."
  order rank : 1 < 2 @house:table
  order suit : D < S @house:table
  deck pack : rank x suit @house:table
  phase deal "The deal."
  phase hand within deal "The hand."
  phase play "The play."
  action aceito
  action corro
  action jogo
  action fujo
  datum turn : seat = first seat s
  datum top : slot
  datum score(t : team) : 0 .. 24
  datum mistakes : 0 .. 5
  define stake : 0 .. 12 @house:table "One." = 1
  define strength(c : card) @house:table "By rank." = place(rank(c))
  define side(t : team) @house:table "Its players." = all seat s : team(s) is t
  effect concede(t : team, n : 0 .. 12) @house:table "Pays." do score(other(t)) += n, then deal
  rule begin-play @house:table "Begin." in hand do then play
"""


def statements(text: str) -> tuple[t.Statement, ...]:
    return parse(f'variant v {{ title "V" {text} }}').variants[0].items


def lowered(text: str) -> tuple[t.Statement, ...]:
    """What the last statement of the text lowers to."""
    (*_, last) = known = statements(text)
    return LOWERINGS[last.kind](last, {s.name: s for s in known})


def graph(text: str) -> Graph:
    return load_text(f'variant v {{ title "V" {ROUND} {text} }}')


@pytest.mark.parametrize("claim", PAIRS)
def test_what_it_lowers_to(claim: str) -> None:
    before, after = PAIRS[claim]
    assert lowered(before) == statements(after)


@pytest.mark.parametrize("claim", [claim for claim in PAIRS if "above another" not in claim])
def test_the_lowered_text_is_the_same_game(claim: str) -> None:
    sugar, core = (graph(text) for text in PAIRS[claim])
    for part in ("data", "phases", "actions", "defines", "rules", "effects"):
        assert list(getattr(sugar, part)) == list(getattr(core, part))
    for name, define in sugar.defines.items():
        other = core.defines[name]
        assert [(a.when, a.value, a.beats) for a in define.answers] == [
            (a.when, a.value, a.beats) for a in other.answers
        ]
    for name, rule in sugar.rules.items():
        twin = core.rules[name]
        assert (rule.shape, rule.phases, rule.by, rule.verbs, rule.when, rule.do, rule.lest, rule.beats) == (
            twin.shape, twin.phases, twin.by, twin.verbs, twin.when, twin.do, twin.lest, twin.beats,
        )  # fmt: skip


def test_every_construct_has_its_pair() -> None:
    assert {before.split()[0] for before, _ in PAIRS.values()} == set(LOWERINGS)


def test_a_part_knows_its_construct_and_cites_its_authority() -> None:
    rule = graph(PAIRS["a ladder is an order, data, a phase, an action and rules"][0]).rules["truco.accept"]
    assert rule.source.construct == "truco"
    assert [str(cite) for cite in rule.source.cites] == ["@house:truco"]


def test_also_gives_a_part_of_a_construct_its_own_authority() -> None:
    ladder = PAIRS["a ladder is an order, data, a phase, an action and rules"][0]
    rules = graph(f"{ladder} also truco.accept @house:accept @house:answer").rules
    assert [str(cite) for cite in rules["truco.accept"].source.cites] == ["@house:accept", "@house:answer"]
    assert [str(cite) for cite in rules["truco.refuse"].source.cites] == ["@house:truco"]


def test_the_name_of_a_construct_stands_for_all_its_rules() -> None:
    ladder = PAIRS["a ladder is an order, data, a phase, an action and rules"][0]
    silent = 'rule silent except truco @house:silent "Nobody calls." in play by everyone must not truco(w)'
    assert graph(f"{ladder} {silent}").rules["silent"].beats == {
        "truco.open", "truco.later", "truco.counter", "truco.offered", "truco.accept", "truco.refuse"
    }  # fmt: skip


def test_a_raise_without_a_later_has_one_rule_less() -> None:
    ladder = PAIRS["a ladder is an order, data, a phase, an action and rules"][0].replace("later in play by turn", "")
    assert "truco.later" not in graph(ladder).rules


MISTAKES = [
    (
        'special onze @house:onze "E." when some team t : score(t) is 11 choice jogo, fujo refusal pays 1',
        "`choice` says what may be done, but not by whom; write `by` and who behind it",
    ),
    (
        'special onze @house:onze "E." when some team t : score(t) is 11 choice jogo, fujo by turn',
        "`choice` does not say what giving up costs; write `refusal pays` and how much behind it",
    ),
    (
        'ladder truco @house:truco "T." stakes 1, truco 3 opens in play answers aceito, corro by turn refusal pays 1',
        "`opens in` says what may be done, but not by whom; write `by` and who behind it",
    ),
    (
        'ladder truco @house:truco "T." stakes 1, truco 3 opens in play by turn answers aceito, corro refusal pays 1',
        "`answers` says what may be done, but not by whom; write `by` and who behind it",
    ),
    ('trump t above brave : 1D < 2D @house:trump "T."', "there is no trump brave"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_construct_that_is_not_complete_is_refused(text: str, message: str) -> None:
    assert [told(found) for found in wrong_with(f'variant v {{ title "V" {ROUND} {text} }}')] == [message]


def test_a_construct_that_nothing_lowers_is_refused_and_never_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'fault talk @house:talk "Nobody talks." lest mistakes = 1'
    monkeypatch.delitem(LOWERINGS, "fault")
    found = wrong_with(f'variant v {{ title "V" {ROUND} {text} }}')
    assert [told(one) for one in found] == ["a fault reads, but cannot be linked yet"]


def test_every_kind_that_can_be_read_is_linked() -> None:
    grammar = (shipped.folder("grammar") / "truco.lark").read_text(encoding="utf-8")
    declared = grammar[grammar.index("?decl:") : grammar.index("head:")]
    kinds = {*re.findall(r'^[^"A-Z]*[|:]\s+"([a-z]+)"', declared, re.MULTILINE)}
    for group in re.findall(r"^(?:CITED|BARE)\.2:\s+/\(([a-z|]+)\)", grammar, re.MULTILINE):
        kinds |= set(group.split("|"))
    assert len(kinds) > 15
    assert kinds == {*CORE, *LOWERINGS}
