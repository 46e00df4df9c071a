"""A variant takes over what it extends, and changes it by name: replace, drop, set, also."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny import told, wrong_with

from truco_spec.base.shipped import folder
from truco_spec.graph.link import LONGEST_CHAIN, Chain, blocks_of, known_texts, link, texts_of
from truco_spec.graph.load import load, load_file, load_text
from truco_spec.graph.model import Graph
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import read, read_file

CONCORDANCES = sorted((folder("spec") / "concordance").glob("*.truco"))
OLD = """
variant old {
  title "The old game"
  option players : 2* | 4 @decided:old "How many play."
  option speed   : slow* | fast @decided:old "How fast."
  seats players in 2 teams @decided:old "They sit across."
  phase start "It begins."
  phase over "It ends."
  action pass
  define worth @decided:old "What it is worth." = 1
  rule old-pass @decided:old "Pass." in start by everyone may pass when speed is slow do then over
  rule old-end @decided:old "The end." in start on pass do then over
}
"""


def chain(new: str) -> Chain:
    """The old game changed by the statements, linked but not yet elaborated."""
    file = read(f'{OLD} variant new extends old {{ title "The new game" {new} }}')
    return link(blocks_of("new", [file]))


def graph(new: str, **options: object) -> Graph:
    """The old game changed by the statements."""
    return load_text(f'{OLD} variant new extends old {{ title "The new game" {new} }}', "", "<text>", **options)


def wrong(new: str) -> list[str]:
    """What is wrong with the changes."""
    return [told(found) for found in wrong_with(f'{OLD} variant new extends old {{ title "The new game" {new} }}')]


def test_what_is_not_touched_is_taken_over() -> None:
    assert list(graph("").rules) == ["old-pass", "old-end"]
    assert graph("").rules["old-pass"].source.lineage == ("old",)


def test_a_variant_adds_what_is_new() -> None:
    more = graph('rule new-pass @decided:new "Pass." in over by everyone may pass')
    assert list(more.rules) == ["old-pass", "old-end", "new-pass"]
    assert more.rules["new-pass"].source.lineage == ("new",)
    assert (more.name, more.title, more.lineage) == ("new", "The new game", ("old", "new"))


def test_replace_puts_a_statement_in_the_place_of_another() -> None:
    changed = graph('replace rule old-pass @decided:new "Pass." in over by everyone may pass')
    rule = changed.rules["old-pass"]
    assert rule.phases == ("over",)
    assert rule.source.lineage == ("old", "new")
    assert [str(cite) for cite in rule.source.cites] == ["@decided:new"]
    assert list(changed.rules) == ["old-pass", "old-end"]


def test_drop_takes_a_statement_away_and_remembers_why() -> None:
    assert "old-end" not in graph("drop old-end @decided:new").rules
    dropped = chain("drop old-end @decided:new").dropped["old-end"]
    assert [str(cite) for cite in dropped.cites] == ["@decided:new"]


def test_exceptions_to_what_is_dropped_beat_what_that_beat() -> None:
    more = (
        'rule mid except old-pass @decided:new "No." in start by everyone must not pass '
        'rule top except mid @decided:new "Do." in start by everyone may pass do then over '
    )
    base = f'{OLD} variant mid-game extends old {{ title "M" {more} }}'
    without = '{} variant new extends mid-game {{ title "N" drop {} @decided:new }}'
    assert load_text(without.format(base, "mid"), "", "<text>").rules["top"].beats == {"old-pass"}
    alone = load_text(without.format(base, "old-pass"), "", "<text>").rules
    assert (alone["mid"].beats, alone["top"].beats) == (frozenset(), {"mid"})


def test_another_ladder_forgets_what_the_parts_of_the_one_before_cited() -> None:
    """A clause that truco is worth 2 is none of a ladder where it is worth 5."""
    ladder = "ladder truco @house:five "
    ladder += '"Truco for 5." stakes 1, truco 5 opens in play by turn answers quiero, no-quiero by side(truco.asked) '
    ladder += "refusal pays stake"
    text = f'variant ours extends argentino {{ title "Ours" replace {ladder} also truco.open @house:open }}'
    rules = load_text(text, "", "<text>").rules
    assert [str(cite) for cite in rules["truco.open"].source.cites] == ["@house:open"]
    assert [str(cite) for cite in rules["truco.accept"].source.cites] == ["@house:five"]
    assert "@wikipedia:argentino.truco-value-2" in map(str, load("argentino").rules["truco.accept"].source.cites)


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ("drop strength @house:x", "ours drops strength"),
        ("replace order rank : 4 < 5 < 6 < 7 < 1 < 2 < 3 @house:x", "ours has another rank"),
    ],
)
def test_a_mistake_that_a_change_makes_in_another_text_names_the_change(tmp_path: Path, change: str, note: str) -> None:
    spec = tmp_path / "ours.truco"
    spec.write_text(f'variant ours extends argentino {{\n  title "Ours"\n  {change}\n}}\n', encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_file(spec)
    elsewhere = [found for found in caught.value.diagnostics if found.span.file != str(spec)]
    assert elsewhere
    assert all([(told, place.line) for told, place in found.notes] == [(note, 3)] for found in elsewhere)


def test_set_fixes_an_option_and_a_table_may_still_ask_for_another_value() -> None:
    changed = graph("set speed fast @decided:new")
    assert (changed.options["speed"].value, changed.options["speed"].set_by) == ("fast", "new")
    assert "old-pass" not in changed.rules
    asked = graph("set speed fast @decided:new", speed="slow")
    assert (asked.options["speed"].value, asked.options["speed"].set_by) == ("slow", "asked")


def test_also_adds_an_authority_and_changes_nothing_else() -> None:
    source = graph("also old-pass @decided:new").rules["old-pass"].source
    assert [str(cite) for cite in source.cites] == ["@decided:old", "@decided:new"]
    assert source.lineage == ("old", "new")
    assert source.prose == "Pass."


CONCORDANCE = "concordance new { old-pass @decided:new }"


def with_concordance(concordance: str) -> Chain:
    """The old game, its child, and a concordance."""
    file = read(f'{OLD} {concordance} variant new extends old {{ title "The new game" }}')
    return link(blocks_of("new", [file]))


def test_a_concordance_adds_the_same_as_also_does() -> None:
    assert with_concordance(CONCORDANCE).items == chain("also old-pass @decided:new").items


def test_a_concordance_is_that_of_its_variant_only() -> None:
    file = read(f'{OLD} {CONCORDANCE} variant new extends old {{ title "N" }}')
    assert [str(cite) for cite in link(blocks_of("old", [file])).items["old-pass"].statement.cites] == ["@decided:old"]


def test_a_concordance_may_stand_in_another_text() -> None:
    texts = [read(CONCORDANCE, part=True), read(f'{OLD} variant new extends old {{ title "The new game" }}')]
    assert link(blocks_of("new", texts)).items == with_concordance(CONCORDANCE).items


def test_the_file_of_a_shipped_variant_is_read_with_its_concordance() -> None:
    path = folder("spec") / "variants" / "paulista.truco"
    assert load_file(path, tie_lead="last").cites == load("paulista", tie_lead="last").cites


def test_what_a_concordance_adds_comes_behind_what_the_variant_replaces() -> None:
    new = 'replace rule old-pass @decided:old "P." in start by everyone may pass'
    file = read(f'{OLD} {CONCORDANCE} variant new extends old {{ title "N" {new} }}')
    cites = link(blocks_of("new", [file])).items["old-pass"].statement.cites
    assert [str(cite) for cite in cites] == ["@decided:old", "@decided:new"]


@pytest.mark.parametrize(
    ("concordance", "message", "wrong"),
    [
        ("concordance new {\n  old-poss @a:b\n}", "there is no old-poss to add to; did you mean old-pass?", "old-poss"),
        ("concordance now {\n  old-pass @a:b\n}", "there is no variant now; did you mean new?", "now"),
    ],
)
def test_a_misspelt_name_in_a_concordance_is_an_error_where_it_stands(
    concordance: str, message: str, wrong: str
) -> None:
    with pytest.raises(SpecError) as found:
        with_concordance(concordance)
    (mistake,) = found.value.diagnostics
    assert told(mistake) == message
    text = f"{OLD} {concordance}"
    assert text[mistake.span.start : mistake.span.end] == wrong


def test_a_shipped_text_cites_more_for_what_it_takes_over_in_its_concordance() -> None:
    for name, path in known_texts().items():
        (block,) = read_file(path).variants
        own = {item.name for item in block.items if item.kind != "also"}
        more = {item.name for item in block.items if item.kind == "also"}
        assert {each for each in more - own if each.rpartition(".")[0] not in own} == set(), name


@pytest.mark.parametrize("path", CONCORDANCES, ids=lambda path: path.stem)
def test_a_shipped_concordance_is_read_with_the_variant_of_its_name(path: Path) -> None:
    (block,) = read_file(path, part=True).concordances
    assert block.name == path.stem
    assert texts_of(block.name)[1] == path
    assert set(block.items) <= set(blocks_of(block.name)[-1].items)


def test_the_last_of_several_variants_in_a_text_is_meant() -> None:
    assert load_text(OLD).name == "old"
    assert graph("").name == "new"
    assert load_text(f'{OLD} variant new extends old {{ title "N" }}', "old").name == "old"


MISTAKES = [
    ("drop old-and @decided:new", "there is no old-and to drop; did you mean old-end?"),
    (
        'replace rule old-poss @decided:new "P." in start by everyone may pass',
        "there is no old-poss to replace; did you mean old-pass?",
    ),
    ("also old-poss @decided:new", "there is no old-poss to add to; did you mean old-pass?"),
    ("set sped fast @decided:new", "there is no option sped; did you mean speed?"),
    ("set worth fast @decided:new", "there is no option worth"),
    ("set speed fost @decided:new", "option speed has no value fost; its values are slow, fast"),
    (
        'rule old-pass @decided:new "P." in start by everyone may pass',
        "old-pass is declared already; write `replace rule old-pass` to change what is inherited",
    ),
    (
        'replace define old-pass @decided:new "P." = 2',
        "old-pass is a rule and cannot be replaced by a define; drop old-pass first",
    ),
    (
        'define two @decided:new "Two." = 2  define two @decided:new "Two." = 2',
        "two is declared already",
    ),
    (
        'replace define worth @decided:new "Two." = 2  replace define worth @decided:new "Three." = 3',
        "worth is replaced twice in new",
    ),
]


@pytest.mark.parametrize(("new", "message"), MISTAKES)
def test_a_change_of_what_is_not_there_is_refused(new: str, message: str) -> None:
    assert wrong(new) == [message]


def test_a_second_declaration_shows_the_first() -> None:
    text = f'{OLD} variant new extends old {{ title "N" define worth @decided:new "Two." = 2 }}'
    (found,) = wrong_with(text)
    assert [note for note, _ in found.notes] == ["worth as first declared"]


def test_all_mistakes_of_linking_are_told_in_one_run() -> None:
    assert len(wrong("drop nothing @decided:new  set speed fost @decided:new  also nowhere @decided:new")) == 2


def test_an_unknown_variant_is_told_with_the_nearest() -> None:
    with pytest.raises(SpecError, match=r"there is no variant minero[\s\S]*did you mean mineiro\?"):
        load("minero")
    with pytest.raises(SpecError, match=r"there is no variant "):
        link(blocks_of(""))


def test_a_variant_that_extends_itself_is_refused() -> None:
    circle = 'variant a extends b { title "A" } variant b extends a { title "B" }'
    assert [told(found) for found in wrong_with(circle)] == ["variant b extends itself"]


SIBLINGS = """
variant fast extends old {
  title "Fast"
  set speed fast @decided:fast
  rule fast-end @decided:fast "End." in over on pass do then start
}
variant dear extends old { title "Dear" replace define worth @decided:dear "It is dear." = 5 }
"""


def both(more: str = "", dear: str = "") -> Graph:
    """The two, and one that extends both."""
    text = (
        f'{OLD}{SIBLINGS.replace("= 5 }", f"= 5 {dear} }}")} variant both extends fast, dear {{ title "Both" {more} }}'
    )
    return load_text(text, "", "<text>")


def test_a_variant_extends_several_and_each_text_counts_once() -> None:
    found = both()
    assert found.lineage == ("old", "fast", "dear", "both")
    assert found.options["speed"].set_by == "fast"
    assert "fast-end" in found.rules
    assert str(found.defines["worth"].answers[0].source.cites[0]) == "@decided:dear"


def test_what_two_variants_both_change_is_settled_by_the_one_that_extends_both() -> None:
    slow = "set speed slow @decided:dear"
    with pytest.raises(SpecError, match="speed is changed by fast and by dear"):
        both(dear=slow)
    assert both("set speed fast @decided:both", slow).options["speed"].value == "fast"
    assert both(dear="set speed fast @decided:fast").options["speed"].value == "fast"


def test_variants_that_declare_the_same_do_not_go_together() -> None:
    text = 'variant mixed extends paulista, argentino { title "Mixed" }'
    with pytest.raises(SpecError, match="both declare rank: no variant can extend both"):
        load_text(text)


def test_piezas_and_duels_go_together() -> None:
    six = load_text('variant six extends uruguayo, pica-pica { title "Six" }')
    assert (six.seats, six.options["pica-pica"].value) == (6, "on")
    assert {"is-pieza", "pica-due"} <= six.defines.keys()


def test_an_endless_line_of_variants_is_refused() -> None:
    names = [f"v{n}" for n in range(LONGEST_CHAIN + 2)]
    texts = [f'variant {a} extends {b} {{ title "V" }}' for a, b in zip(names[1:], names, strict=False)]
    (found,) = wrong_with(" ".join(texts))
    assert found.code == "unknown-variant"


def test_a_shipped_variant_knows_its_line() -> None:
    lineage = load("paulista").lineage
    assert (lineage[0], lineage[-1]) == ("truco", "paulista")
    rule = load("paulista").rules["deal-from-top"]
    assert rule.source.lineage[0] == "truco" and len(rule.source.lineage) == 2


# ---- closed --------------------------------------------------------------------------------------

CLOSED = """\
variant {name} extends {base} {{
  title "Closed"
  closed {but}@house:rules
  set tie-lead last @house:rules
}}
"""


def closed(but: str = "", base: str = "paulista", name: str = "shut") -> str:
    return CLOSED.format(name=name, base=base, but=but)


def test_a_closed_variant_offers_only_what_it_leaves_open() -> None:
    graph = load_text(closed("but players, target "))
    assert {name for name, option in graph.options.items() if option.values[1:]} == {"players", "target"}
    assert graph.options["tie-lead"].values == ("last",)
    assert load_text(closed("but target "), target="15").options["target"].value == "15"


def test_what_is_closed_cannot_be_asked_for() -> None:
    with pytest.raises(SpecError, match="What is not open in shut is settled: tie-lead is last"):
        load_text(closed(), **{"tie-lead": "first"})


def test_a_variant_may_set_what_the_one_before_it_closed_and_nobody_else() -> None:
    text = closed() + 'variant ours extends shut {\n  title "Ours"\n  set target 15 @house:rules\n}\n'
    assert load_text(text).options["target"].values == ("15",)
    with pytest.raises(SpecError, match="What is not open in shut is settled: target is 15"):
        load_text(text, target="12")


def test_only_an_option_can_stay_open() -> None:
    with pytest.raises(SpecError, match="there is no option tie-led"):
        load_text(closed("but tie-led "))


def test_a_variant_is_closed_once() -> None:
    with pytest.raises(SpecError, match="shut is closed twice"):
        load_text(closed().replace("  set", "  closed @house:rules\n  set"))
