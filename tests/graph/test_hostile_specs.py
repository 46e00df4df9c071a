"""Specs from strangers: whatever is done to a spec, it is a game or it is refused with places, never a traceback."""

from __future__ import annotations

import random
import re

import pytest
from alarm import alarm
from tiny import TABLE, linked, mistakes, wrong_with

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import variant_names
from truco_spec.engine import Game
from truco_spec.graph.link import blocks_of, known_texts
from truco_spec.graph.linking import limits
from truco_spec.graph.load import load, load_text
from truco_spec.language.diagnostics import SpecError

SECONDS = 20
"""How long one text may take on a slow machine; here it takes a twentieth of a second."""

TEXTS = {name: path.read_text(encoding="utf-8") for name, path in known_texts().items()}

TOKEN = re.compile(r'"[^"\n]*"|@[a-z]+:[A-Za-z0-9.-]+|[A-Za-z0-9.-]+|#[^\n]*|\s+|.')
NAME = re.compile(r"[0-9]*[A-Za-z][A-Za-z0-9.-]*")
JUNK = [
    "", " ", "(", ")", "{", "}", "|", "*", "=", "+=", "-=", "<", "..", ",", ";", ":", "@", "\u0000", "\ufeff", "é",
    "🂡", '"', "0", "1", "-1", "99999999999999999999", "10000", "none", "yes", "no", "me", "us", "them", "everyone",
    "nobody", "chance", "not", "is", "in", "if", "else", "or", "and", "some", "all", "sum", "highest", "first",
    "count", "where", "with", "during", "flag", "seat", "team", "card", "phase", "pile", "slot", "set of card",
    "set of seat", "0 .. 9999", "next", "place", "rank", "suit", "size", "max", "when", "do", "lest", "by", "may",
    "must not", "then play", "resume", "ask hand", "fresh each deal", "fresh each hand", "seen by nobody", "tacit",
    "possible when yes", "at once", "except stake", "drop stake @house:xx", "replace", "rule", "datum", "bid",
    "ladder", "X", "Y", "-",
]  # fmt: skip


def check(error: TrucoError) -> None:
    """A declared error says something."""
    assert str(error)
    if isinstance(error, SpecError):
        assert error.diagnostics and all(found.message for found in error.diagnostics)


def swallow(text: str, variant: str = "", chance: random.Random | None = None, **options: object) -> bool:
    """Load a text, and play it where there is a chance; was it a game? A declared error is a fine answer."""
    with alarm(SECONDS):
        try:
            graph = load_text(text, variant, "<text>", **options)
            if chance is None:
                return True
            mode = chance.choice(["strict", "umpire"])
            game = Game(graph, mode=mode)
            for _ in range(25):
                legal = game.legal_actions()
                if not legal:
                    break
                game.push(chance.choice(legal))
                game.observe()
            for _ in range(3):
                if game.history:
                    game.pop()
        except TrucoError as error:
            check(error)
            return False
    return True


def mutated(text: str, chance: random.Random) -> str:
    """The text with a few mistakes in it: tokens and lines dropped, doubled, exchanged, renamed; cut, or with junk."""
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        kind = chance.randrange(10)
        if kind < 7:
            tokens = TOKEN.findall(text)
            at = chance.choice([n for n, token in enumerate(tokens) if not token.isspace() and token[0] != "#"] or [0])
            names = [token for token in tokens if NAME.fullmatch(token)]
            match kind:
                case 0:
                    tokens[at] = ""
                case 1:
                    tokens[at] += " " + tokens[at]
                case 2:
                    other = chance.randrange(len(tokens))
                    tokens[at], tokens[other] = tokens[other], tokens[at]
                case 3 | 4:
                    named = [n for n, token in enumerate(tokens) if NAME.fullmatch(token)]
                    tokens[chance.choice(named or [at])] = chance.choice(names or JUNK)
                case 5:
                    numbers = [n for n, token in enumerate(tokens) if token.isdigit()]
                    tokens[chance.choice(numbers or [at])] = chance.choice(
                        ["0", "1", "7", "65", "9999", "123456789012"]
                    )
                case _:
                    tokens[at] = chance.choice(JUNK)
            text = "".join(tokens)
        else:
            lines = text.split("\n")
            at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            match chance.randrange(5):
                case 0:
                    del lines[at]
                case 1:
                    lines.insert(other, lines[at])
                case 2:
                    lines[at], lines[other] = lines[other], lines[at]
                case 3:
                    lines = lines[: max(1, at)]
                case _:
                    lines[at] += " " + chance.choice(JUNK)
            text = "\n".join(lines)
    return text


