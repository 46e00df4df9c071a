"""The words, options and observations of a variant that an adapter can claim, and a template ``hello``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from truco_spec.base.harmless import one_line
from truco_spec.base.project import by_variant, playable_names
from truco_spec.base.words import Sentence, hinted, spoken, suggestion
from truco_spec.conformance.corpus import ready
from truco_spec.conformance.corpus.protocol import COVER, PERFT, PROTOCOL, TEAM_VALUES, HelloError, Introduction, Plays
from truco_spec.graph.fold import conjuncts, is_no
from truco_spec.graph.load import load, load_open
from truco_spec.graph.model import MOST_GRAPHS, OBSERVED, ActionKind, Expr, Graph, Rule, by_identity, said_and_given
from truco_spec.graph.operations import show
from truco_spec.graph.types import Type
from truco_spec.graph.walk import data_read, permitting, ways
from truco_spec.language.diagnostics import SpecError, nearest

_SHAPES = {
    "acting": Sentence("list of players"),
    "may-speak": Sentence("list of players"),
    "legal": Sentence("by player: list of texts"),
    "view": Sentence("by player: list of cards"),
    "deal": Sentence("answered to the request `deal`"),
    PERFT: Sentence("answered to the request `perft`"),
}
"""Observations whose type is not that of a question in the rules."""


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word of a variant, as ``omits`` and ``itself`` call it; empty for an open card.

    ``written`` are the forms in which players say it, ``said_by`` maps a phase to those who may say it with these
    options; ``implicit`` ones are done where nobody says them.
    """

    word: str
    written: tuple[str, ...]
    said_by: tuple[str, ...]
    implicit: bool
    meaning: str


def vocabulary(graph: Graph) -> tuple[SaidWord, ...]:
    """Return all actions of the players of a variant, in spec order, without those of chance."""
    found = (word for kind in graph.actions.values() if not _of_chance(graph, kind) for word in _words(graph, kind))
    return tuple(found)


def words_of(graph: Graph) -> frozenset[str]:
    """The words valid in ``omits`` and ``itself``, under any options."""
    kinds = [kind for kind in graph.actions.values() if not _of_chance(graph, kind)]
    return frozenset(
        name for kind in kinds for word, said in _forms(graph, kind).items() for name in (word, *map(_name, said))
    ) - {""}


def observed(graph: Graph) -> dict[str, str]:
    """Return the observations and their types as an answer writes them, which :func:`translated` translates."""
    from truco_spec.engine.observe import observations  # to judge, no engine is needed

    told = {name: _SHAPES.get(name) or _shape(graph, name) for name in observations(graph)}
    return told | {name: _SHAPES[name] for name in ("legal", "view", "deal")}


def claim(graph: Graph, plays: Plays, always: Mapping[str, str]) -> dict[str, Any]:
    """A ``hello`` to trim: everything the variant has, with these options fixed."""
    words = vocabulary(graph)
    options = {name: list(values) for name, values in plays.options.items() if name not in always and len(values) > 1}
    variant = {
        "players": list(plays.players),
        "options": options,
        "always": dict(always),
        "omits": _names(word for word in words if not word.said_by and not word.implicit),
        "itself": _names(word for word in words if word.implicit),
    }
    hello: dict[str, Any] = {"protocol": PROTOCOL[1], "name": "my-truco", "version": "0", "modes": ["strict"]}
    return hello | {"variants": {graph.name: variant}, "observes": list(observed(graph))}


def _names(words: Iterator[SaidWord]) -> list[str]:
    return list(dict.fromkeys(word.word for word in words if word.word))


# ---- words ---------------------------------------------------------------------------------------


def _words(graph: Graph, kind: ActionKind) -> Iterator[SaidWord]:
    """Return one entry per word; a kind written as a member of an order has several."""
    first, prose = (kind.written or (kind.name,))[0], spoken().rules(kind.source.prose)
    by = tuple(dict.fromkeys(_who(graph, rule) for rule in _permitting(graph, kind)))
    for name, said in _forms(graph, kind).items():
        meaning = prose.replace(first, name) if name else prose
        yield SaidWord(name, tuple(said), by, kind.tacit, meaning)


def _forms(graph: Graph, kind: ActionKind) -> dict[str, list[str]]:
    """Return the words of a kind of action, each with its spoken forms."""
    forms: dict[str, list[str]] = {}
    templates = kind.written or (kind.name,)
    for template, given in map(said_and_given, templates):
        for _, member in given:
            forms.setdefault(member, []).append(template)
        for written in () if given else _told(graph, kind, template):
            one = _name(written) if template.startswith("{") else _name(templates[0])
            if one or not forms:
                forms.setdefault(one, []).append(written)
            else:  # one form for all of them: in some games every raise is called truco
                for said in forms.values():
                    said += [written] if written not in said else []
    return forms


