"""Every expression has a type, and what has no meaning is reported in one sentence."""

from __future__ import annotations

import pytest
from tiny import TABLE, linked, mistake, mistakes, told, wrong_with

from truco_spec.graph.load import load_text
from truco_spec.graph.operations import show

EXPRESSIONS = [
    ("winner + 1", "team or none is no number"),
    ("turn is 1", "seat and 1 have no value in common"),
    ("chosen is D", "rank or none and suit have no value in common"),
    ("chosen is 7", "7 is no rank"),
    ("4D is 5", "card and 5 have no value in common"),
    ("turn < turn", "seat has no order of size"),
    ("turn < score(0 if ready else 0)", "this is 0, and team is wanted here"),
    ("turn if ready else ready", "the two answers are of different kinds: seat and flag"),
    ("1 if turn else 2", "this is seat, and flag is wanted here"),
    ("not turn", "this is seat, and flag is wanted here"),
    ("ready and count-down", "this is 0 .. 3, and flag is wanted here"),
    ("turn in count-down", "this is 0 .. 3, and set of seat is wanted here"),
    ("ready in seat", "flag is never seat"),
    ("everyone * everyone", "sets cannot be multiplied"),
    ("everyone + ready", "this is flag, and set of seat is wanted here"),
    ("{turn, ready}", "the members of a set are all of one kind"),
    ("{everyone}", "the members of a set are all of one kind"),
    ("score", "score wants t : team"),
    ("score(team(turn), turn)", "score wants t : team"),
    ("score(turn)", "this is seat, and team is wanted here"),
    ("count-down(1)", "count-down wants nothing in brackets"),
    ("scor(0)", "there is no question scor; did you mean score?"),
    ("redy", "there is no name redy; did you mean ready?"),
    ("us", "there is no name us"),
    ("during stort", "there is no phase stort; did you mean start?"),
    ("next(3)", "next wants a member of an order"),
    ("next(ready)", "next wants a seat, order, team or number, and this is flag"),
    ("next(turn, turn)", "next wants one thing in brackets"),
    ("place(3)", "place wants a member of an order"),
    ("team(ready)", "team wants a seat, and this is flag"),
    ("other(turn)", "other wants a team, and this is seat"),
    ("partner(ready)", "partner wants a seat, and this is flag"),
    ("rank(turn)", "rank wants a card, and this is seat"),
    ("size(turn)", "size wants a set, and this is seat"),
    ("size(pack, pack)", "size wants one set in brackets"),
    ("min(1)", "min wants two numbers"),
    ("max(turn, 1)", "max wants two numbers"),
    ("highest seat s", "highest wants `: value` at its end"),
    ("sum seat s : s", "seat is no number"),
    ("every seat s", "every wants `: condition` at its end"),
    ("first seat s with seat u : s is u", "first looks through one kind of thing only"),
    ("some seat s : some seat s : ready", "s is already the name of something here"),
    ("some seta s : ready", "there is no kind of thing to look through seta; did you mean seat?"),
    ("all seat s in count-down", "this is 0 .. 3, and set of seat is wanted here"),
    ("first seat s from ready", "this is flag, and seat is wanted here"),
]


@pytest.mark.parametrize(("expression", "message"), EXPRESSIONS)
def test_an_expression_without_meaning_is_refused(expression: str, message: str) -> None:
    assert mistake(f'define q @decided:tiny "A question." = {expression}') == message


def test_a_mistake_stands_at_its_own_place() -> None:
    (found,) = mistakes('define q @decided:tiny "A question."\n = ready and turn < 1')
    assert (found.span.column, found.span.end_column) == (14, 22)


def test_a_mistake_is_told_once_and_not_wherever_it_is_asked() -> None:
    assert mistake('define q @decided:tiny "Q." = redy  define r @decided:tiny "R." = not q').startswith(
        "there is no name"
    )
    assert mistake('datum x : 3 .. 1  define r @decided:tiny "R." = x + 1').startswith("a range runs from")


def test_all_mistakes_are_told_in_one_run() -> None:
    texts = 'define q @decided:tiny "Q." = redy  define r @decided:tiny "R." = trun  datum x : seat or rank'
    assert len(mistakes(texts)) == 3