def some_options(variant: str, chance: random.Random) -> dict[str, object]:
    """Now and then an option has another value."""
    if chance.random() < 0.7:
        return {}
    statements = [s for block in blocks_of(variant) for s in block.items if s.kind == "option"]
    statement = chance.choice(statements)
    value = chance.choice(statement.choices).value
    return {statement.name: getattr(value, "text", getattr(value, "value", None))}


def many(seed: int, number: int) -> int:
    """Load ``number`` mutated specs, and play one in five; how many were still games."""
    chance, sound = random.Random(seed), 0
    for count in range(number):
        variant = chance.choice(sorted(variant_names()))
        text = mutated(TEXTS[chance.choice([block.name for block in blocks_of(variant)])], chance)
        playing = chance if count % 5 == 0 else None
        sound += swallow(text, variant, playing, **some_options(variant, chance))
    return sound


@pytest.mark.long
def test_mutated_specs_are_games_or_declared_errors() -> None:
    assert sum(many(seed, 25) for seed in range(4)) > 0


@pytest.mark.sample(0, long=3)
@pytest.mark.parametrize("seed", range(1000, 1080))
def test_thousands_of_mutated_specs_are_games_or_declared_errors(seed: int) -> None:
    assert many(seed, 100) > 0


# ---- too large -------------------------------------------------------------------------------------


def series(form: str, number: int, between: str = "\n") -> str:
    """The form for 1, 2, 3 …, ``@`` being the number and ``~`` the one before."""
    return between.join(form.replace("@", str(n)).replace("~", str(n - 1)) for n in range(1, number + 1))


S = '§decided:big "It is big."'
"""A citation and a sentence; in a series `@` is the number, so a citation is written with `§`."""
LESS, OR, BAR, COMMA = " <\n", " or\n", " |\n", ",\n"
SIDES = "opens in start by turn answers pass, pass by turn refusal pays 1"
TOO_LARGE = {
    "the places of a datum": ("datum x(a : 0 .. 9999, b : 0 .. 9999) : flag", "x has 100,000,000 places"),
    "the members of an order": (f"order big : {series('n@', 100_000, LESS)} §decided:big", "big lists 100,000"),
    "a range": ("datum x : 0 .. 123456789012", "this number"),
    "the numbers of a set": (f"define q {S} = count-down in {{1, 999 * 999999}}", "the numbers that this set"),
    "the cards of a deck": (
        (
            f"order r : {series('r@', 200, ' < ')} §decided:big order s : {series('s@', 100, ' < ')} §decided:big"
            " deck other : r x s §decided:big"
        ),
        "200 ranks in 100 suits",
    ),
    "the rows of a table": (
        f"table t(a, b) {S} {series('| n@ | n@ | yes |', 250)}",
        "t has 250 rows for 62,500 combinations",
    ),
    "a quantifier over many cards": (
        (
            f"define q {S} = some card a with card b with card c with card d with card e with card f with card g"
            " with card h : a is b"
        ),
        "q looks at",
    ),
    "quantifiers in each other": (f"define q {S} = {series('some seat s@ :', 30, ' ')} s1 is s2", "q looks at"),
    "what is written out": (f"define q {S} = {series('every rank s@ :', 9, ' ')} s1 is s2", "with q, written out"),
    "a chain of sums": (f"define q {S} = {series('count-down', 100, ' + ')}", "expressions stand inside each other"),
    "a chain of questions": (
        f"{series(f'define d@ {S} = d~ + 1', 500)} define d0 {S} = count-down",
        "questions that ask each other",
    ),
    "a chain of typed questions": (
        f"define d0 : 0 .. 3 {S} = count-down {series(f'define d@ : 0 .. 3 {S} = d~', 500)}",
        "questions that ask each other",
    ),
    "questions that ask twice": (f"define d0 {S} = count-down {series(f'define d@ {S} = d~ + d~', 28)}", "looks at"),
    "effects that apply twice": (
        (
            f"effect e0(n : 0 .. 3) {S} do count-down = n {series(f'effect e@(n : 0 .. 3) {S} do e~(n), e~(n)', 40)}"
            f" rule r {S} in start by turn may pass do e40(1)"
        ),
        "r makes",
    ),
    "the rules": (series(f"rule r@ {S} in start by turn may pass do ready = yes", 2000), "with this all statements"),
    "the parameters of an action": (f"action big({series('p@ : flag', 40, ', ')})", "big has 40 parameters"),
    "the ways to do an action": ("action big(a : 0 .. 9999, b : 0 .. 9999)", "big can be done in 100,000,000 ways"),
    "what all are told": (
        f"define table.x(a : 0 .. 9999, b : 0 .. 9999) : flag {S} = ready",
        "table.x has 100,000,000 ways",
    ),
    "the cards of a trump": (f"trump big : {series('4D', 100, ' < ')} {S}", "big has 100 steps"),
    "the words of a ladder": (f"ladder l {S} stakes 1, {series('w@ @', 100, ', ')} {SIDES}", "l has 100 steps"),
    "the words of a bid": (f"bid l {S} calls {series('w@ += @', 100, ', ')} {SIDES} settles later", "l has 100 steps"),
    "the words of a type": (f"datum x : {series('v@', 50_000, OR)}", "x lists 50,000"),
    "the values of an option": (f"option o : v0* | {series('v@', 50_000, BAR)} §decided:big", "o lists 50,001"),
    "the changes of a rule": (
        f"rule r {S} in start by turn may pass do {series('ready = yes', 3000, COMMA)}",
        "r lists 3,000",
    ),
}  # fmt: skip