def words_by_kind(graph: Graph) -> dict[str, frozenset[str]]:
    """Return the words of each kind of action, as in ``omits``; empty for an open card."""
    return {name: frozenset(_forms(graph, kind)) for name, kind in graph.actions.items()}


def _told(graph: Graph, kind: ActionKind, template: str) -> Iterator[str]:
    """Expand a template that begins with a member of an order."""
    first, *rest = template.split()
    of = next((param.type for param in kind.params if first == f"{{{param.name}}}"), None)
    members = graph.orders[of.name] if of is not None and of.base == "order" else (first,)
    yield from (" ".join([member, *rest]) for member in members)


def _name(written: str) -> str:
    first = written.split()[0]
    return "" if first.startswith("{") else word_of(first)


def _is_never(graph: Graph, condition: Expr) -> bool:
    """Whether a condition is a question that these options answer with no."""
    return condition.op == "ask" and all(is_no(each.value) for each in graph.defines[condition.value].answers)


def _is_ruled_out(graph: Graph, rule: Rule) -> bool:
    """Whether such a question is a condition of a rule."""
    return any(_is_never(graph, each) for each in conjuncts(rule.when))


@by_identity(MOST_GRAPHS)
def _entered(graph: Graph) -> frozenset[str]:
    """The phases to which rules lead from the first one, if their conditions can hold at all; memoised."""
    found = {next(iter(graph.phases))}
    rules = [rule for rule in graph.rules.values() if not _is_ruled_out(graph, rule)]
    before = 0
    while len(found) > before:
        before = len(found)
        for rule in rules:
            if not rule.phases or not found.isdisjoint(rule.phases):
                found |= {way.phase for way in ways(graph, (*rule.do, *rule.lest)) if way.phase}
    return frozenset(found)


def _permitting(graph: Graph, kind: ActionKind) -> Iterator[Rule]:
    """The rules that permit it to players under these options."""
    for rule in permitting(graph, kind.name):
        entered = not rule.phases or not _entered(graph).isdisjoint(rule.phases)
        if entered and not rule.outsider and not _is_ruled_out(graph, rule):
            yield rule


def _of_chance(graph: Graph, kind: ActionKind) -> bool:
    permits = permitting(graph, kind.name)
    return bool(permits) and all(rule.outsider for rule in permits)


def _who(graph: Graph, rule: Rule) -> str:
    who = show(graph, rule.by).strip("{}") if rule.by is not None else "anyone"
    return f"{who} in {' or '.join(rule.phases)}" if rule.phases else f"{who} at any time"


# ---- observations --------------------------------------------------------------------------------


def _shape(graph: Graph, name: str) -> str:
    question = graph.defines[OBSERVED + name]
    shape = _answer(question.type)
    for param in reversed(question.params):
        shape = Sentence("by {what}: {shape}", what=_answer(param.type), shape=shape)
    return shape


def _answer(kind: Type) -> str:
    """Return a type as an answer writes it: players for seats, and null for nothing."""
    from truco_spec.engine.observe import OPEN

    words = [("null" if word == "none" else f'"{word}"') for word in sorted(kind.words - {OPEN})]
    named = {"seat": Sentence("player"), "team": Sentence("team"), "card": Sentence("card")}
    base = named.get(kind.base, kind.base)
    base = f"{kind.low} .. {kind.high}" if kind.base == "number" and kind.low < kind.high else base
    parts = [part for part in (base, *words) if part]
    return reduce(lambda most, last: Sentence("{most} or {last}", most=most, last=last), parts)


# ---- Validates the claims of ``hello`` against the rules: words, options and values --------------

ALL_WORDS = "*"
"""The entry of ``omits`` for every word."""
_MOST, _LONGEST = 20, 60


def must_be_sound(introduction: Introduction) -> None:
    """Raises :class:`HelloError` before anything is played."""
    mistakes = list(dict.fromkeys(mistakes_in(introduction)))
    if mistakes:
        lines = [Sentence("hello: {mistake}", mistake=mistake) for mistake in mistakes[:_MOST]]
        if len(mistakes) > _MOST:
            lines.append(Sentence("hello: and {count} more.", count=len(mistakes) - _MOST))
        raise HelloError(reduce(lambda above, line: Sentence("{above}\n{line}", above=above, line=line), lines))


