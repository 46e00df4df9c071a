"""Whatever text comes in, nothing that a terminal would obey goes out: of no verb, on neither stream."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from truco_spec.base import safe_yaml
from truco_spec.base.harmless import FOUND, Gate, harmless, stand_before_the_streams
from truco_spec.cli import main
from truco_spec.cli.commands import VERBS
from truco_spec.language.diagnostics import SpecError
from truco_spec.language.read import read

TITLE, BELL, CSI, DIRECTION, HALF = "\x1b]0;pwned\x07", "\x07", "\x9b31m", "\u202e", "\udc9b"
HOSTILE = f"x{TITLE}{BELL}{CSI}\r\x7f{DIRECTION}\u2066\u2028{HALF}y"
ESCAPED = r"x\e]0;pwned\a\N\u202e\0\x9by"
LINE = "paulista | ana bia caio davi | dealer ana | deal vira 5H | bia 3C, caio truco, davi corro"
SPEC = 'variant house extends paulista {{ title "{}" {} # {}\n}}\n'

Ends = Callable[..., tuple[object, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ends:
    """Run a verb: its status, and what is on both streams, of which nothing is obeyed."""

    def run(*arguments: str, text: str = "") -> tuple[object, str]:
        raw = io.BytesIO(text.encode("utf-8", "surrogatepass"))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(raw, encoding="utf-8"))
        with pytest.raises(SystemExit) as end:
            main(arguments)
        out, err = capsys.readouterr()
        assert not FOUND.findall(out + err)
        assert "Traceback" not in err
        return end.value.code, out + err

    return run


@pytest.mark.long
@pytest.mark.parametrize("verb", [*sorted(set(VERBS) - {"site", "test"}), HOSTILE])
def test_a_hostile_word_in_the_place_of_each_argument(told: Ends, verb: str) -> None:
    for words in ((HOSTILE,), (HOSTILE, HOSTILE), (f"--{HOSTILE}",), (f"--help{HOSTILE}",), ("paulista", HOSTILE)):
        assert told(verb, *words)[0] != 0


@pytest.mark.sample(14)
@pytest.mark.parametrize(
    "words",
    [
        ("graph", "paulista", "--phase", HOSTILE),
        ("graph", "paulista", "--option", f"{HOSTILE}={HOSTILE}"),
        ("graph", "paulista", "--option", f"deck={HOSTILE}"),
        ("explain", LINE, "--at", HOSTILE),
        ("run", LINE.replace("ana", HOSTILE)),
        ("run", LINE.replace("truco", HOSTILE)),
        ("run", LINE.replace("3C", HOSTILE)),
        ("run", LINE.replace("dealer", HOSTILE)),
        ("run", LINE.replace("paulista", HOSTILE)),
        ("run", LINE.replace("paulista", f"paulista {HOSTILE}={HOSTILE}")),
        ("dispute", LINE, "--claim", HOSTILE),
        ("dispute", LINE, "--claim", f"bia can {HOSTILE}"),
        ("dispute", LINE, "--variants", HOSTILE),
        ("table", "--variants", HOSTILE),
        ("table", "--questions", HOSTILE),
        ("diff", "paulista", f"{HOSTILE}={HOSTILE}"),
        ("rulebook", "paulista", "--lang", HOSTILE),
        ("trace", "--source", HOSTILE),
        ("test", "--case", HOSTILE),
        ("test", "--variant", HOSTILE),
        ("test", "--cases", HOSTILE),
        ("test", "--report", f"{HOSTILE}:{HOSTILE}"),
        ("test", "--expected", HOSTILE),
        ("test", "--memory", HOSTILE),
        ("test", "--python", HOSTILE),
        ("test", "--case", "pagat-tie-01", "--", HOSTILE),
        ("fuzz", "--variant", HOSTILE, "--", HOSTILE),
        ("site", "-o", f"/proc/{HOSTILE}"),
    ],
)  # fmt: skip
def test_a_hostile_word_in_the_place_of_a_value(told: Ends, words: tuple[str, ...]) -> None:
    assert told(*words)[0] != 0


@pytest.mark.parametrize(
    "text",
    [
        "a: !<tag:%1b%5d0;pwn%07> x",
        f'"{ESCAPED}": 1\n"{ESCAPED}": 2',
        f'{{truco: 1, variant: "{ESCAPED}"}}',
        f'{{truco: 1, variant: paulista, options: {{"{ESCAPED}": "{ESCAPED}"}}, hands: []}}',
        f'{{truco: 1, variant: paulista, players: ["{ESCAPED}"], hands: []}}',
        f'{{truco: 1, variant: paulista, hands: [{{deal: {{"{ESCAPED}": "{ESCAPED}"}}, moves: "{ESCAPED}"}}]}}',
        f"&a{HOSTILE} b",
        f"truco: {HOSTILE}",
        f'"{HOSTILE}": 1',
        HOSTILE,
    ],
)
@pytest.mark.parametrize("verb", ["run", "explain", "replay", "dispute"])
def test_a_hostile_log(told: Ends, verb: str, text: str) -> None:
    words = (verb, "-", "--claim", "bia can truco") if verb == "dispute" else (verb, "-")
    assert told(*words, text=text)[0] == 2


@pytest.mark.parametrize("verb", ["check", "graph", "rulebook", "format"])
@pytest.mark.parametrize(
    ("title", "statement", "comment"),
    [
        (HOSTILE, "", ""),
        ("Ours", "", HOSTILE),
        ("Ours", f"set target 15 @{HOSTILE}:x", ""),
        ("Ours", f"set {HOSTILE} 15", ""),
        ("Ours", f'decision d "{HOSTILE}" because "{HOSTILE}"', ""),
        ("Ours", "set target 15 @pagat:mineiro\u202e.play", ""),
    ],
)
def test_a_hostile_spec(told: Ends, tmp_path: Path, verb: str, title: str, statement: str, comment: str) -> None:
    path = tmp_path / f"{DIRECTION}{TITLE}.truco".replace("/", "")
    path.write_bytes(SPEC.format(title, statement, comment).encode("utf-8", "surrogatepass"))
    assert told(verb, str(path))[0] == 2


def test_hostile_reports_are_read_and_compared(told: Ends, tmp_path: Path) -> None:
    path = tmp_path / f"{DIRECTION}.jsonl"
    for text in (HOSTILE, json.dumps({HOSTILE: HOSTILE}), f'{{"event": "{HOSTILE}"}}'):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert told("report", str(path))[0] == 2
        assert told("compare", str(path), str(path))[0] == 2


ADAPTER = """
import json, sys
bad = {hostile!r}
sys.stderr.write(bad.encode("utf-8", "backslashreplace").decode())
variants = {{"paulista": {{"players": [4], "options": {{bad: [bad]}}}}, bad: {{"players": [2]}}}}
hello = {{"protocol": 1, "name": bad, "version": bad, "observes": [bad], "modes": ["strict"], "variants": variants}}
for line in sys.stdin:
    asked = json.loads(line)
    answer = hello if asked["do"] == "hello" else {{"error": bad, bad: bad}}
    print(json.dumps({{"id": asked["id"], **answer}}), flush=True)
