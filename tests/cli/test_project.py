"""A folder of one's own: every verb finds what is in it, beside what is shipped, and what is wrong with it is told."""

import os
import re
import resource
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from alarm import alarm

from truco_spec.base.project import VARIABLE, Project, around, projects
from truco_spec.base.shipped import LANGUAGES, folder, variant_names
from truco_spec.books.book_words import read_catalog, words_in
from truco_spec.graph.load import load, load_open
from truco_spec.graph.sources import registry


@pytest.fixture
def made(ends, tmp_path, monkeypatch):
    """Make a project, and work in it."""

    def make(name, *arguments):
        status, _, said = ends("new", str(tmp_path / name), *arguments)
        assert (status, said) == (0, "")
        monkeypatch.chdir(tmp_path / name)
        return tmp_path / name

    return make


def test_a_verb_in_a_project_finds_what_is_in_it(made, ends):
    made("club-zero")
    assert "set tie-lead last" in ends("show", "club-zero")[1]
    assert ends("run", "club-zero | ana bia | dealer ana | bia truco")[0] == 0
    status, told, _ = ends("test")
    assert status == 0
    assert "1 of 1 passed" in told


@pytest.mark.long
def test_a_new_project_is_in_order_and_each_verb_finds_it(made, ends):
    made("club-one")
    status, told, _ = ends("trace")
    assert (status, "club-one-article-1-01" in told, "Every link is there." in told) == (0, True, True)
    assert ends("run", "club-one | ana bia | dealer ana | bia truco")[0] == 0
    assert ends("explain", "club-one | ana bia | dealer ana | bia truco")[0] == 0
    assert "club-one" in ends("table", "--variants", "club-one,paulista")[1]
    assert "set tie-lead last" in ends("show", "club-one")[1]
    assert "club-one" in ends("dispute", "club-one | ana bia | dealer ana | bia truco", "--variants", "all")[1]
    assert '"club-one"' in ends("words", "club-one")[1]


@pytest.mark.long
def test_a_book_of_a_project_cites_its_articles(made, ends):
    made("club-two")
    status, told, said = ends("rulebook", "club-two", "--format", "md")
    assert (status, said) == (0, "")
    assert "club-two: article-1" in told


@pytest.mark.long
def test_a_project_is_named_from_elsewhere(made, ends, monkeypatch, tmp_path):
    place = made("club-three")
    monkeypatch.chdir(tmp_path)
    status, _, said = ends("show", "club-three")
    assert status == 2
    assert "There is no such variant. This folder is a project: go there, or add --project club-three." in said
    assert ends("show", "club-three", "--project", str(place))[0] == 0


@pytest.mark.long
def test_workers_and_adapters_find_it_too(made):
    place = made("club-four")
    Project.open(place)
    told = "from truco_spec import load; print(load('club-four').options['tie-lead'].value)"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd="/")
    assert found.stdout == "last\n"


def test_python_opens_a_project(made):
    opened = Project.open(made("club-five"))
    assert opened.variants == ("club-five",)
    assert "paulista" in load("club-five").lineage
    assert registry("club-five").known("article-1")
    assert Project.open(opened.root) == opened
    assert len(projects()) == 2


