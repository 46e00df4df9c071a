"""Parses claims about a log in plain words: ``bia's team wins the hand``. The grammar is ``grammar/claim.lark``.

A claim names a public observation (``table.x``), a player or a value, and when.
:mod:`truco_spec.compare.disputes.verdict` judges it against a playthrough.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from truco_spec.base import shipped
from truco_spec.base.errors import TrucoError
from truco_spec.base.words import Sentence, combined, hinted, joined, label, say, spoken, suggestion
from truco_spec.language.diagnostics import nearest
from truco_spec.logs.in_words import claimed, said
from truco_spec.logs.notation import shown

if TYPE_CHECKING:
    from lark import Lark


LONGEST = 400
"""Maximum characters of a claim."""
LEGAL, MAY, ANY, ANY_OF, GAIN, OF_WORD = "legal", "may", "any", "any_of", "gain", "legal_word"
GOES_TO = "goes_to"
TIED, OVER, NEXT, HAS = "tied", "over", "next", "has"
TRICK, LEADER = "trick", "leader"
TO_ACT, TO_ANSWER = WAITED_FOR = "to_act", "to_answer"
ACCEPTS, REFUSES, RUNS, RAISES, SAYS = DEEDS = "accepts", "refuses", "runs", "raises", "says"
OF_TEAMS = ("trick", "hand", "winner", "match", "score", GAIN)
"""Deeds of a team, whichever of its players is named."""
_LAST = {"last": -1}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


class ClaimError(TrucoError):
    """A claim that cannot be parsed; the message lists the possible forms."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic claim.

    ``about`` is an observation, or legal, may or gain, or whom the game waits for (WAITED_FOR), or what was done
    (DEEDS); ``seat`` is its subject (-1: nobody; None: unspecified); ``value`` is the claimed value (TIED for no player
    at all, OVER for any; points by seat of a score; words that were said); ``which`` counts observations that recur
    (from 1; -1 the last; 0 in sequence); ``move`` is the move after which, or at which, it holds (0: the end).
    ``others`` are further players of whom the same is claimed together, ``team``: of one of them, or of the side;
    ``whose`` is the player whose call it is.
    """

    about: str
    seat: int | None = None
    value: object = None
    which: int = 0
    move: int = 0
    negated: bool = False
    others: tuple[int, ...] = ()
    team: bool = False
    whose: int | None = None


def read_claim(text: str, players: Sequence[str]) -> tuple[Claim, ...]:
    """Parse a text into claims, which must all hold. Raises :class:`ClaimError`."""
    if len(text) > LONGEST:
        raise ClaimError(Sentence("The claim is longer than {count} characters; make it shorter.", count=LONGEST))
    if "@" in text:
        raise ClaimError(advice(Sentence("“{claim}” holds “@”, which no claim does.", claim=shown(text)), players))
    if not text.strip():
        raise ClaimError(advice(Sentence("The claim is empty."), players))
    coded = coded_of(in_english(text, players), players)
    tree, at = _parsed(coded)
    if tree is None:
        raise ClaimError(advice(misread(text, coded, at, players), players))
    return tuple(claim for part in tree.children for claim in _of_each(part))


def coded_of(text: str, players: Sequence[str]) -> str:
    """The text with @N for the players' names; case-insensitive."""
    numbers = {name: at for at, name in enumerate(players)}
    folded = Counter(name.lower() for name in players)
    words = vocabulary()
    numbers |= {n.lower(): at for n, at in numbers.items() if folded[n.lower()] == 1 and n.lower() not in words}
    names = sorted(numbers, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])", re.IGNORECASE)

    def number(found: re.Match[str]) -> str:
        at = numbers.get(found[0], numbers.get(found[0].lower()))
        return found[0] if at is None else f"@{at}"

    return pattern.sub(number, _QUOTES.sub(" ", text).rstrip(" .!?")).strip()


