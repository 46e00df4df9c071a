"""Examples of a book: each turns on its rule, a ban shows the ban, and a permission is made use of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from release.examples import Chooser, chosen
from truco_spec.base.shipped import variant_names
from truco_spec.base.words import Words
from truco_spec.books.book import BookEntry, book_of
from truco_spec.books.examples import BANS, Example, decided
from truco_spec.books.finding import Examples, listed_examples
from truco_spec.books.whole import whole_of
from truco_spec.conformance.corpus import corpus, filling, ready
from truco_spec.conformance.corpus.cases import Instance
from truco_spec.conformance.corpus.protocol import Script
from truco_spec.graph.load import load
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.logs.notation import notation_of
from truco_spec.logs.replay import MoveRefused, Replay


def entries_of(graph: Graph) -> list[BookEntry]:
    return [entry for section in book_of(graph, Words()).sections for entry in section.entries]


def spoken_of(instance: Instance, graph: Graph) -> Iterator[tuple[bool, str]]:
    """Of every move of a case whether it was permitted, and the rules that permitted or forbade it: by a log of each
    of its scripts, without what the books use to find examples.
    """
    for script in ready.as_written(instance).requests:
        assert isinstance(script, Script)
        knows = notation_of(graph, script.players).knows
        hands = [[action for action in hand.actions if knows(action.text)] for hand in script.hands]
        replay = Replay(filling.log_of(script, [[action.text for action in hand] for hand in hands]), graph)
        while True:
            try:
                begun = replay.at < len(hands[replay.hand])
                step = replay.advance(exact=begun and hands[replay.hand][replay.at].exact)
            except MoveRefused as refused:
                yield from ((False, name) for name in refused.refusal.rules)
                replay.at += 1
                continue
            if step is None:
                break
            yield from ((step.event.status == "permitted", name) for name in step.event.rules)


def check(graph: Graph) -> dict[str, Example]:
    """Every example of the book of a game is decided by its rule."""
    found = Examples(graph).cases(entries_of(graph))
    for name, one in found.items():
        played = one.played
        assert any(decided(played.graph, name, step) for step in played.steps), name
        rule = graph.rules.get(name)
        if rule is not None and rule.shape in ("may", *BANS):
            assert (rule.shape == "may", name) in set(spoken_of(played.instance, played.graph)), name
    cases = [one.case for one in found.values()]
    assert len(cases) == len(set(cases))
    return {name: one.example(frozenset()) for name, one in found.items()}


@pytest.fixture(scope="module")
def paulista() -> dict[str, Example]:
    return check(load("paulista"))


@pytest.fixture(scope="module")
def argentino() -> dict[str, Example]:
    return check(load("argentino"))


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("game", listed_examples())
def test_every_listed_example_turns_on_its_rule(game: str) -> None:
    assert chosen(game) == listed_examples()[game]


@pytest.mark.long
def test_what_is_listed_are_cases_of_rules() -> None:
    known = {case.id for case in corpus.load()}
    for game, listed in listed_examples().items():
        assert listed.keys() <= {entry.name for entry in entries_of(load(game))}
        assert {*listed.values()} <= known


def test_a_case_that_notices_more_of_a_rule_shows_it_better() -> None:
    """A refusal pays one more than what was accepted: who refuses the first word does not show the half of it."""
    (entry,) = (entry for entry in entries_of(load("argentino")) if entry.name == "envido-refused")
    found = Chooser(load("argentino"))
    first, second = (found.turning(entry, f"wikipedia-envido-refused-0{number}") for number in (2, 4))
    assert first is not None
    assert second is not None
    assert first.noticed < second.noticed


def moves(example: Example) -> str:
    return ", ".join(step.moves for step in example.steps)


@pytest.mark.long
def test_a_truco_at_eleven_is_shown_to_lose_the_game(paulista: dict[str, Example]) -> None:
    example = paulista["brink-loses-game"]
    assert example.umpire
    assert example.steps[-1].moves.endswith("truco")
    assert dict(example.steps[-1].then)["winner"] in ("Bia/Davi", "Ana/Caio")
    assert not any(step.verdict for step in example.steps)


@pytest.mark.long
def test_a_later_raise_is_shown_later_and_one_in_answer_at_once(paulista: dict[str, Example]) -> None:
    later, answer = moves(paulista["truco.later"]), moves(paulista["truco.counter"])
    assert later.index("aceito") < later.index("seis" if "seis" in later.partition("aceito")[2] else "doze")
    assert "truco" in answer
    assert "aceito" not in answer.partition("seis")[0]


@pytest.mark.long
def test_a_ban_on_raising_is_shown_by_a_raise_that_is_forbidden(paulista: dict[str, Example]) -> None:
    forbidden = paulista["needless-raise"]
    assert forbidden.umpire or any(step.verdict == "is refused" for step in forbidden.steps)


@pytest.mark.long
def test_a_penalty_is_shown_where_it_is_paid(paulista: dict[str, Example]) -> None:
    for name in ("penalty", "penalty-at-brink"):
        assert paulista[name].umpire
        assert any(key == "score" for step in paulista[name].steps for key, _ in step.then)


@pytest.mark.long
def test_a_permission_is_shown_by_a_move_that_is_made(paulista: dict[str, Example]) -> None:
    assert any("(" in step.moves and not step.verdict for step in paulista["play-covered"].steps)


@pytest.mark.long
@pytest.mark.parametrize("name", ["envido", "say-points", "envido.accept", "envido.raise", "envido-won"])
def test_a_rule_of_the_envido_is_shown_by_an_envido_and_not_by_a_flor(argentino: dict[str, Example], name: str) -> None:
    assert "envido" in moves(argentino[name])
    assert "flor" not in moves(argentino[name])


@pytest.mark.long
def test_an_envido_that_is_shown_badly_is_lost_for_it(argentino: dict[str, Example]) -> None:
    assert "reclamo" in moves(argentino["shown-badly"])


@pytest.mark.long
def test_most_rules_that_something_is_done_by_have_an_example(paulista: dict[str, Example]) -> None:
    assert len(paulista) >= 55


@pytest.mark.long
def test_so_have_those_of_a_game_with_more_rules(argentino: dict[str, Example]) -> None:
    assert len(argentino) >= 90


@pytest.mark.long
def test_a_game_for_six_has_examples_of_its_own_and_of_the_game_that_it_extends() -> None:
    graph = load("pica-pica")
    found = check(graph)
    assert len(found) >= 95
    own = {entry.name for entry in entries_of(graph) if graph.defines.get(entry.name) or entry.name in graph.rules}
    own = {name for name in own if name in ("pica-due", "enough-for-pica", "duellists", "rival", "next-duel")}
    assert len(own & found.keys()) >= 4
    assert {len(example.called) for example in found.values()} >= {2, 4, 6}


@pytest.mark.long
def test_examples_that_are_kept_are_the_same_the_next_time(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    graph = load("gamelog")
    entries = entries_of(graph)
    first = Examples(graph).of(entries)
    monkeypatch.setattr(Examples, "cases", None)  # they are not looked for any more
    assert Examples(graph).of(entries) == first


@pytest.mark.sample(0, long=2)  # beside the games above
@pytest.mark.parametrize("variant", variant_names())
def test_every_example_of_every_book_is_decided_by_its_rule(variant: str) -> None:
    plain = load(variant)
    counts = plain.options[HOW_MANY].values if HOW_MANY in plain.options else (str(plain.seats),)
    for count in counts:
        try:
            graph = load(variant, **{HOW_MANY: count}) if HOW_MANY in plain.options else plain
        except SpecError:  # it is not played by this number
            continue
        assert check(graph)


@pytest.mark.long
def test_books_in_all_languages_have_the_same_examples() -> None:
    from truco_spec.books.book_words import words_in

    books = [whole_of(load("gamelog"), words_in(language)).examples for language in ("en", "pt", "es")]
    alike = [{name: example.among("en") for name, example in examples.items()} for examples in books]
    assert all(one == other for one, other in itertools.pairwise(alike))


@pytest.mark.long
def test_a_case_that_holds_under_another_option_by_coincidence_is_no_example() -> None:
    """Where the loser is the leader, what the loser lacks is no example of what the leader lacks."""
    loser, leader = (load("argentino", falta_basis=basis) for basis in ("loser", "leader"))
    shown = {example.case for example in Examples(loser).of(entries_of(loser)).values()}
    told = {example.case for example in Examples(leader, shipped=False).of(entries_of(leader)).values()}
    assert "wikipedia-falta-02" in shown
    assert not {"wikipedia-falta-02", "wikipedia-falta-06", "wikipedia-falta-08"} & told