@pytest.mark.sample(6)
@pytest.mark.parametrize("what", TOO_LARGE)
def test_what_is_too_large_is_refused_with_its_place(what: str) -> None:
    statements, told = TOO_LARGE[what]
    text = TABLE.replace("deck pack : rank x suit @decided:tiny", "") if "deck " in statements else TABLE
    text = re.sub(r"^ .*(?:pile|slot|: card).*\n", "", text, flags=re.MULTILINE) if "deck " in statements else text
    with alarm(SECONDS):
        found = wrong_with(f'variant tiny {{ title "Tiny" {text} {statements} }}'.replace("§", "@"))
    large = [one for one in found if one.message.startswith("too large: ") and told in one.message]
    assert large, found
    assert all(one.code == "too-large" and one.span.line > 0 for one in large)


@pytest.mark.parametrize("players", ["1000", "1000000"])
def test_a_table_is_not_endless(players: str) -> None:
    found = wrong_with(f'variant v {{ title "V" {TABLE.replace("2* | 4", f"{players}* | 4")} }}')
    assert found[0].message == f"too large: {int(players):,} players; the most is 32"


def test_a_number_of_thousands_of_figures_is_refused() -> None:
    assert "This number is too long." in [one.message for one in mistakes(f'define q @decided:big "B." = {"9" * 5000}')]


def test_an_order_of_two_numbers_far_apart_is_no_range() -> None:
    assert linked("order two : 1 < 900000 @decided:big").orders["two"] == ("1", "900000")


def test_exceptions_to_exceptions_are_found_in_time() -> None:
    rule = 'rule r@ except r~, s~ §decided:big "B." in start by turn may pass'
    twin = rule.replace("rule r", "rule s")
    first = 'rule r0 §decided:big "B." in start by turn may pass rule s0 §decided:big "B." in start by turn may pass'
    with alarm(SECONDS):
        graph = linked(f"{first} {series(rule, 60)} {series(twin, 60)}".replace("§", "@"))
    assert len(graph.rules["r60"].beats) == 120


def test_a_table_of_teams_wants_teams() -> None:
    text = 'variant v { title "V" phase a "A." table t(a, b) @decided:big "B." | X | - | X | }'
    assert "X stands for a team, and without `seats` there is none" in [one.message for one in wrong_with(text)]


def test_a_deck_without_an_order_is_told_and_nothing_else_breaks() -> None:
    text = TABLE.replace("order suit", "order colours")
    told = [one.message for one in wrong_with(f'variant tiny {{ title "Tiny" {text} }}')]
    assert "there is no order suit" in told


def test_there_are_no_more_teams_than_players() -> None:
    text = TABLE.replace("in 2 teams", "in 999999 teams") + 'table t(a) @decided:big "B." | X | X |'
    told = [one.message for one in wrong_with(f'variant tiny {{ title "Tiny" {text} }}')]
    assert "2 players cannot be shared among 999,999 teams" in told


def test_all_known_texts_are_far_from_every_limit() -> None:
    for name in variant_names():
        assert len(load(name).rules) < limits.STATEMENTS / 4