def _parsed(coded: str) -> tuple[Any, int]:
    """The tree, or None and the offset of the error."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = _parser().parse(coded)
    except UnexpectedInput as error:
        at = getattr(error, "pos_in_stream", None)
        ended = getattr(getattr(error, "token", None), "type", "") == "$END"
        return None, len(coded) if at is None or at < 0 or ended else at
    second = _left_open(tree)
    return (tree, 0) if second is None else (None, second.start_pos)


@lru_cache(maxsize=1)
def _grammar() -> str:
    return (shipped.folder("grammar") / "claim.lark").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def can_be_claimed() -> tuple[str, ...]:
    """Examples of all forms, as the grammar lists them."""
    return tuple(re.findall(r"^//   (.+)$", _grammar(), re.MULTILINE))


@lru_cache(maxsize=1)
def _numbers() -> list[str]:
    """The words for numbers, from one on, as the grammar lists them."""
    words: str = re.findall(r"\bone\|two[a-z|]+", _grammar())[0]
    return words.split("|")


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """The words of the claim grammar."""
    terminals = re.findall(r"^[A-Z_]+[.0-9]*: /(.+)/$", _grammar(), re.MULTILINE)
    bare = " ".join(re.sub(r"\\.|\[[^]]*\]", " ", terminal) for terminal in terminals)
    return frozenset(re.findall(r"[a-z]{2,}", bare)) | {"a"}


@lru_cache(maxsize=1)
def _parser() -> Lark:
    from lark import Lark

    from truco_spec.language.grammar import kept

    return kept(_grammar(), partial(Lark, parser="lalr", g_regex_flags=int(re.IGNORECASE)))


def advice(message: str, players: Sequence[str]) -> str:
    """The message, and the possible claims."""
    examples = [_of_these(example, players) for example in can_be_claimed()]
    form = "What can be claimed, in English, also with “not”, and several joined by “and”:"
    if not spoken().english:
        examples = list(_told_back(examples, players))
        form = "What can be claimed, so or in English, also that it is not so, and several joined by “and”:"
    lines = "\n".join(f"  {example}" for example in examples)
    return Sentence("{message}\n{heading}\n{lines}", message=message, heading=Sentence(form), lines=lines)


def _of_these(example: str, players: Sequence[str]) -> str:
    """The example with the players of the log."""
    names = dict(
        zip(("bia", "ana", "caio", "davi"), [*players[1:2], *players[:1], *players[2:], *players], strict=False)
    )
    return re.sub(r"\b(bia|ana|caio|davi)\b", lambda m: names.get(m[0], m[0]), example)


# ---- from the tree -----------------------------------------------------------------------------


def _left_open(tree: Any) -> Any:
    """The second of several players behind a “not”, which leaves open whether the claim of each or of all is denied; or
    of alternatives, in a claim that is not made of them.
    """
    parties = [party for denied in tree.find_data("denied") for party in denied.find_data("party")]
    for part in tree.children:
        parties += [] if _name(part) in (*WAITED_FOR, *DEEDS) else part.find_data("either")
    players = (seats for party in parties if len(seats := _seats(party)) > 1)
    return next((seats[1] for seats in players), None)


def _seats(party: Any) -> list[Any]:
    return [kid for kid in party.children if kid.type == "SEAT"]


def _name(part: Any) -> str:
    """Return the subject of a part, negated or not."""
    return str(part.children[0].data if part.data == "denied" else part.data).removeprefix("not_")


def _of_each(tree: Any) -> list[Claim]:
    """Return the claim; for several players, who name a team, the same of each, or of what they do together."""
    parties = [party for name in ("party", "either", "one", "by") for party in tree.find_data(name)]
    seats = [_seat(seat) for party in parties for seat in _seats(party)]
    team = any(
        party.children[-1].type == "TEAM" or (party.data in ("either", "by") and len(seats) > 1) for party in parties
    )
    if _name(tree) in (*WAITED_FOR, *DEEDS) and seats:
        return [replace(_claim(tree, seats[0]), others=tuple(seats[1:]), team=team)]
    found = [_claim(tree, seat) for seat in seats] if seats else [_claim(tree)]
    return [replace(claim, team=team and claim.about == LEADER) for claim in found]


def _claim(tree: Any, seat: int | None = None) -> Claim:
    name = str(tree.data)
    if name == "denied":
        claim = _claim(tree.children[0], seat)
        return replace(claim, negated=not claim.negated)
    negated = name.startswith("not_")
    name = name.removeprefix("not_")
    parts = {str(kid.data): kid for kid in tree.children if not isinstance(kid, str)}
    whose, *words = parts["whose"].children if "whose" in parts else (None,)
    parts |= {"word": words[0]} if words else {}
    tokens = [kid for kid in tree.children if isinstance(kid, str)]
    claim = Claim(
        name,
        seat=-1 if "nobody" in parts else seat,
        which=_which(parts),
        move=_move(parts),
        negated=negated,
        whose=None if whose is None else _seat(whose),
    )
    if name.startswith(("tied_", "over_")):
        value, _, about = name.partition("_")
        return replace(claim, about=about, value=value)
    if name == "score":
        pairs = [kid.children for kid in tree.children if not isinstance(kid, str) and kid.data == "points"]
        return replace(claim, value=tuple((_seat(seat), _number(points)) for seat, *_, points in pairs))
    if name == "score_of":
        return replace(claim, about="score", value=((claim.seat, _number(tokens[0])),))
    if name in (GAIN, "stake"):
        return replace(claim, value=_number(tokens[0]))
    if name == LEGAL:
        return replace(claim, move=_number(tokens[0]))
    if name == MAY:
        return replace(claim, value=str(tokens[0]))
    word = " ".join(map(str, parts["word"].children)) if "word" in parts else "".join(tokens)
    if name in (ANY, ANY_OF):
        about = word.lower().replace(" ", "-")
        return replace(claim, about=about, value=_value(parts["value"].children[0]))
    if name == OF_WORD:
        of = [_seat(token) for token in tokens]
        return replace(claim, about=LEGAL, value=word, seat=of[0] if of else None)
    return replace(claim, value=word) if word and name in (*WAITED_FOR, *DEEDS) else claim


def _which(parts: dict[str, Any]) -> int:
    kids = [kid for name, part in parts.items() if name.startswith("which_") for kid in part.children]
    if not kids:
        return 0
    word = str(kids[0]).lower()
    if word in ORDINALS:
        return ORDINALS.index(word) + 1
    return _LAST.get(word) or _number(word)


def _move(parts: dict[str, Any]) -> int:
    kids = [kid for name in ("after", "at_move") if name in parts for kid in parts[name].children]
    return _number(kids[0]) if kids else 0


def _value(token: str) -> object:
    text = str(token)
    if text.startswith("@"):
        return ("seat", _seat(text))
    return int(text) if text.isdigit() else text.lower()


def _seat(token: str) -> int:
    return int(str(token)[1:])


def _number(token: str) -> int:
    word, words = str(token).lower(), _numbers()
    return words.index(word) + 1 if word in words else int(re.sub(r"\D", "", str(token)))


# --------------------------------------------------------------------------------------------------
# A claim in the language of its readers.

FORMS = {
    "trick": ("{who} takes {which}", "{who} does not take {which}"),
    "leader": ("{who} leads to {which}", "{who} does not lead to {which}"),
    NEXT: ("{who} leads next", "{who} does not lead next"),
    "hand": ("{who} wins {which}", "{who} does not win {which}"),
    TIED: ("{which} is tied", "{which} is not tied"),
    OVER: ("{which} is over", "{which} is not over"),
    TO_ACT: ("it is for {who} to act", "it is not for {who} to act"),
    TO_ANSWER: ("{who} has to answer", "{who} does not have to answer"),
    ACCEPTS: ("{who} accepts {words}", "{who} does not accept {words}"),
    REFUSES: ("{who} refuses {words}", "{who} does not refuse {words}"),
    RUNS: ("{who} gives up the hand", "{who} does not give up the hand"),
    RAISES: ("{who} raises", "{who} does not raise"),
    SAYS: ("{who} says {words}", "{who} does not say {words}"),
    "winner": ("{who} wins the game", "{who} does not win the game"),
    "match": ("{who} wins the match", "{who} does not win the match"),
    "score": ("the score is {points}", "the score is not {points}"),
    HAS: ("{who} has {count} on the score", "{who} does not have {count} on the score"),
    GAIN: ("{who} scores {count}", "{who} does not score {count}"),
    "stake": ("the hand is worth {count}", "the hand is not worth {count}"),
    LEGAL: ("move {number} is permitted", "move {number} is not permitted"),
    MAY: ("{who} may say {words}", "{who} may not say {words}"),
    OF_WORD: ("{call} counts", "{call} does not count"),
    GOES_TO: ("{which} goes to {who}", "{which} does not go to {who}"),
    ANY: ("{name} is {value}", "{name} is not {value}"),
    ANY_OF: ("{name} of {who} is {value}", "{name} of {who} is not {value}"),
}
"""The sentence of each claim, and its contrary."""
WHICH = {
    "trick": {0: "the trick", -1: "the last trick", 1: "the first trick", 2: "the second trick", 3: "the third trick"},
    "hand": {0: "the hand", -1: "the last hand", 1: "the first hand", 2: "the second hand", 3: "the third hand"},
    "winner": {0: "the game"},
    "match": {0: "the match"},
}
"""The tricks and hands of a log, and the game."""
MORE = {"trick": "the trick {number}", "hand": "the hand {number}"}


def claim_in_words(text: str, told: Sequence[Claim], players: Sequence[str], teams: int) -> str:
    """The claims that a text makes, in the language that is spoken; in English as they were made."""
    if spoken().english:
        return text
    return f" {say('and')} ".join(_in_words(claim, players, teams) for claim in told)


def _in_words(claim: Claim, players: Sequence[str], teams: int) -> str:
    if claim.about in DEEDS and claim.seat is None and claim.negated:
        claim = replace(claim, seat=-1, negated=False)
    of = claim.about if claim.about in WHICH else "trick"
    tied = claim.value == TIED and claim.about in WHICH
    form = TIED if tied else NEXT if claim.about == "leader" and not claim.which else claim.about
    form = OVER if claim.value == OVER else form
    if claim.about == "score" and isinstance(claim.value, tuple) and len(claim.value) == 1:  # of one side alone
        form, ((seat, points),) = HAS, claim.value
        claim = replace(claim, seat=seat, value=points)
    form = OF_WORD if form == LEGAL and claim.value else form
    form = form if form in FORMS else ANY if claim.seat is None else ANY_OF
    holes = {
        "who": _party_in_words(claim, players, teams),
        "which": say(WHICH[of].get(claim.which) or MORE[of], number=claim.which),
        "points": _points_in_words(claim, players),
        "count": claim.value,
        "number": claim.move,
        "words": _call_in_words(claim, players),
        "call": _call_in_words(replace(claim, whose=claim.seat), players),
        "name": label(claim.about),
        "value": _value_in_words(claim.value, players),
    }
    told = say(FORMS[form][claim.negated], **holes)
    if claim.move and form == MAY:
        return say("at move {number} {claim}", number=claim.move, claim=told)
    return say("{claim} after move {number}", claim=told, number=claim.move) if claim.move and form != LEGAL else told


def _party_in_words(claim: Claim, players: Sequence[str], teams: int) -> str:
    if claim.seat is None or claim.seat < 0:
        return say("somebody" if claim.seat is None and claim.about in DEEDS else "nobody")
    if claim.others:
        return joined([players[seat] for seat in (claim.seat, *claim.others)], say("or" if claim.team else "and"))
    of_team = (claim.team or claim.about in OF_TEAMS) and len(players) > teams
    return say("the team of {player}", player=players[claim.seat]) if of_team else players[claim.seat]


def _call_in_words(claim: Claim, players: Sequence[str]) -> str:
    words = f"“{claim.value}”" if claim.value else say("the call")
    return words if claim.whose is None else say("{words} of {player}", words=words, player=players[claim.whose])


def _points_in_words(claim: Claim, players: Sequence[str]) -> str:
    pairs = claim.value if claim.about == "score" and isinstance(claim.value, tuple) else ()
    return ", ".join(f"{players[seat]} {points}" for seat, points in pairs)


def _value_in_words(value: object, players: Sequence[str]) -> str:
    return players[value[1]] if isinstance(value, tuple) and value[0] == "seat" else label(str(value))


# --------------------------------------------------------------------------------------------------
# Errors in claims: unknown players, and misspelt words.

_QUOTES = re.compile(r'[“”"«»]')
_WORD = re.compile(r"@\d+|[^\W_][\w-]*")
_BEFORE_PLAYER = re.compile(r"(^|\band|\bor|\bby|\bof|,|\bis|\bare|\bwas|(?<![@\d])\d+)$")
"""Words that precede a player in a claim."""
MOST_WORDS = 12
"""Maximum words examined for misspelling."""
MOST_NEAR = 3
"""Maximum corrections tried for one."""


def misread(text: str, coded: str, at: int, players: Sequence[str]) -> str:
    """The message, with a suggestion. ``at`` is the offset of the error in the coded text."""
    unknown = list(_unknown(coded))
    meant = next(_mended(coded, unknown, players), "") or next(_mended(coded, list(_WORD.finditer(coded)), players), "")
    hint = suggestion(meant)
    for word in unknown:
        if _stands_for_a_player(coded, word) and (nearest(word[0], players) or (not meant and _would_do(coded, word))):
            form = "There is no player “{name}” in the log: they are {players}."
            return hinted(Sentence(form, name=shown(word[0]), players=combined(players)), hint)
    rest = named(coded[at:], players)
    form = "The claim “{claim}” is not understood at its end: something is missing."
    if rest.strip():
        form = "The claim “{claim}” is not understood from “{rest}” on."
    return hinted(Sentence(form, claim=shown(text), rest=shown(rest)), hint)


def named(coded: str, players: Sequence[str]) -> str:
    """The text with the names of the players."""
    return re.sub(r"@(\d+)", lambda m: players[int(m[1])] if int(m[1]) < len(players) else m[0], coded)


def _unknown(coded: str) -> Iterator[re.Match[str]]:
    """The words that are neither in the grammar nor players' names."""
    for word in _WORD.finditer(coded):
        if word[0][0] not in "@0123456789" and word[0].lower() not in vocabulary():
            yield word


