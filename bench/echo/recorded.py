"""An adapter that knows its answers, by script: those of a file of JSON."""

import json
import sys
from pathlib import Path

answers = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "bye":
        break
    asked = json.dumps(request["script"], sort_keys=True) if request["do"] == "run" else request["do"]
    sys.stdout.write(json.dumps({"id": request["id"], **answers[asked]}) + "\n")
    sys.stdout.flush()
