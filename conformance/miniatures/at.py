"""Goes wrong in one way at the script before which P1 has so many points: at.py HOW POINTS. Else an honest table.

With slow it takes its time over that one and all that follow. What it is asked it writes to its log.
"""

import json
import os
import sys
import time

from table import honest, requests, write

how, points = sys.argv[1], int(sys.argv[2])
held = []
for _, request in requests():
    answer = honest(request)
    before = request["script"]["score"] if request["do"] == "run" else {}
    here = before.get("P1") == points
    if before:
        sys.stderr.write(f"asked {before}\n")
    if how == "slow" and before.get("P1", 0) >= points:
        time.sleep(0.1)
    if here and how == "crash":
        sys.exit("the pack fell under the table")
    elif here and how == "hang":
        time.sleep(600)
    elif here and how == "error":
        answer = {"id": request["id"], "error": "the pack is sticky"}
    elif here and how == "short":
        answer["hands"][0]["seen"] = []
    elif here and how == "chatter":
        write("dealing …")
    elif here and how == "garbage":
        answer = "truco!"
    elif here and how == "split":
        answer = json.dumps(answer, indent=1)
    elif here and how == "number":
        generation, _, count = request["id"].partition(".")
        answer["id"] = f"{generation}.{int(count) + 1000}"
    elif here and how == "flood":
        while True:
            sys.stdout.write("truco " * 10_000)
    elif here and how == "hog":
        held.append(os.urandom(1 << 20) * 300)
    write(answer)