def _stands_for_a_player(coded: str, word: re.Match[str]) -> bool:
    return bool(_BEFORE_PLAYER.search(coded[: word.start()].rstrip())) or coded[word.end() :].startswith(("'s", "’s"))


def _would_do(coded: str, word: re.Match[str]) -> bool:
    """Whether a player in place of the word would let the claim be parsed, or go on."""
    rest = coded[word.end() :].lstrip()
    tree, at = _parsed(f"{coded[: word.start()]}@0 {rest}")
    return tree is not None or at > word.start() + len("@0 ")


def _mended(coded: str, words: Sequence[re.Match[str]], players: Sequence[str]) -> Iterator[str]:
    """The claim with one word corrected, if it can then be parsed."""
    known = [*players, *sorted(vocabulary())]
    for word in words[:MOST_WORDS]:
        others = [name for name in known if name != word[0].lower()]
        for _ in range(MOST_NEAR):
            near = nearest(word[0], others)
            if near is None:
                break
            others.remove(near)
            put = f"@{list(players).index(near)}" if near in players else near
            mended = f"{coded[: word.start()]}{put}{coded[word.end() :]}"
            tree, _ = _parsed(mended)
            free = tree is not None and any(tree.scan_values(lambda token: token.type in ("WORDS", "NAME")))
            if tree is not None and not (free and (not spoken().english or word[0].lower() in vocabulary())):
                yield named(mended, players)


