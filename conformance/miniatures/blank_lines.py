"""Writes empty lines around its answers, and ends each as DOS did."""

import json
import sys

from table import honest, requests

for _, request in requests():
    sys.stdout.write(f"\r\n\r\n{json.dumps(honest(request))}\r\n\r\n")
    sys.stdout.flush()
