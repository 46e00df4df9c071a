"""The pages of clauses, of cases, and of the rules of a game in its drawn graph (the atlas), linked with each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from markupsafe import Markup

from truco_spec.base.errors import TrucoError
from truco_spec.base.shipped import ENGLISH
from truco_spec.base.words import called_value, label, move_text, names_in, number, say, speaking, spoken, worded
from truco_spec.books.book import Filler
from truco_spec.books.site import documents
from truco_spec.books.site.page_frame import (
    Addresses,
    Embedded,
    SiteInputs,
    framed,
    in_each,
    page_of_clause,
    parts_of_source,
    rule_words,
    speech,
    words,
)
from truco_spec.books.site.who_is_right import MODULES
from truco_spec.conformance.corpus import filling, ready
from truco_spec.conformance.corpus.cases import Allowed, Case, Deals, Expect, HandStep, Instance, Legal, Refused, View
from truco_spec.conformance.corpus.corpus import instances
from truco_spec.conformance.corpus.protocol import TEAM_VALUES, Script
from truco_spec.conformance.reports.events import Run, run_in
from truco_spec.conformance.reports.run_document import SAYS, departing_from, kept_in_words, passed, sorted_causes
from truco_spec.conformance.reports.totals import (
    clause_text,
    faults_by_clause,
    not_playable,
    other_readings,
    totals,
)
from truco_spec.conformance.runner.verdicts import VERDICTS, CauseReport
from truco_spec.conformance.trace import TraceRow
from truco_spec.engine.wasm.native import is_installed
from truco_spec.graph.model import DECIDED, Graph, Rule
from truco_spec.graph.sources import Registry, registry, sources
from truco_spec.logs.line import fragment_of
from truco_spec.pages.board import SCRIPT, STYLES
from truco_spec.pages.cards import Pack, letters, pack_of, with_signs
from truco_spec.pages.moments import Track, track_of
from truco_spec.pages.picture import SHAPES, picture_of
from truco_spec.pages.svg import map_of, svg

_IN = "../"


# ---- Clauses: text, citing rules, testing cases --------------------------------------------------


def sources_list(language: str) -> str:
    to, told = Addresses(_IN, language), words(language)
    entries = [
        (rule_words(language)(registry(name).record.title), to.clause(name), Markup("<code>{}</code>").format(name))
        for name in sources()
    ]
    here = in_each(to.sources)
    groups = {told("Sources"): entries}
    return framed("list", _IN, language=language, here=here, title=told("Clauses"), groups=groups)


def clauses(inputs: SiteInputs, language: str, source: str, part: str = "") -> str:
    """The clauses of a source, or of a part of it, in a language, with what cites and tests each."""
    held, to = registry(source), Addresses(_IN, language)
    found = [row for row in inputs.traces[source].rows if not part or row.id.partition(".")[0] == part]
    rows = [_row(inputs, held, to, row) for row in found]
    return framed(
        "clauses", _IN, language=language, here=_elsewhere(to, page_of_clause(source, f"{part}." if part else "")),
        source=source, title=rule_words(language)(held.record.title), origin=held.record.origin, part=part,
        parts=parts_of_source(source), rows=rows,
    )  # fmt: skip


def _elsewhere(to: Addresses, path: str) -> tuple[tuple[str, str, str], ...]:
    """Return the same page in each language."""
    return in_each(lambda code: f"{_IN}{to.in_language(path, code)}")


def contents(inputs: SiteInputs, language: str, source: str) -> str:
    """The first page of a split source, in a language: every clause by its id, with a link."""
    to = Addresses(_IN, language)
    parts: dict[str, list[tuple[str, str]]] = {part: [] for part in parts_of_source(source)}
    for row in inputs.traces[source].rows:
        parts[row.id.partition(".")[0]].append((row.id, to.clause(source, row.id)))
    pages = {part: f"{_IN}{to.in_language(page_of_clause(source, part))}" for part in parts}
    record = registry(source).record
    return framed(
        "contents", _IN, language=language, here=_elsewhere(to, page_of_clause(source)), source=source,
        title=rule_words(language)(record.title), origin=record.origin, parts=parts, pages=pages,
    )  # fmt: skip


def _row(inputs: SiteInputs, held: Registry, to: Addresses, row: TraceRow) -> dict[str, Any]:
    clause, gap, option = held.clauses.get(row.id), held.gaps.get(row.id), held.options.get(row.id)
    spoken = held.variants(row.id)
    variants = sorted(inputs.graphs, key=lambda name: name not in spoken)  # those that it speaks of come first
    text = clause.text if clause else gap.question if gap else option.note if option else ""
    told = rule_words(to.language).told(text)
    return {
        "id": row.id,
        "kind": words(to.language)(row.kind),
        "text": told or text,
        "foreign": not told,
        "values": option.values if option else (),
        "locator": clause.locator if clause else "",
        "rules": _said_once(_stated(inputs, to, variants, name) for name in row.rules),
        "cases": [(name, to.case(inputs.cases[name])) for name in row.cases if name in inputs.cases],
        "excuse": rule_words(to.language)(row.excuse),
    }


def _said_once(rules: Iterable[tuple[str, str, str]]) -> list[tuple[list[str], str, str]]:
    """Statements of one sentence together: their names, the first address, and the sentence."""
    found: dict[str, tuple[list[str], str, str]] = {}
    for name, address, sentence in rules:
        names, *_ = found.setdefault(sentence or name, ([], address, sentence))
        names += [name] if name not in names else []
    return list(found.values())


def _stated(inputs: SiteInputs, to: Addresses, variants: list[str], stated: str) -> tuple[str, str, str]:
    """A statement: its name, its address, and its sentence in the first of the games that say it.

    ``stated`` may begin with the word for how it changes what is inherited, as in ``set target``.
    """
    name = stated.rpartition(" ")[2]
    said = (inputs.sentences(game, to.language).get(name) for game in variants)
    return stated, _address(inputs, to, variants, name), next(filter(None, said), "")


def _address(inputs: SiteInputs, to: Addresses, variants: list[str], name: str) -> str:
    """The address of a statement of the spec: in a book, else in the atlas; empty if in neither."""
    for game in variants:
        graph = inputs.graphs[game]
        if name in inputs.told[game]:
            return to.book(game, rule=name)
        if name in graph.options and graph.options[name].values[1:]:  # a book omits an option without a choice
            return to.option(game, name)
        if name in inputs.readings[game]:
            return to.decision(game, name)
    drawn = (game for game in variants if name in (rules := inputs.graphs[game].rules) and rules[name].source.prose)
    return next((to.atlas(game, name) for game in drawn), "")


# ---- Cases: every one with its steps in plain words, and a replay ---------------------------------


def cases(inputs: SiteInputs, path: str, language: str) -> str:
    """The page of one file of cases, in a language; a title without a translation is in English."""
    to = Addresses(_IN, language)
    with speaking(speech(language)):
        replays = Embedded()
        tracks = _tracks(inputs, path)
        entries = [_entry(case, to, inputs, tracks.get(case.id), replays) for case in inputs.files[path]]
        game, file = place_of(inputs, path)
        here = _elsewhere(to, path)
        names, pack = _cards(inputs, inputs.files[path][0])
        return framed(
            "cases",
            _IN,
            SCRIPT,
            styles=STYLES,
            language=language,
            here=here,
            game=game,
            file=file,
            cases=entries,
            replays=replays,
            letters=letters(names, pack, language),
            on_cards=spoken().rules("On the cards:"),
        )


def place_of(inputs: SiteInputs, path: str) -> tuple[str, str]:
    """The game that a file of cases belongs to, by its title, and the file's own name."""
    folder = Path(inputs.files[path][0].path).parent.name
    graph = inputs.graphs.get(folder)
    file = path.removeprefix("cases/").removesuffix(".html").removeprefix(f"{folder}-")
    return spoken().rules(graph.title) if graph else folder, file


