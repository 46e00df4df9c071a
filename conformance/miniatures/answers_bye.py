"""Has something to say to the last message too, and to the end of its input."""

import json
import sys

from table import honest, write

for line in sys.stdin:
    request = json.loads(line)
    write({"id": request["id"], "bye": "bye"} if request["do"] == "bye" else honest(request))
write("so long")