def mistakes_in(introduction: Introduction) -> Iterator[str]:
    """The unknown names in an introduction. An unknown variant is taken for the user's own, unless its name is close to
    a known one.
    """
    known = playable_names()
    for name, plays in introduction.variants.items():
        if name in known:
            yield from _tables(name, plays)
            yield from _options(name, plays)
            yield from _claimed_words(name, plays)
        elif nearest(name[:_LONGEST], known):
            message = Sentence("{key} names “{name}”, and there is no such variant.", key="variants", name=_short(name))
            yield _claim_text(message, name, known)
        for late in plays.late:
            if late not in introduction.observes:
                message = Sentence("{key} names “{name}”, which it does not observe.", key="late", name=_short(late))
                yield _claim_text(message, late, introduction.observes)
    yield from _observations(introduction, known)


def _observations(introduction: Introduction, variants: Collection[str]) -> Iterator[str]:
    """The observations that no variant has, if their names are close to one: others are somebody's own."""
    known = set(_SHAPES)
    for variant in (*(name for name in introduction.variants if name in variants), *variants):
        if known.issuperset(introduction.observes):
            return
        known.update(ready.rules_of(variant).observes)
    for name in introduction.observes:
        if name not in known and nearest(name[:_LONGEST], known):
            yield _claim_text(
                Sentence("{key} names “{name}”, which nobody observes.", key="observes", name=_short(name)), name, known
            )


def _tables(variant: str, plays: Plays) -> Iterator[str]:
    """An implementation may play further numbers of players; if it plays none of the variant's, it cannot be tested."""
    played = ready.rules_of(variant).plays.players
    if not {*plays.players} & {*played}:
        form = "{key} names no number of players that {variant} has."
        hint = Sentence("There are: {names}.", names=tuple(map(str, played)))
        yield hinted(Sentence(form, key="players", variant=variant), hint)


def _options(variant: str, plays: Plays) -> Iterator[str]:
    given = [("options", name, value) for name, values in plays.options.items() for value in values]
    given += [("options", name, "") for name, values in plays.options.items() if not values]
    given += [("always", *each) for each in dict.fromkeys(pair for n in plays.players for pair in plays.own(n).items())]
    known = load(variant).options if given else {}
    for key, name, value in given:
        if name not in known:
            form = "{key} names “{name}”, which is no option of {variant}."
            message = Sentence(form, key=key, name=_short(name), variant=variant)
            yield _claim_text(message, name, known)
        elif value and value not in known[name].values:
            form = "{key} gives {name} the value “{value}”, which it does not have in {variant}."
            what = Sentence(form, key=key, name=name, value=_short(value), variant=variant)
            yield _claim_text(what, value, known[name].values)
    by_players = [(name, by) for name, by in plays.always.items() if not isinstance(by, str)]
    for name, count in ((name, count) for name, by in by_players for count in by):
        if count not in map(str, plays.players):
            form = "{key} gives {name} a value for {count} players, whom it does not play with."
            yield Sentence(form, key="always", name=_short(name), count=_short(count))


def _claimed_words(variant: str, plays: Plays) -> Iterator[str]:
    known, named = frozenset[str](), frozenset[str]()
    if plays.omits or plays.itself:
        graph = load(variant)
        known, named = words_of(graph), frozenset(each.word for each in vocabulary(graph)) - {""}
    for key, words in (("omits", plays.omits), ("itself", plays.own_words)):
        for word in words:
            if word in known:
                continue
            if (first := word_of(word)) in named:
                form = "{key} names “{name}”. A word is named by its first part, for all its forms: “{first}”."
                yield Sentence(form, key=key, name=_short(word), first=first)
            else:
                form = "{key} names “{name}”, which nobody says in {variant}."
                yield _claim_text(Sentence(form, key=key, name=_short(word), variant=variant), word, named)


def _claim_text(what: Sentence, name: str, known: Collection[str]) -> str:
    near = nearest(name[:_LONGEST], known)
    hint = Sentence("There are: {names}.", names=tuple(sorted(known)))
    return hinted(what, suggestion(near, hint))


def _short(text: str) -> str:
    return one_line(text[:_LONGEST])


# --------------------------------------------------------------------------------------------------
# Permitted differences from the reference engine: words that an implementation says by itself or omits, and implicit
# actions.


Entry = Mapping[str, Any]
"""The reference engine's observations after an action, including ``legal``."""


def word_of(text: str) -> str:
    """The name of an action in ``omits``, from its text without the player; empty for a card."""
    if text.startswith("("):
        return COVER
    return "" if text == text.upper() and text.isalnum() else "".join(text.split()[:1])


def unsaid_words(graph: Graph) -> frozenset[str]:
    """The first words of implicit actions."""
    tacit = [kind for kind in graph.actions.values() if kind.tacit]
    return frozenset(text.split()[0] for kind in tacit for text in kind.written or (kind.name,))


