"""What the command line says of itself, in Portuguese and Spanish: help and mistakes in what was typed."""

from __future__ import annotations

import gettext
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import chain

import click
import pytest
from babel.messages.pofile import read_po
from one_language import foreign, words_of

from release.catalogs import LICENCE, TRANSLATED, commands_of, compiled, compiled_path, messages, path_of
from truco_spec.base.project import playable_names
from truco_spec.base.shipped import ENGLISH
from truco_spec.books.catalog import text_of
from truco_spec.cli.commands import PROGRAM, VERBS, group
from truco_spec.cli.messages import DOMAIN, locale_language, telling
from truco_spec.graph.load import load

HOLE = re.compile(r"\{[^}]*\}|%\(\w+\)s")
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")
EXAMPLE = re.compile(rf"^    .*\b{PROGRAM} .*$", re.MULTILINE)
NAMED = re.compile(
    r"\btruco-spec [a-z]+|(?m:^  [a-z]+(?=  ))|\[[a-z|0-9]+\]|\{[a-z|]+\}|(?<!\w)--?[a-z][a-z-]*"
    r"|(?:padrão|por omisión):\s+\S+[];]|[\w./-]+\.(?:md|json|yaml|po|js|ts|xml)\b"
)
"""Options and their values, files: they are typed so in every language."""


@pytest.fixture(scope="module", autouse=True)
def verbs_are_imported_in_english() -> None:
    """In one process the names of types are those of the language in which a verb is imported first."""
    for verb in VERBS:
        group.get_command(click.Context(group), verb)