def title_of(case: Case) -> str:
    """The title of a case with players' names, without a full stop; empty without a translation."""
    return _named(case, spoken().rules.told(case.entry.title).rstrip("."))


def _named(case: Case, text: str) -> str:
    """A text with players' names for the seats."""
    called = dict(zip(ready.players_of(instances(case)[0]), names_in(spoken().language), strict=False))
    return re.sub(r"[^\W_]+", lambda word: called.get(word[0], word[0]), text)


def _cards(inputs: SiteInputs, case: Case) -> tuple[list[str], Pack | None]:
    """The cards of the game of a case, and their pack."""
    graph = inputs.graphs.get(instances(case)[0].variant)
    names = [card.name for card in graph.cards] if graph else []
    return names, pack_of(names)


def _entry(
    case: Case, to: Addresses, inputs: SiteInputs, played: tuple[Sequence[str], Graph, Track] | None, replays: Embedded
) -> dict[str, Any]:
    title = title_of(case)
    named = partial(_named, case)
    names, pack = _cards(inputs, case)
    signed = partial(with_signs, names=frozenset(names), pack=pack)
    return {
        "id": case.id,
        "level": say(SAYS[case.entry.level]),
        "title": title or named(case.entry.title.rstrip(".")),
        "foreign": not title,
        "variants": [_game(inputs, to, name) for name in case.applies.variants],
        "options": [(name, str(value)) for name, value in case.entry.options.items()],
        "clauses": [(cite, clause_address(to, cite)) for cite in case.clauses],
        "decisions": case.entry.decisions,
        "steps": [(signed(named(step)), signed(named(answer))) for step, answer in _steps(case)],
        "moments": replays.replay(played[0], played[1], played[2].moments, named) if played else "",
    }