"""


@pytest.mark.parametrize("words", [("test", "--case", "pagat-tie-01", "-v"), ("fuzz", "--hands", "2")])
def test_a_hostile_adapter(told: Ends, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "adapter.py"
    path.write_text(ADAPTER.format(hostile=HOSTILE), encoding="utf-8")
    assert "]0;pwned" in told(*words, "--", sys.executable, str(path))[1]


# ---- the gate -----------------------------------------------------------------------------------------


def test_every_control_direction_and_half_becomes_an_escape_and_nothing_else() -> None:
    for number in range(sys.maxunicode + 1):
        character = chr(number)
        changed = harmless(character) != character
        if character in "\n\t" or character.isprintable():
            assert not changed, hex(number)
        if number < 32 or 127 <= number < 160 or 0xD800 <= number < 0xE000 or character in "\u202e\u2066\u200f":
            assert changed or character in "\n\t", hex(number)


def test_data_in_json_stay_what_they_are() -> None:
    data = {"told": HOSTILE + "\U000e0041"}
    assert json.loads(harmless(json.dumps(data, ensure_ascii=False))) == data


def test_a_stream_behind_the_gate_gives_its_bytes_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    stand_before_the_streams()
    stand_before_the_streams()
    assert isinstance(sys.stdout, Gate)
    assert not isinstance(sys.stdout.behind, Gate)
    assert not hasattr(sys.stdout, "buffer")
    sys.stdout.write(f"{HOSTILE} ação")
    sys.stdout.flush()
    assert not FOUND.search(raw.getvalue().decode("ascii"))


@pytest.mark.parametrize("character", ["\x1b", "\x9b", "\u202e", "\u2066", "\U000e0041"])
def test_no_spec_holds_what_cannot_be_seen(character: str) -> None:
    for text in (SPEC.format(character, "", ""), SPEC.format("", "", character), SPEC.format("", character, "")):
        with pytest.raises(SpecError, match=f"U\\+{ord(character):04X}"):
            read(text, "x.truco")


@pytest.mark.parametrize("escape", [r"\0", r"\e", r"\x9b", r"\u202e", r"\u2066", r"\P"])
def test_no_value_or_key_of_yaml_holds_what_cannot_be_seen(escape: str) -> None:
    for text in (f'a: "{escape}"', f'"{escape}": 1', f'["{escape}"]'):
        with pytest.raises(safe_yaml.YamlError, match="U\\+"):
            safe_yaml.load(text)
