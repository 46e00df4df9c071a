"""The least adapter: whatever it is asked, it was permitted, and the stake is one. It measures the runner."""

import json
import sys

VARIANTS = {"paulista": {"players": [2, 4]}}
HELLO = {
    "protocol": 1,
    "name": "echo",
    "version": "1",
    "variants": VARIANTS,
    "observes": ["acting", "stake", "proposal"],
}
SEEN = {"acting": ["P0"], "stake": 1, "proposal": None}

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "bye":
        break
    answer = HELLO
    if request["do"] == "run":
        hands = request["script"]["hands"]
        answer = {"hands": [{"start": SEEN, "seen": [SEEN] * len(hand["actions"])} for hand in hands]}
    sys.stdout.write(json.dumps({"id": request["id"], **answer}) + "\n")
    sys.stdout.flush()