def _game(inputs: SiteInputs, to: Addresses, name: str) -> tuple[str, str]:
    """The title of a game and the address of its book; the name of what no book prints."""
    graph = inputs.graphs.get(name)
    return (spoken().rules(graph.title), to.book(name)) if graph else (name, "")


def clause_address(to: Addresses, cite: str) -> str:
    """Return the address of the cited clause; empty if it belongs to no source."""
    source, _, clause = cite.partition(":")
    return to.clause(source, clause) if source in sources() and registry(source).known(clause) else ""


@lru_cache(maxsize=1)
def _tracks(inputs: SiteInputs, path: str) -> dict[str, tuple[Sequence[str], Graph, Track]]:
    """Return the replays of the cases of a file, by their ids; its pages in three languages share them."""
    return {case.id: played for case in inputs.files[path] if (played := _played(case))}


def _played(case: Case) -> tuple[Sequence[str], Graph, Track] | None:
    """The players, the rules and the moments of the first instance of a case; None if nothing is played."""
    instance: Instance = instances(case)[0]
    try:
        planned = ready.as_written(instance)
        script = planned.requests[0]
        if not isinstance(script, Script):
            return None
        moves = [[action.text for action in actions] for actions in planned.taken]
        graph = filling.script_graph(script)
        return script.players, graph, track_of(filling.log_of(script, moves), graph, why=False)
    except TrucoError:  # a case may be irregular from its first step on
        return None


def _steps(case: Case) -> list[tuple[str, str]]:
    """Return the steps in plain words: each move or query, with its result and with what is seen after it."""
    found: list[tuple[str, str]] = []
    for step, answer in _apart(case):
        if step or not found:
            found.append((step, answer))
        else:
            found[-1] = found[-1][0], "; ".join(filter(None, (found[-1][1], answer)))
    return found


def _apart(case: Case) -> Iterator[tuple[str, str]]:
    """Return the steps, and what is seen after them on its own, in plain words; a team is named by all its players."""
    entry, instance = case.entry, instances(case)[0]
    players = ready.players_of(instance)
    teams = {who: "/".join(team) for team in ready.teams_of(instance.variant, players) for who in team}

    def told(key: str, value: object) -> str:
        return worded(teams.get(value, value) if key in TEAM_VALUES and isinstance(value, str) else value, teams)

    deal = "; ".join(
        f"{label(key)} {cards if isinstance(cards, str) else ' '.join(cards)}" for key, cards in entry.deal.items()
    )
    begun = [say("{player} deals", player=entry.dealer)] if entry.dealer else []
    begun += [say("score {score}", score=told("score", entry.score))] if entry.score else []
    if begun or deal:
        yield ": ".join(filter(None, (", ".join(begun), deal))), ""
    for step in entry.moves:
        match step:
            case str():
                yield ", ".join(move_text(move.strip()) for move in step.split(",")), ""
            case Expect():
                seen = (f"{label(key).replace('-', ' ')}: {told(key, value)}" for key, value in step.expect.items())
                yield "", "; ".join(seen)
            case Refused():
                before = say("is not permitted before {move}", move=spoken().rules.moves(step.before or ""))
                yield move_text(step.refused), before if step.before else say("is not permitted")
            case Allowed():
                yield move_text(step.allowed), say("is permitted")
            case Legal():
                for who, what in step.legal.items():
                    may = ", ".join(
                        say(each) if each in ("cards", "covers") else spoken().rules.moves(each) for each in what
                    )
                    yield say("{player} may", player=who), may or say("nothing")
            case View():
                sight = step.view
                hides = say("not {cards}", cards=worded(sight.hides))
                yield say("{player} sees", player=sight.seat), f"{worded(sight.sees)}; {hides}"
            case HandStep():
                yield say("the next hand"), ""
            case Deals():
                yield say("{count} deals of its own", count=step.deals.times), ""


# ---- The atlas: text, sources and cases of each rule beside the drawing --------------------------