DATA = [
    ("datum x : 3 .. 1", "a range runs from one number up to another, both known before the game"),
    ("datum x : 0 .. count-down", "a range runs from one number up to another, both known before the game"),
    ("datum x : set of seats", "there is no set of seats; did you mean seat?"),
    ("datum x : seat or rank", "seat and rank cannot be one type"),
    ("datum x : seta", "there is no type seta; did you mean seat?"),
    ("datum x : pile = pack", "a pile begins empty; cards are moved there"),
    ("datum x : slot = none", "a slot begins empty; cards are moved there"),
    ("datum x : seat = ready", "this is flag, and seat is wanted here"),
    ("datum x : flag fresh each stort", "there is no phase stort; did you mean start?"),
    ("datum x : flag seen by ready", "this is flag, and set of seat is wanted here"),
    ("datum x(n : nobody) : flag", "there is no type nobody; a type of words has two at least: `a or b`"),
    ("datum x : 0 .. 3 = x fresh each start", "the first value of x -> x: none of them can be worked out first"),
    ("phase p within stort", "there is no phase stort; did you mean start?"),
    ("phase p interrupts stort", "there is no phase stort; did you mean start?"),
    ("action a possible when turn", "this is seat, and flag is wanted here"),
    ('action a(s : seat) written "{x}"', '"{x}" is no notation of a: it has to hold {s}'),
    ('action a(s : seat) written "a {s}", "b"', '"b" is no notation of a: it has to hold {s}'),
    ('action a(r : rank) written "a"', '"a" is no notation of a: it has to hold {r}'),
    ('action a(r : rank) written "a {r}", "b {r=ninety}"', '"b {r=ninety}" is no notation of a: it has to hold {r}'),
    ('action a(r : rank) written "a {r}", "b {r} {r}"', '"b {r} {r}" is no notation of a: it has to hold {r}'),
]


@pytest.mark.parametrize(("statement", "message"), DATA)
def test_data_phases_and_actions_are_checked(statement: str, message: str) -> None:
    assert mistake(statement) == message


def test_first_values_that_wait_for_each_other_are_refused() -> None:
    texts = "datum a : 0 .. 3 = b fresh each start  datum b : 0 .. 3 = a fresh each start"
    assert mistake(texts) == "the first value of a -> b -> a: none of them can be worked out first"


RULES = [
    ("in stort by turn may pass", "there is no phase stort; did you mean start?"),
    ("in start may pass", "r says may, but not who; write `by SEATS`, `by everyone`, `by chance` or `by referee`"),
    ("in start by ready may pass", "this is flag, and set of seat is wanted here"),
    ("in start by turn may puss", "there is no action puss; did you mean pass?"),
    ("in start by turn may pass(c)", "pass wants nothing in brackets"),
    ("in start by turn may play(c, d)", "play wants c : card"),
    ("in start by turn may play(c) or pass", "verbs joined by `or` bind the same names"),
    ("in start by turn may pass when chosen", "this is rank or none, and flag is wanted here"),
    ("in start by turn may play(c) when c is 9X", "there is no name 9X"),
    ("in start by turn may pass do redy = yes", "there is no datum redy; did you mean ready?"),
    ("in start by turn may pass do turn = ready", "this is flag, and seat is wanted here"),
    ("in start by turn may pass do turn += 1", "turn is seat; only numbers grow and shrink"),
    ("in start by turn may pass do count-down += turn", "seat is no number"),
    ("in start by turn may pass do score = 1", "score wants t : team"),
    ("in start by turn may pass do mine(me) = 4D", "mine is a pile: cards are moved, `move … to mine`"),
    ("in start by turn may pass do move 4D to score(us)", "score is 0 .. 3; cards lie in piles and slots"),
    ("in start by turn may pass do move turn to shown", "seat is no card"),
    ("in start by turn may pass do move mine(me) to shown", "shown holds one card, and this is a pile"),
    ("in start by turn may pass do then nowhere", "there is no phase nowhere"),
    ("in start by turn may pass do fowl(us)", "there is no effect fowl"),
    ("in start do score(us) = 1", "there is no name us"),
]


@pytest.mark.parametrize(("clauses", "message"), RULES)
def test_rules_are_checked(clauses: str, message: str) -> None:
    assert mistake(f'rule r @decided:tiny "A rule." {clauses}') == message


RULE_OF_THEM = 'rule r @decided:tiny "R." in start by turn may pass do score(them) += 1'

