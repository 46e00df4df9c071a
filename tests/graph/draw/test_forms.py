"""Every form of the drawing of every shipped variant: whole, stable, and closed to what a text might smuggle in."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import jsonschema
import pytest

from truco_spec.base.shipped import LANGUAGES, folder
from truco_spec.base.words import speaking
from truco_spec.books.book_words import spoken_in
from truco_spec.graph.load import load, load_text
from truco_spec.graph.model import Graph
from truco_spec.language.read import read
from truco_spec.pages.picture import FORMS, DrawError, draw, picture_of
from truco_spec.pages.svg import map_of, svg

VARIANTS = sorted(path.stem for path in (folder("spec") / "variants").glob("*.truco"))
SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = """\
variant hostile {
  title "</title><script>alert(1)</script> & ]]> --> #quot; \\\\"
  order rank : low < high @house:x-y
  order suit : a < b @house:x-y
  option players : 2* | 4 @house:x-y
  seats players in 2 teams @house:x-y
  deck pack : rank x suit @house:x-y
  phase begin "</text><image href=x onerror=y>"
  phase over "<b>`{over}`</b> \\\\N | ] ) ; click p0 href javascript:x"
  action hit "<!--"
  rule hits @house:x-y "hit" in begin by everyone may hit do then over
}
"""


@pytest.fixture(scope="module")
def hostile() -> Graph:
    return load_text(HOSTILE.replace("\\\\", "\\"))


@pytest.mark.sample(4, long=12)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("form", FORMS)
def test_every_shipped_variant_is_drawn_the_same_each_time(variant: str, form: str) -> None:
    once = draw(load(variant), form)
    assert once == draw(load(variant), form)
    assert once.endswith("\n")


@pytest.mark.sample(1, long=4)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_data_fit_their_schema(variant: str) -> None:
    schema = json.loads((folder("conformance") / "schema" / "graph.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(draw(load(variant), "json")))


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_data_hold_the_whole_graph(variant: str) -> None:
    graph = load(variant)
    data = json.loads(draw(graph, "json"))
    for kind in ("options", "data", "phases", "actions", "defines", "tables", "effects", "rules", "decisions"):
        assert [thing["name"] for thing in data[kind]] == list(getattr(graph, kind))
    assert [thing["name"] for thing in data["vanished"]] == [name for name, _ in graph.vanished]
    assert data["lineage"] == list(graph.lineage)
    beaten = {
        (answer["name"], name) for define in data["defines"] for answer in define["answers"] for name in answer["beats"]
    }
    assert ("tied-trick", "taker") in beaten
    assert all(data["citations"].values())


def test_the_data_name_files_by_their_place_in_the_project() -> None:
    data = json.loads(draw(load(VARIANTS[0]), "json"))
    assert {rule["file"].split("/")[0] for rule in data["rules"]} == {"spec"}


@pytest.mark.sample(2, long=4)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_core_is_text_of_the_rules_language(variant: str) -> None:
    graph = load(variant)
    text = draw(graph, "", core=True)
    kinds = [statement.kind for statement in _statements(text)]
    assert not {"ladder", "bid", "special", "fault", "trump", "deck"} & set(kinds)
    assert kinds.count("rule") == len(graph.rules)
    assert kinds.count("decision") == len(graph.decisions)


def test_the_core_names_the_values_that_are_refused() -> None:
    text = draw(load("fisch"), "", core=True)
    assert re.search(r"^# Refused: .*players 2", text, re.MULTILINE)
    assert re.search(r"option players : 4\* \| .*2", text)


def _statements(text: str) -> list[Any]:
    (variant,) = read(text, "core").variants
    return [getattr(item, "statement", item) for item in variant.items]


# ---- what is drawn ------------------------------------------------------------------------------


def test_rules_lead_from_phase_to_phase() -> None:
    edges = {(edge.source, edge.target): edge for edge in picture_of(load("paulista")).edges}
    assert [label.text for label in edges["card-end", "trick-end"].labels] == ["trick-complete"]
    assert edges["card-end", "trick-end"].shape == "auto"
    assert {"card", "cover"} <= {label.text for label in edges["play", "card-end"].labels}
    assert edges["play", "card-end"].shape == "may"


def test_a_frame_leads_back_to_what_it_interrupts() -> None:
    back = [(edge.source, edge.target) for edge in picture_of(load("paulista")).edges if edge.back]
    assert ("truco.answer", "play") in back


def test_at_once_rules_start_from_anywhere() -> None:
    picture = picture_of(load("paulista"))
    (edge,) = [edge for edge in picture.edges if edge.shape == "once"]
    assert (edge.source, edge.target) == ("", "match-over")


def test_phases_that_the_options_leave_out_are_named_and_not_drawn() -> None:
    picture = picture_of(load("mineiro"))
    assert "turning" in picture.hidden
    assert "turning" not in {place.name for place in picture.places}
    assert "turning" in {place.name for place in picture_of(load("paulista")).places}


def test_one_phase_is_drawn_with_those_beside_it() -> None:
    picture = picture_of(load("paulista"), "trick-end")
    assert {place.name for place in picture.places} == {"card-end", "trick-end", "play", "hand-end"}
    assert all("trick-end" in (edge.source, edge.target) for edge in picture.edges)
    assert set(picture_of(load("paulista"), "play").stays) == {"play"}


def test_an_unknown_phase_is_refused_with_the_nearest() -> None:
    with pytest.raises(DrawError, match="Did you mean “play”"):
        draw(load("paulista"), "svg", phase="plai")


# ---- what a text might smuggle in ---------------------------------------------------------------


def test_an_svg_is_well_formed_and_holds_nothing_but_shapes_and_text(hostile: Graph) -> None:
    root = ET.fromstring(draw(hostile, "svg"))
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "title", "defs", "marker", "path", "rect", "g", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not {name for name in names if name.startswith("on") or "href" in name}
    told = "".join(element.text or "" for element in root.iter(SVG + "text"))
    assert "<script>alert(1)</script>" in told
    assert "onerror=y>" in told


def test_a_rule_in_an_svg_is_a_link_where_it_has_an_address(hostile: Graph) -> None:
    root = ET.fromstring(svg(picture_of(hostile), lambda rule: f'#"><script>{rule}'))
    links = [element.attrib["href"] for element in root.iter(SVG + "a")]
    assert links
    assert all(link.startswith('#"><script>') for link in links)
    assert not list(root.iter(SVG + "script"))


@pytest.mark.sample(3)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_box_and_label_of_an_svg_lies_inside_of_it(variant: str) -> None:
    root = ET.fromstring(draw(load(variant), "svg"))
    width = float(root.attrib["width"])
    for element in root.iter():
        if "x" in element.attrib and element.tag != SVG + "marker":
            assert 0 <= float(element.attrib["x"]) <= width


@pytest.mark.sample(2, long=9)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_map_can_be_read_as_a_whole(variant: str, language: str) -> None:
    """Each phase once, in a whole sentence, none on another, all inside; letters of 11 pixels or more on a laptop."""
    with speaking(spoken_in(language)):
        picture = picture_of(load(variant))
        root = ET.fromstring(map_of(picture, lambda phase: f"#{phase}"))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert (width, height) == (1200, 540)
    assert float(root.attrib["font-size"]) >= 11
    assert "…" not in "".join(root.itertext())
    assert [box.attrib["data-phase"] for box in root.iter(SVG + "a")] == [place.name for place in picture.places]
    boxes = [[float(rect.attrib[key]) for key in ("x", "y", "width", "height")] for rect in root.iter(SVG + "rect")]
    for x, y, wide, high in boxes:
        assert 0 <= x <= x + wide <= width
        assert 0 <= y <= y + high <= height
    for one, other in itertools.combinations(boxes, 2):
        assert not all(one[n] < other[n] + other[n + 2] and other[n] < one[n] + one[n + 2] for n in (0, 1))


def test_arrows_of_a_map_know_their_rules_and_no_text_escapes_from_it(hostile: Graph) -> None:
    root = ET.fromstring(map_of(picture_of(load("paulista")), str))
    ends = {
        (a.attrib["data-from"], a.attrib["data-to"]): a.attrib["data-rules"]
        for a in root.iter(SVG + "path")
        if "data-to" in a.attrib
    }
    assert ends["trick-end", "play"] == "next-trick"
    assert "truco.open" in ends["play", "truco.answer"].split()
    assert not list(
        ET.fromstring(map_of(picture_of(hostile), lambda phase: f'#"><script>{phase}')).iter(SVG + "script")
    )


def test_labels_of_dot_are_closed_strings(hostile: Graph) -> None:
    text = draw(hostile, "dot")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert '"' not in bare
    assert not re.search(r"[<>`]|script|javascript", re.sub(r"->", "", bare))


def test_mermaid_sees_no_sign_of_a_text(hostile: Graph) -> None:
    text = draw(hostile, "mermaid")
    labels = re.findall(r'"([^"]*)"', text)
    assert labels
    for label in labels:
        assert re.fullmatch(r"(?:<br>|#\d+;|[\w .,!?-])*", label), label
    assert not re.search(r"^\s*click", text, re.MULTILINE)
