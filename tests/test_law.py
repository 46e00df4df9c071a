"""No rule of Truco in Python: the package holds no card, call, option, variant or number of points.

The words are taken from the shipped specs, so a new variant extends the law by itself. Where a word of the game is also
one of the language, of the log format or of plain English, it stands here with its reason.
"""

from collections import Counter
from pathlib import Path

import pytest
from law import Vocabulary, scan, vocabulary

from truco_spec.base.shipped import variant_names
from truco_spec.graph.load import load

PACKAGE = Path(__file__).parents[1] / "truco_spec"

ALLOWED = {
    # the language's own: built-in names, kinds of statement, quantifiers, words of types
    **dict.fromkeys(("next", "rank", "suit", "yes", "no", "none", "nobody", "chance"), "a built-in of the language"),
    **dict.fromkeys(("any", "every", "first", "last", "highest"), "a quantifier of the language, or Python's own"),
    **dict.fromkeys(("deck", "later", "stake"), "a statement or clause of the language"),
    **dict.fromkeys(("card", "cards"), "a type of the language, and its plural"),
    **dict.fromkeys(("must", "may"), "a verdict of the language, and of English"),
    "forbidden": "a verdict of the engine",
    "at-once": "a shape of rules in the language: “at once”",
    # what a log, a case or the protocol says of every game
    **dict.fromkeys(("players", "dealer", "deal", "score", "hand", "dealt", "first-dealer"), "a key of logs and cases"),
    **dict.fromkeys(("trick", "leader", "points", "may-speak"), "a key of the protocol"),
    **dict.fromkeys(("allowed", "pass", "passed", "cards", "cover"), "a key of cases, or a verdict on one"),
    **dict.fromkeys(("me", "team"), "a built-in of the language, and a type"),
    "written": "a clause of the language",
    "max": "a function of the language, and Python's own",
    # plain English
    **dict.fromkeys(("always", "anyone", "beats", "excused", "listed", "numeric", "on", "one", "open"), "English"),
    **dict.fromkeys(("plain", "unbounded", "en"), "English, and the code of a language"),
    **dict.fromkeys(("both", "neither", "never", "same", "own", "free", "fixed", "clean"), "English"),
    **dict.fromkeys(("known", "playing", "look", "looked", "show", "shown", "keep", "left", "right"), "English"),
    **dict.fromkeys(("top", "off", "ends", "target", "ending", "dealing", "signal", "cut", "cutter"), "English"),
    **dict.fromkeys(("counted", "showing"), "English"),
}
"""Words that may stand anywhere in the package: why."""

ALLOWED_THERE = {
    ("logs/files.py", "truco"): "the key that begins every log",
    ("editor/pygments_lexer.py", "truco"): "the name of the language, as highlighters know it",
    ("books/site/documents.py", "truco"): "the name of the language, as highlighters know it",
    ("books/site/documents.py", "match"): "a key of a TextMate grammar",
    ("editor/features.py", "play"): "a button above a statement",
    ("cli/verbs/rulebook.py", "truco"): "a folder in the example of an address",
    ("checks/never.py", "turn"): "one way that an effect can go, as in graph.model.Turn",
    ("checks/checking.py", "play"): "the name of the last check",
    ("checks/checking.py", "12"): "how many actions are tried and taken back",
    ("logs/narrative.py", "tie"): "what the observations call a trick that nobody took",
    ("logs/narrative.py", "games"): "what the observations call the games won of a match",
    ("compare/disputes/playthrough.py", "games"): "what the observations call the games won of a match",
    ("compare/disputes/playthrough.py", "match"): "what a claim is about",
    ("compare/disputes/claim.py", "match"): "what a claim is about",
    ("books/finding.py", "12"): "a share of all cases",
    ("logs/line.py", "6"): "how many digits a score may have",
    ("graph/model.py", "6"): "how many digits a number in a text may have",
    ("language/format.py", "10"): "places of a number",
    ("conformance/corpus/protocol.py", "20"): "the bits of a million",
    ("conformance/pytest_cases.py", "truco"): "how the options and marks of the pytest plugin begin",
    ("pages/svg.py", "20, 12"): "sizes of letters in the drawing",
    ("pages/svg.py", "24"): "a margin of the drawing",
    ("engine/wasm/expressions.py", "8"): "the bytes of a slot",
    ("engine/wasm/module.py", "8"): "the bytes of a slot",
    ("engine/wasm/native.py", "8"): "the bytes of a slot",
    ("engine/wasm/definitions.py", "8"): "the bytes of a slot",
    ("engine/wasm/definitions.py", "40"): "the bits of a number that is no answer",
    ("cli/arguments.py", "expose"): "a parameter of click",
    ("cli/commands.py", "expose"): "a parameter of click",
    ("cli/messages.py", "expose"): "a parameter of click",
    ("cli/verbs/project.py", "paulista"): "the game that a new project extends unless another is named",
    ("books/articles.py", "penalty"): "a kind of clause in the sources",
    ("books/bundle.py", "truco"): "the name of the library, and the key of its format",
    ("engine/wasm/native.py", "Q"): "the format of a number without sign, for struct",
    ("engine/wasm/native.py", "play"): "an export of the module: random play",
    ("engine/wasm/random_play.py", "play"): "an export of the module: random play",
    ("engine/wasm/random_play.py", "8"): "the bytes of a slot",
    ("engine/wasm/inline.py", "result"): "a word of WebAssembly text",
}
"""Words and numbers that may stand in one module: why."""