EFFECTS = [
    ('effect e(t : team) @decided:tiny "E." do e(t)', "effect e applies itself in a circle"),
    (
        (
            'effect e(t : team) @decided:tiny "E." do score(t) += 1'
            ' effect f(x : team) except e @decided:tiny "F." when ready do score(x) -= 1'
        ),
        "f takes over the parameters of what it excepts",
    ),
    (
        (
            'effect e(t : team) @decided:tiny "E." do score(t) += 1'
            ' rule r @decided:tiny "R." in start by turn may pass do e(turn)'
        ),
        "this is seat, and team is wanted here",
    ),
    (
        'effect e(t : team) @decided:tiny "E." do score(t) += 1  effect f except g @decided:tiny "F." do score(t) = 0',
        "there is no effect g to be an exception to",
    ),
]


@pytest.mark.parametrize(("statements", "message"), EFFECTS)
def test_effects_are_checked(statements: str, message: str) -> None:
    assert mistake(statements) == message


# ---- what a name means ---------------------------------------------------------------------------


def test_the_type_decides_whether_a_number_is_a_rank() -> None:
    graph = linked(
        'define rank-four @decided:tiny "A rank." = chosen is 4'
        ' define number-three @decided:tiny "A number." = count-down is 3'
    )
    rank, amount = (graph.defines[name].answers[0].value.kids[1] for name in ("rank-four", "number-three"))
    assert (rank.type.name, rank.value) == ("rank", 0)
    assert (amount.type.base, amount.value) == ("number", 3)


def test_ranks_of_cards_are_no_amounts_even_if_they_are_consecutive_numbers() -> None:
    table = TABLE.replace("order rank : 4 < 5 < 6 < A", "order rank : 1 < 2 < 3")
    graph = load_text(f'variant numbers {{ title "N" {table} define q(c : card) @decided:tiny "Q." = rank(c) is 2 }}')
    value = graph.defines["q"].answers[0].value.kids[1]
    assert graph.orders["rank"][value.value] == "2"


def test_an_order_of_consecutive_numbers_is_a_range() -> None:
    graph = linked('order round : 1 < 2 < 3 @decided:tiny  datum now : round  define q @decided:tiny "Q." = now + 1')
    assert (graph.data["now"].type.low, graph.data["now"].type.high) == (1, 3)
    assert str(graph.defines["q"].type) == "2 .. 4"


def test_a_value_of_the_expected_type_comes_before_a_datum_of_that_name() -> None:
    graph = linked('datum way : ready or steady = steady  define q @decided:tiny "Q." = way is ready')
    item, value = graph.defines["q"].answers[0].value.kids
    assert (item.op, value.op) == ("datum", "const")


def test_a_card_that_these_options_leave_out_equals_nothing() -> None:
    texts = 'define q(c : card) @decided:tiny "Q." = c is JK or c is 4D'
    deck = "deck pack : rank x suit with JK as AD when colour is blue; @decided:tiny"
    text = f'variant joker {{ title "J" {TABLE.replace("deck pack : rank x suit @decided:tiny", deck)} {texts} }}'
    without, joker = load_text(text), load_text(text, colour="blue")
    assert show(without, without.defines["q"].answers[0].value) == "c is 4D"
    assert show(joker, joker.defines["q"].answers[0].value) == "c is JK or c is 4D"


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("turn", "seat"),
        ("first seat s : ready", "seat or none"),
        ("count-down + 1", "1 .. 4"),
        ("count-down - count-down", "-3 .. 3"),
        ("count-down * 2", "0 .. 6"),
        ("winner if ready else team(turn)", "team or none"),
        ("all seat s", "set of seat"),
        ("rank(4D)", "rank"),
        ("place(rank(4D))", "1 .. 4"),
        ("size(pack)", "0 .. 8"),
        ("shown", "card or none"),
        ("sum seat s : count-down", "0 .. 6"),
        ("highest seat s where ready : 1 + count-down", "0 .. 4"),
    ],
)
def test_the_type_of(expression: str, kind: str) -> None:
    assert str(linked(f'define q @decided:tiny "Q." = {expression}').defines["q"].type) == kind


@pytest.mark.parametrize("statement", ['define q @decided:tiny "Q." = other(team(turn))', RULE_OF_THEM])
def test_the_other_team_wants_two_teams(statement: str) -> None:
    table = TABLE.replace("2* | 4", "3* | 6").replace("in 2 teams", "in 3 teams")
    found = wrong_with(f'variant three {{ title "T" {table} {statement} }}')
    assert "there are 3 teams" in told(found[0])