def test_a_game_is_that_of_the_open_project_also_if_another_had_one_of_its_name(made, tmp_path, monkeypatch):
    """Also after its text was changed."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(made("club-six"), elsewhere)
    text = elsewhere / "variants" / "club-six.truco"
    text.write_text(text.read_text("utf-8").replace("extends paulista", "extends mineiro"), "utf-8")
    found = []
    for place in (tmp_path / "club-six", elsewhere):
        monkeypatch.setenv(VARIABLE, "")
        Project.open(place)
        found.append(load("club-six"))
        assert load("club-six") is found[-1]
        assert load_open("club-six").lineage == found[-1].lineage
        assert {source.span.file for _, _, source in found[-1].cites} & {str(place / "variants" / "club-six.truco")}
    assert ["paulista" in found[0].lineage, "paulista" in found[1].lineage] == [True, False]
    text.write_text(text.read_text("utf-8").replace("extends mineiro", "extends fisch"), "utf-8")
    os.utime(text, ns=(0, 1))
    assert "fisch" in load("club-six").lineage


def test_what_is_shipped_is_a_project_too():
    shipped = projects()[0]
    assert shipped.variants == variant_names()
    assert set(shipped.sources()) == {path.stem for path in (folder("spec") / "sources").iterdir()}
    assert around(folder("spec") / "variants") is None
    shipped.check()


@pytest.mark.sample(0, long=1)
@pytest.mark.parametrize("base", variant_names())
def test_any_game_can_be_extended(base, made, ends):
    language = LANGUAGES[len(base) % len(LANGUAGES)]
    made(f"from-{base}", "--extends", base, "--lang", language)
    assert ends("check", "-q")[0] == 0
    status, told, _ = ends("test")
    assert status == 0
    assert "1 of 1 passed" in told


@pytest.mark.campaign
def test_a_site_of_a_project_has_its_games_and_is_made_anew_where_they_change(made, ends, tmp_path):
    place = made("club-twelve")
    site = tmp_path / "site"
    assert ends("site", "-o", str(site))[0] == 0
    assert {path.name for path in (site / "rules").iterdir()} == {f"club-twelve.{name}.html" for name in LANGUAGES}
    assert "club-twelve" in (site / "index.html").read_text(encoding="utf-8")
    assert "club-twelve-article-1-01" in (site / "cases" / "club-twelve-club-twelve.html").read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        for link in re.findall(r'<a [^>]*href="(?!https:)([^"#]+)', page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
    catalog = place / "locales" / "pt" / "rules.po"
    _text(catalog, f'msgid ""\nmsgstr ""\n\nmsgid "{load("club-twelve").title}"\nmsgstr "Do clube doze"\n')
    subprocess.run([sys.executable, "-m", "truco_spec", "site", "-o", str(site)], check=True, capture_output=True)
    assert "Do clube doze" in (site / "rules" / "club-twelve.pt.html").read_text(encoding="utf-8")


# ---- catalogs ------------------------------------------------------------------------------------


@pytest.mark.long
def test_translate_makes_catalogs_and_keeps_what_is_translated(made, ends):
    place = made("club-six", "--lang", "es")
    assert ends("translate")[0] == 1
    catalog = place / "locales" / "pt" / "rules.po"
    first = catalog.read_text(encoding="utf-8")
    title = load("club-six").title
    done = first.replace(f'msgid "{title}"\nmsgstr ""', f'msgid "{title}"\nmsgstr "Do clube"')
    assert done != first
    catalog.write_text(done, encoding="utf-8")
    assert ends("translate", "pt")[0] == 1
    assert catalog.read_text(encoding="utf-8") == done
    assert words_in("pt")(title) == "Do clube"


@pytest.mark.long
def test_sentences_of_ones_own_stand_for_themselves_in_their_language_only(made):
    Project.open(made("club-seven", "--lang", "es"))
    title = load("club-seven").title
    for language, missing in (("es", False), ("pt", True), ("en", True)):
        words = words_in(language)
        assert words(title) == title
        assert bool(words.missing) == missing


@pytest.mark.long
def test_what_is_marked_fuzzy_is_not_printed(made, ends):
    place = made("club-eight", "--lang", "es")
    ends("translate", "pt")
    catalog = place / "locales" / "pt" / "rules.po"
    title = load("club-eight").title
    text = catalog.read_text(encoding="utf-8").replace("#. source", "#, fuzzy\n#. source", 1)
    catalog.write_text(text.replace(f'msgid "{title}"\nmsgstr ""', f'msgid "{title}"\nmsgstr "Do clube"'), "utf-8")
    assert words_in("pt")(title) == title


# ---- what is wrong -------------------------------------------------------------------------------

WRONG = {
    "no manifest": (
        lambda place: (place / "truco.yaml").unlink(),
        "There are variants here, but no truco.yaml. Write one: “project: 1” and “title: …”, a line each.",
    ),
    "another folder": (
        lambda place: _emptied(place),
        "There is no truco.yaml in this folder. “truco-spec new ",
    ),
    "no folder": (lambda place: shutil.rmtree(place), "There is no such folder"),
    "half a manifest": (lambda place: (place / "truco.yaml").write_text("project: 1\n"), "title is missing"),
    "another version": (
        lambda place: (place / "truco.yaml").write_text("project: 2\ntitle: x\n"),
        "truco.yaml:1:1: ‘2’ is not one of 1",
    ),
    "an unknown language": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\nlanguages: [en, xx]\n"),
        "truco.yaml:3:17: There are no books in “xx”",
    ),
    "no language": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\nlanguages: []\n"),
        "truco.yaml:3:12: “languages” is empty",
    ),
    "a language twice": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\nlanguages: [en, pt, en]\n"),
        "truco.yaml:3:21: “languages” names “en” twice",
    ),
    "an empty manifest": (lambda place: (place / "truco.yaml").write_text(""), "truco.yaml:1:1: Here a mapping"),
    "a number for a text": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\nedition: 2\n"),
        'truco.yaml:3:1: Here a text is wanted, not ‘2’. Write it in quotes: "2".',
    ),
    "a key that nobody knows": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\nlanguges: [en]\n"),
        "truco.yaml:3:1: ‘languges’ is not known here. Did you mean languages?",
    ),
    "not in UTF-8": (
        lambda place: (place / "truco.yaml").write_bytes("project: 1\ntitle: Señas\n".encode("latin-1")),
        "truco.yaml:2:10: This is not UTF-8 text",
    ),
    "a large manifest": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: x\n#" + 5_000_000 * "x"),
        "truco.yaml: The text is longer than 5,000,000 bytes",
    ),
    "a title in an unknown language": (
        lambda place: (place / "truco.yaml").write_text("project: 1\ntitle: {xx: x}\n"),
        "truco.yaml:2:13: There are no books in “xx”",
    ),
    "a shipped name": (
        lambda place: (place / "variants" / "mineiro.truco").write_text("variant mineiro extends paulista {}\n"),
        "There is a variant mineiro already",
    ),
    "a shipped source": (
        lambda place: (place / "sources" / "pagat.yaml").write_text("source: pagat\n"),
        "There is a source pagat already",
    ),
    "a name twice": (
        lambda place: _text(place / "base" / f"{place.name}.truco", f"variant {place.name} {{}}\n"),
        "Give one another name",
    ),
    "another name than its file": (
        lambda place: (place / "variants" / "ours.truco").write_text("variant theirs extends paulista {}\n"),
        "A file holds the one variant that it is named after; this one holds theirs",
    ),
    "a name with an accent": (
        lambda place: (place / "variants" / "peña.truco").write_text("variant pena extends paulista {}\n", "utf-8"),
        "A file holds the one variant that it is named after; this one holds pena",
    ),
    "a folder that leads out": (
        lambda place: [(place / "cases").rename(place.parent / "out"), (place / "cases").symlink_to("../out")],
        "This leads out of the project",
    ),
    "a link that leads out": (
        lambda place: (place / "cases" / "out.yaml").symlink_to("/etc/hostname"),
        "This leads out of the project",
    ),
    "a name that parts folders": (
        lambda place: place.rename(place.with_name("a:b")).parent.joinpath(place.name).symlink_to("a:b"),
        "The name of a project's folder has no “:” in it",
    ),
    "something else than a question left out": (
        lambda place: _text(place / "truco.yaml", 'project: 1\ntitle: "Mine"\nleave: [pack]\n'),
        "truco.yaml:3:9: “leave” names “pack”, and no question (define) of this project is called so.",
    ),
    "more rules than anybody can hold": (
        lambda place: os.truncate(place / "variants" / f"{place.name}.truco", 10**13),
        ".truco: error: This file is too large: one of a project has at most 5,000,000 bytes.",
    ),
    "a catalog of no language": (
        lambda place: _text(place / "locales" / "xx" / "rules.po", ""),
        "There are no books in “xx”",
    ),
}


def _emptied(place: Path) -> None:
    shutil.rmtree(place)
    place.mkdir()


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_project_is_one_message(wrong, made, ends, monkeypatch, tmp_path):
    place = made(f"wrong-{list(WRONG).index(wrong)}")
    spoil, message = WRONG[wrong]
    spoil(place)
    monkeypatch.chdir(tmp_path)
    status, told, said = ends("show", "paulista", "--project", str(place))
    assert (status, told) == (2, "")
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.sample(0, long=5)
@pytest.mark.parametrize(
    "pipe", ["sources/x.yaml", "variants/x.truco", "base/x.truco", "cases/x.yaml", "glossary/x.yaml"]
)
def test_a_pipe_in_a_project_is_not_waited_for(pipe, made, ends):
    place = made("piped")
    (place / pipe).parent.mkdir(exist_ok=True)
    os.mkfifo(place / pipe)
    with alarm(30):
        for verb in (["show", "piped"], ["trace", "--missing"], ["words", "piped"], ["test", "-q", "--no-null"]):
            assert ends(*verb)[0] in (0, 1, 2)


@pytest.mark.parametrize("inside", ["variants", "sources", "cases", "locales", "glossary"])
def test_a_folder_that_cannot_be_read_is_not_taken_for_an_empty_one(inside, made, ends):
    unread = made("club", "--lang", "en") / inside
    unread.rename(unread.with_name("aside"))
    unread.symlink_to(unread.name)  # leads to itself: nobody reads it, not even who may read all
    for verb in ("check", "translate"):
        status, _, said = ends(verb)
        assert status == 2
        assert f"/club/{inside}: error: This folder cannot be used: " in said


def test_half_a_project_is_not_taken_for_none(made, ends):
    (made("half") / "truco.yaml").unlink()
    for verb in (["check"], ["test"], ["show", "half"]):
        status, told, said = ends(*verb)
        assert (status, told) == (2, "")
        assert "half: error: There are variants here, but no truco.yaml." in said
        assert said.count("\n") == 1


EMPTY = {"check": "variants", "test": "cases", "trace": "sources"}


@pytest.mark.parametrize("verb", EMPTY)
def test_what_a_project_does_not_have_yet_is_not_taken_for_what_is_shipped(verb, made, ends):
    place = made(f"bare-{verb}")
    shutil.rmtree(place / EMPTY[verb])
    status, told, said = ends(verb)
    assert (status, told) == (2, "")
    assert said.startswith(f"{place / EMPTY[verb]}: error: There is no {EMPTY[verb].removesuffix('s')} here yet")
    assert said.count("\n") == 1


def test_the_cases_of_a_project_are_played_also_where_a_variant_has_none(made, ends):
    place = made("two-games")
    _text(place / "variants" / "untried.truco", 'variant untried extends paulista {\n  title "Untried"\n}\n')
    status, told, _ = ends("test")
    assert (status, "1 of 1 passed" in told) == (0, True)
    status, _, said = ends("test", "--variant", "untried")
    assert (status, "No case has the variant “untried”." in said) == (2, True)


DRAW = """corpus: 1
source: the-draw
applies: {{variants: [the-draw]}}
cases:
  - id: the-draw-1-02
    title: The lowest card that is drawn deals first
    clauses: [article-1]
    level: must
    options: {{first-dealer: lowest-card}}
    players: [P0, P1, P2, P3]
    dealer: {dealer}
    deal: {{lot: 7S 4S KC QD}}
    moves: [{{allowed: P2 3C}}]