def told(language: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    with path_of(language, DOMAIN).open("rb") as file:
        found = [m for m in read_po(file, locale=language) if m.id and not m.fuzzy]
    return {forms(m.id): forms(m.string or "") for m in found}


def forms(sentence: str | Sequence[str]) -> tuple[str, ...]:
    return (sentence,) if isinstance(sentence, str) else tuple(sentence)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated_with_its_holes_and_placeholders(language: str) -> None:
    catalog = told(language)
    assert set(catalog) == {forms(sentence) for sentence, _ in messages()}
    named = {english[0]: told[0] for english, told in catalog.items() if PLACEHOLDER.fullmatch(english[0])}
    for english, translated in catalog.items():
        holes = set(HOLE.findall(" ".join(english)))
        for form in translated:
            assert form, english
            assert holes >= set(HOLE.findall(form)), english
        meant = {named[word] for word in PLACEHOLDER.findall(english[0]) if word in named}
        assert not [word for word in meant if word not in translated[0]], english


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_gettext_reads_is_what_the_catalog_says(language: str) -> None:
    catalog = commands_of(language)
    assert text_of(catalog, LICENCE) == path_of(language, DOMAIN).read_bytes()
    assert compiled(catalog) == compiled_path(language).read_bytes(), "python -m release.catalogs compiles it"


# ---- Help ------------------------------------------------------------------------------------------


def english_words(language: str) -> frozenset[str]:
    """The words of the catalog that only English has."""
    catalog = told(language)
    theirs = words_of(chain(*catalog.values()))
    return words_of(HOLE.sub(" ", form) for form in chain(*catalog)) - theirs


def left(shown: str, language: str) -> Iterator[str]:
    """Each English word, with its line."""
    strange = english_words(language)
    for line in NAMED.sub(" ", EXAMPLE.sub(" ", shown)).splitlines():
        yield from (f"{word}: {line}" for word in sorted(words_of([line]) & strange))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("verb", [*sorted(VERBS), ""])
def test_help_leaves_nothing_in_english(ends, monkeypatch, verb: str, language: str) -> None:
    monkeypatch.setenv("LC_ALL", language)
    status, shown, _ = ends(*filter(None, [verb]), "--help")
    assert status == 0
    assert list(left(shown, language)) == []


def test_english_that_is_left_is_noticed(ends, monkeypatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    _, shown, _ = ends("run", "--help")
    assert "Usage: truco-spec run [OPTIONS] LOG" in shown
    noticed = "\n".join(left(shown, "pt"))
    assert all(f"{word}: " in noticed for word in ("usage", "replay", "tricks", "show", "exit"))


# ---- Mistakes in what was typed ----------------------------------------------------------------------

TYPED = {
    ("run",): ("Falta o argumento 'LOG'.", "Falta el argumento 'LOG'."),
    ("site",): ("Falta a opção '-o' / '--output'.", "Falta la opción '-o' / '--output'."),
    ("run", "a", "b"): ("Argumento a mais (b)", "Argumento de más (b)"),
    ("run", "a", "b", "c"): ("Argumentos a mais (b c)", "Argumentos de más (b c)"),
    ("runn",): (
        "Não há o verbo “runn”. Você quis dizer “run”?",
        "No hay ningún verbo “runn”. ¿Quisiste decir “run”?",
    ),
    ("diff", "a", "--format", "x"): (
        "Valor inválido para '--format': 'x' não é nenhum destes: 'text', 'md', 'html', 'json'.",
        "Valor inválido para '--format': 'x' no es ninguno de estos: 'text', 'md', 'html', 'json'.",
    ),
    ("perft", "--depth", "x"): ("'x' não é um número válido.", "'x' no es un número válido."),
    ("perft", "--depth", "99"): (
        "99 está fora dos limites 1<=x<=64.",
        "99 está fuera de los límites 1<=x<=64.",
    ),
    ("perft", "--depht", "2"): (
        "Não há a opção '--depht'. Você quis dizer '--depth'?",
        "No hay ninguna opción '--depht'. ¿Quisiste decir '--depth'?",
    ),
    ("run", "--spec"): ("A opção '--spec' precisa de um valor.", "La opción '--spec' necesita un valor."),
    ("run", "--json=1", "a"): ("A opção '--json' não leva valor.", "La opción '--json' no lleva valor."),
    ("graph", "paulista", "-o", "x.svg"): (
        "“x.svg” não tem a forma nome=valor. O arquivo se indica com --output.",
        "“x.svg” no tiene la forma nombre=valor. El archivo se indica con --output.",
    ),
    ("show", "paulista", "-o", "deck"): (
        "“deck” não tem a forma nome=valor.",
        "“deck” no tiene la forma nombre=valor.",
    ),
    ("report", "-q", "-v", "a"): ("Dê --quiet ou --verbose, não os dois.", "Poné --quiet o --verbose, no los dos."),
    ("fuzz",): (
        "Dê o comando de um adaptador depois de --, ou --python.",
        "Poné el comando de un adaptador después de --, o --python.",
    ),
    ("diff", "paulista"): ("você dá uma: paulista.", "diste una: paulista."),
}
"""What is typed, and the mistake in Portuguese and in Spanish."""


@pytest.mark.parametrize("typed", TYPED)
def test_a_mistake_is_told_in_the_language_of_the_locale(ends, monkeypatch, typed: tuple[str, ...]) -> None:
    for language, wanted in zip(("pt_BR.UTF-8", "es_AR.UTF-8"), TYPED[typed], strict=True):
        monkeypatch.setenv("LC_ALL", language)
        status, _, mistake = ends(*typed)
        assert status == 2
        assert wanted in mistake
        assert list(left(mistake, language[:2])) == []


WRONG = (
    ("show", "paulistaa"), ("rulebook", "paulista", "dek=clean"), ("penalties", "paulista", "deck=red"),
    ("scoresheet", "nowhere.truco"), ("run", "nowhere.yaml"), ("explain", "paulista | ana"), ("perft", "x.yaml"),
    ("run", "paulista | ana bia | position plai"), ("run", "paulista | ana bia | position play; score ana"),
    ("graph", "paulista", "--phase", "plai"), ("table", "--questions", "nowhere.yaml"), ("check", "nowhere.truco"),
    ("test", "--case", "pagat-tie-1"), ("report", "nowhere.jsonl"),
    ("diff", "paulista", "deck=red"), ("dispute", "paulista | ana bia", "--variants", "bridge"), ("words", "bridge"),
    ("fuzz", "--python", "nowhere"), ("build", "bridge", "-o", "folder"), ("new", "nowhere/here/a_b"),
    ("format", "nowhere.truco"), ("test", "--case", "pagat-tie-01", "--", "sh", "-c", "exit 3"),
    pytest.param(("trace", "--applies", "bridge"), marks=pytest.mark.long),
)  # fmt: skip
"""What cannot be done, for each verb that can be asked for it."""


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("typed", WRONG, ids=" ".join)
def test_an_error_is_in_the_language_of_the_locale_alone(ends, monkeypatch, tmp_path, typed, language: str) -> None:
    monkeypatch.setenv("LC_ALL", language)
    monkeypatch.chdir(tmp_path)
    status, _, mistake = ends(*typed)
    assert status == 2
    graph = load("paulista")
    values = (value for option in graph.options.values() for value in option.values)
    names = words_of([*graph.phases, *graph.options, *values, *typed, *playable_names()])
    assert [hit for hit in foreign(mistake, language) if hit.partition(":")[0].lower() not in names] == []


@pytest.mark.parametrize("verb", ["show", "rulebook", "penalties", "scoresheet", "perft"])
def test_an_error_is_in_the_language_that_was_asked_for(ends, verb: str) -> None:
    _, _, mistake = ends(verb, "nowhere.truco", *(["paulista | ana bia"] if verb == "perft" else []), "--lang", "pt")
    assert mistake == "nowhere.truco: erro: Esse arquivo não existe.\n"


def test_what_click_says_when_a_verb_is_imported_is_in_the_language_too() -> None:
    command = [sys.executable, "-m", "truco_spec", "trace", "--spec", "nowhere"]
    done = subprocess.run(command, env={**os.environ, "LC_ALL": "es"}, capture_output=True, text=True, check=False)
    assert "Valor inválido para '--spec': Carpeta 'nowhere' no existe." in done.stderr


# ---- Which language ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "pt_BR.UTF-8", "LC_MESSAGES": "es_UY"}, "es"),
        ({"LC_MESSAGES": "es_UY", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "es-AR", "TRUCO_SPEC_LANG": "pt"}, "pt"),
        ({"LC_ALL": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_first_variable_that_is_set_tells_the_language(monkeypatch, environment, language: str) -> None:
    for name in ("TRUCO_SPEC_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert locale_language() == language


def test_afterwards_gettext_is_as_it_was(monkeypatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    before = gettext.textdomain()
    with telling("pt"):
        assert gettext.gettext("Usage:") == "Uso:"
    assert gettext.textdomain() == before
    with telling(ENGLISH):
        assert gettext.textdomain() == before