# --------------------------------------------------------------------------------------------------
# A claim in the language of its readers, in the words of the answers or others that mean the same.

_SAID_OTHERWISE = {
    TO_ACT: ("it is {who}'s turn", "it is not {who}'s turn"),
    HAS: ("{who} has {count} points", "{who} does not have {count} points"),
    LEGAL: ("move {number} is legal", "move {number} is not legal"),
    GOES_TO: ("{which} goes to {who}", "not {which} goes to {who}"),
}
"""Claims for which the grammar has other words than the answers."""
_TEAM, _AFTER, _AT_MOVE = "the team of {player}", "{claim} after move {number}", "at move {number} {claim}"
_SIDES = 2
"""The teams of the examples."""
_HOLE = re.compile(r"\{(\w+)\}")
_HOLES = {"count": r"\d+", "number": r"\d+", "points": r".+", "words": r"[^\s].*", "claim": r".+"}


def in_english(text: str, players: Sequence[str]) -> str:
    """The claim in English, if it is made in such words of the current language."""
    if spoken().english:
        return text
    parts = re.split(rf"\s+{say('and')}\s+", text.strip(" .!?"))
    told = [_in_english(claimed(part), players) for part in parts]
    return " and ".join(told) if all(told) else text


def _in_english(text: str, players: Sequence[str]) -> str:
    """One claim; empty if it is in other words."""
    for form, english in ((_AFTER, _AFTER), (_AT_MOVE, _AT_MOVE)):
        if (found := _pattern(form, (), spoken().language).fullmatch(text)) and (
            inner := _in_english(found["claim"], players)
        ):
            return english.format(claim=inner, number=found["number"])
    for about, forms in FORMS.items():
        if about in (ANY, ANY_OF):
            continue
        for at, form in reversed([*enumerate(forms)]):  # “o truco não vale” is no call named “truco não”
            pattern = _pattern(form, tuple(players), spoken().language)
            found = pattern.fullmatch(text)
            if not found and about in (ACCEPTS, REFUSES):
                found = pattern.fullmatch(f"{text} {claimed(say('the call'))}")
            if found:
                holes = {name: _hole_in_english(name, told, players) for name, told in found.groupdict().items()}
                return _SAID_OTHERWISE.get(about, forms)[at].format(**holes)
    return ""