def pending(entry: Entry, own: Collection[str], omits: Collection[str] = (), *, between: bool = False) -> bool:
    """Whether the game waits for a word of ``own``, which the implementation says by itself: it may be further already.
    Words that it ``omits`` nobody says in their place.

    ``between`` two hands it is enough that somebody could say one: who says it at once never waits there.
    """
    if not own:
        return False
    said, itself = _words_of(entry), set(own)
    waiting = [said[player] for player in entry.get("acting", ()) if said.get(player)]
    return any(words & itself and (between or words <= itself.union(omits)) for words in waiting)


def awaited(entry: Entry) -> set[str]:
    """Return the words permitted to the players for whom the game waits."""
    said = _words_of(entry)
    return set().union(*(said.get(player, set()) for player in entry.get("acting", ())))


def of_the_play(key: str, value: Any) -> bool:
    """Whether an observation is a result of play, rather than about whose turn it is and for what."""
    return key in TEAM_VALUES or isinstance(value, Mapping)


def plain(graph: Graph, entry: Entry, plays: Plays, key: str = "") -> bool:
    """Whether the possible actions (of the players in ``key``: acting, may-speak) are the same without implicit actions
    and without the words that the implementation omits or says by itself. Without a key, in lists of actions, whoever
    the game does not wait for may have such words only: nothing of his is listed.
    """
    tacit = unsaid_words(graph)
    unknown = tacit.union(plays.omits, plays.own_words)
    said = _words_of(entry)
    concerned = [said.get(player, set()) for player in entry.get(key or "acting", ())]
    listed = concerned if key else said.values()
    return not any(words & tacit for words in listed) and not any(words and words <= unknown for words in concerned)


def listing_words(introduction: Introduction) -> Introduction:
    """Return the introduction with the words listed for which :data:`ALL_WORDS` stands in ``omits``: those of the
    players, except implicit acts and what the implementation says by itself.
    """
    known = playable_names()

    def listed(variant: str, plays: Plays) -> Plays:
        if ALL_WORDS not in plays.omits or variant not in known:
            return plays
        graph = load(variant)
        words = sorted(words_of(graph) - {COVER, *plays.own_words} - unsaid_words(graph))
        others = (word for word in plays.omits if word != ALL_WORDS)
        return replace(plays, omits=tuple(dict.fromkeys((*others, *words))))

    variants = {name: listed(name, plays) for name, plays in introduction.variants.items()}
    return replace(introduction, variants=variants)


def truthful(introduction: Introduction) -> Introduction:
    """Return the introduction with the options added under which the words that the implementation says by itself have
    a single form: where the rules leave a choice, scripts say other forms, too, which such an implementation cannot
    take.
    """
    known = playable_names()
    variants = {
        name: replace(plays, always={**_without_choice(name, plays.own_words), **plays.always})
        if plays.own_words and name in known
        else plays
        for name, plays in introduction.variants.items()
    }
    return replace(introduction, variants=variants)


@by_variant(64)
def _without_choice(variant: str, own: tuple[str, ...]) -> dict[str, str]:
    """The values of options under which a rule permits one of these words in one form only, though the variant's own
    value leaves a choice.
    """
    graph, found = load_open(variant), dict[str, str]()
    names = {kind.name for kind in graph.actions.values() if {word_of(text) for text in kind.written}.intersection(own)}
    for rule in graph.rules.values():
        if rule.shape != "may" or names.isdisjoint(verb.action for verb in rule.verbs) or rule.when is None:
            continue
        for name in sorted(data_read(graph, [rule.when]) & graph.options.keys()):
            option = graph.options[name]
            alone = {value for value in option.values if _has_one_form(variant, name, value, rule)}
            if option.value not in alone:
                found |= dict.fromkeys((name,) if alone else (), min(alone, default=""))
    return found


def _has_one_form(variant: str, option: str, value: str, rule: Rule) -> bool:
    """Whether under this value of an option the rule permits its action with a single value of its binders; or never,
    while other rules do.
    """
    try:
        graph = load(variant, **{option: value})
    except SpecError:  # other options rule that value out
        return False

    def settles(condition: Expr, bound: Set[str]) -> bool:
        if condition.op == "or":
            return all(settles(kid, bound) for kid in condition.kids if not _is_never(graph, kid))
        return condition.op == "is" and any(kid.op == "var" and kid.value in bound for kid in condition.kids)

    alike = [each for verb in rule.verbs for each in permitting(graph, verb.action)]
    left = [each for each in alike if not _is_ruled_out(graph, each)]
    asked = [each for each in left if each.name == rule.name] or left

    def has_one(each: Rule) -> bool:
        bound = {param.name for param in each.binds}
        return any(settles(condition, bound) for condition in conjuncts(each.when))

    return bool(asked) and all(map(has_one, asked))


def _words_of(entry: Entry) -> dict[str, set[str]]:
    return {player: {word_of(text) for text in texts} for player, texts in entry.get("legal", {}).items()}
