"""Adapter for gat-games 0.0.2 (PyPI): Truco Paulista for two players. Run it with: python gat_games.py

The implementation calls each player when it is his turn; here a player then takes the next action of the script. Hands,
turned card and the seats of the first hand are laid out as the script says; everything else is left as it is. It has
one call for every raise, and neither covered cards nor a hand of eleven.
"""

import contextlib
import json
import sys

sys.path.pop(0)  # this file bears the name of the package
with contextlib.redirect_stdout(sys.stderr):
    from gat_games.game_engine import gat_json
    from gat_games.game_engine.engine import GATLogger, InvalidCommandError
    from gat_games.games.truco import Truco, TrucoPlayer

GATLogger.set_level("CRITICAL")
gat_json.dumps = lambda *_, **__: "null"  # from Python 3.11 on it recurses without end

HELLO = {
    "protocol": 1, "name": "gat-games", "version": "0.0.2",
    "homepage": "https://pypi.org/project/gat-games/", "issues": "https://github.com/gatournament/gat-games/issues",
    "variants": {"paulista": {"players": [2], "omits": ["cover"]}},
    "observes": ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner", "deal"],
}  # fmt: skip
RANKS, SUITS = {"A": 1, "J": 11, "Q": 12, "K": 13}, {"S": 1, "H": 2, "D": 3, "C": 4}
LETTERS = {number: letter for letter, number in RANKS.items()}
RAISES = ("truco", "seis", "nove", "doze")
SAYS = {"aceito": TrucoPlayer.accept_truco, "corro": TrucoPlayer.reject_truco}


class ScriptEnds(BaseException):
    """No more actions in this hand. Not an Exception: the implementation would take it for a mistake of the player."""


class Seat(TrucoPlayer):
    def play(self, context, **_):
        self.table.awaits(self)


def card(game, name):
    return game.Round.Deck.Card(RANKS.get(name[0]) or int(name[0]), SUITS[name[1]])


def names(cards):
    return [f"{LETTERS.get(card.rank, card.rank)}{'.SHDC'[card.suit]}" for card in cards]


class Table:
    """One script: lays out each hand, feeds the actions to the players and writes down what is seen."""

    def __init__(self, script):
        self.script, self.hands, self.game = script, [], Truco(1, [Seat(who) for who in script["players"]])
        self.seats = {seat.name: seat for seat in self.game.players}
        for seat in self.seats.values():
            seat.table = self
        self.game.scoreboard.update(script["score"])
        self.game.before_start_round = self.lay_out
        score = self.game.after_end_round
        self.game.after_end_round = lambda hand: (score(hand), self.hand_over(hand))

    def play(self):
        with contextlib.suppress(ScriptEnds):
            self.game.start()
        if self.game.error:
            raise RuntimeError(self.game.error_message)
        if self.game.winners:
            self.hands[-1]["seen"][-1]["winner"] = str(self.game.winners[0])
        self.hands += [{"seen": []} for _ in self.script["hands"][len(self.hands) :]]
        for hand, told in zip(self.script["hands"], self.hands, strict=True):  # what is left was tried after the end
            told["seen"] += [{"refused": "not-now"}] * (len(hand["actions"]) - len(told["seen"]))
        return {"hands": self.hands}

    def lay_out(self, hand):
        if len(self.hands) == len(self.script["hands"]):
            raise ScriptEnds
        script, self.hand = self.script["hands"][len(self.hands)], hand
        if not self.hands:  # who deals first is a fact of the script; after that the implementation decides
            names, dealer = self.script["players"], self.script["players"].index(self.script["dealer"])
            hand.players[:] = [self.seats[name] for name in names[dealer + 1 :] + names[: dealer + 1]]
        hand.center_card = card(self.game, script["deal"]["vira"][0])
        for who in self.seats:
            hand.hand(who).cards = [card(self.game, name) for name in script["deal"][who]]
        self.actions, self.seen, self.won, self.acted = script["actions"], [], dict(hand.wins), False
        self.raises = 0
        self.hands.append({"start": None, "seen": self.seen})

    def awaits(self, seat):
        """The implementation calls this player: note what the last action brought about, then try the next ones."""
        if self.hands[-1]["start"] is None:
            self.hands[-1]["start"] = self.look(seat)
        elif self.acted:
            self.seen.append(self.look(seat))
        while len(self.seen) < len(self.actions):
            action = self.actions[len(self.seen)]
            actor = self.seats[action["player"]]
            try:
                self.acted = True
                self.act(actor, action)
                if actor is seat:
                    return
                self.seen.append(self.look(seat))  # taken out of turn: the turn is still his
            except NotImplementedError:
                self.seen.append({"refused": "not-offered"})
            except InvalidCommandError as why:
                category = {"right now": "not-your-turn", "to upcard": "not-held"}.get(str(why)[-9:], "not-now")
                self.seen.append({**self.look(seat), "refused": category})
            self.acted = False
        raise ScriptEnds

    def act(self, actor, action):
        word = action.get("say")
        if "play" in action:
            actor.upcard(card(self.game, action["play"]))
        elif word in RAISES[self.raises :][:1] or (word in RAISES and self.raises >= len(RAISES)):
            actor.truco()  # the word has to be the next, and above the last any will do
            self.raises += 1
        elif word in SAYS:
            SAYS[word](actor)
        else:
            raise NotImplementedError

    def look(self, awaited=None):
        taken = [name for name, wins in self.hand.wins.items() if wins == self.won[name] + 1]
        self.won = dict(self.hand.wins)
        asked = self.hand.truco_value if self.hand.state == "truco" else None
        seen = {"stake": self.hand.value, "proposal": asked, "score": dict(self.game.scoreboard), "winner": None}
        seen |= {"trick": "tie" if len(taken) > 1 else taken[0] if taken else None, "hand": None}
        return {**seen, "acting": [awaited.name], "leader": awaited.name if taken else None} if awaited else seen

    def hand_over(self, hand):
        self.seen.append({**self.look(), "hand": str(hand.winners[0])})


class Adapter:
    """What truco-spec asks, over the pipe or with --python."""

    def hello(self):
        return HELLO

    def run(self, script):
        return Table(script).play()

    def deal(self, asked):
        seats = [Seat(who) for who in asked["players"]]
        hands = [Truco(asked["seed"] + n, seats).new_round() for n in range(asked["times"])]
        held = [{who: names(hand.hand(who).cards) for who in asked["players"]} for hand in hands]
        viras = [{"vira": names([hand.center_card])} for hand in hands]
        return {"deals": [{**cards, **vira} for cards, vira in zip(held, viras, strict=True)]}


if __name__ == "__main__":
    for request in map(json.loads, sys.stdin):
        if request["do"] == "bye":
            break
        try:
            answer = getattr(Adapter(), request["do"])(*(request[key] for key in ("script", "deal") if key in request))
        except Exception as error:  # the implementation failed; the next script may do better
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