def _hole_in_english(name: str, told: str, players: Sequence[str]) -> str:
    if name == "which":
        return _tricks_and_hands()[told] if told in _tricks_and_hands() else re.sub(r"\D+", "trick ", told)
    if name in ("words", "call"):
        if told == claimed(say("the call")):
            return "the call"
        found = re.fullmatch(rf"{_article()}(.+?)({_of_whom(players)})?", told.strip(" “”"))
        assert found is not None  # any text but the empty one, which no hole is
        return f"{_player(found[2], players)}'s {found[1]}" if found[2] else found[1]
    if name == "points":
        names = {claimed(player): player for player in players}
        return re.sub(r"[^\W\d][^\s,]*", lambda word: names.get(word[0], word[0]), told)
    if name != "who":
        return told
    if told == claimed(say("nobody")):
        return "nobody"
    player = _player(told, players)
    return player if re.fullmatch(_article() + re.escape(claimed(player)), told) else f"{player}'s team"


def _player(told: str, players: Sequence[str]) -> str:
    """The player with whose name a text ends; of two, the one with the longer name."""
    return max((player for player in players if told.endswith(claimed(player))), key=len)


def _article() -> str:
    """A pattern of the article that may stand before a player or a call."""
    return f"(?:(?:{'|'.join(said().articles)}) )?"


