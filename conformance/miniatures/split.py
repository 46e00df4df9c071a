"""Spreads the second answer over several lines."""

import json

from table import honest, requests, write

for number, request in requests():
    write(json.dumps(honest(request), indent=1) if number == 2 else honest(request))