"""


@pytest.mark.parametrize(("dealer", "status"), [("P1", 0), ("P0", 1), ("P2", 1)])
def test_a_case_can_test_a_draw(dealer, status, made, ends):
    """Lots decide who deals; a case that names another is wrong."""
    place = made("the-draw")
    _text(place / "cases" / "the-draw.yaml", DRAW.format(dealer=dealer))
    assert ends("test")[0] == status


def test_texts_of_other_systems_are_read_as_well(made, ends):
    """Ends of lines as on Windows, and a mark of the byte order."""
    place = made("windows")
    for path in (p for p in place.rglob("*") if p.suffix in (".yaml", ".truco")):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert ends("show", "windows")[0] == 0
    assert "1 of 1 passed" in ends("test")[1]


def test_a_project_may_stand_in_another_and_in_any_folder(made, ends, monkeypatch):
    """Each is found in its own folder; links that turn in a circle are followed by nobody."""
    outer = made("outer")
    named = outer / "Mi peña é"
    assert ends("new", str(named / "inner"))[0] == 0
    (outer / "cases" / "again").symlink_to("..")
    (outer / "cases" / "circle.yaml").symlink_to("circle.yaml")
    assert "1 of 1 passed" in ends("test")[1]
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.chdir(named / "inner")
    assert (ends("show", "inner")[0], ends("show", "outer")[0]) == (0, 2)


@pytest.mark.long
def test_a_new_project_has_a_book_in_the_order_of_its_articles(made, ends):
    made("first-book", "--lang", "es")
    status, told, _ = ends("rulebook", "first-book", "--order", "articles", "--format", "md", "--lang", "es")
    assert (status, "Artículo primero" in told) == (0, True)


OF_TWO_CLAUSES = """\
source: NAME
title: Rules
file: ""
licence: ""
made: by hand
articles:
- number: "1"
  heading: {en: The deal}
  text: {en: "The deal passes to the right. The cards come from the top."}
  clauses: [passes, top]