@pytest.fixture(scope="module")
def known() -> Vocabulary:
    return vocabulary([load(name) for name in variant_names()])


@pytest.fixture(scope="module")
def found(known):
    paths = sorted(PACKAGE.rglob("*.py"))
    return [
        (path.relative_to(PACKAGE).as_posix(), hit)
        for path in paths
        for hit in scan(path.read_text(encoding="utf-8"), known)
    ]


def test_no_rule_of_truco_stands_in_python(found):
    wrong = [
        f"truco_spec/{path}:{hit.line}: {hit.word} ({hit.how})"
        for path, hit in found
        if hit.word not in ALLOWED and (path, hit.word) not in ALLOWED_THERE
    ]
    assert not wrong, "\n".join(wrong)


def test_every_exemption_is_needed(found):
    seen = Counter(hit.word for _, hit in found)
    idle = [word for word in ALLOWED if not seen[word]]
    idle += [word for path, word in ALLOWED_THERE if not any((path, word) == (p, hit.word) for p, hit in found)]
    assert not idle, f"nothing needs these any more: {idle}"


def test_the_law_knows_the_words_of_the_known_texts(known):
    assert {"paulista", "3C", "4", "H", "truco", "seis", "aceito", "peek-raise", "tie-lead"} <= set(known.words)
    assert {3, 6, 9, 12} <= known.points


# ---- the scanner can fail ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ('if variant == "paulista": pass', "paulista"),
        ('RANKS = ["4", "5", "6"]', "4"),
        ('x = f"{who} says truco!"', "truco"),
        ("def is_manilha(card, vira): return True", "vira"),
        ('call(tie_lead="x")', "tie-lead"),
        ("class Truco: pass", "truco"),
        ("if score >= 12: win()", "12"),
        ("STAKES = (1, 3, 6, 12)", "6, 12"),
        ('HIGH = {"3C": 4}', "3C"),
        ("self.seis = 6", "seis"),
        ("left = stake + 12", "12"),
    ],
)
def test_a_rule_in_python_is_found(known, code, word):
    known = Vocabulary({**known.words, "vira": "a word"}, known.names, known.points)
    assert word in {hit.word for hit in scan(code, known)}


@pytest.mark.parametrize(
    "code",
    [
        '"""What the truco ladder of paulista lowers to."""',
        "from truco_spec.base.errors import TrucoError",
        'PROGRAM = "truco-spec"',
        'suffix = ".truco"',
        '@click.command(help="Example: truco-spec run paulista")\ndef f(): pass',
        'text = f"{number:4} {name:12}"',
        "for card in hand: print(card)",
    ],
)
def test_what_is_no_rule_is_left_alone(known, code):
    assert not [hit for hit in scan(code, known) if hit.word not in ALLOWED]
