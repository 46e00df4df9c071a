"""Goes wrong in one way at the script before which P1 has so many points: at.py HOW POINTS …. Else an honest table.

With slow it takes its time over that one and all that follow. What it is asked it writes to its log.
"""

import json
import os
import sys
import time

from table import honest, requests, write

ways = dict(zip(map(int, sys.argv[2::2]), sys.argv[1::2], strict=True))
held = []
for _, request in requests():
    answer = honest(request)
    before = request["script"]["score"] if request["do"] == "run" else {}
    how = ways.get(before.get("P1"), "")
    if before:
        sys.stderr.write(f"asked {before}\n")
    if any(way == "slow" and before.get("P1", 0) >= points for points, way in ways.items()):
        time.sleep(0.1)
    if how == "crash":
        sys.exit("the pack fell under the table")
    elif how == "hang":
        time.sleep(600)
    elif how == "error":
        answer = {"id": request["id"], "error": "the pack is sticky"}
    elif how == "short":
        answer["hands"][0]["seen"] = []
    elif how == "chatter":
        write("dealing …")
    elif how == "garbage":
        answer = "truco!"
    elif how == "split":
        answer = json.dumps(answer, indent=1)
    elif how == "number":
        generation, _, count = request["id"].partition(".")
        answer["id"] = f"{generation}.{int(count) + 1000}"
    elif how == "flood":
        while True:
            sys.stdout.write("truco " * 10_000)
    elif how == "hog":
        held.append(os.urandom(1 << 20) * 300)
    write(answer)
