"""What ``truco-spec words`` lists is what the runner knows, and a ``hello`` made of it is accepted and true."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from truco_spec.base.shipped import variant_names
from truco_spec.cli import main
from truco_spec.conformance.adapters.reference import Reference
from truco_spec.conformance.corpus import corpus
from truco_spec.conformance.corpus.corpus import chosen
from truco_spec.conformance.corpus.protocol import Introduction, Script, Seen, introduction_in
from truco_spec.conformance.corpus.vocabulary import claim, mistakes_in, observed, vocabulary, words_of
from truco_spec.conformance.runner import runner
from truco_spec.graph.load import load

PLAYED = Reference().hello()


def hello(variant: str, **always: str) -> Introduction:
    return introduction_in(claim(load(variant, **always), PLAYED.variants[variant], always))


class Told(Reference):
    """The reference engine with options of its own, and what it says of itself."""

    def __init__(self, introduction: Introduction, always: dict[str, str]) -> None:
        super().__init__()
        self.introduction, self.always = introduction, always

    def hello(self) -> Introduction:
        return self.introduction

    def run(self, script: Script) -> Seen:
        return super().run(replace(script, options={**self.always, **script.options}))


@pytest.mark.parametrize("variant", sorted(set(PLAYED.variants) & set(variant_names())))
def test_a_hello_names_only_what_the_runner_knows(variant: str) -> None:
    told = hello(variant)
    assert list(mistakes_in(told)) == []
    assert told.variants[variant].players == PLAYED.variants[variant].players
    assert set(told.observes) <= set(PLAYED.observes)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("variant", "always"), [("gaucho", {}), ("fisch", {}), ("nowadays", {"covering": "any"})])
def test_a_hello_is_true_of_an_engine_that_plays_all(variant: str, always: dict[str, str]) -> None:
    told = hello(variant, **always)
    results = runner.run(chosen(corpus.load(), variants=[variant]), Told(told, always))
    verdicts = [result.verdict for result in results]
    assert set(verdicts) <= {"pass", "unsupported", "unobserved"}
    assert verdicts.count("pass") > len(verdicts) / 2


def test_a_word_has_its_other_forms_and_who_says_it() -> None:
    words = {word.word: word for word in vocabulary(load("paulista"))}
    assert words["aceito"].written == ("aceito", "joga", "bate", "vem", "mata", "cai")
    assert words["aceito"].said_by == ("side(truco.asked) in truco.answer",)
    assert words["seis"].meaning == "seis!" and not words["seis"].implicit
    assert words["shuffle"].implicit and words["cover"].written == ("({c})",)
    assert "top" not in words  # chance alone draws a card


def test_one_form_of_several_words_is_a_form_of_each_and_no_card() -> None:
    forms = {word.word: word.written for word in vocabulary(load("gamelog"))}
    assert forms["truco-6"] == ("truco-6", "truco")
    assert forms["truco"] == ("truco",)
    assert forms[""] == ("{c}",)


def test_what_nobody_may_say_under_these_options_is_told_apart() -> None:
    assert [w.said_by for w in vocabulary(load("paulista")) if w.word == "sobe"] == [()]
    assert [w.said_by for w in vocabulary(load("paulista", **{"deal-end": "cutter"})) if w.word == "sobe"] != [()]
    assert {w.word for w in vocabulary(load("paulista")) if not w.said_by} >= {"burn", "look", "familia"}
    assert "sobe" in hello("paulista").variants["paulista"].omits
    assert "sobe" not in hello("paulista", **{"deal-end": "cutter"}).variants["paulista"].omits


def test_an_observation_has_the_type_in_which_it_is_answered() -> None:
    found = observed(load("argentino"))
    assert found["acting"] == found["may-speak"] == "list of players"
    assert found["trick"] == 'team or null or "tie"'
    assert found["score"] == "by team: 0 .. 360"
    assert found["offer"] == '0 .. 82 or "falta" or null'
    assert found["stake"] == "1 .. 4"


def test_all_forms_are_words_that_a_hello_may_name() -> None:
    assert {"truco", "seis", "shuffle", "joga", "cover"} <= words_of(load("paulista"))
    assert {"truco", "envido", "falta-envido", "son-buenas", "seña"} <= words_of(load("uruguayo"))
    assert not [word for word in words_of(load("uruguayo")) if "{" in word]


def test_the_verb_prints_what_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for form in ("text", "json", "hello"):
        with pytest.raises(SystemExit) as end:
            main(["words", "paulista", "--option", "players=2", "--option", "target=15", "--format", form])
        assert end.value.code == 0
        said.append(capsys.readouterr().out)
    pasted = json.loads(said[2])
    first = said[0][: said[0].index("\n\nWords")]
    assert len(first.splitlines()) < 30, "more than a screen"
    told = json.loads(first[first.index("  {\n") :])
    assert told["variants"]["paulista"].pop("options") == {}
    assert json.loads(said[1])["hello"] == pasted
    assert pasted["variants"]["paulista"]["players"] == [2]
    assert pasted["variants"]["paulista"]["always"] == {"target": "15"}
    assert "target" not in pasted["variants"]["paulista"]["options"]
    assert pasted["variants"]["paulista"].pop("options")
    assert told == pasted