def atlas(inputs: SiteInputs, name: str, language: str) -> str:
    """The page of a game, in a language: its phases as a map, the drawing of all its rules, and their texts."""
    graph, to = inputs.graphs[name], Addresses(_IN, language)
    with speaking(speech(language)):
        rules = list(_drawn_rules(inputs, name, graph, to))
        listed = {rule["name"] for rule in rules}
        drawn = svg(picture_of(graph), lambda rule: f"#{rule}" if rule in listed else "")
        mapped = map_of(picture_of(graph), lambda phase: f"#phase-{phase}")
    picture, whole = Markup(drawn), Markup(mapped)  # noqa: S704 -- drawn by us, their texts escaped
    title = rule_words(language)(graph.title)
    here = (("", words(language)("The rules"), to.book(name)), *_elsewhere(to, f"atlas/{name}.html"))
    return framed(
        "atlas", _IN, "atlas", modules=is_installed(), language=language, here=here, title=title, picture=picture,
        map=whole, rules=rules, played=f"{_IN}{MODULES}" if is_installed() else "", variant=name, who=to.who(),
    )  # fmt: skip


def _drawn_rules(inputs: SiteInputs, name: str, graph: Graph, to: Addresses) -> Iterator[dict[str, Any]]:
    told = rule_words(to.language)
    fill, testing = Filler(graph, told), inputs.testing(name)
    for rule in graph.rules.values():
        if not rule.source.prose:
            continue
        cites = [(cite.source, cite.clause) for cite in rule.source.cites]
        cases = dict.fromkeys(case for source, clause in cites for case in testing.get(f"{source}:{clause}", ()))
        yield {
            "name": rule.name,
            "shape": say(SHAPES[rule.shape]),
            "sentence": fill(told(rule.source.prose)),
            "address": _in_book(inputs, name, rule, to),
            "cites": [
                (f"{source}:{clause}", to.clause(source, clause) if source in sources() else "")
                for source, clause in cites
                if source != DECIDED
            ],
            "decisions": [
                (clause, to.decision(name, clause) if clause in inputs.readings[name] else "")
                for source, clause in cites
                if source == DECIDED
            ],
            "cases": [(case, to.case(inputs.cases[case])) for case in cases],
        }


def _in_book(inputs: SiteInputs, game: str, rule: Rule, to: Addresses) -> str:
    """The address in this game's book of a rule, or of the construct that it is part of."""
    entry = next((name for name in (rule.name, rule.source.construct) if name in inputs.told[game]), "")
    return to.book(game, rule=entry) if entry else ""


# ---- Results: what engines came to, the list, and a page of each run that is kept beside its document
#
# The document itself, which tells of the source of an engine, is in English.

FOLDER = "results"


def engines() -> list[str]:
    """The documents of engines, as paths below ``docs``."""
    return [name for name in documents.files() if name.startswith(f"{FOLDER}/") and name.endswith(".md")]


