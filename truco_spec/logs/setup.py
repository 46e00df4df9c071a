"""Checks what a log says before the first move against its graph: variant, options and initial data."""

from __future__ import annotations

from truco_spec.base.words import Sentence
from truco_spec.engine.position_text import PositionError
from truco_spec.engine.text import described, value_of
from truco_spec.graph.model import HOW_MANY, Graph
from truco_spec.language.diagnostics import Diagnostic, SpecError
from truco_spec.logs.model import Log, LogError, Start
from truco_spec.logs.notation import hint_for, shown

NOT_WEIGHED = "“truco-spec dispute” weighs unknown cards of a deal or a move of a log, but none of a position."


def graph_of(log: Log, plain: Graph | None = None) -> Graph:
    """Return the graph that the log is played by. Raises :class:`LogError` for an unknown variant, option or value.

    ``plain`` is the variant's graph with its default options, if it is not a shipped one.
    """
    from truco_spec.base.project import playable_names
    from truco_spec.graph.load import load

    known = playable_names()
    if plain is None and log.variant not in known:
        message = Sentence("There is no variant “{name}”.", name=shown(log.variant))
        raise log.mistake("variant", message, "variant", hint_for(log.variant, known))
    base = load(log.variant) if plain is None else plain
    options = options_of(log, base)
    if plain is not None or not options:
        graph = base
    else:
        try:
            graph = load(log.variant, **options)
        except SpecError as error:
            raise LogError([_at(log, d) for d in error.diagnostics], log.text) from error
    if graph.seats != len(log.players):
        form = "{game} is played by {number} players here, and the log names {players}."
        message = Sentence(form, game=log.variant, number=graph.seats, players=len(log.players))
        raise log.mistake("players", message, "players")
    return graph


def options_of(log: Log, graph: Graph) -> dict[str, str]:
    """Return the options that differ from the graph's, including the number of players. Raises :class:`LogError`."""
    wrong: list[Diagnostic] = []
    asked = dict(log.options)
    if HOW_MANY in graph.options and HOW_MANY not in asked:
        asked[HOW_MANY] = str(len(log.players))
    for name, value in asked.items():
        place = log.place(f"options.{name}" if name in log.options else "players")
        if name not in graph.options:
            message = Sentence("{game} has no option “{name}”.", game=log.variant, name=shown(name))
            wrong.append(Diagnostic("error", "unknown-option", message, place, hint_for(name, graph.options)))
        elif value not in (*graph.options[name].values, *graph.options[name].ruled_out):
            message = Sentence("The option “{name}” has no value “{value}”.", name=name, value=shown(value))
            if name not in log.options:
                message = Sentence("{game} is not played by {number}.", game=log.variant, number=value)
            wrong.append(Diagnostic("error", "option", message, place, hint_for(value, graph.options[name].values)))
    if wrong:
        raise LogError(wrong, log.text)
    return {name: value for name, value in asked.items() if value != graph.options[name].value}


def start_of(log: Log, graph: Graph) -> tuple[dict[str, object], dict[str, dict[tuple[int, ...], int]]]:
    """Return the data that the log gives before the first hand, as a game takes them, and those that a hand in progress
    begins with, by datum and index. Raises :class:`LogError`.
    """
    wrong: list[Diagnostic] = []
    made: dict[str, dict[tuple[int, ...], int]] = {}
    given = [(item.datum, item.index, item.value, item.span) for item in log.start]
    teams: dict[int, str] = {}
    for name, points in log.score.items():
        place = log.place(f"score.{name}")
        if name not in log.players:
            message = Sentence("The score names {name}, who does not play.", name=name)
            wrong.append(Diagnostic("error", "unknown-player", message, place, hint_for(name, log.players)))
            continue
        team = log.players.index(name) % graph.teams
        if team in teams:
            form = "{name} and {other} are partners: their team has one score."
            message = Sentence(form, name=name, other=teams[team])
            wrong.append(Diagnostic("error", "twice", message, place))
        teams[team] = name
        given.append(("score", (name,), str(points), place))
    for datum, index, value, place in given:
        fault, hint = _start_value(log, graph, datum, index, value, made)
        if fault:
            wrong.append(Diagnostic("error", "start", fault, place, hint))
    if wrong:
        raise LogError(sorted(wrong, key=Diagnostic.place), log.text)
    arranged = {datum: made.pop(datum) for datum in list(made) if graph.data[datum].fresh}
    return {datum: values.get((), values) for datum, values in made.items()}, arranged


def _start_value(
    log: Log,
    graph: Graph,
    datum: str,
    index: tuple[str, ...],
    value: str,
    made: dict[str, dict[tuple[int, ...], int]],
) -> tuple[str, str]:
    """Record one initial value; return an error and a hint, or two empty texts."""
    given = [name for name, d in graph.data.items() if not d.type.place and not d.type.many]
    if datum not in given:
        message = Sentence("A log of {game} cannot begin with “{name}”.", game=log.variant, name=shown(datum))
        return message, hint_for(datum, given)
    found = graph.data[datum]
    if len(index) != len(found.params):
        wanted = tuple(described(graph, param.type) for param in found.params)
        form = "“{datum}” is given for {wanted}." if wanted else "“{datum}” has no index."
        return Sentence(form, datum=datum, wanted=wanted), ""
    where: list[int] = []
    for param, word in zip(found.params, index, strict=True):
        number = value_of(graph, param.type, word, log.players)
        if number is None:
            form = "“{datum}” is not given for “{word}”, but for {wanted}."
            return Sentence(form, datum=datum, word=shown(word), wanted=described(graph, param.type)), ""
        where.append(number)
    number = value_of(graph, found.type, value, log.players)
    if number is None:
        form = "“{datum}” cannot be “{value}”: it is {wanted}."
        return Sentence(form, datum=datum, value=shown(value), wanted=described(graph, found.type)), ""
    made.setdefault(datum, {})[tuple(where)] = number
    return "", ""


def start_fault(log: Log, graph: Graph, item: Start) -> str:
    """Return why a game of these rules cannot begin in this state; empty if it can."""
    return _start_value(log, graph, item.datum, item.index, item.value, {})[0]


def no_position(log: Log, error: PositionError) -> LogError:
    """Return the error (for the caller to raise) for a log whose position is none, at the place of the wrong word."""
    code = "unknown-card" if error.is_unknown else "position"
    hint = Sentence(NOT_WEIGHED) if error.is_unknown else error.hint or hint_for(error.word, error.known)
    return log.mistake(code, error.message, f"position.{error.token}", hint)


def _at(log: Log, found: Diagnostic) -> Diagnostic:
    """Map the linker's error about options to the options' place in the log."""
    return Diagnostic(found.severity, found.code, found.message, log.place("options"), found.hint)
