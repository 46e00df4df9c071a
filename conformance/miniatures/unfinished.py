"""Writes an answer without the end of its line, and waits."""

import json
import sys
import time

from table import due, honest, requests, write

for _, request in requests():
    if due(request):
        sys.stdout.write(json.dumps(honest(request)))
        sys.stdout.flush()
        time.sleep(600)
    write(honest(request))
