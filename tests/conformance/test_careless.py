"""What careless programmers do is one cause, in words of each language: a hand goes on, or ends, where it should not; a
tie goes to one seat; a condition too many; a payment twice.
"""

import re

import pytest
from test_orders import Ranking

from bench.fits import Miniature
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.fit.fit_report import causes_of
from truco_spec.conformance.reports.run_document import cause_sentence
from truco_spec.conformance.runner.runner import run

REFUSED = """rule goes-on except truco.refuse @decided:d "x"
    in truco.answer by side(truco.asked) may WORD do score(them) += stake, resume"""
TWICE = """rule twice except truco.refuse @decided:d "x"
    in truco.answer by side(truco.asked) may corro do concede(us, 2 * stake)"""
STAYS = """replace effect concede(t : team, n : 0 .. 15) @decided:d "x"
    do score(other(t)) += n, outcome = other(t), then deal"""
TIED = "some seat a in tops(n) with seat b in tops(n) : team(a) is not team(b)"
DRAWN = """replace rule score-nothing @decided:d "x" in hand-end when result is drawn
    do score(first team t) += stake, outcome = first team t, then deal-over"""
LOSER = 'replace define next-leader @decided:d "x" = next(first seat s in tops(current) from leader)'
BARRED = """define barred except may-envido @decided:d "x" when some seat x in playing : has-flor(x) = no"""
BEHIND = (
    """rule behind except truco.open @decided:d "x" in play by playing must not truco when score(us) < score(them)"""
)
FLOR_ENDS = """replace rule flor-alone @decided:d "x"
    in flor-told when flor-waiting is none and flores(other(team(opener))) is 0
    do flor-award(team(opener), 3 * flores(team(opener))), flor-side = team(opener), outcome = team(opener),
      then deal-over"""
ENVIDO_ENDS = """rule refused-ends except envido.refuse @decided:d "x"
    in envido.answer by side(envido.asked) may no-quiero do concede(us, envido-refused)"""
FURTHER = """rule turns @decided:d "x" in truco.answer, envido.answer on quiero or no-quiero do turn = me
    rule turns-of-flor @decided:d "x"
      in flor-round, flor-last, flor-answer
      on callo or flor or con-flor-me-achico or contraflor or contraflor-al-resto or asi-queda or con-flor-quiero
      do turn = me"""


def tied_to(whom: str) -> str:
    return f'replace define tied-trick except taker @decided:d "x" when ({TIED}) = {whom}'


@pytest.mark.long
@pytest.mark.parametrize(
    ("engine", "rule", "change"),
    [
        (
            Ranking("paulista", REFUSED.replace("WORD", "corro")),
            "truco.refuse",
            "“score(them) += stake, resume” in place of “concede(us, stake)”",
        ),
        (
            Ranking("argentino", REFUSED.replace("WORD", "no-quiero")),
            "truco.refuse",
            "“score(them) += stake, resume” in place of “concede(us, stake)”",
        ),
        (Ranking("paulista", TWICE), "truco.refuse", "“2 * stake” in place of “stake”"),
        (Ranking("paulista", STAYS), "concede", "“then deal” in place of “then deal-over”"),
        (Ranking("argentino", tied_to("team(mano)")), "tied-trick", "“team(mano)” in place of “tie”"),
        (
            Ranking("paulista", DRAWN),
            "score-nothing",
            "“concede(other(team(first seat x)), stake)” in place of “outcome = drawn, then deal-over”",
        ),
        (
            Ranking("paulista", LOSER),
            "next-leader",
            "“next(first seat s in tops(current) from leader)” in place of “first seat s in tops(current) from leader”",
        ),
        (Ranking("argentino", BARRED), "envido.open", "with “not (some seat x : has-flor(x))”"),
        (Ranking("paulista", BEHIND), "truco.open", "with “score(us) >= score(them)”"),
        (Ranking("argentino", FLOR_ENDS), "flor-alone", "“concede(other(team(opener)), 0)” in place of “resume”"),
        (Ranking("argentino", ENVIDO_ENDS), "envido.refuse", "“concede(us, 0)” in place of “resume”"),
        (Ranking("argentino", FURTHER), "truco.accept", "“turn = me” after every answer, also to what an answer asks"),
    ],
    ids=[
        "refused paulista",
        "refused argentino",
        "twice",
        "dealer stays",
        "tie mano",
        "drawn",
        "loser leads",
        "barred",
        "behind",
        "flor ends",
        "envido ends",
        "turns",
    ],
)
def test_each_is_one_cause(engine: Miniature, rule: str, change: str) -> None:
    results = run(chosen(variants=(engine.played.variant,), players=engine.played.players), engine)
    failed = {result.name for result in results if result.verdict == "fail"}
    (cause,) = causes_of(results, engine.hello(), ask=engine.run)
    assert (cause.rule, cause.change, {*cause.cases}) == (rule, change, failed)
    told = {language: _in(language, cause.sentence, cause.variant) for language in ("en", "es", "pt")}
    assert told["en"] == cause.sentence
    for language in ("es", "pt"):
        assert not re.search(r"\b(plays|though|place of|after every|with “)", told[language]), told[language]
        assert all(part in told[language] for part in re.findall("“([^”]*)”", cause.change))


def _in(language: str, sentence: str, variant: str) -> str:
    with speaking(spoken_in(language)):
        return cause_sentence(sentence, variant)
