"""What all miniatures share: reading requests, writing answers, and an honest answer to everything.

The honest table reports as ``stake`` the points that P1 has before the hand. So a test can tell whose answer it got.
"""

import json
import sys

HELLO = {
    "protocol": 1,
    "name": "miniature",
    "version": "1",
    "variants": {"paulista": {"players": [4], "options": {"target": ["12", "30"]}}},
    "observes": ["stake"],
}


def requests():
    """The requests, one by one, until bye; each knows its place: 1 is the first script."""
    number = 0
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "bye":
            return
        number += request["do"] == "run"
        yield number, request


def honest(request, **told):
    """The answer that the request should have. ``told`` replaces what is told of every action."""
    if request["do"] == "hello":
        return {"id": request["id"], **HELLO}
    script = request["script"]
    told = told or {"stake": script["score"].get("P1", 0)}
    hands = [{"start": told, "seen": [told for _ in hand["actions"]]} for hand in script["hands"]]
    return {"id": request["id"], "hands": hands}


def write(message):
    """One line on standard output."""
    print(message if isinstance(message, str) else json.dumps(message), flush=True)


def due(request):
    """Whether this is the script at which a miniature does what it does: the one in which P1 has three points."""
    return request["do"] == "run" and request["script"]["score"].get("P1") == 3
