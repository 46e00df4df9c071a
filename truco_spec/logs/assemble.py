"""Builds a :class:`Log` from its parts, in any notation, recording each error with its place."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from truco_spec.engine.text import CHANCE_NAME
from truco_spec.language.diagnostics import Diagnostic
from truco_spec.language.tree import Span
from truco_spec.logs import words
from truco_spec.logs.model import MODES, MOST_SHOWN, STRICT, UNKNOWN, Hand, Log, LogError, LoggedMove, Start, frozen


class Assembly:
    """Collects parts and errors. Readers call the methods in the order of the text, then :meth:`log`."""

    def __init__(self, text: str, whole: Span) -> None:
        self.text = text
        self.wrong: list[Diagnostic] = []
        self.places: dict[str, Span] = {"": whole}
        self.variant = ""
        self.players: tuple[str, ...] = ()
        self.options: dict[str, str] = {}
        self.dealer = ""
        self.score: dict[str, int] = {}
        self.start: list[Start] = []
        self.mode = STRICT
        self.hands: list[Hand] = []
        self.moves = 0
        self.too_long = False
        self.said: set[str] = set()

    def note(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Record an error."""
        self.wrong.append(Diagnostic("error", code, message, span, hint))

    def set_variant(self, name: str, span: Span) -> None:
        """Set the variant's name."""
        self.places["variant"] = span
        self.variant = name
        if fault := words.fault_of_variant(name):
            self.note("variant", fault, span)

    def add_option(self, name: str, value: str, span: Span) -> None:
        """Set one option."""
        self.places[f"options.{name}"] = span
        if self._too_many(len(self.options), "options", span):
            return
        for word in (name, value):
            if fault := words.fault_of_word(word):
                self.note("word", fault, span)
        if name in self.options:
            self.note("twice", f"The option “{words.shown(name)}” is set twice.", span, "Leave one of the two.")
        self.options[name] = value

    def set_players(self, named: Iterable[tuple[str, Span]], span: Span) -> None:
        """Set the players in order of play."""
        self.places["players"] = span
        names: list[str] = []
        for name, place in itertools.islice(named, words.MOST_PLAYERS + 1):
            if fault := words.fault_of_player(name):
                self.note("player", fault, place)
            elif name in names:
                self.note("twice", f"Two players are called “{name}”.", place, "Give each a name of their own.")
            names.append(name)
        if len(names) > words.MOST_PLAYERS:
            self.note("players", f"No table seats more than {words.MOST_PLAYERS} players.", span)
        self.players = tuple(names)

    def set_dealer(self, name: str, span: Span) -> None:
        """Set who deals the first hand."""
        self.places["dealer"] = span
        self.dealer = name
        self._known(name, span)

    def add_score(self, name: str, points: str, span: Span) -> None:
        """Set the points of a player's team before the first hand."""
        self.places[f"score.{name}"] = span
        if self._too_many(len(self.score), "scores", span):
            return
        self._known(name, span)
        if not (points.isascii() and points.isdigit() and len(points) <= 6):
            self.note("number", f"The points of {words.shown(name)} are not a number: “{words.shown(points)}”.", span)
            return
        if name in self.score:
            self.note("twice", f"The points of {words.shown(name)} are given twice.", span, "Leave one of the two.")
        self.score[name] = int(points)

    def add_start(self, datum: str, index: tuple[str, ...], value: str, span: Span) -> None:
        """Set a datum before the first hand."""
        self.places[f"start.{datum}"] = span
        if self._too_many(len(self.start), "data to begin with", span):
            return
        for word in (datum, *index, value):
            if fault := words.fault_of_word(word):
                self.note("word", fault, span)
        same = [item for item in self.start if item.datum == datum]
        if any(item.index == index or not item.index or not index for item in same):
            self.note("twice", f"“{words.shown(datum)}” is given twice.", span, "Leave one of the two.")
        # The indices of one datum stay together, as YAML writes them.
        at = self.start.index(same[-1]) + 1 if same else len(self.start)
        self.start.insert(at, Start(datum, index, value, span))

    def set_mode(self, mode: str, span: Span) -> None:
        """Set the mode: strict or umpire."""
        self.places["mode"] = span
        if mode in MODES:
            self.mode = mode
        else:
            self.note("mode", f"The mode is one of {', '.join(MODES)}; not “{words.shown(mode)}”.", span)

    def add_hand(self, deal: list[tuple[str, list[str], Span]], moves: list[tuple[str, Span]], span: Span) -> None:
        """Add a hand: its deal (key, cards, place) and its moves (text, place)."""
        at = len(self.hands)
        self.places[f"hands.{at}"] = span
        given: dict[str, tuple[str, ...]] = {}
        for key, cards, place in deal:
            self.places[f"hands.{at}.deal.{key}"] = place
            if self._too_many(max(len(given), len(cards)), "cards in a deal", place):
                break
            for word in (key, *cards):
                if fault := words.fault_of_word(word):
                    self.note("word", fault, place)
            if key in given:
                self.note("twice", f"The deal names “{words.shown(key)}” twice.", place, "Write the cards behind one.")
            given[key] = tuple(cards)
        self._cards_once(at, given)
        self.moves += len(moves)
        if self.moves <= words.MOST_MOVES and at < words.MOST_HANDS:
            self.hands.append(Hand(frozen(given), tuple(self._move(text, place) for text, place in moves), span))
        elif not self.too_long:
            self.too_long = True
            most = f"at most {words.MOST_HANDS} hands and {words.MOST_MOVES} moves"
            self.note("size", f"The log is too long: {most} can stand in one.", span, "Split it into several logs.")

    def log(self) -> Log:
        """Return the log. Raises :class:`LogError` with every error recorded."""
        whole = self.places[""]
        if not self.variant and not any(d.code in ("variant", "missing") for d in self.wrong):
            self.note("missing", "The log does not say which variant is played.", whole)
        if not self.players and not any(d.code in ("player", "players", "missing") for d in self.wrong):
            self.note("missing", "The log does not say who plays.", whole)
        if self.wrong:
            raise LogError(sorted(self.wrong, key=Diagnostic.place), self.text)
        return Log(
            variant=self.variant,
            players=self.players,
            options=frozen(self.options),
            dealer=self.dealer,
            score=frozen(self.score),
            start=tuple(self.start),
            mode=self.mode,
            hands=tuple(self.hands),
            text=self.text,
            places=frozen(self.places),
        )

    # ---- inside ------------------------------------------------------------------------------

    def _too_many(self, there: int, what: str, span: Span) -> bool:
        """Return whether the limit on entries of this kind is exceeded, reporting it once."""
        message = f"There are too many {what}: a log holds {words.MOST_ENTRIES} at most."
        if there >= words.MOST_ENTRIES and message not in self.said:
            self.said.add(message)
            self.note("size", message, span)
        return there >= words.MOST_ENTRIES

    def _move(self, text: str, span: Span) -> LoggedMove:
        move = LoggedMove(" ".join(text.split()), span)
        for word in move.text.split(" "):
            if fault := words.fault_of_word(word):
                self.note("word", fault if word else "A move is missing between two commas.", span)
                return move
        if (move.player == CHANCE_NAME or self._known(move.player, span)) and not move.words:
            self.note("move", f"What does {move.player} say or do? A move is a player and what follows.", span)
        return move

    def _known(self, name: str, span: Span) -> bool:
        """Return whether the player is known; if not, record an error (unless no players are known at all)."""
        if name in self.players or not self.players:
            return True
        hint = words.hint_for(name, self.players) if len(self.wrong) < MOST_SHOWN else ""
        self.note("unknown-player", f"There is no player “{words.shown(name)}”.", span, hint)
        return False

    def _cards_once(self, at: int, deal: dict[str, tuple[str, ...]]) -> None:
        """Check that no card is dealt to two players. Keys of places may name a card that a player gets later; the
        replay checks these.
        """
        owner: dict[str, str] = {}
        for key, cards in deal.items():
            seen: set[str] = set()
            for card in cards:
                if card == UNKNOWN:
                    continue
                other = key if card in seen else owner.get(card, "")
                if other and (key in self.players or card in seen):
                    where = f"twice by {words.shown(key)}" if other == key else f"by {other} and by {key}"
                    place = self.places[f"hands.{at}.deal.{key}"]
                    self.note("twice", f"The card {words.shown(card)} is there twice: it is held {where}.", place)
                seen.add(card)
                if key in self.players:
                    owner.setdefault(card, key)