clauses:
- {id: passes, locator: "1", kind: rule, applies: [NAME], text: To the right., executable: "yes"}
- {id: top, locator: "1", kind: rule, applies: [NAME], text: From the top., executable: "yes"}
"""


def test_an_article_has_what_is_said_or_cited_for_it_in_the_order_of_its_clauses(made, ends):
    """Also what the plan of the shipped books leaves out."""
    place = made("club-order", "--extends", "argentino")
    (place / "sources" / "club-order.yaml").write_text(OF_TWO_CLAUSES.replace("NAME", place.name), "utf-8")
    rules = """
      replace rule deal-from-top @club-order:top "Each card comes from the top."
        in hand-out by chance may top(c)
      also card-dealt @club-order:top
      also pass-deal @club-order:passes
    """
    text = f'variant club-order extends argentino {{ title "Order" {rules} }}'
    (place / "variants" / "club-order.truco").write_text(text, "utf-8")
    status, told, _ = ends("rulebook", "club-order", "--order", "articles", "--format", "md", "--examples", "none")
    assert status == 0
    named = re.findall(r'<a id="rule-([^"]+)">', told.partition("## 1. The deal")[2].partition("\n## ")[0])
    assert named == ["pass-deal", "card-dealt", "deal-from-top"]


@pytest.mark.long
def test_a_book_leaves_out_the_questions_that_its_project_names(ends, tmp_path, monkeypatch):
    shutil.copytree(Path(__file__).parents[2] / "docs" / "examples" / "club", tmp_path / "club")
    monkeypatch.chdir(tmp_path / "club")
    manifest = Path("truco.yaml")
    text = manifest.read_text(encoding="utf-8")
    helpers = ("Una carta la debe quien está en turno.", "Y la respuesta a un envido, igual.")
    for left, shown in (("", True), ("leave: [debe]\n", False)):
        manifest.write_text(text + left, encoding="utf-8")
        status, told, _ = ends("rulebook", "club", "--format", "md", "--examples", "none")
        assert (status, "El fiscal le cuenta treinta segundos" in told) == (0, True)
        assert [sentence in told for sentence in helpers] == [shown, shown]


def test_translate_names_the_articles_that_a_language_lacks(made, ends):
    place = made("club-words")
    status, told, _ = ends("translate", "pt")
    assert status == 1
    assert f"{place / 'sources' / 'club-words.yaml'}: articles without words in “pt”: 1." in told
    source = place / "sources" / "club-words.yaml"
    source.write_text(
        re.sub(r"(heading|text): \{en: (.*)\}\n", r"\1: {en: \2, pt: \2}\n", source.read_text("utf-8")), "utf-8"
    )
    assert "articles without words" not in ends("translate", "pt")[1]


@pytest.mark.long
def test_a_source_that_is_cited_and_not_there_is_told_with_its_place(made, ends):
    place = made("club-nine")
    (place / "sources" / "club-nine.yaml").unlink()
    status, told, _ = ends("trace", "--source", "pagat", "--missing")
    assert status == 1
    assert "club-nine.truco:6: error: The set tie-lead of club-nine cites the unknown source club-nine" in told


@pytest.mark.parametrize(
    ("verb", "file", "right", "wrong", "message"),
    [
        ("check", "variants/bar.truco", "set tie-lead", "set tie-led", "no hay ninguna opción tie-led"),
        ("test", "cases/bar.yaml", "level: must", "level: mst", "‘mst’ no es ninguno de estos"),
        ("test", "cases/bar.yaml", "leader: P0", "leader: P9", "leader nunca es ‘P9’"),
    ],
)
def test_what_is_wrong_with_a_project_is_told_in_the_language_that_is_asked_for(
    verb, file, right, wrong, message, made, ends
):
    path = made("bar", "--extends", "argentino", "--lang", "es") / file
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    status, _, said = ends(verb, "--lang", "es")
    assert (status, message in said) == (2, True), said


def test_a_variant_that_extends_itself_by_others_is_told_with_its_place(made, ends):
    place = made("club-ten")
    _text(place / "variants" / "eleven-club.truco", 'variant eleven-club extends club-ten {\n  title "Eleven"\n}\n')
    text = (place / "variants" / "club-ten.truco").read_text(encoding="utf-8")
    _text(place / "variants" / "club-ten.truco", text.replace("extends paulista", "extends eleven-club"))
    status, _, said = ends("check", "eleven-club")
    assert status == 2
    assert "variant eleven-club extends itself" in said


def test_a_catalog_that_is_none_is_one_message(made, ends):
    place = made("club-eleven")
    path = place / "locales" / "pt" / "rules.po"
    _text(path, "")
    for content, message in (
        (b'msgid "a"\nmsgstr "\xff"\n', ":2: error: This is not UTF-8 text; save the file as UTF-8."),
        (b'msgid "a"\nmsgid "b"\nmsgstr "c"\n', ":1: error: This is no catalog of translations: missing msgstr"),
        (b'\nmsgid "a"\nmsgstr[x] "b"\n', ":3: error: This is no catalog of translations: invalid literal"),
        (b'msgid "a"\nmsgstr "\x1b[31mb"\n', ":2: error: The character U+001B cannot stand in a text here; remove it."),
        ('msgid "a"\nmsgstr "\u202eb"\n'.encode(), ":2: error: The character U+202E cannot stand in a text here"),
        (b"#" * 5_000_001, ": error: This catalog is too large: at most 5,000,000 bytes are read."),
    ):
        path.write_bytes(content)
        status, _, said = ends("penalties", "club-eleven", "--lang", "pt")
        assert (status, said.count("\n")) == (2, 1)
        assert f"rules.po{message}" in said


@pytest.mark.parametrize(
    "line",
    ["Plural-Forms: nplurals=1000000000; plural=0;", "Content-Type: text/plain; charset=xyz", " continued", "odd",
     "Content-Type: text/plain; charset=utf-16", "POT-Creation-Date: 2020-13-45 99:99+9999", "Language: xx"],
)  # fmt: skip
def test_the_header_of_a_catalog_is_not_obeyed(line, tmp_path):
    path = tmp_path / "rules.po"
    text = f'msgid ""\nmsgstr ""\n"{line}\\n"\n\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "é"\nmsgstr[1] "és"\n'
    path.write_text(text, encoding="utf-8")
    catalog = read_catalog(path, "pt")
    told = catalog["a"].string
    assert isinstance(told, tuple)
    assert [*told][:2] == ["é", "és"]
    assert (str(catalog.locale), catalog.charset) == ("pt", "utf-8")


@pytest.mark.parametrize(
    ("name", "message"),
    [("paulista", "There is a variant or a source paulista already"), ("Meu Clube", "small letters")],
)
def test_a_project_that_cannot_be_made_leaves_nothing_behind(name, message, ends, tmp_path):
    status, _, said = ends("new", str(tmp_path / name))
    assert status == 2
    assert message in said
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "words",
    [("new", "--extends", "argentino"), ("new", "--adapter", "python"), ("build", "nowadays", "players=2", "-o")],
    ids=lambda words: "-".join(words[:2]),
)
def test_a_folder_that_cannot_be_filled_leaves_nothing_behind(words, tmp_path):
    folder = tmp_path / "a" / "club"
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (600, 600))
    command = [sys.executable, "-m", "truco_spec", *words, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=full)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "File too large" in done.stderr
    assert not [*tmp_path.iterdir()]


def test_what_was_in_a_folder_stays_when_it_cannot_be_filled(tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (600, 600))
    command = [sys.executable, "-m", "truco_spec", "build", "nowadays", "players=2", "-o", str(tmp_path)]
    assert subprocess.run(command, capture_output=True, check=False, preexec_fn=full).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_folder_with_files_is_left_as_it_is(ends, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    assert ends("new", str(tmp_path))[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("python", {"adapter.py"}),
        ("javascript", {"adapter.js"}),
        ("go", {"template.go", "pipe.go"}),
        ("java", {"Template.java", "Pipe.java", "Json.java"}),
        ("typescript", {"template.ts", "pipe.ts"}),
    ],
)
def test_the_template_of_an_adapter_is_written_with_all_that_it_needs(language, files, ends, tmp_path):
    status, told, said = ends("new", str(tmp_path / "mine"), "--adapter", language)
    assert (status, said) == (0, "")
    assert {path.name for path in (tmp_path / "mine").iterdir()} == files
    assert all(name in told for name in files)
    assert ends("new", str(tmp_path / "mine"), "--adapter", language)[0] == 2


def test_the_template_of_an_adapter_gets_a_report(ends, tmp_path):
    assert ends("new", str(tmp_path / "mine"), "--adapter", "python")[0] == 0
    adapter = f"{tmp_path / 'mine' / 'adapter.py'}:Adapter"
    status, told, _ = ends("test", "--case", "nowadays-two-rank-01", "--python", adapter)
    assert status == 1
    assert "got       it was refused (not-offered)" in told


def test_translate_needs_a_project(ends, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, said = ends("translate")
    assert status == 2
    assert "There is no project here" in said