def _names(players: Sequence[str]) -> str:
    return "|".join(re.escape(claimed(player)) for player in sorted(players, key=len, reverse=True))


def _of_whom(players: Sequence[str]) -> str:
    """A pattern of the player whose call it is, behind the call."""
    return f" (?:{'|'.join(said().whose)}) {_article()}(?:{_names(players)})"


def _tricks_and_hands() -> dict[str, str]:
    """What claims are about, in the language that is spoken: in English."""
    return {claimed(say(name)): name for names in WHICH.values() for name in names.values()}


@lru_cache(maxsize=256)
def _pattern(form: str, players: tuple[str, ...], _language: str) -> re.Pattern[str]:
    """The text of a form in the language that is spoken, with what may stand in its holes."""
    names = _article() + f"(?:{_names(players)})"
    team = _HOLE.sub(f"(?:{names})", re.escape(claimed(spoken().site(_TEAM))).replace(r"\{", "{").replace(r"\}", "}"))
    holes = _HOLES | {"who": f"(?:{team}|{names}|{re.escape(claimed(say('nobody')))})"}
    holes["call"] = rf"{_article()}[\w-]+(?: [\w-]+)?(?:{_of_whom(players)})?"
    holes["which"] = "|".join(map(re.escape, sorted(_tricks_and_hands(), key=len, reverse=True)))
    text = re.escape(claimed(spoken().site(form))).replace(r"\{", "{").replace(r"\}", "}")
    return re.compile(_HOLE.sub(lambda hole: f"(?P<{hole[1]}>{holes[hole[1]]})", text))


def _told_back(examples: Sequence[str], players: Sequence[str]) -> Iterator[str]:
    """The examples in the current language; in English if they would not be understood in it."""
    for example in examples:
        meant = _meant_by(example, players)
        told = claim_in_words(example, meant, players, _SIDES) if meant else example
        yield told if meant and _meant_by(in_english(told, players), players) == meant else example


def _meant_by(text: str, players: Sequence[str]) -> tuple[Claim, ...]:
    """What an English text says; nothing if it cannot be parsed."""
    tree, _ = _parsed(coded_of(text, players))
    return () if tree is None else tuple(claim for part in tree.children for claim in _of_each(part))