@cache
def kept(name: str) -> Run | None:
    """Return the run kept beside a document; None if there is none."""
    path = documents.run_of(name)
    return run_in(path.read_text(encoding="utf-8"), path.name) if path else None


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells of a run in the language that is spoken, with the sentences of its games."""

    inputs: SiteInputs
    run: Run
    to: Addresses

    def titled(self) -> list[tuple[str, str]]:
        """Return the games whose cases were played: titles, and their books."""
        names = dict.fromkeys(case.variant for case in self.run.cases)
        told = rule_words(self.to.language)
        return [(told(self.inputs.graphs[name].title), self.to.book(name)) for name in names]

    def table(self) -> tuple[list[str], list[tuple[str, list[int]]]]:
        """Verdicts, and how many cases of each level came to them."""
        rows = totals(self.run.cases)
        shown = [verdict for verdict in VERDICTS if verdict == "pass" or any(row[verdict] for row in rows.values())]
        counts = [(say(SAYS[level]), [row[verdict] for verdict in shown]) for level, row in rows.items()]
        return [say(verdict) for verdict in shown], counts

    def causes(self) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
        """Return the possible causes of the failures: a heading, an introduction, and the causes."""
        for title, about, causes in sorted_causes(self.run):
            yield say(title), say(about), [self._cause(cause) for _, cause in causes]

    def _cause(self, cause: CauseReport) -> dict[str, Any]:
        name, _, value = cause.option.partition("=")
        opened = f"{self.to.who()}#{fragment_of(cause.script)}" if is_installed() else ""
        return {
            "form": departing_from(cause.sentence.partition(": “")[0]) if cause.rule else kept_in_words(cause.sentence),
            "option": self.option(cause.variant, name, value) if name else (),
            "rule": self.sentence(cause.variant, cause.rule).rstrip(".") if cause.rule else "",
            "clauses": list(map(self.cited, cause.clauses)),
            "cases": self.cases(cause.cases),
            "script": cause.script,
            "who": opened,
        }

    def sentence(self, variant: str, statement: str) -> str:
        told, graph = rule_words(self.to.language), self.inputs.graphs[variant]
        stated = {name: source for _, name, source in graph.cites}
        source = graph.rules[statement].source if statement in graph.rules else stated[statement]
        return Filler(graph, told)(told(source.prose))

    def option(self, variant: str, name: str, value: str) -> tuple[str, str, str]:
        """Return an option: its notation, the name of its value, its question."""
        return f"{name} {value}", called_value(name, value), self.inputs.sentences(variant, self.to.language)[name]

    def always(self) -> list[tuple[str, str, str]]:
        """The options that are always played so."""
        held = self.run.implementation.variants if self.run.implementation else {}
        played = [
            (game, name, value)
            for game, plays in held.items()
            for name, values in plays.always.items()
            for value in ((values,) if isinstance(values, str) else values.values())
            if name in self.inputs.graphs[game].options
        ]
        return list(dict.fromkeys(self.option(*one) for one in played))

    def cited(self, cite: str) -> tuple[str, str, str]:
        """A clause or decision: its citation, address and text."""
        source, _, clause = cite.partition(":")
        if source == DECIDED:
            graph = next(graph for graph in self.inputs.graphs.values() if clause in graph.decisions)
            told = rule_words(self.to.language)
            reading = Filler(graph, told)(told(graph.decisions[clause].reading))
            printed = (name for name, readings in self.inputs.readings.items() if clause in readings)
            return cite, next((self.to.decision(name, clause) for name in printed), ""), reading
        return cite, clause_address(self.to, cite), rule_words(self.to.language).told(clause_text(cite) or "")

    def cases(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return [(name, self.to.case(self.inputs.cases[name.partition("[")[0]])) for name in names]

    def failed(self) -> Iterator[tuple[str, list[tuple[tuple[str, str, str], list[tuple[str, str]]]]]]:
        """Return the failed cases without a cause, by the clause or decision that they accuse."""
        cases = self.run.unexplained
        readings = {f"{DECIDED}:{name}": names for name, names in other_readings(cases).items()}
        found = faults_by_clause(cases), readings
        forms = ("Faults by clause", "Readings that differ, by decision")
        for title, listed in zip(forms, found, strict=True):
            if listed:
                yield say(title), [(self.cited(cite), self.cases(names)) for cite, names in listed.items()]


def document(inputs: SiteInputs, name: str) -> str:
    """The page of a document about an engine: the cases and clauses that it names lead to theirs."""
    to = Addresses(_IN)

    def address_of(code: str) -> str:
        case = inputs.cases.get(code.partition("[")[0])
        return to.case(case) if case else clause_address(to, code)

    return documents.document(name, address_of)


def page(inputs: SiteInputs, name: str, language: str) -> str:
    """Return the page of the run kept beside a document, in a language other than the document's."""
    run = kept(name)
    assert run is not None
    to = Addresses(_IN, language)
    teller = _Teller(inputs, run, to)
    home = run.implementation.homepage if run.implementation else ""
    with speaking(speech(language)):
        return framed(
            "engine",
            _IN,
            language=language,
            here=in_each(lambda code: f"{_IN}{documents.page_of(name, code)}"),
            title=run.title,
            homepage=home if home.startswith("https://") else "",
            played=say("{count} cases of corpus {edition}:", count=number(len(run.played)), edition=run.begun.edition),
            passed=passed(run),
            titled=teller.titled(),
            table=teller.table(),
            causes=list(teller.causes()),
            failed=list(teller.failed()),
            unplayable=teller.cases(not_playable(run.unexplained)),
            always=teller.always(),
        )


def index(inputs: SiteInputs, language: str) -> str:
    """The list of the engines, in a language."""
    to = Addresses(_IN, language)
    path = documents.page_of(FOLDER)
    with speaking(speech(language)):
        entries = list(_entries(inputs, to))
        return framed(
            "list",
            _IN,
            language=language,
            here=in_each(lambda code: f"{_IN}{to.in_language(path, code)}"),
            title=say("Results"),
            groups={say("Engines"): entries},
            contents=documents.contents(FOLDER) if language == ENGLISH else (),
        )


def _entries(inputs: SiteInputs, to: Addresses) -> Iterator[tuple[str, str, str]]:
    for name in engines():
        at, run = f"{_IN}{documents.page_of(name, to.language)}", kept(name)
        if run is None:
            yield documents.title_of(name), at, ""
        else:
            played = ", ".join(title for title, _ in _Teller(inputs, run, to).titled())
            yield run.title, at, f"{played}. {passed(run)}"
