"""An adapter to copy: five places marked TODO join it to your implementation. docs/implementers.md explains them.

Run it with: truco-spec test -- python adapter.py          over the pipe
         or: truco-spec test --python adapter.py:Adapter   in the process of truco-spec
"""

import json
import sys

# TODO 1: who you are, what you play, what you can tell. `truco-spec words paulista` prints all that can stand here;
# what the keys mean, and how an implementation that is set in its ways is described, stands in docs/protocol.md.
ITSELF = ["shuffle", "desce", "cut", "deal"]  # words that are never put to your implementation: it says them by itself
PASSING = ("trick", "leader", "hand")  # what speaks of one action alone: at the words of ITSELF it is left out
HELLO = {
    "protocol": 1,
    "name": "my-truco",
    "version": "0",
    "variants": {"paulista": {"players": [2], "always": {}, "omits": [], "itself": ITSELF, "late": []}},
    "observes": ["acting", "stake", "proposal", "trick", "leader", "hand", "score", "winner"],
}


class Table:
    """One script on your implementation."""

    def __init__(self, script):
        # TODO 2: begin a match: script["players"] (in order of play), ["dealer"], ["score"] and ["options"]
        self.script = script

    def lay_out(self, deal):
        # TODO 3: begin the next hand with these cards, as {"P1": ["3C", "4D", "7S"], "P0": […], "vira": ["5H"]};
        # False where your match is over, or the hand before is not
        self.deal = deal
        return True

    def act(self, action):
        # TODO 4: let action["player"] play the card action["play"], cover action["cover"], or say action["say"]
        return "not-offered"  # None when it was taken; when it was refused, a category or True

    def look(self):
        # TODO 5: what can be seen now, as {"acting": ["P1"], "stake": 1}, and what the last action brought about, as
        # {"trick": "P1", "leader": "P1"}; leave out what you do not know, or keep for later
        return {}


class Adapter:
    """What truco-spec asks. If you observe deal, there is also deal(asked)."""

    def hello(self):
        return HELLO

    def run(self, script):
        table = Table(script)
        return {"hands": [self.hand(table, hand) for hand in script["hands"]]}

    def hand(self, table, hand):
        if not table.lay_out(hand["deal"]):
            return {"seen": [{"refused": "not-now"} for _ in hand["actions"]]}
        told = {"start": table.look(), "seen": []}
        for action in hand["actions"]:
            if action.get("say", "").split(" ")[0] in ITSELF:
                told["seen"].append({key: value for key, value in table.look().items() if key not in PASSING})
                continue
            refused = table.act(action)
            seen = table.look()
            told["seen"].append({**seen, "refused": refused} if refused else seen)
        return told


def main():
    """Over the pipe: one line for each request."""
    adapter, answers = Adapter(), sys.stdout
    sys.stdout = sys.stderr  # whatever else is printed is a log
    for request in map(json.loads, sys.stdin):
        if request["do"] == "bye":
            break
        try:
            asked = [request[key] for key in ("script", "deal") if key in request]
            answer = getattr(adapter, request["do"])(*asked)
        except Exception as error:  # the implementation failed; the next script may do better
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **answer}), file=answers, flush=True)


if __name__ == "__main__":
    main()
